from pages import ROOT, run_examples

PAGE = (ROOT / "docs" / "coming-from.md").read_text("utf8")


def test_examples_of_the_page():
    tried, failed = run_examples("docs/coming-from.md")
    assert tried >= 40
    assert failed == 0


def test_the_scorers_of_the_page():
    titles = [line.removeprefix("## ") for line in PAGE.splitlines() if line.startswith("## ")]
    assert titles == [
        "nervaluate 1.2",
        "nervaluate 1.0 and 1.1",
        "nervaluate 0.1.8",
        "eval4ner",
        "seqeval",
        "spaCy's own score",
        "prodigy-evaluate",
    ]
