"""Print how long `semeval agreement` takes for ten annotators, with and without the bootstrap, and how much memory.

Run it from the project's folder, after `pip install -e ".[dev]"`: python benchmarks/agreement.py
A file of 20,000 records, of 2,000 texts with about 10 spans each, is made from a fixed seed in a temporary folder.
"""

from __future__ import annotations

import json
import random
import sys
import tempfile
from pathlib import Path
from typing import Any

from score_datasets import LABELS, change, make_record, run

N_ANNOTATORS = 10
N_DOCUMENTS = 2_000
N_WORDS = (60, 64)
SAMPLES = 1_000


def make_spans(rnd: random.Random, tokens: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """About ten spans of one to three tokens."""
    spans = []
    for first in range(1, len(tokens) - 4, 6):
        last = first + rnd.randrange(3)
        boundaries = {"start": tokens[first]["start"], "end": tokens[last]["end"]}
        spans.append({**boundaries, "token_start": first, "token_end": last, "label": rnd.choice(LABELS)})
    return spans


def write_file(path: Path) -> int:
    """Write the records; RETURNS (int): the number of spans in them."""
    rnd = random.Random(7)
    n_spans = 0
    with path.open("w", encoding="utf8") as file:
        for number in range(1, N_DOCUMENTS + 1):
            record = make_record(rnd, number, N_WORDS)
            spans = make_spans(rnd, record["tokens"])
            for annotator in range(N_ANNOTATORS):
                own = [change(rnd, span, record["tokens"]) for span in spans if rnd.random() < 0.95]
                n_spans += len(own)
                end = {"spans": own, "answer": "accept", "_view_id": "ner_manual", "_annotator_id": f"set-{annotator}"}
                file.write(json.dumps({**record, **end}) + "\n")
    return n_spans


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "set.jsonl"
        n_spans = write_file(path)
        print(
            f"{N_ANNOTATORS} annotators, {N_DOCUMENTS:,} documents, {n_spans:,} spans, "
            f"{path.stat().st_size / 1e6:.0f} MB; whole processes, the fastest of 3 runs"
        )
        for samples in (0, SAMPLES):
            command = [sys.executable, "-m", "spacy", "semeval", "agreement", str(path), "--bootstrap", str(samples)]
            seconds, memory = run(command)
            print(f"{samples:>5,} samples {seconds:>6.2f} s (goal < 20) {memory:>6.0f} MB (goal < 1,000)")


if __name__ == "__main__":
    main()
