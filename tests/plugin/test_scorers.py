import multiprocessing
import pickle

import pytest
import spacy
from confection import ConfigValidationError
from spacy.scorer import get_ner_prf
from spacy.tokens import Doc, Span
from spacy.training import Example
from thinc.api import Config

from spacy_semeval import SemevalError

NER, SPANCAT = "spacy-semeval.ner_scorer.v1", "spacy-semeval.spancat_scorer.v1"


def scorer(name=NER, **settings):
    return spacy.registry.resolve({"scorer": {"@scorers": name, **settings}})["scorer"]


@pytest.fixture
def example(nlp):
    gold, pred = (Doc(nlp.vocab, words=["Take", "aspirin", "or", "warfarin"]) for _ in range(2))
    gold.ents = [Span(gold, 1, 2, "DRUG"), Span(gold, 3, 4, "DRUG")]
    pred.ents = [Span(pred, 1, 2, "DRUG"), Span(pred, 2, 4, "BRAND")]
    return Example(pred, gold)


@pytest.fixture
def overlapping(nlp):
    gold, pred = (Doc(nlp.vocab, words=list("abcdef")) for _ in range(2))
    gold.spans["sc"] = [Span(gold, 0, 4, "A"), Span(gold, 1, 3, "B")]
    pred.spans["sc"] = [Span(pred, 1, 3, "B"), Span(pred, 0, 5, "A")]
    return Example(pred, gold)


def test_stock_scores_come_first_and_stay_as_they_are(example):
    got, stock = scorer()([example]), get_ner_prf([example])
    assert list(got)[: len(stock)] == list(stock)
    assert {key: got[key] for key in stock} == stock
    assert (got["ents_strict_f"], got["ents_partial_f"], got["ents_type_f"]) == (0.5, 0.75, 0.5)


def test_what_a_component_hands_over_is_no_setting_of_ours(example):
    plain = scorer()([example])
    cfg = dict(labels=("X",), threshold=0.5, spans_key="x", min_overlap=1.0, schemas=[], beta=9, base=None, moves=None)
    assert scorer()([example], **cfg) == plain


@pytest.mark.parametrize("name", [NER, SPANCAT])
def test_scorers_pickle(name, example, overlapping):
    made = scorer(name, weight_labels=["DRUG"], **({"spans_key": "sc"} if name == SPANCAT else {}))
    assert pickle.loads(pickle.dumps(made))([example, overlapping]) == made([example, overlapping])


def test_scorer_in_a_spawned_process(example):
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.apply(scorer(), ([example],)) == scorer()([example])


def test_weight_labels_are_always_there(example):
    got = scorer(weight_labels=["DRUG", "DOSE"])([example])
    assert got["ents_partial_f_DRUG"] == got["ents_partial_per_type"]["DRUG"]["f"] > 0
    assert got["ents_partial_f_DOSE"] == 0.0


def test_settings_reach_the_engine(example):
    got = scorer(schemas=["partial"], labels=["DRUG"], per_label="gold_side", beta=2.0, min_overlap=1.0)([example])
    assert "ents_strict_f" not in got
    assert list(got["ents_partial_per_type"]) == ["DRUG"]
    assert "pred_cor" not in got["ents_partial_per_type"]["DRUG"]
    assert got["ents_documents"]["other_label_pred"] == 0


def test_base_is_another_scorer(example):
    @spacy.registry.scorers("test.base.v1")
    def make():
        return lambda examples, **cfg: {"own": len(examples), "threshold": cfg["threshold"]}

    got = scorer(base={"@scorers": "test.base.v1"})([example], threshold=0.3)
    assert (got["own"], got["threshold"], got["ents_strict_f"]) == (1, 0.3, 0.5)
    assert "ents_f" not in got


def test_spans_key_of_the_scorer_block(overlapping):
    got = scorer(SPANCAT, spans_key="sc")([overlapping])
    assert (got["spans_sc_f"], got["spans_sc_strict_f"], got["spans_sc_partial_f"]) == (0.5, 0.5, 0.75)


def test_spans_key_of_the_component(overlapping):
    assert scorer(SPANCAT)([overlapping], spans_key="sc")["spans_sc_strict_f"] == 0.5
    assert scorer(SPANCAT)([overlapping], spans_key="other")["spans_other_strict_f"] is None


def test_a_component_that_hands_no_spans_key_over(overlapping):
    with pytest.raises(SemevalError, match="needs a spans_key in its block"):
        scorer(SPANCAT)([overlapping])


