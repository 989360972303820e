"""Read span annotations of Potato: a project folder, its annotation_output, the state of one user, or an export.

Potato (2.8 and 2.12) keeps the spans of each user by instance in user_state.json. A user who saw an instance and marked
nothing has no entry there: that is recovered from the order of instances and how far the user came. Exports as JSONL or
CSV have a row for each user and instance with annotations, and cannot tell who saw what besides.
"""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from operator import itemgetter
from pathlib import Path
from typing import Any, Literal

import msgspec

from ..errors import SemevalError
from .base import Span
from .decoding import any_decoder, decode
from .sources import Source, open_source, readable

Offsets = Literal["codepoint", "utf16"]
Parts = Literal["refuse", "hull", "drop"]
Unseen = Literal["absent", "empty"]

STATE = "user_state.json"
CONFIGS = ("config.yaml", "config.yml")
SPANS_COLUMN = "._spans"
LABELS = ("name", "label", "annotation", "category")
SHOWN = 60


class Part(msgspec.Struct):
    """A further piece of a span in several pieces."""

    start: int
    end: int
    text: str | None = None


class PotatoSpan(msgspec.Struct):
    """A span as Potato has it. Where the label is depends on the version and on who wrote the file."""

    start: int
    end: int
    schema: str | None = None
    name: str | None = None
    label: str | None = None
    annotation: str | None = None
    category: str | None = None
    text: str | None = None
    target_field: str | None = None
    additional_parts: list[Part] | None = None


class _State(msgspec.Struct):
    """What is needed of user_state.json."""

    user_id: str | int | None = None
    instance_id_ordering: list[str | int] = []
    current_instance_index: int | None = None
    instance_id_to_label_to_value: dict[str, Any] = {}
    instance_id_to_span_to_value: dict[str, Any] = {}
    instance_id_to_behavioral_data: dict[str, Any] = {}


@dataclass(frozen=True)
class PotatoRecord:
    """One text as one user annotated it.

    annotator (str): The user.
    document (str): The id of the instance, with "/" and the field behind it where spans name one.
    text (str | None): The text, None if it is not known.
    spans (tuple[Span, ...]): Start, end and label of each span: code points of the text, ends exclusive.
    """

    annotator: str
    document: str
    text: str | None
    spans: tuple[Span, ...]


@dataclass(frozen=True)
class PotatoData:
    """What was read.

    records (list[PotatoRecord]): A record for each user and each text that the user saw.
    counts (Counter[str]): What was left out, taken as empty or changed, by name.
    hints (list[str]): What may be wrong with it.
    """

    records: list[PotatoRecord]
    counts: Counter[str]
    hints: list[str]


@dataclass
class _User:
    """What one user marked.

    name (str): The user.
    where (str): The file, for messages.
    spans (dict[str, list[PotatoSpan]]): The spans by instance.
    repeated (list[tuple[str, list[PotatoSpan]]]): Instances that the user has again, with other spans.
    seen (set[str] | None): The instances that the user saw; None if the data cannot tell.
    assigned (set[str]): The instances that were assigned to the user.
    """

    name: str
    where: str
    spans: dict[str, list[PotatoSpan]] = field(default_factory=dict)
    repeated: list[tuple[str, list[PotatoSpan]]] = field(default_factory=list)
    seen: set[str] | None = None
    assigned: set[str] = field(default_factory=set)

    def marked(self) -> list[tuple[str, list[PotatoSpan]]]:
        """RETURNS (list[tuple[str, list[PotatoSpan]]]): Every instance with spans, and these."""
        return [*self.spans.items(), *self.repeated]


@dataclass(frozen=True)
class _Items:
    """The texts of a project by instance: all fields of each item, and which one holds the text."""

    name: str
    text_key: str
    by_id: Mapping[str, Mapping[str, Any]]

    def text(self, instance: str, target: str | None) -> str | None:
        """The text of a field of an instance; None if it has no such field."""
        item = self.by_id.get(instance)
        if item is None:
            raise SemevalError(f"{self.name} holds no item {instance!r}, which was annotated.")
        text = item.get(target or self.text_key)
        if target is None and not isinstance(text, str):
            raise SemevalError(
                f"{self.name}, item {instance!r}: expected a text under {self.text_key!r}, got {text!r:.80}."
            )
        return text if isinstance(text, str) else None


