"""The quiz of this chapter, computed."""
from itertools import combinations

import numpy as np

from svmlib.kernels import GapWeighted, Subsequence, Substring


def answers() -> list[list[bool]]:
    return [common(), new_letter(), pairs(), gap(), anagrams(), bytes_needed()]


def picks(s: str) -> list[str]:
    return ["".join(s[i] for i in I) for p in range(len(s) + 1) for I in combinations(range(len(s)), p)]


def common() -> list[bool]:
    k = sum(u == v for u in picks("AB") for v in picks("BA"))
    return [k == choice for choice in (2, 3, 4, 5)]


def new_letter() -> list[bool]:
    k, bar = Subsequence(), Subsequence(normalized=True)
    stays = all(k([s + "X"], [t])[0, 0] == k([s], [t])[0, 0] for s, t in (("BE", "EB"), ("ABBA", "BABA")))
    falls = all(bar([s + "X"], [t])[0, 0] < bar([s], [t])[0, 0] for s, t in (("BE", "EB"), ("ABBA", "BABA")))
    return [stays and not falls, stays and falls, not stays and falls, False]


def pairs() -> list[bool]:
    n = 6                                                     # 2^n index sets each, checked where they can be listed
    count = len(picks("A" * n)) ** 2
    assert count == 2 ** (2 * n)
    return [choice == 2 ** (2 * 1000) for choice in (10 ** 6, 2 ** 1000, 2 ** 2000, 0)]


def gap() -> list[bool]:
    k = GapWeighted(lam=0.5, length=2)(["CAT"], ["CUT"])[0, 0]     # CT is the only common part of two letters
    return [k == choice for choice in (1 / 4, 1 / 8, 1 / 16, 1 / 64)]


def anagrams() -> list[bool]:
    kernels = (Subsequence(normalized=True), Substring(normalized=True), GapWeighted(length=1, normalized=True),
               GapWeighted(lam=0.99, length=2, normalized=True))
    return [bool(np.isclose(k(["LISTEN"], ["SILENT"])[0, 0], 1)) for k in kernels]


def bytes_needed() -> list[bool]:
    n, d, each = 10_000, 100_000, 100
    sizes = (8 * n * d, 8 * n * each, 8 * n * n)
    return [sizes == choice for choice in ((8e9, 8e6, 8e8), (8e9, 8e6, 8e10), (8e8, 8e6, 8e8))]
