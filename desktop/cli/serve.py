"""`lightloom serve`."""

from __future__ import annotations

import argparse
import asyncio
import gc
import importlib
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Final

from desktop.base import console
from desktop.base.errors import UsageError
from desktop.base.version import extra_command
from desktop.cli import Command
from desktop.cli._adapter import open_gpu, open_gpu_if_any
from desktop.cli._metrics import readers_served
from desktop.cli._serve_metrics import gpu_process_counts, inference_counts
from desktop.cli._serve_options import add_serve_options
from desktop.compute.gpu.device import Gpu, best_adapters
from desktop.metrics.inference_reader import InferenceReader
from desktop.net.loopback import is_loopback
from desktop.serving.access import Access, Certificate, read_certificate, read_token
from desktop.serving.access_log import AccessLog
from desktop.serving.gpu_process import compute_for_server
from desktop.serving.gpu_processes import GpuProcesses
from desktop.serving.limits import Limits, sizes_for
from desktop.serving.model_config import read_configs
from desktop.serving.models import Models, models_of
from desktop.serving.repository import Change, Polling, Repository, check_folder, is_name
from desktop.serving.served_model import Batching, ModelLimits, ModelOptions, ServedModel
from desktop.serving.server import Address, Place, Serving
from desktop.serving.service import Service
from desktop.serving.session_pool import Loading, own_pool
from desktop.serving.shared_memory import SharedRegions, is_supported
from desktop.vision.backends import find_backend
from desktop.vision.models.builtin import builtin_models, find_model

_MIB: Final = 1 << 20
_REPOSITORY_BYTES: Final = 8 * _MIB
_CLOSE_S: Final = 5.0
_MOST_GPUS: Final = 64


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
        if not is_name(name):
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
    if options.shared_memory and not local:
        raise UsageError(
            f"--shared-memory is for this machine, not for {options.host}; leave out one of both."
        )
    if options.shared_memory and not token:
        raise UsageError(
            "With --shared-memory other users of this machine could read and change the shared memory of this "
            "one: give a token with --token-file."
        )
    if options.shared_memory and not is_supported():
        raise UsageError("--shared-memory works on Linux alone; leave it out.")
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
    if len(places) > 1 and options.grpc == options.http != 0:
        raise UsageError(
            f"gRPC and HTTP cannot both have the port {options.http}; give another --grpc or --http."
        )
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
    if options.repository is not None:
        # Models may come later; more would let in fewer calls of gRPC.
        size, json_size = max(size, _REPOSITORY_BYTES), max(json_size, _REPOSITORY_BYTES)
    if options.max_request:
        size = options.max_request * _MIB
    return Limits(size, json_size, queue=options.queue, answer_s=options.deadline, drain_s=options.drain)


def _model_options(options: argparse.Namespace, processes: GpuProcesses | None) -> ModelOptions:
    return ModelOptions(
        _loading(options),
        Batching(options.batch_delay / 1000, options.warm),
        ModelLimits(options.queue),
        own_pool if processes is None else processes.pools,
    )


def _own_options(
    options: argparse.Namespace, named: Mapping[str, str], usual: ModelOptions
) -> dict[str, ModelOptions]:
    if options.config is None:
        return {}
    own = read_configs(options.config, usual)
    unknown = sorted(set(own) - set(named))
    if unknown:
        raise UsageError(
            f"[{unknown[0]}] in {options.config} is no model that is named here; correct the name, or name the "
            "model. Models of a repository have a config.toml of their own."
        )
    return own


@contextmanager
def _frozen_modules() -> Iterator[None]:
    """Exclude imported modules from garbage collection, which stops all requests whenever a model is unloaded.

    With two models loaded a collection takes 23 ms instead of 216, on two busy cores.
    """
    importlib.import_module("onnx")  # as the first model would
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()


def _run(options: argparse.Namespace) -> int:
    if options.compute_for_server:
        with _frozen_modules():
            return compute_for_server(partial(open_gpu, options.adapter))
    if not options.models and options.repository is None:
        raise UsageError("There is nothing to serve: name a network, or a folder of them with --repository.")
    places, named = _places(options), _named(options.models)
    serving = Serving(options.host, places, *_access(options))
    if options.repository is not None:
        check_folder(options.repository)
    # Whatever can be refused comes before models are loaded, which may take minutes.
    with (
        _access_log(options) as access_log,
        _shared_regions(options) as regions,
        _gpu_processes(options) as processes,
    ):
        usual = _model_options(options, processes)
        models = models_of(named, usual, _own_options(options, named, usual))
        reader = InferenceReader(partial(inference_counts, models), partial(gpu_process_counts, processes))
        with readers_served(options, (reader,)), _frozen_modules():
            serving.check_addresses()
            models.load(partial(_report_loading, len(named)), _report_model)
            ended = _serve_models(options, serving, models, usual, access_log, regions)
    if not ended:
        console.fail("Some requests took longer than --drain allows and were not answered.")
    return 0 if ended else 1


