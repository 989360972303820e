import numpy as np
import oracle_of_agreement as oracle
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import corpora, documents, sides

from spacy_semeval import score_spans
from spacy_semeval.agreement.span_f1 import MATCHES, RATIOS, RULES, Threshold, count_pair, count_pairs
from spacy_semeval.engine.spans import read_documents, tabulate
from spacy_semeval.errors import SettingsError


def count(a, b, threshold=None):
    """The counts of two annotators of the same documents."""
    tables = tabulate([read_documents(a, "a"), read_documents(b, "b")])
    shared = np.ones(len(a), dtype=bool)
    return count_pair(("a", "b"), *tables, shared, threshold or Threshold())


def found(a, b, rule, **threshold):
    return count([a], [b], Threshold(**threshold)).found[rule][0]


A = [(0, 11, "PER"), (19, 34, "ORG"), (38, 46, "LOC")]
B = [(0, 11, "PER"), (19, 29, "ORG"), (38, 46, "ORG")]


def test_counts_by_hand():
    pair = count([A], [B])
    assert {rule: pair.found[rule].tolist() for rule in RULES} == {
        "strict": [2],
        "exact": [4],
        "partial": [5],
        "type": [4],
        "overlap": [6],
        "overlap_typed": [4],
        "iou": [6],
        "iou_typed": [4],
    }
    assert (pair.spans.tolist(), pair.differences.tolist()) == ([6], [2])


def test_counts_per_label_are_those_of_each_spans_own_label():
    pair = count([A], [B])
    assert pair.label_spans.tolist() == [1, 3, 2]  # LOC, ORG, PER
    assert {rule: pair.label_found[rule].tolist() for rule in ("strict", "exact", "partial", "type")} == {
        "strict": [0, 0, 2],
        "exact": [1, 1, 2],
        "partial": [1, 2, 2],
        "type": [0, 2, 2],
    }


def test_labels_that_met():
    pair = count([[*A, (50, 52, "LOC")]], [[*B, (60, 61, "PER")]])
    loc, org, per = range(3)
    assert pair.labels_met == {(per, per): 1, (org, org): 1, (loc, org): 1, (-1, loc): 1, (-1, per): 1}


def test_as_many_pairs_as_there_can_be():
    assert found([(0, 10, "A"), (0, 4, "A")], [(0, 4, "A"), (5, 10, "A")], "overlap") == 4
    # The span that both have is not paired with itself: each takes another one, so that there are two pairs.
    same, left, right = (0, 10, "A"), (0, 3, "A"), (6, 9, "A")
    assert found([same, left], [same, right], "overlap") == 4
    assert found([same, left], [same, right], "strict") == 2


@pytest.mark.parametrize(("ratio", "least"), [("iou", 4 / 8), ("dice", 8 / 12), ("min", 4 / 6), ("max", 4 / 6)])
def test_ratios(ratio, least):
    a, b = [(0, 6, "A")], [(2, 8, "B")]
    assert found(a, b, "iou", ratio=ratio, least=least) == 2
    assert found(a, b, "iou", ratio=ratio, least=least + 1e-9) == 0
    assert found(a, b, "iou_typed", ratio=ratio, least=least) == 0


def test_longer_and_shorter():
    a, b = [(0, 10, "A")], [(0, 2, "A")]
    assert found(a, b, "iou", ratio="max", least=1.0) == 2
    assert found(a, b, "iou", ratio="min", least=0.2) == 2
    assert found(a, b, "iou", ratio="min", least=0.21) == 0


@pytest.mark.parametrize("wrong", [{"ratio": "jaccard"}, {"least": 0}, {"least": 1.1}, {"least": True}, {"least": "1"}])
def test_wrong_thresholds(wrong):
    with pytest.raises(SettingsError, match="Expected the"):
        Threshold(**wrong)


def test_nan_is_no_threshold():
    with pytest.raises(SettingsError):
        Threshold(least=float("nan"))


def test_only_what_both_saw_counts():
    tables = tabulate([read_documents([[(0, 1, "A")], [(0, 1, "A")]], name) for name in "abc"])
    seen = np.array([[True, True], [True, False], [False, True]])
    pairs = count_pairs("abc", tables, seen, Threshold())
    assert [pair.annotators for pair in pairs] == [("a", "b"), ("a", "c")]
    assert [pair.spans.tolist() for pair in pairs] == [[2, 0], [0, 2]]
    assert [pair.found["strict"].tolist() for pair in pairs] == [[2, 0], [0, 2]]


@pytest.mark.fuzz
@given(corpora())
def test_schemas_are_those_of_the_engine(corpus):
    a, b = sides(corpus)
    pair, scores = count(a, b), score_spans(a, b, per_document=True)
    for schema, cell in scores.overall.items():
        assert pair.found[schema].sum() == 2 * cell.cor + cell.par
        # COR and PAR of each document
        assert pair.found[schema].tolist() == (scores.per_document[schema][:, [0, 2]] @ [2, 1]).tolist()
        assert pair.spans.sum() == cell.pos + cell.act
    strict = scores.per_document["strict"]
    assert pair.differences.tolist() == strict[:, 1:].sum(axis=1).tolist()
    assert sum(pair.labels_met.values()) == scores.overall["strict"].pos + scores.overall["strict"].spu


@pytest.mark.fuzz
@given(documents(5, width=6), documents(5, width=6), st.sampled_from(RATIOS), st.sampled_from([0.25, 0.5, 0.75, 1.0]))
def test_matches_are_as_many_as_there_can_be(a, b, ratio, least):
    pair = count([a], [b], Threshold(ratio, least))
    assert {rule: pair.found[rule][0] / 2 for rule in MATCHES} == oracle.matches(a, b, ratio, least)


@pytest.mark.fuzz
@given(corpora(), st.sampled_from(RATIOS), st.sampled_from([0.3, 0.5, 1.0]))
def test_swapping_changes_nothing(corpus, ratio, least):
    a, b = sides(corpus)
    one, two = count(a, b, Threshold(ratio, least)), count(b, a, Threshold(ratio, least))
    for rule in RULES:
        assert one.found[rule].tolist() == two.found[rule].tolist()
    assert one.differences.tolist() == two.differences.tolist()


@pytest.mark.fuzz
@given(corpora())
def test_rules_are_ordered_and_labels_add_up(corpus):
    pair = count(*sides(corpus))
    total = {rule: pair.found[rule].sum() for rule in RULES}
    assert total["strict"] <= total["exact"] <= total["partial"] <= total["overlap"]
    assert total["strict"] <= total["type"] <= total["overlap_typed"] <= total["overlap"]
    assert total["strict"] <= total["iou_typed"] <= total["iou"] <= total["overlap"]
    for rule in RULES:
        assert pair.label_found[rule].sum() == total[rule]
        assert (pair.label_found[rule] <= pair.label_spans).all()
    assert pair.label_spans.sum() == pair.spans.sum()


@pytest.mark.fuzz
@given(st.lists(documents(), min_size=1, max_size=4))
def test_equal_spans_and_only_they_agree_fully(annotations):
    pair = count(annotations, annotations)
    assert all((pair.found[rule] == pair.spans).all() for rule in RULES)
    assert not pair.differences.any()


@pytest.mark.fuzz
@given(documents(), documents())
def test_strict_f1_is_1_only_for_equal_spans(a, b):
    pair = count([a], [b])
    assert (pair.found["strict"][0] == pair.spans[0]) == (set(a) == set(b))
