import csv
import json

import pytest

from spacy_semeval.errors import SemevalError
from spacy_semeval.formats import potato
from spacy_semeval.formats.potato_files import is_export
from spacy_semeval.formats.sources import open_source


def read_potato(where, *args, **options):
    return potato.read_potato([where], *args, **options)


TEXTS = {"d1": "Mira joined Acme in Oslo", "d2": "Nobody came", "d3": "Ha 🙂 Acme & Co"}
CONFIG = """
annotation_task_name: "a task"
task_dir: .
data_files: [data/items.jsonl]
item_properties: {id_key: key, text_key: body}
output_annotation_dir: annotation_output
"""
PER, ORG = ("PER", 0, 4), ("ORG", 12, 16)


def span(label, start, end, key="name", **more):
    return {"schema": "ner", key: label, "start": start, "end": end, "id": "x", **more}


def state(name="ann", marked=None, order=("d1", "d2", "d3"), at=2, **more):
    pairs = {doc: [[span(*found), True] for found in spans] for doc, spans in (marked or {}).items()}
    return {
        "user_id": name,
        "instance_id_ordering": list(order),
        "current_instance_index": at,
        "instance_id_to_span_to_value": pairs,
        **more,
    }


@pytest.fixture
def project(tmp_path):
    def project(*states, config=CONFIG, items=None, data="data/items.jsonl"):
        (tmp_path / "data").mkdir(exist_ok=True)
        (tmp_path / "config.yaml").write_text(config, "utf8")
        items = [{"key": key, "body": text} for key, text in TEXTS.items()] if items is None else items
        text = "\n".join(map(json.dumps, items)) if isinstance(items, list) else items
        (tmp_path / data).write_text(text, "utf8")
        for i, own in enumerate(states):
            folder = tmp_path / "annotation_output" / f"user{i}"
            folder.mkdir(parents=True, exist_ok=True)
            (folder / "user_state.json").write_text(json.dumps(own), "utf8")
        return tmp_path

    return project


@pytest.fixture
def texts(tmp_path):
    path = tmp_path / "texts.jsonl"
    path.write_text("\n".join(json.dumps({"id": key, "text": text}) for key, text in TEXTS.items()), "utf8")
    return path


def rows(data):
    return {(r.annotator, r.document): r.spans for r in data.records}


def test_a_project(project):
    where = project(state("ann", {"d1": [PER, ORG]}), state("bob", {"d1": [PER], "d3": [("ORG", 5, 14)]}))
    data = read_potato(where)
    assert rows(data) == {
        ("ann", "d1"): ((0, 4, "PER"), (12, 16, "ORG")),
        ("ann", "d2"): (),
        ("ann", "d3"): (),
        ("bob", "d1"): ((0, 4, "PER"),),
        ("bob", "d2"): (),
        ("bob", "d3"): ((5, 14, "ORG"),),
    }
    assert {r.document: r.text for r in data.records} == TEXTS
    assert read_potato(where / "config.yaml").records == data.records


@pytest.mark.parametrize(
    ("more", "seen"),
    [
        ({"at": 2}, ["d1", "d2", "d3"]),  # at the last one, from where one can't go on
        ({"at": 1}, ["d1"]),  # d2 is shown, and not done
        ({"at": 0}, []),
        ({"at": 0, "marked": {"d3": [("ORG", 5, 9)]}}, ["d3"]),
        ({"at": 0, "marked": {"d3": []}}, []),
        ({"at": 0, "instance_id_to_label_to_value": {"d2": [["x", 1]], "d1": []}}, ["d2"]),
        ({"at": 0, "instance_id_to_behavioral_data": {"d2": {}}}, ["d2"]),
        ({"at": 1, "order": ("d2", "d1", "d3")}, ["d2"]),
    ],
)
def test_who_saw_what(project, more, seen):
    data = read_potato(project(state(**more)))
    assert [r.document for r in data.records] == seen
    assert data.counts["not_reached"] == 3 - len(seen)


