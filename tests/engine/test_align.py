import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nervaluate import Evaluator
from scipy.optimize import linear_sum_assignment
from strategies import documents

from spacy_semeval import SemevalError, registry, score_spans
from spacy_semeval.engine import align
from spacy_semeval.engine.align import optimal
from spacy_semeval.engine.schemas import Pairs
from spacy_semeval.engine.spans import make_tables, read_documents


def pairs(gold, pred, min_overlap=0.0):
    """The pairs of one document as spans."""
    tables = make_tables(read_documents([gold], "gold"), read_documents([pred], "pred"))
    left, right = (
        [(int(t.start[i]), int(t.end[i]), t.labels[t.label[i]]) for i in index]
        for t, index in zip(tables, optimal(*tables, min_overlap))
    )
    return sorted(zip(left, right))


def test_touching_is_not_overlapping():
    assert pairs([(0, 5, "DRUG")], [(5, 9, "DRUG")]) == []


def test_equal_spans_come_before_a_fragment_of_them():
    whole, fragment = (0, 10, "DRUG"), (4, 6, "DRUG")
    assert pairs([whole], [fragment, whole]) == [(whole, whole)]


def test_equal_boundaries_come_before_more_pairs():
    # The pred span could serve the second gold span too, and a third pairing would have two pairs.
    gold = [(0, 4, "DRUG"), (2, 8, "DRUG")]
    pred = [(2, 8, "GROUP")]
    assert pairs(gold, pred) == [((2, 8, "DRUG"), (2, 8, "GROUP"))]


def test_more_pairs_come_before_labels():
    # One pair with the right label, or two with wrong ones.
    gold = [(0, 6, "DRUG"), (5, 12, "BRAND")]
    pred = [(4, 8, "BRAND"), (1, 3, "GROUP")]
    assert len(pairs(gold, pred)) == 2
    assert ((0, 6, "DRUG"), (1, 3, "GROUP")) in pairs(gold, pred)


def test_labels_come_before_shared_characters():
    gold = [(0, 10, "DRUG")]
    pred = [(0, 9, "GROUP"), (8, 12, "DRUG")]
    assert pairs(gold, pred) == [((0, 10, "DRUG"), (8, 12, "DRUG"))]


def test_shared_characters_come_before_the_leftmost():
    gold = [(0, 10, "DRUG")]
    assert pairs(gold, [(0, 4, "DRUG"), (4, 9, "DRUG")]) == [((0, 10, "DRUG"), (4, 9, "DRUG"))]
    assert pairs(gold, [(0, 4, "DRUG"), (6, 10, "DRUG")]) == [((0, 10, "DRUG"), (0, 4, "DRUG"))]
    assert pairs([(0, 4, "DRUG"), (6, 10, "DRUG")], gold) == [((0, 4, "DRUG"), (0, 10, "DRUG"))]


def test_partners_of_equal_boundaries_are_chosen_with_their_neighbours():
    # Both gold spans of 0 to 4 may be the exact one; the other one is free for the longer DRUG.
    gold = [(0, 4, "BRAND"), (0, 4, "DRUG")]
    pred = [(0, 4, "GROUP"), (0, 6, "DRUG")]
    assert pairs(gold, pred) == [((0, 4, "BRAND"), (0, 4, "GROUP")), ((0, 4, "DRUG"), (0, 6, "DRUG"))]


def test_a_chain_takes_every_span_although_each_first_choice_is_taken():
    gold = [(i, i + 6, "DRUG") for i in range(0, 60, 5)]
    pred = [(i, i + 6, "DRUG") for i in range(4, 64, 5)]
    assert len(pairs(gold, pred)) == len(gold)


def test_documents_are_kept_apart():
    scores = score_spans([[(0, 5, "A")], []], [[], [(0, 5, "A")]])
    assert (scores.overall["strict"].mis, scores.overall["strict"].spu) == (1, 1)


@pytest.mark.parametrize(
    ("share", "chars", "found"),
    [(0.55, 55, 1), (0.55, 54, 0), (0.07, 7, 1), (0.29, 29, 1), (1.0, 99, 0), (1.0, 100, 1), (0.0, 1, 1)],
)
def test_min_overlap_is_a_share_of_the_gold_span(share, chars, found):
    assert len(pairs([(0, 100, "A")], [(100 - chars, 300, "A")], share)) == found


