"""Options shared by several commands, and parsers for their values."""

from __future__ import annotations

import argparse
from typing import Any

from desktop.base.errors import UsageError
from desktop.vision.backends import backend_choices


def add_adapter_option(parser: argparse.ArgumentParser) -> None:
    """Add --adapter."""
    parser.add_argument(
        "--adapter", metavar="NAME", help="GPU to use: part of a name that 'lightloom devices' lists"
    )


def add_listing_options(parser: argparse.ArgumentParser) -> None:
    """Add --adapter and --json."""
    add_adapter_option(parser)
    parser.add_argument("--json", action="store_true", help="print it as JSON")


def add_device_option(parser: argparse.ArgumentParser) -> None:
    """Add --device-of-network."""
    parser.add_argument(
        "--device-of-network",
        metavar="D",
        type=_device,
        default="auto",
        help="what the chosen backend computes on: a name that 'lightloom devices --networks' lists (default: auto)",
    )


def add_frames_option(parser: argparse.ArgumentParser) -> None:
    """Add --max-frames."""
    parser.add_argument(
        "--max-frames",
        metavar="N",
        type=count,
        default=0,
        help="maximum number of frames of each input (default: 0, all)",
    )


def add_compute_options(parser: argparse.ArgumentParser, what: str) -> None:
    """Add --backend, --device-of-network and --precision; `what` names in the help what is computed."""
    parser.add_argument(
        "--backend", choices=backend_choices(), default="auto", help=f"what computes {what} (default: auto)"
    )
    add_device_option(parser)
    parser.add_argument(
        "--precision",
        choices=("auto", "fp32", "fp16"),
        default="auto",
        help="numbers that wgpu keeps (default: auto)",
    )


def _device(text: str) -> str:
    if not text or len(text) > 64:
        raise argparse.ArgumentTypeError(f"'{text[:80]}' is not the name of a device")
    return text.lower()


def add_network_options(
    parser: argparse.ArgumentParser, *, required: bool = False, default: str | None = None
) -> None:
    """Add the options of the network and of a secondary one; --task unless the command sets the task."""
    text = "network to run: an .onnx, .tflite, .pt2 or .pt file, the name of a bundled one, or one on a server, as grpc://host:8001/model"
    if default is not None:
        text += f" (default: {default})"
    parser.add_argument("--model", metavar="M", required=required, default=default, help=text)
    parser.add_argument(
        "--decoder",
        metavar="NAME",
        dest="decoder_name",
        help="which decoder reads the network's outputs, if its file does not say: yolov8, for example "
        "(docs/detection.md, docs/key-points.md)",
    )
    if parser.get_default("task") is None:
        parser.add_argument(
            "--task",
            metavar="NAME",
            dest="task_name",
            help="what the network is for, if its file does not say: detection, for example",
        )
    parser.add_argument(
        "--backend",
        choices=backend_choices(),
        default="auto",
        help="what computes the network (default: auto, which is wgpu on a GPU and onnxruntime without one)",
    )
    add_device_option(parser)
    parser.add_argument(
        "--second",
        metavar="M",
        help="secondary network, which processes the crop of each object that the first one detects: an .onnx file, "
        "or the name of a bundled one",
    )
    parser.add_argument(
        "--second-things",
        metavar="N",
        type=_few,
        default=0,
        help="objects per frame for the secondary network, 1 to 16 (default: depends on the network)",
    )
    parser.add_argument(
        "--second-setting",
        metavar="NAME=VALUE",
        type=_setting,
        action="append",
        default=[],
        help="a setting of the secondary network, given like those of the first: score=0.5, likeness=anna.jpg; may be given several times",
    )
    parser.add_argument(
        "--precision",
        choices=("auto", "fp32", "fp16"),
        default="auto",
        help="numbers that wgpu keeps weights and tensors in (default: auto, the network's own)",
    )


def _setting(text: str) -> tuple[str, Any]:
    """Parse the name and value of a task's setting."""
    from desktop.vision.tasks import settings_named

    name, equals, value = text.partition("=")
    setting = next((each for each in settings_named(name) if each.option or each.in_sidecar), None)
    if setting is None or not equals:
        raise argparse.ArgumentTypeError(f"'{text[:80]}' is not the name of a setting, '=' and its value")
    try:
        return name, setting.parse(value)
    except UsageError as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def _few(text: str) -> int:
    if not text.isdecimal() or len(text) > 2 or not 1 <= int(text) <= 16:
        raise argparse.ArgumentTypeError(f"'{text}' is not a whole number from 1 to 16")
    return int(text)


def count(text: str) -> int:
    """Parse a whole number, 0 or more."""
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"'{text}' is not a whole number from 0 on")
    return int(text)


def seconds(text: str) -> float:
    """Parse a measuring time in seconds, above 0 and at most 3600."""
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value <= 3600:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number of seconds up to 3600")
    return value
