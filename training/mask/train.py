"""Distil the selfie segmentation into the person mask.

    python -m training.mask.train --minutes 3 --decay --out out/training/mask.ckpt

Of the pictures 3/8 are composites: what the teacher cuts out of one view is pasted on another, so that the
student sees people before far more backgrounds than there are photographs; 1/8 are mosaics of four views, for
small people. The teacher judges what the student sees, composites and mosaics too (function matching, Beyer
et al. 2022): with the union of two views' masks for a composite's, the student was taught where its teacher
would not have answered so.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path
from typing import Final

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from training.common import command
from training.common.data import HELD, TRAIN, Augment, Pictures, read_pack, recolored
from training.common.loop import Objective, Trainer
from training.common.world import World
from training.mask.evaluate import compared
from training.mask.model import PersonMask, stretched, tiny
from training.mask.teacher import SIDE, Teacher

SHAPES: Final = ((144, 256), (192, 256), (256, 144), (256, 256))
"""(height, width) of the training pictures, in turn: the cameras' shapes and a square."""
_DEFAULTS: Final = command.Defaults(
    "mask", Path("../shared/models/segment/obs_selfie_segmentation.onnx"), 256, 50_000, 100_000, 0.3, 20.0
)
_AUGMENT: Final = Augment(scale=(0.15, 1.0), ratio=1.25, turn=12.0, hue=0.15, soften=0.6)


def losses(logits: Tensor, wanted: Tensor) -> dict[str, Tensor]:
    """Return the losses of (B, 1, H, W) logits beside a teacher's probabilities.

    `cross`: cross-entropy, pixels near the mask's edge weighing five times as much. `overlap`: 1 - the soft
    intersection over union of each picture (Rahman and Wang 2016). `edge`: mean absolute difference of the
    masks' gradients.
    """
    logits, wanted = logits.float(), wanted.float()
    spread = F.max_pool2d(wanted, 5, 1, 2) + F.max_pool2d(-wanted, 5, 1, 2)
    weight = 1 + 4 * spread
    cross = (weight * F.binary_cross_entropy_with_logits(logits, wanted, reduction="none")).mean()
    # The least that any prediction can reach, so that 0 is perfect.
    floor = (weight * F.binary_cross_entropy(wanted, wanted, reduction="none")).mean()
    mask = torch.sigmoid(logits)
    both = (mask * wanted).sum(dim=(1, 2, 3))
    either = (mask + wanted - mask * wanted).sum(dim=(1, 2, 3))
    pixels = wanted[0].numel()
    overlap = (1 - (both + 0.001 * pixels) / (either + 0.001 * pixels)).mean()
    edge = torch.stack([(mask.diff(dim=d) - wanted.diff(dim=d)).abs().mean() for d in (2, 3)]).sum()
    loss = cross - floor + overlap + 2 * edge
    return {"loss": loss, "cross": cross - floor, "overlap": overlap, "edge": edge}


def objective(
    pictures: Pictures,
    teacher: nn.Module,
    student: nn.Module,
    shapes: tuple[tuple[int, int], ...],
    generator: torch.Generator,
    compiled: bool,
) -> Objective:
    """Return the function that draws a batch and gives its losses."""
    device = pictures.device
    cuda = device.type == "cuda"
    change = torch.compile(recolored) if compiled else recolored

    def drawn(count: int) -> tuple[Tensor, Tensor]:
        shape = shapes[int(torch.randint(len(shapes), (1,)))]
        augment = replace(_AUGMENT, aspect=shape[1] / shape[0])
        views = pictures.views(pictures.chosen(count, generator), SIDE, augment, generator)
        views = change(views, torch.rand(count, 6, generator=generator, device=device), augment)
        masks = teacher(views)
        pasted, tiled = count * 3 // 8, count // 8
        composites = torch.lerp(views[-pasted:], views[:pasted], masks[:pasted])
        quarters = F.avg_pool2d(views, 2)
        rows = [torch.cat([quarters[:tiled].roll(n, 0), quarters[-tiled:].roll(n, 0)], 3) for n in (0, 1)]
        made = torch.cat([composites, torch.cat(rows, 2)])
        views = torch.cat([made, views[len(made) :]])
        masks = torch.cat([teacher(made), masks[len(made) :]])
        return stretched(views, shape), stretched(masks, shape).clamp(0, 1)

    def batch_losses(count: int) -> dict[str, Tensor]:
        with torch.no_grad():
            views, wanted = drawn(count)
        with torch.autocast(device.type, torch.bfloat16, enabled=cuda):
            logits = student(views.contiguous(memory_format=torch.channels_last))
        return losses(logits, wanted)

    return batch_losses


def parser() -> argparse.ArgumentParser:
    """The command line."""
    return command.parser("training.mask.train", __doc__.splitlines()[0], _DEFAULTS)


def trainer(options: argparse.Namespace, clock: float, world: World) -> Trainer:
    """Build everything that the command line asks for."""
    generator, device, is_tiny = command.prepare(options, world), world.device, options.tiny
    student = tiny() if is_tiny else PersonMask()
    student = student.to(device, memory_format=torch.channels_last)
    teacher = Teacher(options.teacher).to(device)
    runs: nn.Module = student
    taught: nn.Module = teacher
    if options.compile:  # a program for each of the shapes
        runs, taught = torch.compile(student, dynamic=False), torch.compile(teacher, dynamic=False)
    pictures = read_pack(options.data, TRAIN, device, most=6 if is_tiny else None)
    held = read_pack(options.data, HELD, device, most=3 if is_tiny else None)
    shapes = ((48, 64),) if is_tiny else SHAPES
    return command.assembled(
        options,
        clock,
        world,
        generator,
        student,
        nn.Module(),
        objective(pictures, taught, runs, shapes, generator, options.compile),
        lambda module: compared(module, teacher, held),
    )


def main(arguments: list[str] | None = None) -> int:
    """Train; exit status 0, or 1 with one sentence."""
    return command.run(parser(), trainer, arguments)


if __name__ == "__main__":
    raise SystemExit(main())
