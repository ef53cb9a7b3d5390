"""What the commands share: the adapter, the model, a session of it, and how figures are printed."""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from desktop import console
from desktop.cli._options import add_adapter_option, add_device_option
from desktop.compute.backends import backend_choices
from desktop.compute.backends.loader import load_session
from desktop.compute.gpu.device import Gpu
from desktop.compute.models.builtin import builtin_models
from desktop.compute.models.folders import refuse_folder
from desktop.compute.models.model_file import ModelFile
from desktop.compute.net.inference.address import refuse_address
from desktop.compute.nn.session import Session
from desktop.errors import NoAdapterError, UsageError


def add_model_options(parser: argparse.ArgumentParser, *, optional: bool = False) -> None:
    """Add the model, which may be left out if it is `optional`, and --adapter."""
    parser.add_argument(
        "model", metavar="M", help="an .onnx, .tflite, .pt2 or .pt file", nargs="?" if optional else None
    )
    add_adapter_option(parser)


def add_precision_option(parser: argparse.ArgumentParser) -> None:
    """Add --precision."""
    parser.add_argument("--precision", choices=("auto", "fp32", "fp16"), default="auto")


def add_backend_option(parser: argparse.ArgumentParser) -> None:
    """Add --backend and --device-of-network."""
    parser.add_argument("--backend", choices=backend_choices(), default="auto")
    add_device_option(parser)


def add_shape_and_json_options(parser: argparse.ArgumentParser) -> None:
    """Add --shape and --json."""
    parser.add_argument(
        "--shape",
        metavar="NAME=N,N,...",
        type=_shape,
        action="append",
        default=[],
        help="size of an input with free dimensions",
    )
    parser.add_argument("--json", action="store_true")


def runs(text: str) -> int:
    """Read a number of runs."""
    if not text.isdecimal() or not 1 <= int(text) <= 1000:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number of runs from 1 to 1000")
    return int(text)


def _shape(text: str) -> tuple[str, tuple[int, ...]]:
    name, equals, sizes = text.rpartition("=")
    parts = sizes.split(",") if sizes else []
    if not equals or not name or not all(part.isdecimal() for part in parts):
        raise argparse.ArgumentTypeError(f"'{text}' is not NAME=N,N,..., as in input=1,3,224,224")
    return name, tuple(int(part) for part in parts)


@contextmanager
def opened_gpu(options: argparse.Namespace, *, needed: bool) -> Iterator[Gpu | None]:
    """Give the adapter; None where there is none and it is not needed."""
    try:
        gpu = Gpu.open(options.adapter)
    except NoAdapterError:
        if needed or options.adapter:
            raise
        yield None
        return
    try:
        yield gpu
    finally:
        gpu.close()


def model_path(options: argparse.Namespace) -> Path:
    """Return the file of the model: a path, or a name of one in the box.

    Raises:
        UsageError: there is no such model.
    """
    refuse_address(options.model)
    path = Path(options.model)
    builtins = builtin_models()
    if options.model in builtins:
        return builtins[options.model].path
    refuse_folder(path, UsageError)
    try:
        there = path.is_file()
    except (OSError, ValueError):  # longer than the system takes, or with a zero byte
        there = False
    if not there:
        raise UsageError(
            f"There is no model {options.model}; give the path of an .onnx, .tflite, .pt2 or .pt file."
        )
    return path


@contextmanager
def loaded(
    options: argparse.Namespace, model: Path | ModelFile, gpu: Gpu | None, shapes: Any, why: str = ""
) -> Iterator[Session]:
    """Give a session, with `why` in place of the loader's reason."""
    loaded = load_session(
        model,
        gpu=gpu,
        backend=options.backend,
        precision=options.precision,
        device=getattr(options, "device_of_network", "auto"),
        input_shapes=shapes,
    )
    session = loaded.session
    console.err(f"{session.backend}, {session.device}, {session.precision}: {why or loaded.reason}")
    try:
        yield session
    finally:
        session.close()


def format_bytes(count: int) -> str:
    """Return a size with its unit: 1.5 MiB."""
    value, unit = float(count), "B"
    for unit in ("B", "KiB", "MiB", "GiB"):
        if value < 1024 or unit == "GiB":
            break
        value /= 1024
    return f"{value:.0f} {unit}" if unit == "B" else f"{value:.1f} {unit}"


def format_amount(count: float) -> str:
    """Return a large number with its letter: 1.50 G."""
    for size, letter in ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")):
        if count >= size:
            return f"{count / size:.2f} {letter}"
    return f"{count:.0f} "


def finite(value: Any) -> Any:
    """Return a value as JSON can have it, which has no infinity."""
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value
