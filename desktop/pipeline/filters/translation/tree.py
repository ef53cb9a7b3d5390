"""Syntax tree of GLSL: frozen nodes, each with its line."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Number:
    """A literal; `type` is 'float', 'int', 'uint' or 'bool'."""

    line: int
    type: str
    value: float


@dataclass(frozen=True)
class Name:
    """A variable."""

    line: int
    name: str


@dataclass(frozen=True)
class Unary:
    """An operator before its operand: + - ! ~ ++ --."""

    line: int
    op: str
    operand: Expression


@dataclass(frozen=True)
class Postfix:
    """`x++` or `x--`."""

    line: int
    op: str
    operand: Expression


@dataclass(frozen=True)
class Binary:
    """An operator between two operands."""

    line: int
    op: str
    left: Expression
    right: Expression


@dataclass(frozen=True)
class Assign:
    """An assignment; `op` is '' for '=', else the operator before the '='."""

    line: int
    op: str
    target: Expression
    value: Expression


@dataclass(frozen=True)
class Ternary:
    """`condition ? yes : no`."""

    line: int
    condition: Expression
    yes: Expression
    no: Expression


@dataclass(frozen=True)
class Call:
    """A call of a function or a constructor; an array's has a `size`, in brackets after the name."""

    line: int
    name: str
    arguments: tuple[Expression, ...]
    is_array: bool = False
    size: Expression | None = None


@dataclass(frozen=True)
class Items:
    """A list in braces, as the initial value of an array."""

    line: int
    items: tuple[Expression, ...]


@dataclass(frozen=True)
class Index:
    """`base[index]`."""

    line: int
    base: Expression
    index: Expression


@dataclass(frozen=True)
class Member:
    """`base.name`: a member or a swizzle."""

    line: int
    base: Expression
    name: str


@dataclass(frozen=True)
class Sequence:
    """Expressions between commas, of which the last is the value."""

    line: int
    parts: tuple[Expression, ...]


Expression = (
    Number | Name | Unary | Postfix | Binary | Assign | Ternary | Call | Items | Index | Member | Sequence
)


@dataclass(frozen=True)
class TypeName:
    """A type as written; `is_array` with the size in `size`, or None if it follows from the value."""

    line: int
    name: str
    is_array: bool = False
    size: Expression | None = None


@dataclass(frozen=True)
class Variable:
    """A declared variable; `qualifiers` such as 'const', 'uniform', 'in', 'varying'."""

    line: int
    type: TypeName
    name: str
    value: Expression | None = None
    qualifiers: tuple[str, ...] = ()


@dataclass(frozen=True)
class Declaration:
    """Variables in one statement."""

    line: int
    variables: tuple[Variable, ...]


@dataclass(frozen=True)
class Evaluate:
    """An expression as a statement."""

    line: int
    expression: Expression


@dataclass(frozen=True)
class Block:
    """Statements in braces."""

    line: int
    statements: tuple[Statement, ...]


@dataclass(frozen=True)
class If:
    """`if`, with an `else` or without."""

    line: int
    condition: Expression
    yes: Statement
    no: Statement | None


@dataclass(frozen=True)
class Loop:
    """`for`, `while` and `do`, whose condition comes `last`."""

    line: int
    first: Statement | None
    condition: Expression | None
    step: Expression | None
    body: Statement
    last: bool = False


@dataclass(frozen=True)
class Return:
    """`return`."""

    line: int
    value: Expression | None


@dataclass(frozen=True)
class Jump:
    """`break`, `continue` or `discard`."""

    line: int
    word: str


@dataclass(frozen=True)
class Case:
    """The statements after some `case` and `default` labels; None stands for `default`."""

    line: int
    labels: tuple[Expression | None, ...]
    statements: tuple[Statement, ...]


@dataclass(frozen=True)
class Switch:
    """`switch`."""

    line: int
    value: Expression
    cases: tuple[Case, ...]


Statement = Declaration | Evaluate | Block | If | Loop | Return | Jump | Switch


@dataclass(frozen=True)
class Parameter:
    """A parameter of a function; `way` is 'in', 'out' or 'inout'."""

    line: int
    type: TypeName
    name: str
    way: str


@dataclass(frozen=True)
class Function:
    """A function with its body."""

    line: int
    result: TypeName
    name: str
    parameters: tuple[Parameter, ...]
    body: Block


@dataclass(frozen=True)
class Struct:
    """A struct's members, without values."""

    line: int
    name: str
    members: tuple[Variable, ...]


Item = Function | Struct | Variable


@dataclass(frozen=True)
class Unit:
    """A file: structs, variables and functions, in order."""

    items: tuple[Item, ...]
