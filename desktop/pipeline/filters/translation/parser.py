"""Parses GLSL by recursive descent, within limits of depth (GLSL 4.60, section 9)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from desktop.base.errors import FilterError
from desktop.base.wording import sentence
from desktop.pipeline.filters.translation import tree
from desktop.pipeline.filters.translation.faults import fault
from desktop.pipeline.filters.translation.glsl_tokens import Token
from desktop.pipeline.filters.translation.types import TYPES

MAX_NESTING: Final = 32
"""Brackets and statements inside each other, each of which takes some ten calls of Python."""

MAX_CHAIN: Final = 64
"""Operators and members after each other."""

MAX_BRANCHES: Final = 128
"""Branches of a chain of `else if`."""

_LEVELS: Final = (
    ("||",),
    ("^^",),
    ("&&",),
    ("|",),
    ("^",),
    ("&",),
    ("==", "!="),
    ("<", ">", "<=", ">="),
    ("<<", ">>"),
    ("+", "-"),
    ("*", "/", "%"),
)
_LEVEL_OF: Final = {op: level for level, ops in enumerate(_LEVELS) for op in ops}
_ASSIGNING: Final = ("=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=")
_QUALIFIERS: Final = frozenset(
    {
        *("const", "uniform", "varying", "attribute", "in", "out", "inout", "flat", "smooth", "centroid"),
        *("highp", "mediump", "lowp", "invariant", "noperspective", "precise"),
    }
)
_UNSUPPORTED: Final = frozenset(
    {
        "layout",
        "buffer",
        "shared",
        "subroutine",
        "double",
        "dvec2",
        "dvec3",
        "dvec4",
        "goto",
        "asm",
        "template",
    }
)


class Parser:
    """Reads tokens; raises FilterError at the first that does not fit."""

    def __init__(self, tokens: list[Token]) -> None:
        self._tokens = tokens
        self._at = 0
        self._depth = 0
        self._structs: set[str] = set()
        self._anonymous = 0

    # -- tokens ----------------------------------------------------------------------------------------------

    @property
    def _text(self) -> str:
        return self._tokens[self._at].text if self._at < len(self._tokens) else ""

    @property
    def _line(self) -> int:
        return self._tokens[min(self._at, len(self._tokens) - 1)].line if self._tokens else 1

    def _peek(self, ahead: int) -> str:
        at = self._at + ahead
        return self._tokens[at].text if at < len(self._tokens) else ""

    def _take(self) -> Token:
        if self._at >= len(self._tokens):
            raise fault(self._line, sentence("the text ends too early; close what is open"))
        self._at += 1
        return self._tokens[self._at - 1]

    def _accept(self, text: str) -> bool:
        if self._text != text:
            return False
        self._at += 1
        return True

    def _expect(self, text: str) -> None:
        if not self._accept(text):
            raise self._unexpected(text)

    def _unexpected(self, wanted: str) -> FilterError:
        return fault(
            self._line,
            sentence(
                "'{wanted}' is missing before '{found}'; correct it",
                wanted=wanted,
                found=self._text[:40] or "the end",
            ),
        )

    def _name(self) -> str:
        if self._at < len(self._tokens) and self._tokens[self._at].kind == "name":
            return self._take().text
        raise fault(
            self._line, sentence("a name is missing before '{found}'; correct it", found=self._text[:40])
        )

    @contextmanager
    def _nested(self) -> Iterator[None]:
        self._depth += 1
        if self._depth > MAX_NESTING:
            raise fault(
                self._line,
                sentence(
                    "brackets or statements are nested more than {limit} deep; use functions",
                    limit=MAX_NESTING,
                ),
            )
        yield
        self._depth -= 1

    def _chained(self, length: int, limit: int = MAX_CHAIN) -> None:
        if length > limit:
            raise fault(
                self._line,
                sentence(
                    "more than {limit} operators or branches follow each other; split them", limit=limit
                ),
            )

    # -- declarations ----------------------------------------------------------------------------------------

    def unit(self) -> tree.Unit:
        """Return the whole file."""
        items: list[tree.Item] = []
        while self._at < len(self._tokens):
            items += self._item()
        return tree.Unit(tuple(items))

    def constant(self) -> tree.Expression:
        """Return the only expression, such as the condition of an `#if`."""
        found = self._expression()
        if self._at < len(self._tokens):
            raise self._unexpected(";")
        return found

    def _item(self) -> list[tree.Item]:
        line = self._line
        if self._accept(";"):
            return []
        if self._text == "precision":
            while self._take().text != ";":
                pass
            return []
        qualifiers = self._qualifiers()
        if self._text == "struct":
            return self._struct(qualifiers)
        if qualifiers == ("invariant",) or self._text == "{":
            raise fault(line, sentence("a block of declarations is not translated; use loose variables"))
        kind = self._type()
        if self._peek(1) == "(":
            return self._function(line, kind)
        return list(self._variables(kind, qualifiers))

    def _qualifiers(self) -> tuple[str, ...]:
        found: list[str] = []
        while self._text in _QUALIFIERS:
            found.append(self._take().text)
        return tuple(found)

    def _type(self) -> tree.TypeName:
        line = self._line
        name = self._name()
        if name in _UNSUPPORTED:
            raise fault(line, sentence("'{name}' is not translated; leave it out", name=name))
        if name not in TYPES and name not in self._structs:
            raise fault(
                line, sentence("'{name}' is not a type that is translated; use another", name=name[:60])
            )
        return self._sized(line, name)

    def _sized(self, line: int, name: str) -> tree.TypeName:
        if not self._accept("["):
            return tree.TypeName(line, name)
        size = None if self._text == "]" else self._expression()
        self._expect("]")
        if self._text == "[":
            raise fault(line, sentence("arrays of arrays are not translated; use one longer array"))
        return tree.TypeName(line, name, True, size)

    def _struct(self, qualifiers: tuple[str, ...]) -> list[tree.Item]:
        line = self._line
        self._expect("struct")
        if self._text == "{":
            self._anonymous += 1
            name = f"anonymous{self._anonymous}"
        else:
            name = self._name()
        self._expect("{")
        members: list[tree.Variable] = []
        while not self._accept("}"):
            inner = self._qualifiers()
            members += self._variables(self._type(), inner)
        self._structs.add(name)
        items: list[tree.Item] = [tree.Struct(line, name, tuple(members))]
        if self._accept(";"):
            return items
        return [*items, *self._variables(tree.TypeName(line, name), qualifiers)]

    def _variables(self, kind: tree.TypeName, qualifiers: tuple[str, ...]) -> Iterator[tree.Variable]:
        while True:
            line = self._line
            name = self._name()
            own = self._sized(line, kind.name) if self._text == "[" else kind
            value = None
            if self._accept("="):
                value = self._initial()
            yield tree.Variable(line, own, name, value, qualifiers)
            if not self._accept(","):
                self._expect(";")
                return

    def _initial(self) -> tree.Expression:
        line = self._line
        if not self._accept("{"):
            return self._assignment()
        items: list[tree.Expression] = []
        with self._nested():
            while not self._accept("}"):
                items.append(self._initial())
                if not self._accept(",") and self._text != "}":
                    raise self._unexpected("}")
        return tree.Items(line, tuple(items))

    def _function(self, line: int, result: tree.TypeName) -> list[tree.Item]:
        name = self._name()
        self._expect("(")
        parameters: list[tree.Parameter] = []
        if self._text == "void" and self._peek(1) == ")":
            self._take()
        while not self._accept(")"):
            parameters.append(self._parameter())
            if not self._accept(",") and self._text != ")":
                raise self._unexpected(")")
        if self._accept(";"):
            return []
        return [tree.Function(line, result, name, tuple(parameters), self._block())]

    def _parameter(self) -> tree.Parameter:
        line = self._line
        qualifiers = self._qualifiers()
        kind = self._type()
        name = self._name() if self._text not in (",", ")") else ""
        if self._text == "[":
            kind = self._sized(line, kind.name)
        way = next((word for word in qualifiers if word in ("out", "inout")), "in")
        return tree.Parameter(line, kind, name, way)

    # -- statements ------------------------------------------------------------------------------------------

    def _block(self) -> tree.Block:
        line = self._line
        self._expect("{")
        found: list[tree.Statement] = []
        with self._nested():
            while not self._accept("}"):
                found += self._statement()
        return tree.Block(line, tuple(found))

    def _inner(self) -> tree.Block:
        """Return one statement as a block."""
        if self._text == "{":
            return self._block()
        with self._nested():
            line = self._line
            return tree.Block(line, tuple(self._statement()))

    def _statement(self) -> list[tree.Statement]:
        line = self._line
        word = self._text
        if word == "{":
            return [self._block()]
        if word == "if":
            return [self._if()]
        if word in ("for", "while", "do"):
            return [self._loop()]
        if word == "switch":
            return [self._switch()]
        if word == "return":
            self._take()
            value = None if self._text == ";" else self._expression()
            self._expect(";")
            return [tree.Return(line, value)]
        if word in ("break", "continue", "discard"):
            self._take()
            self._expect(";")
            return [tree.Jump(line, word)]
        return self._simple()

    def _simple(self) -> list[tree.Statement]:
        """Return a declaration or an expression, with its ';'."""
        line = self._line
        if self._accept(";"):
            return []
        if self._text == "struct":
            raise fault(line, sentence("a struct inside a function is not translated; put it outside"))
        if self._starts_declaration():
            qualifiers = self._qualifiers()
            return [tree.Declaration(line, tuple(self._variables(self._type(), qualifiers)))]
        found = self._expression()
        self._expect(";")
        return [tree.Evaluate(line, found)]

    def _starts_declaration(self) -> bool:
        if self._text in _QUALIFIERS or self._text in _UNSUPPORTED:
            return True
        if self._text not in TYPES and self._text not in self._structs:
            return False
        # float(x) and float[2](...) are expressions.
        return self._peek(1) != "(" and not (self._peek(1) == "[" and self._is_array_constructor())

    def _is_array_constructor(self) -> bool:
        at, depth = 1, 0
        while self._peek(at):
            depth += (self._peek(at) == "[") - (self._peek(at) == "]")
            if depth == 0:
                return self._peek(at + 1) == "("
            at += 1
        return False

    def _if(self) -> tree.If:
        """Return an `if`; a chain of `else if` is read without recursion."""
        branches: list[tuple[int, tree.Expression, tree.Block]] = []
        last: tree.Block | None = None
        while True:
            line = self._line
            self._expect("if")
            self._expect("(")
            condition = self._expression()
            self._expect(")")
            branches.append((line, condition, self._inner()))
            self._chained(len(branches), MAX_BRANCHES)
            if not self._accept("else"):
                break
            if self._text != "if":
                last = self._inner()
                break
        found: tree.If | None = None
        for line, condition, yes in reversed(branches):
            found = tree.If(line, condition, yes, found or last)
        assert found is not None
        return found

    def _loop(self) -> tree.Loop:
        line = self._line
        word = self._take().text
        if word == "do":
            body = self._inner()
            self._expect("while")
            self._expect("(")
            condition = self._expression()
            self._expect(")")
            self._expect(";")
            return tree.Loop(line, None, condition, None, body, last=True)
        self._expect("(")
        if word == "while":
            condition = self._expression()
            self._expect(")")
            return tree.Loop(line, None, condition, None, self._inner())
        first = self._simple()
        until = None if self._text == ";" else self._expression()
        self._expect(";")
        step = None if self._text == ")" else self._expression()
        self._expect(")")
        return tree.Loop(line, first[0] if first else None, until, step, self._inner())

    def _switch(self) -> tree.Switch:
        line = self._line
        self._expect("switch")
        self._expect("(")
        value = self._expression()
        self._expect(")")
        self._expect("{")
        cases: list[tree.Case] = []
        with self._nested():
            while not self._accept("}"):
                cases.append(self._case())
        return tree.Switch(line, value, tuple(cases))

    def _case(self) -> tree.Case:
        line = self._line
        labels: list[tree.Expression | None] = []
        while self._text in ("case", "default"):
            labels.append(self._expression() if self._take().text == "case" else None)
            self._expect(":")
        if not labels:
            raise self._unexpected("case")
        statements: list[tree.Statement] = []
        while self._text not in ("case", "default", "}"):
            statements += self._statement()
        return tree.Case(line, tuple(labels), tuple(statements))

    # -- expressions -----------------------------------------------------------------------------------------

    def _expression(self) -> tree.Expression:
        line = self._line
        parts = [self._assignment()]
        while self._accept(","):
            parts.append(self._assignment())
        return parts[0] if len(parts) == 1 else tree.Sequence(line, tuple(parts))

    def _assignment(self) -> tree.Expression:
        with self._nested():
            target = self._ternary()
            line = self._line
            if self._text in _ASSIGNING:
                op = self._take().text[:-1]
                return tree.Assign(line, op, target, self._assignment())
            return target

    def _ternary(self) -> tree.Expression:
        condition = self._binary(0)
        line = self._line
        if not self._accept("?"):
            return condition
        yes = self._assignment()
        self._expect(":")
        return tree.Ternary(line, condition, yes, self._assignment())

    def _binary(self, level: int) -> tree.Expression:
        left = self._unary()
        length = 0
        while (own := _LEVEL_OF.get(self._text, -1)) >= level:
            length += 1
            self._chained(length)
            line = self._line
            op = self._take().text
            left = tree.Binary(line, op, left, self._binary(own + 1))
        return left

    def _unary(self) -> tree.Expression:
        line = self._line
        if self._text in ("+", "-", "!", "~", "++", "--"):
            op = self._take().text
            with self._nested():
                return tree.Unary(line, op, self._unary())
        return self._postfix()

    def _postfix(self) -> tree.Expression:
        found = self._primary()
        length = 0
        while self._text in ("[", ".", "++", "--"):
            length += 1
            self._chained(length)
            line = self._line
            op = self._take().text
            if op == "[":
                index = self._expression()
                self._expect("]")
                found = tree.Index(line, found, index)
            elif op == ".":
                found = tree.Member(line, found, self._name())
                if found.name == "length" and self._accept("("):
                    self._expect(")")
            else:
                found = tree.Postfix(line, op, found)
        return found

    def _primary(self) -> tree.Expression:
        token = self._take()
        if token.text == "(":
            found = self._expression()
            self._expect(")")
            return found
        if token.kind == "float":
            return tree.Number(token.line, "float", float(token.text.rstrip("lLfF")))
        if token.kind == "int":
            return _integer(token)
        if token.text in ("true", "false"):
            return tree.Number(token.line, "bool", float(token.text == "true"))
        if token.kind != "name":
            self._at -= 1
            raise fault(
                token.line, sentence("a value is missing before '{found}'; correct it", found=token.text)
            )
        if self._text == "[" and (token.text in TYPES or token.text in self._structs):
            self._take()
            size = None if self._text == "]" else self._expression()
            self._expect("]")
            return self._call(token, is_array=True, size=size)
        if self._text == "(":
            return self._call(token)
        return tree.Name(token.line, token.text)

    def _call(
        self, token: Token, *, is_array: bool = False, size: tree.Expression | None = None
    ) -> tree.Call:
        self._expect("(")
        arguments: list[tree.Expression] = []
        if self._text == "void" and self._peek(1) == ")":
            self._take()
        while not self._accept(")"):
            arguments.append(self._assignment())
            if not self._accept(",") and self._text != ")":
                raise self._unexpected(")")
        return tree.Call(token.line, token.text, tuple(arguments), is_array, size)


def _integer(token: Token) -> tree.Number:
    text = token.text.rstrip("uU")
    base = 16 if text[:2] in ("0x", "0X") else 8 if len(text) > 1 and text[0] == "0" else 10
    try:
        value = int(text, base) if len(text) <= 20 else 1 << 32
    except ValueError:
        value = 1 << 32
    if value >= 1 << 32:
        raise fault(
            token.line,
            sentence("the number {number} does not fit into 32 bits; use a smaller one", number=text[:40]),
        )
    return tree.Number(token.line, "uint" if text != token.text else "int", float(value))
