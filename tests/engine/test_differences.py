from hypothesis import given
from hypothesis import strategies as st
from strategies import corpora, sides

from spacy_semeval.engine.differences import Difference, find_differences
from spacy_semeval.engine.scores import Settings
from spacy_semeval.engine.scoring import score_tables
from spacy_semeval.engine.spans import make_tables, read_documents


def tables(gold, pred):
    return make_tables(read_documents(gold, "gold"), read_documents(pred, "pred"))


def test_every_kind_from_left_to_right():
    gold = [[(0, 3, "A"), (5, 8, "A"), (10, 15, "A"), (20, 25, "A")], [(0, 3, "A")], []]
    pred = [[(0, 3, "A"), (5, 8, "B"), (9, 15, "A"), (17, 19, "B")], [(0, 3, "A")], [(0, 1, "C")]]
    assert find_differences(*tables(gold, pred), Settings()) == {
        0: [
            Difference((5, 8, "A"), (5, 8, "B")),
            Difference((10, 15, "A"), (9, 15, "A")),
            Difference(None, (17, 19, "B")),
            Difference((20, 25, "A"), None),
        ],
        2: [Difference(None, (0, 1, "C"))],
    }


def test_labels_that_are_not_scored_make_no_difference():
    gold, pred = [[(0, 3, "A"), (5, 8, "B")]], [[(0, 3, "B"), (5, 8, "A")]]
    assert find_differences(*tables(gold, pred), Settings(labels=["A"])) == {
        0: [Difference((0, 3, "A"), (0, 3, "B")), Difference(None, (5, 8, "A"))]
    }


@given(corpora(), st.sampled_from([None, ("A",), ("A", "B")]))
def test_differences_are_what_is_counted(corpus, labels):
    gold, pred = sides(corpus)
    settings = Settings(labels=labels)
    scores = score_tables(*tables(gold, pred), settings, per_document=True)
    found = find_differences(*tables(gold, pred), settings)
    for doc, (_, inc, par, mis, spu) in enumerate(scores.per_document["strict"].tolist()):
        kinds = [(d.gold is None, d.pred is None) for d in found.get(doc, [])]
        assert kinds.count((False, False)) == inc + par
        assert (kinds.count((False, True)), kinds.count((True, False))) == (mis, spu)
