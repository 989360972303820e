"""Our `Evaluator` against nervaluate 1.2.1 itself, on every kind of data that it is sensitive to."""

import csv
import dataclasses
import io
import os
import random

import pytest
from nervaluate.evaluator import Evaluator as Original

from spacy_semeval.compat.nervaluate import EvaluationIndices, Evaluator
from spacy_semeval.errors import SemevalError

DOCUMENTS = int(os.environ.get("FUZZ", "500"))
LIST_TRUE = [
    ["O", "B-PER", "I-PER", "O", "O", "O", "B-ORG", "I-ORG"],
    ["O", "B-LOC", "B-PER", "I-PER", "O", "O", "B-DATE"],
]
LIST_PRED = [
    ["O", "O", "B-PER", "I-PER", "O", "O", "B-ORG", "I-ORG"],
    ["O", "B-LOC", "I-LOC", "B-PER", "O", "O", "B-DATE"],
]
TAGS = ["PER", "ORG", "LOC", "DATE"]


def entity(start, end, label="A"):
    return {"label": label, "start": start, "end": end}


def flat(rnd):
    """Entities that do not overlap, from left to right."""
    found, at = [], 0
    while len(found) < rnd.randrange(7):
        start = at + rnd.randrange(3)
        end = start + rnd.randrange(4)
        found.append(entity(start, end, rnd.choice("ABC")))
        at = end + 1
    return found


def unsorted(rnd):
    found = flat(rnd)
    rnd.shuffle(found)
    return found


def nested(rnd):
    starts = [rnd.randrange(12) for _ in range(rnd.randrange(7))]
    return [entity(start, start + rnd.randrange(6), rnd.choice("ABC")) for start in starts]


def repeated(rnd):
    found = nested(rnd)
    return found + [dict(rnd.choice(found)) for _ in range(rnd.randrange(3)) if found]


def pair(rnd, kind):
    """Gold and predictions of a document, the latter now and then like gold with other labels and some left out."""
    gold, pred = kind(rnd), kind(rnd)
    if rnd.random() < 0.4:
        pred = [{**e, "label": rnd.choice([e["label"], "B"])} for e in gold if rnd.random() < 0.8]
    return gold, pred


KINDS = {"flat": flat, "unsorted": unsorted, "nested": nested, "repeated": repeated}


def plain(results):
    """All of what `evaluate` returns as plain values."""
    return {
        part: {key: {s: dataclasses.asdict(c) for s, c in (value if "entit" in part else {"": value}).items()}
               for key, value in cells.items()}
        for part, cells in results.items()
    }  # fmt: skip


@pytest.mark.parametrize("percentage", [1, 50.0, 57.0, 100])
@pytest.mark.parametrize("tags", ["ABC", "AB"])
@pytest.mark.parametrize("kind", KINDS)
def test_no_difference(kind, tags, percentage):
    rnd = random.Random(f"{kind} {tags} {percentage}")
    # The first documents are those that nervaluate looks at to tell what they are.
    pairs = [pair(rnd, KINDS[kind]) for _ in range(DOCUMENTS)]
    # The first document is the one that nervaluate looks at to tell what all of them are.
    gold, pred = ([[entity(0, 0)], *side] for side in zip(*pairs))
    arguments = {"tags": list(tags), "loader": "dict", "min_overlap_percentage": percentage}
    want, got = Original(gold, pred, **arguments).evaluate(), Evaluator(gold, pred, **arguments).evaluate()
    assert plain(got) == plain(want)
    assert all(
        getattr(got["overall"]["strict"], count) > 100 for count in ("correct", "incorrect", "missed", "spurious")
    )
    original, own = (evaluator(gold[:50], pred[:50], **arguments) for evaluator in (Original, Evaluator))
    for options in ({}, {"mode": "entities", "scenario": "partial"}, {"mode": "entities", "digits": 9}):
        assert own.summary_report(**options) == original.summary_report(**options)
    for options in ({}, {"mode": "entities", "scenario": "ent_type"}):
        assert rows(own.results_to_csv(**options)) == rows(original.results_to_csv(**options))


def rows(text):
    """The rows of a CSV, in any order, as its numbers are."""
    return {tuple(float(cell) if cell[:1].isdigit() else cell for cell in row) for row in csv.reader(io.StringIO(text))}


