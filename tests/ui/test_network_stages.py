"""Networks as stages, in the window: drops, the card, the list of networks, presets, failures."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
import tiny_pipeline
from dense_models import channel_model, convolution, denoiser_model, depth_model, swap_model
from dialog_rig import chosen_paths
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from window_panels import chain_of, stats_of

from desktop.base.errors import ModelError
from desktop.pipeline.filters.params.model import ModelParam
from desktop.ui.features.networks.networks import Networks
from desktop.ui.forms.editors.file import FileEditor
from desktop.ui.forms.editors.model import ModelEditor
from desktop.ui.forms.stage_card import StageCard
from desktop.ui.kit.widgets import Themed, WheelGuard
from desktop.vision.diffusion.folder import read_folder


def show(ui, tmp_path, picture: np.ndarray) -> None:
    """Open a picture of R'G'B' as an image file."""
    path = tmp_path / "shown.png"
    cv2.imwrite(str(path), np.ascontiguousarray(picture[..., ::-1]))
    ui.play(str(path))


def ramp() -> np.ndarray:
    picture = np.zeros((48, 64, 3), np.uint8)
    picture[..., 0] = np.linspace(0, 255, 64).astype(np.uint8)
    picture[..., 1] = 80
    picture[..., 2] = np.linspace(200, 20, 48).astype(np.uint8)[:, None]
    return picture


def status(ui):
    return ui.workspace.engine.pipeline.chain.statuses[0]


def card(ui):
    return next(iter(chain_of(ui.window).cards.values()))


def test_a_dropped_network_that_gives_a_picture_becomes_a_style(ui, tmp_path):
    show(ui, tmp_path, ramp())
    model = swap_model(tmp_path / "swap.onnx")
    ui.drop(model)
    ui.wait(lambda: ui.stages == ["style"])
    ui.wait(lambda: status(ui).state == "running")
    ui.settle()
    assert np.abs(ui.picture()[..., :3].astype(int) - ramp()[..., ::-1]).max() <= 2
    assert ui.workspace.edits.setup.network is None
    assert str(model) in ui.workspace.settings.models
    assert ui.notices == []


def test_a_dropped_mask_or_depth_map_becomes_its_stage(ui, tmp_path):
    show(ui, tmp_path, ramp())
    ui.drop(channel_model(tmp_path / "person_mask_1.onnx", size=(64, 48), output="mask"))
    ui.wait(lambda: ui.stages == ["background"])
    ui.wait(lambda: status(ui).state == "running")
    ui.drop(depth_model(tmp_path / "far.onnx", size=(64, 48)))
    ui.wait(lambda: ui.stages == ["background", "depth"])
    ui.wait(lambda: all(s.state == "running" for s in ui.workspace.engine.pipeline.chain.statuses))
    ui.settle()


def test_another_network_of_the_kind_takes_the_place_of_the_one_before(ui, tmp_path):
    show(ui, tmp_path, ramp())
    ui.drop(swap_model(tmp_path / "swap.onnx"))
    ui.wait(lambda: ui.stages == ["style"] and status(ui).state == "running")
    stage = ui.workspace.edits.chain.stages[0].id
    ui.workspace.edits.set_value(stage, "keep_colors", 0.5)
    same = convolution(tmp_path / "same.onnx", np.eye(3, dtype=np.float32).reshape(3, 3, 1, 1))
    ui.workspace.get(Networks).use(same)
    ui.wait(lambda: ui.workspace.edits.chain.stages[0].values["model"] == str(same))
    assert ui.stages == ["style"] and ui.workspace.edits.chain.stages[0].values["keep_colors"] == 0.5
    ui.wait(lambda: np.abs(ui.picture()[..., :3].astype(int) - ramp()).max() <= 2)
    ui.workspace.edits.undo()
    assert ui.workspace.edits.chain.stages[0].values["model"] == str(tmp_path / "swap.onnx")


