import sqlite3
import sys
from types import ModuleType

import msgspec
import pytest
from prodigy_db import make_database
from tasks import task

from spacy_semeval import SemevalError
from spacy_semeval.formats.database import DatasetName, find_database
from spacy_semeval.formats.prodigy import Reader
from spacy_semeval.formats.sources import open_source


def records(source):
    return [(number, msgspec.json.decode(raw)) for number, raw in source.lines()]


@pytest.fixture
def database(tmp_path):
    by_ana, by_ben = ([task(name, (), _session_id=f"news-{name}")] for name in ("ana", "ben"))
    datasets = {"news": [*by_ana, *by_ben, task("last", ())], "empty": []}
    return make_database(tmp_path / "prodigy.db", datasets, {"dropped-cleo": [task("kept", ())]})


def test_datasets_come_before_sessions(database):
    assert find_database(database).datasets() == [
        DatasetName("empty", False, 0),
        DatasetName("news", False, 3),
        DatasetName("dropped-cleo", True, 1),
        DatasetName("news-ana", True, 1),
        DatasetName("news-ben", True, 1),
    ]


def test_records_come_in_the_order_of_their_links(tmp_path):
    path = make_database(tmp_path / "prodigy.db", {"news": [task(text, ()) for text in "abc"]})
    connection = sqlite3.connect(path)
    connection.execute("DELETE FROM link WHERE example_id = 1")
    connection.execute("INSERT INTO link (example_id, dataset_id) VALUES (1, 1)")
    connection.commit()
    connection.close()
    source = open_source("prodigy:news", path)
    assert [(number, record["text"]) for number, record in records(source)] == [(1, "b"), (2, "c"), (3, "a")]
    assert (source.name, source.path) == ("prodigy:news", path)


@pytest.mark.parametrize(("name", "texts"), [("news", ["ana", "ben", "last"]), ("news-ben", ["ben"]), ("empty", [])])
def test_a_dataset_or_a_session(database, name, texts):
    assert [record["text"] for _, record in records(open_source(f"prodigy:{name}", database))] == texts


def test_an_unknown_dataset_lists_what_there_is(database):
    with pytest.raises(SemevalError) as caught:
        open_source("prodigy:new", database)
    assert str(caught.value).splitlines() == [
        f"{database} has no dataset 'new'. It has:",
        "  'empty' (0 records)",
        "  'news' (3 records)",
        "  'dropped-cleo' (session, 1 records)",
        "  'news-ana' (session, 1 records)",
        "  'news-ben' (session, 1 records)",
    ]


def test_the_database_is_where_prodigy_puts_it(monkeypatch, database, tmp_path):
    monkeypatch.setenv("PRODIGY_HOME", str(tmp_path))
    assert find_database().path == database
    monkeypatch.delenv("PRODIGY_HOME")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    with pytest.raises(SemevalError, match=r"home/\.prodigy/prodigy\.db.*--prodigy-db"):
        find_database()


def test_reading_leaves_the_file_alone(database):
    before = database.read_bytes()
    database.chmod(0o444)
    assert len(records(open_source("prodigy:news", database))) == 3
    assert database.read_bytes() == before
    assert [path.name for path in database.parent.iterdir()] == ["prodigy.db"]


def test_paths_that_look_like_addresses(tmp_path):
    folder = tmp_path / "a?mode=rwc#b%20c"
    folder.mkdir()
    path = make_database(folder / "x.db", {"news": [task()]})
    assert len(records(open_source("prodigy:news", path))) == 1


def test_text_instead_of_bytes(tmp_path):
    path = make_database(tmp_path / "prodigy.db", {}, contents=['{"text": "é"}'])
    assert records(open_source("prodigy:raw", path)) == [(1, {"text": "é"})]


@pytest.mark.parametrize("content", [b"", b"no database", b"SQLite format 3\0" + b"\0" * 2000])
def test_what_is_no_database(tmp_path, content):
    (tmp_path / "x.db").write_bytes(content)
    with pytest.raises(SemevalError, match="Can't read .*x.db as Prodigy's SQLite database"):
        open_source("prodigy:news", tmp_path / "x.db")


@pytest.fixture
def prodigy(monkeypatch):
    """A Prodigy that is installed, with its configuration and its database."""

    def install(config, datasets=None, sessions=None):
        class Database:
            def __init__(self):
                self.datasets, self.sessions = list(datasets), list(sessions)

            def get_dataset_examples(self, name):
                return {**datasets, **sessions}[name]

        modules = {
            name: ModuleType(name)
            for name in ("prodigy", "prodigy.util", "prodigy.components", "prodigy.components.db")
        }
        for name, module in modules.items():
            module.__spec__ = module.__path__ = name
            monkeypatch.setitem(sys.modules, name, module)
        modules["prodigy.util"].get_config = lambda: config
        modules["prodigy.components.db"].connect = lambda: Database()

    return install


def test_prodigy_connects_to_other_databases(prodigy):
    prodigy({"db": "postgresql"}, {"news": [task("a", ()), task("b", ())]}, {"news-ana": [task("a", ())]})
    assert [record["text"] for _, record in records(open_source("prodigy:news"))] == ["a", "b"]
    assert len(records(open_source("prodigy:news-ana"))) == 1
    with pytest.raises(
        SemevalError, match=r"has no dataset 'old'. It has:\n  'news' \(2 records\)\n  'news-ana' \(session"
    ):
        open_source("prodigy:old")


def test_a_file_is_opened_without_prodigy(prodigy, database, monkeypatch):
    prodigy({"db": "postgresql"}, {}, {})
    assert len(records(open_source("prodigy:news", database))) == 3
    prodigy({"db": "sqlite"})
    monkeypatch.setenv("PRODIGY_HOME", str(database.parent))
    assert len(records(open_source("prodigy:news"))) == 3


def test_a_prodigy_that_cannot_connect(prodigy):
    prodigy({"db": "mysql"})
    with pytest.raises(SemevalError, match="Prodigy can't open its database: TypeError"):
        open_source("prodigy:news")


def test_a_prodigy_that_leaves(prodigy, monkeypatch):
    prodigy({"db": "mysql"}, {}, {})

    def leave():
        raise SystemExit(7)

    monkeypatch.setattr(sys.modules["prodigy.components.db"], "connect", leave)
    with pytest.raises(SemevalError, match="Prodigy can't open its database: SystemExit"):
        open_source("prodigy:news")


def test_a_folder_is_no_database(tmp_path):
    with pytest.raises(SemevalError, match="it is no file.*PRODIGY_HOME"):
        find_database(tmp_path)


def test_a_link_to_nothing_is_a_record_that_cannot_be_read(tmp_path):
    path = make_database(tmp_path / "prodigy.db", {"news": [task()]})
    connection = sqlite3.connect(path)
    connection.execute("INSERT INTO link (example_id, dataset_id) VALUES (77, 1)")
    connection.commit()
    connection.close()
    with pytest.raises(SemevalError, match="prodigy:news, record 2: not valid JSON"):
        list(Reader(open_source("prodigy:news", path)))
