"""Subtitles on the picture: where they stand, in the window and in files alike, and how they are chosen."""

from __future__ import annotations

import json
from dataclasses import replace

import av
import cv2
import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMenu
from subtitle_rig import ass, srt, write_video
from test_pipeline import noise, read_target, rgba_frame, target_texture

from desktop.__main__ import main
from desktop.media.subtitles.cues import Bitmap, Cue, Run
from desktop.overlay.layout import OverlayState
from desktop.overlay.painting import paint_overlay
from desktop.overlay.result_overlay import paint_results
from desktop.overlay.subtitles import standing
from desktop.pipeline.filters.library import FilterLibrary
from desktop.pipeline.picture.present import Placement, View, place
from desktop.pipeline.pipeline import Pipeline
from desktop.ui.features.decoding.decoding import Decoding
from desktop.ui.features.exports.export_dialog import ExportDialog
from desktop.ui.features.recording.pictures import Pictures
from desktop.ui.features.subtitles.subtitles import Subtitles
from desktop.ui.forms.settings import Settings
from desktop.vision.tasks.shapes import Label

WORDS = (Cue(0.0, 9.0, (Run("Two words"),)),)
LONG = (Cue(0.0, 9.0, (Run("a text that is much too long for one line of any picture " * 3),)),)
MIXED = (
    Cue(0.0, 9.0, (Run("שלום עולם (hello)"),)),
    Cue(0.0, 9.0, (Run("你好，世界。字幕测试", italic=True),)),
    Cue(0.0, 9.0, (Run("at the top"),), on_top=True),
)


def painted(cues, size, at=None, scale=1.0, **more):
    picture = (640, 360)
    at = at or Placement(0.0, 0.0, size[0] / picture[0])
    state = OverlayState(subtitles=standing(cues, at, picture), **more)
    return paint_overlay(state, *size, scale)


def rectangle(image):
    """(left, top, right, bottom) of what is painted."""
    ys, xs = np.nonzero(image[..., 3])
    return int(xs.min()), int(ys.min()), int(xs.max()) + 1, int(ys.max()) + 1


# -- where they stand ----------------------------------------------------------------------------------------


def test_they_stand_at_the_bottom_in_the_middle_white_with_a_dark_line(qapp):
    image = painted(WORDS, (1280, 720))
    left, top, right, bottom = rectangle(image)
    assert 600 < top < bottom < 710
    assert abs((left + right) / 2 - 640) <= 4
    assert (image[..., :3].min(axis=-1) > 250).sum() > 500
    dark = (image[..., 3] > 200) & (image[..., :3].max(axis=-1) < 30)
    assert dark.sum() > 500


def test_they_grow_with_the_picture_and_with_the_screen(qapp):
    small, large = rectangle(painted(WORDS, (640, 360))), rectangle(painted(WORDS, (1280, 720)))
    dense = rectangle(painted(WORDS, (1280, 720), scale=2.0))
    for one, two, three in zip(small, large, dense, strict=True):
        assert abs(two - 2 * one) <= 10
        assert abs(two - three) <= 6


@pytest.mark.parametrize("size", [(1280, 720), (320, 180), (128, 72)])
@pytest.mark.parametrize("cues", [LONG, MIXED, LONG + MIXED])
def test_they_are_broken_into_lines_and_stay_in_the_picture(qapp, cues, size):
    left, top, right, bottom = rectangle(painted(cues, size))
    assert left > 0 and top > 0 and right < size[0] and bottom < size[1]
    assert bottom - top > size[1] * 0.12


def test_a_text_from_right_to_left_begins_at_the_right(qapp):
    """ "אב ג": the last word of a line that runs from the right is its leftmost; the same one alone tells which it is."""
    both = painted((Cue(0, 9, (Run("ווווווווווו ( ש"),)),), (1280, 720))
    left, top, right, bottom = rectangle(both)
    columns = (both[top:bottom, left:right, 3] > 0).any(axis=0)
    gaps = np.flatnonzero(~columns)
    # Eleven letters in a row come first, which is at the right.
    assert len(gaps) and gaps.mean() < (right - left) / 2


def test_they_are_in_what_is_seen_of_a_picture_that_was_zoomed_in(qapp):
    _, top, _, bottom = rectangle(painted(WORDS, (640, 360), Placement(-640.0, -360.0, 3.0)))
    assert 0 < top < bottom <= 360


def test_below_a_wide_picture_nothing_is_written(qapp):
    _, top, _, bottom = rectangle(painted(WORDS, (640, 600), Placement(0.0, 120.0, 1.0)))
    assert 400 < top < bottom <= 480


