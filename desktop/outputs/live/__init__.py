"""Live outputs: each module that defines OUTPUT is discovered under its name; feed.py runs them."""

from __future__ import annotations

import functools
import sys
from collections.abc import Iterator

from desktop.base.discovery import registered
from desktop.outputs.live.output import LiveOutput


@functools.cache
def live_outputs() -> dict[str, LiveOutput]:
    """Return every output of this system by its id, in the order in which they are offered."""
    found: Iterator[LiveOutput] = registered(__name__, "OUTPUT")
    here = [output for output in found if not output.systems or sys.platform in output.systems]
    return {output.id: output for output in sorted(here, key=lambda output: (output.order, output.id))}
