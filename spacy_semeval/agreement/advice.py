"""What the numbers of a comparison say, in words. docs/agreement.md lists these rules and their thresholds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

FAR = 0.1  # between two means of F1, or of F1 and a coefficient
SPREAD = 0.2  # between the best and the worst pair
LOW = 0.8  # F1 by overlap, below which many spans are one annotator's only
CUT = 0.1  # share of spans that begin or end inside a token
FEW = 30  # documents, with which intervals are rough


def find_advice(result: Mapping[str, Any]) -> list[str]:
    """Say what the numbers mean.

    result (Mapping[str, Any]): What `agreement` returns.
    RETURNS (list[str]): Sentences, none if nothing stands out.
    """
    return [
        *_on_spans({rule: summary["mean"] for rule, summary in result["span_f1"].items()}),
        *_on_coefficients(result),
        *_on_pairs(result),
        *_on_data(result),
    ]


def _on_spans(f1: Mapping[str, float | None]) -> Iterator[str]:
    strict, exact, overlap = f1["strict"], f1["exact"], f1["overlap"]
    if strict is None or exact is None or overlap is None:
        return
    if _is_apart(exact, strict, FAR):
        yield "Labels: full agreement (strict) is far below boundary agreement (exact): the same text has other labels."
    if _is_apart(overlap, exact, FAR):
        yield "Boundaries: many spans overlap that do not begin and end alike: say what belongs to a span."
    if overlap < LOW:
        yield "What to mark: many spans of one annotator touch none of another's: say what is to be marked at all."


def _on_coefficients(result: Mapping[str, Any]) -> Iterator[str]:
    token, f1, unitized = result["token"], result["span_f1"], result["unitized"]
    exact, strict = f1["exact"]["mean"], f1["strict"]["mean"]
    kappa, marked = token["cohen"], token["cohen_annotated"]
    if _is_apart(kappa, exact, FAR):
        yield "Token kappa is far above exact F1: annotators mark the same places and differ in boundaries."
    if _is_apart(kappa, marked, FAR):
        yield "Over tokens that either marked, kappa is far lower: the tokens that nobody marked make the difference."
    if _is_apart(unitized["u"], strict, FAR):
        yield "u-alpha is far above strict F1: it measures labelled text and does not see spans that are cut or joined."


def _on_pairs(result: Mapping[str, Any]) -> Iterator[str]:
    strict = result["span_f1"]["strict"]
    paired = {name for pair in result["pairs"] for name in pair["annotators"]}
    alone = [name for name in result["annotators"] if name not in paired]
    if alone:
        yield f"No document was shared with anybody by: {', '.join(alone)}."
    for pair in result["pairs"]:
        if pair["strict"] == 1 and pair["documents"] >= FEW:
            who = " and ".join(pair["annotators"])
            yield f"Copies? {who} marked the same spans in all {pair['documents']} documents that both saw."
    names = {name: own["strict"] for name, own in result["per_annotator"].items() if own["strict"] is not None}
    if len(names) > 2 and _is_apart(strict["max"], strict["min"], SPREAD):
        last = min(names, key=lambda name: (names[name], name))
        yield f"Pairs differ much; {last} agrees least with the others."


def _on_data(result: Mapping[str, Any]) -> Iterator[str]:
    token, documents, settings = result["token"], result["documents"], result["settings"]
    if token["by_label"]:
        yield "Spans of one annotator overlap: token coefficients have one track a label."
    if token["tokens"] and token["cut_spans"] >= CUT * max(token["spans"], 1) > 0:
        yield (
            f"Many spans begin or end inside a token ({token['cut_spans']} of {token['spans']}), so token coefficients "
            f"mean little: give --lang the language of the texts (now {settings['lang']}) if the data has no tokens."
        )
    if documents["compared"] < FEW and any(summary["ci"] for summary in result["span_f1"].values()):
        yield f"There are few documents ({documents['compared']}): the intervals are rough."


def _is_apart(high: float | None, low: float | None, distance: float) -> bool:
    """Whether a number is above another one by a distance at least, which floating point may miss by its last digit."""
    return high is not None and low is not None and round(high - low - distance, 9) >= 0
