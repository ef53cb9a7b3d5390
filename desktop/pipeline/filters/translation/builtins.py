"""Built-in functions of GLSL (GLSL 4.60, section 8) as expressions of WGSL."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from desktop.base.errors import FilterError
from desktop.base.wording import sentence
from desktop.pipeline.filters.translation.conversions import converted, splat
from desktop.pipeline.filters.translation.faults import fault
from desktop.pipeline.filters.translation.helpers import Helpers
from desktop.pipeline.filters.translation.types import BOOL, FLOAT, INT, UINT, Type
from desktop.pipeline.filters.translation.values import Value

_ONE: Final = {
    **{
        name: name
        for name in ("radians", "degrees", "sin", "cos", "tan", "asin", "acos", "sinh", "cosh", "tanh")
    },
    **{
        name: name
        for name in ("asinh", "acosh", "atanh", "exp", "log", "exp2", "log2", "sqrt", "floor", "ceil")
    },
    **{name: name for name in ("fract", "round", "trunc", "atan")},
    "inversesqrt": "inverseSqrt",
    "roundEven": "round",
}
_WHOLE_TOO: Final = {"abs": 1, "sign": 1, "min": 2, "max": 2}
_COMPARE: Final = {
    **{"lessThan": "<", "lessThanEqual": "<=", "greaterThan": ">", "greaterThanEqual": ">="},
    **{"equal": "==", "notEqual": "!="},
}
_DERIVATIVES: Final = ("dFdx", "dFdy", "fwidth")
_NOISE: Final = ("noise1", "noise2", "noise3", "noise4")
_SAMPLING: Final = ("textureGrad", "textureProj", "texture2DProj", "textureGather")

NAMES: Final = frozenset(
    {
        *_ONE,
        *_WHOLE_TOO,
        *_COMPARE,
        *_DERIVATIVES,
        *_NOISE,
        *_SAMPLING,
        *("atan", "pow", "mod", "clamp", "mix", "step", "smoothstep", "fma", "isnan", "isinf"),
        *("length", "distance", "dot", "cross", "normalize", "faceforward", "reflect", "refract"),
        *("matrixCompMult", "outerProduct", "transpose", "determinant", "inverse", "any", "all", "not"),
        *("floatBitsToInt", "floatBitsToUint", "intBitsToFloat", "uintBitsToFloat"),
    }
)
"""Functions that `call` knows; those that sample images and write to arguments are not among them."""


def call(name: str, given: Sequence[Value], line: int, helpers: Helpers) -> Value:
    """Return a call of a built-in function; raise FilterError if arguments do not fit it."""
    if name in _DERIVATIVES:
        raise fault(
            line,
            sentence(
                "uses {name}(), differences between neighboring pixels, which filters do not have; sample the "
                "neighbors",
                name=name,
            ),
        )
    if name in _NOISE:
        raise fault(
            line, sentence("uses {name}(), which drivers do not compute; write a noise function", name=name)
        )
    if name in _SAMPLING:
        raise fault(line, sentence("uses {name}(), which is not translated; use texture()", name=name))
    writer = _Call(name, list(given), line, helpers)
    found = writer.write()
    if found is None:
        raise writer.unfit()
    return found


class _Call:
    def __init__(self, name: str, given: list[Value], line: int, helpers: Helpers) -> None:
        self.name, self.given, self.line, self.helpers = name, given, line, helpers

    def unfit(self) -> FilterError:
        """Return the error for arguments of wrong number or type."""
        return fault(
            self.line,
            sentence("the arguments of {name}() do not fit it; see the reference of GLSL", name=self.name),
        )

    def write(self) -> Value | None:
        name, count = self.name, len(self.given)
        if count == 0:
            return None
        if name == "atan" and count == 2:
            return self._same("atan2", self._floats())
        if name in _ONE and count == 1:
            return self._same(_ONE[name], self._floats())
        if name in _WHOLE_TOO and count == _WHOLE_TOO[name]:
            return self._same(name, self._numbers())
        if name == "clamp" and count == 3:
            values = self._numbers()
            return self._same(self.helpers.typed("glsl_clamp", values[0].type), values)
        if name in ("mod", "smoothstep") and count == (2 if name == "mod" else 3):
            values = self._floats()
            return self._same(self.helpers.typed(f"glsl_{name}", values[0].type), values)
        if (name, count) in (("pow", 2), ("step", 2), ("fma", 3)):
            return self._same(name, self._floats())
        if name == "mix" and count == 3:
            return self._mix()
        if name in ("isnan", "isinf") and count == 1:
            values = self._floats()
            helper = self.helpers.typed(f"glsl_{name}", values[0].type)
            return Value(f"{helper}({values[0].text})", values[0].type.of("bool"))
        return self._geometric() or self._matrix() or self._boolean() or self._bits()

    def _same(self, name: str, values: list[Value]) -> Value:
        texts = ", ".join(value.text for value in values)
        return Value(f"{name}({texts})", values[0].type)

    def _unified(self, base: str) -> list[Value]:
        size = max(value.type.size for value in self.given)
        kind = Type(base, size)
        out: list[Value] = []
        for value in self.given:
            if not value.type.is_number or value.type.size not in (1, size) or value.type.base == "bool":
                raise self.unfit()
            out.append(splat(converted(value, value.type.of(base), self.line), kind))
        return out

    def _floats(self) -> list[Value]:
        return self._unified("float")

    def _numbers(self) -> list[Value]:
        bases = {value.type.base for value in self.given}
        base = next(
            base
            for base in ("float", "uint", "int", "float")
            if base in bases or (base == "float" and not bases & {"int", "uint"})
        )
        return self._unified(base)

    def _mix(self) -> Value | None:
        share = self.given[2]
        if share.type.base != "bool":
            return self._same("mix", self._floats())
        first, second = self.given[:2]
        if first.type != second.type or share.type.size != first.type.size:
            return None
        return Value(f"select({first.text}, {second.text}, {share.text})", first.type)

    def _geometric(self) -> Value | None:
        name, count = self.name, len(self.given)
        wanted = {
            **{"length": 1, "normalize": 1, "distance": 2, "dot": 2, "cross": 2, "reflect": 2},
            **{"faceforward": 3, "refract": 3},
        }
        if wanted.get(name) != count:
            return None
        if name == "refract":
            *vectors, ratio = self.given
            self.given = vectors
            values = self._floats()
            if values[0].type.is_scalar:
                return None
            eta = converted(ratio, FLOAT, self.line)
            return Value(f"refract({values[0].text}, {values[1].text}, {eta.text})", values[0].type)
        values = self._floats()
        kind = values[0].type
        if name == "cross":
            return self._same("cross", values) if kind.size == 3 else None
        if name in ("length", "distance"):
            return Value(self._same(name, values).text, FLOAT)
        if kind.is_scalar:
            first, *rest = values
            if name == "normalize":
                return Value(f"sign({first.text})", FLOAT)
            if name == "dot":
                return Value(f"({first.within(9)} * {rest[0].within(9)})", FLOAT)
            return None
        if name == "dot":
            return Value(self._same(name, values).text, FLOAT)
        return self._same("faceForward" if name == "faceforward" else name, values)

    def _matrix(self) -> Value | None:
        name, given = self.name, self.given
        kind = given[0].type
        if name == "outerProduct" and len(given) == 2 and kind.is_vector and given[1].type.is_vector:
            columns = given[1].type.size
            helper = f"glsl_outer{columns}x{kind.size}"
            parts = ", ".join(f"a * b.{axis}" for axis in "xyzw"[:columns])
            matrix = Type("float", kind.size, columns)
            self.helpers.add(
                helper,
                lambda: (
                    f"fn {helper}(a: {kind.wgsl}, b: vec{columns}f) -> {matrix.wgsl} "
                    f"{{ return {matrix.wgsl}({parts}); }}"
                ),
            )
            return Value(f"{helper}({given[0].text}, {given[1].text})", matrix)
        if not kind.is_matrix:
            return None
        if name == "matrixCompMult" and len(given) == 2 and given[1].type == kind:
            helper = f"glsl_product{kind.columns}x{kind.size}"
            parts = ", ".join(f"a[{i}] * b[{i}]" for i in range(kind.columns))
            self.helpers.add(
                helper,
                lambda: (
                    f"fn {helper}(a: {kind.wgsl}, b: {kind.wgsl}) -> {kind.wgsl} "
                    f"{{ return {kind.wgsl}({parts}); }}"
                ),
            )
            return Value(f"{helper}({given[0].text}, {given[1].text})", kind)
        if len(given) != 1:
            return None
        if name == "transpose":
            return Value(f"transpose({given[0].text})", Type("float", kind.columns, kind.size))
        if kind.columns != kind.size:
            return None
        if name == "determinant":
            return Value(f"determinant({given[0].text})", FLOAT)
        if name == "inverse":
            return Value(f"{self.helpers.plain(f'glsl_inverse{kind.size}')}({given[0].text})", kind)
        return None

    def _boolean(self) -> Value | None:
        name, given = self.name, self.given
        if name in _COMPARE and len(given) == 2:
            left, right = given if given[0].type.base == "bool" == given[1].type.base else self._numbers()
            if left.type != right.type or not left.type.is_vector:
                return None
            return Value(f"({left.within(9)} {_COMPARE[name]} {right.within(9)})", left.type.of("bool"))
        if len(given) != 1 or given[0].type.base != "bool" or not given[0].type.is_vector:
            return None
        if name in ("any", "all"):
            return Value(f"{name}({given[0].text})", BOOL)
        return Value(f"(!{given[0].within(9)})", given[0].type) if name == "not" else None

    def _bits(self) -> Value | None:
        kinds = {
            "floatBitsToInt": (FLOAT, INT),
            "floatBitsToUint": (FLOAT, UINT),
            "intBitsToFloat": (INT, FLOAT),
            "uintBitsToFloat": (UINT, FLOAT),
        }
        if self.name not in kinds or len(self.given) != 1 or not self.given[0].type.is_number:
            return None
        source, target = kinds[self.name]
        value = converted(self.given[0], self.given[0].type.of(source.base), self.line)
        kind = value.type.of(target.base)
        return Value(f"bitcast<{kind.wgsl}>({value.text})", kind)
