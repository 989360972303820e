"""`semeval report`: the tables of a saved file."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import typer

from .evaluate_hook import find_parts
from .guard import blame, messages_for_errors

KINDS = ("scores", "binary", "agreement")


def report_cli(
    metrics: Path = typer.Argument(
        ..., metavar="METRICS", help="JSON of `semeval evaluate`, `score` or `agreement`, or of `spacy evaluate`"
    ),
) -> None:
    """
    Print the tables of a saved file: of `semeval evaluate`, `score` or `agreement`, or of `spacy evaluate` for a
    pipeline with our scorer.
    """
    from ..report.console import print_agreement_tables, print_binary, print_scores

    with messages_for_errors():
        for attr, scores in report(metrics):
            if scores.get("kind") == "binary":
                print_binary(scores, sys.stdout)
            elif scores.get("kind") == "agreement":
                print_agreement_tables(scores, sys.stdout)
            else:
                print_scores(scores, attr, sys.stdout)


def report(metrics: Path) -> list[tuple[str, dict[str, Any]]]:
    """Find what a saved file holds.

    metrics (Path): The file.
    RETURNS (list[tuple[str, dict[str, Any]]]): What was scored, and its scores in the form of
        `Scores.to_dict`, or as `agreement` returns them.
    RAISES (SemevalError): If the file cannot be read or holds none.
    """
    import json

    from ..engine.scores import SEMANTICS
    from ..errors import SemevalError, refuse
    from ..report.agreement_rows import check_agreement
    from ..report.rows import check

    if metrics.is_dir():
        raise SemevalError(f"Can't read {metrics}: it is a folder.")
    if not metrics.exists():
        raise SemevalError(f"Can't find {metrics}.")

    def refuse_constant(name: str) -> None:
        refuse(f"{metrics} holds {name}, which is no number.")

    with blame(f"Can't read {metrics} as JSON"):
        data = json.loads(metrics.read_bytes(), parse_constant=refuse_constant)  # exact, which ujson is not
    if not isinstance(data, dict):
        raise SemevalError(f"{metrics} holds no scores: expected a JSON object, but got {type(data).__name__}.")
    kind = data.get("kind")
    if kind not in (None, *KINDS):
        raise SemevalError(f"{metrics} is of the kind {kind!r}; this command prints {', '.join(KINDS)}.")
    if kind and data.get("semantics") != SEMANTICS:
        raise SemevalError(f"{metrics} follows semantics {data.get('semantics')!r}; this version prints {SEMANTICS!r}.")
    with blame(f"The scores in {metrics} are not complete"):
        parts = [(str(data.get("settings", {}).get("attr", "spans")), data)] if kind else list(find_parts(data))
        for _, scores in parts:
            (check_agreement if kind == "agreement" else check)(scores)
    if not parts:
        raise SemevalError(
            f"{metrics} holds no scores of the SemEval schemas. Train with @scorers = "
            '"spacy-semeval.ner_scorer.v1", or run `python -m spacy semeval evaluate MODEL DATA`.'
        )
    return parts
