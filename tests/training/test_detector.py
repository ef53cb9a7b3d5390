"""The detector's training: figures, losses, teachers, warm start, export."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

torch = pytest.importorskip("torch")

from desktop.base.errors import SourceDamagedError  # noqa: E402
from desktop.vision.models.builtin import read_builtin  # noqa: E402
from desktop.vision.tasks.detection.boxes import grid_boxes  # noqa: E402
from training import pack  # noqa: E402
from training.classifier import export as classifier_export  # noqa: E402
from training.classifier.model import TINY, Classifier, multiply_adds  # noqa: E402
from training.classifier.weights import begin  # noqa: E402
from training.common import bootstrap, checkpoint, data, people  # noqa: E402
from training.detector import assignment, boxes, evaluate, export, judge, train, truth, weights  # noqa: E402
from training.detector.model import COLUMNS, HEIGHT, WIDTH, Detector, tiny  # noqa: E402
from training.detector.teacher import FACES, GRIDS, MAPS, PERSONS, Faces, Persons, Teachers  # noqa: E402

pytestmark = [pytest.mark.long, pytest.mark.usefixtures("one_thread")]


def scene(seed: int) -> np.ndarray:
    picture = np.full((120, 160, 3), 40, np.uint8)
    cv2.rectangle(picture, (30 + 6 * seed, 20), (70 + 6 * seed, 110), (200, 220, 90), -1)
    return picture


def strided(path: Path, input_name: str, outputs: dict[str, tuple[int, int]]) -> Path:
    """A network of one convolution an output: {name: (channels, stride)}."""
    rng = np.random.default_rng(0)
    nodes, constants, infos = [], [], []
    for name, (channels, stride) in outputs.items():
        weight = (rng.normal(size=(channels, 3, stride, stride)) / 255 / stride).astype(np.float32)
        constants.append(numpy_helper.from_array(weight, f"w{name}"))
        nodes.append(
            helper.make_node("Conv", [input_name, f"w{name}"], [f"raw{name}"], strides=[stride, stride])
        )
        nodes.append(helper.make_node("Sigmoid", [f"raw{name}"], [name]))
        infos.append(helper.make_tensor_value_info(name, TensorProto.FLOAT, [1, channels, "down", "across"]))
    image = helper.make_tensor_value_info(input_name, TensorProto.FLOAT, [1, 3, "h", "w"])
    graph = helper.make_graph(nodes, "teacher", [image], infos, constants)
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8), path)
    return path


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    """Options that name two packs and two small teachers with the real ones' outputs."""
    strides = (8, 16, 32)
    persons = {name: (85, s) for name, s in zip(GRIDS, strides, strict=True)}
    persons |= {name: (channels, s) for (name, channels), s in zip(MAPS.items(), strides, strict=True)}
    faces = {}
    for names, s in zip(
        (("297", "309", "303"), ("299", "311", "305"), ("301", "313", "307")), strides, strict=True
    ):
        faces |= {names[0]: (1, s), names[1]: (1, s), names[2]: (4, s)}
    strided(tmp_path / "p.onnx", "images", persons)
    strided(tmp_path / "f.onnx", "input", faces)
    pictures = [data.Picture(f"people_{n}", scene(n)) for n in range(6)]
    data.write_pack(tmp_path / "pictures.npz", iter(pictures), 90)
    held = [
        truth.Judged(f"people_{n}", scene(n), {"person": np.array([[30.0, 20, 70, 110]])}) for n in range(3)
    ]
    shown = (data.Picture(item.name, item.pixels, data.HELD) for item in held)
    data.write_pack(tmp_path / "held.npz", shown, 90, truth.table(held))
    return [
        *("--pictures", str(tmp_path / "pictures.npz"), "--data", str(tmp_path / "held.npz")),
        *("--teacher", str(tmp_path / "p.onnx"), "--faces", str(tmp_path / "f.onnx")),
    ]


