"""The tags that annotators gave the tokens of the documents, as their spans say: BIO, or IO."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..engine.spans import IntArray, SpanTable
from ..tokenizer import tokenizer_for
from .coefficients import Codes
from .corpus import Corpus, Mask, TokenOffsets

OUTSIDE = 0
UNSEEN = -1


@dataclass(frozen=True, eq=False)
class Tokens:
    """The tokens of all documents on one axis that has the texts end to end.

    doc (IntArray): The document of each token, shape (n,).
    start, end (IntArray): Its first character on the axis and the one behind it, shape (n,); both rise.
    base (IntArray): Where each text begins, shape (n_docs,).
    """

    doc: IntArray
    start: IntArray
    end: IntArray
    base: IntArray

    def __len__(self) -> int:
        return len(self.doc)

    def take_none(self) -> Tokens:
        """RETURNS (Tokens): No token of no document."""
        return Tokens(self.doc[:0], self.start[:0], self.end[:0], self.base[:0])


@dataclass(frozen=True, eq=False)
class Tags:
    """What each annotator said of each unit: a token, or where spans of one annotator overlap a token and a label.

    codes (Codes): The tag: 0 for outside, -1 where the document was not seen, shape (n_annotators, n_units).
    doc (IntArray): The document of each unit, shape (n_units,).
    by_label (bool): Whether there is a track for each label.
    cut_spans (int): How many spans begin or end inside a token, and were widened to the whole of it.
    hidden_spans (int): How many spans got no token, because there is none at their place or another span has it.
    """

    codes: Codes
    doc: IntArray
    by_label: bool
    cut_spans: int
    hidden_spans: int

    @cached_property
    def n_tags(self) -> int:
        """How many tags there are, that for outside included."""
        return 1 + int(self.codes.max(initial=OUTSIDE))


def find_tokens(corpus: Corpus, lang: str) -> tuple[Corpus, Tokens]:
    """Find the tokens of a corpus: those of the data if all annotators of a document who have tokens have the same,
    else those of spaCy's tokenizer.

    corpus (Corpus): The documents.
    lang (str): The language whose tokenizer is used, such as "en", or "xx" for any.
    RETURNS (tuple[Corpus, Tokens]): The documents that have a token, and the tokens, in order.
    RAISES (SettingsError): If there is no such language, or it needs a package that is not installed.
    """
    offsets = [_usable(document.tokens, document.text) for document in corpus.documents]
    missing = [i for i, found in enumerate(offsets) if found is None and corpus.documents[i].text is not None]
    texts = [corpus.documents[i].text or "" for i in missing]
    for i, found in zip(missing, _tokenize(texts, lang)):
        offsets[i] = found
    tokenized = corpus.take(np.array([bool(found) for found in offsets], dtype=bool))
    return tokenized, _lay_out([found for found in offsets if found], tokenized)


def _usable(tokens: TokenOffsets | None, text: str | None) -> TokenOffsets | None:
    """Tokens from left to right, without those that hold no character; None if they overlap or leave the text."""
    if tokens is None:
        return None
    held = tuple(token for token in tokens if token[0] < token[1])
    at = 0
    for start, end in held:
        if start < at:
            return None
        at = end
    return held if text is None or at <= len(text) else None


def _tokenize(texts: Sequence[str], lang: str) -> Iterator[TokenOffsets]:
    if not texts:
        return
    for doc in map(tokenizer_for(lang, texts).make_doc, texts):
        yield tuple((token.idx, token.idx + len(token)) for token in doc)


def _lay_out(offsets: Sequence[TokenOffsets], corpus: Corpus) -> Tokens:
    lengths = corpus.lengths.copy()
    for table in corpus.tables:  # where a text is not known, spans say how long it is at least
        np.maximum.at(lengths, table.doc, table.end)
    np.maximum(lengths, [found[-1][1] for found in offsets], out=lengths, casting="unsafe")
    base = np.cumsum(lengths) - lengths
    doc = np.repeat(np.arange(len(offsets)), np.array([len(found) for found in offsets], dtype=np.int64))
    flat = np.array([token for found in offsets for token in found], dtype=np.int64).reshape(-1, 2)
    return Tokens(doc, flat[:, 0] + base[doc], flat[:, 1] + base[doc], base)


def tag_tokens(corpus: Corpus, tokens: Tokens, overlapping: bool, io: bool = False) -> Tags:
    """Tag the tokens as each annotator's spans say.

    A span gives its first token B, the others I; one that begins or ends inside a token is widened to the whole of it.
    A token that two spans touch belongs to the one that begins first.

    corpus (Corpus): The documents.
    tokens (Tokens): Their tokens.
    overlapping (bool): Whether spans of one annotator overlap anywhere. Then each label is a track of its own: every
        token is there once for each label, and other labels are outside.
    io (bool): Whether the first token of a span has the same tag as the others.
    RETURNS (Tags): The tags of each annotator.
    """
    n_labels = len(corpus.tables[0].labels)
    n_tracks = max(n_labels, 1) if overlapping else 1
    codes = np.full((len(corpus.annotators), n_tracks, len(tokens)), OUTSIDE, dtype=np.int32)
    cut = hidden = 0
    for row, table, seen in zip(codes, corpus.tables, corpus.seen):
        row[:, ~seen[tokens.doc]] = UNSEEN
        for track, spans in zip(row, _tracks(table, overlapping)):
            numbers = _tag(track, spans, tokens, io)
            cut, hidden = cut + numbers[0], hidden + numbers[1]
    return Tags(codes.reshape(len(codes), -1), np.tile(tokens.doc, n_tracks), overlapping, cut, hidden)


def _tracks(table: SpanTable, overlapping: bool) -> Iterable[SpanTable]:
    if not overlapping:
        return [table]
    return (table.take(table.label == label) for label in range(len(table.labels)))


def _tag(track: Codes, spans: SpanTable, tokens: Tokens, io: bool) -> tuple[int, int]:
    """Write the tags of spans into a track; RETURNS (tuple[int, int]): how many are cut, and how many hidden."""
    start, end = spans.start + tokens.base[spans.doc], spans.end + tokens.base[spans.doc]
    first = np.searchsorted(tokens.end, start, side="right")
    last = np.searchsorted(tokens.start, end, side="left")
    touches = last > first
    widened = np.zeros(len(spans), dtype=bool)
    widened[touches] = (tokens.start[first[touches]] < start[touches]) | (tokens.end[last[touches] - 1] > end[touches])
    taken = np.concatenate(([0], np.maximum.accumulate(last)[:-1])) if len(last) else last
    first = np.maximum(first, taken)
    counts = np.maximum(last - first, 0)
    begins = counts > 0
    inside = np.repeat(2 * spans.label + 2, counts)
    offset = np.arange(len(inside)) - np.repeat(np.cumsum(counts) - counts - first, counts)
    track[offset] = inside
    if not io:
        track[first[begins]] = 2 * spans.label[begins] + 1
    return int(widened.sum()), int((~begins).sum())


def annotated(codes: Sequence[Codes]) -> Mask:
    """RETURNS (Mask): Whether anyone marked each unit, shape (n_units,)."""
    return np.any([row > OUTSIDE for row in codes], axis=0)
