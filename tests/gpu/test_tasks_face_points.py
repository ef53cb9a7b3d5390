"""Points of a face, beside a decoding of its own, the network's own, and people's annotations."""

from __future__ import annotations

import json

import cv2
import numpy as np
import onnx
import pytest
import wgpu
from onnx import TensorProto, helper, numpy_helper

from desktop.base.errors import ModelUnsupportedError
from desktop.compute.nn.session import Tensor, TensorInfo
from desktop.pipeline.running.one.loading import load_network
from desktop.vision.models.facts import ModelFacts
from desktop.vision.models.findings import Evidence
from desktop.vision.tasks import recognize_facts
from desktop.vision.tasks.common.reduction import GpuReduction
from desktop.vision.tasks.face_points import _ENTRY, COUNT, EDGES, TASK, FacePoints, _plan

SIDE = 28


def test_networks_are_recognized_by_outputs_that_nothing_else_has():
    def of(*shapes):
        outputs = tuple(TensorInfo(f"y{i}", shape, "float32") for i, shape in enumerate(shapes))
        return recognize_facts(ModelFacts("x", (0, 3, 224, 224), outputs=outputs))

    for found in (of((1, 198, 28, 28)), of((0, 198, 28, 28)), of((), (66, 3)), of((66, 3))):
        assert (found.task, found.evidence) == (TASK, Evidence.DECLARED)
    for other in (of((1, 21, 224, 224)), of((1, 198)), of((68, 3)), of((1, 198, 1, 1))):
        assert other is None or other.task is not TASK


def test_lines_join_neighbors_of_the_same_part():
    assert {i for edge in EDGES for i in edge} == set(range(COUNT))
    # Open lines of 17, 5, 5, 4 and 5 points; closed ones of 6, 6, 12 and 8.
    assert len(EDGES) == len(set(EDGES)) == 31 + 32


def expected(maps):
    """The tracker's arithmetic, one point at a time: (row, column, confidence) in pixels of an input of 224."""
    found = []
    for point in range(COUNT):
        heat = maps[point]
        row, column = np.unravel_index(np.argmax(heat), heat.shape)
        at = []
        for place, share in (
            (row, maps[COUNT + point][row, column]),
            (column, maps[2 * COUNT + point][row, column]),
        ):
            share = min(max(float(share), 1e-7), 1 - 1e-7)
            at.append(223 * (place / 27 + np.log(share / (1 - share)) / 16))
        found.append((*at, float(heat[row, column])))
    return np.array(found)


@pytest.mark.parametrize(
    "dtype, last", [("float32", False), ("float16", False), ("float32", True), ("float16", True)]
)
def test_maps_on_the_gpu_are_numpys(gpu, dtype, last):
    rng = np.random.default_rng(3)
    maps = rng.random((3 * COUNT, SIDE, SIDE)).astype(dtype)
    maps[0] = 0.5  # all equal: the first
    maps[1, 3, 4] = maps[1, 5, 6] = 2.0
    maps[2, :] = np.nan
    maps[2, 9, 9] = -1.0
    maps[3, 0, 0] = np.nan
    padded = 200
    stored = np.zeros((SIDE, SIDE, padded), dtype) if last else maps
    if last:
        stored[..., : 3 * COUNT] = np.moveaxis(maps, 0, -1)
    data = np.concatenate((np.full(4, 7, dtype), stored.ravel())).tobytes()
    buffer = gpu.device.create_buffer_with_data(data=data, usage=wgpu.BufferUsage.STORAGE)
    offset = 4 * np.dtype(dtype).itemsize
    layout = {"layout": "NHWC", "padded_channels": padded} if last else {}
    tensor = Tensor(buffer, (1, 3 * COUNT, SIDE, SIDE), dtype, offset=offset, **layout)
    unit = GpuReduction(
        gpu, "face_points.wgsl", _plan(tensor, is_maps=True), (tensor,), COUNT * _ENTRY.itemsize, groups=COUNT
    )
    gpu.compute(unit.encode)
    found = np.frombuffer(bytes(gpu.queue.read_buffer(unit.result)), _ENTRY)
    unit.close()
    flat = maps.reshape(3, COUNT, -1)
    place = np.nan_to_num(flat[0].astype(np.float64), nan=-np.inf).argmax(axis=1)
    each = np.arange(COUNT)
    assert found["place"].tolist() == place.tolist()
    assert place[:3].tolist() == [0, 3 * SIDE + 4, 9 * SIDE + 9]
    np.testing.assert_array_equal(found["score"], flat[0, each, place].astype(np.float32))
    np.testing.assert_array_equal(found["offsets"][:, 0], flat[1, each, place].astype(np.float32))
    np.testing.assert_array_equal(found["offsets"][:, 1], flat[2, each, place].astype(np.float32))


