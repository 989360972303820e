import random

import pytest
from spacy.scorer import Scorer, get_ner_prf
from spacy.tokens import Doc, Span
from spacy.training import Example
from spacy.vocab import Vocab

from spacy_semeval import SemevalError, score_docs, score_examples, score_spans

WORDS = ["Take", "aspirin", "or", "warfarin", "daily"]


def doc(vocab, words=WORDS, ents=None, spaces=None, **kwargs):
    made = Doc(vocab, words=words, spaces=spaces)
    if ents is not None:
        made.set_ents([Span(made, *ent) for ent in ents], **kwargs)
    return made


def counts(scores, schema="strict"):
    cell = scores.overall[schema]
    return (cell.cor, cell.inc, cell.par, cell.mis, cell.spu)


def test_entities_are_compared_in_characters(nlp):
    gold = doc(nlp.vocab, ents=[(1, 2, "DRUG"), (3, 4, "DRUG")])
    pred = doc(nlp.vocab, ents=[(1, 2, "DRUG"), (2, 4, "DRUG")])
    scores = score_docs([gold], [pred])
    assert counts(scores) == (1, 1, 0, 0, 0)
    assert counts(scores, "partial") == (1, 0, 1, 0, 0)
    same = score_spans([[(5, 12, "DRUG"), (16, 24, "DRUG")]], [[(5, 12, "DRUG"), (13, 24, "DRUG")]])
    assert scores.overall == same.overall
    assert scores.per_label == same.per_label


def test_another_tokenization_is_partial(nlp):
    gold = doc(nlp.vocab, ["in", "New-York", "now"], [(1, 2, "GPE")])
    pred = doc(nlp.vocab, ["in", "New", "-", "York", "now"], [(1, 2, "GPE")], [True, False, False, True, False])
    assert counts(score_docs([gold], [pred])) == (0, 1, 0, 0, 0)
    assert counts(score_docs([gold], [pred]), "partial") == (0, 0, 1, 0, 0)


def test_three_states_of_gold(nlp):
    pred = doc(nlp.vocab, ents=[(1, 2, "DRUG")])
    nothing, empty = doc(nlp.vocab), doc(nlp.vocab, ents=[])
    partly = doc(nlp.vocab)
    partly.set_ents([], missing=[partly[1:2]])
    documents = {"scored": 1, "unannotated": 0, "ignored_pred": 0, "empty_spans": 0, "duplicate_spans": 0}

    scores = score_docs([nothing], [pred])
    assert (scores.overall["strict"].f, scores.per_label) == (None, {})
    assert scores.documents == {**documents, "scored": 0, "unannotated": 1}
    scores = score_docs([empty], [pred])
    assert (counts(scores), scores.documents) == ((0, 0, 0, 0, 1), documents)
    scores = score_docs([partly], [pred])
    assert (counts(scores), scores.per_label) == ((0, 0, 0, 0, 0), {})
    assert scores.documents == {**documents, "ignored_pred": 1}
    scores = score_docs([nothing, empty, partly], [pred, pred, pred])
    assert counts(scores) == (0, 0, 0, 0, 1)
    assert scores.documents == {**documents, "scored": 2, "unannotated": 1, "ignored_pred": 1}


def test_a_prediction_that_touches_a_token_without_annotation_is_ignored(nlp):
    partly = doc(nlp.vocab, ents=[(3, 4, "DRUG")])
    partly.set_ents([partly.ents[0]], missing=[partly[1:2]])
    pred = doc(nlp.vocab, ents=[(0, 2, "DRUG"), (2, 4, "DRUG")])
    scores = score_docs([partly], [pred])
    assert counts(scores, "partial") == (0, 0, 1, 0, 0)
    assert scores.documents["ignored_pred"] == 1


def test_missing_annotation_is_found_through_another_tokenization(nlp):
    partly = doc(nlp.vocab, ["New-York", "now"], ents=[])
    partly.set_ents([], missing=[partly[:1]])
    pred = doc(nlp.vocab, ["New", "-", "York", "now"], [(2, 3, "GPE"), (3, 4, "DATE")], [False, False, True, False])
    scores = score_docs([partly], [pred])
    assert (list(scores.per_label), scores.documents["ignored_pred"]) == (["DATE"], 1)


