__title__ = "spacy-semeval"
__version__ = "0.1.0"
