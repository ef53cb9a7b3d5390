"""The command line: the same sources, engine and networks as the window, without one.

Exit status 0; 1 for what failed, with one sentence on stderr; 2 for a command that is typed wrongly.
"""

from __future__ import annotations

import argparse
import itertools
import json
import logging
import platform
import re
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from desktop import console
from desktop.compute.batch import BatchResult, check_stages, prefetch, run_batch
from desktop.compute.chain.runner import chain_of, parse_stage
from desktop.compute.engine import Engine
from desktop.compute.filters.description import Filter
from desktop.compute.filters.judge import FilterJudge, trusts_shaders
from desktop.compute.filters.library import FilterLibrary
from desktop.compute.gpu.device import Gpu, list_adapters
from desktop.compute.media.frame import Frame
from desktop.compute.media.sources.base import Source
from desktop.compute.media.sources.opening import open_source
from desktop.compute.models.builtin import builtin_models
from desktop.compute.models.sidecar import sidecar_path
from desktop.compute.outputs.export import IMAGE_SUFFIXES, VIDEO_SUFFIXES, Recorder, write_image
from desktop.compute.presets.bundle import open_preset
from desktop.compute.presets.preset import NetworkSpec, Setup
from desktop.compute.running.live import LiveNetwork
from desktop.compute.running.picture_network import Reading
from desktop.compute.tasks.classification import Classification
from desktop.compute.tasks.detection.detector import Detections
from desktop.compute.tasks.labels import sidecar_labels
from desktop.errors import ExportError, LightloomError, StoppedError, UsageError
from desktop.files import is_special, reason, replace_file, same_file
from desktop.interrupt import Interrupt
from desktop.library_cli import add_library_commands
from desktop.model_cli import add_model_commands
from desktop.output_names import NamedFile, check_outputs
from desktop.paths import user_cache_folder, user_filter_folder
from desktop.version import package_version
from desktop.wording import counted


@dataclass
class Report:
    """What `--report` and `--json` print; times in milliseconds, sizes in bytes."""

    frames: int
    dropped: int
    fps: float
    seconds: float
    latency_ms: dict[str, float | None]
    stages: list[dict[str, Any]]
    adapter: str
    backend: str
    timing_source: str
    upload_bytes_per_frame: int
    readback_bytes_per_frame: int
    export_bytes_per_frame: int = 0
    network: str = ""
    stage_networks: list[dict[str, str]] = field(default_factory=list)
    predictions: list[dict[str, Any]] = field(default_factory=list)


def make_report(engine: Engine, source: Source, result: BatchResult) -> Report:
    """Gather the report of a run."""
    stats = engine.pipeline.stats
    statuses = engine.pipeline.stage_statuses
    titles = {f"filter:{s.id}": s.name for s in statuses}
    titles |= {f"network:{s.id}": f"Network of {s.name}" for s in statuses}
    stages = [
        {
            "name": titles.get(s.name, s.name),
            "gpu_ms": None if s.gpu_ms is None else round(s.gpu_ms, 4),
            "cpu_ms": round(s.cpu_ms, 4),
        }
        for s in stats.stages
    ]
    return Report(
        frames=result.frames,
        dropped=source.stats.dropped + stats.skipped,
        fps=round(result.fps, 2),
        seconds=round(result.seconds, 3),
        latency_ms=engine.pipeline.latency.percentiles.to_dict(),
        stages=stages,
        adapter=str(engine.gpu.adapter),
        backend=engine.gpu.adapter.backend,
        timing_source=stats.timing_source,
        upload_bytes_per_frame=stats.upload_bytes,
        readback_bytes_per_frame=stats.readback_bytes,
        network=engine.network_status.text,
        stage_networks=[{"stage": s.name, "text": s.network.text} for s in statuses if s.network is not None],
    )


