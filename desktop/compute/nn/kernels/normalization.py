"""Normalizations of row-major tensors over any of their axes; sums are float32."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from desktop.compute.nn.ir.epilogue import literal
from desktop.compute.nn.ir.graph import Node, Value
from desktop.compute.nn.ir.scalar import load
from desktop.compute.nn.kernels.elementwise import broadcast_index
from desktop.compute.nn.kernels.reduction import LONG, dimensions
from desktop.compute.nn.lowering.launch import Kernel, Launch
from desktop.compute.nn.lowering.lowering import Lowering
from desktop.compute.nn.lowering.operator import Constants, axis_of
from desktop.compute.nn.lowering.plan import NCHW, NHWC, Operand
from desktop.compute.nn.lowering.workgroups import ceil_div

_LANES = 64
_MOST_LANES = 256
_MOST_HELD = 8  # vec4s of a row in a thread's registers


@dataclass(frozen=True)
class Normalization:
    """What is normalized and how. Expressions are WGSL.

    Attributes:
        shape: of the tensor; a Reshape of the input's is allowed.
        axes: over which elements are normalized together.
        centered: their mean is taken off first.
        term: of an element `v`, what is summed up.
        factor: of the sum `v`, what elements are multiplied by.
        stored: the result of a normalized `v` at the row-major index `at`.
    """

    shape: tuple[int, ...]
    axes: frozenset[int]
    centered: bool
    term: str
    factor: str
    stored: str = "v"

    @property
    def length(self) -> int:
        """Elements that are normalized together."""
        return math.prod(self.shape[i] for i in self.axes)


def deviation(length: int, epsilon: float) -> str:
    """The `factor` that brings the mean of squares to 1."""
    return f"1.0 / sqrt(v / {literal(length)} + {literal(epsilon)})"  # inverseSqrt of NaN is infinite on llvmpipe


def normalize(
    lowering: Lowering,
    node: Node,
    how: Normalization,
    extra: Mapping[str, Operand] | None = None,
    rows: Operand | None = None,
) -> None:
    """Add the dispatches: of the elements into output 0, and of the mean and the factor into outputs 1 and 2 where they are named.

    Args:
        extra: operands that `stored` reads.
        rows: row-major memory for the elements, where they are not to go into output 0 as they are.
    """
    x = lowering.nchw(node.inputs[0])
    for index, name in enumerate(node.outputs[:3]):
        if name:
            result = rows if rows is not None and index == 0 else lowering.values.result(name, NCHW)
            _dispatch(lowering, node, how, x, result, index, extra if index == 0 else None)


def _dispatch(
    lowering: Lowering,
    node: Node,
    how: Normalization,
    x: Operand,
    result: Operand,
    writes: int,
    extra: Mapping[str, Operand] | None,
) -> None:
    kept: Sequence[int] = [i for i in range(len(how.shape)) if i not in how.axes]
    count = math.prod(how.shape[i] for i in kept)
    width = min(count, 4096)
    numbers = {
        "COUNT": count,
        "LENGTH": how.length,
        "LANES": 1 if lowering.target.is_software and how.length < LONG else _LANES,
        "WIDTH": width,
        "CENTERED": int(how.centered),
        "WRITES": writes,
        "WRITES_MEAN": int(writes == 1),
        **dimensions("KEPT", kept, how.shape),
        **dimensions("GONE", sorted(how.axes), how.shape),
    }
    code = f"""fn term(v: f32) -> f32 {{ return {how.term}; }}
fn factor(v: f32) -> f32 {{ return {how.factor}; }}
fn stored(v: f32, at: u32) -> Element {{ return Element({how.stored if writes == 0 else "v"}); }}"""
    lowering.dispatch(
        Launch(
            node.name,
            Kernel("normalize", numbers, code=code, raw=True, own_indices=True),
            {"x": x, **(extra or {})},
            result,
            (width, ceil_div(count, max(width, 1)), 1),
        )
    )


def infer_rows(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """Of a normalization over the axes from attribute `axis` on: the input's shape; the statistics keep these axes as ones."""
    shape = inputs[0].shape
    axis = _first_axis(node, len(shape))
    kept = (*shape[:axis], *(1 for _ in shape[axis:]))
    statistics = [Value(name, kept, "float32") for name in node.outputs[1:]]
    return [Value(node.outputs[0], shape, inputs[0].dtype), *statistics]


