"""The files of Potato: states of users, exports, items, the configuration of a project.

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
from pathlib import Path
from typing import Any

import msgspec

from ..errors import SemevalError
from .decoding import any_decoder, decode
from .sources import Source, open_source, readable

STATE = "user_state.json"
STATE_KEY = b'"instance_id_to_span_to_value"'
CONFIGS = ("config.yaml", "config.yml")
SPANS_COLUMN = "._spans"
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


class _Keys(msgspec.Struct):
    """Where an item has its id and its text."""

    id_key: str = "id"
    text_key: str = "text"


class _Project(msgspec.Struct):
    """What is needed of a project's configuration."""

    task_dir: str | None = None
    output_annotation_dir: str | None = None
    data_files: list[str] | str | None = None
    item_properties: _Keys | None = None


@dataclass
class User:
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

    def add(self, instance: str, spans: list[PotatoSpan]) -> None:
        """Add what the user marked in an instance, which may be there already."""
        if self.spans.setdefault(instance, spans) is not spans:
            self.repeated.append((instance, spans))

    def marked(self) -> list[tuple[str, list[PotatoSpan]]]:
        """RETURNS (list[tuple[str, list[PotatoSpan]]]): Every instance with spans, and these."""
        return [*self.spans.items(), *self.repeated]


@dataclass(frozen=True)
class Items:
    """The texts of a project by instance: all fields of each item, and which one holds the text."""

    name: str
    text_key: str
    by_id: Mapping[str, Mapping[str, Any]]

    def text(self, instance: str, target: str | None, place: str) -> str | None:
        """The text of a field of an instance; None if it has no such field. Names the place that lists the instance."""
        item = self.by_id.get(instance)
        if item is None:
            raise SemevalError(f"{place}: {self.name} holds no item of that id.")
        text = item.get(target or self.text_key)
        return text if isinstance(text, str) else None

    def say_no_text(self, instance: str, target: str | None) -> str:
        """Word that an item has no text in a field."""
        key = target or self.text_key
        return (
            f"{self.name} has no text under {key!r} in the item of that id, but {self.by_id[instance].get(key)!r:.80}."
        )


def is_state(path: Path) -> bool:
    """Whether a file is the state of a user of Potato."""
    try:
        return path.suffix == ".json" and STATE_KEY in path.read_bytes()
    except OSError:
        return False  # whoever reads it says what is wrong


def is_export(source: Source) -> bool:
    """Whether the first line of a file is that of Potato's JSONL export."""
    for _, raw in source.lines():
        try:
            row = msgspec.json.decode(raw)
        except (msgspec.DecodeError, RecursionError):
            return False
        return is_export_row(row)
    return False


def is_export_row(row: Any) -> bool:
    """Whether a JSON value is a row of an export as JSONL."""
    return isinstance(row, dict) and {"instance_id", "user_id"} <= row.keys() and "text" not in row


def load(inputs: Sequence[Path | Source], texts: Path | None, counts: Counter[str]) -> tuple[list[User], Items | None]:
    """Read what users marked.

    inputs (Sequence[Path | Source]): Project folders or their configs, annotation_output folders, user_state.json
        files, and exports as JSONL (sources) or CSV.
    texts (Path | None): The items, where the config of a project does not name them.
    counts (Counter[str]): Gets what is odd, by the names of `NOTED`.
    RETURNS (tuple[list[User], Items | None]): The users, and the texts if they are known.
    RAISES (SemevalError): If something is missing or malformed.
    """
    items = None if texts is None else _read_items([texts], "id", "text")
    loaded = [_load_one(where, items, counts) for where in inputs]
    known = [own for _, own in loaded if own is not None]
    found = [user for users, _ in loaded for user in users]
    joined = _join(found)
    _count(counts, "users_joined", len(found) - len(joined))
    return joined, _merge(known) if known else None


def _count(counts: Counter[str], what: str, number: int) -> None:
    if number:
        counts[what] += number


