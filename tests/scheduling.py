"""Distribution of tests by pytest-xdist: file by file, and further after one of its processes ended in a
crash.
"""

from __future__ import annotations

import contextlib

import pytest
from xdist.remote import Producer
from xdist.scheduler import LoadFileScheduling
from xdist.workermanage import WorkerController


class Files(LoadFileScheduling):
    """`--dist loadfile` of pytest-xdist 3.8 without two of its faults, which have a run wait for ever once a
    process has crashed.

    What the process had done goes back into the queue too, and whoever takes a file of which nothing is left
    never says that it is done with it (pytest-xdist issues 1323 and 1378); and a process that gets a single
    test waits for another before it begins that (issue 1327). The test that crashed is begun once more by the
    next process, and ends that as well (pull request 1371). All of it is mended in pytest-xdist's sources,
    not in its newest release.
    """

    def remove_node(self, node: WorkerController) -> str | None:
        """Take a process away; return the test in which it crashed, None where it just ended."""
        files = self.assigned_work[node]
        unfinished = [
            (file, test) for file, tests in files.items() for test, done in tests.items() if not done
        ]
        if not unfinished:
            return super().remove_node(node)
        file, crashed = unfinished[0]
        files[file][crashed] = True
        for name in [name for name, tests in files.items() if all(tests.values())]:
            del files[name]
        # It takes the first test that is left for the one that crashed.
        super().remove_node(node)
        return crashed

    def schedule(self) -> None:
        """Hand out the first files; to a process that came later two, or its end, so that it need not wait
        for another.
        """
        super().schedule()
        for node in self.nodes:
            self._reschedule(node)

    def _reschedule(self, node: WorkerController) -> None:
        # Of two that come later one is ready first; the other gets its files when it knows the tests.
        if node in self.registered_collections:
            super()._reschedule(node)

    def _assign_work_unit(self, node: WorkerController) -> None:
        # One that has crashed meanwhile can't be told; what it was to do is handed out again as soon as its
        # end is known.
        with contextlib.suppress(OSError):
            super()._assign_work_unit(node)


@pytest.hookimpl(tryfirst=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> Files | None:
    """Take `Files` for `--dist loadfile`."""
    return Files(config, log) if config.getvalue("dist") == "loadfile" else None
