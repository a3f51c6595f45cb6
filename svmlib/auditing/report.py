"""What an audit found: numbers with their bounds, a table, and words for a person."""
from dataclasses import dataclass, field
from html import escape
from typing import Any

import numpy as np

from svmlib.auditing.fitted import Machine
from svmlib.auditing.picture import staircase
from svmlib.auditing.proof import CRUMBS, Proof, reach_of
from svmlib.auditing.words import words

FLOAT32 = 2.0 ** -24       # relative rounding error of a number in float32, as LIBSVM keeps kernel rows
COLUMNS = {"problem": "", "points": "", "support vectors": "", "C": ".6g", "gap": ".2g", "of the dual value": ".1g",
           "violation": ".2g", "at point": "", "tolerance": ".2g", "decision values within": ".2g"}


@dataclass(frozen=True, eq=False, repr=False)
class ProblemAudit:
    """The audit of one problem: numbers that hold, whoever solved it; all arrays are of its own points.

    gap, gap_bound, objective : duality gap, a bound of it in spite of rounding, and the dual value
    violation, worst_point : the largest KKT violation, in units of f, and the row of X where it is
    tolerance : the tol at which LIBSVM could have stopped here
    feasible, outside, sum_error : whether alpha keeps to its box and its equation, and by how much it misses both
    decision_bound (n,) : how far each decision value can be from that of the nearest optimum
    b, b_range, b_free : the bias, where all optimal ones are, and an interval of optimal ones, or None where there may
        be one alone
    keeps_promise : whether the tolerance is what the machine was asked for, and alpha feasible
    alpha, C, margin, rows (n,) : the dual variables, their bounds, y f (for regression y (f - p) + 1, so that 1 is the
        edge everywhere), and the rows of X
    """

    machine: Machine
    proof: Proof
    tol: float | None
    single: bool
    sharp: bool

    @property
    def name(self) -> str:
        """Which problem it is: the two classes, say."""
        return self.machine.name

    @property
    def rows(self) -> np.ndarray:
        """Rows of X (n,); of a regression each occurs twice."""
        return self.machine.rows

    @property
    def alpha(self) -> np.ndarray:
        """Dual variables (n,), as the machine has them."""
        return self.machine.alpha

    @property
    def C(self) -> np.ndarray:
        """Upper bounds of alpha (n,)."""
        return self.machine.problem.C

    @property
    def b(self) -> float:
        """The bias, as the machine has it."""
        return self.machine.b

    @property
    def margin(self) -> np.ndarray:
        """1 + y (f - p) (n,), which for a classifier is y f: at least 1 where alpha = 0, at most 1 where alpha = C."""
        problem = self.machine.problem
        return 1.0 + problem.y * (self.proof.f - problem.p)

    @property
    def gap(self) -> float:
        """Duality gap."""
        return self.proof.gap

    @property
    def gap_bound(self) -> float:
        """The gap with what rounding may hide of it."""
        return self.proof.gap_bound

    @property
    def objective(self) -> float:
        """Dual value, of the nearest feasible alpha."""
        return self.proof.objective

    @property
    def violation(self) -> float:
        """The largest KKT violation, in units of f."""
        return float(self.proof.violation.max())

    @property
    def violation_bound(self) -> float:
        """The same with rounding."""
        return self.proof.violation_bound

    @property
    def worst_point(self) -> int:
        """The row of X where the largest violation is."""
        return int(self.rows[int(self.proof.violation.argmax())])

    @property
    def tolerance(self) -> float:
        """The tol at which LIBSVM could have stopped here."""
        return self.machine.unit * self.proof.tolerance

    @property
    def outside(self) -> float:
        """By how much some alpha leaves [0, C]."""
        return self.proof.outside

    @property
    def sum_error(self) -> float:
        """By how much the sum of y alpha, or of alpha where nu gives it, misses what it must be."""
        return max(abs(self.proof.sum_error), abs(self.machine.short))

    @property
    def feasible(self) -> bool:
        """Whether alpha keeps to its box and its equations, but for rounding."""
        return bool(max(self.outside, self.sum_error) <= 1e3 * CRUMBS * float(np.abs(self.alpha).sum()))

    @property
    def convex(self) -> bool:
        """Whether the kernel is PSD on the points: else the gap bounds nothing."""
        return not self.proof.negative

    @property
    def decision_bound(self) -> np.ndarray:
        """How far each decision value (n,) can be from that of the nearest optimum."""
        return self.proof.reach.at_points

    @property
    def b_range(self) -> tuple[float, float]:
        """An interval in which every optimal b lies."""
        return self.proof.reach.b_range

    @property
    def b_free(self) -> tuple[float, float] | None:
        """An interval of which every b is optimal, where b is certainly not unique."""
        return self.proof.reach.b_certain

    @property
    def undecided(self) -> int:
        """Points whose decision value is closer to 0 than the bound: they may change sides."""
        return len(set(self.rows[np.abs(self.proof.f) <= self.decision_bound].tolist()))

    @property
    def rounding(self) -> float:
        """By how much a tolerance may be missed for rounding alone, in float32 where kernel rows are kept in it."""
        size = np.sqrt(np.abs(self.machine.problem.diag))
        single = 2.0 * FLOAT32 * float(size.max()) * float(np.abs(self.alpha) @ size) if self.single else 0.0
        return self.machine.unit * (single + 2.0 * self.proof.rounding)

    @property
    def keeps_promise(self) -> bool | None:
        """Whether alpha is feasible, and tolerance and violation are no larger than tol; None where no tol is known."""
        if not self.feasible:
            return False
        if self.tol is None:
            return None
        allowed = 1.001 * self.tol + self.rounding
        return bool(self.tolerance <= allowed and self.machine.unit * self.violation <= allowed)

    def bound(self, X: Any) -> np.ndarray:
        """How far the decision value at each of new points X (m, d) can be from that of the nearest optimum."""
        return reach_of(self.machine.problem, self.proof, X)

    def draw(self, ax: Any = None) -> Any:
        """Draw all points at (alpha / C, y f - 1) with the KKT conditions, on matplotlib's axes; returns these."""
        return staircase(ax, self.alpha, self.C, self.margin, self.proof.violation, self.tol, self.name)

    def row(self) -> dict[str, Any]:
        """The numbers of a table's row."""
        low, high = float(self.C.min()), float(self.C.max())
        return {"problem": self.name, "points": len(set(self.rows.tolist())),
                "support vectors": len(set(self.rows[self.alpha > 0].tolist())),
                "C": low if low == high else f"{low:.4g}…{high:.4g}", "gap": self.gap,
                "of the dual value": abs(self.gap / self.objective) if self.objective else np.nan,
                "violation": self.violation, "at point": self.worst_point, "tolerance": self.tolerance,
                "decision values within": float(self.decision_bound.max())}

    def __repr__(self) -> str:
        return (f"ProblemAudit({self.name}: gap={self.gap:.2g}, violation={self.violation:.2g} at point "
                f"{self.worst_point}, tolerance={self.tolerance:.2g}, decision values within "
                f"{self.decision_bound.max():.2g})")


