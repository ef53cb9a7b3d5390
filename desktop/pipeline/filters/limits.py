"""Limits on an untrusted shader, checked by counting tokens before naga or a driver's compiler reads it: they
recurse, unroll and inline, so that extreme text crashes or blocks the process. trial.py does the rest.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from desktop.base.errors import FilterError
from desktop.base.wording import sentence
from desktop.compute.gpu.wgsl import ShaderText

MAX_TOKENS: Final = 100_000
MAX_DECLARATIONS: Final = 1024
MAX_FUNCTIONS: Final = 512
"""naga resolves declarations in reverse order by recursion: 1 MiB of stack overflows at 2000 to 5000."""

MAX_NESTING: Final = 127
"""Nested brackets. WGSL requires 127 (section 2.4); naga overflows 1 MiB of stack at some 340."""

MAX_DEPTH: Final = 400
"""Height of an expression's or statement's tree. naga overflows 1 MiB of stack at 500 to 1000."""

CALL_BUDGET: Final = 4096
"""Function bodies after inlining an entry: 30 functions with two calls each make a thousand million."""

LOOP_COPIES: Final = 128
"""Loops after inlining one call of an entry. llvmpipe takes over 90 s to compile 200."""

PRIVATE_BYTES: Final = 64 << 10
"""Bytes of an invocation's variables. WGSL guarantees 8192 (2.4); llvmpipe allocates it per thread."""

WORKGROUP_BYTES: Final = 64 << 10
TYPE_BYTES: Final = 32 << 20
"""The largest type, which is the largest `[[buffer]]`."""

_LOOPS: Final = ("for", "while", "loop")
_DECLARATIONS: Final = ("fn", "struct", "alias", "type", "const", "override", "var", "let", "const_assert")
_OPEN: Final = {"(": ")", "[": "]", "{": "}"}
_STATEMENTS: Final = ("if", "while", "for", "switch", "return")
# Bytes of the largest type of each family, vectors and matrices padded as in a struct.
_SCALARS: Final = {
    "bool": 4,
    "i32": 4,
    "u32": 4,
    "f32": 4,
    "f16": 2,
    "atomic": 4,
    "i64": 8,
    "u64": 8,
    "f64": 8,
}
_HUGE: Final = 1 << 62


def check_limits(source: ShaderText) -> None:
    """Raise FilterError, with line and limit, for a shader too large, deep or memory-hungry to compile."""
    if len(source.tokens) > MAX_TOKENS:
        raise FilterError(
            sentence(
                "It has {count} tokens; {max_tokens} is most.",
                count=len(source.tokens),
                max_tokens=MAX_TOKENS,
            )
        )
    _check_depth(source)
    module = Module.read(source)
    _check_calls(source, module)
    _check_memory(source, module)


def _fail(source: ShaderText, index: int, what: str) -> FilterError:
    line = source.line(index)
    return FilterError(sentence("Line {line}: {what}.", line=line, what=what), line)


# -- depth ---------------------------------------------------------------------------------------------------


@dataclass
class _Level:
    """Inside one bracket: the deepest finished statement or argument, and the one that is being read."""

    close: str
    deepest: int = 0
    inner: int = 0
    signs: int = 0

    def end_segment(self) -> None:
        self.deepest = max(self.deepest, self.inner + self.signs)
        self.inner = self.signs = 0


def _check_depth(source: ShaderText) -> None:
    """Limit a compiler's recursion: nested brackets, chains of operators, members, indices and else-ifs."""
    levels = [_Level("")]
    ends = source.templates
    closing = set(ends.values())
    before = ""
    for index, (kind, text, _) in enumerate(source.tokens):
        level = levels[-1]
        if index in ends or text in _OPEN:
            if len(levels) > MAX_NESTING:
                raise _fail(
                    source,
                    index,
                    sentence(
                        "brackets are nested more than {max_nesting} deep; use functions",
                        max_nesting=MAX_NESTING,
                    ),
                )
            # An index or a call of what stands before it.
            level.signs += text != "{" and before not in _STATEMENTS
            levels.append(_Level(_OPEN.get(text, ">")))
        elif index in closing or text in ("]", ")", "}"):
            _close(levels, text)
        elif text in (";", ","):
            level.end_segment()
        elif kind == "op" or text == "else":
            level.signs += 1
        before = text
        if levels[-1].signs + levels[-1].inner > MAX_DEPTH:
            raise _fail(
                source,
                index,
                sentence(
                    "an expression or a chain of 'else if' is more than {max_depth} deep; split it",
                    max_depth=MAX_DEPTH,
                ),
            )
        if text == "}" and (index + 1 == len(source.tokens) or source.tokens[index + 1].text != "else"):
            levels[-1].end_segment()


