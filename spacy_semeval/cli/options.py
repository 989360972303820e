"""Options that several commands have."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum

import typer


class PerLabel(str, Enum):
    own_side = "own_side"
    gold_side = "gold_side"


class Duplicates(str, Enum):
    error = "error"
    first = "first"
    last = "last"


class Offsets(str, Enum):
    codepoint = "codepoint"
    utf16 = "utf16"


class Parts(str, Enum):
    refuse = "refuse"
    hull = "hull"
    drop = "drop"


class Unseen(str, Enum):
    absent = "absent"
    empty = "empty"


class Repair(str, Enum):
    conlleval = "conlleval"


class Unmatched(str, Enum):
    error = "error"
    spurious = "spurious"
    drop = "drop"


OUTPUT = typer.Option(None, "--output", "-o", help="Write the scores to this JSON file")
LABEL = typer.Option([], "--label", "-l", help="Score this label only (repeatable)")
MIN_OVERLAP = typer.Option(0.0, min=0, max=1, help="Share of the gold span that a pair must share at least")
PER_LABEL = typer.Option(PerLabel.own_side, help="Under which label a pair counts")
MAP = typer.Option([], "--map", metavar="FROM=TO", help="Rename a label on both sides (repeatable)")
ERRORS = typer.Option(None, help="Write the documents with errors to this file, as Prodigy tasks")
SPANS_KEY = typer.Option(None, "--spans-key", "-sk", help=".spacy: take doc.spans[KEY] instead of doc.ents")
TAG_SCHEME = typer.Option(None, help="conll, bio: IOB1, IOB2, BILUO or IO, if the tags do not say it")
REPAIR = typer.Option(None, help="conll, bio: how to read tags that fit no scheme")
UNMATCHED = typer.Option(Unmatched.error, help="eval4ner: for strings that are not in their text")
FOLD = typer.Option(False, "--fold", help="eval4ner: ignore case and white space when strings are looked for")
TEXTS = typer.Option(None, help="Potato: the items with the texts")
POTATO_SCHEME = typer.Option(None, help="Potato: the annotation scheme to take")
OFFSETS = typer.Option(Offsets.codepoint, help="Potato: unit of offsets; utf16 before version 2.12")
PARTS = typer.Option(Parts.refuse, help="Potato: for spans in several pieces")
UNSEEN = typer.Option(Unseen.absent, help="Potato: for documents that nobody can tell were seen")
# The options of readers that only some formats use, by the names of `ReadOptions`.
SPELLED = {
    "annotator_key": "--annotator-key",
    "spans_key": "--spans-key",
    "tag_scheme": "--tag-scheme",
    "repair": "--repair",
    "unmatched": "--unmatched",
    "fold": "--fold",
    "texts": "--texts",
    "potato_scheme": "--potato-scheme",
    "offsets": "--offsets",
    "parts": "--parts",
    "unseen": "--unseen",
}
PRODIGY_DB = typer.Option(None, help="Prodigy's SQLite file, if it is not in its usual place")


def parse_map(pairs: Iterable[str]) -> dict[str, str] | None:
    """Read the values of --map.

    pairs (Iterable[str]): "FROM=TO" each; the first = divides.
    RETURNS (dict[str, str] | None): The new name of each label, None if there is no pair.
    RAISES (typer.BadParameter): If a pair is none, or a label gets two names.
    """
    label_map: dict[str, str] = {}
    for pair in pairs:
        old, divider, new = pair.partition("=")
        if not (old and divider and new):
            raise typer.BadParameter(f"Expected FROM=TO, but got {pair!r}.", param_hint="--map")
        if label_map.setdefault(old, new) != new:
            raise typer.BadParameter(f"{old!r} is renamed to {label_map[old]!r} and {new!r}.", param_hint="--map")
    return label_map or None