def _serve_models(
    options: argparse.Namespace,
    serving: Serving,
    models: Models,
    usual: ModelOptions,
    access_log: AccessLog | None,
    regions: SharedRegions | None,
) -> bool:
    """Serve loaded models, and those of the repository, until a signal; return False if requests were aborted."""
    ended = False
    try:
        limits = _limits(options, models)
        repository = _repository(options, models, usual, limits)
        _report_call_limit(limits, options)
        with _polling(repository, options.poll):
            service = Service(
                models,
                limits,
                may_load=options.model_control,
                repository=repository,
                access_log=access_log,
                regions=regions,
            )
            ended = asyncio.run(_serve(serving, service, options))
    finally:
        # Threads still running after the timeout are abandoned: they may be blocked in a driver.
        ended = models.close(_CLOSE_S) and ended
    return ended


@contextmanager
def _gpu_processes(options: argparse.Namespace) -> Iterator[GpuProcesses | None]:
    if options.gpus is None:
        yield None
        return
    processes = GpuProcesses(_chosen_gpus(options))
    try:
        yield processes
    finally:
        processes.close()


def _chosen_gpus(options: argparse.Namespace) -> list[str]:
    """Return the adapters of --gpus as `Gpu.open` finds them: '#0', '#1'."""
    chosen = find_backend(options.backend)
    if options.adapter is not None or (chosen is not None and not chosen.capabilities.encodes):
        raise UsageError(
            "--gpus is for the backends of GPUs, and chooses their adapters; leave out one of both."
        )
    found = best_adapters()
    if not found:
        raise UsageError("--gpus finds no GPU; 'lightloom doctor' says what is missing.")
    numbers = range(len(found)) if options.gpus == "all" else _gpu_numbers(options.gpus)
    # A software adapter is as good as several: it stands in for GPUs where there are none.
    is_stand_in = found[0].kind == "software"
    if is_stand_in and max(numbers) >= _MOST_GPUS:
        raise UsageError(
            f"There is no GPU {max(numbers)}: {found[0].name} stands in for the GPUs 0 to {_MOST_GPUS - 1} here; "
            "give a smaller number."
        )
    if not is_stand_in and max(numbers) >= len(found):
        raise UsageError(
            f"There is no GPU {max(numbers)}: this machine has {len(found)} of them, counted from "
            "0; 'lightloom devices' lists them."
        )
    if is_stand_in:
        console.fail(f"There is no GPU here for --gpus: the processor computes, by {found[0].name}.")
    return [f"#{number}" for number in numbers]


def _gpu_numbers(text: str) -> list[int]:
    words = [word.strip() for word in text.split(",")]
    if (
        not all(word.isascii() and word.isdecimal() and len(word) < 4 for word in words)
        or len(words) > _MOST_GPUS
    ):
        raise UsageError(f"'{text[:80]}' names no GPUs; write --gpus all, or numbers such as --gpus 0,1.")
    numbers = [int(word) for word in words]
    if len(set(numbers)) < len(numbers):
        raise UsageError(f"--gpus {text} names a GPU twice; name each once.")
    return numbers


def _repository(
    options: argparse.Namespace, models: Models, usual: ModelOptions, limits: Limits
) -> Repository | None:
    """Return the repository with its models loaded; None if none is given."""
    if options.repository is None:
        return None
    repository = Repository(options.repository, models, usual, limits, partial(_report_change, limits))
    repository.update(settled_only=False)
    if not models.all and not options.poll and not options.model_control:
        raise UsageError(
            f"None of the models in {options.repository} can be served; add MODEL/1/model.onnx, or give "
            "a --poll above 0."
        )
    return repository


@contextmanager
def _shared_regions(options: argparse.Namespace) -> Iterator[SharedRegions | None]:
    regions = SharedRegions() if options.shared_memory else None
    try:
        yield regions
    finally:
        if regions is not None:
            regions.close()


@contextmanager
def _access_log(options: argparse.Namespace) -> Iterator[AccessLog | None]:
    if options.access_log is None:
        yield None
        return
    target = None if options.access_log == "-" else Path(options.access_log)
    access_log = AccessLog(target, options.access_log_format, console.fail)
    try:
        yield access_log
    finally:
        access_log.close()


@contextmanager
def _polling(repository: Repository | None, seconds: float) -> Iterator[None]:
    if repository is None or not seconds:
        yield
        return
    polling = Polling(repository, seconds)
    polling.start()
    try:
        yield
    finally:
        polling.close(_CLOSE_S)


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


def _report_model(model: ServedModel, version: str = "") -> None:
    known = model.description
    name = f"{model.name} version {version}" if version else model.name
    joined = f"up to {known.max_batch} at a time" if known.max_batch else f"one at a time ({known.apart})"
    console.err(f"{name}: {joined}, {known.backend}, {known.device}, {known.precision}: {known.reason}")
    if known.failed:
        console.fail(
            f"{name} failed in a test run on random input, and is served all the same: {known.failed}"
        )


def _report_change(limits: Limits, change: Change) -> None:
    name = f"{change.name} version {change.version}" if change.version else change.name
    if change.problem:
        console.fail(f"{name}: {change.problem}" if name else change.problem)
    elif change.model is not None:
        _report_model(change.model, change.version)
        largest = change.model.largest
        if largest is None or largest[0] > limits.request_bytes:
            size = "any size" if largest is None else f"{largest[0] / _MIB:.4g} MiB"
            console.err(
                f"{name}: its requests may have {size}, and the server takes {limits.request_bytes / _MIB:.4g} "
                "MiB; a larger --max-request lets in more."
            )
    else:
        console.err(f"{name}: served no longer")
    console.flush()


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
    add_serve_options,
    several="models",
)
