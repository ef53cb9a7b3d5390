"""Protocols and base classes of all frame sources.

A source owns one thread. Its constructor opens nothing, `start` returns at once, and the consumer polls with
`take`, which never blocks. `on_change` is called on the source's thread and must only wake the consumer.

Live sources hold only the newest frame (`NewestSlot`), so that no backlog builds up; files hold a short queue
paced by presentation time. `frames` yields every frame in order, unpaced, for batch processing.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Protocol

from desktop.base.errors import LightloomError
from desktop.base.printable import printable
from desktop.base.wording import Text, joined, sentence
from desktop.media.frame import Frame

if TYPE_CHECKING:
    from desktop.media.audio.curves import AudioCurves
    from desktop.media.audio.output import SoundOutput
    from desktop.media.audio.reader import TrackInfo
    from desktop.media.sources._camera_controls import CameraControl
    from desktop.media.subtitles.cues import Cue
    from desktop.media.subtitles.tracks import SubtitleTrack

State = Literal[
    "idle",
    "opening",
    "asking",
    "live",
    "playing",
    "paused",
    "ended",
    "reconnecting",
    "lost",
    "failed",
    "closed",
]

EndKind = Literal["end", "broken", "refused", "canceled"]


@dataclass(frozen=True)
class SourceEnd:
    """Reason why a live source delivers no more frames.

    Attributes:
        kind: "end": by the sender; "broken": disconnected; "refused": not opened; "canceled": by the reader.
        error: None for "canceled", and for the "end" of a recording of known length.
    """

    kind: EndKind
    error: LightloomError | None = None


@dataclass(frozen=True)
class SourceInfo:
    """Facts about an open source.

    Attributes:
        kind: name of the module here that reads it.
        size: display size (width, height) in pixels, after rotation.
        rate: nominal frames per second, 0.0 if there is none.
        duration: seconds, 0.0 for live sources, images, and videos whose length is not known.
        live: True if frames arrive at their own pace.
        detail: label -> text for the interface: pixel format, codec, decoder ('software', 'vaapi', ...),
            color.
        assumption: a sentence on a rate that the sender does not state; '' for none.
    """

    kind: str
    title: str
    size: tuple[int, int] = (0, 0)
    rate: float = 0.0
    duration: float = 0.0
    seekable: bool = False
    live: bool = False
    detail: dict[str, str] = field(default_factory=dict)
    reconnects: bool = False
    assumption: str = ""

    def __post_init__(self) -> None:
        # Sanitized, because file names and decoder messages are shown in the window too.
        object.__setattr__(self, "title", printable(self.title))
        object.__setattr__(self, "detail", {printable(k): printable(v) for k, v in self.detail.items()})

    @property
    def is_still(self) -> bool:
        """True for an image and a folder of images, whose frames are files of their own."""
        return self.kind in ("image", "folder")


def named(info: SourceInfo) -> str:
    """Return the title to display, for a folder with the name of its current frame."""
    picture = info.detail.get("name", "") if info.kind == "folder" else ""
    return joined(" / ", (info.title, picture)) if picture else info.title


DropReason = Literal["late", "backlog", "damaged", "interrupted", "closed"]


@dataclass(frozen=True)
class SourceStats:
    """Counters since the source was opened.

    Attributes:
        dropped: frames that were decoded or received, but not shown in time.
        received: coded frames that a live source's sender sent and that arrived here; 0 for other sources.
        drops: number of frames of a live source that were received and never taken, by reason. Once the source is
            closed, `received` is `taken` and all of these. 'late': a newer one came before it was taken;
            'backlog': not decoded, because decoding was too slow; 'damaged'; 'interrupted': the
            connection or the device was lost first, or they came before the first key frame; 'closed': the
            source was closed first.
    """

    decoded: int = 0
    taken: int = 0
    dropped: int = 0
    damaged: int = 0
    received: int = 0
    drops: Mapping[DropReason, int] = field(default_factory=dict)


class Reporter:
    """State reporting shared by sources: `on_change` and the properties of `Source` except for the counters."""

    def __init__(self, info: SourceInfo) -> None:
        self.on_change: Callable[[], None] | None = None
        self._info = info
        self._state: State = "idle"
        self._error: LightloomError | None = None

    @property
    def info(self) -> SourceInfo:
        """Facts known so far; see `Source`."""
        return self._info

    @property
    def capabilities(self) -> SourceCapabilities:
        """None by default; a subclass names what it supports."""
        return SourceCapabilities()

    @property
    def state(self) -> State:
        """The state of the source."""
        return self._state

    @property
    def error(self) -> LightloomError | None:
        """Reason for the state 'failed', 'lost' or 'reconnecting'."""
        return self._error

    def _notify_change(self) -> None:
        """Call `on_change`, if it is set; with no lock held."""
        if self.on_change is not None:
            self.on_change()


class Source(Protocol):
    """A source of frames. Methods are for one consumer thread; `on_change` is called on the source's own."""

    on_change: Callable[[], None] | None

    @property
    def info(self) -> SourceInfo:
        """Facts known so far; complete once the state has left 'opening'."""

    @property
    def capabilities(self) -> SourceCapabilities:
        """Features besides those of this class."""

    @property
    def state(self) -> State:
        """The state of the source."""

    @property
    def error(self) -> LightloomError | None:
        """Reason for the state 'failed' or 'lost'."""

    @property
    def stats(self) -> SourceStats:
        """Counters."""

    def start(self) -> None:
        """Start opening and delivering; returns at once."""

    def take(self, now: float) -> Frame | None:
        """Return the frame due at `now` (`time.perf_counter()`), None if nothing is new. Never blocks."""

    def frames(self) -> Generator[Frame]:
        """Yield every frame in order, without pacing, on the caller's thread; not together with `start`.
        Raises SourceError if the source cannot be opened, or failed for good.
        """

    def close(self) -> None:
        """Stop the thread and release the device or file. May be called twice."""


