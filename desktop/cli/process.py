"""`lightloom process`: apply filters and a network to a video or frame and write a file."""

from __future__ import annotations

import argparse
import contextlib
import itertools
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import numpy as np

from desktop.base import console
from desktop.base.addresses import is_incomplete_address, public_name
from desktop.base.errors import ExportError, LightloomError, StoppedError, UsageError
from desktop.base.files import exists, same_file
from desktop.base.output_names import NamedFile, check_outputs
from desktop.base.paths import user_filter_folder
from desktop.base.wording import counted
from desktop.cli import Command
from desktop.cli._anonymize import add_anonymize_options, check_anonymize, with_anonymize
from desktop.cli._audio_track import add_audio_track_option
from desktop.cli._automation import add_automation_option, awaited_audio, with_typed_automations
from desktop.cli._camera import add_camera_option, set_camera
from desktop.cli._color import Coloring, add_color_options, check_color, coloring_of
from desktop.cli._decoding import add_decode_option, with_requested_decoder
from desktop.cli._encoding import add_encoding_options, encoding_of
from desktop.cli._engine import closing, make_engine, network_spec
from desktop.cli._interpolation import (
    add_interpolate_option,
    add_slow_motion_option,
    check_interpolate,
    interpolated,
    settle_rate,
    take_interpolation,
)
from desktop.cli._layers import add_layer_options, check_zones_of_texts, with_typed_layers
from desktop.cli._live import (
    LiveWatch,
    add_end_options,
    is_ended_by_user,
    read_ahead,
    report_end,
    stop_on_signal,
    stop_reading,
)
from desktop.cli._metrics import add_metrics_option, metrics_served
from desktop.cli._options import add_adapter_option, add_network_options, count
from desktop.cli._output import Output, images_done, is_in_series, is_series
from desktop.cli._overlay import CommandOverlay
from desktop.cli._report import NetworkNotes, Progress, make_report, write_report
from desktop.cli._scene import add_scene_options, check_scene, scene_spec
from desktop.cli._segments import Segmenting, add_segment_options, segmenting_of
from desktop.cli._series_settings import SeriesSettings, series_settings
from desktop.cli._setup_files import setup_files
from desktop.cli._skipped import report_skipped
from desktop.cli._spread import GivenPiece, add_spread_options, given_piece
from desktop.cli._stabilization import add_stabilize_options, check_stabilize, stabilized_frames
from desktop.cli._steering import Steering, add_steer_option, steered
from desktop.cli._subtitles import add_subtitle_option, chosen_subtitles
from desktop.cli._switching import add_switch_options, switched, typed_switches
from desktop.cli._task_settings import add_task_settings, check_task_settings, with_task_settings
from desktop.cli._zones import add_zone_options, events_done, print_counts, report_unknown_classes, with_zones
from desktop.media.frame import Frame
from desktop.media.playlist import name_of
from desktop.media.sources.base import Source, left_out
from desktop.media.sources.opening import open_source
from desktop.media.subtitles.reader import SubtitleReader
from desktop.metrics.queue_reader import QueueState
from desktop.outputs.deep_frames import eight_bit
from desktop.outputs.encoding import CONTAINERS, VIDEO_SUFFIXES, Encoding
from desktop.outputs.frame_interpolation import Interpolator
from desktop.outputs.incomplete_results import IncompleteResults
from desktop.outputs.segment_limits import Retention
from desktop.outputs.span import TimeSpan
from desktop.outputs.still import IMAGE_SUFFIXES
from desktop.pipeline.batch import BatchResult, check_stages, run_batch
from desktop.pipeline.chain.typed import parse_stage, typed_chain
from desktop.pipeline.engine import Engine
from desktop.pipeline.filters.library import FilterLibrary
from desktop.pipeline.picture.present import LaidOver
from desktop.pipeline.pipeline import SourceFacts
from desktop.pipeline.setup.automation import automation_fault
from desktop.pipeline.setup.bundle import open_preset
from desktop.pipeline.setup.known import bundled_presets, known_preset, require_preset
from desktop.pipeline.setup.layers import layer_fault
from desktop.pipeline.setup.masks import mask_fault, mask_kinds
from desktop.pipeline.setup.setup import Setup
from desktop.vision.tracking.scene import SceneSpec


