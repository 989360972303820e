"""`semeval evaluate`: score any pipeline, whether or not it was trained with our scorer."""

from __future__ import annotations

import sys
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer
from spacy.cli._util import import_code, setup_gpu
from wasabi import Printer

from .evaluate_hook import STOCK_IS_KNOWN
from .guard import blame, messages_for_errors, whole_file

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from spacy.language import Language
    from spacy.tokens import Doc

    from ..docs import Reading

ENDINGS = (".spacy", ".jsonl")


class PerLabel(str, Enum):
    own_side = "own_side"
    gold_side = "gold_side"


def evaluate_cli(
    model: str = typer.Argument(..., metavar="MODEL", help="Model name or path"),
    data_path: Path = typer.Argument(..., metavar="DATA", help="Gold data: .spacy, or Prodigy's .jsonl"),
    output: Path | None = typer.Option(None, "--output", "-o", help="Write the scores to this JSON file"),
    spans_key: str | None = typer.Option(None, "--spans-key", "-sk", help="Score doc.spans[KEY] instead of doc.ents"),
    label: list[str] = typer.Option([], "--label", "-l", help="Score this label only (repeatable)"),
    min_overlap: float = typer.Option(0.0, min=0, max=1, help="Share of the gold span that a pair must share at least"),
    per_label: PerLabel = typer.Option(PerLabel.own_side, help="Under which label a pair counts"),
    annotator: str | None = typer.Option(None, help="Whose annotations to take, where a .jsonl file has several"),
    code_path: Path | None = typer.Option(None, "--code", "-c", help="Python file with registered functions"),
    use_gpu: int = typer.Option(-1, "--gpu-id", "-g", help="GPU ID or -1 for CPU"),
    gold_preproc: bool = typer.Option(False, "--gold-preproc", "-G", help="Predict on the tokens of the gold data"),
    batch_size: int | None = typer.Option(None, "--batch-size", "-b", min=1, help="Texts a batch"),
) -> None:
    """
    Score a pipeline's entities, or one group of its spans, by the four SemEval schemas. The pipeline needs no scorer.
    """
    from ..report.console import is_terminal, print_scores, visible, write

    inputs = [data_path, Path(model), *([] if code_path is None else [code_path])]
    with messages_for_errors(), whole_file(output, *inputs) as file:
        with blame(f"Can't import {code_path}"):
            import_code(code_path)
        with blame(f"Can't use GPU {use_gpu}"):
            setup_gpu(use_gpu, silent=True)
        data = evaluate(
            model,
            data_path,
            spans_key=spans_key,
            labels=label or None,
            min_overlap=min_overlap,
            per_label=per_label.value,
            annotator=annotator,
            gold_preproc=gold_preproc,
            batch_size=batch_size,
            silent=False,
        )
        if file is not None:
            import srsly

            srsly.write_json(file, data)
    with messages_for_errors():
        msg = Printer(no_print=True, pretty=is_terminal(sys.stdout))
        if not STOCK_IS_KNOWN:
            unknown = "This spaCy's `evaluate` is not the one that we know: it is left as it is, without our tables."
            write(msg.warn(unknown), sys.stdout)
        print_scores(data, data["settings"]["attr"], sys.stdout)
        for hint in find_hints(data):
            write(msg.warn(visible(hint)), sys.stdout)
        if output is not None:
            write(msg.good(f"Saved scores to {output}"), sys.stdout)


def find_hints(data: dict[str, Any]) -> list[str]:
    """Say what makes scores of zero that are no scores of the model.

    data (dict[str, Any]): What `evaluate` returned.
    RETURNS (list[str]): The hints.
    """
    hints = []
    absent = [
        label for label, cells in data["per_label"].items() if not any(c["pos"] + c["act"] for c in cells.values())
    ]
    if absent:
        hints.append(f"Labels that occur neither in gold nor in predictions: {', '.join(map(repr, absent))}.")
    if not any(cell["act"] for cell in data["overall"].values()):
        hints.append("Nothing was predicted that could be scored. Does the pipeline set what is scored here?")
    if not any(cell["pos"] for cell in data["overall"].values()):
        hints.append("The gold data holds no span that could be scored. In JSONL they are under the key 'spans'.")
    return hints


