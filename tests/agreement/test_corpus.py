import pytest
from judgements import gather

from spacy_semeval.agreement import corpus
from spacy_semeval.agreement.corpus import Judgement, choose_annotators
from spacy_semeval.errors import SemevalError

A, B = (0, 4, "A"), (5, 9, "B")
TEXT = "Take tea today"


def judge(annotator, document=1, spans=(A,), text=TEXT, **more):
    return Judgement(annotator, document, text, tuple(spans), **more)


def test_who_saw_what():
    made = gather([judge("ben", 2, ()), judge("ana", 1), judge("ben", 1, (B,)), judge("chloe", 3)])
    assert made.annotators == ("ana", "ben", "chloe")
    assert [document.name for document in made.documents] == [1, 2, 3]
    assert made.seen.tolist() == [[True, False, False], [True, True, False], [False, False, True]]
    assert [len(table) for table in made.tables] == [1, 1, 1]
    assert made.spans_in(0) == {"ana": (A,), "ben": (B,)}
    assert (made.lengths.tolist(), made.has_text.tolist()) == ([len(TEXT)] * 3, [True] * 3)


def test_the_order_of_the_input_decides_nothing():
    judgements = [judge("b", 10), judge("a", 2), judge("b", "x"), judge("a", "10"), judge("a", 10)]
    one, two = gather(judgements), gather(judgements[::-1])
    assert [document.name for document in one.documents] == [2, 10, "10", "x"]
    assert [document.name for document in two.documents] == [2, 10, "10", "x"]
    assert one.seen.tolist() == two.seen.tolist()


def test_documents_are_known_by_their_text_if_any_has_no_hash():
    made = gather([judge("a", 1), judge("b", None), judge("b", 1, text="Other text")])
    assert [document.name for document in made.documents] == ["Other text", TEXT]
    assert made.seen.tolist() == [[False, True], [True, True]]


def test_another_text_is_left_out_and_counted():
    made = gather([judge("a", 1), judge("b", 1, text="Other text"), judge("a", 2), judge("b", 2)])
    assert [document.name for document in made.documents] == [2]
    assert made.counts == {"different_text": 1, "duplicate_records": 0}


def test_a_text_that_is_not_known_is_no_other_text():
    made = gather([judge("a", 1, text=None), judge("b", 1)])
    assert made.documents[0].text == TEXT


def test_spans_must_fit_a_text_that_somebody_else_has():
    with pytest.raises(SemevalError, match=r"Span 5 to 99 \(B\) of 'b' does not fit the text of document 1"):
        gather([judge("a", 1), judge("b", 1, [(5, 99, "B")], text=None)])


def test_equal_duplicates_count_once():
    made = gather([judge("a", 1, (A, B)), judge("a", 1, (B, A)), judge("b", 1)])
    assert made.counts["duplicate_records"] == 1
    assert made.tables[0].duplicates == 0


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
    made = gather([judge(name, tokens=own) for name, own in zip("ab", tokens)])
    assert made.documents[0].tokens == kept


def test_labels_are_chosen_before_anything_is_compared():
    made = gather([judge("a", 1, (A, B)), judge("b", 1, (B,))], labels=["A", "C"])
    assert [len(table) for table in made.tables] == [1, 0]
    assert (made.all_labels, made.other_label_spans) == (("A", "C"), 2)
    assert gather([judge("a", 1, (A, B)), judge("b")]).all_labels == ("A", "B")


def test_choosing_annotators():
    assert choose_annotators("abc") == {"a", "b", "c"}
    assert choose_annotators("abc", ["c", "a"]) == {"a", "c"}
    assert choose_annotators("abc", [], ["b"]) == {"a", "c"}
    assert choose_annotators("abc", ["a"], ["a"]) == set()
    for wrong in ((["d"], []), ([], ["d"])):
        with pytest.raises(SemevalError, match="no annotator 'd'. Annotators: a, b, c"):
            choose_annotators("abc", *wrong)


def test_annotators_who_judged_nothing_and_those_who_do_not_count():
    made = corpus.gather([judge("a"), judge("b"), judge("c", 2)], ["b", "a", "z"])
    assert (made.annotators, [d.name for d in made.documents]) == (("a", "b", "z"), [1])


def test_taking_documents():
    made = gather([judge("a", 1), judge("b", 1), judge("a", 2)])
    assert [d.name for d in made.take(made.seen.all(axis=0)).documents] == [1]
