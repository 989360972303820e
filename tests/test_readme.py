import configparser

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
