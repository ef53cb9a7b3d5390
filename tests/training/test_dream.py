"""Dreamed pictures: the statistics' prior, the change towards a class, packs of them, and a training that
takes them.
"""

from __future__ import annotations

import itertools
import json
import math
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import pytest
from onnx import TensorProto, helper, numpy_helper

torch = pytest.importorskip("torch")

from desktop.base.errors import LightloomError  # noqa: E402
from training.classifier import dream, train  # noqa: E402
from training.classifier.teacher import MAPS, Teacher  # noqa: E402
from training.common import checkpoint, data  # noqa: E402

pytestmark = [pytest.mark.long, pytest.mark.usefixtures("one_thread")]

CPU = torch.device("cpu")


@pytest.fixture
def seen(small_teacher: Path) -> Teacher:
    return Teacher(small_teacher, torch.float32)


def test_the_prior_beside_numpy(small_teacher: Path, seen: Teacher) -> None:
    rng = np.random.default_rng(0)
    usual, odd = (rng.normal(m, s, (8, 3, 64, 64)).astype(np.float32) for m, s in ((0, 0.5), (0.2, 0.7)))
    model = onnx.load(small_teacher)
    for name in MAPS:
        model.graph.output.append(helper.make_tensor_value_info(name, TensorProto.FLOAT, None))
    model.graph.input[0].CopyFrom(helper.make_tensor_value_info("input", TensorProto.FLOAT, [1, 3, 64, 64]))
    session = onnxruntime.InferenceSession(model.SerializeToString())

    def statistics(x: np.ndarray) -> list[tuple[np.ndarray, np.ndarray]]:
        runs = [session.run(list(MAPS), {"input": picture[None]}) for picture in x]
        maps = [np.concatenate(parts) for parts in zip(*runs, strict=True)]
        return [(m.mean((0, 2, 3)), m.var((0, 2, 3))) for m in maps]

    prior = dream.Prior.measured(seen, iter(torch.from_numpy(usual).split(4)))
    wanted = []
    for place, ((mean, variance), (m, v)) in enumerate(zip(statistics(usual), statistics(odd), strict=True)):
        np.testing.assert_allclose(prior.means[place].numpy(), mean, rtol=1e-3, atol=1e-5)
        np.testing.assert_allclose(prior.variances[place].numpy(), variance, rtol=1e-3, atol=1e-6)
        floor = variance + 1e-3 * variance.mean()
        spread = (np.sqrt(v / floor) - np.sqrt(variance / floor)) ** 2
        wanted.append(((m - mean) ** 2 / floor).mean() + spread.mean())
    got = float(prior.distance(seen(torch.from_numpy(odd))[1]))
    assert got == pytest.approx(np.mean(wanted), rel=1e-3)
    assert float(prior.distance(seen(torch.from_numpy(usual))[1])) == pytest.approx(0, abs=1e-6)


def test_a_dream_raises_its_class(packed: Path, seen: Teacher) -> None:
    pictures = data.read_pack(packed, data.TRAIN, CPU)
    generator = torch.Generator().manual_seed(0)
    plan = dream.Plan(side=64, steps=20, batch=4, candidates=16, rate=0.05)
    classes = torch.tensor([3, 250, 600, 999])
    x = dream.beginnings(pictures, seen, classes, plan, generator)
    prior = dream.Prior.measured(
        seen, iter([2 * pictures.views(pictures.chosen(16, generator), 64, data.Augment(), generator) - 1])
    )
    y, _ = dream.changed(x, classes, seen, prior, plan, generator)
    before, after = (seen(z)[0].log_softmax(1)[range(4), classes] for z in (x, y))
    assert bool((after > before + 0.5).all())
    assert float(y.abs().max()) <= 1
    far = dream.changed(x, classes, seen, prior, dream.replace(plan, prior=3000.0), generator)[0]
    assert prior.distance(seen(far)[1]) < prior.distance(seen(y)[1])


def test_beginnings_are_the_crops_that_resemble_the_class(packed: Path, seen: Teacher) -> None:
    pictures = data.read_pack(packed, data.TRAIN, CPU)
    plan = dream.Plan(side=64, batch=8, candidates=64, spread=0.0)
    classes = torch.arange(0, 1000, 50)
    best = dream.beginnings(pictures, seen, classes, plan, torch.Generator().manual_seed(0))
    any_ = (
        2
        * pictures.views(
            pictures.chosen(20, generator := torch.Generator().manual_seed(1)), 64, data.Augment(), generator
        )
        - 1
    )
    here, there = ((a := seen(z)[0])[range(20), classes].mean() - a.mean() for z in (best, any_))
    assert here > there + 1


def test_crops_are_parts_of_their_pictures() -> None:
    x = torch.linspace(-1, 1, 32).expand(64, 3, 32, 32)  # a ramp from left to right
    draws = torch.rand(64, 4, generator=torch.Generator().manual_seed(0))
    got = dream.crops(x, 0.25, draws)[:, 0, 16]
    mirrored = draws[:, 3] < 0.5
    assert bool((got[mirrored][:, 1] > got[mirrored][:, -2]).all())
    assert bool((got[~mirrored][:, 1] < got[~mirrored][:, -2]).all())
    widths = (got[:, -2] - got[:, 1]).abs() / (29 * 2 / 31)
    torch.testing.assert_close(widths, (0.25 + 0.75 * draws[:, 0]).sqrt(), rtol=0.02, atol=0.02)


