"""Libraries that Wine 10 lacks or that make no device there, built with mingw beside Windows' Python.

Complex arithmetic of the C runtime (NumPy and SciPy import it), ICU and Microsoft's color management (Qt names a
few of their functions and does without), and a Direct3D 12 that makes no device, so that wgpu takes Vulkan.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

from imports import NotALibrary, read_imports

HERE: Final = Path(__file__).resolve().parent
MATH: Final = "api-ms-win-crt-math-l1-1-0.dll"
# As long as MATH, so that an import can be renamed in place.
OWN_MATH: Final = "llm-ms-win-crt-math-l1-1-0.dll"
FUNCTIONS: Final = (
    "acos acosh asin asinh atan atanh cos cosh exp log sin sinh sqrt tan tanh real imag abs arg pow"
)
COMPLEX: Final = frozenset(f"c{name}{end}" for name in FUNCTIONS.split() for end in ("", "f", "l"))
D3D12: Final = (
    "D3D12CreateDevice",
    "D3D12GetDebugInterface",
    "D3D12SerializeRootSignature",
    "D3D12SerializeVersionedRootSignature",
)

Run = Callable[[Sequence[str]], str]


def definition(library: str, exports: Mapping[str, str]) -> str:
    """Write a module definition: the library's name and, for each name that it exports, what it stands for."""
    lines = [f" {name} = {target}" for name, target in sorted(exports.items())]
    return "\n".join([f"LIBRARY {library}", "EXPORTS", *lines]) + "\n"


def math_exports(names: Sequence[str]) -> dict[str, str]:
    """Return what the C runtime's `names` of mathematics stand for: complex ones for ours, others for Wine's."""
    return {name: f"wine_{name}" if name in COMPLEX else f"ucrtbase.{name}" for name in names}


def _importers(folder: Path, library: str) -> dict[Path, set[str]]:
    """Find the libraries below a folder that import from another, with the names that they take."""
    found = {}
    for path in sorted(path for path in folder.rglob("*") if path.suffix in (".pyd", ".dll")):
        data = path.read_bytes()
        if library.encode() in data.lower():
            with contextlib.suppress(NotALibrary):
                found[path] = read_imports(data).get(library, set())
    return found


def build(python: Path, run: Run, place: Callable[[Path], str]) -> list[str]:
    """Build the stand-ins beside a Windows Python and point the importers of complex arithmetic to ours.

    Args:
        python: the folder of python.exe, with all packages.
        run: runs a program of the root that has mingw, and returns what it prints.
        place: the path of a file of this machine in that root.

    Returns:
        The names of the libraries that were built.
    """
    packages = python / "Lib" / "site-packages"
    math = {path: names for path, names in _importers(packages, MATH).items() if names & COMPLEX}
    tables = {OWN_MATH: ("complex_math.c", math_exports(sorted(set().union(*math.values()))))}
    for library in ("icuuc.dll", "mscms.dll"):
        names = sorted(set().union(*_importers(packages / "PySide6", library).values()))
        tables[library] = ("constant.c", dict.fromkeys(names, "nothing"))
    tables["d3d12.dll"] = ("constant.c", dict.fromkeys(D3D12, "refuse"))
    for library, (source, exports) in tables.items():
        module = python / f"{library}.def"
        module.write_text(definition(library, exports), encoding="ascii")
        code = python / source
        code.write_bytes((HERE / source).read_bytes())
        compiler = [
            "x86_64-w64-mingw32-gcc",
            "-shared",
            "-static-libgcc",
            "-O2",
            "-s",
            "-o",
            place(python / library),
        ]
        run([*compiler, place(code), place(module)])
        module.unlink()
        code.unlink()
    for path in math:
        data = path.read_bytes()
        path.write_bytes(re.sub(re.escape(MATH.encode()), OWN_MATH.encode(), data, flags=re.IGNORECASE))
    return list(tables)
