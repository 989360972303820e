import pytest

from spacy_semeval import Scores, SemevalError, score_spans

# DRUG labelled BRAND; BRAND labelled DRUG; BRAND right; DRUG invented; BRAND invented; DRUG missed.
GOLD = [[(0, 4, "DRUG"), (5, 9, "BRAND"), (10, 14, "BRAND"), (30, 34, "DRUG")]]
PRED = [[(0, 4, "BRAND"), (5, 9, "DRUG"), (10, 14, "BRAND"), (15, 19, "DRUG"), (20, 24, "BRAND")]]


def counts(cell):
    return (cell.cor, cell.inc, cell.par, cell.mis, cell.spu, cell.pos, cell.act)


def test_labels_are_dropped_after_the_alignment():
    scores = score_spans(GOLD, PRED, labels=["DRUG"])
    # The BRAND that stands in for a DRUG is kept, and the DRUG that stands in for a BRAND has lost its partner.
    assert counts(scores.overall["strict"]) == (0, 1, 0, 1, 2, 2, 3)
    assert counts(scores.overall["exact"]) == (1, 0, 0, 1, 2, 2, 3)
    assert scores.documents["other_label_gold"] == 2
    assert scores.documents["other_label_pred"] == 2


def test_per_label_holds_the_labels_that_were_asked_for():
    scores = score_spans(GOLD, PRED, labels=["DRUG", "DOSE"])
    assert list(scores.per_label) == ["DOSE", "DRUG"]
    assert counts(scores.per_label["DOSE"]["strict"]) == (0, 0, 0, 0, 0, 0, 0)
    drug = scores.per_label["DRUG"]["strict"]
    assert (drug.pos, drug.act, drug.spu) == (2, 2, 2)


def test_all_labels_by_name_are_all_labels():
    some, whole = score_spans(GOLD, PRED, labels=["DRUG", "BRAND"]), score_spans(GOLD, PRED)
    assert (some.overall, some.per_label) == (whole.overall, whole.per_label)


def test_number_of_documents_must_be_the_same():
    with pytest.raises(SemevalError, match="2 and 3"):
        score_spans([[], []], [[], [], []])


def test_counts_per_document():
    scores = score_spans([[(0, 4, "A")], [], [(0, 4, "A")]], [[(0, 5, "A")], [], [(6, 9, "A")]], per_document=True)
    assert scores.per_document["partial"].tolist() == [[0, 0, 1, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 1, 1]]
    assert scores.per_document["strict"].tolist() == [[0, 1, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 1, 1]]


def test_duplicates_count_once_and_are_reported():
    scores = score_spans([[(0, 4, "A"), (0, 4, "A")]], [[(0, 4, "A")] * 3])
    assert counts(scores.overall["strict"]) == (1, 0, 0, 0, 0, 1, 1)
    assert scores.documents == {"scored": 1, "unannotated": 0, "ignored_pred": 0, "duplicate_spans": 3}


def test_one_span_over_everything_is_no_perfect_type():
    gold, pred = [[(0, 4, "A"), (5, 9, "A"), (10, 14, "A")]], [[(0, 14, "A")]]
    cell = score_spans(gold, pred).overall["type"]
    assert (cell.cor, cell.mis, cell.p, cell.r) == (1, 2, 1.0, pytest.approx(1 / 3))


def test_two_pieces_of_one_gold_span_are_one_pair():
    cell = score_spans([[(0, 10, "A")]], [[(0, 4, "A"), (5, 10, "A")]]).overall["partial"]
    assert counts(cell) == (0, 0, 1, 0, 1, 1, 2)


def test_labels_are_renamed_all_at_once():
    swapped = score_spans(GOLD, PRED, label_map={"DRUG": "BRAND", "BRAND": "DRUG"})
    plain = score_spans(GOLD, PRED)
    assert swapped.overall == plain.overall
    assert swapped.per_label == {"BRAND": plain.per_label["DRUG"], "DRUG": plain.per_label["BRAND"]}
    one = score_spans(GOLD, PRED, label_map={"DRUG": "BRAND"}, labels=["BRAND"])
    assert counts(one.overall["strict"]) == counts(plain.overall["exact"])
    assert one.settings.to_dict()["filters"]["label_map"] == {"DRUG": "BRAND"}
    assert Scores.from_dict(one.to_dict()) == one


def test_renamed_labels_have_to_occur():
    with pytest.raises(SemevalError, match=r"no span has 'DOSE'\. Labels: BRAND, DRUG"):
        score_spans(GOLD, PRED, label_map={"DOSE": "DRUG"})
    with pytest.raises(SemevalError, match="label_map"):
        score_spans(GOLD, PRED, label_map=["DRUG"])
