"""The editor of a color: its dialog changes the color while it is open, and canceling changes nothing."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QApplication, QColorDialog
from window_panels import chain_of


def _while_open(act) -> None:
    """Let `act` answer the dialog that opens next."""

    def look() -> None:
        found = QApplication.activeModalWidget()
        if isinstance(found, QColorDialog):
            timer.stop()
            act(found)

    timer = QTimer(QApplication.instance(), interval=20)
    timer.timeout.connect(look)
    timer.start()


@pytest.mark.parametrize("tries", [False, True])
def test_canceling_the_dialog_of_a_color_changes_nothing(ui, tries):
    """The dialog's color has 16 bits a channel, and 0.1 is no such number."""
    edits = ui.workspace.edits
    ui.play()
    stage = edits.add_filter("duotone")
    before = {"shadows": (0.1, 0.2, 0.3, 1.0)}
    edits.set_values(stage, before)
    edits.seal()
    panel = chain_of(ui.window)
    panel.expand(stage, only_open=True)
    shown = []

    def answer(dialog: QColorDialog) -> None:
        if tries:
            dialog.setCurrentColor(QColor(10, 20, 30))
            shown.append(edits.chain.find(stage).values["shadows"])
        dialog.reject()

    _while_open(answer)
    panel.cards[stage].editors["shadows"].button.click()
    assert edits.chain.find(stage).values["shadows"] == before["shadows"]
    if tries:
        assert shown[0] == pytest.approx((10 / 255, 20 / 255, 30 / 255, 1.0))
    else:
        # No step of undo came between.
        edits.undo()
        assert edits.chain.find(stage).values.get("shadows") != before["shadows"]
