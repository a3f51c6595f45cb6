"""String kernels: the tables of the lecture notes, the definition by enumeration, and Gram matrices."""
import pickle
from itertools import combinations
from math import comb, sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone

from svmlib.kernels import Constant, Function, GapWeighted, Gaussian, Linear, Subsequence, Substring
from svmlib.kernels.strings import (
    StringKernel,
    encode,
    gap_weighted,
    gap_weighted_length,
    kernel_row,
    substrings,
)

# Examples 16.12 and 16.13 of the lecture notes: rows are the prefixes of BERT, columns those of BEERE.
SUBSEQUENCES = [[1, 1, 1, 1, 1, 1],
                [1, 2, 2, 2, 2, 2],
                [1, 2, 4, 6, 6, 8],
                [1, 2, 4, 6, 12, 14],
                [1, 2, 4, 6, 12, 14]]
SUBSTRINGS = [[1, 1, 1, 1, 1, 1],
              [1, 2, 2, 2, 2, 2],
              [1, 2, 4, 5, 5, 6],
              [1, 2, 4, 5, 7, 8],
              [1, 2, 4, 5, 7, 8]]
KERNELS = [Subsequence(), Substring(), GapWeighted(lam=0.5), GapWeighted(lam=0.7, length=2), GapWeighted(lam=1.0),
           GapWeighted(lam=0.2, used=0.8), GapWeighted(lam=0.2, length=2, used=0.8)]
WORDS = st.text(alphabet="abc", max_size=7)


# ---- the definition, by enumeration ----------------------------------------------------------------------
def parts(s):
    """All index sets of s, positions from 1."""
    return [I for p in range(len(s) + 1) for I in combinations(range(1, len(s) + 1), p)]


def pick(s, I):
    return "".join(s[i - 1] for i in I)


def span(I):
    return I[-1] - I[0] + 1 if I else 0


def weight(kernel, I, J):
    """What the pair (I, J) of equal parts counts, from the definitions alone."""
    if isinstance(kernel, Subsequence):
        return 1.0
    if isinstance(kernel, Substring):
        return float(span(I) == len(I) and span(J) == len(J))
    used, price = len(I) + len(J), kernel.lam if kernel.used is None else kernel.used
    return price ** used * kernel.lam ** (span(I) + span(J) - used) if kernel.length in (None, len(I)) else 0.0


def enumerated(kernel, s, t):
    return sum(weight(kernel, I, J) for I in parts(s) for J in parts(t) if pick(s, I) == pick(t, J))


# ---- the examples of the lecture notes -------------------------------------------------------------------
def prefixes(s):
    return [s[:i] for i in range(len(s) + 1)]


def test_the_tables_over_all_prefixes():
    np.testing.assert_array_equal(Subsequence()(prefixes("BERT"), prefixes("BEERE")), SUBSEQUENCES)
    np.testing.assert_array_equal(Substring()(prefixes("BERT"), prefixes("BEERE")), SUBSTRINGS)


def test_the_worked_entry_both_ways():
    K = Subsequence()(prefixes("BEERE"), prefixes("BE"))
    assert K[5, 2] == K[5, 1] + K[1, 1] + K[2, 1] + K[4, 1] == 8       # the three E of BEERE
    K = K.T
    assert K[2, 5] == K[2, 4] + K[1, 4] == 8                           # the one E of BE


def test_values_and_cosines_of_the_example():
    words = ["BERT", "BEERE"]
    np.testing.assert_array_equal(Subsequence()(words), [[16, 14], [14, 64]])
    np.testing.assert_array_equal(Substring()(words), [[11, 8], [8, 22]])
    assert Subsequence(normalized=True)(words)[0, 1] == pytest.approx(14 / sqrt(16 * 64), rel=1e-15)
    assert Substring(normalized=True)(words)[0, 1] == pytest.approx(8 / sqrt(11 * 22), rel=1e-15)


# ---- against enumeration ---------------------------------------------------------------------------------
@pytest.mark.parametrize("kernel", KERNELS, ids=repr)
@settings(max_examples=60, deadline=None)
@given(s=WORDS, t=WORDS)
def test_program_agrees_with_the_definition(kernel, s, t):
    assert kernel([s], [t])[0, 0] == pytest.approx(enumerated(kernel, s, t), rel=1e-12)