class Progress:
    """One line on stderr, drawn anew ten times a second; silent where stderr is no terminal."""

    def __init__(self, total: int) -> None:
        self._total = total
        self._begun = self._drawn = time.perf_counter()
        self._shown = console.shows_progress()

    def update(self, done: int) -> None:
        """Show that `done` frames are through."""
        now = time.perf_counter()
        if not self._shown or now - self._drawn < 0.1:
            return
        self._drawn = now
        rate = done / max(now - self._begun, 1e-6)
        text = f"{counted(done, 'frame')}, {rate:.1f} a second"
        if self._total:
            share = min(done / self._total, 1.0)
            bar = "#" * round(share * 30)
            text = f"[{bar:<30}] {share:4.0%}  {text}, {max(self._total - done, 0) / rate:.0f} s left"
        console.progress(text)

    def done(self) -> None:
        """End the line."""
        if self._shown:
            console.progress("")


# -- what commands share ----------------------------------------------------------------------------------------------


def _network_spec(options: argparse.Namespace) -> NetworkSpec | None:
    if options.model is None:
        return None
    path = Path(options.model)
    builtins = builtin_models()
    if options.model in builtins:
        path = builtins[options.model].path
    if not _exists(path) or path.is_dir() or is_special(path):
        raise UsageError(
            f"There is no model file {options.model}; give the path of an .onnx file, or one of {', '.join(builtins)}."
        )
    spec = NetworkSpec(str(path), options.backend, options.precision)
    chosen = {
        name: getattr(options, name) for name in ("task", "top", "score", "iou", "classes") if name in options
    }
    return replace(spec, **chosen)


def _setup(options: argparse.Namespace, library: FilterLibrary) -> Setup:
    setup = Setup()
    if options.preset is not None:
        loaded = open_preset(Path(options.preset), library)
        for shader in loaded.shaders:
            library.add(shader)
        for warning in loaded.warnings:
            console.fail(warning)
        setup = loaded.setup
    items = [parse_stage(text) for text in options.filter]
    return Setup(chain_of(library, items, setup.chain), _network_spec(options) or setup.network)


def _engine(options: argparse.Namespace, library: FilterLibrary, *, in_flight: int = 2) -> Engine:
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


# -- process ----------------------------------------------------------------------------------------------------------


# As printf and FFmpeg write it: %d, %04d.
_NUMBER: Final = re.compile(r"%(0[1-9])?d")


class _Output:
    """Where `process` puts its pictures: a video, or (for a picture's suffix) one image, the last, or one each if the name numbers them."""

    def __init__(self, path: Path, source: Source, rate: float, snapshot: Path | None) -> None:
        self._path = path
        self._is_video = path.suffix.lower() in VIDEO_SUFFIXES
        self._is_series = _is_series(path)
        self._source = source
        self._rate = rate
        self._snapshot = snapshot
        self._recorder: Recorder | None = None
        self._first_pts = 0.0
        self._last: Any = None
        self._count = 0
        self.bytes_per_frame = 0

    def add(self, picture: Any, pts: float) -> None:
        """Take one picture."""
        self._last = picture
        self._count += 1
        self.bytes_per_frame = picture.nbytes
        if self._is_series:
            write_image(picture, self._path.with_name(_numbered(self._path.name, self._count)))
        if not self._is_video:
            return
        if self._recorder is None:
            self._first_pts = pts
            audio = getattr(self._source, "path", None)
            size = (picture.shape[1], picture.shape[0])
            self._recorder = Recorder(
                self._path, size, self._rate, audio_from=audio, audio_offset=pts, wait=True
            )
        self._recorder.add(picture, pts - self._first_pts)

    def abandon(self) -> str:
        """Finish what can be finished after something went wrong; return a sentence about what there is, '' for nothing."""
        done, place = self._count if self._is_series else 0, self._path
        if self._recorder is not None:
            kept = self._recorder.abandon()
            done, place = self._recorder.written if kept else 0, kept or place
        return f"What was done until then, {counted(done, 'frame')}, is in {place}." if done else ""

    def close(self, *, whole: bool) -> list[Path]:
        """Finish; return the files written. `whole`: that was all of the input."""
        if self._recorder is not None:
            self._recorder.close(whole=whole)
            for note in self._recorder.notes:
                console.fail(note)
        if self._last is None:
            raise ExportError("The input gave no picture, so nothing was written.")
        written = [self._path]
        if not self._is_video and not self._is_series:
            write_image(self._last, self._path)
            if self._count > 1:
                each = self._path.with_stem(f"{self._path.stem}-%04d")
                console.fail(
                    f"Only the last of {self._count} pictures is in {self._path}; "
                    f"to keep them all, name a video or, to have them numbered, {each}."
                )
        if self._snapshot is not None:
            write_image(self._last, self._snapshot)
            written.append(self._snapshot)
        return written


