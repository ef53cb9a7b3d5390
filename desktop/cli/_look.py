"""What `classify` and `detect` share: a network that looks at pictures and videos."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from desktop import console
from desktop.cli._engine import make_engine, network_spec
from desktop.cli._options import add_adapter_option, add_network_options, count
from desktop.cli._results import as_json
from desktop.compute.engine import Engine
from desktop.compute.filters.library import FilterLibrary
from desktop.compute.media.sources.opening import open_source
from desktop.compute.presets.preset import Setup
from desktop.errors import LightloomError, UsageError
from desktop.wording import counted


def add_look_options(parser: argparse.ArgumentParser, task: str, default: str | None) -> None:
    """Add what a command of this task takes; `default`: the network without --model, None if that must be given."""
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
    add_network_options(parser, required=default is None, default=default)


def look(options: argparse.Namespace) -> int:
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
            entry = {
                "input": path,
                "file": file,
                "pts": round(frame.pts, 4),
                **as_json(engine.look_once(frame)),
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
