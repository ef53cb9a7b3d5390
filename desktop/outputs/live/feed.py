"""Passes the displayed frames to open outputs, each on its own thread, so that no frame waits for I/O. Each
is read from the GPU once, and dropped and counted where three are queued. A failed output ends alone.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Final, Literal

import numpy as np

from desktop.base.errors import DeviceLostError, LightloomError
from desktop.base.fields import Field, Flag, Value
from desktop.base.wording import sentence
from desktop.media.audio.output import Listen
from desktop.outputs.live.output import LiveOutput, LiveSink, PictureFormat, SinkFigures
from desktop.outputs.picture_queue import Fetch, PictureQueue, SharedFetch

log = logging.getLogger(__name__)

FeedState = Literal["opening", "running", "failed", "ended"]
Export = Callable[[bool], Fetch | None]
"""Begins to read the displayed frame, with or without drawn results; None if there is none."""

# A stream that does not respond may block its thread for longer; it is not waited for.
_CLOSING_S: Final = 5.0
# The rate is that of the last seconds.
_RATE_OVER_S: Final = 2.0


@dataclass(frozen=True)
class CommonOptions:
    """Options of all outputs: draw the network's results over the frame, flip it left to right."""

    overlay: bool
    mirrored: bool


def common_fields(output: LiveOutput) -> tuple[Field, ...]:
    """Return the fields for the options that every output has; their names are those of `CommonOptions`."""
    return (
        Flag(
            name="overlay",
            label=sentence("Show what is seen"),
            help=sentence("Boxes, names, masks and points are drawn over the output."),
            default=output.overlay,
        ),
        Flag(
            name="mirrored",
            label=sentence("Mirrored"),
            help=sentence("The output is flipped left to right, text in it too."),
            default=False,
        ),
    )


@dataclass(frozen=True)
class FeedFigures:
    """State of an output: its sink's, frames per second accepted lately, and frames dropped and queued."""

    sink: SinkFigures = field(default_factory=SinkFigures)
    rate: float = 0.0
    dropped: int = 0
    waiting: int = 0


class Feed:
    """An open output of a kind, for the render thread. `common_options` may be changed at any time; `error`
    is why it has ended, in a sentence, if `state` is 'failed'.
    """

    def __init__(
        self,
        output: LiveOutput,
        values: Mapping[str, Value],
        pictures: PictureFormat,
        common_options: CommonOptions,
        *,
        listen: Listen | None = None,
        after: Feed | None = None,
        on_change: Callable[[], None] = lambda: None,
    ) -> None:
        """Begin to open it.

        Args:
            listen: subscribes it to the audio; None for no audio.
            after: a feed of the same device, which must close first.
            on_change: called on the feed's thread when `state` has changed.
        """
        self.output, self.common_options = output, common_options
        self.error = ""
        self._values, self._pictures = values, pictures
        self._on_change = on_change
        self._state: FeedState = "opening"
        self._queue = PictureQueue()
        self._sink: LiveSink | None = None
        self._closing = False
        self._after = after
        # The last frame, where it may be given again, and when it was shown.
        self._last: tuple[np.ndarray, float] | None = None
        self._discarded_at = 0.0
        self._pace = _Pace()
        self._ear = threading.Lock()
        self._deaf: Callable[[], None] = lambda: None
        self._takes_audio = listen is not None
        self.set_audio_source(listen)
        self._thread = threading.Thread(target=self._run, name=f"output {output.id}", daemon=True)
        self._thread.start()

    @property
    def state(self) -> FeedState:
        """State of the output."""
        return self._state

    @property
    def is_on(self) -> bool:
        """True until it has ended."""
        return self._state in ("opening", "running")

    def figures(self) -> FeedFigures:
        """Return how it is doing."""
        sink = self._sink
        return FeedFigures(
            SinkFigures() if sink is None else sink.figures(),
            self._pace.rate(),
            self._queue.dropped,
            self._queue.waiting,
        )

    def offer(self, export: Callable[[], Fetch | None], at: float) -> None:
        """Accept the displayed frame, calling `export` only if it is used; not while it is opening."""
        if self._state == "running" and not self._closing:
            self._queue.offer(export, at)

    def discard_shown(self) -> None:
        """Discard all frames shown so far, as redaction was enabled. Until the next frame a black one is
        repeated, so that receivers do not consider the output dead.
        """
        self._discarded_at = time.perf_counter()

    def set_audio_source(self, listen: Listen | None) -> None:
        """Use other audio from now on, if this output was opened with audio."""
        with self._ear:
            if self._takes_audio:
                self._deaf()
                self._deaf = listen(self._on_sound) if listen is not None else lambda: None

    def _stop_audio(self) -> None:
        self.set_audio_source(None)
        with self._ear:
            self._takes_audio = False

    def _on_sound(self, at: float, samples: np.ndarray) -> None:
        sink = self._sink
        if sink is not None and self._state == "running" and not self._closing:
            sink.send_audio(samples, at)

    def close(self) -> None:
        """Begin to end; see `join`."""
        if not self._closing:
            self._closing = True
            self._stop_audio()
            self._queue.end()

    def join(self, timeout_s: float) -> None:
        """Wait for the end, for so long at most."""
        self._thread.join(max(0.0, timeout_s))

    # -- on its thread ---------------------------------------------------------------------------------------

    def _run(self) -> None:
        after, self._after = self._after, None
        if after is not None:
            after.join(_CLOSING_S)
        if self._closing:
            # Switched off again meanwhile: readers of the device must not see it appear and disappear.
            self._become("ended")
            return
        failure: Exception | None = None
        try:
            sink = self._sink = self.output.open(self._values, self._pictures)
            try:
                self._become("running")
                while self._write_next(sink):
                    pass
            finally:
                self._stop_audio()
                sink.close()
        except Exception as error:
            failure = error
        self._stop_audio()
        if failure is not None:
            self._fail(failure)
        else:
            self._become("ended")

    def _write_next(self, sink: LiveSink) -> bool:
        """Write a frame, or the last one again; False at the end."""
        last = self._last
        try:
            item = self._queue.take(self.output.repeat_s if last is not None else None)
        except TimeoutError:
            if last is not None:
                if last[1] < self._discarded_at:
                    last = self._last = (_black(last[0]), time.perf_counter())
                sink.write(last[0], time.perf_counter())
            return True
        if item is None or self._closing:
            return False
        fetch, at = item
        try:
            picture = fetch()
        except DeviceLostError:
            # The engine makes another device; this frame alone is gone.
            return True
        if at < self._discarded_at:
            return True
        if self.common_options.mirrored:
            picture = np.ascontiguousarray(picture[:, ::-1])
        sink.write(picture, at)
        self._pace.add()
        self._last = (picture, at) if self.output.repeat_s else None
        return True

    def _fail(self, error: Exception) -> None:
        if not isinstance(error, LightloomError):
            log.error("the output %s", self.output.id, exc_info=error)
        self.error = (
            str(error)
            if isinstance(error, LightloomError)
            else sentence(
                "The output '{title}' stopped ({error}); the log file has the details.",
                title=self.output.title,
                error=error,
            )
        )
        self._become("failed")

    def _become(self, state: FeedState) -> None:
        self._state = state
        self._on_change()


