"""ONNX files: what is read of them, and their import; nothing is computed."""

from __future__ import annotations

from pathlib import Path

import onnx
from onnx import TensorProto, helper

from desktop.base.errors import LightloomError
from desktop.compute.nn.frontends.onnx import import_onnx
from desktop.compute.nn.ops import IMPORTABLE
from desktop.pipeline.running.inputs.input_facts import read_input_facts
from desktop.vision.models.builtin import read_statement
from desktop.vision.models.labels import choose_labels, metadata_names
from desktop.vision.models.model_file import ModelFile
from desktop.vision.models.preprocess import choose_preprocess
from desktop.vision.tasks import recognize_facts
from desktop.vision.tasks.common.dense import DenseRequest, plan_dense
from fuzz.harness import Harness
from fuzz.material import ROOT, shared, written


def _read(data: bytes, folder: Path) -> None:
    path = written(folder / "n.onnx", data)
    said: LightloomError | None = None
    for reader in (
        _facts,
        _dense,
        lambda path: import_onnx(path, IMPORTABLE),
        lambda path: import_onnx(path, IMPORTABLE, input_shapes={"x": (1, 3, 8, 8)}),
    ):
        try:
            reader(path)
        except LightloomError as error:
            said = error
    if said is not None:
        raise said


def _dense(path: Path) -> None:
    for output in ("image", "mask", "map"):
        plan_dense(path, (64, 48), read_statement(path), DenseRequest(output))


def _facts(path: Path) -> None:
    read_input_facts(path)
    facts = ModelFile.open(path).facts
    recognize_facts(facts)
    metadata_names(facts.metadata)
    choose_labels(facts.classes, model=path, metadata=facts.metadata)
    choose_preprocess(path, facts)


def _seeds(folder: Path) -> list[bytes]:
    made = [_small(opset).SerializeToString() for opset in (7, 13, 21)] + [_named().SerializeToString()]
    made += [
        path.read_bytes()
        for path in sorted((ROOT / "assets" / "models").glob("*.onnx"))
        if path.stat().st_size < 1 << 19
    ]
    return made + shared("repro/*.onnx", "models/**/*.onnx", largest=20_000)[:60]


def _named() -> onnx.ModelProto:
    """A classifier whose scores are a map, and its likeliest name a text."""
    domain = "ai.onnx.ml"
    nodes = [
        helper.make_node("Softmax", ["x"], ["s"]),
        helper.make_node("ZipMap", ["s"], ["m"], domain=domain, classlabels_strings=["a", "b"]),
        helper.make_node("ArgMax", ["s"], ["i"]),
        helper.make_node("ArrayFeatureExtractor", ["t", "i"], ["l"], domain=domain),
    ]
    kind = helper.make_map_type_proto(
        TensorProto.STRING, helper.make_tensor_type_proto(TensorProto.FLOAT, None)
    )
    outputs = [
        helper.make_tensor_value_info("l", TensorProto.STRING, None),
        helper.make_value_info("m", helper.make_sequence_type_proto(kind)),
    ]
    texts = helper.make_tensor("t", TensorProto.STRING, (2,), [b"a", b"b"])
    inputs = [helper.make_tensor_value_info("x", TensorProto.FLOAT, (1, 2))]
    graph = helper.make_graph(nodes, "n", inputs, outputs, [texts])
    opsets = [helper.make_opsetid("", 18), helper.make_opsetid(domain, 1)]
    return helper.make_model(graph, opset_imports=opsets)


def _small(opset: int) -> onnx.ModelProto:
    weights = helper.make_tensor("w", TensorProto.FLOAT, (4, 3, 1, 1), [0.5] * 12)
    mean = helper.make_tensor("m", TensorProto.FLOAT, (3, 1, 1), [1.0, 2.0, 3.0])
    inner = helper.make_graph(
        [helper.make_node("Identity", ["s"], ["t"])],
        "g",
        [],
        [helper.make_tensor_value_info("t", TensorProto.FLOAT, None)],
    )
    nodes = [
        helper.make_node("Sub", ["x", "m"], ["a"]),
        helper.make_node("Conv", ["a", "w"], ["c"], kernel_shape=[1, 1], strides=[1, 1], pads=[0, 0, 0, 0]),
        helper.make_node("GlobalAveragePool", ["c"], ["p"]),
        helper.make_node("Flatten", ["p"], ["f"], axis=1),
        helper.make_node("Softmax", ["f"], ["s"], axis=-1),
        helper.make_node("If", ["b"], ["y"], then_branch=inner, else_branch=inner),
    ]
    graph = helper.make_graph(
        nodes,
        "n",
        [
            helper.make_tensor_value_info("x", TensorProto.FLOAT, ("n", 3, 8, 8)),
            helper.make_tensor_value_info("b", TensorProto.BOOL, ()),
        ],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, (1, 4))],
        [weights, mean],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)])
    for key, value in (
        ("names", "{0: 'a', 1: 'b'}"),
        ("Image.BitmapPixelFormat", "Bgr8"),
        ("Image.NominalPixelRange", "NominalRange_0_255"),
    ):
        model.metadata_props.add(key=key, value=value)
    return model


HARNESS = Harness(
    _read,
    _seeds,
    (
        b"Conv",
        b"Relu",
        b"Reshape",
        b"Gemm",
        b"Loop",
        b"If",
        b"Scan",
        b"axis",
        b"strides",
        b"group",
        b"location",
        b"offset",
        b"length",
        b"../x",
        b"kernel_shape",
        b"ai.onnx.ml",
        b"ZipMap",
        b"\x08\xff\xff\xff\xff\xff\xff\xff\xff\x7f",
        b"\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01",
        b"\xff\xfe",
        b"\x12\x00",
        b"\x0a\x00",
    ),
    memory_mb=1500,
    largest=1 << 19,
)
