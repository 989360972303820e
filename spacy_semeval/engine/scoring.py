"""From two span tables to scores: align, apply each schema, count."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np

from ..errors import SemevalError
from .align import align
from .schemas import COR, INC, PAR, SCHEMAS, Mask, Outcomes, Pairs, outcomes
from .scores import Counts, Scores, Settings
from .spans import IntArray, SpanTable, make_tables, read_documents


def score_spans(
    gold: Iterable[Iterable[Any]],
    pred: Iterable[Iterable[Any]],
    labels: Iterable[str] | None = None,
    schemas: Iterable[str] = SCHEMAS,
    aligner: str = "optimal.v1",
    min_overlap: float = 0.0,
    per_label: str = "own_side",
    beta: float = 1.0,
    end_inclusive: bool = False,
    per_document: bool = False,
    label_map: Mapping[str, str] | None = None,
) -> Scores:
    """Score predicted spans against gold spans.

    gold (Iterable[Iterable[Any]]): The reference: one iterable of spans a document. A span is a (start, end, label)
        tuple, a mapping with these keys, or a spaCy Span. Offsets are code points, ends exclusive.
    pred (Iterable[Iterable[Any]]): The spans to score, of the same documents in the same order.
    labels (Iterable[str] | None): Score these labels only; see docs/semantics.md.
    schemas (Iterable[str]): Names of registered schemas.
    aligner (str): Name of a registered aligner.
    min_overlap (float): Share of the gold span, 0 to 1, that a pair must share at least, besides one character.
    per_label (str): "own_side": each span counts under its own label; "gold_side": a pair counts under the gold label.
    beta (float): Weight of recall in F.
    end_inclusive (bool): Whether ends are the last character of the span instead of the one behind it.
    per_document (bool): Whether to keep the counts of each document too.
    label_map (Mapping[str, str] | None): New names of labels, for both sides; `labels` means the new ones.
    RETURNS (Scores): Overall and per label.
    RAISES (SemevalError): A ValueError, for a malformed span, a different number of documents or bad settings.
    """
    settings = Settings(schemas, aligner, min_overlap, per_label, beta, labels, label_map)
    gold_columns = read_documents(gold, "gold", end_inclusive)
    pred_columns = read_documents(pred, "pred", end_inclusive)
    if gold_columns.n_docs != pred_columns.n_docs:
        raise SemevalError(
            "Expected gold and pred to have the same number of documents, but got "
            f"{gold_columns.n_docs} and {pred_columns.n_docs}."
        )
    settings.check_renamed(chain(gold_columns.names, pred_columns.names))
    documents = {"scored": gold_columns.n_docs, "unannotated": 0, "ignored_pred": 0}
    tables = make_tables(gold_columns, pred_columns, settings.label_map)
    return score_tables(*tables, settings, documents, per_document)


def score_tables(
    gold: SpanTable,
    pred: SpanTable,
    settings: Settings,
    documents: dict[str, int] | None = None,
    per_document: bool = False,
) -> Scores:
    """Score tables of the same documents with the same labels.

    gold (SpanTable): The reference spans.
    pred (SpanTable): The spans to score.
    settings (Settings): What decides the numbers.
    documents (dict[str, int] | None): What the reader counted; all documents are scored if it counted nothing.
    per_document (bool): Whether to keep the counts of each document too.
    RETURNS (Scores): Overall and per label. To `documents` come the duplicates and what `labels` left out.
    """
    documents = {"scored": gold.n_docs, **(documents or {})}
    documents["duplicate_spans"] = documents.get("duplicate_spans", 0) + gold.duplicates + pred.duplicates
    kept = Kept.choose(gold, pred, settings)
    if settings.labels is not None:
        documents["other_label_gold"] = len(gold) - int(kept.gold.sum())
        documents["other_label_pred"] = len(pred) - int(kept.pred.sum())
    tally = _Tally(gold, pred, kept, settings, documents["scored"] > 0)
    found = {schema: outcomes(schema, tally.pairs) for schema in settings.schemas}
    return Scores(
        settings,
        {schema: tally.overall(outcome) for schema, outcome in found.items()},
        tally.per_label(found),
        documents,
        {schema: tally.per_document(outcome) for schema, outcome in found.items()} if per_document else None,
    )


@dataclass(frozen=True, eq=False)
class Kept:
    """What is counted, of two tables and their alignment.

    gold, pred (Mask): Whether each span is counted, shape (n_gold,) and (n_pred,).
    gold_index, pred_index (IntArray): The spans of each pair that is counted, shape (n_pairs,).
    """

    gold: Mask
    pred: Mask
    gold_index: IntArray
    pred_index: IntArray

    @classmethod
    def choose(cls, gold: SpanTable, pred: SpanTable, settings: Settings) -> Kept:
        """Align the tables and keep all, or gold and pred spans of some labels and the partners of that gold."""
        gold_index, pred_index = align(settings.aligner, gold, pred, settings.min_overlap)
        if settings.labels is None:
            return cls(np.ones(len(gold), dtype=bool), np.ones(len(pred), dtype=bool), gold_index, pred_index)
        wanted = np.array([name in settings.labels for name in gold.labels], dtype=bool)
        kept_gold, kept_pred = wanted[gold.label], wanted[pred.label]
        pairs = kept_gold[gold_index]
        kept_pred[pred_index[pairs]] = True
        return cls(kept_gold, kept_pred, gold_index[pairs], pred_index[pairs])


class _Tally:
    """Counts the outcomes of the pairs, and the spans without a pair, in the ways that scores need."""

    def __init__(self, gold: SpanTable, pred: SpanTable, kept: Kept, settings: Settings, annotated: bool) -> None:
        self.settings = settings
        self.annotated = annotated
        self.labels = gold.labels
        self.n_docs = gold.n_docs
        self.pairs = Pairs.take(gold, pred, kept.gold_index, kept.pred_index)
        self.pair_doc = gold.doc[kept.gold_index]
        lone_gold, lone_pred = kept.gold.copy(), kept.pred.copy()
        lone_gold[kept.gold_index] = False
        lone_pred[kept.pred_index] = False
        self.missed_label, self.missed_doc = gold.label[lone_gold], gold.doc[lone_gold]
        self.spurious_label, self.spurious_doc = pred.label[lone_pred], pred.doc[lone_pred]

    def counts(self, gold_side: Sequence[int], mis: int, pred_side: Sequence[int], spu: int) -> Counts:
        (cor, inc, par), (pred_cor, pred_inc, pred_par) = gold_side, pred_side
        beta, annotated = self.settings.beta, self.annotated
        return Counts(cor, inc, par, mis, pred_cor, pred_inc, pred_par, spu, beta, annotated)

    def overall(self, outcome: Outcomes) -> Counts:
        pairs = np.bincount(outcome, minlength=3).tolist()
        return self.counts(pairs, len(self.missed_label), pairs, len(self.spurious_label))

    def per_label(self, found: dict[str, Outcomes]) -> dict[str, dict[str, Counts]]:
        """The counts of each label that occurs, or of each one asked for, sorted."""
        n = len(self.labels)
        pred_label = self.pairs.gold_label if self.settings.per_label == "gold_side" else self.pairs.pred_label
        gold_side = {schema: _tabulate(self.pairs.gold_label, n, o).tolist() for schema, o in found.items()}
        pred_side = {schema: _tabulate(pred_label, n, o).tolist() for schema, o in found.items()}
        occurs = np.zeros(n, dtype=bool)
        for column in (self.pairs.gold_label, self.pairs.pred_label, self.missed_label, self.spurious_label):
            occurs[column] = True
        mis = np.bincount(self.missed_label, minlength=n).tolist()
        spu = np.bincount(self.spurious_label, minlength=n).tolist()
        cells = {
            name: {schema: self.counts(gold_side[schema][i], mis[i], pred_side[schema][i], spu[i]) for schema in found}
            for i, name in enumerate(self.labels)
            if occurs[i]
        }
        if self.settings.labels is None:
            return cells
        nothing = self.counts((0, 0, 0), 0, (0, 0, 0), 0)
        return {name: cells.get(name, dict.fromkeys(found, nothing)) for name in self.settings.labels}

    def per_document(self, outcome: Outcomes) -> IntArray:
        """COR, INC, PAR, MIS and SPU of each document, shape (n_docs, 5)."""
        pairs = _tabulate(self.pair_doc, self.n_docs, outcome)
        mis = np.bincount(self.missed_doc, minlength=self.n_docs)
        spu = np.bincount(self.spurious_doc, minlength=self.n_docs)
        return np.column_stack((pairs, mis, spu))


def _tabulate(row: IntArray, n_rows: int, outcome: Outcomes) -> IntArray:
    """Count COR, INC and PAR in each row, shape (n_rows, 3)."""
    kinds = len((COR, INC, PAR))
    return np.bincount(row * kinds + outcome, minlength=n_rows * kinds).reshape(n_rows, kinds)
