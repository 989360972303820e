"""A database in the layout that Prodigy writes, for tests."""

import json
import sqlite3

LAYOUT = """
    CREATE TABLE dataset (
        id INTEGER PRIMARY KEY, name VARCHAR(255) UNIQUE, created INTEGER, meta BLOB, session INTEGER
    );
    CREATE TABLE example (id INTEGER PRIMARY KEY, input_hash INTEGER, task_hash INTEGER, content BLOB);
    CREATE TABLE link (id INTEGER PRIMARY KEY, example_id INTEGER, dataset_id INTEGER);
"""


def make_database(path, datasets, sessions=(), contents=None):
    """Make a database.

    datasets: for each name its records; those with a `_session_id` are linked to that session too.
    sessions: for each name of a session whose dataset was dropped its records.
    contents: raw contents of a dataset "raw".
    """
    connection = sqlite3.connect(path)
    connection.executescript(LAYOUT)
    known = {}

    def find(name, is_session):
        if name not in known:
            row = (name, 0, b"{}", int(is_session))
            known[name] = connection.execute(
                "INSERT INTO dataset (name, created, meta, session) VALUES (?, ?, ?, ?)", row
            ).lastrowid
        return known[name]

    def add(content, *linked):
        example = connection.execute("INSERT INTO example (content) VALUES (?)", (content,)).lastrowid
        for dataset in linked:
            connection.execute("INSERT INTO link (example_id, dataset_id) VALUES (?, ?)", (example, dataset))

    for name, records in dict(datasets).items():
        find(name, False)
        for record in records:
            session = record.get("_session_id")
            linked = [find(name, False), *([find(session, True)] if session else [])]
            add(json.dumps(record).encode("utf8"), *linked)
    for name, records in dict(sessions).items():
        for record in records:
            add(json.dumps(record).encode("utf8"), find(name, True))
    for content in contents or ():
        add(content, find("raw", False))
    connection.commit()
    connection.close()
    return path
