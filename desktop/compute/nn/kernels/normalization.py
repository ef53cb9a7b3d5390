"""Normalizations of row-major tensors over any of their axes; sums are float32."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from desktop.compute.nn.ir.epilogue import literal
from desktop.compute.nn.ir.graph import Detail, Graph, Node, Value
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
_CENTERED: Final = {"LayerNormalization": True, "RMSNormalization": False}
"""Operators that normalize rows to a mean of squares of 1, and whether they take the mean off first."""


@dataclass(frozen=True)
class RowNormalization(Detail):
    """A product's rows, normalized, are its second output: `node` would compute it from the first."""

    node: Node


@dataclass(frozen=True)
class LeastNorm(Detail):
    """Norm that a LpNormalization divides by if that of the numbers is smaller."""

    norm: float


@dataclass(frozen=True)
class Normalization:
    """Description of a normalization over `axes`. Expressions are WGSL.

    Attributes:
        shape: the tensor's; a Reshape of the input's is allowed.
        centered: the mean is subtracted first.
        term: what is summed up of an element `v`.
        factor: what elements are multiplied by, from the sum `v`.
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
    """Add the dispatches: elements into output 0 (or row-major `rows`), mean and factor into outputs 1 and 2.

    `extra`: operands that `stored` reads.
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
    """Infer a normalization over the axes from `axis` on: the input's shape; statistics keep them as ones."""
    shape = inputs[0].shape
    axis = _first_axis(node, len(shape))
    kept = (*shape[:axis], *(1 for _ in shape[axis:]))
    statistics = [Value(name, kept, "float32") for name in node.outputs[1:]]
    return [Value(node.outputs[0], shape, inputs[0].dtype), *statistics]


def normalize_rows(lowering: Lowering, node: Node) -> None:
    """Normalize over the axes from `axis` on, then apply the optional scale (input 1) and bias (input 2)."""
    values = lowering.graph.values
    shape = values[node.inputs[0]].shape
    axes = frozenset(range(_first_axis(node, len(shape)), len(shape)))
    length = math.prod(shape[i] for i in axes)
    factor = deviation(length, float(node.attributes.get("epsilon", 1e-5)))
    if holds_rows(lowering, node, length):
        normalize_held(lowering, node, length, factor)
        return
    stored, extra = "v", {}
    for name, operation in zip(("scale", "bias"), ("*", "+"), strict=True):
        given = node.input(1 if name == "scale" else 2)
        if given:
            extra[name] = lowering.nchw(given)
            index = broadcast_index(shape, values[given].shape)
            stored = f"({stored}) {operation} {load(name, index, values[given].dtype)}"

    normalize(lowering, node, Normalization(shape, axes, _CENTERED[node.op], "v * v", factor, stored), extra)


def normalizes_rows(graph: Graph, node: Node) -> bool:
    """True for a normalization of the last axis that a product can take up."""
    if node.op not in _CENTERED or node.epilogue:
        return False
    shape = graph.shape(node.inputs[0])
    return len(shape) - 1 == _first_axis(node, len(shape)) and _is_held(graph, node, shape[-1])


def _is_held(graph: Graph, node: Node, length: int) -> bool:
    """Return True if a workgroup may hold a row: few, whole vec4s, constant parameters, no other output."""
    factors = [graph.constants.get(name) for name in node.inputs[1:3] if name]
    known = all(each is not None and each.shape[-1:] == (length,) and each.size == length for each in factors)
    alone = len([name for name in node.outputs if name]) == 1
    return known and alone and length % 4 == 0 and 0 < length <= 4 * _MOST_HELD * _MOST_LANES


def holds_rows(lowering: Lowering, node: Node, length: int) -> bool:
    """Return True if `normalize_held` takes rows of `length` numbers."""
    return _is_held(lowering.graph, node, length) and not lowering.target.is_software


