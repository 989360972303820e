import json

import pytest

from spacy_semeval import Counts, Scores, SemevalError, score_spans
from spacy_semeval.engine.scores import Settings, f_beta, ratio

GOLD = [[(0, 7, "BRAND")], [(3, 11, "DRUG"), (20, 25, "DRUG")], [(0, 9, "GROUP")]]
PRED = [[(0, 7, "DRUG")], [(3, 9, "DRUG")], [(0, 9, "GROUP"), (12, 15, "GROUP")]]


def test_counts_come_before_ratios():
    """BRAND labelled DRUG, DRUG cut short, DRUG missed, GROUP right, GROUP invented."""
    got = {s: (c.cor, c.inc, c.par, c.mis, c.spu, c.pos, c.act) for s, c in score_spans(GOLD, PRED).overall.items()}
    assert got == {
        "strict": (1, 2, 0, 1, 1, 4, 4),
        "exact": (2, 1, 0, 1, 1, 4, 4),
        "partial": (2, 0, 1, 1, 1, 4, 4),
        "type": (2, 1, 0, 1, 1, 4, 4),
    }
    partial = score_spans(GOLD, PRED).overall["partial"]
    assert (partial.p, partial.r, partial.f) == pytest.approx((2.5 / 4, 2.5 / 4, 2.5 / 4))


def test_published_scenarios():
    """The six scenarios that the literature on these schemas goes through, and the results given for them."""
    gold = [[(10, 17, "BRAND")], [], [(5, 13, "DRUG")], [(5, 13, "DRUG")], [(5, 13, "DRUG")], [(5, 19, "GROUP")]]
    pred = [[], [(10, 17, "BRAND")], [(2, 13, "DRUG")], [(5, 13, "BRAND")], [(5, 13, "DRUG")], [(0, 19, "DRUG")]]
    got = {s: (c.cor, c.inc, c.par, c.mis, c.spu, round(c.f, 4)) for s, c in score_spans(gold, pred).overall.items()}
    assert got == {
        "strict": (1, 3, 0, 1, 1, 0.2),
        "exact": (2, 2, 0, 1, 1, 0.4),
        "partial": (2, 0, 2, 1, 1, 0.6),
        "type": (2, 2, 0, 1, 1, 0.4),
    }


def test_own_side_gives_each_span_to_its_own_label():
    """A model that calls everything PER has no perfect PER."""
    gold, pred = [[(0, 3, "ORG")]] * 100 + [[(0, 3, "PER")]] * 10, [[(0, 3, "PER")]] * 110
    labels = score_spans(gold, pred).per_label
    per, org = labels["PER"]["strict"], labels["ORG"]["strict"]
    assert (per.cor, per.inc, per.pred_cor, per.pred_inc, per.pos, per.act) == (10, 0, 10, 100, 10, 110)
    assert (org.cor, org.inc, org.pred_cor, org.pred_inc, org.pos, org.act) == (0, 100, 0, 0, 100, 0)
    assert (per.p, per.r, org.p, org.r) == pytest.approx((10 / 110, 1.0, 0.0, 0.0))
    assert labels["PER"]["exact"].p == pytest.approx(1.0)


def test_gold_side_gives_a_pair_to_its_gold_label():
    gold, pred = [[(0, 3, "ORG")]] * 100 + [[(0, 3, "PER")]] * 10, [[(0, 3, "PER")]] * 110
    labels = score_spans(gold, pred, per_label="gold_side").per_label
    per, org = labels["PER"]["strict"], labels["ORG"]["strict"]
    assert (per.pos, per.act, per.p, per.r) == (10, 10, 1.0, 1.0)
    assert (org.inc, org.pos, org.act, org.p, org.r) == (100, 100, 100, 0.0, 0.0)


def test_macro_and_weighted_are_means_over_labels():
    scores = score_spans(GOLD, PRED)
    # Strict: BRAND 0 of 1; DRUG 0 of 2; GROUP P 1/2, R 1.
    assert scores.macro["strict"].p == pytest.approx((0 + 0 + 0.5) / 3)
    assert scores.macro["strict"].r == pytest.approx((0 + 0 + 1) / 3)
    assert scores.macro["strict"].f == pytest.approx((0 + 0 + 2 / 3) / 3)
    assert scores.weighted["strict"].f == pytest.approx((0 * 1 + 0 * 2 + 1 * 2 / 3) / 4)


