"""Counts and the scores that follow from them. Counts are the state; P, R and F are worked out when asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from itertools import chain
from math import fsum
from typing import Any

import numpy as np
import numpy.typing as npt

from .. import registry
from ..about import __version__
from ..errors import SemevalError, SettingsError, refuse
from .schemas import SCHEMAS, in_order
from .spans import ANY_LABEL

SEMANTICS = "1.0"
PER_LABEL = ("own_side", "gold_side")
LARGEST_BETA = 1000
MUC_SLOTS = ("type", "exact")


def ratio(numerator: float, denominator: float) -> float:
    """Divide; nothing of nothing is 0.0. The only division behind a score."""
    return numerator / denominator if denominator else 0.0


def f_beta(precision: float, recall: float, beta: float) -> float:
    """The weighted harmonic mean of precision and recall (van Rijsbergen 1979)."""
    return ratio((1 + beta**2) * precision * recall, beta**2 * precision + recall)


@dataclass(frozen=True)
class Settings:
    """What decides the numbers, checked when it is made. Scores can be added only if their settings are equal.

    schemas (Iterable[str]): Names of registered schemas; kept as a tuple in the order of reports.
    aligner (str): Name of a registered aligner.
    min_overlap (float): Share of the gold span, 0 to 1, that a pair must share at least.
    per_label (str): "own_side" or "gold_side".
    beta (float): Weight of recall in F, above 0.
    labels (Iterable[str] | None): Labels to score, by their new names, kept as a sorted tuple; None for all.
    label_map (Mapping[str, str] | None): New names of labels, kept as a sorted dict; None for none.
    boundaries_only (bool): Whether labels are ignored.
    """

    schemas: Iterable[str] = SCHEMAS
    aligner: str = "optimal.v1"
    min_overlap: float = 0.0
    per_label: str = "own_side"
    beta: float = 1.0
    labels: Iterable[str] | None = None
    label_map: Mapping[str, str] | None = None
    boundaries_only: bool = False

    def __post_init__(self) -> None:
        schemas = in_order(check_names("schemas", self.schemas))
        if not schemas:
            raise SettingsError(f"Expected at least one schema. Available: {', '.join(SCHEMAS)}.")
        object.__setattr__(self, "schemas", schemas)
        if self.labels is not None:
            labels = tuple(sorted(set(check_names("labels", self.labels))))
            if not labels:
                raise SettingsError("Expected labels to name at least one label, or to be None for all of them.")
            object.__setattr__(self, "labels", labels)
        if self.label_map is not None:
            object.__setattr__(self, "label_map", _check_map(self.label_map))
            self.check_chosen(self.labels or ())
        if self.boundaries_only and (self.labels is not None or self.label_map is not None):
            raise SettingsError("Where only boundaries are scored, labels can neither be chosen nor renamed.")
        for schema in self.schemas:
            registry.find(registry.schemas, "schema", schema)
        registry.find(registry.aligners, "aligner", self.aligner)
        if not _is_number(self.min_overlap) or not 0 <= self.min_overlap <= 1:
            raise SettingsError(f"Expected min_overlap to be a number from 0 to 1, but got {self.min_overlap!r}.")
        if self.per_label not in PER_LABEL:
            raise SettingsError(f"Expected per_label to be one of {', '.join(PER_LABEL)}, but got {self.per_label!r}.")
        if not _is_number(self.beta) or not 0 < self.beta <= LARGEST_BETA:
            raise SettingsError(f"Expected beta to be a number above 0, up to {LARGEST_BETA}, but got {self.beta!r}.")
        for name in ("min_overlap", "beta"):
            object.__setattr__(self, name, float(getattr(self, name)))

    def to_dict(self) -> dict[str, Any]:
        """RETURNS (dict[str, Any]): The settings as plain JSON values."""
        labels = None if self.labels is None else list(self.labels)
        label_map = None if self.label_map is None else dict(self.label_map)
        return {
            "schemas": list(self.schemas),
            "aligner": self.aligner,
            "min_overlap": self.min_overlap,
            "per_label": self.per_label,
            "beta": self.beta,
            "filters": {"labels": labels, "label_map": label_map, "boundaries_only": self.boundaries_only},
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Settings:
        """Read what `to_dict` gave; other keys are passed over."""
        names = ("schemas", "aligner", "min_overlap", "per_label", "beta")
        return cls(**{name: data[name] for name in names}, **data["filters"])

    def check_chosen(self, labels: Iterable[str]) -> None:
        """Raise SettingsError if one of the labels is renamed, so that no span can have it any more."""
        label_map = self.label_map or {}
        for label in labels:
            if label in label_map and label not in label_map.values():
                raise SettingsError(f"{label!r} is renamed to {label_map[label]!r}, so the new name is to be chosen.")

    def new_name(self, label: str) -> str:
        """RETURNS (str): The name under which a label is scored."""
        return ANY_LABEL if self.boundaries_only else (self.label_map or {}).get(label, label)

    def check_renamed(self, names: Iterable[str], complain: Callable[[str], object] = refuse) -> None:
        """Check that every label that is renamed occurs.

        names (Iterable[str]): The labels that there are.
        complain (Callable[[str], object]): What to do with the message if one does not; raises SemevalError by default.
        """
        if not self.label_map:
            return
        known = sorted(set(names))
        unknown = [name for name in self.label_map if name not in known]
        if unknown:
            said, listed = ", ".join(map(repr, unknown)), ", ".join(known) or "none"
            complain(f"Only labels that occur can be renamed, and no span has {said}. Labels: {listed}.")


def check_names(what: str, value: Any) -> tuple[str, ...]:
    """RETURNS (tuple[str, ...]): The names of a list. Raises SemevalError if it is none, or a single string."""
    names = tuple(value) if isinstance(value, Iterable) and not isinstance(value, str) else None
    if names is None or not all(isinstance(name, str) for name in names):
        raise SettingsError(f"Expected {what} to be a list of names, but got {value!r}.")
    for name in names:
        _check_text(name)
    return names


def _check_map(label_map: Any) -> dict[str, str]:
    pairs = list(label_map.items()) if isinstance(label_map, Mapping) else [(None, None)]
    if not all(isinstance(name, str) and name for pair in pairs for name in pair):
        raise SettingsError(f"Expected label_map to give names new names, but got {label_map!r}.")
    label_map = dict(sorted(pairs))
    for name in chain(label_map.keys(), label_map.values()):
        _check_text(name)
    return label_map


def _check_text(name: str) -> None:
    """Bytes that are no text reach us from a command line as half a character, which can't be written."""
    try:
        name.encode("utf8")
    except UnicodeEncodeError:
        raise SettingsError(f"Expected names to be text in UTF-8, but got {name!r}.") from None


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


