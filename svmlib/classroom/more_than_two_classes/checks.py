"""Checks of chapter 14: pairs, votes, and one class against the rest."""
from functools import partial
from itertools import combinations, pairwise
from typing import Any

import numpy as np

from svmlib.classroom.checking.core import Answer, Mistake, Wrong, as_array, compare, task

CHAPTER = "14_more_than_two_classes"


# ---- the pairs -------------------------------------------------------------------------------------------------------
PAIRS = [Mistake(key, message, hint) for key, message, hint in [
    ("both-orders", "Each pair is there twice, in both orders: one machine for each pair is enough.", "p before q"),
    ("with-itself", "Some pairs are a class with itself.", "range(i + 1, k)"),
    ("neighbours", "These are neighbours only; one-vs-one needs all pairs.", "Two loops."),
    ("indices", "These are places in the list; expected are the labels of the classes.", "classes[i], classes[j]"),
    ("with-rest", "There are as many problems as classes; that is one-vs-rest.", "Two classes for each machine."),
    ("repeated", "Some pairs are there more than once: one machine for each pair is enough.", "p before q, once."),
    ("order", "All pairs are there, but in another order: those of the first label come first, each with the "
     "earlier label in front. The next task relies on it.", "for i in range(k): for j in range(i + 1, k)"),
]]


@task(CHAPTER, "One-vs-one: the pairs", PAIRS)
def all_pairs(make: Answer) -> str:
    """`pairs(classes)` returns the pairs of labels, each once."""
    known = {m.key: m for m in PAIRS}
    for classes in ([3, 5, 8, 9], [10, 20, 30, 40, 50]):
        k, answer = len(classes), make(classes)
        if isinstance(answer, (list, tuple, np.ndarray)) and len(answer) == k != k * (k - 1) // 2 \
                and all(np.size(p) != 2 for p in answer):
            raise known["with-rest"].wrong()
        answer = [tuple(p) if np.iterable(p) else p for p in answer] if np.iterable(answer) else answer
        got = [tuple(p) for p in as_array(answer, "the pairs", (None, 2))]
        found = {frozenset(p) for p in got}
        if any(p == q for p, q in got):
            raise known["with-itself"].wrong()
        if found == {frozenset(p) for p in combinations(range(k), 2)}:
            raise known["indices"].wrong()
        if found == {frozenset(p) for p in pairwise(classes)}:
            raise known["neighbours"].wrong()
        if found != {frozenset(p) for p in combinations(classes, 2)}:
            raise Wrong("missing", f"{len(found)} different pairs of {k} classes; k (k - 1) / 2 are "
                        f"{k * (k - 1) // 2}.", "for i in range(k): for j in range(i + 1, k)")
        if len(got) > len(found):
            turned = len(got) == 2 * len(found) == len(set(got))
            raise known["both-orders" if turned else "repeated"].wrong()
        if got != list(combinations(classes, 2)):
            raise known["order"].wrong()
    return "k (k - 1) / 2 machines; 45 for ten digits."


# ---- votes -----------------------------------------------------------------------------------------------------------
def voted(f: np.ndarray, k: int, how: str = "") -> tuple[np.ndarray]:
    """Votes (n, k) of f (n, k (k - 1) / 2), pairs (0, 1), (0, 2), …; f > 0 is a vote for the first, or a mistake."""
    votes, order = np.zeros((len(f), k)), list(combinations(range(k), 2))
    if how == "column-order":
        order.sort(key=lambda pair: pair[::-1])
    for column, (p, q) in zip(f.T, order, strict=True):
        first = column > 0
        if how == "wrong-class":
            first = ~first
        weight = np.abs(column) if how == "weighted" else np.ones(len(column))
        votes[:, p] += weight * first
        if how == "winner-only":
            continue
        if how == "minus":
            votes[:, p] -= weight * ~first
        votes[:, q] += weight * ~first
        if how == "minus":
            votes[:, q] -= weight * first
        if how == "signed":
            votes[:, p] += column - weight * first
            votes[:, q] -= column + weight * ~first
    return (votes,)


TIE = Mistake("tie", "Where f is exactly 0 you do not count one vote, for q.",
              "f > 0 is a vote for p; otherwise, that is for f <= 0, for q.")
VOTES = [Mistake(key, message, hint, partial(voted, how=key)) for key, message, hint in [
    ("wrong-class", "The votes go to the wrong class of each pair.", "f > 0 is a vote for p, the first of the pair."),
    ("column-order", "The columns are taken for (0, 1), (0, 2), (1, 2), (0, 3) …; in `f` all pairs of class 0 come "
     "first.", "The order of the first task: p in the outer loop."),
    ("winner-only", "Only votes for the first class of a pair are counted.", "f <= 0 is a vote for q."),
    ("weighted", "The votes are weighted with |f|; in a majority each machine has one vote.", "+ 1"),
    ("signed", "f itself is added up; in a majority each machine has one vote.", "f > 0 is True or False."),
    ("minus", "The loser of a pair gets -1; it should get nothing.", "Only count votes."),
]]


@task(CHAPTER, "One-vs-one: the votes", [*VOTES, TIE])
def votes(count: Answer) -> str:
    """`votes(f, k)` returns the number of votes of each class, (n, k)."""
    cases = [(np.random.default_rng(k).normal(size=(9, k * (k - 1) // 2)), k) for k in (3, 4, 5)]
    compare(count, cases, voted, ("the votes",), VOTES)
    edge = np.array([[0.0, 0.5, -0.5], [0.5, 0.0, 0.0], [-0.5, -0.5, 0.0]])
    if not np.array_equal(as_array(count(edge, 3), "the votes", (3, 3)), voted(edge, 3)[0]):
        raise TIE.wrong()
    return "each row has k (k - 1) / 2 votes."


# ---- one class against the rest --------------------------------------------------------------------------------------
def against_rest(f: np.ndarray, classes: np.ndarray, how: str = "") -> tuple[np.ndarray]:
    """Label of the class with the largest f, or a known mistake."""
    values = {"absolute": np.abs(f), "smallest": -f, "first-positive": (f > 0).astype(float),
              "nearest": -np.abs(f)}.get(how, f)
    place = values.argmax(axis=1)
    return (place.astype(float) if how == "indices" else np.asarray(classes)[place],)


REST = [Mistake(key, message, hint, partial(against_rest, how=key)) for key, message, hint in [
    ("absolute", "The class with the largest |f| wins: it may be the one that is farthest on the wrong side.",
     "Take the distance with its sign."),
    ("smallest", "The class with the smallest f wins.", "argmax"),
    ("first-positive", "The first class with f > 0 wins; several may be positive, or none.", "The largest f."),
    ("nearest", "The class whose boundary is nearest wins.", "Far on its own side is good."),
    ("indices", "These are the numbers of the columns; expected are the labels.", "classes[f.argmax(axis=1)]"),
]]


@task(CHAPTER, "One-vs-rest: the winner", REST)
def one_vs_rest(predict: Answer) -> str:
    """`one_vs_rest(f, classes)` returns a label for each row of f."""
    cases: list[Any] = [(np.random.default_rng(k).normal(size=(20, k)) - 0.6, np.arange(k) * 10 + 7) for k in (3, 5)]
    compare(predict, cases, against_rest, ("the labels",), REST)
    return "the largest f, with its sign."
