"""`audit`: how good is a machine that somebody else has trained?  Proof instead of trust."""
import warnings
from os import PathLike
from typing import Any

from svmlib.auditing.estimators import of_estimator, of_numbers
from svmlib.auditing.fitted import Fitted, Machine, machines
from svmlib.auditing.libsvm_files import of_file
from svmlib.auditing.proof import Proof, prove
from svmlib.auditing.report import Audit, ProblemAudit
from svmlib.dual import Solution
from svmlib.solvers import solve
from svmlib.validation import check_number

SHARP = 1e-12              # tolerance of the solution that decision values are compared with, or what rounding allows


def audit(model: Any, X: Any, y: Any = None, *, sample_weight: Any = None, sharp: bool = False, C: float | None = None,
          nu: float | None = None, epsilon: float | None = None, class_weight: dict | None = None,
          tol: float | None = None) -> Audit:
    """How good is a machine that somebody has trained, by its own numbers: proof instead of trust.

    The dual problem that the machine claims to have solved is set up, its alpha and b are put in, and the certificate
    that judges svmlib's own solvers judges them: duality gap, KKT violations, the tol that they amount to, and

        |f(x) - f*(x)| <= sqrt(gap) sqrt(k(x, x)) + (how far b can be from an optimal one)

    for the nearest optimum f*, at every x; see `svmlib.auditing.proof` for the reasons.  All bounds hold in spite of
    rounding.  They need a kernel that is PSD on the points.

    Parameters
    ----------
    model : estimator, str or Path, or tuple
        A fitted SVC, NuSVC, SVR, NuSVR or OneClassSVM of scikit-learn, scikit-learn-intelex or svmlib; the path of a
        model that LIBSVM has written; or (alpha, b, kernel, C) of two classes, with y = +1 for the larger label.
    X, y : (n, d), (n,)
        The points and labels, or targets, that it was trained with; X is the Gram matrix where that was given.
    sample_weight : (n,) or None
        As given to fit.
    sharp : bool
        Solve each problem again, very exactly, and compare the decision values with that solution: the bounds are then
        close to the truth.  It takes as long as a fit.
    C, nu, epsilon, class_weight : float or dict
        Of a LIBSVM model file alone, which does not hold them.  Without C it is the largest coefficient.
    tol : float
        What a file, or numbers, were asked for.

    A nu-SVC is judged as the C-SVC, and a nu-SVR as the SVR, that it is: with the C, or the epsilon, in effect.

    Raises ValueError, which names the argument, where the model is not fitted, or X or y is not what it was trained
    with.

    >>> from sklearn.svm import SVC
    >>> X, y = [[0.0], [2.0], [3.0]], ["a", "b", "b"]
    >>> found = audit(SVC(kernel="linear", C=10.0).fit(X, y), X, y)
    >>> found.gap < 1e-9, found.keeps_promise, found.problems[0].b_free
    (True, True, None)
    >>> found = audit(([0.5, 0.4, 0.0], -1.0, "linear", 10.0), X, y)                 # an alpha that is wrong
    >>> found.feasible, found.words()[0]
    (False, 'NOT A SOLUTION: the coefficients miss their sum by 0.1. Is C, or nu, ...')
    """
    given = {name: value for name, value in
             {"C": C, "nu": nu, "epsilon": epsilon, "class_weight": class_weight, "tol": tol}.items()
             if value is not None}
    if tol is not None:
        check_number(tol, "tol", 0.0, strict=True)
    if isinstance(model, (str, PathLike)):
        fitted = of_file(model, X, y, sample_weight, C=C, nu=nu, epsilon=epsilon, class_weight=class_weight)
    elif isinstance(model, tuple) and given.keys() <= {"tol"}:
        fitted = of_numbers(model, X, y, sample_weight)
    elif given:
        raise ValueError(f"{next(iter(given))} is for a LIBSVM model file, which does not hold it; this model has its "
                         "own")
    else:
        fitted = of_estimator(model, X, y, sample_weight)
    fitted.tol = tol if fitted.tol is None else fitted.tol
    problems = [examined(fitted, machine, sharp) for machine in machines(fitted)]
    return Audit(fitted.title, problems, fitted.tol, sharp, fitted.notes)


def examined(fitted: Fitted, machine: Machine, sharp: bool) -> ProblemAudit:
    """The audit of one problem."""
    proof = prove(machine.problem, machine.alpha, machine.b, machine.groups)
    if sharp and not proof.negative:
        proof = prove(machine.problem, machine.alpha, machine.b, machine.groups, better=sharper(machine, proof))
    return ProblemAudit(machine, proof, fitted.tol, fitted.single, sharp)


def sharper(machine: Machine, proof: Proof) -> Solution:
    """A very exact solution of the problem; however exact it is in the end, its own gap says how far it is off."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return solve(machine.problem, "auto", tol=SHARP)
