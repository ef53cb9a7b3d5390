"""Values for screen capture on all systems: monitors, windows, and captured areas."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from desktop.base.printable import printable


@dataclass(frozen=True)
class Box:
    """A rectangle in physical pixels of the desktop, whose first monitor need not be at (0, 0)."""

    x: int
    y: int
    width: int
    height: int


@dataclass(frozen=True)
class Monitor:
    """A monitor: number from 1 (the primary one), system name, and position in physical pixels."""

    number: int
    name: str
    box: Box


@dataclass(frozen=True)
class ScreenWindow:
    """A program's window: id as '0x3a00007', title, and position in physical pixels, without its frame."""

    id: str
    title: str
    box: Box

    def __post_init__(self) -> None:
        # A window title may contain anything: several lines, or characters that change the text direction.
        object.__setattr__(self, "title", printable(self.title))


@dataclass(frozen=True)
class Shot:
    """A resolved capture target: part of a monitor, or a window.

    Attributes:
        id: number of the monitor, id of the window.
        box: its position; for a window only the size matters.
        part: (x, y, width, height) in pixels of the monitor, None for all of it.
    """

    kind: Literal["monitor", "window"]
    id: str
    title: str
    box: Box
    part: Box | None = None


def grabbed(shot: Shot) -> Box:
    """Return the area of the desktop to capture for a monitor."""
    if shot.part is None:
        return shot.box
    return Box(shot.box.x + shot.part.x, shot.box.y + shot.part.y, shot.part.width, shot.part.height)
