"""Notices about plug-ins: those that failed, and a question about each new one, once."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QCoreApplication

from desktop.base.errors import LightloomError
from desktop.base.plugins import Decisions, Offer, is_off, loaded, offers
from desktop.base.wording import sentence
from desktop.ui.kit.messages import Messages, NoticeButton


def offered_plugins() -> tuple[Offer, ...]:
    """Return the plug-ins that are new; on any thread."""
    return () if is_off() else tuple(offer for offer in offers() if offer.decision == "new")


def report_plugins(messages: Messages, offered: Sequence[Offer]) -> None:
    """Show a notice for each failed plug-in, and ask about each of `offered`."""
    for name, why in loaded().failures.items():
        messages.post("warning", sentence("The plug-in '{name}' is left out: {why}", name=name, why=why))
    for offer in offered:
        _offer_plugin(messages, offer)


def _offer_plugin(messages: Messages, offer: Offer) -> None:
    use = QCoreApplication.translate("PluginNotices", "Use it from the next start on")
    leave = QCoreApplication.translate("PluginNotices", "Leave it out")
    messages.post(
        "hint",
        sentence(
            "The package {package} {version} offers the plug-in '{name}', which is code and is not used so "
            "far.",
            package=offer.package,
            version=offer.version,
            name=offer.name,
        ),
        buttons=(
            NoticeButton(use, partial(_decide, messages, offer, use=True)),
            NoticeButton(leave, partial(_decide, messages, offer, use=False)),
        ),
    )


def _decide(messages: Messages, offer: Offer, *, use: bool) -> None:
    try:
        Decisions().decide(offer, use=use)
    except LightloomError as error:
        messages.post("error", str(error))
