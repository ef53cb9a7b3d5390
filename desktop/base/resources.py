"""Locate bundled files, `shaders/` and `assets/`: next to the package, or inside it in a wheel."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parents[1]


def resource(*parts: str) -> Path:
    """Return a bundled file's path; raise FileNotFoundError if the installation is incomplete."""
    for root in (_PACKAGE, _PACKAGE.parent):
        path = root.joinpath(*parts)
        if path.exists():
            return path
    raise FileNotFoundError(f"Lightloom's own file {'/'.join(parts)} is missing; reinstall the program.")


def task_shader(*names: str) -> str:
    """Return files of `shaders/nn_tasks` as one text; FileNotFoundError if the installation is incomplete."""
    return "".join(resource("shaders", "nn_tasks", name).read_text("utf-8") for name in names)
