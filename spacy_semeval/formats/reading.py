"""Read the spans of a file of any registered format."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ..errors import SettingsError
from .base import Dataset, ReadOptions
from .choosing import find_format, open_any, refuse_unused
from .sources import Source


def read_spans(where: str | Path, format: str | None = None, **options: Any) -> Dataset:
    """Read the spans of a file.

    where (str | Path): The file; for Potato a folder too, for Prodigy "prodigy:" and the name of a dataset too.
    format (str | None): The name of a registered format, such as "conll"; None to find it by name and content.
    options (Any): Fields of `formats.base.ReadOptions` that the format uses, such as `annotator` or `spans_key`.
    RETURNS (Dataset): The records, with what was left out; `dataset.spans` is what `score_spans` takes. Offsets are
        code points, ends exclusive, whatever the file has; those of "bio" are tokens.
    RAISES (SemevalError): A ValueError, if the file cannot be read, or its format is not known.
    """
    known = [name for name in ReadOptions.__dataclass_fields__ if name != "option"]
    for name in options:
        if name not in known:
            raise SettingsError(f"Unknown option of a reader: {name!r}. Available: {', '.join(known)}.")
    chosen = ReadOptions(**options)
    if chosen.texts is not None:
        chosen = ReadOptions(**{**options, "texts": Path(chosen.texts)})
    return read_dataset(open_any(where), format, chosen, {name: name for name in options}, "format")


def read_dataset(
    source: Source,
    format: str | None,
    options: ReadOptions,
    spelled: Mapping[str, str],
    format_option: str = "--format",
) -> Dataset:
    """Read all records of a file.

    source (Source): The file.
    format (str | None): The name of its format, None to find it.
    options (ReadOptions): How to read it.
    spelled (Mapping[str, str]): How the options that the format has to use are spelled, for messages.
    format_option (str): How the option that names the format is spelled.
    RETURNS (Dataset): The records, and what was left out.
    RAISES (SemevalError): If it cannot be read.
    """
    named = find_format(source, format, format_option)
    refuse_unused(options, [named], spelled)
    reader = named.format.read(source, options)
    return Dataset(source.name, list(reader), reader.skipped, reader.noted)
