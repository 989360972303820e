import os

import catalogue
import pytest
import spacy
from hypothesis import HealthCheck, settings
from spacy.tokens import Doc, DocBin, Span
from spacy.vocab import Vocab

# FUZZ=2000 python -m pytest -m fuzz looks much longer for a counterexample.
settings.register_profile(
    "default",
    max_examples=int(os.environ.get("FUZZ", "60")),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("default")


@pytest.fixture(autouse=True)
def _same_registries_for_every_test():
    before = set(catalogue.REGISTRY)
    yield
    for name in set(catalogue.REGISTRY) - before:
        if name[0] == "spacy_semeval":
            del catalogue.REGISTRY[name]


@pytest.fixture
def lost_label(nlp):
    """A Doc whose one span, under "sc", has a label that is not among the strings of its vocab."""
    doc = Doc(nlp.vocab, words=["Take", "aspirin", "or", "warfarin", "daily"])
    doc.spans["sc"] = [Span(doc, 0, 1, label="LOST_AND_GONE")]
    saved = DocBin(docs=[doc])
    saved.strings.discard("LOST_AND_GONE")
    return next(saved.get_docs(Vocab()))


@pytest.fixture(scope="session")
def nlp():
    return spacy.blank("en")
