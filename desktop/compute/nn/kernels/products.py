"""Matrix products of computed tensors: batches, strides (transposes cost nothing), any element type.

With constant weights a 1x1 convolution (`matrix.py`) is faster, as weights are packed in advance.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from desktop.compute.nn.ir.graph import Detail, Node
from desktop.compute.nn.ir.scalar import element_type
from desktop.compute.nn.kernels.indexing import finish, unfused
from desktop.compute.nn.kernels.rows import as_rows, is_of_rows
from desktop.compute.nn.kernels.tiles import Square, choose_square, other_squares, share_square, square_groups
from desktop.compute.nn.lowering.launch import Kernel, Launch
from desktop.compute.nn.lowering.lowering import Lowering
from desktop.compute.nn.lowering.plan import BYTES, NCHW, Operand
from desktop.compute.nn.lowering.target import Target
from desktop.compute.nn.lowering.workgroups import ceil_div, spread


@dataclass(frozen=True)
class Orders(Detail):
    """Orders of the dimensions of a product's factors, as of a Transpose; () leaves a factor as it is."""

    left: tuple[int, ...] = ()
    right: tuple[int, ...] = ()

    def shapes(self, left: Sequence[int], right: Sequence[int]) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Return the shapes of the factors of tensors with these shapes."""
        return ordered(left, self.left), ordered(right, self.right)


def ordered(numbers: Sequence[int], order: Sequence[int]) -> tuple[int, ...]:
    """Return a number for each dimension in the order of a factor."""
    return tuple(numbers[i] for i in order) if order else tuple(numbers)


@dataclass(frozen=True)
class MatrixOperand:
    """One operand of a product.

    Attributes:
        operand: memory of any layout.
        row, column: steps in numbers along the matrix's rows and columns.
        batch: steps along the batch's dimensions, 0 where it is stretched.
        first: the first number.
        load: WGSL of a number at `at`; `i` is its row (left factor) or column (right factor).
    """

    operand: Operand
    row: int
    column: int
    batch: tuple[int, ...]
    load: str
    first: int = 0


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
    if transposed:
        own, steps = (*own[:-2], own[-1], own[-2]), [*steps[:-2], steps[-1], steps[-2]]
    return strided(operand, own, steps, batch, load)


def strided(
    operand: Operand, shape: Sequence[int], steps: Sequence[int], batch: Sequence[int], load: str
) -> MatrixOperand:
    """Return a factor of `shape` with these steps along its dimensions, stretched to `batch`."""
    missing = (0,) * (len(batch) - len(shape) + 2)
    own = (0 if n == 1 else step for n, step in zip(shape[:-2], steps[:-2], strict=True))
    row, column = steps[-2:]
    return MatrixOperand(operand, row, column, (*missing, *own), load, operand.start * 4)


def multiply_and_finish(
    lowering: Lowering, node: Node, left: MatrixOperand, right: MatrixOperand, product: MatrixProduct
) -> None:
    """Add the dispatches of a product of floats into output 0 of `node`, with the node's epilogue.

    Few tiles of a great depth share it between workgroups; what adds their sums applies the epilogue.
    """
    target, m, n = lowering.target, product.m, product.n
    side = choose_square(m, n, target).side
    shares = share_square(side, math.prod(product.batch), m, n, product.k, target)
    if shares == 1:
        rows = unfused(lowering, node)
        multiply(lowering, node.name, left, right, rows, product)
        finish(lowering, node, rows)
        return
    result = lowering.values.result(node.outputs[0])
    storage = lowering.memory.reserve(shares * math.prod(result.shape) * BYTES["float32"])
    sums = Operand(storage, (shares * result.batch, *result.shape[1:]), "float32", NCHW)
    multiply(lowering, node.name, left, right, sums, replace(product, done="Element(v)"), shares=shares)
    if result.layout == NCHW and result.shape[-1] % 4 == 0 and is_of_rows(node, lowering.graph):
        sums, result = as_rows(sums), as_rows(result)
    width, lines = spread(result.pixels * result.blocks)
    numbers = {
        "SHARES": shares,
        "PIXELS": result.pixels,
        "BLOCKS": result.blocks,
        "WIDTH": width * 64,
        "BIASED": 0,
    }
    kernel = Kernel("sum_shares", numbers)
    groups = (width, lines, 1)
    lowering.dispatch(Launch(node.name, kernel, {"x": sums}, result, groups, epilogue=node.epilogue))


def multiply(
    lowering: Lowering,
    name: str,
    left: MatrixOperand,
    right: MatrixOperand,
    result: Operand,
    product: MatrixProduct,
    extra: Mapping[str, Operand] | None = None,
    code: str = "",
    shares: int = 1,
) -> None:
    """Add the dispatch into row-major `result`; expressions may use operands `extra` and WGSL `code`.

    `shares`: workgroups that share the depth; each writes a product of its own.
    """
    batches = math.prod(product.batch)
    target = lowering.target
    key = _key(left, right, result, product, target)

    def others() -> list[Square]:
        squares = other_squares(batches * shares, product.m, product.n, target)
        return [each for each in squares if each.side or shares == 1]

    decision = lowering.decide(
        key if shares == 1 else f"{key} shares {shares}",
        choose_square(product.m, product.n, target),
        others,
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
        "A_FIRST": left.first,
        "B_FIRST": right.first,
        # Threads side by side read numbers side by side.
        "A_ACROSS": int(left.row == 1),
        "B_ACROSS": int(right.row != 1),
        "BATCH": len(product.batch),
        "SHARED": int(shares > 1),
        "BATCHES": batches,
        "PART": ceil_div(ceil_div(product.k, 16), shares) * 16,
    }
    for at, axis in enumerate(reversed(range(len(product.batch)))):
        numbers |= {
            f"BATCH_SIZE_{at}": product.batch[axis],
            f"A_BATCH_{at}": left.batch[axis],
            f"B_BATCH_{at}": right.batch[axis],
        }
    groups = square_groups(side, batches * shares, product.m, product.n) if side else (width, rows, 1)
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