@pytest.mark.parametrize("nothing", [{"order": ()}, {"at": None}])
def test_a_state_that_cannot_tell_who_saw_what(project, nothing):
    where = project(state(marked={"d1": [PER]}, **nothing))
    absent, empty = read_potato(where), read_potato(where, unseen="empty")
    assert [r.document for r in absent.records] == ["d1"]
    assert absent.counts == {"unknown_whether_seen": 2}
    assert rows(empty) == {("ann", "d1"): ((0, 4, "PER"),), ("ann", "d2"): (), ("ann", "d3"): ()}
    assert empty.counts == {"counted_empty": 2}


def test_the_layout_of_the_documentation(tmp_path, texts):
    path = tmp_path / "user_state.json"
    marked = {"d1": {"ner": [{"start": 0, "end": 4, "label": "PER", "text": "Mira"}]}}
    path.write_text(json.dumps({"user_id": 4, "instance_id_to_span_to_value": marked}), "utf8")
    assert rows(read_potato(path, texts)) == {("4", "d1"): ((0, 4, "PER"),)}


def test_the_folder_with_the_states(project, texts):
    where = project(state("ann", {"d1": [PER]}))
    assert rows(read_potato(where / "annotation_output", texts)) == rows(read_potato(where))


@pytest.mark.parametrize("name", [None, ""])
def test_a_user_without_a_name_has_that_of_the_folder(project, name):
    assert {r.annotator for r in read_potato(project(state(name, {"d1": [PER]}))).records} == {"user0"}


def test_one_file_of_items_and_the_usual_keys(project):
    items = [{"id": key, "text": text} for key, text in TEXTS.items()]
    where = project(state("ann", {"d1": [PER]}), config="data_files: data/items.jsonl", items=items)
    assert len(read_potato(where).records) == 3


@pytest.mark.parametrize(
    "wrong", [{"user_id": {"a": 1}}, {"instance_id": ["d1"]}, {"user_id": True}, {"user_id": None}]
)
def test_ids_that_are_none(tmp_path, wrong):
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps({"instance_id": "d1", "user_id": "ann", "spans": {}} | wrong), "utf8")
    with pytest.raises(SemevalError, match="line 1: expected instance_id and user_id, but got"):
        read_potato(open_source(path))


def test_users_who_saw_nothing_are_named(project):
    assert read_potato(project(state("ann"), state("bob", at=0))).annotators == {"ann", "bob"}


def export(path, entries):
    text = [{"instance_id": doc, "user_id": user, "labels": {}, "spans": spans} for doc, user, spans in entries]
    path.write_text("\n".join(map(json.dumps, text)), "utf8")
    return open_source(path)


ENTRIES = [
    ("d1", "ann", {"ner": [span(*PER, text="Mira")]}),
    ("d3", "ann", {"ner": [span("ORG", 5, 9, text="Acme")]}),
    ("d1", "bob", {}),
]


def test_jsonl_export(tmp_path, texts):
    source = export(tmp_path / "a.jsonl", ENTRIES)
    assert is_export(source)
    data = read_potato(source, texts)
    assert rows(data) == {
        ("ann", "d1"): ((0, 4, "PER"),),
        ("ann", "d3"): ((5, 9, "ORG"),),
        ("bob", "d1"): (),
    }
    assert data.counts == {"unknown_whether_seen": 3}
    assert read_potato(source, texts, unseen="empty").counts == {"counted_empty": 3}


def test_an_export_without_texts(tmp_path):
    data = read_potato(export(tmp_path / "a.jsonl", ENTRIES))
    assert {r.text for r in data.records} == {None}
    assert data.counts == {"unknown_whether_seen": 1}  # of the documents that anybody has
    assert data.hints == ["The texts are not known, so offsets were not checked: name the items with --texts."]