@pytest.mark.parametrize("seed", range(10))
def test_strict_is_what_spacy_counts_on_the_same_tokens(nlp, seed):
    rnd = random.Random(seed)
    examples = []
    for _ in range(30):
        pair = []
        words = [rnd.choice(["a", "bb", "ccc"]) for _ in range(10)]
        for _ in range(2):
            made = Doc(nlp.vocab, words=words)
            starts = [i for i in range(0, 9, 3) if rnd.random() < 0.6]
            ents = [Span(made, i, i + rnd.randrange(1, 4), label=rnd.choice(["A", "B"])) for i in starts]
            missing = [made[9:10]] if rnd.random() < 0.2 else []
            made.set_ents(ents, missing=missing)
            pair.append(made)
        examples.append(Example(*pair))
    stock, ours = get_ner_prf(examples), score_examples(examples)
    cell = ours.overall["strict"]
    assert (cell.p, cell.r, cell.f) == pytest.approx((stock["ents_p"], stock["ents_r"], stock["ents_f"]))
    for label, cells in ours.per_label.items():
        for name, value in stock["ents_per_type"][label].items():
            assert getattr(cells["strict"], name) == pytest.approx(value)


@pytest.mark.parametrize("seed", range(5))
def test_entities_are_those_of_doc_ents(nlp, seed):
    """Any tags that spaCy reads: blocked tokens, missing ones, entities that touch."""
    rnd = random.Random(seed)
    gold_docs = []
    for _ in range(50):
        made = Doc(nlp.vocab, words=["w"] * rnd.randrange(1, 8))
        free = list(made)
        ents, blocked, missing = [], [], []
        while free:
            first = free.pop(0)
            length = rnd.randrange(1, 3)
            span = Span(made, first.i, min(first.i + length, len(made)), label=rnd.choice("AB"))
            free = free[length - 1 :]
            rnd.choice([ents, ents, blocked, missing, []]).append(span)
        made.set_ents(ents, blocked=blocked, missing=missing)
        gold_docs.append(made)
    want = [[(e.start_char, e.end_char, e.label_) for e in made.ents] for made in gold_docs]
    scores = score_docs(gold_docs, gold_docs)
    kept = score_spans(want, want)
    assert scores.overall["strict"].cor == kept.overall["strict"].cor
    assert scores.overall["strict"].mis == 0


def test_texts_may_differ_in_white_space(nlp):
    gold = doc(nlp.vocab, ["Take", "aspirin", "\n\n", "or", "warfarin"], [(1, 2, "DRUG"), (4, 5, "DRUG")])
    pred = doc(nlp.vocab, ["Take", "aspirin", "or", "warfarin"], [(1, 2, "DRUG"), (2, 4, "DRUG")])
    scores = score_docs([gold], [pred])
    assert counts(scores) == (1, 1, 0, 0, 0)
    assert counts(score_docs([pred], [gold])) == (1, 1, 0, 0, 0)


def test_a_span_of_white_space_is_counted_when_texts_differ_in_it(nlp):
    gold = doc(nlp.vocab, ["Take", "\n", "aspirin"], [(1, 2, "DRUG")])
    pred = doc(nlp.vocab, ["Take", "aspirin"], [])
    scores = score_docs([gold], [pred])
    assert (counts(scores), scores.documents["empty_spans"]) == ((0, 0, 0, 0, 0), 1)


def test_other_texts_are_refused_with_the_place(nlp):
    with pytest.raises(SemevalError, match=r"document 1.*'codeine'.*'aspirin'.*after 4 characters"):
        score_docs(
            [doc(nlp.vocab, ents=[]), doc(nlp.vocab, ["Take", "codeine"], ents=[])],
            [doc(nlp.vocab, ents=[]), doc(nlp.vocab, ["Take", "aspirin"], ents=[])],
        )


def test_texts_that_differ_in_case_are_aligned_as_spacy_does(nlp):
    gold = doc(nlp.vocab, ["TAKE", "ASPIRIN"], [(1, 2, "DRUG")])
    pred = doc(nlp.vocab, ["take", "aspirin"], [(1, 2, "DRUG")])
    assert counts(score_docs([gold], [pred])) == (1, 0, 0, 0, 0)


def test_docs_of_two_vocabs(nlp):
    gold = doc(nlp.vocab, ents=[(1, 2, "GOLD_ONLY"), (3, 4, "DRUG")])
    pred = doc(Vocab(), ents=[(1, 2, "PRED_ONLY"), (3, 4, "DRUG")])
    scores = score_docs([gold], [pred])
    assert list(scores.per_label) == ["DRUG", "GOLD_ONLY", "PRED_ONLY"]


def test_empty_docs_are_annotated_as_spacy_has_it(nlp):
    scores = score_docs([Doc(nlp.vocab)], [Doc(nlp.vocab)])
    assert (scores.documents["scored"], scores.overall["strict"].f) == (1, 0.0)
    assert score_docs([], []).overall["strict"].f is None


def test_offsets_are_code_points(nlp):
    text = "🦾 aspirin"
    gold, pred = nlp(text), nlp(text)
    gold.ents = [gold.char_span(2, 9, label="DRUG")]
    assert score_docs([gold], [pred]).overall["strict"].mis == 1
    assert counts(score_spans([[(2, 9, "DRUG")]], [gold.ents])) == (1, 0, 0, 0, 0)


