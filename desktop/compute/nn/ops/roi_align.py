"""RoiAlign: each region of an image, of any size and place, sampled to one small grid.

He, Gkioxari, Dollár, Girshick, "Mask R-CNN", 2017. https://onnx.ai/onnx/operators/onnx__RoiAlign.html
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from desktop.compute.nn.ir.epilogue import literal
from desktop.compute.nn.ir.graph import Node, Value
from desktop.compute.nn.ir.scalar import load, store
from desktop.compute.nn.kernels.indexing import address, coordinates, emit, require_indices
from desktop.compute.nn.kernels.strided import source
from desktop.compute.nn.lowering.lowering import Lowering
from desktop.compute.nn.lowering.operator import Constants, Operator, left_to_the_gpu, refuse_unless, require
from desktop.compute.nn.lowering.plan import NCHW

_MOST_SAMPLES: Final = 64
"""Samples along an axis of a cell: regions come from the network, and a cell of a huge one must not hold up the GPU."""


def _sizes(node: Node) -> tuple[int, int]:
    return int(node.attributes.get("output_height", 1)), int(node.attributes.get("output_width", 1))


def infer(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """(regions, channels, output_height, output_width)."""
    x, rois, batch = inputs
    require_indices(node, batch)
    fits = len(x.shape) == 4 and len(rois.shape) == 2 and rois.shape[1] == 4 and batch.shape == rois.shape[:1]
    require(fits and min(x.shape) > 0 and min(_sizes(node)) > 0, node, "regions that do not fit its input")
    return [Value(node.outputs[0], (rois.shape[0], x.shape[1], *_sizes(node)), x.dtype)]


def lower(lowering: Lowering, node: Node) -> None:
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
    (rows, columns), (height, width) = _sizes(node), x.shape[2:]
    scale, offset = literal(float(attributes.get("spatial_scale", 1.0))), literal(0.5 if half else 0.0)
    body = [*coordinates(result.shape)]
    for i, name in enumerate(("x0", "y0", "x1", "y1")):
        body.append(f"let {name} = {load('rois', f'c0 * 4u + {i}u', dtypes[1])} * {scale} - {offset};")
    least = "-1e30" if half else "1.0"  # only the old way has no region smaller than a pixel
    samples = f"{ratio}.0" if ratio else f"clamp(ceil(cell), vec2<f32>(1.0), vec2<f32>({_MOST_SAMPLES}.0))"
    body += [
        f"let cell = max(vec2<f32>(x1 - x0, y1 - y0), vec2<f32>({least})) / vec2<f32>({columns}.0, {rows}.0);",
        f"let count = vec2<f32>({samples});",
        f"let image = u32(clamp(batch[c0], 0, {x.shape[0] - 1}));",
        "var sum = 0.0;",
        "var most = -3.4028234e38;",
        f"for (var j = 0u; j < min(u32(count.y), {_MOST_SAMPLES}u); j++) {{",
        f"  for (var i = 0u; i < min(u32(count.x), {_MOST_SAMPLES}u); i++) {{",
        "    let at_x = x0 + (f32(c3) + (f32(i) + 0.5) / count.x) * cell.x;",
        "    let at_y = y0 + (f32(c2) + (f32(j) + 0.5) / count.y) * cell.y;",
        f"    if (at_x < -1.0 || at_x > {width}.0 || at_y < -1.0 || at_y > {height}.0) {{ most = max(most, 0.0); continue; }}",
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


OPERATOR = Operator("RoiAlign", infer, lower, fold=left_to_the_gpu, places=(1,))
