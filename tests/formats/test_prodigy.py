import json
import tempfile
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tasks import read_prodigy, task

from spacy_semeval import SemevalError
from spacy_semeval.formats.prodigy import Reader
from spacy_semeval.formats.sources import open_source

ANSWERS = st.sampled_from(["accept", "reject", "ignore", "later", None])


def tokens(*words):
    made, at = [], 0
    for i, word in enumerate(words):
        made.append({"text": word, "start": at, "end": at + len(word), "id": i})
        at += len(word) + 1
    return made


@pytest.fixture
def write(tmp_path):
    def write(*rows, sep="\n", head="", name="data.jsonl"):
        path = tmp_path / name
        lines = [row if isinstance(row, str) else json.dumps(row, ensure_ascii=False) for row in rows]
        path.write_bytes((head + sep.join(lines) + sep).encode("utf8"))
        return path

    return write


def spans(dataset):
    return [[(s, e, label) for s, e, label in record.spans] for record in dataset.records]


def test_a_plain_file(write):
    words = tokens("Take", "aspirin", "daily")
    data = read_prodigy(write(task(tokens=words), task("Nothing", ()), {"text": "No key", "answer": "accept"}))
    assert spans(data) == [[(5, 12, "DRUG")], [], []]
    assert [(t.start, t.end) for t in data.records[0].tokens] == [(0, 4), (5, 12), (13, 18)]
    assert [record.line for record in data.records] == [1, 2, 3]
    assert not data.skipped


def test_null_spans_are_no_spans(write):
    assert spans(read_prodigy(write({"text": "Nothing", "spans": None, "answer": "accept"}))) == [[]]


def test_files_as_they_come(write):
    rows = [task(), "", task("a\u2028b aspirin", ((4, 11, "DRUG"),)), task("😀 aspirin", ((2, 9, "DRUG"),))]
    data = read_prodigy(write(*rows, sep="\r\n", head="\ufeff"))
    assert [r.text[s:e] for r in data.records for s, e, _ in r.spans] == ["aspirin"] * 3
    assert [record.line for record in data.records] == [1, 3, 4]


def test_records_without_an_answer_are_predictions(write):
    row = {"text": "Take aspirin", "spans": [{"start": 5, "end": 12, "label": "DRUG", "score": 0.9}]}
    assert spans(read_prodigy(write(row))) == [[(5, 12, "DRUG")]]


def test_other_answers_are_left_out_and_counted(write):
    rows = [task(answer=answer) for answer in ("accept", "reject", "ignore", "ignore", "later")]
    data = read_prodigy(write(*rows))
    assert len(data.records) == 1
    assert dict(data.skipped) == {"rejected": 1, "ignored": 2, "other_answer": 1}


def test_answers_of_single_spans(write):
    row = task("aspirin codeine water")
    row["spans"] = [
        {"start": 0, "end": 7, "label": "DRUG", "answer": "accept"},
        {"start": 8, "end": 15, "label": "DRUG", "answer": "ignore"},
        {"start": 16, "end": 21, "label": "DRUG", "answer": "reject"},
    ]
    data = read_prodigy(write(row))
    (record,) = data.records
    assert (record.spans, record.unknown) == (((0, 7, "DRUG"),), ((8, 15),))
    assert dict(data.skipped) == {"ignored_spans": 1, "rejected_spans": 1}


@pytest.mark.parametrize(
    "mark", [{"_view_id": "ner"}, {"_view_id": "spans"}, {"_is_binary": True}, {"rank": 0}, {"score": 0.5}]
)
def test_binary_answers_are_no_gold(write, mark):
    on_record = {key: value for key, value in mark.items() if key.startswith("_")}
    row = task(**on_record)
    row["spans"][0].update({key: value for key, value in mark.items() if key not in on_record})
    assert dict(read_prodigy(write(task(), row)).skipped) == {"binary": 1}
    with pytest.raises(SemevalError, match="Left out, binary answers.*: 1"):
        read_prodigy(write(row))


@pytest.mark.parametrize("mark", [{"_view_id": "choice"}, {"_view_id": "text_input"}, {"options": [{"id": 1}]}])
def test_choice_records_are_left_out(write, mark):
    assert dict(read_prodigy(write(task(), task(**mark))).skipped) == {"choice": 1}


def by(name, spans=((5, 12, "DRUG"),), **more):
    return task(spans=spans, _annotator_id=name, _session_id=name, **more)