def _close(levels: list[_Level], text: str) -> None:
    # A mismatched bracket is reported by the compiler.
    if len(levels) == 1 or levels[-1].close != text:
        return
    level = levels.pop()
    level.end_segment()
    levels[-1].inner = max(levels[-1].inner, level.deepest)


# -- declarations --------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Module:
    """Module's declarations by name, as ranges of tokens (first, after the last); a variable's from 'var'."""

    functions: dict[str, tuple[int, int]] = field(default_factory=dict)
    structs: dict[str, tuple[int, int]] = field(default_factory=dict)
    aliases: dict[str, tuple[int, int]] = field(default_factory=dict)
    constants: dict[str, tuple[int, int]] = field(default_factory=dict)
    variables: list[tuple[int, int]] = field(default_factory=list)

    @classmethod
    def read(cls, source: ShaderText) -> Module:
        """Find the declarations; raise FilterError if there are too many."""
        module = cls()
        found = source.tokens
        starts = _heads(source)
        functions = sum(found[start].text == "fn" for start in starts)
        if functions > MAX_FUNCTIONS:
            raise FilterError(
                sentence(
                    "It has {functions} functions, which are more than {max_functions}; use fewer.",
                    functions=functions,
                    max_functions=MAX_FUNCTIONS,
                )
            )
        if len(starts) > MAX_DECLARATIONS:
            raise FilterError(
                sentence(
                    "It has {count} declarations, which are more than {max_declarations}; use fewer.",
                    count=len(starts),
                    max_declarations=MAX_DECLARATIONS,
                )
            )
        kinds = {
            "fn": module.functions,
            "struct": module.structs,
            "alias": module.aliases,
            "type": module.aliases,
            "const": module.constants,
        }
        for start, end in zip(starts, [*starts[1:], len(found)], strict=False):
            table = kinds.get(found[start].text)
            if table is not None and start + 1 < end:
                table[found[start + 1].text] = (start, end)
            elif found[start].text == "var":
                module.variables.append((start, end))
        return module


def _heads(source: ShaderText) -> list[int]:
    """Indices of the keywords that begin the module's declarations."""
    starts: list[int] = []
    depth = 0
    for index, (kind, text, _) in enumerate(source.tokens):
        if text == "{":
            depth += 1
        elif text == "}":
            depth = max(0, depth - 1)
        elif kind == "name" and depth == 0 and text in _DECLARATIONS:
            starts.append(index)
    return starts


# -- calls and loops -----------------------------------------------------------------------------------------


def _check_calls(source: ShaderText, module: Module) -> None:
    """Limit bodies and loops after inlining. WGSL has no recursion; naga rejects it."""
    found = source.tokens
    calls: dict[str, list[str]] = {}
    loops: dict[str, int] = {}
    for name, (start, end) in module.functions.items():
        names = [found[i].text for i in range(start + 2, end) if found[i].kind == "name"]
        # Not only where '(' follows: what is named and not called counts too much, never too little.
        calls[name] = [other for other in names if other in module.functions and other != name]
        loops[name] = sum(word in _LOOPS for word in names)
    bodies = dict.fromkeys(module.functions, 1)
    copies = dict(loops)
    # A function may be declared after it is called, so costs are propagated as often as a chain may be long.
    for _ in range(len(calls) + 1):
        before = dict(bodies), dict(copies)
        for name, others in calls.items():
            bodies[name] = 1 + sum(bodies[other] for other in others)
            copies[name] = loops[name] + sum(copies[other] for other in others)
            if bodies[name] > CALL_BUDGET:
                raise _fail(
                    source,
                    module.functions[name][0],
                    sentence(
                        "the function '{name}' comes to more than {call_budget} calls of functions in "
                        "functions; call "
                        "fewer",
                        name=name,
                        call_budget=CALL_BUDGET,
                    ),
                )
            if copies[name] > LOOP_COPIES:
                raise _fail(
                    source,
                    module.functions[name][0],
                    sentence(
                        "the function '{name}' comes to more than {loop_copies} loops, those of the "
                        "functions that it "
                        "calls included; use fewer",
                        name=name,
                        loop_copies=LOOP_COPIES,
                    ),
                )
        if (bodies, copies) == before:
            return