@pytest.mark.parametrize(
    "more",
    [
        {"toast": "Speed 2×"},
        {"bars": tuple(Label(f"class {i}", 0.5 / (i + 1)) for i in range(5)), "bars_title": "net"},
        {"split": 0.5, "split_labels": ("before", "after")},
    ],
)
def test_nothing_else_lies_over_them(qapp, more):
    """What is painted beside them leaves every pixel of the words readable, where they stand then."""
    together = painted(LONG, (1280, 720), **more)
    others = paint_overlay(OverlayState(**more), 1280, 720, 1.0)
    alone = painted(LONG, (1280, 720))
    count = (alone[..., :3].min(axis=-1) > 250).sum()
    white = (together[..., :3].min(axis=-1) > 250).sum() - (others[..., :3].min(axis=-1) > 250).sum()
    assert abs(int(white) - int(count)) < 0.02 * count


def test_pictures_stand_where_they_say(qapp):
    indices = np.ones((10, 20), np.uint8)
    palette = np.array([[0, 0, 0, 0], [255, 0, 0, 255]], np.uint8)
    cues = (Cue(0, 9, bitmaps=(Bitmap(indices, palette, (0.25, 0.5, 0.5, 0.25)),)),)
    image = painted(cues, (640, 360))
    assert rectangle(image) == (160, 180, 480, 270)
    assert image[200, 200].tolist() == [255, 0, 0, 255]


def test_where_there_is_no_picture_there_are_none(qapp):
    assert standing(WORDS, Placement(0, 0, 1), (0, 0)) is None
    assert standing((), Placement(0, 0, 1), (640, 360)) is None


# -- in the window and in files ------------------------------------------------------------------------------


@pytest.fixture
def pipeline(the_window):
    made = Pipeline(the_window.workspace.engine.gpu, FilterLibrary(None), wait=True)
    yield made
    made.close()


def test_the_screen_and_the_file_agree_pixel_by_pixel(pipeline):
    size = (800, 450)
    picture = cv2.resize(noise(3, 40, 30), size, interpolation=cv2.INTER_CUBIC)
    target = target_texture(pipeline.gpu, *size)
    pipeline.view = View("free", zoom=1.0)
    cues = WORDS + MIXED
    state = OverlayState(subtitles=standing(cues, place(pipeline.view, size, size), size))
    pipeline.set_overlay(paint_overlay(state, *size, 1.0))
    pipeline.render(rgba_frame(picture), target)
    shown = read_target(pipeline.gpu, target)[..., :3].astype(int)
    saved = pipeline.export(paint_results(None, "", size, cues)).result()[..., :3].astype(int)
    bare = pipeline.export().result()[..., :3].astype(int)
    # The file is dithered by half a code, the screen blends in 8 bits; where letters end, alpha falls by 100
    # codes from texel to texel, and a sampler's weights of 8 bits show.
    apart = np.abs(saved - shown).max(axis=-1)
    assert (apart > 2).mean() < 0.001 and apart.max() <= 8
    assert (np.abs(saved - bare).max(axis=-1) > 20).mean() > 0.02, "nothing was drawn"


def clip_with(tmp_path, *tracks, name="film.mkv", **more):
    return write_video(tmp_path / name, tracks, size=(320, 180), **more)


ALWAYS = ("srt", srt([(0.0, 9.0, "Always there")]).encode())
OTHER = ("ass", ass([(0.0, 9.0, "Another")]).encode())


@pytest.fixture
def titled(ui):
    """The window, which keeps nothing of the choice."""
    yield ui
    ui.workspace.settings.shows_subtitles = False


def drawn_text(ui):
    drawn = ui.window.overlay.state().subtitles
    return "" if drawn is None else "".join(cue.text for cue in drawn.cues)


def test_a_key_shows_them_and_the_next_video_begins_so(titled, tmp_path):
    ui, path = titled, clip_with(tmp_path, ALWAYS, OTHER)
    ui.play(str(path))
    ui.pause()
    assert drawn_text(ui) == "" and not ui.workspace.settings.shows_subtitles
    ui.press(Qt.Key.Key_V)
    ui.wait(lambda: drawn_text(ui) == "Always there")
    assert ui.window.actions_by_name["subtitles"].isChecked()
    ui.workspace.settings.sync()
    assert Settings(ui.workspace.settings.path).shows_subtitles
    second = clip_with(tmp_path, OTHER, name="second.mkv")
    ui.play(str(second))
    ui.wait(lambda: drawn_text(ui) == "Another")
    ui.press(Qt.Key.Key_V)
    ui.wait(lambda: drawn_text(ui) == "")
    assert not ui.workspace.settings.shows_subtitles


