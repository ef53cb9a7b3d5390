"""Which source reads what: the one place where a path, an address or a name becomes a `Source`, or a dropped file its kind.

The first bytes of a file decide; its extension only where bytes don't tell (WGSL, presets, networks are text or protobuf).
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Literal

from desktop.compute.media.sources._still_header import read_header, sniff
from desktop.compute.media.sources.base import Source
from desktop.errors import SourceNotFoundError, SourceUnsupportedError, UsageError
from desktop.files import is_special, open_regular, reason
from desktop.wording import sentence

DropKind = Literal["video", "image", "folder", "model", "filter", "preset", "lut", "unknown"]

# Networks of other formats are taken for networks too: the sentence that refuses them says what to do.
_NETWORK_SUFFIXES = (".onnx", ".tflite", ".pt", ".pth", ".safetensors", ".h5", ".keras", ".ort", ".mlmodel")
_BY_SUFFIX: dict[str, DropKind] = {
    ".wgsl": "filter",
    ".toml": "preset",
    ".lightloom": "preset",
    ".cube": "lut",
    **dict.fromkeys(_NETWORK_SUFFIXES, "model"),
}
# fmt: off
_VIDEO_SUFFIXES = frozenset((
    ".mp4", ".m4v", ".mov", ".mkv", ".webm", ".avi", ".wmv", ".asf", ".flv", ".ts", ".m2ts", ".mts",
    ".mpg", ".mpeg", ".m2v", ".vob", ".ogv", ".3gp", ".3g2", ".mxf", ".ivf", ".y4m", ".h264", ".h265",
    ".264", ".265", ".hevc", ".obu", ".dv", ".nut", ".gif", ".apng",
))
# fmt: on
_VIDEO_MAGIC = (
    b"\x1aE\xdf\xa3",  # Matroska, WebM
    b"FLV\x01",
    b"OggS",
    b"0&\xb2u\x8ef\xcf\x11",  # ASF
    b"\0\0\x01\xba",  # MPEG program stream
    b"\0\0\x01\xb3",  # MPEG video
    b"DKIF",  # IVF
    b"YUV4MPEG2",
    b"nut/multimedia container",
    b"\x06\x0e+4\x02\x05\x01\x01\r\x01\x02\x01\x01\x02",  # MXF
)
_SAMPLE = re.compile(r"sample(?::(?:(\d+)x(\d+))?)?(?:@(\d+))?")
_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://")
_HEADER_BYTES = 1 << 20


def open_source(spec: str | Path, *, image_seconds: float = 3.0) -> Source:
    """Return the source for what a user typed, chose or dropped. It is not started; only a file's first bytes are read.

    Args:
        spec: 'sample' (or 'sample:'), 'sample:640x360@30'; 'camera' (the first), 'camera:<id or part of the name>'; an address ('rtsp://...');
            or the path of a video, an image or a folder of images. A `Path` is always a path.
        image_seconds: how long each picture of a folder is shown.

    Raises:
        UsageError: the text is none of these.
        SourceNotFoundError: there is no such file, or it may not be read.
        SourceUnsupportedError: the file is not a picture or a video.
    """
    if isinstance(spec, str):
        named = _open_named(spec)
        if named is not None:
            return named
    try:
        path = Path(spec).expanduser()
    except RuntimeError:  # '~somebody' whom this system does not know: then it is a name like any other
        path = Path(spec)
    return _open_path(path, image_seconds)


def _open_named(spec: str) -> Source | None:
    if _ADDRESS.match(spec):
        if spec.startswith("file://"):
            raise UsageError(sentence("{spec} is the address of a file: give its path instead.", spec=spec))
        from desktop.compute.media.sources.stream import StreamSource

        return StreamSource(spec)
    sample = _SAMPLE.fullmatch(spec)
    if sample:
        from desktop.compute.media.sources.sample import SampleSource

        size = (int(sample[1]), int(sample[2])) if sample[1] else (1280, 720)
        return SampleSource(size, int(sample[3] or 30))
    if spec == "camera" or spec.startswith("camera:"):
        from desktop.compute.media.sources.camera import CameraSource

        return CameraSource(spec.partition(":")[2])
    return None


def _open_path(path: Path, image_seconds: float) -> Source:
    kind = classify_drop(path)
    if kind == "folder":
        from desktop.compute.media.sources.folder import FolderSource

        return FolderSource(path, image_seconds)
    if kind == "image":
        from desktop.compute.media.sources.image import ImageSource

        return ImageSource(path)
    if kind == "video":
        from desktop.compute.media.sources.video import VideoSource

        return VideoSource(path)
    if kind == "unknown":
        raise SourceUnsupportedError(
            sentence(
                "{name} is neither a video nor a picture that Lightloom reads; convert it, or open another file.",
                name=path.name,
            )
        )
    raise SourceUnsupportedError(
        sentence(
            "{name} is a {kind}, not a video or a picture: add it to the chain instead.",
            name=path.name,
            kind=kind,
        )
    )


def classify_drop(path: Path) -> DropKind:
    """Tell what a dropped file or folder is.

    Animated GIF and PNG are videos. Animated WebP is an image: FFmpeg does not decode its animation.

    Raises:
        SourceNotFoundError: there is no such file, or it may not be read.
    """
    try:
        if path.is_dir():
            return "folder"
        if is_special(path):
            raise SourceUnsupportedError(
                sentence(
                    "{path} is a device or a pipe, not a file: a camera is opened as 'camera:<its name>'.",
                    path=path,
                )
            )
        suffix = path.suffix.lower()
        if suffix in _BY_SUFFIX and path.is_file() and os.access(path, os.R_OK):
            return _BY_SUFFIX[suffix]  # read by whoever takes it: a network is opened once
        with open_regular(path) as file:
            head = file.read(_HEADER_BYTES)
    except FileNotFoundError:
        raise SourceNotFoundError(sentence("There is no file {path}: check its name.", path=path)) from None
    except (OSError, ValueError) as error:
        raise SourceNotFoundError(
            sentence(
                "{name} can't be read ({reason}): check its name and permissions.",
                name=path.name,
                reason=reason(error),
            )
        ) from error
    if _is_video(head):
        return "video"
    kind = sniff(head)
    if kind:
        header = read_header(head)
        return "video" if header.animated and kind in ("gif", "png") else "image"
    # Raw bit streams have no magic of their own.
    return "video" if suffix in _VIDEO_SUFFIXES else "unknown"


def _is_video(head: bytes) -> bool:
    if head.startswith(_VIDEO_MAGIC):
        return True
    if head[:4] == b"RIFF" and head[8:12] == b"AVI ":
        return True
    if head[4:8] in (b"ftyp", b"moov", b"mdat", b"wide", b"free", b"skip"):
        return not sniff(head)
    # MPEG transport streams: sync bytes 188 apart, or 192 with a time stamp before each (M2TS).
    return any(
        len(head) > at + 2 * step and all(head[at + k * step] == 0x47 for k in range(3))
        for at, step in ((0, 188), (4, 192))
    )
