"""Networks whose output is a picture or a map: what they take, what comes out, how it is to be read.

Nothing here touches the GPU. A `DensePlan` is made from the file before the network is loaded, an `OutputLayout` from the shapes that
the loaded network has; `dense_network.py` runs them. What is inferred is told in sentences, and can be set by a sidecar, by a
built-in's table and by the parameters of a stage.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, Final, Literal

import numpy as np

from desktop.compute.models.builtin import Statement
from desktop.compute.models.facts import ModelFacts
from desktop.compute.models.findings import Evidence, Finding, Kind, unsettled
from desktop.compute.models.model_file import Model, ModelFile
from desktop.compute.models.preprocess import IMAGENET_MEAN, IMAGENET_STD, Box, Preprocess, Range, Scale
from desktop.compute.nn.session import TensorInfo
from desktop.compute.tasks.verification import synthetic_picture
from desktop.errors import ModelError, ModelInvalidError, ModelUnsupportedError
from desktop.wording import sentence

Output = Literal["image", "mask", "map", "classes"]
Bounds = tuple[float, float]

MULTIPLE: Final = 8
_LONGEST_WALK: Final = 24
_IMAGENET: Final[dict[str, Any]] = {"scale": "0..1", "mean": IMAGENET_MEAN, "std": IMAGENET_STD}
PERSON: Final = {1: 0, 2: 1, 19: 11, 21: 15, 150: 12}
"""Which class is a person, by how many there are: background and person; Pascal VOC; Cityscapes; ADE20K."""
_SEGMENTS: Final = ("mask", "classes")
_SCALES: Final[tuple[Scale, ...]] = ("0..1", "-1..1", "0..255")
# How much more a picture must come out like itself for a range to be taken that is not the output's.
_CLEARLY: Final = 0.2
_SAMPLES: Final = 48
_ENDS: Final[dict[str, Bounds]] = {"0..1": (0.0, 1.0), "-1..1": (-1.0, 1.0), "0..255": (0.0, 255.0)}


@dataclass(frozen=True)
class WorkingInput(Preprocess):
    """The input of a network that gives a picture back: the whole picture, at the left upper corner, its edge repeated around it.

    `inner` is the width and height that the picture fills; the rest is there because the network takes certain sizes only, and is cut off
    its output again. A repeated edge is what a convolution's own zeros disturb least (a grey border shows in a style's strokes).
    """

    inner: tuple[int, int] = (1, 1)

    def _placing(self) -> str:
        return sentence("whole picture") if self.resize == "stretch" else super()._placing()

    def box(self, width: int, height: int) -> Box:
        """Return the whole picture, on `inner`."""
        return Box(0.0, 0.0, width, height, 0, 0, *self.inner)

    @property
    def surroundings(self) -> float:
        """Below zero: the edge is repeated."""
        return -1.0


@dataclass(frozen=True)
class DenseRequest:
    """What a stage asks of its network; '' and None leave a thing to the file.

    Attributes:
        output: what it needs.
        size: longer side in pixels, for a network that takes any size.
        scale, colors: of the input; 'ImageNet' is 0..1 less ImageNet's mean, over its deviation.
        output_scale: of a picture that comes out.
        channel: of a mask.
    """

    output: Output
    size: int | None = None
    scale: str = ""
    colors: str = ""
    output_scale: str = ""
    channel: int | None = None


@dataclass(frozen=True)
class DensePlan:
    """How pictures of one size go into a network.

    Attributes:
        input: what the tensor is filled with.
        facts: of the network.
        output_name: '' is the first output that covers the picture.
        bounds: what the graph's last operators bound the output to; None where they don't.
        settled: the input's range is said by the file or the user; else the output's decides (`settle`).
        findings: what was inferred or assumed.
    """

    input: WorkingInput
    facts: ModelFacts
    output_name: str
    request: DenseRequest
    statement: Statement
    bounds: Bounds | None = None
    settled: bool = True
    findings: tuple[Finding, ...] = ()


@dataclass(frozen=True)
class OutputLayout:
    """How an output tensor becomes a texture that covers the picture.

    Attributes:
        width, height: texels: the output's part that the picture fills.
        strides: elements from one column, row and channel to the next.
        channels: of the output.
        gain, bias: value * gain + bias brings a picture's channels to 0..1, and gives a map in which near things have large values.
        reverse: the channels are B, G, R.
        activation: of a mask; see `Statement`.
        channel: of a mask.
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

    def values(self, output: np.ndarray) -> np.ndarray:
        """Return the output's part that the picture fills: float64 (height, width, channels)."""
        x, y, c = self.strides
        at = np.arange(self.height)[:, None] * y + np.arange(self.width)[None, :] * x
        flat = np.ravel(output).astype(np.float64)
        return np.asarray(flat[at[..., None] + np.arange(self.channels) * c])


