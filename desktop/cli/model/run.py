"""`lightloom model run`."""

from __future__ import annotations

import argparse
import zipfile
import zlib
from pathlib import Path
from typing import Final

import numpy as np

from desktop.base import console
from desktop.base.errors import ExportError, ModelError, UsageError
from desktop.base.files import open_regular, reason, replaced
from desktop.base.output_names import NamedFile, check_outputs
from desktop.cli import Command
from desktop.cli.model._shared import (
    add_backend_option,
    add_model_options,
    add_precision_option,
    loaded,
    model_path,
    opened_gpu,
)
from desktop.compute.nn.session import TensorInfo


def _add_options(parser: argparse.ArgumentParser) -> None:
    add_model_options(parser)
    add_precision_option(parser)
    add_backend_option(parser)
    parser.add_argument(
        "--input", metavar="IN.npz", required=True, help="arrays named as the network's inputs"
    )
    parser.add_argument("--output", metavar="OUT.npz", required=True, help="file for the outputs")


def _read_arrays(path: Path) -> dict[str, np.ndarray]:
    try:
        with open_regular(path) as file, np.load(file, allow_pickle=False) as archive:
            if not isinstance(archive, np.lib.npyio.NpzFile):
                raise ValueError("one array without a name")
            return {name: archive[name] for name in archive.files}
    except (
        OSError,
        ValueError,
        EOFError,
        zipfile.BadZipFile,
        zlib.error,
        MemoryError,
        AttributeError,
    ) as error:
        # NumPy's own message is not passed on: for any other file it suggests unpickling.
        what = reason(error) if isinstance(error, OSError) else "it is no whole .npz file"
        raise UsageError(
            f"The inputs {path} cannot be read ({what}); give an .npz file with one array an input."
        ) from error


def _write_arrays(path: Path, arrays: dict[str, np.ndarray]) -> None:
    # Not np.savez: it takes the names as keyword arguments, and an output may be called 'file'.
    try:
        with replaced(path) as file, zipfile.ZipFile(file, "w") as archive:
            for name, array in arrays.items():
                with archive.open(f"{name}.npy", "w", force_zip64=True) as entry:
                    np.lib.format.write_array(entry, np.asarray(array), allow_pickle=False)
    except (OSError, ValueError) as error:
        raise ExportError(
            f"The outputs {path} cannot be written ({reason(error)}); choose another place."
        ) from error


def _check_feeds(feeds: dict[str, np.ndarray], inputs: tuple[TensorInfo, ...], where: Path) -> None:
    takes = ", ".join(f"'{i.name}' ({i.dtype} {' x '.join(map(str, i.shape))})" for i in inputs) or "none"
    for name in sorted({i.name for i in inputs} ^ set(feeds)):
        what = "has an array" if name in feeds else "lacks the input"
        raise ModelError(f"{where} {what} '{name}'; the network takes {takes}.")
    for info in inputs:
        array = feeds[info.name]
        if array.shape != info.shape or array.dtype.name != info.dtype:
            raise ModelError(
                f"The array '{info.name}' of {where} is {array.dtype} {list(array.shape)}; the network "
                f"takes {takes}."
            )


def _run(options: argparse.Namespace) -> int:
    path, output = model_path(options), Path(options.output)
    check_outputs(
        [NamedFile("output", output)], [NamedFile("model", path), NamedFile("input", Path(options.input))]
    )
    feeds = _read_arrays(Path(options.input))
    shapes = {name: array.shape for name, array in feeds.items()}
    with (
        opened_gpu(options, needed=options.backend == "wgpu") as gpu,
        loaded(options, path, gpu, shapes) as session,
    ):
        _check_feeds(feeds, session.inputs, Path(options.input))
        options.interrupt.check()
        results = session.run(feeds)
    _write_arrays(output, results)
    for name, array in results.items():
        console.out(f"{name}  {array.dtype} {' x '.join(map(str, array.shape))}")
    console.out(output)
    return 0


COMMAND: Final = Command("Run a network on arrays.", _run, _add_options)
