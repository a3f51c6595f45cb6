"""Chapter 14: answers as students write them, right in several ways and wrong in the known ones."""
from itertools import combinations, pairwise

import numpy as np
from course.checking.both_ways import Answers

from svmcourse.more_than_two_classes import checks as check
from svmlib.svc.multiclass import votes as of_svmlib

ANSWERS = Answers(check)
right, wrong = ANSWERS.right, ANSWERS.wrong


# ---- pairs
right("all_pairs")(lambda classes: list(combinations(classes, 2)))
right("all_pairs")(lambda classes: [[p, q] for p in classes for q in classes if p < q])
right("all_pairs")(lambda classes: np.array(list(combinations(classes, 2))))
right("all_pairs")(lambda classes: combinations(classes, 2))
wrong("all_pairs", "order")(lambda classes: [[p, q] for q in classes for p in classes if p < q])
wrong("all_pairs", "order")(lambda classes: [(q, p) for p, q in combinations(classes, 2)])
wrong("all_pairs", "both-orders")(lambda classes: [(p, q) for p in classes for q in classes if p != q])
wrong("all_pairs", "with-itself")(lambda classes: [(p, q) for p in classes for q in classes if p <= q])
wrong("all_pairs", "neighbours")(lambda classes: list(pairwise(classes)))
wrong("all_pairs", "indices")(lambda classes: list(combinations(range(len(classes)), 2)))
wrong("all_pairs", "with-rest")(lambda classes: [(c, *[d for d in classes if d != c]) for c in classes])
wrong("all_pairs", "repeated")(lambda classes: [*combinations(classes, 2), tuple(classes[:2])])
wrong("all_pairs", "repeated")(lambda classes: 2 * list(combinations(classes, 2)))
wrong("all_pairs", "missing")(lambda classes: list(combinations(classes, 2))[1:])


# ---- votes
def counted(f, k, first=lambda v: v > 0, win=lambda v: 1.0):
    result = np.zeros((len(f), k))
    for row, values in zip(result, f, strict=True):
        for (p, q), v in zip(combinations(range(k), 2), values, strict=True):
            row[p if first(v) else q] += win(v)
    return result


right("votes")(counted)
right("votes")(lambda f, k: of_svmlib(f, k).tolist())
wrong("votes", "weighted")(lambda f, k: counted(f, k, win=abs))
wrong("votes", "tie")(lambda f, k: counted(f, k, first=lambda v: v >= 0))
wrong("votes", "tie")(lambda f, k: counted(f, k, win=lambda v: v != 0))
wrong("votes", "tie")(lambda f, k: counted(f, k) + counted(f, k, win=lambda v: v == 0, first=lambda v: v >= 0))
wrong("votes", "shape")(lambda f, k: counted(f, k).argmax(axis=1))


# ---- one class against the rest
right("one_vs_rest")(lambda f, classes: classes[np.argmax(f, axis=1)])
right("one_vs_rest")(lambda f, classes: [max(zip(row, classes, strict=True))[1] for row in f])
wrong("one_vs_rest", "absolute")(lambda f, classes: [max(zip(abs(row), classes, strict=True))[1] for row in f])
wrong("one_vs_rest", "exception")(lambda f, classes: classes[np.argmax(f, axis=0)])

test_right, test_wrong, test_blank, test_enough = ANSWERS.tests()
