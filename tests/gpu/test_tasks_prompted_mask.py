"""Click to segment, on both backends, beside ONNX Runtime and the way of the origins' predictors in NumPy and
OpenCV.
"""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import onnx
import onnxruntime
import pytest
from prompt_models import (
    PairSize,
    decoder,
    efficient_decoder,
    efficient_encoder,
    encoder,
    encoder_of_pixels,
    sam2_decoder,
    sam2_encoder,
)
from test_pipeline import rgba_frame
from waiting import until

from desktop.base.errors import LightloomError, ModelError, ModelUnsupportedError
from desktop.pipeline.engine import Engine
from desktop.pipeline.filters.library import FilterLibrary
from desktop.pipeline.running.network_spec import NetworkSpec
from desktop.pipeline.running.opening import load_analysis
from desktop.pipeline.setup.setup import Setup
from desktop.vision.models.model_file import ModelFile
from desktop.vision.tasks import recognize
from desktop.vision.tasks.common.prompts import PromptPoint, Prompts

SIZE = PairSize()
MEAN, STD = np.array([123.675, 116.28, 103.53]), np.array([58.395, 57.12, 57.375])
WIDTH, HEIGHT = 240, 150
CLICK = Prompts((PromptPoint(0.4, 0.55),))
THREE = Prompts((PromptPoint(0.4, 0.55), PromptPoint(0.9, 0.2, False), PromptPoint(0.3, 0.7)))
BOX = Prompts((PromptPoint(0.5, 0.5),), (0.25, 0.2, 0.75, 0.9))
KINDS = {
    "sam": (encoder, decoder),
    "pixels": (encoder_of_pixels, decoder),
    "sam2": (sam2_encoder, sam2_decoder),
    "efficient": (efficient_encoder, efficient_decoder),
}


def photograph() -> np.ndarray:
    """uint8 R'G'B' with large smooth things, as photographs have them."""
    generator = np.random.default_rng(5)
    small = generator.uniform(0, 255, (6, 9, 3)).astype(np.float32)
    return np.clip(cv2.resize(small, (WIDTH, HEIGHT), interpolation=cv2.INTER_CUBIC), 0, 255).astype(np.uint8)