def test_one_command_trains_and_exports(files: list[str], tmp_path: Path) -> None:
    out, models = tmp_path / "d.ckpt", tmp_path / "models"
    models.mkdir()
    assert train.main(["--tiny", *files, "--out", str(out)]) == 0
    entry = json.loads(out.with_suffix(".json").read_text())[-1]
    assert all(math.isfinite(entry[name]) for name in ("loss", "person_score", "face_box", "maps"))
    assert 0 <= entry["person_true"] <= 1
    rest = ["--tiny", "--data", files[3], "--out", str(models), "--size", "128", "96"]
    assert export.main([str(out), *rest]) == 0
    network = read_builtin(models / "detector.toml")
    assert (network.task, network.statement.preprocess["resize"]) == ("detection", "letterbox")
    run, size = evaluate.exported(models / "detector.onnx", "face")
    raw, scores = run(np.full((96, 128, 3), 90, np.uint8))
    assert size == (128, 96) and raw.shape == (4, 12 * 16 + 6 * 8 + 3 * 4)
    student = train.student_run(export.averaged(out, True), "face", torch.device("cpu"))
    wanted, sure = student(np.full((96, 128, 3), 90, np.uint8))
    np.testing.assert_allclose(raw, wanted, atol=0.01)
    np.testing.assert_allclose(scores, sure, atol=0.002)


def test_true_boxes_are_learned_from_overlaid_views(files: list[str], tmp_path: Path) -> None:
    out, annotated = tmp_path / "d.ckpt", tmp_path / "annotated.npz"
    pictures = [data.Picture(f"coco_{n}", scene(n)) for n in range(8)]
    corners = [[n, 30 + 6 * n, 20, 70 + 6 * n, 110, people.PERSON] for n in range(8)]
    known = {
        "boxes": np.array(corners, np.float32),
        "known": np.ones(8, np.uint8),
        "mask_kind": np.zeros(8, np.uint8),
    }
    data.write_pack(annotated, iter(pictures), 90, known)
    files[files.index("--pictures") + 1] = str(annotated)
    losses = set()
    for share in ("0", "0.5"):
        assert train.main(["--tiny", *files, "--overlay", share, "--doubt", "1", "--out", str(out)]) == 0
        entry = json.loads(out.with_suffix(".json").read_text())[-1]
        assert all(math.isfinite(entry[name]) for name in ("loss", "person_score", "maps"))
        assert entry["true_score"] > 0 and entry["true_box"] > 0
        losses.add(entry["loss"])
    assert len(losses) == 2


def test_the_design_keeps_its_promises(tmp_path: Path) -> None:
    student = Detector().eval()
    assert multiply_adds(student, (1, 3, 288, 384)) < 600e6  # YOLOX-nano at 416 x 416: 525e6
    assert multiply_adds(student, (1, 3, HEIGHT, WIDTH)) < 720e6
    export.write(student, tmp_path / "d.onnx")
    assert (tmp_path / "d.onnx").stat().st_size < 4e6
    nodes = onnx.load(str(tmp_path / "d.onnx")).graph.node
    assert (
        sum(node.op_type in ("Conv", "Resize") for node in nodes) == 45
    )  # sums and activations cost no dispatch


def test_boxes_are_the_decoders() -> None:
    rng = np.random.default_rng(0)
    raw = rng.normal(size=(4, 20 * 12 + 10 * 6 + 5 * 3))
    wanted = grid_boxes(np.arange(raw.shape[1]), raw.T, (160, 96))
    np.testing.assert_allclose(boxes.decoded(raw, 160, 96), wanted, rtol=1e-9)


def test_suppression_is_opencvs() -> None:
    rng = np.random.default_rng(1)
    corner = rng.uniform(0, 100, (80, 2))
    corners = np.concatenate([corner, corner + rng.uniform(10, 60, (80, 2))], 1)
    scores = rng.uniform(size=80)
    sides = np.concatenate([corners[:, :2], corners[:, 2:] - corners[:, :2]], 1)
    kept = np.array(cv2.dnn.NMSBoxes(sides.tolist(), scores.tolist(), 0.2, 0.5)).ravel()
    np.testing.assert_allclose(boxes.suppressed(corners, scores, 0.2).boxes, corners[kept])


