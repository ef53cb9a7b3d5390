"""A network in 16 bits that leaves their range says so once, whatever reads its results; one that stays
inside, or means it, says nothing.
"""

from __future__ import annotations

import subprocess
import sys
from itertools import pairwise

import numpy as np
import pytest
from nn_cases import needs_halves, reference, save
from onnx import helper

from desktop.base.notices import forward_notices
from desktop.compute.nn.runtime.session import WgpuSession

SHAPE = (1, 16, 12, 12)
LOWEST = np.finfo(np.float32).min


@pytest.fixture(autouse=True)
def _halves(gpu):
    needs_halves(gpu)


@pytest.fixture
def said():
    """What is said to whoever uses the program."""
    found: list[str] = []
    with forward_notices(found.append):
        yield found


def rand(shape=SHAPE, seed=0):
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


def node(op, inputs, output, **attributes):
    return helper.make_node(op, inputs, [output], name=f"{op.lower()}_{output}", **attributes)


def overflowing(tmp_path, *, scale=60.0):
    """Three convolutions, of which the second is far beyond 65504 at a scale of 60 and the third, by Tanh,
    within 1.
    """
    weights = rand((16, 16, 3, 3), 1)
    nodes = [
        node("Conv", ["x", "w"], "a", pads=[1] * 4),
        node("Conv", ["a", "w"], "b", pads=[1] * 4),
        node("Conv", ["b", "v"], "c", pads=[1] * 4),
        node("Tanh", ["c"], "y"),
    ]
    return save(
        tmp_path / "deep.onnx",
        nodes,
        {"x": SHAPE},
        "y",
        {"w": weights * scale, "v": weights / scale**2 / 500},
    )


def record(gpu, session, cuts):
    """One inference, recorded in parts as a frame's are."""
    for start, stop in pairwise(cuts):
        encoder = gpu.command_encoder()
        compute_pass = encoder.begin_compute_pass()
        session.encode(compute_pass, start, stop)
        compute_pass.end()
        gpu.queue.submit([encoder.finish()])


def feed(gpu, session, array):
    tensor = session.tensor("x")
    gpu.queue.write_buffer(tensor.buffer, tensor.offset, array.astype(tensor.dtype).tobytes())


def test_sums_that_overflow_and_come_back_are_said_once(gpu, tmp_path, said):
    path = overflowing(tmp_path)
    session = WgpuSession.load(gpu, path, precision="fp16")
    found = [session.run({"x": rand()})["y"] for _ in range(5)][-1]
    session.close()
    expected = reference(path, {"x": rand()})["y"]
    # Nothing of the result itself tells: it is finite, within 1, and wrong.
    assert np.isfinite(found).all() and np.abs(found).max() <= 1 and np.abs(found - expected).max() > 0.1
    assert said == [
        "deep.onnx: values of 'conv_b' are beyond 65504, where 16-bit floats end, so that its results may be wrong; choose the "
        "precision fp32 or another backend."
    ]


@pytest.mark.parametrize("bounds", [{"min": 0.0}, {"min": 0.0, "max": float(np.finfo(np.float32).max)}])
def test_a_bound_that_only_holds_infinities_means_nothing(gpu, tmp_path, said, bounds):
    """The bound that a Clip of old opsets has where it is left out, and as some exporters write it."""
    nodes = [node("Conv", ["x", "w"], "a", pads=[1] * 4), node("Clip", ["a"], "b", **bounds)]
    nodes.append(node("Conv", ["b", "v"], "y", pads=[1] * 4))
    weights = rand((16, 16, 3, 3), 1)
    constants = {"w": weights * 8000, "v": weights / 8000}
    session = WgpuSession.load(
        gpu, save(tmp_path / "m.onnx", nodes, {"x": SHAPE}, "y", constants, opset=10), precision="fp16"
    )
    session.run({"x": rand()})
    session.close()
    assert len(said) == 1 and "beyond 65504" in said[0]


@pytest.mark.parametrize("precision", ["fp32", "fp16"])
def test_nothing_is_said_in_range(gpu, tmp_path, said, precision):
    """Nor in float32, where the same network is right."""
    scale = 60.0 if precision == "fp32" else 0.1
    session = WgpuSession.load(gpu, overflowing(tmp_path, scale=scale), precision=precision)
    for seed in range(4):
        session.run({"x": rand(seed=seed)})
    session.close()
    assert said == []


