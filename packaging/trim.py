"""Rules for files that the bundle omits or makes smaller. They work on PyInstaller's lists of (place, file,
kind).
"""

from __future__ import annotations

import re
import shutil
import struct
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path, PurePosixPath
from typing import Final

import gpl_free

Entry = tuple[str, str, str]

# Python packages that something imports if they are there, and nothing here needs.
EXCLUDED_MODULES: Final = (
    # readline is under the GPL; bz2, lzma and uuid bring libraries of the system for functions that are not
    # used.
    "tkinter", "readline", "curses", "bz2", "_bz2", "lzma", "_lzma", "_uuid", "pydoc", "pdb", "doctest", "unittest.mock",
    "PySide6.QtNetwork", "PySide6.QtDBus", "PySide6.QtQml", "PySide6.QtQuick", "PySide6.QtTest",
    "PIL", "cv2", "torch", "torchvision", "ncnn", "pnnx", "onnxruntime_ep_webgpu", "sympy", "mpmath", "coloredlogs", "matplotlib",
    "IPython",
    "onnxruntime.transformers", "onnxruntime.tools", "onnxruntime.quantization", "onnxruntime.datasets", "onnx.backend.test",
    "numpy.f2py", "numpy.distutils", "numpy.testing", "setuptools", "pip", "_distutils_hack", "pkg_resources", "hatchling", "pytest",
    # Under the GPL, or with a library that is not free: what a user installs beside it is not to be taken
    # along.
    "pyvirtualcam", "cyndilib", "SpoutGL", "syphon",
    "glfw", "wx", "trio", "pycparser.lextab", "pycparser.yacctab",
)  # fmt: skip

# Qt's plugins by folder; a folder that is not named here is left out. "*" is all of it.
QT_PLUGINS: Final[dict[str, tuple[str, ...]]] = {
    "platforms": ("qxcb", "qwayland", "qoffscreen", "qcocoa", "qwindows"),
    "xcbglintegrations": ("*",),
    "wayland-decoration-client": ("*",),
    "wayland-graphics-integration-client": ("*",),
    "wayland-shell-integration": ("xdg-shell", "qt-shell"),
    # qgtk3 takes the system's GTK where there is one, for its file dialogs; no GTK is bundled.
    "platformthemes": ("*",),
    "platforminputcontexts": ("*",),
    "iconengines": ("*",),
    "imageformats": ("qsvg", "qjpeg", "qico", "qicns", "qgif"),
    "styles": ("*",),
}

# Libraries of the system that travel with the program: they are small, stable, and missing on many desktops.
# Everything else that PyInstaller finds outside of Python and the wheels stays the system's; above all what a
# GPU's driver loads into the same process (libstdc++, libgcc_s, zlib, zstd, expat, X11, DRM): the bundle's
# folder comes first in the search, and would shadow the driver's own. OpenSSL too: the system's gets its
# security updates and knows where the system's certificates are.
SYSTEM_LIBRARIES: Final = re.compile(
    r"lib(xcb-(cursor|icccm|image|keysyms|render-util|util|xkb)|xkbcommon(-x11)?|python3[.\d]*)\.so[.\d]*"
)
_LANGUAGES: Final = frozenset(
    path.stem.removeprefix("lightloom_")
    for path in Path(__file__).parent.parent.glob("assets/translations/*.ts")
)
_SYSTEM_PLACE: Final = re.compile(r"/(usr/)?lib(64)?/(?!python3)")


def is_dawn_module(name: str) -> bool:
    """True if the bundle gets this module of wgpudawn: not its hooks for PyInstaller, nor its backend for Dear
    ImGui.
    """
    return not name.startswith(("wgpudawn.__pyinstaller", "wgpudawn.utils.imgui"))


