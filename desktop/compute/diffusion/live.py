"""A folder that repaints picture after picture: what can change from one to the next, and the plan that comes of it.

The plan is that of `generate` for the picture, so that a still of a live picture can be made again with it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Final, Literal, Self

import numpy as np

from desktop.compute.diffusion.folder import Folder
from desktop.compute.diffusion.noise import Noise
from desktop.compute.diffusion.plan import MULTIPLE, Plan, Wish, make_plan

Size = tuple[int, int]
"""Width and height."""
Guided = Literal["usual", "none", "more"]
"""Whether the negative prompt is looked at beside the prompt, which doubles the UNet's batch: as is usual for the folder, no, or yes."""

_LEAST: Final = 0.02
_ABOVE_ONE: Final = 1.001


@dataclass(frozen=True)
class LiveSettings:
    """What can change from picture to picture.

    Attributes:
        prompt, negative: what the picture is to show, and what it is not to.
        guidance: how much more the prompt counts than the negative one; 0 for what is usual for the folder.
        steps: how many timesteps are visited.
        strength: how much of the picture is made anew, 0 to 1. Below 0.02 as at 0.02: one timestep must be left.
        seed: of the noise.
        steady: the same noise for every picture, so that what stands still looks still.
        similarity: a picture no square of whose sketch has changed by this share of the range is not looked at. 0 looks at all.
        blend: seconds from one prompt to the next.
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
        """Return them with those of `values` that are settings; others are left out."""
        names = {field.name for field in fields(self)}
        known: dict[str, Any] = {name: value for name, value in values.items() if name in names}
        return replace(self, **known)

    def seed_of(self, number: int) -> int:
        """Return the seed of the noise for picture `number`."""
        return (self.seed + (0 if self.steady else number * 0x9E3779B1)) & 0xFFFFFFFF


@dataclass(frozen=True)
class LiveFolder:
    """A folder in use at a size.

    Attributes:
        folder: what is run.
        size: width and height of the pictures.
        guided: see `Guided`; it stays, whatever guidance the settings say, because networks are loaded for a batch.
    """

    folder: Folder
    size: Size
    guided: Guided

    def plan(self, settings: LiveSettings, number: int = 0) -> Plan:
        """Return how picture `number` is repainted; whatever the settings, it is for networks of the same shapes.

        Raises:
            UsageError: so many steps cannot be taken.
            ModelUnsupportedError: the folder's scheduler does not run here, it has no encoder, or its size is another one.
        """
        scheduler, schedule = self.folder.scheduler()
        steps, strength = settings.steps, min(max(settings.strength, _LEAST), 1.0)
        if scheduler.name == "lcm":
            # Its steps are chosen of those that it was distilled with.
            total, least = steps, (steps + 1e-6) / schedule.original_steps
            strength = min(max(strength, least), 1.0)
        else:
            # One step alone has nothing that PNDM could take twice.
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
    """Return of how many pixels a side must be a multiple."""
    return folder.factor * MULTIPLE


def draws(plan: Plan) -> Iterator[np.ndarray | None]:
    """Yield the noise that a plan takes, float32 of its latents' shape: the first sample's, and each step's; None for one without."""
    noise = Noise(plan.seed)
    yield noise.draw(plan.latents)
    for step in plan.trajectory.steps:
        yield noise.draw(plan.latents) if step.noise != 0.0 else None