def _black(picture: np.ndarray) -> np.ndarray:
    out = np.zeros_like(picture)
    out[..., 3] = 255
    return out


class _Pace:
    """Frames per second."""

    def __init__(self) -> None:
        self._times: list[float] = []

    def add(self) -> None:
        now = time.perf_counter()
        self._times = [*(at for at in self._times if now - at < _RATE_OVER_S), now]

    def rate(self) -> float:
        now, times = time.perf_counter(), self._times
        lately = [at for at in times if now - at < _RATE_OVER_S]
        if len(lately) < 2:
            return 0.0
        return (len(lately) - 1) / (lately[-1] - lately[0]) if lately[-1] > lately[0] else 0.0


class Feeds:
    """The outputs that are on, or have ended by themselves. For the thread that renders."""

    def __init__(self, on_change: Callable[[], None] = lambda: None) -> None:
        """`on_change` is called on any thread when the state of one has changed."""
        self._on_change = on_change
        self._feeds: dict[str, Feed] = {}
        # Ended by the user, and perhaps still at it.
        self._ending: list[Feed] = []

    def get(self, output_id: str) -> Feed | None:
        """Return one, None where it is off."""
        return self._feeds.get(output_id)

    @property
    def on(self) -> tuple[Feed, ...]:
        """Outputs that are on; for any thread."""
        return tuple(feed for feed in tuple(self._feeds.values()) if feed.is_on)

    @property
    def is_any_on(self) -> bool:
        """True while one wants frames."""
        return any(feed.is_on for feed in self._feeds.values())

    def begin(
        self,
        output: LiveOutput,
        values: Mapping[str, Value],
        pictures: PictureFormat,
        common_options: CommonOptions,
        listen: Listen | None = None,
    ) -> Feed:
        """Switch one on; what is left of an earlier time ends before."""
        self.end(output.id)
        before = next((feed for feed in reversed(self._ending) if feed.output.id == output.id), None)
        feed = Feed(
            output, values, pictures, common_options, listen=listen, after=before, on_change=self._on_change
        )
        self._feeds[output.id] = feed
        return feed

    def end(self, output_id: str) -> None:
        """Switch one off; it ends on its thread."""
        feed = self._feeds.pop(output_id, None)
        if feed is not None:
            feed.close()
            self._ending = [each for each in self._ending if each.is_on] + [feed]

    def offer(self, export: Export, at: float) -> None:
        """Offer the frame shown `at` (`time.perf_counter`) to all outputs; `export` reads it, once with
        results and once without, if needed.
        """
        begun: dict[bool, Fetch | None] = {}

        def shared(overlay: bool) -> Fetch | None:
            if overlay not in begun:
                fetch = export(overlay)
                begun[overlay] = None if fetch is None else SharedFetch(fetch)
            return begun[overlay]

        for feed in self._feeds.values():
            feed.offer(partial(shared, feed.common_options.overlay), at)

    def discard_shown(self) -> None:
        """Give out nothing of what was shown so far; see `Feed.discard_shown`."""
        for feed in self._feeds.values():
            feed.discard_shown()

    def set_audio_source(self, listen: Listen | None) -> None:
        """Another source plays."""
        for feed in self._feeds.values():
            feed.set_audio_source(listen)

    def close(self, within_s: float = _CLOSING_S) -> None:
        """End all, and wait for that, for so long at most."""
        every = [*self._feeds.values(), *self._ending]
        for feed in every:
            feed.close()
        ends = time.perf_counter() + within_s
        for feed in every:
            feed.join(ends - time.perf_counter())
        self._feeds.clear()
        self._ending.clear()
