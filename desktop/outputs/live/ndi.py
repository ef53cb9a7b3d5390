"""NDI: the live frame and its audio as a source in the local network, through cyndilib.

cyndilib is an extra and in no bundle, as its wheels contain NDI's library, which is not free. Frames are sent
as R'G'B': 8.4 ms for 1920x1080. NDI's own UYVY takes 2.7 ms, but 16 ms more for a conversion.
"""

from __future__ import annotations

import sys
import time
from collections import deque
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any, Final

import numpy as np

from desktop.base.errors import ExportError
from desktop.base.fields import Flag, Value
from desktop.base.printable import printable
from desktop.base.wording import sentence
from desktop.outputs.frames import fitted
from desktop.outputs.live._package import Package
from desktop.outputs.live._shared_fields import NAME, RATE, SIZE, Limit, foresee, name_of, rate_of, size_of
from desktop.outputs.live.output import LiveOutput, LiveSink, PictureFormat, SinkFigures
from desktop.outputs.transparency import over_black

_PACKAGE: Final = Package("cyndilib", "ndi", "NDI")
_SOUND_RATE: Final = 48_000
# Always 10 ms: with shorter frames cyndilib 0.1.3 makes NDI read the second channel out of bounds.
_PIECE: Final = 480
# How many pieces of audio may wait for their frame: some seconds, whatever the device's are.
_MOST_WAITING: Final = 400
# Receivers take a silent source for one that has gone.
_REPEAT_S: Final = 0.25
# NDI's library makes itself known through this service of Linux; it has its own elsewhere.
_AVAHI: Final = Path("/run/avahi-daemon/socket")

_ALPHA: Final = Flag(
    name="alpha",
    label=sentence("Transparency"),
    help=sentence("What is transparent stays so, for programs that put it over something else."),
    default=False,
)


class NdiSink(LiveSink):
    """A `LiveSink`: frames letterboxed to one size, with a nominal rate, sent when they are shown. Audio is
    full scale at +-1, as NDI's SDK recommends for programs without a reference level.
    """

    def __init__(self, ndi: Any, values: Mapping[str, Value], pictures: PictureFormat) -> None:
        """Begin to send; `ndi` is `cyndilib`. ExportError if the name is too long, or it fails."""
        self._size, self._limit = size_of(values, pictures), Limit.of(values, pictures)
        self._figures = SinkFigures()
        self._writes_alpha = bool(values["alpha"])
        self._sound: deque[tuple[float, np.ndarray]] = deque(maxlen=_MOST_WAITING)
        # Less than a piece, which waits for the rest of it.
        self._rest = np.zeros((0, 2), np.float32)
        self._sender = ndi.Sender(name_of(values), clock_video=False, clock_audio=False)
        frame = ndi.VideoSendFrame()
        frame.set_resolution(*self._size)
        frame.set_frame_rate(_fraction(rate_of(values) or pictures.rate))
        frame.set_fourcc(ndi.FourCC.RGBA if values["alpha"] else ndi.FourCC.RGBX)
        self._sender.set_video_frame(frame)
        if pictures.sound:
            self._sender.set_audio_frame(_sound_frame(ndi))
        try:
            self._sender.open()
        # Of its own accord the library says nothing else than that it has no memory.
        except Exception as error:
            raise ExportError(
                sentence("NDI cannot begin: {reason}; try it again.", reason=printable(str(error)))
            ) from error

    def write(self, picture: np.ndarray, at: float) -> None:
        self._send_sound(at)
        if not self._limit.takes(at):
            return
        # The wrapper refuses what is not to be written to, though it only reads.
        shown = picture if self._writes_alpha else over_black(picture)
        pixels = np.require(fitted(shown, self._size), requirements=("C", "W"))
        if not self._sender.write_video(pixels.reshape(-1)):
            raise ExportError(sentence("NDI takes no more frames; switch the output off and on again."))
        self._figures = SinkFigures(self._figures.pictures + 1, latency_s=time.perf_counter() - at)

    def send_audio(self, samples: np.ndarray, at: float) -> None:
        self._sound.append((at, samples))

    def _send_sound(self, until: float) -> None:
        """Send audio up to a time; devices and receivers get it before it is heard."""
        heard = [self._rest]
        while self._sound and self._sound[0][0] <= until:
            heard.append(self._sound.popleft()[1])
        samples = np.concatenate(heard)
        whole = len(samples) // _PIECE * _PIECE
        for first in range(0, whole, _PIECE):
            self._sender.write_audio(np.ascontiguousarray(samples[first : first + _PIECE].T, np.float32))
        self._rest = samples[whole:]

    def figures(self) -> SinkFigures:
        return self._figures

    def close(self) -> None:
        self._sender.close()


def _fraction(rate: float) -> Fraction:
    # 30000/1001 and its like are meant where they are near.
    return Fraction(rate).limit_denominator(1001) if 1.0 <= rate <= 1000.0 else Fraction(30)


def _sound_frame(ndi: Any) -> Any:
    frame = ndi.AudioSendFrame(_PIECE)
    frame.sample_rate, frame.num_channels = _SOUND_RATE, 2
    return frame


def ndi_output(package: Package = _PACKAGE, avahi: Path | None = _AVAHI) -> LiveOutput:
    """Return the output; `avahi` exists if sources can be announced, None where it is not needed."""

    def notes(values: Mapping[str, Value], pictures: PictureFormat) -> tuple[str, ...]:
        found = foresee(values, pictures)
        if avahi is not None and not avahi.exists():
            found += (
                sentence(
                    "Receivers will not find it: the service avahi-daemon does not run; install the "
                    "package of that name."
                ),
            )
        return found

    return LiveOutput(
        id="ndi",
        title="NDI",
        order=10,
        fields=(NAME, SIZE, RATE, _ALPHA),
        missing=lambda values: package.lack,
        foresee=notes,
        open=lambda values, pictures: NdiSink(package.get(), values, pictures),
        repeat_s=_REPEAT_S,
    )


OUTPUT: Final = ndi_output(avahi=_AVAHI if sys.platform == "linux" else None)
