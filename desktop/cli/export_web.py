"""`lightloom export-web`: a look or a network as a page that runs in a browser."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Final

from desktop.base import console
from desktop.base.errors import UsageError
from desktop.base.files import exists
from desktop.base.paths import user_filter_folder
from desktop.base.wording import counted
from desktop.cli import Command
from desktop.compute.nn.frontends.formats import NETWORKS, TORCH
from desktop.net.inference.address import refuse_address
from desktop.pipeline.chain.network_stages import stage_for_model
from desktop.pipeline.chain.spec import chain_of
from desktop.pipeline.filters.library import FilterLibrary
from desktop.pipeline.running.network_spec import NetworkSpec
from desktop.pipeline.setup.bundle import open_preset
from desktop.pipeline.setup.known import bundled_presets
from desktop.pipeline.setup.setup import Setup
from desktop.vision.models.builtin import builtin_models
from desktop.vision.models.folders import refuse_folder
from desktop.web.contents import gather
from desktop.web.site import Site

_USUAL_PICTURE: Final = (1280, 720)
_MOST: Final = 8192


def _add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "what",
        metavar="LOOK|MODEL",
        help="a look, an .onnx or .tflite file, or the name of a bundled look or network",
    )
    parser.add_argument("-o", "--output", metavar="FOLDER", required=True, help="folder for the site")
    parser.add_argument("--title", metavar="TEXT", help="what the page is called (default: the file's name)")
    parser.add_argument(
        "--precision",
        choices=("auto", "fp32", "fp16"),
        default="auto",
        help="numbers that weights are kept in where the browser has them (default: auto, the network's own)",
    )
    parser.add_argument(
        "--picture",
        metavar="WxH",
        type=_size,
        default=_USUAL_PICTURE,
        help="size of the images for which a filter's network of free size is made (default: 1280x720)",
    )


def _size(text: str) -> tuple[int, int]:
    width, cross, height = text.partition("x")
    if cross and width.isdecimal() and height.isdecimal() and max(len(width), len(height)) <= 4:
        size = int(width), int(height)
        if min(size) >= 1 and max(size) <= _MOST:
            return size
    raise argparse.ArgumentTypeError(f"'{text[:40]}' is not a width, 'x' and a height up to {_MOST}")


def _input_file(what: str) -> Path:
    """Return the file: a bundled one by name, else a path; raise UsageError if there is none."""
    refuse_address(what)
    boxed = {
        **{path.stem: path for path in bundled_presets()},
        **{name: model.path for name, model in builtin_models().items()},
    }
    path = boxed.get(what, Path(what))
    if what:
        refuse_folder(path, UsageError)
    if not what or not exists(path):
        raise UsageError(
            f"There is no look or network {what}; give the path of a .toml, .lightloom, .onnx or .tflite "
            "file, or one of "
            f"{', '.join(boxed)}."
        )
    return path


def _setup(path: Path, library: FilterLibrary) -> Setup:
    if path.suffix.lower() in TORCH:
        raise UsageError(
            f"{path.name} is a PyTorch file, which a browser has no backend for; export it as ONNX."
        )
    if path.suffix.lower() not in NETWORKS:
        loaded = open_preset(path, library)
        for shader in loaded.shaders:
            library.add(shader)
        for warning in loaded.warnings:
            console.fail(warning)
        return loaded.setup
    stage = stage_for_model(path)
    return Setup(network=NetworkSpec(str(path))) if stage is None else Setup(chain_of(library, [stage]))


def _run(options: argparse.Namespace) -> int:
    path = _input_file(options.what)
    folder = Path(options.output)
    site = Site(folder)
    library = FilterLibrary(user_filter_folder())
    setup = _setup(path, library)
    options.interrupt.check()
    title = options.title or path.stem.replace("_", " ").capitalize()
    contents = gather(setup, library, title=title, picture=options.picture, precision=options.precision)
    options.interrupt.check()
    sizes = site.export(contents)
    script = sum(size for name, size in sizes.items() if name.endswith(".js"))
    console.out(
        f"{folder}: {counted(len(sizes), 'file')}, {sum(sizes.values()) / 1e6:.1f} MB, of it "
        f"{script / 1000:.0f} kB script"
    )
    console.out(
        f"To open it: python3 -m http.server --bind 127.0.0.1 --directory {folder}, then "
        "http://127.0.0.1:8000. To publish it: "
        "any server of files, by https, without which browsers have no WebGPU."
    )
    return 0


COMMAND: Final = Command(
    "Write a look or a network as a page that runs in a browser, on WebGPU.", _run, _add_options
)
