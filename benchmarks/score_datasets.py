"""Print how fast `semeval score` is beside a plain script with srsly and nervaluate, and how much memory it takes.

Run it from the project's folder, after `pip install -e ".[dev]"`: python benchmarks/score_datasets.py
Two files of 60,000 records each, as `db-out` writes them, are made from a fixed seed in a temporary folder. Ratios are
what counts: the times depend on the machine.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter
from typing import Any

N_RECORDS = 60_000
N_TOKENS = (16, 27)
LABELS = ["DRUG", "BRAND", "GROUP", "DOSE", "FORM"]
RUNS = 3

# What people write: read both files, find the spans of each input, hand them to nervaluate.
SCRIPT = """
import sys
import srsly
from nervaluate import Evaluator

gold, pred = ({r["_input_hash"]: r["spans"] for r in srsly.read_jsonl(path)} for path in sys.argv[1:])
sides = (
    [[{"label": s["label"], "start": s["start"], "end": s["end"] - 1} for s in side[key]] for key in gold]
    for side in (gold, pred)
)
labels = sorted({s["label"] for side in (gold, pred) for spans in side.values() for s in spans})
print(Evaluator(*sides, tags=labels, loader="dict").summary_report())
"""


def make_record(rnd: random.Random, number: int, n_tokens: tuple[int, int] = N_TOKENS) -> dict[str, Any]:
    """A text of invented words with its tokens, without spans."""
    words = [
        "".join(rnd.choices("abcdefghijklmnopqrstuvwxyzäß", k=rnd.randrange(2, 10)))
        for _ in range(rnd.randint(*n_tokens))
    ]
    tokens, at = [], 0
    for i, word in enumerate(words):
        tokens.append({"text": word, "start": at, "end": at + len(word), "id": i, "ws": True})
        at += len(word) + 1
    return {
        "text": " ".join(words),
        "meta": {"source": "generated"},
        "_input_hash": number,
        "_task_hash": -number,
        "tokens": tokens,
    }


def make_spans(rnd: random.Random, tokens: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """About three spans of one to three tokens."""
    spans = []
    for first in range(1, len(tokens) - 3, 6):
        if rnd.random() < 0.8:
            last = first + rnd.randrange(3)
            boundaries = {"start": tokens[first]["start"], "end": tokens[last]["end"]}
            spans.append({**boundaries, "token_start": first, "token_end": last, "label": rnd.choice(LABELS)})
    return spans


def change(rnd: random.Random, span: dict[str, Any], tokens: list[dict[str, Any]]) -> dict[str, Any]:
    """The span as another annotator sees it."""
    luck = rnd.random()
    if luck < 0.15:
        last = span["token_end"] + 1
        return {**span, "token_end": last, "end": tokens[last]["end"]}
    return {**span, "label": rnd.choice(LABELS)} if luck < 0.3 else span


def write_files(gold_path: Path, pred_path: Path) -> None:
    rnd = random.Random(7)
    end = {"answer": "accept", "_view_id": "ner_manual", "_timestamp": 1_700_000_000}
    with gold_path.open("w", encoding="utf8") as gold, pred_path.open("w", encoding="utf8") as pred:
        for number in range(1, N_RECORDS + 1):
            record = make_record(rnd, number)
            spans = make_spans(rnd, record["tokens"])
            other = [change(rnd, span, record["tokens"]) for span in spans if rnd.random() < 0.9]
            gold.write(json.dumps({**record, "spans": spans, **end}) + "\n")
            pred.write(json.dumps({**record, "spans": other, **end}) + "\n")


def run(command: list[str]) -> tuple[float, float]:
    """RETURNS (tuple[float, float]): Seconds of the fastest run, and the most memory that one took, in MB."""
    seconds, memory = [], []
    for _ in range(RUNS):
        started = perf_counter()
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        seconds.append(perf_counter() - started)
        memory.append(usage.ru_maxrss / 1024)
        if status:
            raise SystemExit(f"failed: {' '.join(command)}")
    return min(seconds), max(memory)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        gold, pred = Path(folder) / "gold.jsonl", Path(folder) / "pred.jsonl"
        write_files(gold, pred)
        sizes = " and ".join(f"{path.stat().st_size / 1e6:.0f}" for path in (gold, pred))
        print(f"two files of {N_RECORDS:,} lines, {sizes} MB; whole processes, the fastest of {RUNS} runs each")
        ours, memory = run([sys.executable, "-m", "spacy", "semeval", "score", str(gold), str(pred)])
        theirs, their_memory = run([sys.executable, "-c", SCRIPT, str(gold), str(pred)])
    for name, seconds, peak in (("semeval score", ours, memory), ("srsly and nervaluate", theirs, their_memory)):
        print(f"{name:<22} {seconds:>6.2f} s {peak:>6.0f} MB {2 * N_RECORDS / seconds:>9,.0f} lines a second")
    print(f"ratio {ours / theirs:.2f} (goal <= 0.35), peak memory {memory:.0f} MB (goal <= 400)")


if __name__ == "__main__":
    main()