# -- a network whose maps are known --------------------------------------------------------------------------


def known_maps():
    """Points on a ring, each certain by 0.9."""
    maps = np.full((3 * COUNT, SIDE, SIDE), 0.1, np.float32)
    angle = np.arange(COUNT) / COUNT * 2 * np.pi
    rows, columns = np.round(13 + 9 * np.sin(angle)).astype(int), np.round(14 + 7 * np.cos(angle)).astype(int)
    each = np.arange(COUNT)
    maps[each, rows, columns] = 0.9
    maps[COUNT:] = np.random.default_rng(5).uniform(0.45, 0.55, (2 * COUNT, SIDE, SIDE))
    return maps


def constant_network(path, *outputs):
    """A network that gives arrays, whatever it sees."""
    graph = helper.make_graph(
        [
            helper.make_node("ReduceMean", ["x"], ["m"], axes=[0, 1, 2, 3], keepdims=0),
            helper.make_node("Mul", ["m", "zero"], ["nothing"]),
            *(helper.make_node("Add", [f"c{i}", "nothing"], [f"y{i}"]) for i in range(len(outputs))),
        ],
        "constant",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, (1, 3, 224, 224))],
        [helper.make_tensor_value_info(f"y{i}", TensorProto.FLOAT, a.shape) for i, a in enumerate(outputs)],
        [
            numpy_helper.from_array(np.array(0, np.float32), "zero"),
            *(numpy_helper.from_array(array, f"c{i}") for i, array in enumerate(outputs)),
        ],
    )
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8), str(path))
    return path


@pytest.mark.parametrize("backend", ["wgpu", "onnxruntime"])
@pytest.mark.parametrize("form", ["maps", "list"])
def test_points_are_where_the_maps_say(gpu, tmp_path, backend, form):
    maps = known_maps()
    want = expected(maps)
    # A file of the first versions has the mean confidence as its first output, and the list as its second.
    outputs = (maps[None],) if form == "maps" else (np.array(0.9, np.float32), want.astype(np.float32))
    network = load_network(gpu, constant_network(tmp_path / "face.onnx", *outputs), backend=backend)
    assert network.head.features.task == TASK.id
    found = network.analyze_pixels(np.zeros((448, 336, 3), np.uint8))
    assert isinstance(found, FacePoints) and found.size == (336, 448)
    # The input of 224 is the whole picture, stretched.
    np.testing.assert_allclose(
        np.array(found.points)[:, :2], (want[:, 1::-1] + 0.5) * (336 / 224, 448 / 224), atol=2e-3
    )
    np.testing.assert_allclose(np.array(found.points)[:, 2], want[:, 2], atol=1e-6)
    assert found.score == pytest.approx(0.9, abs=1e-6)
    [shape] = found.shapes()
    assert shape.edges == EDGES and len(shape.points) == COUNT
    np.testing.assert_allclose(np.array(shape.points) * (336, 448), np.array(found.points)[:, :2])
    assert len(json.loads(json.dumps(found.json()))["points"]) == COUNT and found.text().startswith(
        "90.00% face"
    )
    # Less certain than is asked for: nothing, and the other way round without loading the network again.
    network.head.adjust({"score": 0.95})
    nothing = network.analyze_pixels(np.zeros((10, 10, 3), np.uint8))
    assert (nothing.points, nothing.shapes()) == ((), ()) and "no face" in nothing.text()
    assert nothing.hint == "No face is shown: the image scores 0.90, less than the minimum score."
    network.head.adjust({})
    found = network.analyze_pixels(np.zeros((10, 10, 3), np.uint8))
    assert found.points and not found.hint
    text = network.describe()
    assert "OpenSeeFace" in text and "stretched" in text
    network.close()


@pytest.mark.parametrize("backend", ["wgpu", "onnxruntime"])
def test_numbers_that_are_none_are_no_face(gpu, tmp_path, backend):
    maps = known_maps()
    maps[COUNT:] = np.nan
    network = load_network(gpu, constant_network(tmp_path / "face.onnx", maps[None]), backend=backend)
    found = network.analyze_pixels(np.zeros((20, 20, 3), np.uint8))
    assert found.points == () and "scores 0.00" in found.hint
    network.close()


def test_a_network_without_points_is_refused(gpu, tmp_path):
    path = constant_network(tmp_path / "other.onnx", np.zeros((1, 10), np.float32))
    with pytest.raises(ModelUnsupportedError, match="no points of a face"):
        load_network(gpu, path, TASK.id)


