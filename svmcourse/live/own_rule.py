"""The reader's own rule for the pair of a step, in the figure of chapter 10, beside random pairs and second order."""
import ctypes
import operator
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import islice
from typing import Any, NamedTuple

import numpy as np
from matplotlib.figure import Figure

from svmcourse.live.making import figure
from svmcourse.live.settings import points_state, settings_of
from svmcourse.shared import plotting
from svmlib.dual import DualProblem
from svmlib.kernels import Kernel, Linear

TOL = 1e-6             # KKT violation at which a run has arrived, as in walk.js
STEPS = 1000           # that a rule may take
IDLE = 10              # steps of one pair that moves nothing, after which a rule does not get away from it
SECONDS = 3.0          # that all its steps may take

#: As select_pair of chapter 10: K, F, up, low -> i, j, and whatever comes after.
Select = Callable[[np.ndarray, np.ndarray, np.ndarray, np.ndarray], Any]


class Race(NamedTuple):
    """The pairs that a rule has chosen, the duality gap before the first and after each, and how it ended."""

    pairs: list[tuple[int, int]]
    gaps: list[float]
    words: str
    wrong: bool

    def ended(self, words: str, wrong: bool = False) -> "Race":
        """The same with its last words; wrong: that it was the rule's fault."""
        return self._replace(words=words, wrong=wrong)

    def upto(self, step: int) -> "Race":
        """What it was after so many steps."""
        return self._replace(pairs=self.pairs[:step], gaps=self.gaps[:step + 1])


class TooLong(BaseException):
    """The time of a rule is up; not an Exception, which a rule may catch."""


def pairs(X: Any = None, y: Any = None, *, select: Select, C: float = 1.0, kernel: Kernel | None = None,
          steps: int = STEPS, name: str = "", caption: str = "") -> Any:
    """A rule for the pair of a step, written in Python, in the figure of chapter 10.

    select: the rule, `select(K, F, up, low)` -> i, j, with the arguments of `select_pair` in chapter 10; what it
    returns after j is left alone.  X (n, 2), y (n,): points and labels in {-1, +1}, those of the chapter where None.
    C, kernel: of the machine, Linear() where None.  steps: how many the rule may take.  name, caption: as for `figure`.

    The rule runs once, here, and the figure replays its pairs.  Where it fails, the figure says in words at which step
    and why, and keeps the steps before.  Raises ValueError, naming the argument, where another argument does not fit.
    """
    from svmlib.solvers.smo import select_pair  # brings numba, which other figures need not wait for

    if not callable(select):
        raise ValueError(f"select must be a function select(K, F, up, low), got {select!r}")
    if (X is None) != (y is None):
        raise ValueError(f"{'X' if X is None else 'y'} must be given where {'y' if X is None else 'X'} is")
    if not isinstance(steps, int) or steps < 1:
        raise ValueError(f"steps must be a positive integer, got {steps!r}")
    if np.ndim(C) or not np.isfinite(C):
        raise ValueError(f"C must be one finite number, got C={C!r}")
    cloud, labels, drawn = two_clouds()
    X, y = (cloud, labels) if X is None else (X, y)
    kernel = Linear() if kernel is None else kernel
    problem = DualProblem(kernel, X, y, C)
    if problem.n != len(labels):
        drawn = random_pairs(problem.n)
    mine = run(problem, select, steps)
    races = {"random": run(problem, in_turn(drawn), STEPS, "random"),
             "second order": run(problem, select_pair, STEPS), "my rule": mine}
    state = points_state(problem.X, problem.y, kernel=settings_of(kernel), C=float(C), pairs=drawn,
                         rule="my rule", step=len(mine.pairs),
                         mine={"pairs": mine.pairs, "words": mine.words, "wrong": mine.wrong})
    return figure("pairs", state, lambda: draw(races), name=name, caption=caption or (
        "Your rule, step by step, beside random pairs and second order: the same points, the same $C$."),
        alt=f"The duality gap over the steps of three rules for the pair. {mine.words}")


def two_clouds() -> tuple[np.ndarray, np.ndarray, list[list[int]]]:
    """Points, labels and random pairs of the figure that chapter 10 begins with."""
    rng, y = np.random.default_rng(6), np.repeat([-1.0, 1.0], 12)
    X = (rng.normal(size=(24, 2)) + 0.9 * y[:, None]).round(2)
    return X, y, [rng.choice(24, 2, replace=False).tolist() for _ in range(STEPS)]


def random_pairs(n: int) -> list[list[int]]:
    """As many pairs of n points."""
    rng = np.random.default_rng(6)
    return [rng.choice(n, 2, replace=False).tolist() for _ in range(STEPS)]


def in_turn(drawn: list[list[int]]) -> Select:
    """The rule that takes these pairs in their order."""
    left = iter(drawn)
    return lambda K, F, up, low: next(left)


