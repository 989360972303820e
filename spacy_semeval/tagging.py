"""Scores of tags: sequences of IOB1, IOB2, BILUO or IO tags, one a token."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from .engine.scores import Scores
from .engine.scoring import score_spans
from .errors import SemevalError, SettingsError
from .formats.tags import TagError, TagSpan, read_sequences


def score_tags(
    gold: Iterable[Iterable[str]], pred: Iterable[Iterable[str]], scheme: str | None = None, **settings: Any
) -> Scores:
    """Score predicted tags against gold tags. Boundaries are compared in tokens.

    gold (Iterable[Iterable[str]]): The reference: the tags of each sequence.
    pred (Iterable[Iterable[str]]): The tags to score, of the same tokens.
    scheme (str | None): The scheme of both: "IOB1", "IOB2" (or "BIO"), "BILUO" (or "BIOES"), "IO"; None to find that of
        each side from its tags.
    settings (Any): The other arguments of `score_spans` but `end_inclusive`, by their names.
    RETURNS (Scores): Overall and per label.
    RAISES (SemevalError): A ValueError, for a tag that fits no scheme, different numbers of tags or bad settings.
    """
    if "end_inclusive" in settings:
        raise SettingsError("Tags have no ends that could be inclusive: end_inclusive is for score_spans.")
    sides = list_tags({"gold": gold, "pred": pred})
    gold_spans, pred_spans = (find_spans(side, sequences, scheme) for side, sequences in sides.items())
    return score_spans(gold_spans, pred_spans, **settings)


def list_tags(sides: Mapping[str, Any]) -> dict[str, list[list[str]]]:
    """Check that both sides have tags of the same tokens.

    sides (Mapping[str, Any]): What is to be the tags of each sequence, by the name of the side.
    RETURNS (dict[str, list[list[str]]]): The tags of each sequence.
    RAISES (SemevalError): If one side has something else, or the other one has more or fewer tags.
    """
    listed = {side: _sequences(side, sequences) for side, sequences in sides.items()}
    _refuse_unequal("sequences of tags", {side: len(sequences) for side, sequences in listed.items()}, "")
    for i, tags in enumerate(zip(*listed.values()), 1):
        _refuse_unequal("tags", dict(zip(listed, map(len, tags))), f" in sequence {i}")
    return listed


def _refuse_unequal(what: str, numbers: Mapping[str, int], where: str) -> None:
    if len(set(numbers.values())) > 1:
        found = " and ".join(f"{number} in {side}" for side, number in numbers.items())
        raise SemevalError(f"Expected as many {what} on both sides, but got {found}{where}.")


def _sequences(side: str, sequences: Any) -> list[list[str]]:
    if isinstance(sequences, str) or not isinstance(sequences, Iterable):
        raise SemevalError(f"Expected {side} to be sequences of tags, but got {sequences!r:.80}.")
    found = []
    for i, tags in enumerate(sequences, 1):
        listed = list(tags) if isinstance(tags, Iterable) and not isinstance(tags, str) else None
        if listed is None or not all(isinstance(tag, str) for tag in listed):
            raise SemevalError(f"Expected sequence {i} of {side} to hold tags, but got {tags!r:.80}.")
        found.append(listed)
    return found


def find_spans(
    side: str, sequences: Sequence[Sequence[str]], scheme: str | None, repair: bool = False
) -> list[list[TagSpan]]:
    """Find the spans of tags.

    side (str): The name of the side, for messages.
    sequences (Sequence[Sequence[str]]): The tags of each sequence.
    scheme (str | None): Their scheme, None to find it.
    repair (bool): Whether to read tags that do not follow from the one before as conlleval does.
    RETURNS (list[list[TagSpan]]): First token, token behind the last one, and label of each span of each sequence.
    RAISES (SemevalError): If a tag fits no scheme.
    """
    try:
        return read_sequences(sequences, scheme, repair)[1]
    except TagError as error:
        raise SemevalError(f"{side}, {error}") from None
