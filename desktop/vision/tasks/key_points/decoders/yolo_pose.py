"""YOLO-pose: detectors whose boxes have key points, in three forms.

| form | columns |
|---|---|
| YOLOv8, 11 ([1, 4 + classes + 3 x points, boxes]) | center and size in pixels, a score a class, the points |
| YOLO26, and exports with their own suppression ([1, 300, 6 + 3 x points]) | corners in pixels, score, number of the class, the points |
| YOLOv7-pose ([1, boxes, 5 + classes + 3 x points]) | center and size, objectness, a score a class, the points |

A point is x and y in input pixels and its confidence, or x and y alone; `kpt_shape` in Ultralytics' metadata
is their number.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

from desktop.compute.nn.session import Tensor
from desktop.compute.nn.suppression import selected
from desktop.vision.models.facts import ModelFacts
from desktop.vision.models.findings import Evidence
from desktop.vision.models.labels import metadata_names
from desktop.vision.tasks.common.units import units_of_exporter, units_of_graph
from desktop.vision.tasks.key_points.decoder import (
    MARGIN,
    KeyPointDecoder,
    KeyPointDetections,
    NetworkView,
    PointLimits,
    PointProgram,
    PointReader,
    as_shares,
    as_unit,
    first_of,
    strides,
)
from desktop.vision.tasks.key_points.gpu_points import CAPACITY, RANKED, groups_of
from desktop.vision.tasks.key_points.skeletons import Skeleton, usual_skeleton
from desktop.vision.tasks.task import Size

PIXELS: Final[Mapping[str, Any]] = {
    **{"colors": "RGB", "scale": "0..1", "mean": (0.0, 0.0, 0.0), "std": (1.0, 1.0, 1.0)},
    **{"resize": "letterbox", "pad": 114 / 255, "width": 640, "height": 640},
}
_NO_COLUMN: Final = 0xFFFFFFFF
# Default without metadata: COCO's 17 points, each with its confidence, of one class.
_COCO: Final = (17, 3)
# Networks that suppress by themselves list 300 boxes as they come.
_MOST_LISTED: Final = 1000
_MOST_ROWS: Final = 1 << 20
_MOST_CLASSES: Final = 1 << 12


@dataclass(frozen=True)
class PoseRows:
    """Columns of a table with a row a box.

    Attributes:
        output: the table; `columns_last` for [1, rows, columns], otherwise [1, columns, rows].
        classes: number of the classes' scores, or with `class_number` the limit of class numbers.
        scores: first column of the classes' scores, or the one score if `class_number` is the class.
        points, dimensions: points a row, and numbers a point.
        points_output: the points' table, [1, rows, points, dimensions] or `output` itself.
        first, box: first column of the first point in it, and of the box.
        has_corners: the box is left, top, right, bottom; otherwise center and size.
        is_final: the network has built-in suppression.
        rows_first: y is before x, in boxes and points.
        is_shares: positions are fractions of the input; otherwise its pixels.
    """

    output: str
    columns_last: bool
    classes: int
    scores: int
    points: int
    dimensions: int
    points_output: str
    first: int
    objectness: int | None = None
    class_number: int | None = None
    box: int = 0
    has_corners: bool = False
    is_final: bool = False
    rows_first: bool = False
    is_shares: bool = False


def _points_of(facts: ModelFacts) -> tuple[int, int] | None:
    """Return (points, numbers a point) from the metadata."""
    numbers = [int(n) for n in re.findall(r"\d{1,4}", facts.metadata.get("kpt_shape", ""))]
    fits = len(numbers) == 2 and 1 <= numbers[0] <= 1000 and numbers[1] in (2, 3)
    return (numbers[0], numbers[1]) if fits else None


def find_rows(facts: ModelFacts) -> PoseRows | None:
    """Return the columns of a YOLO's table; None without points."""
    if len(facts.outputs) != 1 or len(facts.outputs[0].shape) != 3:
        return None
    output = facts.outputs[0]
    _, down, across = output.shape
    named = len(metadata_names(facts.metadata))
    points, dimensions = _points_of(facts) or _COCO
    width = points * dimensions
    classes = named or 1
    if down == 4 + classes + width and (not across or across > down):
        return PoseRows(output.name, False, classes, 4, points, dimensions, output.name, 4 + classes)
    # A graph with built-in suppression may list none for a backend's black image.
    if across == 6 + width and (0 < down <= _MOST_LISTED or (not down and "kpt_shape" in facts.metadata)):
        # Class numbers that the metadata do not name are found too.
        rows = PoseRows(
            output.name, True, _MOST_CLASSES - 1, 4, points, dimensions, output.name, 6, class_number=5
        )
        return replace(rows, has_corners=True, is_final=True)
    if across == 5 + classes + width and (not down or down > _MOST_LISTED):
        first = 5 + classes
        return PoseRows(output.name, True, classes, 5, points, dimensions, output.name, first, objectness=4)
    return None


