"""Preprocessing on the CPU, for images that come without a GPU; the arithmetic is that of `GpuPreprocessor`."""

from __future__ import annotations

import numpy as np

from desktop.pipeline.running.inputs.gpu_preprocess import filter_taps
from desktop.vision.models.preprocess import Preprocess

_WHOLE = {"uint8": 0.0, "int32": 0.0, "int8": -128.0}
"""Smallest value of the types that are rounded; the largest is 255 above it."""
_ZERO_TENSOR = -1.5
"""`Preprocess.surroundings` below this: the tensor is 0 around the image; others below 0: its edge is repeated."""


def prepare_image(plan: Preprocess, rgb: np.ndarray) -> np.ndarray:
    """Return the input tensor for gamma-coded R'G'B' of uint8 [height, width, 3], in the plan's shape and type."""
    height, width, _ = rgb.shape
    box = plan.box(width, height)
    # Rows first: there are fewer samples for the columns then, and the order changes nothing else.
    rows = filter_taps(box.target_height, box.y, box.height, height, plan.interpolation)
    columns = filter_taps(box.target_width, box.x, box.width, width, plan.interpolation)
    lines = _filtered(rgb, *rows) / np.float32(255)
    inner = _filtered(lines.transpose(1, 0, 2), *columns).transpose(1, 0, 2)
    matrix = np.array(plan.rows, np.float32)
    around = (
        (box.target_y, plan.height - box.target_y - box.target_height),
        (box.target_x, plan.width - box.target_x - box.target_width),
        (0, 0),
    )
    gray = plan.surroundings
    if gray >= 0:
        inner = np.pad(inner, around, constant_values=gray)
    elif gray > _ZERO_TENSOR:
        inner = np.pad(inner, around, "edge")
    values = inner @ matrix[:, :3].T + matrix[:, 3]
    if gray <= _ZERO_TENSOR:
        values = np.pad(values, around)
    if plan.layout == "NCHW":
        values = values.transpose(2, 0, 1)
    least = _WHOLE.get(plan.dtype)
    if least is not None:
        values = np.clip(np.rint(values), least, least + 255)
    return np.ascontiguousarray(values[None], dtype=plan.dtype)


def _filtered(lines: np.ndarray, first: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Return weighted sums of lines along the first axis, float32."""
    total = np.zeros((len(first), *lines.shape[1:]), np.float32)
    for number in range(weights.shape[1]):
        total += lines[first + number] * weights[:, number, None, None].astype(np.float32)
    return total
