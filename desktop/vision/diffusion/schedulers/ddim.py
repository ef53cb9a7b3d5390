"""DDIM without fresh noise: Song et al. 2020, https://arxiv.org/abs/2010.02502, equation 12, sigma = 0."""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from desktop.vision.diffusion.schedule import LEADING, ScheduleSettings, signal_squared, spaced_timesteps
from desktop.vision.diffusion.trajectory import (
    Scheduler,
    Step,
    Trajectory,
    denoising,
    noise_of,
    shortened,
)


def _plan(settings: ScheduleSettings, steps: int, strength: float) -> Trajectory:
    kept = signal_squared(settings)
    timesteps = np.round(spaced_timesteps(settings, steps)).astype(int).tolist()
    stride = settings.train_steps // steps
    end = 1.0 if settings.ends_clean else float(kept[0])

    def step(timestep: int) -> Step:
        following = timestep - stride
        return _step(
            settings, timestep, float(kept[timestep]), float(kept[following]) if following >= 0 else end
        )

    begin = shortened(steps, strength)
    first = float(kept[timesteps[begin]])
    made = tuple(step(timestep) for timestep in timesteps[begin:])
    return Trajectory(1.0, math.sqrt(first), math.sqrt(1 - first), made)


def _step(settings: ScheduleSettings, timestep: int, kept: float, following: float) -> Step:
    signal, noise = math.sqrt(kept), math.sqrt(1 - kept)
    of_sample, of_output = denoising(settings.prediction, signal, noise)
    noise_of_sample, noise_of_output = noise_of(settings.prediction, signal, noise)
    left = math.sqrt(1 - following)
    return Step(
        timestep=float(timestep),
        denoised_sample=of_sample,
        denoised_output=of_output,
        clip=settings.clip,
        sample=left * noise_of_sample,
        output=left * noise_of_output,
        denoised=math.sqrt(following),
    )


SCHEDULER: Final = Scheduler(
    name="ddim",
    title="DDIM",
    source="https://arxiv.org/abs/2010.02502",
    classes=("DDIMScheduler",),
    defaults=ScheduleSettings(spacing=LEADING, clip=1.0),
    clips=True,
    plan=_plan,
)
