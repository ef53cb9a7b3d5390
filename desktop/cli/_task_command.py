"""The commands of tasks: run a network on frames and videos and print its results."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any

from desktop.base import console
from desktop.base.addresses import public_name
from desktop.base.errors import LightloomError, ModelUnsupportedError, OutputError, UsageError
from desktop.cli import Command
from desktop.cli._decoding import add_decode_option, with_requested_decoder
from desktop.cli._engine import make_engine, network_spec
from desktop.cli._frame_results import FrameResult
from desktop.cli._live import (
    LiveWatch,
    add_end_options,
    is_ended_by_user,
    read_ahead,
    report_end,
    stop_reading,
)
from desktop.cli._metrics import add_metrics_option, metrics_served
from desktop.cli._options import add_adapter_option, add_frames_option, add_network_options
from desktop.cli._scene import add_scene_options, scene_spec
from desktop.cli._skipped import report_skipped
from desktop.media.sources.opening import open_source
from desktop.outputs.incomplete_results import IncompleteResults
from desktop.outputs.span import TimeLimit
from desktop.pipeline.engine import Engine
from desktop.pipeline.filters.library import FilterLibrary
from desktop.pipeline.running.network_spec import NetworkSpec
from desktop.pipeline.setup.setup import Setup
from desktop.vision.models.model_file import ModelFile
from desktop.vision.models.sidecar import is_builtin
from desktop.vision.tasks import recognize, result_tasks
from desktop.vision.tasks.task import ResultTask, Setting
from desktop.vision.tracking.scene import TrackedResult

_Print = Callable[[FrameResult[TrackedResult]], None]


def task_command(verb: str) -> Command:
    """Return the command for the task with this verb; its options are the task's settings."""
    task = next(task for task in result_tasks() if task.command == verb)
    return Command(
        task.command_help, _analyze_inputs, lambda parser: _add_options(parser, task), several="input"
    )


def _add_options(parser: argparse.ArgumentParser, task: ResultTask) -> None:
    add_adapter_option(parser)
    add_decode_option(parser)
    parser.set_defaults(task=task, track=False, track_settings=None)
    parser.add_argument(
        "input",
        nargs="+",
        metavar="IMAGE|VIDEO",
        help="files, folders of images, addresses or 'sample:'",
    )
    add_frames_option(parser)
    add_end_options(parser)
    parser.add_argument("--json", action="store_true", help="print the results as JSON")
    add_metrics_option(parser)
    add_network_options(parser, required=not task.command_model, default=task.command_model or None)
    if task.finds:
        add_scene_options(parser)
    for setting in task.settings:
        if setting.option:
            add_setting(parser, setting)


def add_setting(parser: argparse.ArgumentParser, setting: Setting) -> None:
    """Add the option for a task's setting."""

    def parsed(text: str) -> Any:
        try:
            return setting.parse(text)
        except UsageError as error:
            raise argparse.ArgumentTypeError(str(error)) from error

    several: dict[str, Any] = {"nargs": "+", "action": _Joined} if setting.takes_several else {}
    parser.add_argument(
        f"--{setting.name}", type=parsed, metavar=setting.metavar, help=setting.option, **several
    )


