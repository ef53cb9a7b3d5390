"""Describe cards of the chain panel as values, each for one part of the setup that is on or off."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from desktop.pipeline.snapshot import FrameSnapshot
from desktop.ui.kit.widgets import Themed, WheelGuard
from desktop.ui.workspace.workspace import Workspace

if TYPE_CHECKING:
    # Its editors are imported with the first card.
    from desktop.ui.forms.spec_card import SpecCard
    from desktop.vision.tasks.task import Features


@dataclass(frozen=True)
class CardContext:
    """The context that a card is built with; `guard` keeps the wheel from changing values."""

    workspace: Workspace
    themed: Themed
    guard: WheelGuard


@dataclass(frozen=True)
class CardSpec:
    """Description of a card.

    Attributes:
        place: below the card of the network, or above the stages.
        make: builds it when it first applies, importing the widget's module only then.
        edit: returns what takes an edited spec and the name of the changed value.
        applies: returns whether to show it, given the features of the network that ran last, or None.
        show: shows the current figures; called several times a second while visible.
        stays: once made, it is shown even if it no longer applies.
    """

    id: str
    place: Literal["network", "stages"]
    make: Callable[[CardContext], SpecCard] = field(compare=False)
    edit: Callable[[Workspace], Callable[[Any, str], None]] = field(compare=False)
    applies: Callable[[Workspace, Features | None], bool] = field(compare=False)
    update: Callable[[Any, Workspace, Features | None], None] = field(compare=False)
    show: Callable[[Any, Workspace, FrameSnapshot], None] = field(compare=False)
    stays: bool = False
