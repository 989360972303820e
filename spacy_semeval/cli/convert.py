"""`semeval convert`: annotations of any format as .spacy, Prodigy's JSONL or CoNLL."""

from __future__ import annotations

import sys
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING

import typer
from wasabi import Printer

from .guard import messages_for_errors, whole_file, writing
from .options import (
    FOLD,
    OFFSETS,
    PARTS,
    POTATO_SCHEME,
    PRODIGY_DB,
    REPAIR,
    SPELLED,
    TAG_SCHEME,
    TEXTS,
    UNSEEN,
    Offsets,
    Parts,
    Repair,
    Unseen,
)

if TYPE_CHECKING:
    from ..formats.base import ReadOptions
    from ..formats.docbin import OnMisaligned, OnOverlap
    from ..formats.sources import Source
    from ..formats.writing import Written

# The formats that are written, by the endings of files.
TARGETS = {
    ".spacy": "docbin",
    ".jsonl": "prodigy",
    **dict.fromkeys((".conll", ".iob", ".iob2", ".bio", ".tsv"), "conll"),
}


class Misaligned(str, Enum):
    error = "error"
    skip = "skip"
    expand = "expand"
    contract = "contract"


class Overlap(str, Enum):
    error = "error"
    longest = "longest"


# A string that is not in its text has no place in a converted file.
class Unplaced(str, Enum):
    error = "error"
    drop = "drop"


def convert_cli(
    where: str = typer.Argument(..., metavar="INPUT", help="A file, prodigy:DATASET, or - for stdin"),
    output_path: Path = typer.Argument(..., metavar="OUTPUT", help="The .spacy, .jsonl or .conll file to write"),
    format: str | None = typer.Option(None, help="What INPUT is, where its name and content do not say it"),
    lang: str = typer.Option("en", help="Language whose tokenizer makes the tokens, where a record has none"),
    annotator: str | None = typer.Option(None, help="Whose annotations to take, where the file has several"),
    spans_key: str | None = typer.Option(
        None, "--spans-key", "-sk", help=".spacy: doc.spans[KEY] instead of doc.ents, of INPUT and of OUTPUT"
    ),
    on_misaligned: Misaligned = typer.Option(Misaligned.error, help="For spans that cut through tokens"),
    on_overlap: Overlap = typer.Option(Overlap.error, help="For overlapping spans in doc.ents or CoNLL"),
    tag_scheme: str | None = TAG_SCHEME,
    repair: Repair | None = REPAIR,
    unmatched: Unplaced = typer.Option(Unplaced.error, help="eval4ner: for strings that are not in their text"),
    fold: bool = FOLD,
    texts: Path | None = TEXTS,
    potato_scheme: str | None = POTATO_SCHEME,
    offsets: Offsets = OFFSETS,
    parts: Parts = PARTS,
    unseen: Unseen = UNSEEN,
    prodigy_db: Path | None = PRODIGY_DB,
) -> None:
    """
    Convert annotations into spaCy's .spacy, Prodigy's .jsonl or CoNLL, and say what did not fit and what was left out.
    """
    from ..formats.base import ReadOptions
    from ..formats.choosing import open_any

    with messages_for_errors():
        source = open_any(where, prodigy_db)
        with whole_file(output_path, *(path for path in (source.path, texts) if path is not None)) as file:
            written = convert(
                source,
                find_target(output_path),
                format=format,
                lang=lang,
                options=ReadOptions(
                    annotator=annotator,
                    spans_key=spans_key,
                    tag_scheme=tag_scheme,
                    repair=None if repair is None else repair.value,
                    unmatched=unmatched.value,
                    fold=fold,
                    texts=texts,
                    potato_scheme=potato_scheme,
                    offsets=offsets.value,
                    parts=parts.value,
                    unseen=unseen.value,
                ),
                on_misaligned=on_misaligned.value,
                on_overlap=on_overlap.value,
            )
            if file is not None:
                with writing(output_path):
                    file.write_bytes(written.content)
    with messages_for_errors():
        from ..report.console import is_terminal, one_line, visible, write

        msg = Printer(no_print=True, pretty=is_terminal(sys.stdout))
        said = f"Wrote {output_path}. Documents: {written.documents}, spans: {written.spans}"
        write(msg.good(one_line(said)), sys.stdout)
        for note in written.notes:
            write(visible(note), sys.stdout)


def find_target(path: Path) -> str:
    """RETURNS (str): The format to write, by the ending of the file. Raises SemevalError if it says nothing."""
    from ..errors import SemevalError

    if path.suffix not in TARGETS:
        raise SemevalError(f"Expected the output to end in {', '.join(TARGETS)}, but got {path}.")
    return TARGETS[path.suffix]


def convert(
    source: Source,
    target: str,
    *,
    format: str | None = None,
    lang: str = "en",
    options: ReadOptions | None = None,
    on_misaligned: OnMisaligned = "error",
    on_overlap: OnOverlap = "error",
) -> Written:
    """Convert annotations.

    source (Source): Where they are.
    target (str): What to write: "docbin", "prodigy" or "conll".
    format (str | None): The name of a registered format, None to find it.
    lang (str): Language whose tokenizer makes the tokens of records that have none which rebuild their text.
    options (ReadOptions | None): How to read the source. `spans_key` is that of the output too.
    on_misaligned (OnMisaligned): For spans that cut through tokens: "error", "skip", "expand" or "contract".
    on_overlap (OnOverlap): For overlapping spans in doc.ents or CoNLL: "error" or "longest".
    RETURNS (Written): The content of the file, and what did not fit.
    RAISES (SemevalError): If the source cannot be used, or something does not fit.
    """
    from ..formats.base import ReadOptions
    from ..formats.docbin import DocMaker
    from ..formats.reading import read_dataset
    from ..formats.writing import to_conll, to_docbin, to_prodigy
    from ..tokenizer import tokenizer_for

    options = options or ReadOptions()
    spelled = {name: option for name, option in SPELLED.items() if name != "spans_key" or target != "docbin"}
    dataset = read_dataset(source, format, options, {**spelled, "annotator": "--annotator"})
    dataset.check_texts()
    if target == "prodigy":
        return to_prodigy(dataset)
    nlp = tokenizer_for(lang, (record.full_text for record in dataset.records))
    if target == "docbin":
        return to_docbin(dataset, DocMaker(nlp, options.spans_key, on_misaligned, on_overlap))
    return to_conll(dataset, DocMaker(nlp, None, on_misaligned, on_overlap))
