"""Compare the results of networks on onnxruntime and on the engine, as images side by side with a measure of
how equal they are.

    python benchmarks/contact_sheet.py OUT.jpg [--precision fp32]

A row a network of the shared folder (LIGHTLOOM_SHARED, by default ../shared): the picture, onnxruntime's
result, the engine's, and the difference tenfold. Styled and enhanced pictures are compared by PSNR in dB,
masks by the intersection over the union of what is above one half (of the class that is largest), depth maps
by their correlation, detections by the least IoU of the boxes that belong together. Exit status 1 where one
is below its limit: 40 dB, 0.99, 0.999, 0.95.
"""

from __future__ import annotations

import argparse
import os
import sys
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.parity import feed, shapes_of
from desktop.compute.gpu.device import Gpu
from desktop.compute.nn.runtime.session import WgpuSession
from desktop.compute.nn.session import Precision, Session
from desktop.pipeline.running.one.loading import load_network
from desktop.vision.backends.onnxruntime import OnnxRuntimeSession
from desktop.vision.tasks.detection.detector import Detection

SIZE = 256
LIMITS = {"image": 40.0, "mask": 0.99, "depth": 0.999, "boxes": 0.95}
UNITS = {
    "image": "PSNR {:.1f} dB",
    "mask": "IoU {:.4f}",
    "depth": "correlation {:.5f}",
    "boxes": "least box IoU {:.3f}",
}
# Network, kind, highest input value, photograph of the samples.
ROWS = (
    ("style/fns_candy.onnx", "image", 255.0, "owl.jpg"),
    ("style/ml5_style_wave.onnx", "image", 255.0, "cat_720p.jpg"),
    ("style/nc8_mosaic_256x256.onnx", "image", 255.0, "parrot.jpg"),
    ("enhance/obs_zero_dce_180x320.onnx", "image", 1.0, "hot_dog.jpg"),
    ("enhance/sci_360x640.onnx", "image", 1.0, "pets.jpg"),
    ("segment/deeplab_v3_mnv2_257.onnx", "mask", 1.0, "parrot.jpg"),
    ("segment/obs_selfie_segmentation.onnx", "mask", 1.0, "grace_hopper.bmp"),
    ("depth/obs_tcmonodepth_tcsmallnet_192x320.onnx", "depth", 1.0, "pets.jpg"),
    ("detect/FastestDet.onnx", "boxes", 1.0, "pets.jpg"),
    ("detect/yolox_nano_zoo.onnx", "boxes", 1.0, "cat_720p.jpg"),
    ("face/ultraface_version-RFB-320.onnx", "boxes", 1.0, "grace_hopper.bmp"),
)  # fmt: skip


@dataclass(frozen=True)
class Row:
    """One network: what to call it, its measure, and the pictures of its row (uint8 R'G'B', SIZE high)."""

    title: str
    measure: float
    limit: float
    text: str
    pictures: tuple[np.ndarray, ...]


def _planes(outputs: dict[str, np.ndarray]) -> np.ndarray:
    """The output that is a picture or a map, as (channels, height, width)."""
    array = max((a for a in outputs.values() if a.ndim >= 3), key=lambda a: a.size).astype(np.float64)
    array = array.reshape(array.shape[-3:]) if array.ndim > 3 else array
    return np.moveaxis(array, -1, 0) if array.shape[-1] < array.shape[0] else array


def _shown(planes: np.ndarray, kind: str, lowest: float, highest: float) -> np.ndarray:
    if kind == "mask" and len(planes) > 1:
        # A hue a class.
        classes = (planes.argmax(0) * 37 % 180).astype(np.uint8)
        hue = np.stack(
            [classes, np.full_like(classes, 200), np.where(classes > 0, 255, 30).astype(np.uint8)], -1
        )
        return cv2.cvtColor(hue, cv2.COLOR_HSV2RGB)
    values = np.clip((planes - lowest) / (highest - lowest) * 255, 0, 255).astype(np.uint8)
    return np.moveaxis(values, 0, -1) if len(values) == 3 else np.repeat(values[0][..., None], 3, -1)


def _equal(wanted: np.ndarray, got: np.ndarray, kind: str) -> float:
    if kind == "image":
        error = float(np.mean((wanted - got) ** 2)) or 1e-20
        return 10 * float(np.log10(np.ptp(wanted) ** 2 / error))
    if kind == "depth":
        return float(np.corrcoef(wanted.ravel(), got.ravel())[0, 1])
    a, b = ((x.argmax(0) > 0) if len(x) > 1 else (x[0] > 0.5) for x in (wanted, got))
    return float((a & b).sum() / max((a | b).sum(), 1))


def _dense(gpu: Gpu, path: Path, kind: str, highest: float, picture: np.ndarray, precision: Precision) -> Row:
    shapes = shapes_of(path)
    sessions: list[Session] = [
        OnnxRuntimeSession.load(path, input_shapes=shapes),
        WgpuSession.load(gpu, path, precision=precision, input_shapes=shapes),
    ]
    feeds = {info.name: feed(info, None, picture, highest) for info in sessions[0].inputs}
    wanted, got = (_planes(session.run(feeds)) for session in sessions)
    for session in sessions:
        session.close()
    measure = _equal(wanted, got, kind)
    low, high = (0.0, 255.0) if wanted.max() > 2 and kind == "image" else (0.0, 1.0)
    if kind == "depth":
        low, high = float(wanted.min()), float(wanted.max())
    shown = [_shown(planes, kind, low, high) for planes in (wanted, got)]
    return _row(path, measure, kind, picture, shown)


