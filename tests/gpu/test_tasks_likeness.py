"""Likeness to the user's pictures, beside NumPy's cosine of ONNX Runtime's outputs; tolerances are stated
where they are used.
"""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import onnx
import onnxruntime
import pytest
import wgpu
from PIL import Image
from tiny_models import color_vector_model, square_detector, squares

from desktop.base.errors import SourceNotFoundError, SourceUnsupportedError, UsageError
from desktop.cli import run_command
from desktop.compute.gpu.device import Gpu
from desktop.compute.nn.session import Tensor, TensorInfo
from desktop.media.sources.image import load_image
from desktop.pipeline.engine import Engine
from desktop.pipeline.filters.library import FilterLibrary
from desktop.pipeline.running.network_spec import NetworkSpec
from desktop.pipeline.running.one.loading import load_network
from desktop.pipeline.running.opening import load_analysis
from desktop.pipeline.setup.bundle import open_preset, save_bundle
from desktop.pipeline.setup.preset import load_preset, save_preset
from desktop.pipeline.setup.setup import Setup
from desktop.vision.models.facts import ModelFacts
from desktop.vision.models.findings import Evidence
from desktop.vision.tasks import recognize_facts
from desktop.vision.tasks.likeness import TASK, GpuSimilarity, SimilarityResult, unit

BACKENDS = ("wgpu", "onnxruntime")


def cosine(a, b):
    a, b = np.ravel(a).astype(np.float64), np.ravel(b).astype(np.float64)
    return float(a @ b / np.sqrt((a @ a) * (b @ b)))


# -- which networks ------------------------------------------------------------------------------------------


def test_networks_are_recognized_by_what_says_that_they_give_features():
    def of(*outputs, **extra):
        infos = tuple(TensorInfo(name, shape, "float32") for name, shape in outputs)
        classes = infos[0].shape[-1] if len(infos[0].shape) == 2 else 0
        found = recognize_facts(ModelFacts("x", (1, 3, 224, 224), outputs=infos, classes=classes, **extra))
        return (found.task.id, found.evidence) if found is not None else None

    declared, observed = ("likeness", Evidence.DECLARED), ("likeness", Evidence.OBSERVED)
    # CLIP's image tower as optimum writes it; InsightFace's; a keras layer of TensorFlow.
    assert of(("last_hidden_state", (0, 50, 768)), ("pooler_output", (0, 768))) == declared
    assert of(("image_embeds", (0, 512)), ("last_hidden_state", (0, 50, 768))) == declared
    assert of(("model/embedding:0", (1, 128))) == declared
    assert of(("683", (1, 512)), metadata={"task": "feature-extraction"}) == declared
    assert of(("fc1", (1, 128)), last_operator="LpNormalization") == observed
    assert of(("y", (1, 512)), last_operator="Div", operators=frozenset({"ReduceL2", "Div"})) == observed
    assert of(("y", (1, 1280)), last_operator="GlobalAveragePool") == observed
    classes = ("classification", Evidence.CUSTOMARY)
    # SqueezeNet ends in its pooling, too; names of classes say what the numbers are.
    assert of(("y", (1, 1000)), last_operator="GlobalAveragePool") == classes
    assert of(("y", (1, 200)), last_operator="GlobalAveragePool") == classes
    assert of(("y", (1, 512)), last_operator="Gemm") == classes
    assert of(("embedding", (1, 512)), softmax=True) == ("classification", Evidence.OBSERVED)
    assert of(("features", (1, 20)), metadata={"names": "{0: 'cat', 1: 'dog'}"}) == classes
    # A map of features is none.
    assert of(("features", (1, 512, 7, 7))) != declared


# -- the arithmetic ------------------------------------------------------------------------------------------


