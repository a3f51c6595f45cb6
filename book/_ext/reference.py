"""The reference of svmlib: signatures and docstrings of its public names, each with the chapter that explains it.

A page says `{reference} svmlib.kernels` and lists names with their chapters, `Gaussian Linear: 06`.  Docstrings of the
package are plain text, `code` between accents, examples after >>>, formulas as one types them (plainmath.py), so they
are set without a parser of reStructuredText, to which |w| and classes_ would be links.
"""

from __future__ import annotations

import importlib
import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from plainmath import runs
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

CODE = re.compile(r"`([^`]+)`")
LABEL = r"[a-z]+(?:-[a-z]+)+"
EQUATIONS = re.compile(rf"equations? {LABEL}(?:(?:, | and | to ){LABEL})*")
PARAMETER = re.compile(r"^(\w+(?:, \w+)*) : (.+)$")
RULE = re.compile(r"^-{3,}$")


def named(lines: list[str]) -> list[tuple[str, str]]:
    """Names and chapters of a directive's lines.

    >>> named(["Gaussian Linear: 06", "SVR: 18"])
    [('Gaussian', '06'), ('Linear', '06'), ('SVR', '18')]
    """
    return [(name, chapter.strip()) for line in lines if line.strip()
            for names, _, chapter in [line.partition(":")] for name in names.split()]


def chapter_files(root: Path) -> dict[str, str]:
    """Documents of the chapters by their numbers."""
    return {path.stem[:2]: f"notebooks/{path.stem}" for path in sorted((root / "notebooks").glob("[0-9]*.ipynb"))}


def anchor(module: str, name: str) -> str:
    """Where a name stands on its page; ids have no capitals, so a class may need to be told from a function."""
    twin = name != name.lower() and callable(getattr(importlib.import_module(module), name.lower(), None))
    return nodes.make_id(f"{module}.{name}") + ("-class" if twin else "")


def signature(name: str, value: Any) -> str:
    """How a name is called, or what a constant is."""
    try:
        arguments = inspect.signature(value)
    except (TypeError, ValueError):
        return name
    arguments = arguments.replace(parameters=[argument.replace(annotation=argument.empty)
                                              for argument in arguments.parameters.values()])
    text = f"{name}{arguments}" if not issubclass_of(value, Warning) and not issubclass_of(value, Exception) else name
    text = re.sub(r"(?:svmlib|collections|numpy|typing|scipy)\.(?:\w+\.)*(?=\w)", "", text)
    return text.replace(" -> None", "").replace("'", '"')


def issubclass_of(value: Any, kind: type) -> bool:
    """Whether a value is a class below another."""
    return isinstance(value, type) and issubclass(value, kind)


def comment_of(module: Any, name: str) -> str:
    """What stands in the source beside or above a constant."""
    source = inspect.getsource(module)
    if found := re.search(rf"^((?:#:? .*\n)+){name}\b", source, re.M):
        return " ".join(line.lstrip("#: ") for line in found[1].splitlines())
    found = re.search(rf"^{name}\b[^#\n]*# *(.+)$", source, re.M)
    return found[1] if found else ""


def home(value: Any, module: str, name: str) -> Any:
    """The module in which a name is defined; a module is its own."""
    if inspect.ismodule(value):
        return value
    if hasattr(value, "__module__"):
        return importlib.import_module(value.__module__)
    outer = importlib.import_module(module)
    for other in [outer, *(m for m in vars(outer).values() if inspect.ismodule(m) and m.__file__)]:
        if re.search(rf"^{name}\b.* = ", inspect.getsource(other), re.M):
            return other
    return outer


# ---- docstrings ------------------------------------------------------------------------------------------------
def words(text: str) -> list[nodes.Node]:
    """Running text: what stands between accents as code, formulas set, equations of the chapters by their numbers."""
    found: list[nodes.Node] = []
    for k, part in enumerate(CODE.split(text)):
        if k % 2:
            found.append(nodes.literal(part, part))
            continue
        for kind, piece in runs(part):
            found += [nodes.math(piece, piece)] if kind == "math" else numbered(piece)
    return found


