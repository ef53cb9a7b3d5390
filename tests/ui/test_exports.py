"""Export... in the window: the dialog says what will be made, the queue makes it, and the panel shows how far
it is.
"""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import av
import pytest
from dialog_rig import answering, choose_path, chosen_paths
from PySide6.QtCore import QObject, QPoint, Qt, Signal
from PySide6.QtGui import QFont
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QScrollArea, QWidget
from tiny_models import square_detector

from desktop.media.sources.video import VideoSource
from desktop.outputs.encoding import CONTAINERS, Encoding
from desktop.outputs.export_queue import ExportJob, ExportQueue, TimeChanges
from desktop.outputs.recording import Recorder
from desktop.outputs.span import TimeSpan
from desktop.pipeline.chain.spec import ChainSpec, StageSpec
from desktop.pipeline.running.network_spec import NetworkSpec
from desktop.pipeline.setup.preset import load_preset
from desktop.pipeline.setup.setup import Setup
from desktop.ui.features.exports.export_dialog import ExportDialog
from desktop.ui.features.exports.exports import Exports, as_written
from desktop.ui.features.exports.exports_panel import ExportsPanel
from desktop.ui.features.recording.pictures import Pictures
from desktop.ui.features.recording.record_dialog import RecordDialog
from desktop.ui.forms.encoding_choice import EncodingChoice
from desktop.ui.forms.encoding_form import EncodingForm
from desktop.ui.forms.settings import Settings
from desktop.ui.kit import theme
from desktop.ui.shell.closing import Closing
from desktop.vision.tracking.anonymize import AnonymizeSpec


@pytest.fixture
def clip(tmp_path):
    path = tmp_path / "clip.mkv"
    recorder = Recorder(path, (64, 48), 10.0, Encoding("ffv1"), wait=True)
    for frame in _pictures(30):
        recorder.add(frame.pixels, frame.pts, 0.1)
    recorder.close()
    return path


def _pictures(count):
    import numpy as np

    from desktop.outputs.frames import Picture

    for index in range(count):
        yield Picture(np.full((48, 64, 4), (8 * index, 100, 50, 255), np.uint8), index / 10)


@pytest.fixture
def exporting(ui, clip, tmp_path, monkeypatch):
    """The window with a clip open, a queue of its own and the panel shown."""
    monkeypatch.setenv("LIGHTLOOM_EXPORTS", str(tmp_path / "exports"))
    ui.workspace.get(Exports).close()
    for setting in (Settings.export_kind, Settings.export_lines, Settings.export_quality):
        setting.put_back(ui.workspace.settings)
    ui.play(str(clip))
    # What stood on the picture before goes with a drawing of its own, which counts as a frame too.
    ui.wait(lambda: ui.workspace.engine.current.picture_size == (64, 48))
    ui.pause()
    if not ui.window.dock_area.is_shown("exports"):
        ui.window.actions_by_name["exports"].trigger()
    yield ui
    ui.workspace.get(Exports).close()
    ui.workspace.get(Exports).changed.emit()
    if ui.window.dock_area.is_shown("exports"):
        ui.window.actions_by_name["exports"].trigger()


@pytest.fixture
def panel(exporting):
    panel = exporting.window.dock_area.panel("exports", ExportsPanel)
    exporting.wait(panel.isVisible)
    return panel


@pytest.fixture
def dialog(exporting):
    dialog = ExportDialog(exporting.workspace, exporting.window)
    dialog.show()
    yield dialog
    dialog.close()


def choose(box, data):
    box.setCurrentIndex(box.findData(data))
    assert box.currentData() == data


def states(ui):
    return [export.state for export in ui.workspace.get(Exports).all]


# -- the form ------------------------------------------------------------------------------------------------


def test_every_choice_of_the_form_is_an_encoding_that_exists(qapp):
    form = EncodingForm()
    assert form.suffix == ".mp4" and form.encoding == Encoding()
    for place in range(form.kind.count()):
        form.kind.setCurrentIndex(place)
        container = CONTAINERS.get(form.suffix)
        codecs = [form.codec.itemData(n) for n in range(form.codec.count())]
        assert codecs == ["", *(container.codecs[1:] if container else ())]
        for codec in range(form.codec.count()):
            form.codec.setCurrentIndex(codec)
            for quality in form.quality.values:
                form.quality.choose(quality)
                encoding = form.encoding  # which refuses what nobody can choose
                assert encoding.codec in ("", *(container.codecs if container else ()))
    choose(form.kind, ".webm")
    assert form.codec.currentText() == "VP9 (recommended)"
    choose(form.codec, "av1")
    form.quality.choose("8")
    assert form.quality.word.text() == "Smaller file · 40"
    choose(form.lines, "480")
    choose(form.rate, "25")
    choose(form.sound, "none")
    form.hardware.setChecked(True)
    assert form.encoding == Encoding("av1", 40, (0, 480), 25.0, "none", hardware=True)
    choose(form.kind, ".gif")
    assert not form.codec.isEnabled() and not form.sound.isEnabled()
    choose(form.kind, ".png")
    assert form.encoding == Encoding() and not form.lines.isEnabled()


