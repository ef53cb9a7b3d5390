"""A virtual camera, by v4l2loopback on Linux (`_loopback.py`), else pyvirtualcam (`_pyvirtualcam.py`)."""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping
from typing import Any, Final, Protocol

import av
import numpy as np
from av.video.reformatter import ColorRange, Colorspace

from desktop.base.fields import Suggested, Value
from desktop.base.wording import sentence
from desktop.outputs.frames import fitted
from desktop.outputs.live._loopback import Loopbacks
from desktop.outputs.live._pyvirtualcam import USER_PACKAGE, Installed
from desktop.outputs.live._shared_fields import RATE, SIZE, Limit, foresee, rate_of, size_of
from desktop.outputs.live._user_package import UserPackage
from desktop.outputs.live.output import LiveOutput, LiveSink, PictureFormat, SinkFigures
from desktop.outputs.transparency import over_black

# Five a second: programs take a camera for dead that is silent for a second.
_REPEAT_S: Final = 0.2


class CameraTarget(Protocol):
    """An open device."""

    size: tuple[int, int]
    pixel_format: str

    def send(self, frame: Any) -> None:
        """Hand an `av.VideoFrame` of its size and pixel format over. Raises ExportError."""

    def close(self) -> None:
        """Let it go."""


class Cameras(Protocol):
    """The devices that there are."""

    def offered(self) -> tuple[str, ...]:
        """Return what devices can be chosen by their names."""

    def missing(self, device: str) -> str:
        """Return what has to be installed or done first, '' for nothing."""

    def open(self, device: str, size: tuple[int, int], rate: float) -> CameraTarget:
        """Open one, '' for the first. Raises ExportError."""


class CameraSink(LiveSink):
    """Writes frames to a device, at its size and in its pixel format. Y'CbCr is BT.601 in limited range at
    any size, as assumed for untagged cameras: with BT.709 browsers showed wrong greens.
    """

    def __init__(self, target: CameraTarget, limit: Limit) -> None:
        self._target, self._limit = target, limit
        self._figures = SinkFigures()

    def write(self, picture: np.ndarray, at: float) -> None:
        if not self._limit.takes(at):
            return
        size, pixel_format = self._target.size, self._target.pixel_format
        frame = av.VideoFrame.from_ndarray(
            np.ascontiguousarray(over_black(fitted(picture, size))), format="rgba"
        )
        if pixel_format in ("rgb24", "bgr24"):
            frame = frame.reformat(*size, format=pixel_format)
        else:
            frame = frame.reformat(
                *size,
                format=pixel_format,
                dst_colorspace=Colorspace.ITU601,
                dst_color_range=ColorRange.MPEG,
            )
        self._target.send(frame)
        self._figures = SinkFigures(self._figures.pictures + 1, latency_s=time.perf_counter() - at)

    def figures(self) -> SinkFigures:
        return self._figures

    def close(self) -> None:
        self._target.close()


def virtual_camera(cameras: Cameras, package: UserPackage | None = None) -> LiveOutput:
    """Return the output to the devices that there are, with what can be installed for them."""

    def open_sink(values: Mapping[str, Value], pictures: PictureFormat) -> CameraSink:
        rate = rate_of(values) or pictures.rate or 30.0
        target = cameras.open(str(values["device"]), size_of(values, pictures), rate)
        return CameraSink(target, Limit.of(values, pictures))

    return LiveOutput(
        id="virtual_camera",
        title=sentence("Virtual camera"),
        order=0,
        fields=(
            Suggested(
                name="device",
                label=sentence("Device"),
                help=sentence("The device that is written to; empty for the first virtual camera."),
                suggestions=cameras.offered,
            ),
            SIZE,
            RATE,
        ),
        missing=lambda values: cameras.missing(str(values["device"])),
        open=open_sink,
        foresee=foresee,
        # Viewers see the frame, not its components.
        overlay=False,
        repeat_s=_REPEAT_S,
        takes_audio=False,
        package=package,
    )


OUTPUT: Final = (
    virtual_camera(Loopbacks()) if sys.platform == "linux" else virtual_camera(Installed(), USER_PACKAGE)
)
