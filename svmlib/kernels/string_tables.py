"""The dynamic programs of the string kernels, compiled, and tables of their values.

Glossary: s, t strings, m = len(s), n = len(t); K[i, j] is the kernel of the prefixes s_1..s_i and t_1..t_j.
In the compiled programs s and t are arrays of code points and a value is returned as v 2^e.
"""
from dataclasses import dataclass
from itertools import product

import numpy as np

from svmlib.compilation import njit

SUBSEQUENCE, SUBSTRING, GAP_WEIGHTED, GAP_WEIGHTED_LENGTH = range(4)

#: Above BIG = 2^512, a table row is multiplied by SMALL = 2^-512 and the exponent grows by 512.
BIG, SMALL, STEP = 2.0 ** 512, 2.0 ** -512, 512


@dataclass(frozen=True, eq=False)
class StringTable:
    """The table K (m + 1, n + 1) of a string kernel over the prefixes of s and t, and K0 where the recursion has one.

    `value` is the last entry, k(s, t); printing shows the table with its prefixes; np.asarray gives K.

    >>> from svmlib.kernels.strings import Subsequence
    >>> Subsequence().table("BE", "EB")
    K   ε  E  EB
    ε   1  1   1
    B   1  1   2
    BE  1  2   3
    """

    s: str
    t: str
    K: np.ndarray
    K0: np.ndarray | None = None

    @property
    def value(self) -> float:
        """k(s, t), the entry of the whole strings."""
        return float(self.K[-1, -1])

    @property
    def rows(self) -> list[str]:
        """The prefixes of s, from the empty one to s."""
        return prefixes(self.s, "ε")

    @property
    def columns(self) -> list[str]:
        """The prefixes of t, from the empty one to t."""
        return prefixes(self.t, "ε")

    def __array__(self, dtype: type | None = None, copy: bool | None = None) -> np.ndarray:
        return np.array(self.K, dtype=dtype)

    def _named(self) -> list[tuple[str, np.ndarray]]:
        """The tables with their names, in the order in which they are filled."""
        return [("K", self.K)] if self.K0 is None else [("K0", self.K0), ("K", self.K)]

    def __repr__(self) -> str:
        return "\n\n".join(self._text(name, table) for name, table in self._named())

    def _text(self, name: str, table: np.ndarray) -> str:
        """One table as aligned text."""
        cells = [[name, *self.columns]]
        cells += [[label, *(f"{v:.6g}" for v in row)] for label, row in zip(self.rows, table, strict=True)]
        width = [max(len(row[j]) for row in cells) for j in range(len(cells[0]))]
        aligned = ([row[0].ljust(width[0]), *map(str.rjust, row[1:], width[1:])] for row in cells)
        return "\n".join("  ".join(row) for row in aligned)


def prefixes(s: str, empty: str = "") -> list[str]:
    """All prefixes of s, from the empty one to s."""
    return [empty] + [s[:i] for i in range(1, len(s) + 1)]


def common_suffixes(s: str, t: str) -> np.ndarray:
    """K_0 of Example 16.13: K_0(s a, t b) = 1 + K_0(s, t) if a = b, else 1; 1 in the first row and column."""
    K0 = np.ones((len(s) + 1, len(t) + 1))
    for (i, a), (j, b) in product(enumerate(s, start=1), enumerate(t, start=1)):
        K0[i, j] = 1 + K0[i - 1, j - 1] if a == b else 1
    return K0


