"""The engine beside onnxruntime on every network of a folder, in fp32 and fp16: relative error of each output
on pictures.

    python benchmarks/parity.py [MODEL...] [--precision fp32,fp16] [--pictures 2] [--json]

The error is the norm of the difference over the norm of the reference, over all pictures; the limits are 1e-3
for fp32 and 2e-2 for fp16. The reference is onnxruntime on the CPU; for 8-bit networks it computes wholly in
integers (see uint8_form.py). Pictures are photographs of the shared folder (LIGHTLOOM_SHARED, by default
../shared), or synthetic ones without it. Exit status 1 where a limit is passed or a network is refused.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import onnx

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from desktop.base.errors import LightloomError, ModelError, ModelUnsupportedError
from desktop.compute.gpu.device import Gpu
from desktop.compute.nn.measure.uint8_form import uint8_form
from desktop.compute.nn.runtime.session import WgpuSession
from desktop.compute.nn.session import Precision, TensorInfo
from desktop.vision.backends.onnxruntime import OnnxRuntimeSession
from desktop.vision.models.facts import ModelFacts
from desktop.vision.models.model_file import ModelFile
from desktop.vision.models.preprocess import Preprocess
from desktop.vision.models.verification import LIMITS, random_input, synthetic_picture

_FREE = 320
"""Height and width for inputs that leave them free."""


@dataclass(frozen=True)
class Row:
    """One output of one network in one precision."""

    model: str
    precision: str
    output: str
    relative: float
    largest: float
    limit: float
    dispatches: int
    failed: str = ""


def shapes_of(path: Path) -> dict[str, tuple[int, ...]]:
    """Shapes for the inputs with free dimensions: a batch of 1, 320 x 320 pixels."""
    model = onnx.load(path, load_external_data=False)
    constants = {tensor.name for tensor in model.graph.initializer}
    found = {}
    for info in model.graph.input:
        sizes = [d.dim_value for d in info.type.tensor_type.shape.dim]
        if info.name not in constants and any(n <= 0 for n in sizes):
            found[info.name] = tuple(n if n > 0 else (1 if i == 0 else _FREE) for i, n in enumerate(sizes))
    return found


def pictures(shared: Path, count: int) -> list[np.ndarray]:
    """R'G'B' in 0..1."""
    files = sorted((shared / "images" / "eval").glob("*.jpg"))
    if files:
        chosen = [files[i * len(files) // count] for i in range(count)]
        return [cv2.imread(str(file))[..., ::-1].astype(np.float64) / 255 for file in chosen]
    return [synthetic_picture(256, 320, np.random.default_rng(seed)) for seed in range(count)]


_BYTES = ("style", "face", "detect")
"""Folders of networks that take 0..255."""


def feed(info: TensorInfo, facts: ModelFacts | None, picture: np.ndarray, highest: float) -> np.ndarray:
    """A picture as a classifier takes it where that can be inferred, else in 0..`highest`; noise for what is
    no picture.
    """
    shape = info.shape
    plan = None
    # The conventions that `infer` knows are those of classifiers.
    if facts is not None and facts.classes and info.name == facts.input_name:
        try:
            plan, _ = Preprocess.infer(replace(facts, input_shape=shape))
        except ModelUnsupportedError:
            plan = None
    if len(shape) != 4 or not {shape[1], shape[3]} & {1, 3}:
        return random_input(info, np.random.default_rng(0))
    last = shape[3] in (1, 3)
    height, width = shape[1:3] if last else shape[2:]
    rgb = cv2.resize(picture, (width, height), interpolation=cv2.INTER_AREA) * (1 if plan else highest)
    if plan is not None:
        rows = np.asarray(plan.rows)
        rgb = rgb @ rows[:, :3].T + rows[:, 3]
    elif (shape[3] if last else shape[1]) == 1:
        rgb = rgb.mean(axis=-1, keepdims=True)
    values = rgb if last else np.moveaxis(rgb, -1, 0)
    return np.ascontiguousarray(values[None]).astype(info.dtype)


def _reference(path: Path, shapes: dict[str, tuple[int, ...]]) -> OnnxRuntimeSession:
    with tempfile.TemporaryDirectory() as folder:
        model = onnx.load(path)
        if any(node.op_type == "QuantizeLinear" for node in model.graph.node):
            path = Path(folder) / path.name
            onnx.save(uint8_form(model), path)
        return OnnxRuntimeSession.load(path, input_shapes=shapes)


def _precisions(text: str) -> list[Precision]:
    known: dict[str, Precision] = {"fp32": "fp32", "fp16": "fp16"}
    unknown = [name for name in text.split(",") if name not in known]
    if unknown:
        raise argparse.ArgumentTypeError(f"'{unknown[0]}' is not a precision; give fp32, fp16 or fp32,fp16")
    return [known[name] for name in text.split(",")]


def compare(gpu: Gpu, path: Path, precisions: Sequence[Precision], images: list[np.ndarray]) -> Iterator[Row]:
    """Rows of one network."""
    shapes = shapes_of(path)
    reference = _reference(path, shapes)
    try:
        facts: ModelFacts | None = ModelFile.open(path).facts
    except ModelError:
        facts = None
    highest = 255.0 if path.parent.name in _BYTES else 1.0
    feeds = [{info.name: feed(info, facts, image, highest) for info in reference.inputs} for image in images]
    wanted = [reference.run(each) for each in feeds]
    for precision in precisions:
        session = WgpuSession.load(gpu, path, precision=precision, input_shapes=shapes)
        got = [session.run(each) for each in feeds]
        for info in session.outputs:
            a = np.concatenate([np.asarray(each[info.name], np.float64).reshape(-1) for each in got])
            b = np.concatenate([np.asarray(each[info.name], np.float64).reshape(-1) for each in wanted])
            norm = float(np.linalg.norm(b)) or 1.0
            relative = float(np.linalg.norm(a - b)) / norm
            yield Row(
                path.name,
                precision,
                info.name,
                relative,
                float(np.abs(a - b).max()),
                LIMITS[precision],
                session.dispatch_count,
            )
        session.close()
    reference.close()


def main() -> int:
    """Print a table or JSON; return the exit status."""
    parser = argparse.ArgumentParser(description="Relative error of the engine beside onnxruntime.")
    parser.add_argument("models", nargs="*", type=Path)
    parser.add_argument("--precision", type=_precisions, default="fp32,fp16")
    parser.add_argument("--pictures", type=int, default=2)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    shared = Path(os.environ.get("LIGHTLOOM_SHARED", Path(__file__).resolve().parents[2] / "shared"))
    found = sorted((shared / "models").rglob("*.onnx"))
    models = options.models or [path for path in found if path.parent.name != "unsupported"]
    gpu = Gpu.open(os.environ.get("LIGHTLOOM_ADAPTER"))
    precisions = [p for p in options.precision if p == "fp32" or gpu.has("shader-f16")]
    images = pictures(shared, options.pictures)
    rows: list[Row] = []
    for path in models:
        try:
            rows += compare(gpu, path, precisions, images)
        except LightloomError as error:
            rows.append(Row(path.name, "", "", float("inf"), float("inf"), 0.0, 0, str(error)))
        if not options.json:
            _print([row for row in rows if row.model == path.name])
    failed = [row for row in rows if not row.relative <= row.limit]
    if options.json:
        document: dict[str, Any] = {"adapter": str(gpu.adapter), "rows": [asdict(row) for row in rows]}
        print(json.dumps(document, indent=1))
    else:
        print(
            f"{len({row.model for row in rows})} networks, {len(rows)} rows, {len(failed)} beyond their limit; {gpu.adapter}"
        )
    gpu.close()
    return 1 if failed else 0


def _print(rows: Sequence[Row]) -> None:
    for row in rows:
        if row.failed:
            print(f"{row.model:44} {row.failed}")
            continue
        mark = "ok  " if row.relative <= row.limit else "FAIL"
        print(
            f"{mark} {row.model:44} {row.precision} {row.output[:24]:24} relative {row.relative:.2e} "
            f"largest {row.largest:.2e}  {row.dispatches} dispatches"
        )


if __name__ == "__main__":
    sys.exit(main())
