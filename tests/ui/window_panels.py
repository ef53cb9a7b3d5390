"""The panels of a window by their classes, for tests of one panel or of several together."""

from __future__ import annotations

from networks_page import NetworksPage

from desktop.ui.features.chain.panel import ChainPanel
from desktop.ui.features.library.panel import LibraryPanel
from desktop.ui.features.sources.panel import SourcesPanel
from desktop.ui.features.statistics.panel import StatsPanel
from desktop.ui.forms.card import FoldingCard
from desktop.ui.shell.window import Window


def chain_of(window: Window) -> ChainPanel:
    return window.dock_area.panel("chain", ChainPanel)


def choose_in_menu(card: FoldingCard, text: str) -> None:
    """Choose an entry of a card's menu."""
    (action,) = (action for action in card.make_menu().actions() if action.text() == text)
    action.trigger()


def library_of(window: Window) -> LibraryPanel:
    return window.dock_area.panel("library", LibraryPanel)


def networks_of(window: Window) -> NetworksPage:
    """Return the page of networks of the library."""
    return NetworksPage(window)


def sources_of(window: Window) -> SourcesPanel:
    return window.dock_area.panel("sources", SourcesPanel)


def stats_of(window: Window) -> StatsPanel:
    return window.dock_area.panel("stats", StatsPanel)
