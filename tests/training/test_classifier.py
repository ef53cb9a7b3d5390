"""The classifier's training: data on the device, schedule, optimizer, checkpoints, calibration, export."""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
import onnx
import onnxruntime
import pytest

torch = pytest.importorskip("torch")

from desktop.base.errors import SourceDamagedError, SourceNotFoundError  # noqa: E402
from desktop.vision.models.builtin import read_builtin  # noqa: E402
from training import pack  # noqa: E402
from training.classifier import calibrate, evaluate, export, teacher, train  # noqa: E402
from training.classifier.model import DESIGN, TINY, Block, Classifier, Design, multiply_adds  # noqa: E402
from training.classifier.weights import begin  # noqa: E402
from training.common import checkpoint, data  # noqa: E402
from training.common.card import filled  # noqa: E402
from training.common.loop import Trainer  # noqa: E402
from training.common.optimizer import MatrixOptimizer, orthogonal  # noqa: E402
from training.common.schedule import Schedule  # noqa: E402
from training.common.world import World  # noqa: E402

pytestmark = [pytest.mark.long, pytest.mark.usefixtures("one_thread")]

CPU = torch.device("cpu")


def options(packed: Path, small_teacher: Path, *more: str) -> list[str]:
    return ["--tiny", "--data", str(packed), "--teacher", str(small_teacher), "--no-compile", *more]


def test_one_command_trains_calibrates_and_exports(packed: Path, small_teacher: Path, tmp_path: Path) -> None:
    out = tmp_path / "c.ckpt"
    assert train.main(options(packed, small_teacher, "--out", str(out))) == 0
    curve = json.loads(out.with_suffix(".json").read_text())
    assert curve[-1]["samples"] == 8
    assert math.isfinite(curve[-1]["loss"])
    assert {"agreement", "divergence", "top1", "top5"} <= curve[-1].keys()
    assert calibrate.main([str(out), "--tiny", "--data", str(packed), "--teacher", str(small_teacher)]) == 0
    assert export.main([str(out), "--tiny", "--data", str(packed), "--out", str(tmp_path / "models")]) == 0
    session = onnxruntime.InferenceSession(str(tmp_path / "models/classifier.onnx"))
    (probabilities,) = session.run(None, {"image": np.zeros((1, 3, 64, 64), np.float16)})
    assert probabilities.shape == (1, 1000)
    assert float(probabilities.astype(np.float32).sum()) == pytest.approx(1, abs=0.01)
    network = read_builtin(tmp_path / "models/classifier.toml")
    assert (network.task, network.statement.output_name) == ("classification", "probabilities")


def test_training_lowers_the_loss(packed: Path, small_teacher: Path, tmp_path: Path) -> None:
    made = train.trainer(
        train.parser().parse_args(
            options(
                packed, small_teacher, "--samples", "400", "--warmup", "40", "--report", "0", "--lr", "3e-3"
            )
        ),
        0.0,
        World(0, 1, CPU),
    )
    made.run(tmp_path / "c.ckpt")
    values = [entry["maps"] for entry in made.curve]  # the predictions' part is noisy in batches of 8
    assert np.mean(values[-5:]) < 0.95 * np.mean(values[:5])


def test_views_of_further_photographs(packed: Path, small_teacher: Path, tmp_path: Path) -> None:
    """As many as they are: 8 of each pack, so half of a batch."""
    more = tmp_path / "more"
    for number, light in enumerate((0, 255)):
        pictures = [data.Picture(f"{n}", np.full((60 + n, 70, 3), light, np.uint8)) for n in range(8)]
        data.write_pack(more / f"photographs_{number}.npz", pictures, 90)
    packs = [str(path) for path in sorted(more.iterdir())]
    assert (
        train.main(options(packed, small_teacher, "--more", *packs, "--out", str(tmp_path / "c.ckpt"))) == 0
    )
    dreams = ["--dreams", packs[0], "--dream-share", "0.6", "--out", str(tmp_path / "d.ckpt")]
    assert train.main(options(packed, small_teacher, "--more", *packs, *dreams)) == 0
    read = data.read_packs([Path(path) for path in packs], data.TRAIN, CPU)
    assert len(read) == 16
    assert [int(read.canvas[n, :, 0, 0].max()) for n in (0, 7, 8, 15)] == [0, 0, 255, 255]
    with pytest.raises(SourceNotFoundError, match="is missing"):
        data.read_packs([tmp_path / "none.npz"], data.TRAIN, CPU)


