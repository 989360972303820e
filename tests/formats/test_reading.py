import json
import re

import pytest
from tasks import task

from spacy_semeval import SemevalError, read_spans, score_spans
from spacy_semeval.errors import SettingsError


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


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"repair": "yes"}, "Unknown value of repair: 'yes'. Available: None, 'conlleval'."),
        ({"repair": True}, "Unknown value of repair: True"),
        ({"unmatched": "skip"}, "Unknown value of unmatched: 'skip'. Available: 'error', 'spurious', 'drop'."),
        ({"offsets": "utf8"}, "Unknown value of offsets: 'utf8'"),
        ({"parts": None}, "Unknown value of parts: None"),
        ({"unseen": "no"}, "Unknown value of unseen: 'no'"),
        ({"fold": "yes"}, "Expected fold to be True or False, but got 'yes'."),
        ({"is_gold": 1}, "Expected is_gold to be True or False"),
        ({"annotator": 5}, "Expected annotator to be a string or None, but got 5."),
        ({"tag_scheme": 5}, "Expected tag_scheme to be a string or None"),
        ({"texts": 5}, "Expected texts to be a path or None"),
        ({"nope": 5}, "Unknown option of a reader: 'nope'. Available: annotator, annotator_key"),
        ({"option": "--x"}, "Unknown option of a reader: 'option'"),
    ],
)
def test_options_are_checked(tmp_path, options, said):
    path = tmp_path / "gold.conll"
    path.write_text("Ada B-PER\n", "utf8")
    with pytest.raises(SettingsError, match=re.escape(said)):
        read_spans(path, **options)


@pytest.mark.parametrize("where", [None, 5, [], b"gold.conll"])
def test_what_is_no_path(where):
    with pytest.raises(SemevalError, match="Expected a path or a name as a string"):
        read_spans(where)
