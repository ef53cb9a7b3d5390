"""A pipeline's folder as a session that returns an image repainted; see docs/live-diffusion.md.

All three networks are loaded at once; embeddings come from a thread (vision/diffusion/prompts.py).
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from typing import Final

import numpy as np

from desktop.compute.nn.session import Session, SessionCapabilities, TensorInfo
from desktop.pipeline.running.repaint.denoising import is_like, squares
from desktop.vision.diffusion.coding import latents_of, other_shape, unscaled
from desktop.vision.diffusion.denoiser import Denoiser, opened_denoiser, plan_condition
from desktop.vision.diffusion.folder import Coder
from desktop.vision.diffusion.live import LiveFolder, LiveSettings, draws
from desktop.vision.diffusion.part import Part
from desktop.vision.diffusion.plan import Plan
from desktop.vision.diffusion.prompts import Blend, PromptReader
from desktop.vision.diffusion.running import Context, check_numbers, run
from desktop.vision.diffusion.trajectory import Past, advance

PICTURE: Final = "picture"
REPAINTED: Final = "repainted"


@dataclass(frozen=True)
class Parts:
    """The networks of a folder, loaded for one plan's shapes; `close` releases them."""

    encoder: Session
    denoiser: Denoiser
    decoder: Session
    close: Callable[[], None]


def open_parts(live: LiveFolder, plan: Plan, context: Context, states: np.ndarray) -> Parts:
    """Load encoder, UNet and decoder, which stay loaded, for the plan's shapes; `states` are its prompts'
    embeddings, float32 [prompts, tokens, width]. Raise ModelError if one is unreadable, unsupported or
    misfits.
    """
    assert plan.encoder is not None
    encoder, decoder = plan.encoder.part, plan.decoder.part
    picture = (1, 3, plan.height, plan.width)
    _, channels, height, width = plan.latents
    prompts, tokens, text_width = states.shape
    with ExitStack() as stack:
        parts = Parts(
            stack.enter_context(context.opened(encoder, {encoder.inputs[0].name: picture})),
            stack.enter_context(
                opened_denoiser(
                    live.folder.unet,
                    context,
                    (prompts, channels, height, width),
                    (prompts, tokens, text_width),
                )
            ),
            stack.enter_context(context.opened(decoder, {decoder.inputs[0].name: plan.latents})),
            ExitStack().close,
        )
        _check(plan.encoder, parts.encoder, plan.latents, may_be_more=True)
        _check(plan.decoder, parts.decoder, picture)
        return Parts(parts.encoder, parts.denoiser, parts.decoder, stack.pop_all().close)


def _check(coder: Coder, session: Session, wanted: tuple[int, ...], *, may_be_more: bool = False) -> None:
    found = next(info.shape for info in session.outputs if info.name == coder.part.outputs[0].name)
    fits = len(found) == len(wanted) and (found[0], *found[2:]) == (wanted[0], *wanted[2:])
    # An encoder may give means and variances.
    if not fits or (found[1] < wanted[1] if may_be_more else found[1] != wanted[1]):
        raise other_shape(coder, found, wanted)


class Latents(ABC):
    """Common part of the session for host arrays and that on the GPU. Implements `Session` except for `run`.

    `follow`, called with each frame, applies a prompt's change once the text encoder has finished.
    """

    def __init__(self, live: LiveFolder, parts: Parts, reader: PromptReader, plan: Plan) -> None:
        """Use `open_latents`; it owns parts and reader from now on."""
        self._live, self._parts, self._reader = live, parts, reader
        self._settings = LiveSettings()
        self._shape = (1, 3, plan.height, plan.width)
        self._prompts: tuple[str, ...] = ()
        self._blend: Blend | None = None
        self._arrived: Blend | None = None
        self._plan = plan
        self._number = 0

    @property
    def inputs(self) -> tuple[TensorInfo, ...]:
        """See `Session`: the image, R'G'B' in -1..1."""
        return (TensorInfo(PICTURE, self._shape, "float32"),)

    @property
    def outputs(self) -> tuple[TensorInfo, ...]:
        """See `Session`: the repainted image, alike."""
        return (TensorInfo(REPAINTED, self._shape, "float32"),)

    @property
    def _unet(self) -> Part:
        return self._live.folder.unet

    @property
    def backend(self) -> str:
        """See `Session`; that of the UNet, which takes nearly all of the time."""
        return self._parts.denoiser.session.backend

    @property
    def device(self) -> str:
        """See `Session`."""
        return self._parts.denoiser.session.device

    @property
    def precision(self) -> str:
        """See `Session`."""
        return self._parts.denoiser.session.precision

    @property
    def capabilities(self) -> SessionCapabilities:
        """See `Session`."""
        return SessionCapabilities(reset_state=self.reset_state, adjust=self.adjust, follow=self.follow)

    @abstractmethod
    def reset_state(self) -> None:
        """See `SessionCapabilities`."""

    def adjust(self, values: Mapping[str, object]) -> None:
        """See `SessionCapabilities`; raise ModelError or UsageError if the values do not fit the folder."""
        settings = self._settings.updated(values)
        plan = self._live.plan(settings)
        # They hang on the folder's files, which were read once, and on what a network is built anew for.
        assert (plan.latents, plan.batch) == (self._plan.latents, self._plan.batch)
        self._settings, self._plan = settings, plan
        self._reader.request(plan.prompts)

    def follow(self, *, wait: bool = False) -> bool:
        """See `SessionCapabilities`."""
        now = time.perf_counter()
        if self._prompts != self._plan.prompts:
            found = self._reader.take(wait=wait)
            if found is None:
                return True
            self._prompts = self._plan.prompts
            begun = self._blend if self._blend is not None and not wait else Blend(found, found)
            self._blend = begun.turned(found, now, 0.0 if wait else self._settings.blend)
            return True
        if self._blend is None or self._blend is self._arrived:
            return False
        # Once more at the end: the image before was made on the way.
        self._arrived = None if self._blend.is_moving(now) else self._blend
        return True

    def close(self) -> None:
        """See `Session`."""
        self._reader.close()
        self._parts.close()