@pytest.mark.parametrize("parts", [1, 2])
def test_what_is_recorded_into_frames_is_looked_through(gpu, tmp_path, said, parts):
    """In one part or several; said as the next picture begins."""
    session = WgpuSession.load(gpu, overflowing(tmp_path), precision="fp16")
    feed(gpu, session, rand())
    cuts = [0, 2, session.dispatch_count] if parts == 2 else [0, session.dispatch_count]
    record(gpu, session, cuts)
    assert said == []
    record(gpu, session, cuts)
    assert len(said) == 1 and "'conv_b'" in said[0]
    session.close()
    assert len(said) == 1


def test_a_single_picture_is_said_of_when_the_network_is_closed(gpu, tmp_path, said):
    session = WgpuSession.load(gpu, overflowing(tmp_path), precision="fp16")
    feed(gpu, session, rand())
    record(gpu, session, [0, session.dispatch_count])
    session.close()
    assert len(said) == 1


def test_a_picture_later_is_said_of_while_it_is_looked(gpu, tmp_path, said):
    """The first picture is black."""
    session = WgpuSession.load(gpu, overflowing(tmp_path), precision="fp16")
    session.run({"x": np.zeros(SHAPE, np.float32)})
    assert said == []
    session.run({"x": rand()})
    session.close()
    assert len(said) == 1


def test_results_are_those_without_a_look(gpu, tmp_path, said):
    """The first runs give what later ones give."""
    session = WgpuSession.load(gpu, overflowing(tmp_path, scale=0.5), precision="fp16")
    first, *others = (session.run({"x": rand()})["y"] for _ in range(6))
    session.close()
    for other in others:
        np.testing.assert_array_equal(other, first)


@pytest.mark.parametrize("end", [np.inf, -np.inf, np.nan])
def test_what_the_input_brings(gpu, tmp_path, said, end):
    """What is infinite in the input is its own."""
    x = rand()
    x[0, 3, 5, 5] = end
    path = save(tmp_path / "m.onnx", [node("Abs", ["x"], "a"), node("Neg", ["a"], "y")], {"x": SHAPE}, "y")
    session = WgpuSession.load(gpu, path, precision="fp16")
    session.run({"x": x})
    session.close()
    assert said == []


MASKS = {
    "where": ([node("Where", ["c", "x", "low"], "m"), node("Softmax", ["m"], "y", axis=-1)], {"low": LOWEST}),
    "added": ([node("Add", ["x", "mask"], "m"), node("Softmax", ["m"], "y", axis=-1)], {}),
    "multiplied": (
        [
            node("Cast", ["c"], "f", to=1),
            node("Mul", ["f", "low"], "m"),
            node("Add", ["m", "x"], "n"),
            node("Softmax", ["n"], "y", axis=-1),
        ],
        {"low": np.float32(-1e9)},
    ),
    "infinite": (
        [node("Where", ["c", "x", "low"], "m"), node("Softmax", ["m"], "y", axis=-1)],
        {"low": np.float32(-np.inf)},
    ),
}


@pytest.mark.parametrize("kind", MASKS)
def test_masks_of_the_lowest_number_are_meant(gpu, tmp_path, said, kind):
    """As exporters of transformers write them."""
    nodes, constants = MASKS[kind]
    open_ = np.tril(np.ones((12, 12), bool))
    constants = {**constants, "c": open_, "mask": np.where(open_, np.float32(0), np.float32(LOWEST))}
    used = {name for each in nodes for name in each.input}
    path = save(
        tmp_path / "m.onnx",
        nodes,
        {"x": SHAPE},
        "y",
        {k: np.asarray(v) for k, v in constants.items() if k in used},
    )
    session = WgpuSession.load(gpu, path, precision="fp16")
    found = session.run({"x": rand()})["y"]
    session.close()
    assert said == []
    np.testing.assert_allclose(found, reference(path, {"x": rand()})["y"], atol=2e-3)


def test_the_command_line_says_it_on_standard_error(tmp_path):
    path = overflowing(tmp_path)
    np.savez(tmp_path / "in.npz", x=rand())
    command = [sys.executable, "-m", "desktop", "model", "run", str(path), "--backend", "wgpu"]
    command += [
        "--precision",
        "fp16",
        "--input",
        str(tmp_path / "in.npz"),
        "--output",
        str(tmp_path / "out.npz"),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120)
    assert done.stderr.count("values of 'conv_b' are beyond 65504") == 1
    assert "beyond" not in done.stdout
