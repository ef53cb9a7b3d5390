"""Build hook: puts the commit into wheels and source archives as `desktop/commit.txt`, which `desktop.base.version` reads.

An editable install gets none (its checkout knows the commit, and goes on to others), and neither does a build outside git, unless
its folder is an unpacked source archive, which carries the file already.
"""

from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CommitHook(BuildHookInterface):
    """Called by hatchling for each archive."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the file to what the archive holds."""
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
        self._folder = tempfile.TemporaryDirectory(prefix="lightloom-")
        path = Path(self._folder.name) / "commit.txt"
        path.write_text(done.stdout, encoding="ascii")
        build_data["force_include"][str(path)] = "desktop/commit.txt"
