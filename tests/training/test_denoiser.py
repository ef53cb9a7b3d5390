"""Training of the denoiser: the network, its sampler beside the app's, one whole tiny run and the export, all
on the CPU.
"""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import onnx
import pytest

torch = pytest.importorskip("torch")

from desktop.pipeline.running.repaint import denoising  # noqa: E402
from training.diffusion import evaluate, export, train  # noqa: E402
from training.diffusion.model import Denoiser, levels, noised, sampled, sketched  # noqa: E402

WIDTHS = (8, 8, 16, 16)


def network(seed: int = 0) -> Denoiser:
    """With weights that do something: as it begins, its residuals are zero."""
    torch.manual_seed(seed)
    made = Denoiser(WIDTHS)
    for parameter in made.parameters():
        torch.nn.init.normal_(parameter, 0, 0.06)
    return made.eval()


def pictures(count: int = 2, height: int = 48, width: int = 64) -> torch.Tensor:
    return torch.rand(count, 3, height, width, generator=torch.Generator().manual_seed(1)) * 2 - 1


def test_without_noise_the_picture_comes_back_and_at_the_end_only_the_prediction_counts() -> None:
    made, picture = network(), pictures()
    with torch.no_grad():
        same = made(picture, sketched(picture), torch.zeros(2, 1, 1, 1))
        one = torch.ones(2, 1, 1, 1)
        whole = made(picture, sketched(picture), one)
        predicted = made.predicted(picture, sketched(picture), one)
    torch.testing.assert_close(same, picture)
    torch.testing.assert_close(whole, predicted)


def test_sketch_noise_and_levels_are_the_apps() -> None:
    picture = pictures(1)
    mine = denoising.sketch(denoising.squares(picture.numpy()), 48, 64)
    np.testing.assert_allclose(sketched(picture).numpy(), mine, atol=1e-5)
    for steps in (1, 2, 4):
        assert levels(0.7, steps) == pytest.approx(
            denoising.DenoiseSettings(steps=steps, strength=0.7).levels()
        )
    level = torch.full((1, 1, 1, 1), 0.25)
    torch.testing.assert_close(noised(picture, torch.ones_like(picture), level), 0.75 * picture + 0.25)


def test_two_steps_by_hand() -> None:
    made, picture, noise = network(), pictures(1), pictures(1) * 1.5
    sketch = sketched(picture)

    def look(x: torch.Tensor, share: float) -> torch.Tensor:
        level = torch.full((1, 1, 1, 1), share)
        return made((1 - share) * x + share * noise, sketch, level).clamp(-1, 1)

    with torch.no_grad():
        torch.testing.assert_close(sampled(made, picture, noise, 0.8, 2), look(look(picture, 0.8), 0.4))


def test_one_step_a_checkpoint_and_the_exported_file(
    tmp_path: Path, features: Path, photographs: Path
) -> None:
    options = ["--tiny", "--pack", str(photographs), "--features", str(features), "--out", str(tmp_path)]
    names = {"texture": ("first",), "content": ("second",)}
    assert train.main(options, **names) == 0
    (entry,) = json.loads((tmp_path / "denoiser.json").read_text("utf-8"))
    assert {"step", "color", "pixels", "content", "texture", "patches"} <= entry.keys()
    assert all(np.isfinite(value) for value in entry.values())
    sheet = cv2.imread(str(tmp_path / "denoiser.png"))
    assert sheet.shape == (6 * 64, 2 * 64, 3)
    assert train.main([*options, "--resume"], **names) == 0
    assert json.loads((tmp_path / "denoiser.json").read_text("utf-8"))[0]["step"] == 2
    path, worst = export.export(tmp_path, tmp_path / "models")
    assert worst <= export.TOLERANCE
    model = onnx.load(str(path))
    assert [value.name for value in model.graph.input] == ["noised", "sketch", "level"]
    assert path.with_suffix(".toml").exists()


def test_the_exported_denoiser_is_the_trained_one(tmp_path: Path) -> None:
    made = network(3)
    export.write(made, tmp_path / "d.onnx")
    assert export.difference(made, tmp_path / "d.onnx") <= export.TOLERANCE
    assert export.difference(network(4), tmp_path / "d.onnx") > export.TOLERANCE


def test_figures_of_a_network_that_gives_its_sketch_back(tmp_path: Path) -> None:
    class Sketching(torch.nn.Module):
        def forward(self, noisy: torch.Tensor, sketch: torch.Tensor, level: torch.Tensor) -> torch.Tensor:
            return sketch

    photo = pictures(2, 64, 64) / 2 + 0.5
    found = evaluate.measure(Sketching(), photo, 0.6, 2, photo)
    assert found.psnr == pytest.approx(evaluate.psnr(sketched(photo), photo), abs=1e-4)
    assert found.steady == found.boiling  # it does not look at the noise
    assert found.clip == pytest.approx(
        255 * float((sketched(photo)[1] - sketched(photo)[0]).abs().mean()), rel=1e-4
    )


def test_psnr_beside_opencvs() -> None:
    one, two = (pictures(1, 32, 32) / 2 + 0.5 for _ in range(2))
    two = (two * 0.9).clamp(0, 1)
    expected = cv2.PSNR(one.numpy(), two.numpy(), R=1.0)
    assert evaluate.psnr(two, one) == pytest.approx(expected, abs=1e-3)
