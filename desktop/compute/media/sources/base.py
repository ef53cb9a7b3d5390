"""What every source of pictures offers, whatever it reads.

A source owns one thread. It is made cheap (no file or device is touched in the constructor), `start` returns at once,
and the consumer asks for pictures with `take`, which never blocks. A source tells its consumer that something new is there
(a frame, a state) by calling `on_change` from its own thread; the callback must only wake somebody.

Live sources hold one frame, the newest (`NewestSlot`): a slow consumer sees the present, never a growing past. Files hold a
short queue paced by presentation time. `frames` is the third way in: every frame in order, unpaced, for batch work.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Protocol, runtime_checkable

from desktop.compute.media.frame import Frame
from desktop.errors import LightloomError
from desktop.printable import printable
from desktop.wording import Text, joined, sentence

if TYPE_CHECKING:
    from desktop.compute.media.audio.output import SoundOutput
    from desktop.compute.media.audio.reader import TrackInfo
    from desktop.compute.media.sources._camera_controls import CameraControl
    from desktop.compute.media.subtitles.cues import Cue
    from desktop.compute.media.subtitles.tracks import SubtitleTrack

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
    """Why a live source gives no more pictures.

    Attributes:
        kind: the sender ended it ("end"); it broke off and is not waited for ("broken"); it could not be opened ("refused");
            whoever reads it closed it ("canceled").
        error: what to tell of it; None for "canceled", and for "end" of what has a known length.
    """

    kind: EndKind
    error: LightloomError | None = None


@dataclass(frozen=True)
class SourceInfo:
    """What is known of a source once it is open.

    Attributes:
        kind: which file of this package reads it.
        title: the name to show.
        size: display size (width, height) in pixels, after rotation.
        rate: nominal frames a second, 0.0 where there is none.
        duration: seconds, 0.0 for live sources and single images.
        seekable: True if the object is also a `Seekable`.
        live: True if frames arrive at their own pace.
        detail: pixel format, codec, decoder ('software', 'vaapi', ...), color, for the interface to show; label -> text.
        reconnects: True if it is opened again by itself when it breaks off.
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

    def __post_init__(self) -> None:
        # Names of files and what decoders say of them are shown in the window too.
        object.__setattr__(self, "title", printable(self.title))
        object.__setattr__(self, "detail", {printable(k): printable(v) for k, v in self.detail.items()})


def named(info: SourceInfo) -> str:
    """Return what is on screen: a source's title, of a folder with the picture that it shows."""
    picture = info.detail.get("name", "") if info.kind == "folder" else ""
    return joined(" / ", (info.title, picture)) if picture else info.title


@dataclass(frozen=True)
class SourceStats:
    """Counters since the source was opened. `dropped` were decoded or received, but not shown in time."""

    decoded: int = 0
    taken: int = 0
    dropped: int = 0
    damaged: int = 0


class Reporter:
    """What each source keeps in order to tell of itself: `on_change` and the properties of `Source` but for the counters."""

    def __init__(self, info: SourceInfo) -> None:
        self.on_change: Callable[[], None] | None = None
        self._info = info
        self._state: State = "idle"
        self._error: LightloomError | None = None

    @property
    def info(self) -> SourceInfo:
        """What is known so far; see `Source`."""
        return self._info

    @property
    def state(self) -> State:
        """Where the source stands."""
        return self._state

    @property
    def error(self) -> LightloomError | None:
        """Why the state is 'failed', 'lost' or 'reconnecting'."""
        return self._error

    def _tell(self) -> None:
        """Call `on_change`, if it is set; with no lock held."""
        if self.on_change is not None:
            self.on_change()


@runtime_checkable
class Source(Protocol):
    """A source of pictures. Methods are for one consumer thread; `on_change` is called from the source's own."""

    on_change: Callable[[], None] | None

    @property
    def info(self) -> SourceInfo:
        """What is known so far; complete once the state has left 'opening'."""

    @property
    def state(self) -> State:
        """Where the source stands."""

    @property
    def error(self) -> LightloomError | None:
        """Why the state is 'failed' or 'lost'."""

    @property
    def stats(self) -> SourceStats:
        """Counters."""

    def start(self) -> None:
        """Begin to open and to deliver; returns at once."""

    def take(self, now: float) -> Frame | None:
        """Return the frame that is due at `now` (`time.perf_counter()`), or None if there is nothing new. Never blocks."""

    def frames(self) -> Generator[Frame]:
        """Yield every frame in order, without pacing, on the caller's thread; not together with `start`.

        Raises:
            SourceError: the source cannot be opened, or broke and does not come back.
        """

    def close(self) -> None:
        """Stop the thread and release the device or file. Twice is allowed."""


