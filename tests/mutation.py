"""How many small faults in svmlib's certificate, dual and plain solvers do its quickest tests notice?

    python tests/mutation.py --count 60 --seed 0

Each mutant is one changed place: < for <=, + for -, min for max, a clip left out, another number.  It stands in a copy
of the packages, never in the tree, and the narrow tests of its module run on it in a process of their own, uncompiled,
until one fails or the time is up.  (Libraries for this do not fit: mutmut wraps each function, which numba cannot
compile; cosmic-ray brings sixty packages, and others of those that the book pins.)
"""
from __future__ import annotations

import argparse
import ast
import copy
import importlib
import os
import random
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
SOLVERS, DUAL = "tests/svmlib/solvers", "tests/svmlib/dual"
#: The functions that are changed ("" for all of a module), and the tests that have to notice, beside its doctests.
TARGETS: dict[str, tuple[str, list[str]]] = {
    "svmlib/dual/certificate.py": ("", [
        f"{DUAL}/test_certificate.py", f"{DUAL}/test_box_problem.py", f"{DUAL}/test_gap_bound.py",
        "-k", "not many_classes and not the_truth and not warning"]),
    "svmlib/dual/problem.py": (
        "Q lo hi start feasible as_alpha solution _judged _gap_bound _rounding objective gradient decision",
        [f"{DUAL}/test_box_problem.py", f"{DUAL}/test_certificate.py", f"{DUAL}/test_gap_bound.py",
         f"{SOLVERS}/test_smo.py", "-k",
         "dual and not warning and not rises and not many_classes and not the_truth or infeasible_start "
         "or too_few or warm_start or said_at_once and 10 or some_points"]),
    "svmlib/solvers/smo.py": ("select_pair plain_smo", [f"{SOLVERS}/test_twins.py", "-k", "smo"]),
    "svmlib/solvers/smo_lab_sheet.py": (
        "segment best_value snap one_step kkt partner random_pairs kkt_sweeps",
        [f"{SOLVERS}/test_smo_lab_sheet.py", f"{SOLVERS}/test_twins.py", "-k",
         "step_ or unbounded or curvature or crumbs or kkt_ or same_optimum and (random or sweep) and 0"]),
    "svmlib/solvers/quadratic_program.py": (
        "dual_qp bias plain_qp", [f"{SOLVERS}/test_twins.py", "-k", "qp_is or cvxopt and 0"]),
    "svmlib/solvers/plain_active_set.py": (
        "", [f"{SOLVERS}/test_twins.py", "-k", "free_points or one_price or noticed"])}
LOADED = ("numba", "sklearn.svm", "scipy.optimize", "cvxopt", "hypothesis", "pytest")
PATIENCE = 5              # a mutant may take so many times as long as what it is made of
CALLS = {"min": "max", "minimum": "maximum", "argmin": "argmax", "zeros": "ones", "any": "all"}
CALLS |= {new: old for old, new in CALLS.items()}
OPERATORS: dict[type, type] = {ast.Lt: ast.LtE, ast.Gt: ast.GtE, ast.Eq: ast.NotEq, ast.Add: ast.Sub,
                               ast.Mult: ast.Div, ast.BitAnd: ast.BitOr, ast.And: ast.Or}
OPERATORS |= {new: old for old, new in OPERATORS.items()}


def variants(node: ast.AST) -> Iterator[ast.AST]:
    """What may stand in the place of a node."""
    if isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in OPERATORS:
        yield ast.Compare(node.left, [OPERATORS[type(node.ops[0])]()], node.comparators)
    elif isinstance(node, (ast.BinOp, ast.AugAssign, ast.BoolOp)) and type(node.op) in OPERATORS:
        changed = copy.copy(node)
        changed.op = OPERATORS[type(node.op)]()
        yield changed
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.USub, ast.Not, ast.Invert)):
        yield node.operand
    elif isinstance(node, ast.Constant) and type(node.value) in (int, float):
        v = node.value
        yield ast.Constant(v + 1 if isinstance(v, int) else 1.0 if v in (0.0, 0.5) else (2 if v > 1e-5 else 1000) * v)
    elif isinstance(node, ast.Call):
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        if name in ("min", "max", "minimum", "maximum", "clip") and len(node.args) > 1:
            yield node.args[0]                                                      # the clip is left out
        if name in CALLS:
            other = copy.deepcopy(node.func)
            setattr(other, "attr" if isinstance(other, ast.Attribute) else "id", CALLS[name])
            yield ast.Call(other, node.args, node.keywords)


