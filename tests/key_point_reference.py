"""Key points read the slow way: one number at a time, from the papers and the origins' descriptions.
Positions are shares of the input.

Each function returns a list of (score, points, box): points are (x, y, confidence), box is left, top, right,
bottom or None.
"""

from __future__ import annotations

import math

import cv2
import numpy as np

POSENET_PARTS = 17
POSENET_CHAIN = (
    ("nose", "leftEye"),
    ("leftEye", "leftEar"),
    ("nose", "rightEye"),
    ("rightEye", "rightEar"),
    ("nose", "leftShoulder"),
    ("leftShoulder", "leftElbow"),
    ("leftElbow", "leftWrist"),
    ("leftShoulder", "leftHip"),
    ("leftHip", "leftKnee"),
    ("leftKnee", "leftAnkle"),
    ("nose", "rightShoulder"),
    ("rightShoulder", "rightElbow"),
    ("rightElbow", "rightWrist"),
    ("rightShoulder", "rightHip"),
    ("rightHip", "rightKnee"),
    ("rightKnee", "rightAnkle"),
)
POSENET_NAMES = (
    *("nose", "leftEye", "rightEye", "leftEar", "rightEar", "leftShoulder", "rightShoulder", "leftElbow"),
    *("rightElbow", "leftWrist", "rightWrist", "leftHip", "rightHip", "leftKnee", "rightKnee"),
    *("leftAnkle", "rightAnkle"),
)


def _mean(points):
    return sum(c for _, _, c in points) / len(points)


def _unit(x):
    return 0.0 if math.isnan(x) else min(max(float(x), 0.0), 1.0)


def heat_maps(maps, *, within=0.0, quarter=True):
    """HRNet: the greatest cell, a quarter towards the greater neighbor; [points, height, width]. Hourglasses
    begin in its middle.
    """
    points = []
    for heat in maps:
        height, width = heat.shape
        row, column = divmod(int(np.argmax(heat)), width)
        x, y = column + within, row + within
        if quarter and 1 < column < width - 1 and 1 < row < height - 1:
            x += 0.25 * np.sign(heat[row, column + 1] - heat[row, column - 1])
            y += 0.25 * np.sign(heat[row + 1, column] - heat[row - 1, column])
        points.append((x / width, y / height, _unit(heat[row, column])))
    return [(_mean(points), points, None)]


def dark(maps):
    """ViTPose: DARK on a blurred map, placed as UDP places cells."""
    points = []
    for heat in maps:
        height, width = heat.shape
        row, column = divmod(int(np.argmax(heat)), width)
        blurred = cv2.GaussianBlur(heat.astype(np.float64), (11, 11), 0)
        logs = np.pad(np.log(np.clip(blurred, 0.001, 50.0)), 1, mode="edge")
        a = logs[row : row + 3, column : column + 3]
        gradient = np.array([a[1, 2] - a[1, 0], a[2, 1] - a[0, 1]]) / 2
        xy = (a[2, 2] - a[1, 2] - a[2, 1] + 2 * a[1, 1] - a[1, 0] - a[0, 1] + a[0, 0]) / 2
        hessian = np.array(
            [[a[1, 2] - 2 * a[1, 1] + a[1, 0], xy], [xy, a[2, 1] - 2 * a[1, 1] + a[0, 1]]]
        ) + np.finfo(np.float32).eps * np.eye(2)
        x, y = np.array([column, row]) - np.linalg.solve(hessian, gradient)
        points.append((x / (width - 1), y / (height - 1), _unit(heat[row, column])))
    return [(_mean(points), points, None)]


def simcc(across, down):
    """RTMPose: the greatest bin along each axis, the lesser of both as confidence."""
    points = []
    for x, y in zip(across, down, strict=True):
        i, j = int(np.argmax(x)), int(np.argmax(y))
        points.append((i / len(x), j / len(y), _unit(min(x[i], y[j]))))
    return [(_mean(points), points, None)]


