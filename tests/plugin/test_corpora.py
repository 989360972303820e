import gzip
import json

import pytest
import spacy
from confection import ConfigValidationError
from prodigy_db import make_database
from spacy.training import Example
from tasks import task
from thinc.api import Config

ROWS = [
    task("Take aspirin daily. Or warfarin."),
    {"text": "Nothing here", "answer": "accept", "_session_id": "s-ben"},
    {"text": "", "answer": "accept"},
    task("Codeine", ((0, 7, "DRUG"),), answer="reject"),
]


@pytest.fixture
def path(tmp_path):
    file = tmp_path / "data.jsonl"
    file.write_text("\n".join(map(json.dumps, ROWS)), "utf8")
    return file


def reader(path, reader="spacy-semeval.ProdigyCorpus.v1", **settings):
    return spacy.registry.resolve({"corpus": {"@readers": reader, "path": path, **settings}})["corpus"]


def ents(examples):
    return [[(e.text, e.label_) for e in eg.reference.ents] for eg in examples]


def test_examples(path, nlp):
    examples = list(reader(str(path))(nlp))
    assert all(isinstance(eg, Example) for eg in examples)
    assert ents(examples) == [[("aspirin", "DRUG")], []]
    assert [len(eg.predicted.ents) for eg in examples] == [0, 0]


def test_a_folder_is_read(path, nlp):
    (path.parent / "more.jsonl").write_text(path.read_text("utf8"), "utf8")
    assert len(list(reader(path.parent)(nlp))) == 4


def test_arguments_of_spacys_corpus(path, nlp):
    assert [len(list(reader(path, limit=limit)(nlp))) for limit in (1, 0, -1)] == [1, 2, 2]
    assert ents(reader(path, max_length=5)(nlp)) == [[]]
    assert len(list(reader(path, gold_preproc=True)(nlp))) == 2
    assert len(list(reader(path, gold_preproc=False, max_length=0, limit=0, augmenter=None)(nlp))) == 2
    twice = reader(path)
    twice.augmenter = lambda nlp, eg: [eg, eg]
    assert len(list(twice(nlp))) == 4


def test_a_config_switches_by_its_reader_alone(path, nlp):
    text = """
    [corpora]

    [corpora.train]
    @readers = "spacy.Corpus.v1"
    path = null
    gold_preproc = false
    max_length = 0
    limit = 0
    augmenter = null
    """
    overrides = {"corpora.train.@readers": "spacy-semeval.ProdigyCorpus.v1", "corpora.train.path": str(path)}
    config = Config().from_str(text, overrides=overrides)
    assert len(list(spacy.registry.resolve(config)["corpora"]["train"](nlp))) == 2


def test_settings_reach_the_reader(path, nlp):
    assert ents(reader(path, annotator="ben")(nlp)) == [[]]
    (first, *_) = reader(path, spans_key="sc")(nlp)
    assert [span.text for span in first.reference.spans["sc"]] == ["aspirin"]
    cut = task("Take aspirin", ((6, 12, "DRUG"),))
    path.write_text(json.dumps(cut), "utf8")
    with pytest.raises(ConfigValidationError, match=r"--on-misaligned.*\(in a config: on_misaligned\)"):
        list(reader(path)(nlp))
    assert ents(reader(path, on_misaligned="expand")(nlp)) == [[("aspirin", "DRUG")]]


def test_what_is_left_out_is_said_once(path, nlp, caplog, monkeypatch):
    monkeypatch.setattr(spacy.util.logger, "propagate", True)
    corpus = reader(path)
    for _ in range(2):
        list(corpus(nlp))
    assert [record.getMessage() for record in caplog.records] == [
        f"{path}: Left out, records with the answer reject: 1",
        f"{path}: Left out, records without a text: 1",
    ]


def test_a_file_is_read_whatever_its_name(path, nlp):
    other = path.rename(path.with_suffix(".spacy"))
    assert len(list(reader(other)(nlp))) == 2
    other.write_bytes(b"x\x9c")
    with pytest.raises(ConfigValidationError, match="line 1"):
        list(reader(other)(nlp))


def test_bad_settings_fail_when_the_config_is_resolved(path):
    with pytest.raises(ConfigValidationError, match="no path"):
        reader(None)
    with pytest.raises(ConfigValidationError, match="can't find"):
        reader(path.with_name("absent.jsonl"))
    for setting in ("on_misaligned", "on_overlap"):
        with pytest.raises(ConfigValidationError, match=setting):
            reader(path, **{setting: "guess"})


def test_a_dataset_of_the_database(nlp, tmp_path):
    database = make_database(tmp_path / "prodigy.db", {"news/ner": ROWS})
    text = (
        f'[corpus]\n@readers = "spacy-semeval.ProdigyCorpus.v1"\npath = "prodigy:news/ner"\nprodigy_db = "{database}"\n'
    )
    corpus = spacy.registry.resolve(Config().from_str(text))["corpus"]
    assert ents(corpus(nlp)) == [[("aspirin", "DRUG")], []]
    with pytest.raises(ConfigValidationError, match="has no dataset 'x'"):
        list(reader("prodigy:x", prodigy_db=database)(nlp))


def test_a_gzipped_file(path, nlp):
    packed = path.with_suffix(".jsonl.gz")
    packed.write_bytes(gzip.compress(path.read_bytes()))
    assert len(list(reader(packed)(nlp))) == 2
