"""A classifier from texture to names: on onnxruntime with its worker, on wgpu whole and in slices."""

from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper
from waiting import LIMIT_S, until

from desktop.base.errors import (
    ModelError,
    ModelUnsupportedError,
    SourceNotFoundError,
    SourceUnsupportedError,
    UsageError,
)
from desktop.compute.gpu.frame_commands import FrameCommands
from desktop.compute.gpu.timing import FrameTimer
from desktop.pipeline.running.inputs.picture import Picture
from desktop.pipeline.running.one.loading import load_network
from desktop.pipeline.running.one.picture_network import upload_rgb
from desktop.pipeline.running.one.runner import InferenceRunner
from desktop.pipeline.running.one.slices import SlicePlan
from desktop.vision.backends.loader import load_session
from desktop.vision.backends.onnxruntime import OnnxRuntimeSession
from desktop.vision.tasks.classification import top_k


def color_model(path: Path, *, softmax=False, dtype=TensorProto.FLOAT, size=16) -> Path:
    """Logits of twelve hues from the mean color: a 1x1 convolution, a global mean, a reshape."""
    angles = np.arange(12) * np.pi / 6
    weights = np.stack([np.cos(angles), np.cos(angles - 2.1), np.cos(angles + 2.1)], 1) * 9
    numpy_type = helper.tensor_dtype_to_np_dtype(dtype)
    inits = [
        numpy_helper.from_array(weights.astype(numpy_type).reshape(12, 3, 1, 1), "w"),
        numpy_helper.from_array(np.zeros(12, numpy_type), "b"),
        numpy_helper.from_array(np.array([1, 12]), "shape"),
    ]
    nodes = [
        helper.make_node("Conv", ["image", "w", "b"], ["conv"]),
        helper.make_node("GlobalAveragePool", ["conv"], ["pool"]),
        helper.make_node("Reshape", ["pool", "shape"], ["logits" if softmax else "scores"]),
    ]
    if softmax:
        nodes.append(helper.make_node("Softmax", ["logits"], ["scores"], axis=1))
    value = helper.make_tensor_value_info
    graph = helper.make_graph(
        nodes, "hues", [value("image", dtype, (1, 3, size, size))], [value("scores", dtype, (1, 12))], inits
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    helper.set_model_props(model, {"labels": ",".join(f"hue {a}" for a in range(0, 360, 30))})
    onnx.save(model, str(path))
    return path


def load_classifier(gpu, path, *, top=5, **options):
    return load_network(gpu, path, "classification", settings={"top": top}, **options)


def picture(color, width=40, height=30):
    rng = np.random.default_rng(1)
    return np.clip(np.array(color) + rng.integers(-20, 20, (height, width, 3)), 0, 255).astype(np.uint8)


def encoded(gpu, runner, texture, note=None, budget_ms=None):
    """What a frame does for a network."""
    timer = FrameTimer(gpu)
    commands = FrameCommands(gpu, gpu.device.create_command_encoder())
    turn = runner.encode(commands, Picture(texture, texture, note), timer, "network", budget_ms=budget_ms)
    gpu.queue.submit([commands.encoder.finish()])
    turn.submitted()
    timer.close()
    return turn


def frame(gpu, runner, texture, note=None):
    """What a frame does for an onnxruntime classifier."""
    return encoded(gpu, runner, texture, note)


def wait_for_result(classifier):
    return until(classifier.poll, "no result came")


@pytest.mark.parametrize("softmax", [False, True])
@pytest.mark.parametrize("dtype", [TensorProto.FLOAT, TensorProto.FLOAT16])
def test_pixels_to_names_on_onnxruntime(gpu, tmp_path: Path, softmax, dtype):
    path = color_model(tmp_path / "hues.onnx", softmax=softmax, dtype=dtype)
    classifier = load_classifier(gpu, path, backend="onnxruntime", top=3)
    for color, name in (((230, 30, 30), "hue 0"), ((30, 230, 30), "hue 120"), ((30, 30, 230), "hue 240")):
        found = classifier.analyze_pixels(picture(color))
        assert len(found.predictions) == 3
        assert found.predictions[0].label == name
        assert 0.0 < found.predictions[0].probability <= 1.0
        # The same tensor straight through onnxruntime gives the same scores.
        session = OnnxRuntimeSession.load(path)
        scores = session.run({"image": classifier.read_input()})["scores"]
        expected = top_k(scores, 3, logits=not softmax)
        assert [p.index for p in found.predictions] == [i for i, _ in expected]
        assert [p.probability for p in found.predictions] == pytest.approx([p for _, p in expected])
    text = classifier.describe()
    assert (
        "onnxruntime on CPU" in text
        and "chosen by the user" in text
        and "16x16" in text
        and "labels" in text.lower()
    )
    classifier.close()


def test_the_worker_takes_the_newest_frame_and_keeps_its_note(gpu, tmp_path: Path):
    classifier = InferenceRunner(
        gpu, load_classifier(gpu, color_model(tmp_path / "hues.onnx"), backend="onnxruntime")
    )
    red, green = upload_rgb(gpu, picture((230, 30, 30))), upload_rgb(gpu, picture((30, 230, 30), 64, 48))
    frame(gpu, classifier, red, note=1.5)
    found = wait_for_result(classifier)
    assert (found.note, found.predictions[0].label) == (1.5, "hue 0")
    assert 0.0 < found.inference_ms <= found.latency_ms
    assert classifier.poll() is None
    turn = frame(gpu, classifier, green, note=2.5)
    found = wait_for_result(classifier)
    assert (found.note, found.predictions[0].label) == (2.5, "hue 120")
    assert turn.captured.bytes == 16 * 16 * 3 * 4
    classifier.close()


class SlowSession:
    """The hues network behind a gate that the test opens."""

    def __init__(self, inner, gate):
        self._inner = inner
        self._gate = gate

    def __getattr__(self, name):
        return getattr(self._inner, name)

    def run(self, feeds):
        self._gate()
        return self._inner.run(feeds)


def gated(gpu, tmp_path, gate):
    classifier = load_classifier(gpu, color_model(tmp_path / "hues.onnx"), backend="onnxruntime")
    classifier.session = SlowSession(classifier.session, gate)
    return InferenceRunner(gpu, classifier)


def test_a_slow_network_never_holds_a_frame_back(gpu, tmp_path: Path):
    import threading

    opened = threading.Event()
    classifier = gated(gpu, tmp_path, lambda: opened.wait(LIMIT_S))
    texture = upload_rgb(gpu, picture((230, 30, 30)))
    for note in range(20):
        frame(gpu, classifier, texture, note)
        assert classifier.poll() is None
    opened.set()
    assert wait_for_result(classifier).note == 0
    # The nineteen frames between were never captured; the next one is.
    frame(gpu, classifier, texture, 20)
    assert wait_for_result(classifier).note == 20
    classifier.close()


def test_a_failing_network_is_reported_and_stops(gpu, tmp_path: Path):
    def fail():
        raise ModelError("The network failed.")

    classifier = gated(gpu, tmp_path, fail)
    texture = upload_rgb(gpu, picture((1, 2, 3)))
    frame(gpu, classifier, texture)
    with pytest.raises(ModelError, match="failed"):
        wait_for_result(classifier)
    frame(gpu, classifier, texture)  # goes on without it
    classifier.close()


def test_auto_follows_the_adapter_and_says_so(gpu, tmp_path: Path):
    loaded = load_session(color_model(tmp_path / "hues.onnx"), gpu=gpu)
    assert loaded.session.backend == ("onnxruntime" if gpu.adapter.is_software else "wgpu")
    assert gpu.adapter.name in loaded.reason
    loaded.session.close()


def test_networks_that_are_no_classifiers(gpu, tmp_path: Path):
    value = helper.make_tensor_value_info
    for name, shape in (("image", (1, 3, 8, 8)), ("boxes", (1, 100, 4))):
        inits = [numpy_helper.from_array(np.zeros(shape, np.float32), "z")]
        nodes = [
            helper.make_node("ReduceMean", ["x"], ["m"], axes=[1, 2, 3], keepdims=0),
            helper.make_node("Add", ["m", "z"], ["y"]),
        ]
        inputs = [value("x", TensorProto.FLOAT, (1, 3, 8, 8))]
        graph = helper.make_graph(nodes, "g", inputs, [value("y", TensorProto.FLOAT, shape)], inits)
        path = tmp_path / f"{name}.onnx"
        onnx.save(
            helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8), str(path)
        )
        with pytest.raises(ModelUnsupportedError, match="not a classifier"):
            load_classifier(gpu, path, backend="onnxruntime")


