"""Refusals of the engine: one sentence that names the file's own node and what is wrong with it."""

from __future__ import annotations

import re

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

from desktop.base.errors import ModelError, ModelUnsupportedError
from desktop.compute.nn.compile.driver import build_graph, make_plan
from desktop.compute.nn.lowering.target import Target

TARGET = Target("float32", f16=False, workgroups=128, max_binding=1 << 27, max_groups=65535, max_storages=8)
INTERNAL = re.compile(
    r"lightloom|Elementwise|ScaledDotProduct|opset none|Traceback|NoneType|ndarray|object|\bindex out"
)
"""Names that only the engine's own code has, and Python's words."""
OF_THE_WHOLE = ("decide shapes", "unsupported node: ", "result 'y' is a sequence")
"""Expected sentences for inputs, outputs and kinds of operators."""
SCHEMAS = sorted({(s.domain, s.name) for s in onnx.defs.get_all_schemas() if s.domain in ("", "ai.onnx.ml")})
OPSETS = {"": (7, 11, 17, onnx.defs.onnx_opset_version()), "ai.onnx.ml": (1, 3)}


def write(tmp_path, nodes, constants=None, *, opset=17, shape=(1, 2, 3, 4), opsets=None):
    """A network of one input x of floats; what has no producer is a constant."""
    graph = helper.make_graph(
        nodes,
        "g",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, shape)],
        [helper.make_tensor_value_info(nodes[-1].output[0], TensorProto.FLOAT, None)],
        [numpy_helper.from_array(np.asarray(array), name) for name, array in (constants or {}).items()],
    )
    imports = opsets or [helper.make_opsetid("", opset), helper.make_opsetid("ai.onnx.ml", 3)]
    path = tmp_path / "net.onnx"
    path.write_bytes(helper.make_model(graph, opset_imports=imports, ir_version=8).SerializeToString())
    return path


def refusal_text(path) -> str:
    """The sentence that a network is refused with; '' for one that is taken."""
    try:
        make_plan(build_graph(path), TARGET)
    except ModelError as error:
        return str(error)
    return ""


@pytest.mark.parametrize("inputs", [0, 1, 2, 3])
def test_every_operator_at_every_opset_is_taken_or_named(tmp_path, inputs):
    """With too few inputs, no attributes, older opsets than its own: what our own code raises is a sentence
    that names the node.
    """
    refused = 0
    for domain, op in SCHEMAS:
        for version in OPSETS[domain]:
            node = helper.make_node(op, ["x", "c", "i"][:inputs], ["y"], name="the_node", domain=domain)
            constants = {"c": np.float32([1, 2, 3, 4]), "i": np.int64([1])}
            imports = [helper.make_opsetid("", 17)] if domain else []
            path = write(tmp_path, [node], constants, opsets=[*imports, helper.make_opsetid(domain, version)])
            text = refusal_text(path)
            refused += bool(text)
            assert not text or text.endswith("."), text
            assert not text or f"{op} 'the_node'" in text or any(each in text for each in OF_THE_WHOLE), text
            assert not INTERNAL.search(text), text
    assert refused > 100


@pytest.mark.parametrize("op", ["Attention", "RotaryEmbedding", "LinearAttention"])
def test_an_operator_newer_than_the_opset_is_named(tmp_path, op):
    node = helper.make_node(op, ["x", "x", "x"], ["y"], name="late")
    with pytest.raises(ModelUnsupportedError, match=rf"^{op} 'late' \(opset 17\) .*since opset 2\d only"):
        build_graph(write(tmp_path, [node]))


@pytest.mark.parametrize("rank", [65, 70, 1000])
def test_a_constant_of_too_many_dimensions_is_named(tmp_path, rank):
    tensor = onnx.TensorProto(name="w", dims=[1] * rank, data_type=TensorProto.FLOAT, raw_data=bytes(4))
    path = write(tmp_path, [helper.make_node("Add", ["x", "w"], ["y"])])
    model = onnx.load(path)
    model.graph.initializer.append(tensor)
    path.write_bytes(model.SerializeToString())
    with pytest.raises(ModelUnsupportedError, match=f"the constant 'w' has {rank} dimensions"):
        build_graph(path)


@pytest.mark.parametrize(
    ("op", "constants"),
    [
        ("ConstantOfShape", {"s": np.ones(70, np.int64)}),
        ("Reshape", {"x0": np.ones(1, np.float32), "s": np.ones(70, np.int64)}),
        ("Expand", {"x0": np.ones(1, np.float32), "s": np.ones(70, np.int64)}),
        ("Unsqueeze", {"x0": np.ones(1, np.float32), "s": np.arange(70)}),
        ("Tile", {"x0": np.ones((1,) * 64, np.float32), "s": np.ones(70, np.int64)}),
    ],
)
def test_a_folded_constant_of_too_many_dimensions_is_named(tmp_path, op, constants):
    nodes = [
        helper.make_node(op, list(constants), ["w"], name="deep"),
        helper.make_node("Add", ["x", "w"], ["y"]),
    ]
    text = refusal_text(write(tmp_path, nodes, constants))
    assert "'deep'" in text and not INTERNAL.search(text), text


def test_a_missing_opset_is_said(tmp_path):
    path = write(
        tmp_path, [helper.make_node("Relu", ["x"], ["y"])], opsets=[helper.make_opsetid("ai.onnx.ml", 2)]
    )
    with pytest.raises(ModelUnsupportedError, match="does not say which opset"):
        build_graph(path)


def test_what_passes_made_is_named_by_the_files_node(tmp_path):
    """An Elementwise of passes that the adapter refuses, and a Conv of a quantized one."""
    small = Target("float32", f16=False, workgroups=128, max_binding=64, max_groups=65535, max_storages=8)
    path = write(tmp_path, [helper.make_node("Sigmoid", ["x"], ["y"], name="gate")], shape=(1, 8, 9, 9))
    with pytest.raises(ModelUnsupportedError) as caught:
        make_plan(build_graph(path), small)
    assert not INTERNAL.search(str(caught.value)), caught.value
    assert {refusal.operator for refusal in caught.value.refusals} <= {"Sigmoid", ""}


@pytest.mark.parametrize(
    ("op", "inputs", "words"),
    [
        ("Concat", 100_000, "100000 inputs, not 1 to 4096"),
        ("Add", 3, "3 inputs, not 2"),
        ("Relu", 2, "2 inputs, not 1"),
    ],
)
def test_a_node_of_too_many_inputs_is_named_at_once(tmp_path, op, inputs, words):
    """Before anything is made of it: a join of 100,000 tensors would be as many shaders."""
    attributes = {"axis": 1} if op == "Concat" else {}
    node = helper.make_node(op, ["x"] * inputs, ["y"], name="join", **attributes)
    with pytest.raises(ModelUnsupportedError, match=rf"{op} 'join' \(opset 17\): it has {words};"):
        build_graph(write(tmp_path, [node]))
