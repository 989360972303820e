"""The spans of spaCy Docs and Examples, as tables, and their scores.

Boundaries are compared in characters, so gold and pred may be tokenized in different ways.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
import numpy.typing as npt

from .engine.schemas import SCHEMAS, Mask
from .engine.scores import Scores, Settings
from .engine.spans import Columns, IntArray
from .errors import SemevalError, refuse
from .reading import Reading, score_reading

if TYPE_CHECKING:
    # Importing this package must stay free of spaCy: it runs before every `python -m spacy`.
    from spacy.tokens import Doc
    from spacy.training import Example

    from .formats.base import Record, Span

T = TypeVar("T")


def score_examples(
    examples: Iterable[Example], attr: str = "ents", spans_key: str | None = None, **settings: Any
) -> Scores:
    """Score the predicted Docs of Examples against their reference Docs.

    examples (Iterable[Example]): The Examples.
    attr (str): "ents" for doc.ents, or "spans" together with a `spans_key`.
    spans_key (str | None): Score doc.spans[spans_key] instead of doc.ents.
    settings (Any): The other arguments of `score_docs`, by their names.
    RETURNS (Scores): Overall and per label.
    RAISES (SemevalError): As `score_docs`.
    """
    from spacy.training import Example

    examples = _all_of(Example, examples)
    gold_docs, pred_docs = [eg.reference for eg in examples], [eg.predicted for eg in examples]
    return score_docs(gold_docs, pred_docs, attr, spans_key, **settings)


def score_docs(
    gold_docs: Sequence[Doc],
    pred_docs: Sequence[Doc],
    attr: str = "ents",
    spans_key: str | None = None,
    labels: Iterable[str] | None = None,
    schemas: Iterable[str] = SCHEMAS,
    aligner: str = "optimal.v1",
    min_overlap: float = 0.0,
    per_label: str = "own_side",
    beta: float = 1.0,
    per_document: bool = False,
    label_map: Mapping[str, str] | None = None,
) -> Scores:
    """Score predicted Docs against reference Docs of the same texts, in the same order.

    gold_docs (Sequence[Doc]): The reference. A Doc without entity annotation (or without the spans key) is skipped
        and counted; predictions that touch a token without annotation are left out and counted.
    pred_docs (Sequence[Doc]): The Docs to score. Texts may differ in white space: then offsets are counted over the
        other characters.
    attr (str): "ents" for doc.ents, or "spans" together with a `spans_key`.
    spans_key (str | None): Score doc.spans[spans_key] instead of doc.ents.
    labels, schemas, aligner, min_overlap, per_label, beta, per_document, label_map: As in `score_spans`.
    RETURNS (Scores): Overall and per label.
    RAISES (SemevalError): A ValueError, for different numbers of Docs, different texts or bad settings.
    """
    if attr not in ("ents", "spans") or (attr == "spans" and spans_key is None):
        raise SemevalError(f"Expected attr to be 'ents', or 'spans' together with a spans_key, but got {attr!r}.")
    settings = Settings(schemas, aligner, min_overlap, per_label, beta, labels, label_map)
    from spacy.tokens import Doc

    return score_doc_tables(_all_of(Doc, gold_docs), _all_of(Doc, pred_docs), spans_key, settings, per_document)


def _all_of(kind: type[T], items: Iterable[T]) -> list[T]:
    """The items as a list, if all of them are of the kind: a single Doc, too, can be iterated over."""
    if not isinstance(items, kind) and isinstance(items, Iterable):
        items = list(items)
        strange = next((item for item in items if not isinstance(item, kind)), None)
        if strange is None:
            return items
        raise SemevalError(f"Expected a sequence of {kind.__name__}s, but one of them is a {type(strange).__name__}.")
    raise SemevalError(f"Expected a sequence of {kind.__name__}s, but got a {type(items).__name__}.")


def score_doc_tables(
    gold_docs: Sequence[Doc],
    pred_docs: Sequence[Doc],
    spans_key: str | None,
    settings: Settings,
    per_document: bool = False,
    complain: Callable[[str], object] = refuse,
) -> Scores:
    """Do the work of `score_docs` with settings that were checked before.

    gold_docs (Sequence[Doc]): The reference.
    pred_docs (Sequence[Doc]): The Docs to score.
    spans_key (str | None): The key in doc.spans, or None for doc.ents.
    settings (Settings): What decides the numbers.
    per_document (bool): Whether to keep the counts of each document too.
    complain (Callable[[str], object]): What to do about names in label_map that occur nowhere.
    RETURNS (Scores): Overall and per label.
    """
    if len(gold_docs) != len(pred_docs):
        found = f"{len(gold_docs)} and {len(pred_docs)}"
        raise SemevalError(f"Expected as many reference Docs as predicted Docs, but got {found}.")
    read = read_ents(gold_docs, pred_docs) if spans_key is None else read_spans(gold_docs, pred_docs, spans_key)
    return score_reading(read, settings, per_document, complain)


def read_ents(gold_docs: Sequence[Doc], pred_docs: Sequence[Doc]) -> Reading:
    """Read the entities of both sides.

    gold_docs (Sequence[Doc]): The reference.
    pred_docs (Sequence[Doc]): The Docs to score.
    RETURNS (Reading): The entities in characters.
    """
    gold, pred = _Tokens.read(gold_docs), _Tokens.read(pred_docs)
    for i in _unlike(gold, pred):
        offsets = _shared_offsets(gold_docs[i].text, pred_docs[i].text, i)
        if offsets is not None:
            gold.move(i, offsets[0])
            pred.move(i, offsets[1])
    # As spaCy has it, a Doc without tokens is annotated.
    annotated = gold.lengths == 0
    annotated[gold.doc[gold.iob != 0]] = True
    unknown = (gold.iob == 0) & annotated[gold.doc]
    stretches = Columns(len(gold_docs), gold.doc[unknown], gold.start[unknown], gold.end[unknown], ())
    gold_ents, empty_gold = gold.entities(annotated)
    pred_ents, empty_pred = pred.entities(annotated)
    return Reading(gold_ents, pred_ents, annotated, stretches, empty_spans=empty_gold + empty_pred)


def _unlike(gold: _Tokens, pred: _Tokens) -> list[int]:
    """The documents whose two sides do not have the same tokens at the same places, so that their texts may differ."""
    different = gold.lengths != pred.lengths
    if not different.any():
        tokens = (gold.orth != pred.orth) | (gold.start != pred.start)
        return np.unique(gold.doc[tokens]).tolist()
    for i in np.flatnonzero(~different).tolist():
        g, p = gold.slice(i), pred.slice(i)
        different[i] = (gold.orth[g] != pred.orth[p]).any() or (gold.start[g] != pred.start[p]).any()
    return np.flatnonzero(different).tolist()


def _shared_offsets(gold: str, pred: str, index: int) -> tuple[IntArray, IntArray] | None:
    """For texts that differ in white space, the offset of each character among those that are not white space."""
    if gold == pred:
        return None
    bare = ["".join(text.split()) for text in (gold, pred)]
    # spaCy aligns texts that differ in case too.
    if bare[0] != bare[1] and not (len(bare[0]) == len(bare[1]) and bare[0].lower() == bare[1].lower()):
        at = next((i for i, (g, p) in enumerate(zip(*bare)) if g != p), min(map(len, bare)))
        found = " and ".join(repr(text[at : at + 20]) for text in bare)
        raise SemevalError(
            f"Expected gold and prediction of document {index} to have the same text, white space aside, but got "
            f"{found} after {at} characters. Both need the same documents in the same order."
        )
    gold_offsets, pred_offsets = (
        np.array([0, *accumulate(not char.isspace() for char in text)]) for text in (gold, pred)
    )
    return gold_offsets, pred_offsets


@dataclass(frozen=True, eq=False)
class _Tokens:
    """The tokens of many Docs as columns of shape (n_tokens,)."""

    docs: Sequence[Doc]
    lengths: IntArray
    doc: IntArray
    orth: IntArray
    start: IntArray
    end: IntArray
    iob: IntArray
    ent_type: npt.NDArray[np.uint64]

    @classmethod
    def read(cls, docs: Sequence[Doc]) -> _Tokens:
        from spacy.attrs import ENT_IOB, ENT_TYPE, IDX, LENGTH, ORTH

        attrs = [ORTH, IDX, LENGTH, ENT_IOB, ENT_TYPE]
        arrays = [doc.to_array(attrs) for doc in docs]
        lengths = np.fromiter(map(len, arrays), dtype=np.int64, count=len(arrays))
        table = np.concatenate(arrays) if arrays else np.zeros((0, len(attrs)), dtype=np.uint64)
        orth, start, length, iob, _ = table.view(np.int64).T
        doc = np.repeat(np.arange(len(docs)), lengths)
        return cls(docs, lengths, doc, orth, start, start + length, iob, table[:, -1])

    def slice(self, index: int) -> slice:
        first = int(self.lengths[:index].sum())
        return slice(first, first + int(self.lengths[index]))

    def move(self, index: int, offsets: IntArray) -> None:
        """Replace the offsets of one document's tokens."""
        tokens = self.slice(index)
        self.start[tokens], self.end[tokens] = offsets[self.start[tokens]], offsets[self.end[tokens]]

    def entities(self, annotated: Mask) -> tuple[Columns, int]:
        """The entities of annotated documents, by the rules of `Doc.ents`, and the number of empty ones left out."""
        tokens = np.flatnonzero((self.iob == 1) | ((self.iob == 3) & (self.ent_type != 0)))
        begins = self.iob[tokens] == 3
        follows = (np.diff(tokens, prepend=-2) == 1) & (np.diff(self.doc[tokens], prepend=-1) == 0)
        if not (begins | follows).all():
            self._refuse_loose(int(tokens[(begins | follows).argmin()]))
        first, last = tokens[begins], tokens[np.append(begins[1:], True)[: len(tokens)]]
        known = annotated[self.doc[first]]
        kept = known & (self.start[first] < self.end[last])
        empty = int(known.sum()) - int(kept.sum())
        first, last = first[kept], last[kept]
        return Columns(len(self.docs), self.doc[first], self.start[first], self.end[last], self._names(first)), empty

    def _refuse_loose(self, token: int) -> None:
        doc = int(self.doc[token])
        place = token - self.slice(doc).start
        raise SemevalError(f"Token {place} of document {doc} continues an entity (tag I) that never began (tag B).")

    def _names(self, tokens: IntArray) -> list[str]:
        hashes = self.ent_type[tokens].tolist()
        docs = self.doc[tokens].tolist()
        names = {value: _label_name(self.docs[docs[hashes.index(value)]], value) for value in set(hashes)}
        return [names[value] for value in hashes]


