"""What several annotators marked in the same documents."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt

from ..engine.spans import IntArray, SpanTable, tabulate
from ..errors import SemevalError
from ..formats.base import Span
from ..formats.sources import Source
from ..linking import OnDuplicates, make_columns, pick, say_conflicts

Mask = npt.NDArray[np.bool_]
TokenOffsets = tuple[tuple[int, int], ...]


class Judgement(msgspec.Struct, frozen=True, gc=False):
    """One document as one person annotated it. That there is one means that the person saw the document.

    annotator (str): The person.
    document (int | str | None): What the data says the document is known by: an input hash or an id.
    text (str | None): The text, None if the data does not hold it.
    spans (tuple[Span, ...]): Start, end and label of each span: code points of the text, ends exclusive.
    tokens (TokenOffsets | None): Start and end of each token.
    timestamp (float | None): When it was annotated, in seconds since 1970.
    source (Source | None): Where the record is, if a task can be made of it.
    line (int): Its line or its place there, from 1.
    """

    annotator: str
    document: int | str | None
    text: str | None
    spans: tuple[Span, ...]
    tokens: TokenOffsets | None = None
    timestamp: float | None = None
    source: Source | None = None
    line: int = 0

    @property
    def key(self) -> Hashable:
        """What the document is known by where not all data has a hash or an id."""
        return self.text if self.text is not None else self.document


@dataclass(frozen=True)
class Document:
    """One text, and what those who saw it marked.

    name (int | str): The input hash, the id, or the text.
    text (str | None): The text, if it is known.
    tokens (TokenOffsets | None): Its tokens, if all who have some have the same.
    judgements (Mapping[str, Judgement]): By annotator, sorted by name.
    """

    name: int | str
    text: str | None
    tokens: TokenOffsets | None
    judgements: Mapping[str, Judgement]


@dataclass(frozen=True)
class Corpus:
    """Documents and who saw them.

    annotators (tuple[str, ...]): The names, sorted.
    documents (Sequence[Document]): Those that anybody saw, sorted by name, so that the order of the input decides
        nothing.
    counts (dict[str, int]): What was left out, and why.
    labels (tuple[str, ...] | None): The labels that were chosen, sorted; None for all.
    """

    annotators: tuple[str, ...]
    documents: Sequence[Document]
    counts: dict[str, int]
    labels: tuple[str, ...] | None = None

    @cached_property
    def tables(self) -> list[SpanTable]:
        """The spans of each annotator in all documents."""
        return tabulate(
            [make_columns([self._spans(document, name) for document in self.documents]) for name in self.annotators]
        )

    def _spans(self, document: Document, annotator: str) -> tuple[Span, ...]:
        judgement = document.judgements.get(annotator)
        spans = () if judgement is None else judgement.spans
        return spans if self.labels is None else tuple(span for span in spans if span[2] in self.labels)

    @property
    def other_label_spans(self) -> int:
        """How many spans have labels that were not chosen."""
        if self.labels is None:
            return 0
        judgements = (judgement for document in self.documents for judgement in document.judgements.values())
        return sum(span[2] not in self.labels for judgement in judgements for span in judgement.spans)

    def spans_in(self, index: int) -> dict[str, tuple[Span, ...]]:
        """RETURNS (dict[str, tuple[Span, ...]]): The spans of a document, of each annotator who saw it."""
        document = self.documents[index]
        return {name: self._spans(document, name) for name in document.judgements}

    def take(self, chosen: Mask) -> Corpus:
        """Keep some documents.

        chosen (Mask): Whether to keep each document, shape (n_docs,).
        RETURNS (Corpus): The documents, with the same annotators.
        """
        documents = [document for document, kept in zip(self.documents, chosen.tolist()) if kept]
        return Corpus(self.annotators, documents, self.counts, self.labels)

    @property
    def all_labels(self) -> tuple[str, ...]:
        """The labels that were chosen, or those that occur, sorted."""
        return self.tables[0].labels if self.labels is None else self.labels

    @cached_property
    def seen(self) -> Mask:
        """Whether each annotator saw each document, shape (n_annotators, n_docs)."""
        seen = [[name in document.judgements for document in self.documents] for name in self.annotators]
        return np.array(seen, dtype=bool).reshape(len(self.annotators), len(self.documents))

    @cached_property
    def lengths(self) -> IntArray:
        """The length of each text in code points, 0 where it is not known, shape (n_docs,)."""
        return np.array([len(document.text or "") for document in self.documents], dtype=np.int64)

    @cached_property
    def has_text(self) -> Mask:
        """Whether the text is known, shape (n_docs,)."""
        return np.array([document.text is not None for document in self.documents], dtype=bool)


def choose_annotators(known: Iterable[str], wanted: Sequence[str] = (), excluded: Sequence[str] = ()) -> set[str]:
    """Choose annotators.

    known (Iterable[str]): All of them.
    wanted (Sequence[str]): The annotators to keep, none for all.
    excluded (Sequence[str]): The annotators to leave out.
    RETURNS (set[str]): The annotators that are kept.
    RAISES (SemevalError): If there is no such annotator; lists them.
    """
    known = sorted(known)
    unknown = [name for name in (*wanted, *excluded) if name not in known]
    if unknown:
        raise SemevalError(f"There is no annotator {unknown[0]!r}. Annotators: {', '.join(known) or 'none'}.")
    return set(wanted or known) - set(excluded)


def gather(
    judgements: Iterable[Judgement],
    annotators: Iterable[str],
    *,
    labels: Iterable[str] | None = None,
    on_duplicates: OnDuplicates = "error",
) -> Corpus:
    """Bring together what was said about the same documents.

    judgements (Iterable[Judgement]): All of them, in any order.
    annotators (Iterable[str]): The annotators to compare, those too who judged nothing; others are left out.
    labels (Iterable[str] | None): Keep spans with these labels only.
    on_duplicates (OnDuplicates): Which of different judgements of one person about one document to take: "first" or
        "last" by time, or by position where one has no time; "error" for none.
    RETURNS (Corpus): The documents.
    RAISES (SemevalError): If one person annotated a document in different ways, and none is to be taken.
    """
    names = tuple(sorted(set(annotators)))
    judgements = [judgement for judgement in judgements if judgement.annotator in names]
    named = all(judgement.document is not None for judgement in judgements)
    groups: dict[Hashable, list[Judgement]] = {}
    for judgement in judgements:
        groups.setdefault(judgement.document if named else judgement.key, []).append(judgement)
    counts: Counter[str] = Counter(different_text=0, duplicate_records=0)
    documents = []
    conflicts: list[str] = []
    for name, group in groups.items():
        by_annotator: dict[str, list[Judgement]] = {}
        for judgement in group:
            by_annotator.setdefault(judgement.annotator, []).append(judgement)
        conflicts.extend(_places(own) for own in by_annotator.values() if _differ(own))
        counts["duplicate_records"] += len(group) - len(by_annotator)
        chosen = {annotator: pick(by_annotator[annotator], on_duplicates) for annotator in sorted(by_annotator)}
        if len({judgement.text for judgement in chosen.values() if judgement.text is not None}) > 1:
            counts["different_text"] += 1
        else:
            documents.append(_document(name, chosen))
            _check_offsets(documents[-1])
    if conflicts and on_duplicates == "error":
        raise SemevalError(
            say_conflicts("Documents that one annotator annotated more than once, differently", conflicts)
        )
    documents.sort(key=lambda document: (isinstance(document.name, str), document.name))
    return Corpus(names, documents, dict(counts), None if labels is None else tuple(sorted(set(labels))))


def _check_offsets(document: Document) -> None:
    """Refuse spans that leave a text which somebody else's data has."""
    for judgement in document.judgements.values() if document.text is not None else ():
        for start, end, label in judgement.spans:
            if end > len(document.text or ""):
                raise SemevalError(
                    f"Span {start} to {end} ({label}) of {judgement.annotator!r} does not fit the text of document "
                    f"{document.name!r:.80}, which has {len(document.text or '')} characters."
                )


def _differ(group: Sequence[Judgement]) -> bool:
    return len(group) > 1 and len({(judgement.text, frozenset(judgement.spans)) for judgement in group}) > 1


def _places(group: Sequence[Judgement]) -> str:
    name = group[0].annotator
    if group[0].source is None:
        return f"{name}: document {group[0].document}, {len(group)} times"
    files: dict[str, list[str]] = {}
    for judgement in group:
        files.setdefault("" if judgement.source is None else judgement.source.name, []).append(str(judgement.line))
    return f"{name}: " + "; ".join(f"{file}, lines {', '.join(lines)}" for file, lines in files.items())


def _document(name: Any, judgements: Mapping[str, Judgement]) -> Document:
    text = next((judgement.text for judgement in judgements.values() if judgement.text is not None), None)
    tokens = {judgement.tokens for judgement in judgements.values() if judgement.tokens is not None}
    return Document(name, text, tokens.pop() if len(tokens) == 1 else None, judgements)
