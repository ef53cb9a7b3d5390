"""Measure trained styles.

    python -m training.style.evaluate                        all checkpoints in --runs -> <runs>/evaluation.json and a table
    python -m training.style.evaluate --card                 write the table in that file into docs/model-cards/style.md

Losses and flicker are taken on the photographs that are held back from training. Flicker: a second frame is
made from a photograph by a known motion with noise and a change of exposure; both frames are styled; it is
the mean absolute difference, in 1/255, of the second styled frame from the first one moved by the same
motion. The photographs' own difference is the floor that the noise sets.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import onnxruntime as ort
import torch
from torch import nn

from desktop.base.errors import SourceNotFoundError
from training.common import card
from training.common.data import HELD, Pictures, read_pack
from training.style.export import load
from training.style.loss import RECIPES, Features, Recipe, StyleLoss
from training.style.motion import Motion, inconsistency, moved
from training.style.paintings import PAINTINGS, STYLES, paint

SIZE = 256
BATCH = 4
# As a held camera sees: small shifts, sensor noise, no cuts.
EVALUATION = Motion(shift=6, bend=1.0, turn=0.02, noise=0.02, gain=0.02, occluder=0.0)


@dataclass(frozen=True)
class Figures:
    """Means over the held-back photographs; flicker in 1/255. content and style are the unweighted losses of
    the style's recipe.
    """

    style: str
    network: str
    content: float
    style_loss: float
    flicker: float
    floor: float
    pictures: int


def measure(network: nn.Module, loss: StyleLoss, pictures: Pictures, size: int = SIZE) -> dict[str, float]:
    """Means over all pictures, their center squares at `size`. Seeded: every network meets the same motion
    and directions.
    """
    device = pictures.device
    torch.manual_seed(1)
    generator = torch.Generator(device).manual_seed(1)
    sums = dict.fromkeys(("content", "style_loss", "flicker", "floor"), 0.0)
    for start in range(0, len(pictures), BATCH):
        index = torch.arange(start, min(start + BATCH, len(pictures)), device=device)
        first = pictures.centers(index, size, 1.0)
        pair = moved(first, EVALUATION, generator)
        with torch.no_grad():
            one, two = network(first), network(pair.second)
            parts = loss(one, first)
            found = {
                "content": parts["content"],
                "style_loss": parts["style"],
                "flicker": 255 * inconsistency(one, two, pair, power=1),
                "floor": 255 * inconsistency(first, pair.second, pair, power=1),
            }
        for name, value in found.items():
            sums[name] += value.item() * len(index)
    return {name: value / len(pictures) for name, value in sums.items()}


def evaluate(
    checkpoint: Path,
    features: Path,
    pictures: Pictures,
    recipe: Recipe | None = None,
    size: int = SIZE,
    painting: int = 768,
    paintings: Path = PAINTINGS,
) -> Figures:
    """Figures of one checkpoint, whose name is <style>_<network>.pt; `recipe` replaces the style's own."""
    style, network = checkpoint.stem.rsplit("_", 1)
    recipe = recipe or RECIPES[style]
    device = pictures.device
    painted = (
        torch.from_numpy(paint(style, painting, paintings)).permute(2, 0, 1)[None].float().to(device) / 255
    )
    loss = StyleLoss(Features(features, recipe.values).to(device), painted, recipe)
    found = measure(load(checkpoint).to(device), loss, pictures, size)
    return Figures(style, network, **found, pictures=len(pictures))


def table(figures: Sequence[Figures]) -> str:
    """Markdown: a row for each style and network."""
    lines = [
        "| style | network | content loss | style loss | flicker (1/255) | photographs' own (1/255) |",
        "|---|---|---|---|---|---|",
    ]
    for f in figures:
        values = f"{f.content:.3f} | {f.style_loss:.3f} | {f.flicker:.2f} | {f.floor:.2f}"
        lines.append(f"| {STYLES[f.style].title} | {f.network} | {values} |")
    return "\n".join([*lines, "", f"Means over {figures[0].pictures} photographs that no training saw."])


def clip_frame(path: Path, number: int) -> np.ndarray:
    """Frame `number` (from 0, or the last one) of a clip: H x W x 3 uint8 RGB."""
    import av  # only the contact sheet needs it; machines that train may lack it

    picture = None
    with av.open(str(path)) as container:
        for index, frame in enumerate(container.decode(video=0)):
            picture = frame
            if index == number:
                break
    if picture is None:
        raise SourceNotFoundError(f"{path.name} holds no frames; choose another clip for the contact sheet.")
    return picture.to_ndarray(format="rgb24")


def fitted(picture: np.ndarray, width: int = 512, height: int = 384) -> np.ndarray:
    """Cut to 4:3 around the center and brought to `width` x `height`."""
    h, w = picture.shape[:2]
    cut_w, cut_h = min(w, h * width // height), min(h, w * height // width)
    left, top = (w - cut_w) // 2, (h - cut_h) // 2
    cut = picture[top : top + cut_h, left : left + cut_w]
    how = cv2.INTER_AREA if cut_w > width else cv2.INTER_CUBIC
    return cv2.resize(cut, (width, height), interpolation=how)


def styled(session: ort.InferenceSession, picture: np.ndarray) -> np.ndarray:
    """H x W x 3 uint8 RGB through an exported network."""
    (found,) = session.run(["styled"], {"image": (picture.transpose(2, 0, 1)[None] / 255).astype(np.float16)})
    return (np.asarray(found, np.float32)[0].transpose(1, 2, 0).clip(0, 1) * 255).round().astype(np.uint8)


def main(given: Sequence[str] | None = None, recipe: Recipe | None = None) -> int:
    """Run the command line; `recipe` replaces the styles' own."""
    assert __doc__
    parser = argparse.ArgumentParser(
        prog="python -m training.style.evaluate", description=__doc__.splitlines()[0]
    )
    parser.add_argument("--runs", type=Path, default=Path("out/training/style"))
    parser.add_argument("--pack", type=Path, default=Path("out/training/classifier.npz"))
    parser.add_argument("--features", type=Path, default=Path("out/training/squeezenet_fp16.onnx"))
    parser.add_argument("--pictures", type=int, help="of the held-back photographs, at most")
    parser.add_argument(
        "--card", action="store_true", help="write the last evaluation's table into the model card"
    )
    parser.add_argument("--docs", type=Path, default=Path("docs"))
    options = parser.parse_args(given)
    record = options.runs / "evaluation.json"
    if options.card:
        figures = [Figures(**entry) for entry in json.loads(record.read_text("utf-8"))]
        card.filled(options.docs / "model-cards/style.md", "figures", table(figures))
    else:
        device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        held = read_pack(options.pack, HELD, device, most=options.pictures)
        figures = [
            evaluate(path, options.features, held, recipe) for path in sorted(options.runs.glob("*.pt"))
        ]
        record.write_text(json.dumps([vars(f) for f in figures], indent=1), "utf-8")
        print(table(figures))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
