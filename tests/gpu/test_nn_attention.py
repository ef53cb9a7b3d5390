"""Attention, however exporters spell it: one dispatch, and onnxruntime's results."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field

import numpy as np
import onnx
import onnx_suite
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from nn_cases import needs_halves, reference, relative_error, session_for
from onnx import TensorProto, helper, numpy_helper

from desktop.compute.gpu.device import Gpu
from desktop.compute.nn.compile.driver import build_graph
from desktop.compute.nn.compile.flops import node_costs
from desktop.compute.nn.kernels.attention import Attention

TOLERANCE = {"fp32": 1e-5, "fp16": 2e-3}
LOWEST = float(np.finfo(np.float32).min)


@dataclass
class Network:
    """A model that grows node by node; inputs and constants are random unless they are given."""

    opset: int = 17
    half: bool = False
    nodes: list[onnx.NodeProto] = field(default_factory=list)
    feeds: dict[str, np.ndarray] = field(default_factory=dict)
    constants: dict[str, np.ndarray] = field(default_factory=dict)

    def __post_init__(self):
        self.random = np.random.default_rng(len(self.nodes))

    def input(self, *shape, scale=1.0):
        return self.fed(self.random.standard_normal(shape) * scale)

    def fed(self, array):
        name = f"in{len(self.feeds)}"
        kept = np.float16 if self.half and array.dtype.kind == "f" else np.float32
        self.feeds[name] = array.astype(kept) if array.dtype.kind == "f" else array
        return name

    def constant(self, array):
        array = np.asarray(array)
        name = f"c{len(self.constants)}"
        kept = np.float16 if self.half else np.float32
        self.constants[name] = array.astype(kept) if array.dtype.kind == "f" else array
        return name

    def weights(self, *shape):
        return self.constant(self.random.standard_normal(shape) / np.sqrt(shape[0]))

    def add(self, op, *inputs, outputs=1, **attributes):
        names = [f"v{len(self.nodes)}_{i}" for i in range(outputs)]
        self.nodes.append(helper.make_node(op, list(inputs), names, **attributes))
        return names[0] if outputs == 1 else names

    def linear(self, x, rows, columns):
        return self.add("Add", self.add("MatMul", x, self.weights(rows, columns)), self.weights(columns))

    def reshape(self, x, *shape):
        return self.add("Reshape", x, self.constant(np.array(shape, np.int64)))

    def save(self, folder, output):
        """Write it with one output."""
        kind = TensorProto.FLOAT16 if self.half else TensorProto.FLOAT
        self.nodes.append(helper.make_node("Identity", [output], ["y"]))
        graph = helper.make_graph(
            self.nodes,
            "test",
            [
                helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(a.dtype), a.shape)
                for name, a in self.feeds.items()
            ],
            [helper.make_tensor_value_info("y", kind, None)],
            [numpy_helper.from_array(array, name) for name, array in self.constants.items()],
        )
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", self.opset)], ir_version=10)
        path = folder / "m.onnx"
        onnx.save(model, path)
        return path


def run(gpu, path, feeds, *, workgroups=1, precision="fp32"):
    """The result, and the kernels that made it."""
    session = session_for(gpu, path, workgroups=workgroups, precision=precision)
    kernels = [dispatch.kernel for dispatch in session.plan.dispatches]
    result = session.run(feeds)["y"]
    session.close()
    return result, kernels


def check(gpu, folder, network, output, *, workgroups=(1, 128), precision="fp32"):
    """onnxruntime's result from one dispatch, for a software adapter and for a large GPU."""
    path = network.save(folder, output)
    expected = reference(path, network.feeds)["y"]
    for size in workgroups:
        actual, kernels = run(gpu, path, network.feeds, workgroups=size, precision=precision)
        assert kernels == ["attention"]
        assert actual.shape == expected.shape
        assert relative_error(actual, expected) <= TOLERANCE[precision]


def scores(net, q, k, scale, how):
    """scale * Q K^T, in the ways that exporters write it; K is (..., keys, head)."""
    root = net.constant(np.array(np.sqrt(scale)))
    rank = len(net.feeds[q].shape) if q in net.feeds else 4
    flip = [*range(rank - 2), rank - 1, rank - 2]
    if how == "roots":
        q = net.add("Mul", q, root)
        return net.add("MatMul", q, net.add("Mul", net.add("Transpose", k, perm=flip), root))
    if how == "query":
        q = net.add("Mul", q, net.constant(np.array(scale)))
    product = net.add("MatMul", q, net.add("Transpose", k, perm=flip))
    if how == "mul":
        return net.add("Mul", product, net.constant(np.array([scale])))
    return net.add("Div", product, net.constant(np.array(1 / scale))) if how == "div" else product


