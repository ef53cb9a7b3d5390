"""Distil MobileNetV2 into the classifier.

    python -m training.classifier.train --minutes 9 --out out/training/classifier.ckpt
    python -m training.classifier.train --minutes 9 --resume out/training/classifier.ckpt --decay

Teacher and student see the same crop and the same mix (Beyer et al. 2022), the crops are heavily augmented because the pictures are few
(Asano and Saeed 2023), and there are three losses: the divergence of the softened predictions (Hinton et al. 2015), the same without
softening, and the error of predicting three of the teacher's inner maps from the student's by 1x1 convolutions that are thrown
away afterwards (Romero et al. 2015). The maps carry far more a picture than 1,000 probabilities do, also of classes that no picture shows.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from training.classifier.evaluate import compared
from training.classifier.model import DESIGN, SIZE, TINY, Classifier, Design
from training.classifier.teacher import MAPS, Teacher
from training.classifier.weights import begin
from training.common import command
from training.common.data import HELD, TRAIN, Augment, Pictures, augmented, drawn, read_pack
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


@dataclass(frozen=True)
class Weights:
    """Of the losses: `soft` at `temperature`, `plain` at temperature 1, `maps`, and `labels` (cross-entropy on unmixed views)."""

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
    """Return the mean Kullback-Leibler divergence from the teacher's distribution, times the temperature squared."""
    mine, theirs = (predicted / temperature).log_softmax(1), (wanted / temperature).log_softmax(1)
    return temperature**2 * F.kl_div(mine, theirs, log_target=True, reduction="batchmean")


def unexplained(predicted: Tensor, wanted: Tensor) -> Tensor:
    """Return the share of a map's variance that the prediction leaves unexplained, each channel weighing the same."""
    wanted = wanted.float()
    variance, mean = torch.var_mean(wanted, dim=(0, 2, 3), keepdim=True)
    scale = (variance + 1e-3 * variance.mean() + 1e-12).rsqrt()
    return (predicted.float() - (wanted - mean) * scale).square().mean()


def objective(
    pictures: Pictures,
    teacher: nn.Module,
    distillation: nn.Module,
    augment: Augment,
    size: int,
    generator: torch.Generator,
    compiled: bool,
) -> Objective:
    """Return the function that draws a batch and gives its losses."""
    change = torch.compile(augmented) if compiled else augmented
    cuda = pictures.device.type == "cuda"

    def losses(count: int) -> dict[str, Tensor]:
        with torch.no_grad():
            index = pictures.chosen(count, generator)
            views = pictures.views(index, size, augment, generator)
            views, clean = change(views, drawn(count, generator), augment)
            labels = torch.where(clean, pictures.labels[index], -1)
            x = (2 * views - 1).contiguous(memory_format=torch.channels_last)
            logits, maps = teacher(x)
        with torch.autocast(pictures.device.type, torch.bfloat16, enabled=cuda):
            return distillation(x, logits, maps, labels)

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
    return made


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
    teacher = Teacher(options.teacher, torch.float16 if device.type == "cuda" else torch.float32)
    teacher = teacher.to(device, memory_format=torch.channels_last)
    weights = Weights(options.temperature, 1.0, options.plain, options.maps, options.labels)
    distillation: nn.Module = Distillation(student, heads, weights)
    taught: nn.Module = teacher
    if options.compile:
        taught, distillation = torch.compile(teacher), torch.compile(distillation)
    return command.assembled(
        options,
        clock,
        world,
        generator,
        student,
        heads,
        objective(pictures, taught, distillation, augment, size, generator, options.compile),
        lambda module: compared(module, teacher, held, 64 if is_tiny else SIZE),
    )


def main(arguments: list[str] | None = None) -> int:
    """Train; exit status 0, or 1 with one sentence."""
    return command.run(parser(), trainer, arguments)


if __name__ == "__main__":
    raise SystemExit(main())
