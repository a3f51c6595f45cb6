"""What a live figure calls proved: the bound that it shows against primal minus dual value with fifty digits."""
import json
from decimal import Decimal as Exact
from decimal import localcontext
from typing import Any

import numpy as np
import pytest
from planar_problems import draw
from test_live_solver import LIVE, node

PROGRAM = """
import { regress } from "%s";
import { solve } from "%s";
import { atMost } from "%s";
let text = "";
for await (const chunk of process.stdin) text += chunk;
console.log(JSON.stringify(JSON.parse(text).map((problem) => {
  const found = problem.x ? regress(problem) : solve(problem);
  const { b, gap, objective, status } = found;
  return { b, gap, objective, status, shown: atMost(gap), weights: [...(found.alpha ?? found.beta)] };
})));
"""
HARD = [{"kernel": {"name": "gaussian", "sigma": 3.0}, "C": 10.0},
        {"kernel": {"name": "gaussian", "sigma": 0.6}, "C": 1e4},
        {"kernel": {"name": "linear"}, "C": 1e4}, {"kernel": {"name": "polynomial", "Q": 8}, "C": 1e4}]


def problem_of(seed: int) -> dict[str, Any]:
    """A planar problem of at most 40 points: a drawn one, tossed labels at extreme settings, or a regression."""
    rng = np.random.default_rng(seed)
    given = draw(seed)
    points, labels = given["points"][:40], given["labels"][:40]
    if len(set(labels)) < 2:
        labels[0] *= -1
    problem = {"points": points, "labels": labels, "kernel": given["kernel"], "C": given["C"]}
    if seed % 5 == 3:
        problem |= HARD[seed // 5 % 4] | {"labels": [1, -1, *rng.choice([-1, 1], len(points) - 2).tolist()]}
    if seed % 5 == 4:
        x = rng.uniform(-3, 3, rng.integers(4, 40))
        kernel = ({"name": "gaussian", "sigma": float(rng.uniform(0.3, 2))}, {"name": "linear"})[seed // 5 % 2]
        problem = {"x": x.tolist(), "y": (np.sin(x) + rng.normal(0, 0.3, x.size)).tolist(), "kernel": kernel,
                   "C": float(10 ** rng.uniform(-2, 2)), "epsilon": float(rng.choice([0, 0.1, 0.4, 1.6]))}
    return problem


def kernel_of(kernel: dict[str, Any], x: list[Any], z: list[Any]) -> Any:
    """The kernel of two points, exactly the doubles that they are stored as."""
    inner = sum(a * b for a, b in zip(x, z, strict=True))
    full = {"a": 1.0, "b": 1.0, "delta": 0.0, **kernel}
    if kernel["name"] == "gaussian":
        return (-sum((a - b) ** 2 for a, b in zip(x, z, strict=True)) / (2 * Exact(kernel["sigma"]) ** 2)).exp()
    if kernel["name"] == "polynomial":
        return (Exact(full["a"]) * inner + Exact(full["b"])) ** kernel["Q"]
    if kernel["name"] == "linear":
        return inner
    e = (2 * (Exact(kernel["kappa"]) * inner - Exact(full["delta"]))).exp()
    return (e - 1) / (e + 1)


def exact_gap(problem: dict[str, Any], found: dict[str, Any]) -> Any:
    """Primal minus dual value, 1/2 |w|^2 + C sum of losses - D, with fifty digits."""
    regression = "x" in problem
    points = [[Exact(v) for v in ([x] if regression else x)] for x in problem["x" if regression else "points"]]
    y = [Exact(v) for v in problem["y" if regression else "labels"]]
    weights, C, b = [Exact(v) for v in found["weights"]], Exact(problem["C"]), Exact(found["b"])
    beta = weights if regression else [s * a for s, a in zip(y, weights, strict=True)]
    support = [j for j, v in enumerate(beta) if v]
    g = [sum(beta[j] * kernel_of(problem["kernel"], points[j], x) for j in support) for x in points]
    square = sum(v * h for v, h in zip(beta, g, strict=True))
    linear = sum(v * t for v, t in zip(beta, y, strict=True))
    epsilon = Exact(problem.get("epsilon", 0))
    if regression:
        losses = [max(Exact(0), abs(t - h - b) - epsilon) for t, h in zip(y, g, strict=True)]
    else:
        losses = [max(Exact(0), 1 - s * (h + b)) for s, h in zip(y, g, strict=True)]
    return square + C * sum(losses) - linear + epsilon * sum(map(abs, beta))


def number_of(shown: str) -> Any:
    """The number that a page writes, 2.7·10⁻⁷."""
    plain = shown.replace("−", "-").translate(str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-"))
    front, _, power = plain.partition("10") if plain.startswith("10") or "·10" in plain else (plain, "", "")
    return Exact(front.rstrip("·") or "1") * Exact(10) ** int(power or 0)


@pytest.mark.parametrize("count", [60, pytest.param(3000, marks=[pytest.mark.thorough, pytest.mark.timeout(1800)])])
def test_what_is_called_proved_is_a_bound(count: int) -> None:
    problems = [problem_of(seed) for seed in range(count)]
    program = PROGRAM % tuple((LIVE / name).as_uri() for name in ("regression.js", "solver.js", "words.js"))
    answers = json.loads(node("--input-type=module", "-e", program, given=json.dumps(problems)))
    wide = []
    with localcontext() as context:
        context.prec = 50
        for seed, (problem, found) in enumerate(zip(problems, answers, strict=True)):
            truth = exact_gap(problem, found)
            assert Exact(found["gap"]) >= truth, seed
            assert number_of(found["shown"]) >= Exact(found["gap"]), (seed, found["shown"])
            # Where next to nothing is paid, the objective is far below the prices that it is a sum of.
            narrow = max(10 * float(truth), 1e-12 * max(abs(found["objective"]), 1e-3 * problem["C"]))
            if problem["kernel"]["name"] != "sigmoid" and found["gap"] > narrow:     # which is not always positive
                wide.append((seed, problem["kernel"], problem["C"], found["gap"], float(truth), found["objective"]))
    assert wide == []