class Change(ast.NodeTransformer):
    """Puts variant number `wanted` in its place, and counts all there are in the named functions."""

    def __init__(self, names: str, wanted: int = -1) -> None:
        self.names, self.wanted, self.count, self.inside, self.where = names.split(), wanted, 0, False, ""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        before, self.inside = self.inside, self.inside or not self.names or node.name in self.names
        node.body = [self.visit(part) for part in node.body]                        # neither defaults nor annotations
        self.inside = before
        return node

    def visit(self, node: ast.AST) -> Any:
        for new in variants(node) if self.inside else ():
            self.count += 1
            if self.count - 1 == self.wanted:
                self.where = f"{node.lineno}: {ast.unparse(node)}  =>  {ast.unparse(new)}"    # type: ignore[attr-defined]
                return ast.copy_location(new, node)
        return super().visit(node)


def mutant(file: str, number: int) -> tuple[str, str]:
    """The source with this change, and where it is; a number that is too large changes nothing."""
    change = Change(TARGETS[file][0], number)
    tree = change.visit(ast.parse((ROOT / file).read_text(encoding="utf8")))
    return ast.unparse(ast.fix_missing_locations(tree)), change.where


def fails(folder: Path, file: str, seconds: float) -> str:
    """Run the tests of a file in a copy: "" where all pass, else how they end."""
    child = os.fork()
    if child == 0:
        os.chdir(folder)
        sys.path.insert(0, str(folder))
        for stream in (1, 2):
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream)
        import pytest

        code = pytest.main([file, *TARGETS[file][1], "-x", "-q", "-p", "no:cacheprovider"])
        here = Path(sys.modules["svmlib"].__file__ or "") if "svmlib" in sys.modules else folder
        os._exit(int(code) if folder in here.parents or here == folder else 99)
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            code = os.waitstatus_to_exitcode(status)
            return {0: "", 1: "a test failed", 2: "it cannot be imported"}.get(code, f"it ended with {code}")
        time.sleep(0.05)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return "the time was up"


def main() -> int:
    """Print each mutant that survives, and the score."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--count", type=int, default=60, help="mutants, drawn from all there are; 0: all")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", default="", help="files whose names hold this text")
    wanted = parser.parse_args()
    os.environ.update(NUMBA_DISABLE_JIT="1", OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1", HYPOTHESIS="same")
    sys.dont_write_bytecode = True
    for name in LOADED:
        importlib.import_module(name)
    files = [file for file in TARGETS if wanted.only in file]
    every = []
    for file in files:
        count = Change(TARGETS[file][0])
        count.visit(ast.parse((ROOT / file).read_text(encoding="utf8")))
        every += [(file, number) for number in range(count.count)]
    chosen = sorted(random.Random(wanted.seed).sample(every, min(wanted.count or len(every), len(every))))
    with tempfile.TemporaryDirectory() as name:
        folder, limits, survivors = Path(name), {}, []
        for part in ("svmlib", "tests", "pyproject.toml", "book/_tools"):
            source = ROOT / part
            (shutil.copytree if source.is_dir() else shutil.copy)(source, folder / part)
        for file in files:
            begin = time.monotonic()
            if why := fails(folder, file, 600):
                print(f"{file}: without a change, too, {why}")
                return 1
            limits[file] = 10 + PATIENCE * (time.monotonic() - begin)
            print(f"{file}: its tests take {time.monotonic() - begin:.1f} s", flush=True)
        for file, number in chosen:
            text, where = mutant(file, number)
            original = (folder / file).read_text(encoding="utf8")
            (folder / file).write_text(text, encoding="utf8")
            if not fails(folder, file, limits[file]):
                survivors.append(f"{file}:{where}")
                print(f"SURVIVES {survivors[-1]}", flush=True)
            (folder / file).write_text(original, encoding="utf8")
    spent = os.times().children_user / 60
    print(f"{len(chosen) - len(survivors)} of {len(chosen)} mutants are noticed, of {len(every)} that there are; "
          f"{spent:.0f} minutes of a processor")
    return 0


if __name__ == "__main__":
    sys.exit(main())