def test_average_precision_by_hand() -> None:
    one, two = np.array([[0.0, 0, 10, 10]]), np.array([[20.0, 0, 30, 10]])
    truths = [np.concatenate([one, two]), one]
    found = [
        boxes.Found(np.concatenate([one, two + 100, one]), np.array([0.9, 0.8, 0.7])),
        boxes.Found(one + 1, np.array([0.6])),
    ]
    # Right, wrong, a second box of the same thing, right (IoU 81 / 119): precision 1 to a recall of 1/3, 2/4
    # to 2/3, then nothing.
    assert boxes.average_precision(found, truths) == pytest.approx(1 / 3 + 1 / 2 * 1 / 3)
    assert boxes.average_precision([boxes.NOTHING] * 2, truths) == 0


def test_generalized_iou_by_hand() -> None:
    a = torch.tensor([0.5, 0.5, 0.0, 0.0]).reshape(4, 1)  # 1 x 1 about (0.5, 0.5)
    b = torch.tensor([2.5, 0.5, 0.0, 0.0]).reshape(4, 1)
    assert float(train.generalized_iou(a, a)) == pytest.approx(1, abs=1e-5)
    assert float(train.generalized_iou(a, b)) == pytest.approx(-1 / 3, abs=1e-5)  # a gap of 1 in 3
    wide = torch.tensor([0.5, 0.5, math.log(2), 0.0]).reshape(4, 1)
    assert float(train.generalized_iou(a, wide)) == pytest.approx(0.5, abs=1e-5)


def test_losses_are_least_for_the_teachers_own_answer() -> None:
    generator = torch.Generator().manual_seed(0)
    logits = 3 * torch.randn(2, 2, 60, generator=generator)
    raw = torch.randn(2, 2, 4, 60, generator=generator)
    right = train.losses(logits, raw, logits.sigmoid(), raw)
    wrong = train.losses(-logits, raw + 1, logits.sigmoid(), raw)
    assert float(right["loss"]) == pytest.approx(0, abs=1e-4)
    assert all(float(wrong[name]) > 0.1 for name in right)


def crowd() -> people.People:
    """One gray picture of 60 x 80 pixels with a person at its left and a crowd at its right."""
    pictures = data.Pictures.stacked([np.full((60, 80, 3), 200, np.uint8)], ["people_a"], torch.device("cpu"))
    corners = torch.tensor([[[8.0, 12, 24, 48], [56, 0, 80, 60]]])
    flags = torch.tensor([[people.PERSON, people.CROWD]], dtype=torch.uint8)
    nothing = torch.zeros(1, 1, 1, dtype=torch.uint8)
    return people.People(pictures, corners, flags, torch.tensor([True]), nothing, nothing[0, 0])


def test_views_have_bands_and_mosaics() -> None:
    generator = torch.Generator().manual_seed(0)
    views = train.drawn_views(crowd(), torch.tensor([0]), 8, 64, 0.5, generator)
    assert views.pixels.shape == (8, 3, 64, 64) and views.known.all()
    shades = torch.tensor([200 / 255, people.GRAY])
    near = (views.pixels[..., None] - shades).abs().amin(-1)
    assert (near < 1e-3).float().mean() > 0.9  # the picture, what is around it, and edges between both
    assert views.boxes.shape == (8, 40, 4) and (views.flags == people.PERSON).any(1).sum() >= 4
    draws = torch.tensor([[0.0, 1.0, 0.9, 0.5], [0.9, 1.0, 0.9, 0.5]])
    banded = train.banded(torch.full((2, 3, 64, 64), 200 / 255), draws)
    gray = (banded[:, 0] - truth.PAD / 255).abs() < 1e-6
    assert gray[0].float().mean() == 0.5 and gray[0, :16].all() and gray[0, -16:].all()
    assert not gray[1].any()


