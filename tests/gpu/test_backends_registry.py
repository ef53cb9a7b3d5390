"""A backend is one file: what one more is offered by, and that it computes, beside the picture and in a
stage.
"""

from __future__ import annotations

import time
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import onnxruntime
import pytest
from dense_models import swap_model
from onnx import TensorProto, helper
from package_rig import extended
from test_pipeline import rgba_frame
from test_stages_network import picture8
from tiny_models import red_or_blue_model
from waiting import LIMIT_S

from desktop import __main__
from desktop.base.errors import (
    ModelError,
    ModelInvalidError,
    ModelMemoryError,
    ModelUnsupportedError,
    UsageError,
)
from desktop.compute.nn.session import SessionCapabilities
from desktop.pipeline.chain.spec import chain_of
from desktop.pipeline.filters.header import parse_filter
from desktop.pipeline.filters.library import FilterLibrary
from desktop.pipeline.pipeline import Pipeline
from desktop.pipeline.running.network_spec import NetworkSpec
from desktop.pipeline.running.one.live import LiveNetwork
from desktop.pipeline.setup.preset import load_preset, save_preset
from desktop.pipeline.setup.setup import Setup
from desktop.vision import backends
from desktop.vision.backends.backend import Backend, Capabilities
from desktop.vision.backends.loader import automatic_backends, load_session

SAMPLE = Path(__file__).parents[1] / "sample_backends"


@pytest.fixture
def sample():
    """The folder of backends with one more file in it; as it was behind the test."""
    with extended(backends, SAMPLE):
        backends.backends.cache_clear()
        yield backends.find_backend("numpy")
    backends.backends.cache_clear()


def until(pipeline, picture, condition, seconds=LIMIT_S):
    end = time.perf_counter() + seconds
    while not condition():
        assert time.perf_counter() < end, pipeline.chain.statuses
        pipeline.render(rgba_frame(picture))
        time.sleep(0.005)
    pipeline.drain()


def test_those_in_the_box_can_do_what_they_say(gpu, tmp_path):
    path = swap_model(tmp_path / "swap.onnx", size=(16, 12))
    assert backends.backend_choices() == ("auto", "wgpu", "onnxruntime", "torch")
    for backend in backends.backends():
        if ".onnx" not in backend.capabilities.formats:
            continue
        session = load_session(path, gpu=gpu, backend=backend.name).session
        assert session.backend == backend.name
        assert (session.capabilities.recorder is not None) == backend.capabilities.encodes
        session.close()


def test_one_more_file_is_offered_everywhere(sample, tmp_path):
    assert backends.backend_choices() == ("auto", "wgpu", "onnxruntime", "torch", "numpy")
    library = FilterLibrary(None)
    for name in ("style", "background", "depth", "segmentation"):
        assert library.get(name).param("backend").choices == backends.backend_choices()
    # A filter of 0.1 lists the backends of its time, and is offered those of today.
    old = (
        '/* lightloom\ntitle = "T"\n[[param]]\nname = "m"\ntype = "model"\ntasks = ["image"]\n[[param]]\nname = "how"\n'
        'type = "choice"\nchoices = ["auto", "wgpu", "onnxruntime"]\n'
        '[network]\noutput = "image"\ntexture = "t"\nmodel = "m"\nbackend = "how"\n*/\n'
        "fn main(p: vec2i) -> vec4f { return load(p); }"
    )
    assert "numpy" in parse_filter(old, "t.wgsl", builtin=False).param("how").choices
    # Presets take it, in a stage and beside the picture.
    model = str(swap_model(tmp_path / "swap.onnx"))
    setup = Setup(
        chain_of(library, [("style", {"model": model, "backend": "numpy"})]),
        NetworkSpec(model, backend="numpy"),
    )
    save_preset(setup, library, tmp_path / "look.toml")
    loaded = load_preset(tmp_path / "look.toml", library)
    assert (loaded.warnings, loaded.setup) == ((), setup)


def test_a_preset_with_a_backend_that_is_not_here_says_so(tmp_path):
    model = swap_model(tmp_path / "swap.onnx")
    path = tmp_path / "look.toml"
    path.write_text(f'lightloom = 1\n[network]\nmodel = "{model.name}"\nbackend = "numpy"\n', "utf-8")
    loaded = load_preset(path, FilterLibrary(None))
    assert loaded.setup.network == NetworkSpec(str(model))
    assert "backend" in " ".join(loaded.warnings)


