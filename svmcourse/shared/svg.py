"""SVG of a matplotlib figure: compact, and with colours that turn over for a dark page."""
import base64
import io
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.artist import Artist
from matplotlib.figure import Figure

from svmcourse.shared.sheet import Sheet

PIXELS_PER_INCH = 96  # CSS pixels to an inch of figure
SHARPNESS = 2         # stored pixels to a CSS pixel where a picture, or a part of it, has pixels
CROWD = 700           # from this many markers or cells of one kind on, they are stored as pixels
LARGE = 200_000       # characters of an SVG above which its heaviest parts are stored as pixels
HEAVY = "heavy"       # attribute of a figure that is so large
GROUND, INK = "#15171a", "#e6e6e6"  # of the dark page

#: Colours of the book on paper -> on a dark page; other colours keep their hue and turn their lightness over.
DARK = {
    "#ffffff": GROUND, "#222222": INK, "#000000": INK, "#767676": "#a0a4aa",
    "#0072b2": "#5fb0ee", "#d55e00": "#f08a45", "#dceaf4": "#16293a", "#fbe6d6": "#3a2719",
    "#07a35b": "#4fe3a0", "#ac3472": "#dc8fb4", "#4830ac": "#9a62f5", "#793c00": "#f2e98a",
}

def dark(colour: str) -> str:
    """What a colour #rrggbb becomes on a dark page: the same hue, lightness turned over.

    >>> dark("#FFFFFF"), dark("#ededed")
    ('#15171a', '#2a2a2a')
    """
    colour = colour.lower()
    if colour in DARK:
        return DARK[colour]
    lab = _oklab(colour)
    lab[0] = 1.04 - 0.8 * lab[0]      # paper to the ground, ink to almost white
    if np.hypot(*lab[1:]) > 0.08:
        lab[0] = max(lab[0], 0.72)    # a colour that stands out goes on to do so
    while not (rgb := _linear(lab)).min() >= -1e-3 or not rgb.max() <= 1 + 1e-3:
        lab[1:] *= 0.95               # less colour until the screen can show it
    rgb = np.clip(rgb, 0, 1)
    coded = np.where(rgb <= 0.0031308, 12.92 * rgb, 1.055 * rgb ** (1 / 2.4) - 0.055)
    return "#" + "".join(f"{round(255 * c):02x}" for c in coded)


# OKLab: a lightness and two colour coordinates in which equal steps look equal (Ottosson, 2020).
_TO_CONES = np.array([[.4122214708, .5363325363, .0514459929], [.2119034982, .6806995451, .1073969566],
                      [.0883024619, .2817188376, .6299787005]])
_TO_LAB = np.array([[.2104542553, .7936177850, -.0040720468], [1.9779984951, -2.4285922050, .4505937099],
                    [.0259040371, .7827717662, -.8086757660]])


def _oklab(colour: str) -> np.ndarray:
    """OKLab coordinates of #rrggbb."""
    rgb = np.array([int(colour[i:i + 2], 16) for i in (1, 3, 5)]) / 255
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    return _TO_LAB @ np.cbrt(_TO_CONES @ linear)


def _linear(lab: np.ndarray) -> np.ndarray:
    """Linear red, green and blue of OKLab coordinates."""
    return np.linalg.solve(_TO_CONES, np.linalg.solve(_TO_LAB, lab) ** 3)


def size(figure: Figure) -> tuple[int, int]:
    """Width and height in CSS pixels."""
    width, height = (round(PIXELS_PER_INCH * inches) for inches in figure.get_size_inches())
    return width, height


def svg(figure: Figure) -> str:
    """The figure as it stands as a compact SVG whose colours turn over when its address ends in #dark.

    One that came out large has its heaviest parts stored as pixels, and is marked, so that its next form is drawn once.
    """
    if not getattr(figure, HEAVY, False):
        with _rasterised(_crowds(figure)):
            text = _save(figure)
        if len(text) <= LARGE:
            return text
        setattr(figure, HEAVY, True)
    with _rasterised([*_crowds(figure), *_heavy(figure)]):
        return _save(figure)


def _data(figure: Figure) -> Iterator[Artist]:
    """Lines and collections of all panels; a panel asked for all of its parts would make the ticks that it hides."""
    panels: list[Any] = list(figure.axes)
    for ax in panels:
        panels += ax.child_axes
        yield from (*ax.lines, *ax.collections)


