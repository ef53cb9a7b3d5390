"""Distil MobileNetV2 into the classifier.

    python -m training.classifier.train --minutes 9 --out out/training/classifier.ckpt
    python -m training.classifier.train --minutes 9 --resume out/training/classifier.ckpt --decay

Teacher and student see the same crop and the same mix (Beyer et al. 2022), the crops are heavily augmented
because the pictures are few (Asano and Saeed 2023), and there are three losses: the divergence of the
softened predictions (Hinton et al. 2015), the same without softening, and the error of predicting three of
the teacher's inner maps from the student's by 1x1 convolutions that are thrown away afterwards (Romero et al.
2015). The maps carry far more a picture than 1,000 probabilities do, also of classes that no picture shows.
"""

from __future__ import annotations

import argparse
import sys
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Generic, TypeVar

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from desktop.base.errors import LightloomError
from training.classifier.dream import TINY as TINY_PLAN
from training.classifier.dream import Limits, Plan, dreamed, save, write_sheet
from training.classifier.evaluate import compared
from training.classifier.model import DESIGN, SIZE, TINY, Classifier, Design
from training.classifier.teacher import MAPS, Teacher
from training.classifier.weights import begin
from training.common import command
from training.common.data import (
    HELD,
    TRAIN,
    Augment,
    Pictures,
    augmented,
    drawn,
    read_pack,
    read_packs,
    sampled,
)
from training.common.loop import Objective, Trainer
from training.common.world import World

_DEFAULTS: Final = command.Defaults(
    "classifier",
    Path("../shared/models/classify/mobilenet_v2_1.0_224_f32.onnx"),
    1024,
    100_000,
    200_000,
    0.2,
    30.0,
)
_DREAM_SCALE: Final = 0.25
"""Smallest share of a dreamed picture in a view: no step of a dream saw much less of it."""


@dataclass(frozen=True)
class Weights:
    """Of the losses: `soft` at `temperature`, `plain` at temperature 1, `maps`, and `labels` (cross-entropy
    on unmixed views).
    """

    temperature: float = 3.0
    soft: float = 1.0
    plain: float = 1.0
    maps: float = 1.0
    labels: float = 0.0


class Heads(nn.Module):
    """1x1 convolutions from the student's maps to the teacher's; used by the training only."""

    def __init__(self, design: Design) -> None:
        super().__init__()
        self.layers = nn.ModuleList(
            nn.Conv2d(a, b, 1) for a, b in zip(design.maps, MAPS.values(), strict=True)
        )


class Distillation(nn.Module):
    """Student and heads against what the teacher said; one module, so that it compiles as one."""

    def __init__(self, student: Classifier, heads: Heads, weights: Weights) -> None:
        super().__init__()
        self.student, self.heads, self.weights = student, heads, weights

    def forward(self, x: Tensor, logits: Tensor, maps: list[Tensor], labels: Tensor) -> dict[str, Tensor]:
        """Return the losses for a (B, 3, H, W) batch in -1..1; `labels` are -1 where no class is known."""
        mine = self.student.features(x)
        predicted = self.student.classified(mine[-1]).float()
        soft = divergence(predicted, logits, self.weights.temperature)
        plain = divergence(predicted, logits, 1.0)
        errors = [unexplained(head(a), b) for head, a, b in zip(self.heads.layers, mine, maps, strict=True)]
        inner = torch.stack(errors).mean()
        w = self.weights
        loss = w.soft * soft + w.plain * plain + w.maps * inner
        if w.labels:
            loss = loss + w.labels * F.cross_entropy(
                predicted, labels, ignore_index=-1, reduction="sum"
            ) / len(x)
        same = (predicted.argmax(1) == logits.argmax(1)).float().mean()
        return {"loss": loss, "soft": soft, "plain": plain, "maps": inner, "batch_agreement": same}


def divergence(predicted: Tensor, wanted: Tensor, temperature: float) -> Tensor:
    """Return the mean Kullback-Leibler divergence from the teacher's distribution, times the temperature
    squared.
    """
    mine, theirs = (predicted / temperature).log_softmax(1), (wanted / temperature).log_softmax(1)
    return temperature**2 * F.kl_div(mine, theirs, log_target=True, reduction="batchmean")


def unexplained(predicted: Tensor, wanted: Tensor) -> Tensor:
    """Return the share of a map's variance that the prediction leaves unexplained, each channel weighing the
    same.
    """
    wanted = wanted.float()
    variance, mean = torch.var_mean(wanted, dim=(0, 2, 3), keepdim=True)
    scale = (variance + 1e-3 * variance.mean() + 1e-12).rsqrt()
    return (predicted.float() - (wanted - mean) * scale).square().mean()


