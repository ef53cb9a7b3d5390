"""Whatever is dropped on the window works, or says in one sentence why not."""

from __future__ import annotations

from pathlib import Path

import material
import numpy as np
import pytest
from dense_models import swap_model
from file_opens import Opens
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDragMoveEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from tiny_models import color_vector_model
from window_panels import chain_of, networks_of, stats_of

from desktop.pipeline.running.network_spec import NetworkSpec
from desktop.ui.features.networks.networks import Networks
from desktop.ui.features.opening.opening import Opening
from desktop.ui.features.opening.own_shaders import OwnShaders
from desktop.ui.features.playback.playlist_player import PlaylistPlayer
from desktop.ui.kit.language import translated


def test_video(ui, tmp_path):
    path = material.video(tmp_path / "ramp.mp4")
    ui.drop(path)
    ui.wait(lambda: ui.workspace.playback.info and ui.workspace.playback.info.kind == "video")
    ui.wait(lambda: ui.workspace.engine.pipeline.picture_size == (64, 48))
    assert ui.window.windowTitle().startswith("ramp.mp4")
    ui.wait(lambda: str(path) in ui.workspace.settings.recent)


def test_image_is_shown_in_its_color(ui, tmp_path):
    ui.drop(material.image(tmp_path / "one.png", (200, 100, 50)))
    ui.wait(lambda: ui.workspace.engine.pipeline.picture_size == (40, 30))
    ui.settle()
    # 8 bit through rgba16float and back: at most one code value.
    assert np.abs(ui.picture()[15, 20, :3].astype(int) - (200, 100, 50)).max() <= 1


def test_folder(ui, tmp_path):
    folder = tmp_path / "pictures"
    folder.mkdir()
    for index in range(3):
        material.image(folder / f"{index}.png", (80 * index, 0, 0))
    ui.drop(folder)
    ui.wait(lambda: ui.workspace.playback.info and ui.workspace.playback.info.kind == "folder")
    ui.wait(lambda: ui.workspace.engine.pipeline.picture_size == (40, 30))


def test_shader_joins_the_chain_and_acts(ui, tmp_path):
    ui.play(str(material.image(tmp_path / "one.png", (200, 100, 50))))
    shader = tmp_path / "half_red.wgsl"
    shader.write_text(material.SHADER, encoding="utf-8")
    ui.drop(shader)
    ui.wait(lambda: ui.stages == ["half_red"])
    ui.wait(lambda: abs(int(ui.picture()[15, 20, 0]) - 100) <= 1)


def test_a_shader_in_glsl_joins_the_chain_and_its_fault_has_a_line(ui, tmp_path):
    ui.play(str(material.image(tmp_path / "one.png", (200, 100, 50))))
    shader = tmp_path / "half_green.fs"
    header = (
        '/*{"INPUTS": [{"NAME": "inputImage", "TYPE": "image"}, {"NAME": "greenShare", "TYPE": "float"}]}*/'
    )
    body = "void main() {{ gl_FragColor = IMG_THIS_PIXEL(inputImage); gl_FragColor.g *= {}; }}"
    shader.write_text(f"{header}\n{body.format('0.5')}", encoding="utf-8")
    ui.drop(shader)
    ui.wait(lambda: ui.stages == ["half_green"])
    ui.wait(lambda: abs(int(ui.picture()[15, 20, 1]) - 50) <= 1)
    assert ui.workspace.edits.chain.stages[0].values == {"green_share": 0.0}
    shader.write_text(f"{header}\n{body.format('wrong')}", encoding="utf-8")
    ui.wait(lambda: ui.notices)
    assert "half_green.fs: Line 2: 'wrong' is declared nowhere; correct the name." in ui.notices[0]
    assert abs(int(ui.picture()[15, 20, 1]) - 50) <= 1
    shader.write_text(f"{header}\n{body.format('greenShare')}", encoding="utf-8")
    ui.wait(lambda: ui.picture()[15, 20, 1] == 0)


def test_a_start_with_a_filter_alone_shows_it_on_the_sample(ui, tmp_path):
    shader = tmp_path / "half_red.wgsl"
    shader.write_text(material.SHADER, encoding="utf-8")
    ui.workspace.get(Opening).drop([str(shader)], on_sample=True)
    ui.wait(lambda: ui.stages == ["half_red"] and ui.workspace.playback.name.startswith("sample"))


