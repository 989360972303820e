"""Published values, and exact ones of independent implementations, as a file beside the project has them.

The file is not part of the project, so a clone without it skips these tests. Some of the published values are tests of
their own in the modules of the coefficients.
"""

import json
import re
from itertools import chain, combinations

import numpy as np
import pytest
from pages import ROOT

from spacy_semeval.agreement import (
    agreement,
    alpha_u_2004,
    cohen_kappa,
    fleiss_kappa,
    krippendorff_alpha,
    unitized_alpha,
)
from spacy_semeval.agreement.alpha_u_2004 import distance
from spacy_semeval.agreement.summary import quotient, summarize
from spacy_semeval.agreement.unitized import count_coincidences
from spacy_semeval.engine.spans import read_documents, tabulate

FILE = ROOT.parent / "shared" / "cases" / "agreement_vectors.json"
if not FILE.exists():
    pytest.skip("the file with the published values is not beside the project", allow_module_level=True)

VECTORS = json.loads(FILE.read_text("utf8"))


def named(name, **having):
    found = [vector for vector in VECTORS[name] if all(key in vector for key in having)]
    return pytest.mark.parametrize("vector", found, ids=[vector["id"] for vector in found])


def check(got, want, tolerance=None):
    """Published values are met to their printed digits, exact ones to 1e-6."""
    if "exact" in want:
        assert got == (None if want["exact"] is None else pytest.approx(want["exact"], abs=1e-6))
    if want.get("published") is not None:
        digits = len(str(want["published"]).split(".")[1])
        assert got == pytest.approx(want["published"], abs=tolerance or 0.5001 * 10**-digits)


def raters(vector):
    """The values of a vector, a row for each annotator."""
    if vector["kind"] == "counts2":
        pairs = list(chain.from_iterable([(a, b)] * n for a, b, n in vector["cells"]))
    elif vector["kind"] == "pairs":
        pairs = vector["pairs"]
    elif vector["kind"] == "raters":
        pairs = [tuple(row) for row in vector["rows"]]
    else:
        pairs = list(zip(vector["a"], vector["b"]))
    return list(zip(*pairs))


def table(rows):
    values = sorted({value for row in rows for value in row}, key=str)
    return [[unit.count(value) for value in values] for unit in zip(*rows)]


@named("coding")
def test_coefficients_of_units(vector):
    rows, want = raters(vector), vector["expected"]
    got = {"alpha_nominal": krippendorff_alpha(rows), "fleiss_kappa": fleiss_kappa(table(rows))}
    if len(rows) == 2:
        got["cohen_kappa"] = cohen_kappa(*rows)
        got["scott_pi"] = fleiss_kappa(table(rows))  # the same for two annotators
    if vector["id"] == "fleiss1971":
        # Where nothing is missing, 1 - alpha = (1 - kappa) (n - 1) / n, for n values in all. The file has the kappa of
        # this, 0.430245, and an alpha that is 5e-6 below what follows from it.
        assert got["alpha_nominal"] == pytest.approx(1 - (1 - got["fleiss_kappa"]) * 179 / 180, abs=1e-12)
        assert got.pop("alpha_nominal") == pytest.approx(want["alpha_nominal"]["exact"], abs=6e-6)
    for name in got.keys() & want.keys():
        check(got[name], want[name])
    if "per_category" in want:
        for value, published in want["per_category"]["published"].items():
            binary = table([[x == value for x in row] for row in rows])
            assert fleiss_kappa(binary) == pytest.approx(published, abs=want["per_category"]["tolerance"])


@named("alpha_U_1995_2004", coders=True)
def test_alpha_u_2004(vector):
    found = alpha_u_2004(vector["coders"], vector["length"])
    for kind, want in vector["expected"].items():
        for name in ("alpha", "overall"):
            if name in want:
                check(found.overall, {kind: want[name]})
        for label, cell in want.get("per_label", {}).items():
            alpha = found.per_label[label]
            got = {"D_o": alpha.observed, "D_e": alpha.expected, "alpha": alpha.value}
            assert got == pytest.approx(cell, abs=1e-6)
    published = vector["expected"].get("published", {})
    if "c" in published:
        c = found.per_label["c"]
        got = {"c": c.value, "k": found.per_label["k"].value, "D_o(c)": c.observed, "D_e(c)": c.expected}
        for name, value in got.items():
            check(value, {"published": published[name]})