def _label_name(doc: Doc, value: int) -> str:
    try:
        return str(doc.vocab.strings[value])
    except KeyError:
        raise SemevalError(f"A label (hash {value}) is not among the strings of its Doc's vocab.") from None


def read_spans(gold_docs: Sequence[Doc], pred_docs: Sequence[Doc], spans_key: str) -> Reading:
    """Read a span group of both sides. A document is annotated if the reference has the key.

    gold_docs (Sequence[Doc]): The reference.
    pred_docs (Sequence[Doc]): The Docs to score.
    spans_key (str): The key in doc.spans.
    RETURNS (Reading): The spans in characters.
    """
    annotated = np.array([spans_key in doc.spans for doc in gold_docs], dtype=bool)
    sides: tuple[list[tuple[int, int, int, str]], list[tuple[int, int, int, str]]] = ([], [])
    for i in np.flatnonzero(annotated).tolist():
        offsets = _shared_offsets(gold_docs[i].text, pred_docs[i].text, i)
        for side, doc in enumerate((gold_docs[i], pred_docs[i])):
            sides[side].extend(_moved(i, _group(doc, spans_key), None if offsets is None else offsets[side]))
    (gold, empty_gold), (pred, empty_pred) = (_columns(len(gold_docs), side) for side in sides)
    return Reading(gold, pred, annotated, empty_spans=empty_gold + empty_pred)


