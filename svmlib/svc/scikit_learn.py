"""For those who come from scikit-learn: which parameters are here, under which name, and what does the same.

The table below is read by the page of the book, by the constructors where they meet a name that they do not have, and
by a test, which compares it with the installed scikit-learn.
"""
from collections.abc import Iterable
from functools import cache
from inspect import Parameter as Argument
from inspect import signature
from typing import Any, NamedTuple

#: How to get probabilities, in two lines.
CALIBRATE = ("from sklearn.calibration import CalibratedClassifierCV",
             "CalibratedClassifierCV({machine}, cv=5, ensemble=False).fit(X, y).predict_proba(X_new)")
PAGE = 'the page "svmlib beside scikit-learn" of the book'


class Row(NamedTuple):
    """A name of scikit-learn's, what it is here ("" where it is not), of which machines, and a word on it."""

    name: str
    here: str
    of: tuple[str, ...]
    note: str


ALL = ("SVC", "SVR", "OneClassSVM")
PARAMETERS = (
    Row("kernel", "kernel", ALL, 'the same names, a kernel of `svmlib.kernels`, or a function; None is "rbf"'),
    Row("C", "C", ("SVC", "SVR"), "the same; `np.inf` asks for the hard margin in SVC, and is refused in SVR"),
    Row("epsilon", "epsilon", ("SVR",), "the same"),
    Row("nu", "nu", ("OneClassSVM",), "the same"),
    Row("gamma", "gamma", ALL, '"scale", "auto" or a number, as there; "scale" counts a point of weight 2 twice. A '
                               "kernel object has its own, `Gaussian(gamma=…)` or `Gaussian(sigma=…)`"),
    Row("degree", "degree", ALL, "the same, at least 1; or `Polynomial(Q=…)`"),
    Row("coef0", "coef0", ALL, "the same; or `Polynomial(b=…)`, `Sigmoid(delta=-coef0)`"),
    Row("tol", "tol", ALL, "the same: the largest violation of a KKT condition, in units of f"),
    Row("class_weight", "class_weight", ("SVC",), 'the same; "balanced" counts a point of weight 2 twice, where '
                                                  "scikit-learn counts each point once"),
    Row("max_iter", "max_iter", ALL, "the same; None, the default, is the solver's own limit, which is finite"),
    Row("verbose", "verbose", ALL, "a progress bar"),
    Row("decision_function_shape", "pairwise_decision", ("SVC",),
        'two methods in place of a parameter: `decision_function(X)` is "ovr", one column for each class, '
        '`pairwise_decision(X)` is "ovo", one for each pair'),
    Row("cache_size", "cache_mb", ("SVC",), "megabytes for kernel rows; None is 1000"),
    Row("cache_size", "", ("SVR", "OneClassSVM"), "rows are kept up to 1000 megabytes"),
    Row("shrinking", "", ALL, "a switch of one algorithm, which does not move the optimum; here the solver decides "
                              "itself which points it may leave aside"),
    Row("break_ties", "", ("SVC",), "`predict` takes the lowest of tied classes, as with False; what True takes "
                                    "is the largest column of `decision_function(X)`"),
    Row("probability", "", ("SVC",), "scikit-learn has deprecated it; `CalibratedClassifierCV` around the machine "
                                     "does it, see below"),
    Row("random_state", "", ("SVC",), "it served `probability` only: no fit draws a number"),
)
#: NuSVC and NuSVR, as a whole.
NU = (Row("NuSVC", "", (), "the machines are those of SVC, named by a share nu of the points in place of a price C: "
                           "for each nu there is a C whose machine draws the same boundary"),
      Row("NuSVR", "", (), "the machines are those of SVR: the same C, and as epsilon the width that NuSVR finds"))
#: Attributes and methods that scikit-learn's machines have, and these have not, or under another name.
ATTRIBUTES = (
    Row("predict_proba, predict_log_proba, probA_, probB_", "", ("SVC",), "see `probability`"),
    Row("fit_status_", "solutions_", ALL, "0 there is `solutions_[i].converged` here, with a bound of the error, "
                                          "`solutions_[i].gap`"),
    Row("shape_fit_", "", ALL, "`n_features_in_` is here, too"),
    Row("n_iter_", "n_iter_", ("SVR", "OneClassSVM"), "an array of one number, as in SVC"),
    Row("class_weight_", "", ("SVC",), "`solutions_[i].C` has the upper bound of each point"),
    Row("dual_coef_, coef_", "dual_coef_, coef_", ALL, "the same, but arrays also after a fit of sparse points"),
)


def calibration(machine: str) -> str:
    """Two lines that give probabilities, for a machine that is written so.

    >>> print(calibration('SVC(kernel="rbf")'))
    from sklearn.calibration import CalibratedClassifierCV
    CalibratedClassifierCV(SVC(kernel="rbf"), cv=5, ensemble=False).fit(X, y).predict_proba(X_new)
    """
    return "\n".join(CALIBRATE).format(machine=machine)


@cache                          # to look at a signature takes as long as the steps of a small fit
def parameters_of(machine: type) -> tuple[str, ...] | None:
    """Names that the constructor takes; None where it takes any."""
    arguments = list(signature(machine.__init__).parameters.values())[1:]  # type: ignore[misc]
    return None if any(a.kind is Argument.VAR_KEYWORD for a in arguments) else tuple(a.name for a in arguments)


def refuse_unknown(machine: type, names: Iterable[str], error: type[Exception] = TypeError) -> None:
    """Raise an error that says what to do where a name is not a parameter of the machine.

    >>> from svmlib import SVC
    >>> refuse_unknown(SVC, ["shrinking"])
    Traceback (most recent call last):
    TypeError: SVC has no parameter shrinking: a switch of one algorithm, which does not move the optimum; ...
    """
    known = parameters_of(machine)
    for name in names:
        if known is None or name in known:
            continue
        rows = [row for row in PARAMETERS if row.name == name]
        own = [row for row in rows if machine.__name__ in row.of]
        if name == "probability" and "SVC" in (parent.__name__ for parent in machine.__mro__):
            why = f"scikit-learn has deprecated it. These two lines give probabilities:\n{calibration('SVC()')}\n"
        elif own:
            why = (f"here it is {own[0].here}. " if own[0].here else "") + own[0].note + ". "
        elif rows:
            why = f"it is one of {', '.join(rows[0].of)}. "
        else:
            why = f"it has {', '.join(known)}. "
        raise error(f"{machine.__name__} has no parameter {name}: {why}For all of scikit-learn's parameters see {PAGE} "
                    "or svmlib.svc.scikit_learn.PARAMETERS")


def no_probabilities(machine: Any) -> AttributeError:
    """The error of a classifier that is asked for probabilities."""
    return AttributeError(f"{type(machine).__name__} has decision values, not probabilities. These two lines give "
                          f"probabilities:\n{calibration(repr(machine))}")
