"""Boxes of persons that networks find before a training: fusion, crowds, packs; hand-made networks in place of the real ones."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import onnx
import onnxruntime
import pytest
from onnx import TensorProto, helper, numpy_helper

torch = pytest.importorskip("torch")

from desktop.base.errors import ModelUnsupportedError  # noqa: E402
from training.common import data  # noqa: E402
from training.common.people import CROWD, GRAY, PERSON, TRUE_MASK, read_people  # noqa: E402
from training.detector import prelabel  # noqa: E402
from training.detector.boxes import NOTHING, Found  # noqa: E402
from training.detector.fusion import fused, mirrored  # noqa: E402
from training.detector.teacher import GRIDS, MAPS, NanoDet  # noqa: E402

pytestmark = [pytest.mark.long, pytest.mark.usefixtures("one_thread")]
CPU = torch.device("cpu")


def one(*box: float, score: float) -> Found:
    """A look that finds one box."""
    return Found(np.array([box]), np.array([score]))


def test_boxes_of_one_person_become_their_mean_by_score() -> None:
    found = fused([one(10, 10, 50, 90, score=0.6), one(13, 10, 53, 96, score=0.3)])
    np.testing.assert_allclose(found.boxes, [[11, 10, 51, 92]])
    np.testing.assert_allclose(found.scores, [0.45])


def test_a_look_that_has_not_seen_a_person_counts_as_zero() -> None:
    both = Found(np.array([[10.0, 10, 50, 90], [60, 10, 100, 90]]), np.array([0.6, 0.8]))
    found = fused([both, one(10, 10, 50, 90, score=0.6), NOTHING])
    np.testing.assert_allclose(found.scores, [0.4, 0.8 / 3])
    assert len(fused([NOTHING, NOTHING]).boxes) == 0


def test_a_look_that_finds_a_person_twice_counts_with_the_better_score() -> None:
    twice = Found(np.array([[10.0, 10, 50, 90], [12, 10, 52, 90]]), np.array([0.6, 0.2]))
    found = fused([twice, one(10, 10, 50, 90, score=0.6)])
    np.testing.assert_allclose(found.scores, [0.6])
    np.testing.assert_allclose(found.boxes[0, 0], 10 + 2 * 0.2 / 1.4)


def bright(x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """A network that finds what is brighter than gray, with the red there as its score."""
    boxes, scores = [], []
    for picture in x:
        rows, columns = torch.nonzero(picture[0] > 0.6, as_tuple=True)
        box = (columns.min(), rows.min(), columns.max() + 1, rows.max() + 1)
        boxes.append(torch.tensor([[float(v) for v in box]]))
        scores.append(picture[0].max()[None])
    return torch.stack(scores), torch.stack(boxes)


def test_all_looks_come_back_to_the_picture() -> None:
    np.testing.assert_allclose(mirrored(one(10, 20, 30, 60, score=1), 100).boxes, [[70, 20, 90, 60]])
    x = torch.full((2, 3, 128, 128), GRAY)
    x[0, :, 16:96, 8:40], x[1, :, 32:64, 96:120] = 0.8, 1.0
    looks = [prelabel.Look(bright, 128), prelabel.Look(bright, 256), prelabel.Look(bright, 64)]
    found = prelabel.seen(looks, x)
    for each, box, score in zip(found, ((8, 16, 40, 96), (96, 32, 120, 64)), (0.8, 1.0), strict=True):
        np.testing.assert_allclose(each.boxes, [box], atol=1)
        np.testing.assert_allclose(each.scores, [score], atol=0.02)


def test_scores_decide_on_a_person_a_crowd_or_nothing() -> None:
    boxes = np.array([[10.0 * n, 0, 10 * n + 9, 20] for n in range(4)] + [[-9, 0, 1, 20]])
    found = Found(boxes, np.array([0.4, 0.39, 0.12, 0.11, 0.9]))
    rows = prelabel.completed(found, None, 200, 100)
    np.testing.assert_allclose(rows[:, 4], [PERSON, CROWD, CROWD])
    np.testing.assert_allclose(rows[:, :4], boxes[:3])
    known = prelabel.completed(Found(boxes, np.array([0.35, 0.34, 0.9, 0.9, 0.9])), rows[2:], 25, 100)
    np.testing.assert_allclose(known, [rows[2], [*boxes[0], CROWD]])  # the rest: doubted, covered, outside


def test_a_box_that_an_annotated_one_covers_in_part_is_of_its_person() -> None:
    person = np.array([[0.0, 0, 40, 100, PERSON]])
    boxes = np.array([[10.0, 0, 30, 30], [32, 0, 52, 50], [31, 0, 51, 50]])
    rows = prelabel.completed(Found(boxes, np.full(3, 0.9)), person, 200, 200)
    np.testing.assert_allclose(rows, [person[0], [*boxes[1], CROWD]])
    assert len(prelabel.completed(NOTHING, person, 200, 200)) == 1
    assert prelabel.completed(NOTHING, None, 200, 200).shape == (0, 5)


def scene(left: int, width: int = 120) -> np.ndarray:
    return cv2.rectangle(np.full((100, width, 3), 40, np.uint8), (left, 20), (left + 29, 79), (240,) * 3, -1)


def packed(path: Path, names: list[str], more: dict[str, np.ndarray] | None = None) -> None:
    """A pack in which the last picture is held back, a bright rectangle in each."""
    last = len(names) - 1
    pictures = [data.Picture(name, scene(10 * n), int(n == last)) for n, name in enumerate(names)]
    data.write_pack(path, iter(pictures), 95, more)


def test_a_pack_keeps_its_boxes_and_gets_crowds_where_nothing_covers(tmp_path: Path) -> None:
    names = ["voc_1", "voc_2", "coco_3", "web_4", "voc_5"]
    boxes = [[0, 0, 20, 30, 80, PERSON], [1, 90, 20, 119, 80, PERSON], [2, 90, 0, 99, 9, PERSON]]
    more = {
        "boxes": np.array([*boxes, [4, 1, 2, 3, 40, CROWD]], np.float32),
        "known": np.array([1, 1, 1, 0, 1], np.uint8),
        "mask_data": np.ones(7, np.uint8),
        "mask_ends": np.full(5, 7),
        "mask_kind": np.full(5, TRUE_MASK, np.uint8),
    }
    packed(tmp_path / "a.npz", names, more)
    made = prelabel.labeled(tmp_path / "a.npz", [prelabel.Look(bright, 128)], CPU, frozenset())
    by_picture = [made["boxes"][made["boxes"][:, 0] == n] for n in range(5)]
    for n, rows in enumerate(by_picture):
        truth = more["boxes"][more["boxes"][:, 0] == n]
        np.testing.assert_array_equal(rows[: len(truth)], truth)
    assert [list(rows[:, 5]) for rows in by_picture] == [
        [PERSON],
        [PERSON, CROWD],
        [PERSON],
        [PERSON],
        [CROWD],
    ]
    np.testing.assert_allclose(by_picture[1][1, 1:5], [10, 20, 40, 80], atol=2)
    np.testing.assert_allclose(by_picture[3][0, 1:5], [30, 20, 60, 80], atol=2)
    assert list(made["known"]) == [1] * 5
    for name in ("data", "ends", "names", "part", "mask_data", "mask_ends", "mask_kind"):
        np.testing.assert_array_equal(made[name], np.load(tmp_path / "a.npz")[name])


def test_pictures_lie_on_gray_squares() -> None:
    pictures = data.Pictures.stacked([scene(0), scene(0, 80)], ["a", "b"], CPU)
    x = prelabel.canvases(pictures, torch.tensor([1, 0]))
    assert x.shape == (2, 3, 128, 128)
    assert x[0, :, 50, 79].max() < 0.2 and x[1, :, 50, 119].max() < 0.2
    assert torch.all(x[0, :, :, 80:] == GRAY) and torch.all(x[1, :, 100:] == GRAY)


def persons_file(path: Path) -> Path:
    """A network of one convolution a value, with YOLOX-nano's names."""
    rng = np.random.default_rng(0)
    outputs = [(name, 85, 8 << n) for n, name in enumerate(GRIDS)]
    outputs += [(name, channels, 8 << n) for n, (name, channels) in enumerate(MAPS.items())]
    nodes, constants = [], []
    for name, channels, stride in outputs:
        weight = rng.normal(size=(channels, 3, stride, stride)).astype(np.float32) / 255 / stride
        constants.append(numpy_helper.from_array(weight, f"w{name}"))
        nodes.append(helper.make_node("Conv", ["images", f"w{name}"], [f"c{name}"], strides=[stride] * 2))
        nodes.append(helper.make_node("Sigmoid", [f"c{name}"], [name]))
    ends = [
        helper.make_tensor_value_info(name, TensorProto.FLOAT, [1, "c", "h", "w"]) for name, *_ in outputs
    ]
    image = helper.make_tensor_value_info("images", TensorProto.FLOAT, [1, 3, "h", "w"])
    return saved(path, helper.make_graph(nodes, "persons", [image], ends, constants))


