"""List cameras and their modes, and configure output devices, with Video4Linux2's ioctls on Linux ("Video for
Linux API", linux/videodev2.h). Not libavdevice's list: it has metadata nodes, and no rates.
"""

from __future__ import annotations

import contextlib
import os
import struct
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self

# (descriptor, request, argument, which is filled in): `fcntl.ioctl` with mutate_flag.
Ioctl = Callable[[int, int, bytearray], object]

QUERYCAP: Final = 0x80685600
ENUM_FMT: Final = 0xC0405602
ENUM_FRAMESIZES: Final = 0xC02C564A
ENUM_FRAMEINTERVALS: Final = 0xC034564B
# The union in `struct v4l2_format` contains pointers, which determine its alignment and the total size.
_POINTER: Final = struct.calcsize("P")
_FORMAT = struct.Struct(f"=I{_POINTER - 4}x12I{200 - 48}x")
S_FMT: Final = 0xC0005605 | _FORMAT.size << 16
S_PARM: Final = 0xC0CC5616

_CAPABILITY = struct.Struct("=16s32s32sIII12x")
CAPABILITY_BYTES: Final = _CAPABILITY.size
_FMTDESC = struct.Struct("=III32sII12x")
_FRMSIZE = struct.Struct("=III6I8x")
_FRMIVAL = struct.Struct("=IIIII6I8x")

# struct v4l2_streamparm with a v4l2_outputparm in it.
_OUTPUTPARM = struct.Struct("=I4I2I16x160x")
_BUF_TYPE_VIDEO_OUTPUT, _FIELD_NONE = 2, 1
# V4L2_PIX_FMT_PRIV_MAGIC: the fields behind `priv` are filled in too.
_PRIV_MAGIC: Final = 0xFEEDCAFE
_COLORSPACE_SRGB, _YCBCR_ENC_601, _QUANTIZATION_LIM_RANGE, _XFER_FUNC_SRGB = 8, 1, 2, 2

_VIDEO_OUTPUT: Final = 0x00000002
_VIDEO_CAPTURE, _STREAMING, _HAS_DEVICE_CAPS = 0x00000001, 0x04000000, 0x80000000
_DISCRETE = 1
# A driver that never reports the end of a list must not hang the program.
_MOST = 256
_FASTEST: Final = 1000.0

FOURCC: Final[dict[bytes, str]] = {
    b"MJPG": "mjpeg",
    b"JPEG": "mjpeg",
    b"H264": "h264",
    b"HEVC": "hevc",
    b"YUYV": "yuyv422",
    b"UYVY": "uyvy422",
    b"NV12": "nv12",
    b"YU12": "yuv420p",
    b"422P": "yuv422p",
    b"RGB3": "rgb24",
    b"BGR3": "bgr24",
    b"GREY": "gray",
}
# Sizes offered for a camera that supports any in a range.
COMMON_SIZES: Final = (
    (320, 240),
    (640, 360),
    (640, 480),
    (800, 600),
    (1280, 720),
    (1920, 1080),
    (2560, 1440),
    (3840, 2160),
)


@dataclass(frozen=True)
class Capability:
    """The result of VIDIOC_QUERYCAP: whether a node captures frames, and whether it outputs them."""

    name: str
    bus: str
    captures: bool
    outputs: bool = False
    driver: str = ""


@dataclass(frozen=True)
class Mode:
    """A size in pixels, frames per second (0.0 if unknown) and FFmpeg's name of the pixel format or codec."""

    width: int
    height: int
    rate: float
    pixel_format: str


def parse_capability(data: bytes | bytearray) -> Capability:
    """Parse a `struct v4l2_capability` (104 bytes). Nodes for metadata and output don't capture."""
    driver, card, bus, _, everything, own = _CAPABILITY.unpack(data)
    flags = own if everything & _HAS_DEVICE_CAPS else everything
    both = _VIDEO_CAPTURE | _STREAMING
    return Capability(
        c_text(card), c_text(bus), flags & both == both, bool(flags & _VIDEO_OUTPUT), c_text(driver)
    )


