"""The corpus that the project ships."""

import json
from collections import Counter

import pytest
import spacy
from pages import ROOT
from tasks import read_prodigy

from spacy_semeval import score_spans
from spacy_semeval.formats.docbin import DocMaker

TRAIN, DEV = (ROOT / "assets" / f"medicines_{part}.jsonl" for part in ("train", "dev"))
LABELS = {"BRAND", "DOSE", "DRUG", "GROUP"}


def records(path):
    return [json.loads(line) for line in path.read_text("utf8").split("\n") if line]


@pytest.mark.parametrize("path", [TRAIN, DEV], ids=["train", "dev"])
def test_every_offset_fits_its_tokens(path):
    for record in records(path):
        text, tokens = record["text"], record["tokens"]
        assert "".join(t["text"] + " " * t["ws"] for t in tokens).rstrip() == text.rstrip()
        assert [t["id"] for t in tokens] == list(range(len(tokens)))
        assert all(text[t["start"] : t["end"]] == t["text"] for t in tokens)
        for span in record.get("spans", []):
            assert span["label"] in LABELS
            assert span["start"] == tokens[span["token_start"]]["start"]
            assert span["end"] == tokens[span["token_end"]]["end"]


@pytest.mark.parametrize("path", [TRAIN, DEV], ids=["train", "dev"])
def test_spans_fit_doc_ents(path):
    for annotator in ("ana", "ben", "chloe") if path == DEV else ("ana",):
        maker = DocMaker(spacy.blank("en"))
        docs = maker.make_all(read_prodigy(path, annotator))
        assert (maker.misaligned, maker.overlapping) == ([], [])
        assert len(docs) >= 90


def test_sizes_and_labels():
    train, dev = read_prodigy(TRAIN).records, read_prodigy(DEV, "ana").records
    assert (len(train), len(dev)) == (294, 98)
    assert len({record.text for record in train + dev}) == 392
    for part in (train, dev):
        counts = Counter(label for record in part for _, _, label in record.spans)
        assert set(counts) == LABELS
        assert min(counts.values()) >= 30
        assert sum(not record.spans for record in part) >= 15
    assert any(ord(char) > 0xFFFF for record in train for char in record.text)


def test_three_annotators_disagree_and_agree():
    by_text = {name: {r.text: r.spans for r in read_prodigy(DEV, name).records} for name in ("ana", "ben", "chloe")}
    for one, other in (("ana", "ben"), ("ana", "chloe"), ("ben", "chloe")):
        shared = sorted(by_text[one].keys() & by_text[other].keys())
        assert len(shared) >= 90
        f = score_spans([by_text[one][t] for t in shared], [by_text[other][t] for t in shared]).overall
        assert 0.6 < f["strict"].f < 0.9
        assert f["strict"].f < f["exact"].f < f["partial"].f
        assert f["strict"].f < f["type"].f


def test_hashes_are_those_of_the_input():
    rows = records(TRAIN) + records(DEV)
    by_text = {}
    for row in rows:
        by_text.setdefault(row["text"], set()).add(row["_input_hash"])
    assert all(len(hashes) == 1 for hashes in by_text.values())
    assert len(set.union(*by_text.values())) == len(by_text)
