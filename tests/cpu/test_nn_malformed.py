"""Damaged and hostile models: each loads or is refused in one sentence, in little time and memory.

The files are made here. Batches of them are read in processes of their own whose memory is limited, so that a
crash, a hang or an appetite for memory is seen as one.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import pytest
from onnx import TensorProto, helper, numpy_helper

from desktop.base.errors import ModelInvalidError
from desktop.vision.models.facts import facts_of

ROOT = Path(__file__).resolve().parents[2]
SECONDS = 5.0
GIB = 1 << 30
HUGE = 1 << 40
MOST = (1 << 63) - 1

Case = tuple[str, bytes, dict[str, bytes]]
"""Name, the model's bytes, other files of its folder."""


# -- models to damage ----------------------------------------------------------------------------------------


def make(nodes, constants=(), *, shape=(1, 3, 8, 8), dtype=TensorProto.FLOAT, opset=17, outputs=("y",)):
    """A model of one input x."""
    graph = helper.make_graph(
        nodes,
        "g",
        [helper.make_tensor_value_info("x", dtype, shape)],
        [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in outputs],
        [numpy_helper.from_array(np.asarray(array), name) for name, array in dict(constants).items()],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=8)


def weights(*shape):
    return np.random.default_rng(3).standard_normal(shape).astype(np.float32)


def conv_net():
    nodes = [
        helper.make_node("Conv", ["x", "w", "b"], ["c"], name="conv", pads=[1] * 4, strides=[1, 1], dilations=[1, 1], group=1),
        helper.make_node("BatchNormalization", ["c", "s", "b", "b", "v"], ["n"], epsilon=1e-5),
        helper.make_node("Relu", ["n"], ["r"]),
        helper.make_node("MaxPool", ["r"], ["p"], kernel_shape=[2, 2], strides=[2, 2]),
        helper.make_node("Resize", ["p", "", "f"], ["z"], mode="nearest"),
        helper.make_node("Concat", ["z", "r"], ["k"], axis=1),
        helper.make_node("Flatten", ["k"], ["l"], axis=1),
        helper.make_node("Gemm", ["l", "g"], ["y"], transB=1, alpha=1.0),
    ]  # fmt: skip
    constants = {
        "w": weights(4, 3, 3, 3), "b": weights(4), "s": weights(4), "v": np.abs(weights(4)),
        "f": np.array([1, 1, 2, 2], np.float32), "g": weights(5, 512),
    }  # fmt: skip
    return make(nodes, constants)


def attention():
    nodes = [
        helper.make_node("MatMul", ["x", "w"], ["q"]),
        helper.make_node("Reshape", ["q", "s"], ["h"]),
        helper.make_node("Transpose", ["h"], ["a"], perm=[0, 2, 1, 3]),
        helper.make_node("Transpose", ["h"], ["t"], perm=[0, 2, 3, 1]),
        helper.make_node("MatMul", ["a", "t"], ["m"]),
        helper.make_node("Softmax", ["m"], ["p"], axis=-1),
        helper.make_node("MatMul", ["p", "a"], ["y"]),
    ]
    return make(nodes, {"w": weights(8, 8), "s": np.array([0, 0, 2, 4])}, shape=(1, 6, 8))


def quantized():
    scale, zero = np.float32(0.02), np.uint8(128)
    constants = {"s": scale, "z": zero, "w": np.full((4, 3, 3, 3), 7, np.int8), "ws": scale, "wz": np.int8(0)}
    nodes = [
        helper.make_node("QuantizeLinear", ["x", "s", "z"], ["q"]),
        helper.make_node("DequantizeLinear", ["q", "s", "z"], ["d"]),
        helper.make_node("DequantizeLinear", ["w", "ws", "wz"], ["v"]),
        helper.make_node("Conv", ["d", "v"], ["c"], kernel_shape=[3, 3]),
        helper.make_node("QuantizeLinear", ["c", "s", "z"], ["e"]),
        helper.make_node("DequantizeLinear", ["e", "s", "z"], ["y"]),
    ]
    return make(nodes, constants)


