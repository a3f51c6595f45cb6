"""Models that LIBSVM 3.37 has trained and written itself, some on its own heart_scale: folder libsvm, with its licence.

trained.log holds the commands, and what svm-train said of each problem: its obj, and nu, C or epsilon.
"""
import re
from pathlib import Path

import numpy as np
import pytest
from sklearn.svm import SVC

from svmlib import audit
from svmlib.__main__ import main
from svmlib.auditing import read_data, read_model

FOLDER = Path(__file__).parent / "libsvm"
RUNS = [run.splitlines() for run in (FOLDER / "trained.log").read_text().split("$ svm-train ")[1:]]
LETTERS = {"-c": "C", "-n": "nu", "-p": "epsilon"}


def trained(run):
    """Of a command: model and data, the options that its file does not hold, and what svm-train said."""
    words = run[0].split()
    options = {LETTERS[word]: float(words[i + 1]) for i, word in enumerate(words) if word in LETTERS}
    if "-w1" in words:
        options["class_weight"] = {1: float(words[words.index("-w1") + 1])}
    said = {name: [float(value) for value in re.findall(rf"^{name} = ([-\d.]+)", "\n".join(run), re.M)]
            for name in ("obj", "epsilon", "C")}
    return FOLDER / words[-1], FOLDER / words[-2], options, said


def found_in(run, **more):
    """The audit of a model of the log, and what svm-train said."""
    path, data, options, said = trained(run)
    X, y = read_data(data, precomputed="-t 4" in run[0])
    return audit(path, X, y, tol=1e-3, **{**options, **more}), said


@pytest.mark.parametrize("run", RUNS, ids=lambda run: run[0].split()[-1])
def test_each_model_keeps_its_promise_and_has_the_value_that_libsvm_told(run):
    for found, said in (found_in(run), found_in([" ".join(re.sub(r"-[cnpw]1? \S+", "", run[0]).split()), *run[1:]])):
        assert found.keeps_promise
        assert 1e-5 < found.tolerance <= 1e-3
        for one, obj in zip(found.problems, said["obj"], strict=True):
            problem, size = one.machine.problem, float(np.abs(one.alpha).sum())
            value = -one.objective
            if "-s 1" in run[0]:                                              # LIBSVM's is |w|^2 / 2, without the sum
                value += size
                assert problem.C.max() == pytest.approx(said["C"][0], rel=1e-6)
            if "-s 4" in run[0]:
                epsilon = 0.5 * (problem.p[50] - problem.p[0])
                assert epsilon == pytest.approx(said["epsilon"][0], abs=1e-4)
                value -= epsilon * size
            if "-s 3" in run[0]:                                              # where it is found from the points
                epsilon = 0.5 * (problem.p[50] - problem.p[0])
                assert epsilon == pytest.approx(0.2, abs=1e-4)
                value += (0.2 - epsilon) * size
            assert value == pytest.approx(obj, abs=2e-6 * max(1.0, abs(obj)))


def test_heart_scale_is_judged_as_scikit_learns_machine():
    run = RUNS[0]
    found, _ = found_in(run)
    X, y = read_data(FOLDER / "heart_scale")
    peer = audit(SVC(gamma=1 / 13).fit(X, y), X, y)
    assert X.shape == (270, 13)
    ours, other = found.problems[0], peer.problems[0]
    assert abs(ours.objective - other.objective) <= max(found.gap_bound, peer.gap_bound)
    assert np.abs(ours.proof.f - other.proof.f).max() < 0.01
    assert "107 coefficients are as large" in str(found)
    dense = audit(FOLDER / "heart.model", X.toarray(), y, C=1.0)
    assert dense.gap == pytest.approx(found.gap, rel=1e-9)
    assert "not known" in str(dense)


def test_a_wrong_C_or_label_is_found():
    X, y = read_data(FOLDER / "heart_scale")
    for C in (0.5, 2.0):
        assert audit(FOLDER / "heart.model", X, y, C=C, tol=1e-3).keeps_promise is False
    other = y.copy()
    other[3] *= -1                                                            # 3: a support vector
    with pytest.raises(ValueError, match="y is not what the model was trained with: its support vector"):
        audit(FOLDER / "heart.model", X, other)
    with pytest.raises(ValueError, match="X is not what the model was trained with: its support vector 0"):
        audit(FOLDER / "heart.model", 1.1 * X, y)
    with pytest.raises(ValueError, match="class_weight needs C"):
        audit(FOLDER / "heart.model", X, y, class_weight={1: 2.0})
    with pytest.raises(ValueError, match="nu must be"):
        audit(FOLDER / "heart.model", X, y, nu=-1.0)


