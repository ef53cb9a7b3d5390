"""The temperature that makes the classifier's probabilities mean what they say (Guo et al. 2017).

    python -m training.classifier.calibrate out/training/classifier.ckpt

It is the number to divide the logits by. It is fitted on the 100 photographs held back from the training,
whose classes are known, by the likelihood of those classes; the same fitted to the teacher's probabilities is
printed beside it. Export folds it into the last layer.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn

from desktop.base.errors import LightloomError
from training.classifier.evaluate import VIEWS, calibration_error
from training.classifier.model import DESIGN, SIZE, TINY, Classifier
from training.classifier.teacher import SIZE as TEACHER_SIZE
from training.classifier.teacher import Teacher
from training.common import checkpoint
from training.common.data import HELD, Pictures, read_pack

_TEMPERATURES = torch.logspace(-1, 1, 401)
"""From 0.1 to 10 in steps of 1.2 %: the fit needs no more, and a search over all cannot end in a wrong place.
"""


@torch.no_grad()
def views(network: nn.Module, pictures: Pictures, size: int) -> Tensor:
    """Return (6 N, 1000) logits of six views of each picture, the N pictures of one view after those of
    another.
    """
    index = torch.arange(len(pictures), device=pictures.device)
    rows = []
    for fraction in VIEWS:
        x = 2 * pictures.centers(index, size, fraction) - 1
        for view in (x, x.flip(3)):
            logits = network(view)
            rows.append((logits[0] if isinstance(logits, tuple) else logits).float())
    return torch.cat(rows)


def temperature(logits: Tensor, wanted: Tensor) -> float:
    """Return the temperature of the least cross-entropy between `wanted` (N, C) probabilities and
    softmax(logits / t).
    """
    losses = torch.stack([-(wanted * (logits / t).log_softmax(1)).sum(1).mean() for t in _TEMPERATURES])
    return float(_TEMPERATURES[losses.argmin()])


def fitted(student: nn.Module, held: Pictures, size: int) -> float:
    """Return the temperature for a student, by the classes of the held-back pictures."""
    logits = views(student, held, size)
    labels = held.labels.repeat(2 * len(VIEWS))
    known = labels >= 0
    return temperature(logits[known], nn.functional.one_hot(labels[known], logits.shape[1]).float())


def averaged(path: Path, device: torch.device, tiny: bool) -> Classifier:
    """Return a checkpoint's averaged student in eval mode."""
    student = Classifier(TINY if tiny else DESIGN).to(device)
    student.load_state_dict(checkpoint.load(path, device)["average"])
    return student.eval()


def main(arguments: list[str] | None = None) -> int:
    """Print the temperatures and the calibration error before and after; exit status 0, or 1 with one
    sentence.
    """
    parser = argparse.ArgumentParser(
        prog="python -m training.classifier.calibrate", description=__doc__.splitlines()[0]
    )
    parser.add_argument("checkpoint", type=Path)
    parser.add_argument("--data", type=Path, default=Path("out/training/classifier.npz"))
    parser.add_argument(
        "--teacher", type=Path, default=Path("../shared/models/classify/mobilenet_v2_1.0_224_f32.onnx")
    )
    parser.add_argument("--tiny", action="store_true", help="for a checkpoint of --tiny training")
    options = parser.parse_args(arguments)
    device = torch.device("cpu")
    size = 64 if options.tiny else SIZE
    try:
        held = read_pack(options.data, HELD, device, most=4 if options.tiny else None)
        student = averaged(options.checkpoint, device, options.tiny)
        mine = views(student, held, size)
        theirs = views(Teacher(options.teacher, torch.float32), held, TEACHER_SIZE)
    except LightloomError as error:
        print(f"training: {error}", file=sys.stderr)
        return 1
    by_class = fitted(student, held, size)
    by_teacher = temperature(mine, theirs.softmax(1))
    labels = held.labels.repeat(2 * len(VIEWS)).numpy()
    for name, t in (("none", 1.0), ("by the known classes", by_class), ("by the teacher", by_teacher)):
        gap = calibration_error(np.asarray((mine / t).softmax(1)), labels)
        print(f"temperature {name}: {t:.3f}, calibration error on held-back pictures {gap:.3f}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
