"""Instance masks on both backends, against the origin's way by NumPy and OpenCV: logits enlarged to the
picture, cut at the box.
"""

from __future__ import annotations

import cv2
import numpy as np
import onnx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from test_pipeline import read_target, rgba_frame, target_texture
from tiny_models import fixed_network

from desktop.base.errors import ModelUnsupportedError
from desktop.compute.nn.session import TensorInfo
from desktop.pipeline.filters.library import FilterLibrary
from desktop.pipeline.picture.present import View
from desktop.pipeline.pipeline import Pipeline
from desktop.pipeline.running.network_spec import NetworkSpec
from desktop.pipeline.running.one.crop_network import RESULT_BYTES
from desktop.pipeline.running.one.live import LiveNetwork
from desktop.pipeline.running.one.loading import load_network
from desktop.vision.models.facts import ModelFacts
from desktop.vision.tasks import recognize_facts
from desktop.vision.tasks.common.mask_ring import SLOTS, MaskRing
from desktop.vision.tasks.instance_masks.forms import find_instances
from desktop.vision.tasks.instance_masks.gpu_instances import MOST

SIZE = (128, 96)  # of the input
PICTURE = (200, 120)
CLASSES, COUNT = 3, 6
CELLS = 16 * 12 + 8 * 6 + 4 * 3
NAMES = {"names": "{0: 'cat', 1: 'dog', 2: 'bird'}"}
BACKENDS = ["wgpu", "onnxruntime"]


def prototypes(generator, count=COUNT):
    """Smooth maps, as networks give them."""
    raw = generator.normal(size=(count, 6, 8)).astype(np.float32)
    return np.stack([cv2.resize(one, (32, 24), interpolation=cv2.INTER_CUBIC) for one in raw])[None]


def things(generator, number):
    """(class, score, left, top, right, bottom in the input, coefficients), some of them over others of their
    class.
    """
    found = []
    for k in range(number):
        w, h = generator.uniform(20, 60, 2)
        x, y = generator.uniform(0, SIZE[0] - w), generator.uniform(12, SIZE[1] - 12 - h)
        coefficients = generator.normal(size=COUNT).astype(np.float32)
        found.append((k % CLASSES, 0.95 - 0.6 * k / number, x, y, x + w, y + h, coefficients))
        if k % 3 == 0:
            found.append((k % CLASSES, 0.3, x + 1, y + 1, x + w, y + h + 1, coefficients))
    return found


def yolov8(found):
    out = np.zeros((1, 4 + CLASSES + COUNT, CELLS), np.float32)
    for k, (index, score, left, top, right, bottom, coefficients) in enumerate(found):
        column = out[0, :, 5 * k + 1]
        column[:4] = (left + right) / 2, (top + bottom) / 2, right - left, bottom - top
        column[4 + index] = score
        column[4 + CLASSES :] = coefficients
    return out


def yolov5(found):
    out = np.zeros((1, 3 * CELLS, 5 + CLASSES + COUNT), np.float32)
    for k, (index, score, left, top, right, bottom, coefficients) in enumerate(found):
        row = out[0, 7 * k + 2]
        row[:4] = (left + right) / 2, (top + bottom) / 2, right - left, bottom - top
        row[4], row[5 + index] = score / 0.97, 0.97
        row[5 + CLASSES :] = coefficients
    return out


def end_to_end(found):
    out = np.zeros((1, 100, 6 + COUNT), np.float32)
    for k, (index, score, *box, coefficients) in enumerate(found):
        out[0, k] = *box, score, index, *coefficients
    return out


FORMS = {"yolov8": yolov8, "yolov5": yolov5, "end_to_end": end_to_end}


