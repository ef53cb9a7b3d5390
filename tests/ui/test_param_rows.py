"""The rows of parameters: nothing is cut at the panel's least width, in no language, and only what has an
effect is shown.
"""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QStyle, QStyleOptionComboBox, QVBoxLayout, QWidget
from window_panels import chain_of

from desktop.pipeline.chain.runner import StageStatus
from desktop.pipeline.chain.spec import StageSpec
from desktop.pipeline.filters.library import FilterLibrary
from desktop.ui.forms.editors.choice import ChoiceEditor
from desktop.ui.forms.editors.file import FileEditor
from desktop.ui.forms.editors.model import ModelEditor
from desktop.ui.forms.editors.number import NumberEditor
from desktop.ui.forms.editors.point import PointEditor
from desktop.ui.forms.stage_card import StageCard
from desktop.ui.kit.elided_combo_box import ElidedComboBox
from desktop.ui.kit.language import LANGUAGES
from desktop.ui.kit.widgets import Themed, WheelGuard, WrappedLabel

LIBRARY = FilterLibrary(None)
# The chain's dock is 300 wide at least, less margins and a scroll bar.
CARD_WIDTH = 300 - 2 * 8 - 10


@pytest.fixture
def make_card(the_window, qtbot):
    """Return an open card of a filter with some values, in a column as wide as the panel's."""

    hosts: list[QWidget] = []

    def make(name: str, **values: object) -> StageCard:
        item = LIBRARY.get(name)
        hosts.append(host := QWidget())
        qtbot.addWidget(host)
        card = StageCard(StageSpec(1, name, item.check(values)), item, Themed(), WheelGuard(host))
        layout = QVBoxLayout(host)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(card)
        layout.addStretch(1)
        host.resize(CARD_WIDTH, 1200)
        card.set_expanded(True)
        if item.network is not None:
            card.network_fold.setChecked(True)
        host.show()
        qtbot.waitExposed(host)
        return card

    return make


def width_of(widget: QWidget, text: str) -> int:
    return widget.fontMetrics().horizontalAdvance(text)


def room_in(box: QComboBox) -> int:
    option = QStyleOptionComboBox()
    box.initStyleOption(option)
    part = QStyle.SubControl.SC_ComboBoxEditField
    return box.style().subControlRect(QStyle.ComplexControl.CC_ComboBox, option, part, box).width()


def words_of(label: WrappedLabel) -> list[tuple[str, int, int]]:
    """What must fit in a text's width, and in its height."""
    words = [(word, width_of(label, word), label.width()) for word in label.text().split()]
    return [*words, (label.text(), label.heightForWidth(label.width()), label.height())]


def cut(card: StageCard, name: str) -> list[str]:
    """The texts of a parameter's row that its widgets have no room for."""
    label, editor = card.row(name)
    found = words_of(label)
    if isinstance(editor, NumberEditor):
        spin, line = editor.spin, editor.spin.lineEdit()
        texts = [spin.textFromValue(v) + spin.suffix() for v in (spin.minimum(), spin.maximum())]
        # A line edit keeps 2 pixels free at either side.
        found += [(text, width_of(line, text), line.width() - 4) for text in texts]
        found.append(("the slider", 60, editor.slider.width()))
    elif isinstance(editor, (ChoiceEditor, ModelEditor)):
        texts = [editor.box.itemText(i) for i in range(editor.box.count())]
        found += [(text, width_of(editor.box, text), room_in(editor.box)) for text in texts]
    elif isinstance(editor, FileEditor):
        found.append(
            (editor.choose.text(), width_of(editor.choose, editor.choose.text()), editor.choose.width() - 8)
        )
    elif isinstance(editor, PointEditor):
        found.append(("100 %, 100 %", width_of(editor.text, "100 %, 100 %"), editor.text.width()))
        found.append(("the field", editor.pad.geometry().right() + 1, editor.text.x()))
    return [f"{text}: {needed} px in {room}" for text, needed, room in found if needed > room]


def cut_of(card: StageCard) -> dict[str, list[str]]:
    """The texts of a card that have no room, by parameter, and those of its head."""
    found = {param.name: cut(card, param.name) for param in LIBRARY.get(card.spec.filter).params}
    title, time = card.title, card.time
    found["title"] = [
        f"{text}: {needed} px in {room}" for text, needed, room in words_of(title) if needed > room
    ]
    found["time"] = [f"{time.text()}: {time.width()} px"] if time.sizeHint().width() > time.width() else []
    if time.geometry().intersects(title.geometry()):
        found["time"].append(f"{time.geometry()} lies over the title {title.geometry()}")
    return {name: texts for name, texts in found.items() if texts}


def lay_out() -> None:
    """Place all widgets, however long that takes: `qWait` ends after its time, whatever is left."""
    for _ in range(4):
        QTest.qWait(5)
        QApplication.sendPostedEvents()


def settled(card: StageCard) -> dict[str, list[str]]:
    """What is cut once all lines that wrap have their height, which they get step by step."""
    for _ in range(40):
        QTest.qWait(20)
        if not (found := cut_of(card)):
            break
    return found


@pytest.mark.parametrize("code", list(LANGUAGES))
@pytest.mark.parametrize("name", sorted(LIBRARY.filters))
def test_no_text_of_a_card_is_cut(make_card, speak, name, code):
    speak(code)
    card = make_card(name)
    for param in LIBRARY.get(name).params:
        for widget in card.row(param.name):
            widget.setVisible(True)  # those of the other modes as well
    card.show_status(StageStatus(1, "", "running"), 123.4)
    assert settled(card) == {}
    assert card.time.text()


