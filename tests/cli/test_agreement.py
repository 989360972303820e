import csv
import json
import os
import subprocess
import sys

import pytest
from prodigy_db import make_database
from tasks import task

TEXT = "Take aspirin instead of warfarin today"
ASPIRIN, WARFARIN, BRAND = (5, 12, "DRUG"), (24, 32, "DRUG"), (24, 32, "BRAND")


def mine(name, text=TEXT, spans=(), number=1, **more):
    return task(text, spans, _annotator_id=name, _session_id=name, _input_hash=number, **more)


RECORDS = [
    mine("set-ana", spans=[ASPIRIN, WARFARIN]),
    mine("set-ben", spans=[ASPIRIN, BRAND]),
    mine("set-ana", "Nothing here", number=2),
    mine("set-ben", "Nothing here", [(0, 7, "DRUG")], 2),
    mine("set-ana", "Only ana", number=3),
    mine("set-ben", "Not done", number=4, answer="ignore"),
]


@pytest.fixture
def file(jsonl):
    return jsonl(*RECORDS, name="set.jsonl")


def test_what_is_printed_and_saved(run, file, tmp_path):
    code, out = run("semeval", "agreement", file, "-o", tmp_path / "a.json")
    assert code == 0, out
    saved = json.loads((tmp_path / "a.json").read_text("utf8"))
    assert (saved["kind"], saved["annotators"]) == ("agreement", ["ana", "ben"])
    # 1 of 2 and 3 spans is the same, another has the same boundaries.
    assert (saved["span_f1"]["strict"]["mean"], saved["span_f1"]["exact"]["mean"]) == (2 / 5, 4 / 5)
    assert (
        saved["documents"] | {"total": 3, "shared": 2, "records": 6, "used": 5, "skipped_ignored": 1}
        == (saved["documents"])
    )
    assert saved["settings"]["inputs"] == [str(file)]
    squeezed = "\n".join(" ".join(line.split()) for line in out.splitlines())
    for row in (
        "Annotators: 2. Documents: 3, seen by all 2: 2, by two or more: 2",
        "Documents seen by 1: 1, 2: 2",
        "ana 3 2 2 0.400 0.800 0.800",
        "1 ana - 0.400",
        "BRAND 1 0.000 1.000 1.000 0.000 100.00",
        "Left out, records with the answer ignore: 1",
        "Labels: full agreement (strict) is far below boundary agreement (exact): the same text has other labels.",
        f"Saved all numbers to {tmp_path / 'a.json'}",
    ):
        assert row in squeezed
    assert max(len(line) for line in out.split("Left out,")[0].splitlines()) <= 80


def test_a_saved_file_is_printed_again(run, file, tmp_path):
    for more in ([], ["--alpha-u-2004", "--label", "DRUG", "--label", "FORM"]):
        _, printed = run("semeval", "agreement", file, "-o", tmp_path / "a.json", *more)
        code, out = run("semeval", "report", tmp_path / "a.json")
        assert code == 0, out
        assert out.strip() in printed


@pytest.mark.parametrize(
    "change",
    [{"span_f1": {}}, {"token": {}}, {"pairs": [{}]}, {"per_label": {"A": {}}}, {"documents": {}}, {"reasons": 1}],
)
def test_a_damaged_file_is_refused(run, file, tmp_path, change):
    path = tmp_path / "a.json"
    run("semeval", "agreement", file, "-o", path)
    path.write_text(json.dumps(json.loads(path.read_text("utf8")) | change), "utf8")
    code, out = run("semeval", "report", path)
    assert (code, "are not complete" in out) == (1, True), out


def test_details(run, file):
    code, out = run("semeval", "agreement", file, "--detail")
    assert code == 0
    assert "Worst documents" in out
    assert "Disagreements (50 at most)" in out
    assert "Labels that met" in out
    assert "1  ana: DRUG 24-32 'warfarin' / ben: BRAND 24-32 'warfarin'" in out
    assert "2  ana: nothing / ben: DRUG 0-7 'Nothing'" in out
    assert "Worst documents" not in run("semeval", "agreement", file)[1]


