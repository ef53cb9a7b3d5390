"""Normalizations of a product's rows, which go with the product (passes/join_normalizations.py)."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from nn_cases import check, needs_halves, reference, relative_error, save, session_for
from onnx import helper

from desktop.compute.nn.compile.driver import build_graph
from desktop.compute.nn.kernels.normalization import RowNormalization

TOLERANCE = {"fp32": 2e-5, "fp16": 3e-3}


def rand(seed, *shape):
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


def _block(folder, depth, columns, kind="LayerNormalization", form="MatMul", rows=197, scaled=True):
    """y + norm(y) of y = x W + b + r; `form`: a plain product of three dimensions, or one of rows with a
    Reshape behind it.
    """
    weights = rand(1, depth, columns) / np.float32(np.sqrt(depth))
    nodes = [helper.make_node("Neg", ["x"], ["m"])]
    if form == "MatMul":
        nodes += [helper.make_node("MatMul", ["m", "w"], ["p"]), helper.make_node("Add", ["p", "b"], ["t"])]
    else:
        nodes += [
            helper.make_node("Reshape", ["m", "flat"], ["f"]),
            helper.make_node("Gemm", ["f", "w", "b"], ["p"]),
            helper.make_node("Reshape", ["p", "deep"], ["t"]),
        ]
    factors = ["scale", "bias"] if scaled and kind == "LayerNormalization" else ["scale"]
    nodes += [
        helper.make_node("Add", ["t", "r"], ["s"]),
        helper.make_node(kind, ["s", *factors], ["n"], epsilon=1e-6),
        helper.make_node("Add", ["s", "n"], ["y"]),
    ]
    constants = {
        "w": weights,
        "b": rand(2, columns),
        "scale": rand(3, columns),
        "bias": rand(4, columns),
        "flat": np.array([-1, depth]),
        "deep": np.array([1, -1, columns]),
    }
    inputs = {"x": (1, rows, depth), "r": (1, rows, columns)}
    return save(folder / "m.onnx", nodes, inputs, "y", constants, opset=23 if kind[0] == "R" else 17)


def _run(gpu, path, rows, depth, columns, precision, workgroups=128):
    feeds = {"x": rand(9, 1, rows, depth), "r": rand(8, 1, rows, columns) + 1}
    session = session_for(gpu, path, workgroups=workgroups, precision=precision)
    found, dispatches = session.run(feeds)["y"], session.plan.dispatches
    session.close()
    assert relative_error(found, reference(path, feeds)["y"]) <= TOLERANCE[precision]
    return dispatches


@pytest.mark.parametrize("precision", ["fp32", "fp16"])
@pytest.mark.parametrize("form", ["MatMul", "Gemm"])
@pytest.mark.parametrize("kind", ["LayerNormalization", "RMSNormalization"])
@pytest.mark.parametrize("scaled", [True, False])
def test_what_adds_the_shares_up_normalizes_them(gpu, tmp_path, precision, form, kind, scaled):
    """One dispatch writes both results."""
    needs_halves(gpu, precision)
    path = _block(tmp_path, 3072, 768, kind, form, scaled=scaled)
    both = [each for each in _run(gpu, path, 197, 3072, 768, precision) if len(each.writes) == 2]
    assert [each.kernel for each in both] == ["normalize_rows"]
    assert both[0].writes[0] != both[0].writes[1]


@pytest.mark.parametrize(("rows", "depth", "columns", "workgroups"), [(700, 64, 512, 8), (9, 128, 64, 1)])
def test_without_shares_it_is_a_dispatch_of_its_own(gpu, tmp_path, rows, depth, columns, workgroups):
    """Where the product fills the GPU, and on an adapter that computes on the CPU."""
    path = _block(tmp_path, depth, columns, rows=rows)
    dispatches = _run(gpu, path, rows, depth, columns, "fp32", workgroups)
    assert all(len(each.writes) == 1 for each in dispatches)
    assert any(each.kernel.startswith("normalize") for each in dispatches)


@pytest.mark.parametrize("changed", ["product", "normalization", "kept", "few"])
def test_what_a_product_does_not_take(tmp_path, changed):
    """Results that are the network's, and products of few terms."""
    path = _block(tmp_path, 32 if changed == "few" else 256, 256, rows=9)
    keep = {"product": ["s"], "normalization": ["n"]}.get(changed, [])
    graph = build_graph(path, keep=keep)
    joined = [node for node in graph.nodes if node.detail(RowNormalization) is not None]
    assert len(joined) == (changed in ("normalization", "kept"))


