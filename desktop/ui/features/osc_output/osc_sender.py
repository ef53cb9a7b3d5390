"""Send what has changed by OSC, ten times a second, while the setting says where."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QTimer

from desktop.pipeline.engine import Engine
from desktop.ui.features.osc_output.settings import OscOutputSettings
from desktop.ui.forms.settings import Settings
from desktop.ui.kit.jobs import Jobs
from desktop.ui.kit.messages import Failures, Messages
from desktop.ui.workspace.edits import Edits
from desktop.vision.tracking.events import Occurrence
from desktop.vision.tracking.scene import TrackedResult

if TYPE_CHECKING:
    from desktop.outputs.osc_output import OscOutput

_ABOUT: Final = "osc output"
_EVERY_MS: Final = 100
_MOST_EVENTS: Final = 256


def _open(target: str) -> OscOutput:
    from desktop.outputs.osc_output import OscOutput

    return OscOutput(target)


class OscSender(QObject):
    """The output; nothing is imported or opened until the setting asks for it."""

    def __init__(
        self,
        engine: Engine,
        settings: Settings,
        jobs: Jobs,
        messages: Messages,
        edits: Edits,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._engine, self._jobs, self._edits = engine, jobs, edits
        self._failures = Failures(messages)
        self._settings = OscOutputSettings(settings)
        self._output: OscOutput | None = None
        self._events: deque[Occurrence] = deque(maxlen=_MOST_EVENTS)
        self._timer = QTimer(self)
        self._timer.setInterval(_EVERY_MS)
        self._timer.timeout.connect(self.send)
        settings.follow(self.refresh, OscOutputSettings.osc_target)
        self.refresh()

    def refresh(self) -> None:
        """Send to the setting's address from now on; report why it cannot be."""
        self._failures.update({})
        self.use(None)
        target = self._settings.osc_target
        if target:
            # On a thread: looking up a host may take long.
            self._jobs.run(
                lambda: _open(target),
                lambda output: self._adopt(target, output),
                lambda error: self._failures.update({_ABOUT: str(error)}),
            )

    def _adopt(self, target: str, output: OscOutput) -> None:
        if target == self._settings.osc_target:
            self.use(output)
        else:
            output.close()

    def use(self, output: OscOutput | None) -> None:
        """Send to an output in the place of the one before; None for nowhere."""
        if self._output is not None:
            self._output.close()
            self._engine.on_tracked_result.remove(self._on_tracked_result)
        self._output = output
        self._events.clear()
        if output is None:
            self._timer.stop()
        else:
            self._engine.on_tracked_result.append(self._on_tracked_result)
            self._timer.start()

    def _on_tracked_result(self, tracked_result: TrackedResult) -> None:
        self._events.extend(tracked_result.occurrences)

    def send(self) -> None:
        """Send what has changed, and the events since."""
        if self._output is None:
            return
        from desktop.outputs.osc_output import osc_events, osc_values

        look = self._edits.history.look
        values = osc_values(self._engine.current.tracked_result, look.title if look is not None else "")
        self._output.send_changed(values)
        for path, message in osc_events(self._events):
            self._output.send(path, message)
        self._events.clear()
        self._failures.update({_ABOUT: self._output.fault})

    def close(self) -> None:
        """Stop sending."""
        self.use(None)
