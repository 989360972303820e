import subprocess
import sys

import spacy
from spacy.tokens import Span
from spacy.training import Example

from spacy_semeval.plugin.callbacks import restore_stock_scorers

NER, SPANCAT = "spacy-semeval.ner_scorer.v1", "spacy-semeval.spancat_scorer.v1"


def scorer_of(nlp, name):
    return nlp.config["components"][name]["scorer"]


def test_stock_scorers_are_named_again_and_ours_go_on():
    nlp = spacy.blank("en")
    nlp.add_pipe("entity_ruler", config={"scorer": {"@scorers": NER}})
    nlp.add_pipe("span_ruler", config={"scorer": {"@scorers": SPANCAT, "spans_key": "mine"}, "spans_key": "mine"})
    nlp.add_pipe("spancat", config={"scorer": {"@scorers": SPANCAT}, "spans_key": "cat"})
    nlp.add_pipe("ner", config={"scorer": {"@scorers": NER, "base": {"@scorers": "spacy.ner_scorer.v1"}}})
    nlp.add_pipe("sentencizer")
    untouched = scorer_of(nlp, "sentencizer")
    assert restore_stock_scorers(nlp) is nlp
    assert scorer_of(nlp, "entity_ruler") == {"@scorers": "spacy.entity_ruler_scorer.v1"}
    assert scorer_of(nlp, "span_ruler") == {
        "@scorers": "spacy.overlapping_labeled_spans_scorer.v1",
        "spans_key": "mine",
    }
    assert scorer_of(nlp, "spancat") == {"@scorers": "spacy.spancat_scorer.v1"}
    assert scorer_of(nlp, "ner") == {"@scorers": "spacy.ner_scorer.v1"}
    assert scorer_of(nlp, "sentencizer") == untouched
    doc = nlp.make_doc("Take aspirin")
    gold = doc.copy()
    gold.ents = [Span(gold, 1, 2, "DRUG")]
    assert "ents_strict_f" in nlp.get_pipe("entity_ruler").score([Example(doc, gold)])


def test_base_is_kept_as_it_was_set():
    nlp = spacy.blank("en")
    base = {"@scorers": "spacy.overlapping_labeled_spans_scorer.v1", "spans_key": "x"}
    nlp.add_pipe("span_ruler", config={"scorer": {"@scorers": SPANCAT, "spans_key": "x", "base": base}})
    restore_stock_scorers(nlp)
    assert scorer_of(nlp, "span_ruler") == base


# Run where no entry point of this package is seen, as where it is not installed.
WITHOUT_US = """
import importlib.metadata as m
import sys
installed = m.distributions
m.distributions = lambda **kw: (d for d in installed(**kw) if d.metadata["Name"] != "spacy-semeval")
import spacy
stock = {"components": {"entity_ruler": {"scorer": {"@scorers": "spacy.entity_ruler_scorer.v1"}}}}
try:
    nlp = spacy.load(sys.argv[1], config=stock if "--replace" in sys.argv else {})
except ValueError as error:
    sys.exit(f"E893: {'spacy-semeval.ner_scorer.v1' in str(error)}")
print([(e.text, e.label_) for e in nlp("Take aspirin").ents], "spacy_semeval" in sys.modules)
"""


def load_without_us(*args):
    return subprocess.run([sys.executable, "-c", WITHOUT_US, *args], capture_output=True, text=True, check=False)


def test_a_restored_model_loads_where_this_package_is_not_installed(tmp_path):
    nlp = spacy.blank("en")
    ruler = nlp.add_pipe("entity_ruler", config={"scorer": {"@scorers": NER}})
    ruler.add_patterns([{"label": "DRUG", "pattern": "aspirin"}])
    nlp.to_disk(tmp_path / "ours")
    assert "E893: True" in load_without_us(tmp_path / "ours").stderr
    assert "aspirin" in load_without_us(tmp_path / "ours", "--replace").stdout
    restore_stock_scorers(nlp).to_disk(tmp_path / "stock")
    done = load_without_us(tmp_path / "stock")
    assert done.stdout.strip() == "[('aspirin', 'DRUG')] False", done.stderr
