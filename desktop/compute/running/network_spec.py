"""What a user says of the network beside the picture. Presets write it, the runner takes it; the window's start imports it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class NetworkSpec:
    """Which network looks at the picture, and how.

    Attributes:
        model: path of the network's file, or the address of a network on a server.
        backend: 'auto' or a backend's name (backends/).
        precision: 'auto', 'fp32' or 'fp16'.
        device: 'auto', or the name of one of that backend's devices.
        every: run on every n-th picture.
        on_result: look at the chain's result instead of its source.
        preprocess: fields that replace what was inferred (see models/preprocess.py).
        task: id of a task beside the picture; 'auto' for what the file shows.
        settings: values of the task's settings that somebody has set, by name (`Task.settings`).
        second: a network that looks closer at what this one finds; None for none. Its `every`, `on_result` and `second` have no meaning.
        things: as a second network, how many things it looks at in a picture, 1 to 16; 0 for what is usual.
        enlarge: as a second network, by how much what it sees is larger than the thing's box; 0 for what is usual.
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
