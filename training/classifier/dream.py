"""Pictures that the teacher dreams: photographs that are changed until it sees in them what it is asked to
see.

    python -m training.classifier.dream --minutes 20 --out out/training/dreams.npz
    python -m training.classifier.dream --judge out/training/dreams.npz        how many the teacher and SqueezeNet recognize

The photographs are few, and most of the 1,000 classes are in none of them. Their crops are not: of some
thousand crops, one or other reminds the teacher of any class. From there a picture follows the gradient of
that class (Mahendran and Vedaldi 2015; Mordvintsev et al. 2015) while the means and variances of the
teacher's inner maps stay those of photographs, as in Yin et al. 2020 ("Dreaming to distill", DeepInversion);
their normalizations are folded into this teacher's convolutions, so the statistics are measured. Each step
sees another crop (Yin et al. 2023, SRe2L), without which the change would be noise that no other network
sees.

What a changed picture teaches is true of photographs too: a network that learns only from pictures changed
towards classes that they do not show recognizes photographs of those classes (Ilyas et al. 2019). And one
photograph gets many answers, so that a student cannot get by with knowing the photograph. Beginning with
noise was tried: after 100 steps the teacher names the class and SqueezeNet never does.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import cv2
import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from desktop.base.errors import LightloomError
from training.classifier.evaluate import caffe, session
from training.classifier.model import CLASSES
from training.classifier.teacher import SIZE as TEACHER_SIZE
from training.classifier.teacher import Teacher
from training.common.data import TRAIN, Augment, Picture, Pictures, read_pack, write_pack

_CROPS: Final = Augment(scale=(0.15, 1.0), turn=10.0)
"""Of photographs: what dreams begin with and what their statistics are compared with."""
_GRADIENT_SCALE: Final = 256.0
"""In half precision the gradient of one picture's pixel would be lost otherwise; Adam does not see it."""
_TELL_SECONDS: Final = 20.0
TOPS: Final = (1, 5, 20)
"""Of how many first names the asked one is to be among; 20 of 1,000 are far from chance."""


@dataclass(frozen=True)
class Plan:
    """Settings of the generated pictures.

    `side`: of a picture, and of what the teacher sees of it at a step, in pixels. `steps`, `rate`: Adam's;
    the rate falls along half a cosine, and pixels are in -1..1. `prior`: weight of the statistics. `scale`:
    smallest share of a picture that a step sees. `batch`: pictures at a time, whose statistics are taken
    together. `candidates`: crops that a batch begins with some of; `spread`: temperature of that choice, 0
    for always the one that reminds the teacher most of the class.
    """

    side: int = 128
    steps: int = 60
    rate: float = 0.04
    prior: float = 30.0
    scale: float = 0.25
    batch: int = 512
    candidates: int = 2048
    spread: float = 1.0


TINY: Final = Plan(side=64, steps=6, batch=4, candidates=8)


@dataclass(frozen=True)
class Prior:
    """Usual statistics: (C,) float32 mean and variance of each channel of each of the teacher's maps, over
    photographs and places.
    """

    means: list[Tensor]
    variances: list[Tensor]

    @classmethod
    @torch.no_grad()
    def measured(cls, teacher: Teacher, batches: Iterator[Tensor]) -> Prior:
        """Take the statistics of batches of (B, 3, H, W) pictures in -1..1."""
        sums: list[Tensor] = []
        count = 0
        for x in batches:
            maps = [a.double() for a in teacher(_last(x))[1]]
            both = [torch.stack([a.mean((0, 2, 3)), a.square().mean((0, 2, 3))]) for a in maps]
            sums = [a + b for a, b in zip(sums, both, strict=True)] if sums else both
            count += 1
        means = [s[0] / count for s in sums]
        spreads = [s[1] / count - m.square() for s, m in zip(sums, means, strict=True)]
        return cls([m.float() for m in means], [v.float() for v in spreads])

    def distance(self, maps: list[Tensor]) -> Tensor:
        """Return how unusual the maps of a batch are: the mean over maps and channels of the squared
        differences of mean and standard deviation, both in usual standard deviations.
        """
        parts = []
        for values, mean, usual in zip(maps, self.means, self.variances, strict=True):
            variance, middle = torch.var_mean(values.float(), (0, 2, 3), correction=0)
            floor = usual + 1e-3 * usual.mean()  # channels that hardly ever speak would decide alone
            width = (variance / floor).clamp(min=1e-6).sqrt() - (usual / floor).sqrt()
            parts.append(((middle - mean).square() / floor).mean() + width.square().mean())
        return torch.stack(parts).mean()


