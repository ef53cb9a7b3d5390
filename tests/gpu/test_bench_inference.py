"""`bench inference`: the networks that it takes, and the sizes that they leave open."""

from __future__ import annotations

import json

import numpy as np
import pytest
from nn_cases import save
from onnx import helper

from desktop.__main__ import main


@pytest.fixture(autouse=True)
def cold(monkeypatch):
    """Nothing is warmed up, and each candidate has one turn: the times do not matter here."""
    monkeypatch.setattr("desktop.bench.inference.run._WARM_SECONDS", 0.0)
    monkeypatch.setattr("desktop.bench.inference.run._ROUNDS", 1)


@pytest.fixture
def open_sizes(tmp_path):
    """A small network whose height and width are open."""
    nodes = [helper.make_node("Conv", ["image", "w"], ["c"]), helper.make_node("Relu", ["c"], ["y"])]
    weights = np.ones((4, 3, 1, 1), np.float32)
    return save(tmp_path / "m.onnx", nodes, {"image": (1, 3, "height", "width")}, "y", {"w": weights})


def run(capsys, *arguments):
    """The exit status of a short run, the report's rows and what it says on stderr."""
    status = main(["bench", "inference", "--seconds", "0.1", "--json", *arguments])
    said = capsys.readouterr()
    return status, json.loads(said.out)["rows"], said.err


def rows(capsys, *arguments):
    """The report's rows of a short run in which everything is measured."""
    status, found, said = run(capsys, *arguments)
    assert (status, said) == (0, "")
    return found


def test_a_size_is_given_to_an_open_input(open_sizes, capsys):
    status, (refused,), said = run(capsys, "--models", str(open_sizes))
    assert (status, said) == (1, "lightloom: Not measured: m; the report says why.\n")
    assert "'image' has free dimensions" in refused["failed"] and "size for it" in refused["failed"]
    found = rows(capsys, "--models", str(open_sizes), "--shape", "image=1,3,8,8")
    assert found and all(row["p50"] > 0 and not row["failed"] for row in found)


@pytest.mark.parametrize("model", ["open", "classifier"])
def test_a_shape_that_fits_no_input_is_refused(open_sizes, model, capsys):
    name = str(open_sizes) if model == "open" else model
    assert main(["bench", "inference", "--models", name, "--shape", "images=1,3,8,8"]) == 2
    assert "an input 'images' that leaves sizes open" in capsys.readouterr().err


def test_bundled_networks_are_taken_by_name(capsys):
    (row, *_) = rows(capsys, "--models", "classifier")
    assert row["network"] == "classifier" and row["p50"] > 0


def test_another_name_is_refused_with_those_known(capsys):
    assert main(["bench", "inference", "--models", "clasifier"]) == 2
    assert "classifier" in capsys.readouterr().err


@pytest.mark.parametrize(("peers", "status"), [("torch", 1), ("all", 0)])
def test_a_peer_that_fails_is_a_failure_if_it_was_named(open_sizes, monkeypatch, capsys, peers, status):
    def fail(*_):
        raise RuntimeError("no such device")

    monkeypatch.setattr("desktop.bench.inference.run.PEERS", {"torch": fail})
    monkeypatch.setattr("desktop.bench.inference.run.device_peers", dict)
    found = run(capsys, "--models", str(open_sizes), "--shape", "image=1,3,8,8", "--peers", peers)
    assert found[0] == status
    assert [row["failed"] for row in found[1] if row["failed"]] == ["RuntimeError: no such device"]
    assert found[2] == ("lightloom: Not measured: m with torch; the report says why.\n" if status else "")
