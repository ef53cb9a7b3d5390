"""A camera's controls (exposure, focus, gain, white balance, ...) as values, whatever system tells of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, Literal

from desktop.base.errors import UsageError
from desktop.base.wording import sentence

Kind = Literal["number", "switch", "choice"]


@dataclass(frozen=True)
class CameraControl:
    """One control of a camera that is open.

    Attributes:
        id: tells it from the others, the same for all cameras ('exposure_time'); what settings and the command line call it.
        name: to show.
        kind: whether it is a number, 0 or 1, or one of `menu`.
        low: the least value.
        high: the largest one.
        step: values are `low` plus a multiple of it; at least 1.
        default: what the driver takes for usual.
        value: what it is now.
        menu: of a choice, the values with what they are called; there may be holes.
        automatic: the id of the control that now sets this one by itself, '' if none does.
        locked: True if it cannot be set now for another reason.
    """

    id: str
    name: str
    kind: Kind
    low: int
    high: int
    step: int
    default: int
    value: int
    menu: tuple[tuple[int, str], ...] = ()
    automatic: str = ""
    locked: bool = False

    @property
    def is_settable(self) -> bool:
        """True if it takes values now."""
        return not self.automatic and not self.locked

    def fitted(self, value: int) -> int:
        """Return the nearest value that it takes.

        Raises:
            UsageError: it is a choice, and there is no such one.
        """
        if self.kind == "choice":
            if value not in dict(self.menu):
                raise UsageError(
                    sentence(
                        "{name} has no choice {value}: give one of {menu}.",
                        name=self.name,
                        value=value,
                        menu=", ".join(f"{number} ({text})" for number, text in self.menu),
                    )
                )
            return value
        steps = round((min(max(value, self.low), self.high) - self.low) / self.step)
        steps = min(steps, (self.high - self.low) // self.step)
        return self.low + steps * self.step


AUTOMATIC: Final[Mapping[str, tuple[str, tuple[int, ...]]]] = {
    # 1 and 3 of V4L2_CID_EXPOSURE_AUTO leave the time to the camera but for "manual" (1) and "shutter priority" (2).
    "exposure_time": ("auto_exposure", (1, 2)),
    "focus": ("auto_focus", (0,)),
    "white_balance": ("auto_white_balance", (0,)),
    "red_balance": ("auto_white_balance", (0,)),
    "blue_balance": ("auto_white_balance", (0,)),
    "gain": ("auto_gain", (0,)),
    "hue": ("auto_hue", (0,)),
}
"""Control -> the one that sets it by itself, unless that has one of these values."""


def automatic_of(control: str, values: Mapping[str, int]) -> str:
    """Return the id of what now sets a control by itself, '' for nothing; `values` are those of all controls of the camera."""
    switch, manual = AUTOMATIC.get(control, ("", ()))
    return switch if switch in values and values[switch] not in manual else ""


def in_order(values: Mapping[str, int]) -> list[tuple[str, int]]:
    """Return values in an order in which they can be set: what is automatic is switched off before it is set by hand."""
    switches = {switch for switch, _ in AUTOMATIC.values()}
    return sorted(values.items(), key=lambda item: item[0] not in switches)


def defaults_of(controls: Iterable[CameraControl]) -> dict[str, int]:
    """Return what puts a camera back."""
    return {control.id: control.default for control in controls if not control.locked}
