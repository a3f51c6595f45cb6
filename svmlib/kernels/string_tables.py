"""The dynamic programs of the string kernels: readable tables for teaching, compiled rows for Gram matrices.

Glossary: s, t strings, m = len(s), n = len(t); K[i, j] is the kernel of the prefixes s_1..s_i and t_1..t_j.
In the compiled programs s and t are arrays of code points and a value is returned as v 2^e.
"""
from __future__ import annotations

from dataclasses import dataclass
from html import escape

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
        return _prefixes(self.s)

    @property
    def columns(self) -> list[str]:
        """The prefixes of t, from the empty one to t."""
        return _prefixes(self.t)

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

    def _repr_html_(self) -> str:
        return "".join(self._html(name, table) for name, table in self._named())

    def _html(self, name: str, table: np.ndarray) -> str:
        """One table as HTML, with row and column headers."""
        head = "".join(f'<th scope="col">{escape(c)}</th>' for c in self.columns)
        body = "".join(f'<tr><th scope="row">{escape(label)}</th>' + "".join(f"<td>{v:.6g}</td>" for v in row) + "</tr>"
                       for label, row in zip(self.rows, table, strict=True))
        corner = {"K": "<i>K</i>", "K0": "<i>K</i><sub>0</sub>"}[name]
        return (f'<table class="string-table"><thead><tr><th scope="col">{corner}</th>{head}</tr></thead>'
                f"<tbody>{body}</tbody></table>")


def _prefixes(s: str) -> list[str]:
    """All prefixes of s; the empty one is shown as ε."""
    return ["ε"] + [s[:i] for i in range(1, len(s) + 1)]


# ---- tables, as the recursions are printed ---------------------------------------------------------------
def subsequence_table(s: str, t: str) -> np.ndarray:
    """Equation (16): K(s, eps) = 1, K(s, t a) = K(s, t) + sum over k with s_k = a of K(s_1..s_(k-1), t)."""
    K = np.ones((len(s) + 1, len(t) + 1))
    for j, a in enumerate(t, start=1):
        for i in range(len(s) + 1):
            K[i, j] = K[i, j - 1] + sum(K[k - 1, j - 1] for k in range(1, i + 1) if s[k - 1] == a)
    return K


def substring_tables(s: str, t: str) -> tuple[np.ndarray, np.ndarray]:
    """K_0 and K: K_0(s a, t b) = 1 + K_0(s, t) if a = b, else 1; K as in (16), with K_0 inside the sum."""
    K0, K = np.ones((len(s) + 1, len(t) + 1)), np.ones((len(s) + 1, len(t) + 1))
    for j, b in enumerate(t, start=1):
        for i, a in enumerate(s, start=1):
            K0[i, j] = 1 + K0[i - 1, j - 1] if a == b else 1
    for j, b in enumerate(t, start=1):
        for i in range(len(s) + 1):
            K[i, j] = K[i, j - 1] + sum(K0[k - 1, j - 1] for k in range(1, i + 1) if s[k - 1] == b)
    return K0, K


def gap_weighted_table(s: str, t: str, lam: float, length: int | None) -> np.ndarray:
    """K from M_p[i, j], the weight of the pairs of p letters that end in s_i and t_j, letter by letter.

    M_1[i, j] = lam^2 if s_i = t_j, else 0; M_(p+1)[i, j] = lam^2 D_p[i-1, j-1] if s_i = t_j, else 0, where
    D_p[i, j] = sum over k <= i, l <= j of lam^(i-k) lam^(j-l) M_p[k, l] has the price of the gaps.
    K[i, j] sums M_p over all ends up to (i, j), for the one p asked for or, plus 1, for all.
    """
    m, n = len(s), len(t)
    match = np.array([[a == b for b in t] for a in s], dtype=float).reshape(m, n)
    rows, columns = _decay(m, lam), _decay(n, lam)
    D = np.ones((m, n))                                       # D[i-1, j-1] before the first letter: no gap yet
    total = np.zeros((m, n))
    for p in range(1, min(m, n, length or m) + 1):
        M = lam ** 2 * match * D
        D = rows @ M @ columns.T
        if length is None or p == length:
            total += M
    K = np.full((m + 1, n + 1), 1.0 if length is None else 0.0)
    K[1:, 1:] += total.cumsum(axis=0).cumsum(axis=1)
    return K


def _decay(n: int, lam: float) -> np.ndarray:
    """Matrix (n, n) of lam^(i-1-k) for k < i: the gap between an end at k and a continuation at i, with its step."""
    gap = np.subtract.outer(np.arange(n), np.arange(n)) - 1
    return np.where(gap >= 0, float(lam) ** np.maximum(gap, 0), 0.0)


# ---- compiled programs -----------------------------------------------------------------------------------
def encode(strings: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Code points of all strings in one array, and where each starts (n + 1,)."""
    joined = "".join(strings).encode("utf-32-le", "surrogatepass")
    starts = np.concatenate([[0], np.cumsum([len(s) for s in strings], dtype=np.int64)]).astype(np.int64)
    return np.frombuffer(joined, dtype=np.uint32), starts


@njit(cache=True, nogil=True)
def subsequences(s, t):
    """Row by row: K[i, j] = K[i-1, j] + sum over k <= j with t_k = s_i of K[i-1, k-1]; O(mn)."""
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
    """1 + the sum of K_0[i-1, j-1] over all s_i = t_j, K_0 the number of common suffixes; O(mn)."""
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
    """1 + the sum of M = M_1 + M_2 + ... of `gap_weighted_table`, all in one sweep: M = lam^2 (1 + D); O(mn)."""
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
    """The sum of M_p of `gap_weighted_table` without its factor lam^(2p), which could underflow; O(pmn)."""
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