def _crowds(figure: Figure) -> list[Artist]:
    """Artists of so many markers, or cells of a table, that pixels are lighter: not even tried as lines."""
    def many(artist: Any) -> bool:
        if isinstance(artist, plt.Line2D):
            return artist.get_marker() not in (None, "", "None", " ") and np.size(artist.get_xdata(orig=False)) > CROWD
        if isinstance(artist, mpl.collections.PathCollection):
            return bool(np.shape(artist.get_offsets())[0] > CROWD)
        return isinstance(artist, mpl.collections.QuadMesh) and np.asarray(artist.get_array()).size > CROWD

    return [artist for artist in _data(figure) if many(artist)]


def _heavy(figure: Figure) -> list[Artist]:
    """Meshes, surfaces, wire frames, filled contours and curves of many points."""
    kinds = (mpl.collections.PolyCollection, mpl.collections.LineCollection, mpl.collections.QuadMesh,
             mpl.contour.ContourSet)
    return [artist for artist in _data(figure) if isinstance(artist, kinds)]


@contextmanager
def _rasterised(artists: Iterable[Artist]) -> Iterator[None]:
    """Store these artists as pixels for a while."""
    before = [(artist, artist.get_rasterized()) for artist in artists]
    for artist, _ in before:
        artist.set_rasterized(True)
    yield
    for artist, was in before:
        artist.set_rasterized(was)


def _save(figure: Figure) -> str:
    """SVG without what a page does not need."""
    buffer, canvas = io.StringIO(), figure.canvas
    Sheet(figure)
    with mpl.rc_context({"svg.fonttype": "path", "svg.hashsalt": "svmlib"}):
        figure.savefig(buffer, format="svg", transparent=True, bbox_inches=None, dpi=PIXELS_PER_INCH * SHARPNESS,
                       metadata=dict.fromkeys(("Date", "Creator", "Format", "Type")))
    figure.set_canvas(canvas)
    text = re.sub(r"(data:image/png;base64,)([^\"]+)", lambda m: m[1] + _fewer_colours(m[2]), buffer.getvalue())
    return _themed(_compact(text), size(figure))


@lru_cache(maxsize=8)    # the frames of a figure often hold one picture
def _fewer_colours(coded: str, most: int = 8000) -> str:
    """Reduce a PNG inside of an SVG to its 256 most frequent colours, where it is large; the others become the nearest.

    Pale neighbours stay apart, as an octree's do not.
    """
    from PIL import Image
    from scipy.spatial import KDTree

    if len(coded) < most:
        return coded
    small = io.BytesIO()
    with Image.open(io.BytesIO(base64.b64decode(coded))) as image:
        full = image.convert("RGBA")
    packed = np.ascontiguousarray(full).view(">u4").ravel().astype(np.uint32)  # one number a pixel: sorted at once
    numbers, index, counts = np.unique(packed, return_inverse=True, return_counts=True)
    colours = numbers.astype(">u4").view(np.uint8).reshape(-1, 4)
    kept = colours[np.sort(np.argsort(-counts, kind="stable")[:256])]
    nearest = KDTree(kept).query(colours)[1][index]
    reduced = Image.fromarray(nearest.reshape(full.height, full.width).astype(np.uint8), "P")
    reduced.putpalette(kept.astype(np.uint8).tobytes(), "RGBA")
    reduced.save(small, "PNG", optimize=True)
    return base64.b64encode(small.getvalue()).decode()


def _compact(text: str) -> str:
    """Drop prolog, metadata, comments and names; shorten paths."""
    text = text[text.index("<svg"):]
    text = re.sub(r"<metadata>.*?</metadata>|<!--.*?-->", "", text, flags=re.S)
    text = re.sub(r'<g id="[^"]*">', "<g>", text)
    text = re.sub(r'\bd="([^"]*)"', lambda m: f'd="{_path(m[1])}"', text)
    text = re.sub(r"-?\d+\.\d{3,}", lambda m: _number(float(m[0]), 2 if abs(float(m[0])) >= 1 else 6), text)
    text = re.sub(r"stroke-miterlimit: \d+;? ?", "", text)
    text = re.sub(r"(?<=[:;]) | (?=/>)", "", text)
    text = re.sub(r">\s+<", "><", text)
    return re.sub(r"\s+", " ", text)


