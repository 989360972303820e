"""Agreement on spans: the F1 of every two annotators, under rules for what is found by both.

F1 = 2 TP / (|A| + |B|), with TP and the numbers of spans added up over the documents that both saw (Hripcsak and
Rothschild 2005). What is kept are these numbers for each document, so that any selection of documents is a sum.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
import numpy.typing as npt

from ..engine.align import Alignment, Edges, TooManyOverlapsError, find_overlaps, pair_best
from ..engine.schemas import COR, PAR, SCHEMAS, Mask, Pairs, outcomes
from ..engine.spans import IntArray, SpanTable
from ..errors import SemevalError, SettingsError

Floats = npt.NDArray[np.float64]

RATIOS = ("iou", "dice", "min", "max")
MATCHES = ("overlap", "overlap_typed", "iou", "iou_typed")
RULES = (*SCHEMAS, *MATCHES)


@dataclass(frozen=True)
class Threshold:
    """How much two spans must share for the rules iou and iou_typed.

    ratio (str): What the shared characters are divided by: "iou" the union, "dice" the mean length, "min" the longer
        span, so that it is the smaller share of the two, "max" the shorter one.
    least (float): The least value of it, above 0 and up to 1.
    """

    ratio: str = "iou"
    least: float = 0.5

    def __post_init__(self) -> None:
        if self.ratio not in RATIOS:
            raise SettingsError(f"Expected the ratio to be one of {', '.join(RATIOS)}, but got {self.ratio!r}.")
        if isinstance(self.least, bool) or not isinstance(self.least, (int, float)) or not 0 < self.least <= 1:
            raise SettingsError(f"Expected the threshold to be a number above 0, up to 1, but got {self.least!r}.")

    def is_met(self, edges: Edges) -> Mask:
        """RETURNS (Mask): Whether the spans of each edge share enough, shape (n,)."""
        axis = edges.axis
        a = axis.gold_end[edges.gold] - axis.gold_start[edges.gold]
        b = axis.pred_end[edges.pred] - axis.pred_start[edges.pred]
        by = {"iou": a + b - edges.shared, "dice": (a + b) / 2, "min": np.maximum(a, b), "max": np.minimum(a, b)}
        return edges.shared / by[self.ratio] >= self.least


@dataclass(frozen=True, eq=False)
class PairCounts:
    """What two annotators found alike, in the documents that both saw.

    annotators (tuple[str, str]): Their names, sorted.
    shared (Mask): Whether both saw each document, shape (n_docs,).
    found (dict[str, Floats]): By rule 2 TP of each document, shape (n_docs,): how many spans of both are matched. A
        pair that is partial counts half.
    spans (IntArray): |A| + |B| of each document, shape (n_docs,).
    label_found (dict[str, Floats]): By rule how many spans with each label are matched, shape (n_labels,).
    label_spans (IntArray): How many spans with each label there are, shape (n_labels,).
    differences (IntArray): For each document the number of pairs that are not the same span twice, and of spans without
        a partner, shape (n_docs,).
    labels_met (dict[tuple[int, int], int]): How many aligned pairs have these labels, and how many spans of a label
        have no partner: the smaller index first, -1 for none.
    """

    annotators: tuple[str, str]
    shared: Mask
    found: dict[str, Floats]
    spans: IntArray
    label_found: dict[str, Floats]
    label_spans: IntArray
    differences: IntArray
    labels_met: dict[tuple[int, int], int]


def count_pair(
    annotators: tuple[str, str], a: SpanTable, b: SpanTable, shared: Mask, threshold: Threshold
) -> PairCounts:
    """Count what two annotators found alike.

    annotators (tuple[str, str]): Their names, sorted, so that ties fall the same way whatever the order of the input.
    a, b (SpanTable): The spans of each, with the same labels.
    shared (Mask): Whether both saw each document, shape (n_docs,).
    threshold (Threshold): When spans match under the rules iou and iou_typed.
    RETURNS (PairCounts): The counts of each document.
    """
    a, b = a.take(shared[a.doc]), b.take(shared[b.doc])
    edges = find_overlaps(a, b)
    pairs = pair_best(edges)
    matched = Pairs.take(a, b, *pairs)
    found, label_found = {}, {}
    for schema in SCHEMAS:
        outcome = outcomes(schema, matched)
        credit = np.where(outcome == COR, 1.0, np.where(outcome == PAR, 0.5, 0.0))
        found[schema], label_found[schema] = _sum(a, b, pairs, credit)
    for rule, allowed in _matches(edges, threshold).items():
        chosen = pair_best(allowed)
        found[rule], label_found[rule] = _sum(a, b, chosen, np.ones(len(chosen[0])))
    spans = np.bincount(a.doc, minlength=a.n_docs) + np.bincount(b.doc, minlength=a.n_docs)
    same = matched.same_boundaries & matched.same_label
    paired = np.bincount(a.doc[pairs[0]], minlength=a.n_docs)
    n_same = np.bincount(a.doc[pairs[0][same]], minlength=a.n_docs)
    return PairCounts(
        annotators,
        shared,
        found,
        spans,
        label_found,
        _per_label(a.label, a) + _per_label(b.label, b),
        spans - paired - n_same,
        _labels_met(a, b, pairs),
    )


def _matches(edges: Edges, threshold: Threshold) -> dict[str, Edges]:
    """Which spans match under the rules that ask for as many matches as there can be, whatever their boundaries."""
    edges = replace(edges, exact=np.zeros(len(edges.gold), dtype=bool))
    near = edges.take(threshold.is_met(edges))
    return {
        "overlap": edges,
        "overlap_typed": edges.take(edges.same_label),
        "iou": near,
        "iou_typed": near.take(near.same_label),
    }


def _sum(a: SpanTable, b: SpanTable, pairs: Alignment, credit: Floats) -> tuple[Floats, Floats]:
    """The credit of the two spans of each pair, for each document and for each span's own label."""
    doc = a.doc[pairs[0]]
    by_label = np.zeros(len(a.labels))
    for table, side in zip((a, b), pairs):
        by_label += np.bincount(table.label[side], weights=credit, minlength=len(a.labels))
    return np.bincount(doc, weights=2 * credit, minlength=a.n_docs).astype(float), by_label


