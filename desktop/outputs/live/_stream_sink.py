"""A running stream: a thread that encodes the newest frame and reconnects after a failure."""

from __future__ import annotations

import logging
import threading
from typing import Final

import av
import numpy as np

from desktop.base.errors import ExportError
from desktop.base.wording import sentence
from desktop.media.containers import av_reason
from desktop.outputs.live._stream_link import Link, Start
from desktop.outputs.live._stream_packets import LEAD_S, Packets
from desktop.outputs.live._stream_plan import Plan
from desktop.outputs.live.output import LiveSink, SinkFigures

log = logging.getLogger(__name__)

# Without frames the connection is checked this often.
_POLL_S: Final = 0.25
_FIRST_WAIT_S, _LONGEST_WAIT_S = 1.0, 30.0
_FINISH_S: Final = 1.5
# Of the stream's bits, how many seconds may wait for the network; then frames are dropped.
_MOST_WAITING_S: Final = 0.5
_LEAST_WAITING: Final = 1 << 16
# A frame may come this part of its time before it is due.
_EARLY: Final = 0.25
_REFUSALS: Final = (av.FFmpegError, OSError, ValueError)


class StreamSink(LiveSink):
    """A `LiveSink`. `write` and `send_audio` never wait; late data is dropped and counted. The feed repeats
    frames, as it knows whether one may still be sent.
    """

    def __init__(self, plan: Plan, start: Start | None = None) -> None:
        self._plan, self._start = plan, start
        self._news = threading.Condition()
        self._picture: tuple[np.ndarray, float] | None = None
        self._closing = False
        self._error: ExportError | None = None
        self._note = ""
        self._dropped = 0
        # Of connections that are over.
        self._pictures = 0
        self._link: Link | None = None
        self._packets: Packets | None = None
        self._origin = 0.0
        self._was_open = False
        self._wait = _FIRST_WAIT_S
        self._thread = threading.Thread(target=self._run, name="stream", daemon=True)
        self._thread.start()

    def write(self, picture: np.ndarray, at: float) -> None:
        with self._news:
            if self._error is not None:
                raise self._error
            self._dropped += self._picture is not None
            self._picture = (picture.copy(), at)
            self._news.notify()

    def send_audio(self, samples: np.ndarray, at: float) -> None:
        if (packets := self._packets) is not None:
            packets.send_audio(samples, at)

    def figures(self) -> SinkFigures:
        link = self._link
        note = str(self._error) if self._error is not None else self._note
        if link is None or not link.is_open:
            return SinkFigures(pictures=self._pictures, dropped=self._dropped, note=note)
        report = link.report
        return SinkFigures(
            pictures=self._pictures + report.pictures,
            bits_per_second=link.bits_per_second,
            latency_s=report.at - self._origin - (report.pts - LEAD_S) if report.pictures else None,
            dropped=self._dropped,
            note=note,
        )

    def close(self) -> None:
        """See `LiveSink`; what the network has not taken by then is lost."""
        with self._news:
            self._closing = True
            self._news.notify()
        self._thread.join(_FINISH_S + 0.5)
        if self._thread.is_alive() and (link := self._link) is not None:
            link.end()

    def _run(self) -> None:
        while not self._closing:
            try:
                self._connection()
            except ExportError as error:
                if not (self._was_open and self._plan.target.comes_back):
                    self._error = error
                    return
                log.info("%s", error)
                self._note = sentence(
                    "{error} It is tried again in {seconds:.0f} s.", error=error, seconds=self._wait
                )
                self._pause(self._wait)
                self._wait = min(2 * self._wait, _LONGEST_WAIT_S)
            except Exception:
                log.exception("streaming to %s", self._plan.target.public)
                self._error = ExportError(
                    sentence(
                        "The stream to {address} failed; begin it anew.", address=self._plan.target.public
                    )
                )
                return

    def _connection(self) -> None:
        """Send until it is closed; ExportError if the connection failed or was lost."""
        first = self._next(None)
        if first is None:
            return
        self._origin = first[1]
        link = self._link = Link(self._plan.target, self._start)
        try:
            self._packets = Packets(self._plan, link, self._origin)
            self._send(link, self._packets, first)
            link.finish(_FINISH_S)
        except _REFUSALS as error:
            raise ExportError(
                sentence(
                    "{encoder} stopped encoding ({reason}); choose another codec for the stream.",
                    encoder=self._plan.choice.encoder.title,
                    reason=av_reason(error),
                )
            ) from error
        finally:
            self._packets = None
            link.end()
            self._pictures += link.report.pictures
            self._link = None

    def _send(self, link: Link, packets: Packets, first: tuple[np.ndarray, float]) -> None:
        most = max(_LEAST_WAITING, round(self._plan.bit_rate / 8 * _MOST_WAITING_S))
        period = 1 / self._plan.rate
        due = first[1]
        item: tuple[np.ndarray, float] | None = first
        while True:
            if item is not None and link.waiting > most:
                self._dropped += 1
            elif item is not None and item[1] >= due - _EARLY * period:
                due = max(due + period, item[1])
                packets.show(*item)
            item = self._next(_POLL_S)
            if self._closing:
                packets.finish()
                return
            link.check()
            if link.is_open and (not self._was_open or self._note):
                self._was_open, self._note, self._wait = True, "", _FIRST_WAIT_S

    def _next(self, limit: float | None) -> tuple[np.ndarray, float] | None:
        """Wait for a frame; None where none came within the limit, or it is to end."""
        with self._news:
            self._news.wait_for(lambda: self._picture is not None or self._closing, limit)
            item, self._picture = self._picture, None
            return None if self._closing else item

    def _pause(self, seconds: float) -> None:
        with self._news:
            self._news.wait_for(lambda: self._closing, seconds)
            if self._picture is not None:
                self._picture, self._dropped = None, self._dropped + 1
