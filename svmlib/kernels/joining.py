"""Sums and products of many kernels, as trees of little depth."""
from typing import Any

MANY_TERMS = 32            # of a sum, from which on its depth counts


def joined(kind: Any, kernel: Any, other: Any) -> Any:
    """The sum, or product, of two kernels; one more term of many joins the smaller half.

    A sum of three hundred is then a tree of little depth: to copy or show it, Python goes down each branch by calls.
    """
    if type(kernel) is kind:
        some, others = terms(kind, kernel.k1), terms(kind, kernel.k2)
        if some + others >= MANY_TERMS and others < some:
            return kind(kernel.k1, joined(kind, kernel.k2, other))
    return kind(kernel, other)


def terms(kind: Any, kernel: Any) -> int:
    """How many kernels a sum, or product, has."""
    return terms(kind, kernel.k1) + terms(kind, kernel.k2) if type(kernel) is kind else 1
