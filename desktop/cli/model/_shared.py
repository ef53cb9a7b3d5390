"""Options and helpers shared by the `model` commands: adapter, model, sessions and number formats."""

from __future__ import annotations

import argparse
import contextlib
import math
import shlex
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from desktop.base import console
from desktop.base.errors import ModelError, SizesNeededError, UsageError
from desktop.cli._adapter import open_gpu, open_gpu_if_any
from desktop.cli._options import add_adapter_option, add_device_option
from desktop.compute.gpu.device import Gpu
from desktop.compute.nn.session import Session, usual_sizes
from desktop.net.inference.address import refuse_address
from desktop.vision.backends import backend_choices
from desktop.vision.backends.loader import load_session
from desktop.vision.models.builtin import builtin_models
from desktop.vision.models.folders import refuse_folder
from desktop.vision.models.model_file import ModelFile


def add_model_options(parser: argparse.ArgumentParser, *, optional: bool = False) -> None:
    """Add the model argument, which may be omitted if `optional`, and --adapter."""
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
        help="sizes of an input that leaves some open, once for each such input: image=1,3,224,224 (an open batch is 1)",
    )
    parser.add_argument("--json", action="store_true")


def given_shapes(options: argparse.Namespace) -> dict[str, tuple[int, ...]]:
    """Return the shapes of --shape by input name; raise UsageError if an input is repeated."""
    shapes: dict[str, tuple[int, ...]] = {}
    for name, shape in options.shape:
        if name in shapes:
            raise UsageError(f"--shape gives '{name}' twice; give it once.")
        shapes[name] = shape
    return shapes


def check_shapes(options: argparse.Namespace, inputs: Iterable[str]) -> None:
    """Raise UsageError if the network lacks an input that a shape was given for."""
    names = list(inputs)
    for name, _ in options.shape:
        if name not in names:
            known = ", ".join(f"'{each}'" for each in names) or "none"
            raise UsageError(f"The network has no input '{name}', which --shape names; it has: {known}.")


def shape_options(inputs: Mapping[str, tuple[int | str, ...]]) -> str:
    """Return --shape options with common sizes for the dynamic dimensions of inputs."""
    return " ".join(
        "--shape "
        + shlex.quote(
            f"{name}={','.join(map(str, usual_sizes([n if isinstance(n, int) else 0 for n in shape])))}"
        )
        for name, shape in inputs.items()
    )


def sizes_to_choose(model: Path, inputs: Mapping[str, tuple[int | str, ...]]) -> UsageError:
    """Return the error for a network with dynamic dimensions for which no sizes were given."""
    usual = shape_options(settled_shapes(model, inputs))
    return UsageError(f"{model.name} leaves sizes of its inputs open; choose them, as in {usual}.")


def settled_shapes(
    model: Path, inputs: Mapping[str, tuple[int | str, ...]]
) -> dict[str, tuple[int | str, ...]]:
    """Return the inputs' shapes; dynamic frame sizes are filled in from the first layer's weights."""
    shapes = dict(inputs)
    with contextlib.suppress(ModelError), ModelFile.opened(model) as file:
        facts = file.facts
        if len(shapes.get(facts.input_name, ())) == len(facts.input_shape):
            shapes[facts.input_name] = facts.input_shape
    return shapes


@contextmanager
def explain_missing_sizes(model: Path) -> Iterator[None]:
    """Explain in a UsageError how to choose sizes if a network with dynamic dimensions lacks them."""
    try:
        yield
    except SizesNeededError as error:
        raise sizes_to_choose(model, error.inputs) from error


def runs(text: str) -> int:
    """Parse a number of runs."""
    if not text.isdecimal() or not 1 <= int(text) <= 1000:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number of runs from 1 to 1000")
    return int(text)


def _shape(text: str) -> tuple[str, tuple[int, ...]]:
    name, equals, sizes = text.rpartition("=")
    parts = sizes.split(",") if sizes else []
    if not equals or not name or not all(part.isdecimal() and int(part) > 0 for part in parts):
        raise argparse.ArgumentTypeError(f"'{text}' is not NAME=N,N,..., as in input=1,3,224,224")
    return name, tuple(int(part) for part in parts)


@contextmanager
def opened_gpu(options: argparse.Namespace, *, needed: bool) -> Iterator[Gpu | None]:
    """Open the adapter; yield None if there is none and it is not needed."""
    gpu = open_gpu(options.adapter) if needed else open_gpu_if_any(options.adapter)
    if gpu is None:
        yield None
        return
    try:
        yield gpu
    finally:
        gpu.close()


def model_path(options: argparse.Namespace) -> Path:
    """Return the file of a path or bundled network; raise UsageError if there is no such model."""
    refuse_address(options.model)
    path = Path(options.model)
    builtins = builtin_models()
    if options.model in builtins:
        return builtins[options.model].path
    refuse_folder(path, UsageError)
    try:
        there = path.is_file()
    except (OSError, ValueError):  # longer than the system allows, or with a NUL
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
    """Load the model and yield a session; `why` replaces the loader's reason in errors."""
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
    """Return a large number with a unit prefix: 1.50 G."""
    for size, letter in ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")):
        if count >= size:
            return f"{count / size:.2f} {letter}"
    return f"{count:.0f} "


def finite(value: Any) -> Any:
    """Return a value that JSON can represent: infinity and NaN become text."""
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value
