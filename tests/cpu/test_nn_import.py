"""The importer against damaged, hostile and unsupported files, and the parts of the engine that need no GPU."""

from __future__ import annotations

import numpy as np
import pytest
import windows_marks
from onnx import TensorProto, helper, numpy_helper

from desktop.base.errors import ModelError, ModelInvalidError, ModelUnsupportedError
from desktop.compute.nn.compile.driver import build_graph, make_plan
from desktop.compute.nn.frontends.network_file import NetworkFile
from desktop.compute.nn.frontends.onnx import import_onnx
from desktop.compute.nn.ir.graph import Graph
from desktop.compute.nn.lowering.allocation import assign_slots
from desktop.compute.nn.lowering.plan import Dispatch, Storage
from desktop.compute.nn.lowering.target import Target
from desktop.compute.nn.lowering.template import render
from desktop.compute.nn.ops import IMPORTABLE

TARGET = Target("float32", f16=False, workgroups=128, max_binding=1 << 27, max_groups=65535, max_storages=8)


def model(opset=13, shape=(1, 3, 6, 6)):
    """A convolution, a Relu, a Reshape and a Softmax."""
    generator = np.random.default_rng(1)
    constants = {
        "w": generator.standard_normal((4, 3, 3, 3)).astype(np.float32),
        "b": generator.standard_normal(4).astype(np.float32),
        "s": np.array([1, -1]),
    }
    nodes = [
        helper.make_node("Conv", ["x", "w", "b"], ["c"], name="conv", pads=[1, 1, 1, 1]),
        helper.make_node("Relu", ["c"], ["r"], name="relu"),
        helper.make_node("Reshape", ["r", "s"], ["f"], name="reshape"),
        helper.make_node("Softmax", ["f"], ["y"], name="softmax"),
    ]
    graph = helper.make_graph(
        nodes,
        "test",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, shape)],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)],
        [numpy_helper.from_array(array, name) for name, array in constants.items()],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=8)


def build(path):
    """Everything that happens to a file before memory on a GPU is asked for."""
    return make_plan(build_graph(path), TARGET)


def write(tmp_path, proto):
    path = tmp_path / "m.onnx"
    path.write_bytes(proto.SerializeToString())
    return path


def test_a_good_file(tmp_path):
    plan = build(write(tmp_path, model()))
    assert [d.node for d in plan.dispatches] == ["conv", "r", "softmax"]  # "r": to row-major for the Reshape


def test_missing_file_and_folder(tmp_path):
    for path in (tmp_path / "none.onnx", tmp_path):
        with pytest.raises(ModelInvalidError):
            build(path)


@pytest.mark.parametrize("content", [b"", b"\x00" * 100, b"not a model at all", b"\xff" * 64])
def test_other_bytes(tmp_path, content):
    path = tmp_path / "m.onnx"
    path.write_bytes(content)
    with pytest.raises(ModelError):
        build(path)


def test_every_truncation(tmp_path):
    data = model().SerializeToString()
    path = tmp_path / "m.onnx"
    for length in range(0, len(data), 7):
        path.write_bytes(data[:length])
        with pytest.raises(ModelError):
            build(path)


def test_bit_flips(tmp_path):
    """Any flip gives a plan (it hit a weight or a name) or one clear error."""
    data = model().SerializeToString()
    generator = np.random.default_rng(5)
    path = tmp_path / "m.onnx"
    refused = 0
    for _ in range(400):
        broken = bytearray(data)
        for _ in range(int(generator.integers(1, 4))):
            broken[int(generator.integers(len(broken)))] ^= 1 << int(generator.integers(8))
        path.write_bytes(bytes(broken))
        try:
            build(path)
        except ModelError as error:
            refused += 1
            assert str(error).strip().endswith(".")
    assert refused > 50


@pytest.mark.parametrize("opset", [5, 29, 1000])
def test_opsets_outside_the_range(tmp_path, opset):
    with pytest.raises(ModelUnsupportedError, match=f"opset {opset}"):
        build(write(tmp_path, model(opset)))


def test_all_unsupported_nodes_are_listed(tmp_path):
    proto = model()
    proto.graph.node[1].op_type = "Bernoulli"
    proto.graph.node[3].domain = "com.example"
    proto.opset_import.append(helper.make_opsetid("com.example", 2))
    with pytest.raises(ModelUnsupportedError) as caught:
        build(write(tmp_path, proto))
    assert caught.value.reasons == ("Bernoulli 'relu' (opset 13)", "com.example.Softmax 'softmax' (opset 2)")
    assert "2 unsupported nodes: Bernoulli, com.example.Softmax" in str(caught.value)