@pytest.mark.parametrize("kernel", KERNELS, ids=repr)
def test_table_over_all_prefixes_agrees_with_the_definition(kernel):
    s, t = "abcab", "bacba"
    expected = [[enumerated(kernel, s[:i], t[:j]) for j in range(6)] for i in range(6)]
    np.testing.assert_allclose(kernel(prefixes(s), prefixes(t)), expected, rtol=1e-12)


@settings(max_examples=40, deadline=None)
@given(s=WORDS, t=WORDS, lam=st.floats(0.05, 1.0), used=st.none() | st.floats(0.05, 1.0))
def test_lengths_add_up_to_all_lengths(s, t, lam, used):
    total = 1 + sum(GapWeighted(lam=lam, length=p, used=used)([s], [t])[0, 0] for p in range(1, 8))
    assert GapWeighted(lam=lam, used=used)([s], [t])[0, 0] == pytest.approx(total, rel=1e-12)


def test_gap_weighted_between_subsequence_and_substring():
    s, t = "kernel", "colonel"
    assert GapWeighted(lam=1.0)([s], [t]) == Subsequence()([s], [t])
    # As lam -> 0 only parts without gaps are left: lam^(-2p) K_p counts the common substrings of p letters.
    by_length = [GapWeighted(lam=1e-6, length=p)([s], [t])[0, 0] * 1e6 ** (2 * p) for p in range(1, 7)]
    assert 1 + sum(by_length) == pytest.approx(Substring()([s], [t])[0, 0], rel=1e-5)
    assert GapWeighted(lam=1e-6, used=1.0)([s], [t])[0, 0] == pytest.approx(Substring()([s], [t])[0, 0], rel=1e-5)


def test_example_of_lodhi_et_al():
    lam = 0.3                                            # k2(cat, car) = lam^4, k2(cat, cat) = 2 lam^4 + lam^6
    K = GapWeighted(lam=lam, length=2)(["cat", "car", "bat"])
    np.testing.assert_allclose(K[0], [2 * lam ** 4 + lam ** 6, lam ** 4, lam ** 4], rtol=1e-14)
    assert K[1, 2] == 0
    cosine = GapWeighted(lam=lam, length=2, normalized=True)(["cat"], ["car"])[0, 0]
    assert cosine == pytest.approx(1 / (2 + lam ** 2), rel=1e-14)


@pytest.mark.parametrize("lam", [0.3, 1.0])
def test_python_form_of_the_compiled_programs(lam):
    codes, starts = encode(np.array(["abcabca", "bcaab", ""], dtype=object))
    a, b, empty = (codes[starts[i]:starts[i + 1]] for i in range(3))
    programs = [(substrings, ()), (gap_weighted, (lam, 0.7)), (gap_weighted_length, (lam, 3))]
    for number, (program, args) in enumerate(programs):
        for s, t in [(a, b), (b, a), (a, empty), (empty, empty)]:
            assert program(s, t, *args) == program.py_func(s, t, *args)
        V, E, W, F = np.zeros(3), np.zeros(3, int), np.zeros(3), np.zeros(3, int)
        kernel_row(number, a, codes, starts, lam, 0.7, 3, V, E)
        kernel_row.py_func(number, a, codes, starts, lam, 0.7, 3, W, F)
        assert V.tolist() == W.tolist()
        assert E.tolist() == F.tolist()


def test_python_form_of_the_rescaling():
    s = np.full(530, 97, dtype=np.uint32)                # the compiled and the Python form cross 2^512 in the same row
    v, e = gap_weighted.py_func(s, s[:300], 1.0, 1.0)
    assert e == 512
    assert v * 2.0 ** (e - 600) == pytest.approx(comb(830, 300) / 2 ** 600, rel=1e-11)
    assert gap_weighted(s, s[:300], 1.0, 1.0) == (v, e)


# ---- Gram matrices ---------------------------------------------------------------------------------------
def sample(n, length, seed=0, alphabet="abcdefghijklmnopqrstuvwxyz "):
    rng = np.random.default_rng(seed)
    return ["".join(rng.choice(list(alphabet), rng.integers(0, length + 1))) for _ in range(n)]


