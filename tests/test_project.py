"""The configs and the project file."""

import json
import subprocess
import sys

import pytest
import spacy
import srsly
from pages import ROOT
from spacy.util import load_config

CONFIGS = ["default", "spancat"]


def spacy_cli(*args):
    command = [sys.executable, "-m", "spacy", *map(str, args)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize("name", CONFIGS)
def test_configs_are_complete(name):
    config = load_config(ROOT / "configs" / f"{name}.cfg")
    nlp = spacy.util.load_model_from_config(config, auto_fill=False)
    assert nlp.pipe_names == config["nlp"]["pipeline"]
    filled = spacy.util.load_model_from_config(config, auto_fill=True).config
    for section, settings in filled.items():
        assert set(settings) == set(config[section]), section


@pytest.mark.parametrize("name", CONFIGS)
def test_configs_train(name, tmp_path):
    readers = ["--corpora.train.@readers", "spacy-semeval.ProdigyCorpus.v1"] if name == "default" else []
    dev = ROOT / "assets" / "medicines_dev.jsonl"
    if name == "default":
        spacy_cli("semeval", "convert", dev, tmp_path / "dev.spacy", "--annotator", "ana")
    out = spacy_cli(
        *("train", f"configs/{name}.cfg", "--output", tmp_path / "out"),
        *("--paths.train", "assets/medicines_train.jsonl", *readers),
        *("--paths.dev", tmp_path / "dev.spacy" if name == "default" else dev),
        *([] if name == "default" else ["--corpora.dev.annotator", "ana"]),
        *("--training.max_steps", 4, "--training.eval_frequency", 2),
    )
    for word in ("STRICT", "PARTIAL", "DRUG", "F per label"):
        assert word in out
    assert "No component returns" not in out
    meta = json.loads((tmp_path / "out" / "model-best" / "meta.json").read_text("utf8"))
    attr = "ents" if name == "default" else "spans_sc"
    assert set(meta["performance"][f"{attr}_partial_per_type"]) == {"BRAND", "DOSE", "DRUG", "GROUP"}
    if name == "spancat":
        shown = spacy_cli(
            "semeval", "evaluate", tmp_path / "out" / "model-best", dev, "--annotator", "ben", "-sk", "sc"
        )
        assert "SemEval schemas (spans_sc)" in shown


def test_the_workflow_has_its_steps():
    project = srsly.read_yaml(ROOT / "project.yml")
    steps = project["workflows"]["evaluate"]
    commands = {command["name"]: command for command in project["commands"]}
    assert steps == ["convert-train", "convert-dev", "train", "evaluate-dev", "report"]
    assert "evaluate" not in commands
    assert commands["evaluate-dev"]["outputs"] == ["metrics/dev.json"]
    assert commands["score"]["outputs"] == ["metrics/second_annotator.json", "metrics/second_annotator.jsonl"]
    assert "--pred-annotator ben" in spacy_cli("project", "run", "score", "--dry")
    # Without outputs it is never skipped, so a rerun shows the report again.
    assert "outputs" not in commands["report"]
    assert "nothing changed" not in spacy_cli("project", "run", "report", "--dry")