def test_pictures_and_numbers_that_are_refused(gpu, tmp_path: Path):
    path = color_model(tmp_path / "hues.onnx")
    classifier = load_classifier(gpu, path, backend="onnxruntime")
    with pytest.raises(UsageError, match="uint8"):
        classifier.analyze_pixels(np.zeros((4, 4, 3), np.float32))
    with pytest.raises(AssertionError, match="host arrays"):  # no slices: it has a thread of its own
        classifier.bind(upload_rgb(gpu, picture((1, 2, 3)))).encode_steps(None, 0, 1)
    classifier.close()
    with pytest.raises(UsageError, match="1 to 10"):
        load_classifier(gpu, path, backend="onnxruntime", top=0)


def test_slices_learn_what_steps_cost():
    costs = np.array([1.0, 4.0, 0.5, 0.5, 8.0, 1.0, 1.0, 2.0])
    plan = SlicePlan(len(costs))
    for _ in range(30):
        start = 0
        while start < plan.steps:
            stop = plan.stop(start, 4.0)
            assert start < stop <= plan.steps
            plan.measured(start, stop, float(costs[start:stop].sum()))
            start = stop
    assert plan.total_ms == pytest.approx(costs.sum(), rel=0.05)
    start, slices = 0, []
    while start < plan.steps:
        stop = plan.stop(start, 4.0)
        slices.append(float(costs[start:stop].sum()))
        start = stop
    # Nothing exceeds the budget by more than the one step that is longer than it.
    assert max(slices) <= 8.0 and len(slices) <= 6


