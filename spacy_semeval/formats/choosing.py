"""Which format a file has: the one that a user names, or the only one that its name and its content allow."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from .. import registry
from ..errors import SemevalError, SettingsError
from .base import Format, ReadOptions
from .database import PREFIX
from .json_items import find_fault
from .sources import STDIN, FolderSource, Source, open_source

HEAD = 1_000_000  # bytes that are looked at
USUAL = "prodigy"  # whose reader says best what is wrong with lines of JSON
FOLDERS = "potato"
INCLUSIVE = " Mind the ends: nervaluate's are the last character of a span, those of spans the one behind it."


class Named(NamedTuple):
    """A format under its name."""

    name: str
    format: Format


def open_any(where: str | Path, prodigy_db: Path | None = None) -> Source:
    """Find what a user names, as `open_source` does; folders too.

    where (str | Path): A path, "-" for standard input, or "prodigy:" and the name of a dataset.
    prodigy_db (Path | None): Prodigy's SQLite file, if it is not where Prodigy puts it.
    RETURNS (Source): The source.
    RAISES (SemevalError): If there is no such file or dataset.
    """
    if not isinstance(where, (str, Path)):
        raise SemevalError(f"Expected a path or a name as a string, but got {where!r:.80}.")
    text = str(where)
    is_path = text not in ("", STDIN) and not text.startswith(PREFIX)
    return FolderSource(Path(where)) if is_path and Path(where).is_dir() else open_source(where, prodigy_db)


def find_format(source: Source, name: str | None = None, option: str = "--format") -> Named:
    """Find the format of a file.

    source (Source): The file.
    name (str | None): What the user says that it is.
    option (str): The command's option that names a format, for messages.
    RETURNS (Named): The format.
    RAISES (SemevalError): If there is no such format, or if the content fits several or none; lists them.
    """
    known = all_formats()
    if name is not None:
        registry.find(registry.formats, "format", name)
        return Named(name, known[name])
    if source.name.startswith(PREFIX):
        return Named(USUAL, known[USUAL])
    if isinstance(source, FolderSource):
        return Named(FOLDERS, known[FOLDERS])
    candidates = [name for name, format in known.items() if source.name.lower().endswith(format.endings)]
    if len(candidates) == 1:
        return Named(candidates[0], known[candidates[0]])
    head = _read_head(source)
    fits = [name for name in candidates or known if known[name].sniff(head)]
    if len(fits) == 1:
        return Named(fits[0], known[fits[0]])
    if not fits and (not candidates or USUAL in candidates):
        return Named(USUAL, known[USUAL])
    raise SemevalError(_say(source, head, fits, candidates, option))


def all_formats() -> dict[str, Format]:
    """RETURNS (dict[str, Format]): All registered formats by name, sorted."""
    try:
        known = registry.formats.get_all()
    except Exception as error:  # the package of an entry point may raise anything
        raise SettingsError(f"A registered format can't be loaded: {type(error).__name__}: {error}") from None
    wrong = [name for name, format in known.items() if not isinstance(format, Format)]
    if wrong:
        raise SettingsError(f"What is registered as format {wrong[0]!r} is no Format, but {known[wrong[0]]!r:.80}.")
    return dict(sorted(known.items()))


def refuse_unused(options: ReadOptions, formats: Iterable[Named], spelled: Mapping[str, str]) -> None:
    """Raise SettingsError for an option that none of the formats uses.

    options (ReadOptions): The options.
    formats (Iterable[Named]): The formats of the files that are read with them.
    spelled (dict[str, str]): How the command spells the options that a user may give.
    """
    formats = list(formats)
    nothing = ReadOptions()
    for field, option in spelled.items():
        given = getattr(options, field) != getattr(nothing, field)
        if given and not any(field in format.uses for _, format in formats):
            users = ", ".join(name for name, format in all_formats().items() if field in format.uses)
            found = " and ".join(dict.fromkeys(name for name, _ in formats))
            raise SettingsError(f"{option} is for the formats {users}, but the data is {found}.")


def _read_head(source: Source) -> bytes:
    head = bytearray()
    for _, raw in source.lines():
        head += raw + b"\n"
        if len(head) >= HEAD:
            break
    return bytes(head[:HEAD])


def _say(source: Source, head: bytes, fits: list[str], candidates: list[str], option: str) -> str:
    if fits:
        ends = INCLUSIVE if "nervaluate" in fits else ""
        return f"{source.name} may be of several formats: {', '.join(fits)}. Name the right one with {option}.{ends}"
    fault = find_fault(head) if len(head) < HEAD else None
    if fault is not None:
        return f"{source.name} {fault}."
    said = f"Can't tell the format of {source.name}: it is none of {', '.join(candidates)} by its content"
    return f"{said}. {option} NAME says what it is, and then what is wrong with it."
