"""The training log: spaCy's table, and F per label under each schema below it."""

import difflib
import sys
import warnings
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import IO, Any, Literal

import srsly
import tqdm
from confection import ConfigValidationError
from spacy.language import Language
from spacy.training.loggers import setup_table
from spacy.util import ensure_path
from wasabi import Printer

from ..engine.schemas import SCHEMAS
from ..report.console import format, is_terminal, width_of, write
from ..report.rows import label_f_table, percent
from .keys import unflatten

LogStep = Callable[[dict[str, Any] | None], None]
SetupLogger = Callable[..., tuple[LogStep, Callable[[], None]]]

SPACING = 2
STOCK_COLUMN = 13


# entry point: spacy-semeval.ConsoleLogger.v1
def console_logger(
    progress_bar: Literal["train", "eval"] | None = None,
    console_output: bool = True,
    output_file: str | Path | None = None,
    show_labels: Literal["best", "all", "none"] = "best",
) -> SetupLogger:
    """Make a logger that shows F per label under each schema, below the rows of spaCy's own console logger.

    progress_bar (Literal["train", "eval"] | None): Show the steps up to the end of training or to the next
        evaluation, in a terminal only.
    console_output (bool): Whether to print.
    output_file (str | Path | None): A JSONL file for each evaluation's losses and scores, those of all
        schemas and labels included. A file that is there already is left alone.
    show_labels (Literal["best", "all", "none"]): Print F per label after each new best score, each evaluation, never.
    RETURNS (SetupLogger): The function that `[training.logger]` needs.
    """
    path = ensure_path(output_file) if output_file else None
    taken = False
    if path is not None:
        try:
            taken = path.exists()
            path.parent.mkdir(parents=True, exist_ok=True)
            if not taken:
                path.touch()
                path.unlink()  # it was a try: training may fail before there is anything to log
        except OSError as error:
            raise ConfigValidationError(desc=f"The logger can't write {path}: {error.strerror}.") from None

    def setup_logger(
        nlp: Language, stdout: IO[str] = sys.stdout, stderr: IO[str] = sys.stderr
    ) -> tuple[LogStep, Callable[[], None]]:
        log = _TrainingLog(nlp, stdout, stderr, progress_bar, console_output, show_labels)
        if taken:
            log.say("warn", f"Saving logs is disabled because {path} already exists.")
        elif path is not None:
            log.say("info", f"Saving results to {path}")
            log.open_file(path)
        log.begin()
        return log.step, log.close

    return setup_logger


