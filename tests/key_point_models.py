"""Networks that give known arrays whatever they see, in every form of key points; and what is to be read in
them.
"""

from __future__ import annotations

import functools

import key_point_reference as reference
import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper


def constant_network(path, outputs, size, *, metadata=None, channels_last=False, dtype=TensorProto.FLOAT):
    """Save a network of an input of `size` (width, height) with these outputs; names and arrays."""
    shape = (1, size[1], size[0], 3) if channels_last else (1, 3, size[1], size[0])
    nodes = [
        helper.make_node("Cast", ["x"], ["float"], to=TensorProto.FLOAT),
        helper.make_node("ReduceMean", ["float"], ["m"], axes=[0, 1, 2, 3], keepdims=0),
        helper.make_node("Mul", ["m", "zero"], ["nothing"]),
        *(helper.make_node("Add", [f"c_{name}", "nothing"], [name]) for name in outputs),
    ]
    graph = helper.make_graph(
        nodes,
        "constant",
        [helper.make_tensor_value_info("x", dtype, shape)],
        [helper.make_tensor_value_info(n, TensorProto.FLOAT, a.shape) for n, a in outputs.items()],
        [
            numpy_helper.from_array(np.array(0, np.float32), "zero"),
            *(numpy_helper.from_array(array, f"c_{name}") for name, array in outputs.items()),
        ],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    helper.set_model_props(model, metadata or {})
    onnx.save(model, str(path))
    return path


def smooth_maps(points, height, width, seed):
    """Heat maps with a hill each, somewhere."""
    rng = np.random.default_rng(seed)
    y, x = np.mgrid[:height, :width]
    maps = []
    for _ in range(points):
        top, left = rng.uniform(3, height - 4), rng.uniform(3, width - 4)
        hill = np.exp(-((x - left) ** 2 + (y - top) ** 2) / 8.0)
        maps.append(rng.uniform(0.5, 1.0) * hill + rng.uniform(0, 0.01, (height, width)))
    return np.array(maps, np.float32)


def table(rows, points, seed, *, size, columns):
    """A YOLO's rows: four persons, each found several times, and many rows that are nothing."""
    rng = np.random.default_rng(seed)
    out = np.zeros((rows, columns + points), np.float32)
    for person in range(4):
        middle, extent = rng.uniform(60, np.array(size) - 60), rng.uniform(40, 110, 2)
        skeleton = rng.uniform(-0.5, 0.5, (points // 3, 2)) * extent + middle
        for row in rng.choice(rows, 6, replace=False):
            jitter = rng.uniform(-2, 2, 2)
            out[row, :4] = (*(middle + jitter), *(extent + rng.uniform(-2, 2, 2)))
            out[row, 4] = rng.uniform(0.3, 0.99) - 0.01 * person
            sure = rng.uniform(0, 1, (points // 3, 1))
            out[row, columns:] = np.hstack((skeleton + jitter, sure)).ravel()
    return out


def posenet_maps(rows, columns, stride, seed, persons=3):
    """PoseNet's four outputs, of persons that stand beside one another, with noise everywhere."""
    rng = np.random.default_rng(seed)
    parts, edges = 17, 16
    heat = rng.uniform(-9, -4, (rows, columns, parts)).astype(np.float32)
    offsets = rng.uniform(-6, 6, (rows, columns, 2 * parts)).astype(np.float32)
    forward = rng.uniform(-20, 20, (rows, columns, 2 * edges)).astype(np.float32)
    backward = rng.uniform(-20, 20, (rows, columns, 2 * edges)).astype(np.float32)
    names = {name: i for i, name in enumerate(reference.POSENET_NAMES)}
    chain = [(names[a], names[b]) for a, b in reference.POSENET_CHAIN]
    y, x = np.mgrid[:rows, :columns] * stride
    for person in range(persons):
        middle = np.array([rows / 2, (person + 0.5) * columns / persons]) * stride
        points = middle + rng.uniform(-0.4, 0.4, (parts, 2)) * (rows * stride, columns * stride / persons)
        for part, (py, px) in enumerate(points):
            near = (y - py) ** 2 + (x - px) ** 2 < (1.5 * stride) ** 2
            hill = rng.uniform(2, 6) - ((y - py) ** 2 + (x - px) ** 2) / stride**2
            heat[..., part] = np.where(near, np.maximum(hill, heat[..., part]), heat[..., part])
            offsets[near, part], offsets[near, part + parts] = (py - y)[near], (px - x)[near]
            for edge, (parent, child) in enumerate(chain):
                for source, goal, moves in ((parent, child, forward), (child, parent, backward)):
                    if source == part:
                        moves[near, edge] = points[goal][0] - py + rng.uniform(-3, 3)
                        moves[near, edge + edges] = points[goal][1] - px + rng.uniform(-3, 3)
    return heat, offsets, forward, backward


def swapped(points):
    """Points (..., 3) with y before x."""
    return np.ascontiguousarray(points[..., [1, 0, 2]])


@functools.cache
def forms():
    """(decoder, size of the input, outputs, options of the network, what is to be found) of each form, by
    name.
    """
    portrait, square, wide = (192, 256), (256, 256), (320, 320)
    body, hand = smooth_maps(17, 64, 48, 1), smooth_maps(16, 64, 64, 2)
    cpm = np.concatenate((smooth_maps(14, 32, 32, 3), np.ones((1, 32, 32), np.float32)))
    rng = np.random.default_rng(4)
    across, down = rng.uniform(0, 0.9, (17, 384)), rng.uniform(0, 0.9, (17, 512))
    across, down = across.astype(np.float32), down.astype(np.float32)
    limits = {"score": 0.25, "iou": 0.7}
    v8 = table(2100, 51, 5, size=wide, columns=5)
    listed = np.zeros((300, 57), np.float32)
    kept = reference.yolo(v8, wide, **limits, scores=4, first=5, points=17, dimensions=3)
    for row, (score, points, box) in zip(listed[7::5], kept, strict=False):
        row[:4], row[4] = np.array(box) * 320, score
        row[6:] = [value for x, y, c in points for value in (x * 320, y * 320, c)]
    v7 = np.insert(table(6300, 51, 6, size=wide, columns=5), 5, 0.0, axis=1)
    v7[:, 5] = v7[:, 4] ** 0.25
    two = np.delete(table(2100, 12, 7, size=wide, columns=5), (7, 10, 13, 16), axis=1)
    poses = posenet_maps(17, 23, 16, 8)
    sizes = (353, 257)
    last = {"MobilenetV1/heatmap_2": poses[0], "MobilenetV1/offset_2": poses[1]}
    last |= {"MobilenetV1/displacement_fwd_2": poses[2], "MobilenetV1/displacement_bwd_2": poses[3]}
    named = {n: a[None] for n, a in last.items()}
    plain = {f"y{i}": np.ascontiguousarray(np.moveaxis(a, -1, 0))[None] for i, a in enumerate(poses)}
    pixels = rng.uniform(0, 224, 63).astype(np.float32)
    mesh = rng.uniform(0, 192, 1404).astype(np.float32)
    one = np.ones((1, 1), np.float32)
    rows = rng.uniform(0.3, 0.7, (6, 56)).astype(np.float32)
    rows[:, 51:53] -= 0.3
    people = [
        (float(r[55]), [tuple(map(float, p)) for p in r[:51].reshape(17, 3)], tuple(map(float, r[51:55])))
        for r in rows
    ]
    several = rows.copy()
    several[:, :51] = swapped(rows[:, :51].reshape(6, 17, 3)).reshape(6, 51)
    several[:, 51:55] = rows[:, [52, 51, 54, 53]]
    return {
        "heat_maps": ("heat_maps", portrait, {"y": body[None]}, {}, reference.heat_maps(body)),
        "heat_maps last": (
            *("heat_maps", portrait, {"y": np.ascontiguousarray(body.transpose(1, 2, 0))[None]}),
            *({"channels_last": True}, reference.heat_maps(body)),
        ),
        "hourglass": (
            *("hourglass", square, {"y": np.stack((hand[::-1], hand))[None]}, {}),
            reference.heat_maps(hand, within=0.5),
        ),
        "hourglass outputs": (
            *("hourglass", square, {"first": hand[None, ::-1].copy(), "second": hand[None]}, {}),
            reference.heat_maps(hand, within=0.5),
        ),
        "mobile_pose": (
            *("mobile_pose", (128, 128), {"y": np.ascontiguousarray(cpm[:14].transpose(1, 2, 0))[None]}),
            *({"channels_last": True}, reference.heat_maps(cpm[:14])),
        ),
        "cpm": ("cpm", square, {"heatmaps": cpm[None]}, {}, reference.heat_maps(cpm[:14], within=0.5)),
        "simcc": (
            *("simcc", portrait, {"simcc_x": across[None], "simcc_y": down[None]}, {}),
            reference.simcc(across, down),
        ),
        "yolo_pose v8": (
            *("yolo_pose", wide, {"output0": np.ascontiguousarray(v8.T)[None]}, {}),
            kept,
        ),
        "yolo_pose listed": (
            *("yolo_pose", wide, {"output0": listed[None]}, {}),
            reference.yolo(
                listed, wide, **limits, scores=4, first=6, points=17, dimensions=3, corners=True, final=True
            ),
        ),
        "yolo_pose v7": (
            *("yolo_pose", wide, {"output": v7[None]}, {}),
            reference.yolo(v7, wide, **limits, scores=5, first=6, points=17, dimensions=3, objectness=4),
        ),
        "yolo_pose without confidences": (
            *("yolo_pose", wide, {"output0": np.ascontiguousarray(two.T)[None]}),
            {"metadata": {"kpt_shape": "[4, 2]", "names": "{0: 'cone'}", "task": "pose"}},
            reference.yolo(two, wide, **limits, scores=4, first=5, points=4, dimensions=2),
        ),
        "rtmo": (
            "rtmo",
            wide,
            {"dets": listed[None, :, :5].copy(), "keypoints": listed[None, :, 6:].reshape(1, 300, 17, 3)},
            {},
            reference.yolo(
                *(listed, wide),
                **{"score": 0.3, "iou": 1.0, "scores": 4, "first": 6, "points": 17, "dimensions": 3},
                corners=True,
                final=True,
            ),
        ),
        "posenet": ("posenet", sizes, named, {"channels_last": True}, reference.posenet(*poses, sizes, 16)),
        "posenet first": ("posenet", sizes, plain, {}, reference.posenet(*poses, sizes, 16)),
        "movenet": (
            *("movenet", (192, 192), {"y": swapped(rows[:1, :51].reshape(1, 1, 17, 3))}),
            *(
                {"channels_last": True, "dtype": TensorProto.INT32},
                [(float(rows[0, 2:51:3].mean()), people[0][1], None)],
            ),
        ),
        "movenet several": (
            *("movenet", (256, 256), {"y": several[None]}),
            {"channels_last": True, "dtype": TensorProto.INT32},
            sorted(people, key=lambda person: -person[0]),
        ),
        "landmarks hand": (
            "landmarks",
            (224, 224),
            {"points": pixels[None], "flag": 0.9 * one, "right": 0.8 * one},
            {"channels_last": True},
            reference.landmarks(pixels, 3, (224, 224), np.float32(0.9)),
        ),
        "landmarks face": (
            "landmarks",
            (192, 192),
            {"points": mesh.reshape(1, 1, 1, -1), "flag": np.log(np.float32(4.0)) * one.reshape(1, 1, 1, 1)},
            {},
            reference.landmarks(mesh, 3, (192, 192), 0.8),
        ),
    }