def test_the_command_line_offers_it(sample, capsys):
    with pytest.raises(SystemExit):
        __main__.main(["process", "--help"])
    assert "{auto,wgpu,onnxruntime,torch,numpy}" in capsys.readouterr().out.replace("\n", "").replace(" ", "")


def test_it_looks_at_the_picture(sample, gpu, tmp_path):
    model = red_or_blue_model(tmp_path / "color.onnx")
    pipeline = Pipeline(gpu, FilterLibrary(None))
    pipeline.set_analysis(LiveNetwork.load(gpu, NetworkSpec(str(model), "numpy")))
    picture = np.full((48, 64, 4), (20, 40, 230, 255), np.uint8)
    until(pipeline, picture, lambda: pipeline.analyses.latest is not None)
    assert pipeline.analyses.latest.predictions[0].label == "blue"
    assert pipeline.analyses.current.description.startswith(
        "numpy on NumPy, fp32: numpy was chosen by the user."
    )
    pipeline.close()


@pytest.mark.parametrize("wait", [True, False])
def test_it_computes_a_stage(sample, gpu, tmp_path, wait):
    model = str(swap_model(tmp_path / "swap.onnx"))
    library = FilterLibrary(None)
    pipeline = Pipeline(gpu, library, wait=wait)
    pipeline.set_chain(chain_of(library, [("style", {"model": model, "backend": "numpy"})]))
    picture = picture8(48, 32)
    until(pipeline, picture, lambda: pipeline.chain.statuses[0].state == "running")
    shown = pipeline.export().result()[..., :3].astype(int)
    # 8 bits, rgba16float and the dither: 2 codes.
    assert np.abs(shown - picture[..., 2::-1]).max() <= 2
    assert pipeline.chain.statuses[0].network.text.startswith("numpy on NumPy")
    pipeline.close()


def test_a_precision_that_it_has_not_is_refused(sample, gpu, tmp_path):
    path = swap_model(tmp_path / "swap.onnx", size=(16, 12))
    load_session(path, gpu=gpu, backend="numpy", precision="fp32").session.close()
    with pytest.raises(ModelUnsupportedError, match="The backend numpy does not compute in fp16"):
        load_session(path, gpu=gpu, backend="numpy", precision="fp16")


# -- what 'auto' asks ----------------------------------------------------------------------------------------


class _Adapter:
    name = "Test 1000"

    def __init__(self, *, is_software: bool) -> None:
        self.is_software = is_software


class _Gpu:
    def __init__(self, *, is_software: bool) -> None:
        self.adapter = _Adapter(is_software=is_software)


def test_auto_asks_by_capability_and_priority(sample):
    def made(name, *, encodes, device, priority):
        capabilities = Capabilities(encodes=encodes, devices=(device,))
        return Backend(
            name=name, title=name, capabilities=capabilities, priority=priority, load=lambda *a: None
        )

    cuda = made("cuda", encodes=False, device="gpu", priority=300)
    every = (cuda, *backends.backends())

    def names(gpu):
        return [backend.name for backend in automatic_backends(gpu, every)]

    assert names(_Gpu(is_software=False)) == ["cuda", "wgpu", "torch", "onnxruntime"]
    assert names(_Gpu(is_software=True)) == ["onnxruntime", "torch", "cuda", "wgpu"]
    assert names(None) == [
        "onnxruntime",
        "torch",
        "cuda",
    ]  # what is recorded into a frame needs the frame's device