def test_many_disagreements_are_not_all_shown(run, jsonl):
    records = [mine(who, f"Text number {i:02}", [(0, 4 + k, "A")], i) for i in range(60) for k, who in enumerate("ab")]
    out = run("semeval", "agreement", jsonl(*records), "--detail")[1]
    assert out.count(" / b: A 0-5") == 50
    assert "and 10 more disagreements: --csv DIR writes all" in out


def test_tasks_are_the_documents_that_differ(run, file, tmp_path):
    path = tmp_path / "t.jsonl"
    code, out = run("semeval", "agreement", file, "--tasks", path)
    assert code == 0, out
    tasks = [json.loads(line) for line in path.read_text("utf8").splitlines()]
    found = [(task["_input_hash"], len(task["spans"]), task["meta"]["annotator"]) for task in tasks]
    assert found == [(2, 0, "ana"), (1, 2, "ana")]
    assert tasks[0]["meta"]["versions"] == "ana: nothing; ben: DRUG 0-7 'Nothing'"
    assert f"Wrote documents with disagreements to {path}: 2" in out
    assert run("semeval", "score", path, path)[0] == 0  # what is written can be read


def test_tables(run, file, tmp_path):
    folder = tmp_path / "new" / "tables"
    code, out = run("semeval", "agreement", file, "--csv", folder, "--label", "DRUG", "--label", "FORM")
    assert code == 0, out
    tables = {path.name: list(csv.DictReader(path.read_text("utf8").splitlines())) for path in folder.iterdir()}
    assert set(tables) == {"pairs.csv", "per_label.csv", "per_document.csv", "disagreements.csv"}
    assert [list(row.values())[:4] for row in tables["pairs.csv"]] == [["ana", "ben", "2", "4"]]
    labels = [(row["label"], row["spans"], row["strict"]) for row in tables["per_label.csv"]]
    assert labels == [("DRUG", "4", "0.5"), ("FORM", "0", "")]
    assert [row["document"] for row in tables["per_document.csv"]] == ["1", "2"]
    differences = [(row["document"], row["kind"], row["a_text"], row["b_start"]) for row in tables["disagreements.csv"]]
    assert differences == [("2", "alone", "", "0"), ("1", "alone", "warfarin", "")]


def strict(run, tmp_path, *args):
    path = tmp_path / "out.json"
    code, out = run("semeval", "agreement", *args, "-o", path)
    assert code == 0, out
    return json.loads(path.read_text("utf8"))["span_f1"]["strict"]["mean"]


def test_annotators_are_chosen(run, jsonl, tmp_path):
    records = [*RECORDS[:4], mine("set-model", spans=[ASPIRIN, WARFARIN])]
    path = jsonl(*records)
    assert strict(run, tmp_path, path, "--annotator", "ana", "--annotator", "model") == 1.0
    assert strict(run, tmp_path, path, "--exclude", "ben") == 1.0
    assert strict(run, tmp_path, path, "--exclude", "set-ben") == 1.0
    code, out = run("semeval", "agreement", path, "--exclude", "carl")
    assert (code, "no annotator 'carl'. Annotators: ana, ben, model" in out) == (1, True)
    code, out = run("semeval", "agreement", path, "--annotator", "ana")
    assert (code, "two annotators at least, but got 1: ana" in out) == (1, True)


def test_names_of_another_field_are_shown_in_full(run, jsonl, tmp_path):
    records = [task(TEXT, [ASPIRIN], coder=name) for name in ("anna-lena@x.org", "anna-lisa@x.org")]
    out = tmp_path / "out.json"
    assert run("semeval", "agreement", jsonl(*records), "--annotator-key", "coder", "-o", out)[0] == 0
    assert json.loads(out.read_text("utf8"))["annotators"] == ["anna-lena@x.org", "anna-lisa@x.org"]