# -- before the network is loaded -------------------------------------------------------------------------------------------


def working_size(
    picture: tuple[int, int], longer: int, multiple: int
) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return (inner, padded): the size that a picture is shrunk to, never enlarged, and that size brought up to the multiple."""
    width, height = picture
    scale = min(1.0, longer / max(width, height))
    inner = (max(1, round(width * scale)), max(1, round(height * scale)))
    return inner, (-(-inner[0] // multiple) * multiple, -(-inner[1] // multiple) * multiple)


def plan_dense(
    model: Model, picture: tuple[int, int], statement: Statement, request: DenseRequest
) -> DensePlan:
    """Plan the use of a network (an ONNX file, by its path or open) on pictures of a size (width, height).

    Raises:
        ModelInvalidError: not a readable ONNX model.
        ModelUnsupportedError: it does not take one picture.
        UsageError: a stated preprocessing value that its field does not take.
    """
    with ModelFile.opened(model) as file:
        facts, name = file.facts, file.name
        bounds = output_bounds(file.proto, statement.output_name or facts.output_name)
    if statement.input_name and statement.input_name != facts.input_name:
        raise ModelInvalidError(
            sentence(
                "{name} has no picture input '{wanted}'; its first input is '{input}'.",
                name=name,
                wanted=statement.input_name,
                input=facts.input_name,
            )
        )
    wanted = {**_asked(request), **_stated(statement, request)}
    found, findings = Preprocess.infer(facts, _unless_said(facts, request.output, bounds))
    assumed = any(finding.assumes("scale") for finding in findings)
    if assumed and "scale" in wanted:
        # A mean and deviation that were only assumed go with the range that was.
        wanted = {"mean": (0.0,) * 3, "std": (1.0,) * 3, **wanted}
    found, _ = found.updated(_for_channels(wanted, found.channels))
    findings = unsettled(findings, {"scale", "colors"} & wanted.keys())
    if request.size and 0 not in facts.input_shape[1:]:
        findings = (*findings, Finding(Kind.SIZE_FIXED, Evidence.DECLARED, frozenset({"width", "height"})))
    plan = DensePlan(
        _sized(found, facts, picture, statement, request),
        facts,
        statement.output_name,
        request,
        statement,
        bounds,
        settled="scale" in wanted or not assumed,
        findings=findings,
    )
    plan.input.checked(facts)
    return plan


def _asked(request: DenseRequest) -> dict[str, Any]:
    values: dict[str, Any] = {}
    if request.scale == "ImageNet":
        values |= _IMAGENET
    elif request.scale:
        values |= {"scale": request.scale, "mean": (0.0,) * 3, "std": (1.0,) * 3}
    if request.colors:
        values["colors"] = request.colors
    return values


def _stated(statement: Statement, request: DenseRequest) -> dict[str, Any]:
    # What a statement says of the input and the request leaves open.
    left_out = {"width", "height", "layout", "dtype", "resize", "crop"}
    if request.scale:
        left_out |= {"scale", "mean", "std"}
    if request.colors:
        left_out.add("colors")
    return {name: value for name, value in statement.preprocess.items() if name not in left_out}


def _for_channels(values: Mapping[str, Any], channels: int) -> dict[str, Any]:
    # A grey input takes one mean and deviation, and no colour order.
    if channels == 3:
        return dict(values)
    grey = {k: (sum(v) / len(v),) if k in ("mean", "std") else v for k, v in values.items()}
    return {k: v for k, v in grey.items() if k != "colors"}


def _unless_said(facts: ModelFacts, output: Output, bounds: Bounds | None) -> Range:
    # A network that gives a picture takes it in the range in which it gives it: every published style and enhancement does. Masks and
    # depth: what most of their kind take.
    if output == "image":
        scale = scale_of(*bounds) if bounds is not None else "0..1"
        return Range(Kind.RANGE_UNSAID, Evidence.ASSUMED, scale)
    channels = (
        facts.outputs[0].shape[-1 if facts.input_shape[-1:] == (3,) else 1 :][:1] if facts.outputs else ()
    )
    if output in _SEGMENTS and channels and channels[0] > 2 and "tf" in facts.producer:
        return _assumed("-1..1")  # TensorFlow's DeepLab
    if output in _SEGMENTS and channels in ((), (1,), (2,)):
        return _assumed("0..1")
    return Range(Kind.RANGE_UNSAID_IMAGENET, Evidence.ASSUMED, **_IMAGENET)


def _assumed(scale: Scale) -> Range:
    return Range(Kind.RANGE_UNSAID_SCALE, Evidence.ASSUMED, scale, figures={"scale": scale})


def _sized(
    found: Preprocess,
    facts: ModelFacts,
    picture: tuple[int, int],
    statement: Statement,
    request: DenseRequest,
) -> WorkingInput:
    first = 1 if found.layout == "NHWC" else 2
    height, width = facts.input_shape[first : first + 2]
    longer = request.size or statement.working or 512
    inner, padded = working_size(picture, longer, statement.multiple or MULTIPLE)
    # A side that the network fixes is filled by the whole picture, whatever its aspect ratio: masks and maps are stretched back.
    inner = (width or inner[0], height or inner[1])
    padded = (width or padded[0], height or padded[1])
    values = {f.name: getattr(found, f.name) for f in fields(Preprocess)}
    return WorkingInput(
        **{**values, "width": padded[0], "height": padded[1], "resize": "stretch"}, inner=inner
    )


# -- after it is loaded -----------------------------------------------------------------------------------------------------


def choose_output(plan: DensePlan, outputs: Sequence[TensorInfo], name: str) -> TensorInfo:
    """Return the output that counts: the one that is stated, else the first that is a map over the picture.

    Raises:
        ModelUnsupportedError: there is none.
    """
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
    for info in outputs:
        if _axes(info.shape, plan.input) is not None:
            return info
    shapes = ", ".join(f"'{info.name}' {list(info.shape)}" for info in outputs)
    raise ModelUnsupportedError(
        sentence(
            "{name} gives no picture, mask or map: its outputs are {shapes}; use it as the network beside "
            "the picture.",
            name=name,
            shapes=shapes,
        ),
        (f"outputs {shapes}",),
    )


def _axes(shape: Sequence[int], given: WorkingInput) -> tuple[int, int, int | None] | None:
    """Return the axes (column, row, channel) of an output that covers the picture; None for one that does not.

    The two sides are those whose ratios to the input's sides are equal; of several such pairs the one that leaves fewest channels.
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


