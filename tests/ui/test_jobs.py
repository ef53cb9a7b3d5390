"""Work on threads of the window, at the window's end."""

from __future__ import annotations

import threading

from qt_waiting import PatientBot
from waiting import LIMIT_S

from desktop.base.errors import LightloomError
from desktop.ui.kit.jobs import Jobs


def test_what_is_asked_of_closed_jobs_is_left_undone_without_an_error(qapp) -> None:
    jobs, begun, ended = Jobs(), threading.Event(), []
    jobs.close()
    jobs.run(begun.set, ended.append)
    qapp.processEvents()
    assert jobs.running == 0 and not begun.is_set() and not ended


def test_long_work_does_not_delay_the_rest(qapp, qtbot: PatientBot) -> None:
    jobs, over, ended = Jobs(threads=3), threading.Event(), []
    for _ in range(5):
        jobs.run(lambda: over.wait(LIMIT_S), is_long=True)
    jobs.run(lambda: None, ended.append)
    qtbot.waitUntil(lambda: bool(ended))
    over.set()
    jobs.close()


def test_closing_lets_begin_what_saves_and_cancels_the_rest(qapp) -> None:
    jobs, begun, over = Jobs(threads=1), threading.Event(), threading.Event()
    done: list[str] = []

    def hold() -> None:
        begun.set()
        over.wait(LIMIT_S)

    jobs.run(hold)
    jobs.run(lambda: done.append("a preview"))
    for number in range(3):
        jobs.run(lambda number=number: done.append(f"snapshot {number}"), saves=True)
    assert begun.wait(LIMIT_S)
    threading.Timer(0.2, over.set).start()
    jobs.close()
    assert done == ["snapshot 0", "snapshot 1", "snapshot 2"]


def test_what_cannot_be_saved_while_the_window_closes_is_logged(qapp, caplog) -> None:
    jobs, begun, over = Jobs(threads=1), threading.Event(), threading.Event()

    def fail() -> None:
        begun.set()
        over.wait(LIMIT_S)
        raise LightloomError("The disk is full.")

    jobs.run(fail, saves=True)
    assert begun.wait(LIMIT_S)
    threading.Timer(0.2, over.set).start()
    jobs.close()
    assert "The disk is full." in caplog.text
