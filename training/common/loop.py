"""The loop that both distillations share: time or sample limits, schedule, averaged weights, reports,
checkpoints.
"""

from __future__ import annotations

import copy
import json
import math
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from desktop.base.errors import LightloomError, SourceDamagedError
from training.common import checkpoint
from training.common.optimizer import MatrixOptimizer
from training.common.schedule import Schedule
from training.common.world import World

Objective = Callable[[int], dict[str, Tensor]]
"""Draws a batch of the given size and returns scalars; the one named 'loss' is differentiated, the others are
reported.
"""
Judge = Callable[[nn.Module], dict[str, float]]
"""Measures a student (in eval mode) on held-back pictures."""


@dataclass(frozen=True)
class Limits:
    """Length of a run, and intervals of its reports and checkpoints.

    `batch` is of one process. `minutes` counts from the making of the trainer's clock, compilation included;
    `samples` is the number to add in this run. Whichever is reached first ends the run. `report` and `save`
    are in seconds.
    """

    batch: int
    minutes: float | None = None
    samples: int | None = None
    report: float = 30.0
    save: float = 60.0


class Averaged:
    """An exponential moving average of a module's weights and statistics, with a time constant in samples."""

    def __init__(self, module: nn.Module, span: float) -> None:
        self.module = copy.deepcopy(module).eval().requires_grad_(False)
        self.span = span

    @torch.no_grad()
    def update(self, module: nn.Module, batch: int, seen: int) -> None:
        """Move towards `module`; faster at the beginning, when the old weights are worth little."""
        share = 1 - math.exp(-batch / min(self.span, max(batch, seen / 4)))
        mine, theirs = self.module.state_dict(), module.state_dict()
        kept = [name for name, value in mine.items() if value.is_floating_point()]
        torch._foreach_lerp_([mine[name] for name in kept], [theirs[name] for name in kept], share)


