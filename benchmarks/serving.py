"""`lightloom serve` under load: 4 clients, 64 clients, and 64 without joined batches; Triton's gRPC client
asks, in processes of its own.

    python benchmarks/serving.py [--model M] [--backend B] [--seconds 60] [--clients 64] [--max-batch 8] [--json]
    python benchmarks/serving.py --swap [--seconds 60] [--clients 64]
    python benchmarks/serving.py --requests 500000
    python benchmarks/serving.py --gpus 2 [--seconds 30] [--layers N]

The network is the box's classifier with its batch made free, unless --model names another. Printed are
answers a second, latency from call to answer, the server's processor time for an answer, refusals by status,
and its memory (resident, over the last three quarters: the first one settles). Exit status 1 where an answer
is off by more than 1e-6 of the local one, a status other than RESOURCE_EXHAUSTED came, memory grew by more
than 5 % and 20 MB, requests were not joined, or many clients got fewer answers than few.

--swap replaces a model of a repository by its next version each second while clients ask; status 1 where a
request failed. --requests sends short requests by HTTP, one half on kept connections and one on new ones;
status 1 where one failed, or memory or open files grew from the first tenth to the end; each tenth is printed
to standard error, and at the end memory and files after the first and after the last. --gpus compares
`serve --gpus` on the first N GPUs with one, with a network of at least 3 ms a run that is made for it; status 1
below 0.9 of N. It needs the packages of the extra `serve`, onnx and psutil, and no file but the checkout.
"""

from __future__ import annotations

import argparse
import errno
import http.client
import json
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
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
_LEAST_MS = 3.0


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
    arguments = [f"net={model}", "--warm", "--max-batch", str(max_batch), "--backend", options.backend]
    arguments += ["--adapter", options.adapter] if options.adapter else []
    with started("gRPC", *arguments) as found:
        yield found


@contextmanager
def started(side: str, *arguments: str) -> Iterator[tuple[str, psutil.Process]]:
    """Start a server of gRPC or HTTP alone; give its address and process."""
    ports = ["--grpc", "0", "--no-http"] if side == "gRPC" else ["--http", "0", "--no-grpc"]
    command = [sys.executable, "-m", "desktop", "serve", *arguments, *ports]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        match = re.fullmatch(rf"{side} (\S+)\n", process.stdout.readline())
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
    over = threading.Event()
    memory: list[int] = []
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


# -- models that are replaced --------------------------------------------------------------------------------


def scaling(path: Path, factor: int) -> None:
    """Write a network y = factor x, of [N, 4]; its folder appears with the whole file in it."""
    node = onnx.helper.make_node("Mul", ["x", "factor"], ["y"])
    values = [onnx.helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, ["N", 4]) for name in "xy"]
    weights = [onnx.numpy_helper.from_array(np.array(factor, np.float32), "factor")]
    graph = onnx.helper.make_graph([node], "scaling", values[:1], values[1:], weights)
    opset = onnx.helper.make_opsetid("", 13)
    part = path.parent.with_name(f".{path.parent.name}")
    part.mkdir(parents=True)
    onnx.save(onnx.helper.make_model(graph, opset_imports=[opset], ir_version=8), str(part / path.name))
    part.rename(path.parent)


def swapped(options: argparse.Namespace) -> dict[str, Any]:
    """Replace a model each second while clients ask."""
    with tempfile.TemporaryDirectory() as folder:
        network = Path(folder) / "net"
        scaling(network / "1" / "model.onnx", 1)
        arguments = ["--repository", folder, "--poll", "0.2", "--backend", "onnxruntime"]
        with started("gRPC", *arguments) as (address, process):
            over = threading.Event()

            def replace() -> None:
                version = 1
                while not over.wait(1.0):
                    version += 1
                    scaling(network / str(version) / "model.onnx", version)
                    old = network / str(version - 2)
                    if old.is_dir():
                        shutil.rmtree(old)

            replacing = threading.Thread(target=replace)
            replacing.start()
            report = load(address, process, options.clients, options.seconds)
            over.set()
            replacing.join()
            with triton.InferenceServerClient(address) as client:
                versions = [int(version) for version in client.get_model_metadata("net").versions]
    newest = max(versions)
    failed = [f"{count} requests: {status}" for status, count in report["refused"].items()]
    few = [] if newest > options.seconds / 4 else [f"{newest} versions were loaded"]
    return {**report, "newest_version": newest, "failures": failed + few}


# -- many requests -------------------------------------------------------------------------------------------


