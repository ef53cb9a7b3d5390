"""Work on threads of the window, at the window's end."""

from __future__ import annotations

import threading

from desktop.ui.kit.jobs import Jobs


def test_what_is_asked_of_closed_jobs_is_left_undone_without_an_error(qapp) -> None:
    jobs, begun, ended = Jobs(), threading.Event(), []
    jobs.close()
    jobs.run(begun.set, ended.append)
    qapp.processEvents()
    assert jobs.running == 0 and not begun.is_set() and not ended