def keep(entry: Entry) -> bool:
    """True if the bundle gets this file."""
    place, file = PurePosixPath(entry[0].replace("\\", "/")), entry[1].replace("\\", "/")
    if "__pycache__" in place.parts:  # pip compiles what a wheel keeps beside its licences
        return False
    if "plugins" in place.parts and "PySide6" in place.parts:
        return _keep_plugin(place)
    if "translations" in place.parts and "PySide6" in place.parts:
        # Qt's own words (its dialogs and their buttons) in the languages that the window speaks.
        return place.stem.removeprefix("qtbase_") in _LANGUAGES
    if place.name.startswith("opengl32sw"):
        return False
    if place.name.startswith(
        ("libQt6Network", "libQt6Egl", "libQt6WlShell", "Qt6Network", "Qt6Qml", "Qt6Quick")
    ):
        return False
    if place.suffix in (".pyi", ".pxd", ".pyx", ".lib", ".h") and place.parts[0] != "wgpu":
        return False
    if sys.platform.startswith("linux"):
        return not _is_systems(entry, file)
    return True


def _keep_plugin(place: PurePosixPath) -> bool:
    names = QT_PLUGINS.get(place.parent.name, ())
    name = place.name.split(".")[0].removeprefix("lib")
    return "*" in names or name in names


def _is_systems(entry: Entry, file: str) -> bool:
    # A symbolic link's "file" is a place in the bundle.
    return (
        entry[2] == "BINARY"
        and _SYSTEM_PLACE.match(file) is not None
        and SYSTEM_LIBRARIES.fullmatch(PurePosixPath(entry[0]).name) is None
    )


def prepared(entries: Sequence[Entry], work: Path) -> list[Entry]:
    """Return the entries that stay, some with another file behind them: stand-ins and stripped copies in
    `work`.

    Raises:
        gpl_free.StubError: a stand-in for x264 or x265 cannot be made.
        subprocess.CalledProcessError: strip failed.
    """
    kept = [entry for entry in entries if keep(entry)]
    return [(place, str(_file(place, Path(file), kind, work)), kind) for place, file, kind in kept]


def _file(place: str, file: Path, kind: str, work: Path) -> Path:
    if kind == "SYMLINK":
        return file
    if gpl_free.LIBRARY.fullmatch(file.name):
        beside = [
            path
            for path in file.parent.iterdir()
            if re.match(r"(lib)?av(codec|format|filter|device)[-.]", path.name)
        ]
        return gpl_free.stand_in(file, beside, work / "stand-ins")
    if not sys.platform.startswith("linux") or ".so" not in file.name:
        return file
    return _relocatable(_stripped(file, work / "stripped" / place), work / "relocatable" / place)


def _stripped(file: Path, target: Path) -> Path:
    """Return a copy without symbol tables, or `file` itself where strip left something that cannot be loaded."""
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(file, target)
    subprocess.run(["strip", "--strip-unneeded", str(target)], check=True)
    # Old versions of strip move segments of libraries that patchelf has been at.
    return target if is_loadable(target.read_bytes()) else file


def _relocatable(file: Path, target: Path) -> Path:
    """Return a library that searches no folder of the machine that built it, as those of a Python from source
    do: a copy, or `file` itself where it has no such folder.
    """
    # Of the environment that bundles: the system may have none.
    patchelf = str(Path(sys.executable).with_name("patchelf"))
    found = subprocess.run(
        [patchelf, "--print-rpath", str(file)], check=True, capture_output=True, text=True
    ).stdout.strip()
    kept = [place for place in found.split(":") if place.startswith("$ORIGIN")]
    if found == ":".join(kept):
        return file
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(file, target)
    change = ["--set-rpath", ":".join(kept)] if kept else ["--remove-rpath"]
    subprocess.run([patchelf, *change, str(target)], check=True)
    return target


def is_loadable(image: bytes) -> bool:
    """True if the LOAD segments of a 64-bit ELF file lie at offsets congruent to their addresses modulo the
    alignment.
    """
    (offset,) = struct.unpack_from("<Q", image, 32)
    size, count = struct.unpack_from("<HH", image, 54)
    for index in range(count):
        kind, _, start, address, _, _, _, align = struct.unpack_from(
            "<IIQQQQQQ", image, offset + index * size
        )
        if kind == 1 and align > 1 and (start - address) % align:
            return False
    return True
