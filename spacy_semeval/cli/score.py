"""`semeval score`: one annotated dataset against another. It needs no pipeline and no tokens."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import typer

from .extras import ACE, AVERAGE, CONLL_REPORT, MUC, AverageName, Extras, make_extras
from .guard import messages_for_errors, whole_file
from .options import (
    ERRORS,
    FOLD,
    LABEL,
    MAP,
    MIN_OVERLAP,
    OFFSETS,
    OUTPUT,
    PARTS,
    PER_LABEL,
    POTATO_SCHEME,
    PRODIGY_DB,
    REPAIR,
    SPANS_KEY,
    SPELLED,
    TAG_SCHEME,
    TEXTS,
    UNMATCHED,
    UNSEEN,
    Duplicates,
    Offsets,
    Parts,
    PerLabel,
    Repair,
    Unmatched,
    Unseen,
    parse_map,
)
from .results import Result, find_hints, print_end, write_json, write_tasks

if TYPE_CHECKING:
    from ..engine.scores import Scores, Settings
    from ..formats.base import ReadOptions, Record, RecordReader
    from ..formats.choosing import Named
    from ..formats.sources import Source
    from ..linking import Annotation, Linked, LinkedBy, OnDuplicates, OneEach, OnMissing, Side
    from ..reading import Reading, Sides
    from ..report.conll import TokenCounts

# What is left out of a file although it is annotation, which a user may not expect.
SURPRISING = ("binary", "choice")
UNSEEN_MAY_BE_EMPTY = " Potato's exports do not list what was left without a span: --unseen empty takes it as empty."


# Not of str, which has a method named count.
class Missing(Enum):
    error = "error"
    skip = "skip"
    count = "count"


def score_cli(
    gold: str = typer.Argument(..., metavar="GOLD", help="A file, prodigy:DATASET, or - for stdin"),
    pred: str = typer.Argument(..., metavar="PRED", help="What is scored, of the same kinds"),
    output: Path | None = OUTPUT,
    gold_format: str | None = typer.Option(None, help="What GOLD is, where its name and content do not say it"),
    pred_format: str | None = typer.Option(None, help="What PRED is"),
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
    average: list[AverageName] = AVERAGE,
    muc: bool = MUC,
    conll: bool = CONLL_REPORT,
    ace: Path | None = ACE,
    errors: Path | None = ERRORS,
    binary: bool = typer.Option(False, "--binary", help="GOLD holds binary answers, as of ner.teach: recall only"),
    spans_key: str | None = SPANS_KEY,
    tag_scheme: str | None = TAG_SCHEME,
    repair: Repair | None = REPAIR,
    unmatched: Unmatched = UNMATCHED,
    fold: bool = FOLD,
    texts: Path | None = TEXTS,
    potato_scheme: str | None = POTATO_SCHEME,
    offsets: Offsets = OFFSETS,
    parts: Parts = PARTS,
    unseen: Unseen = UNSEEN,
    prodigy_db: Path | None = PRODIGY_DB,
) -> None:
    """
    Score one annotated dataset against another by the four SemEval schemas.
    """
    from ..formats.base import ReadOptions
    from ..formats.choosing import open_any
    from ..report.console import print_binary, print_scores

    renamed = parse_map(label_map)
    with messages_for_errors():
        gold_source = open_any(gold, prodigy_db)
        # Standard input can be read once only, and serve both sides.
        pred_source = gold_source if pred == gold else open_any(pred, prodigy_db)
        inputs = [path for path in (gold_source.path, pred_source.path, texts, ace) if path is not None]
        outputs = [] if output is None else [output]
        with whole_file(output, *inputs) as scores_file, whole_file(errors, *inputs, *outputs) as tasks_file:
            result = score(
                gold_source,
                pred_source,
                gold_format=gold_format,
                pred_format=pred_format,
                gold_annotator=gold_annotator,
                pred_annotator=pred_annotator,
                options=ReadOptions(
                    annotator_key=annotator_key,
                    spans_key=spans_key,
                    tag_scheme=tag_scheme,
                    repair=None if repair is None else repair.value,
                    unmatched=unmatched.value,
                    fold=fold,
                    texts=texts,
                    potato_scheme=potato_scheme,
                    offsets=offsets.value,
                    parts=parts.value,
                    unseen=unseen.value,
                ),
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
                extras=make_extras(average, muc, conll, ace),
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
    gold_format: str | None = None,
    pred_format: str | None = None,
    gold_annotator: str | None = None,
    pred_annotator: str | None = None,
    options: ReadOptions | None = None,
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
    extras: Extras | None = None,
    with_tasks: bool = False,
) -> Result:
    """Score one annotated dataset against another.

    gold (Source): The reference.
    pred (Source): What is scored.
    gold_format, pred_format (str | None): Names of registered formats, None to find them.
    gold_annotator, pred_annotator (str | None): Whose annotations to take from a source that holds several.
    options (ReadOptions | None): How to read both.
    missing (OnMissing): For documents of gold that pred lacks: "error", "skip", or "count" their spans as missed.
    duplicates (OnDuplicates): For inputs annotated in different ways: "error", or take the "first" or the "last".
    labels, min_overlap, aligner, per_label, beta, label_map: As in `score_spans`.
    boundaries_only (bool): Whether to ignore labels. Then spans need none.
    binary (bool): Whether gold holds binary answers.
    extras (Extras | None): What to add to the scores.
    with_tasks (bool): Whether to make tasks of the documents with errors.
    RETURNS (Result): The scores as `Scores.to_dict` or `score_binary` gives them, with "inputs" and how they were
        linked under "settings".
    RAISES (SemevalError): If there is nothing to score, or something is wrong with the data or the settings.
    """
    from ..binary import merge_answers, score_binary
    from ..engine.scores import Settings
    from ..errors import SettingsError
    from ..formats.base import ReadOptions
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
    extras = extras or Extras()
    extras.check(settings, binary)
    options = replace(options or ReadOptions(), needs_labels=not boundaries_only)
    sides = [
        _Input.open("GOLD", gold, gold_format, replace(options, annotator=gold_annotator, binary=binary)),
        _Input.open("PRED", pred, pred_format, replace(options, annotator=pred_annotator, is_gold=False)),
    ]
    _refuse_unlike(sides, options)
    linked = _link(sides, settings, missing, duplicates, merge_answers if binary else one_each)
    _refuse_unknown_key(sides, options.annotator_key)
    _refuse_unequal_tags(sides)
    documents, by = linked.documents, linked.by
    for side in sides:
        documents.update(_counts(side))
    hints: list[str] = []
    tasks: list[bytes] = []
    if binary:
        data = score_binary(linked, settings)
    else:
        read, annotated = read_linked(linked), linked.gold if with_tasks else []
        del linked  # the largest part of the memory, before the engine needs some
        compared = _score_reading(read, settings, extras.per_document)
        data = compared.scores.to_dict()
        hints = extras.add(data, compared.scores, compared.sides, _count_tokens(sides, settings, by))
        if with_tasks:
            tasks = _make_tasks(compared, sides[0], annotated, _is_bare(sides))
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
            "annotator_key": options.annotator_key,
            "gold_format": sides[0].named.name,
            "pred_format": sides[1].named.name,
            "linked_by": by,
        },
    )
    return Result(data, tasks, [*_find_surprises(sides), *_find_assumed(sides), *hints, *find_hints(data)])


@dataclass(frozen=True)
class _Input:
    """One of the two files.

    role (str): "GOLD" or "PRED".
    named (Named): Its format.
    options (ReadOptions): How it is read.
    reader (RecordReader): Reads it.
    """

    role: str
    named: Named
    options: ReadOptions
    reader: RecordReader

    @classmethod
    def open(cls, role: str, source: Source, name: str | None, options: ReadOptions) -> _Input:
        from ..formats.choosing import find_format, refuse_unused

        own = f"--{role.lower()}-"
        named = find_format(source, name, f"{own}format")
        options = replace(options, option=f"{own}annotator")
        refuse_unused(options, [named], {"annotator": options.option, "binary": "--binary"})
        return cls(role, named, options, named.format.read(source, options))

    def __str__(self) -> str:
        return f"{self.role} ({self.reader.source.name})"

    def again(self) -> RecordReader:
        """RETURNS (RecordReader): A reader from the start; the numbers of the first one stay as they are."""
        return self.named.format.read(self.reader.source, self.options)


def _refuse_unlike(sides: Sequence[_Input], options: ReadOptions) -> None:
    """Raise SemevalError for options that have no effect, and for formats whose offsets can't be compared."""
    from ..errors import SemevalError
    from ..formats.choosing import refuse_unused

    refuse_unused(options, [side.named for side in sides], SPELLED)
    gold, pred = (side.named.format for side in sides)
    units = {unit for unit in (gold.unit, pred.unit) if unit is not None}
    no_text = not (gold.has_text and pred.has_text)
    if len(units) > 1 or (no_text and not (gold.has_space and pred.has_space)):
        found = " and ".join(f"{side} is {side.named.name}" for side in sides)
        raise SemevalError(
            f"Offsets of these formats can't be compared: {found}, and one may count tokens, the other one characters. "
            "Give both in one format."
        )


