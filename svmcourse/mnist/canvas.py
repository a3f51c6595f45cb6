"""The canvas of chapter 15: the live figure, and the picture that stands for it."""
import base64
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from svmcourse import live
from svmcourse.mnist import figures, hand, reader
from svmcourse.shared import plotting as pl

FIRST, SECOND, OTHERS = pl.COLORS[0], pl.POSITIVE, "#949494"


def canvas(start: str = "a seven", **words: Any) -> Any:
    """The live figure, which starts with one of `reader.drawings()`.  words: alt, caption and name of `live.figure`."""
    drawings = reader.drawings()
    machine = base64.b64encode(reader.FILE.read_bytes()).decode()
    return live.figure("digits", {"drawings": drawings, "start": start}, lambda: picture(drawings[start]),
                       running={"machine": machine}, **words)


def picture(strokes: hand.Strokes) -> Figure:
    """A drawing, what the machine sees of it, the 45 lamps, and the votes."""
    image, machine = hand.seen(strokes), reader.stored()
    votes = machine.votes(image[None])[0]
    first, second = reader.ranked(votes)
    fig, ((paper, lamps), (seen, bars)) = pl.axes(2, 2, width=6.2, height=5.2, height_ratios=[3, 2])
    for stroke in strokes:
        paper.plot(*np.transpose(stroke), color=pl.INK, lw=6, solid_capstyle="round", solid_joinstyle="round")
    paper.set(xlim=(0, 1), ylim=(1, 0), xticks=[], yticks=[], aspect="equal", title="a drawing")
    paper.spines[:].set_visible(True)
    figures.show(seen, image.reshape(hand.SIDE, hand.SIDE))
    seen.set_title("what the machine sees")
    draw_lamps(lamps, machine.decision(image[None])[0], first, second)
    bars.bar(range(10), votes, color=[FIRST if d == first else SECOND if d == second else OTHERS for d in range(10)])
    bars.set(xticks=range(10), yticks=(0, 3, 6, 9), title=f"votes: it reads a {first}")
    return fig


def draw_lamps(ax: Axes, f: np.ndarray, first: int, second: int) -> None:
    """A triangle over the pairs of digits: each lamp names the winner of its pair; those of the first are framed."""
    for (p, q), value in zip(reader.PAIRS, f, strict=True):
        winner = p if value > 0 else q
        colour = FIRST if winner == first else SECOND if winner == second else OTHERS
        framed = first in (p, q)
        ax.scatter(q, p, s=150, color=colour, alpha=0.4, linewidths=0)
        if framed:
            ax.scatter(q, p, s=150, facecolors="none", edgecolors=pl.INK, linewidths=1.4)
        ax.text(q, p, str(winner), ha="center", va="center_baseline", fontsize=9, color=pl.INK, in_layout=False)
    for digit in range(10):
        ax.text(digit, digit, str(digit), ha="center", va="center_baseline", fontsize=10, fontweight="bold",
                color=pl.INK, in_layout=False)
    ax.set(xlim=(-0.6, 9.6), ylim=(9.6, -0.6), aspect="equal", title="45 machines")
    ax.set_axis_off()
