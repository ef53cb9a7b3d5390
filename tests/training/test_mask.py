"""The mask's training: losses, figures, network, export."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import onnx
import onnxruntime
import pytest
from onnx import TensorProto, helper, numpy_helper

torch = pytest.importorskip("torch")

from desktop.vision.models.builtin import read_builtin  # noqa: E402
from training import pack  # noqa: E402
from training.classifier.model import multiply_adds  # noqa: E402
from training.common import data, people  # noqa: E402
from training.common.world import World  # noqa: E402
from training.mask import calibrate, evaluate, export, judge, label, train  # noqa: E402
from training.mask.model import (  # noqa: E402
    LONGER,
    UNKNOWN,
    PersonMask,
    bundled,
    mask_of,
    size_for,
    stretched,
    teacher,
    working_size,
)
from training.mask.teacher import Teacher, coverage  # noqa: E402

CPU = torch.device("cpu")
ALONE = World(0, 1, CPU)

pytestmark = pytest.mark.usefixtures("one_thread")


def scene(seed: int) -> np.ndarray:
    """A dark picture with a red disc for a person, (120, 160, 3) uint8 BGR."""
    picture = np.full((120, 160, 3), 30, np.uint8)
    cv2.circle(picture, (50 + 8 * seed, 60), 30, (20, 30, 220), -1)
    return picture


@pytest.fixture
def packed(tmp_path: Path) -> Path:
    """A pack of 6 training pictures and a clip of 3 frames held back."""
    pictures = [data.Picture(f"person_{n}", scene(n)) for n in range(6)]
    pictures += [data.Picture(f"clip_a_b_{n:04d}", scene(n), data.HELD) for n in range(3)]
    data.write_pack(tmp_path / "pack.npz", iter(pictures), 95)
    return tmp_path / "pack.npz"


@pytest.fixture
def small_teacher(tmp_path: Path) -> Path:
    """A network of the teacher's input and output whose mask is sigmoid(20 red - 10)."""
    constants = [
        numpy_helper.from_array(np.array([20, 0, 0], np.float32).reshape(1, 3, 1, 1), "weight"),
        numpy_helper.from_array(np.array([-10], np.float32), "bias"),
        numpy_helper.from_array(np.array([1, 256, 256, 1], np.int64), "shape"),
    ]
    nodes = [
        helper.make_node("Transpose", ["image"], ["planes"], perm=[0, 3, 1, 2]),
        helper.make_node("Conv", ["planes", "weight", "bias"], ["red"]),
        helper.make_node("Sigmoid", ["red"], ["share"]),
        helper.make_node("Reshape", ["share", "shape"], ["mask"]),
    ]
    image = helper.make_tensor_value_info("image", TensorProto.FLOAT, [1, 256, 256, 3])
    mask = helper.make_tensor_value_info("mask", TensorProto.FLOAT, [1, 256, 256, 1])
    graph = helper.make_graph(nodes, "teacher", [image], [mask], constants)
    path = tmp_path / "teacher.onnx"
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8), path)
    return path


@pytest.fixture
def known(tmp_path: Path) -> Path:
    """A pack of 8 pictures with true masks, two of them held back."""
    folder = tmp_path / "people"
    folder.mkdir()
    entries = []
    for n in range(8):
        cv2.imwrite(str(folder / f"p{n}.png"), scene(n))
        cv2.imwrite(str(folder / f"m{n}.png"), np.where(scene(n)[..., 2] > 100, 255, 0).astype(np.uint8))
        box = [20 + 8 * n, 30, 80 + 8 * n, 90, 1]
        entries.append(
            {"file": f"p{n}.png", "part": int(n > 5), "known": True, "boxes": [box], "mask": f"m{n}.png"}
        )
    (folder / "people.json").write_text(json.dumps({"pictures": entries}))
    assert pack.main(["people", "--folder", str(folder), "--out", str(tmp_path)]) == 0
    return tmp_path / "people.npz"


