"""Encoding options, codecs and containers; `encoders.choose` decides what this machine supports."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any, Final, Literal

from desktop.base.errors import ExportError, UsageError
from desktop.base.wording import sentence
from desktop.outputs.video_color import HDR_USES, HdrUse

Sound = Literal["auto", "copy", "encode", "none"]
SOUNDS: Final = ("auto", "copy", "encode", "none")
_MOST_PIXELS_A_SIDE: Final = 16384
_MOST_RATE: Final = 240.0
DEPTHS: Final = (8, 10, 16)
"""Bits a color: 8 or 10 of videos, 8 or 16 of images."""


@dataclass(frozen=True)
class Codec:
    """A video codec.

    Attributes:
        crf: the default on the codec's own scale: constant rate factor, or quantizer for codecs without one.
        worst: the end of that scale; 0 for a codec without a quality setting.
        bits: the default number of bits a color.
        holds_ten: it can also be written with 10.
    """

    title: str
    crf: int = 0
    worst: int = 0
    bits: int = 8
    holds_ten: bool = False


# From the documentation of rav1e, libvpx and x264: H.264 and HEVC end at 51, VP9 and AV1 at 63, MPEG-4 at 31.
CODECS: Final[Mapping[str, Codec]] = {
    "h264": Codec("H.264", 18, 51),
    "hevc": Codec("HEVC", 20, 51, holds_ten=True),
    "vp9": Codec("VP9", 30, 63),
    "av1": Codec("AV1", 30, 63, holds_ten=True),
    "vp8": Codec("VP8", 10, 63),
    "mpeg4": Codec("MPEG-4", 3, 31),
    "ffv1": Codec("FFV1", holds_ten=True),
    "prores": Codec("ProRes 4444", holds_ten=True),
    "prores-hq": Codec("ProRes 422 HQ", bits=10, holds_ten=True),
    "dnxhr": Codec("DNxHR HQX", bits=10, holds_ten=True),
    "gif": Codec("GIF"),
    "webp": Codec("WebP", 16, 63),
}


def ten_bit(codecs: Iterable[str]) -> tuple[str, ...]:
    """Return those of some codecs that can be written with 10 bits a color."""
    return tuple(name for name in codecs if CODECS[name].holds_ten)


@dataclass(frozen=True)
class Container:
    """A container format.

    Attributes:
        format: FFmpeg's name, since the path of a pipe or device may have no suffix.
        codecs, alpha: those of `CODECS`, and those with transparency: the default first, then its fallbacks.
        sound: FFmpeg's name of the codec for audio that cannot be copied; '' for containers without audio.
        options: of the muxer.
        fastest: maximum frames per second that its timestamps can express, 0.0 for any.
    """

    title: str
    format: str
    codecs: tuple[str, ...]
    sound: str = ""
    options: Mapping[str, str] = field(default_factory=dict)
    fastest: float = 0.0
    alpha: tuple[str, ...] = ()


_FLUSHED: Final = {"flush_packets": "1"}
# The header is written with the first fragment: parameters of AC-3 are only known from its packets.
_FRAGMENTED: Final = {**_FLUSHED, "movflags": "frag_keyframe+empty_moov+delay_moov+default_base_moof"}
CONTAINERS: Final[Mapping[str, Container]] = {
    ".mp4": Container("MP4", "mp4", ("h264", "vp9", "hevc", "av1"), "aac", _FRAGMENTED),
    ".mov": Container(
        "QuickTime",
        "mov",
        ("h264", "mpeg4", "hevc", "prores", "prores-hq", "dnxhr"),
        "aac",
        _FRAGMENTED,
        alpha=("prores",),
    ),
    ".mkv": Container(
        "Matroska", "matroska", ("h264", "vp9", "hevc", "av1", "ffv1"), "aac", _FLUSHED, alpha=("vp9", "ffv1")
    ),
    ".webm": Container("WebM", "webm", ("vp9", "vp8", "av1"), "libopus", _FLUSHED, alpha=("vp9", "vp8")),
    # Delays are in hundredths of a second, and browsers play delays below two of them at a tenth of the rate.
    ".gif": Container("GIF", "gif", ("gif",), options={"loop": "0"}, fastest=50.0, alpha=("gif",)),
    ".webp": Container("WebP", "webp", ("webp",), options={"loop": "0"}, alpha=("webp",)),
}


def deep_codecs(container: Container, *, alpha: bool) -> tuple[str, ...]:
    """Return a container's codecs that hold 10 bits a color, and with `alpha` transparency too."""
    return ten_bit(container.alpha if alpha else container.codecs)


