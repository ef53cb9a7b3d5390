"""IDF1 (Ristani et al. 2016, arXiv:1609.01775) in a few lines, and scenes of things that walk, for the tests
of tracking.

benchmarks/tracking.py measures with TrackEval, which needs packages that the project does not.
"""

from __future__ import annotations

from dataclasses import dataclass

import lap
import numpy as np


def iou(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """IoU of boxes [n, 4] and [m, 4] of left, top, right, bottom, one pair after the other."""
    result = np.zeros((len(a), len(b)))
    for i, (l0, t0, r0, b0) in enumerate(a):
        for j, (l1, t1, r1, b1) in enumerate(b):
            both = max(0.0, min(r0, r1) - max(l0, l1)) * max(0.0, min(b0, b1) - max(t0, t1))
            result[i, j] = both / ((r0 - l0) * (b0 - t0) + (r1 - l1) * (b1 - t1) - both)
    return result


def idf1(truth: np.ndarray, result: np.ndarray) -> float:
    """IDF1 at IoU 0.5; rows of frame, identity, left, top, right, bottom."""
    of_truth, of_result = np.unique(truth[:, 1]), np.unique(result[:, 1])
    together = np.zeros((len(of_truth), len(of_result)))
    for frame in np.unique(truth[:, 0]):
        a, b = truth[truth[:, 0] == frame], result[result[:, 0] == frame]
        rows, columns = np.nonzero(iou(a[:, 2:6], b[:, 2:6]) >= 0.5)
        np.add.at(
            together,
            (np.searchsorted(of_truth, a[rows, 1]), np.searchsorted(of_result, b[columns, 1])),
            1.0,
        )
    rows, columns = lap.lapjvx(-together, extend_cost=True, return_cost=False)
    return 2.0 * together[rows, columns].sum() / (len(truth) + len(result))


@dataclass(frozen=True)
class Walk:
    """A simulated scene: its truth and what a detector with faults finds of it.

    Attributes:
        truth: rows of frame, identity, left, top, right, bottom.
        found: for each frame from 0 on, rows of left, top, right, bottom, score.
        who: the identity of each of those rows, -1 for a false one.
    """

    truth: np.ndarray
    found: list[np.ndarray]
    who: list[np.ndarray]


def walk(seed: int, *, people: int = 12, frames: int = 240, rate: float = 30.0) -> Walk:
    """People that walk through a picture of 1280x720 and turn at its edges, 30 pictures a second.

    The detector misses a tenth of them, is off by a twentieth of their size, finds a tenth as many where
    nobody is, and does not see each of them for a second now and then.
    """
    random = np.random.default_rng(seed)
    at = random.uniform((100, 150), (1180, 570), (people, 2))
    velocity = random.uniform(30, 90, (people, 2)) * random.choice((-1, 1), (people, 2)) * (1.0, 0.3)
    sizes = random.uniform(40, 70, (people, 1)) * (1.0, 2.4)
    hidden_from = random.integers(30, frames, (people, 2))
    truth, found, who = [], [], []
    for frame in range(frames):
        velocity += random.normal(0.0, 2.0, velocity.shape)
        velocity = np.where(
            (at < (60, 120)) | (at > (1220, 600)), -np.sign(at - (640, 360)) * abs(velocity), velocity
        )
        at = at + velocity / rate
        boxes = np.concatenate((at - sizes / 2, at + sizes / 2), axis=1)
        truth.append(np.column_stack((np.full(people, frame), np.arange(people), boxes)))
        is_hidden = ((frame >= hidden_from) & (frame < hidden_from + rate)).any(axis=1)
        is_seen = ~is_hidden & (random.random(people) >= 0.1)
        seen = boxes[is_seen]
        seen = seen + random.normal(0.0, 0.05, seen.shape) * np.tile(seen[:, 2:] - seen[:, :2], 2) / np.sqrt(
            2
        )
        false = random.random((random.poisson(0.1 * people), 2)) * (1200, 600)
        false = np.concatenate((false, false + np.array((50.0, 120.0))), axis=1)
        scores = np.concatenate((random.uniform(0.4, 0.95, len(seen)), random.uniform(0.2, 0.6, len(false))))
        found.append(np.column_stack((np.concatenate((seen, false)), scores)))
        who.append(np.concatenate((np.flatnonzero(is_seen), np.full(len(false), -1))))
    return Walk(np.concatenate(truth), found, who)