def test_macro_is_the_mean_of_the_table():
    scores = score_spans([[(0, 3, "A")]], [[(0, 3, "A")]], labels=["A", "NEVER"])
    assert scores.per_label["NEVER"]["strict"].pos == 0
    assert (scores.macro["strict"].f, scores.weighted["strict"].f) == (0.5, 1.0)
    # Under the gold side a label that is only ever a wrong prediction has no spans of its own, and still is a label.
    side = score_spans([[(0, 3, "A")]], [[(0, 3, "B")]], per_label="gold_side")
    assert list(side.per_label) == ["A", "B"]
    assert (side.macro["exact"].f, side.weighted["exact"].f) == (0.5, 1.0)


def test_nothing_is_zero_not_undefined():
    for gold, pred in (([[]], [[]]), ([[(0, 1, "A")]], [[]]), ([[]], [[(0, 1, "A")]])):
        scores = score_spans(gold, pred)
        for cell in (*scores.overall.values(), *scores.macro.values(), *scores.weighted.values()):
            assert (cell.p, cell.r, cell.f) == (0.0, 0.0, 0.0)


def test_no_document_is_undefined_not_zero():
    scores = score_spans([], [])
    for cell in (*scores.overall.values(), *scores.macro.values()):
        assert (cell.p, cell.r, cell.f) == (None, None, None)
    assert Scores.from_dict(json.loads(json.dumps(scores.to_dict()))) == scores
    some = score_spans(GOLD, PRED)
    assert (scores + some).overall == (some + scores).overall == some.overall


@pytest.mark.parametrize(("beta", "want"), [(1, 0.5), (2, 5 * 0.4 * 2 / 3 / (4 * 0.4 + 2 / 3)), (0.5, 5 / 11)])
def test_beta_weighs_recall(beta, want):
    gold = [[(0, 2, "A"), (4, 6, "A"), (8, 10, "A")]]
    pred = [[(0, 2, "A"), (4, 6, "A"), (20, 22, "A"), (24, 26, "A"), (28, 30, "A")]]
    cell = score_spans(gold, pred, beta=beta).overall["strict"]
    assert (cell.p, cell.r) == pytest.approx((2 / 5, 2 / 3))
    if beta == 0.5:
        want = 1.25 * 0.4 * (2 / 3) / (0.25 * 0.4 + 2 / 3)
    assert cell.f == pytest.approx(want)


def test_ratio_and_f_of_nothing():
    assert (ratio(0, 0), ratio(3, 0), f_beta(0.0, 0.0, 1.0)) == (0.0, 0.0, 0.0)


def test_dict_is_plain_and_named():
    data = score_spans(GOLD, PRED).to_dict()
    assert [data[key] for key in ("kind", "semantics")] == ["scores", "1.0"]
    assert data["settings"] == {
        "schemas": ["strict", "exact", "partial", "type"],
        "aligner": "optimal.v1",
        "min_overlap": 0.0,
        "per_label": "own_side",
        "beta": 1.0,
        "filters": {"labels": None, "label_map": None, "boundaries_only": False},
    }
    cell = ["cor", "inc", "par", "mis", "spu", "pos", "act", "p", "r", "f"]
    assert list(data["overall"]["strict"]) == cell
    assert list(data["per_label"]["DRUG"]["type"]) == [*cell, "pred_cor", "pred_inc", "pred_par"]
    assert list(data["per_label"]) == ["BRAND", "DRUG", "GROUP"]
    assert json.loads(json.dumps(data, allow_nan=False)) == data
    side = score_spans(GOLD, PRED, per_label="gold_side").to_dict()
    assert list(side["per_label"]["DRUG"]["type"]) == cell


def test_only_scores_with_equal_settings_are_added():
    scores = score_spans(GOLD, PRED)
    with pytest.raises(SemevalError, match="equal settings"):
        scores + score_spans(GOLD, PRED, min_overlap=0.5)
    with pytest.raises(SemevalError, match="per document"):
        scores + score_spans(GOLD, PRED, per_document=True)