def test_spans_key_of_the_block_wins_with_a_warning(overlapping):
    with pytest.warns(UserWarning, match="'sc' is scored"):
        got = scorer(SPANCAT, spans_key="sc")([overlapping], spans_key="other")
    assert got["spans_sc_f"] == got["spans_sc_strict_f"] == 0.5


BAD = [
    ({"schemas": ["loose"]}, "loose"),
    ({"aligner": "greedy.v1"}, r"greedy\.v1"),
    ({"min_overlap": 1.5}, "1.5"),
    ({"min_overlap": "much"}, "min_overlap"),
    ({"per_label": "both"}, "both"),
    ({"beta": -1.0}, "beta"),
    ({"labels": ["A"], "weight_labels": ["B"]}, "weight_labels"),
    ({"weight_labels": "DRUG"}, "weight_labels"),
    ({"beta": 1e200}, "beta"),
    ({"unheard_of": 1}, "unheard_of"),
]


@pytest.mark.parametrize("name", [NER, SPANCAT])
@pytest.mark.parametrize(("setting", "said"), BAD)
def test_bad_settings_fail_when_the_config_is_resolved(name, setting, said):
    with pytest.raises(ConfigValidationError, match=said):
        scorer(name, **setting)


CONFIG = """
[nlp]
lang = "en"
pipeline = ["ner", "spancat", "span_ruler", "entity_ruler"]

[components]

[components.ner]
factory = "ner"

[components.ner.scorer]
@scorers = "spacy-semeval.ner_scorer.v1"
schemas = ["strict", "partial"]

[components.spancat]
factory = "spancat"
spans_key = "cat"

[components.spancat.scorer]
@scorers = "spacy-semeval.spancat_scorer.v1"

[components.span_ruler]
factory = "span_ruler"
spans_key = "ruler"

[components.span_ruler.scorer]
@scorers = "spacy-semeval.spancat_scorer.v1"
spans_key = "ruler"

[components.entity_ruler]
factory = "entity_ruler"

[components.entity_ruler.scorer]
@scorers = "spacy-semeval.ner_scorer.v1"
"""


def test_every_kind_of_component_takes_the_scorers():
    nlp = spacy.util.load_model_from_config(Config().from_str(CONFIG), auto_fill=True)
    filled = nlp.config["components"]["ner"]["scorer"]
    assert filled["aligner"] == "optimal.v1"
    saved = Config().from_str(nlp.config.to_str())["components"]["ner"]["scorer"]
    assert saved == {**filled, "weight_labels": list(filled["weight_labels"])}
    for name in ("ner", "spancat"):
        nlp.get_pipe(name).add_label("DRUG")
    nlp.initialize()
    doc = nlp.make_doc("Take aspirin")
    gold = doc.copy()
    gold.ents = [Span(gold, 1, 2, "DRUG")]
    for key in ("cat", "ruler"):
        gold.spans[key] = [Span(gold, 1, 2, "DRUG")]
    for name in ("span_ruler", "entity_ruler"):
        nlp.get_pipe(name).add_patterns([{"label": "DRUG", "pattern": "aspirin"}])
    scores = nlp.evaluate([Example(doc, gold)])
    assert scores["spans_ruler_strict_f"] == 1.0
    for key in ("ents_strict_f", "ents_type_f", "ents_f", "spans_cat_partial_f", "spans_cat_f"):
        assert key in scores


def test_labels_are_renamed_in_our_scores_only(example):
    got = scorer(label_map={"BRAND": "DRUG"}, weight_labels=["DRUG"])([example])
    assert (got["ents_type_f"], got["ents_type_f_DRUG"], list(got["ents_type_per_type"])) == (1.0, 1.0, ["DRUG"])
    assert set(got["ents_per_type"]) == {"BRAND", "DRUG"}


def test_a_label_map_in_a_config(example):
    text = '[scorer]\n@scorers = "spacy-semeval.ner_scorer.v1"\n\n[scorer.label_map]\nBRAND = "DRUG"\n'
    made = spacy.registry.resolve(Config().from_str(text))["scorer"]
    assert made([example])["ents_type_f"] == 1.0


def test_a_label_that_may_yet_be_predicted_is_warned_about(example):
    with pytest.warns(UserWarning, match="no span has 'PERSON'. Labels: BRAND, DRUG"):
        got = scorer(label_map={"PERSON": "PER"})([example])
    assert got["ents_strict_f"] == 0.5
    with pytest.raises(ConfigValidationError, match="label_map"):
        scorer(label_map={"": "PER"})
