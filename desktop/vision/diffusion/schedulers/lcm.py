"""Latent consistency models: Luo et al. 2023, https://arxiv.org/abs/2310.04378, section 4.3, algorithm 3.

Boundary condition: Song et al. 2023, https://arxiv.org/abs/2303.01469, appendix C, standard deviation 0.5.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from desktop.base.errors import UsageError
from desktop.base.wording import sentence
from desktop.vision.diffusion.schedule import LEADING, ScheduleSettings, check_steps, signal_squared
from desktop.vision.diffusion.trajectory import Scheduler, Step, Trajectory, denoising

_DEVIATION: Final = 0.5


def _timesteps(settings: ScheduleSettings, steps: int, strength: float) -> list[int]:
    """Return the timesteps to visit, a subset of those of the distillation."""
    check_steps(steps, settings)
    known = int(settings.original_steps * strength)
    if steps > known:
        raise UsageError(
            sentence(
                "An LCM of {known} steps at this strength cannot take {steps}; choose fewer steps or a "
                "greater strength.",
                known=known,
                steps=steps,
            )
        )
    stride = settings.train_steps // settings.original_steps
    origin = (np.arange(1, known + 1) * stride - 1)[::-1]
    chosen = np.floor(np.linspace(0, known, steps, endpoint=False)).astype(int)
    return [int(t) for t in origin[chosen]]


def _plan(settings: ScheduleSettings, steps: int, strength: float) -> Trajectory:
    kept = signal_squared(settings)
    timesteps = _timesteps(settings, steps, strength)
    made = tuple(
        _step(settings, t, float(kept[t]), None if following is None else float(kept[following]))
        for t, following in zip(timesteps, [*timesteps[1:], None], strict=True)
    )
    first = float(kept[timesteps[0]])
    return Trajectory(1.0, math.sqrt(first), math.sqrt(1 - first), made)


def _step(settings: ScheduleSettings, timestep: int, kept: float, following: float | None) -> Step:
    signal, noise = math.sqrt(kept), math.sqrt(1 - kept)
    of_sample, of_output = denoising(settings.prediction, signal, noise)
    scaled = timestep * settings.timestep_scaling
    skip = _DEVIATION**2 / (scaled**2 + _DEVIATION**2)
    out = scaled / math.hypot(scaled, _DEVIATION)
    left = 1.0 if following is None else math.sqrt(following)
    return Step(
        timestep=float(timestep),
        denoised_sample=of_sample,
        denoised_output=of_output,
        clip=settings.clip,
        sample=left * skip,
        denoised=left * out,
        noise=0.0 if following is None else math.sqrt(1 - following),
    )


SCHEDULER: Final = Scheduler(
    name="lcm",
    title="LCM",
    source="https://arxiv.org/abs/2310.04378",
    classes=("LCMScheduler",),
    defaults=ScheduleSettings(
        beta_start=0.00085, beta_end=0.012, beta_schedule="scaled_linear", spacing=LEADING
    ),
    clips=True,
    usual_steps=4,
    plan=_plan,
)