def _is_series(path: Path) -> bool:
    return path.suffix.lower() in IMAGE_SUFFIXES and bool(_NUMBER.search(path.name))


def _numbered(name: str, number: int) -> str:
    return _NUMBER.sub(lambda match: f"{number:{match[1] or ''}d}", name)


def _expected_frames(source: Source, limit: int) -> int:
    total = round(source.info.duration * source.info.rate)
    return min(total, limit) if limit and total else limit or total


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):  # longer than the system takes, say; whoever opens it will explain
        return False


def _check_names(options: argparse.Namespace) -> None:
    # Before any work: an hour of it should not end in a name that was never good.
    both = VIDEO_SUFFIXES + IMAGE_SUFFIXES
    for what, name, suffixes in (
        ("output", options.output, both),
        ("snapshot", options.snapshot, IMAGE_SUFFIXES),
        ("report", options.report, ()),
    ):
        if name is None:
            continue
        if suffixes and Path(name).suffix.lower() not in suffixes:
            raise UsageError(f"The {what} '{name}' must end in one of {', '.join(suffixes)}.")
        path = Path(name)
        if not name or (_exists(path) and path.is_dir()):
            raise UsageError(f"The {what} '{name}' is not the name of a file.")
        if not _exists(path.parent):
            raise UsageError(
                f"The folder {path.parent} for the {what} does not exist; make it, or choose another one."
            )
    if not options.input:
        raise UsageError("The input has no name; give a file, a folder, an address or 'sample:'.")


def _check_files(options: argparse.Namespace, setup: Setup, library: FilterLibrary) -> None:
    """Refuse outputs that would destroy what the command reads."""
    source = Path(options.input)
    inputs = [NamedFile("input", source)]
    if options.preset is not None:
        inputs.append(NamedFile("preset", Path(options.preset)))
    for stage in setup.chain.stages:
        item = library.get(stage.filter)
        inputs.append(NamedFile(f"filter '{stage.filter}'", Path(item.path)))
        for param in item.files:
            if value := str(stage.values.get(param.name, "")):
                inputs += _model_files(Path(value), f"{param.name} of '{stage.filter}'")
    if setup.network is not None:
        inputs += _model_files(Path(setup.network.model), "network")
    names = (("output", options.output), ("snapshot", options.snapshot), ("report", options.report))
    outputs = [NamedFile(what, Path(name)) for what, name in names if name is not None]
    check_outputs(outputs, inputs)
    # A numbered picture could replace one that is still to be read.
    output = outputs[0].path
    numbered = _is_series(output) and source.suffix.lower() in IMAGE_SUFFIXES and _exists(source)
    if numbered and same_file(output.parent, source.parent):
        raise UsageError(f"{output} would be among the pictures of the input; choose another folder.")


def _model_files(path: Path, what: str) -> list[NamedFile]:
    beside = (sidecar_path(path), sidecar_labels(path)) if path.suffix.lower() == ".onnx" else ()
    return [NamedFile(what, path), *(NamedFile(f"settings of the {what}", p) for p in beside if p)]


