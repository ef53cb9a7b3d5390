"""A network's file is opened once, whatever uses it, and nothing large of it stays."""

from __future__ import annotations

import gc
import os
import sys
from pathlib import Path

import numpy as np
import onnx
import pytest
from dense_models import swap_model
from file_opens import Opens
from onnx import helper, numpy_helper
from PIL import Image
from tiny_models import red_or_blue_model

from desktop.__main__ import main
from desktop.base.errors import ModelInvalidError, ModelUnsupportedError
from desktop.compute.gpu.device import Gpu
from desktop.compute.nn.compile.cache import SessionCache
from desktop.pipeline.chain.network_stages import stage_for_model
from desktop.pipeline.chain.spec import chain_of
from desktop.pipeline.engine import Engine
from desktop.pipeline.filters.library import FilterLibrary
from desktop.pipeline.pipeline import Pipeline
from desktop.pipeline.running.inputs.input_facts import read_input_facts
from desktop.pipeline.running.network_spec import NetworkSpec
from desktop.pipeline.running.one.live import LiveNetwork
from desktop.pipeline.setup.setup import Setup
from desktop.vision.backends.loader import load_session
from desktop.vision.models.model_file import ModelFile
from desktop.vision.models.open_models import OpenModels

BACKENDS = ("auto", "wgpu", "onnxruntime")


