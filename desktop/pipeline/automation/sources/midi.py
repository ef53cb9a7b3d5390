"""A control of a MIDI device."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from desktop.base.fields import Integer, Selection
from desktop.base.wording import sentence
from desktop.pipeline.automation.source import AutomationSource, Moment


def midi_address(kind: str, channel: int, number: int) -> str:
    """Return the address of a control or a note; `channel` is 1 to 16, `number` 0 to 127."""
    return f"midi/{channel}/{kind}/{number}"


def _at(values: Mapping[str, Any], moment: Moment) -> float | None:
    return moment.controls.get(midi_address(values["kind"], values["channel"], values["number"]))


SOURCE: Final = AutomationSource(
    id="midi",
    title=sentence("MIDI"),
    help=sentence("Follows a knob, fader or key of a MIDI device."),
    order=50,
    fields=(
        Selection(
            "kind",
            "control",
            titles={"control": sentence("controller"), "note": sentence("note")},
            label=sentence("Kind"),
            help=sentence("A note gives its velocity while it is held."),
        ),
        Integer("channel", 1, 1, 16, label=sentence("Channel"), help=sentence("The channel of the device.")),
        Integer(
            "number",
            1,
            0,
            127,
            label=sentence("Number"),
            help=sentence("Number of the controller or the note."),
        ),
    ),
    at=_at,
    needs=frozenset({"controls"}),
)
