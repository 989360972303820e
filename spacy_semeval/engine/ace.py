"""A value score in the manner of the ACE evaluation plan: spans are worth something, and errors cost a part of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import fsum, isfinite
from typing import Any

import numpy as np

from ..errors import SettingsError
from .scores import Settings, ratio
from .scoring import Kept
from .spans import SpanTable


@dataclass(frozen=True)
class AceWeights:
    """What spans are worth and what errors cost, checked when it is made.

    labels (Mapping[str, float]): The worth of a span by its label, 0 or more.
    default (float): The worth of spans with other labels, 0 or more.
    wrong_label (float): The share of its worth that a gold span loses if its pair has another label, 0 to 1.
    spurious (float): The share of its worth that a spurious span costs, 0 or more.
    """

    labels: Mapping[str, float] = field(default_factory=dict)
    default: float = 1.0
    wrong_label: float = 0.5
    spurious: float = 0.75

    def __post_init__(self) -> None:
        given = {**{f"of {label!r}": weight for label, weight in self.labels.items()}, "default": self.default}
        for name, weight in {**given, "spurious": self.spurious, "wrong_label": self.wrong_label}.items():
            if isinstance(weight, bool) or not isinstance(weight, (int, float)) or not isfinite(weight) or weight < 0:
                raise SettingsError(f"Expected the weight {name} to be a number of 0 or more, but got {weight!r}.")
        if self.wrong_label > 1:
            raise SettingsError(f"Expected the weight wrong_label to be 1 at most, but got {self.wrong_label!r}.")

    def of(self, label: str) -> float:
        """RETURNS (float): The worth of a span with this label."""
        return float(self.labels.get(label, self.default))

    def to_dict(self) -> dict[str, Any]:
        """RETURNS (dict[str, Any]): The weights as plain JSON values."""
        labels = dict(sorted(self.labels.items()))
        return {
            "labels": labels,
            "default": self.default,
            "wrong_label": self.wrong_label,
            "spurious": self.spurious,
        }


@dataclass(frozen=True)
class AceValue:
    """What was found of the worth of all gold spans.

    found (float): The worth of gold spans with a pair, less what wrong labels cost.
    spurious (float): What spurious spans cost.
    possible (float): The worth of all gold spans.
    """

    found: float
    spurious: float
    possible: float

    @property
    def value(self) -> float | None:
        """(found - spurious) / possible: 1 at most, below 0 if what is spurious costs more than was found. None if
        possible is 0, since then it is not defined."""
        return ratio(self.found - self.spurious, self.possible) if self.possible else None


def ace_value(gold: SpanTable, pred: SpanTable, settings: Settings, weights: AceWeights) -> AceValue:
    """Score tables of the same documents with the same labels.

    gold (SpanTable): The reference spans.
    pred (SpanTable): The spans to score.
    settings (Settings): The aligner, its least overlap, and the labels that are scored.
    weights (AceWeights): What spans are worth and what errors cost.
    RETURNS (AceValue): (sum over pairs of w(gold) (1 - wrong_label [labels differ]) - spurious times the sum over
        spurious spans of w(pred)) / sum over gold spans of w(gold). Boundaries cost nothing; neither coreference nor
        mention levels of the ACE plan are there.
    """
    kept = Kept.choose(gold, pred, settings)
    worth = np.array([weights.of(name) for name in gold.labels], dtype=float)
    gold_label, pred_label = gold.label[kept.gold_index], pred.label[kept.pred_index]
    found = worth[gold_label] * np.where(gold_label == pred_label, 1.0, 1.0 - weights.wrong_label)
    lone = kept.pred.copy()
    lone[kept.pred_index] = False
    cost = weights.spurious * worth[pred.label[lone]]
    return AceValue(*(fsum(part.tolist()) for part in (found, cost, worth[gold.label[kept.gold]])))
