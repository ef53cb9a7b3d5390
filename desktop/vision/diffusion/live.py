"""Repainting live video: settings that can change between frames, and each frame's plan, as of `generate`."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Final, Literal, Self

import numpy as np

from desktop.vision.diffusion.folder import Folder
from desktop.vision.diffusion.noise import Noise
from desktop.vision.diffusion.plan import MULTIPLE, Plan, Wish, make_plan

Size = tuple[int, int]
"""Width and height."""
Guided = Literal["usual", "none", "more"]
"""Use of the negative prompt, which doubles the UNet's batch: as usual for the folder, no, or yes."""

_LEAST: Final = 0.02
_ABOVE_ONE: Final = 1.001


@dataclass(frozen=True)
class LiveSettings:
    """Settings that can change from frame to frame.

    Attributes:
        guidance: weight of the prompt against the negative one; 0 for the folder's default.
        steps: number of timesteps.
        strength: share of the image that is repainted, 0 to 1; at least 0.02, which leaves one timestep.
        steady: use the same noise for every frame, so that static areas stay static.
        similarity: skip frames if no square of the sketch changed by this share of the range; 0 for none.
        blend: seconds of the transition between prompts.
    """

    prompt: str = ""
    negative: str = ""
    guidance: float = 0.0
    steps: int = 1
    strength: float = 0.6
    seed: int = 0
    steady: bool = True
    similarity: float = 0.02
    blend: float = 0.0

    def updated(self, values: Mapping[str, object]) -> Self:
        """Return a copy with the settings in `values`; other entries are ignored."""
        names = {field.name for field in fields(self)}
        known: dict[str, Any] = {name: value for name, value in values.items() if name in names}
        return replace(self, **known)

    def seed_of(self, number: int) -> int:
        """Return the seed of the noise for frame `number`."""
        return (self.seed + (0 if self.steady else number * 0x9E3779B1)) & 0xFFFFFFFF


@dataclass(frozen=True)
class LiveFolder:
    """A folder at a size (width, height); `guided` is fixed, as networks are loaded for a batch size."""

    folder: Folder
    size: Size
    guided: Guided

    def plan(self, settings: LiveSettings, number: int = 0) -> Plan:
        """Plan the repainting of frame `number`, in the same shapes for all settings; see `make_plan`."""
        scheduler, schedule = self.folder.scheduler()
        steps, strength = settings.steps, min(max(settings.strength, _LEAST), 1.0)
        if scheduler.name == "lcm":
            # Its steps are a subset of those of its distillation.
            total, least = steps, (steps + 1e-6) / schedule.original_steps
            strength = min(max(strength, least), 1.0)
        else:
            # A single step leaves nothing that PNDM could take twice.
            strength = min(strength, 0.999) if scheduler.name == "pndm" and steps == 1 else strength
            total = math.ceil(steps / strength)
            total += int(total * strength) < steps  # by rounding
        return make_plan(
            self.folder,
            Wish(
                prompt=settings.prompt,
                negative=settings.negative,
                size=self.size,
                picture=self.size,
                steps=total,
                strength=strength,
                guidance=self._guidance(settings),
                seed=settings.seed_of(number),
                tiny=self.folder.tiny_decoder is not None,
            ),
        )

    def _guidance(self, settings: LiveSettings) -> float | None:
        if self.folder.unet.input("timestep_cond") is not None:
            return settings.guidance or None
        return {"usual": None, "none": 1.0}.get(self.guided, max(settings.guidance, _ABOVE_ONE))


def unit_of(folder: Folder) -> int:
    """Return the number of pixels of which a side must be a multiple."""
    return folder.factor * MULTIPLE


def draws(plan: Plan) -> Iterator[np.ndarray | None]:
    """Yield a plan's noise, float32 of its latents' shape: the first sample's, then each step's or None."""
    noise = Noise(plan.seed)
    yield noise.draw(plan.latents)
    for step in plan.trajectory.steps:
        yield noise.draw(plan.latents) if step.noise != 0.0 else None
