"""Resize: nearest, linear and cubic, along any axes, with every coordinate transformation."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from desktop.compute.nn.ir.epilogue import literal
from desktop.compute.nn.ir.graph import Node, Value
from desktop.compute.nn.ir.scalar import is_float
from desktop.compute.nn.kernels.indexing import (
    LARGEST_TABLE,
    address,
    coordinates,
    emit,
    finish,
    pick,
    unfused,
)
from desktop.compute.nn.kernels.resampling import (
    COORDINATES,
    ROUNDING,
    SIMPLE,
    Axis,
    Taps,
    interpolation_support,
    nearest,
    taps,
)
from desktop.compute.nn.kernels.strided import source
from desktop.compute.nn.lowering.launch import Kernel, Launch
from desktop.compute.nn.lowering.lowering import Lowering
from desktop.compute.nn.lowering.operator import (
    Constants,
    Operator,
    axis_of,
    constant_input,
    left_to_the_gpu,
    needed_input,
    refuse_unless,
    require,
)
from desktop.compute.nn.lowering.plan import NCHW, NHWC, Operand
from desktop.compute.nn.lowering.target import Target
from desktop.compute.nn.lowering.workgroups import ceil_div, spread

_LARGEST = 1 << 16


@dataclass(frozen=True)
class _Resize:
    """The attributes, with their defaults; those of the oldest forms (Upsample, opset 10) are fixed."""

    mode: str
    coordinates: str
    rounding: str
    antialias: bool
    exclude: bool
    cubic: float
    extrapolation: float

    def taps(self, axis: Axis) -> int:
        """Number of elements that are blended into a result along this axis."""
        return (
            1
            if self.mode == "nearest"
            else 2 * interpolation_support(axis, self.mode, antialias=self.antialias)
        )

    @staticmethod
    def of(node: Node) -> _Resize:
        """Read and check a node."""
        given = node.attributes
        old = _is_old(node)
        mode = {"bilinear": "linear"}.get(given.get("mode", "nearest"), given.get("mode", "nearest"))
        made = _Resize(
            mode,
            "asymmetric" if old else given.get("coordinate_transformation_mode", "half_pixel"),
            SIMPLE if old else given.get("nearest_mode", "round_prefer_floor"),
            bool(given.get("antialias", 0)) and mode != "nearest",
            bool(given.get("exclude_outside", 0)),
            float(given.get("cubic_coeff_a", -0.75)),
            float(given.get("extrapolation_value", 0.0)),
        )
        require(made.mode in ("nearest", "linear", "cubic"), node, f"mode {made.mode}")
        known = made.coordinates in COORDINATES
        refuse_unless(
            known and (old or made.rounding in ROUNDING), node, f"{made.coordinates} with {made.rounding}"
        )
        return made


def _is_old(node: Node) -> bool:
    return node.op == "Upsample" or node.version < 11


def _sized(
    node: Node, shape: Sequence[int], at: Sequence[int], sizes: Sequence[int]
) -> list[tuple[float, int]]:
    """Scale and count of the axes `at`, from wanted sizes."""
    require(all(shape[axis] > 0 for axis in at), node, "resizing of nothing")
    factors = [n / shape[axis] for n, axis in zip(sizes, at, strict=True)]
    policy = node.attributes.get("keep_aspect_ratio_policy", "stretch")
    require(policy in ("stretch", "not_larger", "not_smaller"), node, f"keep_aspect_ratio_policy {policy}")
    if policy == "stretch" or not factors:
        return list(zip(factors, sizes, strict=True))
    factor = min(factors) if policy == "not_larger" else max(factors)
    return [(factor, math.floor(factor * shape[axis] + 0.5)) for axis in at]


def _scaled(
    node: Node, shape: Sequence[int], at: Sequence[int], factors: Sequence[float]
) -> list[tuple[float, int]]:
    """Scale and count of the axes `at`, from scales."""
    require(
        all(math.isfinite(f) and 0 < f <= _LARGEST for f in factors), node, "a scale that is not positive"
    )
    # In float32, as in ONNX Runtime: 3 * (5 / 3) is 5 (4 in onnx 1.23's reference and shape inference).
    return [
        (f, math.floor(np.float32(shape[axis]) * np.float32(f))) for f, axis in zip(factors, at, strict=True)
    ]


def _crops(node: Node, axes: int, constants: Constants) -> list[tuple[float, float]]:
    """The part of each axis that is resized: all of it, or the region of interest."""
    if node.attributes.get("coordinate_transformation_mode") != "tf_crop_and_resize":
        return [(0.0, 1.0)] * axes
    roi = needed_input(node, 1, constants)
    require(roi.size == 2 * axes, node, "no region of interest that fits its input")
    edges = [float(edge) for edge in roi.reshape(-1)]
    return list(zip(edges[:axes], edges[axes:], strict=True))


def resized_axes(node: Node, shape: Sequence[int], constants: Constants) -> list[Axis]:
    """Return how each axis is resized. Scales: input 2; before opset 11 an attribute or input 1."""
    old = _is_old(node)
    given = node.attributes.get("axes")
    at = [axis_of(node, int(a), len(shape)) for a in given] if given else list(range(len(shape)))
    sizes = None if old else constant_input(node, 3, constants)
    scales = node.attributes.get("scales") or constant_input(node, 1 if old else 2, constants)
    if sizes is not None and sizes.size:
        require(sizes.size == len(at), node, "sizes that do not fit its input")
        pairs = _sized(node, shape, at, [int(n) for n in sizes.reshape(-1)])
    else:
        factors = [] if scales is None else [float(f) for f in scales]
        require(len(factors) == len(at), node, "scales that do not fit its input")
        pairs = _scaled(node, shape, at, factors)
    axes = [Axis(n, n, 1.0) for n in shape]
    for axis, (factor, count), crop in zip(at, pairs, _crops(node, len(at), constants), strict=True):
        axes[axis] = Axis(shape[axis], count, factor, crop)
    require(
        all(0 <= a.count <= max(_LARGEST, a.size) and (a.size or not a.count) for a in axes),
        node,
        f"a result of shape {[a.count for a in axes]}",
    )
    return axes


def _infer_resize(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """The sizes, or floor(size * scale)."""
    axes = resized_axes(node, inputs[0].shape, constants)
    return [Value(node.outputs[0], tuple(axis.count for axis in axes), inputs[0].dtype)]


def integer_factors(node: Node, shape: Sequence[int], constants: Constants) -> tuple[int, int] | None:
    """Return the factors by which a nearest Resize repeats all rows and all columns equally, else None."""
    how = _Resize.of(node)
    if len(shape) != 4 or how.mode != "nearest" or how.coordinates == "tf_crop_and_resize":
        return None
    axes = resized_axes(node, shape, constants)
    factors = [axis.count // axis.size if axis.size else 0 for axis in axes]
    for axis, factor in zip(axes, factors, strict=True):
        repeated = np.repeat(np.arange(axis.size), factor)
        if len(repeated) != axis.count or (nearest(axis, how.coordinates, how.rounding) != repeated).any():
            return None
    return (factors[2], factors[3]) if factors[:2] == [1, 1] else None


def averages_pixels(node: Node, shape: Sequence[int], constants: Constants) -> bool:
    """True where each result is a mean, by weights that add up to one, of pixels of its own channel."""
    if _Resize.of(node).coordinates == "tf_crop_and_resize":
        return False  # fills what is outside
    return all(axis.is_identity for axis in resized_axes(node, shape, constants)[:2])


def sizes_for(node: Node, shape: Sequence[int], constants: Constants) -> np.ndarray | None:
    """Return the sizes for `shape` with the channels unchanged; None if a node names no sizes."""
    sizes = None if _is_old(node) else constant_input(node, 3, constants)
    if sizes is None or not sizes.size:
        return None
    given = node.attributes.get("axes") or range(len(shape))
    axes = [axis_of(node, int(axis), len(shape)) for axis in given]
    wanted = [shape[1] if axis == 1 else n for axis, n in zip(axes, sizes.reshape(-1), strict=True)]
    return np.array(wanted, sizes.dtype)


def _lower_resize(lowering: Lowering, node: Node) -> None:
    """Keep the layout of float images; pick all else by tables, or mix along one axis after the other."""
    value = lowering.graph.values[node.inputs[0]]
    axes, how = resized_axes(node, value.shape, lowering.graph.constants), _Resize.of(node)
    refuse_unless(
        all(a.is_identity or a.count * how.taps(a) <= LARGEST_TABLE for a in axes),
        node,
        "an axis that is too long",
    )
    if not all(axis.count for axis in axes):
        lowering.values.result(node.outputs[0])  # nothing to compute
        return
    is_picture = len(axes) == 4 and axes[0].is_identity and axes[1].is_identity and is_float(value.dtype)
    plain = how.mode != "cubic" and not how.antialias and how.coordinates != "tf_crop_and_resize"
    if is_picture and plain:
        _resize_picture(lowering, node, axes, how)
        return
    refuse_unless(how.mode == "nearest" or is_float(value.dtype), node, f"mode {how.mode} of integers")
    rows = unfused(lowering, node)
    if how.mode == "nearest":
        _pick_nearest(lowering, node, rows, axes, how)
    else:
        _mix_axes(lowering, node, rows, axes, how)
    finish(lowering, node, rows)


def _resize_picture(lowering: Lowering, node: Node, axes: Sequence[Axis], how: _Resize) -> None:
    """Each thread mixes up to four neighbors of four channels, for some outputs below each other."""
    x, result = lowering.nhwc(node.inputs[0]), lowering.values.result(node.outputs[0])
    lines, at_once = result.batch * axes[2].count, _lines(result, lowering.target)
    groups = ceil_div(lines, at_once)
    width, rows = spread(groups * axes[3].count * result.blocks)
    numbers = {
        "BLOCKS": result.blocks, "WIDTH": width * 64, "IN_H": axes[2].size, "IN_W": axes[3].size, "OUT_H": axes[2].count,
        "OUT_W": axes[3].count, "LINES": at_once, "GROUPS": groups, "LAST": lines - 1, "LINEAR": int(how.mode == "linear"),
    }  # fmt: skip
    constants = {}
    for name, axis in (("rows", axes[2]), ("columns", axes[3])):
        if how.mode == "linear":
            places = np.clip(axis.places(how.coordinates), 0, axis.size - 1)
        else:
            places = nearest(axis, how.coordinates, how.rounding).astype(np.float64)
        first = np.floor(places)
        table = np.stack([first, places - first], axis=1)  # the input, and the fraction towards the next one
        constants[name] = (lowering.memory.constant(table, dtype="float32"), "vec2<f32>")
    lowering.dispatch(
        Launch(
            node.name,
            Kernel("resize", numbers),
            {"x": x},
            result,
            (width, rows, 1),
            arrays=constants,
            epilogue=node.epilogue,
        )
    )


_MOST_LINES: Final = 4


def _lines(result: Operand, target: Target) -> int:
    """Return a thread's outputs in a column: as many as leave 8 times the workgroups that fill the GPU."""
    threads = result.pixels * result.blocks
    return max(1, min(_MOST_LINES, threads // (8 * 64 * target.workgroups)))


def _pick_nearest(lowering: Lowering, node: Node, rows: Operand, axes: Sequence[Axis], how: _Resize) -> None:
    tables = {
        i: nearest(axis, how.coordinates, how.rounding) for i, axis in enumerate(axes) if not axis.is_identity
    }
    fill = np.array([how.extrapolation])
    operand = Operand(lowering.memory.constant(fill, dtype=rows.dtype), (1,), rows.dtype, NCHW)
    pick(lowering, node, source(lowering, node.inputs[0]), rows, tables, operand)


def _mix_axes(lowering: Lowering, node: Node, rows: Operand, axes: Sequence[Axis], how: _Resize) -> None:
    """One dispatch an axis, the one that shrinks most first; float32 in between."""
    x = source(lowering, node.inputs[0])
    left = sorted((i for i, a in enumerate(axes) if not a.is_identity), key=lambda i: axes[i].scale)
    if not left:
        pick(lowering, node, x, rows, {})
    for i in left:
        shape = (*x.shape[:i], axes[i].count, *x.shape[i + 1 :])
        if i == left[-1]:
            y = rows
        else:
            y = Operand(lowering.memory.reserve(math.prod(shape) * 4), shape, "float32", NCHW)
        mixed = taps(
            axes[i],
            how.coordinates,
            how.mode,
            antialias=how.antialias,
            exclude=how.exclude,
            a=how.cubic,
        )
        _mix(lowering, node, x, y, i, mixed, how.extrapolation)
        x = y


def _mix(
    lowering: Lowering, node: Node, x: Operand, y: Operand, axis: int, mixed: Taps, extrapolation: float
) -> None:
    count = mixed.indices.shape[1]
    places = [f"c{i}" for i in range(len(y.shape))]
    places[axis] = "sources[first + tap]"
    body = [
        *coordinates(y.shape),
        f"let first = c{axis} * {count}u;",
        f"if (sources[first] == 0xffffffffu) {{ return Element({literal(extrapolation)}); }}",
        "var sum = 0.0;",
        f"for (var tap = 0u; tap < {count}u; tap++) {{",
        f"  sum += weights[first + tap] * f32(x[{address(x, places)}]);",
        "}",
        "return Element(sum);",
    ]
    constants = {
        "sources": (lowering.memory.constant(mixed.indices % 2**32, dtype="uint32"), "u32"),
        "weights": (lowering.memory.constant(mixed.weights, dtype="float32"), "f32"),
    }
    emit(lowering, node, {"x": x}, y, body, constants=constants)


OPERATORS: Final = (
    Operator(
        "Resize",
        _infer_resize,
        _lower_resize,
        fuses=True,
        host=(1, 2, 3),
        layout=NHWC,
        fold=left_to_the_gpu,
        carries=True,
    ),
    Operator(
        "Upsample", _infer_resize, _lower_resize, fuses=True, host=(1,), layout=NHWC, fold=left_to_the_gpu
    ),
)
