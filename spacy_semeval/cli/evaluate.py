"""`semeval evaluate`: score any pipeline, whether or not it was trained with our scorer."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import typer
from spacy.cli._util import import_code, setup_gpu
from wasabi import Printer

from .evaluate_hook import STOCK_IS_KNOWN
from .extras import ACE, AVERAGE, CONLL_REPORT, MUC, AverageName, Extras, make_extras
from .guard import blame, messages_for_errors, whole_file
from .options import ERRORS, LABEL, MAP, MIN_OVERLAP, OUTPUT, PER_LABEL, PRODIGY_DB, PerLabel, parse_map
from .results import Result, find_hints, print_end, write_json, write_tasks

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

    from ..engine.differences import Difference
    from ..formats.sources import Source
    from ..reading import Reading

DOCS = ".spacy"
RECORDS = (".jsonl", ".jsonl.gz")


def evaluate_cli(
    model: str = typer.Argument(..., metavar="MODEL", help="Model name or path"),
    where: str = typer.Argument(..., metavar="DATA", help=".spacy, Prodigy's .jsonl (or .gz), prodigy:DATASET, or -"),
    output: Path | None = OUTPUT,
    spans_key: str | None = typer.Option(None, "--spans-key", "-sk", help="Score doc.spans[KEY] instead of doc.ents"),
    label: list[str] = LABEL,
    min_overlap: float = MIN_OVERLAP,
    per_label: PerLabel = PER_LABEL,
    annotator: str | None = typer.Option(None, help="Whose annotations to take, where a .jsonl file has several"),
    label_map: list[str] = MAP,
    average: list[AverageName] = AVERAGE,
    muc: bool = MUC,
    conll: bool = CONLL_REPORT,
    ace: Path | None = ACE,
    errors: Path | None = ERRORS,
    prodigy_db: Path | None = PRODIGY_DB,
    code_path: Path | None = typer.Option(None, "--code", "-c", help="Python file with registered functions"),
    use_gpu: int = typer.Option(-1, "--gpu-id", "-g", help="GPU ID or -1 for CPU"),
    gold_preproc: bool = typer.Option(False, "--gold-preproc", "-G", help="Predict on the tokens of the gold data"),
    batch_size: int | None = typer.Option(None, "--batch-size", "-b", min=1, help="Texts a batch"),
) -> None:
    """
    Score a pipeline's entities, or one group of its spans, by the four SemEval schemas. The pipeline needs no scorer.
    """
    from ..report.console import is_terminal, print_scores, write

    renamed = parse_map(label_map)
    with messages_for_errors():
        data = open_data(where, prodigy_db)
        inputs = [path for path in (data if isinstance(data, Path) else data.path, Path(model), code_path, ace) if path]
        outputs = [] if output is None else [output]
        with whole_file(output, *inputs) as scores_file, whole_file(errors, *inputs, *outputs) as tasks_file:
            with blame(f"Can't import {code_path}"):
                import_code(code_path)
            with blame(f"Can't use GPU {use_gpu}"):
                setup_gpu(use_gpu, silent=True)
            result = evaluate(
                model,
                data,
                spans_key=spans_key,
                labels=label or None,
                min_overlap=min_overlap,
                per_label=per_label.value,
                annotator=annotator,
                label_map=renamed,
                gold_preproc=gold_preproc,
                batch_size=batch_size,
                extras=make_extras(average, muc, conll, ace),
                with_tasks=errors is not None,
                silent=False,
            )
            write_json(result.data, scores_file, output)
            write_tasks(result.tasks, tasks_file, errors)
    with messages_for_errors():
        if not STOCK_IS_KNOWN:
            unknown = "This spaCy's `evaluate` is not the one that we know: it is left as it is, without our tables."
            write(Printer(no_print=True, pretty=is_terminal(sys.stdout)).warn(unknown), sys.stdout)
        print_scores(result.data, result.data["settings"]["attr"], sys.stdout)
        print_end(result, output, errors)


def open_data(where: str, prodigy_db: Path | None = None) -> Path | Source:
    """Find gold data.

    where (str): A .spacy file, a folder of them, or records of Prodigy's: .jsonl, .jsonl.gz or "prodigy:" and the name
        of a dataset.
    prodigy_db (Path | None): Prodigy's SQLite file, if it is not where Prodigy puts it.
    RETURNS (Path | Source): A path to .spacy files, or a source of records.
    RAISES (SemevalError): If there is no such data.
    """
    from ..errors import SemevalError
    from ..formats.database import PREFIX
    from ..formats.sources import STDIN, open_source

    path = Path(where)
    if where == STDIN or where.startswith(PREFIX) or where.endswith(RECORDS):
        return open_source(where, prodigy_db)
    if not path.exists():
        raise SemevalError(f"Can't find {where}.")
    if path.suffix != DOCS and not path.is_dir():
        raise SemevalError(
            f"Can't tell the format of {where}. Expected a file that ends in "
            f"{', '.join((DOCS, *RECORDS))}, a folder of {DOCS} files, prodigy:DATASET, or - for records on stdin."
        )
    return path


def evaluate(
    model: str,
    data: Path | Source,
    *,
    spans_key: str | None = None,
    labels: Iterable[str] | None = None,
    min_overlap: float = 0.0,
    per_label: str = "own_side",
    annotator: str | None = None,
    label_map: Mapping[str, str] | None = None,
    gold_preproc: bool = False,
    batch_size: int | None = None,
    extras: Extras | None = None,
    with_tasks: bool = False,
    silent: bool = True,
) -> Result:
    """Score a pipeline.

    model (str): Name or path of the pipeline.
    data (Path | Source): Gold data, as `open_data` finds it.
    spans_key (str | None): Score doc.spans[spans_key] instead of doc.ents.
    labels, min_overlap, per_label, label_map: As in `score_spans`.
    annotator (str | None): Whose annotations to take from records that hold several.
    gold_preproc (bool): Whether predictions are made on the tokens of the gold data.
    batch_size (int | None): Texts a batch; None for the pipeline's own.
    extras (Extras | None): What to add to the scores.
    with_tasks (bool): Whether to make tasks of the documents with errors.
    silent (bool): Whether to show no progress bar. It is never shown outside a terminal.
    RETURNS (Result): The scores as `Scores.to_dict` gives them, "settings" with "attr" and "inputs".
    RAISES (SemevalError): If model or data cannot be used.
    """
    from spacy.util import load_model

    from ..engine.differences import find_differences
    from ..engine.scores import Settings
    from ..engine.scoring import score_tables
    from ..errors import SemevalError
    from ..reading import make_sides

    settings = Settings(labels=labels, min_overlap=min_overlap, per_label=per_label, label_map=label_map)
    extras = extras or Extras()
    extras.check(settings)
    if annotator is not None and isinstance(data, Path):
        raise SemevalError(f"Only records of Prodigy's have annotators to choose from, and {data} holds none.")
    with blame(f"Can't load the pipeline {model!r}"):
        nlp = load_model(model)
    pipe = _Pipe(nlp, batch_size, silent)
    if isinstance(data, Path):
        predicted = _predict_docbin(pipe, data, spans_key, gold_preproc)
    else:
        predicted = _predict_records(pipe, data, spans_key, annotator, gold_preproc)
    sides = make_sides(predicted.reading, settings)
    found = score_tables(sides.gold, sides.pred, settings, sides.documents, extras.per_document)
    scores = found.to_dict()
    added = extras.add(scores, found, sides)
    scores["documents"].update(predicted.left_out)
    scores["settings"]["attr"] = "ents" if spans_key is None else f"spans_{spans_key}"
    name = str(data) if isinstance(data, Path) else data.name
    scores["settings"]["inputs"] = {"model": str(model), "data": name, "annotator": annotator}
    tasks = predicted.make_tasks(find_differences(sides.gold, sides.pred, settings)) if with_tasks else []
    hints = [*added, *find_hints(scores)]
    if not any(cell["act"] for cell in scores["overall"].values()):
        hints.append("Does the pipeline set what is scored here? --spans-key KEY scores a span group.")
    return Result(scores, tasks, hints)


@dataclass(frozen=True)
class _Predicted:
    """Gold data and what a pipeline made of its texts.

    reading (Reading): The spans of both.
    left_out (dict[str, int]): What was left out before.
    make_tasks (Callable): Makes tasks of the differences in each document.
    """

    reading: Reading
    left_out: dict[str, int]
    make_tasks: Callable[[Mapping[int, Sequence[Difference]]], list[bytes]]


class _Pipe:
    """Runs a pipeline, with a progress bar in a terminal."""

    def __init__(self, nlp: Language, batch_size: int | None, silent: bool) -> None:
        self.nlp = nlp
        self.batch_size = batch_size
        self.silent = silent

    def __call__(self, docs: Sequence[Doc]) -> list[Doc]:
        from tqdm import tqdm

        from ..errors import SemevalError

        with blame("The pipeline failed"):
            predicted = self.nlp.pipe(docs, batch_size=self.batch_size)
            # disable=None: tqdm hides itself where stderr is no terminal.
            done = list(tqdm(predicted, total=len(docs), unit="doc", leave=False, disable=self.silent or None))
        if len(done) != len(docs):
            raise SemevalError(f"The pipeline returned {len(done)} documents for {len(docs)} texts: none may be lost.")
        return done


def _predict_docbin(pipe: _Pipe, path: Path, spans_key: str | None, gold_preproc: bool) -> _Predicted:
    from spacy.tokens import DocBin
    from spacy.training import Corpus
    from spacy.training.corpus import walk_corpus

    from ..docs import read_ents, read_spans
    from ..error_tasks import tasks_of_docs
    from ..errors import SemevalError

    with blame(f"Can't read {path}"):
        files = walk_corpus(path, ".spacy")
        docs = [doc for file in files for doc in DocBin().from_disk(file).get_docs(pipe.nlp.vocab)]
        held = [doc for doc in docs if len(doc)]
        corpus = Corpus(path)
        make = corpus.make_examples_gold_preproc if gold_preproc else corpus.make_examples
        examples = list(make(pipe.nlp, held))
    if not examples:
        raise SemevalError(f"{path} holds no document with a text.")
    gold_docs = [eg.reference for eg in examples]
    # Documents are split by sentence for --gold-preproc, which cuts entities and loses groups of spans.
    lost = _count(held, spans_key) - _count(gold_docs, spans_key)
    if lost and spans_key is not None:
        raise SemevalError(f"--gold-preproc would lose {lost} spans of {path}: it splits documents by sentence.")
    if spans_key is not None:
        _check_key(gold_docs, spans_key, str(path))
    elif not any(doc.has_annotation("ENT_IOB") for doc in gold_docs):
        keys = _keys(gold_docs)
        groups = f" It has spans under: {', '.join(keys)} (--spans-key)." if keys else ""
        raise SemevalError(f"No document of {path} has entity annotation: there is nothing to score.{groups}")
    pred_docs = pipe([eg.predicted for eg in examples])
    if spans_key is not None:
        _check_key(pred_docs, spans_key, "what the pipeline predicted")
    with blame("Can't read the predictions"):
        read = read_ents(gold_docs, pred_docs) if spans_key is None else read_spans(gold_docs, pred_docs, spans_key)
    left_out = {"empty_documents": len(docs) - len(held), "cut_by_sentences": lost}
    reasons = {reason: number for reason, number in left_out.items() if number}
    return _Predicted(read, reasons, partial(tasks_of_docs, gold_docs, pred_docs, spans_key))


def _count(docs: Iterable[Doc], spans_key: str | None) -> int:
    return sum(len(doc.ents if spans_key is None else doc.spans.get(spans_key, ())) for doc in docs)


def _predict_records(
    pipe: _Pipe, source: Source, spans_key: str | None, annotator: str | None, gold_preproc: bool
) -> _Predicted:
    from ..docs import read_records
    from ..error_tasks import tasks_of_records
    from ..formats.docbin import make_tokens
    from ..formats.prodigy import Reader

    reader = Reader(source, annotator)
    records = list(reader)
    with blame("The pipeline's tokenizer failed"):
        nlp = pipe.nlp
        docs = [make_tokens(nlp, rec) if gold_preproc else nlp.make_doc(rec.full_text) for rec in records]
    pred_docs = pipe(docs)
    if spans_key is not None:
        _check_key(pred_docs, spans_key, "what the pipeline predicted")
    left_out = {f"skipped_{reason}": count for reason, count in sorted(reader.skipped.items())}
    with blame("Can't read the predictions"):
        reading = read_records(records, pred_docs, spans_key)
    return _Predicted(reading, {**left_out, **reader.noted}, partial(tasks_of_records, source, records))


def _check_key(docs: Iterable[Doc], spans_key: str, where: str) -> None:
    from ..errors import SemevalError

    keys = _keys(docs)
    if spans_key not in keys:
        found = ", ".join(keys) or "none"
        raise SemevalError(f"No document of {where} has the spans key {spans_key!r}. Keys found: {found}.")


def _keys(docs: Iterable[Doc]) -> list[str]:
    return sorted({key for doc in docs for key in doc.spans})