def _process(options: argparse.Namespace) -> int:
    _check_names(options)
    library = FilterLibrary(user_filter_folder())
    setup = _setup(options, library)
    _check_files(options, setup, library)
    source = open_source(options.input)
    if source.info.live and not options.max_frames:
        raise UsageError("A live source never ends; say with --max-frames how many frames to process.")
    engine = _engine(options, library)
    options.interrupt.on_ask.append(engine.stop)
    frames: Iterator[Frame] = prefetch(source.frames())
    try:
        engine.set_setup(setup)
        first = next(frames, None)
        if first is None:
            raise ExportError(f"{options.input} gave no picture, so nothing was written.")
        _process_frames(options, engine, source, itertools.chain([first], frames))
    except StoppedError as stopped:
        stopped.is_busy = not engine.pipeline.drain(0.5)
        if stopped.is_busy:
            raise  # closing would wait for the GPU; the process ends without
        engine.close()
        raise
    except BaseException:
        engine.close()
        raise
    else:
        engine.close()
    finally:
        frames.close()  # type: ignore[attr-defined]
        source.close()
    return 0


def _process_frames(
    options: argparse.Namespace, engine: Engine, source: Source, frames: Iterator[Frame]
) -> None:
    snapshot = Path(options.snapshot) if options.snapshot else None
    output = _Output(Path(options.output), source, source.info.rate or 30.0, snapshot)
    progress = Progress(_expected_frames(source, options.max_frames))
    predictions: list[dict[str, Any]] = []
    options.interrupt.last_words = lambda: f"Stopped. {output.abandon()}".rstrip()

    def on_frame(count: int, frame: Frame) -> bool:
        progress.update(count)
        options.interrupt.check()
        _note_prediction(engine, predictions)
        check_stages(engine)
        return True

    try:
        result = run_batch(
            engine, frames, on_picture=output.add, on_frame=on_frame, max_frames=options.max_frames
        )
    except (KeyboardInterrupt, StoppedError):
        options.interrupt.notice()
        progress.done()
        raise StoppedError(f"Stopped. {output.abandon()}".rstrip()) from None
    except LightloomError as error:
        progress.done()
        if saved := output.abandon():
            raise LightloomError(f"{error} {saved}") from error
        raise
    progress.done()
    check_stages(engine)
    _note_prediction(engine, predictions)
    written = output.close(whole=result.frames != options.max_frames)
    report = make_report(engine, source, result)
    report.export_bytes_per_frame = output.bytes_per_frame
    report.predictions = predictions
    if options.report:
        written.append(_write_report(report, Path(options.report)))
    console.out(f"{counted(result.frames, 'frame')} at {result.fps:.1f} a second on {engine.gpu.adapter}")
    for path in written:
        console.out(path)


def _note_prediction(engine: Engine, predictions: list[dict[str, Any]]) -> None:
    latest = engine.pipeline.latest
    if latest is None or (predictions and predictions[-1]["pts"] == latest.note):
        return
    predictions.append({"pts": latest.note, **_said(latest)})


def _said(reading: Reading) -> dict[str, Any]:
    """What a network said, as JSON has it: 'top', or 'objects' with boxes in pixels of the picture (left, top, right, bottom)."""
    if isinstance(reading, Detections):
        return {
            "size": list(reading.size),
            "objects": [asdict(item) for item in reading.objects],
            "left_out": reading.left_out,
        }
    assert isinstance(reading, Classification)
    return {"top": [asdict(item) for item in reading.predictions]}


def _write_report(report: Report, path: Path) -> Path:
    try:
        replace_file(path, [json.dumps(asdict(report), indent=1).encode()])
    except (OSError, ValueError) as error:
        raise ExportError(f"The report {path} cannot be written: {reason(error)}.") from error
    return path


# -- classify, detect -------------------------------------------------------------------------------------------------


