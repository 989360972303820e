"""The report of the CoNLL evaluation script, compared with seqeval on valid tags."""

import re
from random import Random

import pytest
from seqeval.metrics import accuracy_score, classification_report

from spacy_semeval import score_tags
from spacy_semeval.report.conll import TokenCounts, conll_report

GOLD = [["B-PER", "I-PER", "O", "B-LOC"], ["O", "B-ORG", "O"]]
PRED = [["B-PER", "O", "O", "B-LOC"], ["O", "B-LOC", "B-ORG"]]


def report(gold, pred):
    pairs = [pair for tags in zip(gold, pred) for pair in zip(*tags)]
    tokens = TokenCounts(len(pairs), sum(own == other for own, other in pairs))
    return conll_report({**score_tags(gold, pred).to_dict(), "conll": tokens._asdict()})


def test_the_layout_of_the_script():
    assert report(GOLD, PRED).splitlines() == [
        "processed 7 tokens with 3 phrases; found: 4 phrases; correct: 1.",
        "accuracy:  57.14%; precision:  25.00%; recall:  33.33%; FB1:  28.57",
        "              LOC: precision:  50.00%; recall: 100.00%; FB1:  66.67  2",
        "              ORG: precision:   0.00%; recall:   0.00%; FB1:   0.00  1",
        "              PER: precision:   0.00%; recall:   0.00%; FB1:   0.00  1",
    ]


def test_without_tokens():
    data = {**score_tags(GOLD, PRED).to_dict(), "conll": {"tokens": None, "correct": None}}
    first, second = conll_report(data).splitlines()[:2]
    assert first == "processed 3 phrases; found: 4 phrases; correct: 1."
    assert second == "precision:  25.00%; recall:  33.33%; FB1:  28.57"


def test_nothing_at_all():
    assert conll_report({**score_tags([], []).to_dict(), "conll": {"tokens": 0, "correct": 0}}).splitlines() == [
        "processed 0 tokens with 0 phrases; found: 0 phrases; correct: 0.",
        "accuracy:   0.00%; precision:   0.00%; recall:   0.00%; FB1:   0.00",
    ]


def random_tags(rnd, length):
    tags = []
    while len(tags) < length:
        label = rnd.choice(["PER", "LOC", "ORG", None, None])
        more = rnd.randrange(3)
        tags += ["O"] * (more + 1) if label is None else [f"B-{label}", *[f"I-{label}"] * more]
    return tags[:length]


NUMBERS = re.compile(r"precision: +(\S+)%; recall: +(\S+)%; FB1: +(\S+)")


@pytest.mark.parametrize("seed", range(20))
def test_equal_to_seqeval_on_valid_tags(seed):
    rnd = Random(seed)
    lengths = [rnd.randrange(1, 15) for _ in range(20)]
    gold, pred = ([random_tags(rnd, length) for length in lengths] for _ in range(2))
    for tags in zip(gold, pred):  # so that something is right
        if rnd.random() < 0.5:
            tags[1][:] = tags[0]
    want = classification_report(gold, pred, output_dict=True, zero_division=0)
    found = {}
    for line in report(gold, pred).splitlines()[1:]:
        name = line.split(":")[0].strip()
        found["micro avg" if name == "accuracy" else name] = [float(n) for n in NUMBERS.search(line).groups()]
        if name == "accuracy":
            assert float(line.split()[1][:-2]) == pytest.approx(100 * accuracy_score(gold, pred), abs=0.005001)
    assert set(found) == set(want) - {"macro avg", "weighted avg"}
    scores = score_tags(gold, pred)
    for name, average in (("macro avg", scores.macro), ("weighted avg", scores.weighted)):
        own = (average["strict"].p, average["strict"].r, average["strict"].f)
        assert own == pytest.approx([want[name][score] for score in ("precision", "recall", "f1-score")])
    for name, numbers in found.items():
        own = [100 * float(want[name][score]) for score in ("precision", "recall", "f1-score")]
        assert numbers == pytest.approx(own, abs=0.005001)
