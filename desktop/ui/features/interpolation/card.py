"""The card of frame interpolation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from desktop.pipeline.snapshot import FrameSnapshot
from desktop.ui.features.interpolation.interpolation import Interpolation
from desktop.ui.workspace.card import CardContext, CardSpec
from desktop.ui.workspace.workspace import Workspace

if TYPE_CHECKING:
    from desktop.ui.features.interpolation.interpolation_card import InterpolationCard


def _make(context: CardContext) -> InterpolationCard:
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
    make=_make,
    edit=lambda w: w.edits.set_interpolation,
    applies=lambda w, _: w.edits.setup.interpolation is not None,
    update=lambda card, w, _: card.update_spec(w.edits.setup.interpolation),
    show=_show,
    stays=True,  # switched off it stays, to be switched on again
)
