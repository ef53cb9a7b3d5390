"""A network on a server gives what its file gives here: every export family, the bundled networks, and what
stands beside a network.
"""

from __future__ import annotations

import json

import cv2
import numpy as np
import onnx
import pytest
from export_families import PICTURE, ROWS
from inference_rig import InferenceServer, Network
from onnx import TensorProto, helper, numpy_helper
from serving_rig import ServerRig

from desktop.__main__ import main
from desktop.pipeline.running.inputs.input_facts import read_input_facts
from desktop.pipeline.running.one.loading import load_network
from desktop.vision.models.builtin import builtin_models
from desktop.vision.models.model_file import ModelFile
from desktop.vision.models.served import PARAMETER, read_served, served_text
from desktop.vision.tasks.common.description import described

WAYS = ("http", "grpc")
CLASSES = {
    # Name: the last operator, the sidecar, the labels beside it.
    "softmax": ("Softmax", "", "cat\ndog\nowl\n"),
    "sigmoid": ("Sigmoid", '[preprocess]\ncolors = "BGR"\nscale = "0..255"\nmean = [1.0, 2.0, 3.0]\n', ""),
    "logits": ("Identity", "[preprocess]\ncrop = 0.5\nstd = [0.5, 0.6, 0.7]\n", "ant\nbee\n"),
}
"""Classifiers whose weights see each color's mean, so that every field of the preprocessing changes the
scores.
"""


def classifier(folder, name, free=False):
    last, sidecar, labels = CLASSES[name]
    path = folder / f"{name}.onnx"
    weights = np.random.default_rng(5).normal(0, 0.02, (3, 3)).astype(np.float32)
    graph = helper.make_graph(
        [
            helper.make_node("ReduceMean", ["image"], ["means"], axes=[2, 3], keepdims=0),
            helper.make_node("MatMul", ["means", "weights"], ["raw"]),
            helper.make_node(last, ["raw"], ["scores"]),
        ],
        "colors",
        [helper.make_tensor_value_info("image", TensorProto.FLOAT, ["n" if free else 1, 3, 96, 96])],
        [helper.make_tensor_value_info("scores", TensorProto.FLOAT, ["n" if free else 1, 3])],
        [numpy_helper.from_array(weights, "weights")],
    )
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8), path)
    if sidecar:
        path.with_name(f"{path.name}.lightloom.toml").write_text(sidecar)
    if labels:
        path.with_name(f"{name}.labels.txt").write_text(labels)
    return path


@pytest.fixture(scope="module")
def picture(tmp_path_factory):
    """A picture with more red on its left, more blue on its right."""
    path = tmp_path_factory.mktemp("scene") / "scene.png"
    pixels = np.random.default_rng(1).integers(0, 120, (PICTURE[1], PICTURE[0], 3), np.uint8)
    pixels[:, :200, 2] += 100
    pixels[:, 400:, 0] += 60
    assert cv2.imwrite(str(path), pixels)
    return path


@pytest.fixture(scope="module")
def families(tmp_path_factory):
    """A server of every export family."""
    folder = tmp_path_factory.mktemp("families")
    files = {}
    for number, row in enumerate(ROWS):
        (folder / str(number)).mkdir()
        files[f"family{number}"] = row.save(folder / str(number))
    with ServerRig(files) as server:
        yield server


@pytest.fixture(scope="module")
def bundled(tmp_path_factory):
    """A server of the bundled networks and of the classifiers above."""
    folder = tmp_path_factory.mktemp("beside")
    files = {name: model.path for name, model in builtin_models().items() if model.task != "diffusion"}
    with ServerRig({**files, **{name: classifier(folder, name) for name in CLASSES}}) as server:
        yield server, folder


def address(server, way, name):
    return f"http://{server.http}/v2/models/{name}" if way == "http" else f"grpc://{server.grpc}/{name}"


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("number", range(len(ROWS)), ids=[row.name for row in ROWS])
def test_every_export_family_is_read_as_its_file_is(number, way, families, gpu):
    row = ROWS[number]
    named = dict(zip(row.options[::2], row.options[1::2], strict=True))
    settings = {name.removeprefix("--"): value for name, value in named.items()}
    network = load_network(gpu, address(families, way, f"family{number}"), settings=settings)
    try:
        used = network.preprocess
        assert {name: getattr(used, name) for name in row.takes} == dict(row.takes)
        found = network.analyze_pixels(np.full((PICTURE[1], PICTURE[0], 3), 120, np.uint8))
        row.expected.check(found.json())
    finally:
        network.close()


def results(capsys, *arguments):
    capsys.readouterr()
    assert main([*map(str, arguments), "--json"]) == 0
    (found,) = json.loads(capsys.readouterr().out)["results"]
    return found


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", ["classifier", *CLASSES])
def test_classifiers_give_the_same_probabilities(name, way, bundled, picture, capsys):
    """Within 1e-5, by the same backend: for what ends in probabilities, and for what does not."""
    server, folder = bundled
    model = name if name == "classifier" else folder / f"{name}.onnx"
    here = results(capsys, "classify", picture, "--model", model, "--backend", "onnxruntime")
    there = results(capsys, "classify", picture, "--model", address(server, way, name))
    assert [item["label"] for item in there["top"]] == [item["label"] for item in here["top"]]
    near = [item["probability"] for item in here["top"]]
    assert [item["probability"] for item in there["top"]] == pytest.approx(near, abs=1e-5)


