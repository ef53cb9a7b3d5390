"""A text editor for shaders: line numbers, the current line, brackets, and problems where they are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFontDatabase,
    QGuiApplication,
    QHelpEvent,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QTextCharFormat,
    QTextCursor,
    QTextFormat,
)
from PySide6.QtWidgets import QPlainTextEdit, QTextEdit, QToolTip, QWidget

from desktop.base.errors import ShaderMessage
from desktop.ui.features.shader_editor.highlighter import WgslHighlighter
from desktop.ui.kit.widgets import Themed

_TAB: Final = 4
_PAIRS: Final = {"(": ")", "[": "]", "{": "}"}
_BACK: Final = {close: open_ for open_, close in _PAIRS.items()}
# Characters that are searched for the other bracket.
_FARTHEST: Final = 20_000
_MARK: Final = 3


class _Gutter(QWidget):
    """Numbers of the lines, with a mark beside those with problems; a click chooses a line."""

    def __init__(self, editor: CodeEditor) -> None:
        super().__init__(editor)
        self._editor = editor

    def sizeHint(self) -> QSize:
        return QSize(self._editor.gutter_width, 0)

    def paintEvent(self, event: QPaintEvent) -> None:
        self._editor.paint_gutter(QPainter(self), event.rect())

    def mousePressEvent(self, event: QMouseEvent) -> None:
        cursor = self._editor.cursorForPosition(QPoint(0, event.position().toPoint().y()))
        self._editor.go_to(cursor.blockNumber() + 1, 1)


class CodeEditor(QPlainTextEdit):
    """An editor of one shader.

    Signals:
        save_requested, find_requested: Ctrl+S and Ctrl+F.
        step_requested: F8 (True) or Shift+F8 (False), to the next or previous problem.
        left: Escape, as Tab indents.
    """

    save_requested = Signal()
    find_requested = Signal()
    step_requested = Signal(bool)
    left = Signal()

    def __init__(self, themed: Themed) -> None:
        super().__init__()
        self._themed = themed
        self._problems: dict[int, list[ShaderMessage]] = {}  # by line
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.setAccessibleName(self.tr("Shader"))
        self.setAccessibleDescription(self.tr("Tab indents; Escape leaves the editor."))
        self._gutter = _Gutter(self)
        self._highlighter = WgslHighlighter(self.document(), themed)
        self.blockCountChanged.connect(self._place_gutter)
        self.updateRequest.connect(self._scroll_gutter)
        self.cursorPositionChanged.connect(self._mark)
        themed.follow(self._dress)

    # -- look ------------------------------------------------------------------------------------------------

    def _dress(self) -> None:
        font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
        font.setPointSizeF(QGuiApplication.font().pointSizeF())
        if font != self.font():
            self.setFont(font)
        self.setTabStopDistance(self.fontMetrics().horizontalAdvance(" ") * _TAB)
        self._place_gutter()
        self._mark()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the size of text."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.ApplicationFontChange:
            self._dress()

    @property
    def gutter_width(self) -> int:
        """Width of the line numbers in logical pixels."""
        digits = len(str(max(99, self.blockCount())))
        return 4 * _MARK + self.fontMetrics().horizontalAdvance("9") * digits + 6

    def _place_gutter(self) -> None:
        self.setViewportMargins(self.gutter_width, 0, 0, 0)
        inner = self.contentsRect()
        self._gutter.setGeometry(QRect(inner.left(), inner.top(), self.gutter_width, inner.height()))
        self._gutter.update()

    def _scroll_gutter(self, area: QRect, by: int) -> None:
        if by:
            self._gutter.scroll(0, by)
        else:
            self._gutter.update(0, area.y(), self._gutter.width(), area.height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the line numbers beside the text."""
        super().resizeEvent(event)
        self._place_gutter()

    def paint_gutter(self, painter: QPainter, area: QRect) -> None:
        """Paint the line numbers of an area."""
        theme, current = self._themed.theme, self.textCursor().blockNumber()
        painter.fillRect(area, QColor(theme.panel))
        painter.setFont(self.font())
        block, height = self.firstVisibleBlock(), self.fontMetrics().height()
        top = self.blockBoundingGeometry(block).translated(self.contentOffset()).top()
        while block.isValid() and top <= area.bottom():
            line, bottom = block.blockNumber() + 1, top + self.blockBoundingRect(block).height()
            if bottom >= area.top():
                has_problem = line in self._problems
                if has_problem:
                    painter.fillRect(QRect(0, round(top), _MARK, height), QColor(theme.error))
                color = theme.error if has_problem else theme.text if line == current + 1 else theme.muted
                painter.setPen(QColor(color))
                room = QRect(0, round(top), self._gutter.width() - 6, height)
                painter.drawText(room, Qt.AlignmentFlag.AlignRight, str(line))
            block, top = block.next(), bottom

    # -- problems and places ---------------------------------------------------------------------------------

    def show_problems(self, problems: Sequence[ShaderMessage]) -> None:
        """Mark problems; those without a line are shown elsewhere."""
        self._problems = {}
        for problem in problems:
            if 0 < problem.line <= self.blockCount():
                self._problems.setdefault(problem.line, []).append(problem)
        self._mark()
        self._gutter.update()

    def go_to(self, line: int, column: int) -> None:
        """Put the cursor at a line and column, from 1, and show it."""
        block = self.document().findBlockByNumber(max(0, min(line, self.blockCount()) - 1))
        cursor = QTextCursor(block)
        cursor.setPosition(block.position() + max(0, min(column - 1, block.length() - 1)))
        self.setTextCursor(cursor)
        self.centerCursor()
        self.setFocus()

    def _mark(self) -> None:
        theme = self._themed.theme
        line = QTextEdit.ExtraSelection()
        line.format.setBackground(QColor(theme.hover))
        line.format.setProperty(QTextFormat.Property.FullWidthSelection, True)
        line.cursor = self.textCursor()
        line.cursor.clearSelection()
        brackets = QTextCharFormat()
        brackets.setBackground(QColor(theme.selected))
        wave = QTextCharFormat()
        wave.setUnderlineStyle(QTextCharFormat.UnderlineStyle.WaveUnderline)
        wave.setUnderlineColor(QColor(theme.error))
        marks = [line]
        for position in self._matching_brackets():
            marks.append(self._selection(position, position + 1, brackets))
        for found in self._problems.values():
            marks += [self._selection(*self._extent(problem), wave) for problem in found]
        self.setExtraSelections(marks)

    def _selection(self, begin: int, end: int, style: QTextCharFormat) -> QTextEdit.ExtraSelection:
        made = QTextEdit.ExtraSelection()
        made.cursor, made.format = self.textCursor(), style
        made.cursor.setPosition(begin)
        made.cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
        return made

    def _extent(self, problem: ShaderMessage) -> tuple[int, int]:
        """Return what a problem is about: the word at its column, or its line without the indentation."""
        block = self.document().findBlockByNumber(problem.line - 1)
        text = block.text()
        first = problem.column - 1 if 0 < problem.column <= len(text) else len(text) - len(text.lstrip())
        last = first
        while problem.column and last < len(text) and (text[last].isalnum() or text[last] == "_"):
            last += 1
        if last == first:
            last = first + 1 if problem.column else len(text)
        return block.position() + first, block.position() + min(max(last, first), len(text))

    def _matching_brackets(self) -> tuple[int, ...]:
        """Return the positions of the bracket at the cursor and of the one that it belongs to."""
        text, at = self.toPlainText(), self.textCursor().position()
        for position in (at - 1, at):
            character = text[position] if 0 <= position < len(text) else ""
            step = 1 if character in _PAIRS else -1 if character in _BACK else 0
            if not step:
                continue
            other = _PAIRS[character] if step > 0 else _BACK[character]
            depth, end = 0, position + step * _FARTHEST
            while 0 <= position < len(text) and position != end:
                depth += (text[position] == character) - (text[position] == other)
                if depth == 0:
                    first = at - 1 if 0 < at <= len(text) and text[at - 1] == character else at
                    return first, position
                position += step
        return ()

    # -- keys ------------------------------------------------------------------------------------------------

    def event(self, event: QEvent) -> bool:
        """Keep the keys of the editor from the window's shortcuts; show problems as tool tips."""
        if (
            event.type() == QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and self._is_own(event)
        ):
            event.accept()
            return True
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            at = self.viewport().mapFrom(self, event.pos())
            found = self._problems.get(self.cursorForPosition(at).blockNumber() + 1, [])
            QToolTip.showText(event.globalPos(), "\n".join(problem.message for problem in found), self)
            return True
        return super().event(event)

    @staticmethod
    def _is_own(event: QKeyEvent) -> bool:
        is_standard = event.matches(QKeySequence.StandardKey.Save) or event.matches(
            QKeySequence.StandardKey.Find
        )
        return is_standard or event.key() in (Qt.Key.Key_F8, Qt.Key.Key_Escape)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Handle the editor's own keys."""
        key = event.key()
        if event.matches(QKeySequence.StandardKey.Save):
            self.save_requested.emit()
        elif event.matches(QKeySequence.StandardKey.Find):
            self.find_requested.emit()
        elif key == Qt.Key.Key_F8:
            self.step_requested.emit(not event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        elif key == Qt.Key.Key_Escape:
            self.left.emit()
        elif key == Qt.Key.Key_Tab and not event.modifiers():
            self._indent()
        elif key == Qt.Key.Key_Backtab:
            self._unindent()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._break_line()
        else:
            super().keyPressEvent(event)

    def _lines(self) -> range:
        """Return the numbers of the selected blocks."""
        cursor, document = self.textCursor(), self.document()
        first = document.findBlock(cursor.selectionStart()).blockNumber()
        last = document.findBlock(max(cursor.selectionStart(), cursor.selectionEnd() - 1)).blockNumber()
        return range(first, last + 1)

    def _indent(self) -> None:
        cursor = self.textCursor()
        if not cursor.hasSelection():
            cursor.insertText(" " * (_TAB - cursor.positionInBlock() % _TAB))
            return
        lines = self._lines()
        cursor.beginEditBlock()
        for number in lines:
            QTextCursor(self.document().findBlockByNumber(number)).insertText(" " * _TAB)
        cursor.endEditBlock()

    def _unindent(self) -> None:
        cursor, lines = self.textCursor(), self._lines()
        cursor.beginEditBlock()
        for number in lines:
            block = self.document().findBlockByNumber(number)
            spaces = len(block.text()) - len(block.text().lstrip(" "))
            line = QTextCursor(block)
            line.movePosition(
                QTextCursor.MoveOperation.Right, QTextCursor.MoveMode.KeepAnchor, min(_TAB, spaces)
            )
            line.removeSelectedText()
        cursor.endEditBlock()

    def _break_line(self) -> None:
        cursor = self.textCursor()
        text = cursor.block().text()[: cursor.positionInBlock()]
        indent = len(text) - len(text.lstrip(" "))
        deeper = _TAB if text.rstrip().endswith(tuple(_PAIRS)) else 0
        cursor.insertText("\n" + " " * (indent + deeper))
        self.ensureCursorVisible()
