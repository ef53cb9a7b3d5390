"""Export a network's results over the open file, as `lightloom analyze` does, during playback."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

from PySide6.QtCore import QObject, Signal

from desktop.base.errors import LightloomError, StoppedError
from desktop.base.wording import joined, plural
from desktop.pipeline.engine import Engine
from desktop.pipeline.setup.setup import Setup
from desktop.ui.features.decoding.decoding import Decoding
from desktop.ui.forms.settings import Settings
from desktop.ui.kit.jobs import Jobs
from desktop.ui.kit.messages import Messages
from desktop.ui.kit.thread_signal import ThreadSignal
from desktop.ui.workspace.capture import free_path
from desktop.ui.workspace.edits import Edits
from desktop.ui.workspace.playback import Playback
from desktop.ui.workspace.waiting_engine import waiting_engine
from desktop.vision.tracking.track import TrackSpec

if TYPE_CHECKING:
    # They import network code, which the first frame must not wait for.
    from desktop.media.sources.base import Source
    from desktop.outputs.collect import Progress, Span
    from desktop.outputs.journal import Journal
    from desktop.outputs.result_format import About
    from desktop.vision.tracking.scene import TrackedResult

_REPORT_S: Final = 0.1
_NAMED: Final = 3
"""Number of unreadable frames that a notice names."""


@dataclass(frozen=True)
class ExportPlan:
    """Options of an export.

    Attributes:
        source: name of the open source.
        target: file or folder to write.
        span: (start, end) in seconds; None for all of it.
        track: track objects, even if the window does not.
    """

    source: str
    target: Path
    format: str
    span: tuple[float, float] | None = None
    track: bool = False


ResultsState = Literal["waiting", "running", "done", "failed", "canceled"]


@dataclass(frozen=True)
class ResultsEntry:
    """An export of the queue.

    Attributes:
        share: progress, 0 to 1.
        text: why it failed, '' otherwise.
    """

    id: str
    plan: ExportPlan
    state: ResultsState = "waiting"
    share: float = 0.0
    text: str = ""


class ResultsExport(QObject):
    """Runs exports one after the other on a separate device, so that playback continues.

    `entries` are those since the start of the program, the oldest first.
    """

    changed = Signal()

    def __init__(
        self,
        engine: Engine,
        jobs: Jobs,
        messages: Messages,
        playback: Playback,
        edits: Edits,
        decoding: Decoding,
        settings: Settings,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._engine, self._jobs, self._messages = engine, jobs, messages
        self._playback, self._edits, self._decoding = playback, edits, decoding
        self._settings = settings
        self._stopping = threading.Event()
        self._run: Engine | None = None
        self.plan: ExportPlan | None = None
        self.entries: tuple[ResultsEntry, ...] = ()
        self._count = 0
        self._incomplete: set[str] = set()
        self._saving: list[Path] = []  # by `save_shown`, not on the disk yet
        self._current = ""
        # The work of those that wait, by id: with the setup at the time they were added.
        self._works: dict[str, Callable[[], tuple[tuple[Path, ...], list[str]]]] = {}
        self.share, self.pictures = 0.0, 0
        self._progressed = ThreadSignal(self._on_progress)

    # -- availability ----------------------------------------------------------------------------------------

    @property
    def is_running(self) -> bool:
        """True while an export is running."""
        return self.plan is not None

    @property
    def left(self) -> int:
        """Number of exports that run or wait."""
        return sum(each.state in ("waiting", "running") for each in self.entries)

    @property
    def failed(self) -> frozenset[str]:
        """Ids of the exports that failed, or left something out."""
        failed = {each.id for each in self.entries if each.state == "failed"}
        return frozenset(failed | self._incomplete)

    @property
    def is_offered(self) -> bool:
        """True if the source is a finite file and the network needs no prompts."""
        info = self._playback.info
        named = self._edits.setup.analysis is not None and not self._engine.current.takes_prompts
        return named and info is not None and not info.live

    @property
    def can_begin(self) -> bool:
        """True if, in addition, the network runs."""
        return self.is_offered and self._engine.current.network_status.state == "running"

    def about(self) -> About:
        """Return the facts about the running network that formats may use."""
        from desktop.outputs.collect import about_run

        return about_run(self._engine, 1)

    @property
    def in_use(self) -> tuple[Path, ...]:
        """The files or folders that are being written, or will be by exports that wait."""
        left = [each.plan.target for each in self.entries if each.state in ("waiting", "running")]
        return (*self._saving, *left)

    # -- runs ------------------------------------------------------------------------------------------------

    def begin(self, plan: ExportPlan) -> None:
        """Add an export of the open source, with the current setup; it begins when those before have ended."""
        self._count += 1
        name = f"results-{self._count}"
        setup, adapter = self._setup(plan), self._engine.gpu.adapter.choice
        decoded = self._decoding.for_thread()
        self._works[name] = lambda: self._work(plan, setup, adapter, decoded)
        self.entries = (*self.entries, ResultsEntry(name, plan))
        self._begin_next()
        self.changed.emit()

    def _begin_next(self) -> None:
        waiting = next((each for each in self.entries if each.state == "waiting"), None)
        if self.is_running or waiting is None:
            return
        self.plan, self._current = waiting.plan, waiting.id
        self.share, self.pictures = 0.0, 0
        self._stopping.clear()
        self._change(waiting.id, state="running")
        self._jobs.run(self._works.pop(waiting.id), self._on_done, self._on_failed, is_long=True)

    def _change(self, name: str, **values: Any) -> None:
        self.entries = tuple(replace(each, **values) if each.id == name else each for each in self.entries)

    def save_shown(self) -> None:
        """Save the results of the frame shown as COCO, in the folder of snapshots."""
        tracked_result = self._engine.current.tracked_result
        if tracked_result is None:
            self._messages.said.emit(self.tr("Nothing is detected in the frame"))
            return
        from desktop.outputs.journal import PictureRecord

        target = free_path(self._settings.snapshots_go_to, "Lightloom results", ".json", self._saving)
        # Called here, on the render thread: it reads the masks.
        record = PictureRecord.of(tracked_result, self._playback.name, self._playback.name, 1, still=True)
        about = self.about()

        def work() -> tuple[Path, ...]:
            from desktop.outputs.journal import cannot_write
            from desktop.outputs.results import format_for

            try:
                target.parent.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise cannot_write(target, error) from error
            return format_for(target, "coco").write(lambda: iter((record,)), target, about)

        def done(_: tuple[Path, ...]) -> None:
            self._saving.remove(target)
            self._messages.settled.emit("shown")
            self._messages.post("info", self.tr("Results saved as {0}").format(target), str(target))

        def failed(error: LightloomError) -> None:
            self._saving.remove(target)
            self._messages.post("error", str(error), about="shown")

        self._saving.append(target)
        self._jobs.run(work, done, failed, saves=True)

    def cancel_or_remove(self, name: str) -> None:
        """Cancel an entry that runs or waits; remove one that has ended."""
        entry = next((each for each in self.entries if each.id == name), None)
        if entry is None:
            return
        if entry.state == "running":
            self.cancel()
        elif entry.state == "waiting":
            self._works.pop(name, None)
            self._change(name, state="canceled")
        else:
            self.entries = tuple(each for each in self.entries if each.id != name)
        self.changed.emit()

    def cancel(self) -> None:
        """Cancel the running export; nothing is written."""
        self._stopping.set()
        run = self._run
        if run is not None:
            run.stop()

    def close(self) -> None:
        """Cancel all as the window closes; closing waits for the one that runs with the other jobs."""
        self._works.clear()
        self.entries = ()
        self.cancel()

    def _setup(self, plan: ExportPlan) -> Setup:
        setup = self._edits.setup
        assert setup.network is not None
        scene = setup.scene
        if plan.track and scene.track is None:
            scene = replace(scene, track=TrackSpec())
        # The chain runs if the network analyzes its output.
        chain = setup.chain if setup.network.on_result else Setup().chain
        return replace(setup, chain=chain, network=replace(setup.network, every=1), scene=scene)

    def _work(
        self, plan: ExportPlan, setup: Setup, adapter: str, decoded: Callable[[Source], None]
    ) -> tuple[tuple[Path, ...], list[str]]:
        from desktop.outputs.collect import Span, about_run, describe_run, finish, journal_path
        from desktop.outputs.journal import Journal
        from desktop.outputs.results import result_formats

        assert setup.network is not None
        chosen = result_formats()[plan.format]
        span = Span(*plan.span) if plan.span is not None else Span()
        engine = self._make_engine(adapter)
        try:
            engine.current.set_setup(setup)
            about = about_run(engine, 1)
            chosen.check(about, plan.target)
            run = describe_run([plan.source], setup.network, setup.scene, span)
            journal = Journal.begin(journal_path(plan.target), run)
            try:
                notes = self._collect(engine, plan, journal, span, decoded)
                if self._stopping.is_set():
                    raise StoppedError("stopped")
                return finish(journal, chosen, plan.target, about), notes
            except StoppedError:
                journal.delete()
                raise
            finally:
                journal.close()
        finally:
            self._run = None
            engine.close()

    def _make_engine(self, adapter: str) -> Engine:
        engine = waiting_engine(adapter)
        self._run = engine
        if self._stopping.is_set():
            engine.stop()
        return engine

    def _collect(
        self,
        engine: Engine,
        plan: ExportPlan,
        journal: Journal,
        span: Span,
        decoded: Callable[[Source], None],
    ) -> list[str]:
        """Analyze all frames; return messages about those that are incomplete, or cannot be opened."""
        from desktop.outputs.collect import collect
        from desktop.outputs.incomplete_results import IncompleteResults

        notes: list[str] = []
        incomplete = IncompleteResults()

        def see(tracked: TrackedResult, _: str) -> None:
            incomplete.add(tracked.result)

        post = self._teller(journal)
        failures = collect(engine, [plan.source], journal, span, post, notes.append, see, decoded)
        if failures:
            raise LightloomError(joined(" ", tuple(notes)))
        return [*incomplete.notes, *notes]

    def _teller(self, journal: Journal) -> Callable[[Progress], None]:
        told = 0.0

        def on_progress(progress: Progress) -> None:
            nonlocal told
            if self._stopping.is_set():
                raise StoppedError("stopped")
            now = time.monotonic()
            if now - told >= _REPORT_S:
                told = now
                self._progressed.send(progress.share, journal.pictures)

        return on_progress

    # -- on the window's thread ------------------------------------------------------------------------------

    def _on_progress(self, share: float, pictures: int) -> None:
        self.share, self.pictures = share, pictures
        self._change(self._current, share=share)
        self.changed.emit()

    def _on_done(self, done: tuple[tuple[Path, ...], list[str]]) -> None:
        written, notes = done
        if notes:
            self._incomplete.add(self._current)
        self._end("done")
        self._messages.post("info", self.tr("Results saved as {0}").format(written[0]), str(written[0]))
        if notes:
            rest = len(notes) - _NAMED
            more = (
                [plural(rest, "%n more image is left out.", "%n more images are left out.")]
                if rest > 0
                else []
            )
            self._messages.post("warning", joined(" ", [*notes[:_NAMED], *more]))

    def _on_failed(self, error: LightloomError) -> None:
        is_canceled = isinstance(error, StoppedError) or self._stopping.is_set()
        self._end("canceled" if is_canceled else "failed", "" if is_canceled else str(error))
        if is_canceled:
            self._messages.said.emit(self.tr("Export stopped; nothing was written"))
        else:
            self._messages.post("error", str(error))

    def _end(self, state: ResultsState, text: str = "") -> None:
        self.plan = None
        self._change(self._current, state=state, text=text)
        self._begin_next()
        self.changed.emit()
