"""Encoders and the choice of one for a file, by encoding a test frame, since FFmpeg also lists unusable ones.
The bundles have no libx264 or libx265 (packaging/gpl_free.py). `Choice.notes` reports substitutions.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path
from typing import Any, Final

import av
import numpy as np

from desktop.base.errors import ExportError, UsageError
from desktop.base.wording import Text, sentence
from desktop.media.frame import HdrMetadata
from desktop.outputs.encoding import (
    CODECS,
    CONTAINERS,
    Container,
    Encoding,
    container_of,
    deep_codecs,
    deep_suffixes,
    ten_bit,
)
from desktop.outputs.priorities import usual_priority

log = logging.getLogger(__name__)

TIME_BASE: Final = Fraction(1, 90_000)
# ISO/IEC 14496-2 has 16 bits for it.
_MPEG4_TIME_BASE: Final = Fraction(1, 60_000)
_TRIED_SIZE: Final = (256, 256)  # the least that NVENC takes is 145 x 49

Options = Mapping[str, str]


def _crf(crf: int) -> dict[str, str]:
    return {"crf": str(crf)}


def _quality_of(crf: int, worst: int) -> int:
    """A quality from 1 (worst) to 100."""
    return max(1, 100 - round(crf * 100 / worst))


def _mf(crf: int) -> dict[str, str]:
    return {"quality": str(_quality_of(crf, 51))}


def _constant(**options: str) -> Callable[[int], Options]:
    """Return options of a constant bit rate in bits/s with a buffer, and so a delay, of half a second."""
    return lambda rate: {"b": str(rate), "maxrate": str(rate), "bufsize": str(rate // 2), **options}


def _x265_metadata(hdr: HdrMetadata) -> str:
    """Return parameters of x265: chromaticities in steps of 0.00002, luminances of 0.0001 cd/m2."""
    parts = []
    if hdr.mastering is not None:
        red, green, blue, white = (
            f"({round(x * 50_000)},{round(y * 50_000)})"
            for x, y in (*hdr.mastering.primaries, hdr.mastering.white)
        )
        brightest, darkest = (
            round(level * 10_000) for level in (hdr.mastering.brightest, hdr.mastering.darkest)
        )
        parts.append(f"master-display=G{green}B{blue}R{red}WP{white}L({brightest},{darkest})")
    if hdr.max_cll or hdr.max_fall:
        parts.append(f"max-cll={hdr.max_cll},{hdr.max_fall}")
    return ":".join(parts)


def _svt_metadata(hdr: HdrMetadata) -> str:
    """Return parameters of SVT-AV1: chromaticities and cd/m2 as they are."""
    parts = []
    if hdr.mastering is not None:
        red, green, blue, white = (
            f"({x:.5f},{y:.5f})" for x, y in (*hdr.mastering.primaries, hdr.mastering.white)
        )
        levels = f"({hdr.mastering.brightest:.4f},{hdr.mastering.darkest:.4f})"
        parts.append(f"mastering-display=G{green}B{blue}R{red}WP{white}L{levels}")
    if hdr.max_cll or hdr.max_fall:
        parts.append(f"content-light={hdr.max_cll},{hdr.max_fall}")
    return ":".join(parts)


@dataclass(frozen=True)
class HdrParameters:
    """The option of an encoder that takes HDR metadata, and the function that writes its value."""

    option: str
    of_metadata: Callable[[HdrMetadata], str]


@dataclass(frozen=True)
class Encoder:
    """An encoder of FFmpeg.

    Attributes:
        codec: of `CODECS`.
        maker: the hardware's maker; '' for software.
        pixels, alpha: formats that frames, and those with transparency, are converted to; '' if unsupported.
        deep, deep_alpha: the same with 10 bits a color.
        metadata: how HDR metadata is passed; None for an encoder that writes none.
        options: fast enough for live frames on two cores. No B-frames: in fragments they delay the video.
        quality: options for a quality on the codec's scale.
        time_base: unit of its timestamps.
        live: options for a bit rate, for live receivers: each frame is output before the next is accepted.
    """

    name: str
    codec: str
    maker: str = ""
    pixels: str = "yuv420p"
    options: Options = field(default_factory=dict)
    quality: Callable[[int], Options] = field(default=_crf, compare=False)
    time_base: Fraction = TIME_BASE
    alpha: str = ""
    live: Callable[[int], Options] = field(default_factory=_constant, compare=False)
    deep: str = ""
    deep_alpha: str = ""
    metadata: HdrParameters | None = field(default=None, compare=False)

    @property
    def writes_alpha(self) -> bool:
        """True if the frames' transparency goes into the file."""
        return bool(self.alpha) and self.pixels == self.alpha

    @property
    def title(self) -> str:
        """Its name in FFmpeg, with the hardware's maker."""
        return f"{self.name} ({self.maker})" if self.maker else self.name


