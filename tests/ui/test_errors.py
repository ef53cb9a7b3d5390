"""Messages: an error is one sentence that stays, a success one that disappears; what ran before continues."""

from __future__ import annotations

import threading
from pathlib import Path

import material
from window_panels import chain_of

from desktop.base.errors import ModelError
from desktop.base.notices import notice
from desktop.ui.features.opening.opening import Opening
from desktop.ui.features.recording.pictures import Pictures


def test_missing_and_broken_files_leave_the_source_playing(ui, tmp_path):
    ui.play()
    broken = tmp_path / "broken.png"
    broken.write_bytes(b"\x89PNG\r\n\x1a\n" + b"\0" * 60)
    ui.workspace.get(Opening).drop([str(tmp_path / "missing.mp4"), str(broken)])
    ui.wait(lambda: len(ui.notices) == 2)
    assert any("missing.mp4" in text for text in ui.notices) and any(
        "broken.png" in text for text in ui.notices
    )
    frames = ui.frames
    ui.wait(lambda: ui.frames > frames + 2)
    assert ui.workspace.playback.name.startswith("sample")


def test_bad_shader_names_line_and_column_and_the_last_good_one_runs(ui, tmp_path):
    ui.play(str(material.image(tmp_path / "one.png", (200, 100, 50))))
    shader = tmp_path / "mine.wgsl"
    shader.write_text(material.SHADER, encoding="utf-8")
    ui.drop(shader)
    ui.wait(lambda: ui.stages == ["mine"] and abs(int(ui.picture()[15, 20, 0]) - 100) <= 1)
    shader.write_text(material.SHADER.replace("let c", "let c = nothing_here; let d"), encoding="utf-8")
    ui.wait(lambda: ui.notices)
    assert "mine.wgsl" in ui.notices[0] and "nothing_here" in ui.notices[0]
    line = material.SHADER[: material.SHADER.index("let c")].count("\n") + 1
    assert f":{line}:" in ui.notices[0]
    assert abs(int(ui.picture()[15, 20, 0]) - 100) <= 1
    card = next(iter(chain_of(ui.window).cards.values()))
    ui.wait(lambda: "nothing_here" in card.message.text())
    shader.write_text(material.SHADER + "// mended\n", encoding="utf-8")
    ui.wait(lambda: not ui.notices)
    ui.wait(lambda: not next(iter(chain_of(ui.window).cards.values())).message.text())


def test_the_sentence_about_a_stage_goes_with_the_stage(ui, tmp_path):
    ui.play(str(material.image(tmp_path / "one.png", (200, 100, 50))))
    stage = ui.workspace.edits.add_filter("style", {"model": str(tmp_path / "gone.onnx")})
    ui.wait(lambda: ui.notices)
    ui.workspace.edits.remove_stage(stage)
    ui.wait(lambda: not ui.notices)


def test_what_a_network_says_while_it_runs_is_shown(ui):
    """From whichever thread runs it; not after the window has gone."""
    thread = threading.Thread(target=notice, args=("net.onnx: values of 'conv' are beyond 65504.",))
    thread.start()
    thread.join()
    ui.wait(lambda: any("net.onnx: values of 'conv'" in text for text in ui.notices))


def test_bad_preset_changes_nothing(ui, tmp_path):
    ui.workspace.edits.add_filter("invert")
    preset = tmp_path / "bad.toml"
    preset.write_text("lightloom = 1\n[[filter\n", encoding="utf-8")
    ui.drop(preset)
    ui.wait(lambda: ui.notices)
    assert "bad.toml" in ui.notices[0] and ui.stages == ["invert"]
    assert "correct it" in ui.notices[0]


def test_preset_with_unknown_things_gives_what_it_can(ui, tmp_path):
    preset = tmp_path / "half.toml"
    preset.write_text(
        'lightloom = 1\nmood = 3\n[[filter]]\nname = "no_such"\n[[filter]]\nname = "invert"\n'
        '[network]\nmodel = "gone.onnx"\n',
        encoding="utf-8",
    )
    ui.drop(preset)
    ui.wait(lambda: ui.stages == ["invert"] and len(ui.notices) == 3)
    said = " ".join(ui.notices)
    assert "mood" in said and "no_such" in said and "gone.onnx" in said


