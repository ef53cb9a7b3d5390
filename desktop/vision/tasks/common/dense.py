"""Networks whose output is an image or a map: their input, their output, and how the output is read.

A `DensePlan` is made from the file before loading, an `OutputLayout` from the loaded network's shapes;
pipeline/running/dense/dense_network.py runs them. Nothing here uses the GPU. What is inferred is reported as
findings, and can be set by a sidecar, a built-in's table and a stage's parameters.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, ClassVar, Final, Literal

import numpy as np

from desktop.base.errors import ModelInvalidError, ModelUnsupportedError
from desktop.base.wording import Text, sentence
from desktop.compute.nn.session import TensorInfo
from desktop.vision.models.builtin import Statement
from desktop.vision.models.facts import ModelFacts
from desktop.vision.models.findings import Evidence, Finding, Kind, unsettled
from desktop.vision.models.labels import metadata_labels, read_labels, sidecar_labels
from desktop.vision.models.model_file import Model, ModelFile
from desktop.vision.models.preprocess import IMAGENET_MEAN, IMAGENET_STD, Preprocess, Range, SourceBox
from desktop.vision.models.processor_config import NAME
from desktop.vision.models.sidecar import is_builtin
from desktop.vision.tasks import all_tasks, known_sidecar_keys, stated_task
from desktop.vision.tasks.common.bounds import Bounds, output_bounds
from desktop.vision.tasks.common.unsupported import refuse_unsupported
from desktop.vision.tasks.task import Size, Task, Values

Output = Literal["image", "enlarged", "repainted", "mask", "map", "classes", "flow"]
"""A filter's requirement for its network."""
Run = Callable[[np.ndarray], np.ndarray]
"""Computes an output for an input."""

MULTIPLE: Final = 8
_ANY_SIZE: Final = (512, 512)
_IMAGENET: Final[dict[str, Any]] = {"scale": "0..1", "mean": IMAGENET_MEAN, "std": IMAGENET_STD}


@dataclass(frozen=True)
class WorkingInput(Preprocess):
    """The input of an image-to-image network: the image at the top left, its edge repeated around it.

    The image fills `inner` (width, height). A repeated edge disturbs less than gray, which shows in a style.
    """

    inner: tuple[int, int] = (1, 1)

    def _placing(self) -> str:
        return sentence("whole image") if self.resize == "stretch" else super()._placing()

    def box(self, width: int, height: int) -> SourceBox:
        """Return the whole image, on `inner`."""
        return SourceBox(0.0, 0.0, width, height, 0, 0, *self.inner)

    @property
    def surroundings(self) -> float:
        """Below zero: the edge is repeated."""
        return -1.0


@dataclass(frozen=True)
class DenseRequest:
    """A stage's requirements for its network; '' and None leave a field to the file.

    Attributes:
        size: longer side in pixels for a network of any size; of a tile if the output is larger.
        scale, colors: of the input; 'ImageNet' is 0..1 less ImageNet's mean, over its deviation.
        output_scale: of an output image.
        channel: of a mask.
        guidance: of a pipeline's folder: 'none', 'more' (with a negative prompt), or 'usual'.
    """

    output: Output
    size: int | None = None
    scale: str = ""
    colors: str = ""
    output_scale: str = ""
    channel: int | None = None
    guidance: Literal["usual", "none", "more"] = "usual"


@dataclass(frozen=True)
class DensePlan:
    """Preparation of images of one size for a network.

    Attributes:
        output_name: '' for the first output that covers the image.
        bounds: bounds of the output by the graph's last operators; None if unbounded.
        settled: the input's range is stated; otherwise the output's decides (`settle`).
        names: class names from a label file or the metadata; empty if not stated.
        has_stated_size: a sidecar states a free input size.
    """

    input: WorkingInput
    facts: ModelFacts
    output_name: str
    request: DenseRequest
    statement: Statement
    bounds: Bounds | None = None
    settled: bool = True
    findings: tuple[Finding, ...] = ()
    names: tuple[str, ...] = ()
    has_stated_size: bool = False


