"""Build hook: compiles the catalogues of the window's languages and the recorder of GPU commands, and puts the
commit into wheels and source archives.

A wheel gets the compiled catalogues (catalogues.py) beside their sources, and where there is a C compiler the
recorder (recorder.py), with which it is for one processor's Linux; an editable install has them written into
its checkout; a source archive has the sources alone.

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

_NATIVE = ("desktop", "compute", "gpu", "native")


def _beside(name: str) -> Any:
    """Return a module that lies beside this file, which hatchling runs by its path."""
    found = importlib.util.spec_from_file_location(name, Path(__file__).with_name(f"{name}.py"))
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
            self._add_recorder(version, build_data)
        self._add_commit(version, build_data)

    def _add_catalogues(self, version: str, build_data: dict[str, Any]) -> None:
        source = Path(self.root, "assets", "translations")
        if version == "editable":
            _beside("catalogues").compile_stale(source)
            return
        for path in _beside("catalogues").compile_stale(source, Path(self._folder.name)):
            build_data["force_include"][str(path)] = f"desktop/assets/translations/{path.name}"

    def _add_recorder(self, version: str, build_data: dict[str, Any]) -> None:
        recorder = _beside("recorder")
        source = Path(self.root, *_NATIVE, "record.c")
        if version == "editable":
            recorder.compile_stale(source)
            return
        tag = recorder.wheel_tag()
        compiled = recorder.compile_stale(source, Path(self._folder.name)) if tag else None
        if compiled is not None:
            build_data["force_include"][str(compiled)] = "/".join((*_NATIVE, compiled.name))
            build_data["pure_python"], build_data["tag"] = False, tag

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
