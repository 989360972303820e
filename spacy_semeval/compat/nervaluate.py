"""nervaluate's `Evaluator`, with its arguments and results, for those who come from nervaluate 1.2.

By default the numbers are those of nervaluate 1.2.1, which depend on the order of the input. With
`aligner="optimal.v1"` they come from the alignment of this package. See docs/coming-from.md.
"""

from __future__ import annotations

import csv
import io
import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Any

from .. import registry
from ..engine.schemas import COR, INC, PAR
from ..engine.scores import Counts
from ..errors import SemevalError, SettingsError
from .loading import Loaded, load
from .matching import SCENARIOS, Documents, Match, match_aligned, match_greedily

GREEDY = "nervaluate.v1"
MODES = ("overall", "entities")
COUNTS = ("correct", "incorrect", "partial", "missed", "spurious")
RATIOS = ("precision", "recall", "f1")
SHOWN = 10
RATIO_NAMES = ("precision", "recall", "f1-score")


@dataclass(frozen=True)
class EvaluationResult:
    """The numbers of a scenario, under nervaluate's names.

    correct, incorrect, partial, missed, spurious (int): The outcomes.
    precision, recall, f1 (float): 0.0 where nothing was predicted, or nothing was to be found.
    actual (int): Number of predicted entities.
    possible (int): Number of gold entities.
    """

    correct: int = 0
    incorrect: int = 0
    partial: int = 0
    missed: int = 0
    spurious: int = 0
    precision: float = 0.0
    recall: float = 0.0
    f1: float = 0.0
    actual: int = 0
    possible: int = 0

    @classmethod
    def of(cls, cell: Counts) -> EvaluationResult:
        """Make it of our counts."""
        p, r, f = (score or 0.0 for score in (cell.p, cell.r, cell.f))
        return cls(cell.cor, cell.inc, cell.par, cell.mis, cell.spu, p, r, f, cell.act, cell.pos)


@dataclass(frozen=True)
class EvaluationIndices:
    """Which entities have each outcome, as (document, entity) from 0: the index of a predicted entity, for missed ones
    that of a gold entity. Entities whose label is not among the tags are not numbered; of a tag, only its own are."""

    correct_indices: list[tuple[int, int]] = field(default_factory=list)
    incorrect_indices: list[tuple[int, int]] = field(default_factory=list)
    partial_indices: list[tuple[int, int]] = field(default_factory=list)
    missed_indices: list[tuple[int, int]] = field(default_factory=list)
    spurious_indices: list[tuple[int, int]] = field(default_factory=list)


