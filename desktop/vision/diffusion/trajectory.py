"""The way from noise to an image as plain numbers: every scheduler here makes one, before the first step is taken.

Each step of each scheduler is linear in the sample, the network's output, what was denoised (now and up to three steps before) and fresh
noise. So a scheduler is a function that gives coefficients, and one function takes all steps; on a GPU the coefficients are a uniform.
Weighed: objects with a state that is stepped, as diffusers has them, which cannot be looked at before they run nor taken up in the middle.
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
"""What the last kept steps denoised, the newest first, at most PAST of them."""


@dataclass(frozen=True, kw_only=True)
class Step:
    """One step. With x the sample, o the network's output for `input_scale * x` at `timestep`, p, q and r what the kept
    steps one, two and three before denoised, n normal:

        d = denoised_sample * x + denoised_output * o, within -clip..clip where clip > 0
        the next sample = sample * x + output * o + denoised * d + previous * p + second * q + third * r + noise * n

    Attributes:
        timestep: what the network is told; may lie between whole ones.
        noise: 0 where none is added; then none is to be drawn.
        kept: later steps may look at what this one denoised.
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
    """All steps, and how they begin.

    Attributes:
        alone: factor of normal noise in the first sample where there is no image.
        from_picture, from_noise: factors of an image's latents and of normal noise where there is one.
        steps: at least one.
    """

    alone: float
    from_picture: float
    from_noise: float
    steps: tuple[Step, ...]


def shortened(steps: int, strength: float) -> int:
    """Return how many of the steps are left out where an image is changed by a strength from 0 to 1.

    Raises:
        UsageError: none would be left.
    """
    taken = min(int(steps * strength), steps)
    if taken < 1:
        raise UsageError(
            sentence(
                "A strength of {strength:g} leaves none of {steps} steps; choose a strength of {least:g} or more steps.",
                strength=strength,
                steps=steps,
                least=1 / steps,
            )
        )
    return steps - taken


def denoising(prediction: str, signal: float, noise: float) -> tuple[float, float]:
    """Return the factors of sample and output in the image that they stand for, for a sample `signal * picture + noise * normal`."""
    if prediction == EPSILON:
        return 1 / signal, -noise / signal
    if prediction == V_PREDICTION:
        return signal, -noise
    return 0.0, 1.0


def noise_of(prediction: str, signal: float, noise: float) -> tuple[float, float]:
    """Return the factors of sample and output in the noise that they stand for, see `denoising`."""
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
    """Take a step.

    Args:
        sample, output: float32 of one shape.
        past: what the step before returned; empty before the first.
        noise: draws normal noise of that shape; called where the step adds some.

    Returns:
        The next sample, float32, and what was denoised up to now.
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
    """One way from noise to an image; a file in `schedulers/` names it SCHEDULER.

    Attributes:
        name: what the command line calls it; it stays.
        title: what the window calls it.
        source: the paper.
        classes: diffusers' names of it, as `model_index.json` and `scheduler_config.json` have them.
        defaults: what diffusers takes for settings that a folder does not state.
        clips: it knows `clip_sample`.
        usual_steps: how many are taken unless somebody says it.
        plan: makes the trajectory of settings, a number of steps, and a strength: 1 from noise alone or of an image that is repainted
            wholly, less of an image that keeps its broad shapes. Raises a UsageError for a number of steps that cannot be taken.
    """

    name: str
    title: str
    source: str
    classes: tuple[str, ...]
    defaults: ScheduleSettings
    clips: bool = False
    usual_steps: int = 25
    plan: Callable[[ScheduleSettings, int, float], Trajectory]
