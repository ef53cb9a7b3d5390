"""Euler's method with fresh noise of DDPM's posterior variance after each step.

Song et al. 2020, https://arxiv.org/abs/2010.02502, section 4.1 with eta = 1, in Karras' noise levels.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Final

from desktop.vision.diffusion.schedule import ScheduleSettings
from desktop.vision.diffusion.schedulers._levels import level_trajectory
from desktop.vision.diffusion.trajectory import Scheduler, Trajectory


def _move(level: float, following: float) -> tuple[float, float]:
    up = math.sqrt(following**2 * (level**2 - following**2)) / level
    return math.sqrt(following**2 - up**2), up


def _plan(settings: ScheduleSettings, steps: int, strength: float) -> Trajectory:
    # diffusers' class ignores both; a folder made for another scheduler may have them.
    plain = replace(settings, karras=False, ends_at_least=False)
    return level_trajectory(plain, steps, strength, _move)


SCHEDULER: Final = Scheduler(
    name="euler-ancestral",
    title="Euler ancestral",
    source="https://arxiv.org/abs/2010.02502",
    classes=("EulerAncestralDiscreteScheduler",),
    defaults=ScheduleSettings(),
    plan=_plan,
)
