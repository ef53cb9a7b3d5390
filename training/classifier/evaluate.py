"""Measure the classifier beside its teacher and SqueezeNet on pictures with known classes.

python -m training.classifier.evaluate assets/models/classifier.onnx            the exported network, by
onnxruntime python -m training.classifier.evaluate out/training/classifier.ckpt             a checkpoint's
averaged weights ... --card docs/model-cards/classifier.md                                       write the
figures into the model card
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np
import onnxruntime
import torch
from torch import Tensor, nn

from desktop.base.errors import LightloomError, SourceNotFoundError
from training.classifier.model import SIZE, Classifier
from training.classifier.teacher import SIZE as TEACHER_SIZE
from training.common import checkpoint
from training.common.card import filled
from training.common.data import Pictures, label_of, read_folder

BINS: Final = 15
VIEWS: Final = (1.0, 0.875, 0.75)
"""Center crops, as shares of the shorter side; each also mirrored. A live picture shows any of them."""
Network = Callable[[np.ndarray], np.ndarray]
"""From (256-pixel) RGB uint8 pictures' center crops, (1, 3, H, W) float32 in 0..1, to (1000,) probabilities.
"""


@dataclass(frozen=True)
class Figures:
    """Measurements of one network; all are shares of 1 but for the number of pictures.

    All but `views_error` are of one crop of each picture. `chance`: the calibration error that a perfectly
    calibrated network with the same confidences would show on as many pictures, by chance alone.
    `views_error`: the calibration error over six views of each.
    """

    pictures: int
    top1: float
    top5: float
    agreement: float
    calibration_error: float
    chance: float
    views_error: float


@torch.no_grad()
def compared(student: nn.Module, teacher: nn.Module, held: Pictures, size: int) -> dict[str, float]:
    """Return how the student does on held-back pictures beside the teacher, both on center crops.

    `agreement`: the share with the same first class. `divergence`: mean KL from the teacher. `top1`, `top5`:
    where a class is known.
    """
    agreed = divergence = first = fifth = 0.0
    known = max(1, int((held.labels >= 0).sum()))
    for index in torch.arange(len(held), device=held.device).split(100):
        wanted, _ = teacher(_prepared(held.centers(index, TEACHER_SIZE)))
        got = student(_prepared(held.centers(index, size))).float()
        labels = held.labels[index, None]
        best = got.topk(5, dim=1).indices
        agreed += float((best[:, 0] == wanted.argmax(1)).sum())
        log_wanted = wanted.log_softmax(1)
        divergence += float((log_wanted.exp() * (log_wanted - got.log_softmax(1))).sum())
        first += float((best[:, :1] == labels).sum())
        fifth += float((best == labels).sum())
    count = len(held)
    return {
        "agreement": agreed / count,
        "divergence": divergence / count,
        "top1": first / known,
        "top5": fifth / known,
    }


def _prepared(x: Tensor) -> Tensor:
    return (2 * x - 1).contiguous(memory_format=torch.channels_last)


def calibration_error(probabilities: np.ndarray, labels: np.ndarray, bins: int = BINS) -> float:
    """Return the expected calibration error (Guo et al. 2017): the mean gap between a bin's confidence and
    its accuracy.

    Args:
        probabilities: (N, C). labels: (N,). bins: equally wide ones of the highest probability.
    """
    return _gap(probabilities.max(1), probabilities.argmax(1) == labels, bins)


def chance_error(probabilities: np.ndarray, bins: int = BINS, draws: int = 200) -> float:
    """Return the mean calibration error if each answer were right exactly as often as its (N, C)
    probabilities say.
    """
    confidence = probabilities.max(1)
    rng = np.random.default_rng(0)
    return float(
        np.mean([_gap(confidence, rng.random(len(confidence)) < confidence, bins) for _ in range(draws)])
    )


def _gap(confidence: np.ndarray, right: np.ndarray, bins: int) -> float:
    place = np.minimum((confidence * bins).astype(int), bins - 1)
    gaps = [abs(float(right[place == b].sum() - confidence[place == b].sum())) for b in range(bins)]
    return sum(gaps) / len(confidence)


def measured(views: np.ndarray, reference: np.ndarray, labels: np.ndarray) -> Figures:
    """Return the figures of (V, N, 1000) probabilities of V views, the first of which counts, beside a
    teacher's (N, 1000).
    """
    probabilities = views[0]
    best = np.argsort(-probabilities, axis=1)[:, :5]
    return Figures(
        len(labels),
        float((best[:, 0] == labels).mean()),
        float((best == labels[:, None]).any(1).mean()),
        float((best[:, 0] == reference.argmax(1)).mean()),
        calibration_error(probabilities, labels),
        chance_error(probabilities),
        calibration_error(views.reshape(-1, views.shape[2]), np.tile(labels, len(views))),
    )


def session(path: Path, prepare: Callable[[np.ndarray], np.ndarray], first: int = 0) -> Network:
    """Return an ONNX file's network. `prepare`: from (1, 3, H, W) in 0..1 to its input; `first`: of its
    outputs to leave out.

    Raises:
        SourceNotFoundError: there is no such file.
    """
    if not path.exists():
        raise SourceNotFoundError(f"{path} is missing; name the folder of shared material.")
    opened = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    entry = opened.get_inputs()[0]
    kind = np.float16 if entry.type == "tensor(float16)" else np.float32

    def run(x: np.ndarray) -> np.ndarray:
        output = opened.run(None, {entry.name: prepare(x).astype(kind)})[0]
        return np.asarray(output, np.float32).reshape(-1)[first:]

    return run


def _checkpoint(path: Path) -> Network:
    student = Classifier()
    student.load_state_dict(checkpoint.load(path, torch.device("cpu"))["average"])
    student.eval()

    def run(x: np.ndarray) -> np.ndarray:
        with torch.no_grad():
            return student(torch.from_numpy(2 * x - 1)).softmax(1)[0].numpy()

    return run


def caffe(x: np.ndarray) -> np.ndarray:
    """Input of SqueezeNet: B'G'R' in 0..255 less Caffe's means."""
    return x[:, ::-1] * 255 - np.array([104, 117, 123], np.float32).reshape(1, 3, 1, 1)


def networks(student: Path, shared: Path) -> dict[str, tuple[Network, int]]:
    """Return each network by name, with the side of its input."""
    folder = shared / "models/classify"
    mine = session(student, lambda x: 2 * x - 1) if student.suffix == ".onnx" else _checkpoint(student)
    return {
        "classifier": (mine, SIZE),
        "MobileNetV2 1.0 (teacher)": (
            session(folder / "mobilenet_v2_1.0_224_f32.onnx", lambda x: 2 * x - 1, first=1),
            TEACHER_SIZE,
        ),
        "SqueezeNet 1.1": (session(folder / "squeezenet_fp16.onnx", caffe), 224),
    }


def crop(picture: np.ndarray, size: int, share: float = 0.875) -> np.ndarray:
    """Return the center crop (`share` of the shorter side) of a (height, width, 3) uint8 RGB picture as (1,
    3, size, size) in 0..1.
    """
    height, width = picture.shape[:2]
    side = round(min(height, width) * share)
    top, left = (height - side) // 2, (width - side) // 2
    view = picture[top : top + side, left : left + side]
    view = cv2.resize(view, (size, size), interpolation=cv2.INTER_AREA if side > size else cv2.INTER_LINEAR)
    return np.ascontiguousarray(view.transpose(2, 0, 1)[None].astype(np.float32) / 255)


def six_views(picture: np.ndarray, size: int) -> list[np.ndarray]:
    """Return the crops at `VIEWS` and their mirror images, the one at 0.875 first."""
    crops = [crop(picture, size, share) for share in sorted(VIEWS, key=lambda share: share != 0.875)]
    return [*crops, *(np.ascontiguousarray(x[..., ::-1]) for x in crops)]


def evaluated(student: Path, shared: Path, folder: Path) -> dict[str, Figures]:
    """Return the figures of the student, the teacher and SqueezeNet on a folder's pictures, named
    `<index>_<wnid>_<name>`.
    """
    pictures = read_folder(folder, torch.device("cpu"))
    keep = [i for i, name in enumerate(pictures.names) if label_of(name) >= 0]
    labels = np.array([label_of(pictures.names[i]) for i in keep])
    shown = [
        pictures.canvas[i, :, : int(pictures.sizes[i, 0]), : int(pictures.sizes[i, 1])]
        .permute(1, 2, 0)
        .numpy()
        for i in keep
    ]
    every = networks(student, shared)
    predicted = {
        name: np.stack([[run(view) for view in six_views(picture, size)] for picture in shown], axis=1)
        for name, (run, size) in every.items()
    }
    reference = predicted["MobileNetV2 1.0 (teacher)"][0]
    return {name: measured(values, reference, labels) for name, values in predicted.items()}


def table(figures: dict[str, Figures]) -> str:
    """Return the figures as a Markdown table."""
    rows = [
        f"| {name} | {f.top1:.3f} | {f.top5:.3f} | {f.agreement:.3f} | {f.views_error:.3f} | {f.calibration_error:.3f} ({f.chance:.3f}) |"
        for name, f in figures.items()
    ]
    head = (
        "| network | top-1 | top-5 | agrees with the teacher | calibration error | of one view (by chance) |\n"
        "| --- | --- | --- | --- | --- | --- |"
    )
    return "\n".join([head, *rows])


def main(arguments: list[str] | None = None) -> int:
    """Print the table; exit status 0, or 1 with one sentence."""
    parser = argparse.ArgumentParser(
        prog="python -m training.classifier.evaluate", description=__doc__.splitlines()[0]
    )
    parser.add_argument("student", type=Path, help="an exported .onnx, or a checkpoint (before calibration)")
    parser.add_argument("--shared", type=Path, default=Path("../shared"), help="folder of shared material")
    parser.add_argument("--pictures", type=Path, help="folder of pictures (default: images/eval of --shared)")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--card", type=Path, help="model card whose table of figures to replace")
    options = parser.parse_args(arguments)
    try:
        figures = evaluated(
            options.student, options.shared, options.pictures or options.shared / "images/eval"
        )
        if options.card:
            filled(options.card, "evaluation", table(figures))
    except LightloomError as error:
        print(f"training: {error}", file=sys.stderr)
        return 1
    print(
        json.dumps({n: asdict(f) for n, f in figures.items()}, indent=1) if options.json else table(figures)
    )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
