"""Kernels between strings: how many parts two strings have in common (lecture notes, section 16.4).

A part of a string is chosen by an index set I = {i_1 < ... < i_p}; s_I is the string of the letters it picks.

    Subsequence   k(s, t) = number of pairs (I, J) with s_I = t_J                          equation (15)
    Substring     the same, but I and J have no gaps                                       Example 16.13
    GapWeighted   each pair weighs lam^(l(I) + l(J)), l(I) = i_p - i_1 + 1 its span        Lodhi et al. 2002

The empty set counts once.  Each value is an inner product of counts of parts, so all are positive semidefinite.
A letter is one Unicode code point.  The dynamic programs are in `svmlib.kernels.string_tables`.
"""
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from math import frexp
from typing import Any

import numpy as np

from svmlib.checks import as_strings, check_integer, check_number
from svmlib.kernels.algebra import Kernel
from svmlib.kernels.string_tables import (
    GAP_WEIGHTED,
    GAP_WEIGHTED_LENGTH,
    SUBSEQUENCE,
    SUBSTRING,
    StringTable,
    common_suffixes,
    encode,
    kernel_row,
    prefixes,
)

__all__ = ["GapWeighted", "StringTable", "Subsequence", "Substring"]

#: `pairs` refuses to list more index pairs than this.
MAX_PAIRS = 100_000

Pair = tuple[tuple[int, ...], tuple[int, ...]]


