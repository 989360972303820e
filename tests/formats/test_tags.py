import pytest
from hypothesis import given
from hypothesis import strategies as st

from spacy_semeval.errors import SettingsError
from spacy_semeval.formats.tags import TagError, check_scheme, read_sequences, write_tags


def spans(tags, scheme=None, repair=False):
    return read_sequences([tags.split()], scheme, repair)[1][0]


@pytest.mark.parametrize(
    ("tags", "scheme", "want"),
    [
        ("B-A I-A O B-B", "IOB2", [(0, 2, "A"), (3, 4, "B")]),
        ("B-A B-A O", "IOB2", [(0, 1, "A"), (1, 2, "A")]),
        ("I-A B-A I-A O I-B", "IOB1", [(0, 1, "A"), (1, 3, "A"), (4, 5, "B")]),
        ("U-A B-A L-A O", "BILUO", [(0, 1, "A"), (1, 3, "A")]),
        ("S-A B-A I-A E-A", "BILUO", [(0, 1, "A"), (1, 4, "A")]),
        ("I-A I-A I-B O", "IO", [(0, 2, "A"), (2, 3, "B")]),
        ("O O", "IO", []),
        ("B-A-1 I-A-1", "IOB2", [(0, 2, "A-1")]),
    ],
)
def test_the_scheme_is_found(tags, scheme, want):
    assert read_sequences([tags.split()])[:2] == (scheme, [want])
    assert spans(tags, scheme) == want


def test_all_sequences_decide():
    sequences = [["I-A", "O"], ["I-A", "B-A"]]
    assert read_sequences(sequences)[:2] == ("IOB1", [[(0, 1, "A")], [(0, 1, "A"), (1, 2, "A")]])


@pytest.mark.parametrize(
    ("tags", "scheme", "token", "said"),
    [
        ("O X", None, 1, "'X' is no tag"),
        ("O B", None, 1, "'B' is no tag"),
        ("B- O", None, 0, "'B-' is no tag"),
        ("o O", None, 0, "'o' is no tag"),
        ("O B-A I-B", None, 2, "I-B follows B-A, which is not valid in the scheme IOB2"),
        ("I-A O B-A", None, 0, "I-A follows O, which is not valid in the scheme IOB2"),
        ("I-A O B-A", "IOB1", 2, "B-A follows O, which is not valid in the scheme IOB1"),
        ("B-A I-A", "IO", 0, "B-A is no tag of the scheme IO"),
        ("B-A O U-A", None, 1, "B-A is not ended"),
        ("U-A B-A", None, 1, "B-A is not ended"),
        ("U-A L-A", None, 1, "L-A follows U-A"),
        ("B-A L-B", None, 1, "L-B follows B-A"),
    ],
)
def test_what_fits_no_scheme(tags, scheme, token, said):
    with pytest.raises(TagError) as raised:
        read_sequences([["O"], tags.split()], scheme)
    assert (raised.value.sequence, raised.value.token, said in str(raised.value)) == (1, token, True)


def test_repaired_as_conlleval_does():
    found = read_sequences([["I-A", "O", "B-B", "I-A", "I-A"]], repair=True)
    assert found == ("IOB2", [[(0, 1, "A"), (2, 3, "B"), (3, 5, "A")]], 2)
    assert read_sequences([["B-A", "O", "E-A", "E-A"]], repair=True)[1:] == (
        [[(0, 1, "A"), (2, 3, "A"), (3, 4, "A")]],
        3,
    )
    with pytest.raises(TagError, match="'X' is no tag"):
        read_sequences([["X"]], repair=True)


def test_names_of_schemes():
    assert [check_scheme(name) for name in ("bio", "IOB2", "BIOES", "Biluo", "io")] == [
        "IOB2",
        "IOB2",
        "BILUO",
        "BILUO",
        "IO",
    ]
    with pytest.raises(SettingsError, match="Unknown tag scheme 'BIX'. Available: IOB1, IOB2, BILUO, IO, BIO"):
        check_scheme("BIX")


@st.composite
def flat(draw):
    cuts = sorted(draw(st.sets(st.integers(0, 12), max_size=8)))
    labels = draw(st.lists(st.sampled_from("AB"), min_size=len(cuts), max_size=len(cuts)))
    return [(start, end, label) for start, end, label in zip(cuts[::1], cuts[1:], labels) if draw(st.booleans())]


def as_biluo(tags):
    """Tags in IOB2 as BILUO."""
    behind = [*tags[1:], "O"]
    ends = [not after.startswith("I-") for after in behind]
    letters = {("B", True): "U", ("B", False): "B", ("I", True): "L", ("I", False): "I"}
    return [tag if tag == "O" else letters[tag[0], end] + tag[1:] for tag, end in zip(tags, ends)]


@given(flat())
def test_tags_say_what_spans_do(wanted):
    tags = write_tags(wanted, 12)
    assert read_sequences([tags], "IOB2")[1] == [wanted]
    assert read_sequences([as_biluo(tags)], "BILUO")[1] == [wanted]
    assert read_sequences([tags], repair=True)[1:] == ([wanted], 0)
