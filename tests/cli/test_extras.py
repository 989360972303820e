"""What is added to the scores when asked: averages, MUC, CoNLL and ACE."""

import json

import pytest
from tasks import task

from spacy_semeval.cli.extras import Extras, read_weights
from spacy_semeval.errors import SemevalError

TEXT = "Take aspirin instead of warfarin today"
GOLD = [task(TEXT, [(5, 12, "DRUG"), (24, 32, "DRUG")]), task("Nothing to see here", ()), task("No tea", ())]
PRED = [task("Nothing to see here", [(0, 7, "DRUG")]), task(TEXT, [(5, 12, "BRAND"), (21, 32, "DRUG")]), GOLD[2]]


@pytest.fixture
def files(jsonl):
    return jsonl(*GOLD, name="gold.jsonl"), jsonl(*PRED, name="pred.jsonl")


@pytest.fixture
def weights(tmp_path):
    def weights(content):
        path = tmp_path / "weights.json"
        path.write_text(content if isinstance(content, str) else json.dumps(content), "utf8")
        return path

    return weights


@pytest.fixture
def score(run, files, tmp_path):
    """The saved scores with some options, after it was seen that `semeval report` prints them alike."""

    def score(*options):
        out = tmp_path / "m.json"
        code, said = run("semeval", "score", *files, *options, "-o", out)
        assert code == 0, said
        assert run("semeval", "report", out) == (0, said[: said.index("Saved scores")])
        return json.loads(out.read_text("utf8")), " ".join(said.split())

    return score


def test_nothing_is_added_unasked(score):
    data, said = score()
    assert not {"document_mean", "muc", "conll", "ace"} & set(data)
    assert data["settings"]["averages"] == []
    assert "no_spans" not in data["documents"]
    assert "Averages" not in said


def test_averages(score):
    data, said = score("--average", "documents", "--average", "macro", "--average", "documents")
    assert data["settings"]["averages"] == ["documents", "macro"]
    # partial: P and R of the first text are 1.5 / 2, those of the second one 0; the third has nothing to average
    assert data["document_mean"]["partial"] == {"p": 0.375, "r": 0.375, "f": 0.375}
    assert data["documents"]["no_spans"] == 1
    assert "documents partial 37.50 37.50 37.50" in said
    assert "micro partial 50.00 75.00 60.00" in said
    assert "macro partial 62.50 37.50 18.75" in said
    assert "Documents without a span on either side, not in the mean over documents: 1" in said


def test_macro_alone_counts_no_documents(score):
    data, said = score("--average", "weighted")
    assert "document_mean" not in data
    assert "no_spans" not in data["documents"]
    assert "weighted strict 0.00 0.00 0.00" in said


def test_muc(score):
    data, said = score("--muc")
    muc = data["muc"]["overall"]
    # type: 1 right, 1 wrong; exact: 1 right, 1 wrong; 1 invented in both
    assert {name: muc[name] for name in ("cor", "inc", "mis", "spu", "pos", "act")} == {
        "cor": 2,
        "inc": 2,
        "mis": 0,
        "spu": 2,
        "pos": 4,
        "act": 6,
    }
    assert data["muc"]["per_label"]["BRAND"]["pred_inc"] == 1
    assert data["muc"]["error_rates"]["partial"] == {
        "undergeneration": 0.0,
        "overgeneration": pytest.approx(1 / 3),
        "substitution": 0.25,
        "error_per_response_fill": 0.5,
    }
    assert "(all) 2 2 0 2 4 6 33.33 50.00 40.00" in said
    assert "partial 0.00 33.33 25.00 50.00" in said


def test_conll_without_tokens(score):
    data, said = score("--conll")
    assert data["conll"] == {"tokens": None, "correct": None}
    assert "processed 2 phrases; found: 3 phrases; correct: 0. precision: 0.00%; recall: 0.00%; FB1: 0.00" in said
    assert "DRUG: precision: 0.00%; recall: 0.00%; FB1: 0.00 2" in said


@pytest.mark.parametrize(
    ("gold", "pred", "correct"),
    [
        (["B-A", "I-A", "O"], ["B-A", "O", "O"], 2),
        (["I-A", "I-A", "O"], ["O", "I-A", "O"], 2),  # as they are, although in IOB2 the second ones differ
        (["B-A", "I-A", "O"], ["B-A", "L-A", "O"], 3),  # in IOB2
        (["B-A", "I-A", "O"], ["O", "U-A", "O"], 1),
    ],
)
def test_tokens_of_tags(run, tmp_path, gold, pred, correct):
    paths = []
    for name, tags in (("gold", gold), ("pred", pred)):
        paths.append(tmp_path / f"{name}.conll")
        paths[-1].write_text("".join(f"w{i} {tag}\n" for i, tag in enumerate(tags)), "utf8")
    code, said = run("semeval", "score", *paths, "--conll", "-o", tmp_path / "m.json")
    assert code == 0, said
    assert json.loads((tmp_path / "m.json").read_text("utf8"))["conll"] == {"tokens": 3, "correct": correct}
    assert "processed 3 tokens with 1 phrases" in said
    assert run("semeval", "report", tmp_path / "m.json") == (0, said[: said.index("Saved scores")])


def test_tokens_are_not_counted_under_other_labels(run, tmp_path):
    path = tmp_path / "gold.conll"
    path.write_text("Ada B-PER\n", "utf8")
    for option in (("--map", "PER=NAME"), ("--boundaries-only",)):
        code, said = run("semeval", "score", path, path, "--conll", *option)
        assert (code, "processed 1 phrases" in said) == (0, True)


