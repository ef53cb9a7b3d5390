"""The example of docs/network-engine.md: what its kernels make of an inner tensor, against onnxruntime and
NumPy.
"""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import av
import cv2
import numpy as np
import onnx
import onnxruntime
import pytest
from onnx import helper, numpy_helper

from desktop.media.sources.opening import open_source
from desktop.pipeline.picture.present import Exporter, LaidOver

_FILE = Path(__file__).resolve().parents[2] / "examples" / "class_activation_map.py"
CLASSES, CHANNELS = 10, 6


@pytest.fixture(scope="module")
def example():
    spec = importlib.util.spec_from_file_location("class_activation_map", _FILE)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


def _model(path, last):
    """A classifier of 32x32 pictures whose last layer is a Gemm, a 1x1 convolution, or the average itself."""
    generator = np.random.default_rng(0)
    arrays = {"w": generator.standard_normal((CHANNELS if last != "none" else CLASSES, 3, 3, 3)) * 0.3}
    nodes = [
        helper.make_node("Conv", ["image", "w"], ["c"], strides=[2, 2], pads=[1, 1, 1, 1]),
        helper.make_node("Relu", ["c"], ["features"]),
        helper.make_node("GlobalAveragePool", ["features"], ["mean"]),
    ]
    if last == "gemm":
        arrays["v"] = generator.standard_normal((CLASSES, CHANNELS))
        nodes.append(helper.make_node("Flatten", ["mean"], ["flat"]))
        nodes.append(helper.make_node("Gemm", ["flat", "v"], ["scores"], transB=1))
    elif last == "conv":
        arrays["v"] = generator.standard_normal((CLASSES, CHANNELS, 1, 1))
        nodes.append(helper.make_node("Conv", ["mean", "v"], ["wide"]))
        nodes.append(helper.make_node("Flatten", ["wide"], ["scores"]))
    else:
        nodes.append(helper.make_node("Flatten", ["mean"], ["scores"]))
    floats = onnx.TensorProto.FLOAT
    graph = helper.make_graph(
        nodes,
        "classifier",
        [helper.make_tensor_value_info("image", floats, [1, 3, 32, 32])],
        [helper.make_tensor_value_info("scores", floats, [1, CLASSES])],
        [numpy_helper.from_array(array.astype(np.float32), name) for name, array in arrays.items()],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    onnx.save(model, path)
    model.graph.output.append(helper.make_tensor_value_info("features", floats, None))
    return model.SerializeToString(), arrays.get("v", np.eye(CLASSES)).reshape(CLASSES, -1)


@pytest.mark.parametrize("last", ["gemm", "conv", "none"])
def test_the_map_is_that_of_the_top_class(gpu, tmp_path, example, last):
    with_features, weights = _model(tmp_path / "m.onnx", last)
    picture = np.random.default_rng(1).integers(0, 256, (60, 90, 3), np.uint8)
    cv2.imwrite(str(tmp_path / "p.png"), cv2.GaussianBlur(picture, (0, 0), 4))
    drawer = example.ActivationMap(gpu, tmp_path / "m.onnx")
    drawn = drawer.render(next(iter(open_source(tmp_path / "p.png").frames())))
    top, found = drawer.read_map()

    given = np.frombuffer(gpu.queue.read_buffer(drawer.session.tensor("image").buffer), np.float32)
    reference = onnxruntime.InferenceSession(with_features, providers=["CPUExecutionProvider"])
    scores, features = reference.run(
        ["scores", "features"], {"image": given[: 3 * 32 * 32].reshape(1, 3, 32, 32)}
    )
    assert top == scores.argmax()
    expected = np.einsum("c,chw->hw", weights[top], features[0])
    np.testing.assert_allclose(found, expected, atol=1e-4 * np.abs(expected).max())

    pixels = Exporter(gpu, dither=False).begin(drawn, LaidOver()).result()
    box = drawer._preprocess.box(90, 60)
    original = cv2.imread(str(tmp_path / "p.png"))[..., ::-1]
    inside = np.zeros((60, 90), bool)
    inside[int(box.y) : int(box.y + box.height), int(box.x) : int(box.x + box.width)] = True
    changed = np.abs(pixels[..., :3].astype(int) - original).max(axis=-1) > 2
    assert not changed[~inside].any() and changed[inside].mean() > 0.9
    drawer.session.close()


def test_a_network_without_an_average_is_refused(tmp_path, example):
    graph = helper.make_graph([helper.make_node("Relu", ["x"], ["y"])], "g", [], [])
    onnx.save(helper.make_model(graph), tmp_path / "m.onnx")
    with pytest.raises(example.ModelUnsupportedError, match="no average"):
        example.find_head(tmp_path / "m.onnx")


def test_its_program_writes_a_video(tmp_path, example, capsys):
    _model(tmp_path / "m.onnx", "gemm")
    out = tmp_path / "map.mp4"
    assert example.main([str(tmp_path / "m.onnx"), "sample:96x64@30", "-o", str(out), "--frames", "5"]) == 0
    assert "is on top" in capsys.readouterr().out
    with av.open(str(out)) as container:
        frames = [frame.to_ndarray(format="rgb24") for frame in container.decode(video=0)]
    assert len(frames) == 5 and frames[0].shape == (64, 96, 3)
    # The map is drawn: without it the pictures are the sample's own.
    plain = next(iter(open_source("sample:96x64@30").frames()))
    assert (plain.width, plain.height) == (96, 64) and np.ptp(frames[0]) > 50


def test_its_program_fails_in_one_sentence(tmp_path, example, capsys):
    graph = helper.make_graph([helper.make_node("Relu", ["x"], ["y"])], "g", [], [])
    onnx.save(helper.make_model(graph), tmp_path / "m.onnx")
    assert example.main([str(tmp_path / "m.onnx")]) == 1
    said = capsys.readouterr().err
    assert "no average" in said and said.count("\n") == 1
