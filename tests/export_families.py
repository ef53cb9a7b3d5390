"""The table of export families: one row each, a generated network whose boxes, points or classes are known.

A new family is a row here: what its export gives for known things (tests/detector_forms.py), the graph around
it (tests/export_graphs.py), and what has to come of it. `tests/e2e/test_export_families.py` runs every row
through the command line and through what loads a network in the window, on both backends.
"""

from __future__ import annotations

import functools
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import detector_forms as forms
import numpy as np
from detector_forms import Outputs, Size, Thing
from export_graphs import Graph

PICTURE: Size = (640, 480)
# Class, score and box in pixels of the picture; 0 is a person and 16 a dog among COCO's 80 classes.
PERSON: Thing = (0, 0.9, 80.0, 40.0, 280.0, 440.0)
DOG: Thing = (16, 0.75, 360.0, 120.0, 600.0, 360.0)
SCENE = (PERSON, DOG)
# Squares, which the priors of faces are.
FACES: tuple[Thing, ...] = ((0, 0.9, 60.0, 100.0, 300.0, 340.0), (0, 0.75, 380.0, 180.0, 540.0, 340.0))


def in_input(thing: Thing, size: Size, resize: str) -> Thing:
    """A thing of the picture in pixels of an input into which the picture is laid: in its middle, or
    stretched.
    """
    across, down = size[0] / PICTURE[0], size[1] / PICTURE[1]
    if resize == "letterbox":
        across = down = min(across, down)
    left, top = (size[0] - across * PICTURE[0]) / 2, (size[1] - down * PICTURE[1]) / 2
    box = thing[2:]
    return (
        *thing[:2],
        box[0] * across + left,
        box[1] * down + top,
        box[2] * across + left,
        box[3] * down + top,
    )


# -- what has to be found ------------------------------------------------------------------------------------


class Expected(ABC):
    """What a command, or a network that is loaded, has to say of the picture, as JSON."""

    @abstractmethod
    def check(self, found: Mapping[str, Any]) -> None:
        """Assert it."""


def overlap(one: tuple[float, ...], other: tuple[float, ...]) -> float:
    """Intersection over union of two boxes."""
    sides = [min(one[k + 2], other[k + 2]) - max(one[k], other[k]) for k in (0, 1)]
    shared = max(sides[0], 0.0) * max(sides[1], 0.0)
    areas = sum((box[2] - box[0]) * (box[3] - box[1]) for box in (one, other))
    return shared / (areas - shared)


@dataclass(frozen=True)
class Boxes(Expected):
    """Boxes with an IoU of 0.95 and more, labels and scores equal; `points` of them, to 1 % of the picture's
    diagonal.
    """

    things: tuple[Thing, ...] = SCENE
    labels: tuple[str, ...] = ("person", "dog")
    points: int = 0

    def check(self, found: Mapping[str, Any]) -> None:
        """See `Expected`."""
        objects = found["objects"]
        assert [item["label"] for item in objects] == list(self.labels)
        for item, thing in zip(objects, self.things, strict=True):
            assert overlap(tuple(item["box"]), thing[2:]) >= 0.95, (item["box"], thing)
            assert abs(item["score"] - thing[1]) < 0.005
            points = np.array(item.get("points", [])).reshape(-1, 2)
            assert len(points) == self.points
            if self.points:
                far = np.linalg.norm(points - forms.points_of(thing, self.points), axis=1)
                assert far.max() <= 0.01 * np.hypot(*PICTURE), far


@dataclass(frozen=True)
class Class(Expected):
    """The best class of the whole picture."""

    label: str
    probability: float

    def check(self, found: Mapping[str, Any]) -> None:
        """See `Expected`."""
        best = found["top"][0]
        assert best["label"] == self.label and abs(best["probability"] - self.probability) < 0.005, best


@dataclass(frozen=True)
class Turned(Expected):
    """Oriented boxes: four corners each, in any turn, to 1 % of the diagonal."""

    corners: tuple[tuple[tuple[float, float], ...], ...]
    labels: tuple[str, ...]

    def check(self, found: Mapping[str, Any]) -> None:
        """See `Expected`."""
        objects = found["objects"]
        assert [item["label"] for item in objects] == list(self.labels)
        for item, corners in zip(objects, self.corners, strict=True):
            near = np.linalg.norm(np.array(item["corners"])[:, None] - np.array(corners)[None], axis=2)
            assert near.min(axis=0).max() <= 0.01 * np.hypot(*PICTURE), near


