"""Settings of tracking as a table: `[scene.track]` of a preset (docs/tracking.md lists its keys).

A preset with the table enables tracking. It is untrusted: what is invalid is reported and ignored.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from desktop.base.errors import UsageError
from desktop.base.wording import Text, sentence
from desktop.vision.tracking.track import TrackSpec, with_track_value


def track_table(spec: TrackSpec) -> dict[str, Any]:
    """Return the table of a spec, with all values, so that it does not depend on the defaults."""
    return dict(vars(spec))


def take_track(table: dict[str, Any], warn: Callable[[Text], None]) -> TrackSpec | None:
    """Remove and read the key `track` of a table `[scene]`, or return None; report faults to `warn`."""
    if "track" not in table:
        return None
    given = table.pop("track")
    if not isinstance(given, dict):
        warn(sentence("'{key}' is not a table and was left out.", key="scene.track"))
        return None
    spec = TrackSpec()
    for name, value in given.items():
        try:
            spec = with_track_value(spec, name, value)
        except UsageError as error:
            warn(sentence("{error} The usual one is used.", error=error))
    return spec
