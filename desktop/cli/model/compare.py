"""`lightloom model compare`."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from desktop.base import console
from desktop.base.addresses import public_name
from desktop.base.errors import LightloomError, OutputError
from desktop.cli import Command
from desktop.cli._difference import difference_text
from desktop.cli._frame_results import FrameResult
from desktop.cli._options import add_frames_option
from desktop.cli._skipped import report_skipped
from desktop.cli.model._shared import add_model_options, finite, model_path, opened_gpu
from desktop.media.sources.opening import open_source
from desktop.pipeline.running.compare.comparison import Compared, Comparison, ComparisonTotals, Way
from desktop.pipeline.running.network_spec import NetworkSpec
from desktop.vision.backends import backend_choices

_PRECISIONS: Final = ("auto", "fp32", "fp16")


def _way(text: str) -> Way:
    way = Way.parse(text)
    if way.backend not in backend_choices() or way.precision not in _PRECISIONS:
        backends, precisions = ", ".join(backend_choices()), ", ".join(_PRECISIONS)
        raise argparse.ArgumentTypeError(
            f"'{text[:40]}' is not BACKEND:PRECISION or BACKEND:PRECISION:DEVICE, with one of {backends} "
            f"and one of {precisions}"
        )
    return way


def _add_options(parser: argparse.ArgumentParser) -> None:
    add_model_options(parser)
    parser.add_argument("input", nargs="+", metavar="INPUT", help="images, folders, videos or 'sample:'")
    parser.add_argument(
        "--first",
        metavar="WAY",
        type=_way,
        default=Way("onnxruntime"),
        help="what the other is compared with (default: onnxruntime)",
    )
    parser.add_argument(
        "--second",
        metavar="WAY",
        type=_way,
        default=Way("wgpu"),
        help="the other: wgpu:fp16, say (default: wgpu)",
    )
    parser.add_argument(
        "--task", metavar="T", default="auto", help="what the network is for (default: what its file shows)"
    )
    add_frames_option(parser)
    parser.add_argument("--json", action="store_true", help="print the results as JSON")


_Print = Callable[[FrameResult[Compared]], None]


def _run(options: argparse.Namespace) -> int:
    path = model_path(options)
    failures = 0
    with opened_gpu(options, needed=True) as gpu:
        assert gpu is not None
        spec = NetworkSpec(str(path), task=options.task)
        comparison = Comparison(gpu, spec, options.first, options.second)
        try:
            for where in comparison.descriptions:
                console.err(where)
            with _printed(comparison, path, options) as print_picture:
                for name in options.input:
                    try:
                        failures += _compare(comparison, name, options, print_picture)
                    except OutputError:  # of no input, but of standard output
                        raise
                    except LightloomError as error:
                        failures += 1
                        console.fail(error)
        finally:
            comparison.close()
    return 1 if failures else 0


@contextmanager
def _printed(comparison: Comparison, path: Path, options: argparse.Namespace) -> Generator[_Print]:
    """Yield the function that prints what was found in a picture, which is not kept; print the totals at the end."""
    if not options.json:
        yield _print_lines
        if comparison.totals.pictures:
            for line in _summary(comparison.totals, comparison.descriptions):
                console.out(line)
        return
    last: dict[str, Any] = {}
    with console.out_json_list({"model": str(path)}, "pictures", last) as item:
        try:
            yield lambda of: item(_finite(of.place | of.found.json()))
        finally:
            last["totals"] = _finite(comparison.totals.json())


def _print_lines(of: FrameResult[Compared]) -> None:
    console.out(of.title)
    for line in _sides(of.found):
        console.out(line)
    console.flush()


def _compare(comparison: Comparison, name: str, options: argparse.Namespace, print_picture: _Print) -> int:
    """Compare both ways on a source's frames; return how many frames could not be opened."""
    source = open_source(name)
    frames = source.frames()
    try:
        for number, frame in enumerate(frames, 1):
            options.interrupt.check()
            found = comparison.compare(frame, options.interrupt.check)
            print_picture(FrameResult.of(public_name(name), source, frame, found))
            if number == options.max_frames:
                break
    finally:
        frames.close()
        source.close()
    return report_skipped(source)


def _sides(found: Compared) -> list[str]:
    left, right = found.first.result.lines(), found.second.result.lines()
    width = max(24, *(len(line) for line in left))
    rows = max(len(left), len(right))
    both = [
        f"  {left[i] if i < len(left) else '':{width}}  |  {right[i] if i < len(right) else ''}".rstrip()
        for i in range(rows)
    ]
    spread = found.spread
    return [
        *both,
        f"  max {spread.maximum:.3g}, relative {spread.relative:.3g}, cosine {spread.cosine:.7f}, "
        f"{found.first.ms:.1f} | {found.second.ms:.1f} ms",
    ]


def _summary(totals: ComparisonTotals, names: tuple[str, ...]) -> list[str]:
    spread = totals.spread
    lines = [
        f"pictures    {totals.pictures}",
        f"outputs     max {spread.maximum:.3g}, relative {spread.relative:.3g}, cosine {spread.cosine:.7f} "
        "(the worst of each)",
    ]
    if totals.named:
        lines.append(f"first name  {totals.same_first} of {totals.named} the same")
    if totals.iou is not None or totals.unmatched:
        mean = "" if totals.iou is None else f", IoU {totals.iou:.4f} in the mean"
        lines.append(f"things      {totals.matched} in both{mean}; {totals.unmatched} in one alone")
    if totals.pictures > 1:
        for name, each in zip(names, totals.times, strict=True):
            lines.append(
                f"time        p50 {each.p50:.1f}, p95 {each.p95:.1f}, p99 {each.p99:.1f} ms, array to "
                f"array: {name}"
            )
        if said := difference_text(totals.difference):
            lines.append(f"            the second is {said}")
    return lines


def _finite(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _finite(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(each) for each in value]
    return finite(value)


COMMAND: Final = Command(
    "Compare two backends or precisions on your own images: outputs, results, times.",
    _run,
    _add_options,
    several="input",
)
