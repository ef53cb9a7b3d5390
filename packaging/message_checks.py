"""List the code that decides by the words of a note or of an error: `python packaging/message_checks.py`,
status 1 if there is any.

Such words are for people, are translated, and change with a library's version. Code takes a type, a field or
a flag instead.

Reported is: a text of an exception (`str(error)`, `error.args`, `.message`, `.strerror`), of a log record, a
note or a reason, or what was made of one within the same function, that is searched, cut up, or compared with
words. To shorten such a text for display (its first line, without its full stop) is fine.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent

# Libraries that tell some failures in words only: one module each reads them, and has tests that set the
# words off.
READS_A_LIBRARY: Final = {
    "desktop/base/toml_text.py",  # Python's positions in TOML; tests/cpu/test_filters_declarations.py
    "desktop/compute/gpu/wgpu_native/messages.py",  # naga's positions; tests/gpu/test_shader*.py
    "desktop/compute/gpu/wgpu_native/failures.py",  # a lost device; tests/gpu/test_device_failures.py
    "desktop/compute/gpu/dawn/messages.py",  # Tint's positions; tests/cpu/test_dawn_messages.py
    "desktop/compute/nn/frontends/pytorch/words.py",  # the line of a traceback that is shown; tests/cpu/test_torch_backend.py
    "desktop/vision/backends/_onnxruntime_words.py",  # a missing operator; tests/cpu/test_tasks_onnxruntime.py
}

# Names and attributes that hold sentences here.
_SENTENCES: Final = {
    "note",
    "notes",
    "reason",
    "reasons",
    "message",
    "messages",
    "refused",
    "refusal",
    "strerror",
}
# Functions that make sentences.
_MAKERS: Final = {
    "sentence",
    "plural",
    "counted",
    "joined",
    "sentence_of",
    "translated",
    "gpu_reason",
    "reason_of",
}
_CUTS: Final = {
    "startswith",
    "endswith",
    "partition",
    "rpartition",
    "split",
    "rsplit",
    "removeprefix",
    "removesuffix",
}
_SEARCHES: Final = {"find", "rfind", "index", "rindex", "count"}
_PATTERNS: Final = {"search", "match", "fullmatch", "findall", "finditer"}
# What leaves a text a text, only shorter or in other letters.
_KEEPS: Final = {
    "strip",
    "lstrip",
    "rstrip",
    "lower",
    "upper",
    "casefold",
    "splitlines",
    "replace",
    "translate",
} | _CUTS


def findings(source: str) -> list[int]:
    """Return the lines of a source that decide by words."""
    return sorted({line for scope in _scopes(ast.parse(source)) for line in _Scope(scope).findings()})


def _scopes(tree: ast.Module) -> Iterator[list[ast.AST]]:
    functions = [n for n in ast.walk(tree) if isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef))]
    within = {id(node) for function in functions for node in ast.walk(function)}
    yield [node for node in ast.walk(tree) if id(node) not in within]
    yield from ([*ast.walk(function)] for function in functions)


def _names_an_error(annotation: ast.expr | None) -> bool:
    text = ast.unparse(annotation) if annotation is not None else ""
    return any(word in text for word in ("Error", "Exception", "LogRecord"))


class _Scope:
    """A function, or a module: which of its names hold errors, and which words of them."""

    def __init__(self, nodes: list[ast.AST]) -> None:
        self._nodes = nodes
        self._errors = {h.name for h in self._nodes if isinstance(h, ast.ExceptHandler) and h.name}
        self._errors |= {
            a.arg for a in self._nodes if isinstance(a, ast.arg) and _names_an_error(a.annotation)
        }
        self._words: set[str] = set()
        for _ in range(4):  # a name may be made of one that stands further down
            self._follow()

    def _follow(self) -> None:
        for node in self._nodes:
            if isinstance(node, ast.Assign):
                targets, value = node.targets, node.value
            elif isinstance(node, (ast.AnnAssign, ast.NamedExpr)) and node.value is not None:
                targets, value = [node.target], node.value
            elif isinstance(node, (ast.comprehension, ast.For)):
                targets, value = [node.target], node.iter
            else:
                continue
            if self._is_words(value):
                self._words |= {t.id for t in targets if isinstance(t, ast.Name)}

    def _is_error(self, node: ast.expr) -> bool:
        return isinstance(node, ast.Name) and node.id in self._errors

    def _is_words(self, node: ast.expr) -> bool:
        match node:
            case ast.Name(id=name):
                return name in self._words or name in _SENTENCES
            case ast.Attribute(value=value, attr=attr):
                return attr in _SENTENCES or (attr == "args" and self._is_error(value))
            case ast.Subscript(slice=ast.Constant(value=str(key))):
                return key in _SENTENCES
            case ast.Subscript(value=value):
                return self._is_words(value)
            case ast.Call(func=ast.Name(id="str" | "repr"), args=[value]):
                return self._is_error(value) or self._is_words(value)
            case ast.Call(func=ast.Name(id="getattr"), args=[_, ast.Constant(value=attr), *_]):
                return attr in _SENTENCES
            case ast.Call(func=ast.Attribute(attr="getMessage")):
                return True
            case ast.Call(func=ast.Name(id=function)):
                return function in _MAKERS
            case ast.Call(func=ast.Attribute(value=value, attr=attr)):
                return attr in _KEEPS and self._is_words(value)
            case ast.BoolOp(values=values):
                return any(self._is_words(value) for value in values)
            case ast.IfExp(body=body, orelse=orelse):
                return self._is_words(body) or self._is_words(orelse)
            case ast.JoinedStr(values=values):
                return any(
                    isinstance(v, ast.FormattedValue) and (self._is_error(v.value) or self._is_words(v.value))
                    for v in values
                )
        return False

    def findings(self) -> Iterator[int]:
        for node in self._nodes:
            if (isinstance(node, ast.Compare) and self._compares(node)) or (
                isinstance(node, ast.Call) and self._looks(node)
            ):
                yield node.lineno

    def _compares(self, node: ast.Compare) -> bool:
        sides = [node.left, *node.comparators]
        for left, operator, right in zip(sides, node.ops, sides[1:], strict=False):
            if isinstance(operator, (ast.In, ast.NotIn)) and (
                (self._is_words(right) and _is_text(left)) or (self._is_words(left) and _holds_texts(right))
            ):
                return True
            if isinstance(operator, (ast.Eq, ast.NotEq)) and (
                (self._is_words(left) and _is_literal(right)) or (self._is_words(right) and _is_literal(left))
            ):
                return True
        return False

    def _looks(self, call: ast.Call) -> bool:
        if not isinstance(call.func, ast.Attribute):
            return False
        if call.func.attr in _PATTERNS:
            return any(self._is_words(argument) for argument in call.args)
        by_lines = [ast.unparse(argument) for argument in call.args] == [repr("\n")]
        is_cut = call.func.attr in _CUTS | _SEARCHES and bool(call.args) and not by_lines
        return is_cut and self._is_words(call.func.value)


def _is_literal(node: ast.expr) -> bool:
    """Words; an empty text is none."""
    return isinstance(node, ast.Constant) and isinstance(node.value, str) and bool(node.value)


def _is_text(node: ast.expr) -> bool:
    """Words, or a name that may stand for some."""
    return _is_literal(node) or isinstance(node, ast.Name)


def _holds_texts(node: ast.expr) -> bool:
    return isinstance(node, (ast.Tuple, ast.List, ast.Set)) and any(_is_text(each) for each in node.elts)


def main() -> int:
    """Print 'file:line' of each place in desktop/; return the exit status."""
    found = [
        f"{path.relative_to(ROOT)}:{line}: decides by words for people"
        for path in sorted((ROOT / "desktop").rglob("*.py"))
        if path.relative_to(ROOT).as_posix() not in READS_A_LIBRARY
        for line in findings(path.read_text("utf-8"))
    ]
    found += [
        f"{name}: need not be an exception"
        for name in sorted(READS_A_LIBRARY)
        if not findings((ROOT / name).read_text("utf-8"))
    ]
    if found:
        print("\n".join(found))
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