_X26: Final = {"preset": "veryfast", "bf": "0"}
# With frames that are only referred to libvpx encodes no transparency.
_VPX: Final = {"deadline": "realtime", "cpu-used": "8", "auto-alt-ref": "0"}
_LIVE_X26: Final = _constant(tune="zerolatency", **{"forced-idr": "1"})
_LIVE_MF: Final = _constant(rate_control="cbr", scenario="live_streaming")


def _live_vpx(rate: int) -> Options:
    # Equal least and greatest rates are libvpx's constant one.
    return {**_constant(**{"lag-in-frames": "0"})(rate), "minrate": str(rate)}


_SOFTWARE: Final = (
    Encoder("libx264", "h264", options=_X26, live=_LIVE_X26),
    # Windows' own, which is software without `hw_encoding`: what the bundles there have.
    Encoder(
        "h264_mf", "h264", pixels="nv12", quality=_mf, options={"rate_control": "quality"}, live=_LIVE_MF
    ),
    Encoder(
        "libx265",
        "hevc",
        options={**_X26, "x265-params": "log-level=error"},
        live=_LIVE_X26,
        deep="yuv420p10le",
        metadata=HdrParameters("x265-params", _x265_metadata),
    ),
    Encoder("libvpx-vp9", "vp9", options={**_VPX, "row-mt": "1", "b": "0"}, alpha="yuva420p", live=_live_vpx),
    # Low delay: else it orders frames anew, as B-frames do.
    Encoder(
        "libsvtav1",
        "av1",
        options={"preset": "9", "svtav1-params": "pred-struct=1"},
        live=_constant(preset="10", **{"svtav1-params": "pred-struct=1:rtc=1"}),
        deep="yuv420p10le",
        metadata=HdrParameters("svtav1-params", _svt_metadata),
    ),
    Encoder("libvpx", "vp8", options={**_VPX, "b": "8M"}, alpha="yuva420p", live=_live_vpx),
    Encoder("mpeg4", "mpeg4", quality=lambda q: {"qscale": str(max(1, q))}, time_base=_MPEG4_TIME_BASE),
    Encoder(
        "ffv1",
        "ffv1",
        pixels="bgr0",
        options={"level": "3"},
        quality=lambda _: {},
        alpha="bgra",
        deep="yuv444p10le",
        deep_alpha="yuva444p10le",
    ),
    Encoder(
        "prores_ks",
        "prores",
        pixels="yuva444p10le",
        options={"profile": "4444", "alpha_bits": "16"},
        quality=lambda _: {},
        alpha="yuva444p10le",
        deep="yuva444p10le",
        deep_alpha="yuva444p10le",
    ),
    Encoder(
        "prores_ks",
        "prores-hq",
        pixels="yuv422p10le",
        options={"profile": "hq"},
        quality=lambda _: {},
        deep="yuv422p10le",
    ),
    Encoder(
        "dnxhd",
        "dnxhr",
        pixels="yuv422p10le",
        options={"profile": "dnxhr_hqx"},
        quality=lambda _: {},
        deep="yuv422p10le",
    ),
    Encoder("gif", "gif", pixels="pal8", quality=lambda _: {}, time_base=Fraction(1, 100), alpha="pal8"),
    Encoder(
        "libwebp_anim",
        "webp",
        pixels="bgra",
        quality=lambda q: {"quality": str(_quality_of(q, 63))},
        time_base=Fraction(1, 1000),
        alpha="bgra",
    ),
)