def test_broken_model_is_told_and_the_picture_goes_on(ui, tmp_path):
    ui.play()
    model = tmp_path / "broken.onnx"
    model.write_bytes(b"\x08\x07nonsense")
    ui.drop(model)
    ui.wait(lambda: ui.workspace.engine.current.network_status.state == "failed")
    ui.wait(lambda: ui.notices)
    assert "broken.onnx" in ui.notices[0]
    assert "broken.onnx" in chain_of(ui.window).network.text.text()
    frames = ui.frames
    ui.wait(lambda: ui.frames > frames + 2)


def test_a_network_that_cannot_be_loaded_costs_no_other(ui, tmp_path):
    ui.play()
    ui.drop(material.classifier(tmp_path / "mean.onnx"))
    ui.wait(lambda: ui.workspace.engine.current.network_status.state == "running")
    (tmp_path / "broken.onnx").write_bytes(b"no network")
    ui.drop(tmp_path / "broken.onnx")
    ui.wait(lambda: ui.notices)
    ui.wait(lambda: ui.workspace.engine.current.network_status.state == "running")
    assert Path(ui.workspace.edits.setup.network.model).name == "mean.onnx"
    assert str(tmp_path / "broken.onnx") not in ui.workspace.settings.models
    assert not ui.workspace.edits.history.redo_label


def test_a_network_that_failed_is_not_come_back_to(ui, tmp_path):
    for name in ("first.onnx", "second.onnx"):
        (tmp_path / name).write_bytes(b"no network")
        ui.window.notices.clear()
        ui.drop(tmp_path / name)
        ui.wait(lambda name=name: any(name in text for text in ui.notices))
    ui.wait(lambda: not ui.workspace.jobs.running)
    ui.window.refresh()
    failures = [notice.text for notice in ui.window.notices.notices if notice.level == "error"]
    assert len(failures) == 1 and "second.onnx" in failures[0]
    assert set(ui.notices) == {failures[0], "second replaced the network first."}
    assert ui.workspace.edits.setup.network.model == str(tmp_path / "second.onnx")
    assert ui.workspace.engine.current.network_status.state == "failed"


def test_snapshot_without_a_picture_or_into_a_file(ui, tmp_path):
    ui.play(str(material.image(tmp_path / "one.png", (200, 100, 50))))
    ui.settle()
    target = tmp_path / "made" / "shot.png"
    ui.workspace.get(Pictures).snapshot(target)
    ui.wait(lambda: ui.notices)
    assert target.exists() and str(target) in ui.notices[0]
    blocked = tmp_path / "one.png" / "shot.png"
    ui.workspace.get(Pictures).snapshot(blocked)
    ui.wait(lambda: any(notice.level == "error" for notice in ui.window.notices.notices))
    assert "shot.png" in ui.notices[0]
    ui.workspace.get(Pictures).snapshot(tmp_path / "again.png")
    ui.wait(lambda: "again.png" in ui.notices[0])
    assert not any(notice.level == "error" for notice in ui.window.notices.notices), "it works again"


def test_a_network_that_dies_while_it_runs_is_told_and_the_picture_goes_on(ui, tmp_path, monkeypatch):
    ui.play()
    ui.drop(material.classifier(tmp_path / "mean.onnx"))
    ui.wait(lambda: ui.workspace.engine.current.network_status.state == "running")
    ui.window.refresh()

    def die() -> None:
        raise ModelError("The network gave up.")

    monkeypatch.setattr(ui.workspace.engine.pipeline.analyses.current, "poll", die)
    ui.wait(lambda: ui.notices)
    card = chain_of(ui.window).network
    assert "The network gave up." in ui.notices[0] and card.text.text() == "The network gave up."
    assert Path(ui.workspace.edits.setup.network.model).name == "mean.onnx"
    frames = ui.frames
    ui.wait(lambda: ui.frames > frames + 2)
