import json

from prodigy_db import make_database
from tasks import task


def test_datasets(run, tmp_path):
    records = [
        task(_view_id="ner_manual", _session_id="news-ana"),
        task(_view_id="ner_manual", _session_id="news-ben", answer="ignore"),
        task(_view_id="review", versions=[{"sessions": ["news-ana", "news-cleo"]}]),
        {"text": "input"},
    ]
    database = make_database(tmp_path / "prodigy.db", {"news": records, "empty": []}, {"old-dan": [task()]})
    code, out = run("semeval", "datasets", "--prodigy-db", database, "-o", tmp_path / "list.json")
    assert code == 0
    assert out.splitlines()[:8] == [
        "empty (dataset, 0 records)",
        "  views:      -",
        "  answers:    -",
        "  annotators: -",
        "news (dataset, 4 records)",
        "  views:      ner_manual 2, none 1, review 1",
        "  answers:    accept 2, ignore 1, none 1",
        "  annotators: ana 2, ben 1, cleo 1",
    ]
    saved = json.loads((tmp_path / "list.json").read_text("utf8"))
    assert (saved["kind"], [entry["name"] for entry in saved["datasets"]]) == (
        "datasets",
        ["empty", "news", "news-ana", "news-ben", "old-dan"],
    )
    assert saved["datasets"][4] == {
        "name": "old-dan",
        "kind": "session",
        "records": 1,
        "views": {"none": 1},
        "answers": {"accept": 1},
        "annotators": {},
        "unreadable": 0,
    }


def test_a_database_without_datasets(run, tmp_path):
    code, out = run("semeval", "datasets", "--prodigy-db", make_database(tmp_path / "prodigy.db", {}))
    assert (code, out) == (0, "The database holds no dataset.\n")


def test_what_cannot_be_read(run, tmp_path):
    code, out = run("semeval", "datasets", "--prodigy-db", tmp_path / "absent.db")
    assert (code, "absent.db" in out) == (1, True)
    database = make_database(tmp_path / "prodigy.db", {}, contents=[b'{"text": "a"}', b"{", None])
    code, out = run("semeval", "datasets", "--prodigy-db", database)
    assert (code, "raw (dataset, 3 records)" in out, "unreadable: 2" in out) == (0, True, True)
    code, out = run("semeval", "score", "prodigy:raw", "prodigy:raw", "--prodigy-db", database)
    assert (code, "prodigy:raw, record 2: not valid JSON" in out) == (1, True)


def test_names_that_a_terminal_would_obey(run, tmp_path):
    database = make_database(tmp_path / "prodigy.db", {"a\x1b[31m": [task(_view_id="\x1b[2J")]})
    code, out = run("semeval", "datasets", "--prodigy-db", database)
    assert (code, "\x1b" in out, r"a\x1b[31m (dataset" in out) == (0, False, True)
