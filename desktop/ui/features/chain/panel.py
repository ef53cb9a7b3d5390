"""The chain: a card for each stage, in order, and one for the network."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QPoint, Qt, QTimer, Signal
from PySide6.QtGui import (
    QAction,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDragMoveEvent,
    QDropEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
)
from PySide6.QtWidgets import (
    QApplication,
    QHBoxLayout,
    QLabel,
    QMenu,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from desktop.base.discovery import import_all
from desktop.base.paths import user_model_folder
from desktop.base.wording import sentence
from desktop.pipeline.running.network_spec import NetworkSpec
from desktop.ui.features.automation.automations import Automations
from desktop.ui.features.networks.networks import Networks
from desktop.ui.features.opening.opening import Opening
from desktop.ui.features.opening.own_shaders import OwnShaders
from desktop.ui.features.shader_editor.shader_edits import ShaderEdits
from desktop.ui.kit.drops import FILTER_MIME, PRESET_MIME, accept_copy
from desktop.ui.kit.information import STATISTICS_PAGE, Information
from desktop.ui.kit.language import translated
from desktop.ui.kit.open_outside import open_outside
from desktop.ui.kit.widgets import (
    ElidedLabel,
    IconButton,
    Themed,
    WheelGuard,
    column,
    format_ms,
    muted,
    rough_times,
    scrolled,
)
from desktop.ui.workspace.action import Action
from desktop.ui.workspace.card import CardContext, CardSpec
from desktop.ui.workspace.panel import PanelSpec
from desktop.ui.workspace.workspace import Workspace
from desktop.vision.models.builtin import BuiltinModel, builtin_models, title_of
from desktop.vision.tasks import all_tasks

if TYPE_CHECKING:
    from desktop.pipeline.snapshot import FrameSnapshot
    from desktop.ui.features.networks.network_card import NetworkCard
    from desktop.ui.features.networks.secondary_network import Offer
    from desktop.ui.forms.card import FoldingCard
    from desktop.ui.forms.device_box import Listed
    from desktop.ui.forms.spec_card import SpecCard
    from desktop.ui.forms.stage_card import StageCard
    from desktop.vision.tasks.task import Features

_GHOST_OPACITY: Final = 0.75
# Height of the middle of a card's head.
_GHOST_HEAD: Final = 18
# Between a card that was added and the edge of the view.
_AROUND: Final = 8
# How long the view follows the size of a card that was added.
_REVEAL_MS: Final = 1000


class _Cards(QWidget):
    """The column of cards, with a line at the drop position."""

    def __init__(self) -> None:
        super().__init__()
        self.line_at: int | None = None

    def set_line(self, y: int | None) -> None:
        """Draw the line at a height, or not at all."""
        if y != self.line_at:
            self.line_at = y
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.line_at is not None:
            painter = QPainter(self)
            painter.setPen(QPen(self.palette().highlight().color(), 2))
            painter.drawLine(4, self.line_at, self.width() - 4, self.line_at)


class _Ghost(QLabel):
    """A translucent image of the card that is dragged, under the pointer."""

    def __init__(self, panel: QWidget) -> None:
        super().__init__(panel)
        self._panel = panel
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()

    def follow(self, card: QWidget, at: QPoint) -> None:
        """Show the card at a global point, with its head under the pointer."""
        if self.isHidden():
            image = card.grab()
            faded = QPixmap(image.size())
            faded.setDevicePixelRatio(image.devicePixelRatio())
            faded.fill(Qt.GlobalColor.transparent)
            painter = QPainter(faded)
            painter.setOpacity(_GHOST_OPACITY)
            painter.drawPixmap(0, 0, image)
            painter.end()
            self.setPixmap(faded)
            self.resize(card.size())
            self.show()
            self.raise_()
        left = card.mapTo(self._panel, QPoint(0, 0)).x()
        self.move(left, self._panel.mapFromGlobal(at).y() - _GHOST_HEAD)

    def end(self) -> None:
        """Hide it."""
        self.hide()


def _section(text: str) -> QLabel:
    """Return the title of a section of cards, as the field's programs write it: small capitals."""
    label = QLabel(text.upper())
    label.setObjectName("section")
    label.setAccessibleName(text)
    label.setContentsMargins(2, 4, 0, 0)
    return label


