"""Depth estimation: a map of one value a pixel. The filter Depth shows it, or blurs parts out of focus."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from desktop.base.errors import ModelUnsupportedError
from desktop.base.wording import sentence
from desktop.compute.nn.session import TensorInfo
from desktop.vision.models.builtin import Statement
from desktop.vision.models.facts import ModelFacts
from desktop.vision.models.findings import Evidence, Finding, Kind, Match
from desktop.vision.models.model_file import ModelFile
from desktop.vision.models.processor_config import network_config
from desktop.vision.models.sidecar import is_builtin, sidecar_path
from desktop.vision.tasks.common.dense import DensePlan, OutputLayout, StageTask
from desktop.vision.tasks.common.maps import output_channels, words_of

_WORDS: Final = ("depth", "disp")
_DISTANCES: Final = frozenset(
    {"GLPNForDepthEstimation", "ZoeDepthForDepthEstimation", "DepthProForDepthEstimation"}
)
"""Transformers' networks whose depth is a distance; of Depth Anything `depth_estimation_type` tells."""


class DepthTask(StageTask):
    """Depth estimation: a map with such a name; or one channel of any range that no other task claims."""

    id = "depth"
    title = sentence("Depth estimation")
    summary = sentence("Depth estimation: distances of objects")
    icon = "task_depth"
    order = 70
    usual_stage = "depth"
    outputs = ("map",)

    def recognize(self, facts: ModelFacts) -> Match | None:
        channels = output_channels(facts)
        if channels and any(word in words_of(facts) for word in _WORDS):
            evidence = Evidence.DECLARED if channels == 1 else Evidence.OBSERVED
            return Match(evidence, sentence("an output with the name of a depth map"))
        if channels != 1:
            return None
        return Match(Evidence.ASSUMED, sentence("one map over the image, of an unknown kind"))

    def completed(self, file: ModelFile, statement: Statement) -> tuple[Statement, tuple[Finding, ...]]:
        """See `StageTask`: whether near is large; disparities are, distances are not, and few files say which."""
        if statement.near or is_builtin(file.path):
            return statement, ()
        config = network_config(file.path, file.facts.input_name) if file.remote is None else {}
        kinds = config.get("architectures")
        kinds = {kind for kind in kinds if isinstance(kind, str)} if isinstance(kinds, list) else set()
        if config.get("depth_estimation_type") == "metric" or kinds & _DISTANCES:
            return replace(statement, near="low"), (Finding(Kind.DEPTH_OF_CONFIG, Evidence.DECLARED),)
        if "disp" in words_of(file.facts):
            return statement, ()
        name = sidecar_path(file.path).name
        return statement, (Finding(Kind.DEPTH_ASSUMED, Evidence.ASSUMED, figures={"name": name}),)

    def layout(self, plan: DensePlan, info: TensorInfo, layout: OutputLayout, name: str) -> OutputLayout:
        """See `StageTask`; near is large from here on."""
        if layout.channels != 1:
            raise ModelUnsupportedError(
                sentence(
                    "{name} gives {channels} channels, where a depth map has one; choose a network for "
                    "depth.",
                    name=name,
                    channels=layout.channels,
                ),
                (f"{layout.channels} output channels",),
            )
        return replace(layout, gain=-1.0) if plan.statement.near == "low" else layout


TASK: Final = DepthTask()
