"""Agreement of annotations that are Python objects."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ..engine.spans import read_documents
from ..errors import SemevalError
from .corpus import Judgement, gather
from .measure import measure
from .settings import AgreementSettings
from .span_f1 import Threshold


def agreement(
    annotators: Mapping[str, Mapping[Any, Iterable[Any]]],
    texts: Mapping[Any, str] | None = None,
    tokens: Mapping[Any, Sequence[tuple[int, int]]] | None = None,
    *,
    labels: Iterable[str] | None = None,
    ratio: str = "iou",
    iou: float = 0.5,
    io: bool = False,
    lang: str = "xx",
    bootstrap: int = 1000,
    seed: int = 0,
    alpha_u_2004: bool = False,
) -> dict[str, Any]:
    """Measure how far annotators agree.

    annotators (Mapping[str, Mapping[Any, Iterable[Any]]]): For each annotator the spans of each document that they saw,
        by the document's id, a string or a whole number: none where they marked nothing. Spans have the forms that
        `score_spans` takes; offsets are code points, ends exclusive.
    texts (Mapping[Any, str] | None): The text of each document. Without it token and unitized coefficients are None.
    tokens (Mapping[Any, Sequence[tuple[int, int]]] | None): Start and end of each token of a document, where it should
        not be tokenized by spaCy.
    labels (Iterable[str] | None): Compare spans with these labels only.
    ratio (str): What the rules iou and iou_typed look at: "iou", "dice", "min" or "max".
    iou (float): The least value of it, above 0 and up to 1.
    io (bool): Whether tokens have IO tags instead of BIO tags.
    lang (str): The language whose tokenizer makes tokens where `tokens` has none.
    bootstrap (int): Samples of documents for the intervals, 0 for none.
    seed (int): Of the random numbers.
    alpha_u_2004 (bool): Whether to work out the older unitized coefficient for each document too.
    RETURNS (dict[str, Any]): What the JSON file of `semeval agreement` holds, described in docs/agreement.md. What is
        not defined is None, with the reason under "reasons".
    RAISES (SemevalError): If there is no pair of annotators who saw the same document, or something is malformed.
    """
    settings = AgreementSettings(labels, Threshold(ratio, iou), io, lang, bootstrap, seed, alpha_u_2004)
    _check_kinds(annotators, texts, tokens)
    judgements = [
        judgement for name, documents in annotators.items() for judgement in _judgements(name, documents, texts, tokens)
    ]
    return measure(gather(judgements, annotators, labels=settings.labels), settings)


def _check_kinds(annotators: Any, texts: Any, tokens: Any) -> None:
    if not isinstance(annotators, Mapping) or not all(
        isinstance(name, str) and isinstance(documents, Mapping) for name, documents in annotators.items()
    ):
        raise SemevalError("Expected annotators to map names, which are strings, to what each marked in each document.")
    if texts is not None and not (isinstance(texts, Mapping) and all(isinstance(t, str) for t in texts.values())):
        raise SemevalError("Expected texts to map documents to strings.")
    if tokens is not None and not (isinstance(tokens, Mapping) and all(map(_are_offsets, tokens.values()))):
        raise SemevalError("Expected tokens to map documents to the start and the end of each token, whole numbers.")


def _are_offsets(tokens: Any) -> bool:
    return isinstance(tokens, (list, tuple)) and all(
        isinstance(token, (list, tuple)) and len(token) == 2 and all(type(offset) is int for offset in token)
        for token in tokens
    )


def _judgements(
    annotator: str,
    documents: Mapping[Any, Iterable[Any]],
    texts: Mapping[Any, str] | None,
    tokens: Mapping[Any, Sequence[tuple[int, int]]] | None,
) -> Iterable[Judgement]:
    for name, spans in documents.items():
        if isinstance(name, bool) or not isinstance(name, (int, str)):
            raise SemevalError(f"Expected documents to be known by a string or a whole number, but got {name!r}.")
        columns = read_documents([spans], f"annotator {annotator!r} in document {name!r}")
        plain = tuple(zip(columns.start.tolist(), columns.end.tolist(), columns.names))
        text = None if texts is None else texts.get(name)
        for start, end, label in plain if text is not None else ():
            if end > len(text or ""):
                raise SemevalError(f"Span {start} to {end} ({label}) of {annotator!r} does not fit document {name!r}.")
        offsets = None if tokens is None or name not in tokens else tuple((s, e) for s, e in tokens[name])
        yield Judgement(annotator, name, text, plain, offsets)
