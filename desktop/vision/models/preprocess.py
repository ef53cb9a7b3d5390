"""Preprocessing of images for a network (size, crop, color order, range), inferred from evidence or set.

Conventions, for gamma-coded values: torchvision's ImageNet mean (0.485, 0.456, 0.406) and deviation (0.229,
0.224, 0.225) of R'G'B' in 0..1; TensorFlow-Slim's Inception R'G'B' in -1..1; Caffe's BVLC B'G'R' less (104,
117, 123) in 0..255. All use a center crop of 0.875 of the shorter side, Ultralytics the center square.
"""

from __future__ import annotations

import contextlib
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any, Final, Literal, get_args

from desktop.base.errors import ModelInvalidError, ModelUnsupportedError, UsageError
from desktop.base.wording import joined, sentence
from desktop.vision.models.facts import ModelFacts
from desktop.vision.models.findings import Evidence, Finding, Kind, unsettled
from desktop.vision.models.processor_config import NAME, processor_values
from desktop.vision.models.served import Served
from desktop.vision.models.sidecar import read_settings, settings_path

Layout = Literal["NCHW", "NHWC"]
Colors = Literal["RGB", "BGR", "GRAY"]
Scale = Literal["0..1", "-1..1", "0..255"]
Resize = Literal["crop", "stretch", "stretched_crop", "letterbox"]
Interpolation = Literal["nearest", "bilinear", "bicubic"]
Dtype = Literal["float32", "float16", "uint8", "int8", "int32"]
BYTE_TYPES: Final = ("uint8", "int32")
"""Types of inputs in 0 to 255, rounded; TensorFlow's exports declare bytes as int32."""

IMAGENET_MEAN: Final = (0.485, 0.456, 0.406)
IMAGENET_STD: Final = (0.229, 0.224, 0.225)
CAFFE_MEAN_BGR: Final = (104.0, 117.0, 123.0)
CROP_FRACTION: Final = 0.875
_LUMA: Final = (0.299, 0.587, 0.114)  # ITU-R BT.601, as Pillow's mode L
_LARGEST: Final = 8192
_NO_CHANGE: Final = ((0.0, 0.0, 0.0), (1.0, 1.0, 1.0))


@dataclass(frozen=True)
class SourceBox:
    """A part of the source image in source pixels, and the part of the input it fills, in input pixels."""

    x: float
    y: float
    width: float
    height: float
    target_x: int
    target_y: int
    target_width: int
    target_height: int