Batch = tuple[Tensor, Tensor, list[Tensor], Tensor]
"""Views (B, 3, H, W) in -1..1, the teacher's logits and maps of them, and their classes, -1 where a view is
mixed or has none.
"""


Made = TypeVar("Made")
"""A batch, whatever it is made of."""


@dataclass(frozen=True)
class Source:
    """Pictures that `share` of a batch's views are cut from, and how."""

    pictures: Pictures
    share: float
    augment: Augment


class Echo(Generic[Made]):
    """Batches that are used twice, the second time after `kept` others (Choi et al. 2019, "Faster neural
    network training with data echoing"): by the memory that they move, cutting views and asking the teacher
    cost about as much as the student's step.

    With `kept` 0 each is used once.
    """

    def __init__(self, make: Callable[[int], Made], kept: int) -> None:
        self.make, self.kept = make, kept
        self.waiting: deque[Made] = deque()
        self.again = False

    def __call__(self, count: int) -> Made:
        """Return a batch of `count` views."""
        if self.again and len(self.waiting) > self.kept:
            self.again = False
            return self.waiting.popleft()
        self.again = True
        batch = self.make(count)
        if self.kept:
            self.waiting.append(batch)
        return batch


def shown(
    parts: list[tuple[Tensor, Tensor, Tensor, Tensor]],
    order: Tensor,
    draws: Tensor,
    size: int,
    augment: Augment,
) -> tuple[Tensor, Tensor]:
    """Return views (B, 3, size, size) in -1..1 of all sources, recolored and mixed in a new order, and (B,)
    bool: which are not mixed.

    `parts`: the arguments of `sampled`, a tuple for each source. Of tensors alone, so that it compiles.
    """
    views = torch.cat([sampled(*part, size) for part in parts])[order]
    views, clean = augmented(views, draws, augment)
    return (2 * views - 1).contiguous(memory_format=torch.channels_last), clean


def batches(
    sources: list[Source],
    teacher: nn.Module,
    size: int,
    generator: torch.Generator,
    compiled: bool,
) -> Callable[[int], Batch]:
    """Return the function that draws views of the sources, the last ones' by their shares, and asks the
    teacher.
    """
    change = torch.compile(shown) if compiled else shown
    device = generator.device

    @torch.no_grad()
    def drawn_batch(count: int) -> Batch:
        counts = [round(source.share * count) for source in sources[1:]]
        parts, labels = [], []
        for source, some in zip(sources, [count - sum(counts), *counts], strict=True):
            pictures, index = source.pictures, source.pictures.chosen(some, generator)
            boxes = pictures.boxes(index, source.augment, generator)
            parts.append((pictures.canvas, pictures.sizes, index, boxes))
            labels.append(pictures.labels[index])
        order = torch.randperm(count, generator=generator, device=device)
        x, clean = change(parts, order, drawn(count, generator), size, sources[0].augment)
        logits, maps = teacher(x)
        if device.type == "cuda":
            x = x.to(torch.bfloat16)  # what the student computes in; an echo takes half the room
        return x, logits, maps, torch.where(clean, torch.cat(labels)[order], -1)

    return drawn_batch


def objective(batch: Callable[[int], Batch], distillation: nn.Module, device: torch.device) -> Objective:
    """Return the function that takes a batch and gives its losses."""

    def losses(count: int) -> dict[str, Tensor]:
        made = batch(count)  # views are made in float32, and the teacher has its own precision
        with torch.autocast(device.type, torch.bfloat16, enabled=device.type == "cuda"):
            return distillation(*made)

    return losses


def parser() -> argparse.ArgumentParser:
    """The command line."""
    made = command.parser("training.classifier.train", __doc__.splitlines()[0], _DEFAULTS)
    add = made.add_argument
    add("--size", type=int, default=SIZE, help="side of the training views in pixels, a multiple of 32")
    add("--temperature", type=float, default=Weights.temperature)
    add("--maps", type=float, default=Weights.maps, help="weight of the inner maps")
    add("--plain", type=float, default=Weights.plain, help="weight of the divergence at temperature 1")
    labels_text = "weight of the cross-entropy with the pictures' own classes"
    add("--labels", type=float, default=Weights.labels, help=labels_text)
    add("--scale", type=float, default=Augment.scale[0], help="smallest share of a picture in a view")
    add("--cutmix", type=float, default=Augment.cutmix, help="share of the views")
    add("--mixup", type=float, default=Augment.mixup, help="share of the views")
    add("--weights", type=Path, help="exported network to begin with, instead of random weights")
    add(
        "--more",
        type=Path,
        nargs="+",
        default=[],
        help="packs of further photographs (training.pack photographs)",
    )
    add("--echo", type=int, default=0, help="use each batch again after so many others; 0 for never")
    add("--dreams", type=Path, help="pack of dreamed pictures (training.classifier.dream) to train on too")
    add(
        "--dream-minutes", type=float, help="dream so long before the training, each process its own pictures"
    )
    add("--dream-steps", type=int, default=Plan.steps)
    add(
        "--dream-side",
        type=int,
        default=Plan.side,
        help="side of dreamed pictures in pixels, a multiple of 32",
    )
    add("--dream-share", type=float, default=0.3, help="share of the views")
    return made


