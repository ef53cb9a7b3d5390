"""Undo and redo: a list of immutable setups and a place in it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from desktop.pipeline.chain.spec import ChainSpec
from desktop.pipeline.running.network_spec import NetworkSpec
from desktop.pipeline.setup.setup import Setup

_LIMIT: Final = 200


@dataclass(frozen=True)
class AppliedLook:
    """The look that a chain began with: its title, its chain and network when it was applied or saved, and
    its file.

    `is_whole` is False if an effect of its file was missing, so that the chain is not what the file says.
    """

    title: str
    chain: ChainSpec
    path: str = ""
    network: NetworkSpec | None = None
    is_whole: bool = True

    def is_unchanged(self, setup: Setup) -> bool:
        """Return whether a setup has the look's filters and values, in the look's order, and its network."""
        same_network = _model(setup.network) == _model(self.network)
        return self.is_whole and same_network and setup.chain.by_place == self.chain.by_place


def _model(network: NetworkSpec | None) -> str:
    return network.model if network is not None else ""


@dataclass(frozen=True)
class Step:
    """A setup and its edit's name. Consecutive edits of the same `key` (a slider's drag) are one step."""

    setup: Setup
    label: str = ""
    key: object = None
    look: AppliedLook | None = None


class History:
    """The setups of a window, oldest first, and which of them is in use."""

    def __init__(self, setup: Setup, look: AppliedLook | None = None) -> None:
        self._steps = [Step(setup, look=look)]
        self._at = 0
        self._open = False

    @property
    def setup(self) -> Setup:
        """The setup in use."""
        return self._steps[self._at].setup

    @property
    def look(self) -> AppliedLook | None:
        """The look that the setup in use began with; None without one, or once its chain was cleared."""
        return self._steps[self._at].look

    def set_look(self, look: AppliedLook) -> None:
        """Set the look of the setup in use, which stays as it is."""
        self._steps[self._at] = replace(self._steps[self._at], look=look)

    @property
    def undo_label(self) -> str:
        """Name of the edit that `undo` reverts, or ''."""
        return self._steps[self._at].label if self._at else ""

    @property
    def redo_label(self) -> str:
        """Name of the edit that `redo` repeats, or ''."""
        return self._steps[self._at + 1].label if self._at + 1 < len(self._steps) else ""

    def push(self, setup: Setup, label: str, key: object = None, look: AppliedLook | None = None) -> None:
        """Add an edit; undone edits are discarded. The look, if none is given, is that of the last step."""
        del self._steps[self._at + 1 :]
        if look is None and setup.chain.stages:
            look = self.look
        if self._at and key is not None and self._open and self._steps[-1].key == key:
            self._steps[-1] = Step(setup, label, key, look)
            return
        self._steps.append(Step(setup, label, key, look))
        del self._steps[: -_LIMIT - 1]
        self._at = len(self._steps) - 1
        self._open = True

    def take_back(self) -> Setup | None:
        """Discard the last edit, which failed; return the setup in use again, None without an edit."""
        if not self._at:
            return None
        del self._steps[self._at :]
        self._at -= 1
        self._open = False
        return self.setup

    @property
    def before(self) -> Setup | None:
        """The setup before the last edit; None without an edit."""
        return self._steps[self._at - 1].setup if self._at else None

    def seal(self) -> None:
        """End a drag: the next edit is a step of its own even if its key is the same."""
        self._open = False

    def undo(self) -> bool:
        """Go one step back; False if there is none."""
        self.seal()
        if not self._at:
            return False
        self._at -= 1
        return True

    def redo(self) -> bool:
        """Go one step forward; False if there is none."""
        self.seal()
        if self._at + 1 >= len(self._steps):
            return False
        self._at += 1
        return True
