"""Callback, history, bar and Ctrl-C mean the same in every solver."""
import numpy as np
import pytest
from problems import random_problem

from svmlib import SVC, SVR, DualProblem, OneClassSVM, solve
from svmlib.data import xs_linear
from svmlib.kernels import Gaussian, Linear
from svmlib.solvers import SOLVERS
from svmlib.solvers.active_set_general import minimize_qp
from svmlib.solvers.interior_point import solve_qp
from svmlib.solvers.monitor import Monitor
from svmlib.solvers.primal import subgradient_descent
from svmlib.solvers.smo import plain_smo

#: What a state holds beside n_iter: how good it is, and, in these solvers, what is the method's own.
KEYS = {name: {"objective", "violation"} for name in SOLVERS} | {
        "qp": {"objective", "gap", "bound", "residual"}, "qp_low_rank": {"objective", "gap", "bound", "residual"},
        "active_set": {"objective", "gap", "zero", "bounded", "free"}, "smo": {"objective", "violation", "pair"},
        "smo_random": {"objective", "violation", "pair"}, "smo_kkt": {"objective", "violation", "pair"},
        "working_set": {"objective", "violation", "working_set"}, "subgradient_descent": {"objective", "dual", "gap"},
        "plain_smo": {"objective", "violation", "pair"}}
OTHERS = {"subgradient_descent": subgradient_descent, "plain_smo": plain_smo}
pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


def problem():
    """Too many points for one round of the working set; contradictory labels, so that no method is done at once."""
    return random_problem(0, 500, recipe="plain", d=3, overlap=1.0, kernel=Linear(), C=1.0)


def run(name, **options):
    """One of all solvers."""
    options["tol"] = 1e-6
    return OTHERS[name](problem(), **options) if name in OTHERS else solve(problem(), name, **options)


def test_every_solver_is_here():
    assert KEYS.keys() == SOLVERS.keys() | OTHERS.keys()


@pytest.mark.parametrize("name", KEYS)
def test_history_has_its_keys_and_alpha_only_where_it_is_asked_for(name):
    short = {"max_iter": 300} if name in (*OTHERS, "smo_random", "smo_kkt", "working_set") else {}
    assert run(name, **short).history == []
    plain, full = run(name, history=True, **short).history, run(name, history="alpha", **short).history
    assert plain
    assert len(plain) == len(full)
    for entry, other in zip(plain, full, strict=True):
        assert entry.keys() == KEYS[name] | {"n_iter"}
        assert other.keys() == KEYS[name] | {"n_iter", "alpha"}
    assert [entry["n_iter"] for entry in plain] == sorted({entry["n_iter"] for entry in plain})
    assert not all(np.array_equal(entry["alpha"], full[-1]["alpha"]) for entry in full[:-1]) or len(full) == 1
    with pytest.raises(ValueError, match='history must be True, False or "alpha", got \'all\''):
        run(name, history="all", **short)


@pytest.mark.parametrize("name", KEYS)
def test_callback_stops_by_returning_true_and_nothing_else(name):
    seen = []

    def tell(answer):
        def callback(state):
            seen.append(state)
            return answer
        return callback

    stopped = run(name, callback=tell(True), max_iter=40)
    assert stopped.status == "interrupted"
    assert len(seen) == 1
    assert seen[0].keys() == KEYS[name] | {"n_iter", "alpha"}
    for answer in (None, False, 1, "yes", np.ones(2), {"stop": True}):
        seen.clear()
        assert run(name, callback=tell(answer), max_iter=40, history=True).status != "interrupted"
        assert len(seen) > 1 or name == "working_set"               # 40 steps are one round of it
    assert run(name, callback=tell(np.True_), max_iter=40).status == "interrupted"


@pytest.mark.parametrize("name", KEYS)
def test_ctrl_c_leaves_what_has_been_reached(name, capsys):
    states = []

    def ctrl_c(state):
        states.append(state)
        if len(states) == (2 if name == "working_set" else 3):                    # it needs two or three rounds
            raise KeyboardInterrupt

    s = run(name, callback=ctrl_c, verbose=True, history=True)
    assert s.status == "interrupted"
    assert s.n_iter >= states[-1]["n_iter"] > 0
    assert name in capsys.readouterr().err                  # the bar
    if name != "subgradient_descent":
        p = problem()
        assert np.all((s.alpha >= 0) & (s.alpha <= p.C))
        assert abs(p.y @ s.alpha) < 1e-9 * max(1.0, s.alpha.sum())
        assert s.gap >= 0


class Interrupted(Gaussian):
    """Ctrl-C arrives while the Gram matrix is formed for the first time."""

    calls = 0

    def block(self, X, Z):
        Interrupted.calls += 1
        if Interrupted.calls == 1:
            raise KeyboardInterrupt
        return super().block(X, Z)


@pytest.mark.parametrize("name", SOLVERS)
def test_ctrl_c_before_there_is_a_matrix(name):
    Interrupted.calls = 0
    p = problem()
    s = solve(DualProblem(Interrupted(sigma=1.0), p.X[:100], p.y[:100]), name)
    assert (s.status, s.n_iter) == ("interrupted", 0)
    assert np.all(s.alpha == 0.0)


