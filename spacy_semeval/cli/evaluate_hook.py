"""The four schemas in `spacy evaluate` and `spacy benchmark accuracy`, after what these commands print anyway."""

import functools
import inspect
import os
import sys
from collections.abc import Callable, Iterator
from typing import Any

from spacy.cli import app
from spacy.cli._util import benchmark_cli, import_code
from spacy.cli.evaluate import evaluate, evaluate_cli

SWITCH = "SPACY_SEMEVAL_STOCK_EVALUATE"


def is_known(command: Callable[..., Any], function: Callable[..., Any]) -> bool:
    """Whether a command hands its options to a function in the way that we know, code_path aside.

    command (Callable[..., Any]): The function behind the command.
    function (Callable[..., Any]): The function that does the work.
    RETURNS (bool): Whether the one can be called with the options of the other.
    """
    options, arguments = (set(inspect.signature(f).parameters) for f in (command, function))
    return options - {"code_path"} == arguments - {"silent"} and "code_path" in options and "silent" in arguments


STOCK_IS_KNOWN = is_known(evaluate_cli, evaluate)


def show_schemas_in_stock_commands() -> None:
    """Register the stock commands again: of two with the same name, the later one counts."""
    if STOCK_IS_KNOWN and os.environ.get(SWITCH) != "1":
        app.command("evaluate")(evaluate_with_schemas)
        benchmark_cli.command("accuracy")(evaluate_with_schemas)


@functools.wraps(evaluate_cli)
def evaluate_with_schemas(**options: Any) -> None:
    import_code(options.pop("code_path"))
    scores = evaluate(**options, silent=False)
    from ..report.console import print_scores

    for attr, part in find_parts(scores):
        print_scores(part, attr, sys.stdout)


def find_parts(scores: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Find what our scorer returned.

    scores (dict[str, Any]): The scores of a pipeline, or of its components by their names.
    YIELDS (tuple[str, dict[str, Any]]): What was scored, and its scores in the form of `Scores.to_dict`.
    """
    from ..plugin.keys import unflatten

    yield from unflatten(scores).items()
    for component, part in scores.items():
        if isinstance(part, dict):
            yield from ((f"{component}: {attr}", found) for attr, found in unflatten(part).items())