def test_only_the_first_of_two_goes_with_it(gpu, tmp_path):
    weights = rand(1, 2048, 256) / np.float32(45)
    nodes = [
        helper.make_node("MatMul", ["x", "w"], ["p"]),
        helper.make_node("LayerNormalization", ["p", "one"], ["n"]),
        helper.make_node("LayerNormalization", ["p", "two"], ["m"]),
        helper.make_node("Sub", ["n", "m"], ["y"]),
    ]
    constants = {"w": weights, "one": rand(2, 256), "two": rand(3, 256)}
    path = save(tmp_path / "m.onnx", nodes, {"x": (1, 60, 2048)}, "y", constants, opset=17)
    feeds = {"x": rand(4, 1, 60, 2048)}
    session = session_for(gpu, path, workgroups=128)
    found, kernels = session.run(feeds)["y"], [each.kernel for each in session.plan.dispatches]
    session.close()
    assert kernels.count("normalize_rows") == 2
    assert relative_error(found, reference(path, feeds)["y"]) <= TOLERANCE["fp32"]


SEARCH = settings(max_examples=40, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))


@SEARCH
@given(
    product=st.sampled_from(["MatMul", "Gemm", "Gemm transA", "Gemm transB"]),
    batch=st.sampled_from([(), (2,), (2, 3)]),
    rows=st.integers(1, 40),
    depth=st.sampled_from([64, 66, 67, 300, 1024]),
    columns=st.sampled_from([64, 68, 70, 71]),
    bias=st.sampled_from(["", "column", "row", "number"]),
    residual=st.sampled_from(["", "whole", "row", "column", "item"]),
    workgroups=st.sampled_from([1, 24, 132]),
)
def test_whatever_computes_the_product(gpu, product, batch, rows, depth, columns, bias, residual, workgroups):
    """Every way to compute a product gives both results: dense ones, and those of what no dense kernel takes."""
    batch = () if product != "MatMul" else batch
    first = (depth, rows) if product.endswith("transA") else (*batch, rows, depth)
    second = (columns, depth) if product.endswith("transB") else (depth, columns)
    attributes = {product[5:]: 1} if " " in product else {}
    inputs, names = {"x": first}, ["x", "w"]
    constants = {"w": rand(1, *second) / np.float32(np.sqrt(depth)), "scale": rand(2, columns)}
    if bias and product != "MatMul":
        names.append("b")
        constants["b"] = rand(3, *{"column": (columns,), "row": (rows, 1), "number": (1,)}[bias])
    nodes = [helper.make_node(product.split()[0], names, ["p"], **attributes)]
    if residual:
        inputs["r"] = {
            "whole": (*batch, rows, columns),
            "row": (*batch, rows, 1),
            "column": (columns,),
            "item": (*batch, 1, columns),
        }[residual]
        nodes.append(helper.make_node("Add", ["p", "r"], ["s"]))
    last = "s" if residual else "p"
    nodes += [
        helper.make_node("LayerNormalization", [last, "scale"], ["n"]),
        helper.make_node("Add", [last, "n"], ["y"]),
    ]
    feeds = {name: rand(7, *shape) for name, shape in inputs.items()}
    with tempfile.TemporaryDirectory() as folder:
        path = save(Path(folder) / "m.onnx", nodes, inputs, "y", constants, opset=17)
        check(gpu, path, feeds, tolerance=2e-5, workgroups=workgroups)