def test_the_card_says_where_the_network_runs_and_why(ui, tmp_path):
    show(ui, tmp_path, ramp())
    ui.drop(swap_model(tmp_path / "swap.onnx"))
    ui.wait(lambda: ui.stages == ["style"] and status(ui).state == "running")
    ui.window.refresh()
    shown = card(ui)
    shown.set_expanded(True)
    report = status(ui).network
    where = report.text.partition(": ")[0]
    assert where in shown.network.text() and shown.network.isVisibleTo(shown)
    assert "is a software adapter" in shown.network_details.text()
    assert "64x48 RGB, 0..1" in shown.network_details.text()
    assert isinstance(shown.editors["model"], ModelEditor)
    # What is inferred is folded away until it is asked for.
    assert shown.editors["keep_colors"].isVisibleTo(shown) and not shown.editors["backend"].isVisibleTo(shown)
    shown.network_fold.click()
    assert shown.editors["backend"].isVisibleTo(shown) and shown.network_details.isVisibleTo(shown)


def test_a_dropped_denoiser_becomes_diffusion_and_its_card_has_what_is_set_live(ui, tmp_path):
    show(ui, tmp_path, ramp())
    ui.drop(denoiser_model(tmp_path / "denoiser.onnx"))
    ui.wait(lambda: ui.stages == ["diffusion"] and status(ui).state == "running")
    ui.window.refresh()
    shown = card(ui)
    shown.set_expanded(True)
    for name in ("model", "strength", "steps", "seed", "steady", "similarity"):
        assert shown.editors[name].isVisibleTo(shown), name
    assert not shown.editors["backend"].isVisibleTo(shown)
    assert "64x48 RGB, -1..1" in shown.network_details.text()
    stage = ui.workspace.edits.chain.stages[0].id
    ui.workspace.edits.set_value(stage, "strength", 0.0)
    ui.wait(lambda: np.abs(ui.picture()[..., :3].astype(int) - ramp()).max() <= 1)
    ui.workspace.edits.set_value(stage, "strength", 1.0)
    ui.wait(lambda: np.abs(ui.picture()[..., :3].astype(int) - ramp()).mean() > 5)


def test_a_dropped_pipeline_becomes_diffusion_whose_prompt_is_edited_and_undone(ui, tmp_path):
    pytest.importorskip("tokenizers")
    show(ui, tmp_path, ramp())
    folder = tiny_pipeline.write_pipeline(tmp_path / "painter")
    ui.drop(folder)
    ui.wait(lambda: ui.stages == ["diffusion"] and status(ui).state == "running" and status(ui).network)
    assert status(ui).network.name == "painter" and str(folder) in ui.workspace.settings.models
    assert ui.workspace.edits.setup.network is None
    ui.settle()
    card(ui).set_expanded(True)
    editor = card(ui).editors["prompt"]
    before = ui.picture().astype(int)
    editor.line.setFocus()
    QTest.keyClicks(editor.line, "a cat, b")
    assert ui.workspace.edits.chain.stages[0].values["prompt"] == ""
    QTest.keyClick(editor.line, Qt.Key.Key_Return)
    assert ui.workspace.edits.chain.stages[0].values["prompt"] == "a cat, b"
    ui.wait(lambda: np.abs(ui.picture().astype(int) - before).max() > 8)
    ui.workspace.edits.undo()
    ui.wait(lambda: editor.line.text() == "")
    ui.wait(lambda: np.abs(ui.picture().astype(int) - before).max() <= 2)
    # A second folder takes the place of the first one.
    other = tiny_pipeline.write_pipeline(tmp_path / "other")
    ui.drop(other)
    ui.wait(lambda: status(ui).network and status(ui).network.name == "other")
    assert ui.stages == ["diffusion"] and ui.notices == []


def test_a_dropped_pipeline_that_is_not_taken_says_why(ui, tmp_path):
    show(ui, tmp_path, ramp())
    folder = tiny_pipeline.write_pipeline(tmp_path / "painter")
    tiny_pipeline.write_json(folder / "model_index.json", {"_class_name": "FluxPipeline"})
    ui.drop(folder)
    ui.wait(lambda: ui.notices)
    assert "painter is a FluxPipeline; what runs here" in ui.notices[-1] and ui.stages == []
    assert str(folder) not in ui.workspace.settings.models


