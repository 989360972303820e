"""Records as Prodigy writes them, for tests."""

from spacy_semeval.formats import prodigy
from spacy_semeval.formats.sources import open_source


def read_prodigy(path, annotator=None):
    return prodigy.read_prodigy(open_source(path), annotator)


def task(text="Take aspirin daily", spans=((5, 12, "DRUG"),), **more):
    """An accepted record of a manual interface."""
    return {"text": text, "spans": [dict(start=a, end=b, label=c) for a, b, c in spans], "answer": "accept", **more}