@pytest.mark.parametrize("ending", ["csv", "tsv"])
def test_csv_export(tmp_path, texts, ending):
    path = tmp_path / f"a.{ending}"
    with path.open("w", encoding="utf-8-sig", newline="") as file:
        writer = csv.writer(file, delimiter="\t" if ending == "tsv" else ",")
        writer.writerow(["instance_id", "user_id", "ner._spans"])
        writer.writerows([doc, user, json.dumps(s["ner"]) if s else ""] for doc, user, s in ENTRIES)
    source = export(tmp_path / "b.jsonl", ENTRIES)
    assert rows(read_potato(path, texts)) == rows(read_potato(source, texts))


def test_other_files_are_no_export(tmp_path):
    for text in ('{"text": "a", "spans": []}', "", "no json", "[1]"):
        path = tmp_path / "x.jsonl"
        path.write_text(text, "utf8")
        assert not is_export(open_source(path))


@pytest.mark.parametrize("key", ["name", "label", "annotation", "category"])
def test_where_the_label_is(tmp_path, texts, key):
    source = export(tmp_path / "a.jsonl", [("d1", "ann", {"ner": [span("PER", 0, 4, key)]})])
    assert rows(read_potato(source, texts)) == {("ann", "d1"): ((0, 4, "PER"),)}


@pytest.mark.parametrize("empty", [{}, {"name": ""}, {"name": None}])
def test_no_label_is_refused(tmp_path, texts, empty):
    source = export(tmp_path / "a.jsonl", [("d1", "ann", {"ner": [{"start": 0, "end": 4, **empty}]})])
    with pytest.raises(SemevalError, match="user 'ann', instance 'd1': span 0 to 4 has no label"):
        read_potato(source, texts)


# "Ha 🙂 Acme & Co": Acme is 5 to 9 in code points, 6 to 10 in UTF-16.
def test_utf16(tmp_path, texts):
    source = export(tmp_path / "a.jsonl", [("d3", "ann", {"ner": [span("ORG", 6, 10, text="Acme")]})])
    assert rows(read_potato(source, texts, offsets="utf16")) == {("ann", "d3"): ((5, 9, "ORG"),)}
    with pytest.raises(SemevalError, match="'Acme', where the text has 'cme '.* It fits as --offsets utf16"):
        read_potato(source, texts)
    with pytest.raises(SemevalError, match="can't be converted without the texts"):
        read_potato(source, offsets="utf16")


def test_code_points_read_as_utf16(tmp_path, texts):
    source = export(tmp_path / "a.jsonl", [("d3", "ann", {"ner": [span("ORG", 5, 9, text="Acme")]})])
    with pytest.raises(SemevalError, match="It fits as --offsets codepoint"):
        read_potato(source, texts, offsets="utf16")


@pytest.mark.parametrize("offsets", [(3, 4), (4, 10), (0, 99), (-1, 3), (5, 5)])
def test_offsets_that_fit_no_text(tmp_path, texts, offsets):
    source = export(tmp_path / "a.jsonl", [("d3", "ann", {"ner": [span("ORG", *offsets)]})])
    with pytest.raises(SemevalError, match="does not fit its text of 14 characters"):
        read_potato(source, texts, offsets="utf16")


def test_offsets_of_the_shown_text(tmp_path, texts):
    source = export(tmp_path / "a.jsonl", [("d1", "ann", {"ner": [span("ORG", 11, 15, text="Acme")]})])
    with pytest.raises(SemevalError, match="Offsets are those of the text as it was shown"):
        read_potato(source, texts)


def test_a_hint_where_offsets_may_be_utf16(project):
    where = project(state(marked={"d3": [("ORG", 5, 9)]}))
    assert "before 2.12 count UTF-16 units" in read_potato(where).hints[0]
    assert read_potato(project(state(marked={"d1": [PER]}, order=("d1",), at=0))).hints == []