def is_export(source: Source) -> bool:
    """Whether the first line of a file is that of Potato's JSONL export."""
    for _, raw in source.lines():
        try:
            row = msgspec.json.decode(raw)
        except msgspec.DecodeError:
            return False
        return isinstance(row, dict) and "instance_id" in row and "user_id" in row
    return False


def read_potato(
    where: Path | Source,
    texts: Path | None = None,
    *,
    scheme: str | None = None,
    offsets: Offsets = "codepoint",
    parts: Parts = "refuse",
    unseen: Unseen = "absent",
) -> PotatoData:
    """Read what users of Potato marked.

    where (Path | Source): The project folder or its config, an annotation_output folder, a user_state.json, or an
        export as JSONL (the source) or CSV.
    texts (Path | None): The items with the texts, where the project's config does not name them.
    scheme (str | None): The annotation scheme to take; not needed where there is one.
    offsets (Offsets): The unit of the offsets: "codepoint", or "utf16" as in versions before 2.12.
    parts (Parts): For spans in several pieces: "refuse", take the "hull" of all, or "drop" all pieces but the first.
    unseen (Unseen): For texts of which nobody can tell whether a user saw them: "absent", or seen and "empty".
    RETURNS (PotatoData): The records.
    RAISES (SemevalError): If something is missing, malformed, or does not fit the texts.
    """
    users, items = _load(where, texts)
    if offsets == "utf16" and items is None:
        raise SemevalError("Offsets in UTF-16 can't be converted without the texts: name the items with --texts.")
    _choose_scheme(users, scheme)
    counts: Counter[str] = Counter()
    _settle_unseen(users, items, unseen, counts)
    _settle_parts(users, parts, counts)
    reader = _Records(users, items, offsets)
    records = [record for user in users for record in reader.of(user)]
    return PotatoData(records, counts, reader.hints())


def _load(where: Path | Source, texts: Path | None) -> tuple[list[_User], _Items | None]:
    items = None if texts is None else _read_items([texts], "id", "text")
    if not isinstance(where, Path):
        return _read_jsonl(where), items
    if where.is_dir():
        config = next((where / name for name in CONFIGS if (where / name).is_file()), None)
        if config is not None:
            return _read_project(config, items)
        return _read_states(sorted(where.glob(f"*/{STATE}")), where), items
    if where.suffix in (".yaml", ".yml"):
        return _read_project(where, items)
    if where.suffix in (".csv", ".tsv"):
        return _read_csv(where), items
    return [_read_state(where)], items


def _read_project(config: Path, items: _Items | None) -> tuple[list[_User], _Items]:
    import srsly

    try:
        data = srsly.read_yaml(config)
    except Exception as error:  # whatever the parser makes of a broken file
        raise SemevalError(f"Can't read {readable(config)} as YAML: {' '.join(str(error).split())}") from None
    if not isinstance(data, dict):
        raise SemevalError(f"{readable(config)} is no configuration of Potato.")
    home = config.parent / str(data.get("task_dir") or ".")
    output = _find(data.get("output_annotation_dir") or "annotation_output", config, home)
    if items is None:
        keys = data.get("item_properties") or {}
        files = data.get("data_files")
        if not isinstance(files, list) or not files or not all(isinstance(file, str) for file in files):
            raise SemevalError(f"{readable(config)} names no data_files: name the items with --texts.")
        paths = [_find(file, config, home) for file in files]
        items = _read_items(paths, str(keys.get("id_key") or "id"), str(keys.get("text_key") or "text"))
    return _read_states(sorted(output.glob(f"*/{STATE}")), output), items


def _find(name: str, config: Path, home: Path) -> Path:
    """A path of the configuration: below the task's folder, or below that of the configuration."""
    for folder in (home, config.parent):
        if (folder / str(name)).exists():
            return folder / str(name)
    raise SemevalError(f"{readable(config)} names {name!r}, which is not in {readable(home)}.")


def _read_states(paths: Sequence[Path], folder: Path) -> list[_User]:
    if not paths:
        raise SemevalError(
            f"{readable(folder)} is no folder of Potato: it holds neither a config.yaml nor a folder for each user "
            f"with {STATE}."
        )
    return [_read_state(path) for path in paths]


