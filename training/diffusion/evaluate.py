"""Measure the trained denoiser, and show it.

    python -m training.diffusion.evaluate                    a table of figures, from the checkpoint in --runs
    python -m training.diffusion.evaluate --sheet            <runs>/denoiser.jpg

On photographs that no training saw. PSNR is of what comes out, beside the photograph; the sketch's own is
what has to be beaten where the noise leaves nothing else. Flicker is the styles'
(training/style/evaluate.py): mean absolute difference, in 1/255, of a second repainted picture from the first
one moved by the same known motion, with noise that stays and with noise of its own; and on a clip the mean
absolute difference of repainted pictures that follow each other, beside the clip's own.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import av
import cv2
import numpy as np
import torch
from torch import Tensor, nn

from desktop.base.errors import LightloomError
from desktop.pipeline.running.repaint import denoising
from training.common.data import HELD, Pictures, read_pack
from training.diffusion.export import load
from training.diffusion.model import sampled, sketched
from training.diffusion.train import sheet
from training.style.evaluate import EVALUATION
from training.style.motion import inconsistency, moved

RUNS: Final = ((0.3, 1), (0.6, 1), (0.6, 2), (1.0, 1), (1.0, 2), (1.0, 4))
"""(strength, steps)."""
SIZE: Final = 192
CLIP: Final = "flipping_a_pancake.mkv"
CLIP_SIZE: Final = (320, 176)
CLIP_FRAMES: Final = 24


@dataclass(frozen=True)
class Figures:
    """Means over the photographs, and over a clip; flicker in 1/255."""

    psnr: float
    steady: float
    boiling: float
    clip: float | None


def noise_for(picture: Tensor, seed: int = 0) -> Tensor:
    """The app's noise for (N, 3, H, W) pictures: the same for all."""
    found = denoising.noise(picture.shape[2], picture.shape[3], seed)
    return torch.from_numpy(found).to(picture.device).expand(picture.shape)


def psnr(found: Tensor, photo: Tensor) -> float:
    """Of pictures in 0..1, each by itself, in dB."""
    errors = (found - photo).square().flatten(1).mean(1).clamp(min=1e-10)
    return float((-10 * errors.log10()).mean())


@torch.no_grad()
def measure(network: nn.Module, photo: Tensor, strength: float, steps: int, clip: Tensor | None) -> Figures:
    """Figures for photographs (N, 3, S, S) and, where there is one, a clip's pictures (N, 3, H, W), in 0..1."""

    def repainted(x: Tensor, seed: int = 0) -> Tensor:
        return sampled(network, x * 2 - 1, noise_for(x, seed), strength, steps) / 2 + 0.5

    pair = moved(photo, EVALUATION, torch.Generator(photo.device).manual_seed(1))
    first = repainted(photo)
    steady = inconsistency(first, repainted(pair.second), pair, power=1)
    boiling = inconsistency(first, repainted(pair.second, 1), pair, power=1)
    shown = torch.cat([repainted(picture[None]) for picture in clip]) if clip is not None else None
    return Figures(
        psnr(first, photo),
        255 * float(steady),
        255 * float(boiling),
        _changes(shown) if shown is not None else None,
    )


def _changes(pictures: Tensor) -> float:
    return 255 * float(pictures.diff(dim=0).abs().mean())


def clip_pictures(path: Path) -> Tensor:
    """The first pictures of a clip, (N, 3, H, W) in 0..1."""
    found: list[np.ndarray] = []
    with av.open(str(path)) as container:
        for frame in container.decode(video=0):
            found.append(
                cv2.resize(frame.to_ndarray(format="rgb24"), CLIP_SIZE, interpolation=cv2.INTER_AREA)
            )
            if len(found) == CLIP_FRAMES:
                break
    return torch.from_numpy(np.stack(found)).permute(0, 3, 1, 2).float() / 255


def table(network: nn.Module, photo: Tensor, clip: Tensor | None) -> str:
    """Markdown: a row for each strength and number of steps."""
    pair = moved(photo, EVALUATION, torch.Generator(photo.device).manual_seed(1))
    own = 255 * float(inconsistency(photo, pair.second, pair, power=1))
    clips = f"{_changes(clip):.2f}" if clip is not None else ""
    lines = [
        "| strength | steps | PSNR (dB) | flicker, steady noise (1/255) | flicker, noise of its own | change in a clip |",
        "|---|---|---|---|---|---|",
        f"| the image itself | | | {own:.2f} | {own:.2f} | {clips} |",
        f"| its sketch | | {psnr(sketched(photo), photo):.2f} | | | |",
    ]
    for strength, steps in RUNS:
        f = measure(network, photo, strength, steps, clip)
        change = f"{f.clip:.2f}" if f.clip is not None else ""
        lines.append(f"| {strength} | {steps} | {f.psnr:.2f} | {f.steady:.2f} | {f.boiling:.2f} | {change} |")
    return "\n".join(
        [*lines, "", f"Means over {len(photo)} photographs that no training saw, and over {CLIP}."]
    )


def held_back(pack: Path, most: int, size: int = SIZE) -> Tensor:
    """Photographs (N, 3, S, S) in 0..1 that no training saw."""
    held: Pictures = read_pack(pack, HELD, torch.device("cpu"), most=most)
    return held.centers(torch.arange(len(held)), size, 1.0)


def write_sheet(network: nn.Module, photo: Tensor, path: Path) -> None:
    """The contact sheet; see `sheet`."""
    pixels = sheet(network, photo).permute(1, 2, 0).numpy()
    path.parent.mkdir(parents=True, exist_ok=True)
    cv2.imwrite(str(path), cv2.cvtColor(pixels, cv2.COLOR_RGB2BGR), [cv2.IMWRITE_JPEG_QUALITY, 85])


def main(given: Sequence[str] | None = None) -> int:
    """Exit status 0, or 1 with one sentence."""
    assert __doc__
    parser = argparse.ArgumentParser(
        prog="python -m training.diffusion.evaluate", description=__doc__.splitlines()[0]
    )
    parser.add_argument("--runs", type=Path, default=Path("out/training/diffusion"))
    parser.add_argument("--pack", type=Path, default=Path("out/training/diffusion.npz"))
    parser.add_argument("--pictures", type=int, default=24, help="of the held-back photographs, at most")
    parser.add_argument("--clips", type=Path, default=Path("../shared/video/files"))
    parser.add_argument("--sheet", action="store_true", help="make the contact sheet")
    options = parser.parse_args(given)
    try:
        network = load(options.runs / "denoiser.pt")
        if options.sheet:
            write_sheet(network, held_back(options.pack, 8), options.runs / "denoiser.jpg")
            return 0
        clip = options.clips / CLIP
        found = table(
            network, held_back(options.pack, options.pictures), clip_pictures(clip) if clip.exists() else None
        )
        print(found)
    except LightloomError as error:
        print(f"training: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
