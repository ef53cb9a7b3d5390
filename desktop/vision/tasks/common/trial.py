"""An image for a trial run, whose result determines what the network's file does not state."""

from __future__ import annotations

import numpy as np

from desktop.base.errors import ModelError
from desktop.base.wording import sentence
from desktop.vision.models.preprocess import BYTE_TYPES, Preprocess
from desktop.vision.models.verification import synthetic_picture


def trial_picture(given: Preprocess) -> np.ndarray:
    """Return a fixed synthetic image of an input's size, R'G'B' in 0..1, shape (height, width, 3)."""
    return synthetic_picture(given.height, given.width, np.random.default_rng(0))


def input_array(given: Preprocess) -> np.ndarray:
    """Return the trial image as a network takes it, of `given.shape` and dtype."""
    rows = np.asarray(given.rows)
    values = trial_picture(given) @ rows[:, :3].T + rows[:, 3]
    values = values if given.layout == "NHWC" else np.moveaxis(values, -1, 0)
    if given.dtype in BYTE_TYPES:
        values = np.rint(values)
    return np.ascontiguousarray(values[None]).astype(given.dtype)


def extremes(values: np.ndarray, name: str, *, spared: float = 0.0) -> tuple[float, float]:
    """Return the least and greatest value less a share at either end; raise ModelError if none is finite."""
    finite = values[np.isfinite(values)]
    if not finite.size:
        raise ModelError(sentence("{name} gives no numbers for an image; choose another network.", name=name))
    low, high = np.quantile(finite, (spared, 1.0 - spared))
    return float(low), float(high)
