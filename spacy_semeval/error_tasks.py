"""Errors as tasks for Prodigy: the documents with differences, worst first, to look at and to correct."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

import msgspec

from .engine.differences import Difference
from .errors import SemevalError
from .formats.base import Record, Span
from .formats.decoding import any_decoder, decode
from .formats.sources import Source

if TYPE_CHECKING:
    from spacy.tokens import Doc

LONGEST_TEXT = 80
HASHES = ("_input_hash", "_task_hash")


class Annotated(Protocol):
    """A record, or what was kept of one."""

    @property
    def line(self) -> int: ...

    @property
    def spans(self) -> tuple[Span, ...]: ...


def describe(difference: Difference, text: str) -> str:
    """Word an error: the outcome, the labels and the text.

    difference (Difference): What differs.
    text (str): The text of its document.
    RETURNS (str): "MIS DRUG 'aspirin'" or "SPU DRUG 'aspirin'" without a pair; "INC DRUG→BRAND 'aspirin'" for another
        label, gold first; "PAR DRUG 'of aspirin' for 'aspirin'" for other boundaries, gold last.
    """
    gold, pred = difference.gold, difference.pred
    if gold is None or pred is None:
        outcome, span = ("MIS", gold) if pred is None else ("SPU", pred)
        return "" if span is None else f"{outcome} {span[2]} {quoted(span, text)}"
    same_boundaries, same_label = gold[:2] == pred[:2], gold[2] == pred[2]
    what = f"PAR {pred[2]}" if same_label else f"INC {gold[2]}→{pred[2]}"
    return f"{what} {quoted(pred, text)}" + ("" if same_boundaries else f" for {quoted(gold, text)}")


def quoted(span: Span, text: str) -> str:
    """RETURNS (str): The text of a span in quotes, cut if it is long."""
    shown = text[span[0] : span[1]]
    return repr(shown if len(shown) <= LONGEST_TEXT else shown[: LONGEST_TEXT - 1] + "…")


def tasks_of_records(
    source: Source, annotated: Sequence[Annotated], differences: Mapping[int, Sequence[Difference]]
) -> list[bytes]:
    """Make tasks of records with errors. Their texts and tokens are read again.

    source (Source): Where the gold records are.
    annotated (Sequence[Annotated]): The gold of each document.
    differences (Mapping[int, Sequence[Difference]]): By document, what differs.
    RETURNS (list[bytes]): A JSON task for each document with an error, most errors first.
    """
    documents = {annotated[doc].line: doc for doc in differences}
    made = {}
    for line, raw in source.lines():
        if line in documents:
            doc = documents[line]
            record = decode(any_decoder, raw, source.name, line)
            outcomes = say_outcomes(differences[doc], record["text"])
            made[doc] = make_task(take_over(record), annotated[doc].spans, outcomes=outcomes)
    return _worst_first(made, differences)


def tasks_of_texts(
    records: Iterable[Record],
    annotated: Sequence[Annotated],
    differences: Mapping[int, Sequence[Difference]],
    bare: bool,
) -> list[bytes]:
    """Make tasks of records with errors, whatever their format.

    records (Iterable[Record]): The gold records, read again.
    annotated (Sequence[Annotated]): What was kept of the gold of each document.
    differences (Mapping[int, Sequence[Difference]]): By document, what differs.
    bare (bool): Whether white space was left out of the comparison, so that offsets are counted without it.
    RETURNS (list[bytes]): A JSON task for each document with an error, most errors first.
    RAISES (SemevalError): If a text is not known.
    """
    documents = {annotated[doc].line: doc for doc in differences}
    made = {}
    for record in records:
        doc = documents.get(record.line)
        if doc is None:
            continue
        if record.text is None:
            raise SemevalError(
                "Tasks can't be made without texts, and GOLD holds none. For Potato, --texts names the items."
            )
        text = "".join(record.text.split()) if bare else record.text
        tokens = [msgspec.structs.asdict(token) | {"id": i} for i, token in enumerate(record.tokens or ())]
        task = {"text": record.text, **({"tokens": tokens} if tokens else {})}
        made[doc] = make_task(task, record.spans, outcomes=say_outcomes(differences[doc], text))
    return _worst_first(made, differences)


def take_over(record: Mapping[str, Any]) -> dict[str, Any]:
    """RETURNS (dict[str, Any]): What a task keeps of a record: its text, its tokens, its meta and its hashes."""
    task = {"text": record.get("text"), "meta": record.get("meta")}
    if record.get("tokens"):
        task["tokens"] = record["tokens"]
    task.update({name: record[name] for name in HASHES if record.get(name) is not None})
    return task


def tasks_of_docs(
    gold_docs: Sequence[Doc],
    pred_docs: Sequence[Doc],
    spans_key: str | None,
    differences: Mapping[int, Sequence[Difference]],
) -> list[bytes]:
    """Make tasks of Docs with errors.

    gold_docs (Sequence[Doc]): The gold Docs.
    pred_docs (Sequence[Doc]): The predicted Docs.
    spans_key (str | None): The key in doc.spans, or None for doc.ents.
    differences (Mapping[int, Sequence[Difference]]): By document, what differs.
    RETURNS (list[bytes]): A JSON task for each document with an error, most errors first.
    """
    made = {}
    for i, differing in differences.items():
        doc = gold_docs[i]
        # Where texts differ in white space, offsets are counted without it.
        text = doc.text if doc.text == pred_docs[i].text else "".join(doc.text.split())
        tokens = [
            {"text": t.text, "start": t.idx, "end": t.idx + len(t), "id": t.i, "ws": bool(t.whitespace_)} for t in doc
        ]
        spans = doc.ents if spans_key is None else doc.spans.get(spans_key, ())
        named = [(span.start_char, span.end_char, span.label_) for span in spans]
        task = {"text": doc.text, "tokens": tokens}
        made[i] = make_task(task, named, outcomes=say_outcomes(differing, text))
    return _worst_first(made, differences)


def say_outcomes(differences: Iterable[Difference], text: str) -> str:
    """RETURNS (str): All errors of a document in one line: Prodigy's page shows lists without separators."""
    return "; ".join(describe(difference, text) for difference in differences)


def make_task(task: Mapping[str, Any], spans: Iterable[Span], **meta: str) -> bytes:
    """Finish a task.

    task (Mapping[str, Any]): Text, tokens, hashes and meta, as far as there are some.
    spans (Iterable[Span]): The spans to show; their tokens are added where they fit.
    meta (str): What to add to the task's meta.
    RETURNS (bytes): The task as JSON.
    """
    tokens = [(i, token) for i, token in enumerate(task.get("tokens", ())) if token["start"] < token["end"]]
    first = {token["start"]: i for i, token in tokens}
    last = {token["end"]: i for i, token in tokens}
    made = []
    for start, end, label in sorted(set(spans)):
        span: dict[str, Any] = {"start": start, "end": end}
        if start in first and end in last:
            # Prodigy's token_end is the last token, not the one behind it.
            span.update(token_start=first[start], token_end=last[end])
        made.append({**span, "label": label} if label else span)
    kept = task.get("meta")
    return msgspec.json.encode({**task, "spans": made, "meta": {**(kept if isinstance(kept, dict) else {}), **meta}})


def _worst_first(made: Mapping[int, bytes], differences: Mapping[int, Sequence[Difference]]) -> list[bytes]:
    return [made[doc] for doc in sorted(made, key=lambda doc: (-len(differences[doc]), doc))]
