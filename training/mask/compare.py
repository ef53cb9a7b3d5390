"""Let reviewers compare the person mask with a rival's without knowing which is which.

    python -m training.mask.compare sheets --out out/compare [--rival FILE.onnx]      sheets of portraits, and key.json
    python -m training.mask.compare count --out out/compare CHOICES.json ...

A row has a portrait and the person cut out by each mask on plain magenta. Which mask stands on the left is drawn
for each row by --seed and written to key.json, which reviewers do not open. Portraits are the held-back images of
--people with one large face, the largest faces first. Both masks are enlarged bilinearly and used as they are,
without the program's edge refinement and smoothing. A reviewer writes a JSON object from each row's number to
"left", "right" or "same".
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np
import onnxruntime
import torch
import torch.nn.functional as F

from desktop.base.errors import LightloomError, SourceNotFoundError, UsageError
from training.common import sheets
from training.detector.judge import known_pictures
from training.detector.teacher import FACES
from training.detector.truth import Run, face_teacher, looked
from training.mask.judge import Look, rival_look, student_look

ROWS: Final = 20
EACH: Final = 4
"""Rows of a sheet."""
HEIGHT: Final = 400
"""Height of a row's images in pixels."""
_INPUT: Final = 416
"""Width and height at which faces are looked for."""
_LEAST_SCORE: Final = 0.7
_LEAST_FACE: Final = 0.15
"""Height of a portrait's face in heights of the image."""
_SECOND: Final = 0.5
"""Height of any other face, at most, in heights of the largest one."""
_GROUND: Final = np.array([200, 0, 160], np.float32)
CHOICES: Final = ("left", "right", "same")


def face_share(faces: Run, image: np.ndarray) -> float:
    """Return the height of the one large face in an (H, W, 3) RGB image, in heights of the image; 0 where
    there is none, or a second one.
    """
    found = looked(faces, np.ascontiguousarray(image[..., ::-1]), _INPUT, _INPUT, _LEAST_SCORE)
    heights = np.sort(found.boxes[:, 3] - found.boxes[:, 1])[::-1]
    if not len(heights) or (len(heights) > 1 and heights[1] > _SECOND * heights[0]):
        return 0.0
    return float(heights[0] / image.shape[0])


def portraits(people: Path, faces: Run, most: int = ROWS) -> dict[str, np.ndarray]:
    """Return the portraits of a pack by name, (H, W, 3) uint8 RGB, largest faces first.

    Raises:
        SourceNotFoundError: the pack holds none back.
    """
    images = {known.name: known.pixels[..., ::-1] for known in known_pictures([people])}
    shares = {name: face_share(faces, image) for name, image in images.items()}
    names = sorted((name for name in images if shares[name] >= _LEAST_FACE), key=lambda name: -shares[name])
    if not names:
        raise SourceNotFoundError(
            f"{people.name} holds no portraits back; name another pack of people with --people."
        )
    return {name: images[name] for name in names[:most]}


def mask_of(look: Look, image: np.ndarray) -> np.ndarray:
    """Return the mask (H, W) float32 in 0..1 of an (H, W, 3) uint8 RGB image."""
    pixels = torch.from_numpy(np.ascontiguousarray(image)).permute(2, 0, 1)[None].float() / 255
    mask = F.interpolate(look(pixels), size=image.shape[:2], mode="bilinear", align_corners=False)
    return mask[0, 0].clamp(0, 1).numpy()


def cut_out(image: np.ndarray, mask: np.ndarray) -> np.ndarray:
    """Return an image with what a mask leaves out replaced by a plain color."""
    return (image * mask[..., None] + _GROUND * (1 - mask[..., None])).round().astype(np.uint8)


def look_of(path: Path) -> Look:
    """Return a mask as a function of an image: the selfie segmentation, or one that the project exported."""
    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    has_colors_last = session.get_inputs()[0].shape[-1] == 3
    return rival_look(path) if has_colors_last else student_look(path)


def make_sheets(people: Path, looks: dict[str, Look], faces: Run, out: Path, seed: int) -> None:
    """Write sheet_1.jpg and so on, and key.json: by row its image's name and the networks' names, left first."""
    drawn = random.Random(seed)
    key: dict[str, list[str]] = {}
    made = []
    for number, (name, image) in enumerate(portraits(people, faces).items(), 1):
        sides = drawn.sample(list(looks), len(looks))
        key[str(number)] = [name, *sides]
        masks = [mask_of(looks[side], image) for side in sides]
        shown = [
            sheets.of_height(each, HEIGHT) for each in (image, *(cut_out(image, mask) for mask in masks))
        ]
        made.append(sheets.captioned(sheets.row(shown), f"row {number}"))
    for first in range(0, len(made), EACH):
        sheets.write(out / f"sheet_{first // EACH + 1}.jpg", sheets.rows(made[first : first + EACH]), 90)
    (out / "key.json").write_text(json.dumps(key, indent=1), "utf-8")


def count(choices: Path, key: dict[str, list[str]]) -> Counter[str]:
    """Return how often one reviewer preferred each network, and how often neither ("same").

    Raises:
        UsageError: a row is missing, unknown, or has another answer than left, right or same.
    """
    given = json.loads(choices.read_text("utf-8"))
    if not isinstance(given, dict) or set(given) != set(key) or any(x not in CHOICES for x in given.values()):
        raise UsageError(
            f"{choices.name} does not answer rows 1 to {len(key)}; write left, right or same for each of them."
        )
    names = {name for _, *sides in key.values() for name in sides}
    found = Counter(dict.fromkeys([*sorted(names), "same"], 0))
    for number, side in given.items():
        found["same" if side == "same" else key[number][1 + CHOICES.index(side)]] += 1
    return found


def main(arguments: list[str] | None = None) -> int:
    """Exit status 0, or 1 with one sentence."""
    assert __doc__
    parser = argparse.ArgumentParser(
        prog="python -m training.mask.compare", description=__doc__.splitlines()[0]
    )
    parser.add_argument("what", choices=("sheets", "count"))
    parser.add_argument("choices", type=Path, nargs="*", help="files of choices, one for each reviewer")
    parser.add_argument("--student", type=Path, default=Path("assets/models/person_mask.onnx"))
    parser.add_argument(
        "--rival",
        type=Path,
        default=Path("../shared/models/segment/obs_selfie_segmentation.onnx"),
        help="the selfie segmentation, or another exported mask",
    )
    parser.add_argument("--people", type=Path, default=Path("out/training/people.npz"))
    parser.add_argument("--faces", type=Path, default=FACES)
    parser.add_argument("--out", type=Path, default=Path("out/compare"))
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_intermixed_args(arguments)  # files may follow options
    try:
        if options.what == "sheets":
            looks = {"mask": look_of(options.student), "rival": look_of(options.rival)}
            make_sheets(options.people, looks, face_teacher(options.faces), options.out, options.seed)
        else:
            key = json.loads((options.out / "key.json").read_text("utf-8"))
            _report(options.choices, key)
    except LightloomError as error:
        print(f"training: {error}", file=sys.stderr)
        return 1
    return 0


def _report(files: Sequence[Path], key: dict[str, list[str]]) -> None:
    for path in files:
        found = count(path, key)
        print(f"{path.name}: " + ", ".join(f"{name} {times}" for name, times in found.items()))


if __name__ == "__main__":
    raise SystemExit(main())