PARTS = [{"start": 20, "end": 24, "text": "Oslo"}]


def test_spans_in_several_pieces(tmp_path, texts):
    marked = {"ner": [span("LOC", 0, 4, text="Mira … Oslo", additional_parts=PARTS), span(*ORG)]}
    source = export(tmp_path / "a.jsonl", [("d1", "ann", marked)])
    with pytest.raises(SemevalError, match="1 spans have additional_parts, .* 0 to 4 of 'ann' in instance 'd1'"):
        read_potato(source, texts)
    hull, first = read_potato(source, texts, parts="hull"), read_potato(source, texts, parts="drop")
    assert hull.records[0].spans == ((0, 24, "LOC"), (12, 16, "ORG"))
    assert first.records[0].spans == ((0, 4, "LOC"), (12, 16, "ORG"))
    assert (hull.counts["parts_joined"], first.counts["parts_dropped"]) == (1, 1)


def test_fields_are_documents(tmp_path):
    path = tmp_path / "texts.jsonl"
    path.write_text(
        json.dumps({"id": "d5", "body": "Rome is far", "head": "Acme moves"})
        + "\n"
        + json.dumps({"id": "d6", "body": "No", "head": "Yes"}),
        "utf8",
    )
    entries = [
        ("d5", "ann", {"ner": [span("LOC", 0, 4, target_field="body"), span("ORG", 0, 4, target_field="head")]}),
        ("d5", "bob", {"ner": [span("LOC", 0, 4, target_field="body")]}),
    ]
    source = export(tmp_path / "a.jsonl", entries)
    data = read_potato(source, path)
    assert rows(data) == {
        ("ann", "d5/body"): ((0, 4, "LOC"),),
        ("ann", "d5/head"): ((0, 4, "ORG"),),
        ("bob", "d5/body"): ((0, 4, "LOC"),),
        ("bob", "d5/head"): (),
    }
    assert [r.text for r in data.records] == ["Rome is far", "Acme moves"] * 2
    missing = export(tmp_path / "b.jsonl", [("d5", "ann", {"ner": [span("LOC", 0, 4, target_field="title")]})])
    with pytest.raises(SemevalError, match="instance 'd5': .* has no text under 'title'"):
        read_potato(missing, path)


def test_fields_belong_to_the_instances_that_have_them(tmp_path):
    """Without the texts too: an instance that was annotated as a whole has no fields."""
    entries = [
        ("d1", "ann", {"ner": [span("LOC", 0, 4)]}),
        ("d1", "bob", {}),
        ("d2", "ann", {}),
        ("d5", "ann", {"ner": [span("LOC", 0, 4, target_field="body"), span("ORG", 0, 4, target_field="head")]}),
        ("d5", "bob", {"ner": [span("LOC", 0, 4, target_field="body")]}),
    ]
    source = export(tmp_path / "a.jsonl", entries)
    expected = {
        ("ann", "d1"): ((0, 4, "LOC"),),
        ("bob", "d1"): (),
        ("ann", "d2"): (),
        ("ann", "d5/body"): ((0, 4, "LOC"),),
        ("ann", "d5/head"): ((0, 4, "ORG"),),
        ("bob", "d5/body"): ((0, 4, "LOC"),),
        ("bob", "d5/head"): (),
    }
    assert rows(read_potato(source)) == expected
    path = tmp_path / "texts.jsonl"
    items = [{"id": name, "text": "Rome is far"} for name in ("d1", "d2")]
    items.append({"id": "d5", "body": "Rome is far", "head": "Acme moves"})
    path.write_text("\n".join(map(json.dumps, items)), "utf8")
    assert rows(read_potato(source, path)) == expected


def test_users_and_folders_that_are_odd_are_counted(project):
    where = project(state("ann", {"d1": [PER]}), state("ann", {"d1": [PER]}), state("bob"))
    (where / "annotation_output" / "cho").mkdir()
    counts = read_potato(where).counts
    assert (counts["users_joined"], counts["folders_without_state"]) == (1, 1)


