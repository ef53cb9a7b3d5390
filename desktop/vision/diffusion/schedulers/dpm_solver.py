"""DPM-Solver++ (2M), https://arxiv.org/abs/2211.01095, algorithm 2; lambda is log(signal / noise)."""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from desktop.vision.diffusion.schedule import (
    LEADING,
    TRAILING,
    ScheduleSettings,
    check_last,
    check_steps,
    karras_levels,
    levels_at,
    noise_levels,
    timesteps_of,
)
from desktop.vision.diffusion.trajectory import Scheduler, Step, Trajectory, denoising, shortened

_FEW: Final = 15


def _timesteps(settings: ScheduleSettings, steps: int) -> np.ndarray:
    """Return the integer timesteps to visit, spaced as if the clean image were one more point."""
    trained = settings.train_steps
    if settings.spacing == TRAILING:
        return np.round(trained - np.arange(steps) * (trained / steps)) - 1
    check_steps(steps, settings, max(1, trained - 1))  # otherwise a timestep would be visited twice
    if settings.spacing == LEADING:
        found = np.arange(steps + 1)[:0:-1] * (trained // (steps + 1)) + float(settings.steps_offset)
        check_last(found[0], settings)
        return found
    return np.round(np.linspace(0, trained - 1, steps + 1))[:0:-1]


def _visited(settings: ScheduleSettings, steps: int) -> tuple[list[float], list[float]]:
    known = noise_levels(settings)
    if settings.karras:
        levels = karras_levels(float(known[0]), float(known[-1]), steps)
        timesteps = timesteps_of(levels, known)
        timesteps = timesteps if settings.beta_schedule == "squaredcos_cap_v2" else np.round(timesteps)
    else:
        timesteps = _timesteps(settings, steps)
        levels = levels_at(timesteps, known)
    end = float(known[0]) if settings.ends_at_least else 0.0
    # The network takes integers.
    return np.trunc(timesteps).tolist(), [*levels.tolist(), end]


def _plan(settings: ScheduleSettings, steps: int, strength: float) -> Trajectory:
    check_steps(steps, settings)
    timesteps, levels = _visited(settings, steps)
    begin = shortened(steps, strength)
    ends_first = (
        settings.euler_at_final or not settings.ends_at_least or (settings.lower_order_final and steps < _FEW)
    )
    made = []
    for at in range(begin, steps):
        is_first = settings.order == 1 or at == begin or (at == steps - 1 and ends_first)
        before = None if is_first else levels[at - 1]
        made.append(_step(settings, timesteps[at], levels[at], levels[at + 1], before))
    return Trajectory(1.0, *_parts(levels[begin]), tuple(made))


def _parts(level: float) -> tuple[float, float]:
    signal = 1 / math.hypot(level, 1)
    return signal, level * signal


def _step(
    settings: ScheduleSettings, timestep: float, level: float, following: float, before: float | None
) -> Step:
    """Return the step from a level to the following one; of second order if there is one `before`."""
    signal, noise = _parts(level)
    of_sample, of_output = denoising(settings.prediction, signal, noise)
    to_signal, to_noise = _parts(following)
    # lambda is -log(level); exp(-(lambda_t - lambda_s)) = following / level.
    gain = to_signal * (1 - following / level)
    slope = 0.0
    if before is not None and following < level:  # a step from a level to itself changes nothing
        h, h_before = math.log(level / following), math.log(before / level)
        slope = (gain / 2 if not settings.heun else to_signal - gain / h) * (h / h_before)
    return Step(
        timestep=timestep,
        denoised_sample=of_sample,
        denoised_output=of_output,
        sample=to_noise / noise,
        denoised=gain + slope,
        previous=-slope,
    )


SCHEDULER: Final = Scheduler(
    name="dpm-solver++",
    title="DPM-Solver++ (2M)",
    source="https://arxiv.org/abs/2211.01095",
    classes=("DPMSolverMultistepScheduler",),
    defaults=ScheduleSettings(),
    plan=_plan,
)
