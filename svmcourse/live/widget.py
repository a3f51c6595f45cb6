"""Live figures in a running notebook: anywidget carries the figure's JavaScript and keeps both sides the same."""
import base64
import html
import re
import unicodedata
from typing import Any

import anywidget
import numpy as np
import traitlets

from svmcourse.live.settings import kernel_of, settings_of, summary
from svmcourse.live.sources import joined, style
from svmcourse.shared.frames import prose
from svmlib.kernels import Kernel
from svmlib.validation import as_points


def _list(value: Any, widget: object) -> Any:
    return np.asarray(value).tolist()


def _array(value: Any, widget: object) -> np.ndarray:
    return np.asarray(value, dtype=float)


def letters(tex: str) -> str:
    r"""Mathematics of a caption as HTML: notebooks set no TeX in a widget, so it is letters and indices alone.

    >>> letters(r"\alpha_i = C")
    '<i>α</i><sub><i>i</i></sub> = <i>C</i>'

    Raises ValueError for a TeX command that is not a Greek letter.
    """
    def greek(found: re.Match[str]) -> str:
        name = re.sub("(?i)lambda", lambda m: m[0].replace("b", ""), found[1])     # as Unicode spells it
        try:
            return unicodedata.lookup(f"GREEK {'SMALL' if name.islower() else 'CAPITAL'} LETTER {name}")
        except KeyError:
            raise ValueError("caption must hold letters, Greek letters and indices between its $, "
                             f"got {tex!r}") from None

    text = re.sub(r"[^\W\d_]|[&<>]", lambda m: f"<i>{m[0]}</i>" if m[0].isalpha() else html.escape(m[0]),
                  re.sub(r"\\([a-zA-Z]+) ?", greek, tex))
    return re.sub(r"([_^])(?:\{([^}]*)\}|(<i>.</i>|.))",
                  lambda m: f"<{(tag := {'_': 'sub', '^': 'sup'}[m[1]])}>{m[2] or m[3]}</{tag}>", text)


class LiveFigure(anywidget.AnyWidget):
    """A live figure of any kind; `setting` is what its JavaScript says has changed, and changes it where assigned."""

    _esm = traitlets.Unicode(joined()).tag(sync=True)
    _css = traitlets.Unicode(style()).tag(sync=True)
    _caption = traitlets.Unicode().tag(sync=True)
    state = traitlets.Dict().tag(sync=True)
    setting = traitlets.Dict().tag(sync=True)

    def __init__(self, state: dict[str, Any], png: bytes, size: tuple[int, int], caption: str = "") -> None:
        self._png, self._size = png, size
        parts = caption.split("$")         # prose, mathematics, prose, …
        super().__init__(state=state, _caption="".join(letters(part) if k % 2 else prose(part)
                                                       for k, part in enumerate(parts)))

    def __repr__(self) -> str:
        return summary(self.state)

    def _repr_mimebundle_(self, **kwargs: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        """The widget, and the picture for a reader who does not run the notebook."""
        bundle: Any = super()._repr_mimebundle_(**kwargs) or {}
        data = bundle[0] if isinstance(bundle, tuple) else bundle
        data = {**data, "text/plain": repr(self), "image/png": base64.b64encode(self._png).decode()}
        return data, {"image/png": {"width": self._size[0], "height": self._size[1], "alt": self.state["alt"]}}


class LiveMachine(LiveFigure):
    """The machine of points in the plane; X, y, kernel and C follow the reader's hand, and can be set.

    A point is moved by a new array, `stage.X = X`: nobody watches the entries of the old one.  Where points come or go,
    X and y change together: `with stage.hold_sync(): stage.X, stage.y = X, y`.
    """

    X = traitlets.Any().tag(sync=True, to_json=_list, from_json=_array)
    y = traitlets.Any().tag(sync=True, to_json=_list, from_json=_array)
    kernel = traitlets.Instance(Kernel).tag(sync=True, to_json=lambda kernel, _: settings_of(kernel),
                                            from_json=lambda value, _: kernel_of(value))
    C = traitlets.Float().tag(sync=True)

    def __init__(self, state: dict[str, Any], png: bytes, size: tuple[int, int], caption: str = "") -> None:
        self.set_trait("X", np.array(state["points"], float))
        self.set_trait("y", np.array(state["labels"], float))
        self.set_trait("kernel", kernel_of(state["kernel"]))
        self.set_trait("C", state["C"])
        super().__init__(state, png, size, caption)

    @traitlets.validate("X")
    def _check_points(self, proposal: Any) -> np.ndarray:
        X = as_points(proposal["value"], "X") if len(proposal["value"]) else np.zeros((0, 2))
        if X.shape[1] != 2:
            raise ValueError(f"X must have shape (n, 2), got {X.shape}")
        return X

    @traitlets.validate("y")
    def _check_labels(self, proposal: Any) -> np.ndarray:
        y = np.asarray(proposal["value"], dtype=float)
        if y.ndim != 1 or not np.all(np.abs(y) == 1):
            raise ValueError(f"y must hold the labels -1 and +1 only, got {proposal['value']!r}")
        return y

    @traitlets.validate("C")
    def _check_bound(self, proposal: Any) -> float:
        if not 0 < proposal["value"] < np.inf:
            raise ValueError(f"C must be positive and finite, got {proposal['value']!r}")
        return proposal["value"]