def wgpu_classifier(gpu, path, **options):
    return load_classifier(gpu, path, backend="wgpu", **options)


@pytest.mark.parametrize("softmax", [False, True])
def test_pixels_to_names_on_wgpu(gpu, tmp_path: Path, softmax):
    path = color_model(tmp_path / "hues.onnx", softmax=softmax)
    classifier = wgpu_classifier(gpu, path, precision="fp32")
    reference = OnnxRuntimeSession.load(path)
    for color in ((230, 30, 30), (30, 200, 90), (80, 30, 230)):
        found = classifier.analyze_pixels(picture(color))
        scores = reference.run({"image": classifier.read_input()})["scores"]
        expected = top_k(scores, 5, logits=not softmax)
        assert [p.index for p in found.predictions] == [i for i, _ in expected]
        np.testing.assert_allclose(
            [p.probability for p in found.predictions], [p for _, p in expected], rtol=1e-4
        )
    assert classifier.encodes and classifier.head.result_bytes == 40
    classifier.close()


def test_an_inference_spread_over_frames_is_the_same(gpu, tmp_path: Path):
    classifier = wgpu_classifier(gpu, color_model(tmp_path / "hues.onnx"), precision="fp32")
    red, green = upload_rgb(gpu, picture((230, 30, 30))), upload_rgb(gpu, picture((30, 230, 30)))
    whole = classifier.analyze_texture(red).predictions
    runner = InferenceRunner(gpu, classifier)
    parts = []
    for number in range(50):
        # The picture changes after the first slice; the inference goes on with the one it began with.
        turn = encoded(gpu, runner, red if number == 0 else green, note=number, budget_ms=0.0)
        parts.append(turn.part)
        turn.measured(1.0)
        if parts[-1].finished:
            break
    assert len(parts) == classifier.session.dispatch_count + 2
    assert parts[-1].finished and turn.note == 0
    assert [p.stop for p in parts[:-1]] == [p.start for p in parts[1:]]
    head = classifier.head
    data = gpu.queue.read_buffer(head.result_buffer, 0, head.result_bytes)
    assert head.decode(data, (1, 1)).predictions == whole
    classifier.close()


