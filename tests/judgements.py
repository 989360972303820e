"""Judgements brought together, for tests."""

from spacy_semeval.agreement import corpus


def gather(judgements, **settings):
    """All that these annotators said."""
    judgements = list(judgements)
    return corpus.gather(judgements, {judgement.annotator for judgement in judgements}, **settings)
