"""Options that several commands have, and the values they take."""

from __future__ import annotations

import argparse

from desktop.compute.backends import backend_choices


def add_adapter_option(parser: argparse.ArgumentParser) -> None:
    """Add --adapter."""
    parser.add_argument(
        "--adapter", metavar="NAME", help="GPU to use: part of a name that 'lightloom devices' lists"
    )


def add_listing_options(parser: argparse.ArgumentParser) -> None:
    """Add --adapter and --json."""
    add_adapter_option(parser)
    parser.add_argument("--json", action="store_true", help="print it as JSON")


def add_network_options(
    parser: argparse.ArgumentParser, *, required: bool = False, default: str | None = None
) -> None:
    """Add --model, --backend, --precision and what a second network needs."""
    text = "network to run: an .onnx or .tflite file, or one in the box by its name"
    if default is not None:
        text += f" (default: {default})"
    parser.add_argument("--model", metavar="M", required=required, default=default, help=text)
    parser.add_argument(
        "--backend",
        choices=backend_choices(),
        default="auto",
        help="what computes the network (default: auto, which is wgpu on a GPU and onnxruntime without one)",
    )
    parser.add_argument(
        "--second",
        metavar="M",
        help="network that looks closer at each thing that the first one finds: an .onnx file, or one in the box by its name",
    )
    parser.add_argument(
        "--second-things",
        metavar="N",
        type=_few,
        default=0,
        help="things that the second network looks at in a picture, 1 to 16 (default: as usual for it)",
    )
    parser.add_argument(
        "--precision",
        choices=("auto", "fp32", "fp16"),
        default="auto",
        help="numbers that wgpu keeps weights and tensors in (default: auto, the network's own)",
    )


def _few(text: str) -> int:
    if not text.isdecimal() or len(text) > 2 or not 1 <= int(text) <= 16:
        raise argparse.ArgumentTypeError(f"'{text}' is not a whole number from 1 to 16")
    return int(text)


def count(text: str) -> int:
    """Read a whole number."""
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"'{text}' is not a whole number from 0 on")
    return int(text)


def seconds(text: str) -> float:
    """Read a time for measuring."""
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value <= 3600:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number of seconds up to 3600")
    return value
