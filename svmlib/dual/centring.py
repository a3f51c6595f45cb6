"""The Gram matrix with the mean of the points as origin, which the dual cannot tell from the one it had."""
import numpy as np

from svmlib.compilation import FAST, njit

SINGULAR = 4e-14           # a pivot below this multiple of the diagonal is rounding: the block would be singular


@njit(fastmath=FAST)
def centre(K):
    """Move the origin of feature space to the mean of the points: K changes in place, the dual does not.

    Steps with sum 0 do not see the difference, and the digits of K then measure distances between points, not how far
    away all of them are.  Returns the mean diagonal c; the relative pivot below which a block counts as singular, more
    where K had lost digits before; and the mean (n,) of the rows of K.
    """
    n = len(K)
    mean, total, before, after, c = np.zeros(n), 0.0, 0.0, 0.0, 0.0
    for i in range(n):
        for j in range(n):
            mean[i] += K[i, j]
            before = max(before, abs(K[i, j]))
        mean[i] /= n
        total += mean[i] / n
    for i in range(n):
        for j in range(n):
            K[i, j] += total - mean[i] - mean[j]
            after = max(after, abs(K[i, j]))
        c += K[i, i] / n
    if c <= 1e-14 * before:                              # all points are one point, and the rest is rounding error
        return 1.0, SINGULAR, mean
    return c, SINGULAR * max(1.0, before / after), mean
