r"""Write masks of persons for a folder of photographs, by networks, before a training.

    python -m training.mask.prelabel FOLDER --out FOLDER [--selfie FILE.onnx] [--pose FILE.tflite] \
        [--persons FILE.onnx --faces FILE.onnx]

FOLDER has a `people.json` as `training.pack people` reads it; --out gets the photographs, a mask for each and such a
file, in which the masks of networks are marked `taught`. A photograph with a true mask keeps it, with the edges, hats
and held objects that the selfie segmentation finds where it agrees with the truth. One with boxes and no mask gets the
larger answer of the selfie segmentation and, with --pose, of MediaPipe's Pose (npm @mediapipe/pose, heavy; Apache-2.0)
on the crop of each person. One without boxes gets the selfie segmentation's answer to the whole photograph and to its
mirror image; but with --persons and --faces (YOLOX-nano, YuNet) one in which neither finds anybody gets a true, empty
mask, since the selfie segmentation takes animals, dishes and landscapes for people. Photographs held back are copied
as they are. Needs onnxruntime, and ai-edge-litert for --pose.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
import onnxruntime

from desktop.base.errors import LightloomError, SourceDamagedError, SourceNotFoundError
from training.common.people import GRAY, PERSON
from training.detector.truth import Run, face_teacher, letterboxed, person_teacher

SIDE: Final = 256
"""Width and height of what the networks take."""
_MARGIN: Final = 0.2
"""Of a box's side, around it in the selfie segmentation's crop."""
_NARROWEST: Final = 0.6
"""Of a crop's longer side."""
_POSE_MARGIN: Final = 0.125
_SLACK: Final = 0.04
"""Of a box's side, by which a person may leave it."""
_LEAST: Final = 6.0
"""Height or width of a box, in pixels, below which no network is asked; of the pose, `_LEAST_POSE`."""
_LEAST_POSE: Final = 16.0
_MIRRORED_FROM: Final = 64.0
"""Height or width of a box from which the mirror image is looked at too."""
_AGREES: Final = 0.75
"""Overlap with the true mask from which an answer's edge counts."""
_AGREES_WELL: Final = 0.85
"""Overlap from which what an answer adds counts too."""
_BAND: Final = 0.02
"""Of a box's side, within which an edge may differ from the true one."""
_SURE: Final = 0.8
"""Least value of what is added."""
_DETECTION_SIDE: Final = 416
"""Width and height at which persons and faces are detected."""
_LEAST_SCORES: Final = (0.05, 0.3)
"""Scores of a person and of a face from which on a photograph or its mirror image is not taken to be empty."""

Look = Callable[[np.ndarray], np.ndarray]
"""(SIDE, SIDE, 3) float32 R'G'B' in 0..1 -> (SIDE, SIDE) float32 in 0..1."""
Box = Sequence[float]
"""Left, top, right, bottom in pixels."""


@dataclass(frozen=True)
class Teachers:
    """The networks.

    Attributes:
        selfie: the selfie segmentation.
        pose: the segmentation of the pose network, None to do without.
        detectors: of persons and of faces, None to do without.
    """

    selfie: Look
    pose: Look | None = None
    detectors: tuple[Run, Run] | None = None


def selfie_look(path: Path) -> Look:
    """Return the selfie segmentation of a file (NHWC, R'G'B' in 0..1). Raises SourceNotFoundError."""
    if not path.exists():
        raise SourceNotFoundError(f"There is no {path}; give the selfie segmentation with --selfie.")
    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    name = session.get_inputs()[0].name

    def look(image: np.ndarray) -> np.ndarray:
        return np.asarray(session.run(None, {name: image[None]})[0][0, ..., 0])

    return look


def pose_look(path: Path) -> Look:
    """Return the segmentation of MediaPipe's Pose: its output of 256 x 256 logits. Raises SourceNotFoundError."""
    from ai_edge_litert.interpreter import Interpreter

    if not path.exists():
        raise SourceNotFoundError(f"There is no {path}; give pose_landmark_heavy.tflite with --pose.")
    network = Interpreter(str(path), num_threads=1)
    network.allocate_tensors()
    given = network.get_input_details()[0]["index"]
    (found,) = (each for each in network.get_output_details() if tuple(each["shape"]) == (1, SIDE, SIDE, 1))

    def look(image: np.ndarray) -> np.ndarray:
        network.set_tensor(given, image[None])
        network.invoke()
        return np.asarray(1 / (1 + np.exp(-network.get_tensor(found["index"])[0, ..., 0])))

    return look


