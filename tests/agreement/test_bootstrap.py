import numpy as np
import pytest

from spacy_semeval.agreement import bootstrap as module
from spacy_semeval.agreement.bootstrap import bootstrap
from spacy_semeval.agreement.span_f1 import Threshold, count_pairs
from spacy_semeval.engine.spans import read_documents, tabulate


def counted(*annotators):
    """The pairs of annotators who saw the documents that are not None."""
    documents = [[doc or [] for doc in own] for own in annotators]
    names = [str(i) for i in range(len(annotators))]
    tables = tabulate([read_documents(own, name) for name, own in zip(names, documents)])
    seen = np.array([[doc is not None for doc in own] for own in annotators])
    return count_pairs(names, tables, seen, Threshold())


SAME, OTHER = [(0, 1, "A")], [(3, 4, "A")]
MIXED = counted([SAME] * 20, [SAME] * 10 + [OTHER] * 10)


def test_an_interval_around_the_mean():
    # Of 20 documents 10 agree: F1 of a sample is the share of those, with a standard error of sqrt(0.25 / 20).
    low, high = bootstrap(MIXED, ["strict"], 4000, 0)["strict"]
    assert (low, high) == pytest.approx((0.5 - 1.96 * 0.1118, 0.5 + 1.96 * 0.1118), abs=0.035)


def test_each_rule_has_its_own():
    found = bootstrap(counted([SAME] * 5, [[(0, 1, "B")]] * 5), ["strict", "exact"], 100, 0)
    assert found == {"strict": [0.0, 0.0], "exact": [1.0, 1.0]}


def test_the_seed_decides():
    assert bootstrap(MIXED, ["strict"], 50, 1) == bootstrap(MIXED, ["strict"], 50, 1)
    assert bootstrap(MIXED, ["strict"], 50, 1) != bootstrap(MIXED, ["strict"], 50, 2)


def test_batches_change_nothing(monkeypatch):
    whole = bootstrap(MIXED, ["strict", "overlap"], 103, 0)
    monkeypatch.setattr(module, "AT_ONCE", 200)
    numbers = []
    parts = bootstrap(MIXED, ["strict", "overlap"], 103, 0, lambda batches: (numbers.append(n) or n for n in batches))
    assert parts == whole
    assert numbers == list(range(0, 103, 10))


@pytest.mark.parametrize(
    ("pairs", "samples"), [(counted([SAME], [SAME]), 100), (MIXED, 0), (counted([[], []], [[], []]), 100), ([], 100)]
)
def test_what_has_no_interval(pairs, samples):
    assert bootstrap(pairs, ["strict"], samples, 0) == {"strict": None}


def test_documents_that_one_saw_are_not_drawn():
    unseen = [None] * 500
    pairs = counted([SAME] * 20 + unseen, [SAME] * 10 + [OTHER] * 10 + [SAME] * 500)
    assert bootstrap(pairs, ["strict"], 200, 3) == bootstrap(MIXED, ["strict"], 200, 3)


def test_a_pair_without_spans_in_a_sample_is_passed_over():
    # With the second document the pairs have 1, 0, 0; with the first one and without it, only one pair is defined, and
    # with the third one alone, none.
    pairs = counted([SAME, SAME, None], [SAME, SAME, []], [None, [], []])
    assert bootstrap(pairs, ["strict"], 200, 0)["strict"] == pytest.approx([1 / 3, 1.0])
