"""Saved overlays: the file equals the screen pixel by pixel, and each frame has its own boxes."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import av
import cv2
import numpy as np
import pytest
import wgpu
from test_pipeline import noise, read_target, rgba_frame, target_texture
from tiny_models import square_detector, squares

from desktop.__main__ import main
from desktop.outputs.segment_limits import SegmentLimit
from desktop.overlay.painting import paint_overlay
from desktop.overlay.result_overlay import overlay_state, paint_results
from desktop.pipeline.filters.library import FilterLibrary
from desktop.pipeline.picture.present import Exporter, LaidOver, View, place
from desktop.pipeline.pipeline import Pipeline
from desktop.ui.features.recording.pictures import Pictures
from desktop.ui.workspace.capture import Recording
from desktop.vision.tasks.shapes import Box, Label, Line, Mask, Points, Polygon, Shape
from desktop.vision.tasks.task import Result
from desktop.vision.tracking.scene import TrackedResult


@dataclass(frozen=True)
class Shown(Result):
    """A result that is no more than its shapes."""

    found: tuple[Shape, ...] = ()

    def json(self):
        return {}

    def lines(self):
        return ()

    def shapes(self):
        return self.found


def tracked_result(*shapes: Shape) -> TrackedResult:
    return TrackedResult(Shown(found=shapes), 0.0, (0, 0), shapes)


EVERYTHING = tracked_result(
    Box("person", 0, 0.1, 0.2, 0.4, 0.9, 0.91),
    Points("face", 1, ((0.5, 0.3), (0.6, 0.35), (0.55, 0.5)), ((0, 1), (1, 2))),
    Line("way", 2, ((0.45, 0.8), (0.6, 0.75), (0.8, 0.9)), arrow=True),
    Polygon("ship, turned", 3, ((0.7, 0.2), (0.95, 0.3), (0.85, 0.55), (0.65, 0.45)), 0.5),
    Label("partridge", 0.42, 4),
    Label("owl", 0.21, 5),
)


@pytest.fixture
def pipeline(the_window):
    made = Pipeline(the_window.workspace.engine.gpu, FilterLibrary(None), wait=True)
    yield made
    made.close()


@pytest.mark.parametrize("size", [(480, 270), (800, 600), (1920, 1080), (731, 467)])
def test_the_screen_and_the_file_agree_pixel_by_pixel(pipeline, size):
    """At one pixel of the screen for each of the picture. The file is dithered by half a code, the screen
    blends in 8 bits: 2 codes.
    """
    picture = cv2.resize(noise(3, 40, 30), size, interpolation=cv2.INTER_CUBIC)
    target = target_texture(pipeline.gpu, *size)
    pipeline.view = View("free", zoom=1.0)
    on_screen = overlay_state(EVERYTHING, "Network", place(pipeline.view, size, size), size)
    pipeline.set_overlay(paint_overlay(on_screen, *size, 1.0))
    pipeline.render(rgba_frame(picture), target)
    shown = read_target(pipeline.gpu, target)[..., :3].astype(int)
    saved = pipeline.export(paint_results(EVERYTHING, "Network", size)).result()[..., :3].astype(int)
    bare = pipeline.export().result()[..., :3].astype(int)
    assert np.abs(saved - shown).max() <= 2
    assert (np.abs(saved - bare).max(axis=-1) > 20).mean() > 0.02, "nothing was drawn"


def test_masks_agree_too(pipeline):
    """Each texel of the mask is 16 pixels wide; the border runs between them, in both."""
    gpu, size = pipeline.gpu, (320, 240)
    values = np.zeros((15, 20), np.float32)
    values[4:11, 5:14] = 1.0
    texture = gpu.device.create_texture(
        size=(20, 15, 1),
        format="r32float",
        usage=wgpu.TextureUsage.TEXTURE_BINDING | wgpu.TextureUsage.COPY_DST,
    )
    layout = {"bytes_per_row": 80, "rows_per_image": 15}
    gpu.queue.write_texture({"texture": texture}, values, layout, (20, 15, 1))
    seen = tracked_result(
        Mask("dog", 3, texture, 0.0, 0.0, 1.0, 1.0, 0.8), Box("dog", 3, 0.25, 0.25, 0.7, 0.75, 0.8)
    )
    picture = cv2.resize(noise(4, 40, 30), size, interpolation=cv2.INTER_CUBIC)
    target = target_texture(gpu, *size)
    pipeline.view = View("free", zoom=1.0)
    over = paint_results(seen, "", size)
    assert len(over.masks) == 1
    pipeline.set_overlay(over.image)
    pipeline.set_masks(over.masks)
    pipeline.render(rgba_frame(picture), target)
    shown = read_target(gpu, target)[..., :3].astype(int)
    saved = pipeline.export(over).result()[..., :3].astype(int)
    bare = pipeline.export().result()[..., :3].astype(int)
    assert np.abs(saved - shown).max() <= 2
    changed = np.abs(saved - bare).max(axis=-1) > 8
    assert changed[100:140, 120:180].mean() > 0.9 and not changed[200:230, 20:300].any()
    # The chain's picture is as it was.
    assert np.abs(bare - picture[..., :3]).max() <= 1


def test_lines_grow_with_large_pictures():
    """On 4K a line is twice as wide as on 1080p: it is seen as well when the picture is shown small."""

    def width(size: tuple[int, int]) -> int:
        image = paint_results(tracked_result(Box("", 0, 0.25, 0.25, 0.75, 0.75)), "", size).image
        return int((image[size[1] // 2, : size[0] // 2, 3] > 250).sum())

    assert width((1920, 1080)) == width((640, 480))
    assert width((3840, 2160)) == 2 * width((1920, 1080))


def test_an_overlay_lies_over_a_transparent_picture(pipeline):
    """Premultiplied over straight alpha, as Porter and Duff have it."""
    generator = np.random.default_rng(5)
    below = generator.integers(0, 256, (16, 24, 4), dtype=np.uint8)
    below[:4, :, 3] = 0
    alpha = generator.integers(0, 256, (16, 24, 1))
    color = generator.integers(0, 256, (16, 24, 3))
    alpha[:, :3] = 0
    above = np.concatenate((np.round(color * alpha / 255), alpha), axis=-1).astype(np.uint8)
    pipeline.render(rgba_frame(below))
    exporter = Exporter(pipeline.gpu, dither=False)
    saved = exporter.begin(pipeline._shown.picture.texture, LaidOver(above)).result().astype(float)
    exporter.close()
    a, b = above / 255.0, below / 255.0
    kept = b[..., 3:] * (1 - a[..., 3:])
    out = a[..., 3:] + kept
    straight = (a[..., :3] + b[..., :3] * kept) / np.maximum(out, 1e-6)
    np.testing.assert_allclose(saved[..., 3:], out * 255, atol=1)
    seen = out[..., 0] > 0.02
    np.testing.assert_allclose(saved[..., :3][seen], straight[seen] * 255, atol=1.5)
    untouched = above[..., 3] == 0
    np.testing.assert_allclose(saved[untouched], below[untouched], atol=1)


def test_one_overlay_after_another(pipeline):
    """Another place, another size, none: nothing of the one before is left."""
    picture = noise(8, 64, 48)
    pipeline.render(rgba_frame(picture))
    for box in ((0, 0, 8, 8), (40, 20, 48, 28), (3, 3, 60, 40), None, (0, 0, 8, 8)):
        image = np.zeros((48, 64, 4), np.uint8)
        expected = picture.astype(int)
        if box is not None:
            left, top, right, bottom = box
            image[top:bottom, left:right] = (10, 200, 30, 255)
            expected[top:bottom, left:right] = (10, 200, 30, 255)
        saved = pipeline.export(LaidOver(image) if box is not None else None).result()
        assert np.abs(saved.astype(int) - expected).max() <= 1


# -- the window ----------------------------------------------------------------------------------------------


@pytest.fixture
def playing(ui, tmp_path):
    path = tmp_path / "squares.png"
    assert cv2.imwrite(str(path), squares()[..., ::-1])
    ui.play(str(path))
    ui.drop(square_detector(tmp_path / "squares.onnx"))
    ui.wait(lambda: len(ui.window.overlay.state().found) == 2)
    ui.settle()
    return ui


def outline(picture: np.ndarray) -> bool:
    """Whether a line in the color of its class, which is no pure red, stands on the left edge of the red
    square, at (48, 32).
    """
    return bool((picture[36:44, 46:51, 1] > 120).any(axis=1).all())


def test_a_snapshot_has_the_boxes_unless_they_are_not_wanted(playing, tmp_path):
    switch = playing.window.actions_by_name["save_overlay"]
    assert switch.isChecked()
    for name, wanted in (("with.png", True), ("without.png", False)):
        if switch.isChecked() != wanted:
            switch.trigger()
        assert playing.workspace.settings.saves_overlay == wanted
        playing.workspace.get(Pictures).snapshot(tmp_path / name)
        playing.wait((tmp_path / name).exists)
        assert outline(cv2.imread(str(tmp_path / name))[..., ::-1]) == wanted
    switch.trigger()
    # The chain goes on with a picture that has none.
    assert not outline(playing.picture())


def test_the_window_and_its_snapshot_agree(playing, tmp_path):
    """The picture at 1:1 in the middle of the canvas, as the present pass draws it, and the file."""
    engine, viewport = playing.workspace.engine, playing.window.viewport
    viewport.zoom_to(1.0)
    playing.settle()
    size = viewport.device_size
    target = target_texture(engine.gpu, *size)
    playing.window.overlay.draw()
    engine.render(None, target)
    at = place(viewport.view, (128, 96), size)
    x, y = round(at.x), round(at.y)
    shown = read_target(engine.gpu, target)[y : y + 96, x : x + 128, :3].astype(int)
    playing.workspace.get(Pictures).snapshot(tmp_path / "one.png")
    playing.wait(lambda: playing.notices)
    saved = cv2.imread(str(tmp_path / "one.png"))[..., ::-1].astype(int)
    # Names find their place by the canvas, which is larger than the picture; what lies in the picture is the
    # same: both squares' boxes.
    for part in (np.s_[31:50, 47:66], np.s_[63:82, 95:114]):
        assert np.abs(shown[part] - saved[part]).max() <= 2


def test_a_recording_has_the_boxes(playing, tmp_path):
    path = tmp_path / "made.mp4"
    playing.workspace.get(Pictures).toggle_recording(path)
    for _ in range(3):
        frames = playing.workspace.get(Pictures).recording.seconds
        playing.window.viewport.redraw()
        playing.workspace.get(Pictures).on_drawn()
        playing.wait(lambda before=frames: playing.workspace.get(Pictures).recording.seconds > before + 0.05)
    playing.workspace.get(Pictures).toggle_recording()
    playing.wait(lambda: playing.notices)
    with av.open(str(path)) as container:
        [last] = list(container.decode(video=0))[-1:]
    assert outline(last.to_ndarray(format="rgb24"))


def test_a_recording_in_segments_has_each_frame_once(playing, tmp_path):
    recording = Recording(tmp_path / "made.mp4", 10.0, segment=SegmentLimit(seconds=0.2))
    ended, count = [], 0
    recording.finished.connect(ended.append)
    recording.failed.connect(ended.append)

    def complete():
        return [path for path in sorted(tmp_path.glob("made-*.mp4")) if ".part" not in path.name]

    while len(complete()) < 2:
        before = recording.seconds
        playing.window.viewport.redraw()
        recording.add(playing.workspace.engine, lambda: None)
        count += 1
        playing.wait(lambda at=before: recording.seconds > at + 0.05)
    recording.stop(wait=True)
    playing.wait(lambda: ended)
    assert Path(ended[0]) in complete() and len(complete()) > 2
    found = 0
    for path in complete():
        with av.open(str(path)) as container:
            found += sum(1 for _ in container.decode(video=0))
    assert found == count - recording.dropped


# -- the command ---------------------------------------------------------------------------------------------


def moving(number: int) -> tuple[np.ndarray, int, int]:
    """A picture with a red square in another cell of 16 x 16 each time, and where its left upper corner is."""
    x, y = (number * 3 % 6 + 1) * 16, (number * 2 % 4 + 1) * 16
    picture = np.full((96, 128, 3), 20, np.uint8)
    picture[y : y + 16, x : x + 16] = (255, 0, 0)
    return picture, x, y


@pytest.mark.parametrize("backend", ["wgpu", "onnxruntime"])
def test_each_picture_of_a_batch_has_its_own_boxes(tmp_path, backend, capsys):
    model = square_detector(tmp_path / "squares.onnx")
    folder, done = tmp_path / "in", tmp_path / "out"
    folder.mkdir()
    done.mkdir()
    for number in range(1, 9):
        assert cv2.imwrite(str(folder / f"{number}.png"), moving(number)[0][..., ::-1])
    arguments = [
        "process",
        str(folder),
        "--model",
        str(model),
        "--backend",
        backend,
        "-o",
        str(done / "%d.png"),
    ]
    assert main([*arguments, "--overlay", "--report", str(tmp_path / "r.json")]) == 0, capsys.readouterr().err
    for number in range(1, 9):
        picture, x, y = moving(number)
        saved = cv2.imread(str(done / f"{number}.png"))[..., ::-1].astype(int)
        changed = np.abs(saved - picture).max(axis=-1) > 60
        # Both lower corners of this picture's own box are drawn, and nothing where other pictures have theirs
        # alone.
        assert (
            changed[y + 15 : y + 17, x + 15 : x + 17].any() and changed[y + 15 : y + 17, x - 1 : x + 1].any()
        )
        for other in range(1, 9):
            _, ox, oy = moving(other)
            if abs(ox - x) > 60 or oy - y >= 32:
                assert not changed[oy + 15 : oy + 17, ox - 1 : ox + 17].any(), (number, other)
    assert len(json.loads((tmp_path / "r.json").read_text())["predictions"]) == 8


def test_an_overlay_needs_a_network(tmp_path, capsys):
    picture = tmp_path / "squares.png"
    assert cv2.imwrite(str(picture), squares()[..., ::-1])
    assert main(["process", str(picture), "--overlay", "-o", str(tmp_path / "out.png")]) == 2
    assert "--overlay draws what a network sees" in capsys.readouterr().err
    assert not (tmp_path / "out.png").exists()
