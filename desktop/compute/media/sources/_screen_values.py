"""What is said of screens on every system: monitors, windows, and what is captured of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from desktop.printable import printable


@dataclass(frozen=True)
class Box:
    """A rectangle in physical pixels of the desktop, whose first monitor need not be at (0, 0)."""

    x: int
    y: int
    width: int
    height: int


@dataclass(frozen=True)
class Monitor:
    """A monitor: number from 1 (the main one), the system's name of it, and its place in physical pixels."""

    number: int
    name: str
    box: Box


@dataclass(frozen=True)
class ScreenWindow:
    """A window of a program: id as '0x3a00007', title, and its place in physical pixels, without its frame."""

    id: str
    title: str
    box: Box

    def __post_init__(self) -> None:
        # Any program may call its window anything: several lines, or letters that turn the others round.
        object.__setattr__(self, "title", printable(self.title))


@dataclass(frozen=True)
class Shot:
    """What is captured, as it was found: a monitor's part, or a window.

    Attributes:
        kind: what `id` is of.
        id: number of the monitor, id of the window.
        title: to show.
        box: where it is; of a window its size counts alone.
        part: (x, y, width, height) in pixels of the monitor, None for all of it.
    """

    kind: Literal["monitor", "window"]
    id: str
    title: str
    box: Box
    part: Box | None = None


def grabbed(shot: Shot) -> Box:
    """Return the part of the desktop that is captured of a monitor."""
    if shot.part is None:
        return shot.box
    return Box(shot.box.x + shot.part.x, shot.box.y + shot.part.y, shot.part.width, shot.part.height)
