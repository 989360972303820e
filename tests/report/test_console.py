import io

import pytest

from spacy_semeval import score_spans
from spacy_semeval.report.console import format, print_scores, shorten, width_of
from spacy_semeval.report.rows import Table, per_label_table

LONG = "A_VERY_LONG_LABEL_OF_A_VERY_LONG_KIND_OF_THING"


class Terminal(io.StringIO):
    def isatty(self):
        return True


def table(label="DRUG", number="1", columns=10):
    return Table("Title", ("Label", *"ABCDEFGHIJ"[:columns]), [(label, *[number] * columns)], 1)


@pytest.mark.parametrize("width", [70, 60, 40])
@pytest.mark.parametrize("label", ["DRUG", LONG])
def test_tables_fit_the_width(width, label):
    lines = format(table(label), width).splitlines()
    assert max(map(len, lines)) <= width
    assert ("…" in lines[2]) == (label == LONG)


def test_labels_are_shortened_no_further_than_needed():
    wide = format(table(LONG), 200)
    assert LONG in wide
    lines = format(table(LONG), 60).splitlines()
    assert max(map(len, lines)) == 60


def test_wide_numbers_stand_closer():
    lines = format(table(number="1234567", columns=8), 80).splitlines()
    assert max(map(len, lines)) <= 80


def test_a_table_of_a_large_corpus_fits_80_columns():
    gold = [[(0, 3, LONG), (5, 8, "B")]] * 20000
    lines = format(per_label_table(score_spans(gold, gold).to_dict(), "ents"), 80).splitlines()
    assert max(map(len, lines)) <= 80


def test_shorten():
    assert (shorten("DRUG", 4), shorten("DRUGS", 4)) == ("DRUG", "DR…S")
    assert shorten("PRODUCT_NAME", 9) != shorten("PRODUCT_CODE", 9)


def test_width_is_that_of_the_terminal(monkeypatch):
    monkeypatch.setenv("COLUMNS", "123")
    assert (width_of(io.StringIO()), width_of(Terminal())) == (80, 123)


def test_no_terminal_codes_outside_a_terminal():
    out = io.StringIO()
    print_scores(score_spans([[(0, 4, "DRUG")]], [[]]).to_dict(), "ents", out)
    text = out.getvalue()
    assert "\x1b" not in text
    assert text.index("SemEval schemas (ents)") < text.index("SemEval schemas per label (ents)")
    assert text.index("docs/semantics.md") < text.index("Documents scored: 1")
    assert max(map(len, text.splitlines())) <= 80


def test_what_a_terminal_would_obey_is_escaped():
    label = "A\x1b[31m\nB\u202e"
    out = io.StringIO()
    print_scores(score_spans([[(0, 4, label)]], [[]]).to_dict(), f"spans_{label}", out)
    assert "A\\x1b[31m\\nB\\u202e  strict" in out.getvalue()
    assert "(spans_A\\x1b[31m\\nB\\u202e)" in out.getvalue()
    assert not {"\x1b", "\u202e"} & set(out.getvalue())


def test_characters_that_the_encoding_lacks():
    raw = io.BytesIO()
    out = io.TextIOWrapper(raw, encoding="ascii")
    print_scores(score_spans([[(0, 4, "ÄRZTIN")]], [[]]).to_dict(), "ents", out)
    assert b"?RZTIN" in raw.getvalue()


def test_without_labels_there_is_no_empty_table():
    out = io.StringIO()
    print_scores(score_spans([[]], [[]]).to_dict(), "ents", out)
    assert "per label" not in out.getvalue()
