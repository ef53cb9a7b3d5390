"""Matrix products of computed tensors: batches, strides (transposes cost nothing), any element type.

With constant weights a 1x1 convolution (`matrix.py`) is faster, as weights are packed in advance.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from desktop.compute.nn.ir.scalar import element_type
from desktop.compute.nn.kernels.tiles import choose_square, other_squares, square_groups
from desktop.compute.nn.lowering.launch import Kernel, Launch
from desktop.compute.nn.lowering.lowering import Lowering
from desktop.compute.nn.lowering.plan import Operand
from desktop.compute.nn.lowering.target import Target
from desktop.compute.nn.lowering.workgroups import spread


@dataclass(frozen=True)
class MatrixOperand:
    """One operand of a product.

    Attributes:
        operand: row-major memory.
        row, column: steps in numbers along the matrix's rows and columns.
        batch: steps along the batch's dimensions, 0 where it is stretched.
        load: WGSL of a number at `at`; `i` is its row (left factor) or column (right factor).
    """

    operand: Operand
    row: int
    column: int
    batch: tuple[int, ...]
    load: str


@dataclass(frozen=True)
class MatrixProduct:
    """A product of (batch, m, k) by (batch, k, n), with numbers and sums of the WGSL type `number`.

    `done`: WGSL expression of what is stored of a sum `v` at `batch`, `i`, `j`.
    """

    batch: tuple[int, ...]
    m: int
    n: int
    k: int
    number: str = "f32"
    done: str = "Element(v)"


def row_major(
    operand: Operand,
    batch: Sequence[int],
    load: str,
    *,
    transposed: bool = False,
    shape: Sequence[int] | None = None,
) -> MatrixOperand:
    """Return a row-major factor (..., rows, columns), stretched to `batch`; `shape`: another view of it."""
    own = tuple(operand.shape if shape is None else shape)
    steps = [math.prod(own[i + 1 :]) for i in range(len(own))]
    outer = (1,) * (len(batch) - len(own) + 2) + own[:-2]
    outer_steps = [0] * (len(batch) - len(own) + 2) + steps[:-2]
    batch_steps = tuple(0 if n == 1 else step for n, step in zip(outer, outer_steps, strict=True))
    row, column = steps[-2:]
    return MatrixOperand(
        operand, column if transposed else row, row if transposed else column, batch_steps, load
    )


def multiply(
    lowering: Lowering,
    name: str,
    left: MatrixOperand,
    right: MatrixOperand,
    result: Operand,
    product: MatrixProduct,
    extra: Mapping[str, Operand] | None = None,
    code: str = "",
) -> None:
    """Add the dispatch into row-major `result`; expressions may use operands `extra` and WGSL `code`."""
    batches = math.prod(product.batch)
    target = lowering.target
    decision = lowering.decide(
        _key(left, right, result, product, target),
        choose_square(product.m, product.n, target),
        lambda: other_squares(batches, product.m, product.n, target),
        exact=product.number != "f32",
    )
    side = decision.chosen.side
    count = batches * product.m * product.n
    width, rows = spread(count)
    numbers = {
        "M": product.m,
        "N": product.n,
        "K": product.k,
        "COUNT": count,
        "WIDTH": width * 64,
        "TILED": int(side > 0),
        "SIDE": side,
        "A_ROW": left.row,
        "A_COLUMN": left.column,
        "B_ROW": right.row,
        "B_COLUMN": right.column,
        "BATCH": len(product.batch),
    }
    for at, axis in enumerate(reversed(range(len(product.batch)))):
        numbers |= {
            f"BATCH_SIZE_{at}": product.batch[axis],
            f"A_BATCH_{at}": left.batch[axis],
            f"B_BATCH_{at}": right.batch[axis],
        }
    groups = square_groups(side, batches, product.m, product.n) if side else (width, rows, 1)
    functions = f"""alias Number = {product.number};
fn load_a(at: u32, i: u32) -> Number {{ return {left.load}; }}
fn load_b(at: u32, i: u32) -> Number {{ return {right.load}; }}
fn done(v: Number, batch: u32, i: u32, j: u32) -> {element_type(result.dtype)} {{ return {product.done}; }}"""
    lowering.dispatch(
        Launch(
            name,
            Kernel("matmul", numbers, code=f"{code}\n{functions}", raw=True, own_indices=True),
            {"a": left.operand, "b": right.operand, **(extra or {})},
            result,
            groups,
            decision=decision,
        )
    )


def _key(
    left: MatrixOperand, right: MatrixOperand, result: Operand, product: MatrixProduct, target: Target
) -> str:
    batch = "x".join(map(str, product.batch)) or "1"
    factors = " by ".join(
        f"{factor.operand.dtype} steps {factor.row},{factor.column},{','.join(map(str, factor.batch))}"
        for factor in (left, right)
    )
    return f"matmul {target.dtype} {product.number} {batch} of {product.m}x{product.k}x{product.n} {factors} to {result.dtype}"
