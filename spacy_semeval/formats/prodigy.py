"""Read annotations from the JSONL that Prodigy's `db-out` writes.

Only complete annotations count: accepted answers of manual interfaces, and records without an answer, which are how
scripts write predictions. Offsets are checked against the text and the tokens.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import msgspec

from ..errors import SemevalError
from .base import Dataset, Record, Span, Stretch

BINARY_VIEWS = ("ner", "spans")
OTHER_VIEWS = ("choice", "classification", "text_input", "dep", "diff", "compare", "html")
MEDIA_VIEWS = ("image", "image_manual", "audio", "audio_manual")
SUGGESTED = ("rank", "score", "priority")
SESSION_START = re.compile(r"\d{4}-\d\d-\d\d[_T ]\d\d[-:]\d\d[-:]\d\d$")


class _Token(msgspec.Struct):
    text: str
    start: int
    end: int


class _Span(msgspec.Struct):
    start: int | None = None
    end: int | None = None
    label: str | None = None
    answer: str | None = None
    rank: Any = None
    score: Any = None
    priority: Any = None
    points: Any = None


class _Version(msgspec.Struct):
    text: str | None = None
    spans: list[_Span] | None = None
    sessions: list[str] = []
    answer: str | None = None


class _Task(msgspec.Struct):
    text: str | None = None
    spans: list[_Span] | None = None
    tokens: list[_Token] | None = None
    answer: str | None = None
    annotator_id: str | None = msgspec.field(name="_annotator_id", default=None)
    session_id: str | None = msgspec.field(name="_session_id", default=None)
    view_id: str | None = msgspec.field(name="_view_id", default=None)
    reviewed_view: str | None = msgspec.field(name="view_id", default=None)
    is_binary: bool | None = msgspec.field(name="_is_binary", default=None)
    versions: list[_Version] | None = None
    image: Any = None
    audio: Any = None
    options: Any = None


_decoder = msgspec.json.Decoder(_Task)


def read_prodigy(path: Path, annotator: str | None = None) -> Dataset:
    """Read the complete annotations of one person from a file.

    path (Path): The JSONL file.
    annotator (str | None): Whose annotations to take, by the full name or without the name of the data set in front.
        Not needed where there is one. A review export gives its reviewed spans without it.
    RETURNS (Dataset): The records, and what was left out.
    RAISES (SemevalError): If the file cannot be read, a line is malformed, several people annotated the file and none
        was chosen, or nothing is left.
    """
    tasks = [(line, _decode(raw, path, line)) for line, raw in _lines(path)]
    if not tasks:
        raise SemevalError(f"{path} holds no record.")
    names = _short_names(_annotators(task for _, task in tasks))
    chosen = _choose(names, annotator, path, any(task.versions is None and _annotator(task) for _, task in tasks))
    dataset = Dataset(path)
    for line, task in tasks:
        reason = _take(dataset, task, chosen, path, line)
        if reason is not None:
            dataset.skipped[reason] += 1
    if not dataset.records:
        raise SemevalError("\n".join([f"{path} holds no annotation that can be used.", *dataset.left_out()]))
    return dataset


def _lines(path: Path) -> Iterator[tuple[int, bytes]]:
    try:
        with path.open("rb") as file:
            for number, line in enumerate(file, 1):
                line = line.removeprefix(b"\xef\xbb\xbf").strip() if number == 1 else line.strip()
                if line:
                    yield number, line
    except OSError as error:
        raise SemevalError(f"Can't read {path}: {error.strerror or error}.") from None


def _decode(raw: bytes, path: Path, line: int) -> _Task:
    try:
        return _decoder.decode(raw)
    except msgspec.ValidationError as error:
        if raw.startswith(b"["):
            found = "a JSON array, but expected JSONL: one JSON object a line, as Prodigy's db-out writes it"
            raise _bad(path, line, f"found {found}") from None
        raise _bad(path, line, f"{error}{_found(raw, str(error))}") from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise _bad(path, line, f"not valid JSON in UTF-8: {error}") from None


def _found(raw: bytes, message: str) -> str:
    """The value that a validation error is about, which its message does not hold."""
    place = re.search(r"at `\$(.*)`$", message)
    if place is None:
        return ""
    try:
        value = msgspec.json.decode(raw)
        for key, index in re.findall(r"\.(\w+)|\[(\d+)\]", place[1]):
            value = value[key] if key else value[int(index)]
    except (msgspec.MsgspecError, RecursionError, LookupError, TypeError):
        return ""  # another fault of the line is in the way, or a key that it has twice
    return f": found {str(value)[:80]!r}" if isinstance(value, str) else f": found {str(value)[:80]}"


def _bad(path: Path, line: int, what: str) -> SemevalError:
    return SemevalError(f"{path}, line {line}: {what}.")


def _annotator(task: _Task) -> str | None:
    """Who answered, as far as it is known: a session that is named by its start is nobody."""
    name = task.annotator_id or task.session_id
    return None if name is None or SESSION_START.search(name) else name


def _annotators(tasks: Iterable[_Task]) -> list[str]:
    names: set[str] = set()
    for task in tasks:
        if task.versions is not None:
            # The ids of a review record are copied from a version: its annotators are the versions' sessions.
            names.update(name for version in task.versions for name in version.sessions)
        else:
            names.update(filter(None, [_annotator(task)]))
    return sorted(names)


def _short_names(names: Sequence[str]) -> dict[str, str]:
    """Name people as they are shown: without the data set's name, where all names begin with it."""
    prefix = names[0][: names[0].rfind("-") + 1] if names else ""
    while prefix and not all(name.startswith(prefix) and name != prefix for name in names):
        prefix = prefix[: prefix.rfind("-", 0, -1) + 1]
    short = {name: unquote(name.removeprefix(prefix)) for name in names}
    # Two names that look the same when they are decoded are shown as they are.
    alike = Counter(short.values())
    return {shown if alike[shown] == 1 else name: name for name, shown in short.items()}


