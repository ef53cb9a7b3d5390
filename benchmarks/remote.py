"""Networks on a server beside the same ones here: are the results the same, and what does the way cost?

    python benchmarks/remote.py --mlserver ENV/bin/mlserver NETWORK.onnx...     by MLServer, started here; ENV has mlserver and onnxruntime
    python benchmarks/remote.py --address grpc://host:8001/model NETWORK.onnx   by a server that runs
    python benchmarks/remote.py --serve NETWORK.onnx...                         by `lightloom serve`, started here

Each network gets the same random arrays here, on ONNX Runtime, and there; exit status 1 where an output
differs by more than 1e-6.
"""

from __future__ import annotations

import argparse
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from desktop.base.errors import LightloomError
from desktop.compute.nn.session import Session
from desktop.vision.backends.loader import load_session
from desktop.vision.backends.onnxruntime import OnnxRuntimeSession

_TYPES = {"float32": "FP32", "float16": "FP16", "uint8": "UINT8", "int64": "INT64"}
_LIMIT = 1e-6


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as sock:
        return int(sock.getsockname()[1])


@contextmanager
def _started(command: list[str], folder: Path, environment: dict[str, str]) -> Iterator[None]:
    with (folder / "server.log").open("wb") as log:
        process = subprocess.Popen(command, cwd=folder, stdout=log, stderr=log, env=os.environ | environment)
        try:
            yield
        finally:
            process.terminate()
            process.wait(30)


@contextmanager
def by_mlserver(program: Path, networks: dict[str, Path], folder: Path) -> Iterator[dict[str, list[str]]]:
    """Have MLServer serve networks; give their addresses."""
    http, grpc, metrics = _free_port(), _free_port(), _free_port()
    settings = {
        "http_port": http,
        "grpc_port": grpc,
        "metrics_port": metrics,
        "parallel_workers": 0,
        "debug": False,
    }
    (folder / "settings.json").write_text(json.dumps(settings | {"host": "127.0.0.1"}))
    for name, path in networks.items():
        session = OnnxRuntimeSession.load(path)
        sides = {
            side: [{"name": i.name, "datatype": _TYPES[i.dtype], "shape": list(i.shape)} for i in infos]
            for side, infos in (("inputs", session.inputs), ("outputs", session.outputs))
        }
        session.close()
        (folder / name).mkdir()
        about = {"name": name, "implementation": "onnx_runtime.OnnxModel", "parameters": {"uri": str(path)}}
        (folder / name / "model-settings.json").write_text(json.dumps(about | sides))
    own = {"PYTHONPATH": str(Path(__file__).parent / "mlserver")}
    with _started([str(program), "start", "."], folder, own):
        yield {
            n: [f"http://localhost:{http}/v2/models/{n}", f"grpc://localhost:{grpc}/{n}"] for n in networks
        }


@contextmanager
def by_lightloom(networks: dict[str, Path], folder: Path) -> Iterator[dict[str, list[str]]]:
    """Have `lightloom serve` serve networks; give their addresses."""
    http, grpc = _free_port(), _free_port()
    given = [f"{name}={path}" for name, path in networks.items()]
    command = [sys.executable, "-m", "desktop", "serve", *given, "--backend", "onnxruntime"]
    command += ["--http", str(http), "--grpc", str(grpc)]
    with _started(command, folder, {"PYTHONPATH": str(Path(__file__).parent.parent)}):
        yield {
            n: [f"http://localhost:{http}/v2/models/{n}", f"grpc://localhost:{grpc}/{n}"] for n in networks
        }


def loaded(address: str, seconds: float) -> Session:
    """Load a network of a server that may be starting still."""
    until = time.monotonic() + seconds
    while True:
        try:
            return load_session(address, gpu=None).session
        except LightloomError as error:
            if time.monotonic() > until:
                raise
            print(f"  waiting: {error}", file=sys.stderr)
            time.sleep(1)


def compare(path: Path, address: str, runs: int, seconds: float) -> float:
    """Print how a network does here and there; return the largest difference."""
    here, there = OnnxRuntimeSession.load(path, threads=1), loaded(address, seconds)
    chance, worst = np.random.default_rng(1), 0.0
    times: list[tuple[float, float]] = []
    try:
        for _ in range(runs):
            feeds = {i.name: _values(chance, i.shape, i.dtype) for i in here.inputs}
            t0 = time.perf_counter()
            want = here.run(feeds)
            t1 = time.perf_counter()
            got = there.run(feeds)
            times.append(((t1 - t0) * 1e3, (time.perf_counter() - t1) * 1e3))
            worst = max(
                worst, *(float(np.abs(got[n].astype("f8") - want[n].astype("f8")).max()) for n in want)
            )
        local, remote = (float(np.median(each)) for each in zip(*times, strict=True))
        distant = there.capabilities.remote
        calls = distant.calls.detail if distant is not None else ""
        print(
            f"{path.name}  {there.device}\n  here {local:.1f} ms, there {remote:.1f} ms, difference {worst:.2g}; {calls}"
        )
    finally:
        here.close()
        there.close()
    return worst


def _values(chance: np.random.Generator, shape: tuple[int, ...], dtype: str) -> np.ndarray:
    values = chance.random(shape)
    return (values * 255).astype(dtype) if dtype == "uint8" else values.astype(dtype)


def main() -> int:
    """Compare as the command line says."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("network", nargs="+", type=Path)
    parser.add_argument("--mlserver", type=Path, metavar="PROGRAM")
    parser.add_argument("--address", metavar="A")
    parser.add_argument("--serve", action="store_true")
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=90.0, help="to wait for a server that starts")
    options = parser.parse_args()
    networks = {path.stem.replace(".", "_"): path.resolve() for path in options.network}
    worst = 0.0
    with tempfile.TemporaryDirectory() as folder:
        if options.address:
            return int(compare(options.network[0], options.address, options.runs, 0.0) > _LIMIT)
        server = (
            by_mlserver(options.mlserver.absolute(), networks, Path(folder))
            if options.mlserver
            else by_lightloom(networks, Path(folder))
        )
        with server as addresses:
            for name, path in networks.items():
                worst = max(
                    worst, *(compare(path, a, options.runs, options.seconds) for a in addresses[name])
                )
    return int(worst > _LIMIT)


if __name__ == "__main__":
    sys.exit(main())
