"""Real processes: what only the installed entry points can show."""

import os
import subprocess
import sys


def spacy(*args, **env):
    command = [sys.executable, "-m", "spacy", *map(str, args)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, **env})
    return done.returncode, done.stdout, done.stderr


def test_the_group_is_there():
    code, out, _ = spacy("semeval", "--help")
    assert code == 0
    for command in ("evaluate", "report", "convert"):
        assert command in out


def test_errors_go_to_stderr_without_a_traceback(tmp_path):
    code, out, err = spacy("semeval", "report", tmp_path / "absent.json")
    assert (code, out, "Traceback" in err) == (1, "", False)
    assert "absent.json" in err
    assert "\x1b" not in err


def test_the_stock_command_can_be_kept(model, docbin):
    path, data = model(scorer=True), docbin()
    assert "SemEval" in spacy("evaluate", path, data)[1]
    code, out, _ = spacy("evaluate", path, data, SPACY_SEMEVAL_STOCK_EVALUATE="1")
    assert (code, "NER F" in out, "SemEval" in out) == (0, True, False)


def test_any_encoding_of_the_terminal(jsonl, model):
    from tasks import task

    data = jsonl(task("Nimm Äspirin", ((5, 12, "ÄRZTLICHES_" * 9),)))
    code, out, err = spacy("semeval", "evaluate", model(), data, PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert (code, "?RZTLICHES_" in out) == (0, True), err


def test_importing_the_package_is_cheap_and_silent():
    code = "import sys, spacy_semeval; print(sorted({'spacy', 'srsly', 'msgspec', 'wasabi'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=True)
    assert (done.stdout.strip(), done.stderr) == ("[]", "")


def test_the_plugin_imports_little_before_it_is_used():
    code = (
        "import sys, spacy.cli; before = set(sys.modules)\n"
        "import spacy_semeval.cli.app\n"
        "new = {name.split('.')[0] for name in set(sys.modules) - before} - {*sys.stdlib_module_names, 'numpy'}\n"
        "print(sorted(new))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "['spacy_semeval']"
