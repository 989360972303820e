"""Which entities are paired, and with what outcome: as nervaluate pairs them, or by a registered aligner."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf
from typing import NamedTuple

from ..engine.align import align
from ..engine.schemas import COR, INC, PAR, Pairs, outcomes
from ..engine.spans import make_tables, read_documents

# The schemas by nervaluate's names, in its order, with the names that they have here.
SCENARIOS = {"strict": "strict", "partial": "partial", "ent_type": "type", "exact": "exact"}


class Entity(NamedTuple):
    """A span as nervaluate has it.

    label (str): Its label.
    start (int): Its first character or token.
    end (int): Its last character or token: inclusive.
    """

    label: str
    start: int
    end: int


class Match(NamedTuple):
    """The partner of a predicted entity.

    gold (int): The index of the gold entity in its document.
    outcome (int): COR, INC or PAR.
    """

    gold: int
    outcome: int


Documents = Sequence[Sequence[Entity]]
# By scenario, of each document the matches of its predicted entities, by their indices.
Matches = dict[str, list[dict[int, Match]]]


def match_greedily(gold: Documents, pred: Documents, percentage: float) -> Matches:
    """Pair entities as nervaluate 1.2.1 does: each predicted one in turn takes the best gold one that is left.

    The result depends on the order of the input, and each scenario has pairs of its own.

    gold, pred (Documents): The entities of each document, in the order of the input.
    percentage (float): Share of the gold entity, in percent, that a pair must share at least.
    RETURNS (Matches): The pairs.
    """
    found: Matches = {name: [] for name in SCENARIOS}
    for gold_doc, pred_doc in zip(gold, pred):
        near = [_overlapping(gold_doc, entity, percentage) for entity in pred_doc]
        for name, matches in found.items():
            matches.append(_take_in_turn(gold_doc, pred_doc, near, name))
    return found


def _overlapping(gold: Sequence[Entity], pred: Entity, percentage: float) -> list[int]:
    """The gold entities that share enough with a predicted one; in floats, and rounded, as nervaluate does."""
    near = []
    for i, (_, start, end) in enumerate(gold):
        shared = min(end, pred.end) - max(start, pred.start) + 1
        if shared > 0 and shared / (end - start + 1) * 100.0 >= percentage:
            near.append(i)
    return near


def _take_in_turn(
    gold: Sequence[Entity], pred: Sequence[Entity], near: Sequence[Sequence[int]], scenario: str
) -> dict[int, Match]:
    distance, wrong = DISTANCES[scenario], PAR if scenario == "partial" else INC
    taken: set[int] = set()
    matches = {}
    for j, entity in enumerate(pred):
        distances = {i: distance(gold[i], entity) for i in near[j] if i not in taken}
        if distances:
            best = min(distances, key=distances.__getitem__)  # the first one of equals
            taken.add(best)
            matches[j] = Match(best, wrong if distances[best] == inf else COR)
    return matches


def _strict(gold: Entity, pred: Entity) -> float:
    return 0 if gold == pred else inf


def _boundaries(gold: Entity, pred: Entity) -> float:
    return 0 if gold[1:] == pred[1:] else inf


def _label(gold: Entity, pred: Entity) -> float:
    return abs(gold.start - pred.start) + abs(gold.end - pred.end) if gold.label == pred.label else inf


# How far a predicted entity is from being right about a gold one, by scenario.
DISTANCES: dict[str, Callable[[Entity, Entity], float]] = {
    "strict": _strict,
    "partial": _boundaries,
    "ent_type": _label,
    "exact": _boundaries,
}


def match_aligned(gold: Documents, pred: Documents, aligner: str, min_overlap: float) -> Matches:
    """Pair entities by a registered aligner, once for all scenarios.

    gold, pred (Documents): The entities of each document, each once.
    aligner (str): The name of a registered aligner.
    min_overlap (float): Share of the gold entity, 0 to 1, that a pair must share at least.
    RETURNS (Matches): The pairs.
    """
    gold_rows, pred_rows = _sorted_rows(gold), _sorted_rows(pred)
    gold_spans, pred_spans = ([list(map(_place, doc)) for doc in docs] for docs in (gold, pred))
    tables = make_tables(read_documents(gold_spans, "gold", True), read_documents(pred_spans, "pred", True))
    paired = align(aligner, *tables, min_overlap)
    pairs = Pairs.take(*tables, *paired)
    found: Matches = {}
    for name, schema in SCENARIOS.items():
        found[name] = [{} for _ in gold]
        for gold_row, pred_row, outcome in zip(*(column.tolist() for column in (*paired, outcomes(schema, pairs)))):
            document, i = gold_rows[gold_row]
            found[name][document][pred_rows[pred_row][1]] = Match(i, outcome)
    return found


def _place(entity: Entity) -> tuple[int, int, str]:
    return entity.start, entity.end, entity.label


def _sorted_rows(documents: Documents) -> list[tuple[int, int]]:
    """Document and index of each entity, in the order of a `SpanTable`."""
    return [
        (document, i)
        for document, entities in enumerate(documents)
        for i in sorted(range(len(entities)), key=lambda i: _place(entities[i]))
    ]
