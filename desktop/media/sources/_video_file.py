"""Opens a video file that is not trusted: its container and its video track."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import av
from av.codec.hwaccel import HWAccel
from av.stream import Disposition

from desktop.base.errors import SourceDamagedError, SourceNotFoundError, SourceUnsupportedError
from desktop.base.wording import sentence
from desktop.media.containers import open_container

_IO_TIMEOUT: Final = 4.0
# Formats that open other files or devices, or that take any text for an image.
# fmt: off
_REFUSED_FORMATS: Final = frozenset({
    "concat", "concatf", "dash", "hls", "applehttp", "image2", "imf", "webm_dash_manifest", "vapoursynth", "avisynth",
    "rtp", "rtsp", "sap", "sdp", "lavfi", "libcdio", "tty", "bin",
    "alsa", "avfoundation", "bktr", "caca", "decklink", "dshow", "fbdev", "gdigrab", "iec61883", "jack", "kmsgrab",
    "openal", "oss", "pulse", "sndio", "vfwcap", "video4linux2", "video4linux2,v4l2", "v4l2", "x11grab", "xcbgrab",
})
# fmt: on


@lru_cache(maxsize=1)
def _format_whitelist() -> str:
    return ",".join(sorted(name for name in av.formats_available if name not in _REFUSED_FORMATS))


def _options() -> dict[str, str]:
    return {"protocol_whitelist": "file", "format_whitelist": _format_whitelist()}


def check_path(path: Path) -> None:
    """Raise SourceError if it is no file, or an empty one."""
    if not path.exists():
        raise SourceNotFoundError(sentence("There is no file {path}: check its name.", path=path))
    if not path.is_file():
        raise SourceUnsupportedError(sentence("{path} is not a file; choose a video file.", path=path))
    if path.stat().st_size == 0:
        raise SourceDamagedError(sentence("{name} is empty; try another copy of it.", name=path.name))


def open_file(path: Path, hwaccel: HWAccel | None = None) -> Any:
    """Open a file's container, whose demuxer may open no other; SourceNotFoundError or SourceDamagedError."""
    try:
        return open_container(
            str(path.absolute()),
            options=_options(),
            hwaccel=hwaccel,
            timeout=_IO_TIMEOUT,
        )
    except PermissionError as error:
        raise SourceNotFoundError(
            sentence("{name} may not be read; change its permissions.", name=path.name)
        ) from error
    except FileNotFoundError as error:
        raise SourceNotFoundError(sentence("There is no file {path}: check its name.", path=path)) from error
    except av.error.ExitError as error:
        raise SourceDamagedError(
            sentence(
                "{name} could not be opened within {io_timeout:.0f} s; it is damaged or its disk does not "
                "answer.",
                name=path.name,
                io_timeout=_IO_TIMEOUT,
            )
        ) from error
    except (av.FFmpegError, ValueError, OSError) as error:
        raise SourceDamagedError(
            sentence(
                "{name} is not a video that can be read; it is damaged or of an unknown format, try "
                "another copy.",
                name=path.name,
            )
        ) from error


def video_stream(container: Any, path: Path) -> Any:
    """Return the first video track that can be decoded; SourceUnsupportedError if there is none."""
    streams = [s for s in container.streams.video if not s.disposition & Disposition.attached_pic]
    if "avis" in container.metadata.get("major_brand", "") + container.metadata.get("compatible_brands", ""):
        # An AVIF animation: a still that stands for it comes before its track.
        streams.sort(key=lambda stream: stream.frames <= 1)
    if not streams:
        raise SourceUnsupportedError(
            sentence("There is no video in {name}; choose a file with a video track.", name=path.name)
        )
    for stream in streams:
        if stream.codec_context is not None:
            return stream
    raise SourceUnsupportedError(
        sentence("No decoder here reads the video in {name}; convert it to H.264 first.", name=path.name)
    )


def decodes_on_device(context: Any) -> bool:
    """Return whether a decoder that was opened for a device works there."""
    # FFmpeg falls back from a profile that the device does not support; the format then has components.
    return bool(context.is_hwaccel and context.pix_fmt and not av.VideoFormat(context.pix_fmt).components)
