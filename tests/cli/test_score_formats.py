"""`semeval score` on files of all formats, and of two formats at once."""

import json
import os
import subprocess
import sys

import pytest
import spacy
from prodigy_db import make_database
from spacy.tokens import Doc, DocBin
from tasks import task

TEXT = "Take aspirin instead of warfarin today"
ASPIRIN, WARFARIN, MORE = (5, 12, "DRUG"), (24, 32, "DRUG"), (21, 32, "DRUG")
SCORED = {"strict": (1, 1, 0, 0, 0), "partial": (1, 0, 1, 0, 0)}


@pytest.fixture
def write(tmp_path):
    def write(name, content):
        path = tmp_path / name
        if isinstance(content, list):
            content = "".join(json.dumps(row) + "\n" for row in content) if name.endswith("l") else json.dumps(content)
        path.write_text(content, "utf8")
        return path

    return write


@pytest.fixture
def score(run, tmp_path):
    def score(gold, pred, *options):
        out = tmp_path / "out.json"
        code, said = run("semeval", "score", gold, pred, "-o", out, *options)
        assert code == 0, said
        data = json.loads(out.read_text("utf8"))
        cells = {s: tuple(c[k] for k in ("cor", "inc", "par", "mis", "spu")) for s, c in data["overall"].items()}
        return data, cells

    return score


def refused(run, *args):
    code, said = run("semeval", "score", *args)
    assert code in (1, 2), said
    return said


def keyed(spans):
    return [{"start": start, "end": end, "label": label} for start, end, label in spans]


@pytest.fixture
def sides(write, tmp_path):
    """Gold and pred of one text and an empty one in each format that holds texts."""

    def side(name, spans):
        nlp = spacy.blank("en")
        docs = [nlp(TEXT), nlp("Nothing")]
        docs[0].ents = [docs[0].char_span(start, end, label) for start, end, label in spans]
        docs[1].ents = []
        DocBin(docs=docs).to_disk(tmp_path / f"{name}.spacy")
        tags = ["O" if not doc[i].ent_type_ else f"{doc[i].ent_iob_}-DRUG" for doc in docs for i in range(len(doc))]
        words = [token.text for doc in docs for token in doc]
        lines = [f"{word} {tag}\n" for word, tag in zip(words, tags)]
        return {
            "docbin": tmp_path / f"{name}.spacy",
            "prodigy": write(f"{name}.jsonl", [task(TEXT, spans), task("Nothing", ())]),
            "conll": write(f"{name}.conll", "".join([*lines[:6], "\n", *lines[6:]])),
            "spans": write(
                f"{name}.json", [{"text": TEXT, "entities": keyed(spans)}, {"text": "Nothing", "spans": []}]
            ),
            "eval4ner": write(
                f"{name}_strings.json",
                [
                    {"text": TEXT, "entities": [[label, TEXT[start:end]] for start, end, label in spans]},
                    {"text": "Nothing", "entities": []},
                ],
            ),
        }

    return side("gold", [ASPIRIN, WARFARIN]), side("pred", [ASPIRIN, MORE])


KINDS = ("docbin", "prodigy", "conll", "spans", "eval4ner")


@pytest.mark.parametrize("gold", KINDS)
@pytest.mark.parametrize("pred", KINDS)
def test_any_format_against_any(score, sides, gold, pred):
    options = ("--gold-format", gold, "--pred-format", pred)
    data, cells = score(sides[0][gold], sides[1][pred], *options)
    assert {schema: cells[schema] for schema in SCORED} == SCORED
    assert data["documents"]["scored"] == 2
    assert data["settings"]["inputs"]["linked_by"] == ("position" if gold == pred == "conll" else "text")


def test_potato_against_prodigy(score, write, tmp_path):
    items = write("items.jsonl", [{"id": "d1", "text": TEXT}])
    spans = [{"start": 5, "end": 12, "name": "DRUG"}, {"start": 24, "end": 32, "name": "DRUG"}]
    rows = [{"instance_id": "d1", "user_id": user, "spans": {"s": spans[:n]}} for user, n in (("ana", 2), ("ben", 1))]
    export = write("export.jsonl", rows)
    pred = write("pred.jsonl", [task(TEXT, [ASPIRIN])])
    options = ("--texts", items, "--gold-annotator")
    assert score(export, pred, *options, "ana")[1]["strict"] == (1, 0, 0, 1, 0)
    assert score(export, pred, *options, "ben")[1]["strict"] == (1, 0, 0, 0, 0)


