"""Train one style.

    python -m training.style.train --style ink --minutes 2.5
    python -m training.style.train --style ink --minutes 2.5 --network johnson
    python -m training.style.train --style ink --minutes 2 --resume

Reads the pack of photographs (`python -m training.pack classifier`) and the feature network; writes
<out>/<style>_<network>.pt (everything that --resume needs), .json (the log) and .jpg (held-back photographs
beside their styled ones). --tiny takes one step on small pictures, on any machine.
"""

from __future__ import annotations

import argparse
import copy
import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch
from torch import Tensor, nn

from training.common import checkpoint
from training.common.data import HELD, TRAIN, Augment, Pictures, read_pack
from training.common.optimizer import MatrixOptimizer
from training.style.faces import Faces
from training.style.loss import RECIPES, Features, Recipe, StyleLoss
from training.style.model import NORMS, build, freeze_statistics
from training.style.motion import Motion, inconsistency, moved
from training.style.paintings import PAINTINGS, SIZE, STYLES, paint

AUGMENT = Augment(
    scale=(0.25, 1.0), turn=5.0, light=0.25, contrast=0.25, saturation=0.3, hue=0.2, gray=0.1, soften=0.5
)
FREEZE = (
    0.6  # share of a run after which batch statistics stand still: the network then trains as it will run
)
DECAY = 0.5  # share of a run over which the rate falls to zero, at its end
REPORT_S = 10.0


@dataclass(frozen=True)
class Settings:
    """One run. `size`: side of the square views in pixels; `samples`, `slices`: points and directions of a
    sliced distance.
    """

    style: str
    network: str = "ours"
    norm: str = "batch"
    minutes: float = 2.5
    steps: int = 0
    batch: int = 8
    size: int = 256
    rate: float = 2e-3
    muon: bool = False
    samples: int = 2048
    slices: int = 64
    painting: int = SIZE
    seed: int = 0
    compiled: bool = False


