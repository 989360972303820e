import numpy as np
import pytest
from spacy.tokens import Span

from spacy_semeval import SemevalError, score_spans
from spacy_semeval.engine.spans import MAX_OFFSET, SpanTable, make_tables, read_documents


def table(documents, **kwargs):
    return make_tables(read_documents(documents, "gold", **kwargs), read_documents([], "pred"))[0]


def rows(table):
    return [
        (int(d), int(s), int(e), table.labels[label])
        for d, s, e, label in zip(table.doc, table.start, table.end, table.label)
    ]


def test_spans_are_sorted_and_each_is_there_once():
    got = table([[(5, 9, "B"), (0, 3, "A"), (5, 9, "B"), (5, 9, "A")], [], [(0, 3, "A")]])
    assert rows(got) == [(0, 0, 3, "A"), (0, 5, 9, "A"), (0, 5, 9, "B"), (2, 0, 3, "A")]
    assert (got.duplicates, got.n_docs, len(got)) == (1, 3, 4)


def test_sides_share_sorted_labels():
    gold, pred = make_tables(read_documents([[(0, 1, "B")]], "gold"), read_documents([[(0, 1, "A")]], "pred"))
    assert gold.labels == pred.labels == ("A", "B")
    assert (gold.label.tolist(), pred.label.tolist()) == ([1], [0])


def test_largest_offsets_keep_their_order():
    far = MAX_OFFSET
    got = table([[(far - 1, far, "B"), (far - 2, far, "A"), (0, far, "A")]])
    assert rows(got) == [(0, 0, far, "A"), (0, far - 2, far, "A"), (0, far - 1, far, "B")]


def test_take_keeps_documents_and_labels():
    got = table([[(0, 1, "A"), (2, 3, "B")]]).take(np.array([False, True]))
    assert rows(got) == [(0, 2, 3, "B")]
    assert got.labels == ("A", "B")


def test_build_takes_columns_in_any_order():
    doc, start, end, label = np.array([[1, 0, 0], [0, 7, 0], [2, 9, 4], [0, 0, 0]])
    got = SpanTable.build(2, ("A",), doc, start, end, label)
    assert rows(got) == [(0, 0, 4, "A"), (0, 7, 9, "A"), (1, 0, 2, "A")]


@pytest.mark.parametrize("kind", ["tuple", "list", "mapping", "numpy", "generator", "span"])
def test_spans_of_every_kind(kind, nlp):
    doc = nlp("Ask Ada Lovelace about 🦾 engines")
    spans = {
        "tuple": [(4, 16, "PER"), (25, 32, "TOPIC")],
        "list": [[4, 16, "PER"], [25, 32, "TOPIC"]],
        "mapping": [{"label": "PER", "end": 16, "start": 4, "score": 1.0}, {"start": 25, "end": 32, "label": "TOPIC"}],
        "numpy": [(np.int32(4), np.int64(16), np.str_("PER")), (np.uint8(25), 32, "TOPIC")],
        "generator": (span for span in [(4, 16, "PER"), (25, 32, "TOPIC")]),
        "span": [Span(doc, 1, 3, label="PER"), Span(doc, 5, 6, label="TOPIC")],
    }[kind]
    assert rows(table([spans])) == [(0, 4, 16, "PER"), (0, 25, 32, "TOPIC")]


def test_inclusive_ends_are_those_of_tuples_and_mappings_not_of_spacy(nlp):
    doc = nlp("Ask Ada Lovelace")
    mixed = [(4, 6, "A"), {"start": 4, "end": 6, "label": "B"}, Span(doc, 1, 2, label="C")]
    got = table([mixed], end_inclusive=True)
    assert rows(got) == [(0, 4, 7, "A"), (0, 4, 7, "B"), (0, 4, 7, "C")]
    assert rows(table([[(6, 6, "A")]], end_inclusive=True)) == [(0, 6, 7, "A")]


@pytest.mark.parametrize(
    ("bad", "said"),
    [
        ((3, 3, "A"), "start < end"),
        ((5, 2, "A"), "start < end"),
        ((-1, 2, "A"), "0 <= start"),
        ((0, MAX_OFFSET + 1, "A"), str(MAX_OFFSET)),
        ((0, 10**30, "A"), str(MAX_OFFSET + 1)),
        ((0, "2", "A"), "whole numbers"),
        ((0.5, 2, "A"), "whole numbers"),
        ((True, 2, "A"), "whole numbers"),
        ((0, 2, None), "string"),
        ((0, 2, ""), "not empty"),
        ((0, 2), "tuple"),
        ("span", "tuple"),
        (7, "tuple"),
        ({"start": 0, "end": 2}, "'label'"),
    ],
)
def test_a_bad_span_is_named_with_its_place(bad, said):
    gold = [[(0, 1, "A")], [(0, 1, "A"), (2, 4, "A"), bad]]
    with pytest.raises(SemevalError) as error:
        score_spans(gold, [[], []])
    assert said in str(error.value)
    assert "document 1 of gold, span 2" in str(error.value)
    with pytest.raises(SemevalError, match="of pred"):
        score_spans([[], []], gold)


@pytest.mark.parametrize("bad", [None, 3, "text", {"start": 0}])
def test_what_is_no_list_of_documents_is_refused(bad):
    with pytest.raises(SemevalError, match="one list of spans a document"):
        score_spans(bad, [])
    with pytest.raises(SemevalError, match="end_inclusive"):
        score_spans([], [], end_inclusive=2)


def test_a_span_whose_label_is_lost(lost_label):
    with pytest.raises(SemevalError, match="strings of its vocab"):
        score_spans([list(lost_label.spans["sc"])], [[]])


def test_columns_cannot_be_changed():
    got = table([[(0, 1, "A"), (2, 3, "B")]])
    with pytest.raises(ValueError, match="read-only"):
        got.start[0] = 7


@pytest.mark.parametrize("bad", ["spans", 3, None, {"start": 0}])
def test_a_document_that_holds_no_spans_is_named(bad):
    with pytest.raises(SemevalError, match="document 1 of pred"):
        score_spans([[], []], [[], bad])
