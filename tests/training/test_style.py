"""Training of the styles: their pictures, the networks, the losses and one whole tiny run, all on the CPU."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import onnx
import pytest
from onnx import TensorProto

torch = pytest.importorskip("torch")

from desktop.base.errors import UsageError  # noqa: E402
from training.common import checkpoint  # noqa: E402
from training.style import choose, evaluate, export, train  # noqa: E402
from training.style.loss import (  # noqa: E402
    RECIPES,
    Features,
    Recipe,
    StyleLoss,
    lost_edges,
    patches,
    random_directions,
    relaxed_distance,
    similarities,
    sliced_distance,
)
from training.style.model import Johnson, StyleNet, build, freeze_statistics, multiply_adds  # noqa: E402
from training.style.motion import Motion, Pair, inconsistency, moved, warped  # noqa: E402
from training.style.paintings import STYLES, Style, noise, paint, ramp, rgb  # noqa: E402

RECIPE = Recipe(layers={"first": 1.0, "second": 1.0}, content_layer="second", style_size=96)


def smooth_image(height: int = 64, width: int = 64, count: int = 1) -> torch.Tensor:
    coarse = torch.rand(count, 3, height // 8, width // 8, generator=torch.Generator().manual_seed(2))
    return torch.nn.functional.interpolate(coarse, size=(height, width), mode="bicubic").clamp(0, 1)


# ------------------------------------------------------------ pictures


DRAWN = [name for name, style in STYLES.items() if isinstance(style, Style)]


@pytest.mark.parametrize("name", DRAWN)
def test_a_painting_is_the_same_each_time_and_full_of_detail(name: str) -> None:
    first, second = paint(name, 192), paint(name, 192)
    assert first.shape == (192, 192, 3)
    assert first.dtype == np.uint8
    np.testing.assert_array_equal(first, second)
    gray = cv2.cvtColor(first, cv2.COLOR_RGB2GRAY).astype(np.float32)
    assert np.percentile(gray, 98) - np.percentile(gray, 2) > 100  # uses the range of tones
    assert np.abs(cv2.Laplacian(gray, cv2.CV_32F)).mean() > 5  # has fine texture


def test_paintings_differ_from_each_other() -> None:
    small = [
        cv2.resize(paint(name, 192), (8, 8), interpolation=cv2.INTER_AREA).astype(float) for name in DRAWN
    ]
    distances = [np.abs(a - b).mean() for i, a in enumerate(small) for b in small[:i]]
    assert min(distances) > 20


def test_ramp_and_noise() -> None:
    palette = rgb("000000", "ff0000", "ffffff")
    found = ramp(palette, np.array([0, 0.25, 0.5, 1], np.float32))
    np.testing.assert_allclose(found, [[0, 0, 0], [0.5, 0, 0], [1, 0, 0], [1, 1, 1]], atol=1e-6)
    field = noise(np.random.default_rng(0), 64, 4)
    assert field.shape == (64, 64)
    assert field.min() >= 0
    assert field.max() <= 1
    assert field.std() > 0.05


# ------------------------------------------------------------ networks


@pytest.mark.parametrize("norm", ["batch", "instance", "none"])
@pytest.mark.parametrize("size", [(64, 64), (40, 72)])
def test_network_keeps_size_and_range(norm: str, size: tuple[int, int]) -> None:
    network = build("ours", norm).eval()
    with torch.no_grad():
        styled = network(smooth_image(*size))
    assert styled.shape == (1, 3, *size)
    assert styled.min() >= 0
    assert styled.max() <= 1


def test_multiply_adds_against_the_sum_by_hand() -> None:
    # Johnson at 64: 9x9 3-32, 3x3 32-64 and 64-128 at strides 2, ten 128-128, 128-64, 64-32, 9x9 32-3.
    full, half, quarter = 64 * 64, 32 * 32, 16 * 16
    expected = 2 * 81 * 96 * full + 9 * (32 * 64 * half + 64 * 128 * quarter + 10 * 128 * 128 * quarter)
    expected += 9 * (128 * 64 * half + 64 * 32 * full)
    assert multiply_adds(Johnson(), 64) == expected


def test_ours_does_an_eighth_of_johnsons_work_within_its_size() -> None:
    ours = StyleNet()
    assert multiply_adds(Johnson(), 512) > 8 * multiply_adds(ours, 512)
    assert sum(p.numel() for p in ours.parameters()) * 2 < export.LARGEST


def test_frozen_statistics_stay() -> None:
    network = StyleNet()
    network.train()
    freeze_statistics(network)
    before = network.down2.norm.running_mean.clone()
    network(torch.rand(2, 3, 32, 32))
    torch.testing.assert_close(network.down2.norm.running_mean, before, atol=0, rtol=0)


def test_unknown_network() -> None:
    with pytest.raises(ValueError, match='no network "vgg"'):
        build("vgg")


# ------------------------------------------------------------ motion


def test_warp_by_whole_pixels_is_a_shift() -> None:
    image = torch.rand(1, 3, 20, 30)
    flow = torch.zeros(1, 2, 20, 30)
    flow[:, 0], flow[:, 1] = 4, -3
    found, inside = warped(image, flow)
    torch.testing.assert_close(found[:, :, 3:, :-4], image[:, :, :-3, 4:], atol=1e-5, rtol=0)
    assert inside[:, :, 3:, :-4].all()
    assert inside.sum() == 17 * 26


def test_warp_against_opencv() -> None:
    image = smooth_image(40, 48)
    generator = torch.Generator().manual_seed(4)
    flow = torch.nn.functional.interpolate(
        torch.randn(1, 2, 4, 4, generator=generator) * 2, size=(40, 48), mode="bicubic"
    )
    found, _ = warped(image, flow)
    y, x = np.mgrid[0:40, 0:48].astype(np.float32)
    maps = x + flow[0, 0].numpy(), y + flow[0, 1].numpy()
    expected = cv2.remap(
        image[0].permute(1, 2, 0).numpy(), *maps, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    # OpenCV rounds positions to 1/32 pixel.
    np.testing.assert_allclose(found[0].permute(1, 2, 0).numpy(), expected, atol=0.02)


def test_a_pair_is_consistent_where_its_mask_says() -> None:
    first = smooth_image(64, 64, 4)
    quiet = Motion(noise=0.0, gain=0.0)
    pair = moved(first, quiet, torch.Generator().manual_seed(0))
    assert inconsistency(first, pair.second, pair).item() < 1e-10
    assert 0.3 < pair.mask.mean() < 1
    whole = Pair(pair.second, pair.flow, torch.ones_like(pair.mask))
    assert (
        inconsistency(first, pair.second, whole).item() > 1e-4
    )  # the occluder and what came in at the edges


def test_inconsistency_is_a_masked_mean() -> None:
    first, second = torch.zeros(1, 3, 4, 4), torch.full((1, 3, 4, 4), 0.5)
    mask = torch.zeros(1, 1, 4, 4)
    mask[..., :2] = 1
    second[..., 2:] = 9
    pair = Pair(second, torch.zeros(1, 2, 4, 4), mask)
    assert inconsistency(first, second, pair, power=1).item() == pytest.approx(0.5)
    assert inconsistency(first, second, pair, power=2).item() == pytest.approx(0.25)


# ------------------------------------------------------------ losses


def test_sliced_distance_in_one_dimension_is_the_wasserstein_distance() -> None:
    a, b = torch.randn(1, 200, 1), torch.randn(1, 200, 1) + 3
    found = sliced_distance(a, b, torch.ones(1, 1)).item()
    expected = np.mean((np.sort(a.numpy().ravel()) - np.sort(b.numpy().ravel())) ** 2)
    assert found == pytest.approx(expected, rel=1e-5)
    shuffled = a[:, torch.randperm(200)]
    assert sliced_distance(a, shuffled, random_directions(1, 4, a.device)).item() == pytest.approx(
        0, abs=1e-10
    )


def test_relaxed_distance_against_all_pairs() -> None:
    generator = np.random.default_rng(3)
    ours, style = generator.normal(size=(2, 5, 4)), generator.normal(size=(1, 7, 4))
    angles = [
        [[a @ b / np.linalg.norm(a) / np.linalg.norm(b) for b in style[0]] for a in picture]
        for picture in ours
    ]
    distances = 1 - np.array(angles)
    expected = distances.min(2).mean() + 0.3 * distances.reshape(-1, 7).min(0).mean()
    found = relaxed_distance(torch.from_numpy(ours), torch.from_numpy(style), 0.3).item()
    assert found == pytest.approx(expected, rel=1e-9)


def test_similarities_do_not_know_the_palette() -> None:
    columns = torch.rand(1, 6, 3)
    turn = torch.linalg.qr(torch.randn(3, 3))[0]
    found = similarities(columns)
    torch.testing.assert_close(found, similarities(2 * columns @ turn), atol=1e-4, rtol=1e-3)
    torch.testing.assert_close(found.sum(2), torch.ones(1, 6), atol=1e-4, rtol=0)


def test_edges_are_missed_in_faces_only() -> None:
    photo, faces = smooth_image(), torch.zeros(1, 1, 64, 64)
    faces[..., :32] = 1
    changed = photo.clone()
    changed[..., 40:] = 0.5
    assert lost_edges(photo + 0.2, photo, faces).item() == pytest.approx(0, abs=1e-6)
    assert lost_edges(changed, photo, faces).item() == pytest.approx(0, abs=1e-6)
    assert lost_edges(changed.flip(3), photo, faces).item() > 0.005


def test_a_recipe_with_nearest_neighbors_reaches_the_style(features: Path) -> None:
    torch.manual_seed(0)
    recipe = replace(RECIPE, nearest=2.0, similarity=1.0, faces=2.0)
    style = torch.from_numpy(paint("ink", 96)).permute(2, 0, 1)[None].float() / 255
    loss = StyleLoss(Features(features, recipe.values), style, recipe, samples=512, slices=32)
    photo = smooth_image(96, 96)
    faces = torch.ones(1, 1, 96, 96)
    itself, other = loss(style, photo, faces), loss(photo, photo, faces)
    assert itself["style"].item() < 0.3 * other["style"].item()
    assert other["content"].item() == pytest.approx(0, abs=1e-5)
    assert other["edges"].item() == 0


def test_letters_hide_names_and_votes_are_counted(tmp_path: Path) -> None:
    key = choose.letters(["one", "two", "three"], seed=1)
    assert sorted(key) == ["A", "B", "C"] and sorted(key.values()) == ["one", "three", "two"]
    assert key == choose.letters(["one", "two", "three"], seed=1)
    votes = []
    for number, chosen in enumerate((["A", "B"], ["B", "B"], ["B", "C"])):
        votes.append(tmp_path / f"{number}.json")
        votes[-1].write_text(json.dumps(chosen))
    assert choose.count(votes, key)[0] == (key["B"], 3)
    votes[0].write_text('["Z"]')
    with pytest.raises(UsageError, match="names Z, which no candidate has"):
        choose.count(votes, key)


def test_patches_are_taken_from_the_picture() -> None:
    image = torch.arange(3 * 20 * 20, dtype=torch.float32).view(1, 3, 20, 20)
    found = patches(image, 50)
    assert found.shape == (1, 50, 147)
    for patch in found[0, :5].view(-1, 3, 7, 7):
        start = int(patch[0, 0, 0])
        y, x = divmod(start, 20)
        torch.testing.assert_close(patch, image[0, :, y : y + 7, x : x + 7])


def test_style_loss_prefers_the_style_and_content_loss_the_photograph(features: Path) -> None:
    torch.manual_seed(0)
    style = torch.from_numpy(paint("ink", 96)).permute(2, 0, 1)[None].float() / 255
    loss = StyleLoss(Features(features, RECIPE.values), style, RECIPE, samples=512, slices=32)
    photo = smooth_image(96, 96)
    itself, other = loss(style, photo), loss(photo, photo)
    assert itself["style"].item() < 0.2 * other["style"].item()
    assert other["content"].item() == pytest.approx(0, abs=1e-9)
    assert itself["content"].item() > 0.05


def test_style_loss_reaches_the_pixels(features: Path) -> None:
    torch.manual_seed(0)
    style = torch.from_numpy(paint("oil", 96)).permute(2, 0, 1)[None].float() / 255
    loss = StyleLoss(Features(features, RECIPE.values), style, RECIPE, samples=256, slices=16)
    photo = smooth_image(64, 64)
    image = photo.clone().requires_grad_()
    optimizer = torch.optim.Adam([image], 0.02)
    history = []
    for _ in range(15):
        total = loss.total(loss(image, photo))
        history.append(total.item())
        optimizer.zero_grad()
        total.backward()
        optimizer.step()
    assert history[-1] < 0.6 * history[0]


# ------------------------------------------------------------ runs


def command(photographs: Path, features: Path, out: Path) -> list[str]:
    return ["--tiny", "--pack", str(photographs), "--features", str(features), "--out", str(out)]


def test_a_tiny_run_from_training_to_card(photographs: Path, features: Path, tmp_path: Path) -> None:
    runs, models = tmp_path / "runs", tmp_path / "models"
    assert train.main(["--style", "ink", *command(photographs, features, runs)], RECIPE) == 0
    log = json.loads((runs / "ink_ours.json").read_text())
    assert set(log[-1]) == {"step", "steps_per_s", "style", "content", "variation", "temporal"}
    assert np.isfinite(list(log[-1].values())).all()
    assert cv2.imread(str(runs / "ink_ours.jpg")) is not None

    assert export.main(["--style", "ink", "--runs", str(runs), "--out", str(models)]) == 0
    import onnxruntime as ort

    session = ort.InferenceSession(str(models / "style_ink.onnx"), providers=["CPUExecutionProvider"])
    assert [i.name for i in session.get_inputs()] == ["image"]
    assert session.get_inputs()[0].shape == [1, 3, "height", "width"]
    for size in ((64, 48), (8, 16)):
        image = np.random.default_rng(0).random((1, 3, *size)).astype(np.float16)
        (styled,) = session.run(["styled"], {"image": image})
        assert styled.shape == (1, 3, *size)

    card = tmp_path / "model-cards"
    card.mkdir()
    (card / "style.md").write_text("before\n<!-- figures -->\nold\n<!-- /figures -->\nafter\n")
    given = [
        "--runs",
        str(runs),
        "--pack",
        str(photographs),
        "--features",
        str(features),
        "--docs",
        str(tmp_path),
    ]
    assert evaluate.main(given, RECIPE) == 0
    assert evaluate.main([*given, "--card"], RECIPE) == 0
    text = (card / "style.md").read_text()
    assert "| Ink and wash | ours |" in text
    assert "old" not in text
    assert text.startswith("before")
    assert text.endswith("after\n")


def test_resume_goes_on_as_if_never_stopped(photographs: Path, features: Path) -> None:
    settings = train.Settings("ink", batch=2, size=64, samples=64, slices=4, painting=96, steps=1)
    pictures = train.read_pack(photographs, train.TRAIN, torch.device("cpu"))

    def fresh() -> train.Training:
        return train.Training(settings, RECIPE, features, pictures, torch.device("cpu"))

    def step(training: train.Training) -> None:
        torch.manual_seed(9)  # the losses' random directions come from the global generator
        training.step(1.0)

    straight = fresh()
    step(straight)
    state = torch.load(saved(straight.state()), weights_only=True)
    step(straight)
    resumed = fresh()
    resumed.restore(state)
    step(resumed)
    assert resumed.steps == straight.steps == 2
    for ours, theirs in zip(resumed.network.parameters(), straight.network.parameters(), strict=True):
        torch.testing.assert_close(ours, theirs, atol=1e-6, rtol=1e-5)


def saved(state: dict[str, object]) -> io.BytesIO:
    file = io.BytesIO()
    torch.save(state, file)
    file.seek(0)
    return file


@pytest.mark.parametrize("norm", ["batch", "instance", "none"])
def test_export_is_the_network(norm: str, tmp_path: Path) -> None:
    torch.manual_seed(0)
    network = StyleNet(norm=norm)
    network.train()
    for _ in range(3):  # gives the batch statistics something to fold
        network(torch.rand(2, 3, 64, 64))
    with torch.no_grad():
        # An untrained network's picture is nearly gray, and comparing two gray ones would say nothing.
        network.out.conv.bias.zero_()
        network.out.conv.weight.mul_(1 / torch.logit(network.eval()(smooth_image())).std())
        assert network(smooth_image()).std().item() > 0.1
    export.write(network, tmp_path / "style_test.onnx")
    assert export.difference(network, tmp_path / "style_test.onnx") < export.TOLERANCE  # against onnxruntime
    model = onnx.load(tmp_path / "style_test.onnx")
    assert model.opset_import[0].version == 17
    assert all(c.data_type == TensorProto.FLOAT16 for c in model.graph.initializer if len(c.dims) == 4)


def test_a_network_that_fp16_cannot_hold_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    network = StyleNet(norm="none")
    with torch.no_grad():
        network.down2.conv.weight.mul_(3e4)
        network.down4.conv.weight.mul_(3e3)
    state = {"settings": {"network": "ours", "norm": "none"}, "average": network.state_dict()}
    checkpoint.save(tmp_path / "ink_ours.pt", state)
    assert export.main(["--style", "ink", "--runs", str(tmp_path), "--out", str(tmp_path)]) == 1
    assert "nothing was replaced" in capsys.readouterr().err
    assert not list(tmp_path.glob("*.onnx*"))


def test_recipes_fit_squeezenet(shared: Path) -> None:
    path = shared / "models/classify/squeezenet_fp16.onnx"
    for name in STYLES:
        recipe = RECIPES[name]
        found = Features(path, recipe.values)(smooth_image(96, 96))
        assert set(found) == set(recipe.values)
        assert all(torch.isfinite(value).all() and value.std() > 0 for value in found.values())
