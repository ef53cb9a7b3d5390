"""Operators that read an image at computed positions."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from desktop.compute.nn.ir.epilogue import literal
from desktop.compute.nn.ir.graph import Node, Value
from desktop.compute.nn.ir.scalar import load, store
from desktop.compute.nn.kernels.indexing import LARGEST_TABLE, address, coordinates, emit, require_indices
from desktop.compute.nn.kernels.strided import source
from desktop.compute.nn.lowering.launch import Kernel, Launch
from desktop.compute.nn.lowering.lowering import Lowering
from desktop.compute.nn.lowering.operator import (
    Constants,
    Operator,
    integers,
    left_to_the_gpu,
    refuse_unless,
    require,
)
from desktop.compute.nn.lowering.plan import NCHW, NHWC
from desktop.compute.nn.lowering.workgroups import spread


# AffineGrid: the grid that makes GridSample apply an affine transform.
def _infer_affine_grid(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """(batch, spatial dimensions..., number of them)."""
    size = integers(node, "", 1, constants) or ()
    dims = len(size) - 2
    require(dims in (2, 3) and min(size) > 0, node, "a size that is not of four or five dimensions")
    refuse_unless(max(size) <= LARGEST_TABLE, node, f"a size of {size}")
    require(inputs[0].shape == (size[0], dims, dims + 1), node, "transforms that do not fit the size")
    return [Value(node.outputs[0], (size[0], *size[2:], dims), inputs[0].dtype)]


def _edges(count: int, align: bool) -> np.ndarray:
    """Return `count` places from -1 to 1: between the centers of the outermost pixels, or their edges."""
    if align:
        return np.linspace(-1, 1, count)
    return (2 * np.arange(count) + 1) / count - 1


def _lower_affine_grid(lowering: Lowering, node: Node) -> None:
    """A row of the transform for each element, on the pixel's place from a table an axis."""
    theta, y = lowering.nchw(node.inputs[0]), lowering.values.result(node.outputs[0], NCHW)
    spatial = y.shape[1:-1]
    dims = len(spatial)
    align = bool(node.attributes.get("align_corners", 0))
    table = np.concatenate([_edges(count, align) for count in spatial])
    terms = []
    for j in range(dims):  # the transform's columns are x, y, (z): the last axis first
        axis = dims - 1 - j
        terms.append(f"f32(theta[row + {j}u]) * table[{sum(spatial[:axis])}u + c{axis + 1}]")
    body = [
        *coordinates(y.shape),
        f"let row = (c0 * {dims}u + c{dims + 1}) * {dims + 1}u;",
        f"return Element({' + '.join(terms)} + f32(theta[row + {dims}u]));",
    ]
    constants = {"table": (lowering.memory.constant(table, dtype="float32"), "f32")}
    emit(lowering, node, {"theta": theta}, y, body, constants=constants)


# DeformConv: a convolution whose taps are moved by computed offsets, and weighted by a computed mask.
# Dai et al., "Deformable convolutional networks", 2017; Zhu et al., "Deformable ConvNets v2", 2019.
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


def _deformed_window(node: Node, weights: Sequence[int]) -> _SlidingWindow:
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


def _infer_deform_conv(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """(batch, output channels, the windows that fit)."""
    x, weights, offset = (value.shape for value in inputs[:3])
    refuse_unless(len(x) == 4, node, f"{len(x) - 2} spatial dimensions")
    require(len(weights) == 4 and len(offset) == 4, node, "weights or offsets that do not fit its input")
    window = _deformed_window(node, weights)
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


def _lower_deform_conv(lowering: Lowering, node: Node) -> None:
    """Lower to one output a thread; offsets depend on the place only, so neighboring channels share loads."""
    names = {"x": 0, "weights": 1, "offset": 2, "bias": 3, "mask": 4}
    given = {name: node.input(index) for name, index in names.items() if node.input(index)}
    reads = {
        name: source(lowering, value) if name == "x" else lowering.nchw(value)
        for name, value in given.items()
    }
    dtypes = {name: lowering.graph.values[value].dtype for name, value in given.items()}
    x, result = reads["x"], lowering.values.result(node.outputs[0], NCHW)
    window = _deformed_window(node, lowering.graph.shape(node.inputs[1]))
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
        f"    let at_y = f32(i32(c2 * {window.strides[0]}u + k / {wide}u * {window.dilations[0]}u) - "
        f"{window.pads[0]}) + move_y;",
        f"    let at_x = f32(i32(c3 * {window.strides[1]}u + k % {wide}u * {window.dilations[1]}u) - "
        f"{window.pads[1]}) + move_x;",
        f"    sum += {weight} * sample(c0, channel, at_y, at_x){masked};",
        "  }",
        "}",
        f"return {store('sum', dtypes['x'])};",
    ]
    emit(lowering, node, reads, result, body, code=code)


