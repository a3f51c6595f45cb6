"""The canvas's mathematics in node: drawings become the images that Python makes of them, and are read alike."""
import base64
import json
from typing import Any

import numpy as np
import pytest
from test_live_solver import LIVE, node

from svmcourse.mnist import hand, reader
from svmlib.data import load_mnist
from svmlib.data.digits import deskew

PROGRAM = """
import { read, storedImage, unpack } from "%(live)s/reader.js";
import { seen } from "%(live)s/strokes.js";
let text = "";
for await (const chunk of process.stdin) text += chunk;
const { machine, drawings, images } = JSON.parse(text);
const reader = await unpack(machine);
const drawn = drawings.map((strokes) => [...seen(strokes)]);
const answers = [...drawn, ...images].map((image) => read(reader, Float64Array.from(image)));
const last = [...storedImage(reader, reader.digits.length - 1)];
console.log(JSON.stringify({ drawn, answers, last }));
"""


def random_drawings(count: int) -> list[list[list[list[float]]]]:
    """Some strokes of a few points each, small ones and large ones; among them a dot, and a stroke without a point."""
    rng = np.random.default_rng(0)
    drawings = [[(rng.random(2) + rng.uniform(0.01, 0.3) * rng.normal(size=(rng.integers(1, 12), 2)).cumsum(axis=0))
                 .tolist() for _ in range(rng.integers(1, 5))] for _ in range(count)]
    return [*drawings, [[[0.3, 0.4]]], [[], [[0.1, 0.1], [0.9, 0.1]]], []]


@pytest.fixture(scope="module")
def here_and_there() -> dict[str, Any]:
    """Images and answers of both sides: of drawings, and of 40 test images."""
    drawings = [*reader.drawings().values(), *random_drawings(60)]
    images = deskew(load_mnist().X_test[::250])
    given = {"machine": base64.b64encode(reader.FILE.read_bytes()).decode(), "drawings": drawings,
             "images": images.astype(float).tolist()}
    there = json.loads(node("--input-type=module", "-e", PROGRAM % {"live": LIVE.as_uri()}, given=json.dumps(given)))
    return {"drawn": np.array([hand.seen(strokes) for strokes in drawings]), "images": images, "there": there}


def test_a_drawing_becomes_the_same_image(here_and_there: dict[str, Any]) -> None:
    drawn = here_and_there["drawn"]
    assert np.allclose(here_and_there["there"]["drawn"], drawn, rtol=0, atol=1e-9)
    assert not drawn[-1].any()
    assert (drawn[:-1].max(axis=1) > 0.5).all()


def test_decisions_votes_and_pushes_agree(here_and_there: dict[str, Any]) -> None:
    machine, answers = reader.stored(), here_and_there["there"]["answers"]
    images = np.vstack([here_and_there["drawn"], here_and_there["images"]])
    f = machine.decision(images)
    assert np.allclose([answer["f"] for answer in answers], f, rtol=0, atol=1e-8)
    assert [answer["votes"] for answer in answers] == machine.votes(images).tolist()
    for row, counts, values, answer in zip(machine.kernel(images), machine.votes(images), f, answers, strict=True):
        first, second = reader.ranked(counts)
        assert (answer["first"], answer["second"]) == (first, second)
        pushes = machine.pushes(row, first, second)
        assert answer["pushing"] == np.count_nonzero(pushes)
        pair = reader.PAIRS.index((min(first, second), max(first, second)))
        assert answer["value"] == pytest.approx(values[pair] * (1 if first < second else -1), abs=1e-8)
        for side, sign in (("towards", 1), ("against", -1)):
            most = np.argsort(-sign * pushes)[:5]
            assert np.allclose([push for _, push in answer[side]], pushes[most], rtol=0, atol=1e-9)
            assert {i for i, _ in answer[side]} == set(most)
    assert here_and_there["there"]["last"] == machine.vectors[-1].tolist()


def test_the_machine_reads_as_it_was_measured() -> None:
    """Stored drawings are what they are called, and 1,000 test images are read as well as all of them."""
    machine = reader.stored()
    read = machine.read(np.array([hand.seen(strokes) for strokes in reader.drawings().values()]))
    names = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]
    named = {name: k for k, name in enumerate(names)}
    assert {*named.values()} == {*read.tolist()}
    for name, digit in zip(reader.drawings(), read, strict=True):
        assert "?" in name or named[name.split()[-1]] == digit
    _, _, X, y = load_mnist()
    assert np.mean(machine.read(deskew(X[::10])) == y[::10]) == pytest.approx(0.9686, abs=0.012)


def test_the_file_is_small_and_packs_what_it_unpacks_to() -> None:
    data = reader.FILE.read_bytes()
    assert len(data) <= 130_000
    assert reader.packed(reader.unpacked(data)) == data


def test_where_a_drawing_stands_and_how_large_it_is_does_not_matter() -> None:
    for strokes in reader.drawings().values():
        moved = [0.3 * np.array(stroke) + [0.65, 0.02] for stroke in strokes]
        assert np.allclose(hand.seen(moved), hand.seen(strokes), rtol=0, atol=1e-9)


@pytest.mark.thorough
def test_the_stored_machine_is_what_training_gives() -> None:
    ours, again = reader.stored(), reader.trained()
    assert np.allclose(ours.vectors, again.vectors, rtol=0, atol=1e-7)
    assert np.array_equal(ours.digits, again.digits)
    images = deskew(load_mnist().X_test[::10])
    assert np.allclose(ours.decision(images), again.decision(images), rtol=0, atol=2e-3)
    assert np.array_equal(ours.read(images), again.read(images))
