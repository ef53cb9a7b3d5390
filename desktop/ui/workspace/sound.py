"""Audio playback: volume, mute and device from the settings, and the track of the source that plays."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QObject, Signal

from desktop.base.wording import Text
from desktop.media.audio.microphone import Opener, microphone_listening, open_microphone
from desktop.media.audio.output import Listen, SoundOutput
from desktop.media.sources.base import Source, SourceSound
from desktop.ui.forms.settings import Settings
from desktop.ui.kit.messages import Messages
from desktop.ui.kit.thread_signal import ThreadSignal

STEP: Final = 0.05


class Sound(QObject):
    """Audio output shared by all sources; `changed` covers volume, mute and track."""

    changed = Signal()

    def __init__(self, settings: Settings, messages: Messages, parent: QObject) -> None:
        super().__init__(parent)
        self._settings = settings
        self.opens_microphone: Opener = open_microphone
        self.output = SoundOutput(settings.sound_device)
        self._follow_settings()
        settings.follow(self._follow_settings, Settings.volume, Settings.muted, Settings.records_microphone)
        settings.follow(lambda: self.output.use_device(settings.sound_device), Settings.sound_device)
        self._messages = messages
        self._noticed = ThreadSignal(self._on_notice)
        self.output.on_notice = self._noticed.send

    def _follow_settings(self) -> None:
        self.output.volume, self.output.muted = self._settings.volume, self._settings.muted
        self.changed.emit()

    def _on_notice(self, text: Text) -> None:
        self._messages.post("info", text, about="sound")

    def give_to(self, source: Source, *, heard: bool = True) -> None:
        """Connect a starting source's audio, if any, to the output, or leave that to `let_speak`."""
        sound = source.capabilities.audio
        if sound is None or not (heard or source.info.live):
            return
        # A stream's audio must be requested when the stream is opened.
        sound.use(self.output)
        if not heard:
            sound.use_track(None)

    @staticmethod
    def hush(source: Source, known: int | None) -> int | None:
        """Disconnect a source's audio; return its track, or `known` if it was never connected."""
        sound = source.capabilities.audio
        if sound is None or not sound.tracks or sound.track is None:
            return known
        track = sound.track
        sound.use_track(None)
        return track

    def let_speak(self, source: Source, track: int | None) -> None:
        """Connect a source that is already playing, with a track."""
        sound = source.capabilities.audio
        if sound is not None:
            sound.use(self.output)
            sound.use_track(track)

    @staticmethod
    def of(source: Source | None) -> SourceSound | None:
        """Return the audio of a source, None if it has no track."""
        sound = source.capabilities.audio if source is not None else None
        return sound if sound is not None and sound.tracks else None

    @property
    def volume(self) -> float:
        """The volume, from 0 to 1."""
        return self.output.volume

    @property
    def muted(self) -> bool:
        """True if muted."""
        return self.output.muted

    def set_volume(self, volume: float) -> None:
        """Set the volume, from 0 to 1, and unmute."""
        self._settings.volume = max(0.0, min(1.0, volume))
        self._settings.muted = False

    def nudge(self, direction: int) -> None:
        """Change the volume by one step up (1) or down (-1)."""
        self.set_volume(round(self.volume / STEP + direction) * STEP)

    def toggle_mute(self) -> None:
        """Mute or unmute."""
        self._settings.muted = not self.muted

    def listening(self, source: Source | None) -> Listen | None:
        """Return a listener for recording the source's audio, or the microphone's for a live one."""
        if self.of(source) is not None:
            return self.output.listen
        if source is not None and source.info.live and self._settings.records_microphone:
            return microphone_listening(self.output.notify, self.opens_microphone)
        return None

    def toggle_microphone(self) -> None:
        """Toggle whether recordings of live sources include the microphone."""
        self._settings.records_microphone = not self._settings.records_microphone

    def use_track(self, sound: SourceSound, index: int | None) -> None:
        """Switch a source to another audio track, or to none."""
        sound.use_track(index)
        self.changed.emit()

    def close(self) -> None:
        """Release the device."""
        self.output.on_notice = None
        self.output.close()