def seen(look: Look, image: np.ndarray, box: Box, *, mirrored: bool = False) -> np.ndarray:
    """Return a network's answer to a part of an image, at its place: (height, width) float32, 0 outside the part.

    Args:
        look: the network.
        image: (height, width, 3) uint8 R'G'B'.
        box: the part, which may leave the image: gray is beyond its edges.
        mirrored: average with the answer to the mirror image.
    """
    height, width = image.shape[:2]
    left, top, right, bottom = box
    across, down = (right - left) / SIDE, (bottom - top) / SIDE
    place = np.array([[across, 0, left + across / 2 - 0.5], [0, down, top + down / 2 - 0.5]], np.float32)
    scale = max(across, down)
    soft = cv2.GaussianBlur(image, (0, 0), 0.4 * scale) if scale > 1.5 else image
    back = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    crop = cv2.warpAffine(soft, place, (SIDE, SIDE), flags=back, borderValue=(round(255 * GRAY),) * 3)
    given = crop.astype(np.float32) / 255
    found = look(given)
    if mirrored:
        found = (found + look(np.ascontiguousarray(given[:, ::-1]))[:, ::-1]) / 2
    return cv2.warpAffine(
        found.astype(np.float32), cv2.invertAffineTransform(place), (width, height), flags=back
    )


def crop_around(box: Box) -> Box:
    """Return the part of an image that the selfie segmentation sees of a person."""
    width, height = ((box[n + 2] - box[n]) * (1 + 2 * _MARGIN) for n in (0, 1))
    width, height = max(width, _NARROWEST * height), max(height, _NARROWEST * width)
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    return x - width / 2, y - height / 2, x + width / 2, y + height / 2


def within(mask: np.ndarray, box: Box) -> tuple[slice, slice]:
    """Return the rows and columns of a box with its slack."""
    slack = [_SLACK * (box[n + 2] - box[n]) for n in (0, 1)]
    rows = slice(max(0, int(box[1] - slack[1])), min(mask.shape[0], int(box[3] + slack[1] + 1)))
    return rows, slice(max(0, int(box[0] - slack[0])), min(mask.shape[1], int(box[2] + slack[0] + 1)))


def of_person(teachers: Teachers, image: np.ndarray, box: Box, *, with_pose: bool) -> np.ndarray:
    """Return the mask of the person in a box: (height, width) float32 in 0..1, 0 outside the box and its slack."""
    side = max(box[2] - box[0], box[3] - box[1])
    made = np.zeros(image.shape[:2], np.float32)
    if side < _LEAST:
        return made
    place = within(made, box)
    found = seen(teachers.selfie, image, crop_around(box), mirrored=side > _MIRRORED_FROM)
    if with_pose and teachers.pose is not None and side >= _LEAST_POSE:
        x, y, half = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2, side * (0.5 + _POSE_MARGIN)
        found = np.maximum(found, seen(teachers.pose, image, (x - half, y - half, x + half, y + half)))
    made[place] = found[place]
    return made


def refined(truth: np.ndarray, persons: Sequence[tuple[Box, np.ndarray]]) -> np.ndarray:
    """Return a true mask with the edges and additions of the networks' masks that agree with it.

    Args:
        truth: (height, width) float32, 0 or 1.
        persons: boxes, and what `of_person` says of them.
    """
    mask = truth.copy()
    binary = truth.astype(np.uint8)
    from_edge = sum(cv2.distanceTransform(each, cv2.DIST_L2, 3) for each in (binary, 1 - binary))
    for box, found in persons:
        place = within(truth, box)
        mine, true = found[place], truth[place]
        both = int(np.count_nonzero((mine > 0.5) & (true > 0)))
        either = int(np.count_nonzero((mine > 0.5) | (true > 0)))
        overlap = both / max(1, either)
        if overlap < _AGREES:
            continue
        near = from_edge[place] <= max(3.0, _BAND * max(box[2] - box[0], box[3] - box[1]))
        new = np.where(near, mine, true)
        if overlap >= _AGREES_WELL:
            new = np.where((true == 0) & ~near & (mine > _SURE), mine, new)
        # What is far from an edge may be another person's.
        alone = len(persons) == 1
        mask[place] = new if alone else np.where(near | (new > true), new, mask[place])
    return mask


