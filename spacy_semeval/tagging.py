"""Scores of tags: sequences of IOB1, IOB2, BILUO or IO tags, one a token."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from .engine.scores import Scores
from .engine.scoring import score_spans
from .errors import SemevalError
from .formats.tags import TagError, TagSpan, read_sequences


def score_tags(
    gold: Iterable[Iterable[str]], pred: Iterable[Iterable[str]], scheme: str | None = None, **settings: Any
) -> Scores:
    """Score predicted tags against gold tags. Boundaries are compared in tokens.

    gold (Iterable[Iterable[str]]): The reference: the tags of each sequence.
    pred (Iterable[Iterable[str]]): The tags to score, of the same tokens.
    scheme (str | None): The scheme of both: "IOB1", "IOB2" (or "BIO"), "BILUO" (or "BIOES"), "IO"; None to find that of
        each side from its tags.
    settings (Any): The other arguments of `score_spans`, by their names.
    RETURNS (Scores): Overall and per label.
    RAISES (SemevalError): A ValueError, for a tag that fits no scheme, different numbers of tags or bad settings.
    """
    sides = {"gold": _sequences("gold", gold), "pred": _sequences("pred", pred)}
    if len(sides["gold"]) != len(sides["pred"]):
        found = " and ".join(f"{len(sequences)} in {side}" for side, sequences in sides.items())
        raise SemevalError(f"Expected as many sequences of tags on both sides, but got {found}.")
    for i, (gold_tags, pred_tags) in enumerate(zip(*sides.values()), 1):
        if len(gold_tags) != len(pred_tags):
            found = f"{len(gold_tags)} in gold and {len(pred_tags)} in pred"
            raise SemevalError(f"Expected as many tags on both sides, but got {found} in sequence {i}.")
    gold_spans, pred_spans = (_spans(side, sequences, scheme) for side, sequences in sides.items())
    return score_spans(gold_spans, pred_spans, **settings)


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


def _spans(side: str, sequences: Sequence[Sequence[str]], scheme: str | None) -> list[list[TagSpan]]:
    try:
        return read_sequences(sequences, scheme)[1]
    except TagError as error:
        raise SemevalError(f"{side}, {error}") from None
