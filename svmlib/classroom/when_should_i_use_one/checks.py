"""Checks of chapter 16: the pseudo-inverse, alpha-LMS, what an answer costs; the others from `fair` and `starts`."""
from typing import Any

import numpy as np

from svmlib.classroom.checking.core import Answer, Wrong, as_array, refuse
from svmlib.classroom.checking.mistakes import Cases, Solved, compared, judged
from svmlib.classroom.when_should_i_use_one.checks_fair import fold_errors, rare_scores
from svmlib.classroom.when_should_i_use_one.checks_starts import (
    CHAPTER,
    choose_start,
    clouds,
    several_starts,
    standardise,
)

__all__ = ["alpha_lms", "choose_start", "cost", "fold_errors", "pseudo_inverse", "rare_scores", "report_6_2",
           "several_starts", "standardise"]


# ---- the pseudo-inverse ----------------------------------------------------------------------------------------------
@compared(CHAPTER, "The pseudo-inverse (report, section 6.2)", ("w", "b"), "one formula, no start.")
def pseudo_inverse() -> Cases:
    """`pseudo_inverse(X, y)` returns w and b."""
    return clouds() + clouds(1, d=3)


# ---- alpha-LMS -------------------------------------------------------------------------------------------------------
LMS = Solved(CHAPTER, "alpha_lms")


@judged(CHAPTER, "One pass of α-LMS (report, section 6.2)")
def alpha_lms(one_pass: Answer) -> str:
    """`lms_pass(v, X, y, alpha, order)` returns v after one pass."""
    cases = []
    for seed, (X, y) in enumerate(clouds()):
        rng = np.random.default_rng(50 + seed)
        cases.append((rng.normal(size=3), X, y, (0.1, 0.4, 0.8)[seed], rng.permutation(9)))
    try:
        LMS.compare(one_pass, cases, ("v",))
    except Wrong as wrong:
        if wrong.key == "in-place":
            raise Wrong(wrong.key, "The new v is right, but lms_pass changes the v that it was given.",
                        "Begin with a copy: v = v.copy(). v += … changes the array itself.") from None
        raise
    return "each point takes a share of its error away."


# ---- the half margins ------------------------------------------------------------------------------------------------
#: Half margins of hard margin, pseudo-inverse: clouds (seed 4), exponentials (seed 5); a test computes them anew.
MARGINS = {"clouds": (0.4153, 0.3372), "exponentials": (0.1596, -1.0575)}
#: What mistakes make of them: min y f, not divided by |w|; the smallest |f| / |w|; 1 / |w|; and C = 1.
OTHERS = {"not-divided": [(1.0, 0.1844), (1.0, -0.3887)], "unsigned": [(0.4153, 0.3372), (0.1596, 0.0311)],
          "one-over-w": [(0.4153, 1.8289), (0.1596, 2.7203)], "soft": [(0.1679, 0.3372), (-0.0612, -1.0575)]}

@judged(CHAPTER, "Whose band is wider (report, section 6.2)")
def report_6_2(margins: Any) -> str:
    """A dictionary: data set -> half margins of the hard margin and of the pseudo-inverse."""
    if not isinstance(margins, dict) or not set(MARGINS) <= set(margins):
        raise Wrong("parts", f"half_margins should be a dictionary with the keys {', '.join(MARGINS)}.")
    if any(margins[name] is None or (np.ndim(margins[name]) and None in list(margins[name])) for name in MARGINS):
        raise Wrong("blank", "half_margins is not written yet: it still holds None.",
                    "Two numbers for each data set.")
    got = np.array([as_array(margins[name], f"half_margins[{name!r}]", (2,)) for name in MARGINS])
    right = np.array(list(MARGINS.values()))

    def near(target: Any) -> bool:
        return bool(np.allclose(got, target, rtol=0.01, atol=1e-3))

    if near(right):
        return "two lines, and one of them does not separate the exponentials."
    wrong_ones = {"whole-band": 2 * right, "exchanged": right[:, ::-1], **OTHERS}
    refuse({key: near(target) for key, target in wrong_ones.items()})
    k, j = np.argwhere(~np.isclose(got, right, rtol=0.01, atol=1e-3))[0]
    raise Wrong("unknown", f"The number of the {('hard margin', 'pseudo-inverse')[j]} on {list(MARGINS)[k]}, "
                f"{got[k, j]:.4g}, is not the smallest signed distance of a training point.",
                "np.min(y * (X @ w + b)) / np.linalg.norm(w)")


# ---- cost ------------------------------------------------------------------------------------------------------------
@compared(CHAPTER, "What an answer costs", ("the line", "the line by support vectors", "the Gaussian", "the network"),
          "no clock was needed.")
def cost() -> Cases:
    """`multiplications(d, n, n_sv, hidden)` returns four numbers."""
    return [(784, 2000, 1000, 10), (2, 40, 9, 10), (30, 500, 77, 6)]
