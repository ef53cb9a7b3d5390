"""Editor of an image file that a filter uses beside the frame."""

from __future__ import annotations

from typing import Final

from desktop.ui.forms.editors.file import FileEditor, FileWords
from desktop.ui.forms.image_endings import ENDINGS


class PictureEditor(FileEditor):
    """The name of a frame."""

    name = "picture"

    def words(self) -> FileWords:
        return FileWords(
            empty=self.tr("Choose..."),
            caption=self.tr("Choose an image"),
            kinds=self.tr("Images ({0})").format(" ".join(f"*{ending}" for ending in ENDINGS)),
            clear=self.tr("Use no image"),
        )


EDITOR: Final = PictureEditor
