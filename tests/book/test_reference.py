"""The reference names what svmlib offers, all of it, and each chapter that it points to uses the name."""
import ast
import importlib
import inspect
import json
import re
from pathlib import Path

import pytest
from plainmath import runs
from reference import anchor, chapter_files, home, members, named, set_docstring, signature, words
from sphinx import addnodes
from test_docstrings import API, public

import svmlib
from svmlib.svc.scikit_learn import PAGE as PAGE_OF_ERRORS

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "book" / "reference.md").read_text(encoding="utf8")
ENTRIES = {(module, name): chapter
           for module, body in re.findall(r"```\{reference\} (\S+)\n(.*?)```", PAGE, re.S)
           for name, chapter in named(body.splitlines())}
CHAPTERS = chapter_files(ROOT)
#: Modules all of whose public names are on the page; of the solvers' files, what chapters and the contract name.
WHOLE = ["svmlib", "svmlib.kernels", "svmlib.kernels.feature_maps", "svmlib.dual", "svmlib.solvers", "svmlib.svc",
         "svmlib.svc.multiclass", "svmlib.auditing", "svmlib.model_selection", "svmlib.baselines", "svmlib.bounds",
         "svmlib.data", "svmlib.data.digits", "svmcourse"]
#: Names that chapters explain without ever writing them: they come with others, named here.
COMES_WITH = {"Sum": "+", "Product": "kernel", "Scaled": "kernel", "Mapped": "kernel", "Constant": "kernel",
              "Function": "kernel", "as_kernel": "kernel", "PSDReport": "eigenvalue", "FEW": "coordinates",
              "KernelPoints": "rows", "AT_BOUND": "bound", "Solution": "solve", "ActiveSetResult": "minimize_qp",
              "QPResult": "qp", "InfeasibleError": "feasible", "UnboundedError": "constraint", "PrimalResult": "primal",
              "choose_solver": "solver", "worth_sharing": "solver", "SOLVERS": "solve", "WARM_STARTS": "start",
              "BinaryMachine": "pair", "class_pairs": "pair", "coefficients": "pair", "rest_tasks": "pair",
              "pair_tasks": "pair", "pair_indices": "pair",
              "Audit": "audit", "ProblemAudit": "audit", "read_model": "audit", "read_data": "audit",
              "vote_confidence": "votes", "SearchResult": "grid_search", "DiscOptimum": "best_on_noisy_disc",
              "LinearRule": "exponential_bayes_rule", "MNISTError": "MNIST", "plotting": "draw"}


def objects():
    """The objects on the page, by identity: a name that two modules offer stands there once."""
    return {id(getattr(importlib.import_module(module), name)) for module, name in ENTRIES}


def text(chapter, folder="notebooks"):
    """The words of a chapter, or of its exercises, code and prose."""
    path = ROOT / folder / f"{CHAPTERS[chapter].removeprefix('notebooks/')}.ipynb"
    cells = json.loads(path.read_text(encoding="utf8"))["cells"]
    return "\n".join("".join(cell["source"]) for cell in cells)


def imported():
    """What chapters import from svmlib."""
    found = set()
    for number in CHAPTERS:
        cells = json.loads((ROOT / f"{CHAPTERS[number]}.ipynb").read_text(encoding="utf8"))["cells"]
        for cell in cells:
            source = "".join(cell["source"])
            if cell["cell_type"] != "code" or source.lstrip().startswith("%"):
                continue
            for node in ast.walk(ast.parse(source)):
                if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("svmlib"):
                    found |= {(node.module, alias.name) for alias in node.names}
    return found


@pytest.mark.parametrize("module", WHOLE)
def test_no_public_name_is_missing(module):
    there = objects()
    assert [name for name in public(importlib.import_module(module))
            if id(getattr(importlib.import_module(module), name)) not in there] == []


def test_what_chapters_import_and_the_contract_names_is_on_the_page():
    there = objects()
    values = {f"{module}.{name}": getattr(importlib.import_module(module), name, None) for module, name in imported()}
    values |= {name: getattr(importlib.import_module(name.rpartition(".")[0]), name.rpartition(".")[2]) for name in API}
    assert len(values) > 60
    assert sorted(name for name, value in values.items()
                  if callable(value) and id(value) not in there) == []


@pytest.mark.parametrize(("module", "name"), ENTRIES, ids=lambda value: value)
def test_the_chapter_that_is_named_has_the_name(module, name):
    chapter, word = ENTRIES[module, name], rf"(?<!\w){re.escape(COMES_WITH.get(name, name))}"
    assert re.search(word, text(chapter)) or re.search(word, text(chapter, "notebooks/exercises"))


def test_chapters_that_write_a_name_need_no_other_word():
    for (_, name), chapter in ENTRIES.items():
        if name in COMES_WITH:
            assert not re.search(rf"\b{name}\b", text(chapter)), name