def _covers(width: int, height: int, given: WorkingInput) -> bool:
    across, down = width / given.width, height / given.height
    # A pixel of rounding at either side: valid convolutions and strides leave one out now and then.
    slack = 2.0 / min(given.width, given.height) + 0.01
    return min(width, height) > 1 and abs(across - down) <= slack * max(across, down)


def layout_of(plan: DensePlan, info: TensorInfo, name: str) -> OutputLayout:
    """Return how an output is read; a picture's range is left open (see `settle`).

    Raises:
        ModelUnsupportedError: the output is not what the stage needs.
    """
    axes = _axes(info.shape, plan.input)
    if axes is None:
        raise ModelUnsupportedError(
            sentence(
                "The output '{input}' of {name} has the shape {shape}, which is no map over its input of {width} "
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
    if plan.request.output in _SEGMENTS:
        return _mask_layout(plan, info, layout, name)
    if plan.request.output == "image" and channels not in (1, 3, 4):
        raise ModelUnsupportedError(
            sentence(
                "{name} gives {channels} channels, which are no picture; add it as a Background or Depth stage, "
                "if it is one.",
                name=name,
                channels=channels,
            ),
            (f"{channels} output channels",),
        )
    if plan.request.output == "map" and channels != 1:
        raise ModelUnsupportedError(
            sentence(
                "{name} gives {channels} channels, where a depth map has one; choose a network for depth.",
                name=name,
                channels=channels,
            ),
            (f"{channels} output channels",),
        )
    if plan.request.output == "map":
        # Near is large from here on.
        return replace(layout, gain=-1.0) if plan.statement.near == "low" else layout
    colors = plan.statement.colors or plan.input.colors
    return replace(layout, reverse=colors == "BGR" and channels > 1)


def _mask_layout(plan: DensePlan, info: TensorInfo, layout: OutputLayout, name: str) -> OutputLayout:
    whole = not info.dtype.startswith("float")
    activation = plan.statement.activation
    if not activation:
        bounded = plan.bounds is not None and plan.bounds[0] >= 0.0 and plan.bounds[1] <= 1.0
        activation = (
            "argmax" if whole else "none" if bounded else "sigmoid" if layout.channels == 1 else "softmax"
        )
    channel = plan.request.channel if plan.request.channel is not None else plan.statement.channel
    if channel is None:
        channel = 15 if activation == "argmax" else PERSON.get(layout.channels, 0)
    if activation != "argmax" and channel >= layout.channels:
        raise ModelUnsupportedError(
            sentence(
                "{name} gives {channels} channels, so that there is no channel {channel}; choose one from 0 to "
                "{last}, or -1 for the network's own.",
                name=name,
                channels=layout.channels,
                channel=channel,
                last=layout.channels - 1,
            )
        )
    return replace(layout, activation=activation, channel=channel)


def settle(
    plan: DensePlan, layout: OutputLayout, run: Callable[[np.ndarray], np.ndarray], name: str
) -> tuple[DensePlan, OutputLayout]:
    """Settle the range of a picture that comes out, and with it the input's where nothing says it.

    The output's range is what is stated or asked for, then what the graph bounds it to, else that of the values which come out of a
    synthetic picture. The input's is the same, as every published style has it, unless the picture comes out far more like itself in
    another range: an enhancement that is given 255 times too much light returns white.

    Args:
        run: computes the output for an input array of the plan's shape.

    Raises:
        ModelError: nothing but numbers that are no numbers come out.
    """
    if plan.request.output != "image":
        return plan, layout
    findings = list(unsettled(plan.findings, ("scale",)))
    said: str = plan.request.output_scale or plan.statement.scale
    if not said and plan.bounds is not None:
        said = scale_of(*plan.bounds)
        findings.append(_of_output(Kind.OUTPUT_OF_GRAPH, said))
    if not said:
        said = _observed(layout.values(run(input_array(plan.input))), name)
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


def _of_output(kind: Kind, scale: str) -> Finding:
    return Finding(kind, Evidence.OBSERVED, frozenset({"output scale"}), {"scale": scale})


def _likeliest(
    given: WorkingInput, layout: OutputLayout, run: Callable[[np.ndarray], np.ndarray], said: str
) -> Scale:
    candidates = sorted(_SCALES, key=lambda scale: scale != said)  # a stable sort: the output's own first
    likeness = {s: _likeness(replace(given, scale=s), layout, run) for s in candidates}
    best = max(candidates, key=lambda scale: likeness[scale])
    return best if likeness[best] > likeness[candidates[0]] + _CLEARLY else candidates[0]


def _likeness(given: WorkingInput, layout: OutputLayout, run: Callable[[np.ndarray], np.ndarray]) -> float:
    """Return how much the luma that comes out follows the luma that went in: the absolute correlation, 0.0 for a blank."""
    out = np.nan_to_num(layout.values(run(input_array(given))) * layout.gain + layout.bias)
    out = np.clip(out, 0.0, 1.0).mean(axis=-1)
    grid = (np.arange(_SAMPLES) + 0.5) / _SAMPLES
    rows, columns = (np.floor(grid * side).astype(int) for side in out.shape)
    picture = trial_picture(given).mean(axis=-1)
    across, down = (np.floor(grid * side).astype(int) for side in given.inner)
    got, want = out[np.ix_(rows, columns)].ravel(), picture[np.ix_(down, across)].ravel()
    spread = float(got.std() * want.std())
    return abs(float(np.mean((got - got.mean()) * (want - want.mean())))) / spread if spread > 1e-6 else 0.0


def _observed(values: np.ndarray, name: str) -> str:
    finite = values[np.isfinite(values)]
    if not finite.size:
        raise ModelError(
            sentence("{name} gives no numbers for a picture; choose another network.", name=name)
        )
    return scale_of(*(float(v) for v in np.percentile(finite, (2, 98))))


def scale_of(low: float, high: float) -> Scale:
    """Return which of the three ranges values from `low` to `high` are in: bounds of 0..255 and -1..1 are often overshot."""
    if max(high, -low) > 8.0:
        return "0..255"
    return "-1..1" if low < -0.25 else "0..1"


def trial_picture(given: WorkingInput) -> np.ndarray:
    """Return a synthetic picture of an input's size, R'G'B' in 0..1, shape (height, width, 3), the same each time."""
    return synthetic_picture(given.height, given.width, np.random.default_rng(0))


def input_array(given: WorkingInput) -> np.ndarray:
    """Return the trial picture as a network takes it, of `given.shape` and dtype."""
    rows = np.asarray(given.rows)
    values = trial_picture(given) @ rows[:, :3].T + rows[:, 3]
    values = values if given.layout == "NHWC" else np.moveaxis(values, -1, 0)
    if given.dtype == "uint8":
        values = np.rint(values)
    return np.ascontiguousarray(values[None]).astype(given.dtype)


# -- the end of a graph -----------------------------------------------------------------------------------------------------


# Operators whose results are some of their first input's values, or means of them.
_SAME: Final = frozenset(
    {"Identity", "Cast", "Transpose", "Reshape", "Squeeze", "Unsqueeze", "Flatten", "DepthToSpace", "Slice"}
    | {"Crop", "Resize", "Upsample", "Dropout", "Split", "AveragePool", "MaxPool"}
)
_BOUNDED: Final[dict[str, Bounds]] = {
    "Sigmoid": (0.0, 1.0),
    "HardSigmoid": (0.0, 1.0),
    "Softmax": (0.0, 1.0),
    "Tanh": (-1.0, 1.0),
}
_COMPUTED: Final = _SAME | {"Concat", "Relu", "Clip", "Affine", "Min", "Max", "Add", "Sub", "Mul", "Div"}
_NOTHING: Final[Bounds] = (-math.inf, math.inf)


@dataclass
class _Ends:
    """What lies at the end of a graph: constants by name, the maker of each value, the bounds that are known already."""

    constants: dict[str, np.ndarray] = field(default_factory=dict)
    makers: dict[str, Any] = field(default_factory=dict)
    known: dict[str, Bounds] = field(default_factory=dict)


def output_bounds(model: Any, name: str) -> Bounds | None:
    """Return (least, greatest) that the output `name` of an `onnx.ModelProto` can be by its last operators; None where they don't say."""
    ends = _Ends()
    for tensor in model.graph.initializer:
        _note_constant(ends, tensor.name, tensor)
    for node in model.graph.node:
        if node.op_type == "Constant":
            value = next((a.t for a in node.attribute if a.name == "value"), None)
            if value is not None and node.output:
                _note_constant(ends, node.output[0], value)
        else:
            ends.makers |= dict.fromkeys(node.output, node)
    low, high = _bounds(ends, name, _LONGEST_WALK)
    return (low, high) if math.isfinite(low) and math.isfinite(high) else None


def _note_constant(ends: _Ends, name: str, tensor: Any) -> None:
    from onnx import numpy_helper

    # A value a channel at most: these are what scales and bounds are written with.
    if tensor.data_location != 1 and math.prod(tensor.dims) <= 4:
        try:
            ends.constants[name] = np.asarray(numpy_helper.to_array(tensor), np.float64)
        except (KeyError, TypeError, ValueError):  # a damaged or exotic tensor says nothing
            return


def _bounds(ends: _Ends, name: str, steps: int) -> Bounds:
    # Each value once: a file may double its paths with every node. What is being looked at counts as unbounded, so that a graph
    # that goes in a circle ends too.
    if name not in ends.known:
        ends.known[name] = _NOTHING
        ends.known[name] = _found_bounds(ends, name, steps)
    return ends.known[name]


def _found_bounds(ends: _Ends, name: str, steps: int) -> Bounds:
    constant = ends.constants.get(name)
    if constant is not None and constant.size:
        return float(constant.min()), float(constant.max())
    node = ends.makers.get(name)
    if node is None or steps == 0 or not node.input:
        return _NOTHING
    if node.op_type in _BOUNDED:
        return _BOUNDED[node.op_type]
    if node.op_type not in _COMPUTED:
        return _NOTHING
    inputs = list(node.input)[:1] if node.op_type in _SAME else list(node.input)
    known = [_bounds(ends, value, steps - 1) if value else _NOTHING for value in inputs]
    attributes = {a.name: (a.f if a.type == 1 else a.i) for a in node.attribute}
    try:
        low, high = _step(node.op_type, known, attributes)
    except (IndexError, OverflowError):
        return _NOTHING
    return _NOTHING if math.isnan(low) or math.isnan(high) else (low, high)


def _step(op: str, known: list[Bounds], attributes: Mapping[str, float]) -> Bounds:
    (low, high), rest = known[0], known[1:]
    if op in _SAME:
        return low, high
    if op == "Concat":
        return min(k[0] for k in known), max(k[1] for k in known)
    if op == "Relu":
        return max(low, 0.0), max(high, 0.0)
    if op == "Clip":
        least = rest[0][0] if rest else attributes.get("min", -math.inf)
        greatest = rest[1][1] if len(rest) > 1 else attributes.get("max", math.inf)
        return max(low, least), min(high, greatest)
    if op == "Affine":
        ends = [v * attributes.get("alpha", 1.0) + attributes.get("beta", 0.0) for v in (low, high)]
        return min(ends), max(ends)
    if op == "Min":
        return min(k[0] for k in known), min(k[1] for k in known)
    if op == "Max":
        return max(k[0] for k in known), max(k[1] for k in known)
    return _arithmetic(op, (low, high), rest[0])


def _arithmetic(op: str, a: Bounds, b: Bounds) -> Bounds:
    if op == "Add":
        return a[0] + b[0], a[1] + b[1]
    if op == "Sub":
        return a[0] - b[1], a[1] - b[0]
    if op == "Div":
        if b[0] * b[1] <= 0 or math.isinf(b[0]) or math.isinf(b[1]):
            return _NOTHING
        b = (1.0 / b[1], 1.0 / b[0])
    products = [x * y for x in a for y in b]
    # 0 * inf is no number, and says nothing.
    return _NOTHING if any(math.isnan(p) for p in products) else (min(products), max(products))
