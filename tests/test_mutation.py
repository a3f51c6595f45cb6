"""The mutants of tests/mutation.py: one place is changed, in the functions that are named, and all of these exist."""
import ast

import mutation
import pytest

CODE = """def f(a, b: int | None = 0.5):
    b += not a
    return np.minimum(a + 1, 0.5) if a < b and a else -max(a, b)"""
CHANGES = [
    "b += not a  =>  b -= not a", "not a  =>  a", "a < b and a  =>  a < b or a", "a < b  =>  a <= b",
    "a + 1  =>  a - 1", "np.minimum(a + 1, 0.5)  =>  a + 1", "np.minimum(a + 1, 0.5)  =>  np.maximum(a + 1, 0.5)",
    "1  =>  2", "0.5  =>  1.0", "-max(a, b)  =>  max(a, b)", "max(a, b)  =>  a", "max(a, b)  =>  min(a, b)"]


def changed(code: str, names: str, number: int) -> tuple[str, str, int]:
    """The code with a change, where it is, and how many there are."""
    change = mutation.Change(names, number)
    text = ast.unparse(ast.fix_missing_locations(change.visit(ast.parse(code))))
    return text, change.where, change.count


def test_every_place_has_its_changes_and_one_is_made_at_a_time() -> None:
    count = changed(CODE, "f", -1)[2]
    seen = [changed(CODE, "f", number) for number in range(count)]
    assert sorted(where.partition(": ")[2] for _, where, _ in seen) == sorted(CHANGES)
    plain = ast.unparse(ast.parse(CODE))
    for text, where, _ in seen:
        old, new = where.partition(": ")[2].split("  =>  ")
        assert text != plain
        assert new in text or new == "a"
        assert text.partition("\n")[0] == plain.partition("\n")[0]        # neither defaults nor annotations
        assert old in plain
    assert changed(CODE, "g", 0) == (plain, "", 0)


@pytest.mark.parametrize("file", mutation.TARGETS)
def test_the_functions_that_are_changed_exist(file: str) -> None:
    tree = ast.parse((mutation.ROOT / file).read_text(encoding="utf8"))
    defined = {node.name: ast.unparse(node) for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
    for name in mutation.TARGETS[file][0].split() or defined:
        assert name in defined
    assert sum(changed(code, name, -1)[2] for name, code in defined.items()) > 0
    for path in mutation.TARGETS[file][1]:
        assert path.startswith("tests/") is (mutation.ROOT / path).is_file()
