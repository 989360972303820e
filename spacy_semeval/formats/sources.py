"""Where records come from: a file, standard input or Prodigy's database, as numbered lines of bytes."""

from __future__ import annotations

import gzip
import io
import os
import shutil
import sys
import tempfile
import weakref
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import IO, Protocol, cast

from ..errors import SemevalError
from .database import PREFIX, Database, find_database

STDIN = "-"
LONGEST_LINE = 100_000_000
GZIP = b"\x1f\x8b"
BOM = b"\xef\xbb\xbf"
UTF16 = (b"\xff\xfe", b"\xfe\xff", b"\0\0\xfe\xff")
NO_TEXT = {b"PAR1\x15": "a parquet file", b"PK\x03\x04": "a zip archive, as spreadsheets are too"}


class Source(Protocol):
    """What a reader takes. It can be read more than once.

    name (str): For messages.
    path (Path | None): The file behind it, if there is one.
    """

    name: str
    path: Path | None

    def lines(self) -> Iterator[tuple[int, bytes]]:
        """YIELDS (tuple[int, bytes]): Each line that is not blank, and its number from 1."""
        ...


def open_source(where: str | Path, prodigy_db: Path | None = None) -> Source:
    """Find what a user names.

    where (str | Path): A path, "-" for standard input, or "prodigy:" and the name of a dataset.
    prodigy_db (Path | None): Prodigy's SQLite file, if it is not where Prodigy puts it.
    RETURNS (Source): The source. Files may be gzipped.
    RAISES (SemevalError): If there is no such file or dataset.
    """
    if str(where).startswith(PREFIX):
        return DatabaseSource(str(where), find_database(prodigy_db))
    if where == STDIN:
        if sys.stdin is None:
            raise SemevalError("Can't read standard input: it is closed.")
        return StreamSource("standard input", lambda: nullcontext(sys.stdin.buffer))
    path, name = Path(where), readable(where)
    with _blamed_on(name):
        if where == "" or not path.exists():
            raise SemevalError(f"Can't find {name or 'a file without a name'}.")
        if path.is_dir():
            raise SemevalError(f"Can't read {name}: it is a directory.")
        # A pipe gives what it holds only once.
        return FileSource(path) if path.is_file() else StreamSource(name, lambda: path.open("rb"))


def readable(name: str | Path) -> str:
    """Give a file's name as text for messages: on one line, and bytes that are no text escaped."""
    return os.fsencode(name).decode("utf8", "backslashreplace").replace("\n", "\\n")


class FileSource:
    """A file, gzipped or not."""

    def __init__(self, path: Path) -> None:
        self.name = readable(path)
        self.path: Path | None = path
        self._file = path

    def lines(self) -> Iterator[tuple[int, bytes]]:
        """YIELDS (tuple[int, bytes]): The number and the bytes of each line that is not blank."""
        with _blamed_on(self.name), self._file.open("rb") as file:
            yield from _numbered(_split(_unpacked(file), self.name))


class FolderSource:
    """A folder, whose files only some formats know how to read."""

    def __init__(self, path: Path) -> None:
        self.name = readable(path)
        self.path: Path | None = path

    def lines(self) -> Iterator[tuple[int, bytes]]:
        """RAISES (SemevalError): Always, since a folder has no lines."""
        raise SemevalError(f"Can't read {self.name}: it is a directory.")


class StreamSource:
    """Standard input or a pipe: what it gives is kept in a temporary file, to be read again."""

    def __init__(self, name: str, open_stream: Callable[[], AbstractContextManager[IO[bytes]]]) -> None:
        self.name = name
        self.path: Path | None = None
        self._open_stream = open_stream
        self._kept: IO[bytes] | None = None

    def lines(self) -> Iterator[tuple[int, bytes]]:
        """YIELDS (tuple[int, bytes]): The number and the bytes of each line that is not blank."""
        with _blamed_on(self.name):
            if self._kept is None:
                self._kept = self._keep()
            self._kept.seek(0)
            yield from _numbered(_split(self._kept, self.name))

    def _keep(self) -> IO[bytes]:
        """Write all of it into a temporary file: whoever reads a part may not come back for the rest."""
        kept = tempfile.TemporaryFile()  # noqa: SIM115  (open as long as this object is there)
        weakref.finalize(self, kept.close)
        with self._open_stream() as stream:
            shutil.copyfileobj(cast(IO[bytes], _unpacked(stream)), kept)
        return kept


class DatabaseSource:
    """A dataset in Prodigy's database; its lines are those that `db-out` would write."""

    def __init__(self, name: str, database: Database) -> None:
        self.name = readable(name)
        self.path = database.path
        self.database = database
        self.dataset = name.removeprefix(PREFIX)
        database.check(self.dataset)

    def lines(self) -> Iterator[tuple[int, bytes]]:
        """YIELDS (tuple[int, bytes]): The place and the JSON of each record."""
        for number, raw in enumerate(self.database.records(self.dataset), 1):
            if len(raw) > LONGEST_LINE:
                raise _too_long(self.name, number)
            yield number, raw


@contextmanager
def _blamed_on(name: str) -> Iterator[None]:
    try:
        yield
    except SemevalError:
        raise
    except (OSError, EOFError, ValueError, zlib.error) as error:
        raise SemevalError(f"Can't read {name}: {getattr(error, 'strerror', None) or error}.") from None


class _HasLines(Protocol):
    def readline(self, size: int, /) -> bytes: ...


def _unpacked(file: IO[bytes]) -> _HasLines:
    """The file, or what it holds if it is gzipped."""
    # Standard input is not buffered where something else stands in for it.
    buffered = file if isinstance(file, io.BufferedReader) else io.BufferedReader(cast(io.RawIOBase, file))
    return gzip.GzipFile(fileobj=buffered) if buffered.peek(2).startswith(GZIP) else buffered


def _split(file: _HasLines, name: str) -> Iterator[bytes]:
    """Lines with their ends. What JSON escapes, and U+2028, ends no line."""
    number = 0
    while raw := file.readline(LONGEST_LINE + 1):
        number += 1
        if len(raw) > LONGEST_LINE:
            raise _too_long(name, number)
        if number == 1:
            _refuse_what_is_no_utf8(raw, name)
        yield raw


def _refuse_what_is_no_utf8(start: bytes, name: str) -> None:
    if start.startswith(UTF16):
        raise SemevalError(f"{name} is in UTF-16 or UTF-32. Save it as UTF-8.")
    for magic, kind in NO_TEXT.items():
        if start.startswith(magic):
            raise SemevalError(f"{name} is {kind}, which is not read. Export the data as JSONL, JSON, CSV or CoNLL.")


def _numbered(lines: Iterable[bytes]) -> Iterator[tuple[int, bytes]]:
    for number, raw in enumerate(lines, 1):
        line = raw.removeprefix(BOM).strip() if number == 1 else raw.strip()
        if line:
            yield number, line


def _too_long(name: str, line: int) -> SemevalError:
    return SemevalError(f"{name}, line {line}: longer than {LONGEST_LINE // 1_000_000} MB, which no annotation is.")
