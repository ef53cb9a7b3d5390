"""Findings about a network's preprocessing and outputs; their sentences are only made here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Any, Final

from desktop.base.wording import Text, sentence


class Evidence(Enum):
    """Strength of the evidence for a finding, the strongest first."""

    STATED = auto()
    """The user, a sidecar, a preset or the table of a built-in network states it."""
    DECLARED = auto()
    """The file declares it: its metadata, or the types and shapes of its inputs and outputs."""
    OBSERVED = auto()
    """Observed in the graph's operations and constants, or in the network's results."""
    CUSTOMARY = auto()
    """Usual for networks of this family or exporter."""
    ASSUMED = auto()
    """Assumed without evidence."""


@dataclass(frozen=True)
class Match:
    """Evidence that a network is of a family or for a task; the user chooses between equal ones."""

    evidence: Evidence
    reason: Text


class Kind(Enum):
    """Kinds of findings. Each has its sentence in `_SENTENCES`; the comment names its figures."""

    # the order of the channels
    COLORS_DECLARED = auto()  # colors
    COLORS_ASSUMED = auto()
    # the size of the input
    CHANNELS_OF_WEIGHTS = auto()  # channels
    SIZE_OF_POSITIONS = auto()  # size
    SIZE_ASSUMED = auto()  # size
    SIZE_OF_FAMILY = auto()  # width, height
    SIZE_DECLARED = auto()  # width, height
    SIZE_FIXED = auto()
    SIZE_STATED = auto()
    # the position of the image in it
    CROP_ASSUMED = auto()  # fraction
    CROP_OF_SMALL = auto()
    CROP_OF_ULTRALYTICS = auto()
    # the range of its values
    RANGE_OF_BYTES = auto()
    RANGE_OF_MEAN = auto()
    RANGE_DECLARED = auto()  # scale
    RANGE_OF_ULTRALYTICS = auto()
    RANGE_SCALED_INSIDE = auto()
    RANGE_NORMALIZED_INSIDE = auto()
    RANGE_OF_STATISTICS_255 = auto()  # mean
    RANGE_OF_STATISTICS_1 = auto()  # mean
    RANGE_OF_STATISTICS_SIGNED = auto()
    RANGE_OF_STATISTICS_CAFFE = auto()
    RANGE_OF_QUANTIZATION = auto()  # low, high, scale
    RANGE_OF_QUANTIZATION_IMAGENET = auto()  # low, high
    RANGE_OF_QUANTIZATION_CAFFE = auto()  # low, high
    RANGE_OF_CAFFE = auto()
    RANGE_OF_TENSORFLOW_CLASSES = auto()
    RANGE_OF_TENSORFLOW = auto()
    RANGE_OF_WEIGHTS = auto()
    RANGE_OF_FAMILY = auto()  # name, colors, scale
    RANGE_OF_FAMILY_WITH_MEAN = auto()  # name, colors, scale, mean, std
    RANGE_ASSUMED_GRAY = auto()
    RANGE_ASSUMED_SMALL = auto()
    RANGE_ASSUMED_IMAGENET = auto()
    # of networks whose output is an image, a mask or a map
    RANGE_UNSAID = auto()
    RANGE_UNSAID_IMAGENET = auto()
    RANGE_UNSAID_SCALE = auto()  # scale
    RANGE_OF_OUTPUT = auto()  # scale
    RANGE_OF_TRIAL = auto()  # scale
    OUTPUT_OF_GRAPH = auto()  # scale
    OUTPUT_OF_TRIAL = auto()  # scale
    # inputs besides the image
    STATES = auto()  # names
    INPUT_CUSTOMARY = auto()  # name, value
    # of a mask
    MASK_OF_GRAPH = auto()
    MASK_OF_FAMILY = auto()  # name
    MASK_SOFTMAX = auto()
    MASK_LOGITS = auto()  # low, high
    MASK_PROBABILITIES = auto()  # low, high
    # of a depth map
    DEPTH_OF_CONFIG = auto()
    DEPTH_ASSUMED = auto()  # name
    # what was stated
    SET = auto()  # origin, names
    NOT_KNOWN = auto()  # name
    KEY_UNKNOWN = auto()  # name, file, near
    KEY_UNUSED = auto()  # name, file, task


@dataclass(frozen=True)
class Finding:
    """A finding; `fields` are those of `Preprocess` that it determines, or 'output scale' of an image."""

    kind: Kind
    evidence: Evidence
    fields: frozenset[str] = frozenset()
    figures: Mapping[str, Any] = field(default_factory=dict, hash=False)

    def assumes(self, *names: str) -> bool:
        """Return True if it is only an assumption about one of these fields."""
        return self.evidence is Evidence.ASSUMED and not self.fields.isdisjoint(names)


def unsettled(findings: Iterable[Finding], settled: Iterable[str]) -> tuple[Finding, ...]:
    """Return the findings without assumptions about fields that are now determined."""
    names = tuple(settled)
    return tuple(finding for finding in findings if not finding.assumes(*names))


def sentence_of(finding: Finding) -> Text:
    """Return the sentence of a finding for the user."""
    return _SENTENCES[finding.kind](**finding.figures)


def _quantized(low: float, high: float) -> Text:
    return sentence("The quantized input holds {low:.4g} to {high:.4g}", low=low, high=high)


def _as_caffe(seen: Text) -> Text:
    return sentence(
        "{seen}, so BGR in 0..255 less (104, 117, 123), as Caffe's reference networks.", seen=seen
    )


def _unsaid() -> Text:
    return sentence("Nothing in the file says the input's range")


_SENTENCES: Final[Mapping[Kind, Callable[..., Text]]] = {
    Kind.COLORS_DECLARED: lambda colors: (
        sentence("The metadata says BGR.") if colors == "BGR" else sentence("The metadata says RGB.")
    ),
    Kind.COLORS_ASSUMED: lambda: sentence("Nothing says the color order; RGB is assumed."),
    Kind.CHANNELS_OF_WEIGHTS: lambda channels: sentence(
        "The file leaves the channels free; the first layer takes {channels}.", channels=channels
    ),
    Kind.SIZE_OF_POSITIONS: lambda size: sentence(
        "The file leaves the input's size free; its position embeddings are those of {size}x{size}.",
        size=size,
    ),
    Kind.SIZE_ASSUMED: lambda size: sentence(
        "The input's size is free; {size}x{size} is assumed.", size=size
    ),
    Kind.SIZE_OF_FAMILY: lambda width, height: sentence(
        "The input's size is free; {width}x{height} is assumed.", width=width, height=height
    ),
    Kind.SIZE_DECLARED: lambda width, height: sentence(
        "The input's size is free; the metadata say {width}x{height}.", width=width, height=height
    ),
    Kind.SIZE_FIXED: lambda: sentence(
        "The network takes one size only, so that the working size changes nothing."
    ),
    Kind.SIZE_STATED: lambda: sentence(
        "A file beside the network states the size of its input, so the working size has no effect."
    ),
    Kind.CROP_ASSUMED: lambda fraction: sentence(
        "No model states its crop; the customary center crop of {crop_fraction} is assumed.",
        crop_fraction=fraction,
    ),
    Kind.CROP_OF_SMALL: lambda: sentence(
        "The input is small, so the whole center square is used instead of 0.875 of it."
    ),
    Kind.CROP_OF_ULTRALYTICS: lambda: sentence("Ultralytics' classifiers see the whole center square."),
    Kind.RANGE_OF_BYTES: lambda: sentence("The input takes bytes, so 0..255."),
    Kind.RANGE_OF_MEAN: lambda: sentence("Mean and deviation are from the metadata."),
    Kind.RANGE_DECLARED: lambda scale: sentence("The metadata says the range is {scale}.", scale=scale),
    Kind.RANGE_OF_ULTRALYTICS: lambda: sentence("The metadata is Ultralytics', so RGB in 0..1."),
    Kind.RANGE_SCALED_INSIDE: lambda: sentence("The graph itself scales raw values, so 0..255."),
    Kind.RANGE_NORMALIZED_INSIDE: lambda: sentence("The graph itself normalizes values of 0..1."),
    Kind.RANGE_OF_STATISTICS_255: lambda mean: sentence(
        "The first layer normalizes inputs of mean {mean:.0f}, so 0..255.", mean=mean
    ),
    Kind.RANGE_OF_STATISTICS_1: lambda mean: sentence(
        "The first layer normalizes inputs of mean {mean:.2g}, so 0..1.", mean=mean
    ),
    Kind.RANGE_OF_STATISTICS_SIGNED: lambda: sentence(
        "The first layer normalizes inputs of mean 0 and a deviation below 0.8, so -1..1."
    ),
    Kind.RANGE_OF_STATISTICS_CAFFE: lambda: _as_caffe(
        sentence("The first layer normalizes inputs of mean 0 and a deviation of some tens")
    ),
    Kind.RANGE_OF_QUANTIZATION: lambda low, high, scale: sentence(
        "{seen}, so {scale}.", seen=_quantized(low, high), scale=scale
    ),
    Kind.RANGE_OF_QUANTIZATION_IMAGENET: lambda low, high: sentence(
        "{seen}, ImageNet's mean and deviation.", seen=_quantized(low, high)
    ),
    Kind.RANGE_OF_QUANTIZATION_CAFFE: lambda low, high: _as_caffe(_quantized(low, high)),
    Kind.RANGE_OF_CAFFE: lambda: _as_caffe(sentence("The file comes from Caffe")),
    Kind.RANGE_OF_TENSORFLOW_CLASSES: lambda: sentence(
        "1001 outputs are TensorFlow's ImageNet with background first, so RGB in -1..1."
    ),
    Kind.RANGE_OF_TENSORFLOW: lambda: sentence("The file comes from TensorFlow, so RGB in -1..1."),
    Kind.RANGE_OF_WEIGHTS: lambda: sentence("The first layer's weights are sized for raw values, so 0..255."),
    Kind.RANGE_OF_FAMILY: lambda name, colors, scale: sentence(
        "{name} takes {colors} in {scale}.", name=name, colors=colors, scale=scale
    ),
    Kind.RANGE_OF_FAMILY_WITH_MEAN: lambda name, colors, scale, mean, std: sentence(
        "{name} takes {colors} in {scale} with mean {mean} and deviation {std}.",
        name=name,
        colors=colors,
        scale=scale,
        mean=mean,
        std=std,
    ),
    Kind.RANGE_ASSUMED_GRAY: lambda: sentence("Nothing says the range of the gray values; 0..1 is assumed."),
    Kind.RANGE_ASSUMED_SMALL: lambda: sentence(
        "The file does not state the range; mean 0.5 and deviation 0.5 (small images) are assumed."
    ),
    Kind.RANGE_ASSUMED_IMAGENET: lambda: sentence(
        "Nothing says the range; ImageNet's mean and deviation are assumed."
    ),
    Kind.RANGE_UNSAID: lambda: sentence("Nothing in the file says the input's range."),
    Kind.RANGE_UNSAID_IMAGENET: lambda: sentence(
        "{unsaid}; ImageNet's mean and deviation are assumed.", unsaid=_unsaid()
    ),
    Kind.RANGE_UNSAID_SCALE: lambda scale: sentence(
        "{unsaid}; {scale} is assumed.", unsaid=_unsaid(), scale=scale
    ),
    Kind.RANGE_OF_OUTPUT: lambda scale: sentence(
        "{unsaid}; the output's is taken, {scale}.", unsaid=_unsaid(), scale=scale
    ),
    Kind.RANGE_OF_TRIAL: lambda scale: sentence(
        "{unsaid}; images come out best with {scale}.", unsaid=_unsaid(), scale=scale
    ),
    Kind.OUTPUT_OF_GRAPH: lambda scale: sentence("The graph ends in values of {said}.", said=scale),
    Kind.OUTPUT_OF_TRIAL: lambda scale: sentence("A trial image gives values in {said}.", said=scale),
    Kind.STATES: lambda names: sentence(
        "It keeps states from frame to frame ({names}); they are zeros at first, and again after a cut or "
        "a seek.",
        names=names,
    ),
    Kind.INPUT_CUSTOMARY: lambda name, value: sentence(
        "The input '{name}' is given {value:.4g}, as is usual for images of this size.",
        name=name,
        value=value,
    ),
    Kind.MASK_OF_GRAPH: lambda: sentence("The graph ends in probabilities, which are the mask."),
    Kind.MASK_OF_FAMILY: lambda name: sentence(
        "{name} ends in logits; a sigmoid makes the mask of them.", name=name
    ),
    Kind.DEPTH_OF_CONFIG: lambda: sentence(
        "config.json says that the values are distances: small ones are near."
    ),
    Kind.DEPTH_ASSUMED: lambda name: sentence(
        "Large values are taken for near; if near and far are exchanged, choose Invert, or write "
        'near = "low" under [output] into {name}.',
        name=name,
    ),
    Kind.MASK_SOFTMAX: lambda: sentence("The graph ends in scores; softmax makes probabilities of them."),
    Kind.MASK_LOGITS: lambda low, high: sentence(
        "A trial image gives {low:.3g} to {high:.3g}, so logits; a sigmoid makes the mask of them.",
        low=low,
        high=high,
    ),
    Kind.MASK_PROBABILITIES: lambda low, high: sentence(
        "A trial image gives {low:.3g} to {high:.3g}, so probabilities, which are the mask.",
        low=low,
        high=high,
    ),
    Kind.SET: lambda origin, names: sentence("Set by {origin}: {names}.", origin=origin, names=names),
    Kind.KEY_UNKNOWN: lambda name, file, near: (
        sentence(
            "The key '{name}' in {file} is unknown and was left out; did you mean '{near}'?",
            name=name,
            file=file,
            near=near,
        )
        if near
        else sentence("The key '{name}' in {file} is unknown and was left out.", name=name, file=file)
    ),
    Kind.KEY_UNUSED: lambda name, file, task: sentence(
        "The key '{name}' in {file} is not for {task} and was left out.", name=name, file=file, task=task
    ),
    Kind.NOT_KNOWN: lambda name: sentence(
        "The preprocessing field '{name}' is unknown and was left out.", name=name
    ),
}