# GridSample: an image or volume read at the places that a grid gives.

_OLD_MODES = {"bilinear": "linear", "bicubic": "cubic"}  # their names before opset 20
_ACROSS = {"nearest": 1, "linear": 2, "cubic": 4}


def _infer_grid_sample(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """(batch, channels, the grid's spatial dimensions)."""
    shape, grid = inputs[0].shape, inputs[1].shape
    require(
        len(shape) == len(grid) >= 3 and grid[-1] == len(shape) - 2,
        node,
        "a grid that does not fit its input",
    )
    require(shape[0] == grid[0] and min(shape[2:]) > 0, node, "a grid that does not fit its input")
    refuse_unless(len(shape) <= 5, node, f"{len(shape) - 2} spatial dimensions")
    return [Value(node.outputs[0], (*shape[:2], *grid[1:-1]), inputs[0].dtype)]


def _lower_grid_sample(lowering: Lowering, node: Node) -> None:
    """Each thread mixes four channels of the 1, 2 or 4 nearest elements along each axis."""
    mode = node.attributes.get("mode", "linear")
    mode = _OLD_MODES.get(mode, mode)
    padding = node.attributes.get("padding_mode", "zeros")
    require(mode in _ACROSS and padding in ("zeros", "border", "reflection"), node, f"{mode} with {padding}")
    x, grid = lowering.nhwc(node.inputs[0]), lowering.nchw(node.inputs[1])
    result = lowering.values.result(node.outputs[0])
    sizes, across = x.spatial[::-1], _ACROSS[mode]
    width, rows = spread(result.pixels * result.blocks)
    numbers = {
        "PIXELS": result.pixels, "BLOCKS": result.blocks, "WIDTH": width * 64, "IN_PLANE": x.plane, "OUT_PLANE": result.plane,
        "DIMENSIONS": len(sizes), "ACROSS": across, "TAPS": across ** len(sizes), "ALIGN": int(node.attributes.get("align_corners", 0)),
        "NEAREST": int(mode == "nearest"), "CUBIC": int(mode == "cubic"), "ZEROS": int(padding == "zeros"),
        "BORDER": int(padding == "border"),
    }  # fmt: skip
    for d, size in enumerate(sizes):
        numbers |= {f"SIZE_{d}": size, f"STRIDE_{d}": math.prod(sizes[:d]), f"STEP_{d}": across**d}
    lowering.dispatch(
        Launch(
            node.name,
            Kernel("grid_sample", numbers, code=f"const BEFORE = {int(mode == 'cubic')}i;"),
            {"x": x, "grid": grid},
            result,
            (width, rows, 1),
            epilogue=node.epilogue,
        )
    )


# RoiAlign: regions of an image sampled to small grids. He, Gkioxari, Dollár, Girshick, "Mask R-CNN", 2017.

_MOST_SAMPLES: Final = 64
"""Most samples along an axis of a cell, as regions are computed and a huge one must not stall the GPU."""


def _cells(node: Node) -> tuple[int, int]:
    return int(node.attributes.get("output_height", 1)), int(node.attributes.get("output_width", 1))


def _infer_roi_align(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """(regions, channels, output_height, output_width)."""
    x, rois, batch = inputs
    require_indices(node, batch)
    fits = len(x.shape) == 4 and len(rois.shape) == 2 and rois.shape[1] == 4 and batch.shape == rois.shape[:1]
    require(fits and min(x.shape) > 0 and min(_cells(node)) > 0, node, "regions that do not fit its input")
    return [Value(node.outputs[0], (rois.shape[0], x.shape[1], *_cells(node)), x.dtype)]


def _lower_roi_align(lowering: Lowering, node: Node) -> None:
    """Each thread averages (or takes the largest of) the bilinear samples of one cell of one channel."""
    attributes = node.attributes
    mode, ratio = attributes.get("mode", "avg"), int(attributes.get("sampling_ratio", 0))
    require(mode in ("avg", "max") and ratio >= 0, node, f"mode {mode} with {ratio} samples")
    refuse_unless(ratio <= _MOST_SAMPLES, node, f"more than {_MOST_SAMPLES} samples")
    usual = "half_pixel" if node.version >= 16 else "output_half_pixel"
    half = attributes.get("coordinate_transformation_mode", usual) == "half_pixel"
    x, rois, batch = (
        source(lowering, node.inputs[0]),
        lowering.nchw(node.inputs[1]),
        lowering.nchw(node.inputs[2]),
    )
    result = lowering.values.result(node.outputs[0], NCHW)
    dtypes = [lowering.graph.values[name].dtype for name in node.inputs[:2]]
    (rows, columns), (height, width) = _cells(node), x.shape[2:]
    scale, offset = literal(float(attributes.get("spatial_scale", 1.0))), literal(0.5 if half else 0.0)
    body = [*coordinates(result.shape)]
    for i, name in enumerate(("x0", "y0", "x1", "y1")):
        body.append(f"let {name} = {load('rois', f'c0 * 4u + {i}u', dtypes[1])} * {scale} - {offset};")
    least = "-1e30" if half else "1.0"  # only the old way has no region smaller than a pixel
    samples = f"{ratio}.0" if ratio else f"clamp(ceil(cell), vec2<f32>(1.0), vec2<f32>({_MOST_SAMPLES}.0))"
    body += [
        f"let cell = max(vec2<f32>(x1 - x0, y1 - y0), vec2<f32>({least})) / vec2<f32>({columns}.0, "
        f"{rows}.0);",
        f"let count = vec2<f32>({samples});",
        f"let image = u32(clamp(batch[c0], 0, {x.shape[0] - 1}));",
        "var sum = 0.0;",
        "var most = -3.4028234e38;",
        f"for (var j = 0u; j < min(u32(count.y), {_MOST_SAMPLES}u); j++) {{",
        f"  for (var i = 0u; i < min(u32(count.x), {_MOST_SAMPLES}u); i++) {{",
        "    let at_x = x0 + (f32(c3) + (f32(i) + 0.5) / count.x) * cell.x;",
        "    let at_y = y0 + (f32(c2) + (f32(j) + 0.5) / count.y) * cell.y;",
        f"    if (at_x < -1.0 || at_x > {width}.0 || at_y < -1.0 || at_y > {height}.0) "
        f"{{ most = max(most, 0.0); continue; }}",
        f"    let px = clamp(at_x, 0.0, {width - 1}.0);",
        f"    let py = clamp(at_y, 0.0, {height - 1}.0);",
        f"    let lx = min(u32(px), {width - 1}u);",
        f"    let ly = min(u32(py), {height - 1}u);",
        f"    let hx = min(lx + 1u, {width - 1}u);",
        f"    let hy = min(ly + 1u, {height - 1}u);",
        "    let fx = px - f32(lx);",
        "    let fy = py - f32(ly);",
    ]
    across, down = {"l": "(1.0 - fx)", "h": "fx"}, {"l": "(1.0 - fy)", "h": "fy"}
    taps = [(f"{i}y", f"{j}x", f"{down[i]} * {across[j]}") for i in "lh" for j in "lh"]
    for k, (row, column, weight) in enumerate(taps):
        value = load("x", address(x, ["image", "c1", row, column]), dtypes[0])
        body.append(f"    let t{k} = {weight} * {value};")
    body += [
        "    sum += t0 + t1 + t2 + t3;",
        "    most = max(most, max(max(t0, t1), max(t2, t3)));",
        "  }",
        "}",
        f"return {store('most' if mode == 'max' else 'sum / max(count.x * count.y, 1.0)', dtypes[0])};",
    ]
    emit(lowering, node, {"x": x, "rois": rois, "batch": batch}, result, body)


OPERATORS: Final = (
    Operator("AffineGrid", _infer_affine_grid, _lower_affine_grid, host=(1,)),
    Operator(
        "DeformConv", _infer_deform_conv, _lower_deform_conv, layout=NHWC, fold=left_to_the_gpu, places=(2,)
    ),
    Operator(
        "GridSample",
        _infer_grid_sample,
        _lower_grid_sample,
        fuses=True,
        layout=NHWC,
        fold=left_to_the_gpu,
        places=(1,),
    ),
    Operator("RoiAlign", _infer_roi_align, _lower_roi_align, fold=left_to_the_gpu, places=(1,)),
)