def test_boxes_move_with_their_views() -> None:
    known = crowd()
    shown = torch.tensor([[[-20.0, 0, 20], [0, 20, 30]]])  # mirrored; 40 x 40 pixels about (20, 30)
    corners, flags = people.moved(known.boxes, known.flags, shown, (80, 80))
    torch.testing.assert_close(corners[0, 0], torch.tensor([32.0, 4, 64, 76]))
    assert flags.tolist() == [[people.PERSON, 0]]  # the crowd is outside
    cut = torch.tensor([[[8.0, 0, 30], [0, 20, 30]]])  # shows a ninth of the person
    assert people.moved(known.boxes, known.flags, cut, (80, 80))[1].tolist() == [[people.CROWD, 0]]


def test_boxes_are_what_a_rectangle_of_another_view_leaves_of_them() -> None:
    rng = np.random.default_rng(0)
    count, side = 48, 64
    low = rng.integers(0, 40, (count, 1, 2))
    corners = np.concatenate([low, low + rng.integers(8, 24, (count, 1, 2))], 2)
    pixels = np.zeros((count, 3, side, side), np.float32)
    for number, (left, top, right, bottom) in enumerate(corners[:, 0]):
        pixels[number, :, top:bottom, left:right] = (number + 1) / count
    flags = torch.full((count, 1), people.PERSON, dtype=torch.uint8)
    views = people.Views(
        torch.from_numpy(pixels), torch.from_numpy(corners).float(), flags, torch.arange(count) % 8 > 0
    )
    made = people.overlaid(views, 0.8, torch.Generator().manual_seed(0))
    found = {0: 0, people.PERSON: 0, people.CROWD: 0}
    for number in range(count):
        for place, source in enumerate((number, (number - 1) % count)):
            is_own = np.isclose(made.pixels[number, 0].numpy(), (source + 1) / count, atol=1e-4)
            left, top, right, bottom = corners[source, 0]
            share = is_own.sum() / ((right - left) * (bottom - top))
            flag = int(made.flags[number, place])
            found[flag] += 1
            if not is_own.any():
                assert flag == 0
                continue
            y, x = np.nonzero(is_own)
            wanted = [x.min(), y.min(), x.max() + 1, y.max() + 1]
            sides = min(wanted[2] - wanted[0], wanted[3] - wanted[1])
            if flag:
                assert made.boxes[number, place].tolist() == wanted
                assert (flag == people.PERSON) == (share >= 0.35 and sides >= 3)
            else:
                assert share < 0.03
        mixed = (made.pixels[number] != views.pixels[number]).any()
        assert made.known[number] <= views.known[number]
        assert not mixed or bool(made.known[number]) == bool(
            views.known[number] & views.known[(number - 1) % count]
        )
    assert min(found.values()) > 5


def test_pictures_of_people_are_drawn_more_often() -> None:
    pictures = data.Pictures.stacked(
        [np.zeros((8, 8, 3), np.uint8)] * 3, ["coco_a", "people_b", "natural_c"], torch.device("cpu")
    )
    assert sorted(train.drawn_from(replace(crowd(), pictures=pictures)).tolist()) == [0, 0, 1, 1, 2]


