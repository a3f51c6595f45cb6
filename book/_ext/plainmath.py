r"""Formulas as docstrings write them, for whoever reads help(): found in a sentence, and set.

    f(x) = sum_i y_i alpha_i k(x_i, x) + b        f(x) = \sum_i y_i \alpha_i k(x_i, x) + b

What is read is letters, Greek words, a few functions, numbers, brackets and signs.  A piece with a relation, a power or
an index is a formula; one that a word breaks off, or whose brackets do not close, stays as it is written.
"""

from __future__ import annotations

import re

GREEK = ("alpha", "beta", "gamma", "delta", "epsilon", "eta", "kappa", "lam", "mu", "nu", "xi", "pi", "rho", "sigma",
         "tau", "chi", "phi", "psi", "omega", "Phi")
FUNCTIONS = ("exp", "tanh", "cos", "sin", "log", "ln", "max", "min")
WORDS = ("sign", "degree", "coef0")
SIGNS = {"<=": r"\le ", ">=": r"\ge ", "!=": r"\ne ", ":=": r"\mathrel{:=}", "->": r"\to ", "<<": r"\ll ",
         "*": r"\cdot "}
IN_WORDS = {"<=": "≤", ">=": "≥", "!=": "≠", "->": "→"}       # between words, which are no formula
NAME = rf"(?:{'|'.join((*GREEK, *FUNCTIONS, *WORDS))}|[A-Z]x|[A-Za-z]\d?)(?![A-Za-z0-9])"
TOKEN = re.compile(rf"""
    (?P<half>1/2(?!\w)) | (?P<number>\d+(?:\.\d+)?(?![\w.]*[A-Za-z_]))
  | (?P<root>sqrt(?=\()) | (?P<sum>(?:sum|min)_[ij](?!\w))
  | (?P<name>(?<![A-Za-z0-9_])(?:{NAME}))(?:_(?P<index>[a-z0-9](?![A-Za-z0-9_])))?(?!_)
  | (?P<power>\^(?:-?\w+|(?=\()))
  | (?P<left><(?=\w, )) | (?P<right>(?<=[)\w])>(?!\s?=))
  | (?P<transposed>(?<=[A-Za-z0-9)])'(?=\s?[A-Za-z(]))
  | (?P<sign><=|>=|!=|:=|->|<<|[-+*/=<>,|)\[\]{{}}]|\((?!(?:[nmkDd]|n_\w+),))""", re.X)      # (n, d) is a shape
SIGN_IN_WORDS = re.compile(r"(?<= )(?:<=|>=|!=|->)(?= )")
STRONG = re.compile(rf"[=^<>]|sum_|\|\w\||(?<!\w)(?:[A-Za-z]|{'|'.join(GREEK)})_\w(?!\w)")
OPENS, CLOSES = "([{", ")]}"
BRACKETS = {"(": ("(", ")"), "[": ("[", "]"), "{": (r"\{", r"\}")}
BEFORE, AFTER = re.compile(r"[\w^/'=][ ]?$(?<!\w )"), re.compile(r"[\w^'=(\[]| ?[-+*/=<>^](?=[ \w])")
ARTICLE = re.compile(r"[aAI]")
LOOSE = set("=<>+-*/|^") | {"<=", ">=", "!=", ":=", "->", "<<"}


def runs(text: str) -> list[tuple[str, str]]:
    """The text in pieces, each as ("text", words) or ("math", TeX).

    >>> runs("Indices with 0 < alpha < C: the margin vectors.")
    [('text', 'Indices with '), ('math', '0<\\\\alpha <C'), ('text', ': the margin vectors.')]
    """
    found: list[tuple[str, str]] = []
    plain, place = 0, 0
    while token := TOKEN.search(text, place):
        start, end = token.start(), reach(text, token.start())
        place = max(end, token.end())
        for first, last in parts(text, start, end):
            if plain <= first and (tex := set_formula(text, first, last)):
                found += [("text", text[plain:first]), ("math", tex)]
                plain = last
    found.append(("text", text[plain:]))
    return [(kind, part if kind == "math" else SIGN_IN_WORDS.sub(lambda sign: IN_WORDS[sign[0]], part))
            for kind, part in found if part]


def tokens(text: str, start: int, end: int) -> list[re.Match[str]]:
    """The tokens between two places."""
    found = []
    while start < end and (token := TOKEN.match(text, start)):
        found.append(token)
        start = token.end() + (text[token.end():token.end() + 1] == " ")
    return found


def reach(text: str, start: int) -> int:
    """Where the tokens end that follow each other from a place on."""
    return tokens(text, start, len(text))[-1].end()


def parts(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """A run of tokens cut at the commas outside of all brackets."""
    found, depth = [], 0
    for token in tokens(text, start, end):
        depth += (token[0] in OPENS or bool(token["left"])) - (token[0] in CLOSES or bool(token["right"]))
        if token[0] == "," and depth <= 0:
            found.append((start, token.start()))
            start, depth = token.end() + 1, 0
    return [*found, (start, end)]


def set_formula(text: str, start: int, end: int) -> str:
    """The TeX of a piece, "" where it is no formula."""
    pieces = tokens(text, start, end)
    while len(pieces) > 1 and ARTICLE.fullmatch(pieces[-1][0]) and pieces[-2][0] not in LOOSE:
        pieces.pop()
    if not pieces or pieces[-1].end() < len(text[:end].rstrip()):
        return ""                                       # a formula ends where its piece does, or is none
    formula, before, after = text[start:end], text[:start], text[end:]
    if (not STRONG.search(formula) or pieces[0][0] in LOOSE - {"-", "|"} or pieces[-1][0] in LOOSE - {"|"}
            or BEFORE.search(before) or AFTER.match(after)):
        return ""
    return tex_of(pieces)


def tex_of(pieces: list[re.Match[str]]) -> str:
    """Tokens as TeX, "" where brackets do not close; the brackets of a root or a power are its braces."""
    out, braced = "", False
    open_: list[tuple[str, str]] = []
    for piece in pieces:
        token = piece[0]
        if token in OPENS or piece["left"]:
            left, right = ("{", "}") if braced else (r"\langle ", r"\rangle ") if piece["left"] else BRACKETS[token]
            open_.append((token, right))
            out += left
        elif token in CLOSES or piece["right"]:
            other, right = open_.pop() if open_ else ("", "")
            if (other == "<") != bool(piece["right"]) or not other:
                return ""
            out += right
        else:
            out += tex_of_one(piece)
        braced = bool(piece["root"]) or token == "^"
    return "" if open_ or sum(piece[0] == "|" for piece in pieces) % 2 else out


def tex_of_one(piece: re.Match[str]) -> str:
    """A token that is no bracket."""
    token = piece[0]
    if piece["name"]:
        name, index = piece["name"], f"_{{{piece['index']}}}" if piece["index"] else ""
        if name in WORDS:
            return rf"\operatorname{{{name}}}{index}"
        if name in GREEK or name in FUNCTIONS:
            return rf"\{'lambda' if name == 'lam' else name}{index} "
        return f"{name[0]}_{name[1]}" if name[1:].isdigit() else f"{name}{index}"
    if piece["sum"]:
        return f"\\{token} "
    if piece["power"]:
        return "^" if token == "^" else rf"^{{\text{{{token[1:]}}}}}" if token[2:].isalpha() else f"^{{{token[1:]}}}"
    kinds = {"half": r"\tfrac12 ", "root": r"\sqrt", "transposed": r"^\top "}
    return kinds.get(piece.lastgroup or "", SIGNS.get(token, token))
