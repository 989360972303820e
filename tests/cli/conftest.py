import json

import pytest
import spacy
from spacy.cli import app
from spacy.tokens import DocBin, Span
from tasks import task
from typer.testing import CliRunner

import spacy_semeval.cli.app  # noqa: F401  (adds the commands, as the entry point does)

TEXTS = ["Take aspirin instead of warfarin today", "Nothing to see here"]
GOLD = [[(5, 12, "DRUG"), (24, 32, "DRUG")], []]


@pytest.fixture
def run():
    """Run a command as a user does, and give its exit code and all that it printed."""

    def run(*args):
        done = CliRunner().invoke(app, list(map(str, args)))
        assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
        return done.exit_code, done.output

    return run


@pytest.fixture
def model(tmp_path):
    """A pipeline that finds aspirin, and one word too much around warfarin under the wrong label."""

    def model(scorer=False, name="model", **more):
        nlp = spacy.blank("en")
        config = {"scorer": {"@scorers": "spacy-semeval.ner_scorer.v1", **more}} if scorer else {}
        ruler = nlp.add_pipe("entity_ruler", config=config)
        ruler.add_patterns(
            [{"label": "DRUG", "pattern": "aspirin"}, {"label": "BRAND", "pattern": "of warfarin"}],
        )
        nlp.to_disk(tmp_path / name)
        return tmp_path / name

    return model


@pytest.fixture
def docbin(tmp_path):
    def docbin(gold=GOLD, key=None, name="dev.spacy"):
        nlp = spacy.blank("en")
        docs = []
        for text, spans in zip(TEXTS, gold):
            doc = nlp.make_doc(text)
            if spans is not None:
                made = [doc.char_span(start, end, label=label) for start, end, label in spans]
                if key is None:
                    doc.set_ents(made)
                else:
                    doc.spans[key] = made
            docs.append(doc)
        DocBin(docs=docs).to_disk(tmp_path / name)
        return tmp_path / name

    return docbin


@pytest.fixture
def jsonl(tmp_path):
    def jsonl(*rows, name="dev.jsonl"):
        path = tmp_path / name
        path.write_text("".join(json.dumps(row) + "\n" for row in rows or map(task, TEXTS, GOLD)), "utf8")
        return path

    return jsonl


@pytest.fixture
def span_model(tmp_path):
    """A pipeline without any component of spaCy's that scores: a function sets entities and spans."""

    @spacy.Language.component("test_find_drugs")
    def find_drugs(doc):
        found = [
            Span(doc, token.i, token.i + 1, label="DRUG") for token in doc if token.text in ("aspirin", "warfarin")
        ]
        doc.ents = found
        doc.spans["mine"] = found[:1]
        return doc

    nlp = spacy.blank("en")
    nlp.add_pipe("test_find_drugs")
    nlp.to_disk(tmp_path / "function")
    return tmp_path / "function"
