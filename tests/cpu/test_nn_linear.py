"""Importing a network is linear in its nodes: twice as many take twice as many steps of the interpreter, in
every shape of graph.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

from desktop.compute.nn.compile.driver import build_graph, make_plan
from desktop.compute.nn.lowering.target import Target

_TARGET = Target("float32", False, 1, 2**30, 65535, 8, 60_000)
_CONSTANTS = {
    "c": np.ones(1, np.float32),
    "w": np.eye(8, dtype=np.float32),
    "b": np.ones(8, np.float32),
    "k": np.ones((8, 8, 1, 1), np.float32),
    "flat": np.array([64]),
    "square": np.array([8, 8]),
    "yes": np.array(True),
}


def _if(inner: str) -> dict:
    body = [helper.make_node("Relu", [inner], ["then"])]
    out = [helper.make_tensor_value_info("then", TensorProto.FLOAT, None)]
    graph = helper.make_graph(body, "branch", [], out)
    return {"then_branch": graph, "else_branch": graph}


# kind -> (op, other inputs, attributes) of node i, which reads the one before it
_CHAINS = {
    "adds": lambda i, v: ("Add", ["c"], {}),
    "adds of the input": lambda i, v: ("Add", ["x"], {}),
    "identities": lambda i, v: (("Relu", "Identity")[i % 2], [], {}),
    "products": lambda i, v: [("MatMul", ["w"], {}), ("Add", ["b"], {}), ("Relu", [], {})][i % 3],
    "reshapes": lambda i, v: ("Reshape", [("flat", "square")[i % 2]], {}),
    "branches": lambda i, v: ("If", ["yes"], _if(v)),
}


def _model(kind: str, count: int, path: Path) -> Path:
    nodes, outputs, shape = [], [], [8, 8]
    last = "x"
    if kind in _CHAINS:
        for i in range(count):
            op, others, attributes = _CHAINS[kind](i, last)
            inputs = others if op == "If" else [last, *others]
            nodes.append(helper.make_node(op, inputs, [f"v{i}"], **attributes))
            last = f"v{i}"
        outputs = [last]
    elif kind == "constants":
        nodes = [helper.make_node("Add", [f"v{i - 1}" if i else "c", "c"], [f"v{i}"]) for i in range(count)]
        nodes.append(helper.make_node("Add", ["x", f"v{count - 1}"], ["out"]))
        outputs = ["out"]
    elif kind == "a wide concatenation":
        shape = [1, 4, 2, 2]
        nodes = [helper.make_node("Relu", ["x"], [f"v{i}"]) for i in range(count)]
        nodes.append(helper.make_node("Concat", [f"v{i}" for i in range(count)], ["out"], axis=1))
        outputs = ["out"]
    else:  # many outputs, by identities
        for i in range(count // 2):
            nodes += [
                helper.make_node("Relu", ["x"], [f"r{i}"]),
                helper.make_node("Identity", [f"r{i}"], [f"v{i}"]),
            ]
        outputs = [f"v{i}" for i in range(count // 2)]
    read = {name for node in nodes for name in node.input}
    graph = helper.make_graph(
        nodes,
        "g",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, shape)],
        [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in outputs],
        [numpy_helper.from_array(array, name) for name, array in _CONSTANTS.items() if name in read],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    onnx.save(model, path)
    return path


def _steps(path: Path) -> int:
    """Bytecodes run by the engine's own code while it reads the file and plans."""
    count = 0

    def trace(frame, event, argument):
        nonlocal count
        if "compute" not in frame.f_code.co_filename:
            return None
        frame.f_trace_opcodes, frame.f_trace_lines = True, False
        count += event == "opcode"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        make_plan(build_graph(path), _TARGET)
    finally:
        sys.settrace(before)
    return count


@pytest.mark.parametrize("kind", [*_CHAINS, "constants", "a wide concatenation", "outputs"])
def test_import_is_linear(kind: str, tmp_path: Path) -> None:
    """A quadratic walk over a quarter of the nodes' steps would show: 2.2 at these sizes, of 2 for a linear
    one.
    """
    # Python 3.13 reports no bytecodes of a function when it is traced for the first time.
    _steps(_model(kind, 50, tmp_path / "warm.onnx"))
    small, large = (_steps(_model(kind, n, tmp_path / f"{n}.onnx")) for n in (200, 400))
    assert large / small < 2.15, (small, large)
