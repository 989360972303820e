"""`semeval convert`: Prodigy's JSONL as training data for spaCy."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING

import typer
from wasabi import Printer

from .guard import blame, messages_for_errors, whole_file, writing
from .options import PRODIGY_DB

if TYPE_CHECKING:
    from spacy.tokens import DocBin

    from ..formats.docbin import OnMisaligned, OnOverlap
    from ..formats.sources import Source


class Misaligned(str, Enum):
    error = "error"
    skip = "skip"
    expand = "expand"
    contract = "contract"


class Overlap(str, Enum):
    error = "error"
    longest = "longest"


def convert_cli(
    where: str = typer.Argument(
        ..., metavar="INPUT", help="Prodigy's .jsonl (or .gz), prodigy:DATASET, or - for stdin"
    ),
    output_path: Path = typer.Argument(..., metavar="OUTPUT", help="The .spacy file to write"),
    lang: str = typer.Option("en", help="Language whose tokenizer makes the tokens, where a record has none"),
    annotator: str | None = typer.Option(None, help="Whose annotations to take, where the file has several"),
    spans_key: str | None = typer.Option(None, "--spans-key", "-sk", help="Fill doc.spans[KEY] instead of doc.ents"),
    on_misaligned: Misaligned = typer.Option(Misaligned.error, help="For spans that cut through tokens"),
    on_overlap: Overlap = typer.Option(Overlap.error, help="For overlapping spans in doc.ents"),
    prodigy_db: Path | None = PRODIGY_DB,
) -> None:
    """
    Convert Prodigy's JSONL into spaCy's .spacy, and say what did not fit and what was left out.
    """
    from ..formats.sources import open_source

    with messages_for_errors():
        source = open_source(where, prodigy_db)
        with whole_file(output_path, *([] if source.path is None else [source.path])) as file:
            check_ending(output_path)
            done = convert(
                source,
                lang=lang,
                annotator=annotator,
                spans_key=spans_key,
                on_misaligned=on_misaligned.value,
                on_overlap=on_overlap.value,
            )
            if file is not None:
                with writing(output_path):
                    done.docs.to_disk(file)
    with messages_for_errors():
        from ..report.console import is_terminal, one_line, visible, write

        msg = Printer(no_print=True, pretty=is_terminal(sys.stdout))
        said = f"Wrote {output_path}. Documents: {len(done.docs)}, spans: {done.spans}"
        write(msg.good(one_line(said)), sys.stdout)
        for note in done.notes:
            write(visible(note), sys.stdout)


def check_ending(path: Path) -> None:
    """Refuse an output that would be taken for something else."""
    from ..errors import SemevalError

    if path.suffix != ".spacy":
        raise SemevalError(f"Expected the output to end in .spacy, but got {path}.")


@dataclass(frozen=True)
class Converted:
    """What came out of a conversion.

    docs (DocBin): The documents.
    spans (int): The number of their spans.
    notes (list[str]): Lines on what was left out and what did not fit.
    """

    docs: DocBin
    spans: int
    notes: list[str]


def convert(
    source: Source,
    *,
    lang: str = "en",
    annotator: str | None = None,
    spans_key: str | None = None,
    on_misaligned: OnMisaligned = "error",
    on_overlap: OnOverlap = "error",
) -> Converted:
    """Convert Prodigy's JSONL into Docs.

    source (Source): Where the records are.
    lang (str): Language whose tokenizer makes the tokens of records that have none which rebuild their text.
    annotator (str | None): Whose annotations to take from a file that holds several.
    spans_key (str | None): Fill doc.spans[spans_key] instead of doc.ents.
    on_misaligned (OnMisaligned): For spans that cut through tokens: "error", "skip", "expand" or "contract".
    on_overlap (OnOverlap): For overlapping spans in doc.ents: "error" or "longest".
    RETURNS (Converted): The documents, and what did not fit.
    RAISES (SemevalError): If the file cannot be used.
    """
    import spacy
    from spacy.tokens import DocBin

    from ..formats.docbin import DocMaker
    from ..formats.prodigy import read_prodigy

    with blame(f"There is no language {lang!r}"):
        nlp = spacy.blank(lang)
    dataset = read_prodigy(source, annotator)
    # The limit is about the memory that parsers take; nothing is parsed here.
    nlp.max_length = max(len(record.text) for record in dataset.records) + 1
    maker = DocMaker(nlp, spans_key, on_misaligned, on_overlap)
    docs = maker.make_all(dataset)
    spans = sum(len(doc.ents if spans_key is None else doc.spans[spans_key]) for doc in docs)
    return Converted(DocBin(docs=docs), spans, [*dataset.notes(), *maker.notes()])
