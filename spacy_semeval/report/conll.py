"""The report of the CoNLL-2003 evaluation script, made from the plain dict of `Scores.to_dict`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from ..engine.scores import ratio


class TokenCounts(NamedTuple):
    """How many tokens there are, and how many have the right tag."""

    tokens: int
    correct: int


def conll_report(scores: Mapping[str, Any]) -> str:
    """Make the report.

    scores (Mapping[str, Any]): A dict with "overall" and "per_label", as `Scores.to_dict` gives it, with own side; and
        under "conll" the counts of tokens, None where the format has none: then the script's accuracy is left out.
    RETURNS (str): Its lines: all labels, then each.
    """
    cell, counted = scores["overall"]["strict"], scores["conll"]
    tokens = None if counted["tokens"] is None else TokenCounts(counted["tokens"], counted["correct"])
    phrases = f"{cell['pos']} phrases; found: {cell['act']} phrases; correct: {cell['cor']}."
    lines = [f"processed {tokens.tokens} tokens with {phrases}" if tokens else f"processed {phrases}"]
    accuracy = f"accuracy: {100 * ratio(tokens.correct, tokens.tokens):6.2f}%; " if tokens else ""
    lines.append(accuracy + _scores(cell))
    for label, cells in scores["per_label"].items():
        lines.append(f"{label:>17}: {_scores(cells['strict'])}  {cells['strict']['act']}")
    return "\n".join(lines)


def _scores(cell: Mapping[str, Any]) -> str:
    p, r, f = (100 * (cell[name] or 0.0) for name in ("p", "r", "f"))
    return f"precision: {p:6.2f}%; recall: {r:6.2f}%; FB1: {f:6.2f}"
