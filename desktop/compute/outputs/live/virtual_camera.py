"""A virtual camera: other programs, a call in a browser above all, see what is shown here as they see a webcam.

Linux has v4l2loopback's devices (`_loopback.py`), elsewhere pyvirtualcam finds one (`_pyvirtualcam.py`).
"""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping
from typing import Any, Final, Protocol

import av
import numpy as np
from av.video.reformatter import ColorRange, Colorspace

from desktop.compute.outputs.fields import Field
from desktop.compute.outputs.frames import fitted
from desktop.compute.outputs.live._loopback import Loopbacks
from desktop.compute.outputs.live._pyvirtualcam import Installed
from desktop.compute.outputs.live.output import LiveOutput, PictureFormat, SinkFigures
from desktop.compute.tracking.events import Value
from desktop.wording import sentence

_AS_SHOWN: Final = sentence("as shown")
_SIZES: Final = (_AS_SHOWN, "640x360", "1280x720", "1920x1080")
_RATES: Final = (_AS_SHOWN, "15", "24", "25", "30", "50", "60")
# Five a second: programs take a camera for dead that is silent for a second.
_REPEAT_S: Final = 0.2
# A picture that comes this share of a picture's time early is not left out: screens and sources are not that exact.
_EARLY: Final = 0.25


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


class CameraSink:
    """Writes pictures to a device, at its size and in its pixel format, no more a second than `rate`.

    Y'CbCr is BT.601 in limited range, whatever the size: what a camera that says nothing is taken to have (see `v4l2.ask_output_format`).
    BT.709 from 720 rows up, as in videos, was rejected: browsers do not look at the size, and greens came out wrong.
    """

    def __init__(self, target: CameraTarget, rate: float = 0.0) -> None:
        """Begin; `rate` 0 for all that come."""
        self._target, self._rate = target, rate
        self._due = 0.0
        self._figures = SinkFigures()

    def write(self, picture: np.ndarray, at: float) -> None:
        """See `LiveSink`."""
        if not self._is_due(at):
            return
        size, pixel_format = self._target.size, self._target.pixel_format
        frame = av.VideoFrame.from_ndarray(np.ascontiguousarray(fitted(picture, size)), format="rgba")
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

    def _is_due(self, at: float) -> bool:
        if not self._rate:
            return True
        apart = 1.0 / self._rate
        if at < self._due - _EARLY * apart:
            return False
        # One that is late does not move the others, unless it is later than the next one.
        self._due = (self._due if at < self._due + apart else at) + apart
        return True

    def hear(self, samples: np.ndarray, at: float) -> None:
        """See `LiveSink`; a camera has no sound."""

    def figures(self) -> SinkFigures:
        """See `LiveSink`."""
        return self._figures

    def close(self) -> None:
        """See `LiveSink`."""
        self._target.close()


def size_of(values: Mapping[str, Value], pictures: PictureFormat) -> tuple[int, int]:
    """Return the (width, height) that is asked for; even, as the colors have half of it."""
    if values["size"] == _AS_SHOWN:
        width, height = pictures.width, pictures.height
    else:
        width, height = (int(side) for side in str(values["size"]).split("x"))
    return max(2, width - width % 2), max(2, height - height % 2)


def _rate_of(values: Mapping[str, Value]) -> float:
    return 0.0 if values["rate"] == _AS_SHOWN else float(values["rate"])


def foresee(values: Mapping[str, Value], pictures: PictureFormat) -> tuple[str, ...]:
    """Return what will be made, where that is not what is shown."""
    width, height = size_of(values, pictures)
    notes: list[str] = []
    if (width, height) != (pictures.width, pictures.height):
        told = {"width": width, "height": height}
        notes.append(
            sentence("Pictures are made {width} x {height}.", **told)
            if abs(width * pictures.height - height * pictures.width) <= 2 * max(width, height)
            else sentence("Pictures are made {width} x {height}, with black borders.", **told)
        )
    rate = _rate_of(values)
    if rate and rate < pictures.rate * 0.99:
        notes.append(
            sentence(
                "Of {shown} pictures a second it gets {rate}.", shown=f"{pictures.rate:g}", rate=f"{rate:g}"
            )
        )
    return tuple(notes)


def virtual_camera(cameras: Cameras) -> LiveOutput:
    """Return the output to the devices that there are."""

    def open_sink(values: Mapping[str, Value], pictures: PictureFormat) -> CameraSink:
        rate = _rate_of(values)
        target = cameras.open(str(values["device"]), size_of(values, pictures), rate or pictures.rate or 30.0)
        # As many as are shown are all taken: a source that is a little early now and then loses none.
        return CameraSink(target, rate if rate < pictures.rate * 0.99 else 0.0)

    return LiveOutput(
        id="virtual_camera",
        title=sentence("Virtual camera"),
        order=0,
        fields=(
            Field(
                name="device",
                label=sentence("Device"),
                help=sentence("The device that is written to; empty for the first virtual camera."),
                offers=cameras.offered,
            ),
            Field(
                name="size",
                label=sentence("Size"),
                help=sentence("Pictures of another shape get black borders; they are never stretched."),
                kind="choice",
                default=_AS_SHOWN,
                choices=_SIZES,
            ),
            Field(
                name="rate",
                label=sentence("Pictures a second"),
                help=sentence("At most so many; a slower source is not made faster."),
                kind="choice",
                default=_AS_SHOWN,
                choices=_RATES,
            ),
        ),
        missing=lambda values: cameras.missing(str(values["device"])),
        open=open_sink,
        foresee=foresee,
        # Whoever is called sees the picture, not what it is made of.
        overlay=False,
        repeat_s=_REPEAT_S,
        hears=False,
    )


OUTPUT: Final = virtual_camera(Loopbacks() if sys.platform == "linux" else Installed())
