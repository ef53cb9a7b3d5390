"""What a network proposes as labels of pictures."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from desktop.compute.collect import setup_for
from desktop.compute.engine import Engine
from desktop.compute.labeling.labels import Picture, proposed
from desktop.compute.labeling.pictures import PictureSet
from desktop.compute.outputs.journal import PictureRecord
from desktop.compute.running.network_spec import NetworkSpec
from desktop.compute.tracking.scene import Scene, SceneSpec
from desktop.errors import SourceError

Proposed = Callable[[str, Picture | SourceError], None]
"""Is given a picture's name and what is proposed for it, or why it does not open; may raise StoppedError to end."""


def propose(
    engine: Engine, spec: NetworkSpec, pictures: PictureSet, names: Iterable[str], found: Proposed
) -> None:
    """Have a network look at pictures, one after the other, each as its file has it: no filters, nothing followed.

    Args:
        engine: made with `wait`; for its thread. A network that it has loaded already stays.
        spec: the network.
        pictures: where they come from.
        names: which, in this order.
        found: is called for each.

    Raises:
        LightloomError: the network cannot be used, or the device failed; StoppedError of `found` or of an engine that was stopped.
    """
    engine.set_setup(setup_for(spec, SceneSpec()))
    for name in names:
        try:
            frame = pictures.load(name)
        except SourceError as error:
            found(name, error)
            continue
        result = engine.look_once(frame)
        sighting = Scene().see(result, frame.pts, engine.picture_size)
        # Masks are textures; the record has them read back, before the next picture takes their place.
        record = PictureRecord.of(sighting, str(pictures.path), name, 1, still=True)
        found(name, proposed(record.shapes))
