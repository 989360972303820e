"""What every reader of annotation files gives: records, and what it left out."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

Span = tuple[int, int, str]
Stretch = tuple[int, int]

# What is left out of a file, and why.
SKIPPED = {
    "rejected": "records with the answer reject",
    "ignored": "records with the answer ignore",
    "other_answer": "records with an answer other than accept, reject and ignore",
    "other_annotator": "records of other annotators",
    "different_text": "records whose text the annotator changed",
    "binary": "binary answers, which say nothing about the rest of the text",
    "choice": "records of interfaces that annotate no spans, such as choice",
    "rejected_spans": "spans with the answer reject",
    "ignored_spans": "spans with the answer ignore",
    "other_answer_spans": "spans with an answer other than accept, reject and ignore",
}


@dataclass(frozen=True, slots=True)
class Record:
    """One text as one person annotated it.

    text (str): The text.
    spans (tuple[Span, ...]): Start, end and label of each span: code points of the text, ends exclusive.
    line (int): The line of the file that it stands on, from 1.
    tokens (tuple[Stretch, ...] | None): Start and end of each token, None if the file has none.
    unknown (tuple[Stretch, ...]): Stretches of the text about which the annotator said nothing.
    """

    text: str
    spans: tuple[Span, ...]
    line: int
    tokens: tuple[Stretch, ...] | None = None
    unknown: tuple[Stretch, ...] = ()


@dataclass(frozen=True)
class Dataset:
    """The records of a file that can be used, and what was left out.

    path (Path): The file.
    records (list[Record]): The usable records, in the order of the file.
    skipped (Counter[str]): How many records and spans were left out for each reason, by the names of `SKIPPED`.
    """

    path: Path
    records: list[Record] = field(default_factory=list)
    skipped: Counter[str] = field(default_factory=Counter)

    def left_out(self) -> list[str]:
        """RETURNS (list[str]): A line for each reason to leave something out, and one if there is no span."""
        lines = [f"Left out, {SKIPPED[reason]}: {count}" for reason, count in sorted(self.skipped.items())]
        if self.records and not any(record.spans for record in self.records):
            lines.append("No record holds a span. They are expected under the key 'spans'.")
        return lines
