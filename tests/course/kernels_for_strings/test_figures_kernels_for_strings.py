"""Tables of string kernels and the parts behind their entries, as the figures of chapter 07 draw them."""
import matplotlib.pyplot as plt
import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from svmcourse.kernels_for_strings.figures import (
    common_suffixes,
    joined,
    pairs,
    prefixes,
    table_explorer,
    weights,
)
from svmlib.kernels import Subsequence, Substring

WORDS = st.text(alphabet="abc", max_size=6)
# Example 16.13 of the lecture notes: rows are the prefixes of BERT, columns those of BEERE.
SUFFIXES = [[1, 1, 1, 1, 1, 1],
            [1, 2, 1, 1, 1, 1],
            [1, 1, 3, 2, 1, 2],
            [1, 1, 1, 1, 3, 1],
            [1, 1, 1, 1, 1, 1]]
# The index pairs as the notes list them.
SUBSEQUENCE_PAIRS = [((), ()), ((1,), (1,)), ((2,), (2,)), ((2,), (3,)), ((2,), (5,)),
                     ((3,), (4,)), ((1, 2), (1, 2)), ((1, 2), (1, 3)), ((1, 2), (1, 5)), ((1, 3), (1, 4)),
                     ((2, 3), (2, 4)), ((2, 3), (3, 4)), ((1, 2, 3), (1, 2, 4)), ((1, 2, 3), (1, 3, 4))]
SUBSTRING_PAIRS = [((), ()), ((1,), (1,)), ((2,), (2,)), ((2,), (3,)),
                   ((2,), (5,)), ((3,), (4,)), ((1, 2), (1, 2)), ((2, 3), (3, 4))]


def test_index_pairs_are_those_of_the_notes():
    assert pairs("BERT", "BEERE") == SUBSEQUENCE_PAIRS
    assert pairs("BERT", "BEERE", gaps=False) == SUBSTRING_PAIRS
    assert pairs("", "abc") == [((), ())]


@given(s=WORDS, t=WORDS)
def test_there_are_as_many_pairs_as_the_kernels_count(s, t):
    assert len(pairs(s, t)) == Subsequence()([s], [t])[0, 0]
    assert len(pairs(s, t, gaps=False)) == Substring()([s], [t])[0, 0]


@given(s=WORDS, t=WORDS)
def test_common_suffixes_by_their_definition(s, t):
    assert common_suffixes("BERT", "BEERE").tolist() == SUFFIXES
    assert common_suffixes(s, t).tolist() == [[sum(a.endswith(b[m:]) for m in range(len(b) + 1)) for b in prefixes(t)]
                                              for a in prefixes(s)]


def test_the_worked_entry_of_the_second_table():
    K, K0 = Substring()(prefixes("BEERE"), prefixes("BE")), common_suffixes("BEERE", "BE")
    assert K[5, 2] == K[5, 1] + K0[1, 1] + K0[2, 1] + K0[4, 1] == 6


def test_what_the_figure_says_of_an_entry():
    for kernel, count in ((Subsequence(), 14), (Substring(), 8)):
        _, note = table_explorer(kernel, "BERT", "BEERE")(30)
        assert note == f"K(BERT, BEERE) = {count}: {count} pairs of index sets pick the same letters."


def test_the_table_of_prefixes_is_a_gram_block():
    np.testing.assert_array_equal(prefixes("BE"), ["", "B", "BE"])


def test_lines_join_equal_letters():
    ways = pairs("BERT", "BEERE")
    fig = joined("BERT", "BEERE", ways, 7)
    assert len(fig.axes) == 14
    for ax, (I, J) in zip(fig.axes, ways, strict=True):
        places = [(t.get_position(), t.get_text()) for t in ax.texts]
        letters = {(round(float(x), 2), round(float(h))): letter for (x, h), letter in places}
        ends = [[(round(x, 2), round(h)) for x, h in line.get_xydata().tolist()] for line in ax.lines]
        assert len(ends) == len(I) == len(J)
        assert all(letters[top] == letters[bottom] for top, bottom in ends)
        assert "".join(letters[top] for top, _ in ends) == "".join("BERT"[i - 1] for i in I)
    plt.close(fig)


def test_a_phone_shows_the_ways_in_the_same_order():
    ways = pairs("BERT", "BEERE")
    wide = joined("BERT", "BEERE", ways, 7)
    narrow = wide.narrow()
    assert [len(ax.lines) for ax in narrow.axes[:14]] == [len(I) for I, _ in ways]
    places = [(ax.get_subplotspec().rowspan.start, ax.get_subplotspec().colspan.start) for ax in narrow.axes[:14]]
    assert places == [divmod(k, 3) for k in range(14)]
    plt.close("all")


def test_two_languages_meet_at_zero():
    fig = weights({"a": -1.0, "b": 0.25}, names=("Danish", "Norwegian"))
    fig.canvas.draw()
    boxes = {t.get_text(): t.get_window_extent() for t in fig.axes[0].texts}
    zero = fig.axes[0].transData.transform((0, 0))[0]
    left, right = zero - boxes["← Danish"].x1, boxes["Norwegian →"].x0 - zero
    assert 0 < left < 20
    assert abs(left - right) < 2
    plt.close(fig)
