"""The flat names that scores have in spaCy: made from scores, and found again in a saved or logged dict."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ..engine.schemas import in_order
from ..engine.scores import Scores


def flatten(scores: Scores, attr: str, weight_labels: Iterable[str] = ()) -> dict[str, Any]:
    """Give scores the names that spaCy's training and evaluation expect.

    scores (Scores): The scores.
    attr (str): "ents", or "spans_" and the spans key.
    weight_labels (Iterable[str]): Labels that get an F of their own under a top-level key.
    RETURNS (dict[str, Any]): `{attr}_{schema}_p` and so on. The numbers are None, and the dicts per label empty, only
        where no document was annotated.
    """
    flat: dict[str, Any] = {}
    pred_side = scores.settings.per_label == "own_side"
    macro = scores.macro
    for schema, cell in scores.overall.items():
        name = f"{attr}_{schema}"
        per_type = {label: cells[schema].to_dict(pred_side) for label, cells in scores.per_label.items()}
        counts = {key: value for key, value in cell.to_dict().items() if isinstance(value, int)}
        flat.update({f"{name}_p": cell.p, f"{name}_r": cell.r, f"{name}_f": cell.f})
        flat[f"{name}_macro_f"] = macro[schema].f
        flat[f"{name}_per_type"] = per_type if cell.annotated else {}
        flat[f"{name}_counts"] = counts
        nothing = 0.0 if cell.annotated else None
        for label in weight_labels:
            flat[f"{name}_f_{label}"] = per_type[label]["f"] if label in per_type else nothing
    flat[f"{attr}_documents"] = dict(scores.documents)
    return flat


def unflatten(data: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Find the scores in a dict of spaCy scores.

    data (Mapping[str, Any]): What `nlp.evaluate` returned or `spacy evaluate -o` saved.
    RETURNS (dict[str, dict[str, Any]]): For each attr the parts "documents", "overall" and "per_label" of
        `Scores.to_dict`, in the order in which they were found; empty if our scorer had no part in it.
    """
    data = {key: value for key, value in data.items() if isinstance(key, str)}
    attrs = [key.removesuffix("_documents") for key, value in data.items() if _is_documents(key, value)]
    schemas: dict[str, list[str]] = {attr: [] for attr in attrs}
    for key in data:
        name = key.removesuffix("_counts")
        # A spans key may begin like another one: the longest that fits is meant.
        owner = max((attr for attr in attrs if name.startswith(f"{attr}_")), key=len, default=None)
        if owner is not None and name != key and _is_counts(data[key]):
            schemas[owner].append(name[len(owner) + 1 :])
    return {attr: _part(data, attr, in_order(found)) for attr, found in schemas.items() if found}


def _is_documents(key: str, value: Any) -> bool:
    return key.endswith("_documents") and isinstance(value, Mapping) and "scored" in value


def _is_counts(value: Any) -> bool:
    return isinstance(value, Mapping) and set(value) == {"cor", "inc", "par", "mis", "spu", "pos", "act"}


def _part(data: Mapping[str, Any], attr: str, schemas: Iterable[str]) -> dict[str, Any]:
    overall = {}
    per_label: dict[str, dict[str, Any]] = {}
    for schema in schemas:
        name = f"{attr}_{schema}"
        overall[schema] = {**data[f"{name}_counts"], **{score: data.get(f"{name}_{score}") for score in "prf"}}
        for label, cell in (data.get(f"{name}_per_type") or {}).items():
            # Another spans key's own scores may stand under this name: those of spaCy have no counts.
            if "cor" in cell:
                per_label.setdefault(label, {})[schema] = cell
    return {
        "documents": data[f"{attr}_documents"],
        "overall": overall,
        "per_label": dict(sorted(per_label.items())),
    }
