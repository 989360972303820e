"""What users name on the command line, as judgements: Prodigy's files and datasets, Potato's folders and exports."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ..errors import SemevalError, SettingsError
from ..formats.annotators import short_names
from ..formats.base import Offsets, Parts, Record, Unseen
from ..formats.database import PREFIX
from ..formats.potato import FILES, read_potato
from ..formats.potato_files import is_export, is_state
from ..formats.prodigy import Reader
from ..formats.sources import Source, open_source, readable
from .corpus import Judgement, TokenOffsets

CONFIG_ENDINGS = (".yaml", ".yml")
NO_ANNOTATORS = (
    "nothing in it says who annotated what (sessions that are named by their start time are no people). Give one "
    "file an annotator, or name the field that holds the annotator with --annotator-key."
)
ARRAY = (
    "it is a JSON array. Agreement takes Prodigy's JSONL, and what comes from Potato; `semeval convert` makes JSONL of "
    "other formats, one file an annotator."
)
REFUSED = {
    ".parquet": "Potato's parquet export is not read: in version 2.8 it holds no labels. Use the annotation_output "
    "folder, or the export as JSONL (python -m potato.export -f jsonl).",
    ".spacy": "a file of spaCy's does not say who annotated it. Use Prodigy's JSONL, one file an annotator.",
    **dict.fromkeys(
        (".conll", ".iob", ".iob2", ".bio"),
        "a CoNLL file holds no ids, so that nobody can tell which document of two annotators is the same. Use the "
        "annotation_output folder of Potato, its export as JSONL, or Prodigy's JSONL.",
    ),
}


@dataclass(frozen=True)
class PotatoOptions:
    """How to read what comes from Potato; the fields are the arguments of `read_potato`."""

    texts: Path | None = None
    scheme: str | None = None
    offsets: Offsets = "codepoint"
    parts: Parts = "refuse"
    unseen: Unseen = "absent"


@dataclass
class Gathered:
    """What was read of all inputs.

    judgements (list[Judgement]): What each person marked in each document.
    annotators (set[str]): All people as they are shown, those too of whom nothing can be used.
    shown (dict[str, str]): How people are shown, by their full names in Prodigy's records.
    counts (Counter[str]): Records that were read, left out or odd, by name.
    hints (list[str]): What may be wrong with the data.
    """

    judgements: list[Judgement] = field(default_factory=list)
    annotators: set[str] = field(default_factory=set)
    shown: dict[str, str] = field(default_factory=dict)
    counts: Counter[str] = field(default_factory=Counter)
    hints: list[str] = field(default_factory=list)


def read_all(
    inputs: Sequence[str],
    *,
    prodigy_db: Path | None = None,
    annotator_key: str | None = None,
    potato: PotatoOptions | None = None,
) -> Gathered:
    """Read the annotations of several people.

    inputs (Sequence[str]): Files, folders, "prodigy:" datasets, or "-" for standard input.
    prodigy_db (Path | None): Prodigy's SQLite file, if it is not where Prodigy puts it.
    annotator_key (str | None): Another field of Prodigy's records that names the annotator.
    potato (PotatoOptions | None): How to read what comes from Potato.
    RETURNS (Gathered): The judgements, with the names of annotators as they are shown.
    RAISES (SemevalError): If something cannot be read, or nobody can tell who annotated it.
    """
    _refuse_repeated(inputs)
    gathered = Gathered()
    files: list[_File] = []
    of_potato: list[Path | Source] = []
    for where in inputs:
        source = _open_prodigy(where, prodigy_db)
        if source is None or is_export(source):
            of_potato.append(Path(where) if source is None else source)
        else:
            files.append(_File.read(where, source, annotator_key, gathered.counts))
    without_key = [file.source.name for file in files if not file.has_key]
    if annotator_key is not None and (without_key or not files):
        where = ", ".join(without_key or map(readable, inputs))
        raise SemevalError(f"No record of {where} has the field {annotator_key!r}.")
    if len(inputs) == 1 and files:
        _refuse_one_person(files[0])
    if of_potato:
        _add_potato(gathered, of_potato, potato or PotatoOptions())
    elif potato is not None and potato != PotatoOptions():
        raise SettingsError(
            "The options for Potato (--texts, --potato-scheme, --offsets, --parts, --unseen) have no effect: none of "
            "the data is Potato's."
        )
    _add_files(gathered, files, has_sessions=annotator_key is None)
    return gathered


def protected(inputs: Sequence[str], prodigy_db: Path | None, texts: Path | None) -> list[Path]:
    """Find the files and folders that no output may be written over.

    inputs (Sequence[str]): What `read_all` takes.
    prodigy_db (Path | None): As there.
    texts (Path | None): The items with the texts, for Potato.
    RETURNS (list[Path]): Those that there are.
    RAISES (SemevalError): If there is no such dataset.
    """
    paths = [path for path in (prodigy_db, texts) if path is not None]
    for where in inputs:
        if where.startswith(PREFIX):
            database = open_source(where, prodigy_db).path
            paths += [] if database is None else [database]
        elif where and Path(where).exists():
            paths.append(Path(where))
            if Path(where).suffix in CONFIG_ENDINGS:
                paths.append(Path(where).parent)
    return paths


def _refuse_repeated(inputs: Sequence[str]) -> None:
    """Raise SemevalError if something is named twice, under whatever names."""
    named: dict[str, int] = {}
    for i, where in enumerate(inputs):
        path = Path(where)
        first = named.setdefault(str(path.resolve()) if where and path.exists() else where, i)
        if first != i:
            twice = f"{readable(inputs[first])} is named twice, as {readable(where)}"
            raise SemevalError(f"{twice}: it would agree with itself.")


def _open_prodigy(where: str, prodigy_db: Path | None) -> Source | None:
    """Open lines of JSON; None if it can only be something of Potato's."""
    if where.startswith(PREFIX):
        return open_source(where, prodigy_db)
    path = Path(where)
    if path.suffix in REFUSED:
        raise SemevalError(f"Can't use {readable(where)}: {REFUSED[path.suffix]}")
    if where and (path.is_dir() or (path.is_file() and (path.suffix in FILES or is_state(path)))):
        return None
    source = open_source(where)
    if path.suffix == ".json" and any(raw.startswith(b"[") for _, (_, raw) in zip(range(1), source.lines())):
        raise SemevalError(f"Can't use {readable(where)}: {ARRAY}")
    return source


