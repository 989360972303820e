import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spacy_semeval.agreement.summary import quotient, quotients, summarize, summarize_columns


def test_nothing_is_divided_by_zero():
    assert (quotient(0, 0), quotient(3, 0), quotient(3, 4)) == (None, None, 0.75)
    divided = quotients(np.array([[1.0, 0.0], [3.0, 2.0]]), np.array([2.0, 0.0]))
    assert divided.tolist() == [[0.5, pytest.approx(np.nan, nan_ok=True)], [1.5, pytest.approx(np.nan, nan_ok=True)]]


def test_summary():
    assert summarize([1.0, None, 0.0, 0.5]) == {
        "mean": 0.5,
        "sd": pytest.approx((0.5 / 3) ** 0.5),
        "min": 0.0,
        "max": 1.0,
    }
    assert summarize([None]) == dict.fromkeys(("mean", "sd", "min", "max"))


scores = st.one_of(st.none(), st.floats(0, 1))


@pytest.mark.fuzz
@given(st.integers(1, 4).flatmap(lambda n: st.lists(st.lists(scores, min_size=n, max_size=n), min_size=1, max_size=4)))
def test_columns_are_summed_up_alike(rows):
    values = np.array([[np.nan if x is None else x for x in row] for row in rows])
    wanted = [summarize(column) for column in zip(*rows)]
    for got, want in zip(summarize_columns(values), wanted):
        assert got == {k: None if v is None else pytest.approx(v, abs=1e-9) for k, v in want.items()}
