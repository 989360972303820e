import numpy as np
import oracle_of_agreement as oracle
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from strategies import TEXT_LENGTH as LENGTH
from strategies import flat_spans

from spacy_semeval.agreement import unitized_alpha
from spacy_semeval.agreement.unitized import count_coincidences
from spacy_semeval.engine.spans import read_documents, tabulate
from spacy_semeval.errors import SemevalError


def corpora(labels="ABC", fewest=0):
    document = st.dictionaries(st.sampled_from("wxyz"), flat_spans(labels), min_size=fewest, max_size=4)
    return st.lists(document, min_size=1, max_size=3)


def found(documents):
    result = unitized_alpha(documents, [LENGTH] * len(documents))
    family = {name: getattr(result, name) for name in ("u", "bar_u", "cu", "cu_coverage")}
    return family, {label: (alpha.ku, alpha.coverage) for label, alpha in result.per_label.items()}


def near(want):
    return None if want is None else pytest.approx(want, abs=1e-9)


def test_by_hand():
    # A wrong label on 2 of 10 characters: 4 of 20 coincidences differ; by chance
    # 20 * 2 * (16 * 2 + 16 * 2 + 2 * 2) / (400 - 16 - 4 - 4).
    result = unitized_alpha([{"a": [(0, 2, "A")], "b": [(0, 2, "B")]}], [10])
    assert result.u == pytest.approx(1 - 4 / (20 * 2 * 68 / 376))
    assert (result.bar_u, result.cu, result.cu_coverage) == (1.0, 0.0, 0.2)
    assert [(label, alpha.ku, alpha.coverage) for label, alpha in result.per_label.items()] == [
        ("A", 0.0, 1.0),
        ("B", 0.0, 1.0),
    ]


def test_a_span_and_its_pieces_agree():
    whole, pieces = [(0, 10, "X")], [(0, 5, "X"), (5, 10, "X")]
    result = unitized_alpha([{"a": whole, "b": pieces}], [40])
    assert (result.u, result.bar_u, result.cu, result.cu_coverage) == (1.0, 1.0, None, 0.25)


@pytest.mark.parametrize(
    ("document", "family"),
    [
        ({"a": [], "b": []}, (None, None, None, 0.0)),
        ({"a": [(0, 10, "A")], "b": [(0, 10, "A")]}, (None, None, None, 1.0)),
        ({"a": [(0, 10, "A")], "b": [(0, 10, "B")]}, (None, None, None, 1.0)),
    ],
)
def test_what_is_not_defined(document, family):
    result = unitized_alpha([document], [10])
    assert (result.bar_u, result.cu_coverage) == (family[1], family[3])
    if len({label for spans in document.values() for _, _, label in spans}) < 2:
        assert (result.u, result.cu) == (None, None)


def test_documents_that_one_saw_do_not_count():
    both = {"a": [(0, 2, "A")], "b": [(1, 3, "A")]}
    alone = {"a": [(3, 9, "B")]}
    assert found([both, alone, {}])[0] == found([both])[0]
    assert unitized_alpha([], []).u is None
    assert unitized_alpha([both], [0 + 3]).u is not None


def test_what_is_refused():
    with pytest.raises(SemevalError, match="'a' in document 1 overlap"):
        unitized_alpha([{"a": [], "b": []}, {"a": [(0, 3, "A"), (2, 5, "B")], "b": []}], [9, 9])
    with pytest.raises(SemevalError, match="'b' ends behind its text"):
        unitized_alpha([{"a": [], "b": [(5, 11, "A")]}], [10])
    with pytest.raises(SemevalError, match="a length for each of 1 documents, but got 2"):
        unitized_alpha([{"a": []}], [1, 2])
    for length in (-1, 5.5, "5", True):
        with pytest.raises(SemevalError, match="Expected lengths to be whole numbers"):
            unitized_alpha([{"a": []}], [length])
    with pytest.raises(SemevalError, match="annotator 'a'"):
        unitized_alpha([{"a": [(3, 3, "A")], "b": []}], [10])


def test_duplicates_and_touching_spans():
    once = {"a": [(0, 2, "A"), (2, 4, "A")], "b": [(0, 4, "A")]}
    twice = {"a": [(2, 4, "A"), (0, 2, "A"), (0, 2, "A")], "b": [(0, 4, "A")]}
    assert found([once]) == found([twice])