def test_internal_operators_cannot_be_smuggled_in(tmp_path):
    proto = model()
    proto.graph.node[1].op_type = "Elementwise"
    with pytest.raises(ModelUnsupportedError, match="Elementwise"):
        build(write(tmp_path, proto))


def test_cycles_and_doubles(tmp_path):
    proto = model()
    proto.graph.node[0].input[0] = "r"
    with pytest.raises(ModelUnsupportedError, match="reads 'r', which a node after it computes"):
        build(write(tmp_path, proto))  # ONNX Runtime sorts nodes, and finds the cycle
    proto = model()
    proto.graph.node[0].input[0] = "nowhere"
    with pytest.raises(ModelInvalidError, match="reads 'nowhere', which nothing computes"):
        build(write(tmp_path, proto))
    proto = model()
    proto.graph.node[1].output[0] = "c"
    with pytest.raises(ModelInvalidError):
        build(write(tmp_path, proto))


def test_missing_output(tmp_path):
    proto = model()
    proto.graph.output[0].name = "elsewhere"
    with pytest.raises(ModelInvalidError, match="elsewhere"):
        build(write(tmp_path, proto))


@pytest.mark.parametrize("shape", [(1, 3, 1 << 20, 1 << 20), (1 << 40, 3, 6, 6), (1, 4, 6, 6), (1, 3)])
def test_absurd_input_shapes(tmp_path, shape):
    with pytest.raises(ModelError):
        build(write(tmp_path, model(shape=shape)))


def test_free_dimensions(tmp_path):
    path = write(tmp_path, model(shape=("batch", 3, "height", "width")))
    with pytest.raises(ModelUnsupportedError, match="height, width"):
        build(path)
    graph = build_graph(path, input_shapes={"x": (1, 3, 5, 8)})
    assert graph.shape("y") == (1, 160)
    with pytest.raises(ModelInvalidError, match="does not take"):
        build_graph(path, input_shapes={"x": (1, 4, 5, 8)})


@pytest.mark.parametrize(
    ("attribute", "value"),
    [
        ("pads", [1 << 40] * 4),
        ("pads", [-1, 0, 0, 0]),
        ("pads", [1, 1]),
        ("strides", [0, 1]),
        ("dilations", [1 << 30, 1]),
        ("group", 0),
        ("group", 3),
        ("kernel_shape", [5, 5]),
        ("strides", "text"),
    ],
)
def test_absurd_attributes(tmp_path, attribute, value):
    proto = model()
    node = proto.graph.node[0]
    for old in [a for a in node.attribute if a.name == attribute]:
        node.attribute.remove(old)
    node.attribute.append(helper.make_attribute(attribute, value))
    with pytest.raises(ModelError):
        build(write(tmp_path, proto))


def test_too_few_inputs(tmp_path):
    proto = model()
    del proto.graph.node[0].input[1:]
    with pytest.raises(ModelUnsupportedError, match=r"Conv 'conv' \(opset 13\): it has 1 input, not 2 to 3;"):
        build(write(tmp_path, proto))


def test_a_constant_that_lies_about_its_size(tmp_path):
    for dims in ([1 << 40, 3, 3, 3], [4, 3, 3, 4], [-4, 3, 3, 3]):
        proto = model()
        proto.graph.initializer[0].dims[:] = dims
        with pytest.raises((ModelInvalidError, ModelUnsupportedError), match="'w'"):
            build(write(tmp_path, proto))


def test_constants_that_grow_without_bound(tmp_path):
    proto = model()
    shape = numpy_helper.from_array(np.array([1 << 20, 1 << 20]), "huge")
    proto.graph.initializer.append(shape)
    proto.graph.node.insert(0, helper.make_node("ConstantOfShape", ["huge"], ["h"], name="fill"))
    with pytest.raises(ModelUnsupportedError, match="fill"):
        build(write(tmp_path, proto))


