"""exp in compiled code: of a Gram row that SMO asks for, and of a Gram block that matrix multiplication has begun."""
from math import factorial

import numpy as np

from svmlib.compilation import EXACT, njit

LOG2_E = 1.4426950408889634
LN2_HIGH, LN2_LOW = 0.693359375, -2.1219444005469057e-4           # ln 2 in two parts; m LN2_HIGH has no rounding
SERIES = tuple(1.0 / factorial(k) for k in range(13, -1, -1))     # of exp, highest power first

# Of a floating type: bits of the mantissa, bias of the exponent, the least x whose exp is normal, the terms it holds.
DOUBLE, SINGLE = (52, 1023, -708.0, SERIES), (23, 127, -87.0, SERIES[-8:])


@njit(inline="always", fastmath=EXACT)
def exp_in_place(v, real, whole, kind):
    """Exponential of each entry, in place: v := exp(v) for v <= 0 (n,), by a series that SIMD computes.

    real: the type of v; whole: the integers that hold its exponents; kind: DOUBLE or SINGLE.

    exp(v) = 2^m exp(r) with m = round(v / ln 2), so that |r| <= ln 2 / 2, where the series ends; 2^m is made of its
    exponent bits.  Within 2 units in the last place, by operations that SIMD has, faster than numpy's.
    """
    mantissa, bias, least, series = kind
    for l in range(len(v)):
        x = max(v[l], real(least))
        m = np.floor(x * real(LOG2_E) + real(0.5))
        r = (x - m * real(LN2_HIGH)) - m * real(LN2_LOW)
        p = real(0.0)
        for coefficient in series:                                     # Horner: one fused operation a term
            p = p * r + real(coefficient)
        power = whole((whole(np.int32(m)) + whole(bias)) << whole(mantissa)).view(real)
        v[l] = p * power if v[l] >= real(least) else real(0.0)


@njit(fastmath=EXACT)
def gaussian_of_products(P, x2, z2, rate, factor):
    """Gaussian kernel values from inner products, in one pass: P (n, m) := factor exp(-rate/2 |x - z|^2).

    P holds x'z before; x2 (n,) and z2 (m,) are the squared lengths.

    -rate/2 |x - z|^2 = rate (x'z - |x|^2 / 2 - |z|^2 / 2), row by row in one pass through memory.
    """
    real = P.dtype.type
    for i in range(len(P)):
        row, half = P[i], real(0.5) * x2[i]
        for l in range(len(row)):
            row[l] = min(real(rate) * (row[l] - (half + real(0.5) * z2[l])), real(0.0))
        if P.itemsize == 8:
            exp_in_place(row, np.float64, np.int64, DOUBLE)
        else:
            exp_in_place(row, np.float32, np.int32, SINGLE)
        if factor != 1.0:
            row *= real(factor)