@pytest.fixture(scope="module")
def pairs(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("pairs")
    for kind, (first, second) in KINDS.items():
        (folder / kind).mkdir()
        first(folder / kind / "net.encoder.onnx", SIZE)
        second(folder / kind / "net.decoder.onnx", SIZE)
    return folder


@pytest.fixture(scope="module")
def engines(gpu):
    """An engine for each backend and kind, kept: what a GPU compiles for one it has for the next test."""
    made: dict[tuple[str, str], Engine] = {}

    def of(folder: Path, backend: str) -> Engine:
        key = (folder.name, backend)
        if key not in made:
            made[key] = open_engine(folder / "net.encoder.onnx", backend)
        return made[key]

    yield of
    for engine in made.values():
        engine.close()


def open_engine(model: Path, backend: str = "onnxruntime", second: NetworkSpec | None = None) -> Engine:
    from desktop.compute.gpu.device import Gpu

    engine = Engine(lambda: Gpu.open(None), FilterLibrary(None), load_analysis, wait=True)
    try:
        engine.current.set_setup(Setup(network=NetworkSpec(str(model), backend, second=second)))
    except LightloomError:
        engine.close()
        raise
    return engine


def ask(engine: Engine, prompts: Prompts):
    engine.current.prompt(prompts)
    engine.render(None)
    engine.await_result()
    return engine.current.result


def show(engine: Engine, pixels: np.ndarray) -> None:
    engine.render(rgba_frame(np.dstack((pixels, np.full(pixels.shape[:2], 255, np.uint8)))))


# -- the reference -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Expected:
    logits: np.ndarray
    score: float
    mask: np.ndarray


def resized(picture: np.ndarray, width: int, height: int) -> np.ndarray:
    """An antialiased bilinear resize of the floats, as Pillow's, in float64: a triangle as wide as a pixel of
    the result.
    """

    def weights(count: int, target: int) -> np.ndarray:
        scale = count / target
        support = max(scale, 1.0)
        centers = (np.arange(target) + 0.5) * scale
        distance = np.abs(np.arange(count)[None] + 0.5 - centers[:, None]) / support
        found = np.clip(1.0 - distance, 0.0, None)
        return found / found.sum(axis=1, keepdims=True)

    rows, columns = weights(picture.shape[0], height), weights(picture.shape[1], width)
    down = np.tensordot(rows, picture.astype(np.float64), 1)  # y w c
    return np.tensordot(down, columns.T, ((1,), (0,))).transpose(0, 2, 1)


def run(path: Path, feeds: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    names = [output.name for output in session.get_outputs()]
    return dict(zip(names, session.run(names, feeds), strict=True))


def rows_of(prompts: Prompts, sides: tuple[float, float]) -> tuple[list[list[float]], list[float]]:
    """Positions and labels in pixels of a picture of such sides."""
    coords = [[p.x * sides[0], p.y * sides[1]] for p in prompts.points]
    labels = [float(p.inside) for p in prompts.points]
    if prompts.box is not None:
        left, top, right, bottom = prompts.box
        coords += [[left * sides[0], top * sides[1]], [right * sides[0], bottom * sides[1]]]
        labels += [2.0, 3.0]
    return coords, labels


def best_of(masks: np.ndarray, scores: np.ndarray, rows: int) -> int:
    """Of four masks as `select_masks` of the origin has it, else that of the best score."""
    if len(scores) != 4:
        return int(np.argmax(scores))
    return int(np.argmax(scores + (rows - 2.5) * np.array([1000.0, 0, 0, 0])))


def sam_predictor(folder: Path, picture: np.ndarray, prompts: Prompts) -> Expected:
    """SamPredictor and SamOnnxModel: the longer side to the input's, zeros around it, a point that is none
    where there is no box.
    """
    height, width = picture.shape[:2]
    scale = SIZE.side / max(height, width)
    h, w = int(height * scale + 0.5), int(width * scale + 0.5)
    small = resized(picture, w, h)
    path = folder / "net.encoder.onnx"
    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    if len(session.get_inputs()[0].shape) == 3:
        embedded = run(path, {"input_image": small.astype(np.float32)})
    else:
        tensor = np.zeros((1, 3, SIZE.side, SIZE.side))
        tensor[0, :, :h, :w] = ((small - MEAN) / STD).transpose(2, 0, 1)
        embedded = run(path, {"image": tensor.astype(np.float32)})
    coords, labels = rows_of(prompts, (w, h))
    if prompts.box is None:
        coords, labels = [*coords, [0.0, 0.0]], [*labels, -1.0]
    quarter = SIZE.side // 4
    outputs = run(
        folder / "net.decoder.onnx",
        {
            "image_embeddings": embedded["image_embeddings"],
            "point_coords": np.array([coords], np.float32),
            "point_labels": np.array([labels], np.float32),
            "mask_input": np.zeros((1, 1, quarter, quarter), np.float32),
            "has_mask_input": np.zeros(1, np.float32),
            "orig_im_size": np.array([height, width], np.float32),
        },
    )
    best = best_of(outputs["low_res_masks"][0], outputs["iou_predictions"][0], len(labels))
    low = outputs["low_res_masks"][0, best]
    return Expected(
        cv2.resize(low, (SIZE.side, SIZE.side), interpolation=cv2.INTER_LINEAR),
        float(outputs["iou_predictions"][0, best]),
        outputs["masks"][0, best] > 0,
    )


def sam2_predictor(folder: Path, picture: np.ndarray, prompts: Prompts) -> Expected:
    """SAM2ImagePredictor by samexporter's way: the picture stretched, masks enlarged to it."""
    height, width = picture.shape[:2]
    tensor = ((resized(picture, SIZE.side, SIZE.side) - MEAN) / STD).transpose(2, 0, 1)[None]
    features = run(folder / "net.encoder.onnx", {"image": tensor.astype(np.float32)})
    coords, labels = rows_of(prompts, (SIZE.side, SIZE.side))
    quarter = SIZE.side // 4
    outputs = run(
        folder / "net.decoder.onnx",
        {
            **features,
            "point_coords": np.array([coords], np.float32),
            "point_labels": np.array([labels], np.float32),
            "mask_input": np.zeros((1, 1, quarter, quarter), np.float32),
            "has_mask_input": np.zeros(1, np.float32),
        },
    )
    best = best_of(outputs["masks"][0], outputs["iou_predictions"][0], len(labels))
    logits = outputs["masks"][0, best]
    mask = cv2.resize(logits, (width, height), interpolation=cv2.INTER_LINEAR) > 0
    return Expected(logits, float(outputs["iou_predictions"][0, best]), mask)


def efficient_predictor(folder: Path, picture: np.ndarray, prompts: Prompts) -> Expected:
    """EfficientSAM's example: the picture in 0 to 1, positions in its pixels, masks in its size."""
    height, width = picture.shape[:2]
    tensor = (resized(picture, SIZE.side, SIZE.side) / 255).transpose(2, 0, 1)[None]
    features = run(folder / "net.encoder.onnx", {"batched_images": tensor.astype(np.float32)})
    coords, labels = rows_of(prompts, (width, height))
    asked = {
        **features,
        "batched_point_coords": np.array([[coords]], np.float32),
        "batched_point_labels": np.array([[labels]], np.float32),
    }
    outputs = run(folder / "net.decoder.onnx", {**asked, "orig_im_size": np.array([height, width], np.int64)})
    best = int(np.argmax(outputs["iou_predictions"][0, 0]))
    quarter = SIZE.side // 4
    # Told another size, it takes positions in that.
    scaled = np.array([[coords]], np.float32) * np.array([quarter / width, quarter / height], np.float32)
    low = run(
        folder / "net.decoder.onnx",
        {**asked, "batched_point_coords": scaled, "orig_im_size": np.array([quarter, quarter], np.int64)},
    )
    mask = outputs["output_masks"][0, 0, best] > 0
    return Expected(low["output_masks"][0, 0, best], float(outputs["iou_predictions"][0, 0, best]), mask)


PREDICTORS = {
    "sam": sam_predictor,
    "pixels": sam_predictor,
    "sam2": sam2_predictor,
    "efficient": efficient_predictor,
}


def texels(engine: Engine, mask) -> np.ndarray:
    """The logits in a mask's texture."""
    width, height = mask.texture.width, mask.texture.height
    stride = -(-width * 4 // 256) * 256
    layout = {"offset": 0, "bytes_per_row": stride, "rows_per_image": height}
    data = engine.gpu.queue.read_texture({"texture": mask.texture}, layout, (width, height, 1))
    return np.frombuffer(data, np.float32).reshape(height, stride // 4)[:, :width]


def overlap(first: np.ndarray, second: np.ndarray) -> float:
    first, second = first.astype(bool), second.astype(bool)
    return float((first & second).sum() / max(1, (first | second).sum()))


@pytest.mark.parametrize(
    "kind, prompts, backend",
    [
        *(("sam", prompts, "wgpu") for prompts in (CLICK, THREE, BOX)),
        *(("sam", prompts, "onnxruntime") for prompts in (CLICK, BOX)),
        *((kind, CLICK, "onnxruntime") for kind in ("pixels", "sam2", "efficient")),
        ("sam2", BOX, "wgpu"),
    ],
)
def test_a_mask_is_that_of_the_origins_predictor(pairs, engines, kind, prompts, backend):
    picture = photograph()
    expected = PREDICTORS[kind](pairs / kind, picture, prompts)
    engine = engines(pairs / kind, backend)
    show(engine, picture)
    result = ask(engine, prompts)
    assert backend in engine.current.network_status.text
    error = np.linalg.norm(texels(engine, result.masks[0]) - expected.logits) / np.linalg.norm(
        expected.logits
    )
    found = result.masks[0].read()
    assert error < 5e-3
    assert result.score == pytest.approx(np.clip(expected.score, 0, 1), abs=2e-3)
    assert found.shape == (HEIGHT, WIDTH)
    assert overlap(found, expected.mask) >= 0.98


# -- what a pair does ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("dropped", ["net.encoder.onnx", "net.decoder.onnx"])
def test_either_half_brings_the_other(pairs, dropped):
    engine = open_engine(pairs / "sam" / dropped)
    try:
        assert engine.current.takes_prompts
        assert "Decoder: onnxruntime" in engine.current.network_status.text
    finally:
        engine.close()


def test_the_encoder_looks_once_and_another_picture_forgets(pairs, engines):
    engine = engines(pairs / "sam", "onnxruntime")
    show(engine, photograph())
    pair = engine.pipeline.analyses.current
    before = pair.encoded
    engine.await_result()
    assert engine.current.result is None or not engine.current.result.masks
    first, again, other = ask(engine, CLICK), ask(engine, THREE), ask(engine, CLICK)
    assert pair.encoded == before + 1
    assert first.box == other.box and first.score == other.score, (
        "a mask hangs on the points and on nothing before"
    )
    assert (first.masks[0].read() == other.masks[0].read()).all()
    assert again.prompts == THREE
    show(engine, photograph()[:, ::-1])
    engine.await_result()
    assert (
        not engine.current.result.masks and not engine.current.result.prompts and pair.encoded == before + 1
    )
    assert (ask(engine, CLICK).masks[0].read() != first.masks[0].read()).any()
    assert pair.encoded == before + 2


def test_a_slice_at_a_time_gives_the_same(pairs, engines):
    engine = engines(pairs / "sam", "wgpu")
    show(engine, photograph())
    whole = ask(engine, CLICK)
    show(engine, photograph()[:, ::-1])
    show(engine, photograph())
    pair, shares = engine.pipeline.analyses.current, []

    def is_done():
        engine.render(None)  # one that finds the GPU busy is skipped
        if pair.progress is not None:
            shares.append(pair.progress)
        return bool(shares) and pair.progress is None

    engine.pipeline._wait, engine.pipeline.network_budget_ms = False, 1.0
    try:
        engine.current.prompt(CLICK)
        until(is_done)
    finally:
        engine.pipeline._wait, engine.pipeline.network_budget_ms = True, None
    engine.await_result()
    assert len(set(shares)) > 5 and shares == sorted(shares) and 0 <= shares[0] < shares[-1] < 1
    assert (engine.current.result.masks[0].read() == whole.masks[0].read()).all()


@pytest.mark.parametrize(
    "make, words",
    [
        (lambda f: encoder(f / "a.encoder.onnx"), "needs its decoder .*none in its folder"),
        (lambda f: decoder(f / "a.decoder.onnx"), "needs its encoder .*none in its folder"),
    ],
)
def test_a_half_alone_says_what_is_missing(tmp_path, make, words):
    with pytest.raises(ModelUnsupportedError, match=words):
        open_engine(make(tmp_path))


def test_of_several_the_name_tells_or_the_sidecar(tmp_path):
    first = encoder(tmp_path / "mobile_sam.encoder.onnx")
    for name in ("one.decoder.onnx", "two.decoder.onnx"):
        decoder(tmp_path / name)
    with ModelFile.opened(first) as file:
        task = recognize(file).task
        with pytest.raises(
            ModelUnsupportedError, match=r"several in its folder: one.decoder.onnx, two.decoder.onnx"
        ):
            task.find_other(file, "encoder")
        first.with_name("mobile_sam.encoder.onnx.lightloom.toml").write_text('decoder = "two.decoder.onnx"\n')
        assert task.find_other(file, "encoder").name == "two.decoder.onnx"
        first.with_name("mobile_sam.encoder.onnx.lightloom.toml").unlink()
        decoder(tmp_path / "mobile_sam.decoder.onnx")
        assert task.find_other(file, "encoder").name == "mobile_sam.decoder.onnx"


def test_what_does_not_fit_together_is_said(pairs, tmp_path):
    other = decoder(tmp_path / "large.onnx", PairSize(channels=64))
    with pytest.raises(
        ModelUnsupportedError,
        match=r"large.onnx takes 'image_embeddings' \[1, 64, 8, 8\], which net.encoder.onnx",
    ):
        open_engine(pairs / "sam" / "net.encoder.onnx", second=NetworkSpec(str(other), "onnxruntime"))
    with pytest.raises(ModelUnsupportedError, match="is no decoder of the SAM family"):
        twin = pairs / "sam2" / "net.encoder.onnx"
        open_engine(pairs / "sam" / "net.encoder.onnx", second=NetworkSpec(str(twin), "onnxruntime"))
    with pytest.raises(ModelError):
        missing = NetworkSpec(str(tmp_path / "none.onnx"), "onnxruntime")
        open_engine(pairs / "sam" / "net.encoder.onnx", second=missing)


def test_a_decoder_that_gives_no_numbers_marks_nothing(pairs, tmp_path):
    """NaN in its weights: no mask, no failure."""
    shutil.copy(pairs / "sam" / "net.encoder.onnx", tmp_path / "net.encoder.onnx")
    model = onnx.load(str(pairs / "sam" / "net.decoder.onnx"))
    for weight in model.graph.initializer:
        values = onnx.numpy_helper.to_array(weight)
        if values.dtype == np.float32 and values.ndim == 4:
            weight.CopyFrom(onnx.numpy_helper.from_array(np.full_like(values, np.nan), weight.name))
    onnx.save(model, str(tmp_path / "net.decoder.onnx"))
    engine = open_engine(tmp_path / "net.encoder.onnx")
    try:
        show(engine, photograph())
        result = ask(engine, CLICK)
        assert not result.masks and result.box is None and result.json()["objects"] == []
    finally:
        engine.close()


def test_the_extents_of_a_mask_are_those_of_its_pixels():
    from desktop.vision.tasks.prompted_mask.result import _extents

    generator = np.random.default_rng(3)
    for _ in range(20):
        logits = cv2.resize(
            generator.normal(size=(5, 7)).astype(np.float32), (40, 30), interpolation=cv2.INTER_CUBIC
        )
        fine = cv2.resize(logits, (4000, 3000), interpolation=cv2.INTER_LINEAR) > 0
        rows, columns = np.flatnonzero(fine.any(axis=1)), np.flatnonzero(fine.any(axis=0))
        expected = (columns[0] / 100, rows[0] / 100, (columns[-1] + 1) / 100, (rows[-1] + 1) / 100)
        assert _extents(logits, (1.0, 1.0)) == pytest.approx(expected, abs=0.02)
