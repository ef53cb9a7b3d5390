"""The effects of the selected layer: a card for each, as in the chain panel."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QHBoxLayout, QMenu, QToolButton, QVBoxLayout, QWidget

from desktop.ui.features.layers.layer_edits import LayerEdits
from desktop.ui.forms.stage_card import StageCard
from desktop.ui.kit.language import translated
from desktop.ui.kit.open_outside import open_outside
from desktop.ui.kit.widgets import Themed, WheelGuard, column, muted
from desktop.ui.workspace.information_popup import InformationPopup
from desktop.ui.workspace.workspace import Workspace


class _EffectCard(StageCard):
    """A card of an effect of a layer, which has neither statistics nor an editor of its shader."""

    def menu_entries(self) -> Sequence[tuple[str, str]]:
        """See `FoldingCard`."""
        left_out = ("statistics", "edit_shader")
        return tuple(entry for entry in super().menu_entries() if entry[1] not in left_out)


class LayerEffects(QWidget):
    """Adds, orders and sets up the effects of the selected layer."""

    def __init__(self, workspace: Workspace, themed: Themed, guard: WheelGuard) -> None:
        super().__init__()
        self._workspace, self._layers = workspace, workspace.get(LayerEdits)
        self._themed, self._guard = themed, guard
        self._shown: tuple[int, tuple[tuple[int, str], ...]] | None = None
        self.cards: dict[int, StageCard] = {}
        outer = column(self, 0, 6)
        self.hint = muted(self.tr("No effects of its own."))
        outer.addWidget(self.hint)
        self._list = QVBoxLayout()
        self._list.setSpacing(6)
        outer.addLayout(self._list)
        row = QHBoxLayout()
        row.setSpacing(4)
        self.add = self._menu_button(self.tr("Add an effect"))
        self.menu = QMenu(self.add)
        # The library is read when it is opened: files of the user come and go.
        self.menu.aboutToShow.connect(self.fill_menu)
        self.add.setMenu(self.menu)
        self.paste = self._menu_button(self.tr("Paste"))
        self.paste.setToolTip(self.tr("Paste the copied effects"))
        self.paste.clicked.connect(lambda: self._layers.paste_effects())
        row.addWidget(self.add)
        row.addWidget(self.paste)
        row.addStretch(1)
        outer.addLayout(row)

    @staticmethod
    def _menu_button(text: str) -> QToolButton:
        button = QToolButton()
        button.setText(text)
        button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        return button

    def fill_menu(self) -> None:
        """List the effects by their groups."""
        for action in self.menu.actions():
            action.menu().deleteLater()
        self.menu.clear()
        groups: dict[str, QMenu] = {}
        for item in sorted(self._workspace.library.filters.values(), key=lambda each: translated(each.title)):
            title = translated(item.group).replace("&", "&&")
            if title not in groups:
                groups[title] = QMenu(title, self.menu)
            text = translated(item.title).replace("&", "&&")
            groups[title].addAction(text, partial(self._layers.add_effect, item.id))
        for title in sorted(groups):
            self.menu.addMenu(groups[title])

    def refresh(self) -> None:
        """Show the effects that the selected layer has now."""
        spec = self._layers.spec
        self.paste.setEnabled(bool(self._workspace.edits.clipboard))
        if spec is None:
            return
        wanted = (spec.id, tuple((stage.id, stage.filter) for stage in spec.chain.stages))
        if wanted != self._shown:
            self._fill(wanted)
        for stage in spec.chain.stages:
            self.cards[stage.id].update_spec(stage)
        self.hint.setVisible(not self.cards)

    def _fill(self, wanted: tuple[int, tuple[tuple[int, str], ...]]) -> None:
        before = self._shown
        kept = self.cards if before is not None and before[0] == wanted[0] else {}
        known = dict(before[1]) if before is not None else {}
        cards = {
            number: kept[number] for number, name in wanted[1] if known.get(number) == name and number in kept
        }
        for number, card in self.cards.items():
            self._list.removeWidget(card)
            if number not in cards:
                card.hide()
                card.deleteLater()
        self.cards = {number: cards.get(number) or self._make(number) for number, _ in wanted[1]}
        for card in self.cards.values():
            self._list.addWidget(card)
        self._shown = wanted

    def _make(self, stage_id: int) -> StageCard:
        layers = self._layers
        assert layers.spec is not None
        stage = layers.spec.chain.find(stage_id)
        item = self._workspace.library.filters.get(stage.filter)
        card = _EffectCard(stage, item, self._themed, self._guard)
        card.toggled.connect(lambda on: layers.edit_chain(lambda chain: chain.with_enabled(stage_id, on)))
        card.edited.connect(partial(layers.set_effect_value, stage_id))
        card.released.connect(layers.seal)
        card.expansion_requested.connect(lambda _: card.set_expanded(not card.expanded))
        card.command.connect(partial(self._command, stage_id))
        card.dropped.connect(partial(self._drop, stage_id))
        return card

    def _drop(self, stage_id: int, at: QPoint) -> None:
        y = self.mapFromGlobal(at).y()
        others = [card for number, card in self.cards.items() if number != stage_id]
        position = sum(card.geometry().center().y() < y for card in others)
        self._layers.edit_chain(lambda chain: chain.moved(stage_id, position))

    def _command(self, stage_id: int, name: str) -> None:
        layers, spec = self._layers, self._layers.spec
        if spec is None:
            return
        stage = spec.chain.find(stage_id)
        at = spec.chain.stages.index(stage)
        item = self._workspace.library.filters.get(stage.filter)
        match name:
            case "remove":
                layers.edit_chain(lambda chain: chain.removed(stage_id))
            case "up" | "down":
                layers.edit_chain(
                    lambda chain: chain.moved(stage_id, max(0, at + (1 if name == "down" else -1)))
                )
            case "duplicate":
                layers.edit_chain(lambda chain: chain.duplicated(stage_id))
            case "reset" if item is not None:
                layers.edit_chain(lambda chain: chain.with_values(stage_id, item.defaults))
            case "copy":
                self._workspace.edits.copy_all((stage,))
            case "paste":
                layers.paste_effects()
            case "open_file" if item is not None:
                open_outside(Path(item.path), self._workspace.messages)
            case "information":
                card = self.cards[stage_id]
                InformationPopup(card.information(), card.more, ()).open_below()
