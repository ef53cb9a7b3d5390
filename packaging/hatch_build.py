"""Build hook: compiles the catalogues of the window's languages, and puts the commit into wheels and source
archives.

A wheel gets the compiled catalogues (catalogues.py) beside their sources; an editable install has them
written into its checkout; a source archive has the sources alone.

The commit is `desktop/commit.txt`, which `desktop.base.version` reads. An editable install gets none (its
checkout knows the commit, and goes on to others), and neither does a build outside git, unless its folder is
an unpacked source archive, which carries the file already.
"""

from __future__ import annotations

import importlib.util
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


def _catalogues() -> Any:
    # hatchling runs this file by its path: what is beside it cannot be imported by name.
    found = importlib.util.spec_from_file_location("catalogues", Path(__file__).with_name("catalogues.py"))
    assert found is not None and found.loader is not None
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


class BuildHook(BuildHookInterface):
    """Called by hatchling for each archive."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the files to what the archive holds."""
        self._folder = tempfile.TemporaryDirectory(prefix="lightloom-")
        if self.target_name == "wheel":
            self._add_catalogues(version, build_data)
        self._add_commit(version, build_data)

    def _add_catalogues(self, version: str, build_data: dict[str, Any]) -> None:
        source = Path(self.root, "assets", "translations")
        if version == "editable":
            _catalogues().compile_stale(source)
            return
        for path in _catalogues().compile_stale(source, Path(self._folder.name)):
            build_data["force_include"][str(path)] = f"desktop/assets/translations/{path.name}"

    def _add_commit(self, version: str, build_data: dict[str, Any]) -> None:
        root = Path(self.root)
        if version == "editable" or not (root / ".git").exists():
            return
        command = ["git", "-C", self.root, "rev-parse", "--short=12", "HEAD"]
        try:
            done = subprocess.run(command, capture_output=True, text=True, check=False)
        except OSError as error:  # there is no git here
            self.app.display_warning(
                f"The archive will not name its commit: git cannot be run ({error.strerror})."
            )
            return
        if done.returncode:
            self.app.display_warning(f"The archive will not name its commit: {done.stderr.strip()}")
            return
        path = Path(self._folder.name) / "commit.txt"
        path.write_text(done.stdout, encoding="ascii")
        build_data["force_include"][str(path)] = "desktop/commit.txt"
