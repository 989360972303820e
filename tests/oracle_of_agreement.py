"""Slow measures of agreement, written from docs/agreement.md alone: characters in arrays, all pairings tried."""

from fractions import Fraction
from itertools import combinations, permutations


def overlap(a, b):
    return max(0, min(a[1], b[1]) - max(a[0], b[0]))


RATIOS = {
    "iou": lambda a, b: overlap(a, b) / (a[1] - a[0] + b[1] - b[0] - overlap(a, b)),
    "dice": lambda a, b: 2 * overlap(a, b) / (a[1] - a[0] + b[1] - b[0]),
    "min": lambda a, b: overlap(a, b) / max(a[1] - a[0], b[1] - b[0]),
    "max": lambda a, b: overlap(a, b) / min(a[1] - a[0], b[1] - b[0]),
}


def most_pairs(a, b, may_pair):
    """The number of pairs of the largest one-to-one matching, by trying all."""
    if not a:
        return 0
    best = most_pairs(a[1:], b, may_pair)
    for i, other in enumerate(b):
        if may_pair(a[0], other):
            best = max(best, 1 + most_pairs(a[1:], b[:i] + b[i + 1 :], may_pair))
    return best


def matches(a, b, ratio="iou", least=0.5):
    """By rule the number of pairs of one document."""
    a, b = sorted(set(a)), sorted(set(b))
    rules = {
        "overlap": lambda x, y: overlap(x, y) > 0,
        "iou": lambda x, y: overlap(x, y) > 0 and RATIOS[ratio](x, y) >= least,
    }
    found = {}
    for name, rule in rules.items():
        found[name] = most_pairs(a, b, rule)
        found[f"{name}_typed"] = most_pairs(a, b, lambda x, y, rule=rule: rule(x, y) and x[2] == y[2])
    return found


def f1(tp, total):
    return None if total == 0 else 2 * tp / total


def one_minus(observed, expected):
    return None if expected == 0 else 1 - observed / expected


def values(spans, length):
    """The label of each character, None for a gap."""
    cells = [None] * length
    for start, end, label in spans:
        cells[start:end] = [label] * (end - start)
    return cells


def segments(spans, length):
    """(start, end, label) of spans and, with the label None, of gaps."""
    found, at = [], 0
    for start, end, label in sorted(set(spans)):
        if start > at:
            found.append((at, start, None))
        found.append((start, end, label))
        at = end
    return [*found, (at, length, None)] if at < length else found


def unitized(documents, lengths, erase=False):
    """u, bar_u, cu, coverage and (k)u of documents that map annotators to spans, from characters one by one."""
    coincidences, own, marked_own = {}, {}, {}
    for document, length in zip(documents, lengths):
        m = len(document)
        if m < 2:
            continue
        named = {i: [(s, e, "X" if erase else label) for s, e, label in set(spans)] for i, spans in document.items()}
        cells = {i: values(spans, length) for i, spans in named.items()}
        for i in cells:
            for j in cells:
                if i != j:
                    for c, k in zip(cells[i], cells[j]):
                        coincidences[c, k] = coincidences.get((c, k), 0) + 1 / (m - 1)
            for start, end, label in segments(named[i], length):
                size = end - start
                own[label] = own.get(label, 0) + (size if label is None else size**2)
                for j in cells:
                    if j != i and label is not None:
                        covered = sum(cell is not None for cell in cells[j][start:end])
                        marked_own[label] = marked_own.get(label, 0) + covered**2 / (m - 1)
    return coefficients(coincidences, own, marked_own)


def coefficients(coincidences, own, marked_own):
    labels = sorted({c for c, _ in coincidences} - {None})
    every = [None, *labels]
    seen = {(c, k): coincidences.get((c, k), 0) for c in every for k in every}
    expected = by_chance(seen, own, every)
    marked = {(c, k): seen[c, k] for c in labels for k in labels}
    marked_expected = by_chance(marked, marked_own, labels)

    def different(table):
        return sum(n for (c, k), n in table.items() if c != k)

    def row(table, c, same=True):
        return sum(n for (d, k), n in table.items() if d == c and (same or k != c))

    ku = {
        k: (
            one_minus(row(marked_expected, k) * row(marked, k, False), row(marked, k) * row(marked_expected, k, False)),
            row(marked, k) / row(seen, k) if row(seen, k) else None,
        )
        for k in labels
    }
    total = sum(seen.values())
    return {
        "u": one_minus(different(seen), different(expected)),
        "bar_u": one_minus(sum(seen[None, k] for k in labels), sum(expected[None, k] for k in labels)),
        "cu": one_minus(different(marked), different(marked_expected)),
        "cu_coverage": sum(marked.values()) / total if total else None,
    }, ku


def by_chance(table, own, every):
    sums = {c: sum(table[c, k] for k in every) for c in every}
    total = sum(sums.values())
    divisor = total**2 - sum(own.get(c, 0) for c in every)
    if not divisor:
        return dict.fromkeys(table, 0)
    return {(c, k): total * (sums[c] * sums[k] - (own.get(c, 0) if c == k else 0)) / divisor for c, k in table}


def alpha_u(annotators, length):
    """The coefficient of 2004 of spans that do not overlap: of all labels, and of each; in fractions, None where there
    is no unit."""
    labels = {label for spans in annotators.values() for _, _, label in spans}
    parts = {label: _disagreements(label, annotators, length) for label in labels}
    sums = [sum(part[i] for part in parts.values()) for i in (0, 1)]
    return one_minus(*sums), {label: one_minus(*part) for label, part in parts.items()}


def _disagreements(label, annotators, length):
    cuts = [
        [(start, end - start, cell) for start, end, cell in segments([s for s in spans if s[2] == label], length)]
        for spans in annotators.values()
    ]
    observed = sum(_delta2(g, h) for some, others in permutations(cuts, 2) for g in some for h in others)
    m = len(cuts)
    units = [size for cut in cuts for _, size, cell in cut if cell]
    gaps = [size for cut in cuts for _, size, cell in cut if not cell]
    ways = sum(
        Fraction(len(units) - 1, 3) * (2 * unit**3 - 3 * unit**2 + unit)
        + unit**2 * sum(gap - unit + 1 for gap in gaps if gap >= unit)
        for unit in units
    )
    places = m * length * (m * length - 1) - sum(unit * (unit - 1) for unit in units)
    return Fraction(observed, m * (m - 1) * length**2), Fraction(2, length) * ways / places


def _delta2(g, h):
    (g_begin, g_size, g_unit), (h_begin, h_size, h_unit) = g, h
    d = g_begin - h_begin
    if g_unit and h_unit:
        return d**2 + (d + g_size - h_size) ** 2 if -g_size < d < h_size else 0
    if g_unit and not h_unit:
        return g_size**2 if h_begin <= g_begin and g_begin + g_size <= h_begin + h_size else 0
    return _delta2(h, g) if h_unit and not g_unit else 0


def mean(numbers):
    defined = [n for n in numbers if n is not None]
    return sum(defined) / len(defined) if defined else None


def pairs(names):
    return list(combinations(sorted(names), 2))
