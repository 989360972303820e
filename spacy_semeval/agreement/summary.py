"""Where measures of agreement are divided, and summed up over pairs of annotators."""

from __future__ import annotations

from collections.abc import Iterable
from math import fsum, sqrt
from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


def quotient(numerator: float, denominator: float) -> float | None:
    """Divide; what is divided by nothing is not defined, and None."""
    return float(numerator / denominator) if denominator else None


def quotients(numerators: Floats, denominators: Floats) -> Floats:
    """Divide arrays; what is divided by nothing is not a number."""
    undefined = np.broadcast_to(np.nan, np.broadcast_shapes(numerators.shape, denominators.shape)).copy()
    return np.divide(numerators, denominators, out=undefined, where=denominators != 0)


def mean(values: Iterable[float | None]) -> float | None:
    """RETURNS (float | None): The mean of the values that are defined, None if there is none."""
    defined = [value for value in values if value is not None]
    return quotient(fsum(defined), len(defined))


def summarize_columns(values: Floats) -> list[dict[str, float | None]]:
    """Sum up the values of pairs of annotators, as `summarize` does, for many documents at once.

    values (Floats): A row for each pair and a column for each document, not a number where it is not defined.
    RETURNS (list[dict[str, float | None]]): What `summarize` gives for each column.
    """
    defined = ~np.isnan(values)
    n = defined.sum(axis=0)
    means = quotients(np.where(defined, values, 0.0).sum(axis=0), n)
    squares = quotients(np.where(defined, (values - means) ** 2, 0.0).sum(axis=0), n)
    lowest = np.where(defined, values, np.inf).min(axis=0)
    highest = np.where(defined, values, -np.inf).max(axis=0)
    nothing = summarize(())
    columns = (means.tolist(), np.sqrt(squares).tolist(), lowest.tolist(), highest.tolist(), n.tolist())
    return [
        {"mean": mean, "sd": sd, "min": low, "max": high} if n else dict(nothing)
        for mean, sd, low, high, n in zip(*columns)
    ]


def summarize(values: Iterable[float | None]) -> dict[str, Any]:
    """Sum up the values of pairs of annotators.

    values (Iterable[float | None]): A value for each pair, None where it is not defined.
    RETURNS (dict[str, Any]): `mean`, `sd` (of the population, so divided by the number of pairs), `min` and `max` of
        those that are defined; None if there is none.
    """
    defined = [value for value in values if value is not None]
    middle = mean(defined)
    if middle is None:
        return {"mean": None, "sd": None, "min": None, "max": None}
    variance = mean((value - middle) ** 2 for value in defined) or 0.0
    return {"mean": middle, "sd": sqrt(variance), "min": min(defined), "max": max(defined)}
