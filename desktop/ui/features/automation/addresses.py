"""Settings of automations that follow a controller."""

from __future__ import annotations

from typing import Any


def settings_of(source: str, address: str) -> dict[str, Any] | None:
    """Return the settings with which a source follows the controller of an address; None if it cannot."""
    device, _, rest = address.partition("/")
    if device != source:
        return None
    if source == "osc":
        return {"path": f"/{rest}"}
    channel, _, control = rest.partition("/")
    kind, _, number = control.partition("/")
    if source != "midi" or not channel.isdecimal() or not number.isdecimal():
        return None
    return {"kind": kind, "channel": int(channel), "number": int(number)}


LEARNS = frozenset({"midi", "osc"})
"""Sources that can take the next controller that moves."""
