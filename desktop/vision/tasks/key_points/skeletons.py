"""Skeletons of key points: their number, names if there is a standard, and lines between them.

From COCO (cocodataset.org), MPII (human-pose.mpi-inf.mpg.de), OpenPose, Halpe-26 (AlphaPose), COCO-WholeBody,
MediaPipe, iBUG 300-W (68), WFLW (98), JD-landmark (106), AP-10K.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

Edge = tuple[int, int]


@dataclass(frozen=True)
class Skeleton:
    """A set of points; `edges` are pairs that a line joins; names and `id` are empty if not known."""

    id: str
    label: str
    count: int
    edges: tuple[Edge, ...] = ()
    names: tuple[str, ...] = ()


def _lines(*lines: Iterable[int]) -> tuple[Edge, ...]:
    """Return the edges of lines from point to point, each once."""
    found = (pair for line in lines for pair in itertools.pairwise(line))
    return tuple(dict.fromkeys(found))


def _closed(*points: int) -> tuple[int, ...]:
    return (*points, points[0])


def _named(identity: str, label: str, names: str, edges: tuple[Edge, ...]) -> Skeleton:
    words = tuple(name.replace("_", " ") for name in names.split())
    return Skeleton(identity, label, len(words), edges, words)


_COCO_NAMES: Final = (
    "nose left_eye right_eye left_ear right_ear left_shoulder right_shoulder left_elbow right_elbow "
    "left_wrist right_wrist "
    "left_hip right_hip left_knee right_knee left_ankle right_ankle"
)
_COCO_EDGES: Final = _lines(
    (3, 1, 0, 2, 4),
    (1, 2),
    (3, 5),
    (4, 6),
    (9, 7, 5, 6, 8, 10),
    (5, 11, 13, 15),
    (6, 12, 14, 16),
    (11, 12),
)
_HAND_EDGES: Final = _lines(*((0, *range(4 * finger + 1, 4 * finger + 5)) for finger in range(5)))
_HAND_NAMES: Final = "wrist " + " ".join(
    f"{finger}_{joint}"
    for finger, joints in (
        ("thumb", ("cmc", "mcp", "ip", "tip")),
        *((name, ("mcp", "pip", "dip", "tip")) for name in ("index", "middle", "ring", "pinky")),
    )
    for joint in joints
)
_FACE_68: Final = _lines(
    range(17),
    range(17, 22),
    range(22, 27),
    range(27, 31),
    range(31, 36),
    _closed(*range(36, 42)),
    _closed(*range(42, 48)),
    _closed(*range(48, 60)),
    _closed(*range(60, 68)),
)


def _shifted(edges: tuple[Edge, ...], by: int) -> tuple[Edge, ...]:
    return tuple((a + by, b + by) for a, b in edges)


_FACE_98: Final = _lines(
    range(33),
    _closed(*range(33, 42)),
    _closed(*range(42, 51)),
    range(51, 55),
    range(55, 60),
    _closed(*range(60, 68)),
    _closed(*range(68, 76)),
    _closed(*range(76, 88)),
    _closed(*range(88, 96)),
)
_FACE_106: Final = _lines(
    range(33),
    _closed(*range(33, 42)),
    _closed(*range(42, 51)),
    range(51, 55),
    (55, *range(57, 64), 65),
    _closed(*range(66, 74)),
    _closed(*range(75, 83)),
    _closed(*range(84, 96)),
    _closed(*range(96, 104)),
)
# The jaw of InsightFace's 106 points, from ear to ear: these networks number it from the chin.
_JAW_INSIGHTFACE: Final = (1, *range(9, 17), *range(2, 9), 0, *range(24, 17, -1), *range(32, 24, -1), 17)
_MESH: Final = _lines(
    (10, 338, 297, 332, 284, 251, 389, 356, 454, 323, 361, 288, 397, 365, 379, 378, 400, 377, 152),
    (152, 148, 176, 149, 150, 136, 172, 58, 132, 93, 234, 127, 162, 21, 54, 103, 67, 109, 10),
    (33, 7, 163, 144, 145, 153, 154, 155, 133, 173, 157, 158, 159, 160, 161, 246, 33),
    (263, 249, 390, 373, 374, 380, 381, 382, 362, 398, 384, 385, 386, 387, 388, 466, 263),
    (46, 53, 52, 65, 55),
    (70, 63, 105, 66, 107),
    (276, 283, 282, 295, 285),
    (300, 293, 334, 296, 336),
    (61, 146, 91, 181, 84, 17, 314, 405, 321, 375, 291, 409, 270, 269, 267, 0, 37, 39, 40, 185, 61),
    (78, 95, 88, 178, 87, 14, 317, 402, 318, 324, 308, 415, 310, 311, 312, 13, 82, 81, 80, 191, 78),
)
_FEET: Final = _lines((15, 17), (15, 18), (15, 19), (16, 20), (16, 21), (16, 22))

COCO_17: Final = _named("coco-17", "person", _COCO_NAMES, _COCO_EDGES)
BODY_33: Final = _named(
    "body-33",
    "person",
    "nose left_eye_inner left_eye left_eye_outer right_eye_inner right_eye right_eye_outer left_ear "
    "right_ear mouth_left mouth_right "
    "left_shoulder right_shoulder left_elbow right_elbow left_wrist right_wrist left_pinky right_pinky "
    "left_index right_index "
    "left_thumb right_thumb left_hip right_hip left_knee right_knee left_ankle right_ankle left_heel "
    "right_heel left_foot_index "
    "right_foot_index",
    _lines(
        (7, 3, 2, 1, 0, 4, 5, 6, 8),
        (9, 10),
        (15, 13, 11, 12, 14, 16),
        (15, 17, 19, 15, 21),
        (16, 18, 20, 16, 22),
        (11, 23, 24, 12),
        (23, 25, 27, 29, 31, 27),
        (24, 26, 28, 30, 32, 28),
    ),
)
HAND_21: Final = _named("hand-21", "hand", _HAND_NAMES, (*_HAND_EDGES, *_lines((5, 9, 13, 17))))
MPII_16: Final = _named(
    "mpii-16",
    "person",
    "right_ankle right_knee right_hip left_hip left_knee left_ankle pelvis thorax upper_neck head_top "
    "right_wrist right_elbow "
    "right_shoulder left_shoulder left_elbow left_wrist",
    _lines((0, 1, 2, 6, 3, 4, 5), (6, 7, 8, 9), (10, 11, 12, 7, 13, 14, 15)),
)
OPENPOSE_18: Final = _named(
    "openpose-18",
    "person",
    "nose neck right_shoulder right_elbow right_wrist left_shoulder left_elbow left_wrist right_hip "
    "right_knee right_ankle left_hip "
    "left_knee left_ankle right_eye left_eye right_ear left_ear",
    _lines((4, 3, 2, 1, 5, 6, 7), (1, 8, 9, 10), (1, 11, 12, 13), (1, 0, 14, 16), (0, 15, 17)),
)
OPENPOSE_25: Final = _named(
    "openpose-25",
    "person",
    "nose neck right_shoulder right_elbow right_wrist left_shoulder left_elbow left_wrist mid_hip "
    "right_hip right_knee right_ankle "
    "left_hip left_knee left_ankle right_eye left_eye right_ear left_ear left_big_toe left_small_toe "
    "left_heel right_big_toe "
    "right_small_toe right_heel",
    _lines(
        (4, 3, 2, 1, 5, 6, 7),
        (1, 8, 9, 10, 11),
        (8, 12, 13, 14),
        (1, 0, 15, 17),
        (0, 16, 18),
        (14, 19, 20),
        (14, 21),
        (11, 22, 23),
        (11, 24),
    ),
)
OPENPOSE_15: Final = _named(
    "openpose-15",
    "person",
    "head neck right_shoulder right_elbow right_wrist left_shoulder left_elbow left_wrist right_hip "
    "right_knee right_ankle left_hip "
    "left_knee left_ankle chest",
    _lines((4, 3, 2, 1, 5, 6, 7), (0, 1, 14, 8, 9, 10), (14, 11, 12, 13)),
)
BODY_14: Final = _named(
    "body-14",
    "person",
    "head neck right_shoulder right_elbow right_wrist left_shoulder left_elbow left_wrist right_hip "
    "right_knee right_ankle left_hip "
    "left_knee left_ankle",
    _lines((4, 3, 2, 1, 5, 6, 7), (0, 1, 8, 9, 10), (1, 11, 12, 13)),
)
HALPE_26: Final = _named(
    "halpe-26",
    "person",
    f"{_COCO_NAMES} head neck hip left_big_toe right_big_toe left_small_toe right_small_toe left_heel "
    "right_heel",
    _lines(
        (3, 1, 0, 2, 4),
        (17, 18, 19),
        (9, 7, 5, 18, 6, 8, 10),
        (19, 11, 13, 15, 20, 22, 15, 24),
        (19, 12, 14, 16, 21, 23, 16, 25),
    ),
)
# easy_ViTPose's: COCO's with neck, center of the hips and feet.
VITPOSE_25: Final = _named(
    "vitpose-25",
    "person",
    "nose left_eye right_eye left_ear right_ear neck left_shoulder right_shoulder left_elbow right_elbow "
    "left_wrist right_wrist left_hip "
    "right_hip hip left_knee right_knee left_ankle right_ankle left_big_toe left_small_toe left_heel "
    "right_big_toe right_small_toe "
    "right_heel",
    _lines(
        (3, 1, 0, 2, 4),
        (0, 5, 14),
        (10, 8, 6, 5, 7, 9, 11),
        (14, 12, 15, 17, 19, 20),
        (14, 13, 16, 18, 22, 23),
        (17, 21),
        (18, 24),
    ),
)
BODY_23: Final = _named(
    "body-23",
    "person",
    f"{_COCO_NAMES} left_big_toe left_small_toe left_heel right_big_toe right_small_toe right_heel",
    (*_COCO_EDGES, *_FEET),
)
WHOLE_BODY: Final = Skeleton(
    "wholebody-133",
    "person",
    133,
    (
        *_COCO_EDGES,
        *_FEET,
        *_shifted(_FACE_68, 23),
        *_shifted(_HAND_EDGES, 91),
        *_shifted(_HAND_EDGES, 112),
    ),
)
ANIMAL_17: Final = _named(
    "animal-17",
    "animal",
    "left_eye right_eye nose neck root_of_tail left_shoulder left_elbow left_front_paw right_shoulder "
    "right_elbow right_front_paw "
    "left_hip left_knee left_back_paw right_hip right_knee right_back_paw",
    _lines(
        (0, 1, 2, 0),
        (2, 3, 4),
        (3, 5, 6, 7),
        (3, 8, 9, 10),
        (4, 11, 12, 13),
        (4, 14, 15, 16),
    ),
)
FACE_5: Final = _named(
    "face-5",
    "face",
    "left_eye right_eye nose left_mouth right_mouth",
    (),
)
FACE_68: Final = Skeleton("face-68", "face", 68, _FACE_68)
FACE_98: Final = Skeleton("face-98", "face", 98, _FACE_98)
FACE_106: Final = Skeleton("face-106", "face", 106, _FACE_106)
FACE_106_INSIGHTFACE: Final = Skeleton("face-106-insightface", "face", 106, _lines(_JAW_INSIGHTFACE))
FACE_468: Final = Skeleton("face-468", "face", 468, _MESH)
FACE_478: Final = Skeleton(
    "face-478",
    "face",
    478,
    (*_MESH, *_lines(_closed(469, 470, 471, 472), _closed(474, 475, 476, 477))),
)
# 71 of the eye's surroundings, of which the first 16 are its edge (lower lid, then upper), and 5 of the iris.
IRIS_76: Final = Skeleton(
    "iris-76",
    "eye",
    76,
    _lines(range(9), (0, *range(9, 16), 8), _closed(72, 73, 74, 75)),
)

SKELETONS: Final = (
    *(
        COCO_17,
        BODY_33,
        HAND_21,
        MPII_16,
        OPENPOSE_18,
        OPENPOSE_25,
        OPENPOSE_15,
        BODY_14,
        VITPOSE_25,
        HALPE_26,
    ),
    *(
        BODY_23,
        WHOLE_BODY,
        ANIMAL_17,
        FACE_5,
        FACE_68,
        FACE_98,
        FACE_106,
        FACE_106_INSIGHTFACE,
        FACE_468,
        FACE_478,
    ),
    IRIS_76,
)


def skeleton_named(name: str) -> Skeleton | None:
    """Return a skeleton by its id."""
    return next((skeleton for skeleton in SKELETONS if skeleton.id == name), None)


def usual_skeleton(count: int) -> Skeleton:
    """Return the usual skeleton for a number of points; without lines and names if there is none."""
    return next((s for s in SKELETONS if s.count == count), Skeleton("", "thing", count))
