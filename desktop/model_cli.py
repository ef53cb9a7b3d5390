"""`lightloom model check | run | verify | profile | tune`: what a network is, whether it is right, where its time goes, and less of it."""

from __future__ import annotations

import argparse
import math
import time
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from desktop import console
from desktop.compute.backends.loader import load_session
from desktop.compute.gpu.device import Gpu
from desktop.compute.models.builtin import builtin_models
from desktop.compute.nn.session import Precision, Session, TensorInfo
from desktop.errors import ExportError, ModelError, ModelUnsupportedError, NoAdapterError, UsageError
from desktop.files import open_regular, reason, replaced
from desktop.output_names import NamedFile, check_outputs

Shapes = dict[str, tuple[int, ...]]


# -- what the commands share ------------------------------------------------------------------------------------------


@contextmanager
def _gpu(options: argparse.Namespace, *, needed: bool) -> Iterator[Gpu | None]:
    """The adapter; None where there is none and it is not needed."""
    try:
        gpu = Gpu.open(options.adapter)
    except NoAdapterError:
        if needed or options.adapter:
            raise
        yield None
        return
    try:
        yield gpu
    finally:
        gpu.close()


def _shape_option(text: str) -> tuple[str, tuple[int, ...]]:
    name, equals, sizes = text.rpartition("=")
    parts = sizes.split(",") if sizes else []
    if not equals or not name or not all(part.isdecimal() for part in parts):
        raise argparse.ArgumentTypeError(f"'{text}' is not NAME=N,N,..., as in input=1,3,224,224")
    return name, tuple(int(part) for part in parts)


def _model_path(options: argparse.Namespace) -> Path:
    path = Path(options.model)
    builtins = builtin_models()
    if options.model in builtins:
        return builtins[options.model].path
    try:
        there = path.is_file()
    except (OSError, ValueError):  # longer than the system takes, or with a zero byte
        there = False
    if not there:
        raise UsageError(f"There is no model {options.model}; give the path of an .onnx file.")
    return path


def _bytes(count: int) -> str:
    value, unit = float(count), "B"
    for unit in ("B", "KiB", "MiB", "GiB"):
        if value < 1024 or unit == "GiB":
            break
        value /= 1024
    return f"{value:.0f} {unit}" if unit == "B" else f"{value:.1f} {unit}"


def _amount(count: float) -> str:
    for size, letter in ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")):
        if count >= size:
            return f"{count / size:.2f} {letter}"
    return f"{count:.0f} "


def _print_json(document: dict[str, Any]) -> None:
    console.out_json(document)


# -- check ------------------------------------------------------------------------------------------------------------


def _check(options: argparse.Namespace) -> int:
    from desktop.compute.nn.measure.report import DEFAULT_LIMITS, examine

    path = _model_path(options)
    with _gpu(options, needed=False) as gpu:
        adapter = "no adapter: WebGPU's default limits" if gpu is None else str(gpu.adapter)
        targets: dict[str, Any] = dict(DEFAULT_LIMITS)
        if gpu is not None:
            targets = {"fp32": _target(gpu, "fp32"), "fp16": _target(gpu, "fp16")}
        report = examine(path, targets, input_shapes=dict(options.shape))
    if options.json:
        _print_json({**asdict(report), "limits_of": adapter})
    else:
        _print_report(report, adapter)
    if report.refused:
        if not options.json:
            console.flush()
        raise ModelUnsupportedError(report.refused, report.unsupported)
    return 0


def _target(gpu: Gpu, precision: Precision) -> Any:
    """What to plan for, or the sentence that says why this adapter does not take the precision."""
    from desktop.compute.nn.compile.target import target_of

    try:
        return target_of(gpu, precision)
    except ModelUnsupportedError as error:
        return str(error)


def _print_report(report: Any, adapter: str) -> None:
    opsets = ", ".join(f"{domain} {version}" for domain, version in report.opsets.items())
    console.out(
        f"{report.model}  {_bytes(report.file_bytes)}, {report.producer or 'no producer'}, opset {opsets}"
    )
    for kind, infos in (("input", report.inputs), ("output", report.outputs)):
        for info in infos:
            shape = " x ".join(str(n) for n in info.shape)
            console.out(f"  {kind:12}{info.name}  {info.dtype} {shape}")
    console.out(f"  {'operators':12}" + ", ".join(f"{op} {count}" for op, count in report.operators.items()))
    console.out(f"  {'parameters':12}{report.parameters:,}")
    if report.flops is not None:
        console.out(f"  {'FLOPs':12}{_amount(report.flops)}FLOP (2 x multiply-adds), the most in:")
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
            f"  {choice.precision + auto:12}{choice.dispatches} dispatches{whole}, weights {_bytes(m.weights)}, "
            f"activations {_bytes(m.activations)} (needed at once: {_bytes(m.peak_live)})"
        )
    for what in report.unsupported:
        console.out(f"  {'unsupported':12}{what}")
    console.out(f"  {'limits of':12}{adapter}")