# -- memory --------------------------------------------------------------------------------------------------


def _check_memory(source: ShaderText, module: Module) -> None:
    sizes = _Sizes(source, module)
    for index in range(len(source.tokens)):
        if sizes.is_type(index) and sizes.of(index) > TYPE_BYTES:
            raise _fail(
                source,
                index,
                sentence("a type has more than {limit} MiB; make its arrays smaller", limit=TYPE_BYTES >> 20),
            )
    private, workgroup = 0, 0
    worst = 0
    for start, end in module.variables:
        space = source.tokens[start + 2].text if start + 1 in source.templates else ""
        total = sizes.named(start, end)
        if space == "private":
            private += total
            worst = start
        elif space == "workgroup":
            workgroup += total
            if workgroup > WORKGROUP_BYTES:
                raise _fail(
                    source,
                    start,
                    sentence(
                        "its workgroup memory has more than {limit} KiB; use less",
                        limit=WORKGROUP_BYTES >> 10,
                    ),
                )
    for start, end in module.functions.values():
        private += sizes.named(start, end)
        worst = start if sizes.named(start, end) else worst
        if private > PRIVATE_BYTES:
            break
    if private > PRIVATE_BYTES:
        raise _fail(
            source,
            worst,
            sentence(
                "the arrays and structs of one invocation have more than {limit} KiB; use smaller ones, a "
                "[[buffer]] or a [[texture]]",
                limit=PRIVATE_BYTES >> 10,
            ),
        )