def test_distances_of_sections():
    rows = next(vector["rows"] for vector in VECTORS["alpha_U_1995_2004"] if vector["id"] == "k2004_distances")
    assert len(rows) == 11
    for row in rows:
        g, h = (np.array(row[name], dtype=float) for name in "gh")
        assert distance(g, h) == row["delta2"] == distance(h, g)


def test_pairs_of_1995_at_several_lengths():
    vector = next(vector for vector in VECTORS["alpha_U_1995_2004"] if vector["id"] == "k1995_p57")
    want = vector["expected"]
    for name, coders in vector["pairs_units"].items():

        def measured(length, coders=coders):
            finer = length // vector["length"]  # the same text in smaller units of length
            spans = {i: [(start * finer, end * finer, "X") for start, end in own] for i, own in enumerate(coders)}
            return alpha_u_2004(spans, length)

        for length, exact in want["exact_by_length"].items():
            assert measured(int(length)).overall == pytest.approx(exact[name], abs=1e-6)
        printed, tolerance = want["published_at_L_to_infinity"][name], want["published_tolerance"]
        assert measured(1_200_000).overall == pytest.approx(printed, abs=tolerance)
        observed = measured(vector["length"]).per_label["X"].observed
        assert observed == pytest.approx(want["published_D_o"][name], abs=1e-5)


def unitized(vector, coders=None):
    found = unitized_alpha([coders or vector["coders"]], [vector["length"]])
    return found, {label: (alpha.ku, alpha.coverage) for label, alpha in found.per_label.items()}


def check_unitized(found, per_label, want):
    for name in ("u", "bar_u", "cu", "cu_coverage"):
        if name in want:
            check(getattr(found, name), {"exact": want[name]})
    for label, (ku, coverage) in want.get("ku", {}).items():
        check(per_label[label][0], {"exact": ku})
        check(per_label[label][1], {"exact": coverage})


@named("u_alpha_2016", coders=True)
def test_family_of_2016(vector):
    found, per_label = unitized(vector)
    expected = vector["expected"]
    check_unitized(found, per_label, expected.get("exact", expected.get("exact_pair_variant")))
    published = expected.get("published", {})
    for name in ("u", "bar_u", "cu"):
        if name in published:
            check(getattr(found, name), {"published": published[name]})
    for i, key in enumerate(("ku", "coverage")):
        for label, value in published.get(key, {}).items():
            check(per_label[label][i], {"published": value})
    for names, want in vector.get("pairwise", {}).items():
        check_unitized(*unitized(vector, {name: vector["coders"][name] for name in names.split("|")}), want)
    if "alpha_U_2004_same_data" in vector:
        want = vector["alpha_U_2004_same_data"]
        older = alpha_u_2004(vector["coders"], vector["length"])
        check(older.overall, {"exact": want["overall"]})
        for label, cell in want["per_label"].items():
            alpha = older.per_label[label]
            got = {"D_o": alpha.observed, "D_e": alpha.expected, "alpha": alpha.value}
            assert got == pytest.approx(cell, abs=1e-6)


def test_published_coincidences():
    vector = next(vector for vector in VECTORS["u_alpha_2016"] if vector["id"] == "book_fig_12_11")
    tables = tabulate([read_documents([spans], name) for name, spans in vector["coders"].items()])
    found = count_coincidences(tables, np.ones((len(tables), 1), dtype=bool), np.array([vector["length"]]))
    want = vector["expected"]
    assert found.observed.tolist() == want["observed_coincidences_rows_phi_1_7"]
    assert found.observed.sum(axis=1).tolist() == want["row_sums"]
    assert found.expected == pytest.approx(np.array(want["expected_coincidences_rows_phi_1_7"]), abs=5.1e-5)


def test_pairwise_f1_of_four_annotators():
    vector = next(vector for vector in VECTORS["pairwise_f1"] if vector["id"] == "bratiaa_example")
    pairs, published = list(vector["per_pair"].values()), vector["expected"]["published"]
    exact = vector["expected"]["exact"]

    def found(counts):
        return summarize(quotient(2 * tp, total) for tp, total in counts)

    overall = found((pair["tp"], pair["total"]) for pair in pairs)
    assert (overall["mean"], overall["sd"]) == pytest.approx(
        (exact["overall_mean"], exact["overall_sd_population"]), abs=1e-6
    )
    check(overall["mean"], {"published": published["overall"]["mean"]}, 5e-4)
    check(overall["sd"], {"published": published["overall"]["sd"]})
    untyped = found((pair["exact_untyped_tp"], pair["exact_untyped_total"]) for pair in pairs)
    check(untyped["mean"], {"published": exact["exact_untyped_mean"]})  # with three digits
    for group in ("labels", "docs"):
        for name, (mean, sd) in published[group].items():
            own = found(pair[group][name] for pair in pairs)
            assert (own["mean"], own["sd"]) == pytest.approx((mean, sd), abs=5.1e-4)