def branch(name, depth=0):
    """A graph with no input that computes `name` from x, inside `depth` more Ifs."""
    if depth:
        inner = branch(f"{name}_", depth - 1)
        nodes = [helper.make_node("If", ["c"], [name], then_branch=inner, else_branch=inner)]
    else:
        nodes = [helper.make_node("Relu", ["x"], [name])]
    return helper.make_graph(nodes, "b", [], [helper.make_tensor_value_info(name, TensorProto.FLOAT, None)])


def control_flow(trips=3, depth=0):
    body = helper.make_graph(
        [helper.make_node("Identity", ["k"], ["kk"]), helper.make_node("Relu", ["a"], ["aa"])],
        "body",
        [
            helper.make_tensor_value_info("i", TensorProto.INT64, []),
            helper.make_tensor_value_info("k", TensorProto.BOOL, []),
            helper.make_tensor_value_info("a", TensorProto.FLOAT, None),
        ],
        [
            helper.make_tensor_value_info("kk", TensorProto.BOOL, []),
            helper.make_tensor_value_info("aa", TensorProto.FLOAT, None),
        ],
    )
    nodes = [
        helper.make_node("If", ["c"], ["b"], then_branch=branch("t", depth), else_branch=branch("e", depth)),
        helper.make_node("Loop", ["n", "c", "b"], ["y"], body=body),
    ]
    return make(nodes, {"c": np.array(True), "n": np.array(trips)})


def external(location="w.bin", offset=None, length=None):
    """A matrix product whose weights, 256 bytes, lie in another file."""
    model = make([helper.make_node("MatMul", ["x", "w"], ["y"])], shape=(1, 8))
    tensor = model.graph.initializer.add(name="w", dims=[8, 8], data_type=TensorProto.FLOAT)
    tensor.data_location = TensorProto.EXTERNAL
    for key, value in (("location", location), ("offset", offset), ("length", length)):
        if value is not None:
            tensor.external_data.add(key=key, value=str(value))
    return model


BASES: dict[str, Callable[[], onnx.ModelProto]] = {
    "conv": conv_net,
    "attention": attention,
    "quantized": quantized,
    "control": control_flow,
    "external": external,
}
DATA = {"w.bin": weights(8, 8).tobytes()}


# -- damage --------------------------------------------------------------------------------------------------