class _Joined(argparse.Action):
    """Collects the values of several arguments, also of an option that is repeated."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: Any,
        option_string: str | None = None,
    ) -> None:
        before = getattr(namespace, self.dest) or ()
        setattr(namespace, self.dest, sum(values, before))


def _analyze_inputs(options: argparse.Namespace) -> int:
    """Run the network on each input and print its results; return the exit status."""
    spec = network_spec(options)
    if spec is None:
        raise UsageError("Say with --model which network to use.")
    library = FilterLibrary(None)
    engine = make_engine(options, library, in_flight=1)
    failures = 0
    watch, incomplete = LiveWatch(), IncompleteResults()
    try:
        _use(engine, spec, options)
        with (
            metrics_served(
                options, engine, failed_sources=lambda: failures + watch.breaks, source=lambda: watch.source
            ),
            _printed_results(engine, options) as print_result,
        ):
            for path in options.input:
                if options.interrupt.is_requested:
                    failures += 1
                    console.fail(f"{public_name(path)} was not processed: the run was stopped before that.")
                    continue
                try:
                    failures += _analyze_source(engine, path, options, print_result, watch, incomplete)
                except OutputError:  # of no input, but of standard output
                    raise
                except LightloomError as error:
                    failures += 1
                    console.fail(error)
        for note in incomplete.notes:
            console.fail(note)
    finally:
        engine.close()
    return 1 if failures else 0


@contextmanager
def _printed_results(engine: Engine, options: argparse.Namespace) -> Generator[_Print]:
    """Print what the network is, and yield the function that prints the results of a frame: a camera may run for
    months, so none is kept.
    """
    network = engine.current.network_status.text
    if not options.json:
        for line in network.splitlines():
            console.err(line)
        yield _print_lines
        return
    document = {"network": network, "adapter": str(engine.gpu.adapter)}
    with console.out_json_list(document, "results") as item:
        yield lambda of: item(of.place | of.found.json())


def _print_lines(of: FrameResult[TrackedResult]) -> None:
    console.out(of.title)
    for line in _numbered(of.found.result.lines(), of.found):
        console.out(f"  {line}")
    console.flush()  # a pipe would get blocks of some kilobytes, long after their frames


def _use(engine: Engine, spec: NetworkSpec, options: argparse.Namespace) -> None:
    """Load the network; if it is for another task, the error names the command for it."""
    try:
        engine.current.set_setup(Setup(network=spec, scene=scene_spec(options)))
    except ModelUnsupportedError as error:
        if fits := _what_fits(spec.model, options.task):
            raise ModelUnsupportedError(f"{error} {fits}", error.refusals) from error
        raise


def _what_fits(model: str, requested: ResultTask) -> str:
    try:
        with ModelFile.opened(model) as file:
            found = recognize(file)
            stage = found.task.stage(file) if found is not None else ""
    except LightloomError:
        return ""
    if found is None or found.task.id == requested.id:
        return ""
    title = str(found.task.title).lower()
    if stage:
        name = file.path.stem if is_builtin(file.path) else file.named
        return f"It is for {title}: 'lightloom process --filter {stage}:model={name}'."
    command = found.task.command if isinstance(found.task, ResultTask) else ""
    commands = " or ".join(f"'lightloom {each}'" for each in (command, "analyze") if each)
    return f"It is for {title}: {commands}."


def _analyze_source(
    engine: Engine,
    path: str,
    options: argparse.Namespace,
    print_result: _Print,
    watch: LiveWatch,
    incomplete: IncompleteResults,
) -> int:
    """Print the results for each frame; return how many frames could not be opened."""
    source = with_requested_decoder(
        open_source(path, image_seconds=engine.current.setup.scene.image_seconds), options
    )
    watch.follow(source, options)
    # A live source may block, so a thread reads it. For a folder the name is that of the last frame read.
    is_live = source.info.live
    limit = TimeLimit(options.duration, is_live=is_live)
    check = options.interrupt.check
    frames = read_ahead(source, source.frames(), options, check) if is_live else limit.of(source.frames())
    engine.current.cut()
    try:
        for count, frame in enumerate(frames, 1):
            options.interrupt.check()
            result = engine.analyze_frame(frame)
            tracked_result = engine.current.tracked_result
            assert tracked_result is not None and tracked_result.result is result
            incomplete.add(result)
            print_result(FrameResult.of(public_name(path), source, frame, tracked_result))
            if count == options.max_frames:
                break
    except KeyboardInterrupt:
        if not is_ended_by_user(source, options):
            raise
    finally:
        stop_reading(source, frames)
    report_end(source)
    return report_skipped(source)


def _numbered(lines: tuple[str, ...], tracked_result: TrackedResult) -> tuple[str, ...]:
    """Prefix each line of a result with the track number of its detection."""
    if not tracked_result.followed:
        return lines
    numbers = ["" if identity is None else f"#{identity}" for identity in tracked_result.identities]
    numbers += [""] * (len(lines) - len(numbers))
    return tuple(f"{number:>6}  {line}" for number, line in zip(numbers, lines, strict=False))
