"""The source that plays: opened on a thread, and replaced only once the next one has a frame."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from desktop.base.errors import LightloomError, SourceError
from desktop.base.wording import sentence
from desktop.media.audio.output import Listen
from desktop.media.frame import Frame
from desktop.media.sources.base import (
    Seekable,
    Source,
    SourceInfo,
    SourceSound,
    State,
    named,
)
from desktop.media.sources.opening import open_source
from desktop.ui.kit.jobs import Jobs
from desktop.ui.kit.thread_signal import ThreadSignal
from desktop.ui.workspace.sound import Sound

SPEEDS: Final = (0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 2.0, 3.0, 4.0)
Opener = Callable[[], Source]
# Attributes that move with a source to another playback (`exchange`).
_BROKEN: Final = ("reconnecting", "lost", "failed")
_SHOWN: Final = ("live", "playing", "paused", "ended")
_OF_A_SOURCE: Final = (
    *(
        "_source",
        "_candidate",
        "_candidate_name",
        "_name",
        "_opening",
        "_last_state",
        "_shown_name",
        "_had_picture",
    ),
    *(
        "_missed",
        "_is_broken",
        "_reported",
        "_held",
        "_track",
        "_returned",
        "along",
        "speed",
        "loop_file",
        "loop_a",
        "loop_b",
    ),
)


class _Ticket:
    """Something that is being opened, for the playback that it is for when it is open."""

    def __init__(self, by: Playback) -> None:
        self.by = by


class Playback(QObject):
    """Holds the source in use and a candidate that is being opened.

    Signals:
        woken: a source has a new frame or state.
        moved: the transport's settings changed (speed, loop, playing).
        jumped: a seek in the source.
        opened: name of a source whose first frame is there.
        refused: name and error message of a source that failed; one opened in a slot follows without a gap.
        broke: a source failed to open or broke off, also in an inactive tile; once until it recovers.
    """

    woken = Signal()
    changed = Signal()
    moved = Signal()
    jumped = Signal()
    opened = Signal(str)
    ended = Signal()
    canceled = Signal()
    refused = Signal(str, object)
    failed = Signal(object)  # not str, which Qt would copy without what a `Text` is made of
    broke = Signal()

    def __init__(self, jobs: Jobs, sound: Sound, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self.sound = sound
        self.prepares: list[Callable[[Source], None]] = []
        """Called with each source before it starts."""
        self.greets: list[Callable[[Playback], None]] = []
        """Called with the playback once its source has a first frame."""
        self.along: list[Path] = []
        """Subtitle files given with the source being opened."""
        self._source: Source | None = None
        self._candidate: Source | None = None
        self._candidate_name = ""
        self._name = ""
        self._opening: _Ticket | None = None
        self._last_state: State | None = None
        self._shown_name = ""
        self._had_picture = False
        self._missed = self._is_broken = False
        self._reported = ""
        self._signalled = threading.Event()
        self._held = False
        self._hushed = False
        self._track: int | None = 0
        self._returned: Frame | None = None
        self.speed = 1.0
        self.loop_file = False
        self.loop_a: float | None = None
        self.loop_b: float | None = None
        self._wake = ThreadSignal(self._on_wake)
        # A file's frames fall due without anybody saying so.
        self._clock = QTimer(self)
        self._clock.setTimerType(Qt.TimerType.PreciseTimer)
        self._clock.setInterval(4)
        self._clock.timeout.connect(self.woken)

    # -- what plays ------------------------------------------------------------------------------------------

    @property
    def source(self) -> Source | None:
        """The source in use."""
        return self._source

    @property
    def has_picture(self) -> bool:
        """True if the source has shown a frame or is about to; False for a camera missing from the start."""
        return self._source is not None and (self._had_picture or not self._missed)

    @property
    def name(self) -> str:
        """The name that was opened: a path, an address, 'sample', 'camera:...'."""
        return self._name

    @property
    def info(self) -> SourceInfo | None:
        """Information about the source in use."""
        return self._source.info if self._source is not None else None

    @property
    def is_opening(self) -> bool:
        """True while another source is being opened."""
        return self._opening is not None or self._candidate is not None

    @property
    def seekable(self) -> Seekable | None:
        """The source in use, if it has a time line."""
        source = self._source
        if source is None or not source.info.seekable:
            return None
        return source.capabilities.timeline

    @property
    def marked(self) -> tuple[float, float] | None:
        """The range from A to B in seconds, None unless both are marked."""
        return (self.loop_a, self.loop_b) if self.loop_a is not None and self.loop_b is not None else None

    @property
    def is_playing(self) -> bool:
        """True while frames are to be expected."""
        seekable = self.seekable
        if seekable is not None:
            return seekable.playing and seekable.state != "ended"
        return (
            not self._held
            and self._source is not None
            and self._source.state in ("live", "playing", "opening", "asking")
        )

    # -- opening ---------------------------------------------------------------------------------------------

    def open(self, spec: str | Path) -> None:
        """Open a path, an address or a name; the current source plays until the new one has a frame."""
        self.open_with(str(spec), lambda: open_source(spec))

    def open_with(self, name: str, opener: Opener) -> None:
        """Open the source that `opener` makes, on a thread."""
        self._drop_candidate()
        ticket = self._opening = _Ticket(self)
        self.changed.emit()

        def opened(source: Source) -> None:
            by = ticket.by
            if by._opening is not ticket:
                by._dispose(source)
                return
            by._opening = None
            by._begin(name, source)

        def failed(error: LightloomError) -> None:
            by = ticket.by
            if by._opening is ticket:
                by._opening = None
                by.broke.emit()
                by.failed.emit(str(error))
                by._give_up(name, str(error))
                by.changed.emit()

        self._jobs.run(opener, opened, failed)

    def adopt(self, name: str, source: Source) -> None:
        """Take over a source that has been started."""
        self._begin(name, source)

    def _begin(self, name: str, source: Source) -> None:
        kind = source.info.kind
        if kind == "camera" and self._source is not None and self._source.info.kind == "camera":
            # A camera serves one program, and often one stream, at a time, so release the old one first.
            self.stop()
        self._candidate, self._candidate_name = source, name
        source.on_change = self._on_source_change
        self.sound.give_to(source, heard=not self._hushed)
        for prepare in self.prepares:
            prepare(source)
        source.start()
        if self._source is None:
            self._adopt()
        self.changed.emit()

    def _on_source_change(self) -> None:
        # Called by the source's thread. The flag keeps a fast source from filling the event queue.
        if not self._signalled.is_set():
            self._signalled.set()
            self._wake.send()

    def _on_wake(self) -> None:
        self._signalled.clear()
        self._check_candidate()
        self._check_state()
        self._check_name()
        self.woken.emit()

    def _check_candidate(self) -> None:
        candidate = self._candidate
        if candidate is None:
            return
        if candidate.state == "failed" and candidate.info.kind != "camera":
            self._reported = ""
            self.broke.emit()
            self._report(candidate)
            name = self._candidate_name
            self._drop_candidate()
            self._give_up(name, str(candidate.error or ""))
            self.changed.emit()
        elif candidate.state not in ("idle", "opening", "asking"):
            self._adopt()

    def _check_name(self) -> None:
        """Emit `changed` if a folder shows another image."""
        name = named(self._source.info) if self._source is not None else ""
        if name != self._shown_name:
            self._shown_name = name
            self.changed.emit()

    def _give_up(self, name: str, why: str) -> None:
        """Report a source that cannot be opened; close a broken one in use unless another is opening."""
        self.along.clear()
        self.refused.emit(name, why)
        source = self._source
        broken = source is not None and source.state == "failed" and source.info.kind != "camera"
        if broken and not self.is_opening:
            self.stop()

    def _report(self, source: Source) -> None:
        error = source.error or SourceError(
            sentence("{title} could not be opened; try another source.", title=source.info.title)
        )
        self._report_failure(str(error))

    def _report_failure(self, text: str) -> None:
        # A retried camera fails for the same reason every second; report it once.
        if text != self._reported:
            self._reported = text
            self.failed.emit(text)

    def _adopt(self) -> None:
        old, self._source, self._held = self._source, self._candidate, False
        self._name = self._candidate_name
        self._candidate = None
        self._last_state, self._had_picture, self._missed, self._reported = None, False, False, ""
        self._is_broken = False
        self._track, self._returned = 0, None
        self.speed, self.loop_file, self.loop_a, self.loop_b = 1.0, False, None, None
        if self._source is not None and self._source.info.kind == "sample":
            self.loop_file = True
        if old is not None:
            self._dispose(old)
        self._check_state()

    def _check_state(self) -> None:
        source = self._source
        if source is None or source.state == self._last_state:
            return
        before, self._last_state = self._last_state, source.state
        self._missed = self._missed or source.state in ("lost", "failed")
        self._note_break(source.state)
        if source.state == "failed":
            self._report(source)
            # Keep both: a busy camera retries by itself, one without permission waits for the user.
            if source.info.kind != "camera":
                self._give_up(self._name, str(source.error or ""))
                return
        begins = before in (None, "idle", "opening", "asking") or not self._had_picture
        if begins and source.state in _SHOWN:
            self._had_picture, self._reported = True, ""
            for greet in self.greets:
                greet(self)
            self.opened.emit(self._name)
        elif source.state == "lost" and source.error is not None:
            self._report_failure(str(source.error))
        self._set_clock()
        self.changed.emit()
        if source.state == "ended":
            self.ended.emit()

    def _note_break(self, state: State) -> None:
        if state in _BROKEN and not self._is_broken:
            self._is_broken = True
            self.broke.emit()
        elif state in _SHOWN:
            self._is_broken = False

    def _set_clock(self) -> None:
        source = self._source
        is_timed = source is not None and (source.info.kind == "video" or self._is_interpolated)
        runs = is_timed and self.is_playing
        if runs != self._clock.isActive():
            self._clock.start() if runs else self._clock.stop()

    @property
    def _is_interpolated(self) -> bool:
        # Interpolated frames become due without a signal, also for live sources.
        interpolated = self._source.capabilities.interpolation if self._source is not None else None
        return interpolated is not None and interpolated.interpolation is not None

    def start_clock(self) -> None:
        """Start the clock for due frames if necessary, after frame interpolation has changed."""
        self._set_clock()

    def _drop_candidate(self) -> None:
        self._opening = None
        if self._candidate is not None:
            self._dispose(self._candidate)
            self._candidate = None

    def _dispose(self, source: Source) -> None:
        # Joining its thread may take seconds (a stream that does not respond).
        source.on_change = None
        self._jobs.run(source.close)

    def cancel(self) -> None:
        """Cancel opening."""
        self._drop_candidate()
        self.canceled.emit()
        self.changed.emit()

    def stop(self) -> None:
        """Close the source in use."""
        self._clock.stop()
        if self._source is not None:
            self._dispose(self._source)
        self._source, self._name, self._last_state, self._returned = None, "", None, None
        self.changed.emit()

    def take(self) -> Frame | None:
        """Return the frame that is due, if there is a new one."""
        source = self._source
        if source is None:
            return None
        frame = source.take(time.perf_counter()) or self._returned
        self._returned = None
        if source.state != self._last_state:
            self._check_state()
        # A live source continues: its frames are taken but not shown.
        return None if self._held else frame

    def put_back(self, frame: Frame) -> None:
        """Put back an undrawn frame, which `take` returns again unless there is a newer one."""
        self._returned = frame

    def close(self) -> None:
        """Stop everything, and wait for it."""
        self._clock.stop()
        for source in (self._source, self._candidate):
            if source is not None:
                source.on_change = None
                source.close()
        self._source = self._candidate = None

    def hold(self) -> None:
        """Hold the frame shown: a video pauses, a live source is not shown until `let_go`."""
        source, seekable = self._source, self.seekable
        if seekable is not None:
            if seekable.playing:
                seekable.pause()
                self._after()
        elif source is not None and source.info.live and not self._held:
            self._held = True
            self._after()

    def let_go(self) -> None:
        """Show live frames again. A paused video stays paused, as the user may want to resume there."""
        if self._held:
            self._held = False
            self._after()

    # -- several at once -------------------------------------------------------------------------------------

    def make_sibling(self, parent: QObject) -> Playback:
        """Make another playback that is muted and configures its sources like this one."""
        other = Playback(self._jobs, self.sound, parent)
        other.prepares, other.greets = self.prepares, self.greets
        other.broke.connect(self.broke)
        other.hush()
        return other

    def hush(self) -> None:
        """Mute it from now on, including sources opened later."""
        self._hushed = True
        self._sound_anew()

    def exchange(self, other: Playback) -> None:
        """Exchange the sources of two playbacks in their current state, including those being opened."""
        for name in _OF_A_SOURCE:
            mine = getattr(self, name)
            setattr(self, name, getattr(other, name))
            setattr(other, name, mine)
        for playback in (self, other):
            playback._settle()

    def _settle(self) -> None:
        if self._opening is not None:
            self._opening.by = self
        for source in (self._source, self._candidate):
            if source is not None:
                source.on_change = self._on_source_change
        self._sound_anew()
        self._set_clock()
        self.changed.emit()
        self.moved.emit()
        # Signals of its source meanwhile went to the other playback.
        self._on_wake()

    def _sound_anew(self) -> None:
        if self._source is None:
            return
        if self._hushed:
            self._track = self.sound.hush(self._source, self._track)
        else:
            self.sound.let_speak(self._source, self._track)

    # -- the transport ---------------------------------------------------------------------------------------

    def toggle(self) -> None:
        """Play or pause; after the end, play again."""
        seekable = self.seekable
        if seekable is None:
            return
        if self.is_playing:
            seekable.pause()
        else:
            seekable.play()
        self._after()

    def seek(self, seconds: float) -> None:
        """Go to a time, clamped to both ends."""
        seekable = self.seekable
        if seekable is not None:
            duration = seekable.info.duration
            seekable.seek(max(0.0, min(seconds, duration) if duration else seconds))
            self.jumped.emit()
            self._after()

    def seek_by(self, seconds: float) -> None:
        """Go on, or back if negative."""
        if self.seekable is not None:
            self.seek(self.seekable.position + seconds)

    def step(self, frames: int) -> None:
        """Pause and go some frames on, or back if negative."""
        if self.seekable is not None:
            self.seekable.step(frames)
            self._after()

    def set_speed(self, factor: float) -> None:
        """Play at 0.25 to 4 times the normal speed."""
        if self.seekable is not None:
            self.speed = max(SPEEDS[0], min(SPEEDS[-1], factor))
            self.seekable.set_speed(self.speed)
            self._after()

    def nudge_speed(self, direction: int) -> None:
        """Switch to the next faster (1) or slower (-1) speed."""
        others = [s for s in SPEEDS if (s - self.speed) * direction > 1e-6]
        if others:
            self.set_speed(min(others) if direction > 0 else max(others))

    def toggle_loop(self) -> None:
        """Loop over the whole, or not."""
        if self.seekable is not None:
            self.loop_file = not self.loop_file
            self.loop_a = self.loop_b = None
            self._apply_loop()

    def play_once(self) -> None:
        """Play to the end, even a source that would repeat: a folder, the sample."""
        self.loop_file, self.loop_a, self.loop_b = False, None, None
        self._apply_loop()

    def mark_loop(self) -> None:
        """Set A, then B, then neither, at the present time."""
        seekable = self.seekable
        if seekable is None:
            return
        here = seekable.position
        if self.loop_a is None:
            self.loop_a = here
        elif self.loop_b is None and abs(here - self.loop_a) > 1e-3:
            self.loop_a, self.loop_b = min(self.loop_a, here), max(self.loop_a, here)
        else:
            self.loop_a = self.loop_b = None
        self._apply_loop()

    def _apply_loop(self) -> None:
        seekable = self.seekable
        if seekable is None:
            return
        if self.loop_a is not None and self.loop_b is not None:
            seekable.set_loop(self.loop_a, self.loop_b)
        else:
            seekable.set_loop(None, None, whole=self.loop_file)
        self._after()

    @property
    def source_sound(self) -> SourceSound | None:
        """The audio of the source in use; None if it has no track."""
        return self.sound.of(self._source)

    @property
    def listening(self) -> Listen | None:
        """Return what connects a recording to the audio of the source in use; None without audio."""
        return self.sound.listening(self._source)

    def _after(self) -> None:
        self._set_clock()
        self.moved.emit()
        self.woken.emit()
