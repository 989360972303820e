"""The SemEval-2013 schemas for spaCy and Prodigy: strict, exact, partial and type scores of labelled spans."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .about import __version__
from .docs import score_docs, score_examples
from .engine.scores import Counts, Scores
from .engine.scoring import score_spans
from .errors import SemevalError
from .tagging import score_tags

if TYPE_CHECKING:
    from pathlib import Path

    from .formats.base import Dataset

__all__ = [
    "Counts",
    "Scores",
    "SemevalError",
    "__version__",
    "read_spans",
    "score_docs",
    "score_examples",
    "score_spans",
    "score_tags",
]


def read_spans(where: str | Path, format: str | None = None, **options: Any) -> Dataset:
    """Read the spans of a file of any registered format; see `spacy_semeval.formats.reading.read_spans`."""
    from .formats.reading import read_spans as read  # readers take modules that `python -m spacy` can do without

    return read(where, format, **options)
