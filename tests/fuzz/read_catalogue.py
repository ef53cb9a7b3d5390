"""Catalogues of networks."""

from __future__ import annotations

from pathlib import Path

from desktop.vision.models.library.catalogue import read_catalogue
from fuzz.harness import Harness
from fuzz.material import ROOT, written
from fuzz.read_preset import TOML_TOKENS


def _read(data: bytes, folder: Path) -> None:
    for entry in read_catalogue(written(folder / "c.toml", data)).values():
        str(entry.input_text)
        if not (folder / entry.file_name).resolve().is_relative_to(folder.resolve()):
            raise AssertionError("an entry's file lies outside the folder")


def _seeds(folder: Path) -> list[bytes]:
    whole = (ROOT / "assets" / "models" / "catalogue.toml").read_bytes()
    parts = whole.split(b"[[network]]")
    return [whole, *(b"[[network]]" + part for part in parts[1:4])]


HARNESS = Harness(
    _read,
    _seeds,
    (*TOML_TOKENS, b"[[network]]\n", b'id = "', b'addresses = ["https://', b"bytes = ", b"mean = ["),
    memory_mb=400,
)
