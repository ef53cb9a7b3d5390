"""Run a network on every frame of files and folders; results go into a journal, then into files. An
interrupted run resumes after its journal, which the tracker replays, so that objects keep their numbers.
"""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from desktop.base.addresses import public_name
from desktop.base.errors import ExportError, GpuError, LightloomError, ModelError, StoppedError, UsageError
from desktop.base.files import is_special, reason
from desktop.base.wording import joined, sentence
from desktop.compute.nn.frontends.external_data import external_files
from desktop.media.frame import Frame
from desktop.media.sources.base import Source, left_out
from desktop.media.sources.opening import open_source
from desktop.net.inference.address import is_remote
from desktop.outputs.journal import Journal, PictureRecord, SavedMask
from desktop.outputs.result_format import About, ResultFormat
from desktop.outputs.run_settings import network_json, scene_json
from desktop.outputs.span import TimeLimit, TimeSpan
from desktop.pipeline.engine import Engine
from desktop.pipeline.prefetch import prefetch
from desktop.pipeline.running.network_spec import NetworkSpec
from desktop.pipeline.setup.setup import Setup
from desktop.vision.models.builtin import title_of
from desktop.vision.models.labels import sidecar_labels
from desktop.vision.models.library.checksum import sha256_of
from desktop.vision.models.model_file import ModelFile
from desktop.vision.models.processor_config import INPUT, config_files
from desktop.vision.models.sidecar import sidecar_path
from desktop.vision.tasks import the_task
from desktop.vision.tasks.shapes import Box, Line, ObjectShape, Shape
from desktop.vision.tasks.task import Result, ResultTask
from desktop.vision.tracking.scene import Scene, SceneSpec, TrackedResult

_SAME_TIME_S: Final = 1e-4


class OtherInputError(UsageError):
    """An input is not the one of the run that is to be resumed."""


@dataclass(frozen=True)
class Span:
    """The frames of an input to analyze.

    Attributes:
        start, end: in seconds, `end` exclusive; None for the beginning or end of the input.
        most, seconds: maximum number of frames, and duration (see `TimeLimit`); 0 for all.
        is_piece: seek to `start`, where numbering begins: the rest is analyzed elsewhere. As `TimeSpan`.
    """

    start: float | None = None
    end: float | None = None
    most: int = 0
    is_piece: bool = False
    seconds: float = 0.0

    def frames(self, source: Source) -> Generator[Frame]:
        """Yield the source's frames, for a piece only its own; otherwise the caller skips the rest."""
        return TimeSpan(self.start or 0.0, self.end).frames(source) if self.is_piece else source.frames()


@dataclass(frozen=True)
class Progress:
    """Progress in input `number`, from 0: frames analyzed, also by earlier runs, of `total` (0: unknown)."""

    number: int
    done: int
    total: int

    @property
    def share(self) -> float:
        """The finished fraction of the input, 0 to 1."""
        return min(self.done / self.total, 1.0) if self.total else 0.0


@dataclass(frozen=True)
class _JournaledResult(Result):
    """A result read back from the journal: its shapes are all that a scene needs."""

    found: tuple[Shape, ...] = ()

    def json(self) -> dict[str, Any]:
        """Return nothing: the result is already in the journal."""
        return {}

    def lines(self) -> tuple[str, ...]:
        """Return nothing."""
        return ()

    def shapes(self) -> tuple[Shape, ...]:
        """Return the detections without their track numbers."""
        things = (s for s in self.found if not (isinstance(s, SavedMask) and s.is_class))
        return tuple(_before_the_scene(shape) for shape in things)


def _before_the_scene(shape: Shape) -> Shape:
    if isinstance(shape, SavedMask):
        return Box(
            *(shape.label, shape.index, shape.left, shape.top, shape.right, shape.bottom),
            score=shape.score,
            thing=shape.thing,
        )
    return replace(shape, identity=None) if isinstance(shape, ObjectShape | Line) else shape


def journal_path(target: Path) -> Path:
    """Return the path of the journal for a target."""
    return target.with_name(f"{target.name}.journal")


@contextlib.contextmanager
def journal_place(target: Path) -> Iterator[Path]:
    """Yield the path of a run's journal: beside the target or, for a pipe or a device, in a temporary folder."""
    if not is_special(target):
        yield journal_path(target)
        return
    with tempfile.TemporaryDirectory(prefix="lightloom-") as folder:
        yield Path(folder) / "journal"


def describe_run(inputs: Sequence[str], spec: NetworkSpec, scene: SceneSpec, span: Span) -> dict[str, Any]:
    """Return a run's description for its journal (ModelError if the network's file cannot be read). Only an
    equal run may resume it, with any frame count.
    """
    try:
        # A server may change its model under the same name, which cannot be detected here.
        model = spec.model if is_remote(spec.model) else sha256_of(Path(spec.model))
    except (OSError, ValueError) as error:
        raise ModelError(
            sentence(
                "The network {name} cannot be read ({reason}); check that the file exists and may be read.",
                name=spec.model,
                reason=reason(error),
            )
        ) from error
    return {
        "inputs": [public_name(name) for name in inputs],
        "network": {**network_json(spec), "model": model},
        "sidecars": _sidecars(spec),
        **_second_sidecars(spec.second),
        "beside": _accompanying_files(spec),
        "second_beside": _accompanying_files(spec.second) if spec.second is not None else {},
        "scene": _scene_json(scene),
        "from": span.start,
        "to": span.end,
    }


