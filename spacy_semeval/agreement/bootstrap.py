"""How far agreement on spans would move with other documents: percentile intervals of a bootstrap over documents."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np

from .span_f1 import PairCounts
from .summary import Floats, quotients

INTERVAL = (2.5, 97.5)  # percent
AT_ONCE = 2_000_000  # drawn documents that are held in memory
FEWEST = 2  # documents; one can't vary

Progress = Callable[[Sequence[int]], Iterable[int]]


def bootstrap(
    pairs: Sequence[PairCounts], rules: Sequence[str], samples: int, seed: int, progress: Progress = iter
) -> dict[str, list[float] | None]:
    """Draw documents with replacement, again and again, and look where the mean over pairs falls.

    pairs (Sequence[PairCounts]): The counts of each pair of annotators.
    rules (Sequence[str]): The rules.
    samples (int): How many times as many documents are drawn as there are.
    seed (int): Of the random numbers.
    progress (Progress): Goes through the numbers of the batches, to show how many are done.
    RETURNS (dict[str, list[float] | None]): By rule the lowest and the highest value of the middle 95 % of samples;
        None if there are too few documents, no samples, or no sample in which the mean is defined.
    """
    nothing: dict[str, list[float] | None] = dict.fromkeys(rules)
    seen = np.flatnonzero(np.any([pair.shared for pair in pairs], axis=0)) if pairs else np.empty(0)
    n = len(seen)
    if n < FEWEST or not samples:
        return nothing
    found = np.stack([pair.found[rule][seen] for rule in rules for pair in pairs], axis=1)
    spans = np.stack([pair.spans[seen] for pair in pairs], axis=1).astype(float)
    random = np.random.default_rng(seed)
    size = max(1, min(samples, AT_ONCE // n))
    means = []
    for first in progress(range(0, samples, size)):
        drawn = _draw(random, min(size, samples - first), n)
        scores = quotients((drawn @ found).reshape(len(drawn), len(rules), len(pairs)), (drawn @ spans)[:, None, :])
        means.append(_mean_of_defined(scores))
    return {rule: _interval(values) for rule, values in zip(rules, np.concatenate(means).T)}


def _draw(random: np.random.Generator, size: int, n: int) -> Floats:
    """How often each document is drawn in each sample, shape (size, n)."""
    drawn = random.integers(n, size=(size, n)) + n * np.arange(size)[:, None]
    return np.bincount(drawn.ravel(), minlength=size * n).reshape(size, n).astype(float)


def _mean_of_defined(scores: Floats) -> Floats:
    defined = ~np.isnan(scores)
    return quotients(np.where(defined, scores, 0.0).sum(axis=-1), defined.sum(axis=-1))


def _interval(values: Floats) -> list[float] | None:
    defined = values[~np.isnan(values)]
    return [float(limit) for limit in np.percentile(defined, INTERVAL)] if len(defined) else None
