import math

import oracle_of_agreement as oracle
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import TEXT_LENGTH, documents, flat_spans

from spacy_semeval.agreement import agreement, krippendorff_alpha
from spacy_semeval.agreement.span_f1 import RULES
from spacy_semeval.errors import SemevalError, SettingsError

TEXTS = {"a": "Codeine 10 mg daily", "b": "Is tea allowed?", "c": "Take warfarin"}
ANA = {"a": [(0, 7, "DRUG"), (8, 13, "DOSE")], "b": [], "c": [(5, 13, "DRUG")]}
BEN = {"a": [(0, 7, "BRAND"), (8, 13, "DOSE")], "b": [(3, 6, "DRUG")], "c": [(5, 13, "DRUG")]}
CLEO = {"a": [(8, 10, "DOSE")], "c": []}


def found(*annotators, texts=TEXTS, **settings):
    names = ["ana", "ben", "cleo", "dora"]
    return agreement(dict(zip(names, annotators)), texts, **settings)


def means(result):
    return {rule: summary["mean"] for rule, summary in result["span_f1"].items()}


def test_span_f1_by_hand():
    # ana and ben: 2 of 3 and 4 spans are the same, another one has the same boundaries.
    result = found(ANA, BEN, CLEO)
    pairs = {tuple(pair["annotators"]): pair for pair in result["pairs"]}
    assert pairs["ana", "ben"]["strict"] == pytest.approx(4 / 7)
    assert pairs["ana", "ben"]["exact"] == pytest.approx(6 / 7)
    assert (pairs["ana", "ben"]["documents"], pairs["ana", "ben"]["spans"]) == (3, 7)
    # cleo did not see b: ben's span there does not count.
    assert (pairs["ben", "cleo"]["documents"], pairs["ben", "cleo"]["spans"]) == (2, 4)
    assert pairs["ben", "cleo"]["overlap"] == pytest.approx(2 / 4)
    assert pairs["ben", "cleo"]["iou"] == 0.0  # 2 of 5 characters
    summary = result["span_f1"]["strict"]
    assert (summary["mean"], summary["min"], summary["max"]) == pytest.approx((4 / 21, 0.0, 4 / 7))
    assert summary["sd"] == pytest.approx(math.sqrt((4 / 7 - 4 / 21) ** 2 / 3 + 2 * (4 / 21) ** 2 / 3))
    assert result["per_annotator"]["ana"]["strict"] == pytest.approx(2 / 7)


def test_documents():
    assert found(ANA, BEN, CLEO)["documents"] == {
        "total": 3,
        "shared": 2,
        "compared": 3,
        "by_annotators": {"1": 0, "2": 1, "3": 2},
        "overlapping": 0,
        "without_text": 0,
        "other_label_spans": 0,
        "same_text": 0,
        "duplicate_spans": 0,
        "different_text": 0,
        "duplicate_records": 0,
    }
    own = found(ANA, BEN, CLEO)["per_annotator"]
    assert [(own[name]["documents"], own[name]["empty"], own[name]["spans"]) for name in own] == [
        (3, 1, 3),
        (3, 0, 4),
        (2, 1, 1),
    ]


def test_texts_that_two_documents_have_are_counted():
    result = agreement({"a": {1: [], 2: []}, "b": {1: [], 3: []}}, {1: "x", 2: "Take tea", 3: "Take tea"})
    assert (result["documents"]["same_text"], result["documents"]["shared"]) == (1, 1)


def test_confusion_and_differences():
    result = found(ANA, BEN)
    assert result["confusion"] == {
        "(none)": {"DRUG": 1},
        "BRAND": {"DRUG": 1},
        "DOSE": {"DOSE": 1},
        "DRUG": {"(none)": 1, "BRAND": 1, "DRUG": 1},
    }
    assert [entry["differences"] for entry in result["per_document"]] == [1, 1, 0]
    assert [entry["strict"]["mean"] for entry in result["per_document"]] == [0.5, 0.0, 1.0]


def test_a_label_with_the_name_of_none():
    result = found({"a": [(0, 7, "(none)")]}, {"a": []})
    assert result["confusion"] == {"((none))": {"(none)": 1}, "(none)": {"((none))": 1}}


