"""The Universal Declaration of Human Rights in Danish, Norwegian and Swedish: short texts to tell apart."""
import json
import re
from pathlib import Path
from typing import NamedTuple

import numpy as np

from svmlib.validation import check_integer


class Snippets(NamedTuple):
    """Texts X (n,), their language y (n,), and the article (n,) they come from; article 0 is the preamble."""

    X: np.ndarray
    y: np.ndarray
    article: np.ndarray


def declaration(words: int = 4) -> Snippets:
    """The declaration cut into pieces of `words` words each, in lower case and without punctuation.

    Fewer words that remain at the end of an article are left out.  The three texts are translations of one another,
    so split by article, not by piece, to keep test from training.  Source: General Assembly resolution 217 A (III),
    in the Danish, Norwegian (Bokmål) and Swedish versions of the United Nations; see NOTICE.md.

    Raises ValueError unless words is a positive integer.

    >>> X, y, article = declaration(words=5)
    >>> print(X[article == 1][0], y[0], sep=", ")
    alle mennesker er født frie, Danish
    """
    check_integer(words, "words")
    texts: dict[str, list[str]] = json.loads(Path(__file__).with_name("declaration.json").read_text(encoding="utf-8"))
    rows = [(" ".join(found[i:i + words]), language, article)
            for language, articles in texts.items()
            for article, text in enumerate(articles)
            for found in [re.findall(r"[^\W\d_]+", text.lower())]
            for i in range(0, len(found) - words + 1, words)]
    X, y, article = zip(*rows, strict=True)
    return Snippets(np.array(X), np.array(y), np.array(article))