# -- the dialog ----------------------------------------------------------------------------------------------


def test_the_dialog_says_what_will_be_made_before_the_work_begins(exporting, dialog):
    exporting.wait(dialog.go.isEnabled)
    assert "64 x 48" in dialog.forecast.text() and "MP4" in dialog.forecast.text()
    choose(dialog.form.kind, ".gif")
    exporting.wait(lambda: "256" in dialog.forecast.text() and dialog.go.isEnabled())
    choose(dialog.form.kind, ".png")
    exporting.wait(lambda: "PNG" in dialog.forecast.text() and dialog.go.isEnabled())
    assert not dialog.span.part.isEnabled() and not dialog.overlay.isEnabled()


def test_the_size_is_that_of_the_chains_picture(exporting, clip):
    exporting.workspace.edits.add_filter("crop")
    exporting.settle()
    size = exporting.workspace.engine.current.picture_size
    dialog = ExportDialog(exporting.workspace, exporting.window)
    exporting.wait(dialog.go.isEnabled)
    assert f"{size[0] + size[0] % 2} x {size[1] + size[1] % 2}" in dialog.forecast.text()
    dialog.close()


def test_export_from_a_to_b_with_the_filters_as_they_are(exporting, panel, tmp_path):
    playback, target = exporting.workspace.playback, tmp_path / "out.mkv"
    playback.loop_a, playback.loop_b = 1.0, 2.0
    exporting.workspace.edits.add_filter("invert")
    exporting.settle()
    dialog = ExportDialog(exporting.workspace, exporting.window)
    assert dialog.span.part.isChecked()
    choose(dialog.form.kind, ".mkv")
    choose(dialog.form.codec, "ffv1")
    exporting.wait(lambda: "FFV1" in dialog.forecast.text() and dialog.go.isEnabled())
    # Without its ending, as file dialogs give it.
    with chosen_paths(target.with_suffix("")):
        dialog.change.click()
    assert dialog.target == target and dialog.name.text() == "out.mkv"
    assert dialog.folder.text() == str(tmp_path) and dialog.duration.text() == "0:01.000"
    dialog.go.click()
    playback.loop_a = playback.loop_b = None
    exporting.wait(lambda: states(exporting) == ["running"] or states(exporting) == ["done"])
    exporting.wait(lambda: states(exporting) == ["done"])
    with av.open(str(target)) as container:
        frames = [f.to_ndarray(format="rgb24")[24, 32] for f in container.decode(video=0)]
    assert len(frames) == 10
    source = list(TimeSpan(1.0, 2.0).frames(VideoSource(tmp_path / "clip.mkv")))
    assert len(source) == 10
    for index, color in enumerate(frames):  # half precision on the way: within 1 of 255
        assert abs(color.astype(int) - (255 - 8 * (10 + index), 155, 205)).max() <= 1
    assert any("out.mkv" in text for text in exporting.notices)
    exporting.wait(lambda: panel.list.topLevelItem(0).text(1) == "Done")
    assert panel.selected.job.target == target and panel.folder.isEnabled()
    panel.play.click()
    exporting.wait(lambda: exporting.workspace.playback.name == str(target))
    edits = exporting.workspace.edits
    exporting.wait(lambda: not any(stage.enabled for stage in edits.chain.stages))
    [notice] = [n for n in exporting.window.notices.notices if "plays as it was written" in n.text]
    edits.undo()
    assert [stage.enabled for stage in edits.chain.stages] == [True], "undone in one step"
    edits.redo()
    notice.buttons[0].act()
    assert [stage.enabled for stage in edits.chain.stages] == [True]
    # An export opened otherwise is a source like others.
    exporting.play(str(target))
    assert [stage.enabled for stage in edits.chain.stages] == [True]
    panel.cancel.click()
    assert exporting.workspace.get(Exports).all == () and "Nothing is exported" in panel.note.text()
    assert target.exists()


