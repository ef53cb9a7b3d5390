"""`lightloom cuts`: find the scene cuts of a video."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Final

from desktop.base import console
from desktop.base.addresses import public_name
from desktop.base.errors import ExportError, SourceUnsupportedError
from desktop.base.output_names import NamedFile, check_outputs
from desktop.base.wording import counted
from desktop.cli import Command
from desktop.cli._decoding import add_decode_option, with_requested_decoder
from desktop.cli._encoding import add_range_option
from desktop.cli._report import Progress
from desktop.cli._skipped import report_skipped
from desktop.media.scene_cuts import Cut, CutFinder, luma_for_cuts
from desktop.media.sources.opening import open_source
from desktop.outputs.cut_list import check_cut_list, write_cut_list


def _add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("input", metavar="INPUT", help="video file, folder of images, or 'sample:'")
    parser.add_argument(
        "-o",
        "--output",
        metavar="OUT",
        help="file to write, .csv, .jsonl or .ndjson; otherwise the cuts are printed",
    )
    add_range_option(parser)
    add_decode_option(parser)


def _run(options: argparse.Namespace) -> int:
    target = Path(options.output) if options.output is not None else None
    if target is not None:
        check_cut_list(target)
        check_outputs([NamedFile("list of cuts", target)], [NamedFile("input", Path(options.input))])
    source = with_requested_decoder(open_source(options.input), options)
    if source.info.live:
        raise SourceUnsupportedError(
            f"{source.info.title} is live and has no end; record it first and give the file."
        )
    finder, count = CutFinder(), 0
    cuts: list[Cut] = []
    progress = Progress(round(options.range.length(source.info.duration) * source.info.rate))
    frames = options.range.frames(source)
    try:
        for frame in frames:
            cuts += finder.add(luma_for_cuts(frame), frame.pts)
            count += 1
            progress.update(count)
            options.interrupt.check()
    finally:
        progress.done()
        frames.close()
        source.close()
    if count == 0:
        raise ExportError(
            f"{public_name(options.input)} gave no frame there, so that there are no cuts to find."
        )
    cuts += finder.end()
    if target is not None:
        write_cut_list(target, cuts)
    else:
        for cut in cuts:
            console.out(f"frame {cut.frame} at {cut.pts:.3f} s")
    console.out(f"{counted(len(cuts), 'cut')} in {counted(count, 'frame')}")
    if target is not None:
        console.out(target)
    return 1 if report_skipped(source) else 0


COMMAND: Final = Command("Find the scene cuts of a video.", _run, _add_options)
