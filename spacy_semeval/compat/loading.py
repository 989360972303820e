"""What nervaluate's `Evaluator` takes: span lists, tag lists, CoNLL text, and the files of all registered formats."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from ..engine.spans import read_documents
from ..errors import SemevalError, SettingsError
from ..tagging import find_spans, list_tags
from .matching import Entity

Loaded = list[list[Entity]]
DEFAULT = "default"


def load(true: Any, pred: Any, loader: str) -> tuple[Loaded, Loaded]:
    """Read both sides.

    true, pred (Any): For "dict" a list of {"label", "start", "end"} a document, ends inclusive; for "list" a list of
        tags a document; for "conll" a text with a token and its tag a line, a tab between them and blank lines between
        documents; for "default" one of these. For the name of a registered format, and where `true` is a Path, files.
    loader (str): Which of these it is.
    RETURNS (tuple[Loaded, Loaded]): The entities of each document, in the order of the input.
    RAISES (SemevalError): If it is something else, or if the two sides do not hold the same documents.
    """
    chosen = _infer(true, pred) if loader == DEFAULT and not isinstance(true, Path) else loader
    if not isinstance(chosen, str):
        raise SettingsError(f"Expected loader to be a name, but got {chosen!r:.80}. Available: {_known()}.")
    if chosen in LOADERS and not isinstance(true, Path):
        sides = LOADERS[chosen](true, pred)
    else:
        sides = _load_files(true, pred, chosen)
    if len(sides[0]) != len(sides[1]):
        found = f"{len(sides[0])} in true and {len(sides[1])} in pred"
        raise SemevalError(f"Expected as many documents on both sides, but got {found}.")
    return sides


def _infer(true: Any, pred: Any) -> str:
    """Which loader data is for. Documents without anything in them fit all."""
    if isinstance(true, str):
        return "conll"
    if not isinstance(true, Sequence):
        raise SemevalError(
            f"Can't tell what kind of data {true!r:.80} is: give a list, or name its loader. Available: {_known()}."
        )
    items = (item for side in (true, pred) for document in _listed(side) for item in _listed(document))
    return "list" if isinstance(next(items, None), str) else "dict"


def _listed(data: Any) -> Sequence[Any]:
    return data if isinstance(data, Sequence) and not isinstance(data, (str, bytes)) else ()


def _known() -> str:
    from ..formats.choosing import all_formats

    return ", ".join(dict.fromkeys((DEFAULT, *LOADERS, *all_formats())))


def _load_dicts(true: Any, pred: Any) -> tuple[Loaded, Loaded]:
    return _read_dicts("true", true), _read_dicts("pred", pred)


def _read_dicts(side: str, data: Any) -> Loaded:
    columns = read_documents(data, side, end_inclusive=True)
    loaded: Loaded = [[] for _ in range(columns.n_docs)]
    for document, start, end, label in zip(columns.doc.tolist(), columns.start.tolist(), columns.end, columns.names):
        loaded[document].append(Entity(label, start, int(end) - 1))
    return loaded


def _load_tags(true: Any, pred: Any) -> tuple[Loaded, Loaded]:
    sides = list_tags({"true": true, "pred": pred})
    # As nervaluate, whatever follows what: an I behind O begins an entity.
    true_side, pred_side = (_as_entities(find_spans(side, tags, None, repair=True)) for side, tags in sides.items())
    return true_side, pred_side


def _load_conll(true: Any, pred: Any) -> tuple[Loaded, Loaded]:
    return _load_tags(_split_conll("true", true), _split_conll("pred", pred))


def _split_conll(side: str, text: Any) -> list[list[str]]:
    """The tags of each document: as nervaluate takes them, those behind the first tab of a line."""
    if not isinstance(text, str):
        raise SemevalError(f"Expected {side} to be a CoNLL text, but got {text!r:.80}.")
    documents = []
    numbered = enumerate(text.replace("\r\n", "\n").replace("\r", "\n").split("\n"), 1)
    for is_held, lines in groupby(numbered, key=lambda line: bool(line[1].strip())):
        if is_held:
            documents.append([_find_tag(side, number, line) for number, line in lines])
    return documents


def _find_tag(side: str, number: int, line: str) -> str:
    columns = line.split("\t")
    if len(columns) == 1:
        raise SemevalError(f"Expected a token, a tab and a tag in line {number} of {side}, but got {line!r:.80}.")
    return columns[1].strip()


def _load_files(true: Any, pred: Any, format: str) -> tuple[Loaded, Loaded]:
    from ..formats.choosing import all_formats
    from ..formats.reading import read_spans

    if format != DEFAULT and format not in all_formats():
        raise SettingsError(f"Unknown loader {format!r:.80}. Available: {_known()}.")
    for side, where in (("true", true), ("pred", pred)):
        if not isinstance(where, (str, Path)):
            raise SemevalError(
                f"The loader {format!r} reads files: expected {side} to be a path, but got {where!r:.80}."
            )
    name = None if format == DEFAULT else format
    datasets = read_spans(true, name), read_spans(pred, name)
    for i, (gold, other) in enumerate(zip(*(dataset.records for dataset in datasets)), 1):
        if gold.text is not None and other.text is not None and gold.text != other.text:
            raise SemevalError(
                f"Document {i} of {datasets[0].name} and that of {datasets[1].name} have different texts. Documents "
                "are paired by their order here; `semeval score` pairs them by their texts."
            )
    for dataset in datasets:
        for note in dataset.notes():
            warnings.warn(f"{dataset.name}: {note}", stacklevel=4)
    true_side, pred_side = (_as_entities(dataset.spans) for dataset in datasets)
    return true_side, pred_side


def _as_entities(documents: Iterable[Iterable[tuple[int, int, str]]]) -> Loaded:
    return [[Entity(label, start, end - 1) for start, end, label in spans] for spans in documents]


# By nervaluate's names, what reads both sides.
LOADERS: dict[str, Callable[[Any, Any], tuple[Loaded, Loaded]]] = {
    "conll": _load_conll,
    "list": _load_tags,
    "dict": _load_dicts,
}
