"""Live outputs in the window, with outputs that write down what they are given."""

from __future__ import annotations

import threading

import numpy as np
import pytest
from package_index import LICENCE, index_with, package_of, pages_of, wheel
from PySide6.QtCore import QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QWidget

from desktop.base.errors import ExportError
from desktop.base.fields import Number, Secret, Selection, Suggested
from desktop.outputs.live.output import LiveOutput, SinkFigures
from desktop.ui.features.outputs.licence_dialog import LicenceDialog
from desktop.ui.features.outputs.live_outputs import LiveOutputs
from desktop.ui.features.outputs.outputs_panel import OutputsPanel
from desktop.ui.forms.settings import Settings
from desktop.ui.workspace.playback import Playback
from desktop.ui.workspace.viewport import Viewport

CTRL_SHIFT = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier


class Sink:
    def __init__(self):
        self.written, self.fails, self.closed = [], None, 0
        self.values = self.pictures = None

    def write(self, picture, at):
        if self.fails is not None:
            raise self.fails
        self.written.append(picture)

    def send_audio(self, samples, at):
        pass

    def figures(self):
        return SinkFigures(len(self.written), 2_500_000.0, 0.012)

    def close(self):
        self.closed += 1


def sample_output(sink, name, order, lacks, **more):
    def open_sink(values, pictures):
        sink.values, sink.pictures = values, pictures
        sink.thread = threading.current_thread()
        return sink

    return LiveOutput(
        id=name,
        title=f"Output {name}",
        order=order,
        fields=(
            Suggested(
                name="address",
                label="Address",
                suggestions=lambda: ("one", "two"),
                storable=lambda text: text.partition("?")[0],
            ),
            Selection(name="size", label="Size", default="small", choices=("small", "large")),
            Secret(name="key", label="Key"),
            Number(name="delay", label="Delay", step=1.0, has_slider=False, max=9.0, unit="s", default=1.0),
        ),
        missing=lambda values: lacks.get(name, ""),
        open=open_sink,
        foresee=lambda values, pictures: ("It is made small.",) if values["size"] == "small" else (),
        **more,
    )


@pytest.fixture
def sinks():
    return {"first": Sink(), "second": Sink()}


@pytest.fixture
def lacks():
    return {}


@pytest.fixture
def live(ui, sinks, lacks, monkeypatch):
    """The window's outputs, which are two of ours."""
    found = {
        "first": sample_output(
            sinks["first"], "first", 0, lacks, overlay=False, repeat_s=0.05, takes_audio=False
        ),
        "second": sample_output(sinks["second"], "second", 1, lacks),
    }
    monkeypatch.setattr(LiveOutputs, "outputs", found)
    live = ui.workspace.get(LiveOutputs)
    yield live
    for name in found:
        if live.is_on(name):
            live.toggle(name)
    live.close()
    ui.workspace.settings.live_outputs = {}


@pytest.fixture
def panel(ui, live, qtbot):
    made = OutputsPanel(ui.workspace, ui.window.themed)
    qtbot.addWidget(made)
    made.resize(700, 320)
    made.show()
    yield made
    live.changed.disconnect(made.refresh)
    ui.workspace.playback.changed.disconnect(made.refresh)


def switch_on(ui, panel, name):
    # As the window does some times a second for the panels that are in it.
    ui.wait(lambda: panel.update_figures() or panel.cards[name].switch.isEnabled())
    panel.cards[name].switch.click()
    ui.wait(lambda: panel.cards[name].state.text() == "On")


def test_the_pictures_that_are_shown_go_to_an_output(ui, live, panel, sinks):
    ui.play()
    card, sink = panel.cards["first"], sinks["first"]
    switch_on(ui, panel, "first")
    ui.wait(lambda: len(sink.written) >= 3)
    assert sink.written[0].shape == (72, 128, 4) and (sink.pictures.width, sink.pictures.rate) == (128, 30.0)
    assert not sink.pictures.sound and sink.thread is not threading.main_thread()
    panel.update_figures()
    assert "FPS" in card.figures.text() and "12 ms" in card.figures.text()
    assert "2.50 Mbit/s" in card.figures.text().replace(",", ".")
    assert not card.form.editors["size"].isEnabled() and card.form.editors["mirrored"].isEnabled()
    card.switch.click()
    assert not live.is_on("first") and card.state.text() == "Off"
    ui.wait(lambda: sink.closed == 1)
    ui.wait(lambda: card.form.editors["size"].isEnabled())


