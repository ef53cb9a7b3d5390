"""Specification of an analysis network: stored in presets, read by the runner, light to import."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class NetworkSpec:
    """An analysis network and its settings.

    Attributes:
        model: path of the network's file, or the address of a network on a server.
        backend, device: 'auto', or the name of a backend (backends/) and of one of its devices.
        precision: 'auto', 'fp32' or 'fp16'.
        every: run on every n-th frame.
        on_result: read the chain's result instead of its source.
        preprocess: fields that replace what was inferred (see vision/models/preprocess.py).
        task: id of an analysis task; 'auto' for the one that the file fits.
        settings: values of the task's settings that were set, by name (`Task.settings`).
        second: secondary network for crops of objects, whose `every`, `on_result`, `second` are ignored.
        `things`: for a secondary network, objects per frame, 1 to 16; 0 for the default.
        enlarge: for a secondary network, its region's size relative to the object's box; 0 for the default.
        is_portrait: the frames are higher than wide, by the source that is playing; no part of a look.
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
    is_portrait: bool = False
