import gzip
import json
import os
import subprocess
import sys

import pytest

from spacy_semeval import registry
from spacy_semeval.errors import SemevalError, SettingsError
from spacy_semeval.formats.base import FileReader, Format, ReadOptions, Record
from spacy_semeval.formats.choosing import all_formats, find_format, open_any, refuse_unused

SPAN = {"label": "A", "start": 0, "end": 1}
LISTS = [[SPAN], []]
RECORD = {"text": "ab", "spans": [SPAN]}
CONLL = b"Ada B-PER\nmet O\n"


@pytest.fixture
def found(tmp_path):
    def found(name, content, *args):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
        return find_format(open_any(path), *args).name

    return found


def test_the_formats():
    names = ["bio", "conll", "docbin", "eval4ner", "nervaluate", "potato", "prodigy", "spans"]
    assert list(all_formats()) == names


@pytest.mark.parametrize(
    ("name", "content", "format"),
    [
        ("a.jsonl", RECORD, "prodigy"),
        ("a.jsonl", {"text": "ab"}, "prodigy"),
        ("a.jsonl", RECORD | {"answer": "accept", "id": 1}, "prodigy"),
        ("a.jsonl.gz", gzip.compress(json.dumps(RECORD).encode()), "prodigy"),
        ("a.jsonl", b"no JSON", "prodigy"),
        ("a.jsonl", b"", "prodigy"),
        ("a.txt", RECORD, "prodigy"),
        ("a.txt", CONLL, "conll"),
        ("a.tsv", CONLL, "conll"),
        ("a.CONLL", b"whatever it holds", "conll"),
        ("a.spacy", b"whatever it holds", "docbin"),
        ("a.jsonl", RECORD | {"id": 1}, "spans"),
        ("a.jsonl", {"id": 1, "entities": [SPAN]}, "spans"),
        ("a.json", [{"text": "ab", "entities": [SPAN]}], "spans"),
        ("a.json", [{"text": "ab", "entities": [["A", "a"]]}], "eval4ner"),
        ("a.json", [["O", "B-A"], []], "bio"),
        ("a.json", b'\xef\xbb\xbf [\n ["O",\n  "B-A"]\n]', "bio"),
        ("a.jsonl", {"instance_id": 1, "user_id": "u"}, "potato"),
        ("a.csv", b"whatever it holds", "potato"),
        ("a.tsv", b"user_id,instance_id\n", "potato"),
        ("user_state.json", {"instance_id_to_span_to_value": {}}, "potato"),
    ],
)
def test_name_and_content_say_it(found, name, content, format):
    assert found(name, content) == format


def test_a_folder_is_of_potato(tmp_path):
    assert find_format(open_any(tmp_path)).name == "potato"


@pytest.mark.parametrize(
    ("content", "fits"),
    [
        (LISTS, "nervaluate, spans"),
        ([[]], "bio, nervaluate, spans"),
        ([{"text": "ab", "entities": []}], "eval4ner, spans"),
    ],
)
def test_what_fits_several_is_refused(found, content, fits):
    with pytest.raises(SemevalError) as raised:
        found("a.json", content, None, "--gold-format")
    assert f"may be of several formats: {fits}. Name the right one with --gold-format." in str(raised.value)
    assert ("Mind the ends" in str(raised.value)) == ("nervaluate" in fits)
    assert found("a.json", content, "nervaluate") == "nervaluate"


def test_what_fits_none_is_refused(found):
    with pytest.raises(SemevalError, match="none of bio, eval4ner, nervaluate, potato, spans by its content"):
        found("a.json", {"a": 1})


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        (b"", "a.json is empty."),
        (b" \n", "a.json is empty."),
        (b"[]", "a.json holds no document."),
        (b'[{"text": "a", "spans": [}]', "a.json is not valid JSON: Expecting value"),
        (b'[{"a": 1}, {', "a.json is not valid JSON: Expecting"),
        (b"[" * 100_000, "a.json is not valid JSON: it is nested too deeply"),
        (b'{"a": 1}\n{"a": 2}', "Can't tell the format"),
        (b'[{"a": 1, "b": "' + b"b" * 2_000_000 + b'"}]', "Can't tell the format"),
        (b"some words", "Can't tell the format"),
    ],
)
def test_what_holds_nothing_or_is_broken(found, content, fault):
    with pytest.raises(SemevalError, match=fault):
        found("a.json", content)


def test_long_files_are_looked_at_in_part(found):
    assert found("a.json", [["O"] * 3000] * 100 + [["O", "B-A"]]) == "bio"


def test_unknown_names_list_the_known_ones(found):
    with pytest.raises(SettingsError, match="Unknown format 'csv'. Available: bio, conll, docbin, eval4ner"):
        found("a.json", LISTS, "csv")


class Shouts(FileReader):
    def records(self):
        for line, raw in self.source.lines():
            yield Record(raw.decode(), ((0, 1, "A"),), line)


SHOUTING = """
from spacy_semeval.formats.base import FileReader, Format, Record

class Shouts(FileReader):
    def records(self):
        for line, raw in self.source.lines():
            yield Record(raw.decode(), ((0, 1, "A"),), line)

shout = Format((".shout",), lambda head: head.startswith(b"!"), Shouts)
"""
SHOUTS = Format((".shout",), lambda head: head.startswith(b"!"), Shouts)


def test_another_one_is_registered(found):
    registry.formats.register("shout", func=SHOUTS)
    assert found("a.shout", b"hello") == "shout"
    assert found("a.txt", b"!hello") == "shout"


def test_another_package_adds_one(tmp_path):
    """As an installed package does, with an entry point in its metadata; the command finds it."""
    info = tmp_path / "site" / "shouting-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: shouting\nVersion: 1.0\n", "utf8")
    (info / "entry_points.txt").write_text("[spacy_semeval_formats]\nshout = shouting:shout\n", "utf8")
    (tmp_path / "site" / "shouting.py").write_text(SHOUTING, "utf8")
    (tmp_path / "a.shout").write_text("hello\n", "utf8")
    env = {**os.environ, "PYTHONPATH": str(tmp_path / "site")}
    command = [sys.executable, "-m", "spacy", "semeval", "score", "a.shout", "a.shout", "-o", "m.json"]
    done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    saved = json.loads((tmp_path / "m.json").read_text("utf8"))
    assert (saved["overall"]["strict"]["cor"], saved["settings"]["inputs"]["gold_format"]) == (1, "shout")


def test_what_is_registered_has_to_be_a_format(found, monkeypatch):
    monkeypatch.setattr(registry.formats, "get_all", lambda: {"odd": print})
    with pytest.raises(SettingsError, match="registered as format 'odd' is no Format"):
        found("a.json", LISTS)

    def broken():
        raise ImportError("no module named nowhere")

    monkeypatch.setattr(registry.formats, "get_all", broken)
    with pytest.raises(SettingsError, match="can't be loaded: ImportError: no module named nowhere"):
        found("a.json", LISTS)


def test_options_that_a_format_does_not_use(found, tmp_path):
    named = find_format(open_any(tmp_path))
    refuse_unused(ReadOptions(annotator="ana"), [named], {"annotator": "--annotator"})
    refuse_unused(ReadOptions(), [named], {"tag_scheme": "--tag-scheme"})
    with pytest.raises(SettingsError, match="--tag-scheme is for the formats bio, conll, but the data is potato"):
        refuse_unused(ReadOptions(tag_scheme="IO"), [named], {"tag_scheme": "--tag-scheme"})