def _boxes(gpu: Gpu, path: Path, kind: str, highest: float, picture: np.ndarray, precision: Precision) -> Row:
    pixels = (picture * 255).round().astype(np.uint8)
    found: list[tuple[Detection, ...]] = []
    runs: tuple[tuple[str, Precision], ...] = (("onnxruntime", "auto"), ("wgpu", precision))
    for backend, stored in runs:
        network = load_network(gpu, path, "detection", backend=backend, precision=stored)
        found.append(network.analyze_pixels(pixels).objects)
        network.close()
    same = len(found[0]) == len(found[1])
    measure = min(
        (max((_iou(a.box, b.box) for b in found[1] if b.index == a.index), default=0.0) for a in found[0]),
        default=1.0,
    )
    return _row(path, measure if same else 0.0, kind, picture, [_drawn(pixels, objects) for objects in found])


def _iou(a: tuple[float, ...], b: tuple[float, ...]) -> float:
    width = min(a[2], b[2]) - max(a[0], b[0])
    height = min(a[3], b[3]) - max(a[1], b[1])
    common = max(width, 0.0) * max(height, 0.0)
    areas = [(box[2] - box[0]) * (box[3] - box[1]) for box in (a, b)]
    return common / (sum(areas) - common)


def _drawn(pixels: np.ndarray, objects: tuple[Detection, ...]) -> np.ndarray:
    drawn = np.ascontiguousarray(pixels)
    for each in objects:
        left, top, right, bottom = (round(v) for v in each.box)
        cv2.rectangle(drawn, (left, top), (right, bottom), (255, 80, 60), 2)
        place = (left + 3, max(top + 14, 14))
        cv2.putText(
            drawn,
            f"{each.label} {each.score:.2f}",
            place,
            cv2.FONT_HERSHEY_SIMPLEX,
            0.45,
            (255, 255, 60),
            1,
            cv2.LINE_AA,
        )
    return drawn


def _row(path: Path, measure: float, kind: str, picture: np.ndarray, shown: list[np.ndarray]) -> Row:
    difference = np.clip(np.abs(shown[0].astype(int) - shown[1]) * 10, 0, 255).astype(np.uint8)
    source = (picture * 255).round().astype(np.uint8)
    pictures = tuple(_fitted(each) for each in (source, *shown, difference))
    return Row(path.stem, measure, LIMITS[kind], UNITS[kind].format(measure), pictures)


def _fitted(picture: np.ndarray) -> np.ndarray:
    scale = SIZE / max(picture.shape[:2])
    size = (round(picture.shape[1] * scale), round(picture.shape[0] * scale))
    small = cv2.resize(picture, size, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_NEAREST)
    canvas = np.full((SIZE, SIZE, 3), 24, np.uint8)
    canvas[: small.shape[0], : small.shape[1]] = small
    return canvas


def _sheet(rows: list[Row], heads: tuple[str, ...]) -> np.ndarray:
    """Two rows of networks beside each other, with their titles above them."""
    width = SIZE * 4 + 12
    parts = []
    for row in rows:
        bar = np.full((24, width, 3), 24, np.uint8)
        text = f"{row.title}   {row.text}"
        cv2.putText(bar, text, (4, 17), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (235, 235, 235), 1, cv2.LINE_AA)
        line = np.hstack(
            [each for picture in row.pictures for each in (picture, np.full((SIZE, 3, 3), 24, np.uint8))]
        )
        parts.append(np.vstack([bar, line]))
    head = np.full((26, width, 3), 60, np.uint8)
    for i, text in enumerate(heads):
        cv2.putText(
            head,
            text,
            (4 + i * (SIZE + 3), 18),
            cv2.FONT_HERSHEY_SIMPLEX,
            0.5,
            (255, 255, 255),
            1,
            cv2.LINE_AA,
        )
    half = (len(parts) + 1) // 2
    columns = [np.vstack([head, *parts[:half]]), np.vstack([head, *parts[half:]])]
    high = max(column.shape[0] for column in columns)
    padded = [np.pad(c, ((0, high - c.shape[0]), (0, 12), (0, 0)), constant_values=24) for c in columns]
    return np.hstack(padded)


def main() -> int:
    """Write the sheet; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("output", type=Path)
    parser.add_argument("--precision", choices=["fp32", "fp16"], default="fp32")
    options = parser.parse_args()
    shared = Path(os.environ.get("LIGHTLOOM_SHARED", Path(__file__).resolve().parents[2] / "shared"))
    gpu = Gpu.open(os.environ.get("LIGHTLOOM_ADAPTER"))
    rows = []
    for name, kind, highest, photograph in ROWS:
        image = cv2.imread(str(shared / "images" / "samples" / photograph))[..., ::-1] / 255.0
        scale = min(1.0, 640 / max(image.shape[:2]))
        image = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        make = _boxes if kind == "boxes" else _dense
        rows.append(make(gpu, shared / "models" / name, kind, highest, image, options.precision))
        print(
            f"{'ok  ' if rows[-1].measure >= rows[-1].limit else 'FAIL'} {rows[-1].title}: {rows[-1].text}",
            flush=True,
        )
    sheet = _sheet(rows, ("picture", "onnxruntime", f"Lightloom {options.precision}", "difference x 10"))
    cv2.imwrite(str(options.output), sheet[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, 85])
    gpu.close()
    return int(any(row.measure < row.limit for row in rows))


if __name__ == "__main__":
    sys.exit(main())