def _hardware(
    maker: str,
    ending: str,
    codecs: tuple[str, ...],
    quality: Callable[[int], Options],
    live: Callable[[int], Options],
    **options: str,
) -> Iterator[Encoder]:
    for codec in codecs:
        deep = "p010le" if codec in ("hevc", "av1") else ""
        yield Encoder(
            *(f"{codec}_{ending}", codec, maker, "nv12", {"bf": "0", **options}, quality),
            live=live,
            deep=deep,
        )


def _qp(crf: int) -> dict[str, str]:
    return {"qp_i": str(crf), "qp_p": str(crf)}


def _videotoolbox(crf: int) -> dict[str, str]:
    # FFmpeg's lambda (FF_QP2LAMBDA): 118 for each step of a scale from 1 to 100.
    return {"global_quality": str(118 * _quality_of(crf, 51)), "flags": "+qscale"}


# FFmpeg's names: https://trac.ffmpeg.org/wiki/HWAccelIntro. Those that a machine lacks refuse to open.
_HARDWARE: Final = (
    *_hardware(
        "NVENC",
        "nvenc",
        ("h264", "hevc", "av1"),
        lambda q: {"cq": str(q)},
        _constant(rc="cbr", tune="ll", zerolatency="1", delay="0", **{"forced-idr": "1"}),
        rc="vbr",
        preset="p4",
        b="0",
    ),
    *_hardware(
        "QSV",
        "qsv",
        ("h264", "hevc", "av1", "vp9"),
        lambda q: {"global_quality": str(q)},
        _constant(async_depth="1"),
    ),
    *_hardware("AMF", "amf", ("h264", "hevc", "av1"), _qp, _constant(rc="cbr", usage="lowlatency"), rc="cqp"),
    *_hardware(
        "VideoToolbox",
        "videotoolbox",
        ("h264", "hevc"),
        _videotoolbox,
        _constant(realtime="1", prio_speed="1"),
    ),
    *_hardware(
        "Media Foundation",
        "mf",
        ("h264", "hevc"),
        _mf,
        _LIVE_MF,
        rate_control="quality",
        hw_encoding="1",
    ),
    *_hardware(
        "VAAPI",
        "vaapi",
        ("h264", "hevc", "av1", "vp9"),
        lambda q: {"qp": str(q)},
        _constant(rc_mode="CBR", async_depth="1"),
        rc_mode="CQP",
    ),
)
ENCODERS: Final = (*_SOFTWARE, *_HARDWARE)


@dataclass(frozen=True)
class Choice:
    """The encoder for a file, its options, and `notes`: sentences on requested options that were not met."""

    encoder: Encoder
    container: Container
    options: Options
    notes: tuple[Text, ...] = ()
    bits: int = 8

    @property
    def text(self) -> Text:
        """Short description of the result."""
        codec = CODECS[self.encoder.codec].title
        if codec == self.container.title:
            return sentence("{name}", name=codec)
        by = self.encoder.maker or self.encoder.name
        return sentence(
            "{container} with {codec} by {by}", container=self.container.title, codec=codec, by=by
        )


Trial = Callable[[Encoder, Options, tuple[int, int]], bool]


def encodes(encoder: Encoder, options: Options, size: tuple[int, int] = _TRIED_SIZE) -> bool:
    """True if an encoder is there and gives a packet for a black frame of a size, (width, height)."""
    width, height = size[0] + size[0] % 2, size[1] + size[1] % 2
    try:
        context: Any = av.CodecContext.create(encoder.name, "w")
        context.width, context.height, context.pix_fmt = width, height, encoder.pixels
        context.time_base, context.framerate = encoder.time_base, Fraction(25)
        context.options = dict(options)
        frame: Any = _black(width, height, encoder.pixels)
        frame.pts, frame.time_base = 0, encoder.time_base
        with usual_priority():
            packets = [*context.encode(frame), *context.encode(None)]
    except (ValueError, OSError, TypeError, NotImplementedError, av.FFmpegError) as error:
        log.info("the encoder %s does not work here: %s", encoder.title, error)
        return False
    return any(packet.size for packet in packets)


