"""Measure how much a person mask flickers in the picture that the program makes, network, smoothing and edges included.

    python benchmarks/mask_flicker.py CLIP... [--model NAME|FILE.onnx] [--smoothing S] [--program CHECKOUT] [--frames 240]

Each clip is processed with `background:mode=mask` by the command line of this checkout, or of --program's, into a
lossless video. Given are, in thousandths of the mask's range, the mean absolute change from one frame to the next: of all
pixels, which includes what persons do, and of the pixels about which the clip's luma has stood still for half a second,
where any change is flicker. `delay`: how much the mask differs, where the picture moves, from the same network's without smoothing.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import av
import cv2
import numpy as np

_BLOCK: Final = 8
"""Side of the blocks whose mean luma is compared, in pixels."""
_REACH: Final = 3
"""Pixels count as still if no block within so many blocks of theirs changes: 24 pixels, as far as edge refinement reaches."""
_STILL: Final = 0.02
"""Range of the luma of a block, in 0..1, up to which it stands still."""
_FRAMES: Final = 15
"""Length of the window in which a block must not change: half a second at 30 frames a second."""


@dataclass(frozen=True)
class Flicker:
    """One clip's figures; the first three in thousandths of the mask's range.

    Attributes:
        everywhere: mean absolute change of all pixels from one frame to the next.
        still: the same of those about which the picture stands still.
        delay: mean absolute difference from the mask without smoothing, where the picture moves.
        share: of the pixels that stand still.
    """

    everywhere: float
    still: float
    delay: float
    share: float


def lumas(clip: Path, most: int) -> Iterator[np.ndarray]:
    """Yield the first frames of a clip as (height, width) float32 luma (its Y plane, or that of its RGB) in 0..1."""
    with av.open(str(clip)) as container:
        for number, frame in enumerate(container.decode(video=0)):
            if number == most:
                return
            yield frame.to_ndarray(format="gray").astype(np.float32) / 255


def masks(clip: Path, model: str, smoothing: str, program: Path, folder: Path, most: int) -> list[np.ndarray]:
    """Return the masks that the program shows, as `lumas` does.

    Raises SystemExit with the program's message if it fails.
    """
    made = folder / "mask.mkv"
    made.unlink(missing_ok=True)
    stage = f"background:mode=mask,model={model}" + (f",smoothing={smoothing}" if smoothing else "")
    command = [sys.executable, "-m", "lightloom", "process", str(clip.resolve()), "-o", str(made)]
    options = ["--codec", "ffv1", "--filter", stage, "--max-frames", str(most)]
    done = subprocess.run([*command, *options], cwd=program, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{clip.name}: {done.stderr.strip().splitlines()[-1]}")
    return list(lumas(made, most))


def still(clip: list[np.ndarray]) -> np.ndarray:
    """Return (height, width) bool: where blocks and their neighbors have kept their luma over these frames."""
    height, width = clip[0].shape
    size = (-(-width // _BLOCK), -(-height // _BLOCK))
    blocks = np.stack([cv2.resize(frame, size, interpolation=cv2.INTER_AREA) for frame in clip])
    change = cv2.dilate(np.ptp(blocks, axis=0), np.ones((2 * _REACH + 1, 2 * _REACH + 1), np.uint8))
    return cv2.resize(change, (width, height), interpolation=cv2.INTER_NEAREST) < _STILL


def measured(clip: list[np.ndarray], shown: list[np.ndarray], raw: list[np.ndarray]) -> Flicker:
    """Return the figures of masks `shown`, with `raw` as those without smoothing."""
    count = min(len(clip), len(shown), len(raw))
    changes, quiet, delays, shares = [], [], [], []
    first = min(_FRAMES, count - 1)
    for number in range(first, count):
        change = np.abs(shown[number] - shown[number - 1])
        where = still(clip[number - first : number + 1])
        changes.append(change.mean())
        shares.append(where.mean())
        quiet.append((change * where).sum())
        delays.append((np.abs(shown[number] - raw[number]) * ~where).sum())
    pixels, share = clip[0].size * (count - first), float(np.mean(shares))
    moving = max(pixels * (1 - share), 1.0)
    return Flicker(
        1e3 * float(np.mean(changes)),
        1e3 * sum(quiet) / max(pixels * share, 1.0),
        1e3 * sum(delays) / moving,
        share,
    )


def main() -> int:
    """Print one line for each clip."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("clips", type=Path, nargs="+")
    parser.add_argument("--model", default="person_mask", help="a bundled network's name, or an .onnx file")
    parser.add_argument("--smoothing", default="", help="seconds (default: the stage's)")
    parser.add_argument("--program", type=Path, default=Path(__file__).parents[1], help="checkout to run")
    parser.add_argument("--frames", type=int, default=240, help="of each clip, at most")
    options = parser.parse_args()
    model = str(Path(options.model).resolve()) if options.model.endswith(".onnx") else options.model
    print(f"{'clip':24} {'everywhere':>10} {'still':>8} {'delay':>8}   share that stands still")
    with tempfile.TemporaryDirectory() as name:
        for clip in options.clips:
            folder, program, most = Path(name), options.program, options.frames
            shown = masks(clip, model, options.smoothing, program, folder, most)
            raw = masks(clip, model, "0", program, folder, most)
            f = measured(list(lumas(clip, most)), shown, raw)
            print(
                f"{clip.name[:24]:24} {f.everywhere:10.2f} {f.still:8.3f} {f.delay:8.2f}   {f.share:.2f}",
                flush=True,
            )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
