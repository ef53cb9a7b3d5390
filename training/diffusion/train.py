"""Train the denoiser in the box.

    python -m training.diffusion.train --minutes 28 --threads 1            on a CPU: 1 M parameters
    python -m training.diffusion.train --minutes 8 --batch 48 --size 128 --widths 24 64 128 176        on a GPU: 3.6 M
    python -m training.diffusion.train --minutes 4 --resume

Reads the pack of photographs (`python -m training.pack diffusion`) and the feature network
(`squeezenet_fp16.onnx`); writes <out>/denoiser.pt (everything that --resume needs), .json (the log) and .png
(held-back photographs, their sketches, and what 1, 2 and 4 steps make of them). --tiny takes one step on
small pictures, on any machine.

What it is trained for, at shares of noise drawn evenly from 0..1: the colors of the photograph seen small,
its content as the feature network sees it, and the distribution (not the places) of its features and its
patches: the sliced Wasserstein distance of training/style. A distance of pixels alone gives the mean of all
pictures that fit, which is blurred; the distribution asks for texture, and the noise settles which. In half
of the batch the noisy picture is made of the network's own picture at a higher share, as in a run of several
steps (Yin et al. 2024, "Improved Distribution Matching Distillation", 4.5): the second step is not to meet
for the first time what the first one leaves.
"""

from __future__ import annotations

import argparse
import copy
import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import cv2
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from training.common import checkpoint
from training.common.data import HELD, TRAIN, Augment, Pictures, read_pack
from training.common.optimizer import MatrixOptimizer
from training.diffusion.model import WIDTHS, Denoiser, noised, sampled, sketched
from training.style.loss import Features, patches, positions, random_directions, sliced_distance

AUGMENT: Final = Augment(scale=(0.3, 1.0), turn=4.0)
TEXTURE_LAYERS: Final = ("conv1_2", "fire2/concat_1", "fire3/concat_1")
CONTENT_LAYERS: Final = ("fire3/concat_1", "fire5/concat_1")
CLEAR: Final = 0.03
"""Shares of noise below this are not trained: the picture that comes in is nearly the answer."""
DECAY: Final = 0.4  # share of a run over which the rate falls to zero, at its end
REPORT_S: Final = 15.0


@dataclass(frozen=True)
class Weights:
    """Of the parts of the loss. With texture 1, patches 2 and pixels 1 the noise was soon passed on as grain."""

    color: float = 2.0
    pixels: float = 4.0
    content: float = 0.5
    texture: float = 0.1
    patches: float = 0.05
    texture_layers: tuple[str, ...] = TEXTURE_LAYERS
    content_layers: tuple[str, ...] = CONTENT_LAYERS


@dataclass(frozen=True)
class Settings:
    """One run. `size`: side of the square views in pixels; `samples`, `slices`: points and directions of a
    sliced distance.
    """

    minutes: float = 28.0
    steps: int = 0
    batch: int = 6
    size: int = 96
    rate: float = 1.5e-3
    samples: int = 384
    slices: int = 24
    seed: int = 0
    widths: tuple[int, int, int, int] = WIDTHS


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
        """The learning rate as a share of its peak: 100 steps of growth, constant, linear to zero."""
        return min(1.0, (self.done + 1) / 100) * min(1.0, (1 - self.share()) / DECAY)


