"""The alignment of gold and pred spans that every schema shares: an optimum over each document.

docs/semantics.md says which one-to-one pairing is the best one. Spans are compared on one axis that has all documents
end to end, so that a handful of searches finds every overlap of a corpus. What can be decided for all spans at once is:
equal spans first, then spans that have one partner to choose, or partners that have no other choice. The few groups
that are left are solved one by one.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import Any

import numpy as np
import numpy.typing as npt

from .. import registry
from ..errors import SemevalError
from .schemas import Mask
from .spans import IntArray, SpanTable

Alignment = tuple[IntArray, IntArray]

# Groups with more edges than this are worth the import of scipy.
FEW_EDGES = 200
# Whole numbers below this stay exact in floating point, their sums and differences along a path of changes included.
EXACT_FLOAT = 2**50
# Overlaps that are listed, and as many more for each span. To align a million of them takes half a gigabyte.
MANY_OVERLAPS = 2_000_000
OVERLAPS_EACH = 20


class TooManyOverlapsError(SemevalError):
    """Raised instead of filling the memory, where thousands of spans of one text all reach into each other."""


@dataclass(frozen=True, eq=False)
class Axis:
    """The gold and pred spans of all documents on one axis, as columns of starts and exclusive ends."""

    gold_start: IntArray
    gold_end: IntArray
    pred_start: IntArray
    pred_end: IntArray

    @classmethod
    def of(cls, gold: SpanTable, pred: SpanTable) -> Axis:
        width = np.zeros(gold.n_docs, dtype=np.int64)
        for side in (gold, pred):
            np.maximum.at(width, side.doc, side.end)
        base = np.cumsum(width) - width
        gold_base, pred_base = base[gold.doc], base[pred.doc]
        return cls(gold.start + gold_base, gold.end + gold_base, pred.start + pred_base, pred.end + pred_base)


@dataclass(frozen=True, eq=False)
class Edges:
    """Pairs of spans that overlap, as columns of shape (n,)."""

    axis: Axis
    gold: IntArray
    pred: IntArray
    exact: Mask
    same_label: Mask
    shared: IntArray

    def take(self, chosen: Mask) -> Edges:
        gold, pred, shared = self.gold[chosen], self.pred[chosen], self.shared[chosen]
        return Edges(self.axis, gold, pred, self.exact[chosen], self.same_label[chosen], shared)

    def without(self, gold: IntArray, pred: IntArray) -> Edges:
        """Leave out the edges of these spans."""
        if not len(gold):
            return self
        taken_gold = np.zeros(len(self.axis.gold_start), dtype=bool)
        taken_pred = np.zeros(len(self.axis.pred_start), dtype=bool)
        taken_gold[gold] = True
        taken_pred[pred] = True
        return self.take(~(taken_gold[self.gold] | taken_pred[self.pred]))


# registry: optimal.v1
def optimal(gold: SpanTable, pred: SpanTable, min_overlap: float = 0.0) -> Alignment:
    """Align by the optimum of section 3 of docs/semantics.md.

    gold (SpanTable): The reference spans.
    pred (SpanTable): The spans that are scored, of the same documents and with the same labels.
    min_overlap (float): Share of the gold span, 0 to 1, that the pair must share at least.
    RETURNS (Alignment): Indices into gold and pred of the paired spans, each of shape (n,), each index at most once.
    RAISES (TooManyOverlapsError): If thousands of spans of one text all reach into each other, those aside that are
        the same on both sides.
    """
    try:
        edges = find_overlaps(gold, pred, min_overlap)
    except TooManyOverlapsError:
        same_gold, same_pred = _find_same(gold, pred)
        if not len(same_gold):
            raise
        return _align_others(gold, pred, same_gold, same_pred, min_overlap)
    return pair_best(edges)


def pair_best(edges: Edges) -> Alignment:
    """Choose the best one-to-one pairing of spans that may be paired.

    edges (Edges): The pairs that there may be. Where none of them is marked as exact, the number of pairs comes first.
    RETURNS (Alignment): Indices into gold and pred of the paired spans, each of shape (n,), each index at most once.
    """
    chosen = []

    def settle(edges: Edges, picked: Mask) -> Edges:
        gold, pred = edges.gold[picked], edges.pred[picked]
        chosen.append((gold, pred))
        return edges.without(gold, pred)

    edges = settle(edges, edges.exact & edges.same_label)
    edges = settle(edges, _is_only_exact_choice(edges))
    edges = settle(edges, _best_of_star(edges, edges.gold, edges.pred))
    edges = settle(edges, _best_of_star(edges, edges.pred, edges.gold))
    chosen.append(_solve_groups(edges))
    gold_index, pred_index = (np.concatenate(side) for side in zip(*chosen))
    return gold_index, pred_index


def _find_same(gold: SpanTable, pred: SpanTable) -> Alignment:
    """The gold and pred spans with the same document, boundaries and label, found without a list of overlaps."""
    doc, start, end, label = (
        np.concatenate((getattr(gold, name), getattr(pred, name))) for name in ("doc", "start", "end", "label")
    )
    order = np.lexsort((label, end, start, doc))  # stable: of two that are the same, gold comes first
    same = np.ones(max(len(order) - 1, 0), dtype=bool)
    for column in (doc, start, end, label):
        same &= column[order][1:] == column[order][:-1]
    first = np.flatnonzero(same)
    return order[first], order[first + 1] - len(gold)


def _align_others(
    gold: SpanTable, pred: SpanTable, same_gold: IntArray, same_pred: IntArray, min_overlap: float
) -> Alignment:
    """Pair the same spans, which every optimum does, and then the others."""
    other_gold, other_pred = np.ones(len(gold), dtype=bool), np.ones(len(pred), dtype=bool)
    other_gold[same_gold], other_pred[same_pred] = False, False
    gold_index, pred_index = optimal(gold.take(other_gold), pred.take(other_pred), min_overlap)
    others = np.flatnonzero(other_gold)[gold_index], np.flatnonzero(other_pred)[pred_index]
    return np.concatenate((same_gold, others[0])), np.concatenate((same_pred, others[1]))


def find_overlaps(gold: SpanTable, pred: SpanTable, min_overlap: float = 0.0) -> Edges:
    """Find every gold and pred span that may be paired.

    gold (SpanTable): The reference spans.
    pred (SpanTable): The spans that are scored.
    min_overlap (float): Share of the gold span, 0 to 1, that the pair must share at least.
    RETURNS (Edges): The pairs that share a character and enough of the gold span.
    RAISES (TooManyOverlapsError): If there are far more overlaps than spans.
    """
    axis = Axis.of(gold, pred)
    g, p = _one_run_each(axis) if (np.diff(axis.pred_end) >= 0).all() else _by_starts(axis)
    g_start, g_end, p_start, p_end = axis.gold_start[g], axis.gold_end[g], axis.pred_start[p], axis.pred_end[p]
    shared = np.minimum(g_end, p_end) - np.maximum(g_start, p_start)
    exact = (g_start == p_start) & (g_end == p_end)
    edges = Edges(axis, g, p, exact, gold.label[g] == pred.label[p], shared)
    if min_overlap > 0:
        # Divided, not multiplied: 55 of 100 characters are at least 0.55, but 0.55 * 100 is above 55 in floating point.
        edges = edges.take(shared / (g_end - g_start) >= min_overlap)
    return edges


def _one_run_each(axis: Axis) -> Alignment:
    """The overlapping pairs where pred ends rise as their starts do: then those of a gold span stand in a row."""
    first = np.searchsorted(axis.pred_end, axis.gold_start, "right")
    return _expand(first, np.searchsorted(axis.pred_start, axis.gold_end, "left"))


def _by_starts(axis: Axis) -> Alignment:
    """The overlapping pairs of any spans. One of the two starts inside the other: the pred span in the gold one, or
    the gold span in the pred one and behind its start."""
    first = np.searchsorted(axis.pred_start, axis.gold_start, "left")
    outer_gold, inner_pred = _expand(first, np.searchsorted(axis.pred_start, axis.gold_end, "left"))
    first = np.searchsorted(axis.gold_start, axis.pred_start, "right")
    outer_pred, inner_gold = _expand(first, np.searchsorted(axis.gold_start, axis.pred_end, "left"))
    return np.concatenate((outer_gold, inner_gold)), np.concatenate((inner_pred, outer_pred))


def _expand(first: IntArray, last: IntArray) -> Alignment:
    """List (i, j) for each i and each j from first[i] up to last[i]."""
    counts = last - first
    total, most = int(counts.sum()), MANY_OVERLAPS + OVERLAPS_EACH * len(counts)
    if total > most:
        raise TooManyOverlapsError(
            f"{total} pairs of spans of the two sides overlap, more than can be aligned ({most}): thousands of spans "
            "of one text all reach into each other."
        )
    outer = np.repeat(np.arange(len(counts)), counts)
    inner = np.arange(len(outer)) - np.repeat(np.cumsum(counts) - counts - first, counts)
    return outer, inner


def _is_only_exact_choice(edges: Edges) -> Mask:
    """Edges between the only gold and the only pred span that are left with the same boundaries.

    Every optimum has as many of these pairs as can be, so it has each of them.
    """
    exact = edges.exact
    if not exact.any():
        return exact
    gold, pred = edges.gold[exact], edges.pred[exact]
    alone = exact.copy()
    alone[exact] = (np.bincount(gold)[gold] == 1) & (np.bincount(pred)[pred] == 1)
    return alone


def _best_of_star(edges: Edges, centre: IntArray, leaf: IntArray) -> Mask:
    """The best edge of each span whose partners have no other choice."""
    picked = np.zeros(len(centre), dtype=bool)
    if not len(centre):
        return picked
    busy_leaf = np.bincount(leaf)[leaf] > 1
    star = np.flatnonzero(np.bincount(centre, weights=busy_leaf)[centre] == 0)
    keys = (leaf[star], -edges.shared[star], ~edges.same_label[star], ~edges.exact[star], centre[star])
    star = star[np.lexsort(keys)]
    picked[star[np.flatnonzero(np.diff(centre[star], prepend=-1))]] = True
    return picked


def _solve_groups(edges: Edges) -> Alignment:
    """Solve what is left, one group of spans that reach into each other at a time."""
    start = np.minimum(edges.axis.gold_start[edges.gold], edges.axis.pred_start[edges.pred])
    end = np.maximum(edges.axis.gold_end[edges.gold], edges.axis.pred_end[edges.pred])
    order = np.argsort(start, kind="stable")
    reach = np.maximum.accumulate(end[order])
    cuts = np.flatnonzero(start[order][1:] >= reach[:-1]) + 1
    groups = np.split(order, cuts) if len(order) else []
    pairs = [pair for group in groups for pair in _solve_group(edges, group)]
    gold_index, pred_index = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    return gold_index, pred_index


def _solve_group(edges: Edges, group: IntArray) -> list[tuple[int, int]]:
    """The best pairing of a group, as (gold, pred) indices."""
    golds, rows = np.unique(edges.gold[group], return_inverse=True)
    preds, columns = np.unique(edges.pred[group], return_inverse=True)
    solve = _heaviest_matching
    most = min(len(golds), len(preds))
    weights = _weigh(edges, group, most, leftmost=True)
    if len(group) > FEW_EDGES:
        if max(weights) >= EXACT_FLOAT:
            weights = _weigh(edges, group, most, leftmost=False)
        if max(weights) < EXACT_FLOAT:
            solve = _heaviest_matching_of_many
    return [(int(golds[row]), int(preds[column])) for row, column in solve(rows.tolist(), columns.tolist(), weights)]


def _weigh(edges: Edges, group: IntArray, most: int, leftmost: bool) -> list[int]:
    """Give each edge of a group a weight, so that the heaviest pairing is the best one. It has `most` pairs at most.

    Each level of the order weighs more than all pairs together can weigh on the levels below. Python's integers, so
    that no weight is ever rounded.
    """
    shared = edges.shared[group].tolist()
    place = edges.gold[group] + edges.pred[group]
    places = (place.max() - place).tolist() if leftmost else [0] * len(shared)
    shared_unit = 1 + most * max(places)
    label_unit = shared_unit * (1 + most * max(shared))
    pair_unit = label_unit * (1 + most)
    exact_unit = pair_unit * (1 + most)
    levels = zip(edges.exact[group].tolist(), edges.same_label[group].tolist(), shared, places)
    return [e * exact_unit + pair_unit + s * label_unit + n * shared_unit + left for e, s, n, left in levels]


def _heaviest_matching_of_many(rows: list[int], columns: list[int], weights: list[int]) -> list[tuple[int, int]]:
    """Do as `_heaviest_matching`, in compiled code, with weights that floating point holds exactly."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import min_weight_full_bipartite_matching

    n_rows, n_columns, above_all = 1 + max(rows), 1 + max(columns), 1 + max(weights)
    # It asks for costs above 0 and a column for every row: those on the right are for rows that stay alone.
    alone = list(range(n_rows))
    costs = [above_all - weight for weight in weights] + [above_all] * n_rows
    places = (rows + alone, columns + [n_columns + row for row in alone])
    table = csr_array((np.array(costs, dtype=float), places), shape=(n_rows, n_columns + n_rows))
    matched = zip(*(side.tolist() for side in min_weight_full_bipartite_matching(table)))
    return [(row, column) for row, column in matched if column < n_columns]


