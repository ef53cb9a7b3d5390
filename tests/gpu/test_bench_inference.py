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
    """Nothing is warmed up: the times do not matter here."""
    monkeypatch.setattr("desktop.bench.inference.run._WARM_SECONDS", 0.0)


@pytest.fixture
def open_sizes(tmp_path):
    """A small network whose height and width are open."""
    nodes = [helper.make_node("Conv", ["image", "w"], ["c"]), helper.make_node("Relu", ["c"], ["y"])]
    weights = np.ones((4, 3, 1, 1), np.float32)
    return save(tmp_path / "m.onnx", nodes, {"image": (1, 3, "height", "width")}, "y", {"w": weights})


def rows(capsys, *arguments):
    """The report's rows of a short run."""
    assert main(["bench", "inference", "--seconds", "0.1", "--json", *arguments]) == 0
    return json.loads(capsys.readouterr().out)["rows"]


def test_a_size_is_given_to_an_open_input(open_sizes, capsys):
    (refused,) = rows(capsys, "--models", str(open_sizes))
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