@pytest.fixture
def small_deeplab(tmp_path: Path) -> Path:
    """A network of DeepLab's input and output that finds nobody."""
    weight = numpy_helper.from_array(np.zeros((21, 3, 8, 8), np.float32), "weight")
    bias = numpy_helper.from_array(np.eye(1, 21, 0, dtype=np.float32)[0] * 20, "bias")
    nodes = [
        helper.make_node("Transpose", ["image"], ["planes"], perm=[0, 3, 1, 2]),
        helper.make_node("Conv", ["planes", "weight", "bias"], ["logits/semantic/BiasAdd"], strides=[8, 8]),
    ]
    image = helper.make_tensor_value_info("image", TensorProto.FLOAT, [1, 257, 257, 3])
    end = helper.make_tensor_value_info("logits/semantic/BiasAdd", TensorProto.FLOAT, [1, 21, 32, 32])
    graph = helper.make_graph(nodes, "deeplab", [image], [end], [weight, bias])
    path = tmp_path / "deeplab.onnx"
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8), path)
    return path


@pytest.fixture
def options(packed: Path, known: Path, small_teacher: Path, small_deeplab: Path) -> list[str]:
    """Options that name the packs and the small teachers."""
    return [
        *("--tiny", "--data", str(packed), "--teacher", str(small_teacher)),
        *("--people", str(known), "--unknown", str(packed), "--deeplab", str(small_deeplab)),
    ]


def test_one_command_trains_and_exports(
    options: list[str], packed: Path, known: Path, small_teacher: Path, tmp_path: Path
) -> None:
    out, models = tmp_path / "m.ckpt", tmp_path / "models"
    assert train.main([*options, "--out", str(out)]) == 0
    entry = json.loads(out.with_suffix(".json").read_text())[-1]
    assert math.isfinite(entry["loss"])
    assert 0 <= entry["iou_a_b"] <= 1 and 0 <= entry["iou_true"] <= 1
    rest = ["--tiny", "--data", str(packed), "--teacher", str(small_teacher)]
    assert calibrate.main([str(out), *rest]) == 0
    assert calibrate.main([str(out), *rest, "--people", str(known)]) == 0
    assert export.main([str(out), *rest, "--out", str(models)]) == 0
    network = read_builtin(models / "person_mask.toml")
    assert (network.task, network.statement.multiple, network.statement.activation) == ("mask", 32, "none")
    assert network.statement.working == LONGER
    file = models / "person_mask.onnx"
    assert size_for(bundled(True))(720, 1280) == evaluate.stated_size(file)(720, 1280) == (192, 320)
    assert judge.main([str(file), "--people", str(known), "--json"]) == 0
    rows = ["--data", str(packed), "--teacher", str(small_teacher), "--json"]
    assert evaluate.main([str(file), *rows]) == 0


def test_true_masks_are_learned(options: list[str], tmp_path: Path) -> None:
    more = ["--samples", "192", "--warmup", "4", "--report", "0", "--lr", "1e-2"]
    made = train.trainer(train.parser().parse_args([*options, *more]), 0.0, ALONE)
    made.run(tmp_path / "m.ckpt")
    overlaps = [entry["iou_true"] for entry in made.curve]
    assert overlaps[0] < 0.3
    assert overlaps[-1] > 0.5


def test_a_persons_box_gives_a_mask(known: Path, small_teacher: Path) -> None:
    whole = people.read_people([known], data.TRAIN, CPU, 2, masks=True)
    blank = replace(whole, masks=torch.zeros_like(whole.masks), mask_kind=torch.zeros_like(whole.mask_kind))
    labeled = label.label(blank, [Teacher(small_teacher)])
    assert labeled.mask_kind.tolist() == [people.TAUGHT_MASK] * 2
    first, second = (masks.masks[:, None].float() / 255 for masks in (whole, labeled))
    assert float(evaluate.overlap(first, second).mean()) > 0.85


