"""Verify a session: compare its outputs with onnxruntime's on the CPU, on random numbers and on images."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from desktop.base.errors import ModelError, ModelUnsupportedError
from desktop.compute.nn.session import Session, TensorInfo
from desktop.vision.models.facts import ModelFacts
from desktop.vision.models.preprocess import BYTE_TYPES, Preprocess

LIMITS: Final = {"fp32": 1e-3, "int8": 1e-3, "fp16": 2e-2}
"""Largest relative error by precision (norm of the difference over norm of the reference)."""

QUANTIZED_SHARE: Final = 3.0
"""Allowed error of a quantized network, as a multiple of that of onnxruntime's own kernels."""
_MEASURING_RUNS: Final = 4
"""Minimum inputs of each kind for measuring it: single ones differ by a factor of three."""
_INTEGERS: Final = (9, 3, 1, 0)
"""Largest integers to draw: the next one if the reference fails, as it does for indices beyond an axis."""

Feeds = dict[str, np.ndarray]


@dataclass(frozen=True)
class OutputError:
    """Error of an output against the reference on 'random' inputs or a 'picture', over all runs.

    `relative` is the norm of the difference over the reference's, at most `limit`; infinite if shapes or NaN
    differ. `maximum` and `mean` are of the absolute difference.
    """

    kind: str
    output: str
    maximum: float
    mean: float
    relative: float
    limit: float

    @property
    def passed(self) -> bool:
        """True if `relative` is within the limit."""
        return self.relative <= self.limit


# -- inputs --------------------------------------------------------------------------------------------------


def random_input(info: TensorInfo, generator: np.random.Generator, most: int = _INTEGERS[0]) -> np.ndarray:
    """Return random input: normal floats, bytes over their range, other integers to `most`, or bools."""
    if info.dtype in ("float32", "float16", "float64"):
        return np.asarray(generator.standard_normal(info.shape)).astype(info.dtype)
    if info.dtype == "bool":
        return np.asarray(generator.integers(0, 2, info.shape)).astype(bool)
    limits = np.iinfo(info.dtype)
    low, high = (limits.min, limits.max) if limits.bits == 8 else (0, most)
    return np.asarray(generator.integers(low, high, info.shape, endpoint=True)).astype(info.dtype)


def synthetic_picture(height: int, width: int, generator: np.random.Generator) -> np.ndarray:
    """Return 1/f noise, as in photographs (Field 1987): R'G'B' in 0..1, shape (height, width, 3)."""
    fy, fx = np.fft.fftfreq(height)[:, None], np.fft.rfftfreq(width)[None, :]
    frequency = np.hypot(fy, fx)
    frequency[0, 0] = np.inf  # no mean of its own

    def layer() -> np.ndarray:
        phase = np.exp(2j * np.pi * generator.random(frequency.shape))
        field = np.fft.irfft2(phase / frequency, (height, width))
        return np.asarray(field / max(float(field.std()), 1e-12))

    gray = layer()
    return np.stack([np.clip(0.45 + 0.2 * gray + 0.05 * layer(), 0, 1) for _ in range(3)], axis=-1)


def picture_input(
    info: TensorInfo,
    facts: ModelFacts | None,
    generator: np.random.Generator,
    most: int = _INTEGERS[0],
) -> np.ndarray:
    """Return a synthetic image in the network's input format, in the range from `Preprocess.infer`.

    Other inputs get 1/f noise of mean 0 and deviation 1 if they are float, and `random_input` otherwise.
    """
    plan = None
    if facts is not None and info.name == facts.input_name:
        try:
            plan, _ = Preprocess.infer(replace(facts, input_shape=info.shape))
        except ModelUnsupportedError:
            plan = None
    if plan is not None:
        rgb = synthetic_picture(plan.height, plan.width, generator)
        rows = np.asarray(plan.rows)
        values = rgb @ rows[:, :3].T + rows[:, 3]
        values = values if plan.layout == "NHWC" else np.moveaxis(values, -1, 0)
        rounded = np.rint(values) if plan.dtype in BYTE_TYPES else values
        return np.ascontiguousarray(rounded[None]).astype(info.dtype)
    if len(info.shape) < 2 or not info.dtype.startswith("float") or 0 in info.shape:
        return random_input(info, generator, most)
    height, width = info.shape[-2:]
    planes = [
        (synthetic_picture(height, width, generator)[..., 0] - 0.45) / 0.2
        for _ in range(int(np.prod(info.shape[:-2])))
    ]
    return np.reshape(planes, info.shape).astype(info.dtype)


