"""What commands that score do with their result: save it, and say what it does not show by itself."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from wasabi import Printer

from .guard import writing


class Result(NamedTuple):
    """What a command found out.

    data (dict[str, Any]): The scores, as they are saved.
    tasks (list[bytes]): A JSON task for each document with an error, if they were asked for.
    hints (list[str]): What the numbers do not show.
    """

    data: dict[str, Any]
    tasks: list[bytes]
    hints: list[str]


def write_json(data: dict[str, Any], file: Path | None, output: Path | None) -> None:
    """Write data as JSON, if there is a file for it.

    data (dict[str, Any]): The data.
    file (Path | None): The file to write to.
    output (Path | None): The file that it stands for, for messages.
    """
    if file is not None and output is not None:
        import msgspec

        with writing(output):
            # All digits: a rounded tie would be shown otherwise when it is read again.
            file.write_bytes(msgspec.json.format(msgspec.json.encode(data), indent=2) + b"\n")


def write_tasks(tasks: Iterable[bytes], file: Path | None, output: Path | None) -> None:
    """Write tasks as JSONL, if there is a file for them; the arguments are as in `write_json`."""
    if file is not None and output is not None:
        with writing(output):
            file.write_bytes(b"".join(task + b"\n" for task in tasks))


def write_csv(rows: Iterable[Iterable[Any]], file: Path, name: str) -> None:
    """Write a table, a cell without a value empty.

    rows (Iterable[Iterable[Any]]): The rows, the first one with the names of the columns.
    file (Path): The file to write to.
    name (str): The name of the file that it stands for, for messages.
    """
    import csv

    with writing(Path(name)), file.open("w", encoding="utf8", newline="") as stream:
        csv.writer(stream).writerows(rows)


def print_end(result: Result, output: Path | None, errors: Path | None) -> None:
    """Print hints and which files were written."""
    from ..report.console import is_terminal, one_line, write

    msg = Printer(no_print=True, pretty=is_terminal(sys.stdout))
    for hint in result.hints:
        write(msg.warn(one_line(hint)), sys.stdout)
    if output is not None:
        write(msg.good(one_line(f"Saved scores to {output}")), sys.stdout)
    if errors is not None:
        said = f"Wrote documents with errors to {errors}: {len(result.tasks)}"
        write(msg.good(one_line(said)), sys.stdout)


def find_hints(data: dict[str, Any]) -> list[str]:
    """Say what makes scores of zero that are no scores of what was scored.

    data (dict[str, Any]): Scores as `Scores.to_dict` or `score_binary` gives them.
    RETURNS (list[str]): The hints.
    """
    if data["kind"] == "binary":
        cells = data["per_label"].items()
        absent = [label for label, cell in cells if not cell["accepted"] + cell["rejected"]]
        return [f"Labels that no answer is about: {', '.join(map(repr, absent))}."] if absent else []
    hints = []
    absent = [
        label for label, cells in data["per_label"].items() if not any(c["pos"] + c["act"] for c in cells.values())
    ]
    if absent:
        hints.append(f"Labels that occur neither in gold nor in predictions: {', '.join(map(repr, absent))}.")
    if data["settings"]["filters"]["labels"] is not None:
        return hints
    if not any(cell["act"] for cell in data["overall"].values()):
        hints.append("Nothing was predicted that could be scored.")
    if not any(cell["pos"] for cell in data["overall"].values()):
        hints.append("The gold data holds no span that could be scored. In JSONL they are under the key 'spans'.")
    return hints