@pytest.fixture(autouse=True)
def fresh_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def weights_of_a_megabyte(path: Path, **external) -> Path:
    """y = x W, with W of 512 x 512 floats."""
    graph = helper.make_graph(
        [helper.make_node("MatMul", ["x", "w"], ["y"])],
        "g",
        [helper.make_tensor_value_info("x", 1, [1, 512])],
        [helper.make_tensor_value_info("y", 1, [1, 512])],
        [numpy_helper.from_array(np.eye(512, dtype=np.float32) * 2, "w")],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    onnx.save(model, str(path), **external)
    return path


@pytest.mark.parametrize("backend", BACKENDS)
def test_loading_a_session_opens_it_once(gpu, tmp_path, backend):
    path = weights_of_a_megabyte(tmp_path / "m.onnx")
    for _ in ("prepared", "from the cache"):
        opens = Opens(path)
        cache = SessionCache(tmp_path / "networks")
        load_session(path, gpu=gpu, backend=backend, cache=cache).session.close()
        cache.wait()
        assert opens.count == 1


@pytest.mark.parametrize("backend", BACKENDS)
def test_an_open_file_is_not_opened_again_and_its_weights_are_let_go_of(gpu, tmp_path, backend):
    path = weights_of_a_megabyte(tmp_path / "m.onnx")
    opens = Opens(path)
    model = ModelFile.open(path)
    data, facts = model.data, model.facts
    assert sys.getrefcount(data) == 4  # ours, the file's, its weights', and the argument
    session = load_session(model, gpu=gpu, backend=backend, cache=None).session
    gc.collect()
    assert sys.getrefcount(data) == 2, "somebody keeps the whole file"
    x = np.arange(512, dtype=np.float32)[None]
    np.testing.assert_array_equal(session.run({"x": x})["y"], 2 * x)
    assert model.facts is facts and opens.count == 1
    session.close()


def test_a_classifier_of_the_command_line_opens_it_once(tmp_path, capsys):
    path = red_or_blue_model(tmp_path / "color.onnx")
    Image.new("RGB", (32, 32), (200, 10, 10)).save(tmp_path / "red.png")
    opens = Opens(path)
    assert main(["classify", str(tmp_path / "red.png"), "--model", str(path), "--json"]) == 0
    assert '"red"' in capsys.readouterr().out
    assert opens.count == 1


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_stage_opens_its_network_once(gpu, tmp_path, backend):
    path = swap_model(tmp_path / "m.onnx")
    pipeline = Pipeline(gpu, FilterLibrary(None), wait=True)
    opens = Opens(path)
    pipeline.set_chain(chain_of(FilterLibrary(None), [("style", {"model": str(path), "backend": backend})]))
    from test_tasks_live import flat

    pipeline.render(flat(200, 10, 10))
    assert [s.state for s in pipeline.chain.statuses] == ["running"]
    assert opens.count == 1
    pipeline.close()


def test_what_was_looked_at_is_loaded_without_opening_it_again(tmp_path):
    network, stage = red_or_blue_model(tmp_path / "color.onnx"), swap_model(tmp_path / "m.onnx")
    opens = Opens(network), Opens(stage)
    models, library = OpenModels(), FilterLibrary(None)

    def load(gpu, spec):
        return LiveNetwork.load(gpu, spec, models.take(Path(spec.model)))

    engine = Engine(Gpu.open, library, load, wait=True, models=models)
    from test_tasks_live import flat

    looked = ModelFile.open(network)
    assert stage_for_model(looked) is None and read_input_facts(looked).task == "classification"
    models.hold(looked)
    engine.current.set_setup(Setup(network=NetworkSpec(str(network))))
    looked = ModelFile.open(stage)
    assert stage_for_model(looked) == ("style", {"model": str(stage)})
    models.hold(looked)
    engine.current.set_setup(
        Setup(chain_of(library, [("style", {"model": str(stage)})]), engine.current.setup.network)
    )
    engine.render(flat(200, 10, 10))
    assert [s.state for s in engine.pipeline.chain.statuses] == ["running"]
    assert [o.count for o in opens] == [1, 1]
    engine.close()


def test_a_file_that_nobody_comes_for_or_that_has_changed_is_let_go_of(tmp_path):
    path, models = weights_of_a_megabyte(tmp_path / "m.onnx"), OpenModels()
    models.hold(ModelFile.open(path))
    assert models.take(tmp_path / "other.onnx") is None
    models.expire()
    assert models.take(path) is not None and models.take(path) is None
    models.hold(ModelFile.open(path))
    models = OpenModels(-1.0)
    models.hold(ModelFile.open(path))
    models.expire()
    assert models.take(path) is None
    models = OpenModels()
    models.hold(ModelFile.open(path))
    os.utime(path, (1, 1))
    assert models.take(path) is None


def test_a_file_that_changed_after_it_was_looked_at_is_not_mixed_with_what_it_was(tmp_path):
    path = weights_of_a_megabyte(tmp_path / "m.onnx")
    model = ModelFile.open(path)
    assert model.facts.input_shape == (1, 512)
    model.release()
    assert len(model.data) == model.size  # read again, the same
    model.release()
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(ModelInvalidError, match=r"m\.onnx was changed"):
        model.proto  # noqa: B018


def test_onnxruntime_reads_external_data_and_only_what_was_checked(tmp_path):
    path = weights_of_a_megabyte(
        tmp_path / "m.onnx", save_as_external_data=True, size_threshold=0, location="w.bin"
    )
    x = np.ones((1, 512), np.float32)
    session = load_session(path, gpu=None).session
    np.testing.assert_array_equal(session.run({"x": x})["y"], 2 * x)
    model = ModelFile.open(path)
    # Another network in its place, after it was opened: what was opened is what runs.
    (tmp_path / "m.onnx").write_bytes(b"nothing good")
    np.testing.assert_array_equal(load_session(model, gpu=None).session.run({"x": x})["y"], 2 * x)


@pytest.mark.skipif(sys.platform == "win32", reason="a file with holes takes its whole size there")
@pytest.mark.parametrize("offset", [2**31 - 4, 2**31, 5 * 2**30], ids=["across 2 GiB", "2 GiB", "5 GiB"])
@pytest.mark.parametrize("backend", ["wgpu", "onnxruntime"])
def test_external_data_may_lie_behind_2_gib(gpu, tmp_path, backend, offset):
    path = weights_of_a_megabyte(
        tmp_path / "m.onnx", save_as_external_data=True, size_threshold=0, location="w.bin"
    )
    model = onnx.load(path, load_external_data=False)
    place = {entry.key: entry for entry in model.graph.initializer[0].external_data}
    place["offset"].value = str(offset)
    path.write_bytes(model.SerializeToString())
    weights = (tmp_path / "w.bin").read_bytes()
    with (tmp_path / "w.bin").open("wb") as file:  # holes in front: it takes a megabyte of the disk
        file.seek(offset)
        file.write(weights)
    x = np.arange(512, dtype=np.float32)[None]
    session = load_session(path, gpu=gpu, backend=backend).session
    np.testing.assert_array_equal(session.run({"x": x})["y"], 2 * x)
    session.close()
    with (tmp_path / "w.bin").open("r+b") as file:
        file.truncate(offset + len(weights) - 1)
    with pytest.raises(ModelInvalidError, match="does not fit"):
        load_session(path, gpu=gpu, backend=backend)


def test_a_file_of_two_formats_is_read_as_the_one_that_was_checked(tmp_path):
    # An unknown field whose bytes are the mark of onnxruntime's own format, where that has it.
    path = weights_of_a_megabyte(tmp_path / "m.onnx")
    path.write_bytes(b"\x7a\x08\0\0ORTM\0\0" + path.read_bytes())
    x = np.ones((1, 512), np.float32)
    np.testing.assert_array_equal(load_session(path, gpu=None).session.run({"x": x})["y"], 2 * x)


def test_a_refusal_after_the_first_backend_reads_nothing_again(gpu, tmp_path):
    graph = helper.make_graph(
        [helper.make_node("Frobnicate", ["x"], ["y"], domain="com.example")],
        "g",
        [helper.make_tensor_value_info("x", 1, [1, 4])],
        [helper.make_tensor_value_info("y", 1, [1, 4])],
    )
    opsets = [helper.make_opsetid("", 13), helper.make_opsetid("com.example", 1)]
    path = tmp_path / "m.onnx"
    onnx.save(helper.make_model(graph, opset_imports=opsets, ir_version=8), str(path))
    opens = Opens(path)
    with pytest.raises(ModelUnsupportedError, match="neither on wgpu nor on onnxruntime"):
        load_session(path, gpu=gpu)
    assert opens.count == 1