@dataclass(frozen=True, eq=False, repr=False)
class Audit:
    """What `audit` returns: one `ProblemAudit` for each binary problem, in words, as a table, and as numbers.

    The numbers are those of the worst problem.  `print(audit)` says all of it; `audit.table` is a list of rows.
    """

    title: str
    problems: list[ProblemAudit]
    tol: float | None
    sharp: bool
    notes: list[str] = field(default_factory=list)

    @property
    def table(self) -> list[dict[str, Any]]:
        """One row for each problem, as `pandas.DataFrame` takes them."""
        return [problem.row() for problem in self.problems]

    @property
    def gap(self) -> float:
        """The largest duality gap."""
        return max(problem.gap for problem in self.problems)

    @property
    def gap_bound(self) -> float:
        """The largest gap, with rounding."""
        return max(problem.gap_bound for problem in self.problems)

    @property
    def worst(self) -> ProblemAudit:
        """The problem with the largest KKT violation."""
        return max(self.problems, key=lambda problem: problem.violation)

    @property
    def violation(self) -> float:
        """The largest KKT violation, in units of f."""
        return self.worst.violation

    @property
    def worst_point(self) -> int:
        """The row of X where it is."""
        return self.worst.worst_point

    @property
    def tolerance(self) -> float:
        """The tol at which LIBSVM could have stopped here, in all problems."""
        return max(problem.tolerance for problem in self.problems)

    @property
    def decision_bound(self) -> float:
        """No decision value at the points is farther from that of the nearest optimum."""
        return max(float(problem.decision_bound.max()) for problem in self.problems)

    @property
    def feasible(self) -> bool:
        """Whether every alpha keeps to its box and its equation."""
        return all(problem.feasible for problem in self.problems)

    @property
    def keeps_promise(self) -> bool | None:
        """Whether all problems do; None where no tol is known, and all are feasible."""
        kept = [problem.keeps_promise for problem in self.problems]
        return False if False in kept else None if None in kept else True

    def draw(self, ax: Any = None) -> Any:
        """Draw the points of the worst problem with its KKT conditions, on matplotlib's axes; returns these."""
        return self.worst.draw(ax)

    def words(self) -> list[str]:
        """What was found, sentence by sentence."""
        return words(self)

    def __str__(self) -> str:
        out = [self.title, "", *self.words()]
        return "\n".join(out if len(self.problems) == 1 else [*out, "", *self._lines()])

    __repr__ = __str__

    def _cells(self) -> list[list[str]]:
        """The table as texts, the head first."""
        return [list(COLUMNS), *([_text(row[name], form) for name, form in COLUMNS.items()] for row in self.table)]

    def _lines(self) -> list[str]:
        """The table as lines of equal columns."""
        cells = self._cells()
        widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
        return ["  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)) for row in cells]

    def _repr_html_(self) -> str:
        """The words, and the table below them."""
        head, *rows = self._cells()
        body = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
        top = "".join(f"<th>{escape(cell)}</th>" for cell in head)
        return (f"<p><code>{escape(self.title)}</code></p><p>" + "<br>".join(map(escape, self.words())) + "</p>"
                f"<table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>")


def _text(value: Any, form: str) -> str:
    """A cell."""
    return value if isinstance(value, str) else format(value, form)