def test_a_start_with_what_cannot_be_used_does_not_hide_that_behind_the_sample(ui, tmp_path):
    broken = tmp_path / "no.mp4"
    broken.write_bytes(bytes(64))
    ui.workspace.get(Opening).drop([str(broken)], on_sample=True)
    ui.wait(lambda: ui.notices)
    assert not ui.workspace.playback.name.startswith("sample")


def test_saved_shader_reloads(ui, tmp_path):
    ui.play(str(material.image(tmp_path / "one.png", (200, 100, 50))))
    shader = tmp_path / "edited.wgsl"
    shader.write_text(material.SHADER, encoding="utf-8")
    ui.drop(shader)
    ui.wait(lambda: ui.stages == ["edited"] and abs(int(ui.picture()[15, 20, 0]) - 100) <= 1)
    shader.write_text(material.SHADER.replace("c.gba", "0.0, c.ba"), encoding="utf-8")
    ui.wait(lambda: ui.picture()[15, 20, 1] == 0)


def test_cube_inverts(ui, tmp_path):
    ui.play(str(material.image(tmp_path / "one.png", (200, 100, 50))))
    ui.drop(material.cube(tmp_path / "invert.cube"))
    ui.wait(lambda: ui.stages == ["lut"])
    ui.wait(lambda: np.abs(ui.picture()[15, 20, :3].astype(int) - (55, 155, 205)).max() <= 1)


def test_preset(ui, tmp_path):
    preset = tmp_path / "look.toml"
    preset.write_text(
        'lightloom = 1\n[[filter]]\nname = "exposure"\n[[filter]]\nname = "invert"\nenabled = false\n',
        encoding="utf-8",
    )
    ui.drop(preset)
    ui.wait(lambda: ui.stages == ["exposure", "invert"])
    assert not ui.workspace.edits.chain.stages[1].enabled
    assert len(chain_of(ui.window).cards) == 2


@pytest.mark.parametrize("ending", [".toml", ".lightloom"])
def test_a_preset_brings_a_dropped_shader_back_after_a_restart(ui, tmp_path, ending):
    """The file is gone and the program knows nothing of it any more."""
    ui.play(str(material.image(tmp_path / "one.png", (200, 100, 50))))
    name = f"carried_{ending[1:]}"
    shader = tmp_path / "elsewhere" / f"{name}.wgsl"
    shader.parent.mkdir()
    shader.write_text(material.SHADER, encoding="utf-8")
    ui.drop(shader)
    ui.wait(lambda: ui.stages == [name])
    preset = tmp_path / "kept" / f"look{ending}"
    preset.parent.mkdir()
    ui.workspace.get(Opening).save_preset(preset)
    ui.wait(lambda: preset.exists() and not ui.workspace.jobs.running)
    ui.workspace.edits.clear_chain()
    ui.workspace.get(OwnShaders).followed.clear()
    shader.unlink()
    del ui.workspace.library.filters[name]
    ui.window.notices.clear()
    ui.drop(preset)
    ui.wait(lambda: ui.stages == [name])
    ui.wait(lambda: abs(int(ui.picture()[15, 20, 0]) - 100) <= 1)
    assert not ui.notices


def test_a_broken_preset_in_one_file_is_one_sentence(ui, tmp_path):
    path = tmp_path / "broken.lightloom"
    path.write_bytes(b"PK nothing")
    ui.drop(path)
    ui.wait(lambda: ui.notices)
    assert len(ui.notices) == 1 and "broken.lightloom is damaged" in ui.notices[0]


def test_network_names_the_picture(ui, tmp_path):
    ui.play(str(material.image(tmp_path / "green.png", (10, 240, 20))))
    ui.drop(material.classifier(tmp_path / "mean.onnx"))
    ui.wait(lambda: ui.workspace.engine.current.network_status.state in ("running", "failed"))
    assert ui.workspace.engine.current.network_status.state == "running", (
        ui.workspace.engine.current.network_status.text
    )
    ui.wait(lambda: ui.window.overlay.state().bars)
    assert ui.workspace.engine.pipeline.analyses.latest.predictions[0].index == 1


