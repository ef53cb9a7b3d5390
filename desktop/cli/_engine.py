"""Options and setup shared by commands that process frames with an engine."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from desktop.base import console
from desktop.base.errors import StoppedError, UsageError
from desktop.base.files import exists, is_special
from desktop.base.output_names import NamedFile
from desktop.base.paths import user_cache_folder
from desktop.cli._adapter import open_gpu
from desktop.cli._overlay import TextPainter
from desktop.compute.nn.frontends.formats import NETWORKS
from desktop.net.inference.address import RemoteAddress, parse_address
from desktop.net.inference.hosts import AllowedHosts
from desktop.pipeline.engine import Engine
from desktop.pipeline.filters.description import Filter
from desktop.pipeline.filters.library import FilterLibrary
from desktop.pipeline.filters.verifier import FilterVerifier, trusts_shaders
from desktop.pipeline.running.network_spec import NetworkSpec
from desktop.pipeline.running.opening import load_analysis
from desktop.vision.models.builtin import builtin_models
from desktop.vision.models.folders import refuse_folder
from desktop.vision.models.labels import sidecar_labels
from desktop.vision.models.processor_config import config_files
from desktop.vision.models.sidecar import sidecar_path
from desktop.vision.tasks import (
    decoders_of,
    is_analysis_task,
    result_tasks,
    settings_named,
    tasks_with_decoder,
)


def network_spec(options: argparse.Namespace) -> NetworkSpec | None:
    """Return the network of --model, or None; raise UsageError for a missing one or unfit options."""
    if options.model is None:
        _refuse_without_model(options)
        return None
    device = options.device_of_network
    spec = NetworkSpec(model_path(options.model), options.backend, options.precision, device=device)
    if options.second is not None:
        second = NetworkSpec(
            *(model_path(options.second), options.backend, options.precision),
            settings=_settings(options.second_setting),
            things=options.second_things,
            device=device,
        )
        spec = replace(spec, second=second)
    elif options.second_things:
        raise UsageError("--second-things needs a second network; name one with --second.")
    elif options.second_setting:
        raise UsageError("--second-setting is for a second network; say with --second which.")
    decoder = _decoder(options)
    if "task" not in options:
        return replace(spec, task=_task(options), settings=decoder)
    given = {s.name: getattr(options, s.name) for s in options.task.settings if s.option}
    settings = {name: value for name, value in given.items() if value is not None}
    return replace(spec, task=options.task.id, settings={**settings, **decoder})


def _decoder(options: argparse.Namespace) -> dict[str, str]:
    """Return --decoder's setting, or {}; raise UsageError if it does not exist or fit the task."""
    name = getattr(options, "decoder_name", None)  # for 'segment' the decoder is a network
    if name is None:
        return {}
    task = getattr(options, "task", None)
    if task is None:
        tasks_with_decoder(name)  # raises for an unknown name
    elif name not in (names := [decoder for decoder, _ in decoders_of(task)]):
        raise UsageError(
            f"There is no decoder '{name}' for {str(task.title).lower()}; choose one of {', '.join(names)}."
            if names
            else f"Networks for {str(task.title).lower()} have no decoders; leave --decoder out."
        )
    return {"decoder": name}


def _task(options: argparse.Namespace) -> str:
    """Return the task named by --task, 'auto' if it was not given."""
    name: str | None = getattr(options, "task_name", None)
    if name is not None and not is_analysis_task(name):
        names = ", ".join(task.id for task in result_tasks())
        raise UsageError(f"There is no task '{name}' for this command; choose one of {names}.")
    return name or "auto"


def _refuse_without_model(options: argparse.Namespace) -> None:
    given = {
        "--backend": options.backend != "auto" and not getattr(options, "interpolate", None),
        "--device-of-network": options.device_of_network != "auto",
        "--decoder": getattr(options, "decoder_name", None) is not None,
        "--task": getattr(options, "task_name", None) is not None,
        "--precision": options.precision != "auto",
        "--second": options.second is not None,
        "--second-things": bool(options.second_things),
        "--second-setting": bool(options.second_setting),
    }
    for name, is_given in given.items():
        if is_given:
            raise UsageError(
                f"{name} goes with --model; say which network it is for: those of filters and looks have "
                "settings of their own."
            )


def _settings(given: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    """Return values by name; repeated values of a multi-valued setting are collected."""
    found: dict[str, Any] = {}
    for name, value in given:
        several = next(settings_named(name)).takes_several
        found[name] = (*found.get(name, ()), *value) if several else value
    return found


def model_path(name: str) -> str:
    """Return a network's path or address; typing an address allows its host to receive frames."""
    if "://" in name:
        return str(allowed_by_typing(parse_address(name)))
    builtins = builtin_models()
    path = builtins[name].path if name in builtins else Path(name)
    refuse_folder(path, UsageError)
    if not exists(path) or is_special(path):
        raise UsageError(
            f"There is no model file {name}; give an .onnx, .tflite, .pt2 or .pt file, an address, or one "
            f"of {', '.join(builtins)}."
        )
    return str(path)


def model_files(path: Path, what: str) -> list[NamedFile]:
    """Return a network's file and the sidecar files that say how it is used."""
    sidecars: tuple[Path | None, ...] = ()
    if path.suffix.lower() in NETWORKS:
        sidecars = (sidecar_path(path), sidecar_labels(path), *config_files(path))
    return [NamedFile(what, path), *(NamedFile(f"settings of the {what}", p) for p in sidecars if p)]


def allowed_by_typing(address: RemoteAddress) -> RemoteAddress:
    """Allow an address's host, reporting it the first time; raise LibraryError if that cannot be saved."""
    hosts = AllowedHosts()
    if not hosts.allows(address):
        note = hosts.allow(address.host)
        if note:
            console.err(note)
        console.err(
            f"Images go to {address.host}, from now on for looks, too; 'lightloom remote forget "
            f"{address.host}' ends that."
        )
    return address


def make_engine(
    options: argparse.Namespace,
    library: FilterLibrary,
    *,
    in_flight: int = 2,
    continues_without_server: bool = False,
) -> Engine:
    """Return an engine that loads synchronously; the caller closes it. See `Engine`."""
    verifier = FilterVerifier(
        user_cache_folder() / "filters", trusts=trusts_shaders() or getattr(options, "trust_shaders", False)
    )
    verifier.on_long_trial = _report_trial
    return Engine(
        lambda: open_gpu(options.adapter),
        library,
        load_analysis,
        wait=True,
        in_flight=in_flight,
        verifier=verifier,
        paint_text=TextPainter(),
        continues_without_server=continues_without_server,
    )


@contextmanager
def closing(engine: Engine) -> Iterator[None]:
    """Close an engine at the end, unless interrupted while its GPU is busy: the process then exits."""
    try:
        yield
    except StoppedError as stopped:
        stopped.is_busy = not engine.pipeline.drain(0.5)
        if not stopped.is_busy:
            engine.close()
        raise
    except BaseException:
        engine.close()
        raise
    engine.close()


def _report_trial(spec: Filter) -> None:
    console.fail(f"trying {spec.path} for the first time ...")