def dreams_of(
    options: argparse.Namespace,
    pictures: Pictures,
    teacher: Teacher,
    clock: float,
    world: World,
    generator: torch.Generator,
) -> Pictures | None:
    """Return the dreamed pictures that the command line asks for: read, dreamed now, or none.

    What was dreamed now is also shown in a sheet and a small pack beside the checkpoint. Dreams that fail are
    done without.
    """
    if options.dreams:
        return read_pack(options.dreams, TRAIN, world.device, most=8 if options.tiny else None)
    if not options.dream_minutes:
        return None
    plan = TINY_PLAN if options.tiny else Plan(side=options.dream_side, steps=options.dream_steps)
    most = 8 if options.tiny else Limits.most
    limits = Limits(clock + 60 * options.dream_minutes, most)
    try:
        dreams = dreamed(pictures, teacher, plan, limits, generator, world.leads)
    except (LightloomError, torch.OutOfMemoryError) as error:
        print(f"training: no dreams: {error}", file=sys.stderr, flush=True)
        return None
    if world.leads:
        print(f"{len(dreams)} dreams on each device", file=sys.stderr, flush=True)
        write_sheet(options.out.with_name(f"{options.out.stem}_dreams.jpg"), dreams)
        save(options.out.with_name(f"{options.out.stem}_dreams.npz"), dreams, most=256)
    return dreams


def trainer(options: argparse.Namespace, clock: float, world: World) -> Trainer:
    """Build everything that the command line asks for."""
    generator, device, is_tiny = command.prepare(options, world), world.device, options.tiny
    design, size = (TINY, 64) if is_tiny else (DESIGN, options.size)
    student = Classifier(design).to(device, memory_format=torch.channels_last)
    heads = Heads(design).to(device)
    pictures = read_pack(options.data, TRAIN, device, most=8 if is_tiny else None)
    held = read_pack(options.data, HELD, device, most=4 if is_tiny else None)
    augment = Augment(scale=(options.scale, 1.0), cutmix=options.cutmix, mixup=options.mixup)
    if options.weights:
        index = pictures.chosen(min(512, 8 * len(pictures)), generator)
        begin(student, options.weights, 2 * pictures.views(index, size, augment, generator) - 1)
        for layer in heads.layers:
            nn.init.zeros_(layer.weight)  # random ones would pull at maps that are good already
    teacher = Teacher(options.teacher, torch.float16 if device.type == "cuda" else torch.float32)
    teacher = teacher.to(device, memory_format=torch.channels_last)
    dreams = dreams_of(options, pictures, teacher, clock, world, generator)
    dreamed_share = options.dream_share if dreams else 0.0
    sources = [Source(pictures, 1.0, augment)]
    if options.more:
        more = read_packs(options.more, TRAIN, device, most=8 if is_tiny else None)
        share = (1 - dreamed_share) * len(more) / (len(pictures) + len(more))
        sources.append(Source(more, share, augment))
    if dreams:
        sources.append(Source(dreams, dreamed_share, replace(augment, scale=(_DREAM_SCALE, 1.0))))
    weights = Weights(options.temperature, 1.0, options.plain, options.maps, options.labels)
    distillation: nn.Module = Distillation(student, heads, weights)
    taught: nn.Module = teacher
    if options.compile:
        taught, distillation = torch.compile(teacher), torch.compile(distillation)
    make = Echo(batches(sources, taught, size, generator, options.compile), options.echo)
    return command.assembled(
        options,
        clock,
        world,
        generator,
        student,
        heads,
        objective(make, distillation, device),
        lambda module: compared(module, teacher, held, 64 if is_tiny else SIZE),
    )


def main(arguments: list[str] | None = None) -> int:
    """Train; exit status 0, or 1 with one sentence."""
    return command.run(parser(), trainer, arguments)


if __name__ == "__main__":
    raise SystemExit(main())
