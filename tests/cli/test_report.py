import json

import pytest

from spacy_semeval import score_spans


def save(tmp_path, data):
    path = tmp_path / "m.json"
    path.write_text(data if isinstance(data, str) else json.dumps(data), "utf8")
    return path


def test_file_of_our_evaluation(run, model, docbin, tmp_path):
    path = tmp_path / "m.json"
    _, printed = run("semeval", "evaluate", model(), docbin(), "-o", path)
    code, out = run("semeval", "report", path)
    assert code == 0
    assert out.strip() in printed


@pytest.mark.parametrize("option", [[], ["--per-component"]])
def test_file_of_the_stock_evaluation(run, model, docbin, tmp_path, option):
    path = tmp_path / "m.json"
    _, printed = run("evaluate", model(scorer=True), docbin(), "-o", path, *option)
    code, out = run("semeval", "report", path)
    assert code == 0
    assert out.strip() in printed


def test_scores_saved_from_python(run, tmp_path):
    code, out = run("semeval", "report", save(tmp_path, score_spans([[(0, 1, "A")]], [[]]).to_dict()))
    assert (code, "SemEval schemas (spans)" in out) == (0, True)


COUNTS = dict.fromkeys(("cor", "inc", "par", "mis", "spu", "pos", "act"), 0)
SCORES = score_spans([[(0, 1, "A")]], [[]]).to_dict()


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ("{", "as JSON"),
        ("[]", "list"),
        ('{"kind": "scores", "semantics": NaN}', "holds NaN, which is no number"),
        ({"ents_f": 0.5}, "holds no scores of the SemEval schemas"),
        ({"kind": "datasets"}, "'datasets'"),
        ({"kind": "scores"}, "semantics None"),
        ({"kind": 3}, "kind 3"),
        ({**SCORES, "semantics": "0.9"}, "semantics '0.9'"),
        ({**SCORES, "documents": {"scored": -1}}, "not complete"),
        ({**SCORES, "overall": {"strict": {**SCORES["overall"]["strict"], "f": 3.0}}}, "not complete"),
        ({**SCORES, "overall": {"strict": {"cor": "many"}}}, "not complete"),
        ({**SCORES, "documents": {}}, "not complete"),
        ({**SCORES, "settings": 3}, "not complete"),
        ({"ents_documents": {"scored": 1}, "ents_strict_counts": 3}, "holds no scores"),
        ({"ents_documents": {"scored": 1}, "ents_strict_counts": COUNTS, "ents_strict_per_type": 4}, "not complete"),
    ],
)
def test_files_that_hold_no_scores(run, tmp_path, data, said):
    code, out = run("semeval", "report", save(tmp_path, data))
    assert (code, said in out) == (1, True), out


def test_a_file_that_is_not_there(run, tmp_path):
    for path, said in ((tmp_path / "absent.json", "find"), (tmp_path, "folder"), (tmp_path / ("x" * 300), "too long")):
        code, out = run("semeval", "report", path)
        assert (code, said in out) == (1, True), out