@dataclass(frozen=True)
class Enlargement:
    """Bilinear enlargement of a map's scores, as PyTorch's `interpolate` with align_corners=False.

    Attributes:
        width, height: pixels of the result: the part of the input that the image fills.
        cells: columns and rows of the complete map, including those over the input's padding.
        scale: cells per pixel, across and down.
    """

    width: int
    height: int
    cells: Size
    scale: tuple[float, float]

    def taps(self, axis: int, pixels: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the cells before and after pixels along an axis (0 across), and the latter's share."""
        last, scale = self.cells[axis] - 1, np.float32(self.scale[axis])
        at = np.clip((pixels.astype(np.float32) + np.float32(0.5)) * scale - np.float32(0.5), 0, last)
        low = at.astype(np.intp)
        return low, np.minimum(low + 1, last), at - low.astype(np.float32)


@dataclass(frozen=True)
class OutputLayout:
    """Mapping of an output tensor to a texture that covers the image.

    Attributes:
        width, height: elements of the output's part that the image fills.
        strides: elements from one column, row and channel to the next.
        gain, bias: value * gain + bias is 0..1 for images; for maps, large for near objects.
        reverse: the channels are B, G, R.
        activation, channel: of a mask; see `Statement`.
        enlargement: of scores on a map smaller than the input; None if they are read unchanged.
    """

    width: int
    height: int
    strides: tuple[int, int, int]
    channels: int
    gain: float = 1.0
    bias: float = 0.0
    reverse: bool = False
    activation: str = "none"
    channel: int = 0
    enlargement: Enlargement | None = None

    @property
    def size(self) -> Size:
        """Width and height of the texture that comes out."""
        larger = self.enlargement
        return (self.width, self.height) if larger is None else (larger.width, larger.height)

    @property
    def enlargement_numbers(self) -> tuple[int, int, float, float]:
        """Cells and scale as shaders read them: zeros where scores are read as they are."""
        larger = self.enlargement
        return (0, 0, 0.0, 0.0) if larger is None else (*larger.cells, *larger.scale)

    def values(self, output: np.ndarray) -> np.ndarray:
        """Return the output's part that the image fills: float64 (height, width, channels)."""
        x, y, c = self.strides
        at = np.arange(self.height)[:, None] * y + np.arange(self.width)[None, :] * x
        flat = np.ravel(output).astype(np.float64)
        return np.asarray(flat[at[..., None] + np.arange(self.channels) * c])


# -- before the network is loaded ----------------------------------------------------------------------------


def working_size(
    picture: tuple[int, int], longer: int, multiple: int
) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return (inner, padded): the size an image is shrunk to, and that size padded to the multiple."""
    width, height = picture
    scale = min(1.0, longer / max(width, height))
    inner = (max(1, round(width * scale)), max(1, round(height * scale)))
    return inner, (-(-inner[0] // multiple) * multiple, -(-inner[1] // multiple) * multiple)


class StageTask(Task):
    """A task whose networks make an image or a map, for a filter of the chain.

    Attributes:
        outputs: outputs that filters may request; the first is used if there is no filter yet.
        last_output: use the last of several outputs that cover the image, not the first.
        denoises: its networks remove noise in steps (pipeline/running/repaint/denoising_session.py).
    """

    outputs: ClassVar[tuple[Output, ...]]
    last_output: ClassVar[bool] = False
    denoises: ClassVar[bool] = False

    def prepare(
        self, file: ModelFile, values: Values, preset: Values
    ) -> tuple[Preprocess, tuple[Finding, ...]]:
        """See `Task`; for an image of some size, of which range and colors count."""
        plan = plan_dense(file, _ANY_SIZE, file.statement, DenseRequest(self.outputs[0]))
        return plan.input, plan.findings

    def is_stated(self, file: ModelFile) -> bool:
        """Return True if a network's task is stated to be this one."""
        return stated_task(file.path) is self

    def chosen_output(self, facts: ModelFacts) -> str:
        """Return the name of the output to use if several cover the image; '' for the first (or last)."""
        return ""

    def completed(self, file: ModelFile, statement: Statement) -> tuple[Statement, tuple[Finding, ...]]:
        """Return a statement with what files beside the network say about the output, and the findings on that."""
        return statement, ()

    def usual_range(self, facts: ModelFacts, bounds: Bounds | None) -> Range:
        """Return the usual input range; `bounds`: the output's by the last operators, None if unbounded."""
        return Range(Kind.RANGE_UNSAID_IMAGENET, Evidence.ASSUMED, **_IMAGENET)

    @abstractmethod
    def layout(self, plan: DensePlan, info: TensorInfo, layout: OutputLayout, name: str) -> OutputLayout:
        """Return the mapping of an output over the image; raise ModelUnsupportedError if it is unfit."""

    def reading_notes(self, plan: DensePlan, layout: OutputLayout) -> tuple[Text, ...]:
        """Return how an output is read: what was inferred or assumed, in sentences."""
        return ()

    def settle(
        self, plan: DensePlan, layout: OutputLayout, run: Run, name: str
    ) -> tuple[DensePlan, OutputLayout]:
        """Settle what only values show, by `run` on input arrays; raise ModelError if none is finite."""
        return plan, layout


def stage_task(output: Output) -> StageTask:
    """Return the task whose networks have the output that a filter requires."""
    return next(task for task in all_tasks() if isinstance(task, StageTask) and output in task.outputs)


def stated_names(file: ModelFile) -> tuple[str, ...]:
    """Return class names from a label file or metadata, if any; raise ModelInvalidError if unreadable."""
    beside = sidecar_labels(file.path)
    found = read_labels(beside) if beside is not None else metadata_labels(file.facts.metadata)
    return found.names if found is not None else ()


def plan_dense(model: Model, picture: Size, statement: Statement, request: DenseRequest) -> DensePlan:
    """Plan the use of a network (an ONNX file, by its path or open) on images of a size (width, height).

    Raises ModelInvalidError, ModelUnsupportedError if it does not take one image, or UsageError.
    """
    with ModelFile.opened(model) as file:
        facts, name, names = file.facts, file.name, stated_names(file)
        refuse_unsupported(facts)
        task = stage_task(request.output)
        output_name = statement.output_name or task.chosen_output(facts)
        bounds = _bounds_of(file, output_name or facts.output_name)
        statement, completed = task.completed(file, statement)
    if statement.input_name and statement.input_name != facts.input_name:
        raise ModelInvalidError(
            sentence(
                "{name} has no image input '{wanted}'; its first input is '{input}'.",
                name=name,
                wanted=statement.input_name,
                input=facts.input_name,
            )
        )
    wanted = {**_of_processor(file), **_requested_values(request), **_stated(statement, request)}
    found, findings = Preprocess.infer(facts, task.usual_range(facts, bounds))
    assumed = any(finding.assumes("scale") for finding in findings)
    if assumed and "scale" in wanted:
        # A mean and deviation that were only assumed are dropped with the assumed range.
        wanted = {"mean": (0.0,) * 3, "std": (1.0,) * 3, **wanted}
    found, unknown = found.updated(_for_channels(wanted, found.channels))
    findings = (*unsettled(findings, {"scale", "colors"} & wanted.keys()), *unknown)
    findings = (*findings, *_origins(file, statement), *completed)
    if request.size and 0 not in facts.input_shape[1:]:
        findings = (*findings, Finding(Kind.SIZE_FIXED, Evidence.DECLARED, frozenset({"width", "height"})))
    stated = None if request.output == "enlarged" else _stated_size(file, statement)
    if request.size and stated is not None and 0 in facts.input_shape[1:]:
        findings = (*findings, Finding(Kind.SIZE_STATED, Evidence.STATED, frozenset({"width", "height"})))
    sized = _sized(found, facts, picture, statement, request, stated)
    values = task.fixed_inputs(facts, (sized.width, sized.height))
    findings = (*findings, *findings_of_inputs(facts, values), *task.unread(file, known_sidecar_keys()))
    plan = DensePlan(
        sized,
        facts,
        output_name,
        request,
        statement,
        bounds,
        settled="scale" in wanted or not assumed,
        findings=findings,
        names=names,
        has_stated_size=stated is not None,
    )
    plan.input.checked(facts)
    return plan


def findings_of_inputs(facts: ModelFacts, values: Mapping[str, np.ndarray]) -> tuple[Finding, ...]:
    """Return findings about inputs besides the image: states, and those with a fixed value."""
    remembered = ", ".join(f"'{pair.input.name}'" for pair in facts.states)
    states = [Finding(Kind.STATES, Evidence.DECLARED, figures={"names": remembered})] if remembered else []
    numbers = {name: float(value.flat[0]) for name, value in values.items() if value.size == 1}
    customary = (
        Finding(Kind.INPUT_CUSTOMARY, Evidence.CUSTOMARY, figures={"name": name, "value": number})
        for name, number in numbers.items()
    )
    return (*states, *customary)


def _bounds_of(file: ModelFile, output_name: str) -> Bounds | None:
    if file.served is not None:
        return file.served.bounds.get(output_name)
    return output_bounds(file.bare, output_name)


def _of_processor(file: ModelFile) -> dict[str, Any]:
    given = file.processor
    return {name: given[name] for name in ("scale", "mean", "std", "colors") if name in given}


def _requested_values(request: DenseRequest) -> dict[str, Any]:
    values: dict[str, Any] = {}
    if request.scale == "ImageNet":
        values |= _IMAGENET
    elif request.scale:
        values |= {"scale": request.scale, "mean": (0.0,) * 3, "std": (1.0,) * 3}
    if request.colors:
        values["colors"] = request.colors
    return values


def _origins(file: ModelFile, statement: Statement) -> tuple[Finding, ...]:
    """Findings about sidecar files that describe the input; bundled tables give none."""
    beside = () if is_builtin(file.path) else tuple(statement.preprocess)
    named = ((NAME, tuple(_of_processor(file))), (file.settings_origin, beside))
    return tuple(
        Finding(Kind.SET, Evidence.STATED, frozenset(names), {"origin": origin, "names": ", ".join(names)})
        for origin, names in named
        if names
    )


def _stated(statement: Statement, request: DenseRequest) -> dict[str, Any]:
    # What a statement settles about the input and the request leaves open.
    left_out = {"width", "height", "layout", "dtype", "resize", "crop"}
    if request.scale:
        left_out |= {"scale", "mean", "std"}
    if request.colors:
        left_out.add("colors")
    return {name: value for name, value in statement.preprocess.items() if name not in left_out}


def _for_channels(values: Mapping[str, Any], channels: int) -> dict[str, Any]:
    # A gray input takes one mean and deviation, and no color order.
    if channels == 3:
        return dict(values)
    gray = {k: _mean(v) if k in ("mean", "std") else v for k, v in values.items()}
    return {k: v for k, v in gray.items() if k != "colors"}


def _stated_size(file: ModelFile, statement: Statement) -> Size | None:
    """Return the (width, height) stated by a sidecar or transformers' file for a free size; else None."""
    for values in (statement.preprocess, file.processor):
        width, height = values.get("width"), values.get("height")
        if type(width) is int and type(height) is int:
            return (width, height)
    return None


def _mean(values: Any) -> Any:
    """Return the mean of a vector as a vector of one; invalid values are left to the check."""
    is_vector = (
        isinstance(values, list | tuple) and all(type(v) in (int, float) for v in values) and len(values)
    )
    return (sum(values) / len(values),) if is_vector else values


def _sized(
    found: Preprocess,
    facts: ModelFacts,
    picture: tuple[int, int],
    statement: Statement,
    request: DenseRequest,
    stated: Size | None,
) -> WorkingInput:
    first = 1 if found.layout == "NHWC" else 2
    height, width = facts.input_shape[first : first + 2]
    longer = max(picture) if request.output == "enlarged" else request.size or statement.working or 512
    inner, padded = working_size(picture, longer, statement.multiple or MULTIPLE)
    if stated is not None:
        width, height = width or stated[0], height or stated[1]
    # A fixed or stated side is filled by the whole image, regardless of its aspect; maps are stretched back.
    inner = (width or inner[0], height or inner[1])
    padded = (width or padded[0], height or padded[1])
    values = {f.name: getattr(found, f.name) for f in fields(Preprocess)}
    return WorkingInput(
        **{**values, "width": padded[0], "height": padded[1], "resize": "stretch"}, inner=inner
    )


# -- after it is loaded --------------------------------------------------------------------------------------


def choose_output(plan: DensePlan, outputs: Sequence[TensorInfo], name: str) -> TensorInfo:
    """Return the stated output, or the first (last) over the image, or raise ModelUnsupportedError."""
    if plan.output_name:
        for info in outputs:
            if info.name == plan.output_name:
                return info
        raise ModelUnsupportedError(
            sentence(
                "{name} has no output '{output_name}'; it has {names}.",
                name=name,
                output_name=plan.output_name,
                names=", ".join(i.name for i in outputs),
            )
        )
    for info in reversed(outputs) if stage_task(plan.request.output).last_output else outputs:
        if axes_of(info.shape, plan.input) is not None:
            return info
    shapes = ", ".join(f"'{info.name}' {list(info.shape)}" for info in outputs)
    raise ModelUnsupportedError(
        sentence(
            "{name} gives no image, mask or map: its outputs are {shapes}; use it as the analysis network.",
            name=name,
            shapes=shapes,
        ),
        (f"outputs {shapes}",),
    )


def axes_of(shape: Sequence[int], given: WorkingInput) -> tuple[int, int, int | None] | None:
    """Return the axes (column, row, channel) of an output that covers the image; None if it does not.

    Of several pairs of sides with the input's ratio, the one with the fewest channels is used.
    """
    rank = len(shape)
    pairs: list[tuple[int, int, int | None]] = []
    if rank == 4 and shape[0] == 1:
        pairs = [(3, 2, 1), (2, 1, 3)]
    elif rank == 3:
        pairs = [(2, 1, 0), (1, 0, 2)]
    elif rank == 2:
        pairs = [(1, 0, None)]
    found = [axes for axes in pairs if _covers(shape[axes[0]], shape[axes[1]], given)]
    return min(found, key=lambda axes: shape[axes[2]] if axes[2] is not None else 1, default=None)


def enlargement_of(shape: Sequence[int], given: WorkingInput) -> Enlargement | None:
    """Return the enlargement of an output to the input's size; None if it is not smaller."""
    axes = axes_of(shape, given)
    if axes is None:
        return None
    columns, rows = shape[axes[0]], shape[axes[1]]
    if columns >= given.width or rows >= given.height:
        return None
    return Enlargement(*given.inner, (columns, rows), (columns / given.width, rows / given.height))


def _covers(width: int, height: int, given: WorkingInput) -> bool:
    across, down = width / given.width, height / given.height
    # A pixel of rounding at either side: valid convolutions and strides leave one out now and then.
    slack = 2.0 / min(given.width, given.height) + 0.01
    return min(width, height) > 1 and abs(across - down) <= slack * max(across, down)


def layout_of(plan: DensePlan, info: TensorInfo, name: str) -> OutputLayout:
    """Return an output's mapping; its range is left to `settle`; raise ModelUnsupportedError if unfit."""
    axes = axes_of(info.shape, plan.input)
    if axes is None:
        raise ModelUnsupportedError(
            sentence(
                "The output '{input}' of {name} has the shape {shape}, which is no map over its input of "
                "{width} "
                "x {height}; choose a network that gives one.",
                input=info.name,
                name=name,
                shape=list(info.shape),
                width=plan.input.width,
                height=plan.input.height,
            ),
            (f"output shape {list(info.shape)}",),
        )
    column, row, channel = axes
    strides = [math.prod(info.shape[axis + 1 :]) for axis in range(len(info.shape))]
    width, height = info.shape[column], info.shape[row]
    channels = 1 if channel is None else info.shape[channel]
    inner, given = plan.input.inner, plan.input
    layout = OutputLayout(
        width=max(1, min(width, round(inner[0] * width / given.width))),
        height=max(1, min(height, round(inner[1] * height / given.height))),
        strides=(strides[column], strides[row], 0 if channel is None else strides[channel]),
        channels=channels,
    )
    return stage_task(plan.request.output).layout(plan, info, layout, name)


def settle(plan: DensePlan, layout: OutputLayout, run: Run, name: str) -> tuple[DensePlan, OutputLayout]:
    """See `StageTask.settle`; raise ModelError if all outputs are NaN or infinite."""
    return stage_task(plan.request.output).settle(plan, layout, run, name)
