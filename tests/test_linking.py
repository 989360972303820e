import pytest

from spacy_semeval import SemevalError
from spacy_semeval.formats.base import Record
from spacy_semeval.linking import Annotation, Side, link, read_linked

DRUG = (5, 12, "DRUG")


def side(*records, role="GOLD"):
    return Side(role, f"{role.lower()}.jsonl", [Annotation.of(record) for record in records])


def record(text="a", spans=(), line=1, hash=None, time=None, unknown=(), rejected=()):
    return Record(text, tuple(spans), line, None, unknown, rejected, hash, time)


def linked(gold, pred, *policies):
    return link(side(*gold), side(*pred, role="PRED"), *policies)


def lines(found):
    return [(g.line, p and p.line) for g, p in zip(found.gold, found.pred)]


def test_linked_by_hash_if_all_have_one():
    found = linked(
        [record("a", hash=1), record("a", hash=2, line=2)], [record("a", hash=2), record("a", hash=1, line=2)]
    )
    assert lines(found) == [(1, 2), (2, 1)]
    assert set(found.documents.values()) == {0}


def test_linked_by_text_if_one_has_no_hash():
    found = linked([record("a", hash=1), record("b", hash=2, line=2)], [record("b", hash=1), record("a", line=2)])
    assert lines(found) == [(1, 2), (2, 1)]


def test_the_same_hash_with_another_text_is_left_out():
    found = linked([record("a", hash=1), record("b", hash=2, line=2)], [record("a", hash=1), record("c", hash=2)])
    assert (lines(found), found.documents["different_text"], found.documents["gold_only"]) == ([(1, 1)], 1, 0)
    # nor is it missing
    assert lines(
        linked([record("a", hash=1), record("b", hash=2)], [record("a", hash=1), record("c", hash=2)], "count")
    ) == [(1, 1)]


GOLD = [record("a"), record("b", line=2), record("c", line=3)]
PRED = [record("d"), record("c", line=2)]


def test_missing_documents_are_refused():
    with pytest.raises(SemevalError, match=r"PRED \(pred.jsonl\) lacks 2 of the 3 documents of GOLD .*--missing skip"):
        linked(GOLD, PRED)


@pytest.mark.parametrize(("policy", "found"), [("skip", [(3, 2)]), ("count", [(1, None), (2, None), (3, 2)])])
def test_missing_documents(policy, found):
    result = linked(GOLD, PRED, policy)
    assert lines(result) == found
    assert (result.documents["gold_only"], result.documents["pred_only"]) == (2, 1)


@pytest.mark.parametrize("policy", ["error", "skip", "count"])
def test_nothing_in_common(policy):
    with pytest.raises(SemevalError, match="No document of GOLD .* is in PRED"):
        linked([record("a")], [record("b")], policy)
    with pytest.raises(SemevalError, match="1 texts are the same, but their _input_hash is not"):
        linked([record("a", hash=1)], [record("a", hash=2)], policy)
    with pytest.raises(SemevalError, match="same _input_hash, but none of them has the same text"):
        linked([record("a", hash=1)], [record("b", hash=1)], policy)


def test_equal_annotations_count_once():
    twice = [record("a", [DRUG, (0, 1, "A")]), record("a", [(0, 1, "A"), DRUG, DRUG], line=2)]
    result = linked(twice, [record("a")])
    assert (lines(result), result.documents["duplicate_records"]) == ([(1, 1)], 1)


@pytest.mark.parametrize(
    "other",
    [record("a", line=2), record("a", [DRUG], 2, unknown=((0, 1),)), record("a", [DRUG], 2, rejected=((0, 1, "A"),))],
)
def test_different_annotations_are_refused(other):
    with pytest.raises(SemevalError, match=r"Inputs of GOLD \(gold.jsonl\) .*: 1\n  lines 1, 2\n--duplicates"):
        linked([record("a", [DRUG]), other], [record("a")])
    with pytest.raises(SemevalError, match="PRED"):
        linked([record("a")], [record("a", [DRUG]), other])


def test_annotations_that_are_the_same_under_new_names():
    gold = [record("a", [DRUG]), record("a", [(5, 12, "BRAND")], 2)]
    side_gold = Side("GOLD", "g", [Annotation.of(r) for r in gold], {"BRAND": "DRUG", "DRUG": "DRUG"}.__getitem__)
    assert link(side_gold, side(record("a"), role="PRED")).documents["duplicate_records"] == 1


def test_another_text_under_one_hash_is_another_annotation():
    with pytest.raises(SemevalError, match="lines 1, 2"):
        linked([record("a", [DRUG], hash=1), record("b", [DRUG], 2, hash=1)], [record("a", hash=1)])


@pytest.mark.parametrize(
    ("times", "first", "last"),
    [((None, None, None), 1, 3), ((5, 3, 4), 2, 1), ((5, None, 4), 1, 3), ((4, 4, 4), 1, 3), ((4.5, 4, 4.5), 2, 3)],
)
def test_one_of_different_annotations(times, first, last):
    gold = [record("a", [(0, i, "A")], i, time=time) for i, time in enumerate(times, 1)]
    for policy, line in (("first", first), ("last", last)):
        result = linked(gold, [record("a")], "error", policy)
        assert (lines(result), result.documents["duplicate_records"]) == ([(line, 1)], 2)


def test_columns_of_linked_annotations():
    gold = [record("a", [DRUG], unknown=((0, 2),), rejected=((0, 1, "X"),)), record("b", [(1, 2, "A")], 2)]
    read = read_linked(linked(gold, [record("a", [(0, 1, "X")])], "count"))
    assert [(c.doc.tolist(), c.start.tolist(), c.end.tolist(), list(c.names)) for c in (read.gold, read.pred)] == [
        ([0, 1], [5, 1], [12, 2], ["DRUG", "A"]),
        ([0], [0], [1], ["X"]),
    ]
    assert (read.unknown.end.tolist(), read.rejected.names, read.annotated.tolist()) == ([2], ["X"], [True, True])
