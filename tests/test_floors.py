"""The house: each floor of svmlib imports from floors below it only, also inside functions, and nothing in a circle."""
import ast
from functools import cache
from pathlib import Path

import pytest

import svmlib

HOUSE = Path(svmlib.__file__).parent
#: Floor of each room or module: the lowest that its imports allow, which a test below says, too.
FLOORS = {"validation": 0, "restoring": 0, "compilation": 0, "threads": 0, "kernels": 1, "data": 1, "bounds": 1,
          "model_selection": 1, "baselines": 1, "dual": 2, "engine": 3, "solvers": 4, "svc": 5, "classroom": 6}


def module_name(file: Path) -> str:
    """svmlib.dual.problem, say; a package is its __init__."""
    parts = file.relative_to(HOUSE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module_name(file): file for file in HOUSE.rglob("*.py")}


@cache
def parsed(name: str) -> ast.Module:
    """The source of a module, as Python reads it."""
    return ast.parse(MODULES[name].read_text())


def imported(tree: ast.AST) -> set[str]:
    """Modules of svmlib that a source imports, be it inside a function."""
    out: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        else:
            names = []
        for name in names:
            out.add(max((module for module in MODULES if f"{name}.".startswith(f"{module}.")), key=len, default=""))
    return out - {"", "svmlib"}


@cache
def needs(name: str) -> set[str]:
    """Modules of svmlib that a module imports."""
    return imported(parsed(name))


def room(name: str) -> str:
    """The room, or module on the stairs, of a module: the second part of its name."""
    return name.split(".")[1]


def arrows_up(name: str, targets: set[str]) -> list[str]:
    """The imports of a module that do not go down, or stay in its room."""
    here = room(name)
    return sorted(target for target in targets if room(target) != here and FLOORS[room(target)] >= FLOORS[here])


@pytest.mark.parametrize("name", sorted(set(MODULES) - {"svmlib"}))
def test_imports_go_down(name):
    assert arrows_up(name, needs(name)) == []


@pytest.mark.parametrize("name", sorted(name for name in MODULES if name != "svmlib" and room(name) != "classroom"))
def test_the_front_door_is_for_guests(name):
    """Who imports svmlib itself, or relatively, could reach any floor without being seen above."""
    for node in ast.walk(parsed(name)):
        assert not (isinstance(node, ast.ImportFrom) and (node.level or node.module == "svmlib"))
        assert not (isinstance(node, ast.Import) and "svmlib" in {alias.name for alias in node.names})


def test_every_room_has_the_lowest_floor_that_its_imports_allow():
    below: dict[str, set[int]] = {room(name): set() for name in MODULES if name != "svmlib"}
    assert set(below) == set(FLOORS)
    for name in set(MODULES) - {"svmlib"}:
        others = {room(target) for target in needs(name)} - {room(name)}
        below[room(name)] |= {FLOORS[other] for other in others}
    assert {name: max(floors, default=-1) + 1 for name, floors in below.items()} == FLOORS


def test_tests_mirror_the_rooms():
    """A folder of tests for each room, a file of tests for each module on the stairs."""
    tests = Path(__file__).parent
    rooms = {folder.name for folder in HOUSE.iterdir() if (folder / "__init__.py").exists()}
    assert rooms <= {folder.name for folder in tests.iterdir() if any(folder.glob("**/test_*.py"))}
    modules = {file.stem for file in HOUSE.glob("*.py")} - {"__init__"}
    assert {f"test_{module}.py" for module in modules} <= {file.name for file in tests.glob("test_*.py")}


def test_a_chapter_is_one_folder():
    """What belongs to a chapter stands in the folder of its notebook's name without the number; so do its tests."""
    top = HOUSE.parent
    chapters = {notebook.stem[3:] for notebook in (top / "notebooks").glob("*.ipynb")}
    for folder, files in ((HOUSE / "classroom", ("figures.py", "questions.json", "checks.py")),
                          (top / "tests" / "classroom", ("quiz_answers_*.py", "test_checks_*.py"))):
        for file in files:
            assert {path.parent.name for path in folder.glob(f"*/{file}")} == chapters, file


def test_no_circle():
    """No module imports itself on the way, be it inside a function."""
    done: set[str] = set()

    def walk(path: list[str]) -> None:
        """Depth first; a name that is met twice on one path is a circle."""
        for target in sorted(needs(path[-1]) - {path[-1]}):
            assert target not in path, " -> ".join([*path[path.index(target):], target])
            if target not in done:
                walk([*path, target])
        done.add(path[-1])

    for name in sorted(MODULES):
        walk([name])


def test_a_door_that_goes_up_is_found():
    source = ast.parse("def f():\n    from svmlib.dual import DualProblem\n    import svmlib.svc.estimator\n")
    assert arrows_up("svmlib.kernels.vectors", imported(source)) == ["svmlib.dual", "svmlib.svc.estimator"]
    assert arrows_up("svmlib.solvers.smo", {"svmlib.dual", "svmlib.engine.pairs", "svmlib.validation"}) == []


def test_no_import_of_underscore_names():
    """What another room needs has a name without an underscore."""
    for name in MODULES:
        for node in ast.walk(parsed(name)):
            if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("svmlib"):
                hidden = [alias.name for alias in node.names if alias.name.startswith("_") and alias.name != "__all__"]
                assert not hidden, f"{name} imports {hidden} from {node.module}"


def test_files_are_short():
    long = {name: n for name, file in MODULES.items() if (n := len(file.read_text().splitlines())) > 300}
    assert not long
