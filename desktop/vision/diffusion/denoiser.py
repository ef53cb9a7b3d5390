"""The UNet as a function of sample and timestep."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import numpy as np

from desktop.base.errors import ModelInvalidError, ModelUnsupportedError
from desktop.base.wording import sentence
from desktop.compute.nn.session import Session
from desktop.vision.diffusion.part import Part
from desktop.vision.diffusion.running import Context, run

_SLOWEST: Final = 10_000.0
_CONDITION_SCALE: Final = 1000.0
_USUAL_CONDITION: Final = 256
_MOST_CONDITION: Final = 1 << 14


class Denoiser:
    """A UNet loaded for a batch and a size; use `opened_denoiser`."""

    def __init__(self, part: Part, session: Session, shapes: dict[str, tuple[int, ...]]) -> None:
        """Check that the session fits the inputs; raise ModelInvalidError if its output is no sample."""
        self._part = part
        self.session = session
        self._shapes = shapes
        self._output = part.outputs[0].name
        found = next(info.shape for info in session.outputs if info.name == self._output)
        if found != shapes["sample"]:
            raise ModelInvalidError(
                sentence(
                    "{part} gives {found} for a sample of {shape}; export the folder again.",
                    part=part,
                    found=list(found),
                    shape=list(shapes["sample"]),
                )
            )

    def predict(
        self, sample: np.ndarray, timestep: float, states: np.ndarray, condition: np.ndarray | None = None
    ) -> np.ndarray:
        """Return the UNet's output, float32 of the sample's shape.

        Args:
            sample, states: float32 [batch, channels, height, width], [batch, tokens, width] (`TextEncoder`).
            timestep: rounded down for a UNet that takes integers.
            condition: float32 [batch, width] for an LCM, see `guidance_condition`.
        """
        feeds = {
            "sample": sample,
            "timestep": np.full(self._shapes["timestep"], timestep),
            "encoder_hidden_states": states,
        }
        if condition is not None:
            feeds["timestep_cond"] = condition
        batch = self._shapes["sample"][0]
        parts = [
            run(self.session, {k: v[at : at + batch] if k != "timestep" else v for k, v in feeds.items()})
            for at in range(0, len(sample), batch)
        ]
        return np.concatenate([each[self._output] for each in parts]).astype(np.float32)

    def guided(
        self,
        sample: np.ndarray,
        timestep: float,
        states: np.ndarray,
        guidance: float,
        condition: np.ndarray | None = None,
    ) -> np.ndarray:
        """Return one sample's output, float32 of its shape; two prompts (negative, prompt) are one batch.

        Classifier-free guidance: Ho and Salimans 2022, https://arxiv.org/abs/2207.12598, equation 6.
        """
        output = self.predict(np.repeat(sample, len(states), axis=0), timestep, states, condition)
        if len(states) == 1:
            return output
        without, by_prompt = output[:1], output[1:]
        return np.asarray(without + np.float32(guidance) * (by_prompt - without))


@contextmanager
def opened_denoiser(
    part: Part, context: Context, sample: tuple[int, int, int, int], states: tuple[int, int, int]
) -> Iterator[Denoiser]:
    """Load a UNet for samples and states of these shapes; raise ModelError if it cannot be used."""
    shapes = denoiser_shapes(part, sample, states)
    with context.opened(part, shapes) as session:
        yield Denoiser(part, session, shapes)


def denoiser_shapes(
    part: Part, sample: tuple[int, int, int, int], states: tuple[int, int, int]
) -> dict[str, tuple[int, ...]]:
    """Return the UNet's input shapes, with a fixed batch kept; raise ModelUnsupportedError if unfit."""
    fixed = part.needed("sample", 4).shape[0]
    batch = fixed or sample[0]
    tokens = part.needed("encoder_hidden_states", 3).shape[1]
    if sample[0] % batch or tokens not in (0, states[1]):
        raise ModelUnsupportedError(
            sentence(
                "{part} was exported for {fixed} samples of {tokens} tokens; {batch} of {wanted} are "
                "needed: export it with free ones.",
                part=part,
                fixed=batch,
                tokens=tokens or states[1],
                batch=sample[0],
                wanted=states[1],
            )
        )
    times = part.input("timestep")
    timestep = tuple(size or 1 for size in times.shape) if times is not None else ()
    if math.prod(timestep) not in (1, batch):
        raise ModelUnsupportedError(
            sentence(
                "{part} takes {shape} timesteps where one for each of {batch} samples is known; export the "
                "folder again.",
                part=part,
                shape=list(timestep),
                batch=batch,
            )
        )
    shapes: dict[str, tuple[int, ...]] = {
        "sample": (batch, *sample[1:]),
        "timestep": timestep,
        "encoder_hidden_states": (batch, *states[1:]),
    }
    condition = part.input("timestep_cond")
    if condition is not None:
        shapes["timestep_cond"] = (batch, condition_width(part))
    return shapes


def condition_width(part: Part) -> int:
    """Return the width of an LCM's guidance embedding; raise ModelUnsupportedError if not [batch, width]."""
    stated = part.config.integer("time_cond_proj_dim", _USUAL_CONDITION, 1, _MOST_CONDITION)
    width = part.needed("timestep_cond", 2).shape[1] or stated
    if width > _MOST_CONDITION:
        raise ModelUnsupportedError(
            sentence(
                "{part} takes {width} numbers of the guidance; at most {most} are known.",
                part=part,
                width=width,
                most=_MOST_CONDITION,
            )
        )
    return width


def plan_condition(unet: Part, guidance: float | None, batch: int) -> np.ndarray | None:
    """Return a UNet's guidance embedding, float32 [batch, width]; None if it takes none."""
    return None if guidance is None else guidance_condition(guidance, condition_width(unet), batch)


def guidance_condition(guidance: float, width: int, batch: int = 1) -> np.ndarray:
    """Return the guidance embedding of an LCM's UNet, float32 [batch, width].

    Encodes `guidance - 1` as a timestep: Luo et al. 2023, https://arxiv.org/abs/2310.04378, section 4.2.
    """
    half = width // 2
    rates = np.exp(-math.log(_SLOWEST) / max(half - 1, 1) * np.arange(half))
    angles = (guidance - 1) * _CONDITION_SCALE * rates
    row = np.concatenate([np.sin(angles), np.cos(angles), np.zeros(width % 2)])
    return np.tile(row.astype(np.float32), (batch, 1))
