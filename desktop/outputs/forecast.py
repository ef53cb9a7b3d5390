"""Predict the result of an export: codec, size, audio, and all differences from the source."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import av

from desktop.base.wording import Text, joined, plural, sentence
from desktop.media.containers import open_container
from desktop.media.sound import SoundForecast, foresee_sound
from desktop.outputs.description import description_of
from desktop.outputs.encoders import Choice, Trial, choose, encodes, with_metadata
from desktop.outputs.encoding import CODECS, Container, Encoding, deeper
from desktop.outputs.frames import coded_size
from desktop.outputs.video_color import VideoColor

# ITU-T H.273, table 3: PQ and HLG.
_HDR: Final = (16, 18)
_SOUND_NAMES: Final = {"aac": "AAC", "libopus": "Opus", "opus": "Opus", "mp3": "MP3", "vorbis": "Vorbis"}

# Of ordinary videos at the codecs' default qualities.
_BITS_PER_PIXEL: Final = {
    "h264": 0.18,
    "hevc": 0.1,
    "vp9": 0.08,
    "av1": 0.07,
    "vp8": 0.2,
    "mpeg4": 0.3,
    "ffv1": 8.0,
    "prores": 5.3,
    "prores-hq": 3.5,
    "dnxhr": 3.5,
    "gif": 3.0,
    "webp": 0.3,
}
_SOUND_BITS: Final = 128_000
_USUAL_RATE: Final = 30.0


@dataclass(frozen=True)
class Tracks:
    """Streams of a file beside the video and the first audio, many of which are omitted or changed."""

    subtitles: int = 0
    has_alpha: bool = False
    is_hdr: bool = False
    bits: int = 8
    is_described: bool = False
    has_code: bool = False


@dataclass(frozen=True)
class Forecast:
    """The predicted result, with differences from the source or options in sentences. The audio begins `lead`
    seconds before the first frame. `bytes_per_second` is right within a factor of some three.
    """

    choice: Choice
    size: tuple[int, int]
    video: Text
    sound: Text
    differs: tuple[Text, ...]
    lead: float = 0.0
    bytes_per_second: float = 0.0


def foresee(
    source: Path | None,
    picture: tuple[int, int],
    rate: float,
    target: Path,
    encoding: Encoding,
    trial: Trial = encodes,
    *,
    draws_subtitles: bool = False,
    sound_tracks: Sequence[int | None] = (None,),
    begins: float | None = None,
    color: VideoColor | None = None,
    makes_frames: bool = False,
) -> Forecast:
    """Predict the result of an export.

    Args:
        source: the file of the frames; None if there is none.
        picture: (width, height) of the chain's frames.
        rate: the source's frames per second, 0.0 if unknown.
        trial: tests whether an encoder works.
        draws_subtitles: the selected subtitles are drawn into the frames.
        sound_tracks: indices of the audio tracks to copy, from 0; None for the default one.
        begins: file time of the source's first frame, in seconds; None if the export begins with another.
        color: of the frames; None for SDR.
        makes_frames: frames between those of the source are made, with 8 bits a color.

    Raises:
        UsageError, ExportError: it is not possible; see `encoders.choose`.
    """
    color = color or VideoColor()
    choice = with_metadata(choose(target, encoding, encoding.size_of(picture), trial), color.hdr)
    container = choice.container
    size = coded_size(choice.encoder, encoding, picture)
    tracks = _tracks(source) if source is not None else Tracks()
    sounds = [SoundForecast()]
    if source is not None:
        sounds = [
            foresee_sound(
                source, container.format, container.options, encoding.sound, track=track, begins=begins
            )
            for track in sound_tracks
        ]
    has_sounds = container.sound and encoding.sound != "none"
    lead = max(each.lead for each in sounds) if has_sounds else 0.0
    paced = encoding.rate_of(rate, container)
    differs = (
        *choice.notes,
        *_about_pictures(choice, encoding.size_of(picture), size, tracks),
        *_about_color(choice, tracks, color, encoding, makes_frames=makes_frames),
        *_about_rate(rate, paced, encoding, container),
        *_about_sounds(sounds, encoding, container, lead),
        *_about_subtitles(tracks, drawn=draws_subtitles),
        *_about_description(tracks, container),
    )
    if paced or rate:
        video = sentence(
            "{made}, {width} x {height}, {rate:.5g} frames per second",
            made=choice.text,
            width=size[0],
            height=size[1],
            rate=paced or rate,
        )
    else:
        video = sentence(
            "{made}, {width} x {height}",
            made=choice.text,
            width=size[0],
            height=size[1],
        )
    has_sound = has_sounds and any(each.way in ("copied", "encoded") for each in sounds)
    estimate = _bits_per_pixel(choice.encoder.codec, encoding.crf) * size[0] * size[1]
    estimate = (estimate * (paced or rate or _USUAL_RATE) + (_SOUND_BITS if has_sound else 0)) / 8
    sound = _sounds_text(sounds, encoding, container)
    return Forecast(choice, size, video, sound, differs, lead, estimate)


def _bits_per_pixel(codec: str, crf: int | None) -> float:
    known = CODECS[codec]
    bits = _BITS_PER_PIXEL.get(codec, _BITS_PER_PIXEL["h264"])
    if crf is None or not known.worst:
        return bits
    # x264's documentation: six steps of 51 halve the file.
    return bits * 2.0 ** ((known.crf - crf) * 51 / (6 * known.worst))


def _tracks(source: Path) -> Tracks:
    try:
        with open_container(str(source), options={"protocol_whitelist": "file"}) as container:
            stream: Any = next(iter(container.streams.video), None)
            context = stream.codec_context if stream is not None else None
            pixels = context.format if context is not None else None
            bits = max((c.bits for c in pixels.components), default=8) if pixels is not None else 8
            hdr = context is not None and context.color_trc in _HDR
            alpha = pixels is not None and any(c.is_alpha for c in pixels.components)
            alpha = alpha or (stream is not None and stream.metadata.get("alpha_mode") == "1")
            found = description_of(container)
            is_described = bool(found.texts or found.chapters)
            has_code = found.code is not None
            return Tracks(len(container.streams.subtitles), alpha, hdr, bits, is_described, has_code)
    except (OSError, ValueError, LookupError, TypeError, av.FFmpegError):
        return Tracks()


def _about_pictures(
    choice: Choice, wanted: tuple[int, int], size: tuple[int, int], tracks: Tracks
) -> list[Text]:
    notes = []
    if size != wanted:
        notes.append(
            sentence(
                "{codec} has no odd sizes: {width} x {height} becomes {new_width} x {new_height}.",
                codec=choice.encoder.title,
                width=wanted[0],
                height=wanted[1],
                new_width=size[0],
                new_height=size[1],
            )
        )
    if tracks.has_alpha and not choice.encoder.writes_alpha:
        notes.append(
            sentence(
                "The source has transparency, and {codec} holds none: it becomes black; keep transparency in "
                ".webm, .mkv and .mov (--alpha).",
                codec=choice.encoder.title,
            )
        )
    if choice.encoder.codec == "gif":
        notes.append(sentence("A GIF has at most 256 colors per frame."))
    return notes


def _about_color(
    choice: Choice, tracks: Tracks, color: VideoColor, encoding: Encoding, *, makes_frames: bool
) -> list[Text]:
    if makes_frames:
        return _about_made_frames(tracks)
    notes = []
    codec, suffixes = deeper(choice.container, encoding)
    kinds = ", ".join(suffixes)
    # With a codec of 8 bits that was chosen, the option alone would be refused.
    if color.is_hdr and choice.bits > 8:
        name = "PQ" if color.transfer == 16 else "HLG"
        notes.append(sentence("High dynamic range ({name}) is kept as it is coded.", name=name))
    elif tracks.is_hdr:
        notes.append(_hdr_note(codec, kinds))
    if tracks.bits > choice.bits:
        notes.append(
            _depth_note(tracks.bits, codec, kinds)
            if choice.bits == 8
            else sentence("{bits} bits a color become 10.", bits=tracks.bits)
        )
    return notes


def _about_made_frames(tracks: Tracks) -> list[Text]:
    """Return notes on what is not kept where frames are made, which '--hdr keep' and '--bits 10' do not go with."""
    notes = []
    if tracks.is_hdr:
        notes.append(
            sentence(
                "High dynamic range becomes standard range (BT.709); leave out slow motion and frame "
                "interpolation to keep it."
            )
        )
    if tracks.bits > 8:
        notes.append(
            sentence(
                "{bits} bits a color become 8; leave out slow motion and frame interpolation to keep 10.",
                bits=tracks.bits,
            )
        )
    return notes


def _hdr_note(codec: str, kinds: str) -> Text:
    """Return a note on HDR that is not kept; `codec`: another one that keeps it, `kinds`: files that do."""
    if kinds:
        return sentence(
            "High dynamic range becomes standard range (BT.709); write one of {kinds} and keep HDR to leave it as it is (--hdr keep).",
            kinds=kinds,
        )
    if codec:
        return sentence(
            "High dynamic range becomes standard range (BT.709); keep HDR, with the codec {codec}, to leave "
            "it as it is (--hdr keep --codec {codec}).",
            codec=codec,
        )
    return sentence(
        "High dynamic range becomes standard range (BT.709); keep HDR to leave it as it is (--hdr keep)."
    )


def _depth_note(bits: int, codec: str, kinds: str) -> Text:
    """Return a note on bits that are not kept; see `_hdr_note`."""
    if kinds:
        return sentence(
            "{bits} bits a color become 8; write one of {kinds} and choose more bits to keep 10 (--bits 10).",
            bits=bits,
            kinds=kinds,
        )
    if codec:
        return sentence(
            "{bits} bits a color become 8; choose more bits and the codec {codec} to keep 10 (--bits 10 --codec {codec}).",
            bits=bits,
            codec=codec,
        )
    return sentence("{bits} bits a color become 8; choose more bits to keep 10 (--bits 10).", bits=bits)


def _about_subtitles(tracks: Tracks, *, drawn: bool) -> list[Text]:
    if drawn:
        return [sentence("Subtitles are drawn into the frames: they cannot be switched off.")]
    return [sentence("Subtitles are left out.")] if tracks.subtitles else []


def _about_description(tracks: Tracks, container: Container) -> list[Text]:
    if container.sound:
        return []
    notes = []
    if tracks.is_described:
        notes.append(
            sentence("Title and chapters are left out: {container} holds none.", container=container.title)
        )
    if tracks.has_code:
        notes.append(
            sentence("The time code is left out: {container} holds none.", container=container.title)
        )
    return notes


def _about_rate(rate: float, paced: float, encoding: Encoding, container: Container) -> list[Text]:
    if paced and paced != encoding.fps:
        return [
            sentence(
                "{container} shows at most {fastest:g} frames per second, so some of {rate:.5g} are left "
                "out.",
                container=container.title,
                fastest=container.fastest,
                rate=encoding.fps or rate,
            )
        ]
    return []


def _about_sounds(
    sounds: Sequence[SoundForecast], encoding: Encoding, container: Container, lead: float
) -> list[Text]:
    first = sounds[0]
    if first.way == "none" or encoding.sound == "none":
        return []
    if not container.sound:
        return [sentence("{container} takes no audio, so it is left out.", container=container.title)]
    # Each once, for several tracks.
    notes = list(dict.fromkeys(note for each in sounds for note in _about_sound(each, encoding, container)))
    if len(first.tracks) > 1 and len(sounds) == 1:
        notes.append(
            plural(
                len(first.tracks),
                "Of %n audio track only this one is copied: {name}.",
                "Of %n audio tracks only this one is copied: {name}.",
                name=first.tracks[first.track],
            )
        )
    if lead:
        notes.append(
            sentence(
                "The audio begins {seconds:.1f} s before the first frame; until then the video shows "
                "nothing.",
                seconds=lead,
            )
        )
    return notes


def _about_sound(found: SoundForecast, encoding: Encoding, container: Container) -> list[Text]:
    codec = _sound_name(found.codec)
    notes = []
    if found.way == "left out":
        notes.append(
            sentence(
                "The audio ({codec}) is left out: {container} does not take it.",
                codec=codec,
                container=container.title,
            )
            if found.codec
            else sentence("The audio is left out: no decoder here reads it.")
        )
    elif found.way == "encoded" and encoding.sound != "encode":
        notes.append(
            sentence(
                "The audio ({codec}) is encoded as {encoded}: {container} does not take it as it is.",
                codec=codec,
                encoded=_sound_name(container.sound),
                container=container.title,
            )
        )
    return notes


def _sounds_text(sounds: Sequence[SoundForecast], encoding: Encoding, container: Container) -> Text:
    texts = [_sound_text(each, encoding, container) for each in sounds]
    if len(texts) == 1:
        return texts[0]
    return sentence("{count} audio tracks: {tracks}", count=len(texts), tracks=joined("; ", texts))


def _sound_text(found: SoundForecast, encoding: Encoding, container: Container) -> Text:
    if found.way in ("none", "left out") or encoding.sound == "none" or not container.sound:
        return sentence("no audio")
    if found.way == "copied":
        return sentence("{codec} audio, copied", codec=_sound_name(found.codec))
    return sentence("{codec} audio", codec=_sound_name(container.sound))


def _sound_name(codec: str) -> str:
    return _SOUND_NAMES.get(codec, codec.upper().replace("_", " ") or "?")
