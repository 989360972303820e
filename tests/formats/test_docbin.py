import pytest

from spacy_semeval import SemevalError
from spacy_semeval.formats.base import Dataset, Record, Token
from spacy_semeval.formats.docbin import DocMaker, make_tokens

TEXT = "Take New-York's aspirin"


def record(*spans, text=TEXT, tokens=None, unknown=(), line=3):
    made = tokens and [Token(text[start:end], start, end) for start, end in tokens]
    return Record(text, spans, line, made, unknown)


def ents(doc):
    return [(e.start_char, e.end_char, e.label_) for e in doc.ents]


def test_tokens_of_the_record_are_kept(nlp):
    tokens = ((0, 4), (5, 8), (8, 13), (13, 15), (16, 23))
    doc = make_tokens(nlp, record(tokens=tokens))
    assert [token.text for token in doc] == ["Take", "New", "-York", "'s", "aspirin"]
    assert doc.text == TEXT


@pytest.mark.parametrize(
    ("text", "tokens", "words"),
    [
        ("a  b\nc ", ((0, 1), (2, 3), (3, 4), (4, 5), (5, 6)), ["a", " ", "b", "\n", "c"]),
        ("ab", ((0, 1), (1, 2)), ["a", "b"]),
        ("a b", ((0, 0), (0, 1), (2, 3)), ["a", "b"]),
        ("a  b", ((0, 1), (3, 4)), ["a", " ", "b"]),
        (" a", ((1, 2),), [" ", "a"]),
        ("a b", ((0, 1),), ["a", "b"]),
        ("a b", (), ["a", "b"]),
        ("a b", ((0, 2), (1, 3)), ["a", "b"]),
        ("a b", ((2, 3), (0, 1)), ["a", "b"]),
    ],
    ids=["white space", "touching", "empty token", "gap", "indent", "too few", "none", "overlapping", "unsorted"],
)
def test_tokens_rebuild_the_text_or_the_tokenizer_makes_them(nlp, text, tokens, words):
    doc = make_tokens(nlp, record(text=text, tokens=tokens))
    assert (doc.text, [token.text for token in doc]) == (text, words)


def test_entities_and_a_text_without_any(nlp):
    docs = DocMaker(nlp).make_all(Dataset("x", [record((16, 23, "DRUG"), (16, 23, "DRUG")), record()]))
    assert [ents(doc) for doc in docs] == [[(16, 23, "DRUG")], []]
    assert all(doc.has_annotation("ENT_IOB", require_complete=True) for doc in docs)


def test_duplicates_are_counted(nlp):
    maker = DocMaker(nlp)
    maker.make_all(Dataset("x", [record((16, 23, "DRUG"), (16, 23, "DRUG"))]))
    assert maker.notes() == ["Surplus of duplicate spans, left out: 1"]


def test_long_texts_are_cut_in_what_is_said(nlp):
    text = "word " * 100
    maker = DocMaker(nlp, on_misaligned="skip", on_overlap="longest")
    maker.make(record((0, 499, "A"), (5, 494, "B"), (1, 400, "C"), text=text))
    assert max(map(len, maker.notes())) < 250


def test_spans_that_become_the_same_are_kept_once(nlp):
    for key in (None, "sc"):
        maker = DocMaker(nlp, key, on_misaligned="expand")
        doc = maker.make(record((16, 18, "DRUG"), (19, 22, "DRUG")))
        assert [span.text for span in (doc.spans[key] if key else doc.ents)] == ["aspirin"]
        assert (len(maker.misaligned), maker.duplicates) == (2, 1)


def test_a_group_of_spans_cannot_hold_stretches_without_annotation(nlp):
    maker = DocMaker(nlp, spans_key="sc")
    maker.make(record((0, 4, "VERB"), unknown=((5, 8),)))
    assert maker.notes() == ["Stretches without annotation that doc.spans can't mark as such: 1"]


def test_stretches_without_annotation_are_missing(nlp):
    doc = DocMaker(nlp).make(record((0, 4, "VERB"), unknown=((2, 8), (17, 18))))
    tags = {"Take": "B", "New": "", "-": "O", "York": "O", "'s": "O", "aspirin": ""}
    assert {token.text: token.ent_iob_ for token in doc} == tags


def test_spans_may_overlap_under_a_key(nlp):
    maker = DocMaker(nlp, spans_key="sc")
    docs = maker.make_all(Dataset("x", [record((0, 8, "A"), (5, 13, "B")), record()]))
    found = [[(s.start_char, s.end_char, s.label_) for s in doc.spans["sc"]] for doc in docs]
    assert found == [[(0, 8, "A"), (5, 13, "B")], []]
    assert maker.overlapping == []


@pytest.mark.parametrize(
    ("policy", "want"), [("skip", []), ("expand", [(5, 8, "GPE"), (16, 23, "DRUG")]), ("contract", [(16, 23, "DRUG")])]
)
def test_spans_that_cut_through_tokens(nlp, policy, want):
    maker = DocMaker(nlp, on_misaligned=policy)
    cut = record((6, 8, "GPE"), (15, 23, "DRUG"))
    (doc,) = maker.make_all(Dataset("x", [cut]))
    assert ents(doc) == want
    assert maker.misaligned == ["line 3: GPE 'ew' (6 to 8)", "line 3: DRUG ' aspirin' (15 to 23)"]


def test_spans_that_cut_through_tokens_are_refused_by_default(nlp):
    dataset = Dataset("x.jsonl", [record((6, 8, "GPE"), line=i) for i in range(1, 13)])
    with pytest.raises(SemevalError) as error:
        DocMaker(nlp).make_all(dataset)
    lines = str(error.value).splitlines()
    assert "12 spans of x.jsonl" in lines[0]
    assert lines[1] == "  line 1: GPE 'ew' (6 to 8)"
    assert (lines[11], "--on-misaligned" in lines[12]) == ("  and 2 more", True)


def test_overlapping_entities(nlp):
    dataset = Dataset("x.jsonl", [record((0, 8, "A"), (5, 15, "B"), (16, 23, "C"))])
    with pytest.raises(SemevalError, match=r"line 3: A 'Take New' \(0 to 8\) overlaps B \"New-York's\" \(5 to 15\)"):
        DocMaker(nlp).make_all(dataset)
    maker = DocMaker(nlp, on_overlap="longest")
    (doc,) = maker.make_all(dataset)
    assert ents(doc) == [(5, 15, "B"), (16, 23, "C")]
    assert len(maker.overlapping) == 1