def deep_suffixes(*, alpha: bool) -> tuple[str, ...]:
    """Return the extensions of videos that hold 10 bits a color, and with `alpha` transparency too."""
    return tuple(suffix for suffix, each in CONTAINERS.items() if deep_codecs(each, alpha=alpha))


def deeper(container: Container, encoding: Encoding) -> tuple[str, tuple[str, ...]]:
    """Return what to change for 10 bits a color: the codec, or '' if a chosen one holds them or the default does;
    and if none of the container's codecs does, the extensions of videos that hold them.
    """
    deep = deep_codecs(container, alpha=encoding.alpha)
    if not deep:
        return "", deep_suffixes(alpha=encoding.alpha)
    return (deep[0] if encoding.codec and encoding.codec not in deep else ""), ()


VIDEO_SUFFIXES: Final = tuple(suffix for suffix in CONTAINERS if suffix != ".webp")
"""Extensions of files that always contain many frames; a `.webp` may contain a single one too."""


# Stream containers by URL scheme; every packet is sent at once. FLV: only H.264 without Enhanced RTMP.
# MPEG-TS: no audio waits to fill a packet; nothing can read FFmpeg's VP9 and AV1.
_TS: Final = {**_FLUSHED, "pes_payload_size": "0"}
_TS_CODECS: Final = ("h264", "hevc", "mpeg4")
STREAMED: Final[Mapping[str, Container]] = {
    "rtmp": Container(
        "RTMP",
        "flv",
        ("h264", "av1", "hevc", "vp9"),
        "aac",
        {**_FLUSHED, "flvflags": "no_duration_filesize"},
    ),
    "udp": Container("MPEG-TS", "mpegts", _TS_CODECS, "aac", _TS),
    "srt": Container("MPEG-TS", "mpegts", _TS_CODECS, "aac", _TS),
    # FFmpeg's muxer takes H.264 and Opus alone.
    "whip": Container("WHIP", "whip", ("h264",), "libopus"),
    "hls": Container(
        "HLS",
        "hls",
        ("h264", "vp9", "av1", "hevc"),
        "aac",
        {
            "hls_time": "2",
            "hls_list_size": "6",
            # A player may still be reading the segment that was removed from the list last.
            "hls_delete_threshold": "1",
            "hls_flags": "delete_segments+independent_segments+temp_file",
            "hls_segment_type": "fmp4",
        },
    ),
}