def test_a_paused_picture_is_given_at_once_and_again_and_follows_the_filters(ui, live, panel, sinks):
    ui.play()
    ui.pause()
    first, second = sinks["first"], sinks["second"]
    switch_on(ui, panel, "first")
    switch_on(ui, panel, "second")
    ui.wait(lambda: len(first.written) >= 4)  # one that asks for a steady rate
    before = first.written[-1]
    assert np.array_equal(before, ui.picture())
    ui.workspace.edits.add_filter("invert")
    ui.settle()
    ui.wait(lambda: not np.array_equal(first.written[-1], before))
    ui.wait(lambda: second.written and np.array_equal(second.written[-1], first.written[-1]))
    assert np.abs(first.written[-1][..., :3].astype(int) - (255 - before[..., :3].astype(int))).max() <= 2


def test_mirrored_changes_at_once_and_is_kept(ui, live, panel, sinks):
    ui.play()
    ui.pause()
    switch_on(ui, panel, "first")
    sink, card = sinks["first"], panel.cards["first"]
    ui.wait(lambda: sink.written)
    straight = ui.picture()
    card.form.editors["mirrored"].box.click()
    ui.wait(lambda: np.array_equal(sink.written[-1], straight[:, ::-1]))
    settings = ui.workspace.settings
    settings.sync()
    assert Settings(settings.path).live_outputs == {"first": {"mirrored": True}}
    assert not np.array_equal(straight, straight[:, ::-1])


def test_what_was_seen_is_drawn_over_for_those_that_want_it(ui, live, sinks, monkeypatch):
    over = []
    monkeypatch.setattr(
        type(ui.workspace.get(LiveOutputs)._overlay), "current_overlay", lambda self: over.append(1)
    )
    first, second = live.outputs["first"], live.outputs["second"]
    assert not live.values_of(first)["overlay"] and live.values_of(second)["overlay"]
    ui.play()
    live.toggle("first")
    ui.wait(lambda: len(sinks["first"].written) >= 2)
    assert not over
    live.set_value(first, "overlay", True)
    ui.wait(lambda: over)


def test_an_output_that_fails_says_so_and_the_other_goes_on(ui, live, panel, sinks):
    ui.play()
    switch_on(ui, panel, "first")
    switch_on(ui, panel, "second")
    sinks["second"].fails = ExportError("The line is cut; try again.")
    card = panel.cards["second"]
    ui.wait(lambda: card.state.text() == "Failed")
    assert card.error.text() == "The line is cut; try again." and card.error.isVisible()
    assert card.property("failed") and not card.switch.isChecked() and not card.figures.isVisible()
    ui.wait(lambda: "The line is cut; try again." in ui.notices)
    count = len(sinks["first"].written)
    ui.wait(lambda: len(sinks["first"].written) > count + 2)
    # Switched on again: what was said of it is gone.
    sinks["second"].fails = None
    switch_on(ui, panel, "second")
    assert not card.error.isVisible() and not card.property("failed")
    ui.wait(lambda: "The line is cut; try again." not in ui.notices)


def test_what_is_missing_and_what_will_be_made_is_said_before(ui, live, panel, lacks):
    card = panel.cards["first"]
    ui.wait(card.missing.isVisible)
    assert "open a source" in card.missing.text() and not card.switch.isEnabled()
    ui.play()
    # As the window does some times a second: what is asked before the first picture says nothing of it.
    ui.wait(
        lambda: (
            panel.update_figures()
            or (card.notes.text() == "It is made small." and not card.missing.isVisible())
        )
    )
    assert card.switch.isEnabled()
    lacks["first"] = "Plug the cable in."
    size = card.form.editors["size"].box
    size.setCurrentIndex(size.findText("large"))
    size.activated.emit(size.currentIndex())
    ui.wait(lambda: card.missing.text() == "Plug the cable in.")
    assert not card.notes.isVisible() and card.switch.isEnabled()


def test_a_look_that_takes_long_is_waited_for(ui, live, panel, monkeypatch):
    card, asked = panel.cards["first"], []
    ui.wait(lambda: not ui.workspace.jobs.running)
    monkeypatch.setattr(live, "find_missing", lambda output, done: asked.append(done))
    for _ in range(5):
        card._checked_at = float("-inf")
        card.update_figures()
    assert len(asked) == 1
    asked[0](("", ()))
    card._checked_at = float("-inf")
    card.update_figures()
    assert len(asked) == 2
    asked[1](("", ()))


def test_values_are_kept_but_for_secrets_and_broken_ones_are_the_usual(ui, live, sinks):
    output, settings = live.outputs["second"], ui.workspace.settings
    for name, value in {"address": "here", "size": "large", "key": "hush", "delay": 2.0}.items():
        live.set_value(output, name, value)
    settings.sync()
    assert "hush" not in settings.path.read_text()
    ui.play()
    live.toggle("second")
    ui.wait(lambda: sinks["second"].values is not None)
    assert sinks["second"].values == {"address": "here", "size": "large", "key": "hush", "delay": 2.0}
    live.toggle("second")
    live.set_value(output, "key", "")
    usual = {"address": "", "size": "small", "key": "", "delay": 1.0, "overlay": True, "mirrored": False}
    for kept in (
        {"second": {"size": 7, "delay": "x", "address": "a\nb", "none such": 1}},
        {"second": {}},
        {},
    ):
        settings.live_outputs = kept
        assert live.values_of(output) == usual
    settings.store(Settings.live_outputs, "{broken")
    assert live.values_of(output) == usual