def normalize_rows(lowering: Lowering, node: Node, *, centered: bool) -> None:
    """Normalize over the axes from attribute `axis` on, then scale by input 1 and add input 2, where they are given; see `normalize`."""
    values = lowering.graph.values
    shape = values[node.inputs[0]].shape
    axes = frozenset(range(_first_axis(node, len(shape)), len(shape)))
    factors = [lowering.graph.constants.get(name) for name in node.inputs[1:3] if name]
    if _is_held(lowering, node, math.prod(shape[i] for i in axes), factors):
        _normalize_held(lowering, node, shape, axes, centered)
        return
    stored, extra = "v", {}
    for name, operation in zip(("scale", "bias"), ("*", "+"), strict=True):
        given = node.input(1 if name == "scale" else 2)
        if given:
            extra[name] = lowering.nchw(given)
            index = broadcast_index(shape, values[given].shape)
            stored = f"({stored}) {operation} {load(name, index, values[given].dtype)}"

    factor = deviation(math.prod(shape[i] for i in axes), float(node.attributes.get("epsilon", 1e-5)))
    normalize(lowering, node, Normalization(shape, axes, centered, "v * v", factor, stored), extra)


def _is_held(lowering: Lowering, node: Node, length: int, factors: Sequence[np.ndarray | None]) -> bool:
    """Whether a workgroup may hold a row: whole vec4s, not too many, with constants of its length behind it and nothing but its output."""
    known = all(each is not None and each.size == each.shape[-1] == length for each in factors)
    # A software adapter's threads take turns: each row is one thread's there.
    alone = not lowering.target.is_software and len([name for name in node.outputs if name]) == 1
    return known and alone and length % 4 == 0 and 0 < length <= 4 * _MOST_HELD * _MOST_LANES


def _normalize_held(
    lowering: Lowering, node: Node, shape: Sequence[int], axes: frozenset[int], centered: bool
) -> None:
    length = math.prod(shape[i] for i in axes)
    count = math.prod(shape) // length
    blocks = length // 4
    lanes = next(n for n in (64, 128, _MOST_LANES) if blocks <= n * _MOST_HELD)
    x, result = (
        replace(operand, shape=(count, length), layout=NHWC, stride=blocks)
        for operand in (lowering.nchw(node.inputs[0]), lowering.values.result(node.outputs[0], NCHW))
    )
    arrays = {
        name: (
            lowering.memory.constant(lowering.graph.constants[given].reshape(-1), dtype="float32"),
            "vec4<f32>",
        )
        for name, given in zip(("scale", "bias"), node.inputs[1:3], strict=False)
        if given
    }
    width = min(count, 4096)
    numbers = {
        "COUNT": count,
        "BLOCKS": blocks,
        "LANES": lanes,
        "HELD": ceil_div(blocks, lanes),
        "WIDTH": width,
        "CENTERED": int(centered),
        "SCALED": int("scale" in arrays),
        "BIASED": int("bias" in arrays),
    }
    factor = deviation(length, float(node.attributes.get("epsilon", 1e-5)))
    code = f"fn factor(v: f32) -> f32 {{ return {factor}; }}"
    lowering.dispatch(
        Launch(
            node.name,
            Kernel("normalize_rows", numbers, code=code, own_indices=True),
            {"x": x},
            result,
            (width, ceil_div(count, max(width, 1)), 1),
            arrays=arrays,
        )
    )


def _first_axis(node: Node, rank: int) -> int:
    return axis_of(node, int(node.attributes.get("axis", -1)), rank)
