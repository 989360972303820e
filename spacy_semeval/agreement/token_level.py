"""Agreement on the tags of tokens: kappas and alpha."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from .coefficients import Codes, agreeing_pairs, alpha_of_codes, cohen_of_codes, fleiss_of_sums
from .corpus import Corpus
from .settings import AgreementSettings
from .summary import mean
from .tokens import OUTSIDE, UNSEEN, Tags, annotated, find_tokens, tag_tokens
from .unitized import overlapping_documents

KAPPAS = ("cohen", "cohen_annotated")
NO_TOKENS = "no document that is compared has tokens"
TOO_MANY_TAGS = "spans overlap, and there are too many labels for a track of tokens each"
MOST_TAGS = 100_000_000
NOTHING_MARKED = "no token is marked"
ONE_TAG = "all tokens have one and the same tag"


def measure_tokens(
    corpus: Corpus, settings: AgreementSettings, pairs: Sequence[tuple[str, str]], reasons: dict[str, str]
) -> tuple[dict[str, Any], list[dict[str, float | None]]]:
    """Measure agreement on tokens, pooled over documents.

    corpus (Corpus): Documents that two annotators at least saw. Those without a token do not count.
    settings (AgreementSettings): What decides the numbers.
    pairs (Sequence[tuple[str, str]]): The annotators of each pair that shares documents.
    reasons (dict[str, str]): Takes the reasons for what is not defined.
    RETURNS (tuple[dict[str, Any], list[dict[str, float | None]]]): The coefficients and what was counted on the way,
        and Cohen's kappas of each pair.
    """
    corpus, tokens = find_tokens(corpus, settings.lang)
    overlapping = any(overlapping_documents(table).any() for table in corpus.tables)
    if overlapping and len(tokens) * len(corpus.tables) * len(corpus.tables[0].labels) > MOST_TAGS:
        corpus, tokens, overlapping = (
            corpus.take(np.zeros(len(corpus.documents), dtype=bool)),
            tokens.take_none(),
            False,
        )
        nothing = TOO_MANY_TAGS
    else:
        nothing = NO_TOKENS
    tags = tag_tokens(corpus, tokens, overlapping, settings.io)
    row = dict(zip(corpus.annotators, tags.codes))
    kappas = [_kappas(row[a], row[b], f"pairs.{a}, {b}", nothing, reasons) for a, b in pairs]
    fleiss, raters, documents = _fleiss(corpus, tags)
    found = {
        **{name: mean(own[name] for own in kappas) for name in KAPPAS},
        "fleiss": fleiss,
        "alpha": alpha_of_codes(tags.codes),
    }
    why = ONE_TAG if len(tokens) else nothing
    reasons.update({f"token.{name}": why for name, value in found.items() if value is None})
    return {
        **found,
        "fleiss_annotators": raters,
        "fleiss_documents": documents,
        "documents": len(corpus.documents),
        "tokens": len(tokens),
        "scheme": "IO" if settings.io else "BIO",
        "by_label": overlapping,
        "spans": sum(map(len, corpus.tables)),
        "cut_spans": tags.cut_spans,
        "hidden_spans": tags.hidden_spans,
    }, kappas


def _kappas(a: Codes, b: Codes, key: str, no_tokens: str, reasons: dict[str, str]) -> dict[str, float | None]:
    """Cohen's kappas of two annotators; `reasons` takes why one is not defined, below the key of the pair."""
    shared = (a != UNSEEN) & (b != UNSEEN)
    marked = shared & annotated([a, b])
    found = {}
    for name, chosen, nothing in zip(KAPPAS, (shared, marked), (no_tokens, NOTHING_MARKED)):
        found[name] = cohen_of_codes(a[chosen], b[chosen])
        if found[name] is None:
            reasons[f"{key}.{name}"] = ONE_TAG if chosen.any() else nothing if shared.any() else no_tokens
    return found


def _fleiss(corpus: Corpus, tags: Tags) -> tuple[float | None, int, int]:
    """Fleiss' kappa over documents with the most common number of annotators; that number; how many they are."""
    annotators = corpus.seen.sum(axis=0)
    counts = Counter(annotators.tolist())
    raters = max(counts, key=lambda n: (counts[n], n), default=0)
    codes = tags.codes[:, (annotators == raters)[tags.doc]]
    totals = np.bincount(codes[codes != UNSEEN], minlength=OUTSIDE + 1)
    return fleiss_of_sums(int(agreeing_pairs(codes).sum()), totals, raters), raters, counts[raters]