@dataclass(frozen=True)
class SourceKind:
    """A kind of source, defined as SOURCE in the module of that name (discovered by `file_kinds.py`).

    Attributes:
        open_text: makes the source from a text ('sample:640x360', an address); None if it is of another kind.
            For 'word:...' or 'word' only the kind of that name is imported.
        takes_file: returns whether a file is of this kind, given its path and first MiB (b"" for a folder).
        open_file: makes the source from a path and the seconds for which each of several frames is shown.
    """

    open_text: Callable[[str], Source | None] = lambda text: None
    takes_file: Callable[[Path, bytes], bool] = lambda path, head: False
    open_file: Callable[[Path, float], Source] | None = None


class Seekable(Source, Protocol):
    """A source with a time line (video files, the sample)."""

    @property
    def position(self) -> float:
        """Presentation time in seconds of the frame last taken."""

    @property
    def playing(self) -> bool:
        """False while paused."""

    def play(self) -> None:
        """Resume playback."""

    def pause(self) -> None:
        """Pause, showing the current frame."""

    def seek(self, seconds: float) -> None:
        """Show the frame whose presentation interval contains `seconds`; works while paused; returns at once."""

    def step(self, frames: int) -> None:
        """Pause and move `frames` forward (or back, if negative)."""

    def set_speed(self, factor: float) -> None:
        """Play at 0.25 to 4 times the normal speed."""

    def set_loop(self, start: float | None, end: float | None, *, whole: bool = False) -> None:
        """Loop between two times (A-B), over the whole (`whole`), or not at all (both None)."""


class SourceSound(Protocol):
    """The audio of a source."""

    @property
    def tracks(self) -> tuple[TrackInfo, ...]:
        """The tracks; empty until the source is open."""

    @property
    def track(self) -> int | None:
        """The number of the track that is played, None for none."""

    def use(self, output: SoundOutput) -> None:
        """Play on an output from now on."""

    def use_track(self, index: int | None) -> None:
        """Switch to another track, or to none."""


