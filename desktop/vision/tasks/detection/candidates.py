"""Select a detector's anchors to decode, on the CPU: best class of each, scored, filtered and ranked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Self

import numpy as np

from desktop.vision.tasks.detection.decoder import AnchorGroup, Columns, Decoder

MOST: Final = 215
"""Most candidates that are decoded: they fit with the timestamps into the 4 KiB that a frame reads back."""

_ENTRY_BYTES: Final = 16  # bytes of a candidate without further columns
LARGEST: Final = 1e4
"""Limit of logits, so that infinite ones give finite numbers."""


@dataclass(frozen=True)
class Candidates:
    """Anchors above the threshold, best first, equal scores in the order of the anchors.

    Attributes:
        anchors, classes: int64 (n,), numbered over all groups.
        scores, values: float64 (n,), in 0..1; float64 (n, 4), the box as encoded by the network.
        passed: number of anchors above the threshold; more than n if some were left out.
        extras: float64 (n, k), further columns (`AnchorGroup.extra`).
    """

    anchors: np.ndarray
    classes: np.ndarray
    scores: np.ndarray
    values: np.ndarray
    passed: int
    extras: np.ndarray = field(default_factory=lambda: np.zeros((0, 0)))

    def at(self, rows: np.ndarray) -> Self:
        """Return those at some rows, in that order; as many as before are left out."""
        return replace(
            self,
            anchors=self.anchors[rows],
            classes=self.classes[rows],
            scores=self.scores[rows],
            values=self.values[rows],
            passed=self.passed - len(self.anchors) + len(rows),
            extras=self.extras[rows],
        )

    @classmethod
    def joined(cls, found: Sequence[Candidates]) -> Self:
        """Return those of several inputs, one after the other."""
        names = ("anchors", "classes", "scores", "values", "extras")
        columns = {name: np.concatenate([getattr(each, name) for each in found]) for name in names}
        return cls(**columns, passed=sum(each.passed for each in found))


def most_candidates(groups: Sequence[AnchorGroup]) -> int:
    """Return the number of candidates that fit, with their further columns, into a frame's read-back."""
    return MOST * _ENTRY_BYTES // (_ENTRY_BYTES + 4 * groups[0].extras)


def rows(array: np.ndarray, columns: Columns, count: int, anchors: int) -> np.ndarray:
    """Return `count` columns of an output as a table (anchors, count); a view if possible."""
    if not anchors:
        return np.zeros((0, count), array.dtype)
    if columns.columns_last:
        return array.reshape(anchors, -1)[:, columns.first : columns.first + count]
    return array.reshape(-1, anchors)[columns.first : columns.first + count].T


def choose_candidates(
    outputs: Mapping[str, np.ndarray],
    groups: Sequence[AnchorGroup],
    powers: tuple[float, float],
    threshold: float,
    shown: np.ndarray,
    most: int = MOST,
) -> Candidates:
    """Return the `most` best candidates of `threshold` and more, as the shader `nn_tasks/candidates.wgsl`.

    An anchor's class has the highest score, the first of equals; invalid class numbers are left out. NaN
    scores count as 0, others are clamped to 0..1. `shown` is bool (at most `AnchorGroup.numbers`,),
    False for classes to leave out.
    """
    found, first, passed = [], 0, 0
    for group in groups:
        part = _of_group(outputs, group, powers, threshold, shown)
        passed += len(part.anchors)
        found.append((part.anchors + first, part.classes, part.scores, part.values, part.extras))
        first += group.anchors
    anchors, classes, scores, values, extras = (np.concatenate(column) for column in zip(*found, strict=True))
    order = np.argsort(-scores, kind="stable")[:most]
    return Candidates(anchors[order], classes[order], scores[order], values[order], passed, extras[order])


def _of_group(
    outputs: Mapping[str, np.ndarray],
    group: AnchorGroup,
    powers: tuple[float, float],
    threshold: float,
    shown: np.ndarray,
) -> Candidates:
    def column(columns: Columns, count: int) -> np.ndarray:
        return rows(outputs[columns.output], columns, count, group.anchors)

    if group.class_number is not None:
        best = column(group.scores, 1)[:, 0]
        number = np.nan_to_num(column(group.class_number, 1)[:, 0], nan=-1.0)
        held = min(group.numbers, len(shown))
        number = np.clip(np.rint(number), -1, held).astype(np.int64)
        known = (number >= 0) & (number < held)
        classes, best = np.where(known, number, 0), np.where(known, best, 0)
    else:
        raw = _activated(column(group.scores, group.classes + group.others), group)
        classes = raw[:, : group.classes].argmax(axis=1)
        best = raw[np.arange(group.anchors), classes]
        if group.peaks:
            best = np.where(_is_peak(raw, classes, group.peaks), best, 0)
    scores: np.ndarray = _unit(best) ** np.float32(powers[1])
    if group.objectness is not None:
        scores = scores * _objectness(column(group.objectness, 1)[:, 0], group) ** np.float32(powers[0])
    passes = (scores >= np.float32(threshold)) & shown[classes]
    if group.rows:
        passes[_rows_that_count(outputs[group.rows], group.anchors) :] = False
    kept = np.flatnonzero(passes)
    values = _box_numbers(column(group.box, group.box_columns)[kept].astype(np.float64), group.bins)
    if group.rest is not None:
        values = np.hstack((values, column(group.rest, 2)[kept].astype(np.float64)))
    extras = np.zeros((len(kept), 0))
    if group.extra is not None:
        extras = column(group.extra, group.extras)[kept].astype(np.float64)
    return Candidates(kept, classes[kept], scores[kept].astype(np.float64), values, len(kept), extras)


