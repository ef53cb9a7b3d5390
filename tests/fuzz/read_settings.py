"""Harness for the settings beside a network (`<file>.onnx.lightloom.toml`), and the state of an unfinished
download.
"""

from __future__ import annotations

from pathlib import Path

from desktop.base.errors import LightloomError
from desktop.vision.models.builtin import read_builtin, read_statement
from desktop.vision.models.facts import ModelFacts
from desktop.vision.models.library.parts import load_partial
from desktop.vision.models.preprocess import choose_preprocess, read_sidecar
from desktop.vision.models.settings import read_settings
from desktop.vision.models.sidecar import sidecar_path
from desktop.vision.tasks import stated_task
from fuzz.harness import Harness
from fuzz.material import ROOT, written
from fuzz.read_preset import TOML_TOKENS

_FACTS = ModelFacts("x", (1, 3, 224, 224), classes=1000)


def _read(data: bytes, folder: Path) -> None:
    model = folder / "n.onnx"
    path = written(sidecar_path(model), data)
    read_settings(model)
    stated_task(model)
    load_partial(written(folder / "n.part.json", data), "0" * 64, 1 << 20)
    written(folder / "net.toml", data)
    said: LightloomError | None = None
    for reader in (
        lambda: read_sidecar(path),
        lambda: read_statement(model),
        lambda: choose_preprocess(model, _FACTS),
        lambda: read_builtin(folder / "net.toml"),
    ):
        try:
            reader()
        except LightloomError as error:
            said = error
    if said is not None:
        raise said


def _seeds(folder: Path) -> list[bytes]:
    made = [
        path.read_bytes()
        for path in sorted((ROOT / "assets" / "models").glob("*.toml"))
        if path.stem != "catalogue"
    ]
    made.append(
        b'task = "detection"\n[preprocess]\ncolors = "BGR"\nscale = "0..255"\nmean = [1.0, 2.0, 3.0]\nstd = [1, 1, 1]\nresize = "fit"\n'
    )
    made.append(
        b'{"lightloom": 1, "sha256": "'
        + b"0" * 64
        + b'", "address": "https://x/y", "etag": "\\"a\\"", "parts": [[0, 1048576, 5]]}'
    )
    return made


HARNESS = Harness(
    _read,
    _seeds,
    (
        *TOML_TOKENS,
        b"[preprocess]\n",
        b"[input]\n",
        b"[output]\n",
        b"mean = ",
        b"width = ",
        b"crop = ",
        b'"parts": [[',
    ),
    memory_mb=400,
)