@dataclass(frozen=True)
class Skeletons(Expected):
    """Key points of each thing, to 1 % of the diagonal."""

    things: tuple[Thing, ...]
    count: int

    def check(self, found: Mapping[str, Any]) -> None:
        """See `Expected`."""
        assert len(found["objects"]) == len(self.things)
        for item, thing in zip(found["objects"], self.things, strict=True):
            points = np.array(item["points"])[:, :2]
            far = np.linalg.norm(points - forms.points_of(thing, self.count), axis=1)
            assert far.max() <= 0.01 * np.hypot(*PICTURE), far


# -- rows ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Row:
    """One family.

    Attributes:
        name: exporter and form.
        outputs: (things in pixels of the input, size of the input) -> the arrays that the export gives.
        expected: what has to be found.
        graph: what the exporter makes around it.
        size: of the input, (width, height).
        takes: fields of `Preprocess` that have to be used: colors, range, how the picture is laid into the
            input ...
        command: of the command line.
        options: of the command.
        sidecar: text of the file of settings beside the network; '' for none.
        things: what is in the picture, in its pixels; their classes are as the form numbers them.
    """

    name: str
    outputs: Callable[[list[Thing], Size], Outputs]
    expected: Expected = field(default_factory=Boxes)
    graph: Graph = field(default_factory=Graph)
    size: Size = (320, 320)
    takes: Mapping[str, Any] = field(default_factory=dict)
    command: str = "detect"
    options: tuple[str, ...] = ()
    sidecar: str = ""
    things: tuple[Thing, ...] = SCENE

    def save(self, folder: Path) -> Path:
        """Write the network, and what stands beside it, into a folder; return its path."""
        resize = self.takes.get("resize", "letterbox")
        things = [in_input(thing, self.size, resize) for thing in self.things]
        path = self.graph.save(folder / "network.onnx", self.outputs(things, self.size), self.size)
        if self.sidecar:
            path.with_name(f"{path.name}.lightloom.toml").write_text(self.sidecar)
        return path


def alone(make: Callable[[list[Thing]], Outputs]) -> Callable[[list[Thing], Size], Outputs]:
    """A form that does not ask for the size."""
    return lambda things, size: make(things)


def rows(name: str, order: str) -> Callable[[list[Thing], Size], Outputs]:
    """A form of one output with a row a thing (`forms.rows_of`)."""
    return lambda things, size: {name: forms.rows_of(things, order)}


ULTRALYTICS = {"stride": "32", "task": "detect", "imgsz": "[320, 320]", "author": "Ultralytics"}
UNIT = {"colors": "RGB", "scale": "0..1", "mean": (0.0,) * 3, "std": (1.0,) * 3, "resize": "letterbox"}
UNIT_STRETCHED = {**UNIT, "resize": "stretch"}
RAW_BGR = {**UNIT, "colors": "BGR", "scale": "0..255"}
IMAGENET = {**UNIT, "mean": (0.485, 0.456, 0.406), "std": (0.229, 0.224, 0.225)}
MMDET = {**RAW_BGR, "mean": (103.53, 116.28, 123.675), "std": (57.375, 57.12, 58.395)}
CAFFE = {**RAW_BGR, "mean": (104.0, 117.0, 123.0)}
# COCO's numbers of categories have gaps: 1 is a person, 18 a dog; forms that count from 1 add the 1.
CATEGORIES = (PERSON, (17, *DOG[1:]))
LISTS = Graph(picture="input", rows=("boxes", "labels", "scores"))
FACE_BOXES = Boxes(FACES, ("face", "face"), points=5)


def _ultralytics_metadata(task: str = "detect", names: str = "") -> dict[str, str]:
    return {**ULTRALYTICS, "task": task, "names": names or str(dict(enumerate(_coco())))}


@functools.cache
def _coco() -> tuple[str, ...]:
    from desktop.vision.models.labels import coco_labels

    return coco_labels().names


