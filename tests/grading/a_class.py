"""A class made for the test: right, wrong, blank, crashing, endless, greedy, tampered, and names from anywhere.

Each student is (file, expected points of those that checks give, words that the result must hold, notebook).  Those
that attack the grading are in `attackers.py`.  A change is tried on the small class, FEW: one of each kind of fate.
"""
from __future__ import annotations

import copy
import functools
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import exercises
import nbformat
from test_cells import is_test

SOFT, SMO, STRINGS = "04_soft_margin", "10_smo", "07_kernels_for_strings"
CHOICE, MANY, DIGITS = "13_choosing_hyperparameters", "14_more_than_two_classes", "15_mnist"
SCALE, OTHERS = "17_svms_at_scale", "18_regression_novelty_probability"
#: Of each kind of fate one: blank, right in another form and in another coding, wrong in two exercises, greedy, stopped
#: in each way, attacks on cells of ours and on the checks, attacks on files and processes; and what is not even read.
FEW = ("blank", "李雷", "a_b", "no max", "stale", "greedy", "stopped", "tampered", "many at once",
       "folder", '=HYPERLINK("x")', "a:b", "socket", "link", "sparse")
SHOWS = "print('<script>alert(1)</script>')\nimport matplotlib.pyplot as plt\nplt.plot([1, 2])"
#: What runs in a notebook: a module that a cell writes, work spread over processes.
MODULE = "%%writefile aid_of_mine.py\ndef doubled(x):\n    return 2 * x"
IMPORTED = "import aid_of_mine\nprint('a module of', aid_of_mine.doubled(21))"
SPREAD = ("from joblib import Parallel, delayed\n"
          "for how in ('loky', 'multiprocessing', 'threading'):\n"
          "    print('jobs', sum(Parallel(n_jobs=2, backend=how)(delayed(abs)(-k) for k in range(4))))")
ENDLESS, EXITS = "while True:\n    pass", "import os\ndef slack(w, b, X, y):\n    os._exit(0)"
STUBBORN = ("def bias(alpha, y, K, C):\n    while True:\n        try:\n            import time; time.sleep(9)\n"
            "        except BaseException:\n            pass")
BUSY = ("def bias(alpha, y, K, C):\n    while True:\n        try:\n            while True:\n                pass\n"
        "        except BaseException:\n            pass")
HOARDS = "def slack(w, b, X, y):\n    hoard = []\n    while True:\n        hoard.append(np.zeros(10**7))"
FILLS = "for k in range(10**6):\n    open(f'{k}', 'wb').write(bytes(10**6))"
LARGE = "with open('large', 'wb') as f:\n    while True:\n        f.write(bytes(10**7))"
PIPES = ("import os\nfor d in range(3, 40):\n    try:\n        os.write(d, b'{\"value\": {\"v\": 1}}\\n{\"points\": 100}\\n')\n"
         "    except OSError:\n        pass")
TRACES = "import ctypes\nctypes.CDLL(None).ptrace(0, 0, 0, 0)\nprint('WROTE')"
PATCH = ("import svmcourse.checking.core as core\n"
         "core.Task.judge = lambda self, *a: core.Result('', '', True, 'solved', '')\ncore.Task.__call__ = core.Task.judge")


class Student(NamedTuple):
    """A submission, and what grading must make of it."""

    file: str
    exercise: str
    points: float
    words: tuple[str, ...]
    content: str | bytes | Callable[[Path], None]       # what the file holds, or what makes it


def source(exercise: str) -> Any:
    """The solved notebook."""
    return copy.deepcopy(_read(exercise))


@functools.cache
def _read(exercise: str) -> Any:
    """The solved notebook, which takes long to read."""
    return nbformat.read(exercises.SOURCES / f"{exercise}.ipynb", as_version=4)


def points(exercise: str, *names: str) -> float:
    """Points of these checks, or of all checks of an exercise."""
    cells = [c for c in source(exercise).cells if exercises.kind(c) == "check"]
    by_name = {c.metadata.nbgrader.grade_id.removeprefix("check_"): c.metadata.nbgrader.points for c in cells}
    return float(sum(by_name[name] for name in names or by_name))


