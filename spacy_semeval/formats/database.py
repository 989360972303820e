"""Prodigy's database: the SQLite file that it writes by default, or whatever else it is configured for.

The SQLite file has the tables `dataset` (name, session), `example` (content, the JSON of a record) and `link`. Each
example is linked to its dataset and to the session in which it was annotated, which is listed as a dataset too.
"""

from __future__ import annotations

import importlib.util
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import msgspec

from ..errors import SemevalError

PREFIX = "prodigy:"
SHOWN = 20


@dataclass(frozen=True)
class DatasetName:
    """A dataset that a database holds.

    name (str): Its name.
    is_session (bool): Whether it is what was annotated in one session.
    size (int): The number of its records.
    """

    name: str
    is_session: bool
    size: int


class Database(Protocol):
    """What is needed of a database.

    path (Path | None): The file behind it, if it is known.
    """

    path: Path | None

    def datasets(self) -> list[DatasetName]:
        """RETURNS (list[DatasetName]): What it holds, datasets before sessions, each sorted by name."""
        ...

    def records(self, dataset: str) -> Iterator[bytes]:
        """YIELDS (bytes): The JSON of each record of a dataset, in the order of annotation."""
        ...

    def check(self, dataset: str) -> None:
        """Raise SemevalError if it holds no such dataset; lists what it holds."""
        ...


def find_database(path: Path | None = None) -> Database:
    """Find the database that Prodigy uses.

    path (Path | None): Its SQLite file; by default what an installed Prodigy is configured for, else prodigy.db in
        $PRODIGY_HOME or ~/.prodigy.
    RETURNS (Database): The database.
    RAISES (SemevalError): If there is none.
    """
    if path is None and _is_configured_otherwise():
        return ConnectedDatabase()
    home = os.environ.get("PRODIGY_HOME")
    path = path or (Path(home) if home else Path.home() / ".prodigy") / "prodigy.db"
    if not path.is_file():
        found = "it is no file" if path.exists() else "there is no such file"
        raise SemevalError(
            f"Can't read Prodigy's database {path}: {found}. It is looked for in $PRODIGY_HOME or ~/.prodigy; name "
            "another one with --prodigy-db FILE (in a config: prodigy_db)."
        )
    return SqliteDatabase(path)


def _is_configured_otherwise() -> bool:
    """Whether Prodigy is installed and keeps its annotations elsewhere than in its default SQLite file."""
    if importlib.util.find_spec("prodigy") is None:
        return False
    with _blame_prodigy():
        from prodigy.util import get_config

        config = get_config()
        kind = config.get("db", "sqlite")
        return kind != "sqlite" or bool(config.get("db_settings", {}).get("sqlite"))


@contextmanager
def _blame_prodigy() -> Iterator[None]:
    try:
        yield
    except SemevalError:
        raise
    except (Exception, SystemExit) as error:  # Prodigy, its database driver and its plugins may raise anything
        raise SemevalError(f"Prodigy can't open its database: {type(error).__name__}: {error}") from error


def _refuse_unknown(dataset: str, datasets: list[DatasetName], where: str) -> None:
    if any(known.name == dataset for known in datasets):
        return
    listed = [f"  {d.name!r} ({'session, ' if d.is_session else ''}{d.size} records)" for d in datasets[:SHOWN]]
    more = [f"  and {len(datasets) - SHOWN} more"] if len(datasets) > SHOWN else []
    raise SemevalError("\n".join([f"{where} has no dataset {dataset!r}. It has:", *(listed or ["  none"]), *more]))


class SqliteDatabase:
    """Prodigy's SQLite file, opened for reading only."""

    def __init__(self, path: Path) -> None:
        self.path: Path | None = path
        self._file = path

    def datasets(self) -> list[DatasetName]:
        """RETURNS (list[DatasetName]): What it holds, datasets before sessions, each sorted by name."""
        query = """
            SELECT dataset.name, dataset.session, COUNT(link.id)
            FROM dataset LEFT JOIN link ON link.dataset_id = dataset.id
            GROUP BY dataset.id ORDER BY COALESCE(dataset.session, 0) != 0, dataset.name
        """
        with self._reading() as connection:
            return [DatasetName(str(name), bool(session), size) for name, session, size in connection.execute(query)]

    def records(self, dataset: str) -> Iterator[bytes]:
        """YIELDS (bytes): The JSON of each record of a dataset, in the order of annotation."""
        query = """
            SELECT example.content
            FROM dataset JOIN link ON link.dataset_id = dataset.id LEFT JOIN example ON example.id = link.example_id
            WHERE dataset.name = ? ORDER BY link.id
        """
        with self._reading() as connection:
            for (content,) in connection.execute(query, (dataset,)):
                # What is linked and not there is no record, which is said when it is decoded.
                yield content if isinstance(content, bytes) else str(content or "").encode("utf8", "backslashreplace")

    def check(self, dataset: str) -> None:
        """Raise SemevalError if it holds no such dataset; lists what it holds."""
        _refuse_unknown(dataset, self.datasets(), str(self._file))

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        try:
            with closing(sqlite3.connect(f"{self._file.resolve().as_uri()}?mode=ro", uri=True)) as connection:
                yield connection
        except sqlite3.Error as error:
            raise SemevalError(f"Can't read {self._file} as Prodigy's SQLite database: {error}.") from None


class ConnectedDatabase:
    """The database that Prodigy connects to by its own configuration."""

    def __init__(self) -> None:
        with _blame_prodigy():
            from prodigy.components.db import connect

            self.path: Path | None = None
            self._database: Any = connect()

    def datasets(self) -> list[DatasetName]:
        """RETURNS (list[DatasetName]): What it holds, datasets before sessions, each sorted by name."""
        with _blame_prodigy():
            names = [(name, False) for name in sorted(self._database.datasets)]
            names += [(name, True) for name in sorted(self._database.sessions)]
            return [DatasetName(name, is_session, len(self._examples(name))) for name, is_session in names]

    def records(self, dataset: str) -> Iterator[bytes]:
        """YIELDS (bytes): The JSON of each record of a dataset, in the order of annotation."""
        with _blame_prodigy():
            yield from map(msgspec.json.encode, self._examples(dataset))

    def check(self, dataset: str) -> None:
        """Raise SemevalError if it holds no such dataset; lists what it holds."""
        with _blame_prodigy():
            if dataset not in (*self._database.datasets, *self._database.sessions):
                _refuse_unknown(dataset, self.datasets(), "Prodigy's database")

    def _examples(self, dataset: str) -> list[Any]:
        return self._database.get_dataset_examples(dataset) or []
