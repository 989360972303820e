"""nervaluate, bio, spans and eval4ner: documents in a JSON array or a line each."""

import json

import pytest

from spacy_semeval import SemevalError, read_spans
from spacy_semeval.formats.eval4ner import outside, place


@pytest.fixture
def read(tmp_path):
    def read(content, format, name="a.json", **options):
        path = tmp_path / name
        if name.endswith("l"):
            content = "".join(json.dumps(document) + "\n" for document in content)
        path.write_text(content if isinstance(content, str) else json.dumps(content), "utf8")
        return read_spans(path, format, **options)

    return read


SPANS = [[{"label": "A", "start": 2, "end": 5}], []]


@pytest.mark.parametrize("name", ["a.json", "a.jsonl"])
def test_nervaluate(read, name):
    dataset = read(SPANS, "nervaluate", name)
    assert dataset.spans == [((2, 6, "A"),), ()]
    assert [record.text for record in dataset.records] == [None, None]


@pytest.mark.parametrize("name", ["a.json", "a.jsonl"])
def test_bio(read, name):
    assert read([["O", "B-A", "I-A"], [], ["B-B"]], "bio", name).spans == [((1, 3, "A"),), (), ((0, 1, "B"),)]


def test_white_space_in_json(read):
    for indent in (0, 1, 4):
        assert read(json.dumps(SPANS, indent=indent), "nervaluate").spans == [((2, 6, "A"),), ()]


def test_lines_are_found_without_an_ending(read):
    lines = "".join(json.dumps(document) + "\n" for document in SPANS)
    assert read(lines, "nervaluate", "a.txt").spans == [((2, 6, "A"),), ()]


@pytest.mark.parametrize("key", ["entities", "spans"])
def test_spans(read, key):
    span = {"start": 5, "end": 12, "label": "DRUG", "score": 0.9}
    rows = [{"id": 7, "text": "Take aspirin", key: [{**span, "text": "aspirin"}]}, {"id": "b", key: [span]}]
    for name in ("a.json", "a.jsonl"):
        dataset = read(rows, "spans", name)
        assert dataset.spans == [((5, 12, "DRUG"),)] * 2
        assert [(record.input_hash, record.text) for record in dataset.records] == [(7, "Take aspirin"), ("b", None)]
    assert read(SPANS, "spans").spans == [((2, 5, "A"),), ()]


PEOPLE = "John Jones and Peter Peters met John in York"


@pytest.mark.parametrize(
    ("strings", "want"),
    [
        (["John Jones", "York"], [(0, 10), (40, 44)]),
        (["York", "John Jones"], [(40, 44), (0, 10)]),
        (["John", "John"], [(0, 4), (32, 36)]),
        (["Peters"], [(21, 27)]),
        (["Peter", "Peter"], [(15, 20), (21, 26)]),
    ],
)
def test_strings_are_found_left_to_right(strings, want):
    spans, unmatched = place(PEOPLE, [("PER", string) for string in strings])
    assert (spans, unmatched) == ([(*span, "PER") for span in want], [])


def test_each_occurrence_is_used_once():
    assert place("aaa", [("A", "aa"), ("A", "aa"), ("B", "a")]) == ([(0, 2, "A"), (0, 1, "B")], [("A", "aa")])


@pytest.mark.parametrize(
    ("text", "string", "want"),
    [
        ("New  York", "new york", (0, 9)),
        ("in NEWYORK", "New York", (3, 10)),
        ("Straße", "STRASSE", (0, 6)),
        ("a\u0130b", "B", (2, 3)),
    ],
)
def test_folded(text, string, want):
    assert place(text, [("A", string)]) == ([], [("A", string)])
    assert place(text, [("A", string)], fold=True) == ([(*want, "A")], [])
    assert place(text, [("A", " ")], fold=True) == ([], [("A", " ")])