def _read_state(path: Path) -> _User:
    name = readable(path)
    try:
        state = msgspec.json.decode(path.read_bytes(), type=_State)
    except OSError as error:
        raise SemevalError(f"Can't read {name}: {error.strerror}.") from None
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise SemevalError(f"{name} is no {STATE} of Potato: {error}.") from None
    user = _User(str(path.parent.name if state.user_id is None else state.user_id), name)
    for instance, marked in state.instance_id_to_span_to_value.items():
        place = f"{name}, instance {instance!r}"
        # Potato writes pairs of a span and its value; its documentation, and its reader, have lists by scheme.
        pairs = marked if isinstance(marked, list) else []
        spans = [_convert(pair[0] if isinstance(pair, list) and pair else pair, None, place) for pair in pairs]
        user.spans[instance] = spans if isinstance(marked, list) else _by_scheme(marked, place)
    user.seen = _find_seen(state)
    user.assigned = set(map(str, state.instance_id_ordering))
    return user


def _find_seen(state: _State) -> set[str] | None:
    """The instances that a user saw: those before the one that is shown, that one if it is the last, and any with
    traces."""
    order, current = [str(instance) for instance in state.instance_id_ordering], state.current_instance_index
    if not order or current is None:
        return None
    traces = {
        *state.instance_id_to_behavioral_data,
        *(instance for instance, marked in state.instance_id_to_label_to_value.items() if marked),
        *(instance for instance, marked in state.instance_id_to_span_to_value.items() if marked),
    }
    # Who came to the last instance can't go on, so that the number stays there.
    passed = order if current >= len(order) - 1 else order[: max(current, 0)]
    return {*passed, *traces}


def _by_scheme(marked: Any, place: str) -> list[PotatoSpan]:
    if not isinstance(marked, dict) or not all(isinstance(spans, list) for spans in marked.values()):
        raise SemevalError(f"{place}: expected lists of spans by scheme, but got {str(marked)[:SHOWN]}.")
    return [_convert(span, scheme, place) for scheme, spans in marked.items() for span in spans]


def _convert(span: Any, scheme: str | None, place: str) -> PotatoSpan:
    try:
        found = msgspec.convert(span, PotatoSpan)
    except msgspec.ValidationError as error:
        raise SemevalError(f"{place}: {error}: {str(span)[:SHOWN]}.") from None
    return found if found.schema is not None else msgspec.structs.replace(found, schema=scheme)


def _read_jsonl(source: Source) -> list[_User]:
    users: dict[str, _User] = {}
    for line, raw in source.lines():
        row = decode(any_decoder, raw, source.name, line)
        _add_row(users, row, row.get("spans") or {}, f"{source.name}, line {line}")
    return list(users.values())


def _add_row(users: dict[str, _User], row: Mapping[str, Any], spans: Any, place: str) -> None:
    instance, name = row.get("instance_id"), row.get("user_id")
    if instance in (None, "") or name in (None, ""):
        raise SemevalError(f"{place}: expected instance_id and user_id, but got {instance!r} and {name!r}.")
    user = users.setdefault(str(name), _User(str(name), place.rsplit(",", 1)[0]))
    found = _by_scheme(spans, place)
    if user.spans.setdefault(str(instance), found) != found:
        user.repeated.append((str(instance), found))


def _read_csv(path: Path) -> list[_User]:
    users: dict[str, _User] = {}
    for number, row in enumerate(_rows(path), 1):
        place = f"{readable(path)}, row {number}"
        if number == 1:
            _check_columns(row, path)
        spans = {
            column.removesuffix(SPANS_COLUMN): _decode_cell(cell, place)
            for column, cell in row.items()
            if column is not None and column.endswith(SPANS_COLUMN) and cell
        }
        _add_row(users, row, spans, place)
    return list(users.values())


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    csv.field_size_limit(2**31 - 1)
    try:
        text = path.read_bytes().decode("utf-8-sig")
        yield from csv.DictReader(io.StringIO(text, newline=""), delimiter="\t" if path.suffix == ".tsv" else ",")
    except OSError as error:
        raise SemevalError(f"Can't read {readable(path)}: {error.strerror}.") from None
    except (UnicodeDecodeError, csv.Error) as error:
        raise SemevalError(f"{readable(path)} is no table in UTF-8: {error}.") from None


