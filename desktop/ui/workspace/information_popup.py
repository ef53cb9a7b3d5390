"""The information pop-up: explanations of a card or of figures, with a link to the guide."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from desktop.ui.kit.information import Information
from desktop.ui.kit.widgets import column, muted, scrolled
from desktop.ui.workspace.popup import POPUP_WIDTH, Popup

_TALLEST: Final = 420

Link = tuple[str, Callable[[], object]]
"""The text of a button, and what it does; the pop-up closes first."""


class InformationPopup(Popup):
    """A pop-up that explains something."""

    def __init__(self, information: Information, anchor: QWidget, links: Sequence[Link] = ()) -> None:
        """Make it for a widget, below which it opens; `links` are buttons beside that of the guide."""
        super().__init__(information.title, anchor)
        layout = column(self, 12, 8)
        title = QLabel(information.title)
        title.setObjectName("cardTitle")
        title.setWordWrap(True)
        layout.addWidget(title)
        if information.text:
            text = QLabel(information.text)
            text.setWordWrap(True)
            layout.addWidget(text)
        if information.rows:
            layout.addWidget(self._list(information.rows))
        self.buttons = [self._button(text, act) for text, act in links]
        if information.page:
            self.buttons.append(self._button(self.tr("Open the guide"), lambda: self._open(information.page)))
        row = QHBoxLayout()
        row.addStretch(1)
        for button in self.buttons:
            row.addWidget(button)
        layout.addLayout(row)
        if self.buttons:
            self.first = self.buttons[-1]
        self.setFixedWidth(max(POPUP_WIDTH, self.minimumSizeHint().width()))

    @property
    def text(self) -> str:
        """All of its text, as a screen reader reads it."""
        return "\n".join(label.text() for label in self.findChildren(QLabel))

    def _list(self, rows: Sequence[tuple[str, str]]) -> QWidget:
        content = QWidget()
        listed = QVBoxLayout(content)
        listed.setContentsMargins(0, 0, 8, 0)
        listed.setSpacing(2)
        for index, (name, explanation) in enumerate(rows):
            if index:
                listed.addSpacing(6)
            term = QLabel(name)
            term.setWordWrap(True)
            listed.addWidget(term)
            listed.addWidget(muted(explanation))
        area = scrolled(content)
        content.setFixedWidth(POPUP_WIDTH - 40)
        needed = listed.heightForWidth(POPUP_WIDTH - 40)
        area.setFixedHeight(min(needed + 2, _TALLEST))
        return area

    def _button(self, text: str, act: Callable[[], object]) -> QPushButton:
        button = QPushButton(text)
        button.setObjectName("rowButton")

        def run() -> None:
            self.close()
            act()

        button.clicked.connect(run)
        return button

    def _open(self, page: str) -> None:
        # Imported here: the guide is not needed for the first frame.
        from desktop.ui.workspace.help import show_help

        show_help(self._anchor.window(), page)