class _Sizes:
    """Upper bounds of types' sizes in bytes. Sizes that are unknown (overrides) count as one element."""

    def __init__(self, source: ShaderText, module: Module) -> None:
        self._source = source
        self._module = module
        self._types: dict[str, int] = {}
        self._numbers: dict[str, int | None] = {}

    def is_type(self, index: int) -> bool:
        """Return True if a token names an array, a struct or an alias."""
        kind, text, _ = self._source.tokens[index]
        if kind != "name":
            return False
        return text == "array" or text in self._module.structs or text in self._module.aliases

    def named(self, start: int, end: int) -> int:
        """Sum of the types that a declaration names, one value each; template arguments are included."""
        total = 0
        index = start + 2
        while index < end:
            if self.is_type(index):
                total += self.of(index)
                index = self._source.templates.get(index + 1, index)
            index += 1
        return total

    def of(self, index: int) -> int:
        """Return the bytes of the type whose name is at `index`; `_HUGE` at most."""
        try:
            return min(self._of(index), _HUGE)
        except RecursionError:  # a chain of a thousand aliases; MAX_NESTING keeps a single type from it
            return _HUGE

    def _of(self, index: int) -> int:
        text = self._source.tokens[index].text
        if text == "array" and index + 1 in self._source.templates:
            parts = self._arguments(index + 1)
            element = self._of(parts[0][0]) if parts else 4
            count = self._number(*parts[1]) if len(parts) > 1 else 1
            return min(element * max(1, count or 1), _HUGE)
        if text in self._module.structs or text in self._module.aliases:
            return self._declared(text)
        if text in _SCALARS:
            return _SCALARS[text]
        return 64 if text.startswith("mat") else 16 if text.startswith("vec") else 4

    def _declared(self, name: str) -> int:
        if name not in self._types:
            self._types[name] = 4  # while it is being read: one that holds itself is naga's to refuse
            if name in self._module.aliases:
                start, end = self._module.aliases[name]
                size = self._of(start + 3) if start + 3 < end else 4
            else:
                size = sum((self._of(index) + 15) // 16 * 16 for index in self._members(name))
            self._types[name] = min(size, _HUGE)
        return self._types[name]

    def _members(self, name: str) -> Iterator[int]:
        # Indices of the members' types: what follows a ':' that is not in an attribute's parentheses.
        start, end = self._module.structs[name]
        for index in range(start, end - 1):
            if self._source.tokens[index].text == ":":
                yield index + 1

    def _arguments(self, opening: int) -> list[tuple[int, int]]:
        """Return the ranges of the arguments of a template list."""
        found = self._source.tokens
        end = self._source.templates[opening]
        parts: list[tuple[int, int]] = []
        start = index = opening + 1
        depth = 0
        while index < end:
            text = found[index].text
            if index in self._source.templates:
                index = self._source.templates[index]
            elif text in ("(", "["):
                depth += 1
            elif text in (")", "]"):
                depth -= 1
            elif text == "," and depth == 0:
                parts.append((start, index))
                start = index + 1
            index += 1
        if start < end:
            parts.append((start, end))
        return parts

    # -- constant expressions --------------------------------------------------------------------------------

    def _number(self, start: int, end: int) -> int | None:
        """Evaluate a constant integer; None if it is unknown."""
        value, index = self._binary(start, end, 0)
        return value if index == end else None

    def _constant(self, name: str) -> int | None:
        if name not in self._numbers:
            self._numbers[name] = None
            place = self._module.constants.get(name)
            if place is not None:
                found = self._source.tokens
                start, end = place
                equals = next((i for i in range(start, end) if found[i].text == "="), end)
                stop = next((i for i in range(equals, end) if found[i].text == ";"), end)
                self._numbers[name] = self._number(equals + 1, stop)
        return self._numbers[name]

    def _binary(self, index: int, end: int, level: int) -> tuple[int | None, int]:
        # Precedence climbing over '|', '^', '&', shifts, sums, products.
        value, index = self._unary(index, end)
        while index < end:
            sign, width = self._sign(index, end)
            strength = _STRENGTH.get(sign, -1)
            if strength < level or strength < 0:
                break
            right, index = self._binary(index + width, end, strength + 1)
            value = _compute(sign, value, right)
        return value, index

    def _sign(self, index: int, end: int) -> tuple[str, int]:
        text = self._source.tokens[index].text
        if text == ">" and index + 1 < end and self._source.tokens[index + 1].text == ">":
            return ">>", 2
        return text, 1

    def _unary(self, index: int, end: int) -> tuple[int | None, int]:
        if index >= end:
            return None, index
        kind, text, _ = self._source.tokens[index]
        if text == "-":
            value, index = self._unary(index + 1, end)
            return (None if value is None else -value), index
        if text == "(":
            value, index = self._binary(index + 1, end, 0)
            closed = index < end and self._source.tokens[index].text == ")"
            return (value, index + 1) if closed else (None, end + 1)
        if kind == "number":
            return _integer_or_none(text), index + 1
        following = self._source.tokens[index + 1].text if index + 1 < end else ""
        if text in ("u32", "i32", "max", "min") and following == "(":
            return self._call(text, index + 2, end)
        if kind == "name" and following not in ("(", "<", "[", "."):
            return self._constant(text), index + 1
        return None, end + 1

    def _call(self, name: str, index: int, end: int) -> tuple[int | None, int]:
        values: list[int | None] = []
        while True:
            value, index = self._binary(index, end, 0)
            values.append(value)
            if index >= end or self._source.tokens[index].text not in (",", ")"):
                return None, end + 1
            index += 1
            if self._source.tokens[index - 1].text == ")":
                break
        known = [value for value in values if value is not None]
        if len(known) < len(values):
            return None, index
        return (min if name == "min" else max)(known), index


_STRENGTH: Final = {"|": 0, "^": 1, "&": 2, "<<": 3, ">>": 3, "+": 4, "-": 4, "*": 5, "/": 5, "%": 5}


def _integer_or_none(text: str) -> int | None:
    try:
        return min(int(text.rstrip("iu"), 0), _HUGE)
    except ValueError:
        return None


def _compute(sign: str, a: int | None, b: int | None) -> int | None:
    if (
        a is None
        or b is None
        or (sign in ("/", "%") and b == 0)
        or (sign in ("<<", ">>") and not 0 <= b < 64)
    ):
        return None
    value = {
        "|": lambda: a | b,
        "^": lambda: a ^ b,
        "&": lambda: a & b,
        "<<": lambda: a << b,
        ">>": lambda: a >> b,
        "+": lambda: a + b,
        "-": lambda: a - b,
        "*": lambda: a * b,
        "/": lambda: a // b,
        "%": lambda: a % b,
    }[sign]()
    return max(-_HUGE, min(value, _HUGE))
