"""Landmarks that determine the region in the next frame, so that the detector need not run.

As MediaPipe's `*_landmarks_to_roi` graphs, except a rectangle around a body's 33 points for its circle.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from desktop.vision.tasks.key_points.skeletons import (
    BODY_33,
    FACE_68,
    FACE_98,
    FACE_106,
    FACE_468,
    FACE_478,
    HAND_21,
    Skeleton,
)
from desktop.vision.tasks.task import RegionRule


def _face(skeleton: Skeleton, left: tuple[int, ...], right: tuple[int, ...]) -> RegionRule:
    """Eye to eye is level; around all points."""
    return RegionRule(start=left, end=right, extent=tuple(range(skeleton.count)), scale=1.5)


_RULES: Final[Mapping[str, RegionRule]] = {
    # From the wrist to the bases of the fingers, the middle one counting twice; without the unsteady tips.
    HAND_21.id: RegionRule(
        start=(0,),
        end=(5, 13, 9, 9),
        angle=90.0,
        extent=(0, 1, 2, 3, 5, 6, 9, 10, 13, 14, 17, 18),
        scale=2.0,
        shift=(0.0, -0.1),
    ),
    # From between the hips to between the shoulders.
    BODY_33.id: RegionRule(
        start=(23, 24), end=(11, 12), angle=90.0, extent=tuple(range(BODY_33.count)), scale=1.25
    ),
    FACE_68.id: _face(FACE_68, (36, 39), (42, 45)),
    FACE_98.id: _face(FACE_98, (60, 64), (68, 72)),
    FACE_106.id: _face(FACE_106, tuple(range(66, 74)), tuple(range(75, 83))),
    FACE_468.id: _face(FACE_468, (33,), (263,)),
    FACE_478.id: _face(FACE_478, (33,), (263,)),
}


def carry_rule(skeleton: Skeleton) -> RegionRule | None:
    """Return the rule for the next frame's region from a skeleton's points; None if there is none."""
    return _RULES.get(skeleton.id)
