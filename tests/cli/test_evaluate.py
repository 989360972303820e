import gzip
import json
import sys

import pytest
import spacy
from prodigy_db import make_database
from spacy.tokens import Doc, DocBin, Span
from tasks import task

from spacy_semeval import Scores
from spacy_semeval.cli.evaluate import evaluate as evaluate_source
from spacy_semeval.cli.evaluate import open_data


def evaluate(model, path, **settings):
    return evaluate_source(model, open_data(str(path)), **settings).data


def counts(data, schema="strict"):
    return tuple(data["overall"][schema][name] for name in ("cor", "inc", "par", "mis", "spu"))


@pytest.mark.parametrize("kind", ["docbin", "jsonl"])
@pytest.mark.parametrize("scorer", [False, True])
def test_a_pipeline_needs_no_scorer(run, model, docbin, jsonl, tmp_path, kind, scorer):
    data = {"docbin": docbin, "jsonl": jsonl}[kind]()
    code, out = run("semeval", "evaluate", model(scorer), data, "-o", tmp_path / "m.json")
    assert code == 0, out
    saved = json.loads((tmp_path / "m.json").read_text("utf8"))
    assert counts(saved) == (1, 1, 0, 0, 0)
    assert counts(saved, "partial") == (1, 0, 1, 0, 0)
    assert (saved["kind"], saved["semantics"]) == ("scores", "1.0")
    assert saved["settings"]["attr"] == "ents"
    assert saved["settings"]["inputs"] == {"model": str(model(scorer)), "data": str(data), "annotator": None}
    assert saved["documents"]["scored"] == 2
    assert Scores.from_dict(saved).overall["type"].cor == 1
    for word in ("SemEval schemas (ents)", "partial", "BRAND", "Own side", "Documents scored: 2", "Saved scores"):
        assert word in out
    assert "\x1b" not in out


def test_entities_of_a_plain_function(span_model, docbin):
    assert counts(evaluate(str(span_model), docbin())) == (2, 0, 0, 0, 0)


def test_a_group_of_spans(run, span_model, docbin, jsonl, tmp_path):
    data = docbin(key="mine")
    assert counts(evaluate(str(span_model), data, spans_key="mine")) == (1, 0, 0, 1, 0)
    code, out = run("semeval", "evaluate", span_model, jsonl(), "--spans-key", "mine", "-o", tmp_path / "m.json")
    assert (code, "SemEval schemas (spans_mine)" in out) == (0, True)
    assert json.loads((tmp_path / "m.json").read_text("utf8"))["settings"]["attr"] == "spans_mine"


@pytest.mark.parametrize("kind", ["docbin", "jsonl"])
def test_a_spans_key_that_is_nowhere(run, span_model, docbin, jsonl, kind):
    data = docbin(key="mine") if kind == "docbin" else jsonl()
    code, out = run("semeval", "evaluate", span_model, data, "--spans-key", "yours")
    assert (code, "'yours'" in out, "Keys found: mine" in out) == (1, True, True)


def test_a_spans_key_that_the_pipeline_does_not_set(run, model, docbin):
    code, out = run("semeval", "evaluate", model(), docbin(key="mine"), "--spans-key", "mine")
    assert (code, "the pipeline predicted" in out, "Keys found: none" in out) == (1, True, True)


def test_options_reach_the_engine(run, model, docbin, tmp_path):
    options = ["--label", "DRUG", "-l", "DOSE", "--min-overlap", "1.0", "--per-label", "gold_side", "--batch-size", "1"]
    code, out = run("semeval", "evaluate", model(), docbin(), "-o", tmp_path / "m.json", *options)
    assert code == 0, out
    saved = json.loads((tmp_path / "m.json").read_text("utf8"))
    assert saved["settings"]["filters"] == {"labels": ["DOSE", "DRUG"], "label_map": None, "boundaries_only": False}
    assert (saved["settings"]["min_overlap"], saved["settings"]["per_label"]) == (1.0, "gold_side")
    assert list(saved["per_label"]) == ["DOSE", "DRUG"]
    assert counts(saved) == (1, 1, 0, 0, 0)