def _black(width: int, height: int, pixels: str) -> Any:
    if pixels == "pal8":  # which swscale does not make
        image, palette = np.zeros((height, width), np.uint8), np.full((256, 4), 255, np.uint8)
        pair: Any = (image, palette)  # as PyAV documents for pal8; its types know an array only
        return av.VideoFrame.from_ndarray(pair, format="pal8")
    frame = av.VideoFrame.from_ndarray(np.zeros((height, width, 4), np.uint8), format="rgba")
    return frame.reformat(format=pixels)


def options_of(encoder: Encoder, crf: int | None) -> dict[str, str]:
    """Return what an encoder is opened with for a quality on its codec's scale, None for the usual one."""
    codec = CODECS[encoder.codec]
    return {
        **encoder.options,
        **encoder.quality(codec.crf if crf is None else min(crf, codec.worst or crf)),
    }


def live_options_of(encoder: Encoder, bit_rate: int) -> dict[str, str]:
    """Return the encoder's options for live receivers, at a constant rate in bits per second."""
    return {**encoder.options, **encoder.live(bit_rate)}


def choose(
    path: Path, encoding: Encoding, size: tuple[int, int] = _TRIED_SIZE, trial: Trial = encodes
) -> Choice:
    """Return the encoder for a file, whose suffix selects the container.

    Args:
        size: (width, height) of the video; hardware has limits.
        trial: whether an encoder works.

    Raises:
        UsageError: the container does not support the codec or the quality.
        ExportError: no encoder works here, or the suffix is unknown.
    """
    choice = choose_for(container_of(path), encoding, size, trial)
    if choice is None and encoding.depth == 10:
        others = (
            name for name, each in CONTAINERS.items() if ten_bit(each.codecs) and name != path.suffix.lower()
        )
        plain = replace(encoding, codec="", crf=None, alpha=False, bits=10)
        there = [name for name in others if choose_for(CONTAINERS[name], plain, size, trial) is not None]
        raise ExportError(
            sentence(
                "No encoder for {suffix} files with 10 bits a color works here; choose 8, or a file that has one: "
                "{kinds}.",
                suffix=path.suffix,
                kinds=", ".join(there) or "-",
            )
        )
    if choice is None:
        raise ExportError(
            sentence(
                "This build of FFmpeg has no encoder for {suffix} files; choose another format.",
                suffix=path.suffix,
            )
        )
    return choice


def choose_for(
    container: Container,
    encoding: Encoding,
    size: tuple[int, int] = _TRIED_SIZE,
    trial: Trial = encodes,
    options_for: Callable[[Encoder, int | None], Options] = options_of,
) -> Choice | None:
    """Return the encoder for a container, None if none works; see `choose`. `options_for` returns an
    encoder's options. Raises UsageError if the container does not support the codec or the quality.
    """
    _check(container, encoding)
    offered = _offered(container, encoding)
    wanted = encoding.codec or offered[0]
    tried: list[Encoder] = []
    for codec in (wanted, *(name for name in offered if name != wanted)):
        crf = encoding.crf if codec == wanted else None
        for encoder in _in_order(codec, encoding):
            options = options_for(encoder, crf)
            if trial(encoder, options, size):
                notes = _notes(wanted, encoding, encoder, tried)
                return Choice(encoder, container, options, notes, encoding.depth)
            tried.append(encoder)
    return None


def with_metadata(choice: Choice, hdr: HdrMetadata) -> Choice:
    """Return a choice whose encoder writes HDR metadata, with a note if it cannot."""
    if hdr == HdrMetadata():
        return choice
    taken = choice.encoder.metadata
    if taken is None:
        note = sentence(
            "{codec} is written without the data of the mastering display and the light levels: its encoder "
            "takes none; HEVC and AV1 have them.",
            codec=choice.encoder.title,
        )
        return replace(choice, notes=(*choice.notes, note))
    values = filter(None, (choice.options.get(taken.option), taken.of_metadata(hdr)))
    return replace(choice, options={**choice.options, taken.option: ":".join(values)})