WAYS = ("roots", "query", "mul", "div")


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("mask", ["none", "keys", "all", "heads"])
def test_the_ways_of_writing_the_scale_and_the_mask(gpu, tmp_path, way, mask):
    net = Network()
    q, k, v = net.input(2, 3, 9, 16), net.input(2, 3, 21, 16), net.input(2, 3, 21, 12)
    s = scores(net, q, k, 0.25, way)
    shapes = {"keys": (2, 1, 1, 21), "all": (9, 21), "heads": (3, 1, 21)}
    if mask != "none":
        s = net.add("Add", net.input(*shapes[mask], scale=3.0), s)
    check(gpu, tmp_path, net, net.add("MatMul", net.add("Softmax", s, axis=-1), v))


@pytest.mark.parametrize("shape", [(), (1,), (13,), (1, 13), (5, 1)])
def test_matrices_with_no_batch(gpu, tmp_path, shape):
    net = Network()
    q, k, v = net.input(5, 6), net.input(6, 13), net.input(13, 7)
    s = net.add("Add", net.add("MatMul", q, k), net.constant(net.random.standard_normal(shape)))
    check(gpu, tmp_path, net, net.add("MatMul", net.add("Softmax", s, axis=1), v))


def vit_attention(net, x, tokens, heads, head, split):
    """As timm exports it: one product for Q, K and V, which are then taken apart."""
    dim = heads * head
    qkv = net.reshape(net.linear(x, dim, 3 * dim), 1, tokens, 3, heads, head)
    qkv = net.add("Transpose", qkv, perm=[2, 0, 3, 1, 4])
    if split == "gather":
        parts = [net.add("Gather", qkv, net.constant(np.array(i, np.int64)), axis=0) for i in range(3)]
    elif split == "slice":
        numbers = [net.constant(np.array([i], np.int64)) for i in range(4)]
        parts = [
            net.add("Squeeze", net.add("Slice", qkv, numbers[i], numbers[i + 1], numbers[0]), numbers[0])
            for i in range(3)
        ]
    else:
        axes = net.constant(np.array([0], np.int64))
        parts = [net.add("Squeeze", part, axes) for part in net.add("Split", qkv, outputs=3, axis=0)]
    s = scores(net, parts[0], parts[1], head**-0.5, "query")
    y = net.add("MatMul", net.add("Softmax", s, axis=-1), parts[2])
    y = net.reshape(net.add("Transpose", y, perm=[0, 2, 1, 3]), 1, tokens, dim)
    return net.linear(y, dim, dim)


@pytest.mark.parametrize("split", ["gather", "slice", "split"])
def test_a_vision_transformer_moves_nothing(gpu, tmp_path, split):
    """Q, K and V are read where the projection wrote them, the result written where the next one, which adds
    what was there, reads it.
    """
    net = Network()
    x = net.input(1, 37, 48)
    check_block(gpu, tmp_path, net, net.add("Add", x, vit_attention(net, x, 37, 3, 16, split)))


def apart(net, x, context, heads, head, biases):
    """Queries of `x`, keys and values of `context`, by Linear layers of their own; `biases`: which of the
    three has one.
    """
    dim = heads * head

    def stacked(source, bias):
        rows, columns = net.feeds[source].shape[-2:]
        own = net.add("MatMul", source, net.weights(columns, dim))
        own = net.add("Add", net.weights(dim), own) if bias else own
        return net.add("Transpose", net.reshape(own, 1, rows, heads, head), perm=[0, 2, 1, 3])

    q, k, v = (stacked(*each) for each in zip((x, context, context), biases, strict=True))
    y = net.add("MatMul", net.add("Softmax", scores(net, q, k, head**-0.5, "query"), axis=-1), v)
    tokens = net.feeds[x].shape[-2]
    return net.linear(net.reshape(net.add("Transpose", y, perm=[0, 2, 1, 3]), 1, tokens, dim), dim, dim)


@pytest.mark.parametrize("biases", [(1, 1, 1), (1, 0, 1), (0, 0, 0)])
def test_queries_keys_and_values_are_one_product(gpu, tmp_path, biases):
    """As most exporters of transformers write it, with a bias of the keys or without."""
    net = Network()
    x = net.input(1, 37, 48)
    check_block(gpu, tmp_path, net, apart(net, x, x, 4, 16, biases))