def yolo(
    rows, size, *, score, iou, scores, first, points, dimensions, corners=False, objectness=None, final=False
):
    """Rows of a YOLO-pose of one class: what OpenCV's suppression leaves, best first."""
    found = []
    for row in rows:
        whole = float(row[scores]) * (1.0 if objectness is None else float(row[objectness]))
        if whole < score:
            continue
        a, b, c, d = map(float, row[:4])
        box = (a, b, c, d) if corners else (a - c / 2, b - d / 2, a + c / 2, b + d / 2)
        listed = row[first : first + points * dimensions].reshape(points, dimensions)
        placed = [
            (float(p[0]) / size[0], float(p[1]) / size[1], float(p[2]) if dimensions == 3 else whole)
            for p in listed
        ]
        found.append((whole, placed, box))
    if not final:
        boxes = [(x0, y0, x1 - x0, y1 - y0) for _, _, (x0, y0, x1, y1) in found]
        kept = cv2.dnn.NMSBoxes(boxes, [f[0] for f in found], 0.0, iou) if found else []
        found = [found[i] for i in kept]
    found.sort(key=lambda f: -f[0])
    scale = (*size, *size)
    return [(s, p, tuple(v / n for v, n in zip(box, scale, strict=True))) for s, p, box in found]


def posenet(heat, offsets, forward, backward, size, stride, *, most=20, threshold=0.5, radius=20.0):
    """PersonLab's fast greedy decoding as tfjs-models has it; arrays [rows, columns, channels]."""
    rows, columns, parts = heat.shape
    names = {name: i for i, name in enumerate(POSENET_NAMES)}
    chain = [(names[a], names[b]) for a, b in POSENET_CHAIN]

    def probability(row, column, part):
        return 1.0 / (1.0 + math.exp(-float(heat[row, column, part])))

    def cell(at):
        row = min(max(math.floor(at[0] / stride + 0.5), 0), rows - 1)
        return row, min(max(math.floor(at[1] / stride + 0.5), 0), columns - 1)

    def offset(row, column, part):
        return float(offsets[row, column, part]), float(offsets[row, column, part + parts])

    queue = []
    for row in range(rows):
        for column in range(columns):
            for part in range(parts):
                value = probability(row, column, part)
                around = heat[max(row - 1, 0) : row + 2, max(column - 1, 0) : column + 2, part]
                if value >= threshold and heat[row, column, part] >= around.max():
                    queue.append((value, row, column, part))
    queue.sort(key=lambda root: -root[0])

    def follow(edge, start, goal, displacements):
        row, column = cell(start)
        count = displacements.shape[2] // 2
        at = (
            start[0] + float(displacements[row, column, edge]),
            start[1] + float(displacements[row, column, count + edge]),
        )
        for _ in range(2):
            row, column = cell(at)
            dy, dx = offset(row, column, goal)
            at = (row * stride + dy, column * stride + dx)
        row, column = cell(at)
        return at, probability(row, column, goal)

    poses = []
    for value, row, column, part in queue:
        if len(poses) == most:
            break
        dy, dx = offset(row, column, part)
        root = (row * stride + dy, column * stride + dx)
        if any(math.dist(root, pose[part][0]) <= radius for pose in poses):
            continue
        pose = {part: (root, value)}
        for edge in reversed(range(len(chain))):
            parent, child = chain[edge]
            if child in pose and parent not in pose:
                pose[parent] = follow(edge, pose[child][0], parent, backward)
        for edge, (parent, child) in enumerate(chain):
            if parent in pose and child not in pose:
                pose[child] = follow(edge, pose[parent][0], child, forward)
        poses.append(pose)
    found = []
    for i, pose in enumerate(poses):
        new = [
            pose[part][1]
            for part in range(parts)
            if not any(math.dist(other[part][0], pose[part][0]) <= radius for other in poses[:i])
        ]
        points = [(pose[p][0][1] / size[0], pose[p][0][0] / size[1], pose[p][1]) for p in range(parts)]
        found.append((sum(new) / parts, points, None))
    return sorted(found, key=lambda f: -f[0])


def landmarks(numbers, dimensions, size, score):
    """A list in pixels of the input."""
    rows = np.asarray(numbers, np.float64).reshape(-1, dimensions)
    points = [(float(x) / size[0], float(y) / size[1], score) for x, y in rows[:, :2]]
    return [(score, points, None)]