@pytest.mark.parametrize("way", WAYS)
def test_the_detector_gives_the_same_boxes(way, bundled, picture, capsys):
    """Scores within 1e-5, boxes within a hundredth of a pixel."""
    server, _ = bundled
    options = ("--score", "0.02")
    here = results(capsys, "detect", picture, "--model", "detector", "--backend", "onnxruntime", *options)
    there = results(capsys, "detect", picture, "--model", address(server, way, "detector"), *options)
    assert len(here["objects"]) == len(there["objects"]) > 0
    for one, other in zip(here["objects"], there["objects"], strict=True):
        assert one["label"] == other["label"] and one["score"] == pytest.approx(other["score"], abs=1e-5)
        assert one["box"] == pytest.approx(other["box"], abs=0.01)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    ("name", "stage"), [("style_ink", "style"), ("style_oil", "style"), ("person_mask", "background")]
)
def test_stages_give_the_same_picture(name, stage, way, bundled, picture, tmp_path):
    """Within one level of 255."""
    server, _ = bundled
    found = []
    for model in (name, address(server, way, name)):
        target = tmp_path / f"{len(found)}.png"
        chain = ["--filter", f"{stage}:model={model}"]
        assert main(["process", str(picture), "-o", str(target), *chain]) == 0
        found.append(cv2.imread(str(target)).astype(int))
    assert np.abs(found[0] - found[1]).max() <= 1
    assert np.abs(found[0] - cv2.imread(str(picture))).mean() > 1


# -- the description -----------------------------------------------------------------------------------------


def test_a_description_is_read_as_it_was_written(tmp_path):
    """The facts of every family and bundled network, with every type of field."""
    paths = [model.path for model in builtin_models().values()]
    for number, row in enumerate(ROWS):
        (tmp_path / str(number)).mkdir()
        paths.append(row.save(tmp_path / str(number)))
    for path in paths:
        written = described(ModelFile.open(path))
        assert read_served(served_text(written)) == written


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{}", '{"version":true}', '{"version":1}', '{"version":1,"facts":{}}', "[" * 100_000]
    + [
        f'{{"version":1,"facts":{{"input_name":{value}}}}}'
        for value in ('1,"input_shape":[1]', '"x","input_shape":[1.5]', '"x","input_shape":{"a":1}')
    ]
    + ['{"version":1,"facts":{"input_name":"x","input_shape":[1],"bias_to_weight":NaN}}'],
)
def test_a_malformed_description_is_refused(text, tmp_path):
    with pytest.raises(ValueError):
        read_served(text)
    network = Network.of_onnx(classifier(tmp_path, "softmax"), {PARAMETER: text or "?"})
    server = InferenceServer(network)
    try:
        with pytest.raises(Exception, match="cannot be had from"):
            ModelFile.open(server.http)
    finally:
        server.close()


def test_a_description_of_another_network_is_refused(tmp_path):
    path = classifier(tmp_path, "softmax")
    other = described(ModelFile.open(ROWS[0].save(tmp_path)))
    server = InferenceServer(Network.of_onnx(path, {PARAMETER: served_text(other)}))
    try:
        with pytest.raises(Exception, match="cannot be had from"):
            ModelFile.open(server.http)
    finally:
        server.close()


def test_what_stands_beside_the_address_here_overrides_the_server(bundled):
    server, _ = bundled
    file = ModelFile.open(address(server, "http", "sigmoid"))
    assert read_input_facts(file.named).plan.colors == "BGR"
    beside = file.path.with_name(f"{file.path.name}.lightloom.toml")
    beside.parent.mkdir(parents=True, exist_ok=True)
    beside.write_text('[preprocess]\ncolors = "RGB"\n')
    try:
        plan = read_input_facts(file.named).plan
        assert (plan.colors, plan.scale, plan.mean) == ("RGB", "0..255", (1.0, 2.0, 3.0))
    finally:
        beside.unlink()


# -- other servers -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", ["softmax", "logits"])
@pytest.mark.parametrize("free", [False, True])
def test_other_servers_are_judged_by_the_values_of_a_trial(name, free, way, tmp_path, picture, capsys):
    """Probabilities stay what they are, and the assumption is printed; logits go through softmax."""
    path = classifier(tmp_path, name, free)
    path.with_name(f"{path.name}.lightloom.toml").unlink(missing_ok=True)
    path.with_name(f"{name}.labels.txt").unlink()
    here = results(capsys, "classify", picture, "--model", path, "--backend", "onnxruntime")
    server = InferenceServer(Network.of_onnx(path, None))
    try:
        there = results(capsys, "classify", picture, "--model", getattr(server, way))
        assert main(["classify", str(picture), "--model", getattr(server, way)]) == 0
    finally:
        server.close()
    near = [item["probability"] for item in here["top"]]
    assert [item["probability"] for item in there["top"]] == pytest.approx(near, abs=1e-5)
    printed = "".join(capsys.readouterr())
    assert ("those of a gray image sum to 1" in printed) == (name == "softmax")
    assert ("The network ends in logits" in printed) == (name == "logits")
