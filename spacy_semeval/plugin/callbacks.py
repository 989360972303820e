"""A saved model that loads where this package is not installed."""

from collections.abc import Callable
from typing import Any

from spacy.language import Language

OUR_SCORERS = ("spacy-semeval.ner_scorer.v1", "spacy-semeval.spancat_scorer.v1")


# entry point: spacy-semeval.restore_scorers.v1
def restore_scorers() -> Callable[[Language], Language]:
    """Make a callback for `[training.before_to_disk]`: the saved config names stock scorers again.

    RETURNS (Callable[[Language], Language]): The callback. It returns the same object, which goes on scoring as before.
    """
    return restore_stock_scorers


def restore_stock_scorers(nlp: Language) -> Language:
    """Name the stock scorer of each component that has one of ours: its base if set, else its factory's default.

    nlp (Language): The pipeline that is about to be saved.
    RETURNS (Language): The same object.
    """
    for name, config in nlp._pipe_configs.items():
        ours = config.get("scorer")
        if isinstance(ours, dict) and ours.get("@scorers") in OUR_SCORERS:
            nlp._pipe_configs[name] = type(config)({**config, "scorer": _stock_block(ours, config["factory"])})
    return nlp


def _stock_block(ours: dict[str, Any], factory: str) -> Any:
    if ours.get("base"):
        return ours["base"]
    stock = (Language.get_factory_meta(factory).default_config or {}).get("scorer")
    if isinstance(stock, dict) and "spans_key" in stock and ours.get("spans_key") is not None:
        return {**stock, "spans_key": ours["spans_key"]}
    return stock