class PlayedCurves(Protocol):
    """Curves of audio, for what follows it while it plays.

    Attributes:
        on_change: called on another thread when curves are there, or cannot be; must only wake others.
    """

    @property
    def stores_samples(self) -> bool:
        """True if the curves are to have samples, for spectra; they are computed again if they have none."""

    @stores_samples.setter
    def stores_samples(self, stores: bool) -> None: ...

    @property
    def on_change(self) -> Callable[[], None]:
        """See the attributes."""

    @on_change.setter
    def on_change(self, callback: Callable[[], None]) -> None: ...

    @property
    def current(self) -> AudioCurves | None:
        """The curves, whose computation begins with the first access; None until it ends."""

    @property
    def failure(self) -> LightloomError | None:
        """Why there will be no curves; None if that is not known."""


class SourceCurves(PlayedCurves, Protocol):
    """Curves of a source's audio over its time.

    Attributes:
        track: the number of the track; None for the one that is played, or else the default one.
    """

    track: int | None

    def find_tracks(self) -> tuple[TrackInfo, ...]:
        """Return the audio tracks, and read the beginning of the file if it is not open yet."""

    def wait(self, check: Callable[[], None] = lambda: None) -> AudioCurves:
        """Return the curves when they are computed, also before the source is open.

        Raise LightloomError if there are none, or what `check` raises, which is called again and again.
        """


class SourceSubtitles(Protocol):
    """The subtitles of a source."""

    on_change: Callable[[], None]
    on_failure: Callable[[LightloomError], None]
    on_note: Callable[[str], None]

    @property
    def tracks(self) -> tuple[SubtitleTrack, ...]:
        """The tracks; empty until the source is open."""

    @property
    def track(self) -> int | None:
        """The index of the track that is shown, None for none."""

    def add_file(self, path: Path) -> int:
        """Add a subtitle file to the tracks; return its index there."""

    def use_track(self, place: int | None) -> None:
        """Switch to another track, or to none."""

    def at(self, seconds: float) -> tuple[Cue, ...]:
        """Return the cues at a time, as far as they are known; never blocks."""


class Controllable(Source, Protocol):
    """A source whose device has controls (a camera)."""

    @property
    def controls(self) -> tuple[CameraControl, ...]:
        """The controls, as last read from the device."""

    @property
    def control_problem(self) -> str:
        """A sentence about the last values that the device refused, '' for none."""

    def set_controls(self, values: Mapping[str, int]) -> None:
        """Set controls by id, on the source's thread; an empty mapping rereads them."""

    def demand_controls(self, values: Mapping[str, int]) -> None:
        """Like `set_controls`, before opening, which raises SourceUnsupportedError if values are refused."""


class Live(Source, Protocol):
    """A live source, which may disconnect and reconnect, unless `until_end` is set before `start`."""

    until_end: bool

    @property
    def end(self) -> SourceEnd | None:
        """Reason for delivering no more frames; None while it does, or may again."""


class Decoded(Source, Protocol):
    """A source that can use different decoders."""

    on_notice: Callable[[Text], None]

    def decode_by(self, wanted: str) -> None:
        """Set the decoder before the start: 'auto', 'software', or a device by FFmpeg's name."""


class FrameInterpolation(Protocol):
    """Interpolates frames during playback, on the source's threads. Reports failures instead of raising."""

    def between(self, first: Frame, second: Frame, seconds: float) -> tuple[Frame, ...]:
        """Return frames between two, at equal distances, or none; the first is shown for `seconds`."""

    @property
    def lead(self) -> float:
        """The current processing time in seconds, 0.0 while unknown."""

    def delay(self, seconds: float) -> float:
        """Return the delay in seconds for frames of a live source at intervals of `seconds`."""

    def close(self, *, wait: bool = False) -> None:
        """Stop and release all resources: before returning if `wait`, otherwise after the current work."""


