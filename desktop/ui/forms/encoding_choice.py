"""Encoding options as forms and settings hold them: strings, which are converted to an `Encoding`."""

from __future__ import annotations

from dataclasses import dataclass

from desktop.outputs.encoding import CODECS, CONTAINERS, Encoding, Sound
from desktop.ui.forms.settings import Settings


@dataclass(frozen=True)
class EncodingChoice:
    """Chosen encoding options; '' is the default, that of the image or the source. See also `Encoding`.

    Attributes:
        kind: file extension.
        codec: one of `CODECS`.
        quality: steps from the codec's default, on a scale to 51.
        lines: frame height in pixels.
        rate: frames per second.
    """

    kind: str
    codec: str = ""
    quality: str = ""
    lines: str = ""
    rate: str = ""
    sound: Sound = "auto"
    hardware: bool = False
    alpha: bool = False

    @property
    def encoding(self) -> Encoding:
        """Return the `Encoding`; a codec that the container does not support becomes the default one."""
        container = CONTAINERS.get(self.kind)
        if container is None:
            return Encoding()
        writes_alpha = self.alpha and bool(container.alpha)
        codecs = container.alpha if writes_alpha else container.codecs
        chosen = self.codec if self.codec in codecs else ""
        codec = CODECS[chosen or codecs[0]]
        crf = None
        if self.quality and codec.worst:
            # Quality steps are on a scale to 51; they are longer for a codec with a scale to 63.
            crf = min(max(round(codec.crf + int(self.quality) * codec.worst / 51), 0), codec.worst)
        return Encoding(
            codec=chosen,
            crf=crf,
            size=(0, int(self.lines or 0)),
            fps=float(self.rate or 0),
            sound=self.sound if container.sound else "auto",
            hardware=self.hardware,
            alpha=writes_alpha,
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
