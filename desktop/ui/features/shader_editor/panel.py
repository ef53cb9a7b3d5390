"""The editor's panel: file, text, and the list of what is wrong."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QTextCursor
from PySide6.QtWidgets import (
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QStackedLayout,
    QVBoxLayout,
    QWidget,
)

from desktop.base.errors import ShaderMessage
from desktop.base.wording import sentence
from desktop.ui.features.shader_editor.code_editor import CodeEditor
from desktop.ui.features.shader_editor.find_bar import FindBar
from desktop.ui.features.shader_editor.shader_edits import ShaderEdits
from desktop.ui.kit.language import translated
from desktop.ui.kit.widgets import ElidedLabel, IconButton, Themed, WrappedLabel, column, muted, scrolled
from desktop.ui.workspace.keys import native_text
from desktop.ui.workspace.workspace import Workspace

_MOST_ROWS: Final = 4
_LOWEST: Final = 204  # as of the other panels at the bottom


class ShaderEditorPanel(QWidget):
    """Content of the dock."""

    def __init__(self, workspace: Workspace, themed: Themed) -> None:
        super().__init__()
        self.setObjectName("panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._workspace, self._shaders = workspace, workspace.get(ShaderEdits)
        self.editor = CodeEditor(themed)
        self._path: Path | None = None
        self.find_bar = FindBar(self.editor, themed)
        self.name = ElidedLabel(mode=Qt.TextElideMode.ElideMiddle)
        self.new = self._button(self.tr("New effect"), self._shaders.new)
        self.save = self._button(self.tr("Save"), self._shaders.save)
        self.save.setToolTip(
            self.tr("Save the shader ({0})").format(native_text(QKeySequence(QKeySequence.StandardKey.Save)))
        )
        self.revert = self._button(self.tr("Revert"), self._shaders.revert)
        self.revert.setToolTip(self.tr("Go back to the text in the file"))
        self.publish = self._button(self.tr("Publish..."), self._publish)
        self.publish.setToolTip(self.tr("Write the effect as a plug-in that others can install"))
        self.search = IconButton(themed, "search", self.tr("Find in the shader"))
        self.search.clicked.connect(self.find_bar.begin)
        self.state = WrappedLabel()
        self.state.setObjectName("muted")
        self.add = self._button(self.tr("Add to the chain"), self._shaders.add_to_chain)
        self.list = QListWidget()
        self.list.setAccessibleName(self.tr("Problems of the shader"))
        self.list.setWordWrap(True)
        self.list.itemClicked.connect(self._go_to)
        self.list.itemActivated.connect(self._go_to)
        self.notice = self._make_notice()
        pages = QWidget()
        self._pages = QStackedLayout(pages)
        column(self).addWidget(scrolled(pages))
        self.setMinimumHeight(_LOWEST)
        self._pages.addWidget(self._make_empty())
        self._pages.addWidget(self._make_editing())
        self.editor.textChanged.connect(lambda: self._shaders.set_text(self.editor.toPlainText()))
        self.editor.save_requested.connect(self._shaders.save)
        self.editor.find_requested.connect(self.find_bar.begin)
        self.editor.step_requested.connect(self.step)
        self.editor.left.connect(self.save.setFocus)
        self._shaders.opened.connect(self._open)
        self._shaders.changed.connect(self._follow)
        self._open()

    @staticmethod
    def _button(text: str, run: Callable[[], object]) -> QPushButton:
        button = QPushButton(text)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.clicked.connect(lambda: run())
        return button

    def _make_empty(self) -> QWidget:
        page = QWidget()
        layout = column(page, 12, 8)
        layout.addWidget(
            muted(
                self.tr(
                    "No shader is open. Choose “Edit the shader” in the menu of an effect's card, or begin "
                    "a new effect."
                )
            )
        )
        row = QHBoxLayout()
        self.first = self._button(self.tr("New effect"), self._shaders.new)
        row.addWidget(self.first)
        row.addStretch(1)
        layout.addLayout(row)
        layout.addStretch(1)
        return page

    def _make_notice(self) -> QWidget:
        notice = QWidget()
        row = QHBoxLayout(notice)
        row.setContentsMargins(0, 0, 0, 0)
        self.notice_text = WrappedLabel()
        self.load = self._button(self.tr("Load the file"), self._shaders.load_outside)
        self.keep = self._button(self.tr("Keep this text"), self._shaders.retain_own)
        self.discard = self._button(self.tr("Discard the changes"), self._shaders.revert)
        row.addWidget(self.notice_text, 1)
        for button in (self.load, self.keep, self.discard):
            row.addWidget(button)
        return notice

    def _make_editing(self) -> QWidget:
        page = QWidget()
        layout: QVBoxLayout = column(page, 8, 4)
        self.editor.setMinimumHeight(3 * self.editor.fontMetrics().lineSpacing())
        head, foot = QHBoxLayout(), QHBoxLayout()
        head.addWidget(self.name, 1)
        for button in (self.search, self.new, self.publish, self.revert, self.save):
            head.addWidget(button)
        foot.addWidget(self.state, 1)
        foot.addWidget(self.add)
        layout.addLayout(head)
        layout.addWidget(self.notice)
        layout.addWidget(self.editor, 100)
        layout.addWidget(self.find_bar)
        layout.addLayout(foot)
        layout.addWidget(self.list, 1)
        return page

    # -- what it shows ---------------------------------------------------------------------------------------

    def _open(self) -> None:
        """Show the document that is edited now."""
        text, document = self._shaders.text, self._shaders.document
        self._pages.setCurrentIndex(document is not None)
        path = document.path if document is not None else None
        if path != self._path:
            self._path = path
            self.editor.setPlainText(text)
        elif text != self.editor.toPlainText():
            # Undo brings back what was there before a reload.
            cursor = self.editor.textCursor()
            cursor.select(QTextCursor.SelectionType.Document)
            cursor.insertText(text)
        self._follow()

    def focus(self) -> None:
        """Focus the text, or what opens one."""
        (self.editor if self._shaders.document is not None else self.first).setFocus()

    def _follow(self) -> None:
        shaders, document = self._shaders, self._shaders.document
        if document is None:
            return
        is_modified = shaders.is_modified
        named = self.tr("{0} (not saved)") if is_modified else "{0}"
        self.name.setText(named.format(document.path.name))
        self.name.set_tip(str(document.path))
        self.save.setEnabled(is_modified)
        self.revert.setEnabled(is_modified)
        self.publish.setEnabled(not is_modified and shaders.state in ("works", "unused"))
        self._show_notice(is_modified=is_modified)
        self.state.setText(self._state_text())
        self.add.setVisible(shaders.state == "unused")
        problems = shaders.problems
        self.editor.show_problems(problems)
        texts = [self._text_of(problem) for problem in problems]
        if texts != [self.list.item(row).text() for row in range(self.list.count())]:
            self._fill_list(problems, texts)
        self.list.setVisible(bool(texts))

    def _fill_list(self, problems: tuple[ShaderMessage, ...], texts: list[str]) -> None:
        self.list.clear()
        for problem, text in zip(problems, texts, strict=True):
            item = QListWidgetItem(text)
            item.setData(Qt.ItemDataRole.UserRole, (problem.line, problem.column))
            self.list.addItem(item)
        row = 2 * self.fontMetrics().lineSpacing() + 8
        # In a low panel the text has the space.
        self.list.setMinimumHeight(row // 2 + 4)
        self.list.setMaximumHeight(row * min(len(texts), _MOST_ROWS) + 4)

    def _show_notice(self, *, is_modified: bool) -> None:
        shaders = self._shaders
        is_outside = shaders.outside is not None
        is_restored = shaders.is_restored and is_modified and not is_outside
        text = ""
        if is_outside:
            text = self.tr("Another program has changed the file.")
        elif is_restored:
            text = self.tr("These changes were not saved last time.")
        if text != self.notice_text.plain:
            self.notice_text.setText(text)
        self.load.setVisible(is_outside)
        self.keep.setVisible(is_outside)
        self.discard.setVisible(is_restored)
        self.notice.setVisible(bool(text))

    def _state_text(self) -> str:
        match self._shaders.state:
            case "compiling":
                return self.tr("Compiling...")
            case "works":
                return self.tr("It works, and the video shows it.")
            case "problems":
                key = native_text(QKeySequence(Qt.Key.Key_F8))
                return self.tr("The last version that works is shown. {0}: next problem").format(key)
            case "unused":
                return self.tr("The effect is not in the chain, so it is not tried.")
            case "no_picture":
                return self.tr("Open a video to see what it does.")
        return ""

    def _text_of(self, problem: ShaderMessage) -> str:
        message, document = translated(problem.message), self._shaders.document
        if document is not None:
            path = str(document.path)
            message = (
                message.replace(f"{path}: ", "").replace(f"{path}, ", "").replace(path, document.path.name)
            )
        return self.tr("Line {0}: {1}").format(problem.line, message) if problem.line else message

    # -- moving ----------------------------------------------------------------------------------------------

    def _go_to(self, item: QListWidgetItem) -> None:
        line, column_ = item.data(Qt.ItemDataRole.UserRole)
        if line:
            self.editor.go_to(line, column_)

    def _publish(self) -> None:
        from desktop.ui.features.shader_editor.publish_dialog import PublishDialog

        document = self._shaders.document
        item = self._workspace.library.filters.get(document.filter) if document is not None else None
        if item is not None:
            dialog = PublishDialog(item, Path.home(), self.window())
            dialog.published.connect(self._report_published)
            dialog.open()

    def _report_published(self, made: Path) -> None:
        text = sentence(
            "The plug-in is in {path}; 'pip install {path}' installs it, and 'lightloom plugins' lists it.",
            path=str(made),
        )
        self._workspace.messages.post("info", text, str(made))

    def step(self, forward: bool) -> None:
        """Go to the next or previous problem."""
        places = sorted({(p.line, p.column) for p in self._shaders.problems if p.line})
        if not places:
            return
        cursor = self.editor.textCursor()
        at = (cursor.blockNumber() + 1, cursor.positionInBlock() + 1)
        if forward:
            place = next((place for place in places if place > at), places[0])
        else:
            place = next((place for place in reversed(places) if place < at), places[-1])
        self.editor.go_to(*place)
