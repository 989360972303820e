"""Records as the content of a file: spaCy's .spacy, Prodigy's JSONL or CoNLL, and what these can't hold."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..error_tasks import make_task
from ..errors import SemevalError
from .base import Dataset, Record
from .conll import COLUMN, DOCSTART
from .docbin import DocMaker
from .tags import write_tags

if TYPE_CHECKING:
    from spacy.tokens import Doc


@dataclass(frozen=True)
class Written:
    """What came out of a conversion.

    content (bytes): The file.
    documents (int): The number of its documents.
    spans (int): The number of their spans.
    notes (list[str]): Lines on what was left out and what did not fit.
    """

    content: bytes
    documents: int
    spans: int
    notes: list[str]


def to_docbin(dataset: Dataset, maker: DocMaker) -> Written:
    """Write spaCy's Docs.

    dataset (Dataset): The records.
    maker (DocMaker): Makes the Docs.
    RETURNS (Written): A DocBin.
    RAISES (SemevalError): If spans do not fit, and are not to be changed or left out.
    """
    from spacy.tokens import DocBin

    docs = maker.make_all(dataset)
    spans = sum(len(doc.ents if maker.spans_key is None else doc.spans[maker.spans_key]) for doc in docs)
    return Written(DocBin(docs=docs).to_bytes(), len(docs), spans, [*dataset.notes(), *maker.notes()])


def to_prodigy(dataset: Dataset) -> Written:
    """Write Prodigy's JSONL: an accepted record for each document.

    dataset (Dataset): The records.
    RETURNS (Written): Lines of JSON. Spans may overlap and cut through tokens.
    RAISES (SemevalError): If a text is not known.
    """
    lines = [make_task(_task(record), record.spans) + b"\n" for record in dataset.records]
    unknown = sum(len(record.unknown) for record in dataset.records)
    notes = _noted({"Stretches without annotation, which Prodigy's format can't mark, left without a span": unknown})
    spans = sum(len(set(record.spans)) for record in dataset.records)
    return Written(b"".join(lines), len(lines), spans, [*dataset.notes(), *notes])


def _task(record: Record) -> dict[str, Any]:
    text = record.full_text
    task: dict[str, Any] = {"text": text, "answer": "accept"}
    if record.input_hash is not None:
        task["meta"] = {"id": record.input_hash}
    if record.tokens:
        task["tokens"] = [
            {"text": t.text, "start": t.start, "end": t.end, "id": i, "ws": text[t.end : t.end + 1] == " "}
            for i, t in enumerate(record.tokens)
        ]
    return task


def to_conll(dataset: Dataset, maker: DocMaker) -> Written:
    """Write CoNLL: a token and its tag in IOB2 a line, a blank line behind each document.

    dataset (Dataset): The records.
    maker (DocMaker): Makes Docs with entities, whose tokens are written.
    RETURNS (Written): The lines. Tokens of white space only are left out.
    RAISES (SemevalError): If spans, labels or tokens do not fit.
    """
    docs = maker.make_all(dataset)
    places = (f"{dataset.name}, line or document {record.line}" for record in dataset.records)
    written = [list(_lines(doc, place)) for doc, place in zip(docs, places)]
    tokens = sum(map(len, written))
    spans = sum("\tB-" in line for lines in written for line in lines)
    notes = _noted(
        {
            "Tokens of white space, left out": sum(map(len, docs)) - tokens,
            "Spans of white space, left out": sum(len(doc.ents) for doc in docs) - spans,
            "Documents without a token, left out": sum(not lines for lines in written),
            "Stretches without annotation, which CoNLL can't mark, written as O": sum(
                len(record.unknown) for record in dataset.records
            ),
        }
    )
    content = "".join("".join(lines) + "\n" for lines in written if lines).encode("utf8", "surrogatepass")
    return Written(content, sum(map(bool, written)), spans, [*dataset.notes(), *maker.notes(), *notes])


def _lines(doc: Doc, where: str) -> Iterator[str]:
    """A line for each token that is not white space."""
    held = [token for token in doc if not token.is_space]
    place = {token.i: at for at, token in enumerate(held)}
    spans = []
    for ent in doc.ents:
        at = [place[token.i] for token in ent if token.i in place]
        if at:
            spans.append((at[0], at[-1] + 1, ent.label_))
    for token, tag in zip(held, write_tags(spans, len(held))):
        _check_line(token.text, tag, where)
        yield f"{token.text}\t{tag}\n"


def _check_line(word: str, tag: str, where: str) -> None:
    """Refuse what would be read as something else."""
    if word == DOCSTART:
        raise SemevalError(f"{where}: CoNLL can't hold the token {word!r}, which divides documents there.")
    if len(COLUMN.split(word)) > 1 or "\n" in word:
        raise SemevalError(f"{where}: CoNLL can't hold the token {word[:80]!r}, since it has white space.")
    if len(COLUMN.split(tag)) > 1 or "\n" in tag:
        raise SemevalError(f"{where}: CoNLL can't hold the label {tag[2:82]!r}, since it has white space. Rename it.")


def _noted(numbers: dict[str, int]) -> Iterable[str]:
    return [f"{what}: {number}" for what, number in numbers.items() if number]
