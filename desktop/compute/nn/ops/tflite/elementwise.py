"""Element-wise operators; those of 8-bit numbers are tables of results by the reference's arithmetic."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any, Final

import numpy as np

from desktop.compute.nn.ir.fixed_point import Factor, clipped, divided, high_product, multiplied
from desktop.compute.nn.ir.grid import Grid
from desktop.compute.nn.lowering.operator import refuse_unless, require
from desktop.compute.nn.ops.tflite.spelling import (
    NONE,
    RELU,
    RELU6,
    RELU_N1_TO_1,
    Spelling,
)

Table = Callable[[np.ndarray], np.ndarray]


def _f64(number: np.floating[Any] | float) -> np.float64:
    return np.float64(number)


# -- of one tensor -------------------------------------------------------------------------------------------


def _unary(op: str, function: Table) -> Callable[[Spelling], None]:
    def spell(s: Spelling) -> None:
        if s.is_small(s.grid(0)) and s.is_small(s.out_grid()):
            s.by_table(function)
        else:
            s.give_real(s.add(op, s.real(0)))

    return spell


def _erf(x: np.ndarray) -> np.ndarray:
    return np.array([math.erf(float(v)) for v in x.reshape(-1)]).reshape(x.shape)


def _rsqrt(s: Spelling) -> None:
    if s.is_small(s.grid(0)) and s.is_small(s.out_grid()):
        s.by_table(lambda x: 1 / np.sqrt(np.maximum(x, np.float32(0))))
    else:
        s.give_real(s.add("Reciprocal", s.add("Sqrt", s.real(0))))


def _square(s: Spelling) -> None:
    x = s.real(0)
    s.give_real(s.add("Mul", x, x))


def _gelu(s: Spelling) -> None:
    is_approximate = bool(s.option("Approximate", False))
    if s.is_small(s.grid(0)) and s.is_small(s.out_grid()):
        if is_approximate:
            s.by_table(lambda x: 0.5 * x * (1 + np.tanh(0.7978845608 * (x + 0.044715 * x**3))))
        else:
            s.by_table(lambda x: 0.5 * x * (1 + _erf(x / math.sqrt(2))))
        return
    x = s.real(0)
    if is_approximate:
        cube = s.add("Mul", s.add("Mul", x, x), s.add("Mul", x, s.constant(0.044715, "float32")))
        inner = s.add("Mul", s.add("Add", x, cube), s.constant(0.7978845608, "float32"))
        bent = s.add("Add", s.add("Tanh", inner), s.constant(1.0, "float32"))
    else:
        bent = s.add(
            "Add",
            s.add("Erf", s.add("Mul", x, s.constant(math.sqrt(0.5), "float32"))),
            s.constant(1.0, "float32"),
        )
    s.give_real(s.add("Mul", s.add("Mul", x, bent), s.constant(0.5, "float32")))


def _relu(activation: int) -> Callable[[Spelling], None]:
    def spell(s: Spelling) -> None:
        source, grid = s.grid(0), s.out_grid()
        if source is None or grid is None or not s.is_small(source) or not s.is_small(grid):
            s.give_real(s.real(0), activation=activation)
            return
        bounded = s.bounded(grid, activation)
        factor = Factor.of(float(np.float32(source.scale / grid.scale)))
        results = clipped(multiplied(source.numbers, factor) + grid.zero, bounded)
        s.give(s.mapped(s.integer_input(0), source, results))

    return spell


def _relu_0_to_1(s: Spelling) -> None:
    bounds = (s.constant(n, "float32") for n in (0.0, 1.0))
    s.give_real(s.add("Clip", s.real(0), *bounds))


def _leaky_relu(s: Spelling) -> None:
    alpha, source, grid = float(s.option("Alpha", 0.0)), s.grid(0), s.out_grid()
    if source is None or grid is None or not s.is_small(source) or not s.is_small(grid):
        s.give_real(s.add("LeakyRelu", s.real(0), alpha=alpha))
        return
    numbers = source.numbers
    above = multiplied(numbers, Factor.of(float(source.scale / grid.scale)))
    below = _scaled(numbers, float(np.float32(source.scale * np.float32(alpha)) / grid.scale))
    results = clipped(np.where(numbers >= 0, above, below) + grid.zero, grid)
    s.give(s.mapped(s.integer_input(0), source, results))


def _scaled(numbers: np.ndarray, factor: float) -> np.ndarray:
    """Times a factor that may be negative."""
    found = multiplied(np.abs(numbers) if factor < 0 else numbers, Factor.of(abs(factor)))
    return -np.sign(numbers) * found if factor < 0 else found


def _prelu(s: Spelling) -> None:
    source, grid, slopes = s.grid(0), s.out_grid(), s.grid(1)
    if source is None or grid is None or slopes is None or not s.is_small(source):
        s.give_real(s.add("PRelu", s.real(0), s.real(1)))
        return
    a, b = source.numbers[:, None], slopes.numbers[None, :]
    above = multiplied(a, Factor.of(float(source.scale / grid.scale)))
    below = multiplied(a * b, Factor.of(float(np.float32(source.scale * slopes.scale) / grid.scale)))
    results = clipped(np.where(a >= 0, above, below) + grid.zero, grid)
    s.give(s.mapped_pair(s.integer_input(0), s.integer_input(1), source, slopes, results))


def _hard_swish(s: Spelling) -> None:
    source, grid = s.grid(0), s.out_grid()
    if source is None or grid is None or not s.is_small(source) or not s.is_small(grid):
        s.give_real(s.add("HardSwish", s.real(0)))
        return
    s.give(s.mapped(s.integer_input(0), source, hard_swish(source, grid)))


def hard_swish(source: Grid, grid: Grid) -> np.ndarray:
    """HardSwish of all numbers, in 16 bits: reference/hard_swish.h."""
    fine = np.float32(1.0 / 128.0) * source.scale
    to_output = Factor.of(float(np.float32(fine / grid.scale)))
    to_bend = Factor.of(float(np.float32(fine / np.float32(3.0 / 32768.0))))
    wide = source.numbers.astype(np.int64) * 128
    value = high_product(wide, _short(to_output), 15)
    bend = wide
    if to_bend.shift > 0:
        bend = _saturated(bend << (to_bend.shift - 1))
    bend = high_product(bend, _short(to_bend), 15)
    if to_bend.shift > 0:
        bend = _saturated(bend << 1)
    elif to_bend.shift < 0:
        bend = divided(bend, -to_bend.shift)
    bend = (bend + (1 << 15)) >> 1
    product = bend * value
    found = np.where(product >= 0, product >> 15, -(-product >> 15))
    return clipped(divided(found, max(-to_output.shift, 0)) + grid.zero, grid)


def _short(factor: Factor) -> int:
    """The multiplier in 16 bits (DownScaleInt32ToInt16Multiplier)."""
    return 32767 if factor.multiplier >= (1 << 31) - 1 - (1 << 15) else (factor.multiplier + (1 << 15)) >> 16


def _saturated(values: np.ndarray) -> np.ndarray:
    return np.clip(values, -32768, 32767)


# -- of two tensors ------------------------------------------------------------------------------------------


def _add(sign: int, op: str) -> Callable[[Spelling], None]:
    """Both operands on a finer grid, 2^20 times as fine as twice the coarser one."""

    def table(first: Grid, second: Grid, grid: Grid) -> np.ndarray:
        a, b, unit = _on_one_grid(first, second, 20)
        factor = Factor.of(float(unit / (_f64(1 << 20) * _f64(grid.scale))))
        return multiplied(a[:, None] + sign * b[None, :], factor)

    return partial(_binary, op=op, table=table)


def _on_one_grid(first: Grid, second: Grid, bits: int) -> tuple[np.ndarray, np.ndarray, np.float64]:
    unit = 2 * _f64(max(first.scale, second.scale))
    a = multiplied(first.numbers.astype(np.int64) << bits, Factor.of(float(_f64(first.scale) / unit)))
    b = multiplied(second.numbers.astype(np.int64) << bits, Factor.of(float(_f64(second.scale) / unit)))
    return a, b, unit


def _product_table(first: Grid, second: Grid, grid: Grid) -> np.ndarray:
    factor = np.float32(np.float32(first.scale * second.scale) / grid.scale)
    return multiplied(np.multiply.outer(first.numbers, second.numbers), Factor.of(float(factor)))


def _squared_difference_table(first: Grid, second: Grid, grid: Grid) -> np.ndarray:
    a, b, unit = _on_one_grid(first, second, 7)
    factor = Factor.of(float(unit * unit / (_f64(1 << 14) * _f64(grid.scale))))
    return multiplied((a[:, None] - b[None, :]) ** 2, factor)


def _real_table(
    function: Callable[[np.ndarray, np.ndarray], np.ndarray],
) -> Callable[[Grid, Grid, Grid], np.ndarray]:
    """Of a function of real numbers, rounded; kernels that have no such way are not more exact."""

    def table(first: Grid, second: Grid, grid: Grid) -> np.ndarray:
        a = (first.numbers * _f64(first.scale))[:, None]
        b = (second.numbers * _f64(second.scale))[None, :]
        with np.errstate(all="ignore"):
            found = np.nan_to_num(function(a, b) / _f64(grid.scale), nan=0.0, posinf=1e9, neginf=-1e9)
        return np.trunc(found + np.copysign(0.5, found)).astype(np.int64)

    return table


def _binary(s: Spelling, op: str, table: Callable[[Grid, Grid, Grid], np.ndarray]) -> None:
    first, second, grid = s.grid(0), s.grid(1), s.out_grid()
    activation = int(s.option("FusedActivationFunction", NONE))
    if first is None or second is None or grid is None or not all(map(s.is_small, (first, second, grid))):
        _plain(s, op, activation)
        return
    results = clipped(table(first, second, grid) + grid.zero, s.bounded(grid, activation))
    s.give(_pair(s, first, second, results))


def _pair(s: Spelling, first: Grid, second: Grid, results: np.ndarray) -> str:
    """A function of the two inputs; of one, where the other is a single constant."""
    for at, (grid, other) in enumerate(((first, second), (second, first))):
        constant = s.known(1 - at)
        if constant is not None and constant.size == 1 and len(s.shape(at)) >= constant.ndim:
            number = int(constant.reshape(-1)[0]) - other.zero - other.lowest
            row = results[:, number] if at == 0 else results[number]
            return s.mapped(s.integer_input(at), grid, row)
    a, b = s.integer_input(0), s.integer_input(1)
    shape = _broadcast(s)
    if shape not in (s.shape(0) if s.known(0) is None else (), s.shape(1) if s.known(1) is None else ()):
        a = s.add("Expand", a, s.int64(*shape))
    return s.mapped_pair(a, b, first, second, results)


def _broadcast(s: Spelling) -> tuple[int, ...]:
    try:
        return tuple(int(n) for n in np.broadcast_shapes(s.shape(0), s.shape(1)))
    except ValueError:
        require(False, s.node, f"inputs of shapes {s.shape(0)} and {s.shape(1)}")
        raise


def _plain(s: Spelling, op: str, activation: int) -> None:
    a, b = s.real(0), s.real(1)
    if s.grid(0) is None and s.dtype(0) != "float32" and s.dtype(0).startswith(("int", "uint")):
        found = _integer_division(s, a, b) if op == "Div" else s.add(op, a, b)
        s.give(s.add("Relu", found) if activation == RELU else found)
        return
    shape = _broadcast(s)
    if shape not in (s.shape(0) if s.known(0) is None else (), s.shape(1) if s.known(1) is None else ()):
        a = s.add("Expand", a, s.int64(*shape))  # the steps of an epilogue stretch one of two
    s.give_real(s.add(op, a, b), activation=activation)


def _integer_division(s: Spelling, a: str, b: str) -> str:
    return s.add("Div", a, b)


def _extreme(op: str, function: Callable[[np.ndarray, np.ndarray], np.ndarray]) -> Callable[[Spelling], None]:
    return partial(_binary, op=op, table=_real_table(function))


def _squared_difference(s: Spelling) -> None:
    grids = (s.grid(0), s.grid(1), s.out_grid())
    if all(map(s.is_small, grids)):
        _binary(s, "Sub", _squared_difference_table)
        return
    difference = s.add("Sub", s.real(0), s.real(1))
    s.give_real(s.add("Mul", difference, difference))


def _add_n(s: Spelling) -> None:
    found = s.real(0)
    for index in range(1, s.count):
        found = s.add("Add", found, s.real(index))
    s.give_real(found)


def _floor_div(s: Spelling) -> None:
    if s.dtype(0).startswith("float") or s.grid(0) is not None:
        s.give_real(s.add("Floor", s.add("Div", s.real(0), s.real(1))))
        return
    # (a - (a modulo b)) / b, for integers are divided toward zero; Mod has the sign of the divisor.
    a, b = s.input(0), s.input(1)
    s.give(s.add("Div", s.add("Sub", a, s.add("Mod", a, b, fmod=0)), b))


def _floor_mod(s: Spelling) -> None:
    if not s.dtype(0).startswith("float"):
        s.give(s.add("Mod", s.input(0), s.input(1), fmod=0))
        return
    a, b = s.real(0), s.real(1)
    s.give_real(s.add("Sub", a, s.add("Mul", b, s.add("Floor", s.add("Div", a, b)))))


def _pow(s: Spelling) -> None:
    s.give_real(s.add("Pow", s.real(0), s.real(1)))


def _atan2(s: Spelling) -> None:
    y, x = s.real(0), s.real(1)
    zero, pi = s.constant(0.0, "float32"), s.constant(math.pi, "float32")
    angle = s.add("Atan", s.add("Div", y, x))
    turn = s.add("Where", s.add("Less", y, zero), s.add("Neg", pi), pi)
    s.give_real(s.add("Where", s.add("Less", x, zero), s.add("Add", angle, turn), angle))


# -- truth values --------------------------------------------------------------------------------------------


def _compare(op: str) -> Callable[[Spelling], None]:
    def spell(s: Spelling) -> None:
        # On one grid integers compare as what they stand for.
        first, second = s.grid(0), s.grid(1)
        same = first is not None and second is not None and first.is_like(second)
        a, b = (s.integer_input(0), s.integer_input(1)) if same else (s.real(0), s.real(1))
        found = s.add("Equal" if op == "NotEqual" else op, a, b)
        s.give(s.add("Not", found) if op == "NotEqual" else found)

    return spell


def _logical(op: str) -> Callable[[Spelling], None]:
    def spell(s: Spelling) -> None:
        s.give(s.add(op, *(s.input(i) for i in range(s.count))))

    return spell


def _select(s: Spelling) -> None:
    """SELECT takes a condition of one dimension for rows; SELECT_V2 stretches as NumPy does."""
    condition, shape = s.input(0), s.shape(1)
    if s.option("by_row") and len(s.shape(0)) == 1 and len(shape) > 1:
        condition = s.add("Reshape", condition, s.int64(-1, *[1] * (len(shape) - 1)))
    grid = s.out_grid()
    if grid is None:
        s.give(s.add("Where", condition, s.real(1), s.real(2)))
        return
    chosen = []
    for index in (1, 2):
        source = s.grid(index)
        refuse_unless(source is not None, s.node, "a choice between numbers of two kinds")
        assert source is not None
        chosen.append(s.regridded(s.integer_input(index), source, grid))
    s.give(s.add("Where", condition, *chosen))


def _select_rows(s: Spelling) -> None:
    condition, shape = s.input(0), s.shape(1)
    if len(s.shape(0)) == 1 and len(shape) > 1 and s.out_grid() is None:
        condition = s.add("Reshape", condition, s.int64(-1, *[1] * (len(shape) - 1)))
        s.give(s.add("Where", condition, s.real(1), s.real(2)))
        return
    _select(s)


def _zeros_like(s: Spelling) -> None:
    if s.out_grid() is not None:
        s.give(s.constant(np.zeros(s.shape(0), np.float32)))
        return
    s.give(s.constant(np.zeros(s.shape(0), s.dtype(0))))


OPERATORS: Final[dict[str, Callable[[Spelling], None]]] = {
    "ABS": _unary("Abs", np.abs),
    "CEIL": _unary("Ceil", np.ceil),
    "COS": _unary("Cos", np.cos),
    "ELU": _unary("Elu", lambda x: np.where(x < 0, np.expm1(np.minimum(x, 0)), x)),
    "EXP": _unary("Exp", np.exp),
    "FLOOR": _unary("Floor", np.floor),
    "LOG": _unary("Log", np.log),
    "LOGISTIC": _unary("Sigmoid", lambda x: np.float32(1) / (np.float32(1) + np.exp(-x))),
    "NEG": _unary("Neg", np.negative),
    "ROUND": _unary("Round", np.rint),
    "RSQRT": _rsqrt,
    "SIGN": _unary("Sign", np.sign),
    "SIN": _unary("Sin", np.sin),
    "SQRT": _unary("Sqrt", np.sqrt),
    "SQUARE": _square,
    "TANH": _unary("Tanh", np.tanh),
    "GELU": _gelu,
    "RELU": _relu(RELU),
    "RELU6": _relu(RELU6),
    "RELU_N1_TO_1": _relu(RELU_N1_TO_1),
    "RELU_0_TO_1": _relu_0_to_1,
    "LEAKY_RELU": _leaky_relu,
    "PRELU": _prelu,
    "HARD_SWISH": _hard_swish,
    "ADD": _add(1, "Add"),
    "SUB": _add(-1, "Sub"),
    "MUL": partial(_binary, op="Mul", table=_product_table),
    "DIV": partial(_binary, op="Div", table=_real_table(np.divide)),
    "MAXIMUM": _extreme("Max", np.maximum),
    "MINIMUM": _extreme("Min", np.minimum),
    "SQUARED_DIFFERENCE": _squared_difference,
    "ADD_N": _add_n,
    "FLOOR_DIV": _floor_div,
    "FLOOR_MOD": _floor_mod,
    "POW": _pow,
    "ATAN2": _atan2,
    "EQUAL": _compare("Equal"),
    "NOT_EQUAL": _compare("NotEqual"),
    "GREATER": _compare("Greater"),
    "GREATER_EQUAL": _compare("GreaterOrEqual"),
    "LESS": _compare("Less"),
    "LESS_EQUAL": _compare("LessOrEqual"),
    "LOGICAL_AND": _logical("And"),
    "LOGICAL_OR": _logical("Or"),
    "LOGICAL_NOT": _logical("Not"),
    "SELECT": _select_rows,
    "SELECT_V2": _select,
    "ZEROS_LIKE": _zeros_like,
}
