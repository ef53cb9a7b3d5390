"""Outputs that cover the image: their properties from a file's shapes, and their values at another size."""

from __future__ import annotations

import numpy as np

from desktop.vision.models.facts import ModelFacts
from desktop.vision.tasks.task import Size


def input_size(facts: ModelFacts) -> Size:
    """Return (width, height) of an image input, 0 for a free side."""
    shape = facts.input_shape
    if len(shape) != 4:
        return (0, 0)
    return (shape[3], shape[2]) if shape[1] in (1, 3) else (shape[2], shape[1])


def input_channels(facts: ModelFacts) -> int:
    """Return the channels of an image input, 1 or 3; 0 for an input of any other shape."""
    shape = facts.input_shape
    if len(shape) != 4 or shape[0] not in (0, 1):
        return 0
    return next((shape[axis] for axis in (1, 3) if shape[axis] in (1, 3)), 0)


def output_channels(facts: ModelFacts) -> int:
    """Return the channels of the first output if it is a map, else 0.

    [1, C, H, W], [1, H, W, C], [H, W, C] or [1, H, W], not 1 x 1; free, or of the input's aspect within 10 %.
    """
    shape = facts.outputs[0].shape if facts.outputs else ()
    inner = shape[1:] if len(shape) > 1 and shape[0] in (0, 1) else shape
    if len(inner) == 2:
        return 1 if _is_map(inner, facts) else 0
    if len(inner) != 3:
        return 0
    # Channels are the smallest known dimension; the two sides may be free.
    first, last = inner[0], inner[2]
    channels_first = bool(first) and (not last or first <= last)
    channels, sides = (first, inner[1:]) if channels_first else (last, inner[:2])
    more, others = (last, inner[:2]) if channels_first else (first, inner[1:])
    if not _has_aspect(sides, facts) and _has_aspect(others, facts) and _are_classes(more, others, facts):
        return more
    return channels if _is_map(sides, facts) else 0


def _has_aspect(sides: tuple[int, ...], facts: ModelFacts) -> bool:
    """Return True if all sizes are known and the sides have the input's aspect ratio within a hundredth."""
    width, height = input_size(facts)
    known = 0 not in (*sides, width, height) and 1 not in sides
    return known and 0.99 <= (sides[0] * width) / (sides[1] * height) <= 1.01


def _are_classes(channels: int, sides: tuple[int, ...], facts: ModelFacts) -> bool:
    """Return True if a map may have more channels than rows, as ADE20K's 150 classes on 128 x 128.

    A map of an eighth of the sides must end in a softmax: features and raw detector heads have such shapes.
    """
    tail = facts.tails.get(facts.outputs[0].name)
    if tail is not None and tail.is_known and "Softmax" in tail.operators and tail.channels == {channels}:
        return min(sides) * 8 >= min(input_size(facts))
    return min(sides) * 4 >= min(input_size(facts)) and channels <= 3 * min(sides)


def _is_map(sides: tuple[int, ...], facts: ModelFacts) -> bool:
    width, height = input_size(facts)
    if 1 in sides:
        return False
    if 0 in (*sides, width, height):
        return True
    return 0.9 <= (sides[0] * width) / (sides[1] * height) <= 1.1


def enlargement(facts: ModelFacts) -> int:
    """Return the enlargement of the first output along each side: an integer, 1 if it does not enlarge."""
    width, height = input_size(facts)
    shape = facts.outputs[0].shape if facts.outputs else ()
    if len(shape) == 4 and output_channels(facts):
        across, down = (shape[3], shape[2]) if shape[1] in (1, 3) else (shape[2], shape[1])
        if width and height and across and down:
            whole = across % width == 0 and across * height == down * width
            return max(1, across // width) if whole else 1
    scale = facts.reach.scale if facts.reach is not None else 1
    return int(scale) if scale >= 1 and scale == int(scale) else 1


def words_of(facts: ModelFacts) -> str:
    """Return a file's first output name and its purpose in lower case, as evidence for ambiguous shapes."""
    name = facts.outputs[0].name if facts.outputs else ""
    return f"{name} {facts.metadata.get('task', '')}".lower()


def enlarged(values: np.ndarray, size: Size) -> np.ndarray:
    """Return a float32 map [height, width] at a size (width, height), bilinear as OpenCV's INTER_LINEAR."""
    if values.shape == (size[1], size[0]):
        return values
    (left, right, across), (above, below, down) = (_taps(values.shape[1 - i], size[i]) for i in (0, 1))
    # Columns first, of few rows: reading across memory is what costs.
    wide = values[:, left] + across * (values[:, right] - values[:, left])
    return np.asarray(wide[above] + down[:, None] * (wide[below] - wide[above]), np.float32)


def _taps(count: int, wanted: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return for each of the wanted elements the ones before and after it, and the latter's share."""
    at = np.clip((np.arange(wanted) + 0.5) * count / wanted - 0.5, 0, count - 1)
    first = np.minimum(at.astype(np.intp), max(count - 2, 0))
    return first, np.minimum(first + 1, count - 1), (at - first).astype(np.float32)