def test_slow_motion_and_stabilization_are_options_of_the_export(exporting, tmp_path):
    dialog = ExportDialog(exporting.workspace, exporting.window)
    dialog.show()
    exporting.wait(dialog.go.isEnabled)
    choose(dialog.form.rate, "25")
    choose(dialog.stabilize, 1.0)
    choose(dialog.speed, 2)
    exporting.wait(lambda: "blended" in dialog.forecast.text() and dialog.go.isEnabled())
    assert dialog.duration.text() == "0:06.000" and dialog.encoding.fps == 0.0
    choose(dialog.form.kind, ".png")
    assert not dialog.speed.isEnabled() and dialog.duration.text() == "0:03.000"
    choose(dialog.form.kind, ".mkv")
    dialog.begin(tmp_path / "slow.mkv")
    exporting.wait(lambda: states(exporting) == ["done"])
    with av.open(str(tmp_path / "slow.mkv")) as container:
        assert sum(1 for _ in container.decode(video=0)) == 59
    [export] = exporting.workspace.get(Exports).all
    assert export.job.changes == TimeChanges(stabilize=1.0, slow_motion=2)
    # Both passes count as progress.
    assert export.total in (0, 60)


def test_changes_of_time_are_kept_in_the_queue(tmp_path):
    changes = TimeChanges(2.5, 4, "rife.onnx")
    queue = ExportQueue(tmp_path)
    job = ExportJob("a", "in.mp4", tmp_path / "out.mp4", Encoding(), TimeSpan(), False, "", changes=changes)
    queue.add(job)
    queue.add(replace(job, id="b", changes=TimeChanges()))
    queue.close()
    assert "changes" not in json.loads((tmp_path / "queue" / "queue.json").read_text())["exports"][1]
    again = ExportQueue(tmp_path)
    assert [export.job.changes for export in again.exports] == [changes, TimeChanges()]
    assert {"--stabilize=2.5", "--slow-motion=4", "--interpolate=rife.onnx"} <= set(job.command(tmp_path))
    again.close()
    file = tmp_path / "queue" / "queue.json"
    file.write_text(file.read_text().replace('"slow_motion": 4', '"slow_motion": 400'))
    last = ExportQueue(tmp_path)
    assert [export.job.id for export in last.exports] == ["b"]
    last.close()


def test_an_export_played_as_written_stays_redacted():
    stages = (StageSpec(1, "invert"), StageSpec(2, "blur", enabled=False))
    network, hide = NetworkSpec("faces.onnx"), AnonymizeSpec(("face",))
    setup = Setup(ChainSpec(stages), network)
    assert as_written(setup).analysis is None and as_written(setup).network == network
    assert [stage.enabled for stage in as_written(setup).chain.stages] == [False, False]
    hidden = as_written(replace(setup, anonymize=hide))
    assert hidden.analysis == network and hidden.anonymize == hide
    assert as_written(Setup()) == Setup(), "nothing to switch off"


def test_no_other_source_than_the_dialog_names_is_exported(exporting, dialog, tmp_path):
    """The next entry of a playlist may be opened behind the dialog."""
    exporting.wait(dialog.go.isEnabled)
    exporting.play()
    assert not dialog.go.isEnabled() and "Another source" in dialog.forecast.text()
    dialog.form.changed.emit()
    QTest.qWait(400)
    assert not dialog.go.isEnabled() and "Another source" in dialog.forecast.text()
    dialog.begin(tmp_path / "other.mp4")
    assert exporting.workspace.get(Exports).all == ()


def test_a_percent_sign_alone_does_not_number_the_images_of_a_series(exporting, dialog, tmp_path):
    """Without numbers only the last frame would be written."""
    dialog.form.choose(EncodingChoice(kind=".png"))
    for name, made in (("50% gray.png", "50% gray-%05d.png"), ("x-%03d.png", "x-%03d.png")):
        with chosen_paths(tmp_path / name):
            dialog.change.click()
        assert dialog.target.name == made


def test_size_and_name_follow_the_options(exporting, dialog, tmp_path):
    exporting.wait(dialog.go.isEnabled)
    assert dialog.estimate.text().startswith("about ") and dialog.duration.text() == "0:03.000"
    assert dialog.target.name == "clip.mp4"
    with chosen_paths(tmp_path / "v1.5"):
        dialog.change.click()
    assert dialog.target == tmp_path / "v1.5.mp4"
    choose(dialog.form.kind, ".gif")
    assert dialog.target == tmp_path / "v1.5.gif"
    with chosen_paths(tmp_path / "film.gif"):
        dialog.change.click()
    choose(dialog.form.kind, ".png")
    assert dialog.target == tmp_path / "film-%05d.png"
    exporting.wait(lambda: dialog.estimate.text() == "–")


