"""What a stage's values ask of its network."""

from __future__ import annotations

from typing import cast

from desktop.compute.filters.description import NetworkUse
from desktop.compute.filters.param import Values
from desktop.compute.tasks.common.dense import DenseRequest


def live_values(use: NetworkUse, values: Values) -> dict[str, object]:
    """Return what a stage's network takes while it runs."""
    return {name: values[name] for name in use.live}


def dense_request(use: NetworkUse, values: Values) -> DenseRequest:
    """Return what a stage of checked values asks of its network."""

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
        steps=int(cast(int, values[use.steps])) if use.steps else 1,
    )
