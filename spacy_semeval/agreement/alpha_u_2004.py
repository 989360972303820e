"""Krippendorff's alpha_U of 1995, as corrected in 2004: agreement on units of one text, label by label."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt

from ..engine.spans import SpanTable, read_documents, tabulate
from ..errors import SemevalError
from .summary import quotient

Sections = npt.NDArray[np.float64]


@dataclass(frozen=True)
class AlphaU:
    """What was seen and what chance would give. `value` is 1 - observed / expected.

    observed (float): D_o.
    expected (float): D_e, 0 if there is no unit.
    """

    observed: float
    expected: float

    @property
    def value(self) -> float | None:
        """Alpha, 1 at most; None where there is no unit."""
        disagreement = quotient(self.observed, self.expected)
        return None if disagreement is None else 1 - disagreement


@dataclass(frozen=True)
class AlphaU2004:
    """The coefficient of one text.

    per_label (dict[str, AlphaU]): That of each label, sorted.
    """

    per_label: dict[str, AlphaU]

    @property
    def overall(self) -> float | None:
        """1 - (sum of D_o) / (sum of D_e) over labels; None where there is no unit."""
        cells = self.per_label.values()
        return AlphaU(sum(c.observed for c in cells), sum(c.expected for c in cells)).value


def alpha_u_2004(annotators: Mapping[str, Iterable[Any]], length: int) -> AlphaU2004:
    """Krippendorff's alpha_U, the coefficient of 1995 with the expected disagreement as corrected in 2004 (Quality &
    Quantity 38:787; Content Analysis, 2nd edition, p. 251).

    Each annotator's text is cut into units of a label and the gaps between them, and the squared lengths of what does
    not match are added up. It depends on the length of gaps, so it is defined for one text, not for a corpus. Below
    zero, annotators disagree more than chance would. It is another coefficient than those of `unitized_alpha`.

    annotators (Mapping[str, Iterable[Any]]): The spans of each annotator, in the forms that `score_spans` takes. Those
        of one annotator and label must not overlap.
    length (int): The length of the text, in the unit of the spans.
    RETURNS (AlphaU2004): The coefficient of all labels and of each one.
    RAISES (SemevalError): If there is one annotator only, or spans overlap or do not fit the length.
    """
    if len(annotators) < 2:
        raise SemevalError("Agreement takes two annotators at least.")
    if isinstance(length, bool) or not isinstance(length, int) or length < 0:
        raise SemevalError(f"Expected the length to be a whole number from 0, but got {length!r:.80}.")
    tables = tabulate([read_documents([spans], f"annotator {name!r}") for name, spans in annotators.items()])
    labels = tables[0].labels
    return AlphaU2004(
        {label: _of_label([t.take(t.label == i) for t in tables], length) for i, label in enumerate(labels)}
    )


def _of_label(tables: Sequence[SpanTable], length: int) -> AlphaU:
    parts = [_sections(table, length) for table in tables]
    return AlphaU(_observed(parts, length), _expected(np.concatenate(parts), len(parts), length))


def _sections(table: SpanTable, length: int) -> Sections:
    """Cut a text into the units of a label and gaps: begin, length, and 1 for a unit or 0 for a gap, shape (n, 3)."""
    rows, at = [], 0
    for start, end in zip(table.start.tolist(), table.end.tolist()):
        if start < at:
            raise SemevalError("Spans of one annotator with the same label overlap: alpha_U is not defined.")
        if start > at:
            rows.append((at, start - at, 0))
        rows.append((start, end - start, 1))
        at = end
    if at > length:
        raise SemevalError(f"A span ends at {at}, behind the end of its text ({length}).")
    if at < length:
        rows.append((at, length - at, 0))
    return np.array(rows, dtype=np.float64).reshape(-1, 3)


def _observed(parts: list[Sections], length: int) -> float:
    """D_o: the distances of all sections of each two annotators."""
    m = len(parts)
    total = sum(float(distance(*_meeting(g, h)).sum()) for g, h in combinations(parts, 2))
    return quotient(2 * total, m * (m - 1) * length**2) or 0.0


def _meeting(g: Sections, h: Sections) -> tuple[Sections, Sections]:
    """The sections of two annotators that share text: one row of each for each two. The others have no distance."""
    first = np.searchsorted(h[:, 0] + h[:, 1], g[:, 0], side="right")
    counts = np.searchsorted(h[:, 0], g[:, 0] + g[:, 1], side="left") - first
    own = np.repeat(np.arange(len(g)), counts)
    other = np.arange(len(own)) - np.repeat(np.cumsum(counts) - counts - first, counts)
    return g[own], h[other]


def distance(g: Sections, h: Sections) -> npt.NDArray[np.float64]:
    """The squared distance of sections.

    g, h (Sections): Begin, length and 1 for a unit or 0 for a gap, in the last axis; the others are broadcast.
    RETURNS (npt.NDArray[np.float64]): delta² of each two, 0 where they have nothing to do with each other.
    """
    behind = g[..., 0] - h[..., 0]
    g_length, h_length = g[..., 1], h[..., 1]
    g_unit, h_unit = g[..., 2] > 0, h[..., 2] > 0
    both = g_unit & h_unit & (-g_length < behind) & (behind < h_length)
    g_in_gap = g_unit & ~h_unit & (h_length - g_length >= behind) & (behind >= 0)
    h_in_gap = ~g_unit & h_unit & (g_length - h_length >= -behind) & (-behind >= 0)
    overlapping = behind**2 + (behind + g_length - h_length) ** 2
    return np.select([both, g_in_gap, h_in_gap], [overlapping, g_length**2, h_length**2], 0.0)


def _expected(sections: Sections, m: int, length: int) -> float:
    """D_e: what all ways to place the units would give, 0 if there is none."""
    units, gaps = (sections[sections[:, 2] == kind, 1] for kind in (1, 0))
    gaps = np.sort(gaps)
    long_enough = np.searchsorted(gaps, units, side="left")
    sums = np.append(np.cumsum(gaps[::-1])[::-1], 0)  # of each gap and all longer ones
    around = sums[long_enough] - (len(gaps) - long_enough) * (units - 1)
    terms = (len(units) - 1) / 3 * (2 * units**3 - 3 * units**2 + units) + units**2 * around
    places = m * length * (m * length - 1) - float((units * (units - 1)).sum())
    return quotient(2 * float(terms.sum()), length * places) or 0.0
