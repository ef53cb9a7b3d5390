"""A color table."""

from __future__ import annotations

from typing import Final

from desktop.ui.forms.editors.file import FileEditor, FileWords


class TableEditor(FileEditor):
    """The name of a `.cube` file."""

    name = "table"

    def words(self) -> FileWords:
        return FileWords(
            empty=self.tr("Choose..."),
            caption=self.tr("Choose a table"),
            kinds=self.tr("Color tables (*.cube)"),
            clear=self.tr("Use no table"),
        )


EDITOR: Final = TableEditor