def displayed(lines: list[str]) -> nodes.Node:
    """Lines set off from their paragraph: a formula if there is one with hardly a word, else as they stand."""
    pieces = runs(" ".join(lines[0].split())) if len(lines) == 1 else []
    said = " ".join(piece for kind, piece in pieces if kind == "text")
    if "math" not in dict(pieces) or len(re.findall(r"[a-z]{2,}", said)) > 2:
        code = inspect.cleandoc("\n".join(lines))
        return nodes.literal_block(code, code, language="text")
    tex = "".join(piece if kind == "math" else rf"\text{{{piece} }}" for kind, piece in pieces)
    return nodes.math_block(tex, tex, nowrap=False, number=None, label=None)


def numbered(text: str) -> list[nodes.Node]:
    """Text in which a docstring's `equation smo-gain` leads to the equation of that label."""
    found: list[nodes.Node] = []
    end = 0
    for group in EQUATIONS.finditer(text):
        for label in re.finditer(LABEL, group[0]):
            start = group.start() + label.start()
            found += [nodes.Text(text[end:start]),
                      addnodes.pending_xref("", nodes.inline("", label[0]), refdomain="math", reftype="eq",
                                            reftarget=label[0], refexplicit=False, refwarn=True)]
            end = group.start() + label.end()
    return [*found, *([nodes.Text(text[end:])] if text[end:] else [])]


def paragraph(lines: list[str]) -> nodes.paragraph:
    return nodes.paragraph("", "", *words(" ".join(line.strip() for line in lines)))


def blocks(text: str) -> Iterator[list[str]]:
    """Runs of lines between empty ones; a heading with its rule is a block of its own."""
    run: list[str] = []
    lines = text.splitlines()
    for k, line in enumerate(lines):
        if not line.strip() or RULE.match(line):
            if RULE.match(line):
                run = [*run, line]
            if run:
                yield run
            run = []
        elif k + 1 < len(lines) and RULE.match(lines[k + 1]) and run:
            yield run
            run = [line]
        else:
            run.append(line)
    if run:
        yield run


def set_docstring(text: str) -> list[nodes.Node]:
    """A docstring as paragraphs, lists of parameters, formulas and examples."""
    found: list[nodes.Node] = []
    for block in blocks(text):
        if len(block) == 2 and RULE.match(block[1]):
            found.append(nodes.paragraph("", "", nodes.strong("", block[0]), classes=["ref-heading"]))
        elif block[0].lstrip().startswith(">>>"):
            code = inspect.cleandoc("\n".join(block))
            found.append(nodes.literal_block(code, code, language="pycon"))
        elif PARAMETER.match(block[0]):
            found.append(parameters(block))
        elif all(line.startswith("  ") for line in block):
            found.append(displayed(block))
        else:
            found.append(paragraph(block))
    return found


def code_of(names: str) -> list[nodes.Node]:
    """Names between commas, each as code."""
    found: list[nodes.Node] = []
    for name in names.split(", "):
        found += [*([nodes.Text(", ")] if found else []), nodes.literal(name, name)]
    return found


def parameters(block: list[str]) -> nodes.definition_list:
    """Parameters and their kinds, each with its lines."""
    items = nodes.definition_list(classes=["ref-parameters"])
    term, kind, body = "", "", []
    for line in [*block, "end : "]:
        head = PARAMETER.match(line) or (line == "end : " and line)
        if head and term:
            kinds = nodes.inline("", "", *words(kind), classes=["ref-kind"])
            items += nodes.definition_list_item("", nodes.term("", "", *code_of(term), nodes.Text(" "), kinds),
                                                nodes.definition("", paragraph(body)))
        if isinstance(head, re.Match):
            term, kind, body = head[1], head[2], []
        else:
            body.append(line)
    return items


def members(value: type) -> Iterator[tuple[str, Any]]:
    """Public methods and properties that a class defines itself, or gets from a hidden base of svmlib."""
    for name in dir(value):
        if name.startswith("_") or name in ("get_params", "set_params"):
            continue
        owner = next(parent for parent in value.__mro__ if name in vars(parent))
        member = vars(owner)[name]
        ours = owner.__module__.startswith("svmlib")
        if ours and (inspect.isfunction(member) or isinstance(member, (property, classmethod))):
            yield name, member


