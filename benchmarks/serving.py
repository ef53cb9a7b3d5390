"""`lightloom serve` under load: 4 clients, 64 clients, and 64 without joined batches; Triton's gRPC client
asks, in processes of its own.

    python benchmarks/serving.py [--model M] [--backend B] [--seconds 60] [--clients 64] [--max-batch 8] [--json]

The network is the box's classifier with its batch made free, unless --model names another. Printed are
answers a second, latency from call to answer, the server's processor time for an answer, refusals by status,
and its memory (resident, over the last three quarters: the first one settles). Exit status 1 where an answer
is off by more than 1e-6 of the local one, a status other than RESOURCE_EXHAUSTED came, memory grew by more
than 5 % and 20 MB, requests were not joined, or many clients got fewer answers than few.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import psutil
import tritonclient.grpc as triton
from tritonclient.utils import InferenceServerException, triton_to_np_dtype

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from desktop.base.errors import NoAdapterError
from desktop.compute.gpu.device import Gpu
from desktop.vision.backends.loader import load_session
from desktop.vision.models.builtin import builtin_models

ROOT = Path(__file__).resolve().parent.parent
_PROCESSES = 4
_MB = 1 << 20


def freed(path: Path, folder: Path) -> Path:
    """Write a copy of a network that declares a free batch size; the server tests whether its rows are
    independent.
    """
    model = onnx.load(str(path))
    for value in (*model.graph.input, *model.graph.output):
        value.type.tensor_type.shape.dim[0].dim_param = "N"
    del model.graph.value_info[:]
    target = folder / "network.onnx"
    onnx.save(model, str(target))
    return target


# -- the server ----------------------------------------------------------------------------------------------


@contextmanager
def served(options: argparse.Namespace, model: Path, max_batch: int) -> Iterator[tuple[str, psutil.Process]]:
    """Start the server; give its address and process."""
    command = [sys.executable, "-m", "desktop", "serve", f"net={model}", "--grpc", "0", "--no-http", "--warm"]
    command += ["--max-batch", str(max_batch), "--backend", options.backend]
    command += ["--adapter", options.adapter] if options.adapter else []
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        match = re.fullmatch(r"gRPC (\S+)\n", process.stdout.readline())
        if match is None:
            raise SystemExit("the server did not start")
        yield match[1], psutil.Process(process.pid)
        process.terminate()
        process.wait(60)
    finally:
        process.kill()


def watched(process: psutil.Process, over: threading.Event, found: list[int]) -> None:
    """Note the server's resident memory four times a second."""
    while not over.wait(0.25):
        found.append(process.memory_info().rss)


# -- clients -------------------------------------------------------------------------------------------------


def inputs(client: triton.InferenceServerClient, seed: int) -> list[triton.InferInput]:
    """Random inputs of one row, as the model's metadata describes them."""
    random = np.random.default_rng(seed)
    given = []
    for each in client.get_model_metadata("net").inputs:
        shape = [1 if n == -1 and not at else 224 if n == -1 else n for at, n in enumerate(each.shape)]
        array = random.random(shape).astype(triton_to_np_dtype(each.datatype))
        given.append(triton.InferInput(each.name, shape, each.datatype))
        given[-1].set_data_from_numpy(array)
    return given


def ask(
    address: str,
    seed: int,
    start: threading.Barrier,
    seconds: float,
    latencies: list[float],
    codes: Counter[str],
) -> None:
    """One client: a request after the other; one that is refused waits a little."""
    with triton.InferenceServerClient(address) as client:
        given = inputs(client, seed)
        start.wait()
        start.wait()
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            begun = time.perf_counter()
            try:
                client.infer("net", given)
                latencies.append(time.perf_counter() - begun)
            except InferenceServerException as error:
                codes[str(error.status())] += 1
                time.sleep(0.01)


def clients(address: str, count: int, seconds: float, first: int) -> None:
    """A process of clients: says when it is ready, waits for a line, asks, and prints what it got."""
    latencies: list[float] = []
    codes: Counter[str] = Counter()
    start = threading.Barrier(count + 1)
    threads = [
        threading.Thread(target=ask, args=(address, first + n, start, seconds, latencies, codes))
        for n in range(count)
    ]
    for thread in threads:
        thread.start()
    start.wait()
    print("ready", flush=True)
    sys.stdin.readline()
    start.wait()
    for thread in threads:
        thread.join()
    print(json.dumps({"latencies": latencies, "codes": codes}))


