import gzip
import json

import pytest


@pytest.fixture
def write(tmp_path):
    """Write records as lines of JSON, gzipped if the name says so, and give the path."""

    def write(name, *records):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        text = "".join(json.dumps(record) + "\n" for record in records)
        path.write_bytes(gzip.compress(text.encode()) if name.endswith(".gz") else text.encode())
        return str(path)

    return write