@dataclass(frozen=True)
class SourceKind:
    """What a source's file says that it opens, as SOURCE; its name is the file's (`file_kinds.py` finds it).

    Attributes:
        open_text: makes the source of a text ('sample:640x360', an address); None if the text is no such thing. Of a text 'word:...' or
            'word' the source called so is asked first, and alone imported.
        takes_file: whether a path is this source's, told by the path and the file's first MiB (b"" for a folder).
        open_file: makes the source of such a path; the number is how long each of several pictures is shown, in seconds.
    """

    open_text: Callable[[str], Source | None] = lambda text: None
    takes_file: Callable[[Path, bytes], bool] = lambda path, head: False
    open_file: Callable[[Path, float], Source] | None = None


@runtime_checkable
class Seekable(Source, Protocol):
    """A source with a time line (video files, the sample)."""

    @property
    def position(self) -> float:
        """Presentation time in seconds of the frame last taken."""

    @property
    def playing(self) -> bool:
        """False while paused."""

    def play(self) -> None:
        """Go on."""

    def pause(self) -> None:
        """Hold the frame that is shown."""

    def seek(self, seconds: float) -> None:
        """Show the frame whose presentation interval holds `seconds`; works while paused; returns at once."""

    def step(self, frames: int) -> None:
        """Pause and go `frames` on (or back, if negative)."""

    def set_speed(self, factor: float) -> None:
        """Play at 0.25 to 4 times the normal speed."""

    def set_loop(self, start: float | None, end: float | None, *, whole: bool = False) -> None:
        """Loop between two times (A-B), over the whole (`whole`), or not at all (both None)."""


class SourceSound(Protocol):
    """The sound of a source that has some."""

    @property
    def tracks(self) -> tuple[TrackInfo, ...]:
        """The tracks; none until the source is open."""

    @property
    def track(self) -> int | None:
        """The number of the one that is heard, None for none."""

    def use(self, output: SoundOutput) -> None:
        """Be heard there from now on."""

    def use_track(self, index: int | None) -> None:
        """Hear another track from now on, or none."""


@runtime_checkable
class Audible(Source, Protocol):
    """A source that may have sound."""

    @property
    def sound(self) -> SourceSound:
        """Its sound."""


def sound_of(source: Source) -> SourceSound | None:
    """Return a source's sound, None for one that never has any."""
    return source.sound if isinstance(source, Audible) else None


class SourceSubtitles(Protocol):
    """The subtitles of a source that may have some."""

    on_change: Callable[[], None]
    on_failure: Callable[[LightloomError], None]
    on_note: Callable[[str], None]

    @property
    def tracks(self) -> tuple[SubtitleTrack, ...]:
        """The tracks; none until the source is open."""

    @property
    def track(self) -> int | None:
        """The place of the one that is shown, None for none."""

    def add_file(self, path: Path) -> int:
        """Add a file of text to the tracks; returns its place there."""

    def use_track(self, place: int | None) -> None:
        """Show another track from now on, or none."""

    def at(self, seconds: float) -> tuple[Cue, ...]:
        """Return what stands at a time, as far as it is known; never blocks."""


def subtitles_of(source: Source) -> SourceSubtitles | None:
    """Return a source's subtitles (its `subtitles`), None for one that never has any."""
    # Not `isinstance`: with Python 3.11 that takes 0.04 ms, and this is asked with each picture.
    found: SourceSubtitles | None = getattr(source, "subtitles", None)
    return found