class YoloPose(KeyPointDecoder):
    """See the module."""

    id = "yolo_pose"
    title = "YOLO-pose"
    order = 10
    preprocess = PIXELS
    score = 0.25
    iou = 0.7
    point = 0.5

    def recognize(self, facts: ModelFacts) -> Evidence | None:
        """See `KeyPointDecoder`: a table as wide as its points and classes make it."""
        if facts.metadata.get("task", "pose") != "pose":
            return None
        rows = find_rows(facts)
        return Evidence.DECLARED if rows is not None and facts.outputs[0].shape[0] in (0, 1) else None

    def reader(self, network: NetworkView) -> PointReader:
        rows = find_rows(network.facts)
        if rows is None:
            raise ValueError("no table of boxes with points")
        facts = network.facts
        units = network.units or units_of_graph(facts, rows.output) or units_of_exporter(facts)
        rows = replace(rows, is_shares=units == "shares")
        names = metadata_names(facts.metadata)
        return RowReader(rows, network.size, network.skeleton or usual_skeleton(rows.points), names)


DECODER: Final = YoloPose()


class RowReader(PointReader):
    """Reads rows with a box, scores and points."""

    has_boxes = True

    def __init__(self, rows: PoseRows, size: Size, skeleton: Skeleton, labels: tuple[str, ...] = ()) -> None:
        if skeleton.count > rows.points or not 0 < rows.classes < _MOST_CLASSES:
            raise ValueError("fewer points than the skeleton has")
        self.skeleton = skeleton
        self.labels = labels if len(labels) == rows.classes or rows.class_number is not None else ()
        self.has_confidences = rows.dimensions == 3
        self._rows = rows
        self._size = (1, 1) if rows.is_shares else size

    def outputs(self) -> tuple[str, ...]:
        return (self._rows.output, self._rows.points_output)

    def program(self, tensors: Mapping[str, Tensor]) -> PointProgram:
        rows = self._rows
        boxes, points = tensors[rows.output], tensors[rows.points_output]
        _, row, column = _along(boxes, columns_last=rows.columns_last)
        first_point, point_row, point_column = _along(points, columns_last=rows.columns_last)
        count = boxes.shape[1] if rows.columns_last else boxes.shape[2]
        if count >= _MOST_ROWS:
            raise ValueError("too many rows")
        plan = struct.pack(
            "<16I2f8x",
            *(count, rows.classes, first_of(boxes), row, column, rows.scores),
            *(_NO_COLUMN if n is None else n for n in (rows.objectness, rows.class_number)),
            *(rows.box, rows.has_corners, rows.rows_first),
            *(first_point + rows.first * point_column, point_row, point_column),
            *(rows.dimensions, rows.is_final),
            *map(float, self._size),
        )
        steps = (
            *(("begin", plan, 1), ("score", plan, groups_of(count))),
            *(("rank", plan, groups_of(min(count, CAPACITY))), ("choose", plan, 1)),
        )
        return PointProgram("key_points_boxes.wgsl", (boxes, points), steps, has_candidates=True)

    def read(self, outputs: Mapping[str, np.ndarray], limits: PointLimits) -> KeyPointDetections:
        rows = self._rows
        table = outputs[rows.output][0].astype(np.float32)
        table = table if rows.columns_last else table.T
        scores, classes = self._scores(table)
        passed = np.flatnonzero((scores >= np.float32(limits.score)) & (scores > 0))
        # Equals by class and row, as the shader's keys are.
        order = np.lexsort((passed, classes[passed], -scores[passed]))[:RANKED]
        ranked = passed[order]
        with np.errstate(all="ignore"):  # an untrusted network may give anything
            boxes = self._boxes(table[ranked, rows.box : rows.box + 4])
            fine = np.isfinite(boxes).all(1) & (boxes[:, 2] > boxes[:, 0]) & (boxes[:, 3] > boxes[:, 1])
            ranked, boxes = ranked[fine], boxes[fine]
            stay = self._staying(boxes, scores[ranked], classes[ranked], limits)
            chosen = ranked[stay]
            points, confidences = self._points(outputs, chosen)
            corners = np.clip(boxes[stay] / (self._size * 2), -MARGIN, 1.0 + MARGIN).astype(np.float64)
        placed, known = as_shares(points)
        if self.has_confidences:
            sure = as_unit(confidences) * known
        else:
            sure = scores[chosen, None].astype(np.float64) * known
        left_out = max(0, len(passed) - RANKED)
        whole = scores[chosen].astype(np.float64)
        return KeyPointDetections(whole, classes[chosen], placed, sure, corners, left_out)

    def _scores(self, table: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        rows = self._rows
        if rows.class_number is None:
            each = np.clip(np.nan_to_num(table[:, rows.scores : rows.scores + rows.classes], nan=0.0), 0, 1)
            classes = each.argmax(axis=1)
            best = np.take_along_axis(each, classes[:, None], 1)[:, 0]
        else:
            number = np.nan_to_num(table[:, rows.class_number], nan=-1.0)
            number = np.clip(np.rint(number), -1, rows.classes).astype(np.int64)
            known = (number >= 0) & (number < rows.classes)
            classes = np.where(known, number, 0)
            best = np.where(known, np.clip(np.nan_to_num(table[:, rows.scores], nan=0.0), 0, 1), 0)
        if rows.objectness is not None:
            best = best * np.clip(np.nan_to_num(table[:, rows.objectness], nan=0.0), 0, 1)
        return best.astype(np.float32), classes

    def _boxes(self, values: np.ndarray) -> np.ndarray:
        values = values[:, [1, 0, 3, 2]] if self._rows.rows_first else values
        if self._rows.has_corners:
            return values
        half = values[:, 2:] * np.float32(0.5)
        return np.concatenate((values[:, :2] - half, values[:, :2] + half), axis=1)

    def _staying(
        self, boxes: np.ndarray, scores: np.ndarray, classes: np.ndarray, limits: PointLimits
    ) -> np.ndarray:
        if self._rows.is_final:
            return np.arange(len(boxes))[: limits.most]
        kept: list[int] = []
        for index in np.unique(classes):
            of_class = np.flatnonzero(classes == index)
            kept += of_class[
                selected(boxes[of_class], scores[of_class], len(of_class), limits.iou, None)
            ].tolist()
        return np.array(sorted(kept)[: limits.most], np.int64)

    def _points(self, outputs: Mapping[str, np.ndarray], chosen: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return positions (n, points, 2) in fractions, confidences (n, points)."""
        rows, count = self._rows, self.skeleton.count
        table = outputs[rows.points_output][0]
        table = table.reshape(len(table), -1) if rows.columns_last else table.T
        values = table[chosen, rows.first : rows.first + rows.points * rows.dimensions].astype(np.float32)
        values = values.reshape(len(chosen), rows.points, rows.dimensions)[:, :count]
        places = values[..., 1::-1] if rows.rows_first else values[..., :2]
        return places / np.array(self._size, np.float32), values[..., -1]


def _along(tensor: Tensor, *, columns_last: bool) -> tuple[int, int, int]:
    """(first number, numbers from row to row, from column to column)"""
    steps = strides(tensor)
    row, column = (steps[1], steps[-1]) if columns_last else (steps[2], steps[1])
    return first_of(tensor), row, column
