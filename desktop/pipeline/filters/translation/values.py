"""Values, places and variables while WGSL is written."""

from __future__ import annotations

import re
import struct
from dataclasses import dataclass
from typing import Final

from desktop.pipeline.filters.translation.types import Type

PRIMARY: Final = 10
UNARY: Final = 9
PRODUCT: Final = 8
SUM: Final = 7

_MOST: Final = 3.4028234663852886e38
_USER_CALL: Final = re.compile(r"\b[fv]n_\w+\(")


@dataclass(frozen=True)
class Value:
    """An expression in WGSL.

    Attributes:
        strength: how tightly its outermost operator binds, PRIMARY for none.
        is_fixed: no later statement changes it.
        number: of a literal.
    """

    text: str
    type: Type
    strength: int = PRIMARY
    is_fixed: bool = False
    number: float | None = None

    @property
    def has_effects(self) -> bool:
        """True if it calls a function of the file, which may write to variables."""
        return bool(_USER_CALL.search(self.text))

    def within(self, strength: int) -> str:
        """Return the text for an operand, in parentheses if it binds less tightly than that."""
        return self.text if self.strength >= strength else f"({self.text})"


@dataclass(frozen=True)
class LValue:
    """Target of an assignment: `type` is that of `text`; `swizzle` selects several components of it."""

    text: str
    type: Type
    swizzle: str = ""
    is_local: bool = False

    @property
    def selected(self) -> Type:
        """Type of what is assigned."""
        return self.type.sized(len(self.swizzle)) if self.swizzle else self.type

    @property
    def value(self) -> Value:
        """Present value of the target."""
        return Value(f"{self.text}.{self.swizzle}" if self.swizzle else self.text, self.selected)


@dataclass(frozen=True)
class Known:
    """A variable's name in WGSL; `number` of a constant; `is_local` if it is a function's own."""

    text: str
    type: Type
    number: float | None = None
    is_local: bool = False
    is_writable: bool = True


@dataclass(frozen=True)
class ParameterType:
    """A parameter of a function; `way` is 'in', 'out' or 'inout'."""

    type: Type
    way: str


@dataclass(frozen=True)
class Signature:
    """A function of the file and its name in WGSL."""

    text: str
    result: Type
    parameters: tuple[ParameterType, ...]


@dataclass(frozen=True)
class Image:
    """An image that a file reads.

    Attributes:
        texture: the name of its texture in WGSL; '' if it is not always the same.
        read, fetch, size: the functions that sample it, read a texel and return its size.
    """

    texture: str
    read: str = "glsl_texture"
    fetch: str = "glsl_fetch"
    size: str = "glsl_size"

    @property
    def first(self) -> str:
        """The beginning of the arguments of its functions."""
        return f"{self.texture}, " if self.texture else ""


def _as_float32(value: float) -> float:
    (near,) = struct.unpack("<f", struct.pack("<f", max(-_MOST, min(_MOST, value))))
    return float(near)


def float_text(value: float) -> str:
    """Return a number as a literal f32."""
    near = _as_float32(value)
    texts = (f"{near:.{digits}g}" for digits in range(1, 10))
    short = next((text for text in texts if _as_float32(float(text)) == near), f"{near:.9g}")
    return f"{float(short)!r}f"


def int_text(value: float) -> str:
    """Return a number as a literal i32; from 2147483648 on it wraps to negative ones."""
    # The least one has no literal: its sign is an operator.
    whole = int(value) if value < 1 << 31 else int(value) - (1 << 32)
    return f"{whole}i" if whole > -(1 << 31) else "(-2147483647i - 1i)"


def bare(text: str) -> str:
    """Return a condition without parentheses around all of it."""
    depth = 0
    for at, sign in enumerate(text):
        depth += (sign == "(") - (sign == ")")
        if depth == 0:
            return text[1:-1] if at and at == len(text) - 1 and text[0] == "(" else text
    return text