class Evaluator:
    """Scores predictions as nervaluate does.

    true (Any): The reference, in any of the forms that `loader` names.
    pred (Any): What is scored, of the same documents in the same order.
    tags (Iterable[str]): The labels that are scored. Entities with other labels are left out beforehand, on both sides.
    loader (str): "dict": lists of {"label", "start", "end"}, ends inclusive; "list": lists of tags; "conll": a text;
        "default": one of these, whichever fits; or the name of a registered format, then `true` and `pred` are files.
    min_overlap_percentage (float): Share of the gold entity, 1 to 100 percent, that a pair must share at least.
    aligner (str): "nervaluate.v1": greedy, once for each scenario, and dependent on the order of the input, as in
        nervaluate 1.2.1; or the name of a registered aligner, such as "optimal.v1".
    RAISES (SemevalError): A ValueError, if data or arguments are malformed.
    """

    def __init__(
        self,
        true: Any,
        pred: Any,
        tags: Iterable[str],
        loader: str = "default",
        min_overlap_percentage: float = 1.0,
        aligner: str = GREEDY,
    ) -> None:
        self.min_overlap_percentage = _check_percentage(min_overlap_percentage)
        self.aligner = _check_aligner(aligner)
        self.true, self.pred = load(true, pred, loader)
        self.tags = _check_tags(tags, (self.true, self.pred))
        self._warn_of_no_entity()
        if aligner != GREEDY:
            self._drop_duplicates()

    def evaluate(self) -> dict[str, Any]:
        """Score the data.

        RETURNS (dict[str, Any]): Under "overall" an EvaluationResult for each scenario ("strict", "partial",
            "ent_type", "exact"), under "entities" the same for each tag that occurs, sorted; under "overall_indices"
            and "entity_indices" an EvaluationIndices for each.
        """
        used = sorted({entity.label for side in (self.true, self.pred) for doc in side for entity in doc})
        overall, indices = self._score(self.tags)
        by_tag = {tag: self._score([tag]) for tag in used if tag in self.tags}
        return {
            "overall": overall,
            "entities": {tag: results for tag, (results, _) in by_tag.items()},
            "overall_indices": indices,
            "entity_indices": {tag: found for tag, (_, found) in by_tag.items()},
        }

    def _score(self, tags: Sequence[str]) -> tuple[dict[str, EvaluationResult], dict[str, EvaluationIndices]]:
        """Score the entities with some tags, as if there were no others."""
        wanted = set(tags)
        gold, pred = ([[e for e in doc if e.label in wanted] for doc in side] for side in (self.true, self.pred))
        if self.aligner == GREEDY:
            matches = match_greedily(gold, pred, self.min_overlap_percentage)
        else:
            # 33.3 percent are 0.333, not 0.33299999999999996: the engine takes a share as it is written.
            share = float(Decimal(str(self.min_overlap_percentage)) / 100)
            matches = match_aligned(gold, pred, self.aligner, share)
        indices = {name: _list_indices(gold, pred, found) for name, found in matches.items()}
        return {name: _count(found) for name, found in indices.items()}, indices

    def _warn_of_no_entity(self) -> None:
        labels = {entity.label for side in (self.true, self.pred) for doc in side for entity in doc}
        if labels and labels.isdisjoint(self.tags):
            found = ", ".join(sorted(labels)[:SHOWN])
            warnings.warn(f"No entity has one of the tags, so all numbers are 0. Labels: {found}.", stacklevel=3)

    def _drop_duplicates(self) -> None:
        """A span is one span here, however often it is listed; nervaluate.v1 takes each for itself."""
        before = sum(len(doc) for side in (self.true, self.pred) for doc in side)
        self.true, self.pred = ([list(dict.fromkeys(doc)) for doc in side] for side in (self.true, self.pred))
        dropped = before - sum(len(doc) for side in (self.true, self.pred) for doc in side)
        if dropped:
            warnings.warn(f"{dropped} entities are listed twice, and are counted once.", stacklevel=3)

    def summary_report(self, mode: str = "overall", scenario: str = "strict", digits: int = 2) -> str:
        """Word the results as a table.

        mode (str): "overall": a row for each scenario; "entities": a row for each tag.
        scenario (str): The scenario of the mode "entities".
        digits (int): Decimals of precision, recall and F1.
        RETURNS (str): The table.
        RAISES (SemevalError): If there is no such mode or scenario.
        """
        rows = dict(sorted(self._rows(mode, scenario).items()))
        names = (*COUNTS, *RATIO_NAMES)
        width = max(digits, *(len(name) for name in (*rows, COUNTS[0])))
        title = f"Scenario: {'all' if mode == 'overall' else scenario}"
        header = f"{'':>{width}}  " + " ".join(f"{name:>11}" for name in names)
        lines = [title, "", header, ""]
        for name, result in rows.items():
            counts = [f"{getattr(result, count):>11}" for count in COUNTS]
            ratios = [f"{getattr(result, ratio):>11.{digits}f}" for ratio in RATIOS]
            lines.append(f"{name:>{width}}  " + " ".join(counts + ratios))
        return "\n".join(lines) + "\n"

    def results_to_csv(
        self, mode: str = "overall", scenario: str = "strict", file_path: str | Path | None = None
    ) -> str | None:
        """Write the results as CSV.

        mode (str): "overall": a row for each scenario; "entities": a row for each tag.
        scenario (str): The scenario of the mode "entities".
        file_path (str | Path | None): Where to write it, None to return it.
        RETURNS (str | None): The CSV, None if it was written.
        RAISES (SemevalError): If there is no such mode or scenario, or the file cannot be written.
        """
        rows = self._rows(mode, scenario)
        output = io.StringIO()
        writer = csv.writer(output)
        first = "Strategy" if mode == "overall" else "Entity"
        writer.writerow([first, *(name.capitalize() for name in (*COUNTS, *RATIOS[:2])), "F1-Score"])
        for name, result in rows.items():
            writer.writerow([name, *(getattr(result, column) for column in (*COUNTS, *RATIOS))])
        if not file_path:
            return output.getvalue()
        try:
            Path(file_path).write_text(output.getvalue(), encoding="utf8", newline="")
        except OSError as error:
            raise SemevalError(f"Can't write {file_path}: {error.strerror}.") from None
        return None

    def _rows(self, mode: str, scenario: str) -> dict[str, EvaluationResult]:
        if mode not in MODES:
            raise SettingsError(f"Unknown mode {mode!r:.80}. Available: {', '.join(MODES)}.")
        if mode == "entities" and scenario not in SCENARIOS:
            raise SettingsError(f"Unknown scenario {scenario!r:.80}. Available: {', '.join(SCENARIOS)}.")
        results = self.evaluate()
        if mode == "overall":
            return dict(results["overall"])
        return {tag: cells[scenario] for tag, cells in results["entities"].items()}