@dataclass(frozen=True)
class TakenFormat:
    """The frame format of an output device: (width, height) in pixels, FFmpeg's pixel format ('' if unknown),
    four-character code, row stride of the first plane in bytes.
    """

    size: tuple[int, int]
    pixel_format: str
    code: str
    stride: int


def output_format_request(size: tuple[int, int]) -> bytearray:
    """Return a `struct v4l2_format` (208 bytes, 204 with 4-byte pointers) that requests YUYV of a size:
    Y'CbCr by BT.601, limited range, as programs assume if unspecified (V4L2_COLORSPACE_SRGB).
    """
    width, height = size
    code = struct.unpack("<I", b"YUYV")[0]
    pix = (width, height, code, _FIELD_NONE, width * 2, width * 2 * height, _COLORSPACE_SRGB, _PRIV_MAGIC)
    more = (0, _YCBCR_ENC_601, _QUANTIZATION_LIM_RANGE, _XFER_FUNC_SRGB)
    return bytearray(_FORMAT.pack(_BUF_TYPE_VIDEO_OUTPUT, *pix, *more))


def parse_output_format(data: bytes | bytearray) -> TakenFormat:
    """Parse the device's answer to `output_format_request`."""
    width, height, code, _, stride = _FORMAT.unpack(data)[1:6]
    letters = struct.pack("<I", code)
    return TakenFormat(
        (width, height), FOURCC.get(letters, ""), letters.decode("ascii", "replace").strip("\0 "), stride
    )


def output_rate_request(rate: float) -> bytearray:
    """Return a `struct v4l2_streamparm` (204 bytes) that sets the frame rate of an output device."""
    # A source may state any rate; the kernel has 32 bits for it.
    thousandths = round(rate * 1000) if 0.001 <= rate <= _FASTEST else 30_000
    return bytearray(_OUTPUTPARM.pack(_BUF_TYPE_VIDEO_OUTPUT, 0, 0, 1000, thousandths, 0, 0))


def ioctl(descriptor: int, request: int, argument: bytearray) -> object:
    """Call the kernel; `argument` is filled in."""
    if sys.platform == "linux":  # as all callers are
        import fcntl

        return fcntl.ioctl(descriptor, request, argument, True)
    raise OSError(f"no ioctl on {sys.platform}")


def parse_format(data: bytes | bytearray) -> tuple[int, str | None]:
    """Parse a `struct v4l2_fmtdesc` (64 bytes): the pixel format's code, and FFmpeg's name or None."""
    code = _FMTDESC.unpack(data)[4]
    return code, FOURCC.get(struct.pack("<I", code))


def parse_sizes(data: bytes | bytearray) -> tuple[list[tuple[int, int]], bool]:
    """Parse a `struct v4l2_frmsizeenum` (44 bytes): sizes, and True if it is the only entry (a range)."""
    _, _, kind, low_w, high_w, step_w, low_h, high_h, step_h = _FRMSIZE.unpack(data)
    if kind == _DISCRETE:
        return [(low_w, high_w)], False
    sizes = [
        (width, height)
        for width, height in COMMON_SIZES
        if low_w <= width <= high_w
        and low_h <= height <= high_h
        and (width - low_w) % max(step_w, 1) == 0
        and (height - low_h) % max(step_h, 1) == 0
    ]
    return sizes or [(high_w, high_h)], True


def parse_interval(data: bytes | bytearray) -> tuple[float, bool]:
    """Parse a `struct v4l2_frmivalenum` (52 bytes): the highest frames per second, True if it is a range."""
    values = _FRMIVAL.unpack(data)
    kind, numerator, denominator = values[4:7]
    return (denominator / numerator if numerator else 0.0), kind != _DISCRETE


