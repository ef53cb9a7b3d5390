"""What of a setup hangs on the pictures before, so that a film cannot be cut for it: what is said where clips are left whole."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from desktop.compute.filters.description import Filter
from desktop.compute.filters.library import FilterLibrary
from desktop.compute.presets.preset import Setup
from desktop.wording import Text, sentence

# Of a shader's `frame`: what counts from the first picture of a run. `time` is the source's own.
_COUNTED: Final = re.compile(r"\bframe\s*\.\s*(index|delta|reset)\b")
_COMMENT: Final = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)


def remembers(item: Filter) -> bool:
    """Return whether a filter's pictures hang on those before: by what it keeps, what it counts, or its network.

    A buffer that is not cleared counts as kept, though a filter may only use it as scratch: that cannot be told from outside.
    """
    keeps = any(texture.persistent for texture in item.textures) or any(not b.clear for b in item.buffers)
    hangs = item.network is not None and item.network.remembers
    return keeps or hangs or bool(_COUNTED.search(_COMMENT.sub(" ", item.text)))


def reasons(setup: Setup, library: FilterLibrary) -> Iterator[Text]:
    """Yield the reasons why what a setup makes of a film cannot be made in pieces, as sentences' ends.

    Raises:
        FilterError: the library has not all of its filters.
    """
    for stage in setup.chain.stages:
        if stage.enabled and remembers(library.get(stage.filter)):
            yield sentence("the filter {name} remembers pictures before", name=stage.filter)
    if setup.anonymize is not None:
        yield sentence("what is hidden is followed from picture to picture")
    scene, network = setup.scene, setup.network
    if scene.track is not None:
        yield sentence("things are followed from picture to picture")
    if scene.zones or scene.heat_map:
        yield sentence("zones count from the beginning")
    if network is not None and network.every > 1:
        yield sentence("the network looks at every {count}. picture", count=network.every)
    if network is not None and network.second is not None:
        # Regions are carried from picture to picture (running/closer.py).
        yield sentence("a second network goes by where things were")
