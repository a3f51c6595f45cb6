"""Callback, history, bar and Ctrl-C mean the same in every solver."""
import numpy as np
import pytest
from problems import random_problem

from svmlib import solve
from svmlib.kernels import Linear
from svmlib.solvers import SOLVERS
from svmlib.solvers.interior_point import solve_qp
from svmlib.solvers.monitor import Monitor
from svmlib.solvers.primal import subgradient_descent

#: What a state holds beside n_iter: how good it is, and, in these solvers, what is the method's own.
KEYS = {name: {"objective", "violation"} for name in SOLVERS} | {
        "qp": {"objective", "gap", "bound", "residual"}, "qp_low_rank": {"objective", "gap", "bound", "residual"},
        "active_set": {"objective", "gap", "zero", "bounded", "free"}, "smo": {"objective", "violation", "pair"},
        "smo_random": {"objective", "violation", "pair"}, "smo_kkt": {"objective", "violation", "pair"},
        "working_set": {"objective", "violation", "working_set"}, "subgradient_descent": {"objective", "dual", "gap"}}
PRIMAL = {"subgradient_descent": subgradient_descent}
pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


def problem():
    """Too many points for one round of the working set; contradictory labels, so that no method is done at once."""
    return random_problem(0, 500, recipe="plain", d=3, overlap=1.0, kernel=Linear(), C=1.0)


def run(name, **options):
    """One of all solvers."""
    options["tol"] = 1e-6
    return PRIMAL[name](problem(), **options) if name in PRIMAL else solve(problem(), name, **options)


def test_every_solver_is_here():
    assert KEYS.keys() == SOLVERS.keys() | PRIMAL.keys()


@pytest.mark.parametrize("name", KEYS)
def test_history_has_its_keys_and_alpha_only_where_it_is_asked_for(name):
    short = {"max_iter": 300} if name in (*PRIMAL, "smo_random", "smo_kkt", "working_set") else {}
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
    if name not in PRIMAL:
        p = problem()
        assert np.all((s.alpha >= 0) & (s.alpha <= p.C))
        assert abs(p.y @ s.alpha) < 1e-9 * max(1.0, s.alpha.sum())
        assert s.gap >= 0


def test_the_general_qp_speaks_the_same_way():
    program = (np.eye(2), [-1.0, -1], [[1.0, 1]], [1.0])
    assert solve_qp(*program, callback=lambda state: 1).status == "optimal"
    assert solve_qp(*program, callback=lambda state: state["n_iter"] == 2).n_iter == 2
    keys = {"n_iter", "x", "y", "z", "objective", "dual", "gap", "residual"}
    assert all(entry.keys() == keys for entry in solve_qp(*program, history=True).history)

    def ctrl_c(state):
        raise KeyboardInterrupt

    assert solve_qp(*program, callback=ctrl_c).status == "interrupted"


def test_monitor_swallows_a_keyboard_interrupt_and_nothing_else():
    with Monitor("test") as monitor:
        raise KeyboardInterrupt
    assert monitor.status == "interrupted"
    with pytest.raises(ZeroDivisionError), Monitor("test"):
        raise ZeroDivisionError
