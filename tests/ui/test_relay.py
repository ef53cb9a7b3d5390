"""Threads tell the window things while parts of it go."""

from __future__ import annotations

import subprocess
import sys
import threading

from PySide6.QtCore import QCoreApplication, QEvent, QObject
from waiting import until

from desktop.ui.kit.thread_signal import ThreadSignal

# Each round destroys an object while a thread tells it something. With a signal of the object itself this
# ended the process (SIGSEGV) within a second on two cores.
_DESTROYED = """
import random, time
import shiboken6
from PySide6.QtCore import QCoreApplication, QObject
from desktop.ui.kit.jobs import Jobs

app = QCoreApplication([])
told = []
end = time.monotonic() + 4
rounds = 0
while time.monotonic() < end:
    parent = QObject()
    jobs = Jobs(parent)
    for _ in range(6):
        jobs.run(lambda: None, told.append)
    if rounds % 2:
        time.sleep(random.random() * 2e-4)
    shiboken6.delete(parent)
    app.processEvents()
    rounds += 1
print("rounds", rounds, "told", len(told))
"""


class _Hearer(QObject):
    def __init__(self) -> None:
        super().__init__()
        self.heard: list[tuple[object, ...]] = []

    def hear(self, word: object, number: object) -> None:
        self.heard.append((word, number, threading.current_thread()))


def test_a_thread_may_tell_what_is_being_destroyed(qapp) -> None:
    done = subprocess.run(
        [sys.executable, "-c", _DESTROYED], capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr[-2000:]
    words = done.stdout.split()
    assert int(words[1]) > 20 and words[3] == "0"


def test_what_a_thread_sends_is_heard_on_the_windows_thread(qapp) -> None:
    hearer = _Hearer()
    relay = ThreadSignal(hearer.hear)
    thread = threading.Thread(target=relay.send, args=("a", 1, "left out"))
    thread.start()
    thread.join()
    assert not hearer.heard
    until(lambda: (qapp.processEvents(), bool(hearer.heard))[1], "the word")
    relay.send("b", 2)
    assert len(hearer.heard) == 1
    until(lambda: (qapp.processEvents(), len(hearer.heard) == 2)[1], "the second word")
    assert hearer.heard == [("a", 1, threading.main_thread()), ("b", 2, threading.main_thread())]


def test_what_is_sent_to_nobody_is_dropped(qapp) -> None:
    hearer = _Hearer()
    relay = ThreadSignal(hearer.hear)
    relay.send("a", 1)
    hearer.deleteLater()
    QCoreApplication.sendPostedEvents(hearer, QEvent.Type.DeferredDelete)
    relay.send("b", 2)
    qapp.processEvents()
    assert not hearer.heard
