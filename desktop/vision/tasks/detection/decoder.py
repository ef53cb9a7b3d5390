"""Declaration of a detector's decoder: its networks, the columns of scores and boxes, and the box encoding.

A file in `decoders/` has one as DECODER or several as DECODERS. They determine the scoring on GPU
(`gpu_candidates.py`) and CPU (`candidates.py`); only `boxes` computes, for the selected candidates.
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
CLASS_LIMIT: Final = (1 << 12) - 1
"""Class number from which on rows of a list are left out: a candidate on the GPU has 12 bits for its class."""
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
        classes: number of columns of `scores`; if `class_number` is a column, of the classes with names, which
            the file or the family's data set has.
        box: the box's four numbers, in any encoding.
        objectness: the score of being any object, in 0..1; None if the network has none.
        class_number: column of the class number, in the scores' output or its own; None for scores by class.
        activation: of the classes' columns: 'none', or for logits 'sigmoid' or 'softmax', then with a sigmoid
            of the objectness.
        others: columns after the classes that the softmax includes: background.
        extra: the first of `extras` further columns to read for each candidate, equally many in each group.
        bins: each box number is the mean of a distribution over 0 .. bins - 1, given as logits
            (arXiv:2006.04388); 0 for none.
        rest: the last two box numbers, if in another output than the first; without `bins` and `extra`.
        rows: output with the number of valid anchors, counted from the first; '' if all are valid.
        peaks: width of the anchors' map if only a class' maxima among eight neighbors count
            (arXiv:1904.07850); 0 if all do.
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
    def numbers(self) -> int:
        """Number of classes that may be found: a list of class numbers may have more than are named."""
        return self.classes if self.class_number is None else max(self.classes, CLASS_LIMIT)

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
        matches: the evidence in a file for this family, or None; a free dimension is 0. DECLARED: unique
            metadata or outputs (names, types, shapes). OBSERVED: unique operators or rows. CUSTOMARY: mostly
            this family's shapes. ASSUMED: possible shapes.
        groups: columns of scores and boxes, for facts with every dimension known.
        boxes: (anchors int64 (n,), values float64 (n, 4), size of the input) -> corners float64 (n, 4), left,
            top, right, bottom in pixels.
        points: (anchors, float64 (n, m) of `AnchorGroup.extra`, size) -> key points float64 (n, 2 k), x and y
            in pixels; None if the family has none.
        merges: overlapping boxes become their mean, weighted by score (arXiv:1907.05047, section 4).
        shader: (size of the input) -> WGSL: `fn box_of(anchor: u32, v: vec4f, size: vec2f) -> vec4f` and `fn
            point_of(anchor: u32, v: vec2f, size: vec2f) -> vec2f`. If None, a secondary network uses
            read-back results.
        region: an object's region for a secondary network (vision/tasks/common/regions.py).
        powers: a candidate's score is objectness^powers[0] * class score^powers[1].
        preprocess: fields of `Preprocess` as this family was trained; the file and the user override them.
        score, iou: default thresholds: least score, and overlap at which the lower is suppressed.
        names: of the classes, if the same for the whole family.
        may_be_shares: boxes may be fractions of the input's sides (TensorFlow Lite); see `reading.py`.
        fixed_inputs: (facts, size of the input) -> constants by input; None if there are no such inputs.
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