def test_exports_of_potato_may_lack_what_was_left_empty(run, score, write):
    spans = [{"start": 5, "end": 12, "name": "DRUG"}]
    rows = [{"instance_id": n, "user_id": "ana", "spans": {"s": spans}} for n in ("d1", "d2")]
    gold, pred = write("gold.jsonl", rows), write("pred.jsonl", [rows[0]])
    items = write("items.jsonl", [{"id": n, "text": TEXT} for n in ("d1", "d2")])
    said = " ".join(refused(run, gold, pred, "--texts", items).split())
    assert "lacks 1 of the 2 documents" in said
    assert "without a span: --unseen empty takes it as empty" in said
    assert score(gold, pred, "--texts", items, "--unseen", "empty")[1]["strict"] == (1, 0, 0, 1, 0)


def test_what_documents_are_known_by_is_said(run, write):
    span = {"start": 0, "end": 1, "label": "A"}
    one, other = ({"id": "a", "text": text, "entities": [span]} for text in ("ab", "cd"))
    files = [write(f"{i}.json", [document]) for i, document in enumerate((one, other, one | {"id": "b"}))]
    assert "Some have the same id, but none of them has the same text" in refused(run, *files[:2])
    assert "1 texts are the same, but their id is not" in " ".join(refused(run, files[0], files[2]).split())
    twice = write("twice.json", [one, one | {"entities": []}])
    assert "lines or documents 1, 2" in refused(run, twice, twice)


def test_nervaluate_ends_are_inclusive(score, write):
    gold = write("gold.json", [keyed([(5, 11, "DRUG")]), []])
    pred = write("pred.jsonl", [task(TEXT, [ASPIRIN]), task("Nothing", ())])
    data, cells = score(gold, pred, "--gold-format", "nervaluate")
    assert (cells["strict"], data["settings"]["inputs"]["linked_by"]) == ((1, 0, 0, 0, 0), "position")
    assert score(gold, pred, "--gold-format", "spans")[1]["strict"] == (0, 1, 0, 0, 0)


def test_tags_are_compared_in_tokens(score, write):
    gold = write("gold.json", [["O", "B-A", "I-A"], ["B-A"]])
    pred = write("pred.json", [["O", "U-A", "O"], ["U-A"]])
    assert score(gold, pred)[1]["partial"] == (1, 0, 1, 0, 0)


def test_documents_are_linked_by_ids(score, write):
    gold = write("gold.jsonl", [{"id": i, "entities": keyed(spans)} for i, spans in ((1, [ASPIRIN]), (2, []))])
    pred = write("pred.jsonl", [{"id": i, "entities": keyed(spans)} for i, spans in ((2, []), (1, [ASPIRIN]))])
    data, cells = score(gold, pred)
    assert (cells["strict"], data["settings"]["inputs"]["linked_by"]) == ((1, 0, 0, 0, 0), "name")


def test_ids_of_two_formats_are_not_the_same(score, write):
    gold = write("gold.jsonl", [task(TEXT, [ASPIRIN], _input_hash=1), task("b", (), _input_hash=2)])
    pred = write("pred.jsonl", [{"id": i, "text": t, "entities": []} for i, t in ((1, "b"), (2, TEXT))])
    data, cells = score(gold, pred)
    assert (cells["strict"], data["settings"]["inputs"]["linked_by"]) == ((0, 0, 0, 1, 0), "text")


def test_the_same_text_twice_is_two_documents(score, write):
    rows = [{"text": "a b", "entities": keyed(spans)} for spans in ([(0, 1, "A")], [(2, 3, "A")])]
    gold = write("gold.json", rows)
    assert score(gold, write("pred.json", rows))[1]["strict"] == (2, 0, 0, 0, 0)
    assert score(gold, write("turned.json", rows[::-1]))[1]["strict"] == (0, 0, 0, 2, 2)