def nanodet_file(path: Path, side: int = 64, height: int | None = None, columns: int = 112) -> Path:
    """A network of one convolution a grid, with the output of NanoDet-Plus's export."""
    rng = np.random.default_rng(1)
    nodes, constants = [], [numpy_helper.from_array(np.array([1, columns, -1]), "flat")]
    for stride in (8, 16, 32, 64):
        weight = rng.normal(size=(columns, 3, stride, stride)).astype(np.float32) / stride
        constants.append(numpy_helper.from_array(weight, f"w{stride}"))
        name = str(stride)
        nodes += [
            helper.make_node("Conv", ["data", "w" + name], ["c" + name], strides=[stride] * 2),
            helper.make_node("LeakyRelu", ["c" + name], ["l" + name], alpha=0.1),
            helper.make_node(
                "Split", ["l" + name], ["s" + name, "d" + name], axis=1, split=[80, columns - 80]
            ),
            helper.make_node("Sigmoid", ["s" + name], ["p" + name]),
            helper.make_node("Concat", ["p" + name, "d" + name], ["j" + name], axis=1),
            helper.make_node("Reshape", ["j" + name, "flat"], ["f" + name]),
        ]
    nodes.append(helper.make_node("Concat", ["f8", "f16", "f32", "f64"], ["all"], axis=2))
    nodes.append(helper.make_node("Transpose", ["all"], ["output"], perm=[0, 2, 1]))
    image = helper.make_tensor_value_info("data", TensorProto.FLOAT, [1, 3, height or side, side])
    output = helper.make_tensor_value_info("output", TensorProto.FLOAT, [1, "cells", columns])
    return saved(path, helper.make_graph(nodes, "nanodet", [image], [output], constants))


