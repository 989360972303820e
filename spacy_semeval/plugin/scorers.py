"""The scorers that a training config names: spaCy's own scores, untouched, and the SemEval schemas beside them."""

import warnings
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

from confection import ConfigValidationError
from spacy.training import Example
from spacy.util import registry

from ..docs import score_doc_tables
from ..engine.schemas import SCHEMAS
from ..engine.scores import Settings, check_names
from ..errors import SemevalError
from .keys import flatten

Scorer = Callable[..., dict[str, Any]]


# entry point: spacy-semeval.ner_scorer.v1
def make_ner_scorer(
    schemas: Sequence[str] = SCHEMAS,
    aligner: str = "optimal.v1",
    min_overlap: float = 0.0,
    per_label: str = "own_side",
    beta: float = 1.0,
    labels: Sequence[str] | None = None,
    weight_labels: Sequence[str] = (),
    label_map: dict[str, str] | None = None,
    base: Scorer | None = None,
) -> Scorer:
    """Make a scorer of doc.ents.

    schemas (Sequence[str]): Names of registered schemas.
    aligner (str): Name of a registered aligner.
    min_overlap (float): Share of the gold span, 0 to 1, that a pair must share at least.
    per_label (str): "own_side" or "gold_side".
    beta (float): Weight of recall in F.
    labels (Sequence[str] | None): Score these labels only; None for all.
    weight_labels (Sequence[str]): Labels that get an F of their own, to weigh in `[training.score_weights]`.
    label_map (dict[str, str] | None): New names of labels, for both sides of our scores; `labels` and
        `weight_labels` mean the new ones. A name that occurs nowhere is warned about, as it may yet be predicted.
    base (Scorer | None): The scorer whose scores come first; spacy.ner_scorer.v1 if None.
    RETURNS (Scorer): The scorer. It can be pickled.
    RAISES (ConfigValidationError): If a setting does not exist or is out of range.
    """
    settings = _check(weight_labels, schemas, aligner, min_overlap, per_label, beta, labels, label_map)
    base = base if base is not None else registry.scorers.get("spacy.ner_scorer.v1")()
    return partial(score_ents, semeval_base=base, semeval_settings=settings, semeval_weights=tuple(weight_labels))


# entry point: spacy-semeval.spancat_scorer.v1
def make_spancat_scorer(
    spans_key: str | None = None,
    schemas: Sequence[str] = SCHEMAS,
    aligner: str = "optimal.v1",
    min_overlap: float = 0.0,
    per_label: str = "own_side",
    beta: float = 1.0,
    labels: Sequence[str] | None = None,
    weight_labels: Sequence[str] = (),
    label_map: dict[str, str] | None = None,
    base: Scorer | None = None,
) -> Scorer:
    """Make a scorer of doc.spans[spans_key], for spancat, span_ruler and the like.

    spans_key (str | None): The key to score. If None it is the component's own, as far as the component hands it to
        its scorer: spancat does, span_ruler does not.
    schemas, aligner, min_overlap, per_label, beta, labels, weight_labels, label_map: As in `make_ner_scorer`.
    base (Scorer | None): The scorer whose scores come first; spacy.spancat_scorer.v1 if None.
    RETURNS (Scorer): The scorer. It can be pickled.
    RAISES (ConfigValidationError): If a setting does not exist or is out of range.
    """
    settings = _check(weight_labels, schemas, aligner, min_overlap, per_label, beta, labels, label_map)
    base = base if base is not None else registry.scorers.get("spacy.spancat_scorer.v1")()
    return partial(
        score_span_group,
        semeval_base=base,
        semeval_settings=settings,
        semeval_weights=tuple(weight_labels),
        semeval_spans_key=spans_key,
    )


def _check(weight_labels: Sequence[str], *settings: Any) -> Settings:
    """Check what a config says while it is resolved, and refuse it in the form that spaCy prints."""
    try:
        checked = Settings(*settings)
        weighed = set(check_names("weight_labels", weight_labels))
        checked.check_chosen(weighed)
        strangers = sorted(weighed - set(checked.labels)) if checked.labels is not None else []
        if strangers:
            raise SemevalError(f"Expected weight_labels to be among labels {checked.labels}, but got {strangers}.")
    except SemevalError as error:
        raise ConfigValidationError(desc=f"The spacy-semeval scorer: {error}") from None
    return checked


# A component's config comes as keyword arguments and takes the place of a partial's: hence names that no component has.
def score_ents(
    examples: Iterable[Example],
    *,
    semeval_base: Scorer,
    semeval_settings: Settings,
    semeval_weights: Iterable[str] = (),
    **cfg: Any,
) -> dict[str, Any]:
    """Score doc.ents.

    examples (Iterable[Example]): The Examples.
    semeval_base (Scorer): The scorer whose scores come first.
    semeval_settings (Settings): What decides our numbers.
    semeval_weights (Iterable[str]): Labels with an F of their own.
    cfg (Any): The component's config, for the base scorer.
    RETURNS (dict[str, Any]): The scores of the base scorer and ours.
    """
    examples = list(examples)
    stock = semeval_base(examples, **cfg)
    return {**stock, **_score(examples, "ents", None, semeval_settings, semeval_weights)}


def score_span_group(
    examples: Iterable[Example],
    *,
    semeval_base: Scorer,
    semeval_settings: Settings,
    semeval_weights: Iterable[str] = (),
    semeval_spans_key: str | None = None,
    **cfg: Any,
) -> dict[str, Any]:
    """Score doc.spans under one key.

    examples (Iterable[Example]): The Examples.
    semeval_base (Scorer): The scorer whose scores come first.
    semeval_settings (Settings): What decides our numbers.
    semeval_weights (Iterable[str]): Labels with an F of their own.
    semeval_spans_key (str | None): The key; None for that of the component.
    cfg (Any): The component's config, for the base scorer.
    RETURNS (dict[str, Any]): The scores of the base scorer and ours.
    RAISES (SemevalError): If neither the block nor the component says which key to score.
    """
    examples = list(examples)
    own = cfg.get("spans_key")
    key = own if semeval_spans_key is None else semeval_spans_key
    if key is None:
        raise SemevalError(
            'spacy-semeval.spancat_scorer.v1 needs a spans_key in its block, e.g. spans_key = "sc": the component that '
            "it scores hands none over."
        )
    if own is not None and own != key:
        warnings.warn(
            f"The scorer block says spans_key = {key!r} and its component says {own!r}: {key!r} is scored.",
            stacklevel=2,
        )
    stock = semeval_base(examples, **{**cfg, "spans_key": key})
    return {**stock, **_score(examples, f"spans_{key}", key, semeval_settings, semeval_weights)}


def _score(
    examples: list[Example], attr: str, spans_key: str | None, settings: Settings, weight_labels: Iterable[str]
) -> dict[str, Any]:
    gold_docs, pred_docs = [eg.reference for eg in examples], [eg.predicted for eg in examples]
    return flatten(
        score_doc_tables(gold_docs, pred_docs, spans_key, settings, complain=warnings.warn), attr, weight_labels
    )
