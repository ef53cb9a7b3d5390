"""Measure the person mask beside its teacher on the people clips held back.

    python -m training.mask.evaluate assets/models/person_mask.onnx

Per clip: intersection over union with the teacher's mask, and flicker (mean absolute change of the mask
between consecutive packed frames, which are two video frames apart) of both, without and with exponential
smoothing over time.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Final

import numpy as np
import onnxruntime
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from desktop.base.errors import LightloomError
from desktop.vision.models.builtin import Statement, read_builtin
from training.common import checkpoint
from training.common.data import HELD, Pictures, read_pack
from training.common.people import TRUE_MASK, People
from training.mask.model import LONGER, MULTIPLE, bundled, mask_of, size_for, stretched, working_size
from training.mask.teacher import SIDE, Teacher

SMOOTHING: Final = 0.6
"""Weight of the mask before in the smoothed one."""
Masks = Callable[[Tensor, tuple[int, int]], Tensor]


@dataclass(frozen=True)
class ClipFigures:
    """One clip's figures; flicker is in units of the mask's range 0..1."""

    clip: str
    frames: int
    overlap: float
    flicker: float
    flicker_smoothed: float
    flicker_teacher: float


def overlap(mask: Tensor, wanted: Tensor) -> Tensor:
    """Return (B,) intersections over unions of (B, 1, H, W) masks cut at 0.5; 1 where both are empty."""
    a, b = mask > 0.5, wanted > 0.5
    either = (a | b).sum(dim=(1, 2, 3)).float()
    return torch.where(either > 0, (a & b).sum(dim=(1, 2, 3)) / either.clamp(min=1), 1.0)


def smoothed(masks: Tensor, keep: float = SMOOTHING) -> Tensor:
    """Return (T, 1, H, W) masks, each blended with the smoothed one before it: m[t] = keep m[t-1] + (1 -
    keep) x[t].
    """
    out = [masks[0]]
    for mask in masks[1:]:
        out.append(torch.lerp(mask, out[-1], keep))
    return torch.stack(out)


def flicker(masks: Tensor) -> float:
    """Return the mean absolute change between consecutive masks."""
    return float(masks.diff(dim=0).abs().mean()) if len(masks) > 1 else 0.0


def clips(pictures: Pictures) -> dict[str, list[int]]:
    """Return the pictures of each clip, by name and in order; names are `clip_<clip>_<frame>`."""
    found: dict[str, list[int]] = {}
    for index, name in enumerate(pictures.names):
        found.setdefault(name.removeprefix("clip_").rpartition("_")[0], []).append(index)
    return found


@torch.no_grad()
def per_clip(
    masks: Masks,
    teacher: nn.Module,
    held: Pictures,
    sized: Callable[[int, int], tuple[int, int]] = working_size,
) -> list[ClipFigures]:
    """Return the figures of each clip, whose pictures the network sees at the size that `sized` gives."""
    figures = []
    for clip, numbers in clips(held).items():
        index = torch.tensor(numbers, device=held.device)
        height, width = (int(n) for n in held.sizes[numbers[0]])
        views = held.stretched(index, SIDE)
        wanted = torch.cat([teacher(part) for part in views.split(32)])
        got = torch.cat([masks(part, sized(height, width)) for part in views.split(32)])
        figures.append(
            ClipFigures(
                clip,
                len(numbers),
                float(overlap(got, wanted).mean()),
                flicker(got),
                flicker(smoothed(got)),
                flicker(wanted),
            )
        )
    return figures


def compared(student: nn.Module, teacher: nn.Module, held: Pictures) -> dict[str, float]:
    """Return each clip's overlap and the mean flicker ratio to the teacher's: what the training reports."""
    figures = per_clip(lambda x, size: mask_of(student, x, size), teacher, held, size_for(student))
    ratio = float(np.mean([f.flicker / max(f.flicker_teacher, 1e-6) for f in figures]))
    return {**{f"iou_{f.clip}": f.overlap for f in figures}, "flicker_ratio": ratio}


def true_pairs(people: People) -> Iterator[tuple[Tensor, Tensor]]:
    """Yield each picture with a true mask that shows a person: (1, 3, H, W) in 0..1, and its (1, 1, H, W) mask."""
    for number in torch.nonzero(people.mask_kind == TRUE_MASK)[:, 0].tolist():
        height, width = (int(n) for n in people.pictures.sizes[number])
        wanted = people.masks[number, :height, :width][None, None].float() / 255
        if (wanted > 0.5).any():
            yield people.pictures.canvas[number, :, :height, :width][None].float() / 255, wanted


@torch.no_grad()
def true_overlap(student: nn.Module, people: People) -> float:
    """Return the mean overlap with the true masks of the pictures that have one and show a person."""
    found = []
    for pixels, wanted in true_pairs(people):
        size = (wanted.shape[2], wanted.shape[3])
        logits = student(stretched(pixels, size_for(student)(*size))).float()
        mask = F.interpolate(logits, size=size, mode="bilinear", align_corners=False).sigmoid()
        found.append(float(overlap(mask, wanted)))
    return float(np.mean(found)) if found else 0.0


def stated_size(path: Path) -> Callable[[int, int], tuple[int, int]]:
    """Return the function from a picture's (height, width) to the size that the settings beside an exported
    network ask for.
    """
    table = path.with_suffix(".toml")
    stated = read_builtin(table).statement if table.exists() else Statement()
    return partial(working_size, longer=stated.working or LONGER, multiple=stated.multiple or MULTIPLE)


def _exported(path: Path) -> Masks:
    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])

    def run(pictures: Tensor, size: tuple[int, int]) -> Tensor:
        small = (2 * stretched(pictures, size) - 1).numpy().astype(np.float16)
        rows = [session.run(None, {"image": x[None]})[0] for x in small]
        masks = torch.from_numpy(np.concatenate(rows).astype(np.float32))
        return F.interpolate(masks, size=(SIDE, SIDE), mode="bilinear", align_corners=False)

    return run


def _checkpoint(path: Path) -> Masks:
    student = bundled()
    checkpoint.begin(student, path)
    student.eval()
    return lambda x, size: mask_of(student, x, size)


def table(figures: list[ClipFigures]) -> str:
    """Return the figures as a Markdown table."""
    rows = [
        f"| {f.clip} | {f.frames} | {f.overlap:.3f} | {f.flicker:.4f} | {f.flicker_smoothed:.4f} | {f.flicker_teacher:.4f} |"
        for f in figures
    ]
    head = "| clip | frames | IoU to the teacher | flicker | smoothed | teacher's flicker |\n| --- | --- | --- | --- | --- | --- |"
    return "\n".join([head, *rows])


def main(arguments: list[str] | None = None) -> int:
    """Print the table; exit status 0, or 1 with one sentence."""
    parser = argparse.ArgumentParser(
        prog="python -m training.mask.evaluate", description=__doc__.splitlines()[0]
    )
    parser.add_argument("student", type=Path, help="an exported .onnx, or a checkpoint")
    parser.add_argument("--data", type=Path, default=Path("out/training/mask.npz"), help="pack of pictures")
    parser.add_argument(
        "--teacher", type=Path, default=Path("../shared/models/segment/obs_selfie_segmentation.onnx")
    )
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(arguments)
    try:
        held = read_pack(options.data, HELD, torch.device("cpu"))
        if options.student.suffix == ".onnx":
            mine, sized = _exported(options.student), stated_size(options.student)
        else:
            mine, sized = _checkpoint(options.student), working_size
        figures = per_clip(mine, Teacher(options.teacher), held, sized)
    except LightloomError as error:
        print(f"training: {error}", file=sys.stderr)
        return 1
    print(json.dumps([asdict(f) for f in figures], indent=1) if options.json else table(figures))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
