"""Recognition of key-point networks, their points, and files that are refused."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from desktop.compute.nn.session import TensorInfo
from desktop.outputs.detections import detections_of
from desktop.outputs.journal import PictureRecord
from desktop.vision.models.facts import ModelFacts
from desktop.vision.models.model_file import ModelFile
from desktop.vision.tasks import recognize_facts
from desktop.vision.tasks.key_points.decoder import NetworkView, as_shares
from desktop.vision.tasks.key_points.decoders import all_decoders, decoder_named, find_decoder
from desktop.vision.tasks.key_points.decoders.posenet import cell_size
from desktop.vision.tasks.key_points.gpu_points import capacity, entry_type
from desktop.vision.tasks.key_points.skeletons import COCO_17, FACE_478, HAND_21, SKELETONS
from desktop.vision.tasks.shapes import Box, Points, bounds, caption


def facts(outputs, size=(192, 256), **extra):
    infos = tuple(TensorInfo(name, tuple(shape), "float32") for name, shape in outputs.items())
    return ModelFacts("x", (1, 3, size[1], size[0]), outputs=infos, **extra)


POSE = {"metadata": {"task": "pose", "kpt_shape": "[17, 3]", "names": "{0: 'person'}"}}
ATTENTION = {"operators": frozenset({"Softmax", "MatMul"})}
CASES = [
    ("heat_maps", "coco-17", {"output": (1, 17, 64, 48)}, (192, 256), {}),
    ("heat_maps", "coco-17", {"output": (0, 17, 96, 72)}, (288, 384), {}),
    ("heat_maps", "mpii-16", {"output": (1, 16, 64, 64)}, (256, 256), {}),
    ("heat_maps", "hand-21", {"heatmap": (1, 21, 64, 64)}, (256, 256), {}),
    ("heat_maps", "coco-17", {"heatmaps": (0, 17, 0, 0)}, (0, 0), {}),
    ("heat_maps", "face-98", {"output": (1, 98, 64, 64)}, (256, 256), {}),
    ("heat_maps", "wholebody-133", {"output": (1, 133, 96, 72)}, (288, 384), {}),
    ("heat_maps", "body-14", {"output": (1, 14, 48, 48)}, (192, 192), {}),
    ("mobile_pose", "body-14", {"hourglass_out_3": (1, 48, 48, 14)}, (192, 192), {}),
    ("vitpose", "vitpose-25", {"output_0": (0, 25, 64, 48)}, (192, 256), ATTENTION),
    ("vitpose", "coco-17", {"heatmaps": (1, 17, 64, 48)}, (192, 256), ATTENTION),
    ("hourglass", "mpii-16", {"output": (1, 8, 16, 64, 64)}, (256, 256), {}),
    ("hourglass", "mpii-16", {f"hm{i}": (1, 16, 64, 64) for i in range(4)}, (256, 256), {}),
    ("cpm", "body-14", {"heatmaps": (1, 15, 46, 46)}, (368, 368), {}),
    ("cpm", "openpose-18", {"stage6_heatmap": (1, 19, 46, 46)}, (368, 368), {}),
    ("simcc", "coco-17", {"simcc_x": (1, 17, 384), "simcc_y": (1, 17, 512)}, (192, 256), {}),
    ("simcc", "halpe-26", {"a": (1, 26, 576), "b": (1, 26, 768)}, (288, 384), {}),
    ("simcc", "", {"simcc_x": (0, 0, 384), "simcc_y": (0, 0, 512)}, (192, 256), {}),
    ("simcc", "wholebody-133", {"simcc_x": (0, 133, 384), "simcc_y": (0, 133, 512)}, (0, 0), {}),
    ("yolo_pose", "coco-17", {"output0": (1, 56, 8400)}, (640, 640), {}),
    ("yolo_pose", "coco-17", {"output0": (1, 56, 0)}, (0, 0), POSE),
    ("yolo_pose", "coco-17", {"output0": (1, 300, 57)}, (640, 640), POSE),
    ("yolo_pose", "coco-17", {"output0": (1, 300, 57)}, (640, 640), {}),
    ("yolo_pose", "coco-17", {"output0": (1, 0, 57)}, (640, 640), POSE),
    ("yolo_pose", "coco-17", {"output": (1, 57120, 57)}, (960, 960), {}),
    (
        *("yolo_pose", "hand-21", {"output0": (1, 68, 8400)}, (640, 640)),
        {"metadata": {"task": "pose", "kpt_shape": "[21, 3]", "names": "{0: 'hand'}"}},
    ),
    (
        *("yolo_pose", "", {"output0": (1, 14, 8400)}, (640, 640)),
        {"metadata": {"task": "pose", "kpt_shape": "[4, 2]", "names": "{0: 'a', 1: 'b'}"}},
    ),
    ("rtmo", "coco-17", {"dets": (1, 0, 5), "keypoints": (1, 0, 17, 3)}, (640, 640), {}),
    (
        *("posenet", "coco-17"),
        {"displacement_bwd": (1, 0, 0, 32), "displacement_fwd": (1, 0, 0, 32), "heatmaps": (1, 0, 0, 17)}
        | {"long_offsets": (1, 0, 0, 34), "short_offsets": (1, 0, 0, 34), "segments": (1, 0, 0, 1)},
        *((0, 0), {}),
    ),
    (
        *("posenet", "coco-17"),
        {"a": (1, 9, 9, 17), "b": (1, 9, 9, 34), "c": (1, 9, 9, 32), "d": (1, 9, 9, 32)},
        *((257, 257), {}),
    ),
    ("movenet", "coco-17", {"output_0": (1, 1, 17, 3)}, (192, 192), {}),
    ("movenet", "coco-17", {"output_0": (1, 6, 56)}, (256, 256), {}),
    ("landmarks", "hand-21", {"xyz": (1, 63), "flag": (1, 1), "right": (1, 1)}, (224, 224), {}),
    (
        *("landmarks", "body-33"),
        {
            "ld_3d": (1, 195),
            "flag": (1, 1),
            "mask": (1, 256, 256, 1),
            "output_heatmap": (1, 64, 64, 39),
            "w": (1, 117),
        },
        *((256, 256), {}),
    ),
    ("landmarks", "face-468", {"conv": (1, 1, 1, 1404), "flag": (1, 1, 1, 1)}, (192, 192), {}),
    ("landmarks", "face-478", {"conv": (1, 1, 1, 1434), "flag": (1, 1, 1, 1)}, (256, 256), {}),
    ("landmarks", "iris-76", {"eye": (1, 213), "iris": (1, 15)}, (64, 64), {}),
    ("landmarks", "face-98", {"output": (1, 196)}, (112, 112), {}),
    ("landmarks", "face-68", {"output": (1, 136)}, (112, 112), {}),
    ("landmarks", "face-106-insightface", {"fc1": (1, 212)}, (192, 192), {}),
    ("landmarks", "face-68", {"landmarks": (1, 68, 2)}, (128, 128), {}),
]


@pytest.mark.parametrize(("decoder", "skeleton", "outputs", "size", "extra"), CASES)
def test_networks_of_key_points(decoder, skeleton, outputs, size, extra):
    known = facts(outputs, size, **extra)
    found = recognize_facts(known)
    assert found is not None and found.task.id == "key_points"
    assert find_decoder(known)[0].id == decoder
    if any(0 in shape[1:] for shape in outputs.values()):
        filled = {name: (1, *(length or 100 for length in shape[1:])) for name, shape in outputs.items()}
        size = size if all(size) else (480, 480)
        known = facts(filled, size, **extra)
    reader = decoder_named(decoder).reader(NetworkView(known, size))
    assert reader.skeleton.id == skeleton
    assert set(reader.outputs()) <= set(outputs)
    assert capacity(reader) >= 1


def test_every_decoder_has_a_case():
    assert {case[0] for case in CASES} == {decoder.id for decoder in all_decoders()}


OTHERS = [
    ({"y": (1, 21, 513, 513)}, (513, 513), {}),
    ({"y": (1, 21, 65, 65)}, (520, 520), {}),
    ({"logits": (1, 19, 128, 128)}, (512, 512), {}),  # SegFormer on Cityscapes
    ({"logits": (1, 150, 128, 128)}, (512, 512), {}),
    ({"y": (1, 17, 256, 256)}, (256, 256), {}),
    ({"y": (1, 16, 64, 64)}, (256, 256), {"last_operator": "Softmax"}),
    ({"y": (1, 3, 64, 64)}, (256, 256), {}),
    ({"transpose:0": (1, 21, 64, 64)}, (256, 256), {}),
    ({"output0": (1, 84, 8400)}, (640, 640), {}),
    ({"output0": (1, 84, 8400)}, (640, 640), {"metadata": {"task": "detect"}}),
    ({"output0": (1, 56, 8400)}, (640, 640), {"metadata": {"names": str(dict.fromkeys(range(52), "a"))}}),
    ({"output0": (1, 116, 8400), "output1": (1, 32, 160, 160)}, (640, 640), {}),
    ({"output0": (1, 300, 6)}, (640, 640), {}),
    ({"y": (1, 196)}, (224, 224), {"classes": 196}),  # makes of cars
    ({"y": (1, 136)}, (224, 224), {"classes": 136}),
    ({"y": (1, 63)}, (224, 224), {"classes": 63}),
    ({"y": (1, 1000)}, (224, 224), {"classes": 1000}),
    ({"boxes": (1, 100, 4), "logits": (1, 100, 92)}, (640, 640), {}),
    ({"dets": (1, 100, 5), "labels": (1, 100)}, (640, 640), {}),
    ({"y": (1, 198, 28, 28)}, (224, 224), {}),
    ({"output": (0, 2, 56, 56), "maxpool": (0, 2, 56, 56)}, (224, 224), {}),
    ({"regressors": (1, 896, 18), "classificators": (1, 896, 1)}, (128, 128), {}),
    ({"y": (1, 9, 9, 17), "z": (1, 9, 9, 34)}, (257, 257), {}),
    # Detectors of faces with their landmarks.
    ({"boxes": (1, 4420, 4), "scores": (1, 4420, 2), "landmarks": (1, 4420, 10)}, (320, 240), {}),
    # OpenPose's part affinity fields, which join the points of many persons.
    ({"heatmaps": (1, 19, 32, 57), "pafs": (1, 38, 32, 57)}, (456, 256), {}),
    ({"net_output_pose": (1, 57, 46, 46)}, (368, 368), {}),
]


@pytest.mark.parametrize(("outputs", "size", "extra"), OTHERS)
def test_networks_of_something_else(outputs, size, extra):
    assert find_decoder(facts(outputs, size, **extra)) is None


@pytest.mark.parametrize(
    ("path", "decoder"),
    [
        ("keypoints/keijiro_bodypix_x050_s16", "posenet"),
        ("landmark/mp_hand_landmark_lite", "landmarks"),
        ("keypoints/keijiro_palm_detection", None),
        ("keypoints/ikep_pose_detection", None),
        ("keypoints/openseeface_lm_model0", None),
        ("keypoints/openseeface_mnv3_detection", None),
    ],
)
def test_real_networks(shared, path, decoder):
    found = find_decoder(ModelFile.open(shared / "models" / f"{path}.onnx").facts)
    assert (found and found[0].id) == decoder


def test_no_other_network_of_the_shared_ones_gives_key_points(shared):
    claimed = set()
    for path in sorted((shared / "models").glob("*/*.onnx")):
        elsewhere = path.parent.name not in ("keypoints", "landmark", "unsupported")
        if elsewhere and path.stat().st_size < 30e6 and find_decoder(ModelFile.open(path).facts) is not None:
            claimed.add(path.name)
    assert not claimed


def test_skeletons_fit_their_points():
    assert len({skeleton.id for skeleton in SKELETONS}) == len(SKELETONS)
    for skeleton in SKELETONS:
        assert all(0 <= i < skeleton.count for edge in skeleton.edges for i in edge), skeleton.id
        assert all(a != b for a, b in skeleton.edges)
        assert len(skeleton.names) in (0, skeleton.count)
        assert len({frozenset(edge) for edge in skeleton.edges}) == len(skeleton.edges), skeleton.id
        assert len(set(skeleton.names)) == len(skeleton.names)
    # COCO's own list of lines, which begin with 1.
    coco = [
        [16, 14],
        [14, 12],
        [17, 15],
        [15, 13],
        [12, 13],
        [6, 12],
        [7, 13],
        [6, 7],
        [6, 8],
        [7, 9],
        [8, 10],
    ]
    coco += [[9, 11], [2, 3], [1, 2], [1, 3], [2, 4], [3, 5], [4, 6], [5, 7]]
    assert {frozenset(e) for e in COCO_17.edges} == {frozenset((a - 1, b - 1)) for a, b in coco}
    # Each finger of a hand is a line from the wrist.
    for finger in range(5):
        line = [0, *range(4 * finger + 1, 4 * finger + 5)]
        assert all(pair in HAND_21.edges for pair in itertools.pairwise(line))


def test_as_many_things_as_fit_come_back():
    assert entry_type(FACE_478.count, has_confidences=False).itemsize + 16 <= 3456
    size = entry_type(COCO_17.count, has_confidences=True).itemsize
    assert size == 4 * (4 + 17 + 17) and (3456 - 16) // size == 22


def test_positions_that_are_none():
    given = np.array([[0.25, 0.5], [np.nan, 0.5], [0.5, np.inf], [-3.0, 0.5], [9.0, 9.0], [9.0, 0.5]])
    placed, known = as_shares(given)
    assert known.tolist() == [True, False, False, True, False, True]
    assert placed.tolist() == [[0.25, 0.5], [0, 0], [0, 0], [-0.5, 0.5], [0, 0], [1.5, 0.5]]


@pytest.mark.parametrize(
    ("cells", "pixels", "stride"),
    [(33, 513, 16), (17, 257, 16), (9, 257, 32), (65, 513, 8), (41, 641, 16), (15, 225, 16), (14, 224, 16)],
)
def test_pixels_from_cell_to_cell(cells, pixels, stride):
    assert cell_size(cells, pixels) == stride


def test_points_that_are_not_seen_keep_their_place():
    points = Points(
        "a", 0, ((0.1, 0.2), (0.9, 0.9), (0.3, 0.1)), ((0, 1), (0, 2)), confidences=(0.5, 0.0, 1.0)
    )
    assert points.visible_points() == ((0.1, 0.2), (0.3, 0.1)) and not points.is_visible(1)
    assert bounds(points) == (0.1, 0.1, 0.3, 0.2)
    moved = points.moved(lambda x, y: (10 * x, 10 * y))
    assert len(moved.points) == 3 and moved.confidences == points.confidences
    assert bounds(Points("a", 0, ((0.1, 0.2),), confidences=(0.0,))) is None


def test_formats_of_results_know_which_points_are_not_seen():
    box = Box("person", 0, 0.1, 0.1, 0.5, 0.9, score=0.75, identity=7, thing=0)
    shape = Points(
        *("", 0, ((0.2, 0.2), (0.3, 0.3), (0.4, 0.8)), ((0, 1), (1, 2))),
        **{"identity": 7, "thing": 0, "confidences": (0.9, 0.0, 0.4)},
    )
    record = PictureRecord("in", "in.jpg", 1, 0.0, (200, 100), (box, shape), still=True)
    [thing] = detections_of(record)
    assert (thing.label, thing.score, thing.identity, thing.edges) == ("person", 0.75, 7, shape.edges)
    assert list(thing.confident_points()) == [(40.0, 20.0), None, (80.0, 80.0)]
    # The name stands once beside the thing, not beside its points again.
    assert caption(box) == "#7 person 75 %" and caption(shape) == ""
