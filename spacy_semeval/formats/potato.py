"""Read span annotations of Potato: who marked what in which text, with offsets that fit it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from operator import itemgetter
from pathlib import Path

from ..engine.spans import MAX_OFFSET
from ..errors import SemevalError
from .base import FileReader, Format, Offsets, Parts, Record, Span, Unseen
from .json_items import sniff_documents
from .potato_files import SHOWN, STATE_KEY, Items, Part, PotatoSpan, User, is_export_row, is_state, load
from .sources import FolderSource, Source

FILES = (".yaml", ".yml", ".csv", ".tsv")
LABELS = ("name", "label", "annotation", "category")


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
    annotators (set[str]): All users, those too who saw nothing.
    counts (Counter[str]): What was left out, taken as empty or changed, by name.
    hints (list[str]): What may be wrong with it.
    """

    records: list[PotatoRecord]
    annotators: set[str]
    counts: Counter[str]
    hints: list[str]


def read_potato(
    inputs: Sequence[Path | Source],
    texts: Path | None = None,
    *,
    scheme: str | None = None,
    offsets: Offsets = "codepoint",
    parts: Parts = "refuse",
    unseen: Unseen = "absent",
    annotator: str | None = None,
) -> PotatoData:
    """Read what users of Potato marked.

    inputs (Sequence[Path | Source]): Project folders or their configs, annotation_output folders, user_state.json
        files, and exports as JSONL (sources) or CSV. All of them are one project.
    texts (Path | None): The items with the texts, where the project's config does not name them.
    scheme (str | None): The annotation scheme to take; not needed where there is one.
    offsets (Offsets): The unit of the offsets: "codepoint", or "utf16" as in versions before 2.12.
    parts (Parts): For spans in several pieces: "refuse", take the "hull" of all, or "drop" all pieces but the first.
    unseen (Unseen): For texts of which nobody can tell whether a user saw them: "absent", or seen and "empty".
    annotator (str | None): The only user to read, None for all.
    RETURNS (PotatoData): The records.
    RAISES (SemevalError): If something is missing, malformed, or does not fit the texts.
    """
    counts: Counter[str] = Counter()
    users, items = load(inputs, texts, counts)
    if offsets == "utf16" and items is None:
        raise SemevalError("Offsets in UTF-16 can't be converted without the texts: name the items with --texts.")
    everything = set().union(*(user.spans for user in users)) if items is None else set(items.by_id)
    if annotator is not None:
        users = [_choose(users, annotator)]
    _choose_scheme(users, scheme, counts)
    _settle_unseen(users, everything, unseen, counts)
    _settle_parts(users, parts, counts)
    reader = _Records(users, items, offsets)
    records = [record for user in users for record in reader.of(user)]
    return PotatoData(records, {user.name for user in users}, counts, reader.hints())


def _choose(users: Iterable[User], name: str) -> User:
    known = {user.name: user for user in users}
    if name not in known:
        raise SemevalError(f"There is no annotator {name!r}. Annotators: {', '.join(sorted(known)) or 'none'}.")
    return known[name]


def _choose_scheme(users: Iterable[User], scheme: str | None, counts: Counter[str]) -> None:
    """Keep the spans of one scheme."""
    spans = [found for user in users for _, found in user.marked()]
    known = sorted({span.schema or "" for found in spans for span in found})
    if scheme is None and len(known) > 1:
        raise SemevalError(
            f"There are several annotation schemes: {', '.join(known)}. Choose one with --potato-scheme."
        )
    if scheme is not None and known and scheme not in known:
        raise SemevalError(f"There is no annotation scheme {scheme!r} with spans. Schemes: {', '.join(known)}.")
    if scheme is not None and len(known) > 1:
        for found in spans:
            counts["other_scheme_spans"] += sum(span.schema != scheme for span in found)
            found[:] = [span for span in found if span.schema == scheme]


def _settle_unseen(users: Iterable[User], everything: set[str], unseen: Unseen, counts: Counter[str]) -> None:
    """Decide what each user saw."""
    for user in users:
        if user.seen is not None:
            counts["not_reached"] += len(user.assigned - user.seen)
            continue
        user.seen = set(user.spans)
        unknown = everything - user.seen
        counts["counted_empty" if unseen == "empty" else "unknown_whether_seen"] += len(unknown)
        if unseen == "empty":
            user.seen |= unknown


