import pytest
from tasks import task

from spacy_semeval.agreement.reading import PotatoOptions, read_all
from spacy_semeval.errors import SemevalError, SettingsError

SPAN = (5, 12, "DRUG")


def mine(name, text="Take aspirin daily", spans=None, **more):
    if spans is None:
        spans = [SPAN] if len(text) > 12 else []
    return task(text, spans, _annotator_id=name, _session_id=name, **more)


def who(*inputs, **options):
    """The annotators, and how often each is there."""
    names = [judgement.annotator for judgement in read_all(inputs, **options).judgements]
    return {name: names.count(name) for name in sorted(set(names))}


def test_several_annotators_in_one_file(write):
    path = write("a.jsonl", mine("my-set-ana"), mine("my-set-ben", spans=()), mine("my-set-ana", "Other"))
    assert who(path) == {"ana": 2, "ben": 1}
    first = read_all([path]).judgements[0]
    assert (first.text, first.spans, first.line, first.source.name) == ("Take aspirin daily", (SPAN,), 1, path)


def test_names_of_several_files_are_shortened_together(write):
    one = write("one.jsonl", mine("set-ana"), mine("set-ben"))
    two = write("two.jsonl", mine("set-ana", "Other"), mine("other-chloe", "Other"))
    assert who(one, two) == {"other-chloe": 1, "set-ana": 2, "set-ben": 1}


@pytest.mark.parametrize("name", [None, "2024-05-01_10-00-00"])
def test_one_file_an_annotator(write, name):
    paths = [write("ana.jsonl", mine(name)), write("ben.jsonl.gz", mine(name, spans=()), mine(None, "Other"))]
    assert who(*paths) == {"ana": 1, "ben": 2}


def test_names_in_records_go_before_names_of_files(write):
    people = write("people.jsonl", mine("set-ana"), mine("set-ben"))
    more = write("more.jsonl", mine("set-ana", "Other"), mine(None, "Third"))
    assert who(people, more) == {"ana": 3, "ben": 1}
    rejected = write("rejected.jsonl", mine("set-ana", "Fourth"), mine("set-ben", "Fourth", answer="reject"))
    assert who(people, rejected) == {"ana": 2, "ben": 1}
    assert who(people, write("ana.jsonl", mine("set-zoe"))) == {"ana": 1, "ben": 1, "zoe": 1}


def test_one_person_in_two_files_is_one_person(write):
    assert who(write("x.jsonl", mine("set-ana")), write("y.jsonl", mine("set-ana", "Other"))) == {"ana": 2}


def test_a_file_that_has_the_name_of_somebody_else(write):
    people, nobody = write("people.jsonl", mine("s-ana"), mine("s-ben")), write("ana.jsonl", mine(None))
    with pytest.raises(SemevalError, match="ana.jsonl names nobody, so its annotator would be 'ana'"):
        read_all([people, nobody])


def test_the_annotator_key_must_be_in_every_file(write):
    one, two = write("x.jsonl", mine("a", meta={"coder": "ana"})), write("y.jsonl", mine("b"))
    with pytest.raises(SemevalError, match="No record of .*y.jsonl has the field 'meta.coder'"):
        read_all([one, two], annotator_key="meta.coder")


def test_files_of_the_same_name(write):
    paths = [write("x/spans.jsonl", mine(None)), write("y/spans.jsonl", mine(None))]
    assert who(*paths) == dict.fromkeys(paths, 1)


def test_one_persons_file_beside_one_of_several(write):
    paths = [write("model.jsonl", mine(None)), write("people.jsonl", mine("s-ana"), mine("s-ben"), mine(None, "Other"))]
    gathered = read_all(paths)
    assert {judgement.annotator for judgement in gathered.judgements} == {"ana", "ben", "model"}
    assert gathered.counts["skipped_no_annotator"] == 1


def test_a_review_export(write):
    versions = [
        {"spans": [{"start": 5, "end": 12, "label": "DRUG"}], "sessions": ["set-ana", "set-ben"]},
        {"spans": [], "sessions": ["set-chloe"], "answer": "accept"},
        {"spans": [], "sessions": []},
    ]
    review = mine("set-ana", versions=versions, _view_id="review")
    gathered = read_all([write("review.jsonl", review)])
    assert [(j.annotator, j.spans) for j in gathered.judgements] == [("ana", (SPAN,)), ("ben", (SPAN,)), ("chloe", ())]
    assert (gathered.counts["records"], gathered.counts["used"], gathered.counts["skipped_no_annotator"]) == (1, 3, 1)


def test_unnamed_sessions_of_a_review_are_no_people(write):
    versions = [{"spans": [], "sessions": [stamp]} for stamp in ("2024-05-01_10-00-00", "2024-05-02_10-00-00")]
    path = write("review.jsonl", mine(None, versions=versions))
    with pytest.raises(SemevalError, match=NO_PEOPLE):
        read_all([path])
    named = [*versions, {"spans": [], "sessions": ["a"]}, {"spans": [], "sessions": ["b"]}]
    gathered = read_all([write("named.jsonl", mine(None, versions=named))])
    assert [judgement.annotator for judgement in gathered.judgements] == ["a", "b"]
    assert gathered.counts["skipped_no_annotator"] == 2


def test_people_of_whom_nothing_can_be_used_are_named(write):
    gathered = read_all([write("a.jsonl", mine("a"), mine("b"), mine("c", answer="ignore"))])
    assert gathered.annotators == {"a", "b", "c"}
    assert read_all([write("x.jsonl", mine("a")), write("y.jsonl", mine(None))]).annotators == {"a", "y"}


