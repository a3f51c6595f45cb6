"""The tools of exercises live beside the book; tests import them from there."""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "book" / "_tools"))
