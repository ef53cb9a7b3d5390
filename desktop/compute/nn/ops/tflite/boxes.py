"""Boxes: NON_MAX_SUPPRESSION and TFLite_Detection_PostProcess.

https://github.com/tensorflow/tensorflow/blob/master/tensorflow/lite/kernels/detection_postprocess.cc
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np
from flatbuffers import flexbuffers

from desktop.compute.nn.ir.onnx_types import code_of
from desktop.compute.nn.lowering.operator import refuse_unless, require
from desktop.compute.nn.ops.tflite.spelling import Spelling

_MOST_PLACES: Final = 4096


def _number(s: Spelling, index: int) -> float:
    return float(s.fixed(index).reshape(-1)[0])


def _suppressed(s: Spelling) -> tuple[str, str, str]:
    """Return the scores of one class's boxes, kept indices (places,) padded with -1, and which are valid."""
    boxes, scores, places = s.real(0), s.real(1), int(_number(s, 2))
    require(0 <= places <= _MOST_PLACES, s.node, f"{places} results")
    found = s.internal(
        "SelectBoxes", _rising(s, boxes), s.add("Unsqueeze", scores, s.int64(0)),
        places=max(places, 1), threshold=_number(s, 4), inclusive=0, overlap=_number(s, 3), strict=0,
    )  # fmt: skip
    indices = s.add("Squeeze", found, s.int64(0))
    return scores, indices, s.add("GreaterOrEqual", indices, s.constant(0, "int32"))


def _rising(s: Spelling, boxes: str) -> str:
    """Boxes (n, 4) of any two opposite corners, the lower one first."""
    first, second = s.add_many("Split", 2, boxes, s.int64(2, 2), axis=1)
    return s.add("Concat", s.add("Min", first, second), s.add("Max", first, second), axis=1)


def _nms_v4(s: Spelling) -> None:
    _, indices, there = _suppressed(s)
    s.give(s.add("Max", indices, s.constant(0, "int32")), 0)
    s.give(_count(s, there), 1)


def _nms_v5(s: Spelling) -> None:
    refuse_unless(_number(s, 5) == 0.0, s.node, "soft suppression")
    scores, indices, there = _suppressed(s)
    kept = s.add("Max", indices, s.constant(0, "int32"))
    own = s.add("Gather", scores, kept, axis=0)
    s.give(kept, 0)
    s.give(s.add("Where", there, own, s.constant(0.0, "float32")), 1)
    s.give(_count(s, there), 2)


def _count(s: Spelling, there: str) -> str:
    return s.add("ReduceSum", s.add("Cast", there, to=code_of("int32")), s.int64(0), keepdims=0)


def custom_options(data: bytes) -> Mapping[str, Any]:
    """Parse the numbers in a FlexBuffers map of options; raise `ValueError` if it is none, or too large."""
    if not 3 <= len(data) <= 1 << 16:
        raise ValueError("its options cannot be read")
    fields = flexbuffers.GetRoot(data).AsMap
    if len(fields) > 64:
        raise ValueError("its options cannot be read")
    found = {}
    for at in range(len(fields)):
        value = fields.Values[at]
        if value.IsNumeric or value.IsBool:
            found[str(fields.Keys[at].AsKey)] = value.AsBool if value.IsBool else value.Value
    return found


def _post_process(s: Spelling) -> None:
    """Decode boxes (1, n, 4) by anchors (n, 4), classify them and suppress overlapping ones.

    Results: corners (1, k, 4) as y, x, y, x, classes (1, k), scores (1, k), and their count (1,).
    """
    options = custom_options(s.option("custom", b""))
    count, with_background = s.shape(1)[1], s.shape(1)[2]
    classes, places = int(options["num_classes"]), int(options["max_detections"])
    fits = 0 < classes <= with_background and 0 < places <= _MOST_PLACES and s.shape(0)[1:] == (count, 4)
    require(fits and s.shape(0)[0] == 1, s.node, "boxes and scores that do not fit")
    boxes = _decoded(s, options, count)
    scores = s.add("Reshape", s.real(1), s.int64(count, with_background))
    if with_background > classes:
        scores = s.add(
            "Slice", scores, s.int64(with_background - classes), s.int64(with_background), s.int64(1)
        )
    if options.get("use_regular_nms", False):
        _regular(s, options, boxes, scores, classes)
    else:
        _fast(s, options, boxes, scores, classes)


def _decoded(s: Spelling, options: Mapping[str, Any], count: int) -> str:
    """(n, 4) corners: centers are moved by shares of the anchor's size, sizes by powers of e."""
    center, size = s.add_many(
        "Split", 2, s.add("Reshape", s.real(0), s.int64(count, 4)), s.int64(2, 2), axis=1
    )
    anchors = s.real_array(2).reshape(-1, 4)
    require(anchors.shape[0] == count, s.node, "anchors that do not fit")
    scale = np.array([float(options[f"{name}_scale"]) for name in ("y", "x", "h", "w")], np.float32)
    require(bool((scale > 0).all()), s.node, "a scale that is not positive")
    moved = s.add("Mul", s.add("Div", center, s.constant(scale[:2])), s.constant(anchors[:, 2:]))
    middle = s.add("Add", moved, s.constant(anchors[:, :2]))
    half = s.add(
        "Mul",
        s.add("Exp", s.add("Div", size, s.constant(scale[2:]))),
        s.constant(anchors[:, 2:] * np.float32(0.5)),
    )
    return s.add("Concat", s.add("Sub", middle, half), s.add("Add", middle, half), axis=1)


