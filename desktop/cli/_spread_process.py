"""`process --on`: encode each video in pieces and join their packets into one file."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from desktop.base import console
from desktop.base.errors import UsageError
from desktop.base.files import exists, home_expanded
from desktop.base.output_names import NamedFile, check_outputs
from desktop.cli._decoding import with_requested_decoder
from desktop.cli._spread import Inputs, make_plan, print_tally, refuse, run_plan
from desktop.media.audio.reader import find_audio_track, tracks_of
from desktop.media.audio.tracks import ALL_TRACKS
from desktop.media.sources._video_file import open_file
from desktop.outputs.encoding import CONTAINERS, VIDEO_SUFFIXES
from desktop.outputs.still import IMAGE_SUFFIXES
from desktop.pipeline.filters.library import FilterLibrary
from desktop.pipeline.setup.setup import Setup
from desktop.spread.cutting import clip_names
from desktop.spread.joining import SoundSource, join_videos, publish
from desktop.spread.memory import reasons
from desktop.spread.plan import Clip, Plan
from desktop.spread.run_journal import RunJournal

_NAME: Final = "%s"


def spread_process(
    options: argparse.Namespace,
    setup: Setup,
    library: FilterLibrary,
    needed: Callable[[], list[NamedFile]],
) -> int:
    """Run `process` with --on; return the exit status. `needed` returns files read beside the inputs."""
    _refuse_what_stays_here(options)
    plan, left_out = _planned(options, setup, library, needed)

    def finish(clip: Clip, paths: list[Path], run_journal: RunJournal) -> None:
        _finish(options, clip, paths)
        run_journal.output_done(clip.number, Path(clip.target), [piece.number for piece in clip.pieces])

    tally = run_plan(options, plan, finish)
    print_tally(tally, plan)
    for clip in plan.clips:
        if clip.number not in tally.failed:
            console.out(clip.target)
    return 1 if left_out or tally.failed or tally.incomplete_pieces else 0


def _refuse_what_stays_here(options: argparse.Namespace) -> None:
    """Raise UsageError for options that only a single process can handle."""
    refuse(
        options,
        snapshot=options.snapshot,
        report=options.report,
        steer=options.steer,
        events=options.events,
        camera_control=options.camera_control,
        metrics=options.metrics,
        motion=options.motion,
        slow_motion=options.slow_motion,
        audio_track=options.audio_track == ALL_TRACKS,
    )


def _planned(
    options: argparse.Namespace, setup: Setup, library: FilterLibrary, needed: Callable[[], list[NamedFile]]
) -> tuple[Plan, int]:
    """Return the plan and the number of inputs skipped; arguments as `spread_process`."""
    skipped: list[str] = []
    names = clip_names(options.input, _NAME in options.output, skipped.append)
    targets = _targets(options.output, names)
    files = needed()
    check_outputs(
        [NamedFile("output", target) for target in targets],
        [*(NamedFile("input", Path(name)) for name in names), *files],
    )
    output = Path(options.output)
    why = next(_reasons(options, setup, library), "")
    inputs = Inputs(
        names, targets, options.range, why, files, output.suffix, lambda s: with_requested_decoder(s, options)
    )
    return make_plan(
        options, inputs, output.with_name(f"{output.name.replace(_NAME, 'all')}.pieces"), skipped
    )


def _targets(output: str, names: list[str]) -> list[Path]:
    """Return the output of each clip; raise UsageError if several clips share one."""
    if "%" in output.replace(_NAME, ""):
        raise UsageError(
            "Numbered images cannot be combined with --on; write a video, or use %s for the input's name."
        )
    if _NAME not in output:
        if len(names) != 1:
            raise UsageError(
                f"There are {len(names)} inputs and one output; write '%s' where its name is to have that "
                "of the input: seen/%s.mp4."
            )
        return [Path(output)]
    if _NAME not in Path(output).name or not exists(Path(output).parent):
        raise UsageError(
            f"The folder {Path(output).parent} for the output does not exist; make it, or choose another one."
        )
    targets = [Path(output.replace(_NAME, Path(name).stem)) for name in names]
    taken: dict[str, str] = {}
    for target, name in zip(targets, names, strict=True):
        # Case-insensitively, as some file systems are.
        other = taken.setdefault(str(target).casefold(), name)
        if other is not name:
            raise UsageError(f"{name} and {other} would both be written to {target}; rename one of them.")
    return targets


def _reasons(options: argparse.Namespace, setup: Setup, library: FilterLibrary) -> Iterator[str]:
    suffix = Path(options.output).suffix.lower()
    kind = CONTAINERS.get(suffix)
    if suffix not in VIDEO_SUFFIXES or suffix in IMAGE_SUFFIXES or kind is None or kind.fastest:
        yield f"{suffix} files are not made in pieces"
    if options.max_frames:
        yield "--max-frames counts from the beginning"
    if options.duration:
        yield "--duration counts from the beginning"
    if options.switch:
        yield "looks are switched from the beginning"
    if options.fps:
        yield "--fps counts from the beginning"
    if options.stabilize:
        yield "the camera's path is smoothed over whole shots"
    if options.subtitles is not None:
        yield "subtitles are read from the beginning"
    if any(home_expanded(name).is_dir() for name in options.input) and _NAME not in options.output:
        yield "it is a folder of images"
    yield from map(str, reasons(setup, library))


def _finish(options: argparse.Namespace, clip: Clip, paths: list[Path]) -> None:
    target = Path(clip.target)
    if len(clip.pieces) == 1:
        publish(paths[0], target)
        return
    sound = SoundSource(
        Path(clip.path),
        clip.begins + clip.pieces[0].origin,
        options.audio,
        options.range.end is None,
        _audio_track(options, Path(clip.path)),
    )
    for note in join_videos(target, CONTAINERS[target.suffix.lower()], paths, sound):
        console.fail(note)


def _audio_track(options: argparse.Namespace, path: Path) -> int | None:
    if options.audio_track is None:
        return None
    with open_file(path) as container:
        return find_audio_track(options.audio_track, tracks_of(container))