class Interpolatable(Source, Protocol):
    """A moving source that supports frame interpolation."""

    @property
    def interpolation(self) -> FrameInterpolation | None:
        """Frame interpolation in use; None for none."""

    def interpolate_by(self, interpolation: FrameInterpolation | None) -> None:
        """Use another frame interpolation, or none. The source takes ownership and closes it."""


class LiveStabilization(Protocol):
    """Moves frames of a live source onto a smooth path, on the source's thread."""

    def add(self, frame: Frame) -> Iterable[Frame]:
        """Return the frames that wait for no other any more, in order."""

    @property
    def delay(self) -> float:
        """Seconds that frames wait."""

    def cut(self) -> None:
        """Start anew with the next frame, without those that wait."""


class Stabilizable(Source, Protocol):
    """A live source that supports stabilization."""

    @property
    def stabilization(self) -> LiveStabilization | None:
        """Stabilization in use; None for none."""

    def stabilize_by(self, stabilization: LiveStabilization | None) -> None:
        """Use another stabilization, or none, from the next frame on."""


@dataclass(frozen=True, kw_only=True, slots=True)
class SourceCapabilities:
    """Optional capabilities of a source; unsupported ones are None. Created at each access; constant for a
    source.

    Attributes:
        timeline: playback controls. `SourceInfo.seekable` is True if the open file supports seeking.
        curves: those of the audio of a file.
        interpolation: frame interpolation during playback.
        stabilization: that of a live source.
        frames_from: yields frames like `Source.frames`, from the one at a time in seconds.
        unreadable: returns files that could not be opened so far, with reasons, for a source of many.
        damage: returns a sentence for each kind of damage found so far in a file.
    """

    timeline: Seekable | None = None
    live: Live | None = None
    audio: SourceSound | None = None
    curves: SourceCurves | None = None
    subtitles: SourceSubtitles | None = None
    controls: Controllable | None = None
    decoding: Decoded | None = None
    interpolation: Interpolatable | None = None
    stabilization: Stabilizable | None = None
    frames_from: Callable[[float], Generator[Frame]] | None = None
    unreadable: Callable[[], Mapping[str, LightloomError]] | None = None
    damage: Callable[[], tuple[Text, ...]] | None = None


def left_out(source: Source) -> tuple[Text, ...]:
    """Return sentences on files of a source that could not be opened so far, and on each kind of damage."""
    capabilities = source.capabilities
    unreadable = capabilities.unreadable() if capabilities.unreadable is not None else {}
    files = (
        sentence("{name} is left out: {error}", name=name, error=error) for name, error in unreadable.items()
    )
    return (*files, *(capabilities.damage() if capabilities.damage is not None else ()))


class NewestSlot:
    """Holds the newest frame between a source's thread and its consumer; replaced ones count as dropped."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._frame: Frame | None = None
        self._decoded = 0
        self._taken = 0
        self._dropped = 0
        self._discarded = 0
        self._is_closed = False

    def put(self, frame: Frame) -> None:
        """Replace the frame."""
        with self._lock:
            self._decoded += 1
            if self._is_closed:
                self._discarded += 1
                return
            self._dropped += self._frame is not None
            self._frame = frame

    def take(self) -> Frame | None:
        """Return the newest frame once."""
        with self._lock:
            frame, self._frame = self._frame, None
            self._taken += frame is not None
            return frame

    def close(self) -> None:
        """Discard the frame, and those to come."""
        with self._lock:
            self._is_closed = True
            self._discarded += self._frame is not None
            self._frame = None

    @property
    def stats(self) -> SourceStats:
        """The counters."""
        with self._lock:
            drops: dict[DropReason, int] = {"late": self._dropped, "closed": self._discarded}
            return SourceStats(self._decoded, self._taken, self._dropped, drops=drops)
