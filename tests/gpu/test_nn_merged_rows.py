"""Products of one row that is spread over larger tensors are one product, and compute what onnxruntime does."""

from __future__ import annotations

from importlib import import_module

import numpy as np
import pytest
from nn_cases import check, needs_halves, save, session_for
from onnx import helper

SIZE = 9
DEPTH = 40
WIDTHS = (8, 20, 12)
node = helper.make_node


def _blocks(
    folder, *, widths=WIDTHS, rank=4, rows=1, prepare=None, attributes=None, activation="", spread="Add"
):
    """A picture with a convolution for each width, to which a product of the row 't' is added.

    The first weights are (columns, depth), the others (depth, columns); the second product has no bias.
    """
    rng = np.random.default_rng(3)
    constants: dict[str, np.ndarray] = {"axes": np.arange(2, rank, dtype=np.int64)}
    nodes = [node("Sigmoid", ["t"], ["s"])]
    parts = []
    for at, width in enumerate(widths):
        constants[f"c{at}"] = rng.standard_normal((width, 6, *[1] * (rank - 2))).astype(np.float32) * 0.4
        shape = (width, DEPTH) if at == 0 else (DEPTH, width)
        constants[f"w{at}"] = rng.standard_normal(shape).astype(np.float32) * 0.2
        constants[f"b{at}"] = rng.standard_normal(width).astype(np.float32)
        row = f"p{at}"
        given = ["s", f"w{at}"] + ([] if at == 1 else [f"b{at}"])
        nodes.append(node("Gemm", given, [row], transB=int(at == 0), **(attributes or {})))
        if activation:
            nodes.append(node(activation, [row], [f"a{at}"]))
            row = f"a{at}"
        nodes += [node("Conv", ["x", f"c{at}"], [f"f{at}"]), node("Relu", [f"f{at}"], [f"r{at}"])]
        nodes += [
            node("Unsqueeze", [row, "axes"], [f"u{at}"]),
            node(spread, [f"r{at}", f"u{at}"], [f"y{at}"]),
        ]
        parts.append(f"y{at}")
    nodes.append(node("Concat", parts, ["j"], axis=1))
    nodes.append(node("Relu", ["j"], ["y"]))
    if prepare is not None:
        prepare(nodes, constants)
    shapes = {"x": (rows, 6, *[SIZE] * (rank - 2)), "t": (rows, DEPTH)}
    used = {name for each in nodes for name in each.input}
    path = save(folder / "m.onnx", nodes, shapes, "y", {k: v for k, v in constants.items() if k in used})
    return path, {name: rng.standard_normal(shape).astype(np.float32) for name, shape in shapes.items()}


def _products(gpu, path, **options):
    """The nodes of the plan's dispatches that are made of a Gemm, and their number in all."""
    session = session_for(gpu, path, **options)
    found = [each.node for each in session.plan.dispatches]
    session.close()
    return [name for name in found if "p0" in name or "p1" in name or "p2" in name], len(found)


@pytest.mark.parametrize("workgroups", [None, 128])
@pytest.mark.parametrize("rank", [3, 4, 5])
@pytest.mark.parametrize("spread", ["Add", "Mul"])
def test_rows_are_one_product(gpu, tmp_path, rank, spread, workgroups):
    path, feeds = _blocks(tmp_path, rank=rank, spread=spread)
    check(gpu, path, feeds, workgroups=workgroups)
    assert len(_products(gpu, path, workgroups=workgroups)[0]) == 1


def _step_by_step(nodes, constants):
    """Each dimension is added by a node of its own."""
    constants |= {"second": np.int64([2]), "third": np.int64([3])}
    for place, each in reversed(list(enumerate(nodes))):
        if each.op_type == "Unsqueeze":
            between = f"{each.output[0]}b"
            nodes[place : place + 1] = [
                node("Unsqueeze", [each.input[0], "second"], [between]),
                node("Unsqueeze", [between, "third"], [each.output[0]]),
            ]


def test_rows_that_are_reshaped_in_steps(gpu, tmp_path):
    path, feeds = _blocks(tmp_path, prepare=_step_by_step)
    check(gpu, path, feeds)
    assert len(_products(gpu, path)[0]) == 1