def test_several_schemes(tmp_path, texts):
    both = {"ner": [span(*PER)], "parts": [span("X", 5, 9) | {"schema": "parts"}]}
    source = export(tmp_path / "a.jsonl", [("d1", "ann", both)])
    with pytest.raises(SemevalError, match="several annotation schemes: ner, parts. Choose one with --potato-scheme"):
        read_potato(source, texts)
    chosen = read_potato(source, texts, scheme="parts")
    assert rows(chosen) == {("ann", "d1"): ((5, 9, "X"),)}
    assert chosen.counts["other_scheme_spans"] == 1
    with pytest.raises(SemevalError, match="no annotation scheme 'POS' with spans. Schemes: ner, parts"):
        read_potato(source, texts, scheme="POS")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("items.json", json.dumps([{"key": "d1", "body": TEXTS["d1"]}])),
        ("items.json", json.dumps({"key": "d1", "body": TEXTS["d1"]})),
        ("items.csv", f"key,body\nd1,{TEXTS['d1']}\n"),
        ("items.tsv", f"key\tbody\nd1\t{TEXTS['d1']}\n"),
    ],
)
def test_kinds_of_items(project, name, text):
    config = CONFIG.replace("items.jsonl", name)
    where = project(state(marked={"d1": [PER]}, order=["d1"], at=0), config=config, items=text, data=f"data/{name}")
    assert read_potato(where).records[0].text == TEXTS["d1"]


def test_jsonl_with_the_ending_json(project):
    lines = "\n".join(json.dumps({"key": key, "body": text}) for key, text in TEXTS.items())
    config = CONFIG.replace("items.jsonl", "items.json")
    where = project(state(marked={"d1": [PER]}), config=config, items=lines, data="data/items.json")
    assert len(read_potato(where).records) == 3


def test_ids_that_are_numbers(project):
    where = project(state(marked={"7": [PER]}, order=[7], at=0), items=[{"key": 7, "body": TEXTS["d1"]}])
    assert rows(read_potato(where)) == {("ann", "7"): ((0, 4, "PER"),)}


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"config": "a: [1"}, "Can't read .*config.yaml as YAML"),
        ({"config": "- 1"}, "config.yaml is no configuration of Potato"),
        (
            {"config": CONFIG.replace("{id_key: key, text_key: body}", "x")},
            "no configuration of Potato: Expected `object",
        ),
        ({"config": CONFIG.replace("[data/items.jsonl]", "[{path: x}]")}, "no configuration of Potato: Expected"),
        ({"config": CONFIG.replace("data_files: [data/items.jsonl]", "")}, "names no data_files: name the items"),
        ({"config": CONFIG.replace("data/items", "data/gone")}, "names 'data/gone.jsonl', which is not in"),
        ({"config": CONFIG.replace("id_key: key", "id_key: id")}, "no id under 'id'. Found: key, body"),
        (
            {"config": CONFIG.replace("text_key: body", "text_key: text")},
            "no text under 'text' in the item of that id, but None",
        ),
        ({"items": [{"key": "d1", "body": "x"}] + [{"key": "d1", "body": "y"}]}, "two items with the id 'd1'"),
        ({"items": [{"key": "d1", "body": ["a", "b"]}]}, "no text under 'body' in the item of that id, but"),
        ({"items": [{"key": "d9", "body": "x"}]}, "holds no item of that id"),
        ({"items": "no json"}, "line 1: not valid JSON"),
    ],
)
def test_what_is_wrong_with_a_project(project, change, problem):
    with pytest.raises(SemevalError, match=problem):
        read_potato(project(state(marked={"d1": [PER]}, order=["d1"], at=0), **change))