@pytest.mark.parametrize(("change", "message"), [
    (lambda text: "hello\n", "line 1 begins with 'hello'"),
    (lambda text: "", "has no line SV"),
    (lambda text: text.replace("c_svc", "d_svc"), "svm_type 'd_svc'"),
    (lambda text: text.replace("rbf", "chi"), "kernel 'chi'"),
    (lambda text: text[:len(text) // 2], "announces 132 support vectors, but has"),
    (lambda text: text.replace("rho 0.4", "rho x"), "line 6: could not convert"),
    (lambda text: re.sub("rho .*\n", "", text), "has no line rho"),
    (lambda text: text.replace("2:1 3:1", "2:1 3"), "not in LIBSVM's format"),
    (lambda text: re.sub("label .*\n", "", text), "has no line label"),
])
def test_a_file_that_is_broken_is_named(tmp_path, change, message):
    path = tmp_path / "broken.model"
    path.write_text(change((FOLDER / "heart.model").read_text()))
    X, y = read_data(FOLDER / "heart_scale")
    with pytest.raises(ValueError, match=message):
        audit(path, X, y)


def test_other_files_are_named(tmp_path):
    (tmp_path / "table.csv").write_text("a,b\n1,2\n")
    (tmp_path / "bytes").write_bytes(bytes(range(128, 256)))
    with pytest.raises(ValueError, match=r"table\.csv is not in LIBSVM's format"):
        read_data(tmp_path / "table.csv")
    with pytest.raises(ValueError, match="bytes is not a file of text"):
        read_model(tmp_path / "bytes")
    with pytest.raises(ValueError, match="heart_scale must hold a Gram matrix"):
        read_data(FOLDER / "heart_scale", precomputed=True)


def test_of_no_support_vectors(tmp_path):
    (tmp_path / "data").write_text("1 1:1\n1 1:2\n")
    (tmp_path / "flat.model").write_text("svm_type epsilon_svr\nkernel_type linear\nnr_class 2\ntotal_sv 0\nrho -1\n"
                                         "SV\n")
    found = audit(tmp_path / "flat.model", *read_data(tmp_path / "data"), C=1.0, epsilon=0.1)
    assert found.gap == 0
    assert found.problems[0].b_free == pytest.approx((0.9, 1.1))


# ---- the command -----------------------------------------------------------------------------------------------
def test_the_command_prints_the_audit(capsys):
    assert main(["audit", str(FOLDER / "heart.model"), str(FOLDER / "heart_scale"), "-c", "1", "-e", "0.001"]) == 0
    said = capsys.readouterr().out
    assert "tol = 0.001 was asked for" in said
    assert said == str(found_in(RUNS[0], C=1.0)[0]) + "\n"
    weights = [str(FOLDER / "linear_weights.model"), str(FOLDER / "fifty"), "-c", "2", "-e", "0.001"]
    assert main(["audit", *weights, "-w", "1=3", "--sharp"]) == 0
    assert "compared with a sharper solution" in capsys.readouterr().out
    assert main(["audit", *weights]) == 1                                                       # without the weight
    assert "NOT A SOLUTION" in capsys.readouterr().out
    assert main(["audit", str(FOLDER / "gram.model"), str(FOLDER / "gram")]) == 0


def test_the_command_says_what_it_cannot_read(capsys):
    assert main(["audit", "nowhere.model", str(FOLDER / "heart_scale")]) == 2
    assert "nowhere.model" in capsys.readouterr().err
    assert main(["audit", str(FOLDER / "heart.model"), str(FOLDER / "fifty")]) == 2
    assert "X is not what the model was trained with" in capsys.readouterr().err
    for wrong in (["-w", "one"], ["-c", "x"]):
        with pytest.raises(SystemExit):
            main(["audit", "a", "b", *wrong])
    assert "LABEL=WEIGHT" in capsys.readouterr().err