def test_docstrings_are_set_as_they_stand():
    found = set_docstring(inspect.getdoc(svmlib.SVC))
    assert {node.tagname for node in found} == {"paragraph", "definition_list", "literal_block"}
    terms = [term.astext() for node in found for term in node.findall(lambda n: n.tagname == "term")]
    assert terms[0] == "kernel Kernel, function, str or None"
    fitted = svmlib.SVC("linear").fit([[0.0], [2.0]], [0, 1])
    public_ = {name for name in vars(fitted) if name[0] != "_"}
    assert {*fitted.get_params(), *public_} <= {name.strip(",") for term in terms for name in term.split()}
    assert [name for name, _ in members(svmlib.SVC)][:3] == ["coef_", "decision_function", "fit"]
    assert signature("SVR", svmlib.SVR).startswith('SVR(kernel=None, C=1.0, epsilon=0.1, solver="auto",')
    assert anchor("svmlib", "SVC") == "svmlib-svc"


@pytest.mark.parametrize(("module", "name"), ENTRIES, ids=lambda value: value)
def test_each_name_has_a_file_at_home(module, name):
    """Of which the page depends; a module may be beside folders without an __init__.py."""
    assert Path(inspect.getsourcefile(home(getattr(importlib.import_module(module), name), module, name))).exists()


def test_the_page_that_errors_name_is_there():
    title = (ROOT / "book" / "svmlib.md").read_text(encoding="utf8").splitlines()[0].removeprefix("# ")
    assert f'the page "{title}" of the book' == PAGE_OF_ERRORS


def test_an_equation_of_a_docstring_is_a_link_to_it():
    found = words("L and H, equations smo-gamma and smo-ends, of a well-known step: equation soft-kkt.")
    links = [node["reftarget"] for node in found if isinstance(node, addnodes.pending_xref)]
    assert links == ["smo-gamma", "smo-ends", "soft-kkt"]
    assert "".join(node.astext() for node in found) == (
        "L and H, equations smo-gamma and smo-ends, of a well-known step: equation soft-kkt.")
    assert {node["reftype"] for node in found if isinstance(node, addnodes.pending_xref)} == {"eq"}


def test_formulas_of_docstrings_are_set_and_words_are_left():
    def pieces(text):
        return [part for kind, part in runs(text) if kind == "math"]

    assert pieces("sign of f(x) = sum_i y_i alpha_i k(x_i, x) + b, alpha from the dual") == [
        r"f(x)=\sum_i y_{i}\alpha_{i} k(x_{i},x)+b"]
    assert pieces("k(x, z) = exp(-|x - z|^2 / (2 sigma^2)), sigma > 0.") == [
        r"k(x,z)=\exp (-|x-z|^{2}/(2\sigma ^{2}))", r"\sigma >0"]
    assert pieces("max(0, rho - <w, phi(x_i)>) and 0 < alpha < C") == [
        r"\max (0,\rho -\langle w,\phi (x_{i})\rangle )", r"0<\alpha <C"]
    assert pieces("the kernel tanh(gamma x'z + coef0).") == [r"\tanh (\gamma x^\top z+\operatorname{coef0})"]
    assert pieces("P(x) = sqrt(x'A z), (gamma x'z + coef0)^degree") == [
        r"P(x)=\sqrt{x^\top Az}", r"(\gamma x^\top z+\operatorname{coef0})^{\text{degree}}"]
    for words_ in ("X (n, d) and y (n,) in {-1, +1}", "history=True keeps these", "a tol <= 0", "libsvm's layout",
                   "sigma (a length, > 0)", "f (n,) = K(y alpha) + b", "sum(beta) = total", "k(x_i"):
        assert pieces(words_) == [], words_
    assert runs("a tol <= 0") == [("text", "a tol ≤ 0")]


@pytest.mark.parametrize("doc", [inspect.getdoc(getattr(importlib.import_module(module), name)) or ""
                                 for module, name in ENTRIES], ids=lambda doc: doc[:30])
def test_formulas_of_docstrings_lose_nothing(doc):
    signs = {r"\operatorname": "", r"\text": "", r"\tfrac12": "1/2", r"^\top": "'", r"\langle": "<", r"\rangle": ">",
             r"\cdot": "*", r"\le ": "≤", r"\ge ": "≥", r"\ne ": "≠", r"\to ": "→", r"\mathrel": "", r"\ll ": "<<",
             r"\lambda": "lam", "->": "→", "<=": "≤", ">=": "≥", "!=": "≠"}

    def bare(text):
        for sign, typed in signs.items():
            text = text.replace(sign, typed)
        return re.sub(r"[\s\\{}()_]", "", text)       # brackets become braces, x1 gets an index

    assert bare("".join(part for _, part in runs(doc))) == bare(doc)