@pytest.mark.filterwarnings("ignore:No entity has one of the tags")
def test_each_document_by_itself():
    """A difference in one document can't be hidden by another one."""
    rnd = random.Random(1)
    for _ in range(300):
        gold, pred = [repeated(rnd)], [repeated(rnd)]
        arguments = {"tags": ["A", "B"], "loader": "dict", "min_overlap_percentage": rnd.choice([1, 34, 50, 100])}
        assert plain(Evaluator(gold, pred, **arguments).evaluate()) == plain(
            Original(gold, pred, **arguments).evaluate()
        )


def random_tags(rnd, length):
    """Tags as models predict them: an I may follow anything."""
    return [rnd.choice(["O", "O", "B-PER", "I-PER", "B-LOC", "I-LOC"]) for _ in range(length)]


@pytest.mark.parametrize("seed", range(5))
def test_tags(seed):
    rnd = random.Random(seed)
    lengths = [rnd.randrange(1, 12) for _ in range(200)]
    gold, pred = ([random_tags(rnd, length) for length in lengths] for _ in range(2))
    texts = ["\n\n".join("\n".join(f"w\t{tag}" for tag in tags) for tags in side) + "\n" for side in (gold, pred)]
    want = plain(Original(gold, pred, tags=["PER", "LOC"], loader="list").evaluate())
    assert plain(Evaluator(gold, pred, tags=["PER", "LOC"], loader="list").evaluate()) == want
    assert plain(Evaluator(gold, pred, ["PER", "LOC"]).evaluate()) == want
    assert plain(Original(*texts, tags=["PER", "LOC"], loader="conll").evaluate()) == want
    assert plain(Evaluator(*texts, tags=["PER", "LOC"], loader="conll").evaluate()) == want
    assert plain(Evaluator(*texts, ["PER", "LOC"]).evaluate()) == want


@pytest.mark.parametrize("aligner", ["nervaluate.v1", "optimal.v1"])
def test_the_report(aligner):
    evaluator = Evaluator(LIST_TRUE, LIST_PRED, TAGS, loader="list", aligner=aligner)
    assert evaluator.summary_report() == (
        "Scenario: all\n\n"
        "              correct   incorrect     partial      missed    spurious   precision      recall    f1-score\n\n"
        "ent_type            5           0           0           0           0        1.00        1.00        1.00\n"
        "   exact            2           3           0           0           0        0.40        0.40        0.40\n"
        " partial            2           0           3           0           0        0.70        0.70        0.70\n"
        "  strict            2           3           0           0           0        0.40        0.40        0.40\n"
    )


def counts(result):
    return result.correct, result.incorrect, result.partial, result.missed, result.spurious


def test_the_order_of_the_input_matters_to_the_greedy_one_only():
    gold, pred = [[entity(0, 9)]], [[entity(4, 5), entity(0, 9)]]
    for predictions, greedy in ((pred, (0, 1, 0, 0, 1)), ([pred[0][::-1]], (1, 0, 0, 0, 1))):
        assert counts(Evaluator(gold, predictions, ["A"]).evaluate()["overall"]["strict"]) == greedy
        aligned = Evaluator(gold, predictions, ["A"], aligner="optimal.v1").evaluate()
        assert counts(aligned["overall"]["strict"]) == (1, 0, 0, 0, 1)


def test_tags_are_filtered_before_the_alignment():
    """B for A is incorrect over all tags; of A alone it is missed, of B alone spurious."""
    for aligner in ("nervaluate.v1", "optimal.v1"):
        found = Evaluator([[entity(0, 3)]], [[entity(0, 3, "B")]], ["A", "B"], aligner=aligner).evaluate()
        assert counts(found["overall"]["strict"]) == (0, 1, 0, 0, 0)
        assert counts(found["entities"]["A"]["strict"]) == (0, 0, 0, 1, 0)
        assert counts(found["entities"]["B"]["strict"]) == (0, 0, 0, 0, 1)


