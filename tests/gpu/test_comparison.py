"""Two ways to compute a network, compared: the figures are those of NumPy and ONNX Runtime; what is said of
results that differ.
"""

from __future__ import annotations

import json
import time

import cv2
import numpy as np
import onnxruntime
import pytest
from PIL import Image
from tiny_models import color_vector_model, red_or_blue_model, square_detector, squares
from waiting import LIMIT_S

from desktop.base.errors import LightloomError
from desktop.cli import run_command
from desktop.media.sources.image import load_image
from desktop.pipeline.running.compare.comparison import Comparison, Way, agreement_of, spread_of
from desktop.pipeline.running.compare.live_comparison import LiveComparison
from desktop.pipeline.running.network_spec import NetworkSpec
from desktop.vision.tasks.shapes import Box, Label


def test_the_spread_is_numpys():
    rng = np.random.default_rng(0)
    a, b = rng.standard_normal((2, 3, 50))
    c = rng.standard_normal(20)
    found = spread_of({"x": a, "y": c}, {"x": b, "y": c})
    assert found.maximum == pytest.approx(np.abs(a - b).max(), rel=1e-12)
    assert found.relative == pytest.approx(np.linalg.norm(a - b) / np.linalg.norm(a), rel=1e-12)
    cosine = (a * b).sum() / np.sqrt((a * a).sum() * (b * b).sum())
    assert found.cosine == pytest.approx(cosine, rel=1e-12)
    same = spread_of({"x": c}, {"x": c})
    assert (same.maximum, same.relative) == (0.0, 0.0) and same.cosine == pytest.approx(1.0, abs=1e-12)
    wrong = spread_of({"x": c}, {"x": np.where(c == c[0], np.nan, c)})
    assert wrong.maximum == wrong.relative == float("inf")
    assert spread_of({"x": c}, {}).cosine == -1.0


def test_results_agree_by_names_and_by_what_boxes_share():
    cat, dog = Label("cat", 0.6, 3), Label("dog", 0.4, 4)
    assert agreement_of((cat, dog), (cat,)).same_first is True
    assert agreement_of((cat, dog), (dog, cat)).same_first is False
    assert agreement_of((cat,), ()).same_first is False
    mine = (Box("a", 0, 0.0, 0.0, 0.5, 0.5), Box("b", 1, 0.6, 0.6, 0.8, 0.8), Box("a", 0, 0.5, 0.0, 1.0, 0.5))
    others = (
        Box("a", 0, 0.0, 0.1, 0.5, 0.5),
        Box("a", 0, 0.6, 0.6, 0.8, 0.8),
        Box("a", 0, 0.5, 0.0, 1.0, 0.5),
    )
    found = agreement_of(mine, others)
    # The first shares four fifths, the third is the same; the second has another name.
    assert found.same_first is None and found.ious == pytest.approx((1.0, 0.8)) and found.unmatched == 2


def test_both_get_the_same_input(gpu, tmp_path):
    model = color_vector_model(tmp_path / "colors.onnx")
    image = tmp_path / "picture.png"
    Image.fromarray(np.random.default_rng(1).integers(0, 256, (32, 32, 3), np.uint8)).save(image)
    comparison = Comparison(gpu, NetworkSpec(str(model)), Way("onnxruntime"), Way("wgpu", "fp32"))
    compared = [comparison.compare(load_image(image).frame) for _ in range(3)]
    totals = comparison.totals
    assert [name.split()[0] for name in comparison.descriptions] == ["onnxruntime", "wgpu"]
    comparison.close()
    # 32 x 32 pixels go in as they are.
    array = np.asarray(Image.open(image), np.float32)[None].transpose(0, 3, 1, 2) / 255
    session = onnxruntime.InferenceSession(str(model), providers=["CPUExecutionProvider"])
    wanted = session.run(None, {"x": array})[0]
    norm = np.linalg.norm(wanted)
    # The two sum 1,024 float32 in different orders.
    assert 0.0 <= totals.spread.maximum < 1e-5 * norm and totals.spread.relative < 1e-5
    assert totals.spread.cosine > 1 - 1e-9 and totals.pictures == 3
    assert all(0 < each.p50 <= each.p95 <= each.p99 for each in totals.times)
    assert totals.difference.verdict == "unknown", "of two times nothing can be said"
    assert compared[0].json() == json.loads(json.dumps(compared[0].json()))


def test_the_command_says_what_both_say(tmp_path, capsys):
    model = red_or_blue_model(tmp_path / "colors.onnx")
    pictures = []
    for name, color in (("red", (255, 0, 0)), ("blue", (0, 0, 255))):
        pictures.append(str(tmp_path / f"{name}.png"))
        assert cv2.imwrite(pictures[-1], np.full((40, 40, 3), color[::-1], np.uint8))
    line = ["model", "compare", str(model), *pictures, "--first", "onnxruntime", "--second", "wgpu:fp32"]
    assert run_command([*line, "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert [each["first"]["top"][0]["index"] for each in said["pictures"]] == [0, 2]
    assert [each["second"]["top"][0]["index"] for each in said["pictures"]] == [0, 2]
    assert said["totals"]["same_first"] == said["totals"]["named"] == said["totals"]["pictures"] == 2
    assert said["totals"]["spread"]["maximum"] < 1e-5
    detector = square_detector(tmp_path / "squares.onnx")
    assert cv2.imwrite(str(tmp_path / "squares.png"), squares()[..., ::-1])
    assert run_command(["model", "compare", str(detector), str(tmp_path / "squares.png")]) == 0
    text = capsys.readouterr().out
    assert "2 in both, IoU 1.0000 in the mean; 0 in one alone" in text and "cosine 1.0000000" in text
    with pytest.raises(SystemExit):
        run_command(["model", "compare", str(model), pictures[0], "--first", "cuda:fp8"])
    assert "BACKEND:PRECISION" in capsys.readouterr().err


def wait(condition, seconds=LIMIT_S):
    end = time.perf_counter() + seconds
    while not condition() and time.perf_counter() < end:
        time.sleep(0.01)
    assert condition()


def test_beside_what_plays_it_takes_new_pictures_and_ends(gpu, tmp_path):
    model = red_or_blue_model(tmp_path / "colors.onnx")
    image = tmp_path / "red.png"
    assert cv2.imwrite(str(image), np.full((40, 40, 3), (0, 0, 255), np.uint8))
    frames = [load_image(image).frame, load_image(image).frame]
    now = [frames[0]]
    live = LiveComparison(gpu, NetworkSpec(str(model)), (Way("onnxruntime"), Way("wgpu")), lambda: now[0])
    wait(lambda: live.state.newest is not None)
    assert live.state.totals.pictures == 1 and live.state.newest.agreement.same_first
    now[0] = frames[1]
    wait(lambda: live.state.totals.pictures == 2)
    # A picture that stands is not compared again.
    time.sleep(0.7)
    assert live.state.totals.pictures == 2
    assert live.stop(20.0)
    broken = tmp_path / "broken.onnx"
    broken.write_bytes(b"no network")
    live = LiveComparison(gpu, NetworkSpec(str(broken)), (Way("onnxruntime"), Way("wgpu")), lambda: now[0])
    wait(lambda: live.state.state == "failed")
    assert "broken.onnx" in live.state.text and live.stop(5.0)
    with pytest.raises(LightloomError):
        Comparison(gpu, NetworkSpec(str(broken)), Way(), Way())
