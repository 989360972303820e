"""The SemEval-2013 schemas for spaCy and Prodigy: strict, exact, partial and type scores of labelled spans."""

from .about import __version__
from .docs import score_docs, score_examples
from .engine.scores import Counts, Scores
from .engine.scoring import score_spans
from .errors import SemevalError

__all__ = ["Counts", "Scores", "SemevalError", "__version__", "score_docs", "score_examples", "score_spans"]