def test_auto_goes_on_after_a_refusal_and_says_why(tmp_path):
    asked = []

    def made(name, error, *, encodes=False, device="cpu", priority=100):
        def load(path, request):
            asked.append(name)
            if error is not None:
                raise error
            return SimpleNamespace(backend=name, capabilities=SessionCapabilities())

        capabilities = Capabilities(encodes=encodes, devices=(device,))
        return Backend(name=name, title=name, capabilities=capabilities, priority=priority, load=load)

    def load(*found):
        asked.clear()
        return load_session(tmp_path / "m.onnx", gpu=gpu, among=automatic_backends(gpu, found))

    refusal = ModelUnsupportedError("It has an Unknown operator.", ("Unknown",))
    gpu = _Gpu(is_software=False)
    first = made("first", refusal, encodes=True, device="gpu")
    (tmp_path / "m.onnx").touch()
    loaded = load(first, made("second", ModelInvalidError("Broken.")), made("third", None))
    assert (loaded.session.backend, asked) == ("third", ["first", "second", "third"])
    assert loaded.reason == (
        "third on the CPU, because first does not take the model: It has an Unknown operator."
    )
    with pytest.raises(ModelUnsupportedError, match="neither on first nor on second") as caught:
        load(first, made("second", ModelInvalidError("Broken.")))
    assert caught.value.reasons == ("Unknown",) and "for now" not in str(caught.value)
    # One that lacks memory alone would take it with more.
    full = ModelMemoryError("It is too large for now.", ("it takes 9 GiB",))
    with pytest.raises(ModelMemoryError) as caught:
        load(first, made("second", full))
    assert str(caught.value) == (
        "m.onnx runs neither on first nor on second for now; end other programs, or choose a smaller network "
        "(it takes 9 GiB)."
    )
    # What one calls invalid another may read; where all do, the first one's sentence counts.
    loaded = load(made("first", ModelInvalidError("Broken.")), made("second", None))
    assert (loaded.session.backend, asked) == ("second", ["first", "second"])
    assert loaded.reason == "second on the CPU, because first does not take the model: Broken."
    with pytest.raises(ModelInvalidError, match=r"^Broken\.$"):
        load(made("first", ModelInvalidError("Broken.")), made("second", ModelInvalidError("Also broken.")))
    with pytest.raises(ModelInvalidError, match=r"^Broken\.$"):
        load(made("first", ModelInvalidError("Broken.")), made("second", ModelError("It does not fit.")))
    with pytest.raises(UsageError, match="no backend 'x'; choose auto, wgpu, onnxruntime or torch"):
        load_session(tmp_path / "m.onnx", gpu=gpu, backend="x")


def _doubted_models():
    """Networks that ONNX Runtime computes and the engine finds impossible."""
    node, info = helper.make_node, helper.make_tensor_value_info
    deep = TensorProto(name="c", dims=[1] * 70, data_type=TensorProto.FLOAT, raw_data=bytes(4))
    cases = {
        "window": ([node("MaxPool", ["x"], ["y"], kernel_shape=[5, 5], strides=[2, 2])], []),
        "order": ([node("Abs", ["a"], ["y"]), node("Neg", ["x"], ["a"])], []),
        "rank": (
            [
                node("Shape", ["c"], ["s"]),
                node("ReduceProd", ["s"], ["n"], keepdims=0),
                node("Cast", ["n"], ["f"], to=TensorProto.FLOAT),
                node("Mul", ["x", "f"], ["y"]),
            ],
            [deep],
        ),
    }
    for name, (nodes, constants) in cases.items():
        ends = [info("x", TensorProto.FLOAT, [1, 1, 4, 4])], [info("y", TensorProto.FLOAT, None)]
        graph = helper.make_graph(nodes, name, *ends, constants)
        yield pytest.param(
            helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), id=name
        )


@pytest.mark.parametrize("model", list(_doubted_models()))
def test_auto_goes_on_after_what_the_engine_finds_impossible(gpu, tmp_path, model):
    """The engine comes first, as on a GPU; ONNX Runtime's result is its own."""
    order = [backends.find_backend(name) for name in ("wgpu", "onnxruntime")]
    path = tmp_path / "m.onnx"
    path.write_bytes(model.SerializeToString())
    with pytest.raises(ModelUnsupportedError):
        load_session(path, gpu=gpu, backend="wgpu", cache=None)
    loaded = load_session(path, gpu=gpu, cache=None, among=order)
    assert loaded.session.backend == "onnxruntime"
    assert "wgpu does not take the model" in loaded.reason
    feeds = {"x": np.random.default_rng(0).standard_normal((1, 1, 4, 4)).astype(np.float32)}
    expected = onnxruntime.InferenceSession(model.SerializeToString()).run(None, feeds)[0]
    np.testing.assert_array_equal(loaded.session.run(feeds)["y"], expected)