def test_labels():
    result = found(ANA, BEN)
    per_label = {label: (own["spans"], own["strict"]["mean"]) for label, own in result["per_label"].items()}
    assert per_label == {"BRAND": (1, 0.0), "DOSE": (2, 1.0), "DRUG": (4, 0.5)}
    some = found(ANA, BEN, labels=["DOSE", "FORM"])
    assert (some["span_f1"]["strict"]["mean"], some["documents"]["other_label_spans"]) == (1.0, 5)
    assert some["per_label"]["FORM"]["spans"] == 0
    assert some["per_label"]["FORM"]["strict"]["mean"] is None
    assert set(some["unitized"]["per_label"]) == {"DOSE", "FORM"}
    assert "per_label.FORM" in some["reasons"]
    assert "unitized.per_label.FORM" in some["reasons"]


def test_fleiss_takes_the_documents_with_the_most_common_number():
    texts = {str(i): "a b" for i in range(5)}
    one, two = [(0, 1, "A")], [(2, 3, "A")]
    x, y = dict.fromkeys("01234", one), {"0": one, "1": one, "2": two}
    z, w = {"3": one}, {"0": two, "4": one}
    token = found(x, y, z, w, texts=texts)["token"]
    # 0 has three, 1, 2, 3, 4 have two
    assert (token["fleiss_annotators"], token["fleiss_documents"]) == (2, 4)
    # Three documents with equal tags, one with different ones: P = (6 + 0) / 8, shares of B and O are 1/2.
    assert token["fleiss"] == pytest.approx((6 / 8 - 1 / 2) / (1 - 1 / 2))
    u = found({"0": one, "1": one}, {"0": one, "1": one}, {"1": two}, texts=texts)["token"]
    assert (u["fleiss_annotators"], u["fleiss_documents"]) == (3, 1)  # of equally common ones the larger


def test_alpha_takes_any_number_of_annotators():
    texts = {"0": "a b", "1": "a b"}
    result = found({"0": [(0, 1, "A")], "1": []}, {"0": [(0, 1, "A")]}, {"0": [], "1": [(2, 3, "A")]}, texts=texts)
    rows = [["B", "O", "O", "O"], ["B", "O", None, None], ["O", "O", "O", "B"]]
    assert result["token"]["alpha"] == pytest.approx(krippendorff_alpha(rows))


def test_what_is_not_defined_has_a_reason():
    result = found({"a": []}, {"a": []}, alpha_u_2004=True)
    assert set(means(result).values()) == {None}
    assert result["span_f1"]["strict"]["ci"] is None
    assert [result["token"][name] for name in ("cohen", "cohen_annotated", "fleiss", "alpha")] == [None] * 4
    assert [result["unitized"][name] for name in ("u", "bar_u", "cu")] == [None] * 3
    assert result["alpha_u_2004"] == [{"document": "a", "overall": None, "per_label": {}}]
    assert set(result["reasons"]) == {
        "span_f1", "token.cohen", "token.cohen_annotated", "token.fleiss", "token.alpha", "unitized.u",
        "unitized.bar_u", "unitized.cu", "pairs.ana, ben", "pairs.ana, ben.cohen", "pairs.ana, ben.cohen_annotated",
        "per_document", "alpha_u_2004.a", "per_annotator.ana", "per_annotator.ben",
    }  # fmt: skip


def test_without_texts():
    result = found(ANA, BEN, texts=None, alpha_u_2004=True)
    assert means(result) == means(found(ANA, BEN))
    assert result["token"]["cohen"] is None
    assert result["unitized"]["u"] is None
    assert result["documents"]["without_text"] == 3
    assert result["reasons"]["token.cohen"] == "no document that is compared has tokens"
    assert result["reasons"]["unitized.u"] == "no text of a document is known"
    assert result["reasons"]["alpha_u_2004.a"] == "the text is not known"