# -- run --------------------------------------------------------------------------------------------------------------


def _read_arrays(path: Path) -> dict[str, np.ndarray]:
    try:
        with open_regular(path) as file, np.load(file, allow_pickle=False) as archive:
            if not isinstance(archive, np.lib.npyio.NpzFile):
                raise ValueError("it holds one array without a name")
            return {name: archive[name] for name in archive.files}
    except (
        OSError,
        ValueError,
        EOFError,
        zipfile.BadZipFile,
        zlib.error,
        MemoryError,
        AttributeError,
    ) as error:
        what = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise UsageError(
            f"The inputs {path} cannot be read ({what.rstrip('.')}); give an .npz file with one array an input."
        ) from error


def _write_arrays(path: Path, arrays: dict[str, np.ndarray]) -> None:
    # Not np.savez: it takes the names as keyword arguments, and an output may be called 'file'.
    try:
        with replaced(path) as file, zipfile.ZipFile(file, "w") as archive:
            for name, array in arrays.items():
                with archive.open(f"{name}.npy", "w", force_zip64=True) as entry:
                    np.lib.format.write_array(entry, np.asarray(array), allow_pickle=False)
    except (OSError, ValueError) as error:
        raise ExportError(
            f"The outputs {path} cannot be written ({reason(error)}); choose another place."
        ) from error


def _check_feeds(feeds: dict[str, np.ndarray], inputs: tuple[TensorInfo, ...], where: Path) -> None:
    takes = ", ".join(f"'{i.name}' ({i.dtype} {' x '.join(map(str, i.shape))})" for i in inputs) or "none"
    for name in sorted({i.name for i in inputs} ^ set(feeds)):
        what = "has an array" if name in feeds else "lacks the input"
        raise ModelError(f"{where} {what} '{name}'; the network takes {takes}.")
    for info in inputs:
        array = feeds[info.name]
        if array.shape != info.shape or array.dtype.name != info.dtype:
            raise ModelError(
                f"The array '{info.name}' of {where} is {array.dtype} {list(array.shape)}; the network takes {takes}."
            )


def _run(options: argparse.Namespace) -> int:
    path, output = _model_path(options), Path(options.output)
    check_outputs(
        [NamedFile("output", output)], [NamedFile("model", path), NamedFile("input", Path(options.input))]
    )
    feeds = _read_arrays(Path(options.input))
    shapes = {name: array.shape for name, array in feeds.items()}
    with (
        _gpu(options, needed=options.backend == "wgpu") as gpu,
        _loaded(options, path, gpu, shapes) as session,
    ):
        _check_feeds(feeds, session.inputs, Path(options.input))
        options.interrupt.check()
        results = session.run(feeds)
    _write_arrays(output, results)
    for name, array in results.items():
        console.out(f"{name}  {array.dtype} {' x '.join(map(str, array.shape))}")
    console.out(output)
    return 0


@contextmanager
def _loaded(
    options: argparse.Namespace, path: Path, gpu: Gpu | None, shapes: Any, why: str = ""
) -> Iterator[Session]:
    """A session, with `why` in place of the loader's reason."""
    loaded = load_session(
        path,
        gpu=gpu,
        backend=options.backend,
        precision=options.precision,
        input_shapes=shapes,
    )
    session = loaded.session
    console.err(f"{session.backend}, {session.device}, {session.precision}: {why or loaded.reason}")
    try:
        yield session
    finally:
        session.close()


# -- verify -----------------------------------------------------------------------------------------------------------


@contextmanager
def _compared(options: argparse.Namespace, path: Path, gpu: Gpu | None) -> Iterator[Session]:
    """The session to be compared with onnxruntime: the own engine unless onnxruntime was asked for.

    'auto' would take onnxruntime on a software adapter and for a network that the engine refuses.
    """
    choose = "choose --backend onnxruntime to compare onnxruntime with its own optimisations switched off"
    if gpu is None and options.backend == "auto":
        raise ModelError(f"{path.name} was not compared: there is no adapter for the wgpu engine; {choose}.")
    why = ""
    if options.backend == "auto":
        options = argparse.Namespace(**{**vars(options), "backend": "wgpu"})
        why = "onnxruntime is what it is compared with."
    try:
        with _loaded(options, path, gpu, dict(options.shape), why) as session:
            yield session
    except ModelUnsupportedError as error:
        if not why:
            raise
        reason = str(error).rstrip(".").partition("; use the onnxruntime")[0]
        raise ModelUnsupportedError(
            f"{path.name} was not compared: {reason}; {choose}.", error.reasons
        ) from error


