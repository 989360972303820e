"""Tags of tokens as spans, and back: IOB1, IOB2 (BIO), BILUO (BIOES) and IO."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

from ..errors import SemevalError, SettingsError

OUTSIDE = "O"
ALIASES = {"BIO": "IOB2", "IOB": "IOB2", "BIOES": "BILUO", "IOBES": "BILUO", "BILOU": "BILUO"}
SCHEMES = ("IOB1", "IOB2", "BILUO", "IO")
LETTERS = {"IOB1": "BI", "IOB2": "BI", "BILUO": "BILU", "IO": "I"}
SAME_LETTER = {"E": "L", "S": "U"}
TagSpan = tuple[int, int, str]
S = TypeVar("S")
T = TypeVar("T")


class TagError(SemevalError):
    """A tag that fits no scheme.

    what (str): What is wrong with it.
    token (int): Which token of the sequence has it, from 0.
    sequence (int): Which sequence has it, from 0.
    is_of_scheme (bool): Whether it is a tag that a scheme may have, somewhere else.
    """

    def __init__(self, what: str, token: int, sequence: int = 0, is_of_scheme: bool = True) -> None:
        super().__init__(f"sequence {sequence + 1}, tag {token + 1}: {what}.")
        self.what = what
        self.token = token
        self.sequence = sequence
        self.is_of_scheme = is_of_scheme


@dataclass(frozen=True)
class Tag:
    """A tag taken apart.

    letter (str): B, I, L (also written E), U (also written S), or O.
    label (str): The label, empty for O.
    """

    letter: str
    label: str = ""

    def __str__(self) -> str:
        return f"{self.letter}-{self.label}" if self.label else self.letter


NOTHING = Tag(OUTSIDE)


def parse_tags(tags: Iterable[str]) -> list[Tag]:
    """Take tags apart.

    tags (Iterable[str]): The tags of a sequence: O, or a letter, a hyphen and a label.
    RETURNS (list[Tag]): The tags.
    RAISES (TagError): If one is something else.
    """
    parsed = []
    for i, tag in enumerate(tags):
        letter, hyphen, label = tag.partition("-")
        if tag == OUTSIDE:
            parsed.append(NOTHING)
        elif hyphen and label and letter in ("B", "I", "L", "U", *SAME_LETTER):
            parsed.append(Tag(SAME_LETTER.get(letter, letter), label))
        else:
            expected = "O, or one of B, I, L (also E) and U (also S) with a hyphen and a label behind it"
            raise TagError(f"{tag!r} is no tag: expected {expected}", i, is_of_scheme=False)
    return parsed


def check_scheme(name: str) -> str:
    """RETURNS (str): The scheme's name in `SCHEMES`. Raises SettingsError for another name, and lists them."""
    known = name.upper() if isinstance(name, str) else ""
    scheme = ALIASES.get(known, known)
    if scheme not in SCHEMES:
        others = ", ".join(f"{other} (= {same})" for other, same in ALIASES.items())
        raise SettingsError(f"Unknown tag scheme {name!r}. Available: {', '.join(SCHEMES)}, {others}.")
    return scheme


def find_scheme(sequences: Iterable[Sequence[Tag]]) -> str:
    """Find the scheme of a file from all of its tags.

    sequences (Iterable[Sequence[Tag]]): The tags of each sequence.
    RETURNS (str): BILUO if there is an L or a U; IO if there is no B; IOB1 if each B follows a tag of its own label and
        spans begin with I; else IOB2. Whether all tags fit is for `read_tags` to say.
    """
    letters: set[str] = set()
    i_begins = b_begins = 0
    for tags in sequences:
        letters.update(tag.letter for tag in tags)
        for before, tag in zip((NOTHING, *tags), tags):
            apart = tag.letter != OUTSIDE and before.label != tag.label
            i_begins += apart and tag.letter == "I"
            b_begins += apart and tag.letter == "B"
    if letters & {"L", "U"}:
        return "BILUO"
    if "B" not in letters:
        return "IO"
    return "IOB1" if i_begins and not b_begins else "IOB2"


