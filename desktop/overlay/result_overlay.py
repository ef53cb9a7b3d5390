"""Overlay of a network's results: the part that belongs to the frame, and is drawn into files too."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from desktop.media.subtitles.cues import Cue
from desktop.overlay.layout import OverlayState, image_edges, placed
from desktop.overlay.painting import paint_overlay
from desktop.overlay.subtitles import standing
from desktop.overlay.zones import DrawnHeat, drawn_zones, placing
from desktop.pipeline.picture.present import LaidOver, Placement
from desktop.vision.tasks.shapes import Label, Mask
from desktop.vision.tracking.scene import TrackedResult

# Lines and letters grow beyond this length of a frame's shorter side: 2 px are hardly visible on 4K shown
# small. They do not shrink below it: 5 px letters are unreadable.
_USUAL_SIDE: Final = 1080
LEAST_SHOWN: Final = 0.01
"""Lowest score of a class of the whole frame that is shown."""


def overlay_state(
    tracked_result: TrackedResult,
    title: str,
    at: Placement,
    picture: tuple[int, int],
    *,
    mirrored: bool = False,
) -> OverlayState:
    """Return an overlay state with a network's results; `title` is its name. The frame is `at` a part of the
    canvas, shown flipped if `mirrored`; `picture` is its (width, height) in pixels, (0, 0) for none. Classes
    of the whole frame with a score below `LEAST_SHOWN` are omitted.
    """
    shapes = tracked_result.shapes
    labels = tuple(
        replace(s, value=round(s.value, 2)) for s in shapes if isinstance(s, Label) and s.value >= LEAST_SHOWN
    )
    title = title if labels else ""
    if not picture[0]:
        return OverlayState(bars=labels, bars_title=title)
    put = placing(at, picture, mirrored=mirrored)
    corners = (*put(0.0, 0.0), *put(1.0, 1.0))
    return OverlayState(
        bars=labels,
        bars_title=title,
        found=placed(shapes, at, picture, mirrored=mirrored),
        trails=placed(tracked_result.trails, at, picture, mirrored=mirrored),
        zones=drawn_zones(tracked_result.zones, tracked_result.counts, put, picture[0] / picture[1]),
        image=image_edges(at, picture),
        heat=None if tracked_result.heat is None else DrawnHeat(tracked_result.heat, corners),
    )


def masks_of(tracked_result: TrackedResult) -> tuple[Mask, ...]:
    """Return the masks of the results, which are drawn on the GPU."""
    return tuple(shape for shape in tracked_result.shapes if isinstance(shape, Mask))


def paint_results(
    tracked_result: TrackedResult | None, title: str, picture: tuple[int, int], cues: tuple[Cue, ...] = ()
) -> LaidOver:
    """Paint results and subtitles over a frame of (width, height) `picture` at full resolution, for a file. A
    window at 100% shows the same if the frame's shorter side has at most 1,080 pixels.
    """
    whole = Placement(0.0, 0.0, 1.0)
    state = OverlayState() if tracked_result is None else overlay_state(tracked_result, title, whole, picture)
    state = replace(state, subtitles=standing(cues, whole, picture))
    image = paint_overlay(state, *picture, max(1.0, min(picture) / _USUAL_SIDE))
    return LaidOver(image, () if tracked_result is None else masks_of(tracked_result))
