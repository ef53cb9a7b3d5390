"""Labels of other programs (COCO, YOLO with its tables of names) and the journal of a labeling project.

What is taken in has to be kept in a way in which it can be read again: the harness puts it into a project,
opens that anew and compares.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from random import Random

import numpy as np

from desktop.base.errors import LightloomError
from desktop.plugins.labeling.data.labels import Picture
from desktop.plugins.labeling.data.pictures import FolderPictures
from desktop.plugins.labeling.data.project import FILE_NAME, Project
from desktop.plugins.labeling.data.readers import coco, yolo
from desktop.plugins.labeling.data.readers.read import Read
from fuzz.harness import Finding, Harness
from fuzz.json_mutation import mutated_json
from fuzz.material import written

_TABLE = b"\n--- names\n"
_HEAD = b'{"labels"'


def _read(data: bytes, folder: Path) -> None:
    pictures = _pictures(folder / "pictures")
    if data.startswith(_HEAD):
        kept = written(folder / "pictures" / FILE_NAME, data)
        try:
            label_set = Project(folder / "pictures").label_set
            _check_kept(folder, label_set.pictures, label_set.classes)
        finally:
            kept.unlink()
    elif data.lstrip().startswith(b"{"):
        _taken(coco.read(written(folder / "labels.json", data), pictures), folder)
    else:
        _taken(yolo.read(_yolo(folder / "yolo", data), pictures), folder)


def _pictures(folder: Path) -> FolderPictures:
    if not folder.exists():
        import cv2

        folder.mkdir()
        for name in ("a.png", "b.png"):
            cv2.imwrite(str(folder / name), np.zeros((20, 40, 3), np.uint8))
    return FolderPictures(folder)


def _yolo(folder: Path, data: bytes) -> Path:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    lines, _, table = data.partition(_TABLE)
    written(folder / "a.txt", lines)
    written(folder / ("data.yaml" if b":" in table else "classes.txt"), table)
    return folder


def _taken(read: Read, folder: Path) -> None:
    if not str(read.report(len(read.pictures))).isprintable():
        raise Finding("what came of it is no line")
    _check_kept(folder, read.pictures, read.classes)


def _check_kept(folder: Path, pictures: Mapping[str, Picture], classes: tuple[str, ...]) -> None:
    home = folder / "project"
    shutil.rmtree(home, ignore_errors=True)
    home.mkdir()
    project = Project(home)
    project.edit("Take", pictures, classes=classes)
    project.close()
    try:
        again = Project(home).label_set
    except LightloomError as error:
        raise Finding("what was kept is not read") from error
    if again.pictures != project.label_set.pictures or again.classes != project.label_set.classes:
        raise Finding("what was kept is read as another")


def _seeds(folder: Path) -> list[bytes]:
    document = {
        "images": [
            {"id": 1, "file_name": "a.png", "width": 40, "height": 20},
            {"id": 2, "file_name": "x/b.png", "width": 40, "height": 20},
        ],
        "categories": [
            {"id": 1, "name": "person", "keypoints": ["0", "1"], "skeleton": [[1, 2]]},
            {"id": 7, "name": "cup"},
        ],
        "annotations": [
            {"id": 1, "image_id": 1, "category_id": 1, "bbox": [1, 2, 10, 12.5], "score": 0.5,
             "keypoints": [3, 4, 2, 5, 6, 0], "segmentation": [[1, 2, 11, 2, 11, 14]]},
            {"id": 2, "image_id": 2, "category_id": 7, "bbox": [0, 0, 40, 20],
             "segmentation": {"size": [20, 40], "counts": [100, 200, 500]}},
            {"id": 3, "image_id": 2, "category_id": 7, "bbox": [0, 0, 4, 2],
             "segmentation": {"size": [20, 40], "counts": "T3X6d?"}},
        ],
    }  # fmt: skip
    box = {"label": "cup", "box": [0.1, 0.2, 0.5, 0.6], "score": 0.5, "origin": [0.1, 0.2, 0.5, 0.6]}
    mask = {"shape": "SavedMask", "label": "cup", "index": 0, "left": 0.0, "top": 0.0, "right": 1.0, "bottom": 1.0,
            "size": [4, 2], "counts": [3, 2, 3], "score": None, "identity": None, "thing": None, "is_class": False}  # fmt: skip
    outline = {"shape": "Polygon", "label": "cup", "index": 0, "points": [[0.1, 0.2], [0.5, 0.2], [0.5, 0.6]]}
    points = {"shape": "Points", "label": "cup", "index": 0, "points": [[0.1, 0.2], [0.5, 0.2]],
              "edges": [[0, 1]], "confidences": [1.0, 0.5]}  # fmt: skip
    journal = (
        {"labels": {"version": 1}},
        {"classes": ["cup", "person"]},
        {"picture": "a.png", "labels": {"items": [{**box, "shapes": [mask, outline, points]}], "confirmed": True}},
        {"picture": "b.png", "labels": {"class": "cup", "score": 0.25}},
    )  # fmt: skip
    return [
        json.dumps(document).encode(),
        b"".join(json.dumps(line, separators=(",", ":")).encode() + b"\n" for line in journal),
        b"0 0.5 0.5 0.25 0.25\n1 0.5 0.5 0.25 0.25 0.75\n0 0.1 0.1 0.5 0.1 0.5 0.5\n" + _TABLE + b"cup\nperson\n",
        b"0 0.5 0.5 0.25 0.25 0.4 0.4 2 0.6 0.6 0\n" + _TABLE + b'kpt_shape: [2, 3]\nnames:\n  0: "cup"\n  1: b\n',
        b"2 0.5 0.5 0.25 0.25\n" + _TABLE + b"names: ['a', \"b\", c]\n",
        b"2 0.5 0.5 0.25 0.25\n" + _TABLE + b"names:\n- a\n- b\n- 'it''s'\n",
    ]  # fmt: skip


def _mutate(data: bytes, random: Random) -> bytes | None:
    return mutated_json(data, random) if random.random() < 0.8 else None


HARNESS = Harness(
    _read,
    _seeds,
    (
        *(b"\n0 ", b" 0.5", b" 1e308", b" nan", b"names:\n", b"names: [", b"  99999: x\n"),
        *(b"- ", b"kpt_shape: [9999, 2]\n", b'"', b"\\x00", _TABLE),
    ),
    _mutate,
    memory_mb=400,
    seconds=10.0,
)
