"""A file parsed without its weights is the same network, wherever they stand, and a file that lies is none of
another kind than before.
"""

from __future__ import annotations

import random
import subprocess
import sys

import numpy as np
import onnx
import pytest
from google.protobuf.message import DecodeError
from onnx import TensorProto, helper, numpy_helper

from desktop.base.errors import ModelInvalidError
from desktop.compute.nn.frontends.external_data import check_external, tensors_of
from desktop.compute.nn.frontends.network_file import NetworkFile
from desktop.compute.nn.frontends.onnx import import_onnx
from desktop.compute.nn.frontends.structure import check_structure
from desktop.compute.nn.frontends.weights import LEAST, is_left_out, without_weights
from desktop.compute.nn.ops import OPERATORS
from desktop.vision.models.facts import facts_of
from desktop.vision.models.model_file import ModelFile

SIDE = 160  # squares of float32 have 102,400 bytes


def values(seed, shape=(SIDE, SIDE), dtype=np.float32):
    return np.random.default_rng(seed).standard_normal(shape).astype(dtype)


def packed_floats(array, name):
    return helper.make_tensor(name, TensorProto.FLOAT, array.shape, array.ravel().tolist())


def network(weights, nodes=()):
    x = helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, SIDE])
    y = helper.make_tensor_value_info("y", TensorProto.FLOAT, None)
    first = helper.make_node("MatMul", ["x", weights[0].name], ["y"]) if not nodes else None
    graph = helper.make_graph([first] if first else list(nodes), "g", [x], [y], weights)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def branch(name, seed):
    weight = numpy_helper.from_array(values(seed), f"inner{seed}")
    nodes = [helper.make_node("MatMul", ["x", weight.name], [name])]
    return helper.make_graph(nodes, name, [], [helper.make_tensor_value_info(name, 1, None)], [weight])


MODELS = {
    "raw": network([numpy_helper.from_array(values(1), "w")]),
    "packed floats": network([packed_floats(values(1), "w")]),
    "halves": network([numpy_helper.from_array(values(1, (SIDE, 2 * SIDE), np.float16), "w")]),
    "bytes": network([numpy_helper.from_array(np.arange(100_000, dtype=np.uint8), "w")]),
    "small beside large": network(
        [numpy_helper.from_array(values(i, (SIDE, SIDE if i % 2 else 3)), f"w{i}") for i in range(1, 8)]
    ),
    "constant": network(
        [numpy_helper.from_array(values(2, (3,)), "s")],
        [
            helper.make_node("Constant", [], ["c"], value=numpy_helper.from_array(values(1), "")),
            helper.make_node("MatMul", ["x", "c"], ["y"]),
        ],
    ),
    "branches": network(
        [numpy_helper.from_array(np.array(True), "b")],
        [helper.make_node("If", ["b"], ["y"], then_branch=branch("t", 3), else_branch=branch("e", 4))],
    ),
}


def put_back(bare, weights):
    """A parsed model with its weights again, as raw data."""
    for tensor in tensors_of(bare.graph):
        if is_left_out(tensor):
            tensor.CopyFrom(weights.with_values(tensor))
    return bare


def as_raw(model):
    for tensor in tensors_of(model.graph):
        if tensor.float_data:
            tensor.CopyFrom(numpy_helper.from_array(numpy_helper.to_array(tensor), tensor.name))
    return model


@pytest.mark.parametrize("what", MODELS)
def test_without_and_with_again_it_is_the_same(what):
    data = MODELS[what].SerializeToString()
    bare, weights = without_weights(data)
    assert len(bare) < len(data) - LEAST and weights.places
    assert sum(weights.places.values()) + len(bare) >= len(data)
    found = put_back(onnx.ModelProto.FromString(bare), weights)
    assert found == as_raw(onnx.ModelProto.FromString(data))


