"""Functions of GLSL and ISF that read images, as WGSL."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from desktop.base.wording import sentence
from desktop.pipeline.filters.translation import tree
from desktop.pipeline.filters.translation.conversions import converted, literal
from desktop.pipeline.filters.translation.faults import fault
from desktop.pipeline.filters.translation.scope import Scope
from desktop.pipeline.filters.translation.types import IVEC2, VEC2, VEC4
from desktop.pipeline.filters.translation.values import UNARY, Image, Value

_SAMPLE: Final = ("texture", "texture2D", "IMG_NORM_PIXEL", "texture2DRect", "IMG_PIXEL")
_IN_PIXELS: Final = ("texture2DRect", "IMG_PIXEL")
_AT_LEVEL: Final = ("textureLod", "texture2DLod")
_HERE: Final = ("IMG_THIS_PIXEL", "IMG_THIS_NORM_PIXEL")
_SIZE: Final = ("IMG_SIZE", "textureSize")
_ARGUMENTS: Final = {
    **dict.fromkeys(_SAMPLE, (2, 3)),
    **dict.fromkeys(_AT_LEVEL, (3,)),
    **dict.fromkeys(_HERE, (1,)),
    "IMG_SIZE": (1,),
    "textureSize": (1, 2),
    "texelFetch": (2, 3),
}


def is_image_function(name: str) -> bool:
    """Return whether a function reads an image."""
    return name in _ARGUMENTS


def call(
    scope: Scope, node: tree.Call, operands: Callable[[Sequence[tree.Expression]], list[Value]]
) -> Value:
    """Return a call of such a function, whose other arguments `operands` writes.

    Raises FilterError: its arguments do not fit it.
    """
    name, arguments = node.name, node.arguments
    if len(arguments) not in _ARGUMENTS[name] or not isinstance(arguments[0], tree.Name):
        raise fault(
            node.line,
            sentence(
                "{name}() takes the name of an image and where to read it; correct its arguments", name=name
            ),
        )
    helpers = scope.file.helpers
    image = scope.image(arguments[0].name, node.line)
    for helper in (image.read, image.fetch, image.size):
        if image.texture:
            helpers.plain(helper)
    if name in _SIZE:
        size = f"{image.size}({image.first.removesuffix(', ')})"
        return Value(size, VEC2) if name == "IMG_SIZE" else Value(f"vec2i({size})", IVEC2)
    if name in _HERE:
        here = scope.find("isf_FragNormCoord", node.line)
        return _read(image, here.text)
    at, *level = operands(arguments[1:])
    if name == "texelFetch":
        at = converted(at, IVEC2, node.line)
        return Value(f"{image.fetch}({image.first}{at.text})", VEC4)
    if level:
        _check_level(level[0], node, is_bias=name not in _AT_LEVEL)
    at = converted(at, VEC2, node.line)
    if name in _IN_PIXELS:
        return _read(image, f"{at.within(UNARY)} / {image.size}({image.first.removesuffix(', ')})")
    return _read(image, at.text)


def _read(image: Image, at: str) -> Value:
    return Value(f"{image.read}({image.first}{at})", VEC4)


def _check_level(level: Value, node: tree.Call, *, is_bias: bool) -> None:
    negative = level.text.startswith("-") and level.is_fixed
    if level.number == 0 or (is_bias and negative) or level.text == literal("float", 0.0).text:
        return
    raise fault(
        node.line,
        sentence(
            "uses {name}() with a level other than 0, and images here have one; pass 0.0", name=node.name
        ),
    )