# -- comparison ----------------------------------------------------------------------------------------------


def verify(
    session: Session,
    reference: Session,
    facts: ModelFacts | None,
    *,
    peer: Session | None = None,
    runs: int = 2,
    seed: int = 0,
    check: Callable[[], None] = lambda: None,
) -> tuple[OutputError, ...]:
    """Compare each output on `runs` random inputs and on `runs` images, the same for the same seed.

    A quantized network turns a rounding error into a step that later layers spread, so its bound is
    `QUANTIZED_SHARE` times the error of `peer`, another correct engine, on at least four inputs of each kind.
    `check` is called between runs and may raise. Raises ModelError if an engine fails.
    """
    generator = np.random.default_rng(seed)
    limit = max(LIMITS[session.precision], LIMITS[reference.precision])
    makers: Mapping[str, Callable[[TensorInfo, int], np.ndarray]] = {
        "random": lambda info, most: random_input(info, generator, most),
        "picture": lambda info, most: picture_input(info, facts, generator, most),
    }
    found: list[OutputError] = []
    for kind, make in makers.items():
        given: list[Feeds] = []
        wanted: list[Feeds] = []
        for _ in range(runs if peer is None else max(runs, _MEASURING_RUNS)):
            check()
            feeds, outputs = _accepted(session.inputs, make, reference)
            given.append(feeds)
            wanted.append(outputs)
        gotten = [session.run(feeds) for feeds in given[:runs]]
        others = [] if peer is None else [peer.run(feeds) for feeds in given]
        for info in reference.outputs:
            want = [outputs[info.name] for outputs in wanted]
            off = difference([outputs.get(info.name) for outputs in gotten], want[:runs])
            bound = limit
            if others:
                bound = max(limit, QUANTIZED_SHARE * difference([o.get(info.name) for o in others], want)[2])
            found.append(OutputError(kind, info.name, *off, bound))
    return tuple(found)


def _accepted(
    inputs: Sequence[TensorInfo], make: Callable[[TensorInfo, int], np.ndarray], reference: Session
) -> tuple[Feeds, Feeds]:
    """Return inputs that the reference accepts, and its results; raise ModelError if it accepts none."""
    *most, least = _INTEGERS
    has_integers = any(info.dtype.startswith(("int", "uint")) for info in inputs)
    for high in most if has_integers else ():
        feeds = {info.name: make(info, high) for info in inputs}
        with contextlib.suppress(ModelError):
            return feeds, reference.run(feeds)
    feeds = {info.name: make(info, least if has_integers else _INTEGERS[0]) for info in inputs}
    return feeds, reference.run(feeds)


def difference(got: Sequence[np.ndarray | None], want: Sequence[np.ndarray]) -> tuple[float, float, float]:
    """Return maximum and mean absolute difference and relative error (by the norm of `want`) of all runs."""
    if any(g is None or g.shape != w.shape for g, w in zip(got, want, strict=True)):
        return float("inf"), float("inf"), float("inf")
    a = np.concatenate([np.asarray(g, np.float64).reshape(-1) for g in got])
    b = np.concatenate([np.asarray(w, np.float64).reshape(-1) for w in want])
    if not a.size:
        return 0.0, 0.0, 0.0
    # The same infinity or NaN on both sides is no error.
    same = (a == b) | (np.isnan(a) & np.isnan(b))
    a, b = np.where(same, 0.0, a), np.where(same & ~np.isfinite(b), 0.0, b)
    a = np.where(same, b, a)
    difference = np.abs(a - b)
    if not np.isfinite(difference).all():
        return float("inf"), float("inf"), float("inf")
    norm, off = float(np.linalg.norm(b)), float(np.linalg.norm(difference))
    relative = off / norm if norm else (0.0 if off == 0 else float("inf"))
    return float(difference.max()), float(difference.mean()), relative
