"""`lightloom analyze`: write a network's results for every frame of files and folders into a file."""

from __future__ import annotations

import argparse
import contextlib
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Final

from desktop.base import console
from desktop.base.addresses import public_name
from desktop.base.errors import LightloomError, StoppedError, UsageError
from desktop.base.files import exists, is_special
from desktop.base.output_names import NamedFile, check_outputs
from desktop.base.wording import counted
from desktop.cli import Command
from desktop.cli._anonymize import add_anonymize_options, check_anonymize, with_anonymize
from desktop.cli._decoding import add_decode_option, with_requested_decoder
from desktop.cli._engine import closing, make_engine, network_spec
from desktop.cli._live import LiveWatch, add_end_options, is_ended_by_user, report_end
from desktop.cli._metrics import add_metrics_option, metrics_served
from desktop.cli._options import add_adapter_option, add_frames_option, add_network_options
from desktop.cli._report import ProgressLine
from desktop.cli._scene import add_scene_options, check_scene, scene_spec
from desktop.cli._spread import GivenPiece, add_spread_options, given_piece
from desktop.cli._steering import Steering, add_steer_option, steered
from desktop.cli._task_settings import add_task_settings, check_task_settings, with_task_settings
from desktop.cli._zones import add_zone_options, events_done, print_counts, report_unknown_classes, with_zones
from desktop.media.sources.base import Source
from desktop.outputs.collect import (
    OtherInputError,
    Progress,
    Span,
    about_run,
    collect,
    describe_run,
    finish,
    journal_place,
    setup_for,
)
from desktop.outputs.incomplete_results import IncompleteResults
from desktop.outputs.journal import Journal
from desktop.outputs.result_format import About, ResultFormat
from desktop.outputs.results import format_for, format_names
from desktop.pipeline.engine import Engine
from desktop.pipeline.filters.library import FilterLibrary
from desktop.pipeline.running.network_spec import NetworkSpec
from desktop.pipeline.setup.setup import Setup
from desktop.vision.tracking.scene import TrackedResult


def _add_options(parser: argparse.ArgumentParser) -> None:
    add_adapter_option(parser)
    add_decode_option(parser)
    parser.add_argument(
        "input",
        nargs="+",
        metavar="INPUT",
        help="videos, images, folders of images, addresses or 'sample:'",
    )
    parser.add_argument(
        "-o",
        "--output",
        metavar="OUT",
        required=True,
        help="file to write; for yolo, and mot of several inputs, a folder",
    )
    parser.add_argument(
        "--format",
        choices=format_names(),
        default="",
        help="how it is written (default: by the ending of OUT: .jsonl, .csv or .parquet)",
    )
    add_scene_options(parser)
    add_zone_options(parser)
    add_anonymize_options(parser)
    add_frames_option(parser)
    add_end_options(parser)
    add_steer_option(parser)
    add_spread_options(parser)
    parser.add_argument(
        "--resume", action="store_true", help="go on with a run that was stopped, from its journal beside OUT"
    )
    add_metrics_option(parser)
    add_network_options(parser, required=True)


def _spec(options: argparse.Namespace) -> NetworkSpec:
    spec = with_task_settings(options, network_spec(options))
    if spec is None:
        raise UsageError("Say with --model which network to use.")
    return spec


def _check_settings(options: argparse.Namespace, engine: Engine, spec: NetworkSpec) -> None:
    if engine.current.takes_prompts:
        raise UsageError(
            f"{Path(spec.model).name} segments the object at a point; give it with 'lightloom segment', "
            "one image at a time."
        )
    check_task_settings(options, engine)


def _check_names(options: argparse.Namespace, target: Path, spec: NetworkSpec) -> None:
    # Checked first, so that hours of work do not end in an invalid output name.
    if not all(options.input):
        raise UsageError("An input has no name; give files, folders, addresses or 'sample:'.")
    if not (exists(target.parent) and target.parent.is_dir()):
        raise UsageError(
            f"The folder {target.parent} for the output does not exist; make it, or choose another one."
        )
    inputs = [NamedFile("input", Path(name)) for name in options.input]
    check_outputs([NamedFile("output", target)], [*inputs, NamedFile("network", Path(spec.model))])


def _check_target(chosen: ResultFormat, target: Path, about: About) -> None:
    is_folder = exists(target) and target.is_dir()
    if is_folder and not chosen.writes_folder(about):
        raise UsageError(f"The output '{target}' is a folder; give the name of a file for {chosen.title}.")
    if chosen.writes_folder(about) and exists(target) and not is_folder:
        raise UsageError(f"The output '{target}' is a file; give the name of a folder for {chosen.title}.")
    chosen.check(about, target)


def _span(options: argparse.Namespace, piece: GivenPiece | None) -> Span:
    if piece is None or piece.span is None:
        return Span(most=options.max_frames, seconds=options.duration)
    return Span(piece.span.start, piece.span.end, is_piece=True)


def _spread(options: argparse.Namespace, chosen: ResultFormat, setup: Setup) -> int:
    # Imported on demand: the command line starts quickly without it.
    from desktop.cli._spread_analyze import spread_analyze

    return spread_analyze(options, chosen, setup, _check_target)


