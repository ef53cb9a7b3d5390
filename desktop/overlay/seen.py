"""What was seen, as a state of the overlay: the part of it that is about the picture, and so belongs into files too.

Figures, words about what was just done and the line of the split are the window's own, which adds them.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from desktop.compute.media.subtitles.cues import Cue
from desktop.compute.present import LaidOver, Placement
from desktop.compute.tasks.shapes import Label, Mask
from desktop.compute.tracking.scene import Sighting
from desktop.overlay.layout import OverlayState, placed
from desktop.overlay.painting import paint_overlay
from desktop.overlay.subtitles import standing
from desktop.overlay.zones import DrawnHeat, drawn_zones, placing

# Lines and letters keep their size up to this many pixels of a picture's shorter side, and grow with it from there: 2 px wide lines can
# hardly be seen on a picture of 4K that is shown small. Weighed: sizes that follow the picture below it too, whose letters of 5 px nobody
# reads.
_USUAL_SIDE: Final = 1080


def seen_state(
    sighting: Sighting,
    title: str,
    at: Placement,
    picture: tuple[int, int],
    *,
    mirrored: bool = False,
) -> OverlayState:
    """Return a state that shows what a network saw.

    Args:
        sighting: what it saw.
        title: the network's name, above what it says of the whole picture.
        at: where the picture lies on the canvas.
        picture: (width, height) of the picture in pixels, (0, 0) where there is none.
        mirrored: the canvas shows the picture flipped.
    """
    shapes = sighting.shapes
    labels = tuple(replace(s, value=round(s.value, 2)) for s in shapes if isinstance(s, Label))
    title = title if labels else ""
    if not picture[0]:
        return OverlayState(bars=labels, bars_title=title)
    put = placing(at, picture, mirrored=mirrored)
    corners = (*put(0.0, 0.0), *put(1.0, 1.0))
    return OverlayState(
        bars=labels,
        bars_title=title,
        found=placed(shapes, at, picture, mirrored=mirrored),
        trails=placed(sighting.trails, at, picture, mirrored=mirrored),
        zones=drawn_zones(sighting.zones, sighting.counts, put, picture[0] / picture[1]),
        heat=None if sighting.heat is None else DrawnHeat(sighting.heat, corners),
    )


def masks_of(sighting: Sighting) -> tuple[Mask, ...]:
    """Return the masks of what was seen, which are drawn on the GPU."""
    return tuple(shape for shape in sighting.shapes if isinstance(shape, Mask))


def paint_seen(
    sighting: Sighting | None, title: str, picture: tuple[int, int], cues: tuple[Cue, ...] = ()
) -> LaidOver:
    """Paint what was seen, and said, over a picture in its full resolution, as it goes into a file.

    A window with one pixel of the screen for each of the picture shows the same where the shorter side has at most 1,080 pixels.

    Args:
        sighting, title: see `seen_state`.
        picture: (width, height) of the picture in pixels.
        cues: the subtitles that stand in it.
    """
    whole = Placement(0.0, 0.0, 1.0)
    state = OverlayState() if sighting is None else seen_state(sighting, title, whole, picture)
    state = replace(state, subtitles=standing(cues, whole, picture))
    image = paint_overlay(state, *picture, max(1.0, min(picture) / _USUAL_SIDE))
    return LaidOver(image, () if sighting is None else masks_of(sighting))
