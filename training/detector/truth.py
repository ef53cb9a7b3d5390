"""The pictures held back from the detector's training, with the boxes that it is measured by, as a pack.

A picture is judged by what is known of it: by true boxes of persons or faces, or else by boxes that a teacher
finds on most of its looks.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import cv2
import numpy as np
import onnxruntime

from desktop.base.errors import SourceNotFoundError
from training.detector.boxes import NOTHING, Found, decoded, overlaps, suppressed
from training.detector.model import KINDS

SOURCES: Final = ("lightly-ai/coco128_yolo", "Cartucho/mAP")
"""The sources of `train/people` whose boxes include those of all persons."""
_MORE: Final = 80
"""Further pictures of `train/people`, chosen by hash, that have no true boxes."""
PAD: Final = 114
_LOOKS: Final = ((416, 416), (640, 640), (832, 832))
Run = Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]]
"""From a (H, W, 3) BGR picture to (4, cells) raw boxes and (cells,) scores."""


@dataclass(frozen=True)
class Judged:
    """A picture held back.

    `truths`: by kind, corners (M, 4) in its pixels; a kind that is not there is not judged. `by_teacher`: the
    kinds with a teacher's boxes.
    """

    name: str
    pixels: np.ndarray
    truths: dict[str, np.ndarray] = field(default_factory=dict)
    by_teacher: frozenset[str] = frozenset()


def letterboxed(pixels: np.ndarray, width: int, height: int) -> tuple[np.ndarray, float, tuple[int, int]]:
    """Return a picture fitted into a gray one of a size, centered; how much it was scaled; and left, top of
    its place.
    """
    ratio = min(width / pixels.shape[1], height / pixels.shape[0])
    size = (max(1, round(pixels.shape[1] * ratio)), max(1, round(pixels.shape[0] * ratio)))
    how = cv2.INTER_AREA if ratio < 1 else cv2.INTER_LINEAR
    left, top = (width - size[0]) // 2, (height - size[1]) // 2
    canvas = np.full((height, width, 3), PAD, np.uint8)
    canvas[top : top + size[1], left : left + size[0]] = cv2.resize(pixels, size, interpolation=how)
    return canvas, ratio, (left, top)


def looked(run: Run, pixels: np.ndarray, width: int, height: int, least: float) -> Found:
    """Return what a network finds in a (H, W, 3) BGR picture that it sees at a size, in the picture's own
    pixels.
    """
    canvas, ratio, corner = letterboxed(pixels, width, height)
    raw, scores = run(canvas)
    found = suppressed(decoded(raw, width, height), scores, least)
    return Found((found.boxes - np.tile(corner, 2)) / ratio, found.scores)


def person_teacher(path: Path) -> Run:
    """YOLOX-nano, at 416 x 416 alone: its file has a fixed size."""
    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])

    def run(canvas: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        x = canvas.transpose(2, 0, 1)[None].astype(np.float32)
        table = session.run(None, {"images": x})[0][0]
        return table[:, :4].T, table[:, 4] * table[:, 5]

    return run


def face_teacher(path: Path) -> Run:
    """YuNet, at any size that 32 divides."""
    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    names = [output.name for output in session.get_outputs()]

    def run(canvas: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        x = canvas.transpose(2, 0, 1)[None].astype(np.float32)
        got = dict(zip(names, session.run(None, {"input": x}), strict=True))
        boxes, scores = [], []
        for stride in (8, 16, 32):
            boxes.append(got[f"bbox_{stride}"][0])
            scores.append(np.sqrt(got[f"cls_{stride}"][0, :, 0] * got[f"obj_{stride}"][0, :, 0]))
        return np.concatenate(boxes).T, np.concatenate(scores)

    return run


def agreed(run: Run, pixels: np.ndarray, looks: tuple[tuple[int, int], ...], least: float) -> np.ndarray:
    """Return the boxes (M, 4) that a teacher finds on more than half of its looks: the picture and its mirror
    image, at each size.
    """
    seen: list[Found] = []
    for width, height in looks:
        seen.append(looked(run, pixels, width, height, least))
        back = looked(run, np.ascontiguousarray(pixels[:, ::-1]), width, height, least)
        boxes = (
            back.boxes[:, [2, 1, 0, 3]] * np.array([-1, 1, -1, 1]) + np.array([1, 0, 1, 0]) * pixels.shape[1]
        )
        seen.append(Found(boxes, back.scores))
    all_boxes = np.concatenate([each.boxes for each in seen])
    best = suppressed(all_boxes, np.concatenate([each.scores for each in seen]), least).boxes
    votes = np.zeros(len(best))
    means = np.zeros((len(best), 4))
    for each in seen:
        if len(each.boxes) and len(best):
            shared = overlaps(best, each.boxes)
            hit = shared.max(1) >= 0.5
            votes += hit
            means[hit] += each.boxes[shared.argmax(1)][hit]
    kept = votes > len(seen) / 2
    return means[kept] / votes[kept, None]


def _people(shared: Path) -> Iterator[Judged]:
    folder = shared / "train/people"
    table = json.loads((folder / "boxes_coco.json").read_text())
    person = next(item["id"] for item in table["categories"] if item["name"] == "person")
    boxes: dict[int, list[list[float]]] = {}
    for item in table["annotations"]:
        if item["category_id"] == person:
            boxes.setdefault(item["image_id"], []).append(item["bbox"])
    known = [item for item in table["images"] if item["annotated"] and item["source"] in SOURCES]
    for item in known:
        pixels = _read(folder / item["file_name"])
        yield Judged(
            f"people_{item['file_name'][:-4]}", pixels, {"person": _corners(boxes.get(item["id"], []))}
        )
    others = [item["file_name"] for item in table["images"] if not item["annotated"]]
    for name in sorted(others, key=lambda name: hashlib.sha256(name.encode()).digest())[:_MORE]:
        yield Judged(f"people_{name[:-4]}", _read(folder / name))


def _corners(boxes: list[list[float]]) -> np.ndarray:
    rows = np.array(boxes, np.float64).reshape(-1, 4)
    return np.concatenate([rows[:, :2], rows[:, :2] + rows[:, 2:]], 1)


def _coco(shared: Path) -> Iterator[Judged]:
    folder = shared / "truth/keypoints/coco"
    table = json.loads((folder / "test_coco_wholebody.json").read_text())
    for image in table["images"]:
        mine = [item for item in table["annotations"] if item["image_id"] == image["id"]]
        faces = [item["face_box"] for item in mine if item["face_valid"] and item["face_box"][2] > 0]
        truths = {"person": _corners([item["bbox"] for item in mine]), "face": _corners(faces)}
        yield Judged(f"coco_{image['file_name'][:-4]}", _read(folder / image["file_name"]), truths)


def _dlib(shared: Path) -> Iterator[Judged]:
    folder = shared / "truth/keypoints/dlib_faces"
    for file in ("testing.xml", "training.xml"):
        text = (folder / file).read_text("latin-1")
        for name, body in re.findall(r"<image file='([^']+)'[^>]*>(.*?)</image>", text, re.DOTALL):
            rows = [_dlib_box(box) for box in re.findall(r"<box ([^>]*)>", body)]
            yield Judged(f"dlib_{Path(name).stem}", _read(folder / name), {"face": _corners(rows)})


def _dlib_box(attributes: str) -> list[float]:
    """Left, top, width, height of what stands in a `<box ...>` of dlib's lists."""
    values = dict(re.findall(r"(\w+)='(-?\d+)'", attributes))
    return [float(values[key]) for key in ("left", "top", "width", "height")]