class Node:
    """An open device node; a context manager."""

    def __init__(self, path: Path, ioctl: Ioctl) -> None:
        self._path, self._ioctl = path, ioctl
        self._descriptor = -1

    def __enter__(self) -> Self:
        self._descriptor = os.open(
            self._path, os.O_RDWR | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)
        )
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._descriptor)

    def capability(self) -> Capability:
        """Query the capability; OSError if it is not a V4L2 node, or is gone."""
        return parse_capability(self._call_ioctl(QUERYCAP, bytearray(_CAPABILITY.size)))

    def modes(self) -> list[Mode]:
        """Return all sizes, rates and formats that FFmpeg can read."""
        return [
            Mode(width, height, rate, name)
            for code, name in self._formats()
            for width, height in self._sizes(code)
            for rate in self._rates(code, width, height)
        ]

    def _formats(self) -> Iterator[tuple[int, str]]:
        for index in range(_MOST):
            answer = self._next(ENUM_FMT, bytearray(_FMTDESC.pack(index, _VIDEO_CAPTURE, 0, b"", 0, 0)))
            if answer is None:
                return
            code, name = parse_format(answer)
            if name is not None:
                yield code, name

    def _sizes(self, code: int) -> Iterator[tuple[int, int]]:
        for index in range(_MOST):
            answer = self._next(ENUM_FRAMESIZES, bytearray(_FRMSIZE.pack(index, code, *[0] * 7)))
            if answer is None:
                return
            sizes, only = parse_sizes(answer)
            yield from sizes
            if only:
                return

    def _rates(self, code: int, width: int, height: int) -> Iterator[float]:
        for index in range(_MOST):
            request = bytearray(_FRMIVAL.pack(index, code, width, height, *[0] * 7))
            answer = self._next(ENUM_FRAMEINTERVALS, request)
            if answer is None:
                if index == 0:
                    yield 0.0
                return
            rate, only = parse_interval(answer)
            yield rate
            if only:
                return

    def _next(self, request: int, argument: bytearray) -> bytearray | None:
        try:
            return self._call_ioctl(request, argument)
        except OSError:
            # EINVAL after the last one, ENOTTY if the driver does not support the query.
            return None

    def _call_ioctl(self, request: int, argument: bytearray) -> bytearray:
        self._ioctl(self._descriptor, request, argument)
        return argument


@dataclass(frozen=True)
class CameraNode:
    """A camera: an id that survives re-plugging, its name, and the current path of its node."""

    id: str
    name: str
    path: Path


def find(devices: Path, ioctl: Ioctl) -> list[CameraNode]:
    """Return the cameras among `devices`/video*. Ids are udev's link names in v4l/by-id if present, else bus
    and port: of two equal cameras without serial numbers, udev links only one.
    """
    links = _links(devices / "v4l" / "by-id")
    found: list[CameraNode] = []
    for path in sorted(devices.glob("video*"), key=lambda node: (len(node.name), node.name)):
        # Unreadable, disconnected, or not a V4L2 node: not a usable camera. Opening it by name reports why.
        with contextlib.suppress(OSError), Node(path, ioctl) as node:
            about = node.capability()
            if about.captures:
                name = links.get(path.resolve()) or _by_port(about.bus, found)
                found.append(CameraNode(name, about.name, path))
    return found


def unreadable(devices: Path) -> list[Path]:
    """Return the nodes that this user may not open."""
    return [path for path in sorted(devices.glob("video*")) if not os.access(path, os.R_OK | os.W_OK)]


def _links(folder: Path) -> dict[Path, str]:
    if not folder.is_dir():
        return {}
    return {link.resolve(): f"usb:{link.name}" for link in sorted(folder.iterdir(), reverse=True)}


def _by_port(bus: str, found: list[CameraNode]) -> str:
    # A camera with several sensors (color, infrared) has several nodes on one port.
    number = sum(other.id.startswith(f"port:{bus}#") for other in found)
    return f"port:{bus}#{number}"


def c_text(data: bytes) -> str:
    """Return the text of a field that ends at its first zero byte."""
    return data.split(b"\0", 1)[0].decode("utf-8", "replace").strip()