def evaluate(
    model: str,
    data_path: Path,
    *,
    spans_key: str | None = None,
    labels: Iterable[str] | None = None,
    min_overlap: float = 0.0,
    per_label: str = "own_side",
    annotator: str | None = None,
    gold_preproc: bool = False,
    batch_size: int | None = None,
    silent: bool = True,
) -> dict[str, Any]:
    """Score a pipeline.

    model (str): Name or path of the pipeline.
    data_path (Path): Gold data: a .spacy file or a folder of them, or Prodigy's .jsonl.
    spans_key (str | None): Score doc.spans[spans_key] instead of doc.ents.
    labels, min_overlap, per_label: As in `score_spans`.
    annotator (str | None): Whose annotations to take from a .jsonl file that holds several.
    gold_preproc (bool): Whether predictions are made on the tokens of the gold data.
    batch_size (int | None): Texts a batch; None for the pipeline's own.
    silent (bool): Whether to show no progress bar. It is never shown outside a terminal.
    RETURNS (dict[str, Any]): The scores as `Scores.to_dict` gives them, "settings" with "attr" and "inputs".
    RAISES (SemevalError): If model or data cannot be used.
    """
    from spacy.util import load_model

    from ..docs import score_reading
    from ..engine.scores import Settings
    from ..errors import SemevalError

    settings = Settings(labels=labels, min_overlap=min_overlap, per_label=per_label)
    if annotator is not None and data_path.suffix != ".jsonl":
        raise SemevalError(f"Only a .jsonl file has annotators to choose from, and {data_path} is none.")
    if not data_path.exists():
        raise SemevalError(f"Can't find {data_path}.")
    with blame(f"Can't load the pipeline {model!r}"):
        nlp = load_model(model)
    pipe = _Pipe(nlp, batch_size, silent)
    if data_path.suffix == ".jsonl":
        read, skipped = _read_prodigy(pipe, data_path, spans_key, annotator, gold_preproc)
    elif data_path.suffix == ".spacy" or data_path.is_dir():
        read, skipped = _read_docbin(pipe, data_path, spans_key, gold_preproc)
    else:
        raise SemevalError(f"Can't tell the format of {data_path}. Known endings: {', '.join(ENDINGS)}.")
    data = score_reading(read, settings).to_dict()
    data["documents"].update(skipped)
    data["settings"]["attr"] = "ents" if spans_key is None else f"spans_{spans_key}"
    data["settings"]["inputs"] = {"model": str(model), "data": str(data_path), "annotator": annotator}
    return data


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


def _read_docbin(pipe: _Pipe, path: Path, spans_key: str | None, gold_preproc: bool) -> tuple[Reading, dict[str, int]]:
    from spacy.tokens import DocBin
    from spacy.training import Corpus
    from spacy.training.corpus import walk_corpus

    from ..docs import read_ents, read_spans
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
    return read, {reason: number for reason, number in left_out.items() if number}


def _count(docs: Iterable[Doc], spans_key: str | None) -> int:
    return sum(len(doc.ents if spans_key is None else doc.spans.get(spans_key, ())) for doc in docs)


def _read_prodigy(
    pipe: _Pipe, path: Path, spans_key: str | None, annotator: str | None, gold_preproc: bool
) -> tuple[Reading, dict[str, int]]:
    from ..docs import read_records
    from ..formats.docbin import make_tokens
    from ..formats.prodigy import read_prodigy

    dataset = read_prodigy(path, annotator)
    with blame("The pipeline's tokenizer failed"):
        nlp = pipe.nlp
        docs = [make_tokens(nlp, rec) if gold_preproc else nlp.make_doc(rec.text) for rec in dataset.records]
    pred_docs = pipe(docs)
    if spans_key is not None:
        _check_key(pred_docs, spans_key, "what the pipeline predicted")
    skipped = {f"skipped_{reason}": count for reason, count in sorted(dataset.skipped.items())}
    with blame("Can't read the predictions"):
        return read_records(dataset.records, pred_docs, spans_key), skipped


def _check_key(docs: Iterable[Doc], spans_key: str, where: str) -> None:
    from ..errors import SemevalError

    keys = _keys(docs)
    if spans_key not in keys:
        found = ", ".join(keys) or "none"
        raise SemevalError(f"No document of {where} has the spans key {spans_key!r}. Keys found: {found}.")


def _keys(docs: Iterable[Doc]) -> list[str]:
    return sorted({key for doc in docs for key in doc.spans})
