"""Types of GLSL, and what they are called in WGSL."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

_SCALARS: Final = {"float": "f32", "int": "i32", "uint": "u32", "bool": "bool"}
_LETTERS: Final = {"float": "f", "int": "i", "uint": "u"}


@dataclass(frozen=True)
class Type:
    """A scalar, vector, matrix, struct or texture, or an array of one.

    Attributes:
        base: 'float', 'int', 'uint', 'bool', 'void', 'texture', or the name of a struct in WGSL.
        size: components of a vector or of a matrix's column; 1 for all others.
        columns: of a matrix; 0 for all others.
        count: elements of an array; 0 for all others.
    """

    base: str
    size: int = 1
    columns: int = 0
    count: int = 0

    @property
    def wgsl(self) -> str:
        """Name in WGSL."""
        if self.count:
            return f"array<{self.element.wgsl}, {self.count}>"
        if self.base == "texture":
            return "texture_2d<f32>"
        if self.columns:
            return f"mat{self.columns}x{self.size}f"
        if self.base not in _SCALARS:
            return self.base
        if self.size == 1:
            return _SCALARS[self.base]
        return f"vec{self.size}{_LETTERS[self.base]}" if self.base in _LETTERS else f"vec{self.size}<bool>"

    @property
    def glsl(self) -> str:
        """Name in GLSL, for sentences."""
        if self.count:
            return f"{self.element.glsl}[{self.count}]"
        if self.columns:
            return f"mat{self.columns}" if self.columns == self.size else f"mat{self.columns}x{self.size}"
        if self.base == "texture":
            return "sampler2D"
        if self.base not in _SCALARS:
            return self.base.partition("_")[2] or self.base
        if self.size == 1:
            return self.base
        return f"{'' if self.base == 'float' else self.base[0]}vec{self.size}"

    @property
    def element(self) -> Type:
        """Type of an array's element, a matrix's column or a vector's component."""
        if self.count:
            return replace(self, count=0)
        if self.columns:
            return replace(self, columns=0)
        return replace(self, size=1)

    @property
    def is_number(self) -> bool:
        """True for scalars and vectors, of bool too."""
        return self.base in _SCALARS and not self.columns and not self.count

    @property
    def is_scalar(self) -> bool:
        """True for a single number."""
        return self.is_number and self.size == 1

    @property
    def is_vector(self) -> bool:
        """True for a vector."""
        return self.is_number and self.size > 1

    @property
    def is_matrix(self) -> bool:
        """True for a matrix."""
        return self.columns > 0 and not self.count

    @property
    def is_struct(self) -> bool:
        """True for a struct."""
        return not self.count and self.base not in _SCALARS and self.base not in ("void", "texture")

    @property
    def components(self) -> int:
        """Numbers that it has as an argument of a constructor."""
        return self.size * max(1, self.columns)

    def sized(self, size: int) -> Type:
        """Return the vector or scalar of the same numbers with `size` components."""
        return replace(self, size=size)

    def of(self, base: str) -> Type:
        """Return the same shape of other numbers."""
        return replace(self, base=base)


VOID: Final = Type("void")
FLOAT: Final = Type("float")
INT: Final = Type("int")
UINT: Final = Type("uint")
BOOL: Final = Type("bool")
VEC2: Final = Type("float", 2)
VEC3: Final = Type("float", 3)
VEC4: Final = Type("float", 4)
IVEC2: Final = Type("int", 2)
TEXTURE: Final = Type("texture")

TYPES: Final[dict[str, Type]] = {
    "void": VOID,
    **{name: Type(name) for name in _SCALARS},
    **{
        f"{letter}vec{size}": Type(base, size)
        for letter, base in (("", "float"), ("i", "int"), ("u", "uint"), ("b", "bool"))
        for size in (2, 3, 4)
    },
    **{f"mat{n}": Type("float", n, n) for n in (2, 3, 4)},
    **{f"mat{n}x{m}": Type("float", m, n) for n in (2, 3, 4) for m in (2, 3, 4)},
    **dict.fromkeys(("sampler2D", "sampler2DRect"), TEXTURE),
}
"""All types but structs, by their names in GLSL."""


def converts(given: Type, wanted: Type) -> bool:
    """Return whether a value is converted implicitly: int to uint and float, uint to float."""
    if given == wanted:
        return True
    shape = (given.size, given.columns, given.count) == (wanted.size, wanted.columns, wanted.count)
    return shape and (given.base, wanted.base) in (("int", "float"), ("uint", "float"), ("int", "uint"))
