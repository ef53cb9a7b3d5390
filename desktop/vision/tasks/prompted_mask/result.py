"""Result of a prompt: a mask, its extents, and its predicted quality."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from desktop.base.wording import sentence
from desktop.vision.tasks.common.mask_ring import MaskRing, mask_pixels
from desktop.vision.tasks.common.prompts import Prompts
from desktop.vision.tasks.shapes import Extents, Mask
from desktop.vision.tasks.task import Result, Size

LABEL: Final = "object"
_EDGE: Final = 0.0


@dataclass(frozen=True)
class PromptedMask(Result):
    """Mask of the object at the user's prompts, in an image of `size` (width, height).

    Predicted quality 0 to 1; box in image pixels, None for an empty mask; `area` as a fraction of the image.
    """

    prompts: Prompts = field(default_factory=Prompts)
    size: Size = (0, 0)
    score: float = 0.0
    box: Extents | None = None
    area: float = 0.0
    masks: tuple[Mask, ...] = field(default=(), repr=False)

    def json(self) -> dict[str, Any]:
        """Return 'size', 'prompts' ('points' as [x, y, 1 or 0], 'box') and at most one of 'objects'."""
        thing = {"index": 0, "label": LABEL, "score": self.score, "box": self.box, "area": self.area}
        objects = [] if self.box is None else [thing]
        return {"size": list(self.size), "prompts": self.prompts.json(self.size), "objects": objects}

    def lines(self) -> tuple[str, ...]:
        """Score, box and covered fraction."""
        if self.box is None:
            return ("nothing is there" if self.prompts else "nothing was pointed at",)
        left, top, right, bottom = (round(v) for v in self.box)
        return (f"{self.score:7.2%}  {left},{top} to {right},{bottom}  covers {self.area:.2%}",)

    def shapes(self) -> tuple[Mask, ...]:
        """The mask, whose extents are the object's box."""
        return self.masks

    @property
    def hint(self) -> str:
        """Advice if nothing is marked."""
        if not self.prompts:
            return sentence("Click on an object in the image, or drag a box around it.")
        return "" if self.masks else sentence("Nothing was found there; click on another part of the object.")


def prompted_mask(
    logits: np.ndarray,
    score: float,
    part: tuple[float, float],
    prompts: Prompts,
    size: Size,
    ring: MaskRing,
) -> PromptedMask:
    """Return the result for a decoder's answer, with its mask in one layer of the ring.

    `logits` are float32 (rows, columns) over the frame, whose `part` from the upper left the image fills;
    interpolated, they are above 0 on the object. `size` is the image's (width, height).
    """
    rows, columns = logits.shape
    inside = logits[: max(1, round(part[1] * rows)), : max(1, round(part[0] * columns))]
    extents = _extents(logits, part)
    if extents is None:
        return PromptedMask(prompts, size, score)
    texels = (part[0] * columns, part[1] * rows)
    left, top, right, bottom = (min(max(v / texels[i % 2], 0.0), 1.0) for i, v in enumerate(extents))
    if not (right > left and bottom > top):
        return PromptedMask(prompts, size, score)
    slot = ring.take()
    ring.put(slot, logits[None])
    place = (left, top, right, bottom)
    seen = tuple(v * part[i % 2] for i, v in enumerate(place))
    cut = (seen[0], seen[1], seen[2], seen[3])
    mask = Mask(
        *(LABEL, 0, ring.textures[slot], *place),
        score=score,
        part=cut,
        level=_EDGE,
        reader=_pixels(logits, cut, place, size),
    )
    box = (left * size[0], top * size[1], right * size[0], bottom * size[1])
    return PromptedMask(prompts, size, score, box, float((inside > _EDGE).mean()), (mask,))


def _pixels(logits: np.ndarray, part: Extents, place: Extents, size: Size) -> Callable[[], np.ndarray]:
    return lambda: mask_pixels(logits, part, place, size, _EDGE)


def _extents(logits: np.ndarray, part: tuple[float, float]) -> Extents | None:
    """Return left, top, right, bottom, in texels, of the interpolated logits above 0, or None."""
    across, down = _crossings(logits), _crossings(logits.T)
    if across is None or down is None:
        return None
    rows, columns = logits.shape
    limits = (part[0] * columns, part[1] * rows)
    left, right = (min(max(v, 0.0), limits[0]) for v in across)
    top, bottom = (min(max(v, 0.0), limits[1]) for v in down)
    return (left, top, right, bottom) if right > left and bottom > top else None


def _crossings(values: np.ndarray) -> tuple[float, float] | None:
    """Return the ends of values above 0 along the second axis; the center of texel n is n + 0.5."""
    above = values > _EDGE
    if not above.any():
        return None
    count = values.shape[1]
    first, last = np.argmax(above, axis=1), count - 1 - np.argmax(above[:, ::-1], axis=1)
    rows = np.flatnonzero(above.any(axis=1))
    first, last = first[rows], last[rows]

    def to_edge(at: np.ndarray, before: np.ndarray) -> np.ndarray:
        inner = values[rows, at]
        outer = values[rows, np.clip(before, 0, count - 1)]
        return np.asarray(inner / np.maximum(inner - outer, 1e-12))

    starts = np.where(first > 0, first + 0.5 - to_edge(first, first - 1), 0.0)
    ends = np.where(last < count - 1, last + 0.5 + to_edge(last, last + 1), float(count))
    return float(starts.min()), float(ends.max())
