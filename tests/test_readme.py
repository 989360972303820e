import configparser
import os
import subprocess
import sys
from pathlib import Path

import pytest
from pages import ROOT, blocks, run_examples

README = (ROOT / "README.md").read_text("utf8")


def test_the_two_lines_come_first():
    first, second = blocks("README.md", "bash")[:2]
    assert first == (
        "python -m venv .venv && .venv/bin/pip install . && .venv/bin/python -m spacy project run evaluate\n"
    )
    assert second == 'python -m venv .venv && .venv/bin/pip install -e ".[dev]" && .venv/bin/python -m pytest\n'
    assert README.index(first) < README.index(second) < README.index("```ini")


def test_examples_of_the_page():
    tried, failed = run_examples("README.md")
    assert tried >= 15
    assert failed == 0


def test_every_registered_function_is_described():
    setup = configparser.ConfigParser()
    setup.read(ROOT / "setup.cfg", "utf8")
    names = [
        line.split(" = ")[0]
        for group, lines in setup["options.entry_points"].items()
        if group.startswith("spacy_") and not group.startswith(("spacy_semeval_", "spacy_cli"))
        for line in lines.strip().splitlines()
    ]
    assert len(names) == 5
    for name in names:
        assert f"**`{name}`**" in README


@pytest.mark.parametrize("command", ["evaluate", "score", "agreement", "datasets", "convert", "report"])
def test_every_option_of_a_command_is_described(command):
    from spacy.cli import app
    from typer.main import get_command

    import spacy_semeval.cli.app  # noqa: F401  (adds the commands, as the entry point does)

    parameters = get_command(app).commands["semeval"].commands[command].params
    options = [option for parameter in parameters for option in parameter.opts if option.startswith("--")]
    for option in options:
        if option != "--help":
            assert option in README


@pytest.mark.parametrize("command", ["score", "agreement"])
def test_shown_output_is_real(command, tmp_path, monkeypatch):
    from spacy.cli import app
    from typer.testing import CliRunner

    import spacy_semeval.cli.app  # noqa: F401  (adds the commands, as the entry point does)

    start = f"```bash\npython -m spacy semeval {command} assets/"
    line, shown = README[README.index(start) :].split("```\n")[:3:2]
    arguments = line.splitlines()[1].split()[3:]
    (tmp_path / "metrics").mkdir()
    (tmp_path / "assets").symlink_to(ROOT / "assets")
    monkeypatch.chdir(tmp_path)
    assert CliRunner().invoke(app, arguments).output.strip("\n") == shown.strip("\n")


def test_files_of_the_chapter_on_formats(tmp_path):
    script, more = (block for block in blocks("README.md", "bash") if "gold.conll" in block)
    env = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}

    def printed(script):
        return subprocess.run(
            ["bash", "-ec", script], cwd=tmp_path, env=env, capture_output=True, text=True, check=True
        ).stdout

    shown = README[README.index(script) :].split("```\n")[2]
    assert printed(script).startswith("\n" + shown)
    said = printed(more)
    _, _, tables, _, report = README[README.index(more) :].split("```\n")[:5]
    assert tables in said
    assert said.endswith(report)


def test_every_format_is_described():
    from spacy_semeval.formats.choosing import all_formats

    chapter = README[README.index("## Other formats") :]
    for name, format in all_formats().items():
        row = next(line for line in chapter.splitlines() if line.startswith(f"| {name} |"))
        assert all(f"`{ending}`" in row for ending in format.endings if ending not in (".yaml", ".yml", ".jsonl.gz"))


def test_task_of_the_chapter_on_adjudication(tmp_path):
    import json

    from spacy.cli import app
    from typer.testing import CliRunner

    path = tmp_path / "t.jsonl"
    CliRunner().invoke(
        app, ["semeval", "agreement", str(ROOT / "assets" / "medicines_dev.jsonl"), "--tasks", str(path)]
    )
    made = [json.loads(line)["meta"] for line in path.read_text("utf8").splitlines()]
    shown = next(line for line in README.splitlines() if '"versions": "ana' in line)
    assert json.loads(shown) in made