@pytest.mark.parametrize("normalized", [False, True])
@pytest.mark.parametrize("kernel", KERNELS, ids=repr)
def test_gram_matrix(kernel, normalized):
    kernel = clone(kernel).set_params(normalized=normalized)
    X = ["", *sample(24, 12, alphabet="abcd")]
    K = kernel(X)
    assert K.shape == (25, 25)
    assert K.dtype == np.float64
    assert np.array_equal(K, K.T)
    np.testing.assert_array_equal(K.diagonal(), kernel.diag(X))
    np.testing.assert_allclose(kernel(X, list(X)), K, rtol=1e-12)
    np.testing.assert_allclose(kernel(X[3:7], X[5:]), K[3:7, 5:], rtol=1e-12)
    assert kernel.is_psd(X)
    if normalized:
        assert set(K.diagonal()) <= {0.0, 1.0}
        assert K.min() >= 0
        assert K.max() <= 1 + 1e-12


@pytest.mark.parametrize("kernel", [Subsequence(), Substring(), GapWeighted(lam=0.5)], ids=repr)
def test_distinct_strings_have_independent_features(kernel):
    X = sorted({*sample(30, 6, alphabet="ab"), ""})
    assert kernel.strictly_positive
    assert np.linalg.eigvalsh(clone(kernel).set_params(normalized=True)(X))[0] > 1e-6
    assert not GapWeighted(length=2).strictly_positive


def test_forty_strings_of_a_hundred_letters():
    rng = np.random.default_rng(0)
    X = ["".join(row) for row in rng.choice(list("abcdefghijklmnopqrstuvwxyz "), (40, 100))]
    for kernel in (Subsequence(normalized=True), Substring(), GapWeighted(lam=0.5, length=4)):
        K = kernel(X)
        assert np.isfinite(K).all()
        assert K.shape == (40, 40)


def test_known_closed_form():
    assert Subsequence()(["a" * 30])[0, 0] == comb(60, 30)             # any p of 30 with any p of 30
    assert Subsequence()(["a" * 100])[0, 0] == pytest.approx(comb(200, 100), rel=1e-13)
    n = 40
    assert Substring()(["a" * n])[0, 0] == 1 + sum((n - p + 1) ** 2 for p in range(1, n + 1))


def test_cosine_is_safe_where_counts_overflow():
    m, n = 1500, 1490
    X = ["a" * m, "a" * n, "b" * 2000, ""]
    with pytest.raises(ValueError, match=r"1e308 common parts.*Subsequence\(normalized=True\)"):
        Subsequence()(X)
    with pytest.raises(ValueError, match="GapWeighted"):
        GapWeighted(lam=1.0).diag(X)
    square = comb(m + n, n) ** 2 * 10 ** 20 // (comb(2 * m, m) * comb(2 * n, n))         # cosine^2, in exact integers
    for kernel in (Subsequence(normalized=True), GapWeighted(lam=1.0, normalized=True)):
        K = kernel(X)
        assert K[0, 1] == pytest.approx(sqrt(square / 10 ** 20), rel=1e-9)
        np.testing.assert_array_equal(K.diagonal(), 1.0)
        assert K[0, 2] < 1e-300
        assert kernel.diag(X).tolist() == [1.0] * 4
    # lam^240 = 1e-720 cancels in the cosine, and all but the parts without gaps vanish: windows of 120 letters.
    low = GapWeighted(lam=1e-4, length=120, normalized=True)
    assert low(["ab" * 100], ["ab" * 99 + "c"])[0, 0] == pytest.approx(
        (41 * 40 + 40 * 39) / sqrt((41 ** 2 + 40 ** 2) * (40 ** 2 + 39 ** 2 + 1)), rel=1e-4)
    assert GapWeighted(lam=1e-4, length=120)(["a" * 120])[0, 0] == 0
    high = GapWeighted(lam=1.0, length=300, normalized=True)           # C(600, 300)^2 is 1e358
    assert high(["a" * 600], ["a" * 600])[0, 0] == 1.0


def test_strings_without_features_are_zero():
    K = GapWeighted(length=3, normalized=True)(["ab", "abc", ""])
    assert K.tolist() == [[0, 0, 0], [0, 1, 0], [0, 0, 0]]


def test_empty_strings_and_empty_lists():
    assert Subsequence()([""], ["", "abc"]).tolist() == [[1.0, 1.0]]
    assert Substring()([], ["abc"]).shape == (0, 1)


