"""What readers of tagged tokens share."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence

from ..errors import SemevalError
from .base import FileReader, Span
from .tags import TagError, join_tags, parse_tags, read_sequences, write_tags

USES = frozenset({"tag_scheme", "repair"})


class TaggedReader(FileReader):
    """A reader of sequences of tags.

    scheme (str | None): The scheme of the tags, known when they were read.
    tags (Sequence[Sequence[str]]): The tags of each sequence.
    """

    scheme: str | None = None
    tags: Sequence[Sequence[str]] = ()

    def read_tags(
        self, tags: Sequence[Sequence[str]], blame: Callable[[TagError], SemevalError]
    ) -> list[tuple[Span, ...]]:
        """Find the spans of all sequences.

        tags (Sequence[Sequence[str]]): The tags of each sequence.
        blame (Callable[[TagError], SemevalError]): Says where a tag stands that fits no scheme.
        RETURNS (list[tuple[Span, ...]]): The spans of each sequence in tokens.
        RAISES (SemevalError): If a tag fits no scheme.
        """
        self.tags = tags
        try:
            read = read_sequences(tags, self.options.tag_scheme, self.options.repair is not None)
        except TagError as error:
            raise blame(error) from None
        self.scheme, spans, repaired = read
        self.noted.update({"repaired_tags": repaired} if repaired else {})
        return [tuple((start, end, sys.intern(label)) for start, end, label in found) for found in spans]

    def as_iob2(self) -> list[list[str]]:
        """RETURNS (list[list[str]]): The tags of each sequence as they would be in IOB2."""
        spans = (join_tags(parse_tags(tags)) for tags in self.tags)
        return [write_tags(found, len(tags)) for found, tags in zip(spans, self.tags)]


def say(error: TagError) -> str:
    """RETURNS (str): What is wrong with a tag, and what may help."""
    remedy = "--tag-scheme names the scheme, --repair conlleval reads such tags as the CoNLL script does"
    return f"{error.what}. {remedy}" if error.is_of_scheme else error.what
