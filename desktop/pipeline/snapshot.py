"""Snapshots of the pipeline's output and measurements of one moment, as plain values for display."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from desktop.pipeline.chain.runner import StageStatus
from desktop.pipeline.layers.compositor import LayerStatus
from desktop.pipeline.statistics import PipelineStats
from desktop.vision.tracking.hidden_area import HiddenArea

if TYPE_CHECKING:
    # Importing it loads what runs networks, which the first frame must not wait for.
    from desktop.vision.tasks.task import Features, Result
    from desktop.vision.tracking.counts import Counts
    from desktop.vision.tracking.scene import TrackedResult

NetworkState = Literal["none", "loading", "running", "away", "failed"]


@dataclass(frozen=True)
class NetworkStatus:
    """State of a network: `features` lists its settings while it runs.

    `text` is backend, device and precision with the reason, or why it failed or has no results for now.
    """

    state: NetworkState = "none"
    text: str = ""
    features: Features | None = None


@dataclass(frozen=True)
class FrameSnapshot:
    """Values to display; made by `SourcePipeline.snapshot`.

    Attributes:
        picture_size: (width, height) of the frame shown, after super-resolution; (0, 0) before the first.
        latency, frame_time: milliseconds of the last frames, oldest first, for graphs.
        tracked_result: the result with tracking from earlier ones.
        hidden: the redacted areas of the frame; None without redaction.
        counts: the last counts of the zones, which a seek leaves.
        automated: values that automations gave, by the ids of stages and names of numbers.
        layers: state of each layer, the lowest first.
        calls: for a network on a server, the state of its calls as text; otherwise ''.
    """

    picture_size: tuple[int, int]
    stats: PipelineStats
    latency: tuple[float, ...]
    frame_time: tuple[float, ...]
    stages: tuple[StageStatus, ...]
    network: NetworkStatus
    result: Result | None
    tracked_result: TrackedResult | None
    hidden: tuple[HiddenArea, ...] | None
    calls: str = ""
    counts: tuple[Counts, ...] = ()
    automated: Mapping[int, Mapping[str, float]] = field(default_factory=dict)
    layers: tuple[LayerStatus, ...] = ()

    @property
    def has_picture(self) -> bool:
        """True once there is a frame."""
        return self.picture_size != (0, 0)