def on_gpu(gpu, vector, references, *, dtype="float32", padded=0):
    numbers = np.asarray(vector).astype(dtype)
    shape, layout = (1, numbers.size), {}
    if padded:  # along an axis of an image
        stored = np.full((numbers.size, padded), 9, dtype)
        stored[:, 0] = numbers
        shape, layout, numbers = (
            (1, 1, 1, numbers.size),
            {"layout": "NHWC", "padded_channels": padded},
            stored,
        )
    data = np.concatenate(
        (np.full(2, 7, dtype), numbers.ravel(), np.zeros(numbers.size % 2, dtype))
    ).tobytes()
    buffer = gpu.device.create_buffer_with_data(data=data, usage=wgpu.BufferUsage.STORAGE)
    tensor = Tensor(buffer, shape, dtype, offset=2 * np.dtype(dtype).itemsize, **layout)
    unit_ = GpuSimilarity(gpu, tensor, np.asarray(references))
    gpu.compute(unit_.encode)
    found = np.frombuffer(bytes(gpu.queue.read_buffer(unit_.result)), np.float32)
    unit_.close()
    return found


@pytest.mark.parametrize("dtype, padded", [("float32", 0), ("float16", 0), ("float32", 4), ("float16", 4)])
@pytest.mark.parametrize("numbers", [17, 512, 1281])
def test_cosines_on_the_gpu_are_numpys(gpu, dtype, padded, numbers):
    rng = np.random.default_rng(numbers)
    vector = rng.standard_normal(numbers).astype(dtype)
    references = rng.standard_normal((16, numbers)) + vector * np.linspace(-2, 2, 16)[:, None]
    found = on_gpu(gpu, vector, [unit(r) for r in references], dtype=dtype, padded=padded)
    # A reference in float16 is moved by no more than its unit roundoff, 2 ** -11, and so is the cosine.
    assert np.abs(found - [cosine(vector, r) for r in references]).max() < (
        1e-6 if dtype == "float32" else 2**-11
    )


@pytest.mark.parametrize("wrong", [np.nan, np.inf, -np.inf])
def test_vectors_that_point_nowhere_are_like_nothing(gpu, wrong):
    reference = unit(np.arange(1.0, 33.0))
    vector = np.ones(32)
    vector[31] = wrong
    assert on_gpu(gpu, vector, [reference])[0] == 0.0 == float(unit(vector) @ reference)
    assert on_gpu(gpu, np.zeros(32), [reference])[0] == 0.0 == float(unit(np.zeros(32)) @ reference)
    # Squares of these are no float32.
    for long in (np.full(32, 3e38), np.full(32, 1e-30)):
        assert abs(on_gpu(gpu, long, [reference])[0] - cosine(np.ones(32), reference)) < 1e-6
        assert abs(float(unit(long) @ reference) - cosine(np.ones(32), reference)) < 1e-12


# -- a network -----------------------------------------------------------------------------------------------


@pytest.fixture
def pictures(tmp_path):
    rng = np.random.default_rng(1)
    found = []
    for name in ("anna", "berta", "carla"):
        small = rng.integers(0, 256, (5, 7, 3), np.uint8)
        path = tmp_path / f"{name}.png"
        Image.fromarray(small).resize((90, 70), Image.Resampling.BICUBIC).save(path)
        found.append(path)
    return found


def expected(model, pictures, size, scale):
    """ONNX Runtime's vectors of pictures that Pillow stretched."""
    session = onnxruntime.InferenceSession(str(model), providers=["CPUExecutionProvider"])
    name, vectors = session.get_inputs()[0].name, []
    for path in pictures:
        image = Image.open(path).convert("RGB").resize(size, Image.Resampling.BILINEAR)
        array = scale(np.asarray(image, np.float32)[None].transpose(0, 3, 1, 2))
        vectors.append(session.run(None, {name: array.astype(np.float32)})[0])
    return vectors


