"""Tiles that cover a picture, and how far a network looks by its graph; beside pixels that ONNX Runtime sees
or not.
"""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import pytest
from dense_models import convolution, enlarging_model
from onnx import TensorProto, helper, numpy_helper

from desktop.pipeline.running.dense.tiling import tile_picture
from desktop.vision.models.model_file import ModelFile
from desktop.vision.models.receptive_field import receptive_field_of
from desktop.vision.tasks import recognize
from desktop.vision.tasks.common.maps import enlargement


@pytest.mark.parametrize(
    "whole, tile, margin, multiple, factor",
    [
        ((100, 70), (32, 24), 4, 1, 2),
        ((96, 64), (96, 64), 4, 8, 4),
        ((1920, 1080), (512, 512), 18, 8, 2),
        ((333, 41), (40, 41), None, 1, 3),
        ((200, 200), (16, 16), 50, 1, 1),  # more margin than tile
        ((33, 32), (32, 32), 0, 1, 2),
        ((139, 101), (48, 40), 2, 1, 2),  # steps shorter than a full ramp
    ],
)
def test_tiles_cover_the_picture_and_their_weights_add_up(whole, tile, margin, multiple, factor):
    tiling = tile_picture(whole, tile, margin, multiple)
    for spans, side, size in ((tiling.columns, whole[0], tile[0]), (tiling.rows, whole[1], tile[1])):
        total, overlaps = np.zeros(side * factor), np.zeros(side * factor, int)
        for span in spans:
            assert 0 <= span.start <= side - size and span.start % multiple == 0
            weights = span.weights(size * factor, factor)
            part = slice(span.start * factor, (span.start + size) * factor)
            total[part] += weights
            overlaps[part] += weights > 0
        np.testing.assert_allclose(total, 1.0, atol=1e-6)
        assert overlaps.max() <= 2
        if margin is not None and 8 * margin + 8 <= 3 * size:
            for before, after in itertools.pairwise(spans):
                # What a tile shows lies at least so far from the edges at which it ends.
                assert before.fall == after.rise
                assert before.start + size - before.fall[1] >= margin
                assert after.rise[0] - after.start >= margin


def _seen_from(path: Path, side: int) -> tuple[int, int]:
    """Return (scale, radius): how far from the middle a pixel of the input still changes what comes out
    there.
    """
    session = onnxruntime.InferenceSession(str(path))
    name, channels = session.get_inputs()[0].name, session.get_inputs()[0].shape[1]
    rng = np.random.default_rng(1)
    picture = rng.uniform(0.3, 0.7, (1, channels, side, side)).astype(np.float32)
    still = session.run(None, {name: picture})[0]
    scale, middle, farthest = still.shape[-1] // side, side // 2, 0
    for column in range(side):
        changed = picture.copy()
        changed[..., column] += 0.25
        other = session.run(None, {name: changed})[0]
        part = slice(middle * scale, (middle + 1) * scale)
        if np.any(other[..., part] != still[..., part]):
            farthest = max(farthest, abs(column - middle))
    return scale, farthest


def _network(path: Path, nodes: list[onnx.NodeProto], weights: dict[str, np.ndarray]) -> Path:
    graph = helper.make_graph(
        nodes,
        "g",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 3, "h", "w"])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, [1, 3, "oh", "ow"])],
        [numpy_helper.from_array(array, name) for name, array in weights.items()],
    )
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8), str(path))
    return path


def _hourglass(path: Path) -> Path:
    # Shrunk by 2, looked at with gaps, enlarged again; beside it the picture itself.
    rng = np.random.default_rng(2)

    def weight(*shape):
        return rng.normal(0, 0.3, shape).astype(np.float32)

    nodes = [
        helper.make_node("Conv", ["x", "w1"], ["a"], pads=[1] * 4, strides=[2, 2]),
        helper.make_node("Conv", ["a", "w2"], ["b"], pads=[2] * 4, dilations=[2, 2]),
        helper.make_node("ConvTranspose", ["b", "w3"], ["c"], pads=[1] * 4, strides=[2, 2]),
        helper.make_node("Add", ["c", "x"], ["y"]),
    ]
    return _network(
        path, nodes, {"w1": weight(4, 3, 3, 3), "w2": weight(4, 4, 3, 3), "w3": weight(4, 3, 4, 4)}
    )


def _resized(path: Path) -> Path:
    weight = np.random.default_rng(3).normal(0, 0.3, (3, 3, 5, 5)).astype(np.float32)
    nodes = [
        helper.make_node("Conv", ["x", "w"], ["a"], pads=[2] * 4),
        helper.make_node("Resize", ["a", "", "factors"], ["y"], mode="linear"),
    ]
    return _network(path, nodes, {"w": weight, "factors": np.array([1, 1, 2, 2], np.float32)})


@pytest.mark.parametrize(
    "make, scale, multiple",
    [(enlarging_model, 2, 1), (_hourglass, 1, 2), (_resized, 2, 1)],
)
def test_the_graph_tells_how_far_a_network_looks(tmp_path, make, scale, multiple):
    path = make(tmp_path / "net.onnx")
    reach = receptive_field_of(onnx.load(str(path)))
    seen = _seen_from(path, 48)
    assert reach is not None and (reach.scale, reach.multiple) == (scale, multiple) and seen[0] == scale
    # Never less than it does, and not much more: windows of even size count as one more to both sides.
    assert seen[1] <= reach.margin <= seen[1] + 4 if make is not enlarging_model else reach.margin == seen[1]


def test_a_statistic_of_the_whole_picture_reaches_everywhere(tmp_path):
    nodes = [
        helper.make_node("GlobalAveragePool", ["x"], ["mean"]),
        helper.make_node("Sigmoid", ["mean"], ["gate"]),
        helper.make_node("Mul", ["x", "gate"], ["y"]),
    ]
    reach = receptive_field_of(onnx.load(str(_network(tmp_path / "gate.onnx", nodes, {}))))
    assert reach is not None and reach.scale == Fraction(1) and math.isinf(reach.radius)
    assert reach.margin is None


@pytest.mark.parametrize("size", [None, (24, 16)])
def test_a_network_that_enlarges_is_recognized(tmp_path, size):
    larger = ModelFile.open(enlarging_model(tmp_path / "x3.onnx", 3, size=size))
    assert enlargement(larger.facts) == 3
    found = recognize(larger)
    assert found is not None and found.task.id == "super_resolution"
    same = recognize(ModelFile.open(convolution(tmp_path / "same.onnx", np.ones((3, 3, 1, 1), np.float32))))
    assert same is not None and same.task.id == "image"


@pytest.mark.parametrize(
    "file, factor, margin",
    [
        # 18 convolutions of 3 x 3, and 10.
        ("superres/nomosuni_2x_compact.onnx", 2, 18),
        ("superres/animejanai_v3_ultracompact.onnx", 2, 10),
        ("enhance/super-resolution-10.onnx", 3, None),
        ("tflite/imdn_rtc_superres.tflite", 2, None),
    ],
)
def test_real_networks(shared, file, factor, margin):
    facts = ModelFile.open(shared / "models" / file).facts
    assert enlargement(facts) == factor
    assert (facts.reach.margin if facts.reach is not None else None) == margin