def _verify(options: argparse.Namespace) -> int:
    from desktop.compute.backends.onnxruntime import OnnxRuntimeSession
    from desktop.compute.models.facts import read_facts
    from desktop.compute.tasks.verification import verify

    path = _model_path(options)
    with (
        _gpu(options, needed=options.backend == "wgpu") as gpu,
        _compared(options, path, gpu) as session,
    ):
        shapes = {info.name: info.shape for info in session.inputs}
        # ONNX Runtime's kernels beside themselves would say nothing: beside it, the reference takes each node by itself, with no fusion.
        alone = session.backend == "onnxruntime"
        reference = OnnxRuntimeSession.load(path, input_shapes=shapes, reference=alone)
        try:
            facts = read_facts(path) if session.inputs else None
            errors = verify(
                session, reference, facts, runs=options.runs, seed=options.seed, check=options.interrupt.check
            )
        finally:
            reference.close()
        head = {"model": str(path), "backend": session.backend, "device": session.device}
        head["precision"] = session.precision
        head["reference"] = "onnxruntime node by node" if alone else "onnxruntime"
    if options.json:
        rows = [{k: _finite(v) for k, v in asdict(e).items()} | {"passed": e.passed} for e in errors]
        _print_json({**head, "outputs": rows})
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
            f"{path.name} on {session.backend} differs from onnxruntime by {worst.relative:.2g} in the output '{worst.output}' "
            f"on {worst.kind} input, more than {worst.limit:g}; use another backend or precision and report the model."
        )
    return 0


def _finite(value: Any) -> Any:
    """JSON has no infinity."""
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value


# -- profile ----------------------------------------------------------------------------------------------------------


def _profile(options: argparse.Namespace) -> int:
    from desktop.compute.nn.lowering.tuning import load_tuning, tuning_folder
    from desktop.compute.nn.measure.profile import profile_session
    from desktop.compute.nn.runtime.session import WgpuSession
    from desktop.compute.tasks.verification import random_input

    path = _model_path(options)
    with _gpu(options, needed=True) as gpu:
        assert gpu is not None
        session = WgpuSession.load(
            gpu,
            path,
            precision=options.precision,
            input_shapes=dict(options.shape),
            tuning=load_tuning(tuning_folder(), gpu.adapter),
        )
        try:
            generator = np.random.default_rng(0)
            session.run({info.name: random_input(info, generator) for info in session.inputs})
            profile = profile_session(session, options.runs)
        finally:
            session.close()
        if options.json:
            head = {"model": str(path), "device": str(gpu.adapter), "precision": session.precision}
            _print_json({**head, **profile.to_dict()})
            return 0
        _print_profile(profile, f"{gpu.adapter}, {session.precision}")
    return 0


def _print_profile(profile: Any, where: str) -> None:
    clock = profile.clock if profile.clock != "CPU" else "CPU (this adapter has no timestamps)"
    dispatches = sum(n.dispatches for n in profile.nodes)
    console.out(
        f"{where}: {profile.ms:.3f} ms in {dispatches} dispatches, timed by {clock}, median of {profile.runs} runs"
    )
    console.out(
        f"{'ms':>9} {'share':>6} {'disp.':>5} {'bytes':>10} {'GB/s':>8} {'FLOP':>9} {'GFLOP/s':>9}  node (kernels)"
    )
    for n in profile.nodes:
        share = n.ms / profile.ms if profile.ms else 0.0
        tuned = f"; tuned: {n.tuned}" if n.tuned else ""
        console.out(
            f"{n.ms:9.4f} {share:6.1%} {n.dispatches:5} {_bytes(n.bytes):>10} {n.byte_rate / 1e9:8.2f} "
            f"{_amount(n.flops):>9} {n.flop_rate / 1e9:9.2f}  {n.node} ({', '.join(n.kernels)}{tuned})"
        )


# -- tune -------------------------------------------------------------------------------------------------------------


def _tune(options: argparse.Namespace) -> int:
    if options.forget:
        return _forget_tunings(options)
    if options.model is None:
        raise UsageError("There is no model to tune; give the path of an .onnx file, or --forget.")
    from desktop.compute.nn.measure.tuner import Tuner
    from desktop.compute.tasks.verification import random_input

    path = _model_path(options)
    with _gpu(options, needed=True) as gpu:
        assert gpu is not None
        tuner = Tuner.load(gpu, path, precision=options.precision, input_shapes=dict(options.shape))
        try:
            generator = np.random.default_rng(0)
            feeds = {info.name: random_input(info, generator) for info in tuner.inputs}
            outcome = _tuned(options, gpu, tuner, feeds)
        finally:
            tuner.close()
        head = {"model": str(path), "device": str(gpu.adapter), "precision": tuner.precision}
    document = {**head, "clock": tuner.clock, "shapes": tuner.shapes, **outcome}
    if options.json:
        _print_json({**document, "difference": _finite(document["difference"])})
    else:
        _print_tuning(document)
    return 0


