"""Few-step diffusion: a network that denoises and so repaints an image; see docs/live-diffusion.md."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Final

from desktop.base.wording import sentence
from desktop.compute.nn.session import TensorInfo
from desktop.vision.models.facts import ModelFacts
from desktop.vision.models.findings import Evidence, Kind, Match
from desktop.vision.models.preprocess import Range
from desktop.vision.tasks.common.bounds import Bounds
from desktop.vision.tasks.common.dense import DensePlan, OutputLayout, StageTask
from desktop.vision.tasks.common.maps import input_channels, output_channels

_WORDS: Final = ("nois", "sketch", "sigma", "level")


class DiffusionTask(StageTask):
    """An image with noise, its sketch and the share of noise in; an image out; all in -1..1."""

    id = "diffusion"
    title = sentence("Diffusion")
    summary = sentence("Diffusion: an image repainted out of noise, in a few steps")
    icon = "task_image"
    order = 42
    usual_stage = "diffusion"
    outputs = ("repainted",)
    inputs = 3
    denoises = True

    def recognize(self, facts: ModelFacts) -> Match | None:
        """See `Task`: by input names, because frame interpolation also takes two images and a number."""
        if len(facts.others) != 2 or input_channels(facts) != 3 or output_channels(facts) != 3:
            return None
        drawing, level = facts.others
        alike = drawing.shape == facts.input_shape and 0 not in level.shape and math.prod(level.shape) == 1
        names = " ".join((facts.input_name, drawing.name, level.name)).lower()
        if not alike or not any(word in names for word in _WORDS):
            return None
        return Match(Evidence.OBSERVED, sentence("inputs with the names of a noisy image and its noise"))

    def usual_range(self, facts: ModelFacts, bounds: Bounds | None) -> Range:
        """See `StageTask`: every published sampler adds noise of deviation 1 to an image in -1..1."""
        return Range(Kind.RANGE_UNSAID_SCALE, Evidence.ASSUMED, "-1..1", figures={"scale": "-1..1"})

    def layout(self, plan: DensePlan, info: TensorInfo, layout: OutputLayout, name: str) -> OutputLayout:
        """See `StageTask`: the output's range is the input's; three channels are checked before."""
        colors = plan.statement.colors or plan.input.colors
        return replace(layout, gain=0.5, bias=0.5, reverse=colors == "BGR")


TASK: Final = DiffusionTask()
