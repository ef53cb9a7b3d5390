"""Parameters of version 0.1 that filters no longer have."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from desktop.pipeline.filters.description import Filter

_MIXED: Final = frozenset(
    {
        "black_and_white",
        "duotone",
        "guided",
        "invert",
        "lut",
        "median",
        "sepia",
        "style",
        "thermal",
        "tone_curve",
    }
)
"""The filters whose `strength` mixed the result with the input, which is now the opacity of the stage."""


def take_strength(spec: Filter, values: Mapping[str, Any]) -> tuple[dict[str, Any], Any]:
    """Return the values without a `strength` that is now the opacity, and that; None without one."""
    kept = dict(values)
    own = any(param.name == "strength" for param in spec.params)  # a user's filter of the same name
    return kept, kept.pop("strength", None) if spec.id in _MIXED and not own else None
