"""A corpus reader that takes Prodigy's JSONL as it is."""

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path

from confection import ConfigValidationError
from spacy.language import Language
from spacy.tokens import Doc
from spacy.training import Corpus, Example
from spacy.training.corpus import walk_corpus
from spacy.util import logger

from ..errors import SemevalError
from ..formats.database import PREFIX
from ..formats.docbin import DocMaker, OnMisaligned, OnOverlap
from ..formats.prodigy import read_prodigy
from ..formats.sources import open_source

FILE_TYPE = ".jsonl"


# entry point: spacy-semeval.ProdigyCorpus.v1
def prodigy_corpus(
    path: str | Path | None,
    gold_preproc: bool = False,
    max_length: int = 0,
    limit: int = 0,
    augmenter: Callable | None = None,
    annotator: str | None = None,
    spans_key: str | None = None,
    on_misaligned: OnMisaligned = "error",
    on_overlap: OnOverlap = "error",
    prodigy_db: str | Path | None = None,
) -> Callable[[Language], Iterable[Example]]:
    """Make a reader of Prodigy's JSONL. Its first five arguments are those of spacy.Corpus.v1.

    path (str | Path | None): A file, a folder whose .jsonl files are read, or "prodigy:" and the name of a dataset.
    gold_preproc (bool): Whether predictions are made on the tokens of the reference.
    max_length (int): Leave out documents with this many tokens or more; 0 for no limit.
    limit (int): Read this many documents only; 0 for all.
    augmenter (Callable | None): A function that makes more Examples of each one.
    annotator (str | None): Whose annotations to take from a file that holds several.
    spans_key (str | None): Put the spans into doc.spans under this key instead of into doc.ents.
    on_misaligned (OnMisaligned): For spans that cut through tokens: "error", "skip", "expand" or "contract".
    on_overlap (OnOverlap): For overlapping spans in doc.ents: "error" or "longest".
    prodigy_db (str | Path | None): Prodigy's SQLite file, if it is not where Prodigy puts it.
    RETURNS (Callable[[Language], Iterable[Example]]): The reader.
    RAISES (ConfigValidationError): If there is no path, or nothing there.
    """
    if path is None:
        raise ConfigValidationError(desc="spacy-semeval.ProdigyCorpus.v1 has no path: set it, e.g. with --paths.train.")
    if not str(path).startswith(PREFIX) and not Path(path).exists():
        raise ConfigValidationError(desc=f"spacy-semeval.ProdigyCorpus.v1: can't find {path}.")
    return ProdigyCorpus(
        path,
        annotator=annotator,
        spans_key=spans_key,
        on_misaligned=on_misaligned,
        on_overlap=on_overlap,
        prodigy_db=prodigy_db,
        limit=limit,
        gold_preproc=gold_preproc,
        max_length=max_length,
        augmenter=augmenter,
    )


class ProdigyCorpus(Corpus):
    """Reads Examples as spaCy's Corpus does, from Prodigy's JSONL."""

    def __init__(
        self,
        path: str | Path,
        *,
        annotator: str | None = None,
        spans_key: str | None = None,
        on_misaligned: OnMisaligned = "error",
        on_overlap: OnOverlap = "error",
        prodigy_db: str | Path | None = None,
        limit: int = 0,
        gold_preproc: bool = False,
        max_length: int = 0,
        augmenter: Callable | None = None,
    ) -> None:
        super().__init__(path, limit=limit, gold_preproc=gold_preproc, max_length=max_length, augmenter=augmenter)
        self.annotator = annotator
        self.spans_key = spans_key
        self.on_misaligned: OnMisaligned = on_misaligned
        self.on_overlap: OnOverlap = on_overlap
        self.prodigy_db = None if prodigy_db is None else Path(prodigy_db)  # a config gives a string
        self.where = str(path)
        self.told: set[str] = set()

    def __call__(self, nlp: Language) -> Iterator[Example]:
        """Read the data.

        nlp (Language): The pipeline whose tokenizer and vocab are used.
        YIELDS (Example): The examples, augmented.
        RAISES (ConfigValidationError): Where `read_prodigy` or `DocMaker.make_all` refuses the data.
        """
        docs = islice(self.read_docs(nlp), self.limit if self.limit >= 1 else None)
        make = self.make_examples_gold_preproc if self.gold_preproc else self.make_examples
        for example in make(nlp, docs):
            yield from self.augmenter(nlp, example)

    def read_docs(self, nlp: Language) -> Iterator[Doc]:
        """Read the reference Docs, those without a token left out as spaCy does.

        nlp (Language): The pipeline whose tokenizer and vocab are used.
        YIELDS (Doc): The reference Docs.
        """
        for path in map(str, walk_corpus(self.path, FILE_TYPE)) if self.path.is_dir() else [self.where]:
            maker = DocMaker(nlp, self.spans_key, self.on_misaligned, self.on_overlap)
            try:
                dataset = read_prodigy(open_source(path, self.prodigy_db), self.annotator)
                docs = maker.make_all(dataset)
            except SemevalError as error:  # in the form that `spacy train` prints
                raise ConfigValidationError(desc=f"spacy-semeval.ProdigyCorpus.v1: {error}") from None
            # A dev corpus is read at every evaluation: what is left out of it is said once.
            if path not in self.told:
                self.told.add(path)
                empty = sum(not len(doc) for doc in docs)
                empty_note = [f"Left out, records without a text: {empty}"] if empty else []
                for note in [*dataset.notes(), *maker.notes(), *empty_note]:
                    logger.warning("%s: %s", path, note)
            yield from filter(len, docs)
