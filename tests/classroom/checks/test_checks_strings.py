"""Chapter 10: answers as students write them, right in several ways and wrong in the known ones."""
import numpy as np
from classroom.checks.both_ways import Answers

from svmlib.classroom.checks import strings as check

ANSWERS = Answers(check)
right, wrong = ANSWERS.right, ANSWERS.wrong


# ---- the cosine
right("cosine_of")(lambda a, b, c: a / np.sqrt(b * c))
right("cosine_of")(lambda a, b, c: a * b**-0.5 * c**-0.5)
wrong("cosine_of", "no-root")(lambda a, b, c: a / (b * c))
wrong("cosine_of", "mean")(lambda a, b, c: a / ((b + c) / 2))
wrong("cosine_of", "largest")(lambda a, b, c: a / max(b, c))
wrong("cosine_of", "one-root")(lambda a, b, c: a / b / np.sqrt(c))
wrong("cosine_of", "first-only")(lambda a, b, c: a / b)
wrong("cosine_of", "roots-added")(lambda a, b, c: a / (np.sqrt(b) + np.sqrt(c)))
wrong("cosine_of", "squared")(lambda a, b, c: a * a / b / c)
wrong("cosine_of", "precedence")(lambda a, b, c: a / np.sqrt(b) * c)


# ---- subsequences
def table(x, z, start=np.ones, less=1, same=lambda d: d):
    K = start((len(x) + 1, len(z) + 1))
    for i in range(1, len(x) + 1):
        for j in range(1, len(z) + 1):
            K[i, j] = K[i - 1, j] + K[i, j - 1] - less * K[i - 1, j - 1]
            if x[i - 1] == z[j - 1]:
                K[i, j] += same(K[i - 1, j - 1])
    return K


def words(s):
    found = [""]
    for letter in s:
        found += [word + letter for word in found]
    return found


right("subsequence_table")(table)


@right("subsequence_table")
def by_listing_them(x, z):
    return [[sum(a == b for a in words(x[:i]) for b in words(z[:j])) for j in range(len(z) + 1)]
            for i in range(len(x) + 1)]


@wrong("subsequence_table", "longest")
def longest(x, z):
    K = np.zeros((len(x) + 1, len(z) + 1))
    for i, a in enumerate(x):
        for j, b in enumerate(z):
            K[i + 1, j + 1] = K[i, j] + 1 if a == b else max(K[i, j + 1], K[i + 1, j])
    return K


@wrong("subsequence_table", "equal-only")
def only_diagonal(x, z):
    K = np.ones((len(x) + 1, len(z) + 1))
    for i, a in enumerate(x):
        for j, b in enumerate(z):
            K[i + 1, j + 1] = K[i, j] * (2 if a == b else 1)
    return K


def corner(shape):
    K = np.zeros(shape)
    K[0, 0] = 1
    return K


wrong("subsequence_table", "empty")(lambda x, z: table(x, z, start=np.zeros, same=lambda d: d + 1))
wrong("subsequence_table", "first-row")(lambda x, z: table(x, z, start=corner))
wrong("subsequence_table", "twice")(lambda x, z: table(x, z, less=0))
wrong("subsequence_table", "one-each")(lambda x, z: table(x, z, same=lambda d: 1))


@wrong("subsequence_table", "one-place")
def one_place(x, z):
    K = np.ones((len(x) + 1, len(z) + 1))
    for i in range(1, len(x) + 1):
        for j in range(1, len(z) + 1):
            K[i, j] = K[i - 1, j]
            if x[i - 1] == z[j - 1]:
                K[i, j] += K[i - 1, j - 1]
    return K


wrong("subsequence_table", "shape")(lambda x, z: table(x, z).T)
wrong("subsequence_table", "shape")(lambda x, z: table(x, z)[1:, 1:])


# ---- substrings
def parts(s):
    return [s[i:j] for i in range(len(s)) for j in range(i + 1, len(s) + 1)]


def pairs(x, z):
    return sum(a == b for a in parts(x) for b in parts(z))


right("substring_kernel")(lambda x, z: 1 + pairs(x, z))


@right("substring_kernel")
def by_lengths(x, z):
    count = 1
    for i in range(len(x)):
        for j in range(len(z)):
            k = 0
            while i + k < len(x) and j + k < len(z) and x[i + k] == z[j + k]:
                k += 1
            count += k
    return count


wrong("substring_kernel", "empty")(pairs)
wrong("substring_kernel", "empty-everywhere")(lambda x, z: pairs(x, z) + (len(x) + 1) * (len(z) + 1))
wrong("substring_kernel", "end-lost")(lambda x, z: 1 + sum(
    x[i:j] == z[k:m] for i in range(len(x)) for j in range(i + 1, len(x))
    for k in range(len(z)) for m in range(k + 1, len(z))))
wrong("substring_kernel", "distinct")(lambda x, z: 1 + len(set(parts(x)) & set(parts(z))))
wrong("substring_kernel", "longest")(lambda x, z: max(map(len, {""} | set(parts(x)) & set(parts(z)))))
wrong("substring_kernel", "letters")(lambda x, z: 1 + sum(a == b for a in x for b in z))
wrong("substring_kernel", "aligned")(
    lambda x, z: 1 + sum(x[i:j] == z[i:j] for j in range(min(len(x), len(z)) + 1) for i in range(j)))
wrong("substring_kernel", "subsequences")(lambda x, z: table(x, z)[-1, -1])
wrong("substring_kernel", "type")(lambda x, z: sorted(set(parts(x)) & set(parts(z))))

test_right, test_wrong, test_blank, test_enough = ANSWERS.tests()


def test_the_table_to_reach():
    rows = [[1, 1, 1, 1, 1, 1], [1, 2, 2, 2, 2, 2], [1, 2, 4, 6, 6, 8], [1, 2, 4, 6, 12, 14], [1, 2, 4, 6, 12, 14]]
    assert table("BERT", "BEERE").tolist() == rows
    assert pairs("BERT", "BEERE") == 7