def read_tags(tags: Sequence[Tag], scheme: str) -> list[TagSpan]:
    """Find the spans of a sequence.

    tags (Sequence[Tag]): The tags.
    scheme (str): One of `SCHEMES`.
    RETURNS (list[TagSpan]): First token, token behind the last one, and label of each span.
    RAISES (TagError): If a tag is not of the scheme, or does not follow from the one before.
    """
    for i, (before, tag) in enumerate(zip((NOTHING, *tags), (*tags, NOTHING))):
        problem = _problem(before, tag, scheme)
        if problem:
            raise TagError(problem, min(i, len(tags) - 1))
    return join_tags(tags)


def _problem(before: Tag, tag: Tag, scheme: str) -> str | None:
    """What is wrong with a tag and the one before it, the end of a sequence being O."""
    if tag.letter not in (OUTSIDE, *LETTERS[scheme]):
        return f"{tag} is no tag of the scheme {scheme}"
    if _may_follow(before, tag, scheme):
        return None
    follows = f"{tag} follows {before}" if tag is not NOTHING or before is NOTHING else f"{before} is not ended"
    return f"{follows}, which is not valid in the scheme {scheme}"


def _may_follow(before: Tag, tag: Tag, scheme: str) -> bool:
    continues = before.letter in ("B", "I") and before.label == tag.label
    if scheme == "IOB2":
        return tag.letter != "I" or continues
    if scheme == "IOB1":
        return tag.letter != "B" or continues
    if scheme == "BILUO":
        is_inside = tag.letter in ("I", "L")
        return continues if is_inside else before.letter not in ("B", "I")
    return True


def join_tags(tags: Sequence[Tag]) -> list[TagSpan]:
    """Find the spans of a sequence as the CoNLL evaluation script does, whatever follows what: a span begins with B or
    U, behind O, L or U, and where the label changes. All schemes are read alike.

    tags (Sequence[Tag]): The tags.
    RETURNS (list[TagSpan]): First token, token behind the last one, and label of each span.
    """
    spans: list[TagSpan] = []
    before = NOTHING
    for i, tag in enumerate(tags):
        if tag.letter == OUTSIDE:
            pass
        elif tag.letter in ("B", "U") or before.letter in ("O", "L", "U") or before.label != tag.label:
            spans.append((i, i + 1, tag.label))
        else:
            spans[-1] = (spans[-1][0], i + 1, tag.label)
        before = tag
    return spans


def count_faults(tags: Sequence[Tag], scheme: str) -> int:
    """RETURNS (int): How many tags do not follow from the one before in a scheme."""
    return sum(_problem(before, tag, scheme) is not None for before, tag in zip((NOTHING, *tags), (*tags, NOTHING)))


def write_tags(spans: Iterable[TagSpan], n_tokens: int) -> list[str]:
    """Write spans as IOB2.

    spans (Iterable[TagSpan]): First token, token behind the last one, and label of each span; none may overlap.
    n_tokens (int): Number of tokens.
    RETURNS (list[str]): A tag for each token.
    """
    tags = [OUTSIDE] * n_tokens
    for start, end, label in spans:
        tags[start:end] = [f"B-{label}", *[f"I-{label}"] * (end - start - 1)]
    return tags


def read_sequences(
    sequences: Sequence[Sequence[str]], scheme: str | None = None, repair: bool = False
) -> tuple[str, list[list[TagSpan]], int]:
    """Find the spans of many sequences of one scheme.

    sequences (Sequence[Sequence[str]]): The tags of each sequence.
    scheme (str | None): The scheme, None to find it.
    repair (bool): Whether to read tags that do not follow from the one before as conlleval does.
    RETURNS (tuple[str, list[list[TagSpan]], int]): The scheme, the spans of each sequence, and the number of tags that
        were repaired.
    RAISES (TagError): If a tag fits no scheme.
    """
    parsed = list(_each(sequences, parse_tags))
    name = find_scheme(parsed) if scheme is None else check_scheme(scheme)
    if repair:
        faults = sum(count_faults(tags, name) for tags in parsed)
        return name, [join_tags(tags) for tags in parsed], faults
    return name, list(_each(parsed, partial(read_tags, scheme=name))), 0


def _each(sequences: Sequence[S], read: Callable[[S], T]) -> Iterator[T]:
    """Read each sequence; what is wrong with one is said with its number."""
    for i, sequence in enumerate(sequences):
        try:
            yield read(sequence)
        except TagError as error:
            raise TagError(error.what, error.token, i, error.is_of_scheme) from None
