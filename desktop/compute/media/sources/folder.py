"""A folder of still images as a slide show with a time line: each picture is one long frame.

Order is that of a person ("2.png" before "10.png"). Pictures that can't be opened are passed over, counted and named.
"""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final

from desktop.compute.media.frame import Frame
from desktop.compute.media.sources._still_header import sniff
from desktop.compute.media.sources.base import (
    NewestSlot,
    Reporter,
    SourceInfo,
    SourceKind,
    SourceStats,
    State,
)
from desktop.compute.media.sources.image import Still, load_image
from desktop.compute.media.sources.timeline import Timeline
from desktop.errors import (
    LightloomError,
    SourceError,
    SourceNotFoundError,
    SourceUnsupportedError,
    UsageError,
)
from desktop.files import open_regular, reason
from desktop.wording import counted, sentence


def natural_key(name: str) -> tuple[tuple[int, int, str], ...]:
    """Return a key that sorts numbers in names by their value, and letters without regard to case."""
    parts = re.split(r"(\d+)", name.casefold())
    # Digits of other scripts match \d and int() alike; a number sorts before a letter, as in file managers.
    return tuple((0, int(part), "") if part.isdecimal() else (1, 0, part) for part in parts if part)


def list_images(folder: Path) -> list[Path]:
    """Return the pictures in a folder (not in its subfolders), told by their first bytes, in natural order.

    Raises:
        SourceNotFoundError: there is no such folder, or it may not be read.
        SourceUnsupportedError: there is no picture in it.
    """
    try:
        files = [path for path in folder.iterdir() if not path.name.startswith(".") and path.is_file()]
    except FileNotFoundError:
        raise SourceNotFoundError(
            sentence("There is no folder {folder}: check its name.", folder=folder)
        ) from None
    except OSError as error:
        raise SourceNotFoundError(
            sentence(
                "The folder {name} can't be read ({reason}): check its permissions.",
                name=folder.name,
                reason=reason(error),
            )
        ) from error
    images = [path for path in files if _is_image(path)]
    if not images:
        raise SourceUnsupportedError(
            sentence("The folder {name} holds no picture: choose one with images in it.", name=folder.name)
        )
    return sorted(images, key=lambda path: natural_key(path.name))


def _is_image(path: Path) -> bool:
    try:
        with open_regular(path) as file:
            return bool(sniff(file.read(64)))
    except OSError:
        # It is there, and it may well be a picture: it will be named among those that can't be opened.
        return path.suffix.lower() in (".png", ".jpg", ".jpeg", ".webp", ".tif", ".tiff", ".bmp")