def test_min_overlap_looks_at_the_gold_side():
    assert len(pairs([(0, 4, "A")], [(0, 40, "A")], 1.0)) == 1
    assert len(pairs([(0, 40, "A")], [(0, 4, "A")], 1.0)) == 0


SOLVERS = [align._heaviest_matching, align._heaviest_matching_of_many]


@pytest.mark.parametrize("solve", SOLVERS)
@pytest.mark.parametrize("seed", range(20))
def test_matching_against_an_assignment(solve, seed):
    """Groups larger than can be tried out: the assignment problem with the same weights, and 0 where there is none."""
    rnd = random.Random(seed)
    n_rows, n_columns, density = rnd.randrange(1, 25), rnd.randrange(1, 25), rnd.choice([0.2, 0.8])
    weight = {(r, c): rnd.randrange(1, 50) for r in range(n_rows) for c in range(n_columns) if rnd.random() < density}
    weight.update({(r, rnd.randrange(n_columns)): 1 for r in range(n_rows)})
    table = np.zeros((n_rows, n_columns + n_rows))
    for place, value in weight.items():
        table[place] = value
    best = table[linear_sum_assignment(table, maximize=True)].sum()
    rows, columns = (list(side) for side in zip(*weight))
    matching = solve(rows, columns, list(weight.values()))
    assert len({row for row, _ in matching}) == len({column for _, column in matching}) == len(matching)
    assert sum(weight[pair] for pair in matching) == best


def test_weights_are_never_rounded():
    huge = 10**30
    rows, columns = [0, 0, 1, 1], [0, 1, 0, 1]
    assert align._heaviest_matching(rows, columns, [huge + 1, huge, huge, huge]) == [(0, 0), (1, 1)]
    assert align._heaviest_matching(rows, columns, [huge, huge + 1, huge, huge]) == [(0, 1), (1, 0)]


@pytest.mark.parametrize("exact_float", [2**50, 2**26, 0], ids=["with places", "without places", "own solver"])
@pytest.mark.parametrize("seed", range(10))
def test_large_groups_have_the_counts_of_small_ones(monkeypatch, seed, exact_float):
    rnd = random.Random(seed)
    sides = [
        [[(s, s + rnd.randrange(1, 9), rnd.choice("AB")) for s in (rnd.randrange(20) for _ in range(8))]]
        for _ in range(2)
    ]
    want = score_spans(*sides).overall
    monkeypatch.setattr(align, "FEW_EDGES", 0)
    monkeypatch.setattr(align, "EXACT_FLOAT", exact_float)
    assert score_spans(*sides).overall == want


@pytest.mark.parametrize("seed", range(5))
def test_counts_are_those_of_nervaluate_where_nothing_is_to_choose(seed):
    """An independent scorer, on documents in which each span meets one span of the other side at most."""
    rnd = random.Random(seed)
    labels = ["DRUG", "BRAND", "GROUP"]
    gold, pred = [], []
    for _ in range(100):
        sides = ([], [])
        for place in range(0, 60, 20):
            for side in sides:
                if rnd.random() < 0.8:
                    start = place + rnd.randrange(8)
                    side.append((start, start + rnd.randrange(1, 9), rnd.choice(labels)))
        gold.append(sides[0])
        pred.append(sides[1])
    theirs = Evaluator(
        *([[{"label": c, "start": a, "end": b - 1} for a, b, c in doc] for doc in side] for side in (gold, pred)),
        tags=labels,
        loader="dict",
    ).evaluate()["overall"]
    ours = score_spans(gold, pred).overall
    for schema, name in (("strict", "strict"), ("exact", "exact"), ("partial", "partial"), ("type", "ent_type")):
        cell, other = ours[schema], theirs[name]
        assert (cell.cor, cell.inc, cell.par) == (other.correct, other.incorrect, other.partial)
        assert (cell.mis, cell.spu) == (other.missed, other.spurious)
        assert (cell.p, cell.r) == pytest.approx((other.precision, other.recall))


