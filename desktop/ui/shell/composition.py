"""Compose the window of the parts, panels, menus and actions of shell, features and plug-ins."""

from __future__ import annotations

from desktop.base.discovery import modules_of
from desktop.base.plugins import plugin_features, provided
from desktop.pipeline.engine import Engine
from desktop.ui.features import find_features
from desktop.ui.forms.setting import AnySetting
from desktop.ui.forms.settings import Settings
from desktop.ui.kit.motion import Motion
from desktop.ui.shell import actions as shell_actions
from desktop.ui.workspace.action import Action, Menu
from desktop.ui.workspace.card import CardSpec
from desktop.ui.workspace.feature import Feature
from desktop.ui.workspace.panel import PanelSpec
from desktop.ui.workspace.window_context import WindowContext
from desktop.ui.workspace.workspace import Workspace


def _features() -> tuple[Feature, ...]:
    return (*find_features(), *plugin_features())


def make_workspace(engine: Engine, settings: Settings) -> Workspace:
    """Return a workspace with the parts of all features."""
    parts = (part for feature in _features() for part in feature.parts)
    workspace = Workspace(engine, settings, parts, feature_settings=find_settings())
    workspace.add(Motion(settings.motion, workspace))
    workspace.make_all()
    return workspace


def find_settings() -> tuple[AnySetting, ...]:
    """Return the settings that features declare."""
    return tuple(setting for feature in _features() for setting in feature.settings)


def panel_specs() -> tuple[PanelSpec, ...]:
    """Return all panels, those of plug-ins too, by place and order."""
    found = [*(panel for feature in _features() for panel in feature.panels), *provided("panels")]
    return tuple(sorted(found, key=lambda spec: (("left", "right", "bottom").index(spec.place), spec.order)))


def card_specs() -> tuple[CardSpec, ...]:
    """Return the cards of the chain panel."""
    return tuple(card for feature in _features() for card in feature.cards)


def connect_features(context: WindowContext) -> None:
    """Call each feature's `connect` with the complete window."""
    for feature in _features():
        feature.connect(context)


def find_menus() -> tuple[Menu, ...]:
    """Return all menus, in no order."""
    own = [menu for module in modules_of(shell_actions.__name__) for menu in module.MENUS]
    return (*own, *(menu for feature in _features() for menu in feature.menus))


def find_actions() -> tuple[Action, ...]:
    """Return all actions: the shell's by file name, then those of the features and of the panels."""
    own = [action for module in modules_of(shell_actions.__name__) for action in module.ACTIONS]
    of_features = [action for feature in _features() for action in feature.actions]
    return (*own, *of_features, *(action for spec in panel_specs() for action in spec.actions))
