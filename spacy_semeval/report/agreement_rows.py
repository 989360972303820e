"""Tables of agreement, made from the plain dict that `semeval agreement` saves."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Annotated, Any, Literal

import msgspec

from ..formats.base import NOTED, SKIPPED
from .rows import MISSING, Table, decimal, percent

MOST_COLUMNS = 9  # of a square table, so that it fits 80 characters
WORST = 10
FEW_NAMES = 4  # that a note lists for one reason
RULE_PAIRS = {"exact": ("exact", "strict"), "overlap": ("overlap", "overlap_typed"), "threshold": ("iou", "iou_typed")}
RATIOS = {"iou": "IoU", "dice": "Dice", "min": "min", "max": "max"}
SCHEMAS = ("strict", "exact", "partial", "type")
SOME_RULES = ("strict", "exact", "overlap")
_WORDED = {
    "different_text": "Left out, documents with the same hash or id but another text",
    "same_text": "Documents with the text of another one, but another hash or id, so that they were not linked",
    "overlapping": "Left out of unitized alpha, documents where spans of one annotator overlap",
    "without_text": "Left out of token and unitized coefficients, documents without a text",
    "duplicate_records": "Left out, surplus of records of one annotator about one document",
    "duplicate_spans": "Left out, surplus of duplicate spans",
    "other_label_spans": "Left out, spans with other labels",
    "other_scheme_spans": "Left out, spans of other annotation schemes",
    "not_reached": "Times that an annotator did not come to an assigned document",
    "unknown_whether_seen": "Times that nobody can tell whether an annotator saw a document, taken as not",
    "counted_empty": "Times that nobody can tell whether an annotator saw a document, taken as seen",
    "parts_joined": "Spans in several pieces, taken from the first to the last",
    "parts_dropped": "Spans in several pieces, of which the first was taken",
}
COUNTED = {
    **_WORDED,
    **{f"skipped_{reason}": f"Left out, {said}" for reason, said in SKIPPED.items()},
    **{what: f"Noted, {said}" for what, said in NOTED.items() if what not in _WORDED},
}


Count = Annotated[int, msgspec.Meta(ge=0)]
Score = Annotated[float, msgspec.Meta(le=1.000001)] | None


class _Summary(msgspec.Struct):
    mean: Score
    sd: Score
    min: Score
    max: Score
    ci: list[float] | None = None


class _Token(msgspec.Struct):
    cohen: Score
    cohen_annotated: Score
    fleiss: Score
    alpha: Score
    fleiss_documents: Count
    fleiss_annotators: Count
    tokens: Count
    cut_spans: Count
    hidden_spans: Count
    scheme: str
    by_label: bool


class _LabelAlpha(msgspec.Struct):
    ku: Score
    coverage: Score


class _Unitized(msgspec.Struct):
    u: Score
    bar_u: Score
    cu: Score
    cu_coverage: Score
    documents: Count
    per_label: dict[str, _LabelAlpha]


class _Settings(msgspec.Struct):
    ratio: Literal["iou", "dice", "min", "max"]
    iou: float


class _Older(msgspec.Struct):
    document: int | str
    overall: Score
    per_label: dict[str, Score]


class _Agreement(msgspec.Struct):
    settings: _Settings
    annotators: list[str]
    documents: dict[str, Count | dict[str, Count]]
    per_annotator: dict[str, dict[str, float | None]]
    span_f1: dict[str, _Summary]
    token: _Token
    unitized: _Unitized
    pairs: list[dict[str, Any]]
    per_label: dict[str, dict[str, Count | _Summary]]
    reasons: dict[str, str]
    reading: list[str]
    alpha_u_2004: list[_Older] = []


def check_agreement(result: Any) -> None:
    """Check that a dict that comes from a file has all that the tables need.

    result (Any): A dict as `agreement` returns it, or something else.
    RAISES (Exception): If it is something else; names the place.
    """
    msgspec.convert(result, _Agreement)
    agreement_tables(result), header_lines(result), left_out_lines(result)


def agreement_tables(result: Mapping[str, Any], detail: bool = False) -> list[Table]:
    """Make the tables of a comparison.

    result (Mapping[str, Any]): What `agreement` returns.
    detail (bool): Whether to add each pair, the worst documents and the confusion of labels.
    RETURNS (list[Table]): The tables in order.
    """
    tables = [
        annotators_table(result),
        boundary_table(result),
        schemas_table(result),
        token_table(result),
        unitized_table(result),
        pair_matrix(result),
        label_table(result),
    ]
    if "alpha_u_2004" in result:
        tables.append(older_table(result, detail))
    if detail:
        tables += [pairs_table(result), documents_table(result), confusion_table(result)]
    return [table for table in tables if table.rows]


def header_lines(result: Mapping[str, Any]) -> list[str]:
    """RETURNS (list[str]): Lines on what was compared."""
    documents, n = result["documents"], len(result["annotators"])
    by = documents["by_annotators"]
    lines = [
        f"Annotators: {n}. Documents: {documents['total']}, seen by all {n}: {documents['shared']}, by two or more: "
        f"{documents['compared']}"
    ]
    if documents["shared"] < documents["total"]:
        lines.append("Documents seen by " + ", ".join(f"{k}: {by[k]}" for k in by))
    return lines


def left_out_lines(result: Mapping[str, Any]) -> list[str]:
    """RETURNS (list[str]): A line for each reason to leave something out, and for all that is odd."""
    documents = result["documents"]
    return [f"{said}: {documents[key]}" for key, said in COUNTED.items() if documents.get(key)]


def annotators_table(result: Mapping[str, Any]) -> Table:
    """RETURNS (Table): What each annotator did, and how they agree with the rest: the mean of their pairs."""
    rows = [
        (
            name,
            *(str(own[key]) for key in ("documents", "empty", "spans")),
            *(decimal(own[rule]) for rule in SOME_RULES),
        )
        for name, own in result["per_annotator"].items()
    ]
    header = ("Annotator", "Documents", "Empty", "Spans", "Strict F1", "Exact F1", "Overlap F1")
    note = "Of all documents seen. Empty: left without a span. F1: mean of their pairs"
    return Table("Annotators", header, rows, 1, _noted(note, result, "per_annotator"))


def boundary_table(result: Mapping[str, Any]) -> Table:
    """RETURNS (Table): F1 without labels, which is about boundaries, beside F1 with labels."""
    settings, f1 = result["settings"], result["span_f1"]
    rows = []
    for name, rules in RULE_PAIRS.items():
        shown = name if name != "threshold" else f"{RATIOS[settings['ratio']]}>={settings['iou']:g}"
        cells = [
            cell for rule in rules for cell in (decimal(f1[rule]["mean"]), _interval(f1[rule]["ci"]), _range(f1[rule]))
        ]
        rows.append((shown, *cells))
    header = ("Rule", "Untyped", "95 % CI", "Min-max", "Typed", "95 % CI", "Min-max")
    note = "Untyped: boundaries. Typed: labels too. CI: bootstrap over documents"
    return Table("Span F1, mean over pairs", header, rows, 1, _noted(note, result, "span_f1"))


def schemas_table(result: Mapping[str, Any]) -> Table:
    """RETURNS (Table): F1 under the four schemas."""
    f1 = result["span_f1"]
    rows = [
        (rule, *(decimal(f1[rule][key]) for key in ("mean", "sd")), _interval(f1[rule]["ci"]), _range(f1[rule]))
        for rule in SCHEMAS
    ]
    header = ("Schema", "F1", "SD", "95 % CI", "Min-max")
    return Table("SemEval schemas, mean over pairs", header, rows, 1, _noted(None, result, "span_f1"))


def token_table(result: Mapping[str, Any]) -> Table:
    """RETURNS (Table): Kappas and alpha of the tags of tokens."""
    token = result["token"]
    names = {
        "cohen": "Cohen's kappa, mean over pairs",
        "cohen_annotated": "the same, tokens that either marked",
        "fleiss": f"Fleiss' kappa ({token['fleiss_documents']} documents with {token['fleiss_annotators']} annotators)",
        "alpha": "Krippendorff's alpha (nominal)",
    }
    rows = [(said, decimal(token[name])) for name, said in names.items()]
    kind = f"{token['scheme']}, one track a label" if token["by_label"] else token["scheme"]
    said = f"{token['tokens']} tokens. Spans that begin or end inside a token, widened: {token['cut_spans']}"
    if token["hidden_spans"]:
        said += f"; without a token of their own: {token['hidden_spans']}"
    return Table(f"Tokens ({kind})", ("Coefficient", "Value"), rows, 1, _noted(said, result, "token"))


def unitized_table(result: Mapping[str, Any]) -> Table:
    """RETURNS (Table): The unitized family of 2016."""
    found = result["unitized"]
    names = {
        "bar_u": "|u-alpha: marked or not",
        "u": "u-alpha: label or not marked",
        "cu": "cu-alpha: labels, where both marked",
    }
    coverage = percent(found["cu_coverage"])
    rows = [
        (said, decimal(found[name]), (coverage if name == "cu" else "100.00") if found["documents"] else MISSING)
        for name, said in names.items()
    ]
    note = f"Characters of {found['documents']} documents; labelled text is compared, not units"
    header = ("Coefficient", "Value", "% of text")
    return Table("Krippendorff's unitized alpha, family of 2016", header, rows, 1, _noted(note, result, "unitized"))


def older_table(result: Mapping[str, Any], detail: bool = False) -> Table:
    """RETURNS (Table): The unitized alpha of 2004, which is not defined for several documents together: of all
    documents with details, else of the first ones."""
    rows = []
    entries = result["alpha_u_2004"]
    shown = entries if detail else entries[:WORST]
    for entry in shown:
        rows.append((str(entry["document"]), "(all)", decimal(entry["overall"])))
        rows += [(str(entry["document"]), label, decimal(value)) for label, value in entry["per_label"].items()]
    said = "It is not defined for several documents together"
    if len(shown) < len(entries):
        said += f". {len(entries) - len(shown)} more documents: --detail shows all"
    note = _noted(said, result, "alpha_u_2004")
    return Table("Krippendorff's alpha_U of 2004, by document", ("Document", "Label", "Value"), rows, 2, note)


def pair_matrix(result: Mapping[str, Any]) -> Table:
    """RETURNS (Table): Strict F1 of each pair above the diagonal and Cohen's kappa below; a list if there are many."""
    names = result["annotators"]
    if len(names) > MOST_COLUMNS:
        return pairs_table(result)
    pairs = {tuple(pair["annotators"]): pair for pair in result["pairs"]}

    def cell(row: str, column: str) -> str:
        pair = pairs.get((min(row, column), max(row, column)))
        return MISSING if pair is None else decimal(pair["strict" if row < column else "cohen"])

    return _square(
        "Pairs: strict F1 above, token kappa (Cohen) below", "Annotator", names, cell, _noted(None, result, "pairs")
    )


