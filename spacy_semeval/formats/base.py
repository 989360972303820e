"""What every reader of annotation files gives: records, and what it left out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

import msgspec

Span = tuple[int, int, str]
Stretch = tuple[int, int]

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
}
# What is read in spite of something odd.
NOTED = {
    "null_spans": "records whose spans are null, read as no span",
    "differing_tokens": "records with a token that differs from the text",
}


class Token(msgspec.Struct, gc=False):
    """A token as a file has it: its text, and its start and end in code points of the record's text."""

    text: str
    start: int
    end: int


class Record(msgspec.Struct, frozen=True, gc=False):
    """One text as one person annotated it.

    text (str): The text.
    spans (tuple[Span, ...]): Start, end and label of each span: code points of the text, ends exclusive.
    line (int): The line of the file that it stands on, from 1.
    tokens (Sequence[Token] | None): The tokens, None if the file has none.
    unknown (tuple[Stretch, ...]): Stretches of the text about which the annotator said nothing.
    rejected (tuple[Span, ...]): Spans that the annotator said are wrong.
    input_hash (int | str | None): What the file says the text is known by, if anything.
    timestamp (float | None): When it was annotated, in seconds since 1970, if the file says so.
    """

    text: str
    spans: tuple[Span, ...]
    line: int
    tokens: Sequence[Token] | None = None
    unknown: tuple[Stretch, ...] = ()
    rejected: tuple[Span, ...] = ()
    input_hash: int | str | None = None
    timestamp: float | None = None


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

    def notes(self) -> list[str]:
        """RETURNS (list[str]): A line for each reason to leave something out, and for all that is odd."""
        lines = [*say_left_out(self.skipped), *(f"Noted, {NOTED[what]}: {n}" for what, n in sorted(self.noted.items()))]
        if self.records and not any(record.spans for record in self.records):
            lines.append("No record holds a span. They are expected under the key 'spans'.")
        return lines


def say_left_out(skipped: Counter[str]) -> list[str]:
    """Word what was left out.

    skipped (Counter[str]): How many for each reason, by the names of `SKIPPED`.
    RETURNS (list[str]): A line for each reason.
    """
    return [f"Left out, {SKIPPED[reason]}: {count}" for reason, count in sorted(skipped.items())]
