"""Makes a filter of a Shadertoy function, `mainImage`."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from desktop.base.errors import FilterError
from desktop.base.wording import sentence
from desktop.pipeline.filters.translation.filter_text import FilterText
from desktop.pipeline.filters.translation.helpers import Helpers
from desktop.pipeline.filters.translation.scope import Surroundings
from desktop.pipeline.filters.translation.types import FLOAT, INT, VEC2, VEC3, VEC4, Type
from desktop.pipeline.filters.translation.unit import Translation, parse, translate_unit
from desktop.pipeline.filters.translation.values import Image, Known, Signature

_CHANNELS: Final = 4
_MOUSE: Final = "vec4f(params.mouse.x * frame.size.x, (1.0 - params.mouse.y) * frame.size.y, 0.0, 0.0)"
_VARIABLES: Final = {
    "iResolution": Known("vec3f(frame.size, 1.0)", VEC3, is_writable=False),
    **dict.fromkeys(("iTime", "iGlobalTime"), Known("frame.time", FLOAT, is_writable=False)),
    "iTimeDelta": Known("frame.delta", FLOAT, is_writable=False),
    "iChannelTime": Known(
        f"array<f32, 4>({', '.join(['frame.time'] * 4)})", Type("float", count=4), is_writable=False
    ),
    "iFrame": Known("i32(frame.index)", INT, is_writable=False),
    "iMouse": Known(_MOUSE, VEC4, is_writable=False),
    "iChannelResolution": Known("iChannelResolution", Type("float", 3, count=4), is_writable=False),
    "gl_FragCoord": Known("gl_FragCoord", VEC4, is_writable=False),
}
_REFUSED: Final = {
    "iDate": sentence("uses iDate, and the date is not the same in a second export; use iTime"),
    "iSampleRate": sentence("uses iSampleRate, and audio of Shadertoy has no counterpart here; leave it out"),
    "gl_FragColor": sentence("writes gl_FragColor; set the first parameter of mainImage()"),
}


def is_shadertoy(text: str) -> bool:
    """Return whether a text seems to define `mainImage`."""
    return re.search(r"\bvoid\s+mainImage\s*\(", text) is not None


def translate_shadertoy(text: str, path: Path) -> str:
    """Return the text of a filter; raise FilterError that says what cannot be translated."""
    words = set(re.findall(r"\biChannel[0-9]\b", text))
    images = {"iChannel0": Image("input")}
    out = FilterText(path.stem)
    for index in range(1, _CHANNELS):
        if f"iChannel{index}" in words:
            images[f"iChannel{index}"] = Image(f"channel{index}")
            out.params.append({"name": f"channel{index}", "type": "image", "label": f"iChannel{index}"})
    if re.search(r"\biMouse\b", text):
        out.params.append({"name": "mouse", "type": "point", "label": "iMouse", "default": [0.5, 0.5]})
    helpers = Helpers()
    unit = translate_unit(parse(text), Surroundings(_VARIABLES, images, _REFUSED), helpers)
    call = _call(unit)
    sizes = [
        f"  iChannelResolution[{index}] = vec3f(vec2f(textureDimensions({image.texture})), 1.0);"
        for index, image in enumerate(images.values())
    ]
    if "iChannelResolution" not in text:
        sizes = []
    out.code = [
        "// Translated from GLSL; edit the original.",
        "var<private> gl_FragCoord: vec4f;",
        *(["var<private> iChannelResolution: array<vec3f, 4>;"] if sizes else []),
        *(f"var<private> {known.text}: {known.type.wgsl};" for known in unit.varyings.values()),
        "",
        *unit.lines,
        "",
        "fn main(p: vec2i) -> vec4f {",
        "  gl_FragCoord = vec4f(f32(p.x) + 0.5, frame.size.y - f32(p.y) - 0.5, 0.5, 1.0);",
        *sizes,
        *(f"  {line}" for line in unit.setup),
        "  var color = vec4f(0.0, 0.0, 0.0, 1.0);",
        f"  {call}",
        "  return vec4f(max(color.rgb, vec3f()), load(p).a);",
        "}",
        "",
        helpers.text,
    ]
    return out.write()


def _call(unit: Translation) -> str:
    for each in unit.functions.get("mainImage", []):
        if _is_main_image(each):
            return f"{each.text}(&color, gl_FragCoord.xy);"
    raise FilterError(
        sentence("It has no function {wanted}; write it so.", wanted="void mainImage(out vec4, in vec2)")
    )


def _is_main_image(each: Signature) -> bool:
    kinds = [(p.type, p.way) for p in each.parameters]
    return len(kinds) == 2 and kinds[0][0] == VEC4 and kinds[0][1] != "in" and kinds[1] == (VEC2, "in")
