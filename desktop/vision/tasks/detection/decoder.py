"""Declaration of a detector's decoder: its networks, the columns of scores and boxes, and the encoding of the boxes.

A decoder is one file in `decoders/` that names its `Decoder` DECODER, or several of them DECODERS; they are discovered automatically.
Scoring and selection of candidates follow from the declaration, on the GPU (`gpu_candidates.py`) and on the CPU (`candidates.py`) alike;
only `boxes` computes, for the few that are selected.
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
        anchors: number of anchors.
        classes: number of classes: that of the columns of `scores`, unless `class_number` is the class of its single column.
        scores: the classes' scores, in 0..1.
        box: the box's four numbers, in any encoding.
        objectness: the score of being any object, in 0..1; None if the network has none.
        class_number: a column with the number of the class, in the scores' output or in one of integers; None where each class has a
            score.
        activation: conversion of the classes' columns to scores: 'none', or for logits 'sigmoid' or 'softmax'. With either of
            these the objectness is a logit too, of which a sigmoid is taken.
        others: columns after the classes that the softmax includes: background.
        extra: the first of further columns to read for each candidate, `extras` of them, as many in each group.
        bins: each of the box's four numbers is the mean of a distribution over 0, 1, ... bins - 1, given as so many logits (Li et al. 2020,
            arXiv:2006.04388); 0 where the numbers stand in the columns themselves.
        rest: the last two of the box's four numbers, where they stand in another output than the first two; without `bins` and `extra`.
        rows: name of an output of one number, how many anchors count, from the first; '' where all do.
        peaks: width of the map of anchors in which only a local maximum of its class counts, among its eight neighbors (Zhou et al. 2019,
            arXiv:1904.07850); 0 where every anchor does.
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
        matches: the evidence in a network's file for this family, None if it is not of it; a free dimension is 0. The evidence is
            DECLARED where the metadata, or the outputs' names, types and shapes together, are those of no other family; OBSERVED where
            another's shapes are the same, and the graph's operators or the number of rows for this input tell them apart; CUSTOMARY where
            the shapes are mostly this family's; ASSUMED where they merely allow it.
        groups: where scores and boxes lie, for facts with every dimension known.
        boxes: (anchors int64 (n,), values float64 (n, 4), size of the input) -> corners float64 (n, 4), left, top, right, bottom in pixels.
        points: (anchors, float64 (n, m) of `AnchorGroup.extra`, size) -> key points float64 (n, 2 k), x and y in pixels; None where
            the family has none.
        merges: overlapping boxes become their mean, weighted by their scores, instead of the best of them (BlazeFace, Bazarevsky et al.
            2019, arXiv:1907.05047, section 4).
        shader: (size of the input) -> `boxes` and `points` in WGSL: `fn box_of(anchor: u32, v: vec4f, size: vec2f) -> vec4f` and
            `fn point_of(anchor: u32, v: vec2f, size: vec2f) -> vec2f`. None leaves a second network to what is read back.
        region: how the region of an object follows from its box and key points, for a second network (vision/tasks/common/regions.py).
        powers: a candidate's score is objectness^powers[0] * class score^powers[1].
        preprocess: fields of `Preprocess` as this family was trained; the file and the user override them.
        score, iou: usual thresholds: the least score, and the overlap from which the lower of two boxes goes.
        names: of the classes, where the family has always the same.
        may_be_shares: what `boxes` and `shader` take as pixels may be shares of the input's sides, 0 to 1 (TensorFlow Lite's exports);
            `reading.py` finds out which.
        fixed_inputs: (facts, size of the input) -> values by name of inputs beside the image that are the same for every image; nothing
            for networks of other families. None where the family has no such inputs.
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
