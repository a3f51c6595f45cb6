"""An audit in sentences, for a person: of an Audit, and of the ProblemAudit that it holds."""
from typing import Any

import numpy as np


def words(audit: Any) -> list[str]:
    """What was found, sentence by sentence; of many problems, of the worst one of each kind."""
    return [*verdict(audit), *quality(audit), *distance(audit), *audit.notes]


def _of(audit: Any, problem: Any) -> str:
    """Which problem is meant, where there are several."""
    return f" ({problem.name})" if len(audit.problems) > 1 else ""


def verdict(audit: Any) -> list[str]:
    """Whether the machine keeps what it promises."""
    for problem in audit.problems:
        where = _of(audit, problem)
        if not problem.feasible:
            far = (f"an alpha is {problem.outside:.2g} outside of its box [0, C]" if problem.outside > problem.sum_error
                   else f"the coefficients miss their sum by {problem.sum_error:.2g}")
            return [f"NOT A SOLUTION{where}: {far}. Is C, or nu, the one of the fit, and is no coefficient changed?"]
    worst = max(audit.problems, key=lambda problem: problem.tolerance)
    stop = f"It is as exact as tol = {worst.tolerance:.2g}{_of(audit, worst)}"
    if audit.keeps_promise is None:
        return [stop + "; what it was asked for, is not known."]
    if audit.keeps_promise:
        over = worst.tolerance > 1.001 * (audit.tol or 0.0)
        return [stop + (f", a little more than the tol = {audit.tol:g} that was asked for: kernel values in float32 "
                        "allow no better." if over and worst.single else
                        f"; tol = {audit.tol:g} was asked for.")]
    problem = next(problem for problem in audit.problems if problem.keeps_promise is False)
    if problem.tolerance <= 1.001 * problem.tol + problem.rounding:
        return [f"NOT WHAT IT PROMISES{_of(audit, problem)}: no b needs a violation of more than tol = "
                f"{problem.tol:g}, but this b = {problem.b:.6g} makes one of {problem.violation:.2g}."]
    return [f"NOT WHAT IT PROMISES{_of(audit, problem)}: it is as exact as tol = {problem.tolerance:.2g}, but tol = "
            f"{audit.tol:g} was asked for. Did it reach max_iter, are these its points, C and weights?"]


def quality(audit: Any) -> list[str]:
    """Gap and violation."""
    gap = max(audit.problems, key=lambda problem: problem.gap)
    worst = audit.worst
    share = f", {abs(gap.gap / gap.objective):.1g} of the dual value" if gap.objective and np.isfinite(gap.gap) else ""
    hidden = gap.gap_bound - gap.gap
    out = [f"Duality gap{_of(audit, gap)}: {gap.gap:.3g}{share}"
           + (f"; rounding may hide {hidden:.1g} more." if np.isfinite(hidden) else "."),
           f"Worst KKT violation{_of(audit, worst)}: {worst.violation:.3g}, in units of f, at point "
           f"{worst.worst_point}, counted from 0."]
    if indefinite := [problem for problem in audit.problems if not problem.convex]:
        out.append(f"The kernel is not positive semidefinite on these points{_of(audit, indefinite[0])} (eigenvalue "
                   f"{indefinite[0].proof.negative:.2g}): there may be better answers, whatever gap and violation are.")
    return out


def distance(audit: Any) -> list[str]:
    """How far decision values can be from the optimum's."""
    problem = max(audit.problems, key=lambda problem: float(problem.decision_bound.max()))
    far = float(problem.decision_bound.max())
    if not np.isfinite(far):
        return ["How far the decision values are from the optimum's, nothing here says."]
    how = "compared with a sharper solution" if audit.sharp else "by the gap alone"
    out = [f"Every decision value at these points is within {far:.2g} of the optimum's, {how}{_of(audit, problem)}."]
    classifiers = [each for each in audit.problems if each.machine.problem.total == 0.0 and each.name != "regression"]
    if classifiers:
        count = sum(each.undecided for each in classifiers)
        out.append(f"{count} of {sum(len(each.rows) for each in classifiers)} could lie on the other side there.")
    if free := [each for each in audit.problems if each.b_free is not None]:
        low, high = free[0].b_free or (0.0, 0.0)
        out.append(f"b is not unique{_of(audit, free[0])}: every one from {low:.4g} to {high:.4g} is optimal, and the "
                   "nearest is meant.")
    return out