@pytest.mark.parametrize(
    ("broken", "problem"),
    [
        ([1], "is damaged, or no user_state.json of Potato: Expected `object`"),
        ({"instance_id_ordering": 3}, "instance_id_ordering"),
        ({"instance_id_to_span_to_value": {"d1": 3}}, "instance 'd1': expected lists of spans by scheme"),
        ({"instance_id_to_span_to_value": {"d1": [[{"start": "0"}]]}}, "instance 'd1': Expected `int`"),
        ({"instance_id_to_span_to_value": {"d1": [[]]}}, "instance 'd1': Expected `object`"),
        (
            {"instance_id_to_span_to_value": {"d1": [[{"start": 0, "end": 4, "name": "PER"}, False]]}},
            "instance 'd1': a span has the value false, which Potato does not write. Take the span out",
        ),
        ({"instance_id_to_span_to_value": {"d1": {"ner": 1}}}, "instance 'd1': expected lists of spans by scheme"),
    ],
)
def test_what_is_wrong_with_a_state(project, broken, problem):
    with pytest.raises(SemevalError, match=problem):
        read_potato(project(broken))


def test_no_folder_of_potato(tmp_path):
    with pytest.raises(SemevalError, match="neither a config.yaml nor a folder for each user with user_state.json"):
        read_potato(tmp_path)


USE = r"Use the annotation_output folder, or the export as JSONL \(python -m potato.export -f jsonl\)"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (
            "schema,code,text,start,end,field,instance_id,source_doc,coder\nner,,,0,4,,d1,x,ann\n",
            f"quotation report. Its labels .* are empty, as version 2.8 writes them. {USE}",
        ),
        (
            "schema,code,text,start,end,field,instance_id,source_doc,coder\nner,PER,Mira,0,4,,d1,x,ann\n",
            f"quotation report. {USE}",
        ),
        ("a,b\n1,2\n", f"no export of Potato with spans: its columns are a, b. {USE}"),
        ("instance_id,user_id\nd1,ann\n", "no export of Potato with spans"),
        ("instance_id,user_id,ner._spans\nd1,ann,[{\n", "row 1: the spans are not valid JSON"),
        ("instance_id,user_id,ner._spans\n", "holds no row"),
        ("instance_id,user_id,ner._spans\nd1,ann\n", "row 1: it has not as many cells as there are columns"),
        ("instance_id,user_id,ner._spans\nd1,ann,[],x\n", "row 1: it has not as many cells as there are columns"),
        ("instance_id,user_id,ner._spans\n,ann,[]\n", "row 1: expected instance_id and user_id, but got ''"),
        ("instance_id,user_id,ner._spans\nd1,ann,3\n", "row 1: expected lists of spans by scheme"),
    ],
)
def test_what_is_wrong_with_a_table(tmp_path, text, problem):
    path = tmp_path / "q.csv"
    path.write_text(text, "utf8")
    with pytest.raises(SemevalError, match=problem):
        read_potato(path)


def test_a_table_that_is_no_text(tmp_path):
    path = tmp_path / "q.csv"
    path.write_bytes("instance_id,user_id,ner._spans\né".encode("latin1"))
    with pytest.raises(SemevalError, match="is no table in UTF-8"):
        read_potato(path)


def test_a_second_different_row(tmp_path, texts):
    data = read_potato(export(tmp_path / "a.jsonl", [*ENTRIES, ("d1", "ann", {})]), texts)
    assert [r.spans for r in data.records if (r.annotator, r.document) == ("ann", "d1")] == [((0, 4, "PER"),), ()]


