"""Plan a run of a pipeline from a request: everything is decided and checked before a weight is read."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

from desktop.base.errors import ModelUnsupportedError, UsageError
from desktop.base.wording import sentence
from desktop.vision.diffusion.contents import missing_encoder
from desktop.vision.diffusion.folder import Coder, Folder
from desktop.vision.diffusion.noise import MOST_SEED
from desktop.vision.diffusion.schedule import MOST_STEPS, TRAILING, ScheduleSettings
from desktop.vision.diffusion.trajectory import Scheduler, Trajectory

MULTIPLE: Final = 8
"""Sides of latents must be multiples of this: a UNet halves them three times."""
LARGEST_SIDE: Final = 2048
_USUAL_GUIDANCE: Final = 7.5
_USUAL_EMBEDDED: Final = 8.5
_USUAL_STRENGTH: Final = 0.6
_MOST_GUIDANCE: Final = 100.0


@dataclass(frozen=True, kw_only=True)
class Wish:
    """A user's request; None for the folder's default values.

    Attributes:
        size: (width, height) in pixels.
        steps: number of steps; with an image, only the share `strength` of them is taken.
        guidance: weight of the prompt against the negative one, which is unused up to 1.
        strength: share of an image that is repainted, above 0 up to 1.
        scheduler: its name, '' for the folder's.
        picture: (width, height) of the image to change; None to generate from text alone.
        tiny: use the folder's TAESD encoder and decoder.
    """

    prompt: str
    negative: str = ""
    size: tuple[int, int] | None = None
    steps: int | None = None
    guidance: float | None = None
    strength: float | None = None
    seed: int = 0
    scheduler: str = ""
    picture: tuple[int, int] | None = None
    tiny: bool = False


@dataclass(frozen=True, kw_only=True)
class Plan:
    """A plan for generating an image, with width and height in pixels.

    Attributes:
        prompts: (prompt,), or (negative, prompt) with guidance; the inputs of the text encoder.
        guidance: 1 if the UNet's output is used unchanged.
        embedded_guidance: guidance that an LCM's UNet takes as an input; None for others.
        latents: shape of the samples, [1, channels, height, width].
        encoder: encoder of the image to change; None without one.
    """

    prompts: tuple[str, ...]
    guidance: float
    embedded_guidance: float | None
    width: int
    height: int
    latents: tuple[int, int, int, int]
    scheduler: Scheduler
    trajectory: Trajectory
    seed: int
    decoder: Coder
    encoder: Coder | None

    @property
    def batch(self) -> int:
        """Number of samples in the UNet's batch."""
        return len(self.prompts)


