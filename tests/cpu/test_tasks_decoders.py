"""Detectors' decoders, candidates and suppression: known boxes are written as each family writes them, and
must be read again.
"""

from __future__ import annotations

import math
from dataclasses import replace

import cv2
import detector_forms as forms
import numpy as np
import pytest

from desktop.base.errors import ModelUnsupportedError
from desktop.compute.nn.session import TensorInfo
from desktop.compute.nn.suppression import selected
from desktop.vision.models.facts import ModelFacts
from desktop.vision.models.findings import sentence_of
from desktop.vision.models.labels import choose_labels, coco_labels
from desktop.vision.models.model_file import ModelFile
from desktop.vision.models.preprocess import Preprocess, choose_preprocess
from desktop.vision.models.tail import Tail
from desktop.vision.tasks import recognize_facts
from desktop.vision.tasks.detection.candidates import (
    MOST,
    Candidates,
    choose_candidates,
    decode_boxes,
    decode_points,
    merged,
)
from desktop.vision.tasks.detection.decoders import all_decoders, decoder_named, find_decoder
from desktop.vision.tasks.detection.detector import checked_groups, in_picture
from desktop.vision.tasks.detection.reading import readings

# (class, score, left, top, right, bottom) in pixels of the input
THINGS = [
    (2, 0.9, 40.0, 24.0, 104.0, 90.0),
    (0, 0.8, 130.5, 60.25, 170.0, 100.0),
    (1, 0.7, 10.0, 100.0, 30.0, 125.0),
]


def task_of(facts):
    found = recognize_facts(facts)
    return found.task.id if found is not None else "unknown"


def facts(outputs, size, **extra):
    width, height = size
    infos = tuple(
        TensorInfo(name, tuple(shape), "int64" if name == "labels" and len(shape) == 2 else "float32")
        for name, shape in outputs.items()
    )
    return ModelFacts(extra.pop("input_name", "x"), (1, 3, height, width), outputs=infos, **extra)


def middle(thing):
    left, top, right, bottom = thing[2:]
    return (left + right) / 2, (top + bottom) / 2, right - left, bottom - top