def test_gold_that_does_not_fit_tokens_is_scored_in_characters(model, jsonl):
    data = evaluate(str(model()), jsonl(task("Take aspirin", [(5, 10, "DRUG")]), name="cut.jsonl"))
    assert (counts(data), counts(data, "partial")) == ((0, 1, 0, 0, 0), (0, 0, 1, 0, 0))


def test_gold_preproc_predicts_on_the_tokens_of_the_gold(tmp_path, jsonl):
    nlp = spacy.blank("en")
    nlp.add_pipe("entity_ruler").add_patterns([{"label": "DRUG", "pattern": [{"TEXT": "aspirin-like"}]}])
    nlp.to_disk(tmp_path / "m")
    doc = Doc(nlp.vocab, words=["an", "aspirin-like", "drug"], spaces=[True, True, False])
    doc.ents = [doc.char_span(3, 15, label="DRUG")]
    DocBin(docs=[doc]).to_disk(tmp_path / "d.spacy")
    tokens = [{"text": t.text, "start": t.idx, "end": t.idx + len(t), "id": t.i} for t in doc]
    row = {"text": doc.text, "tokens": tokens, "spans": [{"start": 3, "end": 15, "label": "DRUG"}], "answer": "accept"}
    for data in (tmp_path / "d.spacy", jsonl(row)):
        assert counts(evaluate(str(tmp_path / "m"), data)) == (0, 0, 0, 1, 0)
        assert counts(evaluate(str(tmp_path / "m"), data, gold_preproc=True)) == (1, 0, 0, 0, 0)


def test_a_tokenizer_that_changes_white_space(tmp_path, jsonl):
    class Split:
        def __init__(self, nlp):
            self.vocab = nlp.vocab

        def __call__(self, text):
            return Doc(self.vocab, words=text.split())

        def to_disk(self, path, **kwargs):
            pass

        from_disk = to_disk

    @spacy.registry.tokenizers("test.split.v1")
    def make():
        return Split

    nlp = spacy.blank("en", config={"nlp": {"tokenizer": {"@tokenizers": "test.split.v1"}}})
    nlp.add_pipe("entity_ruler").add_patterns([{"label": "DRUG", "pattern": [{"TEXT": "aspirin"}]}])
    nlp.to_disk(tmp_path / "m")
    row = task("Take  aspirin \n now", ((6, 13, "DRUG"),))
    assert counts(evaluate(str(tmp_path / "m"), jsonl(row))) == (1, 0, 0, 0, 0)


def test_stretches_without_annotation(model, jsonl):
    row = task("Take aspirin instead of warfarin today")
    row["spans"].append({"start": 24, "end": 32, "label": "DRUG", "answer": "ignore"})
    row["_view_id"] = "ner_manual"
    data = evaluate(str(model()), jsonl(row))
    assert (counts(data), data["documents"]["ignored_pred"]) == ((1, 0, 0, 0, 0), 1)


def test_annotators(run, model, jsonl):
    text = "Take aspirin instead of warfarin today"
    rows = [task(text, _annotator_id="d-ana"), task(text, (), _annotator_id="d-ben")]
    code, out = run("semeval", "evaluate", model(), jsonl(*rows))
    assert (code, "ana, ben" in out) == (1, True)
    data = evaluate(str(model()), jsonl(*rows), annotator="ana")
    assert (counts(data), data["documents"]["skipped_other_annotator"]) == ((1, 0, 0, 0, 1), 1)
    code, out = run("semeval", "evaluate", model(), jsonl(*rows), "--annotator", "ana")
    assert "Left out, records of other annotators: 1" in out