def test_a_forced_track_is_shown_by_itself(titled, tmp_path):
    titled.play(str(clip_with(tmp_path, ALWAYS, OTHER, forced=(1,))))
    titled.wait(lambda: drawn_text(titled) == "Another")
    assert not titled.workspace.settings.shows_subtitles


def subtitles_menu(ui) -> QMenu:
    menu = next(menu for menu in ui.window.menuBar().findChildren(QMenu) if "titles" in menu.title())
    menu.aboutToShow.emit()
    return menu


def test_a_track_is_chosen_in_the_menu(titled, tmp_path):
    ui = titled
    ui.play(str(clip_with(tmp_path, ALWAYS, OTHER)))
    entries = [action for action in subtitles_menu(ui).actions() if action.isCheckable()]
    assert [entry.text() for entry in entries] == ["1: eng, SubRip", "2: deu, ASS", "No subtitles"]
    assert [entry.isChecked() for entry in entries] == [False, False, True]
    entries[1].trigger()
    ui.wait(lambda: drawn_text(ui) == "Another")
    entries = [action for action in subtitles_menu(ui).actions() if action.isCheckable()]
    entries[2].trigger()
    ui.wait(lambda: drawn_text(ui) == "")


def test_a_file_is_dropped_on_the_video_and_with_it(titled, tmp_path):
    ui, path = titled, clip_with(tmp_path)
    (tmp_path / "mine.srt").write_bytes(srt([(0.0, 9.0, "Größe")]).encode("cp1252"))
    ui.play(str(path))
    ui.drop(tmp_path / "mine.srt")
    ui.wait(lambda: drawn_text(ui) == "Größe")
    ui.wait(lambda: any("Windows-1252" in text for text in ui.notices))
    ui.drop(clip_with(tmp_path, name="b.mkv"), tmp_path / "mine.srt")
    ui.wait(lambda: ui.workspace.playback.name.endswith("b.mkv") and drawn_text(ui) == "Größe")


def test_what_cannot_be_read_is_said(titled, tmp_path):
    ui = titled
    (tmp_path / "bad.srt").write_bytes(b"\0" * 50)
    ui.play(str(clip_with(tmp_path)))
    ui.drop(tmp_path / "bad.srt")
    ui.wait(lambda: any("bad.srt cannot be read" in text for text in ui.notices))
    assert not ui.workspace.get(Subtitles).are_shown
    ui.workspace.playback.stop()
    ui.drop(tmp_path / "bad.srt")
    ui.wait(lambda: any("open the video first" in text for text in ui.notices))


def test_they_follow_the_picture(titled, tmp_path):
    ui = titled
    track = ("srt", srt([(0.5, 1.0, "one"), (2.0, 3.0, "two")]).encode())
    ui.play(str(clip_with(tmp_path, track)))
    ui.pause()
    ui.workspace.get(Subtitles).use(0)
    for at, text in ((0.7, "one"), (2.5, "two"), (1.5, ""), (0.6, "one")):
        ui.workspace.playback.seek(at)
        ui.wait(lambda at=at: abs(ui.workspace.engine.current.shown_pts - at) < 0.11)
        ui.wait(lambda text=text: drawn_text(ui) == text)


def test_a_snapshot_has_them_unless_the_overlay_is_left_out(titled, tmp_path):
    ui = titled
    ui.play(str(clip_with(tmp_path, ALWAYS)))
    ui.pause()
    ui.workspace.get(Subtitles).use(0)
    ui.wait(lambda: drawn_text(ui) == "Always there")
    overlay = ui.workspace.get(Pictures)._overlay
    image = overlay.over().image
    assert rectangle(image)[1] > 140 and image.shape[:2] == (180, 320)
    assert overlay.over().image is image, "painted anew for the same picture"
    ui.workspace.settings.saves_overlay = False
    try:
        assert overlay.over() is None
    finally:
        ui.workspace.settings.saves_overlay = True


def test_an_export_draws_the_track_that_is_shown(titled, tmp_path):
    ui = titled
    ui.play(str(clip_with(tmp_path, ALWAYS, OTHER)))
    dialog = ExportDialog(ui.workspace, ui.window)
    assert not dialog.subtitles.isEnabled() and not dialog.subtitles.isChecked()
    ui.wait(lambda: "Subtitles are left out" in dialog.forecast.text())
    dialog.done(0)
    ui.workspace.get(Subtitles).use(1)
    dialog = ExportDialog(ui.workspace, ui.window)
    assert dialog.subtitles.isChecked()
    ui.wait(lambda: "drawn into the frames" in dialog.forecast.text())
    dialog.subtitles.setChecked(False)
    ui.wait(lambda: "Subtitles are left out" in dialog.forecast.text())
    dialog.done(0)
    assert ui.workspace.get(Subtitles).chosen == "2"