def send_many(address: str, count: int) -> None:
    """Send short requests by HTTP, on a kept connection and on new ones in turn; print those that failed."""
    body = json.dumps({"inputs": [{"name": "x", "shape": [1, 4], "datatype": "FP32", "data": [1, 2, 3, 4]}]})
    kept = http.client.HTTPConnection(address, timeout=60)
    failed = 0
    for number in range(count):
        connection = kept if number % 2 else http.client.HTTPConnection(address, timeout=60)
        try:
            failed += not is_answered(connection, body)
        except (OSError, http.client.HTTPException) as error:
            print(f"a request failed: {error!r}", file=sys.stderr)
            failed += 1
            connection.close()
        if connection is not kept:
            connection.close()
    print(failed)


def is_answered(connection: http.client.HTTPConnection, body: str) -> bool:
    """Send a request; return True if its answer is right. Raises OSError or HTTPException without one."""
    while connection.sock is None:
        try:
            connection.connect()
        except OSError as error:
            # All local ports still belong to connections that were closed within the last minute.
            if error.errno != errno.EADDRNOTAVAIL:
                raise
            time.sleep(1.0)
    connection.request("POST", "/v2/models/net/infer", body)
    response = connection.getresponse()
    return b'"data":[3.0,6.0,9.0,12.0]' in response.read() and response.status == 200


@dataclass(frozen=True)
class Tenth:
    """The server after a tenth of the requests: resident memory in MB, open files, failed requests."""

    memory_mb: float
    files: int
    failed: int


def tenths(address: str, process: psutil.Process, count: int) -> Iterator[Tenth]:
    """Send requests in ten rounds; give the state after each, until the server is gone."""
    each_sends = count // 10 // _PROCESSES
    for done in range(1, 11):
        command = [sys.executable, str(Path(__file__).resolve()), "--many-to", address]
        command += ["--requests", str(each_sends)]
        begun = time.monotonic()
        senders = [subprocess.Popen(command, stdout=subprocess.PIPE) for _ in range(_PROCESSES)]
        said = [each.communicate()[0] for each in senders]
        seconds = time.monotonic() - begun
        # A sender that crashed says nothing, and none of its requests counts.
        failed = sum(int(text) if text.strip() else each_sends for text in said)
        try:
            found = Tenth(round(process.memory_info().rss / _MB, 1), process.num_fds(), failed)
        except psutil.NoSuchProcess:
            return
        print(
            f"{done * 10:3} %: {each_sends * _PROCESSES * done} requests, "
            f"{each_sends * _PROCESSES / seconds:.0f} a second, {found.memory_mb} MB, {found.files} open files, "
            f"{failed} failed",
            file=sys.stderr,
            flush=True,
        )
        yield found


def many(options: argparse.Namespace) -> dict[str, Any]:
    """Send requests in ten rounds, and compare memory and open files after the first and after the last."""
    with tempfile.TemporaryDirectory() as folder:
        scaling(Path(folder) / "1" / "model.onnx", 3)
        log = Path(folder) / "access.log"
        arguments = [f"net={folder}/1/model.onnx", "--backend", "onnxruntime", "--access-log", str(log)]
        begun = time.monotonic()
        with started("HTTP", *arguments) as (address, process):
            found = list(tenths(address, process, options.requests))
        seconds = time.monotonic() - begun
        with log.open("rb") as lines:
            logged = sum(1 for _ in lines)
    sent = options.requests // 10 // _PROCESSES * _PROCESSES * 10
    return {
        "requests": sent,
        "requests_per_s": round(sent / seconds, 1),
        "memory_mb": [each.memory_mb for each in found],
        "open_files": [each.files for each in found],
        "failures": many_failures(found, sent, logged),
    }


def many_failures(found: list[Tenth], sent: int, logged: int) -> list[str]:
    """Deviations of a server that got many requests from what is expected."""
    if len(found) < 10:
        return [f"the server ended in the round after {len(found) * 10} % of the requests"]
    first, last = found[0], found[-1]
    told = []
    if failed := sum(each.failed for each in found):
        told.append(f"{failed} requests failed")
    if last.memory_mb > first.memory_mb * 1.05 and last.memory_mb > first.memory_mb + 20:
        told.append(f"memory grew from {first.memory_mb} to {last.memory_mb} MB")
    if last.files > first.files + 5:
        told.append(f"open files grew from {first.files} to {last.files}")
    if logged != sent:
        told.append(f"the access log has {logged} lines for {sent} requests")
    return told


# -- several GPUs --------------------------------------------------------------------------------------------