def test_partly_annotated_documents(run, model, docbin):
    code, out = run("semeval", "evaluate", model(), docbin(gold=[[(5, 12, "DRUG")], None]))
    assert (code, "Left out, documents without annotation: 1" in out) == (0, True)


def test_code_is_imported(run, docbin, tmp_path):
    (tmp_path / "code.py").write_text(
        "import spacy\n\n@spacy.Language.component('test_of_code')\ndef nothing(doc):\n    return doc\n", "utf8"
    )
    nlp = spacy.blank("en")
    nlp.to_disk(tmp_path / "m")
    config = (tmp_path / "m" / "config.cfg").read_text("utf8").replace("pipeline = []", 'pipeline = ["x"]')
    config = config.replace("[components]", '[components]\n\n[components.x]\nfactory = "test_of_code"')
    (tmp_path / "m" / "config.cfg").write_text(config, "utf8")
    code, out = run("semeval", "evaluate", tmp_path / "m", docbin())
    assert (code, "Can't load the pipeline" in out, "test_of_code" in out) == (1, True, True)
    code, out = run("semeval", "evaluate", tmp_path / "m", docbin(), "--code", tmp_path / "code.py")
    assert code == 0, out
    (tmp_path / "code.py").write_text("import no_such_module", "utf8")
    code, out = run("semeval", "evaluate", tmp_path / "m", docbin(), "--code", tmp_path / "code.py")
    assert (code, "no_such_module" in out) == (1, True)


def test_a_pipeline_that_fails(run, tmp_path, docbin):
    @spacy.Language.component("test_fail")
    def fail(doc):
        raise KeyError("lost")

    nlp = spacy.blank("en")
    nlp.add_pipe("test_fail")
    nlp.to_disk(tmp_path / "m")
    code, out = run("semeval", "evaluate", tmp_path / "m", docbin())
    assert (code, "The pipeline failed" in out, "lost" in out) == (1, True, True)


@pytest.mark.parametrize("kind", ["docbin", "jsonl"])
def test_a_pipeline_that_loses_documents(run, tmp_path, docbin, jsonl, kind):
    class Losing:
        def __call__(self, doc):
            return doc

        def pipe(self, stream, **kwargs):
            yield from list(stream)[:-1]

    @spacy.Language.factory("test_lose")
    def make(nlp, name):
        return Losing()

    nlp = spacy.blank("en")
    nlp.add_pipe("test_lose")
    nlp.to_disk(tmp_path / "m")
    code, out = run("semeval", "evaluate", tmp_path / "m", {"docbin": docbin, "jsonl": jsonl}[kind]())
    assert (code, "returned 1 documents for 2 texts" in out) == (1, True)


def test_predictions_that_cannot_be_read(run, tmp_path, jsonl):
    @spacy.Language.component("test_merge")
    def merge(doc):
        doc.spans["sc"] = [doc[2:4]]
        with doc.retokenize() as retokenizer:
            retokenizer.merge(doc[0:4])
        return doc

    nlp = spacy.blank("en")
    nlp.add_pipe("test_merge")
    nlp.to_disk(tmp_path / "m")
    code, out = run("semeval", "evaluate", tmp_path / "m", jsonl(), "--spans-key", "sc")
    assert (code, "Can't read the predictions" in out) == (1, True), out


def test_gold_preproc_says_what_sentences_cut(run, model, tmp_path):
    nlp = spacy.blank("en")
    words = ["Take", "aspirin", "or", "warfarin", "now", "please"]
    doc = Doc(nlp.vocab, words=words, sent_starts=[True, False, False, True, False, False])
    doc.ents = [Span(doc, 2, 4, "DRUG"), Span(doc, 1, 2, "DRUG")]
    doc.spans["sc"] = list(doc.ents)
    DocBin(docs=[doc, Doc(nlp.vocab)]).to_disk(tmp_path / "d.spacy")
    data = evaluate(str(model()), tmp_path / "d.spacy", gold_preproc=True)
    assert (data["overall"]["strict"]["pos"], data["documents"]["cut_by_sentences"]) == (1, 1)
    assert data["documents"]["empty_documents"] == 1
    data = evaluate(str(model()), tmp_path / "d.spacy")
    assert (data["overall"]["strict"]["pos"], "cut_by_sentences" in data["documents"]) == (2, False)
    code, out = run("semeval", "evaluate", model(), tmp_path / "d.spacy", "--gold-preproc", "--spans-key", "sc")
    assert (code, "--gold-preproc would lose 2 spans" in out) == (1, True)