def _sidecars(spec: NetworkSpec) -> dict[str, str]:
    """Return the SHA-256 of the files beside a network that say how it is used, by name."""
    if is_remote(spec.model):
        return {}
    return _checksums(sidecar_path(Path(spec.model)), sidecar_labels(Path(spec.model)))


def _second_sidecars(spec: NetworkSpec | None) -> dict[str, dict[str, str]]:
    """Return the entry for a second network's file and those beside it, apart from the first network's, which may
    have the same names; nothing without one. Journals from before it existed can be resumed.
    """
    if spec is None or is_remote(spec.model):
        return {}
    return {"second_sidecars": {**_sidecars(spec), **_checksums(Path(spec.model))}}


def _accompanying_files(spec: NetworkSpec) -> dict[str, str]:
    """Return the SHA-256 of the other files of a network: external weights, and the configuration of transformers."""
    path = Path(spec.model)
    if is_remote(spec.model):
        return {}
    is_onnx = path.suffix.lower() == ".onnx"
    try:
        # Facts of PyTorch's files may need a process of their own.
        with ModelFile.opened(path) if is_onnx else contextlib.nullcontext() as file:
            weight_files = external_files(file.bare, path) if file is not None else ()
            is_of_transformers = file is None or file.facts.input_name == INPUT
    except LightloomError:  # what loads it reports this
        return {}
    return _checksums(*weight_files, *(config_files(path) if is_of_transformers else ()))


def _checksums(*paths: Path | None) -> dict[str, str]:
    found = {}
    for path in paths:
        # One that cannot be read is reported by what loads the network.
        with contextlib.suppress(OSError, ValueError):
            if path is not None and path.is_file():
                found[path.name] = sha256_of(path)
    return found


def _scene_json(scene: SceneSpec) -> dict[str, Any]:
    described = scene_json(scene)
    if scene.track is not None and not scene.track.cuts:
        del described["track"]["cuts"]  # journals from before it existed can be resumed
    return described


def about_run(engine: Engine, inputs: int) -> About:
    """Return the facts about a run that formats may use, once its network is loaded."""
    network, features = engine.current.setup.network, engine.current.network_status.features
    assert network is not None and features is not None
    task = the_task(features.task)
    return About(
        network=title_of(Path(network.model)),
        labels=features.labels,
        finds=isinstance(task, ResultTask) and task.finds,
        tracked=engine.current.setup.scene.track is not None,
        inputs=inputs,
    )


class Collector:
    """Analyzes inputs one after the other. For use on its engine's thread."""

    def __init__(
        self,
        engine: Engine,
        journal: Journal,
        span: Span,
        on_progress: Callable[[Progress], None],
        on_note: Callable[[str], None] = lambda _: None,
        on_tracked_result: Callable[[TrackedResult, str], None] = lambda *_: None,
        on_open: Callable[[Source], object] = lambda _: None,
        on_wait: Callable[[], object] = lambda: None,
    ) -> None:
        """Make a collector.

        Args:
            engine: made with `wait`, with a network in its setup; the setup's scene starts anew with each
                input.
            on_progress: called with each frame; may raise StoppedError to stop.
            on_note: called with a sentence for each image of a folder that cannot be opened.
            on_tracked_result: called with the results of each frame and the name of the file or input.
            on_open: called with each source before its first frame.
            on_wait: as `on_progress`, several times a second while a live source delivers nothing.
        """
        self._engine, self._journal, self._span = engine, journal, span
        self._on_progress, self._on_note, self._on_tracked_result = on_progress, on_note, on_tracked_result
        self._on_open, self._on_wait = on_open, on_wait

    def analyze_input(self, number: int, name: str) -> None:
        """Analyze the remaining frames of an input. Raises SourceError (input), ModelError, GpuError
        (network, device), ExportError (journal).
        """
        state = self._journal.inputs.get(number)
        done = state.pictures if state is not None else 0
        if state is not None and (state.ended or (self._span.most and done >= self._span.most)):
            return
        # A range of what is open in the window is given in the window's times.
        whole = self._span.is_piece or (self._span.start is None and self._span.end is None)
        wanted = self._engine.current.setup.scene
        source = open_source(name, image_seconds=(wanted if whole else SceneSpec()).image_seconds)
        self._on_open(source)
        scene = Scene(self._engine.current.setup.scene)
        is_replayed = bool(done) and self._engine.current.setup.scene != SceneSpec()
        before = self._journal.records(number) if is_replayed else iter(())
        last = self._journal.last(number) if done and not source.info.live else None
        # Results and events go to others, the address of a camera with its password does not.
        name = public_name(name)
        self._journal.begin_input(number, name)
        limit = TimeLimit(self._span.seconds, is_live=source.info.live)

        def is_over() -> bool:
            if source.info.live:
                self._on_wait()
            return limit.is_over()

        wanted_frames = _with_names(limit.of(self._span.frames(source)), source, name)
        frames = prefetch(wanted_frames, is_over=is_over, patience=0.5 if source.info.live else 5.0)
        try:
            self._collect_frames(number, name, source, frames, scene, done, before, last)
        finally:
            if source.info.live:
                source.close()  # it may be waiting for its connection
            frames.close()
            source.close()
            for note in left_out(source):
                self._on_note(note)

    def _collect_frames(
        self,
        number: int,
        name: str,
        source: Source,
        frames: Iterator[tuple[int, Frame, str]],
        scene: Scene,
        done: int,
        before: Iterator[PictureRecord],
        last: PictureRecord | None,
    ) -> None:
        """Analyze the frames after the first `done`, whose records `before` the scene sees again, if any.

        Raises OtherInputError if the last of them is not the frame of the record `last`.
        """
        count = 0
        for place, frame, file in frames:
            if not self._span.is_piece:
                if self._span.end is not None and frame.pts >= self._span.end:
                    break
                if self._span.start is not None and frame.pts < self._span.start:
                    continue
            count += 1
            if count == done and last is not None and not _is_of(last, frame, file):
                raise _other_input(name, done)
            scene.watch(frame)
            if count <= done and (record := next(before, None)) is not None:
                scene.see(_JournaledResult(found=record.shapes), record.pts, record.size)
            if count > done:
                result = self._engine.analyze_frame(frame)
                tracked_result = scene.see(result, frame.pts, self._engine.pipeline.picture_size)
                still = source.info.is_still
                self._journal.add(number, PictureRecord.of(tracked_result, name, file, place, still=still))
                self._on_tracked_result(tracked_result, file)
            self._on_progress(Progress(number, count, self._expected(source)))
            if count == self._span.most:
                return  # there may be more
        if count < done and last is not None:
            raise _other_input(name, done)
        self._journal.end_input(number)

    def _expected(self, source: Source) -> int:
        total = int(source.info.detail.get("pictures", 0)) or round(source.info.duration * source.info.rate)
        if source.info.duration:
            start, end = self._span.start or 0.0, self._span.end or source.info.duration
            total = round(total * max(0.0, end - start) / source.info.duration)
        most = self._span.most
        return min(total, most) if most and total else most or total