def test_one_of_several_annotators_is_chosen(write):
    path = write(by("set-ana"), by("set-ben", ()), by("set-ana", ((0, 4, "VERB"),)))
    for name in ("ana", "set-ana"):
        data = read_prodigy(path, name)
        assert spans(data) == [[(5, 12, "DRUG")], [(0, 4, "VERB")]]
        assert dict(data.skipped) == {"other_annotator": 1}
    for chosen in (None, "cleo"):
        with pytest.raises(SemevalError, match="ana, ben"):
            read_prodigy(path, chosen)


def test_one_annotator_needs_no_choice(write):
    path = write(by("set-ana"), by("set-ana"), task(_session_id=None))
    assert len(read_prodigy(path).records) == 3
    assert len(read_prodigy(path, "ana").records) == 2


def test_names_are_shortened_by_what_all_share_only(write):
    path = write(by("my-set-ana-maria"), by("my-set-ben%20j"), by("my-other-ben"))
    with pytest.raises(SemevalError, match="other-ben, set-ana-maria, set-ben j"):
        read_prodigy(path)
    assert len(read_prodigy(path, "set-ben j").records) == 1
    assert len(read_prodigy(path, "my-set-ben%20j").records) == 1


def test_names_that_look_the_same_when_decoded(write):
    path = write(by("ds-a b"), by("ds-a%20b", ()))
    with pytest.raises(SemevalError, match="2 annotators: ds-a b, ds-a%20b"):
        read_prodigy(path)
    assert [len(spans(read_prodigy(path, name))[0]) for name in ("ds-a b", "ds-a%20b")] == [1, 0]


def test_timed_sessions_are_nobody(write):
    path = write(by("2024-02-28_10-11-12"), by("2024-02-29_10-11-12"))
    assert len(read_prodigy(path).records) == 2
    with pytest.raises(SemevalError, match="Annotators: none"):
        read_prodigy(path, "2024-02-28_10-11-12")


@pytest.fixture
def review(write):
    versions = [
        {"text": "Take aspirin daily", "spans": [], "sessions": ["set-ana", "set-cleo"], "answer": "accept"},
        {"text": "Take aspirin daily", "spans": task()["spans"], "sessions": ["set-ben"], "answer": "accept"},
    ]
    moved = [{**versions[0], "text": "Take aspirin  daily"}]
    first = by("set-ana", ((5, 12, "DRUG"), (13, 18, "TIME")), versions=versions, _view_id="review")
    return write(first, by("set-ana", (), versions=moved, _view_id="ner_manual"))


def test_a_review_export_gives_its_reviewed_spans(review):
    assert spans(read_prodigy(review)) == [[(5, 12, "DRUG"), (13, 18, "TIME")], []]


def test_annotators_of_a_review_export_are_those_of_its_versions(review):
    assert spans(read_prodigy(review, "ben")) == [[(5, 12, "DRUG")]]
    data = read_prodigy(review, "cleo")
    assert (spans(data), dict(data.skipped)) == ([[]], {"different_text": 1})
    with pytest.raises(SemevalError, match="ana, ben, cleo"):
        read_prodigy(review, "original")


def test_binary_reviews_are_no_gold(write):
    row = task(_view_id="review", view_id="ner", versions=[{"spans": [], "sessions": ["a"]}])
    with pytest.raises(SemevalError, match="binary"):
        read_prodigy(write(row))


@pytest.mark.parametrize(
    ("on_record", "on_version", "reason"),
    [
        ({"view_id": "ner"}, {}, "binary"),
        ({"view_id": "choice"}, {}, "choice"),
        ({"view_id": "ner_manual"}, {"_view_id": "ner"}, "binary"),
        ({"view_id": "ner_manual"}, {"_view_id": "classification"}, "choice"),
        ({"view_id": "image_manual"}, {}, "image"),
        ({"view_id": "ner_manual"}, {"_view_id": "image_manual"}, "image"),
    ],
)
def test_reviews_of_other_interfaces(write, on_record, on_version, reason):
    version = {"text": "Take aspirin daily", "spans": [], "sessions": ["ana"], **on_version}
    path = write(task(versions=[{"sessions": ["ana"]}]), task(_view_id="review", versions=[version], **on_record))
    if reason == "image":
        with pytest.raises(SemevalError, match="line 2: an image or audio record"):
            read_prodigy(path, "ana")
    else:
        assert dict(read_prodigy(path, "ana").skipped) == {reason: 1}


