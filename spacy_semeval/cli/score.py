"""`semeval score`: one annotated dataset against another. It needs no pipeline and no tokens."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from enum import Enum
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from .guard import messages_for_errors, whole_file
from .options import (
    ERRORS,
    LABEL,
    MAP,
    MIN_OVERLAP,
    OUTPUT,
    PER_LABEL,
    PRODIGY_DB,
    Duplicates,
    PerLabel,
    parse_map,
)
from .results import Result, find_hints, print_end, write_json, write_tasks

if TYPE_CHECKING:
    from ..engine.scores import Settings
    from ..formats.prodigy import Reader
    from ..formats.sources import Source
    from ..linking import Annotation, Linked, OnDuplicates, OneEach, OnMissing
    from ..reading import Reading

# What is left out of a file although it is annotation, which a user may not expect.
SURPRISING = ("binary", "choice")


# Not of str, which has a method named count.
class Missing(Enum):
    error = "error"
    skip = "skip"
    count = "count"


def score_cli(
    gold: str = typer.Argument(..., metavar="GOLD", help="Prodigy's .jsonl (or .gz), prodigy:DATASET, or - for stdin"),
    pred: str = typer.Argument(..., metavar="PRED", help="What is scored, of the same kinds"),
    output: Path | None = OUTPUT,
    gold_annotator: str | None = typer.Option(None, help="Whose annotations to take from GOLD"),
    pred_annotator: str | None = typer.Option(None, help="Whose annotations to take from PRED"),
    annotator_key: str | None = typer.Option(None, help="Another field that names the annotator, such as meta.coder"),
    missing: Missing = typer.Option(Missing.error, help="For documents of GOLD that PRED lacks"),
    duplicates: Duplicates = typer.Option(Duplicates.error, help="For inputs annotated twice in different ways"),
    label: list[str] = LABEL,
    min_overlap: float = MIN_OVERLAP,
    aligner: str = typer.Option("optimal.v1", help="Name of a registered aligner"),
    per_label: PerLabel = PER_LABEL,
    beta: float = typer.Option(1.0, help="Weight of recall in F"),
    label_map: list[str] = MAP,
    boundaries_only: bool = typer.Option(False, "--boundaries-only", help="Ignore labels"),
    errors: Path | None = ERRORS,
    binary: bool = typer.Option(False, "--binary", help="GOLD holds binary answers, as of ner.teach: recall only"),
    prodigy_db: Path | None = PRODIGY_DB,
) -> None:
    """
    Score one annotated dataset against another by the four SemEval schemas.
    """
    from ..formats.sources import open_source
    from ..report.console import print_binary, print_scores

    renamed = parse_map(label_map)
    with messages_for_errors():
        gold_source = open_source(gold, prodigy_db)
        # Standard input can be read once only, and serve both sides.
        pred_source = gold_source if pred == gold else open_source(pred, prodigy_db)
        inputs = [source.path for source in (gold_source, pred_source) if source.path is not None]
        outputs = [] if output is None else [output]
        with whole_file(output, *inputs) as scores_file, whole_file(errors, *inputs, *outputs) as tasks_file:
            result = score(
                gold_source,
                pred_source,
                gold_annotator=gold_annotator,
                pred_annotator=pred_annotator,
                annotator_key=annotator_key,
                missing=missing.value,
                duplicates=duplicates.value,
                labels=label or None,
                min_overlap=min_overlap,
                aligner=aligner,
                per_label=per_label.value,
                beta=beta,
                label_map=renamed,
                boundaries_only=boundaries_only,
                binary=binary,
                with_tasks=errors is not None,
            )
            write_json(result.data, scores_file, output)
            write_tasks(result.tasks, tasks_file, errors)
    with messages_for_errors():
        if binary:
            print_binary(result.data, sys.stdout)
        else:
            print_scores(result.data, "spans", sys.stdout)
        print_end(result, output, errors)


def score(
    gold: Source,
    pred: Source,
    *,
    gold_annotator: str | None = None,
    pred_annotator: str | None = None,
    annotator_key: str | None = None,
    missing: OnMissing = "error",
    duplicates: OnDuplicates = "error",
    labels: Iterable[str] | None = None,
    min_overlap: float = 0.0,
    aligner: str = "optimal.v1",
    per_label: str = "own_side",
    beta: float = 1.0,
    label_map: Mapping[str, str] | None = None,
    boundaries_only: bool = False,
    binary: bool = False,
    with_tasks: bool = False,
) -> Result:
    """Score one annotated dataset against another.

    gold (Source): The reference.
    pred (Source): What is scored.
    gold_annotator, pred_annotator (str | None): Whose annotations to take from a source that holds several.
    annotator_key (str | None): Another field that names the annotator.
    missing (OnMissing): For documents of gold that pred lacks: "error", "skip", or "count" their spans as missed.
    duplicates (OnDuplicates): For inputs annotated in different ways: "error", or take the "first" or the "last".
    labels, min_overlap, aligner, per_label, beta, label_map: As in `score_spans`.
    boundaries_only (bool): Whether to ignore labels. Then spans need none.
    binary (bool): Whether gold holds binary answers.
    with_tasks (bool): Whether to make tasks of the documents with errors.
    RETURNS (Result): The scores as `Scores.to_dict` or `score_binary` gives them, with "inputs" and how they were
        linked under "settings".
    RAISES (SemevalError): If there is nothing to score, or something is wrong with the data or the settings.
    """
    from ..binary import merge_answers, score_binary
    from ..engine.scores import Settings
    from ..errors import SemevalError, SettingsError
    from ..formats.prodigy import Reader
    from ..linking import one_each, read_linked

    settings = Settings(
        aligner=aligner,
        min_overlap=min_overlap,
        per_label=per_label,
        beta=beta,
        labels=labels,
        label_map=label_map,
        boundaries_only=boundaries_only,
    )
    if binary and (boundaries_only or with_tasks):
        raise SettingsError(
            "Binary answers are about labels, and give no tasks: --binary is used without "
            "--boundaries-only and --errors."
        )
    roles = ("GOLD", "PRED")
    readers = [
        Reader(
            source,
            annotator,
            annotator_key=annotator_key,
            needs_labels=not boundaries_only,
            binary=binary and role == "GOLD",
            option=f"--{role.lower()}-annotator",
        )
        for role, source, annotator in zip(roles, (gold, pred), (gold_annotator, pred_annotator))
    ]
    linked = _link(readers, roles, settings, missing, duplicates, merge_answers if binary else one_each)
    if annotator_key is not None and not any(reader.has_key for reader in readers):
        raise SemevalError(f"No record of {gold.name} and {pred.name} has the field {annotator_key!r}, or it is empty.")
    documents = linked.documents
    for role, reader in zip(roles, readers):
        documents.update(_counts(role.lower(), reader))
    tasks: list[bytes] = []
    if binary:
        data = score_binary(linked, settings)
    else:
        read, annotated = read_linked(linked), linked.gold if with_tasks else []
        del linked  # the largest part of the memory, before the engine needs some
        data, tasks = _score_reading(read, settings, gold, annotated)
    data["documents"].update(documents)
    data["settings"].update(
        attr="spans",
        missing=missing,
        duplicates=duplicates,
        inputs={
            "gold": gold.name,
            "pred": pred.name,
            "gold_annotator": gold_annotator,
            "pred_annotator": pred_annotator,
            "annotator_key": annotator_key,
        },
    )
    return Result(data, tasks, [*_find_surprises(roles, readers), *find_hints(data)])


def _link(
    readers: Sequence[Reader],
    roles: Sequence[str],
    settings: Settings,
    missing: OnMissing,
    duplicates: OnDuplicates,
    one_gold_each: OneEach,
) -> Linked:
    """Read both files and link what they hold."""
    from ..linking import Annotation, Side, link

    gold, pred = (
        Side(role, reader.source.name, [Annotation.of(record, role == "GOLD") for record in reader], settings.new_name)
        for role, reader in zip(roles, readers)
    )
    annotations = chain(gold.annotations, pred.annotations)
    settings.check_renamed(label for a in annotations for _, _, label in chain(a.spans, a.rejected))
    return link(gold, pred, missing, duplicates, one_gold_each)


def _score_reading(
    read: Reading, settings: Settings, gold: Source, annotated: Sequence[Annotation]
) -> tuple[dict[str, Any], list[bytes]]:
    """The scores, and tasks if the gold annotations are given."""
    from ..engine.differences import find_differences
    from ..engine.scoring import score_tables
    from ..error_tasks import tasks_of_records
    from ..reading import make_sides

    # The labels to rename were looked for in all annotations, those of documents that are not linked too.
    sides = make_sides(read, settings, complain=lambda problem: None)
    data = score_tables(sides.gold, sides.pred, settings, sides.documents).to_dict()
    if not annotated:
        return data, []
    return data, tasks_of_records(gold, annotated, find_differences(sides.gold, sides.pred, settings))


def _counts(side: str, reader: Reader) -> dict[str, int]:
    counts = {
        "records": reader.read,
        "used": reader.used,
        **{f"skipped_{reason}": count for reason, count in sorted(reader.skipped.items())},
        **reader.noted,
    }
    return {f"{side}_{name}": count for name, count in counts.items()}


def _find_surprises(roles: Iterable[str], readers: Iterable[Reader]) -> list[str]:
    from ..formats.base import SKIPPED

    return [
        f"{role} ({reader.source.name}): {reader.skipped[reason]} left out, {SKIPPED[reason]}."
        for role, reader in zip(roles, readers)
        for reason in SURPRISING
        if reader.skipped[reason]
    ]
