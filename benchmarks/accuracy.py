"""Top-1 and top-5 of classifiers on labeled photographs, and how far a backend agrees with onnxruntime on the
same tensors.

The reference is onnxruntime without graph optimization, that is, the ONNX standard node by node: its integer
kernels for quantized networks (`--reference kernels`) differ from that by as much as two backends do from
each other.

    python benchmarks/accuracy.py [MODEL...] [--backend auto|wgpu|onnxruntime] [--precision auto|fp32|fp16] [--limit N] [--json]

A photograph's name begins with its ImageNet class index: `0088_n01818515_macaw.jpg`. Photographs, models and
the published figures (the notes of manifest.json) are in the folder that the variable LIGHTLOOM_SHARED names,
by default ../shared.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import onnx

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from desktop.base.errors import LightloomError
from desktop.compute.gpu.device import Gpu
from desktop.compute.nn.measure.uint8_form import uint8_form
from desktop.compute.nn.session import Precision
from desktop.pipeline.running.one.loading import load_network
from desktop.vision.backends.onnxruntime import OnnxRuntimeSession
from desktop.vision.tasks.classification import top_k

_REFERENCE = (
    "onnxruntime node by node as the standard says, with its own fused and integer kernels, "
    "or wholly in integers (8-bit networks with activations written as uint8)"
)
MODELS = ("mobilenet_v2_1.0_224_f32", "mobilenet_v2_1.0_224_qdq", "squeezenet_fp16")


@dataclass(frozen=True)
class Result:
    """Figures of one model; fractions of 1. Agreement is of the backend with onnxruntime, given the same
    tensor.
    """

    model: str
    backend: str
    device: str
    precision: str
    preprocess: str
    images: int
    top1: float
    top5: float
    top1_agreement: float
    top5_agreement: float
    top5_overlap: float
    largest_difference: float
    seconds: float
    published: str


def measure(
    gpu: Gpu,
    model: Path,
    images: list[Path],
    backend: str,
    precision: Precision,
    reference_kind: str,
    published: str,
) -> Result:
    """Run one model over the photographs.

    `top5_agreement` counts photographs whose five classes are the same set up to ties: a class may differ
    only where its probability is within 1e-3 of the fifth's.
    """
    classifier = load_network(gpu, model, "classification", backend=backend, precision=precision)
    reference = _reference(model, reference_kind)
    counts = np.zeros(5)
    worst = 0.0
    began = time.perf_counter()
    for path in images:
        found = classifier.analyze_image(path).predictions
        indices = [p.index for p in found]
        tensor = classifier.read_input().astype(reference.inputs[0].dtype)
        scores = next(iter(reference.run({reference.inputs[0].name: tensor}).values()))
        expected = top_k(scores, 10, logits=classifier.head.logits)
        truth = int(path.name.split("_")[0]) + (len(classifier.head.labels) == 1001)
        known = dict(expected)
        fifth = expected[4][1]
        same = all(known.get(i, -1.0) >= fifth - 1e-3 for i in indices)
        overlap = len(set(indices) & {i for i, _ in expected[:5]}) / 5
        counts += (indices[0] == truth, truth in indices, indices[0] == expected[0][0], same, overlap)
        worst = max([worst, *(abs(p.probability - known[p.index]) for p in found if p.index in known)])
    figures = [round(float(value), 4) for value in counts / len(images)]
    seconds = time.perf_counter() - began
    session = classifier.session
    result = Result(
        model=model.name,
        backend=session.backend,
        device=session.device,
        precision=session.precision,
        preprocess=classifier.preprocess.describe(),
        images=len(images),
        top1=figures[0],
        top5=figures[1],
        top1_agreement=figures[2],
        top5_agreement=figures[3],
        top5_overlap=figures[4],
        largest_difference=round(worst, 6),
        seconds=round(seconds, 1),
        published=published,
    )
    classifier.close()
    reference.close()
    return result


def _reference(model: Path, kind: str) -> OnnxRuntimeSession:
    if kind != "integer":
        return OnnxRuntimeSession.load(model, reference=kind == "standard")
    with tempfile.TemporaryDirectory() as folder:
        rewritten = Path(folder) / model.name
        onnx.save(uint8_form(onnx.load(model)), rewritten)
        return OnnxRuntimeSession.load(rewritten)


def _published(shared: Path) -> dict[str, str]:
    entries = json.loads((shared / "manifest.json").read_text("utf-8"))
    return {Path(entry["file"]).name: entry.get("note", "") for entry in entries}


def main() -> int:
    """Print a table or JSON; return the exit status."""
    parser = argparse.ArgumentParser(description="Accuracy of classifiers on labeled photographs.")
    parser.add_argument(
        "models", nargs="*", type=Path, help="ONNX files; by default three of the shared folder"
    )
    parser.add_argument("--backend", default="auto", choices=("auto", "wgpu", "onnxruntime"))
    parser.add_argument("--precision", default="auto", choices=("auto", "fp32", "fp16"))
    parser.add_argument(
        "--reference", default="standard", choices=("standard", "kernels", "integer"), help=_REFERENCE
    )
    parser.add_argument("--limit", type=int, default=0, help="only the first N photographs, evenly spread")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    shared = Path(os.environ.get("LIGHTLOOM_SHARED", Path(__file__).resolve().parents[2] / "shared"))
    images = sorted((shared / "images" / "eval").glob("*.jpg"))
    if not images:
        print(
            "There are no photographs; set LIGHTLOOM_SHARED to the folder with images/eval.", file=sys.stderr
        )
        return 1
    if 0 < options.limit < len(images):
        images = [images[i * len(images) // options.limit] for i in range(options.limit)]
    models = options.models or [shared / "models" / "classify" / f"{name}.onnx" for name in MODELS]
    notes = _published(shared)
    gpu = Gpu.open(os.environ.get("LIGHTLOOM_ADAPTER"))
    results = []
    try:
        for model in models:
            results.append(
                measure(
                    gpu,
                    model,
                    images,
                    options.backend,
                    options.precision,
                    options.reference,
                    notes.get(model.name, ""),
                )
            )
            if not options.json:
                print_result(results[-1])
    except LightloomError as error:
        print(error, file=sys.stderr)
        return 1
    finally:
        gpu.close()
    if options.json:
        print(json.dumps([asdict(result) for result in results], indent=2))
    return 0


def print_result(result: Result) -> None:
    """Print one model's figures beside the published ones."""
    print(f"{result.model}: {result.backend} on {result.device}, {result.precision}; {result.preprocess}")
    print(
        f"  {result.images} images in {result.seconds:.1f} s: top-1 {result.top1:.3f}, top-5 {result.top5:.3f}"
    )
    print(
        f"  agreement with onnxruntime: top-1 {result.top1_agreement:.1%}, top-5 {result.top5_agreement:.1%} "
        f"(overlap {result.top5_overlap:.1%}), largest difference of a probability {result.largest_difference:.2g}"
    )
    print(f"  published: {result.published or 'nothing'}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
