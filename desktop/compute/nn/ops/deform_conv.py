"""DeformConv: a convolution whose taps are moved by computed offsets, and weighted by a computed mask.

Dai et al., "Deformable convolutional networks", 2017; Zhu et al., "Deformable ConvNets v2", 2019.
https://onnx.ai/onnx/operators/onnx__DeformConv.html
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from desktop.compute.nn.ir.graph import Node, Value
from desktop.compute.nn.ir.scalar import load, store
from desktop.compute.nn.kernels.indexing import address, coordinates, emit
from desktop.compute.nn.kernels.strided import source
from desktop.compute.nn.lowering.lowering import Lowering
from desktop.compute.nn.lowering.operator import Constants, Operator, left_to_the_gpu, refuse_unless, require
from desktop.compute.nn.lowering.plan import NCHW, NHWC


@dataclass(frozen=True)
class _SlidingWindow:
    kernel: tuple[int, ...]
    strides: tuple[int, ...]
    dilations: tuple[int, ...]
    pads: tuple[int, ...]
    groups: int
    offset_groups: int

    def output(self, size: Sequence[int]) -> tuple[int, int]:
        high, wide = (
            (size[i] + self.pads[i] + self.pads[i + 2] - self.dilations[i] * (self.kernel[i] - 1) - 1)
            // self.strides[i]
            + 1
            for i in range(2)
        )
        return high, wide


def _window(node: Node, weights: Sequence[int]) -> _SlidingWindow:
    def several(name: str, usual: Sequence[int]) -> tuple[int, ...]:
        found = tuple(int(n) for n in node.attributes.get(name, usual))
        require(len(found) == len(usual), node, f"{name} of {len(found)} numbers")
        return found

    window = _SlidingWindow(
        several("kernel_shape", weights[2:]), several("strides", (1, 1)), several("dilations", (1, 1)),
        several("pads", (0, 0, 0, 0)), int(node.attributes.get("group", 1)), int(node.attributes.get("offset_group", 1)),
    )  # fmt: skip
    require(
        min(*window.strides, *window.dilations, window.groups, window.offset_groups) > 0,
        node,
        "a window of nothing",
    )
    return window


def infer(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """(batch, output channels, the windows that fit)."""
    x, weights, offset = (value.shape for value in inputs[:3])
    refuse_unless(len(x) == 4, node, f"{len(x) - 2} spatial dimensions")
    require(len(weights) == 4 and len(offset) == 4, node, "weights or offsets that do not fit its input")
    window = _window(node, weights)
    taps = window.kernel[0] * window.kernel[1]
    output = window.output(x[2:])
    fits = (
        weights[2:] == window.kernel
        and x[1] == weights[1] * window.groups
        and weights[0] % window.groups == 0
        and x[1] % window.offset_groups == 0
        and offset == (x[0], window.offset_groups * taps * 2, *output)
        and min(output) > 0
    )
    require(fits, node, "weights or offsets that do not fit its input")
    require(not node.input(3) or inputs[3].shape == weights[:1], node, "a bias that does not fit its weights")
    mask = (x[0], window.offset_groups * taps, *output)
    require(not node.input(4) or inputs[4].shape == mask, node, "a mask that does not fit its offsets")
    return [Value(node.outputs[0], (x[0], weights[0], *output), inputs[0].dtype)]


_SAMPLE = """fn pixel(image: u32, channel: u32, py: i32, px: i32) -> f32 {{
  let row = u32(clamp(py, 0, {height} - 1));
  let column = u32(clamp(px, 0, {width} - 1));
  return select(0.0, {value}, py >= 0 && py < {height} && px >= 0 && px < {width});
}}
fn sample(image: u32, channel: u32, py: f32, px: f32) -> f32 {{
  if (!(py > -1.0 && py < {height}.0 && px > -1.0 && px < {width}.0)) {{ return 0.0; }}
  let low_y = i32(floor(py));
  let low_x = i32(floor(px));
  let part_y = py - floor(py);
  let part_x = px - floor(px);
  let upper = mix(pixel(image, channel, low_y, low_x), pixel(image, channel, low_y, low_x + 1), part_x);
  let lower = mix(pixel(image, channel, low_y + 1, low_x), pixel(image, channel, low_y + 1, low_x + 1), part_x);
  return mix(upper, lower, part_y);
}}"""


def lower(lowering: Lowering, node: Node) -> None:
    """Each thread computes one output: its offsets hang on the place alone, so that a channel's neighbors share cached loads."""
    names = {"x": 0, "weights": 1, "offset": 2, "bias": 3, "mask": 4}
    given = {name: node.input(index) for name, index in names.items() if node.input(index)}
    reads = {
        name: source(lowering, value) if name == "x" else lowering.nchw(value)
        for name, value in given.items()
    }
    dtypes = {name: lowering.graph.values[value].dtype for name, value in given.items()}
    x, result = reads["x"], lowering.values.result(node.outputs[0], NCHW)
    window = _window(node, lowering.graph.shape(node.inputs[1]))
    (high, wide), taps = window.kernel, window.kernel[0] * window.kernel[1]
    inner = x.shape[1] // window.groups
    value = load("x", address(x, ["image", "channel", "row", "column"]), dtypes["x"])
    code = _SAMPLE.format(height=x.shape[2], width=x.shape[3], value=value)
    plane = result.shape[2] * result.shape[3]
    offset = f"((c0 * {window.offset_groups}u + group) * {taps}u + k)"
    weight = load("weights", f"(c1 * {inner}u + i) * {taps}u + k", dtypes["weights"])
    masked = f" * {load('mask', f'{offset} * {plane}u + place', dtypes['mask'])}" if "mask" in given else ""
    body = [
        *coordinates(result.shape),
        f"let place = c2 * {result.shape[3]}u + c3;",
        f"var sum = {load('bias', 'c1', dtypes['bias']) if 'bias' in given else '0.0'};",
        f"for (var i = 0u; i < {inner}u; i++) {{",
        f"  let channel = c1 / {result.shape[1] // window.groups}u * {inner}u + i;",
        f"  let group = channel / {x.shape[1] // window.offset_groups}u;",
        f"  for (var k = 0u; k < {high * wide}u; k++) {{",
        f"    let move_y = {load('offset', f'{offset} * 2u * {plane}u + place', dtypes['offset'])};",
        f"    let move_x = {load('offset', f'({offset} * 2u + 1u) * {plane}u + place', dtypes['offset'])};",
        f"    let at_y = f32(i32(c2 * {window.strides[0]}u + k / {wide}u * {window.dilations[0]}u) - {window.pads[0]}) + move_y;",
        f"    let at_x = f32(i32(c3 * {window.strides[1]}u + k % {wide}u * {window.dilations[1]}u) - {window.pads[1]}) + move_x;",
        f"    sum += {weight} * sample(c0, channel, at_y, at_x){masked};",
        "  }",
        "}",
        f"return {store('sum', dtypes['x'])};",
    ]
    emit(lowering, node, reads, result, body, code=code)


OPERATOR = Operator("DeformConv", infer, lower, layout=NHWC, fold=left_to_the_gpu, places=(2,))