def test_the_mask_is_judged_beside_a_rival(
    known: Path, small_teacher: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    export.write(bundled(True).eval(), tmp_path / "m.onnx")
    command = [str(tmp_path / "m.onnx"), "--people", str(known), "--rival", str(small_teacher)]
    capsys.readouterr()
    assert judge.main([*command, "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)["people"]
    assert rows["rival"]["pictures"] == 2 and rows["rival"]["value"] > 0.95 > rows["mask"]["value"]
    assert judge.main([*command[:2], str(tmp_path / "no.npz")]) == 1
    other = tmp_path / "other" / known.name
    other.parent.mkdir()
    other.write_bytes(known.read_bytes())
    assert judge.main([*command[:3], str(other), "--json"]) == 0
    assert set(json.loads(capsys.readouterr().out)) == {"people", str(other)}


def test_a_networks_mask_in_a_folder_is_learned_as_one(known: Path, tmp_path: Path) -> None:
    index = tmp_path / "people" / "people.json"
    table = json.loads(index.read_text())
    table["pictures"][1]["taught"] = True
    index.write_text(json.dumps(table))
    assert pack.main(["people", "--folder", str(index.parent), "--out", str(tmp_path)]) == 0
    kinds = people.read_people([known], data.TRAIN, CPU, masks=True).mask_kind.tolist()
    assert kinds == [people.TRUE_MASK, people.TAUGHT_MASK, *[people.TRUE_MASK] * 4]


def test_a_pack_with_all_masks_needs_no_second_teacher(options: list[str], tmp_path: Path) -> None:
    missing = ["--deeplab", str(tmp_path / "missing.onnx"), "--out", str(tmp_path / "m.ckpt")]
    assert train.main([*options, *missing]) == 0


def test_only_masks_with_a_clear_edge_are_cut_out() -> None:
    sharp = torch.zeros(1, 40, 40, dtype=torch.uint8)
    sharp[:, 10:30, 10:30] = 255
    soft = torch.nn.functional.avg_pool2d(sharp.float(), 15, 1, 7).byte()
    none = torch.zeros_like(sharp)
    assert train.crisp(torch.cat([sharp, soft, none])).tolist() == [True, False, False]


def test_a_gain_makes_edges_steeper_and_moves_none(
    options: list[str], packed: Path, small_teacher: Path, tmp_path: Path
) -> None:
    out = tmp_path / "m.ckpt"
    assert train.main([*options, "--out", str(out)]) == 0
    rest = ["--tiny", "--data", str(packed), "--teacher", str(small_teacher), "--bias", "0.25"]
    x = np.random.default_rng(1).uniform(-1, 1, (1, 3, 64, 96)).astype(np.float16)
    logits = []
    for gain in ("1", "2"):
        folder = tmp_path / gain
        assert export.main([str(out), *rest, "--gain", gain, "--out", str(folder)]) == 0
        (mask,) = onnxruntime.InferenceSession(str(folder / "person_mask.onnx")).run(None, {"image": x})
        logits.append(np.log(mask.astype(np.float64) / (1 - mask.astype(np.float64))))
    assert np.allclose(logits[1], 2 * logits[0], atol=0.1)


def test_masks_that_move_along_are_steady() -> None:
    generator = torch.Generator().manual_seed(0)
    at = torch.tensor([[[20.0, 0, 20], [0, 20, 20]]])
    places, motion = train.shaken(at, (40, 40), generator)
    canvas = cv2.GaussianBlur(np.random.default_rng(0).integers(0, 255, (40, 40), np.uint8), (0, 0), 4)
    picture, sizes = torch.from_numpy(canvas)[None, None], torch.tensor([[40.0, 40.0]])
    before, after = (
        people.seen(picture, sizes, where, (40, 40), 0.5).clamp(0.01, 0.99).logit() for where in (at, places)
    )
    still = torch.tensor([[[1.0, 0, 0], [0, 1, 0]]])
    assert float(train.unsteady(before, after, motion)) < 0.3 * float(train.unsteady(before, after, still))


def test_the_bias_that_was_taken_away_is_found(small_teacher: Path) -> None:
    teacher = Teacher(small_teacher)

    class Student(torch.nn.Module):
        """The teacher's logits less 0.6; a soft red gives an answer to every bias."""

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return torch.logit(teacher(stretched(x, (256, 256))).clamp(1e-6, 1 - 1e-6)) - 0.6

    ramp = np.tile(np.linspace(0, 255, 256).astype(np.uint8)[None, :, None], (256, 1, 3))
    pictures = data.Pictures.stacked([ramp], ["person_ramp"], CPU)
    assert calibrate.fitted(Student(), teacher, pictures) == pytest.approx(0.6, abs=0.05)


def test_losses_are_least_for_the_teachers_own_mask() -> None:
    generator = torch.Generator().manual_seed(0)
    logits = 3 * torch.randn(2, 1, 24, 32, generator=generator)
    right = train.losses(logits, torch.sigmoid(logits))
    wrong = train.losses(-logits, torch.sigmoid(logits))
    assert float(right["cross"]) == pytest.approx(0, abs=1e-4)
    assert float(right["edge"]) == pytest.approx(0, abs=1e-6)
    assert all(float(wrong[name]) > float(right[name]) for name in ("loss", "cross", "overlap", "edge"))
    exact = torch.where(logits > 0, 1.0, 0.0)
    assert float(train.losses(40 * (exact - 0.5), exact)["overlap"]) == pytest.approx(0, abs=1e-4)


def test_figures_beside_numpy() -> None:
    rng = np.random.default_rng(0)
    a, b = rng.random((2, 4, 1, 9, 7), dtype=np.float32)
    got = evaluate.overlap(torch.from_numpy(a), torch.from_numpy(b)).numpy()
    wanted = [
        ((p > 0.5) & (q > 0.5)).sum() / ((p > 0.5) | (q > 0.5)).sum() for p, q in zip(a, b, strict=True)
    ]
    np.testing.assert_allclose(got, wanted, rtol=1e-6)
    assert float(evaluate.overlap(torch.zeros(1, 1, 2, 2), torch.zeros(1, 1, 2, 2))) == 1.0
    assert evaluate.flicker(torch.from_numpy(a)) == pytest.approx(np.abs(np.diff(a, axis=0)).mean(), rel=1e-5)
    state, rows = a[0], [a[0]]
    for frame in a[1:]:
        state = 0.6 * state + 0.4 * frame
        rows.append(state)
    np.testing.assert_allclose(evaluate.smoothed(torch.from_numpy(a)).numpy(), np.stack(rows), rtol=1e-5)


def test_working_sizes() -> None:
    assert working_size(720, 1280) == (192, 320)
    assert working_size(1280, 720) == (320, 192)
    assert working_size(480, 640) == (256, 320)
    assert working_size(10, 1000) == (32, 320)
    assert size_for(teacher(True))(720, 1280) == (224, 384)


def test_the_design_keeps_its_promises(tmp_path: Path) -> None:
    student = bundled().eval()
    assert multiply_adds(student, (1, 3, 192, 320)) < 800e6
    export.write(student, tmp_path / "m.onnx")
    assert (tmp_path / "m.onnx").stat().st_size < 8_000_000


@pytest.mark.parametrize("make", [bundled, teacher])
@pytest.mark.parametrize("size", [(64, 96), (96, 32)])
def test_export_beside_pytorch(
    tmp_path: Path, size: tuple[int, int], make: Callable[[bool], PersonMask]
) -> None:
    """Without hints; statistics and weights that show a wrong place of the padding, the skips or the mean."""
    torch.manual_seed(0)
    network = make(True)
    for _ in range(64):
        network(torch.rand(4, 4, 64, 96))
    for layer in network.modules():
        if isinstance(layer, torch.nn.Conv2d) and layer.bias is not None:
            torch.nn.init.normal_(layer.bias, 0.0, 0.3)
    network.eval()
    with torch.no_grad():
        network.last.weight /= network(torch.rand(1, 3, *size)).std()
        network.last.bias -= network(torch.rand(1, 3, *size)).mean()
    export.write(network, tmp_path / "m.onnx")
    x = torch.rand(1, 3, *size)
    session = onnxruntime.InferenceSession(str(tmp_path / "m.onnx"))
    (got,) = session.run(None, {"image": (2 * x - 1).numpy().astype(np.float16)})
    with torch.no_grad():
        wanted = torch.sigmoid(network(x)).numpy()
    assert got.shape == (1, 1, *size) and wanted.std() > 0.03
    assert np.abs(got.astype(np.float32) - wanted).max() < 0.1 * wanted.std()
    with torch.no_grad():
        assert mask_of(network, torch.rand(2, 3, 256, 256), size).shape == (2, 1, 256, 256)


def test_the_settings_in_the_repository_are_those_that_export_writes() -> None:
    file = Path(__file__).resolve().parents[2] / "assets/models/person_mask.toml"
    assert file.read_text(encoding="utf-8") == export.description()


def test_a_teachers_checkpoint_is_not_exported(
    options: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "teacher.ckpt"
    assert train.main([*options, "--large", str(tmp_path / "none.pth"), "--out", str(out)]) == 0
    assert export.main([str(out), *options[:3], "--bias", "0"]) == 1
    assert "of another design" in capsys.readouterr().err


def test_a_training_begins_with_a_checkpoints_weights(options: list[str], tmp_path: Path) -> None:
    first = tmp_path / "m.ckpt"
    assert train.main([*options, "--out", str(first)]) == 0
    made = train.trainer(train.parser().parse_args([*options, "--begin", str(first)]), 0.0, ALONE)
    wanted = torch.load(first, weights_only=True)["average"]
    got = made.student.state_dict()
    assert made.seen == 0 and all(torch.equal(got[name], value) for name, value in wanted.items())
    large = [*options, "--large", str(tmp_path / "none.pth"), "--begin", str(first)]
    assert train.main([*large, "--out", str(tmp_path / "large.ckpt")]) == 1  # of another design


def test_a_teacher_without_trust_only_labels(
    options: list[str], known: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "large.ckpt"
    large = [*options, "--large", str(tmp_path / "none.pth")]
    assert train.main([*large, "--out", str(out)]) == 0
    labeled: list[people.People] = []
    monkeypatch.setattr(train, "relabeled", lambda given, network: labeled.append(given) or given)
    made = train.trainer(train.parser().parse_args([*large, "--teach", str(out), "--trust", "0"]), 0.0, ALONE)
    parts = made.objective(8)
    assert len(labeled) == 1 and float(parts["taught"]) == 0 and float(parts["loss"].detach()) > 0


@pytest.mark.shared
def test_the_teacher_finds_a_face(shared: Path) -> None:
    path = shared / "models/segment/obs_selfie_segmentation.onnx"
    face = cv2.imread(str(shared / "images/samples/face.jpg"))
    share = coverage(path)(face)
    assert share > 0.2
    x = torch.from_numpy(cv2.resize(face, (256, 256), interpolation=cv2.INTER_AREA)[..., ::-1].copy())
    mask = Teacher(path)(x.permute(2, 0, 1)[None].float() / 255)
    assert float(mask.mean()) == pytest.approx(share, abs=1e-4)


def test_the_teacher_labels_and_teaches(options: list[str], known: Path, tmp_path: Path) -> None:
    index = tmp_path / "people" / "people.json"
    table = json.loads(index.read_text())
    table["pictures"][1]["taught"] = True
    index.write_text(json.dumps(table))
    assert pack.main(["people", "--folder", str(index.parent), "--out", str(tmp_path)]) == 0
    out = tmp_path / "large.ckpt"
    assert train.main([*options, "--large", str(tmp_path / "none.pth"), "--out", str(out)]) == 0
    assert train.main([*options, "--teach", str(out), "--out", str(tmp_path / "m.ckpt")]) == 0
    entry = json.loads((tmp_path / "m.json").read_text())[-1]
    assert math.isfinite(entry["loss"]) and entry["taught"] > 0
    more = ["--small-views", "--teach", str(out), "--maps", "0.5"]
    assert train.main([*options, *more, "--out", str(tmp_path / "own.ckpt")]) == 0
    entry = json.loads((tmp_path / "own.json").read_text())[-1]
    assert math.isfinite(entry["loss"]) and entry["taught"] > 0 and entry["maps"] > 0.5


@pytest.mark.parametrize("missing", ["--large", "--teach", "--trust"])
def test_inner_maps_need_a_teacher_that_is_there(
    options: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str], missing: str
) -> None:
    out = tmp_path / "large.ckpt"
    large = ["--large", str(tmp_path / "none.pth")]
    more = {"--teach": [str(out)]}
    if missing != "--teach":
        assert train.main([*options, *large, "--out", str(out)]) == 0
    if missing == "--trust":
        more["--trust"] = ["0"]
    elif missing == "--large":
        more["--large"] = large[1:]
    words = [word for name, values in more.items() for word in (name, *values)]
    assert train.main([*options, *words, "--maps", "0.5", "--out", str(tmp_path / "m.ckpt")]) == 1
    assert "--maps needs" in capsys.readouterr().err


def test_inner_maps_are_compared_in_variances_of_the_teachers_channels() -> None:
    torch.manual_seed(0)
    student, other = bundled(True), teacher(True)
    inner = train.inner_maps(student, other, 1.0)
    wanted = [torch.randn(4, n, 6, 5) * 3 + 7 for n in other.encoder.channels]
    for head, target in zip(inner.heads, wanted, strict=True):
        torch.nn.init.zeros_(head.weight)
        torch.nn.init.zeros_(head.bias)
        with torch.no_grad():  # the right answer in half of the channels, 0 in the others
            shown = (target - target.mean((0, 2, 3), keepdim=True)) / target.std((0, 2, 3), keepdim=True)
            count = target.shape[1] // 2
            head.weight = torch.nn.Parameter(torch.eye(target.shape[1])[:, :, None, None])
            head.weight.data[count:] = 0
            target.shown = shown
    # Two more views follow, of which the teacher says nothing.
    given = [torch.cat([target.shown, torch.full((2, *target.shape[1:]), 9.0)]) for target in wanted]
    assert float(inner.error(given, wanted).detach()) == pytest.approx(0.5, abs=0.02)


@pytest.mark.parametrize("compiled", [False, True])
def test_the_teacher_is_given_hints(
    options: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, compiled: bool
) -> None:
    """Compiled too: the module that torch.compile returns is of another type. Its programs are not built here."""
    build = torch.compile
    monkeypatch.setattr(torch, "compile", lambda it, **more: build(it, **more, backend="eager"))
    seen: list[torch.Tensor] = []
    forward = PersonMask.forward

    def watched(self: PersonMask, x: torch.Tensor) -> torch.Tensor:
        seen.append(x)
        return forward(self, x)

    monkeypatch.setattr(PersonMask, "forward", watched)
    more = ["--large", str(tmp_path / "none.pth"), "--compile" if compiled else "--no-compile"]
    made = train.trainer(train.parser().parse_args([*options, *more]), 0.0, ALONE)
    made.objective(8)
    (given,) = seen
    assert given.shape[1] == 4
    # Of every other view it is where the boxes are, which half of the views show.
    assert bool((given[::2, 3] == UNKNOWN).all()) and bool((given[1::2, 3] == 1).any())