def test_sizes_are_told_apart_from_the_sources_and_the_last_choices_come_back(exporting, held, tmp_path):
    dialog = ExportDialog(exporting.workspace, exporting.window)
    texts = [dialog.form.lines.itemText(n) for n in range(dialog.form.lines.count())]
    assert texts[0] == "Same as source (64 x 48)"
    assert texts[1] == "2160p (larger than the source)" and texts[-1].startswith("240p (")
    choose(dialog.form.kind, ".webm")
    choose(dialog.form.lines, "240")
    dialog.form.quality.choose("8")
    dialog.begin(tmp_path / "small.webm")
    again = ExportDialog(exporting.workspace, exporting.window)
    choice = again.form.choice
    assert (choice.kind, choice.lines, choice.quality) == (".webm", "240", "8")
    again.close()
    exporting.wait(lambda: len(held.all) == 4)
    held.cancel(held.all[3].job.id)
    exporting.wait(lambda: not held.is_busy)


def test_a_file_is_not_replaced_unasked(exporting, dialog, tmp_path):
    exporting.workspace.settings.folder = str(tmp_path)
    choose(dialog.form.kind, ".gif")
    (tmp_path / "clip.gif").write_bytes(b"precious")
    assert dialog.target == tmp_path / "clip 2.gif"
    # Typed without its ending, about which the file dialog did not ask.
    with chosen_paths(tmp_path / "clip"):
        dialog.change.click()
    exporting.wait(lambda: "256" in dialog.forecast.text() and dialog.go.isEnabled())
    said = []
    with answering(lambda asking: (said.append(asking.text()), asking.defaultButton().click())):
        dialog.go.click()
    assert len(said) == 1 and "clip.gif" in said[0] and dialog.isVisible()
    assert exporting.workspace.get(Exports).all == ()


def test_a_dialog_closed_before_it_was_shown_leaves_nothing_behind(exporting, qtbot):
    dialog = ExportDialog(exporting.workspace, exporting.window)
    with qtbot.captureExceptions() as exceptions:
        dialog.close()
        # The forecast of another dialog comes after that of the first.
        other = ExportDialog(exporting.workspace, exporting.window)
        exporting.wait(other.go.isEnabled)
        other.close()
    assert not exceptions


def test_the_source_itself_is_never_a_target(exporting, dialog, clip):
    choose(dialog.form.kind, ".mkv")
    exporting.wait(dialog.go.isEnabled)
    proposed = []
    with answering(lambda asking: (proposed.extend(asking.selectedFiles()), asking.reject())):
        dialog.change.click()
    assert len(proposed) == 1 and Path(proposed[0]) != clip and Path(proposed[0]).parent.exists()
    dialog.begin(clip)
    assert "what is read" in dialog.forecast.text() and dialog.isVisible()
    assert exporting.workspace.get(Exports).all == ()


def queued_setup(exporting, target: Path, *, overlay: bool) -> Setup:
    """Return the setup that an export has in the queue, which is empty again."""
    exports = exporting.workspace.get(Exports)
    exports.add(target, Encoding(), TimeSpan(), overlay=overlay)
    exporting.wait(lambda: exports.all)
    (export,) = exports.all
    preset = exports.runner().queue.folder_of(export.job.id) / "preset.toml"
    setup = load_preset(preset, exporting.workspace.library).setup
    exports.cancel(export.job.id)
    exporting.wait(lambda: not exports.is_busy)
    exports.cancel(export.job.id)
    return setup


def test_an_overlay_needs_a_network_and_takes_it_along(exporting, tmp_path):
    exports = exporting.workspace.get(Exports)
    assert not exports.has_overlay
    exporting.drop(square_detector(tmp_path / "squares.onnx"))
    exporting.wait(lambda: exports.has_overlay)
    dialog = ExportDialog(exporting.workspace, exporting.window)
    assert dialog.overlay.isEnabled() and dialog.overlay.isChecked()
    exporting.wait(dialog.go.isEnabled)
    dialog.close()
    assert queued_setup(exporting, tmp_path / "with.mkv", overlay=True).network is not None
    assert queued_setup(exporting, tmp_path / "without.mkv", overlay=False).network is None


@pytest.mark.parametrize("overlay", [True, False])
def test_what_is_hidden_is_hidden_in_an_export_too(exporting, tmp_path, overlay):
    model = square_detector(tmp_path / "squares.onnx")
    exporting.drop(model)
    exporting.wait(lambda: exporting.workspace.edits.setup.network is not None)
    hide = AnonymizeSpec(("red",), kind="fill")
    exporting.workspace.edits.set_anonymize(hide)
    setup = queued_setup(exporting, tmp_path / "out.mkv", overlay=overlay)
    assert setup.anonymize == hide and setup.network is not None and setup.network.model == str(model)


def test_export_is_offered_for_what_ends(exporting, clip):
    action = exporting.window.actions_by_name["export"]
    assert action.isEnabled()
    exporting.workspace.playback.stop()
    exporting.wait(lambda: not action.isEnabled())


