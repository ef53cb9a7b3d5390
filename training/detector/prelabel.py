"""Write boxes of persons into packs of pictures, by networks, before a training.

    python -m training.detector.prelabel PACK... --out FOLDER --nanodet nanodet_640.onnx nanodet_832.onnx \
        [--persons yolox_nano.onnx] [--leave-out NAMES.txt]

Two networks, better together than the detector's teacher alone, see each picture and its mirror image at two sizes;
`fusion.py` joins what they find. A picture without annotations (`known` is 0; boxes of it are dropped) gets persons
where they are sure, and crowds, where no true box is learned, where they are not. An annotated one keeps its boxes and
gets crowds where they see somebody whom no box covers: VOC, for one, leaves small persons out. COCO's annotations are
complete, those pictures stay as they are, and so do pictures held back. A name in NAMES.txt, one a line, is neither
trained nor measured from then on.

The networks are YOLOX-nano of OpenCV's zoo and NanoDet-Plus (RangiLyu/nanodet), both Apache-2.0; `teacher.NanoDet` says
which export. It has a fixed size (`--input_shape 640,640`), hence a file for each.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from desktop.base.errors import LightloomError, SourceNotFoundError, UsageError
from training.common.data import LEFT_OUT, TRAIN, Pictures, read_pack
from training.common.people import CROWD, GRAY, PERSON
from training.detector.assignment import cell_places, corners
from training.detector.boxes import Found, suppressed
from training.detector.fusion import fused, mirrored
from training.detector.teacher import PERSONS, NanoDet, Persons

_YOLOX_SIDES: Final = (544, 832)
"""Sizes at which YOLOX-nano looks; those of NanoDet-Plus are in its files."""
_LEAST_SEEN: Final = 0.02
"""Score from which on a box of one look counts."""
_SURE: Final = 0.4
_DOUBTED: Final = 0.12
"""Scores from which on what is found without annotations is a person, or a crowd."""
_MISSED: Final = 0.35
"""Score from which on what is found beside annotations is a crowd."""
_COVERED: Final = 0.4
"""Share of a found box that lies in an annotated one, above which it is of that person, or of a part."""
_LEAST_SIDE: Final = 2.0
"""Width and height in pixels of the smallest box."""
_COMPLETE: Final = "coco_"
"""Names of annotated pictures in which nobody is missing begin like this."""
_STEP: Final = 64
"""Sides of the padded input are multiples of this: with few sizes cuDNN chooses algorithms once, not for each image."""
_BATCH: Final = 64
"""Pictures at a time on a GPU."""
_UNKNOWN: Final = {"known": np.uint8, "mask_kind": np.uint8, "mask_ends": np.int64}
_EMPTY: Final = {"boxes": np.zeros((0, 6), np.float32), "mask_data": np.zeros(0, np.uint8)}
"""Arrays that a pack without annotations lacks (training/common/people.py): those of `_UNKNOWN` get a zero for each
image, those of `_EMPTY` are empty.
"""

Network = Callable[[Tensor], tuple[Tensor, Tensor]]
"""(B, 3, S, S) float32 R'G'B' in 0..1 -> scores (B, cells) of persons in 0..1 and corners (B, cells, 4) in pixels."""


@dataclass(frozen=True)
class Look:
    """A network and the width and height in pixels at which it sees a canvas and its mirror image."""

    network: Network
    side: int


def yolox(path: Path, device: torch.device, dtype: torch.dtype) -> Network:
    """Return YOLOX-nano as a `Network`, for sides that 32 divides."""
    persons = Persons(path, dtype).to(device)

    def network(x: Tensor) -> tuple[Tensor, Tensor]:
        scores, raw, _ = persons(x)
        return scores, corners(raw, cell_places(x.shape[3], x.shape[2], x.device))

    return network


def looks_of(persons: Path, nanodet: Sequence[Path], device: torch.device) -> list[Look]:
    """Return the looks of both networks. Raises ModelInvalidError, ModelUnsupportedError."""
    dtype = torch.float16 if device.type == "cuda" else torch.float32
    first = yolox(persons, device, dtype)
    others = [NanoDet(path, dtype).to(device) for path in nanodet]
    return [Look(first, side) for side in _YOLOX_SIDES] + [Look(each, each.side) for each in others]


