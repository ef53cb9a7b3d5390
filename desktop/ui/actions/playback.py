"""What acts on the time line."""

from __future__ import annotations

from functools import partial
from typing import Final

from PySide6.QtCore import QCoreApplication

from desktop.ui.action import Action, Menu
from desktop.ui.desk import Desk
from desktop.ui.widgets import format_time
from desktop.wording import sentence


def _seek_by(desk: Desk, seconds: float) -> None:
    playback = desk.controller.playback
    playback.seek_by(seconds)
    if playback.seekable is not None:
        desk.say(f"{'+' if seconds > 0 else '−'}{abs(seconds):g} s")


def _change_speed(desk: Desk, direction: int) -> None:
    """One step slower (-1) or faster (1), or back to the normal one (0)."""
    playback = desk.controller.playback
    if direction:
        playback.nudge_speed(direction)
    else:
        playback.set_speed(1.0)
    if playback.seekable is not None:
        desk.say(QCoreApplication.translate("Playback", "Speed {0}×").format(f"{playback.speed:g}"))


def _mark_loop(desk: Desk) -> None:
    playback = desk.controller.playback
    playback.mark_loop()
    translate = QCoreApplication.translate
    if playback.loop_a is None:
        desk.say(translate("Playback", "A-B loop off"))
        return
    a = format_time(playback.loop_a, millis=True)
    if playback.loop_b is None:
        desk.say(translate("Playback", "A at {0}").format(a))
    else:
        b = format_time(playback.loop_b, millis=True)
        desk.say(translate("Playback", "Loop {0} to {1}").format(a, b))


MENUS: Final = (Menu("playback", sentence("&Playback"), order=3, groups=("step", "seek", "speed", "loop")),)

# Of all of them: without a time line there is nothing to act on.
_timed = partial(Action, menu="playback", enabled=lambda w: w.controller.playback.seekable is not None)
_step = partial(_timed, group="step")
_seek = partial(_timed, group="seek")
_speed = partial(_timed, group="speed")
_loop = partial(_timed, group="loop")

ACTIONS: Final = (
    _step("play", sentence("&Play or pause"), lambda w: w.controller.playback.toggle(), keys=("Space", "P")),
    _step("step_back", sentence("Pre&vious frame"), lambda w: w.controller.playback.step(-1), keys=(",",)),
    _step("step_forward", sentence("Ne&xt frame"), lambda w: w.controller.playback.step(1), keys=(".",)),
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
        checked=lambda w: w.controller.playback.loop_a is not None,
    ),
    _loop(
        "loop",
        sentence("&Loop"),
        lambda w: w.controller.playback.toggle_loop(),
        keys=("Shift+L",),
        checked=lambda w: w.controller.playback.loop_whole,
    ),
)
