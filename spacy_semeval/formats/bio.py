"""Read sequences of tags: a JSON list of the tags of each sequence, without the tokens."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from ..errors import SemevalError
from .base import Format, Record
from .json_items import decode_item, read_items, sniff_documents
from .tagged import USES, TaggedReader, say
from .tags import TagError

decoder = msgspec.json.Decoder(list[str])


class BioReader(TaggedReader):
    """Reads `[["O", "B-PER", …], …]`. Offsets are tokens."""

    def records(self) -> Iterator[Record]:
        """YIELDS (Record): The spans of each sequence; no text."""
        items = list(read_items(self.source))

        def blame(error: TagError) -> SemevalError:
            return SemevalError(f"{items[error.sequence].place}, tag {error.token + 1}: {say(error)}.")

        tags: list[list[str]] = [decode_item(decoder, item) for item in items]
        spans = self.read_tags(tags, blame)
        yield from (Record(None, found, item.number) for item, found in zip(items, spans))


def sniff(head: bytes) -> bool:
    """Whether a file begins with lists of tags."""
    documents = sniff_documents(head)
    return bool(documents) and all(map(_is_tags, documents))


def _is_tags(document: Any) -> bool:
    return isinstance(document, list) and all(isinstance(tag, str) for tag in document)


# entry point: bio
bio = Format((".json",), sniff, BioReader, USES, unit="token", has_text=False)