@pytest.mark.parametrize("name", ["mobilenet_v2_1.0_224_f32", "mobilenet_v2_1.0_224_qdq", "squeezenet_fp16"])
def test_top_five_of_real_networks_agree_with_onnxruntime(gpu, shared: Path, name):
    path = shared / "models" / "classify" / f"{name}.onnx"
    classifier = wgpu_classifier(gpu, path)
    reference = OnnxRuntimeSession.load(path, reference=True)
    # Rounding to a grid turns a last bit into a whole step, which later layers spread: measured 0.01, with
    # headroom.
    near = 2e-2 if name.endswith("qdq") else 1e-3
    for image in sorted((shared / "images" / "eval").glob("*.jpg"))[20:140:50]:
        found = [p.index for p in classifier.analyze_image(image).predictions]
        tensor = classifier.read_input().astype(reference.inputs[0].dtype)
        expected = top_k(
            reference.run({reference.inputs[0].name: tensor})[reference.outputs[0].name], 10, logits=False
        )
        known, fifth = dict(expected), expected[4][1]
        # A class may change places only with one that is nearly as probable.
        assert found[0] == expected[0][0]
        assert all(known.get(index, 0.0) >= fifth - near for index in found), (image.name, found, expected)
    classifier.close()


def test_the_onnxruntime_path_names_real_photographs(gpu, shared: Path):
    classifier = load_classifier(
        gpu, shared / "models" / "classify" / "mobilenet_v2_1.0_224_f32.onnx", backend="onnxruntime"
    )
    images = sorted((shared / "images" / "eval").glob("*.jpg"))[5:150:15]
    right = 0
    for image in images:
        truth = int(image.name.split("_")[0]) + 1
        right += truth in [p.index for p in classifier.analyze_image(image).predictions]
    assert right >= 0.8 * len(images)
    classifier.close()


def test_buffers_are_released(gpu, tmp_path: Path):
    classifier = load_classifier(gpu, color_model(tmp_path / "hues.onnx"), backend="onnxruntime")
    runner = InferenceRunner(gpu, classifier)
    frame(gpu, runner, upload_rgb(gpu, picture((1, 2, 3))))
    wait_for_result(runner)
    runner.close()
    with pytest.raises(ModelError, match="closed"):
        classifier.session.run({})


def test_image_files(gpu, tmp_path: Path):
    from PIL import Image

    classifier = load_classifier(gpu, color_model(tmp_path / "hues.onnx"), backend="onnxruntime")
    path = tmp_path / "grün.png"
    Image.fromarray(picture((30, 230, 30))).save(path)
    assert classifier.analyze_image(path).predictions[0].label == "hue 120"
    with pytest.raises(SourceNotFoundError, match=r"missing\.png"):
        classifier.analyze_image(tmp_path / "missing.png")
    for data in (b"", b"no picture"):
        path.write_bytes(data)
        with pytest.raises(SourceUnsupportedError, match="is not an image"):
            classifier.analyze_image(path)
    classifier.close()


def test_free_dimensions_take_the_presets_size(gpu, tmp_path: Path):
    path = color_model(tmp_path / "hues.onnx")
    model = onnx.load(str(path))
    for axis, name in ((0, "batch"), (2, "height"), (3, "width")):
        model.graph.input[0].type.tensor_type.shape.dim[axis].dim_param = name
    onnx.save(model, str(path))
    for backend in ("onnxruntime", "wgpu"):
        classifier = load_classifier(gpu, path, backend=backend, preset={"width": 24, "height": 20})
        assert classifier.preprocess.shape == classifier.session.inputs[0].shape == (1, 3, 20, 24)
        assert classifier.analyze_pixels(picture((30, 30, 230))).predictions[0].label == "hue 240"
        classifier.close()
