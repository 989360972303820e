"""eval4ner's functions: its own example number for number, and where it goes wrong."""

import pytest

from spacy_semeval.compat.eval4ner import evaluate_all, evaluate_one
from spacy_semeval.errors import SemevalError

TEXT = "John Jones and Peter Peters came to York"
GOLD = [("PER", "John Jones"), ("PER", "Peter Peters"), ("LOC", "York")]
PRED = [[("PER", TEXT)], [("LOC", "John Jones"), ("PER", "Peters"), ("LOC", "York")], GOLD]


def counts(cell):
    return tuple(cell[name] for name in ("correct", "incorrect", "partial", "missed", "spurius"))


def test_the_example_of_eval4ner():
    got = evaluate_all(PRED, [GOLD] * 3, [TEXT] * 3)
    want = {
        "strict": (4 / 9, 4 / 9, 4 / 9),
        "exact": (5 / 9, 5 / 9, 5 / 9),
        "partial": (7 / 9, 2 / 3, 25 / 36),
        "type": (8 / 9, 2 / 3, 13 / 18),
    }
    for mode, scores in want.items():
        assert (got[mode]["precision"], got[mode]["recall"], got[mode]["f1_score"]) == pytest.approx(scores)
        assert (got[mode]["count"], got[mode]["no_entities"], got[mode]["dropped"]) == (3, 0, 0)


def test_one_document():
    got = evaluate_one(PRED[1], GOLD, TEXT)
    assert {mode: counts(cell) for mode, cell in got.items()} == {
        "strict": (1, 2, 0, 0, 0),
        "exact": (2, 1, 0, 0, 0),
        "partial": (2, 0, 1, 0, 0),
        "type": (2, 1, 0, 0, 0),
    }
    assert got["partial"] == {
        "correct": 2,
        "incorrect": 0,
        "partial": 1,
        "missed": 0,
        "spurius": 0,
        "possible": 3,
        "actual": 3,
        "precision": pytest.approx(2.5 / 3),
        "recall": pytest.approx(2.5 / 3),
        "f1_score": pytest.approx(2.5 / 3),
        "dropped": 0,
    }


def test_a_second_occurrence():
    """eval4ner looks at the first occurrence only, to which nothing that stands later is near."""
    text = "York, New York"
    got = evaluate_one([("LOC", "York"), ("LOC", "York")], [("LOC", "York"), ("LOC", "New York")], text)
    assert counts(got["strict"]) == (1, 1, 0, 0, 0)
    assert counts(got["partial"]) == (1, 0, 1, 0, 0)


def test_a_perfect_match_is_not_taken_by_an_earlier_entity():
    text = "Peter Peters came"
    got = evaluate_one([("PER", "Peters"), ("PER", "Peter Peters")], [("PER", "Peter Peters")], text)
    assert counts(got["strict"]) == (1, 0, 0, 0, 1)


def test_documents_without_entities():
    """eval4ner gives them 1 under each mode, with five wrong counts, and takes them into the mean."""
    nothing = evaluate_one([], [], "No names")
    assert {counts(cell) for cell in nothing.values()} == {(0, 0, 0, 0, 0)}
    got = evaluate_all([*PRED, []], [*[GOLD] * 3, []], [*[TEXT] * 3, "No names"])["strict"]
    assert (got["precision"], got["count"], got["no_entities"]) == (pytest.approx(4 / 9), 3, 1)
    got = evaluate_all([[]], [[]], ["No names"])["strict"]
    assert (got["precision"], got["count"], got["no_entities"]) == (0.0, 0, 1)
    got = evaluate_all([], [], [])["strict"]
    assert (got["precision"], got["count"], got["no_entities"]) == (None, 0, 0)


def test_strings_that_are_not_in_their_text():
    invented = [("PER", "Jane"), ("LOC", "York")]
    with pytest.raises(SemevalError, match=r"document 0 of predictions: 'Jane' \(PER\) is not in the text"):
        evaluate_one(invented, GOLD, TEXT)
    got = evaluate_one(invented, GOLD, TEXT, unmatched="spurious")
    assert (counts(got["strict"]), got["strict"]["dropped"]) == ((1, 0, 0, 2, 1), 0)
    got = evaluate_one(invented, GOLD, TEXT, unmatched="drop")
    assert (counts(got["strict"]), got["strict"]["dropped"]) == ((1, 0, 0, 2, 0), 1)
    assert evaluate_all([invented], [GOLD], [TEXT], unmatched="drop")["type"]["dropped"] == 1
    with pytest.raises(SemevalError, match="document 0 of golden_labels"):
        evaluate_one(GOLD, invented, TEXT, unmatched="spurious")


def test_case_and_white_space():
    got = evaluate_one([("PER", "john  jones")], GOLD[:1], TEXT, fold=True)
    assert counts(got["strict"]) == (1, 0, 0, 0, 0)


def test_verbose(capsys):
    evaluate_all(iter(PRED), iter([GOLD] * 3), iter([TEXT] * 3))
    assert capsys.readouterr().out == ""
    got = evaluate_all(iter(PRED), iter([GOLD] * 3), iter([TEXT] * 3), verbose=True)
    said = capsys.readouterr().out
    assert "Document 3:" in said
    assert "'spurius': 0" in said
    assert got == evaluate_all(PRED, [GOLD] * 3, [TEXT] * 3)


def test_the_input_stays_as_it_is():
    pred, gold = [list(doc) for doc in PRED], [list(GOLD) for _ in PRED]
    evaluate_all(pred, gold, [TEXT] * 3)
    assert (pred, gold) == (PRED, [GOLD] * 3)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (([[]], [[], []], ["a"]), "as many golden_labels as texts, but got 2 and 1"),
        (([[]], [[]], []), "as many golden_labels as texts, but got 1 and 0"),
        (([[], []], [[]], ["a"]), "as many predictions as texts, but got 2 and 1"),
        (("a", [[]], ["a"]), "Expected a list of predictions"),
        (([[]], [[]], "a"), "Expected a list of texts"),
        (([[]], [[]], [None]), "the text of document 0 to be a string, but got None"),
        (([["PER"]], [[]], ["a"]), "entities of a label and a string, but got 'PER'"),
        (([[("PER", 1)]], [[]], ["a"]), r"but got \('PER', 1\) \(document 0 of predictions\)"),
        (([["PER", "a"]], [[]], ["a"]), "entities of a label and a string, but got 'PER'"),
        (([[("", "a")]], [[]], ["a"]), "an entity has no label"),
        (([[("PER", "")]], [[]], ["a"]), "an entity has no string"),
        ((None, [[]], ["a"]), "Expected a list of predictions, but got None"),
    ],
)
def test_bad_arguments(arguments, said):
    with pytest.raises(SemevalError, match=said):
        evaluate_all(*arguments)


def test_unknown_values():
    with pytest.raises(
        SemevalError, match="Unknown value of unmatched: 'skip'. Available: 'error', 'spurious', 'drop'."
    ):
        evaluate_one([], [], "", unmatched="skip")
