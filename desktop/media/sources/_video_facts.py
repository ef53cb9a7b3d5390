"""Facts about a video file, known once its first frame is decoded, and their texts for the interface."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from desktop.media.frame import Frame
from desktop.media.sources._av_frames import color_note, nearest_format


@dataclass(frozen=True)
class VideoFacts:
    """Facts about a video file.

    Attributes:
        size: display size (width, height) of the first frame.
        duration: seconds from the first frame's presentation to the end, 0.0 if unknown.
        start_time: presentation time of the first frame on the file's own clock, in seconds, shared by audio.
        sound_end: seconds from then to the end of the last audio track, 0.0 if not in the header.
        detail: label -> text for the interface.
    """

    size: tuple[int, int]
    rate: float
    duration: float
    start_time: float
    sound_end: float
    detail: dict[str, str]


def detail_of(
    container: Any, stream: Any, picture: Any, frame: Frame, rate: float, decoder: str, breaks: int
) -> dict[str, str]:
    """Return label -> text for an open file and its first frame, as decoded and as a frame. `decoder` has the
    decoder and its reason; `breaks` counts timestamp discontinuities.
    """
    codec = stream.codec_context.codec
    name = picture.format.name
    taken = nearest_format(name)
    color = frame.color
    detail = {
        "codec": f"{codec.long_name}" + (f", {p}" if (p := stream.codec_context.profile) else ""),
        "container": container.format.long_name,
        "coded size": f"{frame.width} x {frame.height}",
        "pixel format": name if taken == name else f"{name}, converted to {taken} on the CPU",
        "color": f"{color.matrix}, {color.range} range, {color.transfer}, {color.primaries} primaries",
        "rate": f"{rate:.6g} frames a second",
        "decoder": decoder,
    }
    if note := color_note(picture):
        detail["color"] += f" ({note})"
    if breaks:
        often = "once" if breaks == 1 else f"{breaks} times"
        detail["time stamps"] = f"jump {often}; the parts are joined without a gap"
    if picture.interlaced_frame:
        detail["fields"] = "interlaced"
    if frame.rotation or frame.mirrored:
        detail["orientation"] = f"turned {frame.rotation}°" + (", mirrored" if frame.mirrored else "")
    if frame.pixel_aspect != 1:
        detail["pixel aspect"] = f"{frame.pixel_aspect.numerator}:{frame.pixel_aspect.denominator}"
    return detail
