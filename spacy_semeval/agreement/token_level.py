"""Agreement on the tags of tokens: kappas and alpha."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from .coefficients import agreeing_pairs, alpha_of_codes, cohen_of_codes, fleiss_of_sums
from .corpus import Corpus
from .settings import AgreementSettings
from .summary import mean
from .tokens import OUTSIDE, UNSEEN, Tags, annotated, find_tokens, tag_tokens

KAPPAS = ("cohen", "cohen_annotated")
NO_TOKENS = "no document that is compared has tokens"
ONE_TAG = "all tokens have one and the same tag"


def measure_tokens(
    corpus: Corpus,
    settings: AgreementSettings,
    pairs: Sequence[tuple[str, str]],
    overlapping: bool,
    reasons: dict[str, str],
) -> tuple[dict[str, Any], list[dict[str, float | None]]]:
    """Measure agreement on tokens, pooled over documents.

    corpus (Corpus): Documents that two annotators at least saw.
    settings (AgreementSettings): What decides the numbers.
    pairs (Sequence[tuple[str, str]]): The annotators of each pair that shares documents.
    overlapping (bool): Whether spans of one annotator overlap in any document.
    reasons (dict[str, str]): Takes the reasons for what is not defined.
    RETURNS (tuple[dict[str, Any], list[dict[str, float | None]]]): The coefficients and what was counted on the way,
        and Cohen's kappas of each pair.
    """
    tokens = find_tokens(corpus, settings.lang)
    tags = tag_tokens(corpus, tokens, overlapping, settings.io)
    row = dict(zip(corpus.annotators, tags.codes))
    kappas = [_kappas(*(row[name] for name in pair)) for pair in pairs]
    fleiss, raters, documents = _fleiss(corpus, tags)
    why = ONE_TAG if len(tokens) else NO_TOKENS
    found = {
        **{name: mean(own[name] for own in kappas) for name in KAPPAS},
        "fleiss": fleiss,
        "alpha": alpha_of_codes(tags.codes),
    }
    reasons.update({f"token.{name}": why for name, value in found.items() if value is None})
    for pair, own in zip(pairs, kappas):
        undefined = [name for name, value in own.items() if value is None]
        reasons.update({f"pairs.{', '.join(pair)}.{name}": why for name in undefined})
    return {
        **found,
        "fleiss_annotators": raters,
        "fleiss_documents": documents,
        "tokens": len(tokens),
        "scheme": "IO" if settings.io else "BIO",
        "by_label": overlapping,
        "spans": sum(map(len, corpus.tables)),
        "cut_spans": tags.cut_spans,
        "hidden_spans": tags.hidden_spans,
    }, kappas


def _kappas(a: Any, b: Any) -> dict[str, float | None]:
    shared = (a != UNSEEN) & (b != UNSEEN)
    marked = shared & annotated([a, b])
    return {name: cohen_of_codes(a[chosen], b[chosen]) for name, chosen in zip(KAPPAS, (shared, marked))}


def _fleiss(corpus: Corpus, tags: Tags) -> tuple[float | None, int, int]:
    """Fleiss' kappa over documents with the most common number of annotators; that number; how many they are."""
    annotators = corpus.seen.sum(axis=0)
    counts = Counter(annotators.tolist())
    raters = max(counts, key=lambda n: (counts[n], n))
    codes = tags.codes[:, (annotators == raters)[tags.doc]]
    totals = np.bincount(codes[codes != UNSEEN], minlength=OUTSIDE + 1)
    return fleiss_of_sums(int(agreeing_pairs(codes).sum()), totals, raters), raters, counts[raters]