def canvases(pictures: Pictures, index: Tensor) -> Tensor:
    """Return (B, 3, S, S) float32 in 0..1: pictures at the upper left of gray squares of the whole pack's size."""
    height, width = pictures.canvas.shape[2:]
    side = -(-max(height, width) // _STEP) * _STEP
    shown = F.pad(pictures.canvas[index].float() / 255, (0, side - width, 0, side - height))
    place = torch.arange(side, device=shown.device)
    down, across = (place < pictures.sizes[index, n, None] for n in (0, 1))
    return torch.where((down[:, :, None] & across[:, None])[:, None], shown, GRAY)


@torch.no_grad()
def seen(looks: Sequence[Look], x: Tensor) -> list[Found]:
    """Return the persons that all looks together find on each of (B, 3, S, S) canvases, in their pixels."""
    count, side = len(x), x.shape[3]
    by_canvas: list[list[Found]] = [[] for _ in range(count)]
    for look in looks:
        size = (look.side, look.side)
        y = F.interpolate(x, size, mode="bilinear", antialias=look.side < side)
        scores, boxes = (each.cpu().numpy() for each in look.network(torch.cat([y, y.flip(3)])))
        for row in range(2 * count):
            found = suppressed(boxes[row] * (side / look.side), scores[row], _LEAST_SEEN)
            by_canvas[row % count].append(found if row < count else mirrored(found, side))
    return [fused(each) for each in by_canvas]


def covered(boxes: np.ndarray, truths: np.ndarray) -> np.ndarray:
    """Return (N,): the largest share of each of (N, 4) boxes that one of (M, 4) others has in it."""
    low, high = np.maximum(boxes[:, None, :2], truths[:, :2]), np.minimum(boxes[:, None, 2:], truths[:, 2:])
    inside = (high - low).clip(min=0).prod(2).max(1, initial=0.0)
    return np.asarray(inside / np.maximum((boxes[:, 2:] - boxes[:, :2]).prod(1), 1e-9))


def completed(found: Found, truths: np.ndarray | None, width: float, height: float) -> np.ndarray:
    """Return what is known of a picture from now on, (M, 5) corners and `PERSON` or `CROWD`: `truths`, its (N, 5)
    annotated boxes or None, and what the looks add to them.
    """
    boxes = np.clip(found.boxes, 0, [width, height, width, height])
    kept = (boxes[:, 2:] - boxes[:, :2]).min(1, initial=np.inf) >= _LEAST_SIDE
    kept &= found.scores >= (_DOUBTED if truths is None else _MISSED)
    if truths is None:
        truths, kinds = np.zeros((0, 5)), np.where(found.scores >= _SURE, PERSON, CROWD)
    else:
        kept &= covered(found.boxes, truths[:, :4]) <= _COVERED
        kinds = np.full(len(boxes), CROWD)
    return np.concatenate([truths, np.column_stack([boxes, kinds])[kept]]).astype(np.float32)


def labeled(
    path: Path, looks: Sequence[Look], device: torch.device, left_out: frozenset[str]
) -> dict[str, Any]:
    """Return the arrays of a pack with the boxes that the looks add (training/common/people.py).

    Raises:
        SourceNotFoundError: no pack there, or nothing to train on in it.
        SourceDamagedError: a picture in it cannot be decoded.
    """
    pictures, loaded = read_pack(path, TRAIN, device), np.load(path)
    names, numbers = [str(name) for name in loaded["names"]], np.flatnonzero(loaded["part"] == TRAIN)
    unknown = {name: np.zeros(len(names), kind) for name, kind in _UNKNOWN.items()}
    pack: dict[str, Any] = {**unknown, **_EMPTY, **loaded}
    rows = {n: pack["boxes"][pack["boxes"][:, 0] == n, 1:] for n in range(len(names))}
    is_asked = [not (pack["known"][n] and names[n].startswith(_COMPLETE)) for n in numbers]
    for places in torch.from_numpy(np.flatnonzero(is_asked)).split(_BATCH if device.type == "cuda" else 1):
        all_found = seen(looks, canvases(pictures, places.to(device)))
        for place, found in zip(places.tolist(), all_found, strict=True):
            number, (height, width) = int(numbers[place]), pictures.sizes[place].tolist()
            rows[number] = completed(found, rows[number] if pack["known"][number] else None, width, height)
    pack["known"][numbers] = 1
    pack["part"][[name in left_out for name in names]] = LEFT_OUT
    table = [np.column_stack([np.full(len(row), number), row]) for number, row in rows.items()]
    return {**pack, "boxes": np.concatenate(table).astype(np.float32)}


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the command line and write the packs; return the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m training.detector.prelabel", description=(__doc__ or "").splitlines()[0]
    )
    add = parser.add_argument
    add("packs", type=Path, nargs="+", help="packs of pictures, with annotations or without")
    add("--out", type=Path, required=True, help="folder for packs of the same names")
    add("--persons", type=Path, default=PERSONS, help="YOLOX-nano")
    add("--nanodet", type=Path, nargs="+", required=True, help="NanoDet-Plus, a file for each size")
    add("--leave-out", type=Path, help="file with the names of pictures to leave out, one a line")
    options = parser.parse_args(arguments)
    try:
        if options.out.resolve() in {path.resolve().parent for path in options.packs}:
            raise UsageError("The packs would replace themselves; give another folder with --out.")
        if len({path.name for path in options.packs}) < len(options.packs):
            raise UsageError(
                "Packs of one name would replace each other in --out; rename them, or label one at a time."
            )
        if options.leave_out and not options.leave_out.exists():
            raise SourceNotFoundError(
                f"There is no {options.leave_out}; give a list of names with --leave-out."
            )
        left_out = frozenset(options.leave_out.read_text("utf-8").splitlines() if options.leave_out else ())
        device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        looks = looks_of(options.persons, options.nanodet, device)
        options.out.mkdir(parents=True, exist_ok=True)
        for path in options.packs:
            made = labeled(path, looks, device, left_out)
            np.savez(options.out / path.name, **made)
            kinds = made["boxes"][:, 5]
            amounts = f"{(kinds == PERSON).sum()} persons, {(kinds == CROWD).sum()} crowds"
            if left_out:
                amounts += f", {(made['part'] == LEFT_OUT).sum()} pictures left out"
            print(f"{options.out / path.name}: {len(made['names'])} pictures, {amounts}", flush=True)
    except LightloomError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
