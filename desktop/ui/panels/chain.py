"""The chain: a card for each stage, in order, and one for the network."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import (
    QApplication,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from desktop.base.paths import user_model_folder
from desktop.base.wording import sentence
from desktop.pipeline.running.network_spec import NetworkSpec
from desktop.ui.action import Action
from desktop.ui.controller import Controller
from desktop.ui.language import translated
from desktop.ui.networks import finds_things, tells_places
from desktop.ui.panel import PanelSpec
from desktop.ui.widgets import (
    IconButton,
    Themed,
    WheelGuard,
    column,
    format_ms,
    heading,
    muted,
    rough_times,
    scrolled,
)
from desktop.vision.models.builtin import BuiltinModel, builtin_models, title_of

if TYPE_CHECKING:
    from desktop.pipeline.running.interpolation.spec import InterpolationSpec
    from desktop.ui.anonymize_card import AnonymizeCard
    from desktop.ui.device_box import Listed
    from desktop.ui.interpolation_card import InterpolationCard
    from desktop.ui.network_card import NetworkCard
    from desktop.ui.second_look import Offer
    from desktop.ui.stage_card import StageCard
    from desktop.ui.track_card import TrackCard
    from desktop.vision.tasks.task import Features


class _Cards(QWidget):
    """The column of cards, with a line where a dragged one would go."""

    def __init__(self) -> None:
        super().__init__()
        self.line_at: int | None = None

    def set_line(self, y: int | None) -> None:
        """Draw the line at a height, or not at all."""
        if y != self.line_at:
            self.line_at = y
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """See QWidget."""
        super().paintEvent(event)
        if self.line_at is not None:
            painter = QPainter(self)
            painter.setPen(QPen(self.palette().highlight().color(), 2))
            painter.drawLine(4, self.line_at, self.width() - 4, self.line_at)


class ChainPanel(QWidget):
    """Shows and edits the controller's chain and network.

    Signals:
        open_file: the path of a shader to show.
        library_asked, input_asked, compare_asked: open these.
        focus_left: the card with the focus was removed.
    """

    open_file = Signal(str)
    library_asked = Signal()
    input_asked = Signal(str)
    compare_asked = Signal()
    focus_left = Signal()

    def __init__(self, controller: Controller, themed: Themed, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._controller, self._themed = controller, themed
        self._guard = WheelGuard(self)
        self.cards: dict[int, StageCard] = {}
        self._loses_focus = False
        self._content = _Cards()
        outer = column(self, 0, 0)
        self.header = self._make_head()
        self._area = scrolled(self._content)
        outer.addWidget(self._area, 1)
        self._layout = column(self._content, 8, 6)
        self._network: NetworkCard | None = None
        self._tracks: TrackCard | None = None
        self._hidden: AnonymizeCard | None = None
        self.interpolation: InterpolationCard | None = None  # made with the first network for it
        self._features: Features | None = None  # of the network that ran last
        self._stages = QVBoxLayout()
        self._stages.setSpacing(6)
        self._layout.addLayout(self._stages)
        self._empty = self._make_empty()
        self._layout.addWidget(self._empty)
        self._layout.addStretch(1)
        controller.edits.setup_changed.connect(self.refresh)
        controller.shaders.filters_changed.connect(self.rebuild)
        self.setMinimumWidth(300)
        self.refresh()

    @property
    def network(self) -> NetworkCard:
        """The network's card, made with the first network: the first picture would wait for it, and has none."""
        if self._network is None:
            from desktop.ui.network_card import NetworkCard

            self._network = NetworkCard(self._themed, self._guard, self._second_networks, self._ask_devices)
            self._network.hide()
            self._network.edited.connect(self._edit_network)
            self._network.removed.connect(lambda: self._controller.networks.choose(None))
            self._network.released.connect(self._controller.edits.seal)
            self._network.input_asked.connect(self.input_asked)
            self._network.compare_asked.connect(self.compare_asked)
            self._layout.insertWidget(0, self._network)
        return self._network

    @property
    def tracks(self) -> TrackCard:
        """The tracking card, below the network's and created with the first network that detects objects."""
        if self._tracks is None:
            from desktop.ui.track_card import TrackCard

            self._tracks = TrackCard(self._themed, self._guard)
            self._tracks.hide()
            self._tracks.edited.connect(self._controller.edits.set_track)
            self._tracks.released.connect(self._controller.edits.seal)
            self._layout.insertWidget(self._layout.indexOf(self.network) + 1, self._tracks)
        return self._tracks

    @property
    def hidden(self) -> AnonymizeCard:
        """The redaction card, below the tracking card."""
        if self._hidden is None:
            from desktop.ui.anonymize_card import AnonymizeCard

            self._hidden = AnonymizeCard(self._themed, self._guard)
            self._hidden.hide()
            self._hidden.edited.connect(self._controller.edits.set_anonymize)
            self._hidden.released.connect(self._controller.edits.seal)
            self._layout.insertWidget(self._layout.indexOf(self._stages), self._hidden)
        return self._hidden

    def _interpolation_card(self, spec: InterpolationSpec) -> InterpolationCard:
        """The card of frame interpolation, made with the first network for it; before the chain, as its pictures are."""
        if self.interpolation is None:
            from desktop.ui.interpolation_card import InterpolationCard

            self.interpolation = InterpolationCard(self._themed, self._guard, spec)
            self.interpolation.edited.connect(self._controller.edits.set_interpolation)
            self.interpolation.released.connect(self._controller.edits.seal)
            self._layout.insertWidget(self._layout.indexOf(self._stages), self.interpolation)
        return self.interpolation

    def _make_head(self) -> QWidget:
        header = QWidget()
        header.setObjectName("panel")
        header.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        head = QHBoxLayout(header)
        head.setContentsMargins(12, 8, 8, 4)
        head.setSpacing(2)
        self._title = heading(self.tr("Chain"))
        self._total = QLabel()
        self._total.setObjectName("muted")
        head.addWidget(self._title)
        head.addStretch(1)
        head.addWidget(self._total)
        self.copy = IconButton(self._themed, "copy", self.tr("Copy all filters"))
        self.copy.clicked.connect(lambda: self._controller.edits.copy_stages(()))
        self.clear = IconButton(self._themed, "trash", self.tr("Clear the chain"))
        self.clear.clicked.connect(self._controller.edits.clear_chain)
        head.addWidget(self.copy)
        head.addWidget(self.clear)
        return header

    def _make_empty(self) -> QWidget:
        box = QWidget()
        layout = column(box, 8, 8)
        layout.addWidget(
            muted(
                self.tr(
                    "No filters yet. Double-click one in the library, or drop a .wgsl, .cube, preset, .onnx or .tflite."
                )
            )
        )
        button = QPushButton(self.tr("Search the filters"))
        button.clicked.connect(self.library_asked)
        layout.addWidget(button)
        styles = self._styles()
        if styles:
            layout.addWidget(muted(self.tr("Or start with a style:")))
            layout.addLayout(self._make_styles(styles))
        return box

    def _styles(self) -> list[BuiltinModel]:
        """The networks in the box that the filter Style takes: what a new user may begin with."""
        style = self._controller.engine.library.get("style")
        takes = {task for param in style.params for task in param.tasks}
        return [model for model in builtin_models().values() if model.task in takes]

    def _make_styles(self, styles: Sequence[BuiltinModel]) -> QGridLayout:
        """A button a style in the box, two in a row."""
        grid = QGridLayout()
        grid.setSpacing(6)
        for index, style in enumerate(styles):
            button = QPushButton(translated(style.title))
            button.setToolTip(translated(style.help))
            button.clicked.connect(lambda _=False, path=style.path: self._controller.networks.use(path))
            grid.addWidget(button, index // 2, index % 2)
        return grid

    # -- following the setup -----------------------------------------------------------------------------------------

    def refresh(self) -> None:
        """Bring the cards to the chain in use."""
        chain = self._controller.edits.chain
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
        for button in (self.copy, self.clear):
            button.setEnabled(bool(wanted))
        network = self._controller.edits.setup.network
        if network is not None:
            self.network.update_spec(network)
            self.network.show()
        elif self._network is not None:
            self._note_focus(self._network)
            self._network.hide()
        self._show_tracks()
        self._show_hidden()
        self._show_interpolation()
        self._leave_focus()
        if (
            added
            and len(self.cards) - len(wanted) == 0
            and self._controller.edits.setup.chain.stages[-1].id == added
        ):
            self._show(added)

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
        """Give the focus that a card had to the picture: Qt would give it to whatever button comes next, which Enter would press."""
        loses, self._loses_focus = self._loses_focus, False
        if loses:
            self.focus_left.emit()

    def _make_card(self, stage_id: int) -> StageCard:
        from desktop.ui.stage_card import StageCard

        controller = self._controller
        spec = controller.edits.chain.find(stage_id)
        card = StageCard(spec, controller.library.filters.get(spec.filter), self._themed, self._guard)
        card.toggled.connect(lambda on: controller.edits.set_enabled(stage_id, on))
        card.edited.connect(lambda name, value: self._edit_value(stage_id, name, value))
        card.released.connect(controller.edits.seal)
        card.expand_asked.connect(lambda keep: self.expand(stage_id, keep_others=keep))
        card.command.connect(lambda name: self._command(stage_id, name))
        card.dragging.connect(lambda at: self._drag(at))
        card.dropped.connect(lambda at: self._drop_at(stage_id, at))
        self.cards[stage_id] = card
        return card

    def _show(self, stage_id: int) -> None:
        self.expand(stage_id, only_open=True)
        card = self.cards[stage_id]
        # The card has its size only after the next layout.
        QTimer.singleShot(0, card, lambda: self._area.ensureWidgetVisible(card, 0, 8))

    def expand(self, stage_id: int, *, keep_others: bool = False, only_open: bool = False) -> None:
        """Open a card or close it; the others close unless `keep_others`."""
        card = self.cards[stage_id]
        on = only_open or not card.expanded
        if on and not keep_others:
            for other in self.cards.values():
                if other is not card:
                    other.set_expanded(False)
        card.set_expanded(on)

    # -- edits -------------------------------------------------------------------------------------------------------

    def _edit_value(self, stage_id: int, name: str, value: object) -> None:
        controller = self._controller
        item = controller.library.filters.get(controller.edits.chain.find(stage_id).filter)
        if item is not None and item.network is not None and name == item.network.model:
            controller.networks.use_in(stage_id, name, str(value))
        else:
            controller.edits.set_value(stage_id, name, value)

    def _command(self, stage_id: int, name: str) -> None:
        controller = self._controller
        stage = controller.edits.chain.find(stage_id)
        index = controller.edits.chain.stages.index(stage)
        match name:
            case "remove":
                controller.edits.remove_stage(stage_id)
                self._focus(min(index, len(controller.edits.chain.stages) - 1))
            case "duplicate":
                controller.edits.duplicate_stage(stage_id)
                self._focus(index + 1)
            case "reset":
                controller.edits.reset_stage(stage_id)
            case "copy":
                controller.edits.copy_stages((stage_id,))
            case "paste":
                controller.edits.paste_stages(index + 1)
            case "up" | "down":
                controller.edits.move_stage(stage_id, max(0, index + (1 if name == "down" else -1)))
                self.cards[stage_id].setFocus()
            case "open_file":
                item = controller.library.filters.get(stage.filter)
                if item is not None:
                    self.open_file.emit(item.path)

    def focus_stage(self, stage_id: int) -> None:
        """Give a card the focus."""
        if stage_id in self.cards:
            self.cards[stage_id].setFocus()

    def _focus(self, index: int) -> None:
        stages = self._controller.edits.chain.stages
        if 0 <= index < len(stages):
            self.cards[stages[index].id].setFocus()

    def _slot(self, at: QPoint) -> tuple[int, int]:
        """Return before which card a global point lies, and the height of the gap there."""
        y = self._content.mapFromGlobal(at).y()
        cards = [self.cards[stage.id] for stage in self._controller.edits.chain.stages]
        for index, card in enumerate(cards):
            if y < card.geometry().center().y():
                return index, card.geometry().top() - 3
        return len(cards), (cards[-1].geometry().bottom() + 4 if cards else 0)

    def _drag(self, at: QPoint) -> None:
        self._content.set_line(self._slot(at)[1])
        y = self._area.viewport().mapFromGlobal(at).y()
        bar = self._area.verticalScrollBar()
        if y < 24:
            bar.setValue(bar.value() - 12)
        elif y > self._area.viewport().height() - 24:
            bar.setValue(bar.value() + 12)

    def _drop_at(self, stage_id: int, at: QPoint) -> None:
        self._content.set_line(None)
        slot = self._slot(at)[0]
        index = [stage.id for stage in self._controller.edits.chain.stages].index(stage_id)
        # Taking the card out moves what is behind it up by one.
        self._controller.edits.move_stage(stage_id, slot - (slot > index))

    def _ask_devices(self, done: Callable[[Listed], None], failed: Callable[[str], None]) -> None:
        """List what the backends compute on, in a process of its own: PyTorch's import alone would hold the window up."""
        from desktop.vision.backends.devices import list_devices_apart

        self._controller.jobs.run(list_devices_apart, done, lambda error: failed(translated(str(error))))

    def _second_networks(self) -> list[Offer]:
        """Return the bundled and downloaded networks that analyze a picture, then those used recently."""
        # Imported here: the first picture waits for this file.
        from desktop.ui.second_look import Offer
        from desktop.vision.models.library.store import ModelStore
        from desktop.vision.tasks import is_beside

        settings = self._controller.settings
        found = [
            Offer(translated(model.title), str(model.path), translated(model.help))
            for model in builtin_models().values()
            if is_beside(model.task)
        ]
        store = ModelStore(user_model_folder(settings.model_folder))
        for entry in store.catalogue.values():
            if is_beside(entry.task) and store.holding(entry).state == "ready":
                found.append(Offer(translated(entry.title), str(store.path(entry)), translated(entry.help)))
        known = {offer.model for offer in found}
        recent = (Path(model) for model in settings.models if model not in known)
        return found + [Offer(translated(title_of(model)), str(model), str(model)) for model in recent]

    def _edit_network(self, spec: NetworkSpec, what: str) -> None:
        self._controller.networks.choose(spec, ("network", what))

    def _show_tracks(self) -> None:
        """Show the card if objects can be tracked: the network detects some, or tracking is on."""
        setup = self._controller.edits.setup
        track = setup.scene.track
        wanted = setup.network is not None and (track is not None or finds_things(self._features))
        if wanted:
            self.tracks.update_spec(track)
        if self._tracks is not None:
            self._tracks.setVisible(wanted)

    def _show_hidden(self) -> None:
        """Show the card where there is something to hide, and wherever something is: without a network that is all of the picture."""
        setup = self._controller.edits.setup
        has_places = setup.network is not None and tells_places(self._features)
        if setup.anonymize is not None or has_places:
            self.hidden.use_labels(self._features.labels if self._features is not None and has_places else ())
            self.hidden.update_spec(setup.anonymize)
        if self._hidden is not None:
            self._hidden.setVisible(setup.anonymize is not None or has_places)

    def _show_interpolation(self) -> None:
        """Show the card once there is a network for it; switched off it stays, to be switched on again."""
        spec = self._controller.edits.setup.interpolation
        if spec is not None:
            self._interpolation_card(spec).update_spec(spec)
        elif self.interpolation is not None:
            self.interpolation.update_spec(None)

    # -- figures -----------------------------------------------------------------------------------------------------

    def update_figures(self) -> None:
        """Show states and times; called some times a second."""
        now = self._controller.engine.current.snapshot()
        stats = now.stats
        times = {s.name: s.gpu_ms if s.gpu_ms is not None else s.cpu_ms for s in stats.stages}
        statuses = {s.id: s for s in now.stages}
        known: list[float] = []
        still = self._is_still
        playing = self._controller.playback.has_picture
        rough = self._controller.adapter.is_software
        for stage_id, card in self.cards.items():
            ms = times.get(f"filter:{stage_id}")
            if ms is not None:
                ms += times.get(f"network:{stage_id}", 0.0)
                known.append(ms)
            card.show_status(statuses.get(stage_id), ms, still=still, rough=rough, playing=playing)
        self._total.setText(format_ms(sum(known), rough=rough) if known else "")
        self._total.setToolTip(
            self.tr("Time of all filters for one frame, by {0}.").format(translated(stats.timing_source))
            + (f" {rough_times()}" if rough else "")
        )
        if self._network is not None and self._network.isVisibleTo(self):
            remark = now.result.advice if now.result is not None else ""
            fps = None if still else stats.network_fps
            self._network.show_status(
                now.network, stats.network_ms, fps, remark, stats.network_copies_ms, now.calls
            )
            # While another one is loaded the card stays, as the network's does.
            if now.network.features not in (None, self._features):
                self._features = now.network.features
                self._show_tracks()
                self._show_hidden()
        if self.interpolation is not None:
            smooth = self._controller.interpolation
            self.interpolation.show_status(smooth.status if playing else None, smooth.notes)
        if self._hidden is not None and self._hidden.isVisibleTo(self):
            self._hidden.show_places(now.hidden if playing else None)
        if self._tracks is not None and self._tracks.isVisibleTo(self):
            # Results do not outlive their source.
            sighting = (
                now.sighting if playing and now.sighting is not None and now.sighting.followed else None
            )
            self._tracks.show_number(
                None if sighting is None else sum(i is not None for i in sighting.identities)
            )

    @property
    def _is_still(self) -> bool:
        """True for a still picture: a rate of results would be meaningless."""
        info = self._controller.playback.info
        return info is not None and info.kind == "image"


PANEL: Final = PanelSpec(
    "chain",
    sentence("Chain"),
    place="right",
    order=0,
    size=(330, 0),
    make=lambda context: ChainPanel(context.controller, context.themed),
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
        Action(
            "follow_things",
            sentence("&Follow things"),
            lambda w: w.controller.edits.toggle_track(),
            menu="filters",
            group="networks",
            checked=lambda w: w.controller.edits.setup.scene.track is not None,
            enabled=lambda w: w.controller.edits.setup.network is not None,
        ),
        Action(
            "interpolate",
            sentence("&Interpolate frames"),
            lambda w: w.controller.interpolation.toggle(),
            menu="filters",
            group="networks",
            checked=lambda w: w.controller.edits.setup.interpolation is not None,
            enabled=lambda w: w.controller.interpolation.can_toggle,
        ),
        Action(
            "anonymize",
            sentence("&Anonymize"),
            lambda w: w.controller.edits.toggle_anonymize(),
            menu="filters",
            group="networks",
            checked=lambda w: w.controller.edits.setup.anonymize is not None,
            enabled=lambda w: (
                w.controller.edits.setup.network is not None or w.controller.edits.setup.anonymize is not None
            ),
        ),
    ),
)