def _heaviest_matching(rows: list[int], columns: list[int], weights: list[int]) -> list[tuple[int, int]]:
    """Find the one-to-one matching with the largest sum of weights.

    rows (list[int]): The row of each edge, from 0.
    columns (list[int]): The column of each edge, from 0.
    weights (list[int]): The weight of each edge, above 0.
    RETURNS (list[tuple[int, int]]): The matched rows and columns.
    """
    # A row may also stay alone, at no weight: that is a column of its own, numbered below 0.
    costs: list[dict[int, int]] = [{-1 - row: 0} for row in range(1 + max(rows))]
    for row, column, weight in zip(rows, columns, weights):
        costs[row][column] = -weight
    matching = _Matching(costs)
    for row in range(len(costs)):
        matching.add(row)
    return [(row, column) for row, column in enumerate(matching.column_of) if column >= 0]


class _Matching:
    """The Hungarian method, row by row, each along the cheapest path of changes that gives it a column."""

    def __init__(self, costs: list[dict[int, int]]) -> None:
        self.costs = costs
        self.column_of: list[int] = []
        self.owner: dict[int, int] = {}
        self.row_price: list[int] = []
        self.column_price: defaultdict[int, int] = defaultdict(int)

    def add(self, row: int) -> None:
        self.row_price.append(min(cost - self.column_price[column] for column, cost in self.costs[row].items()))
        self.column_of.append(0)
        column, came_from = self._search(row)
        while True:
            giver = came_from[column]
            freed = self.column_of[giver]
            self.owner[column], self.column_of[giver] = giver, column
            if giver == row:
                break
            column = freed

    def _search(self, new_row: int) -> tuple[int, dict[int, int]]:
        """Find the nearest free column (Dijkstra) and move the prices so that the path to it costs nothing."""
        distance: dict[int, int] = {}
        came_from: dict[int, int] = {}
        settled: dict[int, int] = {}
        heap: list[tuple[int, int]] = []
        row, walked = new_row, 0
        while True:
            for column, cost in self.costs[row].items():
                length = walked + cost - self.row_price[row] - self.column_price[column]
                if column not in settled and (column not in distance or length < distance[column]):
                    distance[column], came_from[column] = length, row
                    heappush(heap, (length, column))
            while heap[0][1] in settled:
                heappop(heap)
            walked, column = heappop(heap)
            if column not in self.owner:
                break
            settled[column] = walked
            row = self.owner[column]
        self.row_price[new_row] += walked
        for reached, length in settled.items():
            self.row_price[self.owner[reached]] += walked - length
            self.column_price[reached] += length - walked
        return column, came_from