def test_all_layers_read_one_text_with_one_product(gpu, tmp_path):
    """Cross attention: keys and values of both layers; the queries of each stay what they are."""
    net = Network()
    x, text = net.input(1, 37, 48), net.input(1, 7, 32)
    other = net.input(1, 5, 48)
    both = [apart(net, each, text, 4, 16, (0, 0, 0)) for each in (x, other)]
    path = net.save(tmp_path, net.add("Concat", *both, axis=1))
    expected = reference(path, net.feeds)["y"]
    for workgroups in (1, 128):
        actual, kernels = run(gpu, path, net.feeds, workgroups=workgroups)
        assert kernels.count("attention") == 2 and sum(name.startswith("conv") for name in kernels) == 5
        assert relative_error(actual, expected) <= TOLERANCE["fp32"]


def test_a_merged_result_is_no_larger_than_any_adapter_binds(gpu, tmp_path, monkeypatch):
    net = Network()
    x = net.input(1, 37, 48)
    path = net.save(tmp_path, apart(net, x, x, 4, 16, (1, 1, 1)))
    module = sys.modules["desktop.compute.nn.passes.merge_products"]  # the package gives the function's name
    monkeypatch.setattr(module, "_LARGEST", 37 * 64 * 3)
    merged = run(gpu, path, net.feeds)[1]
    monkeypatch.setattr(module, "_LARGEST", 37 * 64 * 3 - 1)
    actual, kernels = run(gpu, path, net.feeds)
    assert (len(merged), len(kernels)) == (3, 5)
    assert relative_error(actual, reference(path, net.feeds)["y"]) <= TOLERANCE["fp32"]


def test_products_of_one_tensor_that_are_no_attention_stay_apart(gpu, tmp_path):
    """A gate of two layers takes two dispatches, as it does when it is written as one layer that is cut."""
    net = Network()
    x = net.input(1, 37, 48)
    gate = net.add("Sigmoid", net.linear(x, 48, 64))
    path = net.save(tmp_path, net.add("Mul", gate, net.linear(x, 48, 64)))
    actual, kernels = run(gpu, path, net.feeds)
    assert len(kernels) == 2
    assert relative_error(actual, reference(path, net.feeds)["y"]) <= TOLERANCE["fp32"]


def test_a_product_that_is_asked_for_is_there(gpu, tmp_path):
    """Without its bias, which is added behind it."""
    net = Network()
    x = net.input(1, 9, 48)
    y = apart(net, x, x, 4, 16, (1, 1, 1))
    product = next(node for node in net.nodes if node.op_type == "MatMul")
    session = session_for(gpu, net.save(tmp_path, y), keep=[product.output[0]])
    session.run(net.feeds)
    tensor = session.tensor(product.output[0])
    found = np.frombuffer(gpu.queue.read_buffer(tensor.buffer), np.float32).reshape(tensor.shape)
    session.close()
    assert relative_error(found, net.feeds[x] @ net.constants[product.input[1]]) <= TOLERANCE["fp32"]


def check_block(gpu, folder, net, output, precision="fp32"):
    path = net.save(folder, output)
    expected = reference(path, net.feeds)["y"]
    for workgroups in (1, 128):
        actual, kernels = run(gpu, path, net.feeds, workgroups=workgroups, precision=precision)
        assert len(kernels) == 3 and kernels[1] == "attention"
        assert relative_error(actual, expected) <= TOLERANCE[precision]


def test_16_bits(gpu, tmp_path):
    needs_halves(gpu)
    net = Network()
    check_block(gpu, tmp_path, net, vit_attention(net, net.input(1, 37, 48), 37, 3, 16, "split"), "fp16")