def _add_options(parser: argparse.ArgumentParser) -> None:
    add_adapter_option(parser)
    parser.add_argument(
        "input",
        nargs="+",
        metavar="INPUT",
        help="file, folder or address; 'sample:' is the built-in sample. With --on any number of files, folders and playlists",
    )
    parser.add_argument(
        "-o",
        "--output",
        metavar="OUT",
        required=True,
        help="video or image to write; an image's name with %%04d in it is numbered, one file a frame; "
        "with --on, %%s is the input's name",
    )
    parser.add_argument(
        "--look",
        "--preset",
        dest="preset",
        metavar="NAME|FILE",
        help="look: a file, or the name of a bundled or saved one ('lightloom looks' lists them)",
    )
    parser.add_argument(
        "--filter",
        metavar="NAME|FILE:key=value,...",
        action="append",
        default=[],
        help="add a filter, also of a file in WGSL or GLSL, any number of times; two numbers are written as in vignette:center=0.1/0.2 "
        "('lightloom filters' lists all); @ begins its mask, opacity and blend mode, as in "
        "sepia@mask=person,opacity=0.5 ('lightloom filters --masks' lists them)",
    )
    parser.add_argument(
        "--trust-shaders",
        action="store_true",
        help="run filters of your own without trying them in a process of their own first",
    )
    parser.add_argument(
        "--max-frames", metavar="N", type=count, default=0, help="stop after N frames (default: 0, all)"
    )
    add_automation_option(parser)
    add_layer_options(parser)
    add_switch_options(parser)
    add_end_options(parser)
    parser.add_argument(
        "--overlay",
        action="store_true",
        help="draw the network's results into the frames: boxes, names, points; each frame waits for its own result",
    )
    add_subtitle_option(parser)
    add_decode_option(parser)
    parser.add_argument(
        "--no-deinterlace",
        action="store_true",
        help="leave the two fields of interlaced frames woven, as in the file",
    )
    add_camera_option(parser)
    add_encoding_options(parser)
    add_color_options(parser)
    add_segment_options(parser)
    add_interpolate_option(parser)
    add_slow_motion_option(parser)
    add_stabilize_options(parser)
    add_audio_track_option(parser)
    parser.add_argument("--snapshot", metavar="PNG", help="also write the last frame")
    parser.add_argument("--report", metavar="R.json", help="write figures of the run")
    parser.add_argument(
        "--resume",
        action="store_true",
        help="numbered images: go on behind those that are there, which are not made again; effects that remember "
        "frames begin anew",
    )
    add_steer_option(parser)
    add_spread_options(parser)
    add_metrics_option(parser)
    add_network_options(parser)
    add_scene_options(parser)
    add_zone_options(parser)
    add_anonymize_options(parser)


def _setup(options: argparse.Namespace, library: FilterLibrary) -> Setup:
    setup = Setup()
    if options.preset is not None:
        loaded = open_preset(require_preset(options.preset), library)
        for shader in loaded.shaders:
            library.add(shader)
        for warning in loaded.warnings:
            console.fail(warning)
        setup = loaded.setup
    chain = typed_chain(library, [parse_stage(text) for text in options.filter], setup.chain)
    chain = with_typed_automations(options, library, chain)
    network = with_task_settings(options, network_spec(options) or setup.analysis)
    scene = replace(setup.scene, track=scene_spec(options).track or setup.scene.track)
    setup = replace(
        setup,
        chain=chain,
        network=network,
        scene=with_zones(options, scene),
        network_enabled=True,
        layers=with_typed_layers(options, library, setup.layers),
    )
    return with_anonymize(options, setup)


def _expected_frames(source: Source, span: TimeSpan, limit: int) -> int:
    total = round(span.length(source.info.duration) * source.info.rate)
    return min(total, limit) if limit and total else limit or total


