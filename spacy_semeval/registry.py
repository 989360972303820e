"""The registries that other packages extend, through entry points or as decorators.

`aligners` pair gold and pred spans, `schemas` give each pair its outcome and `formats` read files. What each has to
look like is said in docs/semantics.md. The built-in ones are entry points of this package (see setup.cfg).
"""

from __future__ import annotations

from functools import cache
from typing import Any

import catalogue

from .errors import SettingsError

aligners = catalogue.create("spacy_semeval", "aligners", entry_points=True)
schemas = catalogue.create("spacy_semeval", "schemas", entry_points=True)
formats = catalogue.create("spacy_semeval", "formats", entry_points=True)


def find(registry: catalogue.Registry, kind: str, name: str) -> Any:
    """Get a registered function, or say which ones exist.

    registry (catalogue.Registry): One of the registries above.
    kind (str): The word for one of its entries, for the message.
    name (str): The name to look up.
    RETURNS (Any): The registered function.
    RAISES (SettingsError): If the name is not registered.
    """
    if not isinstance(name, str):
        raise SettingsError(f"Expected the name of a registered {kind}, but got {name!r}.")
    found = _entry_point(registry, name)
    if found is not None:
        return found
    try:
        return registry.get(name)
    except catalogue.RegistryError:
        known = ", ".join(sorted(registry.get_all())) or "none"
        raise SettingsError(f"Unknown {kind} {name!r}. Available: {known}.") from None


@cache
def _entry_point(registry: catalogue.Registry, name: str) -> Any:
    """Looking through the installed packages takes longer than to score a small batch, and they stay the same."""
    return registry.get_entry_point(name)
