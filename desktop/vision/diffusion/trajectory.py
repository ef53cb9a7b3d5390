"""The trajectory from noise to an image as plain numbers, which every scheduler makes before the first step.

Each step is linear in the sample, the output, the denoised samples (now and up to three before) and noise, so
a scheduler returns coefficients and one function takes all steps (on a GPU they are a uniform). Not stateful
objects as in diffusers: they cannot be inspected before they run nor started in the middle.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np

from desktop.base.errors import UsageError
from desktop.base.wording import sentence
from desktop.vision.diffusion.schedule import EPSILON, V_PREDICTION, ScheduleSettings

PAST: Final = 3
Past = tuple[np.ndarray, ...]
"""Denoised samples of the last kept steps, newest first, at most PAST."""


@dataclass(frozen=True, kw_only=True)
class Step:
    """One step: x is the sample, o the network's output, p, q, r the last kept denoised samples, n noise.

        d = denoised_sample * x + denoised_output * o, within -clip..clip if clip > 0
        the next sample = sample * x + output * o + denoised * d + previous * p + second * q + third * r + noise * n

    Attributes:
        timestep: input of the network, with `input_scale * x`; may be fractional.
        noise: if 0, no noise is drawn.
        kept: later steps may use this step's denoised sample.
    """

    timestep: float
    input_scale: float = 1.0
    denoised_sample: float
    denoised_output: float
    clip: float = 0.0
    sample: float = 0.0
    output: float = 0.0
    denoised: float = 0.0
    previous: float = 0.0
    second: float = 0.0
    third: float = 0.0
    noise: float = 0.0
    kept: bool = True


@dataclass(frozen=True)
class Trajectory:
    """All steps, and factors of the first sample: of noise (`alone`), or of an image's latents and noise."""

    alone: float
    from_picture: float
    from_noise: float
    steps: tuple[Step, ...]


def shortened(steps: int, strength: float) -> int:
    """Return the number of steps skipped for a strength from 0 to 1; raise UsageError if none is left."""
    taken = min(int(steps * strength), steps)
    if taken < 1:
        raise UsageError(
            sentence(
                "A strength of {strength:g} leaves none of {steps} steps; choose a strength of {least:g} "
                "or more steps.",
                strength=strength,
                steps=steps,
                least=1 / steps,
            )
        )
    return steps - taken


def denoising(prediction: str, signal: float, noise: float) -> tuple[float, float]:
    """Return the factors of sample and output in the denoised image of `signal * image + noise * normal`."""
    if prediction == EPSILON:
        return 1 / signal, -noise / signal
    if prediction == V_PREDICTION:
        return signal, -noise
    return 0.0, 1.0


def noise_of(prediction: str, signal: float, noise: float) -> tuple[float, float]:
    """Return the factors of sample and output in the noise, see `denoising`."""
    if prediction == EPSILON:
        return 0.0, 1.0
    if prediction == V_PREDICTION:
        return noise, signal
    return 1 / noise, -signal / noise


def advance(
    step: Step,
    sample: np.ndarray,
    output: np.ndarray,
    past: Past,
    noise: Callable[[], np.ndarray],
) -> tuple[np.ndarray, Past]:
    """Take a step; return the next sample, float32, and the denoised samples up to now.

    `past` is the second result of the previous step, empty before the first; `noise` draws normal noise of
    the sample's shape and is called only if needed.
    """
    denoised = _sum((step.denoised_sample, sample), (step.denoised_output, output))
    if step.clip > 0:
        denoised = np.clip(denoised, -np.float32(step.clip), np.float32(step.clip))
    following = _sum((step.sample, sample), (step.output, output), (step.denoised, denoised))
    for factor, earlier in zip((step.previous, step.second, step.third), past, strict=False):
        if factor != 0.0:
            following += np.float32(factor) * earlier
    if step.noise != 0.0:
        following += np.float32(step.noise) * noise()
    return following, (denoised, *past[: PAST - 1]) if step.kept else past


def _sum(*terms: tuple[float, np.ndarray]) -> np.ndarray:
    total = np.zeros_like(terms[0][1])
    for factor, array in terms:
        if factor != 0.0:  # 0 times infinity is no 0
            total += np.float32(factor) * array
    return total


@dataclass(frozen=True, kw_only=True)
class Scheduler:
    """A sampler; a file in `schedulers/` defines it as SCHEDULER.

    Attributes:
        name: on the command line; never changes.
        source: the paper.
        classes: diffusers' names of it, as in `model_index.json` and `scheduler_config.json`.
        defaults: diffusers' values for settings that a folder does not state.
        clips: it supports `clip_sample`.
        plan: makes the trajectory from settings, a number of steps, and a strength (1 from noise alone; less
            keeps an image's broad shapes). Raises UsageError for an invalid number of steps.
    """

    name: str
    title: str
    source: str
    classes: tuple[str, ...]
    defaults: ScheduleSettings
    clips: bool = False
    usual_steps: int = 25
    plan: Callable[[ScheduleSettings, int, float], Trajectory]
