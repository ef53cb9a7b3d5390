"""Concats that share memory: what is joined again and again is written once, and always what onnxruntime has."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from nn_cases import reference, relative_error, save
from onnx import helper

from desktop.compute.nn.compile.driver import build_graph, make_plan
from desktop.compute.nn.compile.target import target_of
from desktop.compute.nn.passes.placement import place_concats
from desktop.compute.nn.runtime.session import WgpuSession


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

    def join(self, *parts):
        name = f"v{len(self.nodes)}"
        self.nodes.append(helper.make_node("Concat", list(parts), [name], axis=1))
        self.channels[name] = sum(self.channels[part] for part in parts)
        return name

    def check(self, gpu, path, output):
        """Against onnxruntime; the kernels of the plan."""
        self.nodes.append(helper.make_node("Neg", [output], ["y"]))
        save(path, self.nodes, {"x": (2, 8, 5, 4)}, "y", self.constants)
        feeds = {"x": self.random.standard_normal((2, 8, 5, 4)).astype(np.float32)}
        session = WgpuSession.load(gpu, path, precision="fp32")
        found = session.run(feeds)["y"]
        kernels = [dispatch.kernel for dispatch in session.plan.dispatches]
        session.close()
        assert relative_error(found, reference(path, feeds)["y"]) <= 1e-5
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
    """ESRGAN: a convolution may not write into the memory that it reads, so that each part is copied there,
    once.
    """
    net = Network()
    parts = [net.conv("x", 12)]
    joined = parts[0]
    for _ in range(LAYERS):
        parts.append(net.conv(joined, 8, size=3))
        joined = net.join(joined, parts[-1]) if nested else net.join(*parts)
    kernels = net.check(gpu, tmp_path / "m.onnx", joined)
    assert kernels.count("elementwise") <= LAYERS + 3


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
    assert set(placed) == {first, a, b}
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