def read_records(records: Sequence[Record], pred_docs: Sequence[Doc], spans_key: str | None) -> Reading:
    """Read gold spans from the records of a file, and predictions from the Docs of the same texts.

    records (Sequence[Record]): The reference. Its spans need not fit any tokens.
    pred_docs (Sequence[Doc]): The Docs to score.
    spans_key (str | None): The key in doc.spans of the predictions, or None for doc.ents.
    RETURNS (Reading): The spans in characters.
    """
    gold, unknown, rejected, pred = [], [], [], []
    tokens = _Tokens.read(pred_docs)
    for i, (record, doc) in enumerate(zip(records, pred_docs)):
        offsets = _shared_offsets(record.full_text, doc.text, i)
        gold_offsets, pred_offsets = (None, None) if offsets is None else offsets
        gold.extend(_moved(i, record.spans, gold_offsets))
        unknown.extend(_moved(i, [(start, end, "") for start, end in record.unknown], gold_offsets))
        rejected.extend(_moved(i, record.rejected, gold_offsets))
        if spans_key is not None:
            pred.extend(_moved(i, _group(doc, spans_key), pred_offsets))
        elif pred_offsets is not None:
            tokens.move(i, pred_offsets)
    annotated = np.ones(len(records), dtype=bool)
    gold_columns, empty_gold = _columns(len(records), gold)
    pred_columns, empty_pred = tokens.entities(annotated) if spans_key is None else _columns(len(records), pred)
    (stretches, _), (wrong, _) = _columns(len(records), unknown), _columns(len(records), rejected)
    return Reading(gold_columns, pred_columns, annotated, stretches, wrong, empty_gold + empty_pred)


def _group(doc: Doc, spans_key: str) -> list[Span]:
    return [(span.start_char, span.end_char, _label_name(doc, span.label)) for span in doc.spans.get(spans_key, ())]


def _moved(doc: int, spans: Iterable[Span], offsets: IntArray | None) -> list[tuple[int, int, int, str]]:
    """Put the document's index in front of each span, and replace its offsets if the texts differ."""
    if offsets is None:
        return [(doc, start, end, label) for start, end, label in spans]
    return [(doc, int(offsets[start]), int(offsets[end]), label) for start, end, label in spans]


def _columns(n_docs: int, spans: list[tuple[int, int, int, str]]) -> tuple[Columns, int]:
    """The spans as columns, and the number of empty ones left out."""
    held = [span for span in spans if span[1] < span[2]]
    doc, start, end = np.array([span[:3] for span in held], dtype=np.int64).reshape(-1, 3).T
    return Columns(n_docs, doc, start, end, [span[3] for span in held]), len(spans) - len(held)
