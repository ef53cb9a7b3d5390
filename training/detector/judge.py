r"""Persons on pictures whose persons are all known, and on pictures without any, beside a rival's.

    python -m training.detector.judge assets/models/detector.onnx --data out/training/detector.npz \
        --rival ../shared/models/detect/yolox_nano_zoo.onnx --empty ../shared/images/eval

The pictures are those that `training.pack people` and `training.pack detector` hold back; `--list` prints
their names. AP50: average precision at an overlap of 0.5. AP of small persons: the mean over overlaps of 0.5
to 0.95, of boxes smaller than 32 x 32 pixels (COCO's definitions). Intervals: 95 %, pictures drawn again.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

import cv2
import numpy as np
import torch

from desktop.base.errors import LightloomError, SourceNotFoundError
from desktop.compute.gpu.device import Gpu
from desktop.pipeline.running.one.loading import load_network
from training.common.bootstrap import Figure, figure
from training.common.data import HELD
from training.common.people import CROWD, read_people
from training.detector.boxes import Found, overlaps
from training.detector.evaluate import exported
from training.detector.truth import looked, person_teacher, read_judged

SCORE: Final = 0.4
"""The program's usual least score of this network."""
_LEAST: Final = 0.02
_SMALL: Final = 32.0**2
_STEPS: Final = tuple(np.arange(0.5, 0.96, 0.05).round(2))
Look = Callable[[np.ndarray], Found]


@dataclass(frozen=True)
class Known:
    """A picture (H, W, 3) BGR8 with the corners (M, 4) of its persons and of places that do not count."""

    name: str
    pixels: np.ndarray
    persons: np.ndarray
    ignored: np.ndarray

    @property
    def is_portrait(self) -> bool:
        """True where it is higher than wide."""
        return self.pixels.shape[0] > self.pixels.shape[1]


@dataclass(frozen=True)
class Matched:
    """What a network found in one picture: scores (N,), whether each is right (N,), and the number of persons."""

    scores: np.ndarray
    hits: np.ndarray
    persons: int


def known_pictures(paths: Sequence[Path]) -> list[Known]:
    """Return the pictures that packs of people hold back, with their boxes."""
    people = read_people(paths, HELD, torch.device("cpu"))
    made = []
    for number, name in enumerate(people.pictures.names):
        height, width = (int(n) for n in people.pictures.sizes[number])
        rgb = people.pictures.canvas[number, :, :height, :width].permute(1, 2, 0).numpy()
        boxes = people.boxes[number].numpy().astype(np.float64)
        flags = people.flags[number].numpy()
        crowd = boxes[flags == CROWD]
        pixels = np.ascontiguousarray(rgb[..., ::-1])
        made.append(Known(name, pixels, boxes[(flags > 0) & (flags != CROWD)], crowd))
    return made


def judged_pictures(path: Path) -> list[Known]:
    """Return the pictures of `training.pack detector` with true boxes of persons."""
    return [
        Known(item.name, item.pixels, item.truths["person"], np.zeros((0, 4)))
        for item in read_judged(path)
        if "person" in item.truths and "person" not in item.by_teacher
    ]


def matched(found: Found, known: Known, iou: float, small: bool) -> Matched:
    """Return which boxes are right at an overlap. `small`: other persons, and what is found of another size,
    do not count.
    """
    persons, ignored = known.persons, known.ignored
    if small:
        area = (persons[:, 2:] - persons[:, :2]).prod(1)
        persons, ignored = persons[area < _SMALL], np.concatenate([ignored, persons[area >= _SMALL]])
    free = np.ones(len(persons), bool)
    scores, hits = [], []
    for box, score in zip(found.boxes, found.scores, strict=True):
        shared = overlaps(box[None], persons)[0] * free if len(persons) else np.zeros(0)
        if len(shared) and shared.max() >= iou:
            free[int(shared.argmax())] = False
            scores.append(score)
            hits.append(True)
            continue
        if len(ignored) and _covered(box, ignored) >= iou:
            continue
        if small and (box[2] - box[0]) * (box[3] - box[1]) >= _SMALL:
            continue
        scores.append(score)
        hits.append(False)
    return Matched(np.array(scores, float), np.array(hits, bool), len(persons))


def _covered(box: np.ndarray, others: np.ndarray) -> float:
    """The largest share of a box that lies in one of the others."""
    low, high = np.maximum(box[:2], others[:, :2]), np.minimum(box[2:], others[:, 2:])
    area = max(1e-9, float((box[2:] - box[:2]).prod()))
    return float((high - low).clip(min=0).prod(1).max() / area)


def precision(pictures: Sequence[Matched], chosen: np.ndarray) -> float:
    """Return the average precision (all points) over pictures, some perhaps more than once."""
    total = sum(pictures[i].persons for i in chosen)
    scores = np.concatenate([pictures[i].scores for i in chosen])
    hits = np.concatenate([pictures[i].hits for i in chosen])[np.argsort(-scores, kind="stable")]
    if not total or not len(hits):
        return 0.0
    right = hits.cumsum()
    envelope = np.maximum.accumulate((right / np.arange(1, len(hits) + 1))[::-1])[::-1]
    return float((np.diff(np.concatenate([[0.0], right / total])) * envelope).sum())