def _last(x: Tensor) -> Tensor:
    return x.contiguous(memory_format=torch.channels_last)


@torch.no_grad()
def beginnings(
    pictures: Pictures, teacher: Teacher, classes: Tensor, plan: Plan, generator: torch.Generator
) -> Tensor:
    """Return (B, 3, side, side) in -1..1: for each class a crop that the teacher is reminded of it by.

    Drawn from the candidates by Gumbel's trick with weights exp(score / `spread`): always the best one would
    be the same few photographs again. The score is the class's logit above the mean of all; its probability
    is high in dark and empty crops too, where every class's is nearly the same.
    """
    index = pictures.chosen(plan.candidates, generator)
    parts = [2 * pictures.views(i, plan.side, _CROPS, generator) - 1 for i in index.split(plan.batch)]
    logits = torch.cat([teacher(_last(x))[0] for x in parts])
    score = logits[:, classes] - logits.mean(1, keepdim=True)
    chance = torch.rand(score.shape, generator=generator, device=score.device)
    chosen = (score - plan.spread * (-chance.clamp(1e-9, 1 - 1e-7).log()).log()).argmax(0)
    return torch.cat(parts)[chosen]


def crops(x: Tensor, scale: float, draws: Tensor) -> Tensor:
    """Return (B, 3, H, W): of each picture a random part, `scale` to 1 of its area, at its own size and half
    of them mirrored.

    `draws`: (B, 4) in 0..1.
    """
    side = (scale + (1 - scale) * draws[:, 0]).sqrt()
    free = (2 * draws[:, 1:3] - 1) * (1 - side)[:, None]
    zero = torch.zeros_like(side)
    mirror = torch.where(draws[:, 3] < 0.5, -side, side)
    rows = torch.stack([mirror, zero, free[:, 0], zero, side, free[:, 1]], 1).view(-1, 2, 3)
    grid = F.affine_grid(rows, list(x.shape), align_corners=False)
    return F.grid_sample(x, grid, padding_mode="reflection", align_corners=False)


def slope(
    x: Tensor, classes: Tensor, teacher: Teacher, prior: Prior, plan: Plan, draws: Tensor
) -> tuple[Tensor, Tensor]:
    """Return the gradient (B, 3, H, W) of what is to become small, times a constant, and the mean
    cross-entropy with the classes.

    Sums over pictures, so that a picture's gradient does not depend on how many there are.
    """
    seen = x.detach().requires_grad_()
    logits, maps = teacher.answers(_last(crops(seen, plan.scale, draws)))
    cross = F.cross_entropy(logits, classes, reduction="sum")
    unusual = plan.prior * len(x) * prior.distance(maps)
    (gradient,) = torch.autograd.grad(_GRADIENT_SCALE * (cross + unusual), seen)
    return gradient, cross.detach() / len(x)


def changed(
    x: Tensor, classes: Tensor, teacher: Teacher, prior: Prior, plan: Plan, generator: torch.Generator
) -> tuple[Tensor, Tensor]:
    """Return (B, 3, H, W) pictures in -1..1, changed from `x` towards their classes, and the last
    cross-entropy (a number).
    """
    x, cross = x.clone(), x.new_zeros(())
    adam = torch.optim.Adam([x], plan.rate, betas=(0.5, 0.9), eps=1e-6)
    for step in range(plan.steps):
        adam.param_groups[0]["lr"] = plan.rate * (1 + math.cos(math.pi * step / plan.steps)) / 2
        draws = torch.rand(len(x), 4, generator=generator, device=x.device)
        x.grad, cross = slope(x, classes, teacher, prior, plan, draws)
        adam.step()
        x.clamp_(-1, 1)
    return x.detach(), cross


