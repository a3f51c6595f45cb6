"""What the Predict boxes of this chapter ask, computed."""
import json
import re
from pathlib import Path

CHAPTER = Path(__file__).resolve().parents[3] / "notebooks/12_why_margins_generalise.ipynb"


def answers() -> list[float | str]:
    return [learned_from_a_coin(), broken_promises()]


def stored(cell_id: str) -> str:
    """What a cell of the chapter prints, which nbval guards."""
    cells = json.loads(CHAPTER.read_text(encoding="utf8"))["cells"]
    [cell] = [cell for cell in cells if cell["id"] == cell_id]
    return "".join("".join(output.get("text", "") or output["data"]["text/plain"]) for output in cell["outputs"])


def learned_from_a_coin() -> str:
    """The machine that misreads about half of the fresh digits."""
    wrong = {name: float(share) for name, share in
             re.findall(r"(machine \w) .* ([\d.]+)%", stored("coin-numbers"))}
    assert len(wrong) == 2
    assert max(wrong.values()) > 40
    return max(wrong, key=wrong.__getitem__)


def broken_promises() -> float:
    """The machines of 45 that err more often than their support vectors promise."""
    [broken] = re.findall(r"broken: (\d+) of 45", stored("promise-numbers"))
    return float(broken)
