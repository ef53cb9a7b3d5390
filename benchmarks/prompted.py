"""From a click to its mask: milliseconds of the encoder, of the decoder, and of what lies between them.

    python benchmarks/prompted.py [--encoder E --decoder D] [--backend wgpu] [--precision auto] [--clicks 50] [--json]

Without files it makes a pair of its own with random weights (34 MB, half a second): the decoder is as large
as Segment Anything's, the encoder is a ViT of MobileSAM's size on 1024 x 1024. Times hang on shapes and not
on weights. The picture is 1920 x 1080 and stands still; a click is one point, each time elsewhere. 'click' is
from `SourcePipeline.prompt` to the result, its texture included, as the window has it.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from prompt_models import MOBILE, decoder, encoder

from desktop.compute.gpu.device import Gpu
from desktop.media.frame import RGBA, ColorInfo, Frame, Plane
from desktop.pipeline.engine import Engine
from desktop.pipeline.filters.library import FilterLibrary
from desktop.pipeline.running.network_spec import NetworkSpec
from desktop.pipeline.running.opening import load_analysis
from desktop.pipeline.running.pairs.prompted_pair import PromptedPair
from desktop.pipeline.setup.setup import Setup
from desktop.vision.tasks.common.prompts import PromptPoint, Prompts

_WIDTH, _HEIGHT = 1920, 1080


def _picture(seed: int) -> Frame:
    generator = np.random.default_rng(seed)
    small = generator.integers(0, 256, (27, 48, 4), dtype=np.uint8)
    pixels = np.kron(small, np.ones((40, 40, 1), np.uint8))
    pixels[..., 3] = 255
    plane = Plane(pixels.tobytes(), _WIDTH * 4, _WIDTH, _HEIGHT)
    color = ColorInfo("rgb", "full", "srgb", "bt709")
    return Frame((plane,), RGBA, _WIDTH, _HEIGHT, color, pts=float(seed), captured_at=time.perf_counter())


def _ask(engine: Engine, prompts: Prompts) -> float:
    """Ask, wait for the answer, and return the milliseconds from the question."""
    began = time.perf_counter()
    engine.current.prompt(prompts)
    engine.render(None)
    engine.await_result()
    took = (time.perf_counter() - began) * 1e3
    assert engine.current.result is not None
    return took


def _median(values: list[float]) -> dict[str, float]:
    return {"median": round(float(np.median(values)), 2), "p95": round(float(np.percentile(values, 95)), 2)}


def measure(options: argparse.Namespace, first: Path, second: Path) -> dict[str, object]:
    """Load the pair, encode pictures, click."""
    engine = Engine(lambda: Gpu.open(options.adapter), FilterLibrary(None), load_analysis, wait=True)
    try:
        spec = NetworkSpec(str(first), options.backend, options.precision)
        other = NetworkSpec(str(second), options.backend, options.precision)
        began = time.perf_counter()
        engine.current.set_setup(Setup(network=NetworkSpec(**{**vars(spec), "second": other})))
        loaded = time.perf_counter() - began
        pair = engine.pipeline.analyses.current
        assert isinstance(pair, PromptedPair)
        generator = np.random.default_rng(0)
        encoding, clicks, decoding = [], [], []
        for picture in range(options.pictures + 1):
            engine.render(_picture(picture))
            whole = _ask(engine, Prompts((PromptPoint(0.5, 0.5),)))
            if picture:
                encoding.append(whole)
        for click in range(options.clicks + 3):
            x, y = generator.uniform(0.05, 0.95, 2)
            took = _ask(engine, Prompts((PromptPoint(float(x), float(y)),)))
            if click >= 3:
                clicks.append(took)
                decoding.append(pair.decoder_ms)
        points = tuple(PromptPoint(float(x), float(y)) for x, y in generator.uniform(0.05, 0.95, (8, 2)))
        time.sleep(options.pause)  # as long as a user takes: the decoder for the next point is made meanwhile
        further = []
        for count in range(2, len(points) + 1):
            further.append(_ask(engine, Prompts(points[:count])))
            time.sleep(options.pause)
        return {
            "network": engine.current.network_status.text.splitlines()[0],
            "adapter": str(engine.gpu.adapter),
            "load_s": round(loaded, 2),
            "first_click_of_a_picture_ms": _median(encoding),
            "click_ms": _median(clicks),
            "of_it_decoder_ms": _median(decoding),
            "further_points_ms": _median(further),
        }
    finally:
        engine.close()


def main() -> None:
    """See the module."""
    parser = argparse.ArgumentParser(description="Measure from a click to its mask.")
    parser.add_argument("--encoder")
    parser.add_argument("--decoder")
    parser.add_argument("--backend", default="wgpu")
    parser.add_argument("--precision", default="auto")
    parser.add_argument("--adapter")
    parser.add_argument("--clicks", type=int, default=50)
    parser.add_argument("--pictures", type=int, default=5)
    parser.add_argument("--pause", type=float, default=1.0)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        if options.encoder and options.decoder:
            first, second = Path(options.encoder), Path(options.decoder)
        else:
            first = encoder(Path(folder) / "net.encoder.onnx", MOBILE)
            second = decoder(Path(folder) / "net.decoder.onnx", MOBILE)
        found = measure(options, first, second)
    if options.json:
        print(json.dumps(found, indent=1))
        return
    for name, value in found.items():
        print(f"{name:28} {value}")


if __name__ == "__main__":
    main()
