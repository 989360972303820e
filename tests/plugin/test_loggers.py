import io
import json

import pytest
import spacy
from confection import ConfigValidationError
from spacy.language import Language
from thinc.api import Config

from spacy_semeval import score_spans
from spacy_semeval.plugin.keys import flatten
from spacy_semeval.plugin.loggers import console_logger, score_keys, unknown_weights

NER = "spacy-semeval.ner_scorer.v1"
SCORES = flatten(score_spans([[(0, 4, "DRUG"), (5, 9, "BRAND")]], [[(0, 4, "DRUG"), (5, 8, "BRAND")]]), "ents")


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture
def trainee():
    nlp = spacy.blank("en")
    nlp.add_pipe("ner", config={"scorer": {"@scorers": NER}})
    weigh(nlp, ents_strict_f=0.5, ents_partial_f=0.5)
    return nlp


def weigh(nlp, **weights):
    """Set the weights, those that the factory of ner brings set to null."""
    nlp.config["training"]["score_weights"] = {"ents_f": None, "ents_p": None, "ents_r": None, **weights}


def info(step=0, score=0.5, scores=SCORES, **more):
    return {"epoch": 0, "step": step, "score": score, "other_scores": scores, "losses": {"ner": 1.5}, **more}


def log(nlp, *infos, out=None, **settings):
    out = out or io.StringIO()
    step, finalize = console_logger(**settings)(nlp, out, io.StringIO())
    for one in infos:
        step(one)
    finalize()
    return out.getvalue()


def test_columns_have_full_names_and_rows_line_up(trainee):
    lines = log(trainee, info(), None, info(100), show_labels="none").splitlines()
    assert lines[0].split() == ["E", "#", "LOSS", "NER", "ENTS_STRICT_F", "ENTS_PARTIAL_F", "SCORE"]
    assert [line.split() for line in lines[2:]] == [
        ["0", "0", "1.50", "50.00", "75.00", "0.50"],
        ["0", "100", "1.50", "50.00", "75.00", "0.50"],
    ]
    assert {len(line) for line in lines[1:]} == {len(lines[1])}


def test_stock_columns_are_cut_as_spacy_does(trainee):
    weigh(trainee, a_very_long_name_of_a_score=1.0)
    assert "A_VERY_LON..." in log(trainee)


def test_labels_after_each_new_best_score(trainee):
    text = log(trainee, info(0, 0.5), info(100, 0.5), info(200, 0.4), info(300, 0.6))
    assert [f"step {step}" in text for step in (0, 100, 200, 300)] == [True, False, False, True]
    rows = [line.split() for line in text.splitlines()]
    assert ["Label", "STRICT", "EXACT", "PARTIAL", "TYPE"] in rows
    assert ["BRAND", "0.00", "0.00", "50.00", "100.00"] in rows
    assert ["DRUG", "100.00", "100.00", "100.00", "100.00"] in rows


@pytest.mark.parametrize(("show", "tables"), [("all", 3), ("best", 1), ("none", 0)])
def test_show_labels(trainee, show, tables):
    text = log(trainee, info(0, 0.5), info(100, 0.4), info(200, 0.3), show_labels=show)
    assert text.count("F per label (ents)") == tables


def test_a_score_that_is_none_is_a_dash(trainee):
    row = log(trainee, info(scores={"ents_strict_f": None})).splitlines()[2].split()
    assert row[3:5] == ["-", "-"]


def test_speed_is_no_share(trainee):
    weigh(trainee, ents_strict_f=1.0, speed=0.0, ents_type_f=0.0)
    row = log(trainee, info(scores={**SCORES, "speed": 1234.5}), show_labels="none").splitlines()[2].split()
    assert row[3:6] == ["50.00", "1234.50", "100.00"]


def test_no_terminal_codes_outside_a_terminal(trainee, tmp_path):
    settings = {"progress_bar": "eval", "output_file": tmp_path / "log.jsonl"}
    weigh(trainee, ents_strict_f=1.0, ents_strikt_f=1.0)
    assert "\x1b" not in log(trainee, info(), None, info(1), **settings)
    assert "\x1b" in log(trainee, info(), out=Terminal())


def test_nothing_is_printed_on_request(trainee):
    assert log(trainee, info(), console_output=False) == ""


def test_file_holds_all_schemas_and_labels(trainee, tmp_path):
    path = tmp_path / "new" / "log.jsonl"
    log(trainee, info(0), info(100, 0.7), output_file=path)
    lines = [json.loads(line) for line in path.read_text("utf8").splitlines()]
    assert [(line["step"], line["score"]) for line in lines] == [(0, 0.5), (100, 0.7)]
    assert lines[0]["scores"] == {"ents_strict_f": 50.0, "ents_partial_f": 75.0}
    assert lines[0]["losses"] == {"ner": 1.5}
    assert lines[0]["semeval"]["ents"]["overall"]["type"]["cor"] == 2
    assert lines[0]["semeval"]["ents"]["per_label"]["BRAND"]["partial"]["f"] == 0.5


