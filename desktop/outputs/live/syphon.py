"""Syphon: the live frame for other programs on the same Mac, through syphon-python. That (MIT license) is an
extra because of PyObjC. It gets frames from memory, as wgpu does not expose the rendered texture.
"""

from __future__ import annotations

import time
from typing import Any, Final

import numpy as np

from desktop.base.errors import ExportError
from desktop.base.printable import printable
from desktop.base.wording import sentence
from desktop.outputs.live._package import Package
from desktop.outputs.live._shared_fields import NAME, name_of
from desktop.outputs.live.output import LiveOutput, LiveSink, SinkFigures

_PACKAGE: Final = Package("syphon", "syphon", "Syphon")
# The last frame stays in the shared surface; five repetitions a second tell receivers that it is live.
_REPEAT_S: Final = 0.2
# The GPU may still read one while the next is written.
_TEXTURES: Final = 2


class SyphonSink(LiveSink):
    """A `LiveSink`: R'G'B'A with straight alpha; receivers follow its size."""

    def __init__(self, package: Package, name: str) -> None:
        """Start; ExportError if the package or a Metal device is missing."""
        syphon = package.get()
        self._fill = package.get("syphon.utils.numpy").copy_image_to_mtl_texture
        self._make = package.get("syphon.utils.raw").create_mtl_texture
        # A thread that is not Cocoa's has no pool: what Metal makes for each frame would never be freed.
        self._pool = package.get("objc").autorelease_pool
        try:
            with self._pool():
                self._server = syphon.SyphonMetalServer(name)
        # Without a Metal device the wrapper fails on the way, wherever that is.
        except Exception as error:
            raise ExportError(
                sentence(
                    "Syphon cannot begin: {reason}; it needs macOS 11 and a graphics device with Metal.",
                    reason=printable(str(error)),
                )
            ) from error
        self._textures: list[Any] = []
        self._size = (0, 0)
        self._figures = SinkFigures()

    def write(self, picture: np.ndarray, at: float) -> None:
        height, width = picture.shape[:2]
        with self._pool():
            if (width, height) != self._size:
                self._textures = [self._make(self._server.device, width, height) for _ in range(_TEXTURES)]
                self._size = width, height
            texture = self._textures[self._figures.pictures % _TEXTURES]
            self._fill(picture, texture)
            # Syphon's surfaces begin at the bottom, frames at the top.
            self._server.publish_frame_texture(texture, is_flipped=True)
        self._figures = SinkFigures(self._figures.pictures + 1, latency_s=time.perf_counter() - at)

    def figures(self) -> SinkFigures:
        return self._figures

    def close(self) -> None:
        with self._pool():
            self._server.stop()
            self._textures.clear()


def syphon_output(package: Package = _PACKAGE) -> LiveOutput:
    """Return the output; `package` is syphon-python."""

    return LiveOutput(
        id="syphon",
        title="Syphon",
        order=20,
        fields=(NAME,),
        missing=lambda values: package.lack,
        open=lambda values, pictures: SyphonSink(package, name_of(values)),
        repeat_s=_REPEAT_S,
        takes_audio=False,
        systems=("darwin",),
    )


OUTPUT: Final = syphon_output()
