"""Checks of chapter 07: the cosine of two strings, and the tables of common subsequences and substrings."""
from svmlib.classroom.checking.core import Answer, task
from svmlib.classroom.checking.mistakes import Solved

CHAPTER = "07_kernels_for_strings"
WORDS = [("BERT", "BEERE"), ("ABAB", "BABBA"), ("AAA", "AA"), ("AA", "AAAA"), ("STRING", "SPRING"), ("ABC", "XYZ"),
         ("", "AB")]


# ---- the cosine ------------------------------------------------------------------------------------------------------
COSINE = Solved(CHAPTER, "cosine_of")


@task(CHAPTER, "The cosine of two strings", COSINE.mistakes)
def cosine_of(value: Answer) -> str:
    """`cosine(k_st, k_ss, k_tt)` returns a number."""
    COSINE.compare(value, [(14.0, 16.0, 64.0), (8.0, 11.0, 22.0), (3.0, 9.0, 4.0)], ("the cosine",))
    return "1 for equal strings, whatever their lengths."


# ---- subsequences ----------------------------------------------------------------------------------------------------
SUBSEQUENCES = Solved(CHAPTER, "subsequence_table")


@task(CHAPTER, "The table of common subsequences", SUBSEQUENCES.mistakes)
def subsequence_table(table: Answer) -> str:
    """`subsequence_table(s, t)` returns K of all pairs of prefixes, (len(s) + 1, len(t) + 1)."""
    SUBSEQUENCES.compare(table, WORDS, ("the table",))
    return "BERT and BEERE have 14 pairs in common."


# ---- substrings ------------------------------------------------------------------------------------------------------
SUBSTRINGS = Solved(CHAPTER, "substring_kernel")


@task(CHAPTER, "Counting common substrings", SUBSTRINGS.mistakes)
def substring_kernel(count: Answer) -> str:
    """`substring_kernel(s, t)` returns the number of pairs of equal substrings, the empty one counted once."""
    SUBSTRINGS.compare(count, WORDS, ("the number",))
    return "BERT and BEERE have 8 pairs in common."
