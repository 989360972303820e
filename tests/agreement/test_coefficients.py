import warnings

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spacy_semeval.agreement import cohen_kappa, fleiss_kappa, krippendorff_alpha
from spacy_semeval.errors import SemevalError

VALUES = "ABC"


def repeated(cells):
    """Two rows of values from the counts of their pairs."""
    pairs = [pair for pair, n in cells.items() for _ in range(n)]
    return [list(row) for row in zip(*pairs)]


def test_cohen_1960():
    cells = {"11": 88, "12": 14, "13": 18, "21": 10, "22": 40, "23": 10, "31": 2, "32": 6, "33": 12}
    assert cohen_kappa(*repeated(cells)) == pytest.approx(0.492, abs=5e-4)


def test_artstein_and_poesio_2008():
    a, b = repeated({"SS": 20, "IS": 20, "SI": 10, "II": 50})
    assert cohen_kappa(a, b) == pytest.approx(0.348, abs=5e-4)


def test_krippendorff_2011_with_missing_values():
    a = [1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None]
    b = [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3]
    c = [None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None]
    d = [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None]
    assert krippendorff_alpha([a, b, c, d]) == pytest.approx(0.743, abs=5e-4)


def test_small_values_by_hand():
    # p_o = 3/4, p_e = (1/2)(1/4) + (1/2)(3/4) = 1/2
    assert cohen_kappa("AABB", "ABBB") == 0.5
    # P = (1 + 1/3 + 1) / 3 = 7/9, p = (4/9, 5/9), P_e = 41/81
    assert fleiss_kappa([[3, 0], [1, 2], [0, 3]]) == pytest.approx((7 / 9 - 41 / 81) / (1 - 41 / 81))
    # Units AA, AB, BB: of 6 values 1 + 1 coincidences differ, of 6 * 5 pairs 2 * 3 * 3.
    assert krippendorff_alpha(["AAB", "ABB"]) == pytest.approx(1 - 2 * 5 / 18)


@pytest.mark.parametrize("rows", [("", ""), ("AAA", "AAA"), ("A", "A")])
def test_what_is_not_defined(rows):
    assert cohen_kappa(*rows) is None
    assert krippendorff_alpha(rows) is None
    assert fleiss_kappa([[2] for _ in rows[0]]) is None


def test_disagreement_on_one_value_each_is_defined():
    assert cohen_kappa("AAA", "BBB") == 0.0
    assert krippendorff_alpha(["AAA", "BBB"]) == pytest.approx(1 - 6 * 5 / 18)


def test_units_with_one_value_do_not_count():
    assert krippendorff_alpha([["A", None, "B"], ["A", "C", "B"]]) == krippendorff_alpha(["AB", "AB"]) == 1.0
    assert krippendorff_alpha([["A", None], [None, "B"]]) is None
    assert krippendorff_alpha([]) is None
    assert krippendorff_alpha(["AB"]) is None


@pytest.mark.parametrize("rows", [("AB", "A"), ("", "A")])
def test_rows_of_different_lengths_are_refused(rows):
    with pytest.raises(SemevalError, match="Expected both annotators to have as many values"):
        cohen_kappa(*rows)
    with pytest.raises(SemevalError, match="Expected as many units for every annotator"):
        krippendorff_alpha(rows)


@pytest.mark.parametrize(
    "table", [[[3, 0], [1, 1]], [[1, 0], [0, 1]], [[1, -1]], [["a"]], [[0.5, 1.5]], [1, 2], [[1, 2], [3]]]
)
def test_tables_that_fleiss_does_not_allow(table):
    with pytest.raises(SemevalError):
        fleiss_kappa(table)


def test_nan_is_a_missing_value():
    nan = float("nan")
    rows = [[1, 2, nan], [1, 2, 3], [1, 1, 3]]
    assert krippendorff_alpha(rows) == krippendorff_alpha([[1, 2, None], *rows[1:]]) == pytest.approx(0.65)
    for row in ([nan, 1], [None, 1]):
        with pytest.raises(SemevalError, match="a value for every unit"):
            cohen_kappa(row, [1, 1])


def test_counts_of_any_size():
    assert fleiss_kappa([[2**33, 2**33], [2**34, 0]]) == pytest.approx((0.75 - 0.625) / (1 - 0.625), abs=1e-6)


ratings = st.integers(1, 12).flatmap(
    lambda n: st.lists(st.text(VALUES, min_size=n, max_size=n), min_size=2, max_size=4)
)


def table(rows):
    return [[unit.count(value) for value in VALUES] for unit in zip(*rows)]


@pytest.mark.fuzz
@given(ratings)
def test_like_scikit_learn(rows):
    from sklearn.metrics import cohen_kappa_score

    got = cohen_kappa(rows[0], rows[1])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        want = cohen_kappa_score(list(rows[0]), list(rows[1]))
    assert got is None if want != want else got == pytest.approx(want, abs=1e-12)


@pytest.mark.fuzz
@given(ratings)
def test_like_statsmodels(rows):
    from statsmodels.stats.inter_rater import fleiss_kappa as reference

    got = fleiss_kappa(table(rows))
    if got is None:
        assert len(set("".join(rows))) == 1
    else:
        assert got == pytest.approx(reference(table(rows)), abs=1e-9)


@pytest.mark.fuzz
@given(ratings)
def test_alpha_follows_from_fleiss_where_nothing_is_missing(rows):
    alpha, kappa, n = krippendorff_alpha(rows), fleiss_kappa(table(rows)), len(rows) * len(rows[0])
    assert (alpha is None) == (kappa is None)
    if alpha is not None:
        assert 1 - alpha == pytest.approx((1 - kappa) * (n - 1) / n)


@pytest.mark.fuzz
@given(ratings, st.randoms())
def test_order_and_names_do_not_matter(rows, random):
    shuffled = random.sample(rows, len(rows))
    renamed = [row.translate(str.maketrans("ABC", "CAB")) for row in rows]
    for other in (shuffled, renamed):
        assert krippendorff_alpha(other) == (
            None if krippendorff_alpha(rows) is None else pytest.approx(krippendorff_alpha(rows))
        )
    assert cohen_kappa(rows[0], rows[1]) == cohen_kappa(rows[1], rows[0]) == cohen_kappa(renamed[0], renamed[1])


@pytest.mark.fuzz
@given(ratings)
def test_copies_agree(rows):
    copies = [rows[0]] * 3
    want = 1.0 if len(set(rows[0])) > 1 else None
    assert cohen_kappa(rows[0], rows[0]) == krippendorff_alpha(copies) == fleiss_kappa(table(copies)) == want
