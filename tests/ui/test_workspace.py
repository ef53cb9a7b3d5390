"""The parts of a workspace are made once, after those that they use, and closed before them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import SimpleNamespace

import pytest
from PySide6.QtWidgets import QApplication

from desktop.pipeline.setup.setup import Setup
from desktop.ui.forms.settings import Settings
from desktop.ui.workspace.workspace import MissingPart, Part, Workspace


class _Noted:
    """A part that notes when it is made and closed."""

    def __init__(self, events: list[str]) -> None:
        self._events = events
        events.append(f"made {type(self).__name__}")

    def close(self) -> None:
        self._events.append(f"closed {type(self).__name__}")


class Lamp(_Noted):
    pass


class Switch(_Noted):
    pass


@pytest.fixture
def events() -> list[str]:
    return []


@pytest.fixture
def make(qapp: QApplication, tmp_path: Path, events: list[str]) -> Iterator[Callable[..., Workspace]]:
    """Make workspaces on an engine that computes nothing."""
    made: list[Workspace] = []

    def begin(parts: Sequence[Part]) -> Workspace:
        engine = SimpleNamespace(current=SimpleNamespace(setup=Setup()), library=None)
        engine.close = lambda: events.append("closed the engine")
        settings = Settings(tmp_path / "settings.ini")
        settings.sound_device = "silent"
        made.append(Workspace(engine, settings, parts))
        return made[-1]

    yield begin
    for workspace in made:
        if "closed the engine" not in events:
            workspace.close()


def _switch(events: list[str]) -> Callable[[Workspace], Switch]:
    def make(workspace: Workspace) -> Switch:
        workspace.get(Lamp)
        return Switch(events)

    return make


def test_a_part_is_made_once_on_first_use(make, events):
    workspace = make((Part(Lamp, lambda _: Lamp(events)),))
    assert events == []
    assert workspace.get(Lamp) is workspace.get(Lamp)
    assert events == ["made Lamp"]


def test_a_part_is_made_after_those_that_it_uses_and_closed_before_them(make, events):
    workspace = make((Part(Switch, _switch(events)), Part(Lamp, lambda _: Lamp(events))))
    workspace.make_all()
    workspace.close()
    assert events == ["made Lamp", "made Switch", "closed Switch", "closed Lamp", "closed the engine"]


def test_what_the_window_adds_is_found_and_not_closed(make, events):
    workspace = make(())
    lamp = Lamp(events)
    workspace.add(lamp)
    assert workspace.get(Lamp) is lamp
    workspace.close()
    assert events == ["made Lamp", "closed the engine"]


def test_a_missing_part_is_named(make):
    with pytest.raises(MissingPart, match="no feature provides the part Lamp"):
        make(()).get(Lamp)


def test_parts_that_need_each_other_are_named(make):
    parts = (Part(Lamp, lambda w: w.get(Switch)), Part(Switch, lambda w: w.get(Lamp)))
    workspace = make(parts)
    with pytest.raises(MissingPart, match="Lamp -> Switch -> Lamp"):
        workspace.get(Lamp)