def test_a_dense_group_of_hundreds_of_spans():
    """Hours of trying out; a moment for a solver."""
    rnd = random.Random(1)
    gold = sorted({(s, s + rnd.randrange(20, 60), "A") for s in (rnd.randrange(300) for _ in range(300))})
    pred = sorted({(s, s + rnd.randrange(20, 60), "B") for s in (rnd.randrange(300) for _ in range(300))})
    cell = score_spans([gold], [pred]).overall["partial"]
    back = score_spans([pred], [gold]).overall["partial"]
    assert (cell.cor, cell.par, cell.mis, cell.spu) == (back.cor, back.par, back.spu, back.mis)
    assert cell.cor == len({g[:2] for g in gold} & {p[:2] for p in pred})
    same = [[(0, 9, f"G{i}") for i in range(300)]], [[(0, 9, f"P{i}") for i in range(200)] + [(2, 9, "G7")]]
    assert (score_spans(*same).overall["exact"].cor, score_spans(*same).overall["type"].cor) == (200, 1)
    chain = [[(5 * i, 5 * i + 6, "A") for i in range(500)]], [[(5 * i + 4, 5 * i + 10, "B") for i in range(500)]]
    assert score_spans(*chain).overall["partial"].par == 500


@pytest.mark.parametrize(
    "returned",
    [
        ([0, 0], [0, 1]),
        ([0], [0, 1]),
        ([5], [0]),
        ([-1], [0]),
        ([0], [2]),
        ([[0]], [[0]]),
        ([0.7], [0.7]),
        ([0],),
        None,
        3,
    ],
    ids=["twice", "lengths", "outside", "negative", "other document", "shape", "float", "one side", "None", "scalar"],
)
def test_what_a_registered_aligner_returns_is_checked(returned):
    registry.aligners.register("bad.v1", func=lambda gold, pred, min_overlap: returned)
    gold, pred = [[(0, 4, "A"), (5, 9, "A")], []], [[(0, 4, "A"), (5, 9, "A")], [(0, 1, "A")]]
    with pytest.raises(SemevalError, match=r"bad\.v1"):
        score_spans(gold, pred, aligner="bad.v1")


def test_another_package_can_add_an_aligner():
    registry.aligners.register("none.v1", func=lambda gold, pred, min_overlap: (np.array([], int), np.array([], int)))
    cell = score_spans([[(0, 4, "A")]], [[(0, 4, "A")]], aligner="none.v1").overall["strict"]
    assert (cell.cor, cell.mis, cell.spu) == (0, 1, 1)


def nested(n, shift=0, label="A"):
    return [(i, 2 * n - i + shift, label) for i in range(n)]


def test_too_many_overlaps_are_refused():
    with pytest.raises(SemevalError, match="pairs of spans of the two sides overlap, more than can be aligned"):
        score_spans([nested(3000)], [nested(3000, 1)])


def test_the_same_spans_need_no_list_of_overlaps():
    gold, pred = nested(3000), nested(3000)[:-2] + [(2998, 3003, "B"), (6000, 6001, "C")]
    cells = score_spans([[], gold], [[], pred]).overall
    assert [(c.cor, c.inc, c.par, c.mis, c.spu) for c in cells.values()] == [
        (2998, 1, 0, 1, 1),
        (2998, 1, 0, 1, 1),
        (2998, 0, 1, 1, 1),
        (2998, 1, 0, 1, 1),
    ]


@pytest.mark.fuzz
@given(documents(), documents(), st.sampled_from([0.0, 0.5]))
def test_the_way_around_is_as_good(gold, pred, min_overlap):
    tables = make_tables(read_documents([gold], "gold"), read_documents([pred], "pred"))
    same = align._find_same(*tables)
    found = align._align_others(*tables, *same, min_overlap)
    levels = []
    for alignment in (found, optimal(*tables, min_overlap)):
        pairs = Pairs.take(*tables, *alignment)
        strict = pairs.same_boundaries & pairs.same_label
        sums = [column.sum() for column in (strict, pairs.same_boundaries, pairs.same_label, pairs.shared)]
        levels.append([len(pairs), *sums])
    assert levels[0] == levels[1]
    assert levels[0][1] == len(same[0])
