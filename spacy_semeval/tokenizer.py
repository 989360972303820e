"""spaCy's tokenizer of a language, for texts that come without tokens."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from .errors import SettingsError

if TYPE_CHECKING:
    # Importing this package must stay free of spaCy: it runs before every `python -m spacy`.
    from spacy.language import Language


def tokenizer_for(lang: str, texts: Iterable[str]) -> Language:
    """Make a pipeline without components that takes the given texts, of any length.

    lang (str): The language, such as "en", or "xx" for any.
    texts (Iterable[str]): All the texts that it is to tokenize.
    RETURNS (Language): The blank pipeline.
    RAISES (SettingsError): If there is no such language, or it needs a package that is not installed.
    """
    import spacy

    try:
        nlp = spacy.blank(lang)
    except Exception as error:  # what a language needs and does not find may raise anything
        problem = f"Can't make spaCy's tokenizer for the language {lang!r}: {' '.join(str(error).split())}"
        raise SettingsError(problem) from None
    # The limit is about the memory that parsers take; nothing is parsed here.
    nlp.max_length = max(map(len, texts), default=0) + 1
    return nlp
