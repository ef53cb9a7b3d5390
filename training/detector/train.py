"""Distil YOLOX-nano's persons and YuNet's faces into the detector.

    python -m training.detector.train --minutes 9 --out out/training/detector.ckpt
    python -m training.detector.train --minutes 9 --resume out/training/detector.ckpt --decay --out out/training/detector_final.ckpt

Teachers and student see the same view (Beyer et al. 2022), and their grids agree cell by cell. So the
teachers' scores are the student's targets as they are, and no box has to be assigned to cells (as SimOTA does
in YOLOX, Ge et al. 2021): the teachers' doubt is in them, also about a person cut by the view's edge. Losses:
cross-entropy weighted by how wrong a score is (Li et al. 2020, "Generalized focal loss"), generalized IoU of
the boxes weighted by the teacher's score (Rezatofighi et al. 2019), and the error of predicting the maps that
YOLOX-nano's heads read (Romero et al. 2015): what it knows of 80 classes.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Final

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from training.classifier.train import unexplained
from training.common import command
from training.common.data import TRAIN, Augment, drawn, recolored
from training.common.loop import Objective, Trainer
from training.common.people import (
    People,
    Views,
    fewer,
    joined,
    overlaid,
    people_views,
    read_people,
    tiled,
)
from training.common.world import World
from training.detector.assignment import assignment, cell_places, true_losses, trusted
from training.detector.boxes import average_precision
from training.detector.model import HEIGHT, KINDS, WIDTH, Detector, tiny
from training.detector.teacher import FACES, PERSONS, Faces, Persons, Teachers
from training.detector.truth import PAD, Judged, Run, found_or_nothing, read_judged
from training.detector.weights import begin

_DEFAULTS: Final = command.Defaults("detector", PERSONS, 192, 20_000, 100_000, 0.35, 30.0)
_LEAST_TAUGHT: Final = 0.05
"""Boxes of a lower score are not learned: they are of nothing."""
_OFTEN: Final = ("people_", "coco_")
"""Prefixes of the names of images that are drawn more often than others."""
_OFTEN_FACTOR: Final = 2
"""Factor by which images with these prefixes are drawn more often than the others."""
_MOST: Final = 40
"""Boxes of a view; the smallest further ones are left out."""
_FARTHER: Final = 0.25
"""Share of the views that show a whole picture with gray around it."""
AUGMENT: Final = Augment(
    scale=(0.15, 1.0),
    ratio=1.4,
    turn=4.0,
    light=0.35,
    contrast=0.35,
    saturation=0.5,
    hue=0.2,
    gray=0.1,
    soften=0.8,
)


def drawn_views(
    people: People,
    pool: Tensor,
    count: int,
    size: int,
    mosaic: float,
    generator: torch.Generator,
    overlay: float = 0.0,
) -> Views:
    """Return views of (size, size) with room for `_MOST` boxes each.

    For small things a share of them are mosaics of four views of half the size (Bochkovskiy et al. 2020), and
    some of both show a whole picture from a distance. A share `overlay` of both have a rectangle of another one.
    """

    def views(number: int, side: int) -> Views:
        index = pool[torch.randint(len(pool), (number,), generator=generator, device=pool.device)]
        return people_views(people, index, (side, side), AUGMENT, _FARTHER, generator)

    mosaics = round(count * mosaic)
    made = fewer(views(count - mosaics, size), _MOST)
    if mosaics:
        made = joined(made, fewer(tiled(views(4 * mosaics, size // 2)), _MOST))
    return fewer(overlaid(made, overlay, generator), _MOST) if overlay else made


def drawn_from(people: People) -> Tensor:
    """Return the numbers of the pictures to draw from, those of `_OFTEN` several times."""
    device = people.boxes.device
    everything = torch.arange(len(people), device=device)
    drawn_more = torch.tensor([name.startswith(_OFTEN) for name in people.pictures.names], device=device)
    return torch.cat([everything, *[everything[drawn_more]] * (_OFTEN_FACTOR - 1)])


def banded(x: Tensor, draws: Tensor, share: float = 0.3) -> Tensor:
    """Return the views, a share of them with gray bands at two opposite edges, as a letterboxed picture has.
    `draws`: (B, 4) in 0..1.
    """
    height, width = x.shape[2:]
    across = (torch.arange(width, device=x.device) + 0.5) / width
    down = (torch.arange(height, device=x.device) + 0.5) / height
    wide = 0.25 * draws[:, 1] * (draws[:, 0] < share)
    upright = draws[:, 2] < 0.5
    first, last = 2 * wide * draws[:, 3], 1 - 2 * wide * (1 - draws[:, 3])
    in_x = (across < first[:, None]) | (across > last[:, None])
    in_y = (down < first[:, None]) | (down > last[:, None])
    gray = torch.where(upright[:, None, None], in_x[:, None, :], in_y[:, :, None])
    return torch.where(gray[:, None], PAD / 255, x)


def prepared(x: Tensor, draws: Tensor) -> Tensor:
    """Return the views recolored and banded. `draws`: (B, 10) in 0..1."""
    return banded(recolored(x, draws[:, :6], AUGMENT), draws[:, 6:])


class Distillation(nn.Module):
    """(views in -1..1, the teacher's maps) -> (B, COLUMNS, cells) as the grids have them, and the error of the
    predicted maps.
    """

    def __init__(self, student: Detector, heads: nn.ModuleList) -> None:
        super().__init__()
        self.student, self.heads = student, heads

    def forward(self, x: Tensor, maps: list[Tensor]) -> tuple[Tensor, Tensor]:
        """See the class."""
        mine = self.student.features(x)
        table = torch.cat([grid.flatten(2) for grid in self.student.grids(mine)], 2).float()
        errors = [unexplained(head(a), b) for head, a, b in zip(self.heads, mine, maps, strict=True)]
        return table, torch.stack(errors).mean()


def losses(
    logits: Tensor, raw: Tensor, scores: Tensor, boxes: Tensor, taught: Tensor | None = None
) -> dict[str, Tensor]:
    """Return the losses of (B, K, cells) logits and (B, K, 4, cells) boxes beside the teachers'; `taught`:
    (B, K, cells) weights of the cells, 1 where it is missing.
    """
    parts, total = {}, logits.new_zeros(())
    probability = logits.detach().sigmoid()
    cross = F.binary_cross_entropy_with_logits(logits, scores, reduction="none")
    cross = cross * (scores - probability).abs().square()
    weight = torch.where(scores > _LEAST_TAUGHT, scores, 0.0)
    if taught is not None:
        cross, weight = cross * taught, weight * taught
    overlap = 1 - generalized_iou(raw, boxes)
    for place, kind in enumerate(KINDS):
        amount = weight[:, place].sum().clamp(min=1.0)
        score = cross[:, place].sum() / amount
        box = (weight[:, place] * overlap[:, place]).sum() / amount
        parts[f"{kind}_score"], parts[f"{kind}_box"] = score, box
        total = total + 4 * score + box
    return {"loss": total, **parts}


def generalized_iou(a: Tensor, b: Tensor) -> Tensor:
    """Return (...) generalized IoU of boxes (..., 4, cells) of the same cells: x, y of the middle and log
    sizes, in cells.
    """
    half_a, half_b = a[..., 2:, :].clamp(max=6).exp() / 2, b[..., 2:, :].clamp(max=6).exp() / 2
    low_a, high_a = a[..., :2, :] - half_a, a[..., :2, :] + half_a
    low_b, high_b = b[..., :2, :] - half_b, b[..., :2, :] + half_b
    inside = (torch.minimum(high_a, high_b) - torch.maximum(low_a, low_b)).clamp(min=0).prod(-2)
    around = (torch.maximum(high_a, high_b) - torch.minimum(low_a, low_b)).prod(-2)
    union = (2 * half_a).prod(-2) + (2 * half_b).prod(-2) - inside
    return inside / (union + 1e-7) - (around - union) / (around + 1e-7)


def objective(
    people: People,
    teachers: nn.Module,
    distillation: nn.Module,
    options: argparse.Namespace,
    size: int,
    generator: torch.Generator,
) -> Objective:
    """Return the function that draws a batch and gives its losses."""
    change: Callable[[Tensor, Tensor], Tensor] = torch.compile(prepared) if options.compile else prepared
    device = people.boxes.device
    cuda = device.type == "cuda"
    pool = drawn_from(people)
    cells = cell_places(size, size, device)

    def batch(count: int) -> dict[str, Tensor]:
        with torch.no_grad():
            views = drawn_views(people, pool, count, size, options.mosaic, generator, options.overlay)
            pixels = change(views.pixels, drawn(count, generator))
            scores, boxes, maps = teachers(pixels)
            x = (2 * pixels - 1).contiguous(memory_format=torch.channels_last)
        with torch.autocast(device.type, torch.bfloat16, enabled=cuda):
            table, error = distillation(x, maps)
        kinds = len(KINDS)
        logits, raw = table[:, 4 * kinds :], table[:, : 4 * kinds].reshape(count, kinds, 4, -1)
        with torch.no_grad():
            taught = trusted(scores, boxes, views, cells, options.doubt)
            assigned = assignment(logits[:, 0], raw[:, 0], views, cells)
        parts = losses(logits, raw, scores, boxes, taught)
        true = true_losses(logits[:, 0], raw[:, 0], assigned, cells)
        loss = parts.pop("loss") + options.true * true["loss"] + options.maps * error
        return {
            "loss": loss,
            **parts,
            "true_score": true["score"],
            "true_box": true["box"],
            "maps": error,
        }

    return batch


def student_run(student: nn.Module, kind: str, device: torch.device) -> Run:
    """Return a checkpoint's student as a function of `truth.looked`."""
    place, kinds = KINDS.index(kind), len(KINDS)

    @torch.no_grad()
    def run(canvas: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        x = torch.from_numpy(np.ascontiguousarray(canvas[..., ::-1].transpose(2, 0, 1)))[None].to(device)
        grids = student((2 * x.float() / 255 - 1).contiguous(memory_format=torch.channels_last))
        table = torch.cat([grid[0].float().flatten(1) for grid in grids], 1).cpu().numpy()
        scores = 1 / (1 + np.exp(-table[4 * kinds + place].astype(np.float64)))
        return table[4 * place : 4 * place + 4], scores

    return run


def compared(student: nn.Module, held: list[Judged], device: torch.device) -> dict[str, float]:
    """Return AP50 on the pictures held back, by kind and by whose boxes they are."""
    figures = {}
    for kind in KINDS:
        run = student_run(student, kind, device)
        for name, by_teacher in (("true", False), ("teacher", True)):
            mine = [p for p in held if kind in p.truths and (kind in p.by_teacher) == by_teacher]
            found = [found_or_nothing(p, kind, run, WIDTH, HEIGHT, 0.02) for p in mine]
            figures[f"{kind}_{name}"] = average_precision(found, [p.truths[kind] for p in mine])
    return figures


def parser() -> argparse.ArgumentParser:
    """The command line."""
    made = command.parser("training.detector.train", __doc__.splitlines()[0], _DEFAULTS)
    add = made.add_argument
    add("--faces", type=Path, default=FACES, help="the teacher of faces; --teacher is that of persons")
    pictures = [Path("out/training/classifier.npz")]
    add("--pictures", type=Path, nargs="+", default=pictures, help="packs to train on")
    add("--size", type=int, default=320, help="side of the training views in pixels, a multiple of 64")
    add("--mosaic", type=float, default=0.3, help="share of the views")
    add("--overlay", type=float, default=0.0, help="share of the views with a rectangle of another one")
    add("--maps", type=float, default=0.5, help="weight of the inner maps")
    add("--true", type=float, default=1.0, help="weight of the true boxes beside the teachers'")
    add("--doubt", type=float, default=0.5, help="weight of the teachers where the true boxes are known")
    add("--weights", type=Path, help="exported network to begin with, instead of random weights")
    return made


def trainer(options: argparse.Namespace, clock: float, world: World) -> Trainer:
    """Build everything that the command line asks for."""
    generator, device, is_tiny = command.prepare(options, world), world.device, options.tiny
    size = 64 if is_tiny else options.size
    dtype = torch.float16 if device.type == "cuda" else torch.float32
    student = (tiny() if is_tiny else Detector()).to(device, memory_format=torch.channels_last)
    persons = Persons(options.teacher, dtype)
    heads = nn.ModuleList(nn.Conv2d(a, b, 1) for a, b in zip(student.maps, persons.channels, strict=True))
    heads = heads.to(device)
    people = read_people(options.pictures, TRAIN, device, most=8 if is_tiny else None)
    held = read_judged(options.data)[: 4 if is_tiny else None]
    if options.weights and not options.resume:
        pool = torch.arange(len(people), device=device)
        views = drawn_views(people, pool, min(128, 8 * len(people)), size, 0.0, generator)
        begin(student, options.weights, 2 * views.pixels - 1)
    teachers: nn.Module = Teachers(persons, Faces(options.faces, dtype))
    teachers = teachers.to(device, memory_format=torch.channels_last)
    distillation: nn.Module = Distillation(student, heads)
    if options.compile:
        teachers, distillation = torch.compile(teachers), torch.compile(distillation)
    return command.assembled(
        options,
        clock,
        world,
        generator,
        student,
        heads,
        objective(people, teachers, distillation, options, size, generator),
        lambda module: compared(module, held, device),
    )


def main(arguments: list[str] | None = None) -> int:
    """Train; exit status 0, or 1 with one sentence."""
    return command.run(parser(), trainer, arguments)


if __name__ == "__main__":
    raise SystemExit(main())
