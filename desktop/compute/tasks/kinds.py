"""What a network is for, inferred from its inputs and outputs."""

from __future__ import annotations

from typing import Final, Literal

from desktop.compute.models.facts import ModelFacts
from desktop.compute.tasks.detection.decoder import input_size
from desktop.compute.tasks.detection.decoders import find_decoder

Task = Literal["classification", "detection", "image", "mask", "depth", "unknown"]

_ULTRALYTICS: Final[dict[str, Task]] = {"classify": "classification"}
_DEPTH_WORDS: Final = ("depth", "disp")
_MASK_WORDS: Final = ("mask", "seg", "alpha", "matte", "logits")


def task_of(facts: ModelFacts) -> Task:
    """Return what a network is for.

    classification: one score a class. detection: outputs that one of the decoders knows (detection/decoders.py). The others have a map as
    first output, of the input's size or a fraction or multiple of it: image (three channels, or one where the input has one), mask (one
    channel that ends in a sigmoid, or two and more: classes of pixels), depth (one channel of any range). 'unknown' is all else: a
    network without a picture as its input, with several inputs, or with outputs of other shapes.
    """
    declared = _ULTRALYTICS.get(facts.metadata.get("task", ""))
    if declared is not None:
        return declared
    if facts.inputs != 1 or not _input_channels(facts):
        return "unknown"
    if find_decoder(facts) is not None:
        return "detection"
    channels = output_channels(facts)
    if channels:
        return _dense(facts, channels)
    if facts.classes > 1 and (len(facts.outputs) <= 1 or facts.softmax):
        return "classification"
    return "unknown"


def _input_channels(facts: ModelFacts) -> int:
    """1 or 3 for a picture, 0 for anything else."""
    shape = facts.input_shape
    if len(shape) != 4 or shape[0] not in (0, 1):
        return 0
    return next((shape[axis] for axis in (1, 3) if shape[axis] in (1, 3)), 0)


def output_channels(facts: ModelFacts) -> int:
    """Return the channels of the first output where it is a map ([1, C, H, W], [1, H, W, C], [H, W, C], [1, H, W]), else 0.

    A map has the input's aspect ratio, to a tenth; free sides are believed. [1, classes, 1, 1] is no map.
    """
    shape = facts.outputs[0].shape if facts.outputs else ()
    inner = shape[1:] if len(shape) > 1 and shape[0] in (0, 1) else shape
    if len(inner) == 2:
        return 1 if _is_map(inner, facts) else 0
    if len(inner) != 3:
        return 0
    # Channels are the smallest dimension that is known; the two sides may be free.
    first, last = inner[0], inner[2]
    channels_first = bool(first) and (not last or first <= last)
    channels, sides = (first, inner[1:]) if channels_first else (last, inner[:2])
    return channels if _is_map(sides, facts) else 0


def _is_map(sides: tuple[int, ...], facts: ModelFacts) -> bool:
    width, height = input_size(facts)
    if 1 in sides:
        return False
    if 0 in (*sides, width, height):
        return True
    return 0.9 <= (sides[0] * width) / (sides[1] * height) <= 1.1


def _dense(facts: ModelFacts, channels: int) -> Task:
    words = f"{facts.outputs[0].name} {facts.metadata.get('task', '')}".lower()
    if any(word in words for word in _DEPTH_WORDS):
        return "depth"
    if channels == 3 and facts.last_operator not in ("Softmax", "ArgMax"):
        return "image"
    if channels == 1 and _input_channels(facts) == 1:
        return "image"
    if channels > 1 or facts.last_operator == "Sigmoid" or any(word in words for word in _MASK_WORDS):
        return "mask"
    return "depth"
