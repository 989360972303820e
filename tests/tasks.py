"""Records as Prodigy writes them, for tests."""


def task(text="Take aspirin daily", spans=((5, 12, "DRUG"),), **more):
    """An accepted record of a manual interface."""
    return {"text": text, "spans": [dict(start=a, end=b, label=c) for a, b, c in spans], "answer": "accept", **more}
