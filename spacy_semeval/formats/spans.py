"""Read plain lists of spans, as GLiNER, spacy-llm and scripts write them: ends are exclusive."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import msgspec

from ..engine.spans import MAX_OFFSET
from ..errors import SemevalError
from .base import FileReader, Format, Record, Span
from .json_items import Item, decode_item, read_items, sniff_documents
from .nervaluate import is_span_list
from .prodigy import MARKS

LISTS = ("entities", "spans")
SHOWN = 40


class _Span(msgspec.Struct, gc=False):
    start: int
    end: int
    label: str
    text: str | None = None


class _Document(msgspec.Struct):
    id: int | str | None = None
    text: str | None = None
    entities: list[_Span] | None = None
    spans: list[_Span] | None = None


decoder = msgspec.json.Decoder(_Document)
list_decoder = msgspec.json.Decoder(list[_Span])


class SpansReader(FileReader):
    """Reads `{"id", "text", "entities" or "spans": [{"start", "end", "label", "text"}, …]}`, or only lists of spans.
    Documents are known by their ids, else by their texts; where they have neither, by their order."""

    def records(self) -> Iterator[Record]:
        """YIELDS (Record): The documents."""
        for item in read_items(self.source):
            document = _document(item)
            held = [spans for spans in (document.entities, document.spans) if spans is not None]
            if len(held) != 1:
                problem = "has both" if held else "has neither"
                raise SemevalError(
                    f"{item.place}: expected spans under 'entities' or 'spans', but the record {problem}."
                )
            spans = tuple(_span(span, document.text, item.place) for span in held[0])
            yield Record(document.text, spans, item.number, input_hash=document.id)


def _document(item: Item) -> _Document:
    if item.raw.lstrip().startswith(b"["):
        return _Document(spans=decode_item(list_decoder, item))
    return decode_item(decoder, item)


def _span(span: _Span, text: str | None, place: str) -> Span:
    start, end = span.start, span.end
    said = f"{place}: span {start} to {end} ({span.label})"
    if not 0 <= start < end <= (MAX_OFFSET if text is None else len(text)):
        if text is None:
            raise SemevalError(f"{said} holds no character, or far too many.")
        raise SemevalError(f"{said} does not fit its text of {len(text)} characters.")
    if not span.label:
        raise SemevalError(f"{place}: span {start} to {end} has an empty label.")
    if span.text is not None and (len(span.text) != end - start if text is None else span.text != text[start:end]):
        held = f"{end - start} characters" if text is None else repr(text[start:end][:SHOWN])
        raise SemevalError(
            f"{said} holds {held}, but its text is {span.text[:SHOWN]!r}: the offsets do not belong to this text, or "
            "its ends are inclusive (--gold-format or --pred-format nervaluate)."
        )
    return start, end, sys.intern(span.label)


def sniff(head: bytes) -> bool:
    """Whether a file begins with lists of spans, or with records that hold some and are not Prodigy's."""
    documents = sniff_documents(head)
    return bool(documents) and all(is_span_list(document) or _is_record(document) for document in documents)


def _is_record(document: Any) -> bool:
    if not isinstance(document, dict) or not MARKS.isdisjoint(document):
        return False
    named = "id" in document or "text" not in document
    return is_span_list(document.get("entities")) or (named and is_span_list(document.get("spans")))


# entry point: spans
spans = Format((".json", ".jsonl"), sniff, SpansReader)
