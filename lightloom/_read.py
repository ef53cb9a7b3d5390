"""Results of the program's tasks as the library's own types."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

import numpy as np

from desktop.base.errors import ModelUnsupportedError
from desktop.vision.models.preprocess import Preprocess
from desktop.vision.tasks.classification import Classification as RawClassification
from desktop.vision.tasks.detection.detector import Detections as RawDetections
from desktop.vision.tasks.face_points import EDGES
from desktop.vision.tasks.face_points import FacePoints as RawFacePoints
from desktop.vision.tasks.instance_masks.instances import InstanceMasks as RawInstances
from desktop.vision.tasks.key_points.key_points import KeyPoints as RawKeyPoints
from desktop.vision.tasks.likeness import SimilarityResult as RawSimilarity
from desktop.vision.tasks.oriented_boxes import OrientedBoxes as RawOrientedBoxes
from lightloom._results import (
    Classification,
    Detections,
    Input,
    Keypoints,
    Likeness,
    Prediction,
    Result,
    detections,
)

Size = tuple[int, int]


def typed(raw: Any, size: Size, began: float) -> Result:
    """Convert a result of the program to a public one.

    Raises:
        ModelUnsupportedError: there is no type for it yet.
    """
    kind = next((each for each in _READERS if isinstance(raw, each)), None)
    if kind is None:
        raise ModelUnsupportedError(
            f"The library has no type for results of the kind {type(raw).__name__} yet."
        )
    found: Result = _READERS[kind](raw, size)
    return replace(found, has_nan=raw.has_nan, latency_ms=(time.perf_counter() - began) * 1e3)


def input_of(plan: Preprocess, size: Size) -> Input:
    """Return the placement of an image of a size in the input of a network."""
    box = plan.box(*size)
    scale = (box.width / box.target_width, box.height / box.target_height)
    offset = (box.x - box.target_x * scale[0], box.y - box.target_y * scale[1])
    return Input(size, (plan.width, plan.height), scale, offset)


def _classification(raw: RawClassification, size: Size) -> Classification:
    found = tuple(Prediction(each.index, each.label, each.probability) for each in raw.predictions)
    return Classification(size=size, predictions=found)


def _objects(raw: Any, size: Size, boxes: list[Any], **more: Any) -> Detections:
    return detections(
        np.array(boxes, np.float32),
        np.array([each.score for each in raw.objects]),
        np.array([each.index for each in raw.objects]),
        tuple(each.label for each in raw.objects),
        size,
        left_out=raw.left_out,
        **more,
    )


def _detections(raw: RawDetections, size: Size) -> Detections:
    counts = {len(each.points) for each in raw.objects}
    has_points = len(counts) == 1 and counts != {0}
    points = np.array([each.points for each in raw.objects], np.float32) if has_points else None
    return _objects(raw, size, [each.box for each in raw.objects], points=points)


def _instances(raw: RawInstances, size: Size) -> Detections:
    masks = np.zeros((len(raw.objects), size[1], size[0]), bool)
    for place, mask in enumerate(raw.masks):
        pixels = mask.read()
        if pixels is not None:
            masks[place] = pixels > 0
    return _objects(raw, size, [each.box for each in raw.objects], masks=masks)


def _oriented(raw: RawOrientedBoxes, size: Size) -> Detections:
    corners = np.array([each.corners for each in raw.objects], np.float32).reshape(-1, 4, 2)
    boxes = np.concatenate((corners.min(axis=1), corners.max(axis=1)), axis=1) if len(corners) else corners
    return _objects(raw, size, list(boxes), corners=corners)


def _key_points(raw: RawKeyPoints, size: Size) -> Keypoints:
    given = np.array([each.points for each in raw.objects], np.float32).reshape(-1, raw.skeleton.count, 3)
    boxes = [each.box for each in raw.objects]
    has_boxes = bool(boxes) and None not in boxes
    return Keypoints(
        size=size,
        points=given[..., :2].copy(),
        confidences=given[..., 2].copy(),
        scores=np.array([each.score for each in raw.objects], np.float32),
        class_ids=np.array([each.index for each in raw.objects], np.int64),
        labels=tuple(each.label for each in raw.objects),
        names=raw.skeleton.names,
        edges=raw.skeleton.edges,
        boxes=np.array(boxes, np.float32) if has_boxes else None,
    )


def _face_points(raw: RawFacePoints, size: Size) -> Keypoints:
    faces = 1 if raw.points else 0
    given = (
        np.array(raw.points, np.float32).reshape(faces, -1, 3) if faces else np.zeros((0, 68, 3), np.float32)
    )
    return Keypoints(
        size=size,
        points=given[..., :2].copy(),
        confidences=given[..., 2].copy(),
        scores=np.full(faces, raw.score, np.float32),
        class_ids=np.zeros(faces, np.int64),
        labels=("face",) * faces,
        edges=EDGES,
    )


def _similarity(raw: RawSimilarity, size: Size) -> Likeness:
    return Likeness(size=size, cosines={each.picture: each.cosine for each in raw.found})


_READERS: dict[type, Any] = {
    RawClassification: _classification,
    RawDetections: _detections,
    RawInstances: _instances,
    RawOrientedBoxes: _oriented,
    RawKeyPoints: _key_points,
    RawFacePoints: _face_points,
    RawSimilarity: _similarity,
}
