"""Cards of the chain panel: one head for all, their menus, and a network that is switched off."""

from __future__ import annotations

import cv2
import pytest
from PySide6.QtCore import QPoint, Qt, QUrl
from PySide6.QtTest import QTest
from tiny_models import square_detector, squares
from window_panels import chain_of, choose_in_menu

from desktop.pipeline.setup.preset import load_preset, save_preset
from desktop.ui.forms.card import FoldingCard
from desktop.ui.workspace.help import PAGES, HelpWindow
from desktop.ui.workspace.information_popup import InformationPopup


@pytest.fixture
def detecting(ui, tmp_path):
    """The window with two squares, a detector that finds them, and a filter."""
    path = tmp_path / "squares.png"
    assert cv2.imwrite(str(path), squares()[..., ::-1])
    ui.play(str(path))
    ui.drop(square_detector(tmp_path / "squares.onnx"))
    ui.wait(lambda: len(ui.window.overlay.state().found) == 2)
    ui.workspace.edits.add_filter("gaussian_blur")
    ui.window.refresh()
    return ui


def cards_of(ui) -> list[FoldingCard]:
    chain = chain_of(ui.window)
    cards = (chain.network, chain.card("tracking"), chain.card("anonymize"), *chain.cards.values())
    assert all(card.isVisibleTo(chain) for card in cards)
    return list(cards)


def test_all_cards_have_the_same_head(detecting):
    cards = cards_of(detecting)
    assert len(cards) == 4
    QTest.qWait(50)
    for part in ("icon", "expander", "power", "more"):
        widgets = [getattr(card, part) for card in cards]
        assert all(w.isVisibleTo(card) for w, card in zip(widgets, cards, strict=True)), part
        places = {
            (w.mapTo(card, QPoint(0, 0)).x(), w.width(), w.height())
            for w, card in zip(widgets, cards, strict=True)
        }
        assert len(places) == 1, f"{part}: {places}"
    assert len({card.title.mapTo(card, QPoint(0, 0)).x() for card in cards}) == 1
    for card in cards:
        assert "Statistics" in [action.text() for action in card.make_menu().actions()]


def test_the_labels_of_all_cards_are_one_column(detecting):
    cards = cards_of(detecting)
    edges = set()
    for card in cards:
        card.set_expanded(True)
    QTest.qWait(50)
    chain = chain_of(detecting.window)
    editors = (
        chain.network.backend,
        chain.network.settings["score"],
        chain.network.second.model,
        chain.card("tracking").editors["remember"],
        chain.card("anonymize").editors["classes"],
        next(iter(chain.cards.values())).editors["radius"],
    )
    for editor in editors:
        edges.add(editor.mapTo(chain, QPoint(0, 0)).x())
    for card in cards:
        card.set_expanded(False)
    assert max(edges) - min(edges) <= 2, edges


def test_power_switches_the_network_off_and_undo_brings_it_back(detecting):
    card, workspace = chain_of(detecting.window).network, detecting.workspace
    spec, engine = workspace.edits.setup.network, workspace.engine
    assert card.power.isChecked() and not card.property("bypassed")
    card.power.click()
    setup = workspace.edits.setup
    assert setup.network == spec and setup.analysis is None
    detecting.wait(lambda: not detecting.window.overlay.state().found)
    detecting.window.refresh()
    assert card.isVisible() and card.property("bypassed")
    assert card.time.text() == "off"
    assert engine.current.network_status.state == "none" and engine.pipeline.analyses.current is None
    workspace.edits.undo()
    assert card.power.isChecked() and workspace.edits.setup.analysis == spec
    detecting.wait(lambda: len(detecting.window.overlay.state().found) == 2)
    workspace.edits.redo()
    assert not card.power.isChecked()
    # Its settings are edited while it stays off.
    card.settings["score"].edited.emit(0.6)
    assert workspace.edits.setup.network.settings == {"score": 0.6} and not card.power.isChecked()


def test_x_and_delete_work_on_the_networks_card(detecting):
    chain, edits = chain_of(detecting.window), detecting.workspace.edits
    detecting.activate()
    chain.network.setFocus()
    QTest.keyClick(chain.network, Qt.Key.Key_X)
    assert edits.setup.analysis is None and edits.setup.network is not None
    QTest.keyClick(chain.network, Qt.Key.Key_X)
    assert edits.setup.analysis is not None
    QTest.keyClick(chain.network, Qt.Key.Key_Delete)
    assert edits.setup.network is None and not chain.network.isVisible()


