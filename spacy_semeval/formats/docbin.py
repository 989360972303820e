"""spaCy's .spacy files: records from Docs, and Docs from records with what does not fit into them."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from ..errors import SemevalError
from .base import Dataset, FileReader, Format, Record, Stretch, Token
from .sources import Source

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc, Span

OnMisaligned = Literal["error", "skip", "expand", "contract"]
OnOverlap = Literal["error", "longest"]

SHOWN = 10
LONGEST_TEXT = 80
ZLIB = b"\x78"


class DocBinReader(FileReader):
    """Reads the entities of Docs, or a group of their spans. Gold Docs without annotation are left out and counted."""

    def records(self) -> Iterator[Record | None]:
        """YIELDS (Record | None): The Docs."""
        key = self.options.spans_key
        docs = _load(self.source)
        keys = sorted({name for doc in docs for name in doc.spans})
        if key is not None and docs and key not in keys:
            found = ", ".join(keys) or "none"
            raise SemevalError(f"No document of {self.source.name} has the spans key {key!r}. Keys found: {found}.")
        for number, doc in enumerate(docs, 1):
            if self.options.is_gold and not _is_annotated(doc, key):
                self.skipped["unannotated"] += 1
                yield None
            else:
                yield _record_of(doc, key, number)


def _load(source: Source) -> list[Doc]:
    from spacy.tokens import DocBin
    from spacy.vocab import Vocab

    if source.path is None:
        raise SemevalError(f"Can't read spaCy's Docs from {source.name}: name a file.")
    try:
        return list(DocBin().from_disk(source.path).get_docs(Vocab()))
    except Exception as error:  # a broken file may raise anything
        said = " ".join(str(error).split())
        raise SemevalError(f"Can't read {source.name} as spaCy's Docs: {type(error).__name__}: {said}.") from None


def _is_annotated(doc: Doc, key: str | None) -> bool:
    # As spaCy has it, a Doc without tokens is annotated.
    return (not len(doc) or doc.has_annotation("ENT_IOB")) if key is None else key in doc.spans


def _record_of(doc: Doc, key: str | None, number: int) -> Record:
    held = doc.ents if key is None else doc.spans.get(key, ())
    spans = tuple((span.start_char, span.end_char, sys.intern(span.label_)) for span in held)
    tokens = [Token(token.text, token.idx, token.idx + len(token)) for token in doc]
    missing = [token for token in doc if key is None and token.ent_iob == 0]
    unknown = tuple((token.idx, token.idx + len(token)) for token in missing)
    return Record(doc.text, spans, number, tokens, unknown)


def sniff(head: bytes) -> bool:
    """Whether a file begins as zlib's data do, which is what a DocBin is packed in."""
    return head.startswith(ZLIB)


# entry point: docbin
docbin = Format((".spacy",), sniff, DocBinReader, frozenset({"spans_key", "is_gold"}))


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
            cannot = "neither doc.ents nor CoNLL can hold that"
            problem = f"{len(self.overlapping)} spans of {dataset.name} overlap another one; {cannot}"
            remedy = "--on-overlap longest, or for .spacy --spans-key KEY (in a config: on_overlap, spans_key)"
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
            doc = self.nlp.make_doc(record.full_text)
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
    return f"{label} {record.full_text[start:end][:LONGEST_TEXT]!r} ({start} to {end})"


def make_tokens(nlp: Language, record: Record) -> Doc:
    """Make a Doc without annotation: of the record's tokens where they rebuild its text, else by the tokenizer.

    nlp (Language): Its vocab and tokenizer are used.
    record (Record): The record.
    RETURNS (Doc): The Doc. Its text is the record's.
    """
    doc = _doc_of_tokens(nlp, record)
    return nlp.make_doc(record.full_text) if doc is None else doc


def _doc_of_tokens(nlp: Language, record: Record) -> Doc | None:
    """The Doc of the record's tokens, or None if they do not rebuild its text."""
    from spacy.tokens import Doc

    words: list[str] = []
    spaces: list[bool] = []
    text, at = record.full_text, 0
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
