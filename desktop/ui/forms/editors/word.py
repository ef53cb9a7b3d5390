"""A name of those that there are: a list."""

from __future__ import annotations

from typing import Final

from desktop.base.fields import Field
from desktop.ui.forms.editors.choice import ChoiceEditor
from desktop.ui.kit.language import translated
from desktop.ui.kit.widgets import Themed, WheelGuard
from desktop.vision.tasks.task import Features, Word


class WordEditor(ChoiceEditor):
    """A list of names, 'auto' for the network's own."""

    name = "word"

    def __init__(self, field: Field, themed: Themed, guard: WheelGuard) -> None:
        super().__init__(field, themed, guard)
        self.offer((("", self.tr("auto")),))

    def use(self, field: Field, features: Features) -> None:
        """See FieldEditor; offers the names that there are, and says what 'auto' is."""
        self.field = field
        assert isinstance(field, Word)
        known = field.known()
        title = dict(known).get(str(features.usual.get(field.name, "")), "")
        auto = self.tr("auto")
        self.offer((("", f"{auto} ({translated(title)})" if title else auto), *known))

    def missing(self, value: str) -> str:
        """See ChoiceEditor; the names are not known before the network is loaded."""
        return value


EDITOR: Final = WordEditor