def saved(path: Path, graph: onnx.GraphProto) -> Path:
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 11)], ir_version=8), path)
    return path


def test_nanodet_s_distances_are_from_the_corner_of_a_cell(tmp_path: Path) -> None:
    path = nanodet_file(tmp_path / "n.onnx", side=128)
    x = torch.rand(2, 3, 128, 128)
    with torch.no_grad():
        scores, boxes = NanoDet(path, torch.float32)(x)
    assert scores.shape == (2, 256 + 64 + 16 + 4) and boxes.shape == (*scores.shape, 4)
    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    given = (255 * x[1].numpy()[::-1].transpose(1, 2, 0) - (103.53, 116.28, 123.675)) / (
        57.375,
        57.12,
        58.395,
    )
    (table,) = session.run(None, {"data": given.transpose(2, 0, 1)[None].astype(np.float32)})
    cell, x0, y0, stride = 256 + 8 * 3 + 5, 5 * 16, 3 * 16, 16  # of the second grid: row 3, column 5
    shares = np.exp(table[0, cell, 80:].reshape(4, 8))
    left, top, right, bottom = (shares @ np.arange(8) / shares.sum(1)) * stride
    np.testing.assert_allclose(boxes[1, cell], [x0 - left, y0 - top, x0 + right, y0 + bottom], rtol=1e-4)
    np.testing.assert_allclose(scores[1], table[0, :, 0], atol=1e-5)


def test_another_network_is_refused_in_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(ModelUnsupportedError, match=r"n\.onnx is no square NanoDet-Plus"):
        NanoDet(nanodet_file(tmp_path / "n.onnx", height=128), torch.float32)
    face = NanoDet(nanodet_file(tmp_path / "n.onnx", columns=113), torch.float32)
    with pytest.raises(ModelUnsupportedError, match="with one output"):
        face(torch.zeros(1, 3, 64, 64))


def test_the_command_writes_packs_without_annotations_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(prelabel, "_YOLOX_SIDES", (64, 96))
    packed(tmp_path / "a.npz", ["web_1", "web_2", "web_3"])
    (tmp_path / "names.txt").write_text("web_2\nweb_9\n")
    networks = [
        "--persons",
        str(persons_file(tmp_path / "p.onnx")),
        "--nanodet",
        str(nanodet_file(tmp_path / "n.onnx")),
    ]
    command = [str(tmp_path / "a.npz"), *networks, "--leave-out", str(tmp_path / "names.txt"), "--out"]
    assert prelabel.main([*command, str(tmp_path / "out")]) == 0
    assert "3 pictures" in capsys.readouterr().out
    made = np.load(tmp_path / "out/a.npz")
    assert list(made["part"]) == [data.TRAIN, data.LEFT_OUT, data.HELD] and list(made["known"]) == [1, 1, 0]
    people = read_people([tmp_path / "out/a.npz"], data.TRAIN, CPU, masks=True)
    assert people.pictures.names == ["web_1"] and bool(people.known.all()) and not people.mask_kind.any()
    assert prelabel.main([*command, str(tmp_path)]) == 1
    assert "replace themselves" in capsys.readouterr().err
    assert prelabel.main([str(tmp_path / "b/a.npz"), *command, str(tmp_path / "out")]) == 1
    assert "replace each other" in capsys.readouterr().err
    (tmp_path / "names.txt").unlink()
    assert prelabel.main([*command, str(tmp_path / "out")]) == 1
    assert "names.txt" in capsys.readouterr().err
