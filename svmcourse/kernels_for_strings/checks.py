"""Checks of chapter 07: the cosine of two strings, tables of common subsequences and substrings, and sparse rows."""
import numpy as np

from svmcourse.checking.core import Answer, Wrong
from svmcourse.checking.mistakes import Cases, Solved, compared, generator, judged

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


# ---- sparse rows -----------------------------------------------------------------------------------------------------
def sparse(seed: int, n: int = 7) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """A square matrix in CSR with an empty row in the middle, and a vector."""
    rng = generator(seed)
    A = np.round(rng.normal(size=(n, n)), 2) * (rng.random((n, n)) < 0.4)
    A[[0, n - 1], rng.integers(0, n, 2)] = 1.5                     # the first and the last row are not empty
    A[2 + seed] = 0
    rows, columns = np.nonzero(A)
    return A[rows, columns], columns, np.searchsorted(rows, np.arange(n + 1)), rng.normal(size=n)


PRODUCT = Solved(CHAPTER, "csr_product")


@judged(CHAPTER, "A sparse matrix times a vector")
def csr_product(multiply: Answer) -> str:
    """`csr_product(data, indices, indptr, w)` returns the matrix times w, also where it has no room as a whole."""
    PRODUCT.compare(multiply, [sparse(seed) for seed in range(3)], ("the product",))
    rng, m, n = np.random.default_rng(3), 20_000, 2_000_000
    large = rng.normal(size=3 * m), rng.integers(0, n, 3 * m), np.arange(0, 3 * m + 1, 3), rng.normal(size=n)
    try:
        PRODUCT.compare(multiply, [large], ("the product",))
    except Wrong as wrong:
        if wrong.key == "exception" and ("Memory" in wrong.message or "llocate" in wrong.message):
            raise Wrong("dense") from None
        raise
    return "as many multiplications as there are entries."