@dataclass(frozen=True)
class Encoding:
    """Options of a user.

    Attributes:
        codec: one of `CODECS`, '' for the container's first one that this machine supports.
        crf: quality on the codec's scale, lower is better; None for the codec's default.
        size: (width, height) in pixels; 0 for a side that follows from the other, (0, 0) for the frames' own.
        fps: constant frames per second; 0.0 for the frames' own timestamps.
        sound: 'auto' copies supported audio and encodes other, 'copy' omits other, 'encode' encodes all.
        alpha: keep transparency, with a codec that supports it; otherwise composite over black.
        bits: bits a color, of DEPTHS; 0 for the codec's usual number, and 10 for HDR that is kept.
        hdr: 'keep' leaves the dynamic range of HDR as it is, 'tonemap' makes it SDR.
    """

    codec: str = ""
    crf: int | None = None
    size: tuple[int, int] = (0, 0)
    fps: float = 0.0
    sound: Sound = "auto"
    hardware: bool = False
    alpha: bool = False
    bits: int = 0
    hdr: HdrUse = "tonemap"

    def __post_init__(self) -> None:
        if self.codec and self.codec not in CODECS:
            raise UsageError(
                sentence(
                    "There is no codec '{name}'; choose one of {names}.",
                    name=self.codec,
                    names=", ".join(CODECS),
                )
            )
        if self.crf is not None and not 0 <= self.crf <= 63:
            raise UsageError(
                sentence("There is no quality {crf}; choose one from 0 to {worst}.", crf=self.crf, worst=63)
            )
        if any(side < 0 or side > _MOST_PIXELS_A_SIDE for side in self.size):
            raise UsageError(
                sentence(
                    "The video would be too large; choose sides of at most {most} pixels.",
                    most=_MOST_PIXELS_A_SIDE,
                )
            )
        if not (self.fps == 0.0 or 0.1 <= self.fps <= _MOST_RATE):
            raise UsageError(
                sentence(
                    "The rate {fps:g} is not possible; choose 0.1 to {most:g} frames per second.",
                    fps=self.fps,
                    most=_MOST_RATE,
                )
            )
        if self.sound not in SOUNDS:
            raise UsageError(
                sentence(
                    "There is no audio mode '{name}'; choose from {names}.",
                    name=self.sound,
                    names=", ".join(SOUNDS),
                )
            )
        if self.bits and self.bits not in DEPTHS:
            raise UsageError(
                sentence(
                    "There are no {bits} bits a color; choose one of {depths}.",
                    bits=self.bits,
                    depths=", ".join(map(str, DEPTHS)),
                )
            )
        if self.hdr not in HDR_USES:
            raise UsageError(
                sentence(
                    "There is no use of HDR '{name}'; choose from {names}.",
                    name=self.hdr,
                    names=", ".join(HDR_USES),
                )
            )

    @property
    def depth(self) -> int:
        """Bits a color of the video, without regard to what its source has."""
        usual = CODECS[self.codec].bits if self.codec else 8
        return self.bits or usual

    def size_of(self, picture: tuple[int, int]) -> tuple[int, int]:
        """Return the size of the video for frames of a size, both (width, height): at least 1 x 1."""
        width, height = self.size
        if not (width or height):
            return picture
        # Even, as most encoders require.
        width = width or 2 * max(1, round(picture[0] * height / max(picture[1], 1) / 2))
        height = height or 2 * max(1, round(picture[1] * width / max(picture[0], 1) / 2))
        return min(width, _MOST_PIXELS_A_SIDE), min(height, _MOST_PIXELS_A_SIDE)

    def rate_of(self, rate: float, container: Container) -> float:
        """Return the constant frame rate of the video, 0.0 if the frames' own timestamps are kept."""
        wanted = self.fps or rate
        if container.fastest and wanted > container.fastest:
            return container.fastest
        return self.fps

    def json(self) -> dict[str, Any]:
        """Return it as a JSON value; without `bits` and `hdr` where they are the defaults."""
        value = {**asdict(self), "size": list(self.size)}
        usual = {"bits": Encoding.bits, "hdr": Encoding.hdr}
        return {key: each for key, each in value.items() if key not in usual or each != usual[key]}

    @classmethod
    def of_json(cls, value: object) -> Encoding:
        """Parse the output of `json`; ValueError for another form, UsageError for an invalid value."""
        if not isinstance(value, dict):
            raise ValueError("not an encoding")
        known = {f.name for f in fields(cls)}
        given = {name: each for name, each in value.items() if name in known}
        try:
            width, height = (int(side) for side in given.pop("size", (0, 0)))
            crf = given.pop("crf", None)
            return cls(
                codec=str(given.get("codec", "")),
                crf=None if crf is None else int(crf),
                size=(width, height),
                fps=float(given.get("fps", 0.0)),
                sound=given.get("sound", "auto"),
                hardware=given.get("hardware") is True,
                alpha=given.get("alpha") is True,
                bits=int(given.get("bits", 0)),
                hdr=given.get("hdr", "tonemap"),
            )
        except (TypeError, OverflowError) as error:
            raise ValueError("not an encoding") from error


def container_of(path: Path) -> Container:
    """Return the container of a video file by its extension; ExportError if unknown."""
    container = CONTAINERS.get(path.suffix.lower())
    if container is None:
        raise ExportError(
            sentence(
                "{name} has no suffix of a video; use one of {video_suffixes}.",
                name=path.name,
                video_suffixes=", ".join(CONTAINERS),
            )
        )
    return container
