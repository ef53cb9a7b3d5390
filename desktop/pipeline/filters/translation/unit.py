"""Translates a file of GLSL to declarations in WGSL."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from desktop.base.wording import sentence
from desktop.pipeline.filters.translation import tree
from desktop.pipeline.filters.translation.constants import evaluate
from desktop.pipeline.filters.translation.conversions import converted, literal
from desktop.pipeline.filters.translation.expressions import Expressions
from desktop.pipeline.filters.translation.faults import fault
from desktop.pipeline.filters.translation.helpers import Helpers
from desktop.pipeline.filters.translation.parser import Parser
from desktop.pipeline.filters.translation.preprocessor import preprocess
from desktop.pipeline.filters.translation.scope import FileScope, Scope, Surroundings
from desktop.pipeline.filters.translation.statements import write_function
from desktop.pipeline.filters.translation.types import VEC4, VOID, Type
from desktop.pipeline.filters.translation.values import Known, ParameterType, Signature

_MAX_OVERLOADS: Final = 64
_VARYING: Final = ("varying", "in", "out", "attribute")


@dataclass
class Translation:
    """Declarations in WGSL; `setup` are the statements that give variables their first values."""

    lines: list[str] = field(default_factory=list)
    setup: list[str] = field(default_factory=list)
    varyings: dict[str, Known] = field(default_factory=dict)
    functions: dict[str, list[Signature]] = field(default_factory=dict)


def parse(text: str, defined: tuple[str, ...] = ()) -> tree.Unit:
    """Return the syntax tree of a file; raise FilterError if it cannot be read."""
    return Parser(preprocess(text, evaluate, defined)).unit()


def translate_unit(
    unit: tree.Unit, around: Surroundings, helpers: Helpers, *, is_fragment: bool = True
) -> Translation:
    """Translate a file, the fragment or the vertex shader; raise FilterError if it is not possible."""
    file = FileScope(around, helpers, "f" if is_fragment else "v")
    if not is_fragment:
        nothing = Signature(helpers.plain("glsl_nothing"), VOID, ())
        file.functions |= {f"{host}_vertShaderInit": [nothing] for host in ("isf", "vv")}
    return _UnitWriter(file, is_fragment).write(unit)


class _UnitWriter:
    def __init__(self, file: FileScope, is_fragment: bool) -> None:
        self._file = file
        self._is_fragment = is_fragment
        self._out = Translation(functions=file.functions)
        # Values of variables may call functions, as those of a function of its own would.
        self._scope = Scope(file)
        self._setup = Expressions(self._scope)

    def write(self, unit: tree.Unit) -> Translation:
        bodies: list[tuple[tree.Function, Signature]] = []
        for item in unit.items:
            match item:
                case tree.Struct():
                    self._struct(item)
                case tree.Variable():
                    self._variable(item)
                case tree.Function():
                    bodies.append((item, self._declare(item)))
        for node, signature in bodies:
            self._out.lines += write_function(Scope(self._file), signature, node)
        self._out.setup = self._setup.lines
        return self._out

    def _struct(self, node: tree.Struct) -> None:
        members = {each.name: self._scope.type(each.type) for each in node.members}
        if not members or any(kind.base in ("void", "texture") for kind in members.values()):
            raise fault(
                node.line,
                sentence(
                    "the struct '{name}' has no members, or ones of void or images; correct them",
                    name=node.name,
                ),
            )
        kind = Type(f"{self._file.prefix}s_{node.name}")
        self._file.types[node.name] = kind
        self._file.structs[kind.base] = members
        texts = ", ".join(f"m_{name}: {member.wgsl}" for name, member in members.items())
        self._out.lines.append(f"struct {kind.wgsl} {{ {texts} }}")

    def _declare(self, node: tree.Function) -> Signature:
        if node.name == "main" and (node.parameters or node.result.name != "void"):
            raise fault(node.line, sentence("main() takes and returns nothing; declare it as void main()"))
        parameters = tuple(ParameterType(self._scope.type(p.type), p.way) for p in node.parameters)
        if any(p.type == VOID for p in parameters):
            raise fault(node.line, sentence("a parameter is void; give it a type"))
        others = self._file.functions.setdefault(node.name, [])
        if len(others) >= _MAX_OVERLOADS or any(
            [p.type for p in each.parameters] == [p.type for p in parameters] for each in others
        ):
            raise fault(node.line, sentence("'{name}' is defined twice; rename one", name=node.name))
        text = f"{self._file.prefix}n_{node.name}" + (f"__{len(others) + 1}" if others else "")
        signature = Signature(text, self._scope.type(node.result), parameters)
        others.append(signature)
        return signature

    def _variable(self, node: tree.Variable) -> None:
        if "uniform" in node.qualifiers:
            self._uniform(node)
            return
        kind = self._scope.type_of_variable(node)
        if any(word in _VARYING for word in node.qualifiers):
            self._varying(node, kind)
            return
        text = f"{self._file.prefix}g_{node.name}"
        is_constant = "const" in node.qualifiers
        number = self._scope.number(node.value) if is_constant and node.value is not None else None
        if number is not None and kind.is_scalar:
            value = converted(literal(kind.base, number), kind, node.line)
            self._out.lines.append(f"const {text}: {kind.wgsl} = {value.text};")
        else:
            number = None
            self._out.lines.append(f"var<private> {text}: {kind.wgsl};")
            if node.value is not None:
                self._setup.put(f"{text} = {self._setup.of_type(node.value, kind).text};")
        self._file.variables[node.name] = Known(text, kind, number, is_writable=not is_constant)

    def _uniform(self, node: tree.Variable) -> None:
        if node.name not in self._file.around.variables and node.name not in self._file.around.images:
            reason = self._file.around.refused.get(node.name)
            raise fault(
                node.line,
                reason
                or sentence(
                    "the uniform '{name}' is not an input of the header; declare it there", name=node.name
                ),
            )

    def _varying(self, node: tree.Variable, kind: Type) -> None:
        if node.name in self._file.around.variables:
            return
        if self._is_fragment and "out" in node.qualifiers:
            # The color under a name of its own.
            if kind != VEC4:
                raise fault(
                    node.line, sentence("the output '{name}' is not a vec4; make it one", name=node.name)
                )
            self._file.variables[node.name] = self._scope.find("gl_FragColor", node.line)
            return
        known = Known(f"varying_{node.name}", kind)
        self._file.variables[node.name] = known
        self._out.varyings[node.name] = known
