"""`lightloom model check`."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from desktop.base import console
from desktop.base.errors import AmbiguousNetworkError, LightloomError, ModelUnsupportedError
from desktop.cli import Command
from desktop.cli.model._shared import (
    add_model_options,
    add_shape_and_json_options,
    check_shapes,
    format_amount,
    format_bytes,
    given_shapes,
    model_path,
    opened_gpu,
    settled_shapes,
    shape_options,
    sizes_to_choose,
)
from desktop.compute.gpu.device import Gpu
from desktop.compute.nn.compile.target import target_of
from desktop.compute.nn.measure.report import DEFAULT_LIMITS, examine
from desktop.compute.nn.session import Precision
from desktop.vision.models.model_file import ModelFile
from desktop.vision.tasks import recognize


def _add_options(parser: argparse.ArgumentParser) -> None:
    add_model_options(parser)
    add_shape_and_json_options(parser)


def _run(options: argparse.Namespace) -> int:
    path = model_path(options)
    with opened_gpu(options, needed=False) as gpu:
        adapter = "no adapter: WebGPU's default limits" if gpu is None else str(gpu.adapter)
        targets: dict[str, Any] = dict(DEFAULT_LIMITS)
        if gpu is not None:
            targets = {"fp32": _target(gpu, "fp32"), "fp16": _target(gpu, "fp16")}
        report = examine(path, targets, input_shapes=given_shapes(options))
    check_shapes(options, (info.name for info in report.inputs))
    purpose = _purpose(path)
    if options.json:
        console.out_json({**asdict(report), "limits_of": adapter, "purpose": purpose})
    else:
        _print_report(report, adapter, path, purpose)
    if report.refused:
        if not options.json:
            console.flush()
        if report.open:
            raise sizes_to_choose(path, report.open)
        raise ModelUnsupportedError(report.refused, report.unsupported)
    return 0


def _purpose(path: Path) -> str:
    """Return the network's task as determined by its files; several if ambiguous, '' for none."""
    try:
        with ModelFile.opened(path) as file:
            found = recognize(file)
    except AmbiguousNetworkError as error:
        return " or ".join(map(str, error.choices))
    except LightloomError:
        return ""
    return "" if found is None else f"{str(found.task.title).lower()}: {found.match.reason}"


def _target(gpu: Gpu, precision: Precision) -> Any:
    """Return the planning target, or a sentence why this adapter does not support the precision."""
    try:
        return target_of(gpu, precision)
    except ModelUnsupportedError as error:
        return str(error)


def _print_report(report: Any, adapter: str, path: Path, purpose: str) -> None:
    opsets = ", ".join(f"{domain} {version}" for domain, version in report.opsets.items())
    console.out(
        f"{report.model}  {format_bytes(report.file_bytes)}, {report.producer or 'no producer'}, opset "
        f"{opsets}"
    )
    for kind, infos in (("input", report.inputs), ("output", report.outputs)):
        for info in infos:
            shape = " x ".join(str(n) for n in info.shape)
            console.out(f"  {kind:12}{info.name}  {info.dtype} {shape}")
    if purpose:
        console.out(f"  {'for':12}{purpose}")
    console.out(f"  {'operators':12}" + ", ".join(f"{op} {count}" for op, count in report.operators.items()))
    console.out(f"  {'parameters':12}{report.parameters:,}")
    if report.open:
        console.out(f"  {'sizes':12}to be chosen, as in {shape_options(settled_shapes(path, report.open))}")
    elif report.chosen:
        console.out(f"  {'sizes':12}{shape_options(report.chosen)}; others can be chosen so")
    if report.flops is not None:
        console.out(f"  {'FLOPs':12}{format_amount(report.flops)}FLOP (2 x multiply-adds), the most in:")
        for node in sorted(report.nodes, key=lambda n: -n.flops)[:5]:
            console.out(f"  {'':12}{node.flops / max(report.flops, 1):6.1%}  {node.op} '{node.name}'")
    for choice in report.precisions:
        auto = " (auto)" if choice.precision == report.precision else ""
        if choice.memory is None:
            console.out(f"  {choice.precision + auto:12}{choice.refused}")
            continue
        m = choice.memory
        whole = ", computed in integers" if choice.arithmetic == "int8" else ""
        console.out(
            f"  {choice.precision + auto:12}{choice.dispatches} dispatches{whole}, weights "
            f"{format_bytes(m.weights)}, "
            f"activations {format_bytes(m.activations)} (needed at once: {format_bytes(m.peak_live)})"
        )
    if report.division:
        console.out(f"  {'divided':12}{report.division}")
    for what in report.unsupported:
        console.out(f"  {'unsupported':12}{what}")
    console.out(f"  {'limits of':12}{adapter}")


COMMAND: Final = Command(
    "Tell what a model is, what it costs and what of it is not supported.", _run, _add_options
)
