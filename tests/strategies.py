"""Documents for property tests: few characters and labels, so that spans meet, nest and coincide all the time."""

from hypothesis import strategies as st


def spans(width=10, longest=5, labels="ABC"):
    return st.builds(
        lambda start, length, label: (start, start + length, label),
        st.integers(0, width),
        st.integers(1, longest),
        st.sampled_from(labels),
    )


def documents(most=5, **kwargs):
    return st.lists(spans(**kwargs), max_size=most)


def corpora(most=5, docs=4, **kwargs):
    """Lists of (gold, pred) documents."""
    return st.lists(st.tuples(documents(most, **kwargs), documents(most, **kwargs)), min_size=1, max_size=docs)


def sides(corpus):
    return [gold for gold, _ in corpus], [pred for _, pred in corpus]


TEXT_LENGTH = 12


def flat_spans(labels="ABC"):
    """Spans of one annotator that do not overlap, from left to right, in a text of TEXT_LENGTH."""

    def flat(spans):
        kept, at = [], 0
        for start, end, label in sorted(spans):
            if start >= at:
                kept.append((start, min(end, TEXT_LENGTH), label))
                at = end
        return kept

    return st.lists(spans(TEXT_LENGTH - 1, 5, labels), max_size=5).map(flat)