def invented(tokens=True, **settings):
    vector = next(vector for vector in VECTORS["pairwise_f1"] if vector["id"] == "invented_potato")
    pattern = VECTORS["corpus_invented_potato"]["tokens_regex"]
    texts = vector["documents"]
    offsets = {doc: [match.span() for match in re.finditer(pattern, text)] for doc, text in texts.items()}
    return agreement(vector["annotations"], texts, offsets if tokens else None, **settings), vector


NAMES = {"overlap_type": "overlap_typed", "iou50": "iou", "iou50_type": "iou_typed"}


def test_span_f1_of_the_invented_corpus():
    found, vector = invented()
    want = vector["expected"]["exact"]
    for pair in found["pairs"]:
        for rule, cell in want["per_pair"]["|".join(pair["annotators"])].items():
            assert pair[NAMES.get(rule, rule.removeprefix("semeval_"))] == pytest.approx(cell["f1"], abs=1e-6)
            assert pair["spans"] == cell["total"]
    for rule, mean in want["mean"].items():
        summary = found["span_f1"][NAMES.get(rule, rule.removeprefix("semeval_"))]
        assert summary["mean"] == pytest.approx(mean, abs=1e-6)


@pytest.mark.parametrize("scheme", ["BIO", "IO"])
def test_tokens_of_the_invented_corpus(scheme):
    found, _ = invented(io=scheme == "IO")
    want = VECTORS["corpus_invented_potato"][scheme]
    token = found["token"]
    assert token["tokens"] == VECTORS["corpus_invented_potato"]["n_tokens"]
    assert (token["fleiss"], token["alpha"]) == pytest.approx((want["fleiss"], want["alpha"]), abs=1e-6)
    if scheme == "IO":
        assert token["cohen"] == pytest.approx(want["cohen_mean"], abs=1e-6)
        return
    for name, key in (("cohen", "cohen"), ("cohen_annotated", "cohen_annotated_tokens_only")):
        assert token[name] == pytest.approx(want[key]["mean"], abs=1e-6)
        for pair in found["pairs"]:
            assert pair[name] == pytest.approx(want[key]["|".join(pair["annotators"])], abs=1e-6)


def test_unitized_family_of_the_invented_corpus():
    found, vector = invented()
    want = VECTORS["corpus_invented_potato"]["u_family_pair"]
    got = found["unitized"]
    for name in ("u", "bar_u", "cu", "cu_coverage"):
        assert got[name] == pytest.approx(want[name], abs=1e-6)
    for label, (ku, coverage) in want["ku"].items():
        assert got["per_label"][label] == pytest.approx({"ku": ku, "coverage": coverage}, abs=1e-6)
    joined, at = {name: [] for name in vector["annotations"]}, 0
    for doc, text in vector["documents"].items():
        for name, docs in vector["annotations"].items():
            joined[name] += [(start + at, end + at, label) for start, end, label in docs[doc]]
        at += len(text)
    older = VECTORS["corpus_invented_potato"]["alpha_U_2004"]
    assert at == VECTORS["corpus_invented_potato"]["length"]
    assert alpha_u_2004(joined, at).overall == pytest.approx(older["overall"], abs=1e-6)


def test_no_vector_is_passed_over():
    assert set(VECTORS) == {
        "_about",
        "coding",
        "alpha_U_1995_2004",
        "u_alpha_2016",
        "pairwise_f1",
        "corpus_invented_potato",
        "gamma",
    }  # fmt: skip  (gamma is not part of this package)
    assert [v["kind"] for v in VECTORS["coding"]] == [
        "counts2", "counts2", "raters", "pairs", "two_sequences", "two_sequences"
    ]  # fmt: skip
    assert len(list(combinations(VECTORS["pairwise_f1"], 2))) == 1
