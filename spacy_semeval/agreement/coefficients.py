"""Chance-corrected agreement on units that everybody saw, such as tokens: Cohen's kappa, Fleiss' kappa, Krippendorff's
alpha. Nothing is divided by zero: what the data does not define is None."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence

import numpy as np
import numpy.typing as npt

from ..errors import SemevalError
from .summary import quotient

Codes = npt.NDArray[np.int32]
Counts = npt.NDArray[np.int64]

MISSING = -1


def cohen_kappa(a: Sequence[Hashable], b: Sequence[Hashable]) -> float | None:
    """Cohen's kappa of two annotators: (p_o - p_e) / (1 - p_e), where p_o is the share of units with the same value and
    p_e = sum over values k of p_a(k) p_b(k) (Cohen 1960).

    a, b (Sequence[Hashable]): The value that each annotator gave each unit, shape (n,).
    RETURNS (float | None): Kappa, 1 at most. None without units, and where both gave one and the same value to all.
    RAISES (SemevalError): If the two have different lengths.
    """
    if len(a) != len(b):
        raise SemevalError(f"Expected both annotators to have as many values, but got {len(a)} and {len(b)}.")
    first, second = encode([a, b])
    if min(first.min(initial=0), second.min(initial=0)) == MISSING:
        raise SemevalError("Expected a value for every unit, but got None or NaN: leave these units out.")
    return cohen_of_codes(first, second)


def cohen_of_codes(a: Codes, b: Codes) -> float | None:
    """RETURNS (float | None): Cohen's kappa of values that are numbers from 0, shape (n,) each."""
    n = len(a)
    size = 1 + max(a.max(initial=0), b.max(initial=0))
    same = int((a == b).sum())
    # In whole numbers, so that it is certain when there is nothing to divide by.
    by_chance = sum(
        x * y for x, y in zip(np.bincount(a, minlength=size).tolist(), np.bincount(b, minlength=size).tolist())
    )
    return quotient(n * same - by_chance, n * n - by_chance)


def fleiss_kappa(table: Sequence[Sequence[int]] | Counts) -> float | None:
    """Fleiss' kappa: (P - P_e) / (1 - P_e), where P is the mean over units of the share of agreeing pairs of annotators
    and P_e = sum over values of p_k squared (Fleiss 1971).

    table (Sequence[Sequence[int]] | Counts): How many annotators gave each value to each unit, shape (n_units,
        n_values). Every unit has the same number of annotators, who need not be the same people.
    RETURNS (float | None): Kappa, 1 at most. None without units, and where all gave one and the same value.
    RAISES (SemevalError): If it is no table of counts, units differ in the number of annotators, or it is below two.
    """
    try:
        counts = np.asarray(table)
    except ValueError:  # rows of different lengths
        counts = np.empty((1, 1))
    if counts.size == 0:
        return None
    if counts.ndim != 2 or counts.dtype.kind not in "iu" or counts.min() < 0:
        raise SemevalError("Expected a table of counts, a row for each unit and a column for each value.")
    counts = counts.astype(np.int64)
    raters = set(counts.sum(axis=1).tolist())
    if len(raters) > 1 or min(raters) < 2:
        raise SemevalError(
            f"Expected as many annotators, two at least, for every unit, but got {sorted(raters)}. Krippendorff's "
            "alpha takes any number."
        )
    n_raters = raters.pop()
    agreeing = sum(n * (n - 1) for n in counts.ravel().tolist())  # Python's numbers, which do not overflow
    return fleiss_of_sums(agreeing, counts.sum(axis=0), n_raters)


def fleiss_of_sums(agreeing: int, totals: Counts, n_raters: int) -> float | None:
    """Fleiss' kappa of what is known of all units together.

    agreeing (int): How many ordered pairs of annotators agree, over all units.
    totals (Counts): How often each value was given, shape (n_values,).
    n_raters (int): The number of annotators that each unit has.
    RETURNS (float | None): Kappa, None where it is not defined.
    """
    n = int(totals.sum())  # units times annotators
    # P = agreeing / (n (n_raters - 1)), P_e = squares / n²; both times n² (n_raters - 1).
    by_chance = sum(total * total for total in totals.tolist()) * (n_raters - 1)
    return quotient(agreeing * n - by_chance, n * n * (n_raters - 1) - by_chance)


def krippendorff_alpha(ratings: Sequence[Sequence[Hashable | None]]) -> float | None:
    """Krippendorff's alpha for nominal values: 1 - D_o / D_e, from coincidences o_ck = sum over units of the ordered
    pairs of values c and k in it, divided by the number of its values less one (Krippendorff 2011, Computing
    Krippendorff's alpha-reliability).

    ratings (Sequence[Sequence[Hashable | None]]): A row for each annotator with a value for each unit, None where there
        is none, shape (n_annotators, n_units). Units with fewer than two values do not count.
    RETURNS (float | None): Alpha, 1 at most. None if no unit has two values, and where all values are the same.
    RAISES (SemevalError): If the annotators have different numbers of units.
    """
    lengths = {len(row) for row in ratings}
    if len(lengths) > 1:
        raise SemevalError(f"Expected as many units for every annotator, but got {sorted(lengths)}.")
    return alpha_of_codes(np.stack(encode(ratings))) if lengths else None


def alpha_of_codes(codes: Codes) -> float | None:
    """RETURNS (float | None): Krippendorff's alpha of values that are numbers from 0, shape (n_annotators, n_units)."""
    present = codes >= 0
    codes = codes[:, present.sum(axis=0) >= 2]
    present = codes >= 0
    given = present.sum(axis=0)
    n = int(given.sum())
    totals = np.bincount(codes[present], minlength=1)
    # The coincidences of a value with itself; those of different values are the rest of n.
    same = float((agreeing_pairs(codes) / (given - 1)).sum())
    expected = n * n - sum(total * total for total in totals.tolist())
    disagreement = quotient((n - 1) * (n - same), expected)
    return None if disagreement is None else 1 - disagreement


def agreeing_pairs(codes: Codes) -> Counts:
    """Count the ordered pairs of annotators who gave a unit the same value.

    codes (Codes): Values as numbers from 0, -1 where there is none, shape (n_annotators, n_units).
    RETURNS (Counts): How many pairs there are of each unit, shape (n_units,).
    """
    pairs = np.zeros(codes.shape[1], dtype=np.int64)
    for i, row in enumerate(codes):
        for other in codes[i + 1 :]:
            pairs += 2 * ((row == other) & (row >= 0))
    return pairs


def encode(rows: Iterable[Iterable[Hashable | None]]) -> list[Codes]:
    """Number values in the order in which they come, -1 for None and NaN."""
    numbers: dict[Hashable | None, int] = {None: MISSING}
    coded = []
    for row in rows:
        known = (None if value != value else value for value in row)  # NaN is not equal to itself
        coded.append(np.array([numbers.setdefault(value, len(numbers) - 1) for value in known], dtype=np.int32))
    return coded
