"""Tables in a terminal: fitted to its width, and plain text where the output is none."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Mapping
from typing import IO, Any, Literal

from wasabi import table as format_table

from .agreement_rows import agreement_tables, header_lines, left_out_lines
from .conll import conll_report
from .rows import (
    Table,
    accepted_table,
    ace_table,
    answers_table,
    average_table,
    document_notes,
    muc_tables,
    overall_table,
    per_label_table,
    records_table,
)

NO_TERMINAL_WIDTH = 80
NARROWEST_LABEL = 6
ELLIPSIS = "…"


def is_terminal(stream: IO[str]) -> bool:
    """Whether a stream is a terminal, so that colours, redrawing and its width make sense."""
    return bool(getattr(stream, "isatty", bool)())


def width_of(stream: IO[str]) -> int:
    """RETURNS (int): The columns of a stream's terminal, 80 where it is none."""
    return shutil.get_terminal_size().columns if is_terminal(stream) else NO_TERMINAL_WIDTH


def write(text: str, stream: IO[str]) -> None:
    """Print a text, characters that the stream's encoding lacks as question marks."""
    encoding = getattr(stream, "encoding", None) or "utf8"
    print(text.encode(encoding, errors="replace").decode(encoding), file=stream, flush=True)


def visible(text: str) -> str:
    """Escape what a terminal would obey instead of showing it; line breaks stay."""
    return "".join(c if c.isprintable() or c == "\n" else ascii(c)[1:-1] for c in text)


def print_scores(scores: Mapping[str, Any], attr: str, stream: IO[str]) -> None:
    """Print the table of all labels, the table of each label, and what was scored.

    scores (Mapping[str, Any]): A dict as `Scores.to_dict` gives it.
    attr (str): What was scored: "ents", or "spans_" and the key.
    stream (IO[str]): Where to print.
    """
    tables = [
        overall_table(scores, attr),
        per_label_table(scores, attr),
        average_table(scores),
        *muc_tables(scores),
        ace_table(scores),
    ]
    _print_tables(tables, scores["documents"], stream)
    if "conll" in scores:
        print_title("CoNLL-2003", stream)
        write(visible(conll_report(scores)), stream)


def print_binary(scores: Mapping[str, Any], stream: IO[str]) -> None:
    """Print the tables of scores against binary answers, and what was scored.

    scores (Mapping[str, Any]): A dict as `score_binary` gives it.
    stream (IO[str]): Where to print.
    """
    _print_tables([answers_table(scores), accepted_table(scores)], scores["documents"], stream)


def print_agreement_tables(result: Mapping[str, Any], stream: IO[str], detail: bool = False) -> None:
    """Print how far annotators agree, what was compared, and what the numbers say.

    result (Mapping[str, Any]): A dict as `agreement` returns it.
    stream (IO[str]): Where to print.
    detail (bool): Whether to add each pair, the worst documents and the confusion of labels.
    """
    write("\n".join(map(one_line, header_lines(result))), stream)
    for table in agreement_tables(result, detail):
        print_table(table, stream)
    for line in (*left_out_lines(result), *result["reading"]):
        write(one_line(line), stream)


def _print_tables(tables: Iterable[Table], documents: Mapping[str, int], stream: IO[str]) -> None:
    for table in (*tables, records_table(documents)):
        if table is not None and table.rows:
            print_table(table, stream)
    write("\n".join(document_notes(documents)), stream)


def print_table(table: Table, stream: IO[str]) -> None:
    """Print a table under its title, and its note below."""
    print_title(table.title, stream)
    lines = [format(table, width_of(stream)), *([visible(table.note), ""] if table.note else [])]
    write("\n".join(lines), stream)


def print_title(title: str, stream: IO[str]) -> None:
    """Print what the lines below are about."""
    width = width_of(stream)
    write(f"\n{f' {shorten(one_line(title), width - 4)} '.center(width, '=')}\n", stream)


def one_line(text: str) -> str:
    """Escape line breaks too."""
    return visible(text).replace("\n", "\\n")


def format(table: Table, width: int) -> str:
    """Lay out a table, its labels shortened as far as the width asks for.

    table (Table): The table.
    width (int): The number of columns that it may take.
    RETURNS (str): Its lines, the last one with a line break too.
    """
    cells = [tuple(map(one_line, row)) for row in table.rows]
    natural = [max(map(len, column)) for column in zip(table.header, *cells)]
    spacing = 2 if sum(natural[1:]) + NARROWEST_LABEL + 2 * len(natural[1:]) <= width else 1
    room = width - sum(natural[1:]) - spacing * len(natural[1:])
    label_width = min(natural[0], max(room, NARROWEST_LABEL))
    rows = [(shorten(row[0], label_width), *row[1:]) for row in cells]
    aligns: list[Literal["r", "c", "l"]] = ["l" if i < table.text_columns else "r" for i in range(len(natural))]
    widths = [label_width, *natural[1:]]
    text = format_table(
        rows, header=table.header, divider=True, widths=widths, max_col=width, spacing=spacing, aligns=aligns
    )
    return "\n".join(line.rstrip() for line in text.strip("\n").splitlines()) + "\n"


def shorten(label: str, width: int) -> str:
    """Cut a label to a width: its middle, since labels that begin alike end differently. An ellipsis marks the cut."""
    if len(label) <= width:
        return label
    end = (width - 1) // 3
    return label[: width - 1 - end] + ELLIPSIS + label[len(label) - end :]
