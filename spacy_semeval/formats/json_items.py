"""Files that are a JSON array of documents, or JSONL with a document a line."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, NamedTuple, TypeVar

import msgspec

from ..errors import SemevalError
from .decoding import SHOWN
from .sources import Source

T = TypeVar("T")
LINES = (".jsonl", ".jsonl.gz")
WHITE = " \t\r\n"
whole = msgspec.json.Decoder(list[msgspec.Raw])


class Item(NamedTuple):
    """A document of a file.

    raw (bytes): Its JSON.
    number (int): Its line in JSONL, else which document it is, from 1.
    place (str): File and place, for messages.
    """

    raw: bytes
    number: int
    place: str


def read_items(source: Source) -> Iterator[Item]:
    """Divide a file into documents.

    source (Source): A JSON array, in one line or many; or JSONL: a file whose name ends so, or whose first two lines
        are both whole values.
    YIELDS (Item): The documents.
    RAISES (SemevalError): If it is no JSON.
    """
    lines = source.lines()
    if source.name.endswith(LINES) or _is_jsonl(source):
        for number, raw in lines:
            yield Item(raw, number, f"{source.name}, line {number}")
        return
    raw = b"\n".join(line for _, line in lines)
    try:
        elements = whole.decode(raw) if raw.startswith(b"[") else [msgspec.Raw(raw)] if raw else []
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise SemevalError(f"{source.name}: not valid JSON in UTF-8: {error}.") from None
    for number, element in enumerate(elements, 1):
        yield Item(bytes(element), number, f"{source.name}, document {number}")


def _is_jsonl(source: Source) -> bool:
    first = [raw for _, (_, raw) in zip(range(2), source.lines())]
    return len(first) == 2 and all(map(_is_whole, first))


def _is_whole(raw: bytes) -> bool:
    try:
        msgspec.json.decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return False
    return True


def decode_item(decoder: msgspec.json.Decoder[T], item: Item) -> T:
    """Decode a document.

    decoder (msgspec.json.Decoder[T]): What it has to be.
    item (Item): The document.
    RETURNS (T): What it holds.
    RAISES (SemevalError): If it is something else; names the place.
    """
    try:
        return decoder.decode(item.raw)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        found = item.raw[:SHOWN].decode("utf8", "replace")
        raise SemevalError(f"{item.place}: {error}: found {found}.") from None


def sniff_documents(head: bytes) -> list[Any]:
    """Read the documents at the beginning of a file, as far as they are whole.

    head (bytes): The first bytes.
    RETURNS (list[Any]): The documents; none if it begins with something else than JSON.
    """
    text = head.decode("utf8", "ignore").lstrip("\ufeff" + WHITE)
    first, rest = _next_value(text)
    if isinstance(first, list) and not rest.strip(WHITE):
        return first if all(isinstance(document, (list, dict)) for document in first) else [first]
    if first is not None:
        return _values(text, "")
    return _values(text[1:], ",") if text.startswith("[") else []


def find_fault(whole: bytes) -> str | None:
    """Find out why a file holds no documents.

    whole (bytes): The file.
    RETURNS (str | None): What is wrong with it, None if nothing is: it may be JSON of another kind, or no JSON at all.
    """
    text = whole.decode("utf8", "replace").strip("\ufeff" + WHITE)
    if not text:
        return "is empty"
    if text[0] not in "[{":
        return None
    try:
        return None if json.loads(text) else "holds no document"
    except json.JSONDecodeError as error:
        return None if error.msg == "Extra data" else f"is not valid JSON: {error}"  # another line of JSONL
    except RecursionError:
        return "is not valid JSON: it is nested too deeply"


def _values(text: str, divider: str) -> list[Any]:
    values: list[Any] = []
    while True:
        value, text = _next_value(text)
        if value is None:
            return values
        values.append(value)
        text = text.lstrip(WHITE).removeprefix(divider)


def _next_value(text: str) -> tuple[Any, str]:
    """The value that a text begins with and what is behind it; None if it is not whole."""
    text = text.lstrip(WHITE)
    try:
        value, end = json.JSONDecoder().raw_decode(text)
    except (ValueError, RecursionError):
        return None, text
    return value, text[end:]
