"""Symbol tables of the translation: types, functions, variables and images, by name and scope."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from desktop.base.wording import Text, sentence
from desktop.pipeline.filters.translation import tree
from desktop.pipeline.filters.translation.constants import fold
from desktop.pipeline.filters.translation.faults import fault
from desktop.pipeline.filters.translation.helpers import Helpers
from desktop.pipeline.filters.translation.types import TYPES, Type
from desktop.pipeline.filters.translation.values import Image, Known, Signature

MAX_ELEMENTS = 4096
"""Elements of an array; the limits of WGSL filters count bytes (limits.py)."""


@dataclass(frozen=True)
class Surroundings:
    """Names that are predeclared for a file.

    Attributes:
        variables: such as `gl_FragColor` and the inputs.
        images: by name.
        refused: names with the reason why they cannot be used, as half a sentence.
    """

    variables: Mapping[str, Known]
    images: Mapping[str, Image]
    refused: Mapping[str, Text]


@dataclass
class FileScope:
    """The declarations of one file; `prefix` keeps the names of two files apart."""

    around: Surroundings
    helpers: Helpers
    prefix: str
    structs: dict[str, dict[str, Type]] = field(default_factory=dict)
    types: dict[str, Type] = field(default_factory=dict)
    functions: dict[str, list[Signature]] = field(default_factory=dict)
    variables: dict[str, Known] = field(default_factory=dict)

    def image(self, name: str) -> Image | None:
        """Return an image by its name."""
        return self.around.images.get(name)

    def variable(self, name: str) -> Known | None:
        """Return a variable of the file or of what is around it."""
        return self.variables.get(name) or self.around.variables.get(name)

    def members(self, kind: Type) -> Mapping[str, Type]:
        """Return a struct's members."""
        return self.structs[kind.base]


class Scope:
    """The variables inside a function, each with a name of its own in WGSL."""

    def __init__(self, file: FileScope) -> None:
        self.file = file
        self._levels: list[dict[str, Known]] = [{}]
        self._taken: dict[str, int] = {}
        self._temporaries = 0

    def open(self) -> None:
        """Begin a block."""
        self._levels.append({})

    def close(self) -> None:
        """End a block."""
        self._levels.pop()

    def temporary(self) -> str:
        """Return a new name."""
        self._temporaries += 1
        return f"t_{self._temporaries}"

    def declare(self, name: str, kind: Type, number: float | None = None) -> Known:
        """Add a variable, under another name than all before it in the function."""
        count = self._taken[name] = self._taken.get(name, 0) + 1
        # A name with a number after '__' cannot be one of the file's: GLSL reserves two underscores.
        known = Known(f"v_{name}" if count == 1 else f"v_{name}__{count}", kind, number, is_local=True)
        self._levels[-1][name] = known
        return known

    def add_texture(self, name: str) -> str:
        """Add a parameter that is a texture; return its name."""
        return self.declare(name, TYPES["sampler2D"]).text

    def find(self, name: str, line: int) -> Known:
        """Return a variable; raise FilterError if there is none."""
        for level in reversed(self._levels):
            if name in level:
                return level[name]
        if (known := self.file.variable(name)) is not None:
            return known
        raise self.unknown(name, line)

    def unknown(self, name: str, line: int) -> Exception:
        """Return the error for a name that means nothing here."""
        if (reason := self.file.around.refused.get(name)) is not None:
            return fault(line, reason)
        return fault(line, sentence("'{name}' is declared nowhere; correct the name", name=name[:60]))

    def image(self, name: str, line: int) -> Image:
        """Return the image that a name means: one of the header's, or a parameter."""
        for level in reversed(self._levels):
            if name in level and level[name].type.base == "texture":
                return Image(level[name].text)
        if (image := self.file.image(name)) is not None:
            return image
        raise self.unknown(name, line)

    def number(self, node: tree.Expression) -> float | None:
        """Return the value of a constant expression, or None."""

        def known(name: str) -> float | None:
            for level in reversed(self._levels):
                if name in level:
                    return level[name].number
            found = self.file.variable(name)
            return None if found is None else found.number

        return fold(node, known)

    def type_of_variable(self, node: tree.Variable) -> Type:
        """Return the type that a declaration gives its variable; raise FilterError if no variable can have it."""
        count = len(node.value.items) if isinstance(node.value, tree.Items) else 0
        if isinstance(node.value, tree.Call):
            count = len(node.value.arguments)
        found = self.type(node.type, count)
        if found.base in ("void", "texture"):
            raise fault(
                node.line,
                sentence("'{name}' has a type that a variable cannot have; give it another", name=node.name),
            )
        return found

    def type(self, name: tree.TypeName, count: int = 0) -> Type:
        """Return a type as written; `count` are the elements of an array without a size."""
        kind = self.file.types.get(name.name) or TYPES.get(name.name)
        if kind is None:
            raise fault(name.line, sentence("'{name}' is not a type; correct the name", name=name.name[:60]))
        if not name.is_array:
            return kind
        elements = float(count) if name.size is None else self.number(name.size)
        if elements is None or elements != int(elements) or not 0 < elements <= MAX_ELEMENTS:
            raise fault(
                name.line,
                sentence("the size of an array must be a constant from 1 to {most}", most=MAX_ELEMENTS),
            )
        if kind.base in ("void", "texture"):
            raise fault(name.line, sentence("an array of these is not translated; use single ones"))
        return Type(kind.base, kind.size, kind.columns, int(elements))