@pytest.mark.parametrize("seed", range(10))
def test_the_optimal_alignment_is_that_of_score_spans(seed):
    from spacy_semeval import score_spans

    rnd = random.Random(seed)
    gold, pred = ([nested(rnd) for _ in range(50)] for _ in range(2))
    unique = [[list({tuple(e.values()): e for e in doc}.values()) for doc in side] for side in (gold, pred)]
    for percentage, share in ((1, 0.01), (50, 0.5), (33.3, 0.333)):
        found = Evaluator(*unique, list("ABC"), min_overlap_percentage=percentage, aligner="optimal.v1").evaluate()
        cells = score_spans(*unique, end_inclusive=True, min_overlap=share).overall
        for scenario, schema in (
            ("strict", "strict"),
            ("exact", "exact"),
            ("partial", "partial"),
            ("ent_type", "type"),
        ):
            cell, result = cells[schema], found["overall"][scenario]
            assert counts(result) == (cell.cor, cell.inc, cell.par, cell.mis, cell.spu)
            assert (result.precision, result.recall, result.f1) == (cell.p, cell.r, cell.f)
            assert (result.possible, result.actual) == (cell.pos, cell.act)


def test_indices_of_the_optimal_alignment_are_those_of_the_input():
    gold = [[], [entity(20, 25), entity(0, 3, "X"), entity(5, 9)]]
    pred = [[entity(0, 1)], [entity(30, 31), entity(5, 8), entity(0, 3)]]
    found = Evaluator(gold, pred, ["A"], aligner="optimal.v1").evaluate()
    # X is not among the tags, and is not numbered
    want = EvaluationIndices(
        partial_indices=[(1, 1)], missed_indices=[(1, 0)], spurious_indices=[(0, 0), (1, 0), (1, 2)]
    )
    assert found["overall_indices"]["partial"] == found["entity_indices"]["A"]["partial"] == want


def test_what_is_listed_twice():
    gold, pred = [[entity(0, 3)]], [[entity(0, 3), entity(0, 3)]]
    assert counts(Evaluator(gold, pred, ["A"]).evaluate()["overall"]["strict"]) == (1, 0, 0, 0, 1)
    with pytest.warns(UserWarning, match="1 entities are listed twice"):
        found = Evaluator(gold, pred, ["A"], aligner="optimal.v1").evaluate()
    assert counts(found["overall"]["strict"]) == (1, 0, 0, 0, 0)


def test_an_empty_first_document():
    """nervaluate raises IndexError."""
    with pytest.raises(IndexError):
        Original([[], [entity(0, 1)]], [[], [entity(0, 1)]], tags=["A"])
    found = Evaluator([[], [entity(0, 1)]], [[], [entity(0, 1)]], ["A"]).evaluate()
    assert counts(found["overall"]["strict"]) == (1, 0, 0, 0, 0)
    assert Evaluator([[], ["B-A"]], [[], ["B-A"]], ["A"]).evaluate()["overall"]["strict"].correct == 1
    assert Evaluator([[]], [[entity(0, 1)]], ["A"]).evaluate()["overall"]["strict"].spurious == 1


def test_tags_as_one_string():
    """To nervaluate every part of the string is a tag."""
    data = [[entity(0, 1, "PER"), entity(3, 4, "P")]]
    assert Original(data, data, tags="PER").evaluate()["overall"]["strict"].correct == 2
    assert Evaluator(data, data, "PER").evaluate()["overall"]["strict"].correct == 1
    with pytest.raises(SemevalError, match="but got the string 'PER,P', and no entity has that label"):
        Evaluator(data, data, "PER,P")


@pytest.mark.parametrize("tags", [[], ["per"], ["LOC", "MISC"]])
def test_tags_that_nothing_has(tags):
    data = [[entity(0, 1, "PER"), entity(3, 4, "ORG")]]
    with pytest.warns(UserWarning, match="No entity has one of the tags, so all numbers are 0. Labels: ORG, PER"):
        found = Evaluator(data, data, tags).evaluate()
    assert counts(found["overall"]["strict"]) == (0, 0, 0, 0, 0)