# ---- compiled programs -----------------------------------------------------------------------------------
def encode(strings: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Code points of all strings in one array, and where each starts (n + 1,)."""
    joined = "".join(strings).encode("utf-32-le", "surrogatepass")
    starts = np.concatenate([[0], np.cumsum([len(s) for s in strings], dtype=np.int64)]).astype(np.int64)
    return np.frombuffer(joined, dtype=np.uint32), starts


@njit(cache=True, nogil=True)
def subsequences(s, t):
    """Equation (16) with s and t exchanged: K[i, j] = K[i-1, j] + sum over k <= j with t_k = s_i of K[i-1, k-1]; O(mn).

    K[0, j] = K[i, 0] = 1.  Row by row, because the sum of one row grows with j.
    """
    K = np.ones(len(t) + 1)
    e = 0
    for a in s:
        new = 0.0
        before = K[0]                                         # K[i-1, k-1]
        for k in range(1, len(K)):
            if t[k - 1] == a:
                new += before
            before = K[k]
            K[k] += new
        if K[-1] > BIG:
            K *= SMALL
            e += STEP
    return K[-1], e


@njit(cache=True, nogil=True)
def substrings(s, t):
    """K as in (16), with K_0 inside the sum: 1 + the sum of K_0[i-1, j-1] over all s_i = t_j; O(mn).

    K_0 is that of `common_suffixes`.
    """
    K0 = np.ones(len(t) + 1)
    total = 1.0
    for a in s:
        for j in range(len(t), 0, -1):                        # backwards: K0[j - 1] is still that of row i - 1
            if t[j - 1] == a:
                total += K0[j - 1]
                K0[j] = 1.0 + K0[j - 1]
            else:
                K0[j] = 1.0
    return total, 0


@njit(cache=True, nogil=True)
def gap_weighted(s, t, lam):
    """1 + the sum of M = M_1 + M_2 + ... of `gap_weighted_length`, all in one sweep: M = lam^2 (1 + D); O(mn)."""
    D = np.zeros(len(t) + 1)
    one = total = 1.0                                         # the empty part, in units of 2^e
    e = 0
    for a in s:
        r = 0.0                                               # sum over l <= j of lam^(j-l) M[i, l]
        before = D[0]
        for j in range(1, len(D)):
            M = lam * lam * (one + before) if t[j - 1] == a else 0.0
            total += M
            r = lam * r + M
            before = D[j]
            D[j] = lam * D[j] + r
        if total > BIG:
            D *= SMALL
            one *= SMALL
            total *= SMALL
            e += STEP
    return total, e


@njit(cache=True, nogil=True)
def gap_weighted_length(s, t, lam, p):
    """The sum of all M_p[i, j], the weight of the pairs of p letters that end in s_i and t_j; letter by letter, O(pmn).

    M_1[i, j] = lam^2 if s_i = t_j, else 0; M_(p+1)[i, j] = lam^2 D_p[i-1, j-1] if s_i = t_j, else 0, where
    D_p[i, j] = sum over k <= i, l <= j of lam^(i-k) lam^(j-l) M_p[k, l] has the price of the gaps.
    The factor lam^(2p) is left out, as it could underflow.
    """
    D = np.ones((len(s) + 1, len(t) + 1))
    total = 0.0
    e = 0
    for _ in range(p):
        total = 0.0
        before = D.copy()
        D[:] = 0.0
        for i in range(1, D.shape[0]):
            r = 0.0
            for j in range(1, D.shape[1]):
                M = before[i - 1, j - 1] if s[i - 1] == t[j - 1] else 0.0
                total += M
                r = lam * r + M
                D[i, j] = lam * D[i - 1, j] + r
        if total == 0.0:
            return 0.0, 0
        if total > BIG:
            D *= SMALL
            total *= SMALL
            e += STEP
    return total, e


@njit(cache=True, nogil=True)
def kernel_row(program, s, codes, starts, lam, p, V, E):
    """V[j] 2^E[j] = k(s, t_j) for all strings t_j, held in codes from starts[j] to starts[j + 1]."""
    for j in range(len(V)):
        t = codes[starts[j]:starts[j + 1]]
        if program == SUBSEQUENCE:
            V[j], E[j] = subsequences(s, t)
        elif program == SUBSTRING:
            V[j], E[j] = substrings(s, t)
        elif program == GAP_WEIGHTED:
            V[j], E[j] = gap_weighted(s, t, lam)
        else:
            V[j], E[j] = gap_weighted_length(s, t, lam, p)
