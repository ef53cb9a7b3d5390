"""General convolution and pooling: row-major tensors, any number of dimensions, a thread an output.

For computed weights, many groups, integers, 3D pools and indices of maxima; common layers have fast kernels.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from desktop.compute.nn.ir.scalar import element_type
from desktop.compute.nn.kernels.window import WindowAxis
from desktop.compute.nn.lowering.functions import functions_in
from desktop.compute.nn.lowering.launch import Kernel, Launch
from desktop.compute.nn.lowering.lowering import Lowering
from desktop.compute.nn.lowering.plan import Operand
from desktop.compute.nn.lowering.workgroups import spread


def window_numbers(axes: Sequence[WindowAxis]) -> dict[str, int]:
    """The constants of the kernels; dimension 0 is the one that runs fastest."""
    numbers = {
        "RANK": len(axes),
        "TAPS": math.prod(a.kernel for a in axes),
        "PLANE": math.prod(a.size for a in axes),
    }
    for at, axis in enumerate(reversed(axes)):
        numbers |= {
            f"OUT_{at}": axis.output,
            f"IN_{at}": axis.size,
            f"KERNEL_{at}": axis.kernel,
            f"STRIDE_{at}": axis.stride,
            f"DILATION_{at}": axis.dilation,
            f"PAD_{at}": axis.before % 2**32,  # read as i32
            f"END_{at}": axis.size + axis.after,
        }
    return numbers


@dataclass(frozen=True)
class Arithmetic:
    """Arithmetic of a general convolution in WGSL, with products and sums of the type `number`.

    `load_x`, `load_w`: the number at address `at` for output `channel`; `done`: what is stored of a sum `v`.
    """

    number: str
    load_x: str
    load_w: str
    done: str


def convolve_direct(
    lowering: Lowering,
    name: str,
    reads: Mapping[str, Operand],
    result: Operand,
    axes: Sequence[WindowAxis],
    group: int,
    arithmetic: Arithmetic,
    *,
    transposed: bool = False,
) -> None:
    """Add the dispatch of a convolution of row-major `x` by `w`, both in `reads`, into row-major `result`.

    `transposed`: for ConvTranspose; `before` of an axis is then what is cut from the result.
    """
    channels_in, channels_out = reads["x"].shape[1], result.shape[1]
    count = math.prod(result.shape)
    width, rows = spread(count)
    numbers = {
        **window_numbers(axes),
        "COUNT": count,
        "WIDTH": width * 64,
        "IN_CHANNELS": channels_in,
        "OUT_CHANNELS": channels_out,
        "GROUP_IN": channels_in // group,
        "GROUP_OUT": channels_out // group,
        "TRANSPOSED": int(transposed),
    }
    code = f"""alias Number = {arithmetic.number};
fn load_x(at: u32) -> Number {{ return {arithmetic.load_x}; }}
fn load_w(at: u32, channel: u32) -> Number {{ return {arithmetic.load_w}; }}
fn done(v: Number, channel: u32) -> {element_type(result.dtype)} {{ return {arithmetic.done}; }}"""
    lowering.dispatch(
        Launch(
            name,
            Kernel("conv_direct", numbers, code=code, raw=True, own_indices=True),
            reads,
            result,
            (width, rows, 1),
        )
    )


@dataclass(frozen=True)
class Pool:
    """Arithmetic of a general pool in WGSL, on a value `a` (`first` without elements) and an element `b`.

    Attributes:
        wins: whether `b` replaces `a`.
        load: an element at the address `at`.
        done: the result of `v` of `inside` elements, `padded` with padding, the last winner at `best`.
    """

    number: str
    first: str
    join: str
    wins: str
    load: str
    done: str


def pool_direct(
    lowering: Lowering,
    name: str,
    x: Operand,
    result: Operand,
    axes: Sequence[WindowAxis],
    pool: Pool,
    *,
    column_major: bool = False,
) -> None:
    """Add the dispatch of a pool; `column_major` counts places along the first spatial dimension first."""
    count = math.prod(result.shape)
    width, rows = spread(count)
    numbers = {**window_numbers(axes), "COUNT": count, "WIDTH": width * 64, "COLUMN_MAJOR": int(column_major)}
    code = f"""alias Number = {pool.number};
fn infinite(bits: u32) -> f32 {{
  var kept = bits; // not a constant expression, in which WGSL forbids infinities
  return bitcast<f32>(kept);
}}
fn first() -> Number {{ return {pool.first}; }}
fn join(a: Number, b: Number) -> Number {{ return {pool.join}; }}
fn wins(b: Number, a: Number) -> bool {{ return {pool.wins}; }}
fn load_x(at: u32) -> Number {{ return {pool.load}; }}
fn done(v: Number, inside: u32, padded: u32, best: u32) -> {element_type(result.dtype)} {{ return {pool.done}; }}"""
    code = f"{functions_in(code)}\n{code}"
    lowering.dispatch(
        Launch(
            name,
            Kernel("pool_direct", numbers, code=code, raw=True, own_indices=True),
            {"x": x},
            result,
            (width, rows, 1),
        )
    )