def reference(found, maps, iou, score=0.25, most=MOST):
    """(class, score, box in the picture, uint8 mask of the picture) by OpenCV, as Ultralytics'
    process_mask_native does it.
    """
    kept = []
    for index in range(CLASSES):
        of_class = [one for one in found if one[0] == index and one[1] >= score]
        boxes = [[o[2], o[3], o[4] - o[2], o[5] - o[3]] for o in of_class]
        chosen = cv2.dnn.NMSBoxes(boxes, [o[1] for o in of_class], score, iou) if of_class else []
        kept += [of_class[i] for i in chosen]
    kept.sort(key=lambda one: -one[1])
    scale = min(SIZE[0] / PICTURE[0], SIZE[1] / PICTURE[1])
    inner = round(PICTURE[0] * scale), round(PICTURE[1] * scale)
    at = (SIZE[0] - inner[0]) // 2, (SIZE[1] - inner[1]) // 2
    results = []
    for index, sure, left, top, right, bottom, coefficients in kept[:most]:
        logits = np.tensordot(coefficients, maps[0], 1)
        whole = cv2.resize(logits, SIZE, interpolation=cv2.INTER_LINEAR)
        seen = whole[at[1] : at[1] + inner[1], at[0] : at[0] + inner[0]]
        # From the prototypes straight to the picture: enlarging twice would round the corners between the
        # texels twice.
        x = (np.arange(PICTURE[0]) + 0.5) * inner[0] / PICTURE[0] + at[0]
        y = (np.arange(PICTURE[1]) + 0.5) * inner[1] / PICTURE[1] + at[1]
        place = np.meshgrid((x / 4 - 0.5).astype(np.float32), (y / 4 - 0.5).astype(np.float32))
        whole = cv2.remap(logits, *place, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        assert seen.shape[::-1] == inner
        box = [
            min(max((v - a) / s, 0), limit)
            for v, a, s, limit in zip(
                (left, top, right, bottom),
                at * 2,
                (inner[0] / PICTURE[0], inner[1] / PICTURE[1]) * 2,
                PICTURE * 2,
                strict=True,
            )
        ]
        px, py = np.meshgrid(np.arange(PICTURE[0]) + 0.5, np.arange(PICTURE[1]) + 0.5)
        inside = (px > box[0]) & (px < box[2]) & (py > box[1]) & (py < box[3])
        results.append((index, sure, box, (inside & (whole > 0)).astype(np.uint8)))
    return results


def overlap(a, b):
    w, h = min(a[2], b[2]) - max(a[0], b[0]), min(a[3], b[3]) - max(a[1], b[1])
    shared = max(w, 0) * max(h, 0)
    return shared / ((a[2] - a[0]) * (a[3] - a[1]) + (b[2] - b[0]) * (b[3] - b[1]) - shared)


def mask_iou(a, b):
    union = (a | b).sum()
    return 1.0 if union == 0 else (a & b).sum() / union


def write(path, form, found, maps, **extra):
    outputs = {"output0": FORMS[form](found), "output1": maps}
    return fixed_network(path / f"{form}.onnx", outputs, SIZE, NAMES, **extra)


def a_picture():
    return np.random.default_rng(5).integers(0, 255, (PICTURE[1], PICTURE[0], 3), np.uint8)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("form", FORMS)
def test_masks_are_those_of_the_origin(gpu, tmp_path, form, backend):
    generator = np.random.default_rng(11)
    found, maps = things(generator, 9), prototypes(generator)
    path = write(tmp_path, form, found, maps, through="output1")
    network = load_network(gpu, path, backend=backend)
    assert network.head.features.task == "instance_masks"
    assert network.head.result_bytes <= RESULT_BYTES
    result = network.analyze_pixels(a_picture())
    # What suppresses by itself is left as it is.
    expected = reference(found, maps, 1.0 if form == "end_to_end" else 0.45)
    assert [item.label for item in result.objects] == [("cat", "dog", "bird")[e[0]] for e in expected]
    for item, mask, (index, score, box, pixels) in zip(result.objects, result.masks, expected, strict=True):
        assert item.index == mask.index == index and item.score == pytest.approx(score, abs=1e-3)
        assert overlap(item.box, box) >= 0.99
        read = mask.read()
        assert read.shape == pixels.shape and read.dtype == np.uint8 and read.max() <= 1
        assert mask_iou(read, pixels) >= 0.98
        assert item.area == pytest.approx(pixels.mean(), abs=0.01)
        assert mask.left * PICTURE[0] == pytest.approx(item.box[0], abs=1e-3)
    assert result.json()["objects"][0].keys() == {"index", "label", "score", "box", "area"}
    assert "covers" in result.text()
    network.close()


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("through", ["", "output1"])
def test_tensorflow_lite_has_prototypes_last_and_boxes_as_shares(gpu, tmp_path, through, backend):
    generator = np.random.default_rng(11)
    found, maps = things(generator, 9), prototypes(generator)
    table = FORMS["yolov8"](found)
    table[0, :4] /= np.array(SIZE * 2, np.float32)[:, None]
    outputs = {"output0": table, "output1": maps}
    path = fixed_network(
        tmp_path / "lite.onnx", outputs, SIZE, NAMES | {"author": "Ultralytics"}, through=through
    )
    put_prototypes_last(path)
    network = load_network(gpu, path, backend=backend)
    assert network.head.features.task == "instance_masks"
    result = network.analyze_pixels(a_picture())
    expected = reference(found, maps, 0.45)
    assert len(result.masks) == len(expected)
    for item, mask, (index, _, box, pixels) in zip(result.objects, result.masks, expected, strict=True):
        assert item.index == index and overlap(item.box, box) >= 0.99
        assert mask_iou(mask.read(), pixels) >= 0.98
    network.close()


def put_prototypes_last(path):
    """As Ultralytics' TensorFlow Lite files have them, with the producer that the reader of such files gives."""
    model = onnx.load(path)
    for node in model.graph.node:
        node.output[:] = ["planes" if name == "output1" else name for name in node.output]
    model.graph.node.append(onnx.helper.make_node("Transpose", ["planes"], ["output1"], perm=[0, 2, 3, 1]))
    dims = model.graph.output[1].type.tensor_type.shape.dim
    for dim, size in zip(dims, (1, 24, 32, COUNT), strict=True):
        dim.dim_value = size
    model.producer_name = "TensorFlow Lite"
    onnx.save(model, path)


@pytest.mark.parametrize("backend", BACKENDS)
def test_outputs_may_be_halves(gpu, tmp_path, backend):
    generator = np.random.default_rng(4)
    found, maps = things(generator, 5), prototypes(generator)
    network = load_network(gpu, write(tmp_path, "yolov8", found, maps, half=True), backend=backend)
    result = network.analyze_pixels(a_picture())
    expected = reference(found, maps, 0.45)
    assert len(result.masks) == len(expected)
    for mask, (index, _, _, pixels) in zip(result.masks, expected, strict=True):
        assert mask.index == index and mask_iou(mask.read(), pixels) >= 0.97
    network.close()


def test_both_backends_say_the_same_and_masks_of_long_ago_are_gone(gpu, tmp_path):
    generator = np.random.default_rng(3)
    path = write(tmp_path, "yolov8", things(generator, 6), prototypes(generator))
    networks = [load_network(gpu, path, backend=backend) for backend in BACKENDS]
    first, second = (network.analyze_pixels(a_picture()) for network in networks)
    assert len(first.masks) == len(second.masks) > 3
    for one, other in zip(first.masks, second.masks, strict=True):
        assert mask_iou(one.read(), other.read()) >= 0.98
    for _ in range(SLOTS):
        assert first.masks[0].read() is not None
        networks[0].analyze_pixels(a_picture())
    assert first.masks[0].read() is None, "its slot has another result"
    for network in networks:
        network.close()


@pytest.mark.parametrize("backend", BACKENDS)
def test_settings_act_at_once_and_what_is_too_much_is_told(gpu, tmp_path, backend):
    generator = np.random.default_rng(7)
    maps = prototypes(generator)
    many = [
        (k % 2, 0.9 - k / 200, 2.0 * k, 20.0, 2.0 * k + 2, 70.0, generator.normal(size=COUNT))
        for k in range(50)
    ]
    network = load_network(gpu, write(tmp_path, "yolov8", many, maps), backend=backend)
    result = network.analyze_pixels(a_picture())
    assert (
        len(result.objects) == MOST and result.left_out == 50 - MOST and str(result.left_out) in result.hint
    )
    network.head.adjust({"classes": ("dog",), "score": 0.8})
    result = network.analyze_pixels(a_picture())
    assert {item.label for item in result.objects} == {"dog"} and len(result.objects) == 10
    assert (result.left_out, result.hint) == (0, "")
    network.close()


@pytest.mark.parametrize("backend", BACKENDS)
def test_live_they_are_drawn_over_the_picture(gpu, tmp_path, backend):
    """A frame's masks on the canvas are those that an export would read."""
    generator = np.random.default_rng(11)
    path = write(tmp_path, "yolov8", things(generator, 4), prototypes(generator))
    pipeline = Pipeline(gpu, FilterLibrary(None), wait=True)
    pipeline.set_analysis(LiveNetwork.load(gpu, NetworkSpec(str(path), backend)))
    pipeline.view = View("free", zoom=1.0)
    target = target_texture(gpu, *PICTURE)
    frame = np.full((PICTURE[1], PICTURE[0], 4), 255, np.uint8)
    frame[..., :3] = 40
    pipeline.render(rgba_frame(frame), target)
    pipeline.await_analysis()
    pipeline.drain()
    plain = read_target(gpu, target)[..., :3].astype(int)
    masks = pipeline.analyses.latest.shapes()
    pipeline.set_masks(masks)
    pipeline.render(None, target)
    # The brightest channel of a color is 1, and covers by 0.45 from the border on: 0.45 * 215.
    changed = np.abs(read_target(gpu, target)[..., :3].astype(int) - plain).max(axis=-1) > 90
    covered = np.maximum.reduce([mask.read() for mask in masks]).astype(bool)
    assert covered.mean() > 0.02 and mask_iou(changed, covered) >= 0.98
    pipeline.close()


def test_large_masks_are_fewer_and_too_large_ones_refused(gpu):
    assert MaskRing(gpu, (160, 160), 32).layers == 32
    assert MaskRing(gpu, (2048, 1024), 32).layers == 8
    for size in ((8192, 8192), (gpu.limits["max-texture-dimension-2d"] + 1, 1)):
        with pytest.raises(ModelUnsupportedError, match="too large"):
            MaskRing(gpu, size, 32)


# -- strangers' networks -------------------------------------------------------------------------------------

ODD = st.sampled_from([np.nan, np.inf, -np.inf, 3e38, -3e38, 1e-40, 0.0, 7.0, 1e5])


@settings(
    max_examples=10,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(
    numbers=st.lists(st.tuples(st.integers(0, 10**6), ODD), min_size=1, max_size=60), in_maps=st.booleans()
)
def test_numbers_that_are_none_do_no_harm(gpu, tmp_path, numbers, in_maps):
    generator = np.random.default_rng(1)
    table, maps = yolov8(things(generator, 5)), prototypes(generator)
    spoilt = maps if in_maps else table
    for place, value in numbers:
        spoilt.reshape(-1)[place % spoilt.size] = value
    path = fixed_network(tmp_path / "odd.onnx", {"output0": table, "output1": maps}, SIZE, NAMES)
    for backend in BACKENDS:
        network = load_network(gpu, path, backend=backend)
        result = network.analyze_pixels(a_picture())
        assert len(result.objects) <= MOST
        for item, mask in zip(result.objects, result.masks, strict=True):
            left, top, right, bottom = item.box
            assert 0 <= left < right <= PICTURE[0] and 0 <= top < bottom <= PICTURE[1]
            assert 0 <= item.score <= 1 and 0 <= item.area <= 1
            assert set(np.unique(mask.read())) <= {0, 1}
        network.close()


# -- which network is one ------------------------------------------------------------------------------------


def facts(outputs, size=(640, 640), **extra):
    infos = tuple(TensorInfo(name, shape, "float32") for name, shape in outputs.items())
    return ModelFacts("x", (1, 3, size[1], size[0]), outputs=infos, **extra)


@pytest.mark.parametrize(
    ("outputs", "decoder", "classes"),
    [
        ({"output0": (1, 116, 8400), "output1": (1, 32, 160, 160)}, "yolov8", 80),
        ({"output0": (1, 37, 8400), "output1": (1, 32, 160, 160)}, "yolov8", 1),
        ({"output1": (1, 32, 160, 160), "output0": (1, 116, 8400)}, "yolov8", 80),
        ({"output0": (1, 25200, 117), "output1": (1, 32, 160, 160)}, "yolov5", 80),
        ({"output0": (1, 300, 38), "output1": (1, 32, 160, 160)}, "end_to_end", 80),
        ({"output0": (1, 116, 0), "output1": (1, 32, 0, 0)}, "yolov8", 80),
    ],
)
def test_networks_with_prototypes_are_recognized(outputs, decoder, classes):
    known = facts(outputs)
    found = find_instances(known)
    assert (found.decoder.id, found.count) == (decoder, 32)
    assert found.decoder.groups(known)[0].classes == classes
    assert recognize_facts(known).task.id == "instance_masks"


def test_a_table_that_is_free_altogether_is_known_by_the_metadata():
    """As Ultralytics exports with `dynamic=True`."""
    free = {"output0": (0, 0, 0), "output1": (0, 32, 0, 0)}
    known = facts(free, (0, 0), metadata={"task": "segment", **NAMES})
    found = find_instances(known)
    assert found.coefficients.first == 7 and found.decoder.groups(known)[0].classes == 3
    assert recognize_facts(known).task.id == "instance_masks"
    assert find_instances(facts(free, (0, 0))) is None
    boxes = facts({"output0": (0, 0, 0)}, (0, 0), metadata={"task": "detect", **NAMES})
    assert recognize_facts(boxes).task.id == "detection"


@pytest.mark.parametrize(
    "outputs",
    [
        {"output0": (1, 116, 8400)},
        {"output1": (1, 32, 160, 160)},
        {"heatmaps": (1, 17, 64, 48)},
        {"output0": (1, 116, 8400), "raw": (1, 32, 160, 120)},
        {"output0": (1, 56, 8400)},
        {"logits": (1, 300, 80), "pred_boxes": (1, 300, 4)},
        {"a": (1, 116, 8400), "b": (1, 116, 8400), "output1": (1, 32, 160, 160)},
        {"output0": (1, 116, 8400), "picture": (1, 3, 640, 640)},
        {"output0": (1, 30, 8400), "output1": (1, 32, 160, 160)},
    ],
)
def test_others_are_not(outputs):
    assert find_instances(facts(outputs)) is None
