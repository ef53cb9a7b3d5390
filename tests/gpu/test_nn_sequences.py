"""Sequences of tensors inside a network, beside ONNX Runtime."""

from __future__ import annotations

import numpy as np
import onnx
import pytest
from nn_cases import reference, session_for
from onnx import TensorProto, helper, numpy_helper

from desktop.base.errors import ModelError, ModelUnsupportedError

node = helper.make_node
X = np.arange(24, dtype=np.float32).reshape(4, 6) - 7


def write(path, nodes, constants=(), outputs=("y",)):
    graph = helper.make_graph(
        nodes,
        "test",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, X.shape)],
        [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in outputs],
        [
            numpy_helper.from_array(np.asarray(array, np.int64), name)
            for name, array in dict(constants).items()
        ],
    )
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9), path)
    return path


def looped():
    """Doubles each item, in a Loop that carries the sequence that it makes."""
    body = helper.make_graph(
        [
            node("SequenceAt", ["parts", "i"], ["item"]),
            node("Add", ["item", "item"], ["double"]),
            node("SequenceInsert", ["made", "double"], ["longer"]),
            node("Identity", ["go"], ["on"]),
        ],
        "body",
        [
            helper.make_tensor_value_info("i", TensorProto.INT64, []),
            helper.make_tensor_value_info("go", TensorProto.BOOL, []),
            helper.make_tensor_sequence_value_info("made", TensorProto.FLOAT, None),
        ],
        [
            helper.make_tensor_value_info("on", TensorProto.BOOL, []),
            helper.make_tensor_sequence_value_info("longer", TensorProto.FLOAT, None),
        ],
    )
    return [
        node("SplitToSequence", ["x"], ["parts"], axis=0),
        node("SequenceEmpty", [], ["none"]),
        node("SequenceLength", ["parts"], ["count"]),
        node("Loop", ["count", "", "none"], ["all"], body=body),
        node("ConcatFromSequence", ["all"], ["y"], axis=1),
    ]


def mapped():
    body = helper.make_graph(
        [node("Relu", ["one"], ["made"])],
        "body",
        [helper.make_tensor_value_info("one", TensorProto.FLOAT, None)],
        [helper.make_tensor_value_info("made", TensorProto.FLOAT, None)],
    )
    return [
        node("SplitToSequence", ["x", "two"], ["parts"], axis=1),
        node("SequenceMap", ["parts"], ["all"], body=body),
        node("ConcatFromSequence", ["all"], ["y"], axis=1),
    ]


CASES = {
    "slices": [
        node("SplitToSequence", ["x"], ["s"], axis=1, keepdims=0),
        node("SequenceAt", ["s", "minus"], ["y"]),
    ],
    "sizes": [
        node("SplitToSequence", ["x", "sizes"], ["s"], axis=1),
        node("SequenceAt", ["s", "one"], ["y"]),
    ],
    "a last part that is smaller": [
        node("SplitToSequence", ["x", "four"], ["s"], axis=1),
        node("SequenceAt", ["s", "one"], ["y"]),
    ],
    "insert and erase": [
        node("Neg", ["x"], ["n"]),
        node("Abs", ["x"], ["a"]),
        node("SequenceConstruct", ["x", "n"], ["s"]),
        node("SequenceInsert", ["s", "a", "minus"], ["t"]),
        node("SequenceErase", ["t", "two"], ["u"]),
        node("ConcatFromSequence", ["u"], ["y"], axis=0),
    ],
    "stacked": [
        node("SequenceConstruct", ["x", "x", "x"], ["s"]),
        node("Identity", ["s"], ["t"]),
        node("ConcatFromSequence", ["t"], ["y"], axis=-1, new_axis=1),
    ],
    "in an optional": [
        node("SequenceConstruct", ["x"], ["s"]),
        node("Optional", ["s"], ["o"]),
        node("OptionalGetElement", ["o"], ["t"]),
        node("SequenceAt", ["t", "zero"], ["z"]),
        node("Neg", ["z"], ["y"]),
    ],
    "a loop": looped(),
    "mapped": mapped(),
}
NUMBERS = {"zero": 0, "one": 1, "two": 2, "four": 4, "minus": -1, "sizes": [1, 2, 3]}


@pytest.mark.parametrize("case", CASES)
def test_sequences_are_those_of_onnxruntime(gpu, tmp_path, case):
    path = write(tmp_path / "m.onnx", CASES[case], NUMBERS)
    session = session_for(gpu, path)
    found = session.run({"x": X})["y"]
    session.close()
    assert np.array_equal(found, reference(path, {"x": X})["y"])


@pytest.mark.parametrize("at", [-3, -2, -1, 0, 1, 2])
def test_an_item_is_inserted_where_onnxruntime_does(gpu, tmp_path, at):
    nodes = [
        node("Neg", ["x"], ["n"]),
        node("Abs", ["x"], ["a"]),
        node("SequenceConstruct", ["x", "n"], ["s"]),
        node("SequenceInsert", ["s", "a", "at"], ["t"]),
        node("ConcatFromSequence", ["t"], ["y"], axis=0),
    ]
    path = write(tmp_path / "m.onnx", nodes, {"at": at})
    try:
        expected = reference(path, {"x": X})["y"]
    except Exception:
        with pytest.raises(ModelUnsupportedError, match="position"):
            session_for(gpu, path)
        return
    session = session_for(gpu, path)
    found = session.run({"x": X})["y"]
    session.close()
    assert np.array_equal(found, expected)


@pytest.mark.parametrize(
    ("nodes", "error", "words"),
    [
        ([node("SequenceConstruct", ["x"], ["y"])], ModelUnsupportedError, "is a sequence of tensors"),
        (
            [node("SequenceConstruct", ["x"], ["s"]), node("Neg", ["s"], ["y"])],
            ModelUnsupportedError,
            "sequences",
        ),
        ([node("SequenceAt", ["x", "zero"], ["y"])], ModelUnsupportedError, "in place of a sequence"),
        (
            [node("SequenceConstruct", ["x"], ["s"]), node("SequenceAt", ["s", "four"], ["y"])],
            ModelUnsupportedError,
            "the position 4",
        ),
        (
            [node("SequenceEmpty", [], ["s"]), node("ConcatFromSequence", ["s"], ["y"], axis=0)],
            ModelError,
            "empty",
        ),
    ],
    ids=["a result", "computed with", "a tensor", "beyond the end", "nothing to join"],
)
def test_what_is_no_sequence_or_stays_one_is_said(gpu, tmp_path, nodes, error, words):
    path = write(tmp_path / "m.onnx", nodes, NUMBERS)
    with pytest.raises(error, match=words):
        session_for(gpu, path)