def test_tags_of_the_biluo_scheme():
    """nervaluate refuses U and S at the beginning, and takes them for a part of the entity before."""
    tags = [["B-A", "L-A", "U-A", "O"]]
    assert Original(tags, tags, tags=["A"], loader="list").evaluate()["overall"]["strict"].correct == 1
    assert Evaluator(tags, tags, ["A"]).evaluate()["overall"]["strict"].correct == 2
    with pytest.raises(ValueError, match="Invalid tag"):
        Original([["U-A"]], [["U-A"]], tags=["A"], loader="list")
    assert Evaluator([["U-A"]], [["U-A"]], ["A"]).evaluate()["overall"]["strict"].correct == 1


def test_carriage_returns_and_blank_lines():
    text = "\r\n\r\nAda\tB-PER\r\n\r\n\r\n\r\nParis\tB-LOC\r\n"
    found = Evaluator(text, text.replace("\r", ""), ["PER", "LOC"]).evaluate()
    assert counts(found["overall"]["strict"]) == (2, 0, 0, 0, 0)
    lone = text.replace("\r\n", "\r")
    assert counts(Evaluator(lone, lone, ["PER", "LOC"]).evaluate()["overall"]["strict"]) == (2, 0, 0, 0, 0)


def test_no_document():
    found = Evaluator([], [], ["A"]).evaluate()
    assert counts(found["overall"]["strict"]) == (0, 0, 0, 0, 0)
    assert found["overall"]["strict"].f1 == 0.0
    assert found["entities"] == {}


@pytest.mark.parametrize("name", ["prodigy", "default"])
def test_files(tmp_path, name):
    """nervaluate's own span lists in a file, and records of Prodigy's."""
    import json

    from tasks import task

    text = "Take aspirin instead of warfarin today"
    for side, spans in (("gold", [(5, 12, "DRUG"), (24, 32, "DRUG")]), ("pred", [(5, 12, "DRUG"), (21, 32, "DRUG")])):
        (tmp_path / f"{side}.jsonl").write_text(json.dumps(task(text, spans)) + "\n", "utf8")
    found = Evaluator(tmp_path / "gold.jsonl", tmp_path / "pred.jsonl", ["DRUG"], loader=name).evaluate()
    assert counts(found["overall"]["partial"]) == (1, 0, 1, 0, 0)
    if name != "default":
        found = Evaluator(str(tmp_path / "gold.jsonl"), str(tmp_path / "pred.jsonl"), ["DRUG"], loader=name).evaluate()
        assert counts(found["overall"]["partial"]) == (1, 0, 1, 0, 0)


def test_ends_in_files_are_kept(tmp_path):
    (tmp_path / "gold.json").write_text('[[{"label": "A", "start": 2, "end": 5}]]', "utf8")
    found = Evaluator(tmp_path / "gold.json", tmp_path / "gold.json", ["A"], loader="nervaluate")
    assert found.true == [[("A", 2, 5)]]
    (tmp_path / "gold.conll").write_text("Ada NNP B-PER\nLovelace NNP I-PER\n", "utf8")
    found = Evaluator(tmp_path / "gold.conll", tmp_path / "gold.conll", ["PER"], loader="conll")
    assert found.pred == [[("PER", 0, 11)]]


def test_files_whose_documents_are_in_another_order(tmp_path):
    import json

    from tasks import task

    records = [json.dumps(task("Take aspirin daily")) + "\n", json.dumps(task("Some aspirin, please")) + "\n"]
    for side, order in (("gold", 1), ("pred", -1)):
        (tmp_path / f"{side}.jsonl").write_text("".join(records[::order]), "utf8")
    with pytest.raises(SemevalError, match="Document 1 of .* have different texts"):
        Evaluator(tmp_path / "gold.jsonl", tmp_path / "pred.jsonl", ["DRUG"])


def test_what_is_left_out_of_a_file_is_warned_about(tmp_path):
    import json

    from tasks import task

    path = tmp_path / "gold.jsonl"
    path.write_text(json.dumps(task()) + "\n" + json.dumps({**task(), "answer": "ignore"}) + "\n", "utf8")
    with pytest.warns(UserWarning, match="records with the answer ignore: 1"):
        Evaluator(path, path, ["DRUG"])


