import msgspec
import pytest

from spacy_semeval import score_spans
from spacy_semeval.formats.base import NOTED, SKIPPED
from spacy_semeval.report.console import format
from spacy_semeval.report.rows import (
    check,
    document_notes,
    label_f_table,
    overall_table,
    per_label_table,
    percent,
    records_table,
)

GOLD, PRED = [[(0, 4, "DRUG"), (5, 9, "BRAND")]], [[(0, 4, "DRUG"), (5, 8, "DRUG")]]
SCORES = score_spans(GOLD, PRED).to_dict()


def test_overall_rows():
    table = overall_table(SCORES, "ents")
    assert table.header == ("Schema", "COR", "INC", "PAR", "MIS", "SPU", "POS", "ACT", "P", "R", "F")
    assert table.rows[0] == ("strict", "1", "1", "0", "0", "0", "2", "2", "50.00", "50.00", "50.00")
    assert table.rows[2] == ("partial", "1", "0", "1", "0", "0", "2", "2", "75.00", "75.00", "75.00")
    assert [row[0] for row in table.rows] == ["strict", "exact", "partial", "type"]


def test_per_label_rows():
    table = per_label_table(SCORES, "ents")
    assert table.header == ("Label", "Schema", "COR", "INC", "PAR", "MIS", "SPU", "P", "R", "F")
    assert [row[:2] for row in table.rows[3:5]] == [("BRAND", "type"), ("DRUG", "strict")]
    assert table.rows[4] == ("DRUG", "strict", "1", "0", "0", "0", "0", "50.00", "100.00", "66.67")
    assert "Own side" in table.note
    assert "Gold side" in per_label_table(score_spans(GOLD, PRED, per_label="gold_side").to_dict(), "ents").note


def test_rows_of_the_training_log():
    table = label_f_table(SCORES, "ents", "step 7")
    assert table.header == ("Label", "STRICT", "EXACT", "PARTIAL", "TYPE")
    assert table.rows == [("BRAND", "0.00", "0.00", "0.00", "0.00"), ("DRUG", "66.67", "66.67", "85.71", "66.67")]


def test_undefined_is_a_dash():
    assert (percent(None), percent(0.0), percent(1), percent(2 / 3)) == ("-", "0.00", "100.00", "66.67")
    assert overall_table(score_spans([], []).to_dict(), "ents").rows[0][-3:] == ("-", "-", "-")


def test_what_was_left_out_is_said():
    assert document_notes({"scored": 3, "unannotated": 0, "ignored_pred": 2, "skipped_rejected": 1}) == [
        "Documents scored: 3",
        "Left out, predictions that touch text without annotation: 2",
        "Left out, records with the answer reject: 1",
    ]


@pytest.mark.parametrize("key", ["overall", "per_label", "documents"])
def test_a_dict_from_a_file_is_checked(key):
    check(SCORES)
    for broken in ({**SCORES, key: 3}, {name: part for name, part in SCORES.items() if name != key}):
        with pytest.raises(msgspec.ValidationError, match=key):
            check(broken)


def test_rows_of_what_was_read():
    documents = {"scored": 1, "gold_records": 3, "pred_records": 2, "gold_used": 1, "pred_used": 2}
    documents |= {"gold_skipped_rejected": 2, "pred_null_spans": 1, "gold_only": 4, "pred_only": 0}
    assert records_table(documents).rows == [
        ("records read", "3", "2"),
        ("left out, records with the answer reject", "2", "0"),
        ("noted, records whose spans are null, read as no span", "0", "1"),
        ("records used", "1", "2"),
    ]
    assert records_table({"scored": 1}) is None
    assert document_notes(documents) == ["Documents scored: 1", "Documents that only gold has: 4"]


@pytest.mark.parametrize("change", [{"overall": {}}, {"per_label": {"A": {"accepted": -1}}}, {"documents": {}}])
def test_binary_scores_are_checked(change):
    cell = dict(accepted=1, found=1, not_found=0, rejected=0, predicted=0, avoided=0, schemas={})
    data = {"kind": "binary", "overall": cell, "per_label": {}, "documents": {"scored": 1}}
    check(data)
    with pytest.raises(msgspec.ValidationError):
        check({**data, **change})


def test_no_reason_is_cut_off():
    reasons = {f"gold_skipped_{reason}": 1 for reason in SKIPPED} | {f"gold_{what}": 1 for what in NOTED}
    table = records_table({"scored": 1, "gold_records": 10**6, "pred_records": 10**6} | reasons)
    assert len(table.rows) == 1 + len(SKIPPED) + len(NOTED)
    assert "…" not in format(table, 80)