@runtime_checkable
class Controllable(Source, Protocol):
    """A source whose device has controls (a camera)."""

    @property
    def controls(self) -> tuple[CameraControl, ...]:
        """What can be set, as it was read last."""

    @property
    def control_problem(self) -> str:
        """A sentence about what was not taken last, '' if all was."""

    def set_controls(self, values: Mapping[str, int]) -> None:
        """Have controls set, by their ids, on the source's thread; nothing at all has them read anew."""

    def demand_controls(self, values: Mapping[str, int]) -> None:
        """As `set_controls`, before it is opened: opening then fails with a SourceUnsupportedError where the device does not take them."""


@runtime_checkable
class Live(Source, Protocol):
    """A source that is read as it happens, and may break off and come back.

    Attributes:
        until_end: set before it is started: end with the sender, or at the first break, instead of waiting for it to come back.
    """

    until_end: bool

    @property
    def end(self) -> SourceEnd | None:
        """Why it gives no more pictures; None while it does, or may again."""


@runtime_checkable
class Decoded(Source, Protocol):
    """A source that different decoders could read."""

    on_notice: Callable[[Text], None]

    def decode_by(self, wanted: str) -> None:
        """Say who is to decode, before it is started: 'auto', 'software', or a device as FFmpeg calls it."""


class FrameInterpolation(Protocol):
    """Makes pictures between two of a source's while it plays; for the source's threads. Nothing is ever raised: what fails is told
    elsewhere, and the source's own pictures are shown."""

    def between(self, first: Frame, second: Frame, seconds: float) -> tuple[Frame, ...]:
        """Return the pictures at equal distances between two that follow each other; none where there are none to be made.

        Args:
            seconds: how long the first is shown before the second.
        """

    @property
    def lead(self) -> float:
        """Seconds that this takes at present, 0.0 while it is not known."""

    def delay(self, seconds: float) -> float:
        """Return by how many seconds a live source's pictures, so far apart, are to be shown later than they came."""

    def close(self, *, wait: bool = False) -> None:
        """Make nothing any more, and release what it holds: with `wait` before it returns, else when what is being made is done."""


@runtime_checkable
class Interpolatable(Source, Protocol):
    """A moving source whose pictures can be shown with others between them."""

    @property
    def interpolation(self) -> FrameInterpolation | None:
        """Frame interpolation in use; None for none."""

    def interpolate_by(self, interpolation: FrameInterpolation | None) -> None:
        """Have them made by another one from now on, or by none. It is the source's then, which closes it."""


@runtime_checkable
class LeavesOut(Protocol):
    """A source of many files, some of which may not open."""

    @property
    def skipped(self) -> Mapping[str, LightloomError]:
        """Names of those that could not be opened so far, and why."""


@runtime_checkable
class Damageable(Protocol):
    """A file that may turn out to be damaged or cut off while it is read."""

    @property
    def damage(self) -> tuple[Text, ...]:
        """A sentence on each kind of damage that was met so far."""


def left_out(source: Source) -> tuple[Text, ...]:
    """Return a sentence on each file of a source that could not be opened so far, and on what of one could not be read."""
    skipped = source.skipped if isinstance(source, LeavesOut) else {}
    files = (
        sentence("{name} is left out: {error}", name=name, error=error) for name, error in skipped.items()
    )
    return (*files, *(source.damage if isinstance(source, Damageable) else ()))


@runtime_checkable
class Enterable(Protocol):
    """A source whose pictures can be had from a time on without those before it."""

    def frames_from(self, seconds: float) -> Generator[Frame]:
        """As `Source.frames`, from the picture whose presentation interval holds `seconds`."""


class NewestSlot:
    """A place for one frame, written by a source's thread and emptied by its consumer. Older frames are counted as dropped."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._frame: Frame | None = None
        self._decoded = 0
        self._taken = 0
        self._dropped = 0
        self._damaged = 0

    def put(self, frame: Frame) -> None:
        """Replace what is there."""
        with self._lock:
            self._decoded += 1
            self._dropped += self._frame is not None
            self._frame = frame

    def take(self) -> Frame | None:
        """Return the newest frame once."""
        with self._lock:
            frame, self._frame = self._frame, None
            self._taken += frame is not None
            return frame

    def count_damaged(self) -> None:
        """Count a packet that could not be decoded."""
        with self._lock:
            self._damaged += 1

    @property
    def stats(self) -> SourceStats:
        """The counters."""
        with self._lock:
            return SourceStats(self._decoded, self._taken, self._dropped, self._damaged)