def test_the_older_alpha_of_many_documents_is_a_detail(run, jsonl):
    path = jsonl(*(mine(who, f"Text number {i:02}", [(0, 4, "A")], i) for i in range(12) for who in "ab"))
    options = ("semeval", "agreement", path, "--alpha-u-2004")
    assert run(*options)[1].count("(all)") == 10
    assert "2 more documents: --detail shows all" in run(*options)[1]
    assert run(*options, "--detail")[1].count("(all)") == 12


def test_where_nothing_is_shared_what_was_left_out_is_said(run, jsonl):
    path = jsonl(RECORDS[0], mine("set-ben", answer="reject"), mine("set-ben", "Other", number=9))
    code, out = run("semeval", "agreement", path)
    assert (code, "No document was seen by two annotators. Documents: ana 1, ben 1" in out) == (1, True)
    assert "Left out, records with the answer reject: 1" in out


def test_duplicates(run, jsonl, tmp_path):
    path = jsonl(*RECORDS[:2], mine("set-ana", spans=[ASPIRIN, BRAND]))
    code, out = run("semeval", "agreement", path)
    assert (code, "ana: " in out, "lines 1, 3" in out) == (1, True, True)
    assert strict(run, tmp_path, path, "--duplicates", "last") == 1.0
    assert strict(run, tmp_path, path, "--duplicates", "first") == 0.5


def test_options_reach_the_numbers(run, jsonl, tmp_path):
    path = jsonl(mine("a", spans=[(5, 12, "DRUG")]), mine("b", spans=[(5, 20, "DRUG")]))
    out = tmp_path / "o.json"

    def saved(*options):
        assert run("semeval", "agreement", path, "-o", out, *options)[0] == 0
        return json.loads(out.read_text("utf8"))

    assert saved()["span_f1"]["iou"]["mean"] == 0.0
    assert saved("--iou", "0.4")["span_f1"]["iou"]["mean"] == 1.0
    assert saved("--ratio", "max")["span_f1"]["iou"]["mean"] == 1.0
    assert saved("--io")["token"]["scheme"] == "IO"
    assert saved("--lang", "en")["settings"]["lang"] == "en"
    assert "alpha_u_2004" not in saved()
    assert saved("--alpha-u-2004")["alpha_u_2004"][0]["document"] == 1
    assert saved("--bootstrap", "0")["reasons"]["span_f1.ci"] == "no samples were asked for"


@pytest.mark.parametrize(
    "wrong",
    [
        ["--iou", "0"], ["--iou", "nan"], ["--ratio", "x"], ["--bootstrap", "-1"], ["--seed", "-1"], ["--parts", "x"],
        ["--offsets", "x"], ["--unseen", "x"], ["--duplicates", "x"], ["--lang", "zz"],
    ],
)  # fmt: skip
def test_wrong_usage(run, file, tmp_path, wrong):
    code, out = run("semeval", "agreement", file, *wrong, "-o", tmp_path / "a.json", "--csv", tmp_path / "c")
    assert code == 2, out
    assert not (tmp_path / "a.json").exists()
    assert not (tmp_path / "c").exists()


def test_bad_input_leaves_nothing_behind(run, jsonl, tmp_path):
    path = jsonl(mine("a", spans=[(5, 99, "DRUG")]))
    outputs = ["-o", tmp_path / "a.json", "--csv", tmp_path / "c", "--tasks", tmp_path / "t.jsonl"]
    code, out = run("semeval", "agreement", path, *outputs)
    assert (code, "line 1: span 5 to 99 (DRUG) does not fit" in out) == (1, True)
    assert os.listdir(tmp_path) == [path.name]


