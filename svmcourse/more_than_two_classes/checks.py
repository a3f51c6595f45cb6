"""Checks of chapter 14: pairs, votes, and one class against the rest."""
from itertools import combinations, pairwise

import numpy as np

from svmcourse.checking.core import Answer, Wrong, as_array, refuse
from svmcourse.checking.mistakes import Cases, Solved, compared, generator, judged

CHAPTER = "14_more_than_two_classes"


# ---- the pairs -------------------------------------------------------------------------------------------------------
@judged(CHAPTER, "One-vs-one: the pairs")
def all_pairs(make: Answer) -> str:
    """`pairs(classes)` returns the pairs of labels, each once."""
    for classes in ([3, 5, 8, 9], [10, 20, 30, 40, 50]):
        k, answer = len(classes), make(classes)
        if isinstance(answer, (list, tuple, np.ndarray)) and len(answer) == k != k * (k - 1) // 2 \
                and all(np.size(p) != 2 for p in answer):
            raise Wrong("with-rest")
        answer = [tuple(p) if np.iterable(p) else p for p in answer] if np.iterable(answer) else answer
        got = [tuple(p) for p in as_array(answer, "the pairs", (None, 2))]
        found = {frozenset(p) for p in got}
        refuse({"with-itself": any(p == q for p, q in got),
                "indices": found == {frozenset(p) for p in combinations(range(k), 2)},
                "neighbours": found == {frozenset(p) for p in pairwise(classes)}})
        if found != {frozenset(p) for p in combinations(classes, 2)}:
            raise Wrong("missing", f"{len(found)} different pairs of {k} classes; k (k - 1) / 2 are "
                        f"{k * (k - 1) // 2}.", "for i in range(k): for j in range(i + 1, k)")
        refuse({"both-orders": len(got) == 2 * len(found) == len(set(got)),
                "repeated": len(got) > len(found),
                "order": got != list(combinations(classes, 2))})
    return "k (k - 1) / 2 machines; 45 for ten digits."


# ---- votes -----------------------------------------------------------------------------------------------------------
VOTES = Solved(CHAPTER, "votes")


@judged(CHAPTER, "One-vs-one: the votes")
def votes(count: Answer) -> str:
    """`votes(f, k)` returns the number of votes of each class, (n, k)."""
    cases = [(generator(k).normal(size=(9, k * (k - 1) // 2)), k) for k in (3, 4, 5)]
    VOTES.compare(count, cases, ("the votes",))
    edge = np.array([[0.0, 0.5, -0.5], [0.5, 0.0, 0.0], [-0.5, -0.5, 0.0]])
    if not np.array_equal(as_array(count(edge, 3), "the votes", (3, 3)), VOTES.function()(edge, 3)):
        raise Wrong("tie")
    return "each row has k (k - 1) / 2 votes."


# ---- one class against the rest --------------------------------------------------------------------------------------
@compared(CHAPTER, "One-vs-rest: the winner", ("the labels",), "the largest f, with its sign.")
def one_vs_rest() -> Cases:
    """`one_vs_rest(f, classes)` returns a label for each row of f."""
    return [(generator(k).normal(size=(20, k)) - 0.6, np.arange(k) * 10 + 7) for k in (3, 5)]
