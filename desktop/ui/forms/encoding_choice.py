"""Encoding options as forms and settings hold them: strings, which are converted to an `Encoding`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from desktop.outputs.encoding import CODECS, CONTAINERS, Codec, Encoding, Sound, ten_bit
from desktop.ui.forms.settings import Settings

MORE_BITS: Final = "more"
KEPT_HDR: Final = "hdr"
# Extensions of images that hold more bits, with the number that is requested; 0 where there are no others.
_IMAGE_BITS: Final = {".png": 16, ".exr": 0}


@dataclass(frozen=True)
class EncodingChoice:
    """Chosen encoding options; '' is the default, that of the image or the source. See also `Encoding`.

    Attributes:
        kind: file extension.
        codec: one of `CODECS`.
        quality: steps from the codec's default, on a scale to 51.
        lines: frame height in pixels.
        rate: frames per second.
        color: `MORE_BITS` for 10 bits a color, or 16 of images, `KEPT_HDR` to keep HDR as well.
    """

    kind: str
    codec: str = ""
    quality: str = ""
    lines: str = ""
    rate: str = ""
    sound: Sound = "auto"
    hardware: bool = False
    alpha: bool = False
    color: str = ""

    @property
    def codecs(self) -> tuple[str, ...]:
        """The codecs that the container offers for these options, the default first; () without one."""
        container = CONTAINERS.get(self.kind)
        if container is None:
            return ()
        codecs = container.alpha if self.alpha and container.alpha else container.codecs
        # None, where a container holds 8 bits only: then the choice does not apply.
        return (ten_bit(codecs) if self.color else ()) or codecs

    @property
    def holds_more_bits(self) -> bool:
        """True if the file can have more than 8 bits a color; one with always as many counts."""
        container = CONTAINERS.get(self.kind)
        return bool(ten_bit(container.codecs)) if container is not None else self.kind in _IMAGE_BITS

    @property
    def crf(self) -> int | None:
        """Quality on the codec's own scale; None for a codec without a quality setting."""
        codec = self.used
        if codec is None or not codec.worst:
            return None
        # Quality steps are on a scale to 51; they are longer for a codec with a scale to 63.
        return min(max(round(codec.crf + int(self.quality or 0) * codec.worst / 51), 0), codec.worst)

    @property
    def used(self) -> Codec | None:
        """The codec chosen or the default one; None if there is no video."""
        if not self.codecs:
            return None
        return CODECS[self.codec if self.codec in self.codecs else self.codecs[0]]

    @property
    def encoding(self) -> Encoding:
        """Return the `Encoding`; a codec that the container does not support becomes the default one."""
        container = CONTAINERS.get(self.kind)
        color = self.color if self.holds_more_bits else ""
        if container is None:
            return Encoding(
                bits=_IMAGE_BITS[self.kind] if color else 0, hdr="keep" if color == KEPT_HDR else "tonemap"
            )
        writes_alpha = self.alpha and bool(container.alpha)
        return Encoding(
            codec=self.codec if self.codec in self.codecs else "",
            crf=self.crf if self.quality else None,
            size=(0, int(self.lines or 0)),
            fps=float(self.rate or 0),
            sound=self.sound if container.sound else "auto",
            hardware=self.hardware,
            alpha=writes_alpha,
            bits=10 if color else 0,
            hdr="keep" if color == KEPT_HDR else "tonemap",
        )


def stored_choice(settings: Settings) -> EncodingChoice:
    """Return the options saved for recordings."""
    return EncodingChoice(
        kind=settings.recording_kind,
        codec=settings.recording_codec,
        quality=settings.recording_quality,
        lines=settings.recording_lines,
        rate=settings.recording_rate,
        hardware=settings.hardware_encoding,
    )


def store_choice(settings: Settings, choice: EncodingChoice) -> None:
    """Save the choice for the next recording."""
    settings.recording_kind = choice.kind
    settings.recording_codec = choice.codec
    settings.recording_quality = choice.quality
    settings.recording_lines = choice.lines
    settings.recording_rate = choice.rate
    settings.hardware_encoding = choice.hardware