# ---- directives ------------------------------------------------------------------------------------------------
class Reference(SphinxDirective):
    """The names of one module."""

    required_arguments = 1
    has_content = True

    def run(self) -> list[nodes.Node]:
        module = self.arguments[0]
        self.env.note_dependency(inspect.getsourcefile(importlib.import_module(module)) or "")
        return [self.entry(module, name, chapter) for name, chapter in named(list(self.content))]

    def entry(self, module: str, name: str, chapter: str) -> nodes.Node:
        """One name: its signature, its chapter, its docstring."""
        value = getattr(importlib.import_module(module), name)
        self.env.note_dependency(inspect.getsourcefile(home(value, module, name)) or "")
        where = anchor(module, name)
        text = signature(name, value) if callable(value) else name
        head = nodes.paragraph("", "", nodes.literal(text, text, classes=["ref-signature"]), nodes.Text(" "),
                               classes=["ref-head"])
        head += self.chapter(chapter)
        box = nodes.container("", head, classes=["ref-entry"], ids=[where], support_smartquotes=False)
        if not callable(value) or inspect.ismodule(value):
            doc = value.__doc__ if inspect.ismodule(value) else comment_of(home(value, module, name), name)
            box += paragraph([doc or ""])
            return box
        box += set_docstring(inspect.getdoc(value) or "")
        if isinstance(value, type) and not issubclass(value, (Warning, Exception, tuple)):
            box += self.methods(value)
        return box

    def chapter(self, number: str) -> nodes.Node:
        """A link to the chapter that explains a name."""
        document = chapter_files(Path(self.env.srcdir))[number]
        link = addnodes.pending_xref("", nodes.inline("", f"chapter {int(number)}"), refdomain="std", reftype="doc",
                                     reftarget="/" + document, refexplicit=True, refdoc=self.env.docname)
        return nodes.inline("", "", link, classes=["ref-chapter"])

    def methods(self, value: type) -> list[nodes.Node]:
        """Methods and properties, each with the first sentence of its docstring."""
        items = nodes.definition_list(classes=["ref-methods"])
        for name, member in members(value):
            call = name if isinstance(member, property) else signature(name, getattr(value, name))
            call = re.sub(r"\((?:self|cls)(, )?", "(", call)
            doc = inspect.getdoc(getattr(value, name)) or ""
            items += nodes.definition_list_item("", nodes.term("", "", nodes.literal(call, call)),
                                                nodes.definition("", *set_docstring(doc.split("\n\n")[0])))
        return [items] if items.children else []


class Table(SphinxDirective):
    """Rows of svmlib.svc.scikit_learn: a name of scikit-learn's, of whom, what it is here, a word on it."""

    required_arguments = 1
    option_spec: ClassVar = {"header": directives.unchanged_required}

    def run(self) -> list[nodes.Node]:
        from svmlib.svc import scikit_learn

        self.env.note_dependency(scikit_learn.__file__)
        rows = getattr(scikit_learn, self.arguments[0])
        whole = not any(row.of for row in rows)
        header = [self.options["header"], *([] if whole else ["here"]), "more"]
        group = nodes.tgroup("", *(nodes.colspec(colwidth=1) for _ in header), cols=len(header))
        group += nodes.thead("", row_of([[nodes.Text(text)] for text in header]))
        body = nodes.tbody()
        for row in rows:
            cells = [[nodes.literal(name, name) for name in row.name.split(", ")]]
            if not whole:
                cells[0].append(nodes.inline("", " of " + ", ".join(row.of)))
                cells += [[nodes.literal(row.here, row.here) if row.here else nodes.Text("not here")]]
            body += row_of([*cells, words(row.note)])
        group += body
        return [nodes.table("", group, classes=["ref-table"], support_smartquotes=False)]


def row_of(cells: list[list[nodes.Node]]) -> nodes.row:
    """A row of a table; several pieces of code in a cell stand apart."""
    out = nodes.row()
    for cell in cells:
        inner: list[nodes.Node] = []
        for part in cell:
            if inner and isinstance(part, nodes.literal) and isinstance(inner[-1], nodes.literal):
                inner.append(nodes.Text(", "))
            inner.append(part)
        out += nodes.entry("", nodes.paragraph("", "", *inner))
    return out


def setup(app: Sphinx) -> dict[str, Any]:
    """Add the directives."""
    app.add_directive("reference", Reference)
    app.add_directive("scikit-learn", Table)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
