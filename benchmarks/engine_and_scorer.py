"""Print how fast the engine and the scorer are beside nervaluate and spaCy's own entity scorer, in one run.

Run it from the project's folder, after `pip install -e ".[dev]"`: python benchmarks/engine_and_scorer.py
Every figure is the best of several runs on data generated from a fixed seed. Ratios are what counts: the times depend
on the machine.
"""

from __future__ import annotations

import gc
import random
from collections.abc import Callable
from functools import partial
from time import perf_counter
from typing import Any

import numpy as np
import spacy
from nervaluate import Evaluator
from spacy.scorer import get_ner_prf
from spacy.tokens import Doc, Span
from spacy.training import Example

from spacy_semeval import score_examples, score_spans
from spacy_semeval.engine.scores import Settings
from spacy_semeval.engine.scoring import score_tables
from spacy_semeval.engine.spans import SpanTable, make_tables, read_documents

LABELS = ["DRUG", "BRAND", "GROUP", "DOSE", "FORM"]
Document = list[tuple[int, int, str]]


def best_of(runs: int, task: Callable[[], Any]) -> float:
    """RETURNS (float): Seconds of the fastest run."""
    seconds = []
    for _ in range(runs):
        gc.collect()
        started = perf_counter()
        task()
        seconds.append(perf_counter() - started)
    return min(seconds)


def make_documents(rnd: random.Random, n_docs: int, n_spans: int) -> tuple[list[Document], list[Document]]:
    """Make gold spans and predictions that are right, moved, relabelled, missing or invented."""
    gold, pred = [], []
    for _ in range(n_docs):
        spans: Document = []
        guesses: Document = []
        for i in range(n_spans):
            start = 40 * i + rnd.randrange(10)
            span = (start, start + rnd.randrange(3, 20), rnd.choice(LABELS))
            spans.append(span)
            luck = rnd.random()
            if luck < 0.6:
                guesses.append(span)
            elif luck < 0.75:
                guesses.append((span[0], span[1] + rnd.randrange(1, 6), span[2]))
            elif luck < 0.9:
                guesses.append((span[0], span[1], rnd.choice(LABELS)))
        if rnd.random() < 0.3:
            start = 40 * n_spans + rnd.randrange(10)
            guesses.append((start, start + 5, rnd.choice(LABELS)))
        gold.append(spans)
        pred.append(guesses)
    return gold, pred


def as_dicts(documents: list[Document]) -> list[list[dict[str, Any]]]:
    """The same spans as nervaluate's `dict` loader wants them, ends inclusive."""
    return [[{"start": s, "end": e - 1, "label": label} for s, e, label in spans] for spans in documents]


def make_table(rnd: np.random.Generator, n_docs: int, n_spans: int) -> SpanTable:
    """A table of flat spans, `n_spans` a document."""
    start = 40 * np.tile(np.arange(n_spans), n_docs) + rnd.integers(0, 10, n_docs * n_spans)
    end = start + rnd.integers(3, 20, len(start))
    label = rnd.integers(0, len(LABELS), len(start))
    return SpanTable.build(n_docs, tuple(sorted(LABELS)), np.repeat(np.arange(n_docs), n_spans), start, end, label)


def make_examples(rnd: random.Random, n_docs: int, n_tokens: int) -> list[tuple[Doc, Doc]]:
    """Predicted and reference Docs of the same tokens, with a few entities each."""
    nlp = spacy.blank("en")
    pairs = []
    for _ in range(n_docs):
        words = [rnd.choice(["take", "aspirin", "with", "water", "daily", "or", "warfarin"]) for _ in range(n_tokens)]
        docs = []
        for _ in range(2):
            doc = Doc(nlp.vocab, words=words)
            starts = [i for i in range(0, n_tokens - 3, 4) if rnd.random() < 0.4]
            doc.set_ents([Span(doc, i, i + rnd.randrange(1, 4), label=rnd.choice(LABELS)) for i in starts])
            docs.append(doc)
        pairs.append((docs[0], docs[1]))
    return pairs


def report(what: str, ours: float, theirs: float, goal: str, as_share: bool) -> None:
    figure = f"{ours / theirs:.2f} of its time" if as_share else f"{theirs / ours:.0f} times as fast"
    print(f"{what:<68} {1000 * ours:>9.2f} ms {1000 * theirs:>9.2f} ms   {figure}  (goal {goal})")


def against_nervaluate() -> None:
    gold, pred = make_documents(random.Random(1), 5000, 3)
    gold_dicts, pred_dicts = as_dicts(gold), as_dicts(pred)
    theirs = best_of(3, lambda: Evaluator(gold_dicts, pred_dicts, tags=LABELS, loader="dict").evaluate())
    ours = best_of(15, lambda: score_spans(gold, pred))
    report("score_spans, 5,000 documents of tuples, against nervaluate", ours, theirs, ">= 40 times", False)
    tables = make_tables(read_documents(gold, "gold"), read_documents(pred, "pred"))
    ours = best_of(15, lambda: score_tables(*tables, Settings()))
    report("engine alone, the same as tables, against nervaluate", ours, theirs, ">= 150 times", False)


def against_get_ner_prf() -> None:
    pairs = make_examples(random.Random(2), 2000, 25)
    warm = [Example(pred, gold) for pred, gold in pairs]
    get_ner_prf(warm)
    theirs, ours = best_of(9, lambda: get_ner_prf(warm)), best_of(9, lambda: score_examples(warm))
    report("our part of the scorer, 2,000 warm Examples, against get_ner_prf", ours, theirs, "<= 0.7", True)
    # An Example keeps the alignment that get_ner_prf asks for: each run gets new ones, made before the clock starts.
    cold = [[Example(pred, gold) for pred, gold in pairs] for _ in range(10)]
    theirs = best_of(5, lambda: get_ner_prf(cold.pop()))
    ours = best_of(5, lambda: score_examples(cold.pop()))
    report("the same with cold Examples", ours, theirs, "<= 0.3", True)


def growth() -> None:
    print("\nengine alone, from 10,000 to 10,000,000 spans a side (goal: linear)")
    for n_docs in (2_000, 20_000, 200_000, 2_000_000):
        rnd = np.random.default_rng(3)
        gold, pred = make_table(rnd, n_docs, 5), make_table(rnd, n_docs, 5)
        seconds = best_of(3 if n_docs < 1_000_000 else 1, partial(score_tables, gold, pred, Settings()))
        print(f"{len(gold):>12,} spans {1000 * seconds:>10.2f} ms {1e9 * seconds / len(gold):>8.0f} ns a span")
    gold, pred = make_documents(random.Random(4), 1, 4000)
    seconds = best_of(9, lambda: score_spans(gold, pred))
    print(f"one document of 4,000 spans {1000 * seconds:>8.2f} ms (goal < 100 ms)")


if __name__ == "__main__":
    print(f"{'':<68} {'ours':>12} {'theirs':>12}")
    against_nervaluate()
    against_get_ner_prf()
    growth()
