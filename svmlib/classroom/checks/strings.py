"""Checks of chapter 10: the cosine of two strings, and the tables of common subsequences and substrings."""
from functools import partial

import numpy as np

from svmlib.classroom.checks.core import Answer, Mistake, compare, task

CHAPTER = "10_kernels_for_strings"
WORDS = [("BERT", "BEERE"), ("ABAB", "BABBA"), ("AAA", "AA"), ("STRING", "SPRING"), ("ABC", "XYZ"), ("", "AB")]


# ---- the cosine ------------------------------------------------------------------------------------------------------
def cosine(k_xz: float, k_xx: float, k_zz: float, how: str = "") -> tuple[float]:
    """k(x, z) / sqrt(k(x, x) k(z, z)), or a known mistake."""
    return ({"no-root": k_xz / (k_xx * k_zz), "mean": 2 * k_xz / (k_xx + k_zz), "largest": k_xz / max(k_xx, k_zz),
             "one-root": k_xz / (k_xx * np.sqrt(k_zz)), "first-only": k_xz / k_xx, "roots-added":
             k_xz / (np.sqrt(k_xx) + np.sqrt(k_zz)), "squared": k_xz**2 / (k_xx * k_zz),
             "precedence": k_xz / np.sqrt(k_xx) * k_zz}.get(how, k_xz / np.sqrt(k_xx * k_zz)),)


COSINE = [Mistake(key, message, hint, partial(cosine, how=key)) for key, message, hint in [
    ("no-root", "The root is missing: with itself a string then has not the value 1.", "|phi(x)| is a root."),
    ("mean", "You divide by the mean of the two; a cosine divides by the product of the lengths.",
     "np.sqrt(k_xx * k_zz)"),
    ("largest", "You divide by the larger of the two.", "By the product of both lengths."),
    ("one-root", "Only one of the two lengths has its root.", "np.sqrt(k_xx * k_zz)"),
    ("first-only", "You divide by k(x, x) alone: exchange x and z, and another value comes out.",
     "Both lengths count."),
    ("roots-added", "The lengths are added; they are to be multiplied.", "cos = u'v / (|u| |v|)"),
    ("squared", "This is the square of the cosine.", "One root is missing."),
    ("precedence", "This divides by the first length and multiplies by the rest.", "Brackets: / (a * b)"),
]]


@task(CHAPTER, "The cosine of two strings", COSINE)
def cosine_of(value: Answer) -> str:
    """`cosine(k_xz, k_xx, k_zz)` returns a number."""
    compare(value, [(14.0, 16.0, 64.0), (8.0, 11.0, 22.0), (3.0, 9.0, 4.0)], cosine, ("the cosine",), COSINE)
    return "1 for equal strings, whatever their lengths."


# ---- subsequences ----------------------------------------------------------------------------------------------------
def subsequences(x: str, z: str, how: str = "") -> tuple[np.ndarray]:
    """K of all prefixes (len(x) + 1, len(z) + 1) of the subsequence kernel, or a known mistake."""
    K = np.zeros((len(x) + 1, len(z) + 1)) if how in ("empty", "first-row") else np.ones((len(x) + 1, len(z) + 1))
    if how == "first-row":
        K[0, 0] = 1
    for i, a in enumerate(x, 1):
        for j, b in enumerate(z, 1):
            both = K[i - 1, j - 1]
            K[i, j] = K[i - 1, j] + K[i, j - 1] - (0 if how == "twice" else both)
            if a == b:
                K[i, j] += {"one-each": 1, "empty": both + 1}.get(how, both)
            if how == "one-place":
                K[i, j] = K[i - 1, j] + (both if a == b else 0)
            if how == "equal-only":
                K[i, j] = 2 * both if a == b else both
            if how == "longest":
                K[i, j] = both + 1 if a == b else max(K[i - 1, j], K[i, j - 1])
    if how == "transposed":
        K = K.T
    return (K - 1 if how == "longest" else K,)