def convolving(path: Path, layers: int) -> Path:
    """Write a network of a fixed batch, [1, 3, 64, 64] to [1, 256], with some convolutions of 256 channels."""
    random = np.random.default_rng(0)
    helper, to_array = onnx.helper, onnx.numpy_helper.from_array
    weights, nodes, last = [], [], "x"
    for number in range(layers + 1):
        shape = (256, 256 if number else 3, 3, 3)
        weights.append(to_array(random.standard_normal(shape, np.float32) * 0.03, f"w{number}"))
        nodes.append(helper.make_node("Conv", [last, f"w{number}"], [f"c{number}"], pads=[1, 1, 1, 1]))
        nodes.append(helper.make_node("Relu", [f"c{number}"], [f"r{number}"]))
        last = f"r{number}"
    nodes += [helper.make_node("GlobalAveragePool", [last], ["g"]), helper.make_node("Flatten", ["g"], ["y"])]
    inputs = [helper.make_tensor_value_info("x", onnx.TensorProto.FLOAT, [1, 3, 64, 64])]
    outputs = [helper.make_tensor_value_info("y", onnx.TensorProto.FLOAT, [1, 256])]
    graph = helper.make_graph(nodes, "convolving", inputs, outputs, weights)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    onnx.save(model, str(path))
    return path


def run_ms(model: Path) -> float:
    """Return the milliseconds of a run on the first GPU, of twenty after three."""
    session = load_session(model, gpu=Gpu.open("#0"), backend="wgpu").session
    feeds = {"x": np.ones((1, 3, 64, 64), np.float32)}
    times = []
    for _ in range(23):
        begun = time.perf_counter()
        session.run(feeds)
        times.append(time.perf_counter() - begun)
    session.close()
    return float(np.median(times[3:])) * 1000


def compared(options: argparse.Namespace) -> dict[str, Any]:
    """Ask a server on one GPU, and one on several."""
    with tempfile.TemporaryDirectory() as folder:
        model = Path(folder) / "network.onnx"
        layers = 4 if options.layers is None else options.layers
        time_ms = run_ms(convolving(model, layers))
        while time_ms < _LEAST_MS and options.layers is None:
            layers *= 2
            time_ms = run_ms(convolving(model, layers))
        report: dict[str, Any] = {"layers": layers, "run_ms": round(time_ms, 2)}
        for count in (1, options.gpus):
            gpus = ",".join(map(str, range(count)))
            arguments = [f"net={model}", "--backend", "wgpu", "--gpus", gpus]
            with started("gRPC", *arguments) as (address, process):
                load(address, process, options.clients, min(5.0, options.seconds))  # to warm up
                report[f"{count}_gpus"] = load(address, process, options.clients, options.seconds)
    one, several = (report[f"{count}_gpus"]["answers_per_s"] for count in (1, options.gpus))
    ratio = several / max(0.1, one)
    found = []
    if time_ms < _LEAST_MS:
        found.append(f"a run takes {time_ms:.2f} ms, less than {_LEAST_MS:g}")
    if ratio < 0.9 * options.gpus:
        found.append(f"{options.gpus} GPUs give {ratio:.2f} times the answers of one")
    return {**report, "ratio": round(ratio, 2), "failures": found}


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
    parser.add_argument("--swap", action="store_true", help="replace a model while clients ask")
    parser.add_argument("--requests", type=int, help="send so many short requests by HTTP instead")
    parser.add_argument("--gpus", type=int, help="compare so many GPUs with one instead")
    parser.add_argument(
        "--layers", type=int, help="convolutions of the network of --gpus (default: for 3 ms)"
    )
    for hidden in ("--clients-of", "--first", "--many-to"):
        parser.add_argument(hidden, help=argparse.SUPPRESS)
    return parser.parse_args()


def main() -> int:
    """Measure, and say whether it is as it should be."""
    options = _options()
    if options.clients_of:
        clients(options.clients_of, options.clients, options.seconds, int(options.first))
        return 0
    if options.many_to:
        send_many(options.many_to, options.requests)
        return 0
    if options.swap:
        report = swapped(options)
    elif options.requests:
        report = many(options)
    elif options.gpus:
        report = compared(options)
    else:
        with tempfile.TemporaryDirectory() as folder:
            model = options.model or freed(builtin_models()["classifier"].path, Path(folder))
            report = measured(options, model)
        report["failures"] = failures(report)
    if options.json:
        print(json.dumps(report, indent=1))
    else:
        for name, value in report.items():
            print(f"{name:14} {value}")
    if options.requests and report["memory_mb"]:
        memory, files = report["memory_mb"], report["open_files"]
        print(
            f"{memory[0]} MB and {files[0]} open files after the first tenth, {memory[-1]} MB and {files[-1]} "
            f"after {len(memory)} tenths",
            file=sys.stderr,
        )
    return 1 if report["failures"] else 0


if __name__ == "__main__":
    sys.exit(main())