@pytest.mark.parametrize("what", [what for what in MODELS if what != "bytes"])
def test_what_is_imported_is_the_same(tmp_path, what):
    path = tmp_path / "m.onnx"
    path.write_bytes(MODELS[what].SerializeToString())
    graph = import_onnx(path, OPERATORS)
    expected = {tensor.name: numpy_helper.to_array(tensor) for tensor in MODELS[what].graph.initializer}
    assert graph.constants.keys() == expected.keys()
    for name, array in expected.items():
        np.testing.assert_array_equal(graph.constants[name], array)
    with NetworkFile.opened(path) as file:
        assert facts_of(file.bare, "m", file.weights) == facts_of(file.proto, "m")


def test_a_mean_picture_is_still_seen(tmp_path):
    """A constant that the facts are read from, as large as a weight."""
    mean = np.full((3, 200, 200), 0.5, np.float32)
    nodes = [helper.make_node("Sub", ["x", "mean"], ["a"]), helper.make_node("Conv", ["a", "k"], ["y"])]
    infos = [
        helper.make_tensor_value_info(name, 1, shape)
        for name, shape in (("x", [1, 3, 200, 200]), ("y", None))
    ]
    tensors = [numpy_helper.from_array(mean, "mean"), numpy_helper.from_array(values(1, (1, 3, 1, 1)), "k")]
    graph = helper.make_graph(nodes, "g", infos[:1], infos[1:], tensors)
    path = tmp_path / "m.onnx"
    path.write_bytes(helper.make_model(graph, ir_version=8).SerializeToString())
    model = ModelFile.open(path)
    assert any(is_left_out(tensor) for tensor in model.bare.graph.initializer)
    assert model.facts.arithmetic is not None
    np.testing.assert_allclose(model.facts.arithmetic.offset, -0.5)


def test_functions_are_spelt_out_around_weights_that_are_left_out(tmp_path):
    """onnx's inliner copies the parsed model, the notes in the weights' places too."""
    weight = numpy_helper.from_array(values(1), "w")
    inside = [helper.make_node("MatMul", ["a", "b"], ["m"]), helper.make_node("Relu", ["m"], ["c"])]
    function = helper.make_function("own", "F", ["a", "b"], ["c"], inside, [helper.make_opsetid("", 17)])
    model = network([weight], [helper.make_node("F", ["x", "w"], ["y"], domain="own")])
    model.opset_import.append(helper.make_opsetid("own", 1))
    model.functions.append(function)
    path = tmp_path / "m.onnx"
    path.write_bytes(model.SerializeToString())
    graph = import_onnx(path, OPERATORS)
    assert [node.op for node in graph.nodes] == ["MatMul", "Relu"]
    np.testing.assert_array_equal(graph.constants["w"], values(1))


def test_a_large_divisor_is_still_looked_through():
    divisor = np.ones(40_000, np.int32)
    divisor[-1] = 0
    nodes = [helper.make_node("Cast", ["x"], ["a"], to=6), helper.make_node("Div", ["a", "d"], ["y"])]
    data = network([numpy_helper.from_array(divisor, "d")], nodes).SerializeToString()
    bare, weights = without_weights(data)
    model = onnx.ModelProto.FromString(bare)
    assert is_left_out(model.graph.initializer[0])
    with pytest.raises(ModelInvalidError, match="divided by zero"):
        check_structure(model, "m", weights)


def field(number, content):
    """A field of bytes, as protobuf writes it."""
    length, found = len(content), [number << 3 | 2]
    while length > 127:
        found.append(length & 127 | 128)
        length >>= 7
    return bytes([*found, length]) + content


def test_of_two_tensors_in_one_attribute_the_same_is_looked_at_as_by_others():
    """Protobuf, and so ONNX Runtime, takes the later one: what is checked must be what is computed."""
    good, bad = np.ones((2, 40_000), np.int32)
    bad[-1] = 0
    later = TensorProto(data_type=TensorProto.INT32, raw_data=bad.tobytes())
    attribute = helper.make_attribute("value", numpy_helper.from_array(good)).SerializeToString()
    attribute += field(5, later.SerializeToString())
    node = helper.make_node("Constant", [], ["d"]).SerializeToString() + field(5, attribute)
    rest = [helper.make_node("Cast", ["x"], ["a"], to=6), helper.make_node("Div", ["a", "d"], ["y"])]
    model = network([numpy_helper.from_array(values(1), "w")], rest)
    graph = field(1, node) + model.graph.SerializeToString()
    model.ClearField("graph")
    data = model.SerializeToString() + field(7, graph)
    bare, weights = without_weights(data)
    with pytest.raises(ModelInvalidError, match="divided by zero"):
        check_structure(onnx.ModelProto.FromString(bare), "m", weights)


