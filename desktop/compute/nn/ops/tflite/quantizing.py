"""Between real and quantized numbers, and from one type to another."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from desktop.compute.nn.ir.onnx_types import code_of
from desktop.compute.nn.ops.tflite.spelling import Spelling


def _quantize(s: Spelling) -> None:
    source, grid = s.grid(0), s.out_grid()
    if source is not None and grid is not None:
        s.give(s.regridded(s.integer_input(0), source, grid))
    else:
        s.give_real(s.real(0))


def _dequantize(s: Spelling) -> None:
    s.give(s.real(0))


def _densify(s: Spelling) -> None:
    s.give(s.input(0))  # the front end has read it as a dense tensor


def _cast(s: Spelling) -> None:
    """Of stored numbers, whatever they stand for."""
    name, grid, to = s.input(0), s.grid(0), s.option("dtypes")[0]
    if grid is not None and s.known(0) is None:
        name = s.add("Add", name, s.constant(float(grid.zero), "float32"))
    if s.out_grid() is not None:
        s.give(s.add("Cast", name, to=code_of("float32")))
        return
    s.give(s.add("Cast", name, to=code_of(to)))


OPERATORS: Final[dict[str, Callable[[Spelling], None]]] = {
    "QUANTIZE": _quantize,
    "DEQUANTIZE": _dequantize,
    "DENSIFY": _densify,
    "CAST": _cast,
}
