"""Values of camera controls (exposure, focus, gain, white balance, ...), independent of the system."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from desktop.base.errors import UsageError
from desktop.base.fields import Flag, Integer, Selection
from desktop.base.wording import sentence


@dataclass(frozen=True)
class CameraControl:
    """One control of an open camera.

    Attributes:
        field: its name, the same for all cameras ('exposure_time'), which settings and the command line use;
            label, bounds, step and the driver's default. Choices are numbers as text; there may be gaps.
        value: the current value; 0 or 1 of a flag.
        automatic: the name of the control that now sets this one, '' if none.
        locked: True if it cannot be set now for another reason.
    """

    field: Flag | Integer | Selection
    value: int
    automatic: str = ""
    locked: bool = False

    @property
    def name(self) -> str:
        """Name of the field."""
        return self.field.name

    @property
    def is_settable(self) -> bool:
        """True if it takes values now."""
        return not self.automatic and not self.locked

    def fitted(self, value: int) -> int:
        """Return the nearest accepted value; UsageError if the control is a choice without this value."""
        field = self.field
        if isinstance(field, Flag):
            return min(max(value, 0), 1)
        if isinstance(field, Selection):
            if str(value) not in field.choices:
                raise UsageError(
                    sentence(
                        "{name} has no choice {value}: give one of {menu}.",
                        name=field.label,
                        value=value,
                        menu=", ".join(f"{number} ({field.titles[number]})" for number in field.choices),
                    )
                )
            return value
        low, high, step = int(field.min), int(field.max), int(field.step)
        steps = round((min(max(value, low), high) - low) / step)
        return low + min(steps, (high - low) // step) * step


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
    """Return the control that now sets this one, '' if none; `values` are those of all controls."""
    switch, manual = AUTOMATIC.get(control, ("", ()))
    return switch if switch in values and values[switch] not in manual else ""


def in_order(values: Mapping[str, int]) -> list[tuple[str, int]]:
    """Return values in the order to set them: automatic modes are switched off before the manual values."""
    switches = {switch for switch, _ in AUTOMATIC.values()}
    return sorted(values.items(), key=lambda item: item[0] not in switches)


def defaults_of(controls: Iterable[CameraControl]) -> dict[str, int]:
    """Return what puts a camera back."""
    return {control.name: int(control.field.default) for control in controls if not control.locked}
