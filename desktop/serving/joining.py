"""Test whether requests may be batched, by running rows of noise beside several neighbors.

The result of a row must depend on neither its position nor its neighbors; both runs are of one session, whose
order of summation is the same. A row computed alone is compared far more loosely, since its session may have
other kernels, whose order a deep network in half precision amplifies to hundredths.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

import numpy as np

from desktop.serving.tensors import Arrays

Run = Callable[[Arrays], Arrays]

_TOLERANCE: Final = 1e-3
"""Relative to the largest value of an output. Rows that influence each other differ by far more."""
_HALF_TOLERANCE: Final = 5e-2
"""Tolerance between a row alone and beside another one, if tensors or outputs are float16."""


def batching_obstacle(
    run_two: Run, run_one: Run, rows: tuple[Arrays, Arrays, Arrays], *, is_half: bool
) -> str:
    """Return why requests cannot be batched, as part of a sentence; '' if they can.

    `run_two` and `run_one` run the network for two rows and for one, `rows` are three different rows of shape
    (1, ...). Raises LightloomError if the network failed.
    """
    first, second, third = rows
    beside = [
        (run_two(_pair(first, second)), 0),
        (run_two(_pair(second, first)), 1),
        (run_two(_pair(first, third)), 0),
        (run_two(_pair(third, first)), 1),
    ]
    alone = run_one(first)
    for name, array in alone.items():
        two = (2, *array.shape[1:])
        if array.shape[:1] != (1,) or any(outputs[name].shape != two for outputs, _ in beside):
            return f"the output '{name}' has not a row for each row of the inputs"
        found = [outputs[name][at] for outputs, at in beside]
        if any(not _same(each, found[0], _TOLERANCE) for each in found[1:]):
            return f"rows of the output '{name}' depend on the rows beside them"
        tolerance = _HALF_TOLERANCE if is_half or array.dtype == np.float16 else _TOLERANCE
        if not _same(found[0], array[0], tolerance):
            return f"the output '{name}' has other numbers for two rows than for one"
    return ""


def _pair(first: Mapping[str, np.ndarray], second: Mapping[str, np.ndarray]) -> Arrays:
    return {name: np.concatenate([array, second[name]]) for name, array in first.items()}


def _same(found: np.ndarray, wanted: np.ndarray, tolerance: float) -> bool:
    wanted = wanted.astype(np.float64)
    finite = wanted[np.isfinite(wanted)]
    scale = float(np.abs(finite).max()) if finite.size else 0.0
    return np.allclose(found.astype(np.float64), wanted, tolerance, tolerance * scale, equal_nan=True)
