"""Screen capture: a monitor, a region of one, or a window that is followed as it moves and resizes.

- lost, error.state 'hidden': the window is minimized; continues once it is restored
- lost, error.state 'missing': the monitor was unplugged; continues once there is one of that number again
- failed, error.state 'closed': the window was closed
- failed, error.state 'denied': no screen, or no permission; the error names where to grant it
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Final

from desktop.base.errors import ScreenError, SourceError, SourceUnsupportedError, UsageError
from desktop.base.wording import sentence
from desktop.media.frame import Frame, Plane
from desktop.media.sources._live import LiveSource
from desktop.media.sources._screen_backends import (
    ScreenBackend,
    find_monitor,
    find_window,
    system_backend,
)
from desktop.media.sources._screen_values import Box, Monitor, ScreenWindow, Shot
from desktop.media.sources.base import SourceKind

__all__ = ["Box", "Monitor", "ScreenBackend", "ScreenSource", "ScreenTarget", "ScreenWindow", "list_screens"]

_FASTEST: Final = 240
_RETRY: Final = 1.0
# The places of monitors are read this often; windows before each frame.
_CHECK_S: Final = 1.0


@dataclass(frozen=True)
class ScreenTarget:
    """A capture target; UsageError if the rate is not from 1 to 240, or the region is empty.

    Attributes:
        monitor: its number, from 1.
        region: in the monitor's pixels, from its upper left corner; None for all of it.
        window: id or title of a window, or part of one; '' for a monitor.
    """

    monitor: int = 1
    region: Box | None = None
    window: str = ""
    rate: int = 30
    cursor: bool = True

    def __post_init__(self) -> None:
        if not 1 <= self.rate <= _FASTEST:
            raise UsageError(
                sentence(
                    "The screen can't be captured {rate} times a second: give a rate from 1 to {fastest}.",
                    rate=self.rate,
                    fastest=_FASTEST,
                )
            )
        if self.region is not None and not (self.region.width and self.region.height):
            raise UsageError(sentence("The region has no pixels: give it a width and a height."))

    @property
    def address(self) -> str:
        """As `open_source` takes it."""
        if self.window:
            what = f"window={self.window}"
        else:
            numbers = (
                (self.region.x, self.region.y, self.region.width, self.region.height) if self.region else ()
            )
            part = ",".join(map(str, numbers))
            what = part if part and self.monitor == 1 else f"{self.monitor}:{part}".rstrip(":")
        rate = f"@{self.rate}" if self.rate != 30 else ""
        return f"screen:{what}{rate}{'' if self.cursor else ',cursor=off'}"


def list_screens(backend: ScreenBackend | None = None) -> tuple[list[Monitor], list[ScreenWindow]]:
    """Return monitors and windows that can be captured; may take some 100 ms. Raises ScreenError if none."""
    backend = backend or system_backend()
    windows = backend.windows() if backend.has_windows else []
    try:
        return backend.monitors(), windows
    except ScreenError:
        if windows:
            return [], windows
        raise


class _ChangedError(SourceError):
    """The captured area has another size or position: the grabber must be opened again."""


class _Watched:
    """A container that checks before each frame whether what it captures is still as it was."""

    def __init__(self, container: Any, look: Callable[[], None]) -> None:
        self.streams, self.close = container.streams, container.close
        self._container, self._check_unchanged = container, look

    def demux(self, *streams: Any) -> Iterator[Any]:
        for packet in self._container.demux(*streams):
            self._check_unchanged()
            yield packet


class ScreenSource(LiveSource):
    """One monitor, region or window; ends when its window is closed. Frames are packed 8-bit RGB, in physical
    pixels. A monitor that shows Lightloom's own window shows it recursively.
    """

    def __init__(self, target: ScreenTarget | None = None, backend: ScreenBackend | None = None) -> None:
        super().__init__("screen", sentence("Screen"))
        self.target = target or ScreenTarget()
        self._given = backend
        self._shot: Shot | None = None
        self._looked = 0.0

    @property
    def _backend(self) -> ScreenBackend:
        # Not in the constructor: it may load libraries.
        if self._given is None:
            self._given = system_backend()
        return self._given

    def _open(self) -> Any:
        self._shot = shot = self._find()
        self._info = replace(self._info, title=shot.title)
        self._looked = self._clock.now()
        return _Watched(
            self._backend.open(shot, self.target.rate, self.target.cursor),
            lambda: self._check_unchanged(shot),
        )

    def _find(self) -> Shot:
        if not self.target.window:
            return find_monitor(self._backend, self.target.monitor, self.target.region)
        if self._shot is None:
            found = find_window(self._backend, self.target.window)
            self._shot = Shot("window", found.id, found.title, found.box)
        # Once found it is followed by its id alone: another window of that title is not the same.
        return replace(self._shot, box=self._place(self._shot))

    def _place(self, shot: Shot) -> Box:
        box = self._backend.place(shot.id)
        if box is None:
            raise ScreenError(
                "closed", sentence("The window {title} was closed: open another one.", title=shot.title)
            )
        if not box.width:
            raise ScreenError(
                "hidden", sentence("The window {title} is minimized: open it again.", title=shot.title)
            )
        return box

    def _check_unchanged(self, shot: Shot) -> None:
        """Raise if what is captured is no longer as it was when the grabber was opened."""
        if shot.kind == "window":
            box = self._place(shot)
            if (box.width, box.height) != (shot.box.width, shot.box.height):
                raise _ChangedError("size")
        elif self._clock.now() - self._looked > _CHECK_S:
            self._looked = self._clock.now()
            if self._find().box != shot.box:
                raise _ChangedError("place")

    def _failed(self, error: Exception) -> float | None:
        reason = self._sentence(error)
        if isinstance(reason, _ChangedError):
            return 0.0
        comes_back = isinstance(reason, ScreenError) and (
            reason.state == "hidden" or (reason.state == "missing" and self._info.size != (0, 0))
        )
        self._set_state("lost" if comes_back else "failed", reason)
        return _RETRY if comes_back else None

    def _sentence(self, error: Exception) -> SourceError:
        """Determine the cause of an error: a window may have been closed or resized within a frame."""
        if isinstance(error, SourceError):
            return error
        title = self._info.title
        if self._shot is not None:
            title, self._looked = self._shot.title, 0.0
            try:
                self._check_unchanged(self._shot)
            except SourceError as reason:
                return reason
        return ScreenError(
            "denied", sentence("{title} can't be captured: choose another screen or window.", title=title)
        )

    def _is_end(self, error: Exception) -> bool:
        reason = self._sentence(error)
        return isinstance(reason, ScreenError) and reason.state == "closed"

    def _ended(self) -> SourceError:
        return self._sentence(EOFError())

    def _wrap(self, *arguments: Any) -> Frame:
        frame = super()._wrap(*arguments)
        part = self._shot.part if self._shot is not None else None
        return frame if part is None or self._backend.crops else cropped(frame, part)

    def _detail(self, container: Any) -> dict[str, str]:
        shot = self._shot
        return {"window": shot.title} if shot is not None and shot.kind == "window" else {}


def cropped(frame: Frame, part: Box) -> Frame:
    """Return a part of a packed frame, without copying; SourceUnsupportedError if it lies outside."""
    if part.x + part.width > frame.width or part.y + part.height > frame.height:
        raise SourceUnsupportedError(
            sentence(
                "The region does not lie on the screen, which has {width}x{height} pixels: choose another "
                "one.",
                width=frame.width,
                height=frame.height,
            )
        )
    plane, pixel = frame.planes[0], len(frame.format.planes[0].components)
    first = part.y * plane.stride + part.x * pixel
    last = (part.y + part.height - 1) * plane.stride + (part.x + part.width) * pixel
    # Rows begin one stride apart, so the last is shorter by the pixels to the right of the part.
    data = memoryview(plane.data).cast("B")[first:last]
    return replace(
        frame,
        planes=(Plane(data, plane.stride, part.width, part.height),),
        width=part.width,
        height=part.height,
    )


_TEXT: Final = re.compile(
    r"screen(?::(?P<what>.*?)(?:@(?P<rate>\d{1,4}))?(?:,cursor=(?P<cursor>on|off))?)?", re.DOTALL
)
_PLACE: Final = re.compile(r"(?:(?P<monitor>\d{1,3}))?(?:(?:(?<=\d):|^)(?P<part>\d{1,5}(?:,\d{1,5}){3}))?")


def _open_text(text: str) -> ScreenSource | None:
    given = _TEXT.fullmatch(text)
    if given is None:
        return None
    return ScreenSource(
        _target(text, given["what"] or "", int(given["rate"] or 30), given["cursor"] != "off")
    )


def _target(text: str, what: str, rate: int, cursor: bool) -> ScreenTarget:
    word, _, window = what.partition("=")
    if word == "window" and window.strip():
        return ScreenTarget(window=window.strip(), rate=rate, cursor=cursor)
    place = _PLACE.fullmatch(what)
    if place is None:
        raise UsageError(
            sentence(
                "'{text}' names no screen: write it as screen:2, screen:100,50,640,480 (left, top, width, "
                "height) or screen:window=TITLE.",
                text=text,
            )
        )
    region = Box(*map(int, place["part"].split(","))) if place["part"] else None
    return ScreenTarget(int(place["monitor"] or 1), region, rate=rate, cursor=cursor)


SOURCE: Final = SourceKind(open_text=_open_text)
