"""Derive the request to a stage's network from the stage's values."""

from __future__ import annotations

from typing import Literal, cast

from desktop.pipeline.filters.description import NetworkUse
from desktop.pipeline.filters.param import Values
from desktop.vision.tasks.common.dense import DenseRequest


def live_values(use: NetworkUse, values: Values) -> dict[str, object]:
    """Return the values a stage's running network accepts; `steps` counts runs, whatever its parameter."""
    named = {name: name for name in use.live} | ({"steps": use.steps} if use.steps else {})
    return {name: values[parameter] for name, parameter in named.items()}


def dense_request(use: NetworkUse, values: Values) -> DenseRequest:
    """Return the request of a stage with checked values to its network."""

    def chosen(name: str) -> str:
        value = str(values[name]) if name else ""
        return "" if value == "auto" else value

    channel = int(cast(int, values[use.channel])) if use.channel else -1
    return DenseRequest(
        output=use.output,
        size=(int(cast(int, values[use.size])) or None) if use.size else None,
        scale=chosen(use.scale),
        colors=chosen(use.colors),
        output_scale=chosen(use.output_scale),
        channel=channel if channel >= 0 else None,
        guidance=_guidance(float(cast(float, values[use.guidance]))) if use.guidance else "usual",
    )


def _guidance(value: float) -> Literal["usual", "none", "more"]:
    # Up to 1 there is no guidance (docs/diffusion.md), except 0, which leaves it to the folder.
    if value == 0:
        return "usual"
    return "more" if value > 1 else "none"