def _refuse_unknown_key(sides: Sequence[_Input], annotator_key: str | None) -> None:
    from ..errors import SemevalError

    if annotator_key is not None and not any(getattr(side.reader, "has_key", False) for side in sides):
        names = " and ".join(side.reader.source.name for side in sides)
        raise SemevalError(f"No record of {names} has the field {annotator_key!r}, or it is empty.")


def _refuse_unequal_tags(sides: Sequence[_Input]) -> None:
    """Raise SemevalError if two files of tags alone, whose tokens nobody can compare, do not have as many."""
    from ..errors import SemevalError
    from ..formats.tagged import TaggedReader

    gold, pred = (side.reader for side in sides)
    if not (isinstance(gold, TaggedReader) and isinstance(pred, TaggedReader)):
        return
    for number, tags in enumerate(zip(gold.tags, pred.tags), 1):
        if len(tags[0]) != len(tags[1]):
            raise SemevalError(
                f"Document {number} has {len(tags[0])} tags in {sides[0]}, and {len(tags[1])} in {sides[1]}. Both need "
                "the same tokens."
            )


def _link(
    inputs: Sequence[_Input],
    settings: Settings,
    missing: OnMissing,
    duplicates: OnDuplicates,
    one_gold_each: OneEach,
) -> Linked:
    """Read both files and link what they hold."""
    from ..linking import link

    bare = _is_bare(inputs)
    gold, pred = (_read_side(side, settings, bare) for side in inputs)
    annotations = chain(gold.annotations, pred.annotations)
    settings.check_renamed(label for a in annotations for _, _, label in chain(a.spans, a.rejected))
    return link(gold, pred, missing, duplicates, one_gold_each)