def stepped(world: World | None) -> list[torch.Tensor]:
    """Weights of several shapes after two steps with the same gradients everywhere."""
    generator = torch.Generator().manual_seed(3)
    shapes = [(12, 10), (9, 20, 3, 3), (24, 1, 5, 5), (16,), (30, 11)]
    weights = [torch.randn(shape, generator=generator, requires_grad=True) for shape in shapes]
    weights[1] = weights[1].detach().contiguous(memory_format=torch.channels_last).requires_grad_()
    optimizer = MatrixOptimizer(weights, 0.01, world=world)
    for _ in range(2):
        for weight in weights:
            weight.grad = torch.randn(weight.shape, generator=generator)
        optimizer.step()
    return [weight.detach() for weight in weights]


def test_two_processes_train_one_network(packed: Path, small_teacher: Path, tmp_path: Path) -> None:
    out = tmp_path / "two.ckpt"
    script = tmp_path / "both.py"
    script.write_text(
        "import sys, torch\n"
        "from pathlib import Path\n"
        "from training.classifier import train\n"
        "from training.common.world import World\n"
        "made = train.trainer(train.parser().parse_args(sys.argv[2:]), 0.0, world := World.joined())\n"
        "made.run(made_at := Path(sys.argv[1]))\n"
        "mean = [torch.tensor([3.0 + world.rank]), torch.full((2, 2), 2.0 * world.rank)]\n"
        "world.average(mean)\n"
        "weights = {k: v for k, v in made.student.named_parameters()}\n"
        "from tests.training.test_classifier import stepped\n"
        "dealt = stepped(world)\n"
        "torch.save({'mean': mean, 'weights': weights, 'dealt': dealt}, f'{made_at}.{world.rank}')\n"
        "world.leave()\n"
    )
    launch = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2"]
    limits = ["--samples", "32", "--warmup", "1"]
    command = [*launch, str(script), str(out), *options(packed, small_teacher, *limits)]
    done = subprocess.run(command, env={**os.environ, "OMP_NUM_THREADS": "1"}, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert checkpoint.load(out, CPU)["seen"] == 32
    told = [torch.load(f"{out}.{rank}", weights_only=True) for rank in (0, 1)]
    for rank in (0, 1):
        assert float(told[rank]["mean"][0]) == 3.5
        assert torch.equal(told[rank]["mean"][1], torch.ones(2, 2))
        for got, wanted in zip(told[rank]["dealt"], stepped(None), strict=True):
            torch.testing.assert_close(got, wanted, rtol=1e-5, atol=1e-6)
    for name, weight in told[0]["weights"].items():
        torch.testing.assert_close(weight, told[1]["weights"][name], rtol=1e-5, atol=1e-6)


def test_resuming_is_as_if_it_had_never_stopped(packed: Path, small_teacher: Path, tmp_path: Path) -> None:
    def run(samples: int, out: str, *more: str) -> dict[str, object]:
        arguments = options(packed, small_teacher, "--samples", str(samples), "--warmup", "16", *more)
        assert train.main([*arguments, "--out", str(tmp_path / out)]) == 0
        return checkpoint.load(tmp_path / out, CPU)

    whole = run(48, "whole.ckpt")
    run(24, "first.ckpt")
    second = run(24, "second.ckpt", "--resume", str(tmp_path / "first.ckpt"))
    assert whole["seen"] == second["seen"] == 48
    for part in ("student", "heads", "average"):
        for name, value in whole[part].items():  # type: ignore[attr-defined]
            torch.testing.assert_close(second[part][name], value, rtol=0, atol=0)  # type: ignore[index]


def test_what_comes_before_the_decay_is_kept(packed: Path, small_teacher: Path, tmp_path: Path) -> None:
    out = tmp_path / "c.ckpt"
    limits = ["--samples", "80", "--warmup", "8", "--decay", "--decay-share", "0.5"]
    assert train.main([*options(packed, small_teacher, *limits), "--out", str(out)]) == 0
    stable = checkpoint.load(tmp_path / "c_stable.ckpt", CPU)
    assert (stable["seen"], checkpoint.load(out, CPU)["seen"]) == (48, 80)  # one step past the middle
    again = ["--resume", str(tmp_path / "c_stable.ckpt"), "--out", str(tmp_path / "d.ckpt")]
    assert train.main([*options(packed, small_teacher, "--samples", "8"), *again]) == 0
    assert checkpoint.load(tmp_path / "d.ckpt", CPU)["seen"] == 56
    assert not (tmp_path / "d_stable.ckpt").exists()


def test_a_run_of_minutes_begins_at_its_full_rate(
    packed: Path, small_teacher: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first steps compile, and tell nothing about how many there will be: taken from them, the decay
    would begin at once.
    """
    rates: list[float] = []
    step = Trainer._step

    def slow(self: Trainer, rate: float) -> dict[str, torch.Tensor]:
        rates.append(rate)
        now[0] += 100 if len(rates) <= 3 else 1
        return step(self, rate)

    now = [0.0]
    monkeypatch.setattr(Trainer, "_step", slow)
    monkeypatch.setattr("training.common.loop.time.monotonic", lambda: now[0])
    limits = ["--minutes", "6", "--warmup", "1", "--lr", "1e-3", "--decay", "--decay-share", "0.5"]
    made = train.trainer(
        train.parser().parse_args([*options(packed, small_teacher, *limits), "--samples", "9999"]),
        0.0,
        World(0, 1, CPU),
    )
    made.run(tmp_path / "c.ckpt")
    assert 55 <= len(rates) <= 65  # three of 100 s, then a second each
    assert rates[:25] == [1e-3] * 25
    assert 0 < rates[-1] < 2e-4
    assert 25 * 8 < checkpoint.load(tmp_path / "c_stable.ckpt", CPU)["seen"] < 40 * 8


def test_a_compact_checkpoint_goes_on(packed: Path, small_teacher: Path, tmp_path: Path) -> None:
    out, small = tmp_path / "c.ckpt", tmp_path / "small.ckpt"
    train.main(options(packed, small_teacher, "--out", str(out)))
    assert checkpoint.main(["compact", str(out), str(small)]) == 0
    assert small.stat().st_size < 0.8 * out.stat().st_size
    before, after = checkpoint.load(out, CPU), checkpoint.load(small, CPU)
    for name, value in before["student"].items():
        torch.testing.assert_close(after["student"][name], value, rtol=1e-3, atol=1e-6)
    again = options(packed, small_teacher, "--resume", str(small), "--out", str(out))
    assert train.main(again) == 0
    assert checkpoint.load(out, CPU)["seen"] == 16


def test_what_cannot_be_resumed_is_said(
    packed: Path, small_teacher: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SourceNotFoundError, match="missing"):
        checkpoint.load(tmp_path / "none.ckpt", CPU)
    (tmp_path / "bad.ckpt").write_bytes(b"PK\x03\x04 no checkpoint")
    with pytest.raises(SourceDamagedError, match="no checkpoint"):
        checkpoint.load(tmp_path / "bad.ckpt", CPU)
    assert train.main(options(packed, small_teacher, "--resume", str(tmp_path / "bad.ckpt"))) == 1
    assert capsys.readouterr().err.startswith("training: ")
    out = tmp_path / "c.ckpt"
    assert train.main(options(packed, small_teacher, "--out", str(out))) == 0
    assert train.main(options(packed, small_teacher, "--resume", str(out), "--optimizer", "adamw")) == 1
    assert "another design or optimizer" in capsys.readouterr().err
    with pytest.raises(SourceNotFoundError, match=r"training\.pack"):
        data.read_pack(tmp_path / "none.npz", data.TRAIN, CPU)


def test_schedule_is_stable_until_the_decay() -> None:
    stable = Schedule(peak=1.0, warmup=10)
    assert stable.rate(4, 0, 100) == pytest.approx(0.5)
    assert {stable.rate(seen, 0, 100) for seen in range(10, 100)} == {1.0}
    decay = Schedule(peak=1.0, warmup=10, decay_share=0.2)
    assert decay.rate(80, 0, 100) == pytest.approx(1.0)
    assert decay.rate(90, 0, 100) == pytest.approx(0.5)
    assert decay.rate(100, 0, 100) == 0.0
    # A run shorter than a fifth of all samples decays over all of itself.
    assert decay.rate(1000, 1000, 1100) == pytest.approx(1.0)
    assert decay.rate(1050, 1000, 1100) == pytest.approx(0.5)


def test_orthogonal_factor_beside_the_singular_value_decomposition() -> None:
    matrix = torch.randn(24, 40, generator=torch.Generator().manual_seed(0))
    factor = orthogonal(matrix, steps=8)
    values = np.linalg.svd(factor.numpy(), compute_uv=False)
    assert 0.6 < values.min() <= values.max() < 1.3  # what five coefficients chosen for speed converge to
    left, _, right = np.linalg.svd(matrix.numpy(), full_matrices=False)
    cosine = float(
        (factor.numpy() * (left @ right)).sum() / (np.linalg.norm(factor) * np.linalg.norm(left @ right))
    )
    assert cosine > 0.97
    torch.testing.assert_close(orthogonal(matrix.mT, steps=8), factor.mT)


def test_adamw_beside_pytorch() -> None:
    generator = torch.Generator().manual_seed(0)
    mine = torch.randn(6, 5, generator=generator, requires_grad=True)
    theirs = mine.detach().clone().requires_grad_()
    first = MatrixOptimizer([mine], 0.01, weight_decay=0.1, muon=False)
    second = torch.optim.AdamW([theirs], 0.01, betas=(0.9, 0.99), weight_decay=0.1)
    for _ in range(5):
        mine.grad = torch.randn(6, 5, generator=generator)
        theirs.grad = mine.grad.clone()
        first.step()
        second.step()
    torch.testing.assert_close(mine, theirs, rtol=1e-5, atol=1e-6)


def test_center_crops_of_ramps() -> None:
    across = np.broadcast_to(np.arange(120, dtype=np.uint8)[None, :, None] * 2, (80, 120, 3))
    down = np.broadcast_to(np.arange(100, dtype=np.uint8)[:, None, None] * 2, (100, 60, 3))
    pictures = data.Pictures.stacked([np.ascontiguousarray(p) for p in (across, down)], ["a", "b"], CPU)
    got = pictures.centers(torch.tensor([0, 1]), 35, 0.875)
    for view, length, side, axis in ((got[0], 120, 70.0, 1), (got[1], 100, 52.5, 0)):
        centers = (
            (length - side) / 2 + (np.arange(35) + 0.5) * side / 35 - 0.5
        )  # in pixels, whose centers are whole
        wanted = np.expand_dims(centers * 2 / 255, 1 - axis)
        np.testing.assert_allclose(view[0].numpy(), np.broadcast_to(wanted, (35, 35)), atol=1e-4)
    inside = evaluate.crop(across, 35)[0, 0]
    np.testing.assert_allclose(got[0, 0].numpy(), inside, atol=1.5 / 255)


def test_views_stay_inside_their_pictures_and_repeat_with_the_generator() -> None:
    bright = [np.full((60, 100, 3), 200, np.uint8), np.full((90, 50, 3), 100, np.uint8)]
    pictures = data.Pictures.stacked(bright, ["a", "b"], CPU)
    index = torch.tensor([0, 1] * 16)

    def views(seed: int) -> torch.Tensor:
        return pictures.views(index, 24, data.Augment(turn=40), torch.Generator().manual_seed(seed))

    x = views(5)
    assert x.shape == (32, 3, 24, 24)
    torch.testing.assert_close(
        x[0::2], torch.full_like(x[0::2], 200 / 255)
    )  # nothing of the canvas around it
    torch.testing.assert_close(x[1::2], torch.full_like(x[1::2], 100 / 255))
    torch.testing.assert_close(views(5), x, rtol=0, atol=0)


def test_mixing_shares() -> None:
    flat = torch.cat([torch.zeros(500, 3, 16, 16), torch.ones(500, 3, 16, 16)])
    draws = data.drawn(1000, torch.Generator().manual_seed(0))[:, 6:]
    both, clean = data.mixed(flat, draws, data.Augment(cutmix=0.5, mixup=0.3))
    assert float(clean.float().mean()) == pytest.approx(0.2, abs=0.04)
    torch.testing.assert_close(both[clean], flat[clean], rtol=0, atol=0)
    blended = (both > 0.001) & (both < 0.999)
    assert float(blended.flatten(1).any(1).float().mean()) == pytest.approx(0.3, abs=0.05)
    plain = data.Augment(light=0, contrast=0, saturation=0, hue=0, gray=0, soften=0)
    colored = torch.rand(4, 3, 8, 8)
    torch.testing.assert_close(data.recolored(colored, torch.rand(4, 6), plain), colored, rtol=0, atol=1e-5)


def test_labels_come_from_names() -> None:
    assert data.label_of("imagenet_0357_n02442845_mink") == 357
    assert data.label_of("0004_n01494475_hammerhead") == 4
    assert data.label_of("bsds500_100007") == -1


def test_temperature_and_calibration_error() -> None:
    rng = np.random.default_rng(0)
    logits = torch.from_numpy(rng.normal(size=(4000, 10)) * 2)
    sharp = 3.0 * logits
    wanted = logits.softmax(1)
    assert calibrate.temperature(sharp, wanted) == pytest.approx(3.0, rel=0.02)
    labels = np.array([rng.choice(10, p=p / p.sum()) for p in wanted.numpy()])
    assert evaluate.calibration_error(wanted.numpy(), labels) < 0.03
    assert evaluate.calibration_error(sharp.softmax(1).numpy(), labels) > 0.15
    certain = np.eye(2)[[0, 0, 1, 1]]
    assert evaluate.calibration_error(certain, np.array([0, 1, 1, 0])) == pytest.approx(0.5)


def test_figures() -> None:
    probabilities = np.eye(1000)[[3, 5, 8]] * 0.9 + 1e-4 * np.arange(1000)[::-1] / 1000
    figures = evaluate.measured(probabilities[None], np.eye(1000)[[3, 4, 8]], np.array([3, 0, 999]))
    assert (figures.top1, figures.top5, figures.agreement) == pytest.approx((1 / 3, 2 / 3, 2 / 3))
    assert figures.views_error == pytest.approx(figures.calibration_error)


def test_the_error_by_chance_is_what_few_pictures_give() -> None:
    # One bin, confidence 0.5 + epsilon: the mean absolute deviation of a binomial share is sqrt(2 p q / (pi
    # n)).
    even = np.full((400, 2), 0.5) + np.array([1e-3, -1e-3])
    assert evaluate.chance_error(even, draws=2000) == pytest.approx(
        math.sqrt(0.5 / (math.pi * 400)), rel=0.06
    )


def test_the_design_keeps_its_promises(tmp_path: Path) -> None:
    student = Classifier(DESIGN).eval()
    assert multiply_adds(student, (1, 3, 192, 192)) < 215e6  # MobileNetV2 1.0 at 224: 301 million
    export.write(student, 1.0, 192, tmp_path / "c.onnx")
    assert (tmp_path / "c.onnx").stat().st_size < 7e6
    kinds = [node.op_type for node in onnx.load(tmp_path / "c.onnx").graph.node]
    assert kinds.count("Conv") + kinds.count("Gemm") == 27  # as many as before the channels were widened
    channels = [m.out_channels for m in student.modules() if isinstance(m, torch.nn.Conv2d)]
    assert all(n % 8 == 0 for n in channels)
    assert [m.shape[1] for m in student.features(torch.zeros(1, 3, 64, 64))] == list(DESIGN.maps)


WIDER = Design(
    stem=8, second=16, fused=(24, 16), blocks=(Block(40, 24, 2), Block(64, 24), Block(48, 32, 2)), head=80
)
"""`TINY` with more channels everywhere but in the first layer."""


def trained(design: Design, path: Path) -> Classifier:
    """A student with statistics and residuals that are not 0 and 1, exported to `path`."""
    torch.manual_seed(0)
    student = Classifier(design)
    for module in student.modules():
        if isinstance(module, torch.nn.BatchNorm2d):
            torch.nn.init.uniform_(module.weight, 0.5, 1.5)
            torch.nn.init.uniform_(module.bias, -0.5, 0.5)
    student(torch.rand(8, 3, 64, 64))
    torch.nn.init.normal_(student.classify.weight, std=0.3)
    export.write(student.eval(), 1.0, 64, path)
    return student


def test_a_wider_network_begins_as_the_same_function(tmp_path: Path) -> None:
    trained(TINY, tmp_path / "c.onnx")
    views = 2 * torch.rand(16, 3, 64, 64) - 1
    narrow, wide = Classifier(TINY), Classifier(WIDER)
    for student in (narrow, wide):
        begin(student, tmp_path / "c.onnx", views)
    x = 2 * torch.rand(4, 3, 64, 64) - 1
    with torch.no_grad():
        wanted, got = narrow.eval()(x), wide.eval()(x)
        torch.testing.assert_close(got, wanted, rtol=1e-5, atol=1e-5)
        session = onnxruntime.InferenceSession(str(tmp_path / "c.onnx"))
        file = [session.run(None, {"image": one[None].numpy().astype(np.float16)})[0][0] for one in x]
    np.testing.assert_allclose(np.stack(file), got.softmax(1).numpy(), rtol=0.05, atol=1e-4)
    old, new = narrow.features(x), wide.features(x)
    for a, b in zip(old, new, strict=True):
        torch.testing.assert_close(b[:, : a.shape[1]], a, rtol=1e-4, atol=1e-4)
    wide.train()(views).logsumexp(1).sum().backward()
    added = wide.blocks[1].narrow[0].weight.grad[:16, 32:]
    assert float(added.abs().min()) > 0  # the new channels have something to learn from


def test_a_network_that_does_not_fit_is_refused(tmp_path: Path) -> None:
    trained(WIDER, tmp_path / "c.onnx")
    for design in (TINY, DESIGN):
        with pytest.raises(SourceDamagedError, match="another design"):
            begin(Classifier(design), tmp_path / "c.onnx", torch.zeros(2, 3, 64, 64))


def test_export_folds_normalization_and_temperature(tmp_path: Path) -> None:
    torch.manual_seed(0)
    student = Classifier(TINY)
    student(torch.rand(8, 3, 64, 64))  # statistics that are not 0 and 1
    student.eval()
    export.write(student, 1.7, 64, tmp_path / "c.onnx")
    x = 2 * torch.rand(1, 3, 64, 64) - 1
    session = onnxruntime.InferenceSession(str(tmp_path / "c.onnx"))
    (got,) = session.run(None, {"image": x.numpy().astype(np.float16)})
    with torch.no_grad():
        wanted = (student(x) / 1.7).softmax(1).numpy()
    assert np.abs(got.astype(np.float32) - wanted).max() < 0.02 * wanted.max()


def test_packs(tmp_path: Path) -> None:
    tall = pack.fitted(np.zeros((900, 300, 3), np.uint8))
    assert tall.shape == (416, 256, 3)
    names = [f"imagenet_{n:04d}_n01440764_x.jpg" for n in range(300)] + ["coco_1.jpg"]
    held = pack.held_back(names)
    assert len(held) == 100
    assert held == pack.held_back(names[::-1])
    with pytest.raises(SourceNotFoundError, match="--shared"):
        list(pack.classifier_pictures(tmp_path, 3, []))


def test_photographs_that_are_measured_on_are_left_out(tmp_path: Path) -> None:
    rng = np.random.default_rng(5)
    shared, folder = tmp_path / "shared", tmp_path / "folder"
    scenes = [cv2.resize(rng.integers(0, 256, (6, 8, 3), np.uint8), (400, 300)) for _ in range(4)]
    places = [
        shared / "images/eval/0001_n00000001_x.jpg",
        shared / "train/natural/imagenet_0002_n00000002_y.jpg",
    ]
    for path in [*places, folder / "x"]:
        path.parent.mkdir(parents=True)
    for path, scene in zip(places, scenes, strict=False):
        assert cv2.imwrite(str(path), scene)
    mirrored = np.ascontiguousarray(scenes[1][:, ::-1])
    for name, scene in zip("abcd", [scenes[0], mirrored, *scenes[2:]], strict=True):
        assert cv2.imwrite(str(folder / f"{name}.jpg"), cv2.resize(scene, (330, 240)))
    arguments = ["photographs", "--folder", str(folder), "--shared", str(shared), "--parts", "2"]
    assert pack.main([*arguments, "--out", str(tmp_path)]) == 0
    parts = [np.load(tmp_path / f"photographs_{n}.npz") for n in (1, 2)]
    assert [list(part["names"]) for part in parts] == [["c"], ["d"]]
    kept = data.read_pack(tmp_path / "photographs_1.npz", data.TRAIN, CPU)
    assert tuple(kept.canvas.shape) == (1, 3, 192, 264)
    with pytest.raises(SourceNotFoundError, match="no pictures"):
        pack.main([*arguments[:-1], "5", "--out", str(tmp_path / "more")])
    assert not (tmp_path / "more/photographs_3.npz").exists()


def test_a_card_is_filled_between_its_comments(tmp_path: Path) -> None:
    card = tmp_path / "card.md"
    card.write_text("# A\n<!-- evaluation -->\nold\n<!-- /evaluation -->\nend\n", encoding="utf-8")
    filled(card, "evaluation", "| new |")
    assert (
        card.read_text(encoding="utf-8") == "# A\n<!-- evaluation -->\n| new |\n<!-- /evaluation -->\nend\n"
    )


@pytest.mark.shared
def test_half_precision_teacher_agrees(shared: Path, tmp_path: Path) -> None:
    path = shared / "models/classify/mobilenet_v2_1.0_224_f32.onnx"
    assert pack.halved(path, tmp_path / "half.onnx") < 8e6
    pictures = data.read_folder(shared / "images/samples", CPU)
    x = 2 * pictures.centers(torch.arange(2), 224) - 1
    full, maps = teacher.Teacher(path, torch.float32)(x)
    half, _ = teacher.Teacher(tmp_path / "half.onnx", torch.float32)(x)
    assert [m.shape[1] for m in maps] == list(teacher.MAPS.values())
    assert float((full - half).norm() / full.norm()) < 0.05
    assert torch.equal(full.argmax(1), half.argmax(1))
