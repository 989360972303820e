"""What `semeval score` and `semeval evaluate` add to the scores when asked: averages, MUC, CoNLL and ACE."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from ..engine.ace import AceWeights
    from ..engine.scores import Scores, Settings
    from ..reading import Sides
    from ..report.conll import TokenCounts

DOCUMENTS = "documents"


class AverageName(str, Enum):
    macro = "macro"
    weighted = "weighted"
    documents = DOCUMENTS


AVERAGE = typer.Option([], help="Show this average beside that of all spans (repeatable)")
MUC = typer.Option(False, "--muc", help="Add the named-entity score of MUC-6/7 and the error rates of MUC-5")
CONLL_REPORT = typer.Option(False, "--conll", help="Add the report of the CoNLL-2003 evaluation script")
ACE = typer.Option(None, metavar="WEIGHTS.json", help="Add a value score in the manner of ACE, with these weights")


@dataclass(frozen=True)
class Extras:
    """What is added.

    averages (tuple[str, ...]): Averages to show: "macro", "weighted", "documents".
    muc (bool): Whether to add the MUC scores.
    conll (bool): Whether to add the CoNLL report.
    ace (AceWeights | None): The weights of the ACE value, None for none.
    """

    averages: tuple[str, ...] = ()
    muc: bool = False
    conll: bool = False
    ace: AceWeights | None = None

    def check(self, settings: Settings, binary: bool = False) -> None:
        """Raise SettingsError if what is to be added is not defined under these settings."""
        from ..errors import SettingsError

        if binary and self != Extras():
            raise SettingsError("Binary answers have recall only: --binary takes no averages, MUC, CoNLL and ACE.")
        others = {
            "--per-label gold_side": settings.per_label != "own_side",
            "--beta": settings.beta != 1,
            "--label": settings.labels is not None,
        }
        if self.conll and any(others.values()):
            given = " and ".join(option for option, is_given in others.items() if is_given)
            raise SettingsError(f"The CoNLL report knows no such options: --conll is used without {given}.")

    @property
    def per_document(self) -> bool:
        """RETURNS (bool): Whether counts of each document are needed."""
        return DOCUMENTS in self.averages

    def add(self, data: dict[str, Any], scores: Scores, sides: Sides, tokens: TokenCounts | None = None) -> list[str]:
        """Add it to a dict of scores.

        data (dict[str, Any]): What `Scores.to_dict` gave.
        scores (Scores): The scores.
        sides (Sides): What was scored.
        tokens (TokenCounts | None): Of two files of tagged tokens.
        RETURNS (list[str]): What may be wrong.
        """
        data["settings"]["averages"] = list(dict.fromkeys(self.averages))
        if self.per_document:
            data["document_mean"] = {schema: mean.to_dict() for schema, mean in scores.document_mean.items()}
            data["documents"]["no_spans"] = scores.documents_without_spans
        if self.muc:
            data["muc"] = _muc(scores)
        if self.conll:
            data["conll"] = {"tokens": None, "correct": None} if tokens is None else tokens._asdict()
        return [] if self.ace is None else self._add_ace(data, sides, scores.settings, self.ace)

    @staticmethod
    def _add_ace(data: dict[str, Any], sides: Sides, settings: Settings, weights: AceWeights) -> list[str]:
        from ..engine.ace import ace_value

        found = ace_value(sides.gold, sides.pred, settings, weights)
        data["ace"] = {
            "value": found.value,
            "found": found.found,
            "spurious": found.spurious,
            "possible": found.possible,
            "weights": weights.to_dict(),
        }
        unknown = ", ".join(sorted(set(weights.labels) - set(sides.gold.labels)))
        return [f"The ACE weights name labels that no span has: {unknown}."] if unknown else []


def _muc(scores: Scores) -> dict[str, Any]:
    pred_side = scores.settings.per_label == "own_side"
    return {
        "overall": scores.muc.to_dict(),
        "per_label": {label: cell.to_dict(pred_side) for label, cell in scores.muc_per_label.items()},
        "error_rates": {
            schema: {rate: getattr(cell, rate) for rate in RATES} for schema, cell in scores.overall.items()
        },
    }


RATES = ("undergeneration", "overgeneration", "substitution", "error_per_response_fill")


def make_extras(averages: Sequence[AverageName], muc: bool, conll: bool, ace: Path | None) -> Extras:
    """Make what a command was asked for.

    averages (Sequence[AverageName]): The values of --average.
    muc, conll (bool): Whether --muc and --conll were given.
    ace (Path | None): The file of --ace.
    RETURNS (Extras): What is to be added.
    RAISES (SemevalError): If the weights cannot be read.
    """
    return Extras(tuple(name.value for name in averages), muc, conll, None if ace is None else read_weights(ace))


def read_weights(path: Path) -> AceWeights:
    """Read the weights of the ACE value.

    path (Path): A JSON object with "labels", "default", "wrong_label" and "spurious", each of which may be missing.
    RETURNS (AceWeights): The weights.
    RAISES (SemevalError): If it holds something else; names the file and what is wrong.
    """
    import msgspec

    from ..engine.ace import AceWeights
    from ..errors import SemevalError

    class File(msgspec.Struct, forbid_unknown_fields=True):
        labels: dict[str, float] = {}
        default: float = 1.0
        wrong_label: float = 0.5
        spurious: float = 0.75

    expected = '{"labels": {"DRUG": 1.0}, "default": 1.0, "wrong_label": 0.5, "spurious": 0.75}'
    try:
        return AceWeights(**msgspec.structs.asdict(msgspec.json.decode(path.read_bytes(), type=File)))
    except OSError as error:
        raise SemevalError(f"Can't read {path}: {error.strerror}.") from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, SemevalError) as error:
        raise SemevalError(f"Can't use the weights in {path}: {error} Expected, for example: {expected}") from None
