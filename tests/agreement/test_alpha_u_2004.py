import pytest
from hypothesis import given
from oracle_of_agreement import alpha_u
from strategies import TEXT_LENGTH as LENGTH
from strategies import flat_spans

from spacy_semeval.agreement import alpha_u_2004
from spacy_semeval.errors import SemevalError


def test_krippendorff_2004():
    i = [(75, 145, "c"), (220, 250, "c"), (30, 90, "k"), (150, 200, "k")]
    j = [(70, 150, "c"), (205, 225, "c"), (250, 270, "c"), (30, 90, "k"), (150, 200, "k")]
    found = alpha_u_2004({"i": i, "j": j}, 300)
    c = found.per_label["c"]
    assert (c.observed, c.expected, c.value) == pytest.approx((0.0144, 0.0532, 0.7286), abs=5e-5)
    assert found.per_label["k"].value == 1.0
    assert found.overall == pytest.approx(0.859, abs=5e-4)


def test_a_lone_unit_is_what_chance_gives():
    assert alpha_u_2004({"a": [(0, 1, "X")], "b": [], "c": []}, 20).overall == pytest.approx(0.0)


def test_pieces_are_seen():
    found = alpha_u_2004({"a": [(0, 10, "X")], "b": [(0, 5, "X"), (5, 10, "X")]}, 40)
    assert found.per_label["X"].observed == 0.03125
    assert 0 < found.overall < 1


def test_no_unit_is_not_defined():
    found = alpha_u_2004({"a": [], "b": []}, 20)
    assert (found.overall, found.per_label) == (None, {})


def test_spans_of_different_labels_may_overlap():
    spans = [(0, 5, "A"), (3, 8, "B")]
    assert alpha_u_2004({"a": spans, "b": spans}, 10).overall == 1.0


@pytest.mark.parametrize(
    ("annotators", "problem"),
    [
        ({"a": []}, "two annotators at least"),
        ({}, "two annotators at least"),
        ({"a": [(0, 5, "A"), (3, 8, "A")], "b": []}, "overlap"),
        ({"a": [(0, 11, "A")], "b": []}, "behind the end"),
        ({"a": [(5, 5, "A")], "b": []}, "start < end"),
    ],
)
def test_what_is_refused(annotators, problem):
    with pytest.raises(SemevalError, match=problem):
        alpha_u_2004(annotators, 10)


@pytest.mark.parametrize("length", [None, float("nan"), -1, True])
def test_lengths_that_are_none(length):
    with pytest.raises(SemevalError, match="Expected the length to be a whole number"):
        alpha_u_2004({"a": [], "b": []}, length)


@pytest.mark.fuzz
@given(flat_spans(), flat_spans(), flat_spans())
def test_order_does_not_matter_and_copies_agree(a, b, c):
    found = alpha_u_2004({"a": a, "b": b, "c": c}, LENGTH)
    other = alpha_u_2004({"a": c, "b": a, "c": b}, LENGTH)
    assert other.overall == (None if found.overall is None else pytest.approx(found.overall))
    assert alpha_u_2004({"a": a, "b": a}, LENGTH).overall == (1.0 if a else None)


@pytest.mark.fuzz
@given(flat_spans(), flat_spans(), flat_spans())
def test_values_are_those_of_the_formula(a, b, c):
    for annotators in ({"a": a, "b": b}, {"a": a, "b": b, "c": c}):
        found = alpha_u_2004(annotators, LENGTH)
        overall, per_label = alpha_u(annotators, LENGTH)
        values = {label: alpha.value for label, alpha in found.per_label.items()}
        assert found.overall == (None if overall is None else pytest.approx(float(overall), abs=1e-12))
        assert values == {label: pytest.approx(float(value), abs=1e-12) for label, value in per_label.items()}


def test_many_units_of_one_text():
    """Sections are compared with those that they share text with, not with all: these would be 10¹⁰ comparisons."""
    spans = {name: [(i * 7 + k, i * 7 + k + 2 + k, "X") for i in range(50_000)] for k, name in enumerate("ab")}
    assert -1 < alpha_u_2004(spans, 350_010).overall < 1
