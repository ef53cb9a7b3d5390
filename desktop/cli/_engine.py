"""What commands that run pictures through an engine make it of."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

from desktop import console
from desktop.compute.engine import Engine
from desktop.compute.filters.description import Filter
from desktop.compute.filters.judge import FilterJudge, trusts_shaders
from desktop.compute.filters.library import FilterLibrary
from desktop.compute.gpu.device import Gpu
from desktop.compute.models.builtin import builtin_models
from desktop.compute.running.live import LiveNetwork
from desktop.compute.running.network_spec import NetworkSpec
from desktop.errors import UsageError
from desktop.files import is_special
from desktop.paths import user_cache_folder


def network_spec(options: argparse.Namespace) -> NetworkSpec | None:
    """Return the network that --model and the options beside it ask for, None without --model.

    Raises:
        UsageError: there is no such model.
    """
    if options.model is None:
        return None
    path = Path(options.model)
    builtins = builtin_models()
    if options.model in builtins:
        path = builtins[options.model].path
    if not exists(path) or path.is_dir() or is_special(path):
        raise UsageError(
            f"There is no model file {options.model}; give the path of an .onnx or .tflite file, or one of {', '.join(builtins)}."
        )
    spec = NetworkSpec(str(path), options.backend, options.precision)
    if "task" not in options:
        return spec
    given = {s.name: getattr(options, s.name) for s in options.task.settings if s.option}
    settings = {name: value for name, value in given.items() if value is not None}
    return replace(spec, task=options.task.id, settings=settings)


def make_engine(options: argparse.Namespace, library: FilterLibrary, *, in_flight: int = 2) -> Engine:
    """Return an engine that waits for what it loads; the caller closes it."""
    judge = FilterJudge(
        user_cache_folder() / "filters", trusts=trusts_shaders() or getattr(options, "trust_shaders", False)
    )
    judge.on_long_trial = _tell_trial
    return Engine(
        lambda: Gpu.open(options.adapter),
        library,
        LiveNetwork.load,
        wait=True,
        in_flight=in_flight,
        judge=judge,
    )


def _tell_trial(spec: Filter) -> None:
    console.fail(f"trying {spec.path} for the first time ...")


def exists(path: Path) -> bool:
    """True if there is something of that name."""
    try:
        return path.exists()
    except (OSError, ValueError):  # longer than the system takes, say; whoever opens it will explain
        return False