@dataclass(frozen=True)
class Limits:
    """Dreaming ends before `until` (time.monotonic()), or when there are `most` pictures, or as many as 32
    bits count the elements of.
    """

    until: float = math.inf
    most: int = 100_000


def dreamed(
    pictures: Pictures, teacher: Teacher, plan: Plan, limits: Limits, generator: torch.Generator, tells: bool
) -> Pictures:
    """Return pictures of random classes, named by them; at least one batch. `tells`: print progress.

    Raises:
        LightloomError: the gradient is not finite.
    """
    index = pictures.chosen(4 * plan.candidates, generator).split(plan.batch)
    views = (2 * pictures.views(i, plan.side, _CROPS, generator) - 1 for i in index)
    prior = Prior.measured(teacher, views)
    parts: list[Tensor] = []
    names: list[str] = []
    begun = told = time.monotonic()
    longest = 0.0
    most = min(limits.most, 2**31 // (3 * plan.side**2) - plan.batch)
    while not parts or (len(names) < most and time.monotonic() + longest < limits.until):
        start = time.monotonic()
        classes = torch.randint(CLASSES, (plan.batch,), generator=generator, device=pictures.device)
        x = beginnings(pictures, teacher, classes, plan, generator)
        x, cross = changed(x, classes, teacher, prior, plan, generator)
        parts.append((x * 127.5 + 127.5).round().to(torch.uint8))
        names += [f"dream_{label:04d}_{len(names) + i}" for i, label in enumerate(classes.tolist())]
        if not math.isfinite(float(cross)):
            raise LightloomError("A dream diverged: its gradient is not finite; dream with a lower --rate.")
        if len(parts) > 1:  # the first one chooses algorithms too
            longest = max(longest, time.monotonic() - start)
        if tells and time.monotonic() - told > _TELL_SECONDS:
            told = time.monotonic()
            speed = len(names) * plan.steps / (told - begun)
            print(
                f"{len(names)} dreams, {speed:.0f} steps a second, cross-entropy {float(cross):.3f}",
                file=sys.stderr,
                flush=True,
            )
    canvas = torch.cat(parts)
    sizes = canvas.new_tensor(canvas.shape[2:], dtype=torch.float32).repeat(len(canvas), 1)
    return Pictures(canvas, sizes, names)


def class_of(name: str) -> int:
    """Return the class in a dream's name."""
    return int(name.split("_")[1])


def arrays(dreams: Pictures, most: int | None = None) -> np.ndarray:
    """Return the first dreams as (N, H, W, 3) uint8 BGR."""
    return dreams.canvas[:most].flip(1).permute(0, 2, 3, 1).cpu().numpy()


def save(path: Path, dreams: Pictures, most: int | None = None, quality: int = 95) -> int:
    """Write the first `most` dreams as a pack, at a WebP quality that keeps fine changes; return its size in
    bytes.
    """
    named = zip(dreams.names[:most], arrays(dreams, most), strict=True)
    return write_pack(path, (Picture(name, pixels) for name, pixels in named), quality)


def write_sheet(path: Path, dreams: Pictures, rows: int = 8, columns: int = 8) -> None:
    """Write one JPEG of the first dreams; places that there is none for are black."""
    shown = arrays(dreams, rows * columns)
    height, width = shown.shape[1:3]
    page = np.zeros((rows, height, columns, width, 3), np.uint8)
    for place, picture in enumerate(shown):
        page[place // columns, :, place % columns] = picture
    path.parent.mkdir(parents=True, exist_ok=True)
    cv2.imwrite(str(path), page.reshape(rows * height, columns * width, 3), [cv2.IMWRITE_JPEG_QUALITY, 85])


def recognized(dreams: Pictures, teacher: Teacher, squeezenet: Path, most: int = 256) -> dict[str, float]:
    """Return how often the teacher, and SqueezeNet, which had no part in them, name the class of one of the
    first dreams.

    Keys such as `teacher_top5`; `pictures`: how many were looked at.

    Raises:
        SourceNotFoundError: there is no SqueezeNet.
    """
    judge = session(squeezenet, caffe)
    wanted = np.array([class_of(name) for name in dreams.names[:most]])
    index = torch.arange(len(wanted), device=dreams.device)
    answers: dict[str, list[np.ndarray]] = {"teacher": [], "squeezenet": []}
    for part in index.split(64):
        shown = dreams.stretched(part, TEACHER_SIZE)
        answers["teacher"] += list(teacher(_last(2 * shown - 1))[0].cpu().numpy())
        answers["squeezenet"] += [judge(x[None]) for x in shown.cpu().numpy()]
    figures = {"pictures": float(len(wanted))}
    for name, rows in answers.items():
        scores = np.stack(rows)
        rank = (scores > scores[np.arange(len(wanted)), wanted][:, None]).sum(1)
        figures |= {f"{name}_top{top}": float((rank < top).mean()) for top in TOPS}
    return figures


def parser() -> argparse.ArgumentParser:
    """The command line."""
    made = argparse.ArgumentParser(
        prog="python -m training.classifier.dream", description=__doc__.splitlines()[0]
    )
    add, usual = made.add_argument, Plan()
    add("--data", type=Path, default=Path("out/training/classifier.npz"), help="pack of photographs")
    add("--teacher", type=Path, default=Path("out/training/teacher.onnx"))
    add("--out", type=Path, default=Path("out/training/dreams.npz"), help="pack to write")
    add("--minutes", type=float, help="end this long after the start")
    add("--count", type=int, default=Limits.most, help="of pictures, at most")
    add("--side", type=int, default=usual.side, help="of a picture in pixels, a multiple of 32")
    add("--steps", type=int, default=usual.steps)
    add("--rate", type=float, default=usual.rate)
    add("--prior", type=float, default=usual.prior, help="weight of the statistics")
    add("--batch", type=int, default=usual.batch)
    add("--seed", type=int, default=0)
    add(
        "--judge",
        type=Path,
        metavar="PACK",
        help="print how many of a pack's dreams are recognized; dream none",
    )
    squeezenet = Path("../shared/models/classify/squeezenet_fp16.onnx")
    add("--squeezenet", type=Path, default=squeezenet, help="the judge")
    add("--sheet", type=Path, help="picture to write of the first 64 dreams")
    add("--tiny", action="store_true", help="two batches of four small pictures: for tests")
    return made


def plan_of(options: argparse.Namespace) -> Plan:
    """Return the plan that the command line asks for."""
    if options.tiny:
        return TINY
    batch = options.batch
    return replace(
        Plan(),
        side=options.side,
        steps=options.steps,
        rate=options.rate,
        prior=options.prior,
        batch=batch,
        candidates=4 * batch,
    )


def run(options: argparse.Namespace, clock: float) -> str:
    """Dream, or judge; return what to print."""
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    torch.backends.cudnn.benchmark = True
    teacher = Teacher(options.teacher, torch.float16 if device.type == "cuda" else torch.float32)
    teacher = teacher.to(device, memory_format=torch.channels_last)
    if options.judge:
        dreams = read_pack(options.judge, TRAIN, device)
        said = json.dumps(recognized(dreams, teacher, options.squeezenet))
    else:
        pictures = read_pack(options.data, TRAIN, device, most=8 if options.tiny else None)
        until = clock + 60 * options.minutes if options.minutes else math.inf
        limits = Limits(until, 8 if options.tiny else options.count)
        generator = torch.Generator(device).manual_seed(options.seed)
        dreams = dreamed(pictures, teacher, plan_of(options), limits, generator, tells=True)
        size = save(options.out, dreams)
        said = f"{options.out}: {len(dreams)} dreams, {size / 1e6:.1f} MB"
    if options.sheet:
        write_sheet(options.sheet, dreams)
    return said


def main(arguments: list[str] | None = None) -> int:
    """Exit status 0, or 1 with one sentence."""
    clock = time.monotonic()
    options = parser().parse_args(arguments)
    try:
        print(run(options, clock))
    except LightloomError as error:
        print(f"training: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
