import pytest
import spacy

from spacy_semeval.errors import SettingsError
from spacy_semeval.tokenizer import tokenizer_for


@pytest.mark.parametrize(("lang", "count"), [("xx", 1), ("fr", 2)])
def test_the_language_decides(lang, count):
    assert len(tokenizer_for(lang, ["L'aspirine"])("L'aspirine")) == count


@pytest.mark.parametrize("texts", [[], [""], ["", "ab " * 400_000]])
def test_texts_of_any_length(texts):
    nlp = tokenizer_for("xx", iter(texts))
    assert [len(nlp.make_doc(text)) for text in texts] == [len(text.split()) for text in texts]


@pytest.mark.parametrize("lang", ["zz", "", "../x"])
def test_a_language_that_does_not_exist(lang):
    with pytest.raises(SettingsError, match=f"for the language '{lang}': "):
        tokenizer_for(lang, [])


def test_a_language_that_lacks_a_package(monkeypatch):
    def blank(lang):
        raise ImportError("Japanese support\nrequires SudachiPy")

    monkeypatch.setattr(spacy, "blank", blank)
    with pytest.raises(SettingsError, match="for the language 'ja': Japanese support requires SudachiPy$"):
        tokenizer_for("ja", [])
