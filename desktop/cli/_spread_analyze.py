"""`analyze --on`: join the journals of the pieces and write the results from them."""

from __future__ import annotations

import argparse
import contextlib
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from desktop.base import console
from desktop.base.files import is_special
from desktop.base.output_names import NamedFile, check_outputs
from desktop.base.wording import counted
from desktop.cli._decoding import with_requested_decoder
from desktop.cli._engine import model_files
from desktop.cli._spread import Inputs, make_plan, print_tally, refuse, run_plan
from desktop.outputs.collect import finish
from desktop.outputs.result_format import About, ResultFormat
from desktop.outputs.span import TimeSpan
from desktop.pipeline.filters.library import FilterLibrary
from desktop.pipeline.setup.setup import Setup
from desktop.spread.cutting import clip_names
from desktop.spread.driver import Tally
from desktop.spread.joining import AnalyzedPieces, about_piece, join_journals
from desktop.spread.memory import reasons
from desktop.spread.plan import Clip, Plan
from desktop.spread.run_journal import RunJournal


def spread_analyze(
    options: argparse.Namespace,
    chosen: ResultFormat,
    setup: Setup,
    check_target: Callable[[ResultFormat, Path, About], None],
) -> int:
    """Run `analyze` with --on; return the exit status. `check_target` refuses an unfit network."""
    target = Path(options.output)
    refuse(
        options, steer=options.steer, events=options.events, resume=options.resume, metrics=options.metrics
    )
    skipped: list[str] = []
    names = clip_names(options.input, False, skipped.append)
    check_outputs([NamedFile("output", target)], [NamedFile("input", Path(name)) for name in names])
    limit = "--max-frames" if options.max_frames else "--duration" if options.duration else ""
    why = f"{limit} counts from the beginning of the run" if limit else ""
    why = why or next(map(str, reasons(setup, FilterLibrary(None))), "")
    opened = partial(with_requested_decoder, options=options)
    inputs = Inputs(names, (), TimeSpan(), why, list(_read_files(options, setup)), ".journal", opened)
    plan, left_out = make_plan(options, inputs, target.with_name(f"{target.name}.pieces"), skipped)
    written: list[Path] = []
    pictures = 0

    def check(clip: Clip, paths: list[Path], run_journal: RunJournal) -> None:
        # The first pieces identify the network, so that an unsupported one is refused now, not at the end.
        check_target(chosen, target, about_piece(paths[0], len(plan.clips)))

    def conclude(run_journal: RunJournal, tally: Tally) -> None:
        nonlocal pictures
        journal, about = join_journals(_finished_pieces(plan, run_journal), Path(plan.folder) / "all.journal")
        if said := chosen.note(about):
            console.fail(said)
        with contextlib.closing(journal):
            pictures = journal.pictures
            written.extend(finish(journal, chosen, target, about))

    tally = run_plan(options, plan, check, conclude)
    print_tally(tally, plan)
    print_line = console.err if is_special(target) else console.out
    print_line(counted(pictures, "frame"))
    for path in written:
        print_line(path)
    return 1 if left_out or tally.failed or tally.incomplete_pieces else 0


def _finished_pieces(plan: Plan, run_journal: RunJournal) -> list[AnalyzedPieces]:
    """Return the clips whose pieces are all finished, in order; failures were reported."""
    whole = [clip for clip in plan.clips if all(piece.number in run_journal.pieces for piece in clip.pieces)]
    return [
        AnalyzedPieces(clip.name, tuple(run_journal.path_of(piece.number) for piece in clip.pieces))
        for clip in whole
    ]


def _read_files(options: argparse.Namespace, setup: Setup) -> Iterator[NamedFile]:
    """Return the files that the command reads beside its inputs."""
    networks = [setup.network, setup.network.second if setup.network is not None else None]
    for network in networks:
        if network is not None:
            yield from model_files(Path(network.model), "network")
    if options.zones is not None:
        yield NamedFile("zones", Path(options.zones))
