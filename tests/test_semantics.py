from pages import ROOT, run_examples

from spacy_semeval.engine.scores import SEMANTICS
from spacy_semeval.report.rows import RULES


def test_examples_of_the_page():
    tried, failed = run_examples("docs/semantics.md")
    assert tried >= 20
    assert failed == 0


def test_the_page_is_of_the_version_that_files_name():
    page = (ROOT / "docs" / "semantics.md").read_text("utf8")
    assert f"Semantics version: {SEMANTICS}\n" in page
    assert f'`"semantics": "{SEMANTICS}"`' in page


def test_the_section_that_tables_point_to():
    page = (ROOT / "docs" / "semantics.md").read_text("utf8")
    assert "## 5. Scores per label" in page
    assert all("docs/semantics.md, " in rule and rule.endswith("5)") for rule in RULES.values())
