"""A slow scorer, written from docs/semantics.md alone, to compare the fast one with.

It tries every one-to-one pairing of a small document and keeps those that no other one beats.
"""

from itertools import permutations

SCHEMAS = ("strict", "exact", "partial", "type")


def overlap(gold, pred):
    return max(0, min(gold[1], pred[1]) - max(gold[0], pred[0]))


def may_pair(gold, pred, min_overlap):
    chars = overlap(gold, pred)
    return chars >= 1 and chars / (gold[1] - gold[0]) >= min_overlap


def rank(pairing):
    """The five levels of the order, the most important one first."""
    levels = [0, 0, 0, 0, 0]
    for gold, pred in pairing:
        levels[0] += gold == pred
        levels[1] += gold[:2] == pred[:2]
        levels[2] += 1
        levels[3] += gold[2] == pred[2]
        levels[4] += overlap(gold, pred)
    return tuple(levels)


def pairings(golds, preds, min_overlap):
    """Every way to give each gold span one pred span or none, as tuples of pairs."""
    slots = [*preds, *[None] * len(golds)]
    seen = set()
    for chosen in permutations(range(len(slots)), len(golds)):
        pairs = tuple((g, slots[i]) for g, i in zip(golds, chosen) if slots[i] is not None)
        if pairs not in seen and all(may_pair(g, p, min_overlap) for g, p in pairs):
            seen.add(pairs)
            yield pairs


def best_pairings(gold, pred, min_overlap=0.0):
    """All pairings of a document that share the highest rank."""
    found = list(pairings(sorted(set(gold)), sorted(set(pred)), min_overlap))
    highest = max(map(rank, found))
    return [pairing for pairing in found if rank(pairing) == highest]


def outcome(schema, gold, pred):
    bounds, label = gold[:2] == pred[:2], gold[2] == pred[2]
    table = {
        (True, True): ("cor", "cor", "cor", "cor"),
        (True, False): ("inc", "cor", "cor", "inc"),
        (False, True): ("inc", "inc", "par", "cor"),
        (False, False): ("inc", "inc", "par", "inc"),
    }
    return table[bounds, label][SCHEMAS.index(schema)]


def count(schema, pairing, gold, pred):
    """The five counts of one document under one schema."""
    counts = dict.fromkeys(("cor", "inc", "par", "mis", "spu"), 0)
    for pair in pairing:
        counts[outcome(schema, *pair)] += 1
    counts["mis"] = len(set(gold)) - len(pairing)
    counts["spu"] = len(set(pred)) - len(pairing)
    return counts


def per_label(schema, pairing, gold, pred):
    """Counts of one document for each label, each span under its own: (label, side, outcome) -> number."""
    table = {}
    for g, p in pairing:
        for key in ((g[2], "gold", outcome(schema, g, p)), (p[2], "pred", outcome(schema, g, p))):
            table[key] = table.get(key, 0) + 1
    lone = [(g[2], "gold", "mis") for g in set(gold) - {g for g, _ in pairing}]
    lone += [(p[2], "pred", "spu") for p in set(pred) - {p for _, p in pairing}]
    for key in lone:
        table[key] = table.get(key, 0) + 1
    return table
