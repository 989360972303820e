"""Read annotations from the JSONL that Prodigy's `db-out` writes, or from its database.

Only complete annotations count: accepted answers of manual interfaces, and records without an answer, which are how
scripts write predictions. Offsets are checked against the text and the tokens.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from ..errors import SemevalError
from .annotators import choose, find_annotator, find_annotators, find_named, find_person, list_annotators, short_names
from .base import Dataset, Format, ReadOptions, Record, Span, Stretch, Token, say_left_out
from .decoding import Task, TaskSpan, Version, bad_line, decode, task_decoder
from .json_items import sniff_documents
from .sources import Source

BINARY_VIEWS = frozenset({"ner", "spans"})
OTHER_VIEWS = frozenset({"choice", "classification", "text_input", "dep", "diff", "compare", "html"})
MEDIA_VIEWS = frozenset({"image", "image_manual", "audio", "audio_manual"})
TEXT_VIEWS = BINARY_VIEWS | {"ner_manual", "spans_manual", "relations"}
SUGGESTED = ("rank", "score", "priority")
# What only Prodigy's records have.
MARKS = frozenset({"answer", "_input_hash", "_task_hash", "_view_id", "tokens", "versions"})
BINARY_IS_NO_GOLD = (
    "Binary answers (ner.teach, ner.match) say yes or no to one span and nothing about the rest of the text: what is "
    "missed or invented can't be told from them. `semeval score --binary` takes them as GOLD and reports the rest."
)


def read_prodigy(source: Source, annotator: str | None = None) -> Dataset:
    """Read the complete annotations of one person.

    source (Source): Where the records are.
    annotator (str | None): Whose annotations to take, by the full name or without the name of the dataset in front.
        Not needed where there is one. A review export gives its reviewed spans without it.
    RETURNS (Dataset): The records, and what was left out.
    RAISES (SemevalError): If it cannot be read, a line is malformed, several people annotated it and none was chosen,
        or nothing is left.
    """
    reader = Reader(source, annotator)
    return Dataset(source.name, list(reader), reader.skipped, reader.noted)


class Reader:
    """Reads the annotations of one person, record by record, so that a caller can keep only what it needs.

    source (Source): Where the records are.
    annotator (str | None): Whose annotations to take.
    annotator_key (str | None): Another field that names the annotator.
    needs_labels (bool): Whether a span without a label is an error; else its label is empty.
    binary (bool): Whether to read binary answers, and nothing else.
    option (str): The command's option that chooses an annotator, for messages.

    The numbers are complete when all records were read:

    read (int): Records that there are.
    used (int): Records that were given.
    skipped (Counter[str]): What was left out, by the names of `SKIPPED`.
    noted (Counter[str]): What was odd, by the names of `NOTED`.
    has_key (bool): Whether any record has the annotator key. Where none has, the usual fields tell people apart.
    authors (set[str]): Who annotated the records, those that were left out too.
    has_versions (bool): Whether it is a review export, with the versions that were compared.
    """

    def __init__(
        self,
        source: Source,
        annotator: str | None = None,
        *,
        annotator_key: str | None = None,
        needs_labels: bool = True,
        binary: bool = False,
        option: str = "--annotator",
    ) -> None:
        self.source = source
        self.annotator = annotator
        self.annotator_key = annotator_key
        self.needs_labels = needs_labels
        self.binary = binary
        self.option = option
        self.read = 0
        self.used = 0
        self.skipped: Counter[str] = Counter()
        self.noted: Counter[str] = Counter()
        self.has_key = False
        self.has_versions = False
        self.authors: set[str] = set()

    def __iter__(self) -> Iterator[Record]:
        """Read the records.

        YIELDS (Record): The usable ones.
        RAISES (SemevalError): As `read_prodigy`; that several people annotated the file, or nothing is left, is known
            at the end.
        """
        key = self._find_key()
        chosen = None
        if self.annotator is not None:
            chosen = choose(list_annotators(self.source, key), self.annotator, self.source.name)
        for task, line, author in self._tasks(key):
            record = self._counted(self._take(task, line, author, chosen))
            if record is not None:
                yield record
        if chosen is None and len(self.authors) > 1:
            raise SemevalError(
                f"{self.source.name} holds the annotations of {len(self.authors)} annotators: "
                f"{', '.join(short_names(self.authors))}. Choose one with {self.option} NAME (in a config: annotator)."
            )
        if not self.used:
            self._refuse_nothing()

    def by_annotator(self) -> Iterator[tuple[str | None, Record]]:
        """Read the records of all people.

        YIELDS (tuple[str | None, Record]): Who annotated it, None where the record does not say, and the record. A
            review record gives one for each session of its versions.
        RAISES (SemevalError): If it cannot be read, a line is malformed, or nothing is left.
        """
        for task, line, author in self._tasks(self._find_key()):
            if task.versions is None:
                record = self._counted(self._take(task, line, author, author))
                if record is not None:
                    yield author, record
                continue
            self.has_versions = True
            self.authors.update(find_annotators(task))
            for version in task.versions:
                record = self._counted(self._take(_as_in_version(task, version), line, None, None))
                if record is not None:
                    sessions = version.sessions or [""]
                    self.used += len(sessions) - 1
                    yield from ((find_person(session), record) for session in sessions)
        if not self.used:
            self._refuse_nothing()

    def _find_key(self) -> str | None:
        """The annotator key, if any record has it."""
        self.has_key = self.annotator_key is not None and bool(list_annotators(self.source, self.annotator_key))
        return self.annotator_key if self.has_key else None

    def _tasks(self, key: str | None) -> Iterator[tuple[Task, int, str | None]]:
        """Each task with its line and who annotated it, as far as it says so."""
        for line, raw in self.source.lines():
            task = decode(task_decoder, raw, self.source.name, line)
            self.read += 1
            if key is not None:
                author = find_named(raw, key, self.source.name, line)
            else:
                # The ids of a review record are copied from a version, or are the reviewer's.
                author = find_annotator(task) if task.versions is None else None
            if author is not None:
                self.authors.add(author)
            yield task, line, author

    def _counted(self, found: Record | str) -> Record | None:
        """Count a record, or the reason to leave it out."""
        if isinstance(found, str):
            self.skipped[found] += 1
            return None
        self.used += 1
        return found

    def _refuse_nothing(self) -> None:
        if not self.read:
            raise SemevalError(f"{self.source.name} holds no record.")
        wanted = "binary answer" if self.binary else "annotation"
        why = [BINARY_IS_NO_GOLD] if self.skipped["binary"] else []
        nothing = f"{self.source.name} holds no {wanted} that can be used."
        raise SemevalError("\n".join([nothing, *say_left_out(self.skipped), *why]))

    def _take(self, task: Task, line: int, author: str | None, chosen: str | None) -> Record | str:
        """The record of a task, or the reason to leave it out."""
        if chosen is not None and task.versions is not None:
            versions = [version for version in task.versions if chosen in version.sessions]
            if not versions:
                return "other_annotator"
            if any(version.spans != versions[0].spans for version in versions):
                raise self._bad(line, f"annotator {chosen!r} has two versions with different spans")
            if versions[0].text not in (None, task.text):
                return "different_text"
            task = _as_in_version(task, versions[0])
        elif author != chosen and chosen is not None:
            return "other_annotator"
        spans, answer, views = task.spans, task.answer, (task.view_id, task.reviewed_view)
        if _is_media(task, views, spans or ()):
            raise self._bad(line, "an image or audio record; only spans of text can be scored")
        is_binary = _is_binary(task, views)
        if answer not in (None, "accept") and not (is_binary and answer == "reject"):
            return {"reject": "rejected", "ignore": "ignored"}.get(answer, "other_answer")
        if task.options or not OTHER_VIEWS.isdisjoint(views):
            return "choice"
        if is_binary != self.binary:
            return "binary" if is_binary else "complete"
        if spans is None:
            self.noted["null_spans"] += 1
        return self._binary_record(task, spans or [], line) if is_binary else self._record(task, spans or [], line)

    def _record(self, task: Task, task_spans: list[TaskSpan], line: int) -> Record:
        text = self._text(task, line)
        spans, rejected, ignored = self._by_answer(task_spans, text, line, "accept")
        # A stretch that an annotator skipped is not known to be empty.
        unknown = tuple(rest for start, end, _ in ignored for rest in _cut((start, end), spans)) if ignored else ()
        return self._made(task, text, spans, rejected, unknown, line)

    def _binary_record(self, task: Task, task_spans: list[TaskSpan], line: int) -> Record | str:
        if not task_spans:
            return "no_question"
        if task.answer == "reject" and len(task_spans) > 1:
            # That all of them are not right does not say which one is wrong.
            answered = [span for span in task_spans if span.answer is not None]
            if not answered:
                return "undecided"
            if len(answered) < len(task_spans):
                self.skipped["undecided_spans"] += len(task_spans) - len(answered)
            task_spans = answered
        text = self._text(task, line)
        accepted, rejected, _ = self._by_answer(task_spans, text, line, task.answer or "accept")
        if not accepted and not rejected:
            return "no_question"
        return self._made(task, text, accepted, rejected, (), line)

    def _made(
        self,
        task: Task,
        text: str,
        spans: list[Span],
        rejected: list[Span],
        unknown: tuple[Stretch, ...],
        line: int,
    ) -> Record:
        if task.tokens:
            self._check_tokens(task.tokens, text, line)
        time = task.timestamp if type(task.timestamp) in (int, float) else None
        return Record(text, tuple(spans), line, task.tokens or None, unknown, tuple(rejected), task.input_hash, time)

    def _text(self, task: Task, line: int) -> str:
        if task.text is None:
            raise self._bad(line, "the key 'text' is missing")
        return task.text

    def _by_answer(
        self, task_spans: Iterable[TaskSpan], text: str, line: int, default: str
    ) -> tuple[list[Span], list[Span], list[Span]]:
        """The accepted, the rejected and the ignored spans; a span's own answer goes before the record's."""
        accepted: list[Span] = []
        rejected: list[Span] = []
        ignored: list[Span] = []
        for task_span in task_spans:
            span = self._span(task_span, text, line)
            answer = task_span.answer or default
            if answer == "accept":
                accepted.append(span)
            elif answer == "reject":
                rejected.append(span)
                if not self.binary:
                    self.skipped["rejected_spans"] += 1
            else:
                self.skipped["ignored_spans" if answer == "ignore" else "other_answer_spans"] += 1
                if answer == "ignore":
                    ignored.append(span)
        if rejected and not set(accepted).isdisjoint(rejected):
            start, end, label = next(span for span in rejected if span in accepted)
            raise self._bad(line, f"span {start} to {end} ({label}) is accepted and rejected")
        return accepted, rejected, ignored

    def _span(self, span: TaskSpan, text: str, line: int) -> Span:
        start, end, label = span.start, span.end, span.label
        if start is None or end is None or (label is None and self.needs_labels):
            missing = next(name for name in ("start", "end", "label") if getattr(span, name) is None)
            raise self._bad(line, f"a span has no {missing}: {_shown(span)}")
        if not 0 <= start < end <= len(text):
            what = f"span {start} to {end} ({label})"
            raise self._bad(line, f"{what} does not fit its text of {len(text)} characters")
        if not label and self.needs_labels:
            raise self._bad(line, f"span {start} to {end} has an empty label")
        return start, end, sys.intern(label or "")

    def _check_tokens(self, tokens: list[Token], text: str, line: int) -> None:
        """Refuse offsets of another text: most tokens differ, or most of those behind the first that does."""
        for token in tokens:
            if text[token.start : token.end] != token.text:
                break
        else:
            return
        held = [token for token in tokens if token.start < token.end]
        wrong = [i for i, token in enumerate(held) if not _is_same(token, text)]
        if not wrong:
            return
        behind = len(held) - wrong[0]
        if 2 * len(wrong) > len(held) or (len(wrong) >= 3 and 2 * len(wrong) > behind):
            first = held[wrong[0]]
            raise self._bad(
                line,
                f"the offsets do not belong to this text: token {first.text!r} is said to be at {first.start} to "
                f"{first.end}, where the text has {text[max(first.start, 0) : max(first.end, 0)]!r}",
            )
        self.noted["differing_tokens"] += 1

    def _bad(self, line: int, what: str) -> SemevalError:
        return bad_line(self.source.name, line, what)


def _as_in_version(task: Task, version: Version) -> Task:
    """A review record as one annotator left it. Only accepted annotations are reviewed."""
    text = task.text if version.text is None else version.text
    return msgspec.structs.replace(
        task,
        text=text,
        tokens=task.tokens if text == task.text else None,
        spans=version.spans,
        answer=version.answer or "accept",
        view_id=version.view_id or task.view_id,
        timestamp=task.timestamp if version.timestamp is None else version.timestamp,
    )


def _is_media(task: Task, views: Iterable[str | None], spans: Iterable[TaskSpan]) -> bool:
    if not MEDIA_VIEWS.isdisjoint(views) or task.audio_spans is not None:
        return True
    for span in spans:
        if span.points is not None:
            return True
    # A text may have come with a picture: then it has tokens, or an interface for texts.
    has_media = task.image is not None or task.audio is not None
    return has_media and not task.tokens and task.view_id not in TEXT_VIEWS


def _is_binary(task: Task, views: Iterable[str | None]) -> bool:
    if task.is_binary or not BINARY_VIEWS.isdisjoint(views):
        return True
    if task.versions is not None:
        return False
    if task.view_id is not None or task.answer is None:
        return False
    # Records of 2018 name no interface. Those that asked about a suggestion have no tokens, but its maker's mark.
    spans = () if task.tokens else task.spans or ()
    return any(getattr(span, name) is not None for span in spans for name in SUGGESTED)


def _cut(stretch: Stretch, spans: Iterable[Span]) -> Iterator[Stretch]:
    """What is left of a stretch without the spans: where something was accepted, the text is annotated."""
    at, last = stretch
    for start, end, _ in sorted(spans):
        if start < last and at < end:
            if at < start:
                yield at, start
            at = end
    if at < last:
        yield at, last


def _shown(span: TaskSpan) -> str:
    return str({name: value for name, value in msgspec.structs.asdict(span).items() if value is not None})[:200]


def _is_same(token: Token, text: str) -> bool:
    """Whether a token is what the text has at its place, as far as word pieces can be."""
    return _bare(token.text) == _bare(text[max(token.start, 0) : max(token.end, 0)])


def _bare(text: str) -> str:
    return "".join(text.lower().removeprefix("##").lstrip("▁ġ").split())


def sniff(head: bytes) -> bool:
    """Whether a file begins with a record that has a text, as Prodigy's have, and no list that other formats have."""
    documents = sniff_documents(head)
    return bool(documents) and all(isinstance(document, dict) and _is_task(document) for document in documents)


def _is_task(record: dict[str, Any]) -> bool:
    if not MARKS.isdisjoint(record):
        return True
    return "text" in record and "entities" not in record and ("id" not in record or "spans" not in record)


def _read(source: Source, options: ReadOptions) -> Reader:
    return Reader(
        source,
        options.annotator,
        annotator_key=options.annotator_key,
        needs_labels=options.needs_labels,
        binary=options.binary,
        option=options.option,
    )


# entry point: prodigy
prodigy = Format(
    (".jsonl", ".jsonl.gz"),
    sniff,
    _read,
    frozenset({"annotator", "annotator_key", "needs_labels", "binary"}),
    named_by="_input_hash",
    repeats=True,
)
