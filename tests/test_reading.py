import numpy as np
import pytest

from spacy_semeval import SemevalError
from spacy_semeval.engine.scores import Settings
from spacy_semeval.errors import SettingsError
from spacy_semeval.linking import make_columns
from spacy_semeval.reading import Reading, make_sides, score_reading


def reading(gold, pred, unknown=(), rejected=()):
    columns = [make_columns([spans]) for spans in (gold, pred, unknown, rejected)]
    return Reading(columns[0], columns[1], np.ones(1, dtype=bool), columns[2], columns[3])


def counts(read, **settings):
    scores = score_reading(read, Settings(**settings))
    cell = scores.overall["strict"]
    return (cell.cor, cell.inc, cell.mis, cell.spu), scores.documents["ignored_pred"]


def test_predictions_on_unknown_text_are_ignored():
    read = reading([(0, 3, "A")], [(0, 3, "A"), (8, 12, "A"), (20, 25, "A")], unknown=[(10, 20, "")])
    assert counts(read) == ((1, 0, 0, 1), 1)


def test_a_rejected_span_is_known_to_be_wrong():
    pred = [(10, 15, "A"), (10, 15, "B"), (10, 16, "A")]
    read = reading([], pred, unknown=[(0, 20, "")], rejected=[(10, 15, "A")])
    assert counts(read) == ((0, 0, 0, 1), 2)
    # that it is no A says nothing of its boundaries
    assert counts(read, boundaries_only=True) == ((0, 0, 0, 0), 2)
    assert counts(reading([], [(10, 15, "B")], [(0, 20, "")], [(10, 15, "A")]), label_map={"A": "B"}) == (
        (0, 0, 0, 1),
        0,
    )


def test_labels_are_renamed_on_both_sides():
    read = reading([(0, 3, "PER"), (5, 8, "ORG")], [(0, 3, "PERSON"), (5, 8, "PERSON")])
    assert counts(read) == ((0, 2, 0, 0), 0)
    assert counts(read, label_map={"PERSON": "PER"}) == ((1, 1, 0, 0), 0)
    sides = make_sides(read, Settings(label_map={"PER": "ORG", "ORG": "PER"}))
    assert [sides.gold.labels[i] for i in sides.gold.label] == ["ORG", "PER"]


def test_spans_that_are_the_same_when_renamed_count_once():
    read = reading([(0, 3, "PER"), (0, 3, "PERSON")], [(0, 3, "PER")])
    scores = score_reading(read, Settings(label_map={"PERSON": "PER"}))
    assert (scores.overall["strict"].pos, scores.documents["duplicate_spans"]) == (1, 1)


def test_labels_that_do_not_occur_are_refused():
    with pytest.raises(SemevalError, match=r"no span has 'X', 'Z'\. Labels: A, B\."):
        make_sides(reading([(0, 1, "A")], [(0, 1, "B")]), Settings(label_map={"X": "A", "A": "B", "Z": "A"}))


def test_boundaries_only():
    assert counts(reading([(0, 3, "A"), (5, 8, "")], [(0, 3, "B"), (5, 9, "")]), boundaries_only=True) == (
        (1, 1, 0, 0),
        0,
    )
    for more in ({"labels": ["A"]}, {"label_map": {"A": "B"}}):
        with pytest.raises(SemevalError, match="only boundaries"):
            Settings(boundaries_only=True, **more)


@pytest.mark.parametrize("label_map", ["A=B", ["A"], {"A": 1}, {"": "B"}, {"A": ""}])
def test_a_label_map_is_a_dict_of_names(label_map):
    with pytest.raises(SemevalError, match="label_map"):
        Settings(label_map=label_map)


def test_a_label_that_is_renamed_cannot_be_chosen():
    for labels in (["PERSON"], ["PER", "PERSON"]):
        with pytest.raises(SettingsError, match="'PERSON' is renamed to 'PER'"):
            Settings(label_map={"PERSON": "PER"}, labels=labels)
    assert Settings(label_map={"A": "B", "B": "A"}, labels=["A"]).new_name("B") == "A"
