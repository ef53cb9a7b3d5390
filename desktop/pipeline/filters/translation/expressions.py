"""Writes expressions of GLSL as WGSL. What WGSL has no expression for becomes statements before."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Final

from desktop.base.wording import sentence
from desktop.pipeline.filters.translation import builtins, images, tree
from desktop.pipeline.filters.translation.conversions import construct, converted, literal, splat
from desktop.pipeline.filters.translation.faults import fault
from desktop.pipeline.filters.translation.operators import binary, negated
from desktop.pipeline.filters.translation.scope import Scope
from desktop.pipeline.filters.translation.types import BOOL, INT, TEXTURE, TYPES, UINT, VOID, Type, converts
from desktop.pipeline.filters.translation.values import PRIMARY, UNARY, LValue, Signature, Value, bare

_SETS: Final = ("xyzw", "rgba", "stpq")


def swizzle_of(name: str, size: int) -> str:
    """Return components as letters of xyzw; '' if they are not ones of a vector of `size`."""
    for letters in _SETS:
        if 0 < len(name) <= 4 and all(letter in letters[:size] for letter in name):
            return "".join("xyzw"[letters.index(letter)] for letter in name)
    return ""


class Expressions:
    """Expressions of one function; `lines` is the block to which statements are added."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self.lines: list[str] = []

    @contextmanager
    def block(self) -> Iterator[list[str]]:
        """Collect statements in a list of their own."""
        outer, self.lines = self.lines, []
        self.scope.open()
        try:
            yield self.lines
        finally:
            self.scope.close()
            self.lines = outer

    def put(self, line: str) -> None:
        """Add a statement."""
        self.lines.append(line)

    def put_block(self, head: str, body: Sequence[str], tail: str = "}") -> None:
        """Add a statement with a block."""
        self.lines += [head, *(f"  {line}" for line in body), tail]

    def fixed(self, value: Value) -> Value:
        """Return a value that later statements do not change and that can be written more than once."""
        if value.is_fixed:
            return value
        name = self.scope.temporary()
        self.put(f"let {name} = {value.text};")
        return Value(name, value.type, is_fixed=True)

    def all(self, nodes: Sequence[tree.Expression]) -> list[Value]:
        """Return operands, evaluated from left to right."""
        found: list[Value] = []
        for node in nodes:
            before = len(self.lines)
            value = self.one(node)
            if len(self.lines) > before:
                # The statements of this operand run first, so that the ones before it must be kept.
                tail, self.lines[before:] = self.lines[before:], []
                found = [self.fixed(earlier) for earlier in found]
                self.lines += tail
            found.append(value)
        return found

    def one(self, node: tree.Expression) -> Value:
        """Return an expression."""
        match node:
            case tree.Number():
                return literal(node.type, node.value)
            case tree.Name():
                return self._name(node)
            case tree.Unary():
                return self._unary(node)
            case tree.Postfix():
                place = self.place(node.operand)
                before = self.fixed(place.value)
                self._step(place, node.op, node.line)
                return before
            case tree.Binary():
                return self._binary(node)
            case tree.Assign():
                return self.assign(node).value
            case tree.Ternary():
                return self._ternary(node)
            case tree.Call():
                return self._call(node)
            case tree.Index():
                return self._index(node)
            case tree.Member():
                return self._member(node)
            case tree.Sequence():
                for part in node.parts[:-1]:
                    self.run(part)
                return self.one(node.parts[-1])
            case tree.Items():
                raise fault(
                    node.line,
                    sentence(
                        "a list in braces is translated only as the value of an array; use a constructor"
                    ),
                )

    def of_type(self, node: tree.Expression, wanted: Type) -> Value:
        """Return an expression, converted to a type."""
        if isinstance(node, tree.Items) and wanted.count:
            return self._array(wanted, node.items, node.line)
        return converted(self.one(node), wanted, node.line)

    def condition(self, node: tree.Expression) -> Value:
        """Return a condition."""
        return self.of_type(node, BOOL)

    def run(self, node: tree.Expression) -> None:
        """Add an expression whose value is not used."""
        match node:
            case tree.Assign():
                self.assign(node)
            case tree.Postfix() | tree.Unary(op="++" | "--"):
                self._step(self.place(node.operand), node.op, node.line)
            case tree.Sequence():
                for part in node.parts:
                    self.run(part)
            case _:
                value = self.one(node)
                if value.type == VOID:
                    if value.text:
                        self.put(f"{value.text};")
                elif value.has_effects:
                    self.put(f"_ = {value.text};")

    # -- names and places ------------------------------------------------------------------------------------

    def _name(self, node: tree.Name) -> Value:
        known = self.scope.find(node.name, node.line)
        if known.type.base == "texture":
            raise fault(node.line, sentence("'{name}' is an image; read it with a function", name=node.name))
        return Value(known.text, known.type, is_fixed=not known.is_writable and not known.is_local)

    def place(self, node: tree.Expression) -> LValue:
        """Return what an expression assigns to; raise FilterError if it is only a value."""
        match node:
            case tree.Name():
                known = self.scope.find(node.name, node.line)
                if not known.is_writable or known.type.base == "texture":
                    raise fault(
                        node.line,
                        sentence(
                            "'{name}' is an input or a constant and is assigned; assign to a copy",
                            name=node.name,
                        ),
                    )
                return LValue(known.text, known.type, is_local=known.is_local)
            case tree.Index():
                base = self.place(node.base)
                if base.swizzle or not (base.type.count or base.type.is_vector or base.type.is_matrix):
                    raise fault(
                        node.line, sentence("an index follows something that has no elements; correct it")
                    )
                index = self.fixed(self._integer(node.index))
                return LValue(f"{base.text}[{index.text}]", base.type.element)
            case tree.Member():
                return self._member_place(node)
            case _:
                raise fault(
                    node.line, sentence("something is assigned to that is not a variable; correct it")
                )

    def _member_place(self, node: tree.Member) -> LValue:
        base = self.place(node.base)
        if base.type.is_struct:
            members = self.scope.file.members(base.type)
            if node.name in members:
                return LValue(f"{base.text}.m_{node.name}", members[node.name])
        letters = swizzle_of(node.name, base.selected.size) if base.selected.is_vector else ""
        if not letters or len(set(letters)) != len(letters):
            raise self._no_member(node)
        if base.swizzle:
            letters = "".join(base.swizzle["xyzw".index(letter)] for letter in letters)
        if len(letters) == 1:
            return LValue(f"{base.text}.{letters}", base.type.sized(1))
        return LValue(base.text, base.type, letters)

    def _no_member(self, node: tree.Member) -> Exception:
        return fault(node.line, sentence("there is no member '{name}' here; correct it", name=node.name[:60]))

    def store(self, place: LValue, value: Value) -> None:
        """Add an assignment of a value of the place's type."""
        if not place.swizzle:
            self.put(f"{place.text} = {value.text};")
            return
        new = self.fixed(value)
        parts = [
            f"{new.within(PRIMARY)}.{'xyzw'[place.swizzle.index(letter)]}"
            if letter in place.swizzle
            else f"{place.text}.{letter}"
            for letter in "xyzw"[: place.type.size]
        ]
        self.put(f"{place.text} = {place.type.wgsl}({', '.join(parts)});")

    def assign(self, node: tree.Assign) -> LValue:
        """Add an assignment; return what was assigned to."""
        value = self.one(node.value)
        before = len(self.lines)
        place = self.place(node.target)
        if len(self.lines) > before:
            tail, self.lines[before:] = self.lines[before:], []
            value = self.fixed(value)
            self.lines += tail
        if node.op:
            value = binary(node.op, place.value, value, node.line, self.scope.file.helpers)
        self.store(place, converted(value, place.selected, node.line))
        return place

    def _step(self, place: LValue, op: str, line: int) -> None:
        one = literal(place.selected.base, 1.0) if place.selected.is_number else literal("int", 1.0)
        result = binary(op[0], place.value, one, line, self.scope.file.helpers)
        self.store(place, converted(result, place.selected, line))

    # -- operators -------------------------------------------------------------------------------------------

    def _unary(self, node: tree.Unary) -> Value:
        if node.op in ("++", "--"):
            place = self.place(node.operand)
            self._step(place, node.op, node.line)
            return place.value
        value = self.one(node.operand)
        if node.op == "!":
            value = converted(value, BOOL, node.line)
            return Value(f"!{value.within(UNARY)}", BOOL, UNARY, value.is_fixed)
        if node.op == "~":
            if not value.type.is_number or value.type.base not in ("int", "uint"):
                raise fault(node.line, sentence("'~' is for integers only; convert the value"))
            return Value(f"~{value.within(PRIMARY)}", value.type, UNARY, value.is_fixed)
        if value.type.base == "bool" or not (value.type.is_number or value.type.is_matrix):
            raise fault(
                node.line, sentence("'{op}' is before something other than a number; correct it", op=node.op)
            )
        return value if node.op == "+" else negated(value)

    def _binary(self, node: tree.Binary) -> Value:
        if node.op in ("&&", "||"):
            return self._logical(node)
        left, right = self.all((node.left, node.right))
        return binary(node.op, left, right, node.line, self.scope.file.helpers)

    def _logical(self, node: tree.Binary) -> Value:
        left = self.condition(node.left)
        with self.block() as lines:
            right = self.condition(node.right)
        if not lines:
            return Value(f"({left.text} {node.op} {right.text})", BOOL)
        name = self.scope.temporary()
        self.put(f"var {name} = {left.text};")
        test = name if node.op == "&&" else f"!{name}"
        self.put_block(f"if ({test}) {{", [*lines, f"{name} = {right.text};"])
        return Value(name, BOOL, is_fixed=True)

    def _ternary(self, node: tree.Ternary) -> Value:
        test = self.condition(node.condition)
        with self.block() as yes_lines:
            yes = self.one(node.yes)
        with self.block() as no_lines:
            no = self.one(node.no)
        kind = yes.type if converts(no.type, yes.type) else no.type
        yes, no = converted(yes, kind, node.line), converted(no, kind, node.line)
        if kind.is_number and not (yes_lines or no_lines or yes.has_effects or no.has_effects):
            return Value(f"select({no.text}, {yes.text}, {test.text})", kind)
        # Only one of them is evaluated.
        name = self.scope.temporary()
        self.put(f"var {name}: {kind.wgsl};")
        self.put_block(f"if ({bare(test.text)}) {{", [*yes_lines, f"{name} = {yes.text};"], "} else {")
        self.lines += [*(f"  {line}" for line in no_lines), f"  {name} = {no.text};", "}"]
        return Value(name, kind, is_fixed=True)

    # -- members and indices ---------------------------------------------------------------------------------

    def _integer(self, node: tree.Expression) -> Value:
        value = self.one(node)
        if value.type not in (INT, UINT):
            raise fault(node.line, sentence("an index is not an integer; convert it by int()"))
        return value

    def _index(self, node: tree.Index) -> Value:
        # An array that is not a variable cannot be indexed by all compilers.
        base, index = self.all((node.base, node.index))
        if index.type not in (INT, UINT):
            raise fault(node.line, sentence("an index is not an integer; convert it by int()"))
        if not (base.type.count or base.type.is_vector or base.type.is_matrix):
            raise fault(node.line, sentence("an index follows something that has no elements; correct it"))
        text = base.within(PRIMARY)
        if not isinstance(node.base, (tree.Name, tree.Index, tree.Member)) and index.number is None:
            text = self.scope.temporary()
            self.put(f"var {text} = {base.text};")
        return Value(f"{text}[{index.text}]", base.type.element)

    def _member(self, node: tree.Member) -> Value:
        base = self.one(node.base)
        kind = base.type
        if node.name == "length" and (kind.count or kind.is_vector or kind.is_matrix):
            return literal("int", float(kind.count or kind.columns or kind.size))
        if base.type.is_struct:
            members = self.scope.file.members(base.type)
            if node.name not in members:
                raise self._no_member(node)
            return Value(f"{base.within(PRIMARY)}.m_{node.name}", members[node.name], is_fixed=base.is_fixed)
        letters = swizzle_of(node.name, base.type.size) if base.type.is_number else ""
        if not letters:
            raise self._no_member(node)
        if base.type.is_scalar:
            return splat(base, base.type.sized(len(letters)))
        return Value(
            f"{base.within(PRIMARY)}.{letters}", base.type.sized(len(letters)), is_fixed=base.is_fixed
        )

    # -- calls -----------------------------------------------------------------------------------------------

    def _call(self, node: tree.Call) -> Value:
        file = self.scope.file
        if node.is_array:
            count = len(node.arguments)
            kind = self.scope.type(tree.TypeName(node.line, node.name, True, node.size), count)
            return self._array(kind, node.arguments, node.line)
        if node.name in file.types:
            return self._struct(node, file.types[node.name])
        if node.name in TYPES:
            return self._construct(node, TYPES[node.name])
        if node.name in file.functions:
            found = self._user_call(node, file.functions[node.name])
            if found is not None:
                return found
        if images.is_image_function(node.name):
            return images.call(self.scope, node, self.all)
        if node.name == "modf":
            return self._modf(node)
        if node.name in builtins.NAMES:
            return builtins.call(node.name, self.all(node.arguments), node.line, file.helpers)
        if node.name in file.functions:
            raise fault(
                node.line,
                sentence(
                    "the arguments of '{name}' fit none of its definitions; convert them", name=node.name
                ),
            )
        raise self.scope.unknown(node.name, node.line)

    def _array(self, kind: Type, items: Sequence[tree.Expression], line: int) -> Value:
        values = self.all(items)
        if len(values) != kind.count:
            raise fault(
                line,
                sentence("an array of {count} has another number of values; give as many", count=kind.count),
            )
        texts = [converted(value, kind.element, line).text for value in values]
        return Value(f"{kind.wgsl}({', '.join(texts)})", kind)

    def _struct(self, node: tree.Call, kind: Type) -> Value:
        members = list(self.scope.file.members(kind).values())
        values = self.all(node.arguments)
        if len(values) != len(members):
            raise fault(
                node.line,
                sentence("'{name}' has another number of members; give a value for each", name=node.name),
            )
        texts = [converted(v, t, node.line).text for v, t in zip(values, members, strict=True)]
        return Value(f"{kind.wgsl}({', '.join(texts)})", kind)

    def _construct(self, node: tree.Call, kind: Type) -> Value:
        values = self.all(node.arguments)
        # What is written once for each component is evaluated once.
        several = len(values) > 1
        return construct(
            kind,
            [
                self.fixed(v)
                if v.type.is_matrix or (kind.is_matrix and (v.type.is_vector or not several))
                else v
                for v in values
            ],
            node.line,
        )

    def _modf(self, node: tree.Call) -> Value:
        if len(node.arguments) != 2:
            raise fault(
                node.line,
                sentence("the arguments of {name}() do not fit it; see the reference of GLSL", name="modf"),
            )
        value = self.fixed(self.one(node.arguments[0]))
        place = self.place(node.arguments[1])
        value = converted(value, place.selected, node.line)
        self.store(place, Value(f"trunc({value.text})", value.type))
        return self.fixed(Value(f"({value.within(UNARY)} - trunc({value.text}))", value.type))

    def _user_call(self, node: tree.Call, overloads: Sequence[Signature]) -> Value | None:
        count = len(node.arguments)
        overloads = [each for each in overloads if len(each.parameters) == count]
        if not overloads:
            return None
        values = self._arguments(node.arguments)
        chosen = _best(overloads, [value.type for value in values])
        return None if chosen is None else self._call_of(chosen, node, values)

    def _arguments(self, nodes: Sequence[tree.Expression]) -> list[Value]:
        """Return arguments, textures among them, from left to right."""
        others = iter(self.all([node for node in nodes if not self._names_image(node)]))
        return [
            Value(node.name, TEXTURE)
            if isinstance(node, tree.Name) and self._names_image(node)
            else next(others)
            for node in nodes
        ]

    def _names_image(self, node: tree.Expression) -> bool:
        if not isinstance(node, tree.Name):
            return False
        if self.scope.file.image(node.name) is not None:
            return True
        return self.scope.find(node.name, node.line).type == TEXTURE

    def _call_of(self, chosen: Signature, node: tree.Call, values: Sequence[Value]) -> Value:
        texts: list[str] = []
        after: list[tuple[LValue, Value]] = []
        for argument, parameter, value in zip(node.arguments, chosen.parameters, values, strict=True):
            if parameter.type.base == "texture":
                assert isinstance(argument, tree.Name)
                texts.append(self._texture(argument))
            elif parameter.way == "in":
                texts.append(converted(value, parameter.type, node.line).text)
            else:
                place = self.place(argument)
                name = self.scope.temporary()
                given = converted(place.value, parameter.type, node.line).text
                start = f" = {given}" if parameter.way == "inout" else ""
                self.put(f"var {name}: {parameter.type.wgsl}{start};")
                texts.append(f"&{name}")
                after.append((place, Value(name, parameter.type, is_fixed=True)))
        call = Value(f"{chosen.text}({', '.join(texts)})", chosen.result)
        if not after:
            return call
        if chosen.result == VOID:
            self.put(f"{call.text};")
            result = Value("", VOID)
        else:
            result = self.fixed(call)
        for place, output in after:
            self.store(place, converted(output, place.selected, node.line))
        return result

    def _texture(self, node: tree.Name) -> str:
        image = self.scope.image(node.name, node.line)
        if not image.texture:
            raise fault(
                node.line,
                sentence(
                    "passes the buffer '{name}' to a function; read it where it is named, or by a macro",
                    name=node.name,
                ),
            )
        return image.texture


def _best(overloads: Sequence[Signature], given: Sequence[Type]) -> Signature | None:
    def fits(each: Signature, compare: Callable[[Type, Type], bool]) -> bool:
        return all(
            compare(own, p.type) if p.way != "out" else compare(p.type, own)
            for own, p in zip(given, each.parameters, strict=True)
        )

    for compare in (Type.__eq__, converts):
        for each in overloads:
            if fits(each, compare):
                return each
    return None
