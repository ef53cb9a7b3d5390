"""A value that another program sends by OSC."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from desktop.base.errors import UsageError
from desktop.base.fields import Line, Number
from desktop.base.wording import sentence
from desktop.pipeline.automation.source import AutomationSource, Moment

LONGEST_PATH: Final = 200
"""Characters of an OSC path."""


def osc_address(path: str) -> str:
    """Return the address of an OSC path such as '/fader/1'."""
    return f"osc{path}"


def _check_path(text: str) -> None:
    if not text.startswith("/") or len(text) > LONGEST_PATH:
        raise UsageError(
            sentence("'{text}' is no OSC address; give one that begins with a slash.", text=text[:40])
        )


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
        Line(
            "path",
            "/lightloom/1",
            verify=_check_path,
            label=sentence("Path"),
            help=sentence("The message's address; it begins with a slash."),
        ),
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