def _tuned(options: argparse.Namespace, gpu: Gpu, tuner: Any, feeds: dict[str, np.ndarray]) -> dict[str, Any]:
    """Measure, keep what is faster, and say so; what was measured before Ctrl+C is kept too."""
    from desktop.compute.nn.lowering.tuning import Tuning, load_tuning, save_tuning, tuning_folder

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
    """One line on stderr, drawn anew; silent where stderr is no terminal."""
    if console.shows_progress():
        console.progress(text)


def _print_tuning(document: dict[str, Any]) -> None:
    from desktop.compute.nn.measure.tuner import SLOWER

    measured = document["measured"]
    faster = [m for m in measured if m["is_tuned"]]
    console.out(
        f"{document['device']}, {document['precision']}: {len(measured)} of {document['shapes']} shapes measured by "
        f"{document['clock']}, {len(faster)} have a faster kernel than the rule's"
    )
    if faster:
        console.out(f"{'rule ms':>9} {'ms':>9} {'times':>5}  node: rule's kernel -> faster one")
    for m in faster:
        console.out(
            f"{m['rule_ms']:9.4f} {m['winner_ms']:9.4f} {m['count']:5}  {m['node']}: {m['rule']} -> {m['winner']}"
        )
    for m in measured:
        for trial in m["trials"]:
            if trial["note"] not in ("", SLOWER):
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


def _forget_tunings(options: argparse.Namespace) -> int:
    from desktop.compute.nn.lowering.tuning import forget_tunings, tuning_folder

    if options.model is not None:
        raise UsageError("--forget deletes the tunings of all networks; leave the model out.")
    count = forget_tunings(tuning_folder())
    if options.json:
        _print_json({"forgotten": count})
    else:
        console.out(
            f"{count} tuning{'s' * (count != 1)} deleted" if count else "There was no tuning to delete"
        )
    return 0


# -- arguments --------------------------------------------------------------------------------------------------------


def _runs(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= 1000:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number of runs from 1 to 1000")
    return int(text)


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not 1 <= seconds <= 3600:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number of seconds from 1 to 3600")
    return seconds


def add_model_commands(commands: Any) -> None:
    """Add `model` and what follows it to the command line's subcommands."""
    text = "Look into a network: what it is, whether it is right, where its time goes, and make it take less."
    actions = commands.add_parser("model", help=text, description=text).add_subparsers(
        dest="action", required=True, metavar="check|run|verify|profile|tune"
    )

    def action(name: str, run: Any, text: str) -> argparse.ArgumentParser:
        parser: argparse.ArgumentParser = actions.add_parser(name, help=text, description=text)
        parser.set_defaults(run=run)
        optional: dict[str, Any] = {"nargs": "?"} if name == "tune" else {}
        parser.add_argument("model", metavar="M", help="an .onnx file", **optional)
        parser.add_argument(
            "--adapter", metavar="NAME", help="GPU to use: part of a name that 'lightloom devices' lists"
        )
        if name != "check":
            parser.add_argument("--precision", choices=("auto", "fp32", "fp16"), default="auto")
        if name in ("run", "verify"):
            parser.add_argument("--backend", choices=("auto", "wgpu", "onnxruntime"), default="auto")
        if name != "run":
            parser.add_argument(
                "--shape", metavar="NAME=N,N,...", type=_shape_option, action="append", default=[],
                help="size of an input with free dimensions",
            )  # fmt: skip
            parser.add_argument("--json", action="store_true")
        return parser

    action("check", _check, "Tell what a model is, what it costs and what of it is not supported.")
    run = action("run", _run, "Run a network on arrays.")
    run.add_argument("--input", metavar="IN.npz", required=True, help="arrays named as the network's inputs")
    run.add_argument("--output", metavar="OUT.npz", required=True, help="file for the outputs")
    verify = action(
        "verify", _verify, "Compare the wgpu engine's outputs with onnxruntime's, on a software adapter too."
    )
    verify.add_argument("--runs", metavar="N", type=_runs, default=2, help="runs of each kind of input")
    verify.add_argument("--seed", metavar="N", type=int, default=0, help="seed of the inputs")
    profile = action("profile", _profile, "Time each node of a network on the GPU.")
    profile.add_argument("--runs", metavar="N", type=_runs, default=5, help="runs to take the median of")
    tune = action(
        "tune", _tune, "Measure which kernels are fastest for a network's shapes on this GPU, and keep that."
    )
    tune.add_argument(
        "--seconds", metavar="N", type=_seconds, default=30.0, help="time for measuring, default 30"
    )
    tune.add_argument("--forget", action="store_true", help="delete everything that was measured")