def _join(users: Sequence[User]) -> list[User]:
    """One user for each name: what several inputs say of one person is said of the same."""
    joined: dict[str, User] = {}
    for user in users:
        first = joined.setdefault(user.name, user)
        if first is user:
            continue
        for instance, spans in user.marked():
            first.add(instance, spans)
        if first.seen is None or user.seen is None:
            # What one input knows to be seen stays so, where another one cannot tell.
            for instance in sorted((first.seen or set()) | (user.seen or set())):
                first.spans.setdefault(instance, [])
            first.seen = None
        else:
            first.seen |= user.seen
        first.assigned |= user.assigned
    return list(joined.values())


def _load_one(where: Path | Source, items: Items | None, counts: Counter[str]) -> tuple[list[User], Items | None]:
    if not isinstance(where, Path):
        return _read_jsonl(where), items
    if where.is_dir():
        config = next((where / name for name in CONFIGS if (where / name).is_file()), None)
        if config is not None:
            return _read_project(config, items, counts)
        return _read_states(where, counts), items
    if where.suffix in (".yaml", ".yml"):
        return _read_project(where, items, counts)
    if where.suffix in (".csv", ".tsv"):
        return _read_csv(where), items
    return [_read_state(where)], items


def _merge(known: Sequence[Items]) -> Items:
    """The items of several projects as one."""
    first = known[0]
    by_id = dict(first.by_id)
    for items in known[1:]:
        other = next((key for key, item in items.by_id.items() if by_id.setdefault(key, item) != item), None)
        if other is not None or items.text_key != first.text_key:
            what = f"the item {other!r}" if other is not None else "the key of the text"
            raise SemevalError(f"{first.name} and {items.name} differ in {what}: compare the projects one by one.")
    return Items(first.name, first.text_key, by_id)


def _read_project(config: Path, items: Items | None, counts: Counter[str]) -> tuple[list[User], Items]:
    import srsly

    try:
        data = srsly.read_yaml(config)
    except Exception as error:  # whatever the parser makes of a broken file
        raise SemevalError(f"Can't read {readable(config)} as YAML: {' '.join(str(error).split())}") from None
    try:
        project = msgspec.convert(data, _Project)
    except msgspec.ValidationError as error:
        raise SemevalError(f"{readable(config)} is no configuration of Potato: {error}.") from None
    home = config.parent / (project.task_dir or ".")
    output = _find(project.output_annotation_dir or "annotation_output", config, home)
    if items is None:
        if not project.data_files:
            raise SemevalError(f"{readable(config)} names no data_files: name the items with --texts.")
        files = project.data_files if isinstance(project.data_files, list) else [project.data_files]
        keys = project.item_properties or _Keys()
        items = _read_items([_find(file, config, home) for file in files], keys.id_key, keys.text_key)
    return _read_states(output, counts), items


def _find(name: str, config: Path, home: Path) -> Path:
    """A path of the configuration: below the task's folder, or below that of the configuration."""
    for folder in (home, config.parent):
        if (folder / name).exists():
            return folder / name
    raise SemevalError(f"{readable(config)} names {name!r}, which is not in {readable(home)}.")


def _read_states(folder: Path, counts: Counter[str]) -> list[User]:
    paths = sorted(folder.glob(f"*/{STATE}"))
    _count(counts, "folders_without_state", sum(path.is_dir() for path in folder.glob("*")) - len(paths))
    if not paths:
        raise SemevalError(
            f"{readable(folder)} is no folder of Potato: it holds neither a config.yaml nor a folder for each user "
            f"with {STATE}."
        )
    return [_read_state(path) for path in paths]


def _read_state(path: Path) -> User:
    name = readable(path)
    try:
        state = msgspec.json.decode(path.read_bytes(), type=_State)
    except OSError as error:
        raise SemevalError(f"Can't read {name}: {error.strerror}.") from None
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise SemevalError(f"{name} is damaged, or no {STATE} of Potato: {error}.") from None
    user = User(str(path.parent.name if state.user_id in (None, "") else state.user_id), name)
    for instance, marked in state.instance_id_to_span_to_value.items():
        place = f"{name}, instance {instance!r}"
        # Potato writes pairs of a span and its value; its documentation, and its reader, have lists by scheme.
        pairs = marked if isinstance(marked, list) else []
        spans = [_convert(_unpair(pair, place), None, place) for pair in pairs]
        user.spans[instance] = spans if isinstance(marked, list) else _by_scheme(marked, place)
    user.seen = _find_seen(state)
    user.assigned = set(map(str, state.instance_id_ordering))
    return user


