"""Common part of the Euler schedulers: samples of unit signal, `image + level * normal`, and their levels.

Karras et al. 2022, https://arxiv.org/abs/2206.00364.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from desktop.vision.diffusion.schedule import (
    LEADING,
    ScheduleSettings,
    karras_levels,
    levels_at,
    noise_levels,
    spaced_timesteps,
    timesteps_of,
)
from desktop.vision.diffusion.trajectory import Step, Trajectory, denoising, shortened

Move = Callable[[float, float], tuple[float, float]]
"""Function from the levels before and after a step to the level to reach and the noise to add."""


def level_trajectory(settings: ScheduleSettings, steps: int, strength: float, move: Move) -> Trajectory:
    """Return the trajectory of Euler steps along falling levels of noise."""
    timesteps, levels = _visited(settings, steps)
    begin = shortened(steps, strength)
    pairs = zip(timesteps[begin:], levels[begin:-1], levels[begin + 1 :], strict=True)
    made = tuple(_step(settings, t, level, *move(level, following)) for t, level, following in pairs)
    first = levels[begin]
    # 'leading' does not begin at the last timestep: its first sample contains some image of unit variance.
    alone = math.hypot(first, 1) if settings.spacing == LEADING else first
    return Trajectory(alone, 1.0, first, made)


def _visited(settings: ScheduleSettings, steps: int) -> tuple[list[float], list[float]]:
    """Return the timesteps and their levels of noise, one more: the one at the end."""
    known = noise_levels(settings)
    timesteps = spaced_timesteps(settings, steps)
    levels = levels_at(timesteps, known)
    if settings.karras:
        levels = karras_levels(float(levels[-1]), float(levels[0]), steps)
        timesteps = timesteps_of(levels, known)
    end = float(known[0]) if settings.ends_at_least else 0.0
    return np.asarray(timesteps).tolist(), [*levels.tolist(), end]


def _step(settings: ScheduleSettings, timestep: float, level: float, down: float, noise: float) -> Step:
    # The network wants a sample of unit variance: `scale` of ours.
    scale = 1 / math.hypot(level, 1)
    of_scaled, of_output = denoising(settings.prediction, scale, level * scale)
    # x + (x - d) / level * (down - level)
    share = down / level
    return Step(
        timestep=timestep,
        input_scale=scale,
        denoised_sample=of_scaled * scale,
        denoised_output=of_output,
        sample=share,
        denoised=1 - share,
        noise=noise,
    )