def group(made, key, spans):
    made.spans[key] = [Span(made, *span) for span in spans]
    return made


def test_span_groups_may_overlap(nlp):
    gold = group(doc(nlp.vocab), "sc", [(0, 4, "A"), (1, 3, "B"), (1, 3, "C")])
    pred = group(doc(nlp.vocab), "sc", [(1, 3, "B"), (0, 5, "A"), (4, 5, "A")])
    scores = score_docs([gold], [pred], spans_key="sc")
    assert counts(scores) == (1, 1, 0, 1, 1)
    assert scores == score_docs([gold], [pred], attr="spans", spans_key="sc")


def test_a_document_is_annotated_if_the_reference_has_the_key(nlp):
    pred = group(doc(nlp.vocab), "sc", [(0, 1, "A")])
    scores = score_docs([doc(nlp.vocab), group(doc(nlp.vocab), "sc", [])], [pred, pred], spans_key="sc")
    assert (scores.documents["scored"], scores.documents["unannotated"]) == (1, 1)
    assert counts(scores) == (0, 0, 0, 0, 1)


def test_strict_of_spans_is_what_spacy_counts(nlp):
    rnd = random.Random(3)
    examples = []
    for _ in range(40):
        pair = []
        for _ in range(2):
            starts = [rnd.randrange(4) for _ in range(4)]
            spans = {(start, rnd.randrange(start + 1, 6), rnd.choice("AB")) for start in starts}
            pair.append(group(doc(nlp.vocab), "sc", sorted(spans)))
        examples.append(Example(*pair))
    stock = Scorer.score_spans(
        examples, "spans_sc", getter=lambda d, _: d.spans["sc"], has_annotation=lambda d: True, allow_overlap=True
    )
    cell = score_examples(examples, spans_key="sc").overall["strict"]
    assert (cell.p, cell.r, cell.f) == pytest.approx([stock[f"spans_sc_{key}"] for key in "prf"])


def test_empty_spans_are_left_out_and_counted(nlp):
    gold = group(doc(nlp.vocab), "sc", [(1, 1, "A"), (0, 1, "A")])
    scores = score_docs([gold], [group(doc(nlp.vocab), "sc", [(0, 1, "A")])], spans_key="sc")
    assert (counts(scores), scores.documents["empty_spans"]) == ((1, 0, 0, 0, 0), 1)


def test_spans_of_texts_that_differ_in_white_space(nlp):
    gold = group(doc(nlp.vocab, ["Take", "\n", "aspirin"]), "sc", [(2, 3, "DRUG")])
    pred = group(doc(nlp.vocab, ["Take", "aspirin"]), "sc", [(1, 2, "DRUG")])
    assert counts(score_docs([gold], [pred], spans_key="sc")) == (1, 0, 0, 0, 0)


def test_a_label_that_is_lost(nlp, lost_label):
    gold = group(doc(nlp.vocab), "sc", [(0, 1, "A")])
    with pytest.raises(SemevalError, match="not among the strings"):
        score_docs([gold], [lost_label], spans_key="sc")


def test_a_tag_that_continues_nothing_is_refused(nlp):
    broken = doc(nlp.vocab).from_array(["ENT_IOB", "ENT_TYPE"], doc(nlp.vocab).to_array(["ENT_IOB", "ENT_TYPE"]))
    good = doc(nlp.vocab, ents=[(1, 3, "DRUG")])
    broken = Doc(nlp.vocab, words=WORDS).from_array(["ENT_IOB"], good.to_array(["ENT_IOB"]))
    with pytest.raises(SemevalError, match="Token 2 of document 0"):
        score_docs([broken], [good])


@pytest.mark.parametrize("wrong", [{"attr": "spans"}, {"attr": "tokens"}])
def test_what_to_score_must_be_known(wrong):
    with pytest.raises(SemevalError, match="attr"):
        score_docs([], [], **wrong)


def test_a_single_doc_is_no_sequence_of_docs(nlp):
    one = doc(nlp.vocab, ents=[])
    for gold, pred in ((one, one), ([one], one), (one, [one]), ([one], ["text"]), (3, [one])):
        with pytest.raises(SemevalError, match="sequence of Docs"):
            score_docs(gold, pred)
    for wrong in (Example(one, one), [one], 3):
        with pytest.raises(SemevalError, match="sequence of Examples"):
            score_examples(wrong)


def test_as_many_references_as_predictions(nlp):
    with pytest.raises(SemevalError, match="1 and 0"):
        score_docs([doc(nlp.vocab)], [])


def test_counts_per_document_and_labels(nlp):
    gold = doc(nlp.vocab, ents=[(1, 2, "DRUG"), (3, 4, "BRAND")])
    scores = score_docs([gold], [gold], labels=["DRUG"], per_document=True)
    assert scores.per_document["strict"].tolist() == [[1, 0, 0, 0, 0]]