class HostLatents(Latents):
    """For networks that take host arrays. Implements `Session`."""

    def __init__(self, live: LiveFolder, parts: Parts, reader: PromptReader, plan: Plan) -> None:
        super().__init__(live, parts, reader, plan)
        self._generation = 0
        self._last: tuple[np.ndarray, object, np.ndarray] | None = None

    def run(self, feeds: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
        """Repaint an image, or return a similar one's result; raise ModelError for a part's bad output."""
        generation, settings, blend, last = self._generation, self._settings, self._blend, self._last
        assert blend is not None, "it follows before it runs"
        now = time.perf_counter()
        # What a result depends on beside the image; embeddings in transition differ at every moment.
        made_of = (settings, None if blend.is_moving(now) else id(blend.goal))
        picture = feeds[PICTURE].astype(np.float32)
        means = squares(picture)
        if (
            last is not None
            and last[1] == made_of
            and made_of[1] is not None
            and is_like(means, last[0], settings.similarity)
        ):
            return {REPAINTED: last[2]}
        found = self._repainted(picture, self._live.plan(settings, self._number), blend.at(now))
        self._number += 1
        # The rendering thread may have invalidated the past meanwhile.
        if generation == self._generation:
            self._last = (means, made_of, found)
        return {REPAINTED: found}

    def _repainted(self, picture: np.ndarray, plan: Plan, states: np.ndarray) -> np.ndarray:
        return decoded(plan, self._parts.decoder, self.sampled(picture, plan, states))

    def sampled(self, picture: np.ndarray, plan: Plan, states: np.ndarray) -> np.ndarray:
        """Return the last sample for an image (1, 3, H, W) in -1..1, float32 of the plan's latents."""
        trajectory, drawn = plan.trajectory, draws(plan)
        latents = encoded(plan, self._parts.encoder, picture)
        first = next(drawn)
        assert first is not None
        sample = np.asarray(
            np.float32(trajectory.from_picture) * latents + np.float32(trajectory.from_noise) * first
        )
        condition = plan_condition(self._unet, plan.embedded_guidance, plan.batch)
        past: Past = ()
        for step, noise in zip(trajectory.steps, drawn, strict=True):
            scaled = np.float32(step.input_scale) * sample
            output = self._parts.denoiser.guided(scaled, step.timestep, states, plan.guidance, condition)
            sample, past = advance(step, sample, output, past, partial(_drawn, noise))
        check_numbers(self._unet, sample)
        return sample

    def reset_state(self) -> None:
        """See `SessionCapabilities`."""
        self._generation += 1
        self._last = None


def _drawn(noise: np.ndarray | None) -> np.ndarray:
    assert noise is not None
    return noise


def encoded(plan: Plan, session: Session, picture: np.ndarray) -> np.ndarray:
    """Return the latents of an image (1, 3, H, W) in -1..1; raise ModelError as `latents_of` does."""
    coder = plan.encoder
    assert coder is not None
    planes = picture if coder.signed else picture / 2 + np.float32(0.5)
    given = run(session, {coder.part.inputs[0].name: planes})[coder.part.outputs[0].name]
    return latents_of(coder, given.astype(np.float32), plan.latents)


def decoded(plan: Plan, session: Session, sample: np.ndarray) -> np.ndarray:
    """Return a sample's image, float32 (1, 3, H, W) in -1..1; raise ModelError if it is invalid."""
    coder = plan.decoder
    planes = run(session, {coder.part.inputs[0].name: unscaled(coder, sample)})[coder.part.outputs[0].name]
    if planes.shape != (1, 3, plan.height, plan.width):
        raise other_shape(coder, planes.shape, (1, 3, plan.height, plan.width))
    check_numbers(coder.part, planes)
    values = planes.astype(np.float32)
    return np.clip(values if coder.signed else values * 2 - 1, -1, 1)
