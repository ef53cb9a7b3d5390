"""Worker's side: run one piece as a process of this program with the user's command line.

`--piece FILE` is a JSON file with the part of the input and the destination; progress comes through
`--steer`. In the worker itself it would save 1 to 2 s a piece, but a crash would end the worker.
"""

from __future__ import annotations

import contextlib
import json
import subprocess
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from desktop.base.child import start_own
from desktop.base.errors import LightloomError
from desktop.base.files import reason
from desktop.base.version import version
from desktop.base.wording import plural, sentence
from desktop.spread.executor import CARRIED_BYTES, Done, Failed, Moved, Task
from desktop.vision.models.library.checksum import sha256_of

# A network may be prepared and tuned for minutes before the first frame.
_SILENCE_S: Final = 900.0
_END_S: Final = 5.0
_MOST_NOTES: Final = 20
_NOTE: Final = "lightloom: "


def sees(task: Task) -> bool:
    """True where this machine has the task's folder, and not another one of that name."""
    name, text = task.token
    try:
        return (Path(task.folder) / name).read_text("ascii") == text
    except (OSError, ValueError):
        return False


def lacks_input(task: Task) -> bool:
    """True where the input's file would have to be sent here."""
    return task.mark is not None and not task.mark.is_here


class PieceRun:
    """One piece under way. For one thread."""

    def __init__(self, worker: str, gpu: int, task: Task, carried: bytes | None = None) -> None:
        """Start it on the adapter of index `gpu` (modulo their number). Raises LightloomError on failure.

        `carried` are the input's bytes, if this machine does not have the file.
        """
        self._worker, self._task = worker, task
        _check(task, carried)
        self._sent = len(carried) if carried is not None else 0
        self._shares_folder = sees(task)
        self._own = tempfile.TemporaryDirectory(prefix="lightloom-piece-", ignore_cleanup_errors=True)
        folder = Path(self._own.name)
        self.result = (Path(task.folder) if self._shares_folder else folder) / task.name
        try:
            source = task.input
            if carried is not None:
                source = str(folder / f"input{Path(task.input).suffix}")
                Path(source).write_bytes(carried)
            about = {
                "input": source,
                "output": str(self.result),
                "span": task.span,
                "origin": task.origin,
                "adapter": f"#{gpu}",
            }
            (folder / "piece.json").write_text(json.dumps(about), encoding="utf-8")
            self._begun = self._last_message_at = time.monotonic()
            self._first = 0.0
            self._done = self._total = self._read_to = 0
            self._is_incomplete = False
            self._process: subprocess.Popen[bytes] | None = self._start(folder)
        except OSError as error:
            self._own.cleanup()
            raise LightloomError(
                sentence("The piece cannot be begun: {reason}.", reason=reason(error))
            ) from error

    def _start(self, folder: Path) -> subprocess.Popen[bytes]:
        command, *typed = self._task.argv
        # Before what was typed, in which '--' may stand.
        arguments = [command, "--piece", str(folder / "piece.json"), "--steer", str(folder), *typed]
        here = self._task.here if Path(self._task.here).is_dir() else str(folder)
        with (folder / "output.txt").open("wb") as output:
            return start_own(arguments, Path(here), output)

    @property
    def pid(self) -> int:
        """Of the process that is at it."""
        return self._process.pid if self._process is not None else 0

    def poll(self) -> Moved | Done | Failed:
        """Return how it stands."""
        assert self._process is not None
        status = self._process.poll()
        errors = self._take_in()
        now = time.monotonic()
        if status is None:
            if now - self._last_message_at < _SILENCE_S:
                return Moved(self._worker, self._task.number, self._done, self._total)
            text = sentence("Nothing was heard of it for {seconds:.0f} s.", seconds=_SILENCE_S)
            self.close()
            return Failed(self._worker, self._task.number, text)
        outcome = self._done_now(now) if status == 0 else self._failed(status, errors)
        self.close()
        return outcome

    def _take_in(self) -> list[str]:
        """Read what was told since the last call, whole lines alone; return the errors among it."""
        errors: list[str] = []
        with (
            contextlib.suppress(OSError),
            (Path(self._own.name) / "progress.jsonl").open("rb") as stream,
        ):
            stream.seek(self._read_to)
            data = stream.read()
            whole = data[: data.rfind(b"\n") + 1]
            self._read_to += len(whole)
            for line in whole.splitlines():
                with contextlib.suppress(ValueError):
                    self._on_message(json.loads(line), errors)
        return errors

    def _on_message(self, told: dict[str, Any], errors: list[str]) -> None:
        self._last_message_at = time.monotonic()
        if "done" in told:
            self._first = self._first or self._last_message_at
            self._done, self._total = int(told["done"]), int(told["total"])
        self._is_incomplete |= told.get("is_incomplete") is True
        if "error" in told:
            # As `packed` has it: a text, or a template with its values.
            errors.append(str(told["error"]))

    def _output(self) -> list[str]:
        with contextlib.suppress(OSError):
            text = (Path(self._own.name) / "output.txt").read_bytes()[-1 << 20 :]
            return text.decode("utf-8", "replace").splitlines()
        return []

    def _done_now(self, now: float) -> Done | Failed:
        task = self._task
        try:
            size = self.result.stat().st_size
            sha256 = sha256_of(self.result)
            if not self._shares_folder and size > CARRIED_BYTES:
                return Failed(
                    self._worker,
                    task.number,
                    sentence(
                        "What was made of {name} is larger than what is sent between machines, {most} MiB; "
                        "put the output on storage that all of them see.",
                        name=Path(task.input).name,
                        most=CARRIED_BYTES >> 20,
                    ),
                )
            data = None if self._shares_folder else self.result.read_bytes()
        except OSError as error:
            text = sentence("What was made is gone: {reason}.", reason=reason(error))
            return Failed(self._worker, task.number, text)
        notes = [line[len(_NOTE) :] for line in self._output() if line.startswith(_NOTE)]
        if (rest := len(notes) - _MOST_NOTES) > 0:
            more = plural(rest, "%n further note is left out.", "%n further notes are left out.")
            notes[_MOST_NOTES:] = [more]
        done = Done(self._worker, task.number, sha256, size, data, self._sent, self._done)
        starting = (self._first or now) - self._begun
        return replace(
            done,
            seconds=now - self._begun,
            starting=starting,
            notes=tuple(notes),
            is_incomplete=self._is_incomplete,
        )

    def _failed(self, status: int, errors: list[str]) -> Failed:
        lines = [line for line in self._output() if line.startswith(_NOTE)]
        said = lines[-1][len(_NOTE) :] if lines else ""
        text = said or sentence("It ended without a word (status {status}).", status=status)
        # 2: the command is typed wrongly, as it is for every worker.
        return Failed(self._worker, self._task.number, text, is_final=status == 2)

    def close(self) -> None:
        """Stop it and clean up, except results in the driver's folder. May be called twice."""
        process, self._process = self._process, None
        if process is None:
            return
        if process.stdin is not None:
            process.stdin.close()  # by which it ends
        try:
            process.wait(_END_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        self._own.cleanup()


def _check(task: Task, carried: bytes | None) -> None:
    if task.version != version():
        raise LightloomError(
            sentence(
                "It has Lightloom {found}, and the run was begun with {wanted}; install the same on all "
                "machines.",
                found=version(),
                wanted=task.version,
            )
        )
    for mark in task.needed:
        if not mark.is_here:
            raise LightloomError(
                sentence(
                    "It does not see {name} as it is where the run was begun; put it on storage that all "
                    "machines see.",
                    name=mark.path,
                )
            )
    if carried is None and (lacks_input(task) or not Path(task.input).exists()):
        raise LightloomError(
            sentence(
                "It does not see {name}; put it on storage that all machines see.",
                name=task.input,
            )
        )
