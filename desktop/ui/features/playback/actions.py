"""Actions for playback and seeking."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu

from desktop.base.wording import sentence
from desktop.media.sources.base import SourceSound
from desktop.ui.kit.widgets import format_time
from desktop.ui.workspace.action import Action, Menu
from desktop.ui.workspace.sound import Sound
from desktop.ui.workspace.window_context import WindowContext


def _seek_by(context: WindowContext, seconds: float) -> None:
    playback = context.workspace.playback
    playback.seek_by(seconds)
    if playback.seekable is not None:
        context.show_message(f"{'+' if seconds > 0 else '−'}{abs(seconds):g} s")


def _change_speed(context: WindowContext, direction: int) -> None:
    """Play one step slower (-1) or faster (1), or at normal speed (0)."""
    playback = context.workspace.playback
    if direction:
        playback.nudge_speed(direction)
    else:
        playback.set_speed(1.0)
    if playback.seekable is not None:
        context.show_message(
            QCoreApplication.translate("Playback", "Speed {0}×").format(f"{playback.speed:g}")
        )


def _mark_loop(context: WindowContext) -> None:
    playback = context.workspace.playback
    playback.mark_loop()
    translate = QCoreApplication.translate
    if playback.loop_a is None:
        context.show_message(translate("Playback", "A-B loop off"))
        return
    a = format_time(playback.loop_a, millis=True)
    if playback.loop_b is None:
        context.show_message(translate("Playback", "A at {0}").format(a))
    else:
        b = format_time(playback.loop_b, millis=True)
        context.show_message(translate("Playback", "Loop {0} to {1}").format(a, b))


def _toggle_deinterlacing(context: WindowContext) -> None:
    workspace = context.workspace
    workspace.settings.deinterlaces = not workspace.settings.deinterlaces
    translate = QCoreApplication.translate
    on = workspace.settings.deinterlaces
    context.show_message(
        translate("Playback", "Deinterlacing on") if on else translate("Playback", "Deinterlacing off")
    )


def _change_volume(context: WindowContext, direction: int) -> None:
    sound = context.workspace.sound
    sound.nudge(direction)
    context.show_message(
        QCoreApplication.translate("Playback", "Volume {0} %").format(round(sound.volume * 100))
    )


def _toggle_mute(context: WindowContext) -> None:
    sound = context.workspace.sound
    sound.toggle_mute()
    translate = QCoreApplication.translate
    context.show_message(
        translate("Playback", "Audio off") if sound.muted else translate("Playback", "Audio on")
    )


def _fill_tracks(context: WindowContext, menu: QMenu, actions: Sequence[QAction]) -> None:
    """Fill the menu of audio tracks, with an entry for none."""
    playback = context.workspace.playback
    sound = playback.source_sound
    if sound is None:
        menu.addAction(QCoreApplication.translate("Playback", "The source has no audio")).setEnabled(False)
        return
    group = QActionGroup(menu)
    choices: list[tuple[int | None, str]] = [(track.index, track.name) for track in sound.tracks]
    for index, name in [*choices, (None, QCoreApplication.translate("Playback", "No audio"))]:
        # Escaped: an ampersand in a track's title would become a mnemonic.
        action = menu.addAction(name.replace("&", "&&"))
        action.setCheckable(True)
        action.setChecked(sound.track == index)
        action.triggered.connect(partial(_use_track, playback.sound, sound, index))
        group.addAction(action)


def _use_track(sound: Sound, of: SourceSound, index: int | None, _: bool = False) -> None:
    sound.use_track(of, index)


MENUS: Final = (
    Menu(
        "playback",
        sentence("&Playback"),
        order=3,
        groups=("step", "list", "seek", "speed", "loop", "sound", "picture"),
    ),
    Menu("playback/list", sentence("P&laylist"), group="list", groups=("go", "order", "list")),
    Menu("playback/track", sentence("Audio &track"), group="sound", order=1, fill=_fill_tracks),
)

# Applies to all of them: none works without a time line.
_timed = partial(Action, menu="playback", enabled=lambda w: w.workspace.playback.seekable is not None)
_step = partial(_timed, group="step")
_seek = partial(_timed, group="seek")
_speed = partial(_timed, group="speed")
_loop = partial(_timed, group="loop")
_sound = partial(Action, menu="playback", group="sound")

ACTIONS: Final = (
    _step("play", sentence("&Play or pause"), lambda w: w.workspace.playback.toggle(), keys=("Space", "P")),
    _step("step_back", sentence("Pre&vious frame"), lambda w: w.workspace.playback.step(-1), keys=(",",)),
    _step("step_forward", sentence("Ne&xt frame"), lambda w: w.workspace.playback.step(1), keys=(".",)),
    _seek("back_5", sentence("Back 5 s"), lambda w: _seek_by(w, -5), keys=("Left",)),
    _seek("forward_5", sentence("Forward 5 s"), lambda w: _seek_by(w, 5), keys=("Right",)),
    _seek("back_1", sentence("Back 1 s"), lambda w: _seek_by(w, -1), keys=("Shift+Left",)),
    _seek("forward_1", sentence("Forward 1 s"), lambda w: _seek_by(w, 1), keys=("Shift+Right",)),
    _speed("slower", sentence("&Slower"), lambda w: _change_speed(w, -1), keys=("[",)),
    _speed("faster", sentence("&Faster"), lambda w: _change_speed(w, 1), keys=("]",)),
    _speed("normal_speed", sentence("&Normal speed"), lambda w: _change_speed(w, 0), keys=("Backspace",)),
    _loop(
        "loop_ab",
        sentence("&A-B loop: set A, then B"),
        _mark_loop,
        keys=("L",),
        checked=lambda w: w.workspace.playback.loop_a is not None,
    ),
    _loop(
        "loop",
        sentence("&Loop"),
        lambda w: w.workspace.playback.toggle_loop(),
        keys=("Shift+L",),
        checked=lambda w: w.workspace.playback.loop_file,
    ),
    Action(
        "deinterlace",
        sentence("&Deinterlace"),
        _toggle_deinterlacing,
        menu="playback",
        group="picture",
        keys=("D",),
        checked=lambda w: w.workspace.settings.deinterlaces,
    ),
    _sound("mute", sentence("&Mute"), _toggle_mute, keys=("M",), checked=lambda w: w.workspace.sound.muted),
    _sound("quieter", sentence("&Quieter"), lambda w: _change_volume(w, -1), keys=("Ctrl+Down",)),
    _sound(
        "record_microphone",
        sentence("&Record the microphone with a camera"),
        lambda w: w.workspace.sound.toggle_microphone(),
        order=2,
        checked=lambda w: w.workspace.settings.records_microphone,
    ),
    _sound("louder", sentence("L&ouder"), lambda w: _change_volume(w, 1), keys=("Ctrl+Up",)),
)
