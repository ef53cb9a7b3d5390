"""Values of the inputs that filters request besides the image, for a frame."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from desktop.pipeline.filters.inputs import MAX_TRACKS, InputValues, Track
from desktop.vision.tasks.shapes import Extents, Label, Line, Mask, Position, Shape, bounds, identity_of

if TYPE_CHECKING:
    from desktop.media.audio.curves import AudioCurves
    from desktop.pipeline.chain.automating import KnownFilters
    from desktop.pipeline.chain.spec import StageSpec
    from desktop.pipeline.masks.sources import MaskScene


@dataclass(frozen=True)
class InputStatus:
    """State of a stage's inputs in the last frame: those without data, and by how much objects are older."""

    lacks: tuple[str, ...] = ()
    lag_ms: float = 0.0


# Seconds over which the motion of an object is measured.
_SPAN: Final = 0.1


def input_values(
    inputs: tuple[str, ...], audio: AudioCurves | None, scene: MaskScene
) -> tuple[InputValues, InputStatus]:
    """Return the values of a filter's inputs at the time of a scene, and their state."""
    spectrum, tracks, age, lacks = None, tuple[Track, ...](), 0.0, list[str]()
    if "audio" in inputs:
        spectrum = audio.spectrum(scene.pts) if audio is not None else None
        lacks += ["audio"] if spectrum is None else []
    if "tracks" in inputs:
        tracks, age = tracks_of(scene), scene.lag_s
        lacks += ["tracks"] if scene.result(hides=False) is None else []
    return InputValues(spectrum, tracks, age), InputStatus(tuple(lacks), age * 1e3)


def inputs_of(stage: StageSpec, library: KnownFilters) -> tuple[str, ...]:
    """Return the inputs of a stage's filter; none while it is not known."""
    item = library.filters.get(stage.filter)
    return item.inputs if item is not None else ()


def tracks_of(scene: MaskScene) -> tuple[Track, ...]:
    """Return the objects of the result that holds for a frame, where they are expected in it: the largest first,
    at most MAX_TRACKS.
    """
    tracked = scene.result(hides=False)
    if tracked is None:
        return ()
    shapes: dict[object, Shape] = {}
    for number, shape in enumerate(tracked.shapes):
        if isinstance(shape, Label | Line) or (isinstance(shape, Mask) and shape.is_class):
            continue
        thing = getattr(shape, "thing", None)
        shapes.setdefault(("alone", number) if thing is None else thing, shape)
    places = [scene.expected_at(scene.pts + later) for later in (-scene.lag_s, 0.0, _SPAN)]
    found = [
        _track(shape, *([_center(p.get(identity_of(shape) or 0)) for p in places]))
        for shape in shapes.values()
    ]
    known = [track for track in found if track is not None]
    return tuple(sorted(known, key=lambda track: (-_area(track.box), track.identity))[:MAX_TRACKS])


def _track(
    shape: Shape, before: Position | None, now: Position | None, later: Position | None
) -> Track | None:
    """Return an object; `before`, `now` and `later` are centers at the result's, the frame's and a later time."""
    box, velocity = bounds(shape), (0.0, 0.0)
    if box is not None and before is not None and now is not None and later is not None:
        x, y = now[0] - before[0], now[1] - before[1]
        box = (box[0] + x, box[1] + y, box[2] + x, box[3] + y)
        velocity = ((later[0] - now[0]) / _SPAN, (later[1] - now[1]) / _SPAN)
    # Outputs of networks may be anything.
    if box is None or not all(map(math.isfinite, (*box, *velocity))):
        return None
    score = getattr(shape, "score", None)
    if not isinstance(score, float) or not math.isfinite(score):
        score = 1.0
    return Track(box, velocity, score, shape.index, identity_of(shape) or 0)


def _center(box: Extents | None) -> Position | None:
    return None if box is None else ((box[0] + box[2]) / 2, (box[1] + box[3]) / 2)


def _area(box: Extents) -> float:
    return max(0.0, box[2] - box[0]) * max(0.0, box[3] - box[1])
