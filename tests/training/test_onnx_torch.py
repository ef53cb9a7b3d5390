"""ONNX networks as PyTorch modules, beside onnxruntime."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import onnx
import onnxruntime
import pytest
from onnx import TensorProto, helper

torch = pytest.importorskip("torch")

from desktop.base.errors import ModelInvalidError, ModelUnsupportedError, UsageError  # noqa: E402
from training.common.onnx_torch import OnnxModule  # noqa: E402

_RELATIVE = 1e-4
_FLOAT = TensorProto.FLOAT


def _reference(path: Path, x: np.ndarray) -> list[np.ndarray]:
    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    kind = np.float16 if session.get_inputs()[0].type == "tensor(float16)" else np.float32
    rows = [session.run(None, {session.get_inputs()[0].name: row[None].astype(kind)}) for row in x]
    return [np.concatenate(outputs).astype(np.float32) for outputs in zip(*rows, strict=True)]


def _photographs(shared: Path, shape: tuple[int, ...]) -> np.ndarray:
    """Two photographs in 0..1: on noise a mask is empty, and its relative error says nothing."""
    side = shape[2]
    files = sorted((shared / "images/samples").glob("*.jpg"))[:2]
    x = np.stack([cv2.resize(cv2.imread(str(file)), (side, side)) for file in files]).astype(np.float32) / 255
    return x if shape[3] == 3 else np.ascontiguousarray(x.transpose(0, 3, 1, 2))


def _error(got: np.ndarray, wanted: np.ndarray) -> float:
    return float(np.linalg.norm(got.reshape(wanted.shape) - wanted) / np.linalg.norm(wanted))


@pytest.mark.shared
@pytest.mark.parametrize(
    ("name", "shape", "limit"),
    [
        ("classify/mobilenet_v2_1.0_224_f32", (2, 3, 224, 224), _RELATIVE),
        ("classify/mobilenet_v1_0.25_224_f32", (2, 3, 224, 224), _RELATIVE),
        ("segment/obs_selfie_segmentation", (2, 256, 256, 3), _RELATIVE),
        # onnxruntime rounds this one's values to fp16 after every layer; the module computes in fp32.
        ("classify/squeezenet_fp16", (2, 3, 224, 224), 2e-2),
    ],
)
def test_teachers_agree_with_onnxruntime(
    shared: Path, name: str, shape: tuple[int, ...], limit: float
) -> None:
    path = shared / "models" / f"{name}.onnx"
    x = _photographs(shared, shape)
    module = OnnxModule(path)
    with torch.no_grad():
        outputs = module(torch.from_numpy(x))
    for got, wanted in zip(outputs.values(), _reference(path, x), strict=True):
        assert _error(got.numpy(), wanted) < limit


@pytest.mark.shared
def test_inner_values_and_gradient(shared: Path) -> None:
    path = shared / "models/classify/squeezenet_fp16.onnx"
    module = OnnxModule(path, outputs=("fire2/concat_1", "conv1_2"))
    x = torch.rand(1, 3, 64, 96, requires_grad=True)
    values = module(x)
    assert list(values) == ["fire2/concat_1", "conv1_2"]
    assert values["fire2/concat_1"].shape[1] == 128
    values["fire2/concat_1"].square().mean().backward()
    assert x.grad is not None
    assert float(x.grad.abs().sum()) > 0
    assert not list(module.parameters())
    assert len(module._steps) < 20  # what the outputs don't need is not run


def _small(path: Path, *, width: int = 8) -> np.ndarray:
    """A network of every other operator of the table; returns a batch of 3 for it."""
    rng = np.random.default_rng(0)

    def constant(name: str, *shape: int) -> onnx.TensorProto:
        return onnx.numpy_helper.from_array(rng.normal(size=shape).astype(np.float32) * 0.3, name)

    def integers(name: str, *values: int) -> onnx.TensorProto:
        return onnx.numpy_helper.from_array(np.array(values, np.int64), name)

    nodes = [
        helper.make_node("Conv", ["x", "w1"], ["a"], strides=[2, 2], auto_pad="SAME_UPPER"),
        helper.make_node("HardSwish", ["a"], ["b"]),
        helper.make_node("MaxPool", ["b"], ["c"], kernel_shape=[3, 3], strides=[2, 2], pads=[0, 0, 1, 1]),
        helper.make_node("HardSigmoid", ["c"], ["d"], alpha=1 / 6, beta=0.5),
        helper.make_node("ConvTranspose", ["d", "w2"], ["e"], strides=[2, 2]),
        helper.make_node("Slice", ["e", "from", "to", "axes"], ["f"]),
        helper.make_node("AveragePool", ["f"], ["g"], kernel_shape=[3, 3], pads=[1, 1, 1, 1]),
        helper.make_node("Resize", ["g", "", "scales"], ["h"], coordinate_transformation_mode="asymmetric",
                         nearest_mode="floor"),
        helper.make_node("GlobalAveragePool", ["h"], ["i"]),
        helper.make_node("Reshape", ["i", "flat"], ["j"]),
        helper.make_node("Flatten", ["j"], ["k"]),
        helper.make_node("Gemm", ["k", "w3", "b3"], ["l"], transB=1),
        helper.make_node("Softmax", ["l"], ["y"]),
    ]  # fmt: skip
    graph = helper.make_graph(
        nodes,
        "small",
        [helper.make_tensor_value_info("x", _FLOAT, [1, 3, 17, width])],
        [helper.make_tensor_value_info("y", _FLOAT, [1, 5])],
        [constant("w1", 4, 3, 3, 3), constant("w2", 4, 6, 2, 2), constant("w3", 5, 6), constant("b3", 5),
         integers("from", 1), integers("to", 7), integers("axes", 2), integers("flat", 1, -1),
         onnx.numpy_helper.from_array(np.array([1, 1, 2, 2], np.float32), "scales")],
    )  # fmt: skip
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), path)
    return rng.normal(size=(3, 3, 17, width)).astype(np.float32)


def test_operators_of_a_small_network_in_a_batch(tmp_path: Path) -> None:
    x = _small(tmp_path / "small.onnx")
    with torch.no_grad():
        got = OnnxModule(tmp_path / "small.onnx")(torch.from_numpy(x))["y"]
    assert _error(got.numpy(), _reference(tmp_path / "small.onnx", x)[0]) < _RELATIVE


def test_one_node_may_have_several_outputs(tmp_path: Path) -> None:
    nodes = [
        helper.make_node("LeakyRelu", ["x"], ["a"], alpha=0.1),
        helper.make_node("Split", ["a"], ["b", "c"], axis=1),
        helper.make_node("Split", ["b", "lengths"], ["d", "y"], axis=2),
        helper.make_node("LeakyRelu", ["c"], ["z"]),
    ]
    ends = [helper.make_tensor_value_info(name, _FLOAT, [1, 3, n]) for name, n in (("y", 3), ("z", 5))]
    image = helper.make_tensor_value_info("x", _FLOAT, [1, 6, 5])
    lengths = [onnx.numpy_helper.from_array(np.array([2, 3]), "lengths")]
    path = tmp_path / "split.onnx"
    model = helper.make_model(
        helper.make_graph(nodes, "split", [image], ends, lengths),
        opset_imports=[helper.make_opsetid("", 13)],
        ir_version=8,
    )
    onnx.save(model, path)
    x = np.random.default_rng(0).normal(size=(2, 6, 5)).astype(np.float32)
    got = OnnxModule(path)(torch.from_numpy(x))
    assert list(got) == ["y", "z"]
    for value, wanted in zip(got.values(), _reference(path, x), strict=True):
        assert _error(value.numpy(), wanted) < _RELATIVE


def test_half_precision_and_channels_last(tmp_path: Path) -> None:
    x = _small(tmp_path / "small.onnx")
    module = OnnxModule(tmp_path / "small.onnx", outputs=["l"], dtype=torch.bfloat16)
    with torch.no_grad():
        got = module(torch.from_numpy(x).to(torch.bfloat16).to(memory_format=torch.channels_last))["l"]
        wanted = OnnxModule(tmp_path / "small.onnx", outputs=["l"])(torch.from_numpy(x))["l"]
    assert got.dtype == torch.bfloat16
    assert _error(got.float().numpy(), wanted.numpy()) < 3e-2


def test_what_cannot_be_read_is_said_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "broken.onnx").write_bytes(b"\x08\x08:\xff\xff")
    with pytest.raises(ModelInvalidError, match=r"broken\.onnx"):
        OnnxModule(tmp_path / "broken.onnx")
    _small(tmp_path / "small.onnx")
    with pytest.raises(UsageError, match="no value named 'nothing'"):
        OnnxModule(tmp_path / "small.onnx", outputs=["nothing"])
    value = [helper.make_tensor_value_info(name, _FLOAT, [1, 4]) for name in "xy"]
    graph = helper.make_graph([helper.make_node("Erf", ["x"], ["y"])], "erf", value[:1], value[1:])
    onnx.save(helper.make_model(graph, ir_version=8), tmp_path / "erf.onnx")
    with pytest.raises(ModelUnsupportedError, match="Erf"):
        OnnxModule(tmp_path / "erf.onnx")
