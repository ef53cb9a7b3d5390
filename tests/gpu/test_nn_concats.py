"""Concats that share memory: what is joined again and again is written once, and always what onnxruntime has."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from nn_cases import needs_halves, reference, relative_error, save, session_for
from onnx import helper

from desktop.compute.nn.compile.driver import build_graph, make_plan
from desktop.compute.nn.compile.target import target_of
from desktop.compute.nn.kernels.shares import Shared
from desktop.compute.nn.kernels.tiles import Tile
from desktop.compute.nn.passes.placement import place_concats

TOLERANCE = {"fp32": 1e-5, "fp16": 3e-3}


class Network:
    """Nodes on pictures of 5 x 4 whose channels are known."""

    def __init__(self):
        self.random = np.random.default_rng(0)
        self.nodes, self.constants, self.channels = [], {}, {"x": 8}

    def conv(self, x, channels, size=1):
        weights, name = f"w{len(self.nodes)}", f"v{len(self.nodes)}"
        shape = (channels, self.channels[x], size, size)
        self.constants[weights] = (self.random.standard_normal(shape) / np.sqrt(np.prod(shape[1:]))).astype(
            np.float32
        )
        self.nodes.append(helper.make_node("Conv", [x, weights], [name], pads=[size // 2] * 4))
        self.channels[name] = channels
        return name

    def act(self, x, op="Neg"):
        name = f"v{len(self.nodes)}"
        self.nodes.append(helper.make_node(op, [x], [name]))
        self.channels[name] = self.channels[x]
        return name

    def leaky(self, x):
        name = f"v{len(self.nodes)}"
        self.nodes.append(helper.make_node("LeakyRelu", [x], [name], alpha=0.2))
        self.channels[name] = self.channels[x]
        return name

    def residual(self, x, other):
        """x * 0.2 + other."""
        scaled, name = f"s{len(self.nodes)}", f"v{len(self.nodes)}"
        self.constants["fifth"] = np.float32(0.2)
        self.nodes += [
            helper.make_node("Mul", [x, "fifth"], [scaled]),
            helper.make_node("Add", [scaled, other], [name]),
        ]
        self.channels[name] = self.channels[x]
        return name

    def depthwise(self, x):
        """Of 3x3."""
        weights, name = f"w{len(self.nodes)}", f"v{len(self.nodes)}"
        channels = self.channels[x]
        self.constants[weights] = self.random.standard_normal((channels, 1, 3, 3)).astype(np.float32) / 3
        self.nodes.append(helper.make_node("Conv", [x, weights], [name], pads=[1] * 4, group=channels))
        self.channels[name] = channels
        return name

    def join(self, *parts):
        name = f"v{len(self.nodes)}"
        self.nodes.append(helper.make_node("Concat", list(parts), [name], axis=1))
        self.channels[name] = sum(self.channels[part] for part in parts)
        return name

    def check(self, gpu, path, output, precision="fp32", workgroups=None):
        """Against onnxruntime; the kernels of the plan, for a GPU of so many workgroups."""
        self.nodes.append(helper.make_node("Neg", [output], ["y"]))
        save(path, self.nodes, {"x": (2, 8, 5, 4)}, "y", self.constants)
        feeds = {"x": self.random.standard_normal((2, 8, 5, 4)).astype(np.float32)}
        session = session_for(gpu, path, precision=precision, workgroups=workgroups)
        found = session.run(feeds)["y"]
        kernels = [dispatch.kernel for dispatch in session.plan.dispatches]
        session.close()
        assert relative_error(found, reference(path, feeds)["y"]) <= TOLERANCE[precision]
        return kernels


LAYERS = 6


@pytest.mark.parametrize("nested", [False, True])
def test_a_dense_block_copies_nothing_twice(gpu, tmp_path, nested):
    """DenseNet: each layer reads everything so far, as one list of all parts or as the last list and one part
    more.
    """
    net = Network()
    parts = [net.conv("x", 12)]
    joined = parts[0]
    for _ in range(LAYERS):
        parts.append(net.conv(net.conv(net.act(joined), 16), 8, size=3))
        joined = net.join(joined, parts[-1]) if nested else net.join(*parts)
    kernels = net.check(gpu, tmp_path / "m.onnx", joined)
    # the input's conversion, a negation a layer and the last one
    assert kernels.count("elementwise") == LAYERS + 2


@pytest.mark.parametrize("nested", [False, True])
def test_a_layer_that_reads_all_so_far_itself(gpu, tmp_path, nested):
    """ESRGAN: each convolution writes behind what it reads, in the same memory."""
    net = Network()
    parts = [net.conv("x", 12)]
    joined = parts[0]
    for _ in range(LAYERS):
        parts.append(net.conv(joined, 8, size=3))
        joined = net.join(joined, parts[-1]) if nested else net.join(*parts)
    kernels = net.check(gpu, tmp_path / "m.onnx", joined)
    assert kernels.count("elementwise") == 2  # the input's conversion and the negation


def _dense_block(net, x, channels, growth, size):
    """A block of RRDB: five convolutions, each of everything so far, and the residual."""
    parts = [x]
    for _ in range(4):
        parts.append(net.leaky(net.conv(parts[0] if len(parts) == 1 else net.join(*parts), growth, size)))
    return net.residual(net.conv(net.join(*parts), channels, size), x)


def test_a_residual_block_of_dense_blocks_is_its_convolutions(gpu, tmp_path):
    """ESRGAN's RRDB is 15 dispatches: activations, both residuals and lists are in the convolutions."""
    net = Network()
    x = first = net.conv("x", 16)
    for _ in range(3):
        x = _dense_block(net, x, 16, 8, 3)
    kernels = net.check(gpu, tmp_path / "m.onnx", net.residual(x, first))
    # the input's conversion, the first convolution, and 5 a block; the negation is in the last one
    assert len(kernels) == 2 + 15