def _square(
    title: str, first: str, names: Sequence[str], cell: Callable[[str, str], str], note: str | None = None
) -> Table:
    """A table with the same names as rows and columns, the columns as numbers."""
    header = (first, *(str(i) for i in range(1, len(names) + 1)))
    rows = [(f"{i} {row}", *(cell(row, column) for column in names)) for i, row in enumerate(names, 1)]
    return Table(title, header, rows, 1, note)


def pairs_table(result: Mapping[str, Any]) -> Table:
    """RETURNS (Table): A row for each pair of annotators."""
    rows = [
        (
            ", ".join(pair["annotators"]),
            str(pair["documents"]),
            *(decimal(pair[name]) for name in (*SOME_RULES, "cohen", "cohen_annotated")),
        )
        for pair in result["pairs"]
    ]
    header = ("Pair", "Documents", "Strict F1", "Exact F1", "Overlap F1", "Kappa", "Marked")
    note = _noted("Kappa: Cohen's, over all tokens. Marked: over tokens that either marked", result, "pairs")
    return Table("Pairs", header, rows, 1, note)


def label_table(result: Mapping[str, Any]) -> Table:
    """RETURNS (Table): A row for each label."""
    unitized = result["unitized"]["per_label"]
    rows = []
    for label, found in result["per_label"].items():
        alpha = unitized.get(label, {"ku": None, "coverage": None})
        scores = (decimal(found[rule]["mean"]) for rule in SOME_RULES)
        rows.append((label, str(found["spans"]), *scores, decimal(alpha["ku"]), percent(alpha["coverage"])))
    header = ("Label", "Spans", "Strict F1", "Exact F1", "Overlap F1", "(k)u-alpha", "% of text")
    note = "Each span under its own label. (k)u: where both marked, % of the label's text"
    return Table("Labels", header, rows, 1, _noted(note, result, "per_label", "unitized.per_label"))


