"""All measures of agreement of a corpus, as one plain dict."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..about import __version__
from ..engine.scores import SEMANTICS
from ..errors import SemevalError
from .advice import find_advice
from .alpha_u_2004 import AlphaU, AlphaU2004, alpha_u_2004
from .bootstrap import FEWEST, Progress, bootstrap
from .corpus import Corpus, Mask
from .settings import AgreementSettings
from .span_f1 import NO_LABEL, RULES, PairCounts, count_pairs
from .summary import mean, quotient, quotients, summarize, summarize_columns
from .token_level import measure_tokens
from .unitized import Unitized, count_coincidences, overlapping_documents

NONE = "(none)"
MANY_LABELS = 2000
SHOWN_TEXT = 60


def measure(corpus: Corpus, settings: AgreementSettings, progress: Progress = iter) -> dict[str, Any]:
    """Measure the agreement of a corpus.

    corpus (Corpus): The documents and who saw them.
    settings (AgreementSettings): What decides the numbers.
    progress (Progress): As in `bootstrap`.
    RETURNS (dict[str, Any]): As `agreement`.
    RAISES (SemevalError): If no two annotators saw the same document.
    """
    annotators_of = corpus.seen.sum(axis=0)
    _refuse_nothing(corpus, int((annotators_of >= 2).sum()))
    compared = corpus.take(annotators_of >= 2)
    overlapping = np.any([overlapping_documents(table) for table in compared.tables], axis=0)
    pairs = count_pairs(compared.annotators, compared.tables, compared.seen, settings.threshold)
    reasons: dict[str, str] = {}
    span_f1 = _span_f1(pairs, settings, progress, reasons)
    token, kappas = measure_tokens(compared, settings, [pair.annotators for pair in pairs], reasons)
    result = {
        "kind": "agreement",
        "semantics": SEMANTICS,
        "version": __version__,
        "settings": settings.to_dict(),
        "annotators": list(corpus.annotators),
        "documents": _count_documents(corpus, compared, overlapping),
        "per_annotator": _per_annotator(corpus, pairs, reasons),
        "span_f1": span_f1,
        "token": token,
        "unitized": _unitized(compared, overlapping, reasons),
        "pairs": [{**_pair(pair, reasons), **own} for pair, own in zip(pairs, kappas)],
        "per_label": _per_label(compared, pairs, reasons),
        "per_document": _per_document(compared, pairs, reasons),
        "confusion": _confusion(compared, pairs),
    }
    if settings.alpha_u_2004:
        result["alpha_u_2004"] = _older_alpha(compared, reasons)
    return {**result, "reasons": reasons, "reading": find_advice(result)}


def _refuse_nothing(corpus: Corpus, compared: int) -> None:
    if len(corpus.annotators) < 2:
        found = ", ".join(corpus.annotators) or "none"
        raise SemevalError(
            f"Agreement takes two annotators at least, but got {len(corpus.annotators)}: {found}. Name the data "
            "of more people, or choose more of them."
        )
    if not compared:
        seen = ", ".join(f"{name} {n}" for name, n in zip(corpus.annotators, corpus.seen.sum(axis=1).tolist()))
        raise SemevalError(
            f"No document was seen by two annotators. Documents: {seen}.{_say_nearly_shared(corpus)} They are "
            "linked by hash or id, or by text if any record has neither: name data about the same documents."
        )


def _say_nearly_shared(corpus: Corpus) -> str:
    changed = corpus.counts.get("different_text", 0)
    texts = Counter(document.text for document in corpus.documents if document.text is not None)
    alike = sum(n > 1 for n in texts.values())
    said = f" {changed} have the same hash or id, but another text." if changed else ""
    return said + (f" {alike} texts are the same, but their hash or id is not." if alike else "")


def _count_documents(corpus: Corpus, compared: Corpus, overlapping: Mask) -> dict[str, Any]:
    by_annotators = Counter(corpus.seen.sum(axis=0).tolist())
    return {
        "total": len(corpus.documents),
        "shared": by_annotators[len(corpus.annotators)],
        "compared": len(compared.documents),
        "by_annotators": {str(n): by_annotators[n] for n in range(1, len(corpus.annotators) + 1)},
        "overlapping": int(overlapping.sum()),
        "without_text": int((~compared.has_text).sum()),
        "other_label_spans": corpus.other_label_spans,
        "same_text": _count_same_text(corpus),
        "duplicate_spans": sum(table.duplicates for table in corpus.tables),
        **corpus.counts,
    }


def _count_same_text(corpus: Corpus) -> int:
    """How many documents have the text of another one: they may be the same one, known by another hash or id."""
    texts = [document.text for document in corpus.documents if document.text is not None]
    return len(texts) - len(set(texts))


def _per_annotator(corpus: Corpus, pairs: Sequence[PairCounts], reasons: dict[str, str]) -> dict[str, dict[str, Any]]:
    """What each annotator did, and the mean of their pairs: each one against the rest."""
    found = {}
    for name, table, seen in zip(corpus.annotators, corpus.tables, corpus.seen):
        own = [pair for pair in pairs if name in pair.annotators]
        if not any(pair.spans.any() for pair in own):
            reasons[f"per_annotator.{name}"] = "no span was marked in the documents shared with others"
        marked = np.bincount(table.doc, minlength=table.n_docs) > 0
        found[name] = {
            "documents": int(seen.sum()),
            "empty": int((seen & ~marked).sum()),
            "spans": len(table),
            **{rule: mean(_f1(pair, rule) for pair in own) for rule in RULES},
        }
    return found


def _f1(pair: PairCounts, rule: str) -> float | None:
    return quotient(pair.found[rule].sum(), pair.spans.sum())


def _span_f1(
    pairs: Sequence[PairCounts], settings: AgreementSettings, progress: Progress, reasons: dict[str, str]
) -> dict[str, dict[str, Any]]:
    intervals = bootstrap(pairs, RULES, settings.samples, settings.seed, progress)
    scores = {rule: summarize(_f1(pair, rule) for pair in pairs) for rule in RULES}
    if any(summary["mean"] is None for summary in scores.values()):
        reasons["span_f1"] = "no two annotators marked a span in the documents that both saw"
    elif not settings.samples:
        reasons["span_f1.ci"] = "no samples were asked for"
    elif None in intervals.values():
        reasons["span_f1.ci"] = f"intervals take {FEWEST} documents at least"
    return {rule: {**summary, "ci": intervals[rule]} for rule, summary in scores.items()}


def _pair(pair: PairCounts, reasons: dict[str, str]) -> dict[str, Any]:
    if not pair.spans.any():
        reasons[f"pairs.{', '.join(pair.annotators)}"] = "neither of them marked a span in the documents that both saw"
    return {
        "annotators": list(pair.annotators),
        "documents": int(pair.shared.sum()),
        "spans": int(pair.spans.sum()),
        **{rule: _f1(pair, rule) for rule in RULES},
    }


def _unitized(corpus: Corpus, overlapping: Mask, reasons: dict[str, str]) -> dict[str, Any]:
    labels = corpus.all_labels
    usable = ~overlapping & corpus.has_text
    said = {
        "u": "all text has one and the same label, or none",
        "bar_u": "all text is marked, or none is",
        "cu": "no text was marked by two annotators, or such text has one label only",
        "cu_coverage": "there is no text",
    }
    if len(labels) > MANY_LABELS or not usable.any():
        why = (
            f"there are more than {MANY_LABELS} labels"
            if len(labels) > MANY_LABELS
            else _say_unusable(corpus, overlapping)
        )
        reasons.update({f"unitized.{name}": why for name in (*said, *(f"per_label.{label}" for label in labels))})
        nothing = {label: {"ku": None, "coverage": None} for label in labels}
        return {**dict.fromkeys(said), "documents": 0, "per_label": nothing}
    tables = [table.take(usable[table.doc]) for table in corpus.tables]
    found = count_coincidences(tables, corpus.seen & usable, corpus.lengths).unitized()
    values = {name: getattr(found, name) for name in said}
    reasons.update({f"unitized.{name}": why for name, why in said.items() if values[name] is None})
    per_label = {label: _label_alpha(found, label, reasons) for label in labels}
    return {**values, "documents": int(usable.sum()), "per_label": per_label}


def _label_alpha(found: Unitized, label: str, reasons: dict[str, str]) -> dict[str, float | None]:
    alpha = found.per_label.get(label)
    values: dict[str, float | None] = {"ku": None, "coverage": None}
    if alpha is not None:
        values = {"ku": alpha.ku, "coverage": alpha.coverage}
    if values["coverage"] is None:
        reasons[f"unitized.per_label.{label}"] = "no text that can be used has this label"
    elif values["ku"] is None:
        reasons[f"unitized.per_label.{label}"] = (
            "nobody else marked text with this label, or all that two marked has this label"
        )
    return values


def _say_unusable(corpus: Corpus, overlapping: Mask) -> str:
    if not corpus.has_text.any():
        return "no text of a document is known"
    return "spans of one annotator overlap in every document" if overlapping.all() else "no document can be used"


def _per_label(corpus: Corpus, pairs: Sequence[PairCounts], reasons: dict[str, str]) -> dict[str, dict[str, Any]]:
    """Each span under its own label: of those of two annotators, the share that is matched."""
    index = {label: i for i, label in enumerate(corpus.tables[0].labels)}
    spans = sum(np.bincount(table.label, minlength=len(index)) for table in corpus.tables)
    found: dict[str, dict[str, Any]] = {}
    for label in corpus.all_labels:
        i = index.get(label)
        if i is None:
            reasons[f"per_label.{label}"] = "nobody marked a span with this label in the documents that are compared"
        found[label] = {
            "spans": 0 if i is None else int(np.asarray(spans)[i]),
            **{
                rule: summarize(
                    None if i is None else quotient(pair.label_found[rule][i], pair.label_spans[i]) for pair in pairs
                )
                for rule in RULES
            },
        }
    return found


def _per_document(corpus: Corpus, pairs: Sequence[PairCounts], reasons: dict[str, str]) -> list[dict[str, Any]]:
    spans = np.array([pair.spans for pair in pairs], dtype=float)
    shared = np.array([pair.shared for pair in pairs])
    differences = np.sum([pair.differences for pair in pairs], axis=0)
    found = [quotients(np.array([pair.found[rule] for pair in pairs]), spans) for rule in RULES]
    scores = zip(*map(summarize_columns, found))
    if not spans.any(axis=0).all():
        reasons["per_document"] = "a document in which nobody marked a span has no F1"
    return [
        {
            "document": document.name,
            "text": None if document.text is None else document.text[:SHOWN_TEXT],
            "annotators": list(document.judgements),
            "differences": int(differences[i]),
            "differences_per_pair": quotient(int(differences[i]), int(shared[:, i].sum())),
            **dict(zip(RULES, own)),
        }
        for i, (document, own) in enumerate(zip(corpus.documents, scores))
    ]


def _confusion(corpus: Corpus, pairs: Sequence[PairCounts]) -> dict[str, dict[str, int]]:
    """How often labels met in aligned pairs, whoever said which; what is not there is 0."""
    total: Counter[tuple[int, int]] = Counter()
    for pair in pairs:
        total.update(pair.labels_met)
    labels = corpus.tables[0].labels
    none = NONE
    while none in labels:
        none = f"({none})"
    table: dict[str, dict[str, int]] = {name: {} for name in (none, *labels)}
    for (low, high), n in sorted(total.items()):
        first, second = (none if i == NO_LABEL else labels[i] for i in (low, high))
        table[first][second] = table[second][first] = n
    return table


def _older_alpha(corpus: Corpus, reasons: dict[str, str]) -> list[dict[str, Any]]:
    """The coefficient of 2004 for each document, since it is not defined for several."""
    return [
        {"document": document.name, **_older_alpha_of(corpus, i, reasons)}
        for i, document in enumerate(corpus.documents)
    ]


def _older_alpha_of(corpus: Corpus, index: int, reasons: dict[str, str]) -> dict[str, Any]:
    document, spans = corpus.documents[index], corpus.spans_in(index)
    key = f"alpha_u_2004.{document.name}"
    if document.text is None:
        reasons[key] = "the text is not known"
        return {"overall": None, "per_label": {}}
    found: dict[str, AlphaU | None] = {}
    for label in sorted({span[2] for own in spans.values() for span in own}):
        of_label = {name: [span for span in own if span[2] == label] for name, own in spans.items()}
        try:
            found[label] = alpha_u_2004(of_label, len(document.text)).per_label[label]
        except SemevalError as error:
            found[label] = None
            reasons[f"{key}.{label}"] = str(error)
    values = {label: None if alpha is None else alpha.value for label, alpha in found.items()}
    for label, value in values.items():
        if value is None:
            reasons.setdefault(f"{key}.{label}", "wherever its units were, they would agree as much")
    defined = [alpha for alpha in found.values() if alpha is not None]
    overall = AlphaU2004(dict(zip(found, defined))).overall if len(defined) == len(found) else None
    if overall is None:
        reasons[key] = "it is not defined for all labels" if found else "nobody marked a span"
    return {"overall": overall, "per_label": values}
