"""Specification of an analysis network. Presets store it, the runner reads it; imported at the window's start."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class NetworkSpec:
    """An analysis network and its settings.

    Attributes:
        model: path of the network's file, or the address of a network on a server.
        backend: 'auto' or a backend's name (backends/).
        precision: 'auto', 'fp32' or 'fp16'.
        device: 'auto', or the name of one of that backend's devices.
        every: run on every n-th frame.
        on_result: read the chain's result instead of its source.
        preprocess: fields that replace what was inferred (see vision/models/preprocess.py).
        task: id of a task beside the frame; 'auto' for the one that the file fits.
        settings: values of the task's settings that were set, by name (`Task.settings`).
        second: a network for crops of the objects that this one finds; None for none. Its `every`,
            `on_result`, `second` are ignored.
        things: as a second network, number of objects per frame, 1 to 16; 0 for the usual one.
        enlarge: as a second network, size of its region relative to the object's box; 0 for the usual one.
    """

    model: str
    backend: str = "auto"
    precision: str = "auto"
    every: int = 1
    on_result: bool = False
    preprocess: Mapping[str, Any] = field(default_factory=dict)
    task: str = "auto"
    settings: Mapping[str, Any] = field(default_factory=dict)
    second: NetworkSpec | None = None
    things: int = 0
    enlarge: float = 0.0
    device: str = "auto"