@pytest.mark.parametrize("stated", [True, False])
def test_a_dropped_network_is_opened_once(ui, tmp_path, stated):
    ui.play(str(material.image(tmp_path / "green.png", (10, 240, 20))))
    path = material.classifier(tmp_path / "mean.onnx", stated=stated)
    opens = Opens(path)
    ui.drop(path)
    ui.wait(lambda: ui.workspace.engine.current.network_status.state == "running")
    if not stated:  # what the file leaves open is asked once it runs
        ui.wait(
            lambda: (
                networks_of(ui.window).forms.form is not None
                and networks_of(ui.window).forms.form.isVisible()
            )
        )
        networks_of(ui.window).forms.form.reject()
    ui.wait(lambda: not ui.workspace.jobs.running)
    assert opens.count == 1


def test_a_dropped_network_that_becomes_a_stage_is_opened_once(ui, tmp_path):
    ui.play(str(material.image(tmp_path / "green.png", (10, 240, 20))))
    path = swap_model(tmp_path / "swap.onnx")
    opens = Opens(path)
    ui.drop(path)
    ui.wait(lambda: ui.stages == ["style"])
    ui.wait(lambda: [s.state for s in ui.workspace.engine.pipeline.chain.statuses] == ["running"])
    ui.wait(lambda: abs(int(ui.picture()[15, 20, 2]) - 10) <= 3)
    assert opens.count == 1


def test_the_card_of_a_network_opens_by_a_click_on_its_title_and_by_enter(ui, tmp_path):
    ui.play(str(material.image(tmp_path / "green.png", (10, 240, 20))))
    ui.drop(material.classifier(tmp_path / "mean.onnx"))
    card = chain_of(ui.window).network
    ui.wait(lambda: ui.workspace.engine.current.network_status.state == "running" and card.isVisible())
    card.set_expanded(False)
    QTest.mouseClick(card.title, Qt.MouseButton.LeftButton)
    assert card.expanded
    ui.activate()
    card.setFocus()
    ui.wait(card.hasFocus)
    QTest.keyClick(card, Qt.Key.Key_Return)
    assert not card.expanded
    QTest.mouseClick(card.expander, Qt.MouseButton.LeftButton)
    assert card.expanded


def test_the_card_and_the_statistics_keep_a_network_s_figures(ui, tmp_path):
    ui.play("sample:128x72@30")
    model = material.classifier(tmp_path / "mean.onnx")
    ui.workspace.get(Networks).choose(NetworkSpec(str(model), backend="onnxruntime", every=3))
    pipeline = ui.workspace.engine.pipeline
    ui.wait(lambda: pipeline.stats.network_fps > 0)
    frames = ui.frames
    while ui.frames < frames + 7:
        ui.wait(lambda before=ui.frames: ui.frames > before)
        chain_of(ui.window).update_figures()
        stats_of(ui.window).update_figures()
        rows = {row.key: row for row in stats_of(ui.window).stages.rows}
        assert np.mean(rows["network"].samples) == pytest.approx(pipeline.stats.network_ms)
        assert chain_of(ui.window).network.time.text().endswith(" ms")
        # A busy machine may have no result for a second.
        assert chain_of(ui.window).network.pace.text().endswith(("results a second", "no new results"))
    assert "mean: " in stats_of(ui.window).numbers.text
    # A pause: no line goes, and nothing moves under the pointer.
    card = chain_of(ui.window).network
    height = card.sizeHint().height()
    card.show_status(ui.workspace.engine.current.network_status, None, 0.0)
    assert card.pace.text() == "no new results" and card.sizeHint().height() == height
    card.show_status(ui.workspace.engine.current.network_status, None, None)
    assert not card.pace.isVisibleTo(card), "of a still image there is no rate"


def test_address_that_refuses_is_one_notice(ui):
    ui.drop("http://127.0.0.1:9/stream")
    ui.wait(lambda: ui.notices)
    assert len(ui.notices) == 1 and "127.0.0.1:9" in ui.notices[0]


def test_several_at_once_and_a_failure_among_them(ui, tmp_path):
    shader = tmp_path / "third.wgsl"
    shader.write_text(material.SHADER, encoding="utf-8")
    broken = tmp_path / "broken.mp4"
    broken.write_bytes(b"this is no video" * 20)
    ui.drop(material.image(tmp_path / "one.png"), shader, broken)
    ui.wait(lambda: ui.stages == ["third"] and len(ui.notices) == 1)
    ui.wait(lambda: ui.workspace.playback.info and ui.workspace.playback.info.kind == "image")
    assert "broken.mp4" in ui.notices[0]