def _check_names(options: argparse.Namespace) -> None:
    # Checked first, so that an hour of work does not end in an invalid output name.
    both = VIDEO_SUFFIXES + IMAGE_SUFFIXES
    for what, name, suffixes in (
        ("output", options.output, both),
        ("snapshot", options.snapshot, IMAGE_SUFFIXES),
        ("report", options.report, ()),
        ("motion file", options.motion, ()),
    ):
        if name is None:
            continue
        wrong_ending = bool(suffixes) and Path(name).suffix.lower() not in suffixes
        if is_incomplete_address(name) and (wrong_ending or not exists(Path(name).parent)):
            # Its text may have a password.
            raise UsageError(
                f"The {what} is not the name of a file, and looks like an address; an address begins with its scheme, "
                "a colon and two slashes, as in rtmp://host/path."
            )
        if wrong_ending:
            raise UsageError(f"The {what} '{name}' must end in one of {', '.join(suffixes)}.")
        path = Path(name)
        if not name or (exists(path) and path.is_dir()):
            raise UsageError(f"The {what} '{name}' is not the name of a file.")
        if not exists(path.parent):
            raise UsageError(
                f"The folder {path.parent} for the {what} does not exist; make it, or choose another one."
            )
    if not all(options.input):
        raise UsageError("The input has no name; give a file, a folder, an address or 'sample:'.")


def _check_files(options: argparse.Namespace, setups: Sequence[Setup], library: FilterLibrary) -> None:
    """Refuse outputs that would overwrite what the command reads."""
    source = Path(options.input)
    inputs = [NamedFile("input", source), *_read_files(options, setups, library)]
    names = (("output", options.output), ("snapshot", options.snapshot), ("report", options.report))
    outputs = [NamedFile(what, Path(name)) for what, name in names if name is not None]
    check_outputs(outputs, inputs)
    # A numbered frame could overwrite one that has not been read yet.
    output = outputs[0].path
    numbered = is_series(output) and source.suffix.lower() in IMAGE_SUFFIXES and exists(source)
    if numbered and is_in_series(source.name, output) and same_file(output.parent, source.parent):
        raise UsageError(f"{output} would be among the images of the input; choose another folder.")


def _read_files(
    options: argparse.Namespace, setups: Sequence[Setup], library: FilterLibrary
) -> list[NamedFile]:
    """Return the files that the command reads beside its input."""
    inputs: list[NamedFile] = []
    preset = known_preset(options.preset) if options.preset is not None else None
    if preset is not None and preset not in bundled_presets():  # bundled presets exist everywhere
        inputs.append(NamedFile("look", preset))
    for setup in setups:
        inputs += setup_files(setup, library)
    if options.zones is not None:
        inputs.append(NamedFile("zones", Path(options.zones)))
    if options.motion is not None:
        inputs.append(NamedFile("motion", Path(options.motion)))
    return inputs


def _run(options: argparse.Namespace) -> int:
    return steered(options, _steered_run)