def make_plan(folder: Folder, wish: Wish) -> Plan:
    """Plan the generation of an image.

    Raises UsageError for invalid values, ModelUnsupportedError if the folder does not support them.
    """
    scheduler, settings = folder.scheduler(wish.scheduler)
    if wish.strength is not None and wish.picture is None:
        raise UsageError(sentence("A strength was given without an image; give both."))
    strength = _strength(wish)
    width, height = _size(folder, wish)
    guidance, embedded = _guidance(folder, wish, scheduler, settings)
    if not 0 <= wish.seed <= MOST_SEED:
        raise UsageError(
            sentence("The seed {seed} is none; choose 0 to {most}.", seed=str(wish.seed)[:30], most=MOST_SEED)
        )
    decoder, encoder = _coders(folder, wish)
    return Plan(
        prompts=(wish.negative, wish.prompt) if guidance > 1 else (wish.prompt,),
        guidance=guidance,
        embedded_guidance=embedded,
        width=width,
        height=height,
        latents=(1, folder.latent_channels, height // folder.factor, width // folder.factor),
        scheduler=scheduler,
        trajectory=scheduler.plan(settings, _steps(wish, scheduler, settings, strength), strength),
        seed=wish.seed,
        decoder=decoder,
        encoder=encoder,
    )


def _is_distilled(scheduler: Scheduler, settings: ScheduleSettings) -> bool:
    """Return True for a network distilled to few steps, as SD-Turbo: marked only by Euler with 'trailing'."""
    return settings.spacing == TRAILING and scheduler.name.startswith("euler")


def _strength(wish: Wish) -> float:
    if wish.picture is None:
        return 1.0
    strength = _USUAL_STRENGTH if wish.strength is None else wish.strength
    if not 0 < strength <= 1:
        raise UsageError(
            sentence(
                "A strength of {strength:g} cannot be; choose more than 0 and at most 1.", strength=strength
            )
        )
    return strength


def _steps(wish: Wish, scheduler: Scheduler, settings: ScheduleSettings, strength: float) -> int:
    if wish.steps is not None:
        return wish.steps
    usual = 1 if _is_distilled(scheduler, settings) else scheduler.usual_steps
    # Enough for one step; if MOST_STEPS is not, the strength is refused, which the user chose.
    return max(usual, math.ceil(min(1 / strength, MOST_STEPS)))


def _guidance(
    folder: Folder, wish: Wish, scheduler: Scheduler, settings: ScheduleSettings
) -> tuple[float, float | None]:
    given = wish.guidance
    if given is not None and not 0 <= given <= _MOST_GUIDANCE:
        raise UsageError(
            sentence(
                "A guidance of {given:g} cannot be; choose 0 to {most:g}.", given=given, most=_MOST_GUIDANCE
            )
        )
    if folder.unet.input("timestep_cond") is not None:
        return 1.0, _USUAL_EMBEDDED if given is None else given
    if given is None:
        is_distilled = scheduler.name == "lcm" or _is_distilled(scheduler, settings)
        return (1.0 if is_distilled else _USUAL_GUIDANCE), None
    return max(given, 1.0), None


def _coders(folder: Folder, wish: Wish) -> tuple[Coder, Coder | None]:
    if wish.tiny and folder.tiny_decoder is None:
        raise ModelUnsupportedError(
            sentence(
                "{folder} has no taesd_decoder; put one into it or leave --tiny out.", folder=folder.name
            )
        )
    decoder = folder.tiny_decoder if wish.tiny and folder.tiny_decoder is not None else folder.decoder
    if wish.picture is None:
        return decoder, None
    # The latents of both families are compatible.
    encoder = (folder.tiny_encoder if wish.tiny else None) or folder.encoder
    if encoder is None:
        raise missing_encoder(folder.path)
    return decoder, encoder


def _size(folder: Folder, wish: Wish) -> tuple[int, int]:
    unit = folder.factor * MULTIPLE
    fixed = fixed_size(folder)
    if fixed is not None and max(fixed) > LARGEST_SIDE:
        raise ModelUnsupportedError(
            sentence(
                "{folder} was exported for images of {width} x {height} pixels alone; at most {most} a "
                "side can be made.",
                folder=folder.name,
                width=fixed[0],
                height=fixed[1],
                most=LARGEST_SIDE,
            )
        )
    if wish.size is None:
        return fixed or _usual_size(folder, wish.picture, unit)
    for side in wish.size:
        if not unit <= side <= LARGEST_SIDE or side % unit:
            raise UsageError(
                sentence(
                    "An image of {width} x {height} pixels cannot be made; choose multiples of {unit} up "
                    "to {most}.",
                    width=wish.size[0],
                    height=wish.size[1],
                    unit=unit,
                    most=LARGEST_SIDE,
                )
            )
    if fixed is not None and wish.size != fixed:
        raise ModelUnsupportedError(
            sentence(
                "{folder} was exported for images of {width} x {height} pixels alone; choose this size, or "
                "export it with free ones.",
                folder=folder.name,
                width=fixed[0],
                height=fixed[1],
            )
        )
    return wish.size


def fixed_size(folder: Folder) -> tuple[int, int] | None:
    """Return the (width, height) in pixels a folder was exported for; None if its sizes are free."""
    height, width = folder.unet.needed("sample", 4).shape[2:]
    return (width * folder.factor, height * folder.factor) if width and height else None


def _usual_size(folder: Folder, picture: tuple[int, int] | None, unit: int) -> tuple[int, int]:
    """Return the training size, or a size of that area with the aspect ratio of an image."""
    side = min(max(round(folder.usual_side / unit), 1) * unit, LARGEST_SIDE)
    if picture is None:
        return side, side
    ratio = math.sqrt(picture[0] / picture[1])

    def fitted(length: float) -> int:
        return min(max(round(length / unit), 1) * unit, LARGEST_SIDE // unit * unit)

    return fitted(side * ratio), fitted(side / ratio)