class Trainer:
    """Trains `student` (and `heads`, modules that only the objective uses) until a limit is reached.

    Args:
        objective: one batch's losses; it uses `student` and `heads` and draws all its random numbers from
            `generator`.
        judge: called with the averaged student at each report.
        clock: when this process began, from time.monotonic().
        world: the processes that train together; all begin with equal weights and different generators.
    """

    def __init__(
        self,
        student: nn.Module,
        heads: nn.Module,
        objective: Objective,
        judge: Judge,
        generator: torch.Generator,
        schedule: Schedule,
        limits: Limits,
        muon: bool,
        weight_decay: float,
        average_span: float,
        clock: float,
        world: World,
    ) -> None:
        self.student, self.heads = student, heads
        self.objective, self.judge, self.generator = objective, judge, generator
        self.schedule, self.limits, self.clock, self.world = schedule, limits, clock, world
        parameters = [*student.parameters(), *heads.parameters()]
        self.optimizer = MatrixOptimizer(parameters, schedule.peak, weight_decay, muon=muon, world=world)
        self.average = Averaged(student, average_span)
        self.seen = 0
        self.curve: list[dict[str, Any]] = []

    def state(self) -> dict[str, Any]:
        """Return everything that a later run needs."""
        return {
            "student": self.student.state_dict(),
            "heads": self.heads.state_dict(),
            "average": self.average.module.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "generator": self.generator.get_state(),
            "seen": self.seen,
            "curve": self.curve,
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from what `state` returned.

        Raises:
            SourceDamagedError: it is of another design, or was made with another optimizer.
        """
        # A group's fixed settings come from this run, its step counter from the checkpoint.
        fixed = [
            {k: v for k, v in g.items() if k not in ("params", "step")} for g in self.optimizer.param_groups
        ]
        try:
            self.student.load_state_dict(state["student"])
            self.heads.load_state_dict(state["heads"])
            self.average.module.load_state_dict(state["average"])
            self.optimizer.load_state_dict(state["optimizer"])
        except (KeyError, RuntimeError, ValueError) as error:
            raise SourceDamagedError(
                "The checkpoint is of another design or optimizer; resume it with the command that it was made with."
            ) from error
        for group, settings in zip(self.optimizer.param_groups, fixed, strict=True):
            group.update(settings)
        self.seen, self.curve = state["seen"], list(state["curve"])
        if self.world.leads:
            self.generator.set_state(state["generator"].cpu())
        else:  # the checkpoint holds the first process's generator alone
            self.generator.manual_seed(self.seen + self.world.rank)

    def run(self, out: Path) -> None:
        """Train, writing `out` (checkpoint) and the same name with .json (learning curve).

        Where the decay begins, `<name>_stable` keeps the state, from which a later run can go on.

        Raises:
            LightloomError: the loss is not finite any more.
        """
        start, batch = self.seen, self.limits.batch * self.world.size
        window: dict[str, Tensor] = {}
        steps, begun, begun_seen = 0, time.monotonic(), math.inf
        reported = saved = begun
        window_seen = start
        stable = out.with_stem(f"{out.stem}_stable")
        is_stable = True
        while True:
            now = time.monotonic()
            if steps == 3:  # after compilation and the first allocations
                _synchronize(self.generator.device)
                begun, begun_seen = time.monotonic(), self.seen
            end = self.world.agreed(self._end(start, begun, begun_seen, now))
            if self.seen >= end:
                break
            rate = self.schedule.rate(self.seen, start, end)
            if is_stable and steps and self.schedule.left(self.seen, start, end) < 1:
                is_stable = False
                if self.world.leads:
                    checkpoint.save(stable, self.state())
            parts = self._step(rate)
            self.seen += batch
            steps += 1
            window = {name: window[name] + value if window else value for name, value in parts.items()}
            if steps % 256 == 0:  # equal but for rounding; this keeps them so
                self.world.average(self._parameters())
            if not self.world.leads:
                continue
            self.average.update(self.student, batch, self.seen)
            if now - reported >= self.limits.report and steps > 3:
                self._report(window, self.seen - window_seen, now - reported, rate, out)
                window, window_seen, reported = {}, self.seen, now
            if now - saved >= self.limits.save:
                checkpoint.save(out, self.state())
                saved = now
        if not self.world.leads:
            return
        checkpoint.save(out, self.state())
        if self.seen > window_seen:
            self._report(window, self.seen - window_seen, time.monotonic() - reported, rate, out)
            checkpoint.save(out, self.state())  # with the last line of the curve

    def _end(self, start: int, begun: float, begun_seen: float, now: float) -> float:
        """Return the samples at which this run ends: the limit, or what the time left allows at the speed
        since `begun_seen`.

        Before that the steps are slow (`begun_seen` is infinite), and no end in sight: one taken from them
        would begin the decay.
        """
        ends = [math.inf]
        if self.limits.samples is not None:
            ends.append(start + self.limits.samples)
        if self.limits.minutes is not None:
            left = self.clock + 60 * self.limits.minutes - now
            speed = (self.seen - begun_seen) / (now - begun) if self.seen > begun_seen else math.inf
            ends.append(self.seen + max(0.0, left) * speed if left > 0 else self.seen)
        return min(ends)

    def _step(self, rate: float) -> dict[str, Tensor]:
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        self.student.train()
        parts = self.objective(self.limits.batch)
        self.optimizer.zero_grad(set_to_none=True)
        parts["loss"].backward()
        self.world.average([p.grad for p in self._parameters() if p.grad is not None])
        self.optimizer.step()
        return {name: value.detach() for name, value in parts.items()}

    def _parameters(self) -> list[Tensor]:
        return [p for group in self.optimizer.param_groups for p in group["params"]]

    def _report(
        self, window: dict[str, Tensor], samples: int, seconds: float, rate: float, out: Path
    ) -> None:
        steps = samples / (self.limits.batch * self.world.size)
        means = {name: float(value) / steps for name, value in window.items()}
        if not math.isfinite(means["loss"]):
            raise LightloomError(
                f"The training diverged after {self.seen} samples (loss {means['loss']}); resume {out} with a lower --lr."
            )
        entry: dict[str, Any] = {
            "samples": self.seen,
            "seconds": round(time.monotonic() - self.clock, 1),
            "samples_per_second": round(samples / max(seconds, 1e-9), 1),
            "rate": rate,
            **means,
            **self.judge(self.average.module),
        }
        if torch.cuda.is_available():
            entry["memory_gb"] = round(torch.cuda.max_memory_allocated() / 1e9, 2)
        self.curve.append(entry)
        out.parent.mkdir(parents=True, exist_ok=True)
        out.with_suffix(".json").write_text(json.dumps(self.curve, indent=1))
        print(" ".join(f"{k} {_short(v)}" for k, v in entry.items()), file=sys.stderr, flush=True)


def _short(value: float) -> str:
    return str(value) if isinstance(value, int) else f"{value:.4g}"


def _synchronize(device: torch.device) -> None:
    if device.type == "cuda":
        torch.cuda.synchronize()