def _check_columns(row: Mapping[Any, Any], path: Path) -> None:
    columns = [str(column) for column in row if column is not None]
    use = "Use the annotation_output folder, or the export as JSONL (python -m potato.export -f jsonl)."
    if "coder" in columns and "code" in columns:
        why = "Its labels (code) are empty, as version 2.8 writes them. " if not row.get("code") else ""
        raise SemevalError(f"{readable(path)} is Potato's quotation report. {why}{use}")
    if "instance_id" not in columns or "user_id" not in columns or not any(c.endswith(SPANS_COLUMN) for c in columns):
        listed = ", ".join(columns)
        raise SemevalError(f"{readable(path)} is no export of Potato with spans: its columns are {listed}. {use}")


def _decode_cell(cell: str, place: str) -> Any:
    try:
        return msgspec.json.decode(cell)
    except msgspec.DecodeError as error:
        raise SemevalError(f"{place}: the spans are not valid JSON: {error}.") from None


def _read_items(paths: Sequence[Path], id_key: str, text_key: str) -> _Items:
    by_id: dict[str, Mapping[str, Any]] = {}
    for path in paths:
        for number, item in enumerate(_item_rows(path), 1):
            if not isinstance(item, dict) or item.get(id_key) in (None, ""):
                keys = ", ".join(map(str, item)) if isinstance(item, dict) else str(item)[:SHOWN]
                raise SemevalError(
                    f"{readable(path)}, item {number}: it has no id under {id_key!r}. Found: {keys}. If the project's "
                    "config.yaml names other keys under item_properties, name the project folder instead."
                )
            if by_id.setdefault(str(item[id_key]), item) != item:
                raise SemevalError(
                    f"{readable(path)}, item {number}: there are two items with the id {item[id_key]!r}."
                )
    return _Items(", ".join(map(readable, paths)), text_key, by_id)


def _item_rows(path: Path) -> Iterable[Any]:
    if path.suffix in (".csv", ".tsv"):
        return _rows(path)
    source = open_source(path)
    lines = list(source.lines())
    if path.suffix == ".json":
        try:
            whole = msgspec.json.decode(b"\n".join(raw for _, raw in lines))
        except msgspec.DecodeError:
            pass  # JSONL under another name
        else:
            return whole if isinstance(whole, list) else [whole]
    return [decode(any_decoder, raw, source.name, line) for line, raw in lines]


def _choose_scheme(users: Iterable[_User], scheme: str | None) -> None:
    """Keep the spans of one scheme."""
    spans = [found for user in users for _, found in user.marked()]
    known = sorted({span.schema or "" for found in spans for span in found})
    if scheme is None and len(known) > 1:
        raise SemevalError(
            f"There are several annotation schemes: {', '.join(known)}. Choose one with --potato-scheme."
        )
    if scheme is not None and known and scheme not in known:
        raise SemevalError(f"There is no annotation scheme {scheme!r} with spans. Schemes: {', '.join(known)}.")
    for found in spans:
        found[:] = [span for span in found if scheme is None or span.schema == scheme]


def _settle_unseen(users: Sequence[_User], items: _Items | None, unseen: Unseen, counts: Counter[str]) -> None:
    """Decide what each user saw."""
    everything = set().union(*(user.spans for user in users)) if items is None else set(items.by_id)
    for user in users:
        if user.seen is not None:
            counts["not_reached"] += len(user.assigned - user.seen)
            continue
        user.seen = set(user.spans)
        unknown = everything - user.seen
        counts["counted_empty" if unseen == "empty" else "unknown_whether_seen"] += len(unknown)
        if unseen == "empty":
            user.seen |= unknown


def _settle_parts(users: Iterable[_User], parts: Parts, counts: Counter[str]) -> None:
    """Make one stretch of spans in several pieces."""
    in_parts = [
        (user, instance, span)
        for user in users
        for instance, spans in user.marked()
        for span in spans
        if span.additional_parts
    ]
    if in_parts and parts == "refuse":
        user, instance, span = in_parts[0]
        raise SemevalError(
            f"{len(in_parts)} spans have additional_parts, the first one is {span.start} to {span.end} of "
            f"{user.name!r} in instance {instance!r}. --parts hull takes the stretch from the first to the last piece, "
            "--parts drop leaves out all pieces but the first."
        )
    if in_parts:
        counts["parts_joined" if parts == "hull" else "parts_dropped"] += len(in_parts)
    for _, _, span in in_parts:
        span.text = None  # of all pieces, or of one: versions differ
        if parts == "drop":
            span.additional_parts = None