def documents_table(result: Mapping[str, Any]) -> Table:
    """RETURNS (Table): The documents on which annotators differ most."""
    from ..agreement.disagreements import worst_first

    entries = result["per_document"]
    rows = [
        (
            str(entries[i]["document"]),
            str(len(entries[i]["annotators"])),
            str(entries[i]["differences"]),
            *(decimal(entries[i][rule]["mean"]) for rule in SOME_RULES),
        )
        for i in worst_first(entries)[:WORST]
    ]
    header = ("Document", "Annotators", "Differences", "Strict F1", "Exact F1", "Overlap F1")
    return Table(f"Worst documents ({WORST} at most)", header, rows, 1)


def confusion_table(result: Mapping[str, Any]) -> Table:
    """RETURNS (Table): How often labels met in aligned pairs of spans, and spans without a partner met none."""
    confusion = result["confusion"]
    note = "Whoever said which. (none): spans without a partner"
    if len(confusion) <= MOST_COLUMNS:
        title = "Labels that met"
        return _square(title, "Label", list(confusion), lambda a, b: str(confusion[a].get(b, 0)), note)
    met = {tuple(sorted((a, b))): n for a, others in confusion.items() for b, n in others.items() if a != b}
    order = sorted(met, key=lambda pair: (-met[pair], pair))
    rows = [(a, b, str(met[a, b])) for a, b in order]
    return Table("Different labels that met", ("Label", "Label", "Pairs"), rows, 2, note)


def _interval(ci: Sequence[float] | None) -> str:
    return MISSING if ci is None else f"{decimal(ci[0])}-{decimal(ci[1])}"


def _range(summary: Mapping[str, float | None]) -> str:
    return MISSING if summary["min"] is None else f"{decimal(summary['min'])}-{decimal(summary['max'])}"


def _noted(note: str | None, result: Mapping[str, Any], *about: str) -> str | None:
    """A note, with the reasons for what is not defined under these names."""
    named: dict[str, list[str]] = {}
    for name, why in result["reasons"].items():
        is_about = any(name == key or name.startswith(f"{key}.") for key in about)
        if is_about and not ("unitized" in about and name.startswith("unitized.per_label")):
            named.setdefault(why, []).append(name)
    # The name of a label or an annotator may hold anything.
    reasons = [f"- {_some(names)}: {why}".replace("\n", "\\n") for why, names in named.items()]
    lines: Iterable[str] = [*([note] if note else []), *reasons]
    return "\n".join(lines) or None


def _some(names: Sequence[str]) -> str:
    """The first names, and how many more there are."""
    more = f" and {len(names) - FEW_NAMES} more" if len(names) > FEW_NAMES else ""
    return "; ".join(names[:FEW_NAMES]) + more