def test_one_command_dreams_and_a_training_takes_the_pack(
    packed: Path, small_teacher: Path, tmp_path: Path
) -> None:
    out, page = tmp_path / "dreams.npz", tmp_path / "page.jpg"
    usual = ["--tiny", "--data", str(packed), "--teacher", str(small_teacher)]
    assert dream.main([*usual, "--out", str(out), "--sheet", str(page)]) == 0
    dreams = data.read_pack(out, data.TRAIN, CPU)
    assert len(dreams) == 8 and dreams.canvas.shape[1:] == (3, 64, 64)
    assert all(0 <= dream.class_of(name) < 1000 for name in dreams.names)
    assert set(dreams.labels.tolist()) == {-1}  # their classes are what was asked for, not what they show
    assert page.stat().st_size > 1000
    checkpoints = []
    for more in (["--dreams", str(out)], ["--dream-minutes", "1"], []):
        at = tmp_path / f"c{len(checkpoints)}.ckpt"
        assert train.main([*usual, "--no-compile", "--samples", "16", "--out", str(at), *more]) == 0
        assert math.isfinite(json.loads(at.with_suffix(".json").read_text())[-1]["loss"])
        checkpoints.append(checkpoint.load(at, CPU))
    assert len(data.read_pack(tmp_path / "c1_dreams.npz", data.TRAIN, CPU)) == 8
    assert (tmp_path / "c1_dreams.jpg").exists()
    weights = [c["student"]["stem.0.0.weight"] for c in checkpoints]
    assert not torch.equal(weights[0], weights[2])


def test_a_batch_has_its_share_of_dreams(seen: Teacher) -> None:
    black, white = (data.Pictures.stacked([np.full((40, 40, 3), v, np.uint8)], ["a"], CPU) for v in (0, 255))
    plain = data.Augment(light=0, contrast=0, saturation=0, hue=0, gray=0, soften=0, cutmix=0, mixup=0)
    sources = [train.Source(black, 1.0, plain), train.Source(white, 0.25, plain)]
    make = train.batches(sources, seen, 64, torch.Generator().manual_seed(0), compiled=False)
    x, logits, maps, labels = make(32)
    assert float((x > 0.99).flatten(1).all(1).float().sum()) == 8
    torch.testing.assert_close(seen(x)[0], logits)
    assert [m.shape[1] for m in maps] == list(MAPS.values()) and set(labels.tolist()) == {-1}


def test_an_echo_uses_each_batch_twice_with_others_between() -> None:
    numbers = itertools.count()
    echo = train.Echo(lambda count: (next(numbers), count), kept=2)
    assert [echo(4)[0] for _ in range(10)] == [0, 1, 2, 0, 3, 1, 4, 2, 5, 3]
    once = train.Echo(lambda count: (next(numbers), count), kept=0)
    assert [once(4)[0] for _ in range(4)] == [6, 7, 8, 9]


def test_dreams_that_fail_are_done_without(
    packed: Path,
    small_teacher: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def fails(*_: object) -> None:
        raise LightloomError("A dream diverged.")

    monkeypatch.setattr(train, "dreamed", fails)
    usual = ["--tiny", "--no-compile", "--data", str(packed), "--teacher", str(small_teacher)]
    assert train.main([*usual, "--dream-minutes", "1", "--out", str(tmp_path / "c.ckpt")]) == 0
    assert "no dreams: A dream diverged." in capsys.readouterr().err


def test_who_recognizes_a_dream(seen: Teacher, tmp_path: Path) -> None:
    """A judge that always names class 7 first and 8 second."""
    scores = np.zeros(1000, np.float32)
    scores[[7, 8]] = 2, 1
    graph = helper.make_graph(
        [
            helper.make_node("GlobalAveragePool", ["data"], ["mean"]),
            helper.make_node("ReduceMean", ["mean"], ["one"], axes=[1, 2, 3], keepdims=0),
            helper.make_node("Mul", ["one", "none"], ["nothing"]),
            helper.make_node("Add", ["nothing", "scores"], ["out"]),
        ],
        "judge",
        [helper.make_tensor_value_info("data", TensorProto.FLOAT, [1, 3, 224, 224])],
        [helper.make_tensor_value_info("out", TensorProto.FLOAT, [1000])],
        [numpy_helper.from_array(np.zeros(1, np.float32), "none"), numpy_helper.from_array(scores, "scores")],
    )
    path = tmp_path / "judge.onnx"
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8), path)
    names = ["dream_0007_0", "dream_0008_1", "dream_0900_2", "dream_0007_3"]
    pixels = [np.full((32, 32, 3), 90, np.uint8)] * 4
    figures = dream.recognized(data.Pictures.stacked(pixels, names, CPU), seen, path)
    assert figures["pictures"] == 4
    assert figures["squeezenet_top1"] == 0.5
    assert figures["squeezenet_top5"] == 1.0  # of 998 equal scores none is before another
