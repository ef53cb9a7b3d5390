"""Optical flow: each pixel's motion since the previous image, by networks such as RAFT (arXiv:2003.12039).

Each refinement has an output; the last is the finest.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from desktop.base.errors import ModelUnsupportedError
from desktop.base.wording import sentence
from desktop.compute.nn.session import TensorInfo
from desktop.vision.models.facts import ModelFacts
from desktop.vision.models.findings import Evidence, Kind, Match
from desktop.vision.models.preprocess import Range
from desktop.vision.tasks.common.bounds import Bounds
from desktop.vision.tasks.common.dense import DensePlan, OutputLayout, StageTask
from desktop.vision.tasks.common.maps import input_channels, output_channels


class OpticalFlowTask(StageTask):
    """Optical flow: two images of one shape in; two channels out, right and down, in input pixels."""

    id = "optical_flow"
    title = sentence("Optical flow")
    summary = sentence("Optical flow: motion between two images")
    icon = "task_depth"
    order = 40
    usual_stage = "optical_flow"
    outputs = ("flow",)
    inputs = 2
    last_output = True

    def recognize(self, facts: ModelFacts) -> Match | None:
        alike = bool(facts.others) and facts.others[0].shape == facts.input_shape
        if not alike or input_channels(facts) != 3 or output_channels(facts) != 2:
            return None
        return Match(Evidence.OBSERVED, sentence("two images go in, and two maps come out"))

    def usual_range(self, facts: ModelFacts, bounds: Bounds | None) -> Range:
        """See `StageTask`: as torchvision's RAFT."""
        return Range(Kind.RANGE_UNSAID_SCALE, Evidence.ASSUMED, "-1..1", figures={"scale": "-1..1"})

    def layout(self, plan: DensePlan, info: TensorInfo, layout: OutputLayout, name: str) -> OutputLayout:
        """See `StageTask`; the flow is in texels of its texture."""
        if layout.channels != 2:
            raise ModelUnsupportedError(
                sentence(
                    "{name} gives {channels} channels, where a flow has two; choose a network for optical "
                    "flow.",
                    name=name,
                    channels=layout.channels,
                ),
                (f"{layout.channels} output channels",),
            )
        return replace(layout, gain=layout.width / plan.input.inner[0])


TASK: Final = OpticalFlowTask()