@pytest.mark.parametrize("broken", [{}, {"kind": "agreement"}, {"kind": "scores", "semantics": "0.9"}, None, []])
def test_only_saved_scores_are_read(broken):
    with pytest.raises(SemevalError, match="(kind 'scores'|saved scores)"):
        Scores.from_dict(broken)


def test_incomplete_saved_scores_are_refused():
    data = score_spans(GOLD, PRED).to_dict()
    cell = data["overall"]["strict"]
    for wrong in (None, "3", -1, 1.5, float("nan"), True):
        broken = {**data, "overall": {**data["overall"], "strict": {**cell, "mis": wrong}}}
        with pytest.raises(SemevalError, match="not complete"):
            Scores.from_dict(broken)
    del cell["mis"]
    with pytest.raises(SemevalError, match="mis"):
        Scores.from_dict(data)
    for part in ({"overall": {}}, {"per_label": {"A": {}}}, {"documents": "x"}, {"settings": {}}):
        with pytest.raises(SemevalError, match="not complete"):
            Scores.from_dict({**score_spans(GOLD, PRED).to_dict(), **part})


def test_saved_scores_may_have_their_keys_in_any_order():
    scores = score_spans(GOLD, PRED)
    read = Scores.from_dict(json.loads(json.dumps(scores.to_dict(), sort_keys=True)))
    assert read == scores
    assert list(read.overall) == ["strict", "exact", "partial", "type"]


def test_only_scores_are_added_to_scores():
    with pytest.raises(TypeError, match="unsupported operand"):
        score_spans(GOLD, PRED) + 3


@pytest.mark.parametrize(
    ("setting", "said"),
    [
        ({"schemas": ["loose"]}, "Available: exact, partial, strict, type"),
        ({"schemas": []}, "at least one schema"),
        ({"schemas": "strict"}, "list of names"),
        ({"schemas": [3]}, "list of names"),
        ({"aligner": "greedy"}, "Available: .*optimal.v1"),
        ({"min_overlap": 1.1}, "from 0 to 1"),
        ({"min_overlap": -0.1}, "from 0 to 1"),
        ({"min_overlap": float("nan")}, "from 0 to 1"),
        ({"min_overlap": "0.5"}, "from 0 to 1"),
        ({"per_label": "both"}, "own_side, gold_side"),
        ({"beta": 0}, "above 0"),
        ({"beta": float("inf")}, "above 0"),
        ({"labels": "DRUG"}, "list of names"),
        ({"labels": []}, "at least one label"),
        ({"labels": 3}, "list of names"),
        ({"aligner": []}, "name of a registered aligner"),
        ({"min_overlap": 10**400}, "from 0 to 1"),
        ({"beta": 10**400}, "above 0"),
    ],
)
def test_bad_settings_are_refused(setting, said):
    with pytest.raises(SemevalError, match=said):
        score_spans([], [], **setting)


def test_settings_are_in_order_and_compare():
    settings = Settings(schemas=["type", "strict"], labels=["B", "A", "B"])
    assert settings == Settings(("strict", "type"), labels=("A", "B"))


def test_counts_add_up():
    one, other = Counts(cor=1, pred_cor=1, mis=2), Counts(cor=2, pred_inc=1, spu=1, annotated=False)
    assert one + other == Counts(cor=3, pred_cor=1, pred_inc=1, mis=2, spu=1)


def test_error_rates_of_muc_5():
    """One right, one with its end off, one missed, one invented."""
    cell = score_spans(
        [[(0, 4, "A"), (6, 9, "A"), (20, 24, "B")]], [[(0, 4, "A"), (6, 8, "B"), (30, 33, "A")]]
    ).overall["partial"]
    assert (cell.cor, cell.inc, cell.par, cell.mis, cell.spu) == (1, 0, 1, 1, 1)
    assert (cell.undergeneration, cell.overgeneration) == pytest.approx((1 / 3, 1 / 3))
    assert (cell.substitution, cell.error_per_response_fill) == (0.25, 0.625)


