"""No layout is asked for its items: PySide keeps their wrappers beyond the items (docs/facts.md, Qt)."""

from __future__ import annotations

import ast
from pathlib import Path

import desktop.ui

# Qt's views have functions of these names too, which give other things.
VIEWS = {"tree"}


def asked(text: str) -> list[int]:
    """The lines that call `itemAt` or `takeAt` of something that is no view."""
    calls = (node.func for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call))
    return [
        call.lineno
        for call in calls
        if isinstance(call, ast.Attribute)
        and call.attr in {"itemAt", "takeAt"}
        and not (isinstance(call.value, ast.Attribute) and call.value.attr in VIEWS)
    ]


def test_no_layout_is_asked_for_its_items():
    assert asked("self.form.itemAt(0)\nself.tree.itemAt(at)\nlayout.takeAt(0)") == [1, 3]
    files = sorted(Path(desktop.ui.__file__).parent.rglob("*.py"))
    assert files
    assert {path.name: lines for path in files if (lines := asked(path.read_text(encoding="utf-8")))} == {}
