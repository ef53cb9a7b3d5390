"""`lightloom serve`."""

from __future__ import annotations

import argparse
import asyncio
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Final

from desktop.base import console
from desktop.base.errors import UsageError
from desktop.base.version import extra_command
from desktop.cli import Command
from desktop.cli._adapter import open_gpu, open_gpu_if_any
from desktop.cli._options import add_adapter_option
from desktop.compute.gpu.device import Gpu
from desktop.net.loopback import is_loopback
from desktop.serving.access import Access, Certificate, read_certificate, read_token
from desktop.serving.limits import Limits, sizes_for
from desktop.serving.served_model import Batching, Models, ServedModel, models_of
from desktop.serving.server import Address, Place, Serving
from desktop.serving.service import Service
from desktop.serving.session_pool import Loading
from desktop.vision.backends import AUTO, backend_choices, find_backend
from desktop.vision.models.builtin import builtin_models, find_model

_MIB: Final = 1 << 20


def _number(least: float, most: float, whole: bool = True) -> Callable[[str], float]:
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


def _add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "models",
        nargs="+",
        metavar="[NAME=]MODEL",
        help="an .onnx or .tflite file, or the name of a bundled network; NAME is what clients call it",
    )
    _add_address_options(parser)
    _add_access_options(parser)
    _add_network_options(parser)
    _add_limit_options(parser)


def _add_address_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--host", default="127.0.0.1", type=_host, help="address to listen on (default: 127.0.0.1)"
    )
    port = _number(0, 65535)
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
    parser.add_argument("--model-control", action="store_true", help="clients may unload and load the models")


def _add_network_options(parser: argparse.ArgumentParser) -> None:
    add_adapter_option(parser)
    parser.add_argument("--backend", choices=backend_choices(), default=AUTO)
    parser.add_argument("--precision", choices=("auto", "fp32", "fp16"), default="auto")
    parser.add_argument(
        "--max-batch",
        metavar="N",
        type=_number(1, 256),
        default=8,
        help="rows that are computed together; 1 for never (default: 8)",
    )
    parser.add_argument(
        "--batch-delay",
        metavar="MS",
        type=_number(0, 1000, whole=False),
        default=1.0,
        help="milliseconds that a request may wait for others (default: 1)",
    )
    parser.add_argument("--warm", action="store_true", help="load the networks for every batch at once")
    parser.add_argument(
        "--memory",
        metavar="MIB",
        type=_number(16, 1 << 20),
        default=2048,
        help="what a model's sessions for its batches and sizes may take (default: 2048)",
    )


def _add_limit_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--queue",
        metavar="N",
        type=_number(1, 65536),
        default=Limits.queue,
        help=f"requests that may wait for a model (default: {Limits.queue})",
    )
    parser.add_argument(
        "--max-request",
        metavar="MIB",
        type=_number(1, 1024),
        help="size of a request's tensors (default: what the models can take; 32 for those of free size)",
    )
    parser.add_argument(
        "--deadline",
        metavar="S",
        type=_number(0.1, 3600, whole=False),
        default=Limits.answer_s,
        help=f"seconds that a request may take (default: {Limits.answer_s:g})",
    )
    parser.add_argument(
        "--drain",
        metavar="S",
        type=_number(0, 3600, whole=False),
        default=Limits.drain_s,
        help=f"seconds for pending requests when the server is stopped (default: {Limits.drain_s:g})",
    )


def _named(given: list[str]) -> dict[str, str]:
    """Return the models to serve, by name."""
    found: dict[str, str] = {}
    for text in given:
        before, equals, after = text.partition("=")
        is_named = bool(equals) and not Path(text).is_file()
        model = after if is_named else text
        if "://" in model:  # not repeated: it may contain a password
            raise UsageError(
                "A network that is on a server already is not served again; let clients ask that server."
            )
        path, _ = find_model(model)
        name = before if is_named else model if model in builtin_models() else path.stem
        if not name or "/" in name or not name.isprintable() or len(name) > 128:
            raise UsageError(f"'{name}' cannot be a model's name; give another one with NAME={model}.")
        if name in found:
            raise UsageError(f"Two models are called '{name}'; give one another name with NAME=FILE.")
        found[name] = model
    return found


def _access(options: argparse.Namespace) -> tuple[Access, Certificate | None]:
    token = read_token(options.token_file) if options.token_file else ""
    local = is_loopback(options.host)
    if not local and not token and not options.insecure:
        raise UsageError(
            f"On {options.host} other machines could ask: give a token with --token-file, or allow them "
            "with --insecure."
        )
    if (options.tls_cert is None) != (options.tls_key is None):
        raise UsageError("A certificate and its key go together: give both --tls-cert and --tls-key.")
    certificate = read_certificate(options.tls_cert, options.tls_key) if options.tls_cert else None
    return Access(token, local), certificate