def _check(container: Container, encoding: Encoding) -> None:
    if encoding.codec and encoding.codec not in container.codecs:
        raise UsageError(
            sentence(
                "{container} does not take {codec}; choose one of {codecs}, or another kind of file.",
                container=container.title,
                codec=CODECS[encoding.codec].title,
                codecs=", ".join(CODECS[name].title for name in container.codecs),
            )
        )
    if encoding.depth != 8:
        _check_depth(container, encoding)
    offered = _offered(container, encoding)
    if not offered or (encoding.codec and encoding.codec not in offered):
        holders = [name for name, each in CONTAINERS.items() if each.alpha]
        raise UsageError(
            sentence(
                "{container} with {codec} holds no transparency; choose a file that does ({kinds}), or do "
                "not keep it.",
                container=container.title,
                codec=CODECS[encoding.codec or container.codecs[0]].title,
                kinds=", ".join(holders),
            )
        )
    wanted = encoding.codec or offered[0]
    if encoding.crf is not None and encoding.crf > CODECS[wanted].worst:
        raise UsageError(
            sentence(
                "The quality of {codec} is not {crf}; choose one from 0 to {worst}.",
                codec=CODECS[wanted].title,
                worst=CODECS[wanted].worst,
                crf=encoding.crf,
            )
        )


def _check_depth(container: Container, encoding: Encoding) -> None:
    deep = deep_codecs(container, alpha=encoding.alpha)
    if encoding.depth == 10 and deep and (not encoding.codec or encoding.codec in deep):
        return
    if encoding.codec and encoding.depth == 10 and deep:
        raise UsageError(
            sentence(
                "{codec} is written with 8 bits a color; for 10 choose one of {codecs}.",
                codec=CODECS[encoding.codec].title,
                codecs=", ".join(CODECS[name].title for name in deep),
            )
        )
    holders = deep_suffixes(alpha=encoding.alpha)
    if encoding.hdr == "keep":  # 8 bits are none of its choices
        raise UsageError(
            sentence(
                "{container} holds no HDR beside transparency; choose standard range, or one of {kinds}.",
                container=container.title,
                kinds=", ".join(holders),
            )
            if encoding.alpha
            else sentence(
                "{container} holds no HDR; choose standard range, or one of {kinds}.",
                container=container.title,
                kinds=", ".join(holders),
            )
        )
    raise UsageError(
        sentence(
            "{container} is not written with {bits} bits a color; choose 8, or one of {kinds} with 10.",
            container=container.title,
            bits=encoding.depth,
            kinds=", ".join(holders),
        )
    )


def _offered(container: Container, encoding: Encoding) -> tuple[str, ...]:
    """Return the codecs that the container supports, with transparency and the number of bits that are kept."""
    codecs = container.alpha if encoding.alpha else container.codecs
    return ten_bit(codecs) if encoding.depth == 10 else codecs


def _in_order(codec: str, encoding: Encoding) -> list[Encoder]:
    # Software first unless asked: at the same size of file it looks better.
    found = [encoder for encoder in ENCODERS if encoder.codec == codec]
    if encoding.depth == 10:
        found = [
            replace(encoder, pixels=encoder.deep, alpha=encoder.deep_alpha)
            for encoder in found
            if encoder.deep
        ]
    if encoding.alpha:
        found = [replace(encoder, pixels=encoder.alpha) for encoder in found if encoder.alpha]
    return sorted(found, key=lambda encoder: bool(encoder.maker) is not encoding.hardware)


def _notes(wanted: str, encoding: Encoding, encoder: Encoder, tried: list[Encoder]) -> tuple[Text, ...]:
    if encoder.codec != wanted:
        note = sentence(
            "No encoder for {codec} works here (tried: {tried}); {instead} is used instead.",
            codec=CODECS[wanted].title,
            tried=", ".join(each.name for each in tried if each.codec == wanted),
            instead=CODECS[encoder.codec].title,
        )
        return (note,)
    makers = [each.maker for each in tried if each.maker]
    if encoding.hardware and not encoder.maker:
        if not makers:
            return (sentence("No hardware encodes {codec}; software does.", codec=CODECS[wanted].title),)
        note = sentence(
            "No hardware encoder for {codec} works here (tried: {tried}); {instead} is used instead.",
            codec=CODECS[wanted].title,
            tried=", ".join(makers),
            instead=encoder.name,
        )
        return (note,)
    return ()