def test_networks_dropped_on_the_empty_window_are_loaded_or_refused(ui, tmp_path):
    assert ui.workspace.playback.source is None
    broken = tmp_path / "broken.onnx"
    broken.write_bytes(b"\x08\x07nonsense")
    ui.drop(broken)
    ui.wait(lambda: ui.workspace.engine.current.network_status.state == "failed")
    ui.wait(lambda: ui.notices)
    assert "broken.onnx" in ui.notices[0]
    ui.drop(material.classifier(tmp_path / "mean.onnx"))
    ui.wait(lambda: ui.workspace.engine.current.network_status.state == "running")
    assert ui.workspace.playback.source is None


def test_of_several_files_the_first_that_opens_is_shown_and_the_others_wait(ui, tmp_path):
    broken = tmp_path / "broken.png"
    broken.write_bytes(b"\x89PNG\r\n\x1a\n" + b"\0" * 60)
    names = [str(material.image(tmp_path / f"{index}.png")) for index in range(5)]
    opened: list[str] = []
    ui.workspace.playback.opened.connect(opened.append)
    ui.drop(broken, *names)
    ui.wait(lambda: opened and ui.notices and not ui.workspace.playback.is_opening)
    assert opened == names[:1]
    assert ui.workspace.playback.name == names[0] and "broken.png" in ui.notices[0]
    assert [entry.spec for entry in ui.workspace.get(PlaylistPlayer).list.entries] == [str(broken), *names]


def test_when_nothing_opens_the_start_page_is_back_with_the_sentences(ui, tmp_path):
    broken = tmp_path / "broken.png"
    broken.write_bytes(b"\x89PNG\r\n\x1a\n" + b"\0" * 60)
    text = tmp_path / "broken.mp4"
    text.write_bytes(b"this is no video" * 20)
    # Its header is right, and the rest of it gone: that is found only by the decoder, when the picture's page
    # is open already.
    cut = material.video(tmp_path / "cut.mp4")
    data = bytearray(cut.read_bytes())
    begin = data.index(b"mdat") + 4
    end = data.index(b"moov") - 4
    data[begin:end] = bytes(end - begin)
    cut.write_bytes(data)
    ui.drop(broken, cut, text, tmp_path / "missing.mp4")
    ui.wait(lambda: len(ui.notices) == 4 and not ui.workspace.playback.is_opening)
    ui.wait(lambda: ui.window.pages.currentWidget() is ui.window.empty)
    assert ui.window.empty.sample.isVisible() and ui.window.notices.isVisible()


def test_presets_and_filters_are_taken_in_in_order(ui, tmp_path):
    preset = tmp_path / "look.toml"
    preset.write_text('lightloom = 1\n[[filter]]\nname = "exposure"\n', encoding="utf-8")
    ui.drop(preset, material.cube(tmp_path / "invert.cube"))
    ui.wait(lambda: ui.stages == ["exposure", "lut"])


