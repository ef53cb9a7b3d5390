"""Count iterations ("rounds") of a kernel's loops in one thread, and unroll loops if an adapter limits them.

Mesa's llvmpipe lets a thread make 65,535 rounds of all loops together (LP_MAX_TGSI_LOOP_ITERATIONS) and then
leaves every loop after one more: long sums are silently wrong. `bounded` counts the rounds, as sizes are
constants of the text, and unrolls loops if there are too many. Nesting loops does not help. Kernels for GPUs,
which have no such limit, stay as they are.

Loops must have one of these forms (`tests/cpu/test_nn_rounds.py` checks); A, B and C are numbers, constants,
their products and sums, or, in B, `min` of such and anything else:

    for (var i = A; i < B; i++) {        for (var i = A; i < B; i += C) {        for (var i = A; i > 0u; i /= 2u) {
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

MOST: Final = 60_000
"""Most rounds of a thread on a software adapter."""
_COPIES: Final = 128
"""Most copies of a loop's body; a kernel that needs more is refused."""
_HALVINGS: Final = 10  # a workgroup has at most 1024 threads

_FOR: Final = re.compile(r"\bfor \(var (\w+) = (.*?); (\w+) (<|>) (.*?); (.*?)\) \{")
_LOOPS: Final = re.compile(r"\b(?:for|while|loop)\b")
_CONST: Final = re.compile(r"\bconst (\w+)(?:: u32)? = ([^;\n]+);")
_TOKEN: Final = re.compile(r"\s*(?:(\d+)u?|([A-Za-z_][\w.]*|[-+*/(),]))")
_COMMENT: Final = re.compile(r"//[^\n]*")


class Uncountable(ValueError):
    """A loop whose rounds cannot be determined from its text."""


class TooLong(ValueError):
    """A kernel that needs more rounds than allowed, however it is unrolled; `rounds`: how many."""

    def __init__(self, rounds: int) -> None:
        super().__init__(f"{rounds} rounds")
        self.rounds = rounds


@dataclass(frozen=True)
class _Loop:
    """`for (var name = start; name < end; name += step) { body }`, which makes at most `rounds`."""

    name: str
    start: str
    end: str
    step: str
    rounds: int
    body: tuple[str | _Loop, ...]
    head: str

    @property
    def is_plain(self) -> bool:
        """Return True if the loop counts up and its own body does not change its course."""
        text = " ".join(part for part in self.body if isinstance(part, str))
        return bool(self.step) and re.search(r"\b(?:continue|break)\b", text) is None

    @property
    def total(self) -> int:
        """Return the rounds of this loop and those in it."""
        return self.rounds * (1 + _total(self.body))


def _total(parts: Sequence[str | _Loop]) -> int:
    return sum(part.total for part in parts if isinstance(part, _Loop))


def bounded(text: str, most: int = MOST) -> str:
    """Rewrite a kernel so that a thread makes at most `most` rounds.

    Raises:
        TooLong: not possible even with the loops unrolled.
        Uncountable: a loop has none of the forms above; a mistake in the kernel.
    """
    if _FOR.search(text) is None:
        return text
    parts = _parse(_COMMENT.sub("", text), _constants(text))
    total = _total(parts)
    return text if total <= most else _text(_shortened(parts, most))


def rounds(text: str) -> int:
    """Return the most rounds that a thread makes; raise `Uncountable` as `bounded` does."""
    return _total(_parse(_COMMENT.sub("", text), _constants(text)))


# -- reading -------------------------------------------------------------------------------------------------


def _constants(text: str) -> dict[str, int]:
    found: dict[str, int] = {}
    for name, expression in _CONST.findall(text):
        value = _bound(expression, found)
        if value is not None:
            found[name] = value
    return found


def _parse(text: str, constants: Mapping[str, int]) -> tuple[str | _Loop, ...]:
    parts: list[str | _Loop] = []
    last = 0
    while (match := _LOOPS.search(text, last)) is not None:
        head = _FOR.match(text, match.start())
        if head is None:
            raise Uncountable(text[match.start() : match.start() + 80].splitlines()[0])
        close = _closing(text, head.end())
        parts.append(text[last : match.start()])
        parts.append(_loop(head, _parse(text[head.end() : close], constants), constants))
        last = close + 1
    return (*parts, text[last:])


def _closing(text: str, start: int) -> int:
    depth = 1
    for brace in re.finditer(r"[{}]", text[start:]):
        depth += 1 if brace.group() == "{" else -1
        if depth == 0:
            return start + brace.start()
    raise Uncountable("a loop without an end")


