"""Oriented boxes on both backends, against OpenCV's rotated rectangles and the paper's formula with NumPy's
linear algebra.
"""

from __future__ import annotations

import math

import cv2
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tiny_models import fixed_network

from desktop.base.errors import ModelUnsupportedError
from desktop.compute.nn.session import TensorInfo
from desktop.pipeline.running.one.crop_network import RESULT_BYTES
from desktop.pipeline.running.one.loading import load_network
from desktop.vision.models.facts import ModelFacts
from desktop.vision.tasks import recognize_facts
from desktop.vision.tasks.oriented_boxes import prob_iou

SIZE, PICTURE = (128, 96), (200, 120)
CELLS = 16 * 12 + 8 * 6 + 4 * 3
BACKENDS = ["wgpu", "onnxruntime"]
METADATA = {"task": "obb", "names": "{0: 'ship', 1: 'plane', 2: 'court'}"}
# (class, score, x, y, w, h, radians)
THINGS = [
    (0, 0.9, 40.0, 50.0, 50.0, 12.0, 0.4),
    (0, 0.8, 42.0, 51.0, 50.0, 12.0, 0.42),  # the same again
    (1, 0.7, 42.0, 51.0, 50.0, 12.0, 0.42),  # of another class
    (0, 0.6, 40.0, 50.0, 50.0, 12.0, 0.4 + math.pi / 2),  # across
    (2, 0.5, 90.0, 40.0, 30.0, 30.0, 2.2),
    (2, 0.1, 20.0, 20.0, 10.0, 10.0, 0.0),
]


def table(things):
    out = np.zeros((1, 4 + 3 + 1, CELLS), np.float32)
    for k, (index, score, *box, angle) in enumerate(things):
        column = out[0, :, 9 * k + 2]
        column[:4], column[4 + index], column[-1] = box, score, angle
    return out


def listed(things):
    out = np.zeros((1, 50, 7), np.float32)
    for k, (index, score, *box, angle) in enumerate(things):
        out[0, k] = *box, score, index, angle
    return out


def plain_prob_iou(one, other):
    """Llerena et al. 2021, (7) to (10), with matrices."""
    moments = []
    for _, _, w, h, angle in (one, other):
        turn = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
        moments.append(turn @ np.diag([w * w / 12, h * h / 12]) @ turn.T)
    both = (moments[0] + moments[1]) / 2
    apart = np.array(one[:2]) - np.array(other[:2])
    distance = apart @ np.linalg.inv(both) @ apart / 8
    spread = math.log(np.linalg.det(both) / math.sqrt(np.linalg.det(moments[0]) * np.linalg.det(moments[1])))
    return 1 - math.sqrt(max(0.0, 1 - math.exp(-(distance + spread / 2))))


def test_likeness_is_the_papers():
    generator = np.random.default_rng(3)
    boxes = np.concatenate(
        (
            generator.uniform(0, 60, (25, 2)),
            generator.uniform(4, 60, (25, 2)),
            generator.uniform(-4, 4, (25, 1)),
        ),
        axis=1,
    )
    expected = [[plain_prob_iou(a, b) for b in boxes] for a in boxes]
    np.testing.assert_allclose(prob_iou(boxes, boxes), expected, atol=2e-6)


def overlap(corners, others):
    """IoU of two convex outlines by OpenCV."""
    first, second = (np.array(each, np.float32) for each in (corners, others))
    shared, _ = cv2.intersectConvexConvex(first, second)
    return shared / (cv2.contourArea(first) + cv2.contourArea(second) - shared)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("write", [table, listed])