def _places(options: argparse.Namespace) -> tuple[Place, ...]:
    places: list[Place] = []
    try:
        if not options.no_grpc:
            # gRPC logs client errors to standard error by default; this variable is read at import.
            os.environ.setdefault("GRPC_VERBOSITY", "NONE")
            from desktop.serving.grpc_server import GrpcServer

            places.append(Place("gRPC", GrpcServer, options.grpc))
        if not options.no_http:
            from desktop.serving.http_server import HttpServer

            places.append(Place("HTTP", HttpServer, options.http))
    except ImportError as error:
        raise UsageError(
            f"The server needs packages that are not installed ({error.name}); install them: "
            f"{extra_command('serve')}."
        ) from error
    if not places:
        raise UsageError("--no-grpc and --no-http together leave nothing to listen on.")
    return tuple(places)


def _loading(options: argparse.Namespace) -> Loading:
    chosen = find_backend(options.backend)
    needs_none = chosen is not None and not chosen.capabilities.encodes

    def open_adapter() -> Gpu | None:
        if needs_none:
            return None
        return open_gpu_if_any(options.adapter) if chosen is None else open_gpu(options.adapter)

    return Loading(open_adapter, options.backend, options.precision, options.max_batch, options.memory * _MIB)


def _limits(options: argparse.Namespace, models: Models) -> Limits:
    size, json_size = sizes_for(model.largest for model in models.all)
    if options.max_request:
        size = options.max_request * _MIB
    return Limits(size, json_size, queue=options.queue, answer_s=options.deadline, drain_s=options.drain)


def _run(options: argparse.Namespace) -> int:
    places, named = _places(options), _named(options.models)
    access, certificate = _access(options)
    batching = Batching(options.batch_delay / 1000, options.warm)
    models = models_of(named, _loading(options), batching, options.queue)
    models.load(partial(_report_loading, len(named)), _report_model)
    limits = _limits(options, models)
    _report_call_limit(limits, options)
    service = Service(models, limits, may_load=options.model_control)
    serving = Serving(options.host, places, access, certificate)
    ended = False
    try:
        ended = asyncio.run(_serve(serving, service, options))
    finally:
        # Threads still running after the timeout are abandoned: they may be blocked in a driver.
        ended = models.close(5.0) and ended
    if not ended:
        console.fail("Some requests took longer than --drain allows and were not answered.")
    return 0 if ended else 1


async def _serve(serving: Serving, service: Service, options: argparse.Namespace) -> bool:
    stop = asyncio.Event()
    with _stop_on_signals(asyncio.get_running_loop(), stop, options):
        return await serving.run(service, stop, _print_addresses)


@contextmanager
def _stop_on_signals(
    loop: asyncio.AbstractEventLoop, stop: asyncio.Event, options: argparse.Namespace
) -> Iterator[None]:
    """Set `stop` on a signal; a second Ctrl+C exits at once."""

    def end() -> None:
        options.interrupt.acknowledge()
        loop.call_soon_threadsafe(stop.set)

    options.interrupt.on_request.append(end)
    try:
        if options.interrupt.is_requested:  # while the networks were being loaded
            end()
        yield
    finally:
        options.interrupt.on_request.remove(end)


def _report_loading(count: int, model: ServedModel, number: int) -> None:
    console.err(f"{model.name}: loading ({number} of {count}) ...")


def _report_model(model: ServedModel) -> None:
    known = model.description
    joined = f"up to {known.max_batch} at a time" if known.max_batch else f"one at a time ({known.apart})"
    console.err(f"{model.name}: {joined}, {known.backend}, {known.device}, {known.precision}: {known.reason}")
    if known.failed:
        console.fail(
            f"{model.name} failed in a test run on random input, and is served all the same: {known.failed}"
        )


def _report_call_limit(limits: Limits, options: argparse.Namespace) -> None:
    """Report if gRPC admits fewer calls than the queue: it reads a call before counting its bytes."""
    if not options.no_grpc and limits.rpcs < limits.queue:
        console.err(
            f"gRPC takes {limits.rpcs} calls at a time and refuses more (RESOURCE_EXHAUSTED), as a request "
            "may have "
            f"{limits.request_bytes / _MIB:.4g} MiB; a smaller --max-request lets in more."
        )


def _print_addresses(addresses: tuple[Address, ...]) -> None:
    for address in addresses:
        host = f"[{address.host}]" if ":" in address.host else address.host
        console.out(f"{address.title} {host}:{address.port}")
    console.flush()


COMMAND: Final = Command(
    "Answer inference requests over HTTP and gRPC (the Open Inference Protocol).",
    _run,
    _add_options,
    several="models",
)
