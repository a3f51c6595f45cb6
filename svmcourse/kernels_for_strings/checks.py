"""Checks of chapter 07: the cosine of two strings, and the tables of common subsequences and substrings."""
from svmcourse.checking.mistakes import Cases, compared

CHAPTER = "07_kernels_for_strings"
WORDS = [("BERT", "BEERE"), ("ABAB", "BABBA"), ("AAA", "AA"), ("AA", "AAAA"), ("STRING", "SPRING"), ("ABC", "XYZ"),
         ("", "AB")]


# ---- the cosine ------------------------------------------------------------------------------------------------------
@compared(CHAPTER, "The cosine of two strings", ("the cosine",), "1 for equal strings, whatever their lengths.")
def cosine_of() -> Cases:
    """`cosine(k_st, k_ss, k_tt)` returns a number."""
    return [(14.0, 16.0, 64.0), (8.0, 11.0, 22.0), (3.0, 9.0, 4.0)]


# ---- subsequences ----------------------------------------------------------------------------------------------------
@compared(CHAPTER, "The table of common subsequences", ("the table",), "BERT and BEERE have 14 pairs in common.")
def subsequence_table() -> Cases:
    """`subsequence_table(s, t)` returns K of all pairs of prefixes, (len(s) + 1, len(t) + 1)."""
    return WORDS


# ---- substrings ------------------------------------------------------------------------------------------------------
@compared(CHAPTER, "Counting common substrings", ("the number",), "BERT and BEERE have 8 pairs in common.")
def substring_kernel() -> Cases:
    """`substring_kernel(s, t)` returns the number of pairs of equal substrings, the empty one counted once."""
    return WORDS