def truncations() -> Iterator[Case]:
    for base, build in BASES.items():
        data = build().SerializeToString()
        for part in range(10):
            yield f"{base} cut at {part}/10", data[: len(data) * part // 10 + part], DATA


def bit_flips() -> Iterator[Case]:
    for base, build in BASES.items():
        data = build().SerializeToString()
        # The bytes that are not weights say more: half of the flips go there.
        names = [i for i in range(len(data)) if 32 <= data[i] < 127]
        for seed in range(20):
            generator = np.random.default_rng(seed)
            broken = bytearray(data)
            for _ in range(1 + seed % 3):
                at = generator.choice(names) if seed % 2 else generator.integers(len(data))
                broken[int(at)] ^= 1 << int(generator.integers(8))
            yield f"{base} flipped {seed}", bytes(broken), DATA


def shapes() -> Iterator[Case]:
    sizes = {"huge": HUGE, "negative": -5, "overflow": MOST, "least": -MOST - 1, "zero": 0, "4 GiB": 1 << 30}
    for base, build in BASES.items():
        for what, size in sizes.items():
            model = build()
            model.graph.input[0].type.tensor_type.shape.dim[1].dim_value = size
            yield f"{base} input {what}", model.SerializeToString(), DATA
            model = build()
            tensor = model.graph.initializer[0]
            tensor.dims[:] = [size] * max(len(tensor.dims), 2)
            yield f"{base} constant {what}", model.SerializeToString(), DATA
    for rank in (0, 9, 65, 2000):
        relu = [helper.make_node("Relu", ["x"], ["y"])]
        yield f"rank {rank}", make(relu, shape=[1] * rank).SerializeToString(), {}
    for base in ("conv", "attention", "quantized"):
        model = BASES[base]()
        model.graph.input[0].type.tensor_type.elem_type = 99
        yield f"{base} element type 99", model.SerializeToString(), {}
        model.graph.input[0].type.Clear()
        yield f"{base} no type", model.SerializeToString(), {}


def outside() -> Iterator[Case]:
    places = {
        "parent": "../secret.bin", "absolute": "/etc/passwd", "through": "sub/../../secret.bin", "empty": "",
        "folder": ".", "zero byte": "w\0.bin", "long": "a" * 5000, "missing": "none.bin", "link": "link.bin",
        "url": "file:///etc/passwd", "device": "/dev/zero", "backslash": "..\\secret.bin",
    }  # fmt: skip
    for what, location in places.items():
        yield f"external {what}", external(location).SerializeToString(), DATA
    for offset, length in (
        (-1, 256),
        (1, 256),
        (HUGE, 256),
        (0, HUGE),
        (0, -256),
        ("x", 256),
        (0, "1e3"),
        (0, 12),
        ("9" * 5000, 1),
    ):
        yield f"external {str(offset)[:9]} {length}", external("w.bin", offset, length).SerializeToString(), DATA  # fmt: skip


def graphs() -> Iterator[Case]:
    for base, build in BASES.items():
        for what, change in _GRAPH_CHANGES.items():
            model = build()
            change(model)
            yield f"{base} {what}", model.SerializeToString(), DATA
        names = (b"\x01x", b"Relu", b"w.bin", b"\x01y", b"x*", b"body", b"then_branch")
        for name in names:
            data = build().SerializeToString()
            if name in data:
                yield f"{base} {name!r} not UTF-8", data.replace(name, name[:-1] + b"\xff"), DATA
    for depth in (20, 60, 200):
        try:
            data = control_flow(depth=min(depth, 8)).SerializeToString() if depth == 20 else nested(depth)
        except ValueError:  # protobuf itself refuses to write it
            continue
        yield f"nested {depth}", data, {}
    chain = [helper.make_node("Relu", [f"v{i}" if i else "x"], [f"v{i + 1}"]) for i in range(3000)]
    yield "chain", make([*chain, helper.make_node("Neg", ["v3000"], ["y"])]).SerializeToString(), {}


def nested(depth: int) -> bytes:
    """An If in an If, written by hand: a `GraphProto` of so many levels would be copied once a level."""

    def field(number: int, data: bytes) -> bytes:
        size, length = len(data), b""
        while size > 127:
            length, size = length + bytes([size & 127 | 128]), size >> 7
        return bytes([number << 3 | 2]) + length + bytes([size]) + data

    def node(inner: bytes) -> bytes:
        attribute = field(1, b"then_branch") + field(6, inner) + b"\xa0\x01\x05"
        return field(1, field(1, b"c") + field(2, b"y") + field(4, b"If") + field(5, attribute))

    graph = b""
    for _ in range(depth):
        graph = node(graph)
    whole = make([], {"c": np.array(True)})
    return whole.SerializeToString() + field(7, graph)


def _set(model, index, **fields):
    node = model.graph.node[min(index, len(model.graph.node) - 1)]
    for name, value in fields.items():
        if isinstance(value, list):
            getattr(node, name)[:] = value
        else:
            setattr(node, name, value)


def _wrong_attributes(kind):
    def change(model):
        for node in model.graph.node:
            for attribute in node.attribute:
                name = attribute.name
                attribute.Clear()
                attribute.CopyFrom(helper.make_attribute(name, kind))

    return change


def _untyped(model):
    for node in model.graph.node:
        for attribute in node.attribute:
            attribute.ClearField("type")


def _opset(version):
    def change(model):
        model.opset_import[0].version = version

    return change


_GRAPH_CHANGES: dict[str, Callable[[onnx.ModelProto], object]] = {
    "cycle": lambda m: _set(m, 0, input=[m.graph.node[-1].output[0], *m.graph.node[0].input[1:]]),
    "self": lambda m: _set(m, 0, input=list(m.graph.node[0].output)),
    "twice": lambda m: m.graph.node.add().CopyFrom(m.graph.node[0]),
    "output is input": lambda m: _set(m, 0, output=["x"]),
    "doubled constant": lambda m: m.graph.initializer.add().CopyFrom(m.graph.initializer[0]),
    "doubled input": lambda m: m.graph.input.add().CopyFrom(m.graph.input[0]),
    "doubled output": lambda m: m.graph.output.add().CopyFrom(m.graph.output[0]),
    "no inputs": lambda m: [_set(m, i, input=[]) for i in range(len(m.graph.node))],
    "empty inputs": lambda m: [_set(m, i, input=[""] * 3) for i in range(len(m.graph.node))],
    "many inputs": lambda m: [_set(m, i, input=["x"] * 50) for i in range(len(m.graph.node))],
    "no outputs": lambda m: [_set(m, i, output=[]) for i in range(len(m.graph.node))],
    "many outputs": lambda m: _set(m, 0, output=[*m.graph.node[0].output, *(f"o{i}" for i in range(50))]),
    "no graph outputs": lambda m: m.graph.ClearField("output"),
    "no graph inputs": lambda m: m.graph.ClearField("input"),
    "no constants": lambda m: m.graph.ClearField("initializer"),
    "unknown type": lambda m: _set(m, 0, op_type="Explode"),
    "no type": lambda m: _set(m, 0, op_type=""),
    "unknown domain": lambda m: _set(m, 0, domain="com.example"),
    "attributes are text": _wrong_attributes("text"),
    "attributes are huge": _wrong_attributes([HUGE] * 4),
    "attributes are negative": _wrong_attributes(-MOST),
    "attributes are reals": _wrong_attributes([float("nan"), 1e38]),
    "attributes are tensors": _wrong_attributes(numpy_helper.from_array(np.zeros((2, 2)))),
    "attributes are empty": _wrong_attributes(helper.make_graph([], "e", [], [])),
    "attributes have no type": _untyped,
    "no attributes": lambda m: [node.ClearField("attribute") for node in m.graph.node],
    "opset 0": _opset(0),
    "opset -1": _opset(-1),
    "opset 2^62": _opset(1 << 62),
    "no opset": lambda m: m.ClearField("opset_import"),
    "constants are text": lambda m: setattr(m.graph.initializer[0], "data_type", TensorProto.STRING),
    "constants are complex": lambda m: setattr(m.graph.initializer[0], "data_type", TensorProto.COMPLEX128),
    "constants have type 99": lambda m: setattr(m.graph.initializer[0], "data_type", 99),
    "constants lost bytes": lambda m: setattr(m.graph.initializer[0], "raw_data", b"abc"),
}  # fmt: skip


def operators() -> Iterator[Case]:
    """Small files that ask for much."""
    sizes = {
        "2^40": [HUGE],
        "overflow": [MOST, MOST],
        "negative": [-7],
        "2^15 squared": [1 << 15, 1 << 15],
        "ranks": [1] * 99,
    }
    for what, size in sizes.items():
        for op in ("ConstantOfShape", "Expand", "Tile", "Reshape", "Pad", "RandomUniform"):
            first = {"ConstantOfShape": ["s"], "RandomUniform": []}.get(op, ["x", "s"])
            nodes = [helper.make_node(op, first, ["k"], **({"shape": size} if not first else {}))]
            nodes.append(helper.make_node("Add", ["k", "x"], ["y"]))
            yield f"{op} {what}", make(nodes, {"s": np.array(size)}, shape=(1, 1)).SerializeToString(), {}
    for op, attributes in {
        "pads": {"pads": [HUGE] * 4}, "negative pads": {"pads": [-9] * 4}, "dilations": {"dilations": [HUGE] * 2},
        "no strides": {"strides": [0, 0]}, "negative strides": {"strides": [-1, -1]}, "no group": {"group": 0},
        "groups": {"group": MOST}, "negative group": {"group": -1}, "kernel": {"kernel_shape": [MOST, MOST]},
        "auto_pad": {"auto_pad": "SIDEWAYS"}, "short pads": {"pads": [1]},
    }.items():  # fmt: skip
        for kind, constants in (
            ("Conv", {"w": weights(3, 3, 3, 3)}),
            ("ConvTranspose", {"w": weights(3, 3, 3, 3)}),
            ("MaxPool", {}),
        ):
            given = dict(attributes)
            if kind == "MaxPool":
                given.pop("group", None)
                given.setdefault("kernel_shape", [2, 2])
            node = helper.make_node(kind, ["x", *constants], ["y"], **given)
            yield f"{kind} {op}", make([node], constants).SerializeToString(), {}
    scales = {"huge": 1e30, "nan": float("nan"), "infinite": float("inf"), "zero": 0.0, "negative": -2.0}
    for what, scale in scales.items():
        node = helper.make_node("Resize", ["x", "", "s"], ["y"])
        yield f"Resize {what}", make([node], {"s": np.full(4, scale, np.float32)}).SerializeToString(), {}
    yield from _growing()


def _growing() -> Iterator[Case]:
    doubling = [helper.make_node("Concat", [f"v{i}"] * 2, [f"v{i + 1}"], axis=0) for i in range(45)]
    nodes = [
        *doubling,
        helper.make_node("ReduceMax", ["v45"], ["m"]),
        helper.make_node("Add", ["x", "m"], ["y"]),
    ]
    yield "doubled 45 times", make(nodes, {"v0": weights(1)}).SerializeToString(), {}
    side = np.array([7000, 7000])
    nodes = [
        helper.make_node("ConstantOfShape", ["s"], ["a"]),
        helper.make_node("MatMul", ["a", "a"], ["b"]),
        helper.make_node("ReduceMax", ["b"], ["m"]),
        helper.make_node("Add", ["x", "m"], ["y"]),
    ]
    yield "constant product", make(nodes, {"s": side}).SerializeToString(), {}
    nodes = [
        helper.make_node("ConstantOfShape", ["s"], ["a"]),
        helper.make_node("Conv", ["a", "w"], ["b"]),
        helper.make_node("ReduceMax", ["b"], ["m"]),
        helper.make_node("Add", ["x", "m"], ["y"]),
    ]
    constants = {"s": np.array([1, 64, 500, 500]), "w": weights(64, 64, 3, 3)}
    yield "constant convolution", make(nodes, constants).SerializeToString(), {}
    for what, limits in {"2^40": (0, HUGE, 1), "no step": (0, 5, 0), "least step": (0.0, 1e9, 1e-9)}.items():
        names = dict(zip("abc", (np.asarray(v) for v in limits), strict=True))
        nodes = [
            helper.make_node("Range", ["a", "b", "c"], ["r"]),
            helper.make_node("Add", ["x", "r"], ["y"]),
        ]
        yield f"Range {what}", make(nodes, names).SerializeToString(), {}
    for what, k in {"2^40": HUGE, "negative": -3}.items():
        node = helper.make_node("TopK", ["x", "k"], ["y", "i"], axis=-1)
        yield f"TopK {what}", make([node], {"k": np.array([k])}).SerializeToString(), {}
        node = helper.make_node("OneHot", ["i", "k", "v"], ["y"])
        constants = {"i": np.array([1]), "k": np.array(k), "v": np.zeros(2, np.float32)}
        yield f"OneHot {what}", make([node], constants).SerializeToString(), {}
    for trips in (HUGE, MOST, -1):
        yield f"Loop {trips}", control_flow(trips).SerializeToString(), {}
    for equation in ("ij,jk->ik", "...,->", "i" * 60, "->", "a,b,c->abc", "ii->i"):
        node = helper.make_node("Einsum", ["x", "x"], ["y"], equation=equation)
        yield f"Einsum {equation[:9]}", make([node], shape=(9000, 9000)).SerializeToString(), {}
    many = make([helper.make_node("Sum", ["x"] * 20000, ["y"])])
    yield "Sum of 20000", many.SerializeToString(), {}
    sparse = conv_net()
    sparse.graph.sparse_initializer.add().dims[:] = [HUGE, HUGE]
    yield "sparse", sparse.SerializeToString(), {}
    for fill in (b"\x0a" * 4096, b"\xff" * 4096, b"\x3a" * 4096, b"{}", b"PK\x03\x04" + b"\0" * 99):
        yield f"bytes {fill[:2]!r}", fill, {}


def attributes() -> Iterator[Case]:
    """Each attribute of two networks with a value of every other type, and without any."""
    values = [1, [1, 1], 1.5, [1.5, 1.5], "text", ["text"], numpy_helper.from_array(weights(2))]
    for base in (conv_net, attention):
        places = [(i, j) for i, node in enumerate(base().graph.node) for j in range(len(node.attribute))]
        for node, place in places:
            for value in (*values, None):
                model = base()
                attribute = model.graph.node[node].attribute[place]
                other = (
                    onnx.AttributeProto(name=attribute.name)
                    if value is None
                    else helper.make_attribute(attribute.name, value)
                )
                if other.type != attribute.type:
                    what = f"{model.graph.node[node].op_type} {attribute.name} {value!r}"[:60]
                    attribute.CopyFrom(other)
                    yield what, model.SerializeToString(), {}


def functions() -> Iterator[Case]:
    """Functions that call themselves or each other, and some that double each other 40 times."""
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid("own", 1)]

    def calling(name: str, *called: str) -> onnx.FunctionProto:
        values = ["a", *(f"v{i}" for i in range(len(called) - 1)), "b"]
        nodes = [
            helper.make_node(each, [values[i]], [values[i + 1]], domain="" if each == "Relu" else "own")
            for i, each in enumerate(called)
        ]
        return helper.make_function("own", name, ["a"], ["b"], nodes, opsets)

    doubling = [calling(f"F{i}", f"F{i + 1}", f"F{i + 1}") for i in range(40)]
    for what, defined in {
        "itself": [calling("F0", "F0")],
        "each other": [calling("F0", "F1"), calling("F1", "F0")],
        "doubling": [*doubling, calling("F40", "Relu")],
    }.items():
        model = make([helper.make_node("F0", ["x"], ["y"], domain="own")])
        model.opset_import.append(opsets[1])
        model.functions.extend(defined)
        yield what, model.SerializeToString(), {}


