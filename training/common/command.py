"""The command line of a distillation: the options that both share, and what `main` does with them."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import nn

from desktop.base.errors import LightloomError
from training.common import checkpoint
from training.common.loop import Judge, Limits, Objective, Trainer
from training.common.schedule import Schedule
from training.common.world import World

_TINY_BATCH = 8


@dataclass(frozen=True)
class Defaults:
    """Differences between the trainings. `warmup`, `average`: samples; `report`: seconds."""

    name: str
    teacher: Path
    batch: int
    warmup: int
    average: int
    decay_share: float
    report: float


def parser(module: str, description: str, defaults: Defaults) -> argparse.ArgumentParser:
    """Return a parser with the options that every distillation has."""
    made = argparse.ArgumentParser(prog=f"python -m {module}", description=description)
    add, folder = made.add_argument, Path("out/training")
    switch = argparse.BooleanOptionalAction
    add("--data", type=Path, default=folder / f"{defaults.name}.npz", help="pack of pictures")
    add("--teacher", type=Path, default=defaults.teacher)
    checkpoint_text = "checkpoint; the curve goes beside it"
    add("--out", type=Path, default=folder / f"{defaults.name}.ckpt", help=checkpoint_text)
    add("--resume", type=Path, help="checkpoint to go on from")
    add("--minutes", type=float, help="end the run this long after its start, compilation included")
    add("--samples", type=int, help="end the run after this many more samples")
    add("--decay", action=switch, default=False, help="let the rate fall to zero at the end")
    share_text = "share of all samples over which it falls"
    add("--decay-share", type=float, default=defaults.decay_share, help=share_text)
    add("--batch", type=int, default=defaults.batch, help="of each process")
    add("--lr", type=float, default=2e-3)
    add("--warmup", type=int, default=defaults.warmup, help="samples")
    add("--weight-decay", type=float, default=0.02)
    average_text = "time constant of the averaged weights, samples"
    add("--average", type=float, default=defaults.average, help=average_text)
    add("--optimizer", choices=("muon", "adamw"), default="muon")
    add("--seed", type=int, default=0)
    add("--report", type=float, default=defaults.report, help="seconds")
    add("--compile", action=switch, default=torch.cuda.is_available())
    add("--tiny", action="store_true", help="a small student, few pictures, batch 8, one step: for tests")
    return made


def prepare(options: argparse.Namespace, world: World) -> torch.Generator:
    """Seed, set PyTorch's switches, make a tiny run tiny; return this process's generator."""
    torch.manual_seed(options.seed)
    torch.backends.cudnn.benchmark = True
    torch.set_float32_matmul_precision("high")
    if options.tiny:
        options.batch = min(options.batch, _TINY_BATCH)
        options.samples = options.samples or options.batch
    return torch.Generator(world.device).manual_seed(options.seed + world.rank)


def assembled(
    options: argparse.Namespace,
    clock: float,
    world: World,
    generator: torch.Generator,
    student: nn.Module,
    heads: nn.Module,
    objective: Objective,
    judge: Judge,
) -> Trainer:
    """Return the trainer of these parts, gone on from --resume where it is given."""
    made = Trainer(
        student,
        heads,
        objective,
        judge,
        generator,
        Schedule(options.lr, options.warmup, options.decay_share if options.decay else 0.0),
        Limits(options.batch, options.minutes, options.samples, options.report),
        options.optimizer == "muon",
        options.weight_decay,
        options.average,
        clock,
        world,
    )
    if options.resume:
        made.restore(checkpoint.load(options.resume, world.device))
    return made


def run(
    made: argparse.ArgumentParser,
    trainer: Callable[[argparse.Namespace, float, World], Trainer],
    arguments: list[str] | None,
) -> int:
    """Train; exit status 0, or 1 with one sentence."""
    clock = time.monotonic()
    options = made.parse_args(arguments)
    if options.minutes is None and options.samples is None and not options.tiny:
        made.error("give --minutes or --samples")
    world = World.joined()
    try:
        trainer(options, clock, world).run(options.out)
    except LightloomError as error:
        print(f"training: {error}", file=sys.stderr)
        return 1
    finally:
        world.leave()
    return 0
