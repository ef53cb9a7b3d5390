"""Documents, docstrings and comments name files, classes and functions that there are."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
MODULE = re.compile(r"(?<![\w/.<>*-])(?:[\w-]+/)*\w+\.py\b")
CLASS = re.compile(r"`(_?[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]*)+)(?:\.(\w+))?(?:\([^`]*\))?`")
DEFINED = r"\b(?:class|def) {0}\b|^\s*{0}\b.*="
PLACED = re.compile(r"`(\w+)`\s+\(`((?:[\w-]+/)*\w+\.py)`\)")


# What a checkout has beside its own files.
MADE = frozenset({"build", "dist", "out"})


@cache
def tracked() -> tuple[str, ...]:
    """Without git, which a copied tree and a bare system lack."""
    own = [
        path
        for path in ROOT.iterdir()
        if path.name not in MADE and not path.name.startswith((".venv", ".git"))
    ]
    paths = [inner for path in own for inner in (path.rglob("*") if path.is_dir() else [path])]
    names = sorted(path.relative_to(ROOT).as_posix() for path in paths if path.suffix in (".py", ".md"))
    return tuple(name for name in names if not name.startswith(".") and (ROOT / name).is_file())


@cache
def read(name: str) -> str:
    return (ROOT / name).read_text("utf-8")


def called(path: str) -> list[str]:
    """Return the files that a document may mean by a path or the end of one."""
    return [name for name in tracked() if f"/{name}".endswith(f"/{path}")]


def documents() -> list[str]:
    return [name for name in tracked() if name.endswith(".md")]


def sources() -> list[str]:
    return [name for name in tracked() if name.startswith("desktop/") and name.endswith(".py")]


@cache
def code_and_prose(name: str) -> tuple[str, str]:
    """Return a module's code without its docstrings and comments, and these."""
    docstrings = {
        (node.value.lineno, node.value.col_offset)
        for node in ast.walk(ast.parse(read(name)))
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    code, prose = [], []
    for token in tokenize.generate_tokens(io.StringIO(read(name)).readline):
        is_prose = token.type == tokenize.COMMENT or token.start in docstrings
        (prose if is_prose else code).append(token.string)
    return " ".join(code), "\n".join(prose)


def prose() -> list[tuple[str, str]]:
    return [(name, read(name)) for name in documents()] + [
        (name, code_and_prose(name)[1]) for name in sources()
    ]


def test_modules_named_in_documents_and_comments_exist() -> None:
    missing = [
        (name, path)
        for name, text in prose()
        for path in sorted(set(MODULE.findall(text)))
        if not called(path)
    ]
    assert not missing


def test_classes_named_in_documents_exist() -> None:
    names = {word for name in sources() for word in re.findall(r"\w+", code_and_prose(name)[0])}
    missing = [
        (name, word)
        for name in documents()
        for found in CLASS.findall(read(name))
        for word in found
        if word and word not in names
    ]
    assert not missing


def test_code_that_documents_show_is_the_program_s() -> None:
    """Line by line, but for comments, what `...` leaves out, and brackets at a line's ends, where a formatter puts some."""

    def lines(text: str) -> list[str]:
        return [line.split("  #")[0].strip(" (),") for line in text.splitlines()]

    code = {line for name in tracked() if name.endswith(".py") for line in lines(read(name))}
    other = [
        (name, line)
        for name in documents()
        for block in re.findall(r"```python\n(.*?)```", read(name), re.DOTALL)
        for line in lines(block)
        if line and "..." not in line and line not in code
    ]
    assert not other


def test_what_is_said_to_be_in_a_module_is_in_it() -> None:
    elsewhere = [
        (name, thing, path)
        for name, text in prose()
        for thing, path in PLACED.findall(text)
        if not any(re.search(DEFINED.format(thing), read(each), re.MULTILINE) for each in called(path))
    ]
    assert not elsewhere