def test_a_version_has_its_own_time(write):
    versions = [{"sessions": ["ana"], "_timestamp": 9}, {"sessions": ["ben"]}]
    path = write(task(_timestamp=1, versions=versions))
    assert [read_prodigy(path, name).records[0].timestamp for name in (None, "ana", "ben")] == [1, 9, 1]


def test_a_span_that_is_accepted_and_rejected(write):
    row = task(spans=[(5, 12, "DRUG"), (5, 12, "DRUG")])
    row["spans"][1]["answer"] = "reject"
    with pytest.raises(SemevalError, match=r"line 1: span 5 to 12 \(DRUG\) is accepted and rejected"):
        read_prodigy(write(row))


def test_a_key_that_no_record_has_tells_nobody_apart(write):
    path = write(by("ds-ana"), by("ds-ben"))
    reader = Reader(open_source(path), annotator_key="coder")
    with pytest.raises(SemevalError, match="2 annotators: ana, ben"):
        list(reader)
    assert not reader.has_key


def test_two_versions_of_one_annotator(write):
    version = {"spans": [], "sessions": ["a"]}
    assert spans(read_prodigy(write(task(versions=[version, version])), "a")) == [[]]
    with pytest.raises(SemevalError, match="line 1: annotator 'a' has two versions"):
        read_prodigy(write(task(versions=[version, {**version, "spans": task()["spans"]}])), "a")


def test_what_was_accepted_is_annotated_whatever_was_ignored_there(write):
    row = task("Take aspirin daily", ((0, 18, "X"), (5, 12, "DRUG"), (0, 4, "VERB")))
    row["spans"][0]["answer"] = "ignore"
    (record,) = read_prodigy(write(row)).records
    assert record.unknown == ((4, 5), (12, 18))
    row = task("aspirin", ((0, 7, "DRUG"), (0, 7, "DRUG")))
    row["spans"][0]["answer"] = "ignore"
    assert read_prodigy(write(row)).records[0].unknown == ()


def test_an_unknown_answer_of_a_span_is_counted(write):
    row = task()
    row["spans"][0]["answer"] = "Accept"
    data = read_prodigy(write(row))
    assert (spans(data), dict(data.skipped)) == ([[]], {"other_answer_spans": 1})


def test_what_is_noted(write):
    differing = task("Take  aspirin daily a b c d e", tokens=tokens("Take", "aspirin"))
    data = read_prodigy(write({"text": "a", "spans": None}, {"text": "b"}, differing))
    assert dict(data.noted) == {"null_spans": 1, "differing_tokens": 1}
    assert "Noted, records with a token that differs from the text: 1" in data.notes()


def test_a_text_that_came_with_a_picture(write):
    words = tokens("Take", "aspirin", "daily")
    pictured = [task(image="x.png", tokens=words), task(image="x.png", _view_id="spans_manual")]
    assert len(read_prodigy(write(*pictured)).records) == 2
    for mark in ({"image": "x.png"}, {"audio": "x.wav"}, {"audio_spans": []}, {"image": "x", "_view_id": "blocks"}):
        with pytest.raises(SemevalError, match="line 2: an image or audio record"):
            read_prodigy(write(task(), task(answer="reject", **mark)))


def test_labels_may_be_absent_if_none_are_needed(write):
    bare = {"text": "Take", "spans": [{"start": 0, "end": 4}, {"start": 0, "end": 2, "label": None}]}
    reader = Reader(open_source(write(bare)), needs_labels=False)
    assert [record.spans for record in reader] == [((0, 4, ""), (0, 2, ""))]


def test_hashes_and_times_of_all_kinds(write):
    rows = [
        task(_input_hash=hash, _timestamp=time) for hash, time in ((-7, 3), ("x", 3.5), (None, "now"), (10**25, None))
    ]
    found = read_prodigy(write(*rows)).records
    assert [(record.input_hash, record.timestamp) for record in found] == [
        (-7, 3),
        ("x", 3.5),
        (None, None),
        (10**25, None),
    ]


BINARY = [
    task(_view_id="ner"),
    task(_view_id="ner", answer="reject"),
    task(spans=((5, 12, "DRUG"), (0, 4, "VERB")), _view_id="spans"),
    task(_view_id="ner_manual"),
    task(spans=(), _view_id="ner"),
    task(spans=((5, 12, "DRUG"), (0, 4, "VERB")), _view_id="ner", answer="reject"),
    task(_view_id="ner", answer="ignore"),
]


