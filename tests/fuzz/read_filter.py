"""Descriptions at the top of WGSL filter files; the shader itself is not compiled here."""

from __future__ import annotations

from pathlib import Path

from desktop.pipeline.filters.header import read_filter
from fuzz.harness import Harness
from fuzz.material import ROOT, shared, written
from fuzz.read_preset import TOML_TOKENS


def _read(data: bytes, folder: Path) -> None:
    item = read_filter(written(folder / "f.wgsl", data))
    item.pack(item.check({}))
    item.params_struct()


def _seeds(folder: Path) -> list[bytes]:
    return [
        path.read_bytes()[:16384] for path in sorted((ROOT / "shaders" / "filters").glob("*.wgsl"))
    ] + shared("repro/*.wgsl")


HARNESS = Harness(
    _read,
    _seeds,
    (
        *TOML_TOKENS,
        b"/* lightloom\n",
        b"*/",
        b"/*",
        b"[[param]]\n",
        b"[[texture]]\n",
        b"[[buffer]]\n",
        b"[[pass]]\n",
        b'type = "choice"\n',
        b'name = "a"\n',
    ),
    memory_mb=400,
)
