"""What docs/semantics.md says is always true."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracle import SCHEMAS, best_pairings, count, per_label
from strategies import corpora, documents, sides

from spacy_semeval import score_spans
from spacy_semeval.engine.align import optimal
from spacy_semeval.engine.spans import make_tables, read_documents

pytestmark = pytest.mark.fuzz
COUNTS = ("cor", "inc", "par", "mis", "spu")


def counts(scores):
    return {schema: {name: getattr(cell, name) for name in COUNTS} for schema, cell in scores.overall.items()}


@given(documents(4), documents(4), st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0]))
def test_overall_counts_are_those_of_every_best_pairing(gold, pred, min_overlap):
    got = counts(score_spans([gold], [pred], min_overlap=min_overlap))
    for pairing in best_pairings(gold, pred, min_overlap):
        assert got == {schema: count(schema, pairing, gold, pred) for schema in SCHEMAS}


@given(documents(4, width=4), documents(4, width=4))
def test_per_label_counts_are_those_of_a_best_pairing(gold, pred):
    scores = score_spans([gold], [pred])
    got = {}
    for schema in SCHEMAS:
        got[schema] = {}
        for label, cells in scores.per_label.items():
            cell = cells[schema]
            sides_of = {"gold": ("cor", "inc", "par", "mis"), "pred": ("pred_cor", "pred_inc", "pred_par", "spu")}
            for side, names in sides_of.items():
                for name in names:
                    if getattr(cell, name):
                        got[schema][label, side, name.removeprefix("pred_")] = getattr(cell, name)
    possible = [
        {schema: per_label(schema, pairing, gold, pred) for schema in SCHEMAS} for pairing in best_pairings(gold, pred)
    ]
    assert got in possible


@given(documents(5, width=6), documents(5, width=6))
def test_of_equal_pairings_the_leftmost_is_taken(gold, pred):
    gold, pred = sorted(set(gold)), sorted(set(pred))
    tables = make_tables(read_documents([gold], "gold"), read_documents([pred], "pred"))
    taken = sum(int(side.sum()) for side in optimal(*tables))
    possible = [sum(gold.index(g) + pred.index(p) for g, p in pairing) for pairing in best_pairings(gold, pred)]
    assert taken == min(possible)


@given(corpora())
def test_outcomes_add_up_to_the_spans(corpus):
    gold, pred = sides(corpus)
    scores = score_spans(gold, pred)
    for cell in scores.overall.values():
        assert cell.pos == cell.cor + cell.inc + cell.par + cell.mis == sum(len(set(doc)) for doc in gold)
        assert cell.act == cell.cor + cell.inc + cell.par + cell.spu == sum(len(set(doc)) for doc in pred)
    assert scores.documents["duplicate_spans"] == sum(len(doc) - len(set(doc)) for doc in [*gold, *pred])


@given(corpora())
def test_missed_and_spurious_are_the_same_under_every_schema(corpus):
    cells = score_spans(*sides(corpus)).overall.values()
    assert len({(cell.mis, cell.spu) for cell in cells}) == 1


@given(corpora())
def test_schemas_are_ordered(corpus):
    f = {schema: cell.f for schema, cell in score_spans(*sides(corpus)).overall.items()}
    assert f["strict"] <= f["exact"] <= f["partial"]
    assert f["strict"] <= f["type"]


@given(corpora(most=7))
def test_swapping_gold_and_pred_swaps_the_sides(corpus):
    gold, pred = sides(corpus)
    there, back = score_spans(gold, pred).overall, score_spans(pred, gold).overall
    for schema in SCHEMAS:
        a, b = there[schema], back[schema]
        assert (a.cor, a.inc, a.par, a.mis, a.spu) == (b.cor, b.inc, b.par, b.spu, b.mis)
        assert (a.p, a.r) == (b.r, b.p)
        assert a.f == pytest.approx(b.f)


@given(corpora(most=7), st.randoms(use_true_random=False))
def test_order_changes_nothing(corpus, rnd):
    shuffled = [(rnd.sample(gold, len(gold)), rnd.sample(pred, len(pred))) for gold, pred in corpus]
    rnd.shuffle(shuffled)
    assert score_spans(*sides(shuffled)) == score_spans(*sides(corpus))


@given(corpora(), st.permutations("ABC"))
def test_renaming_labels_changes_no_overall_count(corpus, names):
    new = dict(zip("ABC", names))
    renamed = [[[(s, e, new[label]) for s, e, label in doc] for doc in pair] for pair in corpus]
    assert counts(score_spans(*sides(renamed))) == counts(score_spans(*sides(corpus)))


@given(corpora())
def test_erasing_labels_changes_no_count_of_exact_and_partial(corpus):
    one_each = [[list({span[:2]: span for span in doc}.values()) for doc in pair] for pair in corpus]
    erased = [[[(s, e, "X") for s, e, _ in doc] for doc in pair] for pair in one_each]
    got, want = counts(score_spans(*sides(erased))), counts(score_spans(*sides(one_each)))
    assert {s: got[s] for s in ("exact", "partial")} == {s: want[s] for s in ("exact", "partial")}


@given(corpora(), st.sampled_from(["own_side", "gold_side"]))
def test_labels_add_up_to_the_whole(corpus, rule):
    scores = score_spans(*sides(corpus), per_label=rule)
    for schema, whole in scores.overall.items():
        for name in (*COUNTS, "pred_cor", "pred_inc", "pred_par"):
            assert sum(getattr(cells[schema], name) for cells in scores.per_label.values()) == getattr(whole, name)


@given(corpora(), corpora())
def test_parts_add_up_to_the_whole(one, other):
    whole = score_spans(*sides(one + other), per_document=True)
    assert score_spans(*sides(one), per_document=True) + score_spans(*sides(other), per_document=True) == whole


@given(corpora())
def test_documents_add_up_to_the_whole(corpus):
    scores = score_spans(*sides(corpus), per_document=True)
    for schema, cell in scores.overall.items():
        table = scores.per_document[schema]
        assert table.shape == (len(corpus), 5)
        assert table.sum(axis=0).tolist() == [getattr(cell, name) for name in COUNTS]


@given(corpora(), st.lists(st.sampled_from("ABCD"), min_size=1))
def test_labels_asked_for_are_counted_as_in_the_whole(corpus, labels):
    whole, some = score_spans(*sides(corpus)), score_spans(*sides(corpus), labels=labels)
    assert list(some.per_label) == sorted(set(labels))
    for label, cells in some.per_label.items():
        for schema, cell in cells.items():
            all_labels = whole.per_label.get(label, {}).get(schema)
            assert cell.pos == (all_labels.pos if all_labels else 0)
            assert cell.act == (all_labels.act if all_labels else 0)
            assert cell.cor == (all_labels.cor if all_labels else 0)
            assert cell.mis == (all_labels.mis if all_labels else 0)
    for schema, cell in some.overall.items():
        assert cell.pos == sum(cells[schema].pos for cells in some.per_label.values())
        assert cell.act >= sum(cells[schema].act for cells in some.per_label.values())


@given(corpora())
def test_saved_scores_are_equal_scores(corpus):
    import json

    scores = score_spans(*sides(corpus), beta=2.0, min_overlap=0.5)
    assert type(scores).from_dict(json.loads(json.dumps(scores.to_dict(), allow_nan=False))) == scores