def is_empty(detectors: tuple[Run, Run], image: np.ndarray) -> bool:
    """Return True if no detector finds anybody in an image (H, W, 3) uint8 R'G'B' or in its mirror image."""
    for given in (image, image[:, ::-1]):
        canvas, _, _ = letterboxed(np.ascontiguousarray(given[..., ::-1]), _DETECTION_SIDE, _DETECTION_SIDE)
        for run, least in zip(detectors, _LEAST_SCORES, strict=True):
            if run(canvas)[1].max() >= least:
                return False
    return True


def labeled(
    teachers: Teachers, image: np.ndarray, boxes: Sequence[Box], truth: np.ndarray | None
) -> np.ndarray:
    """Return the mask of a photograph: (height, width) float32 in 0..1. `boxes` are its persons', if known."""
    if not boxes and truth is None:
        height, width = image.shape[:2]
        return seen(teachers.selfie, image, (0, 0, width, height), mirrored=True)
    persons = [(box, of_person(teachers, image, box, with_pose=truth is None)) for box in boxes]
    if truth is not None:
        return refined(truth, persons)
    return np.max([found for _, found in persons], axis=0)


def relabel(entry: dict[str, Any], source: Path, target: Path, teachers: Teachers) -> dict[str, Any]:
    """Copy a photograph and write its mask; return its row of the new `people.json`.

    Raises:
        SourceDamagedError: the photograph or its mask cannot be decoded.
    """
    file = source / entry["file"]
    shutil.copyfile(file, target / file.name)
    given = entry["mask"]
    if given == "none" or entry["part"]:
        if given not in (None, "none"):
            shutil.copyfile(source / given, target / Path(given).name)
            return entry | {"file": file.name, "mask": Path(given).name}
        return entry | {"file": file.name}
    pixels = cv2.imread(str(file), cv2.IMREAD_COLOR)
    truth = cv2.imread(str(source / given), cv2.IMREAD_GRAYSCALE) if given else None
    if pixels is None or (given and truth is None):
        raise SourceDamagedError(f"{file.name} or its mask cannot be decoded; take it out of people.json.")
    image = np.ascontiguousarray(pixels[..., ::-1])
    boxes = [box[:4] for box in entry["boxes"] if box[4] == PERSON]
    is_unknown = truth is None and not entry["boxes"]
    if is_unknown and teachers.detectors is not None and is_empty(teachers.detectors, image):
        return entry | {"file": file.name, "mask": "none"}
    mask = labeled(teachers, image, boxes, None if truth is None else (truth > 127).astype(np.float32))
    name = f"{file.stem}_mask.png"
    cv2.imwrite(str(target / name), (mask * 255).round().astype(np.uint8))
    return entry | {"file": file.name, "mask": name, "taught": given is None}


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the command line and write the masks; return the exit status."""
    parser = argparse.ArgumentParser(
        prog="training.mask.prelabel", description=(__doc__ or "").splitlines()[0]
    )
    parser.add_argument("folder", type=Path, help="photographs and people.json")
    parser.add_argument(
        "--out", type=Path, required=True, help="folder for photographs, masks and people.json"
    )
    parser.add_argument(
        "--selfie", type=Path, default=Path("../shared/models/segment/obs_selfie_segmentation.onnx")
    )
    parser.add_argument("--pose", type=Path, help="pose_landmark_heavy.tflite")
    parser.add_argument("--persons", type=Path, help="YOLOX-nano, to find photographs without people")
    parser.add_argument("--faces", type=Path, help="YuNet, for the same")
    options = parser.parse_args(arguments)
    try:
        index = options.folder / "people.json"
        if not index.exists():
            raise SourceNotFoundError(f"{options.folder} has no people.json; write one (training/README.md).")
        pose = None if options.pose is None else pose_look(options.pose)
        detectors = None
        if options.persons and options.faces:
            detectors = person_teacher(options.persons), face_teacher(options.faces)
        teachers = Teachers(selfie_look(options.selfie), pose, detectors)
        options.out.mkdir(parents=True, exist_ok=True)
        entries = json.loads(index.read_text())["pictures"]
        rows = [relabel(entry, options.folder, options.out, teachers) for entry in entries]
        (options.out / "people.json").write_text(json.dumps({"pictures": rows}))
    except LightloomError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