def test_what_is_not_in_the_text_touches_nothing():
    spans = outside("ab", [("A", "x"), ("A", "x")])
    assert spans == [(3, 4, "A"), (5, 6, "A")]


ROWS = [{"text": PEOPLE, "entities": [["PER", "John Jones"], ["PER", "Paul"], ["LOC", "York"]]}]


def test_strings_that_are_not_there(read):
    with pytest.raises(SemevalError, match=r"document 1: 'Paul' \(PER\) is not in the text as often.*1 of its 3"):
        read(ROWS, "eval4ner")
    dropped = read(ROWS, "eval4ner", unmatched="drop")
    assert (dropped.spans, dropped.skipped) == ([((0, 10, "PER"), (40, 44, "LOC"))], {"unmatched": 1})
    spurious = read(ROWS, "eval4ner", unmatched="spurious", is_gold=False)
    assert (len(spurious.spans[0]), spurious.noted) == (3, {"unmatched_strings": 1})
    with pytest.raises(SemevalError, match="--unmatched drop leaves such strings out"):
        read(ROWS, "eval4ner", unmatched="spurious")


@pytest.mark.parametrize(
    ("format", "content", "said"),
    [
        ("nervaluate", [[{"label": "A", "start": 2}]], "document 1: Object missing required field `end`"),
        ("nervaluate", [[], [{"label": "A", "start": 2, "end": 1}]], r"document 2: span 2 to 1 \(A\) holds no"),
        ("nervaluate", [[{"label": "", "start": 2, "end": 2}]], "document 1: span 2 to 2 has an empty label"),
        ("nervaluate", [[{"label": "A", "start": 2, "end": 2**70}]], "document 1: "),
        ("nervaluate", [[{"label": "A", "start": -1, "end": 2}]], "document 1: span -1 to 2"),
        ("nervaluate", "[[]", "a.json: not valid JSON in UTF-8"),
        ("nervaluate", "[]", "a.json holds no document"),
        ("nervaluate", "", "a.json holds no document"),
        ("nervaluate", [{"label": "A", "start": 2, "end": 3}], "document 1: Expected `array`, got `object`"),
        ("bio", [["O"], ["O", "X"]], "document 2, tag 2: 'X' is no tag"),
        ("bio", [["O"], ["I-A", "B-A", "B-B"]], "document 2, tag 1: I-A follows O"),
        ("bio", [[1]], "document 1: Expected `str`, got `int`"),
        ("spans", [{"text": "ab", "spans": [], "entities": []}], "document 1: expected spans under .* has both"),
        ("spans", [{"text": "ab"}], "document 1: expected spans under .* has neither"),
        ("spans", [{"text": "ab", "spans": [{"start": 0, "end": 3, "label": "A"}]}], "does not fit its text of 2"),
        ("spans", [[{"start": 1, "end": 1, "label": "A"}]], "document 1: span 1 to 1"),
        (
            "spans",
            [{"text": "abc", "spans": [{"start": 0, "end": 1, "label": "A", "text": "ab"}]}],
            "holds 'a', but its text is 'ab': the offsets do not belong to this text, or its ends are inclusive",
        ),
        (
            "spans",
            [{"id": 1, "spans": [{"start": 0, "end": 1, "label": "A", "text": "ab"}]}],
            "holds 1 characters, but its text is 'ab'",
        ),
        ("spans", [{"text": "", "spans": [{"start": 0, "end": 1, "label": "A"}]}], "does not fit its text of 0"),
        ("eval4ner", [{"text": "ab", "entities": [["A"]]}], "document 1: Expected `array` of length 2"),
        ("eval4ner", [{"text": "ab", "entities": [["", "a"]]}], "document 1: an entity has no label"),
        ("eval4ner", [{"text": "ab", "entities": [["A", ""]]}], "document 1: an entity has no string"),
    ],
)
def test_faults_are_named(read, format, content, said):
    with pytest.raises(SemevalError, match=said):
        read(content, format)
