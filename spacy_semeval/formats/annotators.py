"""Who annotated what: the names in a file of Prodigy's, and the choice of one."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from typing import Any
from urllib.parse import unquote

from ..errors import SemevalError
from .decoding import Origin, Task, any_decoder, bad_line, decode, origin_decoder
from .sources import Source

SESSION_START = re.compile(r"\d{4}-\d\d-\d\d[_T ]\d\d[-:]\d\d[-:]\d\d$")


def find_annotator(task: Task | Origin) -> str | None:
    """Say who answered, as far as a record tells.

    task (Task | Origin): The record.
    RETURNS (str | None): The full name. A session that is named by its start is nobody.
    """
    return find_person(task.annotator_id or task.session_id)


def find_person(name: str | None) -> str | None:
    """RETURNS (str | None): The name of a session, if it is that of a person and not the session's start."""
    return None if not name or SESSION_START.search(name) else name


def find_annotators(task: Task | Origin) -> set[str]:
    """Say whose annotations a record holds: of a review export these are the sessions of its versions.

    task (Task | Origin): The record.
    RETURNS (set[str]): The full names.
    """
    if task.versions is None:
        return set(filter(None, [find_annotator(task)]))
    # The ids of a review record are copied from a version.
    sessions = (find_person(name) for version in task.versions for name in version.sessions)
    return {name for name in sessions if name is not None}


def find_named(raw: bytes, key: str, name: str, line: int) -> str | None:
    """Say who answered by another field of the record.

    raw (bytes): The line.
    key (str): The field; `meta.coder` for the field coder in meta.
    name (str): The file's, for messages.
    line (int): The line's number.
    RETURNS (str | None): The name, None if the record has none.
    RAISES (SemevalError): If the field holds something else than a name or a number.
    """
    task = decode(any_decoder, raw, name, line)
    if task.get("versions"):
        raise bad_line(name, line, "a review record; its annotators are the sessions of its versions, not a field")
    value: Any = task
    for part in key.split("."):
        value = value.get(part) if isinstance(value, dict) else None
    if value is None or value == "":
        return None
    if isinstance(value, bool) or not isinstance(value, (str, int)):
        raise bad_line(name, line, f"the annotator key {key!r} holds no name, but {str(value)[:80]}")
    return str(value)


def list_annotators(source: Source, key: str | None = None) -> list[str]:
    """List who annotated a file.

    source (Source): The file.
    key (str | None): Another field that names the annotator.
    RETURNS (list[str]): The full names, sorted.
    RAISES (SemevalError): If a line is malformed.
    """
    names: set[str] = set()
    for line, raw in source.lines():
        if key is not None:
            names.update(filter(None, [find_named(raw, key, source.name, line)]))
        else:
            names.update(find_annotators(decode(origin_decoder, raw, source.name, line)))
    return sorted(names)


def short_names(names: Iterable[str]) -> dict[str, str]:
    """Name people as they are shown: without the dataset's name, where all names begin with it.

    names (Iterable[str]): The full names.
    RETURNS (dict[str, str]): The full name behind each shown one, sorted by full name.
    """
    names = sorted(names)
    prefix = names[0][: names[0].rfind("-") + 1] if names else ""
    while prefix and not all(name.startswith(prefix) and name != prefix for name in names):
        prefix = prefix[: prefix.rfind("-", 0, -1) + 1]
    short = {name: unquote(name.removeprefix(prefix)) for name in names}
    # Two names that look the same when they are decoded are shown as they are.
    alike = Counter(short.values())
    shown = {name if alike[decoded] > 1 else decoded: name for name, decoded in short.items()}
    return shown if len(shown) == len(short) else {name: name for name in short}


def choose(names: Iterable[str], wanted: str, where: str) -> str:
    """Find the full name of an annotator.

    names (Iterable[str]): The full names of all.
    wanted (str): A full name, or one as it is shown.
    where (str): The file's name, for the message.
    RETURNS (str): The full name.
    RAISES (SemevalError): If there is no such annotator; lists them.
    """
    shown = short_names(names)
    for name in (shown.get(wanted), wanted):
        if name is not None and name in shown.values():
            return name
    raise SemevalError(f"{where} holds nothing by annotator {wanted!r}. Annotators: {', '.join(shown) or 'none'}.")
