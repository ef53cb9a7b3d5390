r"""The person mask on true masks, beside a rival's.

    python -m training.mask.judge assets/models/person_mask.onnx --people out/training/people.npz \
        --rival ../shared/models/segment/obs_selfie_segmentation.onnx

For each pack the mean intersection over union of the pictures held back that have a true mask and show a
person, with its interval of 95 % (pictures drawn again). The network sees a picture as the program shows it:
its longer side reduced to what the settings beside it state (320 pixels); the
rival sees it stretched to 256 x 256, as it asks for. Masks are enlarged to the picture's size and cut at 0.5.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import onnxruntime
import torch
import torch.nn.functional as F
from torch import Tensor

from desktop.base.errors import LightloomError
from training.common.bootstrap import Figure, figure
from training.common.data import HELD
from training.common.people import People, read_people
from training.mask.evaluate import overlap, stated_size, true_pairs
from training.mask.model import stretched
from training.mask.teacher import SIDE, Teacher

Look = Callable[[Tensor], Tensor]
"""From a (1, 3, H, W) picture in 0..1 to its (1, 1, h, w) mask, of whatever size."""


def student_look(path: Path) -> Look:
    """Return an exported mask as a function of a picture."""
    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    sized = stated_size(path)

    def look(picture: Tensor) -> Tensor:
        height, width = picture.shape[2:]
        small = stretched(picture, sized(height, width))
        (mask,) = session.run(None, {"image": (2 * small - 1).numpy().astype(np.float16)})
        return torch.from_numpy(mask.astype(np.float32))

    return look


def rival_look(path: Path) -> Look:
    """Return the selfie segmentation as a function of a picture."""
    network = Teacher(path)
    return lambda picture: network(stretched(picture, (SIDE, SIDE)))


def overlaps(look: Look, people: People) -> np.ndarray:
    """Return the overlap of each picture with a true mask that shows a person."""
    found = []
    for picture, wanted in true_pairs(people):
        mask = F.interpolate(look(picture), size=wanted.shape[2:], mode="bilinear", align_corners=False)
        found.append(float(overlap(mask, wanted)))
    return np.array(found)


def measured(look: Look, people: People) -> tuple[Figure, int]:
    """Return the mean overlap with its interval, and the number of pictures."""
    values = overlaps(look, people)
    return figure(lambda chosen: float(values[chosen].mean()), len(values)), len(values)


def main(arguments: list[str] | None = None) -> int:
    """Print the table; exit status 0, or 1 with one sentence."""
    parser = argparse.ArgumentParser(
        prog="python -m training.mask.judge", description=__doc__.splitlines()[0]
    )
    parser.add_argument("student", type=Path, help="an exported .onnx")
    parser.add_argument(
        "--people", type=Path, nargs="+", default=[Path("out/training/people.npz")], help="packs of people"
    )
    parser.add_argument("--rival", type=Path, help="the selfie segmentation, to measure beside it")
    parser.add_argument("--most", type=int, help="pictures of each pack, at most")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(arguments)
    rows = {}
    try:
        networks = {"mask": student_look(options.student)}
        if options.rival:
            networks["rival"] = rival_look(options.rival)
        for path in options.people:
            people = read_people([path], HELD, torch.device("cpu"), options.most, masks=True)
            name = path.stem if path.stem not in rows else str(path)  # two packs may be called people.npz
            rows[name] = {each: measured(look, people) for each, look in networks.items()}
    except LightloomError as error:
        print(f"training: {error}", file=sys.stderr)
        return 1
    if options.json:
        plain = {p: {n: {**vars(f), "pictures": c} for n, (f, c) in row.items()} for p, row in rows.items()}
        print(json.dumps(plain, indent=1))
        return 0
    print(
        "\n".join(
            [
                "| pictures | of them | " + " | ".join(networks) + " |",
                "| --- | --- |" + " --- |" * len(networks),
            ]
        )
    )
    for name, row in rows.items():
        count = next(iter(row.values()))[1]
        print(f"| {name} | {count} | " + " | ".join(str(found) for found, _ in row.values()) + " |")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
