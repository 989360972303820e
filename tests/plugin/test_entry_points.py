import pytest
import spacy

from spacy_semeval import registry

REGISTERED = [
    ("callbacks", "spacy-semeval.restore_scorers.v1"),
    ("loggers", "spacy-semeval.ConsoleLogger.v1"),
    ("readers", "spacy-semeval.ProdigyCorpus.v1"),
    ("scorers", "spacy-semeval.ner_scorer.v1"),
    ("scorers", "spacy-semeval.spancat_scorer.v1"),
]


@pytest.mark.parametrize(("kind", "name"), REGISTERED)
def test_spacy_finds(kind, name):
    assert callable(getattr(spacy.registry, kind).get(name))


def test_our_registries_find():
    assert set(registry.schemas.get_all()) >= {"strict", "exact", "partial", "type"}
    assert "optimal.v1" in registry.aligners.get_all()