def _loop(match: re.Match[str], body: tuple[str | _Loop, ...], constants: Mapping[str, int]) -> _Loop:
    name, start, tested, sign, end, move = match.groups()
    if sign == ">" and end == "0u" and move == f"{name} /= 2u" and tested == name:
        return _Loop(name, start, end, "", _HALVINGS, body, match.group())
    step = "1u" if move == f"{name}++" else move.removeprefix(f"{name} += ")
    size, most = _bound(step, constants), _bound(end, constants)
    if sign != "<" or tested != name or step == move or not size or most is None:
        raise Uncountable(match.group())
    return _Loop(name, start, end, step, -(-most // size), body, match.group())


def _bound(expression: str, constants: Mapping[str, int]) -> int | None:
    """Return an expression's value, or the least known argument of a `min`; None for anything else."""
    tokens = ["".join(found) for found in _TOKEN.findall(expression)]
    if "".join(tokens) != re.sub(r"(?<=\d)u|\s", "", expression):
        return None
    value, rest = _sum(tokens, constants)
    return value if not rest else None


def _sum(tokens: list[str], constants: Mapping[str, int]) -> tuple[int | None, list[str]]:
    value, tokens = _product(tokens, constants)
    while tokens and tokens[0] in "+-":
        sign = tokens[0]
        other, tokens = _product(tokens[1:], constants)
        value = None if value is None or other is None else value + (other if sign == "+" else -other)
    return value, tokens


def _product(tokens: list[str], constants: Mapping[str, int]) -> tuple[int | None, list[str]]:
    value, tokens = _factor(tokens, constants)
    while tokens and tokens[0] in "*/":
        sign = tokens[0]
        other, tokens = _factor(tokens[1:], constants)
        if value is None or other is None or (sign == "/" and other == 0):
            value = None
        else:
            value = value * other if sign == "*" else value // other
    return value, tokens


def _factor(tokens: list[str], constants: Mapping[str, int]) -> tuple[int | None, list[str]]:
    if not tokens:
        return None, []
    first, rest = tokens[0], tokens[1:]
    if first == "(":
        value, rest = _sum(rest, constants)
        return value, rest[1:]
    if first == "min" and rest[:1] == ["("]:
        a, rest = _sum(rest[1:], constants)
        b, rest = _sum(rest[1:], constants)
        return min((n for n in (a, b) if n is not None), default=None), rest[1:]
    if rest[:1] == ["("]:  # nothing is known of other functions
        _, rest = _sum(rest[1:], constants)
        return None, rest[1:]
    return int(first) if first.isdigit() else constants.get(first), rest


# -- writing -------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Repeated:
    """A loop unrolled by `copies`; without a loop if that is all its rounds."""

    loop: _Loop
    copies: int
    body: tuple[str | _Loop | _Repeated, ...]

    @property
    def total(self) -> int:
        inner = sum(part.total for part in self.body if not isinstance(part, str))
        turns = -(-self.loop.rounds // self.copies)
        return self.copies * inner if turns <= 1 else turns * (1 + self.copies * inner)


_Part = str | _Loop | _Repeated


def _shortened(parts: Sequence[str | _Loop], most: int) -> list[_Part]:
    """Unroll to reduce the rounds, the innermost loops first: their bodies are the shortest."""
    total = _total(parts)
    for copies in (2, 4, 8, 16, 32, 64, _COPIES):
        found = [_repeated(part, copies) for part in parts]
        if sum(part.total for part in found if not isinstance(part, str)) <= most:
            return found
    raise TooLong(total)


def _repeated(part: str | _Loop, copies: int) -> _Part:
    if isinstance(part, str) or not part.is_plain:
        return part
    inner = [each for each in part.body if isinstance(each, _Loop)]
    if not inner:
        return _Repeated(part, min(copies, max(part.rounds, 1)), part.body)
    # The outer loop gets the copies that the inner ones leave.
    body = tuple(_repeated(each, copies) for each in part.body)
    taken = max((each.copies for each in body if isinstance(each, _Repeated)), default=1)
    return _Repeated(part, max(min(copies // taken, part.rounds), 1), body)


def _text(parts: Sequence[_Part]) -> str:
    return "".join(_written(part) for part in parts)


def _written(part: _Part) -> str:
    if isinstance(part, str):
        return part
    if isinstance(part, _Loop):
        return f"{part.head}{_text(part.body)}}}"
    loop, body = part.loop, _text(part.body)
    if part.copies >= loop.rounds:
        places = [f"{loop.start} + {i}u * ({loop.step})" for i in range(part.copies)]
        copies = [f"if ({at} < {loop.end}) {{ let {loop.name} = {at}; {body} }}" for at in places]
        return "{ " + "\n".join(copies) + " }"
    first = f"{loop.name}_first"
    copies = [
        f"{{ let {loop.name} = {first} + {i}u * ({loop.step}); if ({loop.name} < {loop.end}) {{ {body} }} }}"
        for i in range(part.copies)
    ]
    head = f"for (var {first} = {loop.start}; {first} < {loop.end}; {first} += {part.copies}u * ({loop.step})) {{"
    return f"{head}\n" + "\n".join(copies) + "\n}"
