"""Runs GLSL's preprocessor: conditions and macros (GLSL 4.60, section 3.3), within limits."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Final

from desktop.base.wording import sentence
from desktop.pipeline.filters.translation.faults import fault
from desktop.pipeline.filters.translation.glsl_tokens import (
    MAX_TOKENS,
    Line,
    Token,
    logical_lines,
    tokens_of,
    too_many_tokens,
)

_MAX_MACROS: Final = 1000
_MAX_DEPTH: Final = 40
_IGNORED: Final = ("version", "extension", "pragma", "line", "")

Evaluate = Callable[[list[Token]], float]
"""Value of a constant expression; raises FilterError if it is none."""


@dataclass(frozen=True)
class _Macro:
    """Definition of a macro; `params` is None for one without parentheses."""

    body: tuple[Token, ...]
    params: tuple[str, ...] | None = None


@dataclass
class _Condition:
    """An `#if` that is open: whether this branch is read, and whether one was read before or ever can be."""

    reading: bool
    done: bool
    line: int


def preprocess(text: str, evaluate: Evaluate, defined: Iterable[str] = ()) -> list[Token]:
    """Return the tokens of a file; `defined` are macros that stand for 1. Raises FilterError."""
    reader = _Preprocessor(evaluate)
    one = (Token("int", "1", 0),)
    reader.macros |= {name: _Macro(one) for name in defined}
    reader.macros["__VERSION__"] = _Macro((Token("int", "330", 0),))
    for line in logical_lines(text):
        reader.read(line)
    return reader.finish()


@dataclass
class _Preprocessor:
    evaluate: Evaluate
    macros: dict[str, _Macro] = field(default_factory=dict)
    _out: list[Token] = field(default_factory=list)
    _pending: list[Token] = field(default_factory=list)
    _conditions: list[_Condition] = field(default_factory=list)
    _read: int = 0
    _spent: int = 0

    @property
    def _is_reading(self) -> bool:
        return all(condition.reading for condition in self._conditions)

    def read(self, line: Line) -> None:
        text = line.text.strip()
        if text.startswith("#"):
            # A macro's arguments may be on several lines, but not on both sides of a directive.
            self._flush()
            self._directive(Line(line.number, text[1:].strip()))
        elif self._is_reading:
            found = tokens_of(line)
            self._read += len(found)
            if self._read > MAX_TOKENS:
                raise too_many_tokens()
            self._pending += found

    def finish(self) -> list[Token]:
        self._flush()
        if self._conditions:
            raise fault(self._conditions[-1].line, sentence("this '#if' has no '#endif'; add one at its end"))
        return self._out

    def _flush(self) -> None:
        self._out += self._expand(self._pending, frozenset(), 0)
        self._pending = []
        if len(self._out) > MAX_TOKENS:
            raise too_many_tokens()

    # -- directives ------------------------------------------------------------------------------------------

    def _directive(self, line: Line) -> None:
        name, _, rest = line.text.replace("\t", " ").partition(" ")
        head, bracket, tail = name.partition("(")
        if bracket:  # #if(A)
            name, rest = head, bracket + tail + " " + rest
        body = Line(line.number, rest)
        if name in ("if", "ifdef", "ifndef"):
            outer = self._is_reading
            reads = outer and self._holds(name, body)
            self._conditions.append(_Condition(reads, reads or not outer, line.number))
        elif name in ("elif", "else", "endif"):
            self._continue(name, body)
        elif not self._is_reading or name in _IGNORED:
            return
        elif name == "define":
            self._define(body)
        elif name == "undef":
            self.macros.pop(rest.strip(), None)
        else:
            raise fault(
                line.number,
                sentence("'#{name}' cannot be translated; remove it", name=name[:40]),
            )

    def _continue(self, name: str, body: Line) -> None:
        if not self._conditions:
            raise fault(body.number, sentence("'#{name}' has no '#if'; remove it", name=name))
        condition = self._conditions[-1]
        if name == "endif":
            self._conditions.pop()
        elif condition.done:
            condition.reading = False
        else:
            condition.reading = name == "else" or self._holds("if", body)
            condition.done = condition.reading

    def _holds(self, name: str, body: Line) -> bool:
        if name != "if":
            return (body.text.strip() in self.macros) == (name == "ifdef")
        found = self._without_defined(tokens_of(body))
        expanded = self._expand(found, frozenset(), 0)
        # Names that are not macros are 0, as in C.
        words = [Token("int", "0", t.line) if t.kind == "name" else t for t in expanded]
        if not words:
            raise fault(body.number, sentence("'#if' has no condition; write one"))
        return bool(self.evaluate(words))

    def _without_defined(self, found: list[Token]) -> list[Token]:
        out: list[Token] = []
        at = 0
        while at < len(found):
            token = found[at]
            at += 1
            if token.text != "defined":
                out.append(token)
                continue
            names = [t for t in found[at : at + 3] if t.kind == "name"]
            in_brackets = at < len(found) and found[at].text == "("
            at += 3 if in_brackets else 1
            known = bool(names) and names[0].text in self.macros
            out.append(Token("int", str(int(known)), token.line))
        return out

    def _define(self, line: Line) -> None:
        found = tokens_of(line)
        if not found or found[0].kind != "name":
            raise fault(line.number, sentence("'#define' names no macro; write a name after it"))
        if any(token.text == "##" for token in found):
            raise fault(
                line.number,
                sentence("the macro joins words by '##', which is not translated; write them out"),
            )
        name, body = found[0].text, found[1:]
        params: tuple[str, ...] | None = None
        if line.text.strip()[len(name) : len(name) + 1] == "(":
            close = next((i for i, token in enumerate(body) if token.text == ")"), None)
            if close is None:
                raise fault(line.number, sentence("the parameters of the macro have no ')'; add it"))
            params = tuple(token.text for token in body[1:close] if token.text != ",")
            body = body[close + 1 :]
        if len(self.macros) >= _MAX_MACROS:
            raise fault(
                line.number, sentence("it has more than {limit} macros; use fewer", limit=_MAX_MACROS)
            )
        self.macros[name] = _Macro(tuple(body), params)

    # -- macros ----------------------------------------------------------------------------------------------

    def _expand(self, found: list[Token], hidden: frozenset[str], depth: int) -> list[Token]:
        out: list[Token] = []
        at = 0
        while at < len(found):
            token = found[at]
            at += 1
            macro = None if token.text in hidden else self.macros.get(token.text)
            if token.kind != "name" or macro is None:
                out.append(token)
                continue
            if depth >= _MAX_DEPTH:
                raise fault(
                    token.line,
                    sentence("macros are nested more than {limit} deep; use functions", limit=_MAX_DEPTH),
                )
            body = [part._replace(line=token.line) for part in macro.body]
            if macro.params is not None:
                if at >= len(found) or found[at].text != "(":
                    out.append(token)
                    continue
                arguments, at = _arguments(found, at)
                expanded = [self._expand(argument, hidden, depth + 1) for argument in arguments]
                body = self._filled(token, macro.params, body, expanded)
            self._spend(len(body))
            out += self._expand(body, hidden | {token.text}, depth + 1)
        return out

    def _filled(
        self, token: Token, params: tuple[str, ...], body: list[Token], arguments: list[list[Token]]
    ) -> list[Token]:
        if len(arguments) != len(params) and not (len(params) == 0 and arguments == [[]]):
            raise fault(
                token.line,
                sentence(
                    "the macro '{name}' takes {count} arguments; write as many",
                    name=token.text,
                    count=len(params),
                ),
            )
        values = dict(zip(params, arguments, strict=False))
        out: list[Token] = []
        for part in body:
            out += values.get(part.text, [part])
            self._spend(len(values.get(part.text, ())))
        return out

    def _spend(self, count: int) -> None:
        # What arises on the way counts too: nested macros double at each level.
        self._spent += count + 1
        if self._spent > 2 * MAX_TOKENS:
            raise too_many_tokens()


def _arguments(found: list[Token], at: int) -> tuple[list[list[Token]], int]:
    """Return the arguments of a macro's call whose '(' is at `at`, and the index after its ')'."""
    arguments: list[list[Token]] = [[]]
    depth = 0
    for index in range(at, len(found)):
        token = found[index]
        depth += (token.text in "([{") - (token.text in ")]}") if token.kind == "op" else 0
        if depth == 0:
            return arguments, index + 1
        if depth == 1 and token.text == ",":
            arguments.append([])
        elif index > at:
            arguments[-1].append(token)
    raise fault(found[at].line, sentence("the arguments of the macro have no ')'; add it"))