def _check_percentage(percentage: Any) -> float:
    is_number = isinstance(percentage, (int, float)) and not isinstance(percentage, bool)
    if not is_number or not 1 <= percentage <= 100:
        raise SettingsError(
            f"Expected min_overlap_percentage to be a number from 1 to 100, but got {percentage!r:.80}."
        )
    return float(percentage)


def _check_aligner(aligner: Any) -> str:
    known = (GREEDY, *sorted(registry.aligners.get_all()))
    if aligner not in known:
        raise SettingsError(f"Unknown aligner {aligner!r:.80}. Available: {', '.join(known)}.")
    return str(aligner)


def _check_tags(tags: Any, sides: Iterable[Loaded]) -> list[str]:
    """A string is one tag, not all that are part of it."""
    if isinstance(tags, str):
        if not any(entity.label == tags for side in sides for doc in side for entity in doc):
            raise SemevalError(
                f"Expected a list of tags, but got the string {tags!r:.80}, and no entity has that label."
            )
        return [tags]
    listed = list(tags) if isinstance(tags, Iterable) else None
    if listed is None or not all(isinstance(tag, str) for tag in listed):
        raise SettingsError(f"Expected tags to be a list of labels, but got {tags!r:.80}.")
    return listed


def _list_indices(gold: Documents, pred: Documents, matches: Sequence[dict[int, Match]]) -> EvaluationIndices:
    """Sort the entities of all documents by their outcomes."""
    indices = EvaluationIndices()
    by_outcome = {COR: indices.correct_indices, INC: indices.incorrect_indices, PAR: indices.partial_indices}
    for document, (gold_doc, pred_doc, found) in enumerate(zip(gold, pred, matches)):
        if not gold_doc and not pred_doc:
            continue
        for i in range(len(pred_doc)):
            listed = by_outcome[found[i].outcome] if i in found else indices.spurious_indices
            listed.append((document, i))
        taken = {match.gold for match in found.values()}
        indices.missed_indices.extend((document, i) for i in range(len(gold_doc)) if i not in taken)
    return indices


def _count(indices: EvaluationIndices) -> EvaluationResult:
    cor, inc, par, mis, spu = (len(getattr(indices, f"{name}_indices")) for name in COUNTS)
    return EvaluationResult.of(Counts(cor, inc, par, mis, cor, inc, par, spu))
