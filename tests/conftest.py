import os

import catalogue
import pytest
import spacy
from hypothesis import HealthCheck, settings

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


@pytest.fixture(scope="session")
def nlp():
    return spacy.blank("en")