@pytest.mark.parametrize("precision", ["fp32", "fp16"])
@pytest.mark.parametrize(
    ("channels", "growth", "size", "workgroups"),
    [(16, 8, 3, 128), (20, 12, 1, 128), (12, 4, 3, 2), (8, 8, 5, None), (12, 6, 3, 128), (10, 8, 3, None)],
)
def test_a_growing_list_of_any_channels(gpu, tmp_path, channels, growth, size, workgroups, precision):
    """Parts that are not whole vec4s are copied."""
    needs_halves(gpu, precision)
    net = Network()
    y = _dense_block(net, net.conv("x", channels), channels, growth, size)
    kernels = net.check(gpu, tmp_path / "m.onnx", y, precision=precision, workgroups=workgroups)
    if channels % 4 == growth % 4 == 0:
        assert "strided" not in kernels and kernels.count("elementwise") == 1  # the conversion of the input


@pytest.mark.usefixtures("winograd_anywhere")
def test_a_growing_list_of_convolutions_by_winograd(gpu, tmp_path):
    net = Network()
    x = net.conv("x", 64)
    kernels = net.check(gpu, tmp_path / "m.onnx", _dense_block(net, x, 64, 32, 3), workgroups=128)
    assert kernels.count("winograd_output") == 5


def test_a_growing_list_of_shares_of_a_depth(gpu, tmp_path, share_depth):
    share_depth(lambda convolution: Shared(Tile(8, 8, 1, 4, staged=True), 2, 0.0))
    net = Network()
    x = net.conv("x", 16)
    kernels = net.check(gpu, tmp_path / "m.onnx", _dense_block(net, x, 16, 8, 3))
    assert kernels.count("sum_shares") == 6


def test_what_is_written_beside_what_it_reads_may_be_read_elsewhere(gpu, tmp_path):
    """A part is an output, is kept, is read before the list is whole and after; depthwise and element-wise
    parts, residuals out of the list itself, and a list that puts what is read behind what is written.
    """
    net = Network()
    x = net.conv("x", 8)
    a = net.leaky(net.conv(x, 8, 3))
    one = net.join(a, x)
    b = net.residual(net.conv(net.conv(one, 4), 8), a)
    two = net.join(b, a, x)
    c = net.act(b)
    three = net.join(c, b, a, x)
    d = net.depthwise(three)
    e = net.residual(net.conv(net.act(three), 8), c)
    net.check(gpu, tmp_path / "m.onnx", net.join(net.join(d, two), e, three))


def test_a_part_that_one_memory_would_hold_twice(gpu, tmp_path):
    net = Network()
    a, b = net.conv("x", 8), net.conv("x", 4)
    first = net.join(a, b)
    second = net.join(first, a)
    net.check(gpu, tmp_path / "m.onnx", net.join(second, net.act(first), b))


def test_a_smaller_list_that_is_read_by_what_is_written_beside_it(gpu, tmp_path):
    net = Network()
    parts = [net.conv("x", 8) for _ in range(3)]
    middle = net.join(*parts[1:])
    parts.append(net.conv(middle, 4))
    net.check(gpu, tmp_path / "m.onnx", net.join(*parts))


def test_what_does_not_line_up_has_memory_of_its_own(gpu, tmp_path):
    net = Network()
    a, b, c = net.conv("x", 6), net.conv("x", 4), net.conv("x", 8)
    joined = net.join(a, b)
    net.check(gpu, tmp_path / "m.onnx", net.join(c, joined, net.act(joined)))


def test_outputs_are_not_shared(gpu, tmp_path):
    net = Network()
    a, b = net.conv("x", 8), net.conv("x", 4)
    first = net.join(a, b)
    whole = net.join(a, b, net.act(first))
    save(
        tmp_path / "m.onnx",
        [*net.nodes, helper.make_node("Neg", [whole], ["y"])],
        {"x": (2, 8, 5, 4)},
        "y",
        net.constants,
    )
    graph = build_graph(tmp_path / "m.onnx")
    placed = place_concats(graph)
    assert placed[first] == (whole, 0)
    assert placed.keys() >= {first, a, b}
    pinned = build_graph(tmp_path / "m.onnx", keep=[first])
    assert first not in place_concats(pinned)


STEP = st.tuples(
    st.sampled_from(["conv", "conv", "act", "join", "join", "join"]),
    st.lists(st.integers(0, 30), min_size=1, max_size=4),
    st.sampled_from([4, 4, 8, 6, 12]),
)


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=st.lists(STEP, min_size=3, max_size=14), runs=st.booleans())
def test_any_network_of_joins(gpu, tmp_path, steps, runs):
    """Lists of parts in any order and again; `runs`: each list takes up the one before it, so that most of
    them share memory.
    """
    net = Network()
    made, lists = [net.conv("x", 8), net.conv("x", 4)], []
    for kind, picks, channels in steps:
        chosen = [made[pick % len(made)] for pick in picks]
        if kind == "join":
            parts = [*lists[-1], *chosen] if runs and lists else chosen
            if sum(net.channels[part] for part in parts) > 200:
                continue
            lists.append(parts)
            made.append(net.join(*parts))
        else:
            made.append(net.conv(chosen[0], channels) if kind == "conv" else net.act(chosen[0]))
    net.check(gpu, tmp_path / "m.onnx", made[-1])
    target = target_of(gpu, "fp32")
    plan = make_plan(build_graph(tmp_path / "m.onnx"), target)
    assert all(not {*dispatch.writes} & {*dispatch.reads} for dispatch in plan.dispatches)