def test_binary_answers(write):
    own = task(_view_id="ner", answer="reject")
    own["spans"][0]["answer"] = "accept"
    one_of_two = task(spans=((5, 12, "DRUG"), (0, 4, "VERB")), _view_id="ner", answer="reject")
    one_of_two["spans"][0]["answer"] = "accept"
    ignored = task(_view_id="ner")
    ignored["spans"][0]["answer"] = "ignore"
    reader = Reader(open_source(write(*BINARY, own, one_of_two, ignored)), binary=True)
    assert [(record.spans, record.rejected) for record in reader] == [
        (((5, 12, "DRUG"),), ()),
        ((), ((5, 12, "DRUG"),)),
        (((5, 12, "DRUG"), (0, 4, "VERB")), ()),
        (((5, 12, "DRUG"),), ()),
        (((5, 12, "DRUG"),), ()),
    ]
    assert (reader.read, dict(reader.skipped)) == (
        10,
        {"complete": 1, "no_question": 2, "undecided": 1, "ignored": 1, "undecided_spans": 1, "ignored_spans": 1},
    )


def test_rejected_binary_answers_are_called_binary(write):
    assert dict(read_prodigy(write(*BINARY)).skipped) == {"binary": 5, "ignored": 1}


SHIFTED = [
    {"text": w, "start": 5 * i - 2 * (i > 5), "end": 5 * i - 2 * (i > 5) + 4} for i, w in enumerate(["word"] * 12)
]


def test_offsets_that_are_right_in_the_beginning_only(write):
    text = " ".join(["word"] * 12)
    assert len(read_prodigy(write(task(text, tokens=SHIFTED[:6]))).records) == 1
    with pytest.raises(SemevalError, match="line 1: the offsets do not belong.*'word' is said to be at 28 to 32"):
        read_prodigy(write(task(text, tokens=SHIFTED)))


words = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
anything = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | words
nested = st.recursive(anything, lambda inner: st.lists(inner) | st.dictionaries(words, inner))
span_shapes = st.fixed_dictionaries(
    {"start": st.integers(0, 3), "end": st.integers(4, 8), "label": st.sampled_from("AB")},
    optional={"answer": ANSWERS, "score": anything, "text": words},
)
shapes = st.fixed_dictionaries(
    {"text": st.text("a\u2028😀\n", min_size=8, max_size=9)},
    optional={
        # one answer a span: two contrary ones are refused
        "spans": st.none() | st.lists(span_shapes, max_size=3, unique_by=lambda s: (s["start"], s["end"], s["label"])),
        "answer": ANSWERS,
        "_view_id": st.sampled_from(["ner_manual", "ner", "choice", "review", None]),
        "_is_binary": st.sampled_from([True, False, None]),
        "_annotator_id": st.sampled_from(["ds-ana", None]),
        "_input_hash": st.integers(),
        "_timestamp": anything,
        "versions": st.just([{"sessions": ["ds-ana"], "spans": [{"start": 0, "end": 1, "label": "C"}]}]),
        "meta": nested,
    },
)


@pytest.mark.fuzz
@given(st.lists(shapes, min_size=1, max_size=6), st.booleans())
def test_every_record_is_used_or_counted(rows, binary):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "data.jsonl"
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf8")
        reader = Reader(open_source(path), binary=binary)
        found = []
        with suppress(SemevalError):  # nothing is left
            found += reader
    left_out = sum(count for reason, count in reader.skipped.items() if not reason.endswith("_spans"))
    assert reader.read == len(rows) == len(found) + left_out
    for record in found:
        row = rows[record.line - 1]
        spans = row.get("spans") or []
        if binary and row.get("answer") == "reject" and len(spans) > 1:
            spans = [span for span in spans if span.get("answer")]  # of the others it is not known which one is wrong
        answers = [span.get("answer") or row.get("answer") or "accept" for span in spans]
        assert (record.text, len(record.spans)) == (row["text"], answers.count("accept"))
        assert len(record.rejected) == answers.count("reject")


@pytest.mark.fuzz
@given(st.dictionaries(st.sampled_from(["text", "spans", "tokens", "answer", "versions", "_view_id", "image"]), nested))
def test_whatever_the_types_the_file_is_read_or_named(row):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "data.jsonl"
        path.write_text(json.dumps(row), "utf8")
        try:
            read_prodigy(path)
        except SemevalError as error:
            said = str(error)
        else:
            said = str(path)
    assert "data.jsonl" in said


