import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from judgements import gather
from strategies import documents
from tasks import task

from spacy_semeval.agreement import agreement
from spacy_semeval.agreement.corpus import Judgement
from spacy_semeval.agreement.disagreements import COLUMNS, find_disagreements, make_tasks, worst_first
from spacy_semeval.errors import SemevalError
from spacy_semeval.formats.sources import open_source

TEXT = "Take aspirin or warfarin"
ASPIRIN, BRAND, LONG, WARFARIN = (5, 12, "DRUG"), (5, 12, "BRAND"), (0, 12, "DRUG"), (16, 24, "DRUG")


def corpus(**annotators):
    return gather([Judgement(name, 1, TEXT, spans) for name, spans in annotators.items()])


def found(**annotators):
    return [difference for _, difference in find_disagreements(corpus(**annotators))]


@pytest.mark.parametrize(
    ("a", "b", "kind", "said"),
    [
        ((ASPIRIN,), (BRAND,), "label", "a: DRUG 5-12 'aspirin' / b: BRAND 5-12 'aspirin'"),
        ((ASPIRIN,), (LONG,), "boundaries", "a: DRUG 5-12 'aspirin' / b: DRUG 0-12 'Take aspirin'"),
        ((BRAND,), (LONG,), "both", "a: BRAND 5-12 'aspirin' / b: DRUG 0-12 'Take aspirin'"),
        ((ASPIRIN,), (), "alone", "a: DRUG 5-12 'aspirin' / b: nothing"),
        ((), (ASPIRIN,), "alone", "a: nothing / b: DRUG 5-12 'aspirin'"),
    ],
)
def test_kinds(a, b, kind, said):
    (only,) = found(a=a, b=b)
    assert (only.kind, str(only), only.start) == (kind, said, min(span[0] for span in (*a, *b)))


def test_rows_of_a_table():
    (only,) = found(b=(), a=(ASPIRIN,))
    assert list(only.row()) == list(COLUMNS)
    assert list(only.row().values()) == [1, "a", "b", "alone", 5, 12, "DRUG", "aspirin", None, None, None, None]


def test_every_pair_is_looked_at():
    pairs = [difference.annotators for difference in found(a=(ASPIRIN,), b=(ASPIRIN,), c=(BRAND,))]
    assert pairs == [("a", "c"), ("b", "c")]


def test_only_what_both_saw():
    judgements = [Judgement("a", 1, TEXT, (ASPIRIN,)), Judgement("b", 1, TEXT, ()), Judgement("c", 2, TEXT, (ASPIRIN,))]
    assert [(doc, d.annotators) for doc, d in find_disagreements(gather(judgements))] == [(0, ("a", "b"))]


def test_worst_first():
    def entry(differences, per_pair, strict):
        return {"differences": differences, "differences_per_pair": per_pair, "strict": {"mean": strict}}

    entries = [entry(1, 1.0, 0.5), entry(0, 0.0, None), entry(3, 1.0, 0.4), entry(2, 2.0, 0.9), entry(1, 1.0, 0.5)]
    assert worst_first(entries) == [3, 2, 0, 4]


def test_tasks(write):
    tokens = [{"text": "Take", "start": 0, "end": 4, "id": 0}, {"text": "aspirin", "start": 5, "end": 12, "id": 1}]
    record = task(TEXT, (ASPIRIN, WARFARIN), _input_hash=1, _task_hash=2, tokens=tokens, meta={"source": "x"}, extra=1)
    path = write("a.jsonl", {**record, "spans": []}, record)
    judgements = [
        Judgement("ben", 1, TEXT, ()),
        Judgement("ana", 1, TEXT, (ASPIRIN, WARFARIN), source=open_source(path), line=2),
    ]
    made = gather(judgements)
    disagreements = {0: [difference for _, difference in find_disagreements(made)]}
    (only,) = map(json.loads, make_tasks(made, [0], disagreements))
    assert only == {
        "text": TEXT,
        "tokens": tokens,
        "_input_hash": 1,
        "_task_hash": 2,
        "spans": [
            {"start": 5, "end": 12, "token_start": 1, "token_end": 1, "label": "DRUG"},
            {"start": 16, "end": 24, "label": "DRUG"},
        ],
        "meta": {
            "source": "x",
            "annotator": "ana",
            "versions": "ana: DRUG 5-12 'aspirin', DRUG 16-24 'warfarin'; ben: nothing",
            "differences": "ana: DRUG 5-12 'aspirin' / ben: nothing; ana: DRUG 16-24 'warfarin' / ben: nothing",
        },
    }


def test_tasks_of_potato():
    made = corpus(a=(ASPIRIN,), b=())
    (only,) = map(json.loads, make_tasks(made, [0], {0: []}))
    assert (only["text"], only["meta"]["id"]) == (TEXT, 1)
    nowhere = gather([Judgement(name, 1, None, (ASPIRIN,)) for name in "ab"])
    with pytest.raises(SemevalError, match="without the texts"):
        make_tasks(nowhere, [0], {0: []})


def test_tasks_of_a_version_with_another_text(write):
    path = write("a.jsonl", task("Take aspirin", tokens=[{"text": "Take", "start": 0, "end": 4, "id": 0}]))
    source = open_source(path)
    made = gather([Judgement(name, 1, TEXT, (ASPIRIN,), source=source, line=1) for name in "ab"])
    (only,) = map(json.loads, make_tasks(made, [0], {0: []}))
    assert (only["text"], "tokens" in only) == (TEXT, False)


@pytest.mark.fuzz
@given(st.dictionaries(st.sampled_from("xyz"), documents(), min_size=2))
def test_as_many_as_are_counted(annotators):
    result = agreement({name: {1: spans} for name, spans in annotators.items()}, bootstrap=0)
    made = gather([Judgement(name, 1, None, tuple(spans)) for name, spans in annotators.items()])
    assert len(list(find_disagreements(made))) == result["per_document"][0]["differences"]