def test_error_rates_of_nothing():
    rates = ("undergeneration", "overgeneration", "substitution", "error_per_response_fill")
    nothing = score_spans([[]], [[]]).overall["strict"]
    assert [getattr(nothing, rate) for rate in rates] == [0.0] * 4
    undefined = score_spans([], []).overall["strict"]
    assert [getattr(undefined, rate) for rate in rates] == [None] * 4
    missed = score_spans([[(0, 1, "A")]], [[]]).overall["strict"]
    assert [getattr(missed, rate) for rate in rates] == [1.0, 0.0, 0.0, 1.0]


def test_error_rates_of_a_label_are_of_its_gold_and_its_predictions():
    """B is predicted as A: that is a substitution of B, and A has one prediction that is not spurious."""
    labels = score_spans([[(0, 4, "A"), (6, 9, "B")]], [[(0, 4, "A"), (6, 9, "A"), (12, 15, "A")]]).per_label
    a, b = labels["A"]["strict"], labels["B"]["strict"]
    assert (a.substitution, b.substitution) == (0.0, 1.0)
    assert a.overgeneration == pytest.approx(1 / 3)


def test_muc_pools_type_and_text():
    scores = score_spans(GOLD, PRED)
    # type: 2 right, 1 wrong; exact: 2 right, 1 wrong; 1 missed and 1 invented in both
    muc = scores.muc
    assert (muc.cor, muc.inc, muc.par, muc.mis, muc.spu, muc.pos, muc.act) == (4, 2, 0, 2, 2, 8, 8)
    assert (muc.p, muc.r, muc.f) == (0.5, 0.5, 0.5)
    brand, drug = scores.muc_per_label["BRAND"], scores.muc_per_label["DRUG"]
    assert (brand.cor, brand.inc, brand.pos, brand.act, brand.p, brand.r) == (1, 1, 2, 0, 0.0, 0.5)
    # gold DRUG: type right, exact wrong, one missed; pred DRUG: the same one, and that for the BRAND
    assert (drug.cor, drug.inc, drug.mis, drug.pred_cor, drug.pred_inc) == (1, 1, 2, 2, 2)


def test_muc_takes_both_slots():
    with pytest.raises(SemevalError, match="exact was not scored"):
        _ = score_spans(GOLD, PRED, schemas=["type"]).muc
    with pytest.raises(SemevalError, match="type was not scored"):
        _ = score_spans(GOLD, PRED, schemas=["exact"]).muc_per_label


def test_mean_over_documents():
    gold = [*GOLD, [], [(0, 3, "DRUG")], []]
    pred = [*PRED, [], [], [(4, 6, "DRUG")]]
    scores = score_spans(gold, pred, per_document=True)
    # P and R of the documents under partial: 1 1, 0.5 / 1 0.5 / 2, 1 / 2 1, none, 0 0, 0 0
    mean = scores.document_mean["partial"]
    assert (mean.p, mean.r) == ((1 + 0.5 + 0.5) / 5, (1 + 0.25 + 1) / 5)
    assert mean.f == pytest.approx((1 + 1 / 3 + 2 / 3) / 5)
    assert scores.documents_without_spans == 1
    assert scores.document_mean["strict"].p == pytest.approx((0 + 0 + 0.5) / 5)


def test_mean_over_documents_takes_the_beta():
    scores = score_spans([[(0, 1, "A"), (2, 3, "A")]], [[(0, 1, "A")]], per_document=True, beta=2)
    assert scores.document_mean["strict"].f == scores.overall["strict"].f == pytest.approx(5 * 0.5 / 4.5)


def test_mean_over_no_documents():
    nothing = score_spans([[]], [[]], per_document=True)
    assert (nothing.document_mean["strict"].f, nothing.documents_without_spans) == (0.0, 1)
    undefined = score_spans([], [], per_document=True)
    assert (undefined.document_mean["strict"].f, undefined.documents_without_spans) == (None, 0)


def test_mean_over_documents_needs_their_counts():
    scores = score_spans(GOLD, PRED)
    for name in ("document_mean", "documents_without_spans"):
        with pytest.raises(SemevalError, match="per_document=True"):
            getattr(scores, name)
