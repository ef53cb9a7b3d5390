"""Generate WGSL (`read_<name>`, `write_y`, `finish`) that accesses tensors of any layout and type."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

from desktop.compute.nn.ir.scalar import element_type
from desktop.compute.nn.lowering.plan import NHWC, Operand, Phased


def _planar_index(operand: Operand, channel: str) -> str:
    """Return the index of a channel of `pixel` in a row-major tensor."""
    plane, channels = operand.plane, operand.channels
    if operand.batch == 1:
        return f"({channel}) * {plane}u + pixel"
    return f"(pixel / {plane}u * {channels}u + {channel}) * {plane}u + pixel % {plane}u"


@dataclass(frozen=True)
class Variable:
    """Variable that a tensor is bound as; `of_words`: its vec4s of 16-bit floats are two words each."""

    name: str
    of_words: bool = False


def reader(name: str, operand: Operand, variable: Variable) -> str:
    """Generate `read_<name>`; it gives zeros past the last channel."""
    head = f"fn read_{name}(pixel: u32, block: u32) -> vec4<f32> {{\n"
    own = variable.name
    if operand.layout == NHWC:
        value = f"{own}[pixel * {operand.stride}u + {operand.start}u + block]"
        value = f"bitcast<vec4<f16>>({value})" if variable.of_words else value
        return f"{head}  return vec4<f32>({value});\n}}"
    lanes = []
    for lane in range(4):
        channel = f"block * 4u + {lane}u"
        if operand.channels % 4 == 0:
            lanes.append(f"f32({own}[{_planar_index(operand, channel)}])")
        else:
            # `select` evaluates both reads, and nothing follows the last channel of the last item.
            last = f"min({channel}, {operand.channels - 1}u)"
            value = f"f32({own}[{_planar_index(operand, last)}])"
            lanes.append(f"select(0.0, {value}, {channel} < {operand.channels}u)")
    return f"{head}  return vec4<f32>({', '.join(lanes)});\n}}"


def writer(name: str, operand: Operand, saturates: bool, variable: Variable) -> str:
    """Generate `write_<name>`; `saturates`: clamp to float16, as the difference of infinities is NaN."""
    if isinstance(operand, Phased):
        written = writer(name, operand.whole, saturates, variable)
        return f"{_place_in_phases(operand)}\n{written.replace('fn write_', 'fn write_whole_', 1)}"
    element = element_type(operand.dtype)
    head = f"fn write_{name}(pixel: u32, block: u32, value: vec4<f32>) {{\n"
    largest = "vec4<f32>(65504.0)"
    # NaN stays. This repeats `within` of functions.py, as the kernel may or may not contain that function.
    missing = "(bitcast<vec4<u32>>(value) & vec4<u32>(0x7fffffffu)) > vec4<u32>(0x7f800000u)"
    any_missing = "(bitcast<u32>((value.x + value.y) + (value.z + value.w)) & 0x7fffffffu) > 0x7f800000u"
    if saturates:
        head += f"  var v = clamp(value, -{largest}, {largest});\n"
        head += f"  if ({any_missing}) {{ v = select(v, value, {missing}); }}\n"
    else:
        head += "  let v = value;\n"
    if operand.layout == NHWC:
        value = f"vec4<{element}>(v)"
        if operand.channels % 4:
            # Components past the last channel stay zero after any epilogue: later kernels sum them.
            lanes = f"block * 4u + vec4<u32>(0u, 1u, 2u, 3u) < vec4<u32>({operand.channels}u)"
            value = f"vec4<{element}>(select(vec4<f32>(0.0), v, {lanes}))"
        value = f"bitcast<vec2<u32>>({value})" if variable.of_words else value
        place = f"{variable.name}[pixel * {operand.stride}u + {operand.start}u + block]"
        return f"{head}  {place} = {value};\n}}"
    lines = []
    for lane in range(4):
        channel = f"block * 4u + {lane}u"
        store = f"{variable.name}[{_planar_index(operand, channel)}] = {element}(v[{lane}]);"
        lines.append(
            f"  if ({channel} < {operand.channels}u) {{ {store} }}" if operand.channels % 4 else f"  {store}"
        )
    return head + "\n".join(lines) + "\n}"


_HALF = """fn held(value: f32) -> f16 {
  // By the bits: infinities and NaN stay, of which WGSL lets a compiler assume that there are none.
  if ((bitcast<u32>(value) & 0x7fffffffu) >= 0x7f800000u) { return f16(value); }
  return f16(clamp(value, -65504.0, 65504.0));
}
"""


def saturated(text: str) -> str:
    """Make a kernel that stores float16 by `Element(...)` keep finite numbers finite, as `narrowed` does."""
    found: list[str] = []
    since = 0
    for match in re.finditer(r"\bElement\(", text):
        depth, end = 1, match.end()
        while depth:
            depth += (text[end] == "(") - (text[end] == ")")
            end += 1
        if match.start() >= since:
            found += [text[since : match.start()], f"held(f32({text[match.end() : end - 1]}))"]
            since = end
    return "".join((*found, text[since:], _HALF))


def array_type(operand: Operand, raw: bool) -> str:
    """Return the WGSL type of the binding; `raw`: numbers, whatever the layout."""
    element = element_type(operand.dtype)
    if raw:
        return f"array<{element}>"
    return f"array<vec4<{element}>>" if operand.layout == NHWC else f"array<{element}>"


def finisher(steps: Sequence[str], result: Operand) -> str:
    """Generate `finished` (applies an epilogue's statements to a value) and `finish` (writes the result)."""
    body = "".join(f"  {step}\n" for step in steps)
    finished = (
        "fn finished(pixel: u32, block: u32, value: vec4<f32>) -> vec4<f32> {\n"
        f"  var v = value;\n{body}  return v;\n}}\n"
    )
    finish = (
        "fn finish(pixel: u32, block: u32, value: vec4<f32>) {\n"
        "  write_y(pixel, block, finished(pixel, block, value));\n}"
    )
    return (_of_phases(result, finished) if isinstance(result, Phased) else finished) + finish


def _place_in_phases(phased: Phased) -> str:
    """Generate `place_of_phase`: the image's pixel and vec4 for the product's; past the last if outside."""
    (rows, columns), (high, wide) = phased.spatial, phased.whole.spatial
    blocks, (down, across), (top, left) = phased.whole.blocks, phased.steps, phased.cut
    return f"""fn place_of_phase(pixel: u32, block: u32) -> vec2<u32> {{
  let phase = block / {blocks}u;
  let row = pixel / {columns}u % {rows}u * {down}u + phase / {across}u - {top}u; // wraps to a huge number above the image
  let column = pixel % {columns}u * {across}u + phase % {across}u - {left}u;
  let place = (pixel / {rows * columns}u * {high}u + row) * {wide}u + column;
  return vec2<u32>(select({phased.whole.pixels}u, place, row < {high}u && column < {wide}u), block % {blocks}u);
}}"""


def _of_phases(phased: Phased, finished: str) -> str:
    """Generate `finished` and `write_y` by the product's indices, around those by the image's."""
    last = phased.whole.pixels - 1
    return f"""{finished.replace("fn finished(", "fn finished_whole(")}
fn finished(pixel: u32, block: u32, value: vec4<f32>) -> vec4<f32> {{
  let place = place_of_phase(pixel, block);
  return finished_whole(min(place.x, {last}u), place.y, value);
}}
fn write_y(pixel: u32, block: u32, value: vec4<f32>) {{
  let place = place_of_phase(pixel, block);
  if (place.x <= {last}u) {{ write_whole_y(place.x, place.y, value); }}
}}
"""


def broadcast_read(name: str, operand: Operand, shape: tuple[int, ...]) -> str:
    """Return WGSL of an epilogue operand at (pixel, block) of a result of `shape` with the same rank."""
    own = operand.shape
    block = "0u" if own[1] == 1 and shape[1] > 1 else "block"
    suffix = ".xxxx" if block == "0u" else ""
    if own[0] == shape[0] and own[2:] == shape[2:]:
        pixel = "pixel"
    elif math.prod(own) == own[1]:
        pixel = "0u"
    else:
        terms, below, own_below = [], 1, 1
        for size, own_size in reversed(
            [(s, o) for i, (s, o) in enumerate(zip(shape, own, strict=True)) if i != 1]
        ):
            if own_size > 1:
                terms.append(f"pixel / {below}u % {size}u * {own_below}u")
            below, own_below = below * size, own_below * own_size
        pixel = " + ".join(terms) or "0u"
    return f"read_{name}({pixel}, {block}){suffix}"
