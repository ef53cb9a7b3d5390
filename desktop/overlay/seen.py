"""What was seen, as a state of the overlay: the part of it that is about the picture, and so belongs into files too.

Figures, words about what was just done and the line of the split are the window's own, which adds them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from desktop.compute.present import Placement
from desktop.compute.tasks.shapes import Label, Shape
from desktop.overlay.layout import OverlayState, placed


def seen_state(
    shapes: Iterable[Shape],
    title: str,
    at: Placement,
    picture: tuple[int, int],
    *,
    mirrored: bool = False,
) -> OverlayState:
    """Return a state that shows what a network saw.

    Args:
        shapes: what it saw, in shares of the picture.
        title: the network's name, above what it says of the whole picture.
        at: where the picture lies on the canvas.
        picture: (width, height) of the picture in pixels, (0, 0) where there is none.
        mirrored: the canvas shows the picture flipped.
    """
    shapes = tuple(shapes)
    labels = tuple(replace(s, value=round(s.value, 2)) for s in shapes if isinstance(s, Label))
    found = placed(shapes, at, picture, mirrored=mirrored) if picture[0] else ()
    return OverlayState(bars=labels, bars_title=title if labels else "", found=found)