@pytest.mark.parametrize("backend", BACKENDS)
def test_likeness_is_numpys_cosine_of_onnx_runtimes_vectors(gpu, tmp_path, pictures, backend):
    model = color_vector_model(tmp_path / "colors.onnx")
    settings = {"likeness": tuple(map(str, pictures))}
    network = load_network(gpu, model, backend=backend, settings=settings)
    vectors = expected(model, pictures, (32, 32), lambda x: x / 255)
    for path, vector in zip(pictures, vectors, strict=True):
        found = network.analyze_image(path)
        assert isinstance(found, SimilarityResult)
        cosines = [each.cosine for each in found.found]
        # Pillow rounds the resized picture to 8 bits.
        assert np.abs(np.array(cosines) - [cosine(vector, other) for other in vectors]).max() < 1e-4
        assert [each.name for each in found.found] == ["anna", "berta", "carla"]
        best = found.shapes()[0]
        assert (best.label, best.index) == (path.stem, pictures.index(path)) and best.value > 0.99999
        assert found.json() == json.loads(json.dumps(found.json()))
        assert path.stem in found.lines()[0]
    network.close()


def test_features_of_a_real_classifier_without_its_last_layer(gpu, tmp_path, shared):
    source = shared / "models" / "classify" / "mobilenet_v2_1.0_224_f32.onnx"
    graph = onnx.load(source).graph
    pool = next(
        node for node in graph.node if node.op_type in ("GlobalAveragePool", "AveragePool", "ReduceMean")
    )
    model = tmp_path / "features.onnx"
    onnx.utils.extract_model(str(source), str(model), [graph.input[0].name], [pool.output[0]])
    pictures = sorted((shared / "images" / "eval").iterdir())[:3]
    vectors = None
    for backend in BACKENDS:
        network = load_network(
            gpu, model, "likeness", backend=backend, settings={"likeness": tuple(map(str, pictures))}
        )
        if vectors is None:
            session = onnxruntime.InferenceSession(str(model), providers=["CPUExecutionProvider"])
            vectors = []
            for path in pictures:
                network.analyze_image(path)
                array = network.read_input()
                vectors.append(session.run(None, {session.get_inputs()[0].name: array})[0])
        found = network.analyze_image(pictures[0])
        cosines = np.array([each.cosine for each in found.found])
        # float32 on both, of 1,280 numbers behind 52 convolutions.
        assert np.abs(cosines - [cosine(vectors[0], other) for other in vectors]).max() < 1e-4
        assert cosines[0] > 0.99999 > 0.95 > cosines[1:].max()
        network.close()


def test_without_pictures_it_says_what_to_do(gpu, tmp_path, pictures):
    for backend in BACKENDS:
        network = load_network(gpu, color_vector_model(tmp_path / "colors.onnx"), backend=backend)
        found = network.analyze_image(pictures[0])
        assert found.found == found.shapes() == () and "Choose images" in found.hint
        assert "--likeness" in found.lines()[0]
        network.close()


def test_pictures_that_cannot_be_read_are_named(gpu, tmp_path):
    model = color_vector_model(tmp_path / "colors.onnx")
    with pytest.raises(SourceNotFoundError, match=r"no file .*nobody\.png: check its name"):
        load_network(gpu, model, settings={"likeness": (str(tmp_path / "nobody.png"),)})
    with pytest.raises(SourceUnsupportedError, match=r"colors\.onnx is not an image"):
        load_network(gpu, model, settings={"likeness": (str(model),)})
    for wrong in ("a.png", [1], [""], ["a.png"] * 17, {"a": 1}):
        with pytest.raises(UsageError, match="setting 'likeness'"):
            TASK.checked({"likeness": wrong})