def _steered_run(options: argparse.Namespace, steering: Steering) -> int:
    piece = given_piece(options)
    _check_names(options)
    library = FilterLibrary(user_filter_folder())
    setup = _setup(options, library)
    of_videos = replace(encoding_of(options), bits=0, hdr="tonemap")
    if of_videos != Encoding() and Path(options.output).suffix.lower() not in CONTAINERS:
        raise UsageError(
            "--codec, --crf, --size, --fps, --audio, --hardware and --alpha are for videos, not for images."
        )
    is_video = Path(options.output).suffix.lower() in CONTAINERS
    setup = take_interpolation(options, setup, is_video=is_video)
    check_interpolate(options, is_video=is_video)
    segmenting = segmenting_of(options)
    check_stabilize(options)
    check_color(options)
    if options.resume and not is_series(Path(options.output)):
        raise UsageError("--resume is for numbered images, such as -o frame-%05d.png.")
    options.done = images_done(Path(options.output)) if options.resume else 0
    switches = typed_switches(options, library)
    setups = (setup, *(switch.setup for switch in switches))
    if setup.anonymize is not None and any(each.anonymize is None for each in setups):
        raise UsageError(
            "The frames are anonymized, and a look of --switch has no anonymization, so that it would show "
            "everything; give that look one, or leave --switch out."
        )
    if options.overlay and setup.network is None:
        raise UsageError("--overlay draws what a network sees; say with --model or --look which one.")
    if options.overlay and any(each.layers.moves_main for each in setups):
        raise UsageError(
            "--overlay draws over the whole frame, and --main-image puts the image into a part of it; leave one out."
        )
    for each in setups:
        check_zones_of_texts(each)
    uses_zones = "zone" in mask_kinds(setup)
    if options.zones is not None and setup.network is None and not uses_zones:
        raise UsageError("--zones counts what a network finds; say with --model or --look which one.")
    if (options.track or options.track_settings) and setup.network is None:
        raise UsageError("--track follows what a network finds; say with --model or --look which one.")
    for each in setups:
        if (
            fault := mask_fault(each, library)
            or automation_fault(each, library)
            or layer_fault(each, library)
        ):
            raise UsageError(fault)
    if piece is None and options.on is not None:
        return _spread(options, setups, library)
    if len(options.input) != 1:
        raise UsageError("Several inputs are for --on: --on processes:1 does them one after the other.")
    (options.input,) = options.input
    _refuse_folder_of_videos(options)
    _check_files(options, setups, library)
    if piece is not None and piece.span is not None:
        options.range = piece.span
    options.image_seconds = _image_seconds(options, setups)
    source = with_requested_decoder(open_source(options.input, image_seconds=options.image_seconds), options)
    _check_retention(segmenting, source)
    options.series_settings = None
    if is_series(Path(options.output)) and piece is None and not source.info.live:
        options.series_settings = SeriesSettings(
            Path(options.output), series_settings(options, setup, switches)
        )
        if options.done:
            options.series_settings.check()
    if options.max_frames:
        if options.done >= options.max_frames:
            return _nothing_left(options)
        options.max_frames -= options.done
    set_camera(options, source)
    watch = LiveWatch()
    watch.follow(source, options)

    def check() -> None:
        steering.check()
        options.interrupt.check()

    curves = awaited_audio(options, setups, library, source, check)
    engine = make_engine(options, library)
    engine.current.curves = curves
    stop_on_signal(source, engine, options)

    def on_read(done: int, total: int) -> None:
        check()
        steering.progress(done, 2 * total)

    wanted, steering.before = stabilized_frames(options, source, options.range.frames(source), on_read)
    if options.done:
        if source.info.live:
            raise UsageError("--resume is for files: a live source does not give its frames again.")
        wanted = _after(wanted, options.done)
    frames = read_ahead(source, wanted if source.info.live else engine.staged(wanted), options, check)
    try:
        with closing(engine):
            engine.deinterlaces = not options.no_deinterlace
            engine.current.set_setup(setup)
            check_anonymize(engine)
            check_scene(options, engine)
            if piece is None:  # otherwise each piece would say so
                report_unknown_classes(engine)
            check_task_settings(options, engine)
            first = next(frames, None)
            if first is None and options.done:
                return _nothing_left(options)
            if first is None:
                part = "" if options.range.is_complete else " in that part"
                raise ExportError(
                    f"{public_name(options.input)} gave no frame{part}, so nothing was written."
                )
            # Only an opened source knows its rate.
            engine.current.facts = SourceFacts(name_of(options.input), source.info.rate)
            coloring = coloring_of(options, encoding_of(options), first, setups, library)
            engine.color_mode = coloring.mode
            frames_to_write = switched(
                engine, coloring.frames(itertools.chain([first], frames)), switches, options.fade
            )
            options.waits_for_results = any(each.scene.zones or each.anonymize is not None for each in setups)
            undelivered = _process_frames(
                options, engine, source, frames_to_write, steering, piece, watch, segmenting, coloring
            )
            of_layers = engine.pipeline.layers.damage
    finally:
        stop_reading(source, frames)
    report_end(source)
    for note in of_layers:
        console.fail(note)
    is_incomplete = bool(report_skipped(source) or undelivered or of_layers)
    for note in (*left_out(source), *of_layers):
        steering.send(note=note)
    if is_incomplete:
        steering.send(is_incomplete=True)
    # To a controller, or the driver of pieces, a failed status means that nothing was written.
    return 1 if is_incomplete and options.steer is None and piece is None else 0


