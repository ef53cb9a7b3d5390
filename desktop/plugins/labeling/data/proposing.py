"""Propose labels of images with a network."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from desktop.base.errors import SourceError
from desktop.outputs.collect import setup_for
from desktop.outputs.journal import PictureRecord
from desktop.pipeline.engine import Engine
from desktop.pipeline.running.network_spec import NetworkSpec
from desktop.plugins.labeling.data.labels import Picture, proposed
from desktop.plugins.labeling.data.pictures import PictureSet
from desktop.vision.tracking.scene import Scene, SceneSpec

Proposed = Callable[[str, Picture | SourceError], None]
"""Called with an image's name and its proposal, or why it cannot be opened; may raise StoppedError to end."""


def propose(
    engine: Engine, spec: NetworkSpec, pictures: PictureSet, names: Iterable[str], found: Proposed
) -> None:
    """Run a network on images as they are in their files, without filters or tracking.

    Args:
        engine: made with `wait`; used on its thread. A network that is already loaded stays loaded.
        names: names of the images, in order; `found` is called for each.

    Raises:
        LightloomError: the network or device failed; StoppedError from `found` or a stopped engine.
    """
    engine.current.set_setup(setup_for(spec, SceneSpec()))
    for name in names:
        try:
            frame = pictures.load(name)
        except SourceError as error:
            found(name, error)
            continue
        result = engine.analyze_frame(frame)
        tracked_result = Scene().see(result, frame.pts, engine.current.picture_size)
        # Masks are textures; the record reads them back before the next image replaces them.
        record = PictureRecord.of(tracked_result, str(pictures.path), name, 1, still=True)
        found(name, proposed(record.shapes))
