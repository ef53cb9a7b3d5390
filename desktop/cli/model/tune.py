"""`lightloom model tune`."""

from __future__ import annotations

import argparse
import math
import time
from dataclasses import asdict
from typing import Any, Final

import numpy as np

from desktop.base import console
from desktop.base.errors import UsageError
from desktop.cli import Command
from desktop.cli.model._shared import (
    add_model_options,
    add_precision_option,
    add_shape_and_json_options,
    check_shapes,
    explain_missing_sizes,
    finite,
    given_shapes,
    model_path,
    opened_gpu,
)
from desktop.compute.gpu.device import Gpu
from desktop.compute.nn.lowering.tuning import Tuning, delete_tunings, load_tuning, save_tuning, tuning_folder
from desktop.compute.nn.measure.tuner import Tuner
from desktop.vision.models.verification import random_input


def _add_options(parser: argparse.ArgumentParser) -> None:
    add_model_options(parser, optional=True)
    add_precision_option(parser)
    add_shape_and_json_options(parser)
    parser.add_argument(
        "--seconds", metavar="N", type=_seconds, default=30.0, help="time for measuring, default 30"
    )
    parser.add_argument("--forget", action="store_true", help="delete everything that was measured")


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not 1 <= seconds <= 3600:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number of seconds from 1 to 3600")
    return seconds


def _run(options: argparse.Namespace) -> int:
    if options.forget:
        return _delete_tunings(options)
    if options.model is None:
        raise UsageError("There is no model to tune; give the path of an .onnx or .tflite file, or --forget.")
    path = model_path(options)
    with opened_gpu(options, needed=True) as gpu, explain_missing_sizes(path):
        assert gpu is not None
        tuner = Tuner.load(gpu, path, precision=options.precision, input_shapes=given_shapes(options))
        try:
            check_shapes(options, (info.name for info in tuner.inputs))
            generator = np.random.default_rng(0)
            feeds = {info.name: random_input(info, generator) for info in tuner.inputs}
            outcome = _tuned(options, gpu, tuner, feeds)
        finally:
            tuner.close()
        head = {"model": str(path), "device": str(gpu.adapter), "precision": tuner.precision}
    document = {**head, "clock": tuner.clock, "shapes": tuner.shapes, **outcome}
    if options.json:
        console.out_json({**document, "difference": finite(document["difference"])})
    else:
        _print_tuning(document)
    return 0


def _tuned(
    options: argparse.Namespace, gpu: Gpu, tuner: Tuner, feeds: dict[str, np.ndarray]
) -> dict[str, Any]:
    """Measure, save the faster variants and report them; results from before Ctrl+C are saved too."""
    measured: list[Any] = []
    comparison, interrupted, kept = None, False, True
    until = time.perf_counter() + options.seconds
    try:
        for each in tuner.measure(feeds, options.seconds, options.interrupt.check):
            measured.append(each)
            _show_progress(f"{len(measured)} of {tuner.shapes} shapes, {each.node}")
        winners = {m.key: m.winner for m in measured if m.is_tuned}
        if winners:
            left = min(until - time.perf_counter(), 3.0)
            comparison = tuner.compare(Tuning(winners), left, options.interrupt.check)
            kept = comparison.is_better
    except KeyboardInterrupt:
        interrupted = True
    _show_progress("")
    changes = {m.key: m.winner if m.is_tuned and kept else None for m in measured}
    before = load_tuning(tuning_folder(), gpu.adapter)
    after = before.updated(changes)
    file = None if after == before else save_tuning(tuning_folder(), gpu.adapter, after)
    return {
        "interrupted": interrupted,
        "before_ms": None if comparison is None else comparison.before_ms,
        "after_ms": None if comparison is None else comparison.after_ms,
        "difference": None if comparison is None else comparison.difference,
        "kept": kept,
        "file": None if file is None else str(file),
        "measured": [{**asdict(m), "is_tuned": m.is_tuned} for m in measured],
    }


def _show_progress(text: str) -> None:
    """Redraw the progress line on stderr; silent if stderr is not a terminal."""
    if console.shows_progress():
        console.progress(text)


def _print_tuning(document: dict[str, Any]) -> None:
    measured = document["measured"]
    faster = [m for m in measured if m["is_tuned"]]
    console.out(
        f"{document['device']}, {document['precision']}: {len(measured)} of {document['shapes']} shapes "
        "measured by "
        f"{document['clock']}, {len(faster)} have a faster kernel than the rule's"
    )
    if faster:
        console.out(f"{'rule ms':>9} {'ms':>9} {'times':>5}  node: rule's kernel -> faster one")
    for m in faster:
        console.out(
            f"{m['rule_ms']:9.4f} {m['winner_ms']:9.4f} {m['count']:5}  {m['node']}: {m['rule']} -> "
            f"{m['winner']}"
        )
    for m in measured:
        for trial in m["trials"]:
            if trial["note"] and not trial["is_slower"]:
                console.out(f"{m['node']}: {trial['choice']} was left out, {trial['note']}")
    if document["before_ms"] is not None:
        console.out(
            f"an inference: {document['before_ms']:.3f} ms by the rules, {document['after_ms']:.3f} ms tuned"
        )
    if document["interrupted"]:
        console.out("Stopped; what was measured until then is kept.")
    elif len(measured) < document["shapes"]:
        console.out("There was no time for the other shapes; give more with --seconds.")
    if not document["kept"]:
        faster_but = document["after_ms"] < document["before_ms"]
        why = f"computes something else (by {document['difference']:.2g})" if faster_but else "is no faster"
        console.out(f"The network as a whole {why} with them, so the rules stay.")
    elif document["file"] is not None:
        console.out(document["file"])


def _delete_tunings(options: argparse.Namespace) -> int:
    if options.model is not None:
        raise UsageError("--forget deletes the tunings of all networks; leave the model out.")
    count = delete_tunings(tuning_folder())
    if options.json:
        console.out_json({"forgotten": count})
    else:
        console.out(
            f"{count} tuning{'s' * (count != 1)} deleted" if count else "There was no tuning to delete"
        )
    return 0


COMMAND: Final = Command(
    "Measure which kernels are fastest for a network's shapes on this GPU, and keep that.", _run, _add_options
)