def test_an_export_is_told_the_whole_path_of_a_file_of_its_own(titled, tmp_path, monkeypatch):
    clip = clip_with(tmp_path, ALWAYS)
    beside = clip.with_suffix(".srt")
    beside.write_text("1\n00:00:00,000 --> 00:00:09,000\nBeside\n")
    monkeypatch.chdir(tmp_path)
    titled.play(clip.name)
    subtitles = titled.workspace.get(Subtitles)
    subtitles.use(1)
    assert subtitles.chosen == str(beside), "an export runs in a folder of its own"


# -- the command ---------------------------------------------------------------------------------------------


def bright(path):
    """For each picture, how many pixels are white."""
    with av.open(str(path)) as made:
        pictures = [frame.to_ndarray(format="rgb24") for frame in made.decode(video=0)]
    return [int((picture.min(axis=-1) > 120).sum()) for picture in pictures]


@pytest.mark.parametrize("wanted", ["--subtitles=2", "--subtitles=mine.srt", "--subtitles"])
def test_process_draws_them_at_their_times(qapp, tmp_path, wanted, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    lines = [(0.5, 1.0, "HHHHHH"), (2.0, 2.5, "HHHHHH")]
    tracks = {"--subtitles=2": (OTHER, ("srt", srt(lines).encode()))}.get(wanted, ())
    clip = clip_with(tmp_path, *tracks, seconds=3.0)
    for name in ("mine.srt", "film.srt"):
        (tmp_path / name).write_text(srt(lines))
    assert main(["process", str(clip), "-o", "out.mkv", "--codec", "ffv1", wanted]) == 0
    found = [count > 20 for count in bright(tmp_path / "out.mkv")]
    assert found == [5 <= n < 10 or 20 <= n < 25 for n in range(30)]
    said = capsys.readouterr().err
    assert "drawn into the frames" in said and "left out" not in said


def test_process_says_which_there_are(tmp_path, capsys):
    clip = clip_with(tmp_path, ALWAYS)
    assert main(["process", str(clip), "-o", str(tmp_path / "out.mkv"), "--subtitles=4"]) == 2
    assert "1: eng, SubRip" in capsys.readouterr().err
    assert not (tmp_path / "out.mkv").exists()


def test_a_queue_keeps_which_ones(tmp_path):
    from desktop.outputs.encoding import Encoding
    from desktop.outputs.export_queue import ExportJob, ExportQueue
    from desktop.outputs.span import TimeSpan

    queue = ExportQueue(tmp_path)
    name = queue.new_id()
    job = ExportJob(name, "a.mkv", tmp_path / "b.mkv", Encoding(), TimeSpan(), False, "x")
    queue.add(replace(job, subtitles="2", decoding="software"))
    queue.close()
    (again,) = ExportQueue(tmp_path).exports
    assert again.job.subtitles == "2" and "--subtitles=2" in again.job.command(tmp_path)
    assert again.job.decoding == "software" and "--decode=software" in again.job.command(tmp_path)
    # A list of an older version has none.
    document = json.loads((queue.folder / "queue.json").read_text())
    assert document["exports"][0].pop("subtitles") == "2"


# -- who decodes ---------------------------------------------------------------------------------------------


def test_who_decodes_is_chosen_in_the_menu_and_kept(ui, tmp_path, monkeypatch):
    from desktop.media.sources import _decoding

    monkeypatch.setattr(_decoding, "kinds", lambda: ("cuda",))
    menu = next(menu for menu in ui.window.menuBar().findChildren(QMenu) if "ecoding" in menu.title())
    menu.aboutToShow.emit()
    entries = menu.actions()
    assert [entry.text() for entry in entries[1:]] == ["Software", "NVDEC"] and entries[0].isChecked()
    entries[1].trigger()
    try:
        assert ui.workspace.settings.decoding == "software"
        ui.play(str(clip_with(tmp_path)))
        detail = ui.workspace.playback.source.info.detail
        assert detail["decoder"] == "software (hardware decoding is off)"
        ui.workspace.playback.source.on_notice("NVDEC failed")
        ui.wait(lambda: "NVDEC failed" in ui.notices)
    finally:
        ui.workspace.get(Decoding).choose("auto")
    assert ui.workspace.settings.decoding == ""