def rows(shown: StageCard) -> set[str]:
    return {name for name, editor in shown.editors.items() if editor.isVisibleTo(shown)}


def test_a_card_has_the_rows_of_its_kind_of_network_and_keeps_what_they_say(ui, tmp_path):
    show(ui, tmp_path, ramp())
    stage = ui.workspace.edits.add_filter("diffusion", {"prompt": "a cat", "guidance": 3.5})
    shown = card(ui)
    shown.set_expanded(True)
    of_words, of_both = {"prompt", "negative", "guidance", "blend"}, {"strength", "steps", "seed", "size"}
    assert of_both <= rows(shown) and not of_words & rows(shown)
    folder = tiny_pipeline.write_pipeline(tmp_path / "painter")
    for model in (str(folder), "denoiser", str(folder)):
        ui.workspace.edits.set_value(stage, "model", model)
        expected = of_words if model == str(folder) else set()
        assert of_both <= rows(shown) and rows(shown) & of_words == expected
        assert shown.row("prompt")[0].isVisibleTo(shown) == bool(expected)
        values = ui.workspace.edits.chain.stages[0].values
        assert (values["prompt"], values["guidance"]) == ("a cat", 3.5)
    assert shown.editors["prompt"].line.text() == "a cat"
    ui.workspace.edits.undo()
    assert not of_words & rows(shown)


def test_a_folder_that_comes_later_has_its_rows_when_the_card_is_opened(ui, tmp_path):
    show(ui, tmp_path, ramp())
    ui.workspace.edits.add_filter("diffusion", {"model": str(tmp_path / "painter")})
    shown = card(ui)
    shown.set_expanded(True)
    assert "prompt" not in rows(shown)
    shown.set_expanded(False)
    tiny_pipeline.write_pipeline(tmp_path / "painter")
    shown.set_expanded(True)
    assert "prompt" in rows(shown)


def test_a_folder_that_is_chosen_in_the_card_is_looked_into_first(ui, tmp_path):
    show(ui, tmp_path, ramp())
    ui.workspace.edits.add_filter("diffusion", {"model": str(denoiser_model(tmp_path / "denoiser.onnx"))})
    ui.wait(lambda: status(ui).state == "running")
    card(ui).set_expanded(True)
    editor, edits = card(ui).editors["model"], ui.workspace.edits
    before = (edits.setup, edits.history.undo_label, editor.box.currentText())
    folder = tiny_pipeline.write_pipeline(tmp_path / "painter")
    (tmp_path / "holiday").mkdir()
    half = tiny_pipeline.write_pipeline(tmp_path / "half")
    (half / "unet" / "model.onnx").unlink()
    for wrong, said in (
        ("holiday", "holiday has no model_index.json; give a folder as"),
        ("half", "half has no unet/model.onnx; export"),
    ):
        with pytest.raises(ModelError) as as_generate:
            read_folder(tmp_path / wrong)
        with chosen_paths(tmp_path / wrong):
            editor.box.activated.emit(editor.box.count() - 1)
        ui.wait(lambda said=said: any(said in text for text in ui.notices))
        assert str(as_generate.value) in ui.notices
        assert (edits.setup, edits.history.undo_label, editor.box.currentText()) == before
        assert status(ui).state == "running"
    with chosen_paths(folder):
        editor.box.activated.emit(editor.box.count() - 1)
    ui.wait(lambda: edits.chain.stages[0].values["model"] == str(folder))
    assert editor.box.currentText() == "painter" and len(ui.notices) == 2
    edits.undo()
    assert (edits.setup, edits.history.undo_label, editor.box.currentText()) == before


