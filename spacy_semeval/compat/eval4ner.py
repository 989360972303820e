"""eval4ner's two functions, with their arguments and keys, for those who come from eval4ner 0.1.

Entities are a label and a string. Strings are looked for in the text from left to right, each occurrence used once, and
aligned by `optimal.v1`. See docs/coming-from.md for where the original gives something else.
"""

from __future__ import annotations

import pprint
from collections.abc import Iterable
from typing import Any

from ..engine.scores import Counts, Scores
from ..engine.scoring import score_spans
from ..errors import SemevalError
from ..formats.base import ReadOptions, Unmatched
from ..formats.eval4ner import Entity, Placed, place_all


def evaluate_one(
    prediction: Iterable[Entity],
    ground_truth: Iterable[Entity],
    text: str,
    *,
    unmatched: Unmatched = "error",
    fold: bool = False,
) -> dict[str, dict[str, Any]]:
    """Score one document.

    prediction (Iterable[Entity]): Label and string of each entity to score.
    ground_truth (Iterable[Entity]): Label and string of each entity of the reference.
    text (str): The text.
    unmatched (Unmatched): For strings that are not in the text: "error", or "drop" them, or count each of the
        prediction as "spurious".
    fold (bool): Whether to ignore case and white space when strings are looked for.
    RETURNS (dict[str, dict[str, Any]]): For "strict", "exact", "partial" and "type" the numbers `correct`,
        `incorrect`, `partial`, `missed`, `spurius`, `possible`, `actual`, `precision`, `recall`, `f1_score`; and
        `dropped`, the number of strings that were left out.
    RAISES (SemevalError): A ValueError, if an entity is malformed or a string is not in the text.
    """
    scores, dropped = _score([prediction], [ground_truth], [text], unmatched, fold)
    return {schema: {**_numbers(cell), "dropped": dropped} for schema, cell in scores.overall.items()}


def evaluate_all(
    predictions: Iterable[Iterable[Entity]],
    golden_labels: Iterable[Iterable[Entity]],
    texts: Iterable[str],
    verbose: bool = False,
    *,
    unmatched: Unmatched = "error",
    fold: bool = False,
) -> dict[str, dict[str, Any]]:
    """Score documents, and give the means of their scores.

    predictions (Iterable[Iterable[Entity]]): Label and string of each entity to score, by document.
    golden_labels (Iterable[Iterable[Entity]]): The same of the reference.
    texts (Iterable[str]): The text of each document.
    verbose (bool): Whether to print the numbers of each document, as `evaluate_one` gives them.
    unmatched, fold: As for `evaluate_one`.
    RETURNS (dict[str, dict[str, Any]]): For "strict", "exact", "partial" and "type" the means over documents
        `precision`, `recall` and `f1_score`, None where there is no document; the number of these documents, `count`;
        of documents without an entity on either side, `no_entities`, which are left out of the means; and of strings
        that were left out, `dropped`.
    RAISES (SemevalError): A ValueError, if the numbers of documents differ, or as for `evaluate_one`.
    """
    if verbose:
        predictions, golden_labels, texts = list(predictions), list(golden_labels), list(texts)
    scores, dropped = _score(predictions, golden_labels, texts, unmatched, fold)
    if verbose:
        for i, document in enumerate(zip(predictions, golden_labels, texts), 1):
            print(f"Document {i}:")
            pprint.pprint(evaluate_one(*document, unmatched=unmatched, fold=fold), sort_dicts=False)
    left_out = {"no_entities": scores.documents_without_spans, "dropped": dropped}
    count = scores.documents["scored"] - scores.documents_without_spans
    return {
        schema: {"precision": mean.p, "recall": mean.r, "f1_score": mean.f, "count": count, **left_out}
        for schema, mean in scores.document_mean.items()
    }


def _score(
    predictions: Iterable[Iterable[Entity]],
    golden_labels: Iterable[Iterable[Entity]],
    texts: Iterable[str],
    unmatched: Unmatched,
    fold: bool,
) -> tuple[Scores, int]:
    """The scores, and the number of strings that were left out."""
    listed = _list_all("texts", texts)
    placed = {}
    for side, documents in (("golden_labels", golden_labels), ("predictions", predictions)):
        documents = _list_all(side, documents)
        if len(documents) != len(listed):
            raise SemevalError(f"Expected as many {side} as texts, but got {len(documents)} and {len(listed)}.")
        options = ReadOptions(unmatched=unmatched, fold=fold, is_gold=side == "golden_labels")
        placed[side] = [
            _place(side, i, document, text, options) for i, (document, text) in enumerate(zip(documents, listed))
        ]
    gold, pred = ([document.spans for document in documents] for documents in placed.values())
    scores = score_spans(gold, pred, per_document=True)
    return scores, sum(document.dropped for documents in placed.values() for document in documents)


def _list_all(what: str, values: Any) -> list[Any]:
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise SemevalError(f"Expected a list of {what}, but got {values!r:.80}.")
    return list(values)


def _place(side: str, index: int, document: Any, text: Any, options: ReadOptions) -> Placed:
    where = f"document {index} of {side}"
    if not isinstance(text, str):
        raise SemevalError(f"Expected the text of document {index} to be a string, but got {text!r:.80}.")
    entities = [_check_entity(where, entity) for entity in _list_all(f"entities in {where}", document)]
    try:
        return place_all(text, entities, options)
    except SemevalError as error:
        raise SemevalError(f"{where}: {error}") from None


def _check_entity(where: str, entity: Any) -> Entity:
    if not isinstance(entity, (tuple, list)) or len(entity) != 2 or not all(isinstance(part, str) for part in entity):
        raise SemevalError(f"Expected entities of a label and a string, but got {entity!r:.80} ({where}).")
    return entity[0], entity[1]


def _numbers(cell: Counts) -> dict[str, Any]:
    """A cell under eval4ner's keys, its spelling too."""
    return {
        "correct": cell.cor,
        "incorrect": cell.inc,
        "partial": cell.par,
        "missed": cell.mis,
        "spurius": cell.spu,
        "possible": cell.pos,
        "actual": cell.act,
        "precision": cell.p,
        "recall": cell.r,
        "f1_score": cell.f,
    }
