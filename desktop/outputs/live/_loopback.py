"""A virtual camera on Linux: a v4l2loopback device, written by Video4Linux2's ioctls and `write`."""

from __future__ import annotations

import contextlib
import errno
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Protocol

import numpy as np

from desktop.base.errors import ExportError
from desktop.base.files import reason
from desktop.base.wording import Text, sentence
from desktop.media import v4l2

_DRIVER: Final = "v4l2 loopback"
_LOAD: Final = "sudo modprobe v4l2loopback exclusive_caps=1 card_label=Lightloom"
_GONE: Final = (errno.ENODEV, errno.ENXIO, errno.EIO, errno.ENOENT)
# What PyAV makes arrays of that are the bytes which such a device takes.
_WRITABLE: Final = ("yuyv422", "yuv420p", "nv12", "rgb24", "bgr24")


class Device(Protocol):
    """An open node."""

    def do_ioctl(self, request: int, argument: bytearray) -> None:
        """Do an ioctl, which fills in `argument`. Raises OSError."""

    def write(self, data: bytes | memoryview) -> int:
        """Write one frame; return how many bytes were taken. Raises OSError."""

    def close(self) -> None:
        """Let it go."""


class Node:
    """A `Device` that is one."""

    def __init__(self, path: Path) -> None:
        # Not O_NONBLOCK: v4l2loopback accepts frames at once, and this thread may wait for other devices.
        self._descriptor = os.open(path, os.O_RDWR | getattr(os, "O_CLOEXEC", 0))

    def do_ioctl(self, request: int, argument: bytearray) -> None:
        """See `Device`."""
        v4l2.ioctl(self._descriptor, request, argument)

    def write(self, data: bytes | memoryview) -> int:
        """See `Device`."""
        return os.write(self._descriptor, data)

    def close(self) -> None:
        """See `Device`."""
        os.close(self._descriptor)


class LoopbackTarget:
    """A device that accepts frames of its (width, height) and FFmpeg pixel format."""

    def __init__(self, path: Path, device: Device, taken: v4l2.TakenFormat) -> None:
        self._path, self._device, self._stride = path, device, taken.stride
        self.size, self.pixel_format = taken.size, taken.pixel_format

    def send(self, frame: Any) -> None:
        """Write an `av.VideoFrame` of its format; ExportError if the device is gone or rejects it."""
        data = self._bytes(frame)
        try:
            written = self._device.write(data)
        except OSError as error:
            raise _broken_off(self._path, error) from error
        if written != len(data):
            raise ExportError(
                sentence(
                    "{device} took {written} of {size} bytes of a frame; switch the output off and on again.",
                    device=self._path,
                    written=written,
                    size=len(data),
                )
            )

    def _bytes(self, frame: Any) -> bytes | memoryview:
        plane = frame.planes[0]
        if self.pixel_format == "yuyv422" and plane.line_size == max(self._stride, 2 * self.size[0]):
            # Without copies: 4 MB per frame would hold the GIL, and with it the display.
            return memoryview(plane)
        pixels = frame.to_ndarray()
        row = pixels.shape[1] * (pixels.shape[2] if pixels.ndim == 3 else 1)
        if pixels.ndim == 2 or self._stride <= row:
            return pixels.tobytes()
        padded = np.zeros((pixels.shape[0], self._stride), np.uint8)
        padded[:, :row] = pixels.reshape(pixels.shape[0], row)
        return padded.tobytes()

    def close(self) -> None:
        """Release the device; its readers see the camera end."""
        with contextlib.suppress(OSError):
            self._device.close()