def test_a_folder_that_was_mended_takes_its_notice_back(ui, tmp_path):
    show(ui, tmp_path, ramp())
    folder = tiny_pipeline.write_pipeline(tmp_path / "painter")
    network = (folder / "unet" / "model.onnx").read_bytes()
    (folder / "unet" / "model.onnx").unlink()
    ui.drop(folder)
    ui.wait(lambda: any("painter has no unet/model.onnx" in text for text in ui.notices))
    assert ui.stages == []
    (folder / "unet" / "model.onnx").write_bytes(network)
    ui.drop(folder)
    ui.wait(lambda: ui.stages == ["diffusion"] and ui.notices == [])


def test_timing_is_a_row_of_the_card_which_says_what_it_costs(ui, tmp_path):
    ui.play("sample:320x180@30")
    ui.drop(swap_model(tmp_path / "swap.onnx"))
    ui.wait(lambda: ui.stages == ["style"] and status(ui).state == "running")
    shown = card(ui)
    shown.set_expanded(True)
    shown.network_fold.click()
    assert shown.editors["timing"].isVisibleTo(shown)
    assert not status(ui).network.in_step
    stage = ui.workspace.edits.chain.stages[0].id
    ui.workspace.edits.set_value(stage, "timing", "in step")

    def says_so():
        ui.window.refresh()
        return "in step:" in card(ui).network.text()

    ui.wait(says_so)
    assert status(ui).network.in_step and "ms behind" in card(ui).network.text()
    playing = card(ui).network.text()
    now = status(ui)
    paused = replace(now, network=replace(now.network, fps=0.0))
    card(ui).show_status(paused, None)
    assert card(ui).network.text().splitlines() == [playing.splitlines()[0], "no new results"]
    ui.workspace.edits.undo()
    ui.wait(lambda: not status(ui).network.in_step)


def test_a_network_that_does_not_suit_is_named_and_another_one_helps(ui, tmp_path):
    show(ui, tmp_path, ramp())
    stage = ui.workspace.edits.add_filter("style", {"model": str(tmp_path / "gone.onnx")})
    ui.wait(lambda: status(ui).state == "failed")
    ui.window.refresh()
    ui.wait(lambda: any("There is no network" in text for text in ui.notices))
    assert "There is no network" in card(ui).message.text()
    assert np.abs(ui.picture()[..., :3].astype(int) - ramp()).max() <= 1
    ui.workspace.edits.set_value(stage, "model", str(swap_model(tmp_path / "swap.onnx")))
    ui.wait(lambda: status(ui).state == "running")
    ui.settle()
    assert np.abs(ui.picture()[..., :3].astype(int) - ramp()[..., ::-1]).max() <= 2


def test_a_long_name_in_a_failed_card_has_an_ellipsis(ui, tmp_path):
    show(ui, tmp_path, ramp())
    name = "a_network_with_a_very_long_name_" * 4
    ui.workspace.edits.add_filter("style", {"model": str(tmp_path / f"{name}.onnx")})
    ui.wait(lambda: status(ui).state == "failed")
    ui.wait(lambda: card(ui).width() > 200 and card(ui).message.isVisible())
    ui.window.refresh()
    message = card(ui).message
    assert "…" in message.text() and message.toolTip() == status(ui).message
    font = message.fontMetrics()
    assert all(
        font.horizontalAdvance(word) <= message.contentsRect().width() for word in message.text().split()
    )


def test_undo_brings_the_network_before_back(ui, tmp_path):
    show(ui, tmp_path, ramp())
    first = swap_model(tmp_path / "swap.onnx")
    same = convolution(tmp_path / "same.onnx", np.eye(3, dtype=np.float32).reshape(3, 3, 1, 1))
    ui.drop(first)
    ui.wait(lambda: ui.stages == ["style"] and status(ui).state == "running")
    stage = ui.workspace.edits.chain.stages[0].id
    ui.workspace.edits.set_value(stage, "model", str(same))
    ui.wait(lambda: np.abs(ui.picture()[..., :3].astype(int) - ramp()).max() <= 2)
    ui.workspace.edits.undo()
    ui.wait(lambda: np.abs(ui.picture()[..., :3].astype(int) - ramp()[..., ::-1]).max() <= 2)


