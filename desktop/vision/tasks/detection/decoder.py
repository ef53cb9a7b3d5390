"""Declaration of a detector's decoder: its networks, the columns of scores and boxes, and the box encoding.

A decoder is a file in `decoders/` with a `Decoder` DECODER, or several as DECODERS, discovered automatically.
Scoring and selection follow from the declaration, on the GPU (`gpu_candidates.py`) and the CPU
(`candidates.py`); only `boxes` computes, for the selected candidates.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal

import numpy as np

from desktop.vision.models.facts import ModelFacts
from desktop.vision.models.findings import Match
from desktop.vision.tasks.task import RegionRule, Size

Activation = Literal["none", "sigmoid", "softmax"]
UNIT_RGB: Final = {"colors": "RGB", "scale": "0..1", "mean": (0.0, 0.0, 0.0), "std": (1.0, 1.0, 1.0)}
"""Preprocessing of most families: RGB from 0 to 1."""
LETTERBOX_640: Final = {"resize": "letterbox", "pad": 114 / 255, "width": 640, "height": 640}
"""Usual letterbox of detectors: gray bars, 640 x 640 pixels if the file leaves the size free."""


@dataclass(frozen=True)
class Columns:
    """Columns of an output that is a table with a row for each anchor."""

    output: str
    first: int
    columns_last: bool = True


@dataclass(frozen=True)
class AnchorGroup:
    """One group of anchors, in the order in which the network numbers them.

    Attributes:
        classes: number of columns of `scores`, or of classes if `class_number` is a column.
        scores: the classes' scores, in 0..1.
        box: the box's four numbers, in any encoding.
        objectness: the score of being any object, in 0..1; None if the network has none.
        class_number: a column with the class number, in the scores' output or in one of integers; None if
            each class has a score.
        activation: conversion of the classes' columns to scores: 'none', or for logits 'sigmoid' or
            'softmax'; then a sigmoid is taken of the objectness.
        others: columns after the classes that the softmax includes: background.
        extra: the first of `extras` further columns to read for each candidate, equally many in each group.
        bins: each of the box's four numbers is the mean of a distribution over 0, 1, ... bins - 1, given as
            that many logits (Li et al. 2020, arXiv:2006.04388); 0 if the columns are the numbers.
        rest: the last two of the box's four numbers, if they are in another output than the first two;
            without `bins` and `extra`.
        rows: output with the number of valid anchors, counted from the first; '' if all are valid.
        peaks: width of the map of anchors in which only local maxima of a class among eight neighbors count
            (Zhou et al. 2019, arXiv:1904.07850); 0 if every anchor counts.
    """

    anchors: int
    classes: int
    scores: Columns
    box: Columns
    objectness: Columns | None = None
    class_number: Columns | None = None
    activation: Activation = field(default="none", kw_only=True)
    others: int = field(default=0, kw_only=True)
    extra: Columns | None = field(default=None, kw_only=True)
    extras: int = field(default=0, kw_only=True)
    bins: int = field(default=0, kw_only=True)
    rest: Columns | None = field(default=None, kw_only=True)
    rows: str = field(default="", kw_only=True)
    peaks: int = field(default=0, kw_only=True)

    @property
    def outputs(self) -> frozenset[str]:
        """Names of the outputs that are read."""
        columns = (self.scores, self.box, self.objectness, self.class_number, self.extra, self.rest)
        names = {each.output for each in columns if each is not None}
        return frozenset(names | {self.rows} - {""})

    @property
    def box_columns(self) -> int:
        """Number of columns of the output `box` that encode its four numbers."""
        return 2 if self.rest is not None else 4 * max(1, self.bins)


@dataclass(frozen=True)
class Decoder:
    """A family of detectors.

    Attributes:
        id: its name in presets.
        title: its name for users.
        matches: the evidence in a network's file for this family, or None; a free dimension is 0. DECLARED:
            the metadata, or the outputs' names, types and shapes, are unique to it. OBSERVED: operators or
            the number of rows distinguish it from a family of equal shapes. CUSTOMARY: the shapes are mostly
            this family's. ASSUMED: the shapes merely allow it.
        groups: columns of scores and boxes, for facts with every dimension known.
        boxes: (anchors int64 (n,), values float64 (n, 4), size of the input) -> corners float64 (n, 4), left,
            top, right, bottom in pixels.
        points: (anchors, float64 (n, m) of `AnchorGroup.extra`, size) -> key points float64 (n, 2 k), x and y
            in pixels; None if the family has none.
        merges: overlapping boxes become their mean, weighted by score, instead of the best (BlazeFace,
            Bazarevsky et al. 2019, arXiv:1907.05047, section 4).
        shader: (size of the input) -> `boxes` and `points` in WGSL: `fn box_of(anchor: u32, v: vec4f, size:
            vec2f) -> vec4f` and `fn point_of(anchor: u32, v: vec2f, size: vec2f) -> vec2f`. If None, a
            secondary network uses read-back results.
        region: derivation of an object's region from its box and key points, for a secondary network
            (vision/tasks/common/regions.py).
        powers: a candidate's score is objectness^powers[0] * class score^powers[1].
        preprocess: fields of `Preprocess` as this family was trained; the file and the user override them.
        score, iou: default thresholds: least score, and overlap at which the lower is suppressed.
        names: of the classes, if the same for the whole family.
        may_be_shares: `boxes` and `shader` may get fractions of the input's sides instead of pixels
            (TensorFlow Lite's exports); `reading.py` decides.
        fixed_inputs: (facts, size of the input) -> constant values of inputs besides the image, by name;
            empty for other families. None if the family has no such inputs.
    """

    id: str
    title: str
    matches: Callable[[ModelFacts], Match | None]
    groups: Callable[[ModelFacts], tuple[AnchorGroup, ...]]
    boxes: Callable[[np.ndarray, np.ndarray, Size], np.ndarray]
    powers: tuple[float, float] = (1.0, 1.0)
    preprocess: Mapping[str, Any] = field(default_factory=dict)
    score: float = 0.3
    iou: float = 0.45
    names: tuple[str, ...] = ()
    points: Callable[[np.ndarray, np.ndarray, Size], np.ndarray] | None = None
    merges: bool = False
    region: RegionRule | None = None
    shader: Callable[[Size], str] | None = None
    may_be_shares: bool = False
    fixed_inputs: Callable[[ModelFacts, Size], Mapping[str, np.ndarray]] | None = None
