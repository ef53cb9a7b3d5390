"""Determine whether a setup depends on earlier frames, so that a video cannot be split, and explain why."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from desktop.base.wording import Text, sentence
from desktop.pipeline.filters.description import Filter
from desktop.pipeline.filters.library import FilterLibrary
from desktop.pipeline.setup.setup import Setup

# Fields of a shader's `frame` that count from the first frame of a run. `time` is the source's own.
_COUNTED: Final = re.compile(r"\bframe\s*\.\s*(index|delta|reset)\b")
_COMMENT: Final = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)


def remembers(item: Filter) -> bool:
    """Return whether a filter's output depends on earlier frames: by its buffers, frame count or network."""
    keeps = any(texture.persistent for texture in item.textures) or any(not b.clear for b in item.buffers)
    hangs = item.network is not None and item.network.remembers
    return keeps or hangs or bool(_COUNTED.search(_COMMENT.sub(" ", item.text)))


def reasons(setup: Setup, library: FilterLibrary) -> Iterator[Text]:
    """Yield the reasons, as sentences' ends, why a video cannot be processed in pieces with a setup.

    Raises FilterError if the library lacks one of its filters.
    """
    chains = (setup.chain, *(layer.chain for layer in setup.layers.in_use))
    for stage in (stage for chain in chains for stage in chain.stages):
        if stage.enabled and remembers(library.get(stage.filter)):
            yield sentence("the filter {name} depends on earlier frames", name=stage.filter)
        parts = stage.mask.parts if stage.enabled and stage.mask is not None else ()
        if any(part.attachment is not None or remembers(library.mask(part.kind)) for part in parts):
            yield sentence("the mask of the filter {name} depends on earlier frames", name=stage.filter)
    if setup.anonymize is not None:
        yield sentence("redaction follows objects from frame to frame")
    scene, network = setup.scene, setup.analysis
    if scene.track is not None:
        yield sentence("objects are tracked from frame to frame")
    if scene.zones or scene.heat_map:
        yield sentence("zones count from the beginning")
    if network is not None and network.every > 1:
        yield sentence("the network processes every {count}. frame", count=network.every)
    if network is not None and network.second is not None:
        # Redaction carries regions from frame to frame (pipeline/running/pairs/cascade.py).
        yield sentence("a secondary network depends on earlier positions of objects")
