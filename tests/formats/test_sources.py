import gzip
import io
import os
import threading

import pytest

from spacy_semeval import SemevalError
from spacy_semeval.formats import sources
from spacy_semeval.formats.sources import open_source

CONTENT = "{1}\n\n  \r\n{2 \u2028\x85}\r\n{3}".encode()
LINES = [(1, b"{1}"), (4, "{2 \u2028\x85}".encode()), (5, b"{3}")]


@pytest.fixture
def file(tmp_path):
    def file(content, name="data.jsonl"):
        path = tmp_path / name
        path.write_bytes(content)
        return path

    return file


@pytest.mark.parametrize("content", [CONTENT, b"\xef\xbb\xbf" + CONTENT, gzip.compress(CONTENT)])
def test_lines_of_a_file(file, content):
    source = open_source(file(content))
    assert (list(source.lines()), list(source.lines())) == (LINES, LINES)
    assert (source.name, source.path) == (str(file(content)), file(content))


@pytest.mark.parametrize("content", [CONTENT, gzip.compress(CONTENT)])
def test_standard_input_can_be_read_again(monkeypatch, content):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(content)))
    source = open_source("-")
    assert (list(source.lines()), list(source.lines())) == (LINES, LINES)
    assert (source.name, source.path) == ("standard input", None)


def test_standard_input_can_be_read_again_after_a_part(monkeypatch):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(CONTENT)))
    source = open_source("-")
    assert next(iter(source.lines())) == LINES[0]
    assert list(source.lines()) == LINES


def test_a_pipe_can_be_read_again(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=(CONTENT,))
    writer.start()
    source = open_source(pipe)
    assert (list(source.lines()), list(source.lines())) == (LINES, LINES)
    writer.join()


@pytest.mark.parametrize("line", [b"x" * 101, b" " * 101 + b"\n"])
def test_a_line_that_is_too_long(monkeypatch, file, line):
    monkeypatch.setattr(sources, "LONGEST_LINE", 100)
    assert list(open_source(file(b"x" * 99 + b"\n" + b"x" * 100)).lines())
    with pytest.raises(SemevalError, match="data.jsonl, line 2: longer than"):
        list(open_source(file(b"{1}\n" + line)).lines())


def test_a_line_that_is_too_long_is_not_read_whole(monkeypatch, tmp_path):
    with (tmp_path / "holes.jsonl").open("wb") as holes:
        holes.truncate(10**12)
    with pytest.raises(SemevalError, match="line 1: longer than 100 MB"):
        list(open_source(tmp_path / "holes.jsonl").lines())


@pytest.mark.parametrize(
    "content", [gzip.compress(CONTENT)[:-9], gzip.compress(CONTENT)[:12], gzip.compress(CONTENT)[:10] + b"\xff" * 40]
)
def test_a_broken_gzip_file(file, content):
    with pytest.raises(SemevalError, match="Can't read .*data.jsonl"):
        list(open_source(file(content)).lines())


def test_what_is_no_file(tmp_path):
    for path, said in (
        (tmp_path, "directory"),
        (tmp_path / "absent", "Can't find"),
        ("a" * 5000, "Can't read"),
        ("a\0b", "a"),
    ):
        with pytest.raises(SemevalError, match=said):
            list(open_source(path).lines())


def test_a_closed_standard_input(monkeypatch):
    monkeypatch.setattr("sys.stdin", None)
    with pytest.raises(SemevalError, match="standard input: it is closed"):
        open_source("-")


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_other_encodings(file, encoding):
    content = "\ufeff{}" if encoding.endswith("e") else "{}"
    with pytest.raises(SemevalError, match="data.jsonl is in UTF-16 or UTF-32. Save it as UTF-8"):
        list(open_source(file(content.encode(encoding))).lines())


def test_a_name_without_letters():
    with pytest.raises(SemevalError, match="Can't find a file without a name"):
        open_source("")


@pytest.mark.parametrize(
    ("content", "said"), [(b"PAR1\x15\x04\x15", "a parquet file"), (b"PK\x03\x04\x14", "a zip archive")]
)
def test_files_that_hold_no_lines(tmp_path, content, said):
    path = tmp_path / "data.jsonl"
    path.write_bytes(content)
    with pytest.raises(SemevalError, match=f"data.jsonl is {said}.*which is not read"):
        list(open_source(path).lines())


def test_a_gene_is_no_parquet_file(tmp_path):
    path = tmp_path / "genes.conll"
    path.write_bytes(b"PAR1 B-GENE\n")
    assert list(open_source(path).lines()) == [(1, b"PAR1 B-GENE")]
