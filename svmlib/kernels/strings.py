"""Kernels between strings: how many parts two strings have in common (lecture notes, section 16.4).

A part of a string is chosen by an index set I = {i_1 < ... < i_p}; s_I is the string of the letters it picks.

    Subsequence   k(s, t) = number of pairs (I, J) with s_I = t_J                          equation (15)
    Substring     the same, but I and J have no gaps                                       Example 16.13
    GapWeighted   each pair weighs lam^(l(I) + l(J)), l(I) = i_p - i_1 + 1 its span        Lodhi et al. 2002;
                  with a price of its own for a letter that is used, used^(2p) lam^(l(I) + l(J) - 2p)

The empty set counts once.  All are inner products of counts of parts, so PSD.  A letter is one Unicode code point.

Glossary of the dynamic programs: s, t strings, as arrays of code points, m = len(s), n = len(t); K[i, j] is the kernel
of the prefixes s_1..s_i and t_1..t_j.  A value is returned as v 2^e.
"""
from math import frexp
from typing import Any

import numpy as np

from svmlib.compilation import njit
from svmlib.kernels.algebra import Kernel
from svmlib.validation import as_strings, check_integer, check_number

SUBSTRING, GAP_WEIGHTED, GAP_WEIGHTED_LENGTH = range(3)
BIG, SMALL, STEP = 2.0 ** 512, 2.0 ** -512, 512      # above BIG a row is multiplied by SMALL, the exponent grows