def test_a_title_stays_in_its_place_whatever_the_time_is(make_card):
    card = make_card("gaussian_blur")
    named = card.title.parentWidget()
    places = set()
    for ms in (0.1, 9.99, 10.01, 123.4):
        card.show_status(StageStatus(1, "", "running"), ms)
        lay_out()
        places.add((named.is_below, card.title.width() if named.is_below else 0))
    assert len(places) == 1


def test_a_long_title_has_its_time_below_and_is_clicked_there_too(make_card, qtbot):
    card = make_card("brightness_contrast")
    card.show_status(StageStatus(1, "", "running"), 0.5)
    lay_out()
    assert card.title.parentWidget().is_below
    below = card.time.mapTo(card, card.time.rect().center())
    with qtbot.waitSignal(card.expansion_requested):
        QTest.mouseClick(card, Qt.MouseButton.LeftButton, pos=below)
    with qtbot.assertNotEmitted(card.expansion_requested):
        QTest.mouseClick(card, Qt.MouseButton.LeftButton, pos=QPoint(5, card.height() - 5))


def test_without_a_time_a_long_title_is_in_the_middle_of_the_head(make_card):
    card = make_card("brightness_contrast")

    def offset() -> float:
        lay_out()
        title, power = (w.mapTo(card, w.rect().center()).y() for w in (card.title, card.power))
        return title - power

    assert abs(offset()) <= 1
    card.show_status(StageStatus(1, "", "running"), 0.5)
    assert offset() < -3 and card.time.isVisible()
    card.show_status(StageStatus(1, "", "running"), None)
    assert abs(offset()) <= 1


def test_an_entry_that_is_too_long_ends_in_an_ellipsis(the_window, qtbot):
    long, short = ElidedComboBox(), ElidedComboBox()
    long.addItem("a network with a long name " * 4)
    for box in (long, short):
        qtbot.addWidget(box)
        box.resize(120, 28)
    font = long.fontMetrics()
    short.addItem(font.elidedText(long.currentText(), Qt.TextElideMode.ElideRight, room_in(long) - 2))
    assert short.currentText().endswith("…") and len(short.currentText()) > 5
    assert long.grab().toImage() == short.grab().toImage()


def test_numbers_of_a_card_are_of_one_width(make_card):
    card = make_card("tilt_shift")
    widths = {e.spin.width() for e in card.editors.values() if isinstance(e, NumberEditor)}
    assert len(widths) == 1


def shown(card: StageCard) -> set[str]:
    return {name for name, editor in card.editors.items() if editor.isVisibleTo(card)}


def test_only_the_parameters_of_the_chosen_mode_are_shown(make_card):
    card = make_card("background")
    card.network_fold.setChecked(False)
    of_modes = {"blur", "color", "picture", "dim"}
    for mode, own in (("blur", "blur"), ("colour", "color"), ("image", "picture"), ("dim", "dim")):
        values = {**card.spec.values, "mode": mode}
        card.update_spec(StageSpec(1, "background", values))
        assert shown(card) & of_modes == {own}
        label, editor = card.row(own)
        assert label.isVisibleTo(card) and editor.isVisibleTo(card)
    assert {"model", "mode", "threshold", "feather", "edges", "smoothing", "invert"} <= shown(card)
    assert "backend" not in shown(card)
    card.network_fold.setChecked(True)
    assert "backend" in shown(card) and shown(card) & of_modes == {"dim"}


def test_parameters_beyond_the_first_are_folded_but_not_those_that_were_changed(make_card):
    card = make_card("edge_glow")
    names = [param.name for param in LIBRARY.get("edge_glow").params]
    assert shown(card) == set(names[:3]) and card.fold.text().endswith(f"{len(names) - 3} more")
    card.update_spec(StageSpec(1, "edge_glow", {**card.spec.values, names[5]: (1.0, 0.0, 0.0, 1.0)}))
    assert shown(card) == {*names[:3], names[5]}
    card.fold.setChecked(True)
    assert shown(card) == set(names)


def test_a_hidden_value_is_kept_and_acts_again(ui):
    stage = ui.workspace.edits.add_filter("halftone", {"mode": "mono", "ink": "#102030"})
    card = chain_of(ui.window).cards[stage]
    card.fold.setChecked(True)
    assert card.editors["ink"].isVisibleTo(card) and not card.editors["black"].isVisibleTo(card)
    before = ui.workspace.edits.chain.stages[0].values["ink"]
    card.editors["mode"].box.activated.emit(0)
    assert not card.editors["ink"].isVisibleTo(card) and card.editors["black"].isVisibleTo(card)
    assert ui.workspace.edits.chain.stages[0].values["ink"] == before


def test_one_word_leaves_a_choice_to_the_program(make_card, ui):
    texts = set()
    for name in ("style", "background", "depth"):
        use = LIBRARY.get(name).network
        # What is shown while results are late is the user's to choose.
        left = use.params - {use.timing}
        for editor in make_card(name).editors.values():
            if isinstance(editor, ChoiceEditor) and editor.field.name in left:
                texts.add(editor.box.itemText(0))
    network = chain_of(ui.window).network
    texts |= {box.itemText(0) for box in (network.backend, network.precision, network.task)}
    texts |= {box.itemText(0) for box in network.preprocess.values()}
    # What was inferred may stand behind it.
    assert {text.split(" (")[0] for text in texts} == {"auto"}
