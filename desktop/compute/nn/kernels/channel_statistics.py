"""Normalizations of channels-last images by sums over pixels, first of parts of the image.

Sums are relative to the median of three pixels, so that the variance of a bright, even image does not cancel.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from desktop.compute.nn.ir.graph import Node
from desktop.compute.nn.kernels.matrix import pack_bias
from desktop.compute.nn.lowering.functions import functions_in
from desktop.compute.nn.lowering.launch import Kernel, Launch
from desktop.compute.nn.lowering.lowering import Lowering
from desktop.compute.nn.lowering.plan import Operand
from desktop.compute.nn.lowering.workgroups import ceil_div

_ACROSS = 8
_OWN = "fn sample_of(pixel: u32, block: u32) -> vec4<f32> { return read_x(pixel, block); }"
_MEDIAN = """fn middle_of(a: vec4<f32>, b: vec4<f32>, c: vec4<f32>) -> vec4<f32> {
  return max(min(a, b), min(max(a, b), c)); // where one is NaN, so is every result
}"""
_REFERENCE = f"""{_MEDIAN}
fn reference_of(base: u32, block: u32) -> vec4<f32> {{
  return middle_of(sample_of(base, block), sample_of(base + SECOND, block), sample_of(base + THIRD, block));
}}"""


@dataclass(frozen=True)
class Scaling:
    """Operands after a normalization: scale and bias of each channel, and the epsilon of the variance."""

    scale: np.ndarray
    bias: np.ndarray
    epsilon: float


def normalize_channels(lowering: Lowering, node: Node, x: Operand, result: Operand, scaling: Scaling) -> None:
    """Add the dispatches: each channel by its own mean and variance."""
    sums, parts = _sum(lowering, node, x, _OWN)
    factors = lowering.values.scratch((x.batch, x.blocks * 4, 4))
    lowering.dispatch(
        Launch(
            node.name,
            Kernel(
                "instance_factors",
                {"BLOCKS": x.blocks, "PARTS": parts, **_samples(x)},
                floats={"EPSILON": scaling.epsilon},
                code=f"{_OWN}\n{_REFERENCE}",
                calls="larger()",
                own_indices=True,
            ),
            {"x": x, "sums": sums},
            factors,
            (x.blocks, x.batch, 1),
            arrays=_packed(lowering, x, scaling, "vec4<f32>"),
        )
    )
    _apply(lowering, node, x, factors, result)


def normalize_groups(
    lowering: Lowering, node: Node, x: Operand, result: Operand, groups: int, scaling: Scaling
) -> None:
    """Add the dispatches: `groups` of as many neighboring channels each, by the group's mean and variance."""
    members = x.channels // groups
    sums, parts = _sum(lowering, node, x, _first_of_group(members))
    if members >= _LEAST_MEMBERS and members * parts <= _MOST_SUMS and not lowering.target.is_software:
        _apply_groups(lowering, node, x, result, (sums, parts, members), scaling)
        return
    factors = lowering.values.scratch((x.batch, x.blocks * 4, 4))
    numbers = {
        "BLOCKS": x.blocks,
        **_samples(x),
        "PARTS": parts,
        "MEMBERS": members,
        "STRIDE": x.stride * 4,
        "START": x.start * 4,
    }
    lowering.dispatch(
        Launch(
            node.name,
            Kernel(
                "group_factors",
                numbers,
                floats={"EPSILON": scaling.epsilon},
                code=f"{functions_in('most()')}\n{_MEDIAN}",
                raw=True,
                own_indices=True,
            ),
            {"x": x, "sums": sums},
            factors,
            (groups, x.batch, 1),
            arrays=_packed(lowering, x, scaling, "f32"),
        )
    )
    _apply(lowering, node, x, factors, result)


_LEAST_MEMBERS: Final = 3
"""Channels of a group with which a workgroup's channels are of at most 12 groups."""
_MOST_SUMS: Final = 512
"""Parts' sums of a group that each workgroup adds up by itself, rather than a dispatch for all of them."""
_PIXELS: Final = 128
"""Pixels of a workgroup that applies what it found."""