def test_a_group_ends_where_its_weights_are_too_large_to_be_bound(gpu, tmp_path, monkeypatch):
    """The first two have 1120 numbers, and the third begins a group of its own."""
    monkeypatch.setattr(import_module("desktop.compute.nn.passes.merge_rows"), "_LARGEST", 1200)
    path, feeds = _blocks(tmp_path)
    check(gpu, path, feeds)
    assert len({*_products(gpu, path)[0]}) == 2


def _shared(nodes, constants):
    """Two rows have the same weights."""
    gemms = [each for each in nodes if each.op_type == "Gemm"]
    gemms[2].input[1] = "w1"


def test_rows_in_16_bits(gpu, tmp_path):
    needs_halves(gpu)
    path, feeds = _blocks(tmp_path)
    check(gpu, path, feeds, tolerance=4e-3, precision="fp16")


def test_rows_are_not_copied(gpu, tmp_path):
    """Beside a network without them: the Sigmoid and the product are the only dispatches more."""
    path, _ = _blocks(tmp_path)
    count = _products(gpu, path)[1]

    def without(nodes, constants):
        kept = [each for each in nodes if each.op_type not in ("Sigmoid", "Gemm", "Unsqueeze")]
        constants |= {f"u{at}": np.ones((1, width, 1, 1), np.float32) for at, width in enumerate(WIDTHS)}
        nodes[:] = kept

    bare, _ = _blocks(tmp_path, prepare=without)
    assert count == _products(gpu, bare)[1] + 2


def _read_twice(nodes, constants):
    """One of the three rows is also summed up."""
    nodes.insert(-1, node("ReduceSum", ["p0"], ["q"]))
    nodes[-1] = node("Add", ["j", "q"], ["y"])


def _folded(nodes, constants):
    """The weights of one row are computed from a constant."""
    nodes.insert(0, node("Neg", ["w1"], ["v1"]))
    for each in nodes:
        if each.op_type == "Gemm" and each.input[1] == "w1":
            each.input[1] = "v1"


@pytest.mark.parametrize(
    ("options", "products"),
    [
        ({"widths": (8, 10, 6)}, 3),  # parts of vec4s cannot be read in place
        ({"widths": (8, 10, 12)}, 2),
        ({"attributes": {"alpha": 0.5}}, 3),
        ({"activation": "Tanh"}, 3),  # which is in the dispatch of each product
        ({"rows": 2}, 3),
        ({"prepare": _read_twice}, 2),
        ({"widths": (8, 12, 12), "prepare": _shared}, 3),  # which would be stored twice
    ],
    ids=[
        "no vec4s",
        "one of no vec4s",
        "scaled",
        "an activation",
        "two rows",
        "read twice",
        "shared weights",
    ],
)
def test_others_stay(gpu, tmp_path, options, products):
    path, feeds = _blocks(tmp_path, **options)
    check(gpu, path, feeds)
    assert len({*_products(gpu, path)[0]}) == products


def test_weights_that_are_folded_are_constant(gpu, tmp_path):
    path, feeds = _blocks(tmp_path, prepare=_folded)
    check(gpu, path, feeds)
    assert len(_products(gpu, path)[0]) == 1


@pytest.mark.parametrize("dtype", [np.float32, np.int32, np.int64])
def test_parts_of_a_row_that_is_an_input(gpu, tmp_path, dtype):
    """Whole vec4s of a single pixel, read in place where they are floats."""
    nodes = [
        node("Split", ["x", "sizes"], ["a", "b"], axis=1),
        node("Neg", ["a"], ["c"]),
        node("Concat", ["b", "c"], ["y"], axis=1),
    ]
    kind = helper.np_dtype_to_tensor_dtype(np.dtype(dtype))
    path = save(tmp_path / "m.onnx", nodes, {"x": (1, 12)}, "y", {"sizes": np.int64([8, 4])}, dtype=kind)
    check(gpu, path, {"x": np.arange(12).reshape(1, 12).astype(dtype)})