def test_no_options_make_no_choice(write):
    assert len(read_prodigy(write(task(options=[], _is_binary=None))).records) == 1


WORD_PIECES = [
    {"text": "[CLS]", "start": 0, "end": 0, "id": 0},
    {"text": "take", "start": 0, "end": 4, "id": 1},
    {"text": "▁aspi", "start": 4, "end": 9, "id": 2},
    {"text": "##rin", "start": 9, "end": 12, "id": 3},
    {"text": "daily", "start": 13, "end": 18, "id": 4},
]


def test_word_pieces_are_no_reason_to_refuse(write):
    assert len(read_prodigy(write(task(tokens=WORD_PIECES))).records) == 1


BAD = {
    "cut": ('{"text": "Take asp', "JSON"),
    "latin": (b'{"text": "caf\xe9", "answer": "accept"}', "UTF-8"),
    "array": ("[{}]", "JSON array"),
    "deep": ('{"text": "x", "meta": ' + "[" * 100_000 + "]" * 100_000 + "}", "JSON"),
    "deep and wrong": ('{"text": 3, "meta": ' + "[" * 100_000 + "]" * 100_000 + "}", "(JSON|str)"),
    "half a surrogate pair": (r'{"text": "\ud83d", "answer": "accept"}', "surrogate"),
    "NUL": (b"\x00", "JSON"),
    "session": (task(_session_id=7), r"_session_id.*found 7"),
    "huge": (task(spans=((5, 10**30, "DRUG"),)), "5 to 10000"),
    "number": ("7", "object"),
    "outside": (task(spans=((5, 99, "DRUG"),)), "5 to 99"),
    "backwards": (task(spans=((12, 5, "DRUG"),)), "12 to 5"),
    "empty": (task(spans=((5, 5, "DRUG"),)), "5 to 5"),
    "negative": (task(spans=((-5, 5, "DRUG"),)), "-5 to 5"),
    "float": (task(spans=((5.5, 12, "DRUG"),)), r"int.*spans\[0\]\.start.*5\.5"),
    "bool": (task(spans=((True, 12, "DRUG"),)), "int"),
    "text offset": (task(spans=(("5", 12, "DRUG"),)), "'5'"),
    "no label": ({"text": "Take aspirin", "spans": [{"start": 5, "end": 12}], "answer": "accept"}, "no label"),
    "empty label": (task(spans=((5, 12, ""),)), "empty label"),
    "string": ({"text": "Take", "spans": "[{'start': 5}]", "answer": "accept"}, r"\$\.spans.*\[\{'start"),
    "image": ({"text": "a.png", "spans": [{"label": "X", "points": []}], "answer": "accept"}, "image"),
    "image view": (task(_view_id="image_manual"), "image"),
    "key twice": ('{"text": "a", "spans": [{"start": "x"}], "spans": []}', "spans"),
    "key twice, other type": ('{"text": "a", "spans": [{"start": "x"}], "spans": 3}', "spans"),
    "out of range": ('{"text": "a", "spans": [{"start": 1e400, "end": 1, "label": "A"}]}', "(range|int)"),
    "audio": ({"text": "a.wav", "audio": "x", "answer": "accept"}, "audio"),
    "no text": ({"spans": [], "answer": "accept"}, "'text' is missing"),
    "other text": (
        task(
            "Take  aspirin  daily", tokens=[{"text": w, "start": i, "end": i + 4, "id": 0} for i, w in enumerate("abc")]
        ),
        "do not belong to this text: token 'a'",
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_line_is_named(write, name):
    row, said = BAD[name]
    path = write(task())
    raw = row if isinstance(row, bytes) else (row if isinstance(row, str) else json.dumps(row)).encode("utf8")
    path.write_bytes(path.read_bytes() + b"\n" + raw + b"\n")
    with pytest.raises(SemevalError, match=f"data.jsonl, line 3: .*{said}"):
        read_prodigy(path)


def test_nothing_to_read(write, tmp_path):
    for path, said in ((write(), "no record"), (tmp_path / "absent.jsonl", "absent.jsonl"), (tmp_path, "directory")):
        with pytest.raises(SemevalError, match=said):
            read_prodigy(path)
