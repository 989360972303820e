"""Two annotated datasets as the two sides of one comparison: their records, linked by what was annotated."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import accumulate, chain, zip_longest
from typing import Literal, Protocol, TypeVar

import msgspec
import numpy as np

from .engine.spans import Columns
from .errors import SemevalError
from .formats.base import Record, Span, Stretch
from .reading import Reading

OnMissing = Literal["error", "skip", "count"]
OnDuplicates = Literal["error", "first", "last"]
LinkedBy = Literal["name", "text", "position"]
NewName = Callable[[str], str]
Key = Callable[["Annotation"], Hashable]
OneEach = Callable[["Side", Key, OnDuplicates], tuple[dict[Hashable, "Annotation"], int]]

SHOWN = 10
SHOWN_WORD = 40


class Annotation(msgspec.Struct, frozen=True, gc=False):
    """What scoring needs of a record: not its text, so that large files fit into memory.

    line (int): Its line in the file, from 1.
    digest (bytes | None): A hash of its text that no two texts share, None if the text is not known.
    length (int | None): The number of characters of its text, None if it is not known.
    input_hash (int | str | None): What the file says the text is known by.
    timestamp (float | None): When it was annotated, in seconds since 1970.
    spans, rejected, unknown: As in `Record`.
    occurrence (int): How many documents before it have the same text, where each one is a document of its own.
    """

    line: int
    digest: bytes | None
    length: int | None
    input_hash: int | str | None
    timestamp: float | None
    spans: tuple[Span, ...]
    rejected: tuple[Span, ...]
    unknown: tuple[Stretch, ...]
    occurrence: int = 0

    @classmethod
    def of(cls, record: Record, is_gold: bool = True) -> Annotation:
        """Keep what is needed of a record. What a prediction rejects or leaves open is merely not predicted."""
        text = record.text
        digest = None if text is None else blake2b(text.encode("utf8", "surrogatepass"), digest_size=16).digest()
        length = None if text is None else len(text)
        rejected, unknown = (record.rejected, record.unknown) if is_gold else ((), ())
        return cls(record.line, digest, length, record.input_hash, record.timestamp, record.spans, rejected, unknown)

    def content(self, new_name: NewName) -> Hashable:
        """RETURNS (Hashable): What is equal if the same was annotated on the same text, in whatever order."""
        spans, rejected = (frozenset(renamed(side, new_name)) for side in (self.spans, self.rejected))
        return self.digest, spans, rejected, frozenset(self.unknown)


def number_alike(annotations: Iterable[Annotation]) -> list[Annotation]:
    """RETURNS (list[Annotation]): The annotations, those of the same text numbered as they come."""
    seen: dict[bytes | None, int] = {}
    numbered = []
    for annotation in annotations:
        n = seen[annotation.digest] = seen.get(annotation.digest, -1) + 1
        numbered.append(msgspec.structs.replace(annotation, occurrence=n) if n else annotation)
    return numbered


def without_space(record: Record) -> Record:
    """Leave the white space out of a text and count offsets without it, to compare texts whose white space differs.

    record (Record): A record with a text.
    RETURNS (Record): The record without white space and tokens. Spans of white space only hold no character any more.
    """
    text = record.text or ""
    offsets = [*accumulate((not character.isspace() for character in text), initial=0)]

    def move(at: int) -> int:
        return offsets[at] if at <= len(text) else offsets[-1] + at - len(text)

    return msgspec.structs.replace(
        record,
        text="".join(text.split()),
        spans=tuple((move(start), move(end), label) for start, end, label in record.spans),
        rejected=tuple((move(start), move(end), label) for start, end, label in record.rejected),
        unknown=tuple((move(start), move(end)) for start, end in record.unknown),
        tokens=None,
    )


def renamed(spans: Iterable[Span], new_name: NewName) -> Iterator[Span]:
    """YIELDS (Span): The spans with the names of labels that are scored."""
    return ((start, end, new_name(label)) for start, end, label in spans)


@dataclass(frozen=True)
class Side:
    """The usable annotations of one file.

    role (str): "GOLD" or "PRED", for messages.
    name (str): The file's name.
    annotations (Sequence[Annotation]): In the order of the file.
    new_name (NewName): The name under which a label is scored: what differs only in others is not different.
    named_by (str): What `input_hash` is in this file.
    has_space (bool): Whether its texts have the white space of the original.
    left_out (int): How many records of the file are not among them.
    read_text (Callable[[int], str]): Reads the text of an annotation again, by its line.
    on_missing (str): What else may help where it lacks documents, for messages.
    """

    role: str
    name: str
    annotations: Sequence[Annotation]
    new_name: NewName = str
    named_by: str = "_input_hash"
    has_space: bool = True
    left_out: int = 0
    read_text: Callable[[int], str] = str
    on_missing: str = ""

    def __str__(self) -> str:
        return f"{self.role} ({self.name})"


@dataclass(frozen=True)
class Linked:
    """Annotations of the same inputs.

    gold (list[Annotation]): The reference of each document.
    pred (list[Annotation | None]): What is scored of each document; None where a missing document counts as empty.
    documents (dict[str, int]): How many inputs were not linked and why, and the surplus of duplicate records.
    by (str): What they were linked by: "name" (hash or id), "text" or "position".
    """

    gold: list[Annotation]
    pred: list[Annotation | None]
    documents: dict[str, int]
    by: LinkedBy


def find_link(gold: Side, pred: Side) -> LinkedBy:
    """Choose what inputs are known by.

    gold, pred (Side): The two files.
    RETURNS (LinkedBy): "name" for the hash or id that all records have; "text" if one has none, or if two formats mean
        different things by it; "position" if a text is not known either, and for two files of tokens.
    """
    annotations = [*gold.annotations, *pred.annotations]
    has_names = all(annotation.input_hash is not None for annotation in annotations)
    has_texts = all(annotation.digest is not None for annotation in annotations)
    if has_names and (gold.named_by == pred.named_by or not has_texts):
        return "name"
    return "text" if has_texts and (gold.has_space or pred.has_space) else "position"


def _name_of(annotation: Annotation) -> Hashable:
    return annotation.input_hash


def _text_of(annotation: Annotation) -> Hashable:
    return annotation.digest, annotation.occurrence


def one_each(side: Side, key: Key, on_duplicates: OnDuplicates) -> tuple[dict[Hashable, Annotation], int]:
    """Take one annotation of each input.

    side (Side): A file.
    key (Key): What inputs are known by.
    on_duplicates (OnDuplicates): Which of different annotations to take: "first" or "last" by time, or by position
        where one has no time; "error" for none.
    RETURNS (tuple[dict[Hashable, Annotation], int]): The annotation of each input, in the order of the file, and how
        many were left out.
    RAISES (SemevalError): If an input has different annotations, and none is to be taken.
    """
    chosen: dict[Hashable, Annotation] = {}
    repeated: dict[Hashable, list[Annotation]] = {}
    for annotation in side.annotations:
        name = key(annotation)
        first = chosen.setdefault(name, annotation)
        if first is not annotation:
            repeated.setdefault(name, [first]).append(annotation)
    if on_duplicates == "error":
        refuse_conflicts(side, [group for group in repeated.values() if _differ(group, side.new_name)])
    chosen.update((name, pick(group, on_duplicates)) for name, group in repeated.items())
    return chosen, len(side.annotations) - len(chosen)


def _differ(group: Sequence[Annotation], new_name: NewName) -> bool:
    return len({annotation.content(new_name) for annotation in group}) > 1


def refuse_conflicts(side: Side, groups: Sequence[Sequence[Annotation]]) -> None:
    """Raise SemevalError if there are different annotations of one input; names their lines."""
    if not groups:
        return
    kind = "lines" if side.named_by == "_input_hash" else "lines or documents"
    places = [f"{kind} " + ", ".join(str(annotation.line) for annotation in group) for group in groups]
    raise SemevalError(say_conflicts(f"Inputs of {side} that were annotated more than once, differently", places))


def say_conflicts(problem: str, places: Sequence[str]) -> str:
    """Word that something was annotated more than once in different ways.

    problem (str): What was.
    places (Sequence[str]): Where each of them is.
    RETURNS (str): The message; it lists the first places.
    """
    listed = [f"  {place}" for place in places[:SHOWN]]
    more = [f"  and {len(places) - SHOWN} more"] if len(places) > SHOWN else []
    remedy = "--duplicates first or last takes one of each, by time, or by position where a time is missing."
    return "\n".join([f"{problem}: {len(places)}", *listed, *more, remedy])


class Timed(Protocol):
    """What may say when it was annotated, in seconds since 1970."""

    @property
    def timestamp(self) -> float | None: ...


T = TypeVar("T", bound=Timed)


def pick(group: Sequence[T], on_duplicates: OnDuplicates) -> T:
    """Take one of several annotations.

    group (Sequence[T]): The annotations, in the order of the file.
    on_duplicates (OnDuplicates): Which one to take; those of "error" are all the same.
    RETURNS (T): The first or last one by time, of those at the same time by position.
    """
    if all(annotation.timestamp is not None for annotation in group):
        group = sorted(group, key=lambda annotation: annotation.timestamp or 0.0)
    return group[-1 if on_duplicates == "last" else 0]


def link(
    gold: Side,
    pred: Side,
    on_missing: OnMissing = "error",
    on_duplicates: OnDuplicates = "error",
    one_gold_each: OneEach = one_each,
) -> Linked:
    """Link the annotations of two files.

    gold (Side): The reference.
    pred (Side): What is scored.
    on_missing (OnMissing): What to do with inputs of gold that pred lacks: "error" to refuse, "skip" to leave them out,
        "count" to score them as documents without a prediction.
    on_duplicates (OnDuplicates): Which of different annotations of one input to take.
    one_gold_each (OneEach): What makes one annotation of each input of gold.
    RETURNS (Linked): The annotations of the same inputs.
    RAISES (SemevalError): If there is nothing to score, or something that was to be refused.
    """
    by = find_link(gold, pred)
    if by == "position":
        return _link_by_position(gold, pred)
    key = _name_of if by == "name" else _text_of
    references, gold_surplus = one_gold_each(gold, key, on_duplicates)
    predictions, pred_surplus = one_each(pred, key, on_duplicates)
    common = sum(name in predictions for name in references)
    changed = {n for n in references if n in predictions and _differs(references[n], predictions[n])}
    if common == len(changed):
        raise SemevalError(_nothing_shared(gold, pred, bool(common)))
    missing = len(references) - common
    if missing and on_missing == "error":
        raise SemevalError(
            f"{pred} lacks {missing} of the {len(references)} documents of {gold}. --missing skip leaves them out, "
            f"--missing count counts their spans as missed.{pred.on_missing}"
        )
    scored = [n for n in references if n not in changed and (n in predictions or on_missing == "count")]
    documents = {
        "gold_only": missing,
        "pred_only": len(predictions) - common,
        "different_text": len(changed),
        "duplicate_records": gold_surplus + pred_surplus,
        "gold_duplicate_records": gold_surplus,
        "pred_duplicate_records": pred_surplus,
    }
    for name in scored:
        _check_offsets(gold, references[name], predictions.get(name))
    return Linked([references[name] for name in scored], [predictions.get(name) for name in scored], documents, by)


def _differs(gold: Annotation, pred: Annotation) -> bool:
    """Whether two texts are known and not the same."""
    return gold.digest != pred.digest and gold.digest is not None and pred.digest is not None


def _contradict(gold: int | str | None, pred: int | str | None) -> bool:
    """Whether two names are known and not the same."""
    return gold is not None and pred is not None and gold != pred


def _link_by_position(gold: Side, pred: Side) -> Linked:
    """Link the first documents of both sides, the second ones, and so on."""
    for side in (gold, pred):
        if side.left_out:
            raise SemevalError(
                f"{gold} and {pred} have no hashes, ids or texts to link by, so their order counts, but {side} has "
                f"{side.left_out} records that are left out. Give both of them ids or texts."
            )
    for own, other in zip(gold.annotations, pred.annotations):
        if _differs(own, other):
            raise SemevalError(_say_difference(gold, own, pred, other))
        if gold.named_by == pred.named_by and _contradict(own.input_hash, other.input_hash):
            raise SemevalError(
                f"Documents are linked by their order here, since some have no {gold.named_by}, but line or "
                f"document {own.line} of {gold} is {own.input_hash!r}, and line or document {other.line} of {pred} is "
                f"{other.input_hash!r}. Give all documents their {gold.named_by}."
            )
        _check_offsets(gold, own, other)
    numbers = len(gold.annotations), len(pred.annotations)
    if numbers[0] != numbers[1]:
        raise SemevalError(
            f"Documents are linked by their order here, and {gold} has {numbers[0]} of them, but {pred} has "
            f"{numbers[1]}. Both need the same documents in the same order."
        )
    return Linked(list(gold.annotations), list(pred.annotations), {"gold_only": 0, "pred_only": 0}, "position")


def _say_difference(gold: Side, own: Annotation, pred: Side, other: Annotation) -> str:
    words = [side.read_text(a.line).split(" ") for side, a in ((gold, own), (pred, other))]
    pairs = zip_longest(*words)
    at, (first, second) = next((i, pair) for i, pair in enumerate(pairs, 1) if pair[0] != pair[1])
    return (
        f"Tokens differ: token {at} of the sentence in line {own.line} of {gold} is {_said(first)}, and "
        f"{_said(second)} in that of line {other.line} of {pred}. Both need the same tokens."
    )


def _said(word: str | None) -> str:
    return "missing" if word is None else repr(word[:SHOWN_WORD])


def _check_offsets(side: Side, gold: Annotation, pred: Annotation | None) -> None:
    """Refuse spans that leave a text which only the other side has."""
    if pred is None or (gold.length is None) == (pred.length is None):
        return
    length = gold.length if pred.length is None else pred.length
    for start, end, label in chain(gold.spans, pred.spans):
        if length is not None and end > length:
            raise SemevalError(
                f"Span {start} to {end} ({label}) does not fit its text of {length} characters (line or document "
                f"{gold.line} of {side})."
            )


def _nothing_shared(gold: Side, pred: Side, hashes_agree: bool) -> str:
    problem = f"No document of {gold} is in {pred}: there is nothing to score."
    if hashes_agree:
        return f"{problem} Some have the same {gold.named_by}, but none of them has the same text."
    texts = {annotation.digest for annotation in gold.annotations}
    alike = len(texts & {annotation.digest for annotation in pred.annotations})
    if alike:
        problem += (
            f" {alike} texts are the same, but their {gold.named_by} is not: without it in one file, texts are linked."
        )
    return problem


def read_linked(linked: Linked) -> Reading:
    """Lay out the spans of linked annotations.

    linked (Linked): The annotations.
    RETURNS (Reading): Their spans.
    """
    gold, empty_gold = _held(make_columns([annotation.spans for annotation in linked.gold]))
    pred, empty_pred = _held(
        make_columns([() if annotation is None else annotation.spans for annotation in linked.pred])
    )
    unknown = [[(*stretch, "") for stretch in annotation.unknown] or () for annotation in linked.gold]
    return Reading(
        gold,
        pred,
        np.ones(len(linked.gold), dtype=bool),
        _held(make_columns(unknown))[0],
        _held(make_columns([annotation.rejected for annotation in linked.gold]))[0],
        empty_gold + empty_pred,
    )


def _held(columns: Columns) -> tuple[Columns, int]:
    """The spans that hold a character, and how many do not."""
    held = columns.start < columns.end
    if held.all():
        return columns, 0
    names = [name for name, is_held in zip(columns.names, held.tolist()) if is_held]
    kept = Columns(columns.n_docs, columns.doc[held], columns.start[held], columns.end[held], names)
    return kept, int((~held).sum())


def make_columns(documents: Sequence[Sequence[Span]]) -> Columns:
    """RETURNS (Columns): The spans of documents, one sequence each."""
    lengths = np.fromiter(map(len, documents), dtype=np.int64, count=len(documents))
    starts, ends = (
        np.fromiter((span[i] for spans in documents for span in spans), dtype=np.int64, count=lengths.sum())
        for i in (0, 1)
    )
    names = [span[2] for spans in documents for span in spans]
    return Columns(len(documents), np.repeat(np.arange(len(documents)), lengths), starts, ends, names)
