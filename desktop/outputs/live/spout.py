"""Spout: the live frame for other programs on the same Windows computer, through SpoutGL.

SpoutGL (BSD) is an extra: its wheels are for Windows only. It writes frames to the shared DirectX 11 texture
(1.6 ms for 1920x1080). Not its `createOpenGL` window, which needs a second upload.
"""

from __future__ import annotations

import time
from typing import Any, Final

import numpy as np

from desktop.base.errors import ExportError
from desktop.base.wording import sentence
from desktop.outputs.live._package import Package
from desktop.outputs.live._shared_fields import NAME, name_of
from desktop.outputs.live.output import LiveOutput, LiveSink, SinkFigures

_PACKAGE: Final = Package("SpoutGL", "spout", "Spout")
# The last frame stays in the shared texture; five repetitions a second tell receivers that it is live.
_REPEAT_S: Final = 0.2


class SpoutSink(LiveSink):
    """A `LiveSink`: R'G'B'A with straight alpha, the first row on top; receivers follow its size."""

    def __init__(self, spout: Any, name: str) -> None:
        """Begin; `spout` is the module `SpoutGL`. What it lacks shows with the first frame."""
        self._format = spout.enums.GL_RGBA
        self._sender = spout.SpoutSender()
        self._sender.setSenderName(name)
        self._figures = SinkFigures()

    def write(self, picture: np.ndarray, at: float) -> None:
        height, width = picture.shape[:2]
        told = self._figures
        if self._sender.sendImage(np.ascontiguousarray(picture), width, height, self._format, False, 0):
            self._figures = SinkFigures(
                told.pictures + 1, latency_s=time.perf_counter() - at, dropped=told.dropped
            )
        elif told.pictures:
            # A receiver holds the texture for longer than Spout waits.
            self._figures = SinkFigures(told.pictures, latency_s=told.latency_s, dropped=told.dropped + 1)
        else:
            raise ExportError(
                sentence("Spout cannot begin; it needs a graphics card with DirectX 11 and its driver.")
            )

    def figures(self) -> SinkFigures:
        return self._figures

    def close(self) -> None:
        self._sender.releaseSender()


def spout_output(package: Package = _PACKAGE) -> LiveOutput:
    """Return the output; `package` is SpoutGL."""

    return LiveOutput(
        id="spout",
        title="Spout",
        order=20,
        fields=(NAME,),
        missing=lambda values: package.lack,
        open=lambda values, pictures: SpoutSink(package.get(), name_of(values)),
        repeat_s=_REPEAT_S,
        takes_audio=False,
        systems=("win32",),
    )


OUTPUT: Final = spout_output()
