"""Frames and videos of what is shown, in full resolution: snapshots, the clipboard, recordings."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QGuiApplication, QImage

from desktop.base.errors import LightloomError
from desktop.overlay.result_overlay import masks_of
from desktop.pipeline.engine import Engine
from desktop.ui.features.overlay.saved_overlay import SavedOverlay
from desktop.ui.forms.settings import Settings
from desktop.ui.kit.jobs import Jobs
from desktop.ui.kit.messages import Messages
from desktop.ui.workspace.capture import Recording, fetch, free_path
from desktop.ui.workspace.playback import Playback

if TYPE_CHECKING:
    from desktop.outputs.encoding import Encoding


class Pictures(QObject):
    """Saves the current frame, with its overlay if the user wants that, and records."""

    recording_changed = Signal()

    def __init__(
        self,
        engine: Engine,
        jobs: Jobs,
        messages: Messages,
        playback: Playback,
        overlay: SavedOverlay,
        settings: Settings,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._overlay, self._settings = overlay, settings
        self._engine, self._jobs, self._messages, self._playback = engine, jobs, messages, playback
        self.recording: Recording | None = None
        self._saving: list[Path] = []  # not on the disk yet
        self._reported_hdr = False

    @property
    def in_use(self) -> tuple[Path, ...]:
        """The files that are being written."""
        return (*self._saving, *((self.recording.path,) if self.recording is not None else ()))

    def _free_path(self, stem: str, suffix: str) -> Path:
        return free_path(self._settings.snapshots_go_to, stem, suffix, self._saving)

    def snapshot(self, path: Path | None = None) -> None:
        """Write the frame shown, at full resolution, in the format of the settings."""
        settings = self._settings
        target = path or self._free_path("Lightloom", f".{settings.snapshot_format}")
        quality = round(settings.snapshot_quality)
        frame = self._engine.current.frame
        is_hdr = frame is not None and frame.color.is_hdr
        try:
            picture = fetch(self._engine, self._overlay.over())
        except LightloomError as error:
            self._messages.post("error", str(error), about="snapshot")
            return

        def work() -> None:
            from desktop.outputs.still import write_image

            write_image(picture(), target, quality=quality)

        self._saving.append(target)

        def saved(_: None) -> None:
            self._saving.remove(target)
            self._messages.settled.emit("snapshot")
            self._messages.post("info", self.tr("Snapshot saved as {0}").format(target), str(target))
            if is_hdr and not self._reported_hdr:
                self._reported_hdr = True
                self._messages.post(
                    "info",
                    self.tr(
                        "Snapshots of HDR are in standard range; export with 'Keep HDR as it is' to keep it."
                    ),
                )

        def failed(error: LightloomError) -> None:
            self._saving.remove(target)
            self._messages.post("error", str(error), about="snapshot")

        self._jobs.run(work, saved, failed, saves=True)

    def copy_picture(self) -> None:
        """Copy the current frame, in full resolution, to the clipboard."""
        try:
            picture = fetch(self._engine, self._overlay.over())
        except LightloomError as error:
            self._messages.post("error", str(error), about="copy")
            return

        def copy(pixels: np.ndarray) -> None:
            height, width = pixels.shape[:2]
            image = QImage(pixels.data, width, height, width * 4, QImage.Format.Format_RGBA8888)
            QGuiApplication.clipboard().setImage(image.copy())
            self._messages.settled.emit("copy")
            self._messages.said.emit(self.tr("Image copied"))

        self._jobs.run(picture, copy, lambda error: self._messages.post("error", str(error), about="copy"))

    def cut_out(self, *, save: bool = False) -> None:
        """Copy the masked part of the frame, without surroundings, to the clipboard or a file."""
        tracked_result = self._engine.current.tracked_result
        masks = masks_of(tracked_result) if tracked_result is not None else ()
        found = [inside for mask in masks if (inside := mask.read()) is not None]
        try:
            picture = fetch(self._engine, None)
        except LightloomError as error:
            self._messages.post("error", str(error), about="cutout")
            return
        if not found:
            self._messages.said.emit(self.tr("There is no mask to cut out"))
            return
        target = self._free_path("Lightloom cut-out", ".png")

        def work() -> np.ndarray:
            from desktop.outputs.cut_out import cut_out
            from desktop.outputs.still import write_image

            pixels = cut_out(picture(), np.maximum.reduce(found))
            if save:
                write_image(pixels, target)
            return pixels

        self._saving.append(target)

        def done(pixels: np.ndarray) -> None:
            self._saving.remove(target)
            self._messages.settled.emit("cutout")
            if save:
                self._messages.post("info", self.tr("Cut-out saved as {0}").format(target), str(target))
                return
            height, width = pixels.shape[:2]
            image = QImage(pixels.data, width, height, width * 4, QImage.Format.Format_RGBA8888)
            QGuiApplication.clipboard().setImage(image.copy())
            self._messages.said.emit(self.tr("Cut-out copied"))

        def failed(error: LightloomError) -> None:
            self._saving.remove(target)
            self._messages.post("error", str(error), about="cutout")

        self._jobs.run(work, done, failed, saves=save)

    def toggle_recording(self, path: Path | None = None, encoding: Encoding | None = None) -> None:
        """Start recording with `encoding`, or else with that of the settings, or stop."""
        if self.recording is not None:
            self.recording.stop()
            return
        if not self._engine.current.picture_size[0]:
            text = self.tr("There is nothing to record yet; open a source first.")
            self._messages.post("error", text, about="recording", urgent=True)
            self.recording_changed.emit()
            return
        from desktop.outputs.segment_limits import SegmentLimit
        from desktop.ui.forms.encoding_choice import stored_choice

        settings, choice = self._settings, stored_choice(self._settings)
        target = path or free_path(settings.recordings_go_to, "Lightloom", choice.kind)
        if encoding is None and target.suffix.lower() == choice.kind:
            encoding = choice.encoding
        info = self._playback.info
        rate = info.rate if info and info.rate else 30.0
        listen = self._playback.listening if settings.records_sound else None
        length = settings.recording_segment
        segment = SegmentLimit.parse(length) if length else None
        recording = Recording(target, rate, encoding, self, listen=listen, segment=segment)
        recording.finished.connect(self._on_recorded)
        recording.noted.connect(lambda note: self._messages.post("warning", note))
        recording.failed.connect(self._on_recording_failed)
        self.recording = recording
        self.recording_changed.emit()

    def _on_recorded(self, path: str) -> None:
        dropped = self.recording.dropped if self.recording is not None else 0
        self._end_recording()
        text = self.tr("Recording saved as {0}").format(path)
        if dropped:
            text += self.tr("; %n frames dropped because encoding was behind", "", dropped)
        self._messages.settled.emit("recording")
        self._messages.post("info", text, path)

    def _on_recording_failed(self, text: str) -> None:
        self._end_recording()
        self._messages.post("error", text, about="recording", urgent=True)

    def _end_recording(self) -> None:
        if self.recording is not None:
            self.recording.deleteLater()
        self.recording = None
        self.recording_changed.emit()

    def on_drawn(self) -> None:
        """A new frame was drawn."""
        if self.recording is not None:
            self.recording.add(self._engine, self._overlay.over)

    def close(self) -> None:
        """Finish a recording that is under way, and wait for its file."""
        if self.recording is not None:
            self.recording.stop(wait=True)
