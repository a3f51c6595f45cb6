"""Sphinx hook of the Predict boxes that take an answer: commit first, then see.

An author writes the answer as a comment at the end of the box, where neither a notebook nor the page shows it:

    <!-- answer: 33 ± 10 images -->                        a number, how far off is near enough, its unit
    <!-- answer: more | *fewer* | as many as before -->    choices, the right one between stars

The page gets an empty element with the answer, of which book/_static/predict.js makes a question.  Without JavaScript
and in print the box is as if there were no comment.
"""

from __future__ import annotations

import hashlib
import html
import json
import re
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError
from sphinx.transforms import SphinxTransform

COMMENT = re.compile(r"\s*<!--\s*answer:\s*(.*?)\s*-->\s*", re.S)
NUMBER = re.compile(r"([-−]?\d+(?:\.\d+)?)(?:\s*±\s*(\d+(?:\.\d+)?))?(?:\s+([^\d\s±][^|]*))?")


def parse(text: str) -> dict[str, Any]:
    """An answer as its author has written it.

    >>> parse("33 ± 10 images")
    {'number': 33.0, 'within': 10.0, 'unit': 'images'}
    >>> parse("more | *fewer*")
    {'choices': ['more', 'fewer'], 'right': 1}
    """
    if found := NUMBER.fullmatch(text):
        number, within, unit = found.groups()
        return {"number": float(number.replace("−", "-")), "within": float(within or 0), "unit": unit or ""}
    choices = [choice.strip() for choice in text.split("|")]
    right = [k for k, choice in enumerate(choices) if re.fullmatch(r"\*[^*]+\*", choice)]
    plain = [choice.strip("*").strip() for choice in choices]
    if len(choices) < 2 or len(right) != 1 or len(set(plain)) < len(plain) or not all(plain):
        raise ValueError(f"answer must be a number, as in '33 ± 10 images', or different choices of which one stands "
                         f"between stars, as in 'more | *fewer*'; got {text!r}")
    return {"choices": plain, "right": right[0]}


def fits(choices: list[str]) -> bool:
    """Whether choices stand in one row on a phone, so that no room for a second need be kept: a circle, letters, a gap.

    >>> fits(["yes", "no"]), fits(["the functional margin", "the geometric margin", "both"])
    (True, False)
    """
    return bool(choices) and sum(24 + 7.3 * len(choice) for choice in choices) + 16 * (len(choices) - 1) <= 310


class Predictions(SphinxTransform):
    """Replace each comment by an element for its question."""

    default_priority = 400

    def apply(self, **kwargs: Any) -> None:
        """Look at every comment of this form."""
        for raw in list(self.document.findall(nodes.raw)):
            found = COMMENT.fullmatch(raw.astext())
            if not found:
                continue
            box = raw.parent
            if not isinstance(box, nodes.admonition) or "predict" not in box["classes"]:
                raise ExtensionError(f"{self.env.docname}: an answer must stand in a Predict box: {found[1]}")
            try:
                answer = parse(found[1])
            except ValueError as error:
                raise ExtensionError(f"{self.env.docname}: {error}") from None
            question = " ".join(each.astext() for each in box.findall(nodes.paragraph))
            answer["id"] = hashlib.sha256(f"{question} {found[1]}".encode()).hexdigest()[:8]
            data = html.escape(json.dumps(answer, ensure_ascii=False), quote=True)
            kind = "prediction short-choices" if fits(answer.get("choices", [])) else "prediction"
            raw.replace_self(nodes.raw("", f'<div class="{kind}" data-answer="{data}"></div>', format="html"))


def setup(app: Sphinx) -> dict[str, Any]:
    """Connect the hook."""
    app.add_transform(Predictions)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
