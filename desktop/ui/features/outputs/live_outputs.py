"""Live outputs in the window: state, options and frames. Their modules are imported on first use."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from PySide6.QtCore import QObject, QTimer, Signal

from desktop.base.errors import LightloomError, UsageError
from desktop.base.fields import Field, Line, Secret, Value
from desktop.pipeline.engine import Engine
from desktop.ui.features.overlay.saved_overlay import SavedOverlay
from desktop.ui.forms.settings import Settings
from desktop.ui.kit.jobs import Jobs
from desktop.ui.kit.messages import Messages
from desktop.ui.kit.thread_signal import ThreadSignal
from desktop.ui.workspace.capture import begin_fetch
from desktop.ui.workspace.edits import Edits
from desktop.ui.workspace.playback import Playback
from desktop.vision.tracking.anonymize import hides_others

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop.outputs.live._user_package import Download
    from desktop.outputs.live.feed import CommonOptions, Feed, FeedFigures, Feeds
    from desktop.outputs.live.output import LiveOutput, PictureFormat
    from desktop.outputs.picture_queue import Fetch

# Interval of frames sent for changes without a new source frame, such as a dragged slider.
_REDRAWN_MS: Final = 100
_USUAL_RATE: Final = 30.0


@dataclass(frozen=True)
class OutputStatus:
    """State of an output: `error` if it has failed, `figures` while it is on."""

    state: Literal["off", "opening", "running", "failed"] = "off"
    error: str = ""
    figures: FeedFigures | None = None


class LiveOutputs(QObject):
    """Owns the active outputs. None starts automatically, even if it was on when the window was closed."""

    changed = Signal()

    def __init__(
        self,
        engine: Engine,
        settings: Settings,
        jobs: Jobs,
        messages: Messages,
        playback: Playback,
        edits: Edits,
        overlay: SavedOverlay,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._engine, self._settings, self._jobs = engine, settings, jobs
        self._messages, self._playback, self._overlay = messages, playback, overlay
        self._feeds: Feeds | None = None
        # Never stored: the `Field` is a secret.
        self._secrets: dict[tuple[str, str], Value] = {}
        self._reported: dict[str, str] = {}
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(_REDRAWN_MS)
        self._later.timeout.connect(self._offer)
        self._woken = ThreadSignal(self._follow)
        self._edits, self._anonymize = edits, edits.setup.anonymize
        edits.setup_changed.connect(self._follow_setup)
        self._source: object = playback.source
        playback.opened.connect(self._follow_sound)
        playback.changed.connect(self._follow_source)
        settings.follow(self._follow_sound, Settings.records_microphone)

    # -- what there is ---------------------------------------------------------------------------------------

    @property
    def outputs(self) -> Mapping[str, LiveOutput]:
        """All outputs by their ids."""
        from desktop.outputs.live import live_outputs

        return live_outputs()

    @staticmethod
    def fields_of(output: LiveOutput) -> tuple[Field, ...]:
        """Return an output's own fields, followed by those of all outputs."""
        from desktop.outputs.live.feed import common_fields

        return (*output.fields, *common_fields(output))

    def values_of(self, output: LiveOutput) -> dict[str, Value]:
        """Return a value for each field: the stored one if it is valid."""
        kept = self._settings.live_outputs.get(output.id, {})
        values: dict[str, Value] = {}
        for field in self.fields_of(output):
            value = self._secrets.get((output.id, field.name), kept.get(field.name, field.default))
            try:
                values[field.name] = field.check(value)
            except UsageError:
                values[field.name] = field.default
        return values

    def set_value(self, output: LiveOutput, name: str, value: Value) -> None:
        """Change and save a value; a secret, or a text with one, is kept only until the window closes."""
        field = next(each for each in self.fields_of(output) if each.name == name)
        kept = field.storable(str(value)) if isinstance(field, Line) else value
        self._secrets.pop((output.id, name), None)
        if isinstance(field, Secret) or kept != value:
            self._secrets[output.id, name] = value
        if not isinstance(field, Secret):
            every = self._settings.live_outputs
            self._settings.live_outputs = {**every, output.id: {**every.get(output.id, {}), name: kept}}
        feed = self._feed(output.id)
        if feed is not None:
            feed.common_options = self._common_options(output)
            self._offer()
        self.changed.emit()

    def _common_options(self, output: LiveOutput) -> CommonOptions:
        from desktop.outputs.live.feed import CommonOptions

        values = self.values_of(output)
        return CommonOptions(bool(values["overlay"]), bool(values["mirrored"]))

    def _own_values(self, output: LiveOutput) -> dict[str, Value]:
        values = self.values_of(output)
        return {field.name: values[field.name] for field in output.fields}

    @property
    def has_picture(self) -> bool:
        """True if there is a frame to send."""
        return self._playback.source is not None and bool(self._engine.current.picture_size[0])

    def find_missing(self, output: LiveOutput, done: Callable[[tuple[str, tuple[str, ...]]], object]) -> None:
        """Determine on a thread what is missing and what would be sent instead; call `done` with both."""
        values, pictures = self._own_values(output), self._pictures(output)

        def work() -> tuple[str, tuple[str, ...]]:
            return output.missing(values), output.foresee(values, pictures) if pictures.width else ()

        self._jobs.run(work, done)

    def _pictures(self, output: LiveOutput) -> PictureFormat:
        from desktop.outputs.live.output import PictureFormat

        info, (width, height) = self._playback.info, self._engine.current.picture_size
        rate = info.rate if info is not None and info.rate else _USUAL_RATE
        return PictureFormat(width, height, rate, output.takes_audio and self._playback.listening is not None)

    # -- what can be installed -------------------------------------------------------------------------------

    def download_package(self, output: LiveOutput, done: Callable[[Download | None], object]) -> None:
        """Download what an output can have installed, on a thread; `done` gets it, or None for a failure, which
        is posted.
        """
        package, about = output.package, _about(output.id)
        if package is None or self._settings.offline:
            text = self.tr("Lightloom is set to work offline; switch that off in the preferences first.")
            self._messages.post("error", text, about=about)
            done(None)
            return

        def failed(error: LightloomError) -> None:
            self._messages.post("error", str(error), about=about)
            done(None)

        self._messages.settled.emit(about)
        self._jobs.run(package.download, done, failed, is_long=True)

    def install_package(self, output: LiveOutput, download: Download) -> None:
        """Install what was downloaded for an output, on a thread; the outcome is posted."""
        package = output.package
        if package is None:
            return
        about = _about(output.id)

        def done(_: None) -> None:
            text = self.tr("{0} {1} is installed in {2}.").format(
                package.name, package.version, package.folder
            )
            self._messages.post("info", text, about=about)
            self.changed.emit()

        self._jobs.run(
            lambda: package.install(download),
            done,
            lambda error: self._messages.post("error", str(error), about=about),
            is_long=True,
        )

    # -- on and off ------------------------------------------------------------------------------------------

    def _feed(self, output_id: str) -> Feed | None:
        return None if self._feeds is None else self._feeds.get(output_id)

    @property
    def on(self) -> tuple[Feed, ...]:
        """Outputs that are on; for any thread."""
        return () if self._feeds is None else self._feeds.on

    @property
    def is_any_on(self) -> bool:
        """True while one wants frames."""
        return self._feeds is not None and self._feeds.is_any_on

    def is_on(self, output_id: str) -> bool:
        """True from when it was switched on until it has ended."""
        feed = self._feed(output_id)
        return feed is not None and feed.is_on

    def status_of(self, output_id: str) -> OutputStatus:
        """Return how one is doing."""
        feed = self._feed(output_id)
        if feed is None or feed.state == "ended":
            return OutputStatus()
        return OutputStatus(feed.state, feed.error, feed.figures() if feed.is_on else None)

    def toggle(self, output_id: str) -> None:
        """Switch one on or off."""
        output = self.outputs[output_id]
        about = _about(output_id)
        self._messages.settled.emit(about)
        self._reported.pop(output_id, None)
        if self.is_on(output_id):
            self._made().end(output_id)
        elif not self.has_picture:
            text = self.tr("There is nothing to give out yet; open a source first.")
            self._messages.post("error", text, about=about)
        else:
            pictures = self._pictures(output)
            listen = self._playback.listening if pictures.sound else None
            self._made().begin(
                output, self._own_values(output), pictures, self._common_options(output), listen
            )
        self.changed.emit()

    def _made(self) -> Feeds:
        if self._feeds is None:
            from desktop.outputs.live.feed import Feeds

            self._feeds = Feeds(self._woken.send)
        return self._feeds

    def _follow(self) -> None:
        if self._feeds is None:
            return
        for output_id, output in self.outputs.items():
            status = self.status_of(output_id)
            if status.state == "failed" and self._reported.get(output_id) != status.error:
                self._reported[output_id] = status.error
                self._messages.post("error", status.error, about=_about(output_id))
            elif status.state == "running" and output.repeat_s:
                # Otherwise a paused video's frame would be sent only after the next drawing.
                self._offer()
        self.changed.emit()

    def _follow_sound(self) -> None:
        """Follow a change of the audible source."""
        if self._feeds is not None and self._feeds.is_any_on:
            self._feeds.set_audio_source(self._playback.listening)

    def _follow_source(self) -> None:
        """Stop outputs of a closed source, and follow the audio of the active tile."""
        before, self._source = self._source, self._playback.source
        if self._source is not before:
            if self._source is None and self._feeds is not None:
                self._feeds.discard_shown()
            self._follow_sound()

    def _follow_setup(self) -> None:
        before, self._anonymize = self._anonymize, self._edits.setup.anonymize
        if self._feeds is not None and hides_others(before, self._anonymize):
            self._feeds.discard_shown()

    # -- frames ----------------------------------------------------------------------------------------------

    def on_drawn(self) -> None:
        """A new frame was drawn."""
        self._later.stop()
        self._offer()

    def on_redrawn(self) -> None:
        """Handle a redraw of the frame, perhaps with other filters or results."""
        if self.is_any_on and not self._later.isActive():
            self._later.start()

    def _offer(self) -> None:
        # The pipeline keeps the last frame of a closed source until the next one.
        if self._feeds is not None and self._feeds.is_any_on and self._playback.source is not None:
            self._feeds.offer(self._export, time.perf_counter())

    def _export(self, overlay: bool) -> Fetch | None:
        try:
            return begin_fetch(self._engine, self._overlay.current_overlay() if overlay else None)
        except LightloomError:
            return None  # on device loss, which the viewport reports

    def close(self) -> None:
        """End all, and wait for it."""
        self._later.stop()
        if self._feeds is not None:
            self._feeds.close()
            self._feeds = None


def _about(output_id: str) -> str:
    return f"output {output_id}"
