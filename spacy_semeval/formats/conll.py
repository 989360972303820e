"""Read CoNLL files: a token a line, its tag in the last column, blank lines between sentences."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate

from ..errors import SemevalError
from .base import Format, Record, Token
from .decoding import bad_line
from .sources import Source
from .tagged import USES, TaggedReader, say
from .tags import TagError, parse_tags

DOCSTART = "-DOCSTART-"
COLUMN = re.compile(r"[ \t\r\f\v]+")


@dataclass
class Sentence:
    """The tokens of a sentence, and their tags.

    line (int): The line that it begins in. Its tokens have a line each, one behind the other.
    width (int): The number of columns.
    """

    line: int
    width: int = 0
    words: list[str] = field(default_factory=list)
    tags: list[str] = field(default_factory=list)


class ConllReader(TaggedReader):
    """Reads a sentence as a document. Its text is the tokens with a space between them."""

    def records(self) -> Iterator[Record]:
        """YIELDS (Record): The sentences."""
        sentences = list(read_sentences(self.source))

        def blame(error: TagError) -> SemevalError:
            sentence = sentences[error.sequence]
            said = say(error) + _hint(sentence.words[error.token])
            return bad_line(self.source.name, sentence.line + error.token, said)

        self._refuse_numbers(sentences)
        spans = self.read_tags([sentence.tags for sentence in sentences], blame)
        for sentence, found in zip(sentences, spans):
            starts = list(accumulate((len(word) + 1 for word in sentence.words), initial=0))
            tokens = [Token(word, start, start + len(word)) for word, start in zip(sentence.words, starts)]
            named = tuple((starts[first], starts[last] - 1, label) for first, last, label in found)
            yield Record(" ".join(sentence.words), named, sentence.line, tokens)

    def _refuse_numbers(self, sentences: Sequence[Sentence]) -> None:
        """Refuse files as CoNLL-U, whose first column counts the tokens and is none of them."""
        numbers = ([str(i) for i in range(1, len(sentence.words) + 1)] for sentence in sentences)
        has_more = any(sentence.width > 2 and len(sentence.words) > 1 for sentence in sentences)
        if has_more and all(sentence.words == own for sentence, own in zip(sentences, numbers)):
            problem = "the first column counts the tokens, as in CoNLL-U. Put the token first and its tag last"
            raise bad_line(self.source.name, sentences[0].line, problem)


def _hint(*words: str) -> str:
    """What to do where a line is a comment, by the first words of lines."""
    return ". Comments are not read: take such lines out" if any(word.startswith("#") for word in words) else ""


def read_sentences(source: Source) -> Iterator[Sentence]:
    """Divide a file into sentences.

    source (Source): The file. Blank lines and lines whose token is -DOCSTART- divide; a source leaves blank lines out,
        so a gap in the numbers of lines is one.
    YIELDS (Sentence): The sentences, none of them empty.
    RAISES (SemevalError): If a line is no UTF-8, has no tag, has not as many columns as the first one, or holds a
        carriage return that ends no line.
    """
    sentence, last, width = Sentence(0), 0, 0
    for number, raw in source.lines():
        try:
            columns = COLUMN.split(raw.decode("utf8"))
        except UnicodeDecodeError as error:
            raise bad_line(source.name, number, f"not in UTF-8: {error}") from None
        if b"\r" in raw:
            raise bad_line(source.name, number, "a carriage return in the line. Save the file with line feeds")
        divides = columns[0] == DOCSTART
        if (divides or number > last + 1) and sentence.words:
            yield sentence
            sentence = Sentence(number)
        last = number
        if divides:
            continue
        if len(columns) == 1:
            raise bad_line(source.name, number, f"expected a token and a tag, but found only {columns[0][:80]!r}")
        width = width or len(columns)
        if len(columns) != width:
            found = f"{len(columns)} columns, but the lines before have {width}; a token can't hold white space"
            hint = _hint(*sentence.words[:1], columns[0])
            raise bad_line(source.name, number, f"{found}, and columns can't be left out{hint}")
        if not sentence.words:
            sentence.line, sentence.width = number, width
        sentence.words.append(columns[0])
        sentence.tags.append(columns[-1])
    if sentence.words:
        yield sentence


def sniff(head: bytes) -> bool:
    """Whether a file begins with lines of at least two columns, the last one a tag."""
    lines = head.decode("utf8", "ignore").removeprefix("\ufeff").splitlines()
    return any(_tags(lines)) and all(_tags(lines))


def _tags(lines: Iterable[str]) -> Iterator[bool]:
    """Whether each of the first lines with something in them ends in a tag."""
    held = [columns for line in lines if len(columns := COLUMN.split(line.strip(" \t\r\f\v"))) and columns[0]]
    for columns in held[:10]:
        if columns[0] == DOCSTART:
            continue
        try:
            parse_tags(columns[-1:])
        except SemevalError:
            yield False
        else:
            yield len(columns) > 1


# entry point: conll
conll = Format(
    (".conll", ".iob", ".iob2", ".bio", ".tsv"),
    sniff,
    ConllReader,
    USES,
    has_space=False,
)
