"""Frame interpolation during playback."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from desktop.base.wording import sentence
from desktop.pipeline.snapshot import FrameSnapshot
from desktop.ui.features.interpolation.interpolation import Interpolation
from desktop.ui.workspace.action import Action
from desktop.ui.workspace.card import CardContext, CardSpec
from desktop.ui.workspace.feature import Feature
from desktop.ui.workspace.window_context import WindowContext
from desktop.ui.workspace.workspace import Part, Workspace

if TYPE_CHECKING:
    from desktop.ui.features.interpolation.interpolation_card import InterpolationCard


def _make_card(context: CardContext) -> InterpolationCard:
    from desktop.ui.features.interpolation.interpolation_card import InterpolationCard

    spec = context.workspace.edits.setup.interpolation
    assert spec is not None, "the card is made with the first network for it"
    return InterpolationCard(context.themed, context.guard, spec)


def _show(card: InterpolationCard, workspace: Workspace, now: FrameSnapshot) -> None:
    smooth = workspace.get(Interpolation)
    card.show_status(smooth.status if workspace.playback.has_picture else None, smooth.notes)


CARD: Final = CardSpec(
    "interpolation",
    place="stages",
    make=_make_card,
    edit=lambda w: w.edits.set_interpolation,
    applies=lambda w, _: w.edits.setup.interpolation is not None,
    update=lambda card, w, _: card.update_spec(w.edits.setup.interpolation),
    show=_show,
    stays=True,  # switched off it stays, to be switched on again
)


ACTIONS: Final = (
    Action(
        "interpolate",
        sentence("&Interpolate frames"),
        lambda w: w.workspace.get(Interpolation).toggle(),
        menu="filters",
        group="networks",
        order=2,
        checked=lambda w: w.workspace.edits.setup.interpolation is not None,
        enabled=lambda w: w.workspace.get(Interpolation).can_toggle,
    ),
)


def _make(w: Workspace) -> Interpolation:
    made = Interpolation(w.engine, w.messages, w.playback, w.edits, w)
    w.engine_rebuilt.connect(made.renew)
    w.refreshing.connect(made.poll)
    return made


def _connect(context: WindowContext) -> None:
    context.workspace.get(Interpolation).follow_screen(lambda: context.viewport.screen())


FEATURE: Final = Feature(
    parts=(Part(Interpolation, _make),), cards=(CARD,), actions=ACTIONS, connect=_connect
)