@dataclass(frozen=True)
class Counts:
    """The outcomes of one schema, for all labels or one, and the scores that follow.

    cor, inc, par (int): Pairs that are correct, incorrect, partial, on the gold side.
    mis (int): Gold spans without a pair.
    pred_cor, pred_inc, pred_par (int): The pairs on the pred side: other than the gold side only where each span
        counts under its own label.
    spu (int): Pred spans without a pair.
    beta (float): Weight of recall in F.
    annotated (bool): Whether any document was annotated; where none was, p, r and f are None.
    """

    cor: int = 0
    inc: int = 0
    par: int = 0
    mis: int = 0
    pred_cor: int = 0
    pred_inc: int = 0
    pred_par: int = 0
    spu: int = 0
    beta: float = 1.0
    annotated: bool = True

    def __add__(self, other: Counts) -> Counts:
        summed = {name: getattr(self, name) + getattr(other, name) for name in _COUNTED}
        return Counts(**summed, beta=self.beta, annotated=self.annotated or other.annotated)

    @property
    def pos(self) -> int:
        """Possible: the number of gold spans."""
        return self.cor + self.inc + self.par + self.mis

    @property
    def act(self) -> int:
        """Actual: the number of pred spans."""
        return self.pred_cor + self.pred_inc + self.pred_par + self.spu

    @property
    def p(self) -> float | None:
        """Precision: (COR + 0.5 PAR) / ACT, on the pred side."""
        return ratio(self.pred_cor + 0.5 * self.pred_par, self.act) if self.annotated else None

    @property
    def r(self) -> float | None:
        """Recall: (COR + 0.5 PAR) / POS, on the gold side."""
        return ratio(self.cor + 0.5 * self.par, self.pos) if self.annotated else None

    @property
    def f(self) -> float | None:
        """F-beta of precision and recall."""
        if self.p is None or self.r is None:
            return None
        return f_beta(self.p, self.r, self.beta)

    @property
    def undergeneration(self) -> float | None:
        """MIS / POS. This and the three below: Chinchor and Sundheim 1993, MUC-5 Evaluation Metrics; pairs are those
        of the gold side."""
        return self._rate(self.mis, self.pos)

    @property
    def overgeneration(self) -> float | None:
        """SPU / ACT."""
        return self._rate(self.spu, self.act)

    @property
    def substitution(self) -> float | None:
        """(INC + 0.5 PAR) / (COR + PAR + INC)."""
        return self._rate(self.inc + 0.5 * self.par, self.cor + self.par + self.inc)

    @property
    def error_per_response_fill(self) -> float | None:
        """(INC + 0.5 PAR + MIS + SPU) / (COR + PAR + INC + MIS + SPU)."""
        wrong = self.inc + 0.5 * self.par + self.mis + self.spu
        return self._rate(wrong, self.cor + self.par + self.inc + self.mis + self.spu)

    def _rate(self, wrong: float, total: float) -> float | None:
        return ratio(wrong, total) if self.annotated else None

    def to_dict(self, pred_side: bool = False) -> dict[str, Any]:
        """Give the cell of a JSON file.

        pred_side (bool): Whether to add the pairs on the pred side.
        RETURNS (dict[str, Any]): Counts and scores under their names, in small letters.
        """
        names = ["cor", "inc", "par", "mis", "spu", "pos", "act", "p", "r", "f"]
        if pred_side:
            names += ["pred_cor", "pred_inc", "pred_par"]
        return {name: getattr(self, name) for name in names}

    @classmethod
    def from_dict(cls, cell: Mapping[str, Any], beta: float) -> Counts:
        """Read what `to_dict` gave, with or without the pred side."""
        counts = {name: cell[name.removeprefix("pred_") if name not in cell else name] for name in _COUNTED}
        if any(type(count) is not int or count < 0 for count in counts.values()):
            raise TypeError(f"expected counts, but got {counts}")
        return cls(**counts, beta=beta, annotated=cell["p"] is not None)