def test_a_box_is_given_to_the_cells_that_fit_it() -> None:
    cells = assignment.cell_places(64, 64, torch.device("cpu"))
    wanted = torch.tensor([[8.0, 12, 24, 48]])
    middle, size = (wanted[:, :2] + wanted[:, 2:]) / 2, wanted[:, 2:] - wanted[:, :2]
    at = torch.stack([cells.x, cells.y])
    raw = torch.cat([middle.T / cells.stride - at, (size.T / cells.stride).log()])[None]
    logits = torch.full((1, len(cells.x)), -2.0)
    views = people.Views(torch.zeros(1, 3, 64, 64), crowd().boxes, crowd().flags, torch.tensor([True]))
    assigned = assignment.assignment(logits, raw, views, cells)
    chosen = assigned.scores[0] > 0
    assert 1 <= int(chosen.sum()) <= 10 and float(assigned.scores.max()) == pytest.approx(1, abs=1e-4)
    x, y = ((at + 0.5) * cells.stride)[:, chosen]
    assert (x > 4).all() and (x < 28).all() and (y > 8).all() and (y < 52).all()
    in_crowd = (cells.x + 0.5) * cells.stride >= 56
    assert (assigned.weights[0, in_crowd] == 0).all() and (assigned.weights[0, ~in_crowd] == 1).all()
    losses = assignment.true_losses(assigned.scores.clamp(1e-4, 1 - 1e-4).logit(), raw, assigned, cells)
    assert float(losses["loss"]) == pytest.approx(0, abs=1e-3)
    assert float(assignment.true_losses(logits, raw + 0.5, assigned, cells)["loss"]) > 0.3
    unknown = assignment.assignment(logits, raw, replace(views, known=torch.tensor([False])), cells)
    assert not unknown.weights.any() and not unknown.scores.any()


def test_a_teacher_is_not_believed_where_nobody_is() -> None:
    cells = assignment.cell_places(64, 64, torch.device("cpu"))
    boxes = torch.zeros(1, 2, 4, len(cells.x))  # each as large as its cell, about its corner
    scores = torch.zeros(1, 2, len(cells.x))
    scores[0, 0, 0] = 0.9
    views = people.Views(torch.zeros(1, 3, 64, 64), crowd().boxes, crowd().flags, torch.tensor([True]))
    weights = assignment.trusted(scores, boxes, views, cells, 0.5)
    x, y = (cells.x + 0.5) * cells.stride, (cells.y + 0.5) * cells.stride
    missed = (x >= 8) & (x <= 24) & (y >= 12) & (y <= 48) | (
        x >= 56
    )  # the person and the crowd of these views
    assert missed[1:].any() and weights[0, 0, 0] == 0 and not weights[0, 0, missed].any()
    assert (weights[0, 0, 1:][~missed[1:]] == 0.5).all() and (weights[0, 1] == 1).all()
    # A person whom it sees is learned, also where that person's middle is not.
    at = int(torch.nonzero((cells.stride == 32) & (cells.x == 0) & (cells.y == 0))[0])
    boxes[0, 0, :, at] = torch.tensor([0.5, 30 / 32, math.log(16 / 32), math.log(36 / 32)])
    scores[0, 0, at] = 0.9
    weights = assignment.trusted(scores, boxes, views, cells, 0.5)[0, 0]
    assert (weights[1:][x[1:] < 56] == 0.5).all() and not weights[x >= 56].any()
    unknown = replace(views, known=torch.tensor([False]))
    assert (assignment.trusted(scores, boxes, unknown, cells, 0.5) == 1).all()


def test_right_false_and_small_persons_are_told_apart() -> None:
    pixels = np.zeros((100, 200, 3), np.uint8)
    persons = np.array([[0.0, 0, 40, 80], [100, 0, 110, 20]])
    known = judge.Known("a", pixels, persons, np.array([[150.0, 0, 200, 100]]))
    corners = np.array(
        [[0.0, 0, 40, 70], [0, 0, 40, 80], [160, 10, 180, 60], [101, 0, 111, 20], [60, 60, 70, 70]]
    )
    found = boxes.Found(corners, np.array([0.9, 0.8, 0.7, 0.6, 0.5]))
    every = judge.matched(found, known, 0.5, small=False)
    assert every.persons == 2
    assert dict(zip(every.scores, every.hits, strict=True)) == {0.9: True, 0.8: False, 0.6: True, 0.5: False}
    small = judge.matched(found, known, 0.5, small=True)
    assert small.persons == 1
    assert dict(zip(small.scores, small.hits, strict=True)) == {0.6: True, 0.5: False}
    assert judge.precision([every], np.array([0])) == pytest.approx(1 / 2 + 1 / 2 * 2 / 3)
    assert judge.precision([small], np.array([0, 0])) == pytest.approx(1)