SUBSEQUENCES = [Mistake(key, message, hint, partial(subsequences, how=key)) for key, message, hint in [
    ("empty", "The empty word is not counted: every entry is 1 too small. It is a subsequence of every string.",
     "The first row and the first column hold 1."),
    ("first-row", "The first row and column are 0, but for the corner: the empty word is common to all prefixes.",
     "np.ones in the place of np.zeros."),
    ("twice", "Pairs that use neither of the last letters are counted twice.",
     "K[i-1, j] and K[i, j-1] both contain K[i-1, j-1]: take it away once."),
    ("one-each", "Where the last letters agree, you add 1. But each common subsequence of the two shorter prefixes can "
     "be continued by the letter.", "Add K[i-1, j-1]."),
    ("equal-only", "Only the diagonal neighbour is used: subsequences that end earlier in one of the strings are lost.",
     "K[i-1, j] + K[i, j-1] - K[i-1, j-1], and more where the letters agree."),
    ("one-place", "The last letter of x may be matched with each equal letter of z, not only with the last one of the "
     "prefix; you add one of these places.", "K[i, j-1] contains the others: "
     "K[i-1, j] + K[i, j-1] - K[i-1, j-1], and more where the letters agree."),
    ("longest", "This is the length of the longest common subsequence; the kernel counts all pairs.",
     "Add up; take no maximum."),
]]


@task(CHAPTER, "The table of common subsequences", SUBSEQUENCES)
def subsequence_table(table: Answer) -> str:
    """`subsequence_table(x, z)` returns K of all pairs of prefixes, (len(x) + 1, len(z) + 1)."""
    compare(table, WORDS, subsequences, ("the table",), SUBSEQUENCES)
    return "BERT and BEERE have 14 pairs in common."


# ---- substrings ------------------------------------------------------------------------------------------------------
def _cut(s: str) -> list[str]:
    """The substrings of s that do not reach its end."""
    return [s[i:j] for i in range(len(s)) for j in range(i + 1, len(s))]


def substrings(x: str, z: str, how: str = "") -> tuple[float]:
    """Number of pairs of equal substrings, the empty one once, or a known mistake."""
    parts = [[s[i:j] for i in range(len(s)) for j in range(i + 1, len(s) + 1)] for s in (x, z)]
    pairs = sum(a == b for a in parts[0] for b in parts[1])
    distinct = len(set(parts[0]) & set(parts[1]))
    longest = max([len(a) for a in set(parts[0]) & set(parts[1])], default=0)
    letters = sum(a == b for a in x for b in z)
    aligned = sum(x[i:j] == z[i:j] for i in range(min(len(x), len(z))) for j in range(i + 1, min(len(x), len(z)) + 1))
    shorter = sum(a == b for a in _cut(x) for b in _cut(z))
    places = 1 + len(x) + len(z) + len(x) * len(z)
    return ({"empty": pairs, "distinct": distinct + 1, "longest": longest, "end-lost": shorter + 1,
             "letters": letters + 1, "aligned": aligned + 1, "subsequences": subsequences(x, z)[0][-1, -1],
             "empty-everywhere": pairs + places}.get(how, pairs + 1),)


SUBSTRINGS = [Mistake(key, message, hint, partial(substrings, how=key)) for key, message, hint in [
    ("empty", "The empty word is missing: every value is 1 too small.", "It counts once."),
    ("empty-everywhere", "The empty word is counted at each place; here it counts once.", "x[i:j] with i < j, and 1."),
    ("end-lost", "Substrings that reach the end of the string are left out.", "A slice ends before its second number, "
     "and so does range: j runs up to len(x), included."),
    ("distinct", "A substring that occurs twice is counted once; the kernel counts pairs of places.",
     "E in BERT and E, E, E in BEERE: three pairs."),
    ("longest", "This is the length of the longest common substring; the kernel counts all pairs.", "Add up."),
    ("letters", "Only substrings of one letter are counted.", "Substrings of each length."),
    ("aligned", "Only substrings at the same place in both strings are counted.", "Two independent pairs of places."),
    ("subsequences", "These are subsequences: their letters may have gaps. A substring has none.",
     "x[i:j] for all i < j"),
]]


@task(CHAPTER, "Counting common substrings", SUBSTRINGS)
def substring_kernel(count: Answer) -> str:
    """`substring_kernel(x, z)` returns the number of pairs of equal substrings, the empty one counted once."""
    compare(count, WORDS, substrings, ("the number",), SUBSTRINGS)
    return "BERT and BEERE have 8 pairs in common."