@pytest.mark.parametrize(
    ("head", "queries", "keys"), [(40, 70, 70), (64, 33, 77), (72, 400, 3), (72, 5, 131), (160, 40, 40)]
)
def test_packed_products(gpu, tmp_path, head, queries, keys):
    """The kernel of GPUs without matrices: products of 16-bit pairs; a value that is none, and one that is
    infinite, stay in their rows.
    """
    needs_halves(gpu)
    net = Network(half=True)
    q, k, v = (net.input(1, 3, n, head) for n in (queries, keys, keys))
    net.feeds[q][0, 1, 2, 7], net.feeds[q][0, 2, 1, 3] = np.nan, np.inf
    path = net.save(
        tmp_path,
        net.add("MatMul", net.add("Softmax", scores(net, q, k, head**-0.5, "mul"), axis=-1), v),
    )
    session = session_for(gpu, path, workgroups=128, precision="fp16", has_matrices=False)
    (dispatch,) = session.plan.dispatches
    found = session.run(net.feeds)["y"].astype(np.float64)
    session.close()
    assert "tile_weights: array<vec4<f16>" in dispatch.code
    given = {name: array.astype(np.float64) for name, array in net.feeds.items()}
    with np.errstate(invalid="ignore"):
        score = given[q] @ given[k].transpose(0, 1, 3, 2) * head**-0.5
        weight = np.exp(score - score.max(-1, keepdims=True))
        wanted = weight / weight.sum(-1, keepdims=True) @ given[v]
    np.testing.assert_array_equal(np.isnan(found), np.isnan(wanted))
    assert np.isnan(wanted).any(-1).sum() == 2
    numbers = np.isfinite(wanted)
    assert relative_error(found[numbers], wanted[numbers]) <= TOLERANCE["fp16"]


def test_a_model_in_16_bits(gpu, tmp_path):
    """Its softmax is computed in 32 bits between two casts; its mask is an odd number of 16-bit floats."""
    needs_halves(gpu)
    net = Network(half=True)
    q, k, v = (net.input(1, 2, 19, 16) for _ in range(3))
    s = net.add("Add", scores(net, q, k, 0.25, "mul"), net.weights(19, 19))
    s = net.add("Cast", s, to=TensorProto.FLOAT)
    p = net.add("Cast", net.add("Softmax", s, axis=-1), to=TensorProto.FLOAT16)
    check(gpu, tmp_path, net, net.add("MatMul", p, v), precision="fp16")


def test_multihead_attention_as_torch_exports_it(gpu, tmp_path):
    """torch.nn.MultiheadAttention in opset 17: heads joined to the batch and taken apart again, tokens before
    pictures.
    """
    net, tokens, batch, heads, head = Network(), 7, 2, 4, 8
    dim = heads * head
    x = net.add("Transpose", net.input(batch, tokens, dim), perm=[1, 0, 2])
    qkv = net.reshape(net.linear(x, dim, 3 * dim), tokens, batch, 3, dim)
    qkv = net.add("Unsqueeze", qkv, net.constant(np.array([0], np.int64)))
    qkv = net.add("Transpose", qkv, perm=[3, 1, 2, 0, 4])
    qkv = net.add("Squeeze", qkv, net.constant(np.array([3], np.int64)))
    parts = [net.add("Gather", qkv, net.constant(np.array(i, np.int64)), axis=0) for i in range(3)]
    parts = [net.add("Transpose", net.reshape(p, tokens, batch * heads, head), perm=[1, 0, 2]) for p in parts]
    q, k, v = (net.reshape(part, batch, heads, tokens, head) for part in parts)
    y = net.add("MatMul", net.add("Softmax", scores(net, q, k, head**-0.5, "roots"), axis=-1), v)
    y = net.reshape(net.add("Transpose", y, perm=[2, 0, 1, 3]), tokens * batch, dim)
    y = net.add("Gemm", y, net.weights(dim, dim), net.weights(dim), transB=1)
    y = net.add("Transpose", net.reshape(y, tokens, batch, dim), perm=[1, 0, 2])
    path = net.save(tmp_path, y)
    expected = reference(path, net.feeds)["y"]
    for workgroups in (1, 128):
        actual, kernels = run(gpu, path, net.feeds, workgroups=workgroups)
        assert kernels.count("attention") == 1 and not {"softmax", "matmul"} & set(kernels)
        assert kernels.count("strided") == 2  # the transposes of the whole block's input and output
        assert relative_error(actual, expected) <= 1e-5


@pytest.mark.parametrize("batch", [1, 2])
def test_shifted_windows(gpu, tmp_path, batch):
    """Swin: a bias a head, and a mask a window that is added in another shape."""
    net, windows, heads, tokens, head = Network(), 3, 2, 16, 8
    q, k, v = (net.input(batch * windows, heads, tokens, head) for _ in range(3))
    s = net.add("Add", scores(net, q, k, head**-0.5, "query"), net.weights(1, heads, tokens, tokens))
    s = net.reshape(s, batch, windows, heads, tokens, tokens)
    s = net.add("Add", s, net.constant(net.random.choice([0.0, -100.0], (1, windows, 1, tokens, tokens))))
    s = net.reshape(s, -1, heads, tokens, tokens)
    y = net.add("MatMul", net.add("Softmax", s, axis=-1), v)
    check(gpu, tmp_path, net, y)