class _Records:
    """Makes records of what users marked, each text and field by itself, and checks that offsets fit the text."""

    def __init__(self, users: Sequence[_User], items: _Items | None, offsets: Offsets) -> None:
        self.items = items
        self.offsets = offsets
        spans = [span for user in users for _, found in user.marked() for span in found]
        named: set[str | None] = {span.target_field for span in spans}
        self.fields = sorted(named or {None}, key=str)
        self.has_quotes = any(span.text is not None for span in spans)
        self.has_astral = False

    def of(self, user: _User) -> Iterator[PotatoRecord]:
        """YIELDS (PotatoRecord): The records of one user."""
        nothing: list[PotatoSpan] = []
        empty = ((instance, nothing) for instance in user.seen or () if instance not in user.spans)
        kept = ((instance, spans) for instance, spans in user.marked() if instance in (user.seen or ()))
        for instance, spans in sorted([*empty, *kept], key=itemgetter(0)):
            for target in self.fields:
                marked = [span for span in spans if span.target_field == target]
                text = None if self.items is None else self.items.text(instance, target)
                if target is not None and text is None and self.items is not None:
                    if marked:
                        raise SemevalError(f"{self.items.name}, item {instance!r}: there is no text under {target!r}.")
                    continue
                if target is None and len(self.fields) > 1 and not marked:
                    continue  # who names fields marks nothing outside of them
                place = f"{user.where}, user {user.name!r}, instance {instance!r}"
                found = tuple(self._span(span, text, place) for span in marked)
                yield PotatoRecord(user.name, instance if target is None else f"{instance}/{target}", text, found)

    def _span(self, span: PotatoSpan, text: str | None, place: str) -> Span:
        label = next((value for name in LABELS if (value := getattr(span, name))), None)
        if label is None:
            raise SemevalError(f"{place}: span {span.start} to {span.end} has no label.")
        pieces = [Part(span.start, span.end, span.text), *(span.additional_parts or ())]
        placed = [self._place(piece, text, place) for piece in pieces]
        return min(start for start, _ in placed), max(end for _, end in placed), label

    def _place(self, piece: Part, text: str | None, place: str) -> tuple[int, int]:
        """The code points of a stretch, checked against the text."""
        if text is None:
            if not 0 <= piece.start < piece.end:
                raise SemevalError(f"{place}: span {piece.start} to {piece.end} holds no character.")
            return piece.start, piece.end
        self.has_astral = self.has_astral or (not text.isascii() and max(text) > "\uffff")
        placed = _fit(piece, text, self.offsets)
        if placed is None:
            raise SemevalError(f"{place}: {self._say_misfit(piece, text)}")
        return placed

    def _say_misfit(self, piece: Part, text: str) -> str:
        said = f"span {piece.start} to {piece.end}"
        if piece.text is not None:
            said += f" of {piece.text[:SHOWN]!r}, where the text has {text[piece.start : piece.end][:SHOWN]!r},"
        said += f" does not fit its text of {len(text)} characters."
        other: Offsets = "utf16" if self.offsets == "codepoint" else "codepoint"
        if _fit(piece, text, other) is not None:
            return f"{said} It fits as --offsets {other}."
        return (
            f"{said} Offsets are those of the text as it was shown, where white space may be collapsed and markup "
            "removed: give that text."
        )

    def hints(self) -> list[str]:
        """RETURNS (list[str]): What may be wrong with the offsets."""
        if self.items is None:
            return ["The texts are not known, so offsets were not checked: name the items with --texts."]
        if self.has_astral and not self.has_quotes and self.offsets == "codepoint":
            return [
                "Texts hold characters beyond U+FFFF, and spans do not say what they hold: versions of Potato before "
                "2.12 count UTF-16 units, which is --offsets utf16."
            ]
        return []


def _fit(piece: Part, text: str, offsets: Offsets) -> tuple[int, int] | None:
    start, end = piece.start, piece.end
    if offsets == "utf16":
        start, end = (_from_utf16(text, offset) for offset in (start, end))
    if not 0 <= start < end <= len(text) or piece.text not in (None, text[start:end]):
        return None
    return start, end


def _from_utf16(text: str, offset: int) -> int:
    """The code points before an offset in UTF-16 units; -1 if there is no such place."""
    units = text.encode("utf-16-le", "surrogatepass")
    if not 0 <= 2 * offset <= len(units):
        return -1
    try:
        return len(units[: 2 * offset].decode("utf-16-le"))
    except UnicodeDecodeError:  # between the two halves of a character
        return -1