# -- the panel -----------------------------------------------------------------------------------------------


@pytest.fixture
def held(exporting, panel, tmp_path):
    """Three entries that nothing makes: they are canceled before the queue is looked at."""
    exports = exporting.workspace.get(Exports)
    queue = exports.runner().queue
    source, adapter = exports.source_name, exporting.workspace.adapter.choice
    for name in ("a.mp4", "b.mp4", "c.mp4"):
        job = ExportJob(queue.new_id(), source, tmp_path / name, Encoding(), TimeSpan(), False, adapter)
        queue.add(job)
        queue.change(job.id, state="canceled")
    return exports


def test_no_export_writes_over_what_another_of_the_queue_writes(exporting, panel, held, tmp_path):
    exporting.workspace.settings.folder = str(tmp_path)
    queue = held.runner().queue
    job = held.all[0].job
    queue.add(replace(job, id=queue.new_id(), target=tmp_path / "clip.gif"))
    queue.change(held.all[3].job.id, state="paused")
    dialog = ExportDialog(exporting.workspace, exporting.window)
    dialog.show()
    choose(dialog.form.kind, ".gif")
    exporting.wait(dialog.go.isEnabled)
    assert dialog.target == tmp_path / "clip 2.gif"
    held.add(dialog.target, Encoding(), TimeSpan(), overlay=False)
    assert dialog.target == tmp_path / "clip 3.gif", "the second is not in the queue yet"
    exporting.wait(lambda: len(held.all) == 5)
    queue.change(held.all[4].job.id, state="canceled")
    with chosen_paths(tmp_path / "CLIP"):
        dialog.change.click()
    exporting.wait(dialog.go.isEnabled)
    said = []
    with answering(lambda asking: (said.append(asking.text()), asking.reject())):
        dialog.go.click()
    assert len(said) == 1 and "CLIP.gif" in said[0] and "has not ended" in said[0]
    assert len(held.all) == 5 and dialog.isVisible()
    dialog.close()
    # Nor does one that begins again.
    (tmp_path / "a.mp4").write_bytes(b"precious")
    panel.list.setCurrentItem(panel.list.topLevelItem(0))
    with answering(lambda asking: (said.append(asking.text()), asking.defaultButton().click())):
        panel.pause.click()
    assert len(said) == 2 and "a.mp4" in said[1] and states(exporting)[0] == "canceled"
    queue.change(held.all[3].job.id, state="canceled")


def test_a_series_has_a_name_of_which_no_file_is_there(exporting, dialog, tmp_path):
    exporting.workspace.settings.folder = str(tmp_path)
    choose(dialog.form.kind, ".png")
    assert dialog.target.name == "clip-%05d.png"
    (tmp_path / "clip-00007.png").write_bytes(b"precious")
    assert dialog.target.name == "clip 2-%05d.png"


def test_entries_are_moved_begun_again_and_removed(exporting, panel, held):
    def names():
        return [panel.list.topLevelItem(n).text(0) for n in range(panel.list.topLevelItemCount())]

    panel.list.setCurrentItem(panel.list.topLevelItem(2))
    assert panel.up.isEnabled() and not panel.down.isEnabled()
    panel.up.click()
    assert names() == ["a.mp4", "c.mp4", "b.mp4"] and panel.selected.job.target.name == "c.mp4"
    assert not panel.play.isEnabled(), "it was not made"
    assert panel.cancel.text() == "Remove" and panel.pause.text() == "Begin again"
    panel.cancel.click()
    assert names() == ["a.mp4", "b.mp4"]


def test_progress_is_shown_with_time_left(exporting, panel, held):
    name = held.all[0].job.id
    panel.list.setCurrentItem(panel.list.topLevelItem(0))
    held.runner().queue.change(name, state="running", done=25, total=100, seconds=10.0, text="MP4")
    assert panel.list.topLevelItem(0).text(1) == "Running, 25%"
    assert panel.list.topLevelItem(0).text(2) == "0:30"
    assert panel.list.headerItem().text(2) == "Time left, size"
    assert panel.bar.isVisible() and panel.bar.value() == 250 and panel.pause.text() == "Pause"
    held.runner().queue.change(name, state="paused")
    assert panel.pause.text() == "Continue"
    held.runner().queue.change(name, state="canceled")


def test_what_an_earlier_start_left_is_told_and_does_not_begin(exporting, panel, held):
    held.runner().queue.change(held.all[1].job.id, state="running")
    held.close()
    held.begin()
    exporting.wait(lambda: panel.list.topLevelItem(1).text(1) == "Interrupted")
    assert any("interrupted" in text for text in exporting.notices)
    exporting.qtbot.wait(600)
    assert states(exporting) == ["canceled", "interrupted", "canceled"]


