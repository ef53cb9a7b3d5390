"""Networks that give numbers of classes, of which the outputs do not show how many there are: no number is
lost, and names come from wherever they are.
"""

from __future__ import annotations

import json

import numpy as np
import pytest
from constant_models import write_constant

from desktop.pipeline.running.one.loading import load_network
from desktop.vision.models.model_file import ModelFile
from desktop.vision.tasks import recognize

BOXES = np.array([[[8, 8, 30, 30], [32, 32, 60, 60], [5, 31, 25, 60]]], np.float32)
SCORES = np.array([[0.9, 0.8, 0.7]], np.float32)
LISTS = {"boxes": BOXES, "scores": SCORES}
FREE = {"boxes": ["n", 4], "labels": ["n"], "scores": ["n"]}
BACKENDS = pytest.mark.parametrize("backend", ["onnxruntime", "wgpu"])


def rows(columns, numbers, *further):
    """A list of 20 rows, [1, 20, columns], of which the first three are objects of these classes."""
    found = np.zeros((1, 20, columns), np.float32)
    for row, box, score, number in zip(found[0], BOXES[0], SCORES[0], numbers, strict=False):
        row[:6] = *box, score, number
        row[6 : 6 + len(further)] = further
    return found


PICTURE = np.full((64, 64, 3), 128, np.uint8)


def read(gpu, path, backend="onnxruntime", task="", **settings):
    """Return (number, name) of each object, best first, the names of the classes and the description."""
    network = load_network(gpu, path, task, backend=backend, settings=settings)
    try:
        result = network.analyze_pixels(PICTURE)
        objects = [(each.index, each.label) for each in result.objects]
        return objects, network.head.features.labels, network.describe()
    finally:
        network.close()


@BACKENDS
def test_numbers_without_names_are_those_of_a_data_set_and_none_is_lost(gpu, tmp_path, backend):
    path = write_constant(tmp_path / "lists.onnx", {**LISTS, "classes": np.array([[5, 85, 2000]])})
    objects, names, text = read(gpu, path, backend)
    assert objects == [(5, "bus"), (85, "class 85"), (2000, "class 2000")] and len(names) == 80
    assert "COCO, assumed because the file lists numbers of classes without names" in text
    assert "lists.labels.txt" in text
    # Such a class can be chosen, and is not said to be missing.
    objects, _, text = read(gpu, path, backend, classes=("class 85", "class 5000"))
    assert objects == [(85, "class 85")]
    assert "no class 'class 5000'" in text and "no class 'class 85'" not in text


@BACKENDS
def test_a_label_file_names_the_first_of_them(gpu, tmp_path, backend):
    path = write_constant(tmp_path / "e2e.onnx", {"output0": rows(6, (1, 0, 7))})
    (tmp_path / "e2e.labels.txt").write_text("ant\nbee\n", encoding="utf-8")
    objects, names, _ = read(gpu, path, backend)
    assert objects == [(1, "bee"), (0, "ant"), (7, "class 7")] and names == ("ant", "bee")


@BACKENDS
def test_four_boxes_are_four(gpu, tmp_path, backend):
    """Their scores have the shape of one box."""
    boxes = np.concatenate((BOXES, [[[40, 2, 60, 20]]]), axis=1).astype(np.float32)
    scores = np.array([[0.9, 0.8, 0.7, 0.6]], np.float32)
    outputs = {"boxes": boxes, "scores": scores, "classes": np.array([[5, 2, 3, 4]])}
    objects, _, _ = read(gpu, write_constant(tmp_path / "four.onnx", outputs), backend)
    assert [number for number, _ in objects] == [5, 2, 3, 4]