def _apply_groups(
    lowering: Lowering,
    node: Node,
    x: Operand,
    result: Operand,
    of_groups: tuple[Operand, int, int],
    scaling: Scaling,
) -> None:
    """Add the dispatch that normalizes by the parts' sums; `of_groups`: these, their number, channels a group."""
    sums, parts, members = of_groups
    slices = 32
    numbers = {
        "BLOCKS": x.blocks,
        "CHANNELS": x.channels,
        **_samples(x),
        "PARTS": parts,
        "MEMBERS": members,
        "GROUPS": (_ACROSS * 4 - 2) // members + 2,
        "ACROSS": _ACROSS,
        "SLICES": slices,
        "PART": _PIXELS,
    }
    kernel = Kernel(
        "group_apply",
        numbers,
        floats={"EPSILON": scaling.epsilon},
        code=f"{functions_in('most()')}\n{_MEDIAN}",
        own_indices=True,
    )
    groups = (ceil_div(x.blocks, _ACROSS), ceil_div(x.plane, _PIXELS), x.batch)
    arrays = _packed(lowering, x, scaling, "vec4<f32>")
    reads = {"x": x, "sums": sums}
    lowering.dispatch(Launch(node.name, kernel, reads, result, groups, arrays=arrays, epilogue=node.epilogue))


def _samples(x: Operand) -> dict[str, int]:
    """Constants that locate the reference pixels: the first, and those at one and two thirds of the plane."""
    return {"PLANE": x.plane, "SECOND": x.plane // 3, "THIRD": 2 * x.plane // 3}


def _first_of_group(members: int) -> str:
    """The first channel of each channel's group."""
    if members % 4 == 0:
        first = f"block * 4u / {members}u * {members // 4}u"
        return f"fn sample_of(pixel: u32, block: u32) -> vec4<f32> {{ return vec4<f32>(read_x(pixel, {first}).x); }}"
    lines = "\n".join(
        f"  let c{i} = (block * 4u + {i}u) / {members}u * {members}u;\n  v[{i}] = read_x(pixel, c{i} / "
        f"4u)[c{i} % 4u];"
        for i in range(4)
    )
    return (
        f"fn sample_of(pixel: u32, block: u32) -> vec4<f32> {{\n  var v: vec4<f32>;\n{lines}\n  return v;\n}}"
    )


def _sum(lowering: Lowering, node: Node, x: Operand, sample: str) -> tuple[Operand, int]:
    """Add the dispatch of the parts' sums; their memory, and how many there are."""
    parts = min(ceil_div(x.plane, 512), 256)
    numbers = {
        "BLOCKS": x.blocks,
        **_samples(x),
        "PARTS": parts,
        "PART": ceil_div(x.plane, parts),
        "ACROSS": _ACROSS,
        "SLICES": 8 if lowering.target.is_software else 32,
    }
    sums = lowering.values.scratch((x.batch, x.blocks * 4, parts, 2))
    kernel = Kernel("instance_sums", numbers, code=f"{sample}\n{_REFERENCE}", own_indices=True)
    lowering.dispatch(
        Launch(node.name, kernel, {"x": x}, sums, (ceil_div(x.blocks, _ACROSS), parts, x.batch))
    )
    return sums, parts


def _packed(lowering: Lowering, x: Operand, scaling: Scaling, element: str) -> dict[str, tuple[int, str]]:
    arrays = {"scale": scaling.scale, "bias": scaling.bias}
    return {
        name: (lowering.memory.constant(pack_bias(array, x.channels), dtype="float32"), element)
        for name, array in arrays.items()
    }


def _apply(lowering: Lowering, node: Node, x: Operand, factors: Operand, result: Operand) -> None:
    groups = ceil_div(result.pixels * result.blocks, 64)
    width = min(groups, 4096)
    numbers = {"BLOCKS": x.blocks, "PLANE": x.plane, "PIXELS": x.pixels, "WIDTH": width * 64}
    lowering.dispatch(
        Launch(
            node.name,
            Kernel("instance_apply", numbers, own_indices=True),
            {"x": x, "factors": factors},
            result,
            (width, ceil_div(groups, width), 1),
            epilogue=node.epilogue,
        )
    )