@pytest.mark.parametrize("mode", ["overall", "entities"])
def test_csv_in_a_file(tmp_path, mode):
    evaluator = Evaluator(LIST_TRUE, LIST_PRED, TAGS)
    path = tmp_path / "scores.csv"
    assert evaluator.results_to_csv(mode=mode, file_path=path) is None
    assert path.read_bytes().decode() == evaluator.results_to_csv(mode=mode)
    with pytest.raises(SemevalError, match="Can't write .*: No such file or directory"):
        evaluator.results_to_csv(mode=mode, file_path=tmp_path / "gone" / "a.csv")
    assert evaluator.results_to_csv().splitlines()[:2] == [
        "Strategy,Correct,Incorrect,Partial,Missed,Spurious,Precision,Recall,F1-Score",
        "strict,2,3,0,0,0,0.4,0.4,0.4000000000000001",
    ]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (dict(true=None, pred=[]), "Can't tell what kind of data None is"),
        (dict(true=5, pred=5, loader="dict"), "Expected true to hold one list of spans"),
        (dict(true=[[]], pred=[[], []]), "1 in true and 2 in pred"),
        (dict(true=[["O"]], pred=[["O", "O"]]), "1 in true and 2 in pred in sequence 1"),
        (dict(true=[["O"]], pred=[]), "1 in true and 0 in pred"),
        (dict(true=[["PER"]], pred=[["O"]]), "true, sequence 1, tag 1: 'PER' is no tag"),
        (dict(true=[["O"]], pred=[[5]], loader="list"), "sequence 1 of pred to hold tags"),
        (dict(true="Ada\tO", pred=[["O"]]), "pred to be a CoNLL text"),
        (dict(true="Ada O", pred="Ada O"), "a tab and a tag in line 1 of true, but got 'Ada O'"),
        (dict(true="Ada\tO\nmet\tO", pred="Ada\tO"), "2 in true and 1 in pred"),
        (dict(true=[[{"label": "A", "start": 0}]], pred=[[]]), "the key 'end'"),
        (dict(true=[[{"label": "A", "start": 3, "end": 2}]], pred=[[]]), "0 <= start"),
        (dict(true=[[{"label": "A", "start": -1, "end": 2}]], pred=[[]]), "0 <= start"),
        (dict(true=[[{"label": "A", "start": True, "end": 2}]], pred=[[]]), "whole numbers"),
        (dict(true=[[{"label": 1, "start": 1, "end": 2}]], pred=[[]]), "a label that is a string"),
        (dict(true=[[]], pred=[[]], loader="xml"), "Unknown loader 'xml'. Available: default, conll, list, dict, bio"),
        (dict(true=[[]], pred=[[]], loader="prodigy"), "reads files: expected true to be a path"),
        (dict(true="nowhere.jsonl", pred="nowhere.jsonl", loader="prodigy"), "nowhere.jsonl"),
        (dict(true=[[]], pred=[[]], min_overlap_percentage=0.5), "from 1 to 100, but got 0.5"),
        (dict(true=[[]], pred=[[]], min_overlap_percentage=float("nan")), "from 1 to 100"),
        (dict(true=[[]], pred=[[]], min_overlap_percentage=True), "from 1 to 100"),
        (dict(true=[[]], pred=[[]], tags=None), "tags to be a list of labels"),
        (dict(true=[[]], pred=[[]], tags=[1]), "tags to be a list of labels"),
        (dict(true=[[]], pred=[[]], aligner="best"), "Unknown aligner 'best'. Available: nervaluate.v1, optimal.v1."),
        (dict(true=[[]], pred=[[]], aligner=[]), "Unknown aligner"),
        (dict(true=[[]], pred=[[]], loader=[]), "Expected loader to be a name"),
    ],
)
def test_bad_arguments(arguments, said):
    with pytest.raises(SemevalError, match=said):
        Evaluator(**{"tags": ["A"], **arguments})


def test_unknown_modes_and_scenarios():
    evaluator = Evaluator([[]], [[]], ["A"])
    for report in (evaluator.summary_report, evaluator.results_to_csv):
        with pytest.raises(SemevalError, match="Unknown mode 'all'. Available: overall, entities."):
            report(mode="all")
        with pytest.raises(SemevalError, match="Unknown scenario 'type'. Available: strict, partial, ent_type, exact."):
            report(mode="entities", scenario="type")
        report(scenario="type")  # of no effect, as in nervaluate