def test_a_file_of_millions_of_fields_is_left_to_protobuf():
    tensor = TensorProto(raw_data=bytes(LEAST)).SerializeToString() + b"\x08\x01" * 1_100_000
    data = field(7, field(5, tensor))
    bare, weights = without_weights(data)
    assert bare == data and not weights.places


def parsed(data):
    try:
        return onnx.ModelProto.FromString(data)
    except DecodeError:
        return None


def test_damaged_files_are_what_they_were():
    """Bytes of the heads changed, cut off, doubled: parsed without weights they are the same model, or none,
    as parsed whole.
    """
    generator = random.Random(7)
    whole = MODELS["small beside large"].SerializeToString()
    _, weights = without_weights(whole)
    heads = [at for at in range(len(whole)) if not any(o <= at < o + n for o, n in weights.places.items())]
    left_out = 0
    for _ in range(600):
        data = bytearray(whole)
        for _ in range(generator.randint(1, 3)):
            data[generator.choice(heads)] = generator.choice(
                (0, 1, 8, 42, 74, 127, 128, 255, generator.randrange(256))
            )
        if generator.random() < 0.2:
            del data[generator.choice(heads) :]
        before = parsed(bytes(data))
        bare, weights = without_weights(bytes(data))
        after = parsed(bare)
        assert (before is None) == (after is None)
        if before is not None and after is not None:
            left_out += bool(weights.places)
            assert put_back(after, weights).SerializeToString(deterministic=True) == as_raw(
                before
            ).SerializeToString(deterministic=True)
    assert left_out > 50


@pytest.mark.parametrize("location", ["", "../secret.bin"])
def test_a_file_cannot_say_that_values_stand_in_it(tmp_path, location):
    """The note that is left in a tensor's place counts only where we left it, in a file that holds one of an
    earlier run as well.
    """
    (tmp_path / "secret.bin").write_bytes(bytes(16))
    here = tmp_path / "models"
    here.mkdir()
    parsed = onnx.ModelProto.FromString(without_weights(MODELS["raw"].SerializeToString())[0])
    note = parsed.graph.initializer[0].external_data[0]
    model = onnx.ModelProto.FromString(MODELS["raw"].SerializeToString())
    liar = model.graph.initializer.add(name="liar", data_type=TensorProto.FLOAT, dims=[4])
    liar.data_location = TensorProto.EXTERNAL
    liar.external_data.add(key=note.key[:-1] + "x", value=note.value)
    if location:
        liar.external_data.add(key="location", value=location)
    model.graph.node.append(helper.make_node("Identity", ["liar"], ["z"]))
    path = here / "m.onnx"
    path.write_bytes(model.SerializeToString())
    with pytest.raises(ModelInvalidError, match="lies outside the model's folder"):
        import_onnx(path, OPERATORS)
    with NetworkFile.opened(path) as file:
        bare = file.bare
        assert file.weights.with_values(bare.graph.initializer[1]) is None
        with pytest.raises(ModelInvalidError, match="lies outside the model's folder"):
            check_external(bare, path)


def test_the_note_is_another_one_in_each_run():
    code = "from desktop.compute.nn.frontends import weights; print(weights._HERE)"
    notes = {subprocess.check_output([sys.executable, "-c", code]) for _ in range(2)}
    assert len(notes) == 2


def test_weights_of_a_wrong_length_are_refused(tmp_path):
    model = onnx.ModelProto.FromString(MODELS["raw"].SerializeToString())
    model.graph.initializer[0].dims[1] += 1
    path = tmp_path / "m.onnx"
    path.write_bytes(model.SerializeToString())
    with pytest.raises(ModelInvalidError, match="has 102400 bytes for the shape"):
        import_onnx(path, OPERATORS)
