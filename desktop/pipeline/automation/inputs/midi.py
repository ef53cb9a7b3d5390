"""Controllers and notes of MIDI devices, by mido with python-rtmidi."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import Any, Final, Protocol

from desktop.base.errors import ControllerError
from desktop.base.printable import printable
from desktop.base.version import extra_command
from desktop.base.wording import Text, sentence
from desktop.pipeline.automation.controller_input import ControllerInput
from desktop.pipeline.automation.controls import ControlValues
from desktop.pipeline.automation.sources.midi import midi_address

log = logging.getLogger(__name__)

ALL: Final = "all"
# How often devices are looked for, in seconds.
_LOOK_S: Final = 2.0
_GREATEST: Final = 127
# In place of a device's name, which has no NUL: the system's list of devices.
_SYSTEM: Final = "\0"
_JOIN_S: Final = 2.0


class Midi(Protocol):
    """The functions of the module mido that are used."""

    def get_input_names(self) -> list[str]:
        """Return the names of devices."""

    def open_input(self, name: str, *, callback: Callable[[Any], None]) -> Any:
        """Open a device; its messages go to `callback` on a thread."""


class MidiInput:
    """Receives from the devices that are there until it is closed; those that come later too."""

    def __init__(
        self,
        wanted: str,
        values: ControlValues,
        notify: Callable[[str], None],
        *,
        midi: Midi | None = None,
        look_s: float = _LOOK_S,
    ) -> None:
        """Receive from devices whose names have `wanted` in them, or from 'all'.

        `notify` is called on another thread with what the user should know. Raise ControllerError if a package is
        missing or MIDI cannot be used.
        """
        self._wanted, self._values, self._notify, self._look_s = wanted.strip(), values, notify, look_s
        self._midi = midi if midi is not None else _library()
        self._ports: dict[str, Any] = {}
        self._reported: set[str] = set()
        self._ended = threading.Event()
        names = _names(self._midi)
        self._thread = threading.Thread(target=self._run, args=(names,), name="midi", daemon=True)
        self._thread.start()

    def _run(self, names: list[str]) -> None:
        self._follow(names)
        while not self._ended.wait(self._look_s):
            try:
                names = _names(self._midi)
            except ControllerError as error:
                self._report(_SYSTEM, str(error))
                continue
            self._reported.discard(_SYSTEM)
            self._follow(names)
        for name in tuple(self._ports):
            self._close_port(name)

    def _follow(self, names: list[str]) -> None:
        """Open devices that have come, close those that have gone."""
        wanted = [name for name in names if self._is_chosen(name)]
        for name in self._ports.keys() - set(wanted):
            self._close_port(name)
            self._report(
                name,
                sentence(
                    "The MIDI device {name} is gone; it is used again once it is back.", name=_shown(name)
                ),
            )
        for name in wanted:
            if name not in self._ports:
                self._open_port(name)
        if wanted:
            self._reported.discard("")
        elif not self._reported:
            self._report("", self._nothing())

    def _is_chosen(self, name: str) -> bool:
        return self._wanted.casefold() == ALL or self._wanted.casefold() in name.casefold()

    def _nothing(self) -> Text:
        if self._wanted.casefold() == ALL:
            return sentence("There is no MIDI device; one that is connected later is used.")
        return sentence(
            "There is no MIDI device '{name}'; it is used once it is connected.", name=_shown(self._wanted)
        )

    def _open_port(self, name: str) -> None:
        try:
            self._ports[name] = self._midi.open_input(name, callback=self.take)
        except Exception as error:
            # rtmidi raises errors of its own; the next look tries again.
            log.info("opening the MIDI device %s: %s", _shown(name), error)
            self._report(
                name,
                sentence(
                    "The MIDI device {name} cannot be opened; end other programs that use it.",
                    name=_shown(name),
                ),
            )
            return
        self._reported.discard(name)

    def _close_port(self, name: str) -> None:
        try:
            self._ports.pop(name).close()
        except Exception as error:
            log.info("closing the MIDI device %s: %s", _shown(name), error)

    def _report(self, about: str, text: str) -> None:
        if about not in self._reported:
            self._reported.add(about)
            self._notify(text)

    def take(self, message: Any) -> None:
        """Take a message of mido; others than controllers and notes are ignored."""
        match message.type:
            case "control_change":
                kind, number, value = "control", message.control, message.value
            case "note_on":
                kind, number, value = "note", message.note, message.velocity
            case "note_off":
                kind, number, value = "note", message.note, 0
            case _:
                return
        self._values.put(midi_address(kind, message.channel + 1, number), value / _GREATEST)

    def close(self) -> None:
        """Stop receiving. Twice is allowed."""
        self._ended.set()
        if self._thread is not threading.current_thread():
            self._thread.join(_JOIN_S)


def _shown(name: str) -> str:
    return printable(name[:80])


def _library() -> Midi:
    try:
        import mido
    except ImportError as error:
        raise _missing() from error
    found: Midi = mido
    return found


def _names(midi: Midi) -> list[str]:
    try:
        return list(dict.fromkeys(midi.get_input_names()))
    except ImportError as error:
        # mido loads python-rtmidi with the first call.
        raise _missing() from error
    except Exception as error:
        raise ControllerError(
            sentence(
                "MIDI cannot be used here ({reason}); check the system's MIDI service.",
                reason=printable(str(error)[:200]),
            )
        ) from error


def _missing() -> ControllerError:
    return ControllerError(
        sentence(
            "MIDI needs the packages mido and python-rtmidi, which are not installed: {command}.",
            command=extra_command("midi"),
        )
    )


def _open(text: str, values: ControlValues, notify: Callable[[str], None]) -> MidiInput:
    return MidiInput(text, values, notify)


INPUT: Final = ControllerInput("midi", sentence("MIDI"), _open)
