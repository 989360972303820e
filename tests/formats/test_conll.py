import pytest

from spacy_semeval import SemevalError, read_spans

TEXT = "-DOCSTART- -X- O O\n\nAsk NNP I O\nAda NNP I B-PER\nLovelace NNP I I-PER\n\nin IN I O\nParis NNP I B-LOC\n"


@pytest.fixture
def read(tmp_path):
    def read(content, **options):
        path = tmp_path / "a.conll"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return read_spans(path, **options)

    return read


def test_sentences(read):
    first, second = read(TEXT).records
    assert (first.text, first.spans, first.line) == ("Ask Ada Lovelace", ((4, 16, "PER"),), 3)
    assert (second.text, second.spans, second.line) == ("in Paris", ((3, 8, "LOC"),), 7)
    assert [(token.text, token.start, token.end) for token in second.tokens] == [("in", 0, 2), ("Paris", 3, 8)]


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.replace("\n", "\r\n"),
        lambda text: text.replace("\n", " \t\n"),
        lambda text: "\n\n" + text.replace("\n\n", "\n\n\n"),
        lambda text: text.replace(" ", "\t"),
        lambda text: "\ufeff" + text,
        lambda text: text.rstrip("\n"),
        lambda text: text.replace("\n\n", "\n \t \n"),
    ],
)
def test_white_space_is_harmless(read, change):
    assert read(change(TEXT)).spans == [((4, 16, "PER"),), ((3, 8, "LOC"),)]


def test_only_usual_white_space_divides(read):
    record = read("10\u00a0mg\u2028x B-DOSE\n").records[0]
    assert (record.text, record.spans) == ("10\u00a0mg\u2028x", ((0, 7, "DOSE"),))


def test_a_docstart_divides_without_a_blank_line(read):
    assert [record.text for record in read("a O\n-DOCSTART- O\nb O\n").records] == ["a", "b"]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("a O\nb\n", "a.conll, line 2: expected a token and a tag, but found only 'b'"),
        ("a O\n\n\nb X\n", "a.conll, line 4: 'X' is no tag: expected O"),
        ("a O\nb I-A\nc B-B\n", "line 2: I-A follows O, which is not valid in the scheme IOB2. --tag-scheme names"),
        (b"a O\n\xff O\n", "line 2: not in UTF-8"),
        (
            "# id = 1\na O\n",
            "can't be left out. Comments are not read: take such lines out",
        ),
        ("a O\n\n# id = 1\nb O\n", "columns can't be left out. Comments are not read: take such lines out"),
        ("#id 1\na O\n", "with a hyphen and a label behind it. Comments are not read"),
        ("1 a O\n2 b O\n3 c O\n\n1 d O\n", "line 1: the first column counts the tokens, as in CoNLL-U"),
        ("", "a.conll holds no document."),
        ("-DOCSTART- O\n", "a.conll holds no document."),
    ],
)
def test_faults_are_named(read, content, said):
    with pytest.raises(SemevalError) as raised:
        read(content)
    assert said in str(raised.value)


def test_repair_is_counted(read):
    dataset = read("a O\nb I-A\nc B-B\n", repair="conlleval")
    assert (dataset.spans, dataset.noted) == ([((2, 3, "A"), (4, 5, "B"))], {"repaired_tags": 1})
    assert dataset.notes() == ["Noted, tags that fit no scheme, repaired: 1"]


def test_the_scheme_is_given(read):
    with pytest.raises(SemevalError, match="line 1: B-A follows O, which is not valid in the scheme IOB1"):
        read("a B-A\n", tag_scheme="IOB1")


def test_tokens_that_are_numbers(read):
    assert [record.text for record in read("1 X O\n2 X O\n\n1 X O\n5 X O\n").records] == ["1 2", "1 5"]
    assert [record.text for record in read("1 O\n2 O\n3 B-X\n").records] == ["1 2 3"]