def _per_label(labels: IntArray, table: SpanTable) -> IntArray:
    return np.bincount(labels, minlength=len(table.labels))


NO_LABEL = -1


def _labels_met(a: SpanTable, b: SpanTable, pairs: Alignment) -> dict[tuple[int, int], int]:
    met = np.stack((a.label[pairs[0]], b.label[pairs[1]]))
    lone = [np.delete(table.label, side) for table, side in zip((a, b), pairs)]
    rows = [met, *(np.stack((np.full(len(labels), NO_LABEL), labels)) for labels in lone)]
    both, counts = np.unique(np.sort(np.concatenate(rows, axis=1), axis=0), axis=1, return_counts=True)
    return {(int(low), int(high)): int(n) for low, high, n in zip(*both, counts)}


def count_pairs(
    annotators: Sequence[str], tables: Sequence[SpanTable], seen: Mask, threshold: Threshold
) -> list[PairCounts]:
    """Count what every two annotators found alike.

    annotators (Sequence[str]): Their names, sorted.
    tables (Sequence[SpanTable]): The spans of each annotator.
    seen (Mask): Whether each annotator saw each document, shape (n_annotators, n_docs).
    threshold (Threshold): When spans match under the rules iou and iou_typed.
    RETURNS (list[PairCounts]): The counts of the pairs that saw a document together, in order of the names.
    """
    counts = []
    for i, j in combinations(range(len(annotators)), 2):
        names, shared = (annotators[i], annotators[j]), seen[i] & seen[j]
        if shared.any():
            try:
                counts.append(count_pair(names, tables[i], tables[j], shared, threshold))
            except TooManyOverlapsError as error:
                remedy = "Leave that text out, or compare fewer labels with --label."
                raise SemevalError(f"{names[0]} and {names[1]}: {error} {remedy}") from None
    return counts
