"""The window asks about a new plug-in once, imports nothing of it before, and says which failed."""

from __future__ import annotations

import sys

import pytest

from desktop.base.plugins import loaded, offers
from desktop.ui.kit.messages import Messages
from desktop.ui.shell.plugin_notices import offered_plugins, report_plugins


@pytest.fixture
def place(tmp_path, monkeypatch):
    """A package with two plug-ins, whose import leaves a trace, on Python's path."""
    monkeypatch.setenv("LIGHTLOOM_CONFIG", str(tmp_path / "config"))
    (tmp_path / "traced_plugin.py").write_text(
        "from desktop.base.plugins import Plugin\nPLUGIN = Plugin(title='Traced')\nBROKEN = 1\n"
    )
    info = tmp_path / "traced-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: traced\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(
        "[lightloom.plugins]\nbroken = traced_plugin:BROKEN\ntraced = traced_plugin:PLUGIN\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    loaded.cache_clear()
    yield tmp_path
    loaded.cache_clear()
    sys.modules.pop("traced_plugin", None)


def reported_notices(qapp):
    messages, found = Messages(), []
    messages.notice.connect(found.append)
    report_plugins(messages, offered_plugins())
    return found


def decisions():
    return {each.name: each.decision for each in offers() if each.package == "traced"}


def test_a_new_one_is_asked_about_and_not_imported(qapp, place):
    found = reported_notices(qapp)
    assert ["'broken'" in found[0].text, "'traced'" in found[1].text] == [True, True]
    assert "traced 1.0" in found[0].text and "traced_plugin" not in sys.modules
    use, leave = found[1].buttons
    leave.act()
    assert decisions() == {"broken": "new", "traced": "refused"} and len(reported_notices(qapp)) == 1
    use.act()
    assert decisions()["traced"] == "allowed" and "traced_plugin" not in sys.modules


def test_one_that_fails_is_told(qapp, place):
    for notice in reported_notices(qapp):
        notice.buttons[0].act()
    loaded.cache_clear()
    (notice,) = reported_notices(qapp)
    assert "'broken' is left out" in notice.text and notice.level == "warning" and not notice.buttons
    assert "traced" in loaded().plugins and "broken" not in loaded().plugins


def test_with_all_of_them_off_nothing_is_asked(qapp, place, monkeypatch):
    monkeypatch.setenv("LIGHTLOOM_PLUGINS", "off")
    assert reported_notices(qapp) == []


def test_a_decision_that_cannot_be_stored_is_told(qapp, place, monkeypatch):
    found = reported_notices(qapp)
    (place / "file").write_text("")
    monkeypatch.setenv("LIGHTLOOM_CONFIG", str(place / "file" / "config"))
    messages, posted = Messages(), []
    messages.notice.connect(posted.append)
    report_plugins(messages, offered_plugins())
    posted[-1].buttons[0].act()
    assert len(posted) == len(found) + 1 and posted[-1].level == "error"
    assert str(place / "file" / "config") in posted[-1].text