def _activated(raw: np.ndarray, group: AnchorGroup) -> np.ndarray:
    """Return class scores (anchors, classes) from a group's columns; a NaN logit counts as the least."""
    if group.activation == "none":
        return np.nan_to_num(raw, nan=0.0)
    logits = np.clip(np.nan_to_num(raw.astype(np.float32), nan=-LARGEST), -LARGEST, LARGEST)
    if group.activation == "sigmoid":
        return _sigmoid(logits)
    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray((powers / powers.sum(axis=1, keepdims=True))[:, : group.classes])


def _sigmoid(logits: np.ndarray) -> np.ndarray:
    with np.errstate(over="ignore"):
        return np.asarray(1 / (1 + np.exp(-logits)))


def _objectness(values: np.ndarray, group: AnchorGroup) -> np.ndarray:
    """Return the objectness in 0..1 (anchors,) from its column; NaN counts as the least."""
    if group.activation == "none":
        return _unit(values)
    return _sigmoid(np.clip(np.nan_to_num(values.astype(np.float32), nan=-LARGEST), -LARGEST, LARGEST))


def _rows_that_count(array: np.ndarray, anchors: int) -> int:
    """Return the number of valid rows that the network reports; 0 if it is NaN."""
    said = float(np.nan_to_num(array.reshape(-1)[:1].astype(np.float64), nan=0.0).sum())
    return int(np.clip(np.rint(said), 0, anchors))


def _is_peak(scores: np.ndarray, classes: np.ndarray, across: int) -> np.ndarray:
    """Return bool (anchors,): local maxima of `scores` (anchors, classes) in a map of this width."""
    count = len(scores)
    at = np.arange(count)
    mine, peak = scores[at, classes], np.ones(count, bool)
    for down in (-1, 0, 1):
        for right in (-1, 0, 1):
            column, other = at % across + right, at + down * across + right
            inside = (column >= 0) & (column < across) & (other >= 0) & (other < count)
            peak[inside] &= scores[other[inside], classes[inside]] <= mine[inside]
    return peak


def _box_numbers(columns: np.ndarray, bins: int) -> np.ndarray:
    """Return a box's numbers (n, 4): its columns, or the means of four distributions of `bins` logits."""
    if not bins:
        return columns
    logits = np.clip(columns.reshape(-1, 4, bins), -LARGEST, LARGEST)
    powers = np.exp(logits - logits.max(axis=2, keepdims=True))
    return np.asarray((powers * np.arange(bins)).sum(axis=2) / powers.sum(axis=2))


def _unit(values: np.ndarray) -> np.ndarray:
    # float32 as on the GPU: with other rounding, equal scores would not be equal on both.
    return np.clip(np.nan_to_num(values.astype(np.float32), nan=0.0), np.float32(0), np.float32(1))


def decode_boxes(decoder: Decoder, found: Candidates, size: tuple[int, int]) -> np.ndarray:
    """Return the candidates' corners (n, 4) in input pixels; rows that are not finite are all NaN."""
    with np.errstate(all="ignore"):  # an untrusted network may return any number
        boxes = decoder.boxes(found.anchors, found.values, size)
    return np.where(np.isfinite(boxes).all(axis=1, keepdims=True), boxes, np.nan)


def decode_points(decoder: Decoder, found: Candidates, size: tuple[int, int]) -> np.ndarray:
    """Return the candidates' key points (n, 2 k), x and y in input pixels; (n, 0) for a family without."""
    if decoder.points is None:
        return np.empty((len(found.anchors), 0))
    with np.errstate(all="ignore"):
        return decoder.points(found.anchors, found.extras, size)


def merged(rows: np.ndarray, found: Candidates, kept: Sequence[int], iou: float) -> np.ndarray:
    """Return the kept rows, each averaged by score with the rows of its class that overlap above `iou`.

    `rows` are float64 (n, 4 and more): corners, and others to average; `found` and `kept` are best first.
    """
    means, whole = rows.copy(), np.isfinite(rows).all(axis=1)
    free = whole.copy()
    for index in kept:
        with np.errstate(all="ignore"):
            mine = free & (found.classes == found.classes[index]) & (overlaps(rows[index], rows) > iou)
        mine[index] = True
        free &= ~mine
        means[index] = (rows[mine] * found.scores[mine, None]).sum(axis=0) / found.scores[mine].sum()
    return means


def overlaps(one: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Return the intersection over union of a box (4 and more,) with each of (n, 4 and more)."""
    low, high = np.maximum(one[:2], rows[:, :2]), np.minimum(one[2:4], rows[:, 2:4])
    shared = np.prod(np.maximum(high - low, 0.0), axis=1)
    areas = np.prod(rows[:, 2:4] - rows[:, :2], axis=1) + np.prod(one[2:4] - one[:2])
    return np.asarray(shared / np.maximum(areas - shared, 1e-9))