def test_ace(score, weights):
    data, said = score("--ace", weights({"labels": {"DRUG": 2.0}, "spurious": 0.5}))
    # BRAND for a DRUG costs half of its 2; one spurious DRUG costs 0.5 times 2
    assert data["ace"] == {
        "value": 0.5,
        "found": 3.0,
        "spurious": 1.0,
        "possible": 4.0,
        "weights": {"labels": {"DRUG": 2.0}, "default": 1.0, "wrong_label": 0.5, "spurious": 0.5},
    }
    assert "3.0000 1.0000 4.0000 0.5000" in said


def test_ace_of_gold_that_is_worth_nothing(score, weights):
    data, said = score("--ace", weights({"default": 0}))
    assert data["ace"]["value"] is None
    assert "Not defined: gold is worth nothing" in said


def test_ace_weights_of_labels_that_no_span_has(run, files, weights):
    code, said = run("semeval", "score", *files, "--ace", weights({"labels": {"DRUG": 1, "DRGU": 2}}))
    assert (code, "The ACE weights name labels that no span has: DRGU." in said) == (0, True)


@pytest.mark.parametrize(
    "wrong",
    [
        "no JSON",
        "",
        "[]",
        '{"labels": ["A"]}',
        '{"labels": {"A": "1"}}',
        '{"lables": {}}',
        '{"default": -1}',
        '{"default": 1e999}',
        '{"wrong_label": 2}',
        '{"default": true}',
        "[" * 5000,
    ],
)
def test_weights_that_are_none(run, files, weights, wrong):
    code, said = run("semeval", "score", *files, "--ace", weights(wrong))
    assert code in (1, 2)
    assert "weights.json" in said
    assert '"wrong_label": 0.5' in said


def test_weights_that_are_not_there(run, files, tmp_path):
    code, said = run("semeval", "score", *files, "--ace", tmp_path / "nowhere.json")
    assert (code, "nowhere.json" in said) == (1, True)
    with pytest.raises(SemevalError, match="Can't read"):
        read_weights(tmp_path)


def test_weights_have_defaults(weights):
    made = read_weights(weights("{}"))
    assert (made.default, made.wrong_label, made.spurious, made.of("A")) == (1.0, 0.5, 0.75, 1.0)


def test_the_weights_are_not_written_over(run, files, weights):
    path = weights("{}")
    code, said = run("semeval", "score", *files, "--ace", path, "-o", path)
    assert (code, path.read_text("utf8")) == (1, "{}")


@pytest.mark.parametrize("options", [("--label", "DRUG"), ("--beta", "2"), ("--per-label", "gold_side")])
def test_what_the_conll_report_does_not_know(run, files, options):
    code, said = run("semeval", "score", *files, "--conll", *options)
    assert (code, "--conll is used without" in said) == (2, True)


@pytest.mark.parametrize("options", [("--average", "macro"), ("--muc",), ("--conll",), ("--ace",)])
def test_binary_answers_have_recall_only(run, jsonl, weights, options):
    path = jsonl(task("ab", [(0, 2, "A")], _view_id="ner"))
    options = [*options, weights("{}")] if options == ("--ace",) else options
    code, said = run("semeval", "score", path, path, "--binary", *options)
    assert (code, "--binary takes no averages" in said) == (2, True)


def test_extras_of_evaluate(run, model, docbin, weights, tmp_path):
    out = tmp_path / "m.json"
    options = ("--average", "documents", "--muc", "--conll", "--ace", weights({}))
    code, said = run("semeval", "evaluate", model(), docbin(), *options, "-o", out)
    assert code == 0, said
    data = json.loads(out.read_text("utf8"))
    assert set(data) >= {"document_mean", "muc", "conll", "ace"}
    # aspirin is right, warfarin under a wrong label with wrong boundaries: 1 + 0.5 of 2
    assert (data["ace"]["value"], data["documents"]["no_spans"]) == (0.75, 1)
    assert all(title in said for title in ("Averages", "MUC-6/7", "CoNLL-2003", "in the manner of ACE"))
    assert run("semeval", "report", out)[0] == 0
    code, said = run("semeval", "evaluate", model(name="other"), docbin(), "--conll", "--label", "DRUG")
    assert (code, "--conll is used without --label" in said) == (2, True)


@pytest.mark.parametrize(
    ("where", "wrong"),
    [
        ("muc", {}),
        ("muc", {"overall": 1}),
        ("ace", {"value": "1"}),
        ("ace", None),
        ("muc", None),
        ("settings", {"averages": ["median"]}),
        ("conll", None),
        ("conll", {}),
        ("document_mean", {"strict": 1}),
    ],
)
def test_saved_extras_are_checked(run, score, tmp_path, weights, where, wrong):
    data, _ = score("--average", "documents", "--muc", "--conll", "--ace", weights({}))
    path = tmp_path / "broken.json"
    path.write_text(json.dumps({**data, where: wrong}), "utf8")
    code, said = run("semeval", "report", path)
    assert (code, "broken.json" in said) == (1, True)
    del data["document_mean"]
    path.write_text(json.dumps(data), "utf8")
    code, said = run("semeval", "report", path)
    assert (code, "document_mean" in said) == (1, True)


def test_nothing_to_add_is_defined_for_everything():
    from spacy_semeval.engine.scores import Settings

    Extras().check(Settings(labels=["A"], beta=2, per_label="gold_side"), binary=True)
