"""Locate bundled files: `shaders/` and `assets/`.

In a checkout (and an editable install) they are beside the package; a wheel contains them.
"""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parents[1]


def resource(*parts: str) -> Path:
    """Return the path of a bundled file, e.g. `resource("shaders", "present", "present.wgsl")`.

    Raises:
        FileNotFoundError: the installation is incomplete.
    """
    for root in (_PACKAGE, _PACKAGE.parent):
        path = root.joinpath(*parts)
        if path.exists():
            return path
    raise FileNotFoundError(f"Lightloom's own file {'/'.join(parts)} is missing; reinstall the program.")


def task_shader(*names: str) -> str:
    """Return the concatenated text of files in `shaders/nn_tasks`.

    Raises:
        FileNotFoundError: the installation is incomplete.
    """
    return "".join(resource("shaders", "nn_tasks", name).read_text("utf-8") for name in names)
