from spacy_semeval import score_spans
from spacy_semeval.plugin.keys import flatten, unflatten

GOLD, PRED = [[(0, 4, "DRUG"), (5, 9, "BRAND")]], [[(0, 4, "DRUG"), (5, 8, "DRUG")]]


def test_names_of_the_scores():
    flat = flatten(score_spans(GOLD, PRED), "ents", ["DRUG", "DOSE"])
    for schema in ("strict", "exact", "partial", "type"):
        for suffix in ("p", "r", "f", "macro_f", "per_type", "counts", "f_DRUG", "f_DOSE"):
            assert f"ents_{schema}_{suffix}" in flat
    assert (flat["ents_strict_p"], flat["ents_partial_p"]) == (0.5, 0.75)
    assert flat["ents_strict_counts"] == {"cor": 1, "inc": 1, "par": 0, "mis": 0, "spu": 0, "pos": 2, "act": 2}
    assert flat["ents_strict_f_DRUG"] == flat["ents_strict_per_type"]["DRUG"]["f"] == 2 * 0.5 / 1.5
    assert flat["ents_strict_f_DOSE"] == 0.0
    assert flat["ents_documents"] == {"scored": 1, "unannotated": 0, "ignored_pred": 0, "duplicate_spans": 0}
    assert set(map(type, flat["ents_strict_per_type"]["BRAND"].values())) == {int, float}


def test_without_annotation_numbers_are_none_and_dicts_empty():
    flat = flatten(score_spans([], []), "ents", ["DRUG"])
    assert [flat[f"ents_type_{key}"] for key in ("p", "r", "f", "macro_f", "f_DRUG")] == [None] * 5
    assert flat["ents_type_per_type"] == {}
    assert set(flat["ents_type_counts"].values()) == {0}


def test_scores_are_found_again():
    scores = score_spans(GOLD, PRED)
    other = score_spans(PRED, GOLD, per_label="gold_side", schemas=["partial", "strict"])
    data = {"token_acc": 1.0, **flatten(scores, "ents"), **flatten(other, "spans_sc"), "speed": 3.0}
    found = unflatten(data)
    assert list(found) == ["ents", "spans_sc"]
    for attr, want in (("ents", scores), ("spans_sc", other)):
        saved = want.to_dict()
        assert found[attr] == {key: saved[key] for key in ("documents", "overall", "per_label")}


def test_a_spans_key_may_begin_like_another_one():
    one, other = score_spans(GOLD, PRED), score_spans(PRED, GOLD)
    data = {**flatten(one, "spans_x"), **flatten(other, "spans_x_strict")}
    found = unflatten(data)
    assert found["spans_x"]["overall"] == one.to_dict()["overall"]
    assert found["spans_x_strict"]["overall"] == other.to_dict()["overall"]


def test_scores_of_others_that_look_like_ours():
    data = flatten(score_spans(GOLD, PRED), "spans_x")
    data.update({"my_documents": {"scored": 1}, "my_token_counts": {"A": 3}, "my_strict_counts": 7, 3: "a number"})
    # The spans key "x_strict" has scores of its own under names of ours.
    data["spans_x_strict_per_type"] = {"B": {"p": 1.0, "r": 1.0, "f": 1.0}}
    found = unflatten(data)
    assert list(found) == ["spans_x"]
    assert list(found["spans_x"]["overall"]) == ["strict", "exact", "partial", "type"]


def test_other_scores_hold_none_of_ours():
    assert unflatten({"ents_f": 0.5, "my_documents": {"read": 3}, "x_documents": 7, "ents_per_type": None}) == {}