def test_relative_positions_of_pixels(gpu, tmp_path):
    """SAM: what a query adds to the keys of a line, and to those of a column, with queries and keys taken
    apart into both.
    """
    net, heads, height, width = Network(), 2, 3, 4
    q, k, v = (net.input(heads, height * width, 8) for _ in range(3))
    s = scores(net, q, k, 8**-0.5, "query")
    s = net.reshape(s, heads, height, width, height, width)
    s = net.add("Add", s, net.input(heads, height, width, height, 1))
    s = net.add("Add", s, net.input(heads, height, width, 1, width))
    s = net.reshape(s, heads, height * width, height * width)
    y = net.add("MatMul", net.add("Softmax", s, axis=-1), v)
    y = net.reshape(y, 1, heads, height, width, 8)
    check(gpu, tmp_path, net, net.add("Transpose", y, perm=[0, 2, 3, 1, 4]))


def test_values_by_the_transposed_weights(gpu, tmp_path):
    """As YOLO has it, pixels last: (V P^T), Q transposed instead of K, parts of unlike sizes."""
    net, heads, tokens = Network(), 2, 30
    qkv = net.input(1, heads, 32, tokens)
    sizes = net.constant(np.array([8, 8, 16], np.int64))
    q, k, v = net.add("Split", qkv, sizes, outputs=3, axis=2)
    s = net.add("MatMul", net.add("Transpose", q, perm=[0, 1, 3, 2]), k)
    p = net.add("Softmax", net.add("Mul", s, net.constant(np.array(8**-0.5))), axis=-1)
    y = net.add("MatMul", v, net.add("Transpose", p, perm=[0, 1, 3, 2]))
    check(gpu, tmp_path, net, net.reshape(y, 1, heads * 16, 5, 6))


def test_keys_shared_by_groups_of_heads(gpu, tmp_path):
    """Grouped queries: Expand and Reshape copy nothing."""
    net, groups, shared, head = Network(), 2, 3, 8
    q, k, v = net.input(2, 6, 5, head), net.input(2, groups, 11, head), net.input(2, groups, 11, head)
    two = net.constant(np.array([2], np.int64))
    wide = net.constant(np.array([2, groups, shared, 11, head], np.int64))
    k, v = (
        net.reshape(net.add("Expand", net.add("Unsqueeze", x, two), wide), 2, 6, 11, head) for x in (k, v)
    )
    y = net.add("MatMul", net.add("Softmax", scores(net, q, k, 0.3, "roots"), axis=-1), v)
    check(gpu, tmp_path, net, y)


def attention_node(heads=(2, 2), mask=None, **attributes):
    net = Network(opset=23)
    q, k, v = net.input(2, heads[0], 7, 8), net.input(2, heads[1], 9, 8), net.input(2, heads[1], 9, 12)
    inputs = [q, k, v] if mask is None else [q, k, v, net.constant(mask)]
    return net, net.add("Attention", *inputs, **attributes)


@pytest.mark.parametrize(
    ("heads", "mask", "attributes"),
    [
        ((2, 2), None, {}),
        ((2, 2), None, {"is_causal": 1}),
        ((6, 2), None, {"scale": 0.2}),
        ((6, 2), np.linspace(-2, 2, 63, dtype=np.float32).reshape(7, 9), {"is_causal": 1}),
        ((4, 4), np.arange(63).reshape(7, 9) % 4 == 0, {}),
        ((4, 4), np.arange(63).reshape(7, 9) > 8, {}),  # the first row is masked everywhere
    ],
)
def test_the_attention_operator(gpu, tmp_path, heads, mask, attributes):
    net, y = attention_node(heads, mask, **attributes)
    check(gpu, tmp_path, net, y)


def causal(queries, keys, kept=0.0, masked=-np.inf, ahead=0):
    """A mask: row r sees the keys before r + 1 + ahead."""
    return np.where(np.arange(keys) <= np.arange(queries)[:, None] + ahead, kept, masked)


def how_attended(path):
    (node,) = [each for each in build_graph(path).nodes if each.op == "ScaledDotProductAttention"]
    return node.detail(Attention)