def solved(exercise: str) -> Any:
    """A student's notebook with the solutions filled in."""
    full = source(exercise)
    notebook = exercises.student(full)
    for ours, theirs in zip([c for c in full.cells if not is_test(c)], notebook.cells, strict=True):
        if exercises.kind(ours) == "solution":
            theirs.source = exercises.solved(ours.source)
        elif exercises.kind(ours) == "open":
            theirs.source = "I measured it."
    return notebook


def cell(notebook: Any, name: str) -> Any:
    """The cell of a name."""
    return next(c for c in notebook.cells if c.metadata.get("nbgrader", {}).get("grade_id") == name)


def with_code(exercise: str = SOFT, **code: str) -> Any:
    """A solved notebook in which some answers are others."""
    notebook = solved(exercise)
    for name, text in code.items():
        cell(notebook, name).source = text
    return notebook


def with_first(*texts: str, notebook: Any = None) -> Any:
    """A right notebook, or the given one, with cells of the student's own after the imports."""
    notebook = notebook or light()
    where = notebook.cells.index(cell(notebook, "imports")) + 1
    notebook.cells[where:where] = [nbformat.v4.new_code_cell(text) for text in texts]
    return notebook


def light(**code: str) -> Any:
    """A right notebook whose cells take no solver, which would take most of the time."""
    from svmcourse.soft_margin.checks import HALF_MARGINS

    values = [HALF_MARGINS[name] for name in (("clean", float("inf")), ("outlier", float("inf")), ("outlier", 10.0))]
    return with_code(SOFT, **{"aufgabe_4": f"half_margins = {values}", **code})


@functools.cache
def students() -> list[Student]:
    """The class."""
    from attackers import attackers

    return [*ordinary(), *attackers()]


def few() -> list[Student]:
    """The small class."""
    return [student for student in students() if student.file.partition("/")[0] in FEW]