# ---- the run ---------------------------------------------------------------------------------------------------------
def run(problem: DualProblem, select: Select, steps: int = STEPS, name: str = "") -> Race:
    """Let a rule choose the pairs of plain SMO from alpha = 0 on, until it has arrived, fails, or `steps` are taken.

    >>> from svmlib.solvers.smo import select_pair
    >>> line = DualProblem(Linear(), [[0.0], [2.0], [3.0]], [-1, 1, 1], C=10.0)
    >>> run(line, select_pair).words
    'select_pair: 1 step, and no two points quarrel any more.'
    >>> run(line, lambda K, F, up, low: (1, 1), name="mine").words
    'Step 1: mine chose point 1 twice. A pair is two different points.'
    """
    name = name or getattr(select, "__name__", "the rule").replace("<lambda>", "the rule")
    race = Race([], [problem.gap(np.zeros(problem.n))], "", False)
    try:
        with deadline(SECONDS):
            return steps_of(problem, select, steps, name, race)
    except TooLong:
        return race.upto(min(len(race.pairs), len(race.gaps) - 1)).ended(
            f"Step {len(race.gaps)}: {name} was still running after {SECONDS:g} seconds, and was stopped.", wrong=True)


def steps_of(problem: DualProblem, select: Select, steps: int, name: str, race: Race) -> Race:
    """The loop of run; what it has reached stands in `race`."""
    from svmlib.solvers.smo_lab_sheet import one_step

    K, y, C = problem.K.copy(), problem.y, problem.C
    K.flags.writeable = False                                   # a rule is to look, and to leave all as it is
    alpha, f, b, idle = np.zeros(problem.n), np.zeros(problem.n), 0.0, 0
    for k in range(1, steps + 2):
        up, low = np.where(y > 0, alpha < C, alpha > 0), np.where(y > 0, alpha > 0, alpha < C)
        F = f - b - y
        if F[low].max(initial=-np.inf) - F[up].min(initial=np.inf) <= TOL:
            return race.ended(f"{name}: {k - 1} step{'s' * (k != 2)}, and no two points quarrel any more.")
        if k > steps:
            break
        try:
            i, j = pair_of(select(K, F.copy(), up, low), problem.n, name)
        except Refused as error:
            return race.ended(f"Step {k}: {error}", wrong=True)
        except Exception as error:
            return race.ended(f"Step {k}: {name} stopped with {type(error).__name__}: {error!s:.160}", wrong=True)
        before, (alpha, f, b) = alpha, one_step(i, j, alpha, y, K, f, C, b)
        idle = idle + 1 if np.array_equal(before, alpha) and (not idle or race.pairs[-1] == (i, j)) else 0
        race.pairs.append((i, j))
        race.gaps.append(problem.gap(alpha))
        if idle == IDLE:
            return race.upto(k - IDLE).ended(
                f"Step {k - IDLE + 1}: {name} chooses i = {i} and j = {j}, again and again, and the two cannot move. A "
                "pair gains where one point of up has a smaller F than the other, in low.", wrong=True)
    return race.ended(f"{name} has not arrived after {steps} steps: a gap of {race.gaps[-1]:.1g}.", wrong=True)


def pair_of(answer: Any, n: int, name: str) -> tuple[int, int]:
    """The two different indices that a rule has returned; raises TypeError or ValueError that says what is wrong."""
    try:
        i, j = (operator.index(each) for each in islice(answer, 2))
    except (TypeError, ValueError):
        raise Refused(f"{name} returned {answer!r:.60}, which does not begin with two integers, i and j.") from None
    if not (0 <= i < n and 0 <= j < n):
        raise Refused(f"{name} chose i = {i} and j = {j}; there are points 0 to {n - 1}.")
    if i == j:
        raise Refused(f"{name} chose point {i} twice. A pair is two different points.")
    return i, j


class Refused(ValueError):
    """What a rule has returned is no pair; the message is what the reader is told."""


@contextmanager
def deadline(seconds: float) -> Iterator[None]:
    """What stands below gets TooLong when the time is up, wherever it is."""
    here = ctypes.c_ulong(threading.get_ident())
    timer = threading.Timer(seconds, ctypes.pythonapi.PyThreadState_SetAsyncExc, (here, ctypes.py_object(TooLong)))
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()
        ctypes.pythonapi.PyThreadState_SetAsyncExc(here, None)


# ---- the picture -----------------------------------------------------------------------------------------------------
def draw(races: dict[str, Race]) -> Figure:
    """The gap over the steps, one line for each rule; the longest line ends where the second longest has."""
    fig, ax = plotting.axes(width=6.2, height=3.4)
    ends = sorted(len(race.gaps) for race in races.values())
    for k, (name, race) in enumerate(races.items()):
        ax.plot(np.maximum(race.gaps, 1e-9), color=plotting.COLORS[k], label=name, lw=2.4 if name == "my rule" else 1.6)
    ax.set(yscale="log", xlabel="steps", ylabel="duality gap", xlim=(0, max(2, ends[-2] - 1)))
    plotting.legend(ax, 3)
    return fig
