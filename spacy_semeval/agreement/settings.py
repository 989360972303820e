"""What decides the numbers of a comparison of annotators."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from ..engine.scores import check_names
from ..errors import SettingsError
from .span_f1 import Threshold

MOST_SAMPLES = 100_000
LARGEST_SEED = 2**63 - 1


@dataclass(frozen=True)
class AgreementSettings:
    """What decides the numbers, checked when it is made.

    labels (Iterable[str] | None): Compare spans with these labels only, kept as a sorted tuple; None for all.
    threshold (Threshold): When spans match under the rules iou and iou_typed.
    io (bool): Whether tokens have IO tags instead of BIO tags.
    lang (str): The language whose tokenizer makes tokens where the data has none.
    samples (int): Samples of the bootstrap, 0 for none, 100,000 at most.
    seed (int): Of its random numbers.
    alpha_u_2004 (bool): Whether to work out the older coefficient too.
    """

    labels: Iterable[str] | None = None
    threshold: Threshold = field(default_factory=Threshold)
    io: bool = False
    lang: str = "xx"
    samples: int = 1000
    seed: int = 0
    alpha_u_2004: bool = False

    def __post_init__(self) -> None:
        if self.labels is not None:
            labels = tuple(sorted(set(check_names("labels", self.labels))))
            if not labels:
                raise SettingsError("Expected labels to name at least one label, or to be None for all of them.")
            object.__setattr__(self, "labels", labels)
        for name, most in (("samples", MOST_SAMPLES), ("seed", LARGEST_SEED)):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= most:
                raise SettingsError(f"Expected {name} to be a whole number from 0 to {most}, but got {value!r}.")

    def to_dict(self) -> dict[str, Any]:
        """RETURNS (dict[str, Any]): The settings as plain JSON values."""
        return {
            "aligner": "optimal.v1",
            "filters": {"labels": None if self.labels is None else list(self.labels)},
            "ratio": self.threshold.ratio,
            "iou": self.threshold.least,
            "io": self.io,
            "lang": self.lang,
            "bootstrap": self.samples,
            "seed": self.seed,
            "alpha_u_2004": self.alpha_u_2004,
        }