def ordinary() -> list[Student]:
    """Those who mean well, and those who try what stood in the notebook."""
    from attackers import forges

    made: list[Student] = []

    def add(name: str, notebook: Any, reached: float | None = None, *words: str, exercise: str = SOFT) -> None:
        text = notebook if isinstance(notebook, str) else nbformat.writes(notebook)
        reached = points(exercise) if reached is None else reached
        made.append(Student(f"{name}/{exercise}.ipynb", exercise, reached, words, text))

    def lose(*names: str, exercise: str = SOFT) -> float:
        return points(exercise) - points(exercise, *names)

    # right
    add("Zoë Müller-Łukasz", solved(SMO), exercise=SMO)
    add("李雷", with_code(slack="def slack(w, b, X, y):\n    # 松弛变量 ξ\n    ξ = 1 - y * (X @ w + b)\n    return ξ.clip(min=0)"))
    add("O'Brien, Séamus", with_code(slack=(
        "def slack(w, b, X, y):\n    out = []\n    for x, s in zip(X, y):\n        out.append(max(0, 1 - s * (w @ x + b)))\n"
        "    return out")))
    add("unordered", with_first(SHOWS))
    program = ("import cvxopt\nfrom scipy import sparse\ndef to_qp(K, y, C):\n    n = len(y)\n    one = {one}\n"
               "    return {{'P': cvxopt.matrix(np.outer(y, y) * K), 'q': cvxopt.matrix(-1.0, (n, 1)),\n"
               "            'G': {stacked}, 'h': np.r_[0 * y, C + 0 * y],\n"
               "            'A': cvxopt.matrix(y, (1, n), 'd'), 'b': cvxopt.matrix(0.0)}}.values()")
    add("forms", with_code(
        slack="def slack(w, b, X, y):\n    return (max(0, 1 - s * (w @ x + b)) for x, s in zip(X, y))",
        qp=program.format(one="cvxopt.spmatrix(1.0, range(n), range(n))", stacked="cvxopt.sparse([-one, one])")))
    add("of scipy", light(qp=program.format(one="sparse.identity(n)", stacked="sparse.vstack([-one, one])")), lose("qp"),
        "cvxopt takes no sparse matrices of scipy")
    # blank
    add("blank", exercises.student(source(SOFT)), 0.0, "not written yet", "Nothing was written")
    add("blank too", exercises.student(source(SMO)), 0.0, "not written yet", exercise=SMO)
    # wrong
    add("no max", light(slack="def slack(w, b, X, y):\n    return 1 - y * (X @ w + b)"), lose("slack"), "negative slack")
    add("product", light(qp=(
        "def to_qp(K, y, C):\n    n = len(y)\n    G = np.vstack([-np.eye(n), np.eye(n)])\n"
        "    return np.outer(y, y) @ K, -np.ones(n), G, np.r_[np.zeros(n), C * np.ones(n)], y[None], np.zeros(1)")),
        lose("qp"), "matrix product")
    add("any vector", light(bias="def bias(alpha, y, K, C):\n    return (y - K @ (alpha * y))[np.argmax(alpha > 1e-6 * C)]"),
        lose("bias"), "first support vector")
    add("whole band", with_code(aufgabe_4="half_margins = [0.2143, 0.0433, 0.2845]"), lose("aufgabe_4"), "Divide by 2")
    add("uphill", light(subgradient=(
        "def subgradient(w, b, X, y, C):\n    pull = np.where(y * (X @ w + b) < 1, C * y, 0)\n"
        "    return w + pull @ X, pull.sum()")), lose("subgradient"), "wrong sign")
    add("stale", with_code(SMO, task_2_1=cell(solved(SMO), "task_2_1").source.replace("return new, f + shift,", "return new, f,")),
        10.0, "f is not shifted when b is", exercise=SMO)
    # other chapters
    add("Ngũgĩ", solved(SCALE), exercise=SCALE)
    add("Åsa", solved(OTHERS), exercise=OTHERS)
    add("all at once", with_code(
        SCALE, exponent="def power_law(n, cost):\n    return tuple(np.polyfit(n, np.log(cost), 1))",
        movable="def movable(alpha, y, C):\n    return alpha < C, alpha > 0",
        through_w="def through_w(X, y, alpha):\n    return X.T @ (y * alpha), (X @ X.T) @ (y * alpha) - y"),
        lose("exponent", "movable", "worst_pair", "through_w", exercise=SCALE),
        "the logarithm of the cost alone", "which alpha may grow", "it builds K", exercise=SCALE)
    add("subsidised", with_code(
        OTHERS, tube_problem="def tube_problem(y, epsilon, C):\n    n = len(y)\n"
        "    return np.r_[y, y] - epsilon, C * np.repeat([0, -1], n), C * np.repeat([1, 0], n)",
        held_out="def held_out(machine, X, y, folds):\n    return machine.fit(X, y).decision_function(X)"),
        lose("tube_problem", "held_out", exercise=OTHERS), "but a subsidy", "it has made an effort", exercise=OTHERS)
    add("too near", with_code(CHOICE, honest_test=(
        "def tune_and_test(X, y, X_test, y_test, Cs, sigmas, k, rng):\n    best = max((SVC(Gaussian(sigma=s), C=C).fit(X, y)"
        ".score(X_test, y_test), C, s) for C in Cs for s in sigmas)\n    return best[1], best[2], best[0]")),
        lose("honest_test", exercise=CHOICE), "the test points take part in the choice", exercise=CHOICE)
    add("loud", with_code(MANY, votes=(
        "def votes(f, k):\n    result = np.zeros((len(f), k))\n    for (p, q), v in zip(pairs(range(k)), f.T):\n"
        "        result[:, p] += v * (v > 0)\n        result[:, q] -= v * (v <= 0)\n    return result")),
        lose("votes", exercise=MANY), "weighted with |f|", exercise=MANY)
    add("turned", with_code(DIGITS, confusion_matrix=(
        "def confusion(true, predicted):\n    M = np.zeros((10, 10))\n    np.add.at(M, (predicted, true), 1)\n    return M")),
        lose("confusion_matrix", "task_2_8_b", exercise=DIGITS), "Rows and columns are exchanged", exercise=DIGITS)
    add("rootless", with_code(STRINGS, cosine="def cosine(k_st, k_ss, k_tt):\n    return k_st / (k_ss * k_tt)"),
        lose("cosine", exercise=STRINGS), exercise=STRINGS)
    # broken
    add("syntax", light(slack="def slack(w, b, X, y:\n    return 0"), lose("slack"), "slack is not there")
    add("division", light(slack="def slack(w, b, X, y):\n    return 1 / 0"), lose("slack"), "ZeroDivisionError", "return 1 / 0")
    add("exit", light(slack=EXITS), lose("slack"), "Python itself ended")
    add("segfault", with_first("import ctypes\nctypes.string_at(0)"), None, "stopped (crash)", "reaches into Python")
    add("endless function", light(slack="def slack(w, b, X, y):\n    while True:\n        pass"), lose("slack"),
        "still running after")
    add("endless cell", with_first(ENDLESS), None, "stopped (timeout)")
    add("stubborn", light(bias=STUBBORN), lose("bias"), "still running after")
    # Memory that nobody touches costs no time: what is tried is its limit, on a crowded machine, too.
    add("memory", light(slack=HOARDS), lose("slack"), "MemoryError")
    # Whoever has filled the disk has none left for what a solver may want to write: these notebooks have no solver.
    add("disk", with_first(FILLS), None, "something was refused", "No space left on device")
    add("large file", with_first(LARGE), None, "something was refused")
    add("greedy", with_first(LARGE, FILLS, notebook=light(slack=HOARDS)), lose("slack"), "MemoryError",
        "something was refused", "No space left on device")
    stopped = light(slack=EXITS, bias=BUSY)
    stopped.cells[:0] = [nbformat.v4.new_code_cell(text) for text in (PIPES, TRACES)]       # while there is no import yet
    add("stopped", stopped, lose("slack", "bias"), "stopped (forged)", "stopped (refused)", "stopped (crash)",
        "stopped (timeout)", "Python itself ended", "still running after")
    # tampered
    deleted = solved(SOFT)
    deleted.cells = [c for c in deleted.cells if exercises.kind(c) != "check" and c.id != "solve-slack"]
    add("deleted", deleted, lose("slack"), "was missing and has been put back")
    tampered = forges(light(slack="def slack(w, b, X, y):\n    return 0 * y", check_slack="check.slack = lambda f: True"))
    cell(tampered, "check_qp").metadata.nbgrader["points"] = 100
    again, gift = copy.deepcopy(cell(tampered, "check_slack")), copy.deepcopy(cell(tampered, "check_qp"))
    again["id"] = "again"
    gift.metadata.nbgrader["grade_id"], gift["id"], gift.source = "check_gift", "gift", "assert True"
    tampered.cells += [again, gift]
    add("tampered", tampered, lose("slack"), "the cell 'check_slack' was changed and has been put back",
        "the points of 'check_qp' were changed", "a second cell 'check_slack' was ignored",
        "graded cell of its own, 'check_gift', was ignored", "reads the checks")
    # forged
    patched = light(slack="def slack(w, b, X, y):\n    return 0 * y")
    patched.cells.insert(2, nbformat.v4.new_code_cell(PATCH))
    add("patched", patched, lose("slack"), "reads the checks")
    add("vandal", with_first(
        "import os, svmcourse\nfor where in (svmcourse.__path__[0] + '/checking/core.py', '../grades.csv',"
        " '/tmp/svmlib-vandal'):\n    try:\n        open(where, 'a').write('# forged')\n        print('WROTE', where)\n"
        "    except OSError as error:\n        print('refused', error)\n"
        "try:\n    os.kill(os.getppid(), 9)\nexcept OSError:\n    print('refused')"), None, "refused", "looks for the grading")
    add("pipes", with_first(PIPES), None, "stopped (forged)")
    add("network", with_first(
        "import urllib.request\ntry:\n    urllib.request.urlopen('http://127.0.0.1:9/', timeout=1)\n"
        "except Exception as error:\n    print(type(error).__name__, error)"), None, "urlopen error", "reaches for the network")
    add("forks", with_first("import os\nwhile True:\n    os.fork()"), None, "something was refused", "Operation not permitted")
    add("no notebook", "{not json", 0.0, "this is no notebook")
    return made


def write(directory: Path, made: list[Student]) -> list[Student]:
    """Write submissions below a directory."""
    for student in made:
        path = directory / student.file
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(student.content, bytes):
            path.write_bytes(student.content)
        elif isinstance(student.content, str):
            path.write_text(student.content, encoding="utf8")
    for student in made:                    # links need what they point to
        if callable(student.content):
            student.content(directory / student.file)
    return made