def _choose(names: dict[str, str], annotator: str | None, path: Path, has_answers: bool) -> str | None:
    listed = ", ".join(names) or "none"
    if annotator is not None:
        for name in (names.get(annotator), annotator):
            if name in names.values():
                return name
        raise SemevalError(f"{path} holds nothing by annotator {annotator!r}. Annotators: {listed}.")
    if has_answers and len(names) > 1:
        raise SemevalError(
            f"{path} holds the annotations of {len(names)} annotators: {listed}. Choose one with --annotator NAME "
            "(in a config: annotator = NAME)."
        )
    return None


def _take(dataset: Dataset, task: _Task, annotator: str | None, path: Path, line: int) -> str | None:
    """Add a task to the records, or say why not."""
    spans, answer = task.spans, task.answer
    if annotator is not None:
        if task.versions is not None:
            versions = [version for version in task.versions if annotator in version.sessions]
            if not versions:
                return "other_annotator"
            spans, answer = versions[0].spans, versions[0].answer or "accept"
            if any(version.spans != spans for version in versions):
                raise _bad(path, line, f"annotator {annotator!r} has two versions with different spans")
            if versions[0].text not in (None, task.text):
                return "different_text"
        elif _annotator(task) != annotator:
            return "other_annotator"
    if answer not in (None, "accept"):
        return {"reject": "rejected", "ignore": "ignored"}.get(answer, "other_answer")
    if _is_binary(task):
        return "binary"
    if task.options or task.view_id in OTHER_VIEWS:
        return "choice"
    for span in spans or ():
        if span.answer not in (None, "accept"):
            reasons = {"reject": "rejected_spans", "ignore": "ignored_spans"}
            dataset.skipped[reasons.get(span.answer, "other_answer_spans")] += 1
    dataset.records.append(_record(task, spans or [], path, line))
    return None


def _is_binary(task: _Task) -> bool:
    if task.is_binary or task.reviewed_view in BINARY_VIEWS:
        return True
    if task.versions is not None:
        return False
    if task.view_id in BINARY_VIEWS:
        return True
    if task.view_id is not None or task.answer is None:
        return False
    # Records of 2018 name no interface. Those that asked about a suggestion have no tokens, but its maker's mark.
    spans = () if task.tokens else task.spans or ()
    return any(getattr(span, name) is not None for span in spans for name in SUGGESTED)


def _record(task: _Task, spans: Iterable[_Span], path: Path, line: int) -> Record:
    is_media = task.image is not None or task.audio is not None or task.view_id in MEDIA_VIEWS
    if is_media or any(span.points is not None for span in spans):
        raise _bad(path, line, "an image or audio record; only spans of text can be scored")
    if task.text is None:
        raise _bad(path, line, "the key 'text' is missing")
    text = task.text
    found = [(_span(span, text, path, line), span.answer) for span in spans]
    # A stretch that an annotator skipped is not known to be empty. A rejected span is: it is no entity.
    kept = tuple(span for span, answer in found if answer in (None, "accept"))
    ignored = [(start, end) for (start, end, _), answer in found if answer == "ignore"]
    unknown = tuple(rest for stretch in ignored for rest in _cut(stretch, kept))
    return Record(text, kept, line, _tokens(task.tokens, text, path, line), unknown)


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


def _span(span: _Span, text: str, path: Path, line: int) -> Span:
    start, end, label = span.start, span.end, span.label
    if start is None or end is None or label is None:
        missing = next(name for name in ("start", "end", "label") if getattr(span, name) is None)
        raise _bad(path, line, f"a span has no {missing}: {_shown(span)}")
    if not 0 <= start < end <= len(text):
        raise _bad(path, line, f"span {start} to {end} ({label}) does not fit its text of {len(text)} characters")
    if not label:
        raise _bad(path, line, f"span {start} to {end} has an empty label")
    return start, end, label


def _shown(span: _Span) -> str:
    return str({name: value for name, value in msgspec.structs.asdict(span).items() if value is not None})


def _tokens(tokens: list[_Token] | None, text: str, path: Path, line: int) -> tuple[Stretch, ...] | None:
    if not tokens:
        return None
    wrong = [token for token in tokens if token.start < token.end and not _is_same(token, text)]
    if 2 * len(wrong) > len(tokens):
        first = wrong[0]
        raise _bad(
            path,
            line,
            f"the offsets do not belong to this text: token {first.text!r} is said to be at {first.start} to "
            f"{first.end}, where the text has {text[max(first.start, 0) : max(first.end, 0)]!r}",
        )
    return tuple((token.start, token.end) for token in tokens)


def _is_same(token: _Token, text: str) -> bool:
    """Whether a token is what the text has at its place, as far as word pieces can be."""
    return _bare(token.text) == _bare(text[max(token.start, 0) : max(token.end, 0)])


def _bare(text: str) -> str:
    return "".join(text.lower().removeprefix("##").removeprefix("▁").split())