# -- the real network ----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def faces(shared):
    """Faces cut as the tracker cuts them, 66 annotated points (x, y) in each, and the annotations' size."""
    found = []
    truth = json.loads((shared / "truth" / "keypoints" / "300w" / "test_300w.json").read_text())
    names = {image["id"]: image["file_name"] for image in truth["images"]}
    for entry in truth["annotations"]:
        picture = cv2.imread(str(shared / "truth" / "keypoints" / "300w" / names[entry["image_id"]]))[
            ..., ::-1
        ]
        points = np.delete(np.array(entry["keypoints"]).reshape(-1, 3)[:, :2], (48, 54), axis=0)
        low, high = points.min(0), points.max(0)
        margin = (high - low) * (0.1, 0.125)
        x0, y0 = np.maximum(low - margin, 0).astype(int)
        x1, y1 = np.minimum(high + margin, picture.shape[1::-1]).astype(int)
        crop = np.ascontiguousarray(picture[y0:y1, x0:x1])
        found.append((crop, points - (x0, y0), float(np.hypot(*(high - low)))))
    assert len(found) == 2
    return found


def with_maps(path, target):
    """Save the network with its maps as the only output, and convolutions fused by another program taken
    apart again.
    """
    model = onnx.load(str(path))
    nodes = []
    for node in model.graph.node:
        if node.op_type != "FusedConv":
            nodes.append(node)
            continue
        attributes = {a.name: helper.get_attribute_value(a) for a in node.attribute}
        activation, bounds = attributes.pop("activation"), attributes.pop("activation_params", ())
        inner = f"{node.output[0]}_before"
        nodes.append(helper.make_node("Conv", node.input, [inner], **attributes))
        assert activation == b"Relu" or (activation, tuple(bounds)) == (b"Clip", (0.0, 6.0))
        ends = ["zero", "six"] if activation == b"Clip" else []
        nodes.append(helper.make_node(activation.decode(), [inner, *ends], node.output))
    end = next(i for i, node in enumerate(nodes) if node.op_type == "Gather")
    output = helper.make_tensor_value_info(nodes[end].input[0], TensorProto.FLOAT, (1, 3 * COUNT, SIDE, SIDE))
    used = {name for node in nodes[:end] for name in node.input}
    weights = [tensor for tensor in model.graph.initializer if tensor.name in used]
    weights += [numpy_helper.from_array(np.array(v, np.float32), n) for n, v in (("zero", 0), ("six", 6))]
    graph = helper.make_graph(nodes[:end], "maps", model.graph.input[:1], [output], weights)
    onnx.save(
        helper.make_model(graph, opset_imports=[helper.make_opsetid("", 11)], ir_version=6), str(target)
    )
    return target


@pytest.mark.shared
def test_the_real_network_finds_annotated_points(gpu, shared, faces):
    """Within 4 % of the face's diagonal on average; the published error of the 300-W common set is of this
    order.
    """
    network = load_network(gpu, shared / "models" / "keypoints" / "openseeface_lm_model0.onnx")
    assert network.head.features.task == TASK.id and "OpenSeeFace" in network.describe()
    for crop, truth, diagonal in faces:
        found = network.analyze_pixels(crop)
        assert found.score > 0.7
        away = np.hypot(*(np.array(found.points)[:, :2] - truth).T)
        assert away.mean() < 0.04 * diagonal, away.mean() / diagonal
    # A photograph of something else is no face.
    noise = np.random.default_rng(0).integers(0, 255, (200, 200, 3), np.uint8)
    assert network.analyze_pixels(noise).points == ()
    network.close()


@pytest.mark.shared
@pytest.mark.parametrize("backend", ["wgpu", "onnxruntime"])
def test_maps_of_the_real_network_give_the_points_of_its_own_decoding(gpu, shared, tmp_path, faces, backend):
    file = shared / "models" / "keypoints" / "openseeface_lm_model0.onnx"
    whole = load_network(gpu, file, backend="onnxruntime")
    cut = load_network(gpu, with_maps(file, tmp_path / "maps.onnx"), backend=backend, precision="fp32")
    for crop, _, diagonal in faces:
        want, found = (np.array(network.analyze_pixels(crop).points) for network in (whole, cut))
        # The graph rounds to whole pixels of the input; at 1080p one of these is several of the picture.
        pixel = np.hypot(crop.shape[1] / 224, crop.shape[0] / 224)
        away = np.hypot(*(found[:, :2] - want[:, :2]).T)
        assert away.max() <= 0.5 * pixel + 1e-3 * diagonal
        np.testing.assert_allclose(found[:, 2], want[:, 2], atol=2e-4)
    whole.close()
    cut.close()
