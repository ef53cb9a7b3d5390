"""The window on this machine: time to the first picture, rate of the sample with one filter, and what a slow
network costs it.

    python benchmarks/live.py [--size 640x360] [--seconds 8] [--runs 3] [--json]

Needs a display (`python3 tasks.py bench live` starts Xvfb where there is none). Each figure is taken from the
running window: the first picture from the process's start to the first frame that the GPU has finished, rates
from the pipeline's own counters. The slow network is made here: a stack of convolutions that takes the CPU
about half a second, on the backend that `auto` chooses.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

_FILTER = "vignette"


def write_slow_network(path: Path, layers: int, side: int = 224, channels: int = 64) -> None:
    """Write a classifier of `layers` 3 x 3 convolutions on `channels` channels: 3.7 GFLOP each at 224 x 224."""
    rng = np.random.default_rng(1)

    def weights(name: str, out: int, given: int) -> onnx.TensorProto:
        values = rng.normal(0, 1 / np.sqrt(9 * given), (out, given, 3, 3)).astype(np.float32)
        return numpy_helper.from_array(values, name)

    stored = [weights("w0", channels, 3)]
    nodes = [helper.make_node("Conv", ["x", "w0"], ["t0"], pads=[1, 1, 1, 1])]
    for index in range(1, layers):
        stored.append(weights(f"w{index}", channels, channels))
        nodes.append(helper.make_node("Relu", [f"t{index - 1}"], [f"r{index}"]))
        nodes.append(helper.make_node("Conv", [f"r{index}", f"w{index}"], [f"t{index}"], pads=[1, 1, 1, 1]))
    stored.append(numpy_helper.from_array(np.array([1, channels], np.int64), "shape"))
    nodes += [
        helper.make_node("GlobalAveragePool", [f"t{layers - 1}"], ["g"]),
        helper.make_node("Reshape", ["g", "shape"], ["f"]),
        helper.make_node("Softmax", ["f"], ["y"], axis=1),
    ]
    graph = helper.make_graph(
        nodes,
        "slow",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 3, side, side])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, [1, channels])],
        stored,
    )
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8), str(path))


def first_picture_ms() -> float:
    """Start the program as a user does, on the sample, and return the milliseconds up to its first picture,
    as it prints them.
    """
    command = [sys.executable, "-P", "-m", "desktop"]
    environment = {**os.environ, "LIGHTLOOM_STARTUP_TRACE": "1"}
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
    assert process.stdout is not None
    try:
        for line in process.stdout:
            found = re.search(r"first picture after (\d+) ms", line)
            if found:
                return float(found.group(1))
    finally:
        process.terminate()
        process.wait(10)
    raise SystemExit("The window ended without a picture.")


class Live:
    """The real window in this process, driven for a while and measured."""

    def __init__(self, size: str) -> None:
        import PySide6.QtWidgets  # noqa: F401  (before any thread; see desktop/app.py)

        from desktop.app import make_application, make_window, start_engine
        from desktop.base.paths import user_config_folder
        from desktop.ui.forms.settings import Settings

        engine = start_engine(None, user_config_folder() / "settings.ini")
        self._engine = engine
        self._app = make_application()
        self._window = make_window(self._app, Settings.load(), engine)
        self._window.resize(1280, 800)
        self._window.show()
        self._window.start([f"sample:{size}"], preset=None, empty=False, sample=None)

    @property
    def adapter(self) -> str:
        """The adapter in use."""
        return str(self._engine.gpu.adapter)

    def run(self, seconds: float) -> None:
        """Let the window live."""
        end = time.perf_counter() + seconds
        while time.perf_counter() < end:
            self._app.processEvents()
            time.sleep(0.001)

    def set(self, network: Path | None) -> None:
        """One filter, and a network or none."""
        from desktop.pipeline.chain.spec import chain_of
        from desktop.pipeline.running.network_spec import NetworkSpec
        from desktop.pipeline.setup.setup import Setup

        chain = chain_of(self._engine.library, [(_FILTER, {})])
        self._window.controller.edits.edit(
            Setup(chain, NetworkSpec(str(network)) if network else None), "benchmark"
        )

    def rate(self, seconds: float) -> tuple[float, str]:
        """Return pictures a second over a while, and what the network says of itself."""
        pipeline = self._engine.pipeline
        self.run(3.0)
        pipeline.statistics.reset()
        begun = time.perf_counter()
        self.run(seconds)
        return pipeline.stats.frames / (time.perf_counter() - begun), self._engine.current.network_status.text

    def results(self) -> object:
        """The network's newest result."""
        return self._engine.pipeline.analyses.latest

    def close(self) -> None:
        """Close the window."""
        self._window.shutdown()


def main() -> int:
    """Run; print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--size", default="640x360")
    parser.add_argument("--seconds", type=float, default=8.0)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--layers", type=int, default=12)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["LIGHTLOOM_CONFIG"] = folder
        starts = [first_picture_ms() for _ in range(options.runs)]
        model = Path(folder) / "slow.onnx"
        write_slow_network(model, options.layers)
        live = Live(options.size)
        rates: dict[bool, list[float]] = {False: [], True: []}
        status = ""
        inference = 0.0
        for with_network in (False, True) * 2:
            live.set(model if with_network else None)
            rate, text = live.rate(options.seconds)
            rates[with_network].append(rate)
            if with_network:
                status = text.splitlines()[0] if text else ""
                inference = float(getattr(live.results(), "inference_ms", 0.0))
        adapter = live.adapter
        live.close()
    alone, beside = (statistics.mean(rates[key]) for key in (False, True))
    report = {
        "adapter": adapter,
        "first_picture_ms": starts,
        "fps": round(alone, 2),
        "fps_beside_slow_network": round(beside, 2),
        "drop_percent": round(100 * (1 - beside / alone), 1),
        "network": status,
        "network_inference_ms": round(inference, 1),
    }
    print(json.dumps(report, indent=1) if options.json else "\n".join(f"{k}: {v}" for k, v in report.items()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