def test_a_session_keeps_the_network_that_is_off(detecting, tmp_path):
    edits = detecting.workspace.edits
    chain_of(detecting.window).network.power.click()
    save_preset(edits.setup, edits.library, tmp_path / "session.toml")
    loaded = load_preset(tmp_path / "session.toml", edits.library).setup
    assert loaded.network == edits.setup.network and loaded.analysis is None


def test_the_same_network_chosen_again_is_on(detecting, tmp_path):
    edits = detecting.workspace.edits
    chain_of(detecting.window).network.power.click()
    detecting.drop(tmp_path / "squares.onnx")
    detecting.wait(lambda: edits.setup.analysis is not None)


def test_menus_remove_and_show_statistics(detecting):
    chain, window = chain_of(detecting.window), detecting.window
    choose_in_menu(chain.card("tracking"), "Statistics")
    assert window.dock_area.is_shown("stats")
    window.dock_area.toggle("stats")
    choose_in_menu(chain.network, "Remove")
    assert detecting.workspace.edits.setup.network is None
    (stage,) = chain.cards.values()
    choose_in_menu(stage, "Remove")
    assert not detecting.workspace.edits.chain.stages


def popup_of(ui) -> InformationPopup:
    (popup,) = (each for each in ui.window.findChildren(InformationPopup) if each.isVisible())
    return popup


def test_every_card_says_what_it_is_in_a_popup(detecting):
    chain = chain_of(detecting.window)
    (stage,) = chain.cards.values()
    for card, words in (
        (chain.network, ("Runs on", "onnxruntime" if detecting.workspace.adapter.is_software else "wgpu")),
        (chain.card("tracking"), ("Remember (s)", "keeps from frame to frame")),
        (chain.card("anonymize"), ("Hide what the network detects",)),
        (stage, ("Gaussian blur", "Radius (px)")),
    ):
        choose_in_menu(card, "Information")
        popup = popup_of(detecting)
        assert all(word in popup.text for word in words), popup.text
        QTest.keyClick(popup, Qt.Key.Key_Escape)
        detecting.wait(lambda: not detecting.window.findChildren(InformationPopup))
    assert not chain.network.text.isVisibleTo(chain.network), "no paragraph in the panel"


def test_the_popup_opens_its_page_of_the_guide(detecting):
    choose_in_menu(chain_of(detecting.window).card("tracking"), "Information")
    popup_of(detecting).buttons[-1].click()
    (guide,) = detecting.window.findChildren(HelpWindow)
    assert guide.text.toPlainText().startswith("Tracking")
    guide.show_page("user-guide.md#statistics")
    assert guide.text.verticalScrollBar().value() > 0
    # Links to a section, of the page itself and of another one.
    guide.show_page("export.md")
    for link in ("#10-bits-and-hdr", "filters.md#inputs"):
        guide.text.anchorClicked.emit(QUrl(link))
        assert guide.text.verticalScrollBar().value() > 0
    assert "audio" in guide.text.toPlainText()
    guide.close()


def test_the_pages_of_all_popups_exist(detecting):
    names = {card.information().page.partition("#")[0] for card in cards_of(detecting)}
    assert names <= set(PAGES)


def test_the_chip_explains_its_figures_and_leads_to_the_statistics(ui):
    ui.play()
    ui.wait(ui.window.header.rate.isVisible)
    ui.window.header.rate.click()
    popup = popup_of(ui)
    assert all(word in popup.text for word in ("Frame rate: ", "Latency: ", "GPU total: ", "dropped"))
    popup.buttons[0].click()
    assert ui.window.dock_area.is_shown("stats")
    ui.window.dock_area.toggle("stats")


def test_the_chip_of_the_rate_says_when_the_video_is_paused(ui):
    ui.play()
    rate = ui.window.header.rate
    ui.wait(lambda: rate.isVisible() and rate.text().endswith(" FPS"))
    ui.workspace.playback.toggle()
    ui.wait(lambda: rate.text() == "Paused" and not rate.detail)
    ui.workspace.playback.toggle()
    ui.wait(lambda: rate.text().endswith(" FPS"))


def test_a_card_says_what_its_effect_lacks(ui, tmp_path):
    path = tmp_path / "squares.png"
    assert cv2.imwrite(str(path), squares()[..., ::-1])
    ui.play(str(path))
    audio, tracks = (ui.workspace.edits.add_filter(name) for name in ("spectrum", "spotlight"))
    cards = chain_of(ui.window).cards
    ui.wait(lambda: cards[audio].input_state.text() == "Without audio, the effect reads silence")
    ui.wait(lambda: "No network detects objects" in cards[tracks].input_state.text())
    ui.drop(square_detector(tmp_path / "squares.onnx"))
    ui.wait(lambda: not cards[tracks].input_state.isVisible())
    ui.wait(lambda: any("An effect follows the audio" in text for text in ui.notices))