def test_docs_without_annotation(run, score, write, tmp_path):
    nlp = spacy.blank("en")
    annotated, unknown = nlp(TEXT), nlp("Nothing here")
    annotated.set_ents([annotated.char_span(*ASPIRIN[:2], "DRUG")], missing=[annotated[4:5]])
    DocBin(docs=[annotated, unknown]).to_disk(tmp_path / "gold.spacy")
    pred = write("pred.jsonl", [task(TEXT, [ASPIRIN, WARFARIN]), task("Nothing here", [(0, 7, "DRUG")])])
    data, cells = score(tmp_path / "gold.spacy", pred)
    assert cells["strict"] == (1, 0, 0, 0, 0)
    found = data["documents"]
    assert (found["gold_skipped_unannotated"], found["ignored_pred"], found["pred_only"]) == (1, 1, 1)
    # A prediction without annotation predicts nothing.
    assert score(pred, tmp_path / "gold.spacy")[1]["strict"] == (1, 0, 0, 2, 0)


def test_a_group_of_spans(run, score, tmp_path):
    doc = spacy.blank("en")(TEXT)
    doc.spans["sc"] = [doc.char_span(5, 12, "DRUG"), doc.char_span(0, 12, "PHRASE")]
    path = tmp_path / "a.spacy"
    DocBin(docs=[doc]).to_disk(path)
    assert score(path, path, "--spans-key", "sc")[1]["strict"] == (2, 0, 0, 0, 0)
    assert "has the spans key 'other'. Keys found: sc" in refused(run, path, path, "--spans-key", "other")


def test_white_space_that_conll_does_not_keep(score, write):
    gold = write("gold.jsonl", [task("In  York,\nyes", [(4, 8, "LOC"), (2, 4, "GAP")])])
    pred = write("pred.conll", "In O\nYork B-LOC\n, O\nyes O\n")
    data, cells = score(gold, pred)
    assert (cells["strict"], data["documents"]["empty_spans"]) == ((1, 0, 0, 0, 0), 1)


def test_strings_that_are_not_in_the_text(run, score, write):
    gold = write("gold.json", [{"text": "Ada met Grace", "entities": [["PER", "Ada"], ["PER", "Grace"]]}])
    pred = write(
        "pred.json", [{"text": "Ada met Grace", "entities": [["PER", "ada"], ["PER", "Alan"], ["PER", "Alan"]]}]
    )
    assert "'ada' (PER) is not in the text as often" in refused(run, gold, pred)
    data, cells = score(gold, pred, "--unmatched", "spurious")
    assert (cells["strict"], data["documents"]["pred_unmatched_strings"]) == ((0, 0, 0, 2, 3), 3)
    data, cells = score(gold, pred, "--unmatched", "drop", "--fold")
    assert (cells["strict"], data["documents"]["pred_skipped_unmatched"]) == ((1, 0, 0, 1, 0), 2)


def test_repaired_tags(run, score, write):
    gold, pred = write("g.conll", "a B-A\nb I-A\nc O\n"), write("p.conll", "a I-A\nb I-A\nc B-B\n")
    assert "--repair conlleval" in refused(run, gold, pred)
    data, cells = score(gold, pred, "--repair", "conlleval")
    assert (cells["strict"], data["documents"]["pred_repaired_tags"]) == ((1, 0, 0, 0, 1), 1)


@pytest.mark.parametrize(
    ("gold", "pred", "said"),
    [
        ("a O\nb O\n", "a O\nc O\n", "token 2 of the sentence in line 1 of GOLD"),
        ("a O\nb O\n", "a O\n", "is 'b', and missing in that of line 1 of PRED"),
        ("a O\n\nb O\n", "a O\nb O\n", "is missing, and 'b' in that of line 1 of PRED"),
        ("a O\n\nb O\n", "a O\n", "has 2 of them, but PRED"),
    ],
)
def test_tokens_have_to_be_the_same(run, write, gold, pred, said):
    assert said in refused(run, write("gold.conll", gold), write("pred.conll", pred)).replace("\n", " ")