@dataclass(frozen=True)
class Loopbacks:
    """The output devices among a folder of nodes; `opens` opens one, or raises OSError."""

    folder: Path = Path("/dev")
    opens: Callable[[Path], Device] = Node

    def offered(self) -> tuple[str, ...]:
        """Return the paths of all that take frames, those of v4l2loopback first."""
        known = [(path, told) for path in self._nodes() if (told := self._capability(path)) is not None]
        found = [(told.driver != _DRIVER, str(path)) for path, told in known if told.outputs]
        return tuple(path for _, path in sorted(found, key=lambda each: each[0]))

    def _nodes(self) -> list[Path]:
        return sorted(self.folder.glob("video*"), key=lambda node: (len(node.name), node.name))

    def _capability(self, path: Path) -> v4l2.Capability | None:
        """Return a node's capability; None if it cannot be queried or opened."""
        try:
            device = self.opens(path)
        except OSError:
            return None
        try:
            told = bytearray(v4l2.CAPABILITY_BYTES)
            device.do_ioctl(v4l2.QUERYCAP, told)
            return v4l2.parse_capability(told)
        except OSError:
            return None
        finally:
            device.close()

    def _first(self) -> Path | None:
        # Others that take frames are parts of graphics hardware: they are only used by their names.
        found = ((path, self._capability(path)) for path in self._nodes())
        return next((path for path, told in found if told and told.outputs and told.driver == _DRIVER), None)

    def missing(self, device: str) -> str:
        """Return a sentence on what has to be done before there is a camera, '' for nothing."""
        if device:
            path = Path(device)
            if not os.path.exists(path):  # noqa: PTH110 - Path's raises for a name that is too long, or in a folder that is closed
                return sentence(
                    "There is no {device}; leave the device empty, or load it with: {command}",
                    device=device,
                    command=_LOAD,
                )
            told = self._capability(path)
            if told is not None and not told.outputs:
                return sentence("{device} takes no frames; leave the device empty.", device=device)
            return ""
        if self._first() is not None:
            return ""
        if hidden := v4l2.unreadable(self.folder):
            return sentence(
                "{device} may not be opened; add your user to the group 'video' and log in again.",
                device=hidden[0],
            )
        return sentence(
            "There is no virtual camera; install v4l2loopback (Debian, Ubuntu: v4l2loopback-dkms), and "
            "load it with: {command}",
            command=_LOAD,
        )

    def open(self, device: str, size: tuple[int, int], rate: float) -> LoopbackTarget:
        """Open a device, '' for the first v4l2loopback one, with a frame size, or the one it has instead.
        Raises ExportError if there is none, it is in use, or accepts no supported format.
        """
        path = Path(device) if device else self._first()
        if path is None:
            raise ExportError(self.missing(device) or _no_longer())
        try:
            opened = self.opens(path)
        except OSError as error:
            raise _refused(path, error) from error
        try:
            taken = self._agree(path, opened, size)
            # Not every driver wants to know.
            with contextlib.suppress(OSError):
                opened.do_ioctl(v4l2.S_PARM, v4l2.output_rate_request(rate))
        except BaseException:
            opened.close()
            raise
        return LoopbackTarget(path, opened, taken)

    @staticmethod
    def _agree(path: Path, device: Device, size: tuple[int, int]) -> v4l2.TakenFormat:
        asked = v4l2.output_format_request(size)
        try:
            device.do_ioctl(v4l2.S_FMT, asked)
        except OSError as error:
            raise _refused(path, error) from error
        taken = v4l2.parse_output_format(asked)
        if taken.pixel_format not in _WRITABLE or min(taken.size) < 2:
            raise ExportError(
                sentence(
                    "{device} only takes frames of {width} x {height} as '{format}', which Lightloom "
                    "does not produce; end the program that reads from it, or load the device again.",
                    device=path,
                    width=taken.size[0],
                    height=taken.size[1],
                    format=taken.code,
                )
            )
        return taken


def _no_longer() -> Text:
    return sentence("The virtual camera is not there any more; load v4l2loopback again.")


def _refused(path: Path, error: OSError) -> ExportError:
    if error.errno == errno.EBUSY:
        return ExportError(
            sentence(
                "{device} is in use by another program; end that, or choose another device.", device=path
            )
        )
    if error.errno in (errno.EACCES, errno.EPERM):
        return ExportError(
            sentence(
                "{device} may not be opened; add your user to the group 'video' and log in again.",
                device=path,
            )
        )
    if error.errno == errno.EINVAL:
        return ExportError(
            sentence("{device} takes no frames of this size; choose another size or device.", device=path)
        )
    return ExportError(
        sentence(
            "{device} cannot be opened: {reason}; load it with: {command}",
            device=path,
            reason=reason(error),
            command=_LOAD,
        )
    )


def _broken_off(path: Path, error: OSError) -> ExportError:
    if error.errno in _GONE:
        return ExportError(
            sentence(
                "The virtual camera {device} is gone; load it again, then switch the output on.", device=path
            )
        )
    return ExportError(
        sentence(
            "The virtual camera {device} takes no more frames: {reason}; switch the output off and on again.",
            device=path,
            reason=reason(error),
        )
    )