class Training:
    """A network, its average, its losses, and what they are fed with; all on one device."""

    def __init__(self, settings: Settings, weights: Weights, features: Features, pictures: Pictures) -> None:
        torch.manual_seed(settings.seed)
        self.settings, self.weights, self.pictures = settings, weights, pictures
        self.device = pictures.device
        self.features = features
        self.generator = torch.Generator(self.device).manual_seed(settings.seed)
        self.network = Denoiser(settings.widths).to(self.device, memory_format=torch.channels_last)
        self.average = copy.deepcopy(self.network).eval().requires_grad_(False)
        self.optimizer = MatrixOptimizer(
            self.network.parameters(), settings.rate, weight_decay=0.0, muon=False
        )
        self.steps = 0

    def state(self) -> dict[str, Any]:
        return {
            "settings": {**asdict(self.settings), "widths": list(self.settings.widths)},
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

    def denoised(self, noisy: Tensor, sketch: Tensor, level: Tensor) -> Tensor:
        """bf16 in the network; the losses stay in float32 (TF32 on a GPU), whose sorts and differences need
        it.
        """
        noisy = noisy.contiguous(memory_format=torch.channels_last)
        with torch.autocast(self.device.type, torch.bfloat16, enabled=self.device.type == "cuda"):
            return self.network(noisy, sketch, level).float()

    def drawn(self) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Return photographs and noise, (B, 3, S, S), and two shares of noise, (B, 1, 1, 1), the second one
        at most the first.
        """
        count, size = self.settings.batch, self.settings.size
        index = self.pictures.chosen(count, self.generator)
        photo = self.pictures.views(index, size, AUGMENT, self.generator) * 2 - 1
        noise = torch.randn(photo.shape, generator=self.generator, device=self.device)
        shares = torch.rand(2, count, 1, 1, 1, generator=self.generator, device=self.device)
        high = CLEAR + (1 - CLEAR) * shares[0]
        return photo, noise, high, CLEAR + (high - CLEAR) * shares[1]

    def step(self, rate: float) -> dict[str, Tensor]:
        """One update; returns the unweighted parts of the loss, on the device."""
        for group in self.optimizer.param_groups:
            group["lr"] = self.settings.rate * rate
        photo, noise, level, lower = self.drawn()
        sketch = sketched(photo)
        noisy = noised(photo, noise, level)
        half = self.settings.batch // 2
        with torch.no_grad():
            own = self.denoised(noisy[:half], sketch[:half], level[:half]).clamp(-1, 1)
        noisy = torch.cat([noised(own, noise[:half], lower[:half]), noisy[half:]])
        level = torch.cat([lower[:half], level[half:]])
        parts = self.loss(self.denoised(noisy, sketch, level), photo, level)
        total = torch.stack([getattr(self.weights, name) * value for name, value in parts.items()]).sum()
        self.optimizer.zero_grad(set_to_none=True)
        total.backward()
        nn.utils.clip_grad_norm_(self.network.parameters(), 1.0)
        self.optimizer.step()
        self.steps += 1
        weight = max(0.002, 4 / (self.steps + 3))
        torch._foreach_lerp_(list(self.average.parameters()), list(self.network.parameters()), weight)
        return {name: value.detach() for name, value in parts.items()}

    def loss(self, found: Tensor, photo: Tensor, level: Tensor) -> dict[str, Tensor]:
        """Return the unweighted parts for (B, 3, S, S) pictures in -1..1 and the photographs that they are
        of.
        """
        ours, theirs = found / 2 + 0.5, photo / 2 + 0.5
        seen = self.features(ours)
        with torch.no_grad():
            wanted = self.features(theirs)
        content = [
            (seen[name] - wanted[name]).square().mean() / wanted[name].square().mean()
            for name in self.weights.content_layers
        ]
        texture = [
            self.compared(*(positions(x[name], self.settings.samples) for x in (seen, wanted)))
            for name in self.weights.texture_layers
        ]
        # The same places of both: the distance is of the picture to its own photograph, not to the mean of
        # all.
        both = patches(torch.cat([ours, theirs]), self.settings.samples, 5)
        return {
            "color": (F.avg_pool2d(ours, 8) - F.avg_pool2d(theirs, 8)).abs().mean(),
            "pixels": ((ours - theirs).abs() * (1 - 0.7 * level)).mean(),
            "content": torch.stack(content).mean(),
            "texture": torch.stack(texture).mean(),
            "patches": self.compared(*both.chunk(2)),
        }

    def compared(self, ours: Tensor, theirs: Tensor) -> Tensor:
        """Sliced distance of points (B, P, C), in units of the spread of the second."""
        scale = 1 / theirs.std().clamp(min=1e-3)
        return sliced_distance(
            ours * scale, theirs * scale, random_directions(ours.shape[2], self.settings.slices, ours.device)
        )

    def fit(self, base: Path) -> list[dict[str, float]]:
        """Train to the end of the settings; returns (and writes beside `base`, as it grows) the log."""
        progress, last, count = Progress(self.settings), time.monotonic(), 0
        log: list[dict[str, float]] = []
        sums: dict[str, Tensor] = {}
        self.network.train()
        while progress.share() < 1:
            parts = self.step(progress.rate())
            progress.done += 1
            count += 1
            sums = {name: sums[name] + value if name in sums else value for name, value in parts.items()}
            if time.monotonic() - last > REPORT_S or progress.share() >= 1:
                took, last = time.monotonic() - last, time.monotonic()
                entry = {name: round(float(value) / count, 5) for name, value in sums.items()}
                log.append({"step": self.steps, "steps_per_s": round(count / took, 2), **entry})
                print(json.dumps(log[-1]), flush=True)
                sums, count = {}, 0
                base.with_suffix(".json").write_text(json.dumps(log, indent=1), "utf-8")
                checkpoint.save(base.with_suffix(".pt"), self.state())
        return log


@torch.no_grad()
def sheet(network: nn.Module, photo: Tensor, seed: int = 0) -> Tensor:
    """Rows of photographs (N, 3, S, S) in 0..1, their sketches, and 1, 2 and 4 steps at strength 1 and 2 at
    0.6: (3, 6 S, N S) uint8.
    """
    picture = photo * 2 - 1
    noise = torch.randn(picture.shape, generator=torch.Generator().manual_seed(seed)).to(picture.device)
    rows = [picture, sketched(picture)]
    rows += [
        sampled(network, picture, noise, strength, steps)
        for strength, steps in ((1.0, 1), (1.0, 2), (1.0, 4), (0.6, 2))
    ]
    both = torch.cat([torch.cat(list(row), 2) for row in rows], 1)
    return ((both / 2 + 0.5).clamp(0, 1) * 255).round().byte()


def arguments(given: Sequence[str] | None) -> argparse.Namespace:
    assert __doc__
    parser = argparse.ArgumentParser(
        prog="python -m training.diffusion.train", description=__doc__.splitlines()[0]
    )
    parser.add_argument("--minutes", type=float, default=28.0)
    parser.add_argument("--steps", type=int, default=0, help="instead of minutes")
    parser.add_argument("--batch", type=int, default=6)
    parser.add_argument("--size", type=int, default=96, help="side of the views in pixels, a multiple of 16")
    parser.add_argument("--rate", type=float, default=1.5e-3, help="peak learning rate")
    parser.add_argument(
        "--widths", type=int, nargs=4, default=WIDTHS, help="channels at 1/2, 1/4, 1/8 and 1/16"
    )
    parser.add_argument("--threads", type=int, help="of the CPU; by default all")
    parser.add_argument("--resume", action="store_true", help="go on from the checkpoint in --out")
    parser.add_argument("--tiny", action="store_true", help="one step on small pictures")
    parser.add_argument("--pack", type=Path, default=Path("out/training/diffusion.npz"))
    parser.add_argument("--features", type=Path, default=Path("out/training/squeezenet_fp16.onnx"))
    parser.add_argument("--out", type=Path, default=Path("out/training/diffusion"))
    return parser.parse_args(given)


def main(
    given: Sequence[str] | None = None,
    texture: tuple[str, ...] = TEXTURE_LAYERS,
    content: tuple[str, ...] = CONTENT_LAYERS,
) -> int:
    """Run the command line; `texture` and `content` are layers of the feature network."""
    options = arguments(given)
    if options.threads:
        torch.set_num_threads(options.threads)
    torch.set_float32_matmul_precision("high")
    torch.backends.cudnn.allow_tf32 = True
    torch.backends.cudnn.benchmark = True
    fields = {name: value for name, value in vars(options).items() if name in Settings.__dataclass_fields__}
    fields["widths"] = tuple(options.widths)
    settings = Settings(**fields)
    if options.tiny:
        small: dict[str, Any] = {
            "steps": 1,
            "batch": 2,
            "size": 64,
            "samples": 64,
            "slices": 8,
            "widths": (8, 8, 16, 16),
        }
        settings = Settings(**{**fields, **small})
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    pictures = read_pack(options.pack, TRAIN, device, most=16 if options.tiny else None)
    features = Features(options.features, tuple(dict.fromkeys([*texture, *content]))).to(device)
    training = Training(settings, Weights(texture_layers=texture, content_layers=content), features, pictures)
    base = options.out / "denoiser"
    base.parent.mkdir(parents=True, exist_ok=True)
    if options.resume:
        training.restore(checkpoint.load(base.with_suffix(".pt"), device))
    training.fit(base)
    held = read_pack(options.pack, HELD, device, most=8)
    shown = held.centers(torch.arange(len(held), device=device), settings.size if options.tiny else 192, 1.0)
    pixels = sheet(training.average, shown).permute(1, 2, 0).cpu().numpy()
    cv2.imwrite(str(base.with_suffix(".png")), cv2.cvtColor(pixels, cv2.COLOR_RGB2BGR))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