class Progress:
    """Progress of a run, 0..1: by steps where they are set, else by the clock."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.began = time.monotonic()
        self.done = 0

    def share(self) -> float:
        if self.settings.steps:
            return min(1.0, self.done / self.settings.steps)
        return min(1.0, (time.monotonic() - self.began) / (60 * self.settings.minutes))

    def rate(self) -> float:
        """The learning rate as a share of its peak: 50 steps of growth, constant, linear to zero."""
        return min(1.0, (self.done + 1) / 50) * min(1.0, (1 - self.share()) / DECAY)


class Training:
    """A network, its average, its losses, and what they are fed with; all on one device."""

    def __init__(
        self,
        settings: Settings,
        recipe: Recipe,
        features: Path,
        pictures: Pictures,
        device: torch.device,
        paintings: Path = PAINTINGS,
        faces: Path | None = None,
    ) -> None:
        torch.manual_seed(settings.seed)
        self.settings, self.recipe, self.device, self.pictures = settings, recipe, device, pictures
        self.generator = torch.Generator(device).manual_seed(settings.seed)
        self.network = build(settings.network, settings.norm).to(device, memory_format=torch.channels_last)
        self.average = copy.deepcopy(self.network).eval().requires_grad_(False)
        self.optimizer = MatrixOptimizer(
            self.network.parameters(), settings.rate, weight_decay=0.0, muon=settings.muon
        )
        painted = torch.from_numpy(paint(settings.style, settings.painting, paintings)).to(device)
        extractor = Features(features, recipe.values).to(device)
        style = painted.permute(2, 0, 1)[None].float() / 255
        self.loss = StyleLoss(extractor, style, recipe, settings.samples, settings.slices)
        self.faces = Faces(faces).to(device) if faces and recipe.faces else None
        self.run: nn.Module = torch.compile(self.network) if settings.compiled else self.network
        self.steps = 0

    def state(self) -> dict[str, Any]:
        return {
            "settings": asdict(self.settings),
            "network": self.network.state_dict(),
            "average": self.average.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "generator": self.generator.get_state().cpu(),
            "steps": self.steps,
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        self.network.load_state_dict(state["network"])
        self.average.load_state_dict(state["average"])
        self.optimizer.load_state_dict(state["optimizer"])
        self.generator.set_state(state["generator"].cpu())
        self.steps = int(state["steps"])

    def styled(self, pictures: Tensor) -> Tensor:
        """bf16 in the network; the losses stay in float32 (TF32 on a GPU), whose sorts and differences need
        it.
        """
        pictures = pictures.contiguous(memory_format=torch.channels_last)
        with torch.autocast(self.device.type, torch.bfloat16, enabled=self.device.type == "cuda"):
            return self.run(pictures).float()

    def step(self, rate: float) -> dict[str, Tensor]:
        """One update; returns the unweighted parts of the loss, on the device."""
        settings = self.settings
        for group in self.optimizer.param_groups:
            group["lr"] = settings.rate * rate
        index = self.pictures.chosen(settings.batch, self.generator)
        first = self.pictures.views(index, settings.size, AUGMENT, self.generator)
        pair = moved(first, Motion(), self.generator)
        one, two = self.styled(torch.cat([first, pair.second])).chunk(2)
        parts = self.loss(one, first, self.faces(first) if self.faces else None)
        parts["temporal"] = inconsistency(one, two, pair)
        total = self.loss.total(parts) + self.recipe.temporal * parts["temporal"]
        self.optimizer.zero_grad(set_to_none=True)
        total.backward()
        nn.utils.clip_grad_norm_(self.network.parameters(), 1.0)
        self.optimizer.step()
        self.steps += 1
        self.follow()
        return {name: value.detach() for name, value in parts.items()}

    @torch.no_grad()
    def follow(self) -> None:
        """Move the average by 1/500, or over the last quarter of a run's first steps; batch statistics are
        averages already and copied.
        """
        weight = max(0.002, 4 / (self.steps + 3))
        torch._foreach_lerp_(list(self.average.parameters()), list(self.network.parameters()), weight)
        for mean, value in zip(self.average.buffers(), self.network.buffers(), strict=True):
            mean.copy_(value)

    def fit(self, report: Path | None = None) -> list[dict[str, float]]:
        """Train to the end of the settings; returns (and writes to `report`, as it grows) the log."""
        progress, last, count = Progress(self.settings), time.monotonic(), 0
        log: list[dict[str, float]] = []
        sums: dict[str, Tensor] = {}
        self.network.train()
        while progress.share() < 1:
            if progress.share() >= FREEZE:
                freeze_statistics(self.network)
            parts = self.step(progress.rate())
            progress.done += 1
            count += 1
            sums = {name: sums[name] + value if name in sums else value for name, value in parts.items()}
            if time.monotonic() - last > REPORT_S or progress.share() >= 1:
                took, last = time.monotonic() - last, time.monotonic()
                entry = {name: round(float(value) / count, 5) for name, value in sums.items()}
                log.append({"step": self.steps, "steps_per_s": round(count / took, 2), **entry})
                print(self.settings.style, self.settings.network, json.dumps(log[-1]), flush=True)
                sums, count = {}, 0
                if report:
                    report.write_text(json.dumps(log, indent=1), "utf-8")
        return log


def side_by_side(network: nn.Module, pictures: Tensor) -> np.ndarray:
    """Pictures N x 3 x H x W above their styled ones: 2H x NW x 3 uint8 RGB."""
    with torch.no_grad():
        both = torch.cat([pictures, network(pictures)], 2)
    return (torch.cat(list(both), 2).clamp(0, 1) * 255).round().byte().permute(1, 2, 0).cpu().numpy()


def arguments(given: Sequence[str] | None) -> argparse.Namespace:
    assert __doc__
    parser = argparse.ArgumentParser(
        prog="python -m training.style.train", description=__doc__.splitlines()[0]
    )
    parser.add_argument("--style", choices=list(STYLES), required=True)
    parser.add_argument("--network", choices=("ours", "johnson"), default="ours")
    parser.add_argument(
        "--norm", choices=NORMS, default="batch", help="of our network; instance: in its trunk"
    )
    parser.add_argument("--minutes", type=float, default=2.5)
    parser.add_argument("--steps", type=int, default=0, help="instead of minutes")
    parser.add_argument("--batch", type=int, default=8)
    parser.add_argument("--size", type=int, default=256, help="side of the views in pixels, a multiple of 8")
    parser.add_argument("--rate", type=float, default=2e-3, help="peak learning rate")
    parser.add_argument("--muon", action="store_true", help="Muon instead of AdamW for convolutions")
    parser.add_argument("--compile", dest="compiled", action="store_true", help="torch.compile the network")
    parser.add_argument("--content", type=float, help="weight of the content loss instead of the recipe's")
    parser.add_argument("--temporal", type=float, help="weight of the temporal loss instead of the recipe's")
    parser.add_argument("--resume", action="store_true", help="go on from the checkpoint in --out")
    parser.add_argument("--tiny", action="store_true", help="one step on small pictures")
    parser.add_argument("--pack", type=Path, default=Path("out/training/classifier.npz"))
    parser.add_argument("--features", type=Path, default=Path("out/training/squeezenet_fp16.onnx"))
    parser.add_argument("--paintings", type=Path, default=PAINTINGS, help="folder of the paintings")
    parser.add_argument("--faces", type=Path, help="YuNet, for recipes that keep faces")
    parser.add_argument("--out", type=Path, default=Path("out/training/style"))
    return parser.parse_args(given)


def main(given: Sequence[str] | None = None, recipe: Recipe | None = None) -> int:
    """Run the command line; `recipe` replaces the style's own."""
    options = arguments(given)
    torch.set_float32_matmul_precision("high")
    torch.backends.cudnn.allow_tf32 = True
    torch.backends.cudnn.benchmark = True
    fields = {name: value for name, value in vars(options).items() if name in Settings.__dataclass_fields__}
    settings = Settings(**fields)
    if options.tiny:
        settings = Settings(
            **{**fields, "steps": 1, "batch": 2, "size": 64, "samples": 128, "slices": 8, "painting": 128}
        )
    recipe = recipe or RECIPES[options.style]
    changes = {
        name: getattr(options, name) for name in ("content", "temporal") if getattr(options, name) is not None
    }
    recipe = Recipe(**{**{n: getattr(recipe, n) for n in Recipe.__dataclass_fields__}, **changes})
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    pictures = read_pack(options.pack, TRAIN, device, most=16 if options.tiny else None)
    training = Training(
        settings, recipe, options.features, pictures, device, options.paintings, options.faces
    )
    base = options.out / f"{settings.style}_{settings.network}"
    base.parent.mkdir(parents=True, exist_ok=True)
    if options.resume:
        training.restore(checkpoint.load(base.with_suffix(".pt"), device))
    training.fit(base.with_suffix(".json"))
    checkpoint.save(base.with_suffix(".pt"), training.state())
    held = read_pack(options.pack, HELD, device, most=6)
    shown = held.centers(torch.arange(len(held), device=device), settings.size, 1.0)
    sheet = side_by_side(training.average, shown)
    cv2.imwrite(str(base.with_suffix(".jpg")), cv2.cvtColor(sheet, cv2.COLOR_RGB2BGR))
    if device.type == "cuda":
        print(f"peak memory {torch.cuda.max_memory_allocated() / 2**30:.1f} GiB")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
