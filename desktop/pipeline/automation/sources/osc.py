"""A value that another program sends by OSC."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from desktop.base.fields import Line, Number
from desktop.base.wording import sentence
from desktop.pipeline.automation.source import AutomationSource, Moment


def osc_address(path: str) -> str:
    """Return the address of an OSC path such as '/fader/1'."""
    return f"osc{path}"


def _at(values: Mapping[str, Any], moment: Moment) -> float | None:
    value = moment.controls.get(osc_address(values["path"]))
    if value is None:
        return None
    share = (value - values["from"]) / ((values["to"] - values["from"]) or 1.0)
    return min(1.0, max(0.0, share))


SOURCE: Final = AutomationSource(
    id="osc",
    title=sentence("OSC"),
    help=sentence("Follows a value that another program sends by Open Sound Control."),
    order=60,
    fields=(
        Line("path", "/lightloom/1", label=sentence("Path"), help=sentence("The message's address.")),
        Number(
            "from",
            0.0,
            -1e6,
            1e6,
            has_slider=False,
            label=sentence("From"),
            help=sentence("The received value that gives the least value."),
        ),
        Number(
            "to",
            1.0,
            -1e6,
            1e6,
            has_slider=False,
            label=sentence("To"),
            help=sentence("The received value that gives the greatest value."),
        ),
    ),
    at=_at,
    needs=frozenset({"controls"}),
)