def _import_network_card() -> None:
    import_all(["desktop.ui.features.networks.network_card"])
    all_tasks()


class ChainPanel(QWidget):
    """Edits the workspace's chain and network.

    Signals:
        focus_left: the focused card was removed.
        statistics_requested: show the panel of statistics.
    """

    focus_left = Signal()
    statistics_requested = Signal()

    def __init__(
        self,
        workspace: Workspace,
        themed: Themed,
        cards: Sequence[CardSpec],
        actions: Mapping[str, QAction],
    ) -> None:
        """Make the panel; its buttons trigger the window's `actions`."""
        super().__init__()
        self.setObjectName("panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._workspace, self._themed = workspace, themed
        self._actions = actions
        self._guard = WheelGuard(self)
        self.cards: dict[int, StageCard] = {}
        self._loses_focus = False
        self._revealed = 0
        self._settled = QTimer(self, singleShot=True, interval=_REVEAL_MS)
        self._content = _Cards()
        self._ghost = _Ghost(self)
        outer = column(self, 0, 0)
        self.header = self._make_head()
        self._area = scrolled(self._content)
        self._area.verticalScrollBar().rangeChanged.connect(lambda *_: self._reveal())
        outer.addWidget(self._area, 1)
        self._layout = column(self._content, 8, 6)
        self._network: NetworkCard | None = None
        self._awaits_network = False
        self._specs = {spec.id: spec for spec in cards}
        self._special: dict[str, SpecCard] = {}
        self._features: Features | None = None  # of the network that ran last
        self._analysis, self._effects = _section(self.tr("Analysis")), _section(self.tr("Effects"))
        self._layout.addWidget(self._analysis)
        self._layout.addWidget(self._effects)
        self._stages = QVBoxLayout()
        self._stages.setSpacing(6)
        self._layout.addLayout(self._stages)
        self._empty = self._make_empty()
        self._layout.addWidget(self._empty)
        self._drop_area = QLabel(self.tr("Drag an effect here"))
        self._drop_area.setObjectName("dropArea")
        self._drop_area.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._layout.addWidget(self._drop_area)
        self._layout.addStretch(1)
        workspace.edits.setup_changed.connect(self.refresh)
        workspace.edits.stage_chosen.connect(self.focus_stage)
        workspace.get(OwnShaders).filters_changed.connect(self.rebuild)
        self.setMinimumWidth(300)
        self.setAcceptDrops(True)
        self.refresh()

    @property
    def network(self) -> NetworkCard:
        """The network's card, built on first use because the first frame does not need it."""
        if self._network is None:
            from desktop.ui.features.networks.network_card import NetworkCard

            self._network = NetworkCard(self._themed, self._guard, self._second_networks, self._query_devices)
            self._network.hide()
            self._network.edited.connect(self._edit_network)
            self._network.toggled.connect(self._workspace.get(Networks).set_enabled)
            self._network.command.connect(self._command_network)
            self._network.released.connect(self._workspace.edits.seal)
            self._layout.insertWidget(self._layout.indexOf(self._analysis) + 1, self._network)
        return self._network

    def card(self, card_id: str) -> SpecCard:
        """Return a feature's card by its id, creating it hidden if necessary."""
        card = self._special.get(card_id)
        if card is None:
            spec = self._specs[card_id]
            card = spec.make(CardContext(self._workspace, self._themed, self._guard))
            card.hide()
            card.edited.connect(spec.edit(self._workspace))
            card.released.connect(self._workspace.edits.seal)
            card.command.connect(lambda name: self._command_any(card, name))
            if spec.place == "network":
                self._layout.insertWidget(self._layout.indexOf(self.network) + 1, card)
            else:
                self._layout.insertWidget(self._layout.indexOf(self._effects), card)
            self._special[card_id] = card
        return card

    def _make_head(self) -> QWidget:
        header = QWidget()
        header.setObjectName("panel")
        header.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        head = QHBoxLayout(header)
        head.setContentsMargins(12, 8, 8, 4)
        head.setSpacing(2)
        self.title = ElidedLabel()
        self.title.setObjectName("title")
        self.total = muted(wrap=False)
        self.total.setToolTip(self.tr("Time of all effects for one frame"))
        self.total.setContentsMargins(0, 0, 6, 0)
        self.total.hide()
        head.addWidget(self.title, 1)
        head.addWidget(self.total)
        self.save = QPushButton(self.tr("Save look"))
        self.save.setObjectName("rowButton")
        self.save.setToolTip(self.tr("Save effects, network and settings under a name"))
        self.save.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.save.clicked.connect(self._actions["save_preset"].trigger)
        self.more = IconButton(self._themed, "more", self.tr("Chain: more"))
        self.more.clicked.connect(
            lambda: self.make_menu().popup(self.more.mapToGlobal(QPoint(0, self.more.height())))
        )
        head.addWidget(self.save)
        head.addWidget(self.more)
        return header

    def _about_total(self) -> Information:
        stats = self._workspace.engine.current.snapshot().stats
        text = self.tr("Time of all effects for one frame, by {0}.").format(translated(stats.timing_source))
        rough = f" {rough_times()}" if self._workspace.adapter.is_software else ""
        return Information(
            self.tr("Time of the chain: {0}").format(self.total.text()), text + rough, page=STATISTICS_PAGE
        )

    def _explain(self, information: Information, anchor: QWidget) -> None:
        from desktop.ui.workspace.information_popup import InformationPopup

        statistics = (self.tr("Statistics"), self.statistics_requested.emit)
        InformationPopup(information, anchor, (statistics,)).open_below()

    def make_menu(self) -> QMenu:
        """Return the menu of the whole chain, which is deleted when it is closed."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addActions([self._actions[name] for name in ("copy_chain", "paste", "clear_chain")])
        menu.addSeparator()
        menu.addActions([self._actions[name] for name in ("load_preset", "export_preset")])
        menu.addSeparator()
        about = menu.addAction(self.tr("About the time of the chain"))
        about.setEnabled(bool(self.total.text()))
        about.triggered.connect(lambda: self._explain(self._about_total(), self.more))
        return menu

    def _make_empty(self) -> QWidget:
        box = QWidget()
        layout = column(box, 8, 8)
        layout.addWidget(
            muted(
                self.tr(
                    "No effects yet. Double-click one in the library, or drop an effect, a look or a "
                    "network here."
                )
            )
        )
        button = QPushButton(self.tr("Search the effects"))
        button.clicked.connect(self._actions["search"].trigger)
        layout.addWidget(button)
        styles = self._styles()
        if styles:
            layout.addWidget(muted(self.tr("Or start with one of these:")))
            layout.addLayout(self._make_styles(styles))
        return box

    def _styles(self) -> list[BuiltinModel]:
        """Return the bundled networks that the filter Style takes, as suggestions for a new user."""
        style = self._workspace.engine.library.get("style")
        takes = {task for param in style.params for task in param.tasks}
        return [model for model in builtin_models().values() if model.task in takes]

    def _make_styles(self, styles: Sequence[BuiltinModel]) -> QVBoxLayout:
        """Build a button for each bundled style, one below the other: two titles side by side may not fit."""
        rows = QVBoxLayout()
        rows.setSpacing(6)
        for style in styles:
            button = QPushButton(translated(style.title))
            button.setToolTip(translated(style.help))
            button.clicked.connect(lambda _=False, path=style.path: self._workspace.get(Networks).use(path))
            rows.addWidget(button)
        return rows

    # -- following the setup ---------------------------------------------------------------------------------

    def refresh(self) -> None:
        """Update the cards to the current chain."""
        chain = self._workspace.edits.chain
        self._show_title()
        wanted = {stage.id: stage for stage in chain.stages}
        for stage_id in list(self.cards):
            if stage_id not in wanted or self.cards[stage_id].spec.filter != wanted[stage_id].filter:
                self._drop(stage_id)
        added = 0
        for index, stage in enumerate(chain.stages):
            card = self.cards.get(stage.id)
            if card is None:
                card = self._make_card(stage.id)
                added = stage.id
            if self._stages.indexOf(card) != index:
                self._stages.removeWidget(card)
                self._stages.insertWidget(index, card)
            card.update_spec(stage)
        self._empty.setVisible(not wanted)
        self._drop_area.setVisible(bool(wanted))
        network = self._workspace.edits.setup.network
        if network is not None and self._has_network_card():
            self.network.update_spec(network, enabled=self._workspace.edits.setup.network_enabled)
            self.network.show()
        elif network is None and self._network is not None:
            self._note_focus(self._network)
            self._network.hide()
            # The next network's card begins folded, like the first one's.
            self._network.set_expanded(False)
        self._show_special()
        self._show_sections()
        self._leave_focus()
        if (
            added
            and len(self.cards) - len(wanted) == 0
            and self._workspace.edits.setup.chain.stages[-1].id == added
        ):
            self._show(added)

    def _has_network_card(self) -> bool:
        """Return whether the card is built; otherwise import it on a thread, build it and refresh then.

        The first card imports all tasks, and takes as long again to build and to lay out.
        """
        if self._network is None and not self._awaits_network:
            self._awaits_network = True
            self._workspace.jobs.run(_import_network_card, lambda _: self._make_network())
        return self._network is not None

    def _make_network(self) -> None:
        # Shown in a later turn of the event loop, for frames to be drawn in between.
        QTimer.singleShot(0, self.network, self.refresh)

    def _show_title(self) -> None:
        """Show the title of the look that the chain began with, and whether the chain still is as that has
        it.
        """
        look, edited = self._workspace.edits.history.look, ""
        if look is None:
            self.title.setText(self.tr("Chain"))
        elif look.is_unchanged(self._workspace.edits.setup):
            self.title.setText(translated(look.title))
        else:
            edited = self.tr("{0} (edited)")
            self.title.setText(edited.format(translated(look.title)))
        self.title.set_fixed_end(edited.rpartition("{0}")[2])
        # A name may be cut, a word of the program not.
        self.title.set_elidable(look is not None)

    def rebuild(self) -> None:
        """Rebuild all cards: the library's declarations may have changed."""
        open_ones = [i for i, card in self.cards.items() if card.expanded]
        for stage_id in list(self.cards):
            self._drop(stage_id)
        self.refresh()
        for stage_id, card in self.cards.items():
            card.set_expanded(stage_id in open_ones)

    def _drop(self, stage_id: int) -> None:
        card = self.cards.pop(stage_id)
        self._note_focus(card)
        self._stages.removeWidget(card)
        card.hide()
        card.deleteLater()

    def _note_focus(self, card: QWidget) -> None:
        """Note that a card which goes away has the focus."""
        focus = QApplication.focusWidget()
        self._loses_focus |= focus is not None and (focus is card or card.isAncestorOf(focus))

    def _leave_focus(self) -> None:
        """Move a card's focus to the frame: Qt would move it to the next button, which Enter would press."""
        loses, self._loses_focus = self._loses_focus, False
        if loses:
            self.focus_left.emit()

    def _make_card(self, stage_id: int) -> StageCard:
        from desktop.ui.features.automation.rows import AutomationRows
        from desktop.ui.features.masks.mixing_section import MixingSection
        from desktop.ui.forms.stage_card import StageCard

        workspace = self._workspace
        spec = workspace.edits.chain.find(stage_id)
        make = partial(MixingSection, workspace, self._themed, self._guard, stage_id)
        card = StageCard(spec, workspace.library.filters.get(spec.filter), self._themed, self._guard, make)
        if card.item is not None:
            card.edits_copy = not workspace.get(ShaderEdits).edits_in_place(card.item)
        card.show_origin(workspace.get(OwnShaders).gone.get(spec.filter))
        card.toggled.connect(lambda on: workspace.edits.set_enabled(stage_id, on))
        card.edited.connect(lambda name, value: self._edit_value(stage_id, name, value))
        card.released.connect(workspace.get(Automations).seal)
        automation = AutomationRows(workspace, self._themed, stage_id, card)
        card.opened.connect(lambda: automation.attach_all(map(card.row, card.editors)))
        card.expansion_requested.connect(lambda keep: self.expand(stage_id, keep_others=keep))
        card.command.connect(lambda name: self._command(stage_id, name))
        card.dragging.connect(lambda at: self._drag(card, at))
        card.dropped.connect(lambda at: self._drop_at(stage_id, at))
        self.cards[stage_id] = card
        return card

    def _show(self, stage_id: int) -> None:
        self.expand(stage_id, only_open=True)
        # The card has its size only after the next layouts, of which some follow what its network reports.
        self._revealed = stage_id
        self._settled.start()
        QTimer.singleShot(0, self.cards[stage_id], self._reveal)

    def _reveal(self) -> None:
        """Scroll a card that was added into view, its head at least."""
        card = self.cards.get(self._revealed) if self._settled.isActive() else None
        if card is None:
            return
        self._layout.activate()
        bar, height = self._area.verticalScrollBar(), self._area.viewport().height()
        lowest = card.geometry().bottom() + _AROUND - height
        bar.setValue(min(max(bar.value(), lowest), card.geometry().top() - _AROUND))

    def expand(self, stage_id: int, *, keep_others: bool = False, only_open: bool = False) -> None:
        """Open a card or close it; the others close unless `keep_others`."""
        card = self.cards[stage_id]
        on = only_open or not card.expanded
        if on and not keep_others:
            for other in self.cards.values():
                if other is not card:
                    other.set_expanded(False)
        card.set_expanded(on)

    # -- edits -----------------------------------------------------------------------------------------------

    def _edit_value(self, stage_id: int, name: str, value: object) -> None:
        workspace = self._workspace
        value = workspace.get(Automations).take_value(stage_id, name, value)
        if value is None:
            return
        item = workspace.library.filters.get(workspace.edits.chain.find(stage_id).filter)
        if item is not None and item.network is not None and name == item.network.model:
            workspace.get(Networks).use_in(stage_id, name, str(value))
        else:
            workspace.edits.set_value(stage_id, name, value)

    def _command_any(self, card: FoldingCard, name: str) -> None:
        """Carry out a command that every card has."""
        if name == "statistics":
            self.statistics_requested.emit()
        elif name == "information":
            self._explain(card.information(), card.more)

    def _command_network(self, name: str) -> None:
        networks = self._workspace.get(Networks)
        match name:
            case "remove":
                networks.choose(None)
            case "input":
                networks.input_requested.emit(self.network.spec.model)
            case "compare":
                networks.comparison_requested.emit()
            case _:
                self._command_any(self.network, name)

    def _command(self, stage_id: int, name: str) -> None:
        workspace = self._workspace
        stage = workspace.edits.chain.find(stage_id)
        index = workspace.edits.chain.stages.index(stage)
        match name:
            case "remove":
                workspace.edits.remove_stage(stage_id)
                self._focus(min(index, len(workspace.edits.chain.stages) - 1))
            case "duplicate":
                workspace.edits.duplicate_stage(stage_id)
                self._focus(index + 1)
            case "reset":
                workspace.edits.reset_stage(stage_id)
            case "copy":
                workspace.edits.copy_stages((stage_id,))
            case "paste":
                workspace.edits.paste_stages(index + 1)
            case "up" | "down":
                workspace.edits.move_stage(stage_id, max(0, index + (1 if name == "down" else -1)))
                self.cards[stage_id].setFocus()
            case "edit_shader":
                workspace.get(ShaderEdits).open_stage(stage_id)
            case "open_file":
                item = workspace.library.filters.get(stage.filter)
                if item is not None:
                    open_outside(Path(item.path), workspace.messages)
            case _:
                self._command_any(self.cards[stage_id], name)

    def focus_stage(self, stage_id: int) -> None:
        """Focus a card."""
        if stage_id in self.cards:
            self.cards[stage_id].setFocus()

    def _focus(self, index: int) -> None:
        stages = self._workspace.edits.chain.stages
        if 0 <= index < len(stages):
            self.cards[stages[index].id].setFocus()

    def _slot(self, at: QPoint) -> tuple[int, int]:
        """Return before which card a global point lies, and the height of the gap there."""
        y = self._content.mapFromGlobal(at).y()
        cards = [self.cards[stage.id] for stage in self._workspace.edits.chain.stages]
        for index, card in enumerate(cards):
            if y < card.geometry().center().y():
                return index, card.geometry().top() - 3
        return len(cards), (cards[-1].geometry().bottom() + 4 if cards else 0)

    def _drag(self, card: StageCard, at: QPoint) -> None:
        self._ghost.follow(card, at)
        self._mark_slot(at)

    def _mark_slot(self, at: QPoint) -> None:
        self._content.set_line(self._slot(at)[1])
        y = self._area.viewport().mapFromGlobal(at).y()
        bar = self._area.verticalScrollBar()
        if y < 24:
            bar.setValue(bar.value() - 12)
        elif y > self._area.viewport().height() - 24:
            bar.setValue(bar.value() + 12)

    def _drop_at(self, stage_id: int, at: QPoint) -> None:
        self._ghost.end()
        self._content.set_line(None)
        slot = self._slot(at)[0]
        index = [stage.id for stage in self._workspace.edits.chain.stages].index(stage_id)
        # Taking the card out moves what is behind it up by one.
        self._workspace.edits.move_stage(stage_id, slot - (slot > index))

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Accept a filter or a preset of the library; files are left to the window."""
        self.dragMoveEvent(event)

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        """Show where a filter would be inserted."""
        data = event.mimeData()
        if data.hasFormat(FILTER_MIME):
            self._mark_slot(self.mapToGlobal(event.position().toPoint()))
        elif not data.hasFormat(PRESET_MIME):
            event.ignore()
            return
        accept_copy(event)

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        self._content.set_line(None)

    def dropEvent(self, event: QDropEvent) -> None:
        """Insert a filter where it is dropped, or load a preset."""
        self._content.set_line(None)
        data = event.mimeData()
        if data.hasFormat(FILTER_MIME):
            slot = self._slot(self.mapToGlobal(event.position().toPoint()))[0]
            self._workspace.edits.add_filter(data.data(FILTER_MIME).toStdString(), at=slot)
        elif data.hasFormat(PRESET_MIME):
            self._workspace.get(Opening).load_preset(Path(data.data(PRESET_MIME).toStdString()))
        else:
            event.ignore()
            return
        accept_copy(event)

    def _query_devices(self, done: Callable[[Listed], None], failed: Callable[[str], None]) -> None:
        """List the backends' devices in a child process: importing PyTorch here blocks the window."""
        from desktop.vision.backends.devices import list_devices_apart

        self._workspace.jobs.run(list_devices_apart, done, lambda error: failed(translated(str(error))))

    def _second_networks(self) -> list[Offer]:
        """Return the bundled and downloaded networks that analyze a frame, then those used recently."""
        # Imported here: the first frame waits for this file.
        from desktop.ui.features.networks.secondary_network import Offer
        from desktop.vision.models.library.store import ModelStore
        from desktop.vision.tasks import is_analysis_task

        settings = self._workspace.settings
        found = [
            Offer(translated(model.title), str(model.path), translated(model.help))
            for model in builtin_models().values()
            if is_analysis_task(model.task)
        ]
        store = ModelStore(user_model_folder(settings.model_folder))
        for entry in store.catalogue.values():
            if is_analysis_task(entry.task) and store.holding(entry).state == "ready":
                found.append(Offer(translated(entry.title), str(store.path(entry)), translated(entry.help)))
        known = {offer.model for offer in found}
        recent = (Path(model) for model in settings.models if model not in known)
        return found + [Offer(translated(title_of(model)), str(model), str(model)) for model in recent]

    def _edit_network(self, spec: NetworkSpec, what: str) -> None:
        self._workspace.get(Networks).choose(spec, ("network", what))

    def _show_special(self) -> None:
        """Show the features' cards that apply to the setup."""
        for spec in self._specs.values():
            applies = spec.applies(self._workspace, self._features)
            if applies or (spec.stays and spec.id in self._special):
                spec.update(self.card(spec.id), self._workspace, self._features)
            if spec.id in self._special:
                self._special[spec.id].setVisible(applies or spec.stays)

    def _show_sections(self) -> None:
        """Show the title of the analysis while it has a card."""
        cards = (self._network, *self._special.values())
        self._analysis.setVisible(any(card is not None and not card.isHidden() for card in cards))

    # -- figures ---------------------------------------------------------------------------------------------

    def update_figures(self) -> None:
        """Show states and times; called some times a second."""
        current = self._workspace.engine.current
        now = current.snapshot()
        if not current.is_trying:
            # The states of a chain that is tried are not those of the cards.
            self._update_stages(now)
        if self._network is not None and self._network.isVisibleTo(self):
            note = now.result.advice if now.result is not None else ""
            stats = now.stats
            fps = None if self._is_still else stats.network_fps
            rough = self._workspace.adapter.is_software
            self._network.show_status(
                now.network, stats.network_ms, fps, note, stats.network_copies_ms, now.calls, rough=rough
            )
            # The card stays while another network loads, like the network's own.
            if now.network.features not in (None, self._features):
                self._features = now.network.features
                self._show_special()
                self._show_sections()
        for card_id, special in self._special.items():
            if special.isVisibleTo(self):
                self._specs[card_id].show(special, self._workspace, now)

    def _update_stages(self, now: FrameSnapshot) -> None:
        stats = now.stats
        times = {s.name: s.gpu_ms if s.gpu_ms is not None else s.cpu_ms for s in stats.stages}
        statuses = {s.id: s for s in now.stages}
        known: list[float] = []
        still = self._is_still
        playing = self._workspace.playback.has_picture
        rough = self._workspace.adapter.is_software
        for stage_id, card in self.cards.items():
            ms = times.get(f"filter:{stage_id}")
            if ms is not None:
                ms += times.get(f"network:{stage_id}", 0.0)
                known.append(ms)
            card.show_status(statuses.get(stage_id), ms, still=still, rough=rough, playing=playing)
        total = format_ms(sum(known), rough=rough) if known else ""
        if total != self.total.text():
            self.total.setText(total)
            self.total.setAccessibleName(self.tr("Time of the chain: {0}").format(total))
            self.total.setVisible(bool(total))

    @property
    def _is_still(self) -> bool:
        """True for a still image: a rate of results would be meaningless."""
        info = self._workspace.playback.info
        return info is not None and info.kind == "image"


PANEL: Final = PanelSpec(
    "chain",
    sentence("Chain"),
    place="right",
    order=0,
    size=(330, 0),
    make=lambda context: ChainPanel(context.workspace, context.themed, context.cards, context.actions),
    actions=(
        Action(
            "chain_panel",
            sentence("C&hain"),
            lambda w: w.dock_area.toggle("chain"),
            menu="view/panels",
            order=1,
            keys=("Ctrl+Shift+B",),
            checked=lambda w: w.dock_area.is_shown("chain"),
        ),
    ),
)
