"""spaCy Docs from records: tokens, entities or a span group, and what does not fit into them."""

from __future__ import annotations

from collections.abc import Iterable
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
LONGEST_TEXT = 80


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
    retokenized (int): Number of records whose tokens do not rebuild their text.
    duplicates (int): Number of spans that were there already.
    unmarked (int): Number of stretches without annotation that doc.spans can't mark as such.
    """

    nlp: Language
    spans_key: str | None = None
    on_misaligned: OnMisaligned = "error"
    on_overlap: OnOverlap = "error"
    misaligned: list[str] = field(default_factory=list)
    overlapping: list[str] = field(default_factory=list)
    retokenized: int = 0
    duplicates: int = 0
    unmarked: int = 0

    def make_all(self, dataset: Dataset) -> list[Doc]:
        """Make the Docs of a dataset.

        dataset (Dataset): The records.
        RETURNS (list[Doc]): A Doc for each record.
        RAISES (SemevalError): If spans do not fit and should; names all of them by line and text, up to ten.
        """
        docs = [self.make(record) for record in dataset.records]
        if self.misaligned and self.on_misaligned == "error":
            problem = f"{len(self.misaligned)} spans of {dataset.name} do not begin and end with a token"
            remedy = "--on-misaligned skip, expand or contract (in a config: on_misaligned)"
            raise SemevalError(_listing(problem, self.misaligned, remedy))
        if self.overlapping and self.on_overlap == "error":
            problem = f"{len(self.overlapping)} spans of {dataset.name} overlap another one, which doc.ents can't hold"
            remedy = "--on-overlap longest, or --spans-key KEY (in a config: on_overlap, spans_key)"
            raise SemevalError(_listing(problem, self.overlapping, remedy))
        return docs

    def notes(self) -> list[str]:
        """Say what did not fit, all of it.

        RETURNS (list[str]): Lines with a number, each with the spans that it is about below.
        """
        numbers = {
            "Records whose tokens do not rebuild their text, tokenized anew": self.retokenized,
            "Surplus of duplicate spans, left out": self.duplicates,
            "Stretches without annotation that doc.spans can't mark as such": self.unmarked,
        }
        lines = [f"{what}: {number}" for what, number in numbers.items() if number]
        done = {"expand": "expanded", "contract": "contracted, or left out if they hold no token"}
        for spans, what in (
            (self.misaligned, f"Spans that cut through tokens, {done.get(self.on_misaligned, 'left out')}"),
            (self.overlapping, "Spans left out because they overlap a longer or an earlier one"),
        ):
            if spans:
                lines += [f"{what}: {len(spans)}", *(f"  {span}" for span in spans)]
        return lines

    def make(self, record: Record) -> Doc:
        """Make the Doc of one record; what does not fit is only noted.

        record (Record): The record.
        RETURNS (Doc): The Doc.
        """
        doc = _doc_of_tokens(self.nlp, record)
        if doc is None:
            self.retokenized += bool(record.tokens)
            doc = self.nlp.make_doc(record.text)
        spans = self._fit(doc, record)
        if self.spans_key is not None:
            doc.spans[self.spans_key] = spans
            self.unmarked += len(record.unknown)
        else:
            ents = self._flat(spans, record)
            taken = {token.i for span in ents for token in span}
            unknown = [doc[t.i : t.i + 1] for t in doc if t.i not in taken and _touches(t.idx, len(t), record.unknown)]
            doc.set_ents(ents, missing=unknown)
        return doc

    def _fit(self, doc: Doc, record: Record) -> list[Span]:
        fitting: dict[tuple[int, int, str], Span] = {}
        for start, end, label in sorted(record.spans):
            span = doc.char_span(start, end, label=label)
            if span is None:
                self.misaligned.append(f"line {record.line}: {_named(start, end, label, record)}")
                if self.on_misaligned in ("expand", "contract"):
                    span = doc.char_span(start, end, label=label, alignment_mode=self.on_misaligned)
            if span is not None:
                # What says the same thing twice, as it is or on the same tokens, is kept once.
                self.duplicates += (span.start, span.end, label) in fitting
                fitting.setdefault((span.start, span.end, label), span)
        return list(fitting.values())

    def _flat(self, spans: list[Span], record: Record) -> list[Span]:
        from spacy.util import filter_spans

        kept = filter_spans(spans)
        for span in spans:
            if not any(span is other for other in kept):
                other = next(k for k in kept if k.start < span.end and span.start < k.end)
                both = " overlaps ".join(_named(s.start_char, s.end_char, s.label_, record) for s in (span, other))
                self.overlapping.append(f"line {record.line}: {both}")
        return kept


def _named(start: int, end: int, label: str, record: Record) -> str:
    return f"{label} {record.text[start:end][:LONGEST_TEXT]!r} ({start} to {end})"


def make_tokens(nlp: Language, record: Record) -> Doc:
    """Make a Doc without annotation: of the record's tokens where they rebuild its text, else by the tokenizer.

    nlp (Language): Its vocab and tokenizer are used.
    record (Record): The record.
    RETURNS (Doc): The Doc. Its text is the record's.
    """
    doc = _doc_of_tokens(nlp, record)
    return nlp.make_doc(record.text) if doc is None else doc


def _doc_of_tokens(nlp: Language, record: Record) -> Doc | None:
    """The Doc of the record's tokens, or None if they do not rebuild its text."""
    from spacy.tokens import Doc

    words: list[str] = []
    spaces: list[bool] = []
    text, at = record.text, 0
    for token in record.tokens or ():
        start, end = token.start, token.end
        gap = text[at:start]
        if not at <= start < end <= len(text) or gap not in ("", " ") or (gap and not words):
            return None
        if words:
            spaces[-1] = bool(gap)
        words.append(text[start:end])
        spaces.append(False)
        at = end
    rest = text[at:]
    if not words or rest not in ("", " "):
        return None
    spaces[-1] = bool(rest)
    return Doc(nlp.vocab, words=words, spaces=spaces)


def _touches(start: int, length: int, stretches: Iterable[Stretch]) -> bool:
    return any(first < start + length and start < last for first, last in stretches)


def _listing(problem: str, lines: list[str], remedy: str) -> str:
    more = [f"and {len(lines) - SHOWN} more"] if len(lines) > SHOWN else []
    listed = "\n".join(f"  {line}" for line in [*lines[:SHOWN], *more])
    return f"{problem}:\n{listed}\nTo go on all the same: {remedy}."
