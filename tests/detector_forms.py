"""Outputs of detectors' exports for known boxes: one function a family, written from the families' own
descriptions.

A thing is (class, score, left, top, right, bottom), in pixels of the input. Nothing of the program's own
decoding is used here: these are the independent reference for it. Where a family has key points, they lie on
the line from a box's left upper corner to its middle.
"""

from __future__ import annotations

import math

import numpy as np

Outputs = dict[str, np.ndarray]
Thing = tuple[int, float, float, float, float, float]
Size = tuple[int, int]

YOLOV5_ANCHORS = (
    ((10, 13), (16, 30), (33, 23)),
    ((30, 61), (62, 45), (59, 119)),
    ((116, 90), (156, 198), (373, 326)),
)
YOLOV7_ANCHORS = (
    ((12, 16), (19, 36), (40, 28)),
    ((36, 75), (76, 55), (72, 146)),
    ((142, 110), (192, 243), (459, 401)),
)
FASTEST_ANCHORS = (
    ((12.64, 19.39), (37.88, 51.48), (55.71, 138.31)),
    ((126.91, 78.23), (131.57, 214.55), (279.92, 258.87)),
)
FACE_SIDES = {8: (16, 32), 16: (64, 128), 32: (256, 512)}
SMALL_FACE_SIDES = {8: (10, 16, 24), 16: (32, 48), 32: (64, 96), 64: (128, 192, 256)}


def middle(thing: Thing) -> tuple[float, float, float, float]:
    """Middle and size."""
    left, top, right, bottom = thing[2:]
    return (left + right) / 2, (top + bottom) / 2, right - left, bottom - top


def points_of(thing: Thing, count: int = 5) -> np.ndarray:
    """The key points of a thing (count, 2)."""
    x, y, _, _ = middle(thing)
    corner = np.array(thing[2:4])
    return np.array([corner + (np.array((x, y)) - corner) * k / count for k in range(count)])


def logit(p: float) -> float:
    return math.log(p / (1 - p))


def grid(size: Size, stride: int) -> Size:
    """Columns and rows."""
    return math.ceil(size[0] / stride), math.ceil(size[1] / stride)


