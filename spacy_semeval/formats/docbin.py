"""spaCy Docs from records: tokens, entities or a span group, and what does not fit into them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from ..errors import SemevalError
from .base import Dataset, Record, Stretch

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc, Span

OnMisaligned = Literal["error", "skip", "expand", "contract"]
OnOverlap = Literal["error", "longest"]

SHOWN = 10


@dataclass
class DocMaker:
    """Makes Docs of records, and keeps what did not fit.

    nlp (Language): Its vocab is used, and its tokenizer for records without usable tokens.
    spans_key (str | None): The key in doc.spans, or None to set doc.ents.
    on_misaligned (OnMisaligned): What to do with a span that cuts through tokens: "error" to refuse the data, "skip"
        to leave it out, "expand" to all tokens it touches, "contract" to those that it holds.
    on_overlap (OnOverlap): What to do with overlapping spans in doc.ents: "error" to refuse the data, "longest" to
        keep the longest, of equally long ones the first.
    misaligned (list[str]): A line for each span that cuts through tokens.
    overlapping (list[str]): A line for each span that overlaps another one in doc.ents.
    """

    nlp: Language
    spans_key: str | None = None
    on_misaligned: OnMisaligned = "error"
    on_overlap: OnOverlap = "error"
    misaligned: list[str] = field(default_factory=list)
    overlapping: list[str] = field(default_factory=list)

    def make_all(self, dataset: Dataset) -> list[Doc]:
        """Make the Docs of a data set.

        dataset (Dataset): The records.
        RETURNS (list[Doc]): A Doc for each record.
        RAISES (SemevalError): If spans do not fit and should; names all of them by line and text, up to ten.
        """
        docs = [self.make(record) for record in dataset.records]
        if self.misaligned and self.on_misaligned == "error":
            problem = f"{len(self.misaligned)} spans of {dataset.path} do not begin and end with a token"
            raise SemevalError(_listing(problem, self.misaligned, "--on-misaligned skip, expand or contract"))
        if self.overlapping and self.on_overlap == "error":
            problem = f"{len(self.overlapping)} spans of {dataset.path} overlap another one, which doc.ents can't hold"
            raise SemevalError(_listing(problem, self.overlapping, "--on-overlap longest, or --spans-key KEY"))
        return docs

    def make(self, record: Record) -> Doc:
        """Make the Doc of one record; what does not fit is only noted.

        record (Record): The record.
        RETURNS (Doc): The Doc.
        """
        doc = make_tokens(self.nlp, record)
        spans = [span for span in self._fit(doc, record) if span is not None]
        if self.spans_key is not None:
            doc.spans[self.spans_key] = spans
        else:
            ents = self._flat(spans, record)
            taken = {token.i for span in ents for token in span}
            unknown = [doc[t.i : t.i + 1] for t in doc if t.i not in taken and _touches(t.idx, len(t), record.unknown)]
            doc.set_ents(ents, missing=unknown)
        return doc

    def _fit(self, doc: Doc, record: Record) -> Iterator[Span | None]:
        # Exact duplicates say the same thing twice.
        for start, end, label in sorted(set(record.spans)):
            span = doc.char_span(start, end, label=label)
            if span is None:
                self.misaligned.append(f"line {record.line}: {label} {record.text[start:end]!r} ({start} to {end})")
                if self.on_misaligned in ("expand", "contract"):
                    span = doc.char_span(start, end, label=label, alignment_mode=self.on_misaligned)
            yield span

    def _flat(self, spans: list[Span], record: Record) -> list[Span]:
        from spacy.util import filter_spans

        kept = filter_spans(spans)
        for span in spans:
            if span not in kept:
                other = next(k for k in kept if k.start < span.end and span.start < k.end)
                clash = " and ".join(f"{s.label_} {s.text!r} ({s.start_char} to {s.end_char})" for s in (span, other))
                self.overlapping.append(f"line {record.line}: {clash}")
        return kept


def make_tokens(nlp: Language, record: Record) -> Doc:
    """Make a Doc without annotation: of the record's tokens where they rebuild its text, else by the tokenizer.

    nlp (Language): Its vocab and tokenizer are used.
    record (Record): The record.
    RETURNS (Doc): The Doc. Its text is the record's.
    """
    from spacy.tokens import Doc

    words: list[str] = []
    spaces: list[bool] = []
    at = 0
    for start, end in record.tokens or ():
        gap = record.text[at:start]
        if start != at and not (words and gap == " "):
            return nlp.make_doc(record.text)
        if words:
            spaces[-1] = gap == " "
        words.append(record.text[start:end])
        spaces.append(False)
        at = end
        if start >= end:
            return nlp.make_doc(record.text)
    rest = record.text[at:]
    if not words or rest not in ("", " "):
        return nlp.make_doc(record.text)
    spaces[-1] = rest == " "
    return Doc(nlp.vocab, words=words, spaces=spaces)


def _touches(start: int, length: int, stretches: Iterable[Stretch]) -> bool:
    return any(first < start + length and start < last for first, last in stretches)


def _listing(problem: str, lines: list[str], remedy: str) -> str:
    more = [f"and {len(lines) - SHOWN} more"] if len(lines) > SHOWN else []
    listed = "\n".join(f"  {line}" for line in [*lines[:SHOWN], *more])
    return f"{problem}:\n{listed}\nTo go on all the same: {remedy}."
