"""Collects the licences of what a bundle carries, from the metadata of the installed distributions."""

from __future__ import annotations

import importlib.metadata
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
_TEXT_NAME: Final = re.compile(r"(LICEN[CS]E|COPYING|COPYRIGHT|NOTICE|THIRD.?PARTY)[^/]*", re.IGNORECASE)
# Of core metadata 2.4: what a package declares as licence files, whatever their names (wgpudawn's DAWN-LICENSE).
_TEXT_FOLDER: Final = re.compile(r"[^/]+\.dist-info/licenses(/.*)?")
_RULE: Final = "=" * 100


def distributions(modules: Iterable[str]) -> list[str]:
    """Return the names of the distributions that the modules (dotted names) come from, sorted; the standard
    library has none.
    """
    providers = importlib.metadata.packages_distributions()
    # Of several that share a namespace (`google`) all are named: too many notices do no harm.
    found = {name for module in modules for name in providers.get(module.partition(".")[0], [])}
    return sorted(found - {"lightloom"}, key=str.lower)


def terms(name: str) -> str:
    """Return what a distribution's metadata says about its licence, in one line."""
    data = importlib.metadata.metadata(name)
    for key in ("License-Expression", "License"):
        text = str(data[key]).strip() if key in data else ""
        if text and "\n" not in text:
            return text
    classifiers = [
        c.rpartition(" :: ")[2] for c in data.get_all("Classifier") or [] if c.startswith("License ::")
    ]
    return ", ".join(classifiers) or "see below"


def texts(name: str) -> list[tuple[str, str]]:
    """Return (file name, text) of the licence files that a distribution was installed with."""
    found = []
    for file in importlib.metadata.files(name) or []:
        is_text = _TEXT_NAME.fullmatch(file.name) or _TEXT_FOLDER.fullmatch(str(file.parent))
        if is_text and file.suffix not in (".py", ".pyc"):
            path = Path(str(file.locate()))
            if path.is_file():
                found.append((str(file), path.read_text(encoding="utf-8", errors="replace")))
    return found


def notices(names: Iterable[str]) -> str:
    """Return the notices: a table of the distributions, then each one's texts.

    Raises:
        ValueError: one has neither a licence text nor a statement of its licence.
    """
    names = list(names)
    table = [f"{name} {importlib.metadata.version(name)}: {terms(name)}" for name in names]
    parts = [
        "Software of others in this copy of Lightloom; about.md says more about Qt and FFmpeg.\n",
        *table,
    ]
    for name in names:
        files = texts(name)
        if not files and terms(name) == "see below":
            raise ValueError(
                f"{name} says nothing about its licence; leave it out or add its terms to packaging/licences."
            )
        parts += [f"\n{_RULE}\n{file}\n{_RULE}\n\n{text.strip()}" for file, text in files]
    parts.append(f"\n{_RULE}\nPython {sys.version.split()[0]}\n{_RULE}\n\n{_python_licence()}")
    return "\n".join(parts) + "\n"


def _python_licence() -> str:
    folder = Path(sys.base_prefix)
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    for path in (
        folder / "lib" / version / "LICENSE.txt",
        folder / "LICENSE.txt",
        Path("/usr/share/doc") / version / "copyright",
    ):
        if path.is_file():
            return path.read_text(encoding="utf-8", errors="replace").strip()
    # Built without its texts (Debian's minimal package): the licence is a page of Python's documentation.
    return "Python is under the Python Software Foundation License Version 2: docs.python.org/3/license.html"


def system_notices(files: Iterable[Path]) -> str:
    """Return the copyright files of the Debian packages that libraries of the system come from; "" where
    there is no dpkg.
    """
    if not shutil.which("dpkg-query"):
        return ""
    parts = []
    for package in sorted({package for file in files for package in _packages_of(file)}):
        path = Path("/usr/share/doc") / package.partition(":")[0] / "copyright"
        if path.is_file():
            parts.append(
                f"\n{_RULE}\n{package}\n{_RULE}\n\n{path.read_text(encoding='utf-8', errors='replace').strip()}"
            )
    return "\n".join(parts) + "\n"


def _packages_of(file: Path) -> list[str]:
    # A merged /usr: dpkg may know the file by the name without it.
    resolved = file.resolve()
    for path in (
        resolved,
        Path("/") / resolved.relative_to("/usr") if resolved.is_relative_to("/usr") else resolved,
    ):
        done = subprocess.run(
            ["dpkg-query", "--search", str(path)], capture_output=True, text=True, check=False
        )
        if done.returncode == 0:
            return [line.partition(": ")[0] for line in done.stdout.splitlines()]
    return []


def ffmpeg_statement() -> str:
    """Return versions, licence and configuration of PyAV's FFmpeg, as it reports them.

    Raises:
        ValueError: it was configured for terms that packaging/licences/about.md does not describe.
    """
    from av._core import library_meta  # private; a change of it stops the build and harms no user

    configuration = next(iter(library_meta.values()))["configuration"]
    if re.search(r"--enable-(gpl|nonfree)\b", configuration):
        raise ValueError(
            "PyAV's FFmpeg is built as GPL or non-free; the bundles may not carry it as packaging/licences/about.md says."
        )
    lines = [f"{name} {'.'.join(map(str, m['version']))}: {m['license']}" for name, m in library_meta.items()]
    return "\n".join([*lines, "", *configuration.split(" "), ""])


def write(folder: Path, modules: Iterable[str], system_files: Iterable[Path]) -> None:
    """Write all notices of a bundle into `folder`.

    Args:
        folder: made anew.
        modules: dotted names of the Python modules in the bundle.
        system_files: libraries of the system in the bundle.

    Raises:
        ValueError: see `notices`.
    """
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(Path(__file__).parent / "licences", folder)
    shutil.copy(ROOT / "LICENSE", folder / "Lightloom.txt")
    # PyInstaller is no module of the bundle, but its bootloader is the executable.
    names = [*distributions(modules), "pyinstaller"]
    (folder / "ffmpeg.txt").write_text(ffmpeg_statement(), encoding="utf-8")
    (folder / "notices.txt").write_text(notices(names) + system_notices(system_files), encoding="utf-8")