def test_overlapping_spans_are_left_out_of_the_unitized_family():
    nested = {"a": [(0, 7, "DRUG"), (0, 13, "DOSE")], "c": ANA["c"]}
    result = found(nested, ANA)
    assert (result["documents"]["overlapping"], result["unitized"]["documents"]) == (1, 1)
    assert result["unitized"]["u"] == found({"c": ANA["c"]}, {"c": ANA["c"]})["unitized"]["u"]
    assert result["token"]["by_label"] is True
    only = found({"a": nested["a"]}, {"a": ANA["a"]}, alpha_u_2004=True)
    assert only["unitized"]["u"] is None
    assert only["reasons"]["unitized.u"] == "spans of one annotator overlap in every document"
    assert only["unitized"]["per_label"]["DOSE"] == {"ku": None, "coverage": None}
    assert "unitized.per_label.DOSE" in only["reasons"]
    assert only["alpha_u_2004"][0]["overall"] is not None  # its labels do not overlap themselves


def test_the_older_alpha_is_not_defined_for_a_label_that_overlaps_itself():
    twice = [(0, 7, "DRUG"), (3, 9, "DRUG"), (10, 13, "DOSE")]
    result = found({"a": twice}, {"a": [(10, 13, "DOSE")]}, alpha_u_2004=True)
    assert result["alpha_u_2004"][0] == {"document": "a", "overall": None, "per_label": {"DOSE": 1.0, "DRUG": None}}
    assert "overlap" in result["reasons"]["alpha_u_2004.a.DRUG"]
    assert result["reasons"]["alpha_u_2004.a"] == "it is not defined for all labels"


def test_the_older_alpha_of_a_text_of_one_character():
    x = {1: [(0, 1, "X")]}
    result = agreement({"a": x, "b": x}, {1: "a"}, alpha_u_2004=True)
    assert result["alpha_u_2004"][0] == {"document": 1, "overall": None, "per_label": {"X": None}}
    assert {"alpha_u_2004.1", "alpha_u_2004.1.X"} <= set(result["reasons"])


def test_documents_without_tokens_do_not_count_for_tokens():
    one, other = [(0, 1, "X")], [(2, 3, "X")]
    known = agreement({"a": {1: one}, "b": {1: one}, "c": {1: other}}, {1: "a b c"})
    more = agreement({"a": {1: one, 2: [], 3: []}, "b": {1: one, 2: [], 3: []}, "c": {1: other}}, {1: "a b c", 3: ""})
    assert more["token"] == known["token"]
    assert (more["token"]["fleiss_annotators"], more["token"]["fleiss"]) == (3, pytest.approx(0.0))
    nested = agreement({"a": {1: one, 2: [(0, 2, "X"), (1, 3, "Y")]}, "b": {1: one, 2: []}}, {1: "a b c"})
    assert nested["token"]["by_label"] is False


def test_a_pair_that_shares_no_tokens():
    one = [(0, 1, "X")]
    result = agreement({"a": {1: one, 2: one}, "b": {1: []}, "c": {2: []}}, {1: "a b"})
    assert result["reasons"]["pairs.a, c.cohen"] == "no document that is compared has tokens"
    assert result["reasons"]["pairs.a, c.cohen_annotated"] == "no document that is compared has tokens"


def test_a_text_with_too_many_overlaps_is_blamed_on_the_pair(monkeypatch):
    from spacy_semeval.engine import align

    monkeypatch.setattr(align, "MANY_OVERLAPS", 5)
    monkeypatch.setattr(align, "OVERLAPS_EACH", 0)
    nested = {name: {1: [(i, 100 - i - shift, "X") for i in range(10)]} for shift, name in enumerate(("ana", "ben"))}
    with pytest.raises(SemevalError, match="^ana and ben: 55 pairs .* compare fewer labels with --label"):
        agreement(nested, {1: "a" * 100})


def test_so_many_labels_that_no_table_holds_them(monkeypatch):
    from spacy_semeval.agreement import measure

    monkeypatch.setattr(measure, "MANY_LABELS", 2)
    result = found(ANA, BEN)
    assert result["unitized"]["u"] is None
    assert "labels" in result["reasons"]["unitized.u"]