def load(address: str, process: psutil.Process, count: int, seconds: float) -> dict[str, Any]:
    """Ask with some clients for some seconds; return the figures."""
    shares = [len(range(n, count, _PROCESSES)) for n in range(min(_PROCESSES, count))]
    command = [
        sys.executable,
        str(Path(__file__).resolve()),
        "--clients-of",
        address,
        "--seconds",
        str(seconds),
    ]
    asking = [
        subprocess.Popen(
            [*command, "--clients", str(n), "--first", str(100 * at)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for at, n in enumerate(shares)
    ]
    for each in asking:
        assert each.stdout is not None
        assert each.stdout.readline() == "ready\n"
    over, memory = threading.Event(), []
    watcher = threading.Thread(target=watched, args=(process, over, memory))
    watcher.start()
    before = sum(process.cpu_times()[:2])
    for each in asking:
        assert each.stdin is not None
        each.stdin.write("go\n")
        each.stdin.flush()
    said = [json.loads(each.communicate()[0]) for each in asking]
    over.set()
    watcher.join()
    return figures(count, seconds, said, memory, sum(process.cpu_times()[:2]) - before)


def figures(
    count: int, seconds: float, said: list[dict[str, Any]], memory: list[int], cpu: float
) -> dict[str, Any]:
    """Responses to some clients."""
    latencies = np.array([value for each in said for value in each["latencies"]] or [0.0]) * 1000
    codes = sum((Counter(each["codes"]) for each in said), Counter())
    settled = memory[len(memory) // 4 :]
    p50, p95, p99 = np.percentile(latencies, (50, 95, 99))
    return {
        "clients": count,
        "answers_per_s": round(len(latencies) / seconds, 1),
        "p50_ms": round(float(p50), 2),
        "p95_ms": round(float(p95), 2),
        "p99_ms": round(float(p99), 2),
        "server_cpu_ms": round(cpu * 1000 / len(latencies), 2),
        "refused": dict(codes),
        "memory_mb": [round(settled[0] / _MB, 1), round(settled[-1] / _MB, 1), round(max(settled) / _MB, 1)],
    }


# -- results -------------------------------------------------------------------------------------------------


def difference(options: argparse.Namespace, model: Path, address: str) -> float:
    """The largest difference of an answer of one row from what a session of the same backend computes here."""
    try:
        gpu = Gpu.open(options.adapter)
    except NoAdapterError:
        gpu = None
    session = load_session(model, gpu=gpu, backend=options.backend).session
    worst = 0.0
    with triton.InferenceServerClient(address) as client:
        for seed in range(8):
            given = inputs(client, seed)
            feeds = {
                each.name(): np.frombuffer(each._get_content(), triton_to_np_dtype(each.datatype())).reshape(
                    each.shape()
                )
                for each in given
            }
            answer = client.infer("net", given)
            for name, array in session.run(feeds).items():
                worst = max(worst, float(np.abs(answer.as_numpy(name) - array).max()))
    return worst


def measured(options: argparse.Namespace, model: Path) -> dict[str, Any]:
    """All of it."""
    with served(options, model, options.max_batch) as (address, process):
        report: dict[str, Any] = {"difference": difference(options, model, address)}
        report["few"] = load(address, process, 4, options.seconds)
        report["many"] = load(address, process, options.clients, options.seconds)
        with triton.InferenceServerClient(address) as client:
            (stats,) = client.get_inference_statistics("net").model_stats
            report["most_rows"] = client.get_model_config("net").config.max_batch_size
        report["rows_per_run"] = round(stats.inference_count / max(1, stats.execution_count), 2)
    with served(options, model, 1) as (address, process):
        report["not_joined"] = load(address, process, options.clients, options.seconds)
    report["many_to_few"] = round(
        report["many"]["answers_per_s"] / max(0.1, report["few"]["answers_per_s"]), 2
    )
    report["joined_to_not"] = round(
        report["many"]["answers_per_s"] / max(0.1, report["not_joined"]["answers_per_s"]), 2
    )
    return report


def failures(report: dict[str, Any]) -> list[str]:
    """Deviations from what is expected."""
    found = []
    if report["difference"] > 1e-6:
        found.append(f"an answer is off by {report['difference']:.3g}")
    for name in ("few", "many", "not_joined"):
        others = set(report[name]["refused"]) - {"StatusCode.RESOURCE_EXHAUSTED"}
        if others:
            found.append(f"{name}: {', '.join(sorted(others))}")
        first, last, _ = report[name]["memory_mb"]
        if last > first * 1.05 and last > first + 20:
            found.append(f"{name}: memory grew from {first} to {last} MB")
    if report["most_rows"] > 1 and report["rows_per_run"] < 1.5:
        found.append(f"many clients had {report['rows_per_run']} rows a run")
    if report["most_rows"] < 2:
        found.append("requests are not joined; the server's first line says why")
    if report["many"]["answers_per_s"] < report["few"]["answers_per_s"]:
        found.append("many clients get fewer answers than few")
    return found


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--model", type=Path, help="a network whose batch is free (default: the box's classifier)"
    )
    parser.add_argument("--backend", default="auto")
    parser.add_argument("--adapter")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--clients", type=int, default=64)
    parser.add_argument("--max-batch", type=int, default=8)
    parser.add_argument("--json", action="store_true")
    for hidden in ("--clients-of", "--first"):
        parser.add_argument(hidden, help=argparse.SUPPRESS)
    return parser.parse_args()


def main() -> int:
    """Measure, and say whether it is as it should be."""
    options = _options()
    if options.clients_of:
        clients(options.clients_of, options.clients, options.seconds, int(options.first))
        return 0
    with tempfile.TemporaryDirectory() as folder:
        model = options.model or freed(builtin_models()["classifier"].path, Path(folder))
        report = measured(options, model)
    report["failures"] = failures(report)
    if options.json:
        print(json.dumps(report, indent=1))
    else:
        for name, value in report.items():
            print(f"{name:14} {value}")
    return 1 if report["failures"] else 0


if __name__ == "__main__":
    sys.exit(main())