def test_a_file_that_is_there_is_left_alone(trainee, tmp_path):
    path = tmp_path / "log.jsonl"
    path.write_text("mine", "utf8")
    assert "already exists" in log(trainee, info(), output_file=path)
    assert path.read_text("utf8") == "mine"


@pytest.mark.parametrize("kind", ["train", "eval"])
def test_progress_bar_in_a_terminal(trainee, kind):
    err = Terminal()
    step, finalize = console_logger(progress_bar=kind)(trainee, io.StringIO(), err)
    for one in (info(0), None, None, info(200)):
        step(one)
    finalize()
    assert ("Last Eval Epoch: 0" if kind == "train" else "Epoch 1") in err.getvalue()


def test_a_typo_in_a_weight_is_warned_about(trainee):
    weigh(trainee, ents_partail_f=1.0, ents_exact_f=0.5, speed=0.0, token_acc=0.0, ents_stric_f=None)
    warnings = [line for line in log(trainee).splitlines() if "No component returns" in line]
    assert len(warnings) == 1
    assert "'ents_partail_f'" in warnings[0]
    assert "Did you mean 'ents_partial_f'?" in warnings[0]


def test_a_weight_of_one_label_is_explained(trainee):
    (warning,) = unknown_weights({"ents_partial_f_DRUG": 1.0}, score_keys(trainee))
    assert "Is 'DRUG' missing in the weight_labels of the scorer?" in warning


def test_a_missing_scorer_is_named():
    nlp = spacy.blank("en")
    nlp.add_pipe("ner")
    (warning,) = unknown_weights({"ents_partial_f": 1.0}, score_keys(nlp))
    assert "No component has a spacy-semeval scorer." in warning


def test_weights_of_another_spans_key_are_warned_about():
    nlp = spacy.blank("en")
    nlp.add_pipe("spancat", config={"spans_key": "mine", "scorer": {"@scorers": "spacy-semeval.spancat_scorer.v1"}})
    (warning,) = unknown_weights({"spans_sc_f": 1.0, "spans_mine_f": 0.0}, score_keys(nlp))
    assert "'spans_sc_f'" in warning
    assert "'spans_mine_f'" in warning


def test_components_that_are_switched_off_for_a_while_count(trainee):
    with trainee.select_pipes(disable=["ner"]):
        assert "ents_type_macro_f" in score_keys(trainee)


def test_no_warning_where_a_component_cannot_score_nothing(trainee):
    @Language.factory("test_unwilling")
    def make(nlp, name):
        class Unwilling:
            def __call__(self, doc):
                return doc

            def score(self, examples, **cfg):
                raise KeyError("never")

        return Unwilling()

    trainee.add_pipe("test_unwilling")
    assert score_keys(trainee) is None
    assert unknown_weights({"any": 1.0}, None) == []


def test_two_components_that_score_the_same_with_other_settings(trainee):
    scores = {**SCORES, "ents_strict_per_type": {"BRAND": SCORES["ents_strict_per_type"]["BRAND"]}}
    rows = [line.split() for line in log(trainee, info(scores=scores)).splitlines()]
    assert ["DRUG", "-", "100.00", "100.00", "100.00"] in rows


def test_a_file_that_cannot_be_written_fails_when_the_config_is_resolved(tmp_path):
    (tmp_path / "file").write_text("", "utf8")
    (tmp_path / "dangling").symlink_to(tmp_path / "absent" / "log.jsonl")
    for path in (tmp_path / "file" / "log.jsonl", tmp_path / "dangling", tmp_path / ("x" * 300)):
        with pytest.raises(ConfigValidationError, match="can't write"):
            console_logger(output_file=path)


def test_two_spans_keys_have_a_table_each(trainee):
    scores = {**SCORES, **flatten(score_spans([[(0, 1, "X")]], [[]]), "spans_sc")}
    text = log(trainee, info(scores=scores))
    assert "F per label (ents), step 0" in text
    assert "F per label (spans_sc), step 0" in text


def resolve(text):
    return spacy.registry.resolve(Config().from_str(text))["logger"]


def test_inside_the_chain_logger(trainee):
    setup = resolve(
        """
        [logger]
        @loggers = "spacy.ChainLogger.v1"

        [logger.logger1]
        @loggers = "spacy-semeval.ConsoleLogger.v1"
        show_labels = "all"

        [logger.logger2]
        @loggers = "spacy-semeval.ConsoleLogger.v1"
        console_output = false
        """
    )
    out = io.StringIO()
    step, finalize = setup(trainee, out, io.StringIO())
    step(info())
    finalize()
    assert "F per label (ents), step 0" in out.getvalue()


@pytest.mark.parametrize("setting", ['show_labels = "some"', 'progress_bar = "always"', "console_output = 3"])
def test_bad_settings_fail_when_the_config_is_resolved(setting):
    with pytest.raises(ConfigValidationError, match=setting.split()[0]):
        resolve(f'[logger]\n@loggers = "spacy-semeval.ConsoleLogger.v1"\n{setting}')