def test_the_key_opens_the_dialog_and_an_export_that_begins_the_panel(exporting, panel, held, tmp_path):
    exporting.workspace.settings.folder = str(tmp_path)
    exporting.window.actions_by_name["exports"].trigger()
    area = exporting.window.dock_area

    def opened():
        exporting.press(Qt.Key.Key_E, Qt.KeyboardModifier.ControlModifier)
        exporting.wait(lambda: exporting.window.findChildren(ExportDialog))
        [dialog] = exporting.window.findChildren(ExportDialog)
        return dialog

    opened().reject()
    exporting.wait(lambda: not exporting.window.findChildren(ExportDialog))
    assert not area.is_shown("exports")
    dialog = opened()
    exporting.wait(dialog.go.isEnabled)
    assert not area.is_shown("exports")
    dialog.go.click()
    assert area.is_shown("exports")
    exporting.wait(lambda: len(held.all) == 4)
    exporting.wait(lambda: held.all[3].state == "done")


def test_a_recording_is_encoded_as_was_chosen_and_says_what_is_made_instead(ui, tmp_path):
    ui.play()
    ui.window.dialogs.choose_recording_name()
    [dialog] = ui.window.findChildren(RecordDialog)
    choose(dialog.form.kind, ".webm")
    choose(dialog.form.codec, "vp8")
    choose(dialog.form.lines, "240")
    dialog.form.hardware.setChecked(True)
    target = tmp_path / "recorded.webm"
    with chosen_paths(target.with_suffix("")):
        dialog.go.click()
    recording = ui.workspace.get(Pictures).recording
    assert recording.path == target
    frames = ui.frames
    ui.wait(lambda: ui.frames > frames + 10)
    ui.workspace.get(Pictures).toggle_recording()
    ui.wait(lambda: ui.workspace.get(Pictures).recording is None)
    with av.open(str(target)) as container:
        stream = container.streams.video[0]
        assert stream.codec_context.codec.canonical_name == "vp8" and stream.height == 240
        assert sum(1 for _ in container.decode(stream)) > 3
    ui.wait(lambda: any("VP8" in text for text in ui.notices))


def test_a_recordings_name_completed_by_the_dialog_is_asked_about(ui, tmp_path):
    (tmp_path / "film.mp4").write_bytes(b"precious")
    recorded, said = [], []
    outputs = ui.workspace.outputs
    dialog = RecordDialog(ui.workspace.settings, outputs, ui.window, lambda *given: recorded.append(given))
    dialog.show()
    choose(dialog.form.kind, ".mp4")

    def answer(asking):
        if isinstance(asking, QFileDialog):
            choose_path(asking, tmp_path / "film")
        else:
            said.append(asking.text())
            asking.defaultButton().click()

    with answering(answer):
        dialog.go.click()
    assert len(said) == 1 and "film.mp4" in said[0] and dialog.isVisible() and recorded == []
    dialog.close()


def test_snapshots_of_one_second_have_names_of_their_own(ui, tmp_path):
    ui.workspace.settings.snapshot_folder = str(tmp_path)
    ui.play()
    for _ in range(3):
        ui.workspace.get(Pictures).snapshot()
    ui.wait(lambda: ui.workspace.get(Pictures).in_use == ())
    ui.workspace.settings.snapshot_folder = ""
    assert sum(each.suffix == ".png" for each in tmp_path.iterdir()) == 3


def test_a_snapshot_into_a_folder_that_no_system_takes_is_one_sentence(ui, tmp_path):
    ui.workspace.settings.snapshot_folder = str(tmp_path / ("a" * 300))
    ui.play()
    ui.workspace.get(Pictures).snapshot()
    ui.wait(lambda: ui.workspace.get(Pictures).in_use == () and ui.notices)
    (said,) = ui.notices
    assert "File name too long" in said or "cannot be written" in said


# -- closing the window --------------------------------------------------------------------------------------


class Pending(QObject):
    """Exports as far as closing looks at them: how many are left is what a test says."""

    changed = Signal()
    left = 0
    failed = frozenset()
    went_on = False
    records = False

    @property
    def is_busy(self) -> bool:
        return self.left > 0

    def go_on_all(self) -> None:
        self.went_on = True


@pytest.fixture
def pending(qapp):
    return Pending()


@pytest.fixture
def pending_results(qapp):
    return Pending()


@pytest.fixture
def leaving(ui, qtbot, pending, pending_results):
    """What asks before a window closes, of a window of its own that is never closed."""
    parent = QWidget()
    qtbot.addWidget(parent)
    messages = ui.workspace.messages
    return Closing(pending, pending_results, messages, parent, records=lambda: pending.records)


