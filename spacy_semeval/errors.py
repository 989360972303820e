"""The one error that bad input raises, so that a command can print it instead of a traceback."""

from typing import NoReturn


class SemevalError(ValueError):
    """Raised for bad input or bad settings, with a message that says what was found, where, and what to do."""


def refuse(problem: str) -> NoReturn:
    """Raise SemevalError."""
    raise SemevalError(problem)
