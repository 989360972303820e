import pytest

from spacy_semeval import SemevalError, score_tags

GOLD = [["O", "B-PER", "I-PER", "O"], ["B-LOC", "O"]]


def counts(scores, schema):
    cell = scores.overall[schema]
    return cell.cor, cell.inc, cell.par, cell.mis, cell.spu


def test_counts():
    scores = score_tags(GOLD, [["O", "B-PER", "O", "O"], ["B-LOC", "O"]])
    assert counts(scores, "strict") == (1, 1, 0, 0, 0)
    assert counts(scores, "partial") == (1, 0, 1, 0, 0)
    assert scores.documents["scored"] == 2


def test_each_side_has_a_scheme():
    assert counts(score_tags(GOLD, [["O", "B-PER", "L-PER", "O"], ["U-LOC", "O"]]), "strict") == (2, 0, 0, 0, 0)
    with pytest.raises(SemevalError, match="pred, sequence 2, tag 1: U-LOC is no tag of the scheme IOB2"):
        score_tags(GOLD, [["O"] * 4, ["U-LOC", "O"]], "BIO")


@pytest.mark.parametrize(
    ("gold", "pred", "said"),
    [
        (GOLD, GOLD[:1], "2 in gold and 1 in pred"),
        (GOLD, [GOLD[0], ["O"]], "2 in gold and 1 in pred in sequence 2"),
        (GOLD, ["O", "B-PER"], "Expected sequence 1 of pred to hold tags, but got 'O'"),
        ("O", GOLD, "Expected gold to be sequences of tags"),
        (None, GOLD, "Expected gold to be sequences of tags"),
        (GOLD, [GOLD[0], [1, 2]], "Expected sequence 2 of pred to hold tags"),
    ],
)
def test_bad_input(gold, pred, said):
    with pytest.raises(SemevalError, match=said):
        score_tags(gold, pred)


def test_settings():
    assert score_tags(GOLD, GOLD, labels=["PER"]).overall["strict"].cor == 1


def test_tags_have_no_inclusive_ends():
    with pytest.raises(SemevalError, match="end_inclusive is for score_spans"):
        score_tags([["B-A"]], [["B-A"]], end_inclusive=True)