def _button(box, word):
    [button] = [each for each in box.buttons() if word in each.text()]
    return button


def _answer(leaving, word):
    _button(leaving.question, word).click()


def test_closing_asks_while_an_export_is_under_way(leaving, pending):
    closed = []
    leaving.may_close.connect(lambda: closed.append(True))
    assert leaving.allows(), "nothing is under way"
    pending.left = 2
    assert not leaving.allows() and "2 exports" in leaving.question.text()
    assert not leaving.allows(), "it is asked once"
    assert leaving.question.defaultButton() is _button(leaving.question, "not close")
    _answer(leaving, "not close")
    pending.changed.emit()
    assert closed == [] and not leaving.allows()
    _answer(leaving, "when they are done")
    pending.changed.emit()
    assert closed == []
    pending.left = 0
    pending.changed.emit()
    assert closed == [True] and leaving.allows()


def test_who_closes_when_they_are_done_sees_that_it_waits_and_may_stay(ui, leaving, pending):
    closed = []
    leaving.may_close.connect(lambda: closed.append(True))
    pending.left = 1
    assert not leaving.allows()
    _answer(leaving, "when they are done")
    assert pending.went_on, "one that is paused would be waited for without an end"
    [notice] = [n for n in ui.window.notices.notices if "closes when" in n.text]
    notice.buttons[0].act()
    assert not any("closes when" in text for text in ui.notices)
    pending.left = 0
    pending.changed.emit()
    assert closed == []


@pytest.mark.parametrize("kind", ["videos", "results"])
def test_after_a_failure_the_window_stays_until_it_is_closed_again(
    ui, leaving, pending, pending_results, kind
):
    closed = []
    leaving.may_close.connect(lambda: closed.append(True))
    exports = pending if kind == "videos" else pending_results
    exports.left, exports.failed = 2, frozenset({"known"})
    assert not leaving.allows()
    _answer(leaving, "when they are done")
    exports.left = 1
    exports.changed.emit()
    assert any("closes when" in text for text in ui.notices)
    exports.failed = frozenset({"known", "new"})
    exports.changed.emit()
    assert not any("closes when" in text for text in ui.notices)
    exports.left = 0
    exports.changed.emit()
    assert closed == [] and leaving.allows()


def test_a_known_failure_closes_the_window_and_its_repetition_does_not(leaving, pending):
    closed = []
    leaving.may_close.connect(lambda: closed.append(True))
    pending.left, pending.failed = 1, frozenset({"known"})
    for fails_again in (True, False):
        assert not leaving.allows()
        _answer(leaving, "when they are done")
        if fails_again:
            pending.failed = frozenset()  # begun again
            pending.changed.emit()
            pending.failed = frozenset({"known"})
        pending.left = 0
        pending.changed.emit()
        assert closed == ([] if fails_again else [True])
        pending.left = 1


@pytest.fixture
def paused_export(exporting, pending_results, qtbot):
    """A paused export in the window's own queue, what asks on closing, and a list that grows when it may close."""
    exports, closed, parent = exporting.workspace.get(Exports), [], QWidget()
    qtbot.addWidget(parent)
    leaving = Closing(exports, pending_results, exporting.workspace.messages, parent, records=lambda: False)
    leaving.may_close.connect(lambda: closed.append(True))
    queue = exports.runner().queue
    job = ExportJob(queue.new_id(), exports.source_name, Path("a.mp4"), Encoding(), TimeSpan(), False, "cpu")
    queue.add(job)
    queue.change(job.id, state="paused")
    yield job, leaving, closed  # the widget lives until then


def test_a_failed_export_of_the_queue_keeps_the_window_open(exporting, paused_export, monkeypatch):
    exports = exporting.workspace.get(Exports)
    queue = exports.runner().queue
    job, leaving, closed = paused_export
    assert not leaving.allows()
    monkeypatch.setattr(exports, "go_on_all", lambda: None)
    _answer(leaving, "when they are done")
    queue.change(job.id, state="failed", text="The disk is full.")
    assert closed == [] and exports.left == 0
    assert job.id in exports.failed


def test_what_cannot_be_kept_for_the_next_start_is_said_before_the_window_closes(exporting, paused_export):
    queue = exporting.workspace.get(Exports).runner().queue
    job, leaving, closed = paused_export
    (queue.folder / "promised.json" / "in the way").mkdir(parents=True)
    for number in range(2):
        assert not leaving.allows()
        _answer(leaving, "next start")
        assert closed == [True] * number, "the user may close all the same"
        assert any("cannot note in" in text and "next start" in text for text in exporting.notices)
    shutil.rmtree(queue.folder / "promised.json")
    queue.change(job.id, state="canceled")