def _settle_parts(users: Iterable[User], parts: Parts, counts: Counter[str]) -> None:
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

    def __init__(self, users: Sequence[User], items: Items | None, offsets: Offsets) -> None:
        self.items = items
        self.offsets = offsets
        spans = [span for user in users for _, found in user.marked() for span in found]
        for span in spans:
            if items is not None and span.target_field == items.text_key:
                span.target_field = None  # the text, as if no field was named
        self.marked: dict[str, set[str | None]] = {}
        for instance, found in (marked for user in users for marked in user.marked()):
            self.marked.setdefault(instance, set()).update(span.target_field for span in found)
        named: set[str | None] = {span.target_field for span in spans}
        self.fields = sorted(named or {None}, key=str)
        self.has_quotes = any(span.text is not None for span in spans)
        self.has_astral = False

    def of(self, user: User) -> Iterator[PotatoRecord]:
        """YIELDS (PotatoRecord): The records of one user."""
        nothing: list[PotatoSpan] = []
        empty = ((instance, nothing) for instance in user.seen or () if instance not in user.spans)
        kept = ((instance, spans) for instance, spans in user.marked() if instance in (user.seen or ()))
        for instance, spans in sorted([*empty, *kept], key=itemgetter(0)):
            place = f"{user.where}, user {user.name!r}, instance {instance!r}"
            for target, text in self._texts(instance, place).items():
                found = tuple(self._span(span, text, place) for span in spans if span.target_field == target)
                yield PotatoRecord(user.name, instance if target is None else f"{instance}/{target}", text, found)

    def _texts(self, instance: str, place: str) -> Mapping[str | None, str | None]:
        """The text of each field of an instance that may be marked; None where texts are not known."""
        marked = self.marked.get(instance) or set()
        if self.items is None:
            return dict.fromkeys(self._likely_fields(marked))
        texts = {target: self.items.text(instance, target, place) for target in self.fields}
        known = {target: text for target, text in texts.items() if text is not None}
        needed = marked if known else {*self.fields}
        for target in sorted(needed - known.keys(), key=str):
            raise SemevalError(f"{place}: {self.items.say_no_text(instance, target)}")
        return known

    def _likely_fields(self, marked: AbstractSet[str | None]) -> list[str | None]:
        """The fields of an instance whose texts are not known. Where some spans name fields and others none, there are
        instances of both kinds, and one without spans is taken as a whole."""
        if not marked:
            return [None] if None in self.fields else self.fields
        kinds = {target is None for target in marked}
        return [target for target in self.fields if (target is None) in kinds]

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
            if not 0 <= piece.start < piece.end <= MAX_OFFSET:
                raise SemevalError(f"{place}: span {piece.start} to {piece.end} holds no character, or far too many.")
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


class PotatoReader(FileReader):
    """Reads what one user of Potato marked in a project folder, a state or an export."""

    def records(self) -> Iterator[Record]:
        """YIELDS (Record): The texts that the user saw, known by the ids of their instances."""
        options = self.options
        where = self.source if self.source.path is None else self.source.path
        data = read_potato(
            [where if self._is_file_of_potato() else self.source],
            options.texts,
            scheme=options.potato_scheme,
            offsets=options.offsets,
            parts=options.parts,
            unseen=options.unseen,
            annotator=options.annotator,
        )
        if len(data.annotators) > 1:
            raise SemevalError(
                f"{self.source.name} holds the annotations of {len(data.annotators)} annotators: "
                f"{', '.join(sorted(data.annotators))}. Choose one with {options.option} NAME."
            )
        self.noted.update({name: n for name, n in data.counts.items() if n})
        for number, record in enumerate(data.records, 1):
            yield Record(record.text, record.spans, number, input_hash=record.document)

    def _is_file_of_potato(self) -> bool:
        """Whether it is a folder or a file by itself, not an export as JSONL, which is read as lines."""
        path = self.source.path
        return path is not None and (isinstance(self.source, FolderSource) or path.suffix in FILES or is_state(path))


def sniff(head: bytes) -> bool:
    """Whether a file begins as a user's state or an export does."""
    if STATE_KEY in head:
        return True
    documents = sniff_documents(head)
    columns = head.decode("utf8", "ignore").partition("\n")[0]
    return (bool(documents) and all(map(is_export_row, documents))) or ("instance_id" in columns and "," in columns)


# entry point: potato
potato = Format(
    (".yaml", ".yml", ".csv", ".tsv", ".json", ".jsonl", ".jsonl.gz"),
    sniff,
    PotatoReader,
    frozenset({"annotator", "texts", "potato_scheme", "offsets", "parts", "unseen"}),
    named_by="instance id",
)