def test_a_version_with_another_text(write):
    tokens = [{"text": "Take", "start": 0, "end": 4, "id": 0}]
    versions = [
        {"text": "Take tea", "spans": [{"start": 5, "end": 8, "label": "DRUG"}], "sessions": ["a"]},
        {"spans": [], "sessions": ["b"]},
    ]
    gathered = read_all([write("review.jsonl", mine("a", versions=versions, tokens=tokens, _input_hash=1))])
    assert [(j.text, j.tokens) for j in gathered.judgements] == [
        ("Take tea", None),
        ("Take aspirin daily", ((0, 4),)),
    ]


def test_an_annotator_key(write):
    path = write("a.jsonl", mine("x", meta={"coder": "ana"}), mine("x", meta={"coder": 7}), mine("x"))
    gathered = read_all([path], annotator_key="meta.coder")
    assert [judgement.annotator for judgement in gathered.judgements] == ["ana", "7"]
    assert gathered.counts["skipped_no_annotator"] == 1
    with pytest.raises(SemevalError, match="No record of .* has the field 'meta.who'"):
        read_all([path], annotator_key="meta.who")


def test_what_is_not_compared_is_counted(write):
    ignored = {"start": 0, "end": 4, "label": "DRUG", "answer": "ignore"}
    path = write(
        "a.jsonl",
        mine("a"),
        mine("b"),
        mine("a", "One", answer="reject"),
        mine("a", "Two", answer="ignore"),
        mine("a", "Three", (), _view_id="ner"),
        mine("a", "Four", ()) | {"spans": [ignored]},
        mine("a", "Five", ()) | {"spans": None},
    )
    gathered = read_all([path])
    assert len(gathered.judgements) == 3
    assert gathered.counts == {
        "records": 7,
        "used": 3,
        "skipped_rejected": 1,
        "skipped_ignored": 1,
        "skipped_binary": 1,
        "skipped_ignored_spans": 1,
        "skipped_ignored_in_part": 1,
        "null_spans": 1,
    }


NO_PEOPLE = (
    r"Can't tell annotators apart in .*sessions that are named by their start time are no people.*--annotator-key"
)


@pytest.mark.parametrize(
    ("records", "problem"),
    [
        ([mine(None), mine(None, "Other")], NO_PEOPLE),
        ([mine("2024-05-01_10-00-00"), mine("2024-05-02_10-00-00")], NO_PEOPLE),
        ([mine("set-ana"), mine("set-ana", "Other")], "the annotations of one annotator, ana: agreement takes two"),
        ([mine("a", answer="reject")], "holds no annotation that can be used"),
        ([], "holds no record"),
        ([{"text": 3}], "line 1: Expected `str"),
    ],
)
def test_one_file_that_is_no_agreement(write, records, problem):
    with pytest.raises(SemevalError, match=problem):
        read_all([write("a.jsonl", *records)])


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("a.conll", "a CoNLL file holds no ids"),
        ("a.iob", "a CoNLL file holds no ids"),
        ("spans.parquet", "in version 2.8 it holds no labels. Use the annotation_output folder"),
        ("a.spacy", "does not say who annotated it"),
    ],
)
def test_files_that_are_refused(write, name, problem):
    with pytest.raises(SemevalError, match=problem):
        read_all([write(name)])


def test_a_file_that_is_named_twice(write, tmp_path):
    path = write("a.jsonl", mine("a"), mine("b"))
    other = tmp_path / "b.jsonl"
    other.symlink_to(path)
    for again in (path, str(other), f"{tmp_path}/../{tmp_path.name}/a.jsonl"):
        with pytest.raises(SemevalError, match="is named twice, as"):
            read_all([path, again])
    with pytest.raises(SemevalError, match="Can't find"):
        read_all([path + "x"])
    with pytest.raises(SemevalError, match="Can't find a file without a name"):
        read_all([""])


def test_lines_in_a_file_with_the_ending_json(write):
    assert who(write("a.json", mine("a"), mine("b"))) == {"a": 1, "b": 1}
    state = {"user_id": "ann", "instance_id_to_span_to_value": {"d1": []}}
    assert who(write("user_state.json", state)) == {"ann": 1}


def test_options_without_an_effect_are_refused(write, tmp_path):
    path = write("a.jsonl", mine("a"), mine("b"))
    with pytest.raises(SettingsError, match="--unseen\\) have no effect: none of the data is Potato's"):
        read_all([path], potato=PotatoOptions(offsets="utf16"))
    assert read_all([path], potato=PotatoOptions()).hints == []


def test_arrays_are_for_convert(write):
    with pytest.raises(SemevalError, match="it is a JSON array. .* `semeval convert` makes JSONL of other formats"):
        read_all([write("a.json", [mine("a")])])


def test_potato_beside_prodigy(write, tmp_path):
    row = {"instance_id": "d1", "user_id": "ann", "spans": {"ner": [{"start": 5, "end": 12, "name": "DRUG"}]}}
    potato, texts = write("p.jsonl", row), write("texts.jsonl", {"id": "d1", "text": "Take aspirin daily"})
    options = PotatoOptions(tmp_path / "texts.jsonl")
    assert who(potato, write("ben.jsonl", mine(None)), potato=options) == {"ann": 1, "ben": 1}
    gathered = read_all([potato], potato=options)
    assert [(j.annotator, j.document, j.text, j.spans) for j in gathered.judgements] == [
        ("ann", "d1", "Take aspirin daily", (SPAN,))
    ]
    assert texts