@pytest.mark.parametrize("key", ["labels", "classes", "class_names", "names"])
@pytest.mark.parametrize("names", [("ant",), ("ant", "bee", "cow")])
def test_names_are_read_from_any_key_of_the_metadata(gpu, tmp_path, key, names):
    outputs = {**LISTS, "classes": np.array([[0, len(names) - 1, 3]])}
    path = write_constant(tmp_path / "net.onnx", outputs, metadata={key: json.dumps(names)})
    objects, known, _ = read(gpu, path)
    assert objects == [(0, "ant"), (len(names) - 1, names[-1]), (3, "class 3")] and known == names


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["cat"], ["cat", "cat", "class 2"]),
        (["cat", "dog"], ["cat", "cat", "dog"]),
        (["background", "cat", "dog"], ["cat", "cat", "dog"]),
        (["???", "cat", "dog"], ["cat", "cat", "dog"]),
    ],
)
def test_the_background_is_number_zero_whether_it_has_a_name_or_not(gpu, tmp_path, names, expected):
    outputs = {"boxes": BOXES[0], "labels": np.array([1, 1, 2]), "scores": SCORES[0]}
    metadata = {"names": json.dumps(names)}
    path = write_constant(tmp_path / "tv.onnx", outputs, shape=(3, 64, 64), free=FREE, metadata=metadata)
    objects, _, _ = read(gpu, path)
    assert [name for _, name in objects] == expected


def test_labels_of_the_model_zoos_ssd_count_from_one(gpu, tmp_path):
    """Its accuracy check in OpenVINO's model zoo: COCO's 80 classes with a background."""
    outputs = {"bboxes": BOXES / 64, "labels": np.array([[1, 17, 80]]), "scores": SCORES}
    objects, _, text = read(gpu, write_constant(tmp_path / "ssd.onnx", outputs))
    assert objects == [(1, "person"), (17, "dog"), (80, "toothbrush")]
    assert "mean (0.485, 0.456, 0.406)" in text and "shares" in text


@BACKENDS
def test_masks_of_a_list(gpu, tmp_path, backend):
    outputs = {
        "output0": rows(6 + 32, (1, 120, 0), *[0.0] * 32),
        "output1": np.ones((1, 32, 16, 16), np.float32),
    }
    path = write_constant(tmp_path / "seg.onnx", outputs)
    assert read(gpu, path, backend)[0] == [(1, "bicycle"), (120, "class 120"), (0, "person")]
    (tmp_path / "seg.labels.txt").write_text("ant\nbee\n", encoding="utf-8")
    objects, names, _ = read(gpu, path, backend)
    assert objects == [(1, "bee"), (120, "class 120"), (0, "ant")] and names == ("ant", "bee")
    with ModelFile.opened(path) as file:
        assert recognize(file).task.class_names(file, recognize(file).task.settled(file, {})) == (
            "ant",
            "bee",
        )


@BACKENDS
def test_oriented_boxes_of_a_list(gpu, tmp_path, backend):
    table = rows(7, (1, 120, 0), 0.0)
    path = write_constant(tmp_path / "obb.onnx", {"output0": table}, metadata={"task": "obb"})
    assert [number for number, _ in read(gpu, path, backend)[0]] == [1, 120, 0]
    (tmp_path / "obb.labels.txt").write_text("ship\nplane\n", encoding="utf-8")
    assert read(gpu, path, backend)[0] == [(1, "plane"), (120, "class 120"), (0, "ship")]


@BACKENDS
def test_key_points_of_a_list(gpu, tmp_path, backend):
    table = rows(6 + 2 * 3, (1, 3, 0), 20.0, 20.0, 0.9, 25.0, 25.0, 0.9)
    said = {"task": "pose", "kpt_shape": "[2, 3]", "names": json.dumps({0: "fox", 1: "owl"})}
    path = write_constant(tmp_path / "pose.onnx", {"output0": table}, metadata=said)
    objects, _, _ = read(gpu, path, backend, "key_points")
    assert [number for number, _ in objects] == [1, 3, 0]
    assert [name for number, name in objects if number < 2] == ["owl", "fox"]


@BACKENDS
def test_pixels_with_numbers_of_classes_have_the_names_of_the_file(gpu, tmp_path, backend):
    numbers = np.zeros((1, 64, 64), np.int64)
    numbers[0, 10:30], numbers[0, 40:50] = 2, 7
    metadata = {"labels": json.dumps(["nothing", "road", "tree"])}
    path = write_constant(tmp_path / "pixels.onnx", {"out": numbers}, metadata=metadata)
    network = load_network(gpu, path, "pixel_classes", backend=backend)
    found = network.analyze_pixels(PICTURE).classes
    assert [(each.index, each.label) for each in found] == [(0, "nothing"), (2, "tree"), (7, "class 7")]
    network.close()
