"""What was read of gold and predictions, from Docs or from files, and its scores."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import chain

import numpy as np

from .engine.align import find_overlaps
from .engine.schemas import Mask
from .engine.scores import Scores, Settings
from .engine.scoring import score_tables
from .engine.spans import Columns, SpanTable, make_tables, rename
from .errors import refuse


@dataclass(frozen=True, eq=False)
class Reading:
    """The spans of two sides, before anything is left out.

    gold, pred (Columns): The spans of the annotated documents.
    annotated (Mask): Whether each document has gold annotation, shape (n_docs,).
    unknown (Columns | None): Stretches of annotated documents without annotation; their names do not matter.
    rejected (Columns | None): Spans that the gold says are wrong.
    empty_spans (int): Number of spans left out because they hold no character.
    """

    gold: Columns
    pred: Columns
    annotated: Mask
    unknown: Columns | None = None
    rejected: Columns | None = None
    empty_spans: int = 0


@dataclass(frozen=True, eq=False)
class Sides:
    """The spans that are scored.

    gold, pred (SpanTable): The tables of both sides.
    documents (dict[str, int]): Numbers of documents, and of what was left out.
    """

    gold: SpanTable
    pred: SpanTable
    documents: dict[str, int]


def make_sides(read: Reading, settings: Settings, complain: Callable[[str], object] = refuse) -> Sides:
    """Rename labels, and leave out predictions about which the gold says nothing.

    read (Reading): The spans of both sides.
    settings (Settings): What decides the numbers.
    complain (Callable[[str], object]): What to do about names in label_map that occur nowhere.
    RETURNS (Sides): What is to be scored.
    """
    rejected = () if read.rejected is None else read.rejected.names
    settings.check_renamed(chain(read.gold.names, read.pred.names, rejected), complain)
    gold, pred = make_tables(read.gold, read.pred, settings.label_map, settings.boundaries_only)
    pred, ignored = leave_out(pred, read.unknown, _named(read.rejected, settings))
    documents = {
        "scored": int(read.annotated.sum()),
        "unannotated": int((~read.annotated).sum()),
        "ignored_pred": ignored,
        "empty_spans": read.empty_spans,
    }
    return Sides(gold, pred, documents)


def score_reading(
    read: Reading,
    settings: Settings,
    per_document: bool = False,
    complain: Callable[[str], object] = refuse,
) -> Scores:
    """Score what was read.

    read (Reading): The spans of both sides.
    settings (Settings): What decides the numbers.
    per_document (bool): Whether to keep the counts of each document too.
    complain (Callable[[str], object]): As in `make_sides`.
    RETURNS (Scores): Overall and per label.
    """
    sides = make_sides(read, settings, complain)
    return score_tables(sides.gold, sides.pred, settings, sides.documents, per_document)


def _named(rejected: Columns | None, settings: Settings) -> set[tuple[int, int, int, str]]:
    # Without labels nothing is known to be wrong: another label may be right.
    if rejected is None or settings.boundaries_only:
        return set()
    names = rename(rejected.names, settings.label_map)
    return set(zip(rejected.doc.tolist(), rejected.start.tolist(), rejected.end.tolist(), names))


def leave_out(
    pred: SpanTable, unknown: Columns | None, rejected: AbstractSet[tuple[int, int, int, str]] = frozenset()
) -> tuple[SpanTable, int]:
    """Leave out predictions that touch a stretch without annotation, if they are not known to be wrong.

    pred (SpanTable): The spans that are scored.
    unknown (Columns | None): The stretches without annotation, in any order; their names do not matter.
    rejected (AbstractSet[tuple[int, int, int, str]]): Document, start, end and label of what is known to be wrong.
    RETURNS (tuple[SpanTable, int]): The other predictions, and how many were left out.
    """
    if unknown is None or not len(unknown.doc):
        return pred, 0
    label = np.zeros(len(unknown.doc), dtype=np.int64)
    stretches = SpanTable.build(pred.n_docs, pred.labels, unknown.doc, unknown.start, unknown.end, label)
    touching = np.zeros(len(pred), dtype=bool)
    touching[find_overlaps(stretches, pred).pred] = True
    for i in np.flatnonzero(touching).tolist() if rejected else ():
        span = int(pred.doc[i]), int(pred.start[i]), int(pred.end[i]), pred.labels[pred.label[i]]
        touching[i] = span not in rejected
    return pred.take(~touching), int(touching.sum())
