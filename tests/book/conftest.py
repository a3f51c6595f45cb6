"""The tools of the book lie beside its pages; tests import them from there."""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "book" / "_tools"))
