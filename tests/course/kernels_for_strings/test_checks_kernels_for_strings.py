"""Chapter 07: answers as students write them, right in several ways and wrong in the known ones."""
from itertools import pairwise

import numpy as np
from course.checking.both_ways import Answers
from scipy.sparse import csr_matrix

from svmcourse.kernels_for_strings import checks as check

ANSWERS = Answers(check)
right, wrong = ANSWERS.right, ANSWERS.wrong


# ---- the cosine
right("cosine_of")(lambda a, b, c: a / np.sqrt(b * c))
right("cosine_of")(lambda a, b, c: a * b**-0.5 * c**-0.5)
wrong("cosine_of", "one-root")(lambda a, b, c: a / b / np.sqrt(c))


# ---- subsequences
def words(s):
    found = [""]
    for letter in s:
        found += [word + letter for word in found]
    return found


@right("subsequence_table")
def by_last_letters(x, z):
    K = np.ones((len(x) + 1, len(z) + 1))
    for i, a in enumerate(x):
        for j in range(len(z)):
            K[i + 1, j + 1] = K[i, j + 1] + sum(K[i, k] for k in range(j + 1) if z[k] == a)
    return K


@right("subsequence_table")
def by_listing_them(x, z):
    return [[sum(a == b for a in words(x[:i]) for b in words(z[:j])) for j in range(len(z) + 1)]
            for i in range(len(x) + 1)]


@wrong("subsequence_table", "equal-only")
def only_diagonal(x, z):
    K = np.ones((len(x) + 1, len(z) + 1))
    for i, a in enumerate(x):
        for j, b in enumerate(z):
            K[i + 1, j + 1] = K[i, j] * (2 if a == b else 1)
    return K


wrong("subsequence_table", "shape")(lambda x, z: by_last_letters(x, z).T)
wrong("subsequence_table", "shape")(lambda x, z: by_last_letters(x, z)[1:, 1:])


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


wrong("substring_kernel", "distinct")(lambda x, z: 1 + len(set(parts(x)) & set(parts(z))))
wrong("substring_kernel", "type")(lambda x, z: sorted(set(parts(x)) & set(parts(z))))


# ---- sparse rows
@right("csr_product")
def rows(data, indices, indptr, w):
    return [data[a:b] @ w[indices[a:b]] for a, b in pairwise(indptr)]


right("csr_product")(
    lambda data, indices, indptr, w: csr_matrix((data, indices, indptr), shape=(len(indptr) - 1, len(w))) @ w)
right("csr_product")(lambda data, indices, indptr, w: np.diff(np.r_[0, np.cumsum(data * w[indices])][indptr]))


wrong("csr_product", "reduceat")(lambda data, indices, indptr, w: np.add.reduceat(data * w[indices], indptr[:-1]))
wrong("csr_product", "dense")(
    lambda data, indices, indptr, w: csr_matrix((data, indices, indptr), shape=(len(indptr) - 1, len(w))).toarray() @ w)


@wrong("csr_product", "dense")
def whole_matrix(data, indices, indptr, w):
    M = np.zeros((len(indptr) - 1, len(w)))
    for i, (a, b) in enumerate(pairwise(indptr)):
        M[i, indices[a:b]] = data[a:b]
    return M @ w


wrong("csr_product", "shape")(lambda data, indices, indptr, w: data * w[indices])

test_right, test_wrong, test_blank, test_enough = ANSWERS.tests()


def test_the_table_to_reach():
    rows = [[1, 1, 1, 1, 1, 1], [1, 2, 2, 2, 2, 2], [1, 2, 4, 6, 6, 8], [1, 2, 4, 6, 12, 14], [1, 2, 4, 6, 12, 14]]
    assert by_last_letters("BERT", "BEERE").tolist() == rows
    assert pairs("BERT", "BEERE") == 7