def _three_classes(things: list[Thing]) -> list[Thing]:
    """The same of a network of three classes, whose last is the dog."""
    return [(min(thing[0], 2), *thing[1:]) for thing in things]


def _pose(things: list[Thing], size: Size) -> Outputs:
    """YOLOv8-pose: a class, then 17 points of x, y and visibility."""
    out = forms.yolov8([(0, *thing[1:]) for thing in things], size, 1, more=51)["output0"]
    out[0, 5:] = 0.0
    for number, thing in enumerate(things):
        points = np.hstack((forms.points_of(thing, 17), np.full((17, 1), 0.9)))
        out[0, 5:, 11 * number + 3] = points.ravel()
    return {"output0": out}


def _obb(things: list[Thing], size: Size) -> Outputs:
    """YOLOv8-obb: [1, 4 + classes + 1, n], the last row being the angle in radians."""
    out = forms.yolov8([(min(t[0], 1), *t[1:]) for t in things], size, 2, more=1)["output0"]
    out[0, 6] = 0.0
    out[0, 6, 3], out[0, 6, 14] = 0.0, np.pi / 6
    return {"output0": out}


def _turned(thing: Thing, angle: float) -> tuple[tuple[float, float], ...]:
    x, y, w, h = forms.middle(thing)
    turn = np.array(((np.cos(angle), -np.sin(angle)), (np.sin(angle), np.cos(angle))))
    corners = np.array(((-w, -h), (w, -h), (w, h), (-w, h))) / 2 @ turn.T + (x, y)
    return tuple((float(a), float(b)) for a, b in corners)


def _shares_of_size(things: list[Thing], size: Size) -> Outputs:
    """RT-DETR with the size as an input: boxes as shares, which the graph multiplies by it."""
    outputs = forms.rtdetr_pixels(things)
    outputs["boxes"] = outputs["boxes"] / np.array(size * 2, np.float32)
    return outputs


def _zoo_shares(things: list[Thing], size: Size) -> Outputs:
    outputs = forms.yolov3_zoo(things, size)
    name = next(iter(outputs))
    outputs[name] = outputs[name] / np.array(size[::-1] * 2, np.float32)
    return outputs


def _scores(count: int, index: int, probability: float) -> Callable[[list[Thing], Size], Outputs]:
    """A classifier's logits: what is left of the probability is shared by all other classes."""
    values = np.full((1, count), (1 - probability) / (count - 1), np.float32)
    values[0, index] = probability
    return lambda things, size: {"output": np.log(values)}


def having(outputs: Callable[..., Outputs], **options: Any) -> Callable[[list[Thing], Size], Outputs]:
    """A form with options of its own."""
    return lambda things, size: outputs(things, size, **options)


def _decoded_yolox(things: list[Thing], size: Size) -> Outputs:
    return forms.yolov5(things, size, each=1)


def _blazeface(things: list[Thing], size: Size) -> Outputs:
    return forms.blaze(things, size, ((8, 2), (16, 6)), 6)


PADDLE = Graph(
    picture="image",
    others={"scale_factor": ((1, 2), "float32")},
    rows=("multiclass_nms3_0.tmp_0",),
    scaled={"multiclass_nms3_0.tmp_0": ("scale_factor", "Div", (-1, -1, 1, 0, 1, 0))},
    producer="PaddlePaddle",
)
ZOO_BOXES = "yolonms_layer_1/ExpandDims_1:0"
DARKNET = Graph(
    picture="input_1",
    others={"image_shape": ((1, 2), "float32")},
    rows=("yolonms_layer_1/concat_2:0",),
    scaled={ZOO_BOXES: ("image_shape", "Mul", (0, 1, 0, 1))},
    producer="keras2onnx",
)
SIZED = Graph(
    others={"orig_target_sizes": ((1, 2), "int64")},
    scaled={"boxes": ("orig_target_sizes", "Mul", (0, 1, 0, 1))},
)
FLAT = "graph2_flat_predictions"