def test_identical_annotations():
    result = found(ANA, ANA, ANA)
    assert set(means(result).values()) == {1.0}
    assert [result["token"][name] for name in ("cohen", "cohen_annotated", "fleiss", "alpha")] == [1.0] * 4
    assert [result["unitized"][name] for name in ("u", "bar_u", "cu")] == [1.0] * 3


@pytest.mark.parametrize(
    ("annotators", "problem"),
    [
        ({}, "two annotators at least, but got 0: none"),
        ({"a": {}}, "two annotators at least, but got 1: a"),
        ({"a": {1: []}, "b": {}}, "No document was seen by two annotators. Documents: a 1, b 0"),
        ({"a": {1: []}}, "two annotators at least, but got 1: a"),
        ({"a": {1: []}, "b": {2: []}}, "No document was seen by two annotators. Documents: a 1, b 1"),
        ({"a": {1: []}, "b": {3: []}}, "1 texts are the same, but their hash or id is not"),
        ({"a": {1.5: []}, "b": {}}, "known by a string or a whole number, but got 1.5"),
        ({"a": {1: [(0, 0, "A")]}, "b": {1: []}}, "annotator 'a' in document 1"),
        ({"a": {1: [(0, 99, "A")]}, "b": {1: []}}, "0 to 99 .* of 'a' does not fit document 1"),
    ],
)
def test_what_is_refused(annotators, problem):
    with pytest.raises(SemevalError, match=problem):
        agreement(annotators, {1: "Take tea", 3: "Take tea"})


@pytest.mark.parametrize(
    "arguments",
    [
        ([{1: []}], None, None), ({1: {1: []}, "b": {1: []}}, None, None), ({"a": [], "b": []}, None, None),
        ({"a": {1: []}}, ["x"], None), ({"a": {1: []}}, {1: 5}, None), ({"a": {1: []}}, {1: b"x"}, None),
        ({"a": {1: []}}, None, {1: None}), ({"a": {1: []}}, None, {1: ["a"]}), ({"a": {1: []}}, None, {1: [(0.7, 2)]}),
    ],
)  # fmt: skip
def test_arguments_of_other_kinds(arguments):
    with pytest.raises(SemevalError, match="Expected"):
        agreement(*arguments)


def test_so_many_tracks_that_they_do_not_fit(monkeypatch):
    from spacy_semeval.agreement import token_level

    monkeypatch.setattr(token_level, "MOST_TAGS", 10)
    result = found({"a": [(0, 7, "DRUG"), (0, 13, "DOSE")]}, {"a": []})
    assert result["token"]["cohen"] is result["pairs"][0]["cohen"] is None
    assert "too many labels" in result["reasons"]["token.cohen"]
    assert "too many labels" in result["reasons"]["pairs.ana, ben.cohen"]
    assert found({"a": [(0, 7, "DRUG")]}, {"a": []})["token"]["cohen"] is not None


@pytest.mark.parametrize(
    "wrong",
    [
        {"labels": []}, {"labels": "A"}, {"ratio": "x"}, {"iou": 0}, {"bootstrap": -1}, {"bootstrap": 1.5},
        {"seed": -1}, {"seed": True}, {"lang": "zz"}, {"bootstrap": 100_001},
    ],
)  # fmt: skip
def test_wrong_settings(wrong):
    with pytest.raises(SettingsError):
        found(ANA, BEN, **wrong)


TEXT = "a" * 3 + " " + "b" * 4 + " " + "c" * 3


def corpora(spans, fewest=1):
    seen = st.dictionaries(st.sampled_from([1, 2, 3]), spans, min_size=fewest, max_size=3)
    return st.dictionaries(st.sampled_from("wxyz"), seen, min_size=2, max_size=4)


def measured(annotators, **settings):
    texts = dict.fromkeys([1, 2, 3], TEXT + " " * 20)
    try:
        return agreement(annotators, texts, bootstrap=0, **settings)
    except SemevalError as error:
        assert "seen by two" in str(error)  # noqa: PT017
        return None


def plain(value):
    """All numbers of a result, rounded, without the names of annotators."""
    if isinstance(value, dict):
        return {key: plain(one) for key, one in value.items()}
    return round(value, 9) if isinstance(value, float) else value