def test_what_is_secret_in_a_text_is_used_and_not_kept(ui, live):
    output, settings = live.outputs["second"], ui.workspace.settings
    live.set_value(output, "address", "there?key=hush")
    settings.sync()
    assert live.values_of(output)["address"] == "there?key=hush"
    assert settings.live_outputs["second"]["address"] == "there" and "hush" not in settings.path.read_text()
    live.set_value(output, "address", "elsewhere")
    assert live.values_of(output)["address"] == settings.live_outputs["second"]["address"] == "elsewhere"


def test_a_source_that_is_closed_goes_out_no_more(ui, live, sinks):
    ui.play()
    ui.pause()
    live.toggle("first")
    sink = sinks["first"]
    ui.wait(lambda: sink.written and sink.written[-1][..., :3].any())
    ui.workspace.playback.stop()
    ui.wait(lambda: not sink.written[-1][..., :3].any())
    # A filter that is added draws what the pipeline still has.
    live.on_drawn()
    count = len(sink.written)
    ui.wait(lambda: len(sink.written) > count + 3)
    assert not any(picture[..., :3].any() for picture in sink.written[count:]) and live.is_on("first")


def test_who_is_heard_follows_what_is_shown_and_the_microphone_is_let_go(ui, live, sinks, monkeypatch):
    heard = []
    ui.play()
    live.toggle("second")
    ui.wait(lambda: live.status_of("second").state == "running")
    monkeypatch.setattr(type(ui.workspace.playback), "listening", property(lambda self: self._source))
    monkeypatch.setattr(live._feeds, "set_audio_source", heard.append)
    playback, settings = ui.workspace.playback, ui.workspace.settings
    source, tile = playback.source, Playback(ui.workspace.jobs, playback.sound, ui.window)
    playback.exchange(tile)  # as the grid does it
    assert heard == [None]
    playback.exchange(tile)
    assert heard == [None, source]
    del heard[:]
    settings.records_microphone = not settings.records_microphone
    assert heard == [source]
    settings.records_microphone = not settings.records_microphone


def test_an_address_can_be_typed_or_taken_from_the_offers(ui, live, panel):
    box = panel.cards["first"].form.editors["address"].box
    box.lineEdit().setText("typed")
    box.lineEdit().editingFinished.emit()
    assert live.values_of(live.outputs["first"])["address"] == "typed"
    box.showPopup()
    assert [box.itemText(n) for n in range(box.count())] == [
        "",
        "one",
        "two",
    ] and box.currentText() == "typed"
    box.setCurrentIndex(2)
    box.activated.emit(2)
    box.hidePopup()
    assert live.values_of(live.outputs["first"])["address"] == "two"


def test_a_window_that_nobody_sees_goes_on_for_its_outputs_alone(ui, live, sinks, monkeypatch):
    ui.play()
    # As a minimized window's: there is no window manager in a test's X server.
    monkeypatch.setattr(Viewport, "is_on_screen", False)
    frames = ui.still(lambda: ui.frames)
    live.toggle("second")
    ui.wait(lambda: len(sinks["second"].written) >= 3)
    assert ui.frames > frames and not np.array_equal(sinks["second"].written[-1], sinks["second"].written[0])
    live.toggle("second")
    ui.wait(lambda: sinks["second"].closed)


def test_without_a_picture_nothing_is_switched_on(ui, live):
    live.toggle("first")
    assert not live.is_on("first")
    ui.wait(lambda: any("open a source" in text for text in ui.notices))


def test_closing_ends_all_outputs(ui, live, panel, sinks):
    ui.play()
    for name in sinks:
        switch_on(ui, panel, name)
    live.close()
    assert [sink.closed for sink in sinks.values()] == [1, 1] and not live.is_on("first")


def test_keys_show_the_panel_and_switch_the_camera(ui, live, sinks, lacks):
    live.outputs["virtual_camera"] = sample_output(sinks["first"], "virtual_camera", 2, lacks)
    docks = ui.window.dock_area
    ui.press(Qt.Key.Key_U, CTRL_SHIFT)
    ui.wait(lambda: docks.is_shown("outputs"))
    ui.press(Qt.Key.Key_U, CTRL_SHIFT)
    ui.wait(lambda: not docks.is_shown("outputs"))
    assert not ui.window.actions_by_name["virtual_camera"].isEnabled()
    ui.play()
    ui.wait(ui.window.actions_by_name["virtual_camera"].isEnabled)
    ui.press(Qt.Key.Key_V, CTRL_SHIFT)
    ui.wait(lambda: live.is_on("virtual_camera") and sinks["first"].written)
    ui.press(Qt.Key.Key_V, CTRL_SHIFT)
    ui.wait(lambda: not live.is_on("virtual_camera"))


