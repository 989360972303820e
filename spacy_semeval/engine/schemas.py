"""The four SemEval-2013 schemas: rules that give each aligned pair its outcome."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from .. import registry
from ..errors import SemevalError
from .spans import IntArray, SpanTable

COR, INC, PAR = 0, 1, 2
SCHEMAS = ("strict", "exact", "partial", "type")

Outcomes = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Pairs:
    """The aligned pairs of a corpus as columns of shape (n,), offsets in code points, ends exclusive.

    labels (tuple[str, ...]): Sorted label names that the label columns are indices of.
    gold_start (IntArray): Start of the gold span of each pair.
    gold_end (IntArray): End of the gold span.
    gold_label (IntArray): Label of the gold span.
    pred_start (IntArray): Start of the pred span of each pair.
    pred_end (IntArray): End of the pred span.
    pred_label (IntArray): Label of the pred span.
    """

    labels: tuple[str, ...]
    gold_start: IntArray
    gold_end: IntArray
    gold_label: IntArray
    pred_start: IntArray
    pred_end: IntArray
    pred_label: IntArray

    @classmethod
    def take(cls, gold: SpanTable, pred: SpanTable, gold_index: IntArray, pred_index: IntArray) -> Pairs:
        """Make the pairs that an alignment chose."""
        g, p = gold_index, pred_index
        return cls(gold.labels, gold.start[g], gold.end[g], gold.label[g], pred.start[p], pred.end[p], pred.label[p])

    def __len__(self) -> int:
        return len(self.gold_start)

    @property
    def shared(self) -> IntArray:
        """Number of characters that the two spans of each pair share, shape (n,)."""
        return np.minimum(self.gold_end, self.pred_end) - np.maximum(self.gold_start, self.pred_start)

    @property
    def same_boundaries(self) -> Mask:
        """Whether the two spans of each pair have the same start and end, shape (n,)."""
        return (self.gold_start == self.pred_start) & (self.gold_end == self.pred_end)

    @property
    def same_label(self) -> Mask:
        """Whether the two spans of each pair have the same label, shape (n,)."""
        return self.gold_label == self.pred_label


# registry: strict
def strict(pairs: Pairs) -> Outcomes:
    """Boundaries and label are right, or the pair is incorrect."""
    return np.where(pairs.same_boundaries & pairs.same_label, COR, INC)


# registry: exact
def exact(pairs: Pairs) -> Outcomes:
    """Boundaries are right, whatever the label, or the pair is incorrect."""
    return np.where(pairs.same_boundaries, COR, INC)


# registry: partial
def partial(pairs: Pairs) -> Outcomes:
    """Boundaries are right, whatever the label, or the pair is partial."""
    return np.where(pairs.same_boundaries, COR, PAR)


# registry: type
def type_(pairs: Pairs) -> Outcomes:
    """The label is right, whatever the boundaries, or the pair is incorrect."""
    return np.where(pairs.same_label, COR, INC)


def in_order(names: Iterable[str]) -> tuple[str, ...]:
    """Order schemas for reports: the four in their usual order, then others as they came; each once."""
    names = dict.fromkeys(names)
    return (*(name for name in SCHEMAS if name in names), *(name for name in names if name not in SCHEMAS))


def outcomes(schema: str, pairs: Pairs) -> Outcomes:
    """Apply a registered schema and check what it returned.

    schema (str): Name of the schema.
    pairs (Pairs): The aligned pairs.
    RETURNS (Outcomes): COR, INC or PAR for each pair, shape (n,).
    RAISES (SemevalError): If there is no such schema or it returns something else.
    """
    returned = registry.find(registry.schemas, "schema", schema)(pairs)
    try:
        result = np.asarray(returned)
    except ValueError:  # lists of different lengths
        result = np.empty(0)
    is_number = result.shape == (len(pairs),) and (result.dtype.kind in "iu" or not len(pairs))
    if not is_number or (len(pairs) and (result.min() < COR or result.max() > PAR)):
        raise SemevalError(
            f"Expected schema {schema!r} to return COR ({COR}), INC ({INC}) or PAR ({PAR}) for each of "
            f"{len(pairs)} pairs, but got {returned!r:.200}."
        )
    return result.astype(np.int64, copy=False)