_COUNTED = tuple(field.name for field in fields(Counts) if field.name not in ("beta", "annotated"))


@dataclass(frozen=True)
class Average:
    """A mean of scores over labels, or over documents.

    p, r, f (float | None): The mean precision, recall and F; None where no document was annotated.
    """

    p: float | None
    r: float | None
    f: float | None

    @classmethod
    def over(cls, cells: Iterable[Counts], weight: Callable[[Counts], float], annotated: bool) -> Average:
        """Average cells by a weight; no label at all is 0.0."""
        weighted = [(cell, weight(cell)) for cell in cells]
        total = fsum(w for _, w in weighted)
        if not annotated:
            return cls(None, None, None)
        return cls(*(ratio(fsum(w * getattr(cell, name) for cell, w in weighted), total) for name in ("p", "r", "f")))

    def to_dict(self) -> dict[str, float | None]:
        """RETURNS (dict[str, float | None]): The means under p, r and f."""
        return {"p": self.p, "r": self.r, "f": self.f}


@dataclass(frozen=True, eq=False)
class Scores:
    """The scores of a corpus under each schema.

    settings (Settings): What decided the numbers.
    overall (dict[str, Counts]): The counts of all labels by schema.
    per_label (dict[str, dict[str, Counts]]): The same for each label, sorted.
    documents (dict[str, int]): Numbers of documents scored and of what was left out.
    per_document (dict[str, IntArray] | None): If asked for, by schema the counts COR, INC, PAR, MIS, SPU of each
        document, shape (n_docs, 5).
    """

    settings: Settings
    overall: dict[str, Counts]
    per_label: dict[str, dict[str, Counts]]
    documents: dict[str, int]
    per_document: dict[str, npt.NDArray[np.int64]] | None = None

    @property
    def macro(self) -> dict[str, Average]:
        """By schema the mean over the labels."""
        return self._averages(_one)

    @property
    def weighted(self) -> dict[str, Average]:
        """By schema the mean over labels, each weighted by its number of gold spans."""
        return self._averages(_support)

    @property
    def document_mean(self) -> dict[str, Average]:
        """By schema the mean over documents with a span on either side. Raises SemevalError if no counts per document
        were kept."""
        if self.per_document is None:
            raise SemevalError("The mean over documents takes counts per document: score with per_document=True.")
        return {
            schema: Average.over(self._cells(counts), _one, self.overall[schema].annotated)
            for schema, counts in self.per_document.items()
        }

    @property
    def documents_without_spans(self) -> int:
        """How many scored documents have no span on either side, which `document_mean` leaves out. Raises SemevalError
        if no counts per document were kept."""
        if self.per_document is None:
            raise SemevalError("Counts per document were not kept: score with per_document=True.")
        counts = next(iter(self.per_document.values()))
        return self.documents["scored"] - int(counts.any(axis=1).sum())

    def _cells(self, counts: npt.NDArray[np.int64]) -> Iterator[Counts]:
        """A cell for each document that has a span."""
        for cor, inc, par, mis, spu in counts[counts.any(axis=1)].tolist():
            yield Counts(cor, inc, par, mis, cor, inc, par, spu, self.settings.beta)

    @property
    def muc(self) -> Counts:
        """The named-entity score of MUC-6 and MUC-7: of each span the slots type and text, so the counts of the schemas
        type and exact together. Raises SemevalError if one of the two was not scored."""
        return self._pooled(self.overall)

    @property
    def muc_per_label(self) -> dict[str, Counts]:
        """The same for each label."""
        return {label: self._pooled(cells) for label, cells in self.per_label.items()}

    def _pooled(self, cells: Mapping[str, Counts]) -> Counts:
        missing = [schema for schema in MUC_SLOTS if schema not in self.settings.schemas]
        if missing:
            raise SemevalError(f"The MUC score takes the schemas type and exact, but {missing[0]} was not scored.")
        first, second = (cells[schema] for schema in MUC_SLOTS)
        return first + second

    def _averages(self, weight: Callable[[Counts], float]) -> dict[str, Average]:
        return {
            schema: Average.over((cells[schema] for cells in self.per_label.values()), weight, total.annotated)
            for schema, total in self.overall.items()
        }

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Scores) and self._state() == other._state()

    def _state(self) -> tuple[Any, ...]:
        documents = None if self.per_document is None else {k: v.tolist() for k, v in self.per_document.items()}
        return self.settings, self.overall, self.per_label, self.documents, documents

    def __add__(self, other: Scores) -> Scores:
        """Score two corpora as one. Raises SemevalError if they were scored with different settings."""
        if not isinstance(other, Scores):
            return NotImplemented
        if self.settings != other.settings:
            raise SemevalError(f"Expected scores with equal settings, but got {self.settings} and {other.settings}.")
        if (self.per_document is None) != (other.per_document is None):
            raise SemevalError("Expected both scores to keep counts per document, or none of them.")
        nothing = {schema: Counts(beta=self.settings.beta, annotated=False) for schema in self.settings.schemas}
        per_label = {
            label: _add_cells(self.per_label.get(label, nothing), other.per_label.get(label, nothing))
            for label in sorted({*self.per_label, *other.per_label})
        }
        documents = {
            key: self.documents.get(key, 0) + other.documents.get(key, 0)
            for key in dict.fromkeys((*self.documents, *other.documents))
        }
        per_document = None
        if self.per_document is not None and other.per_document is not None:
            per_document = {k: np.concatenate((v, other.per_document[k])) for k, v in self.per_document.items()}
        return Scores(self.settings, _add_cells(self.overall, other.overall), per_label, documents, per_document)

    def to_dict(self) -> dict[str, Any]:
        """Give the scores as plain JSON values, described in docs/semantics.md. Counts per document are left out."""
        pred_side = self.settings.per_label == "own_side"
        return {
            "kind": "scores",
            "semantics": SEMANTICS,
            "version": __version__,
            "settings": self.settings.to_dict(),
            "documents": dict(self.documents),
            "overall": {schema: cell.to_dict() for schema, cell in self.overall.items()},
            "macro": {schema: mean.to_dict() for schema, mean in self.macro.items()},
            "weighted": {schema: mean.to_dict() for schema, mean in self.weighted.items()},
            "per_label": {
                label: {schema: cell.to_dict(pred_side) for schema, cell in cells.items()}
                for label, cells in self.per_label.items()
            },
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Scores:
        """Read what `to_dict` gave.

        data (Mapping[str, Any]): The dict, or the JSON file that was made of it.
        RETURNS (Scores): Equal scores, without counts per document.
        RAISES (SemevalError): If it is something else.
        """
        if not isinstance(data, Mapping):
            raise SemevalError(f"Expected saved scores, but got {type(data).__name__}.")
        if data.get("kind") != "scores" or data.get("semantics") != SEMANTICS:
            found = f"{data.get('kind')!r} and {data.get('semantics')!r}"
            raise SemevalError(f"Expected kind 'scores' and semantics {SEMANTICS!r}, but got {found}.")
        try:
            settings = Settings.from_dict(data["settings"])
            per_label = {label: _read_cells(cells, settings) for label, cells in data["per_label"].items()}
            return cls(settings, _read_cells(data["overall"], settings), per_label, dict(data["documents"]))
        except (KeyError, TypeError, AttributeError, ValueError) as error:
            raise SemevalError(f"The scores are not complete: {type(error).__name__} {error}.") from None


def _read_cells(cells: Mapping[str, Any], settings: Settings) -> dict[str, Counts]:
    return {schema: Counts.from_dict(cells[schema], settings.beta) for schema in settings.schemas}


def _add_cells(left: dict[str, Counts], right: dict[str, Counts]) -> dict[str, Counts]:
    return {schema: cell + right[schema] for schema, cell in left.items()}


def _one(cell: Counts) -> float:
    return 1.0


def _support(cell: Counts) -> float:
    return float(cell.pos)