@pytest.mark.fuzz
@given(corpora(documents(4, width=8)))
def test_like_the_slow_measures(annotators):
    result = measured(annotators)
    if result is None:
        return
    for pair in result["pairs"]:
        a, b = (annotators[name] for name in pair["annotators"])
        shared = sorted(set(a) & set(b))
        total = sum(len(set(a[doc])) + len(set(b[doc])) for doc in shared)
        assert (pair["documents"], pair["spans"]) == (len(shared), total)
        for rule in ("overlap", "overlap_typed", "iou", "iou_typed"):
            tp = sum(oracle.matches(a[doc], b[doc])[rule] for doc in shared)
            assert pair[rule] == oracle.f1(tp, total)
        same = sum(len(set(a[doc]) & set(b[doc])) for doc in shared)
        assert pair["strict"] == oracle.f1(same, total)
    assert [tuple(pair["annotators"]) for pair in result["pairs"]] == [
        (i, j) for i, j in oracle.pairs(annotators) if set(annotators[i]) & set(annotators[j])
    ]
    for rule in RULES:
        want = oracle.mean(pair[rule] for pair in result["pairs"])
        assert result["span_f1"][rule]["mean"] == (None if want is None else pytest.approx(want))


@pytest.mark.fuzz
@given(corpora(flat_spans()))
def test_unitized_like_the_slow_one(annotators):
    result = measured(annotators)
    if result is None:
        return
    texts = [{name: docs[doc] for name, docs in annotators.items() if doc in docs} for doc in (1, 2, 3)]
    want, _ = oracle.unitized(texts, [len(TEXT) + 20] * 3)
    got = {name: result["unitized"][name] for name in want}
    assert got == {name: None if value is None else pytest.approx(value) for name, value in want.items()}


@pytest.mark.fuzz
@given(corpora(documents(4, width=8)), st.permutations("wxyz"), st.randoms())
def test_order_and_names_of_annotators_do_not_matter(annotators, names, random):
    result = measured(annotators)
    order = random.sample(sorted(annotators), len(annotators))
    again = measured({name: dict(reversed(annotators[name].items())) for name in order})
    assert again == result
    renamed = measured({names["wxyz".index(name)]: own for name, own in annotators.items()})
    if result is not None:
        for key in ("span_f1", "token", "unitized", "documents"):
            assert plain(renamed[key]) == plain(result[key])


@pytest.mark.fuzz
@given(corpora(documents(4, width=8)))
def test_all_that_is_null_has_a_reason(annotators):
    result = measured(annotators)
    if result is None:
        return
    reasons = result["reasons"]
    for key, group in (("token", result["token"]), ("unitized", result["unitized"])):
        assert all(f"{key}.{name}" in reasons for name, value in group.items() if value is None)
    assert all(summary["mean"] is not None or "span_f1" in reasons for summary in result["span_f1"].values())
    for pair in result["pairs"]:
        names = ", ".join(pair["annotators"])
        assert all(pair[rule] is not None or f"pairs.{names}" in reasons for rule in RULES)
        assert all(pair[k] is not None or f"pairs.{names}.{k}" in reasons for k in ("cohen", "cohen_annotated"))
    for label, alpha in result["unitized"]["per_label"].items():
        assert None not in alpha.values() or f"unitized.per_label.{label}" in reasons
    for name, own in result["per_annotator"].items():
        assert own["strict"] is not None or f"per_annotator.{name}" in reasons
    for entry in result["per_document"]:
        assert entry["strict"]["mean"] is not None or "per_document" in reasons


@pytest.mark.fuzz
@given(st.dictionaries(st.sampled_from([1, 2, 3]), flat_spans(), min_size=1))
def test_copies_agree(own):
    result = measured({"x": own, "y": own, "z": own})
    for group in (result["token"], result["unitized"]):
        for name in ("cohen", "cohen_annotated", "fleiss", "alpha", "u", "bar_u", "cu"):
            assert group.get(name) is None or group[name] == pytest.approx(1.0)
    assert all(summary["mean"] in (None, 1.0) for summary in result["span_f1"].values())
    assert len(TEXT) + 20 >= TEXT_LENGTH
