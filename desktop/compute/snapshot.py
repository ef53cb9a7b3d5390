"""What the pipeline shows and measured, as it was at one moment: plain values for whoever displays them.

The window reads this instead of the pipeline: what it displays together was then so at the same moment, and a pipeline that is made anew
after a device loss leaves no reference behind.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from desktop.compute.chain.runner import StageStatus
from desktop.compute.statistics import PipelineStats
from desktop.compute.tracking.hidden_area import HiddenArea

if TYPE_CHECKING:
    # With it comes what runs networks, which the first picture does without.
    from desktop.compute.tasks.task import Features, Result
    from desktop.compute.tracking.scene import Sighting

NetworkState = Literal["none", "loading", "running", "away", "failed"]


@dataclass(frozen=True)
class NetworkStatus:
    """How the network is doing. `text` is the backend, device and precision with the reason for the choice, or why it failed, or why what
    computes it elsewhere gives nothing for now; `features` what there is to be set on one that runs."""

    state: NetworkState = "none"
    text: str = ""
    features: Features | None = None


@dataclass(frozen=True)
class FrameSnapshot:
    """What there is to be shown; made by `Engine.snapshot`.

    Attributes:
        picture_size: (width, height) in pixels of the picture that is shown, (0, 0) before the first; larger than the source's behind a
            network that enlarges it.
        stats: what was measured lately.
        latency, frame_time: milliseconds of the last frames, oldest first, for graphs.
        stages: how each stage of the chain is doing, in the chain's order.
        network: how the network beside the picture is doing.
        result: what it said last; None before the first result.
        sighting: what that shows, with what is known from the results before it.
        hidden: the places that are hidden in the picture; None where none are to be.
        calls: how calls of the network go, where a server computes it, in words; '' else.
    """

    picture_size: tuple[int, int]
    stats: PipelineStats
    latency: tuple[float, ...]
    frame_time: tuple[float, ...]
    stages: tuple[StageStatus, ...]
    network: NetworkStatus
    result: Result | None
    sighting: Sighting | None
    hidden: tuple[HiddenArea, ...] | None
    calls: str = ""

    @property
    def has_picture(self) -> bool:
        """True once there is a picture."""
        return self.picture_size != (0, 0)
