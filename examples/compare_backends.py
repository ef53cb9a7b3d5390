"""Compare two backends on the same images: python examples/compare_backends.py MODEL IMAGE... [--backends
wgpu onnxruntime]

Prints the largest difference of each output, in shares of the output's largest value, and the milliseconds of
each backend. The first run of each is left out of the time: it compiles.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

import numpy as np

import lightloom


@dataclass(frozen=True)
class Comparison:
    """Two backends on the same images: relative differences by output, and the median milliseconds of each
    backend.
    """

    differences: dict[str, float]
    milliseconds: tuple[float, float]


def compare(
    model: str, images: Sequence[str], backends: tuple[str, str], precision: str = "fp32"
) -> Comparison:
    """Run a network on two backends and compare its outputs."""
    found, times = [], []
    with lightloom.Gpu() as gpu:
        for backend in backends:
            with lightloom.load(model, backend=backend, precision=precision, gpu=gpu) as network:
                network.run(images[0])
                outputs, taken = [], []
                for image in images:
                    began = time.perf_counter()
                    outputs.append(network.run(image))
                    taken.append((time.perf_counter() - began) * 1e3)
            found.append(outputs)
            times.append(median(taken))
    differences: dict[str, float] = {}
    for one, other in zip(*found, strict=True):
        for name, values in one.items():
            reference = other[name].astype(np.float64)
            off = np.abs(values - reference).max() / max(np.abs(reference).max(), 1e-12)
            differences[name] = max(differences.get(name, 0.0), float(off))
    return Comparison(differences, (times[0], times[1]))


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the comparison; return the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("model")
    parser.add_argument("images", nargs="+")
    parser.add_argument("--backends", nargs=2, default=["wgpu", "onnxruntime"])
    parser.add_argument("--precision", default="fp32")
    options = parser.parse_args(arguments)
    try:
        found = compare(options.model, options.images, tuple(options.backends), options.precision)
    except lightloom.LightloomError as error:
        print(error, file=sys.stderr)
        return 1
    for name, off in found.differences.items():
        print(f"{name}: differs by {off:.2e} of its largest value")
    for backend, taken in zip(options.backends, found.milliseconds, strict=True):
        print(f"{backend}: {taken:.1f} ms")
    return 0


if __name__ == "__main__":
    sys.exit(main())