def test_closing_asks_while_a_recording_runs(leaving, pending):
    closed = []
    leaving.may_close.connect(lambda: closed.append(True))
    pending.records = True
    assert not leaving.allows() and "recording" in leaving.question.text()
    _answer(leaving, "not close")
    assert closed == [] and not leaving.allows()
    _answer(leaving, "save the recording")
    assert closed == [True] and leaving.allows()


def test_closing_during_exports_mentions_a_recording(leaving, pending):
    pending.left, pending.records = 1, True
    assert not leaving.allows()
    assert "its file is saved" in leaving.question.informativeText()
    _answer(leaving, "not close")


def test_closing_asks_while_results_are_exported(leaving, pending, pending_results):
    closed = []
    leaving.may_close.connect(lambda: closed.append(True))
    pending_results.left = 1
    assert not leaving.allows()
    text = leaving.question.informativeText()
    assert "results are canceled" in text and "next start" not in text
    assert not any("next start" in button.text() for button in leaving.question.buttons())
    _answer(leaving, "when they are done")
    pending.left = 1
    pending_results.left = 0
    pending_results.changed.emit()
    assert closed == [], "an export was begun meanwhile"
    pending.left = 0
    pending.changed.emit()
    assert closed == [True] and leaving.allows()


def test_closing_says_of_exports_and_of_results_what_becomes_of_them(leaving, pending, pending_results):
    closed = []
    leaving.may_close.connect(lambda: closed.append(True))
    pending.left, pending_results.left = 1, 1
    assert not leaving.allows() and "2 exports" in leaving.question.text()
    text = leaving.question.informativeText()
    assert "next start" in text and "results are canceled" in text
    _answer(leaving, "not close")
    pending.left = 0
    assert not leaving.allows()
    _answer(leaving, "cancel them")
    assert closed == [True] and leaving.allows()


def test_all_that_are_held_go_on(exporting, held):
    runner, names = held.runner(), [each.job.id for each in held.all]
    runner.queue.change(names[0], state="paused")
    before = states(exporting)
    held.go_on_all()
    assert "paused" in before and "paused" not in states(exporting)
    assert states(exporting)[1:] == before[1:]
    runner.queue.change(names[0], state="canceled")


def test_a_program_that_is_told_to_end_does_not_ask(leaving, pending):
    pending.left = 1
    leaving.free()
    assert leaving.allows()


def test_what_was_promised_goes_on_at_the_next_start_and_nothing_else(tmp_path):
    def job(name):
        return ExportJob(
            name, "a.mp4", tmp_path / f"{name}.mp4", Encoding(), TimeSpan(), overlay=False, adapter=""
        )

    queue = ExportQueue(tmp_path / "exports")
    for name in ("older", "running", "waiting", "finished"):
        queue.add(job(name))
    queue.change("older", state="interrupted")
    queue.change("running", state="running")
    queue.change("finished", state="done")
    queue.promise()
    queue.change("running", state="interrupted")
    queue.close()
    again = ExportQueue(tmp_path / "exports")
    assert {each.job.id: each.state for each in again.exports}["waiting"] == "interrupted"
    assert again.resume_promised() == 2
    assert [each.state for each in again.exports] == ["interrupted", "waiting", "waiting", "done"]
    assert again.resume_promised() == 0, "once"
    (again.folder / "promised.json").write_text("[[[")
    assert again.resume_promised() == 0
    again.close()


def test_the_buttons_of_the_dialog_are_in_view_on_a_low_screen(ui, qapp):
    """At twice the size a screen of 1920 x 1200 has 600 lines; here the text is larger instead."""
    ui.play()
    usual = qapp.font()
    larger = QFont(usual)
    larger.setPointSizeF(usual.pointSizeF() * 2)
    qapp.setFont(larger)
    theme.apply(qapp, ui.window.themed.theme)
    try:
        dialog = ExportDialog(ui.workspace, ui.window)
        dialog.show()
        ui.wait(dialog.go.isVisible)
        room = dialog.screen().availableGeometry().height()
        areas = dialog.findChildren(QScrollArea)
        assert any(area.isAncestorOf(dialog.form) for area in areas), "the dialog is not high enough"
        ui.activate(dialog)
        assert dialog.form.isAncestorOf(dialog.focusWidget()), "Tab begins at the top as before"
        for shown in (dialog.go, dialog.change):
            assert shown.mapTo(dialog, QPoint(0, shown.height())).y() <= dialog.height() <= room
        dialog.reject()
    finally:
        qapp.setFont(usual)
        theme.apply(qapp, ui.window.themed.theme)