def _look(options: argparse.Namespace) -> int:
    spec = _network_spec(options)
    if spec is None:
        raise UsageError("Say with --model which network to use.")
    library = FilterLibrary(None)
    engine = _engine(options, library, in_flight=1)
    results: list[dict[str, Any]] = []
    failures = 0
    try:
        engine.set_setup(Setup(network=spec))
        if not options.json:
            for line in engine.network_status.text.splitlines():
                console.err(line)
        for path in options.input:
            try:
                results += _look_at_source(engine, path, options)
            except LightloomError as error:
                failures += 1
                console.fail(error)
        if options.json:
            document = {
                "network": engine.network_status.text,
                "adapter": str(engine.gpu.adapter),
                "results": results,
            }
            console.out_json(document)
    finally:
        engine.close()
    return 1 if failures else 0


def _look_at_source(engine: Engine, path: str, options: argparse.Namespace) -> list[dict[str, Any]]:
    source = open_source(path)
    found: list[dict[str, Any]] = []
    frames = source.frames()
    try:
        for count, frame in enumerate(frames, 1):
            options.interrupt.check()
            # A folder gives many pictures: each has a name of its own.
            file = str(Path(path) / source.info.detail["name"]) if source.info.kind == "folder" else path
            entry = {
                "input": path,
                "file": file,
                "pts": round(frame.pts, 4),
                **_said(engine.look_once(frame)),
            }
            found.append(entry)
            if not options.json:
                _print_entry(entry, source.info.duration > 0)
            if count == options.max_frames:
                break
    finally:
        frames.close()  # type: ignore[attr-defined]
        source.close()
    return found


def _print_entry(entry: dict[str, Any], with_time: bool) -> None:
    console.out(f"{entry['file']} {entry['pts']:.3f} s" if with_time else entry["file"])
    for item in entry.get("top", ()):
        console.out(f"  {item['probability']:7.2%}  {item['label']}")
    for item in entry.get("objects", ()):
        left, top, right, bottom = (round(v) for v in item["box"])
        console.out(f"  {item['score']:7.2%}  {item['label']:16} {left},{top} to {right},{bottom}")
    if entry.get("objects") == []:
        console.out("  nothing found; a lower --score finds more")
    if entry.get("left_out"):
        console.out(f"  not looked at: {counted(entry['left_out'], 'more candidate')}; raise --score")


# -- filters, devices, doctor -----------------------------------------------------------------------------------------


def _filters(options: argparse.Namespace) -> int:
    library = FilterLibrary(user_filter_folder())
    items = sorted(library.filters.values(), key=lambda f: (f.group, f.title))
    if options.json:
        table = [
            {
                "name": f.id,
                "title": f.title,
                "group": f.group,
                "help": f.help,
                "builtin": f.builtin,
                "params": [asdict(p) for p in f.params],
            }
            for f in items
        ]
        errors = {path: str(error) for path, error in library.errors.items()}
        console.out_json({"filters": table, "errors": errors})
        return 0
    for item in items:
        console.out(f"{item.id:22} {item.group:12} {item.help}")
        for param in item.params:
            given = "".join(f" (with {name}={'|'.join(map(str, values))})" for name, values in param.when)
            console.out(f"    {param.name:18} {param.expects}; {param.help}{given}")
    for error in library.errors.values():
        console.fail(error)
    return 0


def _devices(options: argparse.Namespace) -> int:
    adapters = list_adapters()
    if options.json:
        console.out_json([asdict(a) for a in adapters])
        return 0
    if not adapters:
        raise LightloomError("No GPU adapter was found; 'lightloom doctor' says what is missing.")
    for number, adapter in enumerate(adapters):
        console.out(f"{'*' if number == 0 else ' '} {adapter}  {adapter.driver}")
    return 0


def _doctor(options: argparse.Namespace) -> int:
    from desktop.doctor import examine

    findings = examine(options.adapter)
    if options.json:
        console.out_json([asdict(f) for f in findings])
    else:
        for finding in findings:
            console.out(f"{finding.mark:<4}  {finding.what}: {finding.detail}")
    return 0 if all(f.ok for f in findings) else 1


def _bench_inference(options: argparse.Namespace) -> int:
    from desktop.inference_bench.run import bench_inference, print_rows

    print_rows(bench_inference(options), options.json)
    return 0


