import os
import stat
from pathlib import Path

import pytest

from spacy_semeval import SemevalError
from spacy_semeval.cli.guard import blame, whole_file, whole_files, writing


def test_an_output_takes_its_place_when_all_went_well(tmp_path):
    path = tmp_path / "out.json"
    path.write_text("old", "utf8")
    with whole_file(path) as file:
        file.write_text("new", "utf8")
        assert path.read_text("utf8") == "old"
    assert path.read_text("utf8") == "new"
    assert os.listdir(tmp_path) == ["out.json"]
    mask = os.umask(0)
    os.umask(mask)
    assert stat.S_IMODE(path.stat().st_mode) == 0o666 & ~mask


def test_a_failure_leaves_nothing_behind(tmp_path):
    with pytest.raises(ZeroDivisionError), whole_file(tmp_path / "out.json") as file:
        file.write_text(str(1 / 0), "utf8")
    assert os.listdir(tmp_path) == []


def test_a_link_is_followed(tmp_path):
    (tmp_path / "real.json").write_text("old", "utf8")
    (tmp_path / "link.json").symlink_to(tmp_path / "real.json")
    with whole_file(tmp_path / "link.json") as file:
        file.write_text("new", "utf8")
    assert (tmp_path / "link.json").is_symlink()
    assert (tmp_path / "real.json").read_text("utf8") == "new"


def test_a_device_is_written_not_replaced(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with whole_file(tmp_path / "pipe") as file:
        assert file == tmp_path / "pipe"
    with whole_file(None) as file:
        assert file is None


def test_outputs_that_cannot_be_written(tmp_path):
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    paths = {"/dev/stdout": "name a file", "/proc/self/fd/1": "name a file", tmp_path / "loop": "loop"}
    for path, said in paths.items():
        with pytest.raises(SemevalError, match=f"(?i){said}"), whole_file(Path(path)):
            pass
    with pytest.raises(SemevalError, match="is an input"), whole_file(tmp_path / "in", tmp_path / "x" / ".." / "in"):
        pass


def test_a_part_of_an_input_is_not_written_over(tmp_path):
    (tmp_path / "model").mkdir()
    (tmp_path / "model" / "config.cfg").write_text("old", "utf8")
    with (
        pytest.raises(SemevalError, match="a part of one"),
        whole_file(tmp_path / "model" / "config.cfg", tmp_path / "model"),
    ):
        pass
    with whole_file(tmp_path / "model" / "new.json", tmp_path / "model") as file:
        file.write_text("new", "utf8")
    assert sorted(os.listdir(tmp_path / "model")) == ["config.cfg", "new.json"]


def test_the_mode_of_an_output_is_kept(tmp_path):
    path = tmp_path / "out.json"
    path.write_text("old", "utf8")
    path.chmod(0o600)
    with whole_file(path) as file:
        file.write_text("new", "utf8")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_foreign_errors_become_messages():
    with pytest.raises(SemevalError, match="Can't do it: KeyError: 'x'"), blame("Can't do it"):
        {}["x"]
    with pytest.raises(SemevalError, match="^own$"), blame("Can't do it"):
        raise SemevalError("own")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has a device that is always full")
def test_the_file_that_failed_is_named(tmp_path, run, jsonl):
    full = Path("/dev/full")
    with (
        pytest.raises(SemevalError, match="Can't write /dev/full: No space left"),
        whole_file(tmp_path / "a"),
        writing(full),
    ):
        full.write_bytes(b"x")
    path = jsonl()
    for option in ("-o", "--errors"):
        code, out = run("semeval", "score", path, path, option, "/dev/full", "--missing", "skip")
        assert (code, "Can't write /dev/full" in out) == ((1, True) if option == "-o" else (0, False))
    assert os.listdir(tmp_path) == [path.name]


def test_a_name_that_is_too_long(tmp_path):
    with pytest.raises(SemevalError, match="Can't write .*too long"), whole_file(tmp_path / ("x" * 300)):
        pass
    with whole_file(tmp_path / ("x" * 250)) as file:
        file.write_text("x", "utf8")
    assert os.listdir(tmp_path) == ["x" * 250]


def test_an_input_is_no_folder(tmp_path):
    path = tmp_path / "data.jsonl"
    path.write_text("{}", "utf8")
    said = "data.jsonl: it is an input or another output, and no folder"
    with pytest.raises(SemevalError, match=said), whole_files(path, ["pairs.csv"], path):
        pass
    assert path.read_text("utf8") == "{}"