def test_boxes_lie_where_opencv_puts_them(gpu, tmp_path, write, backend):
    path = fixed_network(tmp_path / "obb.onnx", {"output0": write(THINGS)}, SIZE, METADATA)
    network = load_network(gpu, path, backend=backend)
    assert network.head.features.task == "oriented_boxes" and network.head.result_bytes <= RESULT_BYTES
    result = network.analyze_pixels(np.zeros((PICTURE[1], PICTURE[0], 3), np.uint8))
    # A list is left as it is; of a table the second goes for the first.
    expected = [THINGS[k] for k in ((0, 1, 2, 3, 4) if write is listed else (0, 2, 3, 4))]
    assert [item.label for item in result.objects] == [("ship", "plane", "court")[e[0]] for e in expected]
    scale = min(SIZE[0] / PICTURE[0], SIZE[1] / PICTURE[1])
    below = (SIZE[1] - round(PICTURE[1] * scale)) // 2
    for item, (_, score, x, y, w, h, angle), shape in zip(
        result.objects, expected, result.shapes(), strict=True
    ):
        turned = ((x / scale, (y - below) / scale), (w / scale, h / scale), math.degrees(angle))
        assert overlap(item.corners, cv2.boxPoints(turned)) >= 0.98
        assert item.score == pytest.approx(score, abs=1e-3)
        assert 0 <= item.angle < 90
        # The figures say the same but for what a letterbox of whole pixels skews.
        assert overlap(item.corners, cv2.boxPoints((item.center, item.size, item.angle))) >= 0.995
        assert shape.points[1] == pytest.approx(np.array(item.corners[1]) / PICTURE)
    first = result.json()["objects"][0]
    assert first["angle"] == pytest.approx(math.degrees(0.4), abs=0.5) and len(first["corners"]) == 4
    assert "23 degrees" in result.lines()[0]
    network.close()


@pytest.mark.parametrize("backend", BACKENDS)
def test_settings_and_more_than_fit(gpu, tmp_path, backend):
    many = table([])
    many[0, :4] = np.array([60, 50, 5, 3])[:, None]
    many[0, 0] = np.linspace(5, 120, CELLS)
    many[0, 4] = np.linspace(0.3, 0.9, CELLS)
    path = fixed_network(tmp_path / "obb.onnx", {"output0": many}, SIZE, METADATA)
    network = load_network(gpu, path, backend=backend)
    pixels = np.zeros((PICTURE[1], PICTURE[0], 3), np.uint8)
    result = network.analyze_pixels(pixels)
    assert result.left_out == CELLS - 172 and "left out" in result.hint
    assert len(result.objects) == 1, "each is like the one before it, which takes it along"
    network.head.adjust({"iou": 1.0})
    assert len(network.analyze_pixels(pixels).objects) == 172
    network.head.adjust({"classes": ("plane",)})
    assert network.analyze_pixels(pixels).objects == ()
    network.head.adjust({"iou": 1.0, "score": 0.89})
    assert len(network.analyze_pixels(pixels).objects) == (many[0, 4] >= 0.89).sum()
    network.close()


ODD = st.sampled_from([np.nan, np.inf, -np.inf, 3e38, -3e38, 1e-40, 0.0, -7.0, 1e5])


@settings(
    max_examples=10,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(numbers=st.lists(st.tuples(st.integers(0, 10**6), ODD), min_size=1, max_size=80))
def test_numbers_that_are_none_do_no_harm(gpu, tmp_path, numbers):
    spoilt = table(THINGS)
    used = np.flatnonzero(spoilt.any(axis=1)[0])
    for place, value in numbers:
        spoilt[0, place % 8, used[place // 8 % len(used)]] = value
    path = fixed_network(tmp_path / "odd.onnx", {"output0": spoilt}, SIZE, METADATA)
    for backend in BACKENDS:
        network = load_network(gpu, path, backend=backend)
        result = network.analyze_pixels(np.zeros((PICTURE[1], PICTURE[0], 3), np.uint8))
        for item in result.objects:
            assert np.isfinite([*np.ravel(item.corners), *item.center, *item.size, item.angle]).all()
            assert 0 <= item.score <= 1 and min(item.size) > 0
        network.close()


def facts(outputs, **extra):
    infos = tuple(TensorInfo(name, shape, "float32") for name, shape in outputs.items())
    return ModelFacts("x", (1, 3, 640, 640), outputs=infos, **extra)


def test_only_what_says_so_is_one(gpu, tmp_path):
    shapes = {"output0": (1, 20, 8400)}
    assert recognize_facts(facts(shapes, metadata={"task": "obb"})).task.id == "oriented_boxes"
    assert recognize_facts(facts(shapes)).task.id == "detection"
    path = fixed_network(tmp_path / "no.onnx", {"y": np.zeros((1, 5, 4, 4), np.float32)}, SIZE, METADATA)
    with pytest.raises(ModelUnsupportedError, match="no oriented boxes"):
        load_network(gpu, path)
