"""One line of Prodigy's JSONL, decoded into typed fields; what has a wrong type is named with file, line and field."""

from __future__ import annotations

import re
from typing import Any, TypeVar

import msgspec

from ..errors import SemevalError
from .base import Token
from .database import PREFIX

T = TypeVar("T")
SHOWN = 80


class TaskSpan(msgspec.Struct, gc=False):
    """A span as the file has it; what scoring does not need is passed over."""

    start: int | None = None
    end: int | None = None
    label: str | None = None
    answer: str | None = None
    rank: Any = None
    score: Any = None
    priority: Any = None
    points: Any = None


class Version(msgspec.Struct):
    """One of the annotations that a review compared. Spans that are absent are UNSET, which is not the same as null."""

    text: str | None = None
    spans: list[TaskSpan] | None | msgspec.UnsetType = msgspec.UNSET
    sessions: list[str] = []
    answer: str | None = None
    view_id: str | None = msgspec.field(name="_view_id", default=None)
    timestamp: Any = msgspec.field(name="_timestamp", default=None)


class Task(msgspec.Struct):
    """A record as the file has it. The time is checked where it is needed."""

    text: str | None = None
    spans: list[TaskSpan] | None | msgspec.UnsetType = msgspec.UNSET
    tokens: list[Token] | None = None
    answer: str | None = None
    input_hash: int | str | None = msgspec.field(name="_input_hash", default=None)
    timestamp: Any = msgspec.field(name="_timestamp", default=None)
    annotator_id: str | None = msgspec.field(name="_annotator_id", default=None)
    session_id: str | None = msgspec.field(name="_session_id", default=None)
    view_id: str | None = msgspec.field(name="_view_id", default=None)
    reviewed_view: str | None = msgspec.field(name="view_id", default=None)
    is_binary: bool | None = msgspec.field(name="_is_binary", default=None)
    versions: list[Version] | None = None
    image: Any = None
    audio: Any = None
    audio_spans: Any = None
    options: Any = None


class Origin(msgspec.Struct):
    """Of a record only what says who annotated it, and how."""

    answer: str | None = None
    view_id: str | None = msgspec.field(name="_view_id", default=None)

    annotator_id: str | None = msgspec.field(name="_annotator_id", default=None)
    session_id: str | None = msgspec.field(name="_session_id", default=None)
    versions: list[Version] | None = None


task_decoder = msgspec.json.Decoder(Task)
origin_decoder = msgspec.json.Decoder(Origin)
any_decoder = msgspec.json.Decoder(dict[str, Any])


def decode(decoder: msgspec.json.Decoder[T], raw: bytes, name: str, line: int) -> T:
    """Decode a line.

    decoder (msgspec.json.Decoder[T]): One of the decoders above.
    raw (bytes): The line.
    name (str): The file's, for messages.
    line (int): The line's number.
    RETURNS (T): What the line holds.
    RAISES (SemevalError): If it is no JSON object, or a field has another type.
    """
    try:
        return decoder.decode(raw)
    except msgspec.ValidationError as error:
        if raw.startswith(b"["):
            found = "a JSON array, but expected JSONL: one JSON object a line, as Prodigy and Potato export it"
            raise bad_line(name, line, f"found {found}") from None
        hint = " (pandas and CSV make a string of a list)" if "got `str` - at `$.spans`" in str(error) else ""
        raise bad_line(name, line, f"{error}{_found(raw, str(error))}{hint}") from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        hint = " (spaCy's own files are for `semeval evaluate`)" if name.endswith(".spacy") else ""
        raise bad_line(name, line, f"not valid JSON in UTF-8: {error}{hint}") from None


def bad_line(name: str, line: int, what: str) -> SemevalError:
    """RETURNS (SemevalError): The error for a line, to be raised."""
    kind = "record" if name.startswith(PREFIX) else "line"
    return SemevalError(f"{name}, {kind} {line}: {what}.")


def _found(raw: bytes, message: str) -> str:
    """The value that a validation error is about, which its message does not hold."""
    place = re.search(r"at `\$(.*)`$", message)
    if place is None:
        return ""
    try:
        value = msgspec.json.decode(raw)
        for key, index in re.findall(r"\.(\w+)|\[(\d+)\]", place[1]):
            value = value[key] if key else value[int(index)]
    except (msgspec.MsgspecError, RecursionError, LookupError, TypeError):
        return ""  # another fault of the line is in the way, or a key that it has twice
    return f": found {str(value)[:SHOWN]!r}" if isinstance(value, str) else f": found {str(value)[:SHOWN]}"