def broken_inputs(tmp_path, docbin, jsonl):
    (tmp_path / "junk.spacy").write_bytes(b"no docbin")
    (tmp_path / "junk.jsonl").write_bytes(b"{\n")
    (tmp_path / "data.csv").write_text("a,b", "utf8")
    (tmp_path / "folder").mkdir()
    DocBin().to_disk(tmp_path / "empty.spacy")
    (tmp_path / "empty.jsonl").write_text("\n", "utf8")
    return {
        tmp_path / "absent.spacy": "absent.spacy",
        tmp_path / "junk.spacy": "junk.spacy",
        tmp_path / "junk.jsonl": "line 1",
        tmp_path / "data.csv": ".spacy, .jsonl",
        tmp_path / "folder": "no document",
        tmp_path / "empty.spacy": "no document",
        tmp_path / "empty.jsonl": "no record",
        docbin(gold=[None, None], name="bare.spacy"): "entity annotation",
    }


@pytest.mark.filterwarnings("ignore:.*W090")  # what spaCy says of an empty folder
def test_data_that_cannot_be_used(run, model, docbin, jsonl, tmp_path):
    for path, said in broken_inputs(tmp_path, docbin, jsonl).items():
        code, out = run("semeval", "evaluate", model(), path, "-o", tmp_path / "m.json")
        assert (code, said in out) == (1, True), out
        assert not (tmp_path / "m.json").exists()
    assert not [p.name for p in tmp_path.iterdir() if p.name.startswith(".")]


def test_models_that_cannot_be_used(run, docbin, tmp_path):
    (tmp_path / "corrupt").mkdir()
    (tmp_path / "corrupt" / "config.cfg").write_text("[nlp", "utf8")
    for name in ("absent", "corrupt"):
        code, out = run("semeval", "evaluate", tmp_path / name, docbin())
        assert (code, "Can't load the pipeline" in out) == (1, True)


@pytest.mark.parametrize("option", [["--min-overlap", "2"], ["--per-label", "both"], ["--batch-size", "0"], []])
def test_wrong_usage(run, model, docbin, option):
    arguments = [model(), docbin(), *option] if option else []
    assert run("semeval", "evaluate", *arguments)[0] == 2


def test_an_output_that_cannot_be_written(run, model, docbin, tmp_path):
    data = docbin()
    before = data.read_bytes()
    for path, said in ((tmp_path / "no" / "m.json", "No such file"), (tmp_path, "folder"), (data, "is an input")):
        code, out = run("semeval", "evaluate", model(), data, "--output", path)
        assert (code, said in out) == (1, True), out
    assert data.read_bytes() == before


def test_zeros_that_are_no_scores_of_the_model_are_explained(run, tmp_path, model, docbin, jsonl):
    assert (
        "neither in gold nor in predictions: 'DOSE'." in run("semeval", "evaluate", model(), docbin(), "-l", "DOSE")[1]
    )
    spacy.blank("en").to_disk(tmp_path / "blank")
    assert "Nothing was predicted" in run("semeval", "evaluate", tmp_path / "blank", docbin())[1]
    other_format = jsonl({"text": "Take aspirin", "label": [[5, 12, "DRUG"]]})
    assert "The gold data holds no span" in run("semeval", "evaluate", model(), other_format)[1]


