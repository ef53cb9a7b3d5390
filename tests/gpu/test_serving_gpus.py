"""Served networks in a process for each GPU; here both are the one adapter that there is."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from dataclasses import replace

import numpy as np
import psutil
import pytest
from serving_rig import ServerRig, affine_model, mean_model

from desktop.__main__ import main
from desktop.base.errors import LightloomError, ServingError, UsageError
from desktop.cli._serve_metrics import gpu_process_counts
from desktop.compute.gpu.device import best_adapters
from desktop.serving.gpu_channel import Failed
from desktop.serving.gpu_processes import GpuProcesses
from desktop.serving.served_model import Batching, ModelOptions, ServedModel
from desktop.serving.session_pool import Loading

WAIT = 120.0
WGPU = Loading(lambda: None, "wgpu")


@pytest.fixture(scope="module")
def processes():
    found = GpuProcesses(["#0", "#1"])
    yield found
    found.close()
    assert not any(each.pid for each in found.processes)


@pytest.fixture(scope="module")
def rig(tmp_path_factory, processes):
    folder = tmp_path_factory.mktemp("gpus")
    models = {
        "affine": affine_model(folder / "affine.onnx"),
        "mean": mean_model(folder / "mean.onnx"),
    }
    batching = Batching(delay_s=0.0)
    with ServerRig(models, loading=WGPU, batching=batching, pools=processes.pools) as found:
        yield found


def ask(model, feeds):
    return model.submit(feeds, WAIT).result(WAIT)


def test_requests_are_spread_and_answered_as_by_one(rig, processes):
    model = rig.model("affine")
    assert model.description.max_batch == 8 and "(#" in model.description.device
    assert len({each.pid for each in processes.processes}) == 2
    before = [psutil.Process(each.pid).cpu_times().user for each in processes.processes]
    rows = [np.full((1, 4), number, np.float32) for number in range(400)]
    futures = []
    for row in rows:
        while rig.model("affine").statistics.snapshot().waiting > 50:
            time.sleep(0.001)
        futures.append(model.submit({"x": row}, WAIT))
    for row, future in zip(rows, futures, strict=True):
        assert np.array_equal(future.result(WAIT)["y"], 2 * row + 1)
    after = [psutil.Process(each.pid).cpu_times().user for each in processes.processes]
    assert all(late > early for early, late in zip(before, after, strict=True))
    x = np.random.default_rng(0).random((3, 4), np.float32)
    assert np.abs(ask(rig.model("mean"), {"x": x})["y"] - (x - x.mean(0))).max() <= 1e-6


def test_a_process_that_is_killed_loses_no_request(rig, processes):
    model = rig.model("affine")
    over = threading.Event()
    failed, counts = [], [0] * 4

    def work(number):
        row = np.full((1, 4), number, np.float32)
        while not over.is_set():
            try:
                assert np.array_equal(ask(model, {"x": row})["y"], 2 * row + 1)
                counts[number] += 1
            except LightloomError as error:
                failed.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    killed = processes.processes[0].pid
    psutil.Process(killed).kill()
    until = time.monotonic() + WAIT
    while processes.processes[0].pid in (0, killed) and time.monotonic() < until:
        time.sleep(0.05)
    over.set()
    for thread in threads:
        thread.join(WAIT)
    assert failed == [] and min(counts) > 0
    assert processes.processes[0].pid not in (0, killed)
    counted = [(each.gpu, each.is_up, each.starts) for each in gpu_process_counts(processes)]
    assert counted == [("0", True, 2), ("1", True, 1)]
    assert gpu_process_counts(None) == []


def test_errors_come_back_as_they_were(rig, processes, tmp_path):
    broken = tmp_path / "broken.onnx"
    broken.write_bytes(b"no network")
    model = ServedModel("broken", str(broken), ModelOptions(WGPU, pools=processes.pools))
    with pytest.raises(LightloomError, match=r"broken\.onnx"):
        model.load()
    refusal = Failed.of(ServingError("large", "too large")).exception()
    assert isinstance(refusal, ServingError) and refusal.kind == "large"


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--gpus", "0,0"], "names a GPU twice"),
        (["--gpus", "0, 00"], "names a GPU twice"),
        (["--gpus", "first"], "names no GPUs"),
        (["--gpus", "-1"], "names no GPUs"),
        (["--gpus", "0,"], "names no GPUs"),
        (["--gpus", "64"], "There is no GPU 64"),
        (["--gpus", "0", "--adapter", "llvmpipe"], "leave out one of both"),
        (["--gpus", "0", "--backend", "onnxruntime"], "leave out one of both"),
    ],
)
def test_wrong_gpus_are_refused(tmp_path, capsys, options, said):
    model = affine_model(tmp_path / "affine.onnx")
    assert main(["serve", str(model), *options]) == 2
    assert said in capsys.readouterr().err


@pytest.mark.parametrize(("kind", "wrong", "most"), [("discrete", "2", "1"), ("software", "64", "63")])
def test_more_gpus_than_there_are_are_refused(monkeypatch, capsys, kind, wrong, most):
    card = replace(best_adapters()[0], kind=kind)
    monkeypatch.setattr("desktop.cli.serve.best_adapters", lambda: [card, card])
    chosen = []

    def chose(adapters):
        chosen.append(adapters)
        raise UsageError("That is all; go.")

    monkeypatch.setattr("desktop.cli.serve.GpuProcesses", chose)
    free = ["serve", "classifier", "--grpc", "0", "--http", "0"]
    assert main([*free, "--gpus", f"0,{wrong}"]) == 2
    said = f"There is no GPU {wrong}: " + (
        f"{card.name} stands in for the GPUs 0 to {most} here; give a smaller number."
        if kind == "software"
        else "this machine has 2 of them, counted from 0; 'lightloom devices'"
    )
    assert said in capsys.readouterr().err and chosen == []
    assert main([*free, "--gpus", f"0,{most}"]) == 2
    assert chosen == [["#0", f"#{most}"]]
    assert ("There is no GPU here for --gpus: the processor computes" in capsys.readouterr().err) == (
        kind == "software"
    )


def test_processes_end_with_the_server(tmp_path):
    model = affine_model(tmp_path / "affine.onnx")
    command = [
        sys.executable,
        "-m",
        "desktop",
        "serve",
        str(model),
        "--gpus",
        "0,1",
        "--http",
        "0",
        "--no-grpc",
    ]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        assert server.stdout.readline().startswith("HTTP ")
        children = psutil.Process(server.pid).children()
        assert len(children) == 2
        server.kill()
        _, alive = psutil.wait_procs(children, WAIT)
        assert alive == []
    finally:
        server.kill()
        server.wait(WAIT)
