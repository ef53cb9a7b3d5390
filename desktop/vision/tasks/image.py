"""Image-to-image networks: styles, enhancement, restoration. The filter Style shows their output."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar, Final

import numpy as np

from desktop.base.errors import ModelUnsupportedError
from desktop.base.wording import sentence
from desktop.compute.nn.session import TensorInfo
from desktop.vision.models.facts import ModelFacts
from desktop.vision.models.findings import Evidence, Finding, Kind, Match, unsettled
from desktop.vision.models.preprocess import Range, Scale
from desktop.vision.tasks.common.bounds import Bounds, scale_of
from desktop.vision.tasks.common.dense import DensePlan, Output, OutputLayout, Run, StageTask, WorkingInput
from desktop.vision.tasks.common.maps import input_channels, output_channels
from desktop.vision.tasks.common.trial import extremes, input_array, trial_picture

_SCALES: Final[tuple[Scale, ...]] = ("0..1", "-1..1", "0..255")
_ENDS: Final[dict[str, Bounds]] = {"0..1": (0.0, 1.0), "-1..1": (-1.0, 1.0), "0..255": (0.0, 255.0)}
# How much more an image must come out like itself for a range to be taken that is not the output's.
_CLEARLY: Final = 0.2
_SAMPLES: Final = 48


class ImageTask(StageTask):
    """Three channels, or one if the input has one."""

    id = "image"
    title = sentence("Style transfer")
    summary = sentence("Style transfer or enhancement: a new image")
    icon = "task_image"
    order = 50
    usual_stage = "style"
    outputs: ClassVar[tuple[Output, ...]] = ("image",)

    def recognize(self, facts: ModelFacts) -> Match | None:
        channels = output_channels(facts)
        colored = channels == 3 and facts.last_operator not in ("Softmax", "ArgMax")
        if channels == 1 and input_channels(facts) == 1:
            return Match(Evidence.OBSERVED, sentence("a gray image comes out, as one goes in"))
        return (
            Match(Evidence.CUSTOMARY, sentence("three maps over the image, its colors")) if colored else None
        )

    def usual_range(self, facts: ModelFacts, bounds: Bounds | None) -> Range:
        """See `StageTask`: the output's range, as in all published style and enhancement networks."""
        scale = scale_of(*bounds) if bounds is not None else "0..1"
        return Range(Kind.RANGE_UNSAID, Evidence.ASSUMED, scale)

    def layout(self, plan: DensePlan, info: TensorInfo, layout: OutputLayout, name: str) -> OutputLayout:
        """See `StageTask`; the image's range is left open."""
        if layout.channels not in (1, 3, 4):
            raise ModelUnsupportedError(
                sentence(
                    "{name} gives {channels} channels, which are no image; add it as a Background or "
                    "Depth stage, if it is one.",
                    name=name,
                    channels=layout.channels,
                ),
                (f"{layout.channels} output channels",),
            )
        colors = plan.statement.colors or plan.input.colors
        return replace(layout, reverse=colors == "BGR" and layout.channels > 1)

    def settle(
        self, plan: DensePlan, layout: OutputLayout, run: Run, name: str
    ) -> tuple[DensePlan, OutputLayout]:
        """Settle the range of an output image, and with it the input's if it is not stated.

        It is stated, requested, or that of the graph's bounds or of a trial. The input's is the same, unless
        the output resembles the image far more in another: enhancers return white for an input 255 times too
        bright.
        """
        findings = list(unsettled(plan.findings, ("scale",)))
        said: str = plan.request.output_scale or plan.statement.scale
        if not said and plan.bounds is not None:
            said = scale_of(*plan.bounds)
            findings.append(_of_output(Kind.OUTPUT_OF_GRAPH, said))
        if not said:
            said = scale_of(*extremes(layout.values(run(input_array(plan.input))), name, spared=0.02))
            findings.append(_of_output(Kind.OUTPUT_OF_TRIAL, said))
        low, high = _ENDS[said]
        layout = replace(layout, gain=1.0 / (high - low), bias=-low / (high - low))
        given = plan.input
        if not plan.settled:
            scale = _likeliest(given, layout, run, said)
            given = replace(given, scale=scale)
            kind = Kind.RANGE_OF_OUTPUT if scale == said else Kind.RANGE_OF_TRIAL
            findings.append(Finding(kind, Evidence.OBSERVED, frozenset({"scale"}), {"scale": scale}))
        return replace(plan, input=given, findings=tuple(findings)), layout


TASK: Final = ImageTask()


def _of_output(kind: Kind, scale: str) -> Finding:
    return Finding(kind, Evidence.OBSERVED, frozenset({"output scale"}), {"scale": scale})


def _likeliest(given: WorkingInput, layout: OutputLayout, run: Run, said: str) -> Scale:
    candidates = sorted(_SCALES, key=lambda scale: scale != said)  # a stable sort: the output's own first
    likeness = {s: _correlation(replace(given, scale=s), layout, run) for s in candidates}
    best = max(candidates, key=lambda scale: likeness[scale])
    return best if likeness[best] > likeness[candidates[0]] + _CLEARLY else candidates[0]


def _correlation(given: WorkingInput, layout: OutputLayout, run: Run) -> float:
    """Return the absolute correlation of the output's luma with the input's; 0.0 for a blank."""
    out = np.nan_to_num(layout.values(run(input_array(given))) * layout.gain + layout.bias)
    out = np.clip(out, 0.0, 1.0).mean(axis=-1)
    grid = (np.arange(_SAMPLES) + 0.5) / _SAMPLES
    rows, columns = (np.floor(grid * side).astype(int) for side in out.shape)
    picture = trial_picture(given).mean(axis=-1)
    across, down = (np.floor(grid * side).astype(int) for side in given.inner)
    got, want = out[np.ix_(rows, columns)].ravel(), picture[np.ix_(down, across)].ravel()
    spread = float(got.std() * want.std())
    return abs(float(np.mean((got - got.mean()) * (want - want.mean())))) / spread if spread > 1e-6 else 0.0
