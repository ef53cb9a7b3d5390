"""Memory for loading a network beside what the adapter holds, and a prepared file with damaged weights."""

from __future__ import annotations

import json
import logging
import subprocess
import sys

import numpy as np
import pytest
from onnx import TensorProto, helper, numpy_helper

from desktop.compute.nn.compile.cache import SessionCache
from desktop.compute.nn.runtime.session import WgpuSession

SIDE, MATRICES = 1024, 48
WEIGHTS = SIDE * SIDE * 4 * MATRICES  # 201 MB

_LOAD = """
import json, sys
from pathlib import Path
import numpy as np
from desktop.compute.gpu.device import Gpu
from desktop.compute.nn.compile import cache as plans
from desktop.compute.nn.runtime import constants
from desktop.compute.nn.runtime.session import WgpuSession
from desktop.base.trials import peak_memory

constants._AHEAD = constants._STAGED = plans._PIECE = 8 << 20  # as the network is small beside what they are for
gpu = Gpu.open()
small, large, folder = (Path(each) for each in sys.argv[1:])
WgpuSession.load(gpu, small).run({"x": np.ones((1, 1024), np.float32)})
before = peak_memory()
cache = plans.SessionCache(folder)
session = WgpuSession.load(gpu, large, cache=cache)
cache.wait()
y = session.run({"x": np.ones((1, 1024), np.float32)})["y"]
device = session.plan.memory if gpu.adapter.is_software else 0
print(json.dumps([peak_memory() - before, device, float(np.abs(y).sum())]))
"""


def _write(path, matrices, *, inside=False):
    """Square matrices one after the other, a third each as MatMul, Gemm and Transpose want them; returns the
    sum that they give of ones.

    The weights lie beside the network, or `inside` of its file.
    """
    generator = np.random.default_rng(3)
    x, nodes, tensors, offset = np.ones((1, SIDE)), [], [], 0
    with (path.parent / f"{path.name}.data").open("wb") as stream:
        for i in range(matrices):
            weights = generator.standard_normal((SIDE, SIDE), np.float32) / np.float32(SIDE**0.5)
            if inside:
                tensors.append(numpy_helper.from_array(weights, f"w{i}"))
            else:
                stream.write(weights.tobytes())
                tensors.append(_beside(path, f"w{i}", offset, weights.nbytes))
                offset += weights.nbytes
            source, target = f"v{i}" if i else "x", f"v{i + 1}" if i + 1 < matrices else "y"
            if i % 3 == 0:
                nodes.append(helper.make_node("MatMul", [source, f"w{i}"], [target]))
                x = x @ weights
            elif i % 3 == 1:
                nodes.append(helper.make_node("Gemm", [source, f"w{i}"], [target], transB=1))
                x = x @ weights.T
            else:
                nodes.append(helper.make_node("Transpose", [f"w{i}"], [f"t{i}"], perm=[1, 0]))
                nodes.append(helper.make_node("MatMul", [source, f"t{i}"], [target]))
                x = x @ weights.T
    infos = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [1, SIDE]) for name in "xy"]
    graph = helper.make_graph(nodes, "g", infos[:1], infos[1:], tensors)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    path.write_bytes(model.SerializeToString())
    return np.abs(x).sum()


def _beside(path, name, offset, length):
    tensor = TensorProto(
        name=name, data_type=TensorProto.FLOAT, dims=[SIDE, SIDE], data_location=TensorProto.EXTERNAL
    )
    for key, value in {"location": f"{path.name}.data", "offset": offset, "length": length}.items():
        tensor.external_data.add(key=key, value=str(value))
    return tensor


@pytest.mark.parametrize("inside", [False, True], ids=["beside the network", "inside of its file"])
def test_loading_holds_the_weights_once(tmp_path, gpu, inside):
    """Prepared from the file at most 1.5 times the weights beside what the adapter has; from the cache a
    tenth of them, and pieces.

    From the cache a network with its weights inside is read whole to be hashed, and let go of before they are
    uploaded.
    """
    small, large = tmp_path / "small.onnx", tmp_path / "large.onnx"
    _write(small, 3, inside=inside)
    expected = _write(large, MATRICES, inside=inside)
    shares = []
    for _ in range(2):
        done = subprocess.run(
            [sys.executable, "-c", _LOAD, str(small), str(large), str(tmp_path / "cache")],
            capture_output=True, text=True, timeout=600, check=True,
        )  # fmt: skip
        grown, device, found = json.loads(done.stdout.splitlines()[-1])
        assert found == pytest.approx(expected, rel=1e-3)  # float32 sums through 48 products
        shares.append((grown - device) / WEIGHTS)
    cold, warm = shares
    assert cold <= 1.5, shares
    assert warm <= 0.2, shares


def test_a_prepared_file_with_damaged_weights_is_made_anew(tmp_path, gpu, caplog):
    """The damage is found when they are uploaded: the network loads all the same, gives the same, and the
    file is gone.
    """
    weights = np.random.default_rng(5).standard_normal((8, 3, 3, 3)).astype(np.float32)
    node = helper.make_node("Conv", ["x", "w"], ["y"])
    infos = [
        helper.make_tensor_value_info(n, TensorProto.FLOAT, s) for n, s in (("x", [1, 3, 8, 8]), ("y", None))
    ]
    graph = helper.make_graph([node], "g", infos[:1], infos[1:], [numpy_helper.from_array(weights, "w")])
    path = tmp_path / "m.onnx"
    path.write_bytes(helper.make_model(graph, ir_version=8).SerializeToString())
    feeds = {"x": np.random.default_rng(6).standard_normal((1, 3, 8, 8)).astype(np.float32)}
    cache = SessionCache(tmp_path / "cache")
    expected = WgpuSession.load(gpu, path, cache=cache).run(feeds)["y"]
    cache.wait()
    (plan,) = (tmp_path / "cache").glob("*.plan")
    data = bytearray(plan.read_bytes())
    data[-64] ^= 255
    plan.write_bytes(bytes(data))
    with caplog.at_level(logging.WARNING):
        found = WgpuSession.load(gpu, path, cache=cache).run(feeds)["y"]
    np.testing.assert_array_equal(found, expected)
    assert "damaged" in caplog.text and not plan.exists()