def _fast(s: Spelling, options: Mapping[str, Any], boxes: str, scores: str, classes: int) -> None:
    """Boxes are suppressed by their best score of any class; each that stays is given with its best classes."""
    places, each = (
        int(options["max_detections"]),
        min(int(options.get("max_classes_per_detection", 1)), classes),
    )
    require(each > 0, s.node, "no class a box")
    best, labels = s.add_many("TopK", 2, scores, s.int64(each), axis=1)
    first = s.add("Transpose", s.add("Slice", best, s.int64(0), s.int64(1), s.int64(1)), perm=[1, 0])
    found = s.internal(
        "SelectBoxes", boxes, first, places=places, threshold=float(options["nms_score_threshold"]), inclusive=1,
        overlap=float(options["nms_iou_threshold"]), strict=1,
    )  # fmt: skip
    indices = s.add("Reshape", found, s.int64(places))
    there = s.add("GreaterOrEqual", indices, s.constant(0, "int32"))
    kept = s.add("Max", indices, s.constant(0, "int32"))
    rows = s.add("Reshape", there, s.int64(places, 1))
    own_labels = s.add("Cast", s.add("Gather", labels, kept, axis=0), to=code_of("float32"))
    own_boxes = s.add("Gather", boxes, kept, axis=0)
    if each > 1:
        own_boxes = s.add(
            "Reshape",
            s.add("Expand", s.add("Unsqueeze", own_boxes, s.int64(1)), s.int64(places, each, 4)),
            s.int64(places * each, 4),
        )
    _give(s, rows, own_boxes, own_labels, s.add("Gather", best, kept, axis=0), (places, each))
    s.give(_total(s, there), 3)


def _total(s: Spelling, there: str) -> str:
    total = s.add("ReduceSum", s.add("Cast", there, to=code_of("float32")), s.int64(0), keepdims=1)
    return s.add("Reshape", total, s.int64(1))


def _give(s: Spelling, there: str, boxes: str, labels: str, scores: str, shape: tuple[int, int]) -> None:
    """Zeros where there is no box."""
    places, each = shape
    zero = s.constant(0.0, "float32")
    wide = (
        there
        if each == 1
        else s.add("Reshape", s.add("Expand", there, s.int64(places, each)), s.int64(places * each, 1))
    )
    s.give(s.add("Reshape", s.add("Where", wide, boxes, zero), s.int64(1, places * each, 4)), 0)
    for index, name in ((1, labels), (2, scores)):
        s.give(s.add("Reshape", s.add("Where", there, name, zero), s.int64(1, places * each)), index)


def _regular(s: Spelling, options: Mapping[str, Any], boxes: str, scores: str, classes: int) -> None:
    """Each class for itself, then the best of all."""
    places, each = int(options["max_detections"]), int(options.get("detections_per_class", 100))
    require(0 < each <= _MOST_PLACES, s.node, f"{each} boxes a class")
    by_class = s.add("Transpose", scores, perm=[1, 0])
    found = s.internal(
        "SelectBoxes", boxes, by_class, places=each, threshold=float(options["nms_score_threshold"]), inclusive=1,
        overlap=float(options["nms_iou_threshold"]), strict=1,
    )  # fmt: skip
    kept = s.add("Max", found, s.constant(0, "int32"))
    own = s.add("GatherElements", by_class, s.add("Cast", kept, to=code_of("int64")), axis=1)
    there = s.add("GreaterOrEqual", found, s.constant(0, "int32"))
    least = s.constant(-1.0e30, "float32")
    flat = s.add("Reshape", s.add("Where", there, own, least), s.int64(classes * each))
    wanted = min(places, classes * each)
    best, at = s.add_many("TopK", 2, flat, s.int64(wanted), axis=0)
    rows = s.add("Reshape", s.add("Greater", best, s.constant(-1.0e29, "float32")), s.int64(wanted, 1))
    which = s.add("Gather", s.add("Reshape", kept, s.int64(classes * each)), at, axis=0)
    labels = s.add(
        "Floor", s.add("Div", s.add("Cast", at, to=code_of("float32")), s.constant(float(each), "float32"))
    )
    own_boxes = s.add("Gather", boxes, which, axis=0)
    column = s.int64(wanted, 1)
    names = (s.add("Reshape", labels, column), s.add("Reshape", best, column))
    _give(s, rows, own_boxes, *names, (wanted, 1))
    s.give(_total(s, s.add("Reshape", rows, s.int64(wanted))), 3)


OPERATORS: Final[dict[str, Callable[[Spelling], None]]] = {
    "NON_MAX_SUPPRESSION_V4": _nms_v4,
    "NON_MAX_SUPPRESSION_V5": _nms_v5,
    "CUSTOM TFLite_Detection_PostProcess": _post_process,
}
