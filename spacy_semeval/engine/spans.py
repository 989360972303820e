"""The spans of a whole corpus as columns: sorted, each span once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from operator import attrgetter, itemgetter
from typing import Any

import numpy as np
import numpy.typing as npt

from ..errors import SemevalError

IntArray = npt.NDArray[np.int64]

# Documents are laid end to end on one axis to compare all of them at once. With offsets below this bound the axis
# fits into 64 bits for any number of documents that fits into memory.
MAX_OFFSET = 2**31 - 1

# The label of all spans where only boundaries are compared.
ANY_LABEL = "(any)"


@dataclass(frozen=True, eq=False)
class SpanTable:
    """The gold or the pred spans of a corpus, sorted by document, start, end and label, without duplicates.

    n_docs (int): Number of documents, those without a span included.
    labels (tuple[str, ...]): Sorted label names; the tables of a comparison share them.
    doc (IntArray): Index of the document of each span, shape (n,), from 0.
    start (IntArray): First character of each span, in code points of its document's text, shape (n,).
    end (IntArray): First character behind each span, shape (n,).
    label (IntArray): Index of each span's label in `labels`, shape (n,).
    duplicates (int): Number of spans left out because document, boundaries and label were there already.
    """

    n_docs: int
    labels: tuple[str, ...]
    doc: IntArray
    start: IntArray
    end: IntArray
    label: IntArray
    duplicates: int = 0

    def __post_init__(self) -> None:
        # Aligners of other packages see these columns too: none may change them for the next one.
        for name in ("doc", "start", "end", "label"):
            column = getattr(self, name).view()
            column.flags.writeable = False
            object.__setattr__(self, name, column)

    def __len__(self) -> int:
        return len(self.doc)

    def take(self, chosen: npt.NDArray[np.bool_]) -> SpanTable:
        """Keep some spans; the documents and the labels stay."""
        doc, start, end, label = (column[chosen] for column in (self.doc, self.start, self.end, self.label))
        return SpanTable(self.n_docs, self.labels, doc, start, end, label, self.duplicates)

    @classmethod
    def build(
        cls,
        n_docs: int,
        labels: tuple[str, ...],
        doc: IntArray,
        start: IntArray,
        end: IntArray,
        label: IntArray,
    ) -> SpanTable:
        """Make a table from columns in any order, with duplicates.

        n_docs (int): Number of documents.
        labels (tuple[str, ...]): Sorted label names.
        doc (IntArray): Document index of each span, shape (n,).
        start (IntArray): Starts in code points, shape (n,).
        end (IntArray): Exclusive ends in code points, shape (n,); every start is below its end.
        label (IntArray): Indices into `labels`, shape (n,).
        RETURNS (SpanTable): The table.
        """
        # Offsets stay below 2**31, so that two numbers hold what orders a span.
        where, what = (doc << 31) + start, end * len(labels) + label
        if _rises(where, what).all():
            return cls(n_docs, labels, doc, start, end, label)
        order = np.lexsort((what, where))
        order = order[np.append(True, _rises(where[order], what[order]))]
        duplicates = len(doc) - len(order)
        doc, start, end, label = (column[order] for column in (doc, start, end, label))
        return cls(n_docs, labels, doc, start, end, label, duplicates)


def _rises(where: IntArray, what: IntArray) -> npt.NDArray[np.bool_]:
    """Whether each span but the first comes behind the one before it."""
    return (where[1:] > where[:-1]) | ((where[1:] == where[:-1]) & (what[1:] > what[:-1]))


@dataclass(frozen=True, eq=False)
class Columns:
    """Spans as they were read, before labels become numbers that gold and pred share.

    n_docs (int): Number of documents.
    doc (IntArray): Document index of each span, shape (n,).
    start (IntArray): Starts in code points, shape (n,).
    end (IntArray): Exclusive ends in code points, shape (n,).
    names (Sequence[str]): The label of each span.
    """

    n_docs: int
    doc: IntArray
    start: IntArray
    end: IntArray
    names: Sequence[str]


def rename(names: Sequence[str], label_map: Mapping[str, str] | None, boundaries_only: bool = False) -> Sequence[str]:
    """Rename labels, all at once, so that two labels can change places.

    names (Sequence[str]): The labels of spans.
    label_map (Mapping[str, str] | None): The new name of each label that gets one.
    boundaries_only (bool): Whether all labels become the same one.
    RETURNS (Sequence[str]): The new labels.
    """
    if boundaries_only:
        return [ANY_LABEL] * len(names)
    return [label_map.get(name, name) for name in names] if label_map else names


def make_tables(
    gold: Columns, pred: Columns, label_map: Mapping[str, str] | None = None, boundaries_only: bool = False
) -> tuple[SpanTable, SpanTable]:
    """Turn the spans of both sides into tables that share their labels.

    gold (Columns): The reference spans.
    pred (Columns): The spans that are scored.
    label_map, boundaries_only: As in `rename`.
    RETURNS (tuple[SpanTable, SpanTable]): The gold and the pred table.
    """
    sides = [replace(side, names=rename(side.names, label_map, boundaries_only)) for side in (gold, pred)]
    gold_table, pred_table = tabulate(sides)
    return gold_table, pred_table


def tabulate(sides: Sequence[Columns]) -> list[SpanTable]:
    """Number the labels of several sides, so that their spans can be compared.

    sides (Sequence[Columns]): The spans of each side.
    RETURNS (list[SpanTable]): A table for each side; all share their labels.
    """
    labels = tuple(sorted({name for side in sides for name in side.names}))
    code = {name: i for i, name in enumerate(labels)}
    return [
        SpanTable.build(
            side.n_docs,
            labels,
            side.doc,
            side.start,
            side.end,
            np.fromiter(map(code.__getitem__, side.names), dtype=np.int64, count=len(side.names)),
        )
        for side in sides
    ]


def read_documents(documents: Iterable[Iterable[Any]], side: str, end_inclusive: bool = False) -> Columns:
    """Read the spans of Python documents.

    documents (Iterable[Iterable[Any]]): One iterable of spans a document. A span is a (start, end, label) tuple or
        list, a mapping with those keys, or a spaCy Span, whose character offsets are taken.
    side (str): "gold" or "pred", for messages.
    end_inclusive (bool): Whether the ends of tuples and mappings are the last character of the span. The ends of
        spaCy Spans are always exclusive.
    RETURNS (Columns): The spans, in order of the documents.
    RAISES (SemevalError): If a span is malformed; names the document and the span by their index.
    """
    if not isinstance(documents, Iterable) or isinstance(documents, (str, bytes, Mapping)):
        raise SemevalError(f"Expected {side} to hold one list of spans a document, but got {type(documents).__name__}.")
    if not isinstance(end_inclusive, bool):
        raise SemevalError(f"Expected end_inclusive to be True or False, but got {end_inclusive!r}.")
    docs = [doc if isinstance(doc, (list, tuple)) else _listed(doc, side, i) for i, doc in enumerate(documents)]
    lengths = np.fromiter(map(len, docs), dtype=np.int64, count=len(docs))
    spans = list(chain.from_iterable(docs))
    columns = _plain_columns(spans)
    if columns is None:
        spans = [_as_plain(span, end_inclusive, side, lengths, i) for i, span in enumerate(spans)]
        columns = [list(map(itemgetter(i), spans)) for i in range(3)]
    starts, ends, names = columns
    try:
        start, end = np.array(starts, dtype=np.int64), np.array(ends, dtype=np.int64)
    except OverflowError:
        too_far = next(i for i, span in enumerate(spans) if max(map(abs, span[:2])) > MAX_OFFSET)
        raise _bad_span(spans[too_far], f"offsets below {MAX_OFFSET + 1}", side, lengths, too_far) from None
    end += end_inclusive
    bad = (start < 0) | (end <= start) | (end > MAX_OFFSET)
    if bad.any():
        first = int(bad.argmax())
        raise _bad_span(spans[first], f"0 <= start < end <= {MAX_OFFSET}", side, lengths, first)
    if "" in names:
        raise _bad_span(spans[names.index("")], "a label that is not empty", side, lengths, names.index(""))
    return Columns(len(docs), np.repeat(np.arange(len(docs)), lengths), start, end, names)


def _listed(doc: Any, side: str, index: int) -> list[Any]:
    if isinstance(doc, (str, bytes, Mapping)) or not isinstance(doc, Iterable):
        found = type(doc).__name__
        raise SemevalError(f"Expected document {index} of {side} to be an iterable of spans, but got {found}.")
    return list(doc)


def _plain_columns(spans: list[Any]) -> list[list[Any]] | None:
    """Split tuples of two ints and a str into columns without a look at each; None if any is of another kind."""
    if not (set(map(type, spans)) <= {tuple} and set(map(len, spans)) <= {3}):
        return None
    flat = list(chain.from_iterable(spans))
    columns = [flat[i::3] for i in range(3)]
    types = [set(map(type, column)) for column in columns]
    return columns if types[0] | types[1] <= {int} and types[2] <= {str} else None


_offsets = attrgetter("start_char", "end_char", "label_")


def _as_plain(span: Any, end_inclusive: bool, side: str, lengths: IntArray, index: int) -> tuple[int, int, str]:
    """Read one span of any accepted kind; `end_inclusive` is undone for spaCy Spans, whose ends are exclusive."""
    if hasattr(span, "start_char"):
        try:
            start, end, label = _offsets(span)
        except KeyError:
            raise _bad_span(span, "a label among the strings of its vocab", side, lengths, index) from None
        end -= end_inclusive
    elif isinstance(span, Mapping):
        missing = [key for key in ("start", "end", "label") if key not in span]
        if missing:
            raise _bad_span(dict(span), f"the key {missing[0]!r}", side, lengths, index)
        start, end, label = span["start"], span["end"], span["label"]
    elif isinstance(span, (tuple, list)) and len(span) == 3:
        start, end, label = span
    else:
        wanted = "a (start, end, label) tuple, a mapping with these keys or a spaCy Span"
        raise _bad_span(span, wanted, side, lengths, index)
    if not (_is_int(start) and _is_int(end)):
        raise _bad_span((start, end, label), "start and end as whole numbers", side, lengths, index)
    if not isinstance(label, str):
        raise _bad_span((start, end, label), "a label that is a string", side, lengths, index)
    return int(start), int(end), str(label)


def _is_int(value: Any) -> bool:
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool)


def _bad_span(span: Any, wanted: str, side: str, lengths: IntArray, index: int) -> SemevalError:
    doc = int(np.searchsorted(np.cumsum(lengths), index, side="right"))
    position = index - int(lengths[:doc].sum())
    return SemevalError(f"Expected {wanted}, but got {span!r} (document {doc} of {side}, span {position} of it).")
