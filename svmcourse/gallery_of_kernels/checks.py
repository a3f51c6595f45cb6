"""Checks of chapter 06: Gaussian and polynomial kernels, the prefactor, the points above and below a W."""
from typing import Any

import numpy as np

from svmcourse.checking.core import Wrong, as_array, blank, filled, refuse
from svmcourse.checking.mistakes import Cases, compared, generator, generators, judged

CHAPTER = "06_gallery_of_kernels"


def pairs_of_sets(count: int = 3) -> list[tuple[np.ndarray, np.ndarray]]:
    """Points X (5, 3) and Z (4, 3)."""
    drawn = (rng.normal(size=(9, 3)) for rng in generators(count))
    return [(P[:5], P[5:]) for P in drawn]


# ---- the polynomial kernel -------------------------------------------------------------------------------------------
@compared(CHAPTER, "The polynomial kernel", ("K",), "a row for each x, a column for each z.")
def polynomial_kernel() -> Cases:
    """`polynomial(X, Z, Q, a, b)` returns the values for all pairs, (n, m)."""
    numbers = ((2, 1.5, 0.5), (3, 0.5, 2.0), (4, 2.0, 1.0))
    return [(*points, *three) for points, three in zip(pairs_of_sets(), numbers, strict=True)]


# ---- the Gaussian ----------------------------------------------------------------------------------------------------
@compared(CHAPTER, "The Gaussian kernel", ("K",), "1 at distance 0, and falling.")
def gaussian_kernel() -> Cases:
    """`gaussian(X, Z, sigma)` returns the values for all pairs, (n, m)."""
    return [(X, Z, sigma) for (X, Z), sigma in zip(pairs_of_sets(), (0.7, 1.7, 2.6), strict=True)]


# ---- the prefactor ---------------------------------------------------------------------------------------------------
@compared(CHAPTER, "Tasks 3 and 4 (programming sheet): the prefactor", ("C", "alpha"),
          "C = 10 is worth 31.9 for sigma = 0.125, and 2.0 for sigma = 2.")
def prefactor() -> Cases:
    """`without_prefactor(C, alpha, sigma)` returns C and alpha of the same machine for the kernel without it."""
    return [(C, generator(k).choice([0.0, 0.4, 1.0], 6) * C, sigma)
            for k, (C, sigma) in enumerate(((10.0, 0.125), (10.0, 2.0), (3.0, 0.5)))]


# ---- which degree, and who encloses whom -----------------------------------------------------------------------------
#: Training errors on `km40m2` of (x'z + 1)^Q, Q = 1, …, 6, at C = 1000; a test computes them anew.
ERRORS = (13, 8, 4, 0, 0, 0)
#: The same at C = 1.
ERRORS_C_1 = (14, 7, 5, 0, 0, 0)
#: The same without the + 1.
ERRORS_HOMOGENEOUS = (13, 17, 10, 15, 8, 15)


@judged(CHAPTER, "Report, section 6.6: which degree")
def report_6_6(errors: Any) -> str:
    """Numbers of training errors on the points above and below a W for Q = 1, …, 6."""
    if errors is None or errors is Ellipsis or (isinstance(errors, (list, dict)) and not errors):
        raise blank("errors", variable=True) if errors is None or errors is Ellipsis else Wrong(
            "blank", "errors is empty: it is not written yet.", "errors.append(...) in the loop, once for each Q.")
    got = as_array(list(errors.values()) if isinstance(errors, dict) else errors, "errors", (6,))
    right = np.array(ERRORS, float)

    def near(target: Any, slack: float = 1.0) -> bool:
        return bool(np.all(np.abs(got - np.asarray(target)) <= slack))

    if near(ERRORS_C_1, 0.5):
        raise Wrong("C-is-one")
    if near(right) and not got[3:].any():
        return "of these degrees 4, 5 and 6 separate the training points."
    refuse({"homogeneous": near(ERRORS_HOMOGENEOUS), "reversed": near(right[::-1]),
            "accuracy": near(1 - right / 40, 0.026), "share": near(right / 40, 0.026),
            "right-points": near(40 - right),
            "off-by-one": np.abs(got[1:] - right[:5]).max() <= 1 or np.abs(got[:5] - right[1:]).max() <= 1})
    wrong = int(np.argmax(np.abs(got - right)))
    raise Wrong("unknown", f"The number for Q = {wrong + 1} is {got[wrong]:g}; a machine with C = 1000 and a = b = 1 "
                "makes another number of errors.", "Polynomial(Q=Q, a=1, b=1), trained on X, y of km40m2().")


@judged(CHAPTER, "Report, section 6.7: who encloses whom")
def report_6_7(enclosed: Any, values_of_b: Any) -> str:
    """The enclosed class for gamma = 1 and 1.5, and b of both machines."""
    filled(**{f"{name}[{k}]": v for name, values in (("enclosed", enclosed), ("values_of_b", values_of_b))
              if isinstance(values, (list, tuple)) for k, v in enumerate(values)})
    got, b = as_array(enclosed, "enclosed", (2,)), as_array(values_of_b, "values_of_b", (2,))
    refuse({"b-itself": np.allclose(got, b),
            "always-plus": got[0] == got[1],
            "b": not np.allclose(b, [-0.089, 0.033], atol=0.012),
            "outside": got.tolist() == [-1, 1]})
    if got.tolist() != [1, -1]:
        raise Wrong("labels", "The classes are +1 and -1.")
    return "f goes to b far away, so the class of the other sign is bounded."
