"""`semeval datasets`: what Prodigy's database holds."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from .guard import messages_for_errors, whole_file
from .options import PRODIGY_DB
from .results import write_json

if TYPE_CHECKING:
    from ..formats.database import Database

COUNTED = ("views", "answers", "annotators")


def datasets_cli(
    output: Path | None = typer.Option(None, "--output", "-o", help="Write the list to this JSON file"),
    prodigy_db: Path | None = PRODIGY_DB,
) -> None:
    """
    List the datasets in Prodigy's database, with their interfaces, answers and annotators.
    """
    from ..formats.database import find_database
    from ..report.console import write

    with messages_for_errors():
        database = find_database(prodigy_db)
        with whole_file(output, *([] if database.path is None else [database.path])) as file:
            data = datasets(database)
            write_json(data, file, output)
    with messages_for_errors():
        for entry in data["datasets"]:
            write(describe(entry), sys.stdout)
        if not data["datasets"]:
            write("The database holds no dataset.", sys.stdout)


def datasets(database: Database) -> dict[str, Any]:
    """List what a database holds.

    database (Database): Prodigy's database.
    RETURNS (dict[str, Any]): Under "datasets" for each one, datasets before sessions, `name`, `kind`, `records`,
        how many records there are of each of the `views`, `answers` and `annotators`, and how many are `unreadable`.
    RAISES (SemevalError): If the database cannot be read.
    """
    from ..about import __version__

    entries = [
        {
            "name": dataset.name,
            "kind": "session" if dataset.is_session else "dataset",
            "records": dataset.size,
            **_count(database, dataset.name),
        }
        for dataset in database.datasets()
    ]
    return {"kind": "datasets", "version": __version__, "datasets": entries}


def _count(database: Database, dataset: str) -> dict[str, Any]:
    from ..errors import SemevalError
    from ..formats.annotators import find_annotators, short_names
    from ..formats.decoding import decode, origin_decoder

    views: Counter[str] = Counter()
    answers: Counter[str] = Counter()
    annotators: Counter[str] = Counter()
    unreadable = 0
    for number, raw in enumerate(database.records(dataset), 1):
        try:
            record = decode(origin_decoder, raw, f"prodigy:{dataset}", number)
        except SemevalError:
            unreadable += 1
            continue
        views.update([record.view_id or "none"])
        answers.update([record.answer or "none"])
        annotators.update(find_annotators(record))
    shown = short_names(annotators)
    named = {short: annotators[name] for short, name in shown.items()}
    counted = (dict(sorted(views.items())), dict(sorted(answers.items())), named)
    return {**dict(zip(COUNTED, counted)), "unreadable": unreadable}


def describe(entry: Mapping[str, Any]) -> str:
    """RETURNS (str): The lines that show one dataset."""
    from ..report.console import one_line

    lines = [f"{one_line(entry['name'])} ({entry['kind']}, {entry['records']} records)"]
    for what in COUNTED:
        counted = ", ".join(f"{name} {number}" for name, number in entry[what].items())
        lines.append(f"  {what + ':':<12}{one_line(counted) or '-'}")
    if entry["unreadable"]:
        lines.append(f"  unreadable: {entry['unreadable']}")
    return "\n".join(lines)