def test_model_and_code_are_not_written_over(run, model, docbin, tmp_path):
    (tmp_path / "code.py").write_text("", "utf8")
    for path in (model() / "config.cfg", tmp_path / "code.py"):
        before = path.read_bytes()
        code, out = run("semeval", "evaluate", model(), docbin(), "--code", tmp_path / "code.py", "-o", path)
        assert (code, "is an input" in out, path.read_bytes() == before) == (1, True, True)


def test_spans_under_a_key_are_pointed_out(run, model, docbin):
    code, out = run("semeval", "evaluate", model(), docbin(key="mine"))
    assert (code, "It has spans under: mine (--spans-key)" in out) == (1, True)


def test_annotators_are_those_of_jsonl(run, model, docbin):
    code, out = run("semeval", "evaluate", model(), docbin(), "--annotator", "ana")
    assert (code, "Only records of Prodigy's have annotators" in out) == (1, True)


def test_a_gpu_that_is_not_there(run, model, docbin):
    code, out = run("semeval", "evaluate", model(), docbin(), "--gpu-id", "99")
    assert (code, "Can't use GPU 99" in out) == (1, True)


def test_without_a_known_stock_command_it_is_said(run, model, docbin, monkeypatch):
    monkeypatch.setattr(sys.modules["spacy_semeval.cli.evaluate"], "STOCK_IS_KNOWN", False)
    assert "left as it is" in run("semeval", "evaluate", model(), docbin())[1]


@pytest.mark.parametrize("kind", ["docbin", "jsonl"])
def test_errors_as_tasks(run, model, docbin, jsonl, tmp_path, kind):
    data = {"docbin": docbin, "jsonl": jsonl}[kind]()
    errors = tmp_path / "errors.jsonl"
    code, out = run("semeval", "evaluate", model(), data, "--errors", errors)
    assert (code, "errors.jsonl: 1" in out) == (0, True)
    (entry,) = map(json.loads, errors.read_text("utf8").splitlines())
    assert entry["meta"] == {"outcomes": "INC DRUG→BRAND 'of warfarin' for 'warfarin'"}
    assert [(span["start"], span["end"], span["label"]) for span in entry["spans"]] == [
        (5, 12, "DRUG"),
        (24, 32, "DRUG"),
    ]
    assert ("tokens" in entry) == (kind == "docbin")
    code, out = run("semeval", "evaluate", model(), data, "-o", errors, "--errors", errors)
    assert (code, "Can't write" in out) == (1, True)


def test_labels_are_renamed(run, model, docbin):
    assert counts(evaluate(str(model()), docbin(), label_map={"BRAND": "DRUG"}), "type") == (2, 0, 0, 0, 0)
    code, out = run("semeval", "evaluate", model(), docbin(), "--map", "PERSON=PER")
    assert (code, "no span has 'PERSON'. Labels: BRAND, DRUG" in out) == (1, True)


def test_the_database_and_gzip(run, model, jsonl, tmp_path):
    rows = [json.loads(line) for line in jsonl().read_text("utf8").splitlines()]
    database = make_database(tmp_path / "prodigy.db", {"news": rows})
    code, out = run("semeval", "evaluate", model(), "prodigy:news", "--prodigy-db", database)
    assert (code, "Documents scored: 2" in out) == (0, True)
    packed = tmp_path / "dev.jsonl.gz"
    packed.write_bytes(gzip.compress(jsonl().read_bytes()))
    assert counts(evaluate(str(model()), packed)) == (1, 1, 0, 0, 0)


def test_a_prediction_equal_to_a_rejected_span(model, jsonl):
    row = task("Take aspirin instead of warfarin today", [(5, 12, "DRUG"), (0, 38, "X"), (21, 32, "BRAND")])
    for span, answer in zip(row["spans"], ("reject", "ignore", "accept")):
        span["answer"] = answer
    data = evaluate(str(model()), jsonl(row))
    assert (counts(data), data["documents"]["ignored_pred"]) == ((1, 0, 0, 0, 1), 0)
