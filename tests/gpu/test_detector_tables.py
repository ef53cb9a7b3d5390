"""Choice of the decoder for a detector with one table, and of its units: by the graph, by names, and by one
trial run; on both backends.
"""

from __future__ import annotations

import io
import zipfile

import numpy as np
import onnx
import pytest
from detector_models import THINGS, write_detector, write_table
from fuzz.read_tflite import FLOAT32, INT32, OPS, Writer

from desktop.base.errors import AmbiguousNetworkError, UsageError
from desktop.pipeline.running.one.loading import load_network

KINDS = {
    "yolov8": "YOLOv8",
    "yolov8 shares": "YOLOv8",
    "yolov8 transposed": "YOLOv8",
    "yolov8 transposed shares": "YOLOv8",
    "yolov6": "YOLOv6",
    "yolox": "YOLOX",
    "yolox decoded": "YOLOX (decoded)",
}
BACKENDS = ["onnxruntime", "wgpu"]
# (size, classes, NHWC)
FORMS = [((320, 320), 80, False), ((192, 256), 3, True), ((128, 128), 1, False)]


def found_by(network, size):
    """Classes and boxes in shares of a picture of the input's own size."""
    width, height = size
    picture = (np.random.default_rng(0).random((height, width, 3)) * 255).astype(np.uint8)
    result = network.analyze_pixels(picture)
    return [(o.index, *(np.array(o.box) / (width, height, width, height))) for o in result.objects]


def is_right(found, classes):
    assert [each[0] for each in found] == [thing[0] % classes for thing in THINGS]
    # float32 and halves: a thousandth of the input.
    np.testing.assert_allclose([each[1:] for each in found], [thing[2:] for thing in THINGS], atol=2e-3)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(("size", "classes", "nhwc"), FORMS)
@pytest.mark.parametrize("kind", KINDS)
def test_graphs_tell_how_they_are_read(gpu, tmp_path, kind, size, classes, nhwc, backend):
    path = write_detector(tmp_path / "d.onnx", kind, size, classes, nhwc=nhwc)
    network = load_network(gpu, path, backend=backend)
    said = " ".join(network.notes)
    assert f"those of {KINDS[kind]}" in said
    assert "trial" not in said
    is_right(found_by(network, size), classes)
    network.close()


@pytest.mark.parametrize("backend", BACKENDS)
def test_free_sizes(gpu, tmp_path, backend):
    names = [f"thing {number}" for number in range(3)]
    path = write_detector(tmp_path / "d.onnx", "yolov8", (640, 640), 3, free=True, names=names)
    model = onnx.load(path)
    model.metadata_props.add(key="task", value="detect")
    onnx.save(model, path)
    network = load_network(gpu, path, backend=backend)
    is_right(found_by(network, (640, 640)), 3)
    network.close()


# -- a trial run ---------------------------------------------------------------------------------------------