def _is_bare(inputs: Sequence[_Input]) -> bool:
    """Whether texts are compared without their white space: one format does not keep it, the other one does."""
    return len({side.named.format.has_space for side in inputs}) > 1


def _read_side(side: _Input, settings: Settings, bare: bool) -> Side:
    from ..linking import Annotation, Side, number_alike

    records = map(_without_space, side.reader) if bare else side.reader
    is_gold, format = side.options.is_gold, side.named.format
    annotations = [Annotation.of(record, is_gold) for record in records]
    return Side(
        side.role,
        side.reader.source.name,
        annotations if format.repeats else number_alike(annotations),
        settings.new_name,
        format.named_by,
        format.has_space,
        side.reader.read - side.reader.used,
        lambda line: next(record.full_text for record in side.again() if record.line == line),
        UNSEEN_MAY_BE_EMPTY if side.reader.noted["unknown_whether_seen"] else "",
    )


def _without_space(record: Record) -> Record:
    from ..errors import SemevalError
    from ..linking import without_space

    if record.text is None:
        raise SemevalError("CoNLL files can be compared with texts only, and a record has none.")
    return without_space(record)


class _Compared(NamedTuple):
    """What was scored, and the scores."""

    sides: Sides
    scores: Scores


def _score_reading(read: Reading, settings: Settings, per_document: bool) -> _Compared:
    from ..engine.scoring import score_tables
    from ..reading import make_sides

    # The labels to rename were looked for in all annotations, those of documents that are not linked too.
    sides = make_sides(read, settings, complain=lambda problem: None)
    return _Compared(sides, score_tables(sides.gold, sides.pred, settings, sides.documents, per_document))


def _make_tasks(compared: _Compared, gold: _Input, annotated: Sequence[Annotation], bare: bool) -> list[bytes]:
    """Make tasks of the documents with errors."""
    from ..engine.differences import find_differences
    from ..error_tasks import tasks_of_records, tasks_of_texts

    differences = find_differences(compared.sides.gold, compared.sides.pred, compared.scores.settings)
    if gold.named.name == "prodigy" and not bare:
        return tasks_of_records(gold.reader.source, annotated, differences)
    return tasks_of_texts(gold.again(), annotated, differences, bare)


def _count_tokens(sides: Sequence[_Input], settings: Settings, by: LinkedBy) -> TokenCounts | None:
    """Compare the tags of two files of tagged tokens: as they are, or in IOB2 if their schemes differ."""
    from ..formats.tagged import TaggedReader
    from ..report.conll import TokenCounts

    gold, pred = (side.reader for side in sides)
    if not (isinstance(gold, TaggedReader) and isinstance(pred, TaggedReader) and by == "position"):
        return None
    if settings.label_map is not None or settings.boundaries_only:
        return None
    tags = (gold.tags, pred.tags) if gold.scheme == pred.scheme else (gold.as_iob2(), pred.as_iob2())
    pairs = [pair for sequences in zip(*tags) for pair in zip(*sequences)]
    return TokenCounts(len(pairs), sum(own == other for own, other in pairs))


def _counts(side: _Input) -> dict[str, int]:
    reader = side.reader
    counts = {
        "records": reader.read,
        "used": reader.used,
        **{f"skipped_{reason}": count for reason, count in sorted(reader.skipped.items())},
        **reader.noted,
    }
    return {f"{side.role.lower()}_{name}": count for name, count in counts.items()}


def _find_assumed(sides: Sequence[_Input]) -> list[str]:
    """Say how offsets are read that may count tokens or characters."""
    gold, pred = sides
    return [
        f"Offsets of {side} are taken as {other.named.format.unit}s, as those of {other} are."
        for side, other in ((gold, pred), (pred, gold))
        if side.named.format.unit is None and other.named.format.unit is not None
    ]


def _find_surprises(sides: Iterable[_Input]) -> list[str]:
    from ..formats.base import SKIPPED

    return [
        f"{side}: {side.reader.skipped[reason]} left out, {SKIPPED[reason]}."
        for side in sides
        for reason in SURPRISING
        if side.reader.skipped[reason]
    ]