@pytest.mark.parametrize(
    ("mask", "seen"),
    [
        (causal(70, 70), 1),
        (causal(70, 70, masked=LOWEST), 1),
        (causal(70, 70, kept=0.5, masked=-1e30), 1),
        (causal(33, 70, ahead=37), 38),  # the last rows of a longer sequence
        (causal(70, 33), 1),
        (causal(70, 70, ahead=-1), 0),  # the first row is masked everywhere: NaN
        (causal(70, 70, ahead=-50), 0),
        (causal(70, 70, masked=LOWEST, ahead=-1), None),  # ... and there each key has the same weight
        (causal(70, 70, masked=-1e4), None),
        (np.stack([causal(70, 70), causal(70, 70, ahead=9)])[:, None], 10),
        (np.where(np.eye(70)[::-1] > 0, 0.0, -np.inf), None),
    ],
)
def test_what_a_causal_mask_takes_out_is_not_read(gpu, tmp_path, mask, seen):
    queries, keys = mask.shape[-2:]
    for workgroups in (1, 2, 128):  # a thread's own rows or not, 32 rows a tile, 16
        net = Network()
        q, k, v = (net.input(2, 3, n, 16) for n in (queries, keys, keys))
        masked = net.add("Add", scores(net, q, k, 0.25, "mul"), net.constant(mask))
        path = net.save(tmp_path, net.add("MatMul", net.add("Softmax", masked, axis=-1), v))
        found = how_attended(path)
        assert found.seen == seen
        actual, kernels = run(gpu, path, net.feeds, workgroups=workgroups)
        assert kernels == ["attention"]
        np.testing.assert_allclose(actual, reference(path, net.feeds)["y"], rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("workgroups", [1, 128])
def test_keys_behind_a_causal_mask_are_not_touched(gpu, tmp_path, workgroups):
    """A NaN among them would be in the sums of every row if their tiles were multiplied."""
    net = Network()
    q, k, v = (net.input(1, 1, 64, 16) for _ in range(3))
    net.feeds[v][0, 0, 63] = np.nan
    masked = net.add("Add", scores(net, q, k, 0.25, "mul"), net.constant(causal(64, 64)))
    path = net.save(tmp_path, net.add("MatMul", net.add("Softmax", masked, axis=-1), v))
    actual, _ = run(gpu, path, net.feeds, workgroups=workgroups)
    assert np.isfinite(actual[0, 0, :32]).all()
    assert np.isnan(actual[0, 0, 63]).all()


def test_a_second_mask_may_leave_a_row_nothing_but_low_numbers(gpu, tmp_path):
    net = Network()
    q, k, v = (net.input(1, 2, 40, 16) for _ in range(3))
    padding = net.fed(np.where(np.arange(40) < 9, LOWEST, 0.0)[None, None, None])  # of the left
    masked = net.add("Add", scores(net, q, k, 0.25, "mul"), net.constant(causal(40, 40, masked=LOWEST)))
    masked = net.add("Add", masked, padding)
    path = net.save(tmp_path, net.add("MatMul", net.add("Softmax", masked, axis=-1), v))
    assert how_attended(path).seen is None


def test_the_work_of_a_causal_mask_is_counted(tmp_path):
    counts = []
    for mask in (np.zeros((64, 64)) + 0.5, causal(64, 64)):
        net = Network()
        q, k, v = (net.input(1, 1, 64, 16) for _ in range(3))
        masked = net.add("Add", scores(net, q, k, 0.25, "mul"), net.constant(mask))
        path = net.save(tmp_path, net.add("MatMul", net.add("Softmax", masked, axis=-1), v))
        counts.append(how_attended(path).multiply_adds)
    assert counts == [64 * 64 * 32, 64 * 65 // 2 * 32]


def test_the_node_suite(gpu):
    outcomes = onnx_suite.run_cases(gpu, onnx_suite.select(["Attention"], []))
    assert [each for each in outcomes if each.status == "wrong"] == []
    assert sum(each.status == "passed" for each in outcomes) >= 80


@pytest.fixture(scope="module")
def plain(gpu):
    """A device with no feature and WebGPU's default limits: 16 KiB of workgroup memory, 128 MiB a binding."""
    device = Gpu.open(gpu.adapter.name, features=())
    yield device
    device.close()


@pytest.mark.parametrize(
    ("heads", "queries", "head", "workgroups"),
    [
        (1, 9, 128, 1),  # a thread's own rows
        (2, 70, 36, 2),  # 32 rows a tile
        (1, 20, 128, 128),  # 16 rows, Q kept in workgroup memory
        (1, 20, 132, 128),  # 16 rows, Q read again for each tile of keys
    ],
)
def test_the_kernels_on_a_plain_device(plain, tmp_path, heads, queries, head, workgroups):
    net = Network()
    q, k, v = net.input(1, heads, queries, head), net.input(1, heads, 45, head), net.input(1, heads, 45, head)
    y = net.add("MatMul", net.add("Softmax", scores(net, q, k, head**-0.5, "mul"), axis=-1), v)
    check(plain, tmp_path, net, y, workgroups=(workgroups,))


def test_operations_are_counted(tmp_path):
    net = Network()
    q, k, v = net.input(1, 3, 6, 8), net.input(1, 3, 9, 8), net.input(1, 3, 9, 5)
    path = net.save(
        tmp_path, net.add("MatMul", net.add("Softmax", scores(net, q, k, 0.3, "mul"), axis=-1), v)
    )
    (cost,) = node_costs(build_graph(path))
    assert (cost.op, cost.flops) == ("ScaledDotProductAttention", 2 * 3 * 6 * 9 * (8 + 5))


# -- rows that are masked, and numbers that are none ---------------------------------------------------------


def masked_network(value, *, guard, where):
    """Rows that are masked in part, in their first tile, and everywhere."""
    net = Network()
    q, k, v = net.input(2, 5, 8), net.input(2, 8, 37), net.input(2, 37, 8)
    mask = np.zeros((5, 37), bool)
    mask[1], mask[2, 3:30], mask[3, :33] = True, True, True
    s = net.add("MatMul", q, k)
    if where:
        s = net.add("Where", net.constant(mask), net.constant(np.array(value, np.float32)), s)
    else:
        s = net.add("Add", s, net.constant(np.where(mask, value, 0.0)))
    p = net.add("Softmax", s, axis=-1)
    if guard:
        p = net.add("Where", net.add("IsNaN", p), net.constant(np.array(0.0)), p)
    return net, net.add("MatMul", p, v)


def same(gpu, folder, net, output):
    """Like onnxruntime, and NaN or infinite where it is."""
    path = net.save(folder, output)
    expected = reference(path, net.feeds)["y"]
    for workgroups in (1, 128):
        actual, kernels = run(gpu, path, net.feeds, workgroups=workgroups)
        assert kernels == ["attention"]
        np.testing.assert_allclose(actual, expected, rtol=1e-5, atol=1e-6)
    return expected


@pytest.mark.parametrize("guard", [False, True])
@pytest.mark.parametrize(
    ("value", "where"),
    [(-np.inf, False), (LOWEST, False), (-1e9, False), (-1e4, False), (-np.inf, True), (LOWEST, True)],
)
def test_masked_rows(gpu, tmp_path, value, where, guard):
    expected = same(gpu, tmp_path, *masked_network(value, guard=guard, where=where))
    assert np.isnan(expected).any() == (value == -np.inf and not guard)


@pytest.mark.parametrize("workgroups", [1, 128])
@pytest.mark.parametrize("value", [-np.inf, -6e4])
def test_masked_rows_in_16_bits(gpu, tmp_path, value, workgroups):
    """NaN stays NaN; a row of the same finite numbers is no mask."""
    needs_halves(gpu)
    net = Network(half=True)
    q, k, v = net.input(2, 5, 8), net.input(2, 8, 37), net.input(2, 37, 8)
    mask = np.zeros((5, 37))
    mask[1], mask[2, 3:30] = value, value
    s = net.add("Add", net.add("MatMul", q, k), net.constant(mask))
    path = net.save(tmp_path, net.add("MatMul", net.add("Softmax", s, axis=-1), v))
    expected = reference(path, net.feeds)["y"]
    actual, kernels = run(gpu, path, net.feeds, workgroups=workgroups, precision="fp16")
    assert kernels == ["attention"]
    assert np.isnan(expected[:, 1]).all() == (value == -np.inf)
    np.testing.assert_array_equal(np.isnan(actual), np.isnan(expected))
    rows = [0, 2, 3, 4]  # in the other one onnxruntime rounds the scores to multiples of 32
    assert relative_error(actual[:, rows], expected[:, rows]) <= TOLERANCE["fp16"]


@pytest.mark.parametrize("scale", [1e3, 3e18, 3e19])
@pytest.mark.parametrize("guard", [False, True])
def test_large_scores(gpu, tmp_path, scale, guard):
    """Weights of 0 and 1; with the last scale scores overflow."""
    net, y = masked_network(0.0, guard=guard, where=False)
    for name in ("in0", "in1"):
        net.feeds[name] *= np.float32(scale)
    same(gpu, tmp_path, net, y)


@pytest.mark.parametrize(("name", "value"), [("in0", np.nan), ("in1", np.nan), ("in2", np.inf)])
@pytest.mark.parametrize("guard", [False, True])
def test_numbers_that_are_none(gpu, tmp_path, name, value, guard):
    net, y = masked_network(0.0, guard=guard, where=False)
    net.feeds[name][0, -1, 5] = value
    same(gpu, tmp_path, net, y)


# -- what stays as it is -------------------------------------------------------------------------------------


def unfused(gpu, folder, net, output):
    path = net.save(folder, output)
    actual, kernels = run(gpu, path, net.feeds)
    assert "softmax" in kernels and "attention" not in kernels
    assert relative_error(actual, reference(path, net.feeds)["y"]) <= 1e-5


def test_weights_that_are_read_elsewhere(gpu, tmp_path):
    net = Network()
    q, k, v = net.input(1, 2, 6, 8), net.input(1, 2, 6, 8), net.input(1, 2, 6, 6)
    p = net.add("Softmax", scores(net, q, k, 0.3, "mul"), axis=-1)
    unfused(gpu, tmp_path, net, net.add("Add", net.add("MatMul", p, v), p))


def test_a_softmax_of_columns(gpu, tmp_path):
    net = Network()
    q, k, v = net.input(1, 2, 6, 8), net.input(1, 2, 6, 8), net.input(1, 2, 6, 6)
    p = net.add("Softmax", scores(net, q, k, 0.3, "mul"), axis=2)
    unfused(gpu, tmp_path, net, net.add("MatMul", p, v))


def test_wide_heads_and_capped_scores(gpu, tmp_path):
    net = Network()
    q, k, v = net.input(1, 1, 3, 260), net.input(1, 1, 4, 260), net.input(1, 1, 4, 8)
    unfused(
        gpu, tmp_path, net, net.add("MatMul", net.add("Softmax", scores(net, q, k, 0.1, "mul"), axis=-1), v)
    )
    net = Network()
    q, k, v = (net.input(1, 2, 6, 8) for _ in range(3))
    s = net.add("Tanh", scores(net, q, k, 0.3, "mul"))
    unfused(gpu, tmp_path, net, net.add("MatMul", net.add("Softmax", s, axis=-1), v))


def test_a_kept_tensor_is_computed(gpu, tmp_path):
    net = Network()
    q, k, v = (net.input(1, 2, 6, 8) for _ in range(3))
    p = net.add("Softmax", scores(net, q, k, 0.3, "mul"), axis=-1)
    path = net.save(tmp_path, net.add("MatMul", p, v))
    session = session_for(gpu, path, keep=[p])
    assert "softmax" in [dispatch.kernel for dispatch in session.plan.dispatches]
    session.close()


# -- properties ----------------------------------------------------------------------------------------------

LENGTHS = (1, 7, 50, 197, 257)


@given(
    heads=st.integers(1, 3),
    queries=st.sampled_from(LENGTHS),
    keys=st.sampled_from(LENGTHS),
    head=st.sampled_from((8, 16, 32, 40, 64, 80, 128, 6)),
    width=st.sampled_from((None, 8, 24, 5)),
    mask=st.sampled_from(("none", "keys", "heads", "all", "infinite")),
    way=st.sampled_from(WAYS),
    workgroups=st.sampled_from((1, 2, 128)),
    precision=st.sampled_from(("fp32", "fp16")),
)
@settings(max_examples=24, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
def test_sizes(gpu, tmp_path_factory, heads, queries, keys, head, width, mask, way, workgroups, precision):
    if precision == "fp16" and not gpu.has("shader-f16"):
        precision = "fp32"
    net = Network(half=precision == "fp16")
    q, k = net.input(1, heads, queries, head), net.input(1, heads, keys, head)
    v = net.input(1, heads, keys, width or head)
    s = scores(net, q, k, head**-0.5, way)
    shapes = {"keys": (1, 1, 1, keys), "heads": (1, heads, queries, keys), "all": (queries, keys)}
    if mask == "infinite":
        kept = net.random.random((queries, keys)) < 0.5
        kept[:, net.random.integers(keys)] = True
        s = net.add("Add", s, net.constant(np.where(kept, 0.0, -np.inf)))
    elif mask != "none":
        s = net.add("Add", s, net.input(*shapes[mask], scale=2.0))
    y = net.add("MatMul", net.add("Softmax", s, axis=-1), v)
    folder = tmp_path_factory.mktemp("sizes")
    check(gpu, folder, net, y, workgroups=(workgroups,), precision=precision)
