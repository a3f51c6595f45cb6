"""Every public name says what it is, and every function or class of the API shows itself in an example."""
import doctest
import importlib
import inspect
import pkgutil

import pytest

import svmlib

MODULES = [name for _, name, _ in pkgutil.walk_packages(svmlib.__path__, "svmlib.")
           if not any(part.startswith("_") for part in name.split("."))
           and not name.startswith("svmlib.data.")]
#: The contract: what users import by name.
API = ["svmlib.SVC", "svmlib.DualProblem", "svmlib.solve", "svmlib.audit", "svmlib.kernels.Linear",
       "svmlib.kernels.Polynomial", "svmlib.kernels.Gaussian", "svmlib.kernels.Sigmoid", "svmlib.kernels.Kernel",
       "svmlib.kernels.Subsequence",
       "svmlib.kernels.Substring", "svmlib.kernels.GapWeighted", "svmlib.data.mnist.load_mnist",
       "svmlib.solvers.active_set_general.minimize_qp", "svmlib.solvers.smo_lab_sheet.one_step",
       "svmlib.solvers.smo.smo",
       "svmlib.solvers.smo_lab_sheet.smo_random", "svmlib.solvers.smo_lab_sheet.smo_kkt",
       "svmlib.solvers.smo_lab_sheet.kkt",
       "svmlib.solvers.quadratic_program.qp", "svmlib.solvers.quadratic_program.qp_low_rank",
       "svmlib.solvers.interior_point.solve_qp", "svmlib.solvers.active_set.active_set",
       "svmlib.solvers.working_set.working_set"]


def find(name):
    """The object behind a dotted name."""
    module, attribute = name.rsplit(".", 1)
    return getattr(importlib.import_module(module), attribute)


def public(module):
    """Names that a module offers: its __all__, or what it defines."""
    names = getattr(module, "__all__", None)
    if names is None:
        names = [name for name, value in vars(module).items()
                 if not name.startswith("_") and getattr(value, "__module__", None) == module.__name__]
    return names


def is_ours(value):
    """Whether an object is a function or class of svmlib."""
    return callable(value) and str(getattr(value, "__module__", "")).startswith("svmlib")


@pytest.mark.parametrize("name", ["svmlib", *MODULES])
def test_every_public_name_has_a_docstring(name):
    module = importlib.import_module(name)
    assert module.__doc__
    lacking = []
    for attribute in public(module):
        value = getattr(module, attribute)
        if not is_ours(value):
            continue
        if not value.__doc__:
            lacking.append(attribute)
        if inspect.isclass(value):
            lacking += [f"{attribute}.{method}" for method, member in vars(value).items()
                        if not method.startswith("_") and (inspect.isfunction(member) or isinstance(member, property))
                        and not inspect.getdoc(getattr(value, method))]
    assert lacking == []


@pytest.mark.parametrize("name", API)
def test_the_api_shows_itself_in_an_example(name):
    examples = doctest.DocTestParser().get_examples(inspect.getdoc(find(name)))
    assert examples, f"{name} has no example"


@pytest.mark.parametrize("name", ["svmlib", *MODULES])
def test_modules_name_what_exists(name):
    module = importlib.import_module(name)
    assert [attribute for attribute in getattr(module, "__all__", []) if not hasattr(module, attribute)] == []