FAMILIES = (truncations, bit_flips, shapes, outside, graphs, operators, attributes, functions)


# -- reading them --------------------------------------------------------------------------------------------


def read_all(folder: Path) -> None:
    """What a batch's process does: a line of JSON a case. Each file is examined, recognized, and weighed as
    for ONNX Runtime.
    """
    import resource

    from desktop.base.errors import LightloomError
    from desktop.base.trials import peak_memory
    from desktop.compute.nn.compile.memory_estimate import check_weight
    from desktop.compute.nn.frontends.structure import check_structure
    from desktop.compute.nn.measure.report import DEFAULT_LIMITS, examine
    from desktop.vision.models.model_file import ModelFile
    from desktop.vision.tasks import candidates

    # Import what is imported late, before memory is counted.
    examine(folder / "good" / "m.onnx")
    candidates(ModelFile.open(folder / "good" / "m.onnx").facts)
    space = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (space + 2 * GIB, resource.RLIM_INFINITY))
    for case in sorted(p for p in folder.iterdir() if p.name != "good"):
        print(json.dumps({"case": case.name}), flush=True)
        # Of the processor, in all threads: a busy machine must not fail a case. What only waits meets the
        # timeout of the whole.
        before, begin = peak_memory(), time.process_time()
        try:
            error = examine(case / "m.onnx", {"fp32": DEFAULT_LIMITS["fp32"]}).refused
            file = ModelFile.open(case / "m.onnx")
            candidates(file.facts)
            check_structure(file.bare, file.name, file.weights)
            check_weight(file)
        except LightloomError as refused:
            error = str(refused)
        except BaseException as fault:
            error = f"FAULT {type(fault).__name__}: {fault}"
        grown = peak_memory() - before
        seconds = time.process_time() - begin
        print(json.dumps({"error": error, "seconds": seconds, "grown": grown}), flush=True)