def encode(strings: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Code points of all strings in one array, and where each starts (n + 1,)."""
    joined = "".join(strings).encode("utf-32-le", "surrogatepass")
    starts = np.concatenate([[0], np.cumsum([len(s) for s in strings], dtype=np.int64)]).astype(np.int64)
    return np.frombuffer(joined, dtype=np.uint32), starts


@njit()
def substrings(s, t):
    """K as in (16), with K_0 inside the sum: 1 + the sum of K_0[i-1, j-1] over all s_i = t_j; O(mn).

    K_0[i, j] is 1 + K_0[i-1, j-1] if s_i = t_j, else 1; 1 in the first row and column.
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


@njit()
def gap_weighted(s, t, lam, used):
    """1 + the sum of M = M_1 + M_2 + ... of `gap_weighted_length`, all in one sweep: M = used^2 (1 + D); O(mn).

    With lam = used = 1, where M[i, j] is K[i-1, j-1] if s_i = t_j, that is equation (16) summed up over i.
    """
    D = np.zeros(len(t) + 1)
    one = total = 1.0                                         # the empty part, in units of 2^e
    e = 0
    for a in s:
        r = 0.0                                               # sum over l <= j of lam^(j-l) M[i, l]
        before = D[0]
        for j in range(1, len(D)):
            M = used * used * (one + before) if t[j - 1] == a else 0.0
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


@njit()
def gap_weighted_length(s, t, lam, p):
    """The sum of all M_p[i, j], the weight of the pairs of p letters that end in s_i and t_j; letter by letter, O(pmn).

    M_1[i, j] = lam^2 if s_i = t_j, else 0; M_(p+1)[i, j] = lam^2 D_p[i-1, j-1] if s_i = t_j, else 0, where
    D_p[i, j] = sum over k <= i, l <= j of lam^(i-k) lam^(j-l) M_p[k, l] has the price of the gaps.
    The factor lam^(2p), or used^(2p), is left out, as it could underflow.
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


@njit()
def kernel_row(program, s, codes, starts, lam, used, p, V, E):
    """V[j] 2^E[j] = k(s, t_j) for all strings t_j, held in codes from starts[j] to starts[j + 1]."""
    for j in range(len(V)):
        t = codes[starts[j]:starts[j + 1]]
        if program == SUBSTRING:
            V[j], E[j] = substrings(s, t)
        elif program == GAP_WEIGHTED:
            V[j], E[j] = gap_weighted(s, t, lam, used)
        else:
            V[j], E[j] = gap_weighted_length(s, t, lam, p)


class StringKernel(Kernel):
    """What the string kernels share: checks, Gram matrices, and the cosine.

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

    def _program(self) -> tuple[int, float, float, int]:
        """Which dynamic program, with which prices of a skipped and of a used letter, and which length."""
        raise TypeError(f"{type(self).__name__} does not define a dynamic program")

    def points(self, X: Any, name: str) -> np.ndarray:
        return as_strings(X, name)

    def block(self, X: np.ndarray, Z: np.ndarray) -> np.ndarray:
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

    def diagonal(self, X: np.ndarray) -> np.ndarray:
        v, e = self._mantissas(X, diagonal=True)
        return (v > 0).astype(np.float64) if self.normalized else self._unscaled(v, e)

    def _mantissas(self, X: np.ndarray, Z: np.ndarray | None = None, diagonal: bool = False
                   ) -> tuple[np.ndarray, np.ndarray]:
        """Values V 2^E (n, m) with V in [0.5, 1) or 0; Z=None: of X with itself; diagonal: k(x_i, x_i) alone, (n,)."""
        program, lam, used, length = self._program()
        x, first = encode(X)
        z, start = (x, first) if Z is None else encode(Z)
        V = np.zeros((len(X), 1 if diagonal else len(start) - 1))
        E = np.zeros(V.shape, dtype=np.int64)
        for i in range(len(X)):
            j = i if Z is None else 0                         # of X with itself only the upper triangle is computed
            row = slice(0 if diagonal else j, None)
            kernel_row(program, x[first[i]:first[i + 1]], z, start[j:], lam, used, length, V[i, row], E[i, row])
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

    Over all prefixes it gives the table of Example 16.12, as equation (16) fills it.

    >>> Subsequence()(["", "B", "BE"], ["", "B", "BE", "BEE", "BEER", "BEERE"])
    array([[1., 1., 1., 1., 1., 1.],
           [1., 2., 2., 2., 2., 2.],
           [1., 2., 4., 6., 6., 8.]])
    """

    def _program(self) -> tuple[int, float, float, int]:
        return GAP_WEIGHTED, 1.0, 1.0, 0                       # no gap costs anything


class Substring(StringKernel):
    """Substring kernel: the number of pairs of equal substrings (parts without gaps) of s and t.

    K_0(s, t), the number of common suffixes, carries the recursion of the lecture notes (before Example 16.13); its
    first row K_0(eps, t) = 1 is not printed there, but needed.

    >>> Substring()(["BERT"], ["BEERE"])
    array([[8.]])
    """

    def _program(self) -> tuple[int, float, float, int]:
        return SUBSTRING, 1.0, 1.0, 0


class GapWeighted(StringKernel):
    """Gap-weighted subsequence kernel: sum of lam^(l(I) + l(J)) over the pairs with s_I = t_J.

    l(I) is the span of I in the string, so every letter skipped costs a factor lam, 0 < lam <= 1, and every letter
    used another one, or the factor used, where it is given.  length=p counts the parts of exactly p letters, a feature
    map without the others; length=None counts all, the empty one with weight 1.  lam=1, length=None is `Subsequence`.
    (Lodhi et al., Text classification using string kernels, JMLR 2, 2002; Shawe-Taylor and Cristianini 2004,
    chapter 11.)

    >>> GapWeighted(lam=0.5, length=2)(["cat"], ["car"])           # "ca" twice without a gap: lam^(2 + 2)
    array([[0.0625]])
    >>> GapWeighted(lam=0.5, length=2, used=1.0)(["cat"], ["cart"])  # ca: 1, at: lam, ct: lam^3
    array([[1.625]])
    """

    def __init__(self, lam: float = 0.5, length: int | None = None, normalized: bool = False,
                 used: float | None = None) -> None:
        super().__init__(normalized)
        self.lam, self.length, self.used = lam, length, used
        check_number(lam, "lam", 0.0, 1.0, strict=True)
        if used is not None:
            check_number(used, "used", 0.0, 1.0, strict=True)
        check_integer(1 if length is None else length, "length", expected="a positive integer or None")

    @property
    def strictly_positive(self) -> bool:  # type: ignore[override]
        """Not for a fixed length: strings shorter than that have no features."""
        return self.length is None

    def _program(self) -> tuple[int, float, float, int]:
        if self.length is None:
            return GAP_WEIGHTED, float(self.lam), float(self._price), 0
        return GAP_WEIGHTED_LENGTH, float(self.lam), 1.0, int(self.length)

    @property
    def _price(self) -> float:
        """Of a letter that is used."""
        return self.lam if self.used is None else self.used

    def _unscaled(self, V: np.ndarray, E: np.ndarray) -> np.ndarray:
        if self.length is None:
            return super()._unscaled(V, E)
        # The program for a fixed length leaves out used^(2p), which cancels in the cosine.
        mantissa, exponent = frexp(self._price)
        return super()._unscaled(V * mantissa ** (2 * self.length), E + 2 * self.length * exponent)