def test_positions_need_all_documents(run, write):
    gold = write("gold.json", [["O"]])
    assert "has 1 of them" in refused(run, gold, write("pred.json", [["O"], ["O"]]))
    lists = write("lists.json", [[], []])
    part = write("part.jsonl", [task("a", ()), task("b", (), answer="ignore"), task("c", ())])
    assert "has 1 records that are left out" in refused(run, lists, part, "--gold-format", "spans")
    long = write("long.json", [keyed([(0, 5, "A")])])
    short = write("short.jsonl", [task("abc", ())])
    assert "does not fit its text of 3 characters" in refused(run, long, short, "--gold-format", "spans")


def test_characters_and_tokens_are_not_compared(run, write, sides):
    tags = write("tags.json", [["O"], ["O"]])
    lists = write("lists.json", [[], []])
    for gold, pred, name in ((tags, sides[1]["prodigy"], "bio"), (sides[0]["conll"], lists, "nervaluate")):
        said = refused(run, gold, pred, *(("--pred-format", name) if name == "nervaluate" else ()))
        assert "Offsets of these formats can't be compared" in said
        assert name in said


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--gold-format", "csv"), "Unknown format 'csv'. Available: bio, conll"),
        (("--tag-scheme", "IOB1"), "--tag-scheme is for the formats bio, conll, but the data is prodigy"),
        (("--fold",), "--fold is for the formats eval4ner"),
        (("--spans-key", "sc"), "--spans-key is for the formats docbin"),
        (("--texts", "x"), "--texts is for the formats potato"),
        (("--unmatched", "drop"), "--unmatched is for the formats eval4ner"),
    ],
)
def test_options_without_an_effect_are_refused(run, jsonl, options, said):
    path = jsonl()
    assert said in " ".join(refused(run, path, path, *options).split())


def test_annotators_are_those_of_formats_that_have_some(run, sides):
    said = refused(run, sides[0]["conll"], sides[1]["conll"], "--gold-annotator", "ana")
    assert "--gold-annotator is for the formats potato, prodigy, but the data is conll" in " ".join(said.split())
    assert "--binary is for the formats prodigy" in refused(run, sides[0]["docbin"], sides[1]["prodigy"], "--binary")


def test_a_scheme_that_does_not_exist(run, sides):
    said = refused(run, sides[0]["conll"], sides[1]["conll"], "--tag-scheme", "BIX")
    assert "Unknown tag scheme 'BIX'. Available: IOB1, IOB2, BILUO, IO" in " ".join(said.split())


@pytest.mark.parametrize("gold", KINDS)
@pytest.mark.parametrize("pred", ["conll", "spans"])
def test_tasks_of_errors(run, sides, tmp_path, gold, pred):
    out = tmp_path / "errors.jsonl"
    formats = ("--gold-format", gold, "--pred-format", pred)
    code, said = run("semeval", "score", sides[0][gold], sides[1][pred], "--errors", out, *formats)
    assert code == 0, said
    (made,) = map(json.loads, out.read_text("utf8").splitlines())
    assert made["text"] == TEXT
    assert [made["text"][span["start"] : span["end"]] for span in made["spans"]] == ["aspirin", "warfarin"]
    bare = len({gold == "conll", pred == "conll"}) > 1
    shown = "'ofwarfarin'" if bare else "'of warfarin'"
    assert made["meta"]["outcomes"] == f"PAR DRUG {shown} for 'warfarin'"


def test_tasks_need_texts(run, write, tmp_path):
    gold, pred = write("gold.json", [["B-A"]]), write("pred.json", [["O"]])
    assert "Tasks can't be made without texts" in refused(run, gold, pred, "--errors", tmp_path / "e.jsonl")
    assert not (tmp_path / "e.jsonl").exists()


def test_datasets_are_prodigys(score, tmp_path, write):
    database = tmp_path / "prodigy.db"
    make_database(database, {"gold": [task(TEXT, [ASPIRIN])]})
    pred = write("pred.conll", "Take O\naspirin B-DRUG\ninstead O\nof O\nwarfarin O\ntoday O\n")
    assert score("prodigy:gold", pred, "--prodigy-db", database)[1]["strict"] == (1, 0, 0, 0, 0)


PACKAGE = """
from spacy_semeval.formats.base import FileReader, Format, Record

class Reader(FileReader):
    def records(self):
        for line, raw in self.source.lines():
            yield Record(raw.decode(), ((0, 1, "A"),), line)

shout = Format((".shout",), lambda head: head.startswith(b"!"), Reader)
"""


