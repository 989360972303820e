import pytest

from spacy_semeval.agreement import agreement
from spacy_semeval.agreement.span_f1 import RATIOS
from spacy_semeval.formats.base import NOTED, SKIPPED
from spacy_semeval.report.agreement_rows import (
    COUNTED,
    MOST_COLUMNS,
    agreement_tables,
    boundary_table,
    check_agreement,
    confusion_table,
    header_lines,
    label_table,
    left_out_lines,
    pair_matrix,
    schemas_table,
    token_table,
    unitized_table,
)
from spacy_semeval.report.console import format
from spacy_semeval.report.rows import decimal

TEXT = {1: "Codeine 10 mg daily"}
ANA, BEN = {1: [(0, 7, "DRUG"), (8, 13, "DOSE")]}, {1: [(0, 7, "BRAND"), (8, 13, "DOSE")]}
RESULT = agreement({"ana": ANA, "ben": BEN}, TEXT)
NOTHING = agreement({"ana": {1: []}, "ben": {1: []}}, TEXT)


def test_decimals():
    assert [decimal(n) for n in (None, 0.0, 1.0, -0.25, 0.0625, 0.1235)] == [
        "-",
        "0.000",
        "1.000",
        "-0.250",
        "0.062",
        "0.123",
    ]


def test_cells():
    assert boundary_table(RESULT).rows[0] == ("exact", "1.000", "-", "1.000-1.000", "0.500", "-", "0.500-0.500")
    assert schemas_table(RESULT).rows[0] == ("strict", "0.500", "0.000", "-", "0.500-0.500")
    assert unitized_table(RESULT).rows[2][2] == "63.16"  # 12 of 19 characters
    assert pair_matrix(RESULT).rows == [("1 ana", "-", "0.500"), ("2 ben", token_table(RESULT).rows[0][1], "-")]
    assert label_table(RESULT).rows[0][:3] == ("BRAND", "1", "0.000")
    assert confusion_table(RESULT).rows[1] == ("2 BRAND", "0", "0", "0", "1")


@pytest.mark.parametrize("ratio", RATIOS)
def test_the_ratio_is_named(ratio):
    annotators = {name: {1: own[1], 2: own[1]} for name, own in (("ana", ANA), ("ben", BEN))}
    table = boundary_table(agreement(annotators, {1: TEXT[1], 2: TEXT[1] + "."}, ratio=ratio, iou=0.25))
    assert table.rows[2][0].lower() == f"{ratio}>=0.25"
    lines = format(table, 80).splitlines()
    assert lines[4].lower().startswith(f"{ratio}>=0.25 ")  # whole, with intervals beside it
    assert max(map(len, lines)) <= 80


def test_a_dash_has_a_note():
    for table in agreement_tables(NOTHING):
        if any("-" in row[1:] for row in table.rows) and "Pairs" not in table.title:
            assert "- span_f1" in table.note or "\n- " in table.note, table.title
    assert "- pairs.ana, ben.cohen: all tokens have one and the same tag" in pair_matrix(NOTHING).note


def test_reasons_that_are_the_same_are_said_once():
    names = [f"p{i}" for i in range(4)]
    note = pair_matrix(agreement(dict.fromkeys(names, {1: []}), None)).note.splitlines()
    assert len(note) == 2  # no token, and no span
    assert any(line.startswith("- pairs.p0, p1") and " and 2 more: " in line for line in note)


def test_many_annotators_are_a_list():
    names = [f"p{i}" for i in range(MOST_COLUMNS + 1)]
    table = pair_matrix(agreement(dict.fromkeys(names, ANA), TEXT))
    assert len(table.rows) == len(names) * (len(names) - 1) // 2
    assert table.rows[0][:2] == ("p0, p1", "1")


def test_many_labels_are_a_list():
    ana = {1: [(i, i + 1, f"L{i}") for i in range(12)]}
    ben = {1: [(i, i + 1, f"L{min(i + 1, 11)}") for i in range(12)]}
    table = confusion_table(agreement({"ana": ana, "ben": ben}, TEXT))
    assert table.rows[0] == ("L0", "L1", "1")


def test_tables_fit():
    long = "a_name_that_is_as_long_as_an_address@example.org"
    result = agreement({long: ANA, long + "2": BEN}, TEXT, alpha_u_2004=True)
    for table in agreement_tables(result, detail=True):
        assert max(map(len, format(table, 80).splitlines())) <= 80, table.title


def test_every_count_is_worded():
    documents = RESULT["documents"] | {f"skipped_{reason}": 1 for reason in SKIPPED} | dict.fromkeys(NOTED, 1)
    lines = left_out_lines({"documents": documents})
    assert len(lines) == len(SKIPPED) + len(NOTED)
    structure = {"total", "shared", "compared", "by_annotators"}
    assert set(RESULT["documents"]) - structure <= set(COUNTED)
    assert header_lines(RESULT) == ["Annotators: 2. Documents: 1, seen by all 2: 1, by two or more: 1"]


def test_what_is_made_is_accepted():
    check_agreement(RESULT)
    check_agreement(NOTHING)
    with pytest.raises(Exception, match="documents"):
        check_agreement({**RESULT, "documents": 3})
