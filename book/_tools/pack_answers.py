"""Build step of svmlib: what checks need of the solved notebooks goes into the package, packed.

`pyproject.toml` names it, so that each way to build a wheel takes it.  See `svmlib/classroom/checking/sources.py`.
"""
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

from setuptools.command.build_py import build_py

ROOT = Path(__file__).resolve().parents[2]


def load_sources() -> Any:
    """The module alone: svmlib itself cannot be imported while it is built."""
    spec = spec_from_file_location("sources", ROOT / "svmlib" / "classroom" / "checking" / "sources.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class BuildPy(build_py):
    """Copy the modules, and write the packed answers beside them; an installation for work on svmlib needs none."""

    def run(self) -> None:
        """Run the step."""
        super().run()
        if self.editable_mode:
            return
        sources = load_sources()
        for exercise in sources.exercises(ROOT):
            target = Path(self.build_lib) / sources.folder_of(exercise) / "answers.bin"
            target.write_bytes(sources.packed(sources.written(ROOT, exercise)))
