"""Euler's method on the probability flow: https://arxiv.org/abs/2206.00364, algorithm 1 without churn."""

from __future__ import annotations

from typing import Final

from desktop.vision.diffusion.schedule import ScheduleSettings
from desktop.vision.diffusion.schedulers._levels import level_trajectory
from desktop.vision.diffusion.trajectory import Scheduler, Trajectory


def _plan(settings: ScheduleSettings, steps: int, strength: float) -> Trajectory:
    return level_trajectory(settings, steps, strength, lambda level, following: (following, 0.0))


SCHEDULER: Final = Scheduler(
    name="euler",
    title="Euler",
    source="https://arxiv.org/abs/2206.00364",
    classes=("EulerDiscreteScheduler",),
    defaults=ScheduleSettings(),
    plan=_plan,
)
