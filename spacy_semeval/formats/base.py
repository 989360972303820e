"""What a format is, and what every reader of annotation files gives: records, and what it left out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, Protocol, get_args

import msgspec

from ..errors import SemevalError, SettingsError
from .sources import Source

Span = tuple[int, int, str]
Stretch = tuple[int, int]
Unit = Literal["character", "token"]
Offsets = Literal["codepoint", "utf16"]
Parts = Literal["refuse", "hull", "drop"]
Unseen = Literal["absent", "empty"]
Repair = Literal["conlleval"]
Unmatched = Literal["error", "spurious", "drop"]

# The values that the fields of `ReadOptions` may have.
CHOICES = {
    "repair": (None, *get_args(Repair)),
    "unmatched": get_args(Unmatched),
    "offsets": get_args(Offsets),
    "parts": get_args(Parts),
    "unseen": get_args(Unseen),
}
# The types of the others, in words, and which ones they are.
KINDS: tuple[tuple[tuple[type, ...], str, tuple[str, ...]], ...] = (
    ((bool,), "True or False", ("needs_labels", "binary", "is_gold", "fold")),
    (
        (str, type(None)),
        "a string or None",
        ("annotator", "annotator_key", "spans_key", "tag_scheme", "potato_scheme"),
    ),
    ((str, Path, type(None)), "a path or None", ("texts",)),
)

# What is left out of a file, and why.
SKIPPED = {
    "rejected": "records with the answer reject",
    "ignored": "records with the answer ignore",
    "other_answer": "records with an answer but accept, reject and ignore",
    "other_annotator": "records of other annotators",
    "different_text": "records whose text the annotator changed",
    "binary": "binary answers, which are no complete annotations",
    "choice": "records of interfaces without spans, such as choice",
    "no_annotator": "records that name no annotator",
    "ignored_in_part": "records with ignored spans, not complete",
    "complete": "records that are no binary answers",
    "no_question": "binary answers about no span",
    "undecided": "rejected records of several spans, undecided which",
    "undecided_spans": "unanswered spans of rejected records of several",
    "rejected_spans": "spans with the answer reject",
    "ignored_spans": "spans with the answer ignore",
    "other_answer_spans": "spans with an answer but accept, reject and ignore",
    "unannotated": "documents without annotation",
    "unmatched": "strings that are not in their text",
}
# What is read in spite of something odd.
NOTED = {
    "null_spans": "records whose spans are null, read as no span",
    "differing_tokens": "records with a token that differs from the text",
    "repaired_tags": "tags that fit no scheme, repaired",
    "unmatched_strings": "strings not in their text, counted as spurious",
    "other_scheme_spans": "spans of other annotation schemes, left out",
    "users_joined": "files of a user whom another file has too, joined",
    "folders_without_state": "folders without the user_state.json of a user",
    "not_reached": "assigned documents that were not reached",
    "unknown_whether_seen": "documents perhaps seen, taken as not seen",
    "counted_empty": "documents perhaps seen, taken as empty",
    "parts_joined": "spans in several pieces, joined",
    "parts_dropped": "spans in several pieces, first one taken",
}


class Token(msgspec.Struct, gc=False):
    """A token as a file has it: its text, and its start and end in code points of the record's text."""

    text: str
    start: int
    end: int


class Record(msgspec.Struct, frozen=True, gc=False):
    """One text as one person annotated it.

    text (str | None): The text, None where the file does not hold it.
    spans (tuple[Span, ...]): Start, end and label of each span: code points of the text, ends exclusive; tokens where
        the format counts in tokens.
    line (int): The line of the file that it begins in, or its number where it has no line of its own, from 1.
    tokens (Sequence[Token] | None): The tokens, None if the file has none.
    unknown (tuple[Stretch, ...]): Stretches of the text about which the annotator said nothing.
    rejected (tuple[Span, ...]): Spans that the annotator said are wrong.
    input_hash (int | str | None): What the file says the text is known by, if anything.
    timestamp (float | None): When it was annotated, in seconds since 1970, if the file says so.
    """

    text: str | None
    spans: tuple[Span, ...]
    line: int
    tokens: Sequence[Token] | None = None
    unknown: tuple[Stretch, ...] = ()
    rejected: tuple[Span, ...] = ()
    input_hash: int | str | None = None
    timestamp: float | None = None

    @property
    def full_text(self) -> str:
        """RETURNS (str): The text. Raises SemevalError if the file does not hold it."""
        if self.text is None:
            raise SemevalError(f"The text of line or document {self.line} is not known, and is needed here.")
        return self.text


@dataclass(frozen=True)
class ReadOptions:
    """How to read a file. A format uses some of these and names them in `Format.uses`.

    annotator (str | None): Whose annotations to take from a file that holds several.
    annotator_key (str | None): Another field that names the annotator.
    needs_labels (bool): Whether a span without a label is an error.
    binary (bool): Whether to read binary answers, and nothing else.
    is_gold (bool): Whether it is the reference.
    option (str): The command's option that chooses an annotator, for messages.
    spans_key (str | None): The key in doc.spans, None for doc.ents.
    tag_scheme (str | None): The scheme of tags, None to find it.
    repair (Repair | None): How to read tags that fit no scheme, None to refuse them.
    unmatched (Unmatched): For strings that are not in their text: "error", "spurious" or "drop".
    fold (bool): Whether to ignore case and white space when strings are looked for.
    texts (Path | None): Potato's items with the texts, where the project's config does not name them.
    potato_scheme (str | None): Potato's annotation scheme to take; not needed where there is one.
    offsets (Offsets): The unit of Potato's offsets: "codepoint", or "utf16" as in versions before 2.12.
    parts (Parts): For Potato's spans in several pieces: "refuse", take the "hull" of all, or "drop" all but the first.
    unseen (Unseen): For texts of which nobody can tell whether a Potato user saw them: "absent", or seen and "empty".
    """

    annotator: str | None = None
    annotator_key: str | None = None
    needs_labels: bool = True
    binary: bool = False
    is_gold: bool = True
    option: str = "--annotator"
    spans_key: str | None = None
    tag_scheme: str | None = None
    repair: Repair | None = None
    unmatched: Unmatched = "error"
    fold: bool = False
    texts: Path | None = None
    potato_scheme: str | None = None
    offsets: Offsets = "codepoint"
    parts: Parts = "refuse"
    unseen: Unseen = "absent"

    def __post_init__(self) -> None:
        for name, known in CHOICES.items():
            value = getattr(self, name)
            if value not in known:
                available = ", ".join(map(repr, known))
                raise SettingsError(f"Unknown value of {name}: {value!r:.80}. Available: {available}.")
        for kinds, wanted, names in KINDS:
            for name in names:
                value = getattr(self, name)
                if not isinstance(value, kinds):
                    raise SettingsError(f"Expected {name} to be {wanted}, but got {value!r:.80}.")