def align(name: str, gold: SpanTable, pred: SpanTable, min_overlap: float) -> Alignment:
    """Apply a registered aligner and check what it returned.

    name (str): Name of the aligner.
    gold (SpanTable): The reference spans.
    pred (SpanTable): The spans that are scored.
    min_overlap (float): Share of the gold span, 0 to 1, that a pair must share at least.
    RETURNS (Alignment): Indices into gold and pred of the paired spans, each of shape (n,).
    RAISES (SemevalError): If there is no such aligner or it returns something else.
    """
    found = registry.find(registry.aligners, "aligner", name)(gold, pred, min_overlap)
    try:
        sides = [np.asarray(side) for side in found]
    except (TypeError, ValueError):
        sides = []
    if not _is_one_to_one(sides, gold, pred):
        raise SemevalError(
            f"Expected aligner {name!r} to return two arrays of equal length, with indices of spans of the same "
            f"document and each index at most once, but got {found!r:.200}."
        )
    gold_index, pred_index = (side.astype(np.int64, copy=False) for side in sides)
    return gold_index, pred_index


def _is_one_to_one(sides: list[npt.NDArray[Any]], gold: SpanTable, pred: SpanTable) -> bool:
    if [side.ndim for side in sides] != [1, 1] or len(sides[0]) != len(sides[1]):
        return False
    if not len(sides[0]):
        return True
    for side, table in zip(sides, (gold, pred)):
        if side.dtype.kind not in "iu" or side.min() < 0 or side.max() >= len(table) or np.bincount(side).max() > 1:
            return False
    return bool((gold.doc[sides[0]] == pred.doc[sides[1]]).all())