@pytest.mark.parametrize("name", [name for name in SOLVERS if name != "qp_low_rank"])
def test_ctrl_c_during_the_certificate_keeps_alpha(name, monkeypatch):
    p = problem()
    p = DualProblem(Gaussian(sigma=1.0), p.X[:200], p.y[:200])
    judged, calls = DualProblem._judged, []

    def interrupted(self, *arguments):
        calls.append(name)
        if len(calls) == 1:
            raise KeyboardInterrupt
        return judged(self, *arguments)

    monkeypatch.setattr(DualProblem, "_judged", interrupted)
    s = solve(p, name, max_iter=30 if name in ("smo_random", "smo_kkt") else None)
    assert (s.status, len(calls)) == ("interrupted", 2)
    assert s.n_iter > 0
    assert s.alpha.max() > 0.0


@pytest.mark.parametrize("error", [ValueError, ZeroDivisionError, RuntimeError])
@pytest.mark.parametrize("name", KEYS)
def test_an_error_of_the_callback_is_the_users(name, error):
    def callback(state):
        raise error("mine")

    with pytest.raises(error, match="mine"):
        run(name, callback=callback)


def test_the_general_qp_speaks_the_same_way():
    program = (np.eye(2), [-1.0, -1], [[1.0, 1]], [1.0])
    assert solve_qp(*program, callback=lambda state: 1).status == "optimal"
    assert solve_qp(*program, callback=lambda state: state["n_iter"] == 2).n_iter == 2
    keys = {"n_iter", "x", "y", "z", "objective", "dual", "gap", "residual"}
    assert all(entry.keys() == keys for entry in solve_qp(*program, history=True).history)

    def ctrl_c(state):
        raise KeyboardInterrupt

    def wrong(state):
        raise ZeroDivisionError

    assert solve_qp(*program, callback=ctrl_c).status == "interrupted"
    with pytest.raises(ZeroDivisionError):
        solve_qp(*program, callback=wrong)
    for limits, says in (({"tol": 0.0}, "tol must be"), ({"max_iter": 0}, "max_iter must be")):
        with pytest.raises(ValueError, match=says):
            solve_qp(*program, **limits)


def test_the_active_set_for_any_qp_speaks_the_same_way(capsys):
    program = (2 * np.eye(2), [2.0, 5.0], None, None, np.array([[1.0, -1, -1, 1, 0], [-2, -2, 2, 0, 1]]),
               [-2.0, -6, -2, 0, 0], [2.0, 0.0])                    # Nocedal and Wright, example 16.4
    full = minimize_qp(*program, callback=lambda state: 1, verbose=True)
    assert full.status == "optimal"
    assert "minimize_qp" in capsys.readouterr().err
    assert [state["n_iter"] for state in full.history] == list(range(full.n_iter + 1))
    assert full.history[0].keys() == {"n_iter", "objective", "x", "working_set"}
    assert np.all(np.diff([state["objective"] for state in full.history]) <= 1e-12)
    stopped = minimize_qp(*program, callback=lambda state: state["n_iter"] == 2)
    assert (stopped.status, stopped.n_iter) == ("interrupted", 2)
    np.testing.assert_array_equal(stopped.x, full.path[2][0])

    def ctrl_c(state):
        raise KeyboardInterrupt

    assert minimize_qp(*program, callback=ctrl_c).status == "interrupted"


def test_monitor_swallows_a_keyboard_interrupt_and_nothing_else():
    with Monitor("test") as monitor:
        raise KeyboardInterrupt
    assert monitor.status == "interrupted"
    with pytest.raises(ZeroDivisionError), Monitor("test"):
        raise ZeroDivisionError


@pytest.mark.parametrize("name", SOLVERS)
def test_minus_one_sets_no_limit(name):
    free, usual = (solve(DualProblem(Linear(), *xs_linear(), 1.0), name, tol=1e-6, max_iter=k) for k in (-1, None))
    assert free.status == usual.status == "optimal"
    assert free.n_iter == usual.n_iter
    np.testing.assert_array_equal(free.alpha, usual.alpha)


@pytest.mark.parametrize("work", [
    lambda k: solve_qp(np.eye(2), [-1.0, -1], [[1.0, 1]], [1.0], max_iter=k),
    lambda k: minimize_qp(np.eye(2), [-1.0, -1], None, None, None, None, [0.0, 0], max_iter=k),
    lambda k: subgradient_descent(DualProblem(Linear(), *xs_linear(), 1.0), tol=0.2, max_iter=k),
    lambda k: SVR(Linear(), max_iter=k).fit(*xs_linear()).solution_,
    lambda k: OneClassSVM(max_iter=k).fit(xs_linear()[0]).solution_,
    lambda k: SVC("linear", max_iter=k).fit(*xs_linear()).solutions_[0],
], ids=["solve_qp", "minimize_qp", "subgradient_descent", "SVR", "OneClassSVM", "SVC"])
def test_minus_one_sets_no_limit_behind_any_door(work):
    free, usual = work(-1), work(None)
    assert (free.status, free.n_iter) == (usual.status, usual.n_iter) == ("optimal", usual.n_iter)
