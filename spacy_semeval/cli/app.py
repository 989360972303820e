"""The `semeval` group of commands.

spaCy imports this module at every `python -m spacy`, and an import error here would break all of its commands: only
spaCy, typer and wasabi may be imported at the top of this module and of those that it imports.
"""

import typer
from spacy.cli import app

from .agreement import agreement_cli
from .convert import convert_cli
from .datasets import datasets_cli
from .evaluate import evaluate_cli
from .evaluate_hook import show_schemas_in_stock_commands
from .report import report_cli
from .score import score_cli

HELP = """Score labelled spans by the SemEval-2013 schemas: strict, exact, partial and type."""

# entry point: semeval
semeval_cli = typer.Typer(name="semeval", help=HELP, no_args_is_help=True)
semeval_cli.command("evaluate")(evaluate_cli)
semeval_cli.command("score")(score_cli)
semeval_cli.command("agreement")(agreement_cli)
semeval_cli.command("report")(report_cli)
semeval_cli.command("datasets")(datasets_cli)
semeval_cli.command("convert")(convert_cli)
app.add_typer(semeval_cli)
show_schemas_in_stock_commands()