def external(tmp_path, location):
    folder = tmp_path / "model"
    folder.mkdir(exist_ok=True)
    proto = model()
    weights = proto.graph.initializer[0]
    data = weights.raw_data
    weights.ClearField("raw_data")
    weights.data_location = TensorProto.EXTERNAL
    for key, value in {"location": location, "offset": "0", "length": str(len(data))}.items():
        weights.external_data.add(key=key, value=value)
    path = folder / "m.onnx"
    path.write_bytes(proto.SerializeToString())
    return path, data


def test_external_data(tmp_path):
    path, data = external(tmp_path, "weights.bin")
    with pytest.raises(ModelInvalidError, match=r"weights\.bin"):
        build(path)
    (path.parent / "weights.bin").write_bytes(data[:-1])
    with pytest.raises(ModelInvalidError, match="does not fit"):
        build(path)
    (path.parent / "weights.bin").write_bytes(data)
    imported = import_onnx(path, IMPORTABLE)
    expected = numpy_helper.to_array(model().graph.initializer[0])
    np.testing.assert_array_equal(imported.constants["w"], expected)


@pytest.mark.parametrize("absolute", [False, True])
def test_external_data_outside_the_folder(tmp_path, absolute):
    path, data = external(tmp_path, str(tmp_path / "secret.bin") if absolute else "../secret.bin")
    (tmp_path / "secret.bin").write_bytes(data)
    with pytest.raises(ModelInvalidError, match="outside"):
        build(path)


@windows_marks.links
def test_external_data_through_a_link(tmp_path):
    path, data = external(tmp_path, "link.bin")
    (tmp_path / "secret.bin").write_bytes(data)
    try:
        (path.parent / "link.bin").symlink_to(tmp_path / "secret.bin")
    except OSError:
        pytest.skip("this system makes no symbolic links")
    with pytest.raises(ModelInvalidError, match="outside"):
        build(path)


def test_a_tensor_larger_than_the_adapter_binds(tmp_path):
    small = Target("float32", f16=False, workgroups=128, max_binding=256, max_groups=65535, max_storages=8)
    with pytest.raises(ModelUnsupportedError, match="binds at most"):
        make_plan(build_graph(write(tmp_path, model())), small)


@pytest.mark.shared
def test_the_unsupported_models_are_refused(shared):
    files = sorted((shared / "models" / "unsupported").glob("*.onnx"))
    assert files
    for path in files:
        with pytest.raises(ModelUnsupportedError) as caught:
            build_graph(path)
        assert caught.value.reasons


def test_the_graph_is_valid_after_the_passes(tmp_path):
    """Every value that is read is known or computed before."""
    graph = build_graph(write(tmp_path, model()))
    assert isinstance(graph, Graph)
    seen = {*graph.inputs, *graph.constants}
    for node in graph.nodes:
        assert set(node.reads) <= seen
        seen.update(node.outputs)
    assert set(graph.outputs) <= seen


def test_slots_are_shared_only_when_lifetimes_do_not_meet():
    storages = tuple(Storage(i, 16 * (i + 1)) for i in range(4))
    chain = [((), 0), ((0,), 1), ((1,), 2), ((2, 1), 3)]
    dispatches = tuple(Dispatch("n", "k", "", tuple(reads), (write,), (1, 1, 1)) for reads, write in chain)
    sizes, slot_of = assign_slots(storages, dispatches)
    assert slot_of[2] == slot_of[0]
    assert len({slot_of[1], slot_of[2], slot_of[3]}) == 3
    assert all(sizes[slot_of[s.index]] >= s.size for s in storages)


def test_template_unrolls_and_chooses(tmp_path, monkeypatch):
    import desktop.compute.nn.lowering.template as template

    text = "#for i in N\n#if ODD\na${i}\n#else\nb${i}\n#end\n#end"
    (tmp_path / "k.wgsl").write_text(text)
    monkeypatch.setattr(template, "resource", lambda *parts: tmp_path / parts[-1])
    template._parsed.cache_clear()
    assert render("k", "", {"N": 2, "ODD": 0}).split()[-2:] == ["b0", "b1"]
    assert render("k", "", {"N": 2, "ODD": 1}).split()[-2:] == ["a0", "a1"]
    template._parsed.cache_clear()


def test_a_file_beyond_protobuf_s_limit_is_said_to_be_larger_than_it(tmp_path):
    path = tmp_path / "sparse.onnx"
    with path.open("wb") as stream:
        stream.truncate(2**31)
    with pytest.raises(ModelInvalidError, match="larger than 2 GiB"):
        NetworkFile.open(path)
