"""Tables as rows of text, made from the plain dicts of `Scores.to_dict`: where numbers are rounded and worded."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import msgspec

from ..formats.base import NOTED, SKIPPED

COUNTS = ("cor", "inc", "par", "mis", "spu")
SCORES = ("p", "r", "f")
MISSING = "-"
RULES = {
    True: "Own side: P over the label's predictions, R over its gold (docs/semantics.md, 5)",
    False: "Gold side: a pair counts under its gold label (docs/semantics.md, section 5)",
}
SOME_LABELS = "ACT holds predictions with other labels too, if their gold is scored (docs/semantics.md, 6)"
# What there is to say of documents besides how many were scored.
LINKS = {
    "no_spans": "Documents without a span on either side, not in the mean over documents",
    "gold_only": "Documents that only gold has",
    "pred_only": "Documents that only pred has, not scored",
}
# What may be left out on the way to the scores.
LEFT_OUT = {
    "different_text": "documents with the same input hash but another text",
    "duplicate_records": "surplus of duplicate records",
    "unannotated": "documents without annotation",
    "ignored_pred": "predictions that touch text without annotation",
    "duplicate_spans": "surplus of duplicate spans",
    "empty_spans": "spans without a character",
    "empty_documents": "documents without a text",
    "cut_by_sentences": "gold spans that cross a sentence boundary",
    "other_label_gold": "gold spans with other labels",
    "other_label_pred": "predictions with other labels",
    **{f"skipped_{reason}": words for reason, words in SKIPPED.items()},
}
SIDES = ("gold", "pred")
# The averages that can be asked for, and where they are.
AVERAGES = {"macro": "macro", "weighted": "weighted", "documents": "document_mean"}
ACE_PARTS = ("found", "spurious", "possible")
OUTCOMES = ("cor", "inc", "par", "mis", "pos")


@dataclass(frozen=True)
class Table:
    """A table of text cells.

    title (str): What it shows.
    header (tuple[str, ...]): The name of each column.
    rows (Sequence[tuple[str, ...]]): The cells, as many a row as there are columns.
    text_columns (int): How many columns, from the left, hold words instead of numbers.
    note (str | None): A line to stand under it.
    """

    title: str
    header: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]
    text_columns: int
    note: str | None = None


Count = Annotated[int, msgspec.Meta(ge=0)]
Score = Annotated[float, msgspec.Meta(ge=0, le=1)] | None


class _Cell(msgspec.Struct):
    cor: Count
    inc: Count
    par: Count
    mis: Count
    spu: Count
    pos: Count
    act: Count
    p: Score
    r: Score
    f: Score


class _Mean(msgspec.Struct):
    p: Score
    r: Score
    f: Score


class _Rates(msgspec.Struct):
    undergeneration: Score
    overgeneration: Score
    substitution: Score
    error_per_response_fill: Score


class _Muc(msgspec.Struct):
    overall: _Cell
    per_label: dict[str, _Cell]
    error_rates: dict[str, _Rates]


class _Ace(msgspec.Struct):
    value: float | None
    found: float
    spurious: float
    possible: float


class _Conll(msgspec.Struct):
    tokens: Count | None
    correct: Count | None


class _Settings(msgspec.Struct):
    averages: list[Literal["macro", "weighted", "documents"]] = []


class _Scores(msgspec.Struct):
    overall: dict[str, _Cell]
    per_label: dict[str, dict[str, _Cell]]
    documents: dict[str, Count]
    settings: _Settings = msgspec.field(default_factory=_Settings)
    macro: dict[str, _Mean] = {}
    weighted: dict[str, _Mean] = {}
    document_mean: dict[str, _Mean] = {}
    muc: _Muc | msgspec.UnsetType = msgspec.UNSET
    ace: _Ace | msgspec.UnsetType = msgspec.UNSET
    conll: _Conll | msgspec.UnsetType = msgspec.UNSET


class _AcceptedCell(msgspec.Struct):
    cor: Count
    inc: Count
    par: Count
    mis: Count
    pos: Count
    r: Score


class _BinaryCell(msgspec.Struct):
    accepted: Count
    found: Count
    not_found: Count
    rejected: Count
    predicted: Count
    avoided: Count
    schemas: dict[str, _AcceptedCell]


class _Binary(msgspec.Struct):
    overall: _BinaryCell
    per_label: dict[str, _BinaryCell]
    documents: dict[str, Count]


def check(scores: Any) -> None:
    """Check that a dict that comes from a file has all that the tables need.

    scores (Any): A dict as `Scores.to_dict` or `score_binary` gives it, or something else.
    RAISES (msgspec.ValidationError): If it is something else; names the place.
    """
    msgspec.convert(scores, _Binary if scores.get("kind") == "binary" else _Scores)
    if "scored" not in scores["documents"]:
        raise msgspec.ValidationError("Object missing required field `scored` - at `$.documents`")
    missing = [AVERAGES[name] for name in _averages(scores) if AVERAGES[name] not in scores]
    if missing:
        raise msgspec.ValidationError(f"Object missing required field `{missing[0]}`")


def percent(score: float | None) -> str:
    """Word a score as spaCy does: in percent with two decimals, a dash where there is none."""
    return MISSING if score is None else f"{100 * score:.2f}"


def decimal(score: float | None) -> str:
    """Word a coefficient of agreement, which may be below 0, with three decimals; a dash where there is none."""
    return MISSING if score is None else f"{score:.3f}"


def overall_table(scores: Mapping[str, Any], attr: str) -> Table:
    """Make the table of all labels together.

    scores (Mapping[str, Any]): A dict with "overall", as `Scores.to_dict` gives it.
    attr (str): What was scored: "ents", or "spans_" and the key.
    RETURNS (Table): A row for each schema.
    """
    counts = (*COUNTS, "pos", "act")
    rows = [(schema, *_cells(cell, counts)) for schema, cell in scores["overall"].items()]
    filters = scores.get("settings", {}).get("filters", {})
    note = SOME_LABELS if filters.get("labels") else None
    return Table(f"SemEval schemas ({attr})", ("Schema", *_names(counts)), rows, 1, note)


def per_label_table(scores: Mapping[str, Any], attr: str) -> Table:
    """Make the table of each label.

    scores (Mapping[str, Any]): A dict with "per_label", as `Scores.to_dict` gives it.
    attr (str): What was scored: "ents", or "spans_" and the key.
    RETURNS (Table): A row for each label and schema.
    """
    labels = scores["per_label"].items()
    rows = [(label, schema, *_cells(cell, COUNTS)) for label, cells in labels for schema, cell in cells.items()]
    own_side = any("pred_cor" in cell for _, cells in labels for cell in cells.values())
    title = f"SemEval schemas per label ({attr})"
    return Table(title, ("Label", "Schema", *_names(COUNTS)), rows, 2, RULES[own_side])


def label_f_table(scores: Mapping[str, Any], attr: str, when: str) -> Table:
    """Make the compact table of the training log.

    scores (Mapping[str, Any]): A dict with "overall" and "per_label", as `Scores.to_dict` gives it.
    attr (str): What was scored: "ents", or "spans_" and the key.
    when (str): The moment of training, for the title.
    RETURNS (Table): A row for each label with its F under each schema.
    """
    schemas = tuple(scores["overall"])
    # Two components may score the same with other settings: then the last one's scores are there, for each schema.
    labels = scores["per_label"].items()
    rows = [(label, *(percent(cells[s]["f"] if s in cells else None) for s in schemas)) for label, cells in labels]
    return Table(f"F per label ({attr}), {when}", ("Label", *(s.upper() for s in schemas)), rows, 1)


def average_table(scores: Mapping[str, Any]) -> Table:
    """Make the table of the averages that were asked for, beside that of all spans.

    scores (Mapping[str, Any]): A dict as `Scores.to_dict` gives it, with "averages" under "settings".
    RETURNS (Table): A row for each average and schema; none if nothing was asked for.
    """
    wanted = _averages(scores)
    found = {"micro": scores["overall"], **{name: scores[AVERAGES[name]] for name in wanted}} if wanted else {}
    rows = [
        (name, schema, *(percent(cell[score]) for score in SCORES))
        for name, cells in found.items()
        for schema, cell in cells.items()
    ]
    note = "Micro: all spans. Documents: mean over those with a span on either side" if "documents" in wanted else None
    return Table("Averages", ("Average", "Schema", *_names(())), rows, 2, note)


def _averages(scores: Mapping[str, Any]) -> Sequence[str]:
    averages: Sequence[str] = scores.get("settings", {}).get("averages", ())
    return averages


def muc_tables(scores: Mapping[str, Any]) -> list[Table]:
    """Make the tables of MUC.

    scores (Mapping[str, Any]): A dict that may hold "muc".
    RETURNS (list[Table]): The named-entity score, and the error rates by schema; nothing if it holds none.
    """
    if "muc" not in scores:
        return []
    muc, counts = scores["muc"], ("cor", "inc", "mis", "spu", "pos", "act")
    rows = [(label, *_cells(cell, counts)) for label, cell in {"(all)": muc["overall"], **muc["per_label"]}.items()]
    note = "Of each span the slots type and text: counts of the schemas type and exact together"
    rates = [(schema, *map(percent, found.values())) for schema, found in muc["error_rates"].items()]
    header = ("Schema", "Undergeneration", "Overgeneration", "Substitution", "Error")
    return [
        Table("MUC-6/7 named entities", ("Label", *_names(counts)), rows, 1, note),
        Table("MUC-5 error rates", header, rates, 1, "Error: per response fill"),
    ]


def ace_table(scores: Mapping[str, Any]) -> Table:
    """Make the table of the ACE value.

    scores (Mapping[str, Any]): A dict that may hold "ace".
    RETURNS (Table): One row; none if it holds none.
    """
    ace = scores.get("ace")
    rows = [] if ace is None else [(*(f"{ace[name]:.4f}" for name in ACE_PARTS), _value(ace["value"]))]
    note = "Not defined: gold is worth nothing" if ace and ace["value"] is None else None
    return Table("Value, in the manner of ACE", ("Found", "Spurious", "Possible", "Value"), rows, 0, note)


def _value(value: float | None) -> str:
    return MISSING if value is None else f"{value:.4f}"


def document_notes(documents: Mapping[str, int]) -> list[str]:
    """Word what was scored and what was left out; what is 0 goes without saying.

    documents (Mapping[str, int]): The counts of `Scores.documents`.
    RETURNS (list[str]): A line for each.
    """
    words = {
        **LINKS,
        **{key: f"Left out, {said}" for key, said in LEFT_OUT.items()},
        **{key: f"Noted, {said}" for key, said in NOTED.items()},
    }
    said = [f"{said}: {documents[key]}" for key, said in words.items() if documents.get(key)]
    return [f"Documents scored: {documents['scored']}", *said]


def records_table(documents: Mapping[str, int]) -> Table | None:
    """Make the table of what was read of two files.

    documents (Mapping[str, int]): The counts of `Scores.documents`.
    RETURNS (Table | None): A row for what was read, for each reason to leave something out and for what was used; None
        if two files were not compared.
    """
    if "gold_records" not in documents:
        return None
    words = {
        "records": "records read",
        **{f"skipped_{reason}": f"left out, {said}" for reason, said in SKIPPED.items()},
        **{what: f"noted, {said}" for what, said in NOTED.items()},
        "used": "records used",
        "duplicate_records": "of these, surplus of duplicates",
    }
    rows = []
    for key, said in words.items():
        numbers = [documents.get(f"{side}_{key}", 0) for side in SIDES]
        if any(numbers):
            rows.append((said, *map(str, numbers)))
    return Table("Records", ("Records", "GOLD", "PRED"), rows, 1)


def answers_table(scores: Mapping[str, Any]) -> Table:
    """Make the table of binary answers.

    scores (Mapping[str, Any]): A dict as `score_binary` gives it.
    RETURNS (Table): What was found and avoided, for each label and for all.
    """
    names = ("accepted", "found", "not_found", "rejected", "predicted", "avoided")
    header = ("Label", *(name.replace("_", " ").capitalize() for name in names))
    cells = {**scores["per_label"], "(all)": scores["overall"]}
    rows = [(label, *(str(cell[name]) for name in names)) for label, cell in cells.items()]
    return Table("Binary answers", header, rows, 1)


def accepted_table(scores: Mapping[str, Any]) -> Table:
    """Make the table of the accepted spans of binary answers.

    scores (Mapping[str, Any]): A dict as `score_binary` gives it.
    RETURNS (Table): Outcomes and recall, for each label and for all, under each schema.
    """
    cells = {**scores["per_label"], "(all)": scores["overall"]}
    rows = [
        (label, schema, *(str(found[name]) for name in OUTCOMES), percent(found["r"]))
        for label, cell in cells.items()
        if cell["accepted"]
        for schema, found in cell["schemas"].items()
    ]
    note = "P and F are not defined: nobody said what else the texts hold"
    header = ("Label", "Schema", *(name.upper() for name in (*OUTCOMES, "r")))
    return Table("SemEval schemas (accepted spans)", header, rows, 2, note)


def _cells(cell: Mapping[str, Any], counts: Iterable[str]) -> tuple[str, ...]:
    return (*(str(cell[name]) for name in counts), *(percent(cell[name]) for name in SCORES))


def _names(counts: Iterable[str]) -> tuple[str, ...]:
    return tuple(name.upper() for name in (*counts, *SCORES))
