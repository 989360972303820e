"""Read the span lists that nervaluate takes: ends are the last character (or token) of a span."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import msgspec

from ..engine.spans import MAX_OFFSET
from ..errors import SemevalError
from .base import FileReader, Format, Record, Span
from .json_items import decode_item, read_items, sniff_documents

KEYS = {"label", "start", "end"}


class _Span(msgspec.Struct, gc=False):
    label: str
    start: int
    end: int


decoder = msgspec.json.Decoder(list[_Span])


class NervaluateReader(FileReader):
    """Reads `[[{"label", "start", "end"}, …], …]`: a list of spans a document, known by their order."""

    def records(self) -> Iterator[Record]:
        """YIELDS (Record): The spans of each document, with exclusive ends; no text."""
        for item in read_items(self.source):
            spans = tuple(_span(span, item.place) for span in decode_item(decoder, item))
            yield Record(None, spans, item.number)


def _span(span: _Span, place: str) -> Span:
    if not 0 <= span.start <= span.end < MAX_OFFSET:
        raise SemevalError(f"{place}: span {span.start} to {span.end} ({span.label}) holds no character.")
    if not span.label:
        raise SemevalError(f"{place}: span {span.start} to {span.end} has an empty label.")
    return span.start, span.end + 1, sys.intern(span.label)


def is_span_list(document: Any) -> bool:
    """Whether a document is a list of spans, or empty."""
    return isinstance(document, list) and all(isinstance(span, dict) and span.keys() >= KEYS for span in document)


def sniff(head: bytes) -> bool:
    """Whether a file begins with lists of spans."""
    documents = sniff_documents(head)
    return bool(documents) and all(map(is_span_list, documents))


# entry point: nervaluate
nervaluate = Format((".json", ".jsonl"), sniff, NervaluateReader, unit=None, has_text=False)
