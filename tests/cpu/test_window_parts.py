"""Consistency of the window's actions and panels; the window leaves the pipeline to the engine."""

from __future__ import annotations

import ast
import re
from collections import Counter
from pathlib import Path

from PySide6.QtGui import QKeySequence

from desktop.base.plugins import Decisions, loaded, offers
from desktop.ui.forms.settings import Settings
from desktop.ui.shell.composition import find_actions, find_menus, find_settings, panel_specs

SHOWN = ("tr", "translate", "sentence")
UI = Path(__file__).resolve().parents[2] / "desktop" / "ui"


def test_no_key_does_two_things():
    keys = Counter(QKeySequence(key).toString() for action in find_actions() for key in action.keys)
    assert "" not in keys, "a key that Qt does not know"
    assert {key: count for key, count in keys.items() if count > 1} == {}
    assert len(keys) > 40


def test_every_action_has_its_place():
    menus = {menu.id: menu for menu in find_menus()}
    ids = Counter(action.id for action in find_actions())
    assert max(ids.values()) == 1
    for action in find_actions():
        assert action.menu in menus, action.id
        groups = menus[action.menu].groups
        assert not groups or action.group in groups, f"{action.id}: {action.group}"
    for menu in menus.values():
        if menu.parent:
            assert menu.group in menus[menu.parent].groups, menu.id


def test_settings_have_names_and_keys_of_their_own():
    settings = [*Settings.all(), *find_settings()]
    assert len({setting.name for setting in settings}) == len(settings)
    assert len({setting.key for setting in settings}) == len(settings)


def test_panels_have_places_of_their_own():
    specs = panel_specs()
    assert {spec.id for spec in specs} == {
        "sources",
        "library",
        "chain",
        "stats",
        "results",
        "exports",
        "outputs",
        "zones",
        "network_input",
        "comparison",
        "camera_controls",
        "playlist",
        "scopes",
        "layers",
        "shader_editor",
        "set_list",
        "events",
    }
    places = Counter((spec.place, spec.order) for spec in specs)
    assert max(places.values()) == 1


def test_the_window_names_no_panel():
    tree = ast.parse((UI / "shell" / "window.py").read_text(encoding="utf-8"))
    texts = {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)}
    assert texts & {spec.id for spec in panel_specs()} == set()
    imported = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert {spec.make.__module__ for spec in panel_specs()} & imported == set()


def test_labeling_is_a_plug_in_that_can_be_refused(tmp_path, monkeypatch):
    def ids() -> set[str]:
        loaded.cache_clear()
        return {action.id for action in find_actions()}

    monkeypatch.setenv("LIGHTLOOM_CONFIG", str(tmp_path))
    try:
        before = ids()
        Decisions().decide(next(offer for offer in offers() if offer.name == "labeling"), use=False)
        assert before - ids() == {"label_folder", "label_video"}
    finally:
        loaded.cache_clear()


def texts_of(source: str) -> list[str]:
    """Return the texts of a file that are shown."""
    calls = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
    shown = [c for c in calls if getattr(c.func, "attr", getattr(c.func, "id", "")) in SHOWN]
    return [
        a.value for c in shown for a in c.args if isinstance(a, ast.Constant) and isinstance(a.value, str)
    ]


def test_no_text_says_a_key_that_an_action_has():
    """A key that is changed is changed everywhere. Keys of one letter cannot be told from words."""
    keys = [
        key for action in find_actions() for key in action.keys if "+" in key[:-1] or re.match(r"F\d", key)
    ]
    assert len(keys) > 20
    says = re.compile(r"(?<![\w+])(" + "|".join(map(re.escape, keys)) + r")(?!\w)")
    texts = [text for path in sorted(UI.rglob("*.py")) for text in texts_of(path.read_text(encoding="utf-8"))]
    assert len(texts) > 500
    assert [text for text in texts if says.search(text)] == []
    assert says.search("Open... (Ctrl+O)") and says.search("F1 opens the guide")


def reaches_pipeline(source: str) -> list[int]:
    """Return the lines of a file that take an attribute `pipeline` of something."""
    return [
        node.lineno
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Attribute) and node.attr == "pipeline"
    ]


def test_the_window_reads_snapshots_not_the_pipeline():
    found = {
        str(path.relative_to(UI)): lines
        for path in sorted(UI.rglob("*.py"))
        if (lines := reaches_pipeline(path.read_text(encoding="utf-8")))
    }
    assert found == {}
    assert reaches_pipeline("a.engine.pipeline.stats\nengine.snapshot()") == [1]