def test_several_inputs_are_one_project(tmp_path, texts):
    """What is counted as not seen, fields and schemes are those of all inputs together."""
    one = export(tmp_path / "a.jsonl", [("d1", "ann", {"ner": [span(*PER)]}), ("d2", "ann", {})])
    two = export(tmp_path / "b.jsonl", [("d1", "bob", {"ner": [span(*PER)]})])
    both = potato.read_potato([one, two], unseen="empty")
    assert (len(both.records), both.counts["counted_empty"]) == (4, 1)
    other = export(tmp_path / "c.jsonl", [("d1", "cleo", {"x": [span(*PER) | {"schema": "x"}]})])
    with pytest.raises(SemevalError, match="several annotation schemes"):
        potato.read_potato([one, other], texts)
    assert potato.read_potato([one, two], texts).records[0].text == TEXTS["d1"]


def test_texts_of_one_input_check_the_offsets_of_another(project, tmp_path):
    where = project(state("ann", {"d1": [PER]}))
    far = export(tmp_path / "b.jsonl", [("d1", "bob", {"ner": [span("PER", 0, 99)]})])
    with pytest.raises(SemevalError, match="user 'bob', instance 'd1': span 0 to 99 does not fit"):
        potato.read_potato([where, far])


def test_a_field_that_is_the_text(tmp_path, texts):
    entries = [("d1", "ann", {"ner": [span(*PER, target_field="text")]}), ("d1", "bob", {"ner": [span(*PER)]})]
    found = rows(read_potato(export(tmp_path / "a.jsonl", entries), texts))
    assert found == {(name, "d1"): ((0, 4, "PER"),) for name in ("ann", "bob")}


def test_offsets_beyond_all_texts(tmp_path):
    source = export(tmp_path / "a.jsonl", [("d1", "ann", {"ner": [span("PER", 0, 2**62)]})])
    with pytest.raises(SemevalError, match="or far too many"):
        read_potato(source)


def test_json_that_is_too_deep(tmp_path, texts):
    deep = "[" * 200_000
    path = tmp_path / "a.jsonl"
    path.write_text(deep, "utf8")
    assert not is_export(open_source(path))
    table = tmp_path / "a.csv"
    table.write_text(f"instance_id,user_id,ner._spans\nd1,ann,{deep}\n", "utf8")
    with pytest.raises(SemevalError, match="row 1: the spans are not valid JSON"):
        read_potato(table, texts)


def test_a_row_given_twice_is_a_duplicate(tmp_path, texts):
    data = read_potato(export(tmp_path / "a.jsonl", [*ENTRIES, ENTRIES[0]]), texts)
    assert [r.document for r in data.records if r.annotator == "ann"] == ["d1", "d1", "d3"]


def test_one_user_in_several_inputs_is_one_user(tmp_path):
    one = export(tmp_path / "a.jsonl", [("d1", "ann", {"ner": [span(*PER)]}), ("d1", "bob", {})])
    two = export(tmp_path / "b.jsonl", [("d2", "ann", {"ner": [span(*PER)]}), ("d2", "bob", {})])
    both = potato.read_potato([one, two], unseen="empty")
    assert rows(both) == {(n, d): ((0, 4, "PER"),) if n == "ann" else () for n in ("ann", "bob") for d in ("d1", "d2")}
    assert (len(both.records), both.counts["counted_empty"]) == (4, 0)


def test_what_one_input_knows_to_be_seen_stays_seen(project, tmp_path):
    where = project(state("ann", {"d1": [PER]}, order=("d1", "d2"), at=1))
    more = export(tmp_path / "b.jsonl", [("d3", "ann", {"ner": []})])
    assert [r.document for r in potato.read_potato([where, more]).records] == ["d1", "d2", "d3"]
    states = project(state("ann", {"d1": [PER]}, order=("d1",), at=0), state("ann", {}, order=("d2",), at=0))
    assert [r.document for r in read_potato(states).records] == ["d1", "d2"]


def test_a_column_twice(tmp_path):
    path = tmp_path / "export.csv"
    path.write_text("instance_id,user_id,ner._spans,ner._spans\n1,u1,[],[]\n", "utf8")
    with pytest.raises(SemevalError, match="has the column 'ner._spans' more than once"):
        read_potato(path)
