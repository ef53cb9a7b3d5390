"""Built-in plug-ins are found by their folders and used without a question, and can be refused like those of
other packages.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from package_rig import extended

import desktop.plugins
from desktop.base.plugins import Decisions, loaded, offers, plugin_features, provided_by_name


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of built-in plug-ins with one of them, and a configuration of its own."""
    monkeypatch.setenv("LIGHTLOOM_CONFIG", str(tmp_path / "config"))
    monkeypatch.setenv("LIGHTLOOM_PLUGINS", "off")
    folder = tmp_path / "plugins"
    (folder / "echo").mkdir(parents=True)
    (folder / "echo" / "__init__.py").write_text(
        "from desktop.base.plugins import Plugin, PluginCommand\n"
        "PLUGIN = Plugin(title='Echo', commands={'echo': PluginCommand('Echo.', len)},\n"
        "                features=('desktop.plugins.echo.feature:FEATURE',))\n"
    )
    (folder / "echo" / "feature.py").write_text("FEATURE = 'shows an echo'\n")
    loaded.cache_clear()
    with extended(desktop.plugins, folder):
        yield folder
    loaded.cache_clear()
    for name in [
        name for name in sys.modules if name.startswith(("desktop.plugins.echo", "desktop.plugins.odd"))
    ]:
        del sys.modules[name]


def offered(name: str):
    return next(offer for offer in offers() if offer.name == name)


def test_one_is_used_without_a_question(place):
    assert offered("echo").decision == "allowed" and offered("echo").is_built_in
    assert "desktop.plugins.echo" not in sys.modules, "nothing of it was imported"
    assert provided_by_name("commands")["echo"].text == "Echo."


def test_its_features_are_imported_for_the_window_alone(place):
    assert "echo" in loaded().plugins and "desktop.plugins.echo.feature" not in sys.modules
    assert "shows an echo" in plugin_features()


def test_one_that_was_refused_is_left_out(place):
    Decisions().decide(offered("echo"), use=False)
    loaded.cache_clear()
    assert offered("echo").decision == "refused"
    assert "echo" not in loaded().plugins and "shows an echo" not in plugin_features()
    Decisions().decide(offered("echo"), use=True)
    loaded.cache_clear()
    assert "echo" in loaded().plugins
    assert not Decisions().allows_any, "nothing of another package has to be searched for"


def test_what_cannot_be_imported_is_left_out_and_told(place):
    (place / "odd").mkdir()
    (place / "odd" / "__init__.py").write_text("PLUGIN = 7\n")
    (place / "echo" / "feature.py").write_text("raise RuntimeError('no echo here')\n")
    assert "shows an echo" not in plugin_features()
    assert loaded().failures == {
        "echo": "RuntimeError: no echo here",
        "odd": "'desktop.plugins.odd:PLUGIN' is int and no lightloom.plugins.Plugin",
    }
    assert "echo" in provided_by_name("commands"), "the rest of it is used"