def test_a_text_file_is_refused_with_advice(ui, tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text("milk, bread", encoding="utf-8")
    ui.drop(path)
    ui.wait(lambda: ui.notices)
    assert "notes.txt" in ui.notices[0] and "another file" in ui.notices[0]


@pytest.mark.parametrize("text", ["x" * 5000, "a\0b", "~nobody-of-this-name/x.png"])
def test_text_that_can_be_no_path_is_refused(ui, text):
    ui.workspace.get(Opening).drop([text])
    ui.wait(lambda: ui.notices)


@pytest.mark.parametrize("text", ["sample:64x64@5", "/no/such/file.mp4"])
def test_text_is_a_path_or_a_name(ui, text):
    ui.workspace.get(Opening).drop([text])
    if text.startswith("sample"):
        ui.wait(lambda: ui.workspace.engine.pipeline.picture_size == (64, 64))
    else:
        ui.wait(lambda: ui.notices)
        assert str(Path(text)) in ui.notices[0]


def hover_files(ui, *paths) -> tuple[QMimeData, list[str]]:
    """Have files hover over the window; return them, and what the zones say."""
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    action, button, none = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    QApplication.sendEvent(ui.window, QDragEnterEvent(QPoint(400, 300), action, data, button, none))
    return data, [translated(zone.text) for zone in ui.window.drop_zones.zones]


def drop_in_zone(ui, data: QMimeData, index: int) -> None:
    """Drop what hovers in the middle of a zone."""
    floor, zones = ui.window.floor, ui.window.drop_zones.zones
    x = round(floor.width() * (index + 0.5) / len(zones))
    at = QPointF(floor.mapTo(ui.window, QPoint(x, floor.height() // 2)))
    action, button, none = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    QApplication.sendEvent(ui.window, QDropEvent(at, action, data, button, none))


def test_an_image_is_used_as_the_reference_of_a_stage(ui, tmp_path):
    ui.play()
    image = material.image(tmp_path / "beach.png")
    assert hover_files(ui, image)[1] == ["Open", "Add to the playlist"]
    edits = ui.workspace.edits
    stage = edits.add_filter("background", {"mode": "blur"})
    data, texts = hover_files(ui, image)
    assert texts == ["Open", "Add to the playlist", "Use as Image of Background"]
    drop_in_zone(ui, data, 2)
    values = edits.chain.find(stage).values
    assert (values["picture"], values["mode"]) == (str(image), "image")
    assert ui.workspace.playback.name.startswith("sample")
    edits.undo()
    assert edits.chain.find(stage).values["mode"] == "blur", "both are one step"
    assert hover_files(ui, image, material.image(tmp_path / "b.png"))[1] == ["Open", "Add to the playlist"]
    QApplication.sendEvent(ui.window, QDragLeaveEvent())


def test_a_table_replaces_that_of_a_stage(ui, tmp_path):
    ui.play()
    edits = ui.workspace.edits
    stage = edits.add_filter("lut")
    data, texts = hover_files(ui, tmp_path / "warm.cube")
    assert texts == ["Add to the chain", "Use as Table of 3D LUT"]
    drop_in_zone(ui, data, 1)
    assert edits.chain.find(stage).values["table"] == str(tmp_path / "warm.cube")


def test_images_are_compared_with_by_a_network_for_similarity(ui, tmp_path):
    ui.play()
    model = color_vector_model(tmp_path / "features.onnx")
    ui.workspace.get(Networks).choose(NetworkSpec(str(model), task="likeness"))
    ui.wait(lambda: ui.workspace.engine.current.network_status.state == "running")
    images = [material.image(tmp_path / f"{name}.png") for name in ("anna", "berta")]
    data, texts = hover_files(ui, *images)
    assert texts[-1] == "Compare with features"
    drop_in_zone(ui, data, len(texts) - 1)
    spec = ui.workspace.edits.setup.network
    assert spec.settings["likeness"] == tuple(map(str, images))
    # A setting of the network that is off is not offered.
    ui.workspace.get(Networks).set_enabled(False)
    assert len(hover_files(ui, *images)[1]) == 2
    QApplication.sendEvent(ui.window, QDragLeaveEvent())


def test_zones_say_what_a_drop_will_do(ui, tmp_path):
    ui.play()
    window = ui.window
    action, button, none = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier

    def enter(*names):
        data = QMimeData()
        data.setUrls([QUrl.fromLocalFile(str(tmp_path / name)) for name in names])
        event = QDragEnterEvent(QPoint(400, 300), action, data, button, none)
        QApplication.sendEvent(window, event)
        assert event.isAccepted() and window.drop_zones.isVisible()
        return data, [translated(zone.text) for zone in window.drop_zones.zones]

    assert enter("a.wgsl", "b.cube")[1] == ["Add to the chain"]
    assert enter("a.onnx")[1] == ["Use this network"]
    assert enter("a.toml")[1] == ["Apply this look"]
    assert enter("a.srt")[1] == ["Show as subtitles"]
    assert enter("a.mp4", "b.onnx")[1] == ["Open"]
    first, second = (material.image(tmp_path / f"{name}.png") for name in "ab")
    data, texts = enter(first.name, second.name)
    assert texts == ["Open", "Add to the playlist"]
    QApplication.sendEvent(window, QDragLeaveEvent())
    assert not window.drop_zones.isVisible()
    data, _ = enter(first.name, second.name)
    floor = window.floor
    right = floor.mapTo(window, QPoint(floor.width() - 60, floor.height() // 2))
    move = QDragMoveEvent(right, action, data, button, none)
    QApplication.sendEvent(window, move)
    QApplication.sendEvent(window, QDropEvent(QPointF(right), action, data, button, none))
    playlist = ui.workspace.get(PlaylistPlayer)
    ui.wait(lambda: {first.name, second.name} <= {Path(e.spec).name for e in playlist.list.entries})
    assert not window.drop_zones.isVisible() and ui.workspace.playback.name.startswith("sample")