def rows(size, classes, *, objectness, units):
    """A table [1, cells, 4 or 5 + classes] with THINGS in it."""
    width, height = size
    count = sum((width // s) * (height // s) for s in (8, 16, 32))
    table = np.zeros((1, count, 4 + objectness + classes))
    for number, (index, score, left, top, right, bottom) in enumerate(THINGS):
        row = table[0, 9 * number + 5]
        row[:4] = (left + right) / 2, (top + bottom) / 2, right - left, bottom - top
        row[:4] *= (width, height) * 2 if units == "pixels" else 1.0
        row[4 + objectness + index % classes] = score
        if objectness:
            row[4] = 0.99
    return table


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("units", ["pixels", "shares"])
@pytest.mark.parametrize("classes", [2, 3, 80])
@pytest.mark.parametrize("objectness", [False, True])
def test_a_trial_tells_what_the_graph_does_not(gpu, tmp_path, objectness, classes, units, backend):
    table = rows((256, 192), classes, objectness=objectness, units=units)
    path = write_table(tmp_path / "d.onnx", table, (256, 192))
    network = load_network(gpu, path, backend=backend)
    said = " ".join(network.notes)
    assert "A trial run shows that the boxes are" in said
    assert ("YOLOv6" if objectness else "YOLOv8") in said
    is_right(found_by(network, (256, 192)), classes)
    network.close()


def test_names_tell_whether_there_is_an_objectness(gpu, tmp_path):
    table = rows((256, 192), 3, objectness=False, units="pixels")
    path = write_table(tmp_path / "d.onnx", table, (256, 192), names=("a", "b", "c"))
    network = load_network(gpu, path, backend="onnxruntime")
    assert "A trial run shows that its outputs" not in " ".join(network.notes)
    assert network.head.labels.names == ("a", "b", "c")
    is_right(found_by(network, (256, 192)), 3)
    network.close()


def test_what_nothing_tells_is_asked(gpu, tmp_path):
    path = write_table(tmp_path / "d.onnx", np.zeros((1, 1008, 8)), (256, 192))
    with pytest.raises(AmbiguousNetworkError) as caught:
        load_network(gpu, path, backend="onnxruntime")
    assert {choice.decoder for choice in caught.value.choices} == {"yolox", "yolov6", "yolov8"}
    text = str(caught.value)
    assert "--decoder" in text and "yolov6" in text and "d.onnx.lightloom.toml" in text


def test_units_that_nothing_tells_are_said_to_be_assumed(gpu, tmp_path):
    path = write_table(tmp_path / "d.onnx", np.zeros((1, 84, 1008)), (256, 192))
    network = load_network(gpu, path, backend="onnxruntime")
    assert "pixels are assumed" in " ".join(network.notes)
    network.close()


@pytest.mark.parametrize("way", ["setting", "sidecar"])
def test_what_is_said_goes_before_what_is_seen(gpu, tmp_path, way):
    table = rows((256, 192), 3, objectness=True, units="shares")
    path = write_table(tmp_path / "d.onnx", table, (256, 192))
    said = {"decoder": "yolov5", "units": "shares"}
    if way == "sidecar":
        text = "".join(f'{key} = "{value}"\n' for key, value in said.items())
        path.with_name("d.onnx.lightloom.toml").write_text(text)
    network = load_network(gpu, path, settings=said if way == "setting" else {}, backend="onnxruntime")
    assert "The chosen decoder is YOLOv5." in network.notes
    assert not any("trial" in note for note in network.notes)
    is_right(found_by(network, (256, 192)), 3)
    network.close()


def test_a_key_of_the_sidecar_that_is_not_read_is_told(gpu, tmp_path):
    table = rows((256, 192), 3, objectness=True, units="pixels")
    path = write_table(tmp_path / "d.onnx", table, (256, 192))
    beside = path.with_name("d.onnx.lightloom.toml")
    beside.write_text('decoder = "yolov5"\ndecodr = "yolox"\nskeleton = "hand-21"\n')
    network = load_network(gpu, path, backend="onnxruntime")
    said = " ".join(network.notes)
    assert "The key 'decodr' in d.onnx.lightloom.toml is unknown" in said
    assert "The key 'skeleton' in d.onnx.lightloom.toml is not for object detection" in said
    network.close()


@pytest.mark.parametrize("key", ["decoder", "units"])
def test_a_name_that_there_is_not_names_those_that_there_are(gpu, tmp_path, key):
    table = rows((256, 192), 3, objectness=True, units="pixels")
    path = write_table(tmp_path / "d.onnx", table, (256, 192))
    with pytest.raises(UsageError, match="nonsense") as caught:
        load_network(gpu, path, "detection", settings={key: "nonsense"}, backend="onnxruntime")
    assert {"decoder": "yolov8", "units": "shares"}[key] in str(caught.value)


# -- TensorFlow Lite -----------------------------------------------------------------------------------------


def tflite_detector(table, said):
    """A network [1, 64, 64, 3] that gives a table [1, columns, cells] whatever it sees, with Ultralytics'
    archive behind it.
    """
    w = Writer()
    columns, cells = table.shape
    x, y = w.tensor("x", (1, 64, 64, 3), FLOAT32), w.tensor("y", (1, columns, cells), FLOAT32)
    pooled, flat, numbers = (
        w.tensor(name, shape, FLOAT32)
        for name, shape in (("p", (1, 1, 1, 3)), ("f", (1, 3)), ("n", (1, table.size)))
    )
    window = {"StrideW": 64, "StrideH": 64, "FilterWidth": 64, "FilterHeight": 64}
    w.operator(OPS.AVERAGE_POOL_2D, (x,), (pooled,), "Pool2D", Padding=1, **window)
    shapes = [
        w.tensor(f"s{number}", (len(shape),), INT32, data=np.int32(shape))
        for number, shape in enumerate(((1, 3), (1, columns, cells)))
    ]
    w.operator(OPS.RESHAPE, (pooled, shapes[0]), (flat,), "Reshape")
    weights = w.tensor("w", (table.size, 3), FLOAT32, data=np.zeros((table.size, 3), np.float32))
    bias = w.tensor("b", (table.size,), FLOAT32, data=table.astype(np.float32).ravel())
    w.operator(OPS.FULLY_CONNECTED, (flat, weights, bias), (numbers,), "FullyConnected")
    w.operator(OPS.RESHAPE, (numbers, shapes[1]), (y,), "Reshape")
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        archive.writestr("temp_meta.txt", str(said))
    return w.packed((x,), (y,)) + made.getvalue()


def test_ultralytics_tflite_files_have_names_and_shares(gpu, tmp_path):
    table = np.zeros((6, 84))
    for number, (_, score, left, top, right, bottom) in enumerate(THINGS):
        table[:4, 9 * number + 5] = (left + right) / 2, (top + bottom) / 2, right - left, bottom - top
        table[4 + number, 9 * number + 5] = score
    said = {"author": "Ultralytics", "task": "detect", "stride": 32, "imgsz": [64, 64]}
    path = tmp_path / "n.tflite"
    path.write_bytes(tflite_detector(table, {**said, "names": {0: "person", 1: "dog"}}))
    network = load_network(gpu, path)
    picture = np.full((64, 64, 3), 90, np.uint8)
    found = network.analyze_pixels(picture).objects
    assert [thing.label for thing in found] == ["person", "dog"]
    np.testing.assert_allclose(
        [np.array(thing.box) / 64 for thing in found], [thing[2:] for thing in THINGS], atol=2e-3
    )
    assert (network.preprocess.scale, network.preprocess.colors) == ("0..1", "RGB")
    network.close()