def cell(thing: Thing, size: Size, stride: int) -> tuple[int, int, int]:
    """Column, row and number of the cell that a thing's middle is in."""
    x, y, _, _ = middle(thing)
    column, row = int(x // stride), int(y // stride)
    return column, row, row * grid(size, stride)[0] + column


# -- lists of what was suppressed already --------------------------------------------------------------------


def as_lists(things: list[Thing], rows: int, first: int = 0) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Corners (rows, 4), scores (rows,) and numbers (rows,) from `first` on; unused rows are zeros."""
    boxes, scores = np.zeros((rows, 4), np.float32), np.zeros(rows, np.float32)
    numbers = np.zeros(rows, np.int64)
    for row, thing in enumerate(things):
        boxes[row], scores[row], numbers[row] = thing[2:], thing[1], thing[0] + first
    return boxes, scores, numbers


def torchvision(things: list[Thing]) -> Outputs:
    boxes, scores, labels = as_lists(things, len(things), first=1)
    return {"boxes": boxes, "labels": labels, "scores": scores}


def torchvision_masks(things: list[Thing]) -> Outputs:
    return {**torchvision(things), "masks": np.ones((len(things), 1, 8, 8), np.float32)}


def detectron2(things: list[Thing], size: Size) -> Outputs:
    boxes, scores, classes = as_lists(things, len(things))
    return {"1": boxes, "2": classes, "3": scores, "4": np.array(size[::-1], np.int64)}


def efficient_nms(things: list[Thing], rows: int = 100) -> Outputs:
    """TensorRT's plugin; the rows behind those that count hold rubbish."""
    boxes, scores, classes = as_lists(things, rows)
    boxes[len(things) :], scores[len(things) :] = (5, 5, 50, 50), 0.99
    return {
        "num_dets": np.array([[len(things)]], np.int32),
        "det_boxes": boxes[None],
        "det_scores": scores[None],
        "det_classes": classes[None].astype(np.int32),
    }


def ssd_lists(things: list[Thing]) -> Outputs:
    """As MLPerf's export of SSD ResNet34, whose labels are 1 to 80."""
    boxes, scores, labels = as_lists(things, len(things), 1)
    return {"bboxes": boxes[None], "labels": labels[None], "scores": scores[None]}


def yolo_nas_batch(things: list[Thing], rows: int = 50) -> Outputs:
    boxes, scores, classes = as_lists(things, rows)
    return {
        "num_predictions": np.array([[len(things)]], np.int64),
        "pred_boxes": boxes[None],
        "pred_scores": scores[None],
        "pred_classes": classes[None],
    }


def mmdeploy(things: list[Thing], rows: int = 20) -> Outputs:
    boxes, scores, labels = as_lists(things, rows)
    return {"dets": np.hstack((boxes, scores[:, None]))[None], "labels": labels[None]}


def mmdeploy_masks(things: list[Thing], rows: int = 20) -> Outputs:
    return {**mmdeploy(things, rows), "masks": np.zeros((1, rows, 28, 28), np.float32)}


def tensorflow(things: list[Thing], size: Size, rows: int = 100, first: int = 1) -> Outputs:
    """The boxes are (top, left, bottom, right) as shares, all is of floats."""
    boxes, scores, classes = as_lists(things, rows, first)
    shares = boxes[:, (1, 0, 3, 2)] / np.array((size[1], size[0]) * 2, np.float32)
    return {
        "detection_boxes": shares[None],
        "detection_classes": classes[None].astype(np.float32),
        "detection_scores": scores[None],
        "num_detections": np.array([len(things)], np.float32),
    }


def tflite_ssd(things: list[Thing], size: Size) -> Outputs:
    names = [f"TFLite_Detection_PostProcess{end}" for end in ("", ":1", ":2", ":3")]
    return dict(zip(names, tensorflow(things, size, rows=10, first=0).values(), strict=True))


def rows_of(things: list[Thing], order: str, rows: int = 0) -> np.ndarray:
    """A row a thing, its columns named by letters: n number in the batch, b box, c class, s score."""
    parts = {"n": lambda t: (0,), "b": lambda t: t[2:], "c": lambda t: (t[0],), "s": lambda t: (t[1],)}
    found = [sum((tuple(parts[letter](t)) for letter in order), ()) for t in things]
    table = np.array(found, np.float32)
    return np.vstack((table, np.zeros((max(0, rows - len(things)), table.shape[1]), np.float32)))


def paddle(things: list[Thing], rows: int = 0) -> Outputs:
    return {
        "multiclass_nms3_0.tmp_0": rows_of(things, "csb", rows),
        "multiclass_nms3_0.tmp_2": np.array([len(things)], np.int32),
    }


def end_to_end(things: list[Thing], rows: int = 300) -> Outputs:
    return {"output0": rows_of(things, "bsc", rows)[None]}


# -- tables of all boxes -------------------------------------------------------------------------------------


def tables(things: list[Thing], count: int, classes: int) -> tuple[np.ndarray, np.ndarray]:
    """Corners [1, count, 4] and scores [1, count, classes]."""
    boxes, scores = np.zeros((1, count, 4), np.float32), np.zeros((1, count, classes), np.float32)
    for number, thing in enumerate(things):
        boxes[0, 7 + 31 * number], scores[0, 7 + 31 * number, thing[0]] = thing[2:], thing[1]
    return boxes, scores


def cells(size: Size, *strides: int) -> int:
    return sum(math.prod(grid(size, stride)) for stride in strides or (8, 16, 32))


def yolo_nas(things: list[Thing], size: Size, classes: int = 80) -> Outputs:
    boxes, scores = tables(things, cells(size), classes)
    return {"graph2_boxes": boxes, "graph2_scores": scores}


def damo_yolo(things: list[Thing], size: Size, classes: int = 80) -> Outputs:
    boxes, scores = tables(things, cells(size), classes)
    return {"cls_score": scores, "bbox_pred": boxes}


def ppyoloe_without_nms(things: list[Thing], size: Size, classes: int = 80) -> Outputs:
    boxes, scores = tables(things, cells(size), classes)
    return {"tmp_16": boxes, "concat_14.tmp_0": np.ascontiguousarray(scores.transpose(0, 2, 1))}


def yolov4(things: list[Thing], size: Size, classes: int = 80) -> Outputs:
    boxes, scores = tables(things, 3 * cells(size), classes)
    return {"boxes": (boxes / np.array(size * 2, np.float32))[:, :, None], "confs": scores}


def yolov3_zoo(things: list[Thing], size: Size, classes: int = 80) -> Outputs:
    boxes, scores = tables(things, 3 * cells(size), classes)
    chosen = [(0, thing[0], 7 + 31 * number) for number, thing in enumerate(things)]
    return {
        "yolonms_layer_1/ExpandDims_1:0": np.ascontiguousarray(boxes[..., (1, 0, 3, 2)]),
        "yolonms_layer_1/ExpandDims_3:0": np.ascontiguousarray(scores.transpose(0, 2, 1)),
        "yolonms_layer_1/concat_2:0": np.array(chosen, np.int32),
    }


def yolov8(things: list[Thing], size: Size, classes: int = 80, more: int = 0) -> Outputs:
    """[1, 4 + classes + more, n], middles and sizes in pixels; what is more is no score."""
    count = cells(size)
    out = np.zeros((1, 4 + classes + more, count), np.float32)
    out[0, 4 + classes :] = 3.0
    for number, thing in enumerate(things):
        column = out[0, :, 11 * number + 3]
        column[:4], column[4 + thing[0]] = middle(thing), thing[1]
    return {"output0": out}


def yolov8_shares(things: list[Thing], size: Size, classes: int = 80) -> Outputs:
    out = yolov8(things, size, classes)["output0"]
    out[:, :4] /= np.array((*size, *size), np.float32)[:, None]
    return {"output0": out}


def transposed(outputs: Outputs) -> Outputs:
    return {name: np.ascontiguousarray(array.transpose(0, 2, 1)) for name, array in outputs.items()}


def yolov5(things: list[Thing], size: Size, classes: int = 80, each: int = 3) -> Outputs:
    """[1, n, 5 + classes], middles and sizes in pixels; of one anchor a cell it is YOLOv6's."""
    out = np.zeros((1, each * cells(size), 5 + classes), np.float32)
    for number, thing in enumerate(things):
        row = out[0, 11 * number + 3]
        row[:4], row[4], row[5 + thing[0]] = middle(thing), thing[1] / 0.95, 0.95
    return {"output": out}


def yolov6(things: list[Thing], size: Size, classes: int = 80) -> Outputs:
    """As `yolov5` of one anchor a cell, its objectness being 1 everywhere."""
    out = yolov5(things, size, classes, each=1)["output"]
    out[..., 5:] *= out[..., 4:5]
    out[..., 4] = 1.0
    return {"outputs": out}


def yolox(things: list[Thing], size: Size, classes: int = 80) -> Outputs:
    """[1, n, 5 + classes], offsets in cells and logarithms of sizes in cells."""
    out = np.zeros((1, cells(size), 5 + classes), np.float32)
    for number, thing in enumerate(things):
        stride = (8, 16, 32)[number % 3]
        before = cells(size, *[s for s in (8, 16, 32) if s < stride]) if stride > 8 else 0
        x, y, w, h = middle(thing)
        column, line, at = cell(thing, size, stride)
        row = out[0, before + at]
        row[:4] = x / stride - column, y / stride - line, math.log(w / stride), math.log(h / stride)
        row[4], row[5 + thing[0]] = thing[1] / 0.95, 0.95
    return {"output": out}


# -- raw heads -----------------------------------------------------------------------------------------------


def best_anchor(thing: Thing, anchors: tuple) -> tuple[int, int]:
    """(grid, anchor) whose size is nearest the thing's."""
    _, _, w, h = middle(thing)
    sizes = [(level, k) for level, each in enumerate(anchors) for k in range(len(each))]
    return min(
        sizes,
        key=lambda at: (
            abs(math.log(w / anchors[at[0]][at[1]][0])) + abs(math.log(h / anchors[at[0]][at[1]][1]))
        ),
    )


def yolov5_shares(thing: Thing, stride: int, anchor: tuple[float, float], at: tuple[int, int]) -> list[float]:
    """YOLOv5's four numbers after their sigmoid."""
    x, y, w, h = middle(thing)
    place = [(x / stride - at[0] + 0.5) / 2, (y / stride - at[1] + 0.5) / 2]
    return [*place, math.sqrt(w / anchor[0]) / 2, math.sqrt(h / anchor[1]) / 2]


def yolo_maps(things: list[Thing], size: Size, classes: int, anchors: tuple, numbers) -> list[np.ndarray]:
    """[1, 3, h, w, 5 + classes] of each grid: logits, -9 where there is nothing; `numbers` gives the box's
    four.
    """
    found = []
    for level, stride in enumerate((8, 16, 32)):
        across, down = grid(size, stride)
        out = np.full((1, 3, down, across, 5 + classes), -9, np.float32)
        for thing in things:
            of_level, k = best_anchor(thing, anchors)
            if of_level == level:
                column, row, _ = cell(thing, size, stride)
                entry = out[0, k, row, column]
                entry[:4] = numbers(thing, stride, anchors[level][k], (column, row))
                entry[4], entry[5 + thing[0]] = logit(thing[1] / 0.95), logit(0.95)
        found.append(out)
    return found


def yolov5_heads(
    things: list[Thing], size: Size, classes: int = 80, anchors: tuple = YOLOV5_ANCHORS
) -> Outputs:
    def numbers(thing, stride, anchor, at):
        return [logit(share) for share in yolov5_shares(thing, stride, anchor, at)]

    maps = yolo_maps(things, size, classes, anchors, numbers)
    return {f"output{level}": array for level, array in enumerate(maps)}


def in_channels(outputs: Outputs) -> Outputs:
    """[1, 3, h, w, n] as [1, 3 n, h, w]."""
    return {
        name: np.ascontiguousarray(a.transpose(0, 1, 4, 2, 3).reshape(1, -1, *a.shape[2:4]))
        for name, a in outputs.items()
    }


def yolov3_heads(things: list[Thing], size: Size, classes: int = 80) -> Outputs:
    def numbers(thing, stride, anchor, at):
        x, y, w, h = middle(thing)
        place = [logit(x / stride - at[0] + 1e-6), logit(y / stride - at[1] + 1e-6)]
        return [*place, math.log(w / anchor[0]), math.log(h / anchor[1])]

    maps = yolo_maps(things, size, classes, YOLOV5_ANCHORS, numbers)
    return in_channels({f"output{level}": array for level, array in enumerate(maps)})


def sigmoids(outputs: Outputs) -> Outputs:
    return {name: (1 / (1 + np.exp(-array))).astype(np.float32) for name, array in outputs.items()}


def yolo_fastestv2(things: list[Thing], size: Size, classes: int = 80) -> Outputs:
    """[1, h, w, 12 + 3 + classes]: three boxes, their objectness, the classes of all three."""
    found = {}
    for level, stride in enumerate((16, 32)):
        across, down = grid(size, stride)
        out = np.zeros((1, down, across, 15 + classes), np.float32)
        for thing in things:
            of_level, k = best_anchor(thing, FASTEST_ANCHORS)
            if of_level == level:
                column, row, _ = cell(thing, size, stride)
                entry = out[0, row, column]
                entry[4 * k : 4 * k + 4] = yolov5_shares(
                    thing, stride, FASTEST_ANCHORS[level][k], (column, row)
                )
                entry[12 + k], entry[15 + thing[0]] = thing[1] / 0.95, 0.95
        found[("794", "796")[level]] = out
    return found


def distances(thing: Thing, x: float, y: float) -> np.ndarray:
    """From a point to the sides of a thing: left, top, right, bottom."""
    left, top, right, bottom = thing[2:]
    return np.array((x - left, y - top, right - x, bottom - y))


def distribution(distance: float, bins: int = 8) -> np.ndarray:
    """Logits of `bins` numbers whose softmax has this mean: the two whole numbers around it share it."""
    low = min(int(distance), bins - 2)
    out = np.full(bins, -30.0, np.float32)
    out[low], out[low + 1] = (math.log(max(p, 1e-9)) for p in (1 - (distance - low), distance - low))
    return out


def nanodet_grids(
    things: list[Thing], size: Size, classes: int, strides: tuple[int, ...], offset: float
) -> list[tuple]:
    """(scores [1, n, classes], distributions [1, n, 32]) of each grid; a thing is in the finest that its
    distances fit into.
    """
    found = []
    for stride in strides:
        count = math.prod(grid(size, stride))
        scores, logits = np.zeros((1, count, classes), np.float32), np.zeros((1, count, 32), np.float32)
        for thing in things:
            fits = [s for s in strides if max(middle(thing)[2:]) / 2 + s <= 7 * s]
            if fits[0] == stride:
                column, row, at = cell(thing, size, stride)
                place = (column + offset) * stride, (row + offset) * stride
                scores[0, at, thing[0]] = thing[1]
                logits[0, at] = np.concatenate([distribution(d / stride) for d in distances(thing, *place)])
        found.append((scores, logits))
    return found


def nanodet_plus(things: list[Thing], size: Size, classes: int = 80) -> Outputs:
    parts = nanodet_grids(things, size, classes, (8, 16, 32, 64), 0.0)
    return {"output": np.concatenate([np.concatenate(each, axis=2) for each in parts], axis=1)}


def nanodet(things: list[Thing], size: Size, classes: int = 80) -> Outputs:
    parts = nanodet_grids(things, size, classes, (8, 16, 32), 0.5)
    return {"output": np.concatenate([np.concatenate(each, axis=2) for each in parts], axis=1)}


def nanodet_split(things: list[Thing], size: Size, classes: int = 80) -> Outputs:
    found = {}
    for stride, each in zip((8, 16, 32), nanodet_grids(things, size, classes, (8, 16, 32), 0.5), strict=True):
        found |= {f"cls_pred_stride_{stride}": each[0], f"dis_pred_stride_{stride}": each[1]}
    return found


def picodet(things: list[Thing], size: Size, classes: int = 80) -> Outputs:
    parts = nanodet_grids(things, size, classes, (8, 16, 32, 64), 0.5)
    found = {f"save_infer_model/scale_{i}.tmp_1": scores for i, (scores, _) in enumerate(parts)}
    return found | {f"save_infer_model/scale_{i + 4}.tmp_1": logits for i, (_, logits) in enumerate(parts)}


def rtmdet(things: list[Thing], size: Size, classes: int = 80) -> Outputs:
    logits, boxes = {}, {}
    for level, stride in enumerate((8, 16, 32)):
        across, down = grid(size, stride)
        scores, sides = (
            np.full((1, classes, down, across), -9, np.float32),
            np.zeros((1, 4, down, across), np.float32),
        )
        for number, thing in enumerate(things):
            if number % 3 == level:
                column, row, _ = cell(thing, size, stride)
                scores[0, thing[0], row, column] = logit(thing[1])
                sides[0, :, row, column] = distances(thing, column * stride, row * stride)
        logits[f"cls_{level}"], boxes[f"reg_{level}"] = scores, sides
    return logits | boxes


def centernet(things: list[Thing], size: Size, classes: int = 80) -> Outputs:
    """Each peak of the heat has neighbors that are nearly as hot, of which nothing may come."""
    across, down = grid(size, 4)
    heat = np.full((1, classes, down, across), -9, np.float32)
    sizes, offsets = np.zeros((1, 2, down, across), np.float32), np.zeros((1, 2, down, across), np.float32)
    for thing in things:
        x, y, w, h = middle(thing)
        column, row, _ = cell(thing, size, 4)
        heat[0, thing[0], row, column - 1 : column + 2] = logit(thing[1] - 0.02)
        heat[0, thing[0], row, column] = logit(thing[1])
        sizes[0, :, row, column] = w / 4, h / 4
        offsets[0, :, row, column] = x / 4 - column, y / 4 - row
    return {"hm": heat, "wh": sizes, "reg": offsets}


# -- faces ---------------------------------------------------------------------------------------------------


def scrfd(
    things: list[Thing],
    size: Size,
    *,
    points: bool = True,
    batch: bool = False,
    strides=(8, 16, 32),
    each: int = 2,
) -> Outputs:
    scores, boxes, kps = {}, {}, {}
    for level, stride in enumerate(strides):
        count = each * math.prod(grid(size, stride))
        score, box, point = (np.zeros((count, columns), np.float32) for columns in (1, 4, 10))
        for number, thing in enumerate(things):
            if number % len(strides) == level:
                column, row, at = cell(thing, size, stride)
                at = at * each + each - 1
                score[at] = thing[1]
                box[at] = distances(thing, column * stride, row * stride) / stride
                point[at] = ((points_of(thing) - (column * stride, row * stride)) / stride).ravel()
        scores[f"score_{stride}"], boxes[f"bbox_{stride}"] = score, box
        kps[f"kps_{stride}"] = point
    found = scores | boxes | (kps if points else {})
    return {name: array[None] for name, array in found.items()} if batch else found


def face_priors(size: Size, sides: dict[int, tuple[int, ...]], floors: bool = False) -> np.ndarray:
    """Middles and sides (n, 3) of the priors: grid by grid, cell by cell, and in a cell by rising side."""
    found = []
    for stride, each in sides.items():
        across, down = (size[0] // stride, size[1] // stride) if floors else grid(size, stride)
        for row in range(down):
            for column in range(across):
                found += [((column + 0.5) * stride, (row + 0.5) * stride, side) for side in each]
    return np.array(found, np.float64)


def of_priors(things: list[Thing], priors: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Numbers (n, 4) of boxes and (n, 10) of points relative to priors, and scores (n,), with SSD's
    variances.
    """
    boxes, points, scores = np.zeros((len(priors), 4)), np.zeros((len(priors), 10)), np.zeros(len(priors))
    for thing in things:
        x, y, w, h = middle(thing)
        far = np.hypot(priors[:, 0] - x, priors[:, 1] - y) + 4 * abs(np.log(priors[:, 2] / w))
        at = int(far.argmin())
        px, py, side = priors[at]
        boxes[at] = (
            (x - px) / side / 0.1,
            (y - py) / side / 0.1,
            math.log(w / side) / 0.2,
            math.log(h / side) / 0.2,
        )
        points[at] = ((points_of(thing) - (px, py)) / side / 0.1).ravel()
        scores[at] = thing[1]
    return boxes.astype(np.float32), points.astype(np.float32), scores.astype(np.float32)


def retinaface(things: list[Thing], size: Size, sides: dict[int, tuple[int, ...]] = FACE_SIDES) -> Outputs:
    boxes, points, scores = of_priors(things, face_priors(size, sides))
    return {"loc": boxes[None], "conf": np.stack((1 - scores, scores), 1)[None], "landms": points[None]}


def ultraface(things: list[Thing], size: Size) -> Outputs:
    count = len(face_priors(size, SMALL_FACE_SIDES))
    scores, boxes = np.zeros((1, count, 2), np.float32), np.zeros((1, count, 4), np.float32)
    scores[..., 0] = 1.0
    for number, thing in enumerate(things):
        scores[0, 7 * number] = 1 - thing[1], thing[1]
        boxes[0, 7 * number] = np.array(thing[2:]) / (*size, *size)
    return {"scores": scores, "boxes": boxes}


def yunet(things: list[Thing], size: Size) -> Outputs:
    found: Outputs = {}
    for stride in (8, 16, 32):
        count = math.prod(grid(size, stride))
        for kind, columns in (("cls", 1), ("obj", 1), ("bbox", 4), ("kps", 10)):
            found[f"{kind}_{stride}"] = np.zeros((1, count, columns), np.float32)
    for number, thing in enumerate(things):
        stride = (8, 16, 32)[number % 3]
        x, y, w, h = middle(thing)
        column, row, at = cell(thing, size, stride)
        found[f"cls_{stride}"][0, at], found[f"obj_{stride}"][0, at] = thing[1] ** 2 / 0.99, 0.99
        box = x / stride - column, y / stride - row, math.log(w / stride), math.log(h / stride)
        found[f"bbox_{stride}"][0, at] = box
        found[f"kps_{stride}"][0, at] = (points_of(thing) / stride - (column, row)).ravel()
    return found


def yunet_2022(things: list[Thing], size: Size) -> Outputs:
    boxes, points, scores = of_priors(things, face_priors(size, SMALL_FACE_SIDES, floors=True))
    faces = scores**2 / 0.99
    return {
        "loc": np.hstack((boxes, points)),
        "conf": np.stack((1 - faces, faces), 1),
        "iou": np.full((len(scores), 1), 0.99, np.float32),
    }


def blaze(things: list[Thing], size: Size, grids: tuple[tuple[int, int], ...], points: int) -> Outputs:
    """Raw outputs of a detector of MediaPipe's family: logits, and boxes and key points from the middles of
    the cells.
    """
    middles = np.array(
        [
            ((x + 0.5) * stride, (y + 0.5) * stride)
            for stride, each in grids
            for y in range(size[1] // stride)
            for x in range(size[0] // stride)
            for _ in range(each)
        ]
    )
    scores = np.full((1, len(middles), 1), -90, np.float32)
    boxes = np.zeros((1, len(middles), 4 + 2 * points), np.float32)
    for number, (_, score, left, top, right, bottom) in enumerate(things):
        row = 40 * (number + 1) + 1
        scores[0, row] = np.log(score / (1 - score))
        at_middle = np.array(((left + right) / 2, (top + bottom) / 2))
        boxes[0, row, :4] = (*(at_middle - middles[row]), right - left, bottom - top)
        # The key points lie on a line from the box's left upper corner to its middle.
        for k in range(points):
            at = np.array((left, top)) + (at_middle - (left, top)) * k / points
            boxes[0, row, 4 + 2 * k : 6 + 2 * k] = at - middles[row]
    return {"classificators": scores, "regressors": boxes}


# -- transformers --------------------------------------------------------------------------------------------


def as_shares(thing: Thing, size: Size) -> tuple[float, ...]:
    x, y, w, h = middle(thing)
    return x / size[0], y / size[1], w / size[0], h / size[1]


def detr(things: list[Thing], size: Size, queries: int = 100, classes: int = 91) -> Outputs:
    """Logits whose softmax over classes and nothing is the score; the rest is shared by the other columns."""
    logits, boxes = np.zeros((1, queries, classes + 1), np.float32), np.zeros((1, queries, 4), np.float32)
    logits[..., -1] = 20.0
    for number, thing in enumerate(things):
        row = logits[0, 11 * number + 3]
        row[:] = 5.0 + math.log((1 - thing[1]) / classes)
        row[thing[0]] = 5.0 + math.log(thing[1])
        boxes[0, 11 * number + 3] = as_shares(thing, size)
    return {"logits": logits, "pred_boxes": boxes}


def rfdetr(things: list[Thing], size: Size) -> Outputs:
    """RF-DETR's names, and COCO's numbers of categories, which begin with 1."""
    return dict(zip(("labels", "dets"), rtdetr(things, size, classes=91).values(), strict=True))


def rtdetr(things: list[Thing], size: Size, queries: int = 300, classes: int = 80) -> Outputs:
    logits, boxes = np.full((1, queries, classes), -9, np.float32), np.zeros((1, queries, 4), np.float32)
    for number, thing in enumerate(things):
        logits[0, 11 * number + 3, thing[0]] = logit(thing[1])
        boxes[0, 11 * number + 3] = as_shares(thing, size)
    return {"logits": logits, "pred_boxes": boxes}


def rtdetr_pixels(things: list[Thing], queries: int = 300) -> Outputs:
    boxes, scores, numbers = as_lists(things, queries)
    return {"labels": numbers[None], "boxes": boxes[None], "scores": scores[None]}


def fastestdet(things: list[Thing], size: Size, classes: int = 80) -> Outputs:
    across, down = size[0] // 16, size[1] // 16
    out = np.zeros((1, 5 + classes, down, across), np.float32)
    for thing in things:
        x, y, w, h = middle(thing)
        column = out[0, :, int(y // 16), int(x // 16)]
        column[1:3] = np.arctanh([min(x / 16 - x // 16, 0.999), min(y / 16 - y // 16, 0.999)])
        share = np.array([w / size[0], h / size[1]])
        column[3:5] = np.log(share / (1 - share))
        # objectness^0.6 * class^0.4 with both equal is that number
        column[0] = column[5 + thing[0]] = thing[1]
    return {"758": out}
