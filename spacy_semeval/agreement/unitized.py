"""Krippendorff's unitized alpha of 2016: agreement on labelled text, over characters, for any number of texts.

A segment is a span or a gap between spans. What the family is made of are coincidences: l[c, k] is the length of text
that one annotator valued c and another one k, and the expected coincidences e[c, k] follow from their sums and from the
lengths of the segments. docs/agreement.md has the formulas. For more than two annotators the paper's term for a label's
pairs with itself has two readings; this is the one that takes each pair of annotators by itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ..engine.spans import IntArray, SpanTable, read_documents, tabulate
from ..errors import SemevalError
from .summary import quotient

Floats = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]

GAP = 0  # the value of a gap; that of label i is i + 1


@dataclass(frozen=True)
class LabelAlpha:
    """(k)u-alpha of a label: agreement on it where two annotators both marked text.

    ku (float | None): The coefficient; None where such text has one label only, or there is none of this label.
    coverage (float | None): The share of the label's text that the other annotator marked, whatever the label.
    """

    ku: float | None
    coverage: float | None


@dataclass(frozen=True)
class Unitized:
    """The family of 2016.

    u (float | None): u-alpha: labels and boundaries. None if all text has one value.
    bar_u (float | None): |u-alpha: marked or not, whatever the label. None if all text is marked, or none.
    cu (float | None): cu-alpha: labels, where two annotators both marked text. None if that text has one label only.
    cu_coverage (float | None): The share of the text that cu-alpha is about. None without text.
    per_label (dict[str, LabelAlpha]): The same for each label, sorted.
    """

    u: float | None
    bar_u: float | None
    cu: float | None
    cu_coverage: float | None
    per_label: dict[str, LabelAlpha]


@dataclass(frozen=True, eq=False)
class Coincidences:
    """Sums over documents, from which the family follows. Index 0 is a gap, index i + 1 is label i.

    labels (tuple[str, ...]): The labels.
    observed (Floats): l, shape (n_values, n_values).
    self_pairs (Floats): Q: summed lengths of gaps, and summed squares of the lengths of units, shape (n_values,).
    marked_self_pairs (Floats): Q*: the same for the text that two annotators both marked, shape (n_values,).
    """

    labels: tuple[str, ...]
    observed: Floats
    self_pairs: Floats
    marked_self_pairs: Floats

    def __add__(self, other: Coincidences) -> Coincidences:
        """Those of two corpora with the same labels."""
        return Coincidences(
            self.labels,
            self.observed + other.observed,
            self.self_pairs + other.self_pairs,
            self.marked_self_pairs + other.marked_self_pairs,
        )

    @property
    def expected(self) -> Floats:
        """e, of the same shape as l and with the same sum."""
        return _expected(self.observed, self.self_pairs)

    def unitized(self) -> Unitized:
        """RETURNS (Unitized): The coefficients."""
        observed, expected = self.observed, self.expected
        marked = observed[1:, 1:]
        by_chance = _expected(marked, self.marked_self_pairs[1:])
        return Unitized(
            u=_one_minus(_different(observed).sum(), _different(expected).sum()),
            bar_u=_one_minus(observed[GAP, 1:].sum(), expected[GAP, 1:].sum()),
            cu=_one_minus(_different(marked).sum(), _different(by_chance).sum()),
            cu_coverage=quotient(marked.sum(), observed.sum()),
            per_label=dict(zip(self.labels, self._per_label(marked, by_chance))),
        )

    def _per_label(self, marked: Floats, by_chance: Floats) -> list[LabelAlpha]:
        seen, expected = marked.sum(axis=1), by_chance.sum(axis=1)
        seen_other, expected_other = _different(marked).sum(axis=1), _different(by_chance).sum(axis=1)
        return [
            LabelAlpha(
                _one_minus(expected[k] * seen_other[k], seen[k] * expected_other[k]),
                quotient(seen[k], self.observed[k + 1].sum()),
            )
            for k in range(len(self.labels))
        ]


def unitized_alpha(documents: Sequence[Mapping[str, Iterable[Any]]], lengths: Sequence[int]) -> Unitized:
    """Krippendorff's unitized alpha, the family of 2016: u-alpha, |u-alpha, cu-alpha and (k)u-alpha (Krippendorff,
    Mathet, Bouvry and Widloecher, Quality & Quantity 50:2347; Content Analysis, 4th edition, 12.6).

    u-alpha = 1 - (sum of l[c, k], c other than k) / (the same of e[c, k]), over the values c, k of characters: a label,
    or none. It measures labelled text, not units: one span and the same text as two spans with its label agree fully.
    This is not the coefficient of `alpha_u_2004`.

    documents (Sequence[Mapping[str, Iterable[Any]]]): For each text the spans of those who saw it, in the forms that
        `score_spans` takes. Texts that fewer than two saw do not count. Spans of one annotator must not overlap.
    lengths (Sequence[int]): The length of each text, in the unit of the spans.
    RETURNS (Unitized): The coefficients; None where they are not defined.
    RAISES (SemevalError): If spans of one annotator overlap, or do not fit the length.
    """
    if len(documents) != len(lengths):
        raise SemevalError(f"Expected a length for each of {len(documents)} documents, but got {len(lengths)}.")
    if any(isinstance(length, bool) or not isinstance(length, (int, np.integer)) or length < 0 for length in lengths):
        raise SemevalError(f"Expected lengths to be whole numbers from 0, but got {list(lengths)!r:.80}.")
    names = sorted({name for document in documents for name in document})
    columns = [
        read_documents([document.get(name, ()) for document in documents], f"annotator {name!r}") for name in names
    ]
    tables = tabulate(columns)
    seen = np.array([[name in document for document in documents] for name in names], dtype=bool)
    length = np.array(lengths, dtype=np.int64)
    for name, table in zip(names, tables):
        if overlapping_documents(table).any():
            doc = int(overlapping_documents(table).argmax())
            raise SemevalError(f"Spans of annotator {name!r} in document {doc} overlap: unitized alpha is not defined.")
        if (table.end > length[table.doc]).any():
            raise SemevalError(f"A span of annotator {name!r} ends behind its text.")
    return count_coincidences(tables, seen.reshape(len(names), len(documents)), length).unitized()


def overlapping_documents(table: SpanTable) -> Mask:
    """RETURNS (Mask): Whether spans of the table overlap in each document, shape (n_docs,)."""
    found = np.zeros(table.n_docs, dtype=bool)
    # Sorted by document and start: where any two overlap, two neighbours do.
    overlap = (table.doc[1:] == table.doc[:-1]) & (table.start[1:] < table.end[:-1])
    found[table.doc[1:][overlap]] = True
    return found


def count_coincidences(tables: Sequence[SpanTable], seen: Mask, lengths: IntArray) -> Coincidences:
    """Add up coincidences over documents.

    tables (Sequence[SpanTable]): The spans of each annotator, which do not overlap where they are seen.
    seen (Mask): Whether each annotator saw each document, shape (n_annotators, n_docs). Others do not count.
    lengths (IntArray): The length of each text, shape (n_docs,).
    RETURNS (Coincidences): The sums over the documents that two annotators at least saw.
    """
    labels = tables[0].labels if tables else ()
    n_values = len(labels) + 1
    observed = np.zeros((n_values, n_values))
    own, marked = np.zeros(n_values), np.zeros(n_values)
    annotators = seen.sum(axis=0)
    seen = seen & (annotators >= 2)
    weights = 1 / np.maximum(annotators - 1, 1)
    for table, chosen in zip(tables, seen):
        kept = table.take(chosen[table.doc])
        size = kept.end - kept.start
        own += np.bincount(kept.label + 1, weights=size**2, minlength=n_values)
        own[GAP] += lengths[chosen].sum() - size.sum()
    for i, table in enumerate(tables):
        for j in range(i + 1, len(tables)):
            _add_pair(table, tables[j], seen[i] & seen[j], lengths, weights, observed, marked)
    return Coincidences(labels, observed, own, marked)


def _add_pair(
    a: SpanTable, b: SpanTable, shared: Mask, lengths: IntArray, weights: Floats, observed: Floats, marked: Floats
) -> None:
    """Add the coincidences of two annotators, both ways, to `observed` and to `marked`."""
    length = np.where(shared, lengths, 0)
    base = np.cumsum(length) - length
    sides = [_Units.of(table, shared, base) for table in (a, b)]
    points = np.unique(np.concatenate((base, base + length, *((side.start, side.end) for side in sides)), axis=None))
    start, size = points[:-1], np.diff(points)
    doc = np.searchsorted(base, start, side="right") - 1
    weight = weights[doc]
    (a_unit, a_value), (b_unit, b_value) = (side.at(start) for side in sides)
    n_values = len(observed)
    cells = np.bincount(a_value * n_values + b_value, weights=size * weight, minlength=n_values**2)
    cells = cells.reshape(n_values, n_values)
    observed += cells + cells.T
    both = (a_value > GAP) & (b_value > GAP)
    for side, unit in zip(sides, (a_unit, b_unit)):
        covered = np.bincount(unit[both], weights=size[both], minlength=len(side.start))
        marked += np.bincount(side.value, weights=covered**2 * weights[side.doc], minlength=n_values)


@dataclass(frozen=True, eq=False)
class _Units:
    """Units of one annotator, from left to right on an axis of all texts."""

    doc: IntArray
    start: IntArray
    end: IntArray
    value: IntArray

    @classmethod
    def of(cls, table: SpanTable, chosen: Mask, base: IntArray) -> _Units:
        kept = table.take(chosen[table.doc])
        return cls(kept.doc, kept.start + base[kept.doc], kept.end + base[kept.doc], kept.label + 1)

    def at(self, points: IntArray) -> tuple[IntArray, IntArray]:
        """The index and the value of the unit at each point; the index means nothing where the value is a gap's."""
        unit = np.searchsorted(self.start, points, side="right") - 1
        if not len(self.start):
            return unit, np.zeros(len(points), dtype=np.int64)
        inside = (unit >= 0) & (points < self.end[unit])
        return unit, np.where(inside, self.value[unit], GAP)


def _expected(observed: Floats, self_pairs: Floats) -> Floats:
    """T (l[c] l[k] - Q[c] on the diagonal) / (T² - sum of Q): coincidences by chance, no unit compared with itself."""
    sums = observed.sum(axis=1)
    total = sums.sum()
    scale = quotient(total, total**2 - self_pairs.sum())
    if scale is None:
        return np.zeros_like(observed)
    return scale * (np.outer(sums, sums) - np.diag(self_pairs))


def _different(coincidences: Floats) -> Floats:
    """Those of different values. A sum of them is exactly zero where there is one value only."""
    return coincidences * ~np.eye(len(coincidences), dtype=bool)


def _one_minus(observed: float, expected: float) -> float | None:
    disagreement = quotient(observed, expected)
    return None if disagreement is None else 1 - disagreement