def measured(look: Look, pictures: Sequence[Known], empty: Sequence[np.ndarray]) -> dict[str, Figure]:
    """Return the figures of one network by name."""
    found = [look(known.pixels) for known in pictures]
    at_half = [matched(f, k, 0.5, False) for f, k in zip(found, pictures, strict=True)]
    figures = {"AP50": figure(lambda chosen: precision(at_half, chosen), len(pictures))}
    for name, wanted in (("portrait", True), ("landscape", False)):
        some = [m for m, known in zip(at_half, pictures, strict=True) if known.is_portrait == wanted]
        if some:
            figures[f"AP50, {name}"] = figure(partial(precision, some), len(some))
    steps = [[matched(f, k, iou, True) for f, k in zip(found, pictures, strict=True)] for iou in _STEPS]
    figures["AP, small"] = figure(
        lambda chosen: float(np.mean([precision(step, chosen) for step in steps])), len(pictures), draws=100
    )
    if empty:
        false = np.array([(look(pixels).scores >= SCORE).sum() for pixels in empty], float)
        figures["false persons on 100 pictures"] = figure(
            lambda chosen: 100 * float(false[chosen].mean()), len(false)
        )
    return figures


def student_look(path: Path, turns: bool) -> Look:
    """Return an exported detector as a function of a picture; `turns`: with width and height exchanged for portrait pictures."""
    landscape, portrait = exported(path, "person"), exported(path, "person", turned=turns)

    def look(pixels: np.ndarray) -> Found:
        run, size = portrait if pixels.shape[0] > pixels.shape[1] else landscape
        return looked(run, pixels, *size, _LEAST)

    return look


def program_look(path: Path, turns: bool, tiles: int) -> Look:
    """Return a detector as the program runs it, as a function of an image; `turns`: with width and height exchanged for portrait ones;
    `tiles`: across and down, beside the whole image.
    """
    gpu, settings = Gpu.open(), {"score": _LEAST, "tiles": tiles}
    landscape = load_network(gpu, path, settings=settings)
    portrait = load_network(gpu, path, settings=settings, is_portrait=True) if turns else landscape

    def look(pixels: np.ndarray) -> Found:
        network = portrait if pixels.shape[0] > pixels.shape[1] else landscape
        found = network.analyze_pixels(np.ascontiguousarray(pixels[..., ::-1]))
        persons = [item for item in found.objects if item.label == "person"]
        boxes = np.array([item.box for item in persons], float).reshape(-1, 4)
        return Found(boxes, np.array([item.score for item in persons], float))

    return look


def rival_look(path: Path) -> Look:
    """Return YOLOX-nano as a function of a picture."""
    run = person_teacher(path)
    return lambda pixels: looked(run, pixels, 416, 416, _LEAST)


def empty_pictures(folder: Path, without: Iterable[str]) -> list[np.ndarray]:
    """Return a folder's pictures but for those whose names contain one of `without`: they show people."""
    names = tuple(without)
    files = [path for path in sorted(folder.glob("*.jpg")) if not any(name in path.name for name in names)]
    read = [cv2.imread(str(path)) for path in files]
    pictures = [pixels for pixels in read if pixels is not None]
    if not pictures or len(pictures) < len(files):
        raise SourceNotFoundError(
            f"{folder} has no pictures, or one that does not open; give another --empty."
        )
    return pictures


def main(arguments: list[str] | None = None) -> int:
    """Print the table; exit status 0, or 1 with one sentence."""
    parser = argparse.ArgumentParser(
        prog="python -m training.detector.judge", description=__doc__.splitlines()[0]
    )
    parser.add_argument("student", type=Path, help="an exported .onnx")
    parser.add_argument(
        "--no-turn", dest="turn", action="store_false", help="keep its input for portrait pictures"
    )
    parser.add_argument(
        "--program", action="store_true", help="run it as the program does, instead of with onnxruntime alone"
    )
    parser.add_argument("--every", type=int, default=1, help="only every N-th image, for a quick look")
    parser.add_argument(
        "--tiles", type=int, default=1, help="the program's tiles, across and down (--program)"
    )
    parser.add_argument(
        "--people", type=Path, nargs="*", default=[Path("out/training/people.npz")], help="packs of people"
    )
    parser.add_argument("--data", type=Path, help="pack of 'training.pack detector', too")
    parser.add_argument("--rival", type=Path, help="YOLOX-nano, to measure beside it")
    parser.add_argument("--empty", type=Path, help="folder of pictures without people")
    parser.add_argument(
        "--people-in", nargs="*", default=[], help="parts of names of those that do show people"
    )
    parser.add_argument("--list", action="store_true", help="print the pictures' names and end")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(arguments)
    try:
        pictures = known_pictures(options.people) if options.people else []
        pictures += judged_pictures(options.data) if options.data else []
        pictures = pictures[:: max(1, options.every)]
        if options.list:
            print("\n".join(known.name for known in pictures))
            return 0
        empty = empty_pictures(options.empty, options.people_in) if options.empty else []
        empty = empty[:: max(1, options.every)]
        if options.program or options.tiles > 1:
            networks = {"detector": program_look(options.student, options.turn, options.tiles)}
        else:
            networks = {"detector": student_look(options.student, options.turn)}
        if options.rival:
            networks["rival"] = rival_look(options.rival)
        rows = {name: measured(look, pictures, empty) for name, look in networks.items()}
    except LightloomError as error:
        print(f"training: {error}", file=sys.stderr)
        return 1
    if options.json:
        print(json.dumps({n: {k: vars(v) for k, v in row.items()} for n, row in rows.items()}, indent=1))
        return 0
    count = sum(len(known.persons) for known in pictures)
    print(f"{len(pictures)} pictures, {count} persons, {len(empty)} pictures without people\n")
    print("\n".join(["| figure | " + " | ".join(rows) + " |", "| --- |" + " --- |" * len(rows)]))
    for name in rows["detector"]:
        print(f"| {name} | " + " | ".join(str(row[name]) for row in rows.values()) + " |")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