def normalize_held(lowering: Lowering, node: Node, length: int, factor: str) -> None:
    """Normalize rows that a workgroup holds, then apply the scale (input 1) and bias (input 2), if any.

    `factor`: as in `Normalization`, from the sum of squares.
    """
    count = math.prod(lowering.graph.shape(node.inputs[0])) // length
    x, result = (
        replace(operand, shape=(count, length), layout=NHWC, stride=length // 4)
        for operand in (lowering.nchw(node.inputs[0]), lowering.values.result(node.outputs[0], NCHW))
    )
    held = _held(lowering, node, count, length, factor, 1)
    lowering.dispatch(
        Launch(node.name, held.kernel(0), {"x": x}, result, held.workgroups, arrays=held.arrays)
    )


def sum_and_normalize(
    lowering: Lowering, node: Node, sums: Operand, result: Operand, shares: int, bias: np.ndarray
) -> None:
    """Add the dispatch that sums the shares of a product's rows and normalizes them.

    Args:
        node: the product; its epilogue and `bias` (columns,) apply before the normalization.
        sums: (shares x rows, columns).
        result: (rows, columns), before the normalization.
    """
    after = node.detail(RowNormalization)
    assert after is not None
    count, length = result.shape
    normalized = lowering.values.result(after.node.outputs[0], NCHW)
    factor = deviation(length, float(after.node.attributes.get("epsilon", 1e-5)))
    held = _held(lowering, after.node, count, length, factor, shares + 1, [bias])
    rows = replace(normalized, shape=(count, length), layout=NHWC, stride=length // 4)
    lowering.dispatch(
        Launch(
            node.name,
            held.kernel(shares),
            {"x": sums},
            result,
            held.workgroups,
            arrays=held.arrays,
            others={"normalized": rows},
            epilogue=node.epilogue,
        )
    )


def normalize_after(lowering: Lowering, node: Node) -> None:
    """Add the dispatch of what a product's `RowNormalization` has, if it has one."""
    after = node.detail(RowNormalization)
    if after is not None:
        normalize_rows(lowering, after.node)


@dataclass(frozen=True)
class _Held:
    """Arguments of `normalize_rows` for rows that the threads of a workgroup hold in registers."""

    numbers: Mapping[str, int]
    code: str
    arrays: Mapping[str, tuple[int, str]]
    workgroups: tuple[int, int, int]
    needs_subgroups: bool

    def kernel(self, shares: int) -> Kernel:
        """Return the kernel for rows that are so many shares of a product each, 0 for rows as they are."""
        directives = ("enable subgroups;",) if self.needs_subgroups else ()
        numbers = {**self.numbers, "SHARES": shares}
        return Kernel("normalize_rows", numbers, code=self.code, directives=directives, own_indices=True)


def _held(
    lowering: Lowering,
    node: Node,
    count: int,
    length: int,
    factor: str,
    reads: int,
    before: Sequence[np.ndarray] = (),
) -> _Held:
    """`reads`: of each vec4; `before`: rows in the scale's buffer, as WebGPU allows eight buffers a stage."""
    blocks = length // 4
    lanes = next((n for n in (64, 128) if blocks * reads <= n * _MOST_HELD), _MOST_LANES)
    given = [bool(node.input(i)) for i in (1, 2)]
    constants = [*before, *(lowering.graph.constants[name] for name in node.inputs[1:3] if name)]
    arrays = {}
    if constants:
        packed = np.stack([each.reshape(-1).astype(np.float32) for each in constants])
        arrays["factors"] = lowering.memory.constant(packed, dtype="float32"), "vec4<f32>"
    width = min(count, 4096)
    subgroup = lowering.target.subgroup
    numbers = {
        "COUNT": count,
        "BLOCKS": blocks,
        "LANES": lanes,
        "SUBGROUP": subgroup,
        # The parts that a sum of all threads is made of, after the first.
        "OTHERS": (lanes // subgroup if subgroup else lanes // 4) - 1,
        "HELD": ceil_div(blocks, lanes),
        "WIDTH": width,
        "CENTERED": int(_CENTERED.get(node.op, False)),
        "SCALED": int(given[0]),
        "BIASED": int(given[1]),
        "SCALE_AT": len(before) * blocks,
        "BIAS_AT": (len(before) + given[0]) * blocks,
    }
    code = f"fn factor(v: f32) -> f32 {{ return {factor}; }}"
    return _Held(numbers, code, arrays, (width, ceil_div(count, max(width, 1)), 1), subgroup > 0)


def _first_axis(node: Node, rank: int) -> int:
    return axis_of(node, int(node.attributes.get("axis", -1)), rank)
