"""`semeval convert` from every format and into every format that is written."""

import json

import pytest
import spacy
from spacy.tokens import DocBin
from tasks import task

from spacy_semeval import read_spans

TEXT = "Take aspirin instead of warfarin"
SPANS = [(5, 12, "DRUG"), (24, 32, "DRUG")]


@pytest.fixture
def write(tmp_path):
    def write(name, content):
        path = tmp_path / name
        path.write_text(content if isinstance(content, str) else json.dumps(content), "utf8")
        return path

    return write


@pytest.fixture
def inputs(write, tmp_path, jsonl):
    doc = spacy.blank("en")(TEXT)
    doc.ents = [doc.char_span(start, end, label) for start, end, label in SPANS]
    DocBin(docs=[doc]).to_disk(tmp_path / "in.spacy")
    items = write("items.jsonl", json.dumps({"id": "d1", "text": TEXT}))
    keyed = [{"start": start, "end": end, "label": label} for start, end, label in SPANS]
    potato = {"instance_id": "d1", "user_id": "ana", "spans": {"s": keyed}}
    return {
        "docbin": (tmp_path / "in.spacy",),
        "prodigy": (jsonl(task(TEXT, SPANS)),),
        "conll": (write("in.conll", "Take O\naspirin B-DRUG\ninstead O\nof O\nwarfarin B-DRUG\n"),),
        "spans": (write("in.json", [{"text": TEXT, "entities": keyed}]),),
        "eval4ner": (write("strings.json", [{"text": TEXT, "entities": [["DRUG", TEXT[a:b]] for a, b, _ in SPANS]}]),),
        "potato": (write("export.jsonl", json.dumps(potato)), "--texts", items),
    }


@pytest.mark.parametrize("source", ["docbin", "prodigy", "conll", "spans", "eval4ner", "potato"])
@pytest.mark.parametrize("target", ["out.spacy", "out.jsonl", "out.conll"])
def test_from_any_to_any(run, inputs, tmp_path, source, target):
    path, *options = inputs[source]
    code, said = run("semeval", "convert", path, tmp_path / target, *options)
    assert (code, "Documents: 1, spans: 2" in said) == (0, True), said
    record = read_spans(tmp_path / target).records[0]
    assert (record.text, sorted(record.spans)) == (TEXT, SPANS)


def test_prodigys_records_are_complete(run, inputs, tmp_path):
    out = tmp_path / "out.jsonl"
    run("semeval", "convert", *inputs["docbin"], out)
    made = json.loads(out.read_text("utf8"))
    assert (made["answer"], made["tokens"][1]) == (
        "accept",
        {"text": "aspirin", "start": 5, "end": 12, "id": 1, "ws": True},
    )
    assert made["spans"][0] == {"start": 5, "end": 12, "token_start": 1, "token_end": 1, "label": "DRUG"}


def test_conll_is_iob2(run, inputs, tmp_path):
    out = tmp_path / "out.iob2"
    assert run("semeval", "convert", *inputs["prodigy"], out)[0] == 0
    assert out.read_text("utf8") == "Take\tO\naspirin\tB-DRUG\ninstead\tO\nof\tO\nwarfarin\tB-DRUG\n\n"


def test_overlaps_and_cut_tokens_do_not_fit_into_conll(run, jsonl, tmp_path):
    rows = [task(TEXT, [(5, 12, "DRUG"), (0, 12, "PHRASE"), (24, 28, "CUT")])]
    out = tmp_path / "out.conll"
    code, said = run("semeval", "convert", jsonl(*rows), out)
    assert (code, out.exists(), "1 spans of" in said) == (1, False, True)
    code, said = run("semeval", "convert", jsonl(*rows), out, "--on-misaligned", "skip", "--on-overlap", "longest")
    assert (code, "Documents: 1, spans: 1" in said) == (0, True)
    assert "Spans that cut through tokens, left out: 1" in said
    assert "Spans left out because they overlap a longer or an earlier one: 1" in said


