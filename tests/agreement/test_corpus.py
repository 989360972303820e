import pytest

from spacy_semeval.agreement.corpus import Judgement, choose_annotators, gather
from spacy_semeval.errors import SemevalError

A, B = (0, 4, "A"), (5, 9, "B")
TEXT = "Take tea today"


def judge(annotator, document=1, spans=(A,), text=TEXT, **more):
    return Judgement(annotator, document, text, tuple(spans), **more)


def test_who_saw_what():
    corpus = gather([judge("ben", 2, ()), judge("ana", 1), judge("ben", 1, (B,)), judge("chloe", 3)])
    assert corpus.annotators == ("ana", "ben", "chloe")
    assert [document.name for document in corpus.documents] == [1, 2, 3]
    assert corpus.seen.tolist() == [[True, False, False], [True, True, False], [False, False, True]]
    assert [len(table) for table in corpus.tables] == [1, 1, 1]
    assert corpus.spans_in(0) == {"ana": (A,), "ben": (B,)}
    assert (corpus.lengths.tolist(), corpus.has_text.tolist()) == ([len(TEXT)] * 3, [True] * 3)


def test_the_order_of_the_input_decides_nothing():
    judgements = [judge("b", 10), judge("a", 2), judge("b", "x"), judge("a", "10"), judge("a", 10)]
    one, two = gather(judgements), gather(judgements[::-1])
    assert [document.name for document in one.documents] == [2, 10, "10", "x"]
    assert [document.name for document in two.documents] == [2, 10, "10", "x"]
    assert one.seen.tolist() == two.seen.tolist()


def test_documents_are_known_by_their_text_if_any_has_no_hash():
    corpus = gather([judge("a", 1), judge("b", None), judge("b", 1, text="Other text")])
    assert [document.name for document in corpus.documents] == ["Other text", TEXT]
    assert corpus.seen.tolist() == [[False, True], [True, True]]


def test_another_text_is_left_out_and_counted():
    corpus = gather([judge("a", 1), judge("b", 1, text="Other text"), judge("a", 2), judge("b", 2)])
    assert [document.name for document in corpus.documents] == [2]
    assert corpus.counts == {"different_text": 1, "duplicate_records": 0}


def test_a_text_that_is_not_known_is_no_other_text():
    corpus = gather([judge("a", 1, text=None), judge("b", 1)])
    assert corpus.documents[0].text == TEXT


def test_equal_duplicates_count_once():
    corpus = gather([judge("a", 1, (A, B)), judge("a", 1, (B, A)), judge("b", 1)])
    assert corpus.counts["duplicate_records"] == 1
    assert corpus.tables[0].duplicates == 0


@pytest.mark.parametrize(("which", "kept"), [("first", A), ("last", B)])
def test_different_duplicates(which, kept):
    judgements = [judge("a", 1, (A,)), judge("a", 1, (B,)), judge("b", 1)]
    with pytest.raises(
        SemevalError, match=r"once, differently: 1\n  a: document 1, 2 times\n--duplicates first or last"
    ):
        gather(judgements)
    assert gather(judgements, on_duplicates=which).spans_in(0)["a"] == (kept,)
    timed = [judge("a", 1, (B,), timestamp=9.0), judge("a", 1, (A,), timestamp=3.0), judge("b", 1)]
    assert gather(timed, on_duplicates=which).spans_in(0)["a"] == (kept,)


def test_one_text_of_two_may_be_taken():
    judgements = [judge("a", 1, text="Other text"), judge("a", 1), judge("b", 1)]
    assert gather(judgements, on_duplicates="last").counts["different_text"] == 0
    assert gather(judgements, on_duplicates="first").counts["different_text"] == 1


@pytest.mark.parametrize(
    ("tokens", "kept"),
    [
        ((((0, 4), (5, 8)), ((0, 4), (5, 8))), ((0, 4), (5, 8))),
        ((((0, 4), (5, 8)), None), ((0, 4), (5, 8))),
        ((((0, 4), (5, 8)), ((0, 8),)), None),
        ((None, None), None),
    ],
)
def test_tokens_are_those_on_which_all_agree(tokens, kept):
    corpus = gather([judge(name, tokens=own) for name, own in zip("ab", tokens)])
    assert corpus.documents[0].tokens == kept


def test_labels_are_chosen_before_anything_is_compared():
    corpus = gather([judge("a", 1, (A, B)), judge("b", 1, (B,))], labels=["A", "C"])
    assert [len(table) for table in corpus.tables] == [1, 0]
    assert (corpus.all_labels, corpus.other_label_spans) == (("A", "C"), 2)
    assert gather([judge("a", 1, (A, B)), judge("b")]).all_labels == ("A", "B")


def test_choosing_annotators():
    judgements = [judge(name) for name in "abc"]
    assert [j.annotator for j in choose_annotators(judgements)] == ["a", "b", "c"]
    assert [j.annotator for j in choose_annotators(judgements, ["c", "a"])] == ["a", "c"]
    assert [j.annotator for j in choose_annotators(judgements, [], ["b"])] == ["a", "c"]
    assert choose_annotators(judgements, ["a"], ["a"]) == []
    for wrong in ((["d"], []), ([], ["d"])):
        with pytest.raises(SemevalError, match="no annotator 'd'. Annotators: a, b, c"):
            choose_annotators(judgements, *wrong)


def test_taking_documents():
    corpus = gather([judge("a", 1), judge("b", 1), judge("a", 2)])
    assert [d.name for d in corpus.take(corpus.seen.all(axis=0)).documents] == [1]
