"""`semeval convert`: Prodigy's JSONL as training data for spaCy."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import typer
from wasabi import Printer

from .guard import blame, messages_for_errors, whole_file

if TYPE_CHECKING:
    from collections import Counter

    from spacy.tokens import DocBin

MISALIGNED = ("error", "skip", "expand", "contract")
OVERLAP = ("error", "longest")


def convert_cli(
    input_path: Path = typer.Argument(..., metavar="INPUT", help="Prodigy's .jsonl"),
    output_path: Path = typer.Argument(..., metavar="OUTPUT", help="The .spacy file to write"),
    lang: str = typer.Option("en", help="Language whose tokenizer makes the tokens, where a record has none"),
    annotator: str | None = typer.Option(None, help="Whose annotations to take, where the file has several"),
    spans_key: str | None = typer.Option(None, "--spans-key", "-sk", help="Fill doc.spans[KEY] instead of doc.ents"),
    on_misaligned: str = typer.Option("error", help=f"For spans that cut through tokens: {', '.join(MISALIGNED)}"),
    on_overlap: str = typer.Option("error", help=f"For overlapping spans in doc.ents: {', '.join(OVERLAP)}"),
) -> None:
    """
    Convert Prodigy's JSONL into spaCy's .spacy, and say what did not fit and what was left out.
    """
    with messages_for_errors(), whole_file(output_path) as file:
        done = convert(
            input_path,
            lang=lang,
            annotator=annotator,
            spans_key=spans_key,
            on_misaligned=on_misaligned,
            on_overlap=on_overlap,
        )
        if file is not None:
            done.docs.to_disk(file)
    from ..formats.base import SKIPPED

    msg = Printer(no_print=True, pretty=sys.stdout.isatty())
    print(msg.good(f"Wrote {len(done.docs)} documents with {done.spans} spans to {output_path}"))
    for reason, count in sorted(done.skipped.items()):
        print(f"{count} {SKIPPED[reason]}, left out")
    for lines, what in ((done.misaligned, f"do not fit the tokens: {on_misaligned}"), (done.overlapping, "overlap")):
        if lines:
            print(msg.warn(f"{len(lines)} spans {what}"))
            print("\n".join(f"  {line}" for line in lines))


@dataclass(frozen=True)
class Converted:
    """What came out of a conversion.

    docs (DocBin): The documents.
    spans (int): The number of their spans.
    skipped (Counter[str]): How many records were left out for each reason.
    misaligned (list[str]): A line for each span that cuts through tokens.
    overlapping (list[str]): A line for each span left out because it overlaps a longer one.
    """

    docs: DocBin
    spans: int
    skipped: Counter[str]
    misaligned: list[str]
    overlapping: list[str]


def convert(
    input_path: Path,
    *,
    lang: str = "en",
    annotator: str | None = None,
    spans_key: str | None = None,
    on_misaligned: str = "error",
    on_overlap: str = "error",
) -> Converted:
    """Convert Prodigy's JSONL into Docs.

    input_path (Path): The JSONL file.
    lang (str): Language whose tokenizer makes the tokens of records that have none which rebuild their text.
    annotator (str | None): Whose annotations to take from a file that holds several.
    spans_key (str | None): Fill doc.spans[spans_key] instead of doc.ents.
    on_misaligned (str): For spans that cut through tokens: "error", "skip", "expand" or "contract".
    on_overlap (str): For overlapping spans in doc.ents: "error" or "longest".
    RETURNS (Converted): The documents, and what did not fit.
    RAISES (SemevalError): If the file cannot be used.
    """
    import spacy
    from spacy.tokens import DocBin

    from ..errors import SemevalError
    from ..formats.docbin import DocMaker
    from ..formats.prodigy import read_prodigy

    for name, value, known in (("on_misaligned", on_misaligned, MISALIGNED), ("on_overlap", on_overlap, OVERLAP)):
        if value not in known:
            raise SemevalError(f"Expected {name} to be one of {', '.join(known)}, but got {value!r}.")
    with blame(f"There is no language {lang!r}"):
        nlp = spacy.blank(lang)
    dataset = read_prodigy(input_path, annotator)
    maker = DocMaker(nlp, spans_key, on_misaligned, on_overlap)  # type: ignore[arg-type]
    docs = maker.make_all(dataset)
    spans = sum(len(doc.ents if spans_key is None else doc.spans[spans_key]) for doc in docs)
    return Converted(DocBin(docs=docs), spans, dataset.skipped, maker.misaligned, maker.overlapping)
