"""A mask or classes of pixels. The filter Background uses one class, people by default; Segmentation all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from desktop.base.errors import ModelUnsupportedError
from desktop.base.wording import Text, counted, sentence
from desktop.compute.nn.session import TensorInfo
from desktop.vision.models.facts import ModelFacts
from desktop.vision.models.findings import Evidence, Finding, Kind, Match
from desktop.vision.models.labels import is_background
from desktop.vision.models.model_file import ModelFile
from desktop.vision.models.preprocess import Range, Scale, numbers
from desktop.vision.tasks.common.bounds import Bounds
from desktop.vision.tasks.common.dense import (
    DensePlan,
    OutputLayout,
    Run,
    StageTask,
    enlargement_of,
    stated_names,
)
from desktop.vision.tasks.common.maps import output_channels, words_of
from desktop.vision.tasks.common.mask_families import MaskFamily, mask_family
from desktop.vision.tasks.common.trial import extremes, input_array

_WORDS: Final = ("mask", "seg", "alpha", "matte", "pha", "logits")
_MATTES: Final = frozenset({"pha", "alpha", "matte"})
_PERSON: Final = {1: 0, 2: 1, 19: 11, 21: 15, 150: 12}
"""Class of persons by the number of classes: background and person; Pascal VOC; Cityscapes; ADE20K."""
_PEOPLE: Final = ("person", "people", "human", "pedestrian", "portrait", "foreground")


def _fitting(names: Sequence[str], channels: int) -> Sequence[str]:
    """Return class names if they are as many as the channels, or one fewer; 0 channels are unknown."""
    return names if channels == 0 or len(names) in (channels, channels - 1) else ()


def _by_class(names: Sequence[str], channels: int) -> Sequence[str]:
    """Return the names of all classes if they fit the channels, () otherwise."""
    names = _fitting(names, channels)
    return ("background", *names) if channels and len(names) == channels - 1 else names


def person_class(names: Sequence[str], channels: int = 0) -> int | None:
    """Return the class of persons if names, perhaps without the background, fit the channels, or None."""
    names = _fitting(names, channels)
    lower = [name.strip().lower() for name in names]
    at = next((lower.index(word) for word in _PEOPLE if word in lower), None)
    return None if at is None else at + (channels == len(lower) + 1)


_ACTIVATION: Final = frozenset({"activation"})
_SLACK: Final = 1e-3
_NEAR: Final = 0.1


class MaskTask(StageTask):
    """One channel that ends in a sigmoid or is named as a mask; or several: classes of pixels."""

    id = "mask"
    title = sentence("Segmentation")
    summary = sentence("Segmentation: a mask or classes of pixels")
    icon = "task_mask"
    order = 60
    usual_stage = "background"
    beside = "pixel_classes"
    outputs = ("mask", "classes")

    def recognize(self, facts: ModelFacts) -> Match | None:
        if matte_of(facts) is not None:
            return Match(Evidence.DECLARED, sentence("a matte, and the colors of the foreground beside it"))
        channels = output_channels(facts)
        named = facts.last_operator == "Sigmoid" or any(word in words_of(facts) for word in _WORDS)
        named = named or (channels == 1 and mask_family(facts, by_name=False) is not None)
        if channels == 0 or (channels == 1 and not named) or _has_sizes(facts, channels):
            return None
        if channels == 1:
            return Match(
                Evidence.OBSERVED, sentence("one map over the image, with the name or the values of a mask")
            )
        reason = sentence("{count} maps over the image, one a class", count=channels)
        if facts.last_operator in ("Softmax", "ArgMax"):
            return Match(Evidence.OBSERVED, reason)
        # Three are mostly the colors of an image.
        return Match(Evidence.ASSUMED if channels == 3 else Evidence.CUSTOMARY, reason)

    def stage(self, file: ModelFile) -> str:
        """See `Task`: Background for persons, by class names or their number; Segmentation for others.

        Class numbers as the output are assumed to have people (Pascal VOC, as DeepLab).
        """
        if self.is_stated(file) or file.statement.channel is not None or matte_of(file.facts) is not None:
            return self.usual_stage
        channels = output_channels(file.facts)
        names = _fitting(stated_names(file), channels)
        if len(names) > 2:
            return self.usual_stage if person_class(names, channels) is not None else "segmentation"
        return self.usual_stage if channels == 0 or channels in _PERSON else "segmentation"

    def chosen_output(self, facts: ModelFacts) -> str:
        """See `StageTask`: the matte, not the colors."""
        matte = matte_of(facts)
        return matte.name if matte is not None else ""

    def usual_range(self, facts: ModelFacts, bounds: Bounds | None) -> Range:
        """See `StageTask`: the family's; 0..1 for 1 or 2 channels; -1..1 from TensorFlow; ImageNet's."""
        if matte_of(facts) is not None:
            return _assumed("0..1")
        family = mask_family(facts)
        if family is not None:
            return _usual(family)
        first = -1 if facts.input_shape[-1:] == (3,) else 1
        channels = facts.outputs[0].shape[first:][:1] if facts.outputs else ()
        if channels and channels[0] > 2 and "tf" in facts.producer:
            return _assumed("-1..1")
        if channels in ((), (1,), (2,)):
            return _assumed("0..1")
        return super().usual_range(facts, bounds)

    def layout(self, plan: DensePlan, info: TensorInfo, layout: OutputLayout, name: str) -> OutputLayout:
        """See `StageTask`: how values become probabilities, and which channel counts."""
        whole = not info.dtype.startswith("float")
        activation = plan.statement.activation
        if not activation:
            bounded = plan.bounds is not None and plan.bounds[0] >= 0.0 and plan.bounds[1] <= 1.0
            activation = (
                "argmax" if whole else "none" if bounded else "sigmoid" if layout.channels == 1 else "softmax"
            )
        channel = plan.request.channel if plan.request.channel is not None else plan.statement.channel
        if channel is None:
            channel = self._usual_channel(plan, 0 if activation == "argmax" else layout.channels)
        if activation != "argmax" and channel >= layout.channels:
            raise ModelUnsupportedError(
                sentence(
                    "{name} gives {channels} channels, so that there is no channel {channel}; choose one "
                    "from 0 to "
                    "{last}, or -1 for the network's own.",
                    name=name,
                    channels=layout.channels,
                    channel=channel,
                    last=layout.channels - 1,
                )
            )
        larger = None if activation == "argmax" else enlargement_of(info.shape, plan.input)
        return replace(layout, activation=activation, channel=channel, enlargement=larger)

    @staticmethod
    def _usual_channel(plan: DensePlan, channels: int) -> int:
        """Return the class of persons by the classes' names or number; 0 channels hold class numbers."""
        named = person_class(plan.names, channels)
        if named is not None:
            return named
        # Of another data set, as the names show, the first class that is something.
        if names := _by_class(plan.names, channels):
            return next((at for at, name in enumerate(names) if not is_background(name)), 0)
        return 15 if channels == 0 else _PERSON.get(channels, 0)

    def reading_notes(self, plan: DensePlan, layout: OutputLayout) -> tuple[Text, ...]:
        """See `StageTask`: which class is the mask, if none of several was chosen."""
        asked = plan.request.channel is not None or plan.statement.channel is not None
        is_numbers = layout.activation == "argmax"
        if asked or (layout.channels <= 2 and not is_numbers):
            return ()
        channels = 0 if is_numbers else layout.channels
        if person_class(plan.names, channels) is not None:
            return (
                sentence(
                    "The mask is of class {channel}, which the network's labels call a person.",
                    channel=layout.channel,
                ),
            )
        names = _by_class(plan.names, channels)
        if layout.channel < len(names):
            return (
                sentence(
                    "The mask is of class {channel} ({name}), because none of the network's labels is a person; "
                    "choose another Class.",
                    channel=layout.channel,
                    name=names[layout.channel],
                ),
            )
        if channels in _PERSON or is_numbers:
            return (
                sentence(
                    "The mask is of class {channel}, assumed to be the person because nothing names the "
                    "{count}; where all is taken for "
                    "background, choose another Class.",
                    channel=layout.channel,
                    count=counted(channels, "class", "classes") if channels else sentence("classes"),
                ),
            )
        return (
            sentence(
                "The mask is of class {channel}, because nothing says which of the {channels} classes is a "
                "person; choose another Class.",
                channel=layout.channel,
                channels=channels,
            ),
        )

    def settle(
        self, plan: DensePlan, layout: OutputLayout, run: Run, name: str
    ) -> tuple[DensePlan, OutputLayout]:
        """See `StageTask`: if the graph does not show the values' kind, a trial run decides."""
        findings = [*plan.findings]
        if not plan.statement.activation and layout.activation != "argmax":
            finding, activation = _activation(plan, layout, run, name)
            findings.append(finding)
            layout = replace(layout, activation=activation)
        if plan.request.output == "mask" and layout.activation == "none":
            # Probabilities are interpolated when the texture is read, which is the same.
            layout = replace(layout, enlargement=None)
        return replace(plan, findings=tuple(findings)), layout