# -- as the second of two ------------------------------------------------------------------------------------


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("batch", [1, "n"])
def test_each_box_gets_its_likeness(gpu, tmp_path, backend, batch):
    first = square_detector(tmp_path / "squares.onnx")
    model = color_vector_model(tmp_path / "colors.onnx", batch=batch)
    references = {"red": (255, 0, 0), "blue": (0, 0, 230), "gray": (90, 90, 90)}
    paths = []
    for name, color in references.items():
        paths.append(str(tmp_path / f"{name}.png"))
        assert cv2.imwrite(paths[-1], np.full((40, 60, 3), color[::-1], np.uint8))
    second = NetworkSpec(str(model), backend, settings={"likeness": tuple(paths)}, enlarge=0.75)
    spec = NetworkSpec(str(first), backend, second=second)
    engine = Engine(lambda: Gpu.open(None), FilterLibrary(None), load_analysis, wait=True, in_flight=1)
    engine.current.set_setup(Setup(network=spec))
    assert engine.current.network_status.state == "running", engine.current.network_status.text
    picture = tmp_path / "squares.png"
    assert cv2.imwrite(str(picture), squares()[..., ::-1])
    found = engine.analyze_frame(load_image(picture).frame)
    engine.close()
    weight = np.random.default_rng(5).standard_normal((20, 3))
    vectors = {name: weight @ np.array(color) for name, color in references.items()}
    assert len(found.objects) == 2
    for look in found.objects:
        said = {each.name: each.cosine for each in look.second_result.found}
        for name, vector in vectors.items():
            # Three quarters of a box are of one color; bilinear samples and 8 bits leave it so.
            assert abs(said[name] - cosine(vectors[look.found.label], vector)) < 1e-3, (
                look.found.label,
                name,
            )
        assert look.shapes[0].label == f"{look.found.label}: {look.found.label}"
    entry = found.json()["objects"][0]["second"]["likeness"][0]
    assert entry.keys() == {"picture", "name", "cosine"}


# -- presets and the command line ----------------------------------------------------------------------------


def test_a_preset_carries_the_pictures(tmp_path, pictures, monkeypatch):
    monkeypatch.setenv("LIGHTLOOM_PRESETS", str(tmp_path / "presets"))
    model = color_vector_model(tmp_path / "colors.onnx")
    detector = square_detector(tmp_path / "squares.onnx")
    paths = tuple(map(str, pictures))
    library = FilterLibrary(None)
    for spec in (
        NetworkSpec(str(model), settings={"likeness": paths}),
        NetworkSpec(str(detector), second=NetworkSpec(str(model), settings={"likeness": paths[:2]})),
    ):
        folder = tmp_path / "elsewhere"
        folder.mkdir(exist_ok=True)
        save_preset(Setup(network=spec), library, folder / "p.toml")
        save_bundle(Setup(network=spec), library, folder / "p.lightloom")
        for loaded in (load_preset(folder / "p.toml", library), open_preset(folder / "p.lightloom", library)):
            assert not loaded.warnings
            network = loaded.setup.network
            settings = (network.second or network).settings["likeness"]
            wanted = (spec.second or spec).settings["likeness"]
            assert [Path(p).read_bytes() for p in settings] == [Path(p).read_bytes() for p in wanted]
            assert not set(settings) & set(paths)
    (folder / "p.files" / "anna.png").unlink()
    loaded = load_preset(folder / "p.toml", library)
    assert [Path(path).name for path in loaded.setup.network.second.settings["likeness"]] == ["berta.png"]
    assert len(loaded.warnings) == 1 and "anna.png, is not there" in loaded.warnings[0]


def test_commands_take_several_pictures(tmp_path, pictures, capsys):
    model = color_vector_model(tmp_path / "colors.onnx")
    anna, berta, carla = map(str, pictures)
    line = ["match", anna, "--model", str(model), "--backend", "onnxruntime", "--json"]
    assert run_command([*line, "--likeness", anna, berta, "--likeness", carla]) == 0
    said = json.loads(capsys.readouterr().out)["results"][0]["likeness"]
    assert [each["name"] for each in said] == ["anna", "berta", "carla"]
    detector = square_detector(tmp_path / "squares.onnx")
    picture = tmp_path / "squares.png"
    assert cv2.imwrite(str(picture), squares()[..., ::-1])
    line = ["detect", str(picture), "--model", str(detector), "--backend", "onnxruntime", "--json"]
    second = [
        "--second",
        str(model),
        "--second-setting",
        f"likeness={anna}",
        "--second-setting",
        f"likeness={berta}",
    ]
    assert run_command([*line, *second]) == 0
    objects = json.loads(capsys.readouterr().out)["results"][0]["objects"]
    assert [[each["name"] for each in item["second"]["likeness"]] for item in objects] == [
        ["anna", "berta"]
    ] * 2
    with pytest.raises(UsageError, match="--second-setting is for a second network"):
        run_command([*line, "--second-setting", "score=0.5"])