def test_what_conll_leaves_out_is_counted(run, jsonl, tmp_path):
    ignored = task("a b", [(0, 1, "A")])
    ignored["spans"].append({"start": 2, "end": 3, "label": "B", "answer": "ignore"})
    tokens = [{"text": "a", "start": 0, "end": 1, "id": 0}, {"text": "\n", "start": 1, "end": 2, "id": 1}]
    rows = [ignored, task("a\n", [(1, 2, "GAP"), (0, 1, "A")], tokens=tokens), task("", ())]
    out = tmp_path / "out.conll"
    code, said = run("semeval", "convert", jsonl(*rows), out)
    assert code == 0, said
    for line in (
        "Documents: 2, spans: 2",
        "Tokens of white space, left out: 1",
        "Spans of white space, left out: 1",
        "Documents without a token, left out: 1",
        "Stretches without annotation, which CoNLL can't mark, written as O: 1",
    ):
        assert line in said
    assert out.read_text("utf8") == "a\tB-A\nb\tO\n\na\tB-A\n\n"


@pytest.mark.parametrize(
    ("row", "said"),
    [
        (task("a b", [(0, 1, "A B")]), "can't hold the label 'A B'"),
        (
            task("a b", (), tokens=[{"text": "a b", "start": 0, "end": 3, "id": 0}]),
            "can't hold the token 'a b'",
        ),
        (
            task("-DOCSTART-", (), tokens=[{"text": "-DOCSTART-", "start": 0, "end": 10, "id": 0}]),
            "can't hold the token '-DOCSTART-'",
        ),
    ],
)
def test_what_conll_cannot_hold_is_refused(run, jsonl, tmp_path, row, said):
    code, out = run("semeval", "convert", jsonl(row), tmp_path / "out.conll")
    assert (code, said in out, (tmp_path / "out.conll").exists()) == (1, True, False)


def test_prodigys_format_marks_no_unknown_text(run, tmp_path):
    doc = spacy.blank("en")(TEXT)
    doc.set_ents([], missing=[doc[1:2], doc[4:5]])
    doc2 = spacy.blank("en")("Nothing")
    DocBin(docs=[doc, doc2]).to_disk(tmp_path / "in.spacy")
    code, said = run("semeval", "convert", tmp_path / "in.spacy", tmp_path / "out.jsonl")
    assert (code, "can't mark, left without a span: 2" in said) == (0, True)
    assert "Left out, documents without annotation: 1" in said


def test_a_group_of_spans_goes_both_ways(run, jsonl, tmp_path):
    rows = [task(TEXT, [(5, 12, "DRUG"), (0, 12, "PHRASE")])]
    middle, out = tmp_path / "m.spacy", tmp_path / "out.jsonl"
    assert run("semeval", "convert", jsonl(*rows), middle, "-sk", "sc")[0] == 0
    assert run("semeval", "convert", middle, out, "-sk", "sc")[0] == 0
    assert sorted(read_spans(out).spans[0]) == [(0, 12, "PHRASE"), (5, 12, "DRUG")]


@pytest.mark.parametrize(
    ("name", "content", "options", "said"),
    [
        ("a.json", [["O", "B-A"]], (), "a.json does not hold the text of line or document 1"),
        ("a.json", [["O", "B-A"]], ("--format", "csv"), "Unknown format 'csv'. Available: bio"),
        ("a.json", [[]], (), "Name the right one with --format."),
        ("a.json", [["O", "B-A"]], ("--annotator", "ana"), "--annotator is for the formats potato, prodigy"),
        ("a.json", [["O", "B-A"]], ("--spans-key", "sc"), "--spans-key is for the formats docbin"),
    ],
)
def test_bad_input(run, write, tmp_path, name, content, options, said):
    code, out = run("semeval", "convert", write(name, content), tmp_path / "out.jsonl", *options)
    assert (code in (1, 2), said in " ".join(out.split()), (tmp_path / "out.jsonl").exists()) == (True, True, False)