def _has_sizes(facts: ModelFacts, channels: int) -> bool:
    """Return True if there are also maps of two numbers: box sizes and offsets, as in CenterNet."""
    first, *others = (output.shape for output in facts.outputs)
    return channels > 1 and any(
        len(shape) == 4 and shape[1] == 2 and shape[2:] == first[2:] for shape in others
    )


TASK: Final = MaskTask()


def matte_of(facts: ModelFacts) -> TensorInfo | None:
    """Return the foreground's alpha output, if another output has the foreground's colors."""
    maps = [info for info in facts.outputs if len(info.shape) == 4]
    colors = [info for info in maps if 3 in (info.shape[1], info.shape[3])]
    mattes = [info for info in maps if 1 in (info.shape[1], info.shape[3]) and info.name.lower() in _MATTES]
    return mattes[0] if colors and len(mattes) == 1 else None


def _assumed(scale: Scale) -> Range:
    return Range(Kind.RANGE_UNSAID_SCALE, Evidence.ASSUMED, scale, figures={"scale": scale})


def _usual(family: MaskFamily) -> Range:
    figures = {"name": family.title, "colors": "RGB", "scale": "0..1"}
    figures |= {"mean": numbers(family.mean), "std": numbers(family.std)}
    return Range(
        *(Kind.RANGE_OF_FAMILY_WITH_MEAN, Evidence.CUSTOMARY, "0..1", family.mean, family.std, "RGB", figures)
    )


