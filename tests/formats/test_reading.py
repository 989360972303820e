import json

import pytest
from tasks import task

from spacy_semeval import SemevalError, read_spans, score_spans


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps(task("Take aspirin", [(5, 12, "DRUG")])), "utf8")
    return path


def test_spans_can_be_scored(path):
    dataset = read_spans(path)
    assert dataset.spans == [((5, 12, "DRUG"),)]
    assert score_spans(dataset.spans, dataset.spans).overall["strict"].cor == 1


def test_bad_options(path):
    with pytest.raises(SemevalError, match="Unknown option of a reader.*Available: annotator, annotator_key"):
        read_spans(path, nonsense=1)
    with pytest.raises(SemevalError, match="tag_scheme is for the formats bio, conll, but the data is prodigy"):
        read_spans(path, tag_scheme="IO")
    with pytest.raises(SemevalError, match="Can't find nowhere"):
        read_spans("nowhere")
    with pytest.raises(SemevalError, match="Unknown format 'csv'. Available: bio"):
        read_spans(path, "csv")
