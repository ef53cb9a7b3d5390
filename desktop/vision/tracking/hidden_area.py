"""Area of a frame that is redacted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from desktop.vision.tasks.shapes import Mask

MOST_AREAS: Final = 256
"""Largest number of areas that are redacted one by one; of more, the whole frame is."""


@dataclass(frozen=True)
class HiddenArea:
    """Area to redact, in fractions of the frame's sides; may extend beyond the frame.

    Attributes:
        is_round: redact only the ellipse inscribed in it.
        mask: redact only what this covers, and what is within `grow` of it.
        grow: distance, in fractions of the mask's longer side.
    """

    left: float
    top: float
    right: float
    bottom: float
    is_round: bool = False
    mask: Mask | None = None
    grow: float = 0.0


FULL_FRAME: Final = HiddenArea(0.0, 0.0, 1.0, 1.0)
"""The whole frame."""