def _activation(plan: DensePlan, layout: OutputLayout, run: Run, name: str) -> tuple[Finding, str]:
    """Return the mask's activation, with the finding about it."""
    if layout.activation == "none":
        return Finding(Kind.MASK_OF_GRAPH, Evidence.OBSERVED, _ACTIVATION), "none"
    if layout.activation == "softmax":
        return Finding(Kind.MASK_SOFTMAX, Evidence.OBSERVED, _ACTIVATION), "softmax"
    family = mask_family(plan.facts)
    if family is not None and family.has_logits:
        figures = {"name": family.title}
        return Finding(Kind.MASK_OF_FAMILY, Evidence.CUSTOMARY, _ACTIVATION, figures), "sigmoid"
    low, high = extremes(layout.values(run(input_array(plan.input))), name)
    seen = {"low": low, "high": high}
    # Small logits also lie in 0..1; probabilities of a whole image come near to 0 or 1.
    if low >= -_SLACK and high <= 1.0 + _SLACK and (low < _NEAR or high > 1.0 - _NEAR):
        return Finding(Kind.MASK_PROBABILITIES, Evidence.OBSERVED, _ACTIVATION, seen), "none"
    return Finding(Kind.MASK_LOGITS, Evidence.OBSERVED, _ACTIVATION, seen), "sigmoid"