@pytest.mark.fuzz
@given(corpora())
def test_like_character_by_character(documents):
    family, per_label = found(documents)
    want, labels = oracle.unitized(documents, [LENGTH] * len(documents))
    if any(len(document) > 1 for document in documents):
        assert family == {name: near(value) for name, value in want.items()}
        for label, (ku, coverage) in labels.items():
            assert per_label[label] == (near(ku), near(coverage))


@pytest.mark.fuzz
@given(corpora())
def test_boundaries_are_the_family_with_labels_erased(documents):
    erased = [{name: [(s, e, "X") for s, e, _ in spans] for name, spans in doc.items()} for doc in documents]
    bar_u = found(documents)[0]["bar_u"]
    assert found(erased)[0]["bar_u"] == near(bar_u)
    assert found(erased)[0]["u"] == near(bar_u)


@pytest.mark.fuzz
@given(st.lists(st.fixed_dictionaries({name: flat_spans() for name in "wxy"}), min_size=1, max_size=4))
def test_documents_added_up_are_one_long_text(documents):
    joined = {
        name: [(s + i * LENGTH, e + i * LENGTH, label) for i, doc in enumerate(documents) for s, e, label in doc[name]]
        for name in "wxy"
    }
    whole = unitized_alpha([joined], [LENGTH * len(documents)])
    family, per_label = found(documents)
    assert family == {name: near(getattr(whole, name)) for name in family}
    assert per_label == {label: (near(a.ku), near(a.coverage)) for label, a in whole.per_label.items()}


@pytest.mark.fuzz
@given(corpora())
def test_documents_added_one_by_one_are_the_corpus(documents):
    def counted(chosen):
        tables = tabulate([read_documents([doc.get(name, ()) for doc in documents], name) for name in "wxyz"])
        seen = np.array([[name in doc and i in chosen for i, doc in enumerate(documents)] for name in "wxyz"])
        tables = [table.take(own[table.doc]) for table, own in zip(tables, seen)]
        return count_coincidences(tables, seen, np.full(len(documents), LENGTH))

    numbers = range(len(documents))
    total = counted([0])
    for i in numbers[1:]:
        total = total + counted([i])
    one, other = total.unitized(), counted(numbers).unitized()
    for name in ("u", "bar_u", "cu", "cu_coverage"):
        assert getattr(one, name) == near(getattr(other, name))


@pytest.mark.fuzz
@given(corpora(fewest=2), st.permutations("wxyz"), st.randoms())
def test_order_and_names_of_annotators_and_documents_do_not_matter(documents, names, random):
    renamed = [
        {names["wxyz".index(name)]: doc[name] for name in random.sample(sorted(doc), len(doc))} for doc in documents
    ]
    shuffled = random.sample(renamed, len(renamed))
    family, per_label = found(documents)
    other, other_labels = found(shuffled)
    assert other == {name: near(value) for name, value in family.items()}
    assert other_labels == {label: tuple(map(near, pair)) for label, pair in per_label.items()}


@pytest.mark.fuzz
@given(st.lists(flat_spans(), min_size=1, max_size=3))
def test_copies_agree(annotations):
    documents = [{"x": spans, "y": spans, "z": spans} for spans in annotations]
    family, per_label = found(documents)
    assert all(family[name] in (near(1.0), None) for name in ("u", "bar_u", "cu"))
    marked = {label for spans in annotations for _, _, label in spans}
    assume(marked)
    assert all(coverage == 1.0 and ku in (None, near(1.0)) for ku, coverage in per_label.values())


@pytest.mark.fuzz
@given(corpora())
def test_expected_coincidences_sum_up_to_the_text(documents):
    tables = tabulate([read_documents([doc.get(name, ()) for doc in documents], name) for name in "wxyz"])
    seen = np.array([[name in doc for doc in documents] for name in "wxyz"])
    counted = count_coincidences(tables, seen, np.full(len(documents), LENGTH))
    text = LENGTH * sum(len(doc) for doc in documents if len(doc) > 1)
    assert counted.observed.sum() == pytest.approx(text)
    assert counted.expected.sum() == pytest.approx(text)