def test_another_package_adds_a_format_through_an_entry_point(tmp_path):
    (tmp_path / "shouting.py").write_text(PACKAGE, "utf8")
    info = tmp_path / "shouting-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: shouting\nVersion: 1.0\n", "utf8")
    (info / "entry_points.txt").write_text("[spacy_semeval_formats]\nshout = shouting:shout\n", "utf8")
    (tmp_path / "a.shout").write_text("!hello\n!you\n", "utf8")
    path = os.pathsep.join([str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])])
    command = [sys.executable, "-m", "spacy", "semeval", "score", tmp_path / "a.shout", tmp_path / "a.shout"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, "PYTHONPATH": path})
    assert (done.returncode, "Documents scored: 2" in done.stdout) == (0, True), done.stderr


def test_texts_without_space_are_linked_by_what_they_hold(score, tmp_path, write):
    doc = Doc(spacy.blank("zh").vocab, words=["北京", "大学"], spaces=[False, False])
    doc.ents = [doc.char_span(0, 4, "ORG")]
    DocBin(docs=[doc]).to_disk(tmp_path / "gold.spacy")
    pred = write("pred.conll", "北京 B-ORG\n大学 O\n")
    assert score(tmp_path / "gold.spacy", pred)[1]["partial"] == (0, 0, 1, 0, 0)


@pytest.mark.parametrize(("other", "unit"), [("b.json", "tokens"), ("p.jsonl", "characters"), ("n.json", None)])
def test_how_offsets_are_read_that_do_not_say_what_they_count(run, write, other, unit):
    gold = write("n.json", [[{"label": "A", "start": 0, "end": 0}]])
    write("b.json", [["B-A", "O"]])
    write("p.jsonl", [task("a b", [(0, 1, "A")])])
    format = "nervaluate" if unit is None else "bio" if unit == "tokens" else "prodigy"
    options = ("--gold-format", "nervaluate", "--pred-format", format)
    code, said = run("semeval", "score", gold, gold.parent / other, *options)
    assert (code, "Offsets of " in said) == (0, unit is not None)
    assert unit is None or f"n.json) are taken as {unit}" in " ".join(said.split())


def test_tags_of_other_tokens(run, write):
    """Without tokens only their number can be compared."""
    gold = write("gold.json", [["B-PER", "I-PER"], ["O", "B-PER", "I-PER", "O"]])
    pred = write("pred.json", [["B-PER", "I-PER"], ["B-PER", "I-PER"]])
    said = " ".join(refused(run, gold, pred).split())
    assert "Document 2 has 4 tags in GOLD" in said
    assert "and 2 in PRED" in said


def test_ids_that_contradict_the_order(run, write):
    gold = write("gold.json", [{"id": "a", "entities": []}, {"id": "b", "entities": []}])
    pred = write("pred.json", [{"id": "b", "entities": []}, {"entities": []}])
    options = ("--gold-format", "spans", "--pred-format", "spans")
    said = " ".join(refused(run, gold, pred, *options).split())
    assert "document 1 of GOLD" in said
    assert "is 'a', and line or document 1 of PRED" in said


def test_one_id_that_is_missing(score, write):
    gold = write("gold.json", [{"id": "a", "entities": []}, {"id": "b", "entities": []}])
    pred = write("pred.json", [{"id": "a", "entities": []}, {"entities": []}])
    data, _ = score(gold, pred, "--gold-format", "spans", "--pred-format", "spans")
    assert (data["documents"]["scored"], data["settings"]["inputs"]["linked_by"]) == (2, "position")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("New York\tB-LOC\nis\tO\n", "line 2: 2 columns, but the lines before have 3"),
        ("is\tO\nNew York\tB-LOC\n", "line 2: 3 columns, but the lines before have 2"),
        ("Ask O\rAda B-PER\r", "line 1: a carriage return in the line"),
    ],
)
def test_lines_of_conll_that_hold_something_else(run, tmp_path, content, said):
    path = tmp_path / "gold.conll"
    path.write_bytes(content.encode())
    assert said in " ".join(refused(run, path, path).split())
