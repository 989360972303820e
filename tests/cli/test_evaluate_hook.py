import json

import pytest
import srsly
from spacy.cli.evaluate import evaluate, evaluate_cli

from spacy_semeval.cli.evaluate_hook import find_parts, is_known


@pytest.mark.parametrize("command", [["evaluate"], ["benchmark", "accuracy"]])
def test_schemas_come_after_the_stock_tables(run, model, docbin, tmp_path, command):
    data, path = docbin(), model(scorer=True)
    code, out = run(*command, path, data, "-o", tmp_path / "m.json")
    assert code == 0, out
    assert 0 < out.index("NER F") < out.index("SemEval schemas (ents)") < out.index("SemEval schemas per label (ents)")
    saved = json.loads((tmp_path / "m.json").read_text("utf8"))
    stock = json.loads(srsly.json_dumps(evaluate(str(path), data)))
    assert {**saved, "speed": 0} == {**stock, "speed": 0}
    assert (saved["ents_strict_f"], saved["ents_partial_f"]) == (0.5, 0.75)


def test_other_pipelines_are_reported_as_ever(run, model, docbin):
    code, out = run("evaluate", model(), docbin())
    assert (code, "NER F" in out, "SemEval" in out) == (0, True, False)


def test_components_have_tables_of_their_own(run, model, docbin, tmp_path):
    code, out = run("evaluate", model(scorer=True), docbin(), "--per-component", "-o", tmp_path / "m.json")
    assert (code, "SemEval schemas (entity_ruler: ents)" in out) == (0, True)
    saved = json.loads((tmp_path / "m.json").read_text("utf8"))
    assert [attr for attr, _ in find_parts(saved)] == ["entity_ruler: ents"]


def test_help_is_that_of_the_stock_command(run):
    code, out = run("evaluate", "--help")
    assert code == 0
    for option in ("--output", "--code", "--gpu-id", "--gold-preproc", "--displacy-path", "--spans-key"):
        assert option in out


def test_a_command_that_we_know():
    assert is_known(evaluate_cli, evaluate)

    def more_options(model, data_path, output, code_path, new_option):
        pass

    def function(model, data_path, output, silent):
        pass

    assert not is_known(more_options, function)
    assert not is_known(function, function)
