"""PLMS, the multistep part of PNDM: Liu et al. 2022, https://arxiv.org/abs/2202.09778, equations 9 and 12.

Instead of Runge-Kutta steps (`skip_prk_steps`) the first step is taken twice, the second time with the mean
of two outputs, so that n steps run the network n + 1 times.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final

import numpy as np

from desktop.base.errors import ModelUnsupportedError
from desktop.base.wording import sentence
from desktop.vision.diffusion.schedule import (
    LEADING,
    SAMPLE,
    V_PREDICTION,
    ScheduleSettings,
    signal_squared,
    spaced_timesteps,
)
from desktop.vision.diffusion.trajectory import Scheduler, Step, Trajectory, shortened

# Factors of the newest output and the ones before it, by their number.
_ADAMS: Final = {
    1: (1.0, 0.0, 0.0, 0.0),
    2: (3 / 2, -1 / 2, 0.0, 0.0),
    3: (23 / 12, -16 / 12, 5 / 12, 0.0),
    4: (55 / 24, -59 / 24, 37 / 24, -9 / 24),
}


def _plan(settings: ScheduleSettings, steps: int, strength: float) -> Trajectory:
    _check(settings)
    kept = signal_squared(settings)
    end = 1.0 if settings.ends_clean else float(kept[0])
    visited = np.round(spaced_timesteps(settings, steps)).astype(int).tolist()
    stride = settings.train_steps // steps
    # The second one twice; of one alone there is no second.
    timesteps = [*visited[:2], *visited[1:]]

    def share(timestep: int) -> float:
        # The repeated step may begin a stride above the last timestep that there is, by rounding.
        return float(kept[min(timestep, settings.train_steps - 1)]) if timestep >= 0 else end

    def move(timestep: int) -> tuple[float, float]:
        return _factors(settings, share(timestep), share(timestep - stride))

    taken = timesteps[shortened(steps, strength) :]
    made = [_step(number, timestep, move) for number, timestep in enumerate(taken)]
    if len(made) > 1:
        made[1] = _repeated(taken[1], move(taken[0]), move(taken[1] + stride))
    first = float(kept[taken[0]])
    return Trajectory(1.0, math.sqrt(first), math.sqrt(1 - first), tuple(made))


def _check(settings: ScheduleSettings) -> None:
    if settings.runge_kutta:
        raise ModelUnsupportedError(
            sentence(
                "PNDM's Runge-Kutta steps do not run here; set skip_prk_steps to true in "
                "scheduler_config.json or choose another scheduler."
            )
        )
    if settings.prediction == SAMPLE:
        raise ModelUnsupportedError(
            sentence(
                "PNDM does not take networks that predict the image (prediction_type sample); choose "
                "another scheduler."
            )
        )


def _factors(settings: ScheduleSettings, kept: float, following: float) -> tuple[float, float]:
    """Return the factors of sample and output in the sample that follows: equation 9."""
    of_sample = math.sqrt(following / kept)
    divisor = kept * math.sqrt(1 - following) + math.sqrt(kept * (1 - kept) * following)
    of_noise = (kept - following) / divisor
    if settings.prediction == V_PREDICTION:
        return of_sample + of_noise * math.sqrt(1 - kept), of_noise * math.sqrt(kept)
    return of_sample, of_noise


def _step(number: int, timestep: int, move: Callable[[int], tuple[float, float]]) -> Step:
    # The output of the repeated step is not one of those that count later.
    known = 1 if number == 0 else min(number, 4)
    of_sample, of_output = move(timestep)
    newest, previous, second, third = (of_output * factor for factor in _ADAMS[known])
    return Step(
        timestep=float(timestep),
        denoised_sample=0.0,
        denoised_output=1.0,
        sample=of_sample,
        output=newest,
        previous=previous,
        second=second,
        third=third,
    )


def _repeated(timestep: int, done: tuple[float, float], again: tuple[float, float]) -> Step:
    """Return the step that undoes `done` and repeats it with the mean of both outputs."""
    share = again[0] / done[0]
    return Step(
        timestep=float(timestep),
        denoised_sample=0.0,
        denoised_output=1.0,
        kept=False,
        sample=share,
        output=again[1] / 2,
        previous=again[1] / 2 - share * done[1],
    )


SCHEDULER: Final = Scheduler(
    name="pndm",
    title="PNDM (PLMS)",
    source="https://arxiv.org/abs/2202.09778",
    classes=("PNDMScheduler",),
    defaults=ScheduleSettings(spacing=LEADING, ends_clean=False),
    plan=_plan,
)
