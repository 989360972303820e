import pytest
from judgements import gather

from spacy_semeval.agreement.corpus import Judgement
from spacy_semeval.agreement.tokens import find_tokens, tag_tokens

TEXT = "ab cd ef gh"
WORDS = ((0, 2), (3, 5), (6, 8), (9, 11))


def corpus(*annotations, text=TEXT, tokens=WORDS):
    return gather([Judgement(f"p{i}", 1, text, tuple(spans), tokens) for i, spans in enumerate(annotations)])


def tags(*annotations, overlapping=False, io=False, **more):
    """The names of the tags of each annotator, and how many spans were cut and hidden."""
    found = corpus(*annotations, **more)
    tagged = tag_tokens(*find_tokens(found, "xx"), overlapping, io)
    names = ["O", *(f"{tag}-{label}" for label in found.tables[0].labels for tag in "BI")]
    rows = [" ".join(names[code] if code >= 0 else "?" for code in row) for row in tagged.codes]
    return rows, (tagged.cut_spans, tagged.hidden_spans)


def test_bio_and_io():
    spans = [(0, 5, "A"), (6, 8, "A")]
    assert tags(spans, []) == (["B-A I-A B-A O", "O O O O"], (0, 0))
    assert tags(spans, [], io=True) == (["I-A I-A I-A O", "O O O O"], (0, 0))


def test_a_span_inside_a_token_is_widened():
    assert tags([(1, 4, "A")], [(9, 10, "B")]) == (["B-A I-A O O", "O O O B-B"], (2, 0))


def test_a_token_belongs_to_the_first_span_that_touches_it():
    assert tags([(0, 4, "A"), (4, 8, "B")], []) == (["B-A I-A B-B O", "O O O O"], (2, 0))
    assert tags([(3, 4, "A"), (4, 5, "B")], []) == (["O B-A O O", "O O O O"], (2, 1))


def test_a_span_between_tokens_is_hidden():
    assert tags([(2, 3, "A")], [(0, 2, "A")]) == (["O O O O", "B-A O O O"], (0, 1))


def test_overlapping_spans_have_a_track_for_each_label():
    rows, counts = tags([(0, 5, "A"), (3, 8, "B")], [(0, 5, "A")], overlapping=True)
    assert rows == ["B-A I-A O O O B-B I-B O", "B-A I-A O O O O O O"]
    assert counts == (0, 0)
    rows, counts = tags([(0, 8, "A"), (3, 5, "A")], [], overlapping=True)
    assert rows == ["B-A I-A I-A O", "O O O O"]
    assert counts == (0, 1)


def test_documents_that_were_not_seen():
    found = gather(
        [
            Judgement("p0", 1, TEXT, ((0, 2, "A"),), WORDS),
            Judgement("p1", 1, TEXT, (), WORDS),
            Judgement("p1", 2, "ij kl", ((3, 5, "A"),), ((0, 2), (3, 5))),
        ]
    )
    tagged = tag_tokens(*find_tokens(found, "xx"), overlapping=False)
    assert tagged.codes.tolist() == [[1, 0, 0, 0, -1, -1], [0, 0, 0, 0, 0, 1]]
    assert tagged.doc.tolist() == [0, 0, 0, 0, 1, 1]


@pytest.mark.parametrize(
    "tokens", [None, ((0, 5), (3, 8)), ((6, 8), (0, 2)), ((0, 2), (3, 99))], ids=["none", "overlap", "order", "far"]
)
def test_tokens_that_cannot_be_used_are_made(tokens):
    found = corpus([], [], tokens=tokens)
    _, made = find_tokens(found, "xx")
    assert list(zip(made.start.tolist(), made.end.tolist())) == list(WORDS)


def test_tokens_without_a_character_are_passed_over():
    found = corpus([], [], tokens=((0, 0), *WORDS, (11, 11)))
    assert len(find_tokens(found, "xx")[1]) == len(WORDS)


def test_the_language_decides():
    found = corpus([], [], text="don't", tokens=None)
    assert len(find_tokens(found, "xx")[1]) != len(find_tokens(found, "en")[1])


def test_a_text_of_any_length():
    assert len(find_tokens(corpus([], [], text="ab " * 400_000, tokens=None), "xx")[1]) == 400_000


def test_without_texts():
    kept, tokens = find_tokens(corpus([(0, 5, "A")], [], text=None, tokens=None), "xx")
    assert (len(kept.documents), len(tokens)) == (0, 0)
    assert tags([(0, 5, "A")], [], text=None) == (["B-A I-A O O", "O O O O"], (0, 0))
