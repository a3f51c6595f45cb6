"""The house: each floor imports from floors below it only, also inside functions, and nothing in a circle.

svmlib knows nothing of the course; svmcourse stands on svmlib; the book and its tools know both.
"""
import ast
from functools import cache
from pathlib import Path

import pytest

TOP = Path(__file__).resolve().parents[1]
CHAPTERS = {notebook.stem[3:] for notebook in (TOP / "notebooks").glob("*.ipynb")}
#: Floor of each room or module: the lowest that its imports allow, which a test below says, too.
FLOORS = {
    "svmlib": {"validation": 0, "restoring": 0, "compilation": 0, "threads": 0, "kernels": 1, "data": 1, "bounds": 1,
               "model_selection": 1, "baselines": 1, "dual": 2, "engine": 3, "solvers": 4, "svc": 5,
               "auditing": 6, "__main__": 7},
    "svmcourse": {"shared": 0, "live": 1, "checking": 1, "chapters": 2, "fifteen_minutes": 3, "front": 4}}
ROOMS = [f"{package}.{room}" for package, rooms in FLOORS.items() for room in rooms]


def module_name(file: Path) -> str:
    """svmlib.dual.problem, say; a package is its __init__."""
    parts = file.relative_to(TOP).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module_name(file): file for package in FLOORS for file in (TOP / package).rglob("*.py")}
INSIDE = sorted(set(MODULES) - set(FLOORS))


@cache
def parsed(name: str) -> ast.Module:
    """The source of a module, as Python reads it."""
    return ast.parse(MODULES[name].read_text())


def imported(tree: ast.AST) -> set[str]:
    """Modules of the packages that a source imports, be it inside a function."""
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
    return out - {"", *FLOORS}


@cache
def needs(name: str) -> set[str]:
    """Modules of the packages that a module imports."""
    return imported(parsed(name))


def room(name: str) -> str:
    """The room, or module on the stairs, of a module, such as svmlib.dual; all chapters are one room."""
    package, part = name.split(".")[:2]
    return f"{package}.chapters" if package == "svmcourse" and part in CHAPTERS else f"{package}.{part}"


def floor(name: str) -> tuple[str, int]:
    """Package and floor of a module's room."""
    package, part = room(name).split(".")
    return package, FLOORS[package][part]


def arrows_up(name: str, targets: set[str]) -> list[str]:
    """The imports of a module that do not go down, or stay in its room; the course stands above svmlib."""
    (package, height), found = floor(name), []
    for target in targets:
        other, below = floor(target)
        down = below < height if other == package else other == "svmlib"
        if room(target) != room(name) and not down:
            found.append(target)
    return sorted(found)


@pytest.mark.parametrize("name", INSIDE)
def test_imports_go_down(name):
    assert arrows_up(name, needs(name)) == []


@pytest.mark.parametrize("name", [name for name in INSIDE if name.startswith("svmlib.")])
def test_the_front_door_is_for_guests(name):
    """Who imports svmlib itself, or relatively, could reach any floor without being seen above."""
    for node in ast.walk(parsed(name)):
        assert not (isinstance(node, ast.ImportFrom) and (node.level or node.module in FLOORS))
        assert not (isinstance(node, ast.Import) and set(FLOORS) & {alias.name for alias in node.names})


@pytest.mark.parametrize("name", MODULES)
def test_neither_package_knows_the_book(name):
    """What makes a site, a kit and a class of the course stands above both, as do tests and benchmarks."""
    above = {path.stem for folder in ("book/_ext", "book/_tools", "tests") for path in (TOP / folder).glob("*.py")}
    above |= {"book", "tests", "benchmarks", "grading"}
    for node in ast.walk(parsed(name)):
        names = ([alias.name for alias in node.names] if isinstance(node, ast.Import) else
                 [node.module or ""] if isinstance(node, ast.ImportFrom) and not node.level else [])
        assert not above & {word.partition(".")[0] for word in names}


def test_every_room_has_the_lowest_floor_that_its_imports_allow():
    below: dict[str, set[int]] = {room(name): set() for name in INSIDE}
    assert set(below) == set(ROOMS)
    for name in INSIDE:
        package, _ = floor(name)
        below[room(name)] |= {floor(target)[1] for target in needs(name)
                              if room(target) != room(name) and floor(target)[0] == package}
    found = {name: max(floors, default=-1) + 1 for name, floors in below.items()}
    assert found == {f"{package}.{part}": height for package, rooms in FLOORS.items() for part, height in rooms.items()}


def test_every_folder_with_modules_is_a_package():
    """Else its modules have two names, and a wheel may lack them."""
    folders = {file.parent for file in MODULES.values()}
    assert [folder.relative_to(TOP).as_posix() for folder in folders if not (folder / "__init__.py").exists()] == []


def test_tests_mirror_the_rooms():
    """A folder of tests for each room, a file of tests for each module on the stairs."""
    tests, house = TOP / "tests" / "svmlib", TOP / "svmlib"
    rooms = {folder.name for folder in house.iterdir() if (folder / "__init__.py").exists()}
    assert rooms <= {folder.name for folder in tests.iterdir() if any(folder.glob("**/test_*.py"))}
    modules = {file.stem for file in house.glob("*.py")} - {"__init__"}
    assert {f"test_{module}.py" for module in modules} <= {file.name for file in tests.glob("test_*.py")}


def test_a_chapter_is_one_folder():
    """What belongs to a chapter stands in the folder of its notebook's name without the number; so do its tests."""
    for folder, files in ((TOP / "svmcourse", ("figures.py", "questions.json", "checks.py")),
                          (TOP / "tests" / "course", ("quiz_answers_*.py", "test_checks_*.py"))):
        for file in files:
            assert {path.parent.name for path in folder.glob(f"*/{file}")} == CHAPTERS, file


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
    assert arrows_up("svmlib.bounds", {"svmcourse.shared.plotting"}) == ["svmcourse.shared.plotting"]
    assert arrows_up("svmcourse.smo.figures", {"svmlib.svc", "svmcourse.shared.svg", "svmcourse.mnist.runs"}) == []
    assert arrows_up("svmcourse.shared.svg", {"svmcourse.live"}) == ["svmcourse.live"]


def test_no_import_of_underscore_names():
    """What another room needs has a name without an underscore."""
    for name in MODULES:
        for node in ast.walk(parsed(name)):
            if isinstance(node, ast.ImportFrom) and node.module and node.module.partition(".")[0] in FLOORS:
                hidden = [alias.name for alias in node.names if alias.name.startswith("_") and alias.name != "__all__"]
                assert not hidden, f"{name} imports {hidden} from {node.module}"


def test_files_are_short():
    long = {name: n for name, file in MODULES.items() if (n := len(file.read_text().splitlines())) > 300}
    assert not long