def test_a_preset_brings_the_stage_with_its_network(ui, tmp_path):
    show(ui, tmp_path, ramp())
    swap_model(tmp_path / "swap.onnx")
    preset = tmp_path / "look.toml"
    preset.write_text(
        'lightloom = 1\n[[filter]]\nname = "style"\nvalues = { model = "swap.onnx", strength = 0.5 }\n',
        encoding="utf-8",
    )
    ui.drop(preset)
    ui.wait(lambda: ui.stages == ["style"] and status(ui).state == "running")
    ui.settle()
    expected = (ramp().astype(float) + ramp()[..., ::-1]) / 2
    assert np.abs(ui.picture()[..., :3] - expected).max() <= 2


def test_the_statistics_name_the_network_and_its_rate(ui, tmp_path):
    ui.play("sample:128x72@30")
    ui.workspace.edits.add_filter(
        "style", {"model": str(swap_model(tmp_path / "s.onnx")), "backend": "onnxruntime"}
    )
    ui.wait(lambda: status(ui).state == "running" and status(ui).network.fps > 0)
    panel = stats_of(ui.window)
    panel.update_figures()
    assert "Style: " in panel.numbers.text and "FPS, latency" in panel.numbers.text
    assert "Network of Style" in [row.title for row in panel.stages.rows]


@pytest.fixture
def guard(qapp):
    return WheelGuard()


def test_the_editor_lists_what_suits_and_keeps_the_users_own(qtbot, guard):
    param = ModelParam("model", "", tasks=("image",), label="Network", help="A network.")
    editor = ModelEditor(param, Themed(), guard)
    qtbot.addWidget(editor)
    editor.set_value("/somewhere/painted.onnx")
    texts = [editor.box.itemText(i) for i in range(editor.box.count())]
    assert editor.box.currentText() == "painted" and texts[-1] == "Choose a file..."
    chosen = []
    editor.edited.connect(chosen.append)
    editor.box.activated.emit(texts.index("painted"))
    assert chosen == ["/somewhere/painted.onnx"]


def test_the_editor_takes_a_folder_where_the_task_does(qtbot, guard, tmp_path):
    for task, ends in (("image", "Choose a file..."), ("diffusion", "Choose a folder...")):
        editor = ModelEditor(
            ModelParam("model", "", tasks=(task,), label="Network", help="A network."),
            Themed(),
            guard,
        )
        qtbot.addWidget(editor)
        assert editor.box.itemText(editor.box.count() - 1) == ends
    chosen, before = [], editor.box.currentText()
    editor.edited.connect(chosen.append)
    for found in ("", str(tmp_path)):
        with chosen_paths(found):
            editor.box.activated.emit(editor.box.count() - 1)
        assert editor.box.currentText() == before  # until it is known that it can be one
    assert chosen == [str(tmp_path)]
    editor.set_value(chosen[0])
    assert editor.box.currentText() == tmp_path.stem


def test_a_picture_parameter_has_a_file_editor(ui, tmp_path):
    show(ui, tmp_path, ramp())
    ui.drop(channel_model(tmp_path / "mask.onnx", size=(64, 48), output="mask"))
    ui.wait(lambda: ui.stages == ["background"])
    card(ui).set_expanded(True)
    editor = card(ui).editors["picture"]
    assert isinstance(editor, FileEditor) and editor.choose.text() == "Choose..."
    stage = ui.workspace.edits.chain.stages[0].id
    cv2.imwrite(str(tmp_path / "green.png"), np.full((8, 8, 3), (0, 255, 0), np.uint8))
    ui.workspace.edits.set_value(stage, "picture", str(tmp_path / "green.png"))
    ui.workspace.edits.set_value(stage, "mode", "image")
    assert editor.choose.text() == "green.png"
    ui.wait(lambda: status(ui).state == "running")
    # Red is the mask: at the left there is nobody, so the picture shows; the person is at the right.
    ui.wait(lambda: np.abs(ui.picture()[:, :12, :3].astype(int) - (0, 255, 0)).max() <= 3)
    assert np.abs(ui.picture()[:, -8:, :3].astype(int) - ramp()[:, -8:]).max() <= 3
