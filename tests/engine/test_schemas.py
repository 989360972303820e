import numpy as np
import pytest

from spacy_semeval import SemevalError, registry, score_spans
from spacy_semeval.engine.schemas import COR, INC, in_order

GOLD = [[(0, 4, "A")], [(0, 4, "A")], [(0, 4, "A")], [(0, 4, "A")]]
PRED = [[(0, 4, "A")], [(0, 4, "B")], [(0, 5, "A")], [(0, 5, "B")]]


@pytest.mark.parametrize(
    ("schema", "want"),
    [
        ("strict", ["cor", "inc", "inc", "inc"]),
        ("exact", ["cor", "cor", "inc", "inc"]),
        ("partial", ["cor", "cor", "par", "par"]),
        ("type", ["cor", "inc", "cor", "inc"]),
    ],
)
def test_table_of_outcomes(schema, want):
    """Same boundaries and label; boundaries alone; label alone; neither."""
    for gold, pred, outcome in zip(GOLD, PRED, want):
        cell = score_spans([gold], [pred]).overall[schema]
        assert {"cor": cell.cor, "inc": cell.inc, "par": cell.par} == {**dict(cor=0, inc=0, par=0), outcome: 1}
        assert (cell.mis, cell.spu) == (0, 0)


def test_another_package_can_add_a_schema():
    def iou_half(pairs):
        union = np.maximum(pairs.gold_end, pairs.pred_end) - np.minimum(pairs.gold_start, pairs.pred_start)
        return np.where(2 * pairs.shared >= union, COR, INC)

    registry.schemas.register("iou_half", func=iou_half)
    gold = [[(0, 10, "A"), (20, 30, "A"), (40, 50, "A")]]
    pred = [[(0, 5, "B"), (20, 24, "A"), (40, 50, "A")]]
    scores = score_spans(gold, pred, schemas=["iou_half", "strict"])
    assert list(scores.overall) == ["strict", "iou_half"]
    cell = scores.overall["iou_half"]
    assert (cell.cor, cell.inc, cell.par, cell.mis, cell.spu) == (2, 1, 0, 0, 0)
    assert cell.f == pytest.approx(2 / 3)
    assert (scores.per_label["A"]["iou_half"].cor, scores.per_label["B"]["iou_half"].pred_cor) == (2, 1)


@pytest.mark.parametrize(
    "returned",
    [[0], [0, 1, 2, 7], [-1, 0, 0, 0], [0.5] * 4, ["COR"] * 4, None, 3, {}, [[0], [0, 1]]],
    ids=["short", "7", "-1", "float", "str", "None", "scalar", "dict", "ragged"],
)
def test_what_a_registered_schema_returns_is_checked(returned):
    registry.schemas.register("bad", func=lambda pairs: returned)
    with pytest.raises(SemevalError, match="schema 'bad'"):
        score_spans(GOLD, PRED, schemas=["bad"])


def test_order_of_schemas():
    assert in_order(["own", "type", "strict", "own", "exact"]) == ("strict", "exact", "type", "own")