class _TrainingLog:
    """One training run's log."""

    def __init__(
        self,
        nlp: Language,
        stdout: IO[str],
        stderr: IO[str],
        progress_bar: str | None,
        console_output: bool,
        show_labels: str,
    ) -> None:
        training = nlp.config["training"]
        self.stdout, self.stderr = stdout, stderr
        self.progress_bar, self.console_output, self.show_labels = progress_bar, console_output, show_labels
        self.max_steps, self.eval_frequency = training["max_steps"], training["eval_frequency"]
        self.weights = {key: weight for key, weight in training["score_weights"].items() if weight is not None}
        self.pipes = [name for name, pipe in nlp.pipeline if getattr(pipe, "is_trainable", False)]
        self.returned = score_keys(nlp)
        self.ours = _our_keys(self.returned)
        self.msg = Printer(no_print=True, pretty=is_terminal(stdout))
        self.widths: list[int] = []
        self.aligns: list[str] = []
        self.best: float | None = None
        self.file: IO[str] | None = None
        self.progress: Any = None

    def say(self, kind: str, text: str) -> None:
        self.write(getattr(self.msg, kind)(text))

    def write(self, text: str) -> None:
        write(text, self.stdout)

    def open_file(self, path: Path) -> None:
        self.file = path.open("w", encoding="utf8")

    def begin(self) -> None:
        """Warn about weights that select on nothing, and print the head of the table."""
        for warning in unknown_weights(self.weights, self.returned):
            self.say("warn", warning)
        if not self.console_output:
            return
        header = []
        columns = [("E", 3), ("#", 6), *((f"Loss {pipe}", 8) for pipe in self.pipes)]
        columns += [*((key, 6) for key in self.weights), ("Score", 6)]
        for name, width in columns:
            most = len(name) if name in self.ours else STOCK_COLUMN
            (title,), (wide,), (align,) = setup_table(cols=[name], widths=[width], max_width=most)
            header.append(title)
            self.widths.append(wide)
            self.aligns.append(align)
        self.write(self.msg.row(header, widths=self.widths, spacing=SPACING))
        self.write(self.msg.row(["-" * width for width in self.widths], spacing=SPACING))

    def step(self, info: dict[str, Any] | None) -> None:
        """Log one step; only those with an evaluation have something to say."""
        if info is None:
            if self.progress is not None:
                self.progress.update(1)
            return
        if self.progress is not None:
            self.progress.close()
        if self.file is not None:
            self.file.write(srsly.json_dumps(self.record(info)) + "\n")
            self.file.flush()
        if self.console_output:
            self.print_row(info)
            self.print_labels(info)
            self.start_progress(info)

    def record(self, info: dict[str, Any]) -> dict[str, Any]:
        """The line of the JSONL file: as spaCy has it, with the tables of our scorer beside it."""
        scores = {key: self.scaled(key, info["other_scores"].get(key)) for key in self.weights}
        return {
            "epoch": info["epoch"],
            "step": info["step"],
            "losses": {pipe: float(info["losses"][pipe]) for pipe in self.pipes},
            "scores": scores,
            "score": float(info["score"]),
            "semeval": unflatten(info["other_scores"]),
        }

    @staticmethod
    def scaled(key: str, score: float | None) -> float | None:
        if score is None or key == "speed":
            return score
        return 100 * float(score)

    @staticmethod
    def worded(key: str, score: float | None) -> str:
        return f"{score:.2f}" if key == "speed" and score is not None else percent(score)

    def print_row(self, info: dict[str, Any]) -> None:
        losses = [f"{float(info['losses'][pipe]):.2f}" for pipe in self.pipes]
        scores = [self.worded(key, info["other_scores"].get(key)) for key in self.weights]
        row = [info["epoch"], info["step"], *losses, *scores, f"{float(info['score']):.2f}"]
        self.write(self.msg.row(row, widths=self.widths, aligns=self.aligns, spacing=SPACING))

    def print_labels(self, info: dict[str, Any]) -> None:
        is_best = self.best is None or info["score"] > self.best
        if is_best:
            self.best = info["score"]
        if self.show_labels == "none" or (self.show_labels == "best" and not is_best):
            return
        for attr, scores in unflatten(info["other_scores"]).items():
            table = label_f_table(scores, attr, f"step {info['step']}")
            if table.rows:
                self.write(f"\n{table.title}\n\n{format(table, width_of(self.stdout))}")

    def start_progress(self, info: dict[str, Any]) -> None:
        if self.progress_bar is None:
            return
        whole_run = self.progress_bar == "train"
        self.progress = tqdm.tqdm(
            total=self.max_steps if whole_run else self.eval_frequency,
            initial=info["step"] if whole_run else 0,
            desc=f"Last Eval Epoch: {info['epoch']}" if whole_run else f"Epoch {info['epoch'] + 1}",
            disable=None,  # shown in a terminal only
            leave=False,
            file=self.stderr,
        )

    def close(self) -> None:
        if self.progress is not None:
            self.progress.close()
        if self.file is not None:
            self.file.close()


def score_keys(nlp: Language) -> set[str] | None:
    """Find the names of the scores that an evaluation will return, by scoring nothing.

    nlp (Language): The pipeline. Components that are switched off for a while count too.
    RETURNS (set[str] | None): The names, or None if a component cannot score nothing.
    """
    keys = {"speed"}
    for part in (nlp.tokenizer, *(pipe for _, pipe in nlp.components)):
        if hasattr(part, "score"):
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")  # the evaluation itself will give them
                    keys.update(part.score([]))
            except Exception:  # anybody's component may raise anything here: then no name can be called wrong
                return None
    return keys


def _our_keys(returned: set[str] | None) -> set[str]:
    attrs = [key.removesuffix("_documents") for key in returned or () if key.endswith("_documents")]
    return {key for key in returned or () if any(key.startswith(f"{attr}_") for attr in attrs)}


def unknown_weights(weights: Mapping[str, float], returned: set[str] | None) -> list[str]:
    """Word a warning for each weight on a score that no component returns; spaCy takes it as 0.0 without a word.

    weights (Mapping[str, float]): The weights that are not null.
    returned (set[str] | None): The names of the scores that will be returned, None if they are not known.
    RETURNS (list[str]): The warnings.
    """
    return [
        f"No component returns {key!r} of [training.score_weights]: it will count as 0.{_hint(key, returned)}"
        for key in weights
        if returned is not None and key not in returned
    ]


def _hint(key: str, returned: set[str]) -> str:
    ours = _our_keys(returned)
    if not ours and any(f"_{schema}_" in key for schema in SCHEMAS):
        return " No component has a spacy-semeval scorer."
    for known in sorted(ours):
        if known.endswith("_f") and key.startswith(f"{known}_"):
            return f" Is {key[len(known) + 1 :]!r} missing in the weight_labels of the scorer?"
    nearest = difflib.get_close_matches(key, sorted(returned), n=1, cutoff=0.0)
    return f" Did you mean {nearest[0]!r}?" if nearest else ""
