"""The one error that bad input raises, so that a command can print it instead of a traceback."""

from typing import NoReturn


class SemevalError(ValueError):
    """Raised for bad input or bad settings, with a message that says what was found, where, and what to do."""


class SettingsError(SemevalError):
    """Raised for a setting that does not exist or is out of range: to a command that is wrong usage."""


def refuse(problem: str) -> NoReturn:
    """Raise SemevalError."""
    raise SemevalError(problem)
