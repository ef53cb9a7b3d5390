"""Exported networks in Chromium: load time from a server on this machine, and inference, host to host.

    python benchmarks/web.py [MODEL...] [--runs 50] [--gpu] [--json]

Without a model: ResNet50 and MobileNetV3-Large of torchvision's shapes with random weights
(tests/vision_models.py). The times stand beside those that a Rust + WebGPU system states for an Apple M3.
Without --gpu Chromium computes on its software adapter, SwiftShader, which cannot reach them.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

import numpy as np
import web_rig
from vision_models import mobilenet_v3, resnet50

from desktop.pipeline.filters.library import FilterLibrary
from desktop.pipeline.running.network_spec import NetworkSpec
from desktop.pipeline.setup.setup import Setup
from desktop.web.contents import gather
from desktop.web.site import Site

STATED = {"resnet50": (0.9, 18.0), "mobilenet_v3": (0.4, 8.0)}
"""Seconds to load and milliseconds at the 95th percentile, as stated for an M3."""

MEASURE = """
const { Engine } = await import(given[0] + "engine.js");
const begun = performance.now();
const plan = await (await fetch(given[0] + "plan.json")).json();
const engine = await Engine.make(plan);
const loaded = (performance.now() - begun) / 1000;
const [input] = engine.look.form.inputs;
const values = new Float32Array(input.shape.reduce((a, b) => a * b, 1)).fill(0.5);
const times = [];
for (let i = -3; i < given[1]; i++) {
  const at = performance.now();
  await engine.look.run({ [input.name]: values });
  if (i >= 0) times.push(performance.now() - at);
}
const found = { loaded, times, adapter: engine.adapterName, bytes: engine.loader.total, software: engine.kernels.isSoftware };
engine.close();
return found;
"""


def exported(model: Path, folder: Path) -> Path:
    """Export a classifier."""
    contents = gather(
        Setup(network=NetworkSpec(str(model))), FilterLibrary(), title=model.stem, picture=(1280, 720)
    )
    Site(folder).export(contents)
    return folder


def measured(site: Path, runs: int, *, is_gpu: bool) -> dict[str, Any]:
    """Load and run a site in a browser of its own: nothing is kept from one to the next."""
    if is_gpu:
        software = ("--headless", "--use-webgpu-adapter=swiftshader")
        web_rig.FLAGS = tuple(flag for flag in web_rig.FLAGS if flag not in software)
    browser = web_rig.Browser()
    browser.driver.set_script_timeout(1800)
    browser.driver.command_executor._client_config.timeout = 1800
    try:
        with web_rig.served(site) as server:
            browser.driver.get(f"{server.address}icon.svg")
            return browser.call(MEASURE, server.address, runs)
    finally:
        browser.close()


def main() -> int:
    """Print a line a network."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("model", nargs="*", type=Path, help="classifiers; default: the two of random weights")
    parser.add_argument("--runs", type=int, default=50)
    parser.add_argument("--gpu", action="store_true", help="Chromium's usual adapter, in a window")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    if not (web_rig.CHROMIUM and web_rig.DRIVER):
        print("chromium and chromedriver are not installed (Debian: chromium-driver).", file=sys.stderr)
        return 1
    rows = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        models = options.model or [
            resnet50(folder / "resnet50.onnx"),
            mobilenet_v3(folder / "mobilenet_v3.onnx"),
        ]
        for model in models:
            found = measured(exported(model, folder / model.stem), options.runs, is_gpu=options.gpu)
            p50, p95 = np.percentile(found["times"], (50, 95))
            rows.append({"network": model.stem, **found, "p50": p50, "p95": p95})
            if options.json:
                continue
            print(
                f"{model.stem:16} {found['bytes'] / 1e6:6.1f} MB  load {found['loaded']:6.1f} s  "
                f"p50 {p50:8.1f} ms  p95 {p95:8.1f} ms  {found['adapter']}"
            )
            if model.stem in STATED:
                load, stated = STATED[model.stem]
                not_here = " (not reachable here: a software adapter)" if found["software"] else ""
                print(f"{'':16} stated for an M3: load {load} s, p95 {stated:g} ms{not_here}")
    if options.json:
        print(json.dumps(rows))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
