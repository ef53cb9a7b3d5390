"""Commands on networks of servers: the tests' own, and `lightloom serve`."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import time

import cv2
import pytest
from inference_rig import InferenceServer, Network, free_port
from key_ring import key_ring
from tiny_models import square_detector, squares

from desktop.__main__ import main
from desktop.net.inference import tokens
from desktop.net.inference.hosts import AllowedHosts


@pytest.fixture(autouse=True)
def own_folders(tmp_path, monkeypatch):
    monkeypatch.setenv("LIGHTLOOM_CONFIG", str(tmp_path / "config"))
    monkeypatch.delenv(tokens.VARIABLE, raising=False)


@pytest.fixture
def picture(tmp_path):
    path = tmp_path / "squares.png"
    assert cv2.imwrite(str(path), squares()[..., ::-1])
    return str(path)


@pytest.fixture
def detector(tmp_path):
    return square_detector(tmp_path / "net.onnx")


def printed_objects(capsys, *arguments):
    assert main(["detect", *arguments, "--json"]) == 0
    return json.loads(capsys.readouterr().out)["results"][0]["objects"]


def close_to(here, there):
    assert len(here) == len(there) == 2
    for one, other in zip(here, there, strict=True):
        # The labels stand beside the file, which the server does not tell.
        assert one["box"] == pytest.approx(other["box"], abs=1e-6)
        assert one["score"] == pytest.approx(other["score"], abs=1e-6)


def test_detect_with_an_address(picture, detector, capsys):
    here = printed_objects(capsys, picture, "--model", str(detector), "--backend", "onnxruntime")
    server = InferenceServer(Network.of_onnx(detector))
    try:
        for address in (server.http, server.grpc):
            close_to(here, printed_objects(capsys, picture, "--model", address))
        server.fault = "error"
        assert main(["detect", picture, "--model", server.http]) == 1
        said = capsys.readouterr().err
        assert "Traceback" not in said and "broke" in said
    finally:
        server.close()
    assert main(["detect", picture, "--model", server.http]) == 1
    assert "cannot be had from localhost" in capsys.readouterr().err


def test_a_preset_sends_nothing_to_a_host_that_is_not_allowed(picture, tmp_path, capsys):
    preset = tmp_path / "stranger.toml"
    preset.write_text('lightloom = 1\n[network]\nmodel = "grpc://pictures.example:8001/net"\n')
    assert main(["process", picture, "--preset", str(preset), "-o", str(tmp_path / "out.png")]) == 1
    said = capsys.readouterr().err
    assert "pictures.example, which would receive the images" in said and "remote allow" in said


def test_hosts_and_tokens(capsys, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO("a-token\n"))
    assert main(["remote", "allow", "One.example", "grpc://two.example:9/m"]) == 0
    assert main(["remote", "forget", "one.example"]) == 0
    assert main(["remote", "hosts"]) == 0
    assert capsys.readouterr().out.split() == ["two.example"] and AllowedHosts().all() == ("two.example",)
    assert main(["remote", "forget", "one.example"]) == 2
    with key_ring() as ring:
        assert main(["remote", "token", "two.example:9"]) == 0
    assert ring.kept == {("lightloom", "two.example:9"): "a-token"}
    text = capsys.readouterr()
    assert "a-token" not in text.out + text.err


def test_an_address_with_a_password_is_not_repeated(picture, capsys):
    for address in (
        "http://anna:hunter2@host/v2/models/m",
        "http://anna:hunter2@host/m",
        "grpc://anna:hunter2@h/m",
    ):
        assert main(["detect", picture, "--model", address]) == 2
        assert "hunter2" not in capsys.readouterr().err


def test_lightloom_serves_itself(picture, detector, tmp_path, capsys):
    pytest.importorskip("desktop.cli.serve")
    pytest.importorskip("aiohttp")
    here = printed_objects(capsys, picture, "--model", str(detector), "--backend", "onnxruntime")
    http, grpc = free_port(), free_port()
    command = [sys.executable, "-m", "desktop", "serve", f"net={detector}", "--backend", "onnxruntime"]
    with (tmp_path / "log").open("wb") as log:
        server = subprocess.Popen(
            [*command, "--http", str(http), "--grpc", str(grpc)],
            stdout=log,
            stderr=log,
            env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
        )
        try:
            address, end = f"http://localhost:{http}/v2/models/net", time.monotonic() + 60
            while main(["detect", picture, "--model", address]) != 0:
                assert time.monotonic() < end and server.poll() is None, (tmp_path / "log").read_text()
                time.sleep(0.2)
            capsys.readouterr()
            for each in (address, f"grpc://localhost:{grpc}/net"):
                close_to(here, printed_objects(capsys, picture, "--model", each))
        finally:
            server.terminate()
            server.wait(60)
