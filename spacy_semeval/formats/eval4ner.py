"""Read entities without offsets, as eval4ner takes them: each string is looked for in its text."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import msgspec

from ..errors import SemevalError
from .base import FileReader, Format, ReadOptions, Record, Span
from .json_items import decode_item, read_items, sniff_documents

SHOWN = 40
Entity = tuple[str, str]


class _Document(msgspec.Struct):
    text: str
    entities: list[Entity]


decoder = msgspec.json.Decoder(_Document)


class Eval4nerReader(FileReader):
    """Reads `[{"text", "entities": [["PER", "John"], …]}, …]`."""

    def records(self) -> Iterator[Record]:
        """YIELDS (Record): The documents, their entities at the places where they were found."""
        options = self.options
        for item in read_items(self.source):
            document = decode_item(decoder, item)
            try:
                placed = place_all(document.text, document.entities, options)
            except SemevalError as error:
                raise SemevalError(f"{item.place}: {error}") from None
            self.noted.update({"unmatched_strings": placed.spurious} if placed.spurious else {})
            self.skipped.update({"unmatched": placed.dropped} if placed.dropped else {})
            yield Record(document.text, placed.spans, item.number)


class Placed(NamedTuple):
    """The spans of a document, and how many of its strings are not in its text."""

    spans: tuple[Span, ...]
    spurious: int = 0
    dropped: int = 0


def place_all(text: str, entities: Sequence[Entity], options: ReadOptions) -> Placed:
    """Find the strings of a document in its text, and do with those that are not there what the options say.

    text (str): The text.
    entities (Sequence[Entity]): Label and string of each entity.
    options (ReadOptions): How to look for strings, and what to do with those that are not there.
    RETURNS (Placed): The spans. Those of strings that count as spurious are behind the end of the text.
    RAISES (SemevalError): If an entity has no label or no string, or a string is not there and that is an error.
    """
    for label, string in entities:
        if not label or not string:
            raise SemevalError(f"an entity has no {'string' if label else 'label'}.")
    spans, unmatched = place(text, entities, options.fold)
    if not unmatched:
        return Placed(tuple(spans))
    if options.unmatched == "drop":
        return Placed(tuple(spans), dropped=len(unmatched))
    if options.unmatched == "spurious" and not options.is_gold:
        return Placed((*spans, *outside(text, unmatched)), spurious=len(unmatched))
    raise SemevalError(_say(unmatched, len(entities), options.is_gold))


def _say(unmatched: list[Entity], entities: int, is_gold: bool) -> str:
    label, string = unmatched[0]
    said = f"{string[:SHOWN]!r} ({label}) is not in the text as often as it is listed"
    remedy = "--unmatched drop leaves such strings out, --fold ignores case and white space"
    if not is_gold:
        remedy = "--unmatched spurious counts such strings as spurious, drop leaves them out, --fold ignores case "
        remedy += "and white space"
    return f"{said}; {len(unmatched)} of its {entities} entities are not found. {remedy}."


def place(text: str, entities: Iterable[Entity], fold: bool = False) -> tuple[list[Span], list[Entity]]:
    """Find strings in a text, from left to right: the first mention of a string is its first occurrence, the second
    one the next, and so on.

    text (str): The text.
    entities (Iterable[Entity]): Label and string of each entity.
    fold (bool): Whether to ignore case and white space.
    RETURNS (tuple[list[Span], list[Entity]]): The spans, and the entities that were not found.
    """
    folded = _Folded(text, fold)
    behind: dict[str, int] = {}
    spans: list[Span] = []
    unmatched: list[Entity] = []
    for label, string in entities:
        wanted = _fold(string) if fold else string
        start = folded.text.find(wanted, behind.get(wanted, 0)) if wanted else -1
        if start < 0:
            unmatched.append((label, string))
            continue
        behind[wanted] = start + len(wanted)
        spans.append((*folded.place(start, start + len(wanted)), sys.intern(label)))
    return spans, unmatched


def outside(text: str, entities: Iterable[Entity]) -> list[Span]:
    """Give entities that are not in a text places behind its end, each a place of its own that touches no other.

    text (str): The text.
    entities (Iterable[Entity]): Label and string of each entity.
    RETURNS (list[Span]): A span for each. None can overlap a span of the text, so all of them are spurious.
    """
    first = len(text) + 1
    return [(first + 2 * i, first + 2 * i + 1, sys.intern(label)) for i, (label, _) in enumerate(entities)]


def _fold(text: str) -> str:
    return "".join(text.casefold().split())


class _Folded:
    """A text to look for strings in, and where its characters come from."""

    def __init__(self, text: str, fold: bool) -> None:
        self.text = text
        self.origin: list[int] | None = None
        if fold:
            pieces = [_fold(character) for character in text]
            self.text = "".join(pieces)
            self.origin = [i for i, piece in enumerate(pieces) for _ in piece]

    def place(self, start: int, end: int) -> tuple[int, int]:
        """The offsets in the text as it was."""
        return (start, end) if self.origin is None else (self.origin[start], self.origin[end - 1] + 1)


def sniff(head: bytes) -> bool:
    """Whether a file begins with texts and lists of label and string."""
    documents = sniff_documents(head)
    return bool(documents) and all(map(_is_document, documents))


def _is_document(document: Any) -> bool:
    if not isinstance(document, dict) or not isinstance(document.get("text"), str):
        return False
    entities = document.get("entities")
    return isinstance(entities, list) and all(isinstance(entity, list) and len(entity) == 2 for entity in entities)


# entry point: eval4ner
eval4ner = Format((".json",), sniff, Eval4nerReader, frozenset({"unmatched", "fold", "is_gold"}))
