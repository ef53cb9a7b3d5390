"""Encode images to latents and decode them, with a VAE or one of the TAESD family."""

from __future__ import annotations

import numpy as np

from desktop.base.errors import ModelInvalidError
from desktop.base.wording import sentence
from desktop.vision.diffusion.folder import Coder
from desktop.vision.diffusion.pictures import from_coder, to_coder
from desktop.vision.diffusion.running import Context, check_numbers, run


def encode(
    coder: Coder, context: Context, pixels: np.ndarray, latents: tuple[int, int, int, int]
) -> np.ndarray:
    """Return an image's latents, float32: the mean, where diffusers samples.

    Takes uint8 [height, width, 3], R'G'B'; raises ModelError without an encoder that gives such latents.
    """
    planes = to_coder(pixels, signed=coder.signed)
    name, output = coder.part.inputs[0].name, coder.part.outputs[0].name
    with context.opened(coder.part, {name: planes.shape}) as session:
        given = run(session, {name: planes})[output].astype(np.float32)
    return latents_of(coder, given, latents)


def latents_of(coder: Coder, given: np.ndarray, latents: tuple[int, int, int, int]) -> np.ndarray:
    """Return an encoder output's latents, float32; raise ModelError if of a wrong shape or not finite."""
    found = given[:, : latents[1]] if given.ndim == len(latents) else given
    if found.shape != latents:
        raise other_shape(coder, found.shape, latents)
    check_numbers(coder.part, found)
    return (found - np.float32(coder.shift)) * np.float32(coder.scaling)


def decode(coder: Coder, context: Context, latents: np.ndarray, width: int, height: int) -> np.ndarray:
    """Return the image of latents, uint8 [height, width, 3], R'G'B'; raise ModelError if decoding fails."""
    name, output = coder.part.inputs[0].name, coder.part.outputs[0].name
    with context.opened(coder.part, {name: latents.shape}) as session:
        planes = run(session, {name: unscaled(coder, latents)})[output]
    if planes.shape != (1, 3, height, width):
        raise other_shape(coder, planes.shape, (1, 3, height, width))
    check_numbers(coder.part, planes)
    return from_coder(planes, signed=coder.signed)


def unscaled(coder: Coder, latents: np.ndarray) -> np.ndarray:
    """Return latents in the scale of the decoder."""
    return np.asarray(latents / np.float32(coder.scaling) + np.float32(coder.shift))


def other_shape(coder: Coder, found: tuple[int, ...], wanted: tuple[int, ...]) -> ModelInvalidError:
    """Return the error for a coder with another shape than needed."""
    return ModelInvalidError(
        sentence(
            "{part} gives {found} where {wanted} is needed; it is of another pipeline than the UNet.",
            part=coder.part,
            found=list(found),
            wanted=list(wanted),
        )
    )