def _read(path: Path) -> np.ndarray:
    """A picture of the shared folder as BGR8; one that does not open is an error of the folder."""
    pixels = cv2.imread(str(path))
    if pixels is None:
        raise SourceNotFoundError(f"{path} does not open as a picture.")
    return pixels


def judged(shared: Path, persons: Path, faces: Path) -> list[Judged]:
    """Return the pictures held back, no longer than 640 pixels, every one of `train/people` judged for both
    kinds.

    Raises:
        SourceNotFoundError: the folder of shared material is not there.
    """
    if not (shared / "train/people/boxes_coco.json").exists():
        raise SourceNotFoundError(
            f"{shared} has no train/people; give the folder of shared material with --shared."
        )
    teachers = {
        "person": (person_teacher(persons), _LOOKS[:1], 0.4),
        "face": (face_teacher(faces), _LOOKS, 0.6),
    }
    made = []
    for item in (*_people(shared), *_coco(shared), *_dlib(shared)):
        ratio = min(1.0, 640 / max(item.pixels.shape[:2]))
        size = (round(item.pixels.shape[1] * ratio), round(item.pixels.shape[0] * ratio))
        pixels = cv2.resize(item.pixels, size, interpolation=cv2.INTER_AREA) if ratio < 1 else item.pixels
        truths = {kind: boxes * ratio for kind, boxes in item.truths.items()}
        missing = [kind for kind in KINDS if kind not in truths and item.name.startswith("people")]
        for kind in missing:
            run, looks, least = teachers[kind]
            truths[kind] = agreed(run, pixels, looks, least)
        made.append(Judged(item.name, pixels, truths, frozenset(missing)))
    return made


def table(pictures: list[Judged]) -> dict[str, np.ndarray]:
    """Return the truths as arrays for a pack.

    `boxes` (N, 6): picture, kind, corners. `judged` (pictures, kinds): 0 for no, 1 for true boxes, 2 for a
    teacher's.
    """
    rows, marks = [], np.zeros((len(pictures), len(KINDS)), np.uint8)
    for number, picture in enumerate(pictures):
        for place, kind in enumerate(KINDS):
            if kind in picture.truths:
                marks[number, place] = 2 if kind in picture.by_teacher else 1
                rows += [[number, place, *box] for box in picture.truths[kind]]
    return {"boxes": np.array(rows, np.float32).reshape(-1, 6), "judged": marks}


def read_judged(path: Path) -> list[Judged]:
    """Return the pictures of a pack that `training.pack detector` wrote.

    Raises:
        SourceNotFoundError: no pack there.
    """
    if not path.exists():
        raise SourceNotFoundError(f"{path} is missing; make it with 'python -m training.pack detector'.")
    pack = np.load(path)
    made = []
    for number, name in enumerate(pack["names"]):
        first = int(pack["ends"][number - 1]) if number else 0
        pixels = cv2.imdecode(pack["data"][first : int(pack["ends"][number])], cv2.IMREAD_COLOR)
        assert pixels is not None  # written by training.pack
        mine = pack["boxes"][pack["boxes"][:, 0] == number]
        marks = pack["judged"][number]
        truths = {
            kind: mine[mine[:, 1] == k, 2:].astype(np.float64) for k, kind in enumerate(KINDS) if marks[k]
        }
        by_teacher = frozenset(kind for k, kind in enumerate(KINDS) if marks[k] == 2)
        made.append(Judged(str(name), pixels, truths, by_teacher))
    return made


def found_or_nothing(picture: Judged, kind: str, run: Run, width: int, height: int, least: float) -> Found:
    """Return what a network finds of a kind in a picture, nothing where that kind is not judged."""
    return looked(run, picture.pixels, width, height, least) if kind in picture.truths else NOTHING
