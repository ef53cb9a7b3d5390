"""Plan a stream before anything is sent: encoder, size and rates."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from desktop.base.errors import ExportError, UsageError
from desktop.base.fields import Value
from desktop.base.wording import Text, sentence
from desktop.outputs.encoders import (
    Choice,
    Encoder,
    Options,
    Trial,
    choose_for,
    encodes,
    live_options_of,
)
from desktop.outputs.encoding import CODECS, Encoding
from desktop.outputs.frames import coded_size
from desktop.outputs.live._stream_target import StreamTarget, check_protocol, target_of
from desktop.outputs.live.output import PictureFormat

AUTO: Final = "auto"
AS_SHOWN: Final = "as shown"
HEIGHTS: Final[Mapping[str, int]] = {AS_SHOWN: 0, "1080p": 1080, "720p": 720, "480p": 480, "360p": 360}
CODEC_CHOICES: Final = (AUTO, "h264", "hevc", "av1", "vp9", "mpeg4")
MOST_RATE: Final = 120.0
MOST_MEGABITS: Final = 100.0
_USUAL_RATE: Final = 30.0
_LEAST_RATE: Final = 1.0
# Bit rates that services recommend for H.264 (1080p30: 4.5 to 6 Mbit/s): bits per pixel, minimum and maximum.
_BITS_A_PIXEL: Final = 0.08
_LEAST_BITS, _MOST_BITS = 500_000, 6_000_000


@dataclass(frozen=True)
class Plan:
    """The plan for a target.

    Attributes:
        size: (width, height) of the video.
        rate: maximum frames per second.
        bit_rate: of the video, in bits per second.
        sound: whether there is an audio track.
        notes: description, and differences from the options, in sentences.
    """

    target: StreamTarget
    choice: Choice
    size: tuple[int, int]
    rate: float
    bit_rate: int
    sound: bool
    notes: tuple[Text, ...]


def plan(values: Mapping[str, Value], pictures: PictureFormat, trial: Trial = encodes) -> Plan:
    """Return the plan for the output's field values and the displayed frames. Raises ExportError, with a
    sentence on what to do, if streaming there is not possible.
    """
    target = target_of(values)
    check_protocol(target)
    codec = str(values["codec"])
    encoding = Encoding(
        codec="" if codec == AUTO else codec,
        size=_size(str(values["size"]), pictures),
        hardware=values["hardware"] is True,
    )
    rate = _rate(float(values["rate"]), pictures.rate)
    bit_rate = round(float(values["bitrate"]) * 1_000_000) or _usual_bits(encoding.size, rate)
    try:
        choice = choose_for(
            target.container,
            encoding,
            encoding.size,
            trial,
            lambda encoder, _: {**live_options_of(encoder, bit_rate), **_profile(target, encoder)},
        )
    except UsageError as error:
        raise ExportError(error.args[0]) from error
    if choice is None:
        raise ExportError(
            sentence(
                "Nothing here encodes what {container} takes ({codecs}); install Lightloom with pip, "
                "whose FFmpeg has an encoder for H.264.",
                container=target.container.title,
                codecs=", ".join(CODECS[name].title for name in target.container.codecs),
            )
        )
    size = coded_size(choice.encoder, encoding, encoding.size)
    return Plan(
        target, choice, size, rate, bit_rate, pictures.sound, _notes(target, choice, size, rate, bit_rate)
    )


def _profile(target: StreamTarget, encoder: Encoder) -> dict[str, str]:
    """Return the options for the one profile of H.264 that every receiver of WebRTC decodes (RFC 7742)."""
    return {"profile": "baseline"} if target.kind == "whip" and encoder.name == "libx264" else {}


def remembered(trial: Trial = encodes) -> Trial:
    """Return a trial cached by encoder, options and size: at 7680 x 4320 one takes seconds."""
    known: dict[tuple[object, ...], bool] = {}

    def is_supported(encoder: Encoder, options: Options, size: tuple[int, int]) -> bool:
        key = (encoder.name, tuple(sorted(options.items())), size)
        if key not in known:
            known[key] = trial(encoder, options, size)
        return known[key]

    return is_supported


def _rate(wanted: float, shown: float) -> float:
    # A source may state any rate, even NaN.
    known = shown if _LEAST_RATE <= shown <= MOST_RATE else _USUAL_RATE
    return max(_LEAST_RATE, wanted) if wanted else known


def _size(wanted: str, pictures: PictureFormat) -> tuple[int, int]:
    shown = (max(2, pictures.width), max(2, pictures.height))
    height = HEIGHTS[wanted]
    return Encoding(size=(0, height)).size_of(shown) if 0 < height < shown[1] else shown


def _usual_bits(size: tuple[int, int], rate: float) -> int:
    return round(min(max(size[0] * size[1] * rate * _BITS_A_PIXEL, _LEAST_BITS), _MOST_BITS))


def _notes(
    target: StreamTarget, choice: Choice, size: tuple[int, int], rate: float, bit_rate: int
) -> tuple[Text, ...]:
    made = sentence(
        "{address} gets {made}, {width} x {height}, up to {rate:.4g} frames per second, {megabits:.2g} "
        "Mbit/s.",
        address=target.public,
        made=choice.text,
        width=size[0],
        height=size[1],
        rate=rate,
        megabits=bit_rate / 1_000_000,
    )
    notes: list[Text] = [made, *choice.notes]
    if choice.encoder.codec == "h264":
        return tuple(notes)
    codec = CODECS[choice.encoder.codec].title
    if target.kind == "rtmp":
        notes.append(
            sentence(
                "Only servers with Enhanced RTMP take {codec} (MediaMTX, for one); for others install "
                "Lightloom with pip, "
                "whose FFmpeg has an encoder for H.264.",
                codec=codec,
            )
        )
    elif target.kind == "hls":
        notes.append(sentence("Not every player of HLS plays {codec}; H.264 all do.", codec=codec))
    return tuple(notes)
