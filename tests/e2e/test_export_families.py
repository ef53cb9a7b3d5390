"""Every export family, through the command line and through what loads a network in the window, on both
backends.
"""

from __future__ import annotations

import json
from dataclasses import replace

import cv2
import numpy as np
import onnx
import pytest
from export_families import DOG, PERSON, PICTURE, ROWS, Row, in_input
from onnx import TensorProto, helper, numpy_helper

from desktop.__main__ import main
from desktop.pipeline.chain.network_stages import stage_for_model
from desktop.pipeline.running.inputs.input_facts import unclear_input
from desktop.pipeline.running.one.loading import load_network
from desktop.vision.models.model_file import ModelFile

BACKENDS = ("wgpu", "onnxruntime")


@pytest.fixture(scope="module")
def picture(tmp_path_factory):
    """A picture, of which the networks take no notice."""
    path = tmp_path_factory.mktemp("scene") / "scene.png"
    pixels = np.random.default_rng(1).integers(0, 255, (PICTURE[1], PICTURE[0], 3), np.uint8)
    assert cv2.imwrite(str(path), pixels)
    return path


CASES = [pytest.param(row, backend, id=f"{row.name} {backend}") for row in ROWS for backend in BACKENDS]


def test_rows_have_names_of_their_own():
    assert len({row.name for row in ROWS}) == len(ROWS) >= 40


@pytest.mark.parametrize(("row", "backend"), CASES)
def test_the_command_line_finds_what_is_there(row: Row, backend, picture, tmp_path, capsys):
    model = row.save(tmp_path)
    command = [row.command, str(picture), "--model", str(model), "--backend", backend, *row.options]
    if row.command == "analyze":
        target = tmp_path / "results.jsonl"
        assert main([*command, "-o", str(target)]) == 0
        row.expected.check(json.loads(target.read_text())["result"])
        return
    assert main([*command, "--json"]) == 0
    (found,) = json.loads(capsys.readouterr().out)["results"]
    row.expected.check(found)


@pytest.mark.parametrize(("row", "backend"), CASES)
def test_loading_it_in_the_window_finds_what_is_there(row: Row, backend, gpu, tmp_path):
    file = ModelFile.open(row.save(tmp_path))
    assert stage_for_model(file) is None
    unclear = unclear_input(file)
    assert unclear is None or "task" not in unclear.unclear
    settings = {
        name.removeprefix("--"): value
        for name, value in zip(row.options[::2], row.options[1::2], strict=True)
    }
    network = load_network(gpu, file, backend=backend, settings=settings)
    try:
        used = network.preprocess
        assert {name: getattr(used, name) for name in row.takes} == dict(row.takes)
        seen = network.analyze_pixels(np.full((PICTURE[1], PICTURE[0], 3), 120, np.uint8))
        row.expected.check(seen.json())
    finally:
        network.close()


@pytest.mark.parametrize("name", ["torchvision", "EfficientNMS", "yolov10 without metadata"])
def test_names_beside_a_network_say_how_many_classes_it_lists(name, gpu, tmp_path):
    """The first name is of class 0, or of class 1 where 0 is the background; one without a name has its number."""
    row = {row.name: row for row in ROWS}[name]
    path = replace(row, things=((1, *PERSON[1:]), (2, *DOG[1:]))).save(tmp_path)
    path.with_suffix(".txt").write_text("nut\nbolt\n")
    network = load_network(gpu, path, backend="onnxruntime")
    found = network.analyze_pixels(np.zeros((PICTURE[1], PICTURE[0], 3), np.uint8))
    network.close()
    first, second = found.objects
    assert first.label == "bolt" and second.label == f"class {second.index}"
    assert (first.index, second.index) == ((2, 3) if name == "torchvision" else (1, 2))


def test_lists_are_as_long_as_each_picture_makes_them(gpu, tmp_path):
    """Nothing in a dark picture, as in the one with which it was tried, and two boxes in a bright one, in
    either order.
    """
    row = {row.name: row for row in ROWS}["torchvision"]
    boxes = row.outputs([in_input(thing, row.size, "letterbox") for thing in row.things], row.size)
    weights = [numpy_helper.from_array(array, f"{name} is") for name, array in boxes.items()]
    weights += [
        numpy_helper.from_array(np.float32(0.5), "half"),
        numpy_helper.from_array(np.array([2]), "rows"),
    ]
    nodes = [
        helper.make_node("ReduceMean", ["image"], ["mean"], keepdims=0),
        helper.make_node("Greater", ["mean", "half"], ["bright"]),
        helper.make_node("Expand", ["bright", "rows"], ["kept"]),
        *(helper.make_node("Compress", [f"{name} is", "kept"], [name], axis=0) for name in boxes),
    ]
    graph = helper.make_graph(
        nodes,
        "lists",
        [helper.make_tensor_value_info("image", TensorProto.FLOAT, [1, 3, row.size[1], row.size[0]])],
        [
            helper.make_tensor_value_info(
                name, helper.np_dtype_to_tensor_dtype(array.dtype), ["n", *array.shape[1:]]
            )
            for name, array in boxes.items()
        ],
        weights,
    )
    path = tmp_path / "lists.onnx"
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 16)], ir_version=8), str(path))
    network = load_network(gpu, path, backend="onnxruntime")
    for level, count in ((0, 0), (255, 2), (0, 0), (255, 2)):
        found = network.analyze_pixels(np.full((PICTURE[1], PICTURE[0], 3), level, np.uint8))
        assert len(found.objects) == count
    network.close()
    row.expected.check(found.json())
