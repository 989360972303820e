"""Where annotators disagree: every two spans that are not the same, and spans that one of two has alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from ..engine.differences import Difference, find_differences
from ..engine.scores import Settings
from ..error_tasks import make_task, quoted, take_over
from ..errors import SemevalError
from ..formats.base import Span
from ..formats.decoding import any_decoder, decode
from ..formats.sources import Source
from .corpus import Corpus, Document

COLUMNS = (
    "document",
    "a",
    "b",
    "kind",
    "a_start",
    "a_end",
    "a_label",
    "a_text",
    "b_start",
    "b_end",
    "b_label",
    "b_text",
)


@dataclass(frozen=True)
class Disagreement:
    """Two annotators about one place.

    document (Document): The text.
    annotators (tuple[str, str]): Their names, sorted.
    difference (Difference): The span of the first one (as gold) and that of the second one, None where there is none.
    """

    document: Document
    annotators: tuple[str, str]
    difference: Difference

    @property
    def kind(self) -> str:
        """RETURNS (str): What differs: "label", "boundaries", "both", or "alone" for a span that one of them has."""
        first, second = self.difference.gold, self.difference.pred
        if first is None or second is None:
            return "alone"
        if first[:2] == second[:2]:
            return "label"
        return "boundaries" if first[2] == second[2] else "both"

    @property
    def start(self) -> int:
        """Where it begins: the first character of the span that begins first."""
        return min(span[0] for span in (self.difference.gold, self.difference.pred) if span is not None)

    def __str__(self) -> str:
        """What both have there: label, offsets and text, or nothing."""
        sides = zip(self.annotators, (self.difference.gold, self.difference.pred))
        said = (f"{name}: {'nothing' if span is None else describe(self.document, span)}" for name, span in sides)
        return " / ".join(said)

    def row(self) -> dict[str, Any]:
        """RETURNS (dict[str, Any]): The cells of a table, by the names of `COLUMNS`; None where there is no span."""
        row: dict[str, Any] = dict.fromkeys(COLUMNS)
        row.update(document=self.document.name, a=self.annotators[0], b=self.annotators[1], kind=self.kind)
        for side, span in zip("ab", (self.difference.gold, self.difference.pred)):
            if span is not None:
                row.update({f"{side}_start": span[0], f"{side}_end": span[1], f"{side}_label": span[2]})
                row[f"{side}_text"] = _text(self.document, span)
        return row


def describe(document: Document, span: Span) -> str:
    """Word a span.

    document (Document): The text.
    span (Span): Start, end and label.
    RETURNS (str): Label, offsets and text: "DRUG 5-12 'aspirin'".
    """
    start, end, label = span
    return f"{label} {start}-{end}" + ("" if document.text is None else f" {quoted(span, document.text)}")


def _text(document: Document, span: Span) -> str | None:
    return None if document.text is None else document.text[span[0] : span[1]]


def find_disagreements(corpus: Corpus) -> Iterator[tuple[int, Disagreement]]:
    """Find where annotators disagree.

    corpus (Corpus): The documents and who saw them.
    YIELDS (tuple[int, Disagreement]): The index of the document and what differs there: by pair of annotators, in order
        of their names, then by document, from left to right.
    """
    settings = Settings()
    for i, j in combinations(range(len(corpus.annotators)), 2):
        shared = corpus.seen[i] & corpus.seen[j]
        if shared.any():
            tables = [corpus.tables[k].take(shared[corpus.tables[k].doc]) for k in (i, j)]
            names = corpus.annotators[i], corpus.annotators[j]
            for doc, differences in find_differences(tables[0], tables[1], settings).items():
                yield from ((doc, Disagreement(corpus.documents[doc], names, found)) for found in differences)


def worst_first(entries: Sequence[Mapping[str, Any]]) -> list[int]:
    """Order documents by how much annotators differ.

    entries (Sequence[Mapping[str, Any]]): The documents as `agreement` gives them under "per_document".
    RETURNS (list[int]): The indices of those with a difference: most differences a pair of annotators first, then those
        with the lowest strict F1, then as they come.
    """
    differing = [i for i, entry in enumerate(entries) if entry["differences"]]
    return sorted(differing, key=lambda i: (-entries[i]["differences_per_pair"], entries[i]["strict"]["mean"], i))


def make_tasks(
    corpus: Corpus, order: Sequence[int], disagreements: Mapping[int, Sequence[Disagreement]]
) -> list[bytes]:
    """Make tasks for adjudication. The records of the first annotators are read again.

    corpus (Corpus): The documents.
    order (Sequence[int]): The documents to make tasks of.
    disagreements (Mapping[int, Sequence[Disagreement]]): By document.
    RETURNS (list[bytes]): A JSON task for each document, in that order: the spans of the first annotator, and in its
        meta what all have marked and where they differ.
    RAISES (SemevalError): If a text is not known.
    """
    kept = _read_again(corpus, order)
    return [_make_task(kept[i], corpus, i, disagreements[i]) for i in order]


def _make_task(task: Mapping[str, Any], corpus: Corpus, index: int, disagreements: Sequence[Disagreement]) -> bytes:
    document, spans = corpus.documents[index], corpus.spans_in(index)
    first = next(iter(spans))
    versions = [
        f"{name}: {', '.join(describe(document, span) for span in sorted(set(marked))) or 'nothing'}"
        for name, marked in spans.items()
    ]
    said = "; ".join(map(str, disagreements))
    return make_task(task, spans[first], annotator=first, versions="; ".join(versions), differences=said)


def _read_again(corpus: Corpus, order: Sequence[int]) -> dict[int, dict[str, Any]]:
    """What the record of the first annotator of each document holds besides spans."""
    found: dict[int, dict[str, Any]] = {}
    wanted: dict[Source, dict[int, list[int]]] = {}
    for i in order:
        document = corpus.documents[i]
        if document.text is None:
            raise SemevalError("Tasks can't be made without the texts: name the items with --texts.")
        first = next(iter(document.judgements.values()))
        if first.source is None:
            found[i] = {"text": document.text, "meta": {"id": document.name}}
        else:
            wanted.setdefault(first.source, {}).setdefault(first.line, []).append(i)
    for source, lines in wanted.items():
        for line, raw in source.lines():
            for i in lines.get(line, ()):
                record: dict[str, Any] = decode(any_decoder, raw, source.name, line)
                task = take_over(record)
                if task["text"] != corpus.documents[i].text:  # a version of a review with another text
                    task.pop("tokens", None)
                found[i] = {**task, "text": corpus.documents[i].text}
    return found