def _add_potato(gathered: Gathered, inputs: Sequence[Path | Source], options: PotatoOptions) -> None:
    data = read_potato(
        inputs,
        options.texts,
        scheme=options.scheme,
        offsets=options.offsets,
        parts=options.parts,
        unseen=options.unseen,
    )
    gathered.judgements.extend(
        Judgement(record.annotator, record.document, record.text, record.spans) for record in data.records
    )
    gathered.annotators.update(data.annotators)
    gathered.counts.update(data.counts)
    gathered.hints.extend(data.hints)


@dataclass(frozen=True)
class _File:
    """A file of Prodigy's.

    path (str): What the user named.
    source (Source): Where its records are.
    records (list[tuple[str | None, Record]]): Who annotated it, if the record says so, and the record.
    names (set[str]): The people that it names, those too of whom nothing can be used.
    has_key (bool): Whether any record has the annotator key.
    is_review (bool): Whether it is a review export, whose people are sessions.
    """

    path: str
    source: Source
    records: list[tuple[str | None, Record]]
    names: set[str]
    has_key: bool
    is_review: bool

    @classmethod
    def read(cls, where: str, source: Source, annotator_key: str | None, counts: Counter[str]) -> _File:
        reader = Reader(source, annotator_key=annotator_key)
        records = list(reader.by_annotator())
        counts.update(records=reader.read, used=reader.used, **{f"skipped_{k}": n for k, n in reader.skipped.items()})
        counts.update(reader.noted)
        return cls(where, source, records, reader.authors, reader.has_key, reader.has_versions)


def _stem(where: str) -> str:
    """The name of a dataset, or of a file without its endings."""
    name = where.removeprefix(PREFIX) if where.startswith(PREFIX) else Path(where).name
    for ending in (".gz", ".jsonl"):
        name = name.removesuffix(ending)
    return readable(name)


def _refuse_one_person(file: _File) -> None:
    """Raise SemevalError if the only file is one person's."""
    if len(file.names) > 1:
        return
    if not file.names:
        raise SemevalError(f"Can't tell annotators apart in {file.source.name}: {NO_ANNOTATORS}")
    raise SemevalError(
        f"{file.source.name} holds the annotations of one annotator, {', '.join(short_names(file.names))}: agreement "
        "takes two. Give one file an annotator, or name another field that holds the annotator with --annotator-key."
    )


def _add_files(gathered: Gathered, files: Sequence[_File], has_sessions: bool) -> None:
    """Give each record its annotator: whom it names; or the only one whom its file names; or its file, if that names
    nobody. Only the names of sessions begin with a dataset's, which is not shown."""
    full = {name for file in files for name in file.names}
    shown = short_names(full) if has_sessions else {name: name for name in full}
    short = gathered.shown = {full: name for name, full in shown.items()}
    own_name = _file_names([file for file in files if not file.names and not file.is_review])
    for path, own in own_name.items():
        if own in shown or own in gathered.annotators:
            raise SemevalError(
                f"{readable(path)} names nobody, so its annotator would be {own!r}, and another file names one of "
                "that name. Give the file another name."
            )
    gathered.annotators.update(shown, own_name.values())
    texts: dict[str, str] = {}  # what several people had before them is kept once
    tokens: dict[TokenOffsets | None, TokenOffsets | None] = {}
    for file in files:
        for name, record in file.records:
            person = name
            if name is None and len(file.names) == 1 and not file.is_review:
                person = next(iter(file.names))
            reason = None
            if person is None and (file.names or file.is_review):
                reason = "skipped_no_annotator"
            elif record.unknown:
                reason = "skipped_ignored_in_part"
            if reason is not None:
                gathered.counts[reason] += 1
                gathered.counts["used"] -= 1
                continue
            offsets = _offsets(record)
            gathered.judgements.append(
                Judgement(
                    own_name[file.path] if person is None else short[person],
                    record.input_hash,
                    texts.setdefault(record.full_text, record.full_text),
                    record.spans,
                    tokens.setdefault(offsets, offsets),
                    record.timestamp,
                    file.source,
                    record.line,
                )
            )


def _file_names(files: Sequence[_File]) -> dict[str, str]:
    """Name people by their files, as they were given where two files have the same name."""
    names = {file.path: _stem(file.path) for file in files}
    alike = Counter(names.values())
    return {path: name if alike[name] == 1 else readable(path) for path, name in names.items()}


def _offsets(record: Record) -> TokenOffsets | None:
    return None if record.tokens is None else tuple((token.start, token.end) for token in record.tokens)
