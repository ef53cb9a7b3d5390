"""The options of `lightloom serve`."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

from desktop.cli._metrics import add_metrics_option
from desktop.cli._options import add_adapter_option
from desktop.serving.access_log import FORMS
from desktop.serving.limits import Limits
from desktop.vision.backends import AUTO, backend_choices


def number(least: float, most: float, whole: bool = True) -> Callable[[str], float]:
    def read(text: str) -> float:
        try:
            value = int(text) if whole else float(text)
        except ValueError:
            value = least - 1
        if not least <= value <= most:
            raise argparse.ArgumentTypeError(f"'{text}' is not a number from {least:g} to {most:g}")
        return value

    return read


def _host(text: str) -> str:
    """Parse a host; an IPv6 address may be in brackets, as it is where a port follows."""
    return text[1:-1] if text.startswith("[") and text.endswith("]") else text


def add_serve_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "models",
        nargs="*",
        metavar="[NAME=]MODEL",
        help="an .onnx or .tflite file, or the name of a bundled network; NAME is what clients call it",
    )
    _add_repository_options(parser)
    _add_address_options(parser)
    _add_access_options(parser)
    _add_network_options(parser)
    _add_limit_options(parser)
    add_metrics_option(parser)
    _add_log_options(parser)


def _add_repository_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--repository",
        metavar="FOLDER",
        type=Path,
        help="serve the models of a folder: MODEL/VERSION/model.onnx, with an optional MODEL/config.toml",
    )
    parser.add_argument(
        "--poll",
        metavar="S",
        type=number(0, 86400, whole=False),
        default=5.0,
        help="seconds between comparisons with the folder; 0 for the start alone (default: 5)",
    )
    parser.add_argument(
        "--config",
        metavar="FILE",
        type=Path,
        help="TOML with limits and other settings below [NAME] for models that are not of the folder",
    )


def _add_address_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--host", default="127.0.0.1", type=_host, help="address to listen on (default: 127.0.0.1)"
    )
    port = number(0, 65535)
    parser.add_argument(
        "--grpc", metavar="PORT", type=port, default=8001, help="0 for any that is free (default: 8001)"
    )
    parser.add_argument(
        "--http", metavar="PORT", type=port, default=8000, help="0 for any that is free (default: 8000)"
    )
    parser.add_argument("--no-grpc", action="store_true", help="HTTP alone")
    parser.add_argument("--no-http", action="store_true", help="gRPC alone")


def _add_access_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--token-file", metavar="FILE", type=Path, help="clients have to show the token in its first line"
    )
    parser.add_argument("--tls-cert", metavar="FILE", type=Path, help="certificate, with its chain, as PEM")
    parser.add_argument("--tls-key", metavar="FILE", type=Path, help="its key, as PEM, without a password")
    parser.add_argument("--insecure", action="store_true", help="allow other machines to ask without a token")
    parser.add_argument(
        "--shared-memory",
        action="store_true",
        help="clients of this machine that have the token may pass tensors in shared memory (Linux)",
    )
    parser.add_argument("--model-control", action="store_true", help="clients may unload and load the models")


def _add_network_options(parser: argparse.ArgumentParser) -> None:
    add_adapter_option(parser)
    parser.add_argument(
        "--gpus",
        metavar="all|N,N",
        help="compute in a process for each of these GPUs, counted from 0; requests go to whichever is free",
    )
    parser.add_argument("--compute-for-server", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--backend", choices=backend_choices(), default=AUTO)
    parser.add_argument("--precision", choices=("auto", "fp32", "fp16"), default="auto")
    parser.add_argument(
        "--max-batch",
        metavar="N",
        type=number(1, 256),
        default=8,
        help="rows that are computed together; 1 for never (default: 8)",
    )
    parser.add_argument(
        "--batch-delay",
        metavar="MS",
        type=number(0, 1000, whole=False),
        default=1.0,
        help="milliseconds that a request may wait for others (default: 1)",
    )
    parser.add_argument("--warm", action="store_true", help="load the networks for every batch at once")
    parser.add_argument(
        "--memory",
        metavar="MIB",
        type=number(16, 1 << 20),
        default=2048,
        help="what a model's sessions for its batches and sizes may take (default: 2048)",
    )


def _add_limit_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--queue",
        metavar="N",
        type=number(1, 65536),
        default=Limits.queue,
        help=f"requests that may wait for a model (default: {Limits.queue})",
    )
    parser.add_argument(
        "--max-request",
        metavar="MIB",
        type=number(1, 1024),
        help="size of a request's tensors (default: what the models can take; 32 for those of free size)",
    )
    parser.add_argument(
        "--deadline",
        metavar="S",
        type=number(0.1, 3600, whole=False),
        default=Limits.answer_s,
        help=f"seconds that a request may take (default: {Limits.answer_s:g})",
    )
    parser.add_argument(
        "--drain",
        metavar="S",
        type=number(0, 3600, whole=False),
        default=Limits.drain_s,
        help=f"seconds for pending requests when the server is stopped (default: {Limits.drain_s:g})",
    )


def _add_log_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--access-log",
        metavar="FILE",
        help="append a line for each request to a file, or '-': standard output",
    )
    parser.add_argument("--access-log-format", choices=FORMS, default=FORMS[0], help="default: combined")
