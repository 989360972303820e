"""Where gold and pred differ, span by span: what the counts are made of."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .scores import Settings
from .scoring import Kept
from .spans import SpanTable

Named = tuple[int, int, str]


@dataclass(frozen=True, slots=True)
class Difference:
    """A pair that is not the same span twice, a missed gold span or a spurious pred span.

    gold (Named | None): Start, end and label of the gold span; None if the pred span is spurious.
    pred (Named | None): Start, end and label of the pred span; None if the gold span was missed.
    """

    gold: Named | None
    pred: Named | None


def find_differences(gold: SpanTable, pred: SpanTable, settings: Settings) -> dict[int, list[Difference]]:
    """Find what is not correct under the strict schema, with the alignment that is scored.

    gold (SpanTable): The reference spans.
    pred (SpanTable): The spans that are scored, of the same documents.
    settings (Settings): What decides the alignment, and which labels are scored.
    RETURNS (dict[int, list[Difference]]): For each document that has any, its differences from left to right.
    """
    kept = Kept.choose(gold, pred, settings)
    lone_gold, lone_pred = kept.gold.copy(), kept.pred.copy()
    lone_gold[kept.gold_index] = False
    lone_pred[kept.pred_index] = False
    found: dict[int, list[Difference]] = {}
    for i, j in zip(kept.gold_index.tolist(), kept.pred_index.tolist()):
        pair = Difference(_named(gold, i), _named(pred, j))
        if pair.gold != pair.pred:
            found.setdefault(int(gold.doc[i]), []).append(pair)
    for i in np.flatnonzero(lone_gold).tolist():
        found.setdefault(int(gold.doc[i]), []).append(Difference(_named(gold, i), None))
    for j in np.flatnonzero(lone_pred).tolist():
        found.setdefault(int(pred.doc[j]), []).append(Difference(None, _named(pred, j)))
    return {doc: sorted(found[doc], key=_place) for doc in sorted(found)}


def _named(table: SpanTable, index: int) -> Named:
    return int(table.start[index]), int(table.end[index]), table.labels[table.label[index]]


def _place(difference: Difference) -> Named:
    return difference.gold or difference.pred or (0, 0, "")