def _image_seconds(options: argparse.Namespace, setups: Sequence[Setup]) -> float:
    """Return how far the images of a folder are apart, and report it if they are frames of a video: where objects are
    tracked, those of a slide show are too far apart.
    """
    scenes = (each.scene for each in setups if each.network is not None)
    tracked = next((scene for scene in scenes if scene.track is not None), None)
    if tracked is None:
        return SceneSpec().image_seconds
    if exists(path := Path(options.input)) and path.is_dir():
        rate = f"{1 / tracked.image_seconds:g} frames per second"
        console.err(f"The images in {options.input} are read as a video at {rate}, because tracking is on.")
    return tracked.image_seconds


def _nothing_left(options: argparse.Namespace) -> int:
    """Report that --resume found all images; return the exit status."""
    console.out(f"Nothing is left to do: {counted(options.done, 'file')} of {options.output} are there.")
    return 0


def _after(frames: Generator[Frame], count: int) -> Generator[Frame]:
    """Yield the frames behind the first `count`."""
    with contextlib.closing(frames):
        yield from itertools.islice(frames, count, None)


def _check_retention(segmenting: Segmenting | None, source: Source) -> None:
    """Raise UsageError for segments of a file that would be deleted again."""
    if segmenting is not None and segmenting.retention != Retention() and not source.info.live:
        raise UsageError(
            "--keep and --keep-size are for cameras, screens and streams; leave them out for a file."
        )


def _refuse_folder_of_videos(options: argparse.Namespace) -> None:
    """Raise UsageError, naming the right option, for a folder of videos: others are slide shows."""
    from desktop.spread.cutting import clip_names

    folder = Path(options.input)
    if not (exists(folder) and folder.is_dir()):
        return
    found = clip_names([options.input], each_file=False)
    if str(folder) not in found:
        each = Path(options.output).parent / f"%s{Path(options.output).suffix}"
        raise UsageError(
            f"{options.input} holds {counted(len(found), 'video')} and no images: "
            f"to process each of them, use '--on processes:1 -o {each}'."
        )


def _spread(options: argparse.Namespace, setups: Sequence[Setup], library: FilterLibrary) -> int:
    # Imported on demand: the command line starts quickly without it.
    from desktop.cli._spread_process import spread_process

    return spread_process(options, setups[0], library, lambda: _read_files(options, setups, library))


def _process_frames(
    options: argparse.Namespace,
    engine: Engine,
    source: Source,
    frames: Iterator[Frame],
    steering: Steering,
    piece: GivenPiece | None,
    watch: LiveWatch,
    segmenting: Segmenting | None,
    coloring: Coloring,
) -> int:
    settle_rate(options, source.info.rate)
    with interpolated(options, engine) as smooth:
        return _write_frames(
            options, engine, source, frames, steering, piece, watch, segmenting, smooth, coloring
        )


