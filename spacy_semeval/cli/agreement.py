"""`semeval agreement`: how far annotators agree."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import typer
from wasabi import Printer

from .guard import messages_for_errors, whole_file, whole_files
from .options import OFFSETS, PARTS, POTATO_SCHEME, PRODIGY_DB, TEXTS, UNSEEN, Duplicates, Offsets, Parts, Unseen
from .results import write_csv, write_json, write_tasks

if TYPE_CHECKING:
    from ..agreement.bootstrap import Progress
    from ..agreement.disagreements import Disagreement
    from ..agreement.reading import PotatoOptions
    from ..agreement.settings import AgreementSettings
    from ..linking import OnDuplicates

SHOWN = 50  # disagreements
LONGEST_NAME = 40  # of a document, which may be its text
SOON = 1.0  # seconds, after which a progress bar is shown


class Ratio(str, Enum):
    iou = "iou"
    dice = "dice"
    min = "min"
    max = "max"


def agreement_cli(
    data: list[str] = typer.Argument(..., metavar="DATA...", help="Prodigy's files or prodigy:DATASET, or Potato's"),
    output: Path | None = typer.Option(None, "--output", "-o", help="Write all numbers to this JSON file"),
    csv: Path | None = typer.Option(
        None, metavar="DIR", help="Write tables of pairs, labels, documents, disagreements"
    ),
    tasks: Path | None = typer.Option(None, help="Write documents with a disagreement to this file, as Prodigy tasks"),
    detail: bool = typer.Option(False, "--detail", help="Show pairs, worst documents, label confusion, disagreements"),
    annotator: list[str] = typer.Option([], help="Compare this annotator (repeatable)"),
    exclude: list[str] = typer.Option([], help="Leave this annotator out (repeatable)"),
    annotator_key: str | None = typer.Option(None, help="Another field that names the annotator, such as meta.coder"),
    label: list[str] = typer.Option([], "--label", "-l", help="Compare spans with this label only (repeatable)"),
    duplicates: Duplicates = typer.Option(Duplicates.error, help="If one annotator annotated a document differently"),
    ratio: Ratio = typer.Option(
        Ratio.iou,
        help="Shared characters are divided by: iou the union, dice the mean, min the longer one, max the shorter",
    ),
    iou: float = typer.Option(0.5, help="Threshold of that rule, above 0 and up to 1"),
    io: bool = typer.Option(False, "--io", help="Tags of tokens without the difference of B and I"),
    lang: str = typer.Option("xx", help="Language whose tokenizer makes tokens where the data has none"),
    bootstrap: int = typer.Option(1000, min=0, help="Samples of documents for the intervals, 0 for none"),
    seed: int = typer.Option(0, min=0, help="Seed of the samples"),
    alpha_u_2004: bool = typer.Option(False, "--alpha-u-2004", help="Add the older unitized alpha, by document"),
    texts: Path | None = TEXTS,
    potato_scheme: str | None = POTATO_SCHEME,
    offsets: Offsets = OFFSETS,
    parts: Parts = PARTS,
    unseen: Unseen = UNSEEN,
    prodigy_db: Path | None = PRODIGY_DB,
) -> None:
    """
    Measure how far annotators agree: on spans, on tokens and on labelled text.
    """
    from ..agreement.reading import PotatoOptions, protected
    from ..agreement.settings import AgreementSettings
    from ..agreement.span_f1 import Threshold

    with messages_for_errors():
        settings = AgreementSettings(
            label or None, Threshold(ratio.value, iou), io, lang, bootstrap, seed, alpha_u_2004
        )
        inputs = protected(data, prodigy_db, texts)
        first = [] if output is None else [output]
        both = first if tasks is None else [*first, tasks]
        with (
            whole_file(output, *inputs) as json_file,
            whole_file(tasks, *inputs, *first) as tasks_file,
            whole_files(csv, TABLES, *inputs, *both) as csv_files,
        ):
            compared = agreement(
                data,
                settings,
                annotators=annotator,
                excluded=exclude,
                annotator_key=annotator_key,
                duplicates=duplicates.value,
                potato=PotatoOptions(texts, potato_scheme, offsets.value, parts.value, unseen.value),
                prodigy_db=prodigy_db,
                with_disagreements=bool(detail or tasks or csv),
                with_tasks=tasks is not None,
                progress=show_progress,
            )
            write_json(compared.data, json_file, output)
            write_tasks(compared.tasks, tasks_file, tasks)
            for name, file in csv_files.items():
                write_csv(csv_rows(name, compared), file, name)
    with messages_for_errors():
        print_agreement(compared, detail)
        print_written(compared, output, tasks, csv)


class Compared(NamedTuple):
    """What the command found out.

    data (dict[str, Any]): All measures, as they are saved.
    tasks (list[bytes]): A JSON task for each document with a disagreement, if they were asked for.
    disagreements (list[Disagreement]): Where annotators disagree, worst documents first, if they were asked for.
    hints (list[str]): What may be wrong with the data.
    """

    data: dict[str, Any]
    tasks: list[bytes]
    disagreements: list[Disagreement]
    hints: list[str]


def agreement(
    inputs: Sequence[str],
    settings: AgreementSettings,
    *,
    annotators: Sequence[str] = (),
    excluded: Sequence[str] = (),
    annotator_key: str | None = None,
    duplicates: OnDuplicates = "error",
    potato: PotatoOptions | None = None,
    prodigy_db: Path | None = None,
    with_disagreements: bool = False,
    with_tasks: bool = False,
    progress: Progress = iter,
) -> Compared:
    """Measure how far annotators agree.

    inputs (Sequence[str]): Files, folders, "prodigy:" datasets, or "-" for standard input.
    settings (AgreementSettings): What decides the numbers.
    annotators (Sequence[str]): The annotators to compare, none for all: as they are shown, or by their full names.
    excluded (Sequence[str]): Annotators to leave out, named alike.
    annotator_key (str | None): Another field of Prodigy's records that names the annotator.
    duplicates (OnDuplicates): For one annotator's different annotations of a document: "error", or take the "first" or
        the "last".
    potato (PotatoOptions | None): How to read what comes from Potato.
    prodigy_db (Path | None): Prodigy's SQLite file, if it is not where Prodigy puts it.
    with_disagreements (bool): Whether to list the disagreements.
    with_tasks (bool): Whether to make tasks of the documents that have some.
    progress (Progress): Shows how far the bootstrap is.
    RETURNS (Compared): All measures, with the inputs under "settings".
    RAISES (SemevalError): If there is nothing to compare, or something is wrong with the data or the settings.
    """
    from ..agreement.corpus import choose_annotators, gather
    from ..agreement.disagreements import find_disagreements, make_tasks, worst_first
    from ..agreement.measure import measure
    from ..agreement.reading import PotatoOptions, read_all
    from ..errors import SemevalError, SettingsError
    from ..formats.sources import readable
    from ..report.agreement_rows import left_out_lines

    potato = potato or PotatoOptions()
    gathered = read_all(inputs, prodigy_db=prodigy_db, annotator_key=annotator_key, potato=potato)
    wanted, unwanted = ([gathered.shown.get(name, name) for name in names] for names in (annotators, excluded))
    chosen = choose_annotators(gathered.annotators, wanted, unwanted)
    corpus = gather(gathered.judgements, chosen, labels=settings.labels, on_duplicates=duplicates)
    try:
        data = measure(corpus, settings, progress)
    except SettingsError:
        raise
    except SemevalError as error:
        counted = {**corpus.counts, **gathered.counts}
        raise SemevalError("\n".join([str(error), *left_out_lines({"documents": counted})])) from None
    data["documents"].update(gathered.counts)
    data["settings"].update(
        attr="spans",
        inputs=list(map(readable, inputs)),
        annotators=list(annotators) or None,
        exclude=list(excluded) or None,
        annotator_key=annotator_key,
        duplicates=duplicates,
        potato_scheme=potato.scheme,
        offsets=potato.offsets,
        parts=potato.parts,
        unseen=potato.unseen,
    )
    if not (with_disagreements or with_tasks):
        return Compared(data, [], [], gathered.hints)
    compared = corpus.take(corpus.seen.sum(axis=0) >= 2)
    order = worst_first(data["per_document"])
    by_document: dict[int, list[Disagreement]] = {i: [] for i in order}
    for index, found in find_disagreements(compared):
        by_document[index].append(found)
    for listed in by_document.values():
        listed.sort(key=lambda found: found.start)
    tasks = make_tasks(compared, order, by_document) if with_tasks else []
    return Compared(data, tasks, [found for i in order for found in by_document[i]], gathered.hints)


def show_progress(batches: Sequence[int]) -> Iterable[int]:
    """Go through batches with a bar, where there is a terminal and it takes long."""
    from tqdm import tqdm

    return tqdm(batches, desc="bootstrap", disable=None, delay=SOON, leave=False)


def csv_rows(name: str, compared: Compared) -> list[Sequence[Any]]:
    """RETURNS (list[Sequence[Any]]): The header and the rows of one of `TABLES`."""
    return TABLES[name](compared)


def _pairs(compared: Compared) -> list[Sequence[Any]]:
    from ..agreement.span_f1 import RULES
    from ..agreement.token_level import KAPPAS

    columns = ("documents", "spans", *RULES, *KAPPAS)
    rows = [(*pair["annotators"], *(pair[column] for column in columns)) for pair in compared.data["pairs"]]
    return [("a", "b", *columns), *rows]


def _labels(compared: Compared) -> list[Sequence[Any]]:
    from ..agreement.span_f1 import RULES

    alphas = compared.data["unitized"]["per_label"]
    nothing = {"ku": None, "coverage": None}
    rows = [
        (label, found["spans"], *(found[rule]["mean"] for rule in RULES), *alphas.get(label, nothing).values())
        for label, found in compared.data["per_label"].items()
    ]
    return [("label", "spans", *RULES, *nothing), *rows]


def _documents(compared: Compared) -> list[Sequence[Any]]:
    from ..agreement.span_f1 import RULES

    columns = ("document", "text", "differences", "differences_per_pair")
    rows = [
        (*(entry[column] for column in columns), len(entry["annotators"]), *(entry[rule]["mean"] for rule in RULES))
        for entry in compared.data["per_document"]
    ]
    return [(*columns, "annotators", *RULES), *rows]


def _disagreements(compared: Compared) -> list[Sequence[Any]]:
    from ..agreement.disagreements import COLUMNS

    return [COLUMNS, *(tuple(found.row().values()) for found in compared.disagreements)]


TABLES = {
    "pairs.csv": _pairs,
    "per_label.csv": _labels,
    "per_document.csv": _documents,
    "disagreements.csv": _disagreements,
}


def print_agreement(compared: Compared, detail: bool) -> None:
    """Print the tables and what they say, and with details the disagreements too."""
    from ..report.console import is_terminal, one_line, print_agreement_tables, print_title, shorten, write

    print_agreement_tables(compared.data, sys.stdout, detail)
    if detail:
        if compared.disagreements:
            print_title(f"Disagreements ({SHOWN} at most)", sys.stdout)
        for found in compared.disagreements[:SHOWN]:
            name = shorten(str(found.document.name), LONGEST_NAME)
            write(one_line(f"{name}  {found}"), sys.stdout)
        if len(compared.disagreements) > SHOWN:
            write(f"and {len(compared.disagreements) - SHOWN} more disagreements: --csv DIR writes all", sys.stdout)
    msg = Printer(no_print=True, pretty=is_terminal(sys.stdout))
    for hint in compared.hints:
        write(msg.warn(one_line(hint)), sys.stdout)


def print_written(compared: Compared, output: Path | None, tasks: Path | None, csv: Path | None) -> None:
    """Say which files were written."""
    from ..report.console import is_terminal, one_line, write

    msg = Printer(no_print=True, pretty=is_terminal(sys.stdout))
    said = {
        output: f"Saved all numbers to {output}",
        tasks: f"Wrote documents with disagreements to {tasks}: {len(compared.tasks)}",
        csv: f"Wrote {', '.join(TABLES)} to {csv}",
    }
    for path, words in said.items():
        if path is not None:
            write(msg.good(one_line(words)), sys.stdout)
