import pytest
import spacy
from prodigy_db import make_database
from spacy.tokens import DocBin
from tasks import task


def read(path, lang="en"):
    return list(DocBin().from_disk(path).get_docs(spacy.blank(lang).vocab))


def ents(path):
    return [[(e.start_char, e.end_char, e.label_) for e in doc.ents] for doc in read(path)]


@pytest.fixture
def out(tmp_path):
    return tmp_path / "out.spacy"


def test_convert(run, jsonl, out):
    code, text = run("semeval", "convert", jsonl(), out)
    assert code == 0, text
    assert "Documents: 2, spans: 2" in text
    assert ents(out) == [[(5, 12, "DRUG"), (24, 32, "DRUG")], []]
    assert all(doc.has_annotation("ENT_IOB") for doc in read(out))


def test_a_key_of_spans(run, jsonl, out):
    rows = [task("Take aspirin now", [(5, 12, "DRUG"), (0, 12, "PHRASE")]), task("Nothing", ())]
    code, text = run("semeval", "convert", jsonl(*rows), out, "--spans-key", "sc")
    assert (code, "Documents: 2, spans: 2" in text) == (0, True)
    assert [[span.label_ for span in doc.spans["sc"]] for doc in read(out)] == [["PHRASE", "DRUG"], []]


def test_a_file_of_another_format_is_noticed(run, jsonl, out):
    code, text = run("semeval", "convert", jsonl({"text": "Take aspirin", "label": [[5, 12, "DRUG"]]}), out)
    assert (code, "No record holds a span. (Prodigy's are under the key 'spans'.)" in text) == (0, True)


def test_what_is_left_out_is_counted(run, jsonl, out):
    rows = [task("Take aspirin", _session_id="d-a"), task("No", (), answer="reject"), task("b", (), _session_id="d-b")]
    code, text = run("semeval", "convert", jsonl(*rows), out, "--annotator", "a")
    assert (code, len(read(out))) == (0, 1)
    assert "Left out, records of other annotators: 2" in text


CUT = [task("Take aspirin", [(5, 12, "DRUG")]), task("Take warfarin", [(5, 10, "DRUG"), (0, 4, "VERB")])]


def test_spans_that_cut_through_tokens(run, jsonl, out):
    code, text = run("semeval", "convert", jsonl(*CUT), out)
    assert (code, out.exists()) == (1, False)
    assert "line 2: DRUG 'warfa' (5 to 10)" in text
    found = {"skip": [(0, 4, "VERB")], "contract": [(0, 4, "VERB")], "expand": [(0, 4, "VERB"), (5, 13, "DRUG")]}
    for policy, want in found.items():
        code, text = run("semeval", "convert", jsonl(*CUT), out, "--on-misaligned", policy)
        assert (code, ents(out)[1]) == (0, want)
        assert "Spans that cut through tokens" in text
        assert "line 2: DRUG 'warfa' (5 to 10)" in text


def test_overlapping_spans(run, jsonl, out):
    rows = [task("Take aspirin now", [(5, 12, "DRUG"), (0, 12, "PHRASE")])]
    code, text = run("semeval", "convert", jsonl(*rows), out)
    assert (code, out.exists(), "--on-overlap longest" in text) == (1, False, True)
    code, text = run("semeval", "convert", jsonl(*rows), out, "--on-overlap", "longest")
    assert (code, ents(out)) == (0, [[(0, 12, "PHRASE")]])
    assert "Spans left out because they overlap a longer or an earlier one: 1\n" in text
    assert "  line 1: DRUG 'aspirin' (5 to 12) overlaps PHRASE 'Take aspirin' (0 to 12)" in text


def test_language_of_the_tokenizer(run, jsonl, out):
    run("semeval", "convert", jsonl(task("L'aspirine", [(2, 10, "DRUG")])), out, "--lang", "fr")
    assert ents(out) == [[(2, 10, "DRUG")]]
    assert [token.text for token in read(out, "fr")[0]] == ["L'", "aspirine"]
    code, text = run("semeval", "convert", jsonl(), out, "--lang", "xyz")
    assert (code, "the language 'xyz'" in text) == (2, True)


@pytest.mark.parametrize("option", ["--on-misaligned", "--on-overlap"])
def test_unknown_policies(run, jsonl, out, option):
    code, text = run("semeval", "convert", jsonl(), out, option, "guess")
    assert (code, "'guess'" in text, "error" in text) == (2, True, True)


def test_an_output_that_would_be_taken_for_something_else(run, jsonl, tmp_path):
    data = jsonl()
    before = data.read_bytes()
    for target, said in ((data, "is an input"), (tmp_path / "out.json", "end in .spacy")):
        code, text = run("semeval", "convert", data, target)
        assert (code, said in text) == (1, True)
    assert data.read_bytes() == before
    assert not (tmp_path / "out.json").exists()


def test_tokens_that_do_not_rebuild_the_text(run, jsonl, out):
    rows = [task("Take aspirin", tokens=[{"text": "Take", "start": 0, "end": 4, "id": 0}]), task("Take aspirin")]
    assert "tokenized anew: 1" in run("semeval", "convert", jsonl(*rows), out)[1]


def test_spans_with_answers_are_counted(run, jsonl, out):
    row = task("aspirin codeine water", ((0, 7, "DRUG"), (8, 15, "DRUG"), (16, 21, "DRUG")))
    for span, answer in zip(row["spans"], ("accept", "ignore", "reject")):
        span["answer"] = answer
    code, text = run("semeval", "convert", jsonl(row), out)
    assert (code, ents(out)) == (0, [[(0, 7, "DRUG")]])
    assert "Left out, spans with the answer ignore: 1" in text
    assert "Left out, spans with the answer reject: 1" in text


def test_a_text_longer_than_parsers_take(run, jsonl, out):
    code, text = run("semeval", "convert", jsonl(task("aspirin " * 130_000, ((0, 7, "DRUG"),))), out)
    assert (code, "Documents: 1, spans: 1" in text) == (0, True), text


def test_output_that_cannot_be_written(run, jsonl, tmp_path):
    for target in (tmp_path, tmp_path / "absent" / "x.spacy"):
        code, text = run("semeval", "convert", jsonl(), target)
        assert (code, "Can't write" in text) == (1, True)


def test_a_failed_conversion_leaves_an_old_output_alone(run, jsonl, out):
    out.write_bytes(b"old")
    assert run("semeval", "convert", jsonl(*CUT), out)[0] == 1
    assert out.read_bytes() == b"old"


def test_from_the_database(run, tmp_path, out):
    database = make_database(tmp_path / "prodigy.db", {"news": [task()]})
    code, text = run("semeval", "convert", "prodigy:news", out, "--prodigy-db", database)
    assert (code, ents(out)) == (0, [[(5, 12, "DRUG")]])
    code, text = run("semeval", "convert", "prodigy:olds", out, "--prodigy-db", database)
    assert (code, "'news' (1 records)" in text) == (1, True)