def _run(options: argparse.Namespace) -> int:
    return steered(options, _steered_run)


def _steered_run(options: argparse.Namespace, steering: Steering) -> int:
    chosen = format_for(Path(options.output), options.format)
    piece = given_piece(options)
    target = Path(options.output)
    spec, scene = _spec(options), with_zones(options, scene_spec(options))
    _check_names(options, target, spec)
    if piece is None and options.on is not None:
        return _spread(options, chosen, with_anonymize(options, setup_for(spec, scene)))
    span = _span(options, piece)
    run = describe_run(options.input, spec, scene, span)
    engine = make_engine(options, FilterLibrary(None), in_flight=1)
    options.interrupt.on_request.append(engine.stop)
    with closing(engine):
        engine.current.set_setup(with_anonymize(options, setup_for(spec, scene)))
        check_anonymize(engine)
        check_scene(options, engine)
        report_unknown_classes(engine)
        _check_settings(options, engine, spec)
        about = about_run(engine, len(options.input))
        if piece is None:
            _check_target(chosen, target, about)
            if said := chosen.note(about):
                console.fail(said)
        for line in engine.current.network_status.text.splitlines():
            console.err(line)
        if piece is not None:
            run["about"] = asdict(about)
        watch = LiveWatch()
        with (
            contextlib.nullcontext(target) if piece is not None else journal_place(target) as place,
            metrics_served(options, engine, failed_sources=lambda: watch.breaks, source=lambda: watch.source),
        ):
            journal = Journal.resume(place, run) if options.resume else Journal.begin(place, run)
            try:
                last: list[TrackedResult] = []
                incomplete = IncompleteResults()
                with events_done(engine, scene) as events:

                    def on_tracked_result(tracked_result: TrackedResult, name: str) -> None:
                        events.buffer_shown(tracked_result.pts)
                        events.take(tracked_result, name)
                        incomplete.add(tracked_result.result)
                        last[:] = [tracked_result]

                    failures, messages = _collect(
                        options, engine, journal, span, on_tracked_result, steering, watch
                    )
                for note in incomplete.notes:
                    console.fail(note)
                    steering.send(note=note)
                pictures = journal.pictures
                # The result of a piece is its journal: results are written from all of them together.
                written = finish(journal, chosen, target, about) if piece is None else (target,)
            finally:
                journal.close()
    # Standard output may carry the results.
    print_line = console.err if is_special(target) else console.out
    print_line(counted(pictures, "frame"))
    if len(options.input) == 1 and last:
        print_counts(last[0], print_line)
    for path in written:
        print_line(path)
    # As for `process`: to a controller, or the driver of pieces, a failed status means that nothing was written.
    is_incomplete = bool(messages or events.undelivered)
    if is_incomplete:
        steering.send(is_incomplete=True)
    return 1 if failures or (is_incomplete and options.steer is None and piece is None) else 0


def _collect(
    options: argparse.Namespace,
    engine: Engine,
    journal: Journal,
    span: Span,
    on_tracked_result: Callable[[TrackedResult, str], None],
    steering: Steering,
    watch: LiveWatch,
) -> tuple[int, int]:
    """Return how many inputs failed, and how many problems were reported, unreadable frames included."""
    messages: list[str] = []
    line = ProgressLine(len(options.input), journal.pictures)

    def journal_note() -> str:
        if not journal.pictures:
            journal.delete()
            return ""
        done = counted(journal.pictures, "frame")
        return f" What was seen until then, in {done}, is in {journal.path}; --resume goes on with it."

    def on_progress(progress: Progress) -> None:
        line.update(progress.number, progress.share, journal.pictures)
        steering.progress(progress.done, progress.total)
        check()

    def check() -> None:
        steering.check()
        options.interrupt.check()

    def opened(source: Source) -> None:
        sources.append(with_requested_decoder(source, options))
        watch.follow(source, options)

    sources: list[Source] = []
    options.interrupt.last_words = lambda: f"Stopped.{journal_note()}"
    try:
        report = _failure_reporter(line, messages)
        failures = collect(
            engine, options.input, journal, span, on_progress, report, on_tracked_result, opened, check
        )
        return failures, len(messages)
    except (KeyboardInterrupt, StoppedError):
        options.interrupt.acknowledge()
        if sources and is_ended_by_user(sources[-1], options) and journal.pictures:
            for name in options.input[len(sources) :]:
                report(f"{public_name(name)} was not processed: the run was stopped before that.")
            return 0, len(messages)
        raise StoppedError(f"Stopped.{journal_note()}") from None
    except OtherInputError:  # the journal's note advises to resume, which is what failed
        raise
    except LightloomError as error:
        if said := journal_note():
            raise LightloomError(f"{error}{said}") from error
        raise
    finally:
        line.done()
        for source in sources:
            report_end(source)


def _failure_reporter(line: ProgressLine, messages: list[str]) -> Callable[[str], None]:
    def report(text: str) -> None:
        messages.append(text)
        line.done()
        console.fail(text)

    return report


COMMAND: Final = Command(
    "Write a network's results for videos and images to a file.",
    _run,
    _add_options,
    several="input",
    add_late_options=add_task_settings,
)