def test_outputs_are_no_inputs(run, file, tmp_path):
    before = file.read_bytes()
    for wrong in (["-o", file], ["--tasks", file], ["-o", tmp_path / "x", "--tasks", tmp_path / "x"], ["--csv", file]):
        assert run("semeval", "agreement", file, *wrong)[0] == 1, wrong
    assert run("semeval", "agreement", file, "-o", tmp_path / "c" / "pairs.csv", "--csv", tmp_path / "c")[0] == 1
    assert file.read_bytes() == before


def test_standard_input(file, tmp_path):
    command = [sys.executable, "-m", "spacy", "semeval", "agreement", "-", "-o", str(tmp_path / "a.json")]
    subprocess.run(command, input=file.read_bytes(), check=True, capture_output=True)
    assert json.loads((tmp_path / "a.json").read_text("utf8"))["annotators"] == ["ana", "ben"]


def test_nothing_is_left_behind_where_outputs_are_the_same_or_cannot_be_written(run, file, tmp_path):
    before = sorted(os.listdir(tmp_path))
    for wrong in (["-o", tmp_path / "q", "--csv", tmp_path / "q"], ["--csv", tmp_path / "x/y/z", "-o", "/dev/full"]):
        code, out = run("semeval", "agreement", file, *wrong)
        assert (code, "Can't write" in out) == (1, True)
        assert sorted(os.listdir(tmp_path)) == before


def test_a_name_that_is_no_text(run, jsonl, tmp_path):
    odd = os.fsdecode(os.fsencode(tmp_path) + b"/nl\xff.jsonl")
    jsonl(mine(None, spans=[ASPIRIN])).rename(odd)
    assert strict(run, tmp_path, odd, jsonl(mine(None, spans=[ASPIRIN]), name="ana.jsonl")) == 1.0


def test_names_break_no_lines(run, jsonl):
    out = run("semeval", "agreement", jsonl(mine("a\n- pairs.x: forged"), mine("b")))[1]
    assert "\n- pairs.x: forged" not in out


def test_a_dataset(run, tmp_path):
    path = make_database(tmp_path / "prodigy.db", {"set": RECORDS})
    assert strict(run, tmp_path, "prodigy:set", "--prodigy-db", path) == 2 / 5
    before = path.read_bytes()
    for option in ("-o", "--tasks"):
        assert run("semeval", "agreement", "prodigy:set", "--prodigy-db", path, option, path)[0] == 1
    assert path.read_bytes() == before


def test_potato(run, tmp_path):
    (tmp_path / "config.yaml").write_text("data_files: [items.jsonl]\n", "utf8")
    (tmp_path / "items.jsonl").write_text(json.dumps({"id": "d1", "text": TEXT}), "utf8")
    for name, spans in (("ana", [ASPIRIN]), ("ben", [ASPIRIN, BRAND])):
        folder = tmp_path / "annotation_output" / name
        folder.mkdir(parents=True)
        marked = [[{"schema": "ner", "name": label, "start": a, "end": b}, True] for a, b, label in spans]
        state = {"user_id": name, "instance_id_to_span_to_value": {"d1": marked}}
        (folder / "user_state.json").write_text(json.dumps(state), "utf8")
    assert strict(run, tmp_path, tmp_path) == 2 / 3
    folder, texts = tmp_path / "annotation_output", tmp_path / "items.jsonl"
    assert strict(run, tmp_path, folder, "--texts", texts) == 2 / 3
    for config in (tmp_path, tmp_path / "config.yaml"):
        assert run("semeval", "agreement", config, "-o", texts)[0] == 1
    code, out = run("semeval", "agreement", folder)
    assert (code, "name the items with --texts" in out) == (0, True)
    names = "token.cohen; token.cohen_annotated; token.fleiss; token.alpha"
    assert f"- {names}: no document that is compared has tokens" in out


def test_a_progress_bar_only_in_a_terminal(run, file):
    assert "bootstrap:" not in run("semeval", "agreement", file)[1]