def _bench_pipeline(options: argparse.Namespace) -> int:
    from desktop.bench import bench_pipeline

    report = bench_pipeline(options, LiveNetwork.load)
    if options.json:
        console.out_json(report)
        return 0
    console.out(f"Python {platform.python_version()}, wgpu {package_version('wgpu')}, {report['adapter']}")
    console.out(f"{counted(report['frames'], 'frame')} of {report['input']}: {report['fps']} FPS")
    console.out("latency ms  " + "  ".join(f"{k} {v}" for k, v in report["latency_ms"].items()))
    for stage in report["stages"]:
        gpu = "-" if stage["gpu_ms"] is None else f"{stage['gpu_ms']:.3f}"
        console.out(f"  {stage['name']:24} GPU {gpu:>9} ms   CPU {stage['cpu_ms']:.3f} ms")
    console.out(
        f"upload {report['upload_bytes_per_frame']} bytes a frame, readback {report['readback_bytes_per_frame']}"
    )
    return 0


# -- arguments --------------------------------------------------------------------------------------------------------


def _add_network_options(
    parser: argparse.ArgumentParser, *, required: bool = False, default: str | None = None
) -> None:
    text = "network to run: an .onnx file, or one in the box by its name"
    if default is not None:
        text += f" (default: {default})"
    parser.add_argument("--model", metavar="M", required=required, default=default, help=text)
    parser.add_argument(
        "--backend",
        choices=("auto", "wgpu", "onnxruntime"),
        default="auto",
        help="what computes the network (default: auto, which is wgpu on a GPU and onnxruntime without one)",
    )
    parser.add_argument(
        "--precision",
        choices=("auto", "fp32", "fp16"),
        default="auto",
        help="numbers that wgpu keeps weights and tensors in (default: auto, the network's own)",
    )


def _count(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"'{text}' is not a whole number from 0 on")
    return int(text)