@dataclass(frozen=True)
class Preprocess:
    """Conversion of R'G'B' in 0..1 (gamma-coded, display size) to the input tensor of a batch of one.

    `(value - mean) / std` in units of the range `scale`; `pad` is the gray level (0..1) of letterboxing.
    """

    width: int
    height: int
    layout: Layout = "NCHW"
    colors: Colors = "RGB"
    scale: Scale = "0..1"
    mean: tuple[float, ...] = (0.0, 0.0, 0.0)
    std: tuple[float, ...] = (1.0, 1.0, 1.0)
    resize: Resize = "crop"
    crop: float = CROP_FRACTION
    interpolation: Interpolation = "bilinear"
    dtype: Dtype = "float32"
    pad: float = 0.0

    def __post_init__(self) -> None:
        """Check every field; raise UsageError, which names the field, for a value out of its range."""
        for name, allowed in _CHOICES.items():
            if getattr(self, name) not in allowed:
                raise UsageError(
                    sentence(
                        "Preprocessing '{name}' is {value}; choose one of {allowed}.",
                        name=name,
                        value=repr(getattr(self, name)),
                        allowed=", ".join(allowed),
                    )
                )
        for name in ("width", "height"):
            if not 1 <= getattr(self, name) <= _LARGEST:
                raise UsageError(
                    sentence(
                        "Preprocessing '{name}' is {value}; give 1 to {largest} pixels.",
                        name=name,
                        value=getattr(self, name),
                        largest=_LARGEST,
                    )
                )
        if not 0.01 <= self.crop <= 1.0:
            raise UsageError(
                sentence("Preprocessing 'crop' is {crop}; give a fraction from 0.01 to 1.", crop=self.crop)
            )
        if not 0.0 <= self.pad <= 1.0:
            raise UsageError(
                sentence("Preprocessing 'pad' is {pad}; give a level from 0 to 1.", pad=self.pad)
            )
        for name in ("mean", "std"):
            self._check_vector(name)

    def _check_vector(self, name: str) -> None:
        values = getattr(self, name)
        if len(values) != self.channels or not all(math.isfinite(v) for v in values):
            raise UsageError(
                sentence(
                    "Preprocessing '{name}' is {list}; give {channels} finite numbers.",
                    name=name,
                    list=list(values),
                    channels=self.channels,
                )
            )
        if name == "std" and not all(abs(v) > 1e-9 for v in values):
            raise UsageError(sentence("Preprocessing 'std' has a zero; give numbers other than 0."))

    @property
    def channels(self) -> int:
        """1 for GRAY, otherwise 3."""
        return 1 if self.colors == "GRAY" else 3

    @property
    def surroundings(self) -> float:
        """Gray level around the image; -1.0 to repeat the image's edge, -2.0 for a tensor of 0."""
        return self.pad

    @property
    def shape(self) -> tuple[int, int, int, int]:
        """The input tensor's shape."""
        if self.layout == "NHWC":
            return (1, self.height, self.width, self.channels)
        return (1, self.channels, self.height, self.width)

    @property
    def rows(self) -> tuple[tuple[float, float, float, float], ...]:
        """One row (r, g, b, 1) a channel: channel = r*R' + g*G' + b*B' + the last, with R'G'B' in 0..1."""
        gain, shift = {"0..1": (1.0, 0.0), "-1..1": (2.0, -1.0), "0..255": (255.0, 0.0)}[self.scale]
        unit = {"RGB": _UNIT, "BGR": _UNIT[::-1], "GRAY": (_LUMA,)}[self.colors]
        return tuple(
            (gain * r / std, gain * g / std, gain * b / std, (shift - mean) / std)
            for (r, g, b), mean, std in zip(unit, self.mean, self.std, strict=True)
        )

    def box(self, width: int, height: int) -> SourceBox:
        """Return the used part of a source of `width` x `height` pixels, and its place in the input.

        crop: the largest centered part of the input's aspect, times the fraction. stretched_crop: the centered
        fraction of both sides, stretched. letterbox: all, padded.
        """
        if self.resize == "crop":
            ratio = min(width / self.width, height / self.height) * self.crop
            w, h = self.width * ratio, self.height * ratio
            return SourceBox((width - w) / 2, (height - h) / 2, w, h, 0, 0, self.width, self.height)
        if self.resize in ("stretch", "stretched_crop"):
            share = self.crop if self.resize == "stretched_crop" else 1.0
            w, h = width * share, height * share
            return SourceBox((width - w) / 2, (height - h) / 2, w, h, 0, 0, self.width, self.height)
        ratio = min(self.width / width, self.height / height)
        w, h = max(1, round(width * ratio)), max(1, round(height * ratio))
        return SourceBox(0.0, 0.0, width, height, (self.width - w) // 2, (self.height - h) // 2, w, h)

    def describe(self) -> str:
        """Return one line, e.g. '224x224 RGB, -1..1, center crop 0.875, bilinear, NCHW float32'."""
        parts: list[str] = [f"{self.width}x{self.height} {self.colors}", self.scale]
        if any(self.mean):
            parts.append(sentence("mean {numbers}", numbers=numbers(self.mean)))
        if any(v != 1.0 for v in self.std):
            parts.append(sentence("std {numbers}", numbers=numbers(self.std)))
        parts += [self._placing(), self.interpolation, f"{self.layout} {self.dtype}"]
        return joined(", ", parts)

    def _placing(self) -> str:
        match self.resize:
            case "crop":
                return sentence("center crop {crop:g}", crop=self.crop)
            case "stretch":
                return sentence("stretched")
            case "stretched_crop":
                return sentence("stretched, center {crop:g} of both sides", crop=self.crop)
            case "letterbox":
                return sentence("letterboxed")

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as plain values, for a preset or a sidecar."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: list(value) if isinstance(value, tuple) else value for name, value in values.items()}

    def updated(self, values: Mapping[str, Any]) -> tuple[Preprocess, tuple[Finding, ...]]:
        """Return a copy with `values`, and findings for unknown ones; raise UsageError if one is bad."""
        known = {field.name for field in fields(self)}
        unknown = tuple(
            Finding(Kind.NOT_KNOWN, Evidence.STATED, figures={"name": name})
            for name in values
            if name not in known
        )
        given = {name: _typed(name, value) for name, value in values.items() if name in known}
        if "colors" in given and (given["colors"] == "GRAY") != (self.colors == "GRAY"):
            count = 1 if given["colors"] == "GRAY" else 3
            given = {"mean": (0.0,) * count, "std": (1.0,) * count, **given}
        return replace(self, **given), unknown

    def checked(self, facts: ModelFacts) -> Preprocess:
        """Return self; raise UsageError if shape or type differ from the network's input."""
        fits = len(facts.input_shape) == 4 and all(
            want in (0, have) for want, have in zip(facts.input_shape, self.shape, strict=True)
        )
        if not fits or facts.input_dtype != self.dtype:
            raise UsageError(
                sentence(
                    "The preprocessing makes {dtype}{shape}, but the network's input '{input}' takes "
                    "{input_dtype}{input_shape}.",
                    dtype=self.dtype,
                    shape=list(self.shape),
                    input=facts.input_name,
                    input_dtype=facts.input_dtype,
                    input_shape=[d or "any" for d in facts.input_shape],
                )
            )
        return self

    @staticmethod
    def infer(facts: ModelFacts, otherwise: Range | None = None) -> tuple[Preprocess, tuple[Finding, ...]]:
        """Infer the preprocessing of an image network, with the evidence and assumptions.

        Evidence in order of precedence: metadata; the graph's first operations; the range of a quantized
        input; the first layer's weights; conventions of the exporter; ImageNet's mean and deviation.
        `otherwise` is the range of a network that is no classifier (it gets no crop) if none is stated.

        Raises:
            ModelUnsupportedError: the input is not an image.
        """
        return _Inference(facts, otherwise).result()


_UNIT: Final = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
_CHOICES: Final[dict[str, tuple[str, ...]]] = {
    "layout": get_args(Layout),
    "colors": get_args(Colors),
    "scale": get_args(Scale),
    "resize": get_args(Resize),
    "interpolation": get_args(Interpolation),
    "dtype": get_args(Dtype),
}


def numbers(values: tuple[float, ...]) -> str:
    """Return a vector for sentences: '(0.5, 0.5, 0.5)'."""
    return "(" + ", ".join(f"{v:g}" for v in values) + ")"


def _typed(name: str, value: Any) -> Any:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if name in _CHOICES and isinstance(value, str):
        return value
    if name in ("width", "height") and isinstance(value, int) and number:
        return value
    if name in ("crop", "pad") and number:
        return float(value)
    if (
        name in ("mean", "std")
        and isinstance(value, list | tuple)
        and all(type(v) in (int, float) for v in value)
    ):
        with contextlib.suppress(OverflowError):  # an integer of hundreds of digits
            return tuple(float(v) for v in value)
    raise UsageError(
        sentence("Preprocessing '{name}' does not take {value}.", name=name, value=str(value)[:80])
    )


# -- inference -----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Range:
    """Scale, mean, deviation and, if known, channel order of the input's values; with their `Finding`."""

    kind: Kind
    evidence: Evidence
    scale: Scale
    mean: tuple[float, ...] = _NO_CHANGE[0]
    std: tuple[float, ...] = _NO_CHANGE[1]
    colors: Colors | None = None
    figures: Mapping[str, Any] = field(default_factory=dict)

    @property
    def finding(self) -> Finding:
        """The finding to report."""
        settles = {"scale", "mean", "std"} | ({"colors"} if self.colors is not None else set())
        return Finding(self.kind, self.evidence, frozenset(settles), self.figures)


class _Inference:
    def __init__(self, facts: ModelFacts, otherwise: Range | None = None) -> None:
        self._facts = facts
        self._otherwise = otherwise
        self._findings: list[Finding] = []

    def _add_finding(self, kind: Kind, evidence: Evidence, *settles: str, **figures: Any) -> None:
        self._findings.append(Finding(kind, evidence, frozenset(settles), figures))

    def result(self) -> tuple[Preprocess, tuple[Finding, ...]]:
        layout, channels, height, width = self._geometry()
        colors = self._declared_colors(channels)
        found = self._range()
        mean, std = found.mean, found.std
        if channels == 1:
            colors, mean, std = "GRAY", (sum(mean) / len(mean),), (sum(std) / len(std),)
        elif colors is None:
            colors = found.colors or "RGB"
            if found.colors is None:
                self._add_finding(Kind.COLORS_ASSUMED, Evidence.ASSUMED, "colors")
        elif colors == "BGR" and found.colors != "BGR":
            mean, std = mean[::-1], std[::-1]
        self._findings.append(found.finding)
        plan = Preprocess(
            width,
            height,
            layout,
            colors,
            found.scale,
            mean,
            std,
            *self._resize(width, height),
            dtype=self._dtype(),
        )
        return plan, tuple(self._findings)

    def _geometry(self) -> tuple[Layout, int, int, int]:
        shape = self._facts.input_shape
        if len(shape) != 4 or shape[0] not in (0, 1):
            raise self._not_a_picture()
        if shape[1] in (1, 3) and not (shape[3] in (1, 3) and shape[1] == 1 and shape[2] > 3):
            layout: Layout = "NCHW"
            channels, height, width = shape[1:]
        elif shape[3] in (1, 3):
            layout = "NHWC"
            height, width, channels = shape[1:]
        else:
            raise self._not_a_picture()
        self._report_settled_axis(1 if layout == "NCHW" else 3, channels, height)
        if not height or not width:
            size = height or width or 224
            if self._otherwise is None:
                self._add_finding(Kind.SIZE_ASSUMED, Evidence.ASSUMED, "width", "height", size=size)
            height, width = height or size, width or size
        return layout, channels, height, width

    def _report_settled_axis(self, axis: int, channels: int, size: int) -> None:
        settled = set(self._facts.settled_axes)
        if axis in settled:
            self._add_finding(Kind.CHANNELS_OF_WEIGHTS, Evidence.OBSERVED, channels=channels)
        if settled - {axis}:
            self._add_finding(Kind.SIZE_OF_POSITIONS, Evidence.OBSERVED, "width", "height", size=size)

    def _not_a_picture(self) -> ModelUnsupportedError:
        facts = self._facts
        shape = [size or "any" for size in facts.input_shape]
        reason = f"input '{facts.input_name}' is {facts.input_dtype}{shape}"
        return ModelUnsupportedError(
            sentence(
                "{name} does not take one image of 1 or 3 channels: {reason}; {advice}.",
                name=facts.file_name or sentence("The network"),
                reason=reason,
                advice=self._advice(),
            ),
            (reason,),
        )

    def _advice(self) -> str:
        shape = self._facts.input_shape
        if len(shape) == 4 and shape[0] > 1:
            return sentence("export it with a batch of 1, or with a free one")
        if len(shape) == 4 and self._facts.input_dtype == "float64":
            return sentence("export it with inputs of float32")
        if len(shape) == 4 and 0 in (shape[1], shape[3]):
            return sentence("export it with its number of channels stated")
        return sentence("choose another network")

    def _dtype(self) -> Dtype:
        if self._facts.input_dtype == "float32":
            return "float32"
        if self._facts.input_dtype == "float16":
            return "float16"
        if self._facts.input_dtype == "uint8":
            return "uint8"
        if self._facts.input_dtype == "int8":
            return "int8"
        if self._facts.input_dtype == "int32":
            return "int32"
        raise self._not_a_picture()

    def _resize(self, width: int, height: int) -> tuple[Resize, float]:
        if self._otherwise is not None:
            return "stretch", CROP_FRACTION
        if _is_ultralytics(self._facts.metadata):
            self._add_finding(Kind.CROP_OF_ULTRALYTICS, Evidence.CUSTOMARY, "crop", "resize")
            return "crop", 1.0
        # Networks for small images (digits, CIFAR) were trained without cropping.
        if min(width, height) <= 64:
            self._add_finding(Kind.CROP_OF_SMALL, Evidence.CUSTOMARY, "crop", "resize")
            return "crop", 1.0
        self._add_finding(Kind.CROP_ASSUMED, Evidence.ASSUMED, "crop", "resize", fraction=CROP_FRACTION)
        return "crop", CROP_FRACTION

    def _declared_colors(self, channels: int) -> Colors | None:
        text = _first(self._facts.metadata, _COLOR_KEYS).lower()
        if channels == 1 or not text:
            return None
        for colors in ("BGR", "RGB"):
            if text.startswith(colors.lower()):
                self._add_finding(Kind.COLORS_DECLARED, Evidence.DECLARED, "colors", colors=colors)
                return colors
        return None

    def _range(self) -> Range:
        said = (
            self._from_type,
            self._from_metadata,
            self._from_arithmetic,
            self._from_statistics,
            self._from_quantization,
        )
        customs = (self._from_family, self._from_weights)
        for evidence in (*said, *(customs if self._otherwise is None else ())):
            found = evidence()
            if found is not None:
                return found
        if self._otherwise is not None:
            return self._otherwise
        if self._facts.input_shape[1] == 1 or self._facts.input_shape[3] == 1:
            return Range(Kind.RANGE_ASSUMED_GRAY, Evidence.ASSUMED, "0..1")
        if self._small():
            half = (0.5, 0.5, 0.5)
            return Range(Kind.RANGE_ASSUMED_SMALL, Evidence.ASSUMED, "0..1", half, half)
        return Range(
            Kind.RANGE_ASSUMED_IMAGENET,
            Evidence.ASSUMED,
            "0..1",
            IMAGENET_MEAN,
            IMAGENET_STD,
        )

    def _small(self) -> bool:
        return all(0 < size <= 64 for size in self._facts.input_shape[1:])

    def _from_type(self) -> Range | None:
        if self._facts.input_dtype in BYTE_TYPES:
            return Range(Kind.RANGE_OF_BYTES, Evidence.DECLARED, "0..255")
        if self._facts.input_dtype == "int8":  # signed bytes: converters make them of an image's, 128 less
            return Range(Kind.RANGE_OF_BYTES, Evidence.DECLARED, "0..255", (128.0,) * 3, _NO_CHANGE[1])
        return None

    def _from_metadata(self) -> Range | None:
        metadata = self._facts.metadata
        mean, std = _vector(_first(metadata, _MEAN_KEYS)), _vector(_first(metadata, _STD_KEYS))
        if mean or std:
            raw = any(abs(v) > 2.0 for v in (*mean, *std))
            return Range(
                Kind.RANGE_OF_MEAN,
                Evidence.DECLARED,
                "0..255" if raw else "0..1",
                mean or (0.0,) * 3,
                std or (1.0,) * 3,
            )
        declared = _first(metadata, _RANGE_KEYS).lower().replace(" ", "")
        for marks, scale in _RANGES:
            if declared in marks:
                return Range(Kind.RANGE_DECLARED, Evidence.DECLARED, scale, figures={"scale": scale})
        if _is_ultralytics(metadata):  # its networks all expect R'G'B' in 0..1
            return Range(Kind.RANGE_OF_ULTRALYTICS, Evidence.DECLARED, "0..1", colors="RGB")
        return None

    def _from_arithmetic(self) -> Range | None:
        found = self._facts.arithmetic
        if found is None or not all(found.scale):
            return None
        # y = x*scale + offset is (x - mean) / deviation; the graph computes it, so the input is unchanged.
        mean = tuple(-o / s for o, s in zip(_three(found.offset), _three(found.scale), strict=True))
        deviation = tuple(1 / s for s in _three(found.scale))
        order: Colors | None = None
        if mean[0] != mean[2]:
            # Photographs are redder than they are blue: every published mean is ordered so.
            order = "RGB" if mean[0] > mean[2] else "BGR"
        if max(map(abs, mean)) > 3.0 or max(map(abs, deviation)) > 3.0:
            return Range(Kind.RANGE_SCALED_INSIDE, Evidence.OBSERVED, "0..255", colors=order)
        if max(map(abs, mean)) > 0.05 or max(map(abs, deviation)) < 0.9:
            return Range(Kind.RANGE_NORMALIZED_INSIDE, Evidence.OBSERVED, "0..1", colors=order)
        return None

    def _from_statistics(self) -> Range | None:
        found = self._facts.input_statistics
        if found is None:
            return None
        mean, variance = (sum(values) / len(values) for values in found)
        order: Colors | None = None
        if len(found[0]) == 3 and abs(found[0][0] - found[0][2]) > 0.02 * abs(mean):
            order = "RGB" if found[0][0] > found[0][2] else "BGR"
        seen, figures = Evidence.OBSERVED, {"mean": mean}
        if mean > 30.0:
            return Range(Kind.RANGE_OF_STATISTICS_255, seen, "0..255", colors=order, figures=figures)
        if mean > 0.2:
            return Range(Kind.RANGE_OF_STATISTICS_1, seen, "0..1", colors=order, figures=figures)
        if variance > 400.0:
            return _caffe(Kind.RANGE_OF_STATISTICS_CAFFE, seen)
        if variance < 0.6:
            return Range(Kind.RANGE_OF_STATISTICS_SIGNED, seen, "-1..1")
        return None

    def _from_quantization(self) -> Range | None:
        found = self._facts.quantized_range
        if found is None:
            return None
        low, high = found
        bounds = {"low": low, "high": high}
        for (least, greatest), scale, mean, std in _QUANTIZED:
            span = greatest - least
            if abs(low - least) < 0.06 * span and abs(high - greatest) < 0.06 * span:
                return _quantized(scale, bounds, mean, std)
        if high - low <= 100:
            return None
        if low < -80:
            return _caffe(Kind.RANGE_OF_QUANTIZATION_CAFFE, Evidence.OBSERVED, bounds)
        return _quantized("0..255", bounds)

    def _from_family(self) -> Range | None:
        facts, usual = self._facts, Evidence.CUSTOMARY
        if facts.classes == 1001:
            return Range(Kind.RANGE_OF_TENSORFLOW_CLASSES, usual, "-1..1", colors="RGB")
        producer = facts.producer.lower()
        caffe = "caffe" in producer or facts.input_name.rsplit("/", 1)[-1] == "data_0"
        if caffe and facts.bias_to_weight < 0.2:
            return _caffe(Kind.RANGE_OF_CAFFE, usual)
        if facts.input_shape[3] == 3 or "tf2onnx" in producer or "keras" in producer:
            if facts.bias_to_weight > 8.0:
                return None
            return Range(Kind.RANGE_OF_TENSORFLOW, usual, "-1..1", colors="RGB")
        return None

    def _from_weights(self) -> Range | None:
        # bias / |weight| is about the folded inputs' deviation: measured 0.1 to 2.5, 18 to 28 for raw ones
        if self._facts.bias_to_weight > 8.0:
            return Range(Kind.RANGE_OF_WEIGHTS, Evidence.OBSERVED, "0..255")
        return None


def _caffe(kind: Kind, evidence: Evidence, figures: Mapping[str, Any] | None = None) -> Range:
    return Range(kind, evidence, "0..255", CAFFE_MEAN_BGR, _NO_CHANGE[1], "BGR", figures or {})


def _quantized(
    scale: Scale,
    bounds: Mapping[str, float],
    mean: tuple[float, ...] = _NO_CHANGE[0],
    std: tuple[float, ...] = _NO_CHANGE[1],
) -> Range:
    if any(mean):
        return Range(Kind.RANGE_OF_QUANTIZATION_IMAGENET, Evidence.OBSERVED, scale, mean, std, figures=bounds)
    return Range(Kind.RANGE_OF_QUANTIZATION, Evidence.OBSERVED, scale, figures={**bounds, "scale": scale})


_COLOR_KEYS: Final = (
    "Image.BitmapPixelFormat",
    "color_order",
    "colour_order",
    "channel_order",
    "color_space",
)
_RANGE_KEYS: Final = ("Image.NominalPixelRange", "pixel_range", "input_range")
_MEAN_KEYS: Final = ("mean", "input_mean", "image_mean", "pixel_mean", "norm_mean")
_STD_KEYS: Final = ("std", "input_std", "image_std", "pixel_std", "norm_std", "stddev")
_RANGES: Final[tuple[tuple[tuple[str, ...], Scale], ...]] = (
    (("nominalrange_0_255", "0..255", "[0,255]", "0-255"), "0..255"),
    (("normalized_0_1", "0..1", "[0,1]", "0-1"), "0..1"),
    (("normalized_1_1", "-1..1", "[-1,1]"), "-1..1"),
)
_QUANTIZED: Final[tuple[tuple[tuple[float, float], Scale, tuple[float, ...], tuple[float, ...]], ...]] = (
    ((-1.0, 1.0), "-1..1", *_NO_CHANGE),
    ((0.0, 1.0), "0..1", *_NO_CHANGE),
    ((0.0, 255.0), "0..255", *_NO_CHANGE),
    ((-2.118, 2.640), "0..1", IMAGENET_MEAN, IMAGENET_STD),
)
"""Range of a quantized input (least, greatest) -> scale, mean, deviation."""


def _is_ultralytics(metadata: Mapping[str, str]) -> bool:
    return {"stride", "task", "imgsz"} <= metadata.keys()  # these are written together


def _first(metadata: Mapping[str, str], keys: tuple[str, ...]) -> str:
    return next((metadata[key].strip() for key in keys if metadata.get(key)), "")


# Commas, or spaces as NumPy prints arrays, of any shape.
_BETWEEN_NUMBERS: Final = re.compile(r"[\[\](){},;\s]+")


def _vector(text: str) -> tuple[float, ...]:
    try:
        values = tuple(float(part) for part in _BETWEEN_NUMBERS.split(text) if part)
    except ValueError:
        return ()
    if not all(math.isfinite(v) for v in values):
        return ()
    return values if len(values) == 3 else values * 3 if len(values) == 1 else ()


def _three(values: tuple[float, ...]) -> tuple[float, ...]:
    return values if len(values) == 3 else (values[0],) * 3


# -- the sidecar ---------------------------------------------------------------------------------------------


def read_sidecar(path: Path) -> dict[str, Any]:
    """Return a sidecar's `[preprocess]` table; raise ModelInvalidError if unreadable or not TOML."""
    table = read_settings(path).get("preprocess", {})
    if not isinstance(table, dict):
        raise ModelInvalidError(
            sentence(
                "The settings {name} have no table [preprocess]; correct them in a text editor.",
                name=path.name,
            )
        )
    return table


_RANGE: Final = ("scale", "mean", "std", "colors")
_PLACING: Final = ("resize", "crop", "pad", "interpolation")
FAMILY_FIELDS: Final = frozenset((*_RANGE, *_PLACING, "width", "height"))
"""Fields that may be usual for a family; layout and type belong to the network."""


def _infer_in_family(
    facts: ModelFacts, name: str, usual: Mapping[str, Any]
) -> tuple[Preprocess, tuple[Finding, ...]]:
    values = {key: usual[key] for key in _RANGE if key in usual}
    kind, figures = Kind.RANGE_OF_FAMILY, {"name": name, "colors": values["colors"], "scale": values["scale"]}
    if any(values["mean"]):
        kind = Kind.RANGE_OF_FAMILY_WITH_MEAN
        figures |= {"mean": numbers(values["mean"]), "std": numbers(values["std"])}
    plan, findings = Preprocess.infer(facts, Range(kind, Evidence.CUSTOMARY, **values, figures=figures))
    given = {key: usual[key] for key in _PLACING if key in usual}
    if 0 in facts.input_shape[1:] and "width" in usual:
        declared = _declared_size(facts.metadata)
        plan = _sized(plan, facts, *(declared or (usual["width"], usual["height"])))
        size = {"width": plan.width, "height": plan.height}
        kind, evidence = Kind.SIZE_OF_FAMILY, Evidence.CUSTOMARY
        if declared is not None:
            kind, evidence = Kind.SIZE_DECLARED, Evidence.DECLARED
        free = Finding(kind, evidence, frozenset(size), size)
        findings = (*findings, free)
    return replace(plan, **given), findings


def _declared_size(metadata: Mapping[str, str]) -> tuple[int, int] | None:
    """Return (width, height) from Ultralytics' 'imgsz', which is (height, width); None if invalid."""
    numbers = re.findall(r"\d{1,6}", metadata.get("imgsz", "")[:100])
    height, width = (int(n) for n in (numbers * 2)[:2]) if numbers else (0, 0)
    fits = len(numbers) <= 2 and all(32 <= side <= 4096 and side % 32 == 0 for side in (width, height))
    return (width, height) if fits else None


def _sized(plan: Preprocess, facts: ModelFacts, width: int, height: int) -> Preprocess:
    rows, columns = facts.input_shape[2:] if plan.layout == "NCHW" else facts.input_shape[1:3]
    return replace(plan, width=columns or width, height=rows or height)


def _stated_by(served: Served | None) -> dict[str, Any]:
    table = served.settings.get("preprocess") if served is not None else None
    return table if isinstance(table, dict) else {}


def _of_processor(model: Path, facts: ModelFacts, plan: Preprocess, served: Served | None) -> dict[str, Any]:
    """Return values from transformers' file that the network leaves open; not a family's placement."""
    if plan.channels != 3 or not plan.dtype.startswith("float"):
        return {}
    given = processor_values(model, facts.input_name) if served is None else served.processor
    left_out = set[str]() if 0 in facts.input_shape[1:] else {"width", "height"}
    if plan.resize != "crop":
        left_out |= {"resize", "crop"}
    return {name: value for name, value in given.items() if name not in left_out}


def choose_preprocess(
    model: Path,
    facts: ModelFacts,
    preset: Mapping[str, Any] | None = None,
    family: tuple[str, Mapping[str, Any]] | None = None,
    *,
    served: Served | None = None,
) -> tuple[Preprocess, tuple[Finding, ...]]:
    """Return a model's preprocessing and its origins.

    It is inferred, then overridden by transformers' file, the server, the sidecar, and a preset. `family` has
    a name and defaults: colors and range, which the file overrides; placement; a size for a free input.
    Raises ModelInvalidError (the sidecar), ModelUnsupportedError (no image) or UsageError (a value).
    """
    plan, findings = Preprocess.infer(facts) if family is None else _infer_in_family(facts, *family)
    path = settings_path(model)
    for origin, values in (
        (NAME, _of_processor(model, facts, plan, served)),
        (sentence("the server"), _stated_by(served)),
        (path.name, read_sidecar(path) if path.is_file() else {}),
        (sentence("the look"), preset or {}),
    ):
        if values:
            plan, unknown = plan.updated(values)
            said = {"origin": origin, "names": ", ".join(values)}
            stated = Finding(Kind.SET, Evidence.STATED, frozenset(values), said)
            findings = (*unsettled(findings, values), stated, *unknown)
    return plan.checked(facts), findings
