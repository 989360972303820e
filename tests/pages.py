"""Runs the Python examples of a page and compares what they print with what the page shows."""

import doctest
import re
from pathlib import Path

ROOT = Path(__file__).parents[1]


def blocks(page, language):
    """The fenced blocks of a page in one language, in order."""
    return re.findall(rf"^```{language}\n(.*?)^```$", (ROOT / page).read_text("utf8"), flags=re.MULTILINE | re.DOTALL)


def run_examples(page):
    """Run the examples of a page as one session, and give the numbers of those tried and of those that failed."""
    source = "\n".join(block for block in blocks(page, "python") if ">>>" in block)
    test = doctest.DocTestParser().get_doctest(source, {}, page, page, 0)
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    runner.run(test)
    return runner.tries, runner.failures