class StringKernel(Kernel):
    """What the string kernels share: checks, Gram matrices, the cosine, and the list of common parts.

    Values are held as v 2^e, so that normalized=True, the cosine k(s, t) / sqrt(k(s, s) k(t, t)), works where the
    counts themselves leave the range of float64.  Counts above 2^53 are rounded.
    """

    psd = True
    #: Distinct strings have linearly independent features: only t and longer strings contain t as a part.
    strictly_positive = True

    def __init__(self, normalized: bool = False) -> None:
        self.normalized = normalized
        if not isinstance(normalized, (bool, np.bool_)):
            raise ValueError(f"normalized must be True or False, got {normalized!r}")

    def table(self, s: str, t: str) -> StringTable:
        """The table of k over all prefixes of s (rows) and t (columns); its last entry is k(s, t), unnormalized."""
        s, t = _one_string(s, "s"), _one_string(t, "t")
        K = self._unscaled(*self._mantissas(as_strings(prefixes(s)), as_strings(prefixes(t))))
        return StringTable(s, t, K)

    def pairs(self, s: str, t: str) -> list[Pair]:
        """All pairs (I, J) with s_I = t_J that the kernel counts, positions from 1, shortest first.

        Raises ValueError where there are more than 100,000.

        >>> Substring().pairs("BE", "EB")
        [((), ()), ((1,), (2,)), ((2,), (1,))]
        """
        s, t = _one_string(s, "s"), _one_string(t, "t")
        level: list[Pair] = [((), ())]
        found: list[Pair] = []
        while level:
            found += level
            if len(found) > MAX_PAIRS:
                raise ValueError(f"s and t have more than {MAX_PAIRS:,} common parts; call the kernel to count them")
            longer = (((*I, i), (*J, j)) for I, J in level for i, j in self._next(s, t, I, J))
            level = sorted(islice(longer, MAX_PAIRS))
        return [pair for pair in found if self._counts(len(pair[0]))]

    # ---- what the three kernels differ in ----------------------------------------------------------------
    def _program(self) -> tuple[int, float, int]:
        """Which dynamic program, with which decay and which length."""
        raise TypeError(f"{type(self).__name__} does not define a dynamic program")

    def _next(self, s: str, t: str, I: tuple[int, ...], J: tuple[int, ...]) -> Iterator[tuple[int, int]]:
        """Positions (i, j) of equal letters by which (I, J) can be continued."""
        for i in range(I[-1] + 1 if I else 1, len(s) + 1):
            for j in range(J[-1] + 1 if J else 1, len(t) + 1):
                if s[i - 1] == t[j - 1]:
                    yield i, j

    def _counts(self, p: int) -> bool:
        """Whether parts of p letters count."""
        return True

    # ---- Gram matrices -----------------------------------------------------------------------------------
    def _points(self, X: Any, name: str) -> np.ndarray:
        return as_strings(X, name)

    def _block(self, X: np.ndarray, Z: np.ndarray) -> np.ndarray:
        same = X is Z
        V, E = self._mantissas(X, None if same else Z)
        if not self.normalized:
            return self._unscaled(V, E)
        v, e = (V.diagonal(), E.diagonal()) if same else self._mantissas(X, diagonal=True)
        w, g = (v, e) if same else self._mantissas(Z, diagonal=True)
        # Even exponents, so that their halves are whole: v 2^e = (2 v) 2^(e - 1).
        v, e, w, g = v * 2.0 ** (e % 2), e - e % 2, w * 2.0 ** (g % 2), g - g % 2
        norm = np.sqrt(np.multiply.outer(v, w))
        cosine = np.divide(V, norm, out=np.zeros_like(V), where=norm > 0)       # 0 for strings without any part
        return np.ldexp(cosine, E - np.add.outer(e, g) // 2)

    def _diag(self, X: np.ndarray) -> np.ndarray:
        v, e = self._mantissas(X, diagonal=True)
        return (v > 0).astype(np.float64) if self.normalized else self._unscaled(v, e)

    def _mantissas(self, X: np.ndarray, Z: np.ndarray | None = None, diagonal: bool = False
                   ) -> tuple[np.ndarray, np.ndarray]:
        """Values V 2^E (n, m) with V in [0.5, 1) or 0; Z=None: of X with itself; diagonal: k(x_i, x_i) alone, (n,)."""
        program, lam, length = self._program()
        x, first = encode(X)
        z, start = (x, first) if Z is None else encode(Z)
        V = np.zeros((len(X), 1 if diagonal else len(start) - 1))
        E = np.zeros(V.shape, dtype=np.int64)
        for i in range(len(X)):
            j = i if Z is None else 0                         # of X with itself only the upper triangle is computed
            row = slice(0 if diagonal else j, None)
            kernel_row(program, x[first[i]:first[i + 1]], z, start[j:], lam, length, V[i, row], E[i, row])
        V, shift = np.frexp(V)
        E += shift
        if diagonal:
            return V[:, 0], E[:, 0]
        if Z is None:
            lower = np.tril_indices(len(X), -1)
            V[lower], E[lower] = V.T[lower], E.T[lower]
        return V, E

    def _unscaled(self, V: np.ndarray, E: np.ndarray) -> np.ndarray:
        """V 2^E, or a ValueError where that is beyond float64; GapWeighted puts its constant factor in here."""
        with np.errstate(over="ignore"):
            K = np.ldexp(V, E)
        if not np.isfinite(K).all():
            raise ValueError(f"X (or Z) holds strings with more than 1e308 common parts, beyond float64; use "
                             f"{type(self).__name__}(normalized=True)")
        return K


class Subsequence(StringKernel):
    """Subsequence kernel: the number of pairs (I, J) with s_I = t_J (lecture notes, equations 15 and 16).

    It counts s = t = "aaaa..." C(2n, n) times, so use normalized=True for strings of more than some 20 letters.

    >>> Subsequence()(["BERT"], ["BEERE"])
    array([[14.]])
    >>> Subsequence(normalized=True)(["BERT", "BEERE"]).round(4)
    array([[1.    , 0.4375],
           [0.4375, 1.    ]])

    `table` gives that of Example 16.12, as equation (16) fills it.

    >>> Subsequence().table("BE", "BEERE").K
    array([[1., 1., 1., 1., 1., 1.],
           [1., 2., 2., 2., 2., 2.],
           [1., 2., 4., 6., 6., 8.]])
    """

    def _program(self) -> tuple[int, float, int]:
        return SUBSEQUENCE, 1.0, 0


class Substring(StringKernel):
    """Substring kernel: the number of pairs of equal substrings (parts without gaps) of s and t.

    K_0(s, t), the number of common suffixes, carries the recursion of the lecture notes (before Example 16.13); its
    first row K_0(eps, t) = 1 is not printed there, but needed.

    >>> Substring()(["BERT"], ["BEERE"])
    array([[8.]])

    `table` gives the two of Example 16.13, K0 and K.

    >>> Substring().table("BE", "BEERE").K0
    array([[1., 1., 1., 1., 1., 1.],
           [1., 2., 1., 1., 1., 1.],
           [1., 1., 3., 2., 1., 2.]])
    """

    def table(self, s: str, t: str) -> StringTable:
        """The tables K and K0 of all prefixes of s (rows) and t (columns)."""
        return replace(super().table(s, t), K0=common_suffixes(s, t))

    def _program(self) -> tuple[int, float, int]:
        return SUBSTRING, 1.0, 0

    def _next(self, s: str, t: str, I: tuple[int, ...], J: tuple[int, ...]) -> Iterator[tuple[int, int]]:
        if not I:
            yield from super()._next(s, t, I, J)
        elif I[-1] < len(s) and J[-1] < len(t) and s[I[-1]] == t[J[-1]]:
            yield I[-1] + 1, J[-1] + 1


class GapWeighted(StringKernel):
    """Gap-weighted subsequence kernel: sum of lam^(l(I) + l(J)) over the pairs with s_I = t_J.

    l(I) is the span of I in the string, so every letter skipped costs a factor lam, 0 < lam <= 1.  length=p counts
    the parts of exactly p letters, a feature map without the others; length=None counts all, the empty one with weight
    1.  lam=1, length=None is `Subsequence`.  (Lodhi et al., Text classification using string kernels, JMLR 2, 2002;
    Shawe-Taylor and Cristianini 2004, chapter 11.)

    >>> GapWeighted(lam=0.5, length=2)(["cat"], ["car"])           # "ca" twice without a gap: lam^(2 + 2)
    array([[0.0625]])
    """

    def __init__(self, lam: float = 0.5, length: int | None = None, normalized: bool = False) -> None:
        super().__init__(normalized)
        self.lam, self.length = lam, length
        check_number(lam, "lam", 0.0, 1.0, strict=True)
        check_integer(1 if length is None else length, "length", expected="a positive integer or None")

    @property
    def strictly_positive(self) -> bool:  # type: ignore[override]
        """Not for a fixed length: strings shorter than that have no features."""
        return self.length is None

    def _program(self) -> tuple[int, float, int]:
        if self.length is None:
            return GAP_WEIGHTED, float(self.lam), 0
        return GAP_WEIGHTED_LENGTH, float(self.lam), int(self.length)

    def _next(self, s: str, t: str, I: tuple[int, ...], J: tuple[int, ...]) -> Iterator[tuple[int, int]]:
        if len(I) != self.length:
            yield from super()._next(s, t, I, J)

    def _counts(self, p: int) -> bool:
        return self.length is None or p == self.length

    def _unscaled(self, V: np.ndarray, E: np.ndarray) -> np.ndarray:
        if self.length is None:
            return super()._unscaled(V, E)
        # The program for a fixed length leaves out lam^(2p), which cancels in the cosine.
        mantissa, exponent = frexp(self.lam)
        return super()._unscaled(V * mantissa ** (2 * self.length), E + 2 * self.length * exponent)


def _one_string(s: Any, name: str) -> str:
    """Check one string."""
    if not isinstance(s, str):
        raise ValueError(f"{name} must be a string, got {s!r} of type {type(s).__name__}")
    return str(s)
