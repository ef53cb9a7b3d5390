"""Values of camera controls (exposure, focus, gain, white balance, ...), independent of the system."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, Literal

from desktop.base.errors import UsageError
from desktop.base.wording import sentence

Kind = Literal["number", "switch", "choice"]


@dataclass(frozen=True)
class CameraControl:
    """One control of an open camera.

    Attributes:
        id: the same for all cameras ('exposure_time'); used by settings and the command line.
        kind: a number, 0 or 1, or one of `menu`.
        low, high, step: values are `low` plus a multiple of `step` (at least 1), up to `high`.
        default: the driver's default.
        menu: of a choice, the values and their names; there may be gaps.
        automatic: the id of the control that now sets this one, '' if none.
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
        """Return the nearest accepted value; UsageError if the control is a choice without this value."""
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
    # V4L2_CID_EXPOSURE_AUTO: only "manual" (1) and "shutter priority" (2) leave the exposure to the user.
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
    """Return the id of the control that now sets this one, '' if none; `values` are those of all controls."""
    switch, manual = AUTOMATIC.get(control, ("", ()))
    return switch if switch in values and values[switch] not in manual else ""


def in_order(values: Mapping[str, int]) -> list[tuple[str, int]]:
    """Return values in the order to set them: automatic modes are switched off before the manual values."""
    switches = {switch for switch, _ in AUTOMATIC.values()}
    return sorted(values.items(), key=lambda item: item[0] not in switches)


def defaults_of(controls: Iterable[CameraControl]) -> dict[str, int]:
    """Return what puts a camera back."""
    return {control.id: control.default for control in controls if not control.locked}
