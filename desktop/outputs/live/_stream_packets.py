"""Mux frames and audio on one clock into NUT, which supports all codecs and exact timestamps."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Final

import numpy as np
from av.codec.context import Flags
from av.video.frame import PictureType

from desktop.media.audio.samples import RATE
from desktop.media.containers import open_container
from desktop.media.live_track import LiveTrack
from desktop.outputs.encoding import Encoding
from desktop.outputs.frames import Converter, fitted
from desktop.outputs.live._stream_plan import Plan
from desktop.outputs.priorities import usual_priority

KEY_S: Final = 2.0
"""Seconds from one frame that a receiver can begin with to the next."""
# Devices announce when audio will be heard, so it precedes its frame; later audio counts as a gap.
_LATE_S: Final = 0.15
# AAC's first packet precedes the audio by this (Opus's by less), and NUT has no negative time: delay the stream by it.
_LEAD: Final = 1024
LEAD_S: Final = _LEAD / RATE
_HD_LINES: Final = 720
# No index, which would grow in memory. Wait for the other track's packets for 1 ms instead of 10 s.
_NUT: Final = {"write_index": "0", "flush_packets": "1", "max_interleave_delta": "1000"}


class Packets:
    """Encodes the packets of one connection. One thread at a time, except for `send_audio`."""

    def __init__(self, plan: Plan, file: Any, origin: float) -> None:
        """Open the encoders; `origin` is the first frame's `time.perf_counter`. Raises av.FFmpegError,
        OSError or ValueError if an encoder fails.
        """
        self._plan, self._origin = plan, origin
        encoder = plan.choice.encoder
        self._base = encoder.time_base
        self._last, self._key_at = -1, 0.0
        # MPEG-4 in MPEG-TS does not say its colors, and players go by the size.
        guessed = encoder.codec == "mpeg4" and plan.size[1] < _HD_LINES
        matrix = "ITU601" if guessed else "ITU709"
        self._converter = Converter(encoder, Encoding(size=plan.size), plan.size, matrix)
        self._output = open_container(file, "w", format="nut", container_options=_NUT)
        rate = Fraction(plan.rate).limit_denominator(1001)
        self._stream = self._output.add_stream(encoder.name, rate=rate, options=dict(plan.choice.options))
        self._stream.width, self._stream.height = plan.size
        self._stream.pix_fmt = encoder.pixels
        context = self._stream.codec_context
        context.time_base = encoder.time_base
        context.gop_size = max(1, round(plan.rate * KEY_S))
        # ITU-T H.273: 1 is BT.709, 6 BT.601, and the range is the limited one.
        context.colorspace = context.color_primaries = context.color_trc = 6 if guessed else 1
        context.color_range = 1
        if plan.target.container.format == "mpegts":
            # Who tunes in later has missed the header: MPEG-TS repeats it in the frames.
            context.flags = int(context.flags) & ~int(Flags.global_header)
        self._track = LiveTrack(_Later(self._output), plan.target.container.sound) if plan.sound else None
        with usual_priority():
            self._output.start_encoding()

    def send_audio(self, samples: np.ndarray, at: float) -> None:
        """Take audio; on any thread. See `LiveSink.send_audio`."""
        if self._track is not None:
            self._track.add(at - self._origin, samples)

    def show(self, pixels: np.ndarray, at: float) -> None:
        """Encode a frame, uint8 [height, width, 4] of any size, after earlier audio. Raises as `__init__`."""
        seconds = max(0.0, at - self._origin)
        ticks = max(round((seconds + LEAD_S) / self._base), self._last + 1)
        frame = self._converter.frame(fitted(pixels, self._plan.size))
        frame.pts, frame.time_base = ticks, self._base
        # By the clock too: the frames may come slower than the source says, and the encoder counts them.
        if self._last < 0 or seconds - self._key_at >= KEY_S:
            frame.pict_type, self._key_at = PictureType.I, seconds
        self._last = ticks
        if self._track is not None:
            self._track.write_until(seconds)
            self._track.fill_until(seconds - _LATE_S)
        self._mux(self._stream.encode(frame))

    def finish(self) -> None:
        """Flush the encoders. Raises as `__init__`."""
        self._mux(self._stream.encode(None))
        if self._track is not None:
            self._track.finish(max(0.0, float(self._last * self._base) - LEAD_S))
        self._output.close()

    def _mux(self, packets: list[Any]) -> None:
        for packet in packets:
            self._output.mux(packet)


class _Later:
    """An output as `LiveTrack` knows it, in which the audio is later by the lead."""

    def __init__(self, output: Any) -> None:
        self._output = output
        self.format, self.add_stream = output.format, output.add_stream

    def mux(self, packet: Any) -> None:
        lead = round(LEAD_S / packet.time_base)
        packet.pts, packet.dts = packet.pts + lead, packet.dts + lead
        self._output.mux(packet)