def test_figures_have_an_interval() -> None:
    values = np.random.default_rng(0).normal(0.5, 0.2, 100)
    found = bootstrap.figure(lambda chosen: float(values[chosen].mean()), 100)
    assert found.value == pytest.approx(values.mean())
    assert found.high - found.low == pytest.approx(2 * 1.96 * values.std() / 10, rel=0.15)


def test_the_detector_is_judged_beside_a_rival(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "people"
    folder.mkdir()
    for n in range(2):
        cv2.imwrite(str(folder / f"p{n}.jpg"), scene(n)[: 80 + 80 * n, : 160 - 60 * n])
    entry = {"part": 1, "known": True, "boxes": [[30, 20, 70, 110, 1]], "mask": None}
    entries = [{**entry, "file": f"p{n}.jpg"} for n in range(2)]
    (folder / "people.json").write_text(json.dumps({"pictures": entries}))
    assert pack.main(["people", "--folder", str(folder), "--out", str(tmp_path)]) == 0
    export.write(tiny().eval(), tmp_path / "d.onnx", 64, 96)
    command = [str(tmp_path / "d.onnx"), "--people", str(tmp_path / "people.npz"), "--empty", str(folder)]
    capsys.readouterr()
    assert judge.main([*command, "--json"]) == 0
    figures = json.loads(capsys.readouterr().out)["detector"]
    assert figures["AP50"]["low"] <= figures["AP50"]["value"] <= figures["AP50"]["high"]
    # The program's path, and what it finds in tiles besides.
    assert judge.main([*command, "--tiles", "2", "--every", "2", "--json"]) == 0
    assert 0 <= json.loads(capsys.readouterr().out)["detector"]["AP50"]["value"] <= 1
    assert judge.main([*command, "--list"]) == 0
    assert capsys.readouterr().out.split() == ["p0", "p1"]
    assert judge.main([*command[:3], "--empty", str(tmp_path / "no")]) == 1
    assert "give another --empty" in capsys.readouterr().err


def test_a_detector_begins_with_an_exported_one(tmp_path: Path) -> None:
    torch.manual_seed(0)
    first = tiny()
    first(torch.rand(8, 3, 64, 64))  # statistics that are not 0 and 1
    first.eval()
    export.write(first, tmp_path / "d.onnx", 64, 64)
    x = 2 * torch.rand(4, 3, 64, 64) - 1
    second = Detector(TINY, 16)
    weights.begin(second, tmp_path / "d.onnx", x)
    with torch.no_grad():
        for mine, wanted in zip(second.eval()(x), first(x), strict=True):
            torch.testing.assert_close(mine, wanted, rtol=0.02, atol=0.02)


def test_a_detector_is_averaged_with_the_one_it_began_with(
    files: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folders = [tmp_path / name for name in ("first", "second", "mean")]
    for seed, folder in enumerate(folders[:2]):
        folder.mkdir()
        torch.manual_seed(seed)
        checkpoint.save(folder / "d.ckpt", {"average": tiny().state_dict()})
    rest = ["--tiny", "--data", files[3], "--size", "64", "96"]
    assert export.main([str(folders[0] / "d.ckpt"), *rest, "--out", str(folders[0])]) == 0
    assert export.main([str(folders[1] / "d.ckpt"), *rest, "--out", str(folders[1])]) == 0
    folders[2].mkdir()
    command = [str(folders[1] / "d.ckpt"), *rest, "--out", str(folders[2]), "--mean-with"]
    assert export.main([*command, str(folders[0] / "detector.onnx")]) == 0
    first, second, mean = (
        {i.name: numpy_helper.to_array(i) for i in onnx.load(str(f / "detector.onnx")).graph.initializer}
        for f in folders
    )
    assert any(not np.array_equal(first[name], second[name]) for name in first)
    for name, value in mean.items():
        wanted = np.mean([first[name], second[name]], axis=0, dtype=np.float64)
        np.testing.assert_allclose(value, wanted, rtol=1e-3, atol=1e-6)
    before = (folders[2] / "detector.onnx").read_bytes()
    export.write(Detector(TINY, 16).eval(), tmp_path / "wider.onnx", 64, 96)
    assert export.main([*command, str(tmp_path / "wider.onnx")]) == 1
    assert "of another design" in capsys.readouterr().err
    assert export.main([*command, str(tmp_path / "missing.onnx")]) == 1
    assert "There is no" in capsys.readouterr().err
    assert (folders[2] / "detector.onnx").read_bytes() == before
    assert not (folders[2] / "detector.onnx.new").exists()


def test_a_training_begins_with_exported_weights(tmp_path: Path) -> None:
    torch.manual_seed(0)
    first = Classifier(TINY)
    first(torch.rand(8, 3, 64, 64))  # statistics that are not 0 and 1
    first.eval()
    classifier_export.write(first, 1.0, 64, tmp_path / "c.onnx")
    second = Classifier(TINY)
    begin(second, tmp_path / "c.onnx", 2 * torch.rand(16, 3, 64, 64) - 1)
    x = 2 * torch.rand(4, 3, 64, 64) - 1
    with torch.no_grad():
        torch.testing.assert_close(second.eval()(x), first(x), rtol=0.02, atol=0.02)
    with pytest.raises(SourceDamagedError, match="another design"):
        begin(Classifier(), tmp_path / "c.onnx", x)


def test_the_same_scene_is_recognized_and_another_is_not() -> None:
    rng = np.random.default_rng(0)
    one, other = (cv2.resize(rng.integers(0, 255, (9, 9, 3), np.uint8), (160, 120)) for _ in range(2))
    seen = [pack.fingerprint(one)]
    assert pack.resembles(cv2.resize(one, (320, 240)), seen)
    assert pack.resembles(one[:, ::-1], seen)
    assert not pack.resembles(other, seen)


def test_letterboxes_are_undone() -> None:
    def run(canvas: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        raw, scores = np.zeros((4, 4 * 4 + 2 * 2 + 1)), np.zeros(21)
        raw[:2, 5], scores[5] = 0.5, 0.9  # a cell of 8 x 8 pixels at (8, 8)
        return raw, scores

    found = truth.looked(run, np.zeros((16, 64, 3), np.uint8), 32, 32, 0.5)
    np.testing.assert_allclose(found.boxes, [[16, -8, 32, 8]])  # half the size, 12 rows of gray above


def test_small_and_real_design_have_the_same_columns() -> None:
    grids = tiny().eval()(torch.zeros(1, 3, 64, 96))
    assert [tuple(grid.shape[1:]) for grid in grids] == [(COLUMNS, 8, 12), (COLUMNS, 4, 6), (COLUMNS, 2, 3)]


@pytest.mark.shared
def test_teachers_answer_as_their_files_do(shared: Path) -> None:
    persons, faces = (shared / path.relative_to("../shared") for path in (PERSONS, FACES))
    face = cv2.imread(str(shared / "images/samples/face.jpg"))
    canvas, _, _ = truth.letterboxed(face, 416, 416)
    x = torch.from_numpy(np.ascontiguousarray(canvas[..., ::-1].transpose(2, 0, 1)))[None].float() / 255
    scores, answers, _ = Teachers(Persons(persons, torch.float32), Faces(faces, torch.float32))(x)
    for kind, run in enumerate((truth.person_teacher(persons), truth.face_teacher(faces))):
        raw, sure = run(canvas)
        assert sure.max() > 0.5
        np.testing.assert_allclose(scores[0, kind].numpy(), sure, atol=1e-3)
        np.testing.assert_allclose(answers[0, kind].numpy(), raw, atol=1e-3)
