import gzip
import json
import os
import subprocess
import sys

import pytest
from prodigy_db import make_database
from tasks import task

from spacy_semeval import Scores
from spacy_semeval.cli.score import score
from spacy_semeval.formats.base import ReadOptions
from spacy_semeval.formats.sources import open_source

TEXT = "Take aspirin instead of warfarin today"
ASPIRIN, WARFARIN = (5, 12, "DRUG"), (24, 32, "DRUG")
GOLD = [task(TEXT, [ASPIRIN, WARFARIN]), task("Nothing to see here", ())]
PRED = [task("Nothing to see here", [(0, 7, "DRUG")]), task(TEXT, [(5, 12, "BRAND"), (21, 32, "DRUG")])]


@pytest.fixture
def files(jsonl):
    def files(gold=GOLD, pred=PRED):
        return jsonl(*gold, name="gold.jsonl"), jsonl(*pred, name="pred.jsonl")

    return files


ROW = "{} {} {} {} {} {}"


def squeeze(text):
    return "\n".join(" ".join(line.split()) for line in text.splitlines())


def counts(data, schema="strict"):
    return tuple(data["overall"][schema][name] for name in ("cor", "inc", "par", "mis", "spu"))


def scored(gold, pred, **settings):
    return score(open_source(gold), open_source(pred), **settings).data


def documents(data, *names):
    return tuple(data["documents"].get(name, 0) for name in names)


def test_what_is_printed_and_saved(run, files, tmp_path):
    code, out = run("semeval", "score", *files(), "-o", tmp_path / "m.json")
    assert code == 0, out
    saved = json.loads((tmp_path / "m.json").read_text("utf8"))
    assert {schema: counts(saved, schema) for schema in saved["overall"]} == {
        "strict": (0, 2, 0, 0, 1),
        "exact": (1, 1, 0, 0, 1),
        "partial": (1, 0, 1, 0, 1),
        "type": (1, 1, 0, 0, 1),
    }
    assert (saved["kind"], saved["semantics"]) == ("scores", "1.0")
    gold, pred = map(str, files())
    assert saved["settings"]["inputs"] == {
        "gold": gold,
        "pred": pred,
        "gold_annotator": None,
        "pred_annotator": None,
        "annotator_key": None,
        "gold_format": "prodigy",
        "pred_format": "prodigy",
        "linked_by": "text",
    }
    assert (saved["settings"]["missing"], saved["settings"]["duplicates"]) == ("error", "error")
    assert documents(saved, "scored", "gold_only", "pred_only", "gold_records", "pred_used") == (2, 0, 0, 2, 2)
    assert Scores.from_dict(saved).overall["type"].cor == 1
    for line in (
        ROW.format("partial", 1, 0, 1, 0, 1) + " 2 3 50.00 75.00 60.00",
        "BRAND " + ROW.format("strict", 0, 0, 0, 0, 0) + " 0.00 0.00 0.00",
        "Records GOLD PRED",
        "records read 2 2",
        "Documents scored: 2",
    ):
        assert line in squeeze(out)
    code, shown = run("semeval", "report", tmp_path / "m.json")
    assert (code, shown) == (0, out[: out.index("Saved scores")])


