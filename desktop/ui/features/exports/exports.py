"""Queue of exports of the open file, run one after the other in a child process."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QTimer, Signal

from desktop.base.errors import LightloomError
from desktop.base.paths import user_export_folder
from desktop.media.audio.tracks import ALL_TRACKS, MOST_TRACKS
from desktop.pipeline.engine import Engine
from desktop.pipeline.setup.layers import uses_results
from desktop.pipeline.setup.preset import save_preset
from desktop.pipeline.setup.setup import Setup, without_actions
from desktop.ui.features.decoding.decoding import Decoding
from desktop.ui.features.subtitles.subtitles import Subtitles
from desktop.ui.kit.jobs import Jobs
from desktop.ui.kit.messages import Messages, NoticeButton
from desktop.ui.workspace.edits import Edits
from desktop.ui.workspace.playback import Playback
from desktop.vision.tracking.scene import SceneSpec

if TYPE_CHECKING:
    # Imports that the first frame does not need.
    from desktop.outputs.encoding import Encoding
    from desktop.outputs.export_queue import Export
    from desktop.outputs.export_runner import ExportRunner
    from desktop.outputs.forecast import Forecast
    from desktop.outputs.span import TimeSpan

_POLL_MS: Final = 250


def as_written(setup: Setup) -> Setup:
    """Return a setup with all stages, frame interpolation and the network switched off; redaction, and the
    network that it needs, stay on: a recording that runs must not show what is hidden.
    """
    stages = tuple(replace(stage, enabled=False) for stage in setup.chain.stages)
    chain = replace(setup.chain, stages=stages)
    analyzes = setup.network_enabled and setup.anonymize is not None
    return replace(setup, chain=chain, interpolation=None, network_enabled=analyzes or setup.network is None)


class Exports(QObject):
    """Owns the export queue; `begin`, after the first frame, loads it and reports unfinished ones."""

    changed = Signal()

    def __init__(
        self,
        engine: Engine,
        jobs: Jobs,
        messages: Messages,
        playback: Playback,
        edits: Edits,
        subtitles: Subtitles,
        decoding: Decoding,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._engine, self._jobs, self._messages = engine, jobs, messages
        self._playback, self._edits = playback, edits
        self._subtitles, self._decoding = subtitles, decoding
        self._runner: ExportRunner | None = None
        self._adding: list[Path] = []
        self._not_added: set[str] = set()
        # The export that `play` opens, until its first frame.
        self._playing = ""
        playback.opened.connect(self._on_opened)
        playback.refused.connect(self._on_refused)
        self._timer = QTimer(self)
        self._timer.setInterval(_POLL_MS)
        self._timer.timeout.connect(self._poll)

    # -- the queue -------------------------------------------------------------------------------------------

    def begin(self) -> None:
        """Load the queue of an earlier start. An interrupted export is shown but not restarted."""
        if not user_export_folder().is_dir():
            return
        runner = self.runner()
        promised = 0 if runner is None else runner.queue.resume_promised()
        if promised:
            text = self.tr("%n exports begin again, as you wanted when Lightloom was closed.", "", promised)
            self._messages.post("info", text, about="exports")
        left = [] if runner is None else [e for e in runner.queue.exports if e.state == "interrupted"]
        if left:
            text = self.tr("%n exports were interrupted; the panel Exports begins them again.", "", len(left))
            self._messages.post("warning", text, about="exports")

    def runner(self) -> ExportRunner | None:
        """Return the export runner, created on first call; None if its folder is not writable."""
        if self._runner is None:
            from desktop.outputs.export_queue import ExportQueue
            from desktop.outputs.export_runner import ExportRunner

            try:
                queue = ExportQueue(user_export_folder())
            except LightloomError as error:
                self._messages.post("error", str(error), about="exports")
                return None
            self._runner = ExportRunner(queue)
            self._runner.on_end = self._on_end
            queue.on_change = self._on_change
            queue.on_problem = self._report_list
            for note in queue.notes:
                self._report_list(note)
            self._on_change()
        return self._runner

    def _report_list(self, text: str) -> None:
        self._messages.post("warning", text, about="list of exports")

    @property
    def all(self) -> tuple[Export, ...]:
        """The entries."""
        return () if self._runner is None else self._runner.queue.exports

    @property
    def is_running(self) -> bool:
        """True while one is under way."""
        return self._runner is not None and self._runner.is_running

    @property
    def left(self) -> int:
        """Number of exports that run or wait, or are about to."""
        return len(self._adding) + sum(each.state in ("waiting", "running", "paused") for each in self.all)

    @property
    def failed(self) -> frozenset[str]:
        """Ids of the exports that failed, and files of those that could not be added."""
        failed = {each.job.id for each in self.all if each.state in ("failed", "interrupted")}
        return frozenset(failed | self._not_added)

    @property
    def in_use(self) -> tuple[Path, ...]:
        """The files that exports which run or wait will write or read."""
        jobs = [each.job for each in self.all if each.state in ("waiting", "running", "paused")]
        read = [Path(job.source) for job in jobs]
        return (*self._adding, *(job.target for job in jobs), *read)

    @property
    def is_busy(self) -> bool:
        """True while closing would end one, or keep one from beginning."""
        return self.left > 0

    def go_on_all(self) -> None:
        """Resume all paused exports."""
        for each in self.all:
            if each.state == "paused" and self._runner is not None:
                self._runner.go_on(each.job.id)

    def go_on_at_next_start(self) -> bool:
        """Resume unfinished exports automatically at the next start; report it and return False if that is impossible."""
        try:
            if self._runner is not None:
                self._runner.queue.promise()
        except LightloomError as error:
            self._messages.post("error", str(error), about="exports")
            return False
        return True

    def _on_change(self) -> None:
        if self._runner is not None:
            busy = self._runner.is_running or self._runner.queue.next() is not None
            if busy != self._timer.isActive():
                (self._timer.start if busy else self._timer.stop)()
        self.changed.emit()

    def _poll(self) -> None:
        if self._runner is not None:
            self._runner.poll()
            self._on_change()

    def _on_end(self, export: Export) -> None:
        target = str(export.job.target)
        if export.state == "done":
            self._messages.post("info", self.tr("Exported as {0}").format(target), target)
        elif export.state in ("failed", "interrupted"):
            self._messages.post("error", export.text or self.tr("The export to {0} failed.").format(target))

    # -- what can be exported --------------------------------------------------------------------------------

    @property
    def is_offered(self) -> bool:
        """True for a source with a beginning and an end that is more than a single frame."""
        info = self._playback.info
        timed = info is not None and not info.live and info.duration > 0 and info.kind != "image"
        return timed and self._playback.has_picture

    @property
    def is_hdr(self) -> bool:
        """True for a source with HDR (PQ, HLG)."""
        frame = self._engine.current.frame
        return frame is not None and frame.color.is_hdr

    def color_fault(self, encoding: Encoding) -> str:
        """Return a sentence on what of the setup prevents an export that keeps HDR; '' if nothing does."""
        from desktop.pipeline.setup.hdr import hdr_fault

        if encoding.hdr != "keep":
            return ""
        return hdr_fault(self._edits.setup, self._engine.library) or ""

    @property
    def has_overlay(self) -> bool:
        """True if a network has results that could be drawn."""
        return self._edits.setup.analysis is not None

    @property
    def has_subtitles(self) -> bool:
        """True if subtitles are shown, which could be drawn in."""
        return self._subtitles.are_shown

    def foresee(
        self,
        target: Path,
        encoding: Encoding,
        drawn: bool,
        done: Callable[[Forecast], None],
        failed: Callable[[LightloomError], None],
        *,
        all_tracks: bool = False,
        makes_frames: bool = False,
    ) -> None:
        """Forecast an export on a thread; `drawn`: subtitles are drawn in; `all_tracks`: all audio tracks are kept;
        `makes_frames`: frames in between are made.
        """
        info, size = self._playback.info, self._engine.current.picture_size
        if info is None:
            return
        rate, source = info.rate, self._source_file
        tracks = range(self.audio_tracks) if all_tracks else (self._sound_track,)

        begins = getattr(self._playback.source, "start_time", None)
        frame = self._engine.current.frame if encoding.hdr == "keep" else None

        def work() -> Forecast:
            from desktop.outputs.forecast import foresee
            from desktop.outputs.video_color import hdr_color

            return foresee(
                source,
                size,
                rate,
                target,
                encoding,
                draws_subtitles=drawn,
                sound_tracks=tracks,
                begins=begins,
                color=hdr_color(frame) if frame is not None and frame.color.is_hdr else None,
                makes_frames=makes_frames,
            )

        self._jobs.run(work, done, failed)

    @property
    def audio_tracks(self) -> int:
        """Number of audio tracks of the source, of those that an export can keep."""
        sound = self._playback.source_sound
        return min(len(sound.tracks), MOST_TRACKS) if sound is not None else 0

    @property
    def _sound_track(self) -> int | None:
        """The index of the audio track in use, from 0; None if none plays."""
        sound = self._playback.source_sound
        return sound.track if sound is not None else None

    @property
    def _source_file(self) -> Path | None:
        path = getattr(self._playback.source, "path", None)
        return path if isinstance(path, Path) else None

    @property
    def source_name(self) -> str:
        """The name that opens the source."""
        path = self._source_file
        return str(path.absolute()) if path is not None else self._playback.name

    def is_source(self, target: Path) -> bool:
        """True if the target is the source itself."""
        from desktop.base.files import same_file

        path = self._source_file
        return path is not None and same_file(path, target)

    @property
    def interpolation_network(self) -> str:
        """File of the frame interpolation's network, '' for none."""
        spec = self._edits.setup.interpolation
        return "" if spec is None else spec.model

    def add(
        self,
        target: Path,
        encoding: Encoding,
        span: TimeSpan,
        *,
        overlay: bool,
        subtitles: bool = False,
        stabilize: float = 0.0,
        slow_motion: int = 1,
        all_tracks: bool = False,
    ) -> None:
        """Append an export of the open source, with the current chain and subtitles, to the queue."""
        from desktop.outputs.export_queue import ExportJob, TimeChanges

        runner = self.runner()
        if runner is None:
            return
        queue = runner.queue
        setup = self._setup(overlay=overlay)
        adapter = self._engine.gpu.adapter
        library, source = self._engine.library, self.source_name
        drawn = overlay and setup.analysis is not None
        said = self._subtitles.chosen if subtitles else ""
        decoding = self._decoding.choice
        track = "" if self._sound_track is None else str(self._sound_track + 1)
        track = ALL_TRACKS if all_tracks else track

        changes = TimeChanges(stabilize, slow_motion, self.interpolation_network if slow_motion > 1 else "")

        def work() -> ExportJob:
            from desktop.media.sources._decoding import known_choice

            name = queue.new_id()
            save_preset(setup, library, queue.folder_of(name) / "preset.toml")
            computes = adapter.choice
            return ExportJob(
                *(name, source, target, encoding, span, drawn, computes, said, known_choice(decoding), track),
                changes=changes,
            )

        # Its name is taken before it is in the queue.
        self._adding.append(target)
        self._not_added.discard(str(target))

        def added(job: ExportJob) -> None:
            self._adding.remove(target)
            queue.add(job)

        def failed(error: LightloomError) -> None:
            self._adding.remove(target)
            self._not_added.add(str(target))
            self._messages.post("error", str(error))
            self.changed.emit()

        self._jobs.run(work, added, failed)

    def _setup(self, *, overlay: bool) -> Setup:
        """Return the setup without event actions and networks that are neither drawn nor used to redact."""
        # A video has the frame rate of its forecast: interpolation is for playback and for `process`.
        setup = replace(without_actions(self._edits.setup), interpolation=None)
        if overlay:
            return setup
        told = uses_results(setup.layers)
        network = setup.analysis if setup.anonymize is not None or told else None
        scene = setup.scene if told else SceneSpec()
        return Setup(setup.chain, network, scene, setup.anonymize, layers=setup.layers)

    # -- what is done with entries ---------------------------------------------------------------------------

    def pause(self, name: str) -> None:
        """Pause or resume an export."""
        if self._runner is not None:
            export = self._runner.queue.get(name)
            if export is not None and export.state == "running":
                self._runner.pause(name)
            else:
                self._runner.go_on(name)

    def cancel(self, name: str) -> None:
        """Cancel an active or queued export; remove one that has ended."""
        if self._runner is None:
            return
        export = self._runner.queue.get(name)
        if export is not None and export.state in ("waiting", "running", "paused"):
            self._runner.cancel(name)
        else:
            self._runner.queue.remove(name)

    def play(self, target: Path) -> None:
        """Open a finished export, with the effects, which it has already, and the network switched off."""
        self._playing = str(target)
        self._playback.open(self._playing)

    def _on_opened(self, name: str) -> None:
        is_export, self._playing = name == self._playing, ""
        before = self._edits.setup
        plain = as_written(before)
        if not is_export or plain == before:
            return
        title = Path(name).name
        self._edits.edit(plain, self.tr("Play {0} as it was written").format(title))
        back = self.tr("Apply them again")
        text = (
            self.tr("{0} plays as it was written: the effects and the network are switched off.")
            if plain.anonymize is None
            else self.tr("{0} plays as it was written: the effects are switched off; Anonymize stays on.")
        )
        button = NoticeButton(back, lambda: self._edits.edit(before, back))
        self._messages.post("info", text.format(title), about="played export", buttons=(button,))

    def _on_refused(self, name: str, _: object) -> None:
        if name == self._playing:
            self._playing = ""

    def move(self, name: str, by: int) -> None:
        """Move an export in the queue."""
        if self._runner is not None:
            self._runner.queue.move(name, by)

    def close(self) -> None:
        """Stop the active export; the next start shows it as interrupted."""
        self._timer.stop()
        if self._runner is not None:
            self._runner.queue.on_change = lambda: None
            self._runner.on_end = lambda _: None
            self._runner.close()
            self._runner = None