class FolderSource(Reporter):
    """A folder of images. Seekable: `step(1)` is the next picture. Methods are for one consumer thread.

    Args:
        folder: where the pictures are.
        seconds: how long each is shown, 0.04 to 3600.

    Raises:
        UsageError: `seconds` is out of these bounds.
    """

    def __init__(self, folder: Path, seconds: float = 3.0) -> None:
        if not 0.04 <= seconds <= 3600:
            raise UsageError(
                sentence("A picture can't be shown for {seconds:g} s: give 0.04 to 3600.", seconds=seconds)
            )
        super().__init__(SourceInfo("folder", folder.name, seekable=True))
        self._folder, self._seconds = folder, seconds
        self._slot = NewestSlot()
        self._images: list[Path] = []
        self._skipped: dict[Path, LightloomError] = {}
        # Of one frame until the folder is read; what is asked before then is kept and done afterwards.
        self._timeline: Timeline | None = None
        self._asked: list[Callable[[Timeline], None]] = []
        self._playing = True
        self._wake = threading.Condition()
        self._moved = self._again = self._closing = False
        self._direction = 1
        self._shown = 0
        self._delivered = 0
        self._thread: threading.Thread | None = None

    @property
    def stats(self) -> SourceStats:
        """Counters; `damaged` are the pictures that were skipped."""
        stats = self._slot.stats
        return SourceStats(stats.decoded, stats.taken, stats.dropped, len(self._skipped))

    @property
    def skipped(self) -> dict[str, LightloomError]:
        """Names of the pictures that could not be opened so far, and why."""
        return {path.name: error for path, error in self._skipped.items()}

    @property
    def position(self) -> float:
        """Seconds from the beginning of the show to the picture last taken."""
        return self._shown * self._seconds

    @property
    def playing(self) -> bool:
        """False while paused."""
        return self._playing

    def start(self) -> None:
        """Begin to read on the source's thread."""
        if self._thread is None and self._state == "idle":
            self._state = "opening"
            self._thread = threading.Thread(target=self._run, name="folder", daemon=True)
            self._thread.start()

    def take(self, now: float) -> Frame | None:
        """Return the picture that is due once."""
        frame = self._slot.take()
        if frame is not None:
            self._shown = round(frame.pts / self._seconds)
        return frame

    def frames(self) -> Iterator[Frame]:
        """Yield every picture that can be opened, once."""
        self._images = list_images(self._folder)
        for place, path in enumerate(self._images):
            try:
                still = load_image(path)
            except LightloomError as error:
                self._skipped[path] = error
                continue
            self._info = replace(self._info, detail={"name": path.name})
            yield self._place(still, place)
        if len(self._skipped) == len(self._images):
            raise self._nothing_opens()

    def close(self) -> None:
        """Stop the thread."""
        with self._wake:
            self._closing = True
            self._wake.notify()
        if self._thread is not None:
            self._thread.join()
        self._state = "closed"

    def play(self) -> None:
        """Go on."""
        self._playing = True
        self._ask(lambda line: line.play(time.perf_counter()))

    def pause(self) -> None:
        """Hold the picture that is shown."""
        self._playing = False
        self._ask(lambda line: line.pause(time.perf_counter()))

    def seek(self, seconds: float) -> None:
        """Show the picture of this time."""
        self._direction = 1
        self._ask(lambda line: line.seek(seconds, time.perf_counter()), again=True)

    def step(self, frames: int) -> None:
        """Pause and go `frames` pictures on or back."""
        self._direction = -1 if frames < 0 else 1
        held, self._playing = not self._playing, False

        def go(line: Timeline) -> None:
            now = time.perf_counter()
            line.step(frames, now, line.place(now).index if held else self._shown)

        self._ask(go, again=True)

    def set_speed(self, factor: float) -> None:
        """Change the pictures 0.25 to 4 times as fast."""
        # Checked here as well: before the folder is read there is no time line that would refuse it.
        Timeline(1, 1.0, loop=False).set_speed(factor, 0.0)
        self._ask(lambda line: line.set_speed(factor, time.perf_counter()))

    def set_loop(self, start: float | None, end: float | None, *, whole: bool = False) -> None:
        """Loop between two times, over the whole (the default of this source), or not at all."""
        self._ask(lambda line: line.set_loop(start, end, whole=whole, now=time.perf_counter()))

    def _ask(self, action: Callable[[Timeline], None], *, again: bool = False) -> None:
        with self._wake:
            if self._timeline is None:
                self._asked.append(action)
            else:
                action(self._timeline)
            self._moved = True
            self._again |= again
            self._wake.notify()

    def _run(self) -> None:
        try:
            self._images = list_images(self._folder)
            self._play(self._begin())
        except LightloomError as error:
            self._error = error
            self._set_state("failed")
        except MemoryError:
            self._error = SourceError(
                sentence("There is no memory for a picture in {name}: scale it down.", name=self._folder.name)
            )
            self._set_state("failed")

    def _begin(self) -> Timeline:
        line = Timeline(len(self._images), 1 / self._seconds, loop=True)
        line.begin(time.perf_counter())
        with self._wake:
            for action in self._asked:
                action(line)
            self._timeline = line
        return line

    def _play(self, line: Timeline) -> None:
        last = -1
        while not self._closing:
            with self._wake:
                self._moved = False
                again, self._again = self._again, False
            place = line.place(time.perf_counter())
            if place.index != last or again:
                last = place.index
                if not self._show(last):
                    # Past it, in the direction of travel; `seek` leaves a paused show paused.
                    line.seek(
                        (last + self._direction) % len(self._images) * self._seconds, time.perf_counter()
                    )
                    continue
            self._set_state("ended" if place.ended else "playing" if line.playing else "paused")
            wait = line.place(time.perf_counter()).wait
            with self._wake:
                if not (self._moved or self._closing):
                    self._wake.wait(None if wait == float("inf") else wait)

    def _show(self, place: int) -> bool:
        path = self._images[place]
        if path in self._skipped:
            return False
        try:
            still = load_image(path)
        except LightloomError as error:
            self._skipped[path] = error
            if len(self._skipped) == len(self._images):
                raise self._nothing_opens() from error
            return False
        self._describe(still, path)
        self._slot.put(self._place(still, place))
        self._notify()
        return True

    def _place(self, still: Still, place: int) -> Frame:
        index, self._delivered = self._delivered, self._delivered + 1
        return replace(still.frame, pts=place * self._seconds, duration=self._seconds, index=index)

    def _describe(self, still: Still, path: Path) -> None:
        detail = {"name": path.name, "pictures": str(len(self._images)), **still.detail}
        if self._skipped:
            names = ", ".join(skipped.name for skipped in list(self._skipped)[:5])
            detail["skipped"] = f"{len(self._skipped)}: {names}{', ...' if len(self._skipped) > 5 else ''}"
        length = len(self._images) * self._seconds
        self._info = SourceInfo(
            "folder",
            self._folder.name,
            still.frame.display_size,
            1 / self._seconds,
            length,
            True,
            False,
            detail,
        )

    def _nothing_opens(self) -> SourceError:
        first = next(iter(self._skipped.values()))
        return SourceUnsupportedError(
            sentence(
                "None of {pictures} in {name} opens: {first}",
                pictures=counted(len(self._images), "picture"),
                name=self._folder.name,
                first=first,
            )
        )

    def _set_state(self, state: State) -> None:
        if self._state != state:
            self._state = state
            self._notify()

    def _notify(self) -> None:
        self._tell()


SOURCE: Final = SourceKind(takes_file=lambda path, head: path.is_dir(), open_file=FolderSource)
