import json

import pytest
import spacy
from spacy.tokens import Doc
from tasks import task

from spacy_semeval.engine.differences import Difference
from spacy_semeval.error_tasks import describe, tasks_of_docs, tasks_of_records
from spacy_semeval.formats.prodigy import Reader
from spacy_semeval.formats.sources import open_source

TEXT = "Take aspirin or warfarin"


@pytest.mark.parametrize(
    ("gold", "pred", "said"),
    [
        ((5, 12, "DRUG"), None, "MIS DRUG 'aspirin'"),
        (None, (0, 4, "DRUG"), "SPU DRUG 'Take'"),
        ((5, 12, "DRUG"), (5, 12, "BRAND"), "INC DRUG→BRAND 'aspirin'"),
        ((16, 24, "DRUG"), (13, 24, "DRUG"), "PAR DRUG 'or warfarin' for 'warfarin'"),
        ((16, 24, "DRUG"), (13, 24, "BRAND"), "INC DRUG→BRAND 'or warfarin' for 'warfarin'"),
    ],
)
def test_words_for_each_outcome(gold, pred, said):
    assert describe(Difference(gold, pred), TEXT) == said


def test_long_and_odd_texts():
    assert describe(Difference((0, 100, "A"), None), "x" * 100) == f"MIS A '{'x' * 79}…'"
    assert describe(Difference((0, 3, "A"), None), "a\n\x1b") == r"MIS A 'a\n\x1b'"


TOKENS = [
    {"text": "[CLS]", "start": 0, "end": 0, "id": 0},
    {"text": "Take", "start": 0, "end": 4, "id": 1, "ws": True, "disabled": True},
    {"text": "aspirin", "start": 5, "end": 12, "id": 2, "ws": True},
    {"text": "or", "start": 13, "end": 15, "id": 3, "ws": True},
    {"text": "warfarin", "start": 16, "end": 24, "id": 4, "ws": False},
    {"text": "[SEP]", "start": 24, "end": 24, "id": 5},
]


def make(tmp_path, rows, differences):
    path = tmp_path / "gold.jsonl"
    path.write_text("".join(json.dumps(row) + "\n\n" for row in rows), "utf8")
    source = open_source(path)
    return [json.loads(made) for made in tasks_of_records(source, list(Reader(source)), differences)]


def test_tasks_of_records(tmp_path):
    row = task(TEXT, [(16, 24, "DRUG"), (5, 12, "DRUG"), (0, 7, "X"), (5, 12, "DRUG")], tokens=TOKENS, meta={"a": 1})
    row |= {"_input_hash": 7, "_task_hash": -7, "_session_id": "ds-ana", "_timestamp": 3}
    row["spans"].append({"start": 0, "end": 4, "label": "Y", "answer": "reject"})
    differences = {
        1: [Difference((5, 12, "DRUG"), None)],
        2: [Difference(None, (0, 4, "A")), Difference(None, (5, 6, "B"))],
    }
    first, second = make(tmp_path, [task(), row, task("Nothing", ())], differences)
    assert first == {"text": "Nothing", "spans": [], "meta": {"outcomes": "SPU A 'Noth'; SPU B 'n'"}}
    assert second == {
        "text": TEXT,
        "tokens": TOKENS,
        "_input_hash": 7,
        "_task_hash": -7,
        "spans": [
            {"start": 0, "end": 7, "label": "X"},
            {"start": 5, "end": 12, "token_start": 2, "token_end": 2, "label": "DRUG"},
            {"start": 16, "end": 24, "token_start": 4, "token_end": 4, "label": "DRUG"},
        ],
        "meta": {"a": 1, "outcomes": "MIS DRUG 'aspirin'"},
    }


def test_the_worst_comes_first_then_the_order_of_the_file(tmp_path):
    lost = Difference((5, 12, "DRUG"), None)
    made = make(
        tmp_path,
        [task(f"{i} x aspirin daily") for i in range(4)],
        {0: [lost], 1: [lost, lost], 2: [lost], 3: [lost, lost]},
    )
    assert [entry["text"][0] for entry in made] == ["1", "3", "0", "2"]


@pytest.mark.parametrize("key", [None, "sc"])
def test_tasks_of_docs(nlp, key):
    gold, pred = nlp(TEXT), nlp(TEXT)
    spans = [gold.char_span(5, 12, "DRUG"), gold.char_span(13, 24, "X")]
    if key is None:
        gold.ents = spans
    else:
        gold.spans[key] = spans
    (made,) = tasks_of_docs([nlp("other"), gold], [nlp("other"), pred], key, {1: [Difference((5, 12, "DRUG"), None)]})
    entry = json.loads(made)
    assert entry["tokens"][1] == {"text": "aspirin", "start": 5, "end": 12, "id": 1, "ws": True}
    assert [(s["start"], s["end"], s["token_start"], s["token_end"], s["label"]) for s in entry["spans"]] == [
        (5, 12, 1, 1, "DRUG"),
        (13, 24, 2, 3, "X"),
    ]
    assert entry["meta"] == {"outcomes": "MIS DRUG 'aspirin'"}


def test_texts_that_differ_in_white_space():
    vocab = spacy.blank("en").vocab
    gold = Doc(vocab, words=["Take", "aspirin"], spaces=[True, False])
    pred = Doc(vocab, words=["Take", "aspirin"], spaces=[False, False])
    (made,) = tasks_of_docs([gold], [pred], None, {0: [Difference((4, 11, "DRUG"), None)]})
    assert (json.loads(made)["text"], json.loads(made)["meta"]["outcomes"]) == ("Take aspirin", "MIS DRUG 'aspirin'")