def write_cases(folder: Path, family: Callable[[], Iterator[Case]]) -> dict[str, str]:
    """Write a family's files; return the cases' names by folder."""
    names = {}
    good = folder / "good"
    good.mkdir()
    (good / "m.onnx").write_bytes(conv_net().SerializeToString())
    (folder.parent / "secret.bin").write_bytes(b"\0" * 256)
    for index, (name, data, files) in enumerate(family()):
        place = folder / f"{index:04}"
        place.mkdir()
        (place / "m.onnx").write_bytes(data)
        for file, content in files.items():
            (place / file).write_bytes(content)
        if name == "external link":
            (place / "link.bin").symlink_to(folder.parent / "secret.bin")
        names[place.name] = name
    return names


def test_there_are_at_least_200():
    assert sum(1 for family in FAMILIES for _ in family()) >= 200


def test_the_models_to_damage_are_good(tmp_path):
    (tmp_path / "w.bin").write_bytes(DATA["w.bin"])
    for name, build in BASES.items():
        path = tmp_path / f"{name}.onnx"
        path.write_bytes(build().SerializeToString())
        onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="resource limits as Linux has them")
@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.__name__)
def test_each_loads_or_is_refused_in_one_sentence(tmp_path, family):
    folder = tmp_path / "cases"
    folder.mkdir()
    names = write_cases(folder, family)
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "OPENBLAS_NUM_THREADS": "2"}
    command = [sys.executable, __file__, str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=240, check=False)
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 0, (
        f"died in {names.get((lines or [{}])[-1].get('case', ''))}: {done.stderr[-2000:]}"
    )
    faults = []
    for asked, told in zip(lines[::2], lines[1::2], strict=True):
        error, name = told["error"], names[asked["case"]]
        if told["seconds"] > SECONDS or told["grown"] > GIB:
            faults.append(f"{name}: {told['seconds']:.1f} s, {told['grown'] >> 20} MiB")
        if error and (error.startswith("FAULT") or not error.endswith(".") or "\n" in error):
            faults.append(f"{name}: {error[:300]}")
    assert len(lines) == 2 * len(names)
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize(
    ("attribute", "what"),
    [
        ({"kernel_shape": "abc"}, "'kernel_shape' is a string; it has to be a list of integers"),
        ({"strides": [1.5, 1.5]}, "'strides' is a list of numbers; it has to be a list of integers"),
        ({"group": 1.0}, "'group' is a number; it has to be an integer"),
        ({"auto_pad": "SAME"}, "'auto_pad' is 'SAME'"),
    ],
)
def test_an_attribute_that_no_backend_takes_is_named(attribute, what):
    """ONNX Runtime refuses it as well; evidence of the network is gathered before that."""
    model = make([helper.make_node("Conv", ["x", "w"], ["y"], **attribute)], {"w": weights(3, 3, 3, 3)})
    with pytest.raises(ModelInvalidError, match=re.escape(f"Conv 'y': {what}; export it again")):
        facts_of(model, "m.onnx")
    with pytest.raises(Exception, match=r"INVALID_GRAPH|NOT_IMPLEMENTED|FAIL|unknown"):
        onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])


def test_a_function_that_calls_itself_is_no_network():
    for name, data, _ in functions():
        with pytest.raises(ModelInvalidError, match=r"calls itself|more than 1000000 nodes"):
            facts_of(onnx.ModelProto.FromString(data), name)


if __name__ == "__main__":
    read_all(Path(sys.argv[1]))