def _number(value: float, decimals: int = 2) -> str:
    """A number with this many decimals at most, as short as can be."""
    text = f"{value:.{decimals}f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


@lru_cache(maxsize=2000)    # letters come again and again
def _path(d: str) -> str:
    """A path with two decimals, without the points that lie on a straight line between their neighbours."""
    tokens = re.findall(r"[A-Za-z]|-?\d+(?:\.\d+)?(?:e-?\d+)?", d)
    parts: list[str] = []
    run: list[tuple[float, float]] = []

    def flush() -> None:
        if run:
            kept = _straightened(run)
            parts.append("".join(("L" if k else "M") + f"{_number(x)} {_number(y)}"
                                 for k, (x, y) in enumerate(kept)))
            run.clear()

    k = 0
    while k < len(tokens):
        command = tokens[k]
        count = {"M": 2, "L": 2, "Q": 4, "C": 6}.get(command, 0)
        numbers = [float(t) for t in tokens[k + 1:k + 1 + count]]
        if command == "M":
            flush()
            run.append((numbers[0], numbers[1]))
        elif command == "L" and run:
            run.append((numbers[0], numbers[1]))
        else:
            flush()
            parts.append(command + " ".join(map(_number, numbers)))
        k += 1 + count
    flush()
    return "".join(parts)


def _straightened(points: list[tuple[float, float]], tolerance: float = 0.05) -> list[tuple[float, float]]:
    """The points of a polygon without those that lie on the way between their neighbours."""
    kept, table = points[:1], np.array(points)
    start = 0
    for k in range(1, len(points) - 1):
        (x0, y0), (x1, y1) = points[start], points[k + 1]
        u, v = x1 - x0, y1 - y0
        length = (u * u + v * v) ** 0.5
        far = tolerance * length
        if k - start > 25:   # from here on arrays are faster
            x, y = (table[start + 1:k + 1] - table[start]).T
            along, across = u * x + v * y, np.abs(u * y - v * x)
            strays = bool((across > far).any() or (along < 0).any() or (along > length * length).any())
        else:
            strays = any(abs(u * (y - y0) - v * (x - x0)) > far or
                         not 0 <= u * (x - x0) + v * (y - y0) <= length * length for x, y in points[start + 1:k + 1])
        if strays:
            kept.append(points[k])
            start = k
    return kept + points[1:][-1:]


def _themed(text: str, pixels: tuple[int, int]) -> str:
    """Replace colours by variables that have a light and a dark value, and set the size in pixels."""
    colours = sorted(set(re.findall(r"(?<=[:\"])#[0-9a-f]{6}\b", text)))
    names = {colour: f"--c{k}" for k, colour in enumerate(colours)}
    text = re.sub(r"(?<=[:\"])#[0-9a-f]{6}\b", lambda m: f"var({names[m[0]]})", text)
    light = "".join(f"{names[c]}:{c};" for c in colours)
    turned = "".join(f"{names[c]}:{dark(c)};" for c in colours)
    rule = (f"<style>:root{{{light}}}:root:target{{fill:{INK};{turned}}}"
            ":root:target image{filter:invert(.92) hue-rotate(180deg)}</style>")
    head, rest = text.split(">", 1)
    box: Any = re.search(r'viewBox="[^"]*"', head)
    link = ' xmlns:xlink="http://www.w3.org/1999/xlink"' if "xlink:" in rest else ""
    return (f'<svg xmlns="http://www.w3.org/2000/svg"{link} id="dark" width="{pixels[0]}" height="{pixels[1]}" '
            f"{box[0]}>{rule}{rest}")


def plain(text: str) -> str:
    """Such an SVG with its light colours written out, for programs that know no variables of a style sheet.

    >>> plain('<svg id="dark"><style>:root{--c0:#fff000;}:root:target{--c0:#000;}</style><g fill="var(--c0)"/></svg>')
    '<svg><g fill="#fff000"/></svg>'
    """
    found: Any = re.fullmatch(r"(<svg [^>]*>)<style>(.*?)</style>(.*)", text, re.S)
    light = dict(re.findall(r"(--c\d+):(#[0-9a-f]{6})", found[2].partition("}")[0]))
    return found[1].replace(' id="dark"', "") + re.sub(r"var\((--c\d+)\)", lambda m: light[m[1]], found[3])
