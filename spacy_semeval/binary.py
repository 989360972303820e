"""Scores against binary answers: each says of one span that it is right or wrong, and nothing of the rest of the text.

So there is recall over the accepted spans, and a count of rejected spans that are predicted all the same. Precision, F
and what is spurious are not defined.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import replace
from typing import Any

from msgspec import structs

from .about import __version__
from .engine.scores import SEMANTICS, Counts, Settings
from .engine.scoring import score_tables
from .engine.spans import Columns, make_tables, rename
from .formats.base import Span
from .linking import (
    Annotation,
    Key,
    Linked,
    NewName,
    OnDuplicates,
    Side,
    make_columns,
    pick,
    refuse_conflicts,
    renamed,
)

DEFINED = ("cor", "inc", "par", "mis", "pos", "r")


def merge_answers(side: Side, key: Key, on_duplicates: OnDuplicates) -> tuple[dict[Hashable, Annotation], int]:
    """Gather the answers about each input.

    side (Side): Binary answers: an accepted or a rejected span each.
    key (Key): What inputs are known by.
    on_duplicates (OnDuplicates): Which of two contrary answers about a span counts: "first" or "last" by time, or
        "error" for none.
    RETURNS (tuple[dict[Hashable, Annotation], int]): For each input all of its accepted and rejected spans, under the
        new names of their labels, and how many answers were left out.
    RAISES (SemevalError): If there are contrary answers, and none is to be taken.
    """
    groups: dict[Hashable, list[Annotation]] = {}
    for annotation in side.annotations:
        groups.setdefault(key(annotation), []).append(annotation)
    if on_duplicates == "error":
        refuse_conflicts(side, [about for group in groups.values() for about in _conflicts(group, side.new_name)])
    merged = {name: _merge(group, side.new_name, on_duplicates) for name, group in groups.items()}
    asked = sum(len(annotation.spans) + len(annotation.rejected) for annotation in side.annotations)
    return merged, asked - sum(len(annotation.spans) + len(annotation.rejected) for annotation in merged.values())


def _conflicts(group: list[Annotation], new_name: NewName) -> list[list[Annotation]]:
    if len({annotation.digest for annotation in group}) > 1:
        return [group]
    return [about for about in _questions(group, new_name).values() if _is_accepted(about) and _is_rejected(about)]


def _questions(group: Iterable[Annotation], new_name: NewName) -> dict[Span, list[Annotation]]:
    """The answers about each span, each cut down to that span under its new name."""
    questions: dict[Span, list[Annotation]] = {}
    for annotation in group:
        for span in renamed(annotation.spans, new_name):
            questions.setdefault(span, []).append(structs.replace(annotation, spans=(span,), rejected=()))
        for span in renamed(annotation.rejected, new_name):
            questions.setdefault(span, []).append(structs.replace(annotation, spans=(), rejected=(span,)))
    return questions


def _is_accepted(about: Iterable[Annotation]) -> bool:
    return any(annotation.spans for annotation in about)


def _is_rejected(about: Iterable[Annotation]) -> bool:
    return any(annotation.rejected for annotation in about)


def _merge(group: list[Annotation], new_name: NewName, on_duplicates: OnDuplicates) -> Annotation:
    text = pick(group, on_duplicates)
    questions = _questions((annotation for annotation in group if annotation.digest == text.digest), new_name)
    answers = [pick(about, on_duplicates) for about in questions.values()]
    accepted = tuple(span for answer in answers for span in answer.spans)
    rejected = tuple(span for answer in answers for span in answer.rejected)
    return structs.replace(text, spans=accepted, rejected=rejected)


def score_binary(linked: Linked, settings: Settings) -> dict[str, Any]:
    """Score predictions against binary answers.

    linked (Linked): The merged answers about each input, under the new names of their labels, and the predictions.
    settings (Settings): What decides the numbers.
    RETURNS (dict[str, Any]): Plain JSON values: "overall" and each label hold `accepted`, `found` and `not_found` for
        the accepted spans, `rejected`, `predicted` and `avoided` for the rejected ones, and under `schemas` the
        outcomes of the accepted spans with their recall.
    """
    gold = make_columns([annotation.spans for annotation in linked.gold])
    pred = make_columns([() if annotation is None else annotation.spans for annotation in linked.pred])
    pred = replace(pred, names=rename(pred.names, settings.label_map))
    # Where there is no prediction, nothing was avoided either.
    pairs = zip(linked.gold, linked.pred)
    rejected = make_columns([() if prediction is None else annotation.rejected for annotation, prediction in pairs])
    scores = score_tables(*make_tables(gold, pred), settings, {"scored": len(linked.gold)})
    wrong = {span for span in _placed(rejected) if settings.labels is None or span[3] in settings.labels}
    predicted = wrong & _placed(pred)
    n_wrong, n_predicted = (Counter(label for *_, label in spans) for spans in (wrong, predicted))
    nothing = dict.fromkeys(scores.overall, Counts(beta=settings.beta))
    labels = sorted({*(label for label, cells in scores.per_label.items() if _has_gold(cells)), *n_wrong})
    labels = labels if settings.labels is None else list(settings.labels)
    return {
        "kind": "binary",
        "semantics": SEMANTICS,
        "version": __version__,
        "settings": settings.to_dict(),
        "documents": {"scored": len(linked.gold), "duplicate_spans": scores.documents["duplicate_spans"]},
        "overall": _cell(scores.overall, len(wrong), len(predicted)),
        "per_label": {
            label: _cell(scores.per_label.get(label, nothing), n_wrong[label], n_predicted[label]) for label in labels
        },
    }


def _placed(columns: Columns) -> set[tuple[int, int, int, str]]:
    return set(zip(columns.doc.tolist(), columns.start.tolist(), columns.end.tolist(), columns.names))


def _has_gold(cells: Mapping[str, Counts]) -> bool:
    return any(cell.pos for cell in cells.values())


def _cell(cells: Mapping[str, Counts], rejected: int, predicted: int) -> dict[str, Any]:
    accepted, found = cells["strict"].pos, cells["strict"].cor
    schemas = {schema: {name: getattr(cell, name) for name in DEFINED} for schema, cell in cells.items()}
    return {
        "accepted": accepted,
        "found": found,
        "not_found": accepted - found,
        "rejected": rejected,
        "predicted": predicted,
        "avoided": rejected - predicted,
        "schemas": schemas,
    }
