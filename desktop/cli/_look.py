"""The commands of tasks: a network looks at pictures and videos, and what it says is printed."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from desktop import console
from desktop.cli import Command
from desktop.cli._engine import make_engine, network_spec
from desktop.cli._options import add_adapter_option, add_network_options, count
from desktop.compute.engine import Engine
from desktop.compute.filters.library import FilterLibrary
from desktop.compute.media.sources.opening import open_source
from desktop.compute.presets.preset import Setup
from desktop.compute.tasks import result_tasks
from desktop.compute.tasks.task import ResultTask, Setting
from desktop.errors import LightloomError, UsageError


def look_command(verb: str) -> Command:
    """Return the command of the task that has this verb; its options are the task's settings."""
    task = next(task for task in result_tasks() if task.command == verb)
    return Command(task.command_help, _look, lambda parser: _add_options(parser, task), several="input")


def _add_options(parser: argparse.ArgumentParser, task: ResultTask) -> None:
    add_adapter_option(parser)
    parser.set_defaults(task=task)
    parser.add_argument(
        "input",
        nargs="+",
        metavar="IMAGE|VIDEO",
        help="files, folders of pictures, addresses or 'sample:'",
    )
    parser.add_argument(
        "--max-frames",
        metavar="N",
        type=count,
        default=0,
        help="frames of each input at most (default: 0, all)",
    )
    parser.add_argument("--json", action="store_true", help="print the results as JSON")
    add_network_options(parser, required=not task.command_model, default=task.command_model or None)
    for setting in task.settings:
        if setting.option:
            add_setting(parser, setting)


def add_setting(parser: argparse.ArgumentParser, setting: Setting) -> None:
    """Add the option of a task's setting."""

    def parsed(text: str) -> Any:
        try:
            return setting.parse(text)
        except UsageError as error:
            raise argparse.ArgumentTypeError(str(error)) from error

    parser.add_argument(f"--{setting.name}", type=parsed, metavar=setting.metavar, help=setting.option)


def _look(options: argparse.Namespace) -> int:
    """Let the network look at each input and print what it said; return the exit status."""
    spec = network_spec(options)
    if spec is None:
        raise UsageError("Say with --model which network to use.")
    library = FilterLibrary(None)
    engine = make_engine(options, library, in_flight=1)
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
            result = engine.look_once(frame)
            found.append({"input": path, "file": file, "pts": round(frame.pts, 4), **result.json()})
            if not options.json:
                console.out(f"{file} {frame.pts:.3f} s" if source.info.duration > 0 else file)
                for line in result.lines():
                    console.out(f"  {line}")
            if count == options.max_frames:
                break
    finally:
        frames.close()
        source.close()
    return found