def _write_frames(
    options: argparse.Namespace,
    engine: Engine,
    source: Source,
    frames: Iterator[Frame],
    steering: Steering,
    piece: GivenPiece | None,
    watch: LiveWatch,
    segmenting: Segmenting | None,
    smooth: Interpolator | None,
    coloring: Coloring,
) -> int:
    """Write the frames; return how many events were not delivered."""
    snapshot = Path(options.snapshot) if options.snapshot else None
    output = Output(
        Path(options.output),
        source,
        coloring.encoding,
        snapshot,
        one=options.max_frames == 1,
        ends=options.range.end,
        smooth=smooth,
        slowed=options.slow_motion or 1,
        subtitled=options.subtitles is not None,
        send=steering.send if options.steer is not None else None,
        piece=piece,
        audio_track=options.audio_track,
        is_complete=options.range.is_complete,
        color=coloring.color,
        done=options.done,
        segmenting=segmenting,
        series_settings=options.series_settings,
    )
    total = _expected_frames(source, options.range, options.max_frames)
    progress = Progress(total)
    notes, incomplete = NetworkNotes(), IncompleteResults()
    predictions = _Predictions(incomplete, is_kept=options.report is not None)
    options.interrupt.last_words = lambda: f"Stopped. {output.abandon()}".rstrip()

    done = BatchResult(0, 0.0)
    begun = time.perf_counter()

    def on_frame(count: int, frame: Frame) -> bool:
        nonlocal done
        done = BatchResult(count, time.perf_counter() - begun)
        progress.update(count)
        steering.progress(count, total)
        steering.check()
        if is_ended_by_user(source, options):
            options.interrupt.acknowledge()
            return False
        options.interrupt.check()
        predictions.note(engine)
        check_stages(engine)
        if piece is None:  # otherwise the joined file would have them once for each piece
            notes.report_statuses(engine)
        return True

    name = name_of(options.input)
    try:
        with (
            chosen_subtitles(options, source) as subtitles,
            events_done(engine, engine.current.setup.scene) as events,
            metrics_served(
                options,
                engine,
                lambda: (_recording(output), events.queue()),
                failed_sources=lambda: watch.breaks,
                source=lambda: watch.source,
            ),
        ):
            over = _over(options, engine, subtitles)
            engine.on_tracked_result.append(lambda tracked_result: events.take(tracked_result, name))

            def on_picture(picture: np.ndarray, frame: Frame) -> None:
                output.add(picture, frame)
                events.buffer_picture(eight_bit(picture), frame.pts)

            result = run_batch(
                engine,
                frames,
                on_picture=on_picture,
                overlay=over,
                on_frame=on_frame,
                max_frames=options.max_frames,
            )
    except (KeyboardInterrupt, StoppedError):
        options.interrupt.acknowledge()
        progress.done()
        if not (is_ended_by_user(source, options) and output.has_pictures):
            raise StoppedError(f"Stopped. {output.abandon()}".rstrip()) from None
        result = done
    except LightloomError as error:
        progress.done()
        if saved := output.abandon():
            raise LightloomError(f"{error} {saved}") from error
        raise
    progress.done()
    check_stages(engine)
    predictions.note(engine)
    is_cut = result.frames == options.max_frames or options.range.end is not None or options.duration
    try:
        written = output.close(whole=not is_cut)
    except LightloomError as error:
        if saved := output.abandon():
            raise LightloomError(f"{error} {saved}") from error
        raise
    for note in incomplete.notes:
        console.fail(note)
        steering.send(note=note)
    report = make_report(engine, source, result)
    report.export_bytes_per_frame = output.bytes_per_frame
    report.predictions = predictions.found
    if options.report:
        written.append(write_report(report, Path(options.report)))
    console.out(f"{counted(result.frames, 'frame')} at {result.fps:.1f} a second on {engine.gpu.adapter}")
    print_counts(engine.current.tracked_result, console.out)
    for path in written:
        console.out(path)
    steering.send(written=[str(path) for path in written])
    return events.undelivered


def _over(
    options: argparse.Namespace, engine: Engine, subtitles: SubtitleReader | None
) -> Callable[[], LaidOver | None] | None:
    """Return the function that makes the overlay; counted or redacted frames wait for their own result."""
    if options.overlay or subtitles is not None:
        return CommandOverlay(engine, sees=options.overlay, subtitles=subtitles).over
    return (lambda: None) if options.waits_for_results else None


def _recording(output: Output) -> QueueState:
    # Waits for the encoder, so that no frame is dropped.
    return QueueState("recording", output.waiting, 0)


class _Predictions:
    """The results of a run, each once, as JSON for a report; without one none is kept, as a camera may run for months."""

    def __init__(self, incomplete: IncompleteResults, *, is_kept: bool) -> None:
        self.found: list[dict[str, Any]] = []
        self._incomplete, self._is_kept = incomplete, is_kept
        self._pts: float | None = None

    def note(self, engine: Engine) -> None:
        """Take note of the newest result."""
        tracked_result = engine.current.tracked_result
        if tracked_result is None or tracked_result.pts == self._pts:
            return
        self._pts = tracked_result.pts
        if self._is_kept:
            self.found.append({"pts": tracked_result.pts, **tracked_result.json()})
        self._incomplete.add(tracked_result.result)


COMMAND: Final = Command(
    "Apply filters and a network to a video or image and write the result.",
    _run,
    _add_options,
    several="input",
    add_late_options=add_task_settings,
)
