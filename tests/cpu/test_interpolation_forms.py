"""Recognition of frame interpolation networks by their inputs and outputs alone."""

from __future__ import annotations

import pytest
from dense_models import denoiser_model
from interpolation_models import (
    channels_last,
    relu,
    saved,
    seven_channels,
    six_channels,
    two_and_time,
    value,
)
from onnx import helper

from desktop.pipeline.running.interpolation.network import interpolates
from desktop.vision.models.model_file import ModelFile


def fusion(path):
    """Two pictures into one, and no word of a time: anything."""
    nodes = [helper.make_node("Add", ["visible", "infrared"], ["out"])]
    return saved(path, nodes, [value("visible", (1, 3, "h", "w")), value("infrared", (1, 3, "h", "w"))])


def flow(path):
    """Two pictures into two channels."""
    ends = [helper.make_tensor(name, 7, [1], [n]) for name, n in (("from", 0), ("to", 2), ("axis", 1))]
    nodes = [
        helper.make_node("Sub", ["a", "b"], ["d"]),
        helper.make_node("Slice", ["d", "from", "to", "axis"], ["out"]),
    ]
    inputs = [value("a", (1, 3, "h", "w")), value("b", (1, 3, "h", "w"))]
    return saved(path, nodes, inputs, (1, 2, "h", "w"), ends)


@pytest.mark.parametrize("make", [two_and_time, channels_last, seven_channels, six_channels])
def test_these_are(tmp_path, make):
    with ModelFile.opened(make(tmp_path / "net.onnx")) as file:
        assert interpolates(file)


@pytest.mark.parametrize("make", [relu, fusion, flow, denoiser_model])
def test_these_are_not(tmp_path, make):
    with ModelFile.opened(make(tmp_path / "net.onnx")) as file:
        assert not interpolates(file)


def test_what_stands_beside_a_network_decides(tmp_path):
    path = two_and_time(tmp_path / "net.onnx")
    path.with_name("net.onnx.lightloom.toml").write_text('task = "depth"\n')
    with ModelFile.opened(path) as file:
        assert not interpolates(file)
