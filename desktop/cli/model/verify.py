"""`lightloom model verify`."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import asdict
from typing import Final

from desktop.base import console
from desktop.base.errors import ModelError, ModelUnsupportedError
from desktop.cli import Command
from desktop.cli.model._shared import (
    add_backend_option,
    add_model_options,
    add_precision_option,
    add_shape_and_json_options,
    check_shapes,
    explain_missing_sizes,
    finite,
    given_shapes,
    loaded,
    model_path,
    opened_gpu,
    runs,
)
from desktop.compute.gpu.device import Gpu
from desktop.compute.nn.frontends.formats import ONNX
from desktop.compute.nn.refusals import reason_of
from desktop.compute.nn.session import Session
from desktop.vision.backends.onnxruntime import OnnxRuntimeSession
from desktop.vision.models.model_file import ModelFile
from desktop.vision.models.verification import LIMITS, QUANTIZED_SHARE, verify


def _add_options(parser: argparse.ArgumentParser) -> None:
    add_model_options(parser)
    add_precision_option(parser)
    add_backend_option(parser)
    add_shape_and_json_options(parser)
    parser.add_argument("--runs", metavar="N", type=runs, default=2, help="runs of each kind of input")
    parser.add_argument("--seed", metavar="N", type=int, default=0, help="seed of the inputs")


def _check_reference(model: ModelFile) -> None:
    """Refuse a file that onnxruntime cannot load: there is no reference for it."""
    if model.format != ONNX:
        raise ModelError(
            f"{model.name} was not compared: onnxruntime, which networks are compared with, does not read "
            f"{model.format} files; "
            "'lightloom model run' computes it."
        )


@contextmanager
def _compared(options: argparse.Namespace, model: ModelFile, gpu: Gpu | None) -> Iterator[Session]:
    """Yield the session to compare with onnxruntime: Lightloom's engine unless onnxruntime was requested."""
    _check_reference(model)
    choose = "choose --backend onnxruntime to compare onnxruntime with its own optimizations switched off"
    if gpu is None and options.backend == "auto":
        raise ModelError(f"{model.name} was not compared: there is no adapter for the wgpu engine; {choose}.")
    why = ""
    if options.backend == "auto":
        options = argparse.Namespace(**{**vars(options), "backend": "wgpu"})
        why = "onnxruntime is what it is compared with."
    try:
        with (
            explain_missing_sizes(model.path),
            loaded(options, model, gpu, given_shapes(options), why) as session,
        ):
            check_shapes(options, (info.name for info in session.inputs))
            yield session
    except ModelUnsupportedError as error:
        if not why:
            raise
        raise ModelUnsupportedError(
            f"{model.name} was not compared: it cannot run on wgpu ({reason_of(error)}); {choose}.",
            error.refusals,
        ) from error


def _bound(session: Session, reference: Session, peer: Session | None) -> str:
    """Describe the tolerance for an output."""
    if peer is not None:
        return (
            "the network is quantized: one number that is rounded to its other neighbor changes all later "
            "layers, so an output may be "
            f"off by {QUANTIZED_SHARE:g} times as much as onnxruntime's own optimized run is, or by "
            f"{LIMITS['int8']:g}"
        )
    widest = max((session.precision, reference.precision), key=LIMITS.__getitem__)
    return f"an output may be off by {LIMITS[widest]:g} of its norm, as for {widest}"


def _run(options: argparse.Namespace) -> int:
    path = model_path(options)
    with (
        opened_gpu(options, needed=options.backend == "wgpu") as gpu,
        ModelFile.opened(path) as model,
        _compared(options, model, gpu) as session,
    ):
        shapes = {info.name: info.shape for info in session.inputs}
        # ONNX Runtime is not compared with itself: the reference runs each node separately, unfused.
        alone = session.backend == "onnxruntime"
        # Likewise for a quantized network; ONNX Runtime's own kernels are then a second reference.
        is_quantized = session.precision == "int8"
        by_node = alone or is_quantized
        with ExitStack() as opened:
            reference = opened.enter_context(
                closing(OnnxRuntimeSession.load(model, input_shapes=shapes, reference=by_node))
            )
            peer = None
            if is_quantized and not alone:
                peer = opened.enter_context(closing(OnnxRuntimeSession.load(model, input_shapes=shapes)))
            facts = model.facts if session.inputs else None
            errors = verify(
                session,
                reference,
                facts,
                peer=peer,
                runs=options.runs,
                seed=options.seed,
                check=options.interrupt.check,
            )
        head = {"model": str(path), "backend": session.backend, "device": session.device}
        head["precision"] = session.precision
        head["reference"] = "onnxruntime node by node" if by_node else "onnxruntime"
        head["bound"] = _bound(session, reference, peer)
    console.err(f"Compared with {head['reference']}; {head['bound']}.")
    if options.json:
        rows = [{k: finite(v) for k, v in asdict(e).items()} | {"passed": e.passed} for e in errors]
        console.out_json({**head, "outputs": rows})
    else:
        console.out(f"{'input':9} {'maximum':>10} {'mean':>10} {'relative':>10} {'limit':>8}  output")
        for e in errors:
            console.out(
                f"{e.kind:9} {e.maximum:10.2e} {e.mean:10.2e} {e.relative:10.2e} {e.limit:8.0e}  {e.output}"
            )
    wrong = [e for e in errors if not e.passed]
    if wrong:
        worst = max(wrong, key=lambda e: e.relative)
        raise ModelError(
            f"{path.name} on {session.backend} differs from {head['reference']} by {worst.relative:.2g} in "
            f"the output '{worst.output}' "
            f"on {worst.kind} input, more than {worst.limit:g}; use another backend or precision and "
            "report the model."
        )
    return 0


COMMAND: Final = Command(
    "Compare the wgpu engine's outputs with onnxruntime's, on a software adapter too.", _run, _add_options
)
