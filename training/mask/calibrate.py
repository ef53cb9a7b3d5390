"""The number to add to the mask's logits, so that cutting at 0.5 finds as much of a person as the teacher
does.

    python -m training.mask.calibrate out/training/mask.ckpt

With --people it is fitted to true masks. Else it is fitted on the training photographs and frames, whole and
as they were taken: the student was trained on views, half of them composites and mosaics, where it learned to
be careful. Export folds it into the last layer.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Final

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from desktop.base.errors import LightloomError
from training.common import checkpoint
from training.common.data import TRAIN, Pictures, read_pack
from training.common.people import People, read_people
from training.mask.evaluate import overlap, true_pairs
from training.mask.model import PersonMask, bundled, size_for, stretched
from training.mask.teacher import SIDE, Teacher

_BIASES: Final = torch.arange(-10, 11) / 10
"""From -1 to 1; neighbors differ by 0.001 in the mean overlap."""
_ENOUGH: Final = 400
"""Pictures with true masks, at most."""
TEACHER: Final = Path("../shared/models/segment/obs_selfie_segmentation.onnx")


@torch.no_grad()
def overlaps(student: nn.Module, teacher: nn.Module, picture: Tensor, size: tuple[int, int]) -> Tensor:
    """Return the (21,) overlaps with the teacher's mask of a (1, 3, 256, 256) picture, one for each bias."""
    logits = F.interpolate(
        student(stretched(picture, size)), size=(SIDE, SIDE), mode="bilinear", align_corners=False
    )
    masks = torch.sigmoid(logits + _BIASES[:, None, None, None])
    return overlap(masks, teacher(picture).expand_as(masks))


def fitted(student: nn.Module, teacher: nn.Module, pictures: Pictures) -> float:
    """Return the bias of the largest mean overlap over all pictures."""
    total = torch.zeros(len(_BIASES))
    for index in range(len(pictures)):
        height, width = (int(n) for n in pictures.sizes[index])
        view = pictures.stretched(torch.tensor([index]), SIDE)
        total += overlaps(student, teacher, view, size_for(student)(height, width))
    return float(_BIASES[total.argmax()])


@torch.no_grad()
def fitted_to_truth(student: nn.Module, people: People) -> float:
    """Return the bias of the largest mean overlap with the true masks of pictures that show a person."""
    total = torch.zeros(len(_BIASES))
    for pixels, wanted in true_pairs(people):
        height, width = wanted.shape[2:]
        logits = student(stretched(pixels, size_for(student)(height, width))).float()
        larger = F.interpolate(logits, size=(height, width), mode="bilinear", align_corners=False)
        masks = torch.sigmoid(larger + _BIASES[:, None, None, None])
        total += overlap(masks, wanted.expand_as(masks))
    return float(_BIASES[total.argmax()])


def bias_of(student: nn.Module, options: argparse.Namespace) -> tuple[float, int]:
    """Return the bias that the command line's pictures ask for, and their number."""
    cpu, most = torch.device("cpu"), 6 if options.tiny else None
    if options.people:
        people = read_people(options.people, TRAIN, cpu, most or _ENOUGH, masks=True)
        return fitted_to_truth(student, people), len(people)
    pictures = read_pack(options.data, TRAIN, cpu, most=most)
    return fitted(student, Teacher(options.teacher), pictures), len(pictures)


def averaged(path: Path, is_tiny: bool) -> PersonMask:
    """Return a checkpoint's averaged student in eval mode.

    Raises:
        SourceNotFoundError: no file there.
        SourceDamagedError: not a checkpoint, or one of another network, as that of the teacher.
    """
    student = bundled(is_tiny)
    checkpoint.begin(student, path)
    return student.eval()


def main(arguments: list[str] | None = None) -> int:
    """Print the bias; exit status 0, or 1 with one sentence."""
    parser = argparse.ArgumentParser(
        prog="python -m training.mask.calibrate", description=__doc__.splitlines()[0]
    )
    parser.add_argument("checkpoint", type=Path)
    parser.add_argument("--data", type=Path, default=Path("out/training/mask.npz"))
    parser.add_argument("--teacher", type=Path, default=TEACHER)
    parser.add_argument("--people", type=Path, nargs="+", help="packs whose true masks to fit it to instead")
    parser.add_argument("--tiny", action="store_true", help="for a checkpoint of --tiny training")
    options = parser.parse_args(arguments)
    try:
        bias, count = bias_of(averaged(options.checkpoint, options.tiny), options)
    except LightloomError as error:
        print(f"training: {error}", file=sys.stderr)
        return 1
    print(f"bias {bias:+.1f}, on {count} training pictures")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