def test_letters_are_code_points():
    s, t = "Bär€𝄞", "är𝄞"
    assert Subsequence()([s], [t])[0, 0] == enumerated(Subsequence(), s, t)
    assert Substring()(["naïve"], ["nai\u0308ve"]) != Substring()(["naïve"])        # composed and decomposed differ
    assert Subsequence()(["\ud800x"], ["x"])[0, 0] == 2                             # even a lone surrogate


# ---- input and output ------------------------------------------------------------------------------------
def test_lists_tuples_and_arrays_of_strings():
    words = ["BERT", "BEERE"]
    expected = Subsequence()(words)
    for X in (tuple(words), np.array(words), np.array(words, dtype=object), [np.str_(w) for w in words]):
        np.testing.assert_array_equal(Subsequence()(X), expected)


@pytest.mark.parametrize(("X", "message"), [
    ("BERT", "X must be a list of strings, got the single string 'BERT'"),
    (["BERT", 3], r"X must hold strings only, got X\[1\] = 3 of type int"),
    (np.array([["a", "b"]]), r"X must be a list or one-dimensional array of strings, got an array of shape \(1, 2\)"),
])
def test_what_is_not_a_list_of_strings_is_refused(X, message):
    with pytest.raises(ValueError, match=message):
        Subsequence()(X)


def test_other_arguments_are_named():
    with pytest.raises(ValueError, match=r"Z\[0\] = 1"):
        Subsequence()(["a"], [1])
    for lam in (0, -1.0, 1.5, np.nan, "x", True):
        with pytest.raises(ValueError, match="lam must be"):
            GapWeighted(lam=lam)
        with pytest.raises(ValueError, match="used must be"):
            GapWeighted(used=lam)
    for length in (0, -1, 1.5, True, "2"):
        with pytest.raises(ValueError, match="length must be a positive integer or None"):
            GapWeighted(length=length)
    with pytest.raises(ValueError, match="normalized must be True or False"):
        Subsequence(normalized="yes")


def test_the_base_class_is_no_kernel():
    with pytest.raises(TypeError, match="StringKernel does not define"):
        StringKernel()(["a"])


def test_strings_and_points_do_not_mix():
    with pytest.raises(ValueError, match=r"svmlib\.kernels"):
        Gaussian(sigma=1.0)(["BERT"])
    for kernel in (Subsequence() + Gaussian(sigma=1.0), Linear() * Substring()):
        with pytest.raises(ValueError, match="must hold"):
            kernel(["BERT"])
        with pytest.raises(ValueError, match="must hold"):
            kernel([[1.0]])


def test_algebra_of_string_kernels():
    words = ["BERT", "BEERE", ""]
    S, W = Subsequence()(words), Substring()(words)
    np.testing.assert_array_equal((2 * Subsequence() + Substring())(words), 2 * S + W)
    np.testing.assert_array_equal((Subsequence() * Substring() + 1)(words), S * W + 1)
    np.testing.assert_array_equal((1 + Subsequence())(words), S + 1)
    np.testing.assert_array_equal(((Constant(1) + 2) * Subsequence())(words, words[:2]), 3 * S[:, :2])
    assert (Subsequence() + 1).strictly_positive
    lengths = Linear().map(lambda strings: np.array([[float(len(s))] for s in strings]))
    np.testing.assert_array_equal(lengths(words), np.multiply.outer([4, 5, 0], [4, 5, 0]))
    same = Function(lambda X, Z: np.array([[float(x == z) for z in Z] for x in X]))
    np.testing.assert_array_equal(same(words), np.eye(3))


@pytest.mark.parametrize("kernel", [*KERNELS, Subsequence(normalized=True), 2 * Substring() + 1], ids=repr)
def test_parameters_clone_pickle_and_repr(kernel):
    words = ["BERT", "BEERE", "RETTER"]
    names = {"Subsequence": Subsequence, "Substring": Substring, "GapWeighted": GapWeighted}
    scope = {**vars(__import__("svmlib.kernels").kernels), **names}
    for other in (clone(kernel), pickle.loads(pickle.dumps(kernel)), eval(repr(kernel), scope)):
        assert repr(other) == repr(kernel)
        np.testing.assert_array_equal(other(words), kernel(words))
    with pytest.raises(ValueError, match="lam"):
        GapWeighted().set_params(lam=2.0)
