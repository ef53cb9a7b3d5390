"""Generate an image from text, or from text and an image; each part is on the device only while it runs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from desktop.base.wording import sentence
from desktop.vision.diffusion.coding import decode, encode
from desktop.vision.diffusion.denoiser import opened_denoiser, plan_condition
from desktop.vision.diffusion.folder import Folder
from desktop.vision.diffusion.noise import Noise
from desktop.vision.diffusion.pictures import fitted
from desktop.vision.diffusion.plan import Plan
from desktop.vision.diffusion.running import Context, Progress, check_numbers
from desktop.vision.diffusion.text import Embeddings, embed
from desktop.vision.diffusion.trajectory import Past, advance

PreviewCallback = Callable[[int, np.ndarray], None]
"""Callback with the number of a step and the sample after it; 0 and the first sample at the start."""


@dataclass(frozen=True)
class Generated:
    """A generated image, uint8 [height, width, 3], R'G'B', and the parts of prompts that did not fit."""

    pixels: np.ndarray
    dropped: tuple[str, ...]


def _unseen(step: int, sample: np.ndarray) -> None:
    pass


class Pipeline:
    """A folder that makes images, for one thread at a time. Nothing stays on the device between calls."""

    def __init__(self, folder: Folder, context: Context) -> None:
        """Make a pipeline; nothing is loaded yet."""
        self._folder = folder
        self._context = context

    def generate(
        self, plan: Plan, picture: np.ndarray | None = None, seen: PreviewCallback = _unseen
    ) -> Generated:
        """Make an image; raise ModelError if a part cannot be used. `seen` gets the sample after each step.

        `picture` is the image to change, if the plan does so: uint8 [height, width, 3], R'G'B', of any size.
        """
        self._context.tell(Progress(sentence("Reading the prompt")))
        embeddings = embed(self._folder, self._context, plan.prompts)
        noise = Noise(plan.seed)
        sample = self.first(plan, noise, picture)
        sample = self.denoise(plan, embeddings, sample, noise, seen)
        self._context.tell(Progress(sentence("Decoding the image")))
        pixels = decode(plan.decoder, self._context, sample, plan.width, plan.height)
        return Generated(pixels, embeddings.dropped)

    def first(self, plan: Plan, noise: Noise, picture: np.ndarray | None = None) -> np.ndarray:
        """Return the first sample, float32: noise and image latents; raise ModelError if encoding fails."""
        trajectory = plan.trajectory
        if plan.encoder is None or picture is None:
            return noise.draw(plan.latents) * np.float32(trajectory.alone)
        self._context.tell(Progress(sentence("Encoding the image")))
        pixels = fitted(picture, plan.width, plan.height)
        latents = encode(plan.encoder, self._context, pixels, plan.latents)
        first = np.float32(trajectory.from_picture) * latents
        return np.asarray(first + np.float32(trajectory.from_noise) * noise.draw(plan.latents))

    def denoise(
        self,
        plan: Plan,
        embeddings: Embeddings,
        sample: np.ndarray,
        noise: Noise,
        seen: PreviewCallback = _unseen,
    ) -> np.ndarray:
        """Return a sample denoised by the plan's steps, float32; raise ModelError if the UNet fails."""
        self._context.tell(Progress(sentence("Loading the network")))
        unet, steps = self._folder.unet, plan.trajectory.steps
        states = embeddings.states
        condition = plan_condition(unet, plan.embedded_guidance, plan.batch)
        with opened_denoiser(
            unet, self._context, (plan.batch, *sample.shape[1:]), _shape3(states)
        ) as denoiser:
            seen(0, sample)
            past: Past = ()
            for number, step in enumerate(steps, 1):
                self._context.check()
                self._context.tell(Progress(sentence("Denoising"), number, len(steps)))
                scaled = np.float32(step.input_scale) * sample
                output = denoiser.guided(scaled, step.timestep, states, plan.guidance, condition)
                sample, past = advance(step, sample, output, past, lambda: noise.draw(plan.latents))
                seen(number, sample)
        check_numbers(unet, sample)
        return sample


def _shape3(states: np.ndarray) -> tuple[int, int, int]:
    prompts, tokens, width = states.shape
    return prompts, tokens, width