@pytest.mark.parametrize("width", [320, 700])
def test_nothing_is_cut_or_covers_another(ui, live, panel, lacks, width):
    lacks["first"] = "There is no device; " + "install what it takes and load it, " * 3 + "then try again."
    panel.resize(width, 300)
    panel.refresh()
    ui.wait(lambda: panel.cards["first"].missing.text() == lacks["first"])
    QTest.qWait(50)
    for card in panel.cards.values():
        shown = [w for w in card.findChildren(QWidget) if w.isVisible() and w.parent() in (card, card.form)]
        boxes = [QRect(w.mapTo(card, w.rect().topLeft()), w.size()) for w in shown if w is not card.form]
        assert all(card.rect().contains(box) for box in boxes)
        assert not any(a.intersects(b) for n, a in enumerate(boxes) for b in boxes[:n])
        for label in (w for w in shown if isinstance(w, QLabel) and w.wordWrap()):
            assert label.height() >= label.heightForWidth(label.width())


def test_where_there_is_little_room_one_output_is_unfolded_at_full_width(ui, live, panel):
    first, second = panel.cards["first"], panel.cards["second"]
    assert first.form.isVisible() and second.form.isVisible() and not first.expander.isVisible()
    panel.resize(560, 300)
    ui.wait(lambda: first.expander.isVisible() and not first.form.isVisible() and not second.form.isVisible())
    second.expander.click()
    ui.wait(lambda: second.form.isVisible() and not first.form.isVisible())
    assert second.form.editors["address"].width() > 300
    first.expander.click()
    ui.wait(lambda: first.form.isVisible() and not second.form.isVisible())
    first.expander.click()
    ui.wait(lambda: not first.form.isVisible())
    panel.resize(720, 300)
    ui.wait(lambda: first.form.isVisible() and second.form.isVisible() and not first.expander.isVisible())


def test_what_is_missing_is_said_once(ui, live, panel, lacks):
    ui.play()
    card = panel.cards["first"]
    lacks["first"] = "Give an address."
    ui.wait(lambda: panel.update_figures() or card.missing.text() == "Give an address.")
    assert not card.notes.isVisible()


# -- what can be installed -----------------------------------------------------------------------------------


@pytest.fixture
def offered(ui, lacks, tmp_path, monkeypatch):
    """A panel whose output needs a package, which an index on the loopback has."""
    data = wheel()
    monkeypatch.setenv("LIGHTLOOM_PACKAGES", str(tmp_path / "packages"))
    package = package_of(data)
    output = sample_output(Sink(), "third", 0, lacks, package=package)
    monkeypatch.setattr(LiveOutputs, "outputs", {"third": output})
    lacks["third"] = "It needs a package."
    with index_with(pages_of(data)) as index:
        monkeypatch.setenv("LIGHTLOOM_PACKAGE_INDEX", index)
        yield output


def test_a_package_is_installed_once_its_licence_was_accepted(ui, live, lacks, offered, panel):
    card, package = panel.cards["third"], offered.package
    ui.wait(lambda: panel.update_figures() or card.install.isVisibleTo(panel))
    card.install.click()
    ui.wait(lambda: panel.findChild(LicenceDialog))
    dialog = panel.findChild(LicenceDialog)
    assert LICENCE.strip() in dialog.text.toPlainText() and "GPL 2.0" in dialog.note.text()
    dialog.reject()
    assert not package.folder.exists()
    ui.wait(lambda: panel.findChild(LicenceDialog) is None)
    card.install.click()
    ui.wait(lambda: panel.findChild(LicenceDialog))
    dialog = panel.findChild(LicenceDialog)
    assert dialog.ok.isDefault()
    dialog.ok.click()
    ui.wait(package.folder.exists)
    lacks.clear()
    ui.wait(lambda: panel.update_figures() or not card.install.isVisibleTo(panel))


def test_nothing_is_downloaded_offline(ui, live, offered, panel):
    card = panel.cards["third"]
    ui.wait(lambda: panel.update_figures() or card.install.isVisibleTo(panel))
    ui.workspace.settings.offline = True
    try:
        card.install.click()
        assert panel.findChild(LicenceDialog) is None
        assert any("work offline" in text for text in ui.notices)
    finally:
        ui.workspace.settings.offline = False