def _is_of(record: PictureRecord, frame: Frame, file: str) -> bool:
    # A journal may come from a system that writes paths with the other slash.
    is_same_file = record.file.replace("\\", "/") == file.replace("\\", "/")
    return is_same_file and abs(record.pts - frame.pts) < _SAME_TIME_S


def _other_input(name: str, done: int) -> OtherInputError:
    return OtherInputError(
        sentence(
            "{name} has changed since its first {done} frames were analyzed; leave --resume out to analyze all of it.",
            name=name,
            done=done,
        )
    )


def _with_names(frames: Iterator[Frame], source: Source, name: str) -> Iterator[tuple[int, Frame, str]]:
    """Yield frames with their numbers from 1 and file names: each image of a folder has its own."""
    for place, frame in enumerate(frames, 1):
        is_folder = source.info.kind == "folder"
        yield place, frame, str(Path(name) / source.info.detail["name"]) if is_folder else name


def collect(
    engine: Engine,
    inputs: Sequence[str],
    journal: Journal,
    span: Span,
    on_progress: Callable[[Progress], None],
    on_note: Callable[[str], None],
    on_tracked_result: Callable[[TrackedResult, str], None] = lambda *_: None,
    on_open: Callable[[Source], object] = lambda _: None,
    on_wait: Callable[[], object] = lambda: None,
) -> int:
    """Analyze all inputs and return how many failed; `on_note` is called for each, and for unreadable images.

    Raises StoppedError, and ModelError, GpuError, ExportError, UsageError if all inputs would fail.
    """
    collector = Collector(engine, journal, span, on_progress, on_note, on_tracked_result, on_open, on_wait)
    failures = 0
    for number, name in enumerate(inputs):
        try:
            collector.analyze_input(number, name)
        except (StoppedError, ModelError, GpuError, ExportError, UsageError):
            raise
        except LightloomError as error:
            failures += 1
            on_note(str(error))
    return failures


def finish(journal: Journal, chosen: ResultFormat, target: Path, about: About) -> tuple[Path, ...]:
    """Write a run's results from its journal and delete it; return the files written. Raises ExportError if
    there is nothing to write, or it cannot be written; the journal is kept.
    """
    if not journal.pictures:
        journal.delete()
        raise ExportError(
            sentence("The input has no frame, so nothing was written; choose another file or range.")
        )
    try:
        written = chosen.write(journal.records, target, about)
    except ExportError as error:
        journal.close()
        if is_special(target):
            raise
        raise ExportError(
            joined(" ", (str(error), sentence("All that was seen is in {name}.", name=journal.path)))
        ) from error
    journal.delete()
    return written


def setup_for(spec: NetworkSpec, scene: SceneSpec) -> Setup:
    """Return the setup of a run: a network that analyzes every frame as the source delivers it."""
    return Setup(network=replace(spec, every=1), scene=scene)
