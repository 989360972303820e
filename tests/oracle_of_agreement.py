"""Slow measures of agreement, written from docs/agreement.md alone: characters in arrays, all pairings tried."""

from itertools import combinations


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


def mean(numbers):
    defined = [n for n in numbers if n is not None]
    return sum(defined) / len(defined) if defined else None


def pairs(names):
    return list(combinations(sorted(names), 2))
