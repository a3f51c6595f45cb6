"""The room of the page, in node: its turns are those of the active-set method, wherever the cross is."""
import json
from typing import Any

import numpy as np
import pytest
from test_live_solver import LIVE, node

from svmlib.solvers.active_set_general import turns

PROGRAM = """
import { pushesAt, slideAlong, turnAt } from "%s";
let text = "";
for await (const chunk of process.stdin) text += chunk;
console.log(JSON.stringify(JSON.parse(text).map(({ walls, cross, at, held }) => {
  const room = { walls, cross };
  const slid = slideAlong(room, { at, held });
  const path = [{ at, held, did: "start", wall: -1 }];
  while (path.at(-1).did !== "arrive" && path.length < 40) path.push(turnAt(room, path.at(-1)));
  return { path, slid, lambda: pushesAt(room, path.at(-1)).lambda };
})));
"""
D = np.array([[1.0, -1, -1, 1, 0], [-2, -2, 2, 0, 1]])
DELTA = np.array([-2.0, -6, -2, 0, 0])
WALLS = np.vstack([D, DELTA]).T.tolist()


def cases() -> list[dict[str, Any]]:
    """The chapter's walk, and others from its corners to crosses inside and outside of the room."""
    rng = np.random.default_rng(0)
    corners = [([2, 0], [2, 4]), ([0, 0], [3, 4]), ([0, 1], [0, 3]), ([2, 2], [0, 1]), ([4, 1], [1, 2])]
    others = [corners[k % 5] for k in range(80)]
    return [{"walls": WALLS, "cross": [1, 2.5], "at": [2, 0], "held": [2, 4]}] + [
        {"walls": WALLS, "cross": rng.uniform((-3, -3), (7, 5)).tolist(), "at": at, "held": held}
        for at, held in others]


@pytest.fixture(scope="module")
def walks() -> list[tuple[dict[str, Any], dict[str, Any]]]:
    given = cases()
    found = json.loads(node("--input-type=module", "-e", PROGRAM % (LIVE / "walls.js").as_uri(),
                            given=json.dumps(given)))
    return list(zip(given, found, strict=True))


def test_every_turn_is_one_of_the_method(walks: list[Any]) -> None:
    dids = set()
    for case, walk in walks:
        here = [turn for turn in walk["path"] if turn["did"] != "arrive"]
        A, b = 2 * np.eye(2), 2 * np.array(case["cross"])
        there = list(turns(A, b, np.zeros((2, 0)), D, DELTA, np.array(case["at"], float), case["held"]))
        assert [turn["held"] for turn in here] == [list(held) for _, held in there]
        assert np.allclose([turn["at"] for turn in here], [x for x, _ in there], atol=1e-9)
        x, held = there[-1]
        assert np.allclose(D[:, held] @ walk["lambda"], A @ x - b, atol=1e-8)
        dids |= {turn["did"] for turn in walk["path"]}
    assert dids == {"start", "slide", "hold", "let go", "arrive"}


def test_the_chapters_walk(walks: list[Any]) -> None:
    path = [(turn["at"], turn["held"]) for turn in walks[0][1]["path"]]
    assert np.allclose([at for at, _ in path], [(2, 0), (2, 0), (1, 0), (1, 0), (1, 1.5), (1.4, 1.7), (1.4, 1.7)])
    assert [held for _, held in path] == [[2, 4], [4], [4], [], [0], [0], [0]]


def test_a_hand_that_pulls_the_cross_lets_go_of_nothing(walks: list[Any]) -> None:
    for case, walk in walks:
        assert set(case["held"]) <= set(walk["slid"]["held"])
        assert (np.array(walk["slid"]["at"]) @ D >= DELTA - 1e-9).all()