def cell_number(x, y, size, strides, stride):
    """Number of the cell of a grid that a point lies in, counted by walking over all cells of the grids
    before it.
    """
    before = sum(math.ceil(size[0] / s) * math.ceil(size[1] / s) for s in strides if s < stride)
    return before + int(y // stride) * math.ceil(size[0] / stride) + int(x // stride)


def yolox(things, size, classes, strides=(8, 16, 32)):
    count = sum(math.ceil(size[0] / s) * math.ceil(size[1] / s) for s in strides)
    out = np.zeros((1, count, 5 + classes), np.float32)
    for number, thing in enumerate(things):
        stride = strides[number % 3]
        x, y, w, h = middle(thing)
        row = out[0, cell_number(x, y, size, strides, stride)]
        row[:4] = (
            x / stride - x // stride,
            y / stride - y // stride,
            math.log(w / stride),
            math.log(h / stride),
        )
        row[4], row[5 + thing[0]] = thing[1] / 0.95, 0.95
    return {"output": out}


def table_of_pixels(things, count, classes):
    out = np.zeros((1, count, 5 + classes), np.float32)
    for number, thing in enumerate(things):
        row = out[0, 11 * number + 3]
        row[:4], row[4], row[5 + thing[0]] = middle(thing), thing[1] / 0.95, 0.95
    return out


def yolov8(things, count, classes, more=0):
    out = np.zeros((1, 4 + classes + more, count), np.float32)
    out[0, 4 + classes :] = 3.0  # mask coefficients are no scores
    for number, thing in enumerate(things):
        column = out[0, :, 11 * number + 3]
        column[:4], column[4 + thing[0]] = middle(thing), thing[1]
    return {"output0": out}


def end_to_end(things, count):
    out = np.zeros((1, count, 6), np.float32)
    for row, thing in zip(out[0, 5::9], things, strict=False):
        row[:] = *thing[2:], thing[1], thing[0]
    out[0, 1] = 1, 1, 9, 9, 0.9, 500  # there is no such class
    out[0, 2] = 1, 1, 9, 9, 0.9, np.nan
    return {"output0": out}


def fastestdet(things, size, classes):
    across, down = size[0] // 16, size[1] // 16
    out = np.zeros((1, 5 + classes, down, across), np.float32)
    for thing in things:
        x, y, w, h = middle(thing)
        column = out[0, :, int(y // 16), int(x // 16)]
        column[1:3] = np.arctanh([x / 16 - x // 16, y / 16 - y // 16])
        share = np.array([w / size[0], h / size[1]])
        column[3:5] = np.log(share / (1 - share))
        # objectness^0.6 * class^0.4 with both equal is that number
        column[0] = column[5 + thing[0]] = thing[1]
    return {"758": out}


def ultraface(things, size, count):
    scores, boxes = np.zeros((1, count, 2), np.float32), np.zeros((1, count, 4), np.float32)
    scores[..., 0] = 1.0
    for number, thing in enumerate(things):
        scores[0, 7 * number] = 1 - thing[1], thing[1]
        boxes[0, 7 * number] = np.array(thing[2:]) / (*size, *size)
    return {"scores": scores, "boxes": boxes}


def shares(thing, size):
    x, y, w, h = middle(thing)
    return x / size[0], y / size[1], w / size[0], h / size[1]


def detr(things, size, queries, classes):
    """Logits whose softmax over classes and nothing is the score; the rest is shared by the other columns."""
    logits, boxes = np.zeros((1, queries, classes + 1), np.float32), np.zeros((1, queries, 4), np.float32)
    logits[..., -1] = 20.0
    for number, thing in enumerate(things):
        row = logits[0, 11 * number + 3]
        row[:] = 5.0 + math.log((1 - thing[1]) / classes)
        row[thing[0]] = 5.0 + math.log(thing[1])
        boxes[0, 11 * number + 3] = shares(thing, size)
    return {"logits": logits, "pred_boxes": boxes}


def rtdetr(things, size, queries, classes, names=("logits", "pred_boxes")):
    logits, boxes = np.full((1, queries, classes), -9, np.float32), np.zeros((1, queries, 4), np.float32)
    for number, thing in enumerate(things):
        logits[0, 11 * number + 3, thing[0]] = math.log(thing[1] / (1 - thing[1]))
        boxes[0, 11 * number + 3] = shares(thing, size)
    return dict(zip(names, (logits, boxes), strict=True))


def rtdetr_table(things, size, queries, classes):
    out = np.zeros((1, queries, 4 + classes), np.float32)
    for number, thing in enumerate(things):
        row = out[0, 11 * number + 3]
        row[:4], row[4 + thing[0]] = shares(thing, size), thing[1]
    return {"output0": out}


def rtdetr_list(things, size, queries):
    out = np.zeros((1, queries, 6), np.float32)
    for number, thing in enumerate(things):
        out[0, 11 * number + 3] = *shares(thing, size), thing[1], thing[0]
    return {"output0": out}


def rtdetr_pixels(things, queries):
    numbers, scores = np.zeros((1, queries), np.int64), np.zeros((1, queries), np.float32)
    boxes = np.zeros((1, queries, 4), np.float32)
    for number, thing in enumerate(things):
        at = 11 * number + 3
        numbers[0, at], scores[0, at], boxes[0, at] = thing[0], thing[1], thing[2:]
    return {"labels": numbers, "boxes": boxes, "scores": scores}


def grids(things, size):
    """Persons (class 0) and faces (any other), each with its own box; the logit between theirs is never
    reached.
    """
    out = {}
    for stride in (8, 16, 32):
        out[f"grid_{stride}"] = np.full((1, 11, size[1] // stride, size[0] // stride), -30.0, np.float32)
    for number, thing in enumerate(things):
        stride, kind = (8, 16, 32)[number % 3], min(thing[0], 1)
        x, y, w, h = middle(thing)
        cell = out[f"grid_{stride}"][0, :, int(y // stride), int(x // stride)]
        place = (x / stride - x // stride, y / stride - y // stride)
        cell[4 * kind : 4 * kind + 4] = *place, math.log(w / stride), math.log(h / stride)
        cell[8 + 2 * kind] = math.log(thing[1] / (1 - thing[1]))
    return out


def ended(operators, *channels):
    """What stands behind the last convolutions, of so many channels, of a network with one output."""
    return {"tails": {"output": Tail(frozenset(operators), frozenset(channels))}}


RAW = ended({"Sigmoid", "Concat", "Transpose"}, 1, 4, 3, 80)
DECODED = ended({"Sigmoid", "Concat", "Add", "Mul"}, 68, 80)
# Families whose shapes are those of another one, too: their names have to be said.
SAID = {"producer": "said"}
MULTIPLIED = {
    "tails": {f"reg_{i}": Tail(frozenset({"Mul"}), factors=frozenset({8.0 * 2**i})) for i in range(3)}
}
SCALED = {"inputs": 2, "others": (TensorInfo("scale_factor", (1, 2), "float32"),)}
DEFORMABLE = {"operators": frozenset({"GridSample"})}
FAMILIES = {
    "yolox": ((416, 416), yolox(THINGS, (416, 416), 80), RAW),
    "yolox small": ((192, 160), yolox(THINGS, (192, 160), 3), RAW),
    "yolox_decoded": (
        (192, 160),
        {"output": table_of_pixels(THINGS, 24 * 20 + 12 * 10 + 6 * 5, 3)},
        {"operators": frozenset({"Exp"})},
    ),
    "yolov6": ((640, 640), {"output": table_of_pixels(THINGS, 8400, 80)}, DECODED),
    "yolov6 small": (
        (192, 160),
        {"output": table_of_pixels(THINGS, 630, 3)},
        ended({"Sigmoid", "Concat", "Add", "Mul"}, 4, 3),
    ),
    "yolov5": ((640, 640), {"output0": table_of_pixels(THINGS, 25200, 80)}, {}),
    "yolov5 small": ((192, 160), {"output0": table_of_pixels(THINGS, 3 * 630, 3)}, {}),
    "yolov8": ((192, 160), yolov8(THINGS, 630, 3), {}),
    "yolov8 large": ((640, 640), yolov8(THINGS, 8400, 80), {}),
    "yolov8 transposed": ((640, 640), {"output": yolov8(THINGS, 8400, 80)["output0"].swapaxes(1, 2)}, {}),
    "yolov8 transposed with names": (
        (192, 160),
        {"output": yolov8(THINGS, 630, 3)["output0"].swapaxes(1, 2)},
        {"metadata": {"names": "['a', 'b', 'c']"}},
    ),
    "yolov8 transposed by its convolutions": (
        (192, 160),
        {"output": yolov8(THINGS, 630, 4)["output0"].swapaxes(1, 2)},
        ended({"Sigmoid", "Concat", "Sub", "Mul"}, 64, 4),
    ),
    "yolov8 with masks": (
        (192, 160),
        yolov8(THINGS, 630, 3, more=32) | {"output1": np.zeros((1, 32, 40, 48), np.float32)},
        {"metadata": {"names": "{0: 'a', 1: 'b', 2: 'c'}", "task": "segment"}},
    ),
    "end_to_end": (
        (192, 160),
        end_to_end(THINGS, 300),
        {"metadata": {"names": "{0: 'a', 1: 'b', 2: 'c'}"}},
    ),
    "end_to_end free": ((0, 0), end_to_end(THINGS, 300), {}),
    "fastestdet": ((352, 352), fastestdet(THINGS, (352, 352), 80), {}),
    "fastestdet small": ((192, 160), fastestdet(THINGS, (192, 160), 3), {}),
    "ultraface": ((320, 240), ultraface(THINGS, (320, 240), 4420), {}),
    "ultraface large": ((640, 480), dict(reversed(ultraface(THINGS, (640, 480), 17640).items())), {}),
    "yunet": ((192, 160), forms.yunet(THINGS, (192, 160)), {}),
    "yunet_2022": ((192, 160), forms.yunet_2022(THINGS, (192, 160)), {}),
    "yunet_2022 of rounded grids": ((160, 120), forms.yunet_2022(THINGS[:2], (160, 120)), {}),
    "scrfd": ((192, 160), forms.scrfd(THINGS, (192, 160)), {}),
    "scrfd with a batch": (
        (192, 160),
        dict(reversed(forms.scrfd(THINGS, (192, 160), batch=True).items())),
        {},
    ),
    "scrfd without points": ((192, 160), forms.scrfd(THINGS, (192, 160), points=False), {}),
    "scrfd_5": ((192, 160), forms.scrfd(THINGS, (192, 160), strides=(8, 16, 32, 64, 128), each=1), {}),
    "retinaface": ((192, 160), forms.retinaface(THINGS, (192, 160)), {}),
    "retinaface_slim": ((192, 160), forms.retinaface(THINGS, (192, 160), forms.SMALL_FACE_SIDES), {}),
    "torchvision": ((192, 160), forms.torchvision(THINGS), {}),
    "torchvision with maps": ((192, 160), forms.torchvision_masks(THINGS), {}),
    "detectron2": ((192, 160), forms.detectron2(THINGS, (192, 160)), {}),
    "lists": ((192, 160), forms.efficient_nms(THINGS), {}),
    "lists of YOLO-NAS": ((192, 160), forms.yolo_nas_batch(THINGS), {}),
    "lists without a count": ((192, 160), forms.rtdetr_pixels(THINGS), {}),
    "ssd_lists": ((192, 160), forms.ssd_lists(THINGS), {}),
    "mmdeploy": ((192, 160), forms.mmdeploy(THINGS), {}),
    "mmdeploy with maps": ((192, 160), forms.mmdeploy_masks(THINGS), {}),
    "tensorflow": ((192, 160), forms.tensorflow(THINGS, (192, 160)), {}),
    "tflite_ssd": ((192, 160), forms.tflite_ssd(THINGS, (192, 160)), {}),
    "yolov7_end2end": ((192, 160), {"output": forms.rows_of(THINGS, "nbcs")}, {}),
    "yolo_nas_flat": ((192, 160), {"graph2_flat_predictions": forms.rows_of(THINGS, "nbsc")}, {}),
    "batchno_classid_score": (
        (192, 160),
        {"batchno_classid_score_x1y1x2y2": forms.rows_of(THINGS, "ncsb")},
        {},
    ),
    "batchno_classid_boxes": (
        (192, 160),
        {"batchno_classid_x1y1x2y2_score": forms.rows_of(THINGS, "ncbs")},
        {},
    ),
    "paddle": ((192, 160), forms.paddle(THINGS, 50), SCALED),
    "boxes_and_scores": ((192, 160), forms.yolo_nas(THINGS, (192, 160)), {}),
    "damo_yolo": ((192, 160), forms.damo_yolo(THINGS, (192, 160), 3), {}),
    "boxes_and_scores of PP-YOLOE": ((192, 160), forms.ppyoloe_without_nms(THINGS, (192, 160)), {}),
    "yolov4": ((192, 160), forms.yolov4(THINGS, (192, 160)), {}),
    "yolov3_zoo": (
        (192, 160),
        forms.yolov3_zoo(THINGS, (192, 160)),
        {"inputs": 2, "others": (TensorInfo("image_shape", (1, 2), "float32"),)},
    ),
    "yolov5_heads": ((192, 160), forms.yolov5_heads(THINGS, (192, 160)), {}),
    "yolov5_heads in channels": (
        (192, 160),
        forms.in_channels(forms.yolov5_heads(THINGS, (192, 160), 3)),
        {},
    ),
    "yolov5_heads_sigmoid": (
        (192, 160),
        forms.sigmoids(forms.in_channels(forms.yolov5_heads(THINGS, (192, 160)))),
        {"tails": {f"output{level}": Tail(frozenset({"Sigmoid"})) for level in range(3)}},
    ),
    "yolov7_heads": ((192, 160), forms.yolov5_heads(THINGS, (192, 160), 80, forms.YOLOV7_ANCHORS), SAID),
    "yolov3_heads": ((192, 160), forms.yolov3_heads(THINGS, (192, 160)), SAID),
    "yolo_fastestv2": ((192, 160), forms.yolo_fastestv2(THINGS, (192, 160)), {}),
    "nanodet_plus": ((192, 160), forms.nanodet_plus(THINGS, (192, 160)), {}),
    "nanodet in parts": ((192, 160), forms.nanodet_split(THINGS, (192, 160), 3), {}),
    "nanodet": ((192, 160), forms.nanodet(THINGS, (192, 160)), SAID),
    "picodet": ((192, 160), forms.picodet(THINGS, (192, 160)), {}),
    "rtmdet": (
        (192, 160),
        forms.rtmdet(THINGS, (192, 160), 4),
        MULTIPLIED,
    ),
    "centernet": ((192, 160), forms.centernet(THINGS, (192, 160), 3), {}),
    "centernet of probabilities": (
        (192, 160),
        (heads := forms.centernet(THINGS, (192, 160))) | forms.sigmoids({"hm": heads["hm"]}),
        {"tails": {"hm": Tail(frozenset({"Sigmoid"}))}},
    ),
    "grids": ((192, 160), grids(THINGS, (192, 160)), {}),
    "blazepalm": ((192, 192), forms.blaze(THINGS, (192, 192), ((8, 2), (16, 6)), 7), {}),
    "blazepalm large": ((256, 256), forms.blaze(THINGS, (256, 256), ((8, 2), (16, 2), (32, 6)), 7), {}),
    "blazepalm_128": ((128, 128), forms.blaze(THINGS, (128, 128), ((8, 2), (16, 6)), 7), {}),
    "blazeface": ((128, 128), forms.blaze(THINGS, (128, 128), ((8, 2), (16, 6)), 6), {}),
    "blazeface back": ((256, 256), forms.blaze(THINGS, (256, 256), ((16, 2), (32, 6)), 6), {}),
    "blazeface dense": ((192, 192), forms.blaze(THINGS, (192, 192), ((4, 1),), 6), {}),
    "blazepose": ((224, 224), forms.blaze(THINGS, (224, 224), ((8, 2), (16, 2), (32, 6)), 4), {}),
    "detr": ((192, 160), detr(THINGS, (192, 160), 100, 91), {}),
    "rtdetr": ((192, 160), rtdetr(THINGS, (192, 160), 300, 80), DEFORMABLE),
    "rtdetr of few queries": (
        (192, 160),
        dict(reversed(rtdetr(THINGS, (192, 160), 100, 3).items())),
        DEFORMABLE,
    ),
    "rtdetr without its operator": ((192, 160), rtdetr(THINGS, (192, 160), 300, 80), {}),
    "rfdetr": ((192, 160), rtdetr(THINGS, (192, 160), 300, 91, ("labels", "dets")), DEFORMABLE),
    "rtdetr_table": ((640, 640), rtdetr_table(THINGS, (640, 640), 300, 80), DEFORMABLE),
    "rtdetr_pixels": (
        (640, 640),
        rtdetr_pixels(THINGS, 300),
        {"inputs": 2, "others": (TensorInfo("orig_target_sizes", (0, 2), "int64"),)},
    ),
    "rtdetr_list": (
        (640, 640),
        rtdetr_list(THINGS, (640, 640), 300),
        {**DEFORMABLE, "metadata": {"names": "{0: 'a', 1: 'b', 2: 'c'}"}},
    ),
}


def family(name):
    """Size, outputs and facts of a network, and the decoder that it gets."""
    size, outputs, extra = FAMILIES[name]
    infos = tuple(TensorInfo(n, a.shape, a.dtype.name) for n, a in outputs.items())
    known = replace(facts({}, size, **extra), outputs=infos)
    return size, outputs, known, decoder_named(name.split()[0]) if extra is SAID else find_decoder(known)


@pytest.mark.parametrize("name", FAMILIES)
def test_known_boxes_are_read_again(name):
    size, outputs, known, decoder = family(name)
    assert decoder is not None and decoder.id == name.split()[0]
    # With prototypes it is of the more particular task, and can be used as a detector still.
    assert task_of(known) == ("instance_masks" if "masks" in name else "detection")
    groups = decoder.groups(known)
    classes = max(group.classes for group in groups)
    found = choose_candidates(outputs, groups, decoder.powers, 0.2, np.ones(classes, bool))
    # Families of faces alone, or of persons and faces, have fewer classes than there are things.
    things = THINGS[: found.passed]
    first = 1 if name.split()[0] in ("torchvision", "tensorflow", "ssd_lists") else 0
    assert found.classes.tolist() == [min(thing[0] + first, classes - 1) for thing in things]
    np.testing.assert_allclose(found.scores, [thing[1] for thing in things], rtol=1e-5)
    boxes = decode_boxes(decoder, found, size)
    # float32 of logarithms and shares: a thousandth of a pixel.
    np.testing.assert_allclose(boxes, [thing[2:] for thing in things], atol=2e-3)
    assert found.passed == (2 if "rounded" in name else 3)
    points = decode_points(decoder, found, size)
    assert points.shape[1] == (0 if decoder.points is None or "without points" in name else groups[0].extras)
    if points.shape[1]:
        middles = np.array([((t[2] + t[4]) / 2, (t[3] + t[5]) / 2) for t in things])
        corners = np.array([(t[2], t[3]) for t in things])
        count = points.shape[1] // 2
        for k in range(count):
            expected = corners + (middles - corners) * k / count
            np.testing.assert_allclose(points[:, 2 * k : 2 * k + 2], expected, atol=2e-3)


def test_every_family_is_tried_here():
    assert {name.split()[0] for name in FAMILIES} == {decoder.id for decoder in all_decoders()}


@pytest.mark.parametrize("decoder", all_decoders(), ids=lambda decoder: decoder.id)
def test_outputs_of_no_family_are_refused_by_each(decoder):
    with pytest.raises(ModelUnsupportedError, match="'strange'"):
        checked_groups("a.onnx", decoder, facts({"strange": (1,)}, (64, 64)))


def test_boxes_that_overlap_become_their_mean():
    rows = np.array(
        [[0, 0, 10, 10, 1], [1, 0, 11, 10, 3], [30, 30, 40, 40, 5], [0, 1, 10, 11, np.nan]], float
    )
    scores, classes = np.array([0.9, 0.6, 0.5, 0.4]), np.zeros(4, int)
    candidates = Candidates(np.arange(4), classes, scores, rows[:, :4], 4, np.zeros((4, 0)))
    found = merged(rows, candidates, [0, 2], 0.3)
    # (0.9 * 0 + 0.6 * 1) / 1.5, and so on; what is no number counts for nothing.
    np.testing.assert_allclose(found[[0, 2]], [[0.4, 0, 10.4, 10, 1.8], [30, 30, 40, 40, 5]])


# -- which network is what -----------------------------------------------------------------------------------


def _three(first, second, number):
    others = (TensorInfo(second, (1, 3, 192, 320), "float32"), TensorInfo(number, (1, 1, 1, 1), "float32"))
    return {"input_name": first, "inputs": 3, "others": others}


KINDS = [
    ("classification", {"y": (1, 1000)}, {"classes": 1000}),
    ("classification", {"y": (1, 1000, 1, 1)}, {"classes": 1000}),
    ("classification", {"y": (0, 10), "features": (0, 512)}, {"classes": 10, "softmax": True}),
    ("key_points", {"points": (1, 63), "hand": (1, 1)}, {"classes": 63}),
    ("super_resolution", {"y": (1, 3, 384, 640)}, {}),
    ("image", {"y": (192, 320, 3)}, {}),
    ("image", {"y": (1, 3, 0, 0)}, {}),
    ("mask", {"y": (1, 192, 320, 1)}, {"last_operator": "Sigmoid"}),
    ("mask", {"y": (1, 24, 40, 21)}, {}),
    ("mask", {"y": (1, 21, 0, 0)}, {}),
    ("mask", {"matte": (1, 1, 192, 320)}, {}),
    ("depth", {"y": (1, 1, 192, 320)}, {"last_operator": "Resize"}),
    ("depth", {"disparity": (1, 1, 192, 320)}, {"last_operator": "Sigmoid"}),
    ("depth", {"y": (1, 96, 160)}, {}),
    ("detection", {"output0": (1, 84, 0)}, {}),
    ("detection", {"output": (1, 0, 85)}, {}),
    ("unknown", {"boxes": (1, 3000, 6)}, {}),
    ("detection", {"boxes": (1, 100, 4), "logits": (1, 100, 92)}, {}),
    ("detection", {"output0": (1, 0, 6)}, {"operators": frozenset({"GridSample"})}),
    ("unknown", {"boxes": (1, 1917, 4), "logits": (1, 1917, 91)}, {}),
    ("unknown", {"boxes": (1, 100, 4), "logits": (1, 100, 4)}, {}),
    ("unknown", {"regressors": (1, 896, 16), "classificators": (1, 896, 1)}, {}),
    ("classification", {"output0": (1, 80)}, {"metadata": {"task": "classify"}}),
    # SCRFD: rows of scores, boxes and points of three strides are no classes.
    (
        "not classification",
        {
            f"{kind}_{stride}": (1, 2 * (40 * 24) * 64 // stride**2, columns)
            for stride in (8, 16, 32)
            for kind, columns in (("score", 1), ("bbox", 4))
        },
        {"classes": 1920, "softmax": True},
    ),
    ("not classification", {"a": (1, 12800, 1), "b": (1, 3200, 1)}, {"classes": 12800, "softmax": True}),
    # CenterNet: maps of classes beside sizes and offsets are no segmentation.
    (
        "not mask",
        {"hm": (1, 80, 48, 80), "wh": (1, 2, 48, 80), "reg": (1, 2, 48, 80)},
        {"last_operator": "Sigmoid"},
    ),
    # A segmentation network with an auxiliary output stays one.
    ("mask", {"out": (1, 21, 48, 80), "aux": (1, 21, 48, 80)}, {}),
    # Two pictures and a moment (RIFE) are no diffusion; noise and its share are.
    ("not diffusion", {"y": (1, 3, 192, 320)}, _three("img0", "img1", "timestep")),
    ("diffusion", {"y": (1, 3, 192, 320)}, _three("noised", "sketch", "level")),
    ("unknown", {"y": ()}, {}),
]
# Of networks whose input is as upright as a person, (384, 512): how many maps there are says what they are
# of.
UPRIGHT = [("key_points", 17), ("key_points", 22), ("mask", 20), ("mask", 19), ("mask", 21)]


@pytest.mark.parametrize(("task", "outputs", "extra"), KINDS)
def test_tasks_by_outputs(task, outputs, extra):
    found = task_of(facts(outputs, (320, 192), **{"input_name": "x", **extra}))
    assert found != task.removeprefix("not ") if task.startswith("not ") else found == task


@pytest.mark.parametrize(("task", "channels"), UPRIGHT)
def test_what_segmentation_is_known_for_is_no_pose(task, channels):
    assert task_of(facts({"y": (1, channels, 128, 96)}, (384, 512))) == task


@pytest.mark.parametrize(
    ("family", "shape"), [("yolov5", (1, 25200, 85)), ("yolov8", (1, 84, 8400)), ("yolov8", (1, 84, 0))]
)
def test_a_free_input_is_recognized_by_the_tables_shape(family, shape):
    assert find_decoder(facts({"output0": shape}, (0, 0))).id == family


def test_gray_pictures_stay_pictures():
    same = ModelFacts("x", (0, 1, 224, 224), outputs=(TensorInfo("y", (0, 1, 224, 224), "float32"),))
    assert task_of(same) == "image"
    gray = ModelFacts("x", (0, 1, 224, 224), outputs=(TensorInfo("y", (0, 1, 672, 672), "float32"),))
    assert task_of(gray) == "super_resolution"


def test_what_takes_no_picture_has_no_task():
    assert (
        task_of(ModelFacts("x", (1, 16000), outputs=(TensorInfo("y", (1, 10), "float32"),), classes=10))
        == "unknown"
    )
    assert task_of(facts({"y": (1, 10)}, (32, 32), classes=10, inputs=2)) == "unknown"


@pytest.mark.parametrize(
    ("path", "task"),
    [
        ("classify/mobilenet_v2_1.0_224_f32", "classification"),
        ("detect/FastestDet", "detection"),
        ("detect/yolox_nano_zoo", "detection"),
        ("face/ultraface_version-RFB-320", "detection"),
        ("face/yunet_n_dynamic", "detection"),
        ("style/fns_candy", "image"),
        ("enhance/super-resolution-10", "super_resolution"),
        ("segment/obs_selfie_segmentation", "mask"),
        ("depth/obs_tcmonodepth_tcsmallnet_192x320", "depth"),
        ("landmark/mp_hand_landmark_lite", "key_points"),
    ],
)
def test_tasks_of_real_networks(shared, path, task):
    assert task_of(ModelFile.open(shared / "models" / f"{path}.onnx").facts) == task


# -- candidates ----------------------------------------------------------------------------------------------


def chosen(outputs, size=(192, 160), threshold=0.2, shown=None):
    known = facts({n: a.shape for n, a in outputs.items()}, size, **RAW)
    decoder = find_decoder(known)
    groups = decoder.groups(known)
    shown = np.ones(groups[0].classes, bool) if shown is None else np.array(shown)
    return decoder, choose_candidates(outputs, groups, decoder.powers, threshold, shown)


def test_threshold_and_classes_leave_out():
    outputs = yolox(THINGS, (192, 160), 3)
    assert chosen(outputs, threshold=0.75)[1].classes.tolist() == [2, 0]
    assert chosen(outputs, shown=[True, False, True])[1].classes.tolist() == [2, 0]


def test_more_than_fit_are_told():
    outputs = yolov8([], 630, 3)
    outputs["output0"][0, 5] = np.linspace(0.3, 0.9, 630)
    found = chosen(outputs)[1]
    assert (len(found.anchors), found.passed) == (MOST, 630)
    assert found.anchors[0] == 629 and found.anchors[-1] == 630 - MOST


def test_numbers_that_are_none_do_no_harm():
    outputs = yolox(THINGS, (192, 160), 3)
    table = outputs["output"][0]
    rows = np.flatnonzero(table[:, 4])
    table[rows[0], 5 + np.argmax(table[rows[0], 5:])] = np.nan
    table[rows[1], 2] = np.inf
    table[0] = np.nan
    decoder, found = chosen(outputs)
    boxes = decode_boxes(decoder, found, (192, 160))
    assert len(boxes) == 2
    # exp is held at e^20 pixels, which the picture's edges cut.
    assert np.isfinite(boxes).all() and (np.abs(boxes) < 1e11).all()


def test_a_box_that_is_not_a_number_is_none():
    outputs = yolov8(THINGS, 630, 3)
    outputs["output0"][0, 1, 3] = np.nan
    decoder, found = chosen(outputs)
    boxes = decode_boxes(decoder, found, (192, 160))
    assert np.isnan(boxes[0]).all() and np.isfinite(boxes[1:]).all()


@pytest.mark.parametrize("iou", [0.2, 0.45, 0.7])
def test_suppression_is_opencvs(iou):
    rng = np.random.default_rng(5)
    corner, extent = rng.uniform(0, 100, (150, 2)), rng.uniform(10, 60, (150, 2))
    scores = rng.permutation(np.linspace(0.1, 0.9, 150))
    boxes = np.concatenate((corner, corner + extent), axis=1)
    expected = cv2.dnn.NMSBoxes(np.concatenate((corner, extent), 1).tolist(), scores.tolist(), 0.0, iou)
    assert selected(boxes, scores, len(boxes), iou, None) == list(expected)


# -- where the boxes are in the picture ----------------------------------------------------------------------


@pytest.mark.parametrize("resize", ["stretch", "letterbox", "crop"])
@pytest.mark.parametrize("size", [(640, 360), (300, 500), (97, 64)])
def test_boxes_go_back_into_the_picture(resize, size):
    plan = Preprocess(416, 320, resize=resize)
    box = plan.box(*size)
    picture = np.array([[0.4 * size[0], 0.35 * size[1], 0.6 * size[0], 0.7 * size[1]]])
    across, down = box.target_width / box.width, box.target_height / box.height
    x, y = (picture[:, ::2] - box.x) * across + box.target_x, (picture[:, 1::2] - box.y) * down + box.target_y
    seen = np.stack((x[:, 0], y[:, 0], x[:, 1], y[:, 1]), 1)
    np.testing.assert_allclose(in_picture(seen, plan, size), picture, atol=1e-9)
    everything = in_picture(np.array([[-1e5, -1e5, 1e5, 1e5]]), plan, size)
    np.testing.assert_allclose(everything, [[0, 0, *size]])


@pytest.mark.parametrize(("name", "mean"), [("rtdetr", (0.0, 0.0, 0.0)), ("rfdetr", (0.485, 0.456, 0.406))])
def test_of_detrs_rfdetr_takes_images_less_a_mean(tmp_path, name, mean):
    """By its authors' `RFDETR.predict`, which normalizes before the network; RT-DETR's does not."""
    _, _, known, decoder = family(name)
    plan, _ = choose_preprocess(tmp_path / "net.onnx", known, None, (decoder.title, decoder.preprocess))
    assert (plan.scale, plan.colors, plan.resize, plan.mean) == ("0..1", "RGB", "stretch", mean)


def test_a_familys_preprocessing_is_taken_where_the_file_says_nothing(tmp_path):
    decoder = {d.id: d for d in all_decoders()}["yolox"]
    family = (decoder.title, decoder.preprocess)
    known = facts({"output": (1, 3549, 85)}, (416, 416))
    plan, notes = choose_preprocess(tmp_path / "m.onnx", known, None, family)
    assert (plan.colors, plan.scale, plan.resize, plan.mean) == (
        "BGR",
        "0..255",
        "letterbox",
        (0.0, 0.0, 0.0),
    )
    assert any("YOLOX takes BGR in 0..255" in note for note in map(sentence_of, notes))
    stated = facts(
        {"output": (1, 3549, 85)}, (416, 416), metadata={"Image.NominalPixelRange": "Normalized_0_1"}
    )
    plan, _ = choose_preprocess(tmp_path / "m.onnx", stated, None, family)
    assert (plan.scale, plan.resize) == ("0..1", "letterbox")
    plan, _ = choose_preprocess(tmp_path / "m.onnx", known, {"colors": "RGB", "resize": "stretch"}, family)
    assert (plan.colors, plan.resize) == ("RGB", "stretch")


def test_a_free_size_is_the_familys(tmp_path):
    decoder = {d.id: d for d in all_decoders()}["ultraface"]
    known = ModelFacts("x", (0, 3, 0, 0))
    plan, _ = choose_preprocess(tmp_path / "m.onnx", known, None, (decoder.title, decoder.preprocess))
    assert plan.shape == (1, 3, 240, 320)
    assert plan.mean == (127.0,) * 3 and plan.std == (128.0,) * 3


def test_boxes_relative_to_anchors_that_a_file_does_not_hold_are_refused_for_that():
    """TensorFlow's SSD without its postprocessing."""
    outputs = (
        TensorInfo("raw_outputs/class_predictions", (1, 2034, 91), "int8"),
        TensorInfo("raw_outputs/box_encodings", (1, 2034, 4), "int8"),
    )
    facts = ModelFacts("x", (1, 320, 320, 3), outputs=outputs)
    with pytest.raises(
        ModelUnsupportedError, match=r"'raw_outputs/box_encodings'.*hold the anchors; export it with"
    ):
        readings("ssd.tflite", facts, {"decoder": "", "units": ""})


def test_cocos_names():
    labels = coco_labels()
    assert len(labels) == 80 and len(set(labels.names)) == 80
    assert (labels[0], labels[16], labels[79]) == ("person", "dog", "toothbrush")
    assert choose_labels(80, usual=labels) is not None and choose_labels(80, usual=labels)[2] == "car"


@pytest.mark.parametrize(
    ("said", "size"),
    [
        ("[320, 448]", (448, 320)),
        ("[416]", (416, 416)),
        ("320", (320, 320)),
        ("[]", (640, 640)),
        ("[1, 9999999]", (640, 640)),
        ("[320, 320, 3]", (640, 640)),
    ],
)
def test_a_free_size_is_what_the_metadata_say(tmp_path, said, size):
    decoder = {d.id: d for d in all_decoders()}["yolov8"]
    known = ModelFacts("x", (0, 3, 0, 0), metadata={"imgsz": said})
    plan, _ = choose_preprocess(tmp_path / "m.onnx", known, None, (decoder.title, decoder.preprocess))
    assert (plan.width, plan.height) == size
