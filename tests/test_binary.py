import pytest

from spacy_semeval import SemevalError
from spacy_semeval.binary import merge_answers, score_binary
from spacy_semeval.engine.scores import Settings
from spacy_semeval.formats.base import Record
from spacy_semeval.linking import Annotation, Side, link

SCHEMAS = ("strict", "exact", "partial", "type")


def answer(accepted=(), rejected=(), text="a", line=1, time=None, hash=None):
    return Record(text, tuple(accepted), line, None, (), tuple(rejected), hash, time)


def side(role, records, new_name):
    return Side(role, f"{role.lower()}.jsonl", list(map(Annotation.of, records)), new_name)


def linked(answers, predictions, *policies, new_name=str):
    sides = side("GOLD", answers, new_name), side("PRED", predictions, new_name)
    return link(*sides, *(policies or ("error",)), one_gold_each=merge_answers)


def score(answers, predictions, **settings):
    checked = Settings(**settings)
    return score_binary(linked(answers, predictions, new_name=checked.new_name), checked)


NAMES = ("accepted", "found", "not_found", "rejected", "predicted", "avoided")


def numbers(cell):
    return tuple(cell[name] for name in NAMES)


ANSWERS = [
    answer([(0, 3, "A")]),
    answer([(5, 8, "A")], line=2),
    answer([(10, 13, "B")], line=3),
    answer([], [(5, 8, "B")], line=4),
    answer([], [(20, 25, "C")], line=5),
    answer([], [(0, 3, "B")], "b", 6),
]
PREDICTIONS = [
    answer([(0, 3, "A"), (4, 8, "A"), (10, 13, "C"), (20, 25, "C"), (30, 33, "D")]),
    answer([], text="b", line=2),
]


def test_only_what_answers_define():
    data = score(ANSWERS, PREDICTIONS)
    assert numbers(data["overall"]) == (3, 1, 2, 3, 1, 2)
    assert {label: numbers(cell) for label, cell in data["per_label"].items()} == {
        "A": (2, 1, 1, 0, 0, 0),
        "B": (1, 0, 1, 2, 0, 2),
        "C": (0, 0, 0, 1, 1, 0),
    }
    assert {schema: tuple(cell.values()) for schema, cell in data["overall"]["schemas"].items()} == {
        "strict": (1, 2, 0, 0, 3, 1 / 3),
        "exact": (2, 1, 0, 0, 3, 2 / 3),
        "partial": (2, 0, 1, 0, 3, 2.5 / 3),
        "type": (2, 1, 0, 0, 3, 2 / 3),
    }
    assert set(data["overall"]["schemas"]["strict"]) == {"cor", "inc", "par", "mis", "pos", "r"}
    assert (data["kind"], data["semantics"], data["documents"]["scored"]) == ("binary", "1.0", 2)


def test_some_labels():
    data = score(ANSWERS, PREDICTIONS, labels=["B", "X"])
    assert numbers(data["overall"]) == (1, 0, 1, 2, 0, 2)
    assert {label: numbers(cell) for label, cell in data["per_label"].items()} == {
        "B": (1, 0, 1, 2, 0, 2),
        "X": (0, 0, 0, 0, 0, 0),
    }


def test_labels_of_answers_are_renamed_too():
    data = score(ANSWERS, PREDICTIONS, label_map={"C": "B", "D": "A"})
    assert numbers(data["overall"]) == (3, 2, 1, 3, 1, 2)
    # accepted as A and rejected as what becomes A
    contrary = [ANSWERS[0], answer([], [(0, 3, "B")], line=2)]
    assert numbers(score(contrary, PREDICTIONS[:1])["overall"]) == (1, 1, 0, 1, 0, 1)
    with pytest.raises(SemevalError, match="lines 1, 2\n"):
        score(contrary, PREDICTIONS[:1], label_map={"B": "A"})


def test_what_was_never_predicted_counts_as_not_found_and_not_as_avoided():
    found = linked(ANSWERS, PREDICTIONS[1:], "count")
    assert numbers(score_binary(found, Settings())["overall"]) == (3, 0, 3, 1, 0, 1)


def test_equal_answers_count_once():
    found = linked([ANSWERS[0], ANSWERS[0], ANSWERS[3], ANSWERS[3]], PREDICTIONS[:1])
    assert (found.documents["duplicate_records"], numbers(score_binary(found, Settings())["overall"])) == (
        2,
        (1, 1, 0, 1, 0, 1),
    )


CONTRARY = [answer([(0, 3, "A")], line=1, time=9), answer([], [(0, 3, "A")], line=2, time=8), ANSWERS[1]]


def test_contrary_answers_are_refused():
    with pytest.raises(SemevalError, match="lines 1, 2\n"):
        linked(CONTRARY, PREDICTIONS[:1])


@pytest.mark.parametrize(("policy", "found"), [("first", (1, 0, 1, 1, 1, 0)), ("last", (2, 1, 1, 0, 0, 0))])
def test_one_of_contrary_answers(policy, found):
    result = linked(CONTRARY, PREDICTIONS[:1], "error", policy)
    assert numbers(score_binary(result, Settings())["overall"]) == found
    assert result.documents["duplicate_records"] == 1


def test_another_text_under_one_hash():
    answers = [answer([(0, 3, "A")], hash=1), answer([(0, 4, "A")], text="b", line=2, hash=1)]
    with pytest.raises(SemevalError, match="lines 1, 2\n"):
        linked(answers, [answer(hash=1)])
    result = linked(answers, [answer(text="b", hash=1)], "error", "last")
    assert [annotation.spans for annotation in result.gold] == [((0, 4, "A"),)]
