from random import Random

import pytest

from spacy_semeval.engine.ace import AceWeights, ace_value
from spacy_semeval.engine.scores import Settings
from spacy_semeval.engine.spans import make_tables, read_documents
from spacy_semeval.errors import SettingsError


def ace(gold, pred, weights=None, **settings):
    tables = make_tables(read_documents(gold, "gold"), read_documents(pred, "pred"))
    return ace_value(*tables, Settings(**settings), weights or AceWeights())


A, B, SPURIOUS = (0, 4, "A"), (5, 9, "B"), (12, 15, "A")


def test_the_example_of_the_definition():
    found = ace([[A, B]], [[A, (5, 9, "A"), SPURIOUS]], AceWeights({"A": 1.0, "B": 0.5}))
    assert (found.found, found.spurious, found.possible) == (1.25, 0.75, 1.5)
    assert found.value == pytest.approx(1 / 3)


def test_boundaries_cost_nothing():
    assert ace([[A, B]], [[(0, 2, "A"), (5, 11, "B")]]).value == 1.0


def test_it_can_be_negative():
    assert ace([[A]], [[SPURIOUS, (20, 21, "C")]], AceWeights({"C": 2.0})).value == -2.25


def test_weights_of_the_errors():
    weights = AceWeights(default=2.0, wrong_label=1.0, spurious=0.0)
    found = ace([[A, B]], [[A, (5, 9, "A"), SPURIOUS]], weights)
    assert (found.found, found.spurious, found.possible, found.value) == (2.0, 0.0, 4.0, 0.5)


@pytest.mark.parametrize("gold", [[[]], [], [[B]]])
def test_gold_that_is_worth_nothing(gold):
    pred = [[SPURIOUS] for _ in gold]
    assert ace(gold, pred, AceWeights({"B": 0.0})).value is None


def test_some_labels_only():
    """A gold span with another label is worth nothing, and neither is a prediction that was right about it."""
    found = ace([[A, B]], [[A, B]], labels=["A"])
    assert (found.found, found.spurious, found.possible) == (1.0, 0.0, 1.0)


def test_the_order_of_documents_has_no_influence():
    rnd = Random(1)
    weights = AceWeights({"A": 0.1, "B": 0.3, "C": 1e-9})
    pairs = [
        [[(rnd.randrange(9) * 3, 30, rnd.choice("ABC")) for _ in range(4)] for _ in ("gold", "pred")] for _ in range(50)
    ]
    first = ace(*zip(*pairs), weights=weights)
    rnd.shuffle(pairs)
    assert ace(*zip(*pairs), weights=weights) == first


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"labels": {"A": -1}}, "weight of 'A' to be a number of 0 or more, but got -1"),
        ({"default": float("nan")}, "weight default"),
        ({"default": float("inf")}, "weight default"),
        ({"spurious": True}, "weight spurious"),
        ({"spurious": "1"}, "weight spurious"),
        ({"wrong_label": 1.5}, "wrong_label to be 1 at most, but got 1.5"),
    ],
)
def test_weights_are_checked(wrong, said):
    with pytest.raises(SettingsError, match=said):
        AceWeights(**wrong)