class RecordReader(Protocol):
    """Reads the records of a file, one by one. The numbers are complete when all were read.

    source (Source): The file.
    read (int): Records that there are.
    used (int): Records that were given.
    skipped (Counter[str]): What was left out, by the names of `SKIPPED`.
    noted (Counter[str]): What was odd, by the names of `NOTED`.
    """

    source: Source
    read: int
    used: int
    skipped: Counter[str]
    noted: Counter[str]

    def __iter__(self) -> Iterator[Record]:
        """YIELDS (Record): The usable records. RAISES (SemevalError): If one is malformed, or there is none."""
        ...


@dataclass(frozen=True)
class Format:
    """A kind of file with annotation; an entry of the registry `formats`.

    endings (tuple[str, ...]): How the names of such files may end, with their dots.
    sniff (Callable[[bytes], bool]): Whether a file that begins with these bytes may be of this kind.
    read (Callable[[Source, ReadOptions], RecordReader]): Makes a reader of a file.
    uses (frozenset[str]): The options that it uses, by the names of `ReadOptions`.
    unit (Unit | None): What offsets count; None if it may be either.
    named_by (str): The field that documents are known by, where records have one.
    has_text (bool): Whether files may hold the texts.
    has_space (bool): Whether texts have the white space of the original.
    repeats (bool): Whether the same text twice is one document, annotated twice.
    """

    endings: tuple[str, ...]
    sniff: Callable[[bytes], bool]
    read: Callable[[Source, ReadOptions], RecordReader]
    uses: frozenset[str] = frozenset()
    unit: Unit | None = "character"
    named_by: str = "id"
    has_text: bool = True
    has_space: bool = True
    repeats: bool = False


class FileReader:
    """A reader of records that are all used: the base of the simpler formats.

    source (Source): The file.
    options (ReadOptions): How to read it.
    """

    def __init__(self, source: Source, options: ReadOptions) -> None:
        self.source = source
        self.options = options
        self.read = 0
        self.used = 0
        self.skipped: Counter[str] = Counter()
        self.noted: Counter[str] = Counter()

    def __iter__(self) -> Iterator[Record]:
        """YIELDS (Record): The usable records. RAISES (SemevalError): If one is malformed, or there is none."""
        self.read = self.used = 0
        self.skipped, self.noted = Counter(), Counter()
        for record in self.records():
            self.read += 1
            if record is not None:
                self.used += 1
                yield record
        if not self.used:
            nothing = f"{self.source.name} holds no document" + (" that can be used." if self.read else ".")
            raise SemevalError("\n".join([nothing, *say_left_out(self.skipped)]))

    def records(self) -> Iterator[Record | None]:
        """YIELDS (Record | None): The records; None for one that was left out and counted under `skipped`."""
        raise NotImplementedError


@dataclass(frozen=True)
class Dataset:
    """The records of a file that can be used, and what was left out.

    name (str): The file's, for messages.
    records (list[Record]): The usable records, in the order of the file.
    skipped (Counter[str]): How many records and spans were left out for each reason, by the names of `SKIPPED`.
    noted (Counter[str]): How many records were read in spite of something odd, by the names of `NOTED`.
    """

    name: str
    records: list[Record] = field(default_factory=list)
    skipped: Counter[str] = field(default_factory=Counter)
    noted: Counter[str] = field(default_factory=Counter)

    @property
    def spans(self) -> list[tuple[Span, ...]]:
        """RETURNS (list[tuple[Span, ...]]): The spans of each record, as `score_spans` takes them."""
        return [record.spans for record in self.records]

    def check_texts(self) -> None:
        """Raise SemevalError if the text of a record is not known; names the first one."""
        record = next((record for record in self.records if record.text is None), None)
        if record is not None:
            raise SemevalError(
                f"{self.name} does not hold the text of line or document {record.line}, which is needed here. For "
                "Potato, --texts names the items; other data has to hold its texts."
            )

    def notes(self) -> list[str]:
        """RETURNS (list[str]): A line for each reason to leave something out, and for all that is odd."""
        lines = [*say_left_out(self.skipped), *(f"Noted, {NOTED[what]}: {n}" for what, n in sorted(self.noted.items()))]
        if self.records and not any(record.spans for record in self.records):
            lines.append("No record holds a span. (Prodigy's are under the key 'spans'.)")
        return lines


def say_left_out(skipped: Counter[str]) -> list[str]:
    """Word what was left out.

    skipped (Counter[str]): How many for each reason, by the names of `SKIPPED`.
    RETURNS (list[str]): A line for each reason.
    """
    return [f"Left out, {SKIPPED[reason]}: {count}" for reason, count in sorted(skipped.items())]
