"""docs/agreement.md says what the JSON file holds and when something is said."""

import re

import pytest
from pages import ROOT

from spacy_semeval.agreement import advice, agreement
from spacy_semeval.agreement.span_f1 import RATIOS, RULES
from spacy_semeval.formats.base import NOTED
from spacy_semeval.report.agreement_rows import COUNTED

PAGE = (ROOT / "docs" / "agreement.md").read_text("utf8")
RESULT = agreement({"a": {1: [(0, 1, "A")]}, "b": {1: [(0, 1, "A")]}}, {1: "a b"}, alpha_u_2004=True)


def test_every_key_is_described():
    for key in set(RESULT) - {"kind", "semantics", "version", "settings"}:
        assert f"| `{key}` |" in PAGE
    keys = [*RESULT["documents"], *RESULT["per_document"][0], *RESULT["pairs"][0], *RESULT["per_annotator"]["a"]]
    for key in [*keys, *RULES, *RATIOS, *(key for key in COUNTED if not key.startswith("skipped_"))]:
        assert f"`{key}`" in PAGE or key in NOTED, key


def result(
    strict=1.0,
    exact=1.0,
    overlap=1.0,
    cohen=None,
    marked=None,
    u=None,
    cut=0,
    documents=100,
    worst=1.0,
    same=1.0,
    together=29,
    all_paired=True,
):
    f1 = {"strict": strict, "exact": exact, "overlap": overlap}
    span_f1 = {rule: {"mean": value, "min": worst, "max": 1.0, "ci": [0, 1]} for rule, value in f1.items()}
    token = {"cohen": cohen, "cohen_annotated": marked, "tokens": 10, "cut_spans": cut, "spans": 100, "by_label": False}
    return {
        "span_f1": span_f1,
        "token": token,
        "unitized": {"u": u},
        "per_annotator": {"ana": {"strict": 0.9}, "ben": {"strict": 0.7}, "chloe": {"strict": 0.8}},
        "annotators": ["ana", "ben", "chloe"],
        "pairs": [
            {"annotators": ["ana", "ben"], "documents": together, "strict": same},
            {"annotators": ["ben", "chloe"] if all_paired else ["ana", "ben"], "documents": 50, "strict": 0.5},
        ],
        "documents": {"compared": documents},
        "settings": {"lang": "xx"},
    }


def sentences(**values):
    return [sentence.split()[0] for sentence in advice.find_advice(result(**values))]


@pytest.mark.parametrize(
    ("below", "above", "first_word"),
    [
        ({"strict": 0.91}, {"strict": 0.9}, "Labels:"),
        ({"exact": 0.91, "strict": 0.91}, {"exact": 0.9, "strict": 0.9}, "Boundaries:"),
        ({"overlap": 0.8, "exact": 0.8, "strict": 0.8}, {"overlap": 0.79, "exact": 0.79, "strict": 0.79}, "What"),
        ({"exact": 0.91, "strict": 0.91, "cohen": 1.0}, {"exact": 0.9, "strict": 0.9, "cohen": 1.0}, "Token"),
        ({"cohen": 0.9, "marked": 0.81}, {"cohen": 0.9, "marked": 0.8}, "Over"),
        ({"strict": 0.91, "u": 1.0}, {"strict": 0.9, "u": 1.0}, "u-alpha"),
        ({"worst": 0.81}, {"worst": 0.8}, "Pairs"),
        ({"cut": 9}, {"cut": 10}, "Many"),
        ({"documents": 30}, {"documents": 29}, "There"),
        ({"together": 29}, {"together": 30}, "Copies?"),
        ({"together": 30, "same": 0.99}, {"together": 30, "same": 1.0}, "Copies?"),
        ({"all_paired": True}, {"all_paired": False}, "No"),
    ],
)
def test_thresholds(below, above, first_word):
    assert first_word not in sentences(**below)
    assert first_word in sentences(**above)
    assert re.search(rf"^\| {re.escape(first_word)}.* \| .* \|$", PAGE, re.MULTILINE)


def test_nothing_is_said_where_nothing_stands_out():
    assert sentences() == []


def test_who_is_apart():
    assert "Pairs differ much; ben agrees least with the others." in advice.find_advice(result(worst=0.5))


def test_tracks_are_said():
    found = agreement({"a": {1: [(0, 2, "A"), (0, 1, "B")]}, "b": {1: []}}, {1: "a b"})
    assert "Spans of one annotator overlap: token coefficients have one track a label." in found["reading"]