ROWS: tuple[Row, ...] = (
    # -- Ultralytics, and what has their form
    Row("yolov8 onnx", forms.yolov8, graph=Graph(metadata=_ultralytics_metadata()), takes=UNIT),
    Row("yolov8 without metadata", forms.yolov8, takes=UNIT),
    Row(
        "yolo11 of three classes",
        lambda things, size: forms.yolov8(_three_classes(things), size, 3),
        graph=Graph(metadata=_ultralytics_metadata(names="{0: 'person', 1: 'cat', 2: 'dog'}")),
        takes=UNIT,
    ),
    Row(
        "yolov8 tflite (shares, NHWC)",
        forms.yolov8_shares,
        graph=Graph(channels_last=True),
        takes=UNIT,
    ),
    Row("yolov8 shares", forms.yolov8_shares, takes=UNIT),
    Row(
        "yolov8 transposed",
        lambda things, size: forms.transposed(forms.yolov8(things, size)),
        takes=UNIT,
    ),
    Row(
        "yolov8 nms=True",
        alone(forms.end_to_end),
        graph=Graph(metadata=_ultralytics_metadata()),
        takes=UNIT,
    ),
    Row("yolov10 without metadata", alone(forms.end_to_end), takes=UNIT),
    Row("yolov5 onnx", forms.yolov5, takes=UNIT),
    Row(
        "yolov5 with its heads beside it",
        lambda things, size: forms.yolov5(things, size) | forms.yolov5_heads(things, size),
        takes=UNIT,
    ),
    Row("yolov5 heads", forms.yolov5_heads, takes=UNIT),
    Row("yolov5 heads in channels", lambda t, s: forms.in_channels(forms.yolov5_heads(t, s)), takes=UNIT),
    Row(
        "yolov5 heads of RKNN (sigmoid)",
        lambda things, size: forms.in_channels(forms.yolov5_heads(things, size)),
        graph=Graph(ends={f"output{level}": "Sigmoid" for level in range(3)}),
        takes=UNIT,
    ),
    Row(
        "yolov7 heads",
        lambda things, size: forms.yolov5_heads(things, size, anchors=forms.YOLOV7_ANCHORS),
        takes=UNIT,
        options=("--decoder", "yolov7_heads"),
    ),
    Row(
        "yolov3 heads",
        forms.yolov3_heads,
        takes=UNIT,
        options=("--decoder", "yolov3_heads"),
    ),
    Row("yolov7 end2end", rows("output", "nbcs"), graph=Graph(rows=("output",)), takes=UNIT),
    Row(
        "yolov7 end2end of another name",
        rows("detections", "nbcs"),
        graph=Graph(rows=("detections",)),
        takes=UNIT,
    ),
    Row(
        "yolov8 pose",
        _pose,
        Skeletons(SCENE, 17),
        graph=Graph(metadata=_ultralytics_metadata("pose", "{0: 'person'}") | {"kpt_shape": "[17, 3]"}),
        command="keypoints",
    ),
    Row(
        "yolov8 obb",
        _obb,
        Turned((_turned(PERSON, 0.0), _turned(DOG, np.pi / 6)), ("person", "dog")),
        graph=Graph(metadata=_ultralytics_metadata("obb", "{0: 'person', 1: 'dog'}")),
        command="analyze",
    ),
    Row(
        "NanoDet",
        forms.nanodet,
        takes={**MMDET, "resize": "stretch"},
        options=("--decoder", "nanodet"),
    ),
    Row("yolov6", forms.yolov6, takes=UNIT),
    Row("yolox", forms.yolox, graph=Graph(convolved={"output": (4, 1, 80)}), takes=RAW_BGR),
    Row("yolox decoded", _decoded_yolox, graph=Graph(uses=("Exp",)), takes=RAW_BGR),
    # -- lists of what was suppressed already
    Row("torchvision", alone(forms.torchvision), graph=LISTS, takes=UNIT, things=CATEGORIES),
    Row(
        "torchvision of a picture without a batch",
        alone(forms.torchvision),
        graph=replace(LISTS, batched=False),
        takes=UNIT,
        things=CATEGORIES,
    ),
    Row(
        "torchvision without a batch, of a free size",
        alone(forms.torchvision),
        graph=replace(LISTS, batched=False, free={2: "height", 3: "width"}),
        size=(640, 640),
        takes=UNIT,
        things=CATEGORIES,
    ),
    Row(
        "torchvision Mask R-CNN",
        alone(forms.torchvision_masks),
        graph=replace(LISTS, rows=("boxes", "labels", "scores", "masks")),
        takes=UNIT,
        things=CATEGORIES,
    ),
    Row(
        "detectron2",
        forms.detectron2,
        graph=Graph(rows=("1", "2", "3")),
        takes={**UNIT, "colors": "BGR", "scale": "0..255"},
    ),
    Row("mmdeploy", alone(forms.mmdeploy), takes=MMDET),
    Row("mmdeploy with masks", alone(forms.mmdeploy_masks), takes=MMDET),
    Row("EfficientNMS", alone(forms.efficient_nms), takes=UNIT),
    Row(
        "YOLO-NAS batch format",
        alone(forms.yolo_nas_batch),
        graph=Graph(dtype="uint8"),
        takes={**UNIT, "scale": "0..255"},
    ),
    Row(
        "YOLO-NAS flat format",
        rows(FLAT, "nbsc"),
        graph=Graph(dtype="uint8", rows=(FLAT,)),
        takes={**UNIT, "scale": "0..255"},
    ),
    Row(
        "PINTO class, score, box",
        rows("batchno_classid_score_x1y1x2y2", "ncsb"),
        graph=Graph(rows=("batchno_classid_score_x1y1x2y2",)),
        takes=RAW_BGR,
    ),
    Row(
        "PINTO class, box, score",
        rows("batchno_classid_x1y1x2y2_score", "ncbs"),
        graph=Graph(rows=("batchno_classid_x1y1x2y2_score",)),
        takes=RAW_BGR,
    ),
    Row(
        "TensorFlow OD (uint8, NHWC)",
        forms.tensorflow,
        graph=Graph(channels_last=True, dtype="uint8", picture="input_tensor", producer="tf2onnx"),
        takes={"colors": "RGB", "scale": "0..255", "resize": "letterbox"},
        things=CATEGORIES,
    ),
    Row(
        "TensorFlow OD of a free size",
        forms.tensorflow,
        graph=Graph(
            channels_last=True,
            dtype="uint8",
            picture="input_tensor",
            free={1: "height", 2: "width"},
            producer="tf2onnx",
        ),
        size=(640, 640),
        things=CATEGORIES,
    ),
    Row(
        "TensorFlow Lite SSD",
        forms.tflite_ssd,
        graph=Graph(channels_last=True),
        takes={"colors": "RGB", "scale": "-1..1"},
        things=CATEGORIES,
    ),
    Row("PP-YOLOE", alone(forms.paddle), graph=PADDLE, takes=IMAGENET),
    Row(
        "PicoDet with the size first",
        alone(forms.paddle),
        graph=replace(
            PADDLE,
            others={"im_shape": ((1, 2), "float32"), "scale_factor": ((1, 2), "float32")},
            others_first=True,
        ),
        takes=IMAGENET,
    ),
    # -- tables of all boxes
    Row("YOLO-NAS", forms.yolo_nas, takes=UNIT),
    Row("DAMO-YOLO", forms.damo_yolo, takes={**UNIT, "scale": "0..255"}),
    Row("PP-YOLOE without suppression", forms.ppyoloe_without_nms, takes=UNIT),
    Row("YOLOv4 (boxes, confs)", forms.yolov4, takes=UNIT),
    Row("YOLOv3 of ONNX's zoo", _zoo_shares, graph=DARKNET, takes=UNIT),
    # -- other heads
    Row("Yolo-FastestV2", forms.yolo_fastestv2, size=(352, 352), takes={**UNIT_STRETCHED, "colors": "BGR"}),
    Row("FastestDet", forms.fastestdet, size=(352, 352), takes={**UNIT_STRETCHED, "colors": "BGR"}),
    Row("NanoDet-Plus", forms.nanodet_plus, takes={**MMDET, "resize": "stretch"}),
    Row("NanoDet in parts", forms.nanodet_split, takes={**MMDET, "resize": "stretch"}),
    Row("PicoDet raw", forms.picodet, takes={**IMAGENET, "resize": "stretch"}),
    Row(
        "RTMDet raw",
        forms.rtmdet,
        graph=Graph(times={f"reg_{level}": 8.0 * 2**level for level in range(3)}),
        takes=MMDET,
    ),
    Row("CenterNet", forms.centernet, takes={"colors": "BGR", "scale": "0..1", "resize": "letterbox"}),
    Row("CenterNet with its sigmoid", forms.centernet, graph=Graph(ends={"hm": "Sigmoid"})),
    # -- transformers
    Row(
        "DETR",
        lambda things, size: forms.detr([(t[0] + 1, *t[1:]) for t in things], size),
        takes={**IMAGENET, "resize": "stretch"},
        things=CATEGORIES,
    ),
    Row("RT-DETR of transformers", forms.rtdetr, graph=Graph(uses=("GridSample",)), takes=UNIT_STRETCHED),
    Row(
        "RF-DETR",
        lambda things, size: forms.rfdetr([(t[0] + 1, *t[1:]) for t in things], size),
        graph=Graph(uses=("GridSample",)),
        takes={**IMAGENET, "resize": "stretch"},
        things=CATEGORIES,
    ),
    Row("RT-DETR with the size", _shares_of_size, graph=SIZED, takes=UNIT_STRETCHED),
    # -- faces
    Row(
        "SCRFD",
        forms.scrfd,
        FACE_BOXES,
        takes={"colors": "RGB", "scale": "0..255", "mean": (127.5,) * 3, "std": (128.0,) * 3},
        things=FACES,
    ),
    Row("SCRFD with a batch", having(forms.scrfd, batch=True), FACE_BOXES, things=FACES),
    Row(
        "SCRFD without points",
        having(forms.scrfd, points=False),
        Boxes(FACES, ("face", "face")),
        things=FACES,
    ),
    Row(
        "SCRFD of a free size",
        forms.scrfd,
        FACE_BOXES,
        Graph(free={2: "h", 3: "w"}),
        (640, 640),
        things=FACES,
    ),
    Row("RetinaFace", forms.retinaface, FACE_BOXES, takes=CAFFE, things=FACES),
    Row(
        "RetinaFace slim",
        having(forms.retinaface, sides=forms.SMALL_FACE_SIDES),
        FACE_BOXES,
        takes=CAFFE,
        things=FACES,
    ),
    Row("YuNet", forms.yunet, FACE_BOXES, takes=RAW_BGR, things=FACES),
    Row("YuNet of 2022", forms.yunet_2022, FACE_BOXES, takes=RAW_BGR, things=FACES),
    Row(
        "UltraFace",
        forms.ultraface,
        Boxes(FACES, ("face", "face")),
        size=(320, 240),
        takes={
            "colors": "RGB",
            "scale": "0..255",
            "mean": (127.0,) * 3,
            "std": (128.0,) * 3,
            "resize": "stretch",
        },
        things=FACES,
    ),
    Row(
        "BlazeFace",
        _blazeface,
        Boxes(FACES, ("face", "face"), points=6),
        size=(128, 128),
        takes={"colors": "RGB", "scale": "-1..1", "resize": "letterbox"},
        things=FACES,
    ),
    # -- classifiers
    Row(
        "torchvision classifier",
        _scores(1000, 207, 0.8),
        Class("golden retriever", 0.8),
        takes={**IMAGENET, "resize": "crop", "crop": 0.875},
        size=(224, 224),
        command="classify",
    ),
    Row(
        "Keras classifier (softmax, NHWC)",
        _scores(1000, 207, 0.8),
        Class("golden retriever", 0.8),
        Graph(channels_last=True, ends={"output": "Softmax"}, producer="tf2onnx"),
        (224, 224),
        takes={"colors": "RGB", "scale": "-1..1"},
        command="classify",
    ),
    Row(
        "TensorFlow classifier of 1001 classes",
        _scores(1001, 208, 0.8),
        Class("golden retriever", 0.8),
        Graph(channels_last=True, ends={"output": "Softmax"}),
        (224, 224),
        takes={"colors": "RGB", "scale": "-1..1"},
        command="classify",
    ),
    Row(
        "Ultralytics classifier",
        _scores(3, 2, 0.8),
        Class("dog", 0.8),
        Graph(
            ends={"output": "Softmax"},
            metadata=_ultralytics_metadata("classify", "{0: 'person', 1: 'cat', 2: 'dog'}"),
        ),
        (224, 224),
        takes={"colors": "RGB", "scale": "0..1"},
        command="classify",
    ),
)