def _share(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0.0 <= value <= 1.0:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number from 0 to 1")
    return value


def _names(text: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in text.split(",") if name.strip())


def _seconds(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value <= 3600:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number of seconds up to 3600")
    return value


class _Command(console.Parser):
    """A subcommand's parser: complaints come under its own usage, and the values of `several` may stand on both sides of an option.

    argparse fills a list of positional arguments from the first run of them only, and its `parse_intermixed_args` takes no subparsers.
    """

    several = ""

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse; what is left is more of `several`, or an error of this subcommand."""
        known, left = super().parse_known_args(args, namespace)
        if left and self.several and not any(text.startswith("-") for text in left):
            setattr(known, self.several, [*getattr(known, self.several), *left])
        elif left:
            self.error(f"unrecognized arguments: {' '.join(left)}")
        return known, []


def _parser() -> argparse.ArgumentParser:
    parser = console.Parser(prog="lightloom")
    commands = parser.add_subparsers(dest="command", required=True, parser_class=_Command)

    def command(name: str, run: Any, text: str, within: Any = commands) -> _Command:
        sub: _Command = within.add_parser(name, help=text, description=text)
        sub.set_defaults(run=run)
        sub.add_argument(
            "--adapter", metavar="NAME", help="GPU to use: part of a name that 'lightloom devices' lists"
        )
        return sub

    process = command(
        "process", _process, "Run filters and a network over a video or picture and write the result."
    )
    process.add_argument(
        "input", metavar="INPUT", help="file, folder or address; 'sample:' is the built-in sample"
    )
    process.add_argument(
        "-o",
        "--output",
        metavar="OUT",
        required=True,
        help="video or picture to write; a picture's name with %%04d in it is numbered, one file a picture",
    )
    process.add_argument("--preset", metavar="P", help="preset file")
    process.add_argument(
        "--filter",
        metavar="NAME:key=value,...",
        action="append",
        default=[],
        help="add a filter, any number of times; two numbers are written as in vignette:center=0.1/0.2 "
        "('lightloom filters' lists all)",
    )
    process.add_argument(
        "--trust-shaders",
        action="store_true",
        help="run filters of your own without trying them in a process of their own first",
    )
    process.add_argument(
        "--max-frames", metavar="N", type=_count, default=0, help="stop after N frames (default: 0, all)"
    )
    process.add_argument("--snapshot", metavar="PNG", help="also write the last picture")
    process.add_argument("--report", metavar="R.json", help="write figures of the run")
    _add_network_options(process)

    for name, task, text in (
        ("classify", "classification", "Name what pictures and videos show."),
        ("detect", "detection", "Find things in pictures and videos: name, score and box of each."),
    ):
        look = command(name, _look, text)
        look.set_defaults(task=task)
        look.several = "input"
        look.add_argument(
            "input",
            nargs="+",
            metavar="IMAGE|VIDEO",
            help="files, folders of pictures, addresses or 'sample:'",
        )
        look.add_argument(
            "--max-frames",
            metavar="N",
            type=_count,
            default=0,
            help="frames of each input at most (default: 0, all)",
        )
        look.add_argument("--json", action="store_true", help="print the results as JSON")
        is_classification = task == "classification"
        _add_network_options(
            look, required=not is_classification, default="classifier" if is_classification else None
        )
        if is_classification:
            look.add_argument(
                "--top",
                type=int,
                choices=range(1, 11),
                default=5,
                metavar="K",
                help="classes to print, 1 to 10",
            )
            continue
        look.add_argument(
            "--score", type=_share, metavar="S", help="least score, 0 to 1 (default: the network's usual)"
        )
        look.add_argument(
            "--iou", type=_share, metavar="S", help="overlap above which the lower of two boxes goes, 0 to 1"
        )
        look.add_argument(
            "--classes", type=_names, metavar="A,B", default=(), help="classes to print (default: all)"
        )

    for name, run, text in (
        ("filters", _filters, "List the filters with their parameters."),
        ("devices", _devices, "List the GPU adapters, best first."),
        ("doctor", _doctor, "Check what Lightloom needs on this machine."),
    ):
        command(name, run, text).add_argument("--json", action="store_true", help="print it as JSON")

    add_model_commands(commands)
    add_library_commands(commands)

    text = "Measure the pipeline, or the network engine beside others."
    benches = commands.add_parser("bench", help=text, description=text).add_subparsers(
        dest="what", required=True, metavar="pipeline|inference"
    )
    pipeline = command(
        "pipeline", _bench_pipeline, "Measure the pipeline from decoding to presenting.", benches
    )
    pipeline.add_argument("--input", default="sample:", help="clip to run (default: the sample, see --size)")
    pipeline.add_argument("--size", default="1920x1080", help="size of the sample (default: 1920x1080)")
    pipeline.add_argument(
        "--filter", metavar="NAME:key=value,...", action="append", help="default: blur, LUT, sharpen"
    )
    _add_network_options(pipeline)
    inference = command(
        "inference",
        _bench_inference,
        "Measure the network engine beside others on the same networks.",
        benches,
    )
    inference.add_argument(
        "--models",
        metavar="M",
        nargs="*",
        default=[],
        help="ONNX files or names of its networks (default: all)",
    )
    inference.add_argument("--peers", default="none", help="all, none or names with commas (default: none)")
    for bench, what in ((pipeline, "of the measurement"), (inference, "for each network")):
        bench.add_argument("--seconds", type=_seconds, default=5.0, help=f"seconds {what} (default: 5)")
        bench.add_argument("--json", action="store_true", help="print the figures as JSON")
    return parser


def run_command(argv: Sequence[str]) -> int:
    """Run a subcommand; return the exit status.

    Raises:
        LightloomError: what failed.
    """
    options = _parser().parse_args(argv)
    # The command line says what there is to say itself; without a handler Python would print warnings, and tracebacks, to stderr.
    logging.getLogger("desktop").addHandler(logging.NullHandler())
    with Interrupt() as options.interrupt:
        return int(options.run(options))