def _unpair(pair: Any, place: str) -> Any:
    """The span of a pair of a span and its value."""
    if not isinstance(pair, list) or not pair:
        return pair
    if pair[1:] == [False]:
        raise SemevalError(f"{place}: a span has the value false, which Potato does not write. Take the span out.")
    return pair[0]


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


def _read_jsonl(source: Source) -> list[User]:
    users: dict[str, User] = {}
    for line, raw in source.lines():
        row = decode(any_decoder, raw, source.name, line)
        _add_row(users, row, row.get("spans") or {}, f"{source.name}, line {line}")
    return list(users.values())


def _add_row(users: dict[str, User], row: Mapping[str, Any], spans: Any, place: str) -> None:
    instance, name = row.get("instance_id"), row.get("user_id")
    if not (_is_id(instance) and _is_id(name)):
        raise SemevalError(f"{place}: expected instance_id and user_id, but got {instance!r:.80} and {name!r:.80}.")
    user = users.setdefault(str(name), User(str(name), place.rsplit(",", 1)[0]))
    found = _by_scheme(spans, place)
    user.add(str(instance), found)


def _is_id(value: Any) -> bool:
    return isinstance(value, (str, int)) and not isinstance(value, bool) and value != ""


def _read_csv(path: Path) -> list[User]:
    users: dict[str, User] = {}
    for number, row in enumerate(_rows(path), 1):
        place = f"{readable(path)}, row {number}"
        if number == 1:
            _check_columns(row, path)
        spans = {
            column.removesuffix(SPANS_COLUMN): _decode_cell(cell, place)
            for column, cell in row.items()
            if column.endswith(SPANS_COLUMN) and cell
        }
        _add_row(users, row, spans, place)
    if not users:
        raise SemevalError(f"{readable(path)} holds no row.")
    return list(users.values())


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    csv.field_size_limit(2**31 - 1)
    try:
        text = path.read_bytes().decode("utf-8-sig")
        delimiter = "\t" if path.suffix == ".tsv" else ","
        reader = csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter)
        repeated = [name for name, times in Counter(reader.fieldnames or ()).items() if times > 1]
        if repeated:
            raise SemevalError(f"{readable(path)} has the column {repeated[0]!r} more than once: leave one of them.")
        for number, row in enumerate(reader, 1):
            if None in row or None in row.values():
                raise SemevalError(f"{readable(path)}, row {number}: it has not as many cells as there are columns.")
            yield row
    except OSError as error:
        raise SemevalError(f"Can't read {readable(path)}: {error.strerror}.") from None
    except (UnicodeDecodeError, csv.Error) as error:
        raise SemevalError(f"{readable(path)} is no table in UTF-8: {error}.") from None


def _check_columns(row: Mapping[Any, Any], path: Path) -> None:
    columns = list(row)
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
    except (msgspec.DecodeError, RecursionError) as error:
        raise SemevalError(f"{place}: the spans are not valid JSON: {error}.") from None


def _read_items(paths: Sequence[Path], id_key: str, text_key: str) -> Items:
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
    return Items(", ".join(map(readable, paths)), text_key, by_id)


def _item_rows(path: Path) -> Iterable[Any]:
    if path.suffix in (".csv", ".tsv"):
        return _rows(path)
    source = open_source(path)
    lines = list(source.lines())
    if path.suffix == ".json":
        try:
            whole = msgspec.json.decode(b"\n".join(raw for _, raw in lines))
        except (msgspec.DecodeError, RecursionError):
            pass  # JSONL under another name
        else:
            return whole if isinstance(whole, list) else [whole]
    return [decode(any_decoder, raw, source.name, line) for line, raw in lines]