def test_as_a_process_from_standard_input(files):
    gold, pred = files()
    command = [sys.executable, "-m", "spacy", "semeval", "score", "-"]
    done = subprocess.run([*command, pred], input=gold.read_bytes(), capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert ROW.format("strict", 0, 2, 0, 0, 1) in squeeze(done.stdout.decode())
    done = subprocess.run([*command, "-"], input=gold.read_bytes(), capture_output=True, check=False)
    assert ROW.format("strict", 2, 0, 0, 0, 0) in squeeze(done.stdout.decode())


def test_gzip_and_database(files, tmp_path):
    gold, pred = files()
    packed = tmp_path / "gold.jsonl.gz"
    packed.write_bytes(gzip.compress(gold.read_bytes()))
    assert counts(scored(packed, pred)) == (0, 2, 0, 0, 1)
    database = make_database(tmp_path / "prodigy.db", {"gold": GOLD, "pred": PRED})
    source, other = (open_source(f"prodigy:{name}", database) for name in ("gold", "pred"))
    assert counts(score(source, other).data) == (0, 2, 0, 0, 1)


def test_missing_documents(run, files, tmp_path):
    paths = files(pred=PRED[:1])
    code, out = run("semeval", "score", *paths, "-o", tmp_path / "m.json")
    assert (code, "lacks 1 of the 2 documents" in out, "--missing" in out) == (1, True, True)
    assert not (tmp_path / "m.json").exists()
    data = scored(*paths, missing="skip")
    assert (counts(data), documents(data, "scored", "gold_only")) == ((0, 0, 0, 0, 1), (1, 1))
    data = scored(*paths, missing="count")
    assert (counts(data), documents(data, "scored", "gold_only")) == ((0, 0, 0, 2, 1), (2, 1))


def test_duplicates(files):
    twice = [*GOLD, task(TEXT, [ASPIRIN], _timestamp=3)]
    data = scored(*files(gold=twice), duplicates="last")
    assert (counts(data), documents(data, "duplicate_records")) == ((0, 1, 0, 0, 2), (1,))


def test_annotators(run, files):
    both = [task(TEXT, [ASPIRIN], _annotator_id="ds-ana"), task(TEXT, [WARFARIN], _annotator_id="ds-ben")]
    paths = files(gold=both, pred=both)
    data = scored(*paths, gold_annotator="ana", pred_annotator="ds-ben")
    assert (counts(data), documents(data, "gold_skipped_other_annotator")) == ((0, 0, 0, 1, 1), (1,))
    code, out = run("semeval", "score", *paths, "--gold-annotator", "ana")
    assert (code, "pred.jsonl holds the annotations of 2 annotators: ana, ben" in out) == (1, True)
    code, out = run("semeval", "score", *paths, "--gold-annotator", "cleo")
    assert (code, "Annotators: ana, ben" in out) == (1, True)


def test_another_field_names_the_annotator(run, files):
    rows = [task(TEXT, [ASPIRIN], meta={"coder": 1}), task(TEXT, (), meta={"coder": "two"}), task(TEXT, (), meta=3)]
    paths = files(gold=rows, pred=rows)
    data = scored(*paths, gold_annotator="1", pred_annotator="two", options=ReadOptions(annotator_key="meta.coder"))
    assert counts(data) == (0, 0, 0, 1, 0)
    code, out = run("semeval", "score", *paths, "--annotator-key", "meta.coder")
    assert (code, "2 annotators: 1, two" in out) == (1, True)
    code, out = run("semeval", "score", *paths, "--annotator-key", "spans")
    assert (code, "line 1: the annotator key 'spans' holds no name" in out) == (1, True)


def test_a_field_that_no_record_has(run, files):
    code, out = run("semeval", "score", *files(), "--annotator-key", "coder")
    assert (code, "has the field 'coder'" in out) == (1, True)
    # predictions need not have it
    gold = [task(TEXT, [ASPIRIN], coder="ana"), task(TEXT, (), coder="ben")]
    data = scored(*files(gold=gold), options=ReadOptions(annotator_key="coder"), gold_annotator="ana")
    assert counts(data) == (0, 1, 0, 0, 1)
    # nor need they be told apart by it
    pred = [record | {"_annotator_id": name} for record in PRED for name in ("ds-ana", "ds-ben")]
    data = scored(
        *files(gold, pred), options=ReadOptions(annotator_key="coder"), gold_annotator="ana", pred_annotator="ben"
    )
    assert (counts(data), documents(data, "pred_skipped_other_annotator")) == ((0, 1, 0, 0, 1), (2,))


def test_labels_to_rename_are_looked_for_in_all_annotations(files):
    rejected = task("Never predicted", [(0, 5, "OLD")])
    rejected["spans"][0]["answer"] = "reject"
    data = scored(*files(gold=[*GOLD, rejected]), label_map={"OLD": "NEW"}, missing="skip")
    assert counts(data) == (0, 2, 0, 0, 1)


def test_annotations_that_differ_in_what_is_not_scored(files):
    twice = [*GOLD, task(TEXT, [ASPIRIN, (24, 32, "BRAND")])]
    for settings in ({"label_map": {"BRAND": "DRUG"}}, {"boundaries_only": True}):
        assert documents(scored(*files(gold=twice), **settings), "duplicate_records") == (1,)
    pred = [*PRED, PRED[0] | {"spans": [*PRED[0]["spans"], {"start": 0, "end": 3, "label": "A", "answer": "reject"}]}]
    data = scored(*files(pred=pred))
    assert documents(data, "gold_duplicate_records", "pred_duplicate_records") == (0, 1)


def test_names_that_are_no_text(run, files, tmp_path):
    gold, pred = files()
    odd = tmp_path / "a\x1b[31m\nDocuments scored: 999"
    code, out = run("semeval", "score", gold, pred, "--errors", odd)
    assert (code, "\x1b" in out, "\nDocuments scored: 999" in out) == (0, False, False)
    code, out = run("semeval", "score", "x\nDocuments scored: 999", pred)
    assert (code, "\nDocuments" in out) == (1, False)
    broken = tmp_path / os.fsdecode(b"gold\xff.jsonl")
    broken.write_bytes(gold.read_bytes())
    code, out = run("semeval", "score", broken, pred, "-o", tmp_path / "m.json")
    assert (code, "gold\\\\xff.jsonl" in (tmp_path / "m.json").read_text("utf8")) == (0, True)
    code, out = run("semeval", "score", gold, pred, "--label", "\udcff")
    assert (code, "UTF-8" in out) == (2, True)


def test_a_report_shows_what_the_command_showed(run, files, tmp_path):
    # 29 of 32: 90.625 is a tie
    text = "x" * 64
    spans = [(2 * i, 2 * i + 1, "A") for i in range(32)]
    paths = files([task(text, spans)], [task(text, spans[:29] + [(63, 64, "A")] * 3)])
    code, out = run("semeval", "score", *paths, "-o", tmp_path / "m.json")
    assert "90.62" in out
    assert run("semeval", "report", tmp_path / "m.json") == (0, out[: out.index("Saved scores")])


def test_labels(run, files, tmp_path):
    paths = files()
    assert counts(scored(*paths, label_map={"BRAND": "DRUG"})) == (1, 1, 0, 0, 1)
    assert counts(scored(*paths, labels=["BRAND"])) == (0, 0, 0, 0, 1)
    code, out = run("semeval", "score", *paths, "--map", "BRAND=DRUG", "--map", "DRUG=NAME", "-o", tmp_path / "m.json")
    saved = json.loads((tmp_path / "m.json").read_text("utf8"))
    assert saved["settings"]["filters"]["label_map"] == {"BRAND": "DRUG", "DRUG": "NAME"}
    assert (counts(saved), set(saved["per_label"])) == ((0, 2, 0, 0, 1), {"DRUG", "NAME"})
    code, out = run("semeval", "score", *paths, "--map", "X=Y")
    assert (code, "no span has 'X'. Labels: BRAND, DRUG." in out) == (1, True)


@pytest.mark.parametrize("wrong", [("BRAND",), ("=A",), ("A=",), ("A=B", "A=C")])
def test_a_map_that_is_none_is_wrong_usage(run, files, wrong):
    code, out = run("semeval", "score", *files(), *(part for pair in wrong for part in ("--map", pair)))
    assert (code, "--map" in out) == (2, True)


def test_boundaries_only(run, files, tmp_path):
    bare = {"text": TEXT, "spans": [{"start": 5, "end": 12}, {"start": 24, "end": 32, "label": ""}]}
    paths = files(pred=[bare, PRED[0]])
    code, out = run("semeval", "score", *paths)
    assert (code, "line 1: a span has no label" in out) == (1, True)
    data = scored(*paths, boundaries_only=True)
    assert {counts(data, schema) for schema in data["overall"]} == {(2, 0, 0, 0, 1)}
    assert (set(data["per_label"]), data["settings"]["filters"]["boundaries_only"]) == ({"(any)"}, True)
    code, out = run("semeval", "score", *paths, "--boundaries-only", "--label", "DRUG")
    assert (code, "only boundaries" in out) == (2, True)


def test_settings_reach_the_engine(run, files, tmp_path):
    options = ("--min-overlap", 1, "--aligner", "optimal.v1", "--per-label", "gold_side", "--beta", 2)
    code, out = run("semeval", "score", *files(), "-o", tmp_path / "m.json", *options)
    assert code == 0, out
    settings = json.loads((tmp_path / "m.json").read_text("utf8"))["settings"]
    assert [settings[name] for name in ("min_overlap", "per_label", "beta")] == [1.0, "gold_side", 2.0]
    for option, value, said in (("--aligner", "x", "Available: optimal.v1"), ("--beta", 0, "beta")):
        code, out = run("semeval", "score", *files(), option, value)
        assert (code, said in out) == (2, True)
    for option in ("--missing", "--duplicates", "--per-label", "--min-overlap"):
        assert run("semeval", "score", *files(), option, "7")[0] == 2


def test_errors_as_tasks(run, files, tmp_path):
    tasks_file = tmp_path / "errors.jsonl"
    code, out = run("semeval", "score", *files(), "--errors", tasks_file, "--map", "DRUG=NAME")
    assert (code, "Wrote documents with errors to" in out, "errors.jsonl: 2" in out) == (0, True, True)
    first, second = map(json.loads, tasks_file.read_text("utf8").splitlines())
    assert first["text"] == TEXT
    assert first["spans"] == [{"start": s, "end": e, "label": label} for s, e, label in (ASPIRIN, WARFARIN)]
    assert first["meta"] == {"outcomes": "INC NAME→BRAND 'aspirin'; PAR NAME 'of warfarin' for 'warfarin'"}
    assert second["meta"] == {"outcomes": "SPU NAME 'Nothing'"}
    assert counts(scored(tasks_file, files()[0])) == (2, 0, 0, 0, 0)


def test_no_errors_make_an_empty_file(run, files, tmp_path):
    gold, _ = files()
    code, out = run("semeval", "score", gold, gold, "--errors", tmp_path / "errors.jsonl")
    assert (code, (tmp_path / "errors.jsonl").read_text("utf8")) == (0, "")


def test_outputs_are_not_written_over_anything(run, files, tmp_path):
    paths = files()
    before = [path.read_bytes() for path in paths]
    same = tmp_path / "same.json"
    for outputs in (("-o", paths[0]), ("--errors", paths[1]), ("-o", same, "--errors", same)):
        code, out = run("semeval", "score", *paths, *outputs)
        assert (code, "Can't write" in out) == (1, True)
    database = make_database(tmp_path / "prodigy.db", {"gold": GOLD})
    options = ("--prodigy-db", database, "--errors", database)
    code, out = run("semeval", "score", "prodigy:gold", "prodigy:gold", *options)
    assert (code, "Can't write" in out) == (1, True)
    assert [path.read_bytes() for path in paths] == before
    assert not same.exists()


BINARY = [
    task(TEXT, [ASPIRIN], _view_id="ner"),
    task(TEXT, [(5, 12, "BRAND")], _view_id="ner", answer="reject"),
    task(TEXT, [WARFARIN], _view_id="ner"),
    task(TEXT, (), _view_id="ner"),
    task(TEXT, [ASPIRIN, WARFARIN], _view_id="ner", answer="reject"),
    task(TEXT, [ASPIRIN], _view_id="ner", answer="ignore"),
    task(TEXT, [ASPIRIN, WARFARIN]),
]


def test_binary_answers(run, files, tmp_path):
    paths = files(gold=BINARY)
    code, out = run("semeval", "score", *paths, "--binary", "-o", tmp_path / "m.json")
    assert code == 0, out
    saved = json.loads((tmp_path / "m.json").read_text("utf8"))
    assert saved["kind"] == "binary"
    overall = saved["overall"]
    assert [overall[name] for name in ("accepted", "found", "rejected", "predicted")] == [2, 0, 1, 1]
    assert overall["schemas"]["partial"]["r"] == 0.75
    reasons = ("gold_skipped_no_question", "gold_skipped_undecided", "gold_skipped_ignored", "gold_skipped_complete")
    assert documents(saved, "scored", *reasons, "pred_only") == (1, 1, 1, 1, 1, 1)
    assert "(all) 2 0 2 1 1 0" in squeeze(out)
    code, shown = run("semeval", "report", tmp_path / "m.json")
    assert (code, shown) == (0, out[: out.index("Saved scores")])


def test_binary_answers_are_refused_as_gold(run, files):
    for paths in (files(gold=BINARY[:1]), files(pred=BINARY[:1])):
        code, out = run("semeval", "score", *paths)
        assert (code, "Binary answers" in out, "--binary" in out) == (1, True, True)
    code, out = run("semeval", "score", *files(), "--binary")
    assert (code, "holds no binary answer" in out) == (1, True)
    for option in (("--boundaries-only",), ("--errors", "x.jsonl")):
        code, out = run("semeval", "score", *files(gold=BINARY), "--binary", *option)
        assert (code, "without" in out) == (2, True)


def test_what_is_left_out_is_warned_about(run, files):
    odd = [task("binary", (), _view_id="ner"), task("choice", (), _view_id="choice")]
    code, out = run("semeval", "score", *files(gold=[*GOLD, *odd]))
    assert code == 0
    flat = " ".join(out.split())
    assert "gold.jsonl): 1 left out, binary answers" in flat
    assert "gold.jsonl): 1 left out, records of interfaces without spans" in flat


def test_hints(run, files):
    code, out = run("semeval", "score", *files(pred=[task(TEXT, ()), PRED[0] | {"spans": None}]))
    assert code == 0
    for said in ("Nothing was predicted", "noted, records whose spans are null"):
        assert said in out
    code, out = run("semeval", "score", *files(), "--label", "X")
    assert (code, "neither in gold nor in predictions: 'X'" in out, "Nothing was predicted" in out) == (0, True, False)
    assert "ACT holds predictions with other labels too" in out
